/* resolve_test.c: names: columns, joins, views, ordering and grouping. */
#include "tests/unit/resolve_fixture.h"

/* ---- Names ----------------------------------------------------------------------------------- */

static void test_names(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
  static const Row rows[] = {
      {"SELECT id, balance AS b FROM account", "c0.0.0:INT id, c0.0.2:DECIMAL(12,2) b"},
      {"SELECT t.id, account.id FROM transfer t, account", "c0.0.0:INT id, c0.1.0:INT id"},
      {"SELECT t.* FROM account, transfer t",
       "c0.1.0:INT id, c0.1.1:INT source, c0.1.2:INT target, c0.1.3:DECIMAL(12,2) amount"},
      {"SELECT (SELECT owner FROM account WHERE id = source) FROM transfer",
       "subquery((select)):VARCHAR(20)"},
      {"SELECT x FROM (SELECT id AS x, owner FROM account) d", "c0.0.0:INT x"},
      {"SELECT b FROM (SELECT id, owner FROM account) AS d(a, b)", "c0.0.1:VARCHAR(20) b"},
      {"SELECT count FROM (SELECT COUNT(*) FROM account) d", "c0.0.0:BIGINT count"},
      {"SELECT column2 FROM (VALUES (1, 'a'), (2, 'b')) d", "c0.0.1:TEXT column2"},
      {"WITH a AS (SELECT id FROM account), b(z) AS (SELECT id FROM a) SELECT z FROM b", "c0.0.0:INT z"},
  };
  CHECK_OUTPUTS(&f, rows);
  fixture_free(&f);
}

static void test_correlation(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
  assert_int_equal(
      resolve_text(
          &f, "SELECT id FROM account a WHERE EXISTS (SELECT 1 FROM transfer t WHERE t.source = a.id AND "
              "amount > (SELECT MAX(amount) FROM transfer u WHERE u.target = a.id AND u.source = t.id))"),
      RESOLVE_OK);
  const Select *middle = f.statement->select->where->select;
  const Expr *condition = middle->where; /* AND */
  assert_string_equal(print_expr(&f, condition->args[0]), "=(c0.0.1, c1.0.0):BOOLEAN");
  const Select *inner = condition->args[1]->args[1]->select;
  assert_string_equal(print_expr(&f, inner->where->args[0]), "=(c0.0.2, c2.0.0):BOOLEAN");
  assert_string_equal(print_expr(&f, inner->where->args[1]), "=(c0.0.1, c1.0.0):BOOLEAN");
  assert_int_equal(inner->outer_depth, 2);
  assert_int_equal(middle->outer_depth, 1);
  assert_int_equal(f.statement->select->outer_depth, 0);
  assert_int_equal(f.statement->block_count, 3);
  assert_int_equal(f.statement->tables_read.count, 2);
  /* A derived table stands in the block that names it, but does not see its sources. */
  assert_int_equal(
      resolve_text(
          &f,
          "SELECT (SELECT x FROM (SELECT t.id AS x FROM transfer t WHERE t.source = a.id) d) FROM account a"),
      RESOLVE_OK);
  const Select *scalar = f.statement->select->outputs.items[0].expr->select;
  assert_string_equal(print_expr(&f, scalar->sources.items[0].select->where), "=(c0.0.1, c2.0.0):BOOLEAN");
  assert_int_equal(scalar->outer_depth, 1);
  fixture_free(&f);
}

