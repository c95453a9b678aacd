/* type.c: the names of types, per dialect, as one table.
 *
 * Words are compared in upper case with single blanks.  What a number in
 * parentheses means is the row's business: a length, a precision, or
 * nothing (INT(11)).  A name without a row is no modelled type. */
#include "src/sql/type.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FOR_GENERIC = 1, FOR_POSTGRESQL = 2, FOR_MYSQL = 4, FOR_PG = 3, FOR_ALL = 7 };

typedef enum NumberRule {
  NUMBER_IGNORED,  /* INT(11) */
  NUMBER_REFUSED,  /* DOUBLE(8,2): rounds, not modelled */
  NUMBER_LENGTH,   /* CHAR(n): without it 1 in postgresql, any in a cast of mysql */
  NUMBER_LIMIT,    /* VARCHAR(n): without it any */
  NUMBER_DECIMAL,  /* DECIMAL(p,s) */
  NUMBER_FRACTION, /* TIMESTAMP(p) */
  NUMBER_FLOAT     /* FLOAT(bits) */
} NumberRule;

typedef struct TypeName {
  const char *words;
  uint8_t dialects;
  uint8_t kind;
  uint8_t bytes;
  bool is_unsigned;
  uint8_t rule;
} TypeName;

static const TypeName type_names[] = {
    {"TINYINT", FOR_GENERIC | FOR_MYSQL, TYPE_INT, 1, false, NUMBER_IGNORED},
    {"SMALLINT", FOR_ALL, TYPE_INT, 2, false, NUMBER_IGNORED},
    {"INT2", FOR_ALL, TYPE_INT, 2, false, NUMBER_IGNORED},
    {"SMALLSERIAL", FOR_PG, TYPE_INT, 2, false, NUMBER_REFUSED},
    {"SERIAL2", FOR_PG, TYPE_INT, 2, false, NUMBER_REFUSED},
    {"MEDIUMINT", FOR_GENERIC | FOR_MYSQL, TYPE_INT, 3, false, NUMBER_IGNORED},
    {"INT3", FOR_MYSQL, TYPE_INT, 3, false, NUMBER_IGNORED},
    {"INT", FOR_ALL, TYPE_INT, 4, false, NUMBER_IGNORED},
    {"INTEGER", FOR_ALL, TYPE_INT, 4, false, NUMBER_IGNORED},
    {"INT4", FOR_ALL, TYPE_INT, 4, false, NUMBER_IGNORED},
    {"SERIAL", FOR_PG, TYPE_INT, 4, false, NUMBER_REFUSED},
    {"SERIAL4", FOR_PG, TYPE_INT, 4, false, NUMBER_REFUSED},
    {"BIGINT", FOR_ALL, TYPE_INT, 8, false, NUMBER_IGNORED},
    {"INT8", FOR_ALL, TYPE_INT, 8, false, NUMBER_IGNORED},
    {"BIGSERIAL", FOR_PG, TYPE_INT, 8, false, NUMBER_REFUSED},
    {"SERIAL8", FOR_PG, TYPE_INT, 8, false, NUMBER_REFUSED},
    {"SERIAL", FOR_MYSQL, TYPE_INT, 8, true, NUMBER_REFUSED},
    {"SIGNED", FOR_GENERIC | FOR_MYSQL, TYPE_INT, 8, false, NUMBER_REFUSED},
    {"BOOL", FOR_PG, TYPE_BOOL, 0, false, NUMBER_REFUSED},
    {"BOOLEAN", FOR_PG, TYPE_BOOL, 0, false, NUMBER_REFUSED},
    {"BOOL", FOR_MYSQL, TYPE_INT, 1, false, NUMBER_REFUSED},
    {"BOOLEAN", FOR_MYSQL, TYPE_INT, 1, false, NUMBER_REFUSED},
    {"DECIMAL", FOR_ALL, TYPE_DECIMAL, 0, false, NUMBER_DECIMAL},
    {"DEC", FOR_ALL, TYPE_DECIMAL, 0, false, NUMBER_DECIMAL},
    {"NUMERIC", FOR_ALL, TYPE_DECIMAL, 0, false, NUMBER_DECIMAL},
    {"FIXED", FOR_MYSQL, TYPE_DECIMAL, 0, false, NUMBER_DECIMAL},
    {"NUMBER", FOR_GENERIC, TYPE_DECIMAL, 0, false, NUMBER_DECIMAL},
    {"FLOAT", FOR_PG, TYPE_DOUBLE, 0, false, NUMBER_FLOAT},
    {"FLOAT", FOR_MYSQL, TYPE_FLOAT, 0, false, NUMBER_FLOAT},
    {"REAL", FOR_PG, TYPE_FLOAT, 0, false, NUMBER_REFUSED},
    {"REAL", FOR_MYSQL, TYPE_DOUBLE, 0, false, NUMBER_REFUSED},
    {"FLOAT4", FOR_ALL, TYPE_FLOAT, 0, false, NUMBER_REFUSED},
    {"FLOAT8", FOR_ALL, TYPE_DOUBLE, 0, false, NUMBER_REFUSED},
    {"DOUBLE", FOR_GENERIC | FOR_MYSQL, TYPE_DOUBLE, 0, false, NUMBER_REFUSED},
    {"DOUBLE PRECISION", FOR_ALL, TYPE_DOUBLE, 0, false, NUMBER_REFUSED},
    {"CHAR", FOR_ALL, TYPE_CHAR, 0, false, NUMBER_LENGTH},
    {"CHARACTER", FOR_ALL, TYPE_CHAR, 0, false, NUMBER_LENGTH},
    {"NCHAR", FOR_ALL, TYPE_CHAR, 0, false, NUMBER_LENGTH},
    {"NATIONAL CHAR", FOR_ALL, TYPE_CHAR, 0, false, NUMBER_LENGTH},
    {"BPCHAR", FOR_PG, TYPE_CHAR, 0, false, NUMBER_LIMIT},
    {"VARCHAR", FOR_ALL, TYPE_VARCHAR, 0, false, NUMBER_LIMIT},
    {"VARCHAR2", FOR_GENERIC, TYPE_VARCHAR, 0, false, NUMBER_LIMIT},
    {"CHARACTER VARYING", FOR_ALL, TYPE_VARCHAR, 0, false, NUMBER_LIMIT},
    {"CHAR VARYING", FOR_ALL, TYPE_VARCHAR, 0, false, NUMBER_LIMIT},
    {"NVARCHAR", FOR_GENERIC | FOR_MYSQL, TYPE_VARCHAR, 0, false, NUMBER_LIMIT},
    {"TEXT", FOR_ALL, TYPE_TEXT, 0, false, NUMBER_IGNORED},
    {"TINYTEXT", FOR_GENERIC | FOR_MYSQL, TYPE_TEXT, 0, false, NUMBER_IGNORED},
    {"MEDIUMTEXT", FOR_GENERIC | FOR_MYSQL, TYPE_TEXT, 0, false, NUMBER_IGNORED},
    {"LONGTEXT", FOR_GENERIC | FOR_MYSQL, TYPE_TEXT, 0, false, NUMBER_IGNORED},
    {"CLOB", FOR_GENERIC, TYPE_TEXT, 0, false, NUMBER_IGNORED},
    {"STRING", FOR_GENERIC, TYPE_TEXT, 0, false, NUMBER_IGNORED},
    {"BLOB", FOR_GENERIC | FOR_MYSQL, TYPE_BLOB, 0, false, NUMBER_IGNORED},
    {"TINYBLOB", FOR_GENERIC | FOR_MYSQL, TYPE_BLOB, 0, false, NUMBER_IGNORED},
    {"MEDIUMBLOB", FOR_GENERIC | FOR_MYSQL, TYPE_BLOB, 0, false, NUMBER_IGNORED},
    {"LONGBLOB", FOR_GENERIC | FOR_MYSQL, TYPE_BLOB, 0, false, NUMBER_IGNORED},
    {"BINARY", FOR_GENERIC | FOR_MYSQL, TYPE_BLOB, 0, false,
     NUMBER_REFUSED}, /* BINARY(n) pads: not modelled */
    {"BYTEA", FOR_PG, TYPE_BLOB, 0, false, NUMBER_REFUSED},
    {"VARBINARY", FOR_GENERIC | FOR_MYSQL, TYPE_BLOB, 0, false, NUMBER_LIMIT},
    {"DATE", FOR_ALL, TYPE_DATE, 0, false, NUMBER_REFUSED},
    {"TIME", FOR_ALL, TYPE_TIME, 0, false, NUMBER_FRACTION},
    {"TIME WITHOUT TIME ZONE", FOR_PG, TYPE_TIME, 0, false, NUMBER_FRACTION},
    {"DATETIME", FOR_GENERIC | FOR_MYSQL, TYPE_TIMESTAMP, 0, false, NUMBER_FRACTION},
    {"TIMESTAMP", FOR_ALL, TYPE_TIMESTAMP, 0, false, NUMBER_FRACTION},
    {"TIMESTAMP WITHOUT TIME ZONE", FOR_PG, TYPE_TIMESTAMP, 0, false, NUMBER_FRACTION},
    {"TIMESTAMPTZ", FOR_PG, TYPE_TIMESTAMPTZ, 0, false, NUMBER_FRACTION},
    {"TIMESTAMP WITH TIME ZONE", FOR_PG, TYPE_TIMESTAMPTZ, 0, false, NUMBER_FRACTION},
    {"INTERVAL", FOR_PG, TYPE_INTERVAL, 0, false, NUMBER_REFUSED},
    {"UUID", FOR_PG, TYPE_UUID, 0, false, NUMBER_REFUSED},
};

