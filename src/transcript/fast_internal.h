/* fast_internal.h: what the files of the event reader share.
 *
 * F1  Every function that reads returns false for "not mine" and every caller gives up at once.
 * F2  The line is not changed before all of it is understood; then the NULs behind names go in.
 * F3  What it accepts, decode.h accepts, with equal structures (tests/unit/transcript_test.c). */
#ifndef ALIBI_TRANSCRIPT_FAST_INTERNAL_H
#define ALIBI_TRANSCRIPT_FAST_INTERNAL_H

#include "src/transcript/fast.h"
#include "src/transcript/fast_token.h"

typedef struct Fast {
  FastToken token; /* the place in the line */
  FastReader *scratch;
  Arena *arena;
} Fast;

/* The items of a scratch list from `from` on, as an array in the arena. */
#define TAKE(fast, list, from, count_, array)                                                                \
  do {                                                                                                       \
    (count_) = (list)->count - (from);                                                                       \
    (array) = arena_alloc((fast)->arena, (count_) * sizeof *(array));                                        \
    if (count_) memcpy((array), (list)->items + (from), (count_) * sizeof *(array));                         \
    (list)->count = (from);                                                                                  \
  } while (0)

/* One field of an object: fields with the same bit exclude each other, and each is given once. */
typedef struct FastField {
  const char *name;
  uint32_t length;
  uint32_t bit;
  bool (*read)(Fast *fast, void *target);
} FastField;
#define FAST_FIELD(name, bit, read) {name, sizeof(name) - 1, 1u << (bit), read}

/* The value of a field; false also for unknown and repeated ones. */
static inline bool fast_field(Fast *fast, const FastField *fields, size_t count, FastKey key, uint32_t *seen,
                              void *target) {
  for (const FastField *field = fields; field < fields + count; field++) {
    if (field->length != key.length || memcmp(field->name, key.text, key.length) != 0) continue;
    if (*seen & field->bit) return false;
    *seen |= field->bit;
    return field->read(fast, target);
  }
  return false;
}

/* fast_value.c */
bool fast_text(Fast *fast, const char **text); /* a string, with a NUL behind it in the end */
bool fast_name(Fast *fast, const char **text); /* a string, or an integer in decimal */
void fast_end(Fast *fast, const char *end);    /* a NUL goes here in the end */
bool fast_value(Fast *fast, Observed *observed);
bool fast_list(Fast *fast, Observed *observed); /* a value, or an array of values */
bool fast_interval(Fast *fast, bool may_be_open, Interval *interval);
bool fast_row(Fast *fast, ObservedRow *row);
bool fast_rows(Fast *fast, ObservedRows *rows);
bool fast_columns(Fast *fast, uint32_t *count, const char ***columns);

/* fast_operation.c */
bool fast_operations(Fast *fast, Transaction *transaction);

#endif
