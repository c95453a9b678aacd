/* procedure_flow.c: the statements of a procedure's body. */
#include "semantics/procedure_internal.h"

#include "src/base/limit.h"

/* Far beyond any stored procedure; a loop that does not end is set aside. */
enum { STEP_LIMIT = 10000000 };

/* ---- Values --------------------------------------------------------------------------- */

void flow_step(Activation *activation) {
  arena_clear(&activation->engine->steps);
  activation->eval.cache = NULL;
}

/* A read step of its own, where the expression holds subqueries. */
static void flow_condition(Activation *activation) {
  flow_step(activation);
  store_step(activation->engine->store);
  activation->eval.purpose = READ_CONDITION;
}

Value flow_value(Activation *activation, const Expr *expr) {
  flow_condition(activation);
  return expr_operand(&activation->eval, expr);
}

void flow_assign(Activation *activation, int32_t slot, Value value, Type from) {
  Type type = activation->slots[slot].type;
  Column column = {.name = "", .type = type};
  Effect effect = {.engine = activation->engine,
                   .eval = &activation->eval,
                   .outcome = activation->outcome,
                   .results = activation->results};
  bool was_writing = activation->eval.in_write;
  activation->eval.in_write = true; /* strict mode applies to variables too */
  value = effect_store(&effect, value, from, &column);
  activation->eval.in_write = was_writing;
  activation->engine->is_salvageable = false;
  if (activation->eval.abort) return;
  variable_assign(&activation->slots[slot], value, type);
  activation->eval.variables[slot] = activation->slots[slot].value;
}

FlowAnswer flow_outcome(Activation *activation) {
  Eval *eval = &activation->eval;
  if (eval->abort == ABORT_NONE) return FLOW_NEXT;
  if (eval->abort != ABORT_ERROR) return FLOW_ABORT;
  eval->abort = ABORT_NONE;
  return condition_raise(activation, ERROR_BIT(eval->error), false, eval->reason);
}

/* -1: aborted or handled, *answer tells what to do. */
static int flow_truth(Activation *activation, const Expr *condition, FlowAnswer *answer) {
  flow_condition(activation);
  int truth = expr_truth(&activation->eval, condition);
  if (!activation->eval.abort) return truth == 1;
  *answer = flow_outcome(activation);
  return -1;
}

/* ---- Statements with effects -------------------------------------------------------------- */

/* Rows may show the text of variables, which later statements change and the end of the procedure frees. */
static void result_keep(Arena *arena, const ResultSet *set) {
  for (uint32_t r = 0; r < set->row_count; r++) {
    Value *values = arena_alloc(arena, (set->column_count + 1) * sizeof *values);
    for (uint32_t i = 0; i < set->column_count; i++) values[i] = value_copy(arena, set->rows[r].values[i]);
    set->rows[r].values = values;
  }
}

static void leaf_show(Activation *activation, const Outcome *outcome, const Statement *statement) {
  for (uint32_t i = 0; i < outcome->results.count; i++) {
    if (statement->kind != STATEMENT_CALL) result_keep(activation->results, &outcome->results.items[i]);
    ARENA_PUSH(activation->results, &activation->outcome->results, outcome->results.items[i]);
  }
  if (outcome->has_affected) activation->affected += outcome->affected;
}

static void leaf_done(Activation *activation, const Effect *effect, const Statement *statement) {
  const Outcome *outcome = effect->outcome;
  leaf_show(activation, outcome, statement);
  activation->outcome->possible |= outcome->possible;
}