enum { WORDS_LIMIT = 64, PRECISION_LIMIT = 65 };

/* Upper case, single blanks, numbers in parentheses left out. */
static bool words_normalize(const char *words, size_t length, char out[WORDS_LIMIT]) {
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    char c = words[i];
    if (c == '(') break;
    if (isspace((unsigned char)c)) c = ' ';
    if (c == ' ' && (used == 0 || out[used - 1] == ' ')) continue;
    if (used + 1 >= WORDS_LIMIT) return false;
    out[used++] = (char)toupper((unsigned char)c);
  }
  while (used && out[used - 1] == ' ') used--;
  out[used] = 0;
  return used > 0;
}

static bool words_drop(char *words, const char *suffix) {
  size_t length = strlen(words), cut = strlen(suffix);
  if (length <= cut || strcmp(words + length - cut, suffix) != 0) return false;
  words[length - cut] = 0;
  return true;
}

static unsigned dialect_mask(const Dialect *dialect) {
  if (dialect_is_mysql(dialect)) return FOR_MYSQL;
  return dialect->name == DIALECT_POSTGRESQL ? FOR_POSTGRESQL : FOR_GENERIC;
}

static bool decimal_numbers(const Dialect *dialect, int64_t first, int64_t second, Type *type) {
  if (first < 0) {
    if (dialect_is_mysql(dialect)) type->precision = 10;
    return true;
  }
  if (second < 0) second = 0;
  if (first == 0 && dialect_is_mysql(dialect)) first = 10;
  if (first == 0 || first > PRECISION_LIMIT || second > first) return false;
  type->precision = (uint8_t)first;
  type->scale = (uint8_t)second;
  return true;
}

