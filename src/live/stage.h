/* stage.h: a run from the first connection to the last line. */
#ifndef ALIBI_LIVE_STAGE_H
#define ALIBI_LIVE_STAGE_H

#include "src/live/drive.h"

/* False: no connection, a failed write, or a database that went away; diag tells. */
bool stage_run(Run *run, Diag *diag);

#endif
