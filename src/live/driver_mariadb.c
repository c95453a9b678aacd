/* driver_mariadb.c: MariaDB and MySQL through libmariadb.
 *
 * Statements without parameters go as text, the others are prepared once per text and
 * connection.  Either way the field's type tells what a value is: text results are read by
 * it, prepared ones are fetched as doubles, or as text. */
#include "src/live/driver.h"
#include "src/live/observe.h"

#ifndef ALIBI_MARIADB

const Driver *driver_mariadb(void) { return NULL; }

#else

#include "src/base/decimal.h"
#include "src/base/map.h"
#include "src/live/address.h"

#include <errmsg.h>
#include <mysql.h>
#include <strings.h>
#include <sys/socket.h>

enum {
  CHARSET_BINARY = 63,
  CODE_DEADLOCK = 1213,
  CODE_CHANGED = 1020,
  CODE_LOCK_TIMEOUT = 1205,
  CODE_CANCELLED = 1317,
  CODE_SHUTDOWN = 1053,
  CODE_KILLED = 1927
};

typedef struct MariadbConnection {
  Connection base;
  MYSQL *handle; /* owned */
  Map prepared;  /* text -> MYSQL_STMT, owned by the handle */
  char gtid[80]; /* the newest that the server told */
  bool has_gtid; /* told since the last COMMIT */
} MariadbConnection;

static void mariadb_close(Connection *connection) {
  MariadbConnection *self = (MariadbConnection *)connection;
  for (uint32_t i = 0; i < self->prepared.room; i++)
    if (self->prepared.slots[i].value) mysql_stmt_close(self->prepared.slots[i].value);
  map_free(&self->prepared);
  mysql_close(self->handle);
  free(self);
}

