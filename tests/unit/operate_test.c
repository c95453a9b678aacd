/* operate_test.c: arithmetic, bits, comparison and LIKE in every dialect.  The values are those that
 * PostgreSQL 15, MariaDB 10.11 and SQLite 3.40 gave. */
#include "tests/unit/expression.h"

#include "semantics/number.h"

#include <math.h>

static void test_division(void **state) {
  (void)state;
  EXPECT({POSTGRES | LITE, "7/2", "3"}, {POSTGRES | LITE, "-7/2", "-3"}, {MYSQLS, "7/2", "3.5000"},
         {MYSQLS, "-7/2", "-3.5000"}, {POSTGRES | LITE, "-7 % 3", "-1"}, {MYSQLS, "7 % -2", "1"},
         {PG, "1/0", "error 22012"}, {GEN | LITE | MYSQLS, "1/0", "NULL"}, {PG, "5.0 % 0", "error 22012"},
         {PG, "1.0/3", "0.33333333333333333333"}, {PG, "10.00/3", "3.3333333333333333"},
         {PG, "0.0001/3", "0.000033333333333333333333"}, {PG, "100000/3.0", "33333.333333333333"},
         {PG, "12345678901234.5/7", "1763668414462.0714"}, {MYSQLS, "0.1/3", "0.03333"},
         {MYSQLS, "5.0/2", "2.50000"}, {LITE, "10.0/4", "2.5"}, {MYSQLS, "5 DIV 2", "2"},
         {MYSQLS, "-5 DIV 2", "-2"}, {MYSQLS, "7 DIV 0.5", "14"}, {MYSQLS, "5 DIV 0", "NULL"},
         {LITE, "5.5 % 2", "1"}, {MYSQLS, "5.5 % 2", "1.5"}, {LITE, "'12abc' + 1", "13"},
         {MYSQLS, "'12abc' + 1", "13"});
}

/* A quotient keeps digits that do not show. */
static void test_hidden_digits(void **state) {
  (void)state;
  EXPECT({MYSQLS, "1/3", "0.3333"}, {MYSQLS, "1/3*3", "1.0000"}, {MYSQLS, "(10.00/3.00)*3", "10.000000"},
         {MARIA, "1/3 = 0.3333", "1"}, {MY, "1/3 = 0.3333", "unmodelled"},
         {MARIA, "(1/3) BETWEEN 0.3333 AND 0.3333", "0"}, {MYSQLS, "ROUND(1/3, 9)", "0.333333333"},
         {MYSQLS, "CAST(1/3 AS DECIMAL(10,8))", "0.33333333"}, {MYSQLS, "CONCAT(1/3)", "'0.3333'"},
         {MYSQLS, "COALESCE(1/3, 0) * 3", "1.0000"}, {MARIA, "1/3 IN (0.3333)", "1"},
         {MYSQLS, "1/3 IN (0.3333, 5)", "0"}, {MYSQLS, "(SELECT 1/3) * 3", "unmodelled"},
         {MYSQLS, "1/30000 AND 1", "1"});
}

static void test_overflow(void **state) {
  (void)state;
  EXPECT({PG, "2147483647 + 1", "error 22003"}, {GEN | MYSQLS | LITE, "2147483647 + 1", "2147483648"},
         {PG, "32767::int2 + 1::int2", "error 22003"}, {PG, "9223372036854775807 + 1", "error 22003"},
         {MYSQLS, "9223372036854775807 + 1", "error 22003"},
         {LITE, "9223372036854775807 + 1", "9.223372036854776e+18"},
         {MYSQLS, "CAST(1 AS UNSIGNED) - 2", "error 22003"},
         {MYSQLS, "18446744073709551615 - 1", "18446744073709551614"},
         {MYSQLS, "-9223372036854775808", "-9223372036854775808"},
         {MYSQLS, "- -9223372036854775808", "9223372036854775808"},
         {LITE, "-9223372036854775808", "-9223372036854775808"},
         {LITE, "abs(-9223372036854775808)", "error 22003"}, {PG, "(-2147483648)/(-1)", "error 22003"},
         {PG, "(-2147483648) % (-1)", "0"}, {PG, "abs(-2147483648)", "error 22003"},
         {MYSQLS, "9223372036854775807.0 * 2", "18446744073709551614.0"},
         {POSTGRES | MYSQLS, "99999999999999999999999999999999999999 + 1", "unmodelled"});
}

