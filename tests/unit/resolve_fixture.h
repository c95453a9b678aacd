/* resolve_fixture.h: parses SQL, resolves it, and prints what resolution made of it.
 *
 * An expression prints as
 *   c0.1.2      the column (depth 0, source 1, column 2); c0.1.2! if it is a free pick
 *   $0          input 0            k0.1      GROUP BY key 1        agg0   aggregate 0
 *   v1          variable 1         cast<T>(x), CAST<T>(x)          implicit and explicit
 *   OPERATOR(...) everything else; functions by their names; (select) for subqueries
 * and a select list as "expression:type title, ..." */
#ifndef ALIBI_TESTS_RESOLVE_FIXTURE_H
#define ALIBI_TESTS_RESOLVE_FIXTURE_H

#include "src/sql/function.h"
#include "src/sql/parse.h"
#include "src/sql/resolve.h"

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

/* ---- Running --------------------------------------------------------------------------------- */

static inline void fixture_init(Fixture *f, DialectName dialect) {
  memset(f, 0, sizeof *f);
  schema_init(&f->schema, dialect_new(dialect));
  arena_init(&f->arena);
}

static inline void fixture_free(Fixture *f) {
  schema_free(&f->schema);
  arena_free(&f->arena);
}

static inline void parse_text(Fixture *f, const char *sql, Parse *parse) {
  *parse = (Parse){0};
  if (!tokens_scan(&f->schema.dialect, &f->arena, sql, strlen(sql), &f->tokens))
    fail_msg("%s: %s", sql, f->tokens.error);
  if (parse_tokens(&f->schema.dialect, &f->arena, sql, &f->tokens, parse) != PARSE_OK)
    fail_msg("%s: %s at %u", sql, parse->error, parse->offset);
}

static inline void bind_inputs(Fixture *f, Value *values, const Value *parameters) {
  for (uint32_t i = 0; i < f->tokens.inputs.count; i++) {
    const Input *input = &f->tokens.inputs.items[i];
    values[i] = input->kind == INPUT_LITERAL ? input->literal : parameters[input->number];
  }
}

static inline ResolveAnswer resolve_with(Fixture *f, const char *sql, const Value *parameters) {
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

static inline ResolveAnswer resolve_text(Fixture *f, const char *sql) { return resolve_with(f, sql, NULL); }

static inline char *copy_of(Fixture *f, const char *text, size_t length) {
  return arena_text(&f->schema.arena, text, length);
}

static inline void define(Fixture *f, const char *sql) {
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
static inline void fixture_bank(Fixture *f, DialectName dialect) {
  fixture_init(f, dialect);
  define(f, "CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(20), balance DECIMAL(12,2) NOT NULL, "
            "big BIGINT, "
            "ratio DOUBLE PRECISION, opened DATE, seen TIMESTAMP, flag BOOLEAN)");
  define(f, "CREATE TABLE transfer (id INT PRIMARY KEY, source INT, target INT, amount DECIMAL(12,2))");
}

/* ---- Printing -------------------------------------------------------------------------------- */

static inline void put(Fixture *f, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  f->used += (size_t)vsnprintf(f->text + f->used, sizeof f->text - f->used, format, arguments);
  va_end(arguments);
  assert_true(f->used < sizeof f->text);
}

static inline void put_expr(Fixture *f, const Expr *expr);

static inline void put_args(Fixture *f, const char *name, const Expr *expr) {
  put(f, "%s(", name);
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (i) put(f, ", ");
    put_expr(f, expr->args[i]);
  }
  if (expr->select) put(f, "%s(select)", expr->arg_count ? ", " : "");
  put(f, ")");
}

static inline void put_expr(Fixture *f, const Expr *expr) {
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

static inline const char *print_expr(Fixture *f, const Expr *expr) {
  char type[64];
  f->used = 0;
  f->text[0] = 0;
  if (!expr) return "";
  put_expr(f, expr);
  put(f, ":%s", type_text(expr->type, type, sizeof type));
  return f->text;
}

static inline const char *print_outputs(Fixture *f, const Select *select) {
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

static inline void check_outputs(Fixture *f, const Row *rows, size_t count) {
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

static inline void check_failures(Fixture *f, const Failure *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ResolveAnswer answer = resolve_text(f, rows[i].sql);
    if (answer != rows[i].answer || (answer == RESOLVE_ERROR && f->resolution.error != rows[i].error))
      fail_msg("%s: answer %d, error %d (%s)", rows[i].sql, answer, f->resolution.error,
               f->resolution.message ? f->resolution.message : "");
    if (answer != RESOLVE_OK) assert_true(strlen(f->resolution.message) > 5);
  }
}
#define CHECK_FAILURES(f, rows) check_failures((f), (rows), sizeof(rows) / sizeof *(rows))

#endif
