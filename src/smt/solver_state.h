/* solver_state.h: what a solver is made of; seen by src/smt only. */
#ifndef ALIBI_SMT_SOLVER_STATE_H
#define ALIBI_SMT_SOLVER_STATE_H

#include "src/smt/evaluate.h"
#include "src/smt/justify.h"
#include "src/smt/lower.h"
#include "src/smt/solver.h"

/* An assumption that is no literal, and the constant that implies it. */
typedef struct Proxy {
  Term term; /* TERM_TRUE: released */
  uint32_t depth;
  Z3_ast expression; /* owned: one reference */
} Proxy;

typedef struct Literal {
  Z3_ast expression; /* borrowed from the lowering or a proxy */
  uint32_t position; /* among the assumptions */
} Literal;

typedef enum ModelState {
  MODEL_DEFAULT, /* no solver was asked: all false and 0 */
  MODEL_JUSTIFIED, /* the justifier has it */
  MODEL_PENDING, /* the solver has it */
  MODEL_HELD,
  MODEL_LOST, /* popped before anyone asked */
} ModelState;

struct Solver {
  Terms *terms;
  SolverOptions options;  /* texts owned */
  Z3_context context;     /* the lowering's; NULL as long as there is no solver */
  Z3_solver solver;       /* owned: one reference; NULL: not needed yet */
  ARRAY(uint32_t) scopes; /* each the number of assertions before it */
  ARRAY(Term) assertions;
  uint32_t contradictions; /* assertions that are TERM_FALSE */
  uint32_t sent;
  uint32_t solver_scopes;
  ARRAY(Proxy) proxies;
  ARRAY(uint32_t) proxy_places; /* by term; only a hint, see proxy_find */
  ARRAY(Literal) literals;      /* of the last check */
  ARRAY(uint32_t) core;
  Answer answer;
  char *reason; /* owned */
  ModelState model_state;
  Z3_model model; /* owned: one reference; while MODEL_HELD */
  Evaluation *evaluation;
  Justifier *justifier; /* owned; NULL: not wanted */
  uint64_t deadline; /* of the monotonic clock, in nanoseconds; 0: none */
  bool timed;        /* the solver has a timeout set */
  NodeWatch watch;
  SolverStats stats;
};

void solver_sync(Solver *solver);
void model_drop(Solver *solver);

#endif
