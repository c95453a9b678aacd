/* result.h: what a statement should have answered.
 *
 * A result set is a list of rows, with what SQL leaves open about it: rows that are tied
 * under ORDER BY may come in any order; LIMIT that cuts a tie may keep any of them; a bare
 * column of a group may come from any row of the group. */
#ifndef ALIBI_SEMANTICS_RESULT_H
#define ALIBI_SEMANTICS_RESULT_H

#include "src/base/array.h"
#include "src/base/value.h"
#include "src/sql/error.h"
#include "src/sql/type.h"

typedef struct ResultRow {
  const Value *values;
  uint32_t tie;              /* rows with equal ties may be swapped; ties ascend; all 0 without ORDER BY */
  uint32_t alternative_count; /* further rows this one may be instead (free picks), 0 normally */
  const Value *const *alternatives;
} ResultRow;

typedef struct ResultSet {
  uint32_t column_count;
  const char **column_names; /* NULL: not compared */
  const Type *column_types;
  const double *magnitudes;  /* per column: the largest magnitude in a sum of doubles, or NULL */
  bool is_ordered;           /* an ORDER BY fixes the order up to ties */
  const struct Select *open_order; /* it sorts by free values: all rows are tied until these are known, or NULL */
  uint32_t row_count;        /* before OFFSET and LIMIT where these leave a choice, else after */
  ResultRow *rows;
  bool has_slice;            /* OFFSET and LIMIT are still to be applied: any order within ties is admissible */
  uint64_t skip, take;
  bool may_skip;             /* SKIP LOCKED: any rows may be missing, and of the others there are at most `take` */
} ResultSet;

typedef ARRAY(ResultSet) ResultSets;

typedef enum OutcomeKind {
  OUTCOME_DONE,       /* succeeded: result sets (SELECT, RETURNING, CALL) and affected count */
  OUTCOME_ERROR,      /* must fail, with one of `errors` */
  OUTCOME_UNMODELLED, /* `reason`; nothing was executed */
  OUTCOME_DOUBT       /* a value in doubt was needed; nothing was executed */
} OutcomeKind;

typedef struct Outcome {
  OutcomeKind kind;
  bool has_affected;
  int64_t affected;          /* as the dialect counts */
  int64_t affected_also;     /* a second admissible count, or -1 */
  ResultSets results;
  ErrorSet errors;           /* OUTCOME_ERROR: any of these */
  ErrorSet possible;         /* OUTCOME_DONE: an order of evaluation would fail with these: then without effect */
  const char *reason;        /* errors and unmodelled statements: for people */
} Outcome;

#endif
