/* query_step.c: the join: steps of a plan, one inside the other.
 *
 * Each step calls the next for every row it binds; at the end of the chain the combination is
 * emitted.  Indexes and hash tables only choose rows (Q2): see query_source.c. */
#include "semantics/query_source.h"

#include "src/base/limit.h"

enum { CANONICAL_BUDGET = 5000000 };

/* ---- Evaluation ------------------------------------------------------------------------ */

/* In eager mode an error is one that some order of evaluation raises: noted, and forgotten. */
static bool error_is_tolerated(Eval *eval) {
  if (eval->abort != ABORT_ERROR || !eval->eager) return false;
  eval->possible |= ERROR_BIT(eval->error);
  eval->abort = ABORT_NONE;
  return true;
}

Value run_value(Eval *eval, const Expr *expr) {
  Value value = expr_eval(eval, expr);
  return eval->abort && error_is_tolerated(eval) ? NULL_VALUE : value;
}

Value run_operand(Eval *eval, const Expr *expr) {
  Value value = expr_operand(eval, expr);
  return eval->abort && error_is_tolerated(eval) ? NULL_VALUE : value;
}

int run_truth(Eval *eval, const Expr *expr) {
  int truth = expr_truth(eval, expr);
  return eval->abort && error_is_tolerated(eval) ? 1 : truth;
}

Value *run_outputs(Run *run) {
  const QueryPlan *plan = run->plan;
  Eval *eval = run->eval;
  uint32_t count = run->select->outputs.count;
  Value *values = arena_alloc(eval->arena, count * sizeof *values);
  for (uint32_t i = 0; i < count; i++) {
    const OutputColumn *output = &plan->outputs[i];
    if (output->is_plain)
      values[i] = doubt_settle(eval->doubts, run->frame.rows[output->source][output->column]);
    else
      values[i] = run_value(eval, output->expr);
    if (eval->abort) return NULL;
  }
  return values;
}

/* MySQL decides constant conditions before it executes: a bad value in one is a warning even in a strict
 * write. */
static bool conjunct_is_folded(const Eval *eval, const Conjunct *conjunct) {
  const Reach *reach = &conjunct->reach;
  return eval->in_write && dialect_is_mysql(eval->dialect) && !reach->sources && !reach->is_outer &&
         !reach->has_subquery;
}

bool step_holds(Run *run, const Conjunct *conjunct) {
  Eval *eval = run->eval;
  Scratch scratch = scratch_begin(eval);
  bool in_write = eval->in_write;
  if (conjunct_is_folded(eval, conjunct)) eval->in_write = false;
  int truth = run_truth(eval, conjunct->expr);
  eval->in_write = in_write;
  scratch_end(eval, scratch);
  return truth == 1 && !eval->abort;
}

/* A column equal to an integer that is one: the same in every dialect, without a call. */
static bool filter_holds(Run *run, const Step *step, uint32_t place) {
  int32_t cover = step->covers[place];
  if (cover >= 0 && !run->eval->eager) {
    const Value *probe = source_probe(run, step, (uint32_t)cover);
    Value value = run->rows[step->source][step->access.equal[cover]->column];
    if (probe && probe->kind == VALUE_INT && value.kind == VALUE_INT) return value.integer == probe->integer;
  }
  return step_holds(run, step->filters[place]);
}

static bool filters_hold(Run *run, const Step *step) {
  const char *limit = limit_tick();
  if (limit) {
    eval_unmodelled(run->eval, "%s", limit);
    return false;
  }
  if (run->is_canonical && run->budget-- == 0) {
    eval_unmodelled(run->eval, "an error in one of too many combinations of rows");
    return false;
  }
  for (uint32_t i = 0; i < step->filter_count; i++)
    if (!filter_holds(run, step, i)) return false;
  return true;
}

/* ---- Steps --------------------------------------------------------------------------------- */

void step_take(Run *run, const Step *step, const Value *row, Key *key) {
  run->rows[step->source] = row;
  run->keys[step->source] = key;
  if (filters_hold(run, step)) step_run(run, step->next);
}

void bind_nulls(Run *run, SourceSet sources) {
  for (uint32_t i = 0; i < run->plan->source_count; i++)
    if (sources >> i & 1) run->rows[i] = run->plan->null_row, run->keys[i] = NULL;
}

static void outer_run(Run *run, const Step *step) {
  bool *is_matched = run->states[step->id];
  if (!is_matched) is_matched = run->states[step->id] = ARENA_NEW(run->eval->arena, bool);
  *is_matched = false;
  step_run(run, step->inner);
  if (run_is_over(run) || *is_matched) return;
  bind_nulls(run, step->nulls);
  step_run(run, step->next);
}

void step_run(Run *run, const Step *step) {
  if (!step) {
    run->emit(run);
    return;
  }
  switch (step->kind) {
  case STEP_SOURCE: source_run(run, step); break;
  case STEP_FILTER:
    if (filters_hold(run, step)) step_run(run, step->next);
    break;
  case STEP_OUTER: outer_run(run, step); break;
  case STEP_MARK:
    *(bool *)run->states[step->outer->id] = true;
    step_run(run, step->outer->next);
    break;
  case STEP_FULL: full_run(run, step); break;
  }
}

