/* order_snapshots.c: what trusted snapshots say of the order in which commits became visible.
 *
 * S1  Who reads a state stands behind all that its snapshot saw, and these stand before all that it did not
 * see.  So of any two snapshots one sees all that the other does. S2  Where reads are fresh, what was
 * certainly over before a start stands before all that its snapshot did not see, also where it has no id. S3
 * All this, times and sessions say who comes before whom, and nothing else: an order is made by taking
 * whoever is allowed, and if that comes to no end, there is none. S4  Of two that wrote the same row one saw
 * the other, or they are in conflict.  So where everybody who wrote has an id, what a snapshot saw is the
 * same rows in every order: a query that it contradicts in one, it contradicts in all. */
#include "heuristics/orders.h"

#include "semantics/certify.h"

#include <assert.h>
#include <stdlib.h>

/* ---- Which snapshots saw whom ------------------------------------------------------------------------ */

typedef struct Member { /* with an id, or with a snapshot */
  uint32_t number;
  uint64_t xid;   /* of those with an id: ascending */
  uint32_t count; /* of those with a snapshot: how many ids it sees */
} Member;
typedef ARRAY(Member) Members; /* heap */

typedef struct Ranking {
  Orders *orders;
  Members writers, readers;
  uint32_t low;   /* the first writer without a rank */
  uint32_t given; /* ranks so far */
} Ranking;

static int writer_compare(const void *a, const void *b) {
  uint64_t first = ((const Member *)a)->xid, second = ((const Member *)b)->xid;
  return first < second ? -1 : first > second;
}

static int reader_compare(const void *a, const void *b) {
  const Member *first = a, *second = b;
  if (first->count != second->count) return first->count < second->count ? -1 : 1;
  return first->number < second->number ? -1 : first->number > second->number;
}

