/* condition.c: the conditions of the levels on states and writes, one function each (docs/levels.md). */
#include "encodings/checker_internal.h"

/* ---- Times ---------------------------------------------------------------------------------- */

/* The newest place whose commit is certainly before the instant.  An unknown transaction may not have
 * committed. */
static uint32_t last_certain_commit(const Checker *checker, uint32_t place, int64_t instant) {
  if (instant <= checker->earliest_commit) return 0;
  for (uint32_t i = place - 1; i > 0; i--) {
    const Placed *placed = &checker->placed.items[i];
    if (placed->takes_part == TERM_TRUE && placed->commit.hi < instant) return i;
  }
  return 0;
}

uint32_t oldest_fresh(const Checker *checker, uint32_t place, int64_t instant) {
  uint32_t certain = last_certain_commit(checker, place, instant);
  /* A session's earlier transaction committed before its next one started. */
  uint32_t session = checker->placed.items[place].predecessor;
  return certain > session ? certain : session;
}

/* Strict SI: the state s is allowed when instants can be chosen, never decreasing in the order, such that
 * exactly the first s commits are before the start.  Earliest instants for those, latest for the others are
 * the best choice. */
static StateSet states_strict(const Checker *checker, uint32_t place, Arena *arena) {
  uint32_t newest = checker->placed.count - 1;
  const Placed *placed = checker->placed.items;
  Interval start = placed[place].start;
  uint32_t session = placed[place].predecessor;
  int64_t latest = INT64_MAX;
  for (uint32_t i = newest; i > place; i--)
    if (placed[i].takes_part == TERM_TRUE && placed[i].commit.hi < latest) latest = placed[i].commit.hi;
  StateSet set = {0};
  for (uint32_t state = place; state-- > 0;) {
    if (placed[state + 1].takes_part == TERM_TRUE && placed[state + 1].commit.hi < latest)
      latest = placed[state + 1].commit.hi;
    int64_t end = start.hi < latest ? start.hi : latest;
    if (start.lo > latest) break;
    int64_t earliest = placed[state].earliest;
    bool fits = start.lo <= end && (earliest < end || earliest == INT64_MIN);
    if (!fits || state < session) continue;
    StateSet one = states_range(arena, state, state);
    set = states_join(arena, &one, &set);
  }
  return set;
}

/* ---- Snapshots: V1 ----------------------------------------------------------------------------- */

static StateSet states_seen(const Checker *checker, uint32_t place, Arena *arena) {
  const Placed *placed = checker->placed.items;
  const Snapshot *snapshot = &placed[place].snapshot;
  uint32_t oldest = 0, newest = place - 1;
  for (uint32_t i = place; i-- > 1 && (!oldest || placed[i].latest_xid >= snapshot->first_open);) {
    if (!placed[i].xid) continue;
    if (!snapshot_sees(snapshot, placed[i].xid))
      newest = i - 1;
    else if (!oldest)
      oldest = i;
  }
  return states_range(arena, oldest, newest);
}

bool commit_was_seen(const Checker *checker) {
  uint32_t newest = checker->placed.count - 1;
  const Placed *placed = checker->placed.items;
  for (uint32_t i = newest; placed[newest].xid && i-- > 1 && placed[i].latest_end > placed[newest].xid;)
    if (placed[i].snapshot.given && snapshot_sees(&placed[i].snapshot, placed[newest].xid)) return true;
  return false;
}

static StateSet states_of_level(const Checker *checker, uint32_t place, Arena *arena) {
  const Placed *placed = &checker->placed.items[place];
  if (placed->level.level == LEVEL_SSI) return states_strict(checker, place, arena);
  uint32_t oldest = 0;
  if (placed->level.is_fresh && !levels[placed->level.level].is_per_statement)
    oldest = oldest_fresh(checker, place, placed->start.lo);
  return states_range(arena, oldest, place - 1);
}

StateSet states_allowed(Checker *checker, uint32_t place, Arena *arena) {
  StateSet allowed = states_of_level(checker, place, arena);
  if (!checker->placed.items[place].snapshot.given) return allowed;
  StateSet seen = states_seen(checker, place, arena);
  return states_meet(arena, &allowed, &seen);
}

bool checker_has_stronger(TransactionLevel level) {
  if (levels[level.level].rules[READ_PLAIN] == RULE_CURRENT || level.level == LEVEL_SSI) return false;
  return !level.is_fresh || level.level == LEVEL_SI;
}

