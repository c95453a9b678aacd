/* source.h: lines of a file or of standard input, as soon as they are complete.
 *
 * One buffer holds what was read and not yet handed out.  It never grows beyond
 * the longest admissible line, and a read takes what is there: a line that has
 * come through a pipe is handed out before the next one is sent.  Pipes can be opened again, and are then
 * read from their beginning (spool.h). */
#ifndef ALIBI_TRANSCRIPT_SOURCE_H
#define ALIBI_TRANSCRIPT_SOURCE_H

#include "src/base/diag.h"
#include "src/transcript/spool.h"

#include <stddef.h>

enum { SOURCE_LONGEST_LINE = 64 * 1024 * 1024, SOURCE_SLACK = 64 };

typedef struct LineSource {
  const char *path; /* borrowed; "-" is standard input */
  int descriptor;   /* of a regular file, or -1 */
  Spool *spool;     /* of anything else; not owned */
  uint64_t offset;  /* bytes read */
  bool follows;     /* a regular file may grow: its end is waited at */
  char *buffer;     /* owned; SOURCE_SLACK bytes more than room */
  size_t room;
  size_t begin, scanned, end; /* not handed out yet; begin..scanned has no newline */
  bool is_at_end;
  uint64_t line;                         /* of the line handed out last */
  uint64_t position;                     /* bytes handed out */
  uint64_t size;                         /* of a regular file, else 0 */
  bool (*is_interrupted)(void *context); /* asked when a signal interrupts a read */
  void *context;
} LineSource;

typedef struct SourceLine {
  char *text; /* NUL behind it, in place of the newline; valid until the next call */
  size_t length;
  bool is_terminated; /* a newline followed */
} SourceLine;

typedef enum SourceAnswer { SOURCE_LINE, SOURCE_END, SOURCE_FAILED } SourceAnswer;

bool source_open(LineSource *source, const char *path, Diag *diag);
void source_close(LineSource *source);
/* The next line that is not blank. An interruption ends the lines. */
SourceAnswer source_next(LineSource *source, SourceLine *line, Diag *diag);
/* Would source_next have to wait for its writer? */
bool source_is_waiting(const LineSource *source);

#endif
