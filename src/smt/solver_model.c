/* solver_model.c: values of terms in the model of the last check.
 *
 * Z3's model is fetched when first asked for, which costs as much as a small
 * check.  Variables get their values from it, completed by false and 0; terms
 * are then evaluated here, so that all answers are of one total assignment.  Where an
 * integer leaves 64 bits, Z3 evaluates the term in the same model. */
#include "src/smt/solver_state.h"

#include <assert.h>

void model_drop(Solver *solver) {
  if (solver->model_state == MODEL_HELD) Z3_model_dec_ref(solver->context, solver->model);
  solver->model_state = MODEL_DEFAULT;
  evaluation_reset(solver->evaluation);
}

static void model_need(Solver *solver) {
  if (solver->answer != ANSWER_SAT) fatal("a model was asked for without one");
  if (solver->model_state == MODEL_LOST) fatal("a model was asked for after its scope was popped");
  if (solver->model_state != MODEL_PENDING) return;
  solver->model = Z3_solver_get_model(solver->context, solver->solver);
  Z3_model_inc_ref(solver->context, solver->model);
  solver->model_state = MODEL_HELD;
}

/* The value of an expression in the model; false if it is beyond 64 bits. */
static bool expression_value(Solver *solver, Z3_ast expression, int64_t *value) {
  Z3_context context = solver->context;
  Z3_ast result;
  Z3_inc_ref(context, expression);
  if (!Z3_model_eval(context, solver->model, expression, true, &result)) fatal("the model has no value");
  Z3_inc_ref(context, result);
  bool fits = true;
  Z3_lbool truth = Z3_L_UNDEF;
  if (Z3_get_sort_kind(context, Z3_get_sort(context, result)) == Z3_BOOL_SORT) {
    truth = Z3_get_bool_value(context, result);
    if (truth == Z3_L_UNDEF) fatal("the model has no value");
    *value = truth == Z3_L_TRUE;
  } else {
    if (Z3_get_ast_kind(context, result) != Z3_NUMERAL_AST) fatal("the model has no value");
    fits = Z3_get_numeral_int64(context, result, value);
  }
  Z3_dec_ref(context, result);
  Z3_dec_ref(context, expression);
  return fits;
}

static bool model_variable(void *data, const Variable *variable, int64_t *value) {
  Solver *solver = data;
  *value = 0;
  if (solver->model_state == MODEL_JUSTIFIED) *value = justifier_value(solver->justifier, variable->node);
  if (solver->model_state != MODEL_HELD) return true;
  Z3_ast expression = lowering_variable(solver->terms->lowering, variable);
  return expression ? expression_value(solver, expression, value) : true;
}

static bool model_element(void *data, const Variable *array, int64_t index, int64_t *value) {
  Solver *solver = data;
  *value = 0;
  if (solver->model_state != MODEL_HELD) return true;
  Z3_ast expression = lowering_variable(solver->terms->lowering, array);
  if (!expression) return true;
  Z3_context context = solver->context;
  Z3_sort integers = Z3_mk_int_sort(context);
  Z3_inc_ref(context, Z3_sort_to_ast(context, integers));
  Z3_ast place = Z3_mk_int64(context, index, integers);
  Z3_inc_ref(context, place);
  bool fits = expression_value(solver, Z3_mk_select(context, expression, place), value);
  Z3_dec_ref(context, place);
  Z3_dec_ref(context, Z3_sort_to_ast(context, integers));
  return fits;
}

bool solver_model_fits(Solver *solver, Term term, int64_t *value) {
  solver_sync(solver);
  model_need(solver);
  Lowering *lowering = solver->model_state == MODEL_HELD ? terms_lowering(solver->terms) : NULL;
  Assignment assignment = {.variable = model_variable, .element = model_element, .data = solver};
  if (evaluation_value(solver->evaluation, solver->terms, term, &assignment, value)) return true;
  /* Without a solver, too, a term over 0 can leave 64 bits: then Z3 has to say by how much. */
  if (!lowering) return false;
  return expression_value(solver, lowering_term(lowering, term), value);
}

bool solver_model(Solver *solver, Term term) {
  assert(term_sort(solver->terms, term) == SORT_BOOL);
  int64_t value;
  if (!solver_model_fits(solver, term, &value)) fatal("a Boolean depends on integers beyond 64 bits");
  return value;
}

int64_t solver_model_int(Solver *solver, Term term) {
  assert(term_sort(solver->terms, term) == SORT_INT);
  int64_t value;
  if (!solver_model_fits(solver, term, &value)) fatal("an integer of the model is beyond 64 bits");
  return value;
}
