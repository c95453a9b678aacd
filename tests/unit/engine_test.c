/* engine_test.c: the engine around the statements: plans, parameters, transactions, doubt, loss, set-up. */
#include "tests/unit/model.h"

/* ---- Plans and parameters --------------------------------------------------------------- */

static void shapes_share_plans(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  LINES(engine, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL}, {"INSERT INTO t VALUES (1, 1)", NULL});
  EngineStats before = engine_stats(engine);
  LINES(engine, {"INSERT INTO t VALUES (2, 20)", "done 1"}, {"INSERT INTO t VALUES (3, 30)", "done 1"},
        {"SELECT v FROM t WHERE id = 2", "20"}, {"SELECT v FROM t WHERE id = 3", "30"});
  EngineStats after = engine_stats(engine);
  assert_int_equal(after.statements - before.statements, 4);
  assert_int_equal(after.parses - before.parses, 1);
  assert_int_equal(after.hits - before.hits, 3);
  model_free(engine);
}

static void positions_are_not_shared(void **state) {
  (void)state;
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (a INT, b INT)", NULL},
         {"INSERT INTO t VALUES (1, 9), (2, 8)", NULL}, {"SELECT a, b FROM t ORDER BY 1", "1,9 | 2,8"},
         {"SELECT a, b FROM t ORDER BY 2", "2,8 | 1,9"}, {"SELECT a, b FROM t ORDER BY 1", "1,9 | 2,8"},
         {"SELECT a, \"b\" FROM t ORDER BY 1", "1,9 | 2,8"}, {"SELECT a FROM t WHERE b = 9", "1"},
         {"SELECT a FROM t WHERE b = NULL", "no rows"}, {"SELECT a FROM t WHERE b = 8.0", "2"});
}

static void many_shapes_are_forgotten(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_SQLITE);
  for (int i = 0; i < 30000; i++) {
    char sql[64];
    int length = snprintf(sql, sizeof sql, "SELECT 1 AS c%d", i);
    assert_int_equal(engine_execute(engine, sql, (size_t)length, NULL, 0).kind, OUTCOME_DONE);
    arena_clear(engine_arena(engine));
  }
  model_free(engine);
}

static void parameters_bind(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_SQLITE);
  Parameter parameters[] = {{.value = value_int(5)}, {.value = value_string("x")}};
  Parameter named[] = {{.name = "b", .name_length = 1, .value = value_int(7)},
                       {.name = "a", .name_length = 1, .value = value_int(8)}};
  const struct {
    const char *sql;
    const Parameter *parameters;
    const char *answer;
  } cases[] = {{"SELECT ?, ?", parameters, "5,'x'"},         {"SELECT ?2, ?1", parameters, "'x',5"},
               {"SELECT $2, $1", parameters, "'x',5"},       {"SELECT :a, :b, :a", named, "8,7,8"},
               {"SELECT ?, ?, ?", parameters, "unmodelled"}, {"SELECT :c", named, "unmodelled"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Answer answer;
    Outcome outcome = engine_execute(engine, cases[i].sql, strlen(cases[i].sql), cases[i].parameters, 2);
    answer_outcome(&answer, engine, &outcome);
    assert_string_equal(answer.text, cases[i].answer);
  }
  Outcome missing = engine_execute(engine, "SELECT $3", 9, parameters, 2);
  assert_string_equal(missing.reason, "parameter $3 has no value");
  model_free(engine);
}

/* ---- Transactions ---------------------------------------------------------------------------- */

static void rollback_restores(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  LINES(engine, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
        {"INSERT INTO t VALUES (1, 1), (2, 2)", NULL});
  engine_commit(engine);
  engine_begin(engine, 2);
  LINES(engine, {"UPDATE t SET id = id + 5, v = 9", NULL}, {"DELETE FROM t WHERE id = 6", "done 1"},
        {"CREATE TABLE u (a INT)", "done"}, {"INSERT INTO u VALUES (1)", "done 1"},
        {"CREATE INDEX i ON t (v)", "done"}, {"SELECT id FROM t WHERE v = 9", "7"});
  engine_rollback(engine);
  engine_begin(engine, 3);
  LINES(engine, {"SELECT * FROM t ORDER BY id", "1,1 | 2,2"}, {"SELECT * FROM u", "error 42P01"},
        {"DROP INDEX i", "error 42704"}, {"DROP TABLE t", "done"}, {"SELECT * FROM t", "error 42P01"});
  engine_rollback(engine);
  engine_begin(engine, 4);
  LINES(engine, {"SELECT * FROM t ORDER BY id", "1,1 | 2,2"}, {"SELECT v FROM t WHERE id = 2", "2"});
  model_free(engine);
}

