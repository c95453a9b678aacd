/* function_time.c: functions on dates and times of PostgreSQL and MySQL.
 *
 * Whatever a function is given (a date, a timestamp, text, a number) becomes a Moment
 * first.  What is no date is NULL in mysql and an error in postgresql. */
#include "semantics/function_time.h"

#include "semantics/convert.h"
#include "semantics/datetime.h"
#include "semantics/operate.h"
#include "src/base/decimal.h"
#include "src/sql/function.h"

#include <stdio.h>
#include <strings.h>

typedef struct TimeCall {
  Eval *eval;
  const Expr *expr;
  const Value *args;
  uint32_t count;
  FunctionId id;
} TimeCall;

/* ---- Arguments ---------------------------------------------------------------------- */

/* What is no date: NULL in mysql, but an error in a strict write; an error in postgresql. */
static bool moment_fail(TimeCall *call, TimeAnswer answer) {
  if (answer == TIME_UNSUPPORTED)
    eval_unmodelled(call->eval, "%s of a text in this form", call->expr->function->name);
  else if (call->eval->dialect->name == DIALECT_POSTGRESQL)
    eval_error(call->eval, ERROR_BAD_VALUE, "invalid input syntax for a date");
  else if (dialect_is_mysql(call->eval->dialect))
    eval_strict(call->eval, NULL_VALUE, ERROR_BAD_VALUE, "incorrect datetime value");
  return false;
}

static bool moment_of_value(TimeCall *call, Value value, Moment *moment, bool *has_time) {
  TimeText parsed = {0};
  TimeAnswer answer;
  *has_time = value.kind != VALUE_DATE;
  switch (value.kind) {
  case VALUE_DATE: *moment = moment_of_days(value.integer); return true;
  case VALUE_TIMESTAMP: *moment = moment_of_stamp(value.integer); return true;
  default: break;
  }
  if (dialect_is_mysql(call->eval->dialect))
    answer = mysql_moment(value, &parsed);
  else
    answer = value.kind == VALUE_TEXT ? datetime_parse_postgres(value.text, value.length, &parsed)
                                      : TIME_UNSUPPORTED;
  if (answer != TIME_OK || parsed.has_zone)
    return moment_fail(call, answer == TIME_OK ? TIME_UNSUPPORTED : answer);
  *moment = parsed.moment;
  *has_time = parsed.has_time;
  return true;
}

static bool call_moment(TimeCall *call, uint32_t index, Moment *moment) {
  bool has_time;
  return moment_of_value(call, call->args[index], moment, &has_time);
}

/* The time of day of a timestamp, a time, or a text of either. */
static bool call_time_of_day(TimeCall *call, int64_t *time) {
  Value value = call->args[0];
  bool is_partial;
  if (value.kind == VALUE_TIME) return *time = value.integer, true;
  if (value.kind == VALUE_TEXT && memchr(value.text, ':', value.length) &&
      !memchr(value.text, '-', value.length)) {
    TimeAnswer answer = time_parse(call->eval->dialect, value.text, value.length, time, &is_partial);
    return answer == TIME_OK ? true : moment_fail(call, answer);
  }
  Moment moment;
  if (!call_moment(call, 0, &moment)) return false;
  *time = moment.in_day;
  return true;
}

static Value date_value(int64_t days) { return (Value){.kind = VALUE_DATE, .integer = days}; }
static Value stamp_value(int64_t stamp) { return (Value){.kind = VALUE_TIMESTAMP, .integer = stamp}; }
static int64_t moment_days(Moment moment) { return date_days(moment.year, moment.month, moment.day); }

/* ---- Fields ---------------------------------------------------------------------------- */

static const char *const day_names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};

static Value call_date_field(TimeCall *call) {
  Moment moment;
  if (!call_moment(call, 0, &moment)) return NULL_VALUE;
  int week_day = day_of_week(moment_days(moment));
  switch (call->id) {
  case FUNCTION_YEAR: return value_int(moment.year);
  case FUNCTION_MONTH: return value_int(moment.month);
  case FUNCTION_DAY: return value_int(moment.day);
  case FUNCTION_DAYOFWEEK: return value_int(week_day + 1);
  case FUNCTION_WEEKDAY: return value_int((week_day + 6) % 7);
  case FUNCTION_DAYOFYEAR: return value_int(day_of_year(moment));
  case FUNCTION_QUARTER: return value_int((moment.month + 2) / 3);
  case FUNCTION_DAYNAME: return value_string(day_names[week_day]);
  case FUNCTION_MONTHNAME: return value_string(month_names[moment.month - 1]);
  case FUNCTION_TO_DAYS: return value_int(moment_days(moment) + 719528);
  case FUNCTION_LAST_DAY:
    return date_value(date_days(moment.year, moment.month, month_days(moment.year, moment.month)));
  case FUNCTION_DATE: return date_value(moment_days(moment));
  default: return stamp_value(moment_stamp(moment)); /* TIMESTAMP */
  }
}

