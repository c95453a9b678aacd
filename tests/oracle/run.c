/* run.c: one statement over one set of rows, executed by SQLite.
 *
 * The tables are empty between runs.  A run puts the rows in, executes, reads back what came out and which
 * rows were written (by triggers, so that a write that changes nothing counts), and empties the tables. Where
 * there are foreign keys they are switched on only for the statement itself: a view may lack a
 * row that another of its rows refers to. */
#include "tests/oracle/world.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- Statements ---------------------------------------------------------------------- */

static bool word_at(const char *text, const char *word) {
  size_t length = strlen(word);
  return !strncasecmp(text, word, length) && !isalnum((unsigned char)text[length]) && text[length] != '_';
}

/* The position of a word outside quotes, or NULL. */
static char *word_find(char *text, const char *word) {
  bool is_quoted = false;
  for (char *at = text; *at; at++) {
    if (*at == '\'') is_quoted = !is_quoted;
    if (!is_quoted && (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) && word_at(at, word))
      return at;
  }
  return NULL;
}

static bool statement_classify(Statement *statement) {
  static const struct {
    const char *word;
    StatementKind kind;
  } words[] = {{"SELECT", STATEMENT_QUERY},        {"WITH", STATEMENT_QUERY},
               {"VALUES", STATEMENT_QUERY},        {"INSERT", STATEMENT_INSERT},
               {"UPDATE", STATEMENT_UPDATE},       {"DELETE", STATEMENT_DELETE},
               {"SAVEPOINT", STATEMENT_SAVEPOINT}, {"ROLLBACK TO", STATEMENT_ROLLBACK_TO},
               {"RELEASE", STATEMENT_RELEASE}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (word_at(statement->sql, words[i].word)) {
      statement->kind = words[i].kind;
      return true;
    }
  return false;
}

bool world_bind(sqlite3_stmt *prepared, int place, Value value) {
  switch (value.kind) {
  case VALUE_NULL: return sqlite3_bind_null(prepared, place) == SQLITE_OK;
  case VALUE_BOOL:
  case VALUE_INT: return sqlite3_bind_int64(prepared, place, value.integer) == SQLITE_OK;
  case VALUE_DOUBLE: return sqlite3_bind_double(prepared, place, value.real) == SQLITE_OK;
  case VALUE_TEXT:
    return sqlite3_bind_text(prepared, place, value.text, (int)value.length, SQLITE_TRANSIENT) == SQLITE_OK;
  default: return false;
  }
}

static bool params_bind(const Statement *statement) {
  const Operation *operation = statement->operation;
  for (uint32_t i = 0; i < operation->param_count; i++) {
    char name[64];
    if (operation->params_are_named)
      snprintf(name, sizeof name, ":%.*s", (int)operation->params[i].name_length, operation->params[i].name);
    else
      snprintf(name, sizeof name, "$%u", i + 1);
    int place = sqlite3_bind_parameter_index(statement->prepared, name);
    if (!place && !operation->params_are_named) place = (int)i + 1;
    if (!place || !world_bind(statement->prepared, place, operation->params[i].value.value)) return false;
  }
  return sqlite3_bind_parameter_count(statement->prepared) <= (int)operation->param_count;
}

static bool statement_is_rowwise(const World *world, const Statement *statement) {
  static const char *const words[] = {"JOIN",   "GROUP", "DISTINCT", "COUNT",     "SUM",
                                      "MIN",    "MAX",   "AVG",      "UNION",     "WITH",
                                      "EXISTS", "LIMIT", "ORDER",    "INTERSECT", "EXCEPT"};
  if (world->has_foreign_keys || world->has_unique || (statement->tables & (statement->tables - 1)))
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (word_find(statement->sql, words[i])) return false;
  char *query = word_find(statement->sql, "SELECT");
  return !query || (query == statement->sql && !word_find(query + 6, "SELECT"));
}

Statement *world_statement(World *world, const Operation *operation) {
  if (operation->kind != OPERATION_SQL) return world_beyond(world, "key-value operations"), NULL;
  Statement *statement = ARENA_NEW(&world->arena, Statement);
  statement->id = world->statement_count++;
  statement->operation = operation;
  statement->sql = arena_text(&world->arena, operation->sql, operation->sql_length);
  if (!statement_classify(statement) || operation->has_columns || operation->has_results ||
      operation->result_count > 1)
    return world_beyond(world, "not for the oracle: %s", statement->sql), NULL;
  if (statement_is_about_savepoints(statement)) return statement;
  char *locking = word_find(statement->sql, "FOR");
  if (locking && statement->kind == STATEMENT_QUERY) {
    if (!word_find(locking, "UPDATE") && !word_find(locking, "SHARE"))
      return world_beyond(world, "not for the oracle: %s", statement->sql), NULL;
    statement->is_locking = true;
    statement->is_key_share = word_find(locking, "KEY") && !word_find(locking, "UPDATE");
    *locking = 0;
  }
  statement->is_ordered = word_find(statement->sql, "ORDER") != NULL;
  statement->is_plain_insert = statement->kind == STATEMENT_INSERT && !word_find(statement->sql, "SELECT") &&
                               !word_find(statement->sql, "CONFLICT");
  for (uint32_t i = 0; i < world->table_count; i++)
    if (world->has_foreign_keys || word_find(statement->sql, world->tables[i].name))
      statement->tables |= 1u << i;
  statement->is_rowwise = statement_is_rowwise(world, statement);
  if (sqlite3_prepare_v2(world->database, statement->sql, -1, &statement->prepared, NULL) != SQLITE_OK)
    return world_beyond(world, "%s: %s", sqlite3_errmsg(world->database), statement->sql), NULL;
  ARRAY_PUSH(&world->prepared, statement->prepared);
  if (!params_bind(statement)) return world_beyond(world, "parameters: %s", statement->sql), NULL;
  return statement;
}

/* ---- Errors -------------------------------------------------------------------------- */

static const struct {
  const char *code;
  Failure failure;
} CODES[] = {
    {"23505", FAILURE_UNIQUE},     {"1062", FAILURE_UNIQUE},      {"23503", FAILURE_FOREIGN_KEY},
    {"1451", FAILURE_FOREIGN_KEY}, {"1452", FAILURE_FOREIGN_KEY}, {"23502", FAILURE_NOT_NULL},
    {"1048", FAILURE_NOT_NULL},    {"23514", FAILURE_CHECK},      {"4025", FAILURE_CHECK},
    {"3819", FAILURE_CHECK},       {"40001", FAILURE_REFUSED},    {"40P01", FAILURE_REFUSED},
    {"55P03", FAILURE_REFUSED},    {"57014", FAILURE_REFUSED},    {"1213", FAILURE_REFUSED},
    {"1205", FAILURE_REFUSED},     {"1020", FAILURE_REFUSED},
};

Failure failure_of_code(const char *code) {
  for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++)
    if (!strcmp(CODES[i].code, code)) return CODES[i].failure;
  return FAILURE_ANY;
}

