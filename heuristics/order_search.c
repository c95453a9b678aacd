/* order_search.c: is there any order, consistent with the evidence, that explains the log?
 *
 * Depth first over the orders that the level leaves open, place by place, the given order first: a
 * transaction that cannot follow what stands before it cuts off every order that begins so.
 *
 * W1  A violation is reported only when every order was refuted.
 * W2  Prefix k of the given order fails when no order explains its observations, while later transactions may
 * take part or not and their observations are ignored. */
#include "heuristics/search_internal.h"

#include "encodings/times.h"

/* A transaction as the order sees it. */
typedef struct Candidate {
  const Line *line; /* as it is observed in this question */
  Interval start, commit;
  bool is_strict;       /* real time binds it */
  uint32_t predecessor; /* of its session: 1 + its number, or 0 */
} Candidate;

typedef struct Orders {
  Search *search;
  uint32_t count;
  Candidate *candidates; /* in the given order */
  bool respects_commits; /* some level does */
  uint32_t *by_commit;   /* numbers, by the latest instant of the commit */
  uint32_t first_open;   /* the first in by_commit that is not used */
  uint32_t first_unused;
  bool *is_used;
  const Line **order; /* the present one */
  uint32_t *taken;    /* the numbers in it */
  uint32_t depth;
} Orders;

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

static void orders_open(Orders *orders, Search *search, const Line **lines, uint32_t count) {
  Arena *arena = &search->result->arena;
  *orders = (Orders){.search = search, .count = count};
  orders->candidates = ARENA_ARRAY(arena, Candidate, count + 1);
  orders->by_commit = ARENA_ARRAY(arena, uint32_t, count + 1);
  orders->is_used = ARENA_ARRAY(arena, bool, count + 1);
  orders->order = ARENA_ARRAY(arena, const Line *, count + 1);
  orders->taken = ARENA_ARRAY(arena, uint32_t, count + 1);
  Map sessions;
  map_init(&sessions);
  for (uint32_t i = 0; i < count; i++) {
    TransactionLevel level = search->level_of(search->context, lines[i]);
    bool is_strict = level.level == LEVEL_SSER || (level.level == LEVEL_SER && level.is_fresh);
    orders->candidates[i] = (Candidate){.line = lines[i],
                                        .start = times_start(&lines[i]->transaction),
                                        .commit = times_commit(&lines[i]->transaction),
                                        .is_strict = is_strict};
    orders->by_commit[i] = i;
    orders->respects_commits |= !is_serial(level.level);
    orders_session(orders, &sessions, i);
  }
  map_free(&sessions);
  qsort_r(orders->by_commit, count, sizeof *orders->by_commit, commit_compare, orders->candidates);
}

/* Must `other` stand before the candidate because of the times? */
static bool times_precede(const Orders *orders, const Candidate *other, const Candidate *candidate) {
  bool is_strict = other->is_strict || candidate->is_strict;
  return (is_strict && times_certainly_before(other->commit, candidate->start)) ||
         (orders->respects_commits && times_certainly_before(other->commit, candidate->commit));
}

static bool may_come_next(const Orders *orders, uint32_t number) {
  const Candidate *candidate = &orders->candidates[number];
  if (orders->is_used[number]) return false;
  uint32_t before = candidate->predecessor;
  bool has_session = orders->respects_commits || candidate->is_strict ||
                     (before && orders->candidates[before - 1].is_strict);
  if (has_session && before && !orders->is_used[before - 1]) return false;
  /* Those that committed first, as long as they are certainly before anything of the candidate. */
  for (uint32_t i = orders->first_open; i < orders->count; i++) {
    const Candidate *other = &orders->candidates[orders->by_commit[i]];
    if (other->commit.hi >= candidate->start.lo && other->commit.hi >= candidate->commit.lo) return true;
    if (orders->is_used[orders->by_commit[i]] || other == candidate) continue;
    if (times_precede(orders, other, candidate)) return false;
  }
  return true;
}

/* ---- Depth first ------------------------------------------------------------------------------- */

static void orders_take(Orders *orders, uint32_t number) {
  orders->order[orders->depth] = orders->candidates[number].line;
  orders->taken[orders->depth++] = number;
  orders->is_used[number] = true;
  while (orders->first_open < orders->count && orders->is_used[orders->by_commit[orders->first_open]])
    orders->first_open++;
  while (orders->first_unused < orders->count && orders->is_used[orders->first_unused])
    orders->first_unused++;
}

/* Takes the last one back.  Returns its number. */
static uint32_t orders_give_back(Orders *orders) {
  uint32_t number = orders->taken[--orders->depth];
  orders->is_used[number] = false;
  if (number < orders->first_unused) orders->first_unused = number;
  orders->first_open = 0;
  while (orders->is_used[orders->by_commit[orders->first_open]]) orders->first_open++;
  return number;
}

/* The first that may come next, from a number on; `count`: none. */
static uint32_t orders_next(const Orders *orders, uint32_t from) {
  if (from < orders->first_unused) from = orders->first_unused;
  while (from < orders->count && !may_come_next(orders, from)) from++;
  return from;
}

