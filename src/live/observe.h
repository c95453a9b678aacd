/* observe.h: what drivers receive, as the values that a transcript records.
 *
 * Everything is copied into the arena.  Doubles keep the digits that were printed,
 * because a double is compared at the digits observed. */
#ifndef ALIBI_LIVE_OBSERVE_H
#define ALIBI_LIVE_OBSERVE_H

#include "src/transcript/transcript.h"

Observed observe_null(void);
Observed observe_bool(bool truth);
Observed observe_int(int64_t integer);
Observed observe_uint(uint64_t natural);
Observed observe_text(Arena *arena, const char *text, size_t length);
/* As "\x" and hexadecimal digits. */
Observed observe_bytes(Arena *arena, const void *bytes, size_t length);
/* The fewest digits that read back as the same double (single precision: float). */
Observed observe_double(Arena *arena, double real);
Observed observe_single(Arena *arena, float real);
/* A double as a database printed it; "NaN" and "Infinity" stay text, which JSON has no number for. */
Observed observe_printed_double(Arena *arena, const char *text, size_t length);
/* An integer as printed, signed or unsigned; beyond 64 bits it is text. */
Observed observe_printed_int(Arena *arena, const char *text, size_t length);
/* A parameter that was sent: decimals become text, or the double that SQLite was given. */
Observed observe_param(Arena *arena, DialectName dialect, Value value);

/* Can a transcript hold every cell?  JSON has no text with NUL or with bytes that are not UTF-8. */
bool observe_is_writable(const ObservedRows *rows);

#endif
