/* frame.h: what stands before and behind the transactions: the header, and the rows at the end. */
#ifndef ALIBI_LIVE_FRAME_H
#define ALIBI_LIVE_FRAME_H

#include "src/live/drive.h"

/* The header's dialect and settings, asked of the database. */
void frame_describe(Header *header, Connection *connection, Arena *arena);
/* Begins a transaction that reads everything in one snapshot: commits that nobody waits for any more
 * (the client broke off) may still come. */
bool frame_snapshot(Connection *connection, Arena *arena, Diag *diag);
/* The header line. */
void frame_open(Run *run, Client *client);
/* One `final` line per table of the run. */
bool frame_close(Run *run, Client *client, Diag *diag);

#endif
