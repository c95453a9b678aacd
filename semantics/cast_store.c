/* cast_store.c: storing a value into a column: what is rounded, cut, padded or refused. */
#include "semantics/cast.h"

#include "semantics/datetime.h"
#include "semantics/text.h"

#include <math.h>

/* ---- Text lengths, all dialects but sqlite -------------------------------------------------- */

/* Too long is an error, unless only blanks are cut. */
static bool text_shorten(Value *text, Type type) {
  if (type.length == 0 || text_characters(text->text, text->length) <= type.length) return true;
  size_t end = text_offset(text->text, text->length, type.length);
  bool only_blanks = text_trim_end(text->text, text->length) <= end;
  *text = value_text(text->text, end);
  return only_blanks;
}

static Value too_long(Eval *eval, const Column *column) {
  return eval_error(eval, ERROR_TOO_LONG, "value too long for column '%s'", column->name);
}

/* ---- postgresql, generic ------------------------------------------------------------------------ */

static Value char_pad(Eval *eval, Value text, Type type) {
  size_t characters = text_characters(text.text, text.length);
  if (type.kind != TYPE_CHAR || characters >= type.length) return text;
  size_t length = text.length + (type.length - characters);
  char *padded = arena_alloc(eval->arena, length);
  if (text.length) memcpy(padded, text.text, text.length);
  memset(padded + text.length, ' ', length - text.length);
  return value_text(padded, length);
}

static Value postgres_store(Eval *eval, Value value, Type from, const Column *column) {
  Type to = column->type;
  Value result;
  CastAnswer answer = postgres_convert(eval, value, from, to, &result);
  if (eval->abort) return NULL_VALUE;
  if (answer == CAST_OK && type_is_text(to)) {
    Value whole = result;
    if (text_shorten(&result, to)) return char_pad(eval, result, to);
    return dialect_is_lenient(eval->dialect) ? whole : too_long(eval, column);
  }
  if (answer != CAST_OK) {
    if (dialect_is_lenient(eval->dialect) && answer != CAST_UNMODELLED) return value;
    return cast_failed(eval, answer, value, to);
  }
  bool has_fraction = to.kind == TYPE_TIME || to.kind == TYPE_TIMESTAMP || to.kind == TYPE_TIMESTAMPTZ;
  if (has_fraction) result.integer = stamp_fraction(result.integer, to.precision, true);
  return result;
}

/* ---- mysql, mariadb ------------------------------------------------------------------------------ */

static Value out_of_range(Eval *eval, const Column *column) {
  if (!eval->dialect->strict) return eval_unmodelled(eval, "cut values without strict mode are not modelled");
  return eval_error(eval, ERROR_OVERFLOW, "out of range value for column '%s'", column->name);
}

static Value bad_value(Eval *eval, const Column *column) {
  if (!eval->dialect->strict) return eval_unmodelled(eval, "cut values without strict mode are not modelled");
  return eval_error(eval, ERROR_BAD_VALUE, "incorrect value for column '%s'", column->name);
}

/* The exact number to be stored; a double as its shortest text. False: abort is set. */
static bool store_number(Eval *eval, Value value, const Column *column, Decimal *decimal) {
  NumberText number;
  switch (value.kind) {
  case VALUE_TEXT:
    number = number_scan(value.text, value.length);
    if (!number.is_whole) return bad_value(eval, column), false;
    return number_decimal(number, decimal) || (out_of_range(eval, column), false);
  case VALUE_DOUBLE:
    if (fabs(value.real) >= 1e38) return out_of_range(eval, column), false;
    return real_to_decimal(value.real, false, 0, decimal) ||
           (eval_unmodelled(eval, "a real beyond 38 digits"), false);
  default:
    value = mysql_number(eval, value);
    if (eval->abort || value_is_null(value)) return false;
    *decimal = decimal_of(value);
    return true;
  }
}

static Value store_integer(Eval *eval, Value value, const Column *column) {
  int64_t least;
  uint64_t most;
  Decimal decimal;
  if (value.kind == VALUE_DOUBLE) value.real = rint(value.real); /* half to even, unlike decimals */
  if (!store_number(eval, value, column, &decimal)) return NULL_VALUE;
  /* A decimal's sign is looked at before it is rounded. */
  if (value_is_decimal(value) && column->type.is_unsigned && decimal.coefficient < 0)
    return out_of_range(eval, column);
  if (!decimal_round(decimal, 0, &decimal)) return out_of_range(eval, column);
  integer_range(column->type, &least, &most);
  if (decimal.coefficient < least || decimal.coefficient > (Int128)most) return out_of_range(eval, column);
  return decimal.coefficient < 0 ? value_int((int64_t)decimal.coefficient)
                                 : value_uint((uint64_t)decimal.coefficient);
}

static Value store_decimal(Eval *eval, Value value, const Column *column) {
  Decimal decimal, fitted;
  Type type = column->type;
  if (!store_number(eval, value, column, &decimal)) return NULL_VALUE;
  if (!decimal_fit(decimal, type, &fitted))
    return type.precision <= DECIMAL_DIGITS ? out_of_range(eval, column)
                                            : eval_unmodelled(eval, "a decimal beyond 38 digits");
  if (type.is_unsigned && decimal.coefficient < 0) return out_of_range(eval, column);
  return decimal_value(eval->arena, fitted);
}

