/* resolve_type_test.c: types of expressions, implicit conversions, collations and parameters. */
#include "tests/unit/resolve_fixture.h"

static void test_types_postgresql(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
  define(&f, "CREATE TABLE clock (d DATE, tm TIME, ts TIMESTAMP, iv INTERVAL)");
  define(&f, "CREATE TABLE texts (c CHAR(5), v VARCHAR(5), s TEXT)");
  static const Row rows[] = {
      {"SELECT 1, 3000000000, 1.5, 'x', NULL, TRUE",
       "$0:INT, $1:BIGINT, $2:DECIMAL, $3:TEXT, NULL:TEXT, TRUE():BOOLEAN"},
      {"SELECT id + 1, id + big, id * balance, ratio / 2 FROM account",
       "+(c0.0.0, $0):INT, +(c0.0.0, c0.0.3):BIGINT, *(c0.0.0, c0.0.2):DECIMAL, /(c0.0.4, $1):DOUBLE"},
      {"SELECT id = '5', balance > '1.5', opened = '2024-01-01', owner = 'x', flag = 't' FROM account",
       "=(c0.0.0, cast<INT>($0)):BOOLEAN, >(c0.0.2, cast<DECIMAL>($1)):BOOLEAN, =(c0.0.5, "
       "cast<DATE>($2)):BOOLEAN, "
       "=(c0.0.1, $3):BOOLEAN, =(c0.0.7, cast<BOOLEAN>($4)):BOOLEAN"},
      {"SELECT id IN (1, '2'), id BETWEEN '1' AND 2 FROM account",
       "IN(c0.0.0, $0, cast<INT>($1)):BOOLEAN, BETWEEN(c0.0.0, cast<INT>($2), $3):BOOLEAN"},
      {"SELECT CASE WHEN flag THEN id ELSE balance END, CASE id WHEN '1' THEN 'a' END FROM account",
       "CASE(c0.0.7, cast<DECIMAL>(c0.0.0), c0.0.2):DECIMAL, CASE(c0.0.0, cast<INT>($0), $1):TEXT"},
      {"SELECT COALESCE(id, '7'), COALESCE(NULL, big), NULLIF(id, 3) FROM account",
       "COALESCE(c0.0.0, cast<INT>($0)):INT, COALESCE(NULL, c0.0.3):BIGINT, NULLIF(c0.0.0, $1):INT"},
      {"SELECT opened + 1, opened - opened, seen - seen, seen + '1 day', opened - seen FROM account",
       "+(c0.0.5, $0):DATE, -(c0.0.5, c0.0.5):INT, -(c0.0.6, c0.0.6):INTERVAL, "
       "+(c0.0.6, cast<INTERVAL>($1)):TIMESTAMP, -(c0.0.5, c0.0.6):INTERVAL"},
      {"SELECT 'a' || 1, owner || id FROM account", "||($0, $1):TEXT, ||(c0.0.1, c0.0.0):TEXT"},
      {"SELECT SUM(id), SUM(big), SUM(balance), SUM(ratio), AVG(id), AVG(ratio), MIN(owner), COUNT(*) FROM "
       "account",
       "agg0:BIGINT, agg1:DECIMAL, agg2:DECIMAL, agg3:DOUBLE, agg4:DECIMAL, agg5:DOUBLE, agg6:TEXT, "
       "agg7:BIGINT"},
      {"SELECT id FROM account UNION SELECT amount FROM transfer", ":DECIMAL id"},
      {"SELECT CAST('5' AS INT), balance::INT FROM account", "CAST<INT>($0):INT, CAST<INT>(c0.0.2):INT"},
      {"SELECT tm < iv, tm - iv, ts - tm, d + tm FROM clock",
       "<(cast<INTERVAL>(c0.0.1), c0.0.3):BOOLEAN, -(c0.0.1, c0.0.3):TIME, -(c0.0.2, "
       "cast<INTERVAL>(c0.0.1)):TIMESTAMP, "
       "+(c0.0.0, c0.0.1):TIMESTAMP"},
      {"SELECT c = v, c = s, NULLIF(c, s) FROM texts",
       "=(c0.0.0, cast<CHAR>(c0.0.1)):BOOLEAN, =(c0.0.0, c0.0.2):BOOLEAN, NULLIF(c0.0.0, c0.0.2):TEXT"},
      {"SELECT 't' IN ('t', TRUE)", "IN(cast<BOOLEAN>($0), cast<BOOLEAN>($1), TRUE()):BOOLEAN"},
      {"SELECT now(), CURRENT_DATE", "NOW():TIMESTAMPTZ, CURRENT_DATE():DATE"},
      {"SELECT round(id), abs(id), round(balance, 1) FROM account",
       "ROUND(c0.0.0):DOUBLE, ABS(c0.0.0):INT, ROUND(c0.0.2, $0):DECIMAL"},
  };
  CHECK_OUTPUTS(&f, rows);
  fixture_free(&f);
}

