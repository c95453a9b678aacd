/* solver.h: questions to the solver about terms.
 *
 * A solver holds assertions in scopes and asks whether they are satisfiable
 * together with assumptions.  Nothing reaches Z3 before a check that needs it:
 * assertions that folded to a constant, and checks without any other, are
 * answered here.  Solvers over the same Terms share one Z3 context.
 *
 * Terms that are asserted may not be released while their scope is open. */
#ifndef ALIBI_SMT_SOLVER_H
#define ALIBI_SMT_SOLVER_H

#include "src/smt/term.h"

typedef struct Solver Solver;

typedef enum Answer { ANSWER_SAT, ANSWER_UNSAT, ANSWER_UNKNOWN } Answer;

typedef struct SolverOptions {
  const char *logic;       /* Z3's solver for this logic, such as "QF_LIA"; NULL: the simple solver */
  uint32_t rlimit;         /* Z3's resource units for each check; 0: no limit */
  bool justifies;          /* looks for an assignment itself first (justify.h) */
  const char *dump_folder; /* every check is written there as SMT-LIB; NULL: none.  Made if missing */
  const char *dump_prefix; /* of the files' names; NULL: none */
} SolverOptions;

/* The options (NULL: all defaults) are copied, the terms borrowed. */
Solver *solver_new(Terms *terms, const SolverOptions *options);
void solver_free(Solver *solver);

void solver_push(Solver *solver);
void solver_pop(Solver *solver);
void solver_assert(Solver *solver, Term term);

/* Assumptions are Boolean terms of any form. */
Answer solver_check(Solver *solver, const Term *assumptions, uint32_t count);

/* After UNSAT, until the next check: the positions, ascending, of assumptions that cannot hold together.  At
 * most as many as there were assumptions; none if the assertions alone are unsatisfiable.  Not minimal. */
uint32_t solver_core(Solver *solver, uint32_t *positions);

/* After SAT: the value of a term in one total assignment that satisfies all.  To be asked before the next
 * pop or check; once anything was asked, the assignment stays until the next check.  Variables that the
 * solver has not seen are false or 0. */
bool solver_model(Solver *solver, Term term);
int64_t solver_model_int(Solver *solver, Term term); /* fatal if it does not fit */
/* The same; false if the value does not fit 64 bits. */
bool solver_model_fits(Solver *solver, Term term, int64_t *value);

/* After UNKNOWN: why, in Z3's words or "deadline". */
const char *solver_reason(Solver *solver);
/* Wall clock for all checks from now on; later ones answer UNKNOWN.  0: none. */
void solver_set_deadline(Solver *solver, double seconds_from_now);

typedef struct SolverStats {
  uint64_t checks; /* all, and those that Z3 answered */
  uint64_t solver_checks;
  uint64_t justified;  /* those that were found satisfiable without it */
  uint64_t assertions; /* sent to Z3, assumptions' definitions included */
  double seconds;      /* looking for assignments; in Z3: lowering, asserting, checking */
} SolverStats;

/* Of this solver; NULL: of all of the process, freed ones included. */
SolverStats solver_stats(const Solver *solver);

/* Whether, and how often, this process made a Z3 context. */
bool smt_used_solver(void);
uint32_t smt_context_count(void);

#endif
