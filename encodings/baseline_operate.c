/* baseline_operate.c: operators of symbols: three-valued logic, comparison, addition, subtraction, products. */
#include "encodings/baseline_internal.h"

static const double MOST = 4e18;

Symbol symbol_not(Baseline *baseline, Symbol a) {
  Term is_true = term_and(baseline->terms, term_not(baseline->terms, a.value), term_not(baseline->terms, a.is_null));
  return symbol_truth(is_true, a.is_null);
}

static Term is_false(Baseline *baseline, Symbol a) {
  return term_and(baseline->terms, term_not(baseline->terms, a.value), term_not(baseline->terms, a.is_null));
}

Symbol symbol_and(Baseline *baseline, Symbol a, Symbol b) {
  Terms *terms = baseline->terms;
  Term is_true = term_and(terms, a.value, b.value);
  Term denied = term_or(terms, is_false(baseline, a), is_false(baseline, b));
  return symbol_truth(is_true, term_not(terms, term_or(terms, is_true, denied)));
}

Symbol symbol_or(Baseline *baseline, Symbol a, Symbol b) {
  Terms *terms = baseline->terms;
  Term is_true = term_or(terms, a.value, b.value);
  Term denied = term_and(terms, is_false(baseline, a), is_false(baseline, b));
  return symbol_truth(is_true, term_not(terms, term_or(terms, is_true, denied)));
}

static Term numbers_compare(Terms *terms, ExprKind kind, Term a, Term b) {
  switch (kind) {
  case EXPR_LESS: return term_less(terms, a, b);
  case EXPR_LESS_EQUAL: return term_less_equal(terms, a, b);
  case EXPR_GREATER: return term_less(terms, b, a);
  case EXPR_GREATER_EQUAL: return term_less_equal(terms, b, a);
  case EXPR_NOT_EQUAL: return term_not(terms, term_equal(terms, a, b));
  default: return term_equal(terms, a, b);
  }
}

Symbol symbol_compare(Baseline *baseline, ExprKind kind, Symbol a, Symbol b) {
  Terms *terms = baseline->terms;
  Symbol none = symbol_truth(TERM_FALSE, TERM_TRUE);
  if (!symbols_align(baseline, &a, &b)) return none;
  if (kind == EXPR_IS_NOT_DISTINCT) return symbol_truth(symbol_same(baseline, a, b), TERM_FALSE);
  if (kind == EXPR_IS_DISTINCT)
    return symbol_truth(term_not(terms, symbol_same(baseline, a, b)), TERM_FALSE);
  Term is_null = term_or(terms, a.is_null, b.is_null);
  if (is_null == TERM_TRUE) return none;
  bool is_equality = kind == EXPR_EQUAL || kind == EXPR_NOT_EQUAL;
  if (a.kind != SYMBOL_NUMBER && !is_equality) {
    baseline_refuse(baseline, "an order of values that are no numbers");
    return none;
  }
  Term truth = numbers_compare(terms, kind, a.value, b.value);
  return symbol_truth(term_and(terms, truth, term_not(terms, is_null)), is_null);
}

Symbol symbol_arithmetic(Baseline *baseline, const Expr *expr, Symbol a, Symbol b) {
  Terms *terms = baseline->terms;
  bool is_product = expr->kind == EXPR_MULTIPLY;
  if (a.kind == SYMBOL_NULL) a.kind = SYMBOL_NUMBER;
  if (b.kind == SYMBOL_NULL) b.kind = SYMBOL_NUMBER;
  if (a.kind != SYMBOL_NUMBER || b.kind != SYMBOL_NUMBER) {
    baseline_refuse(baseline, "arithmetic with what is no number");
    return a;
  }
  if (!is_product && !symbols_align(baseline, &a, &b)) return a;
  Symbol result = {.kind = SYMBOL_NUMBER, .is_null = term_or(terms, a.is_null, b.is_null)};
  int64_t number;
  if (is_product) {
    if (!term_is_int(terms, a.value, &number) && !term_is_int(terms, b.value, &number))
      baseline_refuse(baseline, "a product of two values that are not constant");
    result.value = term_multiply(terms, a.value, b.value);
    result.scale = a.scale + b.scale;
    result.bound = a.bound * b.bound;
  } else {
    result.value = expr->kind == EXPR_ADD ? term_add(terms, a.value, b.value)
                                          : term_subtract(terms, a.value, b.value);
    result.scale = a.scale;
    result.bound = a.bound + b.bound;
  }
  double most = expr->type.kind == TYPE_INT && expr->type.bytes && expr->type.bytes < 8
                    ? (double)((int64_t)1 << (8 * expr->type.bytes - 1)) - 1
                    : MOST;
  if (result.bound > most || expr->type.is_unsigned || type_is_real(expr->type))
    baseline_refuse(baseline, "arithmetic that may overflow");
  return result;
}
