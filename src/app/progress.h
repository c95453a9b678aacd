/* progress.h: the progress line on standard error.
 *
 * On a terminal one line is written over and over; elsewhere each report is a line of its own. */
#ifndef ALIBI_APP_PROGRESS_H
#define ALIBI_APP_PROGRESS_H

#include "src/base/clock.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
  bool is_on;
  bool is_terminal;
  bool is_shown; /* a line stands on the terminal */
  double started, reported;
  uint64_t reported_done;
  uint64_t reported_position;
} Progress;


/* On with --progress, or on a terminal; never with --quiet. */
void progress_begin(Progress *progress, bool is_wanted, bool is_quiet);
/* `size` 0: unknown. Reports a few times a second, or at once if the program is about to wait. */
void progress_step(Progress *progress, uint64_t done, uint64_t position, uint64_t size, bool is_waiting);
void progress_end(Progress *progress);

#endif
