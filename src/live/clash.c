/* clash.c: random little statements over two tables of a few rows, made to meet.
 *
 * Where the levels of real databases differ from the textbook: locking reads, joins and subqueries that
 * write, upserts, keys that are updated or come back after a DELETE, savepoints.  A statement that is
 * refused for its data is undone with its savepoint, or stands alone where an error ends no transaction.
 *
 * A form is one statement, drawn by its place in the table, with its text per database where they differ.
 * Its letters say what its parameters are: k and K keys, v a value, d an amount. */
#include "src/live/workload.h"

#include <string.h>

enum { ROWS, LONGEST, LOCKS, JOINS, SUBQUERIES, UPSERTS, KEYS, SAVEPOINTS, REFERENCES, WILD };
enum { ALWAYS = -1 };

typedef struct Text {
  const char *letters;
  const char *sql; /* %s: the lock */
} Text;

typedef struct Form {
  int family; /* the parameter that allows it */
  Text text;
  Text mariadb, sqlite; /* where they write it otherwise */
} Form;

static const Form FORMS[] = {
    {ALWAYS, {"k", "SELECT v, w FROM a WHERE k = ?"}, {0}, {0}},
    {ALWAYS, {"v", "SELECT k, v FROM a WHERE v >= ?"}, {0}, {0}},
    {ALWAYS, {"", "SELECT COUNT(*) AS n, SUM(v) AS s FROM a"}, {0}, {0}},
    {ALWAYS, {"", "SELECT k, a, v FROM b ORDER BY k"}, {0}, {0}},
    {ALWAYS, {"dk", "UPDATE a SET v = v + ? WHERE k = ?"}, {0}, {0}},
    {ALWAYS, {"vk", "UPDATE a SET v = ? WHERE k = ?"}, {0}, {0}},
    {ALWAYS, {"dv", "UPDATE a SET v = v + ? WHERE w = ?"}, {0}, {0}},
    {ALWAYS, {"v", "UPDATE a SET w = v WHERE v >= ?"}, {0}, {0}},
    {ALWAYS, {"dk", "UPDATE b SET v = v + ? WHERE a = ?"}, {0}, {0}},
    {ALWAYS, {"k", "DELETE FROM a WHERE k = ?"}, {0}, {0}},
    {ALWAYS, {"v", "DELETE FROM a WHERE w = ? RETURNING k, v"}, {0}, {0}},
    {ALWAYS, {"v", "DELETE FROM b WHERE v >= ?"}, {0}, {0}},
    {ALWAYS, {"kvv", "INSERT INTO a (k, v, w) VALUES (?, ?, ?)"}, {0}, {0}},
    {ALWAYS, {"kKv", "INSERT INTO b (k, a, v) VALUES (?, ?, ?)"}, {0}, {0}},
    {ALWAYS,
     {"dk", "UPDATE a SET v = v + ? WHERE k = ? RETURNING k, v, w"},
     {"dk", "UPDATE a SET v = v + ? WHERE k = ?"},
     {0}},
    {LOCKS, {"k", "SELECT v, w FROM a WHERE k = ?%s"}, {0}, {0}},
    {LOCKS, {"v", "SELECT k, v FROM a WHERE v >= ?%s"}, {0}, {0}},
    {LOCKS, {"v", "SELECT k, v FROM a WHERE w = ? ORDER BY k LIMIT 1%s"}, {0}, {0}},
    {LOCKS, {"v", "SELECT k FROM a WHERE v < ? ORDER BY v DESC, k LIMIT 2%s"}, {0}, {0}},
    {LOCKS, {"", "SELECT k, a, v FROM b%s"}, {0}, {0}},
    {JOINS, {"", "SELECT a.k AS ak, b.k AS bk, a.v AS av, b.v AS bv FROM a JOIN b ON b.a = a.k"}, {0}, {0}},
    {JOINS, {"v", "SELECT a.k AS ak, b.k AS bk FROM a JOIN b ON b.a = a.k WHERE b.v >= ?%s"}, {0}, {0}},
    {JOINS,
     {"k", "UPDATE a SET v = b.v FROM b WHERE b.a = a.k AND b.k = ?"},
     {"k", "UPDATE a JOIN b ON b.a = a.k SET a.v = b.v WHERE b.k = ?"},
     {0}},
    {WILD,
     {"v", "UPDATE a SET w = a.w + b.v FROM b WHERE b.a = a.k AND b.v >= ?"},
     {"v", "UPDATE a JOIN b ON b.a = a.k SET a.w = a.w + b.v WHERE b.v >= ?"},
     {0}},
    {JOINS,
     {"v", "UPDATE b SET v = b.v + a.v FROM a WHERE a.k = b.a AND a.v >= ?"},
     {"v", "UPDATE b JOIN a ON a.k = b.a SET b.v = b.v + a.v WHERE a.v >= ?"},
     {0}},
    {JOINS,
     {"v", "DELETE FROM b USING a WHERE a.k = b.a AND a.v >= ?"},
     {"v", "DELETE b FROM b JOIN a ON a.k = b.a WHERE a.v >= ?"},
     {"v", "DELETE FROM b WHERE a IN (SELECT a.k FROM a WHERE a.v >= ?)"}},
    {SUBQUERIES,
     {"v", "SELECT k FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a = a.k AND b.v >= ?)"},
     {0},
     {0}},
    {SUBQUERIES,
     {"k", "SELECT v, (SELECT COUNT(*) FROM b WHERE b.a = a.k) AS n FROM a WHERE k = ?"},
     {0},
     {0}},
    {SUBQUERIES, {"v", "SELECT k, v FROM a WHERE k IN (SELECT b.a FROM b WHERE b.v >= ?)%s"}, {0}, {0}},
    {SUBQUERIES, {"", "SELECT k, v FROM a WHERE v > (SELECT MIN(b.v) FROM b)%s"}, {0}, {0}},
    {SUBQUERIES, {"k", "UPDATE a SET v = (SELECT COUNT(*) FROM b WHERE b.a = a.k) WHERE k = ?"}, {0}, {0}},
    {SUBQUERIES, {"v", "UPDATE a SET v = (SELECT MAX(b.v) FROM b) WHERE w = ?"}, {0}, {0}},
    {SUBQUERIES, {"dv", "UPDATE a SET v = v + ? WHERE k IN (SELECT b.a FROM b WHERE b.v >= ?)"}, {0}, {0}},
    {SUBQUERIES,
     {"v", "DELETE FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.k = b.a AND a.v >= ?)"},
     {0},
     {0}},
    {SUBQUERIES, {"dv", "INSERT INTO b (k, a, v) SELECT a.k + ?, a.k, a.v FROM a WHERE a.w = ?"}, {0}, {0}},
    {UPSERTS,
     {"kvd", "INSERT INTO a (k, v, w) VALUES (?, ?, 0) ON CONFLICT (k) DO UPDATE SET v = a.v + ?"},
     {"kvd", "INSERT INTO a (k, v, w) VALUES (?, ?, 0) ON DUPLICATE KEY UPDATE v = v + ?"},
     {0}},
    {UPSERTS,
     {"kvv", "INSERT INTO a (k, v, w) VALUES (?, ?, ?) ON CONFLICT (k) DO NOTHING"},
     {"kvv", "INSERT IGNORE INTO a (k, v, w) VALUES (?, ?, ?)"},
     {0}},
    {UPSERTS,
     {"kv",
      "INSERT INTO a (k, v, w) VALUES (?, ?, 1) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v WHERE a.v < "
      "EXCLUDED.v"},
     {"kv", "INSERT INTO a (k, v, w) VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE v = GREATEST(v, VALUES(v))"},
     {0}},
    {UPSERTS,
     {"kvv", "INSERT INTO a (k, v, w) VALUES (?, ?, ?) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v, w = "
             "EXCLUDED.w"},
     {"kvv", "REPLACE INTO a (k, v, w) VALUES (?, ?, ?)"},
     {0}},
    {KEYS, {"kK", "UPDATE a SET k = ? WHERE k = ?"}, {0}, {0}},
    {KEYS, {"dk", "UPDATE b SET k = k + ? WHERE k = ?"}, {0}, {0}},
    {KEYS, {"Kv", "UPDATE a SET k = ?, v = v + 1 WHERE w = ? AND v < 3"}, {0}, {0}},
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS, MOST_PARAMETERS = 4, MOST_VALUE = 4, SPARE_KEYS = 2 };

