/* parse_test.c: the grammar, dialect by dialect.
 *
 * Trees are compared by their printed form, which has every operator in parentheses.  The precedences
 * below were tried on SQLite 3.40, PostgreSQL 15 and MariaDB 10.11: the text and its
 * parenthesised form give the same answer there. */
#include "src/sql/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define G DIALECT_GENERIC
#define P DIALECT_POSTGRESQL
#define M DIALECT_MYSQL
#define D DIALECT_MARIADB
#define S DIALECT_SQLITE

typedef struct Parsed {
  char *text; /* without a terminator, so that the address sanitizer sees a read behind it */
  Arena arena;
  Dialect dialect;
  Tokens tokens;
  Parse parse;
  ParseAnswer answer;
} Parsed;

static Parsed *parse_with(Dialect dialect, const char *text) {
  Parsed *parsed = calloc(1, sizeof *parsed);
  arena_init(&parsed->arena);
  parsed->dialect = dialect;
  size_t length = strlen(text);
  parsed->text = malloc(length + !length);
  memcpy(parsed->text, text, length);
  tokens_scan(&parsed->dialect, &parsed->arena, parsed->text, length, &parsed->tokens);
  parsed->answer =
      parse_tokens(&parsed->dialect, &parsed->arena, parsed->text, &parsed->tokens, &parsed->parse);
  return parsed;
}

static Parsed *parse(DialectName name, const char *text) { return parse_with(dialect_new(name), text); }

static void parsed_free(Parsed *parsed) {
  arena_free(&parsed->arena);
  free(parsed->text);
  free(parsed);
}

static Parsed *parse_fine(DialectName name, const char *text) {
  Parsed *parsed = parse(name, text);
  if (parsed->answer != PARSE_OK)
    fail_msg("%s: %s: %s at %u", dialect_title(name), text, parsed->parse.error, parsed->parse.offset);
  return parsed;
}

static const char *text_of(Parsed *parsed, uint32_t index) {
  return statement_text(&parsed->arena, parsed->parse.statements.items[index], &parsed->tokens);
}

static void print_check(DialectName name, const char *text, const char *expected) {
  Parsed *parsed = parse_fine(name, text);
  const char *found = text_of(parsed, 0);
  if (strcmp(found, expected) != 0)
    fail_msg("%s: %s\n   found %s\nexpected %s", dialect_title(name), text, found, expected);
  parsed_free(parsed);
}

typedef struct PrintCase {
  DialectName dialect;
  const char *text, *expected;
} PrintCase;

#define PRINT_CHECK(cases)                                                                                   \
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)                                                  \
  print_check(cases[i].dialect, cases[i].text, cases[i].expected)

static void operators_bind_as_the_dialect_says(void **state) {
  (void)state;
  static const PrintCase CASES[] = {
      {G, "SELECT 1 + 2 * 3 - 4", "SELECT ((1 + (2 * 3)) - 4)"},
      {G, "SELECT a OR b AND NOT c = d", "SELECT (a OR (b AND (NOT (c = d))))"},
      {G, "SELECT a AND b AND c AND d", "SELECT (a AND b AND c AND d)"},
      {G, "SELECT (a AND b) AND c", "SELECT ((a AND b) AND c)"},
      {G, "SELECT a BETWEEN 1 AND 2 AND b", "SELECT ((a BETWEEN 1 AND 2) AND b)"},
      {G, "SELECT a NOT BETWEEN b + 1 AND c * 2 OR d", "SELECT ((a NOT BETWEEN (b + 1) AND (c * 2)) OR d)"},
      {G, "SELECT - a * b", "SELECT ((- a) * b)"},
      {G, "SELECT a - - b", "SELECT (a - (- b))"},
      /* PostgreSQL: IS below comparisons, LIKE and IN above; all bit operators and || at one level below + */
      {P, "SELECT a = b IS NULL", "SELECT ((a = b) IS NULL)"},
      {P, "SELECT a IS NULL < b", "SELECT ((a IS NULL) < b)"},
      {P, "SELECT a < b IS NOT TRUE", "SELECT ((a < b) IS NOT TRUE)"},
      {P, "SELECT a = b LIKE c", "SELECT (a = (b LIKE c))"},
      {P, "SELECT a = b IN (1)", "SELECT (a = (b IN (1)))"},
      {P, "SELECT 1 || 2 + 3", "SELECT (1 || (2 + 3))"},
      {P, "SELECT ~1 + 2", "SELECT (~ (1 + 2))"},
      {P, "SELECT a & b | c << 2 # d", "SELECT ((((a & b) | c) << 2) ^ d)"},
      {P, "SELECT -2::text", "SELECT (- CAST(2 AS TEXT))"},
      {P, "SELECT -a COLLATE x", "SELECT ((- a) COLLATE x)"},
      {P, "SELECT a IS DISTINCT FROM b OR c", "SELECT ((a IS DISTINCT FROM b) OR c)"},
      /* MySQL */
      {M, "SELECT 1 || 0 && 1", "SELECT (1 OR (0 AND 1))"},
      {M, "SELECT a XOR b AND c OR d", "SELECT ((a XOR (b AND c)) OR d)"},
      {M, "SELECT 1 | 2 & 3 << 4 + 5 * 6 ^ 7", "SELECT (1 | (2 & (3 << (4 + (5 * (6 ^ 7))))))"},
      {M, "SELECT -2 ^ 2", "SELECT ((- 2) ^ 2)"},
      {M, "SELECT !a + 1, NOT a + 1", "SELECT ((NOT a) + 1), (NOT (a + 1))"},
      {M, "SELECT a = b LIKE c", "SELECT (a = (b LIKE c))"},
      {M, "SELECT 0 = 5 IS NULL", "SELECT ((0 = 5) IS NULL)"},
      {M, "SELECT a < b = c", "SELECT ((a < b) = c)"},
      {M, "SELECT a IN (1) = 1", "SELECT ((a IN (1)) = 1)"},
      {M, "SELECT 9 DIV 2 MOD 3 % 2", "SELECT (((9 DIV 2) % 3) % 2)"},
      {M, "SELECT -a COLLATE utf8mb4_bin", "SELECT (- (a COLLATE utf8mb4_bin))"},
      {D, "SELECT a BETWEEN 1 AND 2 LIKE b", "SELECT (a BETWEEN 1 AND (2 LIKE b))"},
      {D, "SELECT a LIKE b NOT LIKE c", "SELECT (a LIKE (b NOT LIKE c))"},
      {D, "SELECT a LIKE b LIKE c", "SELECT ((a LIKE b) LIKE c)"},
      {M, "SELECT a <=> b", "SELECT (a IS NOT DISTINCT FROM b)"},
      /* SQLite: = IS IN LIKE BETWEEN at one level, < above; || above *; COLLATE below unary minus */
      {S, "SELECT a = b = c", "SELECT ((a = b) = c)"},
      {S, "SELECT a = b < c", "SELECT (a = (b < c))"},
      {S, "SELECT a < b = c", "SELECT ((a < b) = c)"},
      {S, "SELECT a = b LIKE c", "SELECT ((a = b) LIKE c)"},
      {S, "SELECT a LIKE b = c", "SELECT ((a LIKE b) = c)"},
      {S, "SELECT a = b IN (1) IS c", "SELECT (((a = b) IN (1)) IS NOT DISTINCT FROM c)"},
      {S, "SELECT a IS NULL < b", "SELECT (a IS NOT DISTINCT FROM (NULL < b))"},
      {S, "SELECT a * b || c", "SELECT (a * (b || c))"},
      {S, "SELECT -a || b", "SELECT ((- a) || b)"},
      {S, "SELECT a & b | c << 2", "SELECT (((a & b) | c) << 2)"},
      {S, "SELECT a || b COLLATE nocase", "SELECT (a || (b COLLATE nocase))"},
      {S, "SELECT a NOT NULL AND b NOTNULL", "SELECT ((a IS NOT NULL) AND (b IS NOT NULL))"},
  };
  PRINT_CHECK(CASES);
  Dialect pipes = dialect_new(M);
  dialect_set_mode(&pipes, "PIPES_AS_CONCAT", 15);
  Parsed *parsed = parse_with(pipes, "SELECT a * b || c ^ d");
  assert_string_equal(text_of(parsed, 0), "SELECT (a * ((b || c) ^ d))");
  parsed_free(parsed);
}

