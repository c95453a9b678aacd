/* effect_insert.c: INSERT and REPLACE: first all new rows are computed, then they go in one by one. */
#include "semantics/constraint.h"
#include "semantics/interleave.h"

typedef struct NewRow {
  Value *values;
  bool generates; /* its key is still to be generated */
} NewRow;

typedef struct NewRows {
  ARRAY(NewRow) rows; /* in eval->arena */
  bool order_is_free; /* generated keys may go to other rows */
} NewRows;

/* ---- Computing the rows ----------------------------------------------------------- */

/* IGNORE makes errors of values into warnings and stores something else. */
static bool insert_value_failed(Effect *effect, const Insert *insert) {
  if (effect->eval->abort == ABORT_ERROR && insert->conflict == CONFLICT_IGNORE &&
      dialect_is_mysql(effect_dialect(effect)))
    eval_unmodelled(effect->eval, "INSERT IGNORE of a value that does not fit");
  return !effect_collect(effect);
}

static Value *row_new(Effect *effect, const Insert *insert, bool *given) {
  const Table *table = insert->table;
  Value *values = arena_alloc(effect->eval->arena, (table->column_count + 1) * sizeof *values);
  memset(given, 0, table->column_count);
  return values;
}

static bool column_is_required(const Table *table, uint32_t column) {
  return table->columns[column].not_null && !table->columns[column].default_value &&
         (int32_t)column != key_column(table);
}

/* mysql: what VALUES does not give but ON DUPLICATE KEY UPDATE assigns is not missed. */
static bool insert_assigns(const Insert *insert, uint32_t column) {
  if (insert->default_values || insert->select->kind != SELECT_VALUES) return false;
  for (uint32_t i = 0; i < insert->assignments.count; i++)
    if (insert->assignments.items[i].column == column) return true;
  return false;
}

/* mysql looks for columns without a value before it computes any. */
static bool insert_misses(Effect *effect, const Insert *insert) {
  const Dialect *dialect = effect_dialect(effect);
  if (!dialect_is_mysql(dialect) || !dialect->strict || insert->conflict == CONFLICT_IGNORE) return false;
  for (uint32_t i = 0; i < insert->table->column_count; i++) {
    bool is_given = insert_assigns(insert, i) || !column_is_required(insert->table, i);
    for (uint32_t t = 0; t < insert->target_count && !is_given; t++) is_given = insert->targets[t] == i;
    if (is_given) continue;
    effect->omits_default = true;
    effect_fail(effect, ERROR_NOT_NULL, "column '%s' has no default value", insert->table->columns[i].name);
    return true;
  }
  return false;
}

/* The columns that the statement does not name. */
static bool row_complete(Effect *effect, const Insert *insert, Value *values, const bool *given,
                         bool *generates) {
  const Table *table = insert->table;
  const Dialect *dialect = effect_dialect(effect);
  for (uint32_t i = 0; i < table->column_count; i++) {
    if (given[i]) {
      if (key_is_generated(effect, table, i, values[i])) *generates = true;
      continue;
    }
    if ((int32_t)i == key_column(table)) {
      values[i] = NULL_VALUE;
      *generates = true;
      continue;
    }
    values[i] = effect_default(effect, table, i);
    if (!table->columns[i].default_value && table->columns[i].not_null) effect->omits_default = true;
    if (effect->eval->abort && insert_value_failed(effect, insert)) return false;
    if (column_is_required(table, i) && insert_assigns(insert, i) && dialect_is_mysql(dialect) &&
        (type_is_number(table->columns[i].type) || type_is_text(table->columns[i].type))) {
      values[i] = type_is_text(table->columns[i].type) ? value_text("", 0) : value_int(0);
      values[i] = effect_store(effect, values[i], table->columns[i].type, &table->columns[i]);
      continue;
    }
    if (dialect_is_mysql(dialect) && !table->columns[i].default_value && table->columns[i].not_null &&
        (!dialect->strict || insert->conflict == CONFLICT_IGNORE || insert_assigns(insert, i))) {
      eval_unmodelled(effect->eval, "the implicit default of column '%s'", table->columns[i].name);
      return false;
    }
  }
  return true;
}

