/* ordered_word.c: the words of numbers, times and text.
 *
 * Numbers give their floor, clamped; NULL the least integer.  Text in byte order gives
 * its first bytes, most significant first.  A column of sqlite holds any kind: numbers
 * lie below 2^62, text above, blobs at the end. */
#include "semantics/ordered_word.h"

#include <math.h>

static const int64_t DYNAMIC_TEXT = (int64_t)1 << 62; /* sqlite: numbers are below, text is here and above */

static bool text_is_by_bytes(Type type) { return type.collation == COLLATION_C; }

bool type_has_words(const Dialect *dialect, Type type) {
  switch (type.kind) {
  case TYPE_BOOL:
  case TYPE_INT:
  case TYPE_DECIMAL:
  case TYPE_FLOAT:
  case TYPE_DOUBLE:
  case TYPE_DATE:
  case TYPE_TIME:
  case TYPE_TIMESTAMP:
  case TYPE_TIMESTAMPTZ:
  case TYPE_DYNAMIC: return true;
  case TYPE_VARCHAR:
  case TYPE_TEXT: /* elsewhere trailing blanks do not count */
    return dialect_is_postgres(dialect) && text_is_by_bytes(type) && !dialect->other_collation;
  default: return false;
  }
}

static int64_t clamp_double(double real, int64_t least, int64_t most) {
  if (isnan(real)) return most;
  double whole = floor(real);
  if (whole <= (double)least) return least;
  if (whole >= (double)most) return most;
  return (int64_t)whole;
}

static int64_t clamp_wide(Value value, int64_t least, int64_t most) {
  Int128 coefficient = value_coefficient(value);
  bool is_negative = coefficient < 0, is_whole = true;
  for (unsigned i = value_is_decimal(value) ? value.scale : 0; i > 0; i--) {
    is_whole = is_whole && coefficient % 10 == 0;
    coefficient /= 10;
  }
  if (is_negative && !is_whole) coefficient--;
  if (coefficient <= least) return least;
  if (coefficient >= most) return most;
  return (int64_t)coefficient;
}

/* The first `count` bytes as an unsigned number, missing ones as zero. */
static uint64_t text_head(Value value, unsigned count) {
  uint64_t head = 0;
  for (unsigned i = 0; i < count; i++)
    head = head << 8 | (i < value.length ? (unsigned char)value.text[i] : 0);
  return head;
}

static int64_t dynamic_word(Type type, Value value, bool *is_exact) {
  switch (value.kind) {
  case VALUE_INT:
    if (value.integer > -DYNAMIC_TEXT && value.integer < DYNAMIC_TEXT - 1) {
      *is_exact = true;
      return value.integer;
    }
    return value.integer < 0 ? -DYNAMIC_TEXT : DYNAMIC_TEXT - 1;
  case VALUE_DOUBLE: return clamp_double(value.real, -DYNAMIC_TEXT, DYNAMIC_TEXT - 1);
  case VALUE_TEXT: return DYNAMIC_TEXT + (text_is_by_bytes(type) ? (int64_t)(text_head(value, 7) << 5) : 0);
  case VALUE_BLOB: return INT64_MAX;
  default: return clamp_wide(value, -DYNAMIC_TEXT, DYNAMIC_TEXT - 1);
  }
}

int64_t word_of(Type type, Value value, bool *is_exact) {
  *is_exact = false;
  if (value.kind == VALUE_NULL) return INT64_MIN;
  if (type.kind == TYPE_DYNAMIC) return dynamic_word(type, value, is_exact);
  switch (value.kind) {
  case VALUE_BOOL: *is_exact = type.kind == TYPE_BOOL; return value.integer;
  case VALUE_INT: *is_exact = type.kind != TYPE_BOOL; return value.integer;
  case VALUE_DATE:
  case VALUE_TIME:
  case VALUE_TIMESTAMP: *is_exact = true; return value.integer;
  case VALUE_DOUBLE: return clamp_double(value.real, INT64_MIN, INT64_MAX);
  case VALUE_TEXT: return (int64_t)(text_head(value, 8) ^ (uint64_t)1 << 63);
  default: return clamp_wide(value, INT64_MIN, INT64_MAX);
  }
}

Value word_value(Type type, int64_t word) {
  Value value = value_int(word);
  switch (type.kind) {
  case TYPE_BOOL: value.kind = VALUE_BOOL; break;
  case TYPE_DATE: value.kind = VALUE_DATE; break;
  case TYPE_TIME: value.kind = VALUE_TIME; break;
  case TYPE_TIMESTAMP:
  case TYPE_TIMESTAMPTZ: value.kind = VALUE_TIMESTAMP; break;
  default: break;
  }
  return value;
}