uint32_t oldest_guessed(const Checker *checker, uint32_t place, int64_t instant) {
  const Placed *placed = &checker->placed.items[place];
  const Transaction *transaction = &placed->line->transaction;
  uint32_t window = checker->guess.window, oldest = window && place > window ? place - window : 0;
  if (oldest < checker->guess.floor) oldest = checker->guess.floor;
  if (checker->guess.is_serial) return place - 1;
  if (!checker->guess.is_stronger) return oldest;
  bool is_timed = transaction->start.given || transaction->commit.given;
  uint32_t fresh = is_timed ? oldest_fresh(checker, place, instant) : place - 1;
  return fresh > oldest ? fresh : oldest;
}

StateSet states_guessed(const Checker *checker, uint32_t place, const StateSet *allowed, Arena *arena) {
  const Placed *placed = &checker->placed.items[place];
  const Level *level = &levels[placed->level.level];
  if (level->rules[READ_PLAIN] == RULE_CURRENT) return *allowed;
  uint32_t oldest = oldest_guessed(checker, place, level->is_per_statement ? INT64_MIN : placed->start.lo);
  StateSet recent = states_range(arena, oldest, place - 1);
  recent = states_meet(arena, allowed, &recent);
  if (!checker->guess.is_stronger || placed->level.level != LEVEL_SI) return recent;
  StateSet strict = states_strict(checker, place, arena);
  return states_meet(arena, &recent, &strict);
}

/* The two did not both take part. */
static bool exclude_both(Checker *checker, const Placed *a, const Placed *b) {
  Term both = term_and(checker->terms, a->takes_part, b->takes_part);
  if (both == TERM_TRUE) return false;
  checker_assert(checker, term_not(checker->terms, both));
  return true;
}

static int64_t latest_read(const Placed *placed) {
  int64_t latest = placed->start.lo;
  const Transaction *transaction = &placed->line->transaction;
  for (uint32_t i = 0; levels[placed->level.level].is_per_statement && i < transaction->operation_count; i++)
    if (transaction->operations[i].start.given && transaction->operations[i].start.lo > latest)
      latest = transaction->operations[i].start.lo;
  return latest;
}

bool require_fresh_readers(Checker *checker, uint32_t place) {
  const Placed *placed = &checker->placed.items[place];
  for (uint32_t i = place; placed->commit.hi < checker->latest_fresh && i-- > 1;) {
    const Placed *reader = &checker->placed.items[i];
    if (reader->level.is_fresh && placed->commit.hi < latest_read(reader) &&
        !exclude_both(checker, reader, placed))
      return false;
  }
  int64_t latest = placed->level.is_fresh ? latest_read(placed) : INT64_MIN;
  if (latest > checker->latest_fresh) checker->latest_fresh = latest;
  return true;
}

/* Commits happened in this order: none certainly before one that stands before it. */
static void commits_order(Checker *checker, uint32_t newest) {
  const Placed *placed = &checker->placed.items[newest];
  for (uint32_t i = 1; i < newest; i++) {
    const Placed *before = &checker->placed.items[i];
    bool is_uncertain = before->takes_part != TERM_TRUE || placed->takes_part != TERM_TRUE;
    if (is_uncertain && placed->commit.hi < before->commit.lo) exclude_both(checker, before, placed);
  }
}

/* A later commit with an earlier latest instant moves all before it. */
bool require_commit_order(Checker *checker) {
  uint32_t newest = checker->placed.count - 1;
  if (checker->lift.uncertain.count || checker->placed.items[newest].takes_part != TERM_TRUE)
    commits_order(checker, newest);
  if (checker->placed.items[newest].commit.hi >= checker->latest_commit) return true;
  int64_t commit = checker->placed.items[newest].commit.hi;
  for (uint32_t place = newest; place-- > 1;) {
    const Placed *placed = &checker->placed.items[place];
    if (placed->latest_start <= commit) break; /* they all started before it was over, whatever it says */
    if (placed->level.level != LEVEL_SSI || placed->takes_part != TERM_TRUE) continue;
    Arena arena;
    arena_init(&arena);
    StateSet allowed = states_strict(checker, place, &arena);
    Term some = TERM_FALSE;
    for (uint32_t i = 0; i < placed->reads.count; i++) {
      if (placed->reads.items[i].role != CHOICE_TRANSACTION) continue;
      ChoiceId choice = placed->reads.items[i].choice;
      for (uint32_t k = 0; k < allowed.count; k++) {
        Term inside =
            term_not(checker->terms, choice_sees(checker->choices, choice, allowed.items[k].last + 1));
        inside =
            term_and(checker->terms, inside, choice_sees(checker->choices, choice, allowed.items[k].first));
        some = term_or(checker->terms, some, inside);
      }
      checker_assert(checker, some);
    }
    bool is_possible = allowed.count > 0;
    arena_free(&arena);
    if (!is_possible) return false;
  }
  return true;
}

