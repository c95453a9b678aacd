/* evidence.h: does the given order agree with the times and the sessions?
 *
 * Transactions are shown in the given order.  Of each kind of contradiction the first one
 * is kept.  "a is certainly before b" when the latest instant of a is less than the earliest
 * of b (docs/transcript.md); a session's transactions follow one another in file order. */
#ifndef ALIBI_APP_EVIDENCE_H
#define ALIBI_APP_EVIDENCE_H

#include "src/base/map.h"
#include "src/transcript/transcript.h"

/* One transaction stands before another that belongs before it. */
typedef struct Contradiction {
  bool found;
  uint64_t line;       /* of the later one in the order */
  uint64_t other_line; /* of the one it stands behind */
} Contradiction;

typedef struct Latest { /* the largest instant seen, and where */
  bool given;
  int64_t instant;
  uint64_t line;
} Latest;

typedef struct Evidence {
  bool has_times;
  bool has_unknown; /* a transaction of unknown status has times or a session: they count if it took part */
  bool has_readers; /* an aborted transaction's reads must be explained: a replay of the others does not tell
                     */
  bool has_snapshots;       /* of committed transactions */
  Contradiction starts;     /* committed before the other started */
  Contradiction operations; /* committed before an operation of the other started */
  Contradiction commits;    /* committed before the other committed */
  Contradiction sessions;   /* earlier in its session */
  bool has_early_start; /* a start or a commit that no instant of its interval puts behind every commit before
                           it */
  Latest latest_start, latest_operation, latest_commit;
  Map sessions_seen; /* name -> line of its last transaction, as a pointer-sized number */
} Evidence;

void evidence_init(Evidence *evidence);
void evidence_free(Evidence *evidence);
void evidence_add(Evidence *evidence, const Line *line); /* a transaction */

#endif
