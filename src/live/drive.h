/* drive.h: a run: its options, its workload, and what all clients share.
 *
 * Clients share only the recorder and the workload's state; each counts in a Tally of its own. */
#ifndef ALIBI_LIVE_DRIVE_H
#define ALIBI_LIVE_DRIVE_H

#include "src/live/client.h"
#include "src/live/workload.h"

#include <stdio.h>

typedef struct Run {
  const Workload *workload;
  Scale scale;
  unsigned weights[WORKLOAD_KINDS];
  Recorder recorder;
  uint64_t seed;
  uint64_t transactions; /* of all clients; 0: no bound */
  int64_t deadline;      /* on client_clock; 0: none */
  uint64_t retries;      /* of a refused transaction, at most */
  uint32_t client_count;
  GivenOrder order;    /* of the transcript */
  double seconds;      /* less than 0: no bound */
  const char *session; /* SQL that each connection begins with, or NULL */
  const char *out;     /* NULL: nothing is recorded */
  bool is_quiet, is_kept, has_final;
  struct Faults *faults;            /* owned, or NULL */
  const char *script;               /* the file of workload `script`, or NULL */
  void *state;                      /* the workload's own */
  _Atomic bool is_stopped;          /* no client could go on */
  Tally (*tallies)[WORKLOAD_KINDS]; /* owned: by client, then kind */
} Run;

/* The client's share of the transactions. */
uint64_t run_share(const Run *run, const Client *client);
/* False: the time is up or the run was stopped. */
bool run_goes_on(const Run *run);
/* The database cannot be reached any more: all clients stop.  False. */
bool run_stop(Run *run);
/* The transaction at hand notes its name, if that is wanted. */
void run_ledger(Client *client);
/* Where the client counts transactions of a kind. */
Tally *run_tally(Run *run, const Client *client, uint32_t kind);
/* All clients' transactions, to the end of the run. */
void run_clients(Run *run, Client *clients);

/* ---- what is printed about it ---- */

void report_progress(const Run *run, bool is_last);
void report_table(const Run *run, double seconds, FILE *file);

#endif
