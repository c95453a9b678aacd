/* run.h: `alibi run`: drive a database with a workload and write the transcript. */
#ifndef ALIBI_LIVE_RUN_H
#define ALIBI_LIVE_RUN_H

#include "src/base/option.h"

/* argv[0] is "run", then the workload and the options (`run --help` lists them).
 * Returns the exit code: 0 done, 2 bad usage, no connection or a failed write. */
int run_main(int argc, char **argv);
/* For the manual. */
OptionTable run_options(void);

#endif
