/* emit.c: JSON text, and how SQL values are written in it. */
#include "src/transcript/emit.h"

#include "src/base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void emit_free(Emit *emit) {
  free(emit->text);
  *emit = (Emit){0};
}

void emit_raw(Emit *emit, const char *text, size_t length) {
  if (emit->length + length > emit->room) {
    emit->room = (emit->length + length) * 2 + 256;
    emit->text = memory_resize(emit->text, emit->room);
  }
  if (length) memcpy(emit->text + emit->length, text, length);
  emit->length += length;
}

/* Before every value and every key. */
static void emit_comma(Emit *emit) {
  if (emit->needs_comma) emit_raw(emit, ",", 1);
  emit->needs_comma = true;
}

void emit_open(Emit *emit, char bracket) {
  emit_comma(emit);
  emit_raw(emit, &bracket, 1);
  emit->needs_comma = false;
}

void emit_close(Emit *emit, char bracket) {
  emit_raw(emit, &bracket, 1);
  emit->needs_comma = true;
}

/* ---- Strings -------------------------------------------------------------------- */

static bool text_is_json(const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    unsigned char first = (unsigned char)text[i];
    if (!first) return false;
    size_t bytes = first < 0x80 ? 1 : first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0) == 0xE0 ? 3 : 4;
    if (first >= 0x80 && (first < 0xC2 || first > 0xF4 || i + bytes > length)) return false;
    uint32_t code = bytes == 1 ? first : first & (0x7Fu >> bytes);
    for (size_t j = 1; j < bytes; j++) {
      if ((text[i + j] & 0xC0) != 0x80) return false;
      code = code << 6 | (text[i + j] & 0x3F);
    }
    bool is_overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    if (is_overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    i += bytes;
  }
  return true;
}

static void emit_escaped(Emit *emit, const char *text, size_t length) {
  size_t from = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    emit_raw(emit, text + from, i - from);
    from = i + 1;
    char escape[8];
    const char *letter = c ? strchr("\"\"\\\\\bb\ff\nn\rr\tt", c) : NULL;
    if (letter)
      snprintf(escape, sizeof escape, "\\%c", letter[1]);
    else
      snprintf(escape, sizeof escape, "\\u%04x", c);
    emit_raw(emit, escape, strlen(escape));
  }
  emit_raw(emit, text + from, length - from);
}

static void emit_hexadecimal(Emit *emit, const char *bytes, size_t length) {
  emit_raw(emit, "\"\\\\x", 4);
  for (size_t i = 0; i < length; i++) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02x", (unsigned char)bytes[i]);
    emit_raw(emit, digits, 2);
  }
  emit_raw(emit, "\"", 1);
}

void emit_string(Emit *emit, const char *text, size_t length) {
  emit_comma(emit);
  if (!text_is_json(text, length)) {
    emit_hexadecimal(emit, text, length);
    return;
  }
  emit_raw(emit, "\"", 1);
  emit_escaped(emit, text, length);
  emit_raw(emit, "\"", 1);
}

void emit_text(Emit *emit, const char *text) {
  if (text)
    emit_string(emit, text, strlen(text));
  else
    emit_null(emit);
}

void emit_key(Emit *emit, const char *key) {
  emit_text(emit, key);
  emit_raw(emit, ":", 1);
  emit->needs_comma = false;
}

/* ---- Numbers and words ------------------------------------------------------------ */

static void emit_word(Emit *emit, const char *word) {
  emit_comma(emit);
  emit_raw(emit, word, strlen(word));
}

void emit_null(Emit *emit) { emit_word(emit, "null"); }
void emit_bool(Emit *emit, bool truth) { emit_word(emit, truth ? "true" : "false"); }

void emit_integer(Emit *emit, int64_t integer) {
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", (long long)integer);
  emit_word(emit, digits);
}

void emit_real(Emit *emit, double real) {
  if (!isfinite(real)) { /* JSON has none */
    emit_text(emit, isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity");
    return;
  }
  char digits[40];
  int first = fabs(real) < DBL_MIN ? 1 : DBL_DIG; /* fewer digits always read back as another double */
  for (int precision = first; precision <= DBL_DECIMAL_DIG; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, real);
    if (strtod(digits, NULL) == real) break;
  }
  if (!strpbrk(digits, ".e")) strcat(digits, ".0"); /* so that it reads back as a real */
  emit_word(emit, digits);
}

/* ---- SQL values --------------------------------------------------------------------- */

/* The civil date of a day counted from 1970-01-01, in the proleptic Gregorian calendar: 400 years have
 * 146,097 days, and a year that begins in March ends with its leap day. */
