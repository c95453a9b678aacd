/* finish.c: the end of a transaction: COMMIT or ROLLBACK, the evidence that comes with it, and its line.
 *
 * What the client did not learn is unknown: a COMMIT whose answer was lost.  A connection that was lost
 * before COMMIT was sent is an abort: no server commits without being told. */
#include "src/live/client.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static void tally_count(Client *client, Finish finish) {
  Tally *tally = client->tally;
  tally->finished[finish]++;
  if (finish == FINISH_COMMITTED)
    ARRAY_PUSH(&tally->microseconds, (uint32_t)((client_clock() - client->begun) / 1000));
  atomic_fetch_add(&client->recorder->done, 1);
}

/* One whole line, flushed: whoever kills the program loses only what was not finished. */
static Finish transaction_write(Client *client, Status status, Finish finish) {
  Recorder *recorder = client->recorder;
  if (!client->sent) return finish;
  tally_count(client, finish);
  if (!recorder->writer) return finish;
  Transaction *transaction = &client->transaction;
  transaction->status = status;
  transaction->operation_count = client->operations.count;
  transaction->operations = client->operations.items;
  pthread_mutex_lock(&recorder->lock);
  transcript_write_transaction(recorder->writer, transaction);
  transcript_flush(recorder->writer);
  pthread_mutex_unlock(&recorder->lock);
  return finish;
}

static Finish finish_rollback(Client *client) {
  Reply reply = {0};
  if (client->connection && !client->is_dead) {
    driver_run(client->connection, &client->arena, "ROLLBACK", &reply);
    if (reply.error) client_disconnect(client);
  }
  const Reply *failure = client->failure;
  Finish finish = !failure                                  ? FINISH_ABORTED
                  : failure->is_refused || failure->is_lost ? FINISH_REFUSED
                                                            : FINISH_FAILED;
  return transaction_write(client, STATUS_ABORTED, finish);
}

static Finish finish_unknown(Client *client) {
  client->transaction.commit.hi = INT64_MAX;
  client_disconnect(client);
  return transaction_write(client, STATUS_UNKNOWN, FINISH_UNKNOWN);
}

Finish client_finish_unknown(Client *client) {
  const Recorder *recorder = client->recorder;
  if (client->operations.count) {
    Operation *last = &client->operations.items[client->operations.count - 1];
    last->error = NULL; /* that it failed is not known either */
    if (recorder->has_times) client->transaction.commit = (Interval){true, last->start.lo, INT64_MAX};
  }
  return finish_unknown(client);
}

static void evidence_record(Client *client, const Evidence *evidence) {
  Transaction *transaction = &client->transaction;
  if (client->recorder->has_snapshots) {
    transaction->xid = evidence->xid;
    transaction->snapshot = evidence->snapshot;
  }
  if (!evidence->hint) return;
  const char *dash = strrchr(evidence->hint, '-');
  transaction->has_hint = true;
  transaction->hint = strtoll(dash ? dash + 1 : evidence->hint, NULL, 10);
}

/* A transaction of plain queries has no place among the commits. */
static bool transaction_only_reads(const Client *client) {
  for (uint32_t i = 0; i < client->operations.count; i++) {
    const char *sql = client->operations.items[i].sql;
    if (strncasecmp(sql + strspn(sql, " \t\r\n("), "SELECT", 6)) return false;
  }
  return true;
}

/* A snapshot belongs to a transaction only where all its statements share one. */
static EvidenceWish evidence_wish(const Client *client) {
  const Recorder *recorder = client->recorder;
  bool is_per_statement = recorder->level && !strcmp(recorder->level, "READ COMMITTED");
  return (EvidenceWish){recorder->has_snapshots || (recorder->has_hints && !transaction_only_reads(client)),
                        recorder->has_snapshots && !is_per_statement};
}

static void commit_send(Client *client, Reply *reply, Evidence *evidence) {
  const Recorder *recorder = client->recorder;
  atomic_store(&client->is_committing, true);
  if (recorder->driver->abandon && atomic_exchange(&client->shall_break_off, false)) {
    recorder->driver->abandon(client->connection, "COMMIT");
    *reply = (Reply){.error = "broken off", .message = "broken off", .is_lost = true};
  } else if (recorder->driver->commit) {
    recorder->driver->commit(client->connection, &client->arena, evidence_wish(client), reply, evidence);
  } else {
    driver_run(client->connection, &client->arena, "COMMIT", reply);
  }
  atomic_store(&client->is_committing, false);
}

/* From when to when the commit may have happened: C3. */
static Interval commit_interval(const Client *client, int64_t start, int64_t end) {
  if (!client->is_alone || !client->operations.count) return (Interval){true, start, end};
  const Operation *definition = &client->operations.items[client->operations.count - 1];
  return (Interval){true, definition->start.lo, definition->end.lo};
}

/* PostgreSQL answers the COMMIT of a transaction in which a statement failed with ROLLBACK. */
static Finish finish_commit(Client *client) {
  const Recorder *recorder = client->recorder;
  Reply reply;
  Evidence evidence = {0};
  if (recorder->delay && client->sent) usleep(recorder->delay);
  int64_t start = recorder_now(recorder);
  commit_send(client, &reply, &evidence);
  if (recorder->has_times)
    client->transaction.commit = commit_interval(client, start, recorder_now(recorder));
  if (reply.is_lost) return finish_unknown(client);
  if (reply.error || reply.ended_transaction) {
    client->transaction.commit.given = false;
    if (reply.error && !client->failure)
      client->failure = memcpy(ARENA_NEW(&client->arena, Reply), &reply, sizeof reply);
    if (reply.ended_transaction) client->is_dead = true;
    return finish_rollback(client);
  }
  evidence_record(client, &evidence);
  return transaction_write(client, STATUS_COMMITTED, FINISH_COMMITTED);
}

Finish client_finish(Client *client, bool wants_commit) {
  if (!wants_commit || client->is_dead || !client->connection) return finish_rollback(client);
  return finish_commit(client);
}