static void statements_are_atomic(void **state) {
  (void)state;
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t VALUES (1, 1)", NULL},
         {"INSERT INTO t VALUES (2, 2), (3, 3), (1, 4)", "error 23505"}, {"SELECT * FROM t", "1,1"});
}

static void undo_of_the_last_statement(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  LINES(engine, {"CREATE TABLE t (id INT PRIMARY KEY)", NULL}, {"INSERT INTO t VALUES (1), (2)", NULL},
        {"UPDATE t SET id = id + 1", NULL});
  engine_undo_statement(engine);
  LINES(engine, {"SELECT * FROM t ORDER BY id", "1 | 2"});
  model_free(engine);
}

static void savepoints(void **state) {
  (void)state;
  SCRIPT(DIALECT_POSTGRESQL, {"CREATE TABLE t (id INT)", NULL}, {"SAVEPOINT a", "done"},
         {"INSERT INTO t VALUES (1)", NULL}, {"SAVEPOINT a", "done"}, {"INSERT INTO t VALUES (2)", NULL},
         {"ROLLBACK TO a", "done"}, {"SELECT id FROM t", "1"}, {"RELEASE a", "done"},
         {"ROLLBACK TO SAVEPOINT a", "done"}, {"SELECT id FROM t", "no rows"},
         {"ROLLBACK TO b", "error 3B001"});
  SCRIPT(DIALECT_MARIADB, {"CREATE TABLE t (id INT)", NULL}, {"SAVEPOINT a", "done"},
         {"INSERT INTO t VALUES (50)", NULL}, {"SAVEPOINT b", "done"}, {"INSERT INTO t VALUES (51)", NULL},
         {"SAVEPOINT a", "done"}, {"INSERT INTO t VALUES (52)", NULL}, {"ROLLBACK TO a", "done"},
         {"SELECT id FROM t ORDER BY id", "50 | 51"}, {"ROLLBACK TO b", "done"}, {"SELECT id FROM t", "50"},
         {"ROLLBACK TO a", "error 3B001"}, {"SAVEPOINT c", "done"}, {"RELEASE SAVEPOINT b", "done"},
         {"ROLLBACK TO c", "error 3B001"});
}

/* ---- Definitions -------------------------------------------------------------------------------- */

static void definitions(void **state) {
  (void)state;
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (a INT, b INT)", "done"}, {"CREATE TABLE t (a INT)", "error 42P07"},
         {"CREATE TABLE IF NOT EXISTS t (z INT)", "done"}, {"INSERT INTO t VALUES (1, 1), (2, 1)", NULL},
         {"CREATE UNIQUE INDEX u ON t (b)", "error 23505"}, {"CREATE UNIQUE INDEX u ON t (a)", "done"},
         {"INSERT INTO t VALUES (1, 5)", "error 23505"}, {"DROP INDEX u", "done"},
         {"INSERT INTO t VALUES (1, 5)", "done 1"}, {"DROP INDEX u", "error 42704"},
         {"DROP INDEX IF EXISTS u", "done"},
         {"CREATE VIEW v AS SELECT a, b + 10 AS c FROM t WHERE b < 5", "done"},
         {"SELECT * FROM v ORDER BY a", "1,11 | 2,11"}, {"SELECT c FROM v WHERE a = 2", "11"},
         {"DROP VIEW v", "done"}, {"SELECT * FROM v", "error 42P01"}, {"DROP TABLE t", "done"},
         {"DROP TABLE t", "error 42P01"}, {"DROP TABLE IF EXISTS t", "done"},
         {"CREATE TABLE t (a TEXT)", "done"}, {"SELECT * FROM t", "no rows"});
}

/* ---- Values in doubt ------------------------------------------------------------------------------- */

static void sqlite_row_ids_are_exact(void **state) {
  (void)state;
  SCRIPT(DIALECT_SQLITE, {"CREATE TABLE t (id INTEGER PRIMARY KEY, v INT)", NULL},
         {"INSERT INTO t (v) VALUES (1), (2)", "done 2"},
         {"INSERT INTO t VALUES (10, 3), (NULL, 4)", "done 2"}, {"SELECT last_insert_rowid()", "11"},
         {"SELECT id FROM t ORDER BY id", "1 | 2 | 10 | 11"}, {"DELETE FROM t WHERE id = 11", NULL},
         {"INSERT INTO t (v) VALUES (5)", NULL}, {"SELECT id FROM t WHERE v = 5", "11"},
         {"CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, v INT)", NULL},
         {"INSERT INTO a (v) VALUES (1), (2)", NULL}, {"DELETE FROM a WHERE id = 2", NULL},
         {"INSERT INTO a (v) VALUES (3)", NULL}, {"SELECT id FROM a ORDER BY id", "1 | 3"});
}

