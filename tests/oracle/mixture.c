/* mixture.c: what RC lets a step see: each key's row out of a state of its own. */
#include "tests/oracle/search.h"

#include <stdlib.h>

typedef struct Alternatives {
  KeyId key;
  uint32_t count;
  Item items[TRANSACTIONS_MOST + 1]; /* different rows; row 0: absent */
} Alternatives;

typedef struct Mixture {
  uint32_t count;
  Alternatives keys[ITEMS_MOST];
} Mixture;

static bool mixture_knows(const Mixture *mixture, KeyId key) {
  for (uint32_t i = 0; i < mixture->count; i++)
    if (mixture->keys[i].key == key) return true;
  return false;
}

static void alternatives_collect(Alternatives *alternatives, const State *states, uint32_t count) {
  for (uint32_t state = 0; state < count; state++) {
    const Item *item = state_find(&states[state], alternatives->key);
    Item alternative = item ? *item : (Item){alternatives->key, 0, 0};
    bool is_known = false;
    for (uint32_t i = 0; i < alternatives->count; i++)
      is_known |= alternatives->items[i].row == alternative.row;
    if (!is_known) alternatives->items[alternatives->count++] = alternative;
  }
}

static bool own_has(const Own *own, KeyId key) {
  for (uint32_t i = 0; i < own->count; i++)
    if (own->items[i].key == key) return true;
  return false;
}

static int alternatives_compare(const void *a, const void *b) {
  KeyId left = ((const Alternatives *)a)->key, right = ((const Alternatives *)b)->key;
  return left < right ? -1 : left > right;
}

/* Only keys that the statement could see: of its tables, and not overwritten. */
static bool mixture_collect(Mixture *mixture, const World *world, const State *states, uint32_t count,
                            const Own *own, uint32_t tables) {
  for (uint32_t state = 0; state < count; state++)
    for (uint32_t i = 0; i < states[state].count; i++) {
      KeyId key = states[state].items[i].key;
      if (!(tables >> world->key_tables.items[key] & 1) || own_has(own, key) || mixture_knows(mixture, key))
        continue;
      if (mixture->count == ITEMS_MOST) return false;
      Alternatives *alternatives = &mixture->keys[mixture->count++];
      *alternatives = (Alternatives){.key = key};
      alternatives_collect(alternatives, states, count);
    }
  qsort(mixture->keys, mixture->count, sizeof *mixture->keys, alternatives_compare);
  return true;
}

static void mixture_choose(const Mixture *mixture, uint64_t combination, State *state) {
  state->count = 0;
  for (uint32_t i = 0; i < mixture->count; i++) {
    const Alternatives *alternatives = &mixture->keys[i];
    Item item = alternatives->items[combination % alternatives->count];
    combination /= alternatives->count;
    if (item.row) state->items[state->count++] = item;
  }
}

bool mixture_each(World *world, const State *states, uint32_t count, const Own *own, uint32_t tables,
                  ViewTaker *take, void *context) {
  Mixture mixture = {.count = 0};
  uint64_t total = 1;
  if (!mixture_collect(&mixture, world, states, count, own, tables))
    return world_beyond(world, "too many keys");
  for (uint32_t i = 0; i < mixture.count && total <= COMBINATIONS_MOST; i++) total *= mixture.keys[i].count;
  if (total > COMBINATIONS_MOST) return world_beyond(world, "too many views");
  for (uint64_t combination = 0; combination < total && !world->beyond[0]; combination++) {
    State mixed, view;
    mixture_choose(&mixture, combination, &mixed);
    view_take(world, &mixed, own, tables, &view);
    if (take(context, &view)) return true;
  }
  return false;
}
