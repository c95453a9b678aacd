/* function_time_sqlite.c: SQLite's date and time functions.
 *
 * SQLite keeps a moment as milliseconds since noon of the day -4713-11-24 (the Julian day), and so do we. */
#include "semantics/clock.h"
#include "semantics/convert.h"
#include "semantics/datetime.h"
#include "semantics/function_time.h"
#include "src/sql/function.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define EPOCH_MILLISECONDS INT64_C(210866760000000) /* 1970-01-01 00:00 */
#define DAY_MILLISECONDS INT64_C(86400000)
#define YEAR_ZERO_MILLISECONDS (EPOCH_MILLISECONDS - INT64_C(62167219200000))
#define LAST_MILLISECOND INT64_C(464269060799999) /* 9999-12-31 23:59:59.999 */

typedef enum SqliteTime {
  SQLITE_TIME_OK,
  SQLITE_TIME_NULL,
  SQLITE_TIME_NOW,
  SQLITE_TIME_UNSUPPORTED
} SqliteTime;

static int64_t milliseconds_of(int64_t days, int64_t in_day) {
  return EPOCH_MILLISECONDS + days * DAY_MILLISECONDS + in_day;
}

static Moment moment_of(int64_t milliseconds) {
  int64_t since = milliseconds - EPOCH_MILLISECONDS;
  return moment_of_stamp(since * 1000);
}

/* Exactly `count` digits. */
static bool digits_take(const char **at, const char *end, int count, int *number) {
  *number = 0;
  for (int i = 0; i < count; i++, (*at)++) {
    if (*at == end || **at < '0' || **at > '9') return false;
    *number = *number * 10 + (**at - '0');
  }
  return true;
}

