/* value.h: what a SQL value is in memory: 16 bytes, copied freely.
 *
 * Text, blobs, wide decimals and lists point to memory owned by somebody else:
 * an arena, a transcript line, or the stored row itself.
 *
 * V1  VALUE_INT holds every integer in the signed 64-bit range; VALUE_UINT only those above it.
 * V2  VALUE_DECIMAL has its coefficient in `integer`; VALUE_WIDE only coefficients that do not fit there.
 *     The value is coefficient / 10^scale, with at most 38 digits in the coefficient.
 * V3  VALUE_DOUBT is a value that is not known: an id into the table of doubts.  No operator
 *     works on it; meeting one ends the concrete path of the statement (semantics/doubt.h).
 * V4  VALUE_DATE counts days, VALUE_TIME and VALUE_TIMESTAMP microseconds, from midnight or 1970-01-01.
 * V5  VALUE_INTERVAL has its months in `length` (as int32_t) and its microseconds in `integer`. */
#ifndef ALIBI_BASE_VALUE_H
#define ALIBI_BASE_VALUE_H

#include "src/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* 8-aligned, as everything in an arena is. */
typedef __int128 Int128 __attribute__((aligned(8)));

typedef enum ValueKind {
  VALUE_NULL,
  VALUE_BOOL,
  VALUE_INT,
  VALUE_UINT,
  VALUE_DECIMAL,
  VALUE_WIDE,
  VALUE_DOUBLE,
  VALUE_TEXT,
  VALUE_BLOB,
  VALUE_DATE,
  VALUE_TIME,
  VALUE_TIMESTAMP,
  VALUE_INTERVAL,
  VALUE_LIST, /* key-value histories only */
  VALUE_DOUBT
} ValueKind;

typedef struct Value {
  uint8_t kind;
  uint8_t scale;   /* decimals */
  uint16_t flags;  /* VALUE_DOUBLE: VALUE_SINGLE; otherwise 0 */
  uint32_t length; /* bytes of text and blobs, items of lists, months of intervals */
  union {
    int64_t integer; /* BOOL (0, 1), INT, DECIMAL, DATE, TIME, TIMESTAMP, INTERVAL */
    uint64_t natural;
    double real;
    const char *text; /* TEXT, BLOB: not NUL-terminated */
    const uint64_t *wide; /* two words, low first: see value_wide */
    const struct Value *items;
    uint32_t doubt;
  };
} Value;

enum { VALUE_SINGLE = 1 }; /* a double that came from a single-precision column */

#define NULL_VALUE ((Value){.kind = VALUE_NULL})

static inline bool value_is_null(Value value) { return value.kind == VALUE_NULL; }
static inline Value value_bool(bool truth) { return (Value){.kind = VALUE_BOOL, .integer = truth}; }
static inline Value value_int(int64_t integer) { return (Value){.kind = VALUE_INT, .integer = integer}; }
static inline Value value_double(double real) { return (Value){.kind = VALUE_DOUBLE, .real = real}; }
static inline Value value_doubt(uint32_t doubt) { return (Value){.kind = VALUE_DOUBT, .doubt = doubt}; }
static inline Value value_text(const char *text, size_t length) {
  return (Value){.kind = VALUE_TEXT, .length = (uint32_t)length, .text = text};
}
static inline Value value_string(const char *text) { return value_text(text, strlen(text)); }
static inline Value value_blob(const void *bytes, size_t length) {
  return (Value){.kind = VALUE_BLOB, .length = (uint32_t)length, .text = bytes};
}
/* Canonical by V1. */
static inline Value value_uint(uint64_t natural) {
  if (natural <= INT64_MAX) return value_int((int64_t)natural);
  return (Value){.kind = VALUE_UINT, .natural = natural};
}

/* Decimals, canonical by V2; the arena holds a wide coefficient. */
Value value_decimal(Arena *arena, Int128 coefficient, unsigned scale);
/* The coefficient of INT, UINT, BOOL, DECIMAL or WIDE (scale 0 but for decimals). */
Int128 value_coefficient(Value value);
static inline bool value_is_decimal(Value value) {
  return value.kind == VALUE_DECIMAL || value.kind == VALUE_WIDE;
}

/* Bytes needed behind a value that must outlive its source, and the deep copy
 * into memory at *memory, which is advanced (8-aligned). */
size_t value_extra(Value value);
Value value_pack(Value value, char **memory);
Value value_copy(Arena *arena, Value value);

/* The same kind and the same bits: for tests, caches and hash-consing, not SQL equality. */
bool value_identical(Value a, Value b);
/* Of its kind and bits: identical values have the same one. */
uint64_t value_digest(Value value);
const char *value_kind_name(ValueKind kind);

#endif
