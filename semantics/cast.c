/* cast.c: CAST and implicit conversions: dispatch, SQLite's, and what dialects share. */
#include "semantics/cast.h"

#include "semantics/datetime.h"
#include "semantics/text.h"

bool integer_range(Type type, int64_t *least, uint64_t *most) {
  unsigned bits = type.bytes ? type.bytes * 8u : 64;
  *least = type.is_unsigned ? 0 : bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
  *most = type.is_unsigned ? bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1
          : bits == 64     ? (uint64_t)INT64_MAX
                           : (UINT64_C(1) << (bits - 1)) - 1;
  return true;
}

bool decimal_fit(Decimal decimal, Type type, Decimal *fitted) {
  *fitted = decimal;
  if (type.precision == 0) return true;
  if (!decimal_round(decimal, type.scale, fitted)) return false;
  return fitted->coefficient == 0 || decimal_digits(*fitted) <= type.precision;
}

int64_t stamp_fraction(int64_t stamp, unsigned digits, bool rounds) {
  int64_t unit = 1;
  for (; digits < 6; digits++) unit *= 10;
  int64_t cut = floor_divide(stamp, unit) * unit;
  return rounds && stamp - cut >= unit - (stamp - cut) ? cut + (unit > 1 ? unit : 0) : cut;
}

/* ---- sqlite ------------------------------------------------------------------------------ */

static Value sqlite_text(Eval *eval, Value value) {
  if (value.kind == VALUE_BLOB) return value_text(value.text, value.length);
  return value_to_text(eval, value, type_of(TYPE_DYNAMIC));
}

/* A text as CAST AS NUMERIC takes it: its numeric prefix, an integer where that is exact. */
static Value sqlite_numeric(Value value) {
  if (value.kind != VALUE_TEXT && value.kind != VALUE_BLOB) return value;
  Value number = sqlite_number(value.text, value.length);
  return number.kind == VALUE_DOUBLE ? sqlite_integral(number.real) : number;
}

Value sqlite_cast(Eval *eval, Value value, Affinity affinity) {
  switch (affinity) {
  case AFFINITY_TEXT: return sqlite_text(eval, value);
  case AFFINITY_NUMERIC: return sqlite_numeric(value);
  case AFFINITY_INTEGER: return value_int(sqlite_bits(value));
  case AFFINITY_REAL:
    if (value.kind == VALUE_TEXT || value.kind == VALUE_BLOB)
      return value_double(sqlite_real(value.text, value.length));
    return value_double(number_to_double(value));
  default: {
    Value text = sqlite_text(eval, value);
    return eval->abort ? text : value_blob(text.text, text.length);
  }
  }
}

/* Column affinity: a text that is a number becomes one, a real that is an integer too. */
Value sqlite_store(Eval *eval, Value value, Affinity affinity) {
  if (value.kind == VALUE_BLOB) return value;
  if (value.kind == VALUE_BOOL) value = value_int(value.integer);
  if (value_is_decimal(value) || value.kind == VALUE_UINT) value = value_double(number_to_double(value));
  if (affinity == AFFINITY_TEXT) return value.kind == VALUE_TEXT ? value : sqlite_text(eval, value);
  if (affinity < AFFINITY_NUMERIC) return value;
  if (value.kind == VALUE_TEXT) sqlite_whole_number(value.text, value.length, &value);
  if (affinity == AFFINITY_REAL && value.kind == VALUE_INT) return value_double((double)value.integer);
  /* A whole number goes into a REAL column as an integer, which has no -0. */
  if (affinity == AFFINITY_REAL)
    return value.kind == VALUE_DOUBLE && value.real == 0 ? value_double(0) : value;
  return value.kind == VALUE_DOUBLE ? sqlite_integral(value.real) : value;
}

/* ---- postgresql, generic -------------------------------------------------------------------- */

Value cast_failed(Eval *eval, CastAnswer answer, Value value, Type to) {
  char text[64], name[64];
  value_format(text, sizeof text, value);
  type_text(to, name, sizeof name);
  switch (answer) {
  case CAST_BAD: return eval_error(eval, ERROR_BAD_VALUE, "%s is no valid %s", text, name);
  case CAST_RANGE: return eval_error(eval, ERROR_OVERFLOW, "%s is out of range for %s", text, name);
  case CAST_TYPE:
    return eval_error(eval, ERROR_TYPE, "%s cannot be cast to %s", value_kind_name(value.kind), name);
  default: return eval_unmodelled(eval, "%s as %s is not modelled", text, name);
  }
}

/* generic, where PostgreSQL fails: SQLite's CAST; an implicit conversion is not made at all. */
static Value lenient_cast(Eval *eval, Value value, Type to, bool is_implicit) {
  if (is_implicit) return value;
  if (value.kind > VALUE_BLOB) return cast_failed(eval, CAST_UNMODELLED, value, to);
  switch (to.kind) {
  case TYPE_BOOL:
  case TYPE_INT: return sqlite_cast(eval, value, AFFINITY_INTEGER);
  case TYPE_DECIMAL: return sqlite_cast(eval, value, AFFINITY_NUMERIC);
  case TYPE_FLOAT:
  case TYPE_DOUBLE: return sqlite_cast(eval, value, AFFINITY_REAL);
  case TYPE_BLOB: return sqlite_cast(eval, value, AFFINITY_BLOB);
  default: return cast_failed(eval, CAST_UNMODELLED, value, to);
  }
}

/* CHAR(n) and VARCHAR(n) cut silently in a CAST, and CHAR(n) pads. */
static Value text_limit(Eval *eval, Value text, Type to) {
  if (to.length == 0 || to.kind == TYPE_TEXT) return text;
  size_t characters = text_characters(text.text, text.length);
  if (characters > to.length) return value_text(text.text, text_offset(text.text, text.length, to.length));
  if (to.kind != TYPE_CHAR || characters == to.length) return text;
  size_t length = text.length + (to.length - characters);
  char *padded = arena_alloc(eval->arena, length);
  memcpy(padded, text.text, text.length);
  memset(padded + text.length, ' ', length - text.length);
  return value_text(padded, length);
}

static Value postgres_cast(Eval *eval, Value value, Type from, Type to, bool is_implicit) {
  Value result;
  CastAnswer answer = postgres_convert(eval, value, from, to, &result);
  if (eval->abort) return NULL_VALUE;
  if (answer != CAST_OK) {
    if (dialect_is_lenient(eval->dialect) && answer != CAST_UNMODELLED)
      return lenient_cast(eval, value, to, is_implicit);
    return cast_failed(eval, answer, value, to);
  }
  if (is_implicit) return result;
  if (type_is_text(to)) return text_limit(eval, result, to);
  bool has_fraction = to.kind == TYPE_TIME || to.kind == TYPE_TIMESTAMP || to.kind == TYPE_TIMESTAMPTZ;
  if (has_fraction) result.integer = stamp_fraction(result.integer, to.precision, true);
  return result;
}

Value operate_cast(Eval *eval, Value value, Type from, Type to, bool is_implicit) {
  if (value_is_null(value)) return value;
  if (value.kind == VALUE_DOUBT) return eval_doubt(eval, value);
  switch (eval->dialect->name) {
  case DIALECT_SQLITE: return is_implicit ? value : sqlite_cast(eval, value, to.affinity);
  case DIALECT_MYSQL:
  case DIALECT_MARIADB: return mysql_cast(eval, value, from, to, is_implicit);
  default: return postgres_cast(eval, value, from, to, is_implicit);
  }
}