static void expressions_have_their_trees(void **state) {
  (void)state;
  static const PrintCase CASES[] = {
      {G, "SELECT CASE a WHEN 1 THEN 2 ELSE 3 END, CASE WHEN a THEN b END",
       "SELECT CASE a WHEN 1 THEN 2 ELSE 3 END, CASE WHEN a THEN b END"},
      {G, "SELECT a LIKE 'x' ESCAPE '!', a NOT LIKE 'y', a ILIKE 'z', a NOT GLOB 'w'",
       "SELECT (a LIKE 'x' ESCAPE '!'), (a NOT LIKE 'y'), (a ILIKE 'z'), (a NOT GLOB 'w')"},
      {M, "SELECT a REGEXP 'x', a NOT RLIKE 'y'", "SELECT (a REGEXP 'x'), (a NOT REGEXP 'y')"},
      {G, "SELECT (a, b) IN ((1, 2), (3, 4)), ROW(1, 2) = (3, 4)",
       "SELECT (ROW(a, b) IN (ROW(1, 2), ROW(3, 4))), (ROW(1, 2) = ROW(3, 4))"},
      {S, "SELECT a IN (), a IN t, a IN ((SELECT 1))",
       "SELECT (a IN ()), (a IN (SELECT * FROM t)), (a IN ((SELECT 1)))"},
      {M, "SELECT a IN ((SELECT 1))", "SELECT (a IN (SELECT 1))"},
      {G, "SELECT a = ANY (SELECT 1), a <> ALL (SELECT 2), a < SOME (SELECT 3)",
       "SELECT (a = ANY (SELECT 1)), (a <> ALL (SELECT 2)), (a < ANY (SELECT 3))"},
      {G, "SELECT EXISTS (SELECT 1), NOT EXISTS (SELECT 2), (SELECT 3), ((SELECT 4)) + 1",
       "SELECT EXISTS (SELECT 1), (NOT EXISTS (SELECT 2)), (SELECT 3), ((SELECT 4) + 1)"},
      {G, "SELECT CAST(a AS DECIMAL(10,2)), a::VARCHAR(5), a::double precision b",
       "SELECT CAST(a AS DECIMAL(10,2)), CAST(a AS VARCHAR(5)), CAST(a AS DOUBLE) AS b"},
      {M, "SELECT CAST(a AS SIGNED), CONVERT(a, CHAR(3)), CONVERT(a USING utf8mb4)",
       "SELECT CAST(a AS BIGINT), CAST(a AS CHAR(3)), a"},
      {P, "SELECT DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00:00', INTERVAL '1 day', INTERVAL '2' hour",
       "SELECT CAST('2020-01-01' AS DATE), CAST('2020-01-01 10:00:00' AS TIMESTAMP), INTERVAL '1 day', "
       "INTERVAL '2' HOUR"},
      {M, "SELECT d + INTERVAL 1 + 2 DAY, DATE_SUB(d, INTERVAL a MONTH)",
       "SELECT (d + INTERVAL (1 + 2) DAY), DATE_SUB(d, INTERVAL a MONTH)"},
      {M, "SELECT EXTRACT(YEAR FROM d), TIMESTAMPDIFF(DAY, a, b), YEAR(d)",
       "SELECT EXTRACT(YEAR, d), TIMESTAMPDIFF(DAY, a, b), YEAR(d)"},
      {G, "SELECT SUBSTRING(a FROM 1 FOR 2), SUBSTRING(a FROM 3), SUBSTRING(a, 4, 5)",
       "SELECT SUBSTRING(a, 1, 2), SUBSTRING(a, 3), SUBSTRING(a, 4, 5)"},
      {P,
       "SELECT substring(a from 1 for 2), trim(both 'x' from a), trim(leading from a), trim(a), position('x' "
       "in b)",
       "SELECT SUBSTRING(a, 1, 2), TRIM(a, 'x'), LTRIM(a), TRIM(a), POSITION('x', b)"},
      {M, "SELECT POSITION(POSITION('a' IN b) IN c), TRIM(TRAILING 'x' FROM a)",
       "SELECT POSITION(POSITION('a', b), c), RTRIM(a, 'x')"},
      {M,
       "SELECT LEFT(a, 1), RIGHT(a, 1), REPLACE(a, 'b', 'c'), INSERT(a, 1, 1, 'x'), REPEAT('a', 2), IF(a, b, "
       "c), MOD(5, 3)",
       "SELECT LEFT(a, 1), RIGHT(a, 1), REPLACE(a, 'b', 'c'), INSERT(a, 1, 1, 'x'), REPEAT('a', 2), IF(a, b, "
       "c), MOD(5, 3)"},
      {M, "SELECT NOW(), CURRENT_TIMESTAMP, CURRENT_TIMESTAMP(3), CURRENT_DATE()",
       "SELECT NOW(), CURRENT_TIMESTAMP(), CURRENT_TIMESTAMP(3), CURRENT_DATE()"},
      {M,
       "SELECT COUNT(*), COUNT(DISTINCT a, b), SUM(ALL c), GROUP_CONCAT(DISTINCT a ORDER BY b DESC SEPARATOR "
       "'; ')",
       "SELECT COUNT(*), COUNT(DISTINCT a, b), SUM(c), GROUP_CONCAT(DISTINCT a ORDER BY b DESC SEPARATOR '; "
       "')"},
      {P, "SELECT count(*) FILTER (WHERE a > 1), string_agg(a, ',' ORDER BY b)",
       "SELECT count(*) FILTER (WHERE (a > 1)), string_agg(a, ',' ORDER BY b)"},
      {G, "SELECT a IS TRUE, a IS NOT FALSE, a IS UNKNOWN, a IS NOT UNKNOWN",
       "SELECT (a IS TRUE), (a IS NOT FALSE), (a IS NULL), (a IS NOT NULL)"},
      {M, "SELECT @a, @@version, BINARY a", "SELECT @a, @@version(), CAST(a AS BLOB)"},
      {G, "SELECT ?, $2, :name", "SELECT ?, $2, :name"},
      {S, "SELECT 9223372036854775807, -9223372036854775808, 1.5, X'0AFF', 'it''s'",
       "SELECT 9223372036854775807, -9223372036854775808, 1.5, X'0AFF', 'it''s'"},
  };
  PRINT_CHECK(CASES);
}

