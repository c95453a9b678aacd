/* rowwise.c: which statements take their rows one by one, and one run of one. */
#include "semantics/rowwise.h"

#include "semantics/query_run.h"

/* ---- Which they are -------------------------------------------------------------------------- */

static void operand_is_local(Expr *expr, void *context) {
  bool *is_local = context;
  if (!expr || !*is_local) return;
  *is_local = !expr->select && !expr->is_volatile && expr->kind != EXPR_USER_VARIABLE;
  if (*is_local) expr_each(expr, operand_is_local, is_local);
}

bool expr_is_local(Expr *expr) {
  bool is_local = true;
  operand_is_local(expr, &is_local);
  return is_local;
}

typedef struct Locality {
  RowWise *rowwise;
  bool is_local;
} Locality;

/* Subqueries that are the same for all rows are answered before. */
static void operand_note(Expr *expr, void *context) {
  Locality *locality = context;
  if (!expr || !locality->is_local) return;
  Eval *eval = locality->rowwise->effect->eval;
  locality->is_local = !expr->is_volatile && expr->kind != EXPR_USER_VARIABLE &&
                       (!expr->select || subquery_is_kept(eval, expr->select));
  if (!locality->is_local) return;
  if (expr->select) ARENA_PUSH(eval->arena, &locality->rowwise->subqueries, expr);
  expr_each(expr, operand_note, locality);
}

static bool expr_is_rowwise(RowWise *rowwise, Expr *expr) {
  Locality locality = {rowwise, true};
  operand_note(expr, &locality);
  return locality.is_local;
}

static bool scope_is_local(RowWise *rowwise, const Select *scope) {
  return scope->sources.count == 1 && scope->sources.items[0].table && !scope->limit && !scope->offset &&
         expr_is_rowwise(rowwise, scope->where);
}

static bool select_is_local(RowWise *rowwise, const Select *select) {
  if (select->kind != SELECT_SIMPLE || select->is_grouped || select->distinct || select->into.count ||
      select->is_recursive || select->lock.skip_locked || !scope_is_local(rowwise, select))
    return false;
  for (uint32_t i = 0; i < select->outputs.count; i++)
    if (!expr_is_rowwise(rowwise, select->outputs.items[i].expr)) return false;
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (select->order_by.items[i].item < 0 || select->lock.kind) return false;
  return true;
}

static bool list_has(const uint32_t *columns, uint32_t count, uint32_t column) {
  for (uint32_t i = 0; i < count; i++)
    if (columns[i] == column) return true;
  return false;
}

/* Other rows have a say in its value: it is unique, or refers, or may be referred to. */
static bool column_is_shared(const Engine *engine, const Table *table, uint32_t column) {
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if ((index->unique || index->primary) && list_has(index->columns, index->column_count, column))
      return true;
  }
  if (!engine->schema.dialect.foreign_keys) return false;
  for (uint32_t i = 0; i < table->foreign_keys.count; i++)
    if (list_has(table->foreign_keys.items[i]->columns, table->foreign_keys.items[i]->column_count, column))
      return true;
  return table->referenced_by.count > 0;
}

static bool update_is_local(RowWise *rowwise, const Update *update) {
  const Engine *engine = rowwise->effect->engine;
  if (update->targets.count != 1 || update->returning_scope || update->conflict != CONFLICT_ERROR ||
      !scope_is_local(rowwise, update->scope))
    return false;
  const Table *table = update->scope->sources.items[0].table;
  for (uint32_t i = 0; i < update->assignments.count; i++)
    if (!expr_is_rowwise(rowwise, update->assignments.items[i].value) ||
        column_is_shared(engine, table, update->assignments.items[i].column))
      return false;
  return true;
}

static bool delete_is_local(RowWise *rowwise, const Delete *delete_) {
  const Engine *engine = rowwise->effect->engine;
  if (delete_->targets.count != 1 || delete_->returning_scope || !scope_is_local(rowwise, delete_->scope))
    return false;
  const Table *table = delete_->scope->sources.items[0].table;
  return !engine->schema.dialect.foreign_keys || !table->referenced_by.count;
}

static const Select *local_scope(RowWise *rowwise, const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_SELECT: return select_is_local(rowwise, statement->select) ? statement->select : NULL;
  case STATEMENT_UPDATE: return update_is_local(rowwise, statement->update) ? statement->update->scope : NULL;
  case STATEMENT_DELETE:
    return delete_is_local(rowwise, statement->delete_) ? statement->delete_->scope : NULL;
  default: return NULL;
  }
}

bool rowwise_of(Effect *effect, const Statement *statement, RowWise *rowwise) {
  if (effect->eval->eager) return false;
  *rowwise = (RowWise){.effect = effect,
                       .statement = statement,
                       .select = statement->kind == STATEMENT_SELECT ? statement->select : NULL,
                       .is_nested = effect->activation != NULL};
  const Select *scope = local_scope(rowwise, statement);
  if (scope) rowwise->table = scope->sources.items[0].table;
  return scope != NULL;
}

/* ---- One run ----------------------------------------------------------------------------------- */

bool rowwise_prepare(RowWise *rowwise) {
  Eval *eval = rowwise->effect->eval, before = *eval;
  eval->cache = NULL;
  eval->in_write = rowwise->statement->kind == STATEMENT_UPDATE ||
                   (rowwise->statement->kind == STATEMENT_DELETE && eval->dialect->name != DIALECT_MARIADB);
  bool is_fine = true;
  for (uint32_t i = 0; is_fine && i < rowwise->subqueries.count; i++)
    is_fine = subquery_keep(eval, rowwise->subqueries.items[i]) && eval->possible == before.possible;
  rowwise->cache = is_fine ? eval->cache : NULL;
  *eval = before;
  return is_fine;
}

void rowwise_run(RowWise *rowwise, RowRun *run) {
  run->eval = *rowwise->effect->eval;
  run->effect = *rowwise->effect;
  run->outcome = *rowwise->effect->outcome;
  run->eval.cache = cache_copy(&run->eval, rowwise->cache);
  run->effect.eval = &run->eval;
  run->effect.outcome = &run->outcome;
  run->is_done = effect_one(&run->effect, rowwise->statement);
}

bool rowwise_adopt(RowWise *rowwise, const RowRun *run) {
  Effect *effect = rowwise->effect;
  Eval *eval = effect->eval;
  Outcome *outcome = effect->outcome;
  *eval = run->eval;
  *outcome = run->outcome;
  *effect = run->effect;
  effect->eval = eval;
  effect->outcome = outcome;
  return run->is_done;
}

bool rowwise_failed(const RowRun *run, ErrorSet *errors) {
  if (run->eval.abort != ABORT_NONE && run->eval.abort != ABORT_ERROR) return false;
  *errors = run->effect.errors | (run->eval.abort ? ERROR_BIT(run->eval.error) : 0);
  return true;
}
