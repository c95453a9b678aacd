/* effect_conflict.c: a row is to be inserted whose key exists already: ON CONFLICT, ON DUPLICATE KEY, IGNORE,
 * REPLACE. */
#include "semantics/constraint.h"

/* ---- Which index ----------------------------------------------------------------- */

static bool index_has_columns(const Table *table, const Index *index, const NameList *names) {
  if (index->column_count != names->count) return false;
  for (uint32_t i = 0; i < names->count; i++) {
    int32_t column = table_column(table, names->items[i]);
    bool found = false;
    for (uint32_t j = 0; j < index->column_count; j++) found |= (int32_t)index->columns[j] == column;
    if (!found) return false;
  }
  return true;
}

bool conflict_plan(Effect *effect, const Insert *insert, ConflictPlan *plan) {
  *plan = (ConflictPlan){.insert = insert};
  plan->watches_twice = insert->conflict == CONFLICT_UPDATE && !dialect_is_sqlite(effect_dialect(effect));
  if (insert->conflict != CONFLICT_NOTHING && insert->conflict != CONFLICT_UPDATE) return true;
  const Table *table = insert->table;
  bool is_named = insert->conflict_columns.count || insert->conflict_constraint;
  if (!is_named) return true;
  for (uint32_t i = 0; i < table->indexes.count && !plan->arbiter; i++) {
    const Index *index = table->indexes.items[i];
    if (!index_is_unique(index)) continue;
    if (insert->conflict_constraint ? index->name && strcmp(index->name, insert->conflict_constraint) == 0
                                    : index_has_columns(table, index, &insert->conflict_columns))
      plan->arbiter = index;
  }
  if (plan->arbiter) return true;
  if (insert->conflict_constraint) {
    eval_unmodelled(effect->eval, "ON CONFLICT names a constraint that is not known");
    return false;
  }
  return effect_fail(effect, ERROR_OTHER, "no unique constraint matches the ON CONFLICT columns");
}

void conflict_touched(ConflictPlan *plan, const Key *key) {
  if (plan->watches_twice) map_put_copy(&plan->touched, (const char *)&key, sizeof key, (void *)key);
}

void conflict_free(ConflictPlan *plan) { map_free(&plan->touched); }

/* ---- Finding the rows in the way ----------------------------------------------------- */

typedef ARRAY(Key *) KeyList;

/* A generated key of the new row itself: it is taken to be new. */
static bool index_in_doubt(const Index *index, const Value *row) {
  for (uint32_t i = 0; i < index->column_count; i++)
    if (row[index->columns[i]].kind == VALUE_DOUBT) return true;
  return false;
}

/* Every distinct row that the new one collides with, the primary key's first. */
static bool conflict_keys(Effect *effect, const ConflictPlan *plan, const Value *row, KeyList *keys) {
  const Table *table = plan->insert->table;
  const Index *arbiter = plan->arbiter;
  bool skips = plan->insert->conflict == CONFLICT_NOTHING || plan->insert->conflict == CONFLICT_IGNORE;
  ReadPurpose purpose = skips ? READ_CONFLICT_SKIP : READ_CONFLICT;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < table->indexes.count; i++) {
      const Index *index = table->indexes.items[i];
      if (!index_is_unique(index) || index->primary != (pass == 0) || (arbiter && index != arbiter)) continue;
      bool maybe = false;
      Key *key = unique_conflict(effect->eval, table, index, row, NULL, purpose, &maybe);
      if (effect->eval->abort) return false;
      bool is_known = !key;
      for (uint32_t k = 0; k < keys->count; k++) is_known |= keys->items[k] == key;
      if (!is_known) ARENA_PUSH(effect->eval->arena, keys, key);
      if (!key && maybe && !index_in_doubt(index, row)) {
        /* Whether there is a conflict decides what happens: the key in the way must be known. */
        effect->eval->abort = ABORT_DOUBT;
        effect->eval->reason = "whether a row with a key in doubt is in the way is not known";
        return false;
      }
    }
  }
  return true;
}

/* MySQL updates the primary key's row first; among others its choice follows the order of its indexes. */
static bool conflict_is_primary(Effect *effect, const Table *table, const Value *row) {
  bool maybe = false;
  return table->primary >= 0 && unique_conflict(effect->eval, table, table->indexes.items[table->primary],
                                                row, NULL, READ_CONFLICT, &maybe);
}

/* InnoDB inserts index by index, and checks the foreign keys of each: those whose index is older than the one
 * that is in the way may be violated first. */
static bool conflict_may_be_late(Effect *effect, const Table *table, const Value *row) {
  ErrorSet errors = effect->errors;
  const char *reason = effect->outcome->reason;
  bool done = foreign_key_child(effect, table, row);
  effect->outcome->possible |= effect->errors & ~errors;
  effect->errors = errors;
  effect->outcome->reason = reason;
  return done;
}

/* ---- Updating the row in the way ---------------------------------------------------------- */

static Value *conflict_assign(Effect *effect, const Insert *insert, const Value *existing,
                              const Value *excluded) {
  const Table *table = insert->table;
  Eval *eval = effect->eval;
  Value *after = arena_alloc(eval->arena, table->column_count * sizeof *after);
  memcpy(after, existing, table->column_count * sizeof *after);
  /* MySQL assigns from left to right; the others evaluate over the old row. */
  const Value *rows[2] = {dialect_is_mysql(effect_dialect(effect)) ? after : existing, excluded};
  Frame frame = {.outer = eval->frame, .block = insert->scope, .rows = rows};
  eval->frame = &frame;
  for (uint32_t i = 0; i < insert->assignments.count && !eval->abort; i++) {
    const Assignment *assignment = &insert->assignments.items[i];
    Value value = effect_value(effect, assignment->value, table, assignment->column);
    if (!eval->abort) after[assignment->column] = value;
  }
  eval->frame = frame.outer;
  return after;
}

