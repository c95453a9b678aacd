/* rules.c: levels by name, and times.
 *
 * A missing start is (-oo, commit], a missing commit [start, oo).  A transaction whose observations are
 * ignored has no times and no session. */
#include "tests/oracle/rules.h"

static const char *const NAMES[LEVEL_COUNT] = {"rc",   "rcs",   "si",        "ssi",      "ser",
                                               "sser", "pg-rc", "innodb-rr", "innodb-rc"};

bool level_find(const char *name, Level *level) {
  for (int i = 0; i < LEVEL_COUNT; i++)
    if (!strcmp(NAMES[i], name)) {
      *level = (Level)i;
      return true;
    }
  return false;
}

const char *level_name(Level level) { return NAMES[level]; }

/* What the clocks' error leaves of an interval. */
static Interval interval_blur(const Order *order, Interval interval) {
  int64_t error = order->clock_error;
  if (interval.lo != INT64_MIN) interval.lo -= error;
  if (interval.hi != INT64_MAX) interval.hi += error;
  return interval;
}

static Interval start_of(const Order *order, uint32_t txn) {
  const Transaction *transaction = order->history->transactions[txn];
  if (!order->is_observed[txn]) return (Interval){true, INT64_MIN, INT64_MAX};
  if (transaction->start.given) return interval_blur(order, transaction->start);
  Interval missing = {true, INT64_MIN, transaction->commit.given ? transaction->commit.hi : INT64_MAX};
  return interval_blur(order, missing);
}

static Interval commit_of(const Order *order, uint32_t txn) {
  const Transaction *transaction = order->history->transactions[txn];
  if (!order->is_observed[txn]) return (Interval){true, INT64_MIN, INT64_MAX};
  if (transaction->commit.given) return interval_blur(order, transaction->commit);
  Interval missing = {true, transaction->start.given ? transaction->start.lo : INT64_MIN, INT64_MAX};
  return interval_blur(order, missing);
}

/* Both in one session, a above b in the file. */
static bool session_orders(const Order *order, uint32_t a, uint32_t b) {
  const char *first = order->history->transactions[a]->session,
             *second = order->history->transactions[b]->session;
  return a < b && order->is_observed[a] && order->is_observed[b] && first && second && !strcmp(first, second);
}

static bool is_aborted(const Order *order, uint32_t txn) {
  return order->history->transactions[txn]->status == STATUS_ABORTED;
}

bool order_wants_session(const Order *order, uint32_t a, uint32_t b) { return session_orders(order, a, b); }

bool order_wants(const Order *order, const Rules *rules, uint32_t a, uint32_t b) {
  Level level = rules->level == LEVEL_SER && rules->is_fresh ? LEVEL_SSER : rules->level;
  if (level == LEVEL_SER) return false;
  if (session_orders(order, a, b)) return true;
  int64_t latest = commit_of(order, a).hi;
  return latest < (level == LEVEL_SSER ? start_of(order, b).lo : commit_of(order, b).lo);
}

uint32_t order_freshest(const Order *order, uint32_t place, int step) {
  uint32_t txn = order->places[place - 1];
  int64_t earliest = start_of(order, txn).lo;
  if (step >= 0 && order->is_observed[txn]) {
    Interval start = order->history->transactions[txn]->operations[step].start;
    if (start.given) earliest = interval_blur(order, start).lo;
  }
  for (uint32_t other = order->length; other > 0; other--) {
    if (other == place) continue;
    uint32_t before = order->places[other - 1];
    if (is_aborted(order, before)) continue; /* it never commits */
    if (commit_of(order, before).hi < earliest || session_orders(order, before, txn)) return other;
  }
  return 0;
}

bool order_is_timely(const Order *order) {
  for (uint32_t a = 0; a < order->length; a++)
    for (uint32_t b = a + 1; b < order->length; b++)
      if (commit_of(order, order->places[b]).hi < commit_of(order, order->places[a]).lo) return false;
  return true;
}

/* Instants c_1 <= c_2 <= ... and a start with c_s < start <= c_s+1: each commit up to s as early as it can
 * be, each later one as late as it can be. */
bool order_allows_snapshot(const Order *order, uint32_t place, uint32_t state) {
  uint32_t txn = order->places[place - 1];
  Interval start = start_of(order, txn);
  int64_t earliest = INT64_MIN, latest = start.hi;
  for (uint32_t i = 1; i <= order->length; i++) {
    Interval commit = commit_of(order, order->places[i - 1]);
    if (is_aborted(order, order->places[i - 1])) continue;
    if (i <= state && commit.lo > earliest) earliest = commit.lo;
    if (i > state && commit.hi < latest) latest = commit.hi;
    if (i > state && i < place && session_orders(order, order->places[i - 1], txn)) return false;
  }
  if (!order_is_timely(order) || start.lo > latest) return false;
  return state == 0 || earliest < latest || earliest == INT64_MIN;
}
