/* procedure.c: CALL: from a procedure's text to an activation and back; SET and SELECT ... INTO. */
#include "semantics/procedure_internal.h"

#include "src/sql/resolve.h"

#include <stdlib.h>

/* ---- Code ------------------------------------------------------------------------------ */

static void code_refuse(ProcedureCode *code, PrepareAnswer answer, ErrorClass error, const char *message) {
  code->answer = answer;
  code->error = error;
  code->message = message ? message : "the procedure is not modelled";
}

static void code_make(Engine *engine, ProcedureCode *code) {
  Procedure *procedure = code->procedure;
  Resolution resolution = {0};
  arena_clear(&code->arena);
  code->version = engine->schema.version;
  code->text = procedure->text;
  procedure->resolved_version = 0; /* its tree went with the arena */
  ResolveAnswer answer = resolve_procedure(&engine->schema, &code->arena, procedure, &resolution);
  if (answer == RESOLVE_ERROR) {
    code_refuse(code, PREPARE_ERROR, resolution.error, resolution.message);
  } else if (answer == RESOLVE_UNMODELLED) {
    code_refuse(code, PREPARE_UNMODELLED, ERROR_NONE, resolution.message);
  } else {
    code->answer = PREPARE_OK;
    code->body = procedure->body;
    code->inputs = procedure->inputs;
  }
}

static ProcedureCode *code_of(Engine *engine, Procedure *procedure) {
  ProcedureCode *code = NULL;
  for (uint32_t i = 0; i < engine->codes.count && !code; i++)
    if (engine->codes.items[i]->procedure == procedure) code = engine->codes.items[i];
  if (!code) {
    code = memory_new(sizeof *code);
    code->procedure = procedure;
    ARRAY_PUSH(&engine->codes, code);
  }
  if (code->version != engine->schema.version && !code->is_running) code_make(engine, code);
  return code;
}

const Statement *procedure_body(Engine *engine, const Statement *call) {
  if (!call->call.procedure || call->call.procedure->is_foreign) return NULL;
  const ProcedureCode *code = code_of(engine, call->call.procedure);
  return code->answer == PREPARE_OK ? code->body : NULL;
}

void procedure_codes_free(Engine *engine) {
  for (uint32_t i = 0; i < engine->codes.count; i++) {
    arena_free(&engine->codes.items[i]->arena);
    free(engine->codes.items[i]);
  }
  ARRAY_FREE(&engine->codes);
  arena_free(&engine->steps);
}

/* ---- Activations --------------------------------------------------------------------------- */

static void activation_start(Activation *activation, Effect *effect, ProcedureCode *code) {
  const Procedure *procedure = code->procedure;
  *activation = (Activation){.engine = effect->engine,
                             .outcome = effect->outcome,
                             .results = effect->results,
                             .code = code,
                             .eval = engine_eval(effect->engine, &effect->engine->steps, code->inputs)};
  activation->eval.eager = effect->eval->eager;
  activation->eval.plan_arena = &code->arena;
  activation->slots = memory_new((procedure->variable_count + 1) * sizeof *activation->slots);
  activation->eval.variables = memory_new((procedure->variable_count + 1) * sizeof(Value));
  activation->cursors = memory_new((procedure->cursor_count + 1) * sizeof *activation->cursors);
  for (uint32_t i = 0; i < procedure->variable_count; i++)
    activation->slots[i].type = procedure->variable_types[i];
  code->is_running = true;
}

static void activation_end(Activation *activation) {
  const Procedure *procedure = activation->code->procedure;
  for (uint32_t i = 0; i < procedure->variable_count; i++) free(activation->slots[i].memory);
  for (uint32_t i = 0; i < procedure->cursor_count; i++) cursor_free(&activation->cursors[i]);
  free(activation->slots);
  free(activation->eval.variables);
  free(activation->cursors);
  ARRAY_FREE(&activation->handlers);
  activation->code->is_running = false;
}

/* Arguments are evaluated where the CALL stands. */
static bool arguments_pass(Effect *effect, Activation *activation, const Statement *statement) {
  const Procedure *procedure = activation->code->procedure;
  for (uint32_t i = 0; i < procedure->parameters.count; i++) {
    if (procedure->parameters.items[i].mode == PARAMETER_OUT) continue;
    const Expr *arg = statement->call.args.items[i];
    Value value = expr_eval(effect->eval, arg);
    if (effect->eval->abort) return false;
    flow_assign(activation, (int32_t)i, value, arg->type);
    if (activation->eval.abort == ABORT_NONE) continue;
    effect->eval->abort = activation->eval.abort;
    effect->eval->error = activation->eval.error;
    effect->eval->reason = activation->eval.reason;
    return false;
  }
  return true;
}

/* Where an OUT argument goes. */
static void argument_return(Effect *effect, const Expr *arg, Value value, Type type) {
  if (arg->kind == EXPR_USER_VARIABLE)
    variable_assign(session_variable(effect->engine, arg->name), value, type);
  else if (arg->kind == EXPR_VARIABLE && effect->activation)
    flow_assign(effect->activation, arg->index, value, type);
}

static void arguments_return(Effect *effect, const Activation *activation, const Statement *statement) {
  const Procedure *procedure = activation->code->procedure;
  for (uint32_t i = 0; i < procedure->parameters.count; i++)
    if (procedure->parameters.items[i].mode != PARAMETER_IN)
      argument_return(effect, statement->call.args.items[i], activation->slots[i].value,
                      activation->slots[i].type);
}