static int conflict_condition(Effect *effect, const Insert *insert, const Value *existing,
                              const Value *excluded) {
  if (!insert->conflict_where) return 1;
  const Value *rows[2] = {existing, excluded};
  Frame frame = {.outer = effect->eval->frame, .block = insert->scope, .rows = rows};
  effect->eval->frame = &frame;
  int truth = expr_truth(effect->eval, insert->conflict_where);
  effect->eval->frame = frame.outer;
  return truth;
}

static bool rows_identical(const Table *table, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < table->column_count; i++)
    if (!value_identical(a[i], b[i])) return false;
  return true;
}

/* A NULL that stays NULL: the server compares the bytes beneath it and may count the row once, though it is
 * the same. */
static bool assigns_null(const Insert *insert, const Value *row) {
  for (uint32_t i = 0; i < insert->assignments.count; i++)
    if (row[insert->assignments.items[i].column].kind == VALUE_NULL) return true;
  return false;
}

static ConflictAnswer conflict_update(Effect *effect, ConflictPlan *plan, Key *key, const Value *row,
                                      int64_t *affected, const Value **after) {
  const Insert *insert = plan->insert;
  const Table *table = insert->table;
  const Dialect *dialect = effect_dialect(effect);
  if (plan->watches_twice && map_get(&plan->touched, (const char *)&key, sizeof key)) {
    effect_fail(effect, ERROR_CARDINALITY, "ON CONFLICT DO UPDATE changes a row a second time");
    return CONFLICT_FAILED;
  }
  const Value *existing = store_read(effect->engine->store, key, READ_CONFLICT)->values;
  int wanted = conflict_condition(effect, insert, existing, row);
  if (effect->eval->abort) return CONFLICT_FAILED;
  if (wanted != 1) return CONFLICT_SKIP;
  Value *values = conflict_assign(effect, insert, existing, row);
  if (effect->eval->abort) return CONFLICT_FAILED;
  bool is_same = rows_identical(table, existing, values);
  ErrorSet before = effect->errors;
  if (!constraint_row(effect, table, values)) return CONFLICT_FAILED;
  if (!is_same && !constraint_unique(effect, table, values, key)) return CONFLICT_FAILED;
  if (effect->errors != before) return CONFLICT_FAILED;
  *affected = !dialect_is_mysql(dialect) ? 1 : is_same ? dialect->found_rows : 2;
  if (dialect_is_mysql(dialect) && is_same && assigns_null(insert, values)) plan->uncertain_count++;
  if (!(is_same && dialect_is_mysql(dialect))) key = row_update(effect, table, key, values);
  conflict_touched(plan, key);
  *after = key->newest->values;
  return CONFLICT_DONE;
}

/* ---- REPLACE ------------------------------------------------------------------------------- */

/* The only unique key, not referred to: MySQL then updates in place, and a row that stays the same counts
 * once. */
static bool replace_is_in_place(const Effect *effect, const Table *table) {
  uint32_t unique = 0;
  for (uint32_t i = 0; i < table->indexes.count; i++) unique += index_is_unique(table->indexes.items[i]);
  return unique == 1 && !(effect_dialect(effect)->foreign_keys && table->referenced_by.count);
}

static ConflictAnswer conflict_replace(Effect *effect, const Table *table, const KeyList *keys,
                                       const Value *row, int64_t *affected) {
  for (uint32_t i = 0; i < keys->count; i++) {
    Key *key = keys->items[i];
    bool is_free = replace_is_in_place(effect, table) &&
                   rows_identical(table, store_read(effect->engine->store, key, READ_CONFLICT)->values, row);
    if (dialect_is_mysql(effect_dialect(effect)) && !is_free) ++*affected;
    row_delete(effect, table, key);
  }
  return CONFLICT_NONE;
}

/* ---- All of them ------------------------------------------------------------------------------ */

ConflictAnswer conflict_resolve(Effect *effect, ConflictPlan *plan, const Value *row, int64_t *affected,
                                const Value **after) {
  const Insert *insert = plan->insert;
  const Table *table = insert->table;
  KeyList keys = {0};
  if (!conflict_keys(effect, plan, row, &keys)) return CONFLICT_FAILED;
  if (!keys.count) return CONFLICT_NONE;
  switch (insert->conflict) {
  case CONFLICT_NOTHING:
  case CONFLICT_IGNORE: return CONFLICT_SKIP;
  case CONFLICT_REPLACE: return conflict_replace(effect, table, &keys, row, affected);
  case CONFLICT_DUPLICATE_KEY:
  case CONFLICT_UPDATE:
    if (keys.count > 1 && !plan->arbiter && !conflict_is_primary(effect, table, row)) {
      eval_unmodelled(effect->eval, "an upsert with several rows in the way");
      return CONFLICT_FAILED;
    }
    if (insert->conflict == CONFLICT_DUPLICATE_KEY && !conflict_is_primary(effect, table, row) &&
        !conflict_may_be_late(effect, table, row))
      return CONFLICT_FAILED;
    return conflict_update(effect, plan, keys.items[0], row, affected, after);
  default: return CONFLICT_NONE;
  }
}
