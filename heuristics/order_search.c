/* order_search.c: is there any order, consistent with the evidence, that explains the log?
 *
 * Depth first over the orders that the level leaves open, place by place, the guessed order first: a
 * transaction that cannot follow what stands before it cuts off every order that begins so.  The one that was
 * in the way when nothing could follow any more is tried first at every place before (blame).
 *
 * W1  A violation is reported only when every order was refuted.
 * W2  Prefix k of the given order fails when no order explains its observations, while later transactions may
 * take part or not and their observations are ignored. */
#include "heuristics/order_absence.h"
#include "heuristics/order_error.h"
#include "heuristics/orders.h"

enum { PREFIX_PUSHES = 200000, CONES_MOST = 4, SHORT_LINES = 64 };
static const double PREFIX_SECONDS = 1;
/* The verdict is there; so long the shortest prefix is looked for where no cone refuted the log. */
static const double SHORT_PREFIX_SECONDS = 10;

/* ---- Depth first ------------------------------------------------------------------------------- */

/* The newest state that every transaction still to come reads, or a later one. */
static uint32_t orders_floor(const Orders *orders) {
  int64_t instant = orders->earliest_read[orders->first_unused];
  uint32_t state = orders->depth;
  while (instant != INT64_MAX && state && orders->candidates[orders->taken[state - 1]].commit.hi >= instant)
    state--;
  return state;
}

/* Has one been here: the same transactions, the same oldest state that counts, the same order behind it? */
static bool orders_were_here(Orders *orders) {
  StoreDigest digest;
  HeuristicCount *memory = &orders->search->result->counts.by_id[HEURISTIC_STATE_MEMORY];
  if (!heuristic_is_in(orders->search->options.heuristics, HEURISTIC_STATE_MEMORY)) return false;
  uint32_t floor = orders_floor(orders);
  if (!orders->has_memory || !checker_digest(orders->search->result->checker, floor, &digest)) return false;
  uint64_t used[2] = {orders->used[0], orders->used[1]};
  for (uint32_t i = floor; i < orders->depth; i++)
    for (uint32_t k = 0; k < 2; k++) used[k] = hash_mix(used[k], orders->taken[i] + (uint64_t)k);
  bool were_here = !state_memory_add(&orders->seen, digest, used);
  memory->fired++;
  memory->saved += were_here;
  return were_here;
}

/* Who is tried after one that was taken back, with all that follows it refuted. */
static uint32_t orders_go_on(Orders *orders, uint32_t number) {
  return orders_need_no_other(orders, number) ? orders->count : orders_another(orders, number);
}

typedef enum Descent { DESCENT_REFUTED, DESCENT_OVER, DESCENT_DEEPER } Descent;

/* Tries all orders from the present one on, until one is found or is longer than `goal`. */
static Descent orders_descend(Orders *orders, uint32_t goal) {
  const SearchResult *result = orders->search->result;
  uint32_t next = orders_first(orders), refused = NOBODY; /* the first that was refused at this place */
  for (;;) {
    if (next == orders->count) {
      if (!orders->depth) return DESCENT_REFUTED;
      if (refused != NOBODY) orders->blamed = refused;
      refused = NOBODY;
      next = orders_go_on(orders, orders_give_back(orders));
      continue;
    }
    orders_take(orders, next);
    bool is_whole = orders->depth == orders->goal;
    if (orders->most_pushes && ++orders->pushes > orders->most_pushes) {
      search_unknown(orders->search, NULL, 0, "too many orders to try");
      return DESCENT_OVER;
    }
    bool is_all = is_whole && !orders->search->is_segment;
    if (!search_prefix(orders->search, orders->order, orders->depth, is_all)) return DESCENT_OVER;
    if (result->verdict == VERDICT_UNKNOWN || (is_whole && result->verdict == VERDICT_CORRECT))
      return DESCENT_OVER;
    if (result->verdict == VERDICT_CORRECT && !orders_were_here(orders)) {
      if (orders->depth > goal) return DESCENT_DEEPER;
      refused = NOBODY;
      next = orders_first(orders);
      continue;
    }
    if (result->verdict != VERDICT_CORRECT && snapshots_refute(orders)) return DESCENT_REFUTED;
    if (refused == NOBODY && result->verdict != VERDICT_CORRECT) refused = next;
    next = orders_go_on(orders, orders_give_back(orders));
  }
}

