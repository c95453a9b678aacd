/* datetime.h: the calendar (proleptic Gregorian), texts of dates and times, intervals.
 *
 * Days and microseconds count from 1970-01-01 as in value.h.  Parsers answer TIME_BAD only for what
 * the database certainly refuses; forms that are valid somewhere but not modelled are
 * TIME_UNSUPPORTED. */
#ifndef ALIBI_SEMANTICS_DATETIME_H
#define ALIBI_SEMANTICS_DATETIME_H

#include "src/base/value.h"
#include "src/sql/ast.h"

#define MICROSECONDS_SECOND INT64_C(1000000)
#define MICROSECONDS_MINUTE (60 * MICROSECONDS_SECOND)
#define MICROSECONDS_HOUR (60 * MICROSECONDS_MINUTE)
#define MICROSECONDS_DAY (24 * MICROSECONDS_HOUR)

enum { DATETIME_TEXT = 48 };

typedef enum TimeAnswer { TIME_OK, TIME_BAD, TIME_UNSUPPORTED } TimeAnswer;

/* A point in time by its fields. */
typedef struct Moment {
  int64_t year;
  int month, day;
  int64_t in_day; /* microseconds since midnight */
} Moment;

int month_days(int64_t year, int month);
bool date_is_valid(int64_t year, int month, int day);
int64_t date_days(int64_t year, int month, int day);
Moment moment_of_days(int64_t days);
Moment moment_of_stamp(int64_t stamp);
int64_t moment_stamp(Moment moment);
int day_of_week(int64_t days); /* 0 is Sunday */
int day_of_year(Moment moment);
/* Months first, the day cut to the month's last one, then microseconds. */
int64_t stamp_add(int64_t stamp, int64_t months, int64_t microseconds);
static inline int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* What a text of a date or timestamp says. */
typedef struct TimeText {
  Moment moment;
  bool has_time;
  bool has_zone;
  bool is_partial; /* mysql: more text follows, which is cut with a warning */
  int64_t zone;    /* seconds east of Greenwich */
} TimeText;

TimeAnswer datetime_parse_postgres(const char *text, size_t length, TimeText *result);
TimeAnswer datetime_parse_mysql(const char *text, size_t length, TimeText *result);
/* 20200102 and 20200102030405 as mysql reads numbers. */
TimeAnswer datetime_of_number(int64_t number, TimeText *result);
/* hh:mm[:ss[.f]]; mysql also [D ]hhh:mm:ss, hhmmss and a sign. Microseconds. */
TimeAnswer time_parse(const Dialect *dialect, const char *text, size_t length, int64_t *time, bool *is_partial);
TimeAnswer interval_parse(const char *text, size_t length, int64_t *months, int64_t *microseconds);
/* NULL-terminated names: year(s), mon(s), ...; UNIT_NONE: unknown. */
IntervalUnit unit_of_name(const char *text, size_t length);
/* One unit as months or as microseconds. */
void unit_size(IntervalUnit unit, int64_t *months, int64_t *microseconds);

/* fraction: digits to print; -1: as many as are not zero. All return the length. */
size_t date_write(int64_t days, char buffer[DATETIME_TEXT]);
size_t time_write(int64_t time, int fraction, char buffer[DATETIME_TEXT]);
size_t stamp_write(int64_t stamp, int fraction, char buffer[DATETIME_TEXT]);
size_t interval_write(int64_t months, int64_t microseconds, char buffer[DATETIME_TEXT * 2]);

#endif