static bool time_take(const char **at, const char *end, int64_t *in_day) {
  int hour, minute, second = 0;
  double fraction = 0;
  if (!digits_take(at, end, 2, &hour) || *at == end || *(*at)++ != ':' || !digits_take(at, end, 2, &minute))
    return false;
  if (*at < end && **at == ':') {
    (*at)++;
    if (!digits_take(at, end, 2, &second)) return false;
    if (*at + 1 < end && **at == '.' && (*at)[1] >= '0' && (*at)[1] <= '9') {
      double scale = 1;
      for ((*at)++; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        fraction = fraction * 10 + (**at - '0'), scale *= 10;
      fraction /= scale;
    }
  }
  if (hour > 24 || minute > 59 || second > 59) return false;
  *in_day = hour * INT64_C(3600000) + minute * INT64_C(60000) + (int64_t)((second + fraction) * 1000 + 0.5);
  return true;
}

static SqliteTime date_take(const char *at, const char *end, int64_t *milliseconds) {
  int year, month, day;
  int64_t in_day = 0;
  if (!digits_take(&at, end, 4, &year) || at == end || *at++ != '-' || !digits_take(&at, end, 2, &month) ||
      at == end || *at++ != '-' || !digits_take(&at, end, 2, &day))
    return SQLITE_TIME_NULL;
  if (month < 1 || month > 12 || day < 1 || day > 31) return SQLITE_TIME_NULL;
  if (!date_is_valid(year, month, day)) return SQLITE_TIME_UNSUPPORTED; /* shown as it is, but counted on */
  while (at < end && (*at == ' ' || *at == 'T')) at++;
  if (at < end && !time_take(&at, end, &in_day)) return SQLITE_TIME_NULL;
  while (at < end && *at == ' ') at++;
  if (at < end) return SQLITE_TIME_UNSUPPORTED; /* a time zone */
  *milliseconds = milliseconds_of(date_days(year, month, 1) + day - 1, in_day);
  return SQLITE_TIME_OK;
}

static bool value_is_word(Value value, const char *word) {
  return value.kind == VALUE_TEXT && value.length == strlen(word) &&
         strncasecmp(value.text, word, value.length) == 0;
}

static SqliteTime number_take(double number, int64_t *milliseconds) {
  if (!(number >= 0 && number < 5373484.5)) return SQLITE_TIME_NULL;
  *milliseconds = (int64_t)(number * 86400000.0 + 0.5);
  return SQLITE_TIME_OK;
}

/* A number that a first modifier explains: seconds since 1970, or a Julian day if it can be one. */
static SqliteTime number_explained(double number, Value modifier, int64_t *milliseconds) {
  if (!value_is_word(modifier, "unixepoch") && !value_is_word(modifier, "auto")) return SQLITE_TIME_NULL;
  if (value_is_word(modifier, "auto") && number >= 0 && number < 5373484.5)
    return number_take(number, milliseconds);
  if (!(number >= -62167219200.0 && number < 253402300800.0)) return SQLITE_TIME_NULL;
  *milliseconds = EPOCH_MILLISECONDS + (int64_t)(number * 1000 + (number < 0 ? -0.5 : 0.5));
  return SQLITE_TIME_OK;
}

static SqliteTime value_take(Value value, int64_t *milliseconds) {
  if (value.kind == VALUE_INT) return number_take((double)value.integer, milliseconds);
  if (value.kind == VALUE_DOUBLE) return number_take(value.real, milliseconds);
  if (value.kind != VALUE_TEXT) return SQLITE_TIME_UNSUPPORTED;
  const char *at = value.text, *end = at + value.length;
  int64_t in_day;
  if (value.length == 3 && strncasecmp(at, "now", 3) == 0) return SQLITE_TIME_NOW;
  if (value.length > 4 && at[4] == '-') return date_take(at, end, milliseconds);
  if (value.length > 2 && at[2] == ':') {
    if (!time_take(&at, end, &in_day)) return SQLITE_TIME_NULL;
    if (at < end) return SQLITE_TIME_UNSUPPORTED;
    *milliseconds = milliseconds_of(date_days(2000, 1, 1), in_day);
    return SQLITE_TIME_OK;
  }
  NumberText number = number_scan(value.text, value.length);
  if (number.length && number.is_whole) return number_take(number_real(number), milliseconds);
  return value.length && value.text[0] == '-' ? SQLITE_TIME_UNSUPPORTED : SQLITE_TIME_NULL;
}

/* ---- Modifiers --------------------------------------------------------------------------- */

/* Where SQLite needs the year, a moment beyond its years gives NULL, even if a later modifier came back. */
static bool is_beyond(int64_t milliseconds) { return milliseconds < 0 || milliseconds > LAST_MILLISECOND; }

static SqliteTime shift_months(int64_t *milliseconds, int64_t months) {
  if (is_beyond(*milliseconds)) return SQLITE_TIME_NULL;
  Moment moment = moment_of(*milliseconds);
  int64_t month = moment.year * 12 + moment.month - 1 + months;
  int64_t days =
      date_days(floor_divide(month, 12), (int)(month - floor_divide(month, 12) * 12) + 1, 1) + moment.day - 1;
  *milliseconds = milliseconds_of(days, moment.in_day / 1000);
  return SQLITE_TIME_OK;
}

static SqliteTime shift_apply(int64_t *milliseconds, double amount, const char *unit, size_t length) {
  static const struct {
    const char *name;
    double size;
    int months;
  } units[] = {{"second", 1000, 0},  {"minute", 60000, 0}, {"hour", 3600000, 0},
               {"day", 86400000, 0}, {"month", 0, 1},      {"year", 0, 12}};
  if (length && (unit[length - 1] == 's' || unit[length - 1] == 'S')) length--;
  for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
    if (strlen(units[i].name) != length || strncasecmp(units[i].name, unit, length) != 0) continue;
    if (!(fabs(amount) < 1e9)) return SQLITE_TIME_UNSUPPORTED;
    if (units[i].months && amount != (double)(int64_t)amount) return SQLITE_TIME_UNSUPPORTED;
    if (units[i].months) return shift_months(milliseconds, (int64_t)amount * units[i].months);
    *milliseconds += (int64_t)(amount * units[i].size + (amount < 0 ? -0.5 : 0.5));
    return SQLITE_TIME_OK;
  }
  return SQLITE_TIME_UNSUPPORTED;
}

