/* doubt.c: the table of values that are not known yet.
 *
 * Ids are indexes and never move until doubts_clear.  The log of bindings lets a
 * failed match be undone; values bound meanwhile stay in the arena until the next clear. */
#include "semantics/doubt.h"

void doubts_init(Doubts *doubts) {
  memset(doubts, 0, sizeof *doubts);
  arena_init(&doubts->arena);
}

void doubts_free(Doubts *doubts) {
  ARRAY_FREE(&doubts->doubts);
  ARRAY_FREE(&doubts->bindings);
  arena_free(&doubts->arena);
}

void doubts_clear(Doubts *doubts) {
  doubts->doubts.count = 0;
  doubts->bindings.count = 0;
  arena_clear(&doubts->arena);
}

Value doubt_new(Doubts *doubts, DoubtKind kind, Type type, const char *origin) {
  Doubt doubt = {.kind = (uint8_t)kind, .type = type, .value = NULL_VALUE, .origin = origin};
  ARRAY_PUSH(&doubts->doubts, doubt);
  return value_doubt(doubts->doubts.count - 1);
}

Value doubt_guess(Doubts *doubts, Type type, Value guess, uint32_t generator, const char *origin) {
  Value value = doubt_new(doubts, DOUBT_FREE, type, origin);
  Doubt *doubt = &doubts->doubts.items[value.doubt];
  doubt->is_guessed = true;
  doubt->generator = generator;
  doubt->guess = value_copy(&doubts->arena, guess);
  return value;
}

Value doubt_convert(Doubts *doubts, uint32_t id, Type type) {
  const Doubt *doubt = &doubts->doubts.items[id];
  if (doubt->kind == DOUBT_LOST) return doubt_new(doubts, DOUBT_LOST, type, doubt->origin);
  if (doubt->stored && memcmp(&doubts->doubts.items[doubt->stored - 1].type, &type, sizeof type) == 0)
    return doubt_settle(doubts, value_doubt(doubt->stored - 1));
  Value stored = doubt_new(doubts, DOUBT_FREE, type, doubt->origin);
  doubts->doubts.items[id].stored = stored.doubt + 1;
  return stored;
}

void doubt_bind(Doubts *doubts, uint32_t id, Value value) {
  Doubt *doubt = &doubts->doubts.items[id];
  if (doubt->kind == DOUBT_IN) doubt->alternatives = doubt->value;
  doubt->value = value_copy(&doubts->arena, value);
  doubt->is_bound = true;
  ARRAY_PUSH(&doubts->bindings, id);
}

uint32_t doubts_mark(const Doubts *doubts) { return doubts->bindings.count; }

void doubts_undo(Doubts *doubts, uint32_t mark) {
  while (doubts->bindings.count > mark) {
    Doubt *doubt = &doubts->doubts.items[doubts->bindings.items[--doubts->bindings.count]];
    doubt->is_bound = false;
    doubt->is_assumed = false;
    doubt->value = doubt->kind == DOUBT_IN ? doubt->alternatives : NULL_VALUE;
  }
}

bool doubts_assume(Doubts *doubts) {
  if (doubts->assumes_nothing) return false;
  bool found = false;
  for (uint32_t i = 0; i < doubts->doubts.count; i++) {
    Doubt *doubt = &doubts->doubts.items[i];
    if (doubt->is_bound || !doubt->is_guessed) continue;
    doubt_bind(doubts, i, doubt->guess);
    doubt->is_assumed = true;
    found = true;
  }
  if (found) doubts->has_assumed = true;
  return found;
}

void doubts_admit(Doubts *doubts) { doubts->has_assumed |= !doubts->assumes_nothing; }

bool doubts_assumed(const Doubts *doubts) { return doubts->has_assumed; }
