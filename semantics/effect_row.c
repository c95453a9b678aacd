/* effect_row.c: what the statements that write have in common: values on their way into columns, rows
 * on their way into the store, RETURNING. */
#include "semantics/effect.h"

#include "semantics/constraint.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Errors --------------------------------------------------------------------- */

bool effect_fail(Effect *effect, ErrorClass error, const char *format, ...) {
  effect->errors |= ERROR_BIT(error);
  if (effect->outcome->reason) return false;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  effect->outcome->reason = arena_text(effect->results, text, strlen(text));
  return false;
}

bool effect_collect(Effect *effect) {
  Eval *eval = effect->eval;
  if (eval->abort == ABORT_NONE) return true;
  if (eval->abort != ABORT_ERROR) return false;
  effect->errors |= ERROR_BIT(eval->error);
  if (!effect->outcome->reason && eval->reason)
    effect->outcome->reason = arena_text(effect->results, eval->reason, strlen(eval->reason));
  eval->abort = ABORT_NONE;
  return true;
}

/* ---- Values ----------------------------------------------------------------------- */

/* Can a column of this type hold a value of that type as it is? */
static bool doubt_fits(Type from, Type to) {
  if (to.kind == TYPE_DYNAMIC) return to.affinity != AFFINITY_TEXT || type_is_text(from);
  if (from.kind == TYPE_INT && to.kind == TYPE_INT) return true;
  return from.kind == to.kind && from.precision == to.precision && from.scale == to.scale &&
         from.length == to.length;
}

/* A value in doubt is stored as it is; where the column would convert it, the result is another free value.
 */
static Value doubt_store(Effect *effect, Value value, const Column *column) {
  Doubts *doubts = &effect->engine->doubts;
  const Doubt *doubt = &doubts->doubts.items[value.doubt];
  if (doubt->kind == DOUBT_LOST || doubt_fits(doubt->type, column->type)) return value;
  if (doubt->kind == DOUBT_FREE && !doubt->is_guessed)
    return doubt_convert(doubts, value.doubt, column->type);
  return eval_doubt(effect->eval, value);
}

/* Setting a statement aside: what it wrote is known but for this value. */
static Value value_lose(Effect *effect, Value value, Type type) {
  Eval *eval = effect->eval;
  if (eval->abort != ABORT_UNMODELLED && eval->abort != ABORT_DOUBT) return value;
  if (!effect->engine->losing) {
    effect->engine->is_salvageable = true;
    return value;
  }
  eval->abort = ABORT_NONE;
  return doubt_new(&effect->engine->doubts, DOUBT_LOST, type, effect->engine->losing);
}

Value effect_store(Effect *effect, Value value, Type from, const Column *column) {
  value = doubt_settle(&effect->engine->doubts, value);
  value = value.kind == VALUE_DOUBT ? doubt_store(effect, value, column)
                                    : operate_store(effect->eval, value, from, column);
  return value_lose(effect, value, column->type);
}

/* Defaults and checks live as long as their table, not as long as the statement's plan. */
TableContext table_context_enter(Eval *eval, const Table *table, Frame *frame) {
  TableContext context = {.inputs = eval->inputs, .frame = eval->frame, .plan_arena = eval->plan_arena};
  eval->inputs = table->inputs;
  eval->frame = frame;
  eval->plan_arena = NULL;
  return context;
}

void table_context_leave(Eval *eval, TableContext context) {
  eval->inputs = context.inputs;
  eval->frame = context.frame;
  eval->plan_arena = context.plan_arena;
}

Value effect_default(Effect *effect, const Table *table, uint32_t column) {
  const Expr *expr = table->columns[column].default_value;
  if (!expr) return NULL_VALUE;
  Eval *eval = effect->eval;
  TableContext context = table_context_enter(eval, table, NULL);
  bool was_searching = eval->in_search;
  eval->in_search = true; /* mysql only warns of bad values in it */
  Value value = expr_operand(eval, expr);
  eval->in_search = was_searching;
  table_context_leave(eval, context);
  if (eval->abort) return value_lose(effect, value, table->columns[column].type);
  return effect_store(effect, value, expr->type, &table->columns[column]);
}

Value effect_value(Effect *effect, const Expr *expr, const Table *table, uint32_t column) {
  if (expr->kind == EXPR_DEFAULT) return effect_default(effect, table, column);
  Value value = expr_operand(effect->eval, expr);
  if (effect->eval->abort) return value_lose(effect, value, table->columns[column].type);
  return effect_store(effect, value, expr->type, &table->columns[column]);
}

void effect_note_null(Effect *effect, const Table *table, uint32_t column, Value value) {
  Eval *eval = effect->eval;
  if (!eval->abort && value_is_null(value) && table->columns[column].not_null &&
      dialect_is_mysql(eval->dialect))
    eval->possible |= ERROR_BIT(ERROR_NOT_NULL);
}

/* ---- Results ------------------------------------------------------------------------ */

void effect_count(Effect *effect, int64_t affected) {
  effect->outcome->has_affected = true;
  effect->outcome->affected = affected;
  effect->outcome->affected_also = -1;
}

void effect_returns(Effect *effect, const Select *scope) {
  if (!scope) return;
  ResultSet set = {.column_count = scope->outputs.count,
                   .column_names = scope->output_names,
                   .column_types = scope->output_types};
  ARENA_PUSH(effect->results, &effect->outcome->results, set);
  effect->returned = &effect->outcome->results.items[effect->outcome->results.count - 1];
  effect->returned_room = 0;
}

