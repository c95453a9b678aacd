/* driver_postgresql.c: PostgreSQL through libpq.
 *
 * Results come as text; the column's type tells what the text is.  Parameters are sent
 * untyped, so each takes the type of its context, as in a transcript. */
#include "src/live/driver.h"

#include "src/live/address.h"
#include "src/live/observe.h"

#ifndef ALIBI_POSTGRESQL

const Driver *driver_postgresql(void) { return NULL; }

#else

#include "src/base/decimal.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>

/* From the server's pg_type; they never change. */
enum {
  OID_BOOL = 16,
  OID_INT8 = 20,
  OID_INT2 = 21,
  OID_INT4 = 23,
  OID_OID = 26,
  OID_FLOAT4 = 700,
  OID_FLOAT8 = 701
};

typedef struct PostgresqlConnection {
  Connection base;
  PGconn *handle;    /* owned */
  bool has_evidence; /* its statements are prepared */
  bool has_no_times; /* of commits */
} PostgresqlConnection;

static void postgresql_close(Connection *connection) {
  PostgresqlConnection *self = (PostgresqlConnection *)connection;
  PQfinish(self->handle);
  free(self);
}

static void notice_ignore(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

static bool evidence_prepare(PostgresqlConnection *self);

static Connection *postgresql_open(const char *url, Diag *diag) {
  PostgresqlConnection *self = memory_new(sizeof *self);
  self->base = (Connection){driver_postgresql(), DIALECT_POSTGRESQL};
  self->handle = PQconnectdb(url);
  PQsetNoticeReceiver(self->handle, notice_ignore, NULL);
  if (PQstatus(self->handle) == CONNECTION_OK && PQsetClientEncoding(self->handle, "UTF8") == 0) {
    evidence_prepare(self);
    return &self->base;
  }
  address_fail(url, PQerrorMessage(self->handle), diag);
  postgresql_close(&self->base);
  return NULL;
}

static const char *param_text(Arena *arena, Value value) {
  switch (value.kind) {
  case VALUE_BOOL: return value.integer ? "true" : "false";
  case VALUE_INT: return arena_format(arena, "%lld", (long long)value.integer);
  case VALUE_DOUBLE: return arena_format(arena, "%.17g", value.real);
  case VALUE_TEXT: return arena_text(arena, value.text, value.length);
  case VALUE_DECIMAL:
  case VALUE_WIDE: {
    char text[DECIMAL_TEXT];
    return arena_text(arena, text, decimal_format(decimal_of(value), text));
  }
  default: return NULL;
  }
}

static Observed postgresql_cell(Arena *arena, const PGresult *result, int row, int column) {
  if (PQgetisnull(result, row, column)) return observe_null();
  const char *text = PQgetvalue(result, row, column);
  size_t length = (size_t)PQgetlength(result, row, column);
  switch (PQftype(result, column)) {
  case OID_BOOL: return observe_bool(*text == 't');
  case OID_INT2:
  case OID_INT4:
  case OID_INT8:
  case OID_OID: return observe_printed_int(arena, text, length);
  case OID_FLOAT4:
  case OID_FLOAT8: return observe_printed_double(arena, text, length);
  default: return observe_text(arena, text, length); /* numeric, text, dates, bytea as \x... */
  }
}

static void postgresql_rows(Arena *arena, const PGresult *result, Reply *reply) {
  uint32_t row_count = (uint32_t)PQntuples(result);
  reply->has_rows = true;
  reply->column_count = (uint32_t)PQnfields(result);
  reply->columns = ARENA_ARRAY(arena, const char *, reply->column_count);
  for (uint32_t i = 0; i < reply->column_count; i++) {
    const char *name = PQfname(result, (int)i);
    reply->columns[i] = arena_text(arena, name, strlen(name));
  }
  reply->result_count = 1;
  reply->results = ARENA_NEW(arena, ObservedRows);
  *reply->results = (ObservedRows){row_count, ARENA_ARRAY(arena, ObservedRow, row_count)};
  for (uint32_t row = 0; row < row_count; row++) {
    Observed *cells = ARENA_ARRAY(arena, Observed, reply->column_count);
    for (uint32_t i = 0; i < reply->column_count; i++)
      cells[i] = postgresql_cell(arena, result, (int)row, (int)i);
    reply->results->rows[row] = (ObservedRow){reply->column_count, cells};
  }
}

/* A command tag counts rows for SELECT too; only what changed rows is an affected count. */
static void postgresql_affected(PGresult *result, Reply *reply) {
  static const char *const tags[] = {"INSERT", "UPDATE", "DELETE", "MERGE"};
  const char *tag = PQcmdStatus(result);
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (!strncmp(tag, tags[i], strlen(tags[i]))) reply->has_affected = true;
  if (reply->has_affected) reply->affected = strtoll(PQcmdTuples(result), NULL, 10);
}

/* 40001 serialization failure, 40P01 deadlock, 55P03 lock not available, 57014 cancelled. */
static bool code_is_refusal(const char *code) {
  static const char *const refusals[] = {"40001", "40P01", "55P03", "57014"};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (!strcmp(code, refusals[i])) return true;
  return false;
}

static void postgresql_fail(PostgresqlConnection *self, Arena *arena, const PGresult *result, Reply *reply) {
  const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (!message) message = PQerrorMessage(self->handle);
  reply->is_lost = PQstatus(self->handle) != CONNECTION_OK;
  reply->error = code ? arena_text(arena, code, strlen(code)) : "connection lost";
  reply->message = arena_text(arena, message, strlen(message));
  reply->is_refused = code_is_refusal(reply->error);
}

static void postgresql_execute(Connection *connection, Arena *arena, const Request *request, Reply *reply) {
  PostgresqlConnection *self = (PostgresqlConnection *)connection;
  if (!strncasecmp(request->sql, "DEALLOCATE", 10) || !strncasecmp(request->sql, "DISCARD", 7))
    self->has_evidence = false;
  const char **params = ARENA_ARRAY(arena, const char *, request->param_count);
  for (uint32_t i = 0; i < request->param_count; i++) params[i] = param_text(arena, request->params[i]);
  PGresult *result =
      PQexecParams(self->handle, request->sql, (int)request->param_count, NULL, params, NULL, NULL, 0);
  switch (PQresultStatus(result)) {
  case PGRES_TUPLES_OK:
    postgresql_rows(arena, result, reply);
    postgresql_affected(result, reply);
    break;
  case PGRES_COMMAND_OK:
    postgresql_affected(result, reply);
    /* COMMIT of a block in which a statement failed answers ROLLBACK. */
    reply->ended_transaction = !strcmp(PQcmdStatus(result), "ROLLBACK");
    break;
  case PGRES_EMPTY_QUERY: break;
  default: postgresql_fail(self, arena, result, reply);
  }
  PQclear(result);
}

/* ---- COMMIT and its evidence ---- */

/* COMMIT travels between two statements that were prepared once, on one way.  The transaction's id outlives
 * COMMIT in a setting of the session, so that the commit's time can be asked for behind it.  An error ends
 * the way: a COMMIT that was refused has no time. */
static const char *const PREPARED[][2] = {
    {"alibi_xid",
     "SELECT set_config('alibi.xid', coalesce(pg_current_xact_id_if_assigned()::text, ''), false)"},
    {"alibi_snapshot", "SELECT set_config('alibi.xid', coalesce(pg_current_xact_id_if_assigned()::text, ''), "
                       "false), pg_current_snapshot()::text"},
    {"alibi_commit", "COMMIT"},
    {"alibi_hint", "SELECT (extract(epoch FROM pg_xact_commit_timestamp(nullif(current_setting('alibi.xid'), "
                   "'')::xid8::xid)) * 1000000)::bigint"},
};

static bool evidence_prepare(PostgresqlConnection *self) {
  for (size_t i = 0; !self->has_evidence && i < sizeof PREPARED / sizeof *PREPARED; i++) {
    PGresult *result = PQprepare(self->handle, PREPARED[i][0], PREPARED[i][1], 0, NULL);
    bool is_good = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    if (!is_good) return false;
  }
  return self->has_evidence = true;
}

static bool commit_send(PostgresqlConnection *self, bool has_snapshot) {
  PGconn *handle = self->handle;
  const char *evidence = has_snapshot ? "alibi_snapshot" : "alibi_xid";
  return PQenterPipelineMode(handle) && PQsendQueryPrepared(handle, evidence, 0, NULL, NULL, NULL, 0) &&
         PQsendQueryPrepared(handle, "alibi_commit", 0, NULL, NULL, NULL, 0) &&
         (self->has_no_times || PQsendQueryPrepared(handle, "alibi_hint", 0, NULL, NULL, NULL, 0)) &&
         PQpipelineSync(handle);
}

static const char *result_text(Arena *arena, const PGresult *result, int column) {
  if (PQntuples(result) != 1 || PQgetisnull(result, 0, column) || !PQgetlength(result, 0, column))
    return NULL;
  return arena_text(arena, PQgetvalue(result, 0, column), (size_t)PQgetlength(result, 0, column));
}

/* The result of one of the three; true: the commit is known. */
static bool commit_result(PostgresqlConnection *self, Arena *arena, const PGresult *result, bool is_known,
                          Reply *reply, Evidence *evidence) {
  switch (PQresultStatus(result)) {
  case PGRES_TUPLES_OK:
    if (is_known) {
      evidence->hint = result_text(arena, result, 0);
    } else {
      evidence->xid = result_text(arena, result, 0);
      if (PQnfields(result) > 1) evidence->snapshot = result_text(arena, result, 1);
    }
    return is_known;
  case PGRES_COMMAND_OK:
    reply->ended_transaction = !strcmp(PQcmdStatus((PGresult *)result), "ROLLBACK");
    return true;
  default:
    if (is_known)
      self->has_no_times = true; /* track_commit_timestamp is off */
    else
      postgresql_fail(self, arena, result, reply);
    return is_known;
  }
}

/* All results up to the end of the way, or of the connection. */
static bool commit_results(PostgresqlConnection *self, Arena *arena, Reply *reply, Evidence *evidence) {
  bool is_known = false, is_over = false;
  while (!is_over && PQstatus(self->handle) == CONNECTION_OK) {
    PGresult *result = PQgetResult(self->handle);
    if (!result) continue; /* between two statements */
    ExecStatusType status = PQresultStatus(result);
    is_over = status == PGRES_PIPELINE_SYNC;
    if (!is_over && status != PGRES_PIPELINE_ABORTED)
      is_known = commit_result(self, arena, result, is_known, reply, evidence);
    PQclear(result);
  }
  return is_known;
}

static void postgresql_commit(Connection *connection, Arena *arena, EvidenceWish wish, Reply *reply,
                              Evidence *evidence) {
  PostgresqlConnection *self = (PostgresqlConnection *)connection;
  if ((!wish.has_hint && !wish.has_snapshot) || !evidence_prepare(self)) {
    driver_run(connection, arena, "COMMIT", reply);
    return;
  }
  *reply = (Reply){0};
  bool is_known = commit_send(self, wish.has_snapshot) && commit_results(self, arena, reply, evidence);
  bool is_lost = PQstatus(self->handle) != CONNECTION_OK || !PQexitPipelineMode(self->handle);
  if (!is_known && (is_lost || !reply->error)) {
    if (!reply->error) reply->error = reply->message = "connection lost";
    reply->is_lost = true;
  }
  if (!wish.has_hint) evidence->hint = NULL;
}

/* ---- faults ---- */

static void postgresql_abandon(Connection *connection, const char *sql) {
  PostgresqlConnection *self = (PostgresqlConnection *)connection;
  PQsendQuery(self->handle, sql);
  shutdown(PQsocket(self->handle), SHUT_RDWR);
}

static uint64_t postgresql_number(Connection *connection) {
  return (uint64_t)PQbackendPID(((PostgresqlConnection *)connection)->handle);
}

static const Driver DRIVER = {
    .scheme = "postgresql",
    .is_server = true,
    .open = postgresql_open,
    .close = postgresql_close,
    .execute = postgresql_execute,
    .commit = postgresql_commit,
    .abandon = postgresql_abandon,
    .number = postgresql_number,
    .space_create = "CREATE SCHEMA %s",
    .space_use = "SET search_path = %s",
    .space_drop = "DROP SCHEMA %s CASCADE",
    .level_set = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL %s",
    .tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
    .snapshot_begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    .settings = "SELECT 'collation_database', datcollate FROM pg_database WHERE datname = current_database()",
    .cancel = "SELECT pg_cancel_backend(%llu)",
    .kill = "SELECT pg_terminate_backend(%llu)",
    .impatience = "SET deadlock_timeout = '20ms'",
};

const Driver *driver_postgresql(void) { return &DRIVER; }

#endif
