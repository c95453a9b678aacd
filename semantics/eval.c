/* eval.c: the evaluator: a switch over the kinds of expressions.
 *
 * Columns and literals come first and cost a load; comparisons of integers are decided here.
 * A value in doubt that has been bound is followed; one that has not travels on until an operator needs it.
 */
#include "semantics/eval.h"

#include "semantics/arithmetic.h"
#include "semantics/clock.h"
#include "semantics/convert.h"
#include "semantics/datetime.h"
#include "semantics/logic.h"
#include "semantics/operate.h"
#include "src/sql/function.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

/* ---- Ends of an evaluation -------------------------------------------------------------------- */

static const char *reason_format(Eval *eval, const char *format, va_list arguments) {
  char buffer[256];
  vsnprintf(buffer, sizeof buffer, format, arguments);
  return arena_text(eval->arena, buffer, strlen(buffer));
}

Value eval_error(Eval *eval, ErrorClass error, const char *format, ...) {
  if (eval->eager) {
    eval->possible |= ERROR_BIT(error);
    return NULL_VALUE;
  }
  va_list arguments;
  va_start(arguments, format);
  eval->reason = reason_format(eval, format, arguments);
  va_end(arguments);
  eval->abort = ABORT_ERROR;
  eval->error = error;
  return NULL_VALUE;
}

Value eval_strict(Eval *eval, Value value, ErrorClass error, const char *format, ...) {
  if (!eval->in_write || !eval->dialect->strict) return value;
  if (eval->eager || eval->in_search) {
    eval->possible |= ERROR_BIT(error);
    return value;
  }
  va_list arguments;
  va_start(arguments, format);
  eval->reason = reason_format(eval, format, arguments);
  va_end(arguments);
  eval->abort = ABORT_ERROR;
  eval->error = error;
  return NULL_VALUE;
}

Value eval_unmodelled(Eval *eval, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  eval->reason = reason_format(eval, format, arguments);
  va_end(arguments);
  eval->abort = ABORT_UNMODELLED;
  return NULL_VALUE;
}

Value eval_doubt(Eval *eval, Value doubt) {
  const char *origin = eval->doubts ? eval->doubts->doubts.items[doubt.doubt].origin : NULL;
  eval->reason = origin ? origin : "a value in doubt";
  eval->abort = ABORT_DOUBT;
  return NULL_VALUE;
}

/* ---- Truth --------------------------------------------------------------------------------------- */

static int sqlite_truth(Value value) {
  if (value.kind == VALUE_TEXT || value.kind == VALUE_BLOB) return sqlite_real(value.text, value.length) != 0;
  return number_to_double(value) != 0;
}

static int mysql_truth(Eval *eval, Value value) {
  value = mysql_number(eval, value);
  if (eval->abort || value_is_null(value)) return -1;
  if (value.kind == VALUE_DOUBLE) return value.real != 0;
  return value_coefficient(value) != 0;
}

int value_truth(Eval *eval, Value value) {
  switch (value.kind) {
  case VALUE_BOOL: return (int)value.integer;
  case VALUE_NULL: return -1;
  case VALUE_DOUBT: eval_doubt(eval, value); return -1;
  case VALUE_INT:
    if (eval->dialect->name != DIALECT_POSTGRESQL) return value.integer != 0;
    break;
  default: break;
  }
  if (dialect_is_mysql(eval->dialect)) return mysql_truth(eval, value);
  bool is_plain = value.kind <= VALUE_BLOB;
  if (eval->dialect->name != DIALECT_POSTGRESQL && is_plain) return sqlite_truth(value);
  eval_error(eval, ERROR_TYPE, "a condition must be boolean, not %s", value_kind_name(value.kind));
  return -1;
}

int expr_truth(Eval *eval, const Expr *expr) {
  Value value = expr_operand(eval, expr);
  return eval->abort ? -1 : value_truth(eval, value);
}

static Value truth_test(Eval *eval, const Expr *expr) {
  int truth = expr_truth(eval, expr->args[0]);
  if (eval->abort) return NULL_VALUE;
  switch (expr->kind) {
  case EXPR_IS_TRUE: return truth_value(eval, truth == 1);
  case EXPR_IS_NOT_TRUE: return truth_value(eval, truth != 1);
  case EXPR_IS_FALSE: return truth_value(eval, truth == 0);
  default: return truth_value(eval, truth != 0);
  }
}

static Value truth_not(Eval *eval, const Expr *expr) {
  int truth = expr_truth(eval, expr->args[0]);
  return eval->abort ? NULL_VALUE : truth_value(eval, truth < 0 ? -1 : !truth);
}

