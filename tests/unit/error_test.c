/* error_test.c: error codes by class, dialects and their modes, and the arbiter of syntax. */
#include "src/sql/error.h"
#include "src/sql/mirror.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BIT(name) ERROR_BIT(ERROR_##name)

static ErrorSet set_of(DialectName name, const char *code) {
  Dialect dialect = dialect_new(name);
  return error_set_of(&dialect, code, strlen(code));
}

static void codes_have_their_classes(void **state) {
  (void)state;
  static const struct {
    const char *code;
    ErrorSet exactly;
  } CASES[] = {
      {"23505", BIT(UNIQUE)},
      {"1062", BIT(UNIQUE)},
      {"2067", BIT(UNIQUE)},
      {"1555", BIT(UNIQUE)},
      {"SQLITE_CONSTRAINT_UNIQUE", BIT(UNIQUE)},
      {"1305", BIT(NO_FUNCTION) | BIT(NO_SAVEPOINT)},
      {"22012", BIT(DIVISION)},
      {"2201E", BIT(ARGUMENT)},
      {"19", BIT(UNIQUE) | BIT(FOREIGN_KEY) | BIT(NOT_NULL) | BIT(CHECK)},
      {"40001", BIT(REFUSED)},
      {"1213", BIT(REFUSED)},
      {"53200", BIT(REFUSED)},
      {"5", BIT(REFUSED)},
      {"SQLITE_BUSY", BIT(REFUSED)},
      {"99999", BIT(OTHER)},
      {"XX000", BIT(OTHER)},
      {"SQLITE_CORRUPT", BIT(OTHER)},
      {"it failed", ERROR_ANY},
      {"", ERROR_ANY},
      {"ERROR", ERROR_ANY},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    if (set_of(DIALECT_GENERIC, CASES[i].code) != CASES[i].exactly) fail_msg("%s", CASES[i].code);
}

static void broad_codes_contain_the_narrow(void **state) {
  (void)state;
  static const struct {
    const char *broad, *narrow;
  } CASES[] = {{"23000", "1062"}, {"23000", "1452"}, {"23000", "1048"},  {"42000", "1064"}, {"42000", "1305"},
               {"HY000", "1264"}, {"HY000", "1690"}, {"22000", "22001"}, {"1", "42P01"},    {"19", "787"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    ErrorSet narrow = set_of(DIALECT_GENERIC, CASES[i].narrow);
    if ((set_of(DIALECT_GENERIC, CASES[i].broad) & narrow) != narrow)
      fail_msg("%s in %s", CASES[i].narrow, CASES[i].broad);
  }
  assert_false(set_of(DIALECT_GENERIC, "23000") & BIT(SYNTAX));
}

/* What a dialect prints for a class is read back as that class. */
static void printed_codes_are_understood(void **state) {
  (void)state;
  for (int name = 0; name < DIALECT_COUNT; name++) {
    Dialect dialect = dialect_new((DialectName)name);
    for (int class = ERROR_NONE + 1; class < ERROR_CLASS_COUNT; class ++) {
      assert_true(strlen(error_class_title(class)) > 0);
      if (name == DIALECT_SQLITE && (class == ERROR_CURSOR || class == ERROR_NO_DATA ||
                                     class == ERROR_SIGNAL || class == ERROR_BLOCK_DEAD))
        continue; /* it has no such errors */
      const char *code = error_class_code(&dialect, class);
      if (!(error_set_of(&dialect, code, strlen(code)) & ERROR_BIT(class)))
        fail_msg("%s prints %s for %s", dialect_title(name), code, error_class_title(class));
    }
  }
}

static void modes_set_flags(void **state) {
  (void)state;
  DialectName found;
  assert_true(dialect_find("mariadb", &found));
  assert_int_equal(found, DIALECT_MARIADB);
  assert_false(dialect_find("oracle", &found));
  Dialect dialect = dialect_new(DIALECT_MYSQL);
  assert_true(dialect.strict && dialect.zero_division && !dialect.full_group_by);
  assert_false(dialect.ansi_quotes || dialect.full_group_by);
  dialect_set_mode(&dialect, "ansi_quotes , PIPES_AS_CONCAT", 29);
  assert_true(dialect.ansi_quotes && dialect.pipes_concat);
  assert_false(dialect.strict || dialect.zero_division || dialect.full_group_by || dialect.no_backslash);
  dialect_set_mode(&dialect, "TRADITIONAL", 11);
  assert_true(dialect.strict && dialect.zero_division);
  assert_false(dialect.ansi_quotes);
  dialect_set_mode(&dialect, "ONLY_FULL_GROUP_BY", 18);
  assert_true(dialect.full_group_by);
  dialect_set_mode(&dialect, "", 0);
  assert_false(dialect.strict);
  assert_false(dialect_new(DIALECT_SQLITE).foreign_keys);
  assert_int_equal(dialect_new(DIALECT_POSTGRESQL).collation, COLLATION_C);
  assert_int_equal(dialect_new(DIALECT_MARIADB).collation, COLLATION_CI);
}

static void mirror_arbitrates(void **state) {
  (void)state;
  static const struct {
    const char *text;
    MirrorAnswer answer;
    int offset; /* of a rejection */
  } CASES[] = {
      {"SELECT sum(1) OVER ()", MIRROR_ACCEPTS, 0},
      {"CREATE TABLE t (a INT); ", MIRROR_ACCEPTS, 0},
      {"-- nothing", MIRROR_ACCEPTS, 0},
      {"SELECT * FROM nosuch", MIRROR_UNRESOLVED, 0},
      {"SELECT nosuch(1)", MIRROR_UNRESOLVED, 0},
      {"SELEC 1", MIRROR_REJECTS, 0},
      {"SELECT 1 FROM FROM", MIRROR_REJECTS, 14},
      {"SELECT 'abc", MIRROR_REJECTS, 7},
      {"SELECT (1", MIRROR_REJECTS, 9},
      {"SELECT 1; SELECT * FROM nosuch; SELECT FROM", MIRROR_REJECTS, 39},
      {"CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE u SET a = 1; END", MIRROR_UNRESOLVED, 0},
      {"CREATE PROCEDURE p() BEGIN SELECT 1;", MIRROR_REJECTS, 7},
  };
  Mirror *mirror = mirror_new();
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    int offset;
    const char *message;
    MirrorAnswer answer = mirror_judge(mirror, CASES[i].text, strlen(CASES[i].text), &offset, &message);
    if (answer != CASES[i].answer) fail_msg("%s: %d %s", CASES[i].text, answer, message);
    if (answer != MIRROR_REJECTS) continue;
    if (offset != CASES[i].offset) fail_msg("%s: %s at %d", CASES[i].text, message, offset);
    assert_true(strlen(message) > 0);
  }
  mirror_free(mirror);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(codes_have_their_classes),
      cmocka_unit_test(broad_codes_contain_the_narrow),
      cmocka_unit_test(printed_codes_are_understood),
      cmocka_unit_test(modes_set_flags),
      cmocka_unit_test(mirror_arbitrates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
