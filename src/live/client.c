/* client.c: transactions on one connection, recorded as a client sees them.
 *
 * C1  A transaction's line is written only when its end is known, or known to be unknown.
 * C2  `start` is the interval of its first statement, `commit` that of COMMIT; BEGIN takes no snapshot.
 * C3  In MariaDB a definition commits what came before it and is a transaction of its own. */
#include "src/live/client.h"

#include "src/live/observe.h"
#include "src/live/request.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int64_t client_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t recorder_now(const Recorder *recorder) { return client_clock() - recorder->begun; }

/* ---- the connection ---- */

static bool client_prepare(Client *client, const char *format, const char *name, Diag *diag) {
  if (!format || !name) return true;
  Reply reply;
  driver_run(client->connection, &client->arena, arena_format(&client->arena, format, name), &reply);
  return !reply.error || diag_fail(diag, PLACE_NONE, "%s: %s", client->recorder->url, reply.message);
}

static bool client_connect(Client *client, Diag *diag) {
  Recorder *recorder = client->recorder;
  client->connection = recorder->driver->open(recorder->url, diag);
  if (!client->connection) return false;
  return client_prepare(client, recorder->driver->space_use, recorder->space, diag) &&
         client_prepare(client, recorder->driver->level_set, recorder->level, diag);
}

bool client_open(Client *client, Recorder *recorder, uint32_t number, Diag *diag) {
  *client = (Client){.recorder = recorder, .number = number};
  arena_init(&client->arena);
  return client_connect(client, diag);
}

static void client_disconnect(Client *client) {
  if (client->connection) client->recorder->driver->close(client->connection);
  client->connection = NULL;
}

void client_close(Client *client) {
  client_disconnect(client);
  arena_free(&client->arena);
  free(client->last_hint);
}

/* ---- a transaction ---- */

static void transaction_reset(Client *client) {
  const Recorder *recorder = client->recorder;
  Arena *arena = &client->arena;
  unsigned long long sequence = ++client->sequence;
  client->operations.items = NULL;
  client->operations.count = client->operations.room = 0;
  client->failure = NULL;
  client->is_dead = false;
  client->begun = client_clock();
  client->transaction = (Transaction){
      .name = recorder->is_named_by_client ? arena_format(arena, "%u-%llu", client->number, sequence)
                                           : arena_format(arena, "%llu", sequence),
      .session = recorder->is_named_by_client ? arena_format(arena, "%u", client->number) : NULL,
  };
}

static bool client_say(Client *client, const char *sql, Reply *reply) {
  driver_run(client->connection, &client->arena, sql, reply);
  return !reply->error;
}

bool client_begin(Client *client) {
  Reply reply;
  Diag diag = {0};
  arena_clear(&client->arena);
  transaction_reset(client);
  if (!client->connection && !client_connect(client, &diag)) return false;
  if (client_say(client, "BEGIN", &reply)) return true;
  client_disconnect(client);
  return client_connect(client, &diag) && client_say(client, "BEGIN", &reply);
}

static const Reply NO_REPLY = {.error = "not sent", .message = "not sent"};

/* What a transcript cannot hold was not observed. */
static bool reply_has_rows(const Reply *reply) {
  if (!reply->has_rows || reply->error) return false;
  for (uint32_t i = 0; i < reply->result_count; i++)
    if (!observe_is_writable(&reply->results[i])) return false;
  return true;
}

static void operation_record(Client *client, const Request *request, const Reply *reply, int64_t start,
                             int64_t end) {
  bool has_rows = reply_has_rows(reply);
  Operation operation = {
      .kind = OPERATION_SQL,
      .sql = request->sql,
      .sql_length = (uint32_t)strlen(request->sql),
      .param_count = request->param_count,
      .params = ARENA_ARRAY(&client->arena, NamedParam, request->param_count),
      .has_rows = has_rows,
      .has_results = has_rows && reply->result_count > 1,
      .result_count = reply->result_count,
      .results = reply->results,
      .has_affected = reply->has_affected && !reply->error,
      .affected = reply->affected,
      .error = reply->error,
  };
  for (uint32_t i = 0; i < request->param_count; i++)
    operation.params[i].value =
        observe_param(&client->arena, client->connection->dialect, request->params[i]);
  if (client->recorder->has_times) {
    operation.start = (Interval){true, start, start};
    operation.end = (Interval){true, end, end};
    if (!client->operations.count) client->transaction.start = (Interval){true, start, end}; /* C2 */
  }
  ARENA_PUSH(&client->arena, &client->operations, operation);
}

static const Reply *client_perform(Client *client, const Request *request) {
  const Recorder *recorder = client->recorder;
  Reply *reply = ARENA_NEW(&client->arena, Reply);
  if (recorder->delay && client->operations.count) usleep(recorder->delay);
  int64_t start = recorder_now(recorder);
  recorder->driver->execute(client->connection, &client->arena, request, reply);
  operation_record(client, request, reply, start, recorder_now(recorder));
  if (!reply->error) return reply;
  if (!client->failure) client->failure = reply;
  if (reply->ended_transaction || reply->is_lost) client->is_dead = true;
  if (reply->is_lost) client_disconnect(client);
  return reply;
}

const Reply *client_execute(Client *client, const char *sql, const char *letters, ...) {
  if (client->failure) return &NO_REPLY;
  va_list arguments;
  va_start(arguments, letters);
  const Value *values = request_values(&client->arena, letters, arguments);
  va_end(arguments);
  Request request = request_build(&client->arena, client->connection->dialect, client->recorder->has_literals,
                                  sql, (uint32_t)strlen(letters), values);
  return client_perform(client, &request);
}

