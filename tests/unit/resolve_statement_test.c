/* resolve_statement_test.c: INSERT, UPDATE, DELETE, CREATE TABLE and procedures. */
#include "tests/unit/resolve_fixture.h"

/* ---- Writes ---------------------------------------------------------------------------------- */

static void test_insert(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
  assert_int_equal(resolve_text(&f, "INSERT INTO account AS a (balance, id) VALUES (1, DEFAULT), ('2', 3) "
                                    "ON CONFLICT (id) DO UPDATE SET balance = a.balance + excluded.balance "
                                    "WHERE a.id > 1 RETURNING *, id + 1 AS n"),
                   RESOLVE_OK);
  const Insert *insert = f.statement->insert;
  assert_int_equal(insert->target_count, 2);
  assert_int_equal(insert->targets[0], 2);
  assert_int_equal(insert->targets[1], 0);
  assert_string_equal(print_expr(&f, insert->assignments.items[0].value), "+(c0.0.2, c0.1.2):DECIMAL");
  assert_string_equal(print_expr(&f, insert->conflict_where), ">(c0.0.0, $3):BOOLEAN");
  assert_int_equal(insert->returning_scope->outputs.count, 9);
  assert_int_equal(f.statement->tables_written.count, 1);
  /* PostgreSQL fills the first columns; an untyped literal stays so until it is stored. */
  assert_int_equal(resolve_text(&f, "INSERT INTO account SELECT 1, 'x', '5'"), RESOLVE_OK);
  assert_int_equal(f.statement->insert->target_count, 3);
  assert_int_equal(f.statement->insert->select->output_types[2].kind, TYPE_UNKNOWN);
  static const Failure rows[] = {
      {"INSERT INTO account (id, balance) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET balance = balance + 1",
       RESOLVE_ERROR, ERROR_AMBIGUOUS},
      {"INSERT INTO account (id, balance) VALUES (1, 2) ON CONFLICT (owner) DO NOTHING", RESOLVE_ERROR,
       ERROR_TYPE},
      {"INSERT INTO account (id, balance) VALUES (1, 2) ON CONFLICT ON CONSTRAINT account_pkey DO NOTHING",
       RESOLVE_OK, ERROR_NONE},
      {"INSERT INTO account (id, balance) VALUES (1, 2) ON CONFLICT ON CONSTRAINT nosuch DO NOTHING",
       RESOLVE_ERROR, ERROR_NO_OBJECT},
  };
  CHECK_FAILURES(&f, rows);
  fixture_free(&f);
  fixture_bank(&f, DIALECT_MYSQL);
  assert_int_equal(resolve_text(&f, "INSERT INTO transfer (id, amount) VALUES (1, 2) ON DUPLICATE KEY UPDATE "
                                    "amount = amount + VALUES(amount)"),
                   RESOLVE_OK);
  assert_string_equal(print_expr(&f, f.statement->insert->assignments.items[0].value),
                      "+(c0.0.3, c0.1.3):DECIMAL(65,2)");
  static const Failure mysql[] = {
      {"INSERT INTO transfer VALUES (1, 2)", RESOLVE_ERROR, ERROR_TYPE},
      {"INSERT INTO transfer (id) SELECT id FROM account ON DUPLICATE KEY UPDATE amount = big",
       RESOLVE_UNMODELLED, ERROR_NONE},
  };
  CHECK_FAILURES(&f, mysql);
  fixture_free(&f);
}

