/* procedure_test.c: CALL and the statements of procedures.  Expected answers were seen on MariaDB 10.11. */
#include "tests/unit/model.h"

static void variables_and_branches(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB,
         {"CREATE PROCEDURE p(IN a INT, OUT b INT, INOUT c INT) BEGIN DECLARE x, y INT DEFAULT 3; "
          "IF a > 10 THEN SET b = 1; ELSEIF a > 5 THEN SET b = 2; ELSE SET b = x + y; END IF; "
          "CASE a WHEN 1 THEN SET c = c + 1; WHEN 2 THEN SET c = c + 2; ELSE SET c = c * 10; END CASE; "
          "CASE WHEN a = 1 THEN SELECT 'one'; ELSE SELECT 'other'; END CASE; END",
          "done"},
         {"SET @c = 5", "done"}, {"CALL p(1, @b, @c)", "'one'"}, {"SELECT @b, @c", "6,6"},
         {"CALL p(7, @b, @c)", "'other'"}, {"SELECT @b, @c", "2,60"});
}

static void loops(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (n INT)", NULL},
         {"CREATE PROCEDURE p() BEGIN DECLARE i, j INT DEFAULT 0; "
          "WHILE i < 3 DO SET i = i + 1; SET j = 0; WHILE j < i DO INSERT INTO t VALUES (10 * i + j); SET j "
          "= j + 1; END WHILE; END WHILE; "
          "REPEAT SET i = i - 1; UNTIL i = 0 END REPEAT; "
          "a: LOOP SET i = i + 1; IF i = 2 THEN ITERATE a; END IF; IF i > 4 THEN LEAVE a; END IF; INSERT "
          "INTO t VALUES (i); END LOOP; "
          "FOR k IN 7..9 DO INSERT INTO t VALUES (k); END FOR; END",
          "done"},
         {"CALL p()", "done 12"},
         {"SELECT n FROM t ORDER BY n", "1 | 3 | 4 | 7 | 8 | 9 | 10 | 20 | 21 | 30 | 31 | 32"});
}

static void cursors(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
      {"INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)", NULL},
      {"CREATE PROCEDURE p(OUT total INT) BEGIN DECLARE done INT DEFAULT 0; DECLARE a, b INT; "
       "DECLARE c CURSOR FOR SELECT id, v FROM t ORDER BY id; DECLARE CONTINUE HANDLER FOR NOT FOUND SET "
       "done = 1; "
       "SET total = 0; OPEN c; UPDATE t SET v = 0; "
       "REPEAT FETCH c INTO a, b; IF NOT done THEN SET total = total * 2 + b; END IF; UNTIL done END REPEAT; "
       "CLOSE c; END",
       "done"},
      {"CALL p(@t)", NULL}, {"SELECT @t", "110"}, {"SELECT SUM(v) FROM t", "0"},
      {"CREATE PROCEDURE q() BEGIN DECLARE a INT; DECLARE c CURSOR FOR SELECT id FROM t WHERE id > 5; OPEN "
       "c; FETCH c INTO a; END",
       "done"},
      {"CALL q()", "error 02000"},
      {"CREATE PROCEDURE r() BEGIN DECLARE a INT; DECLARE c CURSOR FOR SELECT id FROM t; FETCH c INTO a; END",
       "done"},
      {"CALL r()", "error 24000"});
}

static void select_into(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
      {"INSERT INTO t VALUES (1, 10), (2, 20)", NULL},
      {"CREATE PROCEDURE p() BEGIN DECLARE x INT DEFAULT 7; SELECT v INTO x FROM t WHERE id = 99; SELECT x; "
       "SELECT v INTO x FROM t WHERE id = 1; SELECT x; END",
       "done"},
      {"CALL p()", "7 ; 10"},
      {"CREATE PROCEDURE q() BEGIN DECLARE x INT; SELECT v INTO x FROM t; END", "done"},
      {"CALL q()", "error 21000"}, {"SELECT v INTO @v FROM t WHERE id = 2", "done 1"},
      {"SELECT @v + 1", "21"});
}

/* Statements before the failing one keep their effects; the failing one has none. */
static void errors_keep_earlier_effects(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (2, 2), (1, 5); "
          "INSERT INTO t VALUES (3, 3); END",
          "done"},
         {"CALL p()", "error 23505"}, {"SELECT * FROM t", "1,1"});
  SCRIPT(DIALECT_GENERIC, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (2, 2), (1, 5); END",
          "done"},
         {"CALL p()", "error 23505"}, {"SELECT * FROM t", "no rows"});
}

static void handlers(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t VALUES (1, 3), (2, 4)", NULL},
         {"CREATE PROCEDURE q6() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @e = 1; UPDATE t SET v "
          "= v + 1; "
          "INSERT INTO t VALUES (1, 1); UPDATE t SET v = v + 1 WHERE id = 1; END",
          "done"},
         {"CREATE PROCEDURE q7() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SET @e = 2; UPDATE t SET v = v "
          "+ 1; "
          "INSERT INTO t VALUES (5, 5), (1, 1); UPDATE t SET v = v + 1 WHERE id = 1; END",
          "done"},
         {"CALL q6()", "done 3"}, {"SELECT @e", "1"}, {"CALL q7()", "done 2"}, {"SELECT @e", "2"},
         {"SELECT * FROM t ORDER BY id", "1,6 | 2,6"},
         {"CREATE PROCEDURE q8() BEGIN DECLARE EXIT HANDLER FOR 1062 SELECT 'duplicate'; "
          "BEGIN DECLARE EXIT HANDLER FOR NOT FOUND SELECT 'inner'; INSERT INTO t VALUES (1, 1); SELECT 'not "
          "reached'; END; SELECT 'nor this'; END",
          "done"},
         {"CALL q8()", "'duplicate'"},
         {"CREATE PROCEDURE q9() BEGIN BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '23000' SELECT 'inner'; "
          "INSERT INTO t VALUES (1, 1); END; "
          "SELECT 'after'; SIGNAL SQLSTATE '45000'; SELECT 'never'; END",
          "done"},
         {"CALL q9()", "error 45000"});
}

