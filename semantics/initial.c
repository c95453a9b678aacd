/* initial.c: the product of a row's open cells. */
#include "semantics/initial.h"

#include "semantics/constraint.h"
#include "semantics/engine_internal.h"
#include "src/transcript/emit.h"

static const Doubt *cell_doubt(const Engine *engine, Value value) {
  if (value.kind != VALUE_DOUBT) return NULL;
  const Doubt *doubt = &engine->doubts.doubts.items[value.doubt];
  return doubt->kind == DOUBT_IN && !doubt->is_bound ? doubt : NULL;
}

static uint64_t row_alternatives(const Engine *engine, const Table *table, const Value *values) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < table->column_count && count <= ROW_ALTERNATIVES; i++) {
    const Doubt *doubt = cell_doubt(engine, values[i]);
    if (doubt) count *= doubt->value.length;
  }
  return count;
}

static void row_spread(const Engine *engine, Arena *arena, InitialRow *row, const Value *values) {
  uint32_t columns = row->table->column_count;
  row->rows = ARENA_ARRAY(arena, Value *, row->count);
  row->columns = ARENA_ARRAY(arena, uint32_t, columns + 1);
  for (uint32_t i = 0; i < columns; i++)
    if (cell_doubt(engine, values[i])) row->columns[row->column_count++] = i;
  for (uint32_t n = 0; n < row->count; n++) {
    uint32_t rest = n;
    row->rows[n] = arena_alloc(arena, columns * sizeof(Value));
    for (uint32_t i = 0; i < columns; i++) {
      const Doubt *doubt = cell_doubt(engine, values[i]);
      row->rows[n][i] = doubt ? doubt->value.items[rest % doubt->value.length] : values[i];
      if (doubt) rest /= doubt->value.length;
    }
  }
}

/* ---- Constraints -------------------------------------------------------------------------------------- */

/* What is in doubt is taken to satisfy them. */
static bool values_hold(Engine *engine, Arena *arena, const Table *table, const Key *key,
                        const Value *values) {
  Outcome outcome = {0};
  Eval eval = engine_eval(engine, arena, NULL);
  Effect effect = {.engine = engine, .eval = &eval, .outcome = &outcome, .results = arena};
  bool is_done = constraint_row(&effect, table, values) && constraint_unique(&effect, table, values, key) &&
                 foreign_key_child(&effect, table, values);
  return !is_done || !effect.errors;
}

bool initial_rows_clash(Engine *engine, const InitialRow *a, uint32_t one, const InitialRow *b,
                        uint32_t other) {
  for (uint32_t i = 0; a->table == b->table && i < a->table->indexes.count; i++) {
    const Index *index = a->table->indexes.items[i];
    bool has_null = false;
    for (uint32_t k = 0; k < index->column_count; k++)
      has_null |= a->rows[one][index->columns[k]].kind == VALUE_NULL ||
                  a->rows[one][index->columns[k]].kind == VALUE_DOUBT ||
                  b->rows[other][index->columns[k]].kind == VALUE_DOUBT;
    if (index_is_unique(index) && !has_null &&
        !index_differs(engine, a->table, index, a->rows[one], b->rows[other]))
      return true;
  }
  return false;
}

/* The rows of other tables that refer to this one. */
static bool children_hold(Engine *engine, Arena *arena, const Table *parent) {
  if (!engine->schema.dialect.foreign_keys) return true;
  for (uint32_t i = 0; i < parent->referenced_by.count; i++) {
    const Table *child = parent->referenced_by.items[i]->child;
    for (uint32_t k = store_key_count(engine->store, child); k-- > 0;) {
      Key *key = store_key_at(engine->store, child, k);
      const Version *version = store_read(engine->store, key, READ_PLAIN);
      if (version && !values_hold(engine, arena, child, key, version->values)) return false;
    }
  }
  return true;
}

bool initial_rows_hold(Engine *engine, Arena *arena, const InitialRows *rows) {
  for (uint32_t i = 0; i < rows->count; i++) {
    const InitialRow *row = &rows->items[i];
    if (!values_hold(engine, arena, row->table, row->key, row->key->newest->values) ||
        !children_hold(engine, arena, row->table))
      return false;
  }
  return true;
}