static void generated_keys_wait_for_an_observation(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_MARIADB);
  LINES(engine, {"CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)", NULL},
        {"INSERT INTO t (v) VALUES (1), (2)", "done 2"}, {"SELECT v, id FROM t", "1,? | 2,?"},
        {"SELECT LAST_INSERT_ID()", "?"});
  assert_false(doubts_assumed(engine_doubts(engine)));
  /* The observation binds the first key to 41: from then on it is known, also to indexes. */
  Answer answer;
  Outcome outcome = model_run(engine, "SELECT LAST_INSERT_ID()", &answer);
  Value key = outcome.results.items[0].rows[0].values[0];
  assert_int_equal(key.kind, VALUE_DOUBT);
  doubt_bind(engine_doubts(engine), key.doubt, value_int(41));
  LINES(engine, {"SELECT v, id FROM t", "1,41 | 2,?"});
  assert_false(doubts_assumed(engine_doubts(engine)));
  /* The second is needed before it is seen: the guess is taken, and known to be one. */
  LINES(engine, {"SELECT v FROM t WHERE id = 41", "1"});
  assert_true(doubts_assumed(engine_doubts(engine)));
  LINES(engine, {"SELECT v FROM t WHERE id = 42", "2"});
  model_free(engine);
}

/* One observed key tells where the generator stands: the guesses that follow move along. */
static void guesses_follow_observations(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_MARIADB);
  LINES(engine, {"CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)", NULL});
  Answer answer;
  Outcome outcome = model_run(engine, "INSERT INTO t (v) VALUES (1), (2) RETURNING id", &answer);
  doubt_bind(engine_doubts(engine), outcome.results.items[0].rows[0].values[0].doubt, value_int(41));
  LINES(engine, {"INSERT INTO t (v) VALUES (3)", "done 1"}, {"SELECT v FROM t WHERE id = 42", "2"},
        {"SELECT v FROM t WHERE id = 43", "3"});
  model_free(engine);
}

/* Settling, guessing and deleting do not get slower with the number of keys that were never observed. */
static void many_keys_in_doubt(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_MARIADB);
  LINES(engine, {"CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT, at DATETIME)", NULL});
  for (int i = 0; i < 20000; i++) {
    Answer answer;
    model_run(engine, "INSERT INTO t (v, at) VALUES (1, now())", &answer);
    arena_clear(engine_arena(engine));
  }
  engine_commit(engine);
  engine_begin(engine, 2);
  LINES(engine, {"SELECT v FROM t WHERE id = 15000", "1"}, {"DELETE FROM t WHERE id > 10", "done 19990"},
        {"SELECT COUNT(*) FROM t", "10"});
  engine_rollback(engine);
  engine_begin(engine, 3);
  LINES(engine, {"SELECT COUNT(*) FROM t", "20000"}, {"SELECT v FROM t WHERE id = 19999", "1"});
  model_free(engine);
}

static void generated_keys_that_repeat_are_noticed(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  LINES(engine, {"CREATE TABLE t (id SERIAL PRIMARY KEY, v INT)", NULL},
        {"INSERT INTO t VALUES (7, 1)", "done 1"});
  Answer answer;
  Outcome outcome = model_run(engine, "INSERT INTO t (v) VALUES (2) RETURNING id", &answer);
  assert_string_equal(answer.text, "?, maybe 23505");
  doubt_bind(engine_doubts(engine), outcome.results.items[0].rows[0].values[0].doubt, value_int(7));
  assert_false(engine_settle(engine));
  model_free(engine);
}

static void clocks_stand_still(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  Answer answer;
  uint32_t first = model_run(engine, "SELECT now()", &answer).results.items[0].rows[0].values[0].doubt;
  uint32_t second = model_run(engine, "SELECT now()", &answer).results.items[0].rows[0].values[0].doubt;
  assert_int_equal(first, second);
  const Value *random =
      model_run(engine, "SELECT random(), random()", &answer).results.items[0].rows[0].values;
  assert_int_not_equal(random[0].doubt, random[1].doubt);
  LINES(engine, {"CREATE TABLE t (id INT PRIMARY KEY, at TIMESTAMP)", NULL},
        {"INSERT INTO t VALUES (1, now())", "done 1"}, {"SELECT at FROM t", "?"},
        {"UPDATE t SET id = 2", "done 1"}, {"SELECT id, at FROM t", "2,?"}, {"DELETE FROM t", "done 1"});
  model_free(engine);
}

