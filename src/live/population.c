/* population.c: rows are collected into batches: one INSERT and one `table` line each. */
#include "src/live/population.h"

#include "src/live/observe.h"
#include "src/live/request.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 500 };

static void population_send(Population *population, const char *sql) {
  Reply reply;
  if (population->diag->failed) return;
  driver_run(population->connection, &population->arena, sql, &reply);
  if (reply.error) diag_fail(population->diag, PLACE_NONE, "%s, in: %.200s", reply.message, sql);
}

void population_begin(Population *population, Recorder *recorder, Connection *connection, uint64_t seed,
                      Diag *diag) {
  *population = (Population){.recorder = recorder, .connection = connection, .diag = diag};
  arena_init(&population->arena);
  random_seed(&population->random, seed, 0, 0);
}

/* MariaDB's TIMESTAMP is another type than the others', which it calls DATETIME. */
static const char *dialect_types(Arena *arena, DialectName dialect, const char *sql) {
  static const char word[] = "TIMESTAMP", replacement[] = "DATETIME";
  if (dialect != DIALECT_MARIADB && dialect != DIALECT_MYSQL) return sql;
  const char *found = strstr(sql, word);
  if (!found) return sql;
  const char *rest = dialect_types(arena, dialect, found + sizeof word - 1);
  return arena_format(arena, "%.*s%s%s", (int)(found - sql), sql, replacement, rest);
}

void population_define(Population *population, const char *sql) {
  sql = dialect_types(&population->arena, population->connection->dialect, sql);
  population_send(population, sql);
  TranscriptWriter *writer = population->recorder->writer;
  if (writer && !population->diag->failed) transcript_write_setup(writer, sql);
}

/* ---- rows ---- */

static const char *batch_insert(Population *population) {
  Arena *arena = &population->arena;
  ARRAY(char) text = {0};
  const char *head =
      arena_format(arena, "INSERT INTO %s (%s) VALUES ", population->table, population->columns);
  for (const char *at = head; *at; at++) ARENA_PUSH(arena, &text, *at);
  for (uint32_t row = 0; row < population->rows.count; row++) {
    for (uint32_t i = 0; i < population->column_count; i++) {
      ARENA_PUSH(arena, &text, i ? ',' : '(');
      const char *literal =
          request_literal(arena, population->connection->dialect, population->rows.items[row][i]);
      for (; *literal; literal++) ARENA_PUSH(arena, &text, *literal);
    }
    ARENA_PUSH(arena, &text, ')');
    ARENA_PUSH(arena, &text, row + 1 < population->rows.count ? ',' : 0);
  }
  return text.items;
}

static void batch_record(Population *population) {
  Arena *arena = &population->arena;
  TableLine line = {
      .table = population->table,
      .has_columns = true,
      .column_count = population->column_count,
      .columns = ARENA_ARRAY(arena, const char *, population->column_count),
      .row_count = population->rows.count,
      .rows = arena_zero(arena, population->rows.count * sizeof *line.rows),
  };
  const char *name = population->columns;
  for (uint32_t i = 0; i < line.column_count; i++) {
    name += strspn(name, ", ");
    size_t length = strcspn(name, ", ");
    line.columns[i] = arena_text(arena, name, length);
    name += length;
  }
  for (uint32_t row = 0; row < line.row_count; row++) {
    line.rows[row].count = line.column_count;
    line.rows[row].cells = ARENA_ARRAY(arena, Cell, line.column_count);
    for (uint32_t i = 0; i < line.column_count; i++) {
      Observed value = observe_param(arena, population->connection->dialect, population->rows.items[row][i]);
      line.rows[row].cells[i] = (Cell){CELL_VALUE, value.value};
    }
  }
  transcript_write_table(population->recorder->writer, &line);
}

static void batch_end(Population *population) {
  if (population->rows.count) {
    population_send(population, batch_insert(population));
    if (population->recorder->writer && !population->diag->failed) batch_record(population);
  }
  population->rows.items = NULL;
  population->rows.count = population->rows.room = 0;
  arena_clear(&population->arena);
}

void population_table(Population *population, const char *table, const char *columns) {
  batch_end(population);
  population->table = table;
  population->columns = columns;
  population->column_count = 1;
  for (; *columns; columns++) population->column_count += *columns == ',';
}

void population_row(Population *population, const char *letters, ...) {
  if (population->diag->failed) return;
  if (population->rows.count == BATCH) batch_end(population);
  va_list arguments;
  va_start(arguments, letters);
  Value *values = request_values(&population->arena, letters, arguments);
  va_end(arguments);
  for (uint32_t i = 0; i < population->column_count; i++) /* texts may be the caller's own buffers */
    values[i] = value_copy(&population->arena, values[i]);
  ARENA_PUSH(&population->arena, &population->rows, values);
}

bool population_end(Population *population) {
  batch_end(population);
  arena_free(&population->arena);
  return !population->diag->failed;
}