/* The repair goes no further: how much of the given order stands in the present one? */
static void orders_note_stuck(Orders *orders) {
  orders->stuck = orders->blamed;
  orders->stuck_prefix = 0;
  bool *holds = memory_new(orders->count + 1);
  for (uint32_t i = 0; i < orders->depth; i++) holds[orders->candidates[orders->taken[i]].given] = true;
  while (holds[orders->stuck_prefix]) orders->stuck_prefix++;
  free(holds);
}

/* The blamed one's cone alone: is it refuted?  Then what stands in the order now is the longest prefix that
 * is known to hold. */
static bool orders_refute(Orders *orders) {
  Search *search = orders->search;
  const Line *failing = orders->candidates[orders->blamed].line;
  if (!search->asks_log || line_is_reader(failing) || !search_refute(search, failing)) return false;
  search->refuted = orders->candidates[orders->blamed].given;
  search->is_refuted = true;
  search->holding = orders->stuck_prefix;
  return true;
}

/* Each change from one to the other comes at a greater depth than the last, so there is a last one, and what
 * comes then is complete. */
bool orders_walk(Orders *orders) {
  uint32_t deepest = 0, examined = 0;
  HeuristicCount *repair = &orders->search->result->counts.by_id[HEURISTIC_REPAIR];
  bool repairs =
      heuristic_is_in(orders->search->options.heuristics, HEURISTIC_REPAIR) && !orders->keeps_given;
  for (;;) {
    repair->fired += repairs;
    bool is_over = repairs && orders_repair(orders);
    repair->saved += repairs && orders->depth > deepest ? orders->depth - deepest : 0;
    if (is_over) return true;
    if (orders->snapshots.is_refuted) return false;
    repair->withdrawn += repairs;
    orders_note_stuck(orders);
    if (orders->blamed != NOBODY && examined++ < CONES_MOST && orders_refute(orders)) return false;
    if (orders->depth > deepest) deepest = orders->depth;
    /* At every place of the repaired order the one that stands there counts as tried first. */
    for (uint32_t i = 0; i < orders->depth; i++) orders->first[i] = orders->taken[i];
    state_memory_clear(&orders->seen); /* the repair may have left a state before all was tried from it */
    switch (orders_descend(orders, deepest)) {
    case DESCENT_REFUTED: return false;
    case DESCENT_OVER: return true;
    case DESCENT_DEEPER: break;
    }
  }
}

/* Every order that times and sessions allow, where unknown transactions stand like all others. */
static void orders_decide_placed(Search *search, const Line **lines, uint32_t count, uint64_t most_pushes) {
  Orders orders;
  orders_open(&orders, search, lines, count, search->options.order == SEARCH_GIVEN);
  orders.most_pushes = most_pushes;
  search_changed(search, 0);
  if (count == 0) {
    search_prefix(search, orders.order, 0, true);
    return;
  }
  if (!orders.keeps_given && !snapshots_open(&orders)) {
    search->result->verdict = VERDICT_VIOLATION;
    search->result->is_statement = false;
    search->result->failure = NULL;
    return;
  }
  bool is_over = orders_walk(&orders);
  state_memory_free(&orders.seen);
  if (!is_over && !search->diag->failed) search->result->verdict = VERDICT_VIOLATION;
}

/* Also where unknown ones that take no part would be in the way. */
static void orders_decide_parts(Search *search, const Line **lines, uint32_t count, uint64_t most_pushes) {
  orders_decide_placed(search, lines, count, most_pushes);
  SearchResult *result = search->result;
  if (search->diag->failed || result->verdict != VERDICT_VIOLATION || search->is_refuted) return;
  Absence absence;
  absence_open(&absence, search, lines, count);
  while (result->verdict == VERDICT_VIOLATION && !search->diag->failed && absence_next(&absence)) {
    orders_decide_placed(search, absence.lines, count, most_pushes);
    if (result->verdict == VERDICT_CORRECT) absence_write(&absence, result);
  }
  if (result->verdict == VERDICT_VIOLATION && absence.is_open)
    search_unknown(search, NULL, 0, "too many unknown transactions that may be in the others' way");
}

