/* cast_postgres.c: PostgreSQL's conversions, one function per target type. */
#include "semantics/cast.h"

#include "semantics/datetime.h"
#include "semantics/text.h"

#include <math.h>
#include <strings.h>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Value trimmed(Value text) {
  while (text.length && is_blank(text.text[0])) text.text++, text.length--;
  while (text.length && is_blank(text.text[text.length - 1])) text.length--;
  return text;
}

static bool text_is(Value text, const char *word) {
  return text.length == strlen(word) && strncasecmp(text.text, word, text.length) == 0;
}

/* Any unambiguous beginning of true, false, yes, no; on, off, 1, 0. */
static CastAnswer bool_of_text(Value text, Value *result) {
  static const struct {
    const char *word;
    unsigned least;
    bool truth;
  } words[] = {{"true", 1, true}, {"false", 1, false}, {"yes", 1, true}, {"no", 1, false},
               {"on", 2, true},   {"off", 2, false},   {"1", 1, true},   {"0", 1, false}};
  text = trimmed(text);
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (text.length < words[i].least || text.length > strlen(words[i].word)) continue;
    if (strncasecmp(text.text, words[i].word, text.length) != 0) continue;
    *result = value_bool(words[i].truth);
    return CAST_OK;
  }
  return CAST_BAD;
}

static CastAnswer to_bool(Value value, Value *result) {
  if (value.kind == VALUE_INT) return *result = value_bool(value.integer != 0), CAST_OK;
  return value.kind == VALUE_TEXT ? bool_of_text(value, result) : CAST_TYPE;
}

static CastAnswer integer_of_decimal(Decimal decimal, Type to, Value *result) {
  int64_t integer, least;
  uint64_t most;
  integer_range(to, &least, &most);
  if (!decimal_to_int(decimal, &integer) || integer < least || (integer > 0 && (uint64_t)integer > most))
    return CAST_RANGE;
  *result = value_int(integer);
  return CAST_OK;
}

static CastAnswer to_integer(Value value, Type to, Value *result) {
  bool overflow;
  Decimal decimal;
  switch (value.kind) {
  case VALUE_BOOL:
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: return integer_of_decimal(decimal_of(value), to, result);
  case VALUE_DOUBLE: {
    double real = rint(value.real);
    if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0)) return CAST_RANGE;
    return integer_of_decimal((Decimal){(int64_t)real, 0}, to, result);
  }
  case VALUE_TEXT:
    value = trimmed(value);
    for (uint32_t i = 0; i < value.length; i++)
      if (!(value.text[i] >= '0' && value.text[i] <= '9') &&
          !(i == 0 && (value.text[i] == '-' || value.text[i] == '+')))
        return CAST_BAD;
    if (!decimal_parse(value.text, value.length, &decimal, &overflow))
      return overflow ? CAST_RANGE : CAST_BAD;
    return integer_of_decimal(decimal, to, result);
  default: return CAST_TYPE;
  }
}

static CastAnswer to_decimal(Eval *eval, Value value, Type to, Value *result) {
  Decimal decimal, fitted;
  bool overflow;
  switch (value.kind) {
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: decimal = decimal_of(value); break;
  case VALUE_DOUBLE:
    if (!real_to_decimal(value.real, false, value.flags & VALUE_SINGLE ? 6 : 15, &decimal))
      return CAST_UNMODELLED;
    break;
  case VALUE_TEXT:
    value = trimmed(value);
    if (text_is(value, "NaN") || text_is(value, "Infinity") || text_is(value, "-Infinity"))
      return CAST_UNMODELLED;
    if (!decimal_parse(value.text, value.length, &decimal, &overflow))
      return overflow ? CAST_UNMODELLED : CAST_BAD;
    break;
  default: return CAST_TYPE;
  }
  if (!decimal_fit(decimal, to, &fitted))
    return to.precision <= DECIMAL_DIGITS ? CAST_RANGE : CAST_UNMODELLED;
  *result = decimal_value(eval->arena, fitted);
  return CAST_OK;
}

