/* term_test.c: folding keeps the meaning; counting counts; deep and shared terms; marks. */
#include "src/smt/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <cmocka.h>

enum { VARIABLES = 5, ROWS = 1 << VARIABLES, POOL = 60 };

static uint64_t seed = 88172645463325252u;
static uint32_t random_below(uint32_t limit) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed >> 33) % limit;
}

/* A term with its truth table: bit r is its value where variable i is bit i of r. */
typedef struct Entry {
  Term term;
  uint32_t table;
} Entry;

static void row_assign(uint32_t row, bool *values) {
  for (int i = 0; i < VARIABLES; i++) values[i] = row >> i & 1;
}

static uint32_t table_of(const Terms *terms, Term term) {
  uint32_t table = 0;
  for (uint32_t row = 0; row < ROWS; row++) {
    bool values[VARIABLES];
    row_assign(row, values);
    table |= (uint32_t)term_evaluate(terms, term, values) << row;
  }
  return table;
}

static uint32_t pool_begin(Terms *terms, Entry *pool) {
  pool[0] = (Entry){TERM_FALSE, 0};
  pool[1] = (Entry){TERM_TRUE, UINT32_MAX};
  for (uint32_t i = 0; i < VARIABLES; i++) {
    uint32_t table = 0;
    for (uint32_t row = 0; row < ROWS; row++) table |= (row >> i & 1) << row;
    pool[2 + i] = (Entry){term_variable(terms, i % 2 ? "x" : NULL), table};
    assert_int_equal(term_variable_number(terms, pool[2 + i].term), i);
  }
  return 2 + VARIABLES;
}

static uint32_t table_count(const Entry *items, uint32_t count, uint32_t low, uint32_t high) {
  uint32_t table = 0;
  for (uint32_t row = 0; row < ROWS; row++) {
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++) set += items[i].table >> row & 1;
    table |= (uint32_t)(low <= set && set <= high) << row;
  }
  return table;
}

static Entry random_entry(Terms *terms, const Entry *pool, uint32_t size) {
  Entry picked[7];
  Term items[7];
  uint32_t count = random_below(8), all = UINT32_MAX, any = 0;
  for (uint32_t i = 0; i < 7; i++) {
    picked[i] = pool[random_below(size)];
    items[i] = picked[i].term;
  }
  for (uint32_t i = 0; i < count; i++) all &= picked[i].table, any |= picked[i].table;
  uint32_t a = picked[0].table, b = picked[1].table, c = picked[2].table;
  uint32_t low = random_below(5), high = random_below(8);
  switch (random_below(11)) {
  case 0: return (Entry){term_not(terms, items[0]), ~a};
  case 1: return (Entry){term_and(terms, items[0], items[1]), a & b};
  case 2: return (Entry){term_or(terms, items[0], items[1]), a | b};
  case 3: return (Entry){term_implies(terms, items[0], items[1]), ~a | b};
  case 4: return (Entry){term_iff(terms, items[0], items[1]), ~(a ^ b)};
  case 5: return (Entry){term_ite(terms, items[0], items[1], items[2]), (a & b) | (~a & c)};
  case 6: return (Entry){term_and_all(terms, items, count), all};
  case 7: return (Entry){term_or_all(terms, items, count), any};
  case 8: return (Entry){term_exactly_one(terms, items, count), table_count(picked, count, 1, 1)};
  case 9: return (Entry){term_count_is(terms, items, count, low), table_count(picked, count, low, low)};
  default:
    return (Entry){term_count_between(terms, items, count, low, high), table_count(picked, count, low, high)};
  }
}

static void random_terms_mean_their_truth_tables(void **state) {
  (void)state;
  for (int trial = 0; trial < 400; trial++) {
    Terms *terms = terms_new();
    Entry pool[POOL];
    uint32_t size = pool_begin(terms, pool);
    while (size < POOL) {
      pool[size] = random_entry(terms, pool, size);
      assert_true(pool[size].term < terms_count(terms));
      assert_int_equal(table_of(terms, pool[size].term), pool[size].table);
      size++;
    }
    terms_free(terms);
  }
}