static Value call_time_field(TimeCall *call) {
  int64_t time;
  if (!call_time_of_day(call, &time)) return NULL_VALUE;
  int64_t size = time < 0 ? -time : time;
  switch (call->id) {
  case FUNCTION_HOUR: return value_int(size / MICROSECONDS_HOUR);
  case FUNCTION_MINUTE: return value_int(size / MICROSECONDS_MINUTE % 60);
  case FUNCTION_SECOND: return value_int(size / MICROSECONDS_SECOND % 60);
  case FUNCTION_MICROSECOND: return value_int(size % MICROSECONDS_SECOND);
  default: return (Value){.kind = VALUE_TIME, .integer = time};
  }
}

/* ---- EXTRACT and DATE_PART ------------------------------------------------------------------ */

static Value field_number(TimeCall *call, int64_t micros) {
  if (call->expr->type.kind == TYPE_DOUBLE) return value_double((double)micros / 1e6);
  return value_decimal(call->eval->arena, micros, 6);
}

static Value field_integer(TimeCall *call, int64_t integer) {
  return call->expr->type.kind == TYPE_DOUBLE ? value_double((double)integer) : value_int(integer);
}

static int iso_day_of_week(Moment moment) {
  int day = day_of_week(moment_days(moment));
  return day ? day : 7;
}

/* The ISO week is the one of its Thursday. */
static int64_t iso_week(Moment moment) {
  int64_t thursday = moment_days(moment) - iso_day_of_week(moment) + 4;
  int64_t year = moment.year;
  if (thursday < date_days(year, 1, 1)) year--;
  if (thursday >= date_days(year + 1, 1, 1)) year++;
  return (thursday - date_days(year, 1, 1)) / 7 + 1;
}

static Value moment_field(TimeCall *call, Moment moment, IntervalUnit unit) {
  bool is_mysql = dialect_is_mysql(call->eval->dialect);
  switch (unit) {
  case UNIT_YEAR: return field_integer(call, moment.year);
  case UNIT_QUARTER: return field_integer(call, (moment.month + 2) / 3);
  case UNIT_MONTH: return field_integer(call, moment.month);
  case UNIT_WEEK:
    return is_mysql ? eval_unmodelled(call->eval, "EXTRACT of this field")
                    : field_integer(call, iso_week(moment));
  case UNIT_DAY: return field_integer(call, moment.day);
  case UNIT_DOW: return field_integer(call, day_of_week(moment_days(moment)));
  case UNIT_ISODOW: return field_integer(call, iso_day_of_week(moment));
  case UNIT_DOY: return field_integer(call, day_of_year(moment));
  case UNIT_EPOCH: return field_number(call, moment_stamp(moment));
  case UNIT_HOUR: return field_integer(call, moment.in_day / MICROSECONDS_HOUR);
  case UNIT_MINUTE: return field_integer(call, moment.in_day / MICROSECONDS_MINUTE % 60);
  case UNIT_SECOND:
    if (is_mysql) return value_int(moment.in_day / MICROSECONDS_SECOND % 60);
    return field_number(call, moment.in_day % MICROSECONDS_MINUTE);
  case UNIT_MICROSECOND:
    return field_integer(call, moment.in_day % (is_mysql ? MICROSECONDS_SECOND : MICROSECONDS_MINUTE));
  default: return eval_unmodelled(call->eval, "EXTRACT of this field");
  }
}

static bool name_is(Value name, const char *word) {
  return name.length == strlen(word) && strncasecmp(name.text, word, name.length) == 0;
}

