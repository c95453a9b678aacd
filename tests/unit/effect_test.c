/* effect_test.c: INSERT, UPDATE, DELETE and their relatives, constraints and affected counts, by dialect.
 * The answers of mysql's scripts were seen on MariaDB 10.11, those of the others on PostgreSQL 15 and
 * SQLite 3.40. */
#include "tests/unit/model.h"

static void insert_counts_rows(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (id INT PRIMARY KEY, v INT DEFAULT 7, s TEXT)", "done"},
         {"INSERT INTO t VALUES (1, 2, 'a'), (2, 3, NULL)", "done 2"},
         {"INSERT INTO t (id) VALUES (3)", "done 1"}, {"INSERT INTO t VALUES (4, DEFAULT, 'd')", "done 1"},
         {"INSERT INTO t VALUES (5)", "done 1"},
         {"SELECT * FROM t ORDER BY id", "1,2,'a' | 2,3,NULL | 3,7,NULL | 4,7,'d' | 5,7,NULL"},
         {"INSERT INTO t SELECT id + 10, v, s FROM t WHERE id < 3", "done 2"},
         {"SELECT COUNT(*) FROM t", "7"}, {"INSERT INTO t VALUES (20, 1, 'x') RETURNING id, v + 1", "20,2"});
}

static void insert_sees_no_own_rows(void **state) {
  (void)state;
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (a INT)", "done"}, {"INSERT INTO t VALUES (1), (2)", "done 2"},
         {"INSERT INTO t SELECT a + 1 FROM t", "done 2"}, {"INSERT INTO t SELECT a FROM t", "done 4"},
         {"INSERT INTO t VALUES ((SELECT COUNT(*) FROM t)), ((SELECT COUNT(*) FROM t))", "done 2"},
         {"SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY a", "1,2 | 2,4 | 3,2 | 8,2"});
}

static void constraints_of_rows(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL,
         {"CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL CHECK (v > 0), u INT UNIQUE)", "done"},
         {"INSERT INTO t VALUES (1, 1, 1)", "done 1"}, {"INSERT INTO t VALUES (1, 1, 2)", "error 23505"},
         {"INSERT INTO t VALUES (2, 1, 1)", "error 23505"},
         {"INSERT INTO t VALUES (2, NULL, 2)", "error 23502"},
         {"INSERT INTO t VALUES (2, 0, 2)", "error 23514"},
         {"INSERT INTO t VALUES (1, 0, 5)", "error 23505 23514"},
         {"INSERT INTO t VALUES (NULL, 1, 5)", "error 23502"},
         {"INSERT INTO t VALUES (5, 1, 5), (6, 1, 5)", "error 23505"},
         {"INSERT INTO t VALUES (2, 1, NULL), (3, 1, NULL)", "done 2"},
         {"UPDATE t SET v = 0 WHERE id = 1", "error 23514"}, {"UPDATE t SET v = NULL", "error 23502"},
         {"UPDATE t SET u = 1 WHERE id = 2", "error 23505"},
         {"SELECT id, v, u FROM t ORDER BY id", "1,1,1 | 2,1,NULL | 3,1,NULL"});
}

static void update_of_keys(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", "done"},
         {"INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)", "done 3"},
         {"UPDATE t SET id = id + 1", "done 3, maybe 23505"},
         {"SELECT * FROM t ORDER BY id", "2,10 | 3,20 | 4,30"},
         {"UPDATE t SET id = 5 - id WHERE id < 4", "done 2, maybe 23505"},
         {"SELECT * FROM t ORDER BY id", "2,20 | 3,10 | 4,30"}, {"UPDATE t SET id = 9", "error 23505"},
         {"UPDATE t SET id = 4 WHERE id = 2", "error 23505"}, {"UPDATE t SET id = 2 WHERE id = 2", "done 1"},
         {"UPDATE t SET id = id + 10", "done 3"}, {"SELECT v FROM t WHERE id = 12", "20"},
         {"SELECT COUNT(*) FROM t WHERE id < 10", "0"});
}

static void update_assigns_by_dialect(void **state) {
  (void)state;
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (v INT, w INT)", "done"}, {"INSERT INTO t VALUES (1, 2)", "done 1"},
         {"UPDATE t SET v = w, w = v", "done 1"}, {"SELECT v, w FROM t", "2,1"});
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (v INT, w INT)", "done"},
         {"INSERT INTO t VALUES (1, 2)", "done 1"}, {"UPDATE t SET v = w, w = v", "done 1"},
         {"SELECT v, w FROM t", "2,2"}, {"UPDATE t SET v = v + 1, w = v", "done 1"},
         {"SELECT v, w FROM t", "3,3"});
}

