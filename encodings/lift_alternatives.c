/* lift_alternatives.c: what a key may show in the state of a choice: its versions, each under its guard,
 * equal rows merged. */
#include "encodings/lift_internal.h"

#include "src/base/map.h"

/* ---- Candidates ------------------------------------------------------------------------------- */

typedef struct Candidate {
  const Version *version; /* NULL: before the first */
  StateRange states;
  bool is_own; /* or the read is current: visible in every state */
  uint32_t
      together; /* it is the first of so many of which, where they are visible, exactly one holds; or 0 */
} Candidate;

typedef ARRAY(Candidate) Candidates;

/* Of the versions that count together, those that are not void: at least one, for one of them holds. */
static uint32_t group_count(const Version *version, uint32_t together) {
  uint32_t count = 0;
  for (; together--; version = version->older) count += !version->is_void;
  return count;
}

/* The versions that can be seen, newest first, down to one that certainly is. */
static void candidates_collect(Lift *lift, const Key *key, uint32_t read, Candidates *candidates) {
  ChoiceId choice = read == UINT32_MAX ? NO_CHOICE : lift->reads.items[read].choice;
  uint32_t oldest = choice == NO_CHOICE ? 0 : choice_oldest(lift->choices, choice);
  uint32_t last = choice == NO_CHOICE ? lift->place - 1 : choice_newest(lift->choices, choice);
  uint32_t left = 0;  /* versions of the present group */
  uint32_t group = 0; /* its size, until the first of it stands here */
  for (const Version *version = key->newest; version; version = version->older) {
    bool is_own = choice == NO_CHOICE || version->writer == lift->place;
    uint32_t first = is_own || version->writer <= oldest ? oldest : version->writer;
    uint32_t together = left ? 0 : version->together ? version->together : !version->guard;
    if (!left) group = group_count(version, together);
    left = left ? left - 1 : together ? together - 1 : 0;
    if (first <= last && !version->is_void) {
      ARENA_PUSH(&lift->arena, candidates, (Candidate){version, {first, last}, is_own, group});
      group = 0;
    }
    bool is_all = !left && (!version->guard || version->together == 1); /* of its writer no other counts */
    if (is_all && (is_own || version->writer <= oldest)) return;
    if (is_all && version->writer <= last) last = version->writer - 1;
  }
  if (oldest <= last || choice == NO_CHOICE)
    ARENA_PUSH(&lift->arena, candidates, (Candidate){NULL, {oldest, last}, true, 1});
}

StateSet path_states(Lift *lift, uint32_t read) {
  while (lift->states.count < lift->reads.count) {
    StateSet states = lift->reads.items[lift->states.count].states;
    ARENA_PUSH(&lift->arena, &lift->states, states);
  }
  return lift->states.items[read];
}

/* Drops what the path rules out: versions that count together have the same states. */
static void candidates_filter(Lift *lift, uint32_t read, Candidates *candidates) {
  if (read == UINT32_MAX) return;
  StateSet path = path_states(lift, read);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < candidates->count; i++) {
    StateSet own =
        states_range(&lift->arena, candidates->items[i].states.first, candidates->items[i].states.last);
    if (states_meet(&lift->arena, &path, &own).count) candidates->items[kept++] = candidates->items[i];
  }
  lift->narrowed += candidates->count - kept;
  candidates->count = kept;
}

/* ---- Equal rows --------------------------------------------------------------------------------- */

/* Was the row of the older version deleted before the newer one came? */
static bool row_is_reborn(const Version *newer, const Version *older) {
  bool is_deleted = false;
  for (; newer && newer != older; newer = newer->older) is_deleted |= newer->is_tombstone;
  return newer && is_deleted;
}

/* Where rows are physical, another row is not the same, whatever it holds. */
static bool rows_are_same(const Lift *lift, const Version *a, const Version *b, uint32_t column_count) {
  if (!versions_show_same(a, b, column_count)) return false;
  if (!lift->level->is_physical || !version_shows(a)) return true;
  return !row_is_reborn(a, b) && !row_is_reborn(b, a);
}

/* Which alternative shows a row: open addressing, places counted from 1. */
typedef struct RowTable {
  uint32_t *slots;
  uint32_t mask;
} RowTable;

static RowTable row_table_new(Lift *lift, uint32_t count) {
  uint32_t room = 8;
  while (room < 2 * count) room *= 2;
  return (RowTable){ARENA_ARRAY(&lift->arena, uint32_t, room), room - 1};
}

static uint64_t version_digest(const Version *version, uint32_t column_count) {
  uint64_t digest = 0;
  for (uint32_t i = 0; version_shows(version) && i < column_count; i++)
    digest = hash_mix(digest, value_digest(version->values[i]));
  return digest;
}

