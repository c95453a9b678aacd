/* states.c: meets and joins of sorted intervals. */
#include "encodings/states.h"

StateSet states_meet(Arena *arena, const StateSet *a, const StateSet *b) {
  StateSet meet = {0};
  for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
    uint32_t first = a->items[i].first > b->items[k].first ? a->items[i].first : b->items[k].first;
    uint32_t last = a->items[i].last < b->items[k].last ? a->items[i].last : b->items[k].last;
    if (first <= last) ARENA_PUSH(arena, &meet, (StateRange){first, last});
    if (a->items[i].last < b->items[k].last)
      i++;
    else
      k++;
  }
  return meet;
}

static void states_append(Arena *arena, StateSet *set, StateRange range) {
  StateRange *last = set->count ? &set->items[set->count - 1] : NULL;
  if (!last || range.first > last->last + 1)
    ARENA_PUSH(arena, set, range);
  else if (range.last > last->last)
    last->last = range.last;
}

StateSet states_join(Arena *arena, const StateSet *a, const StateSet *b) {
  StateSet join = {0};
  for (uint32_t i = 0, k = 0; i < a->count || k < b->count;) {
    bool takes_a = k == b->count || (i < a->count && a->items[i].first <= b->items[k].first);
    states_append(arena, &join, takes_a ? a->items[i++] : b->items[k++]);
  }
  return join;
}

StateSet states_without(Arena *arena, const StateSet *set, uint32_t state) {
  StateSet rest = {0};
  for (uint32_t i = 0; i < set->count; i++) {
    StateRange range = set->items[i];
    if (state < range.first || state > range.last) {
      ARENA_PUSH(arena, &rest, range);
      continue;
    }
    if (state > range.first) ARENA_PUSH(arena, &rest, (StateRange){range.first, state - 1});
    if (state < range.last) ARENA_PUSH(arena, &rest, (StateRange){state + 1, range.last});
  }
  return rest;
}
