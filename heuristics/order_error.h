/* order_error.h: errors that a later state may explain (ser and sser in a searched order).
 *
 * Where such an error is refused, the statement is taken out of its transaction and asked as a transaction of
 * its own, which may stand anywhere and of which nobody sees anything: it fails as observed in some state of
 * the execution.
 *
 * E1  That leaves no execution out where error_is_movable says so; where not, nothing is refuted.
 * E2  What is found is written as an execution of the log itself, and certified once more. */
#ifndef ALIBI_HEURISTICS_ORDER_ERROR_H
#define ALIBI_HEURISTICS_ORDER_ERROR_H

#include "heuristics/search_internal.h"

/* An error that stands by itself. */
typedef struct LateError {
  const Line *line;   /* the transaction as it was given */
  const Line *placed; /* the same without the error */
  const Line *probe;
  uint32_t operation;
} LateError;

typedef struct LateErrors {
  const Line **lines; /* what is asked: those given, changed, and the probes behind them */
  uint32_t count, given_count;
  ARRAY(LateError) errors; /* in the result's arena */
  uint32_t unknown;        /* of transactions that are unknown */
  bool is_open;            /* some cannot be moved */
} LateErrors;

void late_open(LateErrors *late, Search *search, const Line **lines, uint32_t count);
/* More errors were refused than those that stand by themselves: they do now.  False: there are none. */
bool late_add(LateErrors *late, Search *search);
/* E2 */
bool late_write(const LateErrors *late, Search *search);

#endif
