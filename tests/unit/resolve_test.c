/* resolve_test.c: names and types, by parsing SQL and printing what resolution made of it.
 *
 * An expression prints as
 *   c0.1.2      the column (depth 0, source 1, column 2); c0.1.2! if it is a free pick
 *   $0          input 0            k0.1      GROUP BY key 1        agg0   aggregate 0
 *   v1          variable 1         cast<T>(x), CAST<T>(x)          implicit and explicit
 *   OPERATOR(...) everything else; functions by their names; (select) for subqueries
 * and a select list as "expression:type title, ..." */
#include "src/sql/function.h"
#include "src/sql/parse.h"
#include "src/sql/resolve.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct Fixture {
  Schema schema;
  Arena arena;
  Tokens tokens;
  Statement *statement;
  Resolution resolution;
  ResolveAnswer answer;
  char text[4096];
  size_t used;
} Fixture;

/* ---- Running ---------------------------------------------------------------------------- */

static void fixture_init(Fixture *f, DialectName dialect) {
  memset(f, 0, sizeof *f);
  schema_init(&f->schema, dialect_new(dialect));
  arena_init(&f->arena);
}

static void fixture_free(Fixture *f) {
  schema_free(&f->schema);
  arena_free(&f->arena);
}

static void parse_text(Fixture *f, const char *sql, Parse *parse) {
  *parse = (Parse){0};
  if (!tokens_scan(&f->schema.dialect, &f->arena, sql, strlen(sql), &f->tokens))
    fail_msg("%s: %s", sql, f->tokens.error);
  if (parse_tokens(&f->schema.dialect, &f->arena, sql, &f->tokens, parse) != PARSE_OK)
    fail_msg("%s: %s at %u", sql, parse->error, parse->offset);
}

static void bind_inputs(Fixture *f, Value *values, const Value *parameters) {
  for (uint32_t i = 0; i < f->tokens.inputs.count; i++) {
    const Input *input = &f->tokens.inputs.items[i];
    values[i] = input->kind == INPUT_LITERAL ? input->literal : parameters[input->number];
  }
}

static ResolveAnswer resolve_with(Fixture *f, const char *sql, const Value *parameters) {
  Parse parse;
  parse_text(f, sql, &parse);
  assert_int_equal(parse.statements.count, 1);
  f->statement = parse.statements.items[0];
  Value *values = ARENA_ARRAY(&f->arena, Value, f->tokens.inputs.count + 1);
  bind_inputs(f, values, parameters);
  f->answer = resolve_statement(&f->schema, &f->arena, f->statement, f->tokens.inputs.items, values,
                                f->tokens.inputs.count, &f->resolution);
  return f->answer;
}

static ResolveAnswer resolve_text(Fixture *f, const char *sql) { return resolve_with(f, sql, NULL); }

static char *copy_of(Fixture *f, const char *text, size_t length) {
  return arena_text(&f->schema.arena, text, length);
}

static void define(Fixture *f, const char *sql) {
  if (resolve_text(f, sql) != RESOLVE_OK) fail_msg("%s: %s", sql, f->resolution.message);
  Statement *statement = f->statement;
  if (statement->kind == STATEMENT_CREATE_TABLE) {
    Value *values = ARENA_ARRAY(&f->arena, Value, f->tokens.inputs.count + 1);
    bind_inputs(f, values, NULL);
    Table *table = NULL;
    if (resolve_table(&f->schema, statement->create_table, values, f->tokens.inputs.count, &table,
                      &f->resolution) != RESOLVE_OK)
      fail_msg("%s: %s", sql, f->resolution.message);
    schema_link_table(&f->schema, table);
  } else if (statement->kind == STATEMENT_CREATE_VIEW) {
    CreateView *create = statement->create_view;
    View *view = ARENA_NEW(&f->schema.arena, View);
    view->name = copy_of(f, create->name, strlen(create->name));
    view->text = copy_of(f, sql + create->text_offset, create->text_length);
    view->text_length = create->text_length;
    for (uint32_t i = 0; i < create->columns.count; i++)
      ARENA_PUSH(&f->schema.arena, &view->columns,
                 (const char *)copy_of(f, create->columns.items[i], strlen(create->columns.items[i])));
    schema_link_view(&f->schema, view);
  } else if (statement->kind == STATEMENT_CREATE_PROCEDURE) {
    CreateProcedure *create = statement->create_procedure;
    Procedure *procedure = ARENA_NEW(&f->schema.arena, Procedure);
    procedure->name = copy_of(f, create->name, strlen(create->name));
    procedure->text = copy_of(f, sql, strlen(sql));
    procedure->text_length = (uint32_t)strlen(sql);
    for (uint32_t i = 0; i < create->parameters.count; i++)
      ARENA_PUSH(&f->schema.arena, &procedure->parameters, create->parameters.items[i]);
    schema_link_procedure(&f->schema, procedure);
  }
}

/* A bank with a view, in any dialect. */
static void fixture_bank(Fixture *f, DialectName dialect) {
  fixture_init(f, dialect);
  define(f, "CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(20), balance DECIMAL(12,2) NOT NULL, "
            "big BIGINT, "
            "ratio DOUBLE PRECISION, opened DATE, seen TIMESTAMP, flag BOOLEAN)");
  define(f, "CREATE TABLE transfer (id INT PRIMARY KEY, source INT, target INT, amount DECIMAL(12,2))");
}

/* ---- Printing ----------------------------------------------------------------------------- */

