/* generate_literal.c: literals and the names of types: few values, so that rows meet, and all the odd ones.
 */
#include "src/live/generate_draw.h"

static const char *const odd_integers[] = {
    "2147483647", "-2147483648", "4294967296", "1000000000000", "255", "-128", "64", "63", "100"};
static const char *const huge_integers[] = {"9223372036854775807", "-9223372036854775807", "9007199254740993",
                                            "4611686018427387904"};
static const char *const plain_reals[] = {"0.5",  "1.5", "-2.25",  "0.25", "3.75",
                                          "-0.5", "2.5", "10.125", "-1.5", "100.5"};
static const char *const odd_reals[] = {"1.0", "0.0", "-0.0", "2.0", "1e10", "123456789.125", ".5"};
static const char *const plain_texts[] = {"'a'", "'b'", "'ab'",  "'abc'", "'B'",
                                          "'c'", "''",  "'x y'", "'bc'",  "'A'"};
static const char *const lower_texts[] = {"'a'", "'b'",   "'ab'", "'abc'", "'c'",
                                          "''",  "'x y'", "'bc'", "'a_b'"};
static const char *const odd_texts[] = {
    "'1'",   "'-1'",   "'1.5'",   "' 2'",   "'2 '",  "'3abc'", "'1e2'", "'0x10'", "'%'",
    "'a_b'", "'a%b'",  "'''q'''", "'0'",    "'+5'",  "'.5'",   "'1.0'", "'-0'",   "'2024-02-29'",
    "'é'",   "'日本'", "'null'",  "'a\\b'", "'[a]'", "'1.'",   "'e5'",  "'-'"};
/* Bytes that are no text, or a NUL, would become text through || and CAST: a transcript cannot hold such
 * text. */
static const char *const blobs[] = {"x''", "x'61'", "x'3132'", "x'7E'", "x'4142'", "X'616263'", "x'312E35'"};
static const char *const dates[] = {"2024-01-31", "2024-02-29", "2023-12-31", "2024-01-01", "1999-07-15"};
static const char *const like_patterns[] = {"'%'",     "'a%'", "'%b'",  "'_'",   "'%b%'", "'A_c'", "''",
                                            "'a\\%b'", "'1%'", "'_%_'", "'%é%'", "'abc'", "'%.%'"};
static const char *const glob_patterns[] = {"'*'", "'a*'",  "'*b'",   "'?'",      "'[a-b]*'", "'[^a]*'",
                                            "''",  "'A?c'", "'[]a]'", "'*[0-9]'", "'a[*]b'",  "'[a'"};

void draw_pattern(Generator *generator, bool is_glob) {
  const char *pattern = is_glob ? DRAW_ONE(generator, glob_patterns) : DRAW_ONE(generator, like_patterns);
  bool is_plain =
      !generator->is_mysql || strcmp(pattern, "'%é%'") != 0; /* collations beyond ASCII are not modelled */
  emit(generator, "%s", is_plain ? pattern : "'%'");
}

static void draw_integer(Generator *generator) {
  if (generator->is_sqlite && !generator->is_modelled && draw_chance(generator, 1))
    emit(generator, "%s", DRAW_ONE(generator, huge_integers));
  else if (draw_chance(generator, 5) && !generator->is_strict)
    emit(generator, "%s", DRAW_ONE(generator, odd_integers));
  else if (draw_chance(generator, 5))
    emit(generator, "%u", draw_below(generator, 1000));
  else
    emit(generator, "%d", (int)draw_below(generator, 13) - 3);
}

static void draw_text(Generator *generator) {
  /* Which of two spellings that are equal a query shows is modelled in part only. */
  if (generator->is_modelled && generator->is_mysql) {
    emit(generator, "%s", DRAW_ONE(generator, lower_texts));
    return;
  }
  bool is_odd = draw_chance(generator, generator->is_sqlite ? 30 : generator->is_mysql ? 4 : 10);
  const char *text = is_odd ? DRAW_ONE(generator, odd_texts) : DRAW_ONE(generator, plain_texts);
  /* Of letters beyond ASCII neither collation nor case is modelled. */
  bool is_foreign = (unsigned char)text[1] >= 0x80 && generator->is_modelled;
  emit(generator, "%s", is_foreign ? "'1'" : text);
}

