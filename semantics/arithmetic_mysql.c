/* arithmetic_mysql.c: operators of MySQL and MariaDB: BIGINT signed or unsigned, DECIMAL, DOUBLE.
 *
 * Their decimals are kept in words of nine digits, and a quotient keeps every digit of its last
 * word: 1/3 is 0.333333333 inside and 0.3333 outside.  The digits that show are counted
 * beside the value (number.h). */
#include "semantics/arithmetic.h"

#include "semantics/cast.h"
#include "semantics/convert.h"

#include <math.h>

enum { WORD_DIGITS = 9, DIVISION_DIGITS = 4 };

static bool is_unsigned(Value value, Type type) {
  return value.kind == VALUE_UINT || (type.kind == TYPE_INT && type.is_unsigned && value.kind == VALUE_INT);
}

static Value bigint_overflow(Eval *eval, bool is_natural) {
  return eval_error(eval, ERROR_OVERFLOW, "BIGINT%s value is out of range", is_natural ? " UNSIGNED" : "");
}

static Value bigint_result(Eval *eval, Int128 result, bool is_natural) {
  if (is_natural) {
    if (result < 0 || result > (Int128)UINT64_MAX) return bigint_overflow(eval, true);
    return value_uint((uint64_t)result);
  }
  if (result < INT64_MIN || result > INT64_MAX) return bigint_overflow(eval, false);
  return value_int((int64_t)result);
}

static Value integer_binary(Eval *eval, ExprKind kind, Value left, Type left_type, Value right,
                            Type right_type) {
  bool first = is_unsigned(left, left_type), is_natural = first || is_unsigned(right, right_type);
  Int128 a = value_coefficient(left), b = value_coefficient(right);
  switch (kind) {
  case EXPR_ADD: return bigint_result(eval, a + b, is_natural);
  case EXPR_SUBTRACT: return bigint_result(eval, a - b, is_natural);
  case EXPR_MULTIPLY: {
    Int128 product;
    if (__builtin_mul_overflow(a, b, &product)) return bigint_overflow(eval, is_natural);
    return bigint_result(eval, product, is_natural);
  }
  case EXPR_INTEGER_DIVIDE: return b == 0 ? division_by_zero(eval) : bigint_result(eval, a / b, is_natural);
  default: return b == 0 ? division_by_zero(eval) : bigint_result(eval, a % b, first);
  }
}

/* ---- Decimals ------------------------------------------------------------------------------ */

static Value decimal_result(Eval *eval, Decimal decimal, unsigned shown) {
  unsigned limit = eval->dialect->name == DIALECT_MYSQL ? 30 : 38;
  if (shown > limit) shown = limit;
  Value value = decimal_value(eval->arena, decimal);
  if (decimal.scale != shown) value.flags = (uint16_t)(shown + 1);
  return value;
}

static unsigned whole_words(unsigned digits) {
  return (digits + WORD_DIGITS - 1) / WORD_DIGITS * WORD_DIGITS;
}

Value mysql_divide(Eval *eval, Value left, Value right) {
  Decimal a = decimal_of(left), b = decimal_of(right), quotient;
  if (b.coefficient == 0) return division_by_zero(eval);
  unsigned first = whole_words(a.scale), second = whole_words(b.scale);
  unsigned spare = first - a.scale + second - b.scale;
  unsigned more = spare < DIVISION_DIGITS ? DIVISION_DIGITS - spare : 0;
  if (!decimal_divide_cut(a, b, whole_words(first + second + more), &quotient)) return decimal_too_long(eval);
  /* A negative quotient that is cut to nothing stays below zero in comparisons. */
  if (quotient.coefficient == 0 && a.coefficient != 0 && (a.coefficient < 0) != (b.coefficient < 0))
    return eval_unmodelled(eval, "a negative zero is not modelled");
  return decimal_result(eval, quotient, decimal_shown(left) + DIVISION_DIGITS);
}

