/* order_repair.c: the guessed order, repaired as it is walked.
 *
 * Who cannot come next has not seen some of those before it: they are moved (order_blame.c).  Otherwise it
 * waits until others have come.  Where no time says who was near, anybody may be in doubt, and waiting is
 * tried first.  A guess: what it finds is certified like any other order, where it gives up
 * nothing is claimed. */
#include "heuristics/orders.h"

bool orders_hold(Orders *orders) {
  bool is_whole = orders->depth == orders->count && !orders->search->is_segment;
  orders->pushes++;
  return search_prefix(orders->search, orders->order, orders->depth, is_whole) &&
         orders->search->result->verdict == VERDICT_CORRECT;
}

bool orders_are_over(const Orders *orders) {
  const SearchResult *result = orders->search->result;
  return orders->search->diag->failed || result->verdict == VERDICT_UNKNOWN;
}

/* Moves those that the refused one did not see.  False: the order is as it was, or all is over. */
static bool repair_blame(Orders *orders, uint32_t refused) {
  bool holds = orders_blame(orders, refused);
  orders->first[orders->depth] = NOBODY;
  return holds;
}

static bool candidate_is_timed(const Candidate *candidate) {
  return candidate->commit.hi != INT64_MAX || candidate->start.lo != INT64_MIN;
}

bool orders_repair(Orders *orders) {
  orders->first[orders->depth] = NOBODY;
  uint32_t next = orders_next(orders, 0), refused = NOBODY;
  while (orders->depth < orders->goal && next < orders->count) {
    orders_take(orders, next);
    bool holds = orders_hold(orders);
    if (!holds && orders_are_over(orders)) return true;
    bool is_final = !holds && snapshots_refute(orders);
    if (!holds) orders_give_back(orders);
    if (is_final) return false;
    refused = holds ? NOBODY : refused == NOBODY ? next : refused;
    orders->first[orders->depth] = NOBODY;
    uint32_t another = holds ? 0 : orders_next(orders, next + 1);
    bool is_last = !holds && another == orders->count && !candidate_is_timed(&orders->candidates[refused]);
    if (!holds && (is_last || candidate_is_timed(&orders->candidates[next]))) {
      holds = repair_blame(orders, is_last ? refused : next);
      if (!holds && orders_are_over(orders)) return true;
      if (holds) refused = NOBODY;
    }
    next = holds ? orders_next(orders, 0) : another;
    if (holds && orders->depth >= orders->goal) return true;
  }
  orders->blamed = refused;
  return false;
}
