/* times.c: times and sessions that are true to the execution.
 *
 * The transaction at place i commits at instant 10 i; what read state s began, or started, after 10 s and not
 * after 10 (s + 1).  Then instants are widened to intervals, or left out. */
#include "tests/oracle/compose.h"

typedef enum TimeStyle { TIMES_NONE, TIMES_INSTANTS, TIMES_INTERVALS } TimeStyle;

static Interval interval_draw(Draw *draw, int64_t instant, TimeStyle style) {
  if (style == TIMES_INSTANTS) return (Interval){true, instant, instant};
  return (Interval){true, instant - draw_below(draw, 14), instant + draw_below(draw, 14)};
}

/* The place of an aborted one is between others: it ends before the one that has this place commits. */
static uint32_t place_of(const Compose *compose, uint32_t txn) {
  return compose->places[txn] ? compose->places[txn] : compose->asked.checks_aborted ? compose->ends[txn] : 0;
}

static uint32_t seen_oldest(const Compose *compose, uint32_t txn) {
  uint32_t oldest = place_of(compose, txn) - 1;
  for (uint32_t i = 0; i < compose->history->transactions[txn]->operation_count; i++)
    if (compose->seen[txn][i] < oldest) oldest = compose->seen[txn][i];
  return oldest;
}

/* Does what was read bind the times? Otherwise they may say that it was stale, or from the future. */
static bool times_are_bound(const Compose *compose) {
  return compose->rules.is_fresh || compose->rules.level == LEVEL_SSI;
}

/* Serial transactions read the state before them, but may have started long before. */
static int64_t start_draw(Compose *compose, uint32_t txn) {
  uint32_t oldest = seen_oldest(compose, txn);
  if (!times_are_bound(compose) && draw_percent(&compose->draw, 50))
    return 1 + draw_below(&compose->draw, 10 * place_of(compose, txn));
  if (level_is_serial(compose->rules.level)) oldest = draw_below(&compose->draw, oldest + 1);
  return 10 * (int64_t)oldest + 1 + draw_below(&compose->draw, 10);
}

static void transaction_time(Compose *compose, uint32_t txn, TimeStyle style, bool has_steps) {
  Transaction *transaction = compose->history->transactions[txn];
  Draw *draw = &compose->draw;
  int64_t start = start_draw(compose, txn), commit = 10 * (int64_t)place_of(compose, txn);
  if (transaction->status == STATUS_ABORTED) commit -= 1 + draw_below(draw, 9);
  if (start > commit) start = commit;
  transaction->start = interval_draw(draw, start, style);
  transaction->commit = interval_draw(draw, commit, style);
  if (transaction->commit.lo < transaction->start.lo) transaction->commit.lo = transaction->start.lo;
  if (transaction->start.hi > transaction->commit.hi) transaction->start.hi = transaction->commit.hi;
  if (transaction->status == STATUS_UNKNOWN) transaction->commit.hi = INT64_MAX;
  int64_t last = start;
  for (uint32_t i = 0; has_steps && i < transaction->operation_count; i++) {
    int64_t latest = times_are_bound(compose) ? 10 * ((int64_t)compose->seen[txn][i] + 1) : commit;
    if (latest < last) latest = last; /* at rc a step may see less than the one before; then it has no time */
    last += draw_below(draw, (uint32_t)(latest - last) + 1);
    if (!times_are_bound(compose) || last <= 10 * ((int64_t)compose->seen[txn][i] + 1))
      transaction->operations[i].start = (Interval){true, last, last};
  }
  if (draw_percent(draw, 8)) transaction->start.given = false;
  if (draw_percent(draw, 8)) transaction->commit.given = false;
}

/* A session's earlier transaction committed before the next one started. */
static void sessions_draw(Compose *compose) {
  uint32_t last[2] = {0, 0},
           ended[2] = {0, 0}; /* of aborted ones at one place it is not said who ended first */
  for (uint32_t i = 0; i < compose->history->count; i++) {
    Transaction *transaction = compose->history->transactions[i];
    uint32_t session = draw_below(&compose->draw, 3);
    bool may_have = transaction->status == STATUS_COMMITTED || (place_of(compose, i) && !compose->places[i]);
    if (session == 2 || !may_have || last[session] > seen_oldest(compose, i)) continue;
    if (!compose->places[i] && ended[session] == place_of(compose, i)) continue;
    if (!compose->places[i]) ended[session] = place_of(compose, i);
    transaction->session = session ? "b" : "a";
    if (compose->places[i]) last[session] = compose->places[i];
  }
}