/* The first writer with this id or a later one. */
static uint32_t writer_search(const Members *writers, uint64_t xid) {
  uint32_t low = 0, high = writers->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (writers->items[middle].xid < xid)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool reader_sees(const Ranking *ranking, uint32_t reader, uint32_t writer) {
  const Candidate *candidates = ranking->orders->candidates;
  return reader != writer && snapshot_sees(&candidates[reader].snapshot, candidates[writer].xid);
}

static uint32_t reader_count(const Ranking *ranking, uint32_t reader) {
  const Snapshot *snapshot = &ranking->orders->candidates[reader].snapshot;
  uint64_t own = ranking->orders->candidates[reader].xid;
  uint32_t first = writer_search(&ranking->writers, snapshot->first_open), count = first;
  uint32_t end = writer_search(&ranking->writers, snapshot->end);
  if (own && own < snapshot->first_open) count--;
  for (uint32_t i = first; i < end; i++)
    count += reader_sees(ranking, reader, ranking->writers.items[i].number);
  return count;
}

static void ranking_collect(Ranking *ranking) {
  Orders *orders = ranking->orders;
  for (uint32_t i = 0; i < orders->count; i++)
    if (orders->candidates[i].xid)
      ARRAY_PUSH(&ranking->writers, ((Member){.number = i, .xid = orders->candidates[i].xid}));
  if (ranking->writers.count)
    qsort(ranking->writers.items, ranking->writers.count, sizeof *ranking->writers.items, writer_compare);
  for (uint32_t i = 0; i < orders->count; i++)
    if (orders->candidates[i].snapshot.given)
      ARRAY_PUSH(&ranking->readers, ((Member){.number = i, .count = reader_count(ranking, i)}));
  if (ranking->readers.count)
    qsort(ranking->readers.items, ranking->readers.count, sizeof *ranking->readers.items, reader_compare);
}

/* ---- Contradictions -------------------------------------------------------------------------------- */

static void contradiction_note(Orders *orders, uint32_t about, const uint32_t *numbers, uint32_t count,
                               const char *text) {
  Search *search = orders->search;
  search->contradiction = text;
  search->contradicting = orders->candidates[about].given;
  search->contradicted = 0;
  for (uint32_t i = 0; i < count; i++)
    if (orders->candidates[numbers[i]].given > search->contradicted)
      search->contradicted = orders->candidates[numbers[i]].given;
}

static const char *name_of(const Orders *orders, uint32_t number) {
  return orders->candidates[number].line->transaction.name;
}
static const char *snapshot_of(const Orders *orders, uint32_t number) {
  return orders->candidates[number].line->transaction.snapshot;
}

/* An earlier snapshot saw one that this one does not see; then this one sees another, for it sees as many. */
static void ranking_contradict(Ranking *ranking, uint32_t at) {
  Orders *orders = ranking->orders;
  const SnapshotOrder *order = &orders->snapshots;
  uint32_t reader = ranking->readers.items[at].number, lost = NOBODY, found = NOBODY, other = NOBODY;
  for (uint32_t i = 0; lost == NOBODY && i < ranking->writers.count; i++) {
    uint32_t writer = ranking->writers.items[i].number;
    if (order->rank[writer] && !reader_sees(ranking, reader, writer)) lost = writer;
  }
  for (uint32_t i = 0; other == NOBODY && lost != NOBODY && i < at; i++)
    if (reader_sees(ranking, ranking->readers.items[i].number, lost))
      other = ranking->readers.items[i].number;
  for (uint32_t i = 0; found == NOBODY && other != NOBODY && i < ranking->writers.count; i++) {
    uint32_t writer = ranking->writers.items[i].number;
    if (reader_sees(ranking, reader, writer) && !reader_sees(ranking, other, writer)) found = writer;
  }
  assert(found != NOBODY);
  const uint32_t numbers[] = {reader, other, lost, found};
  contradiction_note(
      orders, reader, numbers, 4,
      arena_format(
          &orders->search->result->arena,
          "the snapshot %.100s of transaction '%.60s' saw transaction '%.60s' and not '%.60s', and the "
          "snapshot %.100s of transaction '%.60s' saw '%.60s' and not '%.60s': no order of commits has both",
          snapshot_of(orders, other), name_of(orders, other), name_of(orders, lost), name_of(orders, found),
          snapshot_of(orders, reader), name_of(orders, reader), name_of(orders, found),
          name_of(orders, lost)));
}

/* Nobody is allowed any more: two of those that are left, one of which must have seen the other. */
static void times_contradict(Orders *orders) {
  Arena *arena = &orders->search->result->arena;
  for (uint32_t i = 0; i < orders->count; i++) {
    const Candidate *reader = &orders->candidates[i];
    for (uint32_t k = 0; reader->snapshot.given && k < orders->count; k++) {
      const Candidate *writer = &orders->candidates[k];
      if (!writer->xid || k == i || orders->is_used[k]) continue;
      bool is_seen = snapshot_sees(&reader->snapshot, writer->xid);
      bool is_over = writer->commit.hi < reader->start.lo;
      bool is_later = writer->commit.lo > reader->commit.hi;
      if (is_seen ? !is_later : !(reader->is_fresh && is_over)) continue;
      const uint32_t numbers[] = {i, k};
      contradiction_note(
          orders, i, numbers, 2,
          arena_format(
              arena, "the snapshot %.100s of transaction '%.60s' %s transaction '%.60s', which had %s",
              snapshot_of(orders, i), name_of(orders, i), is_seen ? "saw" : "did not see", name_of(orders, k),
              is_seen ? "certainly not committed before it did" : "certainly committed before it started"));
      return;
    }
  }
  uint32_t last = 0;
  while (orders->is_used[last] || !orders->candidates[last].snapshot.given)
    if (++last == orders->count) break;
  if (last == orders->count) last = 0;
  const uint32_t all[] = {last};
  contradiction_note(orders, last, all, 1,
                     "no order of the commits agrees with the snapshots, the times and the sessions");
  orders->search->contradicted = orders->count - 1;
}

/* ---- S4 ------------------------------------------------------------------------------------------------ */

static bool operation_reads(const Operation *operation) {
  const char *text = operation->sql;
  if (operation->meta || operation->kind == OPERATION_READ) return true;
  return operation->kind == OPERATION_SQL && text_takes(&text, "select") && !strcasestr(text, " for ");
}

/* Did it certainly write nothing? */
static bool line_reads(const Line *line) {
  const Transaction *transaction = &line->transaction;
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    const Operation *operation = &transaction->operations[i];
    bool changes_nothing = operation->error || (operation->has_affected && !operation->affected);
    if (!operation_reads(operation) && !changes_nothing) return false;
  }
  return true;
}

static bool orders_are_whole(const Orders *orders) {
  for (uint32_t i = 0; i < orders->count; i++) {
    const Candidate *candidate = &orders->candidates[i];
    if (candidate->line->transaction.status != STATUS_COMMITTED) return false;
    if (!candidate->xid && !line_reads(candidate->line)) return false;
  }
  return true;
}

