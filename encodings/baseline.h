/* baseline.h: the two encodings that the partially-symbolic one is measured against [Pick et al., 5.1 and 5.2].
 *
 * The whole log becomes one formula: every element of every state is in it, whether an observation needs it or
 * not, and which state a read comes from is an integer.  `bmc` keeps a state as arrays by key, one for each
 * column; `flat` has a variable for each element.  Nothing here is shared with the checker but the parser, the
 * terms and the solver.
 *
 * B1  Every execution that explains what was pushed satisfies the formula; so unsatisfiable is a refutation.
 * B2  A model is a proposal, to be confirmed by replay.
 * B3  What is outside of the fragment (encodings/README.md) ends the push with a reason that names it. */
#ifndef ALIBI_ENCODINGS_BASELINE_H
#define ALIBI_ENCODINGS_BASELINE_H

#include "encodings/checker.h"

typedef enum BaselineKind { BASELINE_FLAT, BASELINE_BMC } BaselineKind;

typedef struct Baseline Baseline;

/* State 0 from the set-up lines; NULL: bad input.  Of the options all but is_searching count. */
Baseline *baseline_new(const Log *log, BaselineKind kind, const CheckerOptions *options, Diag *diag);
void baseline_free(Baseline *baseline);

/* The next line of the given order.  After anything but PUSH_EXPLAINED nothing more is pushed. */
PushAnswer baseline_push(Baseline *baseline, const Line *line, TransactionLevel level);
PushAnswer baseline_push_final(Baseline *baseline, const Line *line);
/* After PUSH_UNKNOWN: why, and in which operation. */
const char *baseline_reason(const Baseline *baseline, uint32_t *operation);

/* After PUSH_EXPLAINED: the execution in the last model.  NULL: the solver gave up. */
Witness *baseline_witness(Baseline *baseline, Arena *arena);

CheckerStats baseline_stats(const Baseline *baseline);

#endif
