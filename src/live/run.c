/* run.c: `alibi run`: its options and its help, and from them to a Run. */
#include "src/live/run.h"

#include "src/live/faults.h"
#include "src/live/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_BAD = 2, MOST_CLIENTS = 999 };

#define RUN_OPTIONS(X)                                                                                       \
  X(TEXT, db, "db", "URL", NULL, NULL, "the database: sqlite:[FILE], postgresql://..., mariadb://...")       \
  X(TEXT, out, "out", "FILE", "-", NULL, "where the transcript goes; - is standard output")                  \
  X(WHOLE, transactions, "transactions", "N", "1000", NULL,                                                  \
    "how many, of all clients together; 0: no bound")                                                        \
  X(SECONDS, seconds, "seconds", "S", NULL, NULL, "stop after this time")                                    \
  X(WHOLE, seed, "seed", "N", "1", NULL, "the same seed gives each client the same transactions")            \
  X(WHOLE, clients, "clients", "N", "1", NULL, "concurrent connections (sqlite: more than one need a FILE)") \
  X(CHOICE, level, "level", "read-committed|repeatable-read|serializable", "serializable", NULL,             \
    "the isolation level to ask for")                                                                        \
  X(TEXT, set, "set", "NAME=N,...", NULL, NULL, "the workload's parameters, see below")                      \
  X(TEXT, mix, "mix", "KIND=WEIGHT,...", NULL, NULL, "only these transactions, with these weights")          \
  X(FLAG, literals, "literals", NULL, NULL, NULL, "values in the statements' text instead of parameters")    \
  X(WHOLE, retries, "retries", "N", "10", NULL, "how often a refused transaction is tried again")            \
  X(WHOLE, delay, "delay", "MICROSECONDS", "0", NULL, "wait between statements")                             \
  X(TEXT, session, "session", "SQL", NULL, NULL, "a statement that each connection begins with: SET ...")    \
  X(CHOICE, order, "order", "file|hint|commit", "file", NULL,                                                \
    "what the transcript's given order is sorted by")                                                        \
  X(FLAG, ledger, "ledger", NULL, NULL, NULL,                                                                \
    "each transaction that commits notes its name in a table, alibi_ledger")                                 \
  X(TEXT, faults, "faults", "LIST", NULL, NULL,                                                              \
    "provoke faults: kill (connections, at COMMIT), cancel (statements), deadlock, restart (the server), "   \
    "all")                                                                                                   \
  X(WHOLE, fault_rate, "fault-rate", "N", "20", NULL, "faults per second; restarts come every other second") \
  X(TEXT, restart, "restart", "COMMAND", NULL, NULL, "what restarts the server, for --faults restart")       \
  X(FLAG, bare, "bare", NULL, NULL, NULL, "record nothing: to measure what recording costs")                 \
  X(FLAG, times, "times", NULL, NULL, NULL, "record times also where there is one embedded client")          \
  X(FLAG, snapshots, "snapshots", NULL, NULL, NULL, "record transaction ids and snapshots (PostgreSQL)")     \
  X(FLAG, no_final, "no-final", NULL, NULL, NULL, "leave out the tables' rows at the end")                   \
  X(FLAG, keep, "keep", NULL, NULL, NULL, "leave the run's schema in the database")                          \
  X(FLAG, quiet, "quiet", NULL, NULL, NULL, "no progress line and no table at the end")                      \
  X(FLAG, help, "help", NULL, NULL, NULL, "show this")

typedef struct RunOptions {
  RUN_OPTIONS(OPTION_FIELD)
} RunOptions;
#define OPTION_STRUCT RunOptions
static const Option OPTIONS[] = {RUN_OPTIONS(OPTION_ROW)};

OptionTable run_options(void) { return (OptionTable){OPTIONS, sizeof OPTIONS / sizeof *OPTIONS}; }

typedef struct LevelName {
  const char *option, *sql, *transcript;
} LevelName;

static const LevelName LEVELS[] = {
    {"read-committed", "READ COMMITTED", "read-committed"},
    {"repeatable-read", "REPEATABLE READ", "repeatable-read"},
    {"serializable", "SERIALIZABLE", "serializable"},
};

/* ---- help ---- */

static void help_workload(const Workload *workload) {
  printf("  %-10s %s\n", workload->name, workload->summary);
  for (uint32_t i = 0; workload->parameters[i].name; i++)
    printf("             --set %s=%lld  %s\n", workload->parameters[i].name,
           (long long)workload->parameters[i].initial, workload->parameters[i].help);
  if (!workload->kinds[0].run) return;
  printf("             --mix ");
  for (uint32_t i = 0; workload->kinds[i].name; i++)
    printf("%s%s=%u", i ? "," : "", workload->kinds[i].name, workload->kinds[i].weight);
  printf("\n");
}

static int help_print(void) {
  size_t count;
  const Workload *const *workloads = workload_table(&count);
  printf("alibi run WORKLOAD --db URL [OPTIONS]\n"
         "alibi run script FILE --db URL [OPTIONS]\n\n"
         "Drives a live database with a seeded workload and writes the transcript: what the clients\n"
         "sent, what came back, and when.  On a server the run has a schema of its own.\n\n");
  option_print(run_options(), OPTION_AS_HELP, stdout);
  printf("\nWorkloads, their parameters and transactions:\n");
  for (size_t i = 0; i < count; i++) help_workload(workloads[i]);
  return 0;
}

/* ---- from options to a run ---- */

