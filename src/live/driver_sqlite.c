/* driver_sqlite.c: an embedded SQLite: "sqlite:" in memory, "sqlite:FILE" in a file. */
#include "src/live/driver.h"

#include "src/live/address.h"
#include "src/live/observe.h"

#include "src/base/decimal.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

typedef struct SqliteConnection {
  Connection base;
  sqlite3 *handle; /* owned */
} SqliteConnection;

static void sqlite_close(Connection *connection) {
  SqliteConnection *self = (SqliteConnection *)connection;
  sqlite3_close(self->handle);
  free(self);
}

/* Another connection has the file locked: try again soon, for about two seconds.  Where waiting would be a
 * deadlock, SQLite does not ask. */
static int busy_wait(void *context, int tries) {
  (void)context;
  usleep(500);
  return tries < 4000;
}

static Connection *sqlite_open(const char *url, Diag *diag) {
  const char *file = strchr(url, ':') + 1;
  SqliteConnection *self = memory_new(sizeof *self);
  self->base = (Connection){driver_sqlite(), DIALECT_SQLITE};
  if (sqlite3_open(*file ? file : ":memory:", &self->handle) == SQLITE_OK) {
    sqlite3_extended_result_codes(self->handle, 1);
    sqlite3_busy_handler(self->handle, busy_wait, NULL);
    return &self->base;
  }
  address_fail(url, sqlite3_errmsg(self->handle), diag);
  sqlite_close(&self->base);
  return NULL;
}

/* SQLITE_ERROR says nothing more than that it failed; then the message is the better record. */
static void reply_fail(SqliteConnection *self, Arena *arena, Reply *reply) {
  int code = sqlite3_extended_errcode(self->handle);
  const char *message = sqlite3_errmsg(self->handle);
  reply->message = arena_text(arena, message, strlen(message));
  reply->is_refused = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
  reply->error = reply->is_refused      ? "busy"
                 : code == SQLITE_ERROR ? reply->message
                                        : arena_format(arena, "%d", code);
  reply->ended_transaction = sqlite3_get_autocommit(self->handle) != 0;
}

static int sqlite_bind(sqlite3_stmt *statement, int index, Value value) {
  switch (value.kind) {
  case VALUE_BOOL:
  case VALUE_INT: return sqlite3_bind_int64(statement, index, value.integer);
  case VALUE_DOUBLE: return sqlite3_bind_double(statement, index, value.real);
  case VALUE_DECIMAL:
  case VALUE_WIDE: return sqlite3_bind_double(statement, index, decimal_to_double(decimal_of(value)));
  case VALUE_TEXT: return sqlite3_bind_text(statement, index, value.text, (int)value.length, SQLITE_STATIC);
  default: return sqlite3_bind_null(statement, index);
  }
}

static Observed sqlite_cell(Arena *arena, sqlite3_stmt *statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
  case SQLITE_INTEGER: return observe_int(sqlite3_column_int64(statement, column));
  case SQLITE_FLOAT: return observe_double(arena, sqlite3_column_double(statement, column));
  case SQLITE_TEXT: {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return observe_text(arena, text, (size_t)sqlite3_column_bytes(statement, column));
  }
  case SQLITE_BLOB: {
    const void *bytes = sqlite3_column_blob(statement, column);
    return observe_bytes(arena, bytes, (size_t)sqlite3_column_bytes(statement, column));
  }
  default: return observe_null();
  }
}

static ObservedRow sqlite_row(Arena *arena, sqlite3_stmt *statement, uint32_t count) {
  ObservedRow row = {.count = count, .cells = arena_alloc(arena, count * sizeof(Observed))};
  for (uint32_t i = 0; i < count; i++) row.cells[i] = sqlite_cell(arena, statement, (int)i);
  return row;
}

/* Steps to the end; the last code. */
static int sqlite_step_all(Arena *arena, sqlite3_stmt *statement, Reply *reply) {
  ARRAY(ObservedRow) rows = {0};
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    ARENA_PUSH(arena, &rows, sqlite_row(arena, statement, reply->column_count));
  reply->results = ARENA_NEW(arena, ObservedRows);
  *reply->results = (ObservedRows){rows.count, rows.items};
  return code;
}

static void sqlite_columns(Arena *arena, sqlite3_stmt *statement, Reply *reply) {
  reply->column_count = (uint32_t)sqlite3_column_count(statement);
  reply->columns = ARENA_ARRAY(arena, const char *, reply->column_count);
  for (uint32_t i = 0; i < reply->column_count; i++) {
    const char *name = sqlite3_column_name(statement, (int)i);
    reply->columns[i] = arena_text(arena, name, strlen(name));
  }
}

/* sqlite3_changes speaks of the last INSERT, UPDATE or DELETE, whenever that was. */
static bool statement_counts(sqlite3_stmt *statement) {
  static const char *const words[] = {"INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"};
  if (sqlite3_stmt_readonly(statement)) return false;
  const char *sql = sqlite3_sql(statement) + strspn(sqlite3_sql(statement), " \t\r\n");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strncasecmp(sql, words[i], strlen(words[i]))) return true;
  return false;
}

static void sqlite_execute(Connection *connection, Arena *arena, const Request *request, Reply *reply) {
  SqliteConnection *self = (SqliteConnection *)connection;
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(self->handle, request->sql, -1, &statement, NULL) != SQLITE_OK) {
    reply_fail(self, arena, reply);
    return;
  }
  if (!statement) return; /* nothing but a comment */
  for (uint32_t i = 0; i < request->param_count; i++) {
    int code = sqlite_bind(statement, (int)i + 1, request->params[i]);
    if (code != SQLITE_OK) fatal("sqlite: cannot bind parameter %u of: %s", i + 1, request->sql);
  }
  sqlite_columns(arena, statement, reply);
  if (sqlite_step_all(arena, statement, reply) != SQLITE_DONE) {
    reply_fail(self, arena, reply);
  } else {
    reply->has_rows = reply->column_count > 0;
    reply->result_count = reply->has_rows;
    reply->has_affected = statement_counts(statement);
    reply->affected = sqlite3_changes64(self->handle);
  }
  sqlite3_finalize(statement);
}

static const Driver DRIVER = {
    .scheme = "sqlite",
    .open = sqlite_open,
    .close = sqlite_close,
    .execute = sqlite_execute,
    .snapshot_begin = "BEGIN",
    .tables =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    .settings = "SELECT 'foreign_key_checks', foreign_keys FROM pragma_foreign_keys",
};

const Driver *driver_sqlite(void) { return &DRIVER; }

/* Each bit disables one optimization. */
void driver_sqlite_optimize(Connection *connection, bool optimizes) {
  SqliteConnection *self = (SqliteConnection *)connection;
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, self->handle, optimizes ? 0u : ~0u);
}
