/* query_conjunct.c: conditions taken apart: what they depend on, which columns they restrict. */
#include "semantics/query_plan.h"

#include "semantics/query_key.h"

/* ---- Reach ------------------------------------------------------------------------- */

static void reach_select(const Select *select, uint32_t depth, Reach *reach);

/* `depth` is how many blocks lie between the expression and the block we look from. */
static void reach_expr(const Expr *expr, uint32_t depth, Reach *reach) {
  if (!expr) return;
  if (expr->kind == EXPR_COLUMN || expr->kind == EXPR_GROUP_KEY || expr->kind == EXPR_AGGREGATE) {
    if (expr->depth > depth) reach->is_outer = true;
    if (expr->kind == EXPR_COLUMN && expr->depth == depth) reach->sources |= (SourceSet)1 << expr->source;
  }
  for (uint32_t i = 0; i < expr->arg_count; i++) reach_expr(expr->args[i], depth, reach);
  reach_expr(expr->filter, depth, reach);
  reach_expr(expr->separator, depth, reach);
  for (uint32_t i = 0; i < expr->order_count; i++) reach_expr(expr->order[i].expr, depth, reach);
  if (!expr->select) return;
  reach->has_subquery = true;
  reach_select(expr->select, depth, reach);
}

static void reach_from(const From *from, uint32_t depth, Reach *reach) {
  if (!from || from->kind != FROM_JOIN) return;
  reach_from(from->left, depth, reach);
  reach_from(from->right, depth, reach);
  reach_expr(from->condition, depth, reach);
}

/* A select that stands in a block `depth` blocks inwards. */
static void reach_select(const Select *select, uint32_t depth, Reach *reach) {
  if (!select || select->outer_depth == 0) return;
  if (select->left || select->right) { /* a compound is no block of its own */
    reach_select(select->left, depth, reach);
    reach_select(select->right, depth, reach);
    return;
  }
  uint32_t inside = depth + 1;
  for (uint32_t i = 0; i < select->values.count; i++)
    for (uint32_t k = 0; k < select->values.items[i].count; k++)
      reach_expr(select->values.items[i].items[k], inside, reach);
  for (uint32_t i = 0; i < select->outputs.count; i++)
    reach_expr(select->outputs.items[i].expr, inside, reach);
  for (uint32_t i = 0; i < select->sources.count; i++)
    reach_select(select->sources.items[i].select, inside, reach);
  reach_from(select->from, inside, reach);
  reach_expr(select->where, inside, reach);
  for (uint32_t i = 0; i < select->group_by.count; i++) reach_expr(select->group_by.items[i], inside, reach);
  reach_expr(select->having, inside, reach);
  for (uint32_t i = 0; i < select->order_by.count; i++)
    reach_expr(select->order_by.items[i].expr, inside, reach);
  reach_expr(select->limit, inside, reach);
  reach_expr(select->offset, inside, reach);
}

Reach expr_reach(const Expr *expr) {
  Reach reach = {0};
  reach_expr(expr, 0, &reach);
  return reach;
}

/* ---- Conjuncts ------------------------------------------------------------------------ */

void conjuncts_add(Planner *planner, const Expr *condition, Conjuncts *conjuncts) {
  if (!condition) return;
  if (condition->kind == EXPR_AND && !planner->is_canonical) {
    for (uint32_t i = 0; i < condition->arg_count; i++) conjuncts_add(planner, condition->args[i], conjuncts);
    return;
  }
  Conjunct *conjunct = ARENA_NEW(planner->arena, Conjunct);
  conjunct->expr = condition;
  conjunct->reach = expr_reach(condition);
  ARENA_PUSH(planner->arena, conjuncts, conjunct);
}

/* ---- Comparisons ------------------------------------------------------------------------ */

static bool cast_keeps_order(Type from, Type to) {
  if (from.kind == TYPE_INT && to.kind == TYPE_INT)
    return to.bytes >= from.bytes && to.is_unsigned == from.is_unsigned;
  if (from.kind == TYPE_INT || from.kind == TYPE_DECIMAL) return to.kind == TYPE_DECIMAL && to.precision == 0;
  bool from_plain = from.kind == TYPE_VARCHAR || from.kind == TYPE_TEXT;
  return from_plain && (to.kind == TYPE_VARCHAR || to.kind == TYPE_TEXT) && to.length == 0;
}

const Expr *expr_column(const Expr *expr) {
  while (expr->kind == EXPR_CAST && expr->is_implicit && cast_keeps_order(expr->args[0]->type, expr->type))
    expr = expr->args[0];
  return expr->kind == EXPR_COLUMN && expr->depth == 0 ? expr : NULL;
}

typedef struct Finder {
  Planner *planner;
  const Conjunct *conjunct;
  Comparisons *found;
} Finder;

static void comparison_add(Finder *finder, CompareKind kind, bool is_open, const Expr *column,
                           const Expr **values, uint32_t count) {
  Comparison comparison = {
      .kind = (uint8_t)kind, .is_open = is_open, .source = column->source, .column = column->column};
  comparison.values = values;
  comparison.value_count = count;
  comparison.conjunct = finder->conjunct;
  for (uint32_t i = 0; i < count; i++) {
    Reach reach = expr_reach(values[i]);
    comparison.needs |= reach.sources;
    comparison.is_outer = comparison.is_outer || reach.is_outer;
  }
  if (comparison.needs >> column->source & 1) return; /* a = a + 1 */
  ARENA_PUSH(finder->planner->arena, finder->found, comparison);
}

