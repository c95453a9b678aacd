/* fast.c: recursive descent over the fields of transcript lines. */
#include "src/transcript/fast.h"

#include "src/transcript/fast_internal.h"

#include <string.h>

/* ---- Transactions --------------------------------------------------------------------- */

static bool read_status(Fast *fast, Status *status) {
  FastKey word;
  if (!token_plain(&fast->token, &word)) return false;
  if (KEY_IS(word, "committed"))
    *status = STATUS_COMMITTED;
  else if (KEY_IS(word, "aborted"))
    *status = STATUS_ABORTED;
  else if (KEY_IS(word, "unknown"))
    *status = STATUS_UNKNOWN;
  else
    return false;
  return true;
}

enum { TXN, SESSION, STATUS, START, COMMIT, LEVEL, OPS, HINT, XID, SNAPSHOT };

static bool field_txn(Fast *fast, void *target) {
  Transaction *transaction = target;
  transaction->name_is_integer = *fast->token.at != '"';
  return fast_name(fast, &transaction->name);
}
static bool field_ops(Fast *fast, void *target) { return fast_operations(fast, target); }
static bool field_session(Fast *fast, void *target) {
  return fast_name(fast, &((Transaction *)target)->session);
}
static bool field_status(Fast *fast, void *target) {
  return read_status(fast, &((Transaction *)target)->status);
}
static bool field_level(Fast *fast, void *target) { return fast_text(fast, &((Transaction *)target)->level); }
static bool field_xid(Fast *fast, void *target) { return fast_name(fast, &((Transaction *)target)->xid); }
static bool field_snapshot(Fast *fast, void *target) {
  return fast_text(fast, &((Transaction *)target)->snapshot);
}
static bool field_start(Fast *fast, void *target) {
  return fast_interval(fast, false, &((Transaction *)target)->start);
}
static bool field_commit(Fast *fast, void *target) {
  return fast_interval(fast, true, &((Transaction *)target)->commit);
}
static bool field_hint(Fast *fast, void *target) {
  Transaction *transaction = target;
  transaction->has_hint = true;
  return token_integer(&fast->token, &transaction->hint);
}

static const FastField transaction_fields[] = {
    FAST_FIELD("txn", TXN, field_txn),
    FAST_FIELD("ops", OPS, field_ops),
    FAST_FIELD("session", SESSION, field_session),
    FAST_FIELD("status", STATUS, field_status),
    FAST_FIELD("start", START, field_start),
    FAST_FIELD("commit", COMMIT, field_commit),
    FAST_FIELD("level", LEVEL, field_level),
    FAST_FIELD("hint", HINT, field_hint),
    FAST_FIELD("xid", XID, field_xid),
    FAST_FIELD("snapshot", SNAPSHOT, field_snapshot),
};
enum { TRANSACTION_FIELDS = sizeof transaction_fields / sizeof *transaction_fields };

static bool read_transaction(Fast *fast, FastKey key, Transaction *transaction) {
  uint32_t seen = 0;
  *transaction = (Transaction){0};
  do {
    if (!fast_field(fast, transaction_fields, TRANSACTION_FIELDS, key, &seen, transaction)) return false;
  } while (token_more(&fast->token, '}') && token_key(&fast->token, &key));
  return !fast->token.failed && (seen & 1u << TXN) && (seen & 1u << OPS);
}

/* ---- Rows of tables ------------------------------------------------------------------- */

static bool read_table_row(Fast *fast, bool is_final, TableRow *table_row) {
  *table_row = (TableRow){0};
  if (is_final) {
    ObservedRow row;
    if (!fast_row(fast, &row)) return false;
    table_row->count = row.count;
    table_row->observed = row.cells;
    return true;
  }
  uint32_t from = fast->scratch->table_cells.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    Observed cell;
    if (!fast_value(fast, &cell)) return false;
    ARRAY_PUSH(&fast->scratch->table_cells, (Cell){CELL_VALUE, cell.value});
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->table_cells, from, table_row->count, table_row->cells);
  return true;
}

