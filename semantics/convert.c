/* convert.c: operands as numbers; see convert.h. */
#include "semantics/convert.h"

#include "semantics/datetime.h"
#include "semantics/operate.h"
#include "semantics/text.h"

#include <math.h>

/* ---- mysql, mariadb ------------------------------------------------------------------- */

bool mysql_text(Eval *eval, Value text, NumberText *number) {
  if (text.flags & TEXT_NO_NUMBER)
    return eval_unmodelled(eval, "this text as a number is not modelled"), false;
  *number = number_scan(text.text, text.length);
  if (number->is_whole) return true;
  eval_strict(eval, text, ERROR_BAD_VALUE, "'%.*s' is not a number",
              (int)(text.length > 40 ? 40 : text.length), text.text);
  return !eval->abort;
}

static Value with_fraction(Eval *eval, int64_t whole, int64_t micros) {
  if (micros == 0) return value_int(whole);
  Decimal decimal = {(Int128)whole * 1000000 + micros, 6};
  while (decimal.coefficient % 10 == 0) {
    decimal.coefficient /= 10;
    decimal.scale--;
  }
  return decimal_value(eval->arena, decimal);
}

Value mysql_time_number(Eval *eval, Value value) {
  int64_t time = value.integer, sign = 1;
  Moment moment = {0};
  if (value.kind == VALUE_DATE) {
    moment = moment_of_days(value.integer);
    return value_int(moment.year * 10000 + moment.month * 100 + moment.day);
  }
  if (value.kind == VALUE_TIMESTAMP) {
    moment = moment_of_stamp(value.integer);
    time = moment.in_day;
  } else if (time < 0) {
    sign = -1;
    time = -time;
  }
  int64_t seconds = time / MICROSECONDS_SECOND;
  int64_t clock = seconds / 3600 * 10000 + seconds / 60 % 60 * 100 + seconds % 60;
  int64_t date = moment.year * 10000 + moment.month * 100 + moment.day;
  return with_fraction(eval, sign * (date * 1000000 + clock), sign * (time % MICROSECONDS_SECOND));
}

TimeAnswer mysql_moment(Value value, TimeText *parsed) {
  if (value.kind == VALUE_TEXT) return datetime_parse_mysql(value.text, value.length, parsed);
  if (!value_is_number(value)) return TIME_UNSUPPORTED;
  double real = number_to_double(value);
  if (real < 0) return TIME_BAD;
  bool has_fraction = real != floor(real) || real > 1e14;
  if (has_fraction && real >= 101) return TIME_UNSUPPORTED;
  return datetime_of_number((int64_t)real, parsed);
}

Value mysql_stamp(Eval *eval, Value value) {
  static const int64_t ZERO_DATE = INT64_MIN;
  TimeText parsed;
  if (value.kind == VALUE_DATE)
    return (Value){.kind = VALUE_TIMESTAMP, .integer = value.integer * MICROSECONDS_DAY};
  if (value.kind == VALUE_TIMESTAMP || value_is_null(value)) return value;
  TimeAnswer answer = mysql_moment(value, &parsed);
  bool is_zero = value_is_number(value) && number_to_double(value) >= 0 && number_to_double(value) < 1;
  if (eval->dialect->name == DIALECT_MARIADB && (answer == TIME_BAD || is_zero)) {
    value = (Value){.kind = VALUE_TIMESTAMP, .integer = ZERO_DATE};
    return is_zero ? value : eval_strict(eval, value, ERROR_BAD_VALUE, "incorrect datetime value");
  }
  if (answer != TIME_OK)
    return eval_unmodelled(eval, "%s beside a date is not modelled", value_kind_name(value.kind));
  value = (Value){.kind = VALUE_TIMESTAMP, .integer = moment_stamp(parsed.moment)};
  return parsed.is_partial ? eval_strict(eval, value, ERROR_BAD_VALUE, "incorrect datetime value") : value;
}

