/* query_group.c: GROUP BY, aggregates, HAVING, and columns that may come from any row of a group.
 *
 * A group keeps its picks: the rows that a bare column may be taken from, and every spelling
 * of its keys.  The output row of the first pick stands in the result, those of the others are alternatives.
 * sqlite with one MIN or MAX picks among the rows that have the extreme. */
#include "semantics/query_group.h"

#include "src/sql/function.h"

/* An aggregate that the order of its rows leaves open. */
typedef struct FreeResult {
  uint32_t aggregate;
  Choices choices; /* none or more than one */
} FreeResult;

/* ---- Making groups -------------------------------------------------------------------------- */

/* "If there is exactly one min() or max(), bare columns take values from the row that has it."  [SQLite, 2.5
 * of lang_select]  Not so with DISTINCT: then SQLite takes any. */
static int32_t groups_extreme(const Run *run) {
  int32_t found = -1;
  if (!dialect_is_sqlite(run->eval->dialect) || !run->plan->has_bare) return -1;
  for (uint32_t i = 0; i < run->select->aggregates.count; i++) {
    const FunctionEntry *function = run->select->aggregates.items[i]->function;
    if (function->id != FUNCTION_MIN && function->id != FUNCTION_MAX) continue;
    if (found >= 0 || run->select->aggregates.items[i]->distinct) return -1;
    found = (int32_t)i;
  }
  return found;
}

struct Groups *groups_new(const Run *run) {
  const Select *select = run->select;
  struct Groups *groups = ARENA_NEW(run->eval->arena, struct Groups);
  groups->table = hash_table_new(run->eval->arena);
  groups->extreme = groups_extreme(run);
  groups->key_types = ARENA_ARRAY(run->eval->arena, Type, select->group_by.count);
  for (uint32_t i = 0; i < select->group_by.count; i++)
    groups->key_types[i] = select->group_by.items[i]->type;
  for (uint32_t i = 0; i < select->aggregates.count; i++)
    if (aggregate_is_arranged(select->aggregates.items[i])) groups->has_waiting = true;
  return groups;
}

void group_reset(Run *run) { run->groups = groups_new(run); }

static Group *group_new(Run *run, struct Groups *groups, const Value *keys) {
  const Select *select = run->select;
  Arena *arena = run->eval->arena;
  Group group = {.keys = keys};
  group.accumulators = ARENA_ARRAY(arena, Accumulator *, select->aggregates.count);
  for (uint32_t i = 0; i < select->aggregates.count; i++)
    group.accumulators[i] = accumulator_new(run->eval, select->aggregates.items[i]);
  if (groups->has_waiting)
    group.waiting = arena_zero(arena, select->aggregates.count * sizeof *group.waiting);
  ARENA_PUSH(arena, &groups->groups, group);
  return &groups->groups.items[groups->groups.count - 1];
}

Group *group_look(const Run *run, const struct Groups *groups, const Value *keys, uint64_t *hash) {
  uint32_t count = run->select->group_by.count;
  const Dialect *dialect = run->eval->dialect;
  *hash = row_hash(dialect, groups->key_types, keys, count);
  for (uint32_t entry = hash_first(&groups->table, *hash); entry != HASH_NONE;
       entry = hash_next(&groups->table, entry, *hash))
    if (row_equal(dialect, groups->key_types, groups->groups.items[entry].keys, keys, count))
      return &groups->groups.items[entry];
  return NULL;
}

Group *group_find(Run *run, struct Groups *groups, const Value *keys) {
  if (!row_is_decided(run->eval, groups->key_types, keys, run->select->group_by.count)) return NULL;
  uint64_t hash;
  Group *group = group_look(run, groups, keys, &hash);
  if (group) return group;
  hash_add(&groups->table, hash);
  return group_new(run, groups, keys);
}

static Pick pick_new(Run *run, const Value *keys) {
  uint32_t sources = run->plan->source_count;
  Pick pick = {.rows = arena_alloc(run->eval->arena, (sources + 1) * sizeof *pick.rows), .keys = keys};
  for (uint32_t i = 0; i < sources; i++) pick.rows[i] = run->rows[i];
  return pick;
}

static bool pick_is_new(const Run *run, const Group *group, const Value *keys) {
  if (!group->picks.count || run->plan->has_bare) return true;
  for (uint32_t i = 0; i < group->picks.count; i++)
    if (values_identical(group->picks.items[i].keys, keys, run->select->group_by.count)) return false;
  return true;
}

/* ---- Aggregates ---------------------------------------------------------------------------------- */

