/* query_group.c: GROUP BY, aggregates, HAVING, and columns that may come from any row of a group.
 *
 * A group keeps its picks: the rows that a bare column may be taken from, and every spelling
 * of its keys.  The output row of the first pick stands in the result, those of the others are alternatives.
 * sqlite with one MIN or MAX picks among the rows that have the extreme. */
#include "semantics/query_hash.h"
#include "semantics/query_run.h"
#include "src/sql/function.h"

typedef struct Pick {
  const Value **rows; /* per source */
  const Value *keys;
} Pick;

/* A row of an aggregate with ORDER BY, waiting to be sorted. */
typedef struct Waiting {
  const Value *args;
  const Value *keys;
} Waiting;

typedef struct Group {
  const Value *keys;
  Accumulator **accumulators;
  ARRAY(Pick) picks;
  ARRAY(Waiting) * waiting; /* per aggregate; NULL: none has ORDER BY */
} Group;

struct Groups {
  HashTable table;
  ARRAY(Group) groups;
  Type *key_types;
  int32_t extreme; /* the aggregate whose extreme decides the picks, or -1 */
  bool has_waiting;
};

/* ---- Making groups -------------------------------------------------------------------------- */

/* "If there is exactly one min() or max(), bare columns take values from the row that has it."  [SQLite, 2.5
 * of lang_select] */
static int32_t groups_extreme(const Run *run) {
  int32_t found = -1;
  if (!dialect_is_sqlite(run->eval->dialect) || !run->plan->has_bare) return -1;
  for (uint32_t i = 0; i < run->select->aggregates.count; i++) {
    const FunctionEntry *function = run->select->aggregates.items[i]->function;
    if (function->id != FUNCTION_MIN && function->id != FUNCTION_MAX) continue;
    if (found >= 0) return -1;
    found = (int32_t)i;
  }
  return found;
}

void group_reset(Run *run) {
  const Select *select = run->select;
  struct Groups *groups = run->groups = ARENA_NEW(run->eval->arena, struct Groups);
  groups->table = hash_table_new(run->eval->arena);
  groups->extreme = groups_extreme(run);
  groups->key_types = ARENA_ARRAY(run->eval->arena, Type, select->group_by.count);
  for (uint32_t i = 0; i < select->group_by.count; i++)
    groups->key_types[i] = select->group_by.items[i]->type;
  for (uint32_t i = 0; i < select->aggregates.count; i++)
    if (select->aggregates.items[i]->order_count) groups->has_waiting = true;
}

static Group *group_new(Run *run, const Value *keys) {
  const Select *select = run->select;
  Arena *arena = run->eval->arena;
  Group group = {.keys = keys};
  group.accumulators = ARENA_ARRAY(arena, Accumulator *, select->aggregates.count);
  for (uint32_t i = 0; i < select->aggregates.count; i++)
    group.accumulators[i] = accumulator_new(run->eval, select->aggregates.items[i]);
  if (run->groups->has_waiting)
    group.waiting = arena_zero(arena, select->aggregates.count * sizeof *group.waiting);
  ARENA_PUSH(arena, &run->groups->groups, group);
  return &run->groups->groups.items[run->groups->groups.count - 1];
}

static Group *group_find(Run *run, const Value *keys) {
  struct Groups *groups = run->groups;
  uint32_t count = run->select->group_by.count;
  const Dialect *dialect = run->eval->dialect;
  if (!row_is_decided(run->eval, groups->key_types, keys, count)) return NULL;
  uint64_t hash = row_hash(dialect, groups->key_types, keys, count);
  for (uint32_t entry = hash_first(&groups->table, hash); entry != HASH_NONE;
       entry = hash_next(&groups->table, entry, hash))
    if (row_equal(dialect, groups->key_types, groups->groups.items[entry].keys, keys, count))
      return &groups->groups.items[entry];
  hash_add(&groups->table, hash);
  return group_new(run, keys);
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

static void aggregate_wait(Run *run, Group *group, uint32_t place, const Value *args) {
  const Expr *aggregate = run->select->aggregates.items[place];
  Arena *arena = run->eval->arena;
  Value *copy = arena_alloc(arena, aggregate->arg_count * sizeof *copy);
  memcpy(copy, args, aggregate->arg_count * sizeof *copy);
  Value *keys = arena_alloc(arena, aggregate->order_count * sizeof *keys);
  for (uint32_t i = 0; i < aggregate->order_count && !run->eval->abort; i++)
    keys[i] = run_value(run->eval, aggregate->order[i].expr);
  ARENA_PUSH(arena, &group->waiting[place], (Waiting){copy, keys});
}

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
    args[i] = aggregate->args[i]->kind == EXPR_STAR ? NULL_VALUE : expr_operand(eval, aggregate->args[i]);
  if (eval->abort) return;
  if (aggregate->order_count)
    aggregate_wait(run, group, place, args);
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
  Group *group = group_find(run, keys);
  if (!group) return;
  if (pick_is_new(run, group, keys))
    ARENA_PUSH(eval->arena, &group->picks, pick_new(run, keys));
  else
    scratch_end(eval, scratch);
  for (uint32_t i = 0; i < select->aggregates.count && !eval->abort; i++) aggregate_add(run, group, i);
}

