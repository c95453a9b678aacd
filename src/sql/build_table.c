/* build_table.c: CREATE TABLE, CREATE INDEX, CREATE VIEW. */
#include "src/sql/build.h"

#include "src/sql/grammar.h"

/* ---- Columns ------------------------------------------------------------------------------ */

/* SERIAL is a type and a way to make values. */
static bool words_are_serial(const char *words) {
  static const char *const SERIALS[] = {"serial",  "bigserial", "smallserial",
                                        "serial2", "serial4",   "serial8"};
  for (size_t i = 0; i < sizeof SERIALS / sizeof *SERIALS; i++)
    if (strcasecmp(words, SERIALS[i]) == 0) return true;
  return false;
}

ColumnClause *build_column_clause(Parser *parser, const Token *name, TypeClause *type) {
  ColumnClause *column = ARENA_NEW(parser->arena, ColumnClause);
  column->name = build_name(parser, name);
  column->offset = name->offset;
  column->type_first = column->type_second = -1;
  parser->constraint_name = NULL;
  if (!type) {
    if (!dialect_is_sqlite(parser->dialect))
      parser_reject(parser, name->offset, "column '%s' has no type", column->name);
    return column;
  }
  column->type_words = type->words;
  column->type_first = type->first;
  column->type_second = type->second;
  if (!dialect_is_sqlite(parser->dialect) && words_are_serial(type->words)) {
    column->auto_increment = true;
    column->not_null = true;
    column->unique = dialect_is_mysql(parser->dialect);
  }
  return column;
}

void column_default(Parser *parser, ColumnClause *column, Expr *value) {
  if (value->height > HEIGHT_MOST) parser_too_deep(parser, value->offset);
  column->default_value = value;
}

/* Only PostgreSQL takes operators in DEFAULT without parentheses. */
Expr *build_default_binary(Parser *parser, const Token *token, Expr *left, Expr *right) {
  if (parser->dialect->name != DIALECT_POSTGRESQL)
    parser_reject(parser, token->offset, "an operator in DEFAULT without parentheses");
  return build_binary(parser, token, left, right);
}

static TableConstraint *column_constraint(Parser *parser, ColumnClause *column, TableConstraint *constraint) {
  constraint->name = parser->constraint_name;
  parser->constraint_name = NULL;
  ARENA_PUSH(parser->arena, &column->constraints, constraint);
  return constraint;
}

void column_check(Parser *parser, ColumnClause *column, Expr *check) {
  column_constraint(parser, column, build_constraint(parser, CONSTRAINT_CHECK, NULL, NULL))->check = check;
}

void column_references(Parser *parser, ColumnClause *column, TableConstraint *foreign) {
  column_constraint(parser, column, foreign);
  ARENA_PUSH(parser->arena, &foreign->columns, column->name);
}

void column_generated(Parser *parser, ColumnClause *column, Expr *expr) {
  if (expr->height > HEIGHT_MOST) parser_too_deep(parser, expr->offset);
  column->generated = expr;
}

void column_deferred(ColumnClause *column) {
  for (uint32_t i = column->constraints.count; i-- > 0;) {
    if (column->constraints.items[i]->kind != CONSTRAINT_FOREIGN_KEY) continue;
    column->constraints.items[i]->is_deferred = true;
    return;
  }
}

/* ---- Constraints ------------------------------------------------------------------------------ */

TableConstraint *build_constraint(Parser *parser, ConstraintKind kind, const char *name,
                                  IndexColumns *columns) {
  TableConstraint *constraint = ARENA_NEW(parser->arena, TableConstraint);
  constraint->kind = (uint8_t)kind;
  constraint->name = name;
  if (columns) {
    constraint->columns = columns->names;
    constraint->is_partial = columns->is_partial;
  }
  return constraint;
}

TableConstraint *build_reference(Parser *parser, TableName parent, NameList *columns) {
  TableConstraint *constraint = build_constraint(parser, CONSTRAINT_FOREIGN_KEY, NULL, NULL);
  constraint->parent_table = parent.name;
  if (columns) constraint->parent_columns = *columns;
  return constraint;
}

void reference_action(TableConstraint *foreign, bool is_delete, ForeignAction action) {
  if (is_delete)
    foreign->on_delete = (uint8_t)action;
  else
    foreign->on_update = (uint8_t)action;
}

IndexColumns *build_index_column(Parser *parser, IndexColumns *list, const char *name, bool is_partial) {
  if (!list) list = ARENA_NEW(parser->arena, IndexColumns);
  if (name) ARENA_PUSH(parser->arena, &list->names, name);
  list->is_partial |= is_partial;
  return list;
}

/* ---- The table ----------------------------------------------------------------------------------- */

CreateTable *build_create_table(Parser *parser) { return ARENA_NEW(parser->arena, CreateTable); }

void table_column_add(Parser *parser, CreateTable *create, ColumnClause *column) {
  ARENA_PUSH(parser->arena, &create->columns, *column);
}

void table_constraint_add(Parser *parser, CreateTable *create, TableConstraint *constraint) {
  ARENA_PUSH(parser->arena, &create->constraints, *constraint);
}

Statement *build_create_index(Parser *parser, bool is_unique, bool if_not_exists, const char *name,
                              TableName table, IndexColumns *columns) {
  CreateIndex *create = ARENA_NEW(parser->arena, CreateIndex);
  create->name = name;
  create->table_name = table.name;
  create->unique = is_unique;
  create->if_not_exists = if_not_exists;
  create->columns = columns->names;
  create->is_partial = columns->is_partial;
  return build_statement(parser, STATEMENT_CREATE_INDEX, create);
}

Statement *build_create_view(Parser *parser, bool or_replace, bool if_not_exists, TableName name,
                             NameList *columns, uint32_t start, uint32_t stop, Select *select) {
  CreateView *create = ARENA_NEW(parser->arena, CreateView);
  create->name = name.name;
  create->or_replace = or_replace;
  create->if_not_exists = if_not_exists;
  if (columns) create->columns = *columns;
  create->select = select;
  create->text_offset = start;
  create->text_length = stop - start;
  return build_statement(parser, STATEMENT_CREATE_VIEW, create);
}