static void test_bits(void **state) {
  (void)state;
  EXPECT({PG, "5 & 3", "1"}, {PG, "5 # 3", "6"}, {PG, "1 << 32", "1"}, {PG, "1 << 31", "-2147483648"},
         {PG, "-1 >> 1", "-1"}, {MYSQLS, "~0", "18446744073709551615"},
         {MYSQLS, "1 << 63", "9223372036854775808"}, {MYSQLS, "1 << 64", "0"},
         {MYSQLS, "-1 >> 1", "9223372036854775807"}, {MYSQLS, "'\\n1' & 1", "1"}, {MYSQLS, "'\\n1' | 0", "1"},
         {MYSQLS, "'\\n1' ^ 1", "0"}, {MYSQLS, "5.5 & 7", "6"}, {MARIA, "'5.5' | 0", "6"},
         {MY, "'5.5' | 0", "unmodelled"}, {MARIA, "1 << '5.5'", "32"}, {LITE, "1 << -1", "0"},
         {LITE, "-1 >> 70", "-1"}, {LITE, "'5.7' & 15", "5"}, {LITE, "~5.9", "-6"});
}

static void test_comparison(void **state) {
  (void)state;
  EXPECT({POSTGRES, "1 = 1.0", "true"}, {POSTGRES, "1 = '1'", "true"}, {PG, "'abc' = 0", "error 22P02"},
         {GEN, "'abc' = 0", "false"}, {MYSQLS, "'abc' = 0", "1"}, {LITE, "'abc' = 0", "0"},
         {LITE, "1 = '1'", "0"}, {MYSQLS, "1 = '1'", "1"}, {POSTGRES, "0.1 + 0.2 = 0.3", "true"},
         {MYSQLS, "0.1 + 0.2 = 0.3", "1"}, {LITE, "0.1 + 0.2 = 0.3", "0"}, {MYSQLS, "0.1e0 + 0.2 = 0.3", "0"},
         {MYSQLS, "0.5 = 1", "0"}, {MARIA, "'9007199254740993' = 9007199254740992", "0"},
         {LITE, "9007199254740993 = 9007199254740992.0", "0"},
         {PG, "9007199254740993 = 9007199254740992::float8", "true"}, {LITE, "x'61' > 'b'", "1"},
         {MYSQLS, "DATE'2020-01-02' = '2020-1-2'", "1"}, {MYSQLS, "DATE'2020-01-02' = 20200102", "1"},
         {PG, "DATE '2020-01-01' = TIMESTAMP '2020-01-01'", "true"},
         {MARIA, "DATE'2020-01-02' > 'abc'", "1"}, {PG, "(1, NULL) = (2, NULL)", "false"},
         {PG, "(1, 2) < (1, 3)", "true"});
}

static void test_text_comparison(void **state) {
  (void)state;
  EXPECT({POSTGRES, "'a' = 'a '", "false"}, {POSTGRES, "'a' = 'A'", "false"}, {MYSQLS, "'a' = 'a '", "1"},
         {MYSQLS, "'a' = 'A'", "1"}, {LITE, "'a' = 'a '", "0"}, {LITE, "'a' = 'A'", "0"},
         {POSTGRES, "'a' < 'B'", "false"}, {MYSQLS, "'a' < 'B'", "1"}, {MARIA, "'Z' < '_'", "1"},
         {MARIA, "'_' < 'b'", "0"}, {MY, "'_' < 'b'", "unmodelled"}, {LITE, "'_' < 'A' COLLATE NOCASE", "1"},
         {MARIA, "'a\\t' < 'a'", "1"}, {MYSQLS, "'\xc3\xa9' = 'e'", "unmodelled"},
         {MYSQLS, "'\xc3\xa9' = '\xc3\xa9'", "1"}, {MYSQLS, "'a\xc3\xa9' = 'b\xc3\xa9'", "unmodelled"},
         {MYSQLS, "'ax\xc3\xa9' = 'bx\xc3\xa9'", "0"}, {PG, "'ab'::char(5) = 'ab'", "true"},
         {PG, "'ab'::char(5) = 'ab '::text", "false"});
}

