/* string.c: strings and bytes.  A string without escapes points into the text. */
#include "src/sql/scan.h"

#include "src/sql/grammar.h"

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
