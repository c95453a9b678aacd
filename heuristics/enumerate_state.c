/* enumerate_state.c: the laws of docs/levels.md about orders, times and states, for one execution. */
#include "heuristics/enumerate_internal.h"

/* ---- Evidence
 * ---------------------------------------------------------------------------------------------- */

bool member_is_serial(const Member *member) {
  return member->level.level == LEVEL_SER || member->level.level == LEVEL_SSER;
}

static bool is_strict(const Member *member) {
  return member->level.level == LEVEL_SSER || (member->level.level == LEVEL_SER && member->level.is_fresh);
}

static bool session_precedes(const Member *first, const Member *second) {
  const char *session = first->line->transaction.session, *other = second->line->transaction.session;
  return session && other && strcmp(session, other) == 0 && first->line->number < second->line->number;
}

/* Must the first stand before the second? */
bool member_must_precede(const Counter *counter, const Member *first, const Member *second) {
  bool strict = is_strict(first) || is_strict(second);
  bool by_commit = counter->respects_commits && !counter->enumeration->is_given;
  if ((strict || by_commit) && session_precedes(first, second)) return true;
  return (strict && times_certainly_before(first->commit, second->start)) ||
         (by_commit && times_certainly_before(first->commit, second->commit));
}

bool member_may_come_next(const Counter *counter, const Member *member) {
  if (member->is_placed) return false;
  for (uint32_t i = 0; i < counter->member_count; i++) {
    const Member *other = &counter->members[i];
    if (other == member) continue;
    if (other->is_placed && member_must_precede(counter, member, other)) return false;
    bool is_needed = !other->is_placed && other->line->transaction.status == STATUS_COMMITTED;
    if (is_needed && member_must_precede(counter, other, member)) return false;
  }
  return true;
}

/* The earliest instant of a read of the operation, for freshness. */
static int64_t read_instant(const Member *member, uint32_t operation) {
  const Transaction *transaction = &member->line->transaction;
  if (levels[member->level.level].is_per_statement && operation < transaction->operation_count &&
      transaction->operations[operation].start.given)
    return transaction->operations[operation].start.lo;
  return member->start.lo;
}

/* Freshness, of what stands before the reader: the oldest state it may read. */
static uint32_t oldest_state(const Counter *counter, uint32_t place, uint32_t operation) {
  const Member *reader = counter->order[place];
  bool is_strict_si = reader->level.level == LEVEL_SSI;
  if (!reader->level.is_fresh && !is_strict_si) return 0;
  int64_t instant = read_instant(reader, operation);
  for (uint32_t i = place - 1; i > 0; i--) {
    const Member *other = counter->order[i];
    if (session_precedes(other, reader) || (!is_strict_si && other->commit.hi < instant)) return i;
  }
  return 0;
}

/* ---- States
 * -------------------------------------------------------------------------------------------------- */

static const Chosen *chosen_find(const Counter *counter, const CertifyRead *read) {
  for (uint32_t i = counter->chosen.count; i-- > 0;) {
    const CertifyRead *other = &counter->chosen.items[i].read;
    if (other->place != read->place || other->role != read->role) continue;
    if (read->role == WITNESS_TRANSACTION) return &counter->chosen.items[i];
    if (other->operation == read->operation && other->step == read->step &&
        (read->role != WITNESS_KEY || other->key == read->key))
      return &counter->chosen.items[i];
  }
  return NULL;
}

/* The state of the step that the read belongs to, or of its transaction. */
static uint32_t view_state(Counter *counter, const CertifyRead *read) {
  CertifyRead view = *read;
  const Level *level = &levels[counter->order[read->place]->level.level];
  ReadRule rule = level->rules[READ_PLAIN];
  if (rule != RULE_TRANSACTION && rule != RULE_STEP) return read->place - 1;
  view.role = rule == RULE_TRANSACTION ? WITNESS_TRANSACTION : WITNESS_STEP;
  view.rule = rule;
  return state_choose(counter, &view);
}

/* Steps never go back. */
static uint32_t last_step(const Counter *counter, uint32_t place) {
  for (uint32_t i = counter->chosen.count; i-- > 0;)
    if (counter->chosen.items[i].read.place == place && counter->chosen.items[i].read.role == WITNESS_STEP)
      return counter->chosen.items[i].state;
  return 0;
}