static void test_update(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_MARIADB);
  assert_int_equal(resolve_text(&f, "UPDATE account a JOIN transfer t ON a.id = t.source SET a.balance = "
                                    "a.balance - t.amount, t.amount = 0, "
                                    "owner = 'x' WHERE t.id = 5"),
                   RESOLVE_OK);
  const Update *update = f.statement->update;
  assert_int_equal(update->targets.count, 2);
  assert_int_equal(update->targets.items[0], 0);
  assert_int_equal(update->targets.items[1], 1);
  assert_int_equal(update->assignments.items[1].target, 1);
  assert_int_equal(update->assignments.items[1].column, 3);
  assert_int_equal(update->assignments.items[2].target, 0);
  assert_int_equal(f.statement->tables_written.count, 2);
  assert_int_equal(
      resolve_text(&f,
                   "DELETE a, t FROM account a LEFT JOIN transfer t ON a.id = t.source WHERE t.id IS NULL"),
      RESOLVE_OK);
  assert_int_equal(f.statement->delete_->targets.count, 2);
  static const Failure mariadb[] = {
      {"UPDATE account a, transfer t SET id = 1", RESOLVE_ERROR, ERROR_AMBIGUOUS},
      {"UPDATE account SET big = (SELECT MAX(big) FROM account) WHERE id = 1", RESOLVE_OK, ERROR_NONE},
      {"DELETE x FROM account a, transfer t", RESOLVE_ERROR, ERROR_NO_TABLE},
  };
  CHECK_FAILURES(&f, mariadb);
  fixture_free(&f);
  fixture_bank(&f, DIALECT_POSTGRESQL);
  assert_int_equal(
      resolve_text(&f,
                   "UPDATE account a SET balance = balance + t.amount FROM transfer t WHERE t.target = a.id"),
      RESOLVE_OK);
  update = f.statement->update;
  assert_int_equal(update->targets.count, 1);
  assert_int_equal(update->targets.items[0], 0);
  assert_string_equal(print_expr(&f, update->scope->where), "=(c0.1.2, c0.0.0):BOOLEAN");
  assert_string_equal(print_expr(&f, update->assignments.items[0].value), "+(c0.0.2, c0.1.3):DECIMAL");
  assert_int_equal(resolve_text(&f, "DELETE FROM account USING transfer t WHERE t.source = account.id"),
                   RESOLVE_OK);
  assert_int_equal(f.statement->delete_->targets.items[0], 0);
  assert_int_equal(f.statement->tables_written.count, 1);
  assert_int_equal(resolve_text(&f, "UPDATE account SET balance = DEFAULT WHERE id = 1 RETURNING balance"),
                   RESOLVE_OK);
  assert_int_equal(f.statement->update->returning_scope->outputs.count, 1);
  fixture_free(&f);
  fixture_bank(&f, DIALECT_MYSQL);
  static const Failure mysql[] = {
      {"UPDATE account SET big = (SELECT MAX(big) FROM account) WHERE id = 1", RESOLVE_UNMODELLED,
       ERROR_NONE},
      {"DELETE FROM account WHERE id IN (SELECT source FROM transfer)", RESOLVE_OK, ERROR_NONE},
  };
  CHECK_FAILURES(&f, mysql);
  fixture_free(&f);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static ResolveAnswer make_table(Fixture *f, const char *sql, Table **table) {
  Parse parse;
  parse_text(f, sql, &parse);
  Value *values = ARENA_ARRAY(&f->arena, Value, f->tokens.inputs.count + 1);
  bind_inputs(f, values, NULL);
  *table = NULL;
  return resolve_table(&f->schema, parse.statements.items[0]->create_table, values, f->tokens.inputs.count,
                       table, &f->resolution);
}

