/* session.c: assertions, scopes, assumptions and cores.  Models are in session_model.c.
 *
 * S1  assertions[0 .. sent) are in the solver, in solver_scopes open scopes; the rest
 *     follows at the next check.  A pop takes back from the solver only what it has.
 * S2  A proxy p of an assumption t that is no literal is a fresh constant with
 *     "p implies t" asserted in the scope of its first use; it is gone with it.
 * S3  Nothing kept here belongs to a released term (session_sync). */
#include "src/smt/session_state.h"

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

static char *text_copy(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  return memcpy(memory_new(size), text, size);
}

SmtSession *session_new(Terms *terms, const SessionOptions *options) {
  SmtSession *session = memory_new(sizeof *session);
  session->terms = terms;
  if (options) session->options = *options;
  session->options.logic = text_copy(session->options.logic);
  session->options.dump_folder = text_copy(session->options.dump_folder);
  session->options.dump_prefix = text_copy(session->options.dump_prefix);
  session->evaluation = evaluation_new();
  session->answer = ANSWER_UNKNOWN;
  session->reason = text_copy("nothing was checked");
  terms_watch(terms, &session->watch);
  return session;
}

static void proxies_truncate(SmtSession *session, uint32_t depth) {
  while (session->proxies.count && session->proxies.items[session->proxies.count - 1].depth > depth)
    Z3_dec_ref(session->context, session->proxies.items[--session->proxies.count].expression);
}

void session_free(SmtSession *session) {
  if (!session) return;
  terms_unwatch(session->terms, &session->watch);
  if (session->solver) {
    model_drop(session);
    while (session->proxies.count)
      Z3_dec_ref(session->context, session->proxies.items[--session->proxies.count].expression);
    Z3_solver_dec_ref(session->context, session->solver);
  }
  evaluation_free(session->evaluation);
  ARRAY_FREE(&session->scopes);
  ARRAY_FREE(&session->assertions);
  ARRAY_FREE(&session->proxies);
  ARRAY_FREE(&session->proxy_places);
  ARRAY_FREE(&session->literals);
  ARRAY_FREE(&session->core);
  free((char *)session->options.logic);
  free((char *)session->options.dump_folder);
  free((char *)session->options.dump_prefix);
  free(session->reason);
  free(session);
}

/* Forgets what was kept of terms released since the last call. */
void session_sync(SmtSession *session) {
  uint32_t lowest = session->watch.lowest;
  if (lowest == UINT32_MAX) return;
  session->watch.lowest = UINT32_MAX;
  for (uint32_t i = 0; i < session->assertions.count; i++)
    if (term_node(session->assertions.items[i]) >= lowest) fatal("a term was released while it was asserted");
  for (uint32_t i = 0; i < session->proxies.count; i++)
    if (term_node(session->proxies.items[i].term) >= lowest) session->proxies.items[i].term = TERM_TRUE;
  evaluation_reset(session->evaluation);
}

void session_push(SmtSession *session) { ARRAY_PUSH(&session->scopes, session->assertions.count); }

void session_pop(SmtSession *session) {
  assert(session->scopes.count > 0);
  uint32_t start = session->scopes.items[--session->scopes.count];
  for (uint32_t i = start; i < session->assertions.count; i++)
    session->contradictions -= session->assertions.items[i] == TERM_FALSE;
  session->assertions.count = start;
  if (session->sent > start) session->sent = start;
  if (session->solver_scopes <= session->scopes.count) return;
  if (session->model_state == MODEL_PENDING) session->model_state = MODEL_LOST;
  Z3_solver_pop(session->context, session->solver, session->solver_scopes - session->scopes.count);
  session->solver_scopes = session->scopes.count;
  proxies_truncate(session, session->solver_scopes);
}

void session_assert(SmtSession *session, Term term) {
  session_sync(session);
  assert(term_node(term) < session->terms->nodes.count && term_sort(session->terms, term) == SORT_BOOL);
  if (term == TERM_TRUE) return;
  session->contradictions += term == TERM_FALSE;
  ARRAY_PUSH(&session->assertions, term);
}

static void parameter_set(SmtSession *session, const char *name, unsigned value) {
  Z3_params params = Z3_mk_params(session->context);
  Z3_params_inc_ref(session->context, params);
  Z3_params_set_uint(session->context, params, Z3_mk_string_symbol(session->context, name), value);
  Z3_solver_set_params(session->context, session->solver, params);
  Z3_params_dec_ref(session->context, params);
}

