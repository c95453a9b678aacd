/* arithmetic_time.c: + - * / on dates, times and intervals. */
#include "semantics/arithmetic.h"

#include "semantics/convert.h"
#include "semantics/datetime.h"

#include <math.h>

static bool is_time_kind(Value value) { return value.kind >= VALUE_DATE && value.kind <= VALUE_INTERVAL; }
static bool is_stamp(Value value) { return value.kind == VALUE_DATE || value.kind == VALUE_TIMESTAMP; }
static int64_t stamp_of(Value value) {
  return value.kind == VALUE_DATE ? value.integer * MICROSECONDS_DAY : value.integer;
}

static Value interval_value(int64_t months, int64_t microseconds) {
  return (Value){.kind = VALUE_INTERVAL, .length = (uint32_t)(int32_t)months, .integer = microseconds};
}

/* Keeps years between 1 and 9999, which is all that prints plainly. */
static Value stamp_value(Eval *eval, int64_t stamp) {
  static const int64_t first = -719162, end = 2932897; /* 0001-01-01 and 10000-01-01 */
  if (stamp < first * MICROSECONDS_DAY || stamp >= end * MICROSECONDS_DAY)
    return eval_unmodelled(eval, "a date beyond the years 1 to 9999 is not modelled");
  return (Value){.kind = VALUE_TIMESTAMP, .integer = stamp};
}

static Value date_value(Eval *eval, int64_t days) {
  if (days < -1000000 || days > 3000000) days = 3000000;
  Value stamp = stamp_value(eval, days * MICROSECONDS_DAY);
  return eval->abort ? stamp : (Value){.kind = VALUE_DATE, .integer = days};
}

/* A fraction of a month is so many thirtieths, in days. */
static Value interval_scale(Eval *eval, Value interval, double factor) {
  double months = (double)(int32_t)interval.length * factor, whole = trunc(months);
  double micros = (double)interval.integer * factor + (months - whole) * 30 * (double)MICROSECONDS_DAY;
  if (!(fabs(whole) < 1e9) || !(fabs(micros) < 9e18))
    return eval_unmodelled(eval, "a long interval is not modelled");
  return interval_value((int64_t)whole, (int64_t)rint(micros));
}

static Value interval_binary(Eval *eval, ExprKind kind, Value a, Value b) {
  int64_t sign = kind == EXPR_SUBTRACT ? -1 : 1;
  if ((kind == EXPR_ADD || kind == EXPR_SUBTRACT) && a.kind == b.kind)
    return interval_value((int32_t)a.length + sign * (int32_t)b.length, a.integer + sign * b.integer);
  if (kind == EXPR_MULTIPLY && value_is_number(a)) return interval_scale(eval, b, number_to_double(a));
  if (kind == EXPR_MULTIPLY && value_is_number(b)) return interval_scale(eval, a, number_to_double(b));
  if (kind == EXPR_DIVIDE && value_is_number(b)) {
    double divisor = number_to_double(b);
    return divisor == 0 ? division_by_zero(eval) : interval_scale(eval, a, 1 / divisor);
  }
  return eval_unmodelled(eval, "this operator on intervals is not modelled");
}

static Value point_shift(Eval *eval, Value point, Value interval, int64_t sign) {
  int64_t months = sign * (int32_t)interval.length, micros = sign * interval.integer;
  if (point.kind == VALUE_TIME) {
    int64_t time = (point.integer + micros) % MICROSECONDS_DAY;
    return (Value){.kind = VALUE_TIME, .integer = time < 0 ? time + MICROSECONDS_DAY : time};
  }
  if (micros > INT64_MAX / 4 || micros < INT64_MIN / 4 || months > 200000 || months < -200000)
    return eval_unmodelled(eval, "a long interval is not modelled");
  return stamp_value(eval, stamp_add(stamp_of(point), months, micros));
}

static Value point_difference(Eval *eval, Value a, Value b) {
  if (a.kind == VALUE_DATE && b.kind == VALUE_DATE) return value_int(a.integer - b.integer);
  if (is_stamp(a) && is_stamp(b)) return interval_value(0, stamp_of(a) - stamp_of(b));
  if (a.kind == VALUE_TIME && b.kind == VALUE_TIME) return interval_value(0, a.integer - b.integer);
  return eval_unmodelled(eval, "this difference of times is not modelled");
}

