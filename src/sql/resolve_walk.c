/* resolve_walk.c: copies, comparisons and walks of trees. */
#include "src/sql/resolve_internal.h"

static Expr **exprs_copy(Arena *arena, Expr *const *args, uint32_t count) {
  Expr **copies = ARENA_ARRAY(arena, Expr *, count);
  for (uint32_t i = 0; i < count; i++) copies[i] = expr_copy(arena, args[i]);
  return copies;
}

Expr *expr_copy(Arena *arena, const Expr *expr) {
  if (!expr) return NULL;
  Expr *copy = arena_alloc(arena, sizeof *copy);
  *copy = *expr;
  if (expr->arg_count) copy->args = exprs_copy(arena, expr->args, expr->arg_count);
  copy->filter = expr_copy(arena, expr->filter);
  copy->separator = expr_copy(arena, expr->separator);
  if (expr->order_count) {
    copy->order = ARENA_ARRAY(arena, OrderTerm, expr->order_count);
    for (uint32_t i = 0; i < expr->order_count; i++) {
      copy->order[i] = expr->order[i];
      copy->order[i].expr = expr_copy(arena, expr->order[i].expr);
    }
  }
  return copy;
}

/* Two inputs are the same if they are one, or if their values are: then, as when they
 * differ, the plan holds for these values only. */
static bool inputs_equal(Resolver *resolver, const Expr *a, const Expr *b) {
  if (a->index == b->index) return true;
  resolver_pin(resolver, a->index);
  resolver_pin(resolver, b->index);
  return value_identical(resolver->values.items[a->index], resolver->values.items[b->index]);
}

static bool names_equal(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool types_equal(Type a, Type b) {
  return a.kind == b.kind && a.bytes == b.bytes && a.is_unsigned == b.is_unsigned &&
         a.precision == b.precision && a.scale == b.scale && a.affinity == b.affinity && a.length == b.length;
}

static bool heads_equal(const Expr *a, const Expr *b, uint32_t shift) {
  if (a->kind != b->kind || a->op != b->op || a->negated != b->negated || a->distinct != b->distinct)
    return false;
  if (a->has_operand != b->has_operand || a->has_else != b->has_else || a->arg_count != b->arg_count)
    return false;
  if (a->filter || b->filter || a->order_count || b->order_count || a->separator || b->separator)
    return false;
  switch (a->kind) {
  case EXPR_COLUMN: return a->depth + shift == b->depth && a->source == b->source && a->column == b->column;
  case EXPR_FUNCTION: return a->function == b->function && !a->is_volatile;
  case EXPR_AGGREGATE:
  case EXPR_GROUP_KEY: return a->index == b->index && a->depth + shift == b->depth;
  case EXPR_VARIABLE: return a->index == b->index;
  case EXPR_USER_VARIABLE:
  case EXPR_COLLATE: return names_equal(a->name, b->name);
  case EXPR_CAST: return types_equal(a->cast_type, b->cast_type) && names_equal(a->cast_words, b->cast_words);
  default: return !a->select && !b->select;
  }
}

bool expr_equal(Resolver *resolver, const Expr *a, const Expr *b, uint32_t shift) {
  if (!heads_equal(a, b, shift)) return false;
  for (uint32_t i = 0; i < a->arg_count; i++)
    if (!expr_equal(resolver, a->args[i], b->args[i], shift)) return false;
  return a->kind != EXPR_INPUT || inputs_equal(resolver, a, b);
}

bool expr_has(const Expr *expr, bool (*test)(const Expr *)) {
  if (!expr) return false;
  if (test(expr)) return true;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_has(expr->args[i], test)) return true;
  for (uint32_t i = 0; i < expr->order_count; i++)
    if (expr_has(expr->order[i].expr, test)) return true;
  return expr_has(expr->filter, test) || expr_has(expr->separator, test);
}

static bool holds_select(const Expr *expr) { return expr->select != NULL; }

bool select_has_subquery(const Expr *expr) { return expr_has(expr, holds_select); }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

uint32_t expr_least_depth(const Expr *expr) {
  if (!expr) return UINT32_MAX;
  uint32_t depth = expr->kind == EXPR_COLUMN ? expr->depth : UINT32_MAX;
  /* Of a subquery only how far it reaches is known: exact where it reaches one block, which is the common
   * case. */
  if (expr->select && expr->select->outer_depth) depth = least(depth, expr->select->outer_depth - 1);
  for (uint32_t i = 0; i < expr->arg_count; i++) depth = least(depth, expr_least_depth(expr->args[i]));
  for (uint32_t i = 0; i < expr->order_count; i++)
    depth = least(depth, expr_least_depth(expr->order[i].expr));
  return least(depth, expr_least_depth(expr->filter));
}

/* ---- Inputs of a view's text, before it is resolved ------------------------- */

static void expr_shift(Expr *expr, int32_t by) {
  if (!expr) return;
  if (expr->kind == EXPR_INPUT) expr->index += by;
  for (uint32_t i = 0; i < expr->arg_count; i++) expr_shift(expr->args[i], by);
  for (uint32_t i = 0; i < expr->order_count; i++) expr_shift(expr->order[i].expr, by);
  expr_shift(expr->filter, by);
  expr_shift(expr->separator, by);
  if (expr->select) select_shift_inputs(expr->select, by);
}

static void from_shift(From *from, int32_t by) {
  if (!from) return;
  if (from->select) select_shift_inputs(from->select, by);
  from_shift(from->left, by);
  from_shift(from->right, by);
  expr_shift(from->on, by);
}

void select_shift_inputs(Select *select, int32_t by) {
  if (!select) return;
  for (uint32_t i = 0; i < select->with.count; i++) select_shift_inputs(select->with.items[i].select, by);
  select_shift_inputs(select->left, by);
  select_shift_inputs(select->right, by);
  for (uint32_t i = 0; i < select->values.count; i++)
    for (uint32_t j = 0; j < select->values.items[i].count; j++)
      expr_shift(select->values.items[i].items[j], by);
  for (uint32_t i = 0; i < select->items.count; i++) expr_shift(select->items.items[i].expr, by);
  from_shift(select->from, by);
  expr_shift(select->where, by);
  for (uint32_t i = 0; i < select->group_by.count; i++) expr_shift(select->group_by.items[i], by);
  expr_shift(select->having, by);
  for (uint32_t i = 0; i < select->order_by.count; i++) expr_shift(select->order_by.items[i].expr, by);
  expr_shift(select->limit, by);
  expr_shift(select->offset, by);
}