static Value truth_xor(Eval *eval, const Expr *expr) {
  int result = 0;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    int truth = result < 0 ? value_truth(eval, logic_second(eval, NULL_VALUE, expr->args[0], expr->args[i]))
                           : expr_truth(eval, expr->args[i]);
    if (eval->abort == ABORT_ERROR && result < 0 && dialect_is_mysql(eval->dialect)) {
      eval->possible |= ERROR_BIT(eval->error);
      eval->abort = ABORT_NONE;
    }
    if (eval->abort) return NULL_VALUE;
    result = truth < 0 || result < 0 ? -1 : result ^ truth;
  }
  return truth_value(eval, result);
}

static Value null_test(Eval *eval, const Expr *expr) {
  bool was_searching = eval->in_search;
  eval->in_search = true; /* mysql does not evaluate what cannot be NULL */
  Value value = expr_operand(eval, expr->args[0]);
  eval->in_search = was_searching;
  if (eval->abort == ABORT_ERROR && dialect_is_mysql(eval->dialect))
    return eval_unmodelled(eval, "an error in the operand of IS NULL, which may not be evaluated");
  if (eval->abort) return NULL_VALUE;
  if (value.kind == VALUE_DOUBT) return eval_doubt(eval, value);
  return truth_value(eval, value_is_null(value) == (expr->kind == EXPR_IS_NULL));
}

/* ---- Operators ------------------------------------------------------------------------------------- */

static Value binary(Eval *eval, const Expr *expr) {
  const Expr *left = expr->args[0], *right = expr->args[1];
  Value a = expr_operand(eval, left);
  if (eval->abort) return logic_overrule(eval, right);
  Value b = logic_second(eval, a, left, right);
  if (eval->abort) return NULL_VALUE;
  return operate_binary(eval, expr->kind, expr->type, a, left->type, b, right->type);
}

/* The commonest comparison is decided without a call. */
static Value comparison(Eval *eval, const Expr *expr) {
  const Expr *left = expr->args[0], *right = expr->args[1];
  if (left->kind == EXPR_ROW) return logic_comparison(eval, expr->kind, left, right);
  bool is_null_safe = expr->kind == EXPR_IS_NOT_DISTINCT || expr->kind == EXPR_IS_DISTINCT;
  Value a = expr_operand(eval, left);
  if (eval->abort) return is_null_safe ? NULL_VALUE : logic_overrule(eval, right);
  Value b = is_null_safe ? expr_operand(eval, right) : logic_second(eval, a, left, right);
  if (eval->abort) return NULL_VALUE;
  if (a.kind == VALUE_INT && b.kind == VALUE_INT) {
    switch (expr->kind) {
    case EXPR_NOT_EQUAL:
    case EXPR_IS_DISTINCT: return truth_value(eval, a.integer != b.integer);
    case EXPR_LESS: return truth_value(eval, a.integer < b.integer);
    case EXPR_LESS_EQUAL: return truth_value(eval, a.integer <= b.integer);
    case EXPR_GREATER: return truth_value(eval, a.integer > b.integer);
    case EXPR_GREATER_EQUAL: return truth_value(eval, a.integer >= b.integer);
    default: return truth_value(eval, a.integer == b.integer);
    }
  }
  return operate_comparison(eval, expr->kind, a, left->type, b, right->type);
}

/* sqlite: only a literal 0.0 has a negative. mysql: a negated constant beyond 64 bits is a decimal, a negated
 * column an error. */
static Value negate_constant(Eval *eval, const Expr *expr, Value value, bool *done) {
  *done = value.kind == VALUE_DOUBLE && dialect_is_sqlite(eval->dialect) && expr->args[0]->kind == EXPR_INPUT;
  if (*done) return value_double(-value.real);
  *done = (value.kind == VALUE_UINT || (value.kind == VALUE_INT && value.integer == INT64_MIN)) &&
          dialect_is_mysql(eval->dialect) && expr_is_constant(expr);
  if (!*done) return value;
  Int128 negative = -value_coefficient(value);
  if (negative == INT64_MIN) return value_int(INT64_MIN);
  return number_narrow((Decimal){negative, 0}, eval->arena);
}

static Value unary(Eval *eval, const Expr *expr) {
  bool was_searching = eval->in_search;
  /* mysql evaluates a negated constant while it prepares the statement, where nothing is strict yet. */
  if (expr->kind == EXPR_NEGATE && dialect_is_mysql(eval->dialect) && expr_is_constant(expr->args[0]))
    eval->in_search = true;
  Value value = expr_operand(eval, expr->args[0]);
  eval->in_search = was_searching;
  if (eval->abort) return NULL_VALUE;
  if (expr->kind == EXPR_NEGATE) {
    bool done;
    Value negated = negate_constant(eval, expr, value, &done);
    if (done) return negated;
  }
  return operate_unary(eval, expr->kind, expr->type, value, expr->args[0]->type);
}

