/* baseline_eval.c: expressions over symbols.  A switch over the kinds that the fragment has. */
#include "encodings/baseline_internal.h"

static Symbol refused(Baseline *baseline, const char *what) {
  baseline_refuse(baseline, "%s", what);
  return (Symbol){.value = term_int(baseline->terms, 0), .is_null = TERM_TRUE};
}

static Symbol truth_of(Baseline *baseline, Symbol symbol) {
  if (symbol.kind == SYMBOL_TRUTH) return symbol;
  if (symbol.kind == SYMBOL_NULL) return symbol_truth(TERM_FALSE, TERM_TRUE);
  baseline_refuse(baseline, "a value used as a condition");
  return symbol_truth(TERM_FALSE, TERM_TRUE);
}

static Symbol eval_truth(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  return truth_of(baseline, symbol_eval(baseline, frame, expr));
}

Term symbol_holds(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  return expr ? eval_truth(baseline, frame, expr).value : TERM_TRUE;
}

static Symbol column_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  for (uint32_t i = 0; frame && i < expr->depth; i++) frame = frame->outer;
  if (!frame || !frame->rows) return refused(baseline, "a column of an outer query");
  Symbol cell = frame->rows[expr->source].cells[expr->column];
  if (cell.kind == SYMBOL_NULL && cell.is_null != TERM_TRUE) return refused(baseline, "a column of this type");
  return cell;
}

static Symbol cast_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  Symbol symbol = symbol_eval(baseline, frame, expr->args[0]);
  if (!expr->is_implicit) return refused(baseline, "CAST");
  return symbol.kind == SYMBOL_TRUTH ? symbol : symbol_store(baseline, symbol, expr->cast_type, "CAST");
}

static Symbol list_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  Symbol found = symbol_truth(TERM_FALSE, TERM_FALSE), wanted = symbol_eval(baseline, frame, expr->args[0]);
  for (uint32_t i = 1; i < expr->arg_count; i++)
    found = symbol_or(baseline, found,
                      symbol_compare(baseline, EXPR_EQUAL, wanted, symbol_eval(baseline, frame, expr->args[i])));
  return expr->negated ? symbol_not(baseline, found) : found;
}

static Symbol between_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  Symbol value = symbol_eval(baseline, frame, expr->args[0]);
  Symbol above = symbol_compare(baseline, EXPR_GREATER_EQUAL, value, symbol_eval(baseline, frame, expr->args[1]));
  Symbol below = symbol_compare(baseline, EXPR_LESS_EQUAL, value, symbol_eval(baseline, frame, expr->args[2]));
  Symbol inside = symbol_and(baseline, above, below);
  return expr->negated ? symbol_not(baseline, inside) : inside;
}

static Symbol case_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  if (expr->has_operand) return refused(baseline, "CASE with an operand");
  Symbol result = {.value = term_int(baseline->terms, 0), .is_null = TERM_TRUE};
  uint32_t count = expr->arg_count - expr->has_else;
  if (expr->has_else) result = symbol_eval(baseline, frame, expr->args[count]);
  for (uint32_t i = count; i >= 2; i -= 2)
    result = symbol_ite(baseline, symbol_holds(baseline, frame, expr->args[i - 2]),
                        symbol_eval(baseline, frame, expr->args[i - 1]), result);
  return result;
}

/* ---- Subqueries ------------------------------------------------------------------------------------- */

static Symbol subquery_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  Terms *terms = baseline->terms;
  SymbolRows rows = {0};
  Symbol found = symbol_truth(TERM_FALSE, TERM_FALSE), wanted = {0};
  if (!query_rows(baseline, frame, expr->select, &rows)) return found;
  if (expr->kind == EXPR_SCALAR) {
    if (rows.count != 1 || rows.items[0].is_present != TERM_TRUE)
      return refused(baseline, "a scalar subquery that is no aggregate");
    return rows.items[0].cells[0];
  }
  if (expr->kind == EXPR_IN_SELECT) wanted = symbol_eval(baseline, frame, expr->args[0]);
  for (uint32_t i = 0; i < rows.count; i++) {
    Symbol one = symbol_truth(TERM_TRUE, TERM_FALSE);
    if (expr->kind == EXPR_IN_SELECT) one = symbol_compare(baseline, EXPR_EQUAL, wanted, rows.items[i].cells[0]);
    one.value = term_and(terms, one.value, rows.items[i].is_present);
    one.is_null = term_and(terms, one.is_null, rows.items[i].is_present);
    found = symbol_or(baseline, found, one);
  }
  return expr->negated ? symbol_not(baseline, found) : found;
}

