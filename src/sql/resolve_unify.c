/* resolve_unify.c: which types go together: the common type of CASE, COALESCE and
 * UNION by dialect, and PostgreSQL's lists of comparisons and casts. */
#include "src/sql/resolve_internal.h"

Type type_without_limit(Type type) {
  type.length = 0;
  if (type.kind == TYPE_DECIMAL) type.precision = type.scale = 0;
  return type;
}

static bool type_is_stamp(Type type) { return type.kind == TYPE_TIMESTAMP || type.kind == TYPE_TIMESTAMPTZ; }
static bool type_is_day(Type type) { return type.kind == TYPE_DATE || type_is_stamp(type); }

/* ---- postgresql ------------------------------------------------------------------------------ */

bool type_is_comparable(Type a, Type b) {
  if (a.kind == TYPE_DYNAMIC || b.kind == TYPE_DYNAMIC) return true;
  if (type_is_number(a)) return type_is_number(b);
  if (type_is_text(a)) return type_is_text(b);
  if (type_is_day(a)) return type_is_day(b);
  return a.kind == b.kind;
}

bool type_is_assignable(Type from, Type to) {
  if (from.kind == TYPE_DYNAMIC || type_is_text(to)) return true;
  if (type_is_number(from)) return type_is_number(to);
  if (type_is_day(from)) return type_is_day(to) || (type_is_stamp(from) && to.kind == TYPE_TIME);
  if (from.kind == TYPE_INTERVAL && to.kind == TYPE_TIME) return true;
  if (from.kind == TYPE_TIME && to.kind == TYPE_INTERVAL) return true;
  return from.kind == to.kind;
}

bool type_is_castable(Type from, Type to) {
  if (type_is_text(from) || type_is_assignable(from, to)) return true;
  bool is_int4 = from.kind == TYPE_INT && from.bytes == 4;
  if (to.kind == TYPE_BOOL) return is_int4;
  if (from.kind == TYPE_BOOL) return to.kind == TYPE_INT && to.bytes == 4;
  return false;
}

/* Of two types of one category, the one the other converts to without being asked; of text types the first.
 */
static bool postgres_unify(Type a, Type b, Type *common) {
  *common = a;
  if (type_is_number(a) && type_is_number(b)) {
    if (a.kind == TYPE_INT && b.kind == TYPE_INT) {
      *common = a.bytes >= b.bytes ? a : b;
      common->is_unsigned = a.is_unsigned && b.is_unsigned;
    } else if (a.kind == b.kind) {
      if (a.precision != b.precision || a.scale != b.scale) *common = type_without_limit(a);
    } else {
      *common = type_without_limit(a.kind > b.kind ? a : b); /* INT < DECIMAL < FLOAT < DOUBLE */
    }
    return true;
  }
  if (type_is_text(a) && type_is_text(b)) {
    if (a.kind != b.kind || a.length != b.length) common->length = 0;
    common->is_binary |= b.is_binary;
    return true;
  }
  if (type_is_day(a) && type_is_day(b)) {
    *common = a.kind >= b.kind ? a : b; /* DATE < TIMESTAMP < TIMESTAMPTZ */
    return true;
  }
  return a.kind == b.kind;
}

/* ---- mysql, mariadb -------------------------------------------------------------------------- */

static unsigned integer_digits(Type type) {
  static const uint8_t digits[] = {10, 3, 5, 8, 10, 10, 10, 10, 20};
  return digits[type.bytes <= 8 ? type.bytes : 8];
}

static Type mysql_decimal(Type a, Type b) {
  bool is_free = (a.kind == TYPE_DECIMAL && !a.precision) || (b.kind == TYPE_DECIMAL && !b.precision);
  if (is_free) return type_of(TYPE_DECIMAL);
  unsigned whole_a = a.kind == TYPE_DECIMAL ? (unsigned)(a.precision - a.scale) : integer_digits(a);
  unsigned whole_b = b.kind == TYPE_DECIMAL ? (unsigned)(b.precision - b.scale) : integer_digits(b);
  unsigned scale = a.scale > b.scale ? a.scale : b.scale;
  unsigned precision = (whole_a > whole_b ? whole_a : whole_b) + scale;
  return (Type){
      .kind = TYPE_DECIMAL, .precision = (uint8_t)(precision > 65 ? 65 : precision), .scale = (uint8_t)scale};
}

/* Of mixed signs a DECIMAL in mariadb; in mysql the next wider type, which beyond BIGINT is a DECIMAL too. */
static Type mysql_integers(const Resolver *resolver, Type a, Type b) {
  Type wide = a.bytes >= b.bytes ? a : b;
  if (a.is_unsigned == b.is_unsigned) return wide;
  if (resolver->dialect->name == DIALECT_MARIADB) return (Type){.kind = TYPE_DECIMAL, .precision = 20};
  Type natural = a.is_unsigned ? a : b, integer = a.is_unsigned ? b : a;
  if (natural.bytes < integer.bytes) return integer;
  if (natural.bytes == 8) return (Type){.kind = TYPE_DECIMAL, .precision = 20};
  return type_int(natural.bytes < 4 ? 4 : 8);
}

static bool type_fits_float(Type type) {
  return type.kind == TYPE_FLOAT || (type.kind == TYPE_INT && type.bytes < 4);
}

/* False: not modelled (a time of day becomes a timestamp of today). */
static bool mysql_unify(const Resolver *resolver, Type a, Type b, Type *common) {
  if (a.kind == TYPE_BOOL) a = type_int(1);
  if (b.kind == TYPE_BOOL) b = type_int(1);
  if (type_is_number(a) && type_is_number(b)) {
    if (type_is_real(a) || type_is_real(b)) {
      *common = type_of(type_fits_float(a) && type_fits_float(b) ? TYPE_FLOAT : TYPE_DOUBLE);
    } else {
      *common =
          a.kind == TYPE_INT && b.kind == TYPE_INT ? mysql_integers(resolver, a, b) : mysql_decimal(a, b);
    }
    return true;
  }
  if (type_is_day(a) && type_is_day(b)) return *common = a.kind >= b.kind ? a : b, true;
  if (type_is_time(a) && type_is_time(b) && a.kind != b.kind) return false;
  if (a.kind == b.kind && !type_is_text(a)) return *common = a, true;
  if (a.kind == TYPE_BLOB || b.kind == TYPE_BLOB) return *common = type_of(TYPE_BLOB), true;
  *common = type_plain_text(resolver);
  common->is_binary = a.is_binary || b.is_binary;
  if (a.kind == b.kind && type_is_text(a)) {
    common->kind = a.kind;
    common->length = a.length == b.length ? a.length : 0;
  }
  return true;
}

bool type_unify(const Resolver *resolver, Type a, Type b, Type *common) {
  if (type_is_unknown(a)) return *common = b, true;
  if (type_is_unknown(b)) return *common = a, true;
  if (a.kind == TYPE_DYNAMIC || b.kind == TYPE_DYNAMIC) return *common = type_of(TYPE_DYNAMIC), true;
  if (dialect_is_mysql(resolver->dialect)) return mysql_unify(resolver, a, b, common);
  return postgres_unify(a, b, common);
}
