/* diag.h: user errors: located, returned, and said once.
 *
 * The first error wins: later calls of diag_fail leave it as it is.  A Diag is
 * passed down; a function that fails fills it and returns false (or NULL). */
#ifndef ALIBI_BASE_DIAG_H
#define ALIBI_BASE_DIAG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Place {
  const char *file;  /* borrowed; "-" is standard input; NULL: unknown */
  uint64_t line;     /* 1-based; 0: unknown */
  const char *field; /* borrowed, e.g. "ops[2].rows"; NULL: none */
  int64_t offset;    /* byte offset in the SQL text, -1: none */
} Place;

#define PLACE_NONE ((Place){.offset = -1})

typedef struct Diag {
  bool failed;
  Place place; /* field is copied into the Diag, file is borrowed */
  char field[128];
  char message[512];
} Diag;

void diag_clear(Diag *diag);
/* Always returns false, so that `return diag_fail(...)` reads well. */
bool diag_fail(Diag *diag, Place place, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "FILE:LINE: field 'F': MESSAGE (at offset N)" into the buffer; returns it. */
const char *diag_text(const Diag *diag, char *buffer, unsigned long size);

#endif
