/* compare.h: rows observed and rows expected, paired so that a person sees the difference. */
#ifndef ALIBI_APP_COMPARE_H
#define ALIBI_APP_COMPARE_H

#include "semantics/match.h"

enum { PAIR_NONE = UINT32_MAX };

typedef struct Pair {
  uint32_t observed, expected; /* PAIR_NONE: no such row on this side */
  bool is_equal;
} Pair;

typedef ARRAY(Pair) Pairs;

typedef struct Comparison {
  const Dialect *dialect;
  Doubts *doubts;
  const ResultSet *expected;
  const ObservedRows *observed;
  bool is_by_place; /* the order is what differs: the first with the first, and so on */
} Comparison;

/* Every row of both sides, once; equal rows first find each other, then those most alike. On the heap. */
void compare_rows(const Comparison *comparison, Pairs *pairs);
bool compare_cell(const Comparison *comparison, uint32_t observed, uint32_t expected, uint32_t column);

#endif
