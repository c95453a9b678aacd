/* progress.c: transactions done, rate, time left, solver calls. */
#include "src/app/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double REPORT_EVERY = 0.25; /* seconds */

void progress_begin(Progress *progress, bool is_wanted, bool is_quiet) {
  *progress = (Progress){.is_terminal = isatty(STDERR_FILENO)};
  progress->is_on = !is_quiet && (is_wanted || progress->is_terminal);
  progress->started = progress->reported = clock_seconds();
}

static void progress_print(const Progress *progress, uint64_t done, uint64_t position, uint64_t size,
                           double now) {
  double elapsed = now - progress->started;
  double rate = elapsed > 0 ? (double)done / elapsed : 0;
  fprintf(stderr, "%s%llu transactions, %.0f/s", progress->is_terminal ? "\r\033[K" : "",
          (unsigned long long)done, rate);
  if (size && position && position <= size)
    fprintf(stderr, ", %.0f s left", elapsed * (double)(size - position) / (double)position);
  fprintf(stderr, ", 0 solver calls%s", progress->is_terminal ? "" : "\n");
  fflush(stderr);
}

void progress_step(Progress *progress, uint64_t done, uint64_t position, uint64_t size, bool is_waiting) {
  if (!progress->is_on || position == progress->reported_position) return;
  double now = clock_seconds();
  if (!is_waiting && now - progress->reported < REPORT_EVERY) return;
  progress_print(progress, done, position, size, now);
  progress->is_shown = progress->is_terminal;
  progress->reported = now;
  progress->reported_done = done;
  progress->reported_position = position;
}

void progress_end(Progress *progress) {
  if (progress->is_shown) fputs("\r\033[K", stderr);
  progress->is_shown = false;
}
