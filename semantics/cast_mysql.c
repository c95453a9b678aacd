/* cast_mysql.c: CAST and implicit conversions in MySQL and MariaDB.
 *
 * Bad values are cut with a warning, or become NULL; inside a strict write warnings are errors. */
#include "semantics/cast.h"

#include "semantics/datetime.h"
#include "semantics/text.h"

#include <math.h>

/* In a search the error is only possible. */
static bool is_strict_write(Eval *eval, ErrorClass error) {
  if (!eval->in_write || !eval->dialect->strict) return false;
  if (eval->in_search) eval->possible |= ERROR_BIT(error);
  return !eval->in_search;
}

/* A value was cut: fine in a query; whether a write fails of it is an error where that is known. */
static Value cut(Eval *eval, Value value, ErrorClass error) {
  return eval_strict(eval, value, error, "a value was cut in a strict write");
}

/* ---- Integers ------------------------------------------------------------------------------ */

/* The digits a text begins with, as 64 bits. */
static Value integer_of_text(Eval *eval, Value text, bool is_unsigned) {
  if (text.flags & TEXT_NO_NUMBER) return eval_unmodelled(eval, "this text as a number is not modelled");
  NumberText number = number_scan(text.text, text.length);
  Decimal decimal = {0};
  size_t digits = 0;
  while (digits < number.length && (number.start[digits] == '-' || number.start[digits] == '+' ||
                                    (number.start[digits] >= '0' && number.start[digits] <= '9')))
    digits++;
  bool overflow = false, negative = digits && number.start[0] == '-';
  bool any = digits && decimal_parse(number.start, digits, &decimal, &overflow);
  uint64_t bits = (uint64_t)decimal.coefficient;
  bool is_cut = !any || digits < number.length || !number.is_whole;
  if (overflow || decimal.coefficient > (Int128)UINT64_MAX || decimal.coefficient < INT64_MIN) {
    bits = negative ? (uint64_t)INT64_MIN : UINT64_MAX;
    is_cut = true;
  }
  Value value = is_unsigned ? value_uint(bits) : value_int((int64_t)bits);
  return is_cut ? cut(eval, value, ERROR_BAD_VALUE) : value;
}

static Value integer_of_decimal(Eval *eval, Decimal decimal, bool is_unsigned) {
  Decimal rounded;
  if (!decimal_round(decimal, 0, &rounded)) rounded = decimal;
  Int128 number = rounded.coefficient;
  Int128 least = is_unsigned ? 0 : INT64_MIN, most = is_unsigned ? (Int128)UINT64_MAX : INT64_MAX;
  /* MySQL, unlike MariaDB, wraps a negative integer that a mixture of signed and unsigned made a decimal. */
  bool wraps = eval->dialect->name == DIALECT_MYSQL && decimal.scale == 0 && is_unsigned;
  if (wraps && number < 0 && number >= INT64_MIN) return value_uint((uint64_t)(int64_t)number);
  bool is_cut = number < least || number > most;
  if (is_cut && is_strict_write(eval, ERROR_OVERFLOW))
    return eval_unmodelled(eval, "a cut number in a strict write is not modelled");
  if (is_cut) number = number < least ? least : most;
  return is_unsigned ? value_uint((uint64_t)number) : value_int((int64_t)number);
}

static Value integer_of_real(Eval *eval, double real, bool is_unsigned) {
  real = rint(real);
  if (is_unsigned && real < 0 && eval->dialect->name == DIALECT_MYSQL)
    return eval_unmodelled(eval, "a negative real as UNSIGNED is not modelled");
  Int128 number = real >= 1e38 ? INT64_MAX * (Int128)4 : real <= -1e38 ? INT64_MIN * (Int128)4 : (Int128)real;
  return integer_of_decimal(eval, (Decimal){number, 0}, is_unsigned);
}