static ResultRow *returned_row(Effect *effect) {
  ResultSet *set = effect->returned;
  if (set->row_count == effect->returned_room) {
    effect->returned_room = effect->returned_room ? effect->returned_room * 2 : 4;
    ResultRow *rows = ARENA_ARRAY(effect->results, ResultRow, effect->returned_room);
    if (set->row_count) memcpy(rows, set->rows, set->row_count * sizeof *rows);
    set->rows = rows;
  }
  return &set->rows[set->row_count++];
}

bool effect_return(Effect *effect, const Select *scope, const Value *row) {
  if (!scope) return true;
  Eval *eval = effect->eval;
  Frame frame = {.outer = eval->frame, .block = scope, .rows = &row};
  Value *values = arena_alloc(effect->results, (scope->outputs.count + 1) * sizeof *values);
  eval->frame = &frame;
  ErrorSet possible = eval->possible;
  for (uint32_t i = 0; i < scope->outputs.count && !eval->abort; i++)
    values[i] = value_copy(effect->results, expr_eval(eval, scope->outputs.items[i].expr));
  eval->frame = frame.outer;
  /* MariaDB keeps the row, answers with none and reports no error. */
  bool may_fail = eval->abort == ABORT_ERROR || (eval->possible != possible && !eval->eager);
  if (may_fail && dialect_is_mysql(eval->dialect))
    eval_unmodelled(eval, "RETURNING of what fails is not modelled");
  if (eval->abort) return effect_collect(effect);
  returned_row(effect)->values = values;
  return true;
}

/* ---- Rows ---------------------------------------------------------------------------- */

void row_changed(Effect *effect, const Table *table, const Value *before, const Value *after) {
  if (!foreign_keys_watch(effect->engine, table)) return;
  ARENA_PUSH(effect->eval->arena, &effect->changes, (Change){table, before, after});
}

uint64_t row_rowid(const Table *table, const Value *values) {
  if (table->rowid_column < 0) return 0;
  Value value = values[table->rowid_column];
  return value.kind == VALUE_INT ? (uint64_t)value.integer : 0;
}

bool row_keeps_key(const Engine *engine, const Table *table, const Value *before, const Value *after) {
  return table->primary < 0 ||
         !index_differs(engine, table, table->indexes.items[table->primary], before, after);
}

/* The row that is about to be changed, as it was found: as a target, in the way of an upsert, or referring. */
static const Value *row_before(const Engine *engine, const Key *key) {
  const Version *version = store_read(engine->store, key, READ_RECHECK_TARGET);
  if (!version) version = store_read(engine->store, key, READ_CONFLICT);
  if (!version) version = store_read(engine->store, key, READ_KEY_CHECK);
  return version->values;
}

/* The list of cells in doubt follows the row. */
void row_take_out(Engine *engine, const Table *table, Key *key) {
  cells_removed(engine, table, key, row_before(engine, key));
  engine_table(engine, table)->had_deletes = true;
  store_delete(engine->store, table, key);
}

static Key *row_put_in(Engine *engine, const Table *table, const Value *values, uint64_t rowid) {
  Key *key = store_insert(engine->store, table, values, rowid);
  cells_added(engine, table, key, values);
  return key;
}

Key *row_put_back(Effect *effect, const Table *table, const Value *before, const Value *values,
                  uint64_t rowid) {
  if (table->rowid_column >= 0) rowid = row_rowid(table, values);
  Key *key = row_put_in(effect->engine, table, values, rowid);
  row_changed(effect, table, before, key->newest->values);
  return key;
}

Key *row_insert(Effect *effect, const Table *table, const Value *values, uint64_t rowid) {
  Key *key = row_put_in(effect->engine, table, values, rowid);
  row_changed(effect, table, NULL, key->newest->values);
  return key;
}

static void row_overwrite(Engine *engine, const Table *table, Key *key, const Value *values) {
  cells_removed(engine, table, key, row_before(engine, key));
  store_update(engine->store, table, key, values);
  cells_added(engine, table, key, values);
}

Key *row_update(Effect *effect, const Table *table, Key *key, const Value *values) {
  const Value *before = row_before(effect->engine, key);
  if (!row_keeps_key(effect->engine, table, before, values)) {
    uint64_t rowid = key->rowid;
    row_take_out(effect->engine, table, key);
    return row_put_back(effect, table, before, values, rowid);
  }
  row_overwrite(effect->engine, table, key, values);
  row_changed(effect, table, before, key->newest->values);
  return key;
}

void row_delete(Effect *effect, const Table *table, Key *key) {
  const Value *before = row_before(effect->engine, key);
  row_take_out(effect->engine, table, key);
  row_changed(effect, table, before, NULL);
}

bool row_settle(Engine *engine, const Table *table, Key *key, const Value *values, bool is_evidence) {
  Eval eval = engine_eval(engine, &engine->scratch, NULL);
  /* Rows that are still in doubt are none of its business; those to be settled after it will look at it. */
  bool maybe = true;
  for (uint32_t i = 0; is_evidence && i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (index_is_unique(index) && unique_conflict(&eval, table, index, values, key, READ_KEY_CHECK, &maybe))
      return false;
  }
  if (store_keeps_history(engine->store)) return true; /* no version is anybody's to rewrite: see settle.c */
  store_update(engine->store, table, key, values); /* it is the same row, whatever its key turned out to be */
  return true;
}
