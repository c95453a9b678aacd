/* query_key.c: the dialects' comparisons, seen from the side of an ordered column. */
#include "semantics/query_key.h"

#include "semantics/number.h"
#include "semantics/ordered.h"
#include "semantics/text.h"
#include "src/base/decimal.h"

#include <math.h>

static const double EXACT_DOUBLE = 9007199254740992.0; /* 2^53: integers up to here are doubles */

static bool affinity_is_number(uint8_t affinity) { return affinity >= AFFINITY_NUMERIC; }

/* SQLite converts the other operand of a numeric column to a number, and that of a text column to text if it
 * has no affinity itself.  What converts the column's own values cannot use its order. */
static bool sqlite_is_comparable(Type stored, Type probe) {
  if (affinity_is_number(stored.affinity)) return true;
  if (affinity_is_number(probe.affinity)) return false;
  return stored.affinity != AFFINITY_NONE || probe.affinity != AFFINITY_TEXT;
}

static bool sqlite_fits(Type stored, Type probe_type, Value probe) {
  bool is_number = value_is_number(probe);
  if (affinity_is_number(stored.affinity)) return is_number || probe.kind == VALUE_BLOB;
  if (stored.affinity == AFFINITY_TEXT && probe_type.affinity == AFFINITY_NONE) return !is_number;
  return true;
}

static bool collating_is_same(Collating a, Collating b) {
  return a.folds == b.folds && a.pads == b.pads && a.is_partial == b.is_partial &&
         a.has_order == b.has_order && a.is_narrow == b.is_narrow;
}

static bool text_is_comparable(const Dialect *dialect, Type stored, Type probe, bool probe_is_left) {
  Collating own = collating_of(dialect, stored, stored);
  Collating used =
      probe_is_left ? collating_of(dialect, probe, stored) : collating_of(dialect, stored, probe);
  return collating_is_same(own, used);
}

bool key_is_comparable(const Dialect *dialect, Type stored, Type probe, bool probe_is_left) {
  if (dialect_is_sqlite(dialect))
    return sqlite_is_comparable(stored, probe) && text_is_comparable(dialect, stored, probe, probe_is_left);
  if (stored.kind == TYPE_UNKNOWN || stored.kind == TYPE_ROW || probe.kind == TYPE_ROW) return false;
  if (type_is_number(stored))
    return type_is_number(probe) || probe.kind == TYPE_UNKNOWN || probe.kind == TYPE_BOOL;
  if (type_is_text(stored))
    return (type_is_text(probe) || probe.kind == TYPE_UNKNOWN) &&
           text_is_comparable(dialect, stored, probe, probe_is_left);
  return probe.kind == stored.kind || probe.kind == TYPE_UNKNOWN;
}

static bool exact_fits(const Dialect *dialect, Type stored, Value *probe) {
  switch (probe->kind) {
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: return true;
  case VALUE_BOOL:
    if (!dialect_is_mysql(dialect)) return false;
    probe->kind = VALUE_INT;
    return true;
  /* Integers are compared with doubles as doubles: exact on this side of 2^53, and so is the order beyond. */
  case VALUE_DOUBLE: return stored.kind == TYPE_INT && fabs(probe->real) < EXACT_DOUBLE;
  default: return false;
  }
}

static bool real_fits(Value *probe) {
  switch (probe->kind) {
  case VALUE_DOUBLE: return !isnan(probe->real);
  case VALUE_INT: return fabs((double)probe->integer) < EXACT_DOUBLE;
  case VALUE_DECIMAL:
  case VALUE_WIDE: *probe = value_double(decimal_to_double(decimal_of(*probe))); return true;
  default: return false;
  }
}

bool key_fits(const Dialect *dialect, Type stored, Type probe_type, Value *probe) {
  if (probe->kind == VALUE_DOUBT || probe->kind == VALUE_LIST || decimal_is_hidden(*probe)) return false;
  if (dialect_is_sqlite(dialect)) {
    if (!sqlite_fits(stored, probe_type, *probe)) return false;
  } else if (stored.kind == TYPE_INT || stored.kind == TYPE_DECIMAL) {
    if (!exact_fits(dialect, stored, probe)) return false;
  } else if (type_is_real(stored)) {
    if (!real_fits(probe)) return false;
  }
  return key_belongs(dialect, stored, *probe);
}

bool key_belongs(const Dialect *dialect, Type stored, Value value) {
  if (!type_takes(stored, value.kind)) return false;
  return value.kind != VALUE_TEXT || value_is_orderable(dialect, stored, value);
}