static void queries_have_their_trees(void **state) {
  (void)state;
  static const PrintCase CASES[] = {
      {G,
       "SELECT DISTINCT a, t.*, b AS x, c y FROM t WHERE d GROUP BY e, f HAVING g ORDER BY 1 DESC, 2 NULLS "
       "FIRST LIMIT 3 OFFSET 4",
       "SELECT DISTINCT a, t.*, b AS x, c AS y FROM t WHERE d GROUP BY e, f HAVING g ORDER BY 1 DESC, 2 "
       "NULLS FIRST LIMIT 3 OFFSET 4"},
      {M, "SELECT a FROM t LIMIT 5, 10", "SELECT a FROM t LIMIT 10 OFFSET 5"},
      {P, "SELECT a FROM t OFFSET 5 ROWS FETCH FIRST 10 ROWS ONLY", "SELECT a FROM t LIMIT 10 OFFSET 5"},
      {P, "SELECT a FROM t LIMIT ALL", "SELECT a FROM t"},
      {M, "SELECT 1 AS 'x', 2 'y', 3 AS `z w` FROM DUAL", "SELECT 1 AS x, 2 AS y, 3 AS \"z w\""},
      {G, "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT SELECT 4",
       "((SELECT 1) UNION ((SELECT 2) INTERSECT (SELECT 3))) EXCEPT (SELECT 4)"},
      {S, "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", "((SELECT 1) UNION (SELECT 2)) INTERSECT (SELECT 3)"},
      {G, "SELECT 1 UNION ALL (SELECT 2 ORDER BY 1 LIMIT 1) ORDER BY 1",
       "(SELECT 1) UNION ALL (SELECT 2 ORDER BY 1 LIMIT 1) ORDER BY 1"},
      {M, "(SELECT 1 LIMIT 1) LIMIT 2", "SELECT * FROM (SELECT 1 LIMIT 1) AS subquery LIMIT 2"},
      {G, "(((SELECT 1)))", "SELECT 1"},
      {G, "WITH a AS (SELECT 1), b(x, y) AS (SELECT 2, 3) SELECT * FROM a, b",
       "WITH a AS (SELECT 1), b(x, y) AS (SELECT 2, 3) SELECT * FROM (a CROSS JOIN b)"},
      {G, "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x",
       "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) AS x"},
      {G, "VALUES (1, 'a'), (2, 'b') ORDER BY 1", "VALUES (1, 'a'), (2, 'b') ORDER BY 1"},
      {G, "SELECT * FROM (VALUES (1, 2)) AS x(a, b)", "SELECT * FROM (VALUES (1, 2)) AS x(a, b)"},
      /* a comma binds looser than JOIN, except in sqlite */
      {P, "SELECT * FROM a, b JOIN c ON b.x = c.x", "SELECT * FROM (a CROSS JOIN (b JOIN c ON (b.x = c.x)))"},
      {S, "SELECT * FROM a, b JOIN c ON a.x = c.x", "SELECT * FROM ((a CROSS JOIN b) JOIN c ON (a.x = c.x))"},
      {G, "SELECT * FROM a LEFT JOIN b USING (x, y) RIGHT OUTER JOIN c ON d NATURAL JOIN e CROSS JOIN f",
       "SELECT * FROM ((((a LEFT JOIN b USING (x, y)) RIGHT JOIN c ON d) NATURAL JOIN e) CROSS JOIN f)"},
      {P, "SELECT * FROM a NATURAL LEFT JOIN b FULL JOIN c ON d",
       "SELECT * FROM ((a NATURAL LEFT JOIN b) FULL JOIN c ON d)"},
      {G, "SELECT * FROM a JOIN (b CROSS JOIN c) ON d", "SELECT * FROM (a JOIN (b CROSS JOIN c) ON d)"},
      {M, "SELECT * FROM a INNER JOIN b CROSS JOIN c ON d", "SELECT * FROM ((a CROSS JOIN b) JOIN c ON d)"},
      {M,
       "SELECT STRAIGHT_JOIN SQL_NO_CACHE a FROM t USE INDEX (i, j) FORCE INDEX FOR JOIN (k) STRAIGHT_JOIN u "
       "ON 1",
       "SELECT a FROM (t JOIN u ON 1)"},
      {S, "SELECT * FROM t INDEXED BY i, u NOT INDEXED", "SELECT * FROM (t CROSS JOIN u)"},
      {P, "SELECT a FROM public.t x FOR NO KEY UPDATE OF x NOWAIT",
       "SELECT a FROM public.t AS x FOR NO KEY UPDATE OF x NOWAIT"},
      {P, "SELECT a FROM t FOR KEY SHARE SKIP LOCKED", "SELECT a FROM t FOR KEY SHARE SKIP LOCKED"},
      {M, "SELECT a FROM t LOCK IN SHARE MODE", "SELECT a FROM t FOR SHARE"},
      {M, "SELECT a INTO @x FROM t FOR UPDATE", "SELECT a INTO @x FROM t FOR UPDATE"},
  };
  PRINT_CHECK(CASES);
}