const char *failure_code(Failure failure, bool is_mysql) {
  switch (failure) {
  case FAILURE_UNIQUE: return is_mysql ? "1062" : "23505";
  case FAILURE_FOREIGN_KEY: return is_mysql ? "1452" : "23503";
  case FAILURE_NOT_NULL: return is_mysql ? "1048" : "23502";
  case FAILURE_CHECK: return is_mysql ? "4025" : "23514";
  default: return NULL;
  }
}

static Failure failure_of_sqlite(World *world) {
  switch (sqlite3_extended_errcode(world->database)) {
  case SQLITE_CONSTRAINT_PRIMARYKEY:
  case SQLITE_CONSTRAINT_ROWID:
  case SQLITE_CONSTRAINT_UNIQUE: return FAILURE_UNIQUE;
  case SQLITE_CONSTRAINT_FOREIGNKEY: return FAILURE_FOREIGN_KEY;
  case SQLITE_CONSTRAINT_NOTNULL: return FAILURE_NOT_NULL;
  case SQLITE_CONSTRAINT_CHECK: return FAILURE_CHECK;
  default: world_beyond(world, "SQLite: %s", sqlite3_errmsg(world->database)); return FAILURE_ANY;
  }
}

/* ---- One run ------------------------------------------------------------------------- */

