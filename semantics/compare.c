/* compare.c: SQL's comparison operators, with each dialect's conversions.
 *
 * Comparing two values answers -1, 0 or 1 and may abort.  Whether the caller
 * needs the order or only equality matters under collations that are not modelled in
 * full: `aims` says which. */
#include "semantics/operate.h"

#include "semantics/convert.h"
#include "semantics/datetime.h"
#include "semantics/text.h"

#include <math.h>

typedef enum Aim { AIM_EQUAL, AIM_ORDER } Aim;

static int order_of(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

/* PostgreSQL sorts NaN above all; elsewhere there is none. */
static int real_compare(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
  return a < b ? -1 : a > b;
}

static int exact_compare(Value a, Value b) {
  if (a.kind == VALUE_INT && b.kind == VALUE_INT) return order_of(a.integer, b.integer);
  return decimal_compare(decimal_of(a), decimal_of(b));
}

static int number_compare(Value a, Value b) {
  if (value_is_exact(a) && value_is_exact(b)) return exact_compare(a, b);
  return real_compare(number_to_double(a), number_to_double(b));
}

static int texts_compare(Eval *eval, Collating collating, const char *a, size_t a_length, const char *b,
                         size_t b_length, Aim aim) {
  TextOrder result = text_compare(collating, a, a_length, b, b_length);
  if (result.order == 0 || (aim == AIM_EQUAL ? result.is_sure : result.has_order)) return result.order;
  eval_unmodelled(eval, "comparing '%.*s' and '%.*s' needs a collation that is not modelled",
                  (int)(a_length > 40 ? 40 : a_length), a, (int)(b_length > 40 ? 40 : b_length), b);
  return result.order;
}

static int bytes_compare(Value a, Value b) {
  return text_order((Collating){0}, a.text, a.length, b.text, b.length);
}

/* DATE and TIMESTAMP on one scale. */
static int64_t stamp_of(Value value) {
  return value.kind == VALUE_DATE ? value.integer * MICROSECONDS_DAY : value.integer;
}
static bool is_stamp(Value value) { return value.kind == VALUE_DATE || value.kind == VALUE_TIMESTAMP; }

static int incomparable(Eval *eval, Value a, Value b) {
  eval_unmodelled(eval, "comparing %s with %s is not modelled", value_kind_name(a.kind),
                  value_kind_name(b.kind));
  return 0;
}

static int intervals_compare(Value a, Value b) {
  Int128 left = (Int128)(int32_t)a.length * 30 * MICROSECONDS_DAY + a.integer;
  Int128 right = (Int128)(int32_t)b.length * 30 * MICROSECONDS_DAY + b.integer;
  return left < right ? -1 : left > right;
}

/* Dates and times among themselves; *done is false if they are not both such. */
static int times_compare(Value a, Value b, bool *done) {
  *done = true;
  if (a.kind == b.kind && (a.kind == VALUE_TIME || is_stamp(a))) return order_of(a.integer, b.integer);
  if (is_stamp(a) && is_stamp(b)) return order_of(stamp_of(a), stamp_of(b));
  if (a.kind == VALUE_INTERVAL && b.kind == VALUE_INTERVAL) return intervals_compare(a, b);
  *done = false;
  return 0;
}

/* ---- sqlite ---------------------------------------------------------------------------- */

static int sqlite_class(Value value) { return value_is_number(value) ? 1 : value.kind == VALUE_TEXT ? 2 : 3; }

static int sqlite_number_compare(Value a, Value b) {
  if (a.kind == VALUE_DOUBLE && b.kind == VALUE_DOUBLE) return real_compare(a.real, b.real);
  if (a.kind == VALUE_DOUBLE) return -decimal_compare_double(decimal_of(b), a.real);
  if (b.kind == VALUE_DOUBLE) return decimal_compare_double(decimal_of(a), b.real);
  return exact_compare(a, b);
}

/* The affinity a comparison applies to both sides: "numeric if one is and the other is weaker, text if one
 * is and the other has none" (datatype3, section 4.2). */
static Affinity compare_affinity(Affinity a, Affinity b) {
  bool numeric = a >= AFFINITY_NUMERIC || b >= AFFINITY_NUMERIC;
  if (numeric) return AFFINITY_NUMERIC;
  if (a == AFFINITY_NONE || b == AFFINITY_NONE) return a == AFFINITY_NONE ? b : a;
  return AFFINITY_BLOB;
}

static Value apply_affinity(Eval *eval, Value value, Affinity affinity) {
  Value number;
  if (affinity == AFFINITY_NUMERIC && value.kind == VALUE_TEXT &&
      sqlite_whole_number(value.text, value.length, &number))
    return number;
  if (affinity == AFFINITY_TEXT && value_is_number(value))
    return value_to_text(eval, value, type_of(TYPE_DYNAMIC));
  return value;
}

static int sqlite_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type, Aim aim) {
  Affinity affinity = compare_affinity(a_type.affinity, b_type.affinity);
  a = apply_affinity(eval, a, affinity);
  b = apply_affinity(eval, b, affinity);
  int left = sqlite_class(a), right = sqlite_class(b);
  if (left != right) return left < right ? -1 : 1;
  if (left == 1) return sqlite_number_compare(a, b);
  if (left == 3) return bytes_compare(a, b);
  return texts_compare(eval, collating_of(eval->dialect, a_type, b_type), a.text, a.length, b.text, b.length,
                       aim);
}

