/* function_test.c: scalar functions and aggregates, by dialect.  The values are those the databases gave. */
#include "tests/unit/expression.h"

static void test_numbers(void **state) {
  (void)state;
  EXPECT({PG, "round(2.5)", "3"}, {PG, "round(2.5::float8)", "2"}, {PG, "round(1234.567, -2)", "1200"},
         {PG, "round(7)/2", "3.5"}, {PG, "trunc(-1.999, 1)", "-1.9"}, {PG, "sign(-5.5)", "-1"},
         {PG, "mod(-5.5, 2)", "-1.5"}, {PG, "div(7, 2)", "3"}, {PG, "power(2, 3)", "8"},
         {PG, "sqrt(2.0)", "unmodelled"}, {PG, "sqrt(-1)", "error 22023"}, {PG, "ceil(-0.5)", "0"},
         {MYSQLS, "ROUND(2.5)", "3"}, {MYSQLS, "ROUND(2.5e0)", "2"}, {MYSQLS, "ROUND(5, 1)", "5"},
         {MYSQLS, "ROUND(25, -1)", "30"}, {MYSQLS, "ROUND(1.955e0, 2)", "1.96"},
         {MYSQLS, "TRUNCATE(-1.999, 1)", "-1.9"}, {MYSQLS, "FLOOR(-1.2)", "-2"}, {MYSQLS, "LN(0)", "NULL"},
         {MYSQLS, "LOG(2, 8)", "3"}, {LITE, "round(1.5, 4294967297)", "1.5"}, {LITE, "abs('-5')", "5"},
         {MYSQLS, "CONCAT(ROUND(2e0, 1))", "unmodelled"}, {LITE, "atan2(0, -0.0) > 3", "1"},
         {LITE, "atan2(0, -(0.0 + 0))", "0"});
}

static void test_texts(void **state) {
  (void)state;
  EXPECT({MYSQLS, "LENGTH('\xc3\xa9')", "2"}, {PG | LITE, "length('\xc3\xa9')", "1"},
         {MYSQLS, "CHAR_LENGTH('\xc3\xa9')", "1"}, {MYSQLS, "SUBSTR('hello', -3, 2)", "'ll'"},
         {MYSQLS, "SUBSTR('hello', 0)", "''"}, {PG, "substr('hello', -1, 3)", "'h'"},
         {PG, "substr('hello', 2, -1)", "error 22023"}, {LITE, "substr('hello', 0, 2)", "'h'"},
         {LITE, "substr('hello', -3, 2)", "'ll'"}, {PG, "left('hello', -2)", "'hel'"},
         {PG, "right('hello', -2)", "'llo'"}, {PG, "concat('a', NULL, 1, true, 1.50)", "'a1t1.50'"},
         {MYSQLS, "CONCAT('a', NULL)", "NULL"}, {PG | MYSQLS, "concat_ws(',', 'a', NULL, 'b')", "'a,b'"},
         {MYSQLS, "INSTR('hello', 'L')", "3"}, {LITE, "instr('hello', 'L')", "0"},
         {MYSQLS, "REPLACE('aBa', 'b', 'x')", "'aBa'"}, {LITE, "replace('abc', '', 'x')", "'abc'"},
         {MYSQLS, "TRIM(LEADING 'ab' FROM 'ababc')", "'c'"}, {PG, "trim(both 'xy' from 'xyaxy')", "'a'"},
         {PG, "lpad('a', 3, 'xy')", "'xya'"}, {PG, "split_part('a,b,c', ',', -1)", "'c'"},
         {PG, "initcap('hELLO wORLD')", "'Hello World'"}, {PG, "translate('12345', '143', 'ax')", "'a2x5'"},
         {MYSQLS, "HEX(255)", "'FF'"}, {MYSQLS, "SUBSTRING_INDEX('a.b.c', '.', -2)", "'b.c'"},
         {MYSQLS, "FIELD('b', 'A', 'B')", "2"}, {MYSQLS, "UPPER('\xc3\xa9')", "unmodelled"},
         {LITE, "typeof(x'00')", "'blob'"}, {LITE, "char(65, 66)", "'AB'"},
         {LITE, "zeroblob(1000000001)", "error 22001"});
}

