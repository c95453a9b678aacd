/* match_test.c: rules M1 to M4 of match.h. */
#include "semantics/match.h"
#include "src/base/decimal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MOST = 8 };

typedef struct Sample {
  Dialect dialect;
  Doubts doubts;
  Arena arena;
  Type types[MOST];
  ResultRow rows[MOST];
  Value values[MOST][MOST];
  ResultSet set;
  Observed cells[MOST][MOST];
  ObservedRow observed_rows[MOST];
  ObservedRows observed;
} Sample;

static Sample sample;

static int set_up(void **state) {
  (void)state;
  memset(&sample, 0, sizeof sample);
  sample.dialect = dialect_new(DIALECT_GENERIC);
  doubts_init(&sample.doubts);
  for (int i = 0; i < MOST; i++) sample.types[i] = type_of(TYPE_DYNAMIC);
  sample.set.column_types = sample.types;
  sample.set.rows = sample.rows;
  sample.observed.rows = sample.observed_rows;
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  doubts_free(&sample.doubts);
  arena_free(&sample.arena);
  return 0;
}

static void model(uint32_t tie, int width, ...) {
  va_list list;
  va_start(list, width);
  uint32_t row = sample.set.row_count++;
  for (int i = 0; i < width; i++) sample.values[row][i] = va_arg(list, Value);
  va_end(list);
  sample.rows[row] = (ResultRow){.values = sample.values[row], .tie = tie};
  sample.set.column_count = (uint32_t)width;
}

static void seen(int width, ...) {
  va_list list;
  va_start(list, width);
  uint32_t row = sample.observed.count++;
  for (int i = 0; i < width; i++) sample.cells[row][i] = va_arg(list, Observed);
  va_end(list);
  sample.observed_rows[row] = (ObservedRow){(uint32_t)width, sample.cells[row]};
}

static Observed of(Value value) { return (Observed){.value = value}; }
static Observed real(const char *digits) {
  return (Observed){
      .value = value_double(strtod(digits, NULL)), .text = digits, .text_length = (uint32_t)strlen(digits)};
}
static Observed text(const char *characters) { return of(value_string(characters)); }
static Value decimal(const char *digits) {
  Decimal parsed;
  bool overflow;
  assert_true(decimal_parse(digits, strlen(digits), &parsed, &overflow));
  return decimal_value(&sample.arena, parsed);
}

static MatchAnswer answer(MismatchKind *kind) {
  Mismatch mismatch = {0};
  MatchAnswer result = match_rows(&sample.dialect, &sample.doubts, &sample.set, &sample.observed, &mismatch);
  if (kind) *kind = mismatch.kind;
  return result;
}

static int cell(Value value, Type type, double magnitude, Observed observed) {
  return match_cell(&sample.dialect, &sample.doubts, value, type, magnitude, &observed);
}

static void rows_are_a_multiset(void **state) {
  (void)state;
  model(0, 1, value_int(1)), model(0, 1, value_int(2)), model(0, 1, value_int(2));
  seen(1, of(value_int(2))), seen(1, of(value_int(1))), seen(1, of(value_int(2)));
  assert_int_equal(answer(NULL), MATCH_YES);
  sample.cells[0][0] = of(value_int(1));
  MismatchKind kind;
  assert_int_equal(answer(&kind), MATCH_NO);
  assert_int_equal(kind, MISMATCH_ROWS);
}

static void order_holds_up_to_ties(void **state) {
  (void)state;
  sample.set.is_ordered = true;
  model(0, 2, value_int(1), value_int(10)), model(0, 2, value_int(1), value_int(11)),
      model(1, 2, value_int(2), value_int(12));
  seen(2, of(value_int(1)), of(value_int(11))), seen(2, of(value_int(1)), of(value_int(10))),
      seen(2, of(value_int(2)), of(value_int(12)));
  assert_int_equal(answer(NULL), MATCH_YES);
  ObservedRow first = sample.observed_rows[0];
  sample.observed_rows[0] = sample.observed_rows[2];
  sample.observed_rows[2] = first;
  MismatchKind kind;
  assert_int_equal(answer(&kind), MATCH_NO);
  assert_int_equal(kind, MISMATCH_ORDER);
}