/* ---- Loss ---------------------------------------------------------------------------------------------- */

static void lose(Engine *engine, const char *sql) {
  Outcome outcome = engine_execute(engine, sql, strlen(sql), NULL, 0);
  Footprint footprint;
  uint32_t offset;
  assert_true(outcome.kind == OUTCOME_UNMODELLED || outcome.kind == OUTCOME_DOUBT);
  engine_prepare(engine, sql, strlen(sql), NULL, 0, &outcome, &offset, &footprint);
  engine_lose(engine, &footprint, "a statement that is not modelled");
}

static const Line two_tables[] = {{"CREATE TABLE t (id INT PRIMARY KEY, v INT)", NULL},
                                  {"CREATE TABLE u (id INT PRIMARY KEY)", NULL},
                                  {"INSERT INTO t VALUES (1, 1), (2, 2)", NULL},
                                  {"INSERT INTO u VALUES (1)", NULL}};

static void losses_stay_where_they_are(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  model_lines(engine, two_tables, 4);
  lose(engine, "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DELETE");
  Table *t = schema_table(engine_schema(engine), "t");
  assert_non_null(engine_lost(engine, t));
  LINES(engine, {"SELECT * FROM t", "doubt"}, {"INSERT INTO t VALUES (5, 5)", "doubt"}, {"SELECT 1", "1"},
        {"DELETE FROM t", "done, maybe 23503"}, {"SELECT * FROM t", "no rows"},
        {"INSERT INTO t VALUES (5, 5)", "done 1"});
  assert_null(engine_lost(engine, t));
  model_free(engine);
}

static void reads_lose_nothing(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  model_lines(engine, two_tables, 4);
  lose(engine, "SELECT id, row_number() OVER (ORDER BY id) FROM t FOR UPDATE");
  lose(engine, "SELECT * FROM t TABLESAMPLE BERNOULLI (10)");
  LINES(engine, {"SELECT * FROM t ORDER BY id", "1,1 | 2,2"});
  model_free(engine);
}

static void tables_of_unknown_shape(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  model_lines(engine, two_tables, 4);
  lose(engine, "ALTER TABLE t ADD COLUMN w INT");
  LINES(engine, {"SELECT w FROM t", "doubt"}, {"DELETE FROM t", "doubt"}, {"SELECT * FROM u", "1"},
        {"SELECT * FROM nowhere", "doubt"}, {"DROP TABLE t", "done"}, {"CREATE TABLE t (a INT)", "done"},
        {"SELECT * FROM t", "no rows"});
  model_free(engine);
}

/* The rows of the UPDATE are known, only the value is not: nothing else is lost. */
static void lost_cells(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  model_lines(engine, two_tables, 4);
  LINES(engine, {"CREATE TABLE w (id INT PRIMARY KEY, at TIMESTAMP, n INT)", NULL},
        {"INSERT INTO w VALUES (1, now(), 5), (2, NULL, 6)", NULL});
  lose(engine, "UPDATE w SET at = at + INTERVAL '1 day' WHERE id = 1");
  LINES(engine, {"SELECT id, n, at FROM w", "1,5,? | 2,6,NULL"}, {"SELECT n FROM w WHERE id = 1", "5"});
  assert_null(engine_lost(engine, schema_table(engine_schema(engine), "w")));
  model_free(engine);
}

/* ---- Set-up
 * ------------------------------------------------------------------------------------------------ */

static void setup_runs_several(void **state) {
  (void)state;
  Engine *engine = engine_new(dialect_new(DIALECT_MARIADB));
  const char *sql =
      "CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 1);\n"
      "CREATE PROCEDURE p() BEGIN UPDATE t SET v = v + 1; SELECT v FROM t; END; INSERT INTO t VALUES (2, 5);";
  Diag diag = {0};
  const char *unmodelled;
  assert_true(engine_setup(engine, sql, strlen(sql), PLACE_NONE, &diag, &unmodelled));
  engine_begin(engine, 1);
  LINES(engine, {"CALL p()", "2 | 6"}, {"SELECT * FROM t ORDER BY id", "1,2 | 2,6"});
  model_free(engine);
}

