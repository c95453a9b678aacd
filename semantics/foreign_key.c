/* foreign_key.c: references between tables, checked when a statement ends.
 *
 * A child row needs its parent; a parent row that goes, or changes its key, needs to have no children left.
 * NULL in any component refers to nothing.  Actions (CASCADE and the like) are not modelled: a statement that
 * would set one off is set aside, any other is not concerned. */
#include "semantics/constraint.h"

enum { COMPONENTS = 16 };

/* The parent's side of a foreign key, looked up by name: it may have been made later. */
typedef struct Reference {
  const ForeignKey *key;
  const Table *parent;
  uint32_t columns[COMPONENTS]; /* of the parent */
} Reference;

bool foreign_keys_watch(const Engine *engine, const Table *table) {
  return engine->schema.dialect.foreign_keys && (table->foreign_keys.count || table->referenced_by.count);
}

static bool reference_columns(Reference *reference) {
  const ForeignKey *key = reference->key;
  const Table *parent = reference->parent;
  if (!key->parent_column_names.count) {
    if (parent->primary < 0) return false;
    const Index *primary = parent->indexes.items[parent->primary];
    if (primary->column_count != key->column_count) return false;
    memcpy(reference->columns, primary->columns, key->column_count * sizeof *reference->columns);
    return true;
  }
  if (key->parent_column_names.count != key->column_count) return false;
  for (uint32_t i = 0; i < key->column_count; i++) {
    int32_t column = table_column(parent, key->parent_column_names.items[i]);
    if (column < 0) return false;
    reference->columns[i] = (uint32_t)column;
  }
  return true;
}

static bool reference_find(Effect *effect, const ForeignKey *key, Reference *reference) {
  *reference = (Reference){.key = key, .parent = schema_table(&effect->engine->schema, key->parent_name)};
  if (key->column_count <= COMPONENTS && reference->parent && reference_columns(reference)) return true;
  eval_unmodelled(effect->eval, "a foreign key of table '%s' whose parent cannot be found", key->child->name);
  return false;
}

/* ---- Finding rows by some of their columns --------------------------------------------- */

static int32_t place_of(const uint32_t *columns, uint32_t count, uint32_t column) {
  for (uint32_t i = 0; i < count; i++)
    if (columns[i] == column) return (int32_t)i;
  return -1;
}

/* How many leading columns of the index are among those asked for; their values in the index's order. */
static uint32_t index_prefix(const Index *index, const uint32_t *columns, uint32_t count, const Value *values,
                             Value *equal) {
  uint32_t prefix = 0;
  while (prefix < index->column_count && prefix < count) {
    int32_t place = place_of(columns, count, index->columns[prefix]);
    if (place < 0 || values[place].kind == VALUE_DOUBT) break;
    equal[prefix++] = values[place];
  }
  return prefix;
}

static const Index *best_index(const Table *table, const uint32_t *columns, uint32_t count,
                               const Value *values, Value *equal, uint32_t *prefix) {
  const Index *best = NULL;
  *prefix = 0;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    Value candidate[COMPONENTS];
    if (index->is_dropped) continue;
    uint32_t length = index_prefix(index, columns, count, values, candidate);
    if (length <= *prefix) continue;
    best = index;
    *prefix = length;
    memcpy(equal, candidate, length * sizeof *equal);
  }
  return best;
}

/* 1: the row holds the values, 0: not, -1: a value in doubt decides. */
static int row_holds(Eval *eval, const Table *table, const uint32_t *columns, uint32_t count,
                     const Value *values, const Value *row) {
  int holds = 1;
  for (uint32_t i = 0; i < count; i++) {
    Value mine = doubt_settle(eval->doubts, row[columns[i]]);
    Value other = doubt_settle(eval->doubts, values[i]);
    if (mine.kind == VALUE_NULL) return 0;
    if (mine.kind == VALUE_DOUBT || other.kind == VALUE_DOUBT) {
      if (mine.kind != other.kind || mine.doubt != other.doubt) holds = -1;
    } else if (value_order(eval->dialect, table->columns[columns[i]].type, mine, other) != 0) {
      return 0;
    }
  }
  return holds;
}

/* 1: there is such a row, 0: none, -1: one in doubt. */
static int rows_hold(Eval *eval, const Table *table, const uint32_t *columns, uint32_t count,
                     const Value *values, ReadPurpose purpose) {
  Value equal[COMPONENTS];
  uint32_t prefix;
  int answer = 0;
  const Index *index = best_index(table, columns, count, values, equal, &prefix);
  IndexRange range = {.equal = equal, .equal_count = prefix};
  IndexCursor cursor;
  uint32_t keys = index ? 0 : store_key_count(eval->store, table), place = 0;
  if (index) store_seek(eval->store, table, index, &range, purpose, &cursor);
  for (;;) {
    Key *key;
    if (index)
      key = store_next(&cursor);
    else
      key = place < keys ? store_key_at(eval->store, table, place++) : NULL;
    if (!key) return answer;
    const Version *version = store_read(eval->store, key, purpose);
    if (!version) continue;
    int holds = row_holds(eval, table, columns, count, values, version->values);
    if (holds == 1) return 1;
    if (holds < 0) answer = -1;
  }
}