static void test_name_errors(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
  static const Failure rows[] = {
      {"SELECT balanc FROM account", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT x.id FROM account", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"SELECT * FROM accounts", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"SELECT id FROM account, transfer", RESOLVE_ERROR, ERROR_AMBIGUOUS},
      {"SELECT 1 FROM account, account", RESOLVE_ERROR, ERROR_DUPLICATE_OBJECT},
      {"SELECT nosuch(id) FROM account", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT * FROM pg_class", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT * FROM account JOIN transfer USING (owner)", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT * FROM account a, transfer t JOIN transfer u ON a.id = t.id", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"SELECT * FROM account a, (SELECT a.id) d", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
       RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT 1 UNION SELECT 1, 2", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT (SELECT 1, 2)", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT 1 FROM account WHERE id IN (SELECT id, source FROM transfer)", RESOLVE_ERROR, ERROR_TYPE},
      {"INSERT INTO account (id, nosuch) VALUES (1, 2)", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"INSERT INTO account (id, owner) VALUES (1)", RESOLVE_ERROR, ERROR_TYPE},
      {"INSERT INTO account (id, id) VALUES (1, 2)", RESOLVE_ERROR, ERROR_DUPLICATE_OBJECT},
      {"UPDATE account SET nosuch = 1", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"UPDATE account SET owner = 'a', owner = 'b'", RESOLVE_ERROR, ERROR_SYNTAX},
      {"DELETE FROM nosuch", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"CREATE TABLE account (id INT)", RESOLVE_ERROR, ERROR_DUPLICATE_OBJECT},
      {"DROP TABLE nosuch", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"DROP TABLE IF EXISTS nosuch", RESOLVE_OK, ERROR_NONE},
      {"CREATE INDEX i ON account (nosuch)", RESOLVE_ERROR, ERROR_NO_COLUMN},
  };
  CHECK_FAILURES(&f, rows);
  resolve_text(&f, "SELECT id, balanc FROM account");
  assert_non_null(strstr(f.resolution.message, "did you mean 'balance'"));
  assert_int_equal(f.resolution.offset, 11);
  fixture_free(&f);
  fixture_bank(&f, DIALECT_SQLITE);
  static const Failure sqlite[] = {
      {"SELECT x.id FROM account", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT \"nosuch\" FROM account", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT \"OWNER\" FROM Account", RESOLVE_OK, ERROR_NONE},
      {"SELECT rowid FROM account", RESOLVE_UNMODELLED, ERROR_NONE}, /* INT PRIMARY KEY is no row id */
      {"SELECT 1 FROM account, account", RESOLVE_OK, ERROR_NONE},
  };
  CHECK_FAILURES(&f, sqlite);
  define(&f, "CREATE TABLE r (k INTEGER PRIMARY KEY, a)");
  static const Row rowid[] = {
      {"SELECT rowid, r._rowid_ FROM r", "c0.0.0:INTEGER rowid, c0.0.0:INTEGER _rowid_"}};
  CHECK_OUTPUTS(&f, rowid);
  fixture_free(&f);
}

/* ---- Joins ----------------------------------------------------------------------------------- */

static void define_sides(Fixture *f, DialectName dialect) {
  fixture_init(f, dialect);
  define(f, "CREATE TABLE l (a INT, x INT, p INT)");
  define(f, "CREATE TABLE r (b INT, x INT, a INT)");
}

/* The orders of columns are those that PostgreSQL 15, MariaDB 10.11 and SQLite 3.40 give. */
static void test_using(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_POSTGRESQL);
  static const Row postgresql[] = {
      {"SELECT * FROM l JOIN r USING (x, a)", "c0.0.1:INT x, c0.0.0:INT a, c0.0.2:INT p, c0.1.0:INT b"},
      {"SELECT * FROM l RIGHT JOIN r USING (x, a)", "c0.1.1:INT x, c0.1.2:INT a, c0.0.2:INT p, c0.1.0:INT b"},
      {"SELECT * FROM l NATURAL LEFT JOIN r", "c0.0.0:INT a, c0.0.1:INT x, c0.0.2:INT p, c0.1.0:INT b"},
      {"SELECT x FROM l FULL JOIN r USING (x)", "COALESCE(c0.0.1, c0.1.1):INT x"},
      {"SELECT l.x, r.x, x FROM l JOIN r USING (x)", "c0.0.1:INT x, c0.1.1:INT x, c0.0.1:INT x"},
  };
  CHECK_OUTPUTS(&f, postgresql);
  const From *from = f.statement->select->from;
  assert_string_equal(print_expr(&f, from->condition), "=(c0.0.1, c0.1.1):BOOLEAN");
  fixture_free(&f);
  define_sides(&f, DIALECT_MARIADB);
  static const Row mariadb[] = {
      {"SELECT * FROM l JOIN r USING (x, a)", "c0.0.0:INT a, c0.0.1:INT x, c0.0.2:INT p, c0.1.0:INT b"},
      {"SELECT * FROM l RIGHT JOIN r USING (a, x)", "c0.1.1:INT x, c0.1.2:INT a, c0.1.0:INT b, c0.0.2:INT p"},
  };
  CHECK_OUTPUTS(&f, mariadb);
  fixture_free(&f);
  define_sides(&f, DIALECT_SQLITE);
  static const Row sqlite[] = {
      {"SELECT * FROM l JOIN r USING (x, a)",
       "c0.0.0:INTEGER a, c0.0.1:INTEGER x, c0.0.2:INTEGER p, c0.1.0:INTEGER b"},
      {"SELECT x FROM l RIGHT JOIN r USING (x)", "c0.1.1:INTEGER x"},
  };
  CHECK_OUTPUTS(&f, sqlite);
  fixture_free(&f);
}

static void test_joins(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_POSTGRESQL);
  assert_int_equal(
      resolve_text(&f,
                   "SELECT 1 FROM l LEFT JOIN r ON l.a = r.a AND EXISTS (SELECT 1 FROM l z WHERE z.x = r.x)"),
      RESOLVE_OK);
  const Select *select = f.statement->select;
  assert_false(select->sources.items[0].is_nullable);
  assert_true(select->sources.items[1].is_nullable);
  assert_string_equal(print_expr(&f, select->from->condition),
                      "AND(=(c0.0.0, c0.1.2), EXISTS((select))):BOOLEAN");
  assert_string_equal(print_expr(&f, select->from->condition->args[1]->select->where),
                      "=(c0.0.1, c1.1.1):BOOLEAN");
  fixture_free(&f);
}

