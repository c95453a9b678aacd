/* term_bool.c: and, or, iff, with what folds.
 *
 * Everything is an `and` of literals; `or` is its negation.  Folded are
 * constants, repetition, x with not x, small conjunctions inside (one level: so
 * that a chain of binary calls does not copy itself), and clauses inside that
 * another argument decides, wholly (absorption) or in part. */
#include "src/smt/node.h"

#include <assert.h>

enum {
  FLAT_MOST = 4,   /* an inner conjunction of at most so many arguments is spread out */
  CLAUSE_MOST = 8, /* an inner clause of at most so many is compared with its siblings */
  ROUNDS_MOST = 3, /* a clause that shrinks may decide another */
};

static int term_compare(const void *a, const void *b) {
  Term left = *(const Term *)a, right = *(const Term *)b;
  return (left > right) - (left < right);
}

static bool sorted_contain(const Term *items, uint32_t count, Term term) {
  while (count) {
    uint32_t half = count / 2;
    if (items[half] == term) return true;
    if (items[half] < term)
      items += half + 1, count -= half + 1;
    else
      count = half;
  }
  return false;
}

/* Appends what the conjunct stands for to the work list; false if it is false. */
static bool conjunct_gather(Terms *terms, Term item) {
  assert(term_node(item) < terms->nodes.count);
  assert(term_sort(terms, item) == SORT_BOOL);
  if (item == TERM_FALSE) return false;
  if (item == TERM_TRUE) return true;
  const Node *node = node_of(terms, item);
  if (term_negated(item) || node->op != NODE_AND || node->count > FLAT_MOST) {
    ARRAY_PUSH(&terms->work, item);
    return true;
  }
  for (uint32_t i = 0; i < node->count; i++) ARRAY_PUSH(&terms->work, node_arguments(terms, node)[i]);
  return true;
}

/* Sorts the work list from `start` on and drops repetitions; false if it holds a term and its negation. */
static bool conjuncts_sort(Terms *terms, uint32_t start) {
  Term *items = terms->work.items + start;
  uint32_t count = terms->work.count - start, kept = 0;
  if (count == 2 && items[0] > items[1]) {
    Term first = items[0];
    items[0] = items[1];
    items[1] = first;
  } else if (count > 2) {
    qsort(items, count, sizeof *items, term_compare);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (kept && items[kept - 1] == items[i]) continue;
    if (kept && items[kept - 1] == (items[i] ^ 1)) return false;
    items[kept++] = items[i];
  }
  terms->work.count = start + kept;
  return true;
}

/* What is left of the clause not(a and b ...) beside the conjuncts: true where
 * one of them is not a; without a where one of them is a. */
static Term clause_reduce(Terms *terms, Term clause, const Term *items, uint32_t count) {
  const Node *node = node_of(terms, clause);
  Term rest[CLAUSE_MOST];
  uint32_t left = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Term argument = node_arguments(terms, node)[i];
    if (sorted_contain(items, count, argument ^ 1)) return TERM_TRUE;
    if (!sorted_contain(items, count, argument)) rest[left++] = argument;
  }
  if (left == node->count) return clause;
  if (left == 0) return TERM_FALSE;
  return (left == 1 ? rest[0] : node_make(terms, NODE_AND, SORT_BOOL, rest, left)) ^ 1;
}

static bool clause_is_small(const Terms *terms, Term item) {
  const Node *node = node_of(terms, item);
  return term_negated(item) && node->op == NODE_AND && node->count <= CLAUSE_MOST;
}

/* Reduces every small clause of the sorted work list against the rest.  A clause can only hold
 * siblings of smaller nodes (N2), so that no two are reduced by each other and both lost.
 * Sets *changed; false if the conjunction is false. */
static bool conjuncts_reduce(Terms *terms, uint32_t start, bool *changed) {
  uint32_t end = terms->work.count;
  *changed = false;
  for (uint32_t i = start; i < end; i++) {
    Term item = terms->work.items[i], reduced = item;
    if (clause_is_small(terms, item))
      reduced = clause_reduce(terms, item, terms->work.items + start, end - start);
    if (reduced != item) *changed = true;
    if (!conjunct_gather(terms, reduced)) return false;
  }
  uint32_t count = terms->work.count - end;
  if (count) memmove(terms->work.items + start, terms->work.items + end, count * sizeof *terms->work.items);
  terms->work.count = start + count;
  return true;
}

static Term conjuncts_finish(Terms *terms, uint32_t start) {
  bool changed = true;
  for (int round = 0; changed; round++) {
    if (!conjuncts_sort(terms, start)) return TERM_FALSE;
    if (round == ROUNDS_MOST) break;
    if (!conjuncts_reduce(terms, start, &changed)) return TERM_FALSE;
  }
  const Term *items = terms->work.items + start;
  uint32_t count = terms->work.count - start;
  if (count == 0) return TERM_TRUE;
  if (count == 1) return items[0];
  return node_make(terms, NODE_AND, SORT_BOOL, items, count);
}

/* The conjunction of items[i] ^ flip. */
static Term conjunction_make(Terms *terms, const Term *items, uint32_t count, Term flip) {
  uint32_t start = terms->work.count;
  Term result = TERM_TRUE;
  for (uint32_t i = 0; i < count && result; i++)
    if (!conjunct_gather(terms, items[i] ^ flip)) result = TERM_FALSE;
  if (result) result = conjuncts_finish(terms, start);
  terms->work.count = start;
  return result;
}

Term term_not(Terms *terms, Term a) {
  assert(term_node(a) < terms->nodes.count && term_sort(terms, a) == SORT_BOOL);
  (void)terms;
  return a ^ 1;
}

Term term_and_all(Terms *terms, const Term *items, uint32_t count) {
  return conjunction_make(terms, items, count, 0);
}

Term term_or_all(Terms *terms, const Term *items, uint32_t count) {
  return conjunction_make(terms, items, count, 1) ^ 1;
}

Term term_and(Terms *terms, Term a, Term b) {
  if (a == TERM_FALSE || b == TERM_FALSE || a == (b ^ 1)) return TERM_FALSE;
  if (a == b || b == TERM_TRUE) return a;
  if (a == TERM_TRUE) return b;
  return conjunction_make(terms, (const Term[]){a, b}, 2, 0);
}

Term term_or(Terms *terms, Term a, Term b) { return term_and(terms, a ^ 1, b ^ 1) ^ 1; }
Term term_implies(Terms *terms, Term a, Term b) { return term_and(terms, a, b ^ 1) ^ 1; }

Term term_iff(Terms *terms, Term a, Term b) {
  assert(term_node(a) < terms->nodes.count && term_sort(terms, a) == SORT_BOOL);
  assert(term_node(b) < terms->nodes.count && term_sort(terms, b) == SORT_BOOL);
  Term flip = (a ^ b) & 1; /* iff(not a, b) is not iff(a, b) */
  a &= ~1u;
  b &= ~1u;
  if (a == b) return TERM_TRUE ^ flip;
  if (a == TERM_FALSE) return b ^ 1 ^ flip;
  if (b == TERM_FALSE) return a ^ 1 ^ flip;
  const Term sorted[2] = {a < b ? a : b, a < b ? b : a};
  return node_make(terms, NODE_IFF, SORT_BOOL, sorted, 2) ^ flip;
}
