/* solver.c: assertions, scopes, assumptions and cores.  Models are in solver_model.c.
 *
 * S1  assertions[0 .. sent) are in the solver, in solver_scopes open scopes; the rest
 *     follows at the next check.  A pop takes back from the solver only what it has.
 * S2  A proxy p of an assumption t that is no literal is a fresh constant with
 *     "p implies t" asserted in the scope of its first use; it is gone with it.
 * S3  Nothing kept here belongs to a released term (solver_sync). */
#include "src/smt/solver_state.h"

#include "src/smt/dump.h"

#include <assert.h>
#include <stdatomic.h>
#include <time.h>

static atomic_ullong all_checks, all_solver_checks, all_assertions, all_nanoseconds;

static uint64_t clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void time_spend(Solver *solver, uint64_t begin) {
  uint64_t spent = clock_now() - begin;
  solver->stats.seconds += (double)spent * 1e-9;
  atomic_fetch_add(&all_nanoseconds, spent);
}

static char *text_copy(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  return memcpy(memory_new(size), text, size);
}

Solver *solver_new(Terms *terms, const SolverOptions *options) {
  Solver *solver = memory_new(sizeof *solver);
  solver->terms = terms;
  if (options) solver->options = *options;
  solver->options.logic = text_copy(solver->options.logic);
  solver->options.dump_folder = text_copy(solver->options.dump_folder);
  solver->options.dump_prefix = text_copy(solver->options.dump_prefix);
  solver->evaluation = evaluation_new();
  if (solver->options.justifies) solver->justifier = justifier_new();
  solver->answer = ANSWER_UNKNOWN;
  solver->reason = text_copy("nothing was checked");
  terms_watch(terms, &solver->watch);
  return solver;
}

static void proxies_truncate(Solver *solver, uint32_t depth) {
  while (solver->proxies.count && solver->proxies.items[solver->proxies.count - 1].depth > depth)
    Z3_dec_ref(solver->context, solver->proxies.items[--solver->proxies.count].expression);
}

void solver_free(Solver *solver) {
  if (!solver) return;
  terms_unwatch(solver->terms, &solver->watch);
  if (solver->solver) {
    model_drop(solver);
    while (solver->proxies.count)
      Z3_dec_ref(solver->context, solver->proxies.items[--solver->proxies.count].expression);
    Z3_solver_dec_ref(solver->context, solver->solver);
  }
  evaluation_free(solver->evaluation);
  justifier_free(solver->justifier);
  ARRAY_FREE(&solver->scopes);
  ARRAY_FREE(&solver->assertions);
  ARRAY_FREE(&solver->proxies);
  ARRAY_FREE(&solver->proxy_places);
  ARRAY_FREE(&solver->literals);
  ARRAY_FREE(&solver->core);
  free((char *)solver->options.logic);
  free((char *)solver->options.dump_folder);
  free((char *)solver->options.dump_prefix);
  free(solver->reason);
  free(solver);
}

/* Forgets what was kept of terms released since the last call. */
void solver_sync(Solver *solver) {
  uint32_t lowest = solver->watch.lowest;
  if (lowest == UINT32_MAX) return;
  solver->watch.lowest = UINT32_MAX;
  for (uint32_t i = 0; i < solver->assertions.count; i++)
    if (term_node(solver->assertions.items[i]) >= lowest) fatal("a term was released while it was asserted");
  for (uint32_t i = 0; i < solver->proxies.count; i++)
    if (term_node(solver->proxies.items[i].term) >= lowest) solver->proxies.items[i].term = TERM_TRUE;
  evaluation_reset(solver->evaluation);
}

void solver_push(Solver *solver) { ARRAY_PUSH(&solver->scopes, solver->assertions.count); }

void solver_pop(Solver *solver) {
  assert(solver->scopes.count > 0);
  uint32_t start = solver->scopes.items[--solver->scopes.count];
  for (uint32_t i = start; i < solver->assertions.count; i++)
    solver->contradictions -= solver->assertions.items[i] == TERM_FALSE;
  solver->assertions.count = start;
  if (solver->sent > start) solver->sent = start;
  if (solver->solver_scopes <= solver->scopes.count) return;
  if (solver->model_state == MODEL_PENDING) solver->model_state = MODEL_LOST;
  Z3_solver_pop(solver->context, solver->solver, solver->solver_scopes - solver->scopes.count);
  solver->solver_scopes = solver->scopes.count;
  proxies_truncate(solver, solver->solver_scopes);
}

void solver_assert(Solver *solver, Term term) {
  solver_sync(solver);
  assert(term_node(term) < solver->terms->nodes.count && term_sort(solver->terms, term) == SORT_BOOL);
  if (term == TERM_TRUE) return;
  solver->contradictions += term == TERM_FALSE;
  ARRAY_PUSH(&solver->assertions, term);
}

static void parameter_set(Solver *solver, const char *name, unsigned value) {
  Z3_params params = Z3_mk_params(solver->context);
  Z3_params_inc_ref(solver->context, params);
  Z3_params_set_uint(solver->context, params, Z3_mk_string_symbol(solver->context, name), value);
  Z3_solver_set_params(solver->context, solver->solver, params);
  Z3_params_dec_ref(solver->context, params);
}