static Connection *mariadb_open(const char *url, Diag *diag) {
  Arena arena;
  arena_init(&arena);
  Address address = address_parse(&arena, url);
  MariadbConnection *self = memory_new(sizeof *self);
  self->handle = mysql_init(NULL);
  map_init(&self->prepared);
  mysql_options(self->handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  MYSQL *connected =
      mysql_real_connect(self->handle, address.host, address.user, address.password, address.database,
                         address.port, address.socket, CLIENT_MULTI_RESULTS | CLIENT_SESSION_TRACKING);
  arena_free(&arena);
  if (connected) {
    mysql_query(self->handle,
                "SET session_track_system_variables = 'last_gtid'"); /* MySQL has no such thing */
    bool is_mariadb = strstr(mysql_get_server_info(self->handle), "MariaDB") != NULL;
    self->base = (Connection){driver_mariadb(), is_mariadb ? DIALECT_MARIADB : DIALECT_MYSQL};
    return &self->base;
  }
  address_fail(url, mysql_error(self->handle), diag);
  mariadb_close(&self->base);
  return NULL;
}

/* The server's word that it ends the connection, and whatever the client library says by itself, if only by
 * failing without a word: what became of the statement is not known. */
static bool code_is_loss(unsigned code) {
  return !code || code == CODE_SHUTDOWN || code == CODE_KILLED ||
         (code >= CR_MIN_ERROR && code <= CR_MAX_ERROR) || (code >= CER_MIN_ERROR && code <= CER_MAX_ERROR);
}

static void mariadb_fail(Arena *arena, unsigned code, const char *message, Reply *reply) {
  reply->error = arena_format(arena, "%u", code);
  reply->message = arena_text(arena, message, strlen(message));
  reply->is_lost = code_is_loss(code);
  reply->ended_transaction = code == CODE_DEADLOCK || code == CODE_CHANGED;
  reply->is_refused = reply->ended_transaction || code == CODE_LOCK_TIMEOUT || code == CODE_CANCELLED;
}

static bool field_is_bytes(const MYSQL_FIELD *field) {
  switch (field->type) {
  case MYSQL_TYPE_TINY_BLOB:
  case MYSQL_TYPE_MEDIUM_BLOB:
  case MYSQL_TYPE_LONG_BLOB:
  case MYSQL_TYPE_BLOB:
  case MYSQL_TYPE_STRING:
  case MYSQL_TYPE_VAR_STRING:
  case MYSQL_TYPE_VARCHAR: return field->charsetnr == CHARSET_BINARY;
  default: return false;
  }
}

static Observed bits_cell(const char *bytes, size_t length) {
  uint64_t bits = 0;
  for (size_t i = 0; i < length; i++) bits = bits << 8 | (unsigned char)bytes[i];
  return observe_uint(bits);
}

static Observed mariadb_cell(Arena *arena, const MYSQL_FIELD *field, const char *text, size_t length) {
  if (!text) return observe_null();
  switch (field->type) {
  case MYSQL_TYPE_TINY:
  case MYSQL_TYPE_SHORT:
  case MYSQL_TYPE_INT24:
  case MYSQL_TYPE_LONG:
  case MYSQL_TYPE_LONGLONG:
  case MYSQL_TYPE_YEAR: return observe_printed_int(arena, text, length);
  case MYSQL_TYPE_FLOAT:
  case MYSQL_TYPE_DOUBLE: return observe_printed_double(arena, text, length);
  case MYSQL_TYPE_BIT: return bits_cell(text, length);
  default:
    return field_is_bytes(field) ? observe_bytes(arena, text, length) : observe_text(arena, text, length);
  }
}

static void mariadb_columns(Arena *arena, MYSQL_RES *set, Reply *reply) {
  if (reply->result_count) return; /* only of the first set */
  const MYSQL_FIELD *fields = mysql_fetch_fields(set);
  reply->column_count = mysql_num_fields(set);
  reply->columns = ARENA_ARRAY(arena, const char *, reply->column_count);
  for (uint32_t i = 0; i < reply->column_count; i++)
    reply->columns[i] = arena_text(arena, fields[i].name, fields[i].name_length);
}

static void reply_push(Arena *arena, Reply *reply, ObservedRows rows) {
  ObservedRows *results = ARENA_ARRAY(arena, ObservedRows, reply->result_count + 1);
  if (reply->result_count) memcpy(results, reply->results, reply->result_count * sizeof *results);
  results[reply->result_count++] = rows;
  reply->results = results;
  reply->has_rows = true;
}

/* ---- statements as text ---- */

static void text_rows(Arena *arena, MYSQL_RES *set, Reply *reply) {
  uint32_t columns = mysql_num_fields(set);
  const MYSQL_FIELD *fields = mysql_fetch_fields(set);
  ARRAY(ObservedRow) rows = {0};
  MYSQL_ROW row;
  mariadb_columns(arena, set, reply);
  while ((row = mysql_fetch_row(set))) {
    unsigned long *lengths = mysql_fetch_lengths(set);
    ObservedRow cells = {columns, ARENA_ARRAY(arena, Observed, columns)};
    for (uint32_t i = 0; i < columns; i++)
      cells.cells[i] = mariadb_cell(arena, &fields[i], row[i], lengths[i]);
    ARENA_PUSH(arena, &rows, cells);
  }
  reply_push(arena, reply, (ObservedRows){rows.count, rows.items});
}

/* The server tells a new GTID with the answer to what made it: COMMIT, or a definition. */
static void gtid_take(MariadbConnection *self) {
  const char *name, *gtid;
  size_t name_length, length;
  if (mysql_session_track_get_first(self->handle, SESSION_TRACK_SYSTEM_VARIABLES, &name, &name_length))
    return;
  if (name_length != strlen("last_gtid") || strncmp(name, "last_gtid", name_length)) return;
  if (mysql_session_track_get_next(self->handle, SESSION_TRACK_SYSTEM_VARIABLES, &gtid, &length)) return;
  if (length >= sizeof self->gtid || (strlen(self->gtid) == length && !strncmp(gtid, self->gtid, length)))
    return;
  memcpy(self->gtid, gtid, length);
  self->gtid[length] = 0;
  self->has_gtid = true;
}

/* mysql_next_result says -1 where nothing is left, mysql_real_query where it fails. */
static void text_execute(MariadbConnection *self, Arena *arena, const Request *request, Reply *reply) {
  int code = mysql_real_query(self->handle, request->sql, strlen(request->sql)) ? 1 : 0;
  while (code == 0) {
    MYSQL_RES *set = mysql_store_result(self->handle);
    if (set) {
      text_rows(arena, set, reply);
      mysql_free_result(set);
    } else if (mysql_field_count(self->handle) > 0) {
      break; /* the rows were lost on the way */
    } else {
      reply->affected = (int64_t)mysql_affected_rows(self->handle);
      gtid_take(self);
    }
    code = mysql_next_result(self->handle);
  }
  if (code != -1) mariadb_fail(arena, mysql_errno(self->handle), mysql_error(self->handle), reply);
}

/* ---- prepared statements ---- */

static void param_bind(Arena *arena, Value value, MYSQL_BIND *bind) {
  char text[DECIMAL_TEXT];
  switch (value.kind) {
  case VALUE_BOOL:
  case VALUE_INT:
    bind->buffer_type = MYSQL_TYPE_LONGLONG;
    bind->buffer = memcpy(arena_alloc(arena, sizeof value.integer), &value.integer, sizeof value.integer);
    break;
  case VALUE_DOUBLE:
    bind->buffer_type = MYSQL_TYPE_DOUBLE;
    bind->buffer = memcpy(arena_alloc(arena, sizeof value.real), &value.real, sizeof value.real);
    break;
  case VALUE_DECIMAL:
  case VALUE_WIDE:
    bind->buffer_type = MYSQL_TYPE_NEWDECIMAL;
    bind->buffer_length = decimal_format(decimal_of(value), text);
    bind->buffer = arena_text(arena, text, bind->buffer_length);
    break;
  case VALUE_TEXT:
    bind->buffer_type = MYSQL_TYPE_STRING;
    bind->buffer_length = value.length;
    bind->buffer = (void *)value.text;
    break;
  default: bind->buffer_type = MYSQL_TYPE_NULL;
  }
  bind->length_value = bind->buffer_length;
  bind->length = &bind->length_value;
}

/* The value's full length is known only after the row was fetched into no room at all. */
static Observed fetch_cell(Arena *arena, MYSQL_STMT *statement, const MYSQL_FIELD *field, unsigned column,
                           unsigned long length) {
  MYSQL_BIND bind = {.buffer_type = MYSQL_TYPE_STRING};
  double real = 0;
  float single = 0;
  if (field->type == MYSQL_TYPE_DOUBLE) {
    bind = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DOUBLE, .buffer = &real};
    mysql_stmt_fetch_column(statement, &bind, column, 0);
    return observe_double(arena, real);
  }
  if (field->type == MYSQL_TYPE_FLOAT) {
    bind = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_FLOAT, .buffer = &single};
    mysql_stmt_fetch_column(statement, &bind, column, 0);
    return observe_single(arena, single);
  }
  bind.buffer_length = length + 1;
  bind.buffer = arena_zero(arena, length + 1);
  mysql_stmt_fetch_column(statement, &bind, column, 0);
  return mariadb_cell(arena, field, bind.buffer, length);
}

