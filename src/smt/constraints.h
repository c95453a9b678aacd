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

Constraints *constraints_new(Terms *terms,
                             Solver *solver); /* both borrowed; the solver is used by nobody else */
void constraints_free(Constraints *constraints);

void constraints_add(Constraints *constraints, Term term);
/* The newest ones are taken back, down to a count. */
uint32_t constraints_count(const Constraints *constraints);
void constraints_forget(Constraints *constraints, uint32_t count);

/* Whether the terms can hold with the constraints. */
Answer constraints_check(Constraints *constraints, const Term *terms, uint32_t count);
/* Whether all can hold together; then solver_model tells how, until the next call of anything here. */
Answer constraints_solve(Constraints *constraints);

#endif