static CastAnswer real_of_text(Value text, double *real) {
  text = trimmed(text);
  bool negative = text.length && text.text[0] == '-';
  Value word = text;
  if (word.length && (word.text[0] == '-' || word.text[0] == '+')) word.text++, word.length--;
  if (text_is(text, "NaN")) return *real = NAN, CAST_OK;
  if (text_is(word, "Infinity") || text_is(word, "inf"))
    return *real = negative ? -INFINITY : INFINITY, CAST_OK;
  NumberText number = number_scan(text.text, text.length);
  if (number.length == 0 || number.length != text.length) return CAST_BAD;
  *real = number_real(number);
  return isinf(*real) ? CAST_RANGE : CAST_OK;
}

static CastAnswer to_real(Value value, bool is_single, Value *result) {
  double real;
  if (value.kind == VALUE_TEXT) {
    CastAnswer answer = real_of_text(value, &real);
    if (answer != CAST_OK) return answer;
  } else if (value_is_number(value) && value.kind != VALUE_BOOL) {
    real = number_to_double(value);
  } else {
    return CAST_TYPE;
  }
  *result = value_double(real);
  if (!is_single) return CAST_OK;
  result->real = (float)real;
  result->flags = VALUE_SINGLE;
  return isinf(result->real) && !isinf(real) ? CAST_RANGE : CAST_OK;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

static CastAnswer to_blob(Eval *eval, Value value, Value *result) {
  if (value.kind == VALUE_BLOB) return *result = value, CAST_OK;
  if (value.kind != VALUE_TEXT) return CAST_TYPE;
  if (value.length < 2 || value.text[0] != '\\' || value.text[1] != 'x') {
    bool is_escaped = memchr(value.text, '\\', value.length) != NULL;
    return is_escaped ? CAST_UNMODELLED : (*result = value_blob(value.text, value.length), CAST_OK);
  }
  if (value.length % 2) return CAST_BAD;
  char *bytes = arena_alloc(eval->arena, value.length / 2 + 1);
  for (uint32_t i = 2; i < value.length; i += 2) {
    int high = hex_digit(value.text[i]), low = hex_digit(value.text[i + 1]);
    if (high < 0 || low < 0) return CAST_BAD;
    bytes[i / 2 - 1] = (char)(high << 4 | low);
  }
  *result = value_blob(bytes, value.length / 2 - 1);
  return CAST_OK;
}

/* xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in lower case; hyphens may be missing, braces around it are allowed.
 */
static CastAnswer to_uuid(Eval *eval, Value value, Value *result) {
  if (value.kind != VALUE_TEXT) return CAST_TYPE;
  char *text = arena_alloc(eval->arena, 40);
  size_t length = 0, end = value.length;
  bool has_braces = end >= 2 && value.text[0] == '{' && value.text[end - 1] == '}';
  for (size_t i = has_braces; i < end - has_braces; i++) {
    char c = value.text[i];
    if (c == '-') continue;
    if (hex_digit(c) < 0 || length >= 36) return CAST_BAD;
    if (length == 8 || length == 13 || length == 18 || length == 23) text[length++] = '-';
    if (length < 36) text[length++] = text_lower(c);
  }
  if (length != 36) return CAST_BAD;
  *result = value_text(text, length);
  return CAST_OK;
}

/* ---- Dates and times -------------------------------------------------------------------------- */

static CastAnswer answer_of(TimeAnswer answer) {
  return answer == TIME_OK ? CAST_OK : answer == TIME_BAD ? CAST_BAD : CAST_UNMODELLED;
}

static CastAnswer stamp_of_text(Value text, Type to, Value *result) {
  TimeText parsed;
  TimeAnswer answer = datetime_parse_postgres(text.text, text.length, &parsed);
  if (answer != TIME_OK) return answer_of(answer);
  int64_t stamp = moment_stamp(parsed.moment);
  if (to.kind == TYPE_TIMESTAMPTZ) {
    if (!parsed.has_zone) return CAST_UNMODELLED; /* the session's time zone is not known */
    stamp -= parsed.zone * MICROSECONDS_SECOND;
  }
  *result = to.kind == TYPE_DATE
                ? (Value){.kind = VALUE_DATE, .integer = floor_divide(stamp, MICROSECONDS_DAY)}
                : (Value){.kind = VALUE_TIMESTAMP, .integer = stamp};
  return CAST_OK;
}

static CastAnswer to_stamp(Value value, Type from, Type to, Value *result) {
  if (value.kind == VALUE_TEXT) return stamp_of_text(value, to, result);
  if (value.kind != VALUE_DATE && value.kind != VALUE_TIMESTAMP) return CAST_TYPE;
  bool had_zone = value.kind == VALUE_TIMESTAMP && from.kind == TYPE_TIMESTAMPTZ;
  if (had_zone != (to.kind == TYPE_TIMESTAMPTZ)) return CAST_UNMODELLED;
  if (to.kind == TYPE_DATE && value.kind == VALUE_TIMESTAMP)
    value = (Value){.kind = VALUE_DATE, .integer = floor_divide(value.integer, MICROSECONDS_DAY)};
  else if (to.kind != TYPE_DATE && value.kind == VALUE_DATE)
    value = (Value){.kind = VALUE_TIMESTAMP, .integer = value.integer * MICROSECONDS_DAY};
  *result = value;
  return CAST_OK;
}

static CastAnswer to_time(Eval *eval, Value value, Type from, Value *result) {
  bool is_partial;
  int64_t time;
  if (value.kind == VALUE_TIME) return *result = value, CAST_OK;
  if (value.kind == VALUE_TIMESTAMP) {
    if (from.kind == TYPE_TIMESTAMPTZ) return CAST_UNMODELLED;
    time = moment_of_stamp(value.integer).in_day;
  } else if (value.kind == VALUE_TEXT) {
    TimeAnswer answer = time_parse(eval->dialect, value.text, value.length, &time, &is_partial);
    if (answer != TIME_OK) return answer_of(answer);
  } else {
    return CAST_TYPE;
  }
  *result = (Value){.kind = VALUE_TIME, .integer = time};
  return CAST_OK;
}

static CastAnswer to_interval(Value value, Value *result) {
  int64_t months, microseconds;
  if (value.kind == VALUE_INTERVAL) return *result = value, CAST_OK;
  if (value.kind != VALUE_TEXT) return CAST_TYPE;
  TimeAnswer answer = interval_parse(value.text, value.length, &months, &microseconds);
  *result = (Value){.kind = VALUE_INTERVAL, .length = (uint32_t)(int32_t)months, .integer = microseconds};
  return answer_of(answer);
}

static CastAnswer to_text(Eval *eval, Value value, Type from, Type to, Value *result) {
  const char *text;
  size_t length;
  if (from.kind == TYPE_CHAR && to.kind == TYPE_CHAR) from.kind = TYPE_TEXT;
  if (value.kind == VALUE_BLOB) value = value_to_text(eval, value, from);
  if (convert_text(eval, value, from, &text, &length)) *result = value_text(text, length);
  return CAST_OK;
}

CastAnswer postgres_convert(Eval *eval, Value value, Type from, Type to, Value *result) {
  switch (to.kind) {
  case TYPE_BOOL: return value.kind == VALUE_BOOL ? (*result = value, CAST_OK) : to_bool(value, result);
  case TYPE_INT: return to_integer(value, to, result);
  case TYPE_DECIMAL: return to_decimal(eval, value, to, result);
  case TYPE_FLOAT: return to_real(value, true, result);
  case TYPE_DOUBLE: return to_real(value, false, result);
  case TYPE_CHAR:
  case TYPE_VARCHAR:
  case TYPE_TEXT: return to_text(eval, value, from, to, result);
  case TYPE_BLOB: return to_blob(eval, value, result);
  case TYPE_DATE:
  case TYPE_TIMESTAMP:
  case TYPE_TIMESTAMPTZ: return to_stamp(value, from, to, result);
  case TYPE_TIME: return to_time(eval, value, from, result);
  case TYPE_INTERVAL: return to_interval(value, result);
  case TYPE_UUID: return to_uuid(eval, value, result);
  case TYPE_DYNAMIC:
  case TYPE_UNKNOWN: *result = value; return CAST_OK;
  default: return CAST_UNMODELLED;
  }
}
