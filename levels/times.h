/* times.h: when a transaction may have started and committed, with what a missing time means. */
#ifndef ALIBI_LEVELS_TIMES_H
#define ALIBI_LEVELS_TIMES_H

#include "src/transcript/transcript.h"

/* A missing start is (-oo, commit], a missing commit [start, oo). */
static inline Interval times_start(const Transaction *transaction) {
  if (transaction->start.given) return transaction->start;
  return (Interval){false, INT64_MIN, transaction->commit.given ? transaction->commit.hi : INT64_MAX};
}

static inline Interval times_commit(const Transaction *transaction) {
  if (transaction->commit.given) return transaction->commit;
  return (Interval){false, transaction->start.given ? transaction->start.lo : INT64_MIN, INT64_MAX};
}

/* `a` is certainly before `b`; an open end is before nothing. */
static inline bool times_certainly_before(Interval a, Interval b) { return a.hi < b.lo; }

#endif
