/* search_internal.h: what the files of the search share. */
#ifndef ALIBI_HEURISTICS_SEARCH_INTERNAL_H
#define ALIBI_HEURISTICS_SEARCH_INTERNAL_H

#include "heuristics/search.h"
#include "src/base/clock.h"

enum { LIVE_NONE = UINT32_MAX }; /* the checker is spent */

typedef struct Search {
  const Log *log;
  LevelOf level_of;
  const void *context;
  SearchOptions options;
  SearchResult *result;
  Diag *diag;
  uint32_t live_count;     /* lines of the present order that result->checker holds */
  uint64_t live_committed; /* committed transactions among them */
  bool ignores_finals;     /* this question is not about the final lines */
  bool is_gapped;          /* something was not recorded, anywhere: orders move it about */
} Search;

void search_unknown(Search *search, const Line *line, uint32_t operation, const char *reason);
/* Decides the beginning of an order, or a whole one: with the final lines, and certified.  The result tells.
 * False: bad input. */
bool search_prefix(Search *search, const Line **order, uint32_t count, bool is_whole);

/* order_search.c: every order that the evidence allows. */
bool search_orders(Search *search);

#endif
