/* rules.h: what is asked of a history: the level, freshness, the test for write conflicts, the order; and
 * what the times of an execution allow. */
#ifndef ALIBI_ORACLE_RULES_H
#define ALIBI_ORACLE_RULES_H

#include "tests/oracle/history.h"

typedef enum Level {
  LEVEL_RC,
  LEVEL_RCS,
  LEVEL_SI,
  LEVEL_SSI,
  LEVEL_SER,
  LEVEL_SSER,
  LEVEL_PG_RC,
  LEVEL_INNODB_RR,
  LEVEL_INNODB_RC,
  LEVEL_COUNT
} Level;

typedef struct Rules {
  Level level;
  bool is_fresh, by_values, is_search;
  bool checks_aborted; /* what aborted transactions read must be explained */
  int64_t clock_error; /* every time is known to within this */
} Rules;

bool level_find(const char *name, Level *level);
const char *level_name(Level level);
static inline bool level_is_serial(Level level) { return level == LEVEL_SER || level == LEVEL_SSER; }
static inline bool level_is_snapshot(Level level) { return level == LEVEL_SI || level == LEVEL_SSI; }
static inline bool level_is_vendor(Level level) { return level >= LEVEL_PG_RC; }
/* Do times bind the order itself? */
static inline bool level_is_strict(const Rules *rules) {
  return rules->level == LEVEL_SSI || rules->level == LEVEL_SSER ||
         (rules->level == LEVEL_SER && rules->is_fresh);
}
/* One state for the whole transaction? */
static inline bool level_has_one_state(Level level) {
  return level_is_snapshot(level) || level == LEVEL_INNODB_RR;
}

/* The transactions that take part, in order: place 1 is order[0]. */
typedef struct Order {
  const History *history;
  uint32_t length;
  uint32_t places[TRANSACTIONS_MOST];
  bool is_observed[TRANSACTIONS_MOST]; /* by transaction: do its observations count? */
  int64_t clock_error;
} Order;

static inline const Transaction *order_at(const Order *order, uint32_t place) {
  return order->history->transactions[order->places[place - 1]];
}
/* Does the evidence want transaction a before b wherever both take part? */
bool order_wants(const Order *order, const Rules *rules, uint32_t a, uint32_t b);
bool order_wants_session(const Order *order, uint32_t a, uint32_t b); /* because of their session alone */
/* The oldest state that a step at `place` may read; step < 0: the transaction as a whole.  A commit that was
 * certainly before it but stands behind it in the order leaves none: the answer is `place` or more. */
uint32_t order_freshest(const Order *order, uint32_t place, int step);
/* Strict snapshot isolation: may the transaction at `place` have read state `state`? */
bool order_allows_snapshot(const Order *order, uint32_t place, uint32_t state);
/* Can the commits be put in this order at all? */
bool order_is_timely(const Order *order);

#endif