/* ---- Views ----------------------------------------------------------------------------------- */

static void test_views(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_GENERIC);
  define(&f, "CREATE VIEW rich (who, money) AS SELECT owner, balance FROM account WHERE balance > 1000");
  define(&f, "CREATE VIEW richer AS SELECT money FROM rich WHERE money > 5000 ORDER BY 1");
  assert_int_equal(resolve_text(&f, "SELECT r.money + 1 FROM richer r WHERE money < 7"), RESOLVE_OK);
  assert_string_equal(print_outputs(&f, f.statement->select), "+(c0.0.0, $0):DECIMAL");
  assert_int_equal(f.statement->tables_read.count, 1);
  /* The statement has two inputs; behind them come those of richer and, inside it, of rich. */
  assert_int_equal(f.resolution.constants.count, 3);
  const Select *richer = f.statement->select->sources.items[0].select;
  assert_string_equal(print_expr(&f, richer->where), ">(c0.0.1, $2):BOOLEAN");
  assert_int_equal(f.resolution.constants.items[0].integer, 5000);
  assert_string_equal(print_expr(&f, richer->sources.items[0].select->where), ">(c0.0.2, $4):BOOLEAN");
  assert_int_equal(f.resolution.constants.items[2].integer, 1000);
  assert_int_equal(f.resolution.pinned.count, 0); /* the view's position needs no pin */
  fixture_free(&f);
}

/* ---- ORDER BY, GROUP BY ---------------------------------------------------------------------- */

