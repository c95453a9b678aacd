/* constraint.c: NOT NULL, CHECK and UNIQUE of single rows. */
#include "semantics/constraint.h"

/* ---- NOT NULL and CHECK ---------------------------------------------------------- */

static bool check_not_null(Effect *effect, const Table *table, const Value *row) {
  const Dialect *dialect = effect_dialect(effect);
  for (uint32_t i = 0; i < table->column_count; i++) {
    if (!table->columns[i].not_null || row[i].kind != VALUE_NULL) continue;
    if (dialect_is_mysql(dialect) && !dialect->strict) {
      eval_unmodelled(effect->eval, "NULL for column '%s' outside strict mode", table->columns[i].name);
      return false;
    }
    effect_fail(effect, ERROR_NOT_NULL, "column '%s' of table '%s' may not be NULL", table->columns[i].name,
                table->name);
  }
  return true;
}

static bool check_holds(Effect *effect, const Table *table, const Check *check, const Value *row) {
  Eval *eval = effect->eval;
  Frame frame = {.outer = NULL, .block = check->scope, .rows = &row};
  TableContext context = table_context_enter(eval, table, &frame);
  bool was_searching = eval->in_search;
  eval->in_search = true; /* mysql: whether a bad value in it is met is the server's business */
  int truth = expr_truth(eval, check->scope->where);
  eval->in_search = was_searching;
  table_context_leave(eval, context);
  if (eval->abort == ABORT_DOUBT) {
    /* The value is taken to be one that passes. */
    eval->abort = ABORT_NONE;
    effect->outcome->possible |= ERROR_BIT(ERROR_CHECK);
    return true;
  }
  if (eval->abort) return effect_collect(effect);
  if (truth == 0)
    effect_fail(effect, ERROR_CHECK, "CHECK constraint %s%sof table '%s' is not satisfied",
                check->name ? check->name : "", check->name ? " " : "", table->name);
  return true;
}

/* sqlite: an INTEGER PRIMARY KEY takes integers alone, whatever its column's affinity would take. */
static void check_rowid(Effect *effect, const Table *table, const Value *row) {
  if (table->rowid_column < 0) return;
  uint8_t kind = row[table->rowid_column].kind;
  if (kind != VALUE_INT && kind != VALUE_DOUBT)
    effect_fail(effect, ERROR_BAD_VALUE, "the row id of table '%s' must be an integer", table->name);
}

bool constraint_row(Effect *effect, const Table *table, const Value *row) {
  check_rowid(effect, table, row);
  if (!check_not_null(effect, table, row)) return false;
  for (uint32_t i = 0; i < table->checks.count; i++)
    if (!check_holds(effect, table, &table->checks.items[i], row)) return false;
  return true;
}

/* ---- UNIQUE -------------------------------------------------------------------------- */

bool index_is_unique(const Index *index) { return index->unique && !index->is_dropped; }

bool index_differs(const Engine *engine, const Table *table, const Index *index, const Value *a,
                   const Value *b) {
  for (uint32_t i = 0; i < index->column_count; i++) {
    uint32_t column = index->columns[i];
    if (value_identical(a[column], b[column])) continue;
    if (a[column].kind == VALUE_DOUBT || b[column].kind == VALUE_DOUBT) return true;
    if (value_order(&engine->schema.dialect, table->columns[column].type, a[column], b[column]) != 0)
      return true;
  }
  return false;
}

/* Has it a place in the order of an index?  Not if it is in doubt, or text whose collation is not modelled.
 */
static bool value_is_placed(const Eval *eval, Type type, Value value) {
  return value.kind != VALUE_DOUBT && value_is_orderable(eval->dialect, type, value);
}

typedef enum Same { SAME_NO, SAME_MAYBE, SAME_YES } Same;

static Same value_same(Eval *eval, Type type, Value a, Value b) {
  a = doubt_settle(eval->doubts, a);
  b = doubt_settle(eval->doubts, b);
  if (a.kind == VALUE_NULL || b.kind == VALUE_NULL) return SAME_NO; /* NULLs are distinct */
  if (value_identical(a, b)) return SAME_YES;
  if (!value_is_placed(eval, type, a) || !value_is_placed(eval, type, b)) return SAME_MAYBE;
  return value_order(eval->dialect, type, a, b) == 0 ? SAME_YES : SAME_NO;
}