static Value to_integer(Eval *eval, Value value, bool is_unsigned) {
  if (value.kind == VALUE_TEXT) return integer_of_text(eval, value, is_unsigned);
  value = mysql_number(eval, value);
  if (eval->abort || value_is_null(value)) return value;
  switch (value.kind) {
  case VALUE_INT:
  case VALUE_UINT: return is_unsigned ? value_uint(value.natural) : value_int(value.integer);
  case VALUE_DOUBLE: return integer_of_real(eval, value.real, is_unsigned);
  default: return integer_of_decimal(eval, decimal_of(value), is_unsigned);
  }
}

/* ---- Decimals and reals ----------------------------------------------------------------------- */

static bool decimal_of_any(Eval *eval, Value value, Decimal *decimal) {
  NumberText number;
  if (value.kind == VALUE_TEXT) {
    if (!mysql_text(eval, value, &number)) return false;
    return number_decimal(number, decimal) || (eval_unmodelled(eval, "a decimal beyond 38 digits"), false);
  }
  value = mysql_number(eval, value);
  if (eval->abort || value_is_null(value)) return false;
  if (value.kind != VALUE_DOUBLE) return *decimal = decimal_of(value), true;
  return real_to_decimal(value.real, false, 0, decimal) ||
         (eval_unmodelled(eval, "a decimal beyond 38 digits"), false);
}

static Value to_decimal(Eval *eval, Value value, Type to, bool is_implicit) {
  Decimal decimal, fitted;
  if (is_implicit && value_is_exact(value)) {
    if (!value_is_decimal(value)) value = decimal_value(eval->arena, decimal_of(value));
    return mysql_widen(eval, value, to);
  }
  if (!decimal_of_any(eval, value, &decimal)) return NULL_VALUE;
  if (is_implicit && decimal.scale > to.scale) return decimal_value(eval->arena, decimal);
  if (decimal_fit(decimal, to, &fitted)) return decimal_value(eval->arena, fitted);
  if (to.precision > DECIMAL_DIGITS) return eval_unmodelled(eval, "a decimal beyond 38 digits");
  /* Too large: the largest that fits. */
  Int128 most = 1;
  for (unsigned i = 0; i < to.precision; i++) most *= 10;
  fitted = (Decimal){decimal.coefficient < 0 ? 1 - most : most - 1, to.scale};
  return cut(eval, decimal_value(eval->arena, fitted), ERROR_OVERFLOW);
}

static Value to_real(Eval *eval, Value value, bool is_single) {
  value = mysql_number(eval, value);
  if (eval->abort || value_is_null(value)) return value;
  double real = number_to_double(value);
  return (Value){
      .kind = VALUE_DOUBLE, .flags = is_single ? VALUE_SINGLE : 0, .real = is_single ? (float)real : real};
}

/* ---- Text ------------------------------------------------------------------------------------- */

static Value to_text(Eval *eval, Value value, Type from, Type to, bool is_implicit) {
  Value text = value_to_text(eval, value, from);
  if (eval->abort || is_implicit) return text;
  text.flags = TEXT_NO_NUMBER;
  if (to.length == 0) return text;
  size_t end = text_offset(text.text, text.length, to.length);
  if (end == text.length) return text;
  if (is_strict_write(eval, ERROR_TOO_LONG))
    return eval_unmodelled(eval, "a cut string in a strict write is not modelled");
  text.length = (uint32_t)end;
  return text;
}

static Value to_blob(Eval *eval, Value value, Type from, Type to) {
  if (value.kind == VALUE_BLOB) return value;
  Value text = value_to_text(eval, value, from);
  if (eval->abort) return text;
  if (to.length) return eval_unmodelled(eval, "BINARY(n) is not modelled");
  return value_blob(text.text, text.length);
}

/* ---- Dates and times ----------------------------------------------------------------------------- */

/* In a query a bad date is NULL; in a comparison what it does is not modelled. */
static Value bad_time(Eval *eval, Value value, Type to, bool is_implicit) {
  if (is_strict_write(eval, ERROR_BAD_VALUE)) return cast_failed(eval, CAST_BAD, value, to);
  return is_implicit ? cast_failed(eval, CAST_UNMODELLED, value, to)
                     : (Value){.kind = VALUE_NULL, .flags = NULL_NO_DATE};
}