static void solver_make(SmtSession *session) {
  Z3_context context = session->context = lowering_context(terms_lowering(session->terms));
  const char *logic = session->options.logic;
  session->solver = logic ? Z3_mk_solver_for_logic(context, Z3_mk_string_symbol(context, logic))
                          : Z3_mk_simple_solver(context);
  Z3_solver_inc_ref(context, session->solver);
  Z3_params params = Z3_mk_params(context);
  Z3_params_inc_ref(context, params);
  /* Otherwise Z3 takes the program's interrupt handler away during checks. */
  Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "ctrl_c"), false);
  Z3_solver_set_params(context, session->solver, params);
  Z3_params_dec_ref(context, params);
  if (session->options.rlimit) parameter_set(session, "rlimit", session->options.rlimit);
}

static void expression_send(SmtSession *session, Z3_ast expression) {
  Z3_solver_assert(session->context, session->solver, expression);
  session->stats.assertions++;
  atomic_fetch_add(&all_assertions, 1);
}

/* Brings the solver to where the session is (S1). */
static void assertions_send(SmtSession *session, Lowering *lowering) {
  for (;;) {
    uint32_t end = session->solver_scopes < session->scopes.count
                       ? session->scopes.items[session->solver_scopes]
                       : session->assertions.count;
    while (session->sent < end)
      expression_send(session, lowering_term(lowering, session->assertions.items[session->sent++]));
    if (session->solver_scopes == session->scopes.count) return;
    Z3_solver_push(session->context, session->solver);
    session->solver_scopes++;
  }
}

/* The proxy of an assumption that is no literal (S2). */
static Z3_ast proxy_find(SmtSession *session, Lowering *lowering, Term term) {
  while (session->proxy_places.count <= term) ARRAY_PUSH(&session->proxy_places, UINT32_MAX);
  uint32_t place = session->proxy_places.items[term];
  if (place < session->proxies.count && session->proxies.items[place].term == term)
    return session->proxies.items[place].expression;
  Z3_context context = session->context;
  Z3_ast meaning = lowering_term(lowering, term);
  Z3_ast proxy = lowering_fresh(lowering);
  Z3_inc_ref(context, proxy);
  Z3_ast definition = Z3_mk_implies(context, proxy, meaning);
  Z3_inc_ref(context, definition);
  expression_send(session, definition);
  Z3_dec_ref(context, definition);
  session->proxy_places.items[term] = session->proxies.count;
  ARRAY_PUSH(&session->proxies, (Proxy){.term = term, .expression = proxy, .depth = session->solver_scopes});
  return proxy;
}

static void literals_make(SmtSession *session, Lowering *lowering, const Term *assumptions, uint32_t count) {
  session->literals.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (assumptions[i] == TERM_TRUE) continue;
    bool literal = node_of(session->terms, assumptions[i])->op == NODE_VARIABLE;
    Z3_ast expression =
        literal ? lowering_term(lowering, assumptions[i]) : proxy_find(session, lowering, assumptions[i]);
    ARRAY_PUSH(&session->literals, (Literal){.expression = expression, .position = i});
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
static uint32_t literal_position(const SmtSession *session, Z3_ast expression) {
  uint32_t low = 0, high = session->literals.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (session->literals.items[middle].expression < expression)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == session->literals.count || session->literals.items[low].expression != expression)
    fatal("the solver blames what was not assumed");
  return session->literals.items[low].position;
}

static void core_fetch(SmtSession *session) {
  Z3_context context = session->context;
  Z3_ast_vector core = Z3_solver_get_unsat_core(context, session->solver);
  Z3_ast_vector_inc_ref(context, core);
  if (session->literals.count)
    qsort(session->literals.items, session->literals.count, sizeof(Literal), literal_compare);
  unsigned size = Z3_ast_vector_size(context, core);
  for (unsigned i = 0; i < size; i++)
    ARRAY_PUSH(&session->core, literal_position(session, Z3_ast_vector_get(context, core, i)));
  Z3_ast_vector_dec_ref(context, core);
  if (size) qsort(session->core.items, size, sizeof *session->core.items, position_compare);
}

static Answer give_up(SmtSession *session, const char *reason) {
  free(session->reason);
  session->reason = text_copy(reason);
  return ANSWER_UNKNOWN;
}

