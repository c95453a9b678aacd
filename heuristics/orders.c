/* orders.c: evidence: times and sessions; and the present order. */
#include "heuristics/orders.h"

/* ---- Evidence -------------------------------------------------------------------------------- */

static bool is_serial(LevelId level) { return level == LEVEL_SER || level == LEVEL_SSER; }

static int commit_compare(const void *a, const void *b, void *context) {
  const Candidate *candidates = context;
  int64_t first = candidates[*(const uint32_t *)a].commit.hi,
          second = candidates[*(const uint32_t *)b].commit.hi;
  return first < second ? -1 : first > second;
}

static void orders_session(Orders *orders, Map *sessions, uint32_t number) {
  const Line *line = orders->candidates[number].line;
  const char *session = line->transaction.session;
  if (!session) return;
  uint32_t last = (uint32_t)(uintptr_t)map_find(sessions, session);
  /* The given order may have them the other way round: what counts is the order of the lines. */
  if (last && orders->candidates[last - 1].line->number > line->number) {
    uint32_t later = last;
    while (orders->candidates[later - 1].predecessor &&
           orders->candidates[orders->candidates[later - 1].predecessor - 1].line->number > line->number)
      later = orders->candidates[later - 1].predecessor;
    orders->candidates[number].predecessor = orders->candidates[later - 1].predecessor;
    orders->candidates[later - 1].predecessor = number + 1;
    return;
  }
  orders->candidates[number].predecessor = last;
  map_put_copy(sessions, session, strlen(session), (void *)(uintptr_t)(number + 1));
}

/* An error that any earlier state may explain makes more of the past count than the present state. */
static bool explains_key_error(const Log *log, const Line *line) {
  for (uint32_t i = 0; i < line->transaction.operation_count; i++)
    if (operation_fails_by_key(&log->header.dialect, &line->transaction.operations[i])) return true;
  return false;
}

/* A line with the instant that it is sorted by. */
typedef struct Guessed {
  const Line *line;
  int64_t instant;
  uint32_t given;
} Guessed;

static int guessed_compare(const void *a, const void *b) {
  const Guessed *first = a, *second = b;
  if (first->instant != second->instant) return first->instant < second->instant ? -1 : 1;
  return first->given < second->given ? -1 : first->given > second->given;
}

/* A guess: where transactions wait for each other's locks, who wrote or read after another's commit sent its
 * own COMMIT later.  Transactions without a time stay with those before them. */
static const Guessed *order_guess(Arena *arena, const Line **lines, uint32_t count, bool keeps_given) {
  Guessed *guessed = ARENA_ARRAY(arena, Guessed, count + 1);
  int64_t last = INT64_MIN;
  for (uint32_t i = 0; i < count; i++) {
    if (lines[i]->transaction.commit.given && !keeps_given) last = lines[i]->transaction.commit.lo;
    guessed[i] = (Guessed){lines[i], last, i};
  }
  qsort(guessed, count, sizeof *guessed, guessed_compare);
  return guessed;
}

/* From which instant on the commits that are certainly over are seen: INT64_MAX: all that stand before it,
 * INT64_MIN: none. */
static int64_t candidate_earliest_read(const Log *log, const Candidate *candidate, TransactionLevel level) {
  if (candidate->is_current) return explains_key_error(log, candidate->line) ? INT64_MIN : INT64_MAX;
  if (!level.is_fresh) return INT64_MIN;
  int64_t earliest = candidate->start.lo;
  const Transaction *transaction = &candidate->line->transaction;
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    if (transaction->operations[i].start.given && transaction->operations[i].start.lo < earliest)
      earliest = transaction->operations[i].start.lo;
  return earliest;
}

static int64_t candidate_latest_read(const Candidate *candidate, TransactionLevel level) {
  if (!level.is_fresh) return INT64_MIN;
  int64_t latest = candidate->start.lo;
  const Transaction *transaction = &candidate->line->transaction;
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    if (transaction->operations[i].start.given && transaction->operations[i].start.lo > latest)
      latest = transaction->operations[i].start.lo;
  return latest;
}

static Candidate candidate_make(const Guessed *guessed, TransactionLevel level) {
  const Transaction *transaction = &guessed->line->transaction;
  return (Candidate){.line = guessed->line,
                     .given = guessed->given,
                     .start = times_start(transaction),
                     .commit = times_commit(transaction),
                     .is_strict = level.level == LEVEL_SSER || (level.level == LEVEL_SER && level.is_fresh),
                     .is_current = is_serial(level.level),
                     .is_fresh = level.is_fresh,
                     .xid = line_xid(guessed->line, level.level),
                     .snapshot = line_snapshot(guessed->line, level.level),
                     .is_per_statement = levels[level.level].is_per_statement};
}