static void affected_counts(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t VALUES (1, 1), (2, 2)", "done 2"}, {"UPDATE t SET v = 1", "done 2"},
         {"UPDATE t SET v = 1 WHERE id = 9", "done 0"}, {"DELETE FROM t", "done 2"},
         {"DELETE FROM t", "done 0"});
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t VALUES (1, 1), (2, 2)", "done 2"}, {"UPDATE t SET v = 1", "done 1"},
         {"UPDATE t SET v = 1", "done 0"}, {"DELETE FROM t WHERE id = 1", "done 1"});
  Dialect dialect = dialect_new(DIALECT_MARIADB);
  dialect.found_rows = true;
  Engine *engine = engine_new(dialect);
  engine_begin(engine, 1);
  LINES(engine, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
        {"INSERT INTO t VALUES (1, 1), (2, 2)", "done 2"}, {"UPDATE t SET v = 1", "done 2"},
        {"INSERT INTO t VALUES (1, 5) ON DUPLICATE KEY UPDATE v = 1", "done 1"});
  model_free(engine);
}

static void upsert_postgresql(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (id INT PRIMARY KEY, v INT, u INT UNIQUE)", NULL},
         {"INSERT INTO t VALUES (1, 1, 1) ON CONFLICT DO NOTHING", "done 1"},
         {"INSERT INTO t VALUES (1, 9, 2), (2, 9, 1), (3, 3, 3) ON CONFLICT DO NOTHING", "done 1"},
         {"INSERT INTO t VALUES (1, 5, 7) ON CONFLICT (id) DO UPDATE SET v = t.v + excluded.v RETURNING id, "
          "v, u",
          "1,6,1"},
         {"INSERT INTO t VALUES (9, 5, 1) ON CONFLICT (id) DO UPDATE SET v = 0", "error 23505"},
         {"INSERT INTO t VALUES (1, 5, 7) ON CONFLICT (id) DO UPDATE SET v = 0 WHERE t.v > 100", "done 0"},
         {"INSERT INTO t VALUES (8, 1, 8), (8, 2, 9) ON CONFLICT (id) DO UPDATE SET v = excluded.v",
          "error 21000"},
         {"INSERT INTO t VALUES (8, 1, 8), (8, 2, 9) ON CONFLICT (id) DO NOTHING", "done 1"},
         {"SELECT * FROM t ORDER BY id", "1,6,1 | 3,3,3 | 8,1,8"});
}

static void upsert_mysql(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE u (a INT PRIMARY KEY, b INT UNIQUE, c INT)", NULL},
         {"INSERT INTO u VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)", "done 3"},
         {"REPLACE INTO u VALUES (1, 1, 1)", "done 2"}, {"REPLACE INTO u VALUES (1, 2, 9)", "done 3"},
         {"REPLACE INTO u VALUES (1, 2, 9), (4, 4, 4), (4, 4, 4)", "done 5"},
         {"INSERT INTO u VALUES (1, 7, 7) ON DUPLICATE KEY UPDATE c = 9", "done 0"},
         {"INSERT INTO u VALUES (1, 7, 7), (9, 9, 9) ON DUPLICATE KEY UPDATE c = c + 1", "done 3"},
         {"INSERT INTO u VALUES (1, 3, 7) ON DUPLICATE KEY UPDATE c = c + 1", "done 2"},
         {"SELECT * FROM u ORDER BY a", "1,2,11 | 3,3,3 | 4,4,4 | 9,9,9"},
         {"INSERT IGNORE INTO u VALUES (1, 1, 1), (10, 10, 10), (11, 10, 0)", "done 1"},
         {"INSERT INTO u VALUES (1, 5, 5) ON DUPLICATE KEY UPDATE c = VALUES(c) + 1 RETURNING a, c", "1,6"},
         {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL}, {"INSERT INTO t VALUES (1, 100)", "done 1"},
         {"REPLACE INTO t VALUES (1, 100)", "done 1"}, {"REPLACE INTO t VALUES (1, 101)", "done 2"});
}

static void ignore_in_mariadb(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT CHECK (v > 0))", NULL},
         {"INSERT IGNORE INTO t VALUES (5, -1)", "error 23514"},
         {"INSERT IGNORE INTO t VALUES (7, 1), (8, -1), (9, 1)", "done 2"},
         {"SELECT id FROM t ORDER BY id", "7 | 9"});
}

