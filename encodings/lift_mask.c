/* lift_mask.c: runs that see some rows only. */
#include "encodings/lift_internal.h"

void lift_mask(Lift *lift, const Table *table, uint32_t purposes) {
  lift->mask = MASK_DOUBTFUL;
  lift->mask_table = table->id;
  lift->mask_purposes = purposes;
  lift->is_mixed = false;
  lift->masked.items = NULL;
  lift->masked.count = lift->masked.room = 0;
}

LiftOutside lift_leave(Lift *lift) {
  LiftOutside outside = {lift->trail.items, lift->trail.count, lift->trail.room, lift->base, lift->path};
  Fork *forks = outside.trail;
  lift->trail.items = NULL;
  lift->trail.count = lift->trail.room = 0;
  for (uint32_t i = 0; i < lift->depth; i++) ARRAY_PUSH(&lift->trail, forks[i]);
  lift->base = lift->depth;
  return outside;
}

void lift_return(Lift *lift, const LiftOutside *outside) {
  ARRAY_FREE(&lift->trail);
  lift->trail.items = outside->trail;
  lift->trail.count = outside->trail_count;
  lift->trail.room = outside->trail_room;
  lift->base = outside->base;
  lift->path = outside->path;
  lift->mask = MASK_NONE;
}

bool lift_each_way(Lift *lift, const Key *key, bool (*run)(void *context, UndoMark mark), void *context) {
  lift->mask = MASK_OTHERS;
  lift->mask_key = key;
  uint32_t depth = lift->depth;
  StateSet *states = lift->states.items;
  uint32_t state_count = lift->states.count;
  UndoMark mark = store_mark(lift->store);
  lift->trail.count = lift->base;
  bool is_fine;
  do {
    lift->depth = depth;
    lift->path = TERM_TRUE;
    lift->states.items = NULL;
    lift->states.count = lift->states.room = 0;
    for (uint32_t i = 0; i < state_count; i++) ARENA_PUSH(&lift->arena, &lift->states, states[i]);
    is_fine = run(context, mark);
    store_undo(lift->store, mark);
  } while (is_fine && lift_next(lift));
  lift->depth = depth;
  lift->states.items = states;
  lift->states.count = lift->states.room = state_count;
  return is_fine;
}
