/* function.c: calls of scalar functions: conditions here, the rest by concern. */
#include "semantics/clock.h"
#include "semantics/convert.h"
#include "semantics/function_number.h"
#include "semantics/function_text.h"
#include "semantics/function_time.h"
#include "semantics/operate.h"
#include "src/sql/function.h"

/* The value in the type the whole expression has: mysql decides it by all branches. */
static Value branch_value(Eval *eval, const Expr *expr, const Expr *branch, Value value) {
  if (eval->abort || value.kind == VALUE_NULL) return value;
  if (dialect_is_postgres(eval->dialect)) return postgres_unpad(value, branch->type, expr->type);
  if (!dialect_is_mysql(eval->dialect)) return value;
  if (value.kind == VALUE_DOUBT) return eval_doubt(eval, value);
  bool wants_text = type_is_text(expr->type), is_text = value.kind == VALUE_TEXT || value.kind == VALUE_BLOB;
  if (wants_text != is_text || type_is_real(expr->type))
    value = operate_cast(eval, value, branch->type, expr->type, true);
  return mysql_widen(eval, value, expr->type);
}

static Value call_coalesce(Eval *eval, const Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    Value value = expr_operand(eval, expr->args[i]);
    if (eval->abort) return NULL_VALUE;
    if (value.kind == VALUE_DOUBT && i + 1 < expr->arg_count) return eval_doubt(eval, value);
    if (value.kind != VALUE_NULL) return branch_value(eval, expr, expr->args[i], value);
  }
  return NULL_VALUE;
}

/* sqlite: a COLLATE anywhere inside gives the whole expression its collation. */
static const Expr *collate_inside(const Expr *expr) {
  if (expr->kind == EXPR_COLLATE) return expr;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    const Expr *found = collate_inside(expr->args[i]);
    if (found) return found;
  }
  return NULL;
}

/* sqlite: the first argument that has a collation decides: a column, or one with COLLATE. */
static Type extreme_collation(const Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    const Expr *argument = expr->args[i];
    while (argument->kind == EXPR_PLUS || argument->kind == EXPR_CAST) argument = argument->args[0];
    if (argument->kind == EXPR_COLUMN) return argument->type;
    const Expr *collate = collate_inside(argument);
    if (collate) return collate->type;
  }
  return type_of(TYPE_DYNAMIC);
}

/* PostgreSQL: the operator = of CHAR and another text makes both text. */
static Value nullif_value(Eval *eval, const Expr *expr, Value value) {
  bool is_text = dialect_is_postgres(eval->dialect) && expr->args[1]->kind != EXPR_INPUT;
  if (is_text) return postgres_unpad(value, expr->args[0]->type, expr->args[1]->type);
  return branch_value(eval, expr, expr->args[0], value);
}

static Value call_nullif(Eval *eval, const Expr *expr) {
  Value a = expr_operand(eval, expr->args[0]);
  if (eval->abort) return NULL_VALUE;
  Value b = expr_operand(eval, expr->args[1]);
  if (eval->abort || a.kind == VALUE_NULL) return NULL_VALUE;
  if (b.kind == VALUE_NULL) return nullif_value(eval, expr, a);
  if (a.kind == VALUE_DOUBT || b.kind == VALUE_DOUBT) return eval_doubt(eval, a.kind == VALUE_DOUBT ? a : b);
  /* sqlite compares the values as they are, without affinities. */
  int equal = dialect_is_sqlite(eval->dialect)
                  ? value_order(eval->dialect, extreme_collation(expr), a, b) == 0
                  : operate_equal(eval, a, expr->args[0]->type, b, expr->args[1]->type);
  return eval->abort || equal == 1 ? NULL_VALUE : nullif_value(eval, expr, a);
}

static Value call_if(Eval *eval, const Expr *expr) {
  int truth = expr_truth(eval, expr->args[0]);
  if (eval->abort) return NULL_VALUE;
  const Expr *branch = expr->args[truth == 1 ? 1 : 2];
  return branch_value(eval, expr, branch, expr_operand(eval, branch));
}

Value function_lazy(Eval *eval, const Expr *expr) {
  switch (expr->function->id) {
  case FUNCTION_COALESCE: return call_coalesce(eval, expr);
  case FUNCTION_NULLIF: return call_nullif(eval, expr);
  default: return call_if(eval, expr);
  }
}

