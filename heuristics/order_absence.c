/* order_absence.c: who may be in the way, and all sets of them. */
#include "heuristics/order_absence.h"

#include "levels/times.h"

/* Times alone are transitive: what stands between two others for their sake does not bind these.  A session
 * and a time together do only where the one time lies within the session's order. */
static bool is_in_the_way(const Line **lines, uint32_t count, const Line *line) {
  const char *session = line->transaction.session;
  Interval start = times_start(&line->transaction), commit = times_commit(&line->transaction);
  for (uint32_t i = 0; session && i < count; i++) {
    const Transaction *other = &lines[i]->transaction;
    if (lines[i] == line || !other->session || strcmp(other->session, session) != 0) continue;
    Interval began = times_start(other), ended = times_commit(other);
    if (lines[i]->number < line->number ? ended.hi > commit.hi : began.lo < start.lo || ended.lo < commit.lo)
      return true;
  }
  return false;
}

/* Real time binds some and not others: it may bind two to a third between them and not to each other. */
static bool levels_are_mixed(Search *search, const Line **lines, uint32_t count) {
  bool is_any_strict = false, is_any_free = false;
  for (uint32_t i = 0; i < count; i++) {
    TransactionLevel level = search->level_of(search->context, lines[i]);
    bool is_strict = level.level == LEVEL_SSER || (level.level == LEVEL_SER && level.is_fresh);
    is_any_strict |= is_strict;
    is_any_free |= !is_strict;
  }
  return is_any_strict && is_any_free;
}

static const Line *line_absent(Arena *arena, const Line *line) {
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  copy->transaction.session = NULL;
  copy->transaction.start = copy->transaction.commit = (Interval){0};
  copy->transaction.operation_count = 0;
  return copy;
}

void absence_open(Absence *absence, Search *search, const Line **lines, uint32_t count) {
  Arena *arena = &search->result->arena;
  *absence = (Absence){.given = lines, .count = count};
  bool is_mixed = levels_are_mixed(search, lines, count);
  for (uint32_t i = 0; i < count; i++) {
    const Transaction *transaction = &lines[i]->transaction;
    if (transaction->status != STATUS_UNKNOWN) continue;
    bool is_timed = transaction->start.given || transaction->commit.given;
    if (!(is_mixed && is_timed) && !is_in_the_way(lines, count, lines[i])) continue;
    if (absence->suspect_count == ABSENT_MOST) {
      absence->is_open = true;
      break;
    }
    absence->copies[absence->suspect_count] = line_absent(arena, lines[i]);
    absence->suspects[absence->suspect_count++] = i;
  }
  if (!absence->suspect_count) return;
  absence->lines = ARENA_ARRAY(arena, const Line *, count);
  memcpy(absence->lines, lines, count * sizeof *lines);
}

bool absence_next(Absence *absence) {
  if (++absence->set >> absence->suspect_count) return false;
  for (uint32_t i = 0; i < absence->suspect_count; i++) {
    uint32_t number = absence->suspects[i];
    absence->lines[number] = absence->set >> i & 1 ? absence->copies[i] : absence->given[number];
  }
  return true;
}

void absence_write(const Absence *absence, SearchResult *result) {
  for (uint32_t place = 0; place < result->place_count; place++)
    for (uint32_t i = 0; i < absence->suspect_count; i++) {
      if (result->order[place] != absence->copies[i]) continue;
      WitnessTransaction *written = &result->witness->transactions.items[place];
      written->takes_part = false;
      written->reads.count = 0;
    }
}
