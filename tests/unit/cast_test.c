/* cast_test.c: CAST and storing, by dialect.  The values are those the databases gave. */
#include "tests/unit/expression.h"

static void test_postgres_casts(void **state) {
  (void)state;
  EXPECT({PG, "2.5::int", "3"}, {PG, "-2.5::int", "-3"}, {PG, "2.5::float8::int", "2"},
         {PG, "3.5::float8::int", "4"}, {PG, "' 12 '::int", "12"}, {PG, "'12a'::int", "error 22P02"},
         {PG, "'1e3'::int", "error 22P02"}, {PG, "''::int", "error 22P02"},
         {PG, "'99999999999'::int", "error 22003"}, {PG, "99999::int2", "error 22003"},
         {PG, "2147483647.5::int", "error 22003"}, {PG, "true::int", "1"}, {PG, "5::bool", "true"},
         {PG, "' TRUE '::bool", "true"}, {PG, "'of'::bool", "false"}, {PG, "'maybe'::bool", "error 22P02"},
         {PG, "1.5::bool", "error 42804"}, {PG, "12345.678::numeric(7,2)", "12345.68"},
         {PG, "99999.999::numeric(7,2)", "error 22003"}, {PG, "'1e2'::numeric", "100"},
         {PG, "' 1.5 '::numeric", "1.5"}, {PG, "1.23456789012345678::float8::numeric", "1.23456789012346"},
         {PG, "0.1::float4::numeric", "0.1"}, {PG, "0.1::float4::float8", "0.10000000149011612"},
         {PG, "1e20::float8::text", "'1e+20'"}, {PG, "100::float8::text", "'100'"},
         {PG, "0.00001::float8::text", "'1e-05'"}, {PG, "16777217::float4::text", "'1.6777216e+07'"},
         {PG, "true::text", "'true'"}, {PG, "'abcdef'::char(3)", "'abc'"}, {PG, "'ab'::char(5)", "'ab   '"},
         {PG, "'ab'::char(5) || 'x'", "'abx'"}, {PG, "length('ab'::char(5))", "2"},
         {PG, "octet_length('ab'::char(5))", "5"}, {PG, "'2020-02-30'::date", "error 22P02"},
         {PG, "'2020-01-01 10:00'::timestamp::date", "'2020-01-01'"},
         {PG, "'2020-01-01 10:00:00.5'::timestamp(0)", "'2020-01-01 10:00:01'"},
         {PG, "'2020-01-01 10:00:00+02'::timestamptz", "'2020-01-01 08:00:00'"},
         {PG, "'2020-01-01 10:00:00'::timestamptz", "unmodelled"}, {GEN, "CAST('12a' AS INT)", "12"},
         {GEN, "CAST('abc' AS DOUBLE PRECISION)", "0"});
}

static void test_mysql_casts(void **state) {
  (void)state;
  EXPECT({MYSQLS, "CAST('12abc' AS SIGNED)", "12"}, {MYSQLS, "CAST('1.9' AS SIGNED)", "1"},
         {MYSQLS, "CAST(2.5 AS SIGNED)", "3"}, {MYSQLS, "CAST(-1.5 AS SIGNED)", "-2"},
         {MYSQLS, "CAST(2.5e0 AS SIGNED)", "2"}, {MYSQLS, "CAST(-1 AS UNSIGNED)", "18446744073709551615"},
         {MYSQLS, "CAST('-1' AS UNSIGNED)", "18446744073709551615"}, {MYSQLS, "CAST(-1.5 AS UNSIGNED)", "0"},
         {MARIA, "CAST(-1.5e0 AS UNSIGNED)", "0"}, {MYSQLS, "CAST(18446744073709551615 AS SIGNED)", "-1"},
         {MYSQLS, "CAST(1e30 AS SIGNED)", "9223372036854775807"},
         {MYSQLS, "CAST('1.555' AS DECIMAL(10,2))", "1.56"}, {MYSQLS, "CAST(12345 AS DECIMAL(4,2))", "99.99"},
         {MYSQLS, "CAST(-99999 AS DECIMAL(4,2))", "-99.99"},
         {MYSQLS, "CAST(1.005e0 AS DECIMAL(10,2))", "1.01"}, {MYSQLS, "CAST(1.50 AS CHAR)", "'1.50'"},
         {MYSQLS, "CAST(1e20 AS CHAR)", "'1e20'"}, {MYSQLS, "CAST(1e-15 AS CHAR)", "'0.000000000000001'"},
         {MYSQLS, "CAST('abc' AS CHAR(2))", "'ab'"}, {MYSQLS, "CAST('2020-13-01' AS DATE)", "NULL"},
         {MYSQLS, "CAST(20200101 AS DATE)", "'2020-01-01'"},
         {MYSQLS, "CAST('2020-01-01' AS DATETIME)", "'2020-01-01 00:00:00'"},
         {MARIA, "CAST('2020-01-02 03:04:05.678' AS DATETIME)", "'2020-01-02 03:04:05'"},
         {MY, "CAST('2020-01-02 03:04:05.678' AS DATETIME)", "'2020-01-02 03:04:06'"},
         {MYSQLS, "DATE'2020-01-01' + 0", "20200101"},
         {MYSQLS, "TIMESTAMP'2020-01-01 10:20:30.5' + 0", "20200101102030.5"},
         {MYSQLS, "CAST('abc' AS CHAR(2)) + 1", "unmodelled"});
}