static void solver_make(Solver *solver) {
  Z3_context context = solver->context = lowering_context(terms_lowering(solver->terms));
  const char *logic = solver->options.logic;
  solver->solver = logic ? Z3_mk_solver_for_logic(context, Z3_mk_string_symbol(context, logic))
                         : Z3_mk_simple_solver(context);
  Z3_solver_inc_ref(context, solver->solver);
  Z3_params params = Z3_mk_params(context);
  Z3_params_inc_ref(context, params);
  /* Otherwise Z3 takes the program's interrupt handler away during checks. */
  Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "ctrl_c"), false);
  Z3_solver_set_params(context, solver->solver, params);
  Z3_params_dec_ref(context, params);
  if (solver->options.rlimit) parameter_set(solver, "rlimit", solver->options.rlimit);
}

static void expression_send(Solver *solver, Z3_ast expression) {
  Z3_solver_assert(solver->context, solver->solver, expression);
  solver->stats.assertions++;
  atomic_fetch_add(&all_assertions, 1);
}

/* Brings the solver to where the scopes are (S1). */
static void assertions_send(Solver *solver, Lowering *lowering) {
  for (;;) {
    uint32_t end = solver->solver_scopes < solver->scopes.count ? solver->scopes.items[solver->solver_scopes]
                                                                : solver->assertions.count;
    while (solver->sent < end)
      expression_send(solver, lowering_term(lowering, solver->assertions.items[solver->sent++]));
    if (solver->solver_scopes == solver->scopes.count) return;
    Z3_solver_push(solver->context, solver->solver);
    solver->solver_scopes++;
  }
}

/* The proxy of an assumption that is no literal (S2). */
static Z3_ast proxy_find(Solver *solver, Lowering *lowering, Term term) {
  while (solver->proxy_places.count <= term) ARRAY_PUSH(&solver->proxy_places, UINT32_MAX);
  uint32_t place = solver->proxy_places.items[term];
  if (place < solver->proxies.count && solver->proxies.items[place].term == term)
    return solver->proxies.items[place].expression;
  Z3_context context = solver->context;
  Z3_ast meaning = lowering_term(lowering, term);
  Z3_ast proxy = lowering_fresh(lowering);
  Z3_inc_ref(context, proxy);
  Z3_ast definition = Z3_mk_implies(context, proxy, meaning);
  Z3_inc_ref(context, definition);
  expression_send(solver, definition);
  Z3_dec_ref(context, definition);
  solver->proxy_places.items[term] = solver->proxies.count;
  ARRAY_PUSH(&solver->proxies, (Proxy){.term = term, .expression = proxy, .depth = solver->solver_scopes});
  return proxy;
}

static void literals_make(Solver *solver, Lowering *lowering, const Term *assumptions, uint32_t count) {
  solver->literals.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (assumptions[i] == TERM_TRUE) continue;
    bool literal = node_of(solver->terms, assumptions[i])->op == NODE_VARIABLE;
    Z3_ast expression =
        literal ? lowering_term(lowering, assumptions[i]) : proxy_find(solver, lowering, assumptions[i]);
    ARRAY_PUSH(&solver->literals, (Literal){.expression = expression, .position = i});
  }
}

static int literal_compare(const void *a, const void *b) {
  const Literal *left = a, *right = b;
  if (left->expression != right->expression) return left->expression < right->expression ? -1 : 1;
  return (left->position > right->position) - (left->position < right->position);
}

static int position_compare(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

/* The first position of this expression among the sorted literals. */
static uint32_t literal_position(const Solver *solver, Z3_ast expression) {
  uint32_t low = 0, high = solver->literals.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (solver->literals.items[middle].expression < expression)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == solver->literals.count || solver->literals.items[low].expression != expression)
    fatal("the solver blames what was not assumed");
  return solver->literals.items[low].position;
}

static void core_fetch(Solver *solver) {
  Z3_context context = solver->context;
  Z3_ast_vector core = Z3_solver_get_unsat_core(context, solver->solver);
  Z3_ast_vector_inc_ref(context, core);
  if (solver->literals.count)
    qsort(solver->literals.items, solver->literals.count, sizeof(Literal), literal_compare);
  unsigned size = Z3_ast_vector_size(context, core);
  for (unsigned i = 0; i < size; i++)
    ARRAY_PUSH(&solver->core, literal_position(solver, Z3_ast_vector_get(context, core, i)));
  Z3_ast_vector_dec_ref(context, core);
  if (size) qsort(solver->core.items, size, sizeof *solver->core.items, position_compare);
}

static Answer give_up(Solver *solver, const char *reason) {
  free(solver->reason);
  solver->reason = text_copy(reason);
  return ANSWER_UNKNOWN;
}