static void tolerate(Eval *eval) {
  if (eval->abort != ABORT_ERROR || !eval->eager) return;
  eval->possible |= ERROR_BIT(eval->error);
  eval->abort = ABORT_NONE;
}

static void aggregate_add(Run *run, Group *group, uint32_t place) {
  Eval *eval = run->eval;
  const Expr *aggregate = run->select->aggregates.items[place];
  if (aggregate->filter && run_truth(eval, aggregate->filter) != 1) return;
  Value args[aggregate->arg_count + 1];
  for (uint32_t i = 0; i < aggregate->arg_count && !eval->abort; i++)
    args[i] = aggregate->args[i]->kind == EXPR_STAR ? NULL_VALUE : run_operand(eval, aggregate->args[i]);
  if (eval->abort) return;
  if (aggregate_is_arranged(aggregate))
    waiting_add(eval, aggregate, args, &group->waiting[place]);
  else
    accumulator_add(eval, group->accumulators[place], args);
  tolerate(eval);
  bool is_enough = run->is_in_order && run->plan->stop == STOP_EXTREME && args[0].kind != VALUE_NULL;
  if (is_enough) run->stops = true;
}

void group_emit(Run *run) {
  const Select *select = run->select;
  Eval *eval = run->eval;
  Scratch scratch = scratch_begin(eval);
  Value *keys = arena_alloc(eval->arena, select->group_by.count * sizeof *keys);
  for (uint32_t i = 0; i < select->group_by.count; i++) {
    keys[i] = run_value(eval, select->group_by.items[i]);
    if (eval->abort) return;
  }
  Group *group = group_find(run, run->groups, keys);
  if (!group) return;
  if (pick_is_new(run, group, keys))
    ARENA_PUSH(eval->arena, &group->picks, pick_new(run, keys));
  else
    scratch_end(eval, scratch);
  for (uint32_t i = 0; i < select->aggregates.count && !eval->abort; i++) aggregate_add(run, group, i);
}

/* ---- Output ------------------------------------------------------------------------------------------- */

/* Its value is shown as it is: then no rewriting of the query can do without it. */
static bool aggregate_is_needed(const Run *run, uint32_t index) {
  const Select *select = run->select;
  if (select->having || run->frame.outer) return false;
  for (uint32_t i = 0; i < select->outputs.count; i++) {
    const Expr *expr = select->outputs.items[i].expr;
    if (expr->kind == EXPR_AGGREGATE && expr->depth == 0 && expr->index == (int32_t)index) return true;
  }
  return false;
}

/* The results of all aggregates; of one whose rows may come in several orders, the first, and the others in
 * *free. */
static Value *group_results(Run *run, Group *group, double *magnitudes, FreeResult *free) {
  const Select *select = run->select;
  Eval *eval = run->eval;
  Value *results = arena_alloc(eval->arena, select->aggregates.count * sizeof *results);
  for (uint32_t i = 0; i < select->aggregates.count; i++) {
    Choices choices = {0};
    if (aggregate_is_arranged(select->aggregates.items[i])) {
      waiting_results(eval, select->aggregates.items[i], &group->waiting[i], &choices);
      results[i] = choices.count ? choices.items[0] : NULL_VALUE;
    } else
      results[i] = accumulator_result(eval, group->accumulators[i]);
    if (eval->abort == ABORT_ERROR && !aggregate_is_needed(run, i)) {
      eval->abort = ABORT_NONE;
      eval_unmodelled(eval, "an aggregate fails that need not be computed");
    }
    tolerate(eval);
    if (choices.count > 1 && free->choices.count)
      eval_unmodelled(eval, "several aggregates that depend on the order of their rows");
    if (eval->abort) return NULL;
    if (choices.count > 1) *free = (FreeResult){i, choices};
    double magnitude = accumulator_magnitude(group->accumulators[i]);
    if (magnitude > magnitudes[i]) magnitudes[i] = magnitude;
    if (magnitude > eval->largest_sum) eval->largest_sum = magnitude;
  }
  return results;
}

/* sqlite: only rows that hold the extreme may be picked. */
static bool pick_has_extreme(Run *run, const Pick *pick, const Value *results) {
  int32_t extreme = run->groups->extreme;
  if (extreme < 0 || results[extreme].kind == VALUE_NULL) return true;
  const Expr *aggregate = run->select->aggregates.items[extreme];
  run->frame.rows = pick->rows;
  if (aggregate->filter && run_truth(run->eval, aggregate->filter) != 1) return false;
  Value value = run_value(run->eval, aggregate->args[0]);
  if (run->eval->abort) return false;
  return value.kind != VALUE_NULL &&
         !value_order(run->eval->dialect, aggregate->args[0]->type, value, results[extreme]);
}