/* Where a row is while a statement runs: SQLite's row id, and the item it came from. */
typedef struct Slot {
  uint32_t table;
  int64_t row;
  int32_t item;
  bool is_gone, is_touched;
} Slot;

typedef struct Run {
  World *world;
  ARRAY(Slot) slots;
} Run;

static bool command_run(World *world, const char *sql) {
  if (sqlite3_exec(world->database, sql, NULL, NULL, NULL) == SQLITE_OK) return true;
  return world_beyond(world, "%s: %s", sql, sqlite3_errmsg(world->database));
}

/* False: SQLite refuses the rows themselves. */
static bool rows_load(Run *run, const Item *items, uint32_t count) {
  World *world = run->world;
  for (uint32_t i = 0; i < count; i++) {
    const Row *row = world->rows.items[items[i].row];
    sqlite3_stmt *insert = world->tables[row->table].insert;
    for (uint32_t c = 0; c < row->count; c++) world_bind(insert, (int)c + 1, row->values[c]);
    int code = sqlite3_step(insert);
    sqlite3_reset(insert);
    if (code != SQLITE_DONE) return false;
    Slot slot = {.table = row->table, .row = sqlite3_last_insert_rowid(world->database), .item = (int32_t)i};
    ARRAY_PUSH(&run->slots, slot);
  }
  return true;
}

static Value column_read(World *world, sqlite3_stmt *prepared, int column) {
  switch (sqlite3_column_type(prepared, column)) {
  case SQLITE_INTEGER: return value_int(sqlite3_column_int64(prepared, column));
  case SQLITE_FLOAT: return value_double(sqlite3_column_double(prepared, column));
  case SQLITE_TEXT: {
    const char *text = (const char *)sqlite3_column_text(prepared, column);
    return value_string(arena_text(&world->arena, text, strlen(text)));
  }
  case SQLITE_BLOB: world_beyond(world, "blobs"); return NULL_VALUE;
  default: return NULL_VALUE;
  }
}

static void statement_execute(World *world, const Statement *statement, Outcome *outcome) {
  ARRAY(Value) cells = {0};
  outcome->column_count = (uint32_t)sqlite3_column_count(statement->prepared);
  int code;
  while ((code = sqlite3_step(statement->prepared)) == SQLITE_ROW) {
    outcome->row_count++;
    for (uint32_t i = 0; i < outcome->column_count; i++)
      ARENA_PUSH(&world->arena, &cells, column_read(world, statement->prepared, (int)i));
  }
  outcome->cells = cells.items;
  if (code != SQLITE_DONE) outcome->failure = failure_of_sqlite(world);
  sqlite3_reset(statement->prepared);
}

static Slot *slot_find(Run *run, uint32_t table, int64_t row) {
  for (uint32_t i = 0; i < run->slots.count; i++) {
    Slot *slot = &run->slots.items[i];
    if (!slot->is_gone && slot->table == table && slot->row == row) return slot;
  }
  fatal("the oracle lost a row");
}

static void touches_follow(Run *run) {
  World *world = run->world;
  for (uint32_t i = 0; i < world->touches.count; i++) {
    Touch touch = world->touches.items[i];
    if (!touch.has_old) {
      Slot slot = {.table = touch.table, .row = touch.new_row, .item = -1, .is_touched = true};
      ARRAY_PUSH(&run->slots, slot);
      continue;
    }
    Slot *slot = slot_find(run, touch.table, touch.old_row);
    slot->is_touched = true;
    if (touch.has_new)
      slot->row = touch.new_row;
    else
      slot->is_gone = true;
  }
}

static RowId row_fetch(World *world, uint32_t table, int64_t row_id) {
  sqlite3_stmt *fetch = world->tables[table].fetch;
  sqlite3_bind_int64(fetch, 1, row_id);
  if (sqlite3_step(fetch) != SQLITE_ROW) fatal("the oracle lost a row");
  Row row = {.table = table, .count = world->tables[table].column_count};
  for (uint32_t i = 0; i < row.count; i++) row.values[i] = column_read(world, fetch, (int)i);
  sqlite3_reset(fetch);
  return world_row(world, &row);
}

