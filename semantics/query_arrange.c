/* query_arrange.c: the rows of one such aggregate, in all orders that give different results. */
#include "semantics/query_arrange.h"

#include "semantics/query_hash.h"
#include "src/sql/function.h"

enum { MOST_CHOICES = 65 };

static bool aggregate_joins_text(const Expr *aggregate) {
  return aggregate->function->id == FUNCTION_GROUP_CONCAT || aggregate->function->id == FUNCTION_STRING_AGG;
}

bool aggregate_is_arranged(const Expr *aggregate) {
  return aggregate->order_count || aggregate_joins_text(aggregate);
}

void waiting_add(Eval *eval, const Expr *aggregate, const Value *args, WaitingRows *rows) {
  bool is_skipped = aggregate_joins_text(aggregate) && value_is_null(args[0]);
  if (is_skipped) return;
  Value *copy = arena_alloc(eval->arena, aggregate->arg_count * sizeof *copy);
  memcpy(copy, args, aggregate->arg_count * sizeof *copy);
  Value *keys = arena_alloc(eval->arena, aggregate->order_count * sizeof *keys);
  for (uint32_t i = 0; i < aggregate->order_count && !eval->abort; i++)
    keys[i] = run_value(eval, aggregate->order[i].expr);
  ARENA_PUSH(eval->arena, rows, (Waiting){copy, keys});
}

/* The result over rows[order[0]], rows[order[1]], ... */
static Value ordered_result(Eval *eval, const Expr *aggregate, const WaitingRows *rows,
                            const uint32_t *order) {
  Expr fixed = *aggregate;
  fixed.order_count = 1; /* the accumulator need not ask: the order is given */
  Accumulator *accumulator = accumulator_new(eval, &fixed);
  for (uint32_t i = 0; i < rows->count && !eval->abort; i++)
    accumulator_add(eval, accumulator, rows->items[order[i]].args);
  return eval->abort ? NULL_VALUE : accumulator_result(eval, accumulator);
}

/* ---- With ORDER BY ----------------------------------------------------------------------- */

/* Sorted as a block is; rows that are tied must be the same. */
static bool waiting_sort(Eval *eval, const Expr *aggregate, const WaitingRows *waiting, uint32_t *order) {
  OrderTerm terms[aggregate->order_count];
  for (uint32_t i = 0; i < aggregate->order_count; i++) {
    terms[i] = aggregate->order[i];
    terms[i].item = -1; /* no output column is meant */
  }
  Select select = {.order_by = {.items = terms, .count = aggregate->order_count}};
  OutRows rows = {.count = waiting->count, .items = ARENA_ARRAY(eval->arena, OutRow, waiting->count)};
  for (uint32_t i = 0; i < rows.count; i++)
    rows.items[i] = (OutRow){.values = waiting->items[i].args, .keys = waiting->items[i].keys, .place = i};
  if (!rows_sort(eval, &rows, &select)) return false;
  for (uint32_t i = 0; i < rows.count; i++) {
    order[i] = rows.items[i].place;
    bool is_tied = i && rows.items[i].tie == rows.items[i - 1].tie;
    if (!is_tied || values_identical(rows.items[i].values, rows.items[i - 1].values, aggregate->arg_count))
      continue;
    eval_unmodelled(eval, "%s: rows tied under its ORDER BY", aggregate->function->name);
    return false;
  }
  return true;
}

/* ---- Without ------------------------------------------------------------------------------- */

/* Numbers rows so that identical ones have the same number. */
static void waiting_classes(const Expr *aggregate, const WaitingRows *rows, uint32_t *classes) {
  for (uint32_t i = 0; i < rows->count; i++) {
    uint32_t k = 0;
    while (!values_identical(rows->items[k].args, rows->items[i].args, aggregate->arg_count)) k++;
    classes[i] = k;
  }
}

/* The next arrangement of a multiset in lexicographic order; false after the last. */
static bool next_arrangement(uint32_t *order, uint32_t count) {
  if (count < 2) return false;
  uint32_t i = count - 1;
  while (i > 0 && order[i - 1] >= order[i]) i--;
  if (i == 0) return false;
  uint32_t k = count - 1;
  while (order[k] <= order[i - 1]) k--;
  uint32_t moved = order[i - 1];
  order[i - 1] = order[k];
  order[k] = moved;
  for (uint32_t low = i, high = count - 1; low < high; low++, high--) {
    moved = order[low];
    order[low] = order[high];
    order[high] = moved;
  }
  return true;
}

static int class_order(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

static void choices_add(Eval *eval, Choices *choices, Value value) {
  for (uint32_t i = 0; i < choices->count; i++)
    if (value_identical(choices->items[i], value)) return;
  ARENA_PUSH(eval->arena, choices, value);
}

static void waiting_permute(Eval *eval, const Expr *aggregate, const WaitingRows *rows, uint32_t *order,
                            Choices *choices) {
  waiting_classes(aggregate, rows, order);
  qsort(order, rows->count, sizeof *order, class_order);
  for (uint32_t tried = 0;; tried++) {
    if (tried >= MOST_CHOICES * 4 || choices->count >= MOST_CHOICES) {
      eval_unmodelled(eval, "%s without ORDER BY over too many rows: the order of its parts is free",
                      aggregate->function->name);
      return;
    }
    choices_add(eval, choices, ordered_result(eval, aggregate, rows, order));
    if (eval->abort || !next_arrangement(order, rows->count)) return;
  }
}

/* DISTINCT leaves one of several equal rows: the others only multiply the orders. */
static void waiting_distinct(Eval *eval, const Expr *aggregate, const WaitingRows *rows, WaitingRows *kept) {
  Type types[aggregate->arg_count];
  for (uint32_t i = 0; i < aggregate->arg_count; i++) types[i] = aggregate->args[i]->type;
  for (uint32_t r = 0; r < rows->count; r++) {
    const Value *args = rows->items[r].args;
    bool is_new = row_is_decided(eval, types, args, aggregate->arg_count);
    for (uint32_t k = 0; k < kept->count && is_new; k++) {
      if (!row_equal(eval->dialect, types, kept->items[k].args, args, aggregate->arg_count)) continue;
      is_new = false;
      if (!values_identical(kept->items[k].args, args, aggregate->arg_count))
        eval_unmodelled(eval, "%s(DISTINCT) among values that are equal but spelled differently",
                        aggregate->function->name);
    }
    if (eval->abort) return;
    if (is_new) ARENA_PUSH(eval->arena, kept, rows->items[r]);
  }
}

void waiting_results(Eval *eval, const Expr *aggregate, const WaitingRows *rows, Choices *choices) {
  WaitingRows distinct = {0};
  if (aggregate->distinct && !aggregate->order_count) {
    waiting_distinct(eval, aggregate, rows, &distinct);
    if (eval->abort) return;
    rows = &distinct;
  }
  uint32_t *order = arena_alloc(eval->arena, (rows->count + 1) * sizeof *order);
  if (!aggregate->order_count)
    waiting_permute(eval, aggregate, rows, order, choices);
  else if (waiting_sort(eval, aggregate, rows, order))
    choices_add(eval, choices, ordered_result(eval, aggregate, rows, order));
}
