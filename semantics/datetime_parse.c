/* datetime_parse.c: dates, times and intervals out of text.
 *
 * All parsers share a Reader over the text; groups of digits carry their length, because
 * 20200102 and 2020-1-2 are told apart by it. */
#include "semantics/datetime.h"

#include <strings.h>

typedef struct Reader {
  const char *at, *end;
} Reader;

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static Reader reader_new(const char *text, size_t length) {
  Reader reader = {text, text + length};
  while (reader.at < reader.end && is_blank(*reader.at)) reader.at++;
  while (reader.end > reader.at && is_blank(reader.end[-1])) reader.end--;
  return reader;
}

static char peek(const Reader *reader) { return reader->at < reader->end ? *reader->at : 0; }
static bool take(Reader *reader, char c) { return peek(reader) == c && c ? (reader->at++, true) : false; }

/* A group of digits; returns how many, 0: none. Saturates far above any field. */
static int take_digits(Reader *reader, int64_t *number) {
  int count = 0;
  *number = 0;
  for (; reader->at < reader->end && is_digit(*reader->at); reader->at++, count++)
    if (*number < INT64_MAX / 100) *number = *number * 10 + (*reader->at - '0');
  return count;
}

/* Behind a point: microseconds, the seventh digit rounded or cut. */
static int64_t take_fraction(Reader *reader, bool rounds) {
  int64_t micros = 0, unit = 100000;
  bool first = true;
  for (; reader->at < reader->end && is_digit(*reader->at); reader->at++) {
    int digit = *reader->at - '0';
    if (unit) {
      micros += digit * unit;
      unit /= 10;
    } else if (first) {
      micros += rounds && digit >= 5;
      first = false;
    }
  }
  return micros;
}

/* hh:mm[:ss[.f]] into microseconds; false: not of this form. */
static bool take_clock(Reader *reader, int64_t *hour, int64_t *minute, int64_t *second, int64_t *micros,
                       bool rounds) {
  Reader start = *reader;
  *second = *micros = 0;
  if (take_digits(reader, hour) == 0 || !take(reader, ':') || take_digits(reader, minute) == 0) {
    *reader = start;
    return false;
  }
  if (!take(reader, ':')) return true;
  if (take_digits(reader, second) == 0) {
    *reader = start;
    return false;
  }
  if (take(reader, '.')) *micros = take_fraction(reader, rounds);
  return true;
}

static int64_t clock_micros(int64_t hour, int64_t minute, int64_t second, int64_t micros) {
  return hour * MICROSECONDS_HOUR + minute * MICROSECONDS_MINUTE + second * MICROSECONDS_SECOND + micros;
}

/* ---- PostgreSQL ------------------------------------------------------------------------- */

static TimeAnswer take_zone(Reader *reader, TimeText *result) {
  while (is_blank(peek(reader))) reader->at++;
  if (reader->at == reader->end) return TIME_OK;
  result->has_zone = true;
  if ((reader->end - reader->at == 1 && (*reader->at == 'Z' || *reader->at == 'z')) ||
      (reader->end - reader->at == 3 && strncasecmp(reader->at, "utc", 3) == 0))
    return TIME_OK;
  bool west = peek(reader) == '-';
  if (!take(reader, '-') && !take(reader, '+')) return TIME_UNSUPPORTED;
  int64_t hours, minutes = 0;
  int count = take_digits(reader, &hours);
  if (count == 4) {
    minutes = hours % 100;
    hours /= 100;
  } else if (count == 0 || count > 2 || (take(reader, ':') && take_digits(reader, &minutes) == 0)) {
    return TIME_UNSUPPORTED;
  }
  if (reader->at != reader->end || hours > 15 || minutes > 59) return TIME_UNSUPPORTED;
  result->zone = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
  return TIME_OK;
}

/* YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD. */
static TimeAnswer take_date(Reader *reader, Moment *moment) {
  int64_t year, month, day;
  int count = take_digits(reader, &year);
  if (count == 8) {
    *moment = (Moment){.year = year / 10000, .month = (int)(year / 100 % 100), .day = (int)(year % 100)};
  } else {
    char separator = peek(reader);
    if (count < 4 || count > 6 || (separator != '-' && separator != '/')) return TIME_UNSUPPORTED;
    reader->at++;
    int month_count = take_digits(reader, &month);
    if (month_count == 0 || month_count > 2 || !take(reader, separator)) return TIME_UNSUPPORTED;
    int day_count = take_digits(reader, &day);
    if (day_count == 0 || day_count > 2) return TIME_UNSUPPORTED;
    *moment = (Moment){.year = year, .month = (int)month, .day = (int)day};
  }
  return moment->year >= 1 && date_is_valid(moment->year, moment->month, moment->day) ? TIME_OK : TIME_BAD;
}

