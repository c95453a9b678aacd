/* number.c: numbers, whose kind is a matter of dialect.
 *
 * 1.5 is exact everywhere but in sqlite, 1e3 is a decimal in postgresql and a double elsewhere, an integer
 * beyond 64 bits is a decimal or, in sqlite, a double. */
#include "src/sql/scan.h"

#include "src/base/decimal.h"
#include "src/sql/grammar.h"

#include <stdlib.h>

typedef struct Number {
  const char *start, *stop; /* the digits, without a sign */
  uint64_t digits;          /* all digits as one natural number */
  int digit_count;          /* leading zeros not counted */
  int scale;                /* digits behind the point */
  int exponent;
  bool has_point, has_exponent;
} Number;

static void number_digits(Scanner *scanner, Number *number, bool is_fraction) {
  const char *at = scanner->at;
  for (; scan_is(scanner, at, CHAR_DIGIT); at++) {
    if (number->digit_count || *at != '0') number->digit_count++;
    if (number->digit_count <= 19) number->digits = number->digits * 10 + (uint64_t)(*at - '0');
    if (is_fraction) number->scale++;
  }
  scanner->at = at;
}

static void number_exponent(Scanner *scanner, Number *number) {
  const char *at = scanner->at + 1;
  bool negative = at < scanner->end && *at == '-';
  if (at < scanner->end && (*at == '-' || *at == '+')) at++;
  if (!scan_is(scanner, at, CHAR_DIGIT)) return;
  int exponent = 0;
  for (; scan_is(scanner, at, CHAR_DIGIT); at++)
    if (exponent < 100000) exponent = exponent * 10 + (*at - '0');
  number->exponent = negative ? -exponent : exponent;
  number->has_exponent = true;
  scanner->at = at;
}

/* Exact when the digits fit 53 bits and the power of ten is exact; else the C library rounds correctly. */
static double number_double(Scanner *scanner, const Number *number) {
  static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int power = number->exponent - number->scale;
  if (number->digit_count <= 15 && power >= -22 && power <= 22) {
    double digits = (double)number->digits;
    return power < 0 ? digits / POWERS[-power] : digits * POWERS[power];
  }
  return strtod(arena_text(scanner->arena, number->start, (size_t)(number->stop - number->start)), NULL);
}

static bool push_double(Scanner *scanner, const Number *number) {
  scan_push_literal(scanner, SQL_NUMBER, number->start, value_double(number_double(scanner, number)));
  return true;
}

static bool push_decimal(Scanner *scanner, const Number *number) {
  if (!number->has_exponent && number->digit_count <= 18 && number->scale <= 38) {
    Value value = {
        .kind = VALUE_DECIMAL, .scale = (uint8_t)number->scale, .integer = (int64_t)number->digits};
    scan_push_literal(scanner, SQL_NUMBER, number->start, value);
    return true;
  }
  Decimal decimal;
  bool overflow;
  if (!decimal_parse(number->start, (size_t)(number->stop - number->start), &decimal, &overflow)) {
    scan_push_unsupported(scanner, number->start);
    return true;
  }
  scan_push_literal(scanner, SQL_NUMBER, number->start, decimal_value(scanner->arena, decimal));
  return true;
}

/* Is the newest token a minus sign that has nothing on its left? */
static bool minus_is_unary(const Scanner *scanner) {
  const Tokens *tokens = scanner->tokens;
  uint32_t count = tokens->tokens.count;
  if (count == 0 || scanner->code != SQL_MINUS) return false;
  if (count == 1) return true;
  switch (tokens->tokens.items[count - 2].code) {
  case SQL_NAME:
  case SQL_INTEGER:
  case SQL_NUMBER:
  case SQL_STRING:
  case SQL_BLOB:
  case SQL_PARAMETER:
  case SQL_USER_VARIABLE:
  case SQL_SYSTEM_VARIABLE:
  case SQL_RP:
  case SQL_END:
  case SQL_NULL:
  case SQL_TRUE:
  case SQL_FALSE:
  case SQL_NILADIC:
  case SQL_UNIT:
  case SQL_KEY:
  case SQL_VALUE:
  case SQL_POSITION: return false;
  default: return true;
  }
}

/* The smallest integer of a type has no positive twin: it is read together with its sign. */
static bool push_smallest(Scanner *scanner, const Number *number) {
  Tokens *tokens = scanner->tokens;
  const char *start = scanner->text + tokens->tokens.items[tokens->tokens.count - 1].offset;
  tokens->tokens.count--;
  shape_mix(scanner, number->digits);
  scanner->code = tokens->tokens.count ? tokens->tokens.items[tokens->tokens.count - 1].code : 0;
  scan_push_literal(scanner, SQL_INTEGER, start, value_int((int64_t)(0 - number->digits)));
  return true;
}