/* ---- Writes ------------------------------------------------------------------------------------ */

/* NWC, no write conflict: no transaction between the state read and the own place wrote a key that this one
 * wrote.  Rules out lost updates. */
static void key_without_conflict(Checker *checker, const Key *key, Term takes_part) {
  Lift *lift = &checker->lift;
  Term wrote = term_and(checker->terms, takes_part, lift_wrote(lift, key, lift->place));
  uint32_t last = 0;
  for (const Version *version = key->newest; version; version = version->older) {
    uint32_t writer = version->writer;
    if (writer == lift->place || writer == last) continue;
    if (writer <= lift->oldest) break;
    last = writer;
    ChoiceId choice = lift_transaction_choice(lift);
    Term both = term_and(checker->terms, wrote, lift_wrote(lift, key, writer));
    checker_assert(checker,
                   term_implies(checker->terms, both, choice_sees(checker->choices, choice, writer)));
  }
}

/* The seed paper's form: for every key written, the new row is the one read, or the row read is the current
 * one. Rows are compared as alternatives. */
static void key_without_change(Checker *checker, const Key *key, Term takes_part) {
  Lift *lift = &checker->lift;
  if (key->newest && key->newest->writer != lift->place) return;
  const Version *last_own = key->newest;
  while (last_own->older && last_own->older->writer == lift->place) last_own = last_own->older;
  const Version *current = last_own->older;
  if (!current || (!current->guard && current->writer <= lift->oldest)) return;
  ChoiceId choice = lift_transaction_choice(lift);
  uint32_t count = store_column_count(lift->store, key);
  /* row written x row read x row current, each under its condition */
  Term own_rest = takes_part;
  for (const Version *own = key->newest; own && own->writer == lift->place; own = own->older) {
    Term own_holds = term_and(checker->terms, own_rest, own->guard ? own->guard : TERM_TRUE);
    own_rest =
        term_and(checker->terms, own_rest, term_not(checker->terms, own->guard ? own->guard : TERM_TRUE));
    if (own_holds == TERM_FALSE) continue;
    Term read_rest = own_holds;
    for (const Version *read = current;; read = read->older) {
      Term sees = !read                          ? TERM_TRUE
                  : read->writer <= lift->oldest ? TERM_TRUE
                                                 : choice_sees(checker->choices, choice, read->writer);
      if (read && read->guard) sees = term_and(checker->terms, sees, read->guard);
      Term read_holds = term_and(checker->terms, read_rest, sees);
      read_rest = term_and(checker->terms, read_rest, term_not(checker->terms, sees));
      bool keeps = versions_show_same(own, read, count);
      Term now_rest = keeps ? TERM_FALSE : read_holds;
      for (const Version *now = current; now_rest != TERM_FALSE; now = now->older) {
        Term holds = now && now->guard ? now->guard : TERM_TRUE;
        Term now_holds = term_and(checker->terms, now_rest, holds);
        now_rest = term_and(checker->terms, now_rest, term_not(checker->terms, holds));
        if (!versions_show_same(read, now, count))
          checker_assert(checker, term_not(checker->terms, now_holds));
        if (!now) break;
      }
      if (!read || read_rest == TERM_FALSE) break;
    }
  }
}

void require_no_write_conflict(Checker *checker, Term takes_part) {
  StoreWrites writes = {0};
  store_writes(checker->lift.store, store_begun(checker->lift.store), &writes);
  for (uint32_t i = 0; i < writes.count; i++) {
    if (writes.items[i].is_new) continue; /* made by this transaction: nobody else wrote it */
    if (checker->options.compares_values)
      key_without_change(checker, writes.items[i].key, takes_part);
    else
      key_without_conflict(checker, writes.items[i].key, takes_part);
  }
  ARRAY_FREE(&writes);
}
