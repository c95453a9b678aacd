/* snapshot.h: `alibi snapshot`: an existing database as the beginning of a transcript. */
#ifndef ALIBI_LIVE_SNAPSHOT_H
#define ALIBI_LIVE_SNAPSHOT_H

#include "src/base/option.h"

/* argv[0] is "snapshot", then options (`snapshot --help` lists them).
 * Returns the exit code: 0 done, 2 bad usage, no connection or a failed write. */
int snapshot_main(int argc, char **argv);
/* For the manual. */
OptionTable snapshot_options(void);

#endif
