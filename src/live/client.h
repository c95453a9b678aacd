/* client.h: one connection, and the record of what it said and heard.
 *
 * A client runs one transaction at a time: begin, statements, finish; finish writes the
 * transaction as one whole line.  The first error of a transaction wins: later calls
 * of client_execute send nothing and answer nothing, so that a workload reads as if
 * nothing could fail.  Nothing that the client did not learn is claimed: a connection lost at
 * COMMIT is recorded as unknown.
 *
 * A transaction without statements leaves no line and is not counted.
 *
 * Replies live until the next client_begin. */
#ifndef ALIBI_LIVE_CLIENT_H
#define ALIBI_LIVE_CLIENT_H

#include "src/live/driver.h"
#include "src/live/random.h"

#include <pthread.h>
#include <stdatomic.h>

/* What all clients of a run share. */
typedef struct Recorder {
  TranscriptWriter *writer;
  pthread_mutex_t lock; /* of the writer */
  const Driver *driver;
  const char *url;
  const char *space;      /* the run's own schema or database, or NULL */
  const char *level;      /* as SQL has it ("READ COMMITTED"), or NULL */
  const char *level_name; /* as a transcript has it, or NULL */
  bool has_literals;      /* in the statements' text, instead of parameters */
  bool has_times;
  bool has_hints;
  bool has_snapshots;
  bool is_named_by_client; /* several clients: transaction names begin with the client's number */
  unsigned delay;          /* microseconds between statements */
  int64_t begun;           /* the clock when the run began */
  _Atomic uint64_t done;   /* transactions written */
} Recorder;

typedef enum Finish {
  FINISH_COMMITTED,
  FINISH_ABORTED, /* as the workload wanted */
  FINISH_REFUSED, /* by the database, for concurrency's sake: worth a retry */
  FINISH_FAILED,  /* an error */
  FINISH_UNKNOWN, /* the connection broke at COMMIT */
  FINISH_COUNT
} Finish;

/* The lines written for one kind of transaction. */
typedef struct Tally {
  uint64_t finished[FINISH_COUNT];
  uint64_t retried;
  ARRAY(uint32_t) microseconds; /* owned: of each committed transaction */
} Tally;

typedef struct Client {
  Recorder *recorder;
  Tally *tally;           /* borrowed: of the transaction's kind; set before client_begin */
  uint32_t number;        /* from 1 */
  Connection *connection; /* owned; NULL while there is none */
  Random random;          /* of the transaction at hand */
  Arena arena;            /* of the transaction at hand */
  uint64_t sequence;      /* transactions begun */
  int64_t begun;          /* the clock when the transaction at hand began */
  Transaction transaction;
  ARRAY(Operation) operations; /* in the arena */
  const Reply *failure;        /* the first error of the transaction, or NULL */
  bool is_dead;                /* the server rolled it back by itself */
  char *last_hint;             /* owned: the newest GTID seen, to tell a new one from an old one */
} Client;

int64_t client_clock(void); /* nanoseconds, monotonic */

bool client_open(Client *client, Recorder *recorder, uint32_t number, Diag *diag);
void client_close(Client *client);

/* Before the first transaction: what the connection did so far is not the transactions' doing. */
void client_ready(Client *client);
/* False: no connection could be had. */
bool client_begin(Client *client);
/* One statement of a workload, with `?` and letters as in request.h.  Never NULL. */
const Reply *client_execute(Client *client, const char *sql, const char *letters, ...);
/* One statement as it is, whatever happened before: for scripts and random SQL. */
const Reply *client_send(Client *client, const char *sql);
/* COMMIT or ROLLBACK, and the line. */
Finish client_finish(Client *client, bool wants_commit);

#endif
