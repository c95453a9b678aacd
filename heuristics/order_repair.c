/* order_repair.c: the given order, repaired as it is walked.
 *
 * A transaction that cannot come next has often seen less than stands before it: it is tried at the places
 * before, as far as the evidence lets it, and what was there is pushed again behind it.  Otherwise it waits
 * until others have come, and where nobody can come, one of the writers before is tried behind others.  A
 * guess: what it finds is certified like any other order, where it gives up nothing is claimed. */
#include "heuristics/orders.h"

enum { REPAIR_REACH = 24 }; /* places that a transaction is moved back at most */

/* Pushes what the order has behind the live part.  True: all of it is explained. */
static bool order_holds(Orders *orders) {
  bool is_whole = orders->depth == orders->count;
  return search_prefix(orders->search, orders->order, orders->depth, is_whole) &&
         orders->search->result->verdict == VERDICT_CORRECT;
}

static bool repair_is_over(const Orders *orders) {
  const SearchResult *result = orders->search->result;
  return orders->search->diag->failed || result->verdict == VERDICT_UNKNOWN;
}

/* The transaction at one place, and what was there behind it.  False: the order is as it was. */
static bool repair_insert(Orders *orders, uint32_t number, uint32_t *moved, uint32_t count) {
  orders_take(orders, number);
  bool holds = order_holds(orders);
  for (uint32_t i = count; holds && i-- > 0;) {
    orders_take(orders, moved[i]);
    holds = order_holds(orders);
  }
  if (holds) return true;
  while (orders_give_back(orders) != number) {
  }
  return false;
}

/* Moves a transaction that was refused to an earlier place.  False: none suits, the order is as it was. */
static bool repair_move(Orders *orders, uint32_t number) {
  uint32_t moved[REPAIR_REACH], count = 0;
  const Candidate *candidate = &orders->candidates[number];
  bool done = false;
  while (!done && count < REPAIR_REACH && orders->depth) {
    uint32_t last = orders->taken[orders->depth - 1];
    if (candidate->predecessor == last + 1 || orders_precede(orders, &orders->candidates[last], candidate))
      break;
    moved[count++] = orders_give_back(orders);
    done = repair_insert(orders, number, moved, count);
    if (!done && repair_is_over(orders)) return false;
  }
  while (!done && count) orders_take(orders, moved[--count]);
  return done;
}

/* What it did to the database may show: some answer of it is no rows. */
static bool candidate_writes(const Candidate *candidate) {
  const Transaction *transaction = &candidate->line->transaction;
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    if (!transaction->operations[i].has_rows && !transaction->operations[i].error) return true;
  return false;
}

/* Would the evidence let `number` stand behind `other`? */
static bool repair_may_follow(const Orders *orders, uint32_t number, uint32_t other) {
  return orders->candidates[other].predecessor != number + 1 &&
         !orders_precede(orders, &orders->candidates[number], &orders->candidates[other]);
}

/* Does the order hold with the last `count` of it in another order, and one more behind them?  False: it is
 * as it was. */
static bool repair_try(Orders *orders, const uint32_t *numbers, uint32_t count, uint32_t late,
                       uint32_t behind, uint32_t next) {
  uint32_t before = orders->depth;
  bool holds = true;
  for (uint32_t i = 0; holds && i < count; i++) {
    if (i != late) orders_take(orders, numbers[i]);
    if (i == behind) orders_take(orders, numbers[late]);
    holds = order_holds(orders);
  }
  if (holds) {
    orders_take(orders, next);
    holds = order_holds(orders);
  }
  while (!holds && orders->depth > before) orders_give_back(orders);
  return holds;
}

/* One of the last writers comes later than it did, behind another: who was refused has seen that one and not
 * this one.  False: nobody suits, the order is as it was. */
static bool repair_delay(Orders *orders, uint32_t next) {
  uint32_t numbers[REPAIR_REACH], count = 0; /* from the place on that is looked at, the newest last */
  while (count < REPAIR_REACH && orders->depth) {
    memmove(numbers + 1, numbers, count * sizeof *numbers);
    numbers[0] = orders_give_back(orders);
    count++;
    if (!candidate_writes(&orders->candidates[numbers[0]])) continue;
    for (uint32_t behind = 1; behind < count; behind++) {
      if (!repair_may_follow(orders, numbers[0], numbers[behind])) break;
      if (!candidate_writes(&orders->candidates[numbers[behind]])) continue;
      if (repair_try(orders, numbers, count, 0, behind, next)) return true;
      if (repair_is_over(orders)) return false;
    }
  }
  for (uint32_t i = 0; i < count; i++) orders_take(orders, numbers[i]);
  return false;
}

/* Goes on until nobody can come next.  True: the search is over. */
static bool repair_walk(Orders *orders) {
  orders->first[orders->depth] = NOBODY;
  uint32_t next = orders_next(orders, 0), refused = NOBODY;
  while (orders->depth < orders->count && next < orders->count) {
    orders_take(orders, next);
    bool holds = order_holds(orders);
    if (!holds && repair_is_over(orders)) return true;
    if (!holds) {
      orders_give_back(orders);
      holds = repair_move(orders, next);
      if (!holds && repair_is_over(orders)) return true;
    }
    refused = holds ? NOBODY : refused == NOBODY ? next : refused;
    orders->first[orders->depth] = NOBODY;
    next = orders_next(orders, holds ? 0 : next + 1);
    if (holds && orders->depth == orders->count) return true;
  }
  orders->blamed = refused;
  return false;
}

bool orders_repair(Orders *orders) {
  do {
    if (repair_walk(orders)) return true;
    if (orders->blamed == NOBODY || !repair_delay(orders, orders->blamed)) return repair_is_over(orders);
  } while (orders->depth < orders->count);
  return true; /* the last one is in its place */
}