/* Whether the log as observed in `lines` is explained in some order; the result tells. */
static void orders_decide(Search *search, const Line **lines, uint32_t count, uint64_t most_pushes) {
  SearchResult *result = search->result;
  LateErrors late;
  late_open(&late, search, lines, count);
  do {
    orders_decide_parts(search, late.lines, late.count, most_pushes);
  } while (!search->diag->failed && result->verdict == VERDICT_VIOLATION && !search->is_refuted &&
           late_add(&late, search));
  if (search->diag->failed || search->is_refuted) return;
  if (result->verdict == VERDICT_VIOLATION && late.is_open)
    search_unknown(search, NULL, 0, "whether a later state explains that a key was taken");
  if (result->verdict == VERDICT_CORRECT && late.errors.count) late_write(&late, search);
}

/* ---- Prefixes ----------------------------------------------------------------------------------- */

/* A transaction of which nothing was observed but that its client sent it: times and sessions are
 * observations too. */
static const Line *line_ignored(Arena *arena, const Line *line) {
  if (line->transaction.status == STATUS_UNKNOWN) return line; /* available to every prefix */
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  copy->transaction.status = STATUS_UNKNOWN;
  copy->transaction.session = copy->transaction.xid = copy->transaction.snapshot = NULL;
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

/* Who of the ignored transactions took part in the execution that explains the others. */
static void later_keep(Search *search, const Line **lines, uint32_t count, uint32_t prefix) {
  SearchResult *result = search->result;
  Arena *arena = &result->arena;
  search->later = ARENA_ARRAY(arena, const Line *, count + 1);
  search->later_count = 0;
  for (uint32_t i = prefix; i < count; i++)
    for (uint32_t place = 0; place < result->place_count; place++)
      if (lines[i]->transaction.status == STATUS_COMMITTED &&
          result->order[place]->number == lines[i]->number &&
          result->witness->transactions.items[place].takes_part)
        search->later[search->later_count++] = lines[i];
}

/* One question about a prefix.  `is_alone`: later transactions take no part. */
static Verdict prefix_ask(Search *search, const Line **lines, uint32_t count, uint32_t length,
                          bool is_alone) {
  Arena *arena = &search->result->arena;
  const Line **asked = ARENA_ARRAY(arena, const Line *, count + 1);
  uint32_t asked_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (i < length || lines[i]->transaction.status == STATUS_UNKNOWN)
      asked[asked_count++] = lines[i];
    else if (!is_alone)
      asked[asked_count++] = line_ignored(arena, lines[i]);
  orders_decide(search, asked, asked_count, is_alone ? 0 : PREFIX_PUSHES);
  return search->result->verdict;
}

/* Prefixes up to `low` hold, that of `high` fails.  Finds one that holds with the next one refuted while the
 * later ones take no part; true: nothing was unknown. */
static bool prefix_narrow(Search *search, const Line **lines, uint32_t count, uint32_t *low, uint32_t high) {
  while (*low + 1 < high) {
    uint32_t middle = *low + (high - *low) / 2;
    Verdict verdict = prefix_ask(search, lines, count, middle, true);
    if (search->diag->failed || verdict == VERDICT_UNKNOWN) return false;
    if (verdict == VERDICT_CORRECT)
      *low = middle, search->later_count = 0;
    else
      high = middle;
  }
  return true;
}

/* What is known of prefixes of the given order, in transactions. */
typedef struct Prefix {
  uint32_t holding, failing;
  bool is_exact;
  const Line *line; /* NULL: the last of the failing prefix */
} Prefix;

static uint64_t lines_committed(const Line **lines, uint32_t count) {
  uint64_t committed = 0;
  for (uint32_t i = 0; i < count; i++) committed += lines[i]->transaction.status == STATUS_COMMITTED;
  return committed;
}

/* `whole`: the result as it was before other questions were asked. */
static void prefix_report(Search *search, const SearchResult *whole, const Line **lines, Prefix prefix) {
  SearchResult *result = search->result;
  Checker *checker = result->checker;
  Arena memory = result->arena; /* it has grown */
  *result = *whole;
  result->arena = memory;
  result->checker = checker;
  result->failure = NULL;
  result->is_statement = false;
  result->is_exact = prefix.is_exact;
  result->verdict = VERDICT_VIOLATION;
  result->line = prefix.line ? prefix.line : lines[prefix.failing - 1];
  result->failing = lines_committed(lines, prefix.failing);
  result->checked = lines_committed(lines, prefix.holding);
  result->later = search->later;
  result->later_count = search->later_count;
}

/* W2: the smallest prefix that fails; the whole log does.  It holds for sure that all up to `low` hold and
 * that `high` fails; they are neighbours unless something could not be decided. */
static void prefix_find(Search *search, const Line **lines, uint32_t count) {
  SearchResult *result = search->result;
  SearchResult whole = *result;
  uint32_t low = 0, high = count;
  bool finals = search->ignores_finals, is_exact = true;
  search->ignores_finals = true;
  double deadline = search->options.deadline, own = clock_seconds() + SHORT_PREFIX_SECONDS;
  if (deadline <= 0 || own < deadline) search->options.deadline = own;
  Verdict all = prefix_ask(search, lines, count, count, true);
  bool only_finals = all != VERDICT_VIOLATION; /* or it cannot be told: the final lines fail in any case */
  is_exact = all != VERDICT_UNKNOWN;
  while (!only_finals && low + 1 < high && is_exact && !search->diag->failed) {
    is_exact = prefix_narrow(search, lines, count, &low, high);
    if (!is_exact || low + 1 == high) break;
    Verdict verdict = prefix_ask(search, lines, count, low + 1, false);
    is_exact = verdict != VERDICT_UNKNOWN;
    if (verdict == VERDICT_VIOLATION) high = low + 1;
    if (verdict == VERDICT_CORRECT) later_keep(search, lines, count, ++low);
  }
  search->options.deadline = deadline;
  if (search->diag->failed) return;
  search->ignores_finals = finals;
  Prefix prefix = {.holding = only_finals ? high : low, .failing = high, .is_exact = is_exact};
  if (only_finals && search->log->finals.count) prefix.line = search->log->finals.items[0];
  prefix_report(search, &whole, lines, prefix);
}

/* How long one may ask for the failing prefix of a log that is refuted. */
static double prefix_seconds(const Search *search) {
  double spent = clock_seconds() - search->begun;
  return spent < PREFIX_SECONDS ? PREFIX_SECONDS / 8 : spent / 8;
}

/* The same where a cone refuted the log: its transaction ends the failing prefix if nothing that is observed
 * of later ones is needed. */
static void prefix_of_cone(Search *search, const Line **lines, uint32_t count) {
  SearchResult whole = *search->result;
  Prefix prefix = {.holding = search->holding, .failing = search->refuted + 1};
  const Line *last = search_refute_prefix(search, lines[search->refuted], prefix_seconds(search));
  while (prefix.failing < count && lines[prefix.failing - 1] != last) prefix.failing++;
  if (search->diag->failed) return;
  const Checker *checker = search->result->checker;
  bool is_sure = search->options.suspect || (checker && !checker_set_aside(checker));
  whole.refuted = lines[search->refuted];
  prefix.is_exact = is_sure && prefix.holding + 1 == prefix.failing;
  prefix_report(search, &whole, lines, prefix);
}

/* Of the present order, which is explained so far: the longest prefix of the given order that is all in it.
 */
static uint64_t live_prefix(const Search *search, const Line **lines, uint32_t count) {
  Map live;
  map_init(&live);
  for (uint32_t i = 0; i < search->live.count; i++)
    map_put_copy(&live, (const char *)&search->live.items[i]->number, sizeof(uint64_t), (void *)lines);
  uint64_t committed = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (lines[i]->transaction.status != STATUS_COMMITTED) continue;
    if (!map_get(&live, (const char *)&lines[i]->number, sizeof(uint64_t))) break;
    committed++;
  }
  map_free(&live);
  return committed;
}

