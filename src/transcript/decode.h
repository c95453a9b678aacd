/* decode.h: from a line of JSON, read by jansson, to the structures of transcript.h.
 *
 * This path takes every line and words every error; fast.h takes most
 * transaction lines before it.  Both must give the same structures. */
#ifndef ALIBI_TRANSCRIPT_DECODE_H
#define ALIBI_TRANSCRIPT_DECODE_H

#include "src/transcript/json.h"
#include "src/transcript/transcript.h"

/* Unknown fields are mentioned once per name, and only so many of them. */
typedef struct Warnings {
  void (*warn)(const char *message, void *context); /* or NULL: nobody is told */
  void *context;
  Map fields; /* names mentioned already */
} Warnings;

void warnings_say(const Warnings *warnings, const char *message);

typedef struct Decoder {
  Arena *arena; /* receives everything a line refers to */
  const char *file;
  uint64_t number; /* of the line */
  Warnings *warnings;
  Diag *diag;
  const JsonLine *json;
} Decoder;

/* Where in the line: a chain from the inside out, put into words only for errors. */
typedef struct Path {
  const struct Path *outer;
  const char *field; /* NULL: the index of an array */
  uint64_t index;
} Path;

bool decode_header(Decoder *decoder, Header *header);
/* Any other line, the kind told by the fields it has. */
bool decode_line(Decoder *decoder, Line *line);
bool decode_transaction(Decoder *decoder, Transaction *transaction);

/* decode_value.c */
bool decode_fail(const Decoder *decoder, const Path *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool decode_expected(const Decoder *decoder, const Path *path, const char *expected, const json_t *got);
void decode_unknown(Decoder *decoder, const json_t *object, const Path *path, const char *const *known);
const char *decode_copy(const Decoder *decoder, const json_t *string);
/* The fields of an object; an absent one leaves the target as it is. */
bool decode_string(const Decoder *decoder, const json_t *object, const Path *path, const char *name, const char **text);
/* A string, or an integer in decimal. */
bool decode_name(const Decoder *decoder, const json_t *object, const Path *path, const char *name, const char **text);
bool decode_bool(const Decoder *decoder, const json_t *object, const Path *path, const char *name, bool *truth);
bool decode_integer(const Decoder *decoder, const json_t *object, const Path *path, const char *name, bool *has,
                    int64_t *integer);
bool decode_interval(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                     bool may_be_open, Interval *interval);
bool decode_columns(const Decoder *decoder, const json_t *object, const Path *path, uint32_t *count,
                    const char ***columns);
/* null, true, false, a number or a string. */
bool decode_scalar(const Decoder *decoder, const json_t *value, const Path *path, Observed *observed);
/* A scalar, or an array of scalars. */
bool decode_list(const Decoder *decoder, const json_t *value, const Path *path, Observed *observed);
/* An array of rows, all as long as `width` if that is not negative, and all of one length. */
bool decode_rows(const Decoder *decoder, const json_t *value, const Path *path, int64_t width, ObservedRows *rows);
bool decode_width(const Decoder *decoder, const Path *path, uint32_t count, int64_t width);

#endif