static Same row_same(Eval *eval, const Table *table, const Index *index, const Value *row,
                     const Value *other) {
  Same same = SAME_YES;
  for (uint32_t i = 0; i < index->column_count && same != SAME_NO; i++) {
    uint32_t column = index->columns[i];
    Same one = value_same(eval, table->columns[column].type, row[column], other[column]);
    if (one < same) same = one;
  }
  return same;
}

static Key *range_conflict(Eval *eval, const Table *table, const Index *index, const Value *row,
                           const IndexRange *range, bool is_whole, const Key *except, ReadPurpose purpose,
                           bool *maybe) {
  IndexCursor cursor;
  store_seek(eval->store, table, index, range, purpose, &cursor);
  for (Key *key = store_next(&cursor); key; key = store_next(&cursor)) {
    /* Among the entries without a place a key that has one finds no equal, only rows that may be; but where history
     * is kept, values that were shown meanwhile stand there too. */
    if (cursor.in_undecided && is_whole && *maybe && !store_keeps_history(eval->store)) return NULL;
    if (key == except) continue;
    const Version *version = store_read(eval->store, key, purpose);
    if (!version) continue;
    Same same = row_same(eval, table, index, row, version->values);
    if (same == SAME_YES) return key;
    if (same == SAME_MAYBE) *maybe = true;
  }
  return NULL;
}

/* How much of the new row's key can be looked up. */
typedef struct Probe {
  uint32_t placed; /* leading columns that have a place in the index */
  bool is_whole;   /* all of them */
  bool is_fresh;   /* a doubt of this very statement: no other row holds it */
  bool has_null;
} Probe;

static Probe probe_of(Eval *eval, const Table *table, const Index *index, const Value *row, Value *equal) {
  Probe probe = {.is_whole = true};
  for (uint32_t i = 0; i < index->column_count; i++) {
    uint32_t column = index->columns[i];
    equal[i] = doubt_settle(eval->doubts, row[column]);
    if (equal[i].kind == VALUE_NULL) probe.has_null = true;
    if (equal[i].kind == VALUE_DOUBT && equal[i].doubt >= eval->engine->statement_doubts)
      probe.is_fresh = true;
    if (!value_is_placed(eval, table->columns[column].type, equal[i])) probe.is_whole = false;
    if (probe.is_whole) probe.placed++;
  }
  return probe;
}

Key *unique_conflict(Eval *eval, const Table *table, const Index *index, const Value *row, const Key *except,
                     ReadPurpose purpose, bool *maybe) {
  static const Value nothing = {.kind = VALUE_NULL};
  Value buffer[16];
  Value *equal =
      index->column_count <= 16 ? buffer : arena_alloc(eval->arena, index->column_count * sizeof *equal);
  Probe probe = probe_of(eval, table, index, row, equal);
  if (probe.has_null) return NULL;
  if (!probe.is_whole && store_key_count(eval->store, table)) *maybe = true;
  if (probe.is_fresh) return NULL;
  IndexRange range = {.equal = equal, .equal_count = probe.placed};
  /* Nothing to look up: an empty range, behind which come the entries without a place. */
  if (!probe.placed) range.lower = range.upper = &nothing;
  return range_conflict(eval, table, index, row, &range, probe.is_whole, except, purpose, maybe);
}

/* Generated keys are distinct from those the generator gave before: only other keys make a collision
 * possible. */
static bool conflict_is_possible(const Effect *effect, const Table *table, const Index *index,
                                 const Value *row) {
  const Engine *engine = effect->engine;
  if (engine->tables.items[table->id].has_explicit_keys) return true;
  for (uint32_t i = 0; i < index->column_count; i++) {
    Value value = row[index->columns[i]];
    if (value.kind == VALUE_DOUBT && engine->doubts.doubts.items[value.doubt].is_guessed) return false;
  }
  return true;
}

bool constraint_unique(Effect *effect, const Table *table, const Value *row, const Key *except) {
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (!index_is_unique(index)) continue;
    bool maybe = false;
    const Key *key = unique_conflict(effect->eval, table, index, row, except, READ_KEY_CHECK, &maybe);
    if (effect->eval->abort) return false;
    if (key)
      effect_fail(effect, ERROR_UNIQUE, "table '%s' has a row with the same %s", table->name,
                  index->primary ? "primary key" : "unique key");
    else if (maybe && conflict_is_possible(effect, table, index, row))
      effect->outcome->possible |= ERROR_BIT(ERROR_UNIQUE);
  }
  return true;
}