/* Under search: times of another order than that of the execution. */
static void times_swap(Compose *compose) {
  History *history = compose->history;
  uint32_t one = draw_below(&compose->draw, history->count),
           other = draw_below(&compose->draw, history->count);
  Transaction *first = history->transactions[one], *second = history->transactions[other];
  if (first->status != STATUS_COMMITTED || second->status != STATUS_COMMITTED) return;
  Interval start = first->start, commit = first->commit;
  first->start = second->start, first->commit = second->commit;
  second->start = start, second->commit = commit;
  for (uint32_t i = 0; i < history->count; i++)
    history->transactions[i]->session = NULL; /* they would contradict */
  for (uint32_t i = 0; i < first->operation_count; i++) first->operations[i].start.given = false;
  for (uint32_t i = 0; i < second->operation_count; i++) second->operations[i].start.given = false;
}

/* Under search: any times and sessions, also such as contradict each other. */
static void evidence_invent(Compose *compose) {
  Draw *draw = &compose->draw;
  compose->is_wild = true;
  for (uint32_t i = 0; i < compose->history->count; i++) {
    Transaction *transaction = compose->history->transactions[i];
    uint32_t session = draw_below(draw, 3);
    if (transaction->status == STATUS_ABORTED) continue;
    transaction->session = session ? session == 1 ? "a" : "b" : NULL;
    int64_t commit = draw_below(draw, 40), start = commit - draw_below(draw, 30);
    transaction->commit = (Interval){draw_percent(draw, 80), commit, commit + draw_below(draw, 12)};
    transaction->start = (Interval){draw_percent(draw, 80), start - draw_below(draw, 8), start};
    if (transaction->status == STATUS_UNKNOWN && draw_percent(draw, 70)) transaction->commit.hi = INT64_MAX;
    for (uint32_t k = 0; k < transaction->operation_count; k++)
      transaction->operations[k].start.given = false;
  }
}

static void interval_shift(Compose *compose, Interval *interval) {
  int64_t error = compose->asked.clock_error;
  int64_t by = (int64_t)draw_below(&compose->draw, (uint32_t)(2 * error + 1)) - error;
  if (interval->lo != INT64_MIN) interval->lo += by;
  if (interval->hi != INT64_MAX) interval->hi += by;
}

/* Each is read from a clock that is wrong by some part of the error. */
static void clocks_err(Compose *compose) {
  for (uint32_t i = 0; i < compose->history->count; i++) {
    Transaction *transaction = compose->history->transactions[i];
    interval_shift(compose, &transaction->start);
    interval_shift(compose, &transaction->commit);
    for (uint32_t k = 0; k < transaction->operation_count; k++)
      interval_shift(compose, &transaction->operations[k].start);
  }
}

void compose_times(Compose *compose) {
  TimeStyle style = (TimeStyle)draw_below(&compose->draw, 3);
  bool is_strict =
      compose->rules.level == LEVEL_SSI || compose->rules.level == LEVEL_SSER || compose->rules.is_fresh;
  if (is_strict && style == TIMES_NONE) style = TIMES_INSTANTS;
  bool has_steps = draw_percent(&compose->draw, 50) || compose->rules.is_fresh;
  for (uint32_t i = 0; style != TIMES_NONE && i < compose->history->count; i++)
    if (place_of(compose, i)) transaction_time(compose, i, style, has_steps);
  if (draw_percent(&compose->draw, 25)) sessions_draw(compose);
  /* Without a claim about times, the execution stays honest only at `ser`, so others are made elsewhere. */
  bool may_swap = compose->asked.is_search &&
                  (compose->rules.level != compose->asked.level || compose->rules.level == LEVEL_SER);
  if (may_swap && draw_percent(&compose->draw, 35)) times_swap(compose);
  if (compose->asked.is_search && draw_percent(&compose->draw, 12)) evidence_invent(compose);
  if (compose->asked.clock_error) clocks_err(compose);
}
