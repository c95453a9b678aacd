/* obey.h: what levels ask of an order and of the states read, besides SQL: times, sessions, strictness
 * (docs/levels.md).
 *
 * Transactions are shown in their order, one after the other; aborted ones are not shown.  Only those that
 * took part count.
 *
 * O1  Real time: at sser and fresh ser, of two transactions the one that certainly committed before the other
 * started stands first; so do those of one session, in the order of their lines. O2  A searched order
 * respects commit times and sessions, unless every level is serializable. O3  Freshness: a read comes from no
 * state older than the last commit certainly before it. O4  Strict SI: instants in the intervals, never
 * decreasing in the order, put exactly the commits up to the state read before the start.
 *
 * Where no places are kept, memory does not grow with the log. */
#ifndef ALIBI_LEVELS_OBEY_H
#define ALIBI_LEVELS_OBEY_H

#include "levels/level.h"
#include "src/base/map.h"
#include "src/transcript/witness.h"

/* The largest instant seen, and whose it is. */
typedef struct ObeyLatest {
  int64_t instant;
  uint64_t line; /* 0: none */
} ObeyLatest;

typedef struct Obey Obey;

/* `is_searched`: O2 applies.  `keeps_places`: some read is not current, or some level is ssi. */
Obey *obey_new(bool is_searched, bool keeps_places);
void obey_free(Obey *obey);
/* The next transaction; `read`: what the witness says of it.  `fresh` FRESH_TIMED counts only if the log has
 * times, which obey_finish knows.  False: a condition fails, obey_reason tells. */
bool obey_push(Obey *obey, const Line *line, LevelId level, WitnessFresh fresh,
               const WitnessTransaction *read);
bool obey_finish(Obey *obey);
/* What was shown so far is settled, and its end is state 0 of what follows: obey_finish of that much, and then
 * its places are forgotten. */
bool obey_go_on(Obey *obey);
const char *obey_reason(const Obey *obey);

#endif
