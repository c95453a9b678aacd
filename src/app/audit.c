/* audit.c: one log from its first line to its last.
 *
 * A1  The rest of the file is read for its form after a violation: bad input wins.
 * A2  An interruption or the end of the budget leaves what was proved so far. */
#include "src/app/audit.h"

#include "src/app/interrupt.h"
#include "src/app/progress.h"
#include "src/transcript/order.h"

#include <stdio.h>
#include <string.h>

enum { LINES_PER_LOOK = 64 }; /* between two looks at the clock */

static void audit_warn(const char *message, void *context) {
  const Audit *audit = context;
  if (!audit->options->quiet) fprintf(stderr, "alibi: warning: %s\n", message);
}

static bool audit_is_interrupted(void *context) {
  (void)context;
  return interrupt_seen();
}

static void audit_stop(Audit *audit, const char *reason, uint64_t line) {
  audit->verdict = VERDICT_UNKNOWN;
  audit->reason = reason;
  audit->reason_line = line;
}

/* Why the audit must end before the log does, or NULL. */
static const char *audit_must_stop(Audit *audit, double started) {
  if (interrupt_seen()) return "interrupted";
  if (audit->options->budget >= 0 && clock_seconds() - started > audit->options->budget)
    return arena_format(&audit->arena, "the budget of %g seconds ran out", audit->options->budget);
  return NULL;
}

static bool audit_line(Audit *audit, const Line *line) {
  if (line->kind == LINE_TRANSACTION) {
    audit->has_text_names |= !line->transaction.name_is_integer;
    if (!audit_name_levels(audit, line, &audit->diag)) return false;
    evidence_add(&audit->evidence, line);
  }
  return replay_line(audit->replay, line, &audit->diag);
}

/* All lines in the given order. False: bad input. A reason is set if it stopped early. */
static bool audit_lines(Audit *audit, TranscriptOrder *order, Progress *progress, double started) {
  Line line = {.kind = LINE_END};
  for (uint64_t count = 0;; count++) {
    if (count % LINES_PER_LOOK == 0 || transcript_is_waiting(audit->reader)) {
      const char *reason = audit_must_stop(audit, started);
      if (reason) return audit_stop(audit, reason, line.number), true;
      uint64_t size, position = transcript_position(audit->reader, &size);
      progress_step(progress, replay_transactions(audit->replay), position, size,
                    transcript_is_waiting(audit->reader));
    }
    if (!order_next(order, &line, &audit->diag)) return false;
    if (line.kind == LINE_END) break;
    if (!audit_line(audit, &line)) return false;
  }
  if (interrupt_seen()) return audit_stop(audit, "interrupted", line.number), true;
  return replay_finish(audit->replay, &audit->diag);
}

static bool audit_read(Audit *audit, double started) {
  audit->reader = transcript_open_with(audit->log, audit_warn, audit, &audit->diag);
  if (!audit->reader) return false;
  transcript_on_interrupt(audit->reader, audit_is_interrupted, NULL);
  audit->header = *transcript_header(audit->reader);
  if (!audit_name_levels(audit, NULL, &audit->diag)) return false;
  audit->replay = replay_new(transcript_header(audit->reader), audit->log);
  TranscriptOrder *order = order_new(audit->reader, audit->log);
  Progress progress;
  progress_begin(&progress, audit->options->progress, audit->options->quiet);
  bool done = audit_lines(audit, order, &progress, started);
  progress_end(&progress);
  order_free(order);
  return done;
}

void audit_run(Audit *audit, const char *log, const CheckOptions *options) {
  double started = clock_seconds();
  *audit = (Audit){.log = log, .options = options, .level_title = options->level};
  diag_clear(&audit->diag);
  arena_init(&audit->arena);
  evidence_init(&audit->evidence);
  if (!audit_read(audit, started))
    audit->verdict = VERDICT_BAD_INPUT;
  else
    audit_decide(audit);
  audit->seconds = clock_seconds() - started;
}

void audit_free(Audit *audit) {
  if (audit->replay) replay_free(audit->replay);
  transcript_close(audit->reader);
  evidence_free(&audit->evidence);
  arena_free(&audit->arena);
}