static bool run_choose_level(Run *run, const RunOptions *options, Diag *diag) {
  Recorder *recorder = &run->recorder;
  for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS; i++)
    if (!strcmp(options->level, LEVELS[i].option)) {
      recorder->level = LEVELS[i].sql;
      recorder->level_name = LEVELS[i].transcript;
    }
  if (recorder->driver->level_set || !strcmp(options->level, "serializable")) return true;
  return diag_fail(diag, PLACE_NONE, "--level: %s has only serializable", recorder->driver->scheme);
}

static bool run_choose_workload(Run *run, const Operands *operands, Diag *diag) {
  if (!operands->count) return diag_fail(diag, PLACE_NONE, "which workload? `alibi run --help` lists them");
  run->workload = workload_find(operands->items[0]);
  if (!run->workload)
    return diag_fail(diag, PLACE_NONE, "no workload '%s'; `alibi run --help` lists them", operands->items[0]);
  bool is_script = run->workload == &WORKLOAD_SCRIPT;
  if (is_script && operands->count == 2) run->script = operands->items[1];
  if (is_script && !run->script) return diag_fail(diag, PLACE_NONE, "script needs one FILE");
  if (operands->count > 1u + is_script)
    return diag_fail(diag, PLACE_NONE, "unexpected '%s'", operands->items[operands->count - 1]);
  return true;
}

static bool run_choose_mix(Run *run, const RunOptions *options, Diag *diag) {
  for (uint32_t i = 0; run->workload->kinds[i].name; i++) run->weights[i] = run->workload->kinds[i].weight;
  if (!workload_set(run->workload, &run->scale, options->set, diag)) return false;
  if (run->workload->weigh) run->workload->weigh(&run->scale, run->weights);
  return workload_mix(run->workload, run->weights, options->mix, diag);
}

static bool run_choose_clients(Run *run, const RunOptions *options, Diag *diag) {
  run->client_count = (uint32_t)options->clients;
  if (options->clients < 1 || options->clients > MOST_CLIENTS)
    return diag_fail(diag, PLACE_NONE, "--clients: from 1 to %d", MOST_CLIENTS);
  if (run->client_count == 1) return true;
  if (run->script) return diag_fail(diag, PLACE_NONE, "--clients: a script has one client");
  if (run->recorder.driver->is_server || strchr(run->recorder.url, ':')[1]) return true;
  return diag_fail(diag, PLACE_NONE,
                   "--clients: several need a database that they can share, as sqlite:FILE");
}

static void recorder_configure(Run *run, const RunOptions *options) {
  Recorder *recorder = &run->recorder;
  recorder->has_literals = options->literals || run->workload->has_literals;
  recorder->has_times =
      !options->bare && (options->times || recorder->driver->is_server || run->client_count > 1);
  recorder->has_hints = !options->bare && recorder->driver->is_server;
  recorder->has_snapshots = !options->bare && options->snapshots;
  recorder->has_ledger = options->ledger;
  recorder->is_named_by_client = run->client_count > 1;
  recorder->delay = (unsigned)options->delay;
}

static void run_copy(Run *run, const RunOptions *options) {
  static const char *const orders[] = {
      [ORDER_FILE] = "file", [ORDER_HINT] = "hint", [ORDER_COMMIT] = "commit"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(options->order, orders[i])) run->order = (GivenOrder)i;
  run->seed = (uint64_t)options->seed;
  run->transactions = (uint64_t)options->transactions;
  run->retries = (uint64_t)options->retries;
  run->seconds = options->seconds;
  run->session = options->session;
  run->out = options->bare ? NULL : options->out;
  run->is_quiet = options->quiet;
  run->is_kept = options->keep;
  run->has_final = !options->no_final && !options->bare;
}

static bool run_choose_faults(Run *run, const RunOptions *options, Diag *diag) {
  bool has_kinds = !run->workload->drive;
  if (options->ledger && !has_kinds)
    return diag_fail(diag, PLACE_NONE, "--ledger: %s is not made of transactions", run->workload->name);
  if (options->restart && !options->faults)
    return diag_fail(diag, PLACE_NONE, "--restart: only with --faults");
  if (!options->faults) return true;
  run->faults = faults_new(options->faults, diag);
  if (!run->faults) return false;
  return faults_configure(run->faults, run, (unsigned)options->fault_rate, options->restart, diag);
}

static bool run_configure(Run *run, const RunOptions *options, const Operands *operands, Diag *diag) {
  if (!run_choose_workload(run, operands, diag)) return false;
  if (!options->db) return diag_fail(diag, PLACE_NONE, "which database? --db URL");
  run->recorder.url = options->db;
  run->recorder.driver = driver_find(options->db, diag);
  if (!run->recorder.driver || !run_choose_clients(run, options, diag)) return false;
  run_copy(run, options);
  if (!run->transactions && options->seconds < 0 && !run->script)
    return diag_fail(diag, PLACE_NONE, "--transactions 0 needs --seconds");
  recorder_configure(run, options);
  return run_choose_mix(run, options, diag) && run_choose_level(run, options, diag) &&
         run_choose_faults(run, options, diag);
}

int run_main(int argc, char **argv) {
  RunOptions options;
  Operands operands = {0};
  Diag diag = {0};
  Run run = {0};
  option_defaults(run_options(), &options);
  bool is_good = option_parse(run_options(), &options, argc, argv, &operands, &diag);
  if (is_good && options.help) {
    ARRAY_FREE(&operands);
    return help_print();
  }
  is_good = is_good && run_configure(&run, &options, &operands, &diag) && stage_run(&run, &diag);
  char text[1024];
  if (!is_good) fprintf(stderr, "alibi run: %s\n", diag_text(&diag, text, sizeof text));
  faults_free(run.faults);
  ARRAY_FREE(&operands);
  return is_good ? 0 : EXIT_BAD;
}