/* ---- one statement ---- */

static const char *const LOCK_CLAUSES[] = {" FOR UPDATE", " FOR SHARE", " FOR NO KEY UPDATE",
                                           " FOR KEY SHARE", " FOR UPDATE SKIP LOCKED"};
static const char *const MARIADB_LOCKS[] = {" FOR UPDATE", " LOCK IN SHARE MODE", " FOR UPDATE",
                                            " LOCK IN SHARE MODE", " FOR UPDATE SKIP LOCKED"};
enum { LOCK_COUNT = sizeof LOCK_CLAUSES / sizeof *LOCK_CLAUSES };

typedef struct Draw {
  const Form *form;
  int64_t lock;
  int64_t values[MOST_PARAMETERS];
  bool has_savepoint, is_undone;
} Draw;

static int64_t draw_letter(Random *random, const Scale *scale, char letter) {
  switch (letter) {
  case 'v': return random_between(random, 0, MOST_VALUE);
  case 'd': return random_between(random, 1, 3);
  default: return random_between(random, 1, scale->value[ROWS] + SPARE_KEYS);
  }
}

/* The same numbers on every database: the letters of the first text count. */
static Draw statement_draw(Random *random, const Scale *scale) {
  Draw draw = {0};
  do draw.form = &FORMS[random_between(random, 0, FORM_COUNT - 1)];
  while (draw.form->family != ALWAYS && !scale->value[draw.form->family]);
  draw.lock = random_between(random, 0, LOCK_COUNT - (scale->value[WILD] ? 1 : 2));
  draw.has_savepoint = random_percent(random, 25) && scale->value[SAVEPOINTS];
  draw.is_undone = random_percent(random, 30);
  for (uint32_t i = 0; draw.form->text.letters[i]; i++)
    draw.values[i] = draw_letter(random, scale, draw.form->text.letters[i]);
  return draw;
}