static void changes_have_their_trees(void **state) {
  (void)state;
  static const PrintCase CASES[] = {
      {G, "INSERT INTO t VALUES (1, DEFAULT), (2, NULL)", "INSERT INTO t VALUES (1, DEFAULT), (2, NULL)"},
      {G, "INSERT INTO s.t (a, b) SELECT c, d FROM u", "INSERT INTO t (a, b) SELECT c, d FROM u"},
      {M, "INSERT INTO t (SELECT * FROM u)", "INSERT INTO t SELECT * FROM u"},
      {M, "INSERT LOW_PRIORITY IGNORE t SET a = 1, b = 2", "INSERT OR IGNORE INTO t (a, b) VALUES (1, 2)"},
      {M, "INSERT INTO t () VALUES ()", "INSERT INTO t DEFAULT VALUES"},
      {M, "INSERT INTO t (a) VALUE (1)", "INSERT INTO t (a) VALUES (1)"},
      {S, "INSERT INTO t DEFAULT VALUES", "INSERT INTO t DEFAULT VALUES"},
      {M, "INSERT INTO t SELECT * FROM a JOIN b ON DUPLICATE KEY UPDATE c = VALUES(c) + t.c",
       "INSERT INTO t SELECT * FROM (a CROSS JOIN b) ON DUPLICATE KEY UPDATE c = (VALUES(c) + t.c)"},
      {P,
       "INSERT INTO t AS x (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = excluded.a WHERE x.a > 1 "
       "RETURNING *, a b",
       "INSERT INTO t AS x (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = excluded.a WHERE (x.a > 1) "
       "RETURNING *, a AS b"},
      {P, "INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING",
       "INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING"},
      {S, "INSERT OR REPLACE INTO t VALUES (1)", "INSERT OR REPLACE INTO t VALUES (1)"},
      {M, "REPLACE INTO t (a) VALUES (1)", "INSERT OR REPLACE INTO t (a) VALUES (1)"},
      {G, "UPDATE t SET a = a + 1, b = DEFAULT WHERE c = 1",
       "UPDATE t SET a = (a + 1), b = DEFAULT WHERE (c = 1)"},
      {M, "UPDATE a JOIN b ON a.x = b.x SET a.y = b.y, b.z = 1",
       "UPDATE (a JOIN b ON (a.x = b.x)) SET a.y = b.y, b.z = 1"},
      {M, "UPDATE IGNORE t SET a = 1 ORDER BY b LIMIT 2", "UPDATE OR IGNORE t SET a = 1 ORDER BY b LIMIT 2"},
      {P, "UPDATE t x SET (a, b) = (1, 2) FROM u WHERE x.i = u.i RETURNING a",
       "UPDATE t AS x SET a = 1, b = 2 FROM u WHERE (x.i = u.i) RETURNING a"},
      {S, "UPDATE OR REPLACE t SET a = 1", "UPDATE OR REPLACE t SET a = 1"},
      {G, "DELETE FROM t AS x WHERE a = 1 RETURNING a", "DELETE FROM t AS x WHERE (a = 1) RETURNING a"},
      {M, "DELETE FROM t ORDER BY a LIMIT 1", "DELETE FROM t ORDER BY a LIMIT 1"},
      {M, "DELETE a, b.* FROM a JOIN b ON 1 WHERE c", "DELETE a, b FROM (a JOIN b ON 1) WHERE c"},
      {M, "DELETE FROM a, b USING a JOIN b ON 1", "DELETE a, b FROM (a JOIN b ON 1)"},
      {P, "DELETE FROM t USING u WHERE t.i = u.i", "DELETE t FROM (t CROSS JOIN u) WHERE (t.i = u.i)"},
      {P, "TRUNCATE TABLE a, b RESTART IDENTITY CASCADE", "TRUNCATE a, b"},
      {G, "SAVEPOINT s", "SAVEPOINT s"},
      {G, "ROLLBACK WORK TO SAVEPOINT s", "ROLLBACK TO s"},
      {S, "RELEASE s", "RELEASE s"},
      {M, "CALL db.p(1, @x, ?)", "CALL p(1, @x, ?)"},
      {M, "CALL p", "CALL p()"},
      {M, "SET @a = 1, @b := @a + 1, autocommit = 0", "SET @a = 1, @b = (@a + 1)"},
  };
  PRINT_CHECK(CASES);
}