static void test_create_table(void **state) {
  (void)state;
  Fixture f;
  Table *table;
  fixture_init(&f, DIALECT_POSTGRESQL);
  define(&f, "CREATE TABLE p (a INT, b INT, PRIMARY KEY (b, a))");
  assert_int_equal(
      make_table(
          &f,
          "CREATE TABLE t (id SERIAL PRIMARY KEY, n INT DEFAULT 7 CHECK (n > 3), s VARCHAR(5) UNIQUE NOT "
          "NULL, "
          "x INT, y INT, d TIMESTAMP DEFAULT CURRENT_TIMESTAMP, UNIQUE (x, y), CONSTRAINT pos CHECK (x < y), "
          "FOREIGN KEY (x, y) REFERENCES p (b, a) ON DELETE CASCADE)",
          &table),
      RESOLVE_OK);
  assert_int_equal(table->column_count, 6);
  assert_true(table->columns[0].not_null);
  assert_true(table->columns[0].auto_increment);
  assert_int_equal(table->auto_column, 0);
  assert_int_equal(table->primary, 0);
  assert_int_equal(table->indexes.count, 3);
  assert_string_equal(table->indexes.items[0]->name, "t_pkey");
  assert_string_equal(table->indexes.items[2]->name, "t_x_y_key");
  assert_int_equal(table->checks.count, 2);
  assert_string_equal(print_expr(&f, table->checks.items[1].scope->where), "<(c0.0.3, c0.0.4):BOOLEAN");
  assert_string_equal(print_expr(&f, table->columns[1].default_value), "$0:INT");
  assert_int_equal(table->inputs[0].integer, 7);
  assert_string_equal(print_expr(&f, table->columns[5].default_value), "CURRENT_TIMESTAMP():TIMESTAMPTZ");
  assert_int_equal(table->foreign_keys.count, 1);
  assert_int_equal(table->foreign_keys.items[0]->columns[0], 3);
  assert_int_equal(table->foreign_keys.items[0]->on_delete, ACTION_CASCADE);
  static const struct {
    const char *sql;
    ResolveAnswer answer;
    ErrorClass error;
  } failures[] = {
      {"CREATE TABLE t (a INT, a INT)", RESOLVE_ERROR, ERROR_DUPLICATE_OBJECT},
      {"CREATE TABLE t (a INT, PRIMARY KEY (b))", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"CREATE TABLE t (a INT PRIMARY KEY, b INT, PRIMARY KEY (b))", RESOLVE_ERROR, ERROR_OTHER},
      {"CREATE TABLE t (a INT CHECK (b > 1))", RESOLVE_ERROR, ERROR_NO_COLUMN},
      {"CREATE TABLE t (a INT CHECK (a))", RESOLVE_ERROR, ERROR_TYPE},
      {"CREATE TABLE t (a INT DEFAULT TRUE)", RESOLVE_ERROR, ERROR_TYPE},
      {"CREATE TABLE t (a INT REFERENCES nosuch)", RESOLVE_ERROR, ERROR_NO_TABLE},
      {"CREATE TABLE t (a JSON)", RESOLVE_UNMODELLED, ERROR_NONE},
  };
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    ResolveAnswer answer = make_table(&f, failures[i].sql, &table);
    if (answer != failures[i].answer || f.resolution.error != failures[i].error)
      fail_msg("%s: answer %d, error %d", failures[i].sql, answer, f.resolution.error);
    assert_null(table);
  }
  fixture_free(&f);
}

static void test_create_table_by_dialect(void **state) {
  (void)state;
  Fixture f;
  Table *table;
  fixture_init(&f, DIALECT_SQLITE);
  assert_int_equal(make_table(&f, "CREATE TABLE t (k INTEGER PRIMARY KEY, c TEXT COLLATE NOCASE)", &table),
                   RESOLVE_OK);
  assert_int_equal(table->rowid_column, 0);
  assert_false(table->columns[0].auto_increment);
  assert_int_equal(table->columns[1].type.collation, COLLATION_CI);
  assert_int_equal(make_table(&f, "CREATE TABLE t (k INT PRIMARY KEY)", &table), RESOLVE_OK);
  assert_int_equal(table->rowid_column, -1);
  assert_false(table->columns[0].not_null); /* a key that may be NULL: SQLite's old mistake */
  assert_int_equal(make_table(&f, "CREATE TABLE t (k INTEGER PRIMARY KEY, v) WITHOUT ROWID", &table),
                   RESOLVE_OK);
  assert_int_equal(table->rowid_column, -1);
  assert_true(table->columns[0].not_null);
  fixture_free(&f);
  fixture_init(&f, DIALECT_MYSQL);
  define(&f, "CREATE TABLE p (a INT PRIMARY KEY)");
  assert_int_equal(
      make_table(
          &f, "CREATE TABLE t (k SERIAL, c CHAR, a INT REFERENCES p (a), KEY by_c (c)) COLLATE=utf8mb4_bin",
          &table),
      RESOLVE_OK);
  assert_true(table->columns[0].auto_increment && table->columns[0].type.is_unsigned);
  assert_int_equal(table->columns[1].type.length, 1);
  assert_true(table->columns[1].type.is_binary);
  assert_int_equal(table->foreign_keys.count, 0); /* MySQL forgets REFERENCES at a column */
  assert_int_equal(table->indexes.count, 2);
  assert_false(table->indexes.items[1]->unique);
  fixture_free(&f);
}