/* ---- The run ------------------------------------------------------------------------------------ */

bool run_open(Run *run, Eval *eval, const Select *select, ReadPurpose purpose) {
  QueryPlan *plan = query_plan_of(eval, select);
  *run = (Run){.eval = eval, .select = select, .plan = plan, .purpose = purpose};
  if (plan->refused) {
    eval_unmodelled(eval, "%s", plan->refused);
    return false;
  }
  run->is_canonical = eval->eager;
  if (eval->eager) query_plan_canonical(eval, plan);
  uint32_t sources = plan->source_count;
  size_t per_source = sizeof *run->rows + sizeof *run->keys;
  char *memory = arena_zero(eval->arena, sources * per_source + plan->step_count * sizeof *run->states);
  run->rows = (const Value **)(void *)memory;
  run->keys = (Key **)(void *)(memory + sources * sizeof *run->rows);
  run->states = (void **)(void *)(memory + sources * per_source);
  for (uint32_t i = 0; i < sources; i++) run->rows[i] = plan->null_row;
  run->frame = (Frame){.outer = eval->frame, .block = select, .rows = run->rows};
  eval->frame = &run->frame;
  return true;
}

void run_close(Run *run) { run->eval->frame = run->frame.outer; }

/* Conditions on one source alone may be evaluated on its every row, whatever the other sources hold. */
static void run_probe_errors(Run *run) {
  for (const Step *step = run->plan->steps; step; step = step->next) {
    if (step->kind != STEP_SOURCE) continue;
    uint32_t count = source_row_count(run, step->source);
    for (uint32_t r = 0; r < count && !run->eval->abort; r++) {
      run->rows[step->source] = source_row_at(run, step->source, r, &run->keys[step->source]);
      if (!run->rows[step->source]) continue;
      for (uint32_t i = 0; i < step->filter_count && !run->eval->abort; i++)
        if (step->filters[i]->reach.sources == (SourceSet)1 << step->source)
          step_holds(run, step->filters[i]);
    }
    run->rows[step->source] = run->plan->null_row;
  }
}

static void run_canonical(Run *run) {
  run->is_canonical = true;
  run->is_in_order = run->stops = false;
  const Step *first = query_plan_canonical(run->eval, run->plan);
  run->states = arena_zero(run->eval->arena, run->plan->step_count * sizeof *run->states);
  run->budget = CANONICAL_BUDGET;
  step_run(run, first);
}

bool run_join(Run *run, void (*reset)(Run *run)) {
  Eval *eval = run->eval;
  if (eval->eager) {
    run_probe_errors(run);
    if (!eval->abort) run_canonical(run);
  } else {
    step_run(run, run->plan->steps);
    if (eval->abort == ABORT_ERROR && !run->plan->is_certain) {
      eval->abort = ABORT_NONE;
      reset(run);
      run_canonical(run);
    }
  }
  if (eval->abort == ABORT_ERROR && run->select->limit && !run->select->is_grouped)
    eval_unmodelled(eval, "an error in a row that LIMIT may leave out: %s", eval->reason ? eval->reason : "");
  run->frame.rows = run->rows;
  return !eval->abort;
}

/* ---- Collecting combinations ------------------------------------------------------------------------ */

const Value **run_combination(const Run *run, uint32_t place) {
  return run->combinations + (size_t)place * run->plan->source_count;
}

static void combinations_grow(Run *run) {
  uint32_t room = run->room ? run->room * 2 : 4, sources = run->plan->source_count;
  const Value **rows = arena_alloc(run->eval->arena, (size_t)room * sources * sizeof *rows);
  if (run->count) memcpy(rows, run->combinations, (size_t)run->count * sources * sizeof *rows);
  run->combinations = rows;
  if (run->wants_keys) {
    Key **keys = arena_alloc(run->eval->arena, (size_t)room * sources * sizeof *keys);
    if (run->count) memcpy(keys, run->combination_keys, (size_t)run->count * sources * sizeof *keys);
    run->combination_keys = keys;
  }
  run->room = room;
}

/* Along an index in the order of ORDER BY: enough rows, and this one is not tied with the last of them. */
static bool run_has_enough(const Run *run) {
  if (!run->is_in_order || run->plan->stop != STOP_LIMIT || run->count < run->wanted) return false;
  if (!run->wanted) return true;
  const Value *last = run->combinations[run->wanted - 1];
  for (uint32_t i = 0; i < run->select->order_by.count; i++) {
    uint32_t column = run->plan->steps->access.index->columns[run->plan->steps->access.equal_count + i];
    Type type = run->select->sources.items[0].table->columns[column].type;
    if (value_order(run->eval->dialect, type, last[column], run->rows[0][column])) return true;
  }
  return false;
}

void run_collect(Run *run) {
  if (run_has_enough(run)) {
    run->stops = true;
    return;
  }
  uint32_t sources = run->plan->source_count;
  if (run->count == run->room) combinations_grow(run);
  for (uint32_t i = 0; i < sources; i++) run->combinations[(size_t)run->count * sources + i] = run->rows[i];
  for (uint32_t i = 0; run->wants_keys && i < sources; i++)
    run->combination_keys[(size_t)run->count * sources + i] = run->keys[i];
  run->count++;
}

void run_collect_reset(Run *run) { run->count = 0; }
