/* query.c: a query from its Select to its result: the phases of one block in their order. */
#include "semantics/query.h"

#include "semantics/blockwise.h"
#include "semantics/engine_internal.h"
#include "semantics/query_run.h"

#include <strings.h>

/* ---- Output rows of a block without groups --------------------------------------------- */

/* Of rows that were locked since they were sorted, what they were sorted by. */
static bool order_keys(Run *run, OutRow *row) {
  const Select *select = run->select;
  const Value **rows = run->frame.rows;
  Value *keys = arena_alloc(run->eval->arena, select->order_by.count * sizeof *keys);
  row->keys = keys;
  if (run->found) run->frame.rows = run->found + (size_t)row->place * run->plan->source_count;
  for (uint32_t i = 0; i < select->order_by.count && !run->eval->abort; i++) {
    const OrderTerm *term = &select->order_by.items[i];
    if (term->item >= 0 && row->values && !run->found)
      keys[i] = row->values[term->item];
    else
      keys[i] = run_value(run->eval, term->item >= 0 ? select->outputs.items[term->item].expr : term->expr);
  }
  run->frame.rows = rows;
  return !run->eval->abort;
}

static bool row_is_surely_kept(const OutRows *out, uint32_t place) {
  if (!out->has_slice) return true;
  bool first_is_cut = out->skip > 0, last_is_cut = out->skip + out->take < out->count;
  bool in_first = out->items[place].tie == out->items[0].tie;
  bool in_last = out->items[place].tie == out->items[out->count - 1].tie;
  return !(first_is_cut && in_first) && !(last_is_cut && in_last);
}

/* Outputs of rows beyond LIMIT need not be evaluated, so an error there is only possible. */
static bool outputs_after_limit(Run *run, OutRows *out, Limits limits) {
  Eval *eval = run->eval;
  if (!rows_sort(eval, out, run->select)) return false;
  rows_trim(out, limits);
  for (uint32_t i = 0; i < out->count; i++) {
    run->frame.rows = run_combination(run, out->items[i].place);
    out->items[i].values = run_outputs(run);
    if (!eval->abort) continue;
    if (eval->abort == ABORT_ERROR && !row_is_surely_kept(out, i))
      eval_unmodelled(eval, "an error in a row that LIMIT may leave out");
    return false;
  }
  return true;
}

/* Where the rows are merged first: an error in what LIMIT or OFFSET may leave out is only possible too. */
static bool outputs_fail(Run *run, Limits limits, uint64_t rows) {
  Eval *eval = run->eval;
  bool is_cut = limits.skip || limits.take < rows;
  if (eval->abort == ABORT_ERROR && is_cut && !eval->eager)
    eval_unmodelled(eval, "an error in a row that LIMIT may leave out");
  return false;
}

static bool plain_outputs(Run *run, OutRows *out, Limits limits) {
  Eval *eval = run->eval;
  const Select *select = run->select;
  bool is_late = !select->distinct && !eval->eager && (limits.skip || limits.take < run->count);
  bool needs_keys = select->order_by.count && run->count > 1;
  out->items = ARENA_ARRAY(eval->arena, OutRow, run->count);
  out->count = run->count;
  for (uint32_t i = 0; i < run->count; i++) {
    OutRow *row = &out->items[i];
    row->place = i;
    run->frame.rows = run_combination(run, i);
    if (!is_late && !(row->values = run_outputs(run))) return outputs_fail(run, limits, run->count);
    if (needs_keys && !order_keys(run, row)) return false;
  }
  return !is_late || outputs_after_limit(run, out, limits);
}

/* ---- Magnitudes of sums ------------------------------------------------------------------- */

/* The largest magnitude that went into a sum of doubles that this expression shows. */
static double expr_magnitude(Run *run, const Expr *expr, const double *sums) {
  double most = 0;
  if (expr->kind == EXPR_AGGREGATE && expr->depth == 0 && sums) most = sums[expr->index];
  if (expr->kind == EXPR_COLUMN && expr->depth == 0 && run->derived && run->derived[expr->source] &&
      run->derived[expr->source]->magnitudes)
    most = run->derived[expr->source]->magnitudes[expr->column];
  if (expr->select && run->eval->largest_sum > most) most = run->eval->largest_sum;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    double magnitude = expr_magnitude(run, expr->args[i], sums);
    if (magnitude > most) most = magnitude;
  }
  return most;
}

