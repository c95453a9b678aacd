/* flow.c: the log searched while it is read, where its times allow that (heuristics/stream.h).
 *
 * Begun where the serial replay meets the first answer that it does not explain.  If everything is explained,
 * that is the verdict; otherwise the replay goes on where it was, as if nothing had been tried. */
#include "src/app/audit.h"

#include "heuristics/stream.h"
#include "src/app/interrupt.h"
#include "src/app/progress.h"
#include "src/transcript/order.h"

#include <string.h>
#include <time.h>

enum { LINES_PER_LOOK = 64 };

static const double LONGEST_WAIT = 0.5; /* seconds */

typedef struct Flowing {
  Audit *audit;
  TranscriptReader *reader;
  TranscriptOrder *order;
  SearchResult result;
  uint64_t lines, so_far;
  double explained_at;
  uint64_t failing_line, explained;
  uint64_t last_line; /* in the file */
} Flowing;

static void flow_report(const Flowing *flow, bool is_waiting) {
  uint64_t size, position = transcript_position(flow->reader, &size);
  if (flow->audit->progress)
    progress_step(flow->audit->progress, flow->so_far, position, size, is_waiting);
}

static void flow_explained(void *context, uint64_t count) {
  Flowing *flow = context;
  flow->so_far = count;
  flow->explained_at = clock_seconds();
}

/* Nothing came for a while, or what came has waited long enough. */
static bool flow_is_waiting(void *context) {
  Flowing *flow = context;
  double now = clock_seconds();
  bool is_due = now - flow->explained_at > LONGEST_WAIT;
  if (!is_due && transcript_is_waiting(flow->reader)) {
    const struct timespec a_moment = {.tv_nsec = 50 * 1000 * 1000};
    nanosleep(&a_moment, NULL);
    is_due = transcript_is_waiting(flow->reader);
  }
  if (is_due) flow_report(flow, true);
  return is_due;
}

static bool flow_is_interrupted(void *context) {
  (void)context;
  return interrupt_seen();
}

static bool flow_next(void *context, Line *line, Diag *diag) {
  Flowing *flow = context;
  Audit *audit = flow->audit;
  if (flow->lines++ % LINES_PER_LOOK == 0) flow_report(flow, false);
  if (!order_next(flow->order, line, diag)) return false;
  if (line->kind != LINE_END) flow->last_line = line->number;
  if (line->kind != LINE_TRANSACTION) return true;
  audit->has_text_names |= !line->transaction.name_is_integer;
  return audit_name_levels(audit, line, diag);
}

static void flow_settled(void *context, const Line *line, const WitnessTransaction *witness) {
  audit_witness_settled(((Flowing *)context)->audit, line, witness);
}

static void flow_settled_final(void *context, const WitnessFinal *final) {
  witness_write_final(((Flowing *)context)->audit->witness, final);
}

static bool flow_open(Flowing *flow, Diag *diag) {
  Audit *audit = flow->audit;
  flow->reader = transcript_open_with(audit->log, audit_warn, audit, diag);
  if (!flow->reader) return false;
  transcript_widen(flow->reader, audit->options->clock_error);
  transcript_on_interrupt(flow->reader, flow_is_interrupted, NULL);
  if (audit->options->follow) transcript_follow(flow->reader);
  if (audit->options->witness) transcript_take_hash(flow->reader);
  if (audit->options->jobs > 1) transcript_read_ahead(flow->reader);
  flow->order = order_new(flow->reader, audit->log);
  return true;
}

/* Do the levels leave an order to look for, and times a window to look in? */
static bool flow_is_possible(const Audit *audit) {
  if (audit->options->trust_snapshots)
    return false; /* those that come later say something of the order, too */
  const CheckOptions *options = audit->options;
  uint64_t aside, kept;
  replay_set_aside(audit->replay, &aside, &kept);
  return heuristic_is_in(audit->heuristics, HEURISTIC_FORGETTING) && strcmp(options->order, "given") != 0 &&
         !audit_has_baseline(audit) && !options->aborted_reads && !options->dump_smt && audit->runs == 1 &&
         audit->evidence.has_times && !aside && !replay_gaps(audit->replay);
}

