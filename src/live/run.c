/* run.c: `alibi run`: options, the run from the first connection to the last line. */
#include "src/live/run.h"

#include "src/live/drive.h"
#include "src/live/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BAD = 2, MOST_CLIENTS = 999 };

#define RUN_OPTIONS(X)                                                                                       \
  X(TEXT, db, "db", "URL", NULL, NULL, "the database: sqlite:[FILE], postgresql://..., mariadb://...")       \
  X(TEXT, out, "out", "FILE", "-", NULL, "where the transcript goes; - is standard output")                  \
  X(WHOLE, transactions, "transactions", "N", "1000", NULL,                                                  \
    "how many, of all clients together; 0: no bound")                                                        \
  X(SECONDS, seconds, "seconds", "S", NULL, NULL, "stop after this time")                                    \
  X(WHOLE, seed, "seed", "N", "1", NULL, "the same seed gives each client the same transactions")            \
  X(WHOLE, clients, "clients", "N", "1", NULL, "concurrent connections (sqlite: one)")                       \
  X(CHOICE, level, "level", "read-committed|repeatable-read|serializable", "serializable", NULL,             \
    "the isolation level to ask for")                                                                        \
  X(TEXT, set, "set", "NAME=N,...", NULL, NULL, "the workload's parameters, see below")                      \
  X(TEXT, mix, "mix", "KIND=WEIGHT,...", NULL, NULL, "only these transactions, with these weights")          \
  X(FLAG, literals, "literals", NULL, NULL, NULL, "values in the statements' text instead of parameters")    \
  X(WHOLE, retries, "retries", "N", "10", NULL, "how often a refused transaction is tried again")            \
  X(WHOLE, delay, "delay", "MICROSECONDS", "0", NULL, "wait between statements")                             \
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
  if (run->recorder.driver->is_concurrent) return true;
  return diag_fail(diag, PLACE_NONE, "--clients: %s has one client", run->recorder.driver->scheme);
}

static void recorder_configure(Run *run, const RunOptions *options) {
  Recorder *recorder = &run->recorder;
  recorder->has_literals = options->literals || run->workload->has_literals;
  recorder->has_times = options->times || recorder->driver->is_concurrent;
  recorder->has_hints = recorder->driver->is_concurrent;
  recorder->has_snapshots = options->snapshots;
  recorder->is_named_by_client = run->client_count > 1;
  recorder->delay = (unsigned)options->delay;
}

static bool run_configure(Run *run, const RunOptions *options, const Operands *operands, Diag *diag) {
  if (!run_choose_workload(run, operands, diag)) return false;
  if (!options->db) return diag_fail(diag, PLACE_NONE, "which database? --db URL");
  run->recorder.url = options->db;
  run->recorder.driver = driver_find(options->db, diag);
  if (!run->recorder.driver || !run_choose_clients(run, options, diag)) return false;
  run->seed = (uint64_t)options->seed;
  run->transactions = (uint64_t)options->transactions;
  run->retries = (uint64_t)options->retries;
  if (!run->transactions && options->seconds < 0 && !run->script)
    return diag_fail(diag, PLACE_NONE, "--transactions 0 needs --seconds");
  recorder_configure(run, options);
  return run_choose_mix(run, options, diag) && run_choose_level(run, options, diag);
}

/* ---- a place of the run's own ---- */

static bool connection_say(Connection *connection, Arena *arena, const char *format, const char *name,
                           Diag *diag) {
  if (!format) return true;
  Reply reply;
  driver_run(connection, arena, arena_format(arena, format, name), &reply);
  return !reply.error || diag_fail(diag, PLACE_NONE, "%s", reply.message);
}

/* ---- the run ---- */

static bool run_prepare(Run *run, Client *client, Diag *diag) {
  if (run->workload->prepare) return run->workload->prepare(run, client, diag);
  Population population;
  population_begin(&population, &run->recorder, client->connection, run->seed, diag);
  run->workload->populate(&population, &run->scale);
  return population_end(&population);
}

