/* ahead.h: lines read ahead, on a thread of their own.
 *
 * The thread alone touches what it reads from, until ahead_free.  Lines come out exactly as they would
 * without it: in their order, each with the warnings that belong before it and the counters as they were behind it. */
#ifndef ALIBI_TRANSCRIPT_AHEAD_H
#define ALIBI_TRANSCRIPT_AHEAD_H

#include "src/base/arena.h"
#include "src/transcript/transcript.h"

typedef struct Ahead Ahead;

/* What reads, on the thread: one line into the arena, with the counters behind it.  False: bad input, diag tells. */
typedef bool (*AheadRead)(Ahead *ahead, void *reader, Arena *arena, Line *line, TranscriptStats *stats, Diag *diag);

/* NULL: no thread can be had. */
Ahead *ahead_start(AheadRead read, void *reader);
/* The next line, valid until the next call.  Behind LINE_END and behind bad input it gives the same again. */
bool ahead_next(Ahead *ahead, void (*warn)(const char *message, void *context), void *context, Line *line,
                TranscriptStats *stats, Diag *diag);
/* On the thread: a warning that belongs before the line being read. */
void ahead_warn(Ahead *ahead, const char *message);
/* Ends the thread. */
void ahead_free(Ahead *ahead);

#endif