static void definitions_have_their_trees(void **state) {
  (void)state;
  static const PrintCase CASES[] = {
      {G, "CREATE TABLE test (id int, value int)", "CREATE TABLE test (id int, value int)"},
      {G, "CREATE TABLE kv (key INT PRIMARY KEY, value INT, index INT)",
       "CREATE TABLE kv (key INT PRIMARY KEY, value INT, index INT)"},
      {M,
       "CREATE TABLE IF NOT EXISTS `t` (`id` int(11) unsigned NOT NULL AUTO_INCREMENT COMMENT 'x', `n` "
       "varchar(20) "
       "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL, `ts` timestamp NOT NULL DEFAULT "
       "CURRENT_TIMESTAMP ON UPDATE "
       "CURRENT_TIMESTAMP, e ENUM('a','b') DEFAULT 'a', PRIMARY KEY (`id`) USING BTREE, UNIQUE KEY `u` "
       "(`n`), KEY `k` (`ts` DESC, `n`), "
       "INDEX (n), KEY `p` (`n`(10)), FULLTEXT KEY f (n), CONSTRAINT `fk` FOREIGN KEY (`id`) REFERENCES `o` "
       "(`id`) ON DELETE SET NULL ON UPDATE CASCADE) "
       "ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci COMMENT='c' "
       "ROW_FORMAT DYNAMIC",
       "CREATE TABLE IF NOT EXISTS t (id int unsigned(11) NOT NULL AUTO_INCREMENT, n varchar(20) COLLATE "
       "utf8mb4_bin DEFAULT NULL, "
       "ts timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP() ON UPDATE CURRENT_TIMESTAMP, e ENUM DEFAULT 'a', "
       "PRIMARY KEY (id), "
       "CONSTRAINT u UNIQUE (n), CONSTRAINT k INDEX (ts, n), INDEX (n), CONSTRAINT p INDEX (n), CONSTRAINT f "
       "INDEX (n), "
       "CONSTRAINT fk FOREIGN KEY (id) REFERENCES o (id) ON DELETE SET NULL ON UPDATE CASCADE) COLLATE "
       "utf8mb4_general_ci"},
      {P,
       "CREATE TABLE a (id BIGSERIAL PRIMARY KEY, n NUMERIC(12,2) DEFAULT 0.00 NOT NULL CONSTRAINT pos CHECK "
       "(n >= 0), "
       "t TIMESTAMP WITH TIME ZONE DEFAULT now(), s TEXT DEFAULT 'x'::text UNIQUE, g INT GENERATED ALWAYS AS "
       "IDENTITY, "
       "h INT GENERATED BY DEFAULT AS IDENTITY (START WITH 10), k INT GENERATED ALWAYS AS (id * 2) STORED, "
       "o INT REFERENCES p(q) MATCH SIMPLE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, CONSTRAINT u "
       "UNIQUE (n, s), CHECK (n < 5))",
       "CREATE TABLE a (id BIGSERIAL NOT NULL PRIMARY KEY AUTO_INCREMENT, n NUMERIC(12,2) NOT NULL DEFAULT "
       "0.00 CONSTRAINT pos CHECK (n >= 0), "
       "t TIMESTAMP WITH TIME ZONE DEFAULT now(), s TEXT UNIQUE DEFAULT CAST('x' AS TEXT), g INT NOT NULL "
       "AUTO_INCREMENT, "
       "h INT NOT NULL AUTO_INCREMENT, k INT GENERATED ALWAYS AS (id * 2), "
       "o INT REFERENCES p (q) ON DELETE CASCADE INITIALLY DEFERRED, CONSTRAINT u UNIQUE (n, s), CHECK (n < "
       "5))"},
      {S,
       "CREATE TABLE t(a, b UNSIGNED BIG INT, c INTEGER PRIMARY KEY AUTOINCREMENT, d DEFAULT (1 + 2)) "
       "WITHOUT ROWID, STRICT",
       "CREATE TABLE t (a, b UNSIGNED BIG INT, c INTEGER PRIMARY KEY AUTO_INCREMENT, d DEFAULT (1 + 2)) "
       "WITHOUT ROWID, STRICT"},
      {S, "CREATE TABLE t AS SELECT 1 AS a", "CREATE TABLE t AS SELECT 1 AS a"},
      {M, "CREATE TEMPORARY TABLE t (a INT)", "CREATE TEMPORARY TABLE t (a INT)"},
      {P, "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON s.t USING btree (a DESC NULLS LAST, b)",
       "CREATE UNIQUE INDEX IF NOT EXISTS i ON t (a, b)"},
      {M,
       "CREATE OR REPLACE ALGORITHM=UNDEFINED DEFINER=`r`@`h` SQL SECURITY DEFINER VIEW v (x) AS SELECT 1 "
       "WITH CHECK OPTION",
       "CREATE OR REPLACE VIEW v (x) AS SELECT 1"},
      {G, "DROP TABLE IF EXISTS a, s.b CASCADE", "DROP TABLE IF EXISTS a, b CASCADE"},
      {M, "DROP INDEX i ON t", "DROP INDEX i ON t"},
      {S, "DROP VIEW v", "DROP VIEW v"},
      {M, "DROP PROCEDURE IF EXISTS p", "DROP PROCEDURE IF EXISTS p"},
      {P, "CREATE FUNCTION f(a int) RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql",
       "CREATE PROCEDURE f()"},
  };
  PRINT_CHECK(CASES);
}