Value time_binary(Eval *eval, ExprKind kind, Value a, Value b, bool *handled) {
  *handled = is_time_kind(a) || is_time_kind(b);
  if (!*handled) return NULL_VALUE;
  bool left = a.kind == VALUE_INTERVAL, right = b.kind == VALUE_INTERVAL;
  if ((left && (right || value_is_number(b))) || (right && value_is_number(a)))
    return interval_binary(eval, kind, a, b);
  bool adds = kind == EXPR_ADD, subtracts = kind == EXPR_SUBTRACT;
  if (right && is_time_kind(a) && (adds || subtracts)) return point_shift(eval, a, b, adds ? 1 : -1);
  if (left && is_time_kind(b) && adds) return point_shift(eval, b, a, 1);
  if (a.kind == VALUE_DATE && b.kind == VALUE_INT && (adds || subtracts))
    return date_value(eval, adds ? a.integer + b.integer : a.integer - b.integer);
  if (b.kind == VALUE_DATE && a.kind == VALUE_INT && adds) return date_value(eval, a.integer + b.integer);
  bool joins = adds && ((a.kind == VALUE_DATE && b.kind == VALUE_TIME) ||
                        (a.kind == VALUE_TIME && b.kind == VALUE_DATE));
  if (joins) return stamp_value(eval, stamp_of(a) + stamp_of(b));
  if (subtracts && is_time_kind(a) && is_time_kind(b)) return point_difference(eval, a, b);
  return eval_unmodelled(eval, "an operator on %s and %s is not modelled", value_kind_name(a.kind),
                         value_kind_name(b.kind));
}

/* ---- mysql: date + INTERVAL n unit --------------------------------------------------------------- */

static Value bad_date(Eval *eval, Value text) {
  return eval_strict(eval, NULL_VALUE, ERROR_BAD_VALUE, "incorrect datetime value '%.*s'", (int)text.length,
                     text.text);
}

Value mysql_date_add(Eval *eval, Value date, Value interval, bool subtracts, Type type) {
  bool is_text = false, has_time = interval.flags & INTERVAL_HAS_TIME;
  if (interval.kind != VALUE_INTERVAL)
    return eval_unmodelled(eval, "a date with such an interval is not modelled");
  if (date.kind == VALUE_TIME) return eval_unmodelled(eval, "TIME + INTERVAL is not modelled");
  if (date.kind == VALUE_TEXT || date.kind == VALUE_INT) {
    TimeText parsed;
    is_text = true;
    TimeAnswer answer = date.kind == VALUE_TEXT ? datetime_parse_mysql(date.text, date.length, &parsed)
                                                : datetime_of_number(date.integer, &parsed);
    if (answer == TIME_BAD && date.kind == VALUE_TEXT) return bad_date(eval, date);
    if (answer != TIME_OK || parsed.is_partial)
      return eval_unmodelled(eval, "this form of a date is not modelled");
    has_time |= parsed.has_time;
    date = (Value){.kind = VALUE_TIMESTAMP, .integer = moment_stamp(parsed.moment)};
  }
  if (!is_stamp(date))
    return eval_unmodelled(eval, "%s + INTERVAL is not modelled", value_kind_name(date.kind));
  Value sum = point_shift(eval, date, interval, subtracts ? -1 : 1);
  if (eval->abort) return sum;
  bool is_date = type.kind == TYPE_DATE || (date.kind == VALUE_DATE && !has_time);
  if (is_text) {
    is_date = !has_time;
    char buffer[DATETIME_TEXT];
    size_t length = is_date ? date_write(floor_divide(sum.integer, MICROSECONDS_DAY), buffer)
                            : stamp_write(sum.integer, sum.integer % MICROSECONDS_SECOND ? 6 : 0, buffer);
    if (type_is_text(type)) return value_text(arena_text(eval->arena, buffer, length), length);
  }
  if (is_date) return (Value){.kind = VALUE_DATE, .integer = floor_divide(sum.integer, MICROSECONDS_DAY)};
  return sum;
}
