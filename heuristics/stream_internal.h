/* stream_internal.h: what the files of the stream share. */
#ifndef ALIBI_HEURISTICS_STREAM_INTERNAL_H
#define ALIBI_HEURISTICS_STREAM_INTERNAL_H

#include "heuristics/orders.h"
#include "heuristics/stream.h"
#include "levels/confirm.h"

/* A line with its place in the given order. */
typedef struct Waiting {
  const Line *line;
  uint64_t given;
} Waiting;
typedef ARRAY(Waiting) WaitingList;

/* The end of a session's last transaction: what it does next comes later. */
typedef struct SessionEnd {
  int64_t instant;
  uint64_t given;
} SessionEnd;

typedef struct Stream {
  const StreamQuestion *question;
  SearchResult *result;
  Diag *diag;
  Search search;
  Confirmation confirmation;
  Confirming *confirming;
  Log base;              /* header, set-up and final lines */
  Log log;               /* the lines of the present segment */
  WaitingList waiting;   /* heap: first those that stand in the order already, in that order */
  uint32_t placed;       /* so many of them */
  uint32_t settled;      /* places before the present segment */
  uint64_t given;        /* lines read */
  uint64_t committed;    /* of them */
  uint64_t checked;      /* settled, as a prefix of the given order */
  ARRAY(uint64_t) ahead; /* heap: settled committed ones that are not in the prefix, by their number */
  ARRAY(SessionEnd) ends;
  Map sessions; /* name -> place in ends, from 1 */
  bool at_end;
  Line held; /* a line that was read behind the set-up lines */
  bool has_held;
  const char *reason; /* why it gave up */
  uint64_t reason_line;
} Stream;

/* Always STREAM_GAVE_UP. */
StreamAnswer stream_give_up(Stream *stream, const char *reason, const Line *line);

/* stream_read.c: set-up lines, up to the first line behind them; then up to `count` transactions more. False:
 * this cannot be streamed, or bad input. */
bool setup_read(Stream *stream);
bool lines_read(Stream *stream, uint32_t count);
/* Nothing that is not read yet starts before this instant, as far as the sessions tell. */
int64_t sessions_earliest(const Stream *stream);
/* Has every session that still writes come further than this instant? */
bool sessions_passed(const Stream *stream, int64_t instant);

/* stream_settle.c: what can be settled of the segment is; the rest goes along. */
StreamAnswer segment_settle(Stream *stream, const Orders *orders);
/* All of it is, with the final lines. */
StreamAnswer stream_finish(Stream *stream, const Orders *orders);

#endif