static void a_limit_may_keep_any_tied_row(void **state) {
  (void)state;
  sample.set.is_ordered = sample.set.has_slice = true;
  sample.set.take = 2;
  model(0, 1, value_int(1)), model(1, 1, value_int(20)), model(1, 1, value_int(21)),
      model(2, 1, value_int(30));
  seen(1, of(value_int(1))), seen(1, of(value_int(21)));
  assert_int_equal(answer(NULL), MATCH_YES);
  sample.cells[1][0] = of(value_int(30));
  assert_int_equal(answer(NULL), MATCH_NO);
  sample.cells[1][0] = of(value_int(20));
  sample.cells[0][0] = of(value_int(21));
  assert_int_equal(answer(NULL), MATCH_NO);
  sample.set.skip = 1;
  assert_int_equal(answer(NULL), MATCH_YES);
}

static void the_number_of_rows_counts(void **state) {
  (void)state;
  model(0, 1, value_int(1)), model(0, 1, value_int(1));
  seen(1, of(value_int(1)));
  assert_int_equal(answer(NULL), MATCH_NO);
  sample.set.has_slice = true, sample.set.take = 1;
  assert_int_equal(answer(NULL), MATCH_YES);
}

static void a_free_pick_takes_one_alternative(void **state) {
  (void)state;
  const Value *alternatives[] = {(Value[]){value_int(7), value_int(70)},
                                 (Value[]){value_int(7), value_int(71)}};
  model(0, 2, value_int(7), value_int(69)), model(0, 2, value_int(7), value_int(71));
  sample.rows[0].alternative_count = 2;
  sample.rows[0].alternatives = alternatives;
  seen(2, of(value_int(7)), of(value_int(71))), seen(2, of(value_int(7)), of(value_int(70)));
  assert_int_equal(answer(NULL), MATCH_YES);
  sample.cells[1][1] = of(value_int(72));
  assert_int_equal(answer(NULL), MATCH_NO);
}

static void numbers_are_compared_by_value(void **state) {
  (void)state;
  Type any = type_of(TYPE_DYNAMIC);
  assert_int_equal(cell(decimal("12.50"), any, 0, real("12.5")), 1);
  assert_int_equal(cell(decimal("12.5"), any, 0, text("12.50")), 1);
  assert_int_equal(cell(decimal("12.5"), any, 0, text("12.51")), 0);
  assert_int_equal(cell(decimal("100.00"), any, 0, of(value_int(100))), 1);
  assert_int_equal(cell(value_int(5), any, 0, real("5.0")), 1);
  assert_int_equal(cell(value_int(5), any, 0, text("5")), 1);
  assert_int_equal(cell(value_int(5), any, 0, text("five")), 0);
  assert_int_equal(cell(value_uint(UINT64_MAX), any, 0, text("18446744073709551615")), 1);
  assert_int_equal(cell(value_int(0), any, 0, of(NULL_VALUE)), 0);
  assert_int_equal(cell(NULL_VALUE, any, 0, of(NULL_VALUE)), 1);
  assert_int_equal(cell(NULL_VALUE, any, 0, text("")), 0);
}

static void doubles_at_the_digits_observed(void **state) {
  (void)state;
  Type any = type_of(TYPE_DOUBLE);
  assert_int_equal(cell(value_double(0.1 + 0.2), any, 0, real("0.30000000000000004")), 1);
  assert_int_equal(cell(value_double(0.1 + 0.2), any, 0, real("0.3")), 1);
  assert_int_equal(cell(value_double(1.0 / 3), any, 0, real("0.3333")), 1);
  assert_int_equal(cell(value_double(1.0 / 3), any, 0, real("0.3334")), 0);
  assert_int_equal(cell(value_double(2.4), any, 0, of(value_int(2))), 0);
  assert_int_equal(cell(value_double(2.0), any, 0, of(value_int(2))), 1);
  assert_int_equal(cell(value_double(66.4), any, 0, real("66.5")), 0);
  assert_int_equal(cell(value_double(100.00000001), any, 1e3, real("100.0000000")), 1);
  assert_int_equal(cell(value_double(100.00000001), any, 1e3, real("100.00001")), 0);
  Value single = value_double((float)0.1);
  single.flags = VALUE_SINGLE;
  assert_int_equal(cell(single, type_of(TYPE_FLOAT), 0, real("0.1")), 1);
}