static void test_sqlite_casts(void **state) {
  (void)state;
  EXPECT({LITE, "CAST('12abc' AS INTEGER)", "12"}, {LITE, "CAST('1e3' AS INTEGER)", "1"},
         {LITE, "CAST(1e30 AS INTEGER)", "9223372036854775807"}, {LITE, "CAST(-1.9 AS INTEGER)", "-1"},
         {LITE, "CAST('1.0' AS NUMERIC)", "1"}, {LITE, "typeof(CAST('1.5' AS NUMERIC))", "'real'"},
         {LITE, "CAST('abc' AS REAL)", "0"}, {LITE, "CAST(1.0 AS TEXT)", "'1.0'"},
         {LITE, "CAST('ab' AS BLOB)", "x'6162'"}, {LITE, "CAST(x'3132' AS INTEGER)", "12"});
}

static void test_stores(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_POSTGRESQL, {"CREATE TABLE t (i INT2, n NUMERIC(5,2), v VARCHAR(3), c CHAR(3), d DATE)", NULL},
      {"INSERT INTO t (i) VALUES (32768)", "error 22003"},
      {"INSERT INTO t (n) VALUES (999.995)", "error 22003"},
      {"INSERT INTO t (v) VALUES ('abcd')", "error 22001"}, {"INSERT INTO t (v) VALUES ('abc  ')", "done 1"},
      {"INSERT INTO t VALUES (1.5, 1.005, 'a', 'b', '2020-01-05')", "done 1"},
      {"SELECT * FROM t WHERE i = 2", "2,1.01,'a','b  ','2020-01-05'"});
  SCRIPT(DIALECT_MARIADB,
         {"CREATE TABLE t (i INT, u TINYINT UNSIGNED, d DECIMAL(5,2), v VARCHAR(3), c CHAR(3), da DATE, f "
          "FLOAT)",
          NULL},
         {"INSERT INTO t (u) VALUES (256)", "error 22003"}, {"INSERT INTO t (u) VALUES (-1)", "error 22003"},
         {"INSERT INTO t (i) VALUES ('12abc')", "error 22P02"},
         {"INSERT INTO t (i) VALUES ('')", "error 22P02"},
         {"INSERT INTO t (v) VALUES ('abcd')", "error 22001"},
         {"INSERT INTO t (d) VALUES (999.995)", "error 22003"},
         {"INSERT INTO t (da) VALUES ('2020-02-30')", "error 22P02"},
         {"INSERT INTO t (da) VALUES ('2020-01-02 abc')", "error 22P02"},
         {"INSERT INTO t VALUES (' 7 ', 254.5, '1.005', 'ab ', 'ab ', 20200103, 0.1)", "done 1"},
         {"SELECT i, u, d, v, c, da FROM t", "7,255,1.01,'ab ','ab','2020-01-03'"},
         {"UPDATE t SET i = 2.5e0, u = '3.5', d = 2/3, v = 12, c = 'abc  '", "done 1"},
         {"SELECT i, u, d, v, c FROM t", "2,4,0.67,'12','abc'"});
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (i INTEGER, r REAL, t TEXT, n NUMERIC, b BLOB)", NULL},
         {"INSERT INTO t VALUES ('12', 1, 1.5, '1e2', '1'), ('x', 'y', x'61', 3.0, 2.5)", "done 2"},
         {"SELECT typeof(i), typeof(r), typeof(t), typeof(n), typeof(b) FROM t",
          "'integer','real','text','integer','text' | 'text','text','blob','integer','real'"});
  SCRIPT(DIALECT_GENERIC, {"CREATE TABLE t (i INT, v VARCHAR(2))", NULL},
         {"INSERT INTO t VALUES ('abc', 'abcd')", "done 1"}, {"SELECT i, v FROM t", "'abc','abcd'"});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_postgres_casts),
                                     cmocka_unit_test(test_mysql_casts), cmocka_unit_test(test_sqlite_casts),
                                     cmocka_unit_test(test_stores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