static void setup_refuses(void **state) {
  (void)state;
  static const struct {
    const char *sql;
    bool is_bad;
  } cases[] = {{"CREATE TABLE t (a INT); SELEKT 1", true},
               {"CREATE TABLE t (a INT); INSERT INTO t VALUES ('abc", true},
               {"CREATE TABLE t (a INT); INSERT INTO nowhere VALUES (1)", true},
               {"CREATE TABLE t (a INT); ALTER TABLE t ADD COLUMN b INT; CREATE TABLE u (a INT)", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Engine *engine = engine_new(dialect_new(DIALECT_SQLITE));
    Diag diag = {0};
    const char *unmodelled;
    assert_false(engine_setup(engine, cases[i].sql, strlen(cases[i].sql), PLACE_NONE, &diag, &unmodelled));
    assert_int_equal(diag.failed, cases[i].is_bad);
    assert_int_equal(unmodelled != NULL, !cases[i].is_bad);
    if (cases[i].is_bad) assert_true(diag.place.offset >= 23);
    engine_begin(engine, 1);
    if (!cases[i].is_bad) LINES(engine, {"SELECT * FROM t", "doubt"}, {"SELECT * FROM u", "no rows"});
    model_free(engine);
  }
}

static void rows_are_loaded(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_POSTGRESQL);
  LINES(engine, {"CREATE TABLE t (id INT PRIMARY KEY, d DECIMAL(8,2) DEFAULT 5, n INT NOT NULL)", NULL});
  Table *t = schema_table(engine_schema(engine), "t");
  Diag diag = {0};
  uint32_t columns[] = {2, 0};
  Value values[] = {value_int(1), value_string("12.5"), value_int(3)}, two[] = {value_int(7), value_int(2)};
  assert_true(engine_load_row(engine, t, NULL, 3, values, PLACE_NONE, &diag));
  assert_true(engine_load_row(engine, t, columns, 2, two, PLACE_NONE, &diag));
  LINES(engine, {"SELECT * FROM t ORDER BY id", "1,12.50,3 | 2,5.00,7"});
  assert_false(engine_load_row(engine, t, columns, 2, two, PLACE_NONE, &diag));
  assert_true(diag.failed);
  diag_clear(&diag);
  values[0] = value_string("no number");
  assert_false(engine_load_row(engine, t, NULL, 3, values, PLACE_NONE, &diag));
  assert_true(diag.failed);
  model_free(engine);
}

static void sessions_have_their_own_variables(void **state) {
  (void)state;
  Engine *engine = model_new(DIALECT_MARIADB);
  engine_set_session(engine, "a");
  LINES(engine, {"SET @x = 5", "done"}, {"SELECT @X", "5"});
  engine_set_session(engine, "b");
  LINES(engine, {"SELECT @x", "NULL"}, {"SET @x = 'b'", "done"});
  engine_set_session(engine, "a");
  LINES(engine, {"SELECT @x + 1", "6"});
  engine_forget_session(engine, "b"); /* it did something that was not executed here */
  engine_set_session(engine, "b");
  LINES(engine, {"SELECT @x", "?"}, {"SELECT @y", "?"});
  model_free(engine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_share_plans),
      cmocka_unit_test(positions_are_not_shared),
      cmocka_unit_test(many_shapes_are_forgotten),
      cmocka_unit_test(parameters_bind),
      cmocka_unit_test(rollback_restores),
      cmocka_unit_test(statements_are_atomic),
      cmocka_unit_test(undo_of_the_last_statement),
      cmocka_unit_test(savepoints),
      cmocka_unit_test(definitions),
      cmocka_unit_test(sqlite_row_ids_are_exact),
      cmocka_unit_test(generated_keys_wait_for_an_observation),
      cmocka_unit_test(guesses_follow_observations),
      cmocka_unit_test(many_keys_in_doubt),
      cmocka_unit_test(generated_keys_that_repeat_are_noticed),
      cmocka_unit_test(clocks_stand_still),
      cmocka_unit_test(losses_stay_where_they_are),
      cmocka_unit_test(reads_lose_nothing),
      cmocka_unit_test(tables_of_unknown_shape),
      cmocka_unit_test(lost_cells),
      cmocka_unit_test(setup_runs_several),
      cmocka_unit_test(setup_refuses),
      cmocka_unit_test(rows_are_loaded),
      cmocka_unit_test(sessions_have_their_own_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
