/* rowwise.c: which statements take their rows one by one, and one run of one. */
#include "semantics/rowwise.h"

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

static bool scope_is_local(const Select *scope) {
  return scope->sources.count == 1 && scope->sources.items[0].table && !scope->limit && !scope->offset &&
         expr_is_local(scope->where);
}

static bool select_is_local(const Select *select) {
  if (select->kind != SELECT_SIMPLE || select->is_grouped || select->distinct || select->into.count ||
      select->is_recursive || select->lock.skip_locked || !scope_is_local(select))
    return false;
  for (uint32_t i = 0; i < select->outputs.count; i++)
    if (!expr_is_local(select->outputs.items[i].expr)) return false;
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

static bool update_is_local(const Engine *engine, const Update *update) {
  if (update->targets.count != 1 || update->returning_scope || update->conflict != CONFLICT_ERROR ||
      !scope_is_local(update->scope))
    return false;
  const Table *table = update->scope->sources.items[0].table;
  for (uint32_t i = 0; i < update->assignments.count; i++)
    if (!expr_is_local(update->assignments.items[i].value) ||
        column_is_shared(engine, table, update->assignments.items[i].column))
      return false;
  return true;
}

static bool delete_is_local(const Engine *engine, const Delete *delete_) {
  if (delete_->targets.count != 1 || delete_->returning_scope || !scope_is_local(delete_->scope))
    return false;
  const Table *table = delete_->scope->sources.items[0].table;
  return !engine->schema.dialect.foreign_keys || !table->referenced_by.count;
}

static const Select *local_scope(const Engine *engine, const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_SELECT: return select_is_local(statement->select) ? statement->select : NULL;
  case STATEMENT_UPDATE: return update_is_local(engine, statement->update) ? statement->update->scope : NULL;
  case STATEMENT_DELETE:
    return delete_is_local(engine, statement->delete_) ? statement->delete_->scope : NULL;
  default: return NULL;
  }
}

bool rowwise_of(Effect *effect, const Statement *statement, RowWise *rowwise) {
  if (effect->eval->eager) return false;
  const Select *scope = local_scope(effect->engine, statement);
  if (!scope) return false;
  *rowwise = (RowWise){.effect = effect,
                       .statement = statement,
                       .table = scope->sources.items[0].table,
                       .select = statement->kind == STATEMENT_SELECT ? statement->select : NULL,
                       .is_nested = effect->activation != NULL};
  return true;
}

/* ---- One run ----------------------------------------------------------------------------------- */

void rowwise_run(RowWise *rowwise, RowRun *run) {
  run->eval = *rowwise->effect->eval;
  run->effect = *rowwise->effect;
  run->outcome = *rowwise->effect->outcome;
  run->eval.cache = NULL;
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
