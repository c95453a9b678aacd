/* impossible.c: one statement, alone, over its rows as they may be. */
#include "heuristics/impossible.h"

#include "heuristics/observation.h"
#include "heuristics/touch.h"
#include "src/sql/schema.h"

#include <strings.h>

/* A row that a statement of the suspect reads. */
typedef struct SuspectRow {
  uint32_t operation;
  uint32_t table;
  int64_t key;
  uint64_t assigned;
  bool is_open; /* it may be made, deleted or moved */
  bool is_all;  /* the statement changes it if it is there */
} SuspectRow;

typedef struct Suspect {
  const SuspectQuestion *question;
  const Line *line;
  Replay *replay; /* with nothing but definitions */
  Arena arena;
  ARRAY(SuspectRow) rows;
} Suspect;

/* ---- Which rows ------------------------------------------------------------------------------------------
 */

static bool text_is_definition(const char *sql) {
  while (*sql == ' ' || *sql == '\n' || *sql == '\t') sql++;
  return strncasecmp(sql, "create", 6) == 0;
}

/* Only definitions and `table` lines: else rows may come from elsewhere. */
static bool setup_is_plain(const Log *log) {
  for (uint32_t i = 0; i < log->setup.count; i++)
    if (log->setup.items[i]->kind == LINE_SETUP && !text_is_definition(log->setup.items[i]->setup))
      return false;
  return true;
}

static const Line *suspect_line(const SuspectQuestion *question) {
  for (uint32_t i = 0; i < question->log->lines.count; i++) {
    const Line *line = question->log->lines.items[i];
    if (line->kind == LINE_GAP && line->gap.writes) return NULL;
    bool is_committed = line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_COMMITTED;
    if (line->number == question->line && is_committed) return line;
  }
  return NULL;
}

static bool operation_is_observed(const Operation *operation) {
  return operation->kind == OPERATION_SQL && !operation->meta && !operation->error &&
         (operation->has_rows || operation->has_affected);
}

/* The rows that the statement reads, where it names all of them. */
static void operation_collect(Suspect *suspect, uint32_t number) {
  const Operation *operation = &suspect->line->transaction.operations[number];
  Touches touches = {0};
  if (!operation_is_observed(operation)) return;
  touches_of(suspect->replay, operation, &suspect->arena, &touches);
  for (uint32_t i = 0; i < touches.count; i++)
    if (touches.items[i].is_whole || touches.items[i].table == TABLE_OBJECTS) return;
  for (uint32_t i = 0; i < touches.count; i++) {
    SuspectRow row = {.operation = number,
                      .table = touches.items[i].table,
                      .key = touches.items[i].key,
                      .is_all = touches.items[i].is_all};
    ARENA_PUSH(&suspect->arena, &suspect->rows, row);
  }
}

static void row_note(SuspectRow *row, const Touch *touch) {
  bool is_met = touch->table == TABLE_ALL ||
                (touch->table == row->table && (touch->is_whole || touch->key == row->key));
  if (!is_met || !touch->writes) return;
  row->assigned |= touch->assigned;
  row->is_open |= touch->is_whole || !touch->assigned;
}

/* What all statements of the log may do to these rows, in whatever order. */
static void writes_note(Suspect *suspect) {
  const Log *log = suspect->question->log;
  Arena arena;
  arena_init(&arena);
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED) continue;
    for (uint32_t k = 0; k < line->transaction.operation_count; k++) {
      Touches touches = {0};
      touches_of(suspect->replay, &line->transaction.operations[k], &arena, &touches);
      for (uint32_t t = 0; t < touches.count; t++)
        for (uint32_t r = 0; r < suspect->rows.count; r++)
          row_note(&suspect->rows.items[r], &touches.items[t]);
      arena_clear(&arena);
    }
  }
  arena_free(&arena);
}

/* ---- What they may hold ----------------------------------------------------------------------------------
 */

/* Where the line has a column of the table; its width: nowhere. */
static uint32_t column_place(const TableLine *line, const Table *table, uint32_t column) {
  uint32_t place = 0;
  if (!line->has_columns) return column;
  while (place < line->column_count && strcasecmp(line->columns[place], table->columns[column].name) != 0)
    place++;
  return place;
}

/* Is it the row of that key? */
static bool row_has_key(const TableLine *line, const Table *table, uint32_t row, int64_t key) {
  const Index *index = table->indexes.items[table->primary];
  int64_t name = 0;
  for (uint32_t i = 0; i < index->column_count; i++) {
    uint32_t place = column_place(line, table, index->columns[i]);
    if (place >= line->rows[row].count) return false;
    const Cell *cell = &line->rows[row].cells[place];
    if (cell->kind != CELL_VALUE || cell->value.kind != VALUE_INT) return false;
    name = key_join(index, name, cell->value.integer);
  }
  return name == key;
}

/* The row with every column open that is assigned somewhere; it joins what is set up. */
static void row_open(Log *log, const Line *line, uint32_t row, const Table *table, uint64_t assigned) {
  Arena *arena = &log->arena;
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  copy->table.row_count = 1;
  copy->table.rows = arena_alloc(arena, sizeof *copy->table.rows);
  copy->table.rows[0] = line->table.rows[row];
  uint32_t count = line->table.rows[row].count;
  copy->table.rows[0].cells = arena_alloc(arena, (count + 1) * sizeof(Cell));
  memcpy(copy->table.rows[0].cells, line->table.rows[row].cells, count * sizeof(Cell));
  for (uint32_t i = 0; i < table->column_count && i < 64; i++) {
    uint32_t place = column_place(&line->table, table, i);
    if (assigned >> i & 1 && place < count) copy->table.rows[0].cells[place] = (Cell){.kind = CELL_ANY};
  }
  ARENA_PUSH(arena, &log->setup, copy);
}

