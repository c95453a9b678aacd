/* resolve_expr.c: expressions: operands first, then the node's own type.
 *
 * Columns and functions have files of their own.  A scope of NULL means that
 * the expression stands outside any query block: only variables can be named. */
#include "src/sql/resolve_internal.h"

#include <strings.h>

void scope_mark_volatile(Scope *scope) {
  for (; scope; scope = scope->outer)
    if (scope->block) scope->block->is_volatile = true;
}

/* generic only: in a procedure, @x means its parameter x (so the seed paper's procedures are written);
 * mysql and mariadb always mean the session's variable. */
static bool user_variable_resolve(Resolver *resolver, Expr *expr) {
  const char *name = expr->name[0] == '@' ? expr->name + 1 : expr->name;
  if (resolver->body && resolver->dialect->name == DIALECT_GENERIC) {
    const Procedure *procedure = resolver->body->procedure;
    for (uint32_t i = 0; i < procedure->parameters.count; i++) {
      if (strcasecmp(procedure->parameters.items[i].name, name) != 0) continue;
      expr->kind = EXPR_VARIABLE;
      expr->index = (int32_t)i;
      expr->type = resolver->body->types.items[i];
      return true;
    }
  }
  expr->type = (Type){.kind = TYPE_DYNAMIC, .collation = (uint8_t)resolver->dialect->collation};
  return true;
}

/* VALUES(col) is the excluded row's column; outside ON DUPLICATE KEY UPDATE it is NULL. */
static bool values_of_resolve(Resolver *resolver, Scope *scope, Expr **slot) {
  Expr *expr = *slot;
  uint32_t depth = 0;
  for (const Scope *home = scope; home; home = home->outer, depth++) {
    if (!home->prefers_first || home->block->sources.count < 2) continue;
    int32_t column = table_column(home->block->sources.items[0].table, expr->name);
    if (column < 0)
      return resolver_fail(resolver, ERROR_NO_COLUMN, expr->offset, "unknown column '%s'%s", expr->name,
                           name_suggest_column(resolver, scope, expr->name));
    *slot = source_expr(resolver, scope, 1, (uint32_t)column, depth, expr->offset);
    return true;
  }
  return resolver_unmodelled(resolver, expr->offset, "VALUES(%s) outside ON DUPLICATE KEY UPDATE",
                             expr->name);
}

/* (a, b) = (SELECT c, d): beside a row, a subquery is a row too. */
static bool compares_row_with_subquery(const Expr *expr) {
  if (expr->kind < EXPR_EQUAL || expr->kind > EXPR_IS_DISTINCT || expr->arg_count != 2) return false;
  ExprKind a = expr->args[0]->kind, b = expr->args[1]->kind;
  return (a == EXPR_ROW && b == EXPR_SCALAR) || (a == EXPR_SCALAR && b == EXPR_ROW);
}

static bool operands_resolve(Resolver *resolver, Scope *scope, Expr *expr) {
  if (compares_row_with_subquery(expr))
    return resolver_unmodelled(resolver, expr->offset, "comparing a row with a subquery is not modelled");
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (!expr_resolve(resolver, scope, &expr->args[i])) return false;
    expr->is_volatile |= expr->args[i]->is_volatile;
  }
  if (!expr->select) return true;
  bool keeps_unknown = resolver->keeps_unknown;
  resolver->keeps_unknown = false;
  bool done = select_resolve(resolver, scope, expr->select);
  resolver->keeps_unknown = keeps_unknown;
  expr->is_volatile |= expr->select->is_volatile;
  return done;
}

bool expr_resolve(Resolver *resolver, Scope *scope, Expr **slot) {
  Expr *expr = *slot;
  switch (expr->kind) {
  case EXPR_COLUMN: return column_resolve(resolver, scope, slot);
  case EXPR_FUNCTION: return function_resolve(resolver, scope, expr);
  case EXPR_USER_VARIABLE: return user_variable_resolve(resolver, expr);
  case EXPR_VALUES_OF: return values_of_resolve(resolver, scope, slot);
  case EXPR_STAR:
    return resolver_unmodelled(resolver, expr->offset, "* inside an expression is not modelled");
  case EXPR_DEFAULT:
    return resolver_unmodelled(resolver, expr->offset, "DEFAULT inside an expression is not modelled");
  case EXPR_AGGREGATE:
  case EXPR_GROUP_KEY:
  case EXPR_VARIABLE: return true; /* resolved before */
  case EXPR_CONCAT:
    if (dialect_is_mysql(resolver->dialect) && !resolver->dialect->pipes_concat) expr->kind = EXPR_OR;
    break;
  default: break;
  }
  if (!operands_resolve(resolver, scope, expr) || !expr_type(resolver, expr)) return false;
  collation_inherit(resolver, expr);
  return true;
}

static const char *clause_name(uint8_t clause) {
  static const char *const names[] = {[CLAUSE_ON] = "JOIN ... ON",
                                      [CLAUSE_WHERE] = "WHERE",
                                      [CLAUSE_HAVING] = "HAVING",
                                      [CLAUSE_CHECK] = "CHECK"};
  return clause < sizeof names / sizeof *names && names[clause] ? names[clause] : "a condition";
}

bool condition_resolve(Resolver *resolver, Scope *scope, Expr **slot) {
  if (!*slot) return true;
  if (!expr_resolve(resolver, scope, slot)) return false;
  return expr_as_condition(resolver, slot, clause_name(scope ? scope->clause : CLAUSE_NONE));
}
