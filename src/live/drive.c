/* drive.c: clients at work, one thread each. */
#include "src/live/drive.h"

#include "src/live/faults.h"

#include <signal.h>
#include <stdlib.h>

/* A run that is interrupted ends as if its time were up; a second signal ends the program. */
static volatile sig_atomic_t is_interrupted;

static void interrupt_note(int signal) {
  (void)signal;
  is_interrupted = 1;
}

static void interrupt_watch(void) {
  struct sigaction action = {.sa_handler = interrupt_note, .sa_flags = SA_RESETHAND | SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

uint64_t run_share(const Run *run, const Client *client) {
  uint64_t share = run->transactions / run->client_count;
  return share + (client->number <= run->transactions % run->client_count);
}

bool run_goes_on(const Run *run) {
  if (is_interrupted || atomic_load(&run->is_stopped)) return false;
  return !run->deadline || client_clock() < run->deadline;
}

bool run_stop(Run *run) {
  atomic_store(&run->is_stopped, true);
  return false;
}

Tally *run_tally(Run *run, const Client *client, uint32_t kind) {
  return &run->tallies[client->number - 1][kind];
}

void run_ledger(Client *client) {
  if (client->recorder->has_ledger)
    client_execute(client, "INSERT INTO alibi_ledger (txn) VALUES (?)", "s", client->transaction.name);
}

/* One transaction, run again with the same draws as long as the database refuses it. */
static void run_transaction(Run *run, Client *client, uint64_t index) {
  const Workload *workload = run->workload;
  Random random;
  random_seed(&random, run->seed, client->number, index);
  uint32_t kind = random_weighted(&random, run->weights, workload_kind_count(workload));
  client->tally = run_tally(run, client, kind);
  client->index = index;
  for (uint64_t attempt = 0;; attempt++) {
    if (!client_begin(client)) {
      run_stop(run);
      return;
    }
    client->random = random;
    bool wants_commit = workload->kinds[kind].run(client, &run->scale);
    if (wants_commit) run_ledger(client);
    Finish finish = client_finish(client, wants_commit && !client->failure);
    if (finish != FINISH_REFUSED || attempt == run->retries || !run_goes_on(run)) return;
    client->tally->retried++;
  }
}

static void run_share_of_kinds(Run *run, Client *client) {
  uint64_t share = run_share(run, client);
  for (uint64_t index = 1; (!run->transactions || index <= share) && run_goes_on(run); index++) {
    if (run->faults) faults_cross(run->faults, client);
    run_transaction(run, client, index);
  }
}

typedef struct ClientThread {
  pthread_t thread;
  Run *run;
  Client *client;
} ClientThread;

static void *client_main(void *argument) {
  ClientThread *thread = argument;
  Run *run = thread->run;
  (run->workload->drive ? run->workload->drive : run_share_of_kinds)(run, thread->client);
  return NULL;
}

void run_clients(Run *run, Client *clients) {
  ClientThread *threads = memory_new(run->client_count * sizeof *threads);
  interrupt_watch();
  for (uint32_t i = 0; i < run->client_count; i++) {
    threads[i] = (ClientThread){.run = run, .client = &clients[i]};
    if (pthread_create(&threads[i].thread, NULL, client_main, &threads[i])) fatal("cannot start a thread");
  }
  for (uint32_t i = 0; i < run->client_count; i++) pthread_join(threads[i].thread, NULL);
  free(threads);
}
