/* token_test.c: literals, names, comments and shapes, dialect by dialect. */
#include "src/base/decimal.h"
#include "src/sql/grammar.h"
#include "src/sql/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define G DIALECT_GENERIC
#define P DIALECT_POSTGRESQL
#define M DIALECT_MYSQL
#define D DIALECT_MARIADB
#define S DIALECT_SQLITE

typedef struct Scan {
  Arena arena;
  Dialect dialect;
  Tokens tokens;
  bool fine;
} Scan;

static Scan scan(DialectName name, const char *text) {
  Scan result;
  arena_init(&result.arena);
  result.dialect = dialect_new(name);
  result.fine = tokens_scan(&result.dialect, &result.arena, text, strlen(text), &result.tokens);
  return result;
}

static uint64_t shape_of(DialectName name, const char *text) {
  Scan result = scan(name, text);
  uint64_t shape = result.tokens.shape;
  assert_true(result.fine);
  arena_free(&result.arena);
  return shape;
}

/* "kind text" of a value, for comparison in tables */
static void value_describe(Value value, char *buffer, size_t size) {
  char number[DECIMAL_TEXT];
  switch (value.kind) {
  case VALUE_INT: snprintf(buffer, size, "int %lld", (long long)value.integer); break;
  case VALUE_UINT: snprintf(buffer, size, "uint %llu", (unsigned long long)value.natural); break;
  case VALUE_DOUBLE: snprintf(buffer, size, "double %.17g", value.real); break;
  case VALUE_TEXT: snprintf(buffer, size, "text %.*s", (int)value.length, value.text); break;
  case VALUE_BLOB: {
    int at = snprintf(buffer, size, "blob ");
    for (uint32_t i = 0; i < value.length; i++)
      at += snprintf(buffer + at, size - (size_t)at, "%02X", (unsigned char)value.text[i]);
    break;
  }
  default: {
    size_t length = decimal_format(decimal_of(value), number);
    snprintf(buffer, size, "decimal %.*s", (int)length, number);
  }
  }
}

static const struct {
  DialectName dialect;
  const char *text, *expected;
} LITERALS[] = {
    {G, "42", "int 42"},
    {G, "007", "int 7"},
    {G, "9223372036854775807", "int 9223372036854775807"},
    {P, "9223372036854775808", "decimal 9223372036854775808"},
    {M, "9223372036854775808", "uint 9223372036854775808"},
    {M, "18446744073709551615", "uint 18446744073709551615"},
    {M, "18446744073709551616", "decimal 18446744073709551616"},
    {S, "9223372036854775808", "double 9.2233720368547758e+18"},
    {G, "1.50", "decimal 1.50"},
    {M, "1.50", "decimal 1.50"},
    {S, "1.50", "double 1.5"},
    {P, ".5", "decimal 0.5"},
    {P, "5.", "decimal 5"},
    {P, "12345678901234567890123456789012345678", "decimal 12345678901234567890123456789012345678"},
    {M, "1e3", "double 1000"},
    {M, "1.5E-3", "double 0.0015"},
    {P, "1e3", "decimal 1000"},
    {P, "1.5e-3", "decimal 0.0015"},
    {S, "0.1", "double 0.10000000000000001"},
    {S, "123456789012345678901234567890.5", "double 1.2345678901234568e+29"},
    {G, "'it''s'", "text it's"},
    {G, "''", "text "},
    {G, "'a\\n'", "text a\\n"},
    {M, "'a\\n\\t\\\\\\'b\\%\\_\\x'", "text a\n\t\\'b\\%\\_x"},
    {D, "\"say \"\"it\"\"\"", "text say \"it\""},
    {M, "'a' 'b'  \n 'c'", "text abc"},
    {P, "'a'\n'b'", "text ab"},
    {P, "E'a\\nb\\x41\\101\\u00e9\\''", "text a\nbAA\xC3\xA9'"},
    {P, "$$it's$$", "text it's"},
    {P, "$q$a$$b$q$", "text a$$b"},
    {M, "N'x'", "text x"},
    {M, "_utf8mb4'x'", "text x"},
    {M, "_utf8mb4 'x'", "text x"},
    {M, "0x4142", "blob 4142"},
    {M, "0x142", "blob 0142"},
    {M, "x'4142'", "blob 4142"},
    {M, "b'101'", "blob 05"},
    {M, "0b1000000001", "blob 0201"},
    {S, "0x1F", "int 31"},
    {S, "0xFFFFFFFFFFFFFFFF", "int -1"},
    {S, "X'0aFf'", "blob 0AFF"},
    {G, "X''", "blob "},
};