static void test_conditions(void **state) {
  (void)state;
  EXPECT({PG, "greatest(1, NULL, 3)", "3"}, {MYSQLS, "GREATEST(1, NULL)", "NULL"},
         {LITE, "max(1, NULL)", "NULL"}, {PG, "coalesce(NULL, 2, 1/0)", "2"},
         {MYSQLS, "IF('0.5', 'y', 'n')", "'y'"}, {MYSQLS, "IF('abc', 'y', 'n')", "'n'"},
         {MYSQLS, "IFNULL(1, 2.50)", "1.00"}, {MYSQLS, "NULLIF(1, '1')", "NULL"},
         {LITE, "nullif(1, '1')", "1"}, {MYSQLS, "NULLIF('a', 'A')", "NULL"}, {PG, "nullif(1, 1.0)", "NULL"},
         {LITE, "iif(0.5, 'y', 'n')", "'y'"}, {LITE, "typeof(min(1, 1.0))", "'real'"},
         {LITE, "max('a', 'B' COLLATE NOCASE)", "'B'"});
}

static void test_times(void **state) {
  (void)state;
  EXPECT({MYSQLS, "DATE_ADD('2020-01-31', INTERVAL 1 MONTH)", "'2020-02-29'"},
         {MYSQLS, "DATE'2020-01-02' + INTERVAL 1 HOUR", "'2020-01-02 01:00:00'"},
         {MYSQLS, "DATEDIFF('2020-03-01', '2020-02-01')", "29"},
         {MYSQLS, "TIMESTAMPDIFF(MONTH, '2020-01-31', '2020-02-29')", "0"},
         {MYSQLS, "LAST_DAY('2020-02-05')", "'2020-02-29'"},
         {MYSQLS, "DATE_FORMAT('2020-01-02 03:04:05', '%Y-%m-%d %H:%i:%s %a %j')",
          "'2020-01-02 03:04:05 Thu 002'"},
         {MYSQLS, "EXTRACT(YEAR FROM '2020-05-06')", "2020"},
         {PG, "date '2020-01-31' + interval '1 month'", "'2020-02-29 00:00:00'"},
         {PG, "date '2020-03-01' - date '2020-02-01'", "29"},
         {PG, "extract(second from timestamp '2020-05-06 01:02:03.5')", "3.500000"},
         {PG, "date_trunc('month', timestamp '2020-05-06 01:02:03.5')", "'2020-05-01 00:00:00'"},
         {PG, "time '10:00' + interval '15 hours'", "'01:00:00'"},
         {LITE, "date('2020-01-31', '+1 month')", "'2020-03-02'"},
         {LITE, "strftime('%Y-%j', '2020-05-06')", "'2020-127'"},
         {LITE, "julianday('2020-01-01')", "2458849.5"}, {PG | MYSQLS, "now() IS NULL", "doubt"});
}

static void test_aggregates(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (a INT, n NUMERIC(10,2), f FLOAT8, s TEXT)", NULL},
         {"SELECT sum(a), count(a), avg(a), max(s), count(*) FROM t", "NULL,0,NULL,NULL,0"},
         {"INSERT INTO t VALUES (1, 1.50, 0.5, 'b'), (2, NULL, 1, 'a'), (4, 2.25, NULL, 'b')", "done 3"},
         {"SELECT sum(a), avg(a), min(s), max(n), sum(n), avg(n) FROM t",
          "7,2.3333333333333333,'a',2.25,3.75,1.8750000000000000"},
         {"SELECT count(DISTINCT s), sum(DISTINCT a), bool_and(a > 0), bit_or(a) FROM t", "2,7,true,7"},
         {"SELECT string_agg(s, ',' ORDER BY a DESC), count(*) FILTER (WHERE a > 1) FROM t", "'b,a,b',2"});
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (a INT, d DECIMAL(10,2), s VARCHAR(9))", NULL},
         {"INSERT INTO t VALUES (1, 10, '5x'), (1, 10, 'abc'), (1, 10, '2')", "done 3"},
         {"SELECT avg(a), sum(a/3), avg(a/3), sum(s), bit_and(a), avg(d) FROM t",
          "1.0000,1.0000,0.33333333,7,1,10.000000"},
         {"SELECT avg(a)/3*3, group_concat(s ORDER BY s SEPARATOR ';'), bit_and(NULL) FROM t",
          "1.00000000,'2;5x;abc',18446744073709551615"});
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (a, b)", NULL},
         {"SELECT total(a), sum(a), group_concat(a) FROM t", "0,NULL,NULL"},
         {"INSERT INTO t VALUES (1, 9223372036854775807), ('2x', 1), (x'33', NULL)", "done 3"},
         {"SELECT sum(a), avg(a), typeof(sum(a)), max(a), min(a) FROM t", "6,2,'real',x'33',1"},
         {"SELECT sum(b) FROM t", "error 22003"});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_texts),
                                     cmocka_unit_test(test_conditions), cmocka_unit_test(test_times),
                                     cmocka_unit_test(test_aggregates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