/* Foreign keys are looked at row by row in InnoDB, at the end of the statement elsewhere. */
static void errors_of_several_rows(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE p (id INT PRIMARY KEY)", NULL},
         {"CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id))", NULL},
         {"INSERT INTO p VALUES (1), (3)", NULL}, {"INSERT INTO c VALUES (1, 3)", NULL},
         {"INSERT INTO c VALUES (2, 9), (1, 3)", "error 23505 23503"},
         {"UPDATE p SET id = 1 WHERE id IN (1, 3)", "error 23505 23503"});
  SCRIPT(DIALECT_SQLITE, {"PRAGMA foreign_keys = ON", "done"}, {"CREATE TABLE p (id INT PRIMARY KEY)", NULL},
         {"CREATE TABLE c (id INTEGER PRIMARY KEY, p INT REFERENCES p (id))", NULL},
         {"INSERT INTO p VALUES (1)", NULL},
         {"INSERT INTO c VALUES (2, 9), (2, 1) ON CONFLICT (id) DO UPDATE SET p = excluded.p", "done 2"},
         {"REPLACE INTO c VALUES (3, 9), (3, 1)", "done 2"}, {"SELECT * FROM c ORDER BY id", "2,1 | 3,1"},
         {"UPDATE c SET id = 'x' WHERE id = 2", "error 22P02"});
}

static void upsert_sqlite(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_SQLITE,
      {"CREATE TABLE t (id INTEGER PRIMARY KEY, v INT NOT NULL DEFAULT 5, u INT UNIQUE)", NULL},
      {"INSERT INTO t VALUES (1, 1, 1), (2, 2, 2)", "done 2"},
      {"INSERT OR REPLACE INTO t VALUES (1, 9, 2)", "done 1"}, {"SELECT * FROM t", "1,9,2"},
      {"INSERT OR IGNORE INTO t VALUES (1, 0, 0), (3, NULL, 3), (4, 4, 4)", "done 1"},
      {"REPLACE INTO t VALUES (5, NULL, 5)", "done 1"},
      {"SELECT * FROM t ORDER BY id", "1,9,2 | 4,4,4 | 5,5,5"},
      {"INSERT INTO t VALUES (5, 1, 1) ON CONFLICT (id) DO UPDATE SET v = v + excluded.v, u = 77", "done 1"},
      {"SELECT * FROM t WHERE id = 5", "5,6,77"});
}

static void joined_writes_mysql(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE a (id INT PRIMARY KEY, v INT, w INT)", NULL},
         {"CREATE TABLE b (id INT PRIMARY KEY, aid INT, x INT)", NULL},
         {"INSERT INTO a VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)", "done 3"},
         {"INSERT INTO b VALUES (1, 1, 10), (2, 1, 10), (3, 2, 20), (4, 9, 9)", "done 4"},
         {"UPDATE a JOIN b ON a.id = b.aid SET a.v = b.x", "done 2"},
         {"UPDATE a JOIN b ON a.id = b.aid SET a.v = a.v + 1, b.x = b.x + 1", "done 5"},
         {"UPDATE a JOIN b ON a.id = b.aid SET a.v = a.v, b.x = b.x + 1", "done 3"},
         {"UPDATE a JOIN b ON a.id = b.aid SET a.v = b.id", "unmodelled"},
         {"UPDATE a LEFT JOIN b ON a.id = b.aid SET a.w = 77 WHERE b.id IS NULL", "done 1"},
         {"SELECT * FROM a ORDER BY id", "1,11,1 | 2,21,2 | 3,3,77"},
         {"DELETE a, b FROM a JOIN b ON a.id = b.aid WHERE a.id = 1", "done 3"},
         {"SELECT id FROM b ORDER BY id", "3 | 4"});
}

static void update_with_limit(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t VALUES (1, 0), (2, 0), (3, 0)", NULL},
         {"UPDATE t SET v = 1 ORDER BY id DESC LIMIT 2", "done 2"},
         {"SELECT id FROM t WHERE v = 1 ORDER BY id", "2 | 3"}, {"UPDATE t SET v = 5 LIMIT 2", "unmodelled"},
         {"UPDATE t SET v = 5 LIMIT 3", "done 3"}, {"DELETE FROM t ORDER BY id LIMIT 1", "done 1"},
         {"DELETE FROM t ORDER BY v LIMIT 1", "unmodelled"}, {"SELECT id FROM t ORDER BY id", "2 | 3"});
}