/* Tries all orders.  False: every one is refuted.  True: the search is over, the result tells. */
static bool orders_descend(Orders *orders) {
  const SearchResult *result = orders->search->result;
  uint32_t next = orders_next(orders, 0);
  for (;;) {
    if (next == orders->count) {
      if (!orders->depth) return false;
      next = orders_next(orders, orders_give_back(orders) + 1);
      continue;
    }
    orders_take(orders, next);
    bool is_whole = orders->depth == orders->count;
    if (!search_prefix(orders->search, orders->order, orders->depth, is_whole)) return true;
    if (result->verdict == VERDICT_UNKNOWN || (is_whole && result->verdict == VERDICT_CORRECT)) return true;
    next = result->verdict == VERDICT_CORRECT ? orders_next(orders, 0)
                                              : orders_next(orders, orders_give_back(orders) + 1);
  }
}

/* Whether the log as observed in `lines` is explained in some order; the result tells. */
static void orders_decide(Search *search, const Line **lines, uint32_t count) {
  Orders orders;
  orders_open(&orders, search, lines, count);
  search->live_count = LIVE_NONE;
  if (count == 0) {
    search_prefix(search, orders.order, 0, true);
    return;
  }
  if (!orders_descend(&orders) && !search->diag->failed) search->result->verdict = VERDICT_VIOLATION;
}

/* ---- Prefixes ----------------------------------------------------------------------------------- */

/* A transaction of which nothing was observed but that its client sent it: times and sessions are
 * observations too. */
static const Line *line_ignored(Arena *arena, const Line *line) {
  if (line->transaction.status == STATUS_UNKNOWN) return line; /* available to every prefix */
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  copy->transaction.status = STATUS_UNKNOWN;
  copy->transaction.session = NULL;
  copy->transaction.start = copy->transaction.commit = (Interval){0};
  copy->transaction.operations = ARENA_ARRAY(arena, Operation, line->transaction.operation_count + 1);
  copy->transaction.operation_count = 0;
  for (uint32_t i = 0; i < line->transaction.operation_count; i++) {
    Operation operation = line->transaction.operations[i];
    if (operation.error) continue;
    operation.has_rows = operation.has_results = operation.has_columns = operation.has_affected = false;
    operation.start = operation.end = (Interval){0};
    copy->transaction.operations[copy->transaction.operation_count++] = operation;
  }
  return copy;
}

/* W2: the smallest prefix that fails; the whole log does. */
static void prefix_find(Search *search, const Line **lines, uint32_t count) {
  SearchResult *result = search->result;
  Arena *arena = &result->arena;
  SearchResult whole = *result;
  const Line **asked = ARENA_ARRAY(arena, const Line *, count + 1);
  uint32_t low = 0,
           high = count; /* prefixes up to `low` hold, that of `high` fails, or only the final lines do */
  bool finals = search->ignores_finals;
  search->ignores_finals = true;
  bool is_known = true;
  for (bool is_first = true; is_first || low + 1 < high; is_first = false) {
    uint32_t middle = is_first ? count : (low + high) / 2;
    for (uint32_t i = 0; i < count; i++) asked[i] = i < middle ? lines[i] : line_ignored(arena, lines[i]);
    orders_decide(search, asked, count);
    if (search->diag->failed) return;
    if (result->verdict == VERDICT_UNKNOWN) is_known = false;
    if (!is_known) break;
    if (result->verdict == VERDICT_VIOLATION)
      high = middle;
    else if (is_first)
      high = low = count + 1; /* only with the final lines */
    else
      low = middle;
  }
  search->ignores_finals = finals;
  uint32_t failing = high > count ? count : high;
  const char *reason = result->reason;
  Checker *checker = result->checker;
  *result = whole;
  result->checker = checker;
  result->failure = NULL;
  result->is_statement = false;
  if (!is_known) {
    search_unknown(search, NULL, 0, reason ? reason : "the failing prefix could not be found");
    return;
  }
  result->verdict = VERDICT_VIOLATION;
  result->line = high > count ? search->log->finals.items[0] : lines[failing - 1];
  result->failing = 0;
  for (uint32_t i = 0; i < failing; i++) result->failing += lines[i]->transaction.status == STATUS_COMMITTED;
  result->checked = high > count ? result->failing : result->failing - 1;
}

bool search_orders(Search *search) {
  Arena *arena = &search->result->arena;
  const Log *log = search->log;
  const Line **lines = ARENA_ARRAY(arena, const Line *, log->lines.count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    if (line->kind == LINE_GAP && line->gap.writes) search->is_gapped = true;
    if (line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED) lines[count++] = line;
  }
  orders_decide(search, lines, count);
  if (search->diag->failed) return false;
  if (search->result->verdict == VERDICT_VIOLATION && search->is_gapped)
    search_unknown(search, NULL, 0, "a write that was not recorded (a gap) could explain what was observed");
  if (search->result->verdict == VERDICT_VIOLATION) prefix_find(search, lines, count);
  if (search->result->verdict == VERDICT_CORRECT) search->result->checked = search->result->committed;
  return !search->diag->failed;
}