/* Without those whose reads count; they are asked of the whole log alone. */
static uint32_t readers_drop(const Line **lines, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!line_is_reader(lines[i])) lines[kept++] = lines[i];
  return kept;
}

/* The others are explained: which of the aborted ones is the first that is not, with those before it? */
static void reader_find(Search *search, const Line **lines, uint32_t count) {
  const Line **asked = ARENA_ARRAY(&search->result->arena, const Line *, count + 1);
  const Line *found = NULL;
  bool finals = search->ignores_finals;
  search->ignores_finals = true;
  for (uint32_t last = 0; !found && last < count && !search->diag->failed; last++) {
    if (!line_is_reader(lines[last])) continue;
    uint32_t asked_count = 0;
    for (uint32_t i = 0; i < count; i++)
      if (i <= last || !line_is_reader(lines[i])) asked[asked_count++] = lines[i];
    orders_decide(search, asked, asked_count, 0);
    if (search->result->verdict != VERDICT_CORRECT) found = lines[last];
  }
  search->ignores_finals = finals;
  SearchResult *result = search->result;
  result->verdict = VERDICT_VIOLATION;
  result->reason = NULL;
  result->failure = NULL;
  result->is_statement = false;
  result->is_exact = true;
  result->failing = result->checked = result->committed;
  result->line = found || !search->log->finals.count ? found : search->log->finals.items[0];
}