void mysql_note_text(Eval *eval, Value value, Type other) {
  if (value.kind != VALUE_TEXT || type_is_text(other) || !eval->in_write || !eval->dialect->strict) return;
  if (!number_scan(value.text, value.length).is_whole) eval->possible |= ERROR_BIT(ERROR_BAD_VALUE);
}

Value mysql_number(Eval *eval, Value value) {
  NumberText number;
  switch (value.kind) {
  case VALUE_BOOL: return value_int(value.integer);
  case VALUE_TEXT: {
    if (!mysql_text(eval, value, &number)) return NULL_VALUE;
    double real = number_real(number);
    return value_double(isinf(real) ? copysign(1.7976931348623157e308, real) : real);
  }
  case VALUE_BLOB: return eval_unmodelled(eval, "a binary string as a number is not modelled");
  case VALUE_DATE:
  case VALUE_TIME:
  case VALUE_TIMESTAMP: return mysql_time_number(eval, value);
  case VALUE_DOUBLE: value.flags &= REAL_FIXED; return value;
  case VALUE_DECIMAL:
  case VALUE_WIDE:
    if (!decimal_is_lossy(value)) return value;
    return eval_unmodelled(eval, "computing with a quotient of another query block is not modelled");
  case VALUE_INTERVAL:
  case VALUE_LIST:
    return eval_unmodelled(eval, "%s as a number is not modelled", value_kind_name(value.kind));
  default: return value;
  }
}

Value mysql_widen(Eval *eval, Value value, Type type) {
  Decimal extended;
  if (value.kind == VALUE_DOUBLE) value.flags &= (uint16_t)~VALUE_SINGLE; /* a FLOAT becomes a DOUBLE */
  if (!value_is_exact(value) || type.kind != TYPE_DECIMAL || !type.precision ||
      decimal_shown(value) >= type.scale)
    return value;
  if (!decimal_round(decimal_of(value), value.scale > type.scale ? value.scale : type.scale, &extended))
    return eval_unmodelled(eval, "a decimal beyond 38 digits");
  uint16_t lossy = value_is_decimal(value) ? value.flags & DECIMAL_LOSSY : 0;
  if (!value_is_decimal(value)) value = decimal_value(eval->arena, decimal_of(value));
  value.flags = (uint16_t)(lossy | (type.scale + 1)); /* stored in a text column, it has no digits more */
  return value;
}

/* A decimal rounded to 64 bits: negative ones as two's complement, too large ones saturated. */
static uint64_t bits_of_decimal(Decimal decimal) {
  Decimal rounded;
  if (!decimal_round(decimal, 0, &rounded)) return decimal.coefficient < 0 ? (uint64_t)INT64_MIN : UINT64_MAX;
  if (rounded.coefficient < INT64_MIN) return (uint64_t)INT64_MIN;
  if (rounded.coefficient > (Int128)UINT64_MAX) return UINT64_MAX;
  return (uint64_t)rounded.coefficient;
}

bool mysql_bits(Eval *eval, Value value, uint64_t *bits) {
  NumberText number;
  Decimal decimal;
  if (value.kind == VALUE_TEXT) {
    if (!mysql_text(eval, value, &number)) return false;
    /* MySQL cuts a text at the point, MariaDB rounds it. */
    if (!number.is_integer && number.length && eval->dialect->name == DIALECT_MYSQL)
      return eval_unmodelled(eval, "bit operators on fractional text are not modelled"), false;
    if (!number_decimal(number, &decimal)) return eval_unmodelled(eval, "a text beyond 38 digits"), false;
    *bits = bits_of_decimal(decimal);
    return true;
  }
  value = mysql_number(eval, value);
  if (eval->abort) return false;
  switch (value.kind) {
  case VALUE_INT:
  case VALUE_UINT: *bits = value.natural; return true;
  case VALUE_DOUBLE:
    /* By way of its shortest text, unlike CAST. */
    if (!real_to_decimal(value.real, false, 0, &decimal))
      decimal = (Decimal){
          fabs(value.real) < 1 ? 0 : (value.real < 0 ? -(Int128)UINT64_MAX : (Int128)UINT64_MAX) * 4, 0};
    *bits = bits_of_decimal(decimal);
    return true;
  default: *bits = bits_of_decimal(decimal_of(value)); return true;
  }
}