/* ---- Procedures ------------------------------------------------------------------------------ */

static Procedure *define_procedure(Fixture *f, const char *sql, const char *name) {
  define(f, sql);
  return schema_procedure(&f->schema, name);
}

static void test_procedure(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_MYSQL);
  Procedure *procedure =
      define_procedure(&f,
                       "CREATE PROCEDURE pay(IN who INT, INOUT amt DECIMAL(12,2), OUT n INT) BEGIN "
                       "DECLARE id INT DEFAULT 5; DECLARE done INT DEFAULT 0; DECLARE b DECIMAL(12,2); "
                       "DECLARE cur CURSOR FOR SELECT balance FROM account WHERE account.id = who; "
                       "DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; "
                       "OPEN cur; "
                       "again: LOOP FETCH cur INTO b; IF done THEN LEAVE again; END IF; "
                       "UPDATE account SET balance = balance - amt WHERE account.id = id; "
                       "BEGIN DECLARE id VARCHAR(3); SET id = 'x', @total = id; END; END LOOP; "
                       "CLOSE cur; SELECT COUNT(*), MAX(balance) INTO n, @m FROM account; END",
                       "pay");
  Arena arena;
  arena_init(&arena);
  ResolveAnswer answer = resolve_procedure(&f.schema, &arena, procedure, &f.resolution);
  if (answer != RESOLVE_OK) fail_msg("%s", f.resolution.message);
  assert_int_equal(procedure->variable_count, 7);
  assert_int_equal(procedure->cursor_count, 1);
  assert_int_equal(procedure->variable_types[3].kind, TYPE_INT);
  assert_int_equal(procedure->variable_types[6].kind, TYPE_VARCHAR);
  const StatementList *body = &procedure->body->flow->body;
  assert_int_equal(body->items[0]->flow->variables.items[0], 3);
  assert_string_equal(print_expr(&f, body->items[3]->flow->select->where), "=(c0.0.0, v0):INT");
  const StatementList *loop = &body->items[6]->flow->body;
  assert_int_equal(loop->items[0]->flow->variables.items[0], 5);
  /* The variable hides the column, the qualified name does not. */
  assert_string_equal(print_expr(&f, loop->items[2]->update->scope->where), "=(c0.0.0, v3):INT");
  assert_int_equal(loop->items[3]->flow->body.items[1]->set.items[0].variable, 6);
  assert_int_equal(loop->items[3]->flow->body.items[1]->set.items[1].variable, -1);
  const Statement *into = body->items[8];
  assert_int_equal(into->into_variables.items[0], 2);
  assert_int_equal(into->into_variables.items[1], -1);
  assert_int_equal(procedure->body->tables_read.count, 1);
  assert_int_equal(procedure->body->tables_written.count, 1);
  const Statement *first = procedure->body;
  assert_int_equal(resolve_procedure(&f.schema, &arena, procedure, &f.resolution), RESOLVE_OK);
  assert_ptr_equal(procedure->body, first); /* the schema is the same: nothing to do */
  define(&f, "CREATE TABLE other (a INT)");
  assert_int_equal(resolve_procedure(&f.schema, &arena, procedure, &f.resolution), RESOLVE_OK);
  assert_ptr_not_equal(procedure->body, first);
  static const Failure calls[] = {
      {"CALL pay(1, @a, @b)", RESOLVE_OK, ERROR_NONE},
      {"CALL pay(1, 2, @b)", RESOLVE_ERROR, ERROR_TYPE},
      {"CALL pay(1)", RESOLVE_ERROR, ERROR_NO_FUNCTION},
      {"CALL nosuch()", RESOLVE_ERROR, ERROR_NO_FUNCTION},
  };
  CHECK_FAILURES(&f, calls);
  procedure =
      define_procedure(&f, "CREATE PROCEDURE broken() BEGIN SELECT nosuch FROM account; END", "broken");
  assert_int_equal(resolve_procedure(&f.schema, &arena, procedure, &f.resolution), RESOLVE_UNMODELLED);
  assert_non_null(strstr(procedure->refused, "nosuch"));
  arena_free(&arena);
  fixture_free(&f);
}