static void foreign_keys(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE p (id INT PRIMARY KEY, v INT)", NULL},
         {"CREATE TABLE c (id INT PRIMARY KEY, p INT REFERENCES p (id))", NULL},
         {"INSERT INTO p VALUES (1, 1), (2, 2)", "done 2"},
         {"INSERT INTO c VALUES (1, 1), (2, NULL)", "done 2"}, {"INSERT INTO c VALUES (3, 9)", "error 23503"},
         {"UPDATE c SET p = 9 WHERE id = 1", "error 23503"}, {"UPDATE c SET p = 2 WHERE id = 1", "done 1"},
         {"DELETE FROM p WHERE id = 2", "error 23503"}, {"DELETE FROM p WHERE id = 1", "done 1"},
         {"UPDATE p SET v = 5", "done 1"}, {"UPDATE p SET id = 3", "error 23503"},
         {"DROP TABLE p", "error 23503 XX000"}, {"DELETE FROM c", "done 2"},
         {"UPDATE p SET id = 3", "done 1"}, {"DROP TABLE c", "done"}, {"DROP TABLE p", "done"});
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE p (id INT PRIMARY KEY)", NULL},
         {"CREATE TABLE c (id INT PRIMARY KEY, p INT REFERENCES p (id))", NULL},
         {"INSERT INTO c VALUES (3, 9)", "done 1"}, {"PRAGMA foreign_keys = 0", "done"},
         {"PRAGMA foreign_keys = 1", "done"}, {"INSERT INTO c VALUES (4, 9)", "error 23503"});
}

static void foreign_keys_of_one_table(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE s (id INT PRIMARY KEY, p INT REFERENCES s)", NULL},
         {"INSERT INTO s VALUES (2, 1), (1, NULL), (3, 3)", "done 3"},
         {"DELETE FROM s WHERE id = 1", "error 23503"}, {"DELETE FROM s", "done 3"});
  SCRIPT(DIALECT_MARIADB,
         {"CREATE TABLE s (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES s (id))", NULL},
         {"INSERT INTO s VALUES (1, NULL), (2, 1)", "done 2, maybe 23503"},
         {"DELETE FROM s", "done 2, maybe 23503"});
}

static void foreign_key_actions_are_set_aside(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE p (id INT PRIMARY KEY)", NULL},
         {"CREATE TABLE c (id INT PRIMARY KEY, p INT REFERENCES p (id) ON DELETE CASCADE)", NULL},
         {"INSERT INTO p VALUES (1), (2)", NULL}, {"INSERT INTO c VALUES (1, 1)", NULL},
         {"DELETE FROM p WHERE id = 2", "done 1"}, {"DELETE FROM p WHERE id = 1", "unmodelled"},
         {"SELECT * FROM p", "1"});
}

static void deferred_foreign_keys(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  LINES(engine, {"CREATE TABLE p (id INT PRIMARY KEY)", NULL},
        {"CREATE TABLE c (id INT PRIMARY KEY, p INT REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)", NULL},
        {"INSERT INTO c VALUES (1, 1)", "done 1"});
  assert_int_equal(engine_commit_errors(engine), ERROR_BIT(ERROR_FOREIGN_KEY));
  LINES(engine, {"INSERT INTO p VALUES (1)", "done 1"});
  assert_int_equal(engine_commit_errors(engine), 0);
  model_free(engine);
}

static void conversions_into_columns(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (a SMALLINT, d DECIMAL(5,2), s VARCHAR(3))", NULL},
         {"INSERT INTO t VALUES (40000, 1, 'a')", "error 22003"},
         {"INSERT INTO t VALUES (1, 1.005, 'abc')", "done 1"},
         {"INSERT INTO t VALUES (1, 1000, 'abc')", "error 22003"},
         {"INSERT INTO t VALUES (1, 1, 'abcd')", "error 22001"},
         {"INSERT INTO t VALUES ('x', 1, 'a')", "error 22P02"}, {"SELECT * FROM t", "1,1.01,'abc'"});
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (a INT, s TEXT)", NULL},
         {"INSERT INTO t VALUES ('12', 12), ('x', 1.5)", "done 2"},
         {"SELECT a, s, typeof(a), typeof(s) FROM t", "'x','1.5','text','text' | 12,'12','integer','text'"});
}

static void truncate_empties(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (a INT)", NULL}, {"INSERT INTO t VALUES (1), (2)", NULL},
         {"TRUNCATE t", "done"}, {"SELECT COUNT(*) FROM t", "0"});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(insert_counts_rows),
      cmocka_unit_test(insert_sees_no_own_rows),
      cmocka_unit_test(constraints_of_rows),
      cmocka_unit_test(update_of_keys),
      cmocka_unit_test(update_assigns_by_dialect),
      cmocka_unit_test(affected_counts),
      cmocka_unit_test(upsert_postgresql),
      cmocka_unit_test(upsert_mysql),
      cmocka_unit_test(ignore_in_mariadb),
      cmocka_unit_test(errors_of_several_rows),
      cmocka_unit_test(upsert_sqlite),
      cmocka_unit_test(joined_writes_mysql),
      cmocka_unit_test(update_with_limit),
      cmocka_unit_test(foreign_keys),
      cmocka_unit_test(foreign_keys_of_one_table),
      cmocka_unit_test(foreign_key_actions_are_set_aside),
      cmocka_unit_test(deferred_foreign_keys),
      cmocka_unit_test(conversions_into_columns),
      cmocka_unit_test(truncate_empties),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