static uint32_t oldest_allowed(Counter *counter, const CertifyRead *read) {
  uint32_t oldest = oldest_state(counter, read->place, read->operation), least = 0;
  switch (read->role) {
  case WITNESS_STEP: least = last_step(counter, read->place); break;
  case WITNESS_KEY:
    if (read->rule != RULE_KEY) least = view_state(counter, read);
    break;
  case WITNESS_CHECK:
    if (read->rule == RULE_CURRENT && !counter->enumeration->is_given &&
        member_is_serial(counter->order[read->place]))
      return 0; /* any state of the execution */
    if (read->rule != RULE_KEY) least = view_state(counter, read);
    break;
  default: break;
  }
  return oldest > least ? oldest : least;
}

/* One state for each row that the key had: others show the same. */
static uint32_t key_choose(Counter *counter, const CertifyRead *read, uint32_t oldest) {
  uint32_t states[MOST_TRANSACTIONS + 2], count = 0;
  for (const Version *version = read->key->newest; version; version = version->older) {
    if (version->writer >= read->place) continue;
    uint32_t state = version->writer > oldest ? version->writer : oldest;
    if (!count || states[count - 1] != state) states[count++] = state;
    if (version->writer <= oldest || count > MOST_TRANSACTIONS) break;
  }
  if (!count || states[count - 1] > oldest) states[count++] = oldest; /* before it was there */
  return count > 1 ? states[digit_take(counter, count)] : states[0];
}

uint32_t state_choose(void *context, const CertifyRead *read) {
  Counter *counter = context;
  const Chosen *chosen = chosen_find(counter, read);
  if (chosen) return chosen->state;
  if (read->step == STEP_LATER && read->role == WITNESS_CHECK)
    return digit_take(counter, 2) ? STATE_LATER : 0;
  uint32_t oldest = oldest_allowed(counter, read), newest = read->place - 1;
  if (oldest > newest) oldest = newest;
  uint32_t state = read->role == WITNESS_KEY && read->key ? key_choose(counter, read, oldest)
                   : newest > oldest                      ? newest - digit_take(counter, newest - oldest + 1)
                                                          : newest;
  ARENA_PUSH(&counter->arena, &counter->chosen, ((Chosen){*read, state}));
  return state;
}

/* ---- What only the whole order tells
 * ------------------------------------------------------------------------- */

/* Nobody who committed certainly before a fresh read stands behind the reader. */
bool readers_are_fresh(const Counter *counter) {
  for (uint32_t place = 1; place <= counter->placed; place++) {
    const Member *reader = counter->order[place];
    if (!reader->level.is_fresh || reader->level.level == LEVEL_SSI) continue;
    uint32_t count = reader->line->transaction.operation_count;
    for (uint32_t later = place + 1; later <= counter->placed; later++) {
      if (session_precedes(counter->order[later], reader)) return false;
      for (uint32_t i = 0; i <= count; i++)
        if (counter->order[later]->commit.hi < read_instant(reader, i)) return false;
    }
  }
  return true;
}

/* Strict SI: instants for all commits, never decreasing, of which exactly the first `state` are before the
 * start. */
static bool instants_exist(const Counter *counter, uint32_t place, uint32_t state) {
  int64_t last = INT64_MIN;
  Interval start = counter->order[place]->start;
  for (uint32_t i = 1; i <= counter->placed; i++) {
    Interval commit = counter->order[i]->commit;
    if (i == state + 1) {
      int64_t begin = state && last > INT64_MIN && last + 1 > start.lo ? last + 1 : start.lo;
      if (begin > start.hi) return false;
      if (begin > last) last = begin;
    }
    if (commit.lo > last) last = commit.lo;
    if (last > commit.hi) return false;
  }
  return true;
}

bool snapshots_are_strict(Counter *counter) {
  for (uint32_t place = 1; place <= counter->placed; place++) {
    if (counter->order[place]->level.level != LEVEL_SSI) continue;
    CertifyRead read = {.role = WITNESS_TRANSACTION, .rule = RULE_TRANSACTION, .place = place};
    if (!instants_exist(counter, place, state_choose(counter, &read))) return false;
  }
  return true;
}