/* ---- postgresql, generic ------------------------------------------------------------------ */

/* CHAR(n) compares without its padding; so does an untyped literal next to it. */
static size_t padless_length(Value value, Type type, Type other) {
  bool strips = type.kind == TYPE_CHAR || (type.kind == TYPE_UNKNOWN && other.kind == TYPE_CHAR);
  return strips ? text_trim_end(value.text, value.length) : value.length;
}

/* generic: where PostgreSQL has no comparison, the values are SQLite's. */
static int lenient_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type, Aim aim) {
  if (a.kind == VALUE_TEXT && is_stamp(b)) a = operate_cast(eval, a, a_type, type_of(TYPE_TIMESTAMP), true);
  if (b.kind == VALUE_TEXT && is_stamp(a)) b = operate_cast(eval, b, b_type, type_of(TYPE_TIMESTAMP), true);
  bool done;
  int order = times_compare(a, b, &done);
  if (done || eval->abort) return order;
  bool plain = (value_is_number(a) || a.kind == VALUE_TEXT || a.kind == VALUE_BLOB) &&
               (value_is_number(b) || b.kind == VALUE_TEXT || b.kind == VALUE_BLOB);
  if (!plain) return incomparable(eval, a, b);
  return sqlite_compare(eval, a, type_of(TYPE_DYNAMIC), b, type_of(TYPE_DYNAMIC), aim);
}

static int postgres_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type, Aim aim) {
  if (value_is_number(a) && value_is_number(b)) return number_compare(a, b);
  if (a.kind == VALUE_TEXT && b.kind == VALUE_TEXT)
    return texts_compare(eval, collating_of(eval->dialect, a_type, b_type), a.text,
                         padless_length(a, a_type, b_type), b.text, padless_length(b, b_type, a_type), aim);
  if (a.kind == VALUE_BLOB && b.kind == VALUE_BLOB) return bytes_compare(a, b);
  bool done;
  int order = times_compare(a, b, &done);
  if (done) return order;
  if (dialect_is_lenient(eval->dialect)) return lenient_compare(eval, a, a_type, b, b_type, aim);
  return incomparable(eval, a, b);
}

/* ---- mysql, mariadb -------------------------------------------------------------------------- */

/* MariaDB compares quotients as they are shown; MySQL with all digits. Where that differs, MySQL's answer is
 * not modelled: it has been tried on MariaDB only. */
static int mysql_exact_compare(Eval *eval, Value a, Value b) {
  if (!decimal_is_hidden(a) && !decimal_is_hidden(b)) return exact_compare(a, b);
  int shown = exact_compare(decimal_show(eval->arena, a), decimal_show(eval->arena, b));
  if (eval->dialect->name == DIALECT_MYSQL && shown != exact_compare(a, b))
    eval_unmodelled(eval, "comparing a quotient beyond its shown digits is not modelled");
  return shown;
}

/* A text next to an exact number: MariaDB compares decimals with an integer, and with a decimal sometimes
 * decimals, sometimes doubles; MySQL doubles.  Where that matters, beyond 15 digits or so, the answer is not
 * modelled. */
static int mysql_text_number(Eval *eval, Value text, Value number) {
  NumberText scanned;
  if (!mysql_text(eval, text, &scanned)) return 0;
  double real = number_real(scanned);
  if (number.kind == VALUE_DOUBLE) return real_compare(real, number.real);
  Decimal decimal;
  int order = real_compare(real, number_to_double(number));
  if (!number_decimal(scanned, &decimal))
    return fabs(real) >= 1e38 ? order : incomparable(eval, text, number);
  int exact = decimal_compare(decimal, decimal_of(decimal_show(eval->arena, number)));
  bool is_exact = eval->dialect->name == DIALECT_MARIADB && !value_is_decimal(number);
  return is_exact || exact == order ? exact : incomparable(eval, text, number);
}

static bool is_time(Value value) { return value.kind >= VALUE_DATE && value.kind <= VALUE_TIMESTAMP; }
static bool is_string(Value value) { return value.kind == VALUE_TEXT || value.kind == VALUE_BLOB; }

