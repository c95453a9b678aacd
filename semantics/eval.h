/* eval.h: the one evaluator of SQL expressions.
 *
 * expr_eval is a function of an annotated expression and a frame of concrete
 * values.  It never sees guards or levels: values in doubt are lifted around it, by running
 * it once per combination (docs/design.md).
 *
 * An evaluation ends in a value, or aborts the statement: `abort` in the Eval is set, the
 * value returned then means nothing, and every caller returns at once. */
#ifndef ALIBI_SEMANTICS_EVAL_H
#define ALIBI_SEMANTICS_EVAL_H

#include "semantics/doubt.h"
#include "semantics/store.h"
#include "src/sql/error.h"
#include "src/sql/schema.h"

typedef enum AbortKind {
  ABORT_NONE,
  ABORT_ERROR,      /* SQL error: `error` */
  ABORT_UNMODELLED, /* `reason` */
  ABORT_DOUBT       /* a value in doubt was needed: `reason` */
} AbortKind;

/* The rows a query block is looking at. */
typedef struct Frame {
  struct Frame *outer;       /* the block around it, or NULL */
  const Select *block;
  const Value **rows;        /* per source: its row's values; the all-NULL row of an outer join is explicit */
  const Value *aggregates;   /* per EXPR_AGGREGATE of the block, once grouped */
  const Value *group_keys;   /* per GROUP BY expression, once grouped */
} Frame;

/* Everything an expression may depend on besides its frame; one per statement in execution. */
typedef struct Eval {
  const Dialect *dialect;
  Schema *schema;
  Store *store;
  Doubts *doubts;
  Arena *arena;            /* results; lives until the statement is matched */
  const Value *inputs;     /* literals and parameters of the statement (or of the procedure, in its body) */
  Value *variables;        /* procedure variables, or NULL */
  struct Engine *engine;   /* user variables, clocks, caches of uncorrelated subqueries */
  Frame *frame;
  ReadPurpose purpose;     /* of subqueries' reads */
  bool in_write;           /* inside INSERT, UPDATE, DELETE: mysql's strict mode raises errors */
  bool in_search;          /* looking for the rows of a write: strict mode raises them or not, by the plan */
  bool eager;              /* evaluate every operand, to find errors that some order of evaluation would raise */
  AbortKind abort;
  ErrorClass error;
  const char *reason;      /* in the arena or static */
  ErrorSet possible;       /* errors that some order of evaluation raises, though this one did not */
  double largest_sum;      /* the largest magnitude in a sum of doubles so far, subqueries included */
  Arena *plan_arena;       /* of the statement's plan: query plans are kept there, in Select.plan; NULL: not kept */
  const struct Select *shown; /* the query whose rows are the statement's answer, while it runs; or NULL */
  struct QueryCache *cache; /* results of uncorrelated subqueries, in `arena`; NULL when a statement (also of a procedure) starts */
} Eval;

Value expr_eval(Eval *eval, const Expr *expr);
/* The same, but with the digits of MySQL's quotients that do not show (number.h): for the operands of further
 * computation, arguments of aggregates among them. */
Value expr_operand(Eval *eval, const Expr *expr);

/* Three-valued truth of a condition: 1, 0, or -1 for NULL; by the dialect's rules for non-booleans. */
int expr_truth(Eval *eval, const Expr *expr);
int value_truth(Eval *eval, Value value);

/* Set abort and return NULL_VALUE: `return eval_error(eval, ERROR_DIVISION, "division by zero")`. */
Value eval_error(Eval *eval, ErrorClass error, const char *format, ...) __attribute__((format(printf, 3, 4)));
Value eval_unmodelled(Eval *eval, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* mysql's warnings, which strict mode makes errors of a write.  Where the statement goes on, `value` is returned. */
Value eval_strict(Eval *eval, Value value, ErrorClass error, const char *format, ...) __attribute__((format(printf, 4, 5)));
Value eval_doubt(Eval *eval, Value doubt);

/* Hooks that semantics/query.c implements: subqueries, under eval->frame as the outer frame. */
Value subquery_scalar(Eval *eval, const Expr *expr);   /* EXPR_SCALAR */
Value subquery_exists(Eval *eval, const Expr *expr);   /* EXPR_EXISTS */
Value subquery_in(Eval *eval, const Expr *expr);       /* EXPR_IN_SELECT, negation included */
Value subquery_quantified(Eval *eval, const Expr *expr); /* EXPR_ANY, EXPR_ALL */

#endif
