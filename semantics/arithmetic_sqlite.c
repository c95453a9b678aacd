/* arithmetic_sqlite.c: SQLite's operators: 64-bit integers that become REAL when they overflow. */
#include "semantics/arithmetic.h"
#include "semantics/convert.h"

#include <math.h>

static Value real_result(double real) { return isnan(real) ? NULL_VALUE : value_double(real); }

static bool integer_binary(ExprKind kind, int64_t a, int64_t b, int64_t *result) {
  switch (kind) {
  case EXPR_ADD: return !__builtin_add_overflow(a, b, result);
  case EXPR_SUBTRACT: return !__builtin_sub_overflow(a, b, result);
  case EXPR_MULTIPLY: return !__builtin_mul_overflow(a, b, result);
  default:
    if (b == -1 && a == INT64_MIN) return false;
    *result = a / b;
    return true;
  }
}

/* % is on integers, whatever the operands are; its result is REAL if one of them is. */
static Value sqlite_modulo(Value a, Value b) {
  int64_t left = sqlite_bits(a), right = sqlite_bits(b);
  Value first = sqlite_operand(a), second = sqlite_operand(b);
  bool is_integer = first.kind == VALUE_INT && second.kind == VALUE_INT;
  if (is_integer) left = first.integer, right = second.integer;
  if (right == 0) return NULL_VALUE;
  int64_t rest = right == -1 ? 0 : left % right;
  return is_integer ? value_int(rest) : value_double((double)rest);
}

static int64_t shift(int64_t a, int64_t count) {
  if (count >= 0) return count >= 64 ? 0 : (int64_t)((uint64_t)a << count);
  if (count <= -64) return a < 0 ? -1 : 0;
  return a >> -count;
}

static Value sqlite_bit_operator(ExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case EXPR_BIT_AND: return value_int(a & b);
  case EXPR_BIT_OR: return value_int(a | b);
  case EXPR_BIT_XOR: return value_int(a ^ b);
  case EXPR_SHIFT_LEFT: return value_int(shift(a, b));
  default: return value_int(shift(a, b == INT64_MIN ? INT64_MAX : -b));
  }
}

static Value sqlite_arithmetic(ExprKind kind, Value a, Value b) {
  a = sqlite_operand(a);
  b = sqlite_operand(b);
  bool divides = kind == EXPR_DIVIDE || kind == EXPR_INTEGER_DIVIDE;
  if (a.kind == VALUE_INT && b.kind == VALUE_INT) {
    int64_t result;
    if (divides && b.integer == 0) return NULL_VALUE;
    if (integer_binary(kind, a.integer, b.integer, &result)) return value_int(result);
  }
  double left = number_to_double(a), right = number_to_double(b);
  switch (kind) {
  case EXPR_ADD: return real_result(left + right);
  case EXPR_SUBTRACT: return real_result(left - right);
  case EXPR_MULTIPLY: return real_result(left * right);
  default: return right == 0 ? NULL_VALUE : real_result(left / right);
  }
}

Value sqlite_binary(Eval *eval, ExprKind kind, Value a, Value b) {
  (void)eval;
  switch (kind) {
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_MULTIPLY:
  case EXPR_DIVIDE:
  case EXPR_INTEGER_DIVIDE: return sqlite_arithmetic(kind, a, b);
  case EXPR_MODULO: return sqlite_modulo(a, b);
  default: return sqlite_bit_operator(kind, sqlite_bits(a), sqlite_bits(b));
  }
}

/* -x is 0 - x; +x is x itself, without affinity. */
Value sqlite_unary(ExprKind kind, Value a) {
  switch (kind) {
  case EXPR_NEGATE:
    if (a.kind == VALUE_UINT && a.natural == (uint64_t)INT64_MAX + 1) return value_int(INT64_MIN);
    return sqlite_arithmetic(EXPR_SUBTRACT, value_int(0), a);
  case EXPR_BIT_NOT: return value_int(~sqlite_bits(a));
  default: return a;
  }
}
