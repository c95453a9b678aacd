/* baseline_join.c: the combinations of rows that FROM and WHERE leave, each under the guard that it is one. */
#include "encodings/baseline_internal.h"

enum { MOST_COMBINATIONS = 4096 };

typedef struct Join {
  Baseline *baseline;
  const SymbolFrame *outer;
  const Select *block;
} Join;

static Combination combination_copy(const Join *join, const Combination *from) {
  uint32_t count = join->block->sources.count + 1;
  Combination copy = {.guard = TERM_TRUE,
                      .rows = ARENA_ARRAY(&join->baseline->memory, SymbolRow, count),
                      .slots = ARENA_ARRAY(&join->baseline->memory, uint32_t, count)};
  if (!from) return copy;
  copy.guard = from->guard;
  memcpy(copy.rows, from->rows, count * sizeof *copy.rows);
  memcpy(copy.slots, from->slots, count * sizeof *copy.slots);
  return copy;
}

static Term combination_holds(const Join *join, const Combination *combination, const Expr *condition) {
  SymbolFrame frame = {.outer = join->outer, .rows = combination->rows};
  return symbol_holds(join->baseline, &frame, condition);
}

static bool source_rows(const Join *join, uint32_t source, Combinations *made) {
  Baseline *baseline = join->baseline;
  const Table *table = join->block->sources.items[source].table;
  int32_t number = table ? baseline_table(baseline, table) : -1;
  if (number < 0) return baseline_refuse(baseline, "a source that is no table");
  uint32_t count = baseline->tables.items[number].slots.count;
  for (uint32_t slot = 0; slot < count; slot++) {
    SymbolRow row = view_row(baseline, (uint32_t)number, slot);
    if (row.is_present == TERM_FALSE) continue;
    Combination one = combination_copy(join, NULL);
    one.guard = row.is_present;
    one.rows[source] = row;
    one.slots[source] = slot;
    ARENA_PUSH(&baseline->memory, made, one);
  }
  return true;
}

static Combination combinations_merge(const Join *join, const Combination *a, const Combination *b) {
  Combination both = combination_copy(join, a);
  for (uint32_t i = 0; i < join->block->sources.count; i++)
    if (b->rows[i].cells) both.rows[i] = b->rows[i], both.slots[i] = b->slots[i];
  both.guard = term_and(join->baseline->terms, a->guard, b->guard);
  return both;
}

/* Sources on the inner side of a LEFT JOIN that found no partner. */
static void sources_null(const Join *join, const From *from, Combination *combination) {
  if (from->kind == FROM_JOIN) {
    sources_null(join, from->left, combination);
    sources_null(join, from->right, combination);
    return;
  }
  uint32_t columns = join->block->sources.items[from->source].column_count;
  SymbolRow *row = &combination->rows[from->source];
  *row = (SymbolRow){TERM_TRUE, ARENA_ARRAY(&join->baseline->memory, Symbol, columns)};
  for (uint32_t i = 0; i < columns; i++) row->cells[i] = symbol_constant(join->baseline, NULL_VALUE);
}

static bool from_rows(const Join *join, const From *from, Combinations *made);

static bool pair_rows(const Join *join, const From *from, Combinations *made) {
  Baseline *baseline = join->baseline;
  Combinations left = {0}, right = {0};
  if (from->join == JOIN_RIGHT || from->join == JOIN_FULL) return baseline_refuse(baseline, "RIGHT or FULL JOIN");
  if (!from_rows(join, from->left, &left) || !from_rows(join, from->right, &right)) return false;
  if ((uint64_t)left.count * right.count > MOST_COMBINATIONS)
    return baseline_refuse(baseline, "a join of so many rows");
  for (uint32_t i = 0; i < left.count; i++) {
    Term alone = left.items[i].guard;
    for (uint32_t k = 0; k < right.count; k++) {
      Combination both = combinations_merge(join, &left.items[i], &right.items[k]);
      both.guard = term_and(baseline->terms, both.guard, combination_holds(join, &both, from->condition));
      alone = term_and(baseline->terms, alone, term_not(baseline->terms, both.guard));
      if (both.guard != TERM_FALSE) ARENA_PUSH(&baseline->memory, made, both);
    }
    if (from->join != JOIN_LEFT || alone == TERM_FALSE) continue;
    Combination single = combination_copy(join, &left.items[i]);
    single.guard = alone;
    sources_null(join, from->right, &single);
    ARENA_PUSH(&baseline->memory, made, single);
  }
  return true;
}

static bool from_rows(const Join *join, const From *from, Combinations *made) {
  return from->kind == FROM_JOIN ? pair_rows(join, from, made) : source_rows(join, from->source, made);
}

bool join_rows(Baseline *baseline, const SymbolFrame *outer, const Select *block, Combinations *made) {
  Join join = {baseline, outer, block};
  Combinations all = {0};
  if (!block->from) {
    if (block->sources.count > 1) return baseline_refuse(baseline, "several tables at once");
    if (block->sources.count == 1) {
      if (!source_rows(&join, 0, &all)) return false;
    } else {
      Combination one = combination_copy(&join, NULL);
      ARENA_PUSH(&baseline->memory, &all, one);
    }
  } else if (!from_rows(&join, block->from, &all)) {
    return false;
  }
  for (uint32_t i = 0; i < all.count && !baseline->reason; i++) {
    Combination *one = &all.items[i];
    one->guard = term_and(baseline->terms, one->guard, combination_holds(&join, one, block->where));
    if (one->guard != TERM_FALSE) ARENA_PUSH(&baseline->memory, made, *one);
  }
  return !baseline->reason;
}