typedef struct Watch {
  pthread_t thread;
  Run *run;
  _Atomic bool is_over;
} Watch;

static void *watch_main(void *argument) {
  Watch *watch = argument;
  while (!atomic_load(&watch->is_over)) {
    report_progress(watch->run, false);
    usleep(200000);
  }
  report_progress(watch->run, true);
  return NULL;
}

static void run_watched(Run *run, Client *clients, bool has_progress) {
  Watch watch = {.run = run};
  if (has_progress && pthread_create(&watch.thread, NULL, watch_main, &watch)) has_progress = false;
  run_clients(run, clients);
  atomic_store(&watch.is_over, true);
  if (has_progress) pthread_join(watch.thread, NULL);
}

/* All clients connected and state 0 built and written: what is left is to let them run. */
static bool run_drive(Run *run, Client *clients, const RunOptions *options, Diag *diag) {
  Recorder *recorder = &run->recorder;
  if (run->workload->adjust) run->workload->adjust(run, &clients[0]);
  frame_open(run, &clients[0]);
  if (!run_prepare(run, &clients[0], diag)) return false;
  recorder->begun = client_clock();
  if (options->seconds >= 0) run->deadline = recorder->begun + (int64_t)(options->seconds * 1e9);
  run_watched(run, clients, !options->quiet && isatty(STDERR_FILENO));
  double seconds = (double)(client_clock() - recorder->begun) / 1e9;
  if (!options->no_final) frame_close(run, &clients[0]);
  if (atomic_load(&run->is_stopped))
    return diag_fail(diag, PLACE_NONE, "the database cannot be reached any more");
  if (!options->quiet) report_table(run, seconds, stderr);
  return true;
}

static bool run_connected(Run *run, Connection *keeper, const RunOptions *options, Diag *diag) {
  Recorder *recorder = &run->recorder;
  Arena arena;
  arena_init(&arena);
  Client *clients = memory_new(run->client_count * sizeof *clients);
  uint32_t opened = 0;
  bool is_good = connection_say(keeper, &arena, recorder->driver->space_create, recorder->space, diag);
  while (is_good && opened < run->client_count) {
    is_good = client_open(&clients[opened], recorder, opened + 1, diag);
    opened++;
  }
  is_good = is_good && run_drive(run, clients, options, diag);
  for (uint32_t i = 0; i < opened; i++) client_close(&clients[i]);
  if (!options->keep)
    connection_say(keeper, &arena, recorder->driver->space_drop, recorder->space, &(Diag){0});
  free(clients);
  arena_free(&arena);
  return is_good;
}

static bool run_execute(Run *run, const RunOptions *options, Diag *diag) {
  Recorder *recorder = &run->recorder;
  char space[32];
  snprintf(space, sizeof space, "alibi_%d", (int)getpid());
  recorder->space = space;
  Connection *keeper = recorder->driver->open(recorder->url, diag);
  if (!keeper) return false;
  bool is_good = false;
  recorder->writer = transcript_create(options->out, diag);
  if (recorder->writer) {
    pthread_mutex_init(&recorder->lock, NULL);
    run->tallies = memory_new(run->client_count * sizeof *run->tallies);
    is_good = run_connected(run, keeper, options, diag);
    is_good = transcript_finish(recorder->writer, diag) && is_good;
    for (uint32_t i = 0; i < run->client_count * WORKLOAD_KINDS; i++)
      ARRAY_FREE(&run->tallies[i / WORKLOAD_KINDS][i % WORKLOAD_KINDS].microseconds);
    free(run->tallies);
    if (run->workload->release) run->workload->release(run);
    pthread_mutex_destroy(&recorder->lock);
  }
  recorder->driver->close(keeper);
  return is_good;
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
  is_good = is_good && run_configure(&run, &options, &operands, &diag) && run_execute(&run, &options, &diag);
  char text[1024];
  if (!is_good) fprintf(stderr, "alibi run: %s\n", diag_text(&diag, text, sizeof text));
  ARRAY_FREE(&operands);
  return is_good ? 0 : EXIT_BAD;
}