static bool read_table_rows(Fast *fast, bool is_final, TableLine *table) {
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    TableRow row;
    if (!read_table_row(fast, is_final, &row)) return false;
    ARRAY_PUSH(&fast->scratch->table_rows, row);
    if (fast->scratch->table_rows.items[0].count != row.count) return false;
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->table_rows, 0, table->row_count, table->rows);
  return true;
}

enum { TABLE, COLUMNS, ROWS };

static bool field_table(Fast *fast, void *target) { return fast_text(fast, &((TableLine *)target)->table); }
static bool field_cells(Fast *fast, void *target) { return read_table_rows(fast, false, target); }
static bool field_final_rows(Fast *fast, void *target) { return read_table_rows(fast, true, target); }
static bool field_columns(Fast *fast, void *target) {
  TableLine *table = target;
  table->has_columns = true;
  return fast_columns(fast, &table->column_count, &table->columns);
}

static const FastField table_fields[] = {FAST_FIELD("table", TABLE, field_table),
                                         FAST_FIELD("rows", ROWS, field_cells),
                                         FAST_FIELD("columns", COLUMNS, field_columns)};
static const FastField final_fields[] = {FAST_FIELD("final", TABLE, field_table),
                                         FAST_FIELD("rows", ROWS, field_final_rows),
                                         FAST_FIELD("columns", COLUMNS, field_columns)};

static bool read_table(Fast *fast, FastKey key, bool is_final, TableLine *table) {
  uint32_t seen = 0;
  *table = (TableLine){0};
  do {
    if (!fast_field(fast, is_final ? final_fields : table_fields, 3, key, &seen, table)) return false;
  } while (token_more(&fast->token, '}') && token_key(&fast->token, &key));
  if (fast->token.failed || !(seen & 1u << TABLE) || !(seen & 1u << ROWS)) return false;
  return !table->has_columns || !table->row_count || table->rows[0].count == table->column_count;
}

/* ---- Lines ---------------------------------------------------------------------------- */

static bool read_line(Fast *fast, Line *line) {
  FastKey key;
  token_space(&fast->token);
  if (!token_open(&fast->token, '{', '}') || !token_key(&fast->token, &key)) return false;
  bool is_final = KEY_IS(key, "final");
  if (is_final || KEY_IS(key, "table")) {
    line->kind = is_final ? LINE_FINAL : LINE_TABLE;
    if (!read_table(fast, key, is_final, &line->table)) return false;
  } else {
    line->kind = LINE_TRANSACTION;
    if (!read_transaction(fast, key, &line->transaction)) return false;
  }
  return fast->token.at == fast->token.end;
}

/* A giant line leaves giant lists behind: they go with it. */
static bool scratch_is_large(const FastReader *reader) {
  enum { LARGE = 1 << 16 };
  return reader->cells.room > LARGE || reader->rows.room > LARGE || reader->operations.room > LARGE ||
         reader->table_cells.room > LARGE || reader->table_rows.room > LARGE || reader->ends.room > LARGE;
}

bool fast_read(FastReader *reader, Arena *arena, char *text, size_t length, Line *line) {
  Fast fast = {{text, text, text + length, false}, reader, arena};
  if (scratch_is_large(reader)) fast_free(reader);
  reader->cells.count = reader->rows.count = reader->results.count = reader->params.count = 0;
  reader->names.count = reader->operations.count = reader->ends.count = 0;
  reader->table_cells.count = reader->table_rows.count = 0;
  if (!read_line(&fast, line)) return false;
  for (uint32_t i = 0; i < reader->ends.count; i++) *reader->ends.items[i] = 0;
  return true;
}

void fast_free(FastReader *reader) {
  ARRAY_FREE(&reader->cells);
  ARRAY_FREE(&reader->rows);
  ARRAY_FREE(&reader->results);
  ARRAY_FREE(&reader->params);
  ARRAY_FREE(&reader->names);
  ARRAY_FREE(&reader->operations);
  ARRAY_FREE(&reader->table_cells);
  ARRAY_FREE(&reader->table_rows);
  ARRAY_FREE(&reader->ends);
}
