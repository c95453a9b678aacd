/* effect.c: views, what a statement did to them, and whether that is what was observed. */
#include "tests/oracle/search.h"

#include <stdlib.h>

const Item *state_find(const State *state, KeyId key) {
  for (uint32_t i = 0; i < state->count; i++)
    if (state->items[i].key == key) return &state->items[i];
  return NULL;
}

bool keyset_has(const KeySet *set, KeyId key) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->keys[i] == key) return true;
  return false;
}

/* False: there is no room. */
static bool keyset_add(KeySet *set, KeyId key) {
  if (keyset_has(set, key)) return true;
  if (set->count == ITEMS_MOST) return false;
  uint32_t place = set->count++;
  for (; place > 0 && set->keys[place - 1] > key; place--) set->keys[place] = set->keys[place - 1];
  set->keys[place] = key;
  return true;
}

/* Both are sorted; an own write hides the state's row. */
static bool items_merge(const Item *items, uint32_t count, const Own *own, State *view) {
  uint32_t i = 0, o = 0;
  view->count = 0;
  while (i < count || o < own->count) {
    Item item;
    if (o == own->count || (i < count && items[i].key < own->items[o].key)) {
      item = items[i++];
    } else {
      if (i < count && items[i].key == own->items[o].key) i++;
      item = own->items[o++];
    }
    if (!item.row) continue;
    if (view->count == ITEMS_MOST) return false;
    view->items[view->count++] = item;
  }
  return true;
}

bool state_overlay(const State *before, const Own *own, State *after) {
  return items_merge(before->items, before->count, own, after);
}

void view_take(World *world, const State *state, const Own *own, uint32_t tables, State *view) {
  State all;
  view->count = 0;
  if (!state_overlay(state, own, &all)) {
    world_beyond(world, "too many rows");
    return;
  }
  for (uint32_t i = 0; i < all.count; i++)
    if (tables >> world->key_tables.items[all.items[i].key] & 1) view->items[view->count++] = all.items[i];
}

void effect_of_outcome(World *world, const Outcome *outcome, const State *view, Effect *effect) {
  if (outcome->row_count > ITEMS_MOST * 4 || outcome->change_count > ITEMS_MOST) {
    world_beyond(world, "too large a result");
    *effect = (Effect){.failure = FAILURE_ANY};
    return;
  }
  effect->failure = outcome->failure;
  effect->count = outcome->failure ? 0 : outcome->change_count;
  effect->row_count = outcome->row_count;
  effect->column_count = outcome->column_count;
  for (uint32_t i = 0; i < effect->count; i++) {
    Change change = outcome->changes[i];
    effect->changes[i].old = change.item < 0 ? (Item){0} : view->items[change.item];
    effect->changes[i].row = change.row;
  }
  for (uint32_t i = 0; i < effect->row_count; i++)
    effect->rows[i] = outcome->cells + i * outcome->column_count;
}

/* False: there is no room. */
static bool own_put(Own *own, Item item) {
  uint32_t place = 0;
  while (place < own->count && own->items[place].key < item.key) place++;
  if (place == own->count || own->items[place].key != item.key) {
    if (own->count == ITEMS_MOST) return false;
    memmove(own->items + place + 1, own->items + place, (own->count - place) * sizeof(Item));
    own->count++;
  }
  own->items[place] = item;
  return keyset_add(&own->touched, item.key);
}

/* Present in the state before, with the own writes laid over. */
static bool key_is_present(const State *before, const Own *own, KeyId key) {
  for (uint32_t i = 0; i < own->count; i++)
    if (own->items[i].key == key) return own->items[i].row != 0;
  return state_find(before, key) != NULL;
}

/* In mysql and mariadb an UPDATE that leaves a row equal does not write it. */
static bool change_is_void(const World *world, const Effect *effect, uint32_t i) {
  return dialect_is_mysql(&world->dialect) && effect->changes[i].old.key &&
         effect->changes[i].old.row == effect->changes[i].row;
}

