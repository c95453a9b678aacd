/* fast.h: the event reader for the lines that make up most of a transcript.
 *
 * It takes transaction, `table` and `final` lines of known fields, in one pass,
 * into the line's arena; strings without escapes stay in the line.  Whatever it does
 * not understand at once (an unknown field, an error, an unusual cell) is not its business:
 * it says so and leaves the line as it was, and decode.h decides and words the errors. */
#ifndef ALIBI_TRANSCRIPT_FAST_H
#define ALIBI_TRANSCRIPT_FAST_H

#include "src/transcript/transcript.h"

typedef __typeof__(*((TableLine *)0)->rows) TableRow;

/* What is collected before its number is known; kept from line to line. */
typedef struct FastReader {
  ARRAY(Observed) cells;
  ARRAY(ObservedRow) rows;
  ARRAY(ObservedRows) results;
  ARRAY(NamedParam) params;
  ARRAY(const char *) names;
  ARRAY(Operation) operations;
  ARRAY(Cell) table_cells;
  ARRAY(TableRow) table_rows;
  ARRAY(char *) ends; /* where a NUL goes once the whole line is understood */
} FastReader;

void fast_free(FastReader *reader);
/* True: *line is filled (its number is the caller's). False: not mine.
 * text[length] must be 0 and writable, and 8 bytes behind it readable. */
bool fast_read(FastReader *reader, Arena *arena, char *text, size_t length, Line *line);

#endif
