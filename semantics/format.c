/* format.c: values as text: as the database prints them, and as reports show them. */
#include "semantics/operate.h"

#include "semantics/datetime.h"
#include "semantics/number.h"

#include <stdio.h>

static Value text_copy(Eval *eval, const char *text, size_t length) {
  return value_text(arena_text(eval->arena, text, length), length);
}

static size_t real_text(const Dialect *dialect, Value value, char buffer[REAL_TEXT]) {
  bool is_single = value.flags & VALUE_SINGLE;
  if (dialect_is_sqlite(dialect)) return sqlite_real_text(value.real, buffer);
  if (dialect_is_mysql(dialect)) return real_text_mysql(value.real, is_single, buffer);
  return real_text_postgres(value.real, is_single, buffer);
}

/* mysql prints as many digits as the type has; PostgreSQL those that are not zero. */
static int fraction_digits(const Dialect *dialect, Value value, Type type) {
  if (!dialect_is_mysql(dialect)) return -1;
  if (type_is_time(type) && type.precision) return type.precision;
  return value.integer % MICROSECONDS_SECOND ? 6 : 0;
}

static Value bytea_text(Eval *eval, Value value) {
  char *text = arena_alloc(eval->arena, 2 * (size_t)value.length + 3);
  size_t length = (size_t)sprintf(text, "\\x");
  for (uint32_t i = 0; i < value.length; i++)
    length += (size_t)sprintf(text + length, "%02x", (unsigned char)value.text[i]);
  return value_text(text, length);
}

Value value_to_text(Eval *eval, Value value, Type type) {
  char buffer[DATETIME_TEXT * 2];
  switch (value.kind) {
  case VALUE_NULL:
  case VALUE_TEXT: return value;
  case VALUE_BLOB:
    if (dialect_is_postgres(eval->dialect)) return bytea_text(eval, value);
    return value_text(value.text, value.length);
  case VALUE_BOOL: return value_string(value.integer ? "true" : "false");
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE:
    return text_copy(eval, buffer, decimal_format(decimal_of(decimal_show(eval->arena, value)), buffer));
  case VALUE_DOUBLE:
    if (value.flags & REAL_FIXED) return eval_unmodelled(eval, "a rounded real as text is not modelled");
    return text_copy(eval, buffer, real_text(eval->dialect, value, buffer));
  case VALUE_DATE: return text_copy(eval, buffer, date_write(value.integer, buffer));
  case VALUE_TIME:
    return text_copy(eval, buffer,
                     time_write(value.integer, fraction_digits(eval->dialect, value, type), buffer));
  case VALUE_TIMESTAMP:
    if (type.kind == TYPE_TIMESTAMPTZ)
      return eval_unmodelled(eval, "the time zone of the session is not known");
    return text_copy(eval, buffer,
                     stamp_write(value.integer, fraction_digits(eval->dialect, value, type), buffer));
  case VALUE_INTERVAL:
    /* Whether 24 hours print as a day depends on how they came about. */
    if (value.integer >= MICROSECONDS_DAY || value.integer <= -MICROSECONDS_DAY)
      return eval_unmodelled(eval, "an interval of days as text is not modelled");
    return text_copy(eval, buffer, interval_write((int32_t)value.length, value.integer, buffer));
  case VALUE_DOUBT: return eval_doubt(eval, value);
  default: return eval_unmodelled(eval, "a list as text is not modelled");
  }
}

/* ---- Reports -------------------------------------------------------------------------------- */

typedef struct Output {
  char *buffer;
  size_t size, length; /* length goes on counting beyond size */
} Output;

static void put(Output *output, char c) {
  if (output->length + 1 < output->size) output->buffer[output->length] = c;
  output->length++;
}

static void put_text(Output *output, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) put(output, text[i]);
}

static void put_value(Output *output, Value value);

static void put_quoted(Output *output, const char *text, size_t length) {
  put(output, '\'');
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\'') put(output, '\'');
    put(output, text[i]);
  }
  put(output, '\'');
}

static void put_blob(Output *output, Value value) {
  static const char digits[] = "0123456789abcdef";
  put_text(output, "x'", 2);
  for (uint32_t i = 0; i < value.length; i++) {
    put(output, digits[(unsigned char)value.text[i] >> 4]);
    put(output, digits[(unsigned char)value.text[i] & 15]);
  }
  put(output, '\'');
}

static void put_list(Output *output, Value value) {
  put(output, '[');
  for (uint32_t i = 0; i < value.length; i++) {
    if (i) put_text(output, ", ", 2);
    put_value(output, value.items[i]);
  }
  put(output, ']');
}

static void put_value(Output *output, Value value) {
  char text[DATETIME_TEXT * 2];
  switch (value.kind) {
  case VALUE_NULL: put_text(output, "NULL", 4); break;
  case VALUE_BOOL: put_text(output, value.integer ? "true" : "false", value.integer ? 4 : 5); break;
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: put_text(output, text, decimal_format(decimal_of(value), text)); break;
  case VALUE_DOUBLE:
    put_text(output, text, real_text_postgres(value.real, value.flags & VALUE_SINGLE, text));
    break;
  case VALUE_TEXT: put_quoted(output, value.text, value.length); break;
  case VALUE_BLOB: put_blob(output, value); break;
  case VALUE_DATE: put_quoted(output, text, date_write(value.integer, text)); break;
  case VALUE_TIME: put_quoted(output, text, time_write(value.integer, -1, text)); break;
  case VALUE_TIMESTAMP: put_quoted(output, text, stamp_write(value.integer, -1, text)); break;
  case VALUE_INTERVAL:
    put_quoted(output, text, interval_write((int32_t)value.length, value.integer, text));
    break;
  case VALUE_LIST: put_list(output, value); break;
  default: put(output, '?');
  }
}

size_t value_format(char *buffer, size_t size, Value value) {
  Output output = {buffer, size, 0};
  put_value(&output, value);
  if (size) buffer[output.length < size ? output.length : size - 1] = 0;
  return output.length;
}