static void orders_allocate(Orders *orders, Arena *arena) {
  uint32_t room = orders->count + 1;
  orders->candidates = ARENA_ARRAY(arena, Candidate, room);
  orders->by_commit = ARENA_ARRAY(arena, uint32_t, room);
  orders->is_used = ARENA_ARRAY(arena, bool, room);
  orders->order = ARENA_ARRAY(arena, const Line *, room);
  orders->taken = ARENA_ARRAY(arena, uint32_t, room);
  orders->latest = ARENA_ARRAY(arena, int64_t, room);
  orders->first = ARENA_ARRAY(arena, uint32_t, room);
  orders->rank = ARENA_ARRAY(arena, uint32_t, room);
  orders->earliest = ARENA_ARRAY(arena, int64_t, room);
  orders->earliest_read = ARENA_ARRAY(arena, int64_t, room);
  for (uint32_t i = 0; i < room; i++) orders->first[i] = NOBODY;
}

/* The smallest of all from each number on. */
static void orders_bound(Orders *orders) {
  orders->earliest[orders->count] = orders->earliest_read[orders->count] = INT64_MAX;
  for (uint32_t i = orders->count; i-- > 0;) {
    const Candidate *candidate = &orders->candidates[i];
    int64_t earliest = orders->respects_commits ? candidate->commit.lo : candidate->start.lo;
    if ((!orders->respects_commits && !orders->is_bound) || orders->keeps_given) earliest = INT64_MIN;
    orders->earliest[i] = earliest < orders->earliest[i + 1] ? earliest : orders->earliest[i + 1];
    if (orders->earliest_read[i] > orders->earliest_read[i + 1])
      orders->earliest_read[i] = orders->earliest_read[i + 1];
  }
}

void orders_open(Orders *orders, Search *search, const Line **lines, uint32_t count, bool keeps_given) {
  Arena *arena = &search->result->arena;
  *orders = (Orders){.search = search,
                     .count = count,
                     .goal = count,
                     .blamed = NOBODY,
                     .stuck = NOBODY,
                     .keeps_given = keeps_given};
  const Guessed *guessed = order_guess(arena, lines, count, keeps_given);
  orders_allocate(orders, arena);
  orders->has_memory = orders->is_bound = true;
  Map sessions;
  map_init(&sessions);
  for (uint32_t i = 0; i < count; i++) {
    TransactionLevel level = search->level_of(search->context, guessed[i].line);
    Candidate *candidate = &orders->candidates[i];
    *candidate = candidate_make(&guessed[i], level);
    orders->by_commit[i] = i;
    orders->respects_commits |= keeps_given ? level.level == LEVEL_SSI : !is_serial(level.level);
    orders->has_sessions |= !is_serial(level.level);
    orders->is_bound &= candidate->is_strict;
    /* Strict states hang on all commits before; what an aborted transaction read binds others too. */
    orders->has_memory &= level.level != LEVEL_SSI && !line_is_reader(candidate->line);
    candidate->earliest_read = candidate_earliest_read(search->log, candidate, level);
    candidate->latest_read = candidate_latest_read(candidate, level);
    orders->earliest_read[i] = candidate->earliest_read;
    orders_session(orders, &sessions, i);
  }
  map_free(&sessions);
  qsort_r(orders->by_commit, count, sizeof *orders->by_commit, commit_compare, orders->candidates);
  for (uint32_t i = 0; i < count; i++) orders->rank[orders->by_commit[i]] = i;
  orders_bound(orders);
}

bool orders_precede(const Orders *orders, const Candidate *other, const Candidate *candidate) {
  bool is_strict = other->is_strict || candidate->is_strict;
  return (is_strict && times_certainly_before(other->commit, candidate->start)) ||
         (orders->respects_commits && times_certainly_before(other->commit, candidate->commit));
}

/* In the given order: is it the next one of those that do not move? */
static bool given_is_next(const Orders *orders, uint32_t number) {
  for (uint32_t i = orders->first_unused; i < number; i++)
    if (!orders->is_used[i] && !line_is_reader(orders->candidates[i].line)) return false;
  return true;
}

bool orders_are_of_session(const Orders *orders, uint32_t number, uint32_t other) {
  const char *a = orders->candidates[number].line->transaction.session,
             *b = orders->candidates[other].line->transaction.session;
  return a && b && strcmp(a, b) == 0;
}

/* Do sessions bind the order of the candidate and another of its session? */
static bool session_binds(const Orders *orders, uint32_t number, uint32_t other) {
  return orders->has_sessions || orders->candidates[number].is_strict || orders->candidates[other].is_strict;
}

bool orders_must_precede(const Orders *orders, uint32_t number, uint32_t other) {
  const Candidate *first = &orders->candidates[number], *second = &orders->candidates[other];
  return orders_precede(orders, first, second) ||
         (first->line->number < second->line->number && session_binds(orders, number, other) &&
          orders_are_of_session(orders, number, other));
}