static FlowAnswer leaf_failed(Activation *activation, const Effect *effect, const Statement *statement,
                              UndoMark mark) {
  Eval *eval = &activation->eval;
  bool is_error = eval->abort == ABORT_NONE || eval->abort == ABORT_ERROR;
  bool keeps =
      statement->kind == STATEMENT_CALL && !dialect_undoes_calls(&activation->engine->schema.dialect);
  if (is_error && !keeps) store_undo(activation->engine->store, mark);
  if (!is_error) return FLOW_ABORT;
  /* What a procedure showed and counted before it failed has been seen. */
  if (keeps) leaf_show(activation, effect->outcome, statement);
  ErrorSet errors =
      effect->errors | effect->outcome->possible | (eval->abort == ABORT_ERROR ? ERROR_BIT(eval->error) : 0);
  eval->abort = ABORT_NONE;
  activation->omits_default = effect->omits_default;
  return condition_raise(activation, errors, false, effect->outcome->reason);
}

static FlowAnswer flow_leaf(Activation *activation, const Statement *statement) {
  Engine *engine = activation->engine;
  flow_step(activation);
  if (statement->kind >= STATEMENT_CREATE_TABLE && statement->kind <= STATEMENT_DROP_PROCEDURE) {
    eval_unmodelled(&activation->eval, "a definition inside a procedure");
    return FLOW_ABORT;
  }
  Outcome outcome = {.affected_also = -1};
  Effect effect = {.engine = engine,
                   .eval = &activation->eval,
                   .outcome = &outcome,
                   .results = activation->results,
                   .text = activation->code->text,
                   .activation = activation};
  UndoMark mark = store_mark(engine->store);
  engine->statement_doubts = engine->doubts.doubts.count;
  if (!dialect_is_postgres(&engine->schema.dialect)) engine->clocks.count = 0;
  bool is_done = effect_run(&effect, statement) && !effect.errors && !activation->eval.abort;
  activation->eval.in_write = false;
  activation->eval.frame = NULL;
  engine->is_salvageable = false;
  if (!is_done) return leaf_failed(activation, &effect, statement, mark);
  if (outcome.possible && condition_is_watched(activation, outcome.possible)) {
    eval_unmodelled(&activation->eval, "an error that need not occur would be handled");
    return FLOW_ABORT;
  }
  leaf_done(activation, &effect, statement);
  return effect.not_found ? condition_raise(activation, 0, true, NULL) : FLOW_NEXT;
}

/* ---- Blocks and branches -------------------------------------------------------------------- */

static bool label_is(const Activation *activation, const Flow *flow) {
  return flow->label && activation->label && strcmp(activation->label, flow->label) == 0;
}

FlowAnswer flow_list(Activation *activation, const StatementList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    FlowAnswer answer = flow_run(activation, list->items[i]);
    if (answer != FLOW_NEXT) return answer;
  }
  return FLOW_NEXT;
}

static FlowAnswer flow_block(Activation *activation, const Flow *flow) {
  uint32_t handlers = activation->handlers.count, limit = activation->handler_limit;
  uint32_t block = ++activation->block;
  /* A block inside a handler's body: handlers that are out of force stay below, out of sight. */
  activation->handlers.count = limit;
  ARRAY(Handler) hidden = {0};
  for (uint32_t i = limit; i < handlers; i++) ARRAY_PUSH(&hidden, activation->handlers.items[i]);
  FlowAnswer answer = flow_list(activation, &flow->body);
  activation->handlers.count = limit;
  for (uint32_t i = 0; i < hidden.count; i++) ARRAY_PUSH(&activation->handlers, hidden.items[i]);
  ARRAY_FREE(&hidden);
  activation->handler_limit = limit;
  activation->block = block - 1;
  if (answer == FLOW_EXIT && activation->exit_block == block) return FLOW_NEXT;
  if (answer == FLOW_LEAVE && label_is(activation, flow)) return FLOW_NEXT;
  return answer;
}

static FlowAnswer flow_declare(Activation *activation, const Flow *flow) {
  for (uint32_t i = 0; i < flow->variables.count; i++) {
    Value value = flow->value ? flow_value(activation, flow->value) : NULL_VALUE;
    Type type = flow->value ? flow->value->type : type_of(TYPE_UNKNOWN);
    if (!activation->eval.abort) flow_assign(activation, flow->variables.items[i], value, type);
    FlowAnswer answer = flow_outcome(activation);
    if (answer != FLOW_NEXT) return answer;
  }
  return FLOW_NEXT;
}

