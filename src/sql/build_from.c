/* build_from.c: tables, derived tables and joins. */
#include "src/sql/build.h"

From *build_table(Parser *parser, TableName name) {
  From *from = ARENA_NEW(parser->arena, From);
  from->kind = FROM_TABLE;
  from->schema_name = name.schema;
  from->name = name.name;
  from->offset = name.offset;
  from->height = 1;
  return from;
}

From *build_derived(Parser *parser, Subquery subquery) {
  From *from = ARENA_NEW(parser->arena, From);
  from->kind = FROM_SELECT;
  from->select = subquery.select;
  from->offset = subquery.offset;
  from->height = 1;
  height_cover(parser, &from->height, subquery.select->height, subquery.offset);
  return from;
}

void build_alias(From *from, const char *alias, NameList *columns) {
  from->alias = alias;
  if (columns) from->column_aliases = *columns;
}

static From *from_pair(Parser *parser, uint32_t offset, JoinKind kind, From *left, From *right) {
  From *from = ARENA_NEW(parser->arena, From);
  from->kind = FROM_JOIN;
  from->join = (uint8_t)kind;
  from->offset = offset;
  from->left = left;
  from->right = right;
  from->height = 1;
  height_cover(parser, &from->height, left->height, offset);
  height_cover(parser, &from->height, right->height, offset);
  return from;
}

From *build_comma(Parser *parser, const Token *token, From *left, From *right) {
  From *from = from_pair(parser, token->offset, JOIN_CROSS, left, right);
  from->is_comma = true;
  return from;
}

/* A comma binds looser than JOIN, except in sqlite, where all are one chain from the left. */
From *build_join(Parser *parser, const Token *token, Join join, From *left, From *right, Expr *on,
                 NameList *using_columns) {
  if (left->is_comma && !dialect_is_sqlite(parser->dialect)) {
    left->right = build_join(parser, token, join, left->right, right, on, using_columns);
    height_cover(parser, &left->height, left->right->height, token->offset);
    return left;
  }
  bool has_condition = on || using_columns;
  if (join.is_bare && !has_condition && parser->dialect->name == DIALECT_POSTGRESQL)
    parser_reject(parser, token->offset, "a join needs ON or USING");
  JoinKind kind = join.kind == JOIN_CROSS && has_condition ? JOIN_INNER : (JoinKind)join.kind;
  if (kind == JOIN_INNER && !has_condition && !join.natural) kind = JOIN_CROSS;
  From *from = from_pair(parser, token->offset, kind, left, right);
  from->natural = join.natural;
  from->on = on;
  if (on) height_cover(parser, &from->height, on->height, on->offset);
  if (using_columns) from->using_columns = *using_columns;
  return from;
}
