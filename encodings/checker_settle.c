/* checker_settle.c: what was pushed is settled: as one execution has it, its end is state 0 of what follows.
 *
 * A guess: another execution might have explained what follows.  K1 holds of what is pushed from here on only
 * as far as it does not hang on what went before, so that "unsatisfiable" means nothing any more. */
#include "encodings/checker_internal.h"

enum { TERMS_KEPT = 20000 }; /* the solver is made anew above so many */

static bool guard_holds(void *context, uint32_t guard) {
  return solver_model(((Checker *)context)->solver, guard);
}

/* The values of all guards in one model, which then outlives what is popped. */
static void model_hold(Checker *checker) {
  Store *store = checker->lift.store;
  for (uint32_t i = 0; i < store_guarded_count(store); i++) {
    const Version *version = store_guarded(store, i);
    if (version->guard && !version->is_void) solver_model(checker->solver, version->guard);
  }
}

static void stats_keep(Checker *checker) {
  CheckerStats now = checker_stats(checker);
  checker->settled = now;
  checker->lift.forks = checker->lift.leaves = checker->lift.spared = checker->lift.narrowed = 0;
  checker->decided = checker->fixed = 0;
}

/* No term is needed any more. */
static void terms_renew(Checker *checker) {
  choices_free(checker->choices);
  constraints_free(checker->constraints);
  if (terms_count(checker->terms) > TERMS_KEPT) {
    solver_free(checker->solver);
    terms_free(checker->terms);
    checker->terms = terms_new();
    checker_make_solver(checker);
  } else {
    checker->settled.solver = (SolverStats){0}; /* they go on */
    checker->settled.terms = 0;
  }
  checker->constraints = constraints_new(checker->terms, checker->solver, checker->options.is_joint);
  checker->choices = choices_new(checker->terms, checker->constraints);
  checker->lift.terms = checker->terms;
  checker->lift.choices = checker->choices;
}

/* The last place that is settled becomes place 0. */
static void places_restart(Checker *checker) {
  Placed last = checker->placed.items[checker->placed.count - 1];
  Placed *initial = &checker->placed.items[0];
  *initial = (Placed){.takes_part = TERM_TRUE, .earliest = last.earliest, .latest_start = last.latest_start};
  initial->has_digest = engine_digest(checker->replay->engine, &initial->digest);
  checker->placed.count = 1;
  checker->lift.uncertain.count = 0;
  checker->guarded = 0;
  checker->earliest_commit = INT64_MAX;
  checker->latest_commit = checker->latest_fresh = INT64_MIN;
  checker->open_rows.count = 0;
  map_free(&checker->sessions);
  map_init(&checker->sessions);
  arena_clear(&checker->memory);
}

Witness *checker_settle(Checker *checker, uint32_t count, Arena *arena) {
  if (checker->set_aside || checker->has_finals) return NULL;
  Witness *witness = checker_witness(checker, arena);
  if (!witness) return NULL;
  model_hold(checker);
  if (!checker_pop(checker, count)) return NULL;
  if (witness->transactions.count > count) witness->transactions.count = count;
  stats_keep(checker);
  engine_forget_past(checker->replay->engine, guard_holds, checker);
  terms_renew(checker);
  places_restart(checker);
  return witness;
}