static void flow_take(Flowing *flow, StreamAnswer answer, double seconds) {
  Audit *audit = flow->audit;
  HeuristicCount *count = &audit->flow_count;
  count->fired = 1;
  count->saved = flow->result.checked;
  count->withdrawn = answer != STREAM_EXPLAINED;
  audit->phases[PHASE_SOLVING] += flow->result.stats.solver.seconds;
  audit->phases[PHASE_CERTIFYING] += flow->result.certify_seconds;
  audit->phases[PHASE_LIFTING] += seconds - flow->result.stats.solver.seconds - flow->result.certify_seconds;
  audit->phases[PHASE_REPLAY] -= seconds;
  if (answer == STREAM_GAVE_UP) {
    audit->suspect = flow->explained ? flow->failing_line : 0;
    audit->suspect_holding = flow->explained;
    const char *reason = flow->result.reason ? flow->result.reason : "it is not known";
    audit->flow_reason =
        arena_format(&audit->arena, "%s (line %llu)", reason, (unsigned long long)flow->failing_line);
    return;
  }
  audit->is_streamed = true;
  audit->checked = flow->result.checked;
  audit->transactions = flow->result.committed;
  if (answer == STREAM_EXPLAINED) audit->verdict = VERDICT_CORRECT;
  if (answer == STREAM_BAD) audit->verdict = VERDICT_BAD_INPUT;
  if (answer != STREAM_STOPPED) return;
  audit->verdict = VERDICT_UNKNOWN;
  const char *stop = audit_must_stop(), *reason = stop ? stop : flow->result.reason;
  audit->reason = arena_text(&audit->arena, reason, strlen(reason));
}

static void flow_close(Flowing *flow, bool is_kept) {
  Audit *audit = flow->audit;
  if (flow->order) order_free(flow->order);
  if (!is_kept) {
    transcript_close(flow->reader);
    if (flow->result.checker || flow->result.verdict == VERDICT_UNKNOWN) search_free(&flow->result);
    return;
  }
  audit->log_reader = audit->reader; /* others may still refer to it */
  audit->reader = flow->reader;
  audit->search = flow->result;
  audit->has_searched = true;
  audit->asked = SEARCH_ANY;
}

/* With --follow: the log as far as it was read is a log; if that is a violation, the audit ends with it. */
static void flow_refute(Audit *audit, uint64_t last_line) {
  if (!audit_load(audit, last_line, 0)) {
    audit->is_streamed = true;
    audit->verdict = VERDICT_BAD_INPUT;
    return;
  }
  bool done = audit_ask(audit, SEARCH_ANY);
  audit->is_streamed = !done || audit->verdict == VERDICT_VIOLATION;
  if (!done) audit->verdict = VERDICT_BAD_INPUT;
  audit->transactions = audit->search.committed;
  if (audit->is_streamed) return;
  log_free(&audit->whole);
  audit->whole = (Log){0};
  transcript_close(audit->log_reader);
  audit->log_reader = NULL;
}

bool audit_flow(Audit *audit) {
  if (audit->has_flowed || !flow_is_possible(audit)) return false;
  audit->has_flowed = true;
  audit->asked = SEARCH_ANY;
  Flowing flow = {.audit = audit};
  StreamQuestion question = {.header = &audit->header,
                             .file = audit->log,
                             .level_of = audit_level_of,
                             .level_context = audit,
                             .options = audit_search_options(audit, SEARCH_ANY),
                             .segment = (uint32_t)audit->options->segment,
                             .next = flow_next,
                             .is_waiting = audit->options->follow ? flow_is_waiting : NULL,
                             .report = flow_explained,
                             .context = &flow,
                             .failing_line = &flow.failing_line,
                             .explained = &flow.explained};
  StreamAnswer answer = STREAM_BAD;
  double begun = clock_seconds();
  Diag diag;
  diag_clear(&diag);
  bool is_open = flow_open(&flow, &diag);
  if (audit->options->witness) {
    is_open = is_open && audit_witness_searched(audit);
    question.settled = flow_settled;
    question.settled_final = flow_settled_final;
  }
  if (is_open) answer = stream_run(&question, &flow.result, &diag);
  if (diag.failed) audit->diag = diag; /* else it has told already */
  flow_take(&flow, answer, clock_seconds() - begun);
  flow_close(&flow, audit->is_streamed && flow.reader);
  if (answer == STREAM_GAVE_UP && audit->options->follow) flow_refute(audit, flow.last_line);
  return audit->is_streamed;
}

uint64_t audit_transactions(const Audit *audit) {
  if (audit->is_streamed) return audit->transactions;
  return audit->replay ? replay_transactions(audit->replay) : 0;
}