static Value like(Eval *eval, const Expr *expr) {
  Value operands[3] = {NULL_VALUE, NULL_VALUE, NULL_VALUE};
  for (uint32_t i = 0; i < expr->arg_count && i < 3; i++) {
    operands[i] =
        i ? logic_second(eval, operands[0], expr->args[0], expr->args[i]) : expr_operand(eval, expr->args[i]);
    if (eval->abort) return NULL_VALUE;
    operands[i] = decimal_show(eval->arena, operands[i]);
  }
  if (expr->arg_count > 2 && value_is_null(operands[2])) return NULL_VALUE;
  for (uint32_t i = 0; i < expr->arg_count && i < 3; i++)
    if (operands[i].kind == VALUE_DOUBT) return eval_doubt(eval, operands[i]);
  return operate_like(eval, expr, operands[0], operands[1], operands[2]);
}

static Value cast(Eval *eval, const Expr *expr) {
  Value value = expr_operand(eval, expr->args[0]);
  if (eval->abort) return NULL_VALUE;
  Type to = expr->cast_type;
  /* mysql's literal TIMESTAMP '...' keeps its fraction of a second; CAST knows only DATETIME. */
  if (to.kind == TYPE_TIMESTAMP && dialect_is_mysql(eval->dialect) && expr->cast_words &&
      strcasecmp(expr->cast_words, "timestamp") == 0)
    to.precision = 6;
  Value result = operate_cast(eval, value, expr->args[0]->type, to, expr->is_implicit);
  /* Where CAST warns, mysql refuses a literal. */
  if (expr->is_typed && !eval->abort && value_is_null(result) && dialect_is_mysql(eval->dialect))
    return eval_error(eval, ERROR_BAD_VALUE, "an incorrect literal of type %s", expr->cast_words);
  return result;
}

/* ---- Functions ---------------------------------------------------------------------------------------- */

static Value function(Eval *eval, const Expr *expr) {
  enum { FEW = 8 };
  Value few[FEW];
  const FunctionEntry *entry = expr->function;
  if (!entry) return eval_unmodelled(eval, "function '%s' is not modelled", expr->name ? expr->name : "?");
  if (entry->flags & FUNCTION_LAZY) return function_lazy(eval, expr);
  if (entry->flags & (FUNCTION_CLOCK | FUNCTION_VOLATILE | FUNCTION_SESSION))
    return function_call(eval, expr, few);
  Value *args = expr->arg_count <= FEW ? few : ARENA_ARRAY(eval->arena, Value, expr->arg_count);
  bool is_strict = !(entry->flags & FUNCTION_NULLS);
  const Expr *null = NULL; /* an argument that is NULL */
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    bool may_stop = null && (is_strict || dialect_is_mysql(eval->dialect));
    args[i] =
        may_stop ? logic_second(eval, NULL_VALUE, null, expr->args[i]) : expr_operand(eval, expr->args[i]);
    for (uint32_t k = i + 1; eval->abort == ABORT_ERROR && k < expr->arg_count && is_strict; k++)
      args[i] = logic_overrule(eval, expr->args[k]);
    if (eval->abort) return NULL_VALUE;
    if (value_is_null(args[i])) null = expr->args[i];
  }
  if (null && is_strict) {
    /* mysql may have made a number of another argument before it met the NULL. */
    if (eval->eager && eval->in_write && dialect_is_mysql(eval->dialect))
      eval->possible |= ERROR_BIT(ERROR_BAD_VALUE);
    return NULL_VALUE;
  }
  return function_call(eval, expr, args);
}

/* INTERVAL n unit, and INTERVAL 'text'. */
static Value interval(Eval *eval, const Expr *expr) {
  Value value = expr_operand(eval, expr->args[0]);
  if (eval->abort || value_is_null(value)) return NULL_VALUE;
  if (value.kind == VALUE_DOUBT) return eval_doubt(eval, value);
  bool is_mysql = dialect_is_mysql(eval->dialect);
  if (expr->op == UNIT_NONE)
    return is_mysql ? eval_unmodelled(eval, "this unit of an interval is not modelled")
                    : operate_cast(eval, value, expr->args[0]->type, type_of(TYPE_INTERVAL), false);
  int64_t months, micros, count;
  unit_size(expr->op, &months, &micros);
  Decimal exact;
  if (expr->op == UNIT_SECOND && value_is_decimal(value)) {
    if (!decimal_round(decimal_of(value), 6, &exact) || exact.coefficient > INT64_MAX ||
        exact.coefficient < INT64_MIN)
      return eval_unmodelled(eval, "a long interval is not modelled");
    count = (int64_t)exact.coefficient;
    micros = 1;
  } else if (!is_mysql && value.kind == VALUE_TEXT) {
    NumberText number = number_scan(value.text, value.length);
    if (!number.is_integer || !number.is_whole)
      return eval_unmodelled(eval, "this form of an interval is not modelled");
    count = sqlite_integer(value.text, value.length);
  } else if (!convert_integer(eval, value, &count)) {
    return NULL_VALUE;
  }
  if (__builtin_mul_overflow(count, micros, &micros) || __builtin_mul_overflow(count, months, &months) ||
      months != (int32_t)months)
    return eval_unmodelled(eval, "a long interval is not modelled");
  bool has_time = expr->op == UNIT_MICROSECOND || expr->op == UNIT_SECOND || expr->op == UNIT_MINUTE ||
                  expr->op == UNIT_HOUR;
  return (Value){.kind = VALUE_INTERVAL,
                 .flags = is_mysql && has_time ? INTERVAL_HAS_TIME : 0,
                 .length = (uint32_t)(int32_t)months,
                 .integer = micros};
}