static bool apply_numbers(const Dialect *dialect, NumberRule rule, int64_t first, int64_t second,
                          Type *type) {
  switch (rule) {
  case NUMBER_IGNORED: return true;
  case NUMBER_REFUSED: return first < 0;
  case NUMBER_LENGTH:
    if (first < 0 && !dialect_is_mysql(dialect)) first = 1;
    type->length = first < 0 ? 0 : (uint32_t)first;
    return first <= UINT32_MAX && first != 0;
  case NUMBER_LIMIT: type->length = first < 0 ? 0 : (uint32_t)first; return first <= UINT32_MAX && first != 0;
  case NUMBER_DECIMAL: return decimal_numbers(dialect, first, second, type);
  case NUMBER_FRACTION:
    type->precision = first >= 0 ? (uint8_t)first : dialect_is_mysql(dialect) ? 0 : 6;
    return first <= 6;
  case NUMBER_FLOAT:
    if (second >= 0) return false;
    if (first >= 0) type->kind = first <= 24 ? TYPE_FLOAT : TYPE_DOUBLE;
    return first <= 53;
  }
  return false;
}

/* SIGNED and UNSIGNED [INTEGER] are whole names in MySQL's CAST, suffixes elsewhere. */
static void strip_sign(char *words, bool *is_unsigned) {
  words_drop(words, " ZEROFILL");
  if (strcmp(words, "UNSIGNED") == 0 || strcmp(words, "UNSIGNED INTEGER") == 0 ||
      strcmp(words, "UNSIGNED INT") == 0) {
    strcpy(words, "SIGNED");
    *is_unsigned = true;
  } else if (strcmp(words, "SIGNED INTEGER") == 0 || strcmp(words, "SIGNED INT") == 0) {
    strcpy(words, "SIGNED");
  } else if (words_drop(words, " UNSIGNED")) {
    *is_unsigned = true;
  } else {
    words_drop(words, " SIGNED");
  }
}