static Answer solver_ask(Solver *solver) {
  Z3_context context = solver->context;
  uint32_t count = solver->literals.count;
  Z3_ast *expressions = memory_new((count + 1) * sizeof *expressions);
  for (uint32_t i = 0; i < count; i++) expressions[i] = solver->literals.items[i].expression;
  Z3_lbool result = Z3_solver_check_assumptions(context, solver->solver, count, expressions);
  free(expressions);
  switch (result) {
  case Z3_L_TRUE: solver->model_state = MODEL_PENDING; return ANSWER_SAT;
  case Z3_L_FALSE: core_fetch(solver); return ANSWER_UNSAT;
  default: return give_up(solver, Z3_solver_get_reason_unknown(context, solver->solver));
  }
}

static Answer check_by_z3(Solver *solver, const Term *assumptions, uint32_t count) {
  uint64_t begin = clock_now();
  if (solver->deadline && begin >= solver->deadline) return give_up(solver, "deadline");
  if (!solver->solver) solver_make(solver);
  Lowering *lowering = terms_lowering(solver->terms);
  assertions_send(solver, lowering);
  literals_make(solver, lowering, assumptions, count);
  if (solver->deadline) {
    uint64_t now = clock_now();
    uint64_t left = solver->deadline > now ? (solver->deadline - now) / 1000000 : 0;
    parameter_set(solver, "timeout", left < 1 ? 1 : left < UINT32_MAX ? (unsigned)left : UINT32_MAX);
    solver->timed = true;
  } else if (solver->timed) {
    parameter_set(solver, "timeout", UINT32_MAX);
    solver->timed = false;
  }
  Answer answer = solver_ask(solver);
  time_spend(solver, begin);
  solver->stats.solver_checks++;
  atomic_fetch_add(&all_solver_checks, 1);
  return answer;
}

/* What needs no solver: a constant decides, or there is nothing to decide. */
static bool check_is_trivial(Solver *solver, const Term *assumptions, uint32_t count, Answer *answer) {
  bool nothing = solver->assertions.count == 0;
  *answer = ANSWER_UNSAT;
  if (solver->contradictions) return true;
  for (uint32_t i = 0; i < count; i++) {
    nothing &= assumptions[i] == TERM_TRUE;
    if (assumptions[i] != TERM_FALSE) continue;
    ARRAY_PUSH(&solver->core, i);
    return true;
  }
  *answer = ANSWER_SAT;
  return nothing;
}

static bool check_justifies(Solver *solver, const Term *assumptions, uint32_t count) {
  justifier_begin(solver->justifier, solver->terms);
  for (uint32_t i = 0; i < count; i++)
    if (!justifier_demand(solver->justifier, assumptions[i])) return false;
  for (uint32_t i = 0; i < solver->assertions.count; i++)
    if (!justifier_demand(solver->justifier, solver->assertions.items[i])) return false;
  return justifier_solve(solver->justifier);
}

/* Is an assignment easily found? */
static bool check_is_easy(Solver *solver, const Term *assumptions, uint32_t count) {
  if (!solver->justifier) return false;
  uint64_t begin = clock_now();
  bool is_easy = check_justifies(solver, assumptions, count);
  time_spend(solver, begin);
  if (!is_easy) return false;
  solver->model_state = MODEL_JUSTIFIED;
  solver->stats.justified++;
  solver->answer = ANSWER_SAT;
  return true;
}

Answer solver_check(Solver *solver, const Term *assumptions, uint32_t count) {
  solver_sync(solver);
  for (uint32_t i = 0; i < count; i++)
    assert(term_node(assumptions[i]) < solver->terms->nodes.count &&
           term_sort(solver->terms, assumptions[i]) == SORT_BOOL);
  model_drop(solver);
  solver->core.count = 0;
  solver->stats.checks++;
  atomic_fetch_add(&all_checks, 1);
  Dump *dump = NULL;
  if (solver->options.dump_folder)
    dump = dump_begin(solver->terms, solver->options.dump_folder, solver->options.dump_prefix,
                      solver->assertions.items, solver->assertions.count, assumptions, count);
  if (!check_is_trivial(solver, assumptions, count, &solver->answer) &&
      !check_is_easy(solver, assumptions, count))
    solver->answer = check_by_z3(solver, assumptions, count);
  if (dump) dump_end(dump, solver->answer);
  return solver->answer;
}

uint32_t solver_core(Solver *solver, uint32_t *positions) {
  assert(solver->answer == ANSWER_UNSAT);
  if (solver->core.count) memcpy(positions, solver->core.items, solver->core.count * sizeof *positions);
  return solver->core.count;
}

const char *solver_reason(Solver *solver) {
  assert(solver->answer == ANSWER_UNKNOWN);
  return solver->reason;
}

void solver_set_deadline(Solver *solver, double seconds_from_now) {
  solver->deadline = seconds_from_now > 0 ? clock_now() + (uint64_t)(seconds_from_now * 1e9) : 0;
}

SolverStats solver_stats(const Solver *solver) {
  if (solver) return solver->stats;
  return (SolverStats){.checks = atomic_load(&all_checks),
                       .solver_checks = atomic_load(&all_solver_checks),
                       .assertions = atomic_load(&all_assertions),
                       .seconds = (double)atomic_load(&all_nanoseconds) * 1e-9};
}
