/* search.h: the verdict on a log: an execution that was certified, a refuted prefix, or why neither was
 * found. */
#ifndef ALIBI_HEURISTICS_SEARCH_H
#define ALIBI_HEURISTICS_SEARCH_H

#include "encodings/checker.h"

typedef enum SearchOrder { SEARCH_GIVEN, SEARCH_ANY } SearchOrder;

typedef struct SearchOptions {
  CheckerOptions checker;
  SearchOrder order;
  double deadline; /* as clock_seconds gives it; 0: none */
  bool (*is_interrupted)(void);
} SearchOptions;

/* Which level a transaction obeys; context is the caller's. */
typedef TransactionLevel (*LevelOf)(const void *context, const Line *line);

typedef struct SearchResult {
  Verdict verdict;
  uint64_t committed; /* transactions */
  uint64_t checked;   /* proved, as a prefix of the given order */
  uint64_t failing;   /* violation: length of the failing prefix, in committed transactions */
  const Line *line;   /* where it fails: a transaction or a final line; unknown: where, or NULL */
  uint32_t operation;
  bool is_statement;      /* the operation is wrong in every state it may have read */
  const Failure *failure; /* then: what it should have answered; lives in `checker` */
  const char *reason;     /* unknown */
  const Witness *witness; /* correct; in the result's arena */
  const Line **order;     /* correct: the transactions by place */
  uint32_t place_count;
  CheckerStats stats;
  Checker *checker; /* owned: the one that failed, or NULL */
  Arena arena;
} SearchResult;

/* False: bad input. */
bool search_run(const Log *log, LevelOf level_of, const void *context, const SearchOptions *options,
                SearchResult *result, Diag *diag);
void search_free(SearchResult *result);

/* Replays a witness with the certifier alone. */
bool witness_holds(const Log *log, const Line *const *order, uint32_t count, uint32_t final_count,
                   LevelOf level_of, const void *context, bool compares_values, const Witness *witness,
                   Arena *arena, const char **reason, Diag *diag);

#endif