static FlowAnswer flow_declare_handler(Activation *activation, const Flow *flow) {
  for (uint32_t i = 0; i < flow->conditions.count; i++) {
    if (flow->conditions.items[i].kind != HANDLER_SQLWARNING &&
        flow->conditions.items[i].kind != HANDLER_NAMED)
      continue;
    eval_unmodelled(&activation->eval, "a handler for warnings or for a named condition");
    return FLOW_ABORT;
  }
  ARRAY_PUSH(&activation->handlers, (Handler){flow, activation->block});
  activation->handler_limit = activation->handlers.count;
  return FLOW_NEXT;
}

static FlowAnswer flow_if(Activation *activation, const Flow *flow) {
  for (uint32_t i = 0; i < flow->branches.count; i++) {
    const Branch *branch = &flow->branches.items[i];
    FlowAnswer answer = FLOW_NEXT;
    int truth = branch->condition ? flow_truth(activation, branch->condition, &answer) : 1;
    if (truth < 0) return answer;
    if (truth) return flow_list(activation, &branch->body);
  }
  return FLOW_NEXT;
}

/* CASE operand WHEN value: the branch that is equal; -1: aborted. */
static int case_takes(Activation *activation, const Expr *operand, const Expr *when, FlowAnswer *answer) {
  flow_step(activation);
  Value a = expr_eval(&activation->eval, operand), b = NULL_VALUE;
  if (!activation->eval.abort) b = expr_eval(&activation->eval, when);
  int equal =
      activation->eval.abort ? -1 : operate_equal(&activation->eval, a, operand->type, b, when->type) == 1;
  if (!activation->eval.abort) return equal;
  *answer = flow_outcome(activation);
  return -1;
}

static FlowAnswer flow_case(Activation *activation, const Flow *flow) {
  for (uint32_t i = 0; i < flow->branches.count; i++) {
    const Branch *branch = &flow->branches.items[i];
    FlowAnswer answer = FLOW_NEXT;
    int takes = 1;
    if (branch->condition)
      takes = flow->condition ? case_takes(activation, flow->condition, branch->condition, &answer)
                              : flow_truth(activation, branch->condition, &answer);
    if (takes < 0) return answer;
    if (takes) return flow_list(activation, &branch->body);
  }
  return condition_signal(activation, "20000", "1339", ERROR_BIT(ERROR_OTHER), "no branch of CASE applies");
}

/* ---- Loops ------------------------------------------------------------------------------------- */

/* One round of a loop's body. *ends: the loop is over, and its answer is returned. */
static FlowAnswer loop_round(Activation *activation, const Flow *flow, bool *ends) {
  FlowAnswer answer = flow_list(activation, &flow->body);
  if (answer == FLOW_ITERATE && label_is(activation, flow)) answer = FLOW_NEXT;
  *ends = answer != FLOW_NEXT;
  if (answer == FLOW_LEAVE && label_is(activation, flow)) return FLOW_NEXT;
  return answer;
}

static bool loop_is_endless(Activation *activation) {
  const char *limit = limit_tick();
  if (limit) {
    eval_unmodelled(&activation->eval, "%s", limit);
    return true;
  }
  if (++activation->engine->call_steps < STEP_LIMIT) return false;
  eval_unmodelled(&activation->eval, "a procedure of more than %d steps", STEP_LIMIT);
  return true;
}

static FlowAnswer flow_loop(Activation *activation, const Statement *statement) {
  const Flow *flow = statement->flow;
  for (;;) {
    bool ends = false;
    FlowAnswer answer = FLOW_NEXT;
    if (loop_is_endless(activation)) return FLOW_ABORT;
    if (statement->kind == STATEMENT_WHILE) {
      int truth = flow_truth(activation, flow->condition, &answer);
      if (truth != 1) return answer;
    }
    answer = loop_round(activation, flow, &ends);
    if (ends) return answer;
    if (statement->kind == STATEMENT_REPEAT) {
      int truth = flow_truth(activation, flow->condition, &answer);
      if (truth != 0) return answer;
    }
  }
}

