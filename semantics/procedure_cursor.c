/* procedure_cursor.c: cursors: the rows are taken when the cursor is opened, and kept by it. */
#include "semantics/procedure_internal.h"

void cursor_free(Cursor *cursor) { arena_free(&cursor->arena); }

/* Rows may point into the store; what the loop writes must not change them. */
static void cursor_keep(Cursor *cursor) {
  ResultSet *result = &cursor->result;
  for (uint32_t r = 0; r < result->row_count; r++) {
    Value *values = arena_alloc(&cursor->arena, (result->column_count + 1) * sizeof *values);
    for (uint32_t i = 0; i < result->column_count; i++)
      values[i] = value_copy(&cursor->arena, result->rows[r].values[i]);
    result->rows[r].values = values;
  }
}

static bool rows_are_equal(const ResultSet *result, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < result->column_count; i++)
    if (!value_identical(result->rows[a].values[i], result->rows[b].values[i])) return false;
  return true;
}

/* Does SQL fix the order in which the rows come, up to rows that are alike? */
static bool order_is_fixed(const ResultSet *result) {
  for (uint32_t r = 1; r < result->row_count; r++)
    if (result->rows[r].tie == result->rows[r - 1].tie && !rows_are_equal(result, r - 1, r)) return false;
  return true;
}

static bool result_is_fixed(Activation *activation, const ResultSet *result) {
  bool is_free = result->has_slice;
  for (uint32_t r = 0; r < result->row_count; r++) is_free |= result->rows[r].alternative_count != 0;
  if (is_free) {
    eval_unmodelled(&activation->eval, "a cursor over rows that SQL leaves open");
    return false;
  }
  /* One admissible order is taken: a mismatch that follows from it proves nothing. */
  if (order_is_fixed(result)) return true;
  if (activation->engine->doubts.assumes_nothing) {
    eval_unmodelled(&activation->eval, "a cursor over rows in no fixed order");
    return false;
  }
  doubts_admit(&activation->engine->doubts);
  return true;
}

static bool cursor_fill(Activation *activation, Cursor *cursor, const Select *select) {
  Eval *eval = &activation->eval;
  Arena *arena = eval->arena;
  flow_step(activation);
  arena_clear(&cursor->arena);
  eval->arena = &cursor->arena;
  eval->purpose = READ_PLAIN;
  store_step(activation->engine->store);
  bool is_done = query_run(eval, select, READ_PLAIN, &cursor->result);
  eval->arena = arena;
  if (!is_done || !result_is_fixed(activation, &cursor->result)) return false;
  cursor_keep(cursor);
  cursor->next = 0;
  cursor->is_open = true;
  return true;
}

FlowAnswer cursor_open(Activation *activation, const Flow *flow) {
  Cursor *cursor = &activation->cursors[flow->cursor_index];
  if (cursor->is_open)
    return condition_raise(activation, ERROR_BIT(ERROR_CURSOR), false, "the cursor is open already");
  cursor_fill(activation, cursor, cursor->select);
  return flow_outcome(activation);
}

static FlowAnswer cursor_row(Activation *activation, Cursor *cursor, const Flow *flow) {
  const Value *values = cursor->result.rows[cursor->next++].values;
  for (uint32_t i = 0; i < flow->variables.count && !activation->eval.abort; i++) {
    Type type = cursor->result.column_types[i];
    if (flow->variables.items[i] >= 0)
      flow_assign(activation, flow->variables.items[i], values[i], type);
    else
      variable_assign(session_variable(activation->engine, flow->names.items[i]), values[i], type);
  }
  return flow_outcome(activation);
}

FlowAnswer cursor_fetch(Activation *activation, const Flow *flow) {
  Cursor *cursor = &activation->cursors[flow->cursor_index];
  if (!cursor->is_open)
    return condition_raise(activation, ERROR_BIT(ERROR_CURSOR), false, "the cursor is not open");
  if (cursor->next == cursor->result.row_count)
    return condition_raise(activation, ERROR_BIT(ERROR_NO_DATA), true, "no more rows to fetch");
  if (flow->variables.count != cursor->result.column_count) {
    eval_unmodelled(&activation->eval, "FETCH into another number of variables than the cursor has columns");
    return FLOW_ABORT;
  }
  return cursor_row(activation, cursor, flow);
}

FlowAnswer cursor_close(Activation *activation, const Flow *flow) {
  Cursor *cursor = &activation->cursors[flow->cursor_index];
  if (!cursor->is_open)
    return condition_raise(activation, ERROR_BIT(ERROR_CURSOR), false, "the cursor is not open");
  cursor->is_open = false;
  return FLOW_NEXT;
}

FlowAnswer cursor_loop(Activation *activation, const Flow *flow) {
  Cursor own = {0};
  const Select *select = flow->select ? flow->select : activation->cursors[flow->cursor_index].select;
  FlowAnswer answer = FLOW_NEXT;
  if (!cursor_fill(activation, &own, select)) {
    answer = flow_outcome(activation);
    cursor_free(&own);
    return answer;
  }
  while (own.next < own.result.row_count) {
    answer = cursor_row(activation, &own, flow);
    if (answer == FLOW_NEXT) answer = flow_list(activation, &flow->body);
    if (answer == FLOW_ITERATE && flow->label && strcmp(activation->label, flow->label) == 0)
      answer = FLOW_NEXT;
    if (answer != FLOW_NEXT) break;
  }
  if (answer == FLOW_LEAVE && flow->label && strcmp(activation->label, flow->label) == 0) answer = FLOW_NEXT;
  cursor_free(&own);
  return answer;
}