static void booleans_by_dialect(void **state) {
  (void)state;
  Type any = type_of(TYPE_BOOL);
  assert_int_equal(cell(value_bool(true), any, 0, of(value_bool(true))), 1);
  assert_int_equal(cell(value_bool(true), any, 0, text("t")), 1);
  assert_int_equal(cell(value_int(1), any, 0, of(value_bool(true))), 1);
  sample.dialect = dialect_new(DIALECT_POSTGRESQL);
  assert_int_equal(cell(value_bool(true), any, 0, of(value_int(1))), 0);
  assert_int_equal(cell(value_int(1), any, 0, of(value_bool(true))), 0);
  sample.dialect = dialect_new(DIALECT_MARIADB);
  assert_int_equal(cell(value_int(0), any, 0, of(value_bool(false))), 1);
}

static void text_blobs_and_times(void **state) {
  (void)state;
  assert_int_equal(cell(value_string("ab   "), type_of(TYPE_CHAR), 0, text("ab")), 0);
  assert_int_equal(cell(value_string("ab   "), type_of(TYPE_CHAR), 0, text("ab   ")), 1);
  assert_int_equal(cell(value_string("ab "), type_of(TYPE_TEXT), 0, text("ab")), 0);
  assert_int_equal(cell(value_blob("\x00\xff", 2), type_of(TYPE_BLOB), 0, text("\\x00ff")), 1);
  assert_int_equal(cell(value_blob("\x00\xff", 2), type_of(TYPE_BLOB), 0, text("\\x00fe")), 0);
  Value date = {.kind = VALUE_DATE, .integer = 19724}; /* 2024-01-02 */
  assert_int_equal(cell(date, type_of(TYPE_DATE), 0, text("2024-01-02")), 1);
  assert_int_equal(cell(date, type_of(TYPE_DATE), 0, text("2024-01-02 00:00:00")), 1);
  assert_int_equal(cell(date, type_of(TYPE_DATE), 0, text("2024-01-03")), 0);
  Value instant = {.kind = VALUE_TIMESTAMP, .integer = 19724 * 86400000000ll + 1500000};
  assert_int_equal(cell(instant, type_of(TYPE_TIMESTAMP), 0, text("2024-01-02 00:00:01.5")), 1);
  assert_int_equal(cell(instant, type_of(TYPE_TIMESTAMP), 0, text("2024-01-02 00:00:01")), 0);
}

static void a_free_value_is_bound_once(void **state) {
  (void)state;
  Value doubt = doubt_new(&sample.doubts, DOUBT_FREE, type_int(8), "a generated key");
  model(0, 2, doubt, value_string("a")), model(0, 2, doubt, value_string("b"));
  seen(2, of(value_int(7)), text("a")), seen(2, of(value_int(8)), text("b"));
  assert_int_equal(answer(NULL), MATCH_NO);
  assert_false(sample.doubts.doubts.items[0].is_bound);
  sample.cells[1][0] = of(value_int(7));
  assert_int_equal(answer(NULL), MATCH_YES);
  assert_true(sample.doubts.doubts.items[0].is_bound);
  assert_int_equal(sample.doubts.doubts.items[0].value.integer, 7);
}

static void free_values_are_paired_by_what_is_known(void **state) {
  (void)state;
  Value first = doubt_new(&sample.doubts, DOUBT_FREE, type_int(8), "a generated key");
  Value second = doubt_new(&sample.doubts, DOUBT_FREE, type_int(8), "a generated key");
  model(0, 2, first, value_string("a")), model(0, 2, second, value_string("b"));
  seen(2, of(value_int(2)), text("b")), seen(2, of(value_int(1)), text("a"));
  assert_int_equal(answer(NULL), MATCH_YES);
  assert_int_equal(sample.doubts.doubts.items[first.doubt].value.integer, 1);
  assert_int_equal(sample.doubts.doubts.items[second.doubt].value.integer, 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {TEST(rows_are_a_multiset),
                                     TEST(order_holds_up_to_ties),
                                     TEST(a_limit_may_keep_any_tied_row),
                                     TEST(the_number_of_rows_counts),
                                     TEST(a_free_pick_takes_one_alternative),
                                     TEST(numbers_are_compared_by_value),
                                     TEST(doubles_at_the_digits_observed),
                                     TEST(booleans_by_dialect),
                                     TEST(text_blobs_and_times),
                                     TEST(a_free_value_is_bound_once),
                                     TEST(free_values_are_paired_by_what_is_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
