/* snapshot.h: what a transaction's snapshot saw, as PostgreSQL's pg_current_snapshot() prints it: evidence
 * that is only looked at where it is trusted (--trust-snapshots); elsewhere the lines of a log have neither
 * xid nor snapshot.
 *
 * V1  A transaction that read one state, and has a snapshot, read a state at or behind every committed
 * transaction whose id the snapshot saw, and before every one whose id it did not see. V2  Nothing is said
 * about those without an id, those of unknown status, and the transaction itself. */
#ifndef ALIBI_LEVELS_SNAPSHOT_H
#define ALIBI_LEVELS_SNAPSHOT_H

#include "levels/level.h"

typedef struct Snapshot {
  bool given;
  uint64_t first_open; /* all ids before it are seen */
  uint64_t end;        /* from here on none is */
  const char *running; /* borrowed: those between that are not, with commas between them */
} Snapshot;

/* False: it is not of that form. */
bool snapshot_parse(const char *text, Snapshot *snapshot);
bool xid_parse(const char *text, uint64_t *xid);
bool snapshot_sees(const Snapshot *snapshot, uint64_t xid);

/* The level has one snapshot per transaction, and says no more about it than V1. */
static inline bool level_has_snapshots(LevelId level) { return level == LEVEL_SI; }
/* Of a line at such a level, and otherwise nothing.  An id is never 0. */
uint64_t line_xid(const Line *line, LevelId level);
Snapshot line_snapshot(const Line *line, LevelId level);

#endif
