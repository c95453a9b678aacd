/* justify.h: a quick look for an assignment, before a solver is asked.
 *
 * From the top down: what must be true is taken apart, of a disjunction one part is chosen.  Formulas of
 * choices between states mostly have many solutions, and the terms say themselves how each part can be had,
 * which a solver that decides variables in any order does not see.
 *
 * J1  Everything that was assigned follows from what was demanded, the choices that stand, and what those
 *     assign: so the variables alone, the others being false, make all demands true.
 *
 * The search is bounded: that it finds nothing means nothing. */
#ifndef ALIBI_SMT_JUSTIFY_H
#define ALIBI_SMT_JUSTIFY_H

#include "src/smt/term.h"

typedef struct Justifier Justifier;

Justifier *justifier_new(void);
void justifier_free(Justifier *justifier);

/* Begins a question; then all demands are added.  False: given up. */
void justifier_begin(Justifier *justifier, const Terms *terms);
bool justifier_demand(Justifier *justifier, Term term);
bool justifier_solve(Justifier *justifier);
/* After that: the value of a variable's node. */
bool justifier_value(const Justifier *justifier, uint32_t node);

#endif
