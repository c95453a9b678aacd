/* literal.c: the literals of each dialect, from text to values.
 *
 * Which kind a number has is a matter of dialect: 1.5 is exact everywhere but in sqlite, 1e3 is a
 * decimal in postgresql and a double elsewhere, an integer beyond 64 bits is a
 * decimal or, in sqlite, a double.  Strings without escapes point into the text. */
#include "src/sql/scan.h"

#include "src/base/decimal.h"
#include "src/sql/grammar.h"

#include <stdlib.h>
#include <string.h>

/* ---- What becomes of a literal ------------------------------------------------ */

/* The tree depends on these values: numbers in a type's parentheses, and strings that may be column titles.
 */
static bool literal_is_pinned(const Scanner *scanner, uint16_t code) {
  if (scanner->is_definition) return true;
  const Tokens *tokens = scanner->tokens;
  uint32_t count = tokens->tokens.count;
  const Token *last = tokens->tokens.items + count; /* one beyond */
  if (code == SQL_STRING) {
    uint16_t before = scanner->code;
    return before == SQL_AS || before == SQL_NAME || before == SQL_RP || before == SQL_INTEGER ||
           before == SQL_NUMBER || before == SQL_STRING;
  }
  if (code != SQL_INTEGER || count < 2) return false;
  if (scanner->code == SQL_LP)
    return (last[-2].flags & TOKEN_TYPE_WORD) || last[-2].code == SQL_PRECISION ||
           last[-2].code == SQL_BINARY;
  return scanner->code == SQL_COMMA && (last[-2].flags & TOKEN_PINNED) && last[-2].code == SQL_INTEGER;
}

void scan_push_literal(Scanner *scanner, uint16_t code, const char *start, Value value) {
  Tokens *tokens = scanner->tokens;
  bool is_pinned = literal_is_pinned(scanner, code);
  /* PostgreSQL types an integer by its size, every other one a decimal by its scale. */
  bool is_long = scanner->is_postgres && value.kind == VALUE_INT && value.integer != (int32_t)value.integer;
  shape_mix(scanner,
            code + ((uint64_t)value.kind << 32) + ((uint64_t)value.scale << 40) + ((uint64_t)is_long << 48));
  if (is_pinned) {
    uint64_t hash = 1;
    for (const char *at = start; at < scanner->at; at++) hash = byte_mix(hash, (unsigned char)*at);
    shape_mix(scanner, hash);
  }
  Token *token = scan_push(scanner, code, start);
  token->input = (int32_t)tokens->inputs.count;
  token->flags = is_pinned ? TOKEN_PINNED : 0;
  ARENA_PUSH(scanner->arena, &tokens->inputs,
             (Input){.kind = INPUT_LITERAL, .literal = value, .offset = (uint32_t)(start - scanner->text)});
}

