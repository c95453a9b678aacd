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

typedef struct Orders {
  Search *search;
  uint32_t count;
  const Line **lines; /* transactions in the given order, as they are observed in this question */
  uint8_t *before;    /* count x count: must stand before */
  bool *is_used;
  const Line **order; /* the present one */
  uint32_t depth;
  uint64_t pushes;
} Orders;

/* ---- Evidence -------------------------------------------------------------------------------- */

static bool is_serial(LevelId level) { return level == LEVEL_SER || level == LEVEL_SSER; }

/* Which of the two must come first: does the order respect commit times, real time, or nothing? */
static bool must_precede(const Orders *orders, const Line *a, const Line *b, bool respects_commits) {
  const Search *search = orders->search;
  const Transaction *first = &a->transaction, *second = &b->transaction;
  TransactionLevel la = search->level_of(search->context, a), lb = search->level_of(search->context, b);
  bool is_strict = la.level == LEVEL_SSER || lb.level == LEVEL_SSER || (is_serial(la.level) && la.is_fresh) ||
                   (is_serial(lb.level) && lb.is_fresh);
  bool same_session = first->session && second->session && strcmp(first->session, second->session) == 0;
  if (same_session && (respects_commits || is_strict) && a->number < b->number) return true;
  if (is_strict && times_certainly_before(times_commit(first), times_start(second))) return true;
  return respects_commits && times_certainly_before(times_commit(first), times_commit(second));
}

static void orders_relate(Orders *orders) {
  bool respects_commits = false;
  for (uint32_t i = 0; i < orders->count; i++)
    respects_commits |= !is_serial(orders->search->level_of(orders->search->context, orders->lines[i]).level);
  for (uint32_t i = 0; i < orders->count; i++)
    for (uint32_t k = 0; k < orders->count; k++)
      orders->before[i * orders->count + k] =
          i != k && must_precede(orders, orders->lines[i], orders->lines[k], respects_commits);
}

/* ---- Depth first ------------------------------------------------------------------------------- */

static bool may_come_next(const Orders *orders, uint32_t candidate) {
  if (orders->is_used[candidate]) return false;
  for (uint32_t i = 0; i < orders->count; i++)
    if (!orders->is_used[i] && orders->before[i * orders->count + candidate]) return false;
  return true;
}

/* Tries all orders that begin as the present one.  True: the search is over, the result tells. */
static bool orders_descend(Orders *orders) {
  Search *search = orders->search;
  SearchResult *result = search->result;
  if (orders->depth == orders->count) return true;
  for (uint32_t i = 0; i < orders->count; i++) {
    if (!may_come_next(orders, i)) continue;
    orders->order[orders->depth] = orders->lines[i];
    orders->is_used[i] = true;
    orders->depth++;
    bool is_whole = orders->depth == orders->count;
    if (!search_prefix(search, orders->order, orders->depth, is_whole)) return true;
    bool is_over = result->verdict == VERDICT_UNKNOWN ||
                   (result->verdict == VERDICT_CORRECT && (is_whole || orders_descend(orders)));
    if (is_over) return true;
    orders->depth--;
    orders->is_used[i] = false;
  }
  return false;
}

/* Whether the log as observed in `lines` is explained in some order; the result tells. */
static void orders_decide(Search *search, const Line **lines, uint32_t count) {
  Arena *arena = &search->result->arena;
  Orders orders = {.search = search, .count = count, .lines = lines};
  orders.before = ARENA_ARRAY(arena, uint8_t, (size_t)count * count + 1);
  orders.is_used = ARENA_ARRAY(arena, bool, count + 1);
  orders.order = ARENA_ARRAY(arena, const Line *, count + 1);
  orders_relate(&orders);
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
