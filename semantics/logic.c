/* logic.c: three-valued logic; see logic.h.
 *
 * L1  An operand that decides a junction (false in AND, true in OR) decides it whatever the others do: an
 * error of another one is then only possible, because some order of evaluation would not meet it. L2  Only
 * CASE and COALESCE fix the order: nothing behind their choice is evaluated. L3  Looking for possible errors
 * (eval->eager), every operand of a junction is evaluated. */
#include "semantics/logic.h"

#include "semantics/convert.h"
#include "semantics/operate.h"
#include "src/sql/function.h"

/* ---- Junctions: AND, OR, IN -------------------------------------------------------------- */

/* What has been seen of a junction's operands so far. */
typedef struct Junction {
  int decisive; /* the truth that decides */
  bool is_decided;
  bool has_null;
  bool is_final;   /* an operand without an answer that no other one can overrule */
  AbortKind abort; /* the first operand that had no answer, and why */
  ErrorClass error;
  const char *reason;
} Junction;

bool expr_is_constant(const Expr *expr) {
  switch (expr->kind) {
  case EXPR_COLUMN:
  case EXPR_VARIABLE:
  case EXPR_USER_VARIABLE:
  case EXPR_GROUP_KEY:
  case EXPR_AGGREGATE:
  case EXPR_SCALAR:
  case EXPR_EXISTS:
  case EXPR_IN_SELECT:
  case EXPR_ANY:
  case EXPR_ALL: return false;
  default: break;
  }
  if (expr->is_volatile) return false;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!expr_is_constant(expr->args[i])) return false;
  return true;
}

/* Could it raise an error for some value of what is in doubt?  Comparisons of columns and constants never do.
 */
static bool expr_may_fail(const Expr *expr) {
  switch (expr->kind) {
  case EXPR_NULL:
  case EXPR_TRUE:
  case EXPR_FALSE:
  case EXPR_INPUT:
  case EXPR_COLUMN:
  case EXPR_VARIABLE:
  case EXPR_GROUP_KEY:
  case EXPR_AGGREGATE: return false;
  default: break;
  }
  if (expr_is_constant(expr)) return false; /* it has been evaluated */
  bool is_safe = (expr->kind >= EXPR_EQUAL && expr->kind <= EXPR_BETWEEN) || expr->kind == EXPR_IN_LIST;
  if (!is_safe) return true;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_may_fail(expr->args[i])) return true;
  return false;
}

/* An operand had no answer: remembers why.  An error beside a doubt is only possible: were the doubt
 * decided the right way, it would overrule the error. */
static void junction_note(Eval *eval, Junction *junction, const Expr *operand) {
  AbortKind abort = eval->abort;
  eval->abort = ABORT_NONE;
  /* What could also raise an error cannot be overruled while it is unknown. */
  if (abort != ABORT_ERROR && expr_may_fail(operand)) junction->is_final = true;
  if (junction->abort != ABORT_NONE && abort == ABORT_ERROR) {
    eval->possible |= ERROR_BIT(eval->error);
    return;
  }
  if (junction->abort != ABORT_NONE && junction->abort != ABORT_ERROR) return;
  if (junction->abort == ABORT_ERROR) eval->possible |= ERROR_BIT(junction->error);
  junction->abort = abort;
  junction->error = eval->error;
  junction->reason = eval->reason;
}

/* Takes an operand's answer.  True: the junction needs no further operands. */
static bool junction_take(Eval *eval, Junction *junction, const Expr *operand, int truth) {
  if (eval->abort) {
    junction_note(eval, junction, operand);
    return junction->is_final;
  }
  if (truth < 0) junction->has_null = true;
  if (truth == junction->decisive) junction->is_decided = true;
  return junction->is_decided && !eval->eager;
}

static int junction_answer(Eval *eval, const Junction *junction) {
  if (junction->is_decided && !junction->is_final) {
    if (junction->abort == ABORT_ERROR) eval->possible |= ERROR_BIT(junction->error);
    return junction->decisive;
  }
  if (junction->abort) {
    eval->abort = junction->abort;
    eval->error = junction->error;
    eval->reason = junction->reason;
    return -1;
  }
  return junction->has_null ? -1 : !junction->decisive;
}

int logic_junction(Eval *eval, const Expr *expr) {
  Junction junction = {.decisive = expr->kind == EXPR_OR};
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    int truth = expr_truth(eval, expr->args[i]);
    if (junction_take(eval, &junction, expr->args[i], truth)) break;
  }
  return junction_answer(eval, &junction);
}

/* ---- Operands ------------------------------------------------------------------------------- */

/* Operators that are NULL as soon as one operand is. */
static bool expr_is_strict(const Expr *expr) {
  if (expr->kind == EXPR_FUNCTION)
    return expr->function && !(expr->function->flags & (FUNCTION_NULLS | FUNCTION_LAZY));
  return (expr->kind >= EXPR_NEGATE && expr->kind <= EXPR_GREATER_EQUAL) || expr->kind == EXPR_CAST;
}

