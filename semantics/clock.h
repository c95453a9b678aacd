/* clock.h: values that an expression takes from outside: clocks, random numbers, the connection's memory.
 *
 * The engine implements it.  FUNCTION_CLOCK gives one free value per transaction (postgresql)
 * or statement (others), FUNCTION_VOLATILE a fresh one at each call, both of the expression's
 * type; FUNCTION_SESSION what the connection remembers (LAST_INSERT_ID(), ROW_COUNT(), changes()).
 * sqlite's date('now') and the like ask here too, as clocks.  In NOW(n), CURRENT_TIMESTAMP(n) and
 * RAND(n) the argument is not evaluated. */
#ifndef ALIBI_SEMANTICS_CLOCK_H
#define ALIBI_SEMANTICS_CLOCK_H

#include "semantics/eval.h"

/* `expr` is an EXPR_FUNCTION; expr->function tells which.  Sets abort where it cannot answer. */
Value clock_value(struct Engine *engine, Eval *eval, const Expr *expr);

/* @name: NULL_VALUE until set. */
Value user_variable_value(struct Engine *engine, const char *name);

#endif
