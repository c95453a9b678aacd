/* baseline_match.c: that what was observed is what the statement gives. */
#include "encodings/baseline_internal.h"

static Term row_matches(Baseline *baseline, const SymbolRow *row, uint32_t columns, const ObservedRow *observed) {
  Term same = row->is_present;
  for (uint32_t i = 0; i < columns && same != TERM_FALSE; i++) {
    bool is_possible = true;
    Symbol seen = symbol_observed(baseline, &observed->cells[i], &row->cells[i], &is_possible);
    same = is_possible ? term_and(baseline->terms, same, symbol_same(baseline, row->cells[i], seen)) : TERM_FALSE;
  }
  return same;
}

static bool observed_same(const ObservedRow *a, const ObservedRow *b) {
  for (uint32_t i = 0; i < a->count; i++)
    if (!value_identical(a->cells[i].value, b->cells[i].value)) return false;
  return true;
}

/* As many rows as were observed, and of each kind as many: the same multiset. */
bool match_observed(Baseline *baseline, const SymbolRows *rows, uint32_t columns, const ObservedRows *observed,
                    Term guard) {
  Terms *terms = baseline->terms;
  Term *items = memory_new((rows->count + 1) * sizeof *items);
  for (uint32_t i = 0; i < rows->count; i++) items[i] = rows->items[i].is_present;
  Term all = observed->count <= rows->count ? term_count_is(terms, items, rows->count, observed->count) : TERM_FALSE;
  for (uint32_t i = 0; i < observed->count && all != TERM_FALSE; i++) {
    const ObservedRow *row = &observed->rows[i];
    uint32_t alike = 0, earlier = 0;
    if (row->count != columns) all = TERM_FALSE;
    for (uint32_t k = 0; k < observed->count && all != TERM_FALSE; k++)
      if (observed->rows[k].count == columns && observed_same(row, &observed->rows[k])) alike++, earlier += k < i;
    if (earlier || all == TERM_FALSE) continue;
    for (uint32_t k = 0; k < rows->count; k++) items[k] = row_matches(baseline, &rows->items[k], columns, row);
    all = term_and(terms, all, term_count_between(terms, items, rows->count, alike, rows->count));
  }
  free(items);
  baseline_require(baseline, term_implies(terms, guard, all));
  return !baseline->reason;
}

/* The output column that shows what is sorted by, or -1. */
static int32_t order_column(const Select *select, const OrderTerm *term) {
  if (term->item >= 0) return term->item;
  for (uint32_t i = 0; i < select->outputs.count; i++) {
    const Expr *expr = select->outputs.items[i].expr;
    if (expr->kind == EXPR_COLUMN && term->expr->kind == EXPR_COLUMN && expr->depth == term->expr->depth &&
        expr->source == term->expr->source && expr->column == term->expr->column)
      return (int32_t)i;
  }
  return -1;
}

/* ORDER BY columns that are shown is a matter of the observation alone. */
bool match_order(Baseline *baseline, const Select *select, const ObservedRows *observed) {
  for (uint32_t row = 0; row + 1 < observed->count; row++)
    for (uint32_t i = 0; i < select->order_by.count; i++) {
      const OrderTerm *term = &select->order_by.items[i];
      int32_t column = order_column(select, term);
      if (column < 0) return baseline_refuse(baseline, "ORDER BY what is not shown");
      if (observed->rows[row].count != select->outputs.count) return true; /* refuted already */
      Value a = observed->rows[row].cells[column].value, b = observed->rows[row + 1].cells[column].value;
      if (a.kind == VALUE_NULL && b.kind == VALUE_NULL) continue;
      if (a.kind != VALUE_INT || b.kind != VALUE_INT)
        return baseline_refuse(baseline, "ORDER BY what is no integer");
      if (a.integer == b.integer) continue;
      if ((a.integer > b.integer) != term->descending)
        baseline_require(baseline, term_not(baseline->terms, baseline->path));
      break;
    }
  return true;
}