static Text statement_text(Client *client, const Draw *draw) {
  const Form *form = draw->form;
  const char *lock = LOCK_CLAUSES[draw->lock];
  Text text = form->text;
  if (client->dialect == DIALECT_MARIADB || client->dialect == DIALECT_MYSQL) {
    if (form->mariadb.sql) text = form->mariadb;
    lock = MARIADB_LOCKS[draw->lock];
  } else if (client->dialect == DIALECT_SQLITE) {
    if (form->sqlite.sql) text = form->sqlite;
    lock = "";
  }
  size_t length = strlen(text.sql);
  if (length > 2 && !strcmp(text.sql + length - 2, "%s"))
    text.sql = arena_format(&client->arena, "%.*s%s", (int)length - 2, text.sql, lock);
  return text;
}

/* All parameters are numbers. */
static void statement_send(Client *client, const Draw *draw) {
  Text text = statement_text(client, draw);
  char letters[MOST_PARAMETERS + 1] = "";
  memset(letters, 'i', strlen(text.letters));
  const int64_t *values = draw->values;
  client_execute(client, text.sql, letters, values[0], values[1], values[2], values[3]);
}

/* An error of the data, after which the transaction may go on. */
static bool error_is_passed(const Client *client) {
  return client->failure && !client->is_dead && client->connection && !client->failure->is_refused;
}

static void statement_run(Client *client, const Draw *draw) {
  if (client->failure) return;
  if (draw->has_savepoint) client_execute(client, "SAVEPOINT s", "");
  statement_send(client, draw);
  bool is_passed = error_is_passed(client);
  if (is_passed && (draw->has_savepoint || client->dialect != DIALECT_POSTGRESQL)) client->failure = NULL;
  if (draw->has_savepoint && (is_passed || draw->is_undone))
    client_execute(client, "ROLLBACK TO SAVEPOINT s", "");
}

/* ---- the workload ---- */

static bool transaction(Client *client, const Scale *scale) {
  int64_t count = random_between(&client->random, 1, scale->value[LONGEST]);
  for (int64_t i = 0; i < count; i++) {
    Draw draw = statement_draw(&client->random, scale);
    if (i == 0 && !scale->value[WILD])
      draw.has_savepoint = false; /* InnoDB would begin anew, with other locks */
    statement_run(client, &draw);
  }
  return true;
}

static void populate(Population *population, const Scale *scale) {
  int64_t rows = scale->value[ROWS];
  population_define(population, "CREATE TABLE a (k INT PRIMARY KEY, v INT, w INT)");
  population_define(population, scale->value[REFERENCES]
                                    ? "CREATE TABLE b (k INT PRIMARY KEY, a INT REFERENCES a (k), v INT)"
                                    : "CREATE TABLE b (k INT PRIMARY KEY, a INT, v INT)");
  population_define(population, "CREATE INDEX a_w ON a (w)");
  population_table(population, "a", "k, v, w");
  for (int64_t key = 1; key <= rows; key++)
    population_row(population, "iii", key, random_between(&population->random, 0, MOST_VALUE), key % 2);
  population_table(population, "b", "k, a, v");
  for (int64_t key = 1; key <= rows; key++)
    population_row(population, "iii", key, random_between(&population->random, 1, rows),
                   random_between(&population->random, 0, MOST_VALUE));
}

const Workload WORKLOAD_CLASH = {
    .name = "clash",
    .summary = "random little statements over a few rows, made to meet",
    .parameters = {{"rows", 3, 1, 1000, "rows of each of the two tables at the beginning"},
                   {"longest", 4, 1, 100, "statements of a transaction, at most"},
                   {"locks", 1, 0, 1, "1: SELECT ... FOR UPDATE and its kin"},
                   {"joins", 1, 0, 1, "1: joins that read, lock and write"},
                   {"subqueries", 1, 0, 1, "1: subqueries that read, lock and write"},
                   {"upserts", 1, 0, 1, "1: INSERT ... ON CONFLICT, INSERT IGNORE, REPLACE"},
                   {"keys", 1, 0, 1, "1: primary keys are updated"},
                   {"savepoints", 1, 0, 1, "1: statements that are undone"},
                   {"references", 0, 0, 1, "1: one table refers to the other"},
                   {"wild", 0, 0, 1, "1: also what SQL leaves open and an audit sets aside"}},
    .kinds = {{"transaction", 1, transaction}},
    .populate = populate,
};
