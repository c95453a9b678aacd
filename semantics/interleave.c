/* interleave.c: which subqueries of an UPDATE or DELETE may be evaluated behind its first write.
 *
 * An uncorrelated subquery is evaluated once, when it is first needed.  That is before
 * the first write where every row needs it: in WHERE as part of a conjunct, in SET anywhere but behind a
 * condition.  A DELETE with a correlated subquery first finds all its rows. */
#include "semantics/interleave.h"

#include "src/sql/function.h"

static bool select_reads(const Select *select, const Table *table);

static bool expr_reads(const Expr *expr, const Table *table) {
  if (!expr) return false;
  if (expr->select && select_reads(expr->select, table)) return true;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_reads(expr->args[i], table)) return true;
  return expr_reads(expr->filter, table);
}

static bool from_reads(const From *from, const Table *table) {
  if (!from || from->kind != FROM_JOIN) return false;
  return expr_reads(from->condition, table) || from_reads(from->left, table) ||
         from_reads(from->right, table);
}

static bool sources_read(const Select *select, const Table *table) {
  for (uint32_t i = 0; i < select->sources.count; i++) {
    const Source *source = &select->sources.items[i];
    if (source->table == table || (source->select && select_reads(source->select, table))) return true;
  }
  return from_reads(select->from, table);
}

static bool select_reads(const Select *select, const Table *table) {
  if (!select) return false;
  if (select_reads(select->left, table) || select_reads(select->right, table) || sources_read(select, table))
    return true;
  for (uint32_t i = 0; i < select->outputs.count; i++)
    if (expr_reads(select->outputs.items[i].expr, table)) return true;
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (expr_reads(select->order_by.items[i].expr, table)) return true;
  for (uint32_t i = 0; i < select->group_by.count; i++)
    if (expr_reads(select->group_by.items[i], table)) return true;
  for (uint32_t i = 0; i < select->values.count; i++)
    for (uint32_t j = 0; j < select->values.items[i].count; j++)
      if (expr_reads(select->values.items[i].items[j], table)) return true;
  return expr_reads(select->where, table) || expr_reads(select->having, table);
}

static bool expr_is_lazy(const Expr *expr) {
  switch (expr->kind) {
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_CASE:
  case EXPR_BETWEEN:
  case EXPR_IN_LIST: return true;
  default: return expr->kind == EXPR_FUNCTION && expr->function && (expr->function->flags & FUNCTION_LAZY);
  }
}

static bool expr_is_correlated(const Expr *expr) { return expr->select && expr->select->outer_depth; }

static bool expr_holds_correlated(const Expr *expr) {
  if (expr_is_correlated(expr)) return true;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_holds_correlated(expr->args[i])) return true;
  return false;
}

/* Does it hold a subquery over the table that may first be needed behind a write? */
static bool expr_comes_late(const Expr *expr, const Table *table, bool is_needed) {
  if (expr->select && select_reads(expr->select, table) && (!is_needed || expr_is_correlated(expr)))
    return true;
  is_needed = is_needed && !expr_is_lazy(expr);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_comes_late(expr->args[i], table, is_needed)) return true;
  return false;
}

static bool conjuncts_come_late(const Expr *expr, const Table *table) {
  if (!expr) return false;
  if (expr->kind != EXPR_AND) return expr_comes_late(expr, table, true);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (conjuncts_come_late(expr->args[i], table)) return true;
  return false;
}

bool update_sees_itself(const Update *update, const Table *table, uint32_t found, uint32_t count) {
  if (found > 0 && count > 1 && conjuncts_come_late(update->scope->where, table)) return true;
  for (uint32_t i = 0; found > 1 && i < update->assignments.count; i++)
    if (expr_comes_late(update->assignments.items[i].value, table, true)) return true;
  return false;
}

bool delete_sees_itself(const Delete *delete_, const Table *table, uint32_t found, uint32_t count) {
  const Expr *where = delete_->scope->where;
  if (!where || !found || count < 2 || expr_holds_correlated(where)) return false;
  return conjuncts_come_late(where, table);
}

bool insert_sees_itself(const Insert *insert) {
  for (uint32_t i = 1; i < insert->select->values.count; i++)
    for (uint32_t j = 0; j < insert->select->values.items[i].count; j++)
      if (expr_reads(insert->select->values.items[i].items[j], insert->table)) return true;
  return false;
}