uint32_t effect_affected(const World *world, const Effect *effect) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < effect->count; i++)
    count += world->dialect.found_rows || !change_is_void(world, effect, i);
  return count;
}

Own own_move(const Own *own, const Statement *statement) {
  Own next = statement->kind == STATEMENT_ROLLBACK_TO ? *own->saved : *own;
  next.body_count = own->body_count;
  next.saved = statement->kind == STATEMENT_SAVEPOINT ? own
               : statement->kind == STATEMENT_RELEASE ? NULL
                                                      : own->saved;
  return next;
}

/* Rows leave their old keys before any takes a new one. */
bool effect_apply(World *world, const Effect *effect, const State *before, uint32_t txn, Own *own) {
  Item fresh[ITEMS_MOST];
  uint32_t fresh_count = 0;
  bool has_room = true;
  for (uint32_t i = 0; i < effect->count; i++) {
    if (change_is_void(world, effect, i)) continue;
    Item old = effect->changes[i].old;
    RowId row = effect->changes[i].row;
    uint32_t body = old.key ? old.body : 1000 * (txn + 1) + ++own->body_count;
    KeyId key = row ? world_key(world, row, body) : 0;
    if (old.key && old.key == key) {
      has_room &= own_put(own, (Item){key, row, body});
      continue;
    }
    if (old.key) has_room &= own_put(own, (Item){old.key, 0, 0});
    if (key) fresh[fresh_count++] = (Item){key, row, body};
  }
  for (uint32_t i = 0; i < fresh_count; i++) {
    if (key_is_present(before, own, fresh[i].key)) return false;
    has_room &= own_put(own, fresh[i]);
  }
  return has_room || world_beyond(world, "too many writes");
}

/* ---- Observations -------------------------------------------------------------------- */

static bool number_read(Value value, double *number) {
  if (value.kind == VALUE_INT || value.kind == VALUE_BOOL) return *number = (double)value.integer, true;
  if (value.kind == VALUE_DOUBLE) return *number = value.real, true;
  if (value.kind != VALUE_TEXT || value.length == 0 || value.length > 40) return false;
  char text[48], *end;
  memcpy(text, value.text, value.length);
  text[value.length] = 0;
  *number = strtod(text, &end);
  return *end == 0;
}

bool value_matches(Value value, Value observed) {
  if (value.kind == VALUE_NULL || observed.kind == VALUE_NULL) return value.kind == observed.kind;
  if (value.kind == VALUE_TEXT)
    return observed.kind == VALUE_TEXT && value.length == observed.length &&
           !memcmp(value.text, observed.text, value.length);
  double left, right;
  return number_read(value, &left) && number_read(observed, &right) && left == right;
}

static bool row_matches(const Value *row, uint32_t width, const ObservedRow *observed) {
  if (observed->count != width) return false;
  for (uint32_t i = 0; i < width; i++)
    if (!value_matches(row[i], observed->cells[i].value)) return false;
  return true;
}

/* Matching is an equivalence on what the generator makes, so the first free partner is as good as any. */
bool rows_match(const Value *const *rows, uint32_t count, uint32_t width, const ObservedRows *observed,
                bool is_ordered) {
  if (observed->count != count) return false;
  bool taken[ITEMS_MOST * 4] = {false};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t partner = is_ordered ? i : 0;
    while (partner < count && (taken[partner] || !row_matches(rows[i], width, &observed->rows[partner]))) {
      partner++;
      if (is_ordered) return false;
    }
    if (partner == count) return false;
    taken[partner] = true;
  }
  return true;
}

/* Of a statement that succeeded. */
bool effect_matches(const World *world, const Statement *statement, const Effect *effect) {
  const Operation *operation = statement->operation;
  if (effect->failure) return false;
  if (operation->has_rows && !rows_match(effect->rows, effect->row_count, effect->column_count,
                                         &operation->results[0], statement->is_ordered))
    return false;
  if (!operation->has_affected) return true;
  uint32_t affected = statement->kind == STATEMENT_QUERY ? effect->row_count : effect_affected(world, effect);
  return operation->affected == affected;
}
