/* logic.h: AND, OR, NOT and the other operators that know NULL as a third truth value. */
#ifndef ALIBI_SEMANTICS_LOGIC_H
#define ALIBI_SEMANTICS_LOGIC_H

#include "semantics/eval.h"

/* 1, 0 or -1 each; eval->abort is set where there is no answer. */
int logic_junction(Eval *eval, const Expr *expr); /* AND, OR */
int logic_between(Eval *eval, const Expr *expr);
int logic_in_list(Eval *eval, const Expr *expr);
/* Rows or single values: the comparison `kind` of two operands. */
Value logic_comparison(Eval *eval, ExprKind kind, const Expr *left, const Expr *right);
/* The second operand of an operation whose first is known; see logic.c. */
Value logic_second(Eval *eval, Value first, const Expr *expr);
Value logic_case(Eval *eval, const Expr *expr);

#endif
