/* term_count.c: how many of some Booleans are true, as a counter of Booleans.
 *
 * Row i of the counter holds, for each j, "at least j of the first i":
 *     atleast(i, j) = atleast(i-1, j) or (item i and atleast(i-1, j-1))
 * which is n * k terms, propagates as a clause encoding does and needs no
 * arithmetic.  Of k and n-k the smaller is counted.  Items are sorted first, so
 * that questions about the same items share their counters. */
#include "src/smt/node.h"

#include <assert.h>

static int term_compare(const void *a, const void *b) {
  Term left = *(const Term *)a, right = *(const Term *)b;
  return (left > right) - (left < right);
}

/* Copies, sorts, and takes out what is certain: constants, and x with not x, of
 * which exactly one is true.  Returns how many were left, *certain how many of the others are true. */
static uint32_t items_simplify(Term *to, const Term *items, uint32_t count, uint32_t *certain) {
  uint32_t kept = 0;
  *certain = 0;
  memcpy(to, items, count * sizeof *to);
  qsort(to, count, sizeof *to, term_compare);
  for (uint32_t i = 0; i < count; i++) {
    Term item = to[i];
    if (item == TERM_FALSE) continue;
    if (item == TERM_TRUE) {
      ++*certain;
    } else if (kept && to[kept - 1] == (item ^ 1)) {
      ++*certain;
      kept--;
    } else {
      to[kept++] = item;
    }
  }
  return kept;
}

/* 0 <= low <= high <= count.  Only entries that atleast(count, low) or
 * atleast(count, high + 1) depend on are made. */
static Term counter_make(Terms *terms, const Term *items, uint32_t count, uint32_t low, uint32_t high) {
  Term *row = memory_new((high + 2) * sizeof *row);
  row[0] = TERM_TRUE; /* and all others TERM_FALSE: none of no items is true */
  for (uint32_t i = 1; i <= count; i++) {
    uint32_t after = count - i;
    uint32_t last = i < high + 1 ? i : high + 1;
    uint32_t first = low > after + 1 ? low - after : 1;
    for (uint32_t j = last; j >= first; j--)
      row[j] = term_or(terms, row[j], term_and(terms, items[i - 1], row[j - 1]));
  }
  Term result = term_and(terms, row[low], term_not(terms, row[high + 1]));
  free(row);
  return result;
}

Term term_count_between(Terms *terms, const Term *items, uint32_t count, uint32_t low, uint32_t high) {
  if (low > high || low > count) return TERM_FALSE;
  for (uint32_t i = 0; i < count; i++)
    assert(term_node(items[i]) < terms->nodes.count && term_sort(terms, items[i]) == SORT_BOOL);
  Term *rest = memory_new((count + 1) * sizeof *rest);
  uint32_t certain;
  uint32_t left = count ? items_simplify(rest, items, count, &certain) : (certain = 0);
  Term result = TERM_FALSE;
  if (certain <= high) {
    low = low > certain ? low - certain : 0;
    high = high - certain < left ? high - certain : left;
    if (low == 0 && high == left) {
      result = TERM_TRUE;
    } else if (low <= left) {
      if (left - low < high) { /* count what is false */
        for (uint32_t i = 0; i < left; i++) rest[i] ^= 1;
        uint32_t old_low = low;
        low = left - high;
        high = left - old_low;
      }
      result = counter_make(terms, rest, left, low, high);
    }
  }
  free(rest);
  return result;
}

Term term_count_is(Terms *terms, const Term *items, uint32_t count, uint32_t wanted) {
  return term_count_between(terms, items, count, wanted, wanted);
}

Term term_exactly_one(Terms *terms, const Term *items, uint32_t count) {
  return term_count_between(terms, items, count, 1, 1);
}