bool initial_cells_hold(Engine *engine, Arena *arena) {
  for (uint32_t i = 0; i < engine->cells.count; i++) {
    const DoubtCell *cell = &engine->cells.items[i];
    const Version *version = cell->table ? cell->key->newest : NULL;
    while (version && version->writer) version = version->older;
    if (!version || version->is_tombstone || engine->doubts.doubts.items[cell->doubt].kind != DOUBT_FREE)
      continue;
    Value *values = arena_alloc(arena, cell->table->column_count * sizeof *values);
    for (uint32_t k = 0; k < cell->table->column_count; k++)
      values[k] = doubt_settle(&engine->doubts, version->values[k]);
    Outcome outcome = {0};
    Eval eval = engine_eval(engine, arena, NULL);
    Effect effect = {.engine = engine, .eval = &eval, .outcome = &outcome, .results = arena};
    if (constraint_row(&effect, cell->table, values) && effect.errors) return false;
  }
  return true;
}

static bool columns_have(const uint32_t *columns, uint32_t count, uint32_t column) {
  for (uint32_t i = 0; i < count; i++)
    if (columns[i] == column) return true;
  return false;
}

bool initial_cell_is_bound(const Engine *engine, const Table *table, uint32_t column) {
  if (table->columns[column].not_null || table->checks.count || table->rowid_column == (int32_t)column)
    return true;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (index_is_unique(index) && columns_have(index->columns, index->column_count, column)) return true;
  }
  for (uint32_t i = 0; i < table->foreign_keys.count; i++) {
    const ForeignKey *key = table->foreign_keys.items[i];
    if (engine->schema.dialect.foreign_keys && columns_have(key->columns, key->column_count, column))
      return true;
  }
  return false;
}

bool initial_row_is_key(const InitialRow *row) {
  for (uint32_t i = 0; i < row->table->indexes.count; i++) {
    const Index *index = row->table->indexes.items[i];
    for (uint32_t k = 0; index_is_unique(index) && k < row->column_count; k++)
      if (columns_have(index->columns, index->column_count, row->columns[k])) return true;
  }
  return false;
}

/* I1 */
static void row_filter(Engine *engine, Arena *arena, InitialRow *row) {
  uint32_t kept = 0;
  for (uint32_t n = 0; n < row->count; n++)
    if (values_hold(engine, arena, row->table, row->key, row->rows[n])) row->rows[kept++] = row->rows[n];
  row->count = kept;
}

/* ---- Rows ------------------------------------------------------------------------------------------- */

bool initial_rows(Engine *engine, Arena *arena, InitialRows *rows) {
  for (uint32_t i = 0; i < engine->cells.count; i++) {
    const DoubtCell *cell = &engine->cells.items[i];
    if (!cell->table || !cell_doubt(engine, value_doubt(cell->doubt))) continue;
    bool is_known = false;
    for (uint32_t k = 0; k < rows->count && !is_known; k++) is_known = rows->items[k].key == cell->key;
    if (is_known) continue;
    const Value *values = cell->key->newest->values;
    uint64_t count = row_alternatives(engine, cell->table, values);
    if (count > ROW_ALTERNATIVES) return false;
    InitialRow row = {.table = cell->table, .key = cell->key, .count = (uint32_t)count};
    row_spread(engine, arena, &row, values);
    row_filter(engine, arena, &row);
    ARENA_PUSH(arena, rows, row);
  }
  return true;
}

void initial_row_name(const InitialRow *row, uint32_t alternative, Arena *arena, WitnessRow *named) {
  named->cell_count = row->column_count;
  named->columns = ARENA_ARRAY(arena, const char *, row->column_count + 1);
  named->cells = ARENA_ARRAY(arena, Observed, row->column_count + 1);
  for (uint32_t i = 0; i < row->column_count; i++) {
    const char *name = row->table->columns[row->columns[i]].name;
    named->columns[i] = arena_text(arena, name, strlen(name));
    named->cells[i].value = value_copy(arena, row->rows[alternative][row->columns[i]]);
  }
}

static bool row_is_named(const InitialRow *row, uint32_t alternative, const WitnessRow *named) {
  for (uint32_t i = 0; i < named->cell_count; i++) {
    uint32_t at = 0;
    while (at < row->column_count &&
           strcmp(row->table->columns[row->columns[at]].name, named->columns[i]) != 0)
      at++;
    if (at == row->column_count ||
        !values_write_same(row->rows[alternative][row->columns[at]], named->cells[i].value))
      return false;
  }
  return named->cell_count == row->column_count;
}

uint32_t initial_row_find(const InitialRow *row, const WitnessRow *named) {
  uint32_t alternative = 0;
  while (alternative < row->count && !row_is_named(row, alternative, named)) alternative++;
  return alternative;
}
