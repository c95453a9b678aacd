/* query_plan.c: what a block's plan holds besides its chain: outputs, names, refusals. */
#include "semantics/query_plan.h"

static bool expr_has_bare(const Expr *expr);

static bool select_has_bare(const Select *select) {
  if (!select) return false;
  if (select_has_bare(select->left) || select_has_bare(select->right)) return true;
  for (uint32_t i = 0; i < select->outputs.count; i++)
    if (expr_has_bare(select->outputs.items[i].expr)) return true;
  return expr_has_bare(select->where) || expr_has_bare(select->having);
}

/* Also of the subqueries inside: one too many only costs time. */
static bool expr_has_bare(const Expr *expr) {
  if (!expr || expr->kind == EXPR_AGGREGATE) return false;
  if (expr->kind == EXPR_COLUMN && expr->is_bare) return true;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_has_bare(expr->args[i])) return true;
  return expr->select && expr->select->outer_depth && select_has_bare(expr->select);
}

static void plan_outputs(Planner *planner) {
  const Select *select = planner->select;
  QueryPlan *plan = planner->plan;
  plan->outputs = ARENA_ARRAY(planner->arena, OutputColumn, select->outputs.count);
  plan->names = ARENA_ARRAY(planner->arena, const char *, select->outputs.count);
  for (uint32_t i = 0; i < select->outputs.count; i++) {
    const Expr *expr = select->outputs.items[i].expr;
    bool is_plain = expr && expr->kind == EXPR_COLUMN && expr->depth == 0;
    plan->outputs[i] = (OutputColumn){.expr = expr, .is_plain = is_plain};
    if (is_plain) plan->outputs[i].source = expr->source, plan->outputs[i].column = expr->column;
    if (select->output_is_named && select->output_is_named[i]) plan->names[i] = select->output_names[i];
    if (select->is_grouped && expr_has_bare(expr)) plan->has_bare = true;
  }
  if (!select->is_grouped) return;
  if (expr_has_bare(select->having)) plan->has_bare = true;
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (expr_has_bare(select->order_by.items[i].expr)) plan->has_bare = true;
}

static void plan_null_row(Planner *planner) {
  uint32_t widest = 1;
  for (uint32_t i = 0; i < planner->select->sources.count; i++)
    if (planner->select->sources.items[i].column_count > widest)
      widest = planner->select->sources.items[i].column_count;
  planner->plan->null_row = ARENA_ARRAY(planner->arena, Value, widest); /* VALUE_NULL is 0 */
}

static const char *plan_refusal(const Select *select) {
  if (select->sources.count > PLAN_SOURCES) return "more than 64 tables in one FROM";
  for (uint32_t i = 0; i < select->sources.count; i++) {
    const Source *source = &select->sources.items[i];
    if (source->is_lateral) return "LATERAL";
    if (!source->table && !source->select) return "a table without rows of its own";
  }
  return NULL;
}

static QueryPlan *plan_new(Eval *eval, const Select *select, Arena *arena) {
  QueryPlan *plan = ARENA_NEW(arena, QueryPlan);
  Planner planner = {eval, arena, eval->dialect, select, plan, false};
  plan->select = select;
  plan->source_count = select->sources.count;
  plan->refused = plan_refusal(select);
  plan_outputs(&planner);
  plan_null_row(&planner);
  if (plan->refused) return plan;
  Comparisons comparisons = {0};
  plan->steps = plan_chain(&planner, &comparisons);
  Step *first = plan->steps;
  bool is_single = plan->source_count == 1 && first && first->kind == STEP_SOURCE && !first->next;
  plan->is_certain = is_single && first->filter_count <= 1 && first->access.kind == ACCESS_SCAN;
  if (is_single) access_order(&planner, first, &comparisons);
  for (uint32_t i = 0; is_single && i < first->filter_count; i++)
    first->covers[i] = step_cover(first, first->filters[i]);
  return plan;
}

QueryPlan *query_plan_of(Eval *eval, const Select *select) {
  if (select->plan) return select->plan;
  QueryPlan *plan = plan_new(eval, select, eval->plan_arena ? eval->plan_arena : eval->arena);
  if (eval->plan_arena) ((Select *)select)->plan = plan; /* the one thing a block remembers of its runs */
  return plan;
}

const Step *query_plan_canonical(Eval *eval, QueryPlan *plan) {
  if (plan->canonical) return plan->canonical;
  Arena *arena = eval->plan_arena ? eval->plan_arena : eval->arena;
  Planner planner = {eval, arena, eval->dialect, plan->select, plan, true};
  Comparisons comparisons = {0};
  return plan->canonical = plan_chain(&planner, &comparisons);
}
