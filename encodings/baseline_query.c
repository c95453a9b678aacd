/* baseline_query.c: a query block: its rows, each there under a condition; aggregates over them. */
#include "encodings/baseline_internal.h"

#include <strings.h>

/* ---- Aggregates ------------------------------------------------------------------------------------- */

static Symbol count_symbol(Baseline *baseline, Symbol total, Term counts) {
  Terms *terms = baseline->terms;
  total.value = term_add(terms, total.value, term_ite(terms, counts, term_int(terms, 1), term_int(terms, 0)));
  total.bound += 1;
  return total;
}

static Symbol sum_symbol(Baseline *baseline, Symbol total, Symbol value, Term counts) {
  Terms *terms = baseline->terms;
  if (!symbols_align(baseline, &total, &value)) return total;
  total.value = term_add(terms, total.value, term_ite(terms, counts, value.value, term_int(terms, 0)));
  total.is_null = term_and(terms, total.is_null, term_not(terms, counts));
  total.bound += value.bound;
  if (total.bound > 2e18) baseline_refuse(baseline, "a sum that may overflow");
  return total;
}

static Symbol extreme_symbol(Baseline *baseline, Symbol best, Symbol value, Term counts, bool is_least) {
  Terms *terms = baseline->terms;
  if (!symbols_align(baseline, &best, &value)) return best;
  Term is_better = is_least ? term_less(terms, value.value, best.value) : term_less(terms, best.value, value.value);
  Term is_taken = term_and(terms, counts, term_or(terms, best.is_null, is_better));
  best.value = term_ite(terms, is_taken, value.value, best.value);
  best.is_null = term_and(terms, best.is_null, term_not(terms, counts));
  if (value.bound > best.bound) best.bound = value.bound;
  return best;
}

static Symbol aggregate_symbol(Baseline *baseline, const SymbolFrame *outer, const Expr *expr,
                               const Combinations *from) {
  Terms *terms = baseline->terms;
  bool is_count = strcasecmp(expr->name, "count") == 0, is_sum = strcasecmp(expr->name, "sum") == 0;
  bool is_least = strcasecmp(expr->name, "min") == 0;
  Symbol total = {.value = term_int(terms, 0), .is_null = TERM_FALSE, .kind = SYMBOL_NUMBER};
  bool is_known = is_count || is_sum || is_least || strcasecmp(expr->name, "max") == 0;
  if (!is_known || expr->distinct || expr->filter || expr->arg_count > 1) {
    baseline_refuse(baseline, "the aggregate %s%s", expr->name, expr->distinct ? " DISTINCT" : "");
    return total;
  }
  total.is_null = term_constant(!is_count);
  bool has_value = expr->arg_count == 1 && expr->args[0]->kind != EXPR_STAR;
  for (uint32_t i = 0; i < from->count && !baseline->reason; i++) {
    SymbolFrame frame = {.outer = outer, .rows = from->items[i].rows};
    Term counts = from->items[i].guard;
    Symbol value = total;
    if (has_value) value = symbol_eval(baseline, &frame, expr->args[0]);
    if (has_value) counts = term_and(terms, counts, term_not(terms, value.is_null));
    if (!is_count && value.kind != SYMBOL_NUMBER && value.kind != SYMBOL_NULL)
      baseline_refuse(baseline, "the aggregate %s of what is no number", expr->name);
    else if (is_count)
      total = count_symbol(baseline, total, counts);
    else if (is_sum)
      total = sum_symbol(baseline, total, value, counts);
    else
      total = extreme_symbol(baseline, total, value, counts, is_least);
  }
  return total;
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

static SymbolRow output_row(Baseline *baseline, const SymbolFrame *frame, const Select *select, Term guard) {
  SymbolRow row = {guard, ARENA_ARRAY(&baseline->memory, Symbol, select->outputs.count)};
  for (uint32_t i = 0; i < select->outputs.count && !baseline->reason; i++)
    row.cells[i] = symbol_eval(baseline, frame, select->outputs.items[i].expr);
  return row;
}

/* Of equal rows the first. */
static void rows_distinct(Baseline *baseline, uint32_t columns, SymbolRows *rows) {
  Terms *terms = baseline->terms;
  Term *kept = memory_new((rows->count + 1) * sizeof *kept);
  for (uint32_t i = 0; i < rows->count; i++) {
    kept[i] = rows->items[i].is_present;
    for (uint32_t k = 0; k < i; k++) {
      Term same = rows->items[k].is_present;
      for (uint32_t c = 0; c < columns; c++)
        same = term_and(terms, same, symbol_same(baseline, rows->items[i].cells[c], rows->items[k].cells[c]));
      kept[i] = term_and(terms, kept[i], term_not(terms, same));
    }
  }
  for (uint32_t i = 0; i < rows->count; i++) rows->items[i].is_present = kept[i];
  free(kept);
}

static bool select_fits(Baseline *baseline, const Select *select) {
  if (select->kind != SELECT_SIMPLE) return baseline_refuse(baseline, "a compound query");
  if (select->with.count) return baseline_refuse(baseline, "WITH");
  if (select->group_by.count || select->having) return baseline_refuse(baseline, "GROUP BY");
  if (select->limit || select->offset) return baseline_refuse(baseline, "LIMIT");
  if (select->lock.skip_locked) return baseline_refuse(baseline, "SKIP LOCKED");
  return true;
}

bool query_rows(Baseline *baseline, const SymbolFrame *outer, const Select *select, SymbolRows *rows) {
  Combinations from = {0};
  if (!select_fits(baseline, select) || !join_rows(baseline, outer, select, &from)) return false;
  if (select->is_grouped) {
    Symbol *aggregates = ARENA_ARRAY(&baseline->memory, Symbol, select->aggregates.count + 1);
    for (uint32_t i = 0; i < select->aggregates.count; i++)
      aggregates[i] = aggregate_symbol(baseline, outer, select->aggregates.items[i], &from);
    SymbolFrame frame = {.outer = outer, .aggregates = aggregates};
    SymbolRow row = output_row(baseline, &frame, select, TERM_TRUE);
    ARENA_PUSH(&baseline->memory, rows, row);
    return !baseline->reason;
  }
  for (uint32_t i = 0; i < from.count; i++) {
    SymbolFrame frame = {.outer = outer, .rows = from.items[i].rows};
    SymbolRow row = output_row(baseline, &frame, select, from.items[i].guard);
    ARENA_PUSH(&baseline->memory, rows, row);
  }
  if (select->distinct && !baseline->reason) rows_distinct(baseline, select->outputs.count, rows);
  return !baseline->reason;
}