static void date_print(int64_t days, char *buffer, size_t size) {
  int64_t shifted = days + 719468; /* from 0000-03-01 */
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int64_t day = shifted - era * 146097;
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * day_of_year + 2) / 153;
  int64_t day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
  month = month < 10 ? month + 3 : month - 9;
  year += era * 400 + (month <= 2);
  snprintf(buffer, size, "%04lld-%02lld-%02lld", (long long)year, (long long)month, (long long)day_of_month);
}

static void time_print(int64_t microseconds, char *buffer, size_t size) {
  const char *sign = microseconds < 0 ? "-" : "";
  uint64_t left = microseconds < 0 ? -(uint64_t)microseconds : (uint64_t)microseconds;
  uint64_t fraction = left % 1000000, seconds = left / 1000000;
  int written = snprintf(buffer, size, "%s%02llu:%02llu:%02llu", sign, (unsigned long long)(seconds / 3600),
                         (unsigned long long)(seconds / 60 % 60), (unsigned long long)(seconds % 60));
  if (fraction) snprintf(buffer + written, size - (size_t)written, ".%06llu", (unsigned long long)fraction);
}

static void timestamp_print(int64_t microseconds, char *buffer, size_t size) {
  const int64_t day = 86400000000;
  int64_t days = microseconds / day - (microseconds % day < 0);
  date_print(days, buffer, size);
  size_t used = strlen(buffer);
  buffer[used++] = ' ';
  time_print(microseconds - days * day, buffer + used, size - used);
}

static void interval_print(Value value, char *buffer, size_t size) {
  int written = snprintf(buffer, size, "%d months ", (int)(int32_t)value.length);
  time_print(value.integer, buffer + written, size - (size_t)written);
}

void emit_value(Emit *emit, Value value) {
  char text[96];
  switch ((ValueKind)value.kind) {
  case VALUE_NULL: emit_null(emit); return;
  case VALUE_BOOL: emit_bool(emit, value.integer != 0); return;
  case VALUE_INT: emit_integer(emit, value.integer); return;
  case VALUE_DOUBLE: emit_real(emit, value.real); return;
  case VALUE_TEXT: emit_string(emit, value.text, value.length); return;
  case VALUE_BLOB:
    emit_comma(emit);
    emit_hexadecimal(emit, value.text, value.length);
    return;
  case VALUE_LIST:
    emit_open(emit, '[');
    for (uint32_t i = 0; i < value.length; i++) emit_value(emit, value.items[i]);
    emit_close(emit, ']');
    return;
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: emit_string(emit, text, decimal_format(decimal_of(value), text)); return;
  case VALUE_DATE: date_print(value.integer, text, sizeof text); break;
  case VALUE_TIME: time_print(value.integer, text, sizeof text); break;
  case VALUE_TIMESTAMP: timestamp_print(value.integer, text, sizeof text); break;
  case VALUE_INTERVAL: interval_print(value, text, sizeof text); break;
  case VALUE_DOUBT: snprintf(text, sizeof text, "(unknown)"); break;
  }
  emit_text(emit, text);
}

bool values_write_same(Value a, Value b) {
  if (a.kind == VALUE_INT && b.kind == VALUE_INT) return a.integer == b.integer;
  Emit one = {0}, other = {0};
  emit_value(&one, a);
  emit_value(&other, b);
  bool same = one.length == other.length && memcmp(one.text, other.text, one.length) == 0;
  emit_free(&one);
  emit_free(&other);
  return same;
}

void emit_observed(Emit *emit, const Observed *observed) {
  if (observed->value.kind != VALUE_DOUBLE || !observed->text) {
    emit_value(emit, observed->value);
    return;
  }
  emit_comma(emit);
  emit_raw(emit, observed->text, observed->text_length);
}

void emit_rows(Emit *emit, const ObservedRows *rows) {
  emit_open(emit, '[');
  for (uint32_t i = 0; i < rows->count; i++) {
    emit_open(emit, '[');
    for (uint32_t j = 0; j < rows->rows[i].count; j++) emit_observed(emit, &rows->rows[i].cells[j]);
    emit_close(emit, ']');
  }
  emit_close(emit, ']');
}

void emit_name(Emit *emit, const char *key, const char *name, bool is_integer) {
  emit_key(emit, key);
  if (is_integer)
    emit_word(emit, name);
  else
    emit_text(emit, name);
}

void emit_field(Emit *emit, const char *key, const char *text) {
  emit_key(emit, key);
  emit_text(emit, text);
}

void emit_count(Emit *emit, const char *key, int64_t integer) {
  emit_key(emit, key);
  emit_integer(emit, integer);
}
