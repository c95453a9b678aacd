/* audit.c: one log from its first line to its last.
 *
 * A1  The rest of the file is read for its form after a violation: bad input wins.
 * A2  An interruption or the end of the budget leaves what was proved so far. */
#include "src/app/audit.h"

#include "src/app/interrupt.h"
#include "src/app/progress.h"
#include "src/base/limit.h"
#include "src/transcript/order.h"

#include <stdio.h>
#include <string.h>

enum { LINES_PER_LOOK = 64 }; /* between two reports of progress */

/* Said once, however often the log is read. */
void audit_warn(const char *message, void *context) {
  Audit *audit = context;
  if (audit->options->quiet || map_find(&audit->warnings, message)) return;
  map_put_copy(&audit->warnings, message, strlen(message), audit);
  fprintf(stderr, "alibi: warning: %s\n", message);
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
const char *audit_must_stop(void) { return interrupt_seen() ? "interrupted" : limit_reached(); }

static bool audit_line(Audit *audit, const Line *line) {
  if (line->kind == LINE_TRANSACTION) {
    audit->has_text_names |= !line->transaction.name_is_integer;
    if (!audit_name_levels(audit, line, &audit->diag)) return false;
    evidence_add(&audit->evidence, line);
  }
  if (audit->keeps_log) log_add(&audit->whole, line);
  if (!replay_line(audit->replay, line, &audit->diag)) return false;
  if (audit->witness) audit_witness_line(audit, line);
  return true;
}

/* The next line; the clock is asked twice a line only where somebody wants to know. */
static bool line_read(Audit *audit, TranscriptOrder *order, Line *line) {
  if (!audit->options->stats) return order_next(order, line, &audit->diag);
  double begun = clock_seconds();
  bool done = order_next(order, line, &audit->diag);
  audit->phases[PHASE_READING] += clock_seconds() - begun;
  return done;
}

/* All lines in the given order. False: bad input. A reason is set if it stopped early. */
static bool audit_lines(Audit *audit, TranscriptOrder *order, Progress *progress) {
  Line line = {.kind = LINE_END};
  for (uint64_t count = 0;; count++) {
    const char *reason = audit_must_stop();
    if (reason) return audit_stop(audit, reason, line.number), true;
    if (count % LINES_PER_LOOK == 0 || transcript_is_waiting(audit->reader)) {
      uint64_t size, position = transcript_position(audit->reader, &size);
      progress_step(progress, replay_transactions(audit->replay), position, size,
                    transcript_is_waiting(audit->reader));
    }
    if (!line_read(audit, order, &line)) return false;
    if (line.kind == LINE_END) break;
    if (audit->options->aborted_reads) line_check_aborted(&line);
    if (!audit_line(audit, &line)) return false;
    if (replay_verdict(audit->replay) == VERDICT_VIOLATION && audit_flow(audit)) return true;
  }
  if (interrupt_seen()) return audit_stop(audit, "interrupted", line.number), true;
  return replay_finish(audit->replay, &audit->diag);
}

static bool audit_read(Audit *audit) {
  audit->reader = transcript_open_with(audit->log, audit_warn, audit, &audit->diag);
  if (!audit->reader) return false;
  transcript_on_interrupt(audit->reader, audit_is_interrupted, NULL);
  transcript_widen(audit->reader, audit->options->clock_error);
  if (audit->options->jobs > 1) transcript_read_ahead(audit->reader);
  audit->header = *transcript_header(audit->reader);
  if (strcmp(audit->log, "-") == 0 && !audit->keeps_log) { /* a pipe is read once */
    log_init(&audit->whole, &audit->header, audit->log);
    audit->keeps_log = true;
  }
  if (!audit_name_levels(audit, NULL, &audit->diag)) return false;
  audit->replay = replay_new(transcript_header(audit->reader), audit->log);
  replay_leave_out(audit->replay, audit->left_out.items, audit->left_out.count);
  if (audit->assumes_nothing) replay_assume_nothing(audit->replay);
  if (!heuristic_is_in(audit->heuristics, HEURISTIC_REPLAY)) replay_only_count(audit->replay);
  store_forbid_seeks(engine_store(replay_engine(audit->replay)),
                     !heuristic_is_in(audit->heuristics, HEURISTIC_INDEX));
  if (audit->options->witness && !audit_witness_begin(audit)) return false;
  TranscriptOrder *order = order_new(audit->reader, audit->log);
  Progress progress;
  progress_begin(&progress, audit->options->progress, audit->options->quiet);
  audit->progress = &progress;
  double begun = clock_seconds(), reading = audit->phases[PHASE_READING];
  bool done = audit_lines(audit, order, &progress);
  audit->phases[PHASE_REPLAY] += clock_seconds() - begun - (audit->phases[PHASE_READING] - reading);
  progress_end(&progress);
  audit->progress = NULL;
  order_free(order);
  return done;
}

/* ---- Transactions of unknown status --------------------------------------------------- */

enum { MOST_RUNS = 256 };

static void audit_restart(Audit *audit) {
  if (audit->replay) replay_free(audit->replay);
  transcript_close(audit->reader);
  evidence_free(&audit->evidence);
  evidence_init(&audit->evidence);
  audit->replay = NULL;
  audit->reader = NULL;
  audit->levels = (LevelUse){0};
}

/* The next choice of who took part, in the order of binary numbers with the latest transaction last. False:
 * none is left. */
static bool left_out_next(Audit *audit, uint32_t undecided) {
  while (audit->left_out.count < undecided) ARRAY_PUSH(&audit->left_out, 0);
  audit->left_out.count = undecided;
  while (audit->left_out.count && audit->left_out.items[audit->left_out.count - 1]) audit->left_out.count--;
  if (!audit->left_out.count) return false;
  audit->left_out.items[audit->left_out.count - 1] = 1;
  return true;
}

/* A3  A violation stands only if it does whoever of the undecided transactions took part; the choice that
 *     explains the longest prefix is the one reported. */
static bool audit_all_choices(Audit *audit) {
  uint64_t longest = 0;
  ARRAY(uint8_t) best = {0};
  bool is_last = false, done;
  for (;;) {
    audit->runs++;
    done = audit_read(audit);
    uint32_t undecided = done ? replay_undecided_count(audit->replay) : 0;
    if (!done || audit->is_streamed || audit->reason || is_last || !undecided || replay_verdict(audit->replay) != VERDICT_VIOLATION)
      break;
    if (strcmp(audit->log, "-") == 0 || audit->runs >= MOST_RUNS) {
      audit_stop(audit, "too many ways to choose which transactions of unknown status took part", 0);
      break;
    }
    if (replay_checked(audit->replay) >= longest) {
      longest = replay_checked(audit->replay);
      best.count = 0;
      for (uint32_t i = 0; i < audit->left_out.count; i++) ARRAY_PUSH(&best, audit->left_out.items[i]);
    }
    is_last = !left_out_next(audit, undecided);
    if (is_last) {
      audit->left_out.count = 0;
      for (uint32_t i = 0; i < best.count; i++) ARRAY_PUSH(&audit->left_out, best.items[i]);
    }
    audit_restart(audit);
  }
  ARRAY_FREE(&best);
  return done;
}

/* A4  Where a mismatch may be due to a choice that was taken for granted, a run without such choices tells
 * whether it is a violation all the same; otherwise the first run is the one reported. */
static bool audit_certain(Audit *audit) {
  bool done = audit_all_choices(audit);
  if (!done || audit->is_streamed || audit->reason || strcmp(audit->log, "-") == 0 || replay_undecided_count(audit->replay) ||
      replay_verdict(audit->replay) != VERDICT_UNKNOWN || !replay_has_assumed(audit->replay))
    return done;
  audit->assumes_nothing = true;
  do {
    audit_restart(audit);
    audit->runs++;
    done = audit_read(audit);
    if (!done || audit->reason || replay_verdict(audit->replay) == VERDICT_VIOLATION) break;
    audit->assumes_nothing = !audit->assumes_nothing;
  } while (!audit->assumes_nothing);
  return done;
}

void audit_run(Audit *audit, const char *log, const CheckOptions *options) {
  double started = clock_seconds();
  *audit = (Audit){.log = log, .options = options, .level_title = options->level, .started = started};
  diag_clear(&audit->diag);
  heuristics_parse(options->heuristics, &audit->heuristics, &audit->diag);
  limit_set(options->budget, options->memory);
  arena_init(&audit->arena);
  arena_init(&audit->choices_arena);
  evidence_init(&audit->evidence);
  map_init(&audit->warnings);
  if (!audit_certain(audit))
    audit->verdict = VERDICT_BAD_INPUT;
  else if (!audit->is_streamed)
    audit_decide(audit);
  if (audit->options->witness) audit_witness_end(audit);
  if (audit->verdict == VERDICT_VIOLATION && !audit_has_baseline(audit)) {
    double begun = clock_seconds();
    audit_find_core(audit);
    audit->phases[PHASE_CORE] = clock_seconds() - begun;
  }
  audit->seconds = clock_seconds() - started;
}

void audit_free(Audit *audit) {
  if (audit->replay) replay_free(audit->replay);
  transcript_close(audit->reader);
  if (audit->has_searched) search_free(&audit->search);
  if (audit->has_core) core_free(&audit->core);
  log_free(&audit->whole);
  if (audit->log_reader) transcript_close(audit->log_reader);
  evidence_free(&audit->evidence);
  ARRAY_FREE(&audit->left_out);
  map_free(&audit->warnings);
  arena_free(&audit->choices_arena);
  arena_free(&audit->arena);
}
