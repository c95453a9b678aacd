/* constraints.h: what must hold together, kept by connected component.
 *
 * Terms that share no variable, not even over others, are independent: a check asks the solver only about the
 * components that the new terms touch.
 *
 * Q1  All constraints together are satisfiable: one is added only after it was checked with the others, or as
 * a law that excludes nothing. */
#ifndef ALIBI_SMT_CONSTRAINTS_H
#define ALIBI_SMT_CONSTRAINTS_H

#include "src/smt/solver.h"

typedef struct Constraints Constraints;

/* Terms and solver are borrowed; the solver is used by nobody else.  `is_joint`: every check is about all
 * constraints, which the solver keeps. */
Constraints *constraints_new(Terms *terms, Solver *solver, bool is_joint);
void constraints_free(Constraints *constraints);

void constraints_add(Constraints *constraints, Term term);
/* The newest ones are taken back, down to a count. */
uint32_t constraints_count(const Constraints *constraints);
void constraints_forget(Constraints *constraints, uint32_t count);

/* Whether the terms can hold with the constraints. */
Answer constraints_check(Constraints *constraints, const Term *terms, uint32_t count);
/* Whether one term can hold with the constraints; then solver_model tells how these terms can be with it. */
Answer constraints_model(Constraints *constraints, const Term *terms, uint32_t count, Term question);
/* Whether all can hold together; then solver_model tells how, until the next call of anything here. */
Answer constraints_solve(Constraints *constraints);

/* Checks that left some constraints out because they share nothing with the question; and how many. */
typedef struct ConstraintStats {
  uint64_t checks, left_out;
} ConstraintStats;
ConstraintStats constraints_stats(const Constraints *constraints);

#endif