static const double *block_magnitudes(Run *run, const double *sums) {
  uint32_t count = run->select->outputs.count;
  if (!sums && !run->derived && run->eval->largest_sum == 0) return NULL;
  double *magnitudes = ARENA_ARRAY(run->eval->arena, double, count + 1);
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    magnitudes[i] = expr_magnitude(run, run->plan->outputs[i].expr, sums);
    any = any || magnitudes[i] > 0;
  }
  return any ? magnitudes : NULL;
}

/* ---- One block -------------------------------------------------------------------------------- */

static bool block_finish(Run *run, OutRows *out, Limits limits) {
  Eval *eval = run->eval;
  const Select *select = run->select;
  uint32_t columns = select->outputs.count;
  if (select->distinct && !rows_distinct(eval, out, select)) return false;
  if (!out->is_trimmed) {
    if (!rows_sort(eval, out, select)) return false;
    rows_trim(out, limits);
  }
  rows_slice(out, columns);
  return true;
}

/* The sources whose rows are locked. */
static SourceSet sources_locked(const Select *select) {
  SourceSet locked = 0;
  for (uint32_t s = 0; s < select->sources.count; s++)
    for (uint32_t i = 0; i < select->lock.tables.count; i++)
      if (strcasecmp(select->sources.items[s].name, select->lock.tables.items[i]) == 0)
        locked |= (SourceSet)1 << s;
  return select->lock.tables.count ? locked : ~(SourceSet)0;
}

/* In mysql and mariadb rows that are locked are read as they are now, and the others are not. */
static bool locks_are_modelled(Run *run, SourceSet locked) {
  bool are_all = true;
  for (uint32_t s = 0; s < run->plan->source_count; s++) are_all &= locked >> s & 1;
  if (are_all || !dialect_is_mysql(run->eval->dialect) || !store_view(run->eval->store)) return true;
  eval_unmodelled(run->eval, "FOR UPDATE OF some of several tables");
  return false;
}

/* The groups of the block, or its result. */
static bool block_group(Run *run, ResultSet **answer) {
  const BlockWiseRunner *runner = run->eval->engine ? run->eval->engine->blockwise : NULL;
  BlockWise block = {.run = run};
  bool done =
      runner && blockwise_of(run, &block) ? runner->run(runner->context, &block) : blockwise_join(&block);
  *answer = block.answer;
  return done;
}

bool query_show(Run *run, ResultSet *result) {
  Eval *eval = run->eval;
  Limits limits;
  OutRows out = {0};
  double *sums = ARENA_ARRAY(eval->arena, double, run->select->aggregates.count + 1);
  if (!limits_eval(eval, run->select, &limits) || !group_outputs(run, &out, sums) ||
      !block_finish(run, &out, limits))
    return false;
  rows_result(eval, &out, run->select, run->plan->names, result);
  result->magnitudes = block_magnitudes(run, sums);
  return true;
}

static bool block_rows(Run *run, Limits limits, OutRows *out, double **sums, ResultSet **answer) {
  Eval *eval = run->eval;
  if (!run->select->is_grouped) {
    run->emit = run_collect;
    run->wants_keys = run->purpose == READ_FIND_TARGET;
    bool is_cut = limits.take <= UINT64_MAX - limits.skip && !run->wants_keys; /* locked rows may be gone */
    run->wanted = is_cut ? limits.skip + limits.take : UINT64_MAX;
    SourceSet locked = sources_locked(run->select);
    return locks_are_modelled(run, locked) && run_join(run, run_collect_reset) &&
           (!run->wants_keys || run_recheck(run, locked)) && plain_outputs(run, out, limits);
  }
  run->emit = group_emit;
  *sums = ARENA_ARRAY(eval->arena, double, run->select->aggregates.count + 1);
  if (!block_group(run, answer)) return false;
  return *answer || group_outputs(run, out, *sums) || outputs_fail(run, limits, group_count(run));
}

/* Where the answer is observed, that tells which rows were left out. */
static bool skip_is_modelled(Eval *eval, const Select *select) {
  if (!select->lock.skip_locked) return true;
  if (select == eval->shown && !select->is_grouped && !select->distinct && !select->offset) return true;
  eval_unmodelled(eval, "SKIP LOCKED may leave out any row");
  return false;
}

static bool block_run(Eval *eval, const Select *select, ReadPurpose purpose, ResultSet *result) {
  Run run;
  if (!skip_is_modelled(eval, select)) return false;
  if (!run_open(&run, eval, select, select->lock.kind ? READ_FIND_TARGET : purpose)) return false;
  Limits limits, asked;
  OutRows out = {0};
  double *sums = NULL;
  ResultSet *answer = NULL;
  bool done = limits_eval(eval, select, &asked);
  limits = select->lock.skip_locked ? (Limits){0, UINT64_MAX} : asked;
  if (done && !limits_want_nothing(eval, asked))
    done = block_rows(&run, limits, &out, &sums, &answer) && (answer || block_finish(&run, &out, limits));
  if (done && answer) {
    *result = *answer;
  } else if (done) {
    rows_result(eval, &out, select, run.plan->names, result);
    result->magnitudes = block_magnitudes(&run, sums);
    result->may_skip = select->lock.skip_locked;
    if (result->may_skip) result->take = asked.take;
  }
  run_close(&run);
  return done;
}