/* Are those that the session has before it in the order?  In the given one only aborted ones move. */
static bool session_is_ready(const Orders *orders, uint32_t number, bool is_fixed) {
  uint32_t before = orders->candidates[number].predecessor;
  for (; before; before = orders->keeps_given ? orders->candidates[before - 1].predecessor : 0) {
    bool counts = !is_fixed || line_is_reader(orders->candidates[before - 1].line);
    if (counts && session_binds(orders, number, before - 1) && !orders->is_used[before - 1]) return false;
  }
  return true;
}

bool orders_allow(const Orders *orders, uint32_t number) {
  const Candidate *candidate = &orders->candidates[number];
  if (orders->is_used[number]) return false;
  bool is_fixed = orders->keeps_given && !line_is_reader(candidate->line);
  if (is_fixed && !given_is_next(orders, number)) return false;
  if (!session_is_ready(orders, number, is_fixed)) return false;
  if (orders->snapshots.given && !snapshots_allow(orders, number)) return false;
  /* Those that committed first, as long as they are certainly before anything of the candidate. */
  for (uint32_t i = orders->first_open; i < orders->count; i++) {
    const Candidate *other = &orders->candidates[orders->by_commit[i]];
    if (other->commit.hi >= candidate->start.lo && other->commit.hi >= candidate->commit.lo) return true;
    if (orders->is_used[orders->by_commit[i]] || other == candidate) continue;
    if (is_fixed && !line_is_reader(other->line)) continue;
    if (orders_precede(orders, other, candidate)) return false;
  }
  return true;
}

/* ---- Taking and giving back ------------------------------------------------------------------- */

static void used_change(Orders *orders, uint32_t number) {
  orders->used[0] ^= hash_mix(number, 1);
  orders->used[1] ^= hash_mix(number, 2);
}

void orders_take(Orders *orders, uint32_t number) {
  orders->order[orders->depth] = orders->candidates[number].line;
  orders->latest[orders->depth] = orders->candidates[number].commit.hi;
  if (orders->depth && orders->latest[orders->depth - 1] > orders->latest[orders->depth])
    orders->latest[orders->depth] = orders->latest[orders->depth - 1];
  orders->taken[orders->depth++] = number;
  orders->is_used[number] = true;
  used_change(orders, number);
  while (orders->first_open < orders->count && orders->is_used[orders->by_commit[orders->first_open]])
    orders->first_open++;
  while (orders->first_unused < orders->count && orders->is_used[orders->first_unused])
    orders->first_unused++;
  if (orders->snapshots.given) snapshots_take(orders);
}

uint32_t orders_give_back(Orders *orders) {
  uint32_t number = orders->taken[--orders->depth];
  orders->is_used[number] = false;
  used_change(orders, number);
  if (number < orders->first_unused) orders->first_unused = number;
  if (orders->rank[number] < orders->first_open) orders->first_open = orders->rank[number];
  if (orders->snapshots.given) snapshots_give_back(orders, number);
  search_changed(orders->search, orders->depth);
  return number;
}

uint32_t orders_next(const Orders *orders, uint32_t from) {
  uint32_t count = orders->count, first = orders->first[orders->depth];
  if (from < orders->first_unused) from = orders->first_unused;
  if (orders->first_open == count) return count;
  int64_t latest = orders->candidates[orders->by_commit[orders->first_open]].commit.hi;
  for (; from < count && orders->earliest[from] <= latest; from++)
    if (from != first && orders_allow(orders, from)) return from;
  return count;
}

uint32_t orders_first(Orders *orders) {
  uint32_t blamed = orders->blamed;
  bool is_blamed = blamed != NOBODY && heuristic_is_in(orders->search->options.heuristics, HEURISTIC_BLAME) &&
                   orders_allow(orders, blamed);
  orders->search->result->counts.by_id[HEURISTIC_BLAME].fired += is_blamed;
  orders->first[orders->depth] = is_blamed ? blamed : NOBODY;
  return is_blamed ? blamed : orders_next(orders, 0);
}

uint32_t orders_another(const Orders *orders, uint32_t number) {
  return orders_next(orders, number == orders->first[orders->depth] ? 0 : number + 1);
}

/* ---- Touches ------------------------------------------------------------------------------------ */

const CandidateTouches *orders_touches(Orders *orders, uint32_t number) {
  Candidate *candidate = &orders->candidates[number];
  if (candidate->touches) return candidate->touches;
  Arena *arena = &orders->search->result->arena;
  const Transaction *transaction = &candidate->line->transaction;
  CandidateTouches *all = ARENA_NEW(arena, CandidateTouches);
  *all = (CandidateTouches){.operation_count = transaction->operation_count};
  all->ends = ARENA_ARRAY(arena, uint32_t, transaction->operation_count + 1);
  Replay *replay = checker_replay(orders->search->result->checker);
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    touches_of(replay, &transaction->operations[i], arena, &all->touches);
    all->ends[i] = all->touches.count;
  }
  return candidate->touches = all;
}