static Value store_real(Eval *eval, Value value, const Column *column) {
  bool is_single = column->type.kind == TYPE_FLOAT;
  double real;
  if (value.kind == VALUE_TEXT) {
    NumberText number = number_scan(value.text, value.length);
    if (!number.is_whole) return bad_value(eval, column);
    real = number_real(number);
  } else {
    value = mysql_number(eval, value);
    if (eval->abort || value_is_null(value)) return value;
    real = number_to_double(value);
  }
  double stored = is_single ? (float)real : real;
  if (isinf(stored) || (column->type.is_unsigned && stored < 0)) return out_of_range(eval, column);
  if (stored == 0 && eval->dialect->name == DIALECT_MARIADB) stored = 0; /* never a negative zero */
  return (Value){.kind = VALUE_DOUBLE, .flags = is_single ? VALUE_SINGLE : 0, .real = stored};
}

static Value store_text(Eval *eval, Value value, Type from, const Column *column) {
  if (value_is_decimal(value) && value.flags & DECIMAL_CUT)
    return eval_unmodelled(eval, "storing the digits of a quotient of another query block is not modelled");
  if (value_is_decimal(value)) value.flags = 0; /* all digits of a quotient */
  Value text = value_to_text(eval, value, from);
  if (eval->abort) return text;
  if (!text_shorten(&text, column->type)) {
    if (value.kind == VALUE_DOUBLE)
      return eval_unmodelled(eval, "a real squeezed into a short column is not modelled");
    if (eval->dialect->strict) return too_long(eval, column);
  }
  text.flags = 0;
  if (column->type.kind == TYPE_CHAR) text.length = (uint32_t)text_trim_end(text.text, text.length);
  return text;
}

static Value store_blob(Eval *eval, Value value, Type from, const Column *column) {
  Value text = value.kind == VALUE_BLOB ? value : value_to_text(eval, value, from);
  if (eval->abort) return text;
  if (column->type.length && text.length > column->type.length)
    return eval->dialect->strict ? too_long(eval, column)
                                 : eval_unmodelled(eval, "a cut binary string is not modelled");
  return value_blob(text.text, text.length);
}

/* Dates and times: a bad one is an error in strict mode, else a zero date, which is not modelled. */
static Value store_time(Eval *eval, Value value, Type from, const Column *column) {
  if (!eval->dialect->strict && (value.kind == VALUE_TEXT || value_is_number(value))) {
    bool in_write = eval->in_write;
    eval->in_write = false;
    Value result = mysql_cast(eval, value, from, column->type, false);
    eval->in_write = in_write;
    return value_is_null(result) && !eval->abort ? bad_value(eval, column) : result;
  }
  bool in_write = eval->in_write;
  eval->in_write = true;
  Value result = mysql_cast(eval, value, from, column->type, false);
  eval->in_write = in_write;
  return result;
}

static Value mysql_store(Eval *eval, Value value, Type from, const Column *column) {
  if (decimal_is_lossy(value) && !(column->type.kind == TYPE_DECIMAL && column->type.scale <= value.scale))
    return eval_unmodelled(eval, "storing a quotient of another query block is not modelled");
  bool is_text = type_is_text(column->type);
  if (value_is_decimal(value) && (value.flags & DECIMAL_LOSSY || (value.flags & DECIMAL_CUT && !is_text)))
    value.flags = 0;
  switch (column->type.kind) {
  case TYPE_BOOL:
  case TYPE_INT: return store_integer(eval, value, column);
  case TYPE_DECIMAL: return store_decimal(eval, value, column);
  case TYPE_FLOAT:
  case TYPE_DOUBLE: return store_real(eval, value, column);
  case TYPE_CHAR:
  case TYPE_VARCHAR:
  case TYPE_TEXT: return store_text(eval, value, from, column);
  case TYPE_BLOB: return store_blob(eval, value, from, column);
  case TYPE_DATE:
  case TYPE_TIME:
  case TYPE_TIMESTAMP:
  case TYPE_TIMESTAMPTZ: return store_time(eval, value, from, column);
  default: return mysql_cast(eval, value, from, column->type, false);
  }
}

/* ---- Dispatch ------------------------------------------------------------------------------------- */

static bool kinds_agree(Type a, Type b) {
  return a.kind == b.kind || a.kind == TYPE_UNKNOWN || (type_is_text(a) && type_is_text(b)) ||
         (type_is_number(a) && type_is_number(b));
}

/* A free value is stored as it is.  Where the column would change it (now() into a DATE) its
 * stored form is free again: linked to its twins in other columns, not to the original. */
static Value store_doubt(Eval *eval, Value value, Type from, const Column *column) {
  if (from.kind == TYPE_UNKNOWN || from.kind == TYPE_DYNAMIC)
    from = eval->doubts->doubts.items[value.doubt].type;
  if (dialect_is_sqlite(eval->dialect) || kinds_agree(from, column->type)) return value;
  return doubt_convert(eval->doubts, value.doubt, column->type);
}

Value operate_store(Eval *eval, Value value, Type from, const Column *column) {
  if (value_is_null(value)) return NULL_VALUE;
  if (value.kind == VALUE_INT && column->type.kind == TYPE_INT && column->type.bytes == 4 &&
      !column->type.is_unsigned && value.integer == (int32_t)value.integer)
    return value;
  if (value.kind == VALUE_DOUBT) return store_doubt(eval, value, from, column);
  switch (eval->dialect->name) {
  case DIALECT_SQLITE: return sqlite_store(eval, value, column->type.affinity);
  case DIALECT_MYSQL:
  case DIALECT_MARIADB: return mysql_store(eval, value, from, column);
  default: return postgres_store(eval, value, from, column);
  }
}
