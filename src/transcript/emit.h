/* emit.h: JSON text, written piece by piece into a growing buffer.
 *
 * Commas are put by themselves.  Strings must be UTF-8; what is not is written as blobs are,
 * "\\x..." in hexadecimal, because JSON cannot hold it.  The writer and the
 * reports of the command line share it. */
#ifndef ALIBI_TRANSCRIPT_EMIT_H
#define ALIBI_TRANSCRIPT_EMIT_H

#include "src/base/value.h"
#include "src/transcript/transcript.h"

typedef struct Emit {
  char *text; /* owned; not NUL-terminated */
  size_t length, room;
  bool needs_comma;
} Emit;

void emit_free(Emit *emit);
void emit_raw(Emit *emit, const char *text, size_t length);
void emit_open(Emit *emit, char bracket); /* { or [ */
void emit_close(Emit *emit, char bracket);
void emit_key(Emit *emit, const char *key);
void emit_string(Emit *emit, const char *text, size_t length);
void emit_text(Emit *emit, const char *text); /* NULL: null */
void emit_integer(Emit *emit, int64_t integer);
void emit_real(Emit *emit, double real); /* shortest that reads back as the same double */
void emit_bool(Emit *emit, bool truth);
void emit_null(Emit *emit);
/* A value as the transcript writes it: decimals, dates and blobs are strings. */
void emit_value(Emit *emit, Value value);
/* Are the two written alike?  So a value that was read back is compared with the one it was. */
bool values_write_same(Value a, Value b);
void emit_observed(Emit *emit, const Observed *observed); /* a real with its digits as written */
void emit_rows(Emit *emit, const ObservedRows *rows);

/* The name of a transaction: an integer if it was written as one. */
void emit_name(Emit *emit, const char *key, const char *name, bool is_integer);

/* A key and an instant or an interval, if it is given. */
void emit_interval(Emit *emit, const char *key, Interval interval);

/* A key and its value. */
void emit_field(Emit *emit, const char *key, const char *text);
void emit_count(Emit *emit, const char *key, int64_t integer);

#endif