/* Does a planner that folds constants see a NULL here? */
static bool expr_folds_to_null(Eval *eval, const Expr *expr) {
  if (expr_is_constant(expr)) {
    Eval kept = *eval;
    eval->abort = ABORT_NONE;
    Value value = expr_operand(eval, expr);
    bool is_null = !eval->abort && value_is_null(value);
    *eval = kept;
    return is_null;
  }
  for (uint32_t i = 0; expr_is_strict(expr) && i < expr->arg_count; i++)
    if (expr_folds_to_null(eval, expr->args[i])) return true;
  return false;
}

static void error_becomes_possible(Eval *eval) {
  eval->possible |= ERROR_BIT(eval->error);
  eval->abort = ABORT_NONE;
}

Value logic_second(Eval *eval, Value first, const Expr *first_expr, const Expr *expr) {
  Value second = expr_operand(eval, expr);
  if (eval->abort != ABORT_ERROR || !value_is_null(first)) return second;
  if (dialect_is_mysql(eval->dialect) || expr_folds_to_null(eval, first_expr)) error_becomes_possible(eval);
  return NULL_VALUE;
}

Value logic_overrule(Eval *eval, const Expr *other) {
  bool is_folded =
      eval->abort == ABORT_ERROR && !dialect_is_sqlite(eval->dialect) && expr_folds_to_null(eval, other);
  if (is_folded) error_becomes_possible(eval);
  return NULL_VALUE;
}

/* MySQL's BETWEEN, CASE and longer IN lists compare all digits of a quotient; = only those that show. */
static Value all_digits(Value value) {
  if (value_is_decimal(value)) value.flags = 0;
  return value;
}

/* ---- Comparisons ---------------------------------------------------------------------------- */

/* (a, b) = (c, d) and (a, b) < (c, d): the first difference decides, NULL where it cannot be told. */
static int rows_compare(Eval *eval, ExprKind kind, const Expr *left, const Expr *right) {
  bool is_equality = kind == EXPR_EQUAL || kind == EXPR_NOT_EQUAL;
  bool has_null = false;
  for (uint32_t i = 0; i < left->arg_count; i++) {
    Value equal = logic_comparison(eval, EXPR_EQUAL, left->args[i], right->args[i]);
    if (eval->abort) return -1;
    if (value_is_null(equal)) {
      has_null = true;
      if (!is_equality) return -1;
      continue;
    }
    if (equal.integer) continue;
    if (is_equality) return kind == EXPR_NOT_EQUAL;
    ExprKind strict = kind == EXPR_LESS || kind == EXPR_LESS_EQUAL ? EXPR_LESS : EXPR_GREATER;
    Value order = logic_comparison(eval, strict, left->args[i], right->args[i]);
    return value_is_null(order) ? -1 : (int)order.integer;
  }
  if (has_null) return -1;
  return kind != EXPR_NOT_EQUAL && kind != EXPR_LESS && kind != EXPR_GREATER;
}

static int rows_alike(Eval *eval, const Expr *left, const Expr *right) {
  for (uint32_t i = 0; i < left->arg_count; i++) {
    Value alike = logic_comparison(eval, EXPR_IS_NOT_DISTINCT, left->args[i], right->args[i]);
    if (eval->abort) return -1;
    if (!alike.integer) return 0;
  }
  return 1;
}

Value logic_comparison(Eval *eval, ExprKind kind, const Expr *left, const Expr *right) {
  if (left->kind == EXPR_ROW && right->kind == EXPR_ROW) {
    if (kind == EXPR_IS_NOT_DISTINCT) return truth_value(eval, rows_alike(eval, left, right));
    if (kind == EXPR_IS_DISTINCT) {
      int alike = rows_alike(eval, left, right);
      return truth_value(eval, alike < 0 ? -1 : !alike);
    }
    return truth_value(eval, rows_compare(eval, kind, left, right));
  }
  Value a = expr_operand(eval, left);
  if (eval->abort) return logic_overrule(eval, right);
  Value b = logic_second(eval, a, left, right);
  if (eval->abort) return NULL_VALUE;
  return operate_comparison(eval, kind, a, left->type, b, right->type);
}

static int truth_of(Value value) { return value_is_null(value) ? -1 : (int)value.integer; }

/* An operand that is compared several times has a collation for each: typing left it with the other one. */
static Type type_beside(const Expr *operand, const Expr *other) {
  Type type = operand->type;
  type.collation = other->type.collation;
  type.is_binary = other->type.is_binary;
  return type;
}