/* ---- The switch ------------------------------------------------------------------------------------------
 */

static const Frame *frame_at(const Eval *eval, uint32_t depth) {
  const Frame *frame = eval->frame;
  for (; depth > 0; depth--) frame = frame->outer;
  return frame;
}

Value expr_operand(Eval *eval, const Expr *expr) {
  switch ((ExprKind)expr->kind) {
  case EXPR_COLUMN:
  case EXPR_VALUES_OF:
    return doubt_settle(eval->doubts, frame_at(eval, expr->depth)->rows[expr->source][expr->column]);
  case EXPR_INPUT: return doubt_settle(eval->doubts, eval->inputs[expr->index]);
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_GREATER:
  case EXPR_GREATER_EQUAL:
  case EXPR_IS_NOT_DISTINCT:
  case EXPR_IS_DISTINCT: return comparison(eval, expr);
  case EXPR_AND:
  case EXPR_OR: return truth_value(eval, logic_junction(eval, expr));
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_MULTIPLY:
  case EXPR_DIVIDE:
  case EXPR_INTEGER_DIVIDE:
  case EXPR_MODULO:
  case EXPR_BIT_AND:
  case EXPR_BIT_OR:
  case EXPR_BIT_XOR:
  case EXPR_SHIFT_LEFT:
  case EXPR_SHIFT_RIGHT:
  case EXPR_CONCAT: return binary(eval, expr);
  case EXPR_GROUP_KEY:
    return doubt_settle(eval->doubts, frame_at(eval, expr->depth)->group_keys[expr->index]);
  case EXPR_AGGREGATE:
    return doubt_settle(eval->doubts, frame_at(eval, expr->depth)->aggregates[expr->index]);
  case EXPR_VARIABLE: return doubt_settle(eval->doubts, eval->variables[expr->index]);
  case EXPR_USER_VARIABLE: return user_variable_value(eval->engine, expr->name);
  case EXPR_NULL: return NULL_VALUE;
  case EXPR_TRUE: return truth_value(eval, 1);
  case EXPR_FALSE: return truth_value(eval, 0);
  case EXPR_NEGATE:
  case EXPR_PLUS:
  case EXPR_BIT_NOT: return unary(eval, expr);
  case EXPR_NOT: return truth_not(eval, expr);
  case EXPR_XOR: return truth_xor(eval, expr);
  case EXPR_IS_NULL:
  case EXPR_IS_NOT_NULL: return null_test(eval, expr);
  case EXPR_IS_TRUE:
  case EXPR_IS_NOT_TRUE:
  case EXPR_IS_FALSE:
  case EXPR_IS_NOT_FALSE: return truth_test(eval, expr);
  case EXPR_BETWEEN: return truth_value(eval, logic_between(eval, expr));
  case EXPR_IN_LIST: return truth_value(eval, logic_in_list(eval, expr));
  case EXPR_LIKE: return like(eval, expr);
  case EXPR_CASE: return logic_case(eval, expr);
  case EXPR_CAST: return cast(eval, expr);
  case EXPR_COLLATE: return expr_operand(eval, expr->args[0]);
  case EXPR_FUNCTION: return function(eval, expr);
  case EXPR_INTERVAL: return interval(eval, expr);
  case EXPR_SCALAR: return subquery_scalar(eval, expr);
  case EXPR_EXISTS: return subquery_exists(eval, expr);
  case EXPR_IN_SELECT: return subquery_in(eval, expr);
  case EXPR_ANY:
  case EXPR_ALL: return subquery_quantified(eval, expr);
  case EXPR_STAR:
  case EXPR_ROW:
  case EXPR_DEFAULT: break;
  }
  return eval_unmodelled(eval, "%s as a value is not modelled", expr_kind_name(expr->kind));
}

Value expr_eval(Eval *eval, const Expr *expr) {
  Value value = expr_operand(eval, expr);
  return decimal_is_hidden(value) ? decimal_show(eval->arena, value) : value;
}
