/* impossible.h: a statement that no state whatever explains, told without an order.
 *
 * I1  A row that no statement makes, deletes or moves is in every state.
 * I2  Of its columns those that no statement assigns have their first value in every state; of the others
 *     nothing is known.
 * What a statement that reads nothing but such rows cannot have answered then, it cannot have answered in any
 * execution of any prefix at any level. */
#ifndef ALIBI_HEURISTICS_IMPOSSIBLE_H
#define ALIBI_HEURISTICS_IMPOSSIBLE_H

#include "heuristics/search.h"

typedef struct SuspectQuestion {
  const Log *log;
  uint64_t line; /* the number of the transaction that is suspected */
  LevelOf level_of;
  const void *context;
  const SearchOptions *options;
} SuspectQuestion;

/* Is some statement of the transaction impossible in this sense?  False: not known, or bad input. */
bool suspect_is_impossible(const SuspectQuestion *question, Diag *diag);

#endif