/* mysql compares all three operands of BETWEEN as one type: one number among texts makes them numbers. */
static void between_mix(Eval *eval, const Expr *expr, Value values[3]) {
  bool has_text = false, has_number = false, has_time = false;
  for (unsigned i = 0; i < 3; i++) {
    has_time |= type_is_time(expr->args[i]->type);
    has_text |= type_is_text(expr->args[i]->type);
    has_number |= type_is_number(expr->args[i]->type);
  }
  if (has_time && (has_text || has_number)) {
    for (unsigned i = 0; i < 3 && !eval->abort; i++)
      values[i] = values[i].kind == VALUE_TIME
                      ? eval_unmodelled(eval, "BETWEEN times and other values is not modelled")
                      : mysql_stamp(eval, values[i]);
    return;
  }
  bool is_plain = !type_is_text(expr->args[0]->type) ||
                  !(type_is_text(expr->args[1]->type) || type_is_text(expr->args[2]->type));
  if (!has_text || !has_number || is_plain) return;
  for (unsigned i = 0; i < 3; i++)
    if (values[i].kind == VALUE_TEXT) values[i] = mysql_number(eval, values[i]);
}

/* a >= b AND a <= c: a junction, in which one side may overrule an error of the other. */
int logic_between(Eval *eval, const Expr *expr) {
  Junction junction = {.decisive = 0};
  Value values[3] = {expr_operand(eval, expr->args[0]), NULL_VALUE, NULL_VALUE};
  if (eval->abort) return -1;
  for (unsigned i = 1; i < 3; i++) {
    values[i] = logic_second(eval, values[0], expr->args[0], expr->args[i]);
    if (eval->abort && junction_take(eval, &junction, expr->args[i], -1))
      return junction_answer(eval, &junction);
  }
  for (unsigned i = 0; i < 3; i++) values[i] = all_digits(values[i]);
  if (dialect_is_mysql(eval->dialect)) between_mix(eval, expr, values);
  for (unsigned i = 1; i < 3 && !eval->abort; i++) {
    const Expr *bound = expr->args[i];
    ExprKind kind = i == 1 ? EXPR_GREATER_EQUAL : EXPR_LESS_EQUAL;
    Value side =
        operate_comparison(eval, kind, values[0], type_beside(expr->args[0], bound), values[i], bound->type);
    if (junction_take(eval, &junction, bound, truth_of(side))) break;
  }
  if (eval->abort) return -1;
  int truth = junction_answer(eval, &junction);
  return eval->abort || truth < 0 ? -1 : truth != expr->negated;
}

int logic_in_list(Eval *eval, const Expr *expr) {
  const Expr *left = expr->args[0];
  Junction junction = {.decisive = 1};
  if (expr->arg_count == 1) return expr->negated; /* IN () */
  bool is_row = left->kind == EXPR_ROW;
  Value value = is_row ? NULL_VALUE : expr_operand(eval, left);
  if (eval->abort) return -1;
  bool is_list = expr->arg_count > 2;
  if (is_list) value = all_digits(value);
  for (uint32_t i = 1; i < expr->arg_count; i++) {
    const Expr *item = expr->args[i];
    int truth = -1;
    if (is_row) {
      truth = truth_of(logic_comparison(eval, EXPR_EQUAL, left, item));
    } else {
      Value other = logic_second(eval, value, left, item);
      if (is_list) other = all_digits(other);
      if (!eval->abort) truth = operate_equal(eval, value, left->type, other, item->type);
    }
    if (junction_take(eval, &junction, item, truth)) break;
  }
  int truth = junction_answer(eval, &junction);
  return eval->abort || truth < 0 ? -1 : truth != expr->negated;
}

/* ---- CASE -------------------------------------------------------------------------------------- */

static Value branch_value(Eval *eval, const Expr *expr, const Expr *branch) {
  Value value = expr_operand(eval, branch);
  if (dialect_is_mysql(eval->dialect)) return mysql_widen(eval, value, expr->type);
  return dialect_is_postgres(eval->dialect) ? postgres_unpad(value, branch->type, expr->type) : value;
}

Value logic_case(Eval *eval, const Expr *expr) {
  uint32_t first = expr->has_operand ? 1 : 0, end = expr->arg_count - (expr->has_else ? 1 : 0);
  Value operand = NULL_VALUE;
  if (expr->has_operand) {
    operand = all_digits(expr_operand(eval, expr->args[0]));
    if (eval->abort) return NULL_VALUE;
  }
  for (uint32_t i = first; i + 1 < end; i += 2) {
    int truth;
    if (expr->has_operand) {
      Value when = all_digits(logic_second(eval, operand, expr->args[0], expr->args[i]));
      if (eval->abort) return NULL_VALUE;
      truth =
          operate_equal(eval, operand, type_beside(expr->args[0], expr->args[i]), when, expr->args[i]->type);
    } else {
      truth = expr_truth(eval, expr->args[i]);
    }
    if (eval->abort) return NULL_VALUE;
    if (truth == 1) return branch_value(eval, expr, expr->args[i + 1]);
  }
  return expr->has_else ? branch_value(eval, expr, expr->args[end]) : NULL_VALUE;
}
