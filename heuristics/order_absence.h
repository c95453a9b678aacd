/* order_absence.h: unknown transactions that take no part and yet have a place.
 *
 * One that takes no part binds nobody.  In an order it stands where its times and its session want it, which
 * takes nothing from the others as long as they would keep that order without it.  Who may be in their way
 * is told here, and the question is asked once more for each set of such transactions that are out of it. */
#ifndef ALIBI_HEURISTICS_ORDER_ABSENCE_H
#define ALIBI_HEURISTICS_ORDER_ABSENCE_H

#include "heuristics/search_internal.h"

enum { ABSENT_MOST = 8 };

typedef struct Absence {
  const Line **lines; /* as `given`, but for those that are absent: without times, session and statements */
  const Line **given; /* borrowed */
  uint32_t count;
  uint32_t suspects[ABSENT_MOST]; /* numbers of those that may be in the way */
  const Line *copies[ABSENT_MOST];
  uint32_t suspect_count;
  uint32_t set; /* which of them are absent */
  bool is_open; /* there are more than can be tried */
} Absence;

void absence_open(Absence *absence, Search *search, const Line **lines, uint32_t count);
/* Another set of absent ones into `lines`.  False: all were tried. */
bool absence_next(Absence *absence);
/* They took no part in the execution that was found. */
void absence_write(const Absence *absence, SearchResult *result);

#endif
