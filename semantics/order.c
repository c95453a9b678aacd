/* order.c: the total order of values in indexes and sorting, and hashes that agree with it.
 *
 * Values of one column are of one kind but for sqlite's and generic's; those are ordered by class:
 * NULL, numbers, dates and times, text, blobs.  Numbers of all kinds compare by their exact value, so
 * that the order is transitive. */
#include "semantics/operate.h"

#include "semantics/datetime.h"
#include "semantics/number.h"
#include "semantics/text.h"
#include "src/base/map.h"

#include <math.h>

static int order_of(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int sort_class(Value value) {
  switch (value.kind) {
  case VALUE_NULL: return 0;
  case VALUE_TIME: return 2;
  case VALUE_DATE:
  case VALUE_TIMESTAMP: return 3;
  case VALUE_INTERVAL: return 4;
  case VALUE_TEXT: return 5;
  case VALUE_BLOB: return 6;
  case VALUE_LIST: return 7;
  case VALUE_DOUBT: return 8;
  default: return 1;
  }
}

static int real_order(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
  return a < b ? -1 : a > b;
}

static int number_order(Value a, Value b) {
  bool left = a.kind == VALUE_DOUBLE, right = b.kind == VALUE_DOUBLE;
  if (left && right) return real_order(a.real, b.real);
  if (left) return isnan(a.real) ? 1 : -decimal_compare_double(decimal_of(b), a.real);
  if (right) return isnan(b.real) ? -1 : decimal_compare_double(decimal_of(a), b.real);
  return decimal_compare(decimal_of(a), decimal_of(b));
}

static int64_t stamp_of(Value value) {
  return value.kind == VALUE_DATE ? value.integer * MICROSECONDS_DAY : value.integer;
}

/* The bytes of a text that count: PostgreSQL's CHAR(n) compares without its padding. */
static size_t counted_length(const Dialect *dialect, Type type, Value value) {
  if (type.kind == TYPE_CHAR && dialect_is_postgres(dialect)) return text_trim_end(value.text, value.length);
  return value.length;
}

static int list_order(const Dialect *dialect, Type type, Value a, Value b) {
  for (uint32_t i = 0; i < a.length && i < b.length; i++) {
    int order = value_order(dialect, type, a.items[i], b.items[i]);
    if (order) return order;
  }
  return order_of(a.length, b.length);
}

static Int128 interval_size(Value value) {
  return (Int128)(int32_t)value.length * 30 * MICROSECONDS_DAY + value.integer;
}

int value_order(const Dialect *dialect, Type type, Value a, Value b) {
  if (a.kind == VALUE_INT && b.kind == VALUE_INT) return order_of(a.integer, b.integer);
  int left = sort_class(a), right = sort_class(b);
  if (left != right) return left < right ? -1 : 1;
  switch (a.kind) {
  case VALUE_NULL: return 0;
  case VALUE_TIME: return order_of(a.integer, b.integer);
  case VALUE_DATE:
  case VALUE_TIMESTAMP: return order_of(stamp_of(a), stamp_of(b));
  case VALUE_INTERVAL: {
    Int128 first = interval_size(a), second = interval_size(b);
    return first < second ? -1 : first > second;
  }
  case VALUE_TEXT:
    return text_order(collating_of(dialect, type, type), a.text, counted_length(dialect, type, a), b.text,
                      counted_length(dialect, type, b));
  case VALUE_BLOB: return text_order((Collating){0}, a.text, a.length, b.text, b.length);
  case VALUE_LIST: return list_order(dialect, type, a, b);
  case VALUE_DOUBT: return order_of(a.doubt, b.doubt);
  default: return number_order(a, b);
  }
}

/* ---- Hashes -------------------------------------------------------------------------------- */

/* Below it integers hash as such, from there on as doubles. */
#define INTEGER_LIMIT (INT64_C(1) << 62)

static uint64_t hash_integer(int64_t integer) { return hash_mix(0x9E3779B97F4A7C15u, (uint64_t)integer); }

static uint64_t hash_real(double real) {
  if (real > -(double)INTEGER_LIMIT && real < (double)INTEGER_LIMIT && real == (double)(int64_t)real)
    return hash_integer((int64_t)real);
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  return hash_mix(0xD1B54A32D192ED03u, isnan(real) ? 1 : bits);
}

/* Integers hash as such, whatever their kind; everything else by the nearest double. */
static uint64_t hash_decimal(Decimal decimal) {
  while (decimal.scale > 0 && decimal.coefficient % 10 == 0) {
    decimal.coefficient /= 10;
    decimal.scale--;
  }
  if (decimal.scale == 0 && decimal.coefficient > -INTEGER_LIMIT && decimal.coefficient < INTEGER_LIMIT)
    return hash_integer((int64_t)decimal.coefficient);
  return hash_real(decimal_to_double(decimal));
}

static uint64_t hash_int(int64_t integer) {
  if (integer > -INTEGER_LIMIT && integer < INTEGER_LIMIT) return hash_integer(integer);
  return hash_real((double)integer);
}

uint64_t value_hash(const Dialect *dialect, Type type, Value value) {
  switch (value.kind) {
  case VALUE_NULL: return 0x5BD1E995u;
  case VALUE_BOOL:
  case VALUE_INT: return hash_int(value.integer);
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: return hash_decimal(decimal_of(value));
  case VALUE_DOUBLE: return hash_real(value.real);
  case VALUE_TEXT:
    return text_hash(collating_of(dialect, type, type), value.text, counted_length(dialect, type, value));
  case VALUE_BLOB: return hash_mix(6, hash_bytes(value.text, value.length));
  case VALUE_DATE:
  case VALUE_TIMESTAMP: return hash_mix(3, (uint64_t)stamp_of(value));
  case VALUE_INTERVAL: return hash_mix(4, (uint64_t)interval_size(value));
  case VALUE_LIST: {
    uint64_t hash = value.length;
    for (uint32_t i = 0; i < value.length; i++)
      hash = hash_mix(hash, value_hash(dialect, type, value.items[i]));
    return hash;
  }
  default: return hash_mix(value.kind, value.kind == VALUE_DOUBT ? value.doubt : (uint64_t)value.integer);
  }
}

bool value_is_orderable(const Dialect *dialect, Type type, Value value) {
  if (value.kind != VALUE_TEXT) return true;
  return text_is_orderable(collating_of(dialect, type, type), value.text, value.length);
}
