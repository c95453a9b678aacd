/* lower.h: terms as Z3 expressions.
 *
 * One Z3 context per Terms, made when the first term is lowered and freed with
 * the Terms: a context takes milliseconds, a solver in it microseconds.  Each
 * node is lowered once, for all solvers.  Expressions handed out are borrowed;
 * they live until their term is released. */
#ifndef ALIBI_SMT_LOWER_H
#define ALIBI_SMT_LOWER_H

#include "src/smt/node.h"

#include <z3.h>

/* The lowering of these terms, made if there is none; what was released is forgotten first. */
Lowering *terms_lowering(Terms *terms);
void lowering_free(Lowering *lowering);
Z3_context lowering_context(const Lowering *lowering);
Z3_ast lowering_term(Lowering *lowering, Term term);
/* The expression of a variable, or NULL if it was never lowered. */
Z3_ast lowering_variable(const Lowering *lowering, const Variable *variable);
/* A Boolean constant that occurs nowhere else; to be referenced by the caller. */
Z3_ast lowering_fresh(Lowering *lowering);

#endif
