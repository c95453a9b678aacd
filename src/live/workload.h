/* workload.h: a workload is data: parameters, transaction kinds with weights, a population.
 *
 * To add one: write its file, declare its Workload here, and name it in workload.c's table. */
#ifndef ALIBI_LIVE_WORKLOAD_H
#define ALIBI_LIVE_WORKLOAD_H

#include "src/live/client.h"
#include "src/live/population.h"

enum { WORKLOAD_PARAMETERS = 12, WORKLOAD_KINDS = 12 };

/* A number that sizes the workload: --set NAME=VALUE. */
typedef struct Parameter {
  const char *name;
  int64_t initial, least, most;
  const char *help;
} Parameter;

/* The parameters' values, by their place in the workload's list. */
typedef struct Scale {
  int64_t value[WORKLOAD_PARAMETERS];
} Scale;

/* True: commit.  False: roll back. */
typedef bool KindFunction(Client *client, const Scale *scale);

typedef struct Kind {
  const char *name;
  unsigned weight;
  KindFunction *run;
} Kind;

struct Run;

typedef struct Workload {
  const char *name;
  const char *summary;
  bool has_literals;                             /* in the statements' text, unless --parameters */
  Parameter parameters[WORKLOAD_PARAMETERS + 1]; /* ended by a NULL name */
  Kind kinds[WORKLOAD_KINDS + 1];                /* ended by a NULL name */
  void (*weigh)(const Scale *scale,
                unsigned weights[WORKLOAD_KINDS]); /* weights that follow from parameters, or NULL */
  void (*populate)(Population *population, const Scale *scale);
  void (*adjust)(struct Run *run, Client *client); /* settings that the header shall tell, or NULL */
  /* For what is not made of kinds: builds state 0, runs a client's share, frees what it kept. */
  bool (*prepare)(struct Run *run, Client *client, Diag *diag);
  void (*drive)(struct Run *run, Client *client);
  void (*release)(struct Run *run);
} Workload;

extern const Workload WORKLOAD_BANK, WORKLOAD_SMALLBANK, WORKLOAD_TWITTER, WORKLOAD_RUBIS, WORKLOAD_TPCC,
    WORKLOAD_TPCC_PROCEDURES, WORKLOAD_APPEND, WORKLOAD_CLASH, WORKLOAD_FUZZ, WORKLOAD_SCRIPT;

const Workload *workload_find(const char *name); /* NULL: none */
const Workload *const *workload_table(size_t *count);
uint32_t workload_kind_count(const Workload *workload);

/* A number that no other transaction of the run makes: for new keys above `base`. */
int64_t workload_fresh(const Client *client, int64_t base);
/* "2024-01-01 00:00:00" and on, one second per transaction of the client. */
const char *workload_time(Client *client);

/* Set from "name=value,name=value". */
bool workload_set(const Workload *workload, Scale *scale, const char *settings, Diag *diag);
bool workload_mix(const Workload *workload, unsigned weights[WORKLOAD_KINDS], const char *mix, Diag *diag);

#endif