TimeAnswer datetime_parse_postgres(const char *text, size_t length, TimeText *result) {
  Reader reader = reader_new(text, length);
  *result = (TimeText){0};
  TimeAnswer answer = take_date(&reader, &result->moment);
  if (answer != TIME_OK || reader.at == reader.end) return answer;
  if (!is_blank(peek(&reader)) && peek(&reader) != 'T' && peek(&reader) != 't') return TIME_UNSUPPORTED;
  reader.at++;
  while (is_blank(peek(&reader))) reader.at++;
  int64_t hour, minute, second, micros;
  if (!take_clock(&reader, &hour, &minute, &second, &micros, true)) return TIME_UNSUPPORTED;
  bool is_midnight = hour == 24 && minute == 0 && second == 0 && micros == 0;
  if ((hour > 23 && !is_midnight) || minute > 59 || second > 60) return TIME_BAD;
  result->has_time = true;
  result->moment.in_day = clock_micros(hour, minute, second, micros);
  if (result->moment.in_day >= MICROSECONDS_DAY)
    result->moment = moment_of_stamp(moment_stamp(result->moment));
  return take_zone(&reader, result);
}

/* ---- MySQL --------------------------------------------------------------------------------- */

static bool is_mark(char c) {
  return c >= '!' && c <= '~' && !is_digit(c) && !((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int64_t century_year(int64_t year, int count) {
  return count > 2 ? year : year + (year < 70 ? 2000 : 1900);
}

/* The clock behind a date: parts may be left out; what does not fit is cut off with a warning. */
static TimeAnswer mysql_clock(Reader *reader, TimeText *result) {
  Reader start = *reader;
  if (!is_blank(peek(reader)) && peek(reader) != 'T') return result->is_partial = true, TIME_OK;
  reader->at++;
  while (is_blank(peek(reader))) reader->at++;
  int64_t parts[3] = {0}, micros = 0;
  for (int i = 0; i < 3; i++) {
    if (i > 0 && !take(reader, ':')) break;
    int count = take_digits(reader, &parts[i]);
    if (count == 0 && i == 0) {
      *reader = start;
      return result->is_partial = true, TIME_OK;
    }
    if (count == 0 || count > 2) return TIME_UNSUPPORTED;
    if (i == 2 && take(reader, '.')) micros = take_fraction(reader, false);
  }
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return TIME_BAD;
  result->has_time = true;
  result->moment.in_day = clock_micros(parts[0], parts[1], parts[2], micros);
  result->is_partial = reader->at != reader->end;
  return TIME_OK;
}

static TimeAnswer moment_check(Moment moment) {
  if (moment.month == 0 || moment.day == 0 || moment.year == 0) return TIME_UNSUPPORTED; /* zero dates */
  return moment.year <= 9999 && date_is_valid(moment.year, moment.month, moment.day) ? TIME_OK : TIME_BAD;
}

TimeAnswer datetime_of_number(int64_t number, TimeText *result) {
  *result = (TimeText){0};
  int64_t date = number, time = 0;
  if (number >= 10000101000000) {
    date = number / 1000000;
    time = number % 1000000;
    result->has_time = true;
  } else if (number < 10000101) {
    /* Two-digit years, YYMMDD. */
    if (number < 101 || number > 991231) return number == 0 ? TIME_UNSUPPORTED : TIME_BAD;
    date = century_year(number / 10000, 2) * 10000 + number % 10000;
  } else if (number > 99991231) {
    return TIME_UNSUPPORTED;
  }
  result->moment = (Moment){.year = date / 10000, .month = (int)(date / 100 % 100), .day = (int)(date % 100)};
  if (time / 10000 > 23 || time / 100 % 100 > 59 || time % 100 > 59) return TIME_BAD;
  result->moment.in_day = clock_micros(time / 10000, time / 100 % 100, time % 100, 0);
  return moment_check(result->moment);
}

/* "2024", "10.5": fewer than the three parts of a date. */
static bool is_short_number(Reader reader, int count) {
  int64_t fraction;
  if (count > 4 || (take(&reader, '.') && take_digits(&reader, &fraction) == 0)) return false;
  return reader.at == reader.end;
}

TimeAnswer datetime_parse_mysql(const char *text, size_t length, TimeText *result) {
  Reader reader = reader_new(text, length);
  *result = (TimeText){0};
  int64_t year, month, day;
  int count = take_digits(&reader, &year);
  if (count == 0 || is_short_number(reader, count)) return TIME_BAD;
  if (!is_mark(peek(&reader)) || (peek(&reader) == '.' && count > 4)) {
    if (count != 6 && count != 8 && count != 14) return TIME_UNSUPPORTED;
    if (peek(&reader) == '.') return TIME_UNSUPPORTED;
    TimeAnswer answer = datetime_of_number(year, result);
    if (answer != TIME_OK || reader.at == reader.end) return answer;
    return count == 8 ? mysql_clock(&reader, result) : TIME_UNSUPPORTED;
  }
  if (count > 4 || count == 3 || count == 1) return TIME_UNSUPPORTED;
  reader.at++;
  int month_count = take_digits(&reader, &month);
  if (month_count == 0 || month_count > 2 || !is_mark(peek(&reader))) return TIME_UNSUPPORTED;
  reader.at++;
  int day_count = take_digits(&reader, &day);
  if (day_count == 0 || day_count > 2) return TIME_UNSUPPORTED;
  result->moment = (Moment){.year = century_year(year, count), .month = (int)month, .day = (int)day};
  TimeAnswer answer = moment_check(result->moment);
  if (answer != TIME_OK || reader.at == reader.end) return answer;
  return mysql_clock(&reader, result);
}

TimeAnswer time_parse(const Dialect *dialect, const char *text, size_t length, int64_t *time,
                      bool *is_partial) {
  Reader reader = reader_new(text, length);
  bool is_mysql = dialect_is_mysql(dialect), negative = false;
  int64_t days = 0, hour, minute, second, micros;
  *is_partial = false;
  if (is_mysql && peek(&reader) == '-') negative = take(&reader, '-');
  Reader start = reader;
  if (is_mysql && take_digits(&reader, &days) && take(&reader, ' ') && is_digit(peek(&reader))) {
    if (days > 34) return TIME_BAD;
  } else {
    reader = start;
    days = 0;
  }
  if (!take_clock(&reader, &hour, &minute, &second, &micros, !is_mysql)) {
    int count = is_mysql ? take_digits(&reader, &hour) : 0;
    if (count == 0 || count > 7 || reader.at != reader.end) return TIME_UNSUPPORTED;
    second = hour % 100;
    minute = hour / 100 % 100;
    hour /= 10000;
    micros = 0;
  }
  if (minute > 59 || second > (is_mysql ? 59 : 60)) return TIME_BAD;
  if (reader.at != reader.end) return TIME_UNSUPPORTED;
  *time = clock_micros(hour + days * 24, minute, second, micros);
  if (is_mysql ? *time >= 839 * MICROSECONDS_HOUR : *time > MICROSECONDS_DAY) return TIME_BAD;
  if (negative) *time = -*time;
  return TIME_OK;
}

/* ---- Intervals (postgresql) ----------------------------------------------------------------- */

static TimeAnswer interval_term(Reader *reader, int64_t *months, int64_t *microseconds) {
  bool negative = peek(reader) == '-';
  if (negative || peek(reader) == '+') reader->at++;
  int64_t sign = negative ? -1 : 1, hour, minute, second, micros;
  if (take_clock(reader, &hour, &minute, &second, &micros, true)) {
    if (minute > 59 || second > 60 || hour > 1000000) return TIME_BAD;
    *microseconds += sign * clock_micros(hour, minute, second, micros);
    return TIME_OK;
  }
  int64_t whole, fraction = 0, unit_months, unit_micros;
  if (take_digits(reader, &whole) == 0 || whole > 100000000) return TIME_UNSUPPORTED;
  if (take(reader, '.')) fraction = take_fraction(reader, true);
  while (is_blank(peek(reader))) reader->at++;
  const char *name = reader->at;
  while (reader->at < reader->end && ((*reader->at | 32) >= 'a' && (*reader->at | 32) <= 'z')) reader->at++;
  IntervalUnit unit = name == reader->at ? UNIT_SECOND : unit_of_name(name, (size_t)(reader->at - name));
  if (unit == UNIT_NONE) return TIME_UNSUPPORTED;
  unit_size(unit, &unit_months, &unit_micros);
  if (fraction && unit_months) return TIME_UNSUPPORTED;
  int64_t product;
  if (__builtin_mul_overflow(whole, unit_micros, &product)) return TIME_UNSUPPORTED;
  *months += sign * whole * unit_months;
  *microseconds += sign * (product + (int64_t)((__int128)fraction * unit_micros / MICROSECONDS_SECOND));
  return TIME_OK;
}

TimeAnswer interval_parse(const char *text, size_t length, int64_t *months, int64_t *microseconds) {
  Reader reader = reader_new(text, length);
  *months = *microseconds = 0;
  if (reader.at == reader.end) return TIME_BAD;
  while (reader.at < reader.end) {
    TimeAnswer answer = interval_term(&reader, months, microseconds);
    if (answer != TIME_OK) return answer;
    while (is_blank(peek(&reader))) reader.at++;
  }
  return TIME_OK;
}