static void put(Fixture *f, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  f->used += (size_t)vsnprintf(f->text + f->used, sizeof f->text - f->used, format, arguments);
  va_end(arguments);
  assert_true(f->used < sizeof f->text);
}

static void put_expr(Fixture *f, const Expr *expr);

static void put_args(Fixture *f, const char *name, const Expr *expr) {
  put(f, "%s(", name);
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (i) put(f, ", ");
    put_expr(f, expr->args[i]);
  }
  if (expr->select) put(f, "%s(select)", expr->arg_count ? ", " : "");
  put(f, ")");
}

static void put_expr(Fixture *f, const Expr *expr) {
  char type[64];
  switch (expr->kind) {
  case EXPR_COLUMN:
    put(f, "c%u.%u.%u%s", expr->depth, expr->source, expr->column, expr->is_bare ? "!" : "");
    break;
  case EXPR_INPUT: put(f, "$%d", expr->index); break;
  case EXPR_GROUP_KEY: put(f, "k%u.%d", expr->depth, expr->index); break;
  case EXPR_AGGREGATE: put(f, "agg%d", expr->index); break;
  case EXPR_VARIABLE: put(f, "v%d", expr->index); break;
  case EXPR_USER_VARIABLE: put(f, "@%s", expr->name); break;
  case EXPR_NULL: put(f, "NULL"); break;
  case EXPR_DEFAULT: put(f, "DEFAULT"); break;
  case EXPR_FUNCTION: put_args(f, expr->function->name, expr); break;
  case EXPR_CAST:
    put(f, "%s<%s>", expr->is_implicit ? "cast" : "CAST", type_text(expr->type, type, sizeof type));
    put_args(f, "", expr);
    break;
  default: put_args(f, expr_kind_name((ExprKind)expr->kind), expr);
  }
}

static const char *print_expr(Fixture *f, const Expr *expr) {
  char type[64];
  f->used = 0;
  f->text[0] = 0;
  if (!expr) return "";
  put_expr(f, expr);
  put(f, ":%s", type_text(expr->type, type, sizeof type));
  return f->text;
}

static const char *print_outputs(Fixture *f, const Select *select) {
  char type[64];
  f->used = 0;
  f->text[0] = 0;
  for (uint32_t i = 0; i < select->outputs.count; i++) {
    if (i) put(f, ", ");
    if (select->outputs.items[i].expr) put_expr(f, select->outputs.items[i].expr);
    put(f, ":%s", type_text(select->output_types[i], type, sizeof type));
    if (select->output_is_named[i]) put(f, " %s", select->output_names[i]);
  }
  return f->text;
}

/* ---- Tables of expectations ------------------------------------------------------------------ */

typedef struct Row {
  const char *sql;
  const char *expected;
} Row;

static void check_outputs(Fixture *f, const Row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (resolve_text(f, rows[i].sql) != RESOLVE_OK) fail_msg("%s: %s", rows[i].sql, f->resolution.message);
    print_outputs(f, f->statement->select);
    if (strcmp(f->text, rows[i].expected) != 0)
      fail_msg("%s\n  expected %s\n  got      %s", rows[i].sql, rows[i].expected, f->text);
  }
}
#define CHECK_OUTPUTS(f, rows) check_outputs((f), (rows), sizeof(rows) / sizeof *(rows))

typedef struct Failure {
  const char *sql;
  ResolveAnswer answer;
  ErrorClass error;
} Failure;

static void check_failures(Fixture *f, const Failure *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ResolveAnswer answer = resolve_text(f, rows[i].sql);
    if (answer != rows[i].answer || (answer == RESOLVE_ERROR && f->resolution.error != rows[i].error))
      fail_msg("%s: answer %d, error %d (%s)", rows[i].sql, answer, f->resolution.error,
               f->resolution.message ? f->resolution.message : "");
    if (answer != RESOLVE_OK) assert_true(strlen(f->resolution.message) > 5);
  }
}
#define CHECK_FAILURES(f, rows) check_failures((f), (rows), sizeof(rows) / sizeof *(rows))

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

/* ---- Joins -------------------------------------------------------------------------------------- */

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
      {"SELECT x FROM l RIGHT JOIN r USING (x)", "COALESCE(c0.0.1, c0.1.1):ANY x"},
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

/* ---- Views ------------------------------------------------------------------------------------------ */

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

/* ---- ORDER BY, GROUP BY ------------------------------------------------------------------------------ */

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
  define_sides(&f, DIALECT_MYSQL); /* ONLY_FULL_GROUP_BY is on */
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

/* ---- Types ----------------------------------------------------------------------------------------------
 */

static void test_types_postgresql(void **state) {
  (void)state;
  Fixture f;
  fixture_bank(&f, DIALECT_POSTGRESQL);
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

/* ---- Writes
 * ------------------------------------------------------------------------------------------------ */

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

/* ---- Tables
 * -------------------------------------------------------------------------------------------------- */

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

/* ---- Procedures
 * ----------------------------------------------------------------------------------------------- */

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
      cmocka_unit_test(test_types_postgresql),
      cmocka_unit_test(test_type_errors),
      cmocka_unit_test(test_types_mysql),
      cmocka_unit_test(test_types_sqlite),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_insert),
      cmocka_unit_test(test_update),
      cmocka_unit_test(test_create_table),
      cmocka_unit_test(test_create_table_by_dialect),
      cmocka_unit_test(test_procedure),
      cmocka_unit_test(test_user_variables),
      cmocka_unit_test(test_for_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