/* In one block a number goes before a state, and a state before a class. */
static void handlers_have_ranks(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY)", NULL}, {"INSERT INTO t VALUES (1)", NULL},
         {"CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'class'; "
          "DECLARE CONTINUE HANDLER FOR SQLSTATE '23000' SELECT 'state'; "
          "DECLARE CONTINUE HANDLER FOR 1062 SELECT 'number'; INSERT INTO t VALUES (1); "
          "INSERT INTO t VALUES (NULL); SIGNAL SQLSTATE '45000'; END",
          "done"},
         {"CALL p()", "'number' ; 'state' ; 'class'"});
}

/* What an inner procedure showed and counted before it failed has been seen. */
static void failed_calls_have_shown_their_results(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
      {"CREATE PROCEDURE a1() BEGIN INSERT INTO t VALUES (1, 1), (2, 2), (3, 3); INSERT INTO t VALUES (1, "
       "1); END",
       "done"},
      {"CREATE PROCEDURE a2() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @x = 1; CALL a1(); "
       "UPDATE t SET v = 9 WHERE id = 1; END",
       "done"},
      {"CALL a2()", "done 4"},
      {"CREATE PROCEDURE b1() BEGIN SELECT 'inner'; SIGNAL SQLSTATE '45000'; END", "done"},
      {"CREATE PROCEDURE b2() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT 'handled'; CALL b1(); END",
       "done"},
      {"CALL b2()", "'inner' ; 'handled'"});
}

/* The first of too many rows has been assigned by the time the server notices. */
static void select_into_several_rows(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
      {"INSERT INTO t VALUES (1, 10), (2, 20)", NULL},
      {"CREATE PROCEDURE p() BEGIN DECLARE x INT DEFAULT 7; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT "
       "'many'; "
       "SELECT v INTO x FROM t ORDER BY id DESC; SELECT x; END",
       "done"},
      {"CALL p()", "'many' ; 20"},
      {"CREATE PROCEDURE q() BEGIN DECLARE x INT; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'many'; "
       "SELECT v INTO x FROM t; SELECT x; END",
       "done"},
      {"CALL q()", "unmodelled"});
}

/* Whether it succeeded or failed: some of what a CALL that is set aside wrote may be there. */
static void calls_that_are_set_aside_lose_their_tables(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY)", NULL}, {"CREATE TABLE u (id INT)", NULL},
         {"CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1); CALL p(); END", "done"},
         {"CALL p()", "unmodelled"}, {"SELECT * FROM t", "doubt"}, {"SELECT * FROM u", "no rows"});
}

static void nested_calls(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)", NULL},
         {"CREATE PROCEDURE inner_one(IN a INT, OUT b INT) BEGIN UPDATE t SET v = v + a; SET b = a * 2; END",
          "done"},
         {"CREATE PROCEDURE outer_one(OUT r INT) BEGIN DECLARE x INT; CALL inner_one(5, x); CALL "
          "inner_one(x, r); END",
          "done"},
         {"CALL outer_one(@r)", "done 6"}, {"SELECT @r", "20"}, {"SELECT SUM(v) FROM t", "51"},
         {"CREATE PROCEDURE again() BEGIN CALL again(); END", "done"}, {"CALL again()", "unmodelled"},
         {"CALL nowhere()", "error 42883"}, {"CALL inner_one(1)", "error 42883"});
}

static void text_variables_are_copied(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB,
         {"CREATE PROCEDURE p() BEGIN DECLARE s VARCHAR(40) DEFAULT 'ab'; DECLARE i INT DEFAULT 0; "
          "WHILE i < 4 DO SET s = CONCAT(s, i); SET s = SUBSTRING(s, 1, 20); SET i = i + 1; END WHILE; "
          "SELECT s; SET @s = s; END",
          "done"},
         {"CALL p()", "'ab0123'"}, {"SELECT @s", "'ab0123'"});
}

static void endless_loops_are_set_aside(void **state) {
  (void)state;
  SCRIPT(
      DIALECT_MARIADB, {"CREATE TABLE t (a INT)", NULL},
      {"CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1); WHILE 1 DO SET @x = 1; END WHILE; END", "done"},
      {"CALL p()", "unmodelled"}, {"SELECT COUNT(*) FROM t", "doubt"});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variables_and_branches),
      cmocka_unit_test(loops),
      cmocka_unit_test(cursors),
      cmocka_unit_test(select_into),
      cmocka_unit_test(errors_keep_earlier_effects),
      cmocka_unit_test(handlers),
      cmocka_unit_test(handlers_have_ranks),
      cmocka_unit_test(failed_calls_have_shown_their_results),
      cmocka_unit_test(select_into_several_rows),
      cmocka_unit_test(calls_that_are_set_aside_lose_their_tables),
      cmocka_unit_test(nested_calls),
      cmocka_unit_test(text_variables_are_copied),
      cmocka_unit_test(endless_loops_are_set_aside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
