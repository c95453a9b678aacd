/* copy.c: a transaction that outlives its line: every pointer copied into one arena. */
#include "src/transcript/transcript.h"

static const char *text_copy(Arena *arena, const char *text) {
  return text ? arena_text(arena, text, strlen(text)) : NULL;
}

static Observed observed_copy(Arena *arena, Observed observed) {
  observed.value = value_copy(arena, observed.value);
  if (observed.text) observed.text = arena_text(arena, observed.text, observed.text_length);
  return observed;
}

static ObservedRow row_copy(Arena *arena, const ObservedRow *row) {
  ObservedRow copy = {row->count, ARENA_ARRAY(arena, Observed, row->count)};
  for (uint32_t i = 0; i < row->count; i++) copy.cells[i] = observed_copy(arena, row->cells[i]);
  return copy;
}

static void operation_copy(Arena *arena, Operation *operation) {
  operation->sql = operation->sql ? arena_text(arena, operation->sql, operation->sql_length) : NULL;
  operation->error = text_copy(arena, operation->error);
  operation->snapshot = text_copy(arena, operation->snapshot);
  operation->object = text_copy(arena, operation->object);
  operation->argument = observed_copy(arena, operation->argument);
  const NamedParam *params = operation->params;
  operation->params = ARENA_ARRAY(arena, NamedParam, operation->param_count);
  for (uint32_t i = 0; i < operation->param_count; i++) {
    NamedParam param = params[i];
    if (param.name) param.name = arena_text(arena, param.name, param.name_length);
    param.value = observed_copy(arena, param.value);
    operation->params[i] = param;
  }
  const char **columns = operation->columns;
  operation->columns = ARENA_ARRAY(arena, const char *, operation->column_count);
  for (uint32_t i = 0; i < operation->column_count; i++) operation->columns[i] = text_copy(arena, columns[i]);
  const ObservedRows *results = operation->results;
  operation->results = ARENA_ARRAY(arena, ObservedRows, operation->result_count);
  for (uint32_t i = 0; i < operation->result_count; i++) {
    ObservedRows rows = {results[i].count, ARENA_ARRAY(arena, ObservedRow, results[i].count)};
    for (uint32_t j = 0; j < rows.count; j++) rows.rows[j] = row_copy(arena, &results[i].rows[j]);
    operation->results[i] = rows;
  }
}

Transaction *transaction_copy(Arena *arena, const Transaction *transaction) {
  Transaction *copy = ARENA_NEW(arena, Transaction);
  *copy = *transaction;
  copy->name = text_copy(arena, transaction->name);
  copy->session = text_copy(arena, transaction->session);
  copy->level = text_copy(arena, transaction->level);
  copy->xid = text_copy(arena, transaction->xid);
  copy->snapshot = text_copy(arena, transaction->snapshot);
  copy->operations = ARENA_ARRAY(arena, Operation, transaction->operation_count);
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    copy->operations[i] = transaction->operations[i];
    operation_copy(arena, &copy->operations[i]);
  }
  return copy;
}