static void procedures_have_their_trees(void **state) {
  (void)state;
  static const PrintCase CASES[] = {
      {M, "CREATE PROCEDURE p(IN a INT, OUT b DECIMAL(12,2), INOUT c VARCHAR(10), d BIGINT) SELECT 1",
       "CREATE PROCEDURE p(IN a INT, OUT b DECIMAL(12,2), INOUT c VARCHAR(10), IN d BIGINT) SELECT 1"},
      {M,
       "CREATE DEFINER=`r`@`h` PROCEDURE p() LANGUAGE SQL NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY "
       "INVOKER COMMENT 'x' BEGIN END",
       "CREATE PROCEDURE p() BEGIN END"},
      {M,
       "CREATE PROCEDURE p() BEGIN DECLARE x, y INT DEFAULT 0; DECLARE c CURSOR FOR SELECT a FROM t; DECLARE "
       "CONTINUE HANDLER FOR NOT FOUND SET x = 1; "
       "DECLARE EXIT HANDLER FOR SQLEXCEPTION, SQLSTATE '23000', 1062 BEGIN END; OPEN c; FETCH NEXT FROM c "
       "INTO x, @y; CLOSE c; END",
       "CREATE PROCEDURE p() BEGIN DECLARE x, y INT DEFAULT 0; DECLARE c CURSOR FOR SELECT a FROM t; DECLARE "
       "CONTINUE HANDLER FOR NOT FOUND SET x = 1; "
       "DECLARE EXIT HANDLER FOR SQLEXCEPTION, SQLSTATE 23000, 1062 BEGIN END; OPEN c; FETCH c INTO x, @y; "
       "CLOSE c; END"},
      {M,
       "CREATE PROCEDURE p() l:BEGIN IF a THEN LEAVE l; ELSEIF (b) THEN SET x = 1; ELSE IF (c) THEN SET y = "
       "2; END IF; END IF; END l",
       "CREATE PROCEDURE p() l: BEGIN IF a THEN LEAVE l; ELSEIF b THEN SET x = 1; ELSE IF c THEN SET y = 2; "
       "END IF; END IF; END"},
      {M,
       "CREATE PROCEDURE p() BEGIN CASE a WHEN 1 THEN SET x = 1; ELSE SET x = CASE WHEN b THEN IF(c, 1, 2) "
       "ELSE 3 END; END CASE; CASE WHEN d THEN CALL q(); END CASE; END",
       "CREATE PROCEDURE p() BEGIN CASE a WHEN 1 THEN SET x = 1; ELSE SET x = CASE WHEN b THEN IF(c, 1, 2) "
       "ELSE 3 END; END CASE; CASE WHEN d THEN CALL q(); END CASE; END"},
      {M,
       "CREATE PROCEDURE p() BEGIN w: WHILE x < 10 DO SET x = x + 1; ITERATE w; END WHILE w; REPEAT SET x = "
       "0; UNTIL x = 0 END REPEAT; LOOP SET y = 1; END LOOP; END",
       "CREATE PROCEDURE p() BEGIN w: WHILE (x < 10) DO SET x = (x + 1); ITERATE w; END WHILE; REPEAT SET x "
       "= 0; UNTIL (x = 0) END REPEAT; LOOP SET y = 1; END LOOP; END"},
      {D,
       "CREATE PROCEDURE p() BEGIN FOR i IN 1..10 DO SET x = i; END FOR; FOR i IN REVERSE a..b DO SET x = i; "
       "END FOR; FOR r IN (SELECT 1 AS a) DO SET x = r.a; END FOR; FOR r IN c DO SET x = 1; END FOR; END",
       "CREATE PROCEDURE p() BEGIN FOR i IN 1..10 DO SET x = i; END FOR; FOR i IN REVERSE a..b DO SET x = i; "
       "END FOR; FOR r IN (SELECT 1 AS a) DO SET x = r.a; END FOR; FOR r IN c DO SET x = 1; END FOR; END"},
      {G,
       "CREATE PROCEDURE p(IN a INT) BEGIN SELECT b, c INTO x, @y FROM t WHERE d = a FOR UPDATE; IF NOT "
       "EXISTS (SELECT 1) THEN SIGNAL SQLSTATE VALUE '45000' SET MESSAGE_TEXT = 'no'; END IF; END",
       "CREATE PROCEDURE p(IN a INT) BEGIN SELECT b, c INTO x, @y FROM t WHERE (d = a) FOR UPDATE; IF (NOT "
       "EXISTS (SELECT 1)) THEN SIGNAL SQLSTATE 45000; END IF; END"},
  };
  PRINT_CHECK(CASES);
}

/* Words that are names when nothing else is meant */
static void words_may_be_names(void **state) {
  (void)state;
  static const char *const WORDS[] = {
      "name",      "value",  "date",     "time",     "text",    "status",   "type",  "level",    "user",
      "data",      "count",  "comment",  "position", "session", "action",   "no",    "first",    "last",
      "next",      "row",    "rows",     "start",    "end",     "offset",   "year",  "month",    "day",
      "timestamp", "filter", "over",     "enabled",  "format",  "number",   "role",  "message",  "state",
      "open",      "close",  "begin",    "trim",     "extract", "truncate", "begin", "mode",     "share",
      "wait",      "locked", "conflict", "nothing",  "view",    "temp",     "zone",  "partition"};
  for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
      const char *word = WORDS[i];
      if (dialect == DIALECT_POSTGRESQL && !strcmp(word, "user")) continue; /* there it is CURRENT_USER */
      char text[400];
      snprintf(text, sizeof text,
               "CREATE TABLE test (id INT, %s INT); SELECT %s, x.%s, t.%s AS %s FROM test AS t WHERE %s > 1 "
               "AND a = %s ORDER BY %s; "
               "INSERT INTO t (a, %s) VALUES (1, 2); UPDATE t SET %s = %s + 1",
               word, word, word, word, word, word, word, word, word, word, word);
      Parsed *parsed = parse_fine((DialectName)dialect, text);
      assert_int_equal(parsed->parse.statements.count, 4);
      parsed_free(parsed);
    }
  }
}

static void several_statements_in_a_text(void **state) {
  (void)state;
  const char *text = "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END;; SET x = 5; SELECT 3; ";
  Parsed *parsed = parse_fine(M, text);
  assert_int_equal(parsed->parse.statements.count, 3);
  const Statement *procedure = parsed->parse.statements.items[0], *last = parsed->parse.statements.items[2];
  assert_int_equal(procedure->offset, 0);
  assert_int_equal(procedure->length, 50);
  assert_memory_equal(text + last->offset, "SELECT 3", last->length);
  assert_int_equal(parsed->parse.statements.items[1]->kind, STATEMENT_SESSION);
  parsed_free(parsed);
  parsed = parse(G, " ; -- nothing\n;");
  assert_int_equal(parsed->answer, PARSE_EMPTY);
  parsed_free(parsed);
}

