/* decimal_test.c: exact decimals: texts, arithmetic at the edge of 38 digits, comparison with doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/decimal.h"

#include <math.h>
#include <string.h>

static Decimal parse(const char *text) {
  Decimal decimal;
  bool overflow;
  assert_true(decimal_parse(text, strlen(text), &decimal, &overflow));
  return decimal;
}

static void assert_decimal(Decimal decimal, const char *expected) {
  char text[DECIMAL_TEXT];
  assert_int_equal(decimal_format(decimal, text), strlen(expected));
  assert_string_equal(text, expected);
}

static const char *const nines = "99999999999999999999999999999999999999"; /* 38 of them */

static void test_texts(void **state) {
  (void)state;
  static const struct {
    const char *text, *printed;
  } cases[] = {{"0", "0"},         {"-0.50", "-0.50"},   {"+12.", "12"},   {".5", "0.5"},
               {"1e3", "1000"},    {"1.5e-3", "0.0015"}, {"12e-1", "1.2"}, {"000.100", "0.100"},
               {"1.50e1", "15.0"}, {"-7", "-7"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_decimal(parse(cases[i].text), cases[i].printed);
  static const char *const bad[] = {"", "-", ".", "1x", "1e", "e5", "1 ", "--1", "1.2.3"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    Decimal decimal;
    bool overflow;
    assert_false(decimal_parse(bad[i], strlen(bad[i]), &decimal, &overflow));
    assert_false(overflow);
  }
}

static void test_38_digits(void **state) {
  (void)state;
  Decimal result, one = parse("1"), most = parse(nines);
  bool overflow;
  assert_decimal(most, nines);
  assert_int_equal(decimal_digits(most), 38);
  assert_false(decimal_add(most, one, &result));
  assert_true(decimal_subtract(most, one, &result));
  assert_false(decimal_parse("100000000000000000000000000000000000000", 39, &result, &overflow));
  assert_true(overflow);
  assert_false(decimal_multiply(parse("1e19"), parse("1e19"), &result));
  assert_true(decimal_multiply(parse("1e18"), parse("1e19"), &result));
  assert_false(decimal_multiply(parse("0.0000000000000000001"), parse("0.00000000000000000001"), &result));
}

static void test_arithmetic(void **state) {
  (void)state;
  Decimal result;
  assert_true(decimal_add(parse("0.1"), parse("0.2"), &result));
  assert_int_equal(decimal_compare(result, parse("0.3")), 0);
  assert_true(decimal_add(parse("1.10"), parse("2"), &result));
  assert_decimal(result, "3.10");
  assert_true(decimal_multiply(parse("-1.5"), parse("2.25"), &result));
  assert_decimal(result, "-3.375");
  assert_true(decimal_divide(parse("1"), parse("3"), 20, &result));
  assert_decimal(result, "0.33333333333333333333");
  assert_true(decimal_divide(parse("2"), parse("-3"), 2, &result));
  assert_decimal(result, "-0.67");
  assert_true(decimal_divide_cut(parse("2"), parse("-3"), 2, &result));
  assert_decimal(result, "-0.66");
  assert_true(decimal_divide(parse("1"), parse(nines), 38, &result));
  assert_decimal(result, "0.00000000000000000000000000000000000001");
  assert_true(decimal_remainder(parse("-10.5"), parse("3"), &result));
  assert_decimal(result, "-1.5");
  assert_true(decimal_divide(parse(nines), parse("7"), 0, &result));
  assert_decimal(result, "14285714285714285714285714285714285714");
}

static void test_rounding(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int scale;
    const char *rounded, *cut;
  } cases[] = {{"2.5", 0, "3", "2"},         {"-2.5", 0, "-3", "-2"},
               {"1.005", 2, "1.01", "1.00"}, {"1234.567", -2, "1200", "1200"},
               {"1250", -2, "1300", "1200"}, {"0.4", 0, "0", "0"},
               {"-0.4", 0, "0", "0"},        {"1.5", 3, "1.500", "1.500"},
               {"49", -2, "0", "0"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    Decimal result;
    assert_true(decimal_round(parse(cases[i].text), cases[i].scale, &result));
    assert_decimal(result, cases[i].rounded);
    assert_true(decimal_truncate(parse(cases[i].text), cases[i].scale, &result));
    assert_decimal(result, cases[i].cut);
  }
  int64_t integer;
  assert_true(decimal_to_int(parse("9223372036854775807.4"), &integer));
  assert_int_equal(integer, INT64_MAX);
  assert_false(decimal_to_int(parse("9223372036854775807.5"), &integer));
}

static void test_compare(void **state) {
  (void)state;
  assert_int_equal(decimal_compare(parse("1.50"), parse("1.5")), 0);
  assert_int_equal(decimal_compare(parse("-1.5"), parse("-1.49")), -1);
  assert_int_equal(decimal_compare(parse(nines), parse("0.00000000000000000000000000000000000001")), 1);
  assert_int_equal(decimal_compare_double(parse("0.5"), 0.5), 0);
  assert_int_equal(decimal_compare_double(parse("0.1"), 0.1), -1); /* the double is a little more */
  assert_int_equal(decimal_compare_double(parse("9007199254740993"), 9007199254740992.0), 1);
  assert_int_equal(decimal_compare_double(parse("-1"), -INFINITY), 1);
  assert_int_equal(decimal_compare_double(parse("0"), 5e-324), -1);
  assert_int_equal(decimal_compare_double(parse(nines), 1e38),
                   1); /* the double is a little less than 10^38 */
  assert_true(decimal_to_double(parse("0.1")) == 0.1);
  assert_true(decimal_to_double(parse("123456789012345678901234.5")) == 123456789012345678901234.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_38_digits),
                                     cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_rounding),
                                     cmocka_unit_test(test_compare)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
