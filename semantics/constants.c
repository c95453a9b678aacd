/* constants.c: a walk over a resolved statement that stops at the largest constant expressions. */
#include "semantics/constants.h"

#include "src/sql/function.h"

static void probe_select(Eval *eval, const Select *select);

/* Depends on nothing but the statement's own inputs. */
static bool expr_is_constant(const Expr *expr) {
  switch (expr->kind) {
  case EXPR_COLUMN:
  case EXPR_STAR:
  case EXPR_VARIABLE:
  case EXPR_USER_VARIABLE:
  case EXPR_AGGREGATE:
  case EXPR_GROUP_KEY:
  case EXPR_DEFAULT:
  case EXPR_VALUES_OF:
  case EXPR_ROW: return false;
  default: break;
  }
  if (expr->select || expr->is_volatile) return false;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!expr_is_constant(expr->args[i])) return false;
  return true;
}

static bool expr_fixes_order(const Expr *expr) {
  if (expr->kind == EXPR_CASE) return true;
  return expr->kind == EXPR_FUNCTION && expr->function && expr->function->flags & FUNCTION_LAZY;
}

/* PostgreSQL gives a string its type while it parses, in a branch that is never taken too. */
static void probe_literals(Eval *eval, const Expr *expr) {
  bool is_cast = expr->kind == EXPR_CAST && expr->args[0]->arg_count == 0;
  if (is_cast) expr_eval(eval, expr);
  for (uint32_t i = 0; i < expr->arg_count && !is_cast; i++) probe_literals(eval, expr->args[i]);
}

static void probe_expr(Eval *eval, const Expr *expr) {
  if (!expr || eval->abort) return;
  bool is_postgres = dialect_is_postgres(eval->dialect);
  if (expr_is_constant(expr)) {
    expr_eval(eval, expr);
    if (is_postgres) probe_literals(eval, expr);
    return;
  }
  if (expr->select) probe_select(eval, expr->select);
  if (expr_fixes_order(expr) && !is_postgres) return;
  for (uint32_t i = 0; i < expr->arg_count; i++) probe_expr(eval, expr->args[i]);
  probe_expr(eval, expr->filter);
}

static void probe_condition(Eval *eval, const Expr *expr) {
  if (expr && !eval->abort && expr_is_constant(expr)) expr_truth(eval, expr);
  probe_expr(eval, expr);
}

static void probe_from(Eval *eval, const From *from) {
  if (!from) return;
  probe_condition(eval, from->condition);
  probe_from(eval, from->left);
  probe_from(eval, from->right);
}

static void probe_select(Eval *eval, const Select *select) {
  if (!select || eval->abort) return;
  probe_select(eval, select->left);
  probe_select(eval, select->right);
  for (uint32_t row = 0; row < select->values.count; row++)
    for (uint32_t i = 0; i < select->values.items[row].count; i++)
      probe_expr(eval, select->values.items[row].items[i]);
  for (uint32_t i = 0; i < select->sources.count; i++) probe_select(eval, select->sources.items[i].select);
  for (uint32_t i = 0; i < select->outputs.count; i++) probe_expr(eval, select->outputs.items[i].expr);
  probe_from(eval, select->from);
  probe_condition(eval, select->where);
  for (uint32_t i = 0; i < select->group_by.count; i++) probe_expr(eval, select->group_by.items[i]);
  probe_condition(eval, select->having);
  for (uint32_t i = 0; i < select->aggregates.count; i++) probe_expr(eval, select->aggregates.items[i]);
  for (uint32_t i = 0; i < select->order_by.count; i++) probe_expr(eval, select->order_by.items[i].expr);
}

static void probe_assignments(Eval *eval, const AssignmentList *assignments) {
  for (uint32_t i = 0; i < assignments->count; i++) probe_expr(eval, assignments->items[i].value);
}

void constants_probe(Eval *eval, const Statement *statement) {
  eval->in_write = statement->kind == STATEMENT_INSERT || statement->kind == STATEMENT_UPDATE;
  switch (statement->kind) {
  case STATEMENT_SELECT: probe_select(eval, statement->select); break;
  case STATEMENT_INSERT:
    probe_select(eval, statement->insert->select);
    probe_assignments(eval, &statement->insert->assignments);
    break;
  case STATEMENT_UPDATE:
    probe_select(eval, statement->update->scope);
    probe_assignments(eval, &statement->update->assignments);
    break;
  case STATEMENT_DELETE: probe_select(eval, statement->delete_->scope); break;
  default: break;
  }
  eval->in_write = false;
}
