/* term_int.c: integers, arrays and choices between terms, with what folds.
 *
 * Constants are folded while they fit 64 bits.  `a <= b` is `not b < a`. */
#include "src/smt/node.h"

#include <assert.h>

int64_t node_int(const Terms *terms, const Node *node) {
  const uint32_t *halves = node_arguments(terms, node);
  return (int64_t)((uint64_t)halves[1] << 32 | halves[0]);
}

bool term_is_int(const Terms *terms, Term term, int64_t *value) {
  assert(term_node(term) < terms->nodes.count);
  const Node *node = node_of(terms, term);
  if (node->op != NODE_INT) return false;
  *value = node_int(terms, node);
  return true;
}

static bool has_sort(const Terms *terms, Term term, Sort sort) {
  return term_node(term) < terms->nodes.count && term_sort(terms, term) == sort;
}

Term term_int(Terms *terms, int64_t value) {
  const uint32_t halves[2] = {(uint32_t)value, (uint32_t)((uint64_t)value >> 32)};
  return node_make(terms, NODE_INT, SORT_INT, halves, 2);
}

static bool is_value(const Terms *terms, Term term, int64_t value) {
  int64_t found;
  return term_is_int(terms, term, &found) && found == value;
}

static Term binary_make(Terms *terms, NodeOp op, Sort sort, Term a, Term b) {
  return node_make(terms, op, sort, (const Term[]){a, b}, 2);
}

static Term commutative_make(Terms *terms, NodeOp op, Sort sort, Term a, Term b) {
  return a < b ? binary_make(terms, op, sort, a, b) : binary_make(terms, op, sort, b, a);
}

Term term_add(Terms *terms, Term a, Term b) {
  assert(has_sort(terms, a, SORT_INT) && has_sort(terms, b, SORT_INT));
  int64_t x, y, sum;
  if (term_is_int(terms, a, &x) && term_is_int(terms, b, &y) && !__builtin_add_overflow(x, y, &sum))
    return term_int(terms, sum);
  if (is_value(terms, a, 0)) return b;
  if (is_value(terms, b, 0)) return a;
  return commutative_make(terms, NODE_ADD, SORT_INT, a, b);
}

Term term_subtract(Terms *terms, Term a, Term b) {
  assert(has_sort(terms, a, SORT_INT) && has_sort(terms, b, SORT_INT));
  int64_t x, y, difference;
  if (term_is_int(terms, a, &x) && term_is_int(terms, b, &y) && !__builtin_sub_overflow(x, y, &difference))
    return term_int(terms, difference);
  if (a == b) return term_int(terms, 0);
  if (is_value(terms, b, 0)) return a;
  return binary_make(terms, NODE_SUBTRACT, SORT_INT, a, b);
}

Term term_multiply(Terms *terms, Term a, Term b) {
  assert(has_sort(terms, a, SORT_INT) && has_sort(terms, b, SORT_INT));
  int64_t x, y, product;
  if (term_is_int(terms, a, &x) && term_is_int(terms, b, &y) && !__builtin_mul_overflow(x, y, &product))
    return term_int(terms, product);
  if (is_value(terms, a, 0) || is_value(terms, b, 1)) return a;
  if (is_value(terms, b, 0) || is_value(terms, a, 1)) return b;
  return commutative_make(terms, NODE_MULTIPLY, SORT_INT, a, b);
}

/* A branch that asks the same condition again is known to answer it. */
static Term branch_reduce(const Terms *terms, Term condition, Term branch, int which) {
  const Node *node = node_of(terms, branch);
  if (node->op != NODE_ITE || node_arguments(terms, node)[0] != condition) return branch;
  return node_arguments(terms, node)[which];
}

Term term_ite(Terms *terms, Term condition, Term a, Term b) {
  assert(has_sort(terms, condition, SORT_BOOL));
  assert(term_node(b) < terms->nodes.count && has_sort(terms, a, term_sort(terms, b)));
  if (condition == TERM_TRUE || a == b) return a;
  if (condition == TERM_FALSE) return b;
  Sort sort = term_sort(terms, a);
  if (sort == SORT_BOOL) {
    if (a == (b ^ 1)) return term_iff(terms, condition, a);
    return term_or(terms, term_and(terms, condition, a), term_and(terms, term_not(terms, condition), b));
  }
  if (term_negated(condition)) {
    Term other = a;
    condition ^= 1;
    a = b;
    b = other;
  }
  a = branch_reduce(terms, condition, a, 1);
  b = branch_reduce(terms, condition, b, 2);
  if (a == b) return a;
  return node_make(terms, NODE_ITE, sort, (const Term[]){condition, a, b}, 3);
}

/* A choice between two constants, compared with a third: the condition itself, or nothing. */
static bool choice_compare(Terms *terms, Term choice, int64_t value, Term *result) {
  const Node *node = node_of(terms, choice);
  if (node->op != NODE_ITE) return false;
  const Term *arguments = node_arguments(terms, node);
  int64_t x, y;
  if (!term_is_int(terms, arguments[1], &x) || !term_is_int(terms, arguments[2], &y)) return false;
  *result = term_ite(terms, arguments[0], term_constant(x == value), term_constant(y == value));
  return true;
}

Term term_equal(Terms *terms, Term a, Term b) {
  if (has_sort(terms, a, SORT_BOOL)) return term_iff(terms, a, b);
  assert(has_sort(terms, a, SORT_INT) && has_sort(terms, b, SORT_INT));
  if (a == b) return TERM_TRUE;
  int64_t x, y;
  bool left = term_is_int(terms, a, &x), right = term_is_int(terms, b, &y);
  if (left && right) return TERM_FALSE;
  Term result;
  if (left && choice_compare(terms, b, x, &result)) return result;
  if (right && choice_compare(terms, a, y, &result)) return result;
  return commutative_make(terms, NODE_EQUAL, SORT_BOOL, a, b);
}

Term term_less(Terms *terms, Term a, Term b) {
  assert(has_sort(terms, a, SORT_INT) && has_sort(terms, b, SORT_INT));
  if (a == b) return TERM_FALSE;
  int64_t x, y;
  if (term_is_int(terms, a, &x) && term_is_int(terms, b, &y)) return term_constant(x < y);
  return binary_make(terms, NODE_LESS, SORT_BOOL, a, b);
}

Term term_less_equal(Terms *terms, Term a, Term b) { return term_not(terms, term_less(terms, b, a)); }

Term term_select(Terms *terms, Term array, Term index) {
  assert(has_sort(terms, array, SORT_ARRAY) && has_sort(terms, index, SORT_INT));
  int64_t wanted, stored;
  bool constant = term_is_int(terms, index, &wanted);
  /* Stores at other constants do not matter; the first that may be meant ends the walk. */
  for (;;) {
    const Node *node = node_of(terms, array);
    if (node->op != NODE_STORE) break;
    const Term *arguments = node_arguments(terms, node);
    if (arguments[1] == index) return arguments[2];
    if (!constant || !term_is_int(terms, arguments[1], &stored)) break;
    array = arguments[0];
  }
  return binary_make(terms, NODE_SELECT, SORT_INT, array, index);
}

Term term_store(Terms *terms, Term array, Term index, Term value) {
  assert(has_sort(terms, array, SORT_ARRAY) && has_sort(terms, index, SORT_INT));
  assert(has_sort(terms, value, SORT_INT));
  const Node *node = node_of(terms, array);
  if (node->op == NODE_STORE && node_arguments(terms, node)[1] == index)
    array = node_arguments(terms, node)[0];
  return node_make(terms, NODE_STORE, SORT_ARRAY, (const Term[]){array, index, value}, 3);
}
