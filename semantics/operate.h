/* operate.h: SQL's operators on concrete values, written once.
 *
 * Every function takes values of any kind and converts as the dialect does.
 * Results are allocated in eval->arena.  Static types are passed where the
 * dialect decides by them (PostgreSQL's integer widths, MySQL's UNSIGNED,
 * SQLite's affinities, collations). */
#ifndef ALIBI_SEMANTICS_OPERATE_H
#define ALIBI_SEMANTICS_OPERATE_H

#include "semantics/eval.h"

/* Arithmetic, bit operators, ||: kind is the ExprKind; type is the expression's static type. */
Value operate_binary(Eval *eval, ExprKind kind, Type type, Value a, Type a_type, Value b, Type b_type);
Value operate_unary(Eval *eval, ExprKind kind, Type type, Value a, Type a_type);

/* SQL comparison of two non-NULL values after the dialect's conversions: -1, 0, 1; sets abort if they cannot be
 * compared.  NULLs are the caller's business. */
int operate_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type);
/* Three-valued equality: 1, 0, -1. */
int operate_equal(Eval *eval, Value a, Type a_type, Value b, Type b_type);
/* EXPR_EQUAL ... EXPR_IS_DISTINCT as a value. */
Value operate_comparison(Eval *eval, ExprKind kind, Value a, Type a_type, Value b, Type b_type);
Value operate_like(Eval *eval, const Expr *expr, Value text, Value pattern, Value escape); /* escape NULL: default */

/* Conversion to a type as CAST does (explicit) or as an implicit conversion does. */
Value operate_cast(Eval *eval, Value value, Type from, Type to, bool is_implicit);
/* Conversion for storing into a column: rounding, padding, range and length errors, affinities, MySQL's strict mode. */
Value operate_store(Eval *eval, Value value, Type from, const Column *column);

/* The total order inside indexes, ORDER BY, GROUP BY and DISTINCT among values of one column: NULL is least and
 * equal to NULL. Two values are equal here exactly if `=` says so for that type. */
int value_order(const Dialect *dialect, Type type, Value a, Value b);
/* Equal values by value_order have equal hashes. */
uint64_t value_hash(const Dialect *dialect, Type type, Value value);
/* False where comparing text needs a collation that is not modelled (non-ASCII under ci). */
bool value_is_orderable(const Dialect *dialect, Type type, Value value);

/* As the database prints it (for || and CAST to text, and for people). */
Value value_to_text(Eval *eval, Value value, Type type);
size_t value_format(char *buffer, size_t size, Value value); /* for reports: quoted text, exact numbers */

/* Functions and aggregates, by FunctionId. */
Value function_call(Eval *eval, const Expr *expr, Value *args); /* strict functions: no NULLs in args */
Value function_lazy(Eval *eval, const Expr *expr);              /* FUNCTION_LAZY: evaluates its own arguments */

typedef struct Accumulator Accumulator;
/* One aggregate over one group. Values arrive already evaluated, NULLs and duplicates (DISTINCT) included. */
Accumulator *accumulator_new(Eval *eval, const Expr *aggregate);
void accumulator_add(Eval *eval, Accumulator *accumulator, const Value *args);
Value accumulator_result(Eval *eval, Accumulator *accumulator);
/* An aggregate over two sets of rows: merged into the first, which may be a copy.  Of such that are the same, so are all
 * results, whatever is added to both; they have equal digests.  aggregate_merge.c. */
bool aggregate_is_mergeable(const Expr *aggregate);
void accumulator_merge(Eval *eval, Accumulator *into, const Accumulator *from);
bool accumulator_is_same(const Eval *eval, const Accumulator *a, const Accumulator *b);
uint64_t accumulator_digest(const Accumulator *accumulator);
uint32_t accumulator_size(const Accumulator *accumulator); /* of what it keeps */
/* For SUM and AVG of doubles: the largest magnitude added (how close an observation must come); otherwise 0. */
double accumulator_magnitude(const Accumulator *accumulator);

#endif
