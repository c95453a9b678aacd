/* json.h: one line of JSON, as jansson reads it, with what jansson leaves out.
 *
 * Before jansson sees a line, its nesting and NUL bytes are checked.  Errors are
 * located by field and byte offset.  The digits of reals, which jansson drops,
 * are kept.  Included only by files that are allowed to know jansson. */
#ifndef ALIBI_TRANSCRIPT_JSON_H
#define ALIBI_TRANSCRIPT_JSON_H

#include "src/base/diag.h"
#include "src/base/map.h"

#include <jansson.h>

enum { JSON_DEEPEST = 100 };

typedef struct JsonLine {
  json_t *root;     /* owned */
  const char *text; /* borrowed: the line itself */
  size_t length;
  Map reals; /* a real's node -> its digits in the text; empty if the line has none */
} JsonLine;

/* Reads a line. False: diag tells; *is_torn: it is broken only because its end is missing. */
bool json_line_load(JsonLine *line, const char *text, size_t length, Place place, Diag *diag, bool *is_torn);
void json_line_free(JsonLine *line);
/* The digits of a real as they are written in the line. */
const char *json_real_text(const JsonLine *line, const json_t *real, size_t *length);
/* "an integer", "a string", ... for messages. */
const char *json_type_title(const json_t *value);

#endif
