/* logic.h: AND, OR, NOT and the other operators that know NULL as a third truth value. */
#ifndef ALIBI_SEMANTICS_LOGIC_H
#define ALIBI_SEMANTICS_LOGIC_H

#include "semantics/eval.h"

/* The same in every row: no column, variable or subquery in it. */
bool expr_is_constant(const Expr *expr);

/* 1, 0 or -1 each; eval->abort is set where there is no answer. */
int logic_junction(Eval *eval, const Expr *expr); /* AND, OR */
int logic_between(Eval *eval, const Expr *expr);
int logic_in_list(Eval *eval, const Expr *expr);
/* Rows or single values: the comparison `kind` of two operands. */
Value logic_comparison(Eval *eval, ExprKind kind, const Expr *left, const Expr *right);
/* A further operand of an operation.  Where the first is NULL, mysql may not evaluate it, nor PostgreSQL where that NULL is
 * a constant: an error of it is then only possible. */
Value logic_second(Eval *eval, Value first, const Expr *first_expr, const Expr *expr);
/* The first operand failed: it may not be evaluated beside a constant NULL.  Always returns NULL. */
Value logic_overrule(Eval *eval, const Expr *other);
Value logic_case(Eval *eval, const Expr *expr);

#endif