/* ---- The switch --------------------------------------------------------------------------------------- */

static Symbol connective_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  Symbol result = eval_truth(baseline, frame, expr->args[0]);
  for (uint32_t i = 1; i < expr->arg_count; i++) {
    Symbol next = eval_truth(baseline, frame, expr->args[i]);
    result = expr->kind == EXPR_AND ? symbol_and(baseline, result, next) : symbol_or(baseline, result, next);
  }
  return result;
}

static Symbol test_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  Terms *terms = baseline->terms;
  if (expr->kind == EXPR_IS_NULL || expr->kind == EXPR_IS_NOT_NULL) {
    Term is_null = symbol_eval(baseline, frame, expr->args[0]).is_null;
    return symbol_truth(expr->kind == EXPR_IS_NULL ? is_null : term_not(terms, is_null), TERM_FALSE);
  }
  Symbol a = eval_truth(baseline, frame, expr->args[0]);
  Term is_false = term_and(terms, term_not(terms, a.value), term_not(terms, a.is_null));
  switch (expr->kind) {
  case EXPR_IS_TRUE: return symbol_truth(a.value, TERM_FALSE);
  case EXPR_IS_NOT_TRUE: return symbol_truth(term_not(terms, a.value), TERM_FALSE);
  case EXPR_IS_FALSE: return symbol_truth(is_false, TERM_FALSE);
  default: return symbol_truth(term_not(terms, is_false), TERM_FALSE);
  }
}

Symbol symbol_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr) {
  switch ((ExprKind)expr->kind) {
  case EXPR_NULL: return symbol_constant(baseline, NULL_VALUE);
  case EXPR_TRUE: return symbol_truth(TERM_TRUE, TERM_FALSE);
  case EXPR_FALSE: return symbol_truth(TERM_FALSE, TERM_FALSE);
  case EXPR_INPUT: return symbol_constant(baseline, baseline->inputs[expr->index]);
  case EXPR_COLUMN: return column_eval(baseline, frame, expr);
  case EXPR_VARIABLE:
    return baseline->variables ? baseline->variables[expr->index] : refused(baseline, "a variable");
  case EXPR_AGGREGATE:
    if (expr->depth || !frame || !frame->aggregates) return refused(baseline, "an aggregate of an outer query");
    return frame->aggregates[expr->index];
  case EXPR_NEGATE: {
    Symbol zero = symbol_constant(baseline, value_int(0));
    Expr minus = *expr;
    minus.kind = EXPR_SUBTRACT;
    return symbol_arithmetic(baseline, &minus, zero, symbol_eval(baseline, frame, expr->args[0]));
  }
  case EXPR_PLUS: return symbol_eval(baseline, frame, expr->args[0]);
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_MULTIPLY:
    return symbol_arithmetic(baseline, expr, symbol_eval(baseline, frame, expr->args[0]),
                             symbol_eval(baseline, frame, expr->args[1]));
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_GREATER:
  case EXPR_GREATER_EQUAL:
  case EXPR_IS_NOT_DISTINCT:
  case EXPR_IS_DISTINCT:
    return symbol_compare(baseline, expr->kind, symbol_eval(baseline, frame, expr->args[0]),
                          symbol_eval(baseline, frame, expr->args[1]));
  case EXPR_AND:
  case EXPR_OR: return connective_eval(baseline, frame, expr);
  case EXPR_NOT: return symbol_not(baseline, eval_truth(baseline, frame, expr->args[0]));
  case EXPR_IS_NULL:
  case EXPR_IS_NOT_NULL:
  case EXPR_IS_TRUE:
  case EXPR_IS_NOT_TRUE:
  case EXPR_IS_FALSE:
  case EXPR_IS_NOT_FALSE: return test_eval(baseline, frame, expr);
  case EXPR_BETWEEN: return between_eval(baseline, frame, expr);
  case EXPR_IN_LIST: return list_eval(baseline, frame, expr);
  case EXPR_CASE: return case_eval(baseline, frame, expr);
  case EXPR_CAST: return cast_eval(baseline, frame, expr);
  case EXPR_EXISTS:
  case EXPR_IN_SELECT:
  case EXPR_SCALAR: return subquery_eval(baseline, frame, expr);
  default: return refused(baseline, expr_kind_name(expr->kind));
  }
}