/* The slot of the alternative that shows the same row, or a free one. */
static uint32_t *row_table_find(const Lift *lift, const RowTable *table, const Fork *fork,
                                const Version *version, uint32_t column_count) {
  uint32_t at = (uint32_t)version_digest(version, column_count) & table->mask;
  while (table->slots[at] &&
         !rows_are_same(lift, fork->alternatives[table->slots[at] - 1].version, version, column_count))
    at = (at + 1) & table->mask;
  return &table->slots[at];
}

/* ---- Alternatives --------------------------------------------------------------------------------- */

typedef ARRAY(Term) Guards; /* in the operation's arena */

typedef struct Maker {
  Lift *lift;
  Fork *fork;
  Guards *guards; /* by alternative: any of them */
  RowTable table;
  StateSet path;
  uint32_t column_count;
  Term rest;     /* nothing newer is seen */
  bool is_chain; /* `rest` says only of one place that it is not seen, which says it of all that are newer */
  Term visible;  /* of the versions that count together: nothing newer, but these */
  uint32_t left;
} Maker;

static void alternative_add(Maker *maker, const Candidate *candidate, Term guard) {
  Lift *lift = maker->lift;
  Fork *fork = maker->fork;
  if (guard == TERM_FALSE) return;
  StateSet own = states_range(&lift->arena, candidate->states.first, candidate->states.last);
  if (fork->read != UINT32_MAX) own = states_meet(&lift->arena, &maker->path, &own);
  uint32_t *slot = row_table_find(lift, &maker->table, fork, candidate->version, maker->column_count);
  if (!*slot) {
    fork->alternatives[fork->count++] = (Alternative){guard, candidate->version, own};
    *slot = fork->count;
  } else {
    Alternative *alternative = &fork->alternatives[*slot - 1];
    alternative->states = states_join(&lift->arena, &alternative->states, &own);
  }
  ARENA_PUSH(&lift->arena, &maker->guards[*slot - 1], guard);
}

static void candidate_add(Maker *maker, const Candidate *candidate) {
  Terms *terms = maker->lift->terms;
  const Version *version = candidate->version;
  Term sees = TERM_TRUE;
  if (!candidate->is_own) sees = choice_sees(maker->lift->choices, maker->fork->choice, version->writer);
  Term guard = version && version->guard ? version->guard : TERM_TRUE;
  if (candidate->together) {
    maker->left = candidate->together;
    maker->visible = term_and(terms, maker->rest, sees);
    Term hidden = term_not(terms, sees);
    maker->rest = maker->is_chain ? hidden : term_and(terms, maker->rest, hidden);
  }
  if (maker->left) {
    maker->left--;
    alternative_add(maker, candidate, term_and(terms, maker->visible, guard));
    return;
  }
  Term holds = term_and(terms, sees, guard);
  alternative_add(maker, candidate, term_and(terms, maker->rest, holds));
  maker->rest = term_and(terms, maker->rest, term_not(terms, holds));
  maker->is_chain = false;
}

void alternatives_find(Lift *lift, const Key *key, uint32_t read, Fork *fork) {
  Candidates candidates = {0};
  candidates_collect(lift, key, read, &candidates);
  candidates_filter(lift, read, &candidates);
  uint32_t column_count = store_column_count(lift->store, key);
  bool is_decided = true;
  for (uint32_t i = 1; i < candidates.count && is_decided; i++)
    is_decided = rows_are_same(lift, candidates.items[0].version, candidates.items[i].version, column_count);
  fork->alternatives = ARENA_ARRAY(&lift->arena, Alternative, is_decided ? 1 : candidates.count);
  fork->count = 0;
  if (is_decided) { /* L2 */
    if (candidates.count) fork->alternatives[fork->count++].version = candidates.items[0].version;
    return;
  }
  Maker maker = {.lift = lift,
                 .fork = fork,
                 .guards = arena_zero(&lift->arena, candidates.count * sizeof(Guards)),
                 .table = row_table_new(lift, candidates.count),
                 .column_count = column_count,
                 .rest = TERM_TRUE,
                 .is_chain = true};
  if (read != UINT32_MAX) maker.path = path_states(lift, read);
  for (uint32_t i = 0; i < candidates.count && (maker.rest != TERM_FALSE || maker.left); i++)
    candidate_add(&maker, &candidates.items[i]);
  for (uint32_t i = 0; i < fork->count; i++)
    fork->alternatives[i].guard = term_or_all(lift->terms, maker.guards[i].items, maker.guards[i].count);
}