static bool bound_value(Activation *activation, const Expr *expr, int64_t *bound) {
  Value value = flow_value(activation, expr);
  if (activation->eval.abort) return false;
  if (value.kind == VALUE_INT) {
    *bound = value.integer;
    return true;
  }
  eval_unmodelled(&activation->eval, "a FOR loop over something else than integers");
  return false;
}

static FlowAnswer flow_for(Activation *activation, const Flow *flow) {
  if (!flow->upper) return cursor_loop(activation, flow);
  int64_t lower, upper;
  if (!bound_value(activation, flow->value, &lower) || !bound_value(activation, flow->upper, &upper))
    return flow_outcome(activation);
  for (int64_t i = 0; lower <= upper && i <= upper - lower; i++) {
    bool ends = false;
    if (loop_is_endless(activation)) return FLOW_ABORT;
    flow_assign(activation, flow->variables.items[0], value_int(flow->is_reverse ? upper - i : lower + i),
                type_int(8));
    FlowAnswer answer = flow_outcome(activation);
    if (answer == FLOW_NEXT) answer = loop_round(activation, flow, &ends);
    if (ends || answer != FLOW_NEXT) return answer;
  }
  return FLOW_NEXT;
}

/* ---- All of them ---------------------------------------------------------------------------------- */

static FlowAnswer flow_jump(Activation *activation, const Statement *statement) {
  activation->label = statement->flow->label;
  return statement->kind == STATEMENT_LEAVE ? FLOW_LEAVE : FLOW_ITERATE;
}

static FlowAnswer flow_signal(Activation *activation, const Flow *flow) {
  const char *state = flow->sqlstate ? flow->sqlstate : "45000";
  if (strncmp(state, "01", 2) == 0 || strncmp(state, "02", 2) == 0) {
    eval_unmodelled(&activation->eval, "SIGNAL of a warning");
    return FLOW_ABORT;
  }
  ErrorSet errors = error_set_of(&activation->engine->schema.dialect, state, strlen(state)) & ERROR_ANY;
  return condition_signal(activation, state, "1644", ERROR_BIT(ERROR_SIGNAL) | errors, "SIGNAL");
}

FlowAnswer flow_run(Activation *activation, const Statement *statement) {
  if (loop_is_endless(activation)) return FLOW_ABORT;
  switch (statement->kind) {
  case STATEMENT_BLOCK: return flow_block(activation, statement->flow);
  case STATEMENT_DECLARE: return flow_declare(activation, statement->flow);
  case STATEMENT_DECLARE_CURSOR:
    activation->cursors[statement->flow->cursor_index].select = statement->flow->select;
    return FLOW_NEXT;
  case STATEMENT_DECLARE_HANDLER: return flow_declare_handler(activation, statement->flow);
  case STATEMENT_IF: return flow_if(activation, statement->flow);
  case STATEMENT_CASE: return flow_case(activation, statement->flow);
  case STATEMENT_WHILE:
  case STATEMENT_REPEAT:
  case STATEMENT_LOOP: return flow_loop(activation, statement);
  case STATEMENT_FOR: return flow_for(activation, statement->flow);
  case STATEMENT_LEAVE:
  case STATEMENT_ITERATE: return flow_jump(activation, statement);
  case STATEMENT_OPEN: return cursor_open(activation, statement->flow);
  case STATEMENT_FETCH: return cursor_fetch(activation, statement->flow);
  case STATEMENT_CLOSE: return cursor_close(activation, statement->flow);
  case STATEMENT_SIGNAL: return flow_signal(activation, statement->flow);
  default: return flow_leaf(activation, statement);
  }
}