static Value *order_keys(Run *run, const Value *outputs) {
  const Select *select = run->select;
  Value *keys = arena_alloc(run->eval->arena, select->order_by.count * sizeof *keys);
  for (uint32_t i = 0; i < select->order_by.count && !run->eval->abort; i++) {
    const OrderTerm *term = &select->order_by.items[i];
    keys[i] = term->item >= 0 ? outputs[term->item] : run_value(run->eval, term->expr);
  }
  return keys;
}

/* Whether both stand at the same place, however they are spelled. */
static bool keys_sort_alike(const Eval *eval, const Select *select, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (value_order(eval->dialect, order_type(select, &select->order_by.items[i]), a[i], b[i]) != 0)
      return false;
  return true;
}

/* The row of one pick; the first decides whether HAVING keeps the group and where it is sorted. */
static bool pick_output(Run *run, const Pick *pick, bool is_first, bool *is_kept, OutRow *row) {
  Eval *eval = run->eval;
  const Select *select = run->select;
  run->frame.rows = pick->rows;
  run->frame.group_keys = pick->keys;
  bool holds = !select->having || run_truth(eval, select->having) == 1;
  if (eval->abort) return false;
  if (!is_first && holds != *is_kept)
    eval_unmodelled(eval, "HAVING depends on a column that GROUP BY does not determine");
  *is_kept = holds;
  if (!holds || eval->abort) return !eval->abort;
  Value *values = run_outputs(run);
  if (eval->abort) return false;
  Value *keys = order_keys(run, values);
  if (eval->abort) return false;
  if (is_first) {
    row->values = values;
    row->keys = keys;
    return true;
  }
  if (!keys_sort_alike(eval, select, row->keys, keys))
    eval_unmodelled(eval, "ORDER BY depends on a column that GROUP BY does not determine");
  return !eval->abort && rows_alternative(eval, row, values, select->outputs.count);
}

static bool picks_output(Run *run, Group *group, const Value *results, bool *is_first, bool *is_kept,
                         OutRow *row) {
  run->frame.aggregates = results;
  for (uint32_t i = 0; i < group->picks.count; i++) {
    if (!pick_has_extreme(run, &group->picks.items[i], results)) {
      if (run->eval->abort) return false;
      continue;
    }
    if (!pick_output(run, &group->picks.items[i], *is_first, is_kept, row)) return false;
    *is_first = false;
  }
  return true;
}

static bool group_output(Run *run, Group *group, OutRows *out, double *magnitudes) {
  FreeResult free = {0};
  Value *results = group_results(run, group, magnitudes, &free);
  if (!results) return false;
  OutRow row = {0};
  bool is_first = true, is_kept = false;
  if (!picks_output(run, group, results, &is_first, &is_kept, &row)) return false;
  for (uint32_t i = 1; i < free.choices.count; i++) {
    results[free.aggregate] = free.choices.items[i];
    if (!picks_output(run, group, results, &is_first, &is_kept, &row)) return false;
  }
  if (is_kept) ARENA_PUSH(run->eval->arena, out, row);
  return true;
}

/* SQLite may have put the expressions of a derived table in place of its columns: then constants are not
 * NULL. */
static bool bare_is_open(const Run *run) {
  if (!dialect_is_sqlite(run->eval->dialect) || !run->plan->has_bare) return false;
  for (uint32_t i = 0; i < run->plan->source_count; i++)
    if (run->select->sources.items[i].select) return true;
  return false;
}

uint32_t group_count(const Run *run) { return run->groups->groups.count; }

bool group_outputs(Run *run, OutRows *out, double *magnitudes) {
  struct Groups *groups = run->groups;
  if (!groups->groups.count && !run->select->group_by.count) { /* nothing to group: one row all the same */
    if (bare_is_open(run)) {
      eval_unmodelled(run->eval, "a column of a derived table without rows that is not aggregated");
      return false;
    }
    Group *group = group_new(run, groups, NULL);
    for (uint32_t i = 0; i < run->plan->source_count; i++) run->rows[i] = run->plan->null_row;
    ARENA_PUSH(run->eval->arena, &group->picks, pick_new(run, NULL));
  }
  for (uint32_t i = 0; i < groups->groups.count; i++)
    if (!group_output(run, &groups->groups.items[i], out, magnitudes)) return false;
  run->frame.rows = run->rows;
  run->frame.aggregates = run->frame.group_keys = NULL;
  return true;
}