static bool push_integer(Scanner *scanner, const Number *number) {
  uint64_t digits = number->digits;
  bool fits = number->digit_count <= 19; /* 19 digits always fit 64 bits unsigned */
  bool is_smallest = fits && (digits == (uint64_t)INT64_MAX + 1 ||
                              (scanner->is_postgres && digits == (uint64_t)INT32_MAX + 1));
  if (is_smallest && minus_is_unary(scanner)) return push_smallest(scanner, number);
  if (fits && digits <= INT64_MAX) {
    scan_push_literal(scanner, SQL_INTEGER, number->start, value_int((int64_t)digits));
    return true;
  }
  if (scanner->is_sqlite) return push_double(scanner, number);
  if (scanner->is_mysql && number->digit_count <= 20) {
    Decimal decimal;
    bool overflow;
    if (decimal_parse(number->start, (size_t)(number->stop - number->start), &decimal, &overflow) &&
        decimal.coefficient <= (Int128)UINT64_MAX) {
      scan_push_literal(scanner, SQL_INTEGER, number->start, value_uint((uint64_t)decimal.coefficient));
      return true;
    }
  }
  return push_decimal(scanner, number);
}

/* 0x1F and 0b01: an integer in sqlite and generic, bytes in mysql. */
static bool scan_prefixed_number(Scanner *scanner, unsigned bits) {
  const char *start = scanner->at;
  const char *digits = start + 2;
  const char *at = digits;
  while (at < scanner->end && hex_digit(*at) >= 0 && hex_digit(*at) < 1 << bits) at++;
  scanner->at = at;
  if (scan_is(scanner, at, CHAR_WORD)) return scan_fail(scanner, start, "unrecognized token");
  size_t count = (size_t)(at - digits);
  if (scanner->is_mysql) {
    scan_push_literal(scanner, SQL_BLOB, start, bits_value(scanner, digits, count, bits));
    return true;
  }
  uint64_t natural = 0;
  for (size_t i = 0; i < count; i++) {
    if (natural >> 60) return scan_fail(scanner, start, "hexadecimal number too large");
    natural = natural << 4 | (uint64_t)hex_digit(digits[i]);
  }
  scan_push_literal(scanner, SQL_INTEGER, start, value_int((int64_t)natural));
  return true;
}

static bool number_is_prefixed(const Scanner *scanner, char letter, int base) {
  if (scan_peek(scanner, 0) != '0' || (scan_peek(scanner, 1) | 0x20) != letter) return false;
  int digit = hex_digit(scan_peek(scanner, 2));
  return digit >= 0 && digit < base;
}

bool scan_number(Scanner *scanner) {
  if (scanner->dialect->name != DIALECT_POSTGRESQL && number_is_prefixed(scanner, 'x', 16))
    return scan_prefixed_number(scanner, 4);
  if (scanner->is_mysql && number_is_prefixed(scanner, 'b', 2)) return scan_prefixed_number(scanner, 1);
  Number number = {.start = scanner->at};
  number_digits(scanner, &number, false);
  if (scan_peek(scanner, 0) == '.' && scan_peek(scanner, 1) != '.') {
    number.has_point = true;
    scanner->at++;
    number_digits(scanner, &number, true);
  }
  if ((scan_peek(scanner, 0) | 0x20) == 'e') number_exponent(scanner, &number);
  number.stop = scanner->at;
  if (scan_is(scanner, scanner->at, CHAR_WORD)) {
    if (!scanner->is_mysql || number.has_point || number.has_exponent)
      return scan_fail(scanner, number.start, "unrecognized token");
    while (scan_is(scanner, scanner->at, CHAR_WORD)) scanner->at++; /* in MySQL names may start with digits */
    uint64_t hash = 0;
    for (const char *at = number.start; at < scanner->at; at++) hash = byte_mix(hash, (unsigned char)*at);
    shape_mix(scanner, hash + SQL_NAME);
    scan_push(scanner, SQL_NAME, number.start);
    return true;
  }
  if (!number.has_point && !number.has_exponent) return push_integer(scanner, &number);
  if (scanner->is_sqlite || (number.has_exponent && scanner->is_mysql)) return push_double(scanner, &number);
  return push_decimal(scanner, &number);
}