/* The snapshots contradict each other, the times, or what was read (then the result has the statement
 * already).  All that does is in the prefix. */
static void prefix_of_contradiction(Search *search, const Line **lines) {
  SearchResult *result = search->result;
  result->contradiction = search->contradiction;
  result->line = lines[search->contradicting];
  result->failing = lines_committed(lines, search->contradicted + 1);
  result->checked = 0;
  result->is_exact = false;
}

/* Of a violation in any order: what fails. */
static void violation_find(Search *search, const Line **lines, uint32_t count) {
  const Line **others = ARENA_ARRAY(&search->result->arena, const Line *, count + 1);
  memcpy(others, lines, count * sizeof *others);
  uint32_t other_count = readers_drop(others, count);
  if (search->is_refuted && other_count == count && count > SHORT_LINES) {
    prefix_of_cone(search, lines, count);
    return;
  }
  if (other_count < count) {
    orders_decide(search, others, other_count, 0);
    if (search->diag->failed) return;
    if (search->result->verdict == VERDICT_CORRECT) {
      reader_find(search, lines, count);
      return;
    }
  }
  search->result->verdict = VERDICT_VIOLATION;
  prefix_find(search, others, other_count);
}

bool search_given_readers(Search *search) {
  Arena *arena = &search->result->arena;
  const Log *log = search->log;
  SearchResult *result = search->result;
  const Line **lines = ARENA_ARRAY(arena, const Line *, log->lines.count + 1);
  memcpy(lines, log->lines.items, log->lines.count * sizeof *lines);
  uint32_t count = readers_drop(lines, log->lines.count);
  /* A refused reader would have to withdraw the guesses of all others: none are made. */
  search->options.heuristics &= ~(1u << HEURISTIC_WINDOW | 1u << HEURISTIC_STRONGER);
  if (!search_prefix(search, lines, count, true)) return false;
  if (result->verdict != VERDICT_CORRECT) return true;
  count = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    if (line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED) lines[count++] = line;
    if (line->kind != LINE_GAP) continue;
    search_unknown(search, line, 0, "what aborted transactions read, beside a gap");
    return true;
  }
  orders_decide(search, lines, count, 0);
  if (result->verdict == VERDICT_VIOLATION && !search->diag->failed) reader_find(search, lines, count);
  result->checked = result->committed; /* they were explained without the aborted ones */
  return !search->diag->failed;
}

/* Who fitted nowhere before, alone: then nothing need be tried. */
static bool suspect_is_refuted(Search *search, const Line **lines, uint32_t count) {
  uint64_t committed = 0;
  uint32_t number = 0, holding = 0;
  while (number < count && lines[number]->number != search->options.suspect) number++;
  if (!search->options.suspect || number == count || line_is_reader(lines[number])) return false;
  if (!search_refute(search, lines[number])) return false;
  while (holding < number && committed < search->options.holding)
    committed += lines[holding++]->transaction.status == STATUS_COMMITTED;
  search->is_refuted = true;
  search->refuted = number;
  search->holding = holding;
  search->result->verdict = VERDICT_VIOLATION;
  return true;
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
  search->asks_log = true;
  if (!suspect_is_refuted(search, lines, count))
    orders_decide(search, lines, count, search->options.most_pushes);
  search->asks_log = false;
  if (search->diag->failed) return false;
  if (search->result->verdict == VERDICT_VIOLATION && search->is_gapped)
    search_unknown(search, NULL, 0, "a write that was not recorded (a gap) could explain what was observed");
  const char *contradiction = search->result->verdict == VERDICT_VIOLATION ? search->contradiction : NULL;
  if (contradiction && !search->options.wants_verdict_only)
    prefix_of_contradiction(search, lines);
  else if (search->result->verdict == VERDICT_VIOLATION && !search->options.wants_verdict_only)
    violation_find(search, lines, count);
  if (search->result->verdict == VERDICT_CORRECT) search->result->checked = search->result->committed;
  if (search->result->verdict == VERDICT_UNKNOWN) search->result->checked = live_prefix(search, lines, count);
  return !search->diag->failed;
}