Operand draw_null(Generator *generator, OperandType type) {
  if (generator->is_strict)
    emit(generator, "CAST(NULL AS %s)", cast_words(generator, type));
  else
    emit(generator, "NULL");
  return (Operand){OPERAND_NULL, true};
}

Operand draw_literal(Generator *generator, OperandType type) {
  switch (type) {
  case OPERAND_NULL: return draw_null(generator, draw_type(generator));
  case OPERAND_INTEGER: draw_integer(generator); break;
  case OPERAND_REAL:
    if (generator->is_postgres)
      emit(generator, "CAST(%s AS double precision)", DRAW_ONE(generator, plain_reals));
    else if (generator->is_mysql)
      emit(generator, "%se0", DRAW_ONE(generator, plain_reals));
    else
      emit(generator, "%s",
           draw_chance(generator, 20) ? DRAW_ONE(generator, odd_reals) : DRAW_ONE(generator, plain_reals));
    break;
  case OPERAND_DECIMAL:
    emit(generator, "%s", DRAW_ONE(generator, plain_reals));
    if (generator->is_sqlite) return (Operand){OPERAND_REAL, true};
    break;
  case OPERAND_TEXT: draw_text(generator); break;
  case OPERAND_BLOB: emit(generator, "%s", DRAW_ONE(generator, blobs)); break;
  case OPERAND_BOOLEAN:
    if (generator->avoids_truth)
      emit(generator, "%u", draw_below(generator, 2));
    else
      emit(generator, "%s", draw_chance(generator, 50) ? "TRUE" : "FALSE");
    if (generator->is_sqlite) return (Operand){OPERAND_INTEGER, true};
    break;
  case OPERAND_DATE:
    emit(generator, generator->is_sqlite ? "'%s'" : "DATE '%s'", DRAW_ONE(generator, dates));
    if (generator->is_sqlite) return (Operand){OPERAND_TEXT, true};
    break;
  default: break;
  }
  return (Operand){type, true};
}

OperandType draw_type(Generator *generator) {
  static const OperandType sqlite_types[] = {OPERAND_INTEGER, OPERAND_INTEGER, OPERAND_REAL,   OPERAND_TEXT,
                                             OPERAND_TEXT,    OPERAND_BLOB,    OPERAND_DECIMAL};
  static const OperandType other_types[] = {OPERAND_INTEGER, OPERAND_INTEGER, OPERAND_TEXT,    OPERAND_TEXT,
                                            OPERAND_DECIMAL, OPERAND_REAL,    OPERAND_BOOLEAN, OPERAND_DATE};
  OperandType type =
      generator->is_sqlite ? DRAW_ONE(generator, sqlite_types) : DRAW_ONE(generator, other_types);
  /* How MariaDB rounds doubles on their way, and its negative zeros, are not modelled. */
  bool is_wild = generator->is_modelled && generator->is_mysql && type == OPERAND_REAL;
  return is_wild ? OPERAND_DECIMAL : type;
}

OperandType draw_mixed(Generator *generator, OperandType want) {
  if (generator->is_strict || draw_chance(generator, 65) || (generator->is_mysql && want == OPERAND_DATE))
    return want;
  static const OperandType any[] = {OPERAND_INTEGER, OPERAND_REAL,    OPERAND_TEXT,
                                    OPERAND_BLOB,    OPERAND_DECIMAL, OPERAND_BOOLEAN};
  static const OperandType mild[] = {OPERAND_INTEGER, OPERAND_REAL, OPERAND_DECIMAL, OPERAND_BOOLEAN};
  return generator->is_sqlite ? DRAW_ONE(generator, any) : DRAW_ONE(generator, mild);
}

