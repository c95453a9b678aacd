/* decimal.h: exact decimal arithmetic on (128-bit coefficient, scale).
 *
 * A Decimal has at most 38 digits.  Operations report overflow (more than 38
 * digits needed) by returning false; nothing is ever rounded silently except
 * where a function says so, and then half away from zero. */
#ifndef ALIBI_BASE_DECIMAL_H
#define ALIBI_BASE_DECIMAL_H

#include "src/base/value.h"

typedef struct Decimal {
  Int128 coefficient;
  unsigned scale;
} Decimal;

enum { DECIMAL_DIGITS = 38, DECIMAL_TEXT = 48 };

static inline Decimal decimal_of(Value value) { /* INT, UINT, BOOL, DECIMAL, WIDE */
  return (Decimal){value_coefficient(value), value_is_decimal(value) ? value.scale : 0};
}
static inline Value decimal_value(Arena *arena, Decimal decimal) {
  return value_decimal(arena, decimal.coefficient, decimal.scale);
}

/* Optional sign, digits, point, digits, exponent; the whole text.  False: not a number
 * or beyond 38 digits (*overflow tells which). The scale is that of the text. */
bool decimal_parse(const char *text, size_t length, Decimal *decimal, bool *overflow);
/* As "-12.50", all digits of the scale; returns the length. */
size_t decimal_format(Decimal decimal, char buffer[DECIMAL_TEXT]);

bool decimal_add(Decimal a, Decimal b, Decimal *sum);
bool decimal_subtract(Decimal a, Decimal b, Decimal *difference);
bool decimal_multiply(Decimal a, Decimal b, Decimal *product);
/* Rounded half away from zero to `scale` digits; b is not zero. */
bool decimal_divide(Decimal a, Decimal b, unsigned scale, Decimal *quotient);
bool decimal_divide_cut(Decimal a, Decimal b, unsigned scale, Decimal *quotient); /* truncated instead */
bool decimal_remainder(Decimal a, Decimal b, Decimal *remainder); /* sign of a; b is not zero */
int decimal_compare(Decimal a, Decimal b);
/* To `scale` digits behind the point; may be negative (round(1234, -2)). Truncate cuts. */
bool decimal_round(Decimal a, int scale, Decimal *rounded);
bool decimal_truncate(Decimal a, int scale, Decimal *cut);
unsigned decimal_digits(Decimal a); /* digits of the coefficient, at least 1 */
double decimal_to_double(Decimal a);
/* The exact comparison of a decimal with a double (never NaN): no rounding of either. */
int decimal_compare_double(Decimal a, double b);
/* The nearest integer, half away from zero; false beyond 64 bits. */
bool decimal_to_int(Decimal a, int64_t *integer);

#endif