bool snapshots_refute(Orders *orders) {
  SnapshotOrder *order = &orders->snapshots;
  Search *search = orders->search;
  const SearchResult *result = search->result;
  uint32_t number = orders->taken[orders->depth - 1];
  const Candidate *candidate = &orders->candidates[number];
  const Transaction *transaction = &candidate->line->transaction;
  bool is_known = order->given && order->is_whole && candidate->snapshot.given && result->is_statement &&
                  !search->options.checker.compares_values && result->verdict == VERDICT_VIOLATION &&
                  result->operation < transaction->operation_count && checker_is_certain(result->checker);
  if (!is_known || !operation_reads(&transaction->operations[result->operation])) return false;
  for (uint32_t i = 0; i < orders->count; i++) { /* all that it saw stand before it */
    bool is_seen = order->rank[i] && order->rank[i] <= order->seen[number] && i != number;
    if (is_seen && !orders->is_used[i]) return false;
  }
  contradiction_note(
      orders, number, &number, 1,
      arena_format(&search->result->arena,
                   "statement %u of transaction '%.60s' does not show what its snapshot %.100s saw",
                   result->operation + 1, transaction->name, transaction->snapshot));
  search->contradicted = orders->count - 1;
  return order->is_refuted = true;
}

/* ---- Ranks and dues ---------------------------------------------------------------------------------- */

/* The next snapshot: those that it is the first to see.  False: it does not see all that those before it saw.
 */
static bool ranking_step(Ranking *ranking, uint32_t at, uint32_t rank) {
  Orders *orders = ranking->orders;
  SnapshotOrder *order = &orders->snapshots;
  uint32_t reader = ranking->readers.items[at].number;
  order->seen[reader] = rank;
  for (uint32_t i = ranking->low; i < ranking->writers.count; i++) {
    uint32_t writer = ranking->writers.items[i].number;
    if (ranking->writers.items[i].xid >= orders->candidates[reader].snapshot.end) break;
    if (order->rank[writer] || !reader_sees(ranking, reader, writer)) continue;
    order->rank[writer] = rank;
    ranking->given++;
  }
  while (ranking->low < ranking->writers.count && order->rank[ranking->writers.items[ranking->low].number])
    ranking->low++;
  if (ranking->given == ranking->readers.items[at].count) return true;
  ranking_contradict(ranking, at);
  return false;
}

static bool ranking_run(Ranking *ranking) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < ranking->readers.count; i++) {
    bool is_new = !i || ranking->readers.items[i].count != ranking->readers.items[i - 1].count;
    if (!ranking_step(ranking, i, rank += is_new)) return false;
  }
  for (uint32_t i = 0; i < ranking->writers.count; i++) { /* nobody saw them */
    uint32_t *own = &ranking->orders->snapshots.rank[ranking->writers.items[i].number];
    if (!*own) *own = rank + 1;
  }
  return true;
}

typedef struct Start { /* of one with a snapshot */
  int64_t instant;
  uint32_t seen; /* the least of all from here on */
} Start;

static int start_compare(const void *a, const void *b) {
  int64_t first = ((const Start *)a)->instant, second = ((const Start *)b)->instant;
  return first < second ? -1 : first > second;
}

/* Of one that is not known to have committed nothing is due. */
static bool is_certain(const Orders *orders, uint32_t number) {
  return orders->candidates[number].line->transaction.status == STATUS_COMMITTED;
}

static void due_lower(Orders *orders, uint32_t number, uint32_t due) {
  uint32_t *own = &orders->snapshots.due[number];
  if (due < *own && is_certain(orders, number)) *own = due;
}

/* Its session's last transaction before it that certainly committed; or NOBODY. */
static uint32_t predecessor_of(const Orders *orders, uint32_t number) {
  uint32_t before = orders->candidates[number].predecessor;
  while (before && !is_certain(orders, before - 1)) before = orders->candidates[before - 1].predecessor;
  return before ? before - 1 : NOBODY;
}

/* S2. */
static void dues_of_times(Orders *orders, const Ranking *ranking) {
  SnapshotOrder *order = &orders->snapshots;
  Start *starts = memory_new((ranking->readers.count + 1) * sizeof *starts);
  uint32_t count = 0;
  for (uint32_t i = 0; i < ranking->readers.count; i++) {
    uint32_t number = ranking->readers.items[i].number;
    const Candidate *reader = &orders->candidates[number];
    if (!reader->is_fresh) continue;
    starts[count++] = (Start){reader->start.lo, order->seen[number]};
    uint32_t before = predecessor_of(orders, number);
    if (before != NOBODY) due_lower(orders, before, order->seen[number]);
  }
  qsort(starts, count, sizeof *starts, start_compare);
  for (uint32_t i = count; i-- > 1;)
    if (starts[i].seen < starts[i - 1].seen) starts[i - 1].seen = starts[i].seen;
  for (uint32_t i = 0; i < orders->count; i++) {
    uint32_t low = 0, high = count;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (starts[middle].instant <= orders->candidates[i].commit.hi)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < count) due_lower(orders, i, starts[low].seen);
  }
  free(starts);
}

