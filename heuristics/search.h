/* search.h: the verdict on a log: an execution that was certified, a refuted prefix, or why neither was
 * found. */
#ifndef ALIBI_HEURISTICS_SEARCH_H
#define ALIBI_HEURISTICS_SEARCH_H

#include "encodings/checker.h"
#include "heuristics/heuristic.h"

typedef enum SearchOrder { SEARCH_GIVEN, SEARCH_ANY } SearchOrder;

typedef struct SearchOptions {
  CheckerOptions checker;
  SearchOrder order;
  HeuristicSet heuristics;
  uint32_t window;         /* H2: how many states, and how many more */
  double deadline;         /* as clock_seconds gives it; 0: none */
  bool wants_verdict_only; /* of a violation in any order no failing prefix */
  bool is_cone;            /* the log is cut already: no cones of it */
  uint64_t most_pushes;    /* where every order is tried; 0: no bound */
  uint64_t suspect;        /* number of the line that is refuted alone before anything is tried, or 0 */
  uint64_t holding;        /* then: so many committed transactions hold, as a prefix of the given order */
  bool (*is_interrupted)(void);
} SearchOptions;

typedef struct SearchResult {
  Verdict verdict;
  uint64_t committed;  /* transactions */
  uint64_t checked;    /* proved, as a prefix of the given order */
  uint64_t failing;    /* violation: length of the failing prefix, in committed transactions */
  bool is_exact;       /* violation: no shorter prefix fails */
  const Line *refuted; /* violation: whose observations no order explains, or NULL; not behind `line` */
  const Line *line;    /* where it fails: a transaction or a final line; unknown: where, or NULL */
  uint32_t operation;
  bool is_statement;      /* the operation is wrong in every state it may have read */
  const Failure *failure; /* then: what it should have answered; lives in `checker` */
  const char *reason;     /* unknown */
  const char
      *contradiction;     /* violation: what the snapshots say that cannot be, whatever was read; or NULL */
  const Witness *witness; /* correct; in the result's arena */
  const Line **order;     /* correct: the transactions by place */
  uint32_t place_count;
  const Line **later; /* violation in any order: the committed transactions behind the failing prefix that
                         took part as writers in the execution that explains the prefix before it */
  uint32_t later_count;
  CheckerStats stats;
  HeuristicCounts counts;
  double certify_seconds; /* in confirm */
  Checker *checker;       /* owned: the one that failed, or NULL */
  struct Cone *cone;      /* owned: of the log, where one was made to refute it, or NULL */
  Arena arena;
} SearchResult;

/* False: bad input. */
bool search_run(const Log *log, LevelOf level_of, const void *context, const SearchOptions *options,
                SearchResult *result, Diag *diag);
void search_free(SearchResult *result);

#endif