bool query_run(Eval *eval, const Select *select, ReadPurpose purpose, ResultSet *result) {
  if (select->is_recursive) {
    eval_unmodelled(eval, "WITH RECURSIVE");
    return false;
  }
  switch (select->kind) {
  case SELECT_SIMPLE: return block_run(eval, select, purpose, result);
  case SELECT_VALUES: return query_values(eval, select, result);
  default: return query_compound(eval, select, purpose, result);
  }
}

/* ---- EXISTS --------------------------------------------------------------------------------------- */

static void exists_emit(Run *run) {
  run->count = 1;
  run->stops = !run->eval->eager;
}

/* A block whose rows need not be computed to know whether there are any. */
static bool exists_is_plain(const Select *select) {
  return select->kind == SELECT_SIMPLE && !select->is_grouped && !select->offset && !select->limit &&
         !select->is_recursive && !select->lock.kind;
}

bool query_exists(Eval *eval, const Select *select, ReadPurpose purpose, bool *exists) {
  if (!exists_is_plain(select)) {
    ResultSet result;
    if (!query_run(eval, select, purpose, &result)) return false;
    *exists = result.row_count > 0; /* a slice takes at least one */
    return true;
  }
  Run run;
  if (!run_open(&run, eval, select, purpose)) return false;
  run.emit = exists_emit;
  bool done = run_join(&run, run_collect_reset);
  *exists = run.count > 0;
  if (eval->abort == ABORT_ERROR && !run.plan->is_certain)
    eval_unmodelled(eval, "an error in a row that EXISTS may leave out");
  run_close(&run);
  return done;
}

/* ---- UPDATE and DELETE ----------------------------------------------------------------------------------
 */

static bool matches_order(Run *run, Limits limits, OutRows *out) {
  out->items = ARENA_ARRAY(run->eval->arena, OutRow, run->count);
  out->count = run->count;
  for (uint32_t i = 0; i < run->count; i++) {
    out->items[i].place = i;
    run->frame.rows = run_combination(run, i);
    if (run->select->order_by.count && run->count > 1 && !order_keys(run, &out->items[i])) return false;
  }
  if (!rows_sort(run->eval, out, run->select)) return false;
  rows_trim(out, limits);
  return true;
}

/* A cut through a tie chooses between rows: a choice only if they differ. */
static bool matches_are_free(const Run *run, const OutRows *out) {
  if (!out->has_slice) return false;
  for (uint32_t i = 1; i < out->count; i++)
    for (uint32_t s = 0; s < run->plan->source_count; s++)
      if (!values_identical(run_combination(run, out->items[0].place)[s],
                            run_combination(run, out->items[i].place)[s],
                            run->select->sources.items[s].column_count))
        return true;
  return false;
}

static Match match_of(const Run *run, uint32_t place) {
  return (Match){.keys = run->combination_keys + (size_t)place * run->plan->source_count,
                 .rows = run_combination(run, place)};
}

bool query_matches(Eval *eval, const Select *scope, const uint32_t *targets, uint32_t target_count,
                   Matches *matches, bool *is_free) {
  Run run;
  SourceSet locked = 0;
  for (uint32_t i = 0; i < target_count; i++) locked |= (SourceSet)1 << targets[i];
  *matches = (Matches){0};
  *is_free = false;
  if (!run_open(&run, eval, scope, READ_FIND_TARGET)) return false;
  Limits limits;
  OutRows out = {0};
  run.emit = run_collect;
  run.wants_keys = true;
  bool done = limits_eval(eval, scope, &limits);
  run.wanted = limits.take > UINT64_MAX - limits.skip ? UINT64_MAX : limits.skip + limits.take;
  done = done && run_join(&run, run_collect_reset) && run_recheck(&run, locked) &&
         matches_order(&run, limits, &out);
  if (done) {
    *is_free = matches_are_free(&run, &out);
    uint64_t first = out.has_slice ? out.skip : 0, count = out.has_slice ? out.take : out.count;
    for (uint64_t i = 0; i < count; i++)
      ARENA_PUSH(eval->arena, matches, match_of(&run, out.items[first + i].place));
  }
  run_close(&run);
  return done;
}