static void test_type_errors(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
  static const Failure rows[] = {
      {"SELECT 1 FROM account WHERE 5", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 FROM account WHERE owner = 5", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 FROM account WHERE flag = 1", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 FROM account WHERE NOT id", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 || 2", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT '1' + '2'", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT opened + '1' FROM account", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT ratio % 2 FROM account", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT -owner FROM account", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 UNION SELECT TRUE", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT COALESCE(id, flag) FROM account", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT TRUE::NUMERIC", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT SUM(owner) FROM account", RESOLVE_ERROR, ERROR_NO_FUNCTION},
      {"SELECT SUM('5') FROM account", RESOLVE_ERROR, ERROR_AMBIGUOUS},
      {"SELECT sqrt(balance) FROM account", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT id << big FROM account", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT upper(id) FROM account", RESOLVE_ERROR, ERROR_NO_FUNCTION},
      {"SELECT MIN(flag) FROM account", RESOLVE_ERROR, ERROR_NO_FUNCTION},
      {"SELECT round(ratio, 2) FROM account", RESOLVE_ERROR, ERROR_NO_FUNCTION},
      {"INSERT INTO account (id, flag) VALUES (1, 1)", RESOLVE_ERROR, ERROR_TYPE},
      {"INSERT INTO account (id, owner) VALUES ('1', 2)", RESOLVE_OK, ERROR_NONE},
      {"UPDATE account SET id = owner", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 WHERE (1, 2) = (1, 2, 3)", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT owner LIKE id::TEXT, id LIKE 'x' FROM account", RESOLVE_ERROR, ERROR_TYPE},
  };
  CHECK_FAILURES(&f, rows);
  fixture_free(&f);
  fixture_bank(&f, DIALECT_GENERIC); /* the same are fine where SQLite would take them */
  for (size_t i = 0; i < 10; i++)
    if (resolve_text(&f, rows[i].sql) != RESOLVE_OK)
      fail_msg("generic: %s: %s", rows[i].sql, f.resolution.message);
  static const Row generic[] = {
      {"SELECT owner + 1, id = '5' FROM account", "+(c0.0.1, $0):ANY, =(c0.0.0, cast<INT>($1)):BOOLEAN"},
  };
  CHECK_OUTPUTS(&f, generic);
  fixture_free(&f);
}