static void session_statements_have_no_tree(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *text;
  } CASES[] = {
      {M, "SET NAMES utf8mb4"},
      {M, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"},
      {M, "SET autocommit = 0"},
      {P, "SET search_path TO x"},
      {M, "SHOW TABLES"},
      {M, "USE db"},
      {S, "PRAGMA foreign_keys=ON"},
      {P, "ANALYZE t"},
      {P, "EXPLAIN SELECT 1"},
      {M, "LOCK TABLES t WRITE"},
      {M, "DESC t"},
      {M, "SET @@session.x = 1"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Parsed *parsed = parse_fine(CASES[i].dialect, CASES[i].text);
    assert_int_equal(parsed->parse.statements.items[0]->kind, STATEMENT_SESSION);
    parsed_free(parsed);
  }
}

static void rejections_are_located(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *text, *error;
    uint32_t offset;
  } CASES[] = {
      {G, "SELECT 1 +", "syntax error at the end", 10},
      {G, "SELECT FROM t", "syntax error near 'FROM'", 7},
      {G, "SELEC 1", "syntax error near 'SELEC'", 0},
      {G, "SELECT (1", "syntax error at the end", 9},
      {G, "SELECT 'abc", "unterminated string", 7},
      {G, "SELECT 1; SELECT 2 3 4", "syntax error near '3'", 19},
      {M, "CREATE PROCEDURE p() BEGIN SELECT 1;", "syntax error at the end", 36},
      {M, "BEGIN", "BEGIN is not an operation: the transaction's status says it", 0},
      {P, "COMMIT", "COMMIT is not an operation: the transaction's status says it", 0},
      {M, "START TRANSACTION", "START is not an operation: the transaction's status says it", 0},
      {S, "ROLLBACK", "ROLLBACK is not an operation: the transaction's status says it", 0},
      {P, "SELECT sum(a) OVER (PARTITION BY b) FROM t", "window functions are not modelled", 14},
      {P, "SELECT a = b = c", "syntax error near '='", 13},
      {P, "SELECT * FROM a JOIN b", "a join needs ON or USING", 16},
      {P, "SELECT 2 ^ 3", "the operator ^ is modelled in mysql and mariadb only", 9},
      {P, "SELECT a->>'x' FROM t", "'->>' is not modelled", 8},
      {P, "SELECT b'101'", "'b'101'' is not modelled", 7},
      {P, "EXPLAIN ANALYZE DELETE FROM t", "syntax error near 'EXPLAIN'", 0},
      {P, "SELECT a INTO t2 FROM t", "SELECT ... INTO is modelled in procedures only", 0},
      {M, "ANALYZE DELETE FROM t", "syntax error near 'ANALYZE'", 0},
      {P, "SET CONSTRAINTS ALL DEFERRED", "syntax error near 'ALL'", 16},
      {S, "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", "this kind of CREATE is not modelled", 0},
      {S, "INSERT OR FAIL INTO t VALUES (1)", "this kind of OR is not modelled", 10},
      {S, "ALTER TABLE t ADD COLUMN x", "syntax error near 'ALTER'", 0},
      {M, "SELECT a IS b", "IS wants NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM", 12},
      {G, "SELECT a FROM t LIMIT 1 LIMIT 2", "syntax error near 'LIMIT'", 24},
      {G, "SELECT a FROM t LIMIT 1 ORDER BY 2", "syntax error near 'ORDER'", 24},
      {P, "UPDATE t SET (a, b) = (SELECT 1, 2)", "assigning a subquery to several columns is not modelled",
       13},
      {G, "CREATE TABLE t (a)", "column 'a' has no type", 16},
      {P, "SELECT CAST(a AS nosuchtype)", "type 'nosuchtype' is not modelled", 17},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Parsed *parsed = parse(CASES[i].dialect, CASES[i].text);
    if (parsed->answer != PARSE_REJECTED) fail_msg("%s: answer %d", CASES[i].text, parsed->answer);
    assert_string_equal(parsed->parse.error, CASES[i].error);
    assert_int_equal(parsed->parse.offset, CASES[i].offset);
    parsed_free(parsed);
  }
}

/* before, then `middle` count times, then core, then `after` count times, then end */
static char *text_repeat(const char *before, const char *middle, const char *core, const char *after,
                         const char *end, size_t count) {
  size_t size = strlen(before) + count * (strlen(middle) + strlen(after)) + strlen(core) + strlen(end) + 1;
  char *text = malloc(size), *at = stpcpy(text, before);
  for (size_t i = 0; i < count; i++) at = stpcpy(at, middle);
  at = stpcpy(at, core);
  for (size_t i = 0; i < count; i++) at = stpcpy(at, after);
  stpcpy(at, end);
  return text;
}

static void answer_check(DialectName dialect, char *text, ParseAnswer expected) {
  Parsed *parsed = parse(dialect, text);
  if (parsed->answer != expected) fail_msg("%.60s...: %d %s", text, parsed->answer, parsed->parse.error);
  if (parsed->answer == PARSE_OK) text_of(parsed, 0);
  parsed_free(parsed);
  free(text);
}

