/* prune_concretize.h: a prune, the seed paper's H3: what has one value left takes it.
 *
 * A row that hangs on a condition which is true in every execution that explains the transactions so far is
 * certain, and one whose condition is false in every one is none: no execution is lost.  All conditions are
 * tried at once against one execution; where some can differ, each half by itself. */
#ifndef ALIBI_HEURISTICS_PRUNE_CONCRETIZE_H
#define ALIBI_HEURISTICS_PRUNE_CONCRETIZE_H

#include "encodings/checker.h"

/* After a push.  `doubt` is where it was last called, and is kept up. */
void concretize(Checker *checker, uint64_t *doubt);

#endif
