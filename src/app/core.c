/* core.c: the core of a violation, within a time that the verdict does not suffer from.
 *
 * Q1  The core answers the question that was asked: the level, and the order that the violation was found in.
 * Q2  Where an enumeration explains what was refuted, there is a bug of ours: the verdict is `unknown`. */
#include "src/app/audit.h"

#include "src/base/clock.h"

#include <string.h>

static const double LEAST_SECONDS = 1, MOST_SECONDS = 5, LONG_SHARE = 0.15;
enum {
  MOST_BYTES = 4 << 20, /* of a log that is read again for its core */
  LONG_LINES = 16384
};

/* As long as the verdict took, twice, within bounds and within the budget; of a long log, whose verdict is
 * waited for, a share of it. */
static double core_seconds(const Audit *audit) {
  double spent = clock_seconds() - audit->started, seconds = 2 * spent;
  if (seconds < LEAST_SECONDS) seconds = LEAST_SECONDS;
  if (audit->whole.lines.count > LONG_LINES) seconds = LONG_SHARE * spent;
  if (seconds > MOST_SECONDS) seconds = MOST_SECONDS;
  double left = audit->options->budget - spent;
  if (audit->options->budget >= 0 && left < seconds) seconds = left;
  return seconds;
}

/* The failing line in the log in memory, or NULL. */
static const Line *failing_line(const Audit *audit) {
  const Log *log = &audit->whole;
  for (uint32_t i = 0; i < log->lines.count; i++)
    if (log->lines.items[i]->number == audit->failure->line) return log->lines.items[i];
  for (uint32_t i = 0; i < log->finals.count; i++)
    if (log->finals.items[i]->number == audit->failure->line) return log->finals.items[i];
  return NULL;
}

void audit_find_core(Audit *audit) {
  bool is_given = strcmp(audit->options->order, "given") == 0;
  bool ends_early = is_given && !audit->failure->is_final && !audit->failure->contradiction;
  double seconds = core_seconds(audit);
  if (seconds <= 0 || !audit_load(audit, ends_early ? audit->failure->line : 0, MOST_BYTES)) return;
  /* What contradicts a snapshot may stand behind it. */
  const Log *log = &audit->whole;
  bool is_anywhere = audit->failure->contradiction && log->lines.count;
  const Line *failing = is_anywhere ? log->lines.items[log->lines.count - 1] : failing_line(audit);
  if (!failing) return;
  CoreQuestion question = {.log = &audit->whole,
                           .failing = failing,
                           .refuted = audit->has_searched ? audit->search.refuted : NULL,
                           .cone = audit->has_searched ? audit->search.cone : NULL,
                           .level_of = audit_level_of,
                           .context = audit,
                           .search = audit_search_options(audit, is_given ? SEARCH_GIVEN : SEARCH_ANY),
                           .seconds = seconds};
  Diag diag;
  diag_clear(&diag);
  core_find(&audit->core, &question, &diag);
  audit->core.clock_error = audit->options->clock_error;
  audit->has_core = audit->core.is_known;
  if (!audit->has_core) core_free(&audit->core);
  if (!audit->has_core) return;
  if (!audit->core.doubt) return;
  audit->verdict = VERDICT_UNKNOWN;
  audit->reason = audit->core.doubt;
  audit->reason_line = failing->number;
  audit->failure = NULL;
}
