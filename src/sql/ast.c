/* ast.c: making and naming the nodes of a syntax tree. */
#include "src/sql/ast.h"

void expr_each(Expr *expr, void (*visit)(Expr *operand, void *context), void *context) {
  for (uint32_t i = 0; i < expr->arg_count; i++) visit(expr->args[i], context);
  if (expr->filter) visit(expr->filter, context);
  for (uint32_t i = 0; i < expr->order_count; i++) visit(expr->order[i].expr, context);
  if (expr->separator) visit(expr->separator, context);
}

Expr *expr_new(Arena *arena, ExprKind kind, uint32_t offset) {
  Expr *expr = ARENA_NEW(arena, Expr);
  expr->kind = (uint8_t)kind;
  expr->offset = offset;
  expr->height = 1;
  return expr;
}

static uint16_t height_above(const Expr *a) {
  return a->height == UINT16_MAX ? UINT16_MAX : (uint16_t)(a->height + 1);
}

Expr *expr_unary(Arena *arena, ExprKind kind, uint32_t offset, Expr *a) {
  Expr *expr = expr_new(arena, kind, offset);
  expr->arg_count = 1;
  expr->args = ARENA_ARRAY(arena, Expr *, 1);
  expr->args[0] = a;
  expr->height = height_above(a);
  return expr;
}

Expr *expr_binary(Arena *arena, ExprKind kind, uint32_t offset, Expr *a, Expr *b) {
  Expr *expr = expr_new(arena, kind, offset);
  expr->arg_count = 2;
  expr->args = ARENA_ARRAY(arena, Expr *, 2);
  expr->args[0] = a;
  expr->args[1] = b;
  expr->height = height_above(a->height > b->height ? a : b);
  return expr;
}

static const char *const EXPR_NAMES[] = {
    [EXPR_NULL] = "NULL",
    [EXPR_TRUE] = "TRUE",
    [EXPR_FALSE] = "FALSE",
    [EXPR_INPUT] = "input",
    [EXPR_COLUMN] = "column",
    [EXPR_STAR] = "*",
    [EXPR_VARIABLE] = "variable",
    [EXPR_USER_VARIABLE] = "user variable",
    [EXPR_NEGATE] = "-",
    [EXPR_PLUS] = "+",
    [EXPR_BIT_NOT] = "~",
    [EXPR_ADD] = "+",
    [EXPR_SUBTRACT] = "-",
    [EXPR_MULTIPLY] = "*",
    [EXPR_DIVIDE] = "/",
    [EXPR_INTEGER_DIVIDE] = "DIV",
    [EXPR_MODULO] = "%",
    [EXPR_BIT_AND] = "&",
    [EXPR_BIT_OR] = "|",
    [EXPR_BIT_XOR] = "^",
    [EXPR_SHIFT_LEFT] = "<<",
    [EXPR_SHIFT_RIGHT] = ">>",
    [EXPR_CONCAT] = "||",
    [EXPR_EQUAL] = "=",
    [EXPR_NOT_EQUAL] = "<>",
    [EXPR_LESS] = "<",
    [EXPR_LESS_EQUAL] = "<=",
    [EXPR_GREATER] = ">",
    [EXPR_GREATER_EQUAL] = ">=",
    [EXPR_IS_NOT_DISTINCT] = "IS NOT DISTINCT FROM",
    [EXPR_IS_DISTINCT] = "IS DISTINCT FROM",
    [EXPR_AND] = "AND",
    [EXPR_OR] = "OR",
    [EXPR_XOR] = "XOR",
    [EXPR_NOT] = "NOT",
    [EXPR_IS_NULL] = "IS NULL",
    [EXPR_IS_NOT_NULL] = "IS NOT NULL",
    [EXPR_IS_TRUE] = "IS TRUE",
    [EXPR_IS_NOT_TRUE] = "IS NOT TRUE",
    [EXPR_IS_FALSE] = "IS FALSE",
    [EXPR_IS_NOT_FALSE] = "IS NOT FALSE",
    [EXPR_BETWEEN] = "BETWEEN",
    [EXPR_LIKE] = "LIKE",
    [EXPR_IN_LIST] = "IN",
    [EXPR_IN_SELECT] = "IN",
    [EXPR_EXISTS] = "EXISTS",
    [EXPR_SCALAR] = "subquery",
    [EXPR_ANY] = "ANY",
    [EXPR_ALL] = "ALL",
    [EXPR_CASE] = "CASE",
    [EXPR_CAST] = "CAST",
    [EXPR_COLLATE] = "COLLATE",
    [EXPR_FUNCTION] = "function",
    [EXPR_AGGREGATE] = "aggregate",
    [EXPR_ROW] = "row",
    [EXPR_INTERVAL] = "INTERVAL",
    [EXPR_DEFAULT] = "DEFAULT",
    [EXPR_VALUES_OF] = "VALUES",
    [EXPR_GROUP_KEY] = "group key",
};

static const char *const STATEMENT_NAMES[] = {
    [STATEMENT_SELECT] = "SELECT",
    [STATEMENT_INSERT] = "INSERT",
    [STATEMENT_UPDATE] = "UPDATE",
    [STATEMENT_DELETE] = "DELETE",
    [STATEMENT_TRUNCATE] = "TRUNCATE",
    [STATEMENT_CREATE_TABLE] = "CREATE TABLE",
    [STATEMENT_DROP_TABLE] = "DROP TABLE",
    [STATEMENT_CREATE_INDEX] = "CREATE INDEX",
    [STATEMENT_DROP_INDEX] = "DROP INDEX",
    [STATEMENT_CREATE_VIEW] = "CREATE VIEW",
    [STATEMENT_DROP_VIEW] = "DROP VIEW",
    [STATEMENT_CREATE_PROCEDURE] = "CREATE PROCEDURE",
    [STATEMENT_DROP_PROCEDURE] = "DROP PROCEDURE",
    [STATEMENT_CALL] = "CALL",
    [STATEMENT_SAVEPOINT] = "SAVEPOINT",
    [STATEMENT_ROLLBACK_TO] = "ROLLBACK TO",
    [STATEMENT_RELEASE] = "RELEASE",
    [STATEMENT_SET] = "SET",
    [STATEMENT_SESSION] = "session statement",
    [STATEMENT_BLOCK] = "BEGIN",
    [STATEMENT_DECLARE] = "DECLARE",
    [STATEMENT_DECLARE_CURSOR] = "DECLARE CURSOR",
    [STATEMENT_DECLARE_HANDLER] = "DECLARE HANDLER",
    [STATEMENT_IF] = "IF",
    [STATEMENT_CASE] = "CASE",
    [STATEMENT_WHILE] = "WHILE",
    [STATEMENT_REPEAT] = "REPEAT",
    [STATEMENT_LOOP] = "LOOP",
    [STATEMENT_FOR] = "FOR",
    [STATEMENT_LEAVE] = "LEAVE",
    [STATEMENT_ITERATE] = "ITERATE",
    [STATEMENT_OPEN] = "OPEN",
    [STATEMENT_FETCH] = "FETCH",
    [STATEMENT_CLOSE] = "CLOSE",
    [STATEMENT_SIGNAL] = "SIGNAL",
};

const char *expr_kind_name(ExprKind kind) { return EXPR_NAMES[kind]; }
const char *statement_kind_name(StatementKind kind) { return STATEMENT_NAMES[kind]; }
