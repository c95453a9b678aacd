/* baseline_effect.c: INSERT, UPDATE and DELETE: rows computed first, then written under their guards. */
#include "encodings/baseline_internal.h"

/* Holds wherever the statement is executed. */
static void statement_require(Baseline *baseline, Term guard, Term term) {
  Term executed = term_and(baseline->terms, baseline->path, guard);
  baseline_require(baseline, term_implies(baseline->terms, executed, term));
}

static bool table_fits(Baseline *baseline, const Table *table, int32_t *number) {
  *number = baseline_table(baseline, table);
  if (*number < 0) return baseline_refuse(baseline, "a table made in a transaction");
  if (table->foreign_keys.count || table->referenced_by.count) return baseline_refuse(baseline, "FOREIGN KEY");
  return true;
}

static bool column_is_key(const Table *table, uint32_t column) {
  if (table->primary < 0) return false;
  const Index *primary = table->indexes.items[table->primary];
  for (uint32_t i = 0; i < primary->column_count; i++)
    if (primary->columns[i] == column) return true;
  return false;
}

/* NOT NULL and CHECK hold for a row that is written. */
static void row_require(Baseline *baseline, const Table *table, const SymbolRow *row, Term guard) {
  Terms *terms = baseline->terms;
  for (uint32_t i = 0; i < table->column_count; i++)
    if (table->columns[i].not_null || column_is_key(table, i))
      statement_require(baseline, guard, term_not(terms, row->cells[i].is_null));
  const Value *inputs = baseline->inputs;
  baseline->inputs = table->inputs;
  for (uint32_t i = 0; i < table->checks.count && !baseline->reason; i++) {
    SymbolFrame frame = {.rows = row};
    Symbol holds = symbol_eval(baseline, &frame, table->checks.items[i].scope->where);
    if (holds.kind != SYMBOL_TRUTH) baseline_refuse(baseline, "a CHECK that is no condition");
    if (!baseline->reason) statement_require(baseline, guard, term_or(terms, holds.value, holds.is_null));
  }
  baseline->inputs = inputs;
}

static void row_return(Baseline *baseline, const Select *scope, const SymbolRow *row, Term guard,
                       StatementResult *result) {
  if (!scope) return;
  SymbolFrame frame = {.rows = row};
  SymbolRow shown = {guard, ARENA_ARRAY(&baseline->memory, Symbol, scope->outputs.count + 1)};
  for (uint32_t i = 0; i < scope->outputs.count && !baseline->reason; i++)
    shown.cells[i] = symbol_eval(baseline, &frame, scope->outputs.items[i].expr);
  result->has_rows = true;
  result->columns = scope->outputs.count;
  ARENA_PUSH(&baseline->memory, &result->rows, shown);
}

static void result_begin(const Select *returning, StatementResult *result) {
  result->has_affected = true;
  result->has_rows = returning != NULL;
  if (returning) result->columns = returning->outputs.count;
}

/* ---- UPDATE, DELETE ------------------------------------------------------------------------------------ */

static SymbolRow row_assign(Baseline *baseline, const Table *table, const Update *update, SymbolRow old) {
  SymbolRow now = {TERM_TRUE, ARENA_ARRAY(&baseline->memory, Symbol, table->column_count)};
  memcpy(now.cells, old.cells, table->column_count * sizeof *now.cells);
  bool is_stepwise = dialect_is_mysql(baseline_dialect(baseline)); /* later assignments see earlier ones */
  for (uint32_t i = 0; i < update->assignments.count && !baseline->reason; i++) {
    const Assignment *assignment = &update->assignments.items[i];
    const Column *column = &table->columns[assignment->column];
    if (column_is_key(table, assignment->column)) baseline_refuse(baseline, "an UPDATE of the primary key");
    if (assignment->value->kind == EXPR_DEFAULT) baseline_refuse(baseline, "DEFAULT");
    SymbolFrame frame = {.rows = is_stepwise ? &now : &old};
    Symbol value = symbol_eval(baseline, &frame, assignment->value);
    now.cells[assignment->column] = symbol_store(baseline, value, column->type, column->name);
  }
  return now;
}