static void test_like(void **state) {
  (void)state;
  EXPECT({POSTGRES, "'abc' LIKE 'A%'", "false"}, {PG, "'abc' ILIKE 'A%'", "true"},
         {MYSQLS, "'abc' LIKE 'A%'", "1"}, {LITE, "'abc' LIKE 'A%'", "1"},
         {POSTGRES, "'a%c' LIKE 'a\\%c'", "true"}, {LITE, "'a%c' LIKE 'a\\%c'", "0"},
         {LITE, "'a%c' LIKE 'a|%c' ESCAPE '|'", "1"}, {MYSQLS, "'abc' LIKE 'abc '", "0"},
         {MYSQLS, "'a\\\\' LIKE 'a\\\\'", "1"}, {PG, "'ab' LIKE 'a\\'", "error 22023"},
         {PG, "'abc' LIKE 'abc\\'", "false"}, {LITE, "'\xc3\xa9' LIKE '_'", "1"},
         {LITE, "'abc' GLOB 'a[b-d]?'", "1"}, {LITE, "'abc' GLOB 'A*'", "0"}, {LITE, "x'61' LIKE 'a'", "0"},
         {MYSQLS, "'e' LIKE '\xc3\xa9'", "unmodelled"}, {PG, "'ab'::char(5) LIKE 'ab'", "false"},
         {PG, "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' LIKE '%a%a%a%a%a%a%a%a%a%a%a%ac'", "false"},
         {LITE, "NULL LIKE 'a'", "NULL"});
}

/* Affinities and unsigned columns are the static type's. */
static void test_columns(void **state) {
  (void)state;
  SCRIPT(DIALECT_SQLITE,
         {"CREATE TABLE t (i INTEGER, t TEXT, b BLOB, n NUMERIC, c TEXT COLLATE NOCASE)", NULL},
         {"INSERT INTO t VALUES (1, 1, '1', '1.0', 'abc')", "done 1"},
         {"SELECT i = '1', t = 1, b = 1, i = t, b = '1', t = b FROM t", "1,1,0,1,1,1"},
         {"SELECT i IN ('1'), i IN (+'1'), '1' IN (i), n = '1', typeof(n) FROM t", "1,1,0,1,'integer'"},
         {"SELECT c = 'ABC', 'ABC' = c, c || '' = 'ABC', t BETWEEN 0 AND 2 FROM t", "1,1,0,1"});
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (u INT UNSIGNED, b BIGINT UNSIGNED, f FLOAT, s VARCHAR(9))", NULL},
         {"INSERT INTO t VALUES (1, 5, 0.1, '5x')", "done 1"}, {"SELECT u - 2 FROM t", "error 22003"},
         {"SELECT b * -1 FROM t", "error 22003"}, {"SELECT -b, u + 1, u DIV 2 FROM t", "-5,2,0"},
         {"SELECT f = 0.1, f < 0.2, s = 5, s + 1 FROM t", "0,1,1,6"}, {"SELECT 0 - u FROM t", "error 22003"},
         {"UPDATE t SET u = s + 1", "error 22P02"}, {"UPDATE t SET u = 1 / 0", "error 22012"});
}

/* SQLite's own scanner and printer. */
static void test_sqlite_reals(void **state) {
  (void)state;
  EXPECT({LITE, "CAST(1e20 AS TEXT)", "'1.0e+20'"}, {LITE, "0.1 || ''", "'0.1'"},
         {LITE, "1.0 || ''", "'1.0'"}, {LITE, "123456789012345.67 || ''", "'123456789012346.0'"},
         {LITE, "1e-5 || ''", "'1.0e-05'"}, {LITE, "round(2.675, 2)", "2.68"}, {LITE, "round(2.5)", "3"},
         {LITE, "round(-0.5)", "-1"}, {LITE, "'1e2' + 0", "100"},
         {LITE, "'9223372036854775808' + 0", "9.223372036854776e+18"}, {LITE, "'1e' + 0", "1"},
         {LITE, "'.' + 1", "1"}, {LITE, "typeof('5 ' + 0)", "'integer'"},
         {LITE, "typeof('5.0' + 0)", "'real'"});
  char text[REAL_TEXT];
  sqlite_real_text(INFINITY, text);
  assert_string_equal(text, "Inf");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_division),    cmocka_unit_test(test_hidden_digits),
      cmocka_unit_test(test_overflow),    cmocka_unit_test(test_bits),
      cmocka_unit_test(test_comparison),  cmocka_unit_test(test_text_comparison),
      cmocka_unit_test(test_like),        cmocka_unit_test(test_columns),
      cmocka_unit_test(test_sqlite_reals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
