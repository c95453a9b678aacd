/* stage.c: a run from the first connection to the last line.
 *
 * The keeper is a connection of its own: it makes the run's schema and drops it, whatever
 * became of the clients. */
#include "src/live/stage.h"

#include "src/live/faults.h"
#include "src/live/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char LEDGER[] = "CREATE TABLE alibi_ledger (txn VARCHAR(40) PRIMARY KEY)";

/* ---- what every connection begins with ---- */

/* Deadlocks are found soon where the server lets us ask for it; where not, later. */
static bool stage_greet(void *context, Client *client, Diag *diag) {
  Run *run = context;
  const char *impatience = client->recorder->driver->impatience;
  Reply reply;
  if (run->workload->adjust) run->workload->adjust(run, client);
  if (run->faults && impatience) driver_run(client->connection, &client->arena, impatience, &reply);
  if (!run->session) return true;
  driver_run(client->connection, &client->arena, run->session, &reply);
  return !reply.error || diag_fail(diag, PLACE_NONE, "--session: %s", reply.message);
}

/* ---- state 0 ---- */

static bool stage_populate(Run *run, Client *client, Diag *diag) {
  if (run->workload->prepare) return run->workload->prepare(run, client, diag);
  Population population;
  population_begin(&population, &run->recorder, client->connection, run->seed, diag);
  run->workload->populate(&population, &run->scale);
  if (run->recorder.has_ledger) population_define(&population, LEDGER);
  if (run->faults) faults_populate(run->faults, &population);
  return population_end(&population);
}

/* ---- the clients at work ---- */

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

static void stage_watched(Run *run, Client *clients) {
  bool has_progress = !run->is_quiet && isatty(STDERR_FILENO);
  Watch watch = {.run = run};
  if (has_progress && pthread_create(&watch.thread, NULL, watch_main, &watch)) has_progress = false;
  if (run->faults) faults_start(run->faults, clients);
  run_clients(run, clients);
  if (run->faults) faults_stop(run->faults);
  atomic_store(&watch.is_over, true);
  if (has_progress) pthread_join(watch.thread, NULL);
}

/* All clients are connected: state 0, the transactions, the rows at the end. */
static bool stage_drive(Run *run, Client *clients, Diag *diag) {
  Recorder *recorder = &run->recorder;
  frame_open(run, &clients[0]);
  if (!stage_populate(run, &clients[0], diag)) return false;
  if (recorder->writer) transcript_flush(recorder->writer);
  recorder->begun = client_clock();
  if (run->seconds >= 0) run->deadline = recorder->begun + (int64_t)(run->seconds * 1e9);
  stage_watched(run, clients);
  double seconds = (double)(client_clock() - recorder->begun) / 1e9;
  bool is_closed = !run->has_final || frame_close(run, &clients[0], diag);
  if (atomic_load(&run->is_stopped))
    return diag_fail(diag, PLACE_NONE, "the database cannot be reached any more");
  if (run->faults && !faults_went_well(run->faults, diag)) return false;
  if (!run->is_quiet) report_table(run, seconds, stderr);
  return is_closed;
}

/* ---- a place of the run's own ---- */

static bool keeper_say(Connection *keeper, Arena *arena, const char *format, const char *name, Diag *diag) {
  if (!format) return true;
  Reply reply;
  driver_run(keeper, arena, arena_format(arena, format, name), &reply);
  return !reply.error || diag_fail(diag, PLACE_NONE, "%s", reply.message);
}

/* A server that was restarted does not know the keeper any more. */
static void space_drop(Run *run, Connection **keeper, Arena *arena) {
  Recorder *recorder = &run->recorder;
  const char *drop = recorder->driver->space_drop;
  if (run->is_kept || keeper_say(*keeper, arena, drop, recorder->space, &(Diag){0})) return;
  recorder->driver->close(*keeper);
  *keeper = recorder->driver->open(recorder->url, &(Diag){0});
  if (*keeper) keeper_say(*keeper, arena, drop, recorder->space, &(Diag){0});
}

static bool stage_connected(Run *run, Connection **keeper, Diag *diag) {
  Recorder *recorder = &run->recorder;
  Arena arena;
  arena_init(&arena);
  Client *clients = memory_new(run->client_count * sizeof *clients);
  uint32_t opened = 0;
  bool is_good = keeper_say(*keeper, &arena, recorder->driver->space_create, recorder->space, diag);
  while (is_good && opened < run->client_count) {
    is_good = client_open(&clients[opened], recorder, opened + 1, diag);
    opened++;
  }
  is_good = is_good && stage_drive(run, clients, diag);
  for (uint32_t i = 0; i < opened; i++) client_close(&clients[i]);
  space_drop(run, keeper, &arena);
  free(clients);
  arena_free(&arena);
  return is_good;
}

static void tallies_free(Run *run) {
  for (uint32_t i = 0; i < run->client_count * WORKLOAD_KINDS; i++)
    ARRAY_FREE(&run->tallies[i / WORKLOAD_KINDS][i % WORKLOAD_KINDS].microseconds);
  free(run->tallies);
}

bool stage_run(Run *run, Diag *diag) {
  Recorder *recorder = &run->recorder;
  char space[32];
  snprintf(space, sizeof space, "alibi_%d", (int)getpid());
  recorder->space = space;
  recorder->greet = stage_greet;
  recorder->greet_context = run;
  Connection *keeper = recorder->driver->open(recorder->url, diag);
  if (!keeper) return false;
  bool is_good = false;
  if (run->out) recorder->writer = transcript_create(run->out, diag);
  if (recorder->writer || !run->out) {
    pthread_mutex_init(&recorder->lock, NULL);
    run->tallies = memory_new(run->client_count * sizeof *run->tallies);
    is_good = stage_connected(run, &keeper, diag);
    if (recorder->writer) is_good = transcript_finish(recorder->writer, diag) && is_good;
    tallies_free(run);
    if (run->workload->release) run->workload->release(run);
    pthread_mutex_destroy(&recorder->lock);
  }
  if (keeper) recorder->driver->close(keeper);
  return is_good;
}