static int number_compare(const void *a, const void *b, void *context) {
  const uint32_t *values = context, first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  if (values[first] != values[second]) return values[first] < values[second] ? -1 : 1;
  return first < second ? -1 : first > second;
}

static void order_sort(Orders *orders) {
  SnapshotOrder *order = &orders->snapshots;
  for (uint32_t i = 0; i < orders->count; i++) {
    order->by_due[i] = i;
    if (order->rank[i]) order->by_rank[order->rank_count++] = i;
  }
  qsort_r(order->by_due, orders->count, sizeof *order->by_due, number_compare, order->due);
  qsort_r(order->by_rank, order->rank_count, sizeof *order->by_rank, number_compare, order->rank);
  for (uint32_t i = 0; i < orders->count; i++) order->due_place[order->by_due[i]] = i;
  for (uint32_t i = 0; i < order->rank_count; i++) order->rank_place[order->by_rank[i]] = i;
}

static void order_allocate(Orders *orders) {
  Arena *arena = &orders->search->result->arena;
  SnapshotOrder *order = &orders->snapshots;
  uint32_t room = orders->count + 1;
  order->rank = ARENA_ARRAY(arena, uint32_t, room);
  order->seen = ARENA_ARRAY(arena, uint32_t, room);
  order->due = ARENA_ARRAY(arena, uint32_t, room);
  order->by_rank = ARENA_ARRAY(arena, uint32_t, room);
  order->by_due = ARENA_ARRAY(arena, uint32_t, room);
  order->rank_place = ARENA_ARRAY(arena, uint32_t, room);
  order->due_place = ARENA_ARRAY(arena, uint32_t, room);
}

/* S3. */
static bool order_exists(Orders *orders) {
  uint32_t next;
  while ((next = orders_next(orders, 0)) < orders->count) orders_take(orders, next);
  bool exists = orders->depth == orders->count;
  if (!exists) times_contradict(orders);
  while (orders->depth) orders_give_back(orders);
  return exists;
}

bool snapshots_open(Orders *orders) {
  bool is_any = false;
  for (uint32_t i = 0; i < orders->count; i++) is_any |= orders->candidates[i].snapshot.given;
  if (!is_any) return true;
  order_allocate(orders);
  Ranking ranking = {.orders = orders};
  ranking_collect(&ranking);
  bool holds = ranking_run(&ranking);
  SnapshotOrder *order = &orders->snapshots;
  for (uint32_t i = 0; i < orders->count; i++) order->due[i] = order->rank[i] ? order->rank[i] : UINT32_MAX;
  if (holds) dues_of_times(orders, &ranking);
  ARRAY_FREE(&ranking.writers);
  ARRAY_FREE(&ranking.readers);
  if (!holds) return false;
  order_sort(orders);
  order->given = true;
  order->is_whole = orders_are_whole(orders);
  return order_exists(orders);
}

/* ---- Walking ----------------------------------------------------------------------------------------- */

bool snapshots_allow(const Orders *orders, uint32_t number) {
  const SnapshotOrder *order = &orders->snapshots;
  bool has_ranked = order->first_rank < order->rank_count, has_due = order->first_due < orders->count;
  if (has_ranked && order->rank[order->by_rank[order->first_rank]] <= order->seen[number]) return false;
  return !order->rank[number] || !has_due ||
         order->due[order->by_due[order->first_due]] >= order->rank[number];
}

void snapshots_take(Orders *orders) {
  SnapshotOrder *order = &orders->snapshots;
  while (order->first_rank < order->rank_count && orders->is_used[order->by_rank[order->first_rank]])
    order->first_rank++;
  while (order->first_due < orders->count && orders->is_used[order->by_due[order->first_due]])
    order->first_due++;
}

void snapshots_give_back(Orders *orders, uint32_t number) {
  SnapshotOrder *order = &orders->snapshots;
  if (order->due_place[number] < order->first_due) order->first_due = order->due_place[number];
  if (order->rank[number] && order->rank_place[number] < order->first_rank)
    order->first_rank = order->rank_place[number];
}