/* Finds the row where it is set up.  False: it is not there, or more than once. */
static bool row_find(Suspect *suspect, Log *log, const SuspectRow *row) {
  const Log *whole = suspect->question->log;
  Schema *schema = engine_schema(replay_engine(suspect->replay));
  uint32_t found = 0;
  for (uint32_t i = 0; i < whole->setup.count; i++) {
    const Line *line = whole->setup.items[i];
    if (line->kind != LINE_TABLE) continue;
    const Table *table = schema_table_spelled(schema, &suspect->arena, line->table.table);
    if (!table || table->id != row->table) continue;
    for (uint32_t k = 0; k < line->table.row_count; k++)
      if (row_has_key(&line->table, table, k, row->key)) {
        if (!found++) row_open(log, line, k, table, row->assigned);
      }
  }
  return found == 1;
}

/* ---- The statement alone
 * ----------------------------------------------------------------------------------- */

static bool log_is_refuted(const Suspect *suspect, const Log *log, Diag *diag) {
  const SuspectQuestion *question = suspect->question;
  SearchOptions options = *question->options;
  options.order = SEARCH_GIVEN;
  options.is_cone = options.wants_verdict_only = true;
  options.suspect = 0;
  options.checker.dump = NULL;
  SearchResult result;
  bool is_refuted = search_run(log, question->level_of, question->context, &options, &result, diag) &&
                    result.verdict == VERDICT_VIOLATION;
  search_free(&result);
  return is_refuted;
}

/* Are all rows that the statement reads always there?  They join what is set up; `count`: how many. */
static bool rows_find(Suspect *suspect, uint32_t operation, Log *log, uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < suspect->rows.count; i++) {
    const SuspectRow *row = &suspect->rows.items[i];
    if (row->operation != operation) continue;
    bool is_again = false;
    for (uint32_t k = 0; k < i; k++) {
      const SuspectRow *other = &suspect->rows.items[k];
      is_again |= other->operation == operation && other->table == row->table && other->key == row->key;
    }
    if (is_again) continue;
    if (row->is_open || !row_find(suspect, log, row)) return false;
    ++*count;
  }
  return *count > 0;
}

/* I3  A statement that changes so many rows that are there, whatever they hold, says so; in mysql and mariadb
 * it counts only those whose values change. */
static bool count_is_impossible(const Suspect *suspect, uint32_t operation, uint32_t count) {
  const Operation *observed = &suspect->line->transaction.operations[operation];
  for (uint32_t i = 0; i < suspect->rows.count; i++)
    if (suspect->rows.items[i].operation == operation && !suspect->rows.items[i].is_all) return false;
  if (!observed->has_affected) return false;
  bool counts_changes = dialect_is_mysql(&suspect->question->log->header.dialect);
  return counts_changes ? observed->affected > count : observed->affected != count;
}

static bool operation_is_impossible(Suspect *suspect, uint32_t operation, Diag *diag) {
  const Log *whole = suspect->question->log;
  Log log = {.header = whole->header, .file = whole->file};
  arena_init(&log.arena);
  for (uint32_t i = 0; i < whole->setup.count; i++)
    if (whole->setup.items[i]->kind == LINE_SETUP) ARENA_PUSH(&log.arena, &log.setup, whole->setup.items[i]);
  uint32_t count;
  bool is_impossible = false;
  if (rows_find(suspect, operation, &log, &count)) {
    ARENA_PUSH(&log.arena, &log.lines, line_of_operation(&log.arena, suspect->line, operation));
    is_impossible = count_is_impossible(suspect, operation, count) || log_is_refuted(suspect, &log, diag);
  }
  arena_free(&log.arena);
  return is_impossible;
}

/* The schema as it was set up: a statement that changes it touches everything. */
static bool suspect_open(Suspect *suspect, Diag *diag) {
  const Log *log = suspect->question->log;
  suspect->replay = replay_new(&log->header, log->file);
  for (uint32_t i = 0; i < log->setup.count; i++)
    if (log->setup.items[i]->kind == LINE_SETUP && !replay_line(suspect->replay, log->setup.items[i], diag))
      return false;
  for (uint32_t i = 0; i < suspect->line->transaction.operation_count; i++) operation_collect(suspect, i);
  return suspect->rows.count > 0;
}

bool suspect_is_impossible(const SuspectQuestion *question, Diag *diag) {
  if (!setup_is_plain(question->log)) return false;
  Suspect suspect = {.question = question, .line = suspect_line(question)};
  if (!suspect.line) return false;
  arena_init(&suspect.arena);
  bool is_impossible = false;
  if (suspect_open(&suspect, diag)) {
    writes_note(&suspect);
    for (uint32_t i = 0; !is_impossible && !diag->failed && i < suspect.line->transaction.operation_count;
         i++)
      is_impossible = operation_is_impossible(&suspect, i, diag);
  }
  replay_free(suspect.replay);
  arena_free(&suspect.arena);
  return is_impossible;
}
