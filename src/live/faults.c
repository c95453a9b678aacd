/* faults.c: who is hit by which fault, and when. */
#include "src/live/faults.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum FaultKind { FAULT_KILL, FAULT_CANCEL, FAULT_DEADLOCK, FAULT_RESTART, FAULT_COUNT } FaultKind;
static const char *const NAMES[FAULT_COUNT] = {"kill", "cancel", "deadlock", "restart"};

static const int64_t SECOND = 1000000000;
enum { RESTART_EVERY = 2, PATIENCE = 60, RENDEZVOUS_MILLISECONDS = 200 };

struct Faults {
  Run *run;
  Client *clients; /* borrowed while the run goes on */
  bool has[FAULT_COUNT];
  bool is_all;
  unsigned rate;
  const char *restart;
  pthread_t thread;
  _Atomic bool is_over;
  Connection *connection; /* owned; NULL while there is none */
  Arena arena;
  Random random;
  int64_t next_restart;
  _Atomic int arrived,
      left; /* of a crossing: clients that hold their first row, clients that are not through */
  uint64_t killed, broken_off, cancelled, crossings, restarts;
  bool failed; /* the restart's command did */
};

/* ---- which faults ---- */

Faults *faults_new(const char *list, Diag *diag) {
  Faults *faults = memory_new(sizeof *faults);
  while (*list) {
    size_t length = strcspn(list, ",");
    bool is_known = length == 3 && !strncmp(list, "all", 3);
    faults->is_all |= is_known;
    for (int i = 0; i < FAULT_COUNT; i++)
      if (strlen(NAMES[i]) == length && !strncmp(list, NAMES[i], length)) faults->has[i] = is_known = true;
    if (!is_known) {
      diag_fail(diag, PLACE_NONE, "--faults: '%.*s' is none of kill, cancel, deadlock, restart, all",
                (int)length, list);
      free(faults);
      return NULL;
    }
    list += length + (list[length] == ',');
  }
  return faults;
}

static bool faults_can_cross(const Run *run) { return run->client_count > 1 && !run->workload->drive; }

bool faults_configure(Faults *faults, Run *run, unsigned rate, const char *restart, Diag *diag) {
  *faults = (Faults){.run = run,
                     .rate = rate ? rate : 1,
                     .restart = restart,
                     .is_all = faults->is_all,
                     .has = {faults->has[0], faults->has[1], faults->has[2], faults->has[3]}};
  if (!run->recorder.driver->kill)
    return diag_fail(diag, PLACE_NONE, "--faults: %s has none", run->recorder.driver->scheme);
  if (run->script) return diag_fail(diag, PLACE_NONE, "--faults: a script has none");
  if (faults->has[FAULT_DEADLOCK] && !faults_can_cross(run))
    return diag_fail(diag, PLACE_NONE,
                     "--faults deadlock: for several clients, and a workload of transactions");
  if (faults->has[FAULT_RESTART] && !restart)
    return diag_fail(diag, PLACE_NONE, "--faults restart: how? --restart COMMAND");
  if (faults->is_all) {
    faults->has[FAULT_KILL] = faults->has[FAULT_CANCEL] = true;
    faults->has[FAULT_DEADLOCK] = faults_can_cross(run);
    faults->has[FAULT_RESTART] = restart != NULL;
  }
  run->recorder.patience = PATIENCE * SECOND;
  random_seed(&faults->random, run->seed, UINT64_MAX, 0);
  arena_init(&faults->arena);
  return true;
}

void faults_free(Faults *faults) {
  if (!faults) return;
  if (faults->connection) faults->connection->driver->close(faults->connection);
  arena_free(&faults->arena);
  free(faults);
}

/* ---- from another connection ---- */

/* True: the server did as it was told. */
static bool faults_say(Faults *faults, const char *format, uint64_t number) {
  const Recorder *recorder = &faults->run->recorder;
  Reply reply;
  if (!number) return false;
  arena_clear(&faults->arena);
  if (!faults->connection) faults->connection = recorder->driver->open(recorder->url, &(Diag){0});
  if (!faults->connection) return false;
  driver_run(faults->connection, &faults->arena,
             arena_format(&faults->arena, format, (unsigned long long)number), &reply);
  if (reply.is_lost) {
    recorder->driver->close(faults->connection);
    faults->connection = NULL;
  }
  return !reply.error;
}

/* Half of the time the client breaks off by itself; otherwise the server is told to end the
 * connection as soon as COMMIT is under way. */
static void fault_kill(Faults *faults, Client *client) {
  if (random_percent(&faults->random, 50)) {
    atomic_store(&client->shall_break_off, true);
    faults->broken_off++;
    return;
  }
  int64_t end = client_clock() + SECOND / 50;
  while (!atomic_load(&client->is_committing) && client_clock() < end) usleep(20);
  if (faults_say(faults, faults->run->recorder.driver->kill, atomic_load(&client->backend))) faults->killed++;
}

