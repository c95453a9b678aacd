/* effect_update.c: UPDATE of one table or (mysql) of several joined ones.
 *
 * U1  Every new row is computed from the rows as they were before the statement.
 * U2  A row is changed once; where several combinations would change it differently, the choice is free.
 * U3  UNIQUE holds when the statement ends.  If some order of the single changes would collide on the way,
 * the error is possible though not certain. */
#include "semantics/constraint.h"
#include "semantics/interleave.h"

typedef struct Target {
  const Table *table;
  Key *key;
  const Value *before;
  Value *after;
  uint64_t rowid;
  bool is_changed; /* mysql: a row that stays the same is not written */
  bool is_moved;   /* its primary key changes */
  bool may_stay;   /* mysql: whether it changes hangs on a value that is not known */
} Target;

typedef struct Targets {
  ARRAY(Target) items; /* in eval->arena */
  Map places;          /* key -> place + 1, only where a row can appear more than once */
} Targets;

/* ---- New rows ------------------------------------------------------------------------ */

/* Assigns to one source's row; *rows is what expressions see. */
static bool assign(Effect *effect, const Update *update, uint32_t source, const Value **rows, Value *after) {
  Eval *eval = effect->eval;
  const Table *table = update->scope->sources.items[source].table;
  Frame frame = {.outer = eval->frame, .block = update->scope, .rows = rows};
  eval->frame = &frame;
  for (uint32_t i = 0; i < update->assignments.count && !eval->abort; i++) {
    const Assignment *assignment = &update->assignments.items[i];
    if (update->targets.items[assignment->target] != source) continue;
    Value value = effect_value(effect, assignment->value, table, assignment->column);
    if (!eval->abort) after[assignment->column] = value;
    effect_note_null(effect, table, assignment->column, value);
  }
  eval->frame = frame.outer;
  return !eval->abort;
}

static bool rows_same(const Table *table, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < table->column_count; i++)
    if (!value_identical(a[i], b[i])) return false;
  return true;
}

/* They differ only where the first has values in doubt. */
static bool rows_may_be_same(const Table *table, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < table->column_count; i++)
    if (a[i].kind != VALUE_DOUBT && !value_identical(a[i], b[i])) return false;
  return true;
}

static Value *row_copy(Eval *eval, const Table *table, const Value *row) {
  Value *copy = arena_alloc(eval->arena, (table->column_count + 1) * sizeof *copy);
  memcpy(copy, row, table->column_count * sizeof *copy);
  return copy;
}

/* MySQL assigns from left to right: what was assigned is seen at once. */
static Value *after_in_order(Effect *effect, const Update *update, uint32_t source, const Match *match) {
  Eval *eval = effect->eval;
  const Table *table = update->scope->sources.items[source].table;
  uint32_t count = update->scope->sources.count;
  const Value **rows = arena_alloc(eval->arena, count * sizeof *rows);
  memcpy(rows, match->rows, count * sizeof *rows);
  Value *after = row_copy(eval, table, match->rows[source]);
  rows[source] = after;
  return assign(effect, update, source, rows, after) ? after : NULL;
}

static Value *after_at_once(Effect *effect, const Update *update, uint32_t source, const Match *match) {
  Value *after = row_copy(effect->eval, update->scope->sources.items[source].table, match->rows[source]);
  return assign(effect, update, source, match->rows, after) ? after : NULL;
}

static Value *new_row(Effect *effect, const Update *update, uint32_t source, const Match *match) {
  if (!dialect_is_mysql(effect_dialect(effect))) return after_at_once(effect, update, source, match);
  Value *after = after_in_order(effect, update, source, match);
  if (!after || update->scope->sources.count == 1) return after;
  /* In a joined UPDATE the server is free to assign in either way. */
  Value *other = after_at_once(effect, update, source, match);
  if (other && !rows_same(update->scope->sources.items[source].table, after, other)) {
    eval_unmodelled(effect->eval, "a joined UPDATE that reads what it assigns");
    return NULL;
  }
  return after;
}

/* ---- Collecting ------------------------------------------------------------------------ */