static Value named_field(TimeCall *call, Moment moment, Value name) {
  static const struct {
    const char *name;
    IntervalUnit unit;
  } fields[] = {{"dow", UNIT_DOW}, {"isodow", UNIT_ISODOW}, {"doy", UNIT_DOY}, {"epoch", UNIT_EPOCH}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (name_is(name, fields[i].name)) return moment_field(call, moment, fields[i].unit);
  return moment_field(call, moment, unit_of_name(name.text, name.length));
}

static Value call_extract(TimeCall *call) {
  Moment moment;
  if (!call_moment(call, call->count - 1, &moment)) return NULL_VALUE;
  if (call->count == 1) return moment_field(call, moment, call->expr->op);
  if (call->args[0].kind != VALUE_TEXT) return eval_unmodelled(call->eval, "EXTRACT of this field");
  return named_field(call, moment, call->args[0]);
}

static Value call_date_trunc(TimeCall *call) {
  Moment moment;
  if (call->args[0].kind != VALUE_TEXT) return eval_unmodelled(call->eval, "DATE_TRUNC to this unit");
  if (call->args[1].kind == VALUE_DATE)
    return eval_unmodelled(call->eval, "DATE_TRUNC of a date has a time zone");
  if (!call_moment(call, 1, &moment)) return NULL_VALUE;
  IntervalUnit unit = unit_of_name(call->args[0].text, call->args[0].length);
  int64_t months, micros;
  unit_size(unit, &months, &micros);
  if (unit == UNIT_NONE) return eval_unmodelled(call->eval, "DATE_TRUNC to this unit");
  if (unit == UNIT_WEEK) {
    int64_t days = moment_days(moment);
    return stamp_value((days - (day_of_week(days) + 6) % 7) * MICROSECONDS_DAY);
  }
  if (months == 0) {
    moment.in_day -= moment.in_day % micros;
    return stamp_value(moment_stamp(moment));
  }
  moment.in_day = 0;
  moment.day = 1;
  moment.month -= (moment.month - 1) % (int)months;
  return stamp_value(moment_stamp(moment));
}

/* ---- Arithmetic --------------------------------------------------------------------------------- */

/* A moment in the type the expression has: a date, a timestamp, or (mysql, from text) text. */
static Value moment_value(TimeCall *call, int64_t stamp, bool has_time) {
  if (stamp < -62167219200 * MICROSECONDS_SECOND || stamp >= 253402300800 * MICROSECONDS_SECOND)
    return NULL_VALUE;
  if (call->expr->type.kind == TYPE_DATE) return date_value(floor_divide(stamp, MICROSECONDS_DAY));
  if (!type_is_text(call->expr->type)) return stamp_value(stamp);
  char *text = arena_alloc(call->eval->arena, DATETIME_TEXT);
  if (!has_time) return value_text(text, date_write(floor_divide(stamp, MICROSECONDS_DAY), text));
  return value_text(text, stamp_write(stamp, stamp % MICROSECONDS_SECOND ? 6 : 0, text));
}

static Value call_shift(TimeCall *call) { /* DATE_ADD, DATE_SUB */
  Moment moment;
  bool has_time;
  int64_t days, sign = call->id == FUNCTION_DATE_SUB ? -1 : 1;
  if (!moment_of_value(call, call->args[0], &moment, &has_time)) return NULL_VALUE;
  Value amount = call->args[1];
  if (amount.kind == VALUE_INTERVAL) {
    IntervalUnit unit = call->expr->args[1]->op;
    has_time |= unit != UNIT_NONE && unit < UNIT_DAY;
    return moment_value(call,
                        stamp_add(moment_stamp(moment), sign * (int32_t)amount.length, sign * amount.integer),
                        has_time);
  }
  if (!convert_integer(call->eval, amount, &days)) return NULL_VALUE;
  if (days > 4000000 || days < -4000000) return NULL_VALUE;
  return moment_value(call, stamp_add(moment_stamp(moment), 0, sign * days * MICROSECONDS_DAY), has_time);
}

static bool call_unit(TimeCall *call, IntervalUnit *unit, uint32_t *first) {
  *first = call->count - 2;
  *unit = call->expr->op;
  if (call->count == 3 && call->args[0].kind == VALUE_TEXT)
    *unit = unit_of_name(call->args[0].text, call->args[0].length);
  if (*unit != UNIT_NONE) return true;
  eval_unmodelled(call->eval, "%s with this unit", call->expr->function->name);
  return false;
}

static Value call_timestampadd(TimeCall *call) { /* (unit, n, x) */
  IntervalUnit unit;
  uint32_t first;
  Moment moment;
  bool has_time;
  int64_t amount, months, micros;
  if (!call_unit(call, &unit, &first) || !convert_integer(call->eval, call->args[first], &amount))
    return NULL_VALUE;
  if (!moment_of_value(call, call->args[first + 1], &moment, &has_time)) return NULL_VALUE;
  unit_size(unit, &months, &micros);
  if (amount > 100000000 || amount < -100000000)
    return eval_unmodelled(call->eval, "TIMESTAMPADD of so much");
  return moment_value(call, stamp_add(moment_stamp(moment), amount * months, amount * micros),
                      has_time || unit < UNIT_DAY);
}

/* Whole months from a to b, towards zero. */
static int64_t months_between(int64_t a, int64_t b) {
  if (b < a) return -months_between(b, a);
  Moment from = moment_of_stamp(a), to = moment_of_stamp(b);
  int64_t months = (to.year - from.year) * 12 + to.month - from.month;
  bool is_short = to.day < from.day || (to.day == from.day && to.in_day < from.in_day);
  return months - is_short;
}

static Value call_timestampdiff(TimeCall *call) { /* (unit, a, b): b - a */
  IntervalUnit unit;
  uint32_t first;
  Moment a, b;
  int64_t months, micros;
  if (!call_unit(call, &unit, &first) || !call_moment(call, first, &a) || !call_moment(call, first + 1, &b))
    return NULL_VALUE;
  unit_size(unit, &months, &micros);
  int64_t from = moment_stamp(a), to = moment_stamp(b);
  return value_int(months ? months_between(from, to) / months : (to - from) / micros);
}

static Value call_datediff(TimeCall *call) {
  Moment a, b;
  if (!call_moment(call, 0, &a) || !call_moment(call, 1, &b)) return NULL_VALUE;
  return value_int(moment_days(a) - moment_days(b));
}

static Value call_make(TimeCall *call) {
  int64_t numbers[3] = {0};
  for (uint32_t i = 0; i < call->count; i++)
    if (!convert_integer(call->eval, call->args[i], &numbers[i])) return NULL_VALUE;
  if (call->id == FUNCTION_FROM_DAYS) return date_value(numbers[0] - 719528);
  if (call->id == FUNCTION_MAKEDATE) {
    if (numbers[1] <= 0) return NULL_VALUE;
    if (numbers[0] < 100 || numbers[0] > 9999 || numbers[1] > 100000)
      return eval_unmodelled(call->eval, "MAKEDATE of such a year");
    return date_value(date_days(numbers[0], 1, 1) + numbers[1] - 1);
  }
  bool fits = numbers[0] > 0 && numbers[0] < 10000 && numbers[1] > 0 && numbers[1] < 13 && numbers[2] > 0 &&
              numbers[2] < 32;
  if (fits && date_is_valid(numbers[0], (int)numbers[1], (int)numbers[2]))
    return date_value(date_days(numbers[0], (int)numbers[1], (int)numbers[2]));
  if (dialect_is_lenient(call->eval->dialect)) return NULL_VALUE;
  return eval_error(call->eval, ERROR_BAD_VALUE, "date field value out of range");
}

/* ---- DATE_FORMAT ------------------------------------------------------------------------------------ */

static size_t format_field(char *at, char field, Moment moment) {
  int hour = (int)(moment.in_day / MICROSECONDS_HOUR),
      minute = (int)(moment.in_day / MICROSECONDS_MINUTE % 60);
  int second = (int)(moment.in_day / MICROSECONDS_SECOND % 60), week_day = day_of_week(moment_days(moment));
  int twelve = hour % 12 ? hour % 12 : 12;
  switch (field) {
  case 'Y': return (size_t)sprintf(at, "%04d", (int)moment.year);
  case 'y': return (size_t)sprintf(at, "%02d", (int)(moment.year % 100));
  case 'm': return (size_t)sprintf(at, "%02d", moment.month);
  case 'c': return (size_t)sprintf(at, "%d", moment.month);
  case 'd': return (size_t)sprintf(at, "%02d", moment.day);
  case 'e': return (size_t)sprintf(at, "%d", moment.day);
  case 'H': return (size_t)sprintf(at, "%02d", hour);
  case 'k': return (size_t)sprintf(at, "%d", hour);
  case 'h':
  case 'I': return (size_t)sprintf(at, "%02d", twelve);
  case 'l': return (size_t)sprintf(at, "%d", twelve);
  case 'i': return (size_t)sprintf(at, "%02d", minute);
  case 's':
  case 'S': return (size_t)sprintf(at, "%02d", second);
  case 'f': return (size_t)sprintf(at, "%06d", (int)(moment.in_day % MICROSECONDS_SECOND));
  case 'j': return (size_t)sprintf(at, "%03d", day_of_year(moment));
  case 'w': return (size_t)sprintf(at, "%d", week_day);
  case 'W': return (size_t)sprintf(at, "%s", day_names[week_day]);
  case 'a': return (size_t)sprintf(at, "%.3s", day_names[week_day]);
  case 'M': return (size_t)sprintf(at, "%s", month_names[moment.month - 1]);
  case 'b': return (size_t)sprintf(at, "%.3s", month_names[moment.month - 1]);
  case 'p': return (size_t)sprintf(at, "%s", hour < 12 ? "AM" : "PM");
  case 'T': return (size_t)sprintf(at, "%02d:%02d:%02d", hour, minute, second);
  case 'r': return (size_t)sprintf(at, "%02d:%02d:%02d %s", twelve, minute, second, hour < 12 ? "AM" : "PM");
  case '%': return (size_t)sprintf(at, "%%");
  default: return 0;
  }
}

static Value call_date_format(TimeCall *call) {
  Moment moment;
  if (!call_moment(call, 0, &moment)) return NULL_VALUE;
  Value format = call->args[1];
  if (format.kind != VALUE_TEXT) return eval_unmodelled(call->eval, "DATE_FORMAT by what is no text");
  char *text = arena_alloc(call->eval->arena, 16 * (size_t)format.length + 1), *at = text;
  for (uint32_t i = 0; i < format.length; i++) {
    if (format.text[i] != '%' || i + 1 == format.length) {
      *at++ = format.text[i];
      continue;
    }
    size_t size = format_field(at, format.text[++i], moment);
    if (!size) return eval_unmodelled(call->eval, "DATE_FORMAT with %%%c", format.text[i]);
    at += size;
  }
  return value_text(text, (size_t)(at - text));
}

bool function_time_call(Eval *eval, const Expr *expr, const Value *args, Value *result) {
  TimeCall call = {
      .eval = eval, .expr = expr, .args = args, .count = expr->arg_count, .id = expr->function->id};
  switch (call.id) {
  case FUNCTION_YEAR:
  case FUNCTION_MONTH:
  case FUNCTION_DAY:
  case FUNCTION_DAYOFWEEK:
  case FUNCTION_WEEKDAY:
  case FUNCTION_DAYOFYEAR:
  case FUNCTION_QUARTER:
  case FUNCTION_DAYNAME:
  case FUNCTION_MONTHNAME:
  case FUNCTION_TO_DAYS:
  case FUNCTION_LAST_DAY:
  case FUNCTION_DATE:
  case FUNCTION_TIMESTAMP: *result = call_date_field(&call); return true;
  case FUNCTION_HOUR:
  case FUNCTION_MINUTE:
  case FUNCTION_SECOND:
  case FUNCTION_MICROSECOND:
  case FUNCTION_TIME: *result = call_time_field(&call); return true;
  case FUNCTION_EXTRACT: *result = call_extract(&call); return true;
  case FUNCTION_DATE_TRUNC: *result = call_date_trunc(&call); return true;
  case FUNCTION_DATE_ADD:
  case FUNCTION_DATE_SUB: *result = call_shift(&call); return true;
  case FUNCTION_TIMESTAMPADD: *result = call_timestampadd(&call); return true;
  case FUNCTION_TIMESTAMPDIFF: *result = call_timestampdiff(&call); return true;
  case FUNCTION_DATEDIFF: *result = call_datediff(&call); return true;
  case FUNCTION_MAKEDATE:
  case FUNCTION_MAKE_DATE:
  case FUNCTION_FROM_DAYS: *result = call_make(&call); return true;
  case FUNCTION_DATE_FORMAT: *result = call_date_format(&call); return true;
  case FUNCTION_SQLITE_DATE:
  case FUNCTION_SQLITE_TIME:
  case FUNCTION_SQLITE_DATETIME:
  case FUNCTION_STRFTIME:
  case FUNCTION_JULIANDAY:
  case FUNCTION_UNIXEPOCH: *result = function_time_sqlite(eval, expr, args); return true;
  default: return false;
  }
}