static bool row_push(Effect *effect, const Insert *insert, NewRows *rows, Value *values, const bool *given,
                     ErrorSet errors) {
  NewRow row = {.values = values};
  if (!row_complete(effect, insert, values, given, &row.generates)) return false;
  if (effect->errors == errors) ARENA_PUSH(effect->eval->arena, &rows->rows, row);
  return true;
}

static bool rows_of_values(Effect *effect, const Insert *insert, NewRows *rows) {
  Eval *eval = effect->eval;
  const RowList *list = &insert->select->values;
  if (dialect_is_mysql(effect_dialect(effect)) && insert_sees_itself(insert)) {
    eval_unmodelled(eval, "a row of VALUES that reads the rows before it");
    return false;
  }
  bool *given = arena_alloc(eval->arena, insert->table->column_count + 1);
  Frame frame = {.outer = eval->frame, .block = insert->select};
  eval->frame = &frame;
  bool is_fine = true;
  for (uint32_t r = 0; r < list->count && is_fine; r++) {
    const ExprList *exprs = &list->items[r];
    Value *values = row_new(effect, insert, given);
    ErrorSet errors = effect->errors;
    for (uint32_t i = 0; i < exprs->count && i < insert->target_count && is_fine; i++) {
      uint32_t column = insert->targets[i];
      if (exprs->items[i]->kind == EXPR_DEFAULT) continue;
      values[column] = effect_value(effect, exprs->items[i], insert->table, column);
      given[column] = true;
      if ((int32_t)column != key_column(insert->table))
        effect_note_null(effect, insert->table, column, values[column]);
      if (eval->abort) is_fine = !insert_value_failed(effect, insert);
    }
    is_fine = is_fine && row_push(effect, insert, rows, values, given, errors);
  }
  eval->frame = frame.outer;
  return is_fine;
}

static const ErrorSet BAD_VALUES = ERROR_BIT(ERROR_BAD_VALUE) | ERROR_BIT(ERROR_DIVISION);

static bool rows_of_select(Effect *effect, const Insert *insert, NewRows *rows) {
  Eval *eval = effect->eval;
  ResultSet result;
  eval->in_search = true; /* which parts are evaluated at all is the planner's choice */
  bool is_found = query_run(eval, insert->select, READ_INSERT_SELECT, &result);
  eval->in_search = false;
  /* ... also for rows that a join then leaves out, or of tables that turn out to have no partner. */
  if (eval->eager && dialect_is_mysql(eval->dialect) && eval->in_write) eval->possible |= BAD_VALUES;
  if (!is_found) return effect_collect(effect);
  if (result.has_slice) {
    eval_unmodelled(eval, "LIMIT leaves open which rows are inserted");
    return false;
  }
  bool *given = arena_alloc(eval->arena, insert->table->column_count + 1);
  rows->order_is_free = result.row_count > 1;
  for (uint32_t r = 0; r < result.row_count; r++) {
    const ResultRow *source = &result.rows[r];
    if (source->alternative_count) {
      eval_unmodelled(eval, "a column that GROUP BY does not determine is inserted");
      return false;
    }
    Value *values = row_new(effect, insert, given);
    ErrorSet errors = effect->errors;
    for (uint32_t i = 0; i < insert->target_count && i < result.column_count; i++) {
      uint32_t column = insert->targets[i];
      values[column] =
          effect_store(effect, source->values[i], result.column_types[i], &insert->table->columns[column]);
      given[column] = true;
      if ((int32_t)column != key_column(insert->table))
        effect_note_null(effect, insert->table, column, values[column]);
      if (eval->abort && insert_value_failed(effect, insert)) return false;
    }
    if (!row_push(effect, insert, rows, values, given, errors)) return false;
  }
  return true;
}