static void literals_have_kind_and_value(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof LITERALS / sizeof *LITERALS; i++) {
    Scan result = scan(LITERALS[i].dialect, LITERALS[i].text);
    char found[256];
    assert_true(result.fine);
    assert_int_equal(result.tokens.tokens.count, 2);
    assert_int_equal(result.tokens.inputs.count, 1);
    value_describe(result.tokens.inputs.items[0].literal, found, sizeof found);
    if (strcmp(found, LITERALS[i].expected) != 0)
      fail_msg("%s in %s: found '%s', expected '%s'", LITERALS[i].text, dialect_title(LITERALS[i].dialect),
               found, LITERALS[i].expected);
    arena_free(&result.arena);
  }
}

/* A sign belongs to the literal only where the number has no positive twin. */
static void smallest_integers_keep_their_sign(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *text;
    uint32_t tokens;
    int64_t value;
  } CASES[] = {
      {S, "SELECT -9223372036854775808", 3, INT64_MIN}, {M, "SELECT - 9223372036854775808", 3, INT64_MIN},
      {P, "SELECT -2147483648", 3, INT32_MIN},          {P, "SELECT a -2147483648", 5, 2147483648},
      {M, "SELECT -2147483648", 4, 2147483648},         {P, "SELECT -5", 4, 5},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Scan result = scan(CASES[i].dialect, CASES[i].text);
    assert_int_equal(result.tokens.tokens.count, CASES[i].tokens);
    assert_int_equal(result.tokens.inputs.items[0].literal.kind, VALUE_INT);
    assert_true(result.tokens.inputs.items[0].literal.integer == CASES[i].value);
    arena_free(&result.arena);
  }
  assert_true(shape_of(S, "SELECT -9223372036854775808") != shape_of(S, "SELECT -1"));
}

static void names_fold_by_dialect(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *text, *name;
    uint16_t flags;
  } CASES[] = {
      {P, "Accounts", "accounts", 0},
      {G, "\xC3\x84rger", "\xC3\x84rger", 0},
      {M, "Accounts", "Accounts", 0},
      {S, "Accounts", "Accounts", 0},
      {P, "\"Acc\"\"ounts\"", "Acc\"ounts", TOKEN_QUOTED | TOKEN_DOUBLE_QUOTED},
      {M, "`a``b`", "a`b", TOKEN_QUOTED},
      {S, "[a b]", "a b", TOKEN_QUOTED},
      {S, "\"x\"", "x", TOKEN_QUOTED | TOKEN_DOUBLE_QUOTED},
      {M, "1st", "1st", 0},
      {P, "a$1", "a$1", 0},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Scan result = scan(CASES[i].dialect, CASES[i].text);
    assert_true(result.fine);
    assert_int_equal(result.tokens.tokens.count, 2);
    const Token *token = &result.tokens.tokens.items[0];
    assert_int_equal(token->code, SQL_NAME);
    assert_int_equal(token->flags, CASES[i].flags);
    assert_memory_equal(token->text, CASES[i].name, strlen(CASES[i].name));
    arena_free(&result.arena);
  }
}

static void quotes_follow_sql_mode(void **state) {
  (void)state;
  Arena arena;
  Tokens tokens;
  Dialect dialect = dialect_new(M);
  arena_init(&arena);
  assert_true(tokens_scan(&dialect, &arena, "\"x\"", 3, &tokens));
  assert_int_equal(tokens.tokens.items[0].code, SQL_STRING);
  dialect_set_mode(&dialect, "ANSI_QUOTES, NO_BACKSLASH_ESCAPES", 33);
  assert_true(tokens_scan(&dialect, &arena, "\"x\"", 3, &tokens));
  assert_int_equal(tokens.tokens.items[0].code, SQL_NAME);
  assert_true(tokens_scan(&dialect, &arena, "'\\'", 3, &tokens));
  assert_int_equal(tokens.inputs.items[0].literal.length, 1);
  arena_free(&arena);
}