static void test_types_mysql(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_MYSQL);
  define(&f, "CREATE TABLE u (n BIGINT UNSIGNED, i INT UNSIGNED, t TEXT, b VARCHAR(9) COLLATE utf8mb4_bin)");
  static const Row rows[] = {
      {"SELECT 7/2, id / 3, balance / 3, balance * balance, 1.5 + 1, id DIV 2 FROM account",
       "/($0, $1):DECIMAL(65,4), /(c0.0.0, $2):DECIMAL(65,4), /(c0.0.2, $3):DECIMAL(65,6), "
       "*(c0.0.2, c0.0.2):DECIMAL(65,4), +($4, $5):DECIMAL(65,1), DIV(c0.0.0, $6):BIGINT"},
      {"SELECT owner + 1, '1' + 1, id + 1, flag + 1 FROM account",
       "+(c0.0.1, $0):DOUBLE, +($1, $2):DOUBLE, +(c0.0.0, $3):BIGINT, +(c0.0.7, $4):BIGINT"},
      {"SELECT n + 1, -n, n & 1, n % 2, 1 % n FROM u",
       "+(c0.0.0, $0):BIGINT UNSIGNED, -(c0.0.0):BIGINT, &(c0.0.0, $1):BIGINT UNSIGNED, "
       "%(c0.0.0, $2):BIGINT UNSIGNED, %($3, c0.0.0):BIGINT"},
      {"SELECT id = '5', opened = '2024-01-01', 1 = 1, NOT 1 FROM account",
       "=(c0.0.0, $0):INT, =(c0.0.5, cast<TIMESTAMP>($1)):INT, =($2, $3):INT, NOT($4):INT"},
      {"SELECT COALESCE(n, -1), COALESCE(i, -1), IF(1, 1, 'a'), IFNULL(t, 1) FROM u",
       "COALESCE(cast<DECIMAL(20,0)>(c0.0.0), cast<DECIMAL(20,0)>(-($0))):DECIMAL(20,0), "
       "COALESCE(c0.0.1, -($1)):BIGINT, IF($2, cast<TEXT>($3), $4):TEXT, IFNULL(c0.0.2, "
       "cast<TEXT>($5)):TEXT"},
      {"SELECT SUM(id), SUM(balance), AVG(id), AVG(balance), SUM(ratio), SUM(owner) FROM account",
       "agg0:DECIMAL(65,0), agg1:DECIMAL(65,2), agg2:DECIMAL(65,4), agg3:DECIMAL(65,6), agg4:DOUBLE, "
       "agg5:DOUBLE"},
      {"SELECT ROUND(balance, 1), opened + INTERVAL 1 DAY, opened + INTERVAL 1 HOUR, DATE_ADD(seen, INTERVAL "
       "1 MONTH) FROM account",
       "ROUND(c0.0.2, $0):DECIMAL(65,1), +(c0.0.5, INTERVAL($1)):DATE, +(c0.0.5, INTERVAL($2)):TIMESTAMP, "
       "DATE_ADD(c0.0.6, INTERVAL($3)):TIMESTAMP"},
      {"SELECT 'a' || 'b'", "OR($0, $1):INT"},
  };
  CHECK_OUTPUTS(&f, rows);
  assert_int_equal(resolve_text(&f, "SELECT ROUND(balance, 1) FROM account"), RESOLVE_OK);
  assert_int_equal(f.resolution.pinned.count, 1); /* the digits are part of the type */
  assert_int_equal(resolve_text(&f, "SELECT 1 FROM u WHERE b = 'x'"), RESOLVE_OK);
  assert_true(f.statement->select->where->args[1]->type.is_binary);
  fixture_free(&f);
}

static void test_types_sqlite(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, DIALECT_SQLITE);
  define(&f, "CREATE TABLE t (i INTEGER, r REAL, n NUMERIC, s TEXT, b, c TEXT COLLATE NOCASE)");
  static const Row rows[] = {
      {"SELECT i, r, n, s, b, +i, i + 1, CAST(b AS TEXT), (i) FROM t",
       "c0.0.0:INTEGER i, c0.0.1:REAL r, c0.0.2:NUMERIC n, c0.0.3:TEXT s, c0.0.4:BLOB b, +(c0.0.0):ANY, "
       "+(c0.0.0, $0):ANY, "
       "CAST<TEXT>(c0.0.4):TEXT, c0.0.0:INTEGER"},
      {"SELECT i IN (s, '1') FROM t", "IN(c0.0.0, +(c0.0.3), $0):ANY"},
      {"SELECT x FROM (SELECT s AS x, i + 1 AS y FROM t) d", "c0.0.0:TEXT x"},
      {"SELECT i IS TRUE, i IS NOT DISTINCT FROM TRUE, i IS NOT (5 IN ()), i IS DISTINCT FROM 1 FROM t",
       "IS TRUE(c0.0.0):ANY, IS TRUE(c0.0.0):ANY, IS NOT FALSE(c0.0.0):ANY, IS DISTINCT FROM(c0.0.0, "
       "$1):ANY"},
      {"SELECT (SELECT s FROM t) = 1", "=(subquery((select)), $0):ANY"},
  };
  CHECK_OUTPUTS(&f, rows);
  static const struct {
    const char *condition;
    Collation collation;
  } collations[] = {
      {"c = s", COLLATION_CI},
      {"s = c", COLLATION_C},
      {"'a' = c", COLLATION_CI},
      {"s = 'a' COLLATE nocase", COLLATION_CI},
      {"+c = 'a'", COLLATION_CI},
      {"c || '' = 'a'", COLLATION_C},
      {"c COLLATE binary = s COLLATE nocase", COLLATION_C},
  };
  for (size_t i = 0; i < sizeof collations / sizeof *collations; i++) {
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT 1 FROM t WHERE %s", collations[i].condition);
    assert_int_equal(resolve_text(&f, sql), RESOLVE_OK);
    const Expr *where = f.statement->select->where;
    if (where->args[0]->type.collation != collations[i].collation ||
        where->args[1]->type.collation != collations[i].collation)
      fail_msg("collation of %s", collations[i].condition);
  }
  fixture_free(&f);
}