static bool insert_rows(Effect *effect, const Insert *insert, NewRows *rows) {
  if (!insert->default_values)
    return insert->select->kind == SELECT_VALUES && !insert->select->order_by.count && !insert->select->limit
               ? rows_of_values(effect, insert, rows)
               : rows_of_select(effect, insert, rows);
  bool *given = arena_alloc(effect->eval->arena, insert->table->column_count + 1);
  Value *values = row_new(effect, insert, given);
  return row_push(effect, insert, rows, values, given, effect->errors);
}

/* ---- Inserting one row ----------------------------------------------------------------- */

/* sqlite's REPLACE puts the default where NULL is not allowed. */
static bool replace_nulls(Effect *effect, const Table *table, Value *values) {
  for (uint32_t i = 0; i < table->column_count; i++) {
    if (values[i].kind != VALUE_NULL || !table->columns[i].not_null) continue;
    values[i] = effect_default(effect, table, i);
    if (effect->eval->abort && !effect_collect(effect)) return false;
  }
  return true;
}

/* Does IGNORE turn these errors into leaving the row out? */
static ErrorSet ignored_errors(const Effect *effect, const Insert *insert) {
  bool is_single =
      insert->default_values || (insert->select->kind == SELECT_VALUES && insert->select->values.count == 1);
  switch (effect_dialect(effect)->name) {
  case DIALECT_SQLITE: return ERROR_BIT(ERROR_NOT_NULL) | ERROR_BIT(ERROR_CHECK);
  case DIALECT_MYSQL: return ERROR_BIT(ERROR_CHECK) | ERROR_BIT(ERROR_FOREIGN_KEY);
  case DIALECT_MARIADB: /* a CHECK is ignored only where there are several rows */
    return ERROR_BIT(ERROR_FOREIGN_KEY) | (is_single ? 0 : ERROR_BIT(ERROR_CHECK));
  default: return 0;
  }
}

/* NOT NULL, CHECK, and what depends on the row alone. CONFLICT_SKIP: leave the row out. */
static ConflictAnswer row_check(Effect *effect, const Insert *insert, Value *values) {
  const Dialect *dialect = effect_dialect(effect);
  const Table *table = insert->table;
  ErrorSet before = effect->errors;
  const char *reason = effect->outcome->reason;
  if (insert->conflict == CONFLICT_REPLACE && dialect_is_sqlite(dialect) &&
      !replace_nulls(effect, table, values))
    return CONFLICT_FAILED;
  effect->errors = 0;
  bool is_fine = constraint_row(effect, table, values);
  if (is_fine && insert->conflict == CONFLICT_IGNORE && dialect_is_mysql(dialect))
    is_fine = foreign_key_child(effect, table, values);
  ErrorSet errors = effect->errors;
  effect->errors |= before;
  if (!is_fine) return CONFLICT_FAILED;
  if (!errors) return CONFLICT_NONE;
  if (insert->conflict != CONFLICT_IGNORE) return CONFLICT_FAILED;
  if (errors & ~ignored_errors(effect, insert)) {
    if (dialect_is_mysql(dialect) && (errors & ERROR_BIT(ERROR_NOT_NULL)))
      eval_unmodelled(effect->eval, "INSERT IGNORE of NULL into a column that is NOT NULL");
    return CONFLICT_FAILED;
  }
  effect->errors = before;
  effect->outcome->reason = reason;
  return CONFLICT_SKIP;
}

static Value hidden_rowid(Effect *effect, const Table *table, const Key *key) {
  Value rowid = value_int((int64_t)key->rowid);
  if (!engine_table(effect->engine, table)->had_deletes) return rowid;
  const Type type = {.kind = TYPE_DYNAMIC, .affinity = AFFINITY_INTEGER};
  return doubt_guess(&effect->engine->doubts, type, rowid, table->id, "a hidden row id");
}

static void session_remember(Effect *effect, const Insert *insert, const NewRow *row, const Key *key,
                             bool *is_first) {
  Session *session = effect->engine->session;
  const Dialect *dialect = effect_dialect(effect);
  int32_t column = key_column(insert->table);
  Value value;
  if (dialect_is_sqlite(dialect) && insert->table->without_rowid) return;
  if (dialect_is_sqlite(dialect))
    value = column >= 0 ? row->values[column] : hidden_rowid(effect, insert->table, key);
  else if (column >= 0 && row->generates && (*is_first || !dialect_is_mysql(dialect)))
    value = row->values[column];
  else
    return;
  *is_first = false;
  session->last_key = value;
  session->last_key_type = column >= 0 ? insert->table->columns[column].type : type_int(8);
  session->has_last_key = true;
}