static void changes_collect(Run *run, Outcome *outcome) {
  ARRAY(Change) changes = {0};
  for (uint32_t i = 0; i < run->slots.count; i++) {
    Slot slot = run->slots.items[i];
    if (!slot.is_touched || (slot.item < 0 && slot.is_gone)) continue;
    Change change = {slot.item, slot.is_gone ? 0 : row_fetch(run->world, slot.table, slot.row)};
    ARENA_PUSH(&run->world->arena, &changes, change);
  }
  outcome->changes = changes.items;
  outcome->change_count = changes.count;
}

static void tables_empty(World *world) {
  if (!world->has_foreign_keys) {
    command_run(world, "ROLLBACK");
    return;
  }
  command_run(world, "PRAGMA foreign_keys=OFF");
  for (uint32_t i = 0; i < world->table_count; i++) {
    char sql[64];
    snprintf(sql, sizeof sql, "DELETE FROM %s", world->tables[i].name);
    command_run(world, sql);
  }
}

static void run_execute(Run *run, const Statement *statement, const Item *items, uint32_t count,
                        Outcome *outcome) {
  World *world = run->world;
  command_run(world, "BEGIN");
  bool is_loaded = rows_load(run, items, count);
  if (world->has_foreign_keys) command_run(world, is_loaded ? "COMMIT; PRAGMA foreign_keys=ON" : "ROLLBACK");
  if (!is_loaded)
    world_beyond(world, "a view that breaks a constraint by itself: %s", sqlite3_errmsg(world->database));
  if (is_loaded) {
    world->touches.count = 0;
    world->is_recording = true;
    statement_execute(world, statement, outcome);
    world->is_recording = false;
    if (!outcome->failure) touches_follow(run);
    if (!outcome->failure) changes_collect(run, outcome);
  }
  tables_empty(world);
}

const Outcome *world_run(World *world, const Statement *statement, const Item *items, uint32_t count) {
  uint32_t key[1 + 2 * ITEMS_MOST];
  key[0] = statement->id;
  for (uint32_t i = 0; i < count; i++) key[1 + 2 * i] = items[i].key, key[2 + 2 * i] = items[i].row;
  size_t length = (1 + 2 * count) * sizeof *key;
  Outcome *outcome = map_get(&world->outcomes, (const char *)key, length);
  if (outcome) return outcome;
  outcome = ARENA_NEW(&world->arena, Outcome);
  Run run = {.world = world};
  world->runs++;
  run_execute(&run, statement, items, count, outcome);
  ARRAY_FREE(&run.slots);
  map_put_copy(&world->outcomes, (const char *)key, length, outcome);
  return outcome;
}

/* ---- Constraints --------------------------------------------------------------------- */

static bool references_hold(World *world) {
  sqlite3_stmt *check = NULL;
  sqlite3_prepare_v2(world->database, "PRAGMA foreign_key_check", -1, &check, NULL);
  bool holds = sqlite3_step(check) == SQLITE_DONE;
  sqlite3_finalize(check);
  return holds;
}

bool world_allows(World *world, const State *state) {
  uint32_t key[ITEMS_MOST + 1];
  for (uint32_t i = 0; i < state->count; i++) key[i] = state->items[i].row;
  key[state->count] = 0;
  size_t length = (state->count + 1) * sizeof *key;
  uintptr_t known = (uintptr_t)map_get(&world->verdicts, (const char *)key, length);
  if (known) return known == 2;
  Run run = {.world = world};
  command_run(world, "BEGIN");
  bool is_allowed =
      rows_load(&run, state->items, state->count) && (!world->has_foreign_keys || references_hold(world));
  command_run(world, "ROLLBACK");
  ARRAY_FREE(&run.slots);
  map_put_copy(&world->verdicts, (const char *)key, length, (void *)(uintptr_t)(is_allowed ? 2 : 1));
  return is_allowed;
}