static void deep_texts_are_refused_and_long_ones_taken(void **state) {
  (void)state;
  static const struct {
    const char *before, *middle, *core, *after, *end;
    size_t count;
    ParseAnswer expected;
  } CASES[] = {
      {"SELECT ", "(", "1", ")", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "(1 + ", "1", ")", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "f(", "1", ")", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "NOT ", "1", "", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "- ", "1", "", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "", "1", " + 1", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "", "a", " = a", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "", "a", " IS NULL", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "CASE WHEN a THEN ", "1", " END", "", 10000, PARSE_TOO_DEEP},
      {"SELECT ", "a BETWEEN ", "1", " AND 2", "", 10000, PARSE_TOO_DEEP},
      {"SELECT * FROM ", "(SELECT * FROM ", "t", ") x", "", 10000, PARSE_TOO_DEEP},
      {"SELECT 1", "", "", " UNION SELECT 2", "", 10000, PARSE_TOO_DEEP},
      {"SELECT * FROM a", "", "", ", b", "", 10000, PARSE_TOO_DEEP},
      {"CREATE PROCEDURE p() ", "BEGIN ", "SELECT 1; ", "END; ", "", 10000, PARSE_TOO_DEEP},
      {"CREATE PROCEDURE p() ", "IF a THEN ", "SELECT 1; ", "END IF; ", "", 10000, PARSE_TOO_DEEP},
      {"CREATE PROCEDURE p() ", "LOOP ", "SELECT 1; ", "END LOOP; ", "", 10000, PARSE_TOO_DEEP},
      /* as deep as people write */
      {"SELECT ", "(", "1", ")", "", 300, PARSE_OK},
      {"SELECT ", "(1 + ", "1", ")", "", 300, PARSE_OK},
      {"SELECT ", "", "1", " + 1", "", 400, PARSE_OK},
      {"SELECT 1", "", "", " UNION SELECT 2", "", 400, PARSE_OK},
      {"SELECT * FROM ", "(SELECT * FROM ", "t", ") x", "", 100, PARSE_OK},
      {"SELECT * FROM a", "", "", ", b", "", 200, PARSE_OK},
      /* as long as machines write */
      {"SELECT a", "", "", " AND a", "", 20000, PARSE_OK},
      {"SELECT a = 1", "", "", " OR a = 1", "", 20000, PARSE_OK},
      {"SELECT a IN (1", "", "", ", 1", ")", 20000, PARSE_OK},
      {"INSERT INTO t VALUES (1, 'a')", "", "", ", (1, 'a')", "", 20000, PARSE_OK},
      {"SELECT CASE", "", "", " WHEN a THEN 1", " END", 20000, PARSE_OK},
      {"SELECT 1", "", "", ", 1", "", 20000, PARSE_OK},
      {"SELECT 1", "", "", "; SELECT 1", "", 20000, PARSE_OK},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    answer_check(M,
                 text_repeat(CASES[i].before, CASES[i].middle, CASES[i].core, CASES[i].after, CASES[i].end,
                             CASES[i].count),
                 CASES[i].expected);
}

static void and_and_or_are_flat(void **state) {
  (void)state;
  Parsed *parsed = parse_fine(G, "SELECT a AND b AND c AND d AND e OR f");
  const Expr *disjunction = parsed->parse.statements.items[0]->select->items.items[0].expr;
  assert_int_equal(disjunction->kind, EXPR_OR);
  assert_int_equal(disjunction->arg_count, 2);
  assert_int_equal(disjunction->args[0]->arg_count, 5);
  assert_string_equal(disjunction->args[0]->args[4]->name, "e");
  assert_int_equal(disjunction->height, 3);
  parsed_free(parsed);
}

static void items_know_their_text(void **state) {
  (void)state;
  const char *text = "SELECT a+1 , t . * , ( b ) AS c, COUNT( * ) x FROM t";
  Parsed *parsed = parse_fine(S, text);
  const Select *select = parsed->parse.statements.items[0]->select;
  static const char *const EXPECTED[] = {"a+1", "t . *", "( b )", "COUNT( * )"};
  assert_int_equal(select->items.count, 4);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(select->items.items[i].length, strlen(EXPECTED[i]));
    assert_memory_equal(text + select->items.items[i].offset, EXPECTED[i], strlen(EXPECTED[i]));
  }
  assert_true(select->items.items[2].expr->in_parentheses);
  parsed_free(parsed);
  parsed = parse_fine(M, "CREATE VIEW v AS  SELECT 1 AS a  ;");
  const CreateView *view = parsed->parse.statements.items[0]->create_view;
  assert_int_equal(view->text_offset, 18);
  assert_int_equal(view->text_length, 13);
  parsed_free(parsed);
}

static void facts_are_kept(void **state) {
  (void)state;
  Parsed *parsed = parse_fine(P, "CREATE INDEX i ON t (lower(a)) WHERE b > 1");
  assert_true(parsed->parse.statements.items[0]->create_index->is_partial);
  parsed_free(parsed);
  parsed = parse_fine(M, "CREATE TABLE t (a INT, KEY k (a(3)))");
  assert_true(parsed->parse.statements.items[0]->create_table->constraints.items[0].is_partial);
  parsed_free(parsed);
  parsed = parse_fine(S, "SELECT \"a\", b, t.\"c\" FROM t");
  const Select *select = parsed->parse.statements.items[0]->select;
  assert_true(select->items.items[0].expr->is_quoted);
  assert_false(select->items.items[1].expr->is_quoted);
  assert_false(select->items.items[2].expr->is_quoted);
  parsed_free(parsed);
  parsed = parse_fine(P, "UPDATE t x SET a = 1 FROM u");
  const Update *update = parsed->parse.statements.items[0]->update;
  assert_string_equal(update->target_name, "x");
  assert_int_equal(update->from->kind, FROM_JOIN);
  parsed_free(parsed);
  parsed = parse_fine(M, "SELECT a FROM t WHERE b = CAST(c AS DECIMAL(10,2))");
  const Expr *cast = parsed->parse.statements.items[0]->select->where->args[1];
  assert_int_equal(cast->cast_type.kind, TYPE_DECIMAL);
  assert_int_equal(cast->cast_type.precision, 10);
  assert_int_equal(cast->cast_type.scale, 2);
  parsed_free(parsed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_bind_as_the_dialect_says),
      cmocka_unit_test(expressions_have_their_trees),
      cmocka_unit_test(queries_have_their_trees),
      cmocka_unit_test(changes_have_their_trees),
      cmocka_unit_test(definitions_have_their_trees),
      cmocka_unit_test(procedures_have_their_trees),
      cmocka_unit_test(words_may_be_names),
      cmocka_unit_test(several_statements_in_a_text),
      cmocka_unit_test(session_statements_have_no_tree),
      cmocka_unit_test(rejections_are_located),
      cmocka_unit_test(deep_texts_are_refused_and_long_ones_taken),
      cmocka_unit_test(and_and_or_are_flat),
      cmocka_unit_test(items_know_their_text),
      cmocka_unit_test(facts_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
