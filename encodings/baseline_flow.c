/* baseline_flow.c: one statement, also of a procedure: branches are executed one after the other, each under its
 * condition, and so are their writes and assignments. */
#include "encodings/baseline_internal.h"

#include "semantics/procedure.h"

static bool list_run(Baseline *baseline, const StatementList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    StatementResult result = {0};
    if (!statement_symbolic(baseline, list->items[i], &result)) return false;
  }
  return true;
}

/* ---- Variables ---------------------------------------------------------------------------------------- */

static const Type *variable_types(const Baseline *baseline) { return baseline->procedure->variable_types; }

static bool variable_set(Baseline *baseline, int32_t slot, Term guard, Symbol value) {
  if (slot < 0 || !baseline->variables) return baseline_refuse(baseline, "a user variable");
  Symbol stored = symbol_store(baseline, value, variable_types(baseline)[slot], "a variable");
  if (baseline->reason) return false;
  baseline->variables[slot] = symbol_ite(baseline, term_and(baseline->terms, baseline->path, guard), stored,
                                         baseline->variables[slot]);
  return !baseline->reason;
}

static bool set_run(Baseline *baseline, const Statement *statement) {
  step_begin(baseline, false);
  for (uint32_t i = 0; i < statement->set.count; i++) {
    const SetTarget *target = &statement->set.items[i];
    if (target->variable < 0) return baseline_refuse(baseline, "SET of a user variable");
    Symbol value = symbol_eval(baseline, NULL, target->value);
    if (baseline->reason || !variable_set(baseline, target->variable, TERM_TRUE, value)) return false;
  }
  return true;
}

static bool declare_run(Baseline *baseline, const Flow *flow) {
  for (uint32_t i = 0; i < flow->variables.count && !baseline->reason; i++) {
    Symbol value = symbol_constant(baseline, NULL_VALUE);
    if (flow->value) {
      step_begin(baseline, false);
      value = symbol_eval(baseline, NULL, flow->value);
    }
    if (!baseline->reason) variable_set(baseline, flow->variables.items[i], TERM_TRUE, value);
  }
  return !baseline->reason;
}

static bool into_run(Baseline *baseline, const Statement *statement, const SymbolRows *rows) {
  Terms *terms = baseline->terms;
  Term *present = memory_new((rows->count + 1) * sizeof *present);
  for (uint32_t i = 0; i < rows->count; i++) present[i] = rows->items[i].is_present;
  Term single = term_count_between(terms, present, rows->count, 0, 1);
  free(present);
  baseline_require(baseline, term_implies(terms, baseline->path, single));
  for (uint32_t i = 0; i < rows->count; i++)
    for (uint32_t k = 0; k < statement->into_variables.count; k++)
      if (!variable_set(baseline, statement->into_variables.items[k], rows->items[i].is_present,
                        rows->items[i].cells[k]))
        return false;
  return true;
}

/* ---- Control ------------------------------------------------------------------------------------------- */

static bool if_run(Baseline *baseline, const Flow *flow) {
  Term before = baseline->path;
  bool done = true;
  for (uint32_t i = 0; done && i < flow->branches.count; i++) {
    const Branch *branch = &flow->branches.items[i];
    Term holds = TERM_TRUE, rest = baseline->path;
    if (branch->condition) {
      step_begin(baseline, false);
      holds = symbol_holds(baseline, NULL, branch->condition);
    }
    baseline->path = term_and(baseline->terms, rest, holds);
    done = !baseline->reason && list_run(baseline, &branch->body);
    baseline->path = term_and(baseline->terms, rest, term_not(baseline->terms, holds));
  }
  baseline->path = before;
  return done;
}

static bool call_run(Baseline *baseline, const Statement *statement) {
  Procedure *procedure = statement->call.procedure;
  const Statement *body = procedure_body(baseline->replay->engine, statement);
  if (!body) return baseline_refuse(baseline, "this procedure");
  if (baseline->call_depth >= CALL_DEPTH) return baseline_refuse(baseline, "a procedure that calls itself");
  Symbol *variables = ARENA_ARRAY(&baseline->memory, Symbol, procedure->variable_count + 1);
  for (uint32_t i = 0; i < procedure->variable_count; i++) variables[i] = symbol_constant(baseline, NULL_VALUE);
  for (uint32_t i = 0; i < procedure->parameters.count && !baseline->reason; i++) {
    if (procedure->parameters.items[i].mode != PARAMETER_IN) return baseline_refuse(baseline, "an OUT parameter");
    Symbol value = symbol_eval(baseline, NULL, statement->call.args.items[i]);
    if (baseline->reason) return false;
    variables[i] = symbol_store(baseline, value, procedure->variable_types[i], "a parameter");
  }
  const Procedure *caller = baseline->procedure;
  Symbol *callers = baseline->variables;
  const Value *inputs = baseline->inputs;
  baseline->procedure = procedure;
  baseline->variables = variables;
  baseline->inputs = procedure->inputs;
  baseline->call_depth++;
  StatementResult result = {0};
  bool done = !baseline->reason && statement_symbolic(baseline, body, &result);
  baseline->call_depth--;
  baseline->procedure = caller;
  baseline->variables = callers;
  baseline->inputs = inputs;
  return done;
}

static bool select_run(Baseline *baseline, const Statement *statement, StatementResult *result) {
  step_begin(baseline, false);
  result->has_rows = true;
  result->select = statement->select;
  result->columns = statement->select->outputs.count;
  if (!query_rows(baseline, NULL, statement->select, &result->rows)) return false;
  if (!statement->select->into.count) return true;
  result->has_rows = false;
  return into_run(baseline, statement, &result->rows);
}

bool statement_symbolic(Baseline *baseline, const Statement *statement, StatementResult *result) {
  switch ((StatementKind)statement->kind) {
  case STATEMENT_SELECT: return select_run(baseline, statement, result);
  case STATEMENT_INSERT: return step_begin(baseline, false), effect_insert_symbolic(baseline, statement->insert, result);
  case STATEMENT_UPDATE: return step_begin(baseline, false), effect_update_symbolic(baseline, statement->update, result);
  case STATEMENT_DELETE: return step_begin(baseline, false), effect_delete_symbolic(baseline, statement->delete_, result);
  case STATEMENT_CALL: return call_run(baseline, statement);
  case STATEMENT_BLOCK: return list_run(baseline, &statement->flow->body);
  case STATEMENT_DECLARE: return declare_run(baseline, statement->flow);
  case STATEMENT_SET: return set_run(baseline, statement);
  case STATEMENT_IF: return if_run(baseline, statement->flow);
  default: return baseline_refuse(baseline, "%s", statement_kind_name(statement->kind));
  }
}
