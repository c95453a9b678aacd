/* datetime_test.c: the calendar, and dates, times and intervals as texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "semantics/datetime.h"

static void test_calendar(void **state) {
  (void)state;
  assert_int_equal(date_days(1970, 1, 1), 0);
  assert_int_equal(date_days(2000, 3, 1), 11017);
  assert_int_equal(date_days(1, 1, 1), -719162);
  for (int64_t days = -800000; days < 800000; days += 97) {
    Moment moment = moment_of_days(days);
    assert_true(date_is_valid(moment.year, moment.month, moment.day));
    assert_int_equal(date_days(moment.year, moment.month, moment.day), days);
  }
  assert_false(date_is_valid(2019, 2, 29));
  assert_true(date_is_valid(2020, 2, 29));
  assert_false(date_is_valid(1900, 2, 29));
  assert_int_equal(day_of_week(date_days(2020, 5, 6)), 3); /* a Wednesday */
  assert_int_equal(day_of_year(moment_of_days(date_days(2020, 5, 6))), 127);
}

static void assert_stamp(int64_t stamp, const char *expected) {
  char text[DATETIME_TEXT];
  text[stamp_write(stamp, -1, text)] = 0;
  assert_string_equal(text, expected);
}

static void test_sums(void **state) {
  (void)state;
  int64_t january = date_days(2020, 1, 31) * MICROSECONDS_DAY;
  assert_stamp(stamp_add(january, 1, 0), "2020-02-29 00:00:00");
  assert_stamp(stamp_add(january, -11, 0), "2019-02-28 00:00:00");
  assert_stamp(stamp_add(january, 1, 26 * MICROSECONDS_HOUR + 500000), "2020-03-01 02:00:00.5");
  assert_stamp(stamp_add(0, 0, -1), "1969-12-31 23:59:59.999999");
}

/* '-': the database refuses it; '?': not modelled. */
static void test_postgres_texts(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
  } cases[] = {{"2020-01-05", "2020-01-05 00:00:00"},
               {"2020-1-5", "2020-01-05 00:00:00"},
               {" 20200105 ", "2020-01-05 00:00:00"},
               {"2020-01-01 10:00", "2020-01-01 10:00:00"},
               {"2020-01-01T10:00:00.1234567", "2020-01-01 10:00:00.123457"},
               {"2020-01-01 24:00:00", "2020-01-02 00:00:00"},
               {"2020-02-30", "-"},
               {"2020-01-01 25:00", "-"},
               {"Jan 5 2020", "?"},
               {"1/8/1999", "?"},
               {"abc", "?"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    TimeText parsed;
    TimeAnswer answer = datetime_parse_postgres(cases[i].text, strlen(cases[i].text), &parsed);
    if (*cases[i].expected == '-')
      assert_int_equal(answer, TIME_BAD);
    else if (*cases[i].expected == '?')
      assert_int_equal(answer, TIME_UNSUPPORTED);
    else
      assert_stamp(moment_stamp(parsed.moment), cases[i].expected);
  }
  TimeText zoned;
  assert_int_equal(datetime_parse_postgres("2020-01-01 10:00:00+02:30", 25, &zoned), TIME_OK);
  assert_true(zoned.has_zone);
  assert_int_equal(zoned.zone, 9000);
}

static void test_mysql_texts(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
    bool is_partial;
  } cases[] = {{"2020-01-02", "2020-01-02 00:00:00", false},
               {"2020-1-2", "2020-01-02 00:00:00", false},
               {"20-1-5", "2020-01-05 00:00:00", false},
               {"20200102", "2020-01-02 00:00:00", false},
               {"20200102030405", "2020-01-02 03:04:05", false},
               {"2020.01.02 3:4", "2020-01-02 03:04:00", false},
               {"2020-01-02 abc", "2020-01-02 00:00:00", true},
               {"2020-02-30", "-", false},
               {"abc", "-", false},
               {"2020-13-01", "-", false},
               {"0000-00-00", "?", false},
               {"2020-01-02 25:00:00", "-", false}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    TimeText parsed;
    TimeAnswer answer = datetime_parse_mysql(cases[i].text, strlen(cases[i].text), &parsed);
    if (*cases[i].expected == '-')
      assert_int_equal(answer, TIME_BAD);
    else if (*cases[i].expected == '?')
      assert_int_equal(answer, TIME_UNSUPPORTED);
    else {
      assert_int_equal(answer, TIME_OK);
      assert_stamp(moment_stamp(parsed.moment), cases[i].expected);
      assert_int_equal(parsed.is_partial, cases[i].is_partial);
    }
  }
}

static void test_times(void **state) {
  (void)state;
  Dialect mariadb = dialect_new(DIALECT_MARIADB), postgresql = dialect_new(DIALECT_POSTGRESQL);
  int64_t time;
  bool is_partial;
  assert_int_equal(time_parse(&mariadb, "838:59:59", 9, &time, &is_partial), TIME_OK);
  assert_int_equal(time, (838 * 3600 + 59 * 60 + 59) * MICROSECONDS_SECOND);
  assert_int_equal(time_parse(&mariadb, "-102030", 7, &time, &is_partial), TIME_OK);
  assert_int_equal(time, -(10 * 3600 + 20 * 60 + 30) * MICROSECONDS_SECOND);
  assert_int_equal(time_parse(&mariadb, "900:00:00", 9, &time, &is_partial), TIME_BAD);
  assert_int_equal(time_parse(&postgresql, "10:20:30.5", 10, &time, &is_partial), TIME_OK);
  assert_int_equal(time_parse(&postgresql, "25:00", 5, &time, &is_partial), TIME_BAD);
}

static void test_intervals(void **state) {
  (void)state;
  static const struct {
    const char *text, *printed;
  } cases[] = {{"1 year 2 months 3 days 04:05:06", "1 year 2 mons 3 days 04:05:06"},
               {"2 weeks", "14 days"},
               {"-1 day", "-1 days"},
               {"1.5 hours", "01:30:00"},
               {"90 minutes", "01:30:00"},
               {"00:00:01.5", "00:00:01.5"},
               {"-1 month 1 day", "-1 mons +1 day"},
               {"0", "00:00:00"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t months, microseconds;
    char text[DATETIME_TEXT * 2];
    assert_int_equal(interval_parse(cases[i].text, strlen(cases[i].text), &months, &microseconds), TIME_OK);
    text[interval_write(months, microseconds, text)] = 0;
    assert_string_equal(text, cases[i].printed);
  }
  int64_t months, microseconds;
  assert_int_equal(interval_parse("1 fortnight", 11, &months, &microseconds), TIME_UNSUPPORTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calendar),    cmocka_unit_test(test_sums),  cmocka_unit_test(test_postgres_texts),
      cmocka_unit_test(test_mysql_texts), cmocka_unit_test(test_times), cmocka_unit_test(test_intervals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