static int children_hold(Eval *eval, const ForeignKey *key, const Value *values) {
  return rows_hold(eval, key->child, key->columns, key->column_count, values, READ_KEY_CHECK);
}

/* A row that is referred to is there in the state read, and in the one that the transaction leaves. */
static int parents_hold(Eval *eval, const Reference *reference, const Value *values) {
  uint32_t count = reference->key->column_count;
  int seen = rows_hold(eval, reference->parent, reference->columns, count, values, READ_PARENT);
  if (!seen || !store_view(eval->store)) return seen;
  int now = rows_hold(eval, reference->parent, reference->columns, count, values, READ_PARENT_NOW);
  return now == 1 ? seen : now;
}

/* The values of some columns of a row. False: one is NULL, and the row refers to nothing. */
static bool components(Eval *eval, const uint32_t *columns, uint32_t count, const Value *row, Value *values) {
  for (uint32_t i = 0; i < count; i++) {
    values[i] = doubt_settle(eval->doubts, row[columns[i]]);
    if (values[i].kind == VALUE_NULL) return false;
  }
  return true;
}

/* ---- The child's side ---------------------------------------------------------------------- */

static void deferred_push(Effect *effect, const ForeignKey *key, const Value *values) {
  Arena *arena = &effect->engine->transaction;
  Value *copy = arena_alloc(arena, key->column_count * sizeof *copy);
  for (uint32_t i = 0; i < key->column_count; i++) copy[i] = value_copy(arena, values[i]);
  ARRAY_PUSH(&effect->engine->deferred, (Deferred){key, copy});
}

/* A row that the same statement changed again does not count where the check comes at its end. */
static bool child_is_gone(Effect *effect, const ForeignKey *key, const Value *values) {
  return !dialect_is_mysql(effect_dialect(effect)) &&
         children_hold(effect->eval, key, values) == 0;
}

static bool child_check(Effect *effect, const ForeignKey *key, const Value *row, bool is_written) {
  Reference reference;
  Value values[COMPONENTS];
  if (!reference_find(effect, key, &reference)) return false;
  if (!components(effect->eval, key->columns, key->column_count, row, values)) return true;
  int found = parents_hold(effect->eval, &reference, values);
  if (!found && !is_written && reference.parent == key->child)
    found = row_holds(effect->eval, reference.parent, reference.columns, key->column_count, values, row);
  if (found > 0 || (is_written && child_is_gone(effect, key, values))) return true;
  if (found < 0) {
    effect->outcome->possible |= ERROR_BIT(ERROR_FOREIGN_KEY);
  } else if (key->is_deferred) {
    deferred_push(effect, key, values);
  } else {
    effect_fail(effect, ERROR_FOREIGN_KEY, "a row of table '%s' refers to no row of table '%s'",
                key->child->name, reference.parent->name);
  }
  return true;
}

bool foreign_key_child(Effect *effect, const Table *table, const Value *row) {
  if (!effect_dialect(effect)->foreign_keys) return true;
  for (uint32_t i = 0; i < table->foreign_keys.count; i++)
    if (!child_check(effect, table->foreign_keys.items[i], row, false)) return false;
  return true;
}

/* InnoDB checks row by row: a reference into the statement's own rows may come too early. */
static void child_may_be_early(Effect *effect, const Change *change) {
  if (!dialect_is_mysql(effect_dialect(effect)) || effect->changes.count < 2) return;
  for (uint32_t i = 0; i < change->table->foreign_keys.count; i++)
    if (schema_table(&effect->engine->schema, change->table->foreign_keys.items[i]->parent_name) ==
        change->table)
      effect->outcome->possible |= ERROR_BIT(ERROR_FOREIGN_KEY);
}

static bool change_touches(Effect *effect, const Change *change, const uint32_t *columns, uint32_t count) {
  if (!change->before || !change->after) return true;
  for (uint32_t i = 0; i < count; i++) {
    Value before = change->before[columns[i]], after = change->after[columns[i]];
    if (value_identical(before, after)) continue;
    if (before.kind == VALUE_DOUBT || after.kind == VALUE_DOUBT) return true;
    if (value_order(effect_dialect(effect), change->table->columns[columns[i]].type, before, after) != 0)
      return true;
  }
  return false;
}

