/* initial.c: the product of a row's open cells. */
#include "semantics/initial.h"

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