/* What MariaDB 10.11 says of columns made from these expressions. */
static void test_types_mariadb(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f, DIALECT_MARIADB);
  define(&f, "CREATE TABLE t (i2 SMALLINT, i8 BIGINT, u1 TINYINT UNSIGNED, u4 INT UNSIGNED, f FLOAT, n "
             "DECIMAL(8,5), tm TIME, dt DATETIME)");
  static const Row rows[] = {
      {"SELECT COALESCE(u4, -1), COALESCE(f, i2), COALESCE(f, i8) FROM t",
       "COALESCE(cast<DECIMAL(20,0)>(c0.0.3), cast<DECIMAL(20,0)>(-($0))):DECIMAL(20,0), "
       "COALESCE(c0.0.4, cast<FLOAT>(c0.0.0)):FLOAT, COALESCE(cast<DOUBLE>(c0.0.4), "
       "cast<DOUBLE>(c0.0.1)):DOUBLE"},
      {"SELECT ROUND(n, 7), ROUND(n, -1), FLOOR(n), f + f, ABS(f) FROM t",
       "ROUND(c0.0.5, $0):DECIMAL(65,7), ROUND(c0.0.5, -($1)):DECIMAL, FLOOR(c0.0.5):BIGINT, +(c0.0.4, "
       "c0.0.4):DOUBLE, "
       "ABS(c0.0.4):DOUBLE"},
      {"SELECT tm + INTERVAL 1 DAY FROM t", "+(c0.0.6, INTERVAL($0)):TIME"},
  };
  CHECK_OUTPUTS(&f, rows);
  static const Failure failures[] = {
      {"SELECT tm + INTERVAL 1 MONTH FROM t", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT COALESCE(tm, dt) FROM t", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT ROUND(dt) FROM t", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT GREATEST(DATE'2020-01-02', 'a') FROM t", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT GREATEST(i2, 'a') FROM t", RESOLVE_OK, ERROR_NONE},
  };
  CHECK_FAILURES(&f, failures);
  fixture_free(&f);
}

/* A text parameter has the type of its context in every dialect; an integer is an integer. */
static void test_parameters(void **state) {
  (void)state;
  Fixture f;
  Value text[] = {value_string("100.00"), value_string("x")}, number[] = {value_int(5)},
        real[] = {value_double(12.5)};
  fixture_bank(&f, DIALECT_POSTGRESQL);
  assert_int_equal(resolve_with(&f, "UPDATE account SET balance = balance + $1 WHERE owner = $2", text),
                   RESOLVE_OK);
  Update *update = f.statement->update;
  assert_string_equal(print_expr(&f, update->assignments.items[0].value),
                      "+(c0.0.2, cast<DECIMAL>($0)):DECIMAL");
  assert_string_equal(print_expr(&f, update->scope->where), "=(c0.0.1, $1):BOOLEAN");
  assert_int_equal(resolve_with(&f, "SELECT id FROM account WHERE owner = $1", number), RESOLVE_OK);
  assert_string_equal(print_expr(&f, f.statement->select->where), "=(c0.0.1, cast<VARCHAR>($0)):BOOLEAN");
  assert_int_equal(resolve_with(&f, "SELECT balance * $1 FROM account", real), RESOLVE_OK);
  assert_string_equal(print_outputs(&f, f.statement->select), "*(c0.0.2, cast<DECIMAL>($0)):DECIMAL");
  assert_int_equal(resolve_with(&f, "SELECT id FROM account LIMIT $1", (Value[]){value_string("3")}),
                   RESOLVE_OK);
  assert_string_equal(print_expr(&f, f.statement->select->limit), "cast<BIGINT>($0):BIGINT");
  fixture_free(&f);
  fixture_bank(&f, DIALECT_MYSQL);
  assert_int_equal(
      resolve_with(&f, "SELECT balance + ? FROM account WHERE id = ?", (Value[]){text[0], text[0]}),
      RESOLVE_OK);
  assert_string_equal(print_outputs(&f, f.statement->select), "+(c0.0.2, cast<DECIMAL>($0)):DECIMAL");
  assert_string_equal(print_expr(&f, f.statement->select->where), "=(c0.0.0, cast<DECIMAL>($1)):INT");
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types_postgresql), cmocka_unit_test(test_type_errors),
      cmocka_unit_test(test_types_mysql),      cmocka_unit_test(test_types_mariadb),
      cmocka_unit_test(test_types_sqlite),     cmocka_unit_test(test_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
