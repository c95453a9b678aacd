/* eval_test.c: three-valued logic, the order of evaluation and its errors, doubts; the known wrong answers.
 */
#include "tests/unit/expression.h"

static void test_logic(void **state) {
  (void)state;
  EXPECT({POSTGRES, "NULL AND false", "false"}, {POSTGRES, "NULL OR true", "true"}, {PG, "NOT NULL", "NULL"},
         {POSTGRES, "1 IN (2, NULL)", "NULL"}, {POSTGRES, "1 NOT IN (2, NULL)", "NULL"},
         {POSTGRES, "1 IN (1, NULL)", "true"}, {MYSQLS, "1 XOR NULL", "NULL"}, {MYSQLS, "NULL <=> NULL", "1"},
         {MYSQLS, "1 <=> NULL", "0"}, {LITE, "1 IS NULL", "0"}, {LITE, "NULL IS NULL", "1"},
         {LITE, "1 IS 1.0", "1"}, {PG, "NULL IS DISTINCT FROM 1", "true"}, {LITE, "1 IN ()", "0"},
         {MYSQLS, "1 BETWEEN NULL AND 0", "0"}, {MYSQLS, "NULL BETWEEN 1 AND 2", "NULL"},
         {PG, "NULL IS TRUE", "false"}, {MYSQLS, "'0.4' IS TRUE", "1"}, {MYSQLS, "NOT 0.4", "0"},
         {MYSQLS, "'abc' OR 0", "0"}, {MYSQLS, "'a' || 'b'", "0"}, {LITE, "'0.5' AND 1", "1"},
         {LITE, "NOT 'abc'", "1"}, {PG, "1 AND true", "error 42804"}, {GEN, "1 AND true", "true"},
         {PG, "CASE WHEN NULL THEN 1 ELSE 2 END", "2"}, {MYSQLS, "CASE 1 WHEN '1' THEN 'x' END", "'x'"});
}

/* Only CASE and COALESCE fix the order: elsewhere an error may be raised or not. */
static void test_errors(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_POSTGRESQL, {"CREATE TABLE t (a INT, b INT)", NULL}, {"INSERT INTO t VALUES (0, 1)", "done 1"},
      {"SELECT 1/a > 0 AND b = 2 FROM t", "false, maybe 22012"},
      {"SELECT 1/a > 0 OR b = 1 FROM t", "true, maybe 22012"},
      {"SELECT 1/a > 0 AND b = 1 FROM t", "error 22012"}, {"SELECT b = 1 AND 1/a > 0 FROM t", "error 22012"},
      {"SELECT CASE WHEN a = 0 THEN 0 ELSE 1/a END FROM t", "0"}, {"SELECT coalesce(b, 1/a) FROM t", "1"},
      {"SELECT b NOT BETWEEN 1/a AND 0 FROM t", "true, maybe 22012"},
      {"SELECT b IN (1/a, 1) FROM t", "true, maybe 22012"}, {"SELECT 1/a + NULL FROM t", "NULL, maybe 22012"},
      {"SELECT 1/a > 0 AND (b + 2147483647) > 0 FROM t", "error 22012 22003"});
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (a BIGINT, b INT)", NULL},
         {"INSERT INTO t VALUES (9223372036854775807, NULL)", "done 1"},
         {"SELECT a + 1 FROM t", "error 22003"}, {"SELECT b + (a + 1) FROM t", "NULL, maybe 22003"});
}

static void test_known_wrong_answers(void **state) {
  (void)state;
  for (DialectName name = DIALECT_MYSQL; name <= DIALECT_MARIADB; name++) {
    Engine *engine = model_new(name);
    LINES(engine, {"CREATE TABLE i (c0 INT)", NULL}, {"INSERT INTO i VALUES (1)", NULL},
          {"SELECT * FROM i WHERE IF(FALSE, c0, 0.1)", "1"}, {"SELECT * FROM i WHERE 0.5 = c0", "no rows"},
          {"UPDATE i SET c0 = 2", NULL}, {"SELECT * FROM i WHERE (NOT NOT c0) = c0", "no rows"},
          {"CREATE TABLE s (c0 TEXT)", NULL}, {"INSERT INTO s VALUES ('0.9'), ('0.5')", NULL},
          {"SELECT * FROM s WHERE c0", "'0.5' | '0.9'"},
          {"SELECT c0 AND 1, c0 OR 0, c0 XOR 0 FROM s", "1,1,1 | 1,1,1"}, {"CREATE TABLE f (c0 FLOAT)", NULL},
          {"INSERT INTO f VALUES (0)", NULL}, {"SELECT c0 = -c0 FROM f", "1"}, {"SELECT 1 AND 0.4", "1"},
          {"CREATE TABLE u (c0 INT UNIQUE)", NULL},
          {"SELECT NULL IN (SELECT c0 FROM u WHERE (c0 OR TRUE) IS NULL)", "0"},
          {"INSERT INTO u VALUES (NULL), (1), (NULL)", NULL},
          {"SELECT NULL IN (SELECT c0 FROM u WHERE c0)", "NULL"},
          {"CREATE TABLE b (c0 BIGINT UNSIGNED)", NULL}, {"INSERT INTO b VALUES (NULL)", NULL});
    static const Line mysql[] = {
        {"SELECT CAST(COALESCE(c0, -1) AS UNSIGNED) FROM b", "18446744073709551615"}};
    static const Line mariadb[] = {{"SELECT CAST(COALESCE(c0, -1) AS UNSIGNED) FROM b", "0"}};
    model_lines(engine, name == DIALECT_MYSQL ? mysql : mariadb, 1);
    model_free(engine);
  }
}

/* A free value is copied, and needed only where something is computed from it. */
static void test_doubts(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (a INT, d TIMESTAMP)", NULL},
         {"INSERT INTO t VALUES (1, clock_timestamp())", "done 1"}, {"SELECT d FROM t", "?"},
         {"SELECT d IS NULL FROM t", "doubt"}, {"SELECT d > '2020-01-01' AND a = 2 FROM t", "false"},
         {"SELECT d > '2020-01-01' OR a = 1 FROM t", "true"},
         {"SELECT d > '2020-01-01' AND a = 1 FROM t", "doubt"},
         {"SELECT (d + interval '1 day') > '2020-01-01' AND a = 2 FROM t", "doubt"},
         {"SELECT CASE WHEN a = 1 THEN 5 ELSE extract(year from d) END FROM t", "5"},
         {"SELECT coalesce(a, extract(year from d)) FROM t", "1"});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_logic), cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_known_wrong_answers),
                                     cmocka_unit_test(test_doubts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
