/* number.c: numbers out of text, and doubles as text in PostgreSQL and MySQL. */
#include "semantics/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

NumberText number_scan(const char *text, size_t length) {
  const char *end = text + length, *at = text;
  NumberText number = {.is_integer = true};
  while (at < end && is_blank(*at)) at++;
  number.start = at;
  if (at < end && (*at == '-' || *at == '+')) at++;
  const char *first = at;
  while (at < end && is_digit(*at)) at++;
  size_t digits = (size_t)(at - first);
  if (at < end && *at == '.') {
    const char *fraction = at + 1;
    while (fraction < end && is_digit(*fraction)) fraction++;
    digits += (size_t)(fraction - at - 1);
    if (digits) at = fraction, number.is_integer = false;
  }
  if (!digits) return number;
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *exponent = at + 1;
    if (exponent < end && (*exponent == '-' || *exponent == '+')) exponent++;
    if (exponent < end && is_digit(*exponent)) {
      while (exponent < end && is_digit(*exponent)) exponent++;
      at = exponent;
      number.is_integer = false;
    }
  }
  number.length = (size_t)(at - number.start);
  while (at < end && is_blank(*at)) at++;
  number.is_whole = at == end;
  return number;
}

double number_real(NumberText number) {
  char buffer[128];
  if (number.length == 0) return 0;
  char *copy = number.length < sizeof buffer ? buffer : memory_new(number.length + 1);
  memcpy(copy, number.start, number.length);
  copy[number.length] = 0;
  double real = strtod(copy, NULL);
  if (copy != buffer) free(copy);
  return real;
}

bool number_decimal(NumberText number, Decimal *decimal) {
  bool overflow;
  if (number.length == 0) {
    *decimal = (Decimal){0};
    return true;
  }
  return decimal_parse(number.start, number.length, decimal, &overflow);
}

double number_to_double(Value value) {
  switch (value.kind) {
  case VALUE_DOUBLE: return value.real;
  case VALUE_UINT: return (double)value.natural;
  case VALUE_DECIMAL:
  case VALUE_WIDE: return decimal_to_double(decimal_of(value));
  default: return (double)value.integer;
  }
}

Value number_narrow(Decimal decimal, Arena *arena) {
  if (decimal.scale == 0 && decimal.coefficient >= INT64_MIN && decimal.coefficient <= (Int128)UINT64_MAX)
    return decimal.coefficient < 0 ? value_int((int64_t)decimal.coefficient)
                                   : value_uint((uint64_t)decimal.coefficient);
  return decimal_value(arena, decimal);
}

Value decimal_show(Arena *arena, Value value) {
  Decimal rounded;
  if (!decimal_is_hidden(value) || !decimal_round(decimal_of(value), (int)decimal_shown(value), &rounded))
    return value;
  Value shown = decimal_value(arena, rounded);
  shown.flags = decimal_compare(rounded, decimal_of(value)) != 0 ? DECIMAL_LOSSY : DECIMAL_CUT;
  return shown;
}

int real_digits(double real, bool is_single, char digits[24], int *exponent) {
  char buffer[40];
  int most = is_single ? 9 : 17;
  real = fabs(real);
  for (int count = 1; count <= most; count++) {
    snprintf(buffer, sizeof buffer, "%.*e", count - 1, real);
    if (is_single ? strtof(buffer, NULL) == (float)real : strtod(buffer, NULL) == real) break;
  }
  int count = 0;
  const char *at = buffer;
  for (; *at != 'e'; at++)
    if (*at != '.') digits[count++] = *at;
  *exponent = atoi(at + 1);
  while (count > 1 && digits[count - 1] == '0') count--;
  digits[count] = 0;
  return count;
}

/* Digits with a point, without exponent. */
static size_t write_plain(char *out, const char *digits, int count, int exponent) {
  char *at = out;
  if (exponent < 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = -1; i > exponent; i--) *at++ = '0';
    for (int i = 0; i < count; i++) *at++ = digits[i];
    return (size_t)(at - out);
  }
  for (int i = 0; i < count || i <= exponent; i++) {
    if (i == exponent + 1) *at++ = '.';
    *at++ = i < count ? digits[i] : '0';
  }
  return (size_t)(at - out);
}

static size_t write_scientific(char *out, const char *digits, int count, const char *format, int exponent) {
  char *at = out;
  *at++ = digits[0];
  if (count > 1) {
    *at++ = '.';
    for (int i = 1; i < count; i++) *at++ = digits[i];
  }
  return (size_t)(at - out) + (size_t)sprintf(at, format, exponent);
}

static size_t write_special(char *out, double real) {
  strcpy(out, isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity");
  return strlen(out);
}

size_t real_text_postgres(double real, bool is_single, char buffer[REAL_TEXT]) {
  if (isnan(real) || isinf(real)) return write_special(buffer, real);
  char digits[24];
  int exponent;
  size_t sign = signbit(real) ? 1 : 0;
  if (sign) buffer[0] = '-';
  int count = real_digits(real, is_single, digits, &exponent);
  size_t length = exponent < -4 || exponent >= (is_single ? 6 : 15)
                      ? write_scientific(buffer + sign, digits, count, "e%+03d", exponent)
                      : write_plain(buffer + sign, digits, count, exponent);
  buffer[sign + length] = 0;
  return sign + length;
}

size_t real_text_mysql(double real, bool is_single, char buffer[REAL_TEXT]) {
  char digits[24];
  int exponent, count;
  if (real == 0) return strcpy(buffer, "0"), 1;
  if (is_single) {
    char rounded[40];
    snprintf(rounded, sizeof rounded, "%.5e", real);
    real = strtod(rounded, NULL);
  }
  size_t sign = real < 0 ? 1 : 0;
  if (sign) buffer[0] = '-';
  count = real_digits(real, false, digits, &exponent);
  size_t length = exponent < -15 || exponent >= 15
                      ? write_scientific(buffer + sign, digits, count, "e%d", exponent)
                      : write_plain(buffer + sign, digits, count, exponent);
  buffer[sign + length] = 0;
  return sign + length;
}

bool real_to_decimal(double real, bool is_single, int digits, Decimal *decimal) {
  char buffer[REAL_TEXT];
  bool overflow;
  if (isnan(real) || isinf(real)) return false;
  if (digits) {
    snprintf(buffer, sizeof buffer, "%.*e", digits - 1, real);
  } else {
    char shortest[24];
    int exponent, count = real_digits(real, is_single, shortest, &exponent);
    size_t sign = real < 0 ? 1 : 0;
    if (sign) buffer[0] = '-';
    write_scientific(buffer + sign, shortest, count, "e%d", exponent);
  }
  if (!decimal_parse(buffer, strlen(buffer), decimal, &overflow)) return false;
  while (decimal->scale > 0 && decimal->coefficient % 10 == 0) {
    decimal->coefficient /= 10;
    decimal->scale--;
  }
  return true;
}
