/* stream.h: a log searched while it is read, and forgotten behind.
 *
 * Lines are taken in segments.  Each is put into an order and explained as the search does it; then
 * everything that no later transaction can read from or stand before, as far as times tell, is settled:
 * certified, handed on and forgotten.  What overlaps the next segment is taken along.
 *
 * T1  A guess: what was settled stays as it was, and nobody reads an older state.  So a log is proved here,
 * never refuted: where a segment is not explained, the whole log must be searched. T2  Where a level does not
 * ask for freshness or real time, they are guessed.  T3  Memory is that of a segment and of the database. */
#ifndef ALIBI_HEURISTICS_STREAM_H
#define ALIBI_HEURISTICS_STREAM_H

#include "heuristics/search.h"

typedef enum StreamAnswer {
  STREAM_EXPLAINED, /* the whole log: certified */
  STREAM_GAVE_UP,   /* the reason tells; nothing is known but the prefix that was settled */
  STREAM_STOPPED,   /* a limit was reached */
  STREAM_BAD        /* bad input: diag tells */
} StreamAnswer;

typedef struct StreamQuestion {
  const Header *header;
  const char *file; /* for messages */
  LevelOf level_of;
  const void *level_context;
  SearchOptions options;
  uint32_t segment; /* how many transactions are taken at a time; 0: as many as usual */
  /* The next line in the given order, valid until the next call; LINE_END at the end. */
  bool (*next)(void *context, Line *line, Diag *diag);
  /* Would `next` have to wait?  Then what was read is explained before more is; or NULL. */
  bool (*is_waiting)(void *context);
  /* So many transactions are explained; or NULL. */
  void (*report)(void *context, uint64_t count);
  /* Settled: a transaction with what the witness says of it, at the next place of the order.  Or NULL. */
  void (*settled)(void *context, const Line *line, const WitnessTransaction *witness);
  void (*settled_final)(void *context, const WitnessFinal *final); /* or NULL */
  void *context;
  uint64_t *failing_line; /* where it gave up, or 0 */
  uint64_t *explained;    /* then: committed transactions that were explained, as a prefix of the given order; 0: unknown */
} StreamQuestion;

/* `result` gets counts, `checked` and, where it gave up, reason and line number; search_free it. */
StreamAnswer stream_run(const StreamQuestion *question, SearchResult *result, Diag *diag);

#endif
