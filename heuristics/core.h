/* core.h: of a violation, a minimal set of observations that no execution explains together.
 *
 * Found by deletion: from the observations of the failing prefix, what can go without an execution appearing
 * goes, whole transactions first.
 *
 * X1  The core is refuted: with every other observation of the log removed, no execution explains it.
 * X2  It is minimal where `is_minimal`: without any one of them some execution, which was certified, explains
 *     the others.
 * X3  An answer that is not known leaves the observation in the core, and the core not shown to be minimal.
 */
#ifndef ALIBI_HEURISTICS_CORE_H
#define ALIBI_HEURISTICS_CORE_H

#include "heuristics/answer.h"
#include "heuristics/cone.h"
#include "heuristics/observation.h"
#include "heuristics/search.h"

typedef struct CoreQuestion {
  const Log *log;      /* in the given order: up to the failing line at least */
  const Line *failing; /* the transaction that ends the failing prefix, or a final line */
  const Line *refuted; /* the one whose observations are refuted, up to the failing one; or NULL */
  LevelOf level_of;
  const void *context;
  SearchOptions search; /* how the violation was found: its order decides */
  double seconds;       /* at most */
  Cone *cone;           /* of the log, borrowed, or NULL */
} CoreQuestion;

typedef struct Core {
  int64_t clock_error; /* the times of the observations were widened by this: reports take it off again */
  Observations observations; /* in the arena */
  bool is_minimal;
  bool is_known;          /* false: the log is long, and not one observation could be spared in time */
  uint32_t transactions;  /* that it is about */
  const char *doubt;      /* an enumeration found an execution that explains it: our bug, or NULL */
  bool is_enumerated;     /* all executions were tried once more, one by one */
  uint64_t executions;    /* how many */
  Answers answers;        /* where it is about one statement: what that could have answered */
  uint64_t checks;        /* questions asked */
  uint64_t solver_checks; /* of the solver */
  double solver_seconds;
  Arena arena;
} Core;

/* False: bad input. */
bool core_find(Core *core, const CoreQuestion *question, Diag *diag);
void core_free(Core *core);

#endif