static void fault_cancel(Faults *faults, Client *client) {
  if (faults_say(faults, faults->run->recorder.driver->cancel, atomic_load(&client->backend)))
    faults->cancelled++;
}

static void fault_restart(Faults *faults) {
  int status = system(arena_format(&faults->arena, "(%s) >/dev/null </dev/null", faults->restart));
  faults->failed |= status != 0;
  faults->restarts++;
  faults->next_restart = client_clock() + RESTART_EVERY * SECOND;
}

/* ---- deadlocks ---- */

void faults_populate(Faults *faults, Population *population) {
  if (!faults->has[FAULT_DEADLOCK]) return;
  population_define(population, "CREATE TABLE alibi_crossing (id INT PRIMARY KEY, passed INT NOT NULL)");
  population_table(population, "alibi_crossing", "id, passed");
  for (int64_t id = 1; id <= 2; id++) population_row(population, "ii", id, (int64_t)0);
}

/* Asks two clients to the next crossing, if the last one is over. */
static void fault_deadlock(Faults *faults, Client *client) {
  uint32_t other = (uint32_t)random_between(&faults->random, 1, faults->run->client_count - 1);
  Client *partner = &faults->clients[(client->number - 1 + other) % faults->run->client_count];
  if (atomic_load(&faults->left) > 0) return;
  atomic_store(&faults->arrived, 0);
  atomic_store(&faults->left, 2);
  atomic_store(&client->crossing, 1);
  atomic_store(&partner->crossing, 2);
  faults->crossings++;
}

static void crossing_wait(Faults *faults) {
  int64_t end = client_clock() + RENDEZVOUS_MILLISECONDS * (SECOND / 1000);
  atomic_fetch_add(&faults->arrived, 1);
  while (atomic_load(&faults->arrived) < 2 && client_clock() < end) usleep(100);
}

void faults_cross(Faults *faults, Client *client) {
  static const char step[] = "UPDATE alibi_crossing SET passed = passed + 1 WHERE id = ?";
  int64_t side = atomic_exchange(&client->crossing, 0);
  if (!side) return;
  client->tally = run_tally(faults->run, client, workload_kind_count(faults->run->workload));
  if (client_begin(client)) {
    client_execute(client, step, "i", side);
    crossing_wait(faults);
    client_execute(client, step, "i", 3 - side);
    run_ledger(client);
    client_finish(client, !client->failure);
  }
  atomic_fetch_sub(&faults->left, 1);
}

/* ---- the thread ---- */

static void faults_step(Faults *faults) {
  static const unsigned shares[FAULT_COUNT] = {4, 4, 2, 0};
  unsigned weights[FAULT_COUNT], total = 0;
  for (int i = 0; i < FAULT_COUNT; i++) total += weights[i] = faults->has[i] ? shares[i] : 0;
  if (faults->has[FAULT_RESTART] && client_clock() > faults->next_restart) fault_restart(faults);
  if (!total) return;
  uint32_t victim = (uint32_t)random_between(&faults->random, 0, faults->run->client_count - 1);
  Client *client = &faults->clients[victim];
  switch ((FaultKind)random_weighted(&faults->random, weights, FAULT_COUNT)) {
  case FAULT_KILL: fault_kill(faults, client); break;
  case FAULT_CANCEL: fault_cancel(faults, client); break;
  case FAULT_DEADLOCK: fault_deadlock(faults, client); break;
  default: break;
  }
}

static void *faults_main(void *argument) {
  Faults *faults = argument;
  while (!atomic_load(&faults->is_over)) {
    usleep((useconds_t)random_between(&faults->random, 1, 2000000 / (int64_t)faults->rate));
    if (!atomic_load(&faults->is_over) && !faults->failed) faults_step(faults);
  }
  return NULL;
}

void faults_start(Faults *faults, Client *clients) {
  faults->clients = clients;
  faults->next_restart = client_clock() + SECOND / 2;
  if (pthread_create(&faults->thread, NULL, faults_main, faults)) fatal("cannot start a thread");
}

void faults_stop(Faults *faults) {
  atomic_store(&faults->is_over, true);
  pthread_join(faults->thread, NULL);
}

bool faults_went_well(const Faults *faults, Diag *diag) {
  return !faults->failed || diag_fail(diag, PLACE_NONE, "--restart: the command failed: %s", faults->restart);
}

/* ---- what was done ---- */

bool faults_have_crossings(const Faults *faults) { return faults && faults->has[FAULT_DEADLOCK]; }

void faults_print(const Faults *faults, FILE *file) {
  fprintf(file,
          "faults: %llu connections killed, %llu broken off at COMMIT, %llu statements cancelled, "
          "%llu crossings, %llu restarts\n",
          (unsigned long long)faults->killed, (unsigned long long)faults->broken_off,
          (unsigned long long)faults->cancelled, (unsigned long long)faults->crossings,
          (unsigned long long)faults->restarts);
}