static bool target_repeats(Effect *effect, Targets *targets, const Table *table, Key *key, const Value *after,
                           bool *repeats) {
  uintptr_t place = (uintptr_t)map_get(&targets->places, (const char *)&key, sizeof key);
  *repeats = place != 0;
  if (!place) {
    map_put_copy(&targets->places, (const char *)&key, sizeof key,
                 (void *)(uintptr_t)(targets->items.count + 1));
    return true;
  }
  Value *first = targets->items.items[place - 1].after;
  if (rows_same(table, first, after)) return true;
  if (effect->engine->losing) {
    targets->items.items[place - 1].is_changed = true;
    for (uint32_t i = 0; i < table->column_count; i++)
      if (!value_identical(first[i], after[i]))
        first[i] =
            doubt_new(&effect->engine->doubts, DOUBT_LOST, table->columns[i].type, effect->engine->losing);
    return true;
  }
  effect->engine->is_salvageable = true;
  eval_unmodelled(effect->eval, "several partners of a row in a joined UPDATE assign different values");
  return false;
}

static bool target_push(Effect *effect, const Update *update, uint32_t source, const Match *match,
                        Targets *targets) {
  const Table *table = update->scope->sources.items[source].table;
  Key *key = match->keys[source];
  if (!key) return true;
  ErrorSet errors = effect->errors;
  Value *after = new_row(effect, update, source, match);
  if (!after) return effect_collect(effect);
  bool repeats = false;
  if (update->scope->sources.count > 1 && !target_repeats(effect, targets, table, key, after, &repeats))
    return false;
  if (repeats || effect->errors != errors) return true;
  const Value *before = match->rows[source];
  Target target = {.table = table, .key = key, .before = before, .after = after, .rowid = key->rowid};
  target.is_changed = !dialect_is_mysql(effect_dialect(effect)) || !rows_same(table, before, after);
  target.may_stay = target.is_changed && rows_may_be_same(table, before, after);
  target.is_moved = !row_keeps_key(effect->engine, table, before, after);
  ARENA_PUSH(effect->eval->arena, &targets->items, target);
  return true;
}

static bool targets_collect(Effect *effect, const Update *update, Targets *targets) {
  Eval *eval = effect->eval;
  Matches matches = {0};
  bool is_free = false;
  eval->in_search = true;
  bool is_found =
      query_matches(eval, update->scope, update->targets.items, update->targets.count, &matches, &is_free);
  eval->in_search = false;
  if (!is_found) {
    effect->engine->is_salvageable = false;
    return effect_collect(effect) && false;
  }
  if (is_free) {
    eval_unmodelled(eval, "LIMIT leaves open which rows are updated");
    return false;
  }
  const Table *table = update->scope->sources.items[0].table;
  if (dialect_is_sqlite(eval->dialect) && table &&
      update_sees_itself(update, table, matches.count, store_key_count(eval->store, table))) {
    eval_unmodelled(eval, "an UPDATE with a subquery that may see rows already updated");
    return false;
  }
  for (uint32_t i = 0; i < matches.count; i++)
    for (uint32_t t = 0; t < update->targets.count; t++)
      if (!target_push(effect, update, update->targets.items[t], &matches.items[i], targets)) return false;
  return true;
}

/* ---- Constraints ------------------------------------------------------------------------- */

static bool targets_check_rows(Effect *effect, const Targets *targets) {
  for (uint32_t i = 0; i < targets->items.count; i++) {
    const Target *target = &targets->items.items[i];
    if (target->is_changed && !constraint_row(effect, target->table, target->after)) return false;
  }
  return true;
}

static void fail_unique(Effect *effect, const Table *table, const Index *index) {
  effect_fail(effect, ERROR_UNIQUE, "table '%s' has a row with the same %s", table->name,
              index->primary ? "primary key" : "unique key");
}

