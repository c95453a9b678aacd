/* blockwise.c: which blocks they are, and runs of parts of one. */
#include "semantics/blockwise.h"

#include "semantics/query_group.h"
#include "semantics/rowwise.h"

/* ---- Which they are ------------------------------------------------------------------------------ */

/* Of its own block it shows nothing but aggregates and keys of groups. */
static void shown_is_grouped(Expr *expr, void *context) {
  bool *is_grouped = context;
  if (!expr || !*is_grouped || (expr->kind == EXPR_AGGREGATE && expr->depth == 0)) return;
  *is_grouped = expr->kind != EXPR_COLUMN || expr->depth > 0;
  if (*is_grouped) expr_each(expr, shown_is_grouped, is_grouped);
}

static bool expr_is_shown_by_groups(Expr *expr) {
  bool is_grouped = true;
  shown_is_grouped(expr, &is_grouped);
  return is_grouped && expr_is_local(expr);
}

static bool from_is_inner(const From *from) {
  if (from->kind != FROM_JOIN) return from->kind == FROM_TABLE && !from->select;
  return (from->join == JOIN_CROSS || from->join == JOIN_INNER) && expr_is_local(from->condition) &&
         from_is_inner(from->left) && from_is_inner(from->right);
}

static bool output_is_grouped(const Select *select) {
  for (uint32_t i = 0; i < select->outputs.count; i++)
    if (!expr_is_shown_by_groups(select->outputs.items[i].expr)) return false;
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (select->order_by.items[i].item < 0 && !expr_is_shown_by_groups(select->order_by.items[i].expr))
      return false;
  return expr_is_shown_by_groups(select->having) && expr_is_local(select->limit) &&
         expr_is_local(select->offset);
}

static bool rows_are_local(const Select *select) {
  for (uint32_t i = 0; i < select->group_by.count; i++)
    if (!expr_is_local(select->group_by.items[i])) return false;
  for (uint32_t i = 0; i < select->aggregates.count; i++)
    if (!aggregate_is_mergeable(select->aggregates.items[i]) || !expr_is_local(select->aggregates.items[i]))
      return false;
  return select->from && from_is_inner(select->from) && expr_is_local(select->where);
}

/* A table that stands in the block once. */
static bool table_is_alone(const Select *select, const Table *table) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < select->sources.count; i++) count += select->sources.items[i].table == table;
  return count == 1;
}

bool blockwise_of(Run *run, BlockWise *block) {
  const Select *select = run->select;
  if (run->eval->eager || run->plan->has_bare || !rows_are_local(select) || !output_is_grouped(select))
    return false;
  *block = (BlockWise){.run = run,
                       .eval = run->eval,
                       .select = select,
                       .purpose = run->purpose,
                       .is_shown = run->eval->shown == select};
  for (uint32_t i = 0; i < select->sources.count; i++) {
    const Table *table = select->sources.items[i].table;
    if (!table) return false;
    if (table_is_alone(select, table)) ARENA_PUSH(run->eval->arena, &block->tables, table);
  }
  block->is_plain = !select->limit && !select->offset && !select->distinct;
  for (uint32_t i = 0; i < select->order_by.count; i++)
    block->is_plain = block->is_plain && select->order_by.items[i].item >= 0;
  return block->tables.count > 0;
}

/* ---- Parts ------------------------------------------------------------------------------------------ */

/* Takes back what the evaluation says of errors.  True: it said nothing. */
static bool eval_restore(Eval *eval, const Eval *before) {
  bool is_fine = !eval->abort && eval->possible == before->possible;
  *eval = *before;
  return is_fine;
}

bool blockwise_join(BlockWise *block) {
  group_reset(block->run);
  return run_join(block->run, group_reset);
}

Groups *blockwise_groups(BlockWise *block) {
  const Run *run = block->run;
  Eval *eval = run->eval, before = *eval;
  Run part; /* of its own: hash tables of joins hold what was in view */
  eval->cache = NULL;
  eval->frame = run->frame.outer;
  bool is_fine = run_open(&part, eval, run->select, run->purpose);
  if (is_fine) {
    part.emit = group_emit;
    group_reset(&part);
    is_fine = run_join(&part, group_reset);
    run_close(&part);
  }
  return eval_restore(eval, &before) && is_fine ? part.groups : NULL;
}

bool blockwise_show(BlockWise *block, const Groups *groups, ResultSet *result) {
  Run *run = block->run;
  Eval *eval = run->eval, before = *eval;
  Groups *kept = run->groups;
  run->groups = groups_new(run); /* showing may add a group */
  groups_merge(run, run->groups, groups);
  bool is_fine = !eval->abort && query_show(run, result);
  run->groups = kept;
  return eval_restore(eval, &before) && is_fine;
}

void blockwise_take(BlockWise *block, Groups *groups) { block->run->groups = groups; }
Groups *blockwise_none(BlockWise *block) { return groups_new(block->run); }
uint32_t blockwise_count(const Groups *groups) { return groups->groups.count; }

uint32_t blockwise_size(const BlockWise *block, const Groups *groups) {
  return groups_size(block->run, groups);
}

bool blockwise_merge(BlockWise *block, Groups *into, const Groups *from) {
  Eval before = *block->eval;
  groups_merge(block->run, into, from);
  return eval_restore(block->eval, &before);
}

bool blockwise_merge_one(BlockWise *block, Groups *into, const Groups *from, uint32_t place) {
  Eval before = *block->eval;
  groups_merge_one(block->run, into, &from->groups.items[place]);
  return eval_restore(block->eval, &before);
}

uint32_t blockwise_place(const BlockWise *block, const Groups *all, const Groups *groups, uint32_t place) {
  uint64_t hash;
  const Group *found = group_look(block->run, all, groups->groups.items[place].keys, &hash);
  return found ? (uint32_t)(found - all->groups.items) : UINT32_MAX;
}

bool blockwise_same(const BlockWise *block, const Groups *a, const Groups *b) {
  return groups_are_same(block->run, a, b);
}

uint64_t blockwise_digest(const BlockWise *block, const Groups *groups) {
  return groups_digest(block->run, groups);
}