static void parameters_are_inputs(void **state) {
  (void)state;
  Scan result = scan(G, "SELECT ?, $2, :who, ?");
  assert_true(result.fine);
  const Input *inputs = result.tokens.inputs.items;
  assert_int_equal(result.tokens.inputs.count, 4);
  assert_int_equal(inputs[0].kind, INPUT_POSITION);
  assert_int_equal(inputs[0].number, 0);
  assert_int_equal(inputs[1].kind, INPUT_NUMBER);
  assert_int_equal(inputs[1].number, 1);
  assert_int_equal(inputs[2].kind, INPUT_NAME);
  assert_int_equal(inputs[2].length, 3);
  assert_memory_equal(inputs[2].name, "who", 3);
  assert_int_equal(inputs[3].number, 1);
  assert_int_equal(inputs[3].offset, 20);
  arena_free(&result.arena);
  result = scan(S, "SELECT ?7, @who, $who");
  assert_int_equal(result.tokens.inputs.items[0].number, 6);
  assert_int_equal(result.tokens.inputs.items[1].kind, INPUT_NAME);
  assert_int_equal(result.tokens.inputs.items[2].kind, INPUT_NAME);
  arena_free(&result.arena);
}

/* The number of tokens, the end not counted */
static void comments_vanish(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *text;
    uint32_t count;
  } CASES[] = {
      {G, "SELECT 1 -- one\n, 2", 4},
      {G, "SELECT /* a /* nested */ b */ 1", 2},
      {S, "SELECT /* a /* b */ 1", 2},
      {S, "SELECT 1 /* open", 2},
      {M, "SELECT 1 # one\n, 2", 4},
      {M, "SELECT 5--3", 5},
      {M, "SELECT 5-- 3", 2},
      {S, "SELECT 5--3", 2},
      {M, "SELECT /*!40101 2, */ 1", 4},
      {M, "SELECT /*! 2, */ 1", 4},
      {D, "SELECT /*!80000 2, */ 1", 2},
      {D, "SELECT /*M!100100 2, */ 1", 4},
      {M, "SELECT /*M! 2, */ 1", 2},
      {P, "SELECT /*! 2, */ 1", 2},
      {M, "SELECT /*+ MAX_EXECUTION_TIME(1) */ 1", 2},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Scan result = scan(CASES[i].dialect, CASES[i].text);
    if (!result.fine || result.tokens.tokens.count != CASES[i].count + 1)
      fail_msg("%s: %u tokens", CASES[i].text, result.tokens.tokens.count - 1);
    arena_free(&result.arena);
  }
}

static void bad_texts_are_located(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *text, *error;
    uint32_t offset;
  } CASES[] = {
      {G, "SELECT 'abc", "unterminated string", 7},
      {M, "SELECT 'abc\\'", "unterminated string", 7},
      {G, "SELECT \"abc", "unterminated quoted name", 7},
      {P, "SELECT $$abc$", "unterminated string", 7},
      {M, "SELECT 1 /* abc", "unterminated comment", 9},
      {M, "SELECT 1 /*! abc", "unterminated comment", 16},
      {S, "SELECT 12abc", "unrecognized token", 7},
      {P, "SELECT `a`", "unrecognized character", 7},
      {S, "SELECT #", "unrecognized character", 7},
      {G, "SELECT \\", "unrecognized character", 7},
      {G, "SELECT \x01", "unrecognized character", 7},
      {S, "SELECT x'ABC'", "malformed binary literal", 7},
      {S, "SELECT 0x12345678901234567", "hexadecimal number too large", 7},
      {G, "SELECT $0", "parameter numbers start with 1", 7},
      {G, "SELECT $99999", "parameter number too large", 7},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Scan result = scan(CASES[i].dialect, CASES[i].text);
    assert_false(result.fine);
    assert_string_equal(result.tokens.error, CASES[i].error);
    assert_int_equal(result.tokens.error_offset, CASES[i].offset);
    assert_int_equal(result.tokens.tokens.items[result.tokens.tokens.count - 1].code, 0);
    arena_free(&result.arena);
  }
}