static SqliteTime start_of(int64_t *milliseconds, const char *unit, size_t length) {
  if (is_beyond(*milliseconds)) return SQLITE_TIME_NULL;
  Moment moment = moment_of(*milliseconds);
  moment.in_day = 0;
  if (length == 5 && strncasecmp(unit, "month", 5) == 0)
    moment.day = 1;
  else if (length == 4 && strncasecmp(unit, "year", 4) == 0)
    moment.day = moment.month = 1;
  else if (length != 3 || strncasecmp(unit, "day", 3) != 0)
    return SQLITE_TIME_UNSUPPORTED;
  *milliseconds = milliseconds_of(date_days(moment.year, moment.month, moment.day), 0);
  return SQLITE_TIME_OK;
}

/* Modifiers that are words: those of zones, and those that explain a number, are not modelled here; no others
 * exist. */
static SqliteTime word_answer(Value modifier) {
  static const char *const words[] = {"utc", "localtime", "unixepoch", "julianday", "auto"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (value_is_word(modifier, words[i])) return SQLITE_TIME_UNSUPPORTED;
  return SQLITE_TIME_NULL;
}

static SqliteTime modifier_apply(Value modifier, int64_t *milliseconds) {
  if (modifier.kind != VALUE_TEXT) return SQLITE_TIME_UNSUPPORTED;
  const char *text = modifier.text;
  size_t length = modifier.length;
  if (length > 9 && strncasecmp(text, "start of ", 9) == 0)
    return start_of(milliseconds, text + 9, length - 9);
  if (length == 9 && strncasecmp(text, "weekday ", 8) == 0 && text[8] >= '0' && text[8] <= '6') {
    if (is_beyond(*milliseconds)) return SQLITE_TIME_NULL;
    int today = day_of_week(floor_divide(*milliseconds - EPOCH_MILLISECONDS, DAY_MILLISECONDS));
    *milliseconds += ((text[8] - '0' - today + 7) % 7) * DAY_MILLISECONDS;
    return SQLITE_TIME_OK;
  }
  NumberText number = number_scan(text, length);
  if (!number.length) return word_answer(modifier);
  const char *unit = number.start + number.length;
  while (unit < text + length && *unit == ' ') unit++;
  return shift_apply(milliseconds, number_real(number), unit, (size_t)(text + length - unit));
}

/* ---- Printing ------------------------------------------------------------------------------ */

static size_t strftime_field(char *at, char field, int64_t milliseconds) {
  Moment moment = moment_of(milliseconds);
  int64_t second = moment.in_day / MICROSECONDS_SECOND;
  int64_t days = date_days(moment.year, moment.month, moment.day);
  int week_day = day_of_week(days);
  switch (field) {
  case 'd': return (size_t)sprintf(at, "%02d", moment.day);
  case 'f':
    return (size_t)sprintf(at, "%06.3f", (double)(moment.in_day % MICROSECONDS_MINUTE / 1000) / 1000.0);
  case 'H': return (size_t)sprintf(at, "%02d", (int)(second / 3600));
  case 'j': return (size_t)sprintf(at, "%03d", day_of_year(moment));
  case 'J': return (size_t)sprintf(at, "%.16g", (double)milliseconds / 86400000.0);
  case 'm': return (size_t)sprintf(at, "%02d", moment.month);
  case 'M': return (size_t)sprintf(at, "%02d", (int)(second / 60 % 60));
  case 's': return (size_t)sprintf(at, "%lld", (long long)(milliseconds / 1000 - EPOCH_MILLISECONDS / 1000));
  case 'S': return (size_t)sprintf(at, "%02d", (int)(second % 60));
  case 'w': return (size_t)sprintf(at, "%d", week_day);
  case 'W': return (size_t)sprintf(at, "%02d", (day_of_year(moment) - 1 + 7 - (week_day + 6) % 7) / 7);
  case 'Y': return (size_t)sprintf(at, "%04d", (int)moment.year);
  case '%': return (size_t)sprintf(at, "%%");
  default: return 0;
  }
}

static Value strftime_value(Eval *eval, Value format, int64_t milliseconds) {
  char *text = arena_alloc(eval->arena, 24 * (size_t)format.length + 1), *at = text;
  for (uint32_t i = 0; i < format.length; i++) {
    if (format.text[i] != '%') {
      *at++ = format.text[i];
      continue;
    }
    size_t size = i + 1 < format.length ? strftime_field(at, format.text[++i], milliseconds) : 0;
    if (!size) return NULL_VALUE; /* SQLite gives NULL for what it does not know */
    at += size;
  }
  return value_text(text, (size_t)(at - text));
}

static Value time_result(Eval *eval, FunctionId id, Value format, int64_t milliseconds) {
  switch (id) {
  case FUNCTION_SQLITE_DATE: return strftime_value(eval, value_string("%Y-%m-%d"), milliseconds);
  case FUNCTION_SQLITE_TIME: return strftime_value(eval, value_string("%H:%M:%S"), milliseconds);
  case FUNCTION_SQLITE_DATETIME: return strftime_value(eval, value_string("%Y-%m-%d %H:%M:%S"), milliseconds);
  case FUNCTION_JULIANDAY: return value_double((double)milliseconds / 86400000.0);
  case FUNCTION_UNIXEPOCH: return value_int(milliseconds / 1000 - EPOCH_MILLISECONDS / 1000);
  default: return strftime_value(eval, format, milliseconds);
  }
}

Value function_time_sqlite(Eval *eval, const Expr *expr, const Value *args) {
  FunctionId id = expr->function->id;
  uint32_t first = id == FUNCTION_STRFTIME ? 1 : 0;
  if (first && args[0].kind != VALUE_TEXT) return eval_unmodelled(eval, "STRFTIME by what is no text");
  int64_t milliseconds = 0;
  SqliteTime answer = expr->arg_count > first ? value_take(args[first], &milliseconds) : SQLITE_TIME_NOW;
  if (answer == SQLITE_TIME_NOW && expr->arg_count <= first + 1) return clock_value(eval->engine, eval, expr);
  if (answer == SQLITE_TIME_NOW) answer = SQLITE_TIME_UNSUPPORTED;
  uint32_t next = first + 1;
  bool is_number =
      expr->arg_count > next && (args[first].kind == VALUE_INT || args[first].kind == VALUE_DOUBLE);
  if (is_number && (value_is_word(args[next], "unixepoch") || value_is_word(args[next], "auto")))
    answer = number_explained(number_to_double(args[first]), args[next++], &milliseconds);
  for (uint32_t i = next; i < expr->arg_count && answer == SQLITE_TIME_OK; i++) {
    answer = modifier_apply(args[i], &milliseconds);
    if (milliseconds < YEAR_ZERO_MILLISECONDS) answer = SQLITE_TIME_UNSUPPORTED;
  }
  /* Years before 0 are shown with a sign of their own. */
  if (answer == SQLITE_TIME_OK && milliseconds >= 0 && milliseconds < YEAR_ZERO_MILLISECONDS)
    answer = SQLITE_TIME_UNSUPPORTED;
  if (answer == SQLITE_TIME_UNSUPPORTED)
    return eval_unmodelled(eval, "%s with this text or modifier", expr->function->name);
  if (answer == SQLITE_TIME_NULL || milliseconds < 0 || milliseconds > LAST_MILLISECOND) return NULL_VALUE;
  return time_result(eval, id, first ? args[0] : NULL_VALUE, milliseconds);
}