/* Looks at every changed unique key. Before the changes are applied a collision may still go away. */
static bool targets_collide(Effect *effect, const Targets *targets, bool is_applied, bool *collides) {
  for (uint32_t i = 0; i < targets->items.count; i++) {
    const Target *target = &targets->items.items[i];
    if (!target->is_changed) continue;
    for (uint32_t k = 0; k < target->table->indexes.count; k++) {
      const Index *index = target->table->indexes.items[k];
      if (!index_is_unique(index) ||
          !index_differs(effect->engine, target->table, index, target->before, target->after))
        continue;
      bool maybe = false;
      Key *key = unique_conflict(effect->eval, target->table, index, target->after, target->key,
                                 READ_KEY_CHECK, &maybe);
      if (effect->eval->abort) return false;
      if (maybe) effect->outcome->possible |= ERROR_BIT(ERROR_UNIQUE);
      if (!key) continue;
      *collides = true;
      if (is_applied || targets->items.count == 1) fail_unique(effect, target->table, index);
    }
  }
  return true;
}

/* ---- Applying ----------------------------------------------------------------------------- */

/* Two moved rows may not meet at one primary key: the store has one row for each. */
static bool target_put_back(Effect *effect, Target *target) {
  const Index *primary = target->table->indexes.items[target->table->primary];
  bool maybe = false;
  Key *key = unique_conflict(effect->eval, target->table, primary, target->after, target->key, READ_KEY_CHECK,
                             &maybe);
  if (effect->eval->abort) return false;
  if (key) {
    fail_unique(effect, target->table, primary);
    row_changed(effect, target->table, target->before, target->after);
    return true;
  }
  target->key = row_put_back(effect, target->table, target->before, target->after, target->rowid);
  return true;
}

static bool targets_apply(Effect *effect, Targets *targets) {
  for (uint32_t i = 0; i < targets->items.count; i++) {
    const Target *target = &targets->items.items[i];
    if (!target->is_changed || !target->is_moved) continue;
    row_take_out(effect->engine, target->table, target->key);
    target->key->newest->is_moved = true;
  }
  for (uint32_t i = 0; i < targets->items.count; i++) {
    Target *target = &targets->items.items[i];
    if (!target->is_changed) continue;
    if (!target->is_moved)
      target->key = row_update(effect, target->table, target->key, target->after);
    else if (!target_put_back(effect, target))
      return false;
  }
  return true;
}

static bool targets_return(Effect *effect, const Update *update, const Targets *targets) {
  if (!update->returning_scope) return true;
  effect_returns(effect, update->returning_scope);
  for (uint32_t i = 0; i < targets->items.count; i++)
    if (!effect_return(effect, update->returning_scope, targets->items.items[i].after)) return false;
  return true;
}

static int64_t targets_count(const Effect *effect, const Targets *targets) {
  const Dialect *dialect = effect_dialect(effect);
  if (!dialect_is_mysql(dialect) || dialect->found_rows) return targets->items.count;
  int64_t changed = 0;
  for (uint32_t i = 0; i < targets->items.count; i++) changed += targets->items.items[i].is_changed;
  return changed;
}

static bool update_run(Effect *effect, const Update *update, Targets *targets) {
  if (!targets_collect(effect, update, targets)) return false;
  if (!targets_check_rows(effect, targets)) return false;
  bool collides = false, is_final = false;
  if (!targets_collide(effect, targets, false, &collides)) return false;
  if (!targets_apply(effect, targets)) return false;
  if (targets->items.count > 1 && !targets_collide(effect, targets, true, &is_final)) return false;
  if (collides) effect->outcome->possible |= ERROR_BIT(ERROR_UNIQUE);
  if (effect->errors) return foreign_keys_join(effect);
  effect_count(effect, targets_count(effect, targets));
  const Dialect *dialect = effect_dialect(effect);
  for (uint32_t i = 0; dialect_is_mysql(dialect) && !dialect->found_rows && i < targets->items.count; i++)
    if (targets->items.items[i].may_stay) effect->outcome->has_affected = false;
  if (!targets_return(effect, update, targets)) return false;
  return foreign_keys_check(effect) && !effect->errors;
}

bool effect_update(Effect *effect, const Update *update) {
  Targets targets = {0};
  effect->eval->in_write = true;
  bool is_done = update_run(effect, update, &targets);
  map_free(&targets.places);
  if (!is_done && effect->errors && update->conflict != CONFLICT_ERROR && !effect->eval->abort)
    eval_unmodelled(effect->eval, "UPDATE IGNORE or OR REPLACE where a constraint is in the way");
  return is_done;
}