/* The comparison's collation, which its operands' types carry, is that of the column's indexes. */
static bool collation_is_own(const Planner *planner, const Expr *column) {
  const Table *table = planner->select->sources.items[column->source].table;
  if (!table) return true;
  Type own = table->columns[column->column].type;
  return own.collation == column->type.collation && own.is_binary == column->type.is_binary;
}

static bool column_answers(const Planner *planner, const Expr *column, const Expr *value,
                           bool value_is_left) {
  return collation_is_own(planner, column) &&
         key_is_comparable(planner->dialect, column->type, value->type, value_is_left);
}

/* `side OP value` restricts side's column, if it is one and its order answers the comparison. */
static void comparison_try(Finder *finder, CompareKind kind, bool is_open, const Expr *side,
                           const Expr *value, bool value_is_left) {
  const Expr *column = expr_column(side);
  if (!column || !column_answers(finder->planner, column, value, value_is_left)) return;
  const Expr **values = arena_alloc(finder->planner->arena, sizeof *values);
  values[0] = value;
  comparison_add(finder, kind, is_open, column, values, 1);
}

static void comparison_both(Finder *finder, const Expr *expr, CompareKind left, CompareKind right,
                            bool is_open) {
  comparison_try(finder, left, is_open, expr->args[0], expr->args[1], false);
  comparison_try(finder, right, is_open, expr->args[1], expr->args[0], true);
}

typedef ARRAY(const Expr *) Alternatives;

/* a = 1 OR a IN (2, 3): all alternatives restrict one column to a value; NULL: not so. */
static const Expr *alternatives_add(Finder *finder, const Expr *expr, const Expr *column,
                                    Alternatives *values) {
  Arena *arena = finder->planner->arena;
  if (expr->kind == EXPR_OR) {
    for (uint32_t i = 0; i < expr->arg_count; i++)
      if (!(column = alternatives_add(finder, expr->args[i], column, values))) return NULL;
    return column;
  }
  bool is_list = expr->kind == EXPR_IN_LIST && !expr->negated;
  if (!is_list && expr->kind != EXPR_EQUAL) return NULL;
  bool swaps = !is_list && !expr_column(expr->args[0]);
  const Expr *found = expr_column(expr->args[swaps]);
  if (!found || (column && (column->source != found->source || column->column != found->column))) return NULL;
  for (uint32_t i = swaps ? 0 : 1; i < (swaps ? 1 : expr->arg_count); i++) {
    if (!column_answers(finder->planner, found, expr->args[i], swaps)) return NULL;
    ARENA_PUSH(arena, values, expr->args[i]);
  }
  return found;
}

/* mysql compares all operands of BETWEEN as one type. */
static bool operands_mix(const Expr *expr) {
  for (uint32_t i = 1; i < expr->arg_count; i++)
    if (type_is_text(expr->args[i]->type) != type_is_text(expr->args[0]->type)) return true;
  return false;
}

static void comparison_find(Finder *finder, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_EQUAL: comparison_both(finder, expr, COMPARE_EQUAL, COMPARE_EQUAL, false); break;
  case EXPR_IS_NOT_DISTINCT: comparison_both(finder, expr, COMPARE_SAME, COMPARE_SAME, false); break;
  case EXPR_LESS: comparison_both(finder, expr, COMPARE_UPPER, COMPARE_LOWER, true); break;
  case EXPR_LESS_EQUAL: comparison_both(finder, expr, COMPARE_UPPER, COMPARE_LOWER, false); break;
  case EXPR_GREATER: comparison_both(finder, expr, COMPARE_LOWER, COMPARE_UPPER, true); break;
  case EXPR_GREATER_EQUAL: comparison_both(finder, expr, COMPARE_LOWER, COMPARE_UPPER, false); break;
  case EXPR_BETWEEN:
    if (expr->negated || (dialect_is_mysql(finder->planner->dialect) && operands_mix(expr))) break;
    comparison_try(finder, COMPARE_LOWER, false, expr->args[0], expr->args[1], false);
    comparison_try(finder, COMPARE_UPPER, false, expr->args[0], expr->args[2], false);
    break;
  case EXPR_IS_NULL: {
    const Expr *column = expr_column(expr->args[0]);
    if (column) comparison_add(finder, COMPARE_SAME, false, column, NULL, 0);
    break;
  }
  case EXPR_OR:
  case EXPR_IN_LIST: {
    Alternatives values = {0};
    const Expr *column = alternatives_add(finder, expr, NULL, &values);
    if (column) comparison_add(finder, COMPARE_LIST, false, column, values.items, values.count);
    break;
  }
  default: break;
  }
}

void comparisons_find(Planner *planner, const Conjuncts *conjuncts, Comparisons *comparisons) {
  if (planner->is_canonical) return;
  for (uint32_t i = 0; i < conjuncts->count; i++) {
    Finder finder = {planner, conjuncts->items[i], comparisons};
    comparison_find(&finder, conjuncts->items[i]->expr);
  }
}
