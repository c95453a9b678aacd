/* search_internal.h: what the files of the search share. */
#ifndef ALIBI_HEURISTICS_SEARCH_INTERNAL_H
#define ALIBI_HEURISTICS_SEARCH_INTERNAL_H

#include "heuristics/heuristic.h"
#include "heuristics/search.h"
#include "src/base/clock.h"

/* The guess under which a line was pushed. */
typedef struct LiveGuess {
  StateGuess guess;
  bool is_cut; /* it made a difference */
} LiveGuess;

typedef struct Refuter Refuter;

typedef struct Search {
  const Log *log;
  LevelOf level_of;
  const void *context;
  SearchOptions options;
  SearchResult *result;
  Diag *diag;
  ARRAY(const Line *) live; /* heap: what result->checker holds */
  ARRAY(LiveGuess) guesses; /* heap: in the given order, by line */
  uint64_t doubt;           /* as of the last concretization */
  uint32_t same_count;      /* the first of them, which begin the present order */
  uint64_t live_committed;  /* committed transactions among them */
  bool ignores_finals;      /* this question is not about the final lines */
  bool is_gapped;           /* something was not recorded, anywhere: orders move it about */
  const Line **later;       /* SearchResult.later, of the longest prefix that holds */
  uint32_t later_count;
  bool asks_log;             /* the question is about the log as it is, not about a prefix */
  bool is_refuted;           /* by the cone of a transaction: */
  uint32_t refuted, holding; /* its number in the given order; a prefix that holds */
  const char *contradiction; /* SearchResult.contradiction of the log as it is; then the numbers in the given
                                order of: */
  uint32_t contradicted;     /* the last of those that it is about */
  uint32_t contradicting;    /* the one whose snapshot it is */
  Refuter *refuter;          /* owned; or NULL */
  double begun;
  bool is_segment;           /* of a log that is streamed: nothing is whole */
  ARRAY(NarrowError) narrow; /* heap: of all checkers: orders that were refuted may explain the log */
} Search;

/* What the heuristics ask of the checker. */
void search_set_checker(SearchOptions *options);
/* A limit was reached, or a signal came. */
bool search_is_stopped(const Search *search);
void search_unknown(Search *search, const Line *line, uint32_t operation, const char *reason);
/* One line more for result->checker. */
PushAnswer search_push(Search *search, const Line *line);
/* Decides the beginning of an order, or a whole one: with the final lines, and certified.  The result tells.
 * False: bad input. */
bool search_prefix(Search *search, const Line **order, uint32_t count, bool is_whole);

/* Only the certifier's word makes it an alibi.  False: `unknown` so far, or bad input. */
bool search_confirm(Search *search, Witness *witness, const Line **order, uint32_t count);

/* The present order is another one from this place on. */
static inline void search_changed(Search *search, uint32_t place) {
  if (place < search->same_count) search->same_count = place;
}

/* refute.c: does the cone of a transaction that was refused have no execution?  Then the log has none. */
bool search_refute(Search *search, const Line *failing);
/* Where it has none: up to which line of the log observations are needed for that, as far as that can be told
 * in so many seconds. */
const Line *search_refute_prefix(Search *search, const Line *failing, double seconds);
/* Frees it but for the cone of the log, which is the caller's; NULL: there is none. */
struct Cone *refuter_close(Refuter *refuter);

/* order_search.c: every order that the evidence allows. */
bool search_orders(Search *search);
/* The given order, with aborted transactions whose reads count between the others. */
bool search_given_readers(Search *search);

#endif
