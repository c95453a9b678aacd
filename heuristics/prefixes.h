/* prefixes.h: the given order by an encoding of the whole log (encodings/baseline.h), prefix by prefix. */
#ifndef ALIBI_HEURISTICS_PREFIXES_H
#define ALIBI_HEURISTICS_PREFIXES_H

#include "encodings/baseline.h"
#include "heuristics/search.h"

/* As search_run in the given order; the result has no checker. */
bool prefixes_run(const Log *log, BaselineKind kind, LevelOf level_of, const void *context,
                  const SearchOptions *options, SearchResult *result, Diag *diag);

#endif