static int mysql_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type, Aim aim) {
  if (is_string(a) && is_string(b)) {
    Collating collating = collating_of(eval->dialect, a_type, b_type);
    if (a.kind == VALUE_BLOB || b.kind == VALUE_BLOB) collating = (Collating){.has_order = true};
    return texts_compare(eval, collating, a.text, a.length, b.text, b.length, aim);
  }
  if (is_time(a) || is_time(b)) {
    bool done;
    int order = times_compare(a, b, &done);
    if (done) return order;
    if (is_time(a) && is_time(b)) return incomparable(eval, a, b);
    if (is_stamp(a) || is_stamp(b)) {
      a = mysql_stamp(eval, a);
      b = mysql_stamp(eval, b);
      return eval->abort ? 0 : order_of(a.integer, b.integer);
    }
    Value *text = a.kind == VALUE_TEXT ? &a : b.kind == VALUE_TEXT ? &b : NULL;
    if (text) {
      Type target = {.kind = TYPE_TIME, .precision = 6};
      *text = operate_cast(eval, *text, type_of(TYPE_TEXT), target, true);
      if (eval->abort || value_is_null(*text)) return 0;
      return times_compare(a, b, &done);
    }
    if (is_time(a)) a = mysql_time_number(eval, a);
    if (is_time(b)) b = mysql_time_number(eval, b);
  }
  if (value_is_number(a) && value_is_number(b))
    return value_is_exact(a) && value_is_exact(b) ? mysql_exact_compare(eval, a, b) : number_compare(a, b);
  if (a.kind == VALUE_TEXT && value_is_number(b)) return mysql_text_number(eval, a, b);
  if (b.kind == VALUE_TEXT && value_is_number(a)) return -mysql_text_number(eval, b, a);
  return incomparable(eval, a, b);
}

/* ---- Operators ---------------------------------------------------------------------------------- */

static int values_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type, Aim aim) {
  if (a.kind == VALUE_INT && b.kind == VALUE_INT && !dialect_is_sqlite(eval->dialect))
    return order_of(a.integer, b.integer);
  switch (eval->dialect->name) {
  case DIALECT_SQLITE: return sqlite_compare(eval, a, a_type, b, b_type, aim);
  case DIALECT_MYSQL:
  case DIALECT_MARIADB: return mysql_compare(eval, a, a_type, b, b_type, aim);
  default: return postgres_compare(eval, a, a_type, b, b_type, aim);
  }
}

int operate_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type) {
  return values_compare(eval, a, a_type, b, b_type, AIM_ORDER);
}

/* One of them is NULL. */
static void null_compare(Eval *eval, Value a, Type a_type, Value b, Type b_type) {
  if (!dialect_is_mysql(eval->dialect)) return;
  mysql_note_text(eval, a, b_type);
  mysql_note_text(eval, b, a_type);
  if ((value_is_null(a) && a.flags & NULL_NO_DATE) || (value_is_null(b) && b.flags & NULL_NO_DATE))
    eval_unmodelled(eval, "comparing CAST AS DATE of what is no date is not modelled");
}

int operate_equal(Eval *eval, Value a, Type a_type, Value b, Type b_type) {
  if (value_is_null(a) || value_is_null(b)) return null_compare(eval, a, a_type, b, b_type), -1;
  if (a.kind == VALUE_DOUBT || b.kind == VALUE_DOUBT) {
    eval_doubt(eval, a.kind == VALUE_DOUBT ? a : b);
    return -1;
  }
  return values_compare(eval, a, a_type, b, b_type, AIM_EQUAL) == 0;
}

/* a IS NOT DISTINCT FROM b: 1 or 0. */
static int values_alike(Eval *eval, Value a, Type a_type, Value b, Type b_type) {
  if (a.kind == VALUE_DOUBT || b.kind == VALUE_DOUBT) {
    eval_doubt(eval, a.kind == VALUE_DOUBT ? a : b);
    return 0;
  }
  if (value_is_null(a) || value_is_null(b)) {
    null_compare(eval, a, a_type, b, b_type);
    return value_is_null(a) && value_is_null(b);
  }
  return values_compare(eval, a, a_type, b, b_type, AIM_EQUAL) == 0;
}

static bool order_satisfies(ExprKind kind, int order) {
  switch (kind) {
  case EXPR_EQUAL: return order == 0;
  case EXPR_NOT_EQUAL: return order != 0;
  case EXPR_LESS: return order < 0;
  case EXPR_LESS_EQUAL: return order <= 0;
  case EXPR_GREATER: return order > 0;
  default: return order >= 0;
  }
}

Value operate_comparison(Eval *eval, ExprKind kind, Value a, Type a_type, Value b, Type b_type) {
  if (kind == EXPR_IS_NOT_DISTINCT || kind == EXPR_IS_DISTINCT) {
    int alike = values_alike(eval, a, a_type, b, b_type);
    return eval->abort ? NULL_VALUE : truth_value(eval, alike == (kind == EXPR_IS_NOT_DISTINCT));
  }
  if (value_is_null(a) || value_is_null(b)) return null_compare(eval, a, a_type, b, b_type), NULL_VALUE;
  if (a.kind == VALUE_DOUBT || b.kind == VALUE_DOUBT) return eval_doubt(eval, a.kind == VALUE_DOUBT ? a : b);
  Aim aim = kind == EXPR_EQUAL || kind == EXPR_NOT_EQUAL ? AIM_EQUAL : AIM_ORDER;
  int order = values_compare(eval, a, a_type, b, b_type, aim);
  return eval->abort ? NULL_VALUE : truth_value(eval, order_satisfies(kind, order));
}