/* ---- ORDER BY inside an aggregate -------------------------------------------------------------------- */

/* Sorted by a block's ORDER BY in miniature; rows that are tied must be the same. */
static void waiting_add(Run *run, Group *group, uint32_t place) {
  Eval *eval = run->eval;
  const Expr *aggregate = run->select->aggregates.items[place];
  OrderTerm terms[aggregate->order_count];
  for (uint32_t i = 0; i < aggregate->order_count; i++) {
    terms[i] = aggregate->order[i];
    terms[i].item = -1; /* no output column is meant */
  }
  Select order = {.order_by = {.items = terms, .count = aggregate->order_count}};
  OutRows rows = {.count = group->waiting[place].count};
  rows.items = ARENA_ARRAY(eval->arena, OutRow, rows.count);
  for (uint32_t i = 0; i < rows.count; i++) {
    rows.items[i].values = group->waiting[place].items[i].args;
    rows.items[i].keys = group->waiting[place].items[i].keys;
  }
  if (!rows_sort(eval, &rows, &order)) return;
  for (uint32_t i = 0; i < rows.count && !eval->abort; i++) {
    bool is_tied = i && rows.items[i].tie == rows.items[i - 1].tie;
    if (is_tied && !values_identical(rows.items[i].values, rows.items[i - 1].values, aggregate->arg_count))
      eval_unmodelled(eval, "%s: rows tied under its ORDER BY", aggregate->function->name);
    else
      accumulator_add(eval, group->accumulators[place], rows.items[i].values);
  }
}

/* ---- Output ------------------------------------------------------------------------------------------- */

static const Value *group_results(Run *run, Group *group, double *magnitudes) {
  const Select *select = run->select;
  Value *results = arena_alloc(run->eval->arena, select->aggregates.count * sizeof *results);
  for (uint32_t i = 0; i < select->aggregates.count; i++) {
    if (group->waiting && select->aggregates.items[i]->order_count) waiting_add(run, group, i);
    results[i] = run->eval->abort ? NULL_VALUE : accumulator_result(run->eval, group->accumulators[i]);
    tolerate(run->eval);
    if (run->eval->abort) return NULL;
    double magnitude = accumulator_magnitude(group->accumulators[i]);
    if (magnitude > magnitudes[i]) magnitudes[i] = magnitude;
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
  if (!values_identical(row->keys, keys, select->order_by.count))
    eval_unmodelled(eval, "ORDER BY depends on a column that GROUP BY does not determine");
  return !eval->abort && rows_alternative(eval, row, values, select->outputs.count);
}

static bool group_output(Run *run, Group *group, OutRows *out, double *magnitudes) {
  const Value *results = group_results(run, group, magnitudes);
  if (!results) return false;
  run->frame.aggregates = results;
  OutRow row = {0};
  bool is_first = true, is_kept = false;
  for (uint32_t i = 0; i < group->picks.count; i++) {
    if (!pick_has_extreme(run, &group->picks.items[i], results)) {
      if (run->eval->abort) return false;
      continue;
    }
    if (!pick_output(run, &group->picks.items[i], is_first, &is_kept, &row)) return false;
    is_first = false;
  }
  if (is_kept) ARENA_PUSH(run->eval->arena, out, row);
  return true;
}

bool group_outputs(Run *run, OutRows *out, double *magnitudes) {
  struct Groups *groups = run->groups;
  if (!groups->groups.count && !run->select->group_by.count) { /* nothing to group: one row all the same */
    Group *group = group_new(run, NULL);
    for (uint32_t i = 0; i < run->plan->source_count; i++) run->rows[i] = run->plan->null_row;
    ARENA_PUSH(run->eval->arena, &group->picks, pick_new(run, NULL));
  }
  for (uint32_t i = 0; i < groups->groups.count; i++)
    if (!group_output(run, &groups->groups.items[i], out, magnitudes)) return false;
  run->frame.rows = run->rows;
  run->frame.aggregates = run->frame.group_keys = NULL;
  return true;
}
