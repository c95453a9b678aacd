/* observe.c: typed values from what drivers hand out.
 *
 * A JSON real must look like one: digits without point or exponent get ".0", and an
 * integer's trailing zeros, which single precision prints without meaning them, go into
 * an exponent, so that no digit is claimed that was not seen. */
#include "src/live/observe.h"

#include "src/base/decimal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Observed observe_null(void) { return (Observed){.value = NULL_VALUE}; }
Observed observe_bool(bool truth) { return (Observed){.value = value_bool(truth)}; }
Observed observe_int(int64_t integer) { return (Observed){.value = value_int(integer)}; }
Observed observe_uint(uint64_t natural) { return (Observed){.value = value_uint(natural)}; }

Observed observe_text(Arena *arena, const char *text, size_t length) {
  return (Observed){.value = value_text(arena_text(arena, text, length), length)};
}

Observed observe_bytes(Arena *arena, const void *bytes, size_t length) {
  static const char digits[] = "0123456789abcdef";
  const unsigned char *byte = bytes;
  char *text = arena_alloc(arena, 2 * length + 3);
  char *next = text;
  *next++ = '\\';
  *next++ = 'x';
  for (size_t i = 0; i < length; i++) {
    *next++ = digits[byte[i] >> 4];
    *next++ = digits[byte[i] & 15];
  }
  *next = 0;
  return (Observed){.value = value_text(text, 2 * length + 2)};
}

static Observed observe_digits(Arena *arena, double real, const char *text) {
  bool is_real = strpbrk(text, ".eE") != NULL;
  char *digits = arena_format(arena, is_real ? "%s" : "%s.0", text);
  return (Observed){.value = value_double(real), .text = digits, .text_length = (uint32_t)strlen(digits)};
}

static Observed observe_not_finite(Arena *arena, double real) {
  const char *text = isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity";
  return observe_text(arena, text, strlen(text));
}

Observed observe_double(Arena *arena, double real) {
  if (!isfinite(real)) return observe_not_finite(arena, real);
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, real);
    if (strtod(text, NULL) == real) break;
  }
  return observe_digits(arena, real, text);
}

Observed observe_single(Arena *arena, float real) {
  if (!isfinite(real)) return observe_not_finite(arena, real);
  char text[40];
  for (int digits = 6; digits <= 9; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, (double)real);
    if (strtof(text, NULL) == real) break;
  }
  return observe_printed_double(arena, text, strlen(text));
}

/* "16777200" is six digits and an exponent: 167772e2. */
static void fold_zeros(char *text, size_t size) {
  size_t length = strlen(text), kept = length;
  if (strpbrk(text, ".eE")) return;
  while (kept > 1 && text[kept - 1] == '0' && isdigit((unsigned char)text[kept - 2])) kept--;
  if (kept < length) snprintf(text + kept, size - kept, "e%zu", length - kept);
}

Observed observe_printed_double(Arena *arena, const char *text, size_t length) {
  char buffer[400];
  if (length >= sizeof buffer - 8) return observe_text(arena, text, length);
  memcpy(buffer, text, length);
  buffer[length] = 0;
  char *end;
  double real = strtod(buffer, &end);
  bool is_number = end == buffer + length && length > 0 && isfinite(real) && !isalpha((unsigned char)*buffer);
  if (!is_number) return observe_text(arena, text, length);
  fold_zeros(buffer, sizeof buffer);
  return observe_digits(arena, real, buffer);
}

Observed observe_printed_int(Arena *arena, const char *text, size_t length) {
  char buffer[32];
  if (length == 0 || length >= sizeof buffer) return observe_text(arena, text, length);
  memcpy(buffer, text, length);
  buffer[length] = 0;
  char *end;
  errno = 0;
  if (*buffer == '-') {
    int64_t integer = strtoll(buffer, &end, 10);
    if (!errno && !*end) return observe_int(integer);
  } else {
    uint64_t natural = strtoull(buffer, &end, 10);
    if (!errno && !*end) return observe_uint(natural);
  }
  return observe_text(arena, text, length);
}

Observed observe_param(Arena *arena, DialectName dialect, Value value) {
  switch (value.kind) {
  case VALUE_DOUBLE: return observe_double(arena, value.real);
  case VALUE_DECIMAL:
  case VALUE_WIDE: {
    char text[DECIMAL_TEXT];
    size_t length = decimal_format(decimal_of(value), text);
    text[length] = 0;
    if (dialect == DIALECT_SQLITE) return observe_double(arena, strtod(text, NULL));
    return observe_text(arena, text, length);
  }
  case VALUE_TEXT: return observe_text(arena, value.text, value.length);
  default: return (Observed){.value = value};
  }
}

/* Bytes that follow the first one of a UTF-8 sequence; -1: none begins like that. */
static int sequence_rest(unsigned char first) {
  if (first < 0x80) return first ? 0 : -1;
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if ((first & 0xf0) == 0xe0) return 2;
  return first >= 0xf0 && first <= 0xf4 ? 3 : -1;
}

/* Overlong forms, surrogates and what lies beyond U+10FFFF are ruled out by the second byte. */
static bool sequence_is_good(const unsigned char *bytes, int rest) {
  for (int i = 1; i <= rest; i++)
    if ((bytes[i] & 0xc0) != 0x80) return false;
  switch (bytes[0]) {
  case 0xe0: return bytes[1] >= 0xa0;
  case 0xed: return bytes[1] < 0xa0;
  case 0xf0: return bytes[1] >= 0x90;
  case 0xf4: return bytes[1] < 0x90;
  default: return true;
  }
}

static bool text_is_writable(Value value) {
  const unsigned char *bytes = (const unsigned char *)value.text;
  for (uint32_t i = 0; i < value.length;) {
    int rest = sequence_rest(bytes[i]);
    if (rest < 0 || i + (uint32_t)rest >= value.length || !sequence_is_good(bytes + i, rest)) return false;
    i += (uint32_t)rest + 1;
  }
  return true;
}

bool observe_is_writable(const ObservedRows *rows) {
  for (uint32_t row = 0; row < rows->count; row++)
    for (uint32_t i = 0; i < rows->rows[row].count; i++) {
      Value value = rows->rows[row].cells[i].value;
      if (value.kind == VALUE_TEXT && !text_is_writable(value)) return false;
    }
  return true;
}
