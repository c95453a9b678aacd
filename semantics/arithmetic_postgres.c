/* arithmetic_postgres.c: PostgreSQL's operators, and generic's, which follow SQLite's where these fail.
 *
 * The static types decide: integers overflow by the width of the expression, and an
 * integer value in an expression of type NUMERIC or DOUBLE counts as such. */
#include "semantics/arithmetic.h"

#include "semantics/convert.h"

#include <math.h>

/* ---- Integers --------------------------------------------------------------------------- */

static bool integer_fits(int64_t integer, unsigned bytes) {
  switch (bytes) {
  case 1: return integer == (int8_t)integer;
  case 2: return integer == (int16_t)integer;
  case 3: return integer >= -(1 << 23) && integer < (1 << 23);
  case 4: return integer == (int32_t)integer;
  default: return true;
  }
}

static Value out_of_range(Eval *eval, ExprKind kind, unsigned bytes, Value a, Value b) {
  if (dialect_is_lenient(eval->dialect)) return sqlite_binary(eval, kind, a, b);
  return eval_error(eval, ERROR_OVERFLOW, "%s out of range",
                    bytes == 2   ? "smallint"
                    : bytes == 4 ? "integer"
                                 : "bigint");
}

/* Shift counts are taken modulo the width, as the processor does. */
static int64_t postgres_shift(ExprKind kind, int64_t a, int64_t count, unsigned bytes) {
  if (bytes == 8) {
    count &= 63;
    return kind == EXPR_SHIFT_LEFT ? (int64_t)((uint64_t)a << count) : a >> count;
  }
  count &= 31;
  int64_t shifted = kind == EXPR_SHIFT_LEFT ? (int32_t)((uint32_t)a << count) : (int32_t)a >> count;
  return bytes == 2 ? (int16_t)shifted : shifted;
}

static Value integer_binary(Eval *eval, ExprKind kind, unsigned bytes, Value a, Value b) {
  int64_t left = a.integer, right = b.integer, result;
  bool overflows = false;
  switch (kind) {
  case EXPR_ADD: overflows = __builtin_add_overflow(left, right, &result); break;
  case EXPR_SUBTRACT: overflows = __builtin_sub_overflow(left, right, &result); break;
  case EXPR_MULTIPLY: overflows = __builtin_mul_overflow(left, right, &result); break;
  case EXPR_DIVIDE:
  case EXPR_INTEGER_DIVIDE:
    if (right == 0) return division_by_zero(eval);
    overflows = left == INT64_MIN && right == -1;
    result = overflows ? 0 : left / right;
    break;
  case EXPR_MODULO:
    if (right == 0) return division_by_zero(eval);
    return value_int(right == -1 ? 0 : left % right);
  case EXPR_BIT_AND: return value_int(left & right);
  case EXPR_BIT_OR: return value_int(left | right);
  case EXPR_BIT_XOR: return value_int(left ^ right);
  default: return value_int(postgres_shift(kind, left, right, bytes));
  }
  if (overflows || !integer_fits(result, bytes)) return out_of_range(eval, kind, bytes, a, b);
  return value_int(result);
}

/* ---- NUMERIC ------------------------------------------------------------------------------ */

typedef unsigned __int128 Natural;

static Natural power_of_ten(unsigned exponent) {
  Natural power = 1;
  while (exponent-- > 0) power *= 10;
  return power;
}

/* The weight and the first digit in base 10,000, PostgreSQL's own. */
static int leading_digit(Decimal decimal, int *weight) {
  *weight = 0;
  if (decimal.coefficient == 0) return 0;
  Natural natural = (Natural)(decimal.coefficient < 0 ? -decimal.coefficient : decimal.coefficient);
  int exponent = (int)decimal_digits(decimal) - (int)decimal.scale - 1;
  *weight = exponent >= 0 ? exponent / 4 : -((-exponent + 3) / 4);
  int drop = 4 * *weight + (int)decimal.scale;
  return (int)(drop >= 0 ? natural / power_of_ten((unsigned)drop) : natural * power_of_ten((unsigned)-drop));
}

Value postgres_divide(Eval *eval, Decimal a, Decimal b) {
  int left_weight, right_weight;
  int left = leading_digit(a, &left_weight), right = leading_digit(b, &right_weight);
  int weight = left_weight - right_weight - (left <= right);
  int scale = 16 - weight * 4;
  if (scale < (int)a.scale) scale = (int)a.scale;
  if (scale < (int)b.scale) scale = (int)b.scale;
  if (scale < 0) scale = 0;
  Decimal quotient;
  if (!decimal_divide(a, b, (unsigned)scale, &quotient)) return decimal_too_long(eval);
  return decimal_value(eval->arena, quotient);
}

static Value numeric_binary(Eval *eval, ExprKind kind, Decimal a, Decimal b) {
  Decimal result;
  bool fits;
  switch (kind) {
  case EXPR_ADD: fits = decimal_add(a, b, &result); break;
  case EXPR_SUBTRACT: fits = decimal_subtract(a, b, &result); break;
  case EXPR_MULTIPLY: fits = decimal_multiply(a, b, &result); break;
  default:
    if (b.coefficient == 0) return division_by_zero(eval);
    if (kind == EXPR_DIVIDE) return postgres_divide(eval, a, b);
    fits = kind == EXPR_MODULO ? decimal_remainder(a, b, &result) : decimal_divide_cut(a, b, 0, &result);
  }
  return fits ? decimal_value(eval->arena, result) : decimal_too_long(eval);
}