bool type_parse(const Dialect *dialect, const char *words, size_t length, int64_t first, int64_t second,
                Type *type) {
  *type = (Type){0};
  if (dialect_is_sqlite(dialect)) {
    *type = (Type){.kind = TYPE_DYNAMIC,
                   .affinity = (uint8_t)affinity_of_declared(words, length),
                   .collation = (uint8_t)dialect->collation};
    return true;
  }
  char name[WORDS_LIMIT];
  if (!words || !words_normalize(words, length, name)) return false;
  bool is_unsigned = false, is_binary = false;
  if (dialect->name != DIALECT_POSTGRESQL) {
    strip_sign(name, &is_unsigned);
    is_binary = words_drop(name, " BINARY");
  }
  for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
    const TypeName *row = &type_names[i];
    if (!(row->dialects & dialect_mask(dialect)) || strcmp(row->words, name) != 0) continue;
    *type = (Type){.kind = row->kind, .bytes = row->bytes, .is_unsigned = row->is_unsigned || is_unsigned};
    if (is_unsigned && !type_is_number(*type)) return false;
    if (type_is_text(*type)) type->collation = (uint8_t)dialect->collation, type->is_binary = is_binary;
    return apply_numbers(dialect, row->rule, first, second, type);
  }
  return false;
}

static const char *integer_name(unsigned bytes) {
  static const char *const names[] = {"INT", "TINYINT", "SMALLINT", "MEDIUMINT", "INT"};
  return bytes <= 4 ? names[bytes] : "BIGINT";
}

static const char *affinity_name(unsigned affinity) {
  static const char *const names[] = {"ANY", "BLOB", "TEXT", "NUMERIC", "INTEGER", "REAL"};
  return names[affinity];
}

static const char *kind_name(unsigned kind) {
  static const char *const names[] = {
      [TYPE_UNKNOWN] = "UNKNOWN",   [TYPE_DYNAMIC] = "ANY",         [TYPE_BOOL] = "BOOLEAN",
      [TYPE_INT] = "INT",           [TYPE_DECIMAL] = "DECIMAL",     [TYPE_FLOAT] = "FLOAT",
      [TYPE_DOUBLE] = "DOUBLE",     [TYPE_CHAR] = "CHAR",           [TYPE_VARCHAR] = "VARCHAR",
      [TYPE_TEXT] = "TEXT",         [TYPE_BLOB] = "BLOB",           [TYPE_DATE] = "DATE",
      [TYPE_TIME] = "TIME",         [TYPE_TIMESTAMP] = "TIMESTAMP", [TYPE_TIMESTAMPTZ] = "TIMESTAMPTZ",
      [TYPE_INTERVAL] = "INTERVAL", [TYPE_UUID] = "UUID",           [TYPE_ROW] = "ROW"};
  return names[kind];
}

const char *type_text(Type type, char *buffer, size_t size) {
  switch (type.kind) {
  case TYPE_DYNAMIC: snprintf(buffer, size, "%s", affinity_name(type.affinity)); break;
  case TYPE_INT:
    snprintf(buffer, size, "%s%s", integer_name(type.bytes), type.is_unsigned ? " UNSIGNED" : "");
    break;
  case TYPE_DECIMAL:
    if (type.precision == 0)
      snprintf(buffer, size, "DECIMAL");
    else
      snprintf(buffer, size, "DECIMAL(%u,%u)", type.precision, type.scale);
    break;
  case TYPE_CHAR:
  case TYPE_VARCHAR:
    if (type.length == 0)
      snprintf(buffer, size, "%s", kind_name(type.kind));
    else
      snprintf(buffer, size, "%s(%u)", kind_name(type.kind), type.length);
    break;
  default: snprintf(buffer, size, "%s", kind_name(type.kind));
  }
  return buffer;
}

static bool words_contain(const char *words, size_t length, const char *part) {
  size_t size = strlen(part);
  for (size_t i = 0; i + size <= length; i++) {
    size_t j = 0;
    while (j < size && toupper((unsigned char)words[i + j]) == part[j]) j++;
    if (j == size) return true;
  }
  return false;
}

/* https://www.sqlite.org/datatype3.html, section 3.1, in its order. */
Affinity affinity_of_declared(const char *words, size_t length) {
  if (!words || length == 0) return AFFINITY_BLOB;
  if (words_contain(words, length, "INT")) return AFFINITY_INTEGER;
  if (words_contain(words, length, "CHAR") || words_contain(words, length, "CLOB") ||
      words_contain(words, length, "TEXT"))
    return AFFINITY_TEXT;
  if (words_contain(words, length, "BLOB")) return AFFINITY_BLOB;
  if (words_contain(words, length, "REAL") || words_contain(words, length, "FLOA") ||
      words_contain(words, length, "DOUB"))
    return AFFINITY_REAL;
  return AFFINITY_NUMERIC;
}