bool mysql_integer(Eval *eval, Value value, int64_t *integer) {
  if (value.kind == VALUE_INT) return *integer = value.integer, true;
  if (value.kind == VALUE_TEXT) {
    NumberText number;
    if (!mysql_text(eval, value, &number)) return false;
    if (number.length == 0) return *integer = 0, true;
    if (!number.is_integer)
      return eval_unmodelled(eval, "fractional text as an integer is not modelled"), false;
  }
  uint64_t bits;
  if (!mysql_bits(eval, value, &bits)) return false;
  *integer = (int64_t)bits;
  if (value.kind == VALUE_UINT) *integer = INT64_MAX;
  return true;
}

/* ---- postgresql ------------------------------------------------------------------------ */

Value postgres_unpad(Value value, Type from, Type to) {
  if (value.kind == VALUE_TEXT && from.kind == TYPE_CHAR && to.kind != TYPE_CHAR)
    value.length = (uint32_t)text_trim_end(value.text, value.length);
  return value;
}

/* ---- sqlite ---------------------------------------------------------------------------- */

Value sqlite_operand(Value value) {
  switch (value.kind) {
  case VALUE_INT:
  case VALUE_DOUBLE: return value;
  case VALUE_BOOL: return value_int(value.integer);
  case VALUE_TEXT:
  case VALUE_BLOB: return sqlite_number(value.text, value.length);
  default: return value_double(number_to_double(value));
  }
}

int64_t sqlite_bits(Value value) {
  switch (value.kind) {
  case VALUE_TEXT:
  case VALUE_BLOB: return sqlite_integer(value.text, value.length);
  case VALUE_INT:
  case VALUE_BOOL: return value.integer;
  default: return sqlite_truncate(number_to_double(value));
  }
}

/* ---- Any dialect -------------------------------------------------------------------------- */

bool convert_integer(Eval *eval, Value value, int64_t *integer) {
  if (value_is_integer(value)) return *integer = value.integer, true;
  if (dialect_is_mysql(eval->dialect)) return mysql_integer(eval, value, integer);
  if (dialect_is_sqlite(eval->dialect) || dialect_is_lenient(eval->dialect))
    return *integer = sqlite_bits(value), true;
  if (value_is_exact(value) && decimal_to_int(decimal_of(value), integer)) return true;
  return eval_unmodelled(eval, "%s where an integer is expected", value_kind_name(value.kind)), false;
}

bool convert_real(Eval *eval, Value value, double *real) {
  if (value_is_number(value)) return *real = number_to_double(value), true;
  if (dialect_is_mysql(eval->dialect)) {
    value = mysql_number(eval, value);
    if (eval->abort || value_is_null(value)) return false;
    return *real = number_to_double(value), true;
  }
  if (value.kind == VALUE_TEXT || value.kind == VALUE_BLOB)
    return *real = sqlite_real(value.text, value.length), true;
  return eval_unmodelled(eval, "%s as a number is not modelled", value_kind_name(value.kind)), false;
}

bool convert_text(Eval *eval, Value value, Type type, const char **text, size_t *length) {
  if (value.kind != VALUE_TEXT && value.kind != VALUE_BLOB) value = value_to_text(eval, value, type);
  if (eval->abort) return false;
  *text = value.text;
  *length = value.length;
  /* PostgreSQL: CHAR(n) loses its padding when it becomes text. */
  if (type.kind == TYPE_CHAR && dialect_is_postgres(eval->dialect)) *length = text_trim_end(*text, *length);
  return true;
}
