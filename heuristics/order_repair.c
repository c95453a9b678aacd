/* order_repair.c: the guessed order, repaired as it is walked.
 *
 * Who cannot come next has not seen some of those before it: they are moved (order_blame.c).  Otherwise it
 * waits until others have come.  A guess: what it finds is certified like any other order, where it gives up
 * nothing is claimed. */
#include "heuristics/orders.h"

bool orders_hold(Orders *orders) {
  bool is_whole = orders->depth == orders->count;
  orders->pushes++;
  return search_prefix(orders->search, orders->order, orders->depth, is_whole) &&
         orders->search->result->verdict == VERDICT_CORRECT;
}

bool orders_are_over(const Orders *orders) {
  const SearchResult *result = orders->search->result;
  return orders->search->diag->failed || result->verdict == VERDICT_UNKNOWN;
}

bool orders_repair(Orders *orders) {
  orders->first[orders->depth] = NOBODY;
  uint32_t next = orders_next(orders, 0), refused = NOBODY;
  while (orders->depth < orders->count && next < orders->count) {
    orders_take(orders, next);
    bool holds = orders_hold(orders);
    if (!holds && orders_are_over(orders)) return true;
    if (!holds) {
      orders_give_back(orders);
      holds = orders_blame(orders, next);
      if (!holds && orders_are_over(orders)) return true;
    }
    refused = holds ? NOBODY : refused == NOBODY ? next : refused;
    orders->first[orders->depth] = NOBODY;
    next = orders_next(orders, holds ? 0 : next + 1);
    if (holds && orders->depth == orders->count) return true;
  }
  orders->blamed = refused;
  return false;
}