static bool commits_around(const Client *client, const char *sql) {
  DialectName dialect = client->connection->dialect;
  return (dialect == DIALECT_MARIADB || dialect == DIALECT_MYSQL) && request_is_definition(sql);
}

/* C3: also after a deadlock a script goes on in a new transaction. */
static bool client_restart(Client *client) {
  Reply reply;
  transaction_reset(client);
  if (!client->connection && !client_connect(client, &(Diag){0})) return false;
  return client_say(client, "BEGIN", &reply);
}

const Reply *client_send(Client *client, const char *sql) {
  if (client->is_dead) {
    client_finish(client, false);
    if (!client_restart(client)) return &NO_REPLY;
  }
  bool is_alone = commits_around(client, sql);
  if (is_alone && client->operations.count) {
    client_finish(client, true);
    if (!client_restart(client)) return &NO_REPLY;
  }
  const char *copy = arena_text(&client->arena, sql, strlen(sql));
  const Reply *reply = client_perform(client, &(Request){.sql = copy});
  if (!is_alone || client->is_dead) return reply;
  client_finish(client, true);
  return client_restart(client) ? reply : &NO_REPLY;
}

/* ---- the end of a transaction ---- */

/* Where the database gives a transaction an id, hints ask for it by that. */
static void evidence_take(Client *client) {
  const Recorder *recorder = client->recorder;
  if (!recorder->driver->evidence || !(recorder->has_hints || recorder->has_snapshots)) return;
  Reply reply;
  if (!client_say(client, recorder->driver->evidence, &reply)) return;
  const char *xid = reply_text(&client->arena, &reply, 0, 0);
  if (*xid) client->transaction.xid = xid;
  if (recorder->has_snapshots) client->transaction.snapshot = reply_text(&client->arena, &reply, 0, 1);
}

/* A GTID "0-1-57" counts in its last part.  One that was seen before belongs to an earlier transaction:
 * this one wrote nothing. */
static void hint_take_text(Client *client, const char *text) {
  if (!*text || (client->last_hint && !strcmp(text, client->last_hint))) return;
  free(client->last_hint);
  client->last_hint = strdup(text);
  const char *dash = strrchr(text, '-');
  client->transaction.has_hint = true;
  client->transaction.hint = strtoll(dash ? dash + 1 : text, NULL, 10);
}

static void hint_take(Client *client) {
  const char *format = client->recorder->driver->hint;
  const char *xid = client->transaction.xid;
  if (!client->recorder->has_hints || !format || (strstr(format, "%s") && !xid)) return;
  Reply reply;
  if (!client_say(client, arena_format(&client->arena, format, xid), &reply)) return;
  hint_take_text(client, reply_text(&client->arena, &reply, 0, 0));
}

void client_ready(Client *client) {
  client->transaction.xid = NULL;
  hint_take(client);
  arena_clear(&client->arena);
}

static void tally_count(Client *client, Finish finish) {
  Tally *tally = client->tally;
  tally->finished[finish]++;
  if (finish == FINISH_COMMITTED)
    ARRAY_PUSH(&tally->microseconds, (uint32_t)((client_clock() - client->begun) / 1000));
  atomic_fetch_add(&client->recorder->done, 1);
}

static Finish transaction_write(Client *client, Status status, Finish finish) {
  Recorder *recorder = client->recorder;
  if (!client->operations.count) return finish;
  tally_count(client, finish);
  Transaction *transaction = &client->transaction;
  transaction->status = status;
  transaction->operation_count = client->operations.count;
  transaction->operations = client->operations.items;
  if (!recorder->has_snapshots) transaction->xid = NULL;
  pthread_mutex_lock(&recorder->lock);
  transcript_write_transaction(recorder->writer, transaction);
  if (recorder->driver->is_concurrent) transcript_flush(recorder->writer);
  pthread_mutex_unlock(&recorder->lock);
  return finish;
}

static Finish finish_rollback(Client *client) {
  Reply reply = {0};
  if (client->connection && !client->is_dead && !client_say(client, "ROLLBACK", &reply))
    client_disconnect(client);
  const Reply *failure = client->failure;
  Finish finish = !failure                                  ? FINISH_ABORTED
                  : failure->is_refused || failure->is_lost ? FINISH_REFUSED
                                                            : FINISH_FAILED;
  return transaction_write(client, STATUS_ABORTED, finish);
}

static Finish finish_commit(Client *client) {
  Recorder *recorder = client->recorder;
  Reply reply;
  evidence_take(client);
  int64_t start = recorder_now(recorder);
  bool is_done = client_say(client, "COMMIT", &reply);
  if (recorder->has_times) client->transaction.commit = (Interval){true, start, recorder_now(recorder)};
  if (reply.is_lost) {
    client->transaction.commit.hi = INT64_MAX;
    client_disconnect(client);
    return transaction_write(client, STATUS_UNKNOWN, FINISH_UNKNOWN);
  }
  if (!is_done || reply.ended_transaction) {
    client->transaction.commit.given = false;
    if (!is_done && !client->failure)
      client->failure = memcpy(ARENA_NEW(&client->arena, Reply), &reply, sizeof reply);
    return finish_rollback(client);
  }
  hint_take(client);
  return transaction_write(client, STATUS_COMMITTED, FINISH_COMMITTED);
}

Finish client_finish(Client *client, bool wants_commit) {
  if (!wants_commit || client->is_dead || !client->connection) return finish_rollback(client);
  return finish_commit(client);
}