static bool row_generate(Effect *effect, const Insert *insert, NewRow *row, const NewRows *rows) {
  int32_t column = key_column(insert->table);
  if (column < 0) return true;
  if (row->generates)
    row->values[column] = key_generate(effect, insert->table, (uint32_t)column, rows->order_is_free);
  else
    key_given(effect, insert->table, (uint32_t)column, row->values[column]);
  return !effect->eval->abort;
}

/* A row that cannot go in: which other constraints might have been reported instead? */
static bool row_refused(Effect *effect, const Insert *insert, const NewRow *row) {
  if (effect->eval->abort && !effect_collect(effect)) return false;
  return dialect_is_mysql(effect_dialect(effect)) ? foreign_key_child(effect, insert->table, row->values)
                                                  : true;
}

static bool insert_one(Effect *effect, const Insert *insert, ConflictPlan *plan, const NewRows *rows,
                       NewRow *row, int64_t *affected, bool *is_first) {
  const Table *table = insert->table;
  if (!row_generate(effect, insert, row, rows)) return effect_collect(effect);
  ErrorSet before = effect->errors;
  ConflictAnswer answer = row_check(effect, insert, row->values);
  if (answer == CONFLICT_SKIP) return true;
  if (effect->eval->abort) return row_refused(effect, insert, row);
  const Value *after = NULL;
  int64_t count = 0;
  if (insert->conflict != CONFLICT_ERROR && effect->errors == before) {
    answer = conflict_resolve(effect, plan, row->values, &count, &after);
    if (answer == CONFLICT_FAILED) return row_refused(effect, insert, row);
    *affected += count;
    if (answer == CONFLICT_SKIP) return true;
    if (answer == CONFLICT_DONE) return effect_return(effect, insert->returning_scope, after);
  }
  if (!constraint_unique(effect, table, row->values, NULL)) return effect_collect(effect);
  if (effect->errors != before) return row_refused(effect, insert, row);
  Key *key = row_insert(effect, table, row->values, row_rowid(table, row->values));
  conflict_touched(plan, key);
  session_remember(effect, insert, row, key, is_first);
  ++*affected;
  return effect_return(effect, insert->returning_scope, key->newest->values);
}

bool effect_insert(Effect *effect, const Insert *insert) {
  NewRows rows = {0};
  ConflictPlan plan;
  effect->eval->in_write = insert->conflict != CONFLICT_IGNORE || !dialect_is_mysql(effect_dialect(effect));
  if (insert_misses(effect, insert)) return false;
  if (!conflict_plan(effect, insert, &plan)) return false;
  if (!insert_rows(effect, insert, &rows)) return false;
  effect_returns(effect, insert->returning_scope);
  int64_t affected = 0;
  bool is_first = true, is_fine = true;
  for (uint32_t i = 0; i < rows.rows.count && is_fine; i++)
    is_fine = insert_one(effect, insert, &plan, &rows, &rows.rows.items[i], &affected, &is_first);
  conflict_free(&plan);
  if (!is_fine) return false;
  ErrorSet also = dialect_is_mysql(effect_dialect(effect)) && effect->eval->in_write &&
                          !insert->default_values && insert->select->kind != SELECT_VALUES
                      ? BAD_VALUES
                      : 0;
  if (effect->errors) {
    effect->errors |= also;
    return foreign_keys_join(effect);
  }
  effect_count(effect, affected);
  if (plan.uncertain_count == 1) effect->outcome->affected_also = affected + 1;
  if (plan.uncertain_count > 1) effect->outcome->has_affected = false;
  bool is_kept = foreign_keys_check(effect) && !effect->errors;
  if (effect->errors) effect->errors |= also;
  return is_kept;
}
