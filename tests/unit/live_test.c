/* live_test.c: the parts of src/live that need no server: numbers, requests, addresses, observations. */
#include "src/live/address.h"
#include "src/live/client.h"
#include "src/live/observe.h"
#include "src/live/request.h"
#include "src/live/workload.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static Arena arena;

static int set_up(void **state) {
  (void)state;
  arena_init(&arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(&arena);
  return 0;
}

static void test_random_repeats_and_differs(void **state) {
  (void)state;
  Random one, same, other;
  random_seed(&one, 1, 2, 3);
  random_seed(&same, 1, 2, 3);
  random_seed(&other, 1, 3, 2);
  bool differs = false;
  for (int i = 0; i < 100; i++) {
    uint64_t drawn = random_next(&one);
    assert_int_equal(drawn, random_next(&same));
    differs |= drawn != random_next(&other);
  }
  assert_true(differs);
}

static void test_random_covers_its_range(void **state) {
  (void)state;
  Random random;
  unsigned seen[3] = {0}, weights[3] = {1, 0, 3};
  random_seed(&random, 5, 0, 0);
  for (int i = 0; i < 4000; i++) {
    int64_t drawn = random_between(&random, -1, 1);
    assert_in_range(drawn + 1, 0, 2);
    seen[drawn + 1]++;
  }
  for (int i = 0; i < 3; i++) assert_in_range(seen[i], 1200, 1500);
  memset(seen, 0, sizeof seen);
  for (int i = 0; i < 4000; i++) seen[random_weighted(&random, weights, 3)]++;
  assert_int_equal(seen[1], 0);
  assert_in_range(seen[0], 850, 1150);
  assert_int_equal(
      random_between(&random, INT64_MIN, INT64_MAX) != random_between(&random, INT64_MIN, INT64_MAX), 1);
}

static Request build(DialectName dialect, bool has_literals, const char *sql, const char *letters, ...) {
  va_list arguments;
  va_start(arguments, letters);
  Value *values = request_values(&arena, letters, arguments);
  va_end(arguments);
  return request_build(&arena, dialect, has_literals, sql, (uint32_t)strlen(letters), values);
}

static void test_request_has_the_databases_parameters(void **state) {
  (void)state;
  const char *sql = "UPDATE t SET a = ? WHERE b = ?";
  Request request = build(DIALECT_POSTGRESQL, false, sql, "mi", (int64_t)1250, (int64_t)7);
  assert_string_equal(request.sql, "UPDATE t SET a = $1 WHERE b = $2");
  assert_int_equal(request.param_count, 2);
  request = build(DIALECT_MARIADB, false, sql, "mi", (int64_t)1250, (int64_t)7);
  assert_string_equal(request.sql, sql);
}

static void test_request_writes_literals(void **state) {
  (void)state;
  const char *sql = "SELECT ?, ?, ?, ?, ?";
  Request request =
      build(DIALECT_SQLITE, true, sql, "missi", (int64_t)-5, (int64_t)-7, "it's \\?", NULL, REQUEST_NULL);
  assert_string_equal(request.sql, "SELECT -0.05, -7, 'it''s \\?', NULL, NULL");
  assert_int_equal(request.param_count, 0);
  request = build(DIALECT_MARIADB, true, "SELECT ?", "s", "a\\b'");
  assert_string_equal(request.sql, "SELECT 'a\\\\b'''");
}

static void assert_shown(const char *url, const char *shown) {
  Diag diag = {0};
  char text[1024];
  assert_false(address_fail(url, "no such host\n", &diag));
  assert_string_equal(diag_text(&diag, text, sizeof text), shown);
}

static void test_address_hides_the_password(void **state) {
  (void)state;
  assert_shown("mariadb://me:secret@host:3307/shop", "mariadb://me:***@host:3307/shop: no such host");
  assert_shown("postgresql://me@host:3307/shop", "postgresql://me@host:3307/shop: no such host");
  assert_shown("postgresql:///shop?user=me&password=secret&host=/tmp",
               "postgresql:///shop?user=me&password=***&host=/tmp: no such host");
  assert_shown("sqlite:a:b@c", "sqlite:a:b@c: no such host");
}

static void test_address_has_parts(void **state) {
  (void)state;
  Address address = address_parse(&arena, "mariadb://me:p%40ss@host:3307/shop?x=1&socket=/tmp/a%20b");
  assert_string_equal(address.user, "me");
  assert_string_equal(address.password, "p@ss");
  assert_string_equal(address.host, "host");
  assert_int_equal(address.port, 3307);
  assert_string_equal(address.database, "shop");
  assert_string_equal(address.socket, "/tmp/a b");
  address = address_parse(&arena, "mariadb://me@/?socket=/s");
  assert_null(address.host);
  assert_null(address.database);
  assert_string_equal(address.socket, "/s");
}

static void assert_double(Observed observed, double real, const char *digits) {
  assert_int_equal(observed.value.kind, VALUE_DOUBLE);
  assert_true(observed.value.real == real);
  assert_string_equal(observed.text, digits);
}

static void test_doubles_keep_their_digits(void **state) {
  (void)state;
  assert_double(observe_double(&arena, 0.1), 0.1, "0.1");
  assert_double(observe_double(&arena, 1.0 / 3), 1.0 / 3, "0.3333333333333333");
  assert_double(observe_double(&arena, 5), 5, "5.0");
  assert_double(observe_double(&arena, 1e300), 1e300, "1e+300");
  assert_double(observe_single(&arena, 0.1f), 0.1, "0.1");
  /* Single precision prints 16777216 with six digits: no more are claimed. */
  assert_double(observe_printed_double(&arena, "16777200", 8), 16777200, "167772e2");
  assert_double(observe_printed_double(&arena, "-0.50", 5), -0.5, "-0.50");
  assert_int_equal(observe_printed_double(&arena, "NaN", 3).value.kind, VALUE_TEXT);
  assert_int_equal(observe_double(&arena, -INFINITY).value.kind, VALUE_TEXT);
}

static void test_integers_keep_their_width(void **state) {
  (void)state;
  assert_int_equal(observe_printed_int(&arena, "-9223372036854775808", 20).value.integer, INT64_MIN);
  Observed large = observe_printed_int(&arena, "18446744073709551615", 20);
  assert_int_equal(large.value.kind, VALUE_UINT);
  assert_int_equal(large.value.natural, UINT64_MAX);
  assert_int_equal(observe_printed_int(&arena, "18446744073709551616", 20).value.kind, VALUE_TEXT);
}

static void test_bytes_are_hexadecimal(void **state) {
  (void)state;
  Observed bytes = observe_bytes(&arena, "\x00\xff", 2);
  assert_int_equal(bytes.value.length, 6);
  assert_memory_equal(bytes.value.text, "\\x00ff", 6);
}

static void test_text_that_json_cannot_hold(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t length;
    bool is_writable;
  } cases[] = {{"", 0, true},          {"a\xc3\xa9", 3, true},     {"\xf0\x9f\x99\x82", 4, true},
               {"a\0b", 3, false},     {"\xff", 1, false},         {"\xc3", 1, false},
               {"\xc0\x80", 2, false}, {"\xed\xa0\x80", 3, false}, {"\xf4\x90\x80\x80", 4, false},
               {"\x80", 1, false},     {"\xe0\x80\x80", 3, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Observed cell = observe_text(&arena, cases[i].text, cases[i].length);
    ObservedRow row = {1, &cell};
    assert_int_equal(observe_is_writable(&(ObservedRows){1, &row}), cases[i].is_writable);
  }
}

static void test_decimals_are_text_but_in_sqlite(void **state) {
  (void)state;
  Value money = value_decimal(&arena, 1250, 2);
  Observed text = observe_param(&arena, DIALECT_POSTGRESQL, money);
  assert_int_equal(text.value.kind, VALUE_TEXT);
  assert_memory_equal(text.value.text, "12.50", 5);
  assert_double(observe_param(&arena, DIALECT_SQLITE, money), 12.5, "12.5");
}

static void test_settings_are_checked(void **state) {
  (void)state;
  Scale scale;
  Diag diag = {0};
  assert_true(workload_set(&WORKLOAD_BANK, &scale, "reads=30,accounts=50", &diag));
  assert_int_equal(scale.value[0], 50);
  assert_int_equal(scale.value[1], 30);
  static const char *const wrong[] = {"reads=101", "nosuch=1", "reads", "reads=x", "reads=1;", "=1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    diag = (Diag){0};
    assert_false(workload_set(&WORKLOAD_BANK, &scale, wrong[i], &diag));
    assert_true(diag.failed);
  }
  unsigned weights[WORKLOAD_KINDS];
  diag = (Diag){0};
  assert_true(workload_mix(&WORKLOAD_BANK, weights, "transfer=80,balance=20", &diag));
  assert_int_equal(weights[0], 20);
  assert_int_equal(weights[1], 0);
  assert_int_equal(weights[3], 80);
  assert_false(workload_mix(&WORKLOAD_BANK, weights, "transfer=0", &diag));
}

static void test_sqlite_answers_with_types(void **state) {
  (void)state;
  Diag diag = {0};
  const Driver *driver = driver_find("sqlite:", &diag);
  Connection *connection = driver->open("sqlite:", &diag);
  Reply reply;
  driver_run(connection, &arena, "SELECT 1, 1.5, 'a', x'0f', NULL", &reply);
  assert_null(reply.error);
  static const ValueKind kinds[] = {VALUE_INT, VALUE_DOUBLE, VALUE_TEXT, VALUE_TEXT, VALUE_NULL};
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(reply_cell(&reply, 0, i)->value.kind, kinds[i]);
  assert_null(reply_cell(&reply, 1, 0));
  assert_null(reply_cell(&reply, 0, 5));
  assert_false(reply.has_affected);
  driver_run(connection, &arena, "CREATE TABLE t (a INT PRIMARY KEY)", &reply);
  assert_false(reply.has_affected);
  driver_run(connection, &arena, "INSERT INTO t VALUES (1), (2)", &reply);
  assert_true(reply.has_affected);
  assert_int_equal(reply.affected, 2);
  driver_run(connection, &arena, "INSERT INTO t VALUES (1)", &reply);
  assert_string_equal(reply.error, "1555");
  driver_run(connection, &arena, "SELECT nosuch", &reply);
  assert_string_equal(reply.error, "no such column: nosuch");
  driver->close(connection);
  assert_null(driver_find("oracle://x", &diag));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_repeats_and_differs),
      cmocka_unit_test(test_random_covers_its_range),
      cmocka_unit_test_setup_teardown(test_request_has_the_databases_parameters, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_request_writes_literals, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_address_has_parts, set_up, tear_down),
      cmocka_unit_test(test_address_hides_the_password),
      cmocka_unit_test_setup_teardown(test_doubles_keep_their_digits, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_integers_keep_their_width, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_bytes_are_hexadecimal, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_text_that_json_cannot_hold, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_decimals_are_text_but_in_sqlite, set_up, tear_down),
      cmocka_unit_test(test_settings_are_checked),
      cmocka_unit_test_setup_teardown(test_sqlite_answers_with_types, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
