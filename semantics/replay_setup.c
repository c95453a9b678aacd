/* replay_setup.c: set-up lines build state 0. */
#include "semantics/replay_internal.h"

#include "semantics/initial.h"

#include <stdio.h>
#include <strings.h>

bool replay_setup(Replay *replay, const Line *line, Diag *diag) {
  const char *unmodelled = NULL;
  engine_begin(replay->engine, 0);
  bool done = engine_setup(replay->engine, line->setup, strlen(line->setup),
                           replay_place(replay, line, "setup"), diag, &unmodelled);
  engine_commit(replay->engine);
  arena_clear(engine_arena(replay->engine));
  if (!done && diag->failed) return false;
  if (unmodelled) replay_put_aside(replay, line, NULL, 0, line->setup, unmodelled, false);
  return true;
}

bool replay_columns(Replay *replay, const Line *line, const Table *table, uint32_t *columns, Diag *diag) {
  for (uint32_t i = 0; i < line->table.column_count; i++) {
    int32_t column = table_column(table, line->table.columns[i]);
    for (uint32_t j = 0; column < 0 && j < table->column_count; j++) /* as CREATE TABLE spelled it */
      if (strcasecmp(table->columns[j].name, line->table.columns[i]) == 0) column = (int32_t)j;
    if (column < 0)
      return diag_fail(diag, replay_place(replay, line, "columns"), "table '%s' has no column '%s'",
                       table->name, line->table.columns[i]);
    columns[i] = (uint32_t)column;
  }
  return true;
}

Table *replay_table_named(Replay *replay, const Line *line, const char *field, Diag *diag) {
  Schema *schema = engine_schema(replay->engine);
  Table *table = schema_table_spelled(schema, engine_arena(replay->engine), line->table.table);
  const char *lost = table ? engine_lost(replay->engine, table) : engine_schema_doubt(replay->engine);
  if (lost) return replay_put_aside(replay, line, NULL, 0, line->table.table, lost, true), NULL;
  if (!table) diag_fail(diag, replay_place(replay, line, field), "unknown table '%s'", line->table.table);
  return table;
}

static Value replay_cell(Replay *replay, const Cell *cell, Type type) {
  if (cell->kind == CELL_VALUE) return cell->value;
  replay->is_open = true;
  Doubts *doubts = engine_doubts(replay->engine);
  if (cell->kind == CELL_ANY)
    return doubt_new(doubts, DOUBT_FREE, type_of(TYPE_UNKNOWN), "a cell given as any value");
  Value doubt = doubt_new(doubts, DOUBT_IN, type, "a cell given as one of several values");
  doubts->doubts.items[doubt.doubt].value = value_copy(&doubts->arena, cell->value);
  return doubt;
}

static bool replay_rows(Replay *replay, const Line *line, Diag *diag) {
  Table *table = replay_table_named(replay, line, "table", diag);
  if (!table) return !diag->failed;
  uint32_t width = line->table.has_columns ? line->table.column_count : table->column_count;
  uint32_t *columns = arena_alloc(engine_arena(replay->engine), (width + 1) * sizeof *columns);
  Value *values = arena_alloc(engine_arena(replay->engine), (width + 1) * sizeof *values);
  if (line->table.has_columns && !replay_columns(replay, line, table, columns, diag)) return false;
  for (uint32_t row = 0; row < line->table.row_count; row++) {
    char field[48];
    snprintf(field, sizeof field, "rows[%u]", row);
    Place place = replay_place(replay, line, field);
    if (line->table.rows[row].count != width)
      return diag_fail(diag, place, "the row has %u values, table '%s' takes %u", line->table.rows[row].count,
                       table->name, width);
    for (uint32_t i = 0; i < width; i++) {
      uint32_t column = line->table.has_columns ? columns[i] : i;
      values[i] = replay_cell(replay, &line->table.rows[row].cells[i], table->columns[column].type);
      replay->is_bound |=
          values[i].kind == VALUE_DOUBT && initial_cell_is_bound(replay->engine, table, column);
    }
    if (!engine_load_row(replay->engine, table, line->table.has_columns ? columns : NULL, width, values,
                         place, diag))
      return false;
  }
  return true;
}

bool replay_initial_rows(Replay *replay, const Line *line, Diag *diag) {
  engine_begin(replay->engine, 0);
  bool done = replay_rows(replay, line, diag);
  engine_commit(replay->engine);
  arena_clear(engine_arena(replay->engine));
  return done;
}