typedef struct FetchedLength {
  unsigned long length;
  my_bool is_null;
} FetchedLength;

static void prepared_rows(Arena *arena, MYSQL_STMT *statement, MYSQL_RES *set, Reply *reply) {
  uint32_t columns = mysql_num_fields(set);
  const MYSQL_FIELD *fields = mysql_fetch_fields(set);
  MYSQL_BIND *binds = ARENA_ARRAY(arena, MYSQL_BIND, columns);
  FetchedLength *fetched = ARENA_ARRAY(arena, FetchedLength, columns);
  ARRAY(ObservedRow) rows = {0};
  mariadb_columns(arena, set, reply);
  for (uint32_t i = 0; i < columns; i++)
    binds[i] = (MYSQL_BIND){
        .buffer_type = MYSQL_TYPE_STRING, .length = &fetched[i].length, .is_null = &fetched[i].is_null};
  mysql_stmt_bind_result(statement, binds);
  for (int code; (code = mysql_stmt_fetch(statement)) == 0 || code == MYSQL_DATA_TRUNCATED;) {
    ObservedRow row = {columns, ARENA_ARRAY(arena, Observed, columns)};
    for (uint32_t i = 0; i < columns; i++)
      row.cells[i] = fetched[i].is_null ? observe_null()
                                        : fetch_cell(arena, statement, &fields[i], i, fetched[i].length);
    ARENA_PUSH(arena, &rows, row);
  }
  reply_push(arena, reply, (ObservedRows){rows.count, rows.items});
}

static MYSQL_STMT *prepare_once(MariadbConnection *self, const char *sql) {
  MYSQL_STMT *statement = map_find(&self->prepared, sql);
  if (statement) return statement;
  statement = mysql_stmt_init(self->handle);
  if (!statement) fatal("mariadb: out of memory");
  if (mysql_stmt_prepare(statement, sql, strlen(sql))) {
    mysql_stmt_close(statement); /* the error stays readable on the connection */
    return NULL;
  }
  map_put_copy(&self->prepared, sql, strlen(sql), statement);
  return statement;
}

