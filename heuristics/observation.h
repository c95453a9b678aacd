/* observation.h: what was observed, one by one, and a log of which only some of it is kept.
 *
 * O1  A removed observation constrains nothing: of rows, columns or a count the field goes, of an error the
 *     statement, of a commit (with the success of its statements) the status becomes unknown, of a time or a
 *     session, of an id or a snapshot the field, of a `final` line the line (docs/levels.md).
 * O2  Set-up, statements, gaps and aborted transactions are no observations: they stay. */
#ifndef ALIBI_HEURISTICS_OBSERVATION_H
#define ALIBI_HEURISTICS_OBSERVATION_H

#include "src/transcript/log.h"

typedef enum ObservationKind {
  OBSERVED_ROWS,
  OBSERVED_COLUMNS,
  OBSERVED_AFFECTED,
  OBSERVED_ERROR,
  OBSERVED_VALUE,           /* of a key-value read */
  OBSERVED_OPERATION_START, /* with its end */
  OBSERVED_COMMITTED,
  OBSERVED_START,
  OBSERVED_COMMIT,
  OBSERVED_SESSION,
  OBSERVED_XID, /* only where snapshots are trusted, as is what it saw: */
  OBSERVED_SNAPSHOT,
  OBSERVED_FINAL
} ObservationKind;

typedef struct Observation {
  ObservationKind kind;
  const Line *line;   /* of the whole log: a transaction or a final line */
  uint32_t operation; /* where the kind is one of an operation */
} Observation;

typedef ARRAY(Observation) Observations; /* sorted: line by line, operations first */

/* Appends what was observed of a transaction that is not aborted, or the final line. */
void observations_add(Observations *observations, Arena *arena, const Line *line);
bool observation_is_of_operation(ObservationKind kind);

/* Which observations of a log are kept, and which statements are of interest besides those. */
typedef struct Reduction {
  const Log *log;
  const Observations *observations;
  const bool *kept;         /* by observation */
  const bool *const *wants; /* by line and operation, or NULL: all.  A transaction that is neither observed
                               nor wanted is left out */
  bool drops_statements;    /* also single statements that are neither observed nor wanted */
} Reduction;

/* The log with these observations and no others (O1).  Set-up lines and texts are borrowed.  The new log's
 * arena is the caller's to free (log_free). */
void log_reduce(Log *reduced, const Reduction *reduction);
/* A transaction of one of its operations, without session and times. */
Line *line_of_operation(Arena *arena, const Line *line, uint32_t operation);

#endif