/* ---- Numbers --------------------------------------------------------------------- */

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

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  digit |= 0x20;
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Digits of `bits` bits each, right-aligned, as bytes. */
static Value bits_value(Scanner *scanner, const char *digits, size_t count, unsigned bits) {
  size_t size = (count * bits + 7) / 8;
  unsigned char *bytes = arena_zero(scanner->arena, size + 1);
  for (size_t i = 0; i < count; i++) {
    size_t place = (count - 1 - i) * bits;
    bytes[size - 1 - place / 8] |= (unsigned char)(hex_digit(digits[i]) << place % 8);
  }
  return value_blob(bytes, size);
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

/* ---- Strings ----------------------------------------------------------------------- */

/* Writes a code point as UTF-8. */
static char *code_point_write(char *to, uint32_t point) {
  if (point < 0x80) {
    *to++ = (char)point;
  } else if (point < 0x800) {
    *to++ = (char)(0xC0 | point >> 6);
    *to++ = (char)(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    *to++ = (char)(0xE0 | point >> 12);
    *to++ = (char)(0x80 | (point >> 6 & 0x3F));
    *to++ = (char)(0x80 | (point & 0x3F));
  } else {
    *to++ = (char)(0xF0 | (point >> 18 & 0x07));
    *to++ = (char)(0x80 | (point >> 12 & 0x3F));
    *to++ = (char)(0x80 | (point >> 6 & 0x3F));
    *to++ = (char)(0x80 | (point & 0x3F));
  }
  return to;
}

/* MySQL: what a backslash and this character stand for.  \% and \_ keep theirs, for LIKE. */
static char *escape_mysql(char *to, const char **at) {
  char letter = *(*at)++;
  switch (letter) {
  case '0': *to++ = '\0'; break;
  case 'b': *to++ = '\b'; break;
  case 'n': *to++ = '\n'; break;
  case 'r': *to++ = '\r'; break;
  case 't': *to++ = '\t'; break;
  case 'Z': *to++ = 26; break;
  case '%':
  case '_':
    *to++ = '\\';
    *to++ = letter;
    break;
  default: *to++ = letter; break;
  }
  return to;
}

static uint32_t escape_digits(const char **at, const char *end, int base, int most) {
  uint32_t number = 0;
  for (int i = 0; i < most && *at < end; i++, (*at)++) {
    int digit = hex_digit(**at);
    if (digit < 0 || digit >= base) break;
    number = number * (uint32_t)base + (uint32_t)digit;
  }
  return number;
}

/* PostgreSQL's E'..' */
static char *escape_postgres(char *to, const char **at, const char *end) {
  char letter = *(*at)++;
  switch (letter) {
  case 'b': *to++ = '\b'; break;
  case 'f': *to++ = '\f'; break;
  case 'n': *to++ = '\n'; break;
  case 'r': *to++ = '\r'; break;
  case 't': *to++ = '\t'; break;
  case 'x': *to++ = (char)escape_digits(at, end, 16, 2); break;
  case 'u': to = code_point_write(to, escape_digits(at, end, 16, 4)); break;
  case 'U': to = code_point_write(to, escape_digits(at, end, 16, 8)); break;
  default:
    if (letter >= '0' && letter <= '7') {
      --*at;
      *to++ = (char)escape_digits(at, end, 8, 3);
    } else {
      *to++ = letter;
    }
  }
  return to;
}

/* One quoted piece between its quotes, appended to *value; a piece without escapes is borrowed if it is the
 * first. */
static bool scan_piece(Scanner *scanner, const char *start, char quote, bool has_backslash, Value *value) {
  const char *from = ++scanner->at;
  const char *at = from, *end = scanner->end;
  bool has_escape = false;
  for (;; at++) {
    if (at >= end) return scan_fail(scanner, start, "unterminated string");
    if (*at == '\\' && has_backslash) {
      has_escape = true;
      if (++at >= end) return scan_fail(scanner, start, "unterminated string");
    } else if (*at == quote) {
      if (at + 1 >= end || at[1] != quote) break;
      has_escape = true;
      at++;
    }
  }
  scanner->at = at + 1;
  if (!has_escape && !value->text) {
    *value = value_text(from, (size_t)(at - from));
    return true;
  }
  char *buffer = arena_alloc(scanner->arena, value->length + (size_t)(at - from) + 1);
  if (value->length) memcpy(buffer, value->text, value->length);
  char *to = buffer + value->length;
  for (const char *next = from; next < at;) {
    char letter = *next++;
    if (letter == '\\' && has_backslash)
      to = scanner->is_mysql ? escape_mysql(to, &next) : escape_postgres(to, &next, at);
    else
      *to++ = letter;
    if (letter == quote) next++;
  }
  *value = value_text(buffer, (size_t)(to - buffer));
  return true;
}

/* Does another quoted piece of the same string follow?  MySQL joins pieces over white space, PostgreSQL
 * over white space with a newline in it, SQLite never. */
static bool string_continues(Scanner *scanner, char *quote) {
  if (scanner->is_sqlite) return false;
  const char *at = scanner->at;
  bool has_newline = false;
  for (; scan_is(scanner, at, CHAR_SPACE); at++) has_newline |= *at == '\n';
  if (at >= scanner->end || (scanner->is_postgres && !has_newline)) return false;
  bool is_quote = *at == '\'' || (*at == '"' && scanner->is_mysql && !scanner->dialect->ansi_quotes);
  if (!is_quote) return false;
  *quote = *at;
  scanner->at = at;
  return true;
}

bool scan_string(Scanner *scanner, const char *start, char quote, bool has_backslash) {
  Value value = {.kind = VALUE_TEXT};
  do {
    if (!scan_piece(scanner, start, quote, has_backslash, &value)) return false;
  } while (string_continues(scanner, &quote));
  scan_push_literal(scanner, SQL_STRING, start, value);
  return true;
}

bool scan_dollar_string(Scanner *scanner, const char *start) {
  const char *tag_end = start + 1;
  while (tag_end < scanner->end && *tag_end != '$' && scan_is(scanner, tag_end, CHAR_WORD)) tag_end++;
  if (tag_end >= scanner->end || *tag_end != '$') return false;
  size_t tag = (size_t)(tag_end + 1 - start);
  const char *from = tag_end + 1;
  const char *close = memmem(from, (size_t)(scanner->end - from), start, tag);
  if (!close) return scan_fail(scanner, start, "unterminated string");
  scanner->at = close + tag;
  scan_push_literal(scanner, SQL_STRING, start, value_text(from, (size_t)(close - from)));
  return true;
}

bool scan_bytes(Scanner *scanner, const char *start, unsigned bits) {
  const char *digits = ++scanner->at;
  const char *close = memchr(digits, '\'', (size_t)(scanner->end - digits));
  if (!close) return scan_fail(scanner, start, "unterminated string");
  scanner->at = close + 1;
  size_t count = (size_t)(close - digits);
  bool is_fine = bits == 1 || count % 2 == 0;
  for (size_t i = 0; i < count; i++) is_fine &= hex_digit(digits[i]) >= 0 && hex_digit(digits[i]) < 1 << bits;
  bool is_bit_string = scanner->dialect->name == DIALECT_POSTGRESQL || (bits == 1 && !scanner->is_mysql);
  if (is_bit_string) {
    scan_push_unsupported(scanner, start);
    return true;
  }
  if (!is_fine) return scan_fail(scanner, start, "malformed binary literal");
  scan_push_literal(scanner, SQL_BLOB, start, bits_value(scanner, digits, count, bits));
  return true;
}