static void test_order(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_POSTGRESQL);
  assert_int_equal(resolve_text(&f, "SELECT a AS x, x AS a, p + 5 FROM l ORDER BY x, 2 DESC, p + 6, l.a, 3"),
                   RESOLVE_OK);
  const Select *select = f.statement->select;
  static const int32_t items[] = {0, 1, -1, 0, 2};
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(select->order_by.items[i].item, items[i]);
  assert_string_equal(print_expr(&f, select->order_by.items[2].expr), "+(c0.0.2, $2):INT");
  assert_int_equal(f.resolution.pinned.count, 2);
  assert_int_equal(f.resolution.pinned.items[0], 1); /* the position 2 */
  assert_int_equal(f.resolution.pinned.items[1], 3);
  static const Failure rows[] = {
      {"SELECT a FROM l ORDER BY 2", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT a FROM l ORDER BY 'a'", RESOLVE_ERROR, ERROR_SYNTAX},
      {"SELECT a AS z, x AS z FROM l ORDER BY z", RESOLVE_ERROR, ERROR_AMBIGUOUS},
      {"SELECT DISTINCT a FROM l ORDER BY x", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT DISTINCT a + 1 FROM l ORDER BY a + 1", RESOLVE_OK, ERROR_NONE},
      {"SELECT a AS z FROM l ORDER BY z + 1", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT a FROM l UNION SELECT b FROM r ORDER BY b", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT a FROM l UNION SELECT b FROM r ORDER BY a", RESOLVE_OK, ERROR_NONE},
  };
  CHECK_FAILURES(&f, rows);
  fixture_free(&f);
  define_sides(&f, DIALECT_SQLITE);
  assert_int_equal(resolve_text(&f, "SELECT -a AS x FROM l ORDER BY x, x + 0, a"), RESOLVE_OK);
  assert_int_equal(f.statement->select->order_by.items[0].item, 0);
  assert_string_equal(print_expr(&f, f.statement->select->order_by.items[1].expr),
                      "+(c0.0.1, $0):ANY"); /* the column x */
  fixture_free(&f);
  define_sides(&f, DIALECT_MYSQL);
  assert_int_equal(resolve_text(&f, "SELECT -a AS z FROM l WHERE a > 1 ORDER BY z + 1, 'x'"), RESOLVE_OK);
  assert_string_equal(print_expr(&f, f.statement->select->order_by.items[0].expr), "+(-(c0.0.0), $1):BIGINT");
  fixture_free(&f);
}

static void test_group(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_POSTGRESQL);
  define(&f, "CREATE TABLE k (id INT PRIMARY KEY, v INT)");
  static const Row rows[] = {
      {"SELECT a, COUNT(*), SUM(x) + a FROM l GROUP BY a", "k0.0:INT a, agg0:BIGINT, +(agg1, k0.0):BIGINT"},
      {"SELECT a + 1 FROM l GROUP BY a + 1", "k0.0:INT"},
      {"SELECT a + 1 AS z FROM l GROUP BY z", "k0.0:INT z"},
      {"SELECT x AS a, COUNT(*) FROM l GROUP BY x, 1", "k0.0:INT a, agg0:BIGINT"},
      {"SELECT (a + 1) * 2 FROM l GROUP BY a", "*(+(k0.0, $0), $1):INT"},
      {"SELECT v, id FROM k GROUP BY id", "c0.0.1:INT v, k0.0:INT id"},
      {"SELECT k.id, COUNT(*) FROM k, l GROUP BY k.id, l.a HAVING SUM(l.x) > 3", "k0.0:INT id, agg0:BIGINT"},
      {"SELECT COUNT(*), AVG(a), MAX(x) FROM l", "agg0:BIGINT, agg1:DECIMAL, agg2:INT"},
  };
  CHECK_OUTPUTS(&f, rows);
  assert_true(f.statement->select->is_grouped);
  assert_int_equal(f.statement->select->aggregates.count, 3);
  static const Failure failures[] = {
      {"SELECT a, COUNT(*) FROM l", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a + 2 FROM l GROUP BY a + 1", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l GROUP BY x", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l WHERE SUM(a) > 1", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT SUM(SUM(a)) FROM l", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l GROUP BY SUM(a)", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l HAVING a > 1", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l GROUP BY a ORDER BY x", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l GROUP BY 7", RESOLVE_ERROR, ERROR_TYPE},
      {"SELECT a AS z FROM l GROUP BY a HAVING z > 1", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT (SELECT SUM(l.a) FROM r) FROM l", RESOLVE_UNMODELLED, ERROR_NONE},
      {"UPDATE l SET a = SUM(x)", RESOLVE_ERROR, ERROR_GROUPING},
  };
  CHECK_FAILURES(&f, failures);
  fixture_free(&f);
}

/* Whether a + 1 is the key a + ? depends on the values: both are pinned, also when they differ. */
static void test_group_pins(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_MARIADB);
  assert_int_equal(resolve_text(&f, "SELECT a + 1, x FROM l WHERE p = 9 GROUP BY a + 1"), RESOLVE_OK);
  assert_string_equal(print_outputs(&f, f.statement->select), "k0.0:BIGINT, c0.0.1!:INT x");
  assert_int_equal(f.resolution.pinned.count, 2);
  assert_int_equal(resolve_text(&f, "SELECT a + 1 FROM l WHERE p = 9 GROUP BY a + 2"), RESOLVE_OK);
  assert_string_equal(print_outputs(&f, f.statement->select), "+(c0.0.0!, $0):BIGINT");
  assert_int_equal(f.resolution.pinned.count, 2);
  fixture_free(&f);
}