static void laws_fold(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term a = term_variable(terms, "a"), b = term_variable(terms, "b"), c = term_variable(terms, "c");
  Term not_a = term_not(terms, a);
  assert_int_equal(term_not(terms, not_a), a);
  assert_int_equal(term_and(terms, a, a), a);
  assert_int_equal(term_and(terms, a, not_a), TERM_FALSE);
  assert_int_equal(term_or(terms, a, not_a), TERM_TRUE);
  assert_int_equal(term_and(terms, a, b), term_and(terms, b, a));
  assert_int_equal(term_and(terms, a, term_or(terms, a, b)), a);
  assert_int_equal(term_or(terms, a, term_and(terms, a, b)), a);
  assert_int_equal(term_and(terms, a, term_or(terms, not_a, b)), term_and(terms, a, b));
  assert_int_equal(term_and(terms, term_and(terms, a, b), c), term_and(terms, a, term_and(terms, c, b)));
  assert_int_equal(term_implies(terms, a, a), TERM_TRUE);
  assert_int_equal(term_iff(terms, not_a, b), term_not(terms, term_iff(terms, b, a)));
  assert_int_equal(term_exactly_one(terms, (Term[]){a, not_a, TERM_FALSE}, 3), TERM_TRUE);
  assert_int_equal(term_count_is(terms, (Term[]){TERM_TRUE, a, TERM_TRUE}, 3, 2), not_a);
  assert_int_equal(term_count_is(terms, NULL, 0, 0), TERM_TRUE);
  assert_int_equal(term_count_is(terms, NULL, 0, 1), TERM_FALSE);
  terms_free(terms);
}

static void integers_and_arrays_fold(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term x = term_int_variable(terms, "x"), two = term_int(terms, 2), five = term_int(terms, 5);
  Term a = term_variable(terms, "a"), array = term_array_variable(terms, "m");
  int64_t value;
  assert_true(term_is_int(terms, term_multiply(terms, two, five), &value) && value == 10);
  assert_true(term_is_int(terms, term_subtract(terms, two, five), &value) && value == -3);
  assert_true(term_is_int(terms, term_int(terms, INT64_MIN), &value) && value == INT64_MIN);
  assert_false(term_is_int(terms, term_add(terms, term_int(terms, INT64_MAX), two), &value));
  assert_int_equal(term_add(terms, x, term_int(terms, 0)), x);
  assert_int_equal(term_add(terms, x, two), term_add(terms, two, x));
  assert_int_equal(term_subtract(terms, x, x), term_int(terms, 0));
  assert_int_equal(term_less(terms, two, five), TERM_TRUE);
  assert_int_equal(term_less_equal(terms, five, two), TERM_FALSE);
  assert_int_equal(term_less_equal(terms, x, x), TERM_TRUE);
  Term choice = term_ite(terms, a, two, five);
  assert_int_equal(term_equal(terms, choice, five), term_not(terms, a));
  assert_int_equal(term_equal(terms, two, choice), a);
  assert_int_equal(term_equal(terms, choice, term_int(terms, 3)), TERM_FALSE);
  assert_int_equal(term_ite(terms, term_not(terms, a), five, choice), choice);
  Term stored = term_store(terms, term_store(terms, array, two, x), five, two);
  assert_int_equal(term_select(terms, stored, five), two);
  assert_int_equal(term_select(terms, stored, two), x);
  assert_int_equal(term_select(terms, stored, term_int(terms, 7)),
                   term_select(terms, array, term_int(terms, 7)));
  terms_free(terms);
}