static bool extreme_has_text(const Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (type_is_text(expr->args[i]->type)) return true;
  return false;
}

static bool extreme_mixes_times(const Expr *expr) {
  bool has_time = false, has_other = false;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    const Expr *argument = expr->args[i];
    if (argument->kind == EXPR_CAST && argument->is_implicit) argument = argument->args[0];
    has_time |= type_is_time(argument->type);
    has_other |= !type_is_time(argument->type) && argument->kind != EXPR_NULL;
  }
  return has_time && has_other;
}

/* mariadb: of numbers and texts. */
static Value call_real_extreme(Eval *eval, const Expr *expr, const Value *args) {
  bool wants_greater = expr->function->id == FUNCTION_GREATEST;
  double best = 0;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    double real;
    if (args[i].kind == VALUE_DOUBT) return eval_doubt(eval, args[i]);
    if (args[i].kind == VALUE_NULL || !convert_real(eval, args[i], &real)) return NULL_VALUE;
    if (i == 0 || (wants_greater ? real > best : real < best)) best = real;
  }
  return value_double(best);
}

/* GREATEST, LEAST, and sqlite's MAX and MIN of several values. */
static Value call_extreme(Eval *eval, const Expr *expr, const Value *args) {
  if (expr->type.kind == TYPE_DOUBLE && dialect_is_mysql(eval->dialect) && extreme_has_text(expr))
    return call_real_extreme(eval, expr, args);
  bool wants_greater = expr->function->id == FUNCTION_GREATEST, is_sqlite = dialect_is_sqlite(eval->dialect);
  int32_t best = -1;
  if (dialect_is_mysql(eval->dialect) && extreme_mixes_times(expr))
    return eval_unmodelled(eval, "%s of dates and other values is not modelled", expr->function->name);
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (args[i].kind == VALUE_DOUBT) return eval_doubt(eval, args[i]);
    if (args[i].kind == VALUE_NULL) {
      if (dialect_is_postgres(eval->dialect)) continue;
      if (args[i].flags & NULL_NO_DATE)
        return eval_unmodelled(eval, "%s of what is no date is not modelled", expr->function->name);
      return NULL_VALUE;
    }
    if (best < 0) {
      best = (int32_t)i;
      continue;
    }
    int order = is_sqlite
                    ? value_order(eval->dialect, extreme_collation(expr), args[i], args[best])
                    : operate_compare(eval, args[i], expr->args[i]->type, args[best], expr->args[best]->type);
    if (eval->abort) return NULL_VALUE;
    /* Of equal ones SQLite's MIN takes the last. */
    if (wants_greater ? order > 0 : order < 0 || (order == 0 && is_sqlite)) best = (int32_t)i;
  }
  if (best < 0) return NULL_VALUE;
  if (args[best].kind == VALUE_DOUBLE && expr->type.kind == TYPE_FLOAT) return args[best];
  Value extreme = branch_value(eval, expr, expr->args[best], args[best]);
  if (extreme.kind == VALUE_TEXT && dialect_is_mysql(eval->dialect)) extreme.flags = TEXT_NO_NUMBER;
  return extreme;
}

Value function_call(Eval *eval, const Expr *expr, Value *args) {
  const FunctionEntry *function = expr->function;
  if (function->flags & (FUNCTION_CLOCK | FUNCTION_VOLATILE | FUNCTION_SESSION))
    return clock_value(eval->engine, eval, expr);
  if (function->id == FUNCTION_GREATEST || function->id == FUNCTION_LEAST)
    return call_extreme(eval, expr, args);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (args[i].kind == VALUE_DOUBT) return eval_doubt(eval, args[i]);
  if (function->id == FUNCTION_LIKELY) return args[0];
  if (function->id == FUNCTION_ISNULL) return value_int(args[0].kind == VALUE_NULL);
  Value result = NULL_VALUE;
  if (function_text_call(eval, expr, args, &result)) return result;
  if (function_number_call(eval, expr, args, &result)) return result;
  if (function_time_call(eval, expr, args, &result)) return result;
  return eval_unmodelled(eval, "function '%s' is not modelled", function->name);
}
