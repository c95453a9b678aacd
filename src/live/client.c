/* client.c: transactions on one connection, recorded as a client sees them.
 *
 * C1  A transaction's line is written only when its end is known, or known to be unknown (finish.c).
 * C2  `start` is the interval of its first statement, `commit` that of COMMIT; BEGIN takes no snapshot.
 * C3  In MariaDB a definition commits what came before it and is a transaction of its own, which commits
 * while the statement runs. */
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

int64_t recorder_now(const Recorder *recorder) { return client_clock() - recorder->begun; }

/* ---- the connection ---- */

static bool client_prepare(Client *client, const char *format, const char *name, Diag *diag) {
  if (!format || !name) return true;
  Reply reply;
  driver_run(client->connection, &client->arena, arena_format(&client->arena, format, name), &reply);
  return !reply.error || diag_fail(diag, PLACE_NONE, "%s: %s", client->recorder->url, reply.message);
}

void client_disconnect(Client *client) {
  atomic_store(&client->backend, 0);
  if (client->connection) client->recorder->driver->close(client->connection);
  client->connection = NULL;
}

static bool client_connect(Client *client, Diag *diag) {
  Recorder *recorder = client->recorder;
  client->connection = recorder->driver->open(recorder->url, diag);
  if (!client->connection) return false;
  client->dialect = client->connection->dialect;
  client->session++;
  bool is_good = client_prepare(client, recorder->driver->space_use, recorder->space, diag) &&
                 client_prepare(client, recorder->driver->level_set, recorder->level, diag) &&
                 (!recorder->greet || recorder->greet(recorder->greet_context, client, diag));
  if (!is_good)
    client_disconnect(client);
  else if (recorder->driver->number)
    atomic_store(&client->backend, recorder->driver->number(client->connection));
  return is_good;
}

bool client_reconnect(Client *client, Diag *diag) {
  int64_t end = client_clock() + client->recorder->patience;
  while (!client->connection) {
    *diag = (Diag){0};
    if (client_connect(client, diag)) break;
    if (client_clock() >= end) return false;
    usleep(20000);
  }
  return true;
}

bool client_open(Client *client, Recorder *recorder, uint32_t number, Diag *diag) {
  *client = (Client){.recorder = recorder, .number = number};
  arena_init(&client->arena);
  return client_connect(client, diag);
}

void client_close(Client *client) {
  client_disconnect(client);
  arena_free(&client->arena);
}

/* ---- a transaction ---- */

/* The first connection has the client's number, later ones count on. */
static const char *session_name(Client *client) {
  if (client->session == 1) return arena_format(&client->arena, "%u", client->number);
  return arena_format(&client->arena, "%u.%u", client->number, client->session);
}

static void transaction_reset(Client *client) {
  const Recorder *recorder = client->recorder;
  Arena *arena = &client->arena;
  unsigned long long sequence = client->sequence;
  client->operations.items = NULL;
  client->operations.count = client->operations.room = 0;
  client->sent = 0;
  client->failure = NULL;
  client->is_dead = client->is_alone = false;
  client->begun = client_clock();
  client->transaction = (Transaction){
      .name = recorder->is_named_by_client ? arena_format(arena, "%u-%llu", client->number, sequence)
                                           : arena_format(arena, "%llu", sequence),
      .session = recorder->is_named_by_client ? session_name(client) : NULL,
  };
}

static bool client_say(Client *client, const char *sql, Reply *reply) {
  driver_run(client->connection, &client->arena, sql, reply);
  return !reply->error;
}

/* BEGIN, on a new connection where the old one is no good any more.  A new one that does not know BEGIN
 * either is given up only when patience ends. */
static bool client_start(Client *client) {
  int64_t end = client_clock() + client->recorder->patience;
  Reply reply;
  for (int tries = 0; tries < 2 || client_clock() < end; tries++) {
    if (!client_reconnect(client, &(Diag){0})) return false;
    transaction_reset(client);
    if (client_say(client, "BEGIN", &reply)) return true;
    client_disconnect(client);
  }
  return false;
}

bool client_begin(Client *client) {
  arena_clear(&client->arena);
  client->sequence++;
  return client_start(client);
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
  client->sent++;
  if (!client->recorder->writer) return;
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
    operation.params[i].value = observe_param(&client->arena, client->dialect, request->params[i]);
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
  if (recorder->delay && client->sent) usleep(recorder->delay);
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
  Request request = request_build(&client->arena, client->dialect, client->recorder->has_literals, sql,
                                  (uint32_t)strlen(letters), values);
  return client_perform(client, &request);
}

static bool commits_around(const Client *client, const char *sql) {
  DialectName dialect = client->dialect;
  return (dialect == DIALECT_MARIADB || dialect == DIALECT_MYSQL) && request_is_definition(sql);
}

/* C3: also after a deadlock a script goes on in a new transaction. */
static bool client_restart(Client *client) {
  client->sequence++;
  return client_start(client);
}

const Reply *client_send(Client *client, const char *sql) {
  if (client->is_dead) {
    client_finish(client, false);
    if (!client_restart(client)) return &NO_REPLY;
  }
  if (!client->connection) return &NO_REPLY;
  bool is_alone = commits_around(client, sql);
  if (is_alone && client->sent) {
    client_finish(client, true);
    if (!client_restart(client)) return &NO_REPLY;
  }
  client->is_alone = is_alone;
  const char *copy = arena_text(&client->arena, sql, strlen(sql));
  const Reply *reply = client_perform(client, &(Request){.sql = copy});
  if (!is_alone || (client->is_dead && !reply->is_lost)) return reply;
  if (reply->is_lost)
    client_finish_unknown(client);
  else
    client_finish(client, true);
  return client_restart(client) ? reply : &NO_REPLY;
}