static bool change_check_child(Effect *effect, const Change *change) {
  const Table *table = change->table;
  child_may_be_early(effect, change);
  for (uint32_t i = 0; i < table->foreign_keys.count; i++) {
    const ForeignKey *key = table->foreign_keys.items[i];
    if (!change_touches(effect, change, key->columns, key->column_count)) continue;
    if (!child_check(effect, key, change->after, true)) return false;
  }
  return true;
}

/* ---- The parent's side ----------------------------------------------------------------------- */

static bool children_left(Effect *effect, const Reference *reference, const Change *change,
                          const Value *values) {
  const ForeignKey *key = reference->key;
  int children = children_hold(effect->eval, key, values);
  bool is_own = key->child == change->table;
  if (!children && !(is_own && dialect_is_mysql(effect_dialect(effect)))) return true;
  int parents = parents_hold(effect->eval, reference, values);
  uint8_t action = change->after ? key->on_update : key->on_delete;
  if (children && !parents && action != ACTION_NONE) {
    eval_unmodelled(effect->eval, "a foreign key action (CASCADE, SET NULL or SET DEFAULT)");
    return false;
  }
  if (children > 0 && !parents && key->is_deferred) {
    deferred_push(effect, key, values);
  } else if (children > 0 && !parents) {
    effect_fail(effect, ERROR_FOREIGN_KEY, "a row of table '%s' still refers to the row of table '%s'",
                key->child->name, change->table->name);
  } else {
    /* The key is back, or a value in doubt decides, or the children went with the same statement: RESTRICT
     * and InnoDB, which looks row by row, may refuse. */
    effect->outcome->possible |= ERROR_BIT(ERROR_FOREIGN_KEY);
  }
  return true;
}

static bool change_check_parent(Effect *effect, const Change *change) {
  const Table *table = change->table;
  for (uint32_t i = 0; i < table->referenced_by.count; i++) {
    Reference reference;
    Value values[COMPONENTS];
    if (!reference_find(effect, table->referenced_by.items[i], &reference)) return false;
    uint32_t count = reference.key->column_count;
    if (!change_touches(effect, change, reference.columns, count)) continue;
    if (!components(effect->eval, reference.columns, count, change->before, values)) continue;
    if (!children_left(effect, &reference, change, values)) return false;
  }
  return true;
}

bool foreign_keys_check(Effect *effect) {
  for (uint32_t i = 0; i < effect->changes.count; i++) {
    const Change *change = &effect->changes.items[i];
    if (change->after && !change_check_child(effect, change)) return false;
    if (change->before && !change_check_parent(effect, change)) return false;
  }
  return true;
}

/* InnoDB looks row by row: a foreign key may fail before what fails in a later row. */
bool foreign_keys_join(Effect *effect) {
  if (dialect_is_mysql(effect_dialect(effect))) foreign_keys_check(effect);
  return false;
}

bool foreign_key_is_used(Effect *effect, const Table *parent, bool *is_used) {
  *is_used = false;
  uint32_t keys = store_key_count(effect->engine->store, parent);
  for (uint32_t i = 0; i < parent->referenced_by.count; i++) {
    Reference reference;
    if (parent->referenced_by.items[i]->child == parent) continue;
    if (!reference_find(effect, parent->referenced_by.items[i], &reference)) return false;
    for (uint32_t k = 0; k < keys && !*is_used; k++) {
      const Version *version =
          store_read(effect->engine->store, store_key_at(effect->engine->store, parent, k), READ_KEY_CHECK);
      Value values[COMPONENTS];
      const ForeignKey *key = reference.key;
      if (version &&
          components(effect->eval, reference.columns, key->column_count, version->values, values) &&
          children_hold(effect->eval, key, values) != 0)
        *is_used = true;
    }
  }
  return true;
}

/* ---- COMMIT ------------------------------------------------------------------------------------ */

ErrorSet foreign_keys_deferred(Engine *engine) {
  Eval eval = engine_eval(engine, &engine->scratch, NULL);
  Outcome outcome = {0};
  Effect effect = {.engine = engine, .eval = &eval, .outcome = &outcome, .results = &engine->scratch};
  for (uint32_t i = 0; i < engine->deferred.count; i++) {
    const Deferred *deferred = &engine->deferred.items[i];
    const ForeignKey *key = deferred->key;
    Reference reference;
    if (schema_table(&engine->schema, key->child->name) != key->child) continue;
    if (!reference_find(&effect, key, &reference)) continue;
    if (children_hold(&eval, key, deferred->values) > 0 &&
        parents_hold(&eval, &reference, deferred->values) == 0)
      return ERROR_BIT(ERROR_FOREIGN_KEY);
  }
  return 0;
}