const char *type_words(Generator *generator, OperandType type, bool is_key) {
  static const char *const words[3][OPERAND_TYPES][3] = {
      {[OPERAND_INTEGER] = {"INTEGER", "INT", "BIGINT"},
       [OPERAND_REAL] = {"REAL", "DOUBLE PRECISION", "FLOAT"},
       [OPERAND_TEXT] = {"TEXT", "VARCHAR(10)", "CHAR(5)"},
       [OPERAND_BLOB] = {"BLOB", "", "BLOB"},
       [OPERAND_DECIMAL] = {"NUMERIC", "DECIMAL(10,2)", "NUMERIC(8)"},
       [OPERAND_BOOLEAN] = {"BOOLEAN", "BOOLEAN", "BOOLEAN"},
       [OPERAND_DATE] = {"DATE", "DATE", "DATE"}},
      {[OPERAND_INTEGER] = {"integer", "bigint", "smallint"},
       [OPERAND_REAL] = {"double precision", "double precision", "float8"},
       [OPERAND_TEXT] = {"text", "varchar(20)", "text"},
       [OPERAND_DECIMAL] = {"numeric(10,2)", "numeric(12,3)", "decimal(10,2)"},
       [OPERAND_BOOLEAN] = {"boolean", "boolean", "boolean"},
       [OPERAND_DATE] = {"date", "date", "date"}},
      {[OPERAND_INTEGER] = {"INT", "BIGINT", "SMALLINT"},
       [OPERAND_REAL] = {"DOUBLE", "DOUBLE", "DOUBLE PRECISION"},
       [OPERAND_TEXT] = {"VARCHAR(20)", "VARCHAR(20)", "TEXT"},
       [OPERAND_DECIMAL] = {"DECIMAL(10,2)", "DECIMAL(12,3)", "NUMERIC(10,2)"},
       [OPERAND_BOOLEAN] = {"BOOLEAN", "BOOLEAN", "TINYINT"},
       [OPERAND_DATE] = {"DATE", "DATE", "DATE"}}};
  unsigned dialect = generator->is_sqlite ? 0 : generator->is_postgres ? 1 : 2;
  return words[dialect][type][draw_below(generator, is_key ? 1 : 3)];
}

const char *cast_words(const Generator *generator, OperandType type) {
  static const char *const words[3][OPERAND_TYPES] = {{[OPERAND_INTEGER] = "INTEGER",
                                                       [OPERAND_REAL] = "REAL",
                                                       [OPERAND_TEXT] = "TEXT",
                                                       [OPERAND_BLOB] = "BLOB",
                                                       [OPERAND_DECIMAL] = "NUMERIC",
                                                       [OPERAND_BOOLEAN] = "INTEGER",
                                                       [OPERAND_DATE] = "TEXT",
                                                       [OPERAND_NULL] = "TEXT"},
                                                      {[OPERAND_INTEGER] = "integer",
                                                       [OPERAND_REAL] = "double precision",
                                                       [OPERAND_TEXT] = "text",
                                                       [OPERAND_BLOB] = "text",
                                                       [OPERAND_DECIMAL] = "numeric(12,2)",
                                                       [OPERAND_BOOLEAN] = "boolean",
                                                       [OPERAND_DATE] = "date",
                                                       [OPERAND_NULL] = "text"},
                                                      {[OPERAND_INTEGER] = "SIGNED",
                                                       [OPERAND_REAL] = "DOUBLE",
                                                       [OPERAND_TEXT] = "CHAR",
                                                       [OPERAND_BLOB] = "BINARY",
                                                       [OPERAND_DECIMAL] = "DECIMAL(12,2)",
                                                       [OPERAND_BOOLEAN] = "SIGNED",
                                                       [OPERAND_DATE] = "DATE",
                                                       [OPERAND_NULL] = "CHAR"}};
  return words[generator->is_sqlite ? 0 : generator->is_postgres ? 1 : 2][type];
}