static void test_group_in_subqueries(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_POSTGRESQL);
  assert_int_equal(resolve_text(&f, "SELECT a, (SELECT COUNT(*) FROM r WHERE r.a = l.a) FROM l GROUP BY a "
                                    "HAVING EXISTS (SELECT b FROM r WHERE b = l.a AND r.x > (SELECT l.a))"),
                   RESOLVE_OK);
  const Select *select = f.statement->select;
  assert_string_equal(print_expr(&f, select->outputs.items[1].expr->select->where),
                      "=(c0.0.2, k1.0):BOOLEAN");
  const Expr *condition = select->having->select->where;
  assert_string_equal(print_expr(&f, condition->args[0]), "=(c0.0.0, k1.0):BOOLEAN");
  assert_string_equal(print_outputs(&f, condition->args[1]->args[1]->select), "k2.0:INT a");
  static const Failure failures[] = {
      {"SELECT a, (SELECT COUNT(*) FROM r WHERE r.a = l.x) FROM l GROUP BY a", RESOLVE_ERROR, ERROR_GROUPING},
  };
  CHECK_FAILURES(&f, failures);
  fixture_free(&f);
}

static void test_group_by_dialect(void **state) {
  (void)state;
  Fixture f;
  define_sides(&f, DIALECT_MYSQL);
  f.schema.dialect.full_group_by = true;
  static const Failure mysql[] = {
      {"SELECT a, COUNT(*) FROM l", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l WHERE a = 1 GROUP BY x", RESOLVE_UNMODELLED, ERROR_NONE},
      {"SELECT a FROM l HAVING x > 1", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"SELECT a AS z FROM l HAVING z > 1 AND a > 2", RESOLVE_OK, ERROR_NONE},
  };
  CHECK_FAILURES(&f, mysql);
  assert_null(f.statement->select->having); /* without groups it is a second WHERE */
  assert_string_equal(print_expr(&f, f.statement->select->where), "AND(>(c0.0.0, $0), >(c0.0.0, $1)):INT");
  fixture_free(&f);
  define_sides(&f, DIALECT_SQLITE);
  static const Row sqlite[] = {
      {"SELECT a, x, MAX(p) FROM l GROUP BY a", "k0.0:INTEGER a, c0.0.1!:INTEGER x, agg0:ANY"},
      {"SELECT MAX(a, x) FROM l", "MAX(c0.0.0, c0.0.1):ANY"},
      {"SELECT -a AS z FROM l WHERE z < 0", "-(c0.0.0):ANY z"},
  };
  CHECK_OUTPUTS(&f, sqlite);
  static const Failure failures[] = {
      {"SELECT a FROM l HAVING a > 1", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT a FROM l WHERE COUNT(*) > 1", RESOLVE_ERROR, ERROR_GROUPING},
      {"SELECT COUNT(*) AS n FROM l WHERE n > 1", RESOLVE_ERROR, ERROR_GROUPING},
  };
  CHECK_FAILURES(&f, failures);
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_correlation),
      cmocka_unit_test(test_name_errors),
      cmocka_unit_test(test_using),
      cmocka_unit_test(test_joins),
      cmocka_unit_test(test_views),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_group),
      cmocka_unit_test(test_group_pins),
      cmocka_unit_test(test_group_in_subqueries),
      cmocka_unit_test(test_group_by_dialect),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