static Answer solver_ask(SmtSession *session) {
  Z3_context context = session->context;
  uint32_t count = session->literals.count;
  Z3_ast *expressions = memory_new((count + 1) * sizeof *expressions);
  for (uint32_t i = 0; i < count; i++) expressions[i] = session->literals.items[i].expression;
  Z3_lbool result = Z3_solver_check_assumptions(context, session->solver, count, expressions);
  free(expressions);
  switch (result) {
  case Z3_L_TRUE: session->model_state = MODEL_PENDING; return ANSWER_SAT;
  case Z3_L_FALSE: core_fetch(session); return ANSWER_UNSAT;
  default: return give_up(session, Z3_solver_get_reason_unknown(context, session->solver));
  }
}

static Answer solver_check(SmtSession *session, const Term *assumptions, uint32_t count) {
  uint64_t begin = clock_now();
  if (session->deadline && begin >= session->deadline) return give_up(session, "deadline");
  if (!session->solver) solver_make(session);
  Lowering *lowering = terms_lowering(session->terms);
  assertions_send(session, lowering);
  literals_make(session, lowering, assumptions, count);
  if (session->deadline) {
    uint64_t now = clock_now();
    uint64_t left = session->deadline > now ? (session->deadline - now) / 1000000 : 0;
    parameter_set(session, "timeout", left < 1 ? 1 : left < UINT32_MAX ? (unsigned)left : UINT32_MAX);
    session->timed = true;
  } else if (session->timed) {
    parameter_set(session, "timeout", UINT32_MAX);
    session->timed = false;
  }
  Answer answer = solver_ask(session);
  uint64_t spent = clock_now() - begin;
  session->stats.solver_checks++;
  session->stats.seconds += (double)spent * 1e-9;
  atomic_fetch_add(&all_solver_checks, 1);
  atomic_fetch_add(&all_nanoseconds, spent);
  return answer;
}

/* What needs no solver: a constant decides, or there is nothing to decide. */
static bool check_is_trivial(SmtSession *session, const Term *assumptions, uint32_t count, Answer *answer) {
  bool nothing = session->assertions.count == 0;
  *answer = ANSWER_UNSAT;
  if (session->contradictions) return true;
  for (uint32_t i = 0; i < count; i++) {
    nothing &= assumptions[i] == TERM_TRUE;
    if (assumptions[i] != TERM_FALSE) continue;
    ARRAY_PUSH(&session->core, i);
    return true;
  }
  *answer = ANSWER_SAT;
  return nothing;
}

Answer session_check(SmtSession *session, const Term *assumptions, uint32_t count) {
  session_sync(session);
  for (uint32_t i = 0; i < count; i++)
    assert(term_node(assumptions[i]) < session->terms->nodes.count &&
           term_sort(session->terms, assumptions[i]) == SORT_BOOL);
  model_drop(session);
  session->core.count = 0;
  session->stats.checks++;
  atomic_fetch_add(&all_checks, 1);
  Dump *dump = NULL;
  if (session->options.dump_folder)
    dump = dump_begin(session->terms, session->options.dump_folder, session->options.dump_prefix,
                      session->assertions.items, session->assertions.count, assumptions, count);
  if (!check_is_trivial(session, assumptions, count, &session->answer))
    session->answer = solver_check(session, assumptions, count);
  if (dump) dump_end(dump, session->answer);
  return session->answer;
}

uint32_t session_core(SmtSession *session, uint32_t *positions) {
  assert(session->answer == ANSWER_UNSAT);
  if (session->core.count) memcpy(positions, session->core.items, session->core.count * sizeof *positions);
  return session->core.count;
}

const char *session_reason(SmtSession *session) {
  assert(session->answer == ANSWER_UNKNOWN);
  return session->reason;
}

void session_set_deadline(SmtSession *session, double seconds_from_now) {
  session->deadline = seconds_from_now > 0 ? clock_now() + (uint64_t)(seconds_from_now * 1e9) : 0;
}

SessionStats session_stats(const SmtSession *session) {
  if (session) return session->stats;
  return (SessionStats){.checks = atomic_load(&all_checks),
                        .solver_checks = atomic_load(&all_solver_checks),
                        .assertions = atomic_load(&all_assertions),
                        .seconds = (double)atomic_load(&all_nanoseconds) * 1e-9};
}