static Term rows_differ(Baseline *baseline, const Table *table, const SymbolRow *a, const SymbolRow *b) {
  Term same = TERM_TRUE;
  for (uint32_t i = 0; i < table->column_count; i++)
    same = term_and(baseline->terms, same, symbol_same(baseline, a->cells[i], b->cells[i]));
  return term_not(baseline->terms, same);
}

static bool targets_find(Baseline *baseline, const Select *scope, int32_t *table, Combinations *found) {
  if (scope->sources.count != 1 || !scope->sources.items[0].table)
    return baseline_refuse(baseline, "a write over several tables");
  if (scope->limit || scope->order_by.count) return baseline_refuse(baseline, "a write with LIMIT");
  return table_fits(baseline, scope->sources.items[0].table, table) && join_rows(baseline, NULL, scope, found);
}

bool effect_update_symbolic(Baseline *baseline, const Update *update, StatementResult *result) {
  int32_t number;
  Combinations found = {0};
  result_begin(update->returning_scope, result);
  if (update->conflict != CONFLICT_ERROR) return baseline_refuse(baseline, "UPDATE IGNORE");
  if (update->limit || update->order_by.count) return baseline_refuse(baseline, "a write with LIMIT");
  if (!targets_find(baseline, update->scope, &number, &found)) return false;
  const Table *table = baseline->tables.items[number].table;
  SymbolRow *rows = ARENA_ARRAY(&baseline->memory, SymbolRow, found.count + 1);
  for (uint32_t i = 0; i < found.count && !baseline->reason; i++)
    rows[i] = row_assign(baseline, table, update, found.items[i].rows[0]);
  for (uint32_t i = 0; i < found.count && !baseline->reason; i++) {
    Term guard = found.items[i].guard;
    row_require(baseline, table, &rows[i], guard);
    if (dialect_is_mysql(baseline_dialect(baseline)))
      guard = term_and(baseline->terms, guard, rows_differ(baseline, table, &found.items[i].rows[0], &rows[i]));
    slot_write(baseline, (uint32_t)number, found.items[i].slots[0],
               term_and(baseline->terms, baseline->path, guard), rows[i]);
    bool counts_found = baseline_dialect(baseline)->found_rows;
    ARENA_PUSH(&baseline->memory, &result->affected, counts_found ? found.items[i].guard : guard);
    row_return(baseline, update->returning_scope, &rows[i], found.items[i].guard, result);
  }
  return !baseline->reason;
}

bool effect_delete_symbolic(Baseline *baseline, const Delete *delete_, StatementResult *result) {
  int32_t number;
  Combinations found = {0};
  result_begin(delete_->returning_scope, result);
  if (delete_->limit || delete_->order_by.count) return baseline_refuse(baseline, "a write with LIMIT");
  if (!targets_find(baseline, delete_->scope, &number, &found)) return false;
  for (uint32_t i = 0; i < found.count && !baseline->reason; i++) {
    SymbolRow gone = found.items[i].rows[0];
    row_return(baseline, delete_->returning_scope, &gone, found.items[i].guard, result);
    gone.is_present = TERM_FALSE;
    slot_write(baseline, (uint32_t)number, found.items[i].slots[0],
               term_and(baseline->terms, baseline->path, found.items[i].guard), gone);
    ARENA_PUSH(&baseline->memory, &result->affected, found.items[i].guard);
  }
  return !baseline->reason;
}

/* ---- INSERT ---------------------------------------------------------------------------------------------- */

/* The value of a symbol that is a constant, for a key. */
static bool symbol_value(Baseline *baseline, Symbol symbol, Value *value) {
  int64_t number;
  bool is_known = symbol.is_null == TERM_FALSE && !symbol.scale &&
                  (symbol.kind == SYMBOL_NUMBER || symbol.kind == SYMBOL_TEXT) &&
                  term_is_int(baseline->terms, symbol.value, &number);
  if (!is_known) return baseline_refuse(baseline, "an INSERT whose key is no constant");
  *value = symbol.kind == SYMBOL_NUMBER ? value_int(number) : baseline->texts.items[number];
  return true;
}