/* How the activation ended becomes how the CALL ended. */
static bool call_finish(Effect *effect, Activation *activation, FlowAnswer answer) {
  Eval *eval = &activation->eval;
  if (answer != FLOW_ABORT) return true;
  if (eval->abort == ABORT_UNMODELLED || eval->abort == ABORT_DOUBT) {
    effect->eval->abort = eval->abort;
    effect->eval->reason =
        eval->reason ? arena_text(effect->results, eval->reason, strlen(eval->reason)) : NULL;
    return false;
  }
  effect->errors |= activation->errors;
  if (!effect->outcome->reason) effect->outcome->reason = activation->reason;
  return false;
}

static bool call_run(Effect *effect, ProcedureCode *code, const Statement *statement) {
  Engine *engine = effect->engine;
  Activation activation;
  UndoMark mark = store_mark(engine->store);
  activation_start(&activation, effect, code);
  engine->call_depth++;
  bool is_done = arguments_pass(effect, &activation, statement);
  if (is_done) is_done = call_finish(effect, &activation, flow_run(&activation, code->body));
  if (is_done) arguments_return(effect, &activation, statement);
  engine->call_depth--;
  engine->last_call_had_effects |= store_mark(engine->store) != mark;
  /* MariaDB adds up what the statements of the body counted; MySQL tells of the last one only. */
  if (engine->schema.dialect.name == DIALECT_MARIADB) effect_count(effect, activation.affected);
  activation_end(&activation);
  return is_done && !effect->eval->abort;
}

bool procedure_call(Effect *effect, const Statement *statement) {
  ProcedureCode *code = code_of(effect->engine, statement->call.procedure);
  if (code->answer == PREPARE_ERROR) return effect_fail(effect, code->error, "%s", code->message);
  if (code->answer != PREPARE_OK) {
    eval_unmodelled(effect->eval, "%s", code->message);
    return false;
  }
  if (code->is_running || effect->engine->call_depth >= CALL_DEPTH) {
    eval_unmodelled(effect->eval, "a procedure that calls itself");
    return false;
  }
  return call_run(effect, code, statement);
}

/* ---- SET and SELECT ... INTO ------------------------------------------------------------------ */

static bool set_is_user_variable(const Effect *effect, const SetTarget *target) {
  return !(target->variable >= 0 && effect->activation) && target->name[0] == '@' && target->name[1] != '@';
}

/* One SET reads all user variables before it assigns any; variables of a procedure are set one after the
 * other. */
bool procedure_set(Effect *effect, const Statement *statement) {
  Value *values = arena_alloc(effect->eval->arena, (statement->set.count + 1) * sizeof *values);
  for (uint32_t i = 0; i < statement->set.count; i++) {
    const SetTarget *target = &statement->set.items[i];
    values[i] = expr_operand(effect->eval, target->value);
    if (!effect->eval->abort && target->variable >= 0 && effect->activation)
      flow_assign(effect->activation, target->variable, values[i], target->value->type);
    else if (!effect->eval->abort && !set_is_user_variable(effect, target))
      eval_unmodelled(effect->eval, "SET %s", target->name);
    if (effect->eval->abort) return effect_collect(effect) && false;
  }
  for (uint32_t i = 0; i < statement->set.count; i++) {
    const SetTarget *target = &statement->set.items[i];
    if (set_is_user_variable(effect, target))
      variable_assign(session_variable(effect->engine, target->name), values[i], target->value->type);
  }
  return true;
}

static bool into_assign(Effect *effect, const Statement *statement, const ResultSet *result) {
  const NameList *names = &statement->select->into;
  for (uint32_t i = 0; i < names->count; i++) {
    int32_t slot = i < statement->into_variables.count ? statement->into_variables.items[i] : -1;
    if (slot >= 0 && effect->activation)
      flow_assign(effect->activation, slot, result->rows[0].values[i], result->column_types[i]);
    else
      variable_assign(session_variable(effect->engine, names->items[i]), result->rows[0].values[i],
                      result->column_types[i]);
    if (effect->eval->abort) return effect_collect(effect) && false;
  }
  return true;
}

/* Too many rows: the server has assigned the first one by the time it notices, and a handler may go on with
 * it. */
static bool into_several(Effect *effect, const Statement *statement, const ResultSet *result) {
  bool is_free = !result->is_ordered || result->rows[0].tie == result->rows[1].tie;
  if (!is_free) {
    if (!into_assign(effect, statement, result)) return false;
  } else if (effect->activation && condition_is_watched(effect->activation, ERROR_BIT(ERROR_CARDINALITY))) {
    eval_unmodelled(effect->eval, "a handler goes on after SELECT ... INTO found several rows in no order");
    return false;
  }
  return effect_fail(effect, ERROR_CARDINALITY, "SELECT ... INTO found more than one row");
}

bool procedure_select_into(Effect *effect, const Statement *statement) {
  Eval *eval = effect->eval;
  const Select *select = statement->select;
  ResultSet result;
  if (!query_run(eval, select, READ_PLAIN, &result))
    return effect_collect(effect) && false;
  if (result.has_slice || (result.row_count == 1 && result.rows[0].alternative_count)) {
    eval_unmodelled(eval, "SELECT ... INTO of a row that SQL leaves open");
    return false;
  }
  if (result.column_count != select->into.count)
    return effect_fail(effect, ERROR_TYPE, "SELECT ... INTO has another number of columns");
  effect->not_found = result.row_count == 0;
  effect_count(effect, result.row_count);
  if (result.row_count > 1) return into_several(effect, statement, &result);
  return result.row_count == 0 || into_assign(effect, statement, &result);
}
