/* frame.h: what stands before and behind the transactions: the header, and the rows at the end. */
#ifndef ALIBI_LIVE_FRAME_H
#define ALIBI_LIVE_FRAME_H

#include "src/live/drive.h"

/* The header line; the dialect and the settings are asked of the database. */
void frame_open(Run *run, Client *client);
/* One `final` line per table of the run. */
void frame_close(Run *run, Client *client);

#endif