/* The result sets of an executed statement, and the count at the end: 0, or an error was told. */
static int prepared_results(MariadbConnection *self, Arena *arena, MYSQL_STMT *statement, Reply *reply) {
  int code;
  do {
    MYSQL_RES *set = mysql_stmt_result_metadata(statement);
    if (!set) {
      reply->affected = (int64_t)mysql_stmt_affected_rows(statement);
    } else if (mysql_stmt_store_result(statement) == 0) {
      prepared_rows(arena, statement, set, reply);
      mysql_free_result(set);
    } else { /* an error that comes between the rows is told by the connection only */
      mariadb_fail(arena, mysql_errno(self->handle), mysql_error(self->handle), reply);
      mysql_free_result(set);
      return 1;
    }
    mysql_stmt_free_result(statement);
  } while ((code = mysql_stmt_next_result(statement)) == 0);
  if (code == -1) return 0;
  mariadb_fail(arena, mysql_stmt_errno(statement), mysql_stmt_error(statement), reply);
  return 1;
}

static void prepared_execute(MariadbConnection *self, Arena *arena, const Request *request, Reply *reply) {
  MYSQL_STMT *statement = prepare_once(self, request->sql);
  if (!statement) {
    mariadb_fail(arena, mysql_errno(self->handle), mysql_error(self->handle), reply);
    return;
  }
  MYSQL_BIND *binds = ARENA_ARRAY(arena, MYSQL_BIND, request->param_count);
  for (uint32_t i = 0; i < request->param_count; i++) param_bind(arena, request->params[i], &binds[i]);
  if (mysql_stmt_bind_param(statement, binds) || mysql_stmt_execute(statement)) {
    mariadb_fail(arena, mysql_stmt_errno(statement), mysql_stmt_error(statement), reply);
  } else if (prepared_results(self, arena, statement, reply)) {
    /* It would wait for the rest of its rows at the next execution. */
    map_remove(&self->prepared, request->sql, strlen(request->sql));
    mysql_stmt_close(statement);
  }
}

/* A CALL's count mixes those of its statements, a definition's means nothing, and RETURNING gives rows
 * instead. */
static bool request_counts(const char *sql) {
  static const char *const words[] = {"INSERT", "UPDATE", "DELETE", "REPLACE"};
  sql += strspn(sql, " \t\r\n");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strncasecmp(sql, words[i], strlen(words[i]))) return true;
  return false;
}

static void mariadb_execute(Connection *connection, Arena *arena, const Request *request, Reply *reply) {
  MariadbConnection *self = (MariadbConnection *)connection;
  if (request->param_count)
    prepared_execute(self, arena, request, reply);
  else
    text_execute(self, arena, request, reply);
  reply->has_affected = !reply->error && !reply->has_rows && request_counts(request->sql);
}

static void mariadb_commit(Connection *connection, Arena *arena, EvidenceWish wish, Reply *reply,
                           Evidence *evidence) {
  MariadbConnection *self = (MariadbConnection *)connection;
  driver_run(connection, arena, "COMMIT", reply);
  if (!reply->error && self->has_gtid && wish.has_hint)
    evidence->hint = arena_text(arena, self->gtid, strlen(self->gtid));
  self->has_gtid = false;
  /* A COMMIT that was interrupted may have been carried out; only a deadlock is sure to have ended it. */
  if (reply->error && !reply->ended_transaction) reply->is_lost = true;
}

static void mariadb_abandon(Connection *connection, const char *sql) {
  MariadbConnection *self = (MariadbConnection *)connection;
  mysql_send_query(self->handle, sql, strlen(sql));
  shutdown(mysql_get_socket(self->handle), SHUT_RDWR);
}

static uint64_t mariadb_number(Connection *connection) {
  return mysql_thread_id(((MariadbConnection *)connection)->handle);
}

static const Driver DRIVER = {
    .scheme = "mariadb",
    .is_server = true,
    .open = mariadb_open,
    .close = mariadb_close,
    .execute = mariadb_execute,
    .commit = mariadb_commit,
    .abandon = mariadb_abandon,
    .number = mariadb_number,
    .space_create = "CREATE DATABASE %s",
    .space_use = "USE %s",
    .space_drop = "DROP DATABASE %s",
    .level_set = "SET SESSION TRANSACTION ISOLATION LEVEL %s",
    .tables =
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = "
        "'BASE TABLE' ORDER BY table_name",
    .snapshot_begin = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    .settings = "SHOW SESSION VARIABLES WHERE Variable_name IN ('sql_mode', 'innodb_snapshot_isolation', "
                "'collation_database', 'foreign_key_checks')",
    .cancel = "KILL QUERY %llu",
    .kill = "KILL CONNECTION %llu",
};

const Driver *driver_mariadb(void) { return &DRIVER; }

#endif