/* Of 60 Booleans the counter agrees with counting, on random rows. */
static void wide_counters_count(void **state) {
  (void)state;
  enum { WIDE = 60 };
  Terms *terms = terms_new();
  Term items[WIDE];
  for (int i = 0; i < WIDE; i++) items[i] = term_variable(terms, NULL);
  for (uint32_t wanted = 0; wanted <= WIDE; wanted += 3) {
    Term is = term_count_is(terms, items, WIDE, wanted);
    Term between = term_count_between(terms, items, WIDE, wanted, wanted + 9);
    for (int trial = 0; trial < 30; trial++) {
      bool values[WIDE];
      uint32_t set = 0, aim = trial % 3 ? wanted : random_below(WIDE);
      for (uint32_t i = 0; i < WIDE; i++) values[i] = false;
      for (uint32_t i = 0; i < aim; i++) values[random_below(WIDE)] = true;
      for (uint32_t i = 0; i < WIDE; i++) set += values[i];
      for (uint32_t i = 0; trial % 3 == 1 && set < aim && i < WIDE; i++) set += !values[i], values[i] = true;
      assert_int_equal(term_evaluate(terms, is, values), set == wanted);
      assert_int_equal(term_evaluate(terms, between, values), wanted <= set && set <= wanted + 9);
    }
  }
  terms_free(terms);
}

/* An alternating chain 100,000 deep, and one whose tree has 2^400 leaves. */
static void deep_and_shared_terms_are_cheap(void **state) {
  (void)state;
  enum { DEEP = 100000 };
  Terms *terms = terms_new();
  Term chain = term_variable(terms, NULL);
  bool *values = calloc(DEEP + 1, sizeof *values);
  bool expected = values[0] = true;
  for (uint32_t i = 1; i <= DEEP; i++) {
    Term next = term_variable(terms, NULL);
    values[i] = random_below(2);
    chain = i % 2 ? term_and(terms, next, chain) : term_or(terms, next, chain);
    expected = i % 2 ? values[i] && expected : values[i] || expected;
    if (i % 9973 == 0) assert_int_equal(term_evaluate(terms, chain, values), expected);
  }
  assert_int_equal(term_evaluate(terms, chain, values), expected);
  Term x = term_variable(terms, NULL), y = term_variable(terms, NULL);
  Term a = x, b = y;
  for (int i = 0; i < 400; i++) { /* a, b = iff(a, b), or(a, b): both are used twice */
    Term both = term_iff(terms, a, b);
    b = term_ite(terms, term_variable(terms, NULL), a, b);
    a = both;
  }
  values = realloc(values, terms_variable_count(terms) * sizeof *values);
  bool left = values[DEEP + 1] = true, right = values[DEEP + 2] = false;
  for (uint32_t i = 0; i < 400; i++) {
    bool pick = values[DEEP + 3 + i] = random_below(2), both = left == right;
    right = pick ? left : right;
    left = both;
  }
  assert_int_equal(term_evaluate(terms, a, values), left);
  assert_int_equal(term_evaluate(terms, b, values), right);
  free(values);
  terms_free(terms);
}

/* What is made again after a release gets the numbers it would have got, and means itself. */
static void release_drops_what_was_made_since(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Entry pool[POOL];
  uint32_t kept = pool_begin(terms, pool);
  for (; kept < 20; kept++) pool[kept] = random_entry(terms, pool, kept);
  uint32_t count = terms_count(terms);
  Term again = term_and(terms, pool[2].term, pool[3].term);
  count = terms_count(terms);
  for (int trial = 0; trial < 300; trial++) {
    TermMark mark = terms_mark(terms);
    term_variable(terms, "dropped");
    uint32_t size = kept;
    for (; size < POOL; size++) pool[size] = random_entry(terms, pool, size);
    for (int i = 0; trial % 50 == 0 && i < 3000; i++) term_int(terms, i + trial); /* the index grows */
    terms_release(terms, mark);
    assert_int_equal(terms_count(terms), count);
    assert_int_equal(terms_variable_count(terms), VARIABLES);
    assert_int_equal(term_and(terms, pool[3].term, pool[2].term), again);
    assert_int_equal(terms_count(terms), count);
    for (uint32_t i = 0; i < kept; i++) assert_int_equal(table_of(terms, pool[i].term), pool[i].table);
  }
  terms_free(terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_terms_mean_their_truth_tables),
      cmocka_unit_test(laws_fold),
      cmocka_unit_test(integers_and_arrays_fold),
      cmocka_unit_test(wide_counters_count),
      cmocka_unit_test(deep_and_shared_terms_are_cheap),
      cmocka_unit_test(release_drops_what_was_made_since),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