static Value decimal_binary(Eval *eval, ExprKind kind, Value left, Value right) {
  Decimal a = decimal_of(left), b = decimal_of(right), result;
  unsigned first = decimal_shown(left), second = decimal_shown(right);
  unsigned shown = first > second ? first : second;
  bool fits;
  switch (kind) {
  case EXPR_ADD: fits = decimal_add(a, b, &result); break;
  case EXPR_SUBTRACT: fits = decimal_subtract(a, b, &result); break;
  case EXPR_MULTIPLY:
    fits = decimal_multiply(a, b, &result);
    shown = first + second;
    break;
  default:
    if (b.coefficient == 0) return division_by_zero(eval);
    if (kind == EXPR_DIVIDE) return mysql_divide(eval, left, right);
    if (kind == EXPR_INTEGER_DIVIDE) {
      if (!decimal_divide_cut(a, b, 0, &result)) return decimal_too_long(eval);
      return number_narrow(result, eval->arena);
    }
    fits = decimal_remainder(a, b, &result);
    /* -3.00 % 3 is below zero. */
    if (fits && result.coefficient == 0 && a.coefficient < 0)
      return eval_unmodelled(eval, "a negative zero is not modelled");
  }
  return fits ? decimal_result(eval, result, shown) : decimal_too_long(eval);
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static Value real_binary(Eval *eval, ExprKind kind, Value left, Value right) {
  double a = number_to_double(left), b = number_to_double(right), result;
  switch (kind) {
  case EXPR_ADD: result = a + b; break;
  case EXPR_SUBTRACT: result = a - b; break;
  case EXPR_MULTIPLY: result = a * b; break;
  case EXPR_INTEGER_DIVIDE: {
    Decimal dividend, divisor;
    bool fits = (left.kind != VALUE_DOUBLE ? (dividend = decimal_of(left), true)
                                           : real_to_decimal(a, false, 0, &dividend)) &&
                (right.kind != VALUE_DOUBLE ? (divisor = decimal_of(right), true)
                                            : real_to_decimal(b, false, 0, &divisor));
    if (!fits) return decimal_too_long(eval);
    return decimal_binary(eval, kind, decimal_value(eval->arena, dividend),
                          decimal_value(eval->arena, divisor));
  }
  default:
    if (b == 0) return division_by_zero(eval);
    result = kind == EXPR_DIVIDE ? a / b : fmod(a, b);
  }
  if (isinf(result)) return eval_error(eval, ERROR_OVERFLOW, "DOUBLE value is out of range");
  bool is_fixed = (left.kind == VALUE_DOUBLE && left.flags & REAL_FIXED) ||
                  (right.kind == VALUE_DOUBLE && right.flags & REAL_FIXED);
  return (Value){.kind = VALUE_DOUBLE, .flags = is_fixed ? REAL_FIXED : 0, .real = result};
}

/* ---- Bits -------------------------------------------------------------------------------------- */

/* The count of a shift is read as CAST does: a text is cut, a double rounded to even.  MariaDB looks at its
 * low 32 bits. */
static bool shift_count(Eval *eval, Value value, uint64_t *count) {
  value = mysql_cast(eval, value, type_of(TYPE_UNKNOWN), type_int(8), true);
  if (eval->abort || value_is_null(value)) return false;
  *count = value.natural;
  if (*count == (uint32_t)*count) return true;
  if (eval->dialect->name == DIALECT_MYSQL)
    return eval_unmodelled(eval, "such a shift is not modelled"), false;
  *count = (uint32_t)*count;
  return true;
}

static Value bits_binary(Eval *eval, ExprKind kind, Value left, Value right) {
  uint64_t a, b;
  if (left.kind == VALUE_BLOB || right.kind == VALUE_BLOB)
    return eval_unmodelled(eval, "bit operators on binary strings are not modelled");
  bool shifts = kind == EXPR_SHIFT_LEFT || kind == EXPR_SHIFT_RIGHT;
  if (!mysql_bits(eval, left, &a) || !(shifts ? shift_count(eval, right, &b) : mysql_bits(eval, right, &b)))
    return NULL_VALUE;
  switch (kind) {
  case EXPR_BIT_AND: return value_uint(a & b);
  case EXPR_BIT_OR: return value_uint(a | b);
  case EXPR_BIT_XOR: return value_uint(a ^ b);
  case EXPR_SHIFT_LEFT: return value_uint(b < 64 ? a << b : 0);
  default: return value_uint(b < 64 ? a >> b : 0);
  }
}

/* ---- Dispatch ------------------------------------------------------------------------------------ */

static bool is_time(Value value) { return value.kind >= VALUE_DATE && value.kind <= VALUE_TIMESTAMP; }

/* DIV takes texts as decimals, the other operators as doubles. */
static Value operand_number(Eval *eval, ExprKind kind, Value value) {
  Type decimal = type_of(TYPE_DECIMAL);
  if (kind == EXPR_INTEGER_DIVIDE && value.kind == VALUE_TEXT)
    return mysql_cast(eval, value, type_of(TYPE_TEXT), decimal, true);
  return mysql_number(eval, value);
}

Value mysql_binary(Eval *eval, ExprKind kind, Value a, Type a_type, Value b, Type b_type) {
  if (kind >= EXPR_BIT_AND && kind <= EXPR_SHIFT_RIGHT) return bits_binary(eval, kind, a, b);
  if ((is_time(a) && is_unsigned(b, b_type)) || (is_time(b) && is_unsigned(a, a_type)))
    return eval_unmodelled(eval, "a date with an unsigned integer is not modelled");
  a = operand_number(eval, kind, a);
  if (eval->abort) return NULL_VALUE;
  b = operand_number(eval, kind, b);
  if (eval->abort || value_is_null(a) || value_is_null(b)) return NULL_VALUE;
  bool is_real = a.kind == VALUE_DOUBLE || b.kind == VALUE_DOUBLE;
  bool is_exact = kind == EXPR_DIVIDE || value_is_decimal(a) || value_is_decimal(b);
  if (is_real || is_exact) {
    Value result = is_real ? real_binary(eval, kind, a, b) : decimal_binary(eval, kind, a, b);
    if (kind != EXPR_INTEGER_DIVIDE || eval->abort || value_is_null(result)) return result;
    return bigint_result(eval, value_coefficient(result), is_unsigned(a, a_type) || is_unsigned(b, b_type));
  }
  return integer_binary(eval, kind, a, a_type, b, b_type);
}

Value mysql_unary(Eval *eval, ExprKind kind, Value a) {
  uint64_t bits;
  if (kind == EXPR_PLUS) return a;
  if (kind == EXPR_BIT_NOT) {
    if (a.kind == VALUE_BLOB) return eval_unmodelled(eval, "~ of a binary string is not modelled");
    return mysql_bits(eval, a, &bits) ? value_uint(~bits) : NULL_VALUE;
  }
  a = mysql_number(eval, a);
  if (eval->abort || value_is_null(a)) return NULL_VALUE;
  if (a.kind == VALUE_DOUBLE) return value_double(-a.real);
  if (value_is_decimal(a)) {
    Decimal decimal = decimal_of(a);
    decimal.coefficient = -decimal.coefficient;
    return decimal_result(eval, decimal, decimal_shown(a));
  }
  return bigint_result(eval, -value_coefficient(a), false);
}