/* @amt is the parameter amt in generic, as the seed paper writes it, and the session's variable in mysql. */
static void test_user_variables(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *expected;
  } rows[] = {{DIALECT_GENERIC, "+(c0.0.2, v1):DECIMAL"}, {DIALECT_MARIADB, "+(c0.0.2, @amt):ANY"}};
  for (size_t i = 0; i < 2; i++) {
    Fixture f;
    fixture_bank(&f, rows[i].dialect);
    Procedure *procedure =
        define_procedure(&f,
                         "CREATE PROCEDURE Deposit(IN tgt INT, IN amt DECIMAL(12,2)) BEGIN UPDATE account "
                         "SET balance = balance + @amt WHERE id = tgt; END",
                         "Deposit");
    Arena arena;
    arena_init(&arena);
    if (resolve_procedure(&f.schema, &arena, procedure, &f.resolution) != RESOLVE_OK)
      fail_msg("%s", f.resolution.message);
    const Statement *update = procedure->body->flow->body.items[0];
    assert_string_equal(print_expr(&f, update->update->assignments.items[0].value), rows[i].expected);
    arena_free(&arena);
    fixture_free(&f);
  }
}

static void test_for_loops(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_MARIADB);
  Procedure *procedure = define_procedure(
      &f,
      "CREATE PROCEDURE sweep() BEGIN FOR r IN (SELECT id, balance AS money FROM account WHERE big > 3) DO "
      "UPDATE account SET balance = r.money + 1 WHERE id = r.id; END FOR; FOR i IN 1..3 DO SET @x = i; END "
      "FOR; END",
      "sweep");
  Arena arena;
  arena_init(&arena);
  if (resolve_procedure(&f.schema, &arena, procedure, &f.resolution) != RESOLVE_OK)
    fail_msg("%s", f.resolution.message);
  const Flow *rows = procedure->body->flow->body.items[0]->flow;
  assert_int_equal(rows->variables.count, 2);
  const Update *update = rows->body.items[0]->update;
  assert_string_equal(print_expr(&f, update->assignments.items[0].value), "+(v1, $1):DECIMAL(65,2)");
  assert_string_equal(print_expr(&f, update->scope->where), "=(c0.0.0, v0):INT");
  assert_int_equal(procedure->body->flow->body.items[1]->flow->variables.items[0], 2);
  arena_free(&arena);
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_insert),       cmocka_unit_test(test_update),
      cmocka_unit_test(test_create_table), cmocka_unit_test(test_create_table_by_dialect),
      cmocka_unit_test(test_procedure),    cmocka_unit_test(test_user_variables),
      cmocka_unit_test(test_for_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
