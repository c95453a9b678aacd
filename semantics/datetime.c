/* datetime.c: the calendar and the texts that databases print for its values. */
#include "semantics/datetime.h"

#include <stdio.h>
#include <strings.h>

/* ---- Calendar ----------------------------------------------------------------------- */

static bool year_is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int month_days(int64_t year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && year_is_leap(year) ? 29 : days[month - 1];
}

bool date_is_valid(int64_t year, int month, int day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= month_days(year, month);
}

/* Years are counted from March, so that the leap day is the last one. */
int64_t date_days(int64_t year, int month, int day) {
  year -= month <= 2;
  int64_t era = floor_divide(year, 400), of_era = year - era * 400;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

Moment moment_of_days(int64_t days) {
  days += 719468;
  int64_t era = floor_divide(days, 146097), of_era = days - era * 146097;
  int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * of_year + 2) / 153;
  Moment moment = {.day = (int)(of_year - (153 * month + 2) / 5 + 1)};
  moment.month = (int)(month < 10 ? month + 3 : month - 9);
  moment.year = year + era * 400 + (moment.month <= 2);
  return moment;
}

Moment moment_of_stamp(int64_t stamp) {
  int64_t days = floor_divide(stamp, MICROSECONDS_DAY);
  Moment moment = moment_of_days(days);
  moment.in_day = stamp - days * MICROSECONDS_DAY;
  return moment;
}

int64_t moment_stamp(Moment moment) {
  return date_days(moment.year, moment.month, moment.day) * MICROSECONDS_DAY + moment.in_day;
}

int day_of_week(int64_t days) {
  int64_t day = (days + 4) % 7;
  return (int)(day < 0 ? day + 7 : day);
}

int day_of_year(Moment moment) {
  return (int)(date_days(moment.year, moment.month, moment.day) - date_days(moment.year, 1, 1)) + 1;
}

int64_t stamp_add(int64_t stamp, int64_t months, int64_t microseconds) {
  if (months) {
    Moment moment = moment_of_stamp(stamp);
    int64_t count = moment.year * 12 + moment.month - 1 + months;
    moment.year = floor_divide(count, 12);
    moment.month = (int)(count - moment.year * 12) + 1;
    int last = month_days(moment.year, moment.month);
    if (moment.day > last) moment.day = last;
    stamp = moment_stamp(moment);
  }
  return stamp + microseconds;
}

/* ---- Units ----------------------------------------------------------------------------- */

IntervalUnit unit_of_name(const char *text, size_t length) {
  static const struct {
    const char *name;
    uint8_t unit;
  } names[] = {{"microsecond", UNIT_MICROSECOND},
               {"us", UNIT_MICROSECOND},
               {"second", UNIT_SECOND},
               {"sec", UNIT_SECOND},
               {"s", UNIT_SECOND},
               {"minute", UNIT_MINUTE},
               {"min", UNIT_MINUTE},
               {"m", UNIT_MINUTE},
               {"hour", UNIT_HOUR},
               {"hr", UNIT_HOUR},
               {"h", UNIT_HOUR},
               {"day", UNIT_DAY},
               {"d", UNIT_DAY},
               {"week", UNIT_WEEK},
               {"w", UNIT_WEEK},
               {"month", UNIT_MONTH},
               {"mon", UNIT_MONTH},
               {"quarter", UNIT_QUARTER},
               {"year", UNIT_YEAR},
               {"yr", UNIT_YEAR},
               {"y", UNIT_YEAR}};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    size_t size = strlen(names[i].name);
    bool is_plural = length == size + 1 && size > 1 && (text[size] == 's' || text[size] == 'S');
    if ((length == size || is_plural) && strncasecmp(text, names[i].name, size) == 0) return names[i].unit;
  }
  return UNIT_NONE;
}

void unit_size(IntervalUnit unit, int64_t *months, int64_t *microseconds) {
  *months = unit == UNIT_MONTH ? 1 : unit == UNIT_QUARTER ? 3 : unit == UNIT_YEAR ? 12 : 0;
  switch (unit) {
  case UNIT_MICROSECOND: *microseconds = 1; break;
  case UNIT_SECOND: *microseconds = MICROSECONDS_SECOND; break;
  case UNIT_MINUTE: *microseconds = MICROSECONDS_MINUTE; break;
  case UNIT_HOUR: *microseconds = MICROSECONDS_HOUR; break;
  case UNIT_DAY: *microseconds = MICROSECONDS_DAY; break;
  case UNIT_WEEK: *microseconds = 7 * MICROSECONDS_DAY; break;
  default: *microseconds = 0;
  }
}

/* ---- Texts ------------------------------------------------------------------------------ */

size_t date_write(int64_t days, char buffer[DATETIME_TEXT]) {
  Moment moment = moment_of_days(days);
  return (size_t)sprintf(buffer, "%04lld-%02d-%02d", (long long)moment.year, moment.month, moment.day);
}

size_t time_write(int64_t time, int fraction, char buffer[DATETIME_TEXT]) {
  const char *sign = time < 0 ? "-" : "";
  if (time < 0) time = -time;
  long long seconds = time / MICROSECONDS_SECOND;
  int micros = (int)(time % MICROSECONDS_SECOND);
  size_t length = (size_t)sprintf(buffer, "%s%02lld:%02lld:%02lld", sign, seconds / 3600, seconds / 60 % 60,
                                  seconds % 60);
  if (fraction == 0 || (fraction < 0 && micros == 0)) return length;
  length += (size_t)sprintf(buffer + length, ".%06d", micros);
  if (fraction > 0) return length - (6 - (size_t)fraction);
  while (buffer[length - 1] == '0') length--;
  return length;
}

size_t stamp_write(int64_t stamp, int fraction, char buffer[DATETIME_TEXT]) {
  int64_t days = floor_divide(stamp, MICROSECONDS_DAY);
  size_t length = date_write(days, buffer);
  char time[DATETIME_TEXT];
  size_t time_length = time_write(stamp - days * MICROSECONDS_DAY, fraction, time);
  buffer[length++] = ' ';
  memcpy(buffer + length, time, time_length);
  return length + time_length;
}

size_t interval_write(int64_t months, int64_t microseconds, char buffer[DATETIME_TEXT * 2]) {
  size_t length = 0;
  long long years = months / 12, rest = months % 12;
  long long days = microseconds / MICROSECONDS_DAY;
  int64_t time = microseconds % MICROSECONDS_DAY;
  if (years) length += (size_t)sprintf(buffer, "%lld year%s ", years, years == 1 ? "" : "s");
  if (rest) length += (size_t)sprintf(buffer + length, "%lld mon%s ", rest, rest == 1 ? "" : "s");
  if (days) {
    const char *sign = days > 0 && months < 0 ? "+" : "";
    length += (size_t)sprintf(buffer + length, "%s%lld day%s ", sign, days, days == 1 ? "" : "s");
  }
  if (time || length == 0) {
    if (time > 0 && (months < 0 || days < 0)) buffer[length++] = '+';
    return length + time_write(time, -1, buffer + length);
  }
  return length - 1;
}