static bool row_slot(Baseline *baseline, uint32_t number, const SymbolRow *row, uint32_t *slot) {
  BaselineTable *of = &baseline->tables.items[number];
  if (of->table->primary < 0) {
    *slot = slot_make(baseline, number, NULL, of->next_rowid++);
    return true;
  }
  const Index *primary = of->table->indexes.items[of->table->primary];
  Value *key = ARENA_ARRAY(&baseline->memory, Value, primary->column_count);
  for (uint32_t i = 0; i < primary->column_count; i++)
    if (!symbol_value(baseline, row->cells[primary->columns[i]], &key[i])) return false;
  *slot = slot_of_key(baseline, number, key);
  return true;
}

static bool row_insert(Baseline *baseline, uint32_t number, const SymbolRow *row) {
  const Table *table = baseline->tables.items[number].table;
  Terms *terms = baseline->terms;
  uint32_t slot;
  if (!row_slot(baseline, number, row, &slot)) return false;
  uint32_t last = baseline->place - 1;
  StateChoice current = {.id = term_int(terms, last), .first = last, .last = last};
  statement_require(baseline, TERM_TRUE, term_not(terms, view_row(baseline, number, slot).is_present));
  statement_require(baseline, TERM_TRUE, term_not(terms, view_over(baseline, current, number, slot).is_present));
  row_require(baseline, table, row, TERM_TRUE);
  slot_write(baseline, number, slot, baseline->path, *row);
  return !baseline->reason;
}

static bool insert_row(Baseline *baseline, const Insert *insert, const ExprList *values, SymbolRow *row) {
  const Table *table = insert->table;
  *row = (SymbolRow){TERM_TRUE, ARENA_ARRAY(&baseline->memory, Symbol, table->column_count)};
  for (uint32_t i = 0; i < table->column_count; i++) {
    const Expr *value = NULL;
    for (uint32_t k = 0; k < insert->target_count && k < values->count; k++)
      if (insert->targets[k] == i) value = values->items[k];
    bool is_left_out = !value || value->kind == EXPR_DEFAULT;
    if (is_left_out && (table->columns[i].default_value || table->columns[i].auto_increment ||
                        table->rowid_column == (int32_t)i))
      return baseline_refuse(baseline, "a default or generated value");
    Symbol cell = is_left_out ? symbol_constant(baseline, NULL_VALUE) : symbol_eval(baseline, NULL, value);
    row->cells[i] = symbol_store(baseline, cell, table->columns[i].type, table->columns[i].name);
    if (table->columns[i].auto_increment && cell.is_null != TERM_FALSE)
      return baseline_refuse(baseline, "a generated key");
  }
  return !baseline->reason;
}

bool effect_insert_symbolic(Baseline *baseline, const Insert *insert, StatementResult *result) {
  int32_t number;
  result_begin(insert->returning_scope, result);
  if (insert->conflict != CONFLICT_ERROR) return baseline_refuse(baseline, "ON CONFLICT and its kin");
  if (insert->default_values || !insert->select || insert->select->kind != SELECT_VALUES)
    return baseline_refuse(baseline, "INSERT ... SELECT");
  if (!table_fits(baseline, insert->table, &number)) return false;
  const RowList *list = &insert->select->values;
  SymbolRow *rows = ARENA_ARRAY(&baseline->memory, SymbolRow, list->count + 1);
  for (uint32_t i = 0; i < list->count; i++)
    if (!insert_row(baseline, insert, &list->items[i], &rows[i])) return false;
  for (uint32_t i = 0; i < list->count; i++) {
    if (!row_insert(baseline, (uint32_t)number, &rows[i])) return false;
    ARENA_PUSH(&baseline->memory, &result->affected, TERM_TRUE);
    row_return(baseline, insert->returning_scope, &rows[i], TERM_TRUE, result);
  }
  return !baseline->reason;
}
