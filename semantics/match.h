/* match.h: does an outcome explain an observation?
 *
 * M1  Rows are compared as multisets; under ORDER BY, in order up to ties.
 * M2  LIMIT that cuts a tie admits any choice of the tied rows.
 * M3  Numbers are compared by value; doubles at the digits observed; observed text in the model's type.
 * M4  A value in doubt that is still free is bound by the observation; bindings of a failed match are undone. */
#ifndef ALIBI_SEMANTICS_MATCH_H
#define ALIBI_SEMANTICS_MATCH_H

#include "semantics/doubt.h"
#include "semantics/result.h"
#include "src/transcript/transcript.h"

typedef enum MatchAnswer { MATCH_YES, MATCH_NO, MATCH_UNDECIDED } MatchAnswer;

typedef enum MismatchKind {
  MISMATCH_NONE, MISMATCH_ROWS, MISMATCH_ORDER, MISMATCH_COLUMNS, MISMATCH_COLUMN_COUNT, MISMATCH_AFFECTED, MISMATCH_ERROR_EXPECTED,
  MISMATCH_ERROR_OBSERVED, MISMATCH_ERROR_CLASS, MISMATCH_RESULT_COUNT, MISMATCH_NO_ROWS,
  MISMATCH_COMMIT /* the transaction could not have committed */
} MismatchKind;

typedef struct Mismatch {
  MismatchKind kind;
  uint32_t result; /* which result set */
} Mismatch;

MatchAnswer match_outcome(const Dialect *dialect, Doubts *doubts, const Outcome *outcome, const Operation *operation, Mismatch *mismatch);
MatchAnswer match_rows(const Dialect *dialect, Doubts *doubts, const ResultSet *result, const ObservedRows *observed, Mismatch *mismatch);
/* One cell: 1 equal, 0 not, -1 a doubt that cannot be decided here. */
int match_cell(const Dialect *dialect, Doubts *doubts, Value model, Type type, double magnitude, const Observed *observed);

#endif
