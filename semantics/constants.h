/* constants.h: errors in constant parts of a statement.
 *
 * A database may compute what depends on no row while it plans, and fail there though
 * no row would ever need it.  CASE and COALESCE keep their parts from that, but not in
 * PostgreSQL, where a branch that depends on a row is planned like any expression. */
#ifndef ALIBI_SEMANTICS_CONSTANTS_H
#define ALIBI_SEMANTICS_CONSTANTS_H

#include "semantics/eval.h"

/* Evaluates every constant part with eval->eager set: errors go to eval->possible. */
void constants_probe(Eval *eval, const Statement *statement);

#endif