/* ---- Doubles ------------------------------------------------------------------------------ */

static Value real_binary(Eval *eval, ExprKind kind, Value left, Value right) {
  double a = number_to_double(left), b = number_to_double(right), result;
  bool is_single =
      left.kind == VALUE_DOUBLE && right.kind == VALUE_DOUBLE && left.flags & right.flags & VALUE_SINGLE;
  switch (kind) {
  case EXPR_ADD: result = a + b; break;
  case EXPR_SUBTRACT: result = a - b; break;
  case EXPR_MULTIPLY: result = a * b; break;
  case EXPR_DIVIDE:
    if (b == 0 && !isnan(a)) return division_by_zero(eval);
    result = a / b;
    break;
  default:
    if (dialect_is_lenient(eval->dialect)) return sqlite_binary(eval, kind, left, right);
    return eval_unmodelled(eval, "this operator on doubles is not modelled");
  }
  if (is_single) result = (float)result;
  bool overflows = isinf(result) && !isinf(a) && !isinf(b);
  bool underflows = result == 0 && a != 0 && b != 0 && !isinf(b) && kind >= EXPR_MULTIPLY;
  if ((overflows || underflows) && !dialect_is_lenient(eval->dialect))
    return eval_error(eval, ERROR_OVERFLOW, "value out of range: %s", overflows ? "overflow" : "underflow");
  return (Value){.kind = VALUE_DOUBLE, .flags = is_single ? VALUE_SINGLE : 0, .real = result};
}

/* ---- Dispatch ------------------------------------------------------------------------------- */

/* generic: booleans and texts become SQLite's numbers. */
static Value lenient_number(Value value) {
  return value_is_number(value) && value.kind != VALUE_BOOL ? value : sqlite_operand(value);
}

static bool is_bit_operator(ExprKind kind) { return kind >= EXPR_BIT_AND && kind <= EXPR_SHIFT_RIGHT; }

Value postgres_binary(Eval *eval, ExprKind kind, Type type, Value a, Type a_type, Value b, Type b_type) {
  if (a.kind == VALUE_INT && b.kind == VALUE_INT && type.kind == TYPE_INT)
    return integer_binary(eval, kind, type.bytes, a, b);
  bool handled;
  Value result = time_binary(eval, kind, a, b, &handled);
  if (handled) return result;
  bool is_plain = value_is_number(a) && value_is_number(b) && a.kind != VALUE_BOOL && b.kind != VALUE_BOOL;
  if (!is_plain) {
    bool is_lenient = dialect_is_lenient(eval->dialect) && a.kind <= VALUE_BLOB && b.kind <= VALUE_BLOB;
    if (!is_lenient)
      return eval_unmodelled(eval, "an operator on %s and %s is not modelled", value_kind_name(a.kind),
                             value_kind_name(b.kind));
    a = lenient_number(a);
    b = lenient_number(b);
  }
  if (is_bit_operator(kind) && (a.kind != VALUE_INT || b.kind != VALUE_INT))
    return sqlite_binary(eval, kind, a, b);
  bool is_real =
      a.kind == VALUE_DOUBLE || b.kind == VALUE_DOUBLE || type_is_real(a_type) || type_is_real(b_type);
  if (is_real) return real_binary(eval, kind, a, b);
  if (a.kind == VALUE_INT && b.kind == VALUE_INT && type.kind != TYPE_DECIMAL &&
      a_type.kind != TYPE_DECIMAL && b_type.kind != TYPE_DECIMAL)
    return integer_binary(eval, kind, 8, a, b);
  return numeric_binary(eval, kind, decimal_of(a), decimal_of(b));
}

static Value integer_unary(Eval *eval, ExprKind kind, unsigned bytes, Value a) {
  if (kind == EXPR_BIT_NOT) return value_int(~a.integer);
  if (a.integer == INT64_MIN || !integer_fits(-a.integer, bytes))
    return out_of_range(eval, EXPR_SUBTRACT, bytes, value_int(0), a);
  return value_int(-a.integer);
}

Value postgres_unary(Eval *eval, ExprKind kind, Type type, Value a) {
  if (kind == EXPR_PLUS) return a;
  if (a.kind == VALUE_INT && !(type.kind == TYPE_DECIMAL && kind == EXPR_NEGATE))
    return integer_unary(eval, kind, type.kind == TYPE_INT ? type.bytes : 8, a);
  if (a.kind == VALUE_INTERVAL && kind == EXPR_NEGATE) {
    a.length = (uint32_t) - (int32_t)a.length;
    a.integer = -a.integer;
    return a;
  }
  if (a.kind == VALUE_DOUBLE && kind == EXPR_NEGATE) return a.real = -a.real, a;
  if (value_is_exact(a) && a.kind != VALUE_BOOL && kind == EXPR_NEGATE) {
    Decimal decimal = decimal_of(a);
    decimal.coefficient = -decimal.coefficient;
    return a.kind == VALUE_UINT ? number_narrow(decimal, eval->arena) : decimal_value(eval->arena, decimal);
  }
  if (!dialect_is_lenient(eval->dialect) || a.kind > VALUE_BLOB)
    return eval_unmodelled(eval, "a unary operator on %s is not modelled", value_kind_name(a.kind));
  return sqlite_unary(kind, a);
}
