/* option_test.c: the table gives the struct, the parser and the pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/option.h"

#include <string.h>

#define TEST_OPTIONS(X)                                                                                      \
  X(FLAG, quiet, "quiet", NULL, NULL, NULL, "say nothing")                                                   \
  X(TEXT, level, "level", "L", "ser", NULL, "the level")                                                     \
  X(WHOLE, window, "window", "K", NULL, NULL, "how far")                                                     \
  X(SECONDS, budget, "budget", "SECONDS", "1.5", NULL, "how long")                                           \
  X(CHOICE, format, "format", "text|json|junit", "text", "junit", "how")                                     \
  X(TEXT, html, "html", "FILE", NULL, "*", "a page")

typedef struct TestOptions {
  TEST_OPTIONS(OPTION_FIELD)
} TestOptions;
#define OPTION_STRUCT TestOptions
static const Option rows[] = {TEST_OPTIONS(OPTION_ROW)};
static const OptionTable table = {rows, sizeof rows / sizeof *rows};

static bool parse(TestOptions *options, Operands *operands, Diag *diag, const char *words) {
  static char copy[300];
  char *argv[20] = {"test"};
  int argc = 1;
  diag_clear(diag);
  ARRAY_FREE(operands);
  snprintf(copy, sizeof copy, "%s", words);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  return option_parse(table, options, argc, argv, operands, diag);
}

static void defaults_are_set(void **state) {
  (void)state;
  TestOptions options;
  Operands operands = {0};
  Diag diag;
  assert_true(parse(&options, &operands, &diag, ""));
  assert_false(options.quiet);
  assert_string_equal(options.level, "ser");
  assert_int_equal(options.window, -1);
  assert_true(options.budget == 1.5);
  assert_string_equal(options.format, "text");
  assert_null(options.html);
  assert_int_equal(operands.count, 0);
}

static void values_are_taken(void **state) {
  (void)state;
  TestOptions options;
  Operands operands = {0};
  Diag diag;
  assert_true(parse(&options, &operands, &diag,
                    "a --quiet --level=si --window 7 - --budget=0.25 --format json -- --b"));
  assert_true(options.quiet);
  assert_string_equal(options.level, "si");
  assert_int_equal(options.window, 7);
  assert_true(options.budget == 0.25);
  assert_string_equal(options.format, "json");
  assert_int_equal(operands.count, 3);
  assert_string_equal(operands.items[0], "a");
  assert_string_equal(operands.items[1], "-");
  assert_string_equal(operands.items[2], "--b");
  ARRAY_FREE(&operands);
}

static const struct {
  const char *words, *message;
} bad_usages[] = {
    {"--lvel si", "unknown option '--lvel'; did you mean '--level'?"},
    {"--budgte=1", "did you mean '--budget'?"},
    {"--zzzzzzzz", "unknown option '--zzzzzzzz'"},
    {"-q", "unknown option '-q'"},
    {"--level", "--level: expected a value (L)"},
    {"--quiet=1", "--quiet takes no value"},
    {"--window x", "--window: expected a whole number from 0 on, got 'x'"},
    {"--window -3", "--window: expected a whole number"},
    {"--window 99999999999999999999", "--window: expected a whole number"},
    {"--budget soon", "--budget: expected a number of seconds, got 'soon'"},
    {"--budget nan", "--budget: expected a number of seconds"},
    {"--format jsno", "--format: no such choice 'jsno'; did you mean 'json'?"},
    {"--format xxxxxxx", "--format: expected one of text|json|junit, got 'xxxxxxx'"},
    {"--format junit", "--format junit is not available in this version"},
    {"--html x", "--html is not available in this version"},
};

static void bad_usage_is_told(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_usages / sizeof *bad_usages; i++) {
    TestOptions options;
    Operands operands = {0};
    Diag diag;
    assert_false(parse(&options, &operands, &diag, bad_usages[i].words));
    if (!strstr(diag.message, bad_usages[i].message))
      fail_msg("%s: '%s' does not contain '%s'", bad_usages[i].words, diag.message, bad_usages[i].message);
    ARRAY_FREE(&operands);
  }
}

/* Each page names every option. */
static void pages_are_complete(void **state) {
  (void)state;
  for (OptionFormat format = OPTION_AS_HELP; format <= OPTION_AS_ROFF; format++) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    option_print(table, format, file);
    fclose(file);
    for (size_t i = 0; i < table.count; i++) {
      assert_non_null(strstr(text, rows[i].name));
      assert_non_null(strstr(text, rows[i].help));
    }
    assert_non_null(strstr(text, "default: ser"));
    assert_non_null(strstr(text, "not available in this version"));
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_are_set), cmocka_unit_test(values_are_taken),
                                     cmocka_unit_test(bad_usage_is_told),
                                     cmocka_unit_test(pages_are_complete)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
