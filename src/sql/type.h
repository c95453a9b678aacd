/* type.h: the static type of a column or an expression. */
#ifndef ALIBI_SQL_TYPE_H
#define ALIBI_SQL_TYPE_H

#include "src/base/value.h"
#include "src/sql/dialect.h"

#include <stdint.h>

typedef enum TypeKind {
  TYPE_UNKNOWN, /* an untyped literal, a parameter before its context, NULL */
  TYPE_DYNAMIC, /* sqlite: the value tells; `affinity` says what comparisons and stores apply */
  TYPE_BOOL,
  TYPE_INT,
  TYPE_DECIMAL,
  TYPE_FLOAT, /* single precision */
  TYPE_DOUBLE,
  TYPE_CHAR,
  TYPE_VARCHAR,
  TYPE_TEXT,
  TYPE_BLOB,
  TYPE_DATE,
  TYPE_TIME,
  TYPE_TIMESTAMP,
  TYPE_TIMESTAMPTZ, /* normalized to UTC */
  TYPE_INTERVAL,
  TYPE_UUID,
  TYPE_ROW
} TypeKind;

typedef enum Affinity { AFFINITY_NONE, AFFINITY_BLOB, AFFINITY_TEXT, AFFINITY_NUMERIC, AFFINITY_INTEGER, AFFINITY_REAL } Affinity;

typedef struct Type {
  uint8_t kind;
  uint8_t bytes;     /* integers: 1, 2, 3, 4 or 8 */
  bool is_unsigned;  /* integers (mysql, mariadb) */
  uint8_t precision; /* decimals: 0 = any (PostgreSQL's plain NUMERIC); timestamps: fractional digits */
  uint8_t scale;     /* decimals */
  uint8_t affinity;  /* TYPE_DYNAMIC */
  uint8_t collation; /* text */
  bool is_binary;    /* text compared by bytes whatever the collation (BINARY, COLLATE utf8mb4_bin) */
  uint32_t length;   /* CHAR and VARCHAR: characters, 0 = no limit */
} Type;

static inline bool type_is_text(Type type) { return type.kind >= TYPE_CHAR && type.kind <= TYPE_TEXT; }
static inline bool type_is_number(Type type) { return type.kind >= TYPE_INT && type.kind <= TYPE_DOUBLE; }
static inline bool type_is_real(Type type) { return type.kind == TYPE_FLOAT || type.kind == TYPE_DOUBLE; }
static inline bool type_is_time(Type type) { return type.kind >= TYPE_DATE && type.kind <= TYPE_TIMESTAMPTZ; }

static inline Type type_of(TypeKind kind) { return (Type){.kind = (uint8_t)kind}; }
static inline Type type_int(unsigned bytes) { return (Type){.kind = TYPE_INT, .bytes = (uint8_t)bytes}; }

/* What typing sees of a literal or parameter without pinning it: the kind of its value, for integers whether they fit 32
 * bits, for decimals the scale.  Executions share a plan only where the classes of all their inputs agree, so
 * the class belongs to the shape of a statement (literals) and to the key of a plan (parameters). */
static inline uint32_t value_class(Value value) {
  if (value.kind == VALUE_INT) return value.kind | (uint32_t)(value.integer == (int32_t)value.integer) << 8;
  if (value.kind == VALUE_DECIMAL || value.kind == VALUE_WIDE) return VALUE_DECIMAL | (uint32_t)value.scale << 8;
  return value.kind;
}

/* A type name as declared: words such as "BIGINT UNSIGNED", up to two numbers in parentheses
 * (-1: absent).  False: no such type in this dialect (the statement is set aside). */
bool type_parse(const Dialect *dialect, const char *words, size_t length, int64_t first, int64_t second, Type *type);
/* "DECIMAL(12,2)" and the like, for people. Returns buffer. */
const char *type_text(Type type, char *buffer, size_t size);
/* By SQLite's rules for declared types. */
Affinity affinity_of_declared(const char *words, size_t length);

#endif
