/* states.h: sets of states, as ascending intervals that do not touch. */
#ifndef ALIBI_ENCODINGS_STATES_H
#define ALIBI_ENCODINGS_STATES_H

#include "src/base/array.h"

#include <stdbool.h>

typedef struct StateRange {
  uint32_t first, last;
} StateRange;

typedef ARRAY(StateRange) StateSet; /* in an arena */

static inline StateSet states_range(Arena *arena, uint32_t first, uint32_t last) {
  StateSet set = {0};
  if (first <= last) ARENA_PUSH(arena, &set, (StateRange){first, last});
  return set;
}

StateSet states_meet(Arena *arena, const StateSet *a, const StateSet *b);
StateSet states_join(Arena *arena, const StateSet *a, const StateSet *b);
static inline uint64_t states_count(const StateSet *set) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < set->count; i++) count += set->items[i].last - set->items[i].first + 1;
  return count;
}

StateSet states_without(Arena *arena, const StateSet *set, uint32_t state);

#endif