/* Texts that may share a plan, and texts that must not */
static const struct {
  DialectName dialect;
  bool same;
  const char *a, *b;
} SHAPES[] = {
    {G, true, "SELECT a FROM t WHERE id = 1", "SELECT a FROM t  WHERE id=99 -- x"},
    {G, true, "SELECT 'a'", "SELECT 'it''s longer'"},
    {M, true, "UPDATE t SET b = b - 12.34 WHERE id = 7", "UPDATE t SET b = b - 1.50 WHERE id = 1234567"},
    {S, true, "SELECT 1.5", "SELECT 1.25"},
    {G, true, "SELECT -5", "SELECT -6"},
    {G, false, "SELECT a FROM t", "SELECT b FROM t"},
    {G, false, "SELECT a FROM t", "SELECT \"a\" FROM t"},
    {G, false, "SELECT ab", "SELECT a b"},
    {G, false, "SELECT 1", "SELECT '1'"},
    {G, false, "SELECT 1", "SELECT 1.0"},
    {G, false, "SELECT 1.0", "SELECT 1.00"},
    {P, false, "SELECT 1", "SELECT 5000000000"},
    {M, true, "SELECT 1", "SELECT 5000000000"},
    {G, false, "SELECT 1", "SELECT NULL"},
    {G, false, "SELECT TRUE", "SELECT FALSE"},
    {G, false, "SELECT NULL", "SELECT TRUE"},
    {G, false, "SELECT $1", "SELECT $2"},
    {G, false, "SELECT :a", "SELECT :b"},
    {G, false, "SELECT $1", "SELECT 1"},
    {G, false, "SELECT @a", "SELECT @b"},
    {G, false, "SELECT a + b", "SELECT a - b"},
    /* the tree depends on these literals */
    {M, false, "SELECT CAST(a AS CHAR(3))", "SELECT CAST(a AS CHAR(4))"},
    {M, false, "SELECT CAST(a AS DECIMAL(10,2))", "SELECT CAST(a AS DECIMAL(10,3))"},
    {P, false, "SELECT a::character varying(3)", "SELECT a::character varying(4)"},
    {M, false, "SELECT 1 AS 'x'", "SELECT 1 AS 'y'"},
    {S, false, "SELECT a 'x'", "SELECT a 'y'"},
    {G, false, "CREATE TABLE t (a INT DEFAULT 1)", "CREATE TABLE t (a INT DEFAULT 2)"},
    {M, false, "SIGNAL SQLSTATE '45000'", "SIGNAL SQLSTATE '45001'"},
    {P, true, "SELECT DATE '2020-01-01'", "SELECT DATE '2021-12-31'"},
    {S, false, "SELECT date 'x'", "SELECT date 'y'"},
    {M, true, "SELECT ROUND(a, 2)", "SELECT ROUND(a, 3)"},
    {G, true, "SELECT a FROM t LIMIT 5", "SELECT a FROM t LIMIT 6"},
};

static void shapes_tell_plans_apart(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
    bool same = shape_of(SHAPES[i].dialect, SHAPES[i].a) == shape_of(SHAPES[i].dialect, SHAPES[i].b);
    if (same != SHAPES[i].same)
      fail_msg("%s | %s: shapes are %s", SHAPES[i].a, SHAPES[i].b, same ? "equal" : "different");
  }
}

static void nesting_is_counted(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t depth;
  } CASES[] = {
      {"SELECT 1", 0},
      {"SELECT ((1)), (2)", 2},
      {"SELECT CASE WHEN (a) THEN CASE WHEN b THEN c END END", 2},
      {"BEGIN IF a THEN SET x = 1; END IF; LOOP SET y = 2; END LOOP; CASE a WHEN 1 THEN SET z = 1; END CASE; "
       "END",
       2},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Scan result = scan(M, CASES[i].text);
    assert_int_equal(result.tokens.depth, CASES[i].depth);
    arena_free(&result.arena);
  }
}

/* A text that is not NUL-terminated is read to its length and not beyond. */
static void text_needs_no_terminator(void **state) {
  (void)state;
  static const char *const TEXTS[] = {"SELECT a",  "SELECT 12", "SELECT 1.",  "SELECT 1e",   "SELECT <",
                                      "SELECT x'", "SELECT $q", "SELECT 'a'", "SELECT :",    "SELECT ?",
                                      "SELECT @",  "SELECT -",  "SELECT /",   "SELECT _utf8"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    size_t length = strlen(TEXTS[i]);
    char *exact = malloc(length); /* the address sanitizer sees a read behind it */
    memcpy(exact, TEXTS[i], length);
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
      Arena arena;
      Tokens tokens;
      Dialect settings = dialect_new((DialectName)dialect);
      arena_init(&arena);
      tokens_scan(&settings, &arena, exact, length, &tokens);
      assert_int_equal(tokens.tokens.items[tokens.tokens.count - 1].code, 0);
      arena_free(&arena);
    }
    free(exact);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(literals_have_kind_and_value), cmocka_unit_test(smallest_integers_keep_their_sign),
      cmocka_unit_test(names_fold_by_dialect),        cmocka_unit_test(quotes_follow_sql_mode),
      cmocka_unit_test(parameters_are_inputs),        cmocka_unit_test(comments_vanish),
      cmocka_unit_test(bad_texts_are_located),        cmocka_unit_test(shapes_tell_plans_apart),
      cmocka_unit_test(nesting_is_counted),           cmocka_unit_test(text_needs_no_terminator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