static Value fraction_fit(const Eval *eval, Value value, Type to, bool is_implicit) {
  if (is_implicit || value.kind == VALUE_DATE) return value;
  value.integer = stamp_fraction(value.integer, to.precision, eval->dialect->name == DIALECT_MYSQL);
  return value;
}

static Value to_stamp(Eval *eval, Value value, Type to, bool is_implicit) {
  int64_t stamp;
  if (value.kind == VALUE_DATE || value.kind == VALUE_TIMESTAMP) {
    stamp = value.kind == VALUE_DATE ? value.integer * MICROSECONDS_DAY : value.integer;
  } else {
    TimeText parsed;
    TimeAnswer answer = mysql_moment(value, &parsed);
    if (answer == TIME_BAD) return bad_time(eval, value, to, is_implicit);
    if (answer == TIME_UNSUPPORTED) return cast_failed(eval, CAST_UNMODELLED, value, to);
    if (parsed.is_partial && is_strict_write(eval, ERROR_BAD_VALUE))
      return cast_failed(eval, CAST_BAD, value, to);
    stamp = moment_stamp(parsed.moment);
  }
  if (to.kind == TYPE_DATE)
    return (Value){.kind = VALUE_DATE, .integer = floor_divide(stamp, MICROSECONDS_DAY)};
  return fraction_fit(eval, (Value){.kind = VALUE_TIMESTAMP, .integer = stamp}, to, is_implicit);
}

static Value to_time(Eval *eval, Value value, Type to, bool is_implicit) {
  int64_t time;
  bool is_partial;
  if (value.kind == VALUE_TIME) {
    time = value.integer;
  } else if (value.kind == VALUE_TIMESTAMP) {
    time = moment_of_stamp(value.integer).in_day;
  } else if (value.kind == VALUE_TEXT) {
    TimeText parsed;
    TimeAnswer answer = time_parse(eval->dialect, value.text, value.length, &time, &is_partial);
    if (answer == TIME_UNSUPPORTED && datetime_parse_mysql(value.text, value.length, &parsed) == TIME_OK &&
        parsed.has_time && !parsed.is_partial) {
      time = parsed.moment.in_day;
      answer = TIME_OK;
    }
    if (answer != TIME_OK) return cast_failed(eval, CAST_UNMODELLED, value, to);
  } else if (value.kind == VALUE_INT && value.integer >= 0 && value.integer <= 8385959 &&
             value.integer % 100 < 60 && value.integer / 100 % 100 < 60) {
    time = (value.integer / 10000 * 3600 + value.integer / 100 % 100 * 60 + value.integer % 100) *
           MICROSECONDS_SECOND;
  } else {
    return cast_failed(eval, CAST_UNMODELLED, value, to);
  }
  return fraction_fit(eval, (Value){.kind = VALUE_TIME, .integer = time}, to, is_implicit);
}

Value mysql_cast(Eval *eval, Value value, Type from, Type to, bool is_implicit) {
  switch (to.kind) {
  case TYPE_BOOL:
  case TYPE_INT: return to_integer(eval, value, to.is_unsigned);
  case TYPE_DECIMAL: return to_decimal(eval, value, to, is_implicit);
  case TYPE_FLOAT: return to_real(eval, value, true);
  case TYPE_DOUBLE: return to_real(eval, value, false);
  case TYPE_CHAR:
  case TYPE_VARCHAR:
  case TYPE_TEXT: return to_text(eval, value, from, to, is_implicit);
  case TYPE_BLOB: return to_blob(eval, value, from, to);
  case TYPE_DATE:
  case TYPE_TIMESTAMP:
  case TYPE_TIMESTAMPTZ: return to_stamp(eval, value, to, is_implicit);
  case TYPE_TIME: return to_time(eval, value, to, is_implicit);
  case TYPE_DYNAMIC:
  case TYPE_UNKNOWN: return value;
  default: return cast_failed(eval, CAST_UNMODELLED, value, to);
  }
}
