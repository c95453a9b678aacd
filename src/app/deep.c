/* deep.c: what a serial replay does not decide: the log again, at its levels, in the given order or any.
 *
 * P1  The search's word replaces the replay's, but for bad input and interruptions. */
#include "src/app/audit.h"

#include "heuristics/prefixes.h"
#include "src/app/interrupt.h"
#include "src/base/clock.h"
#include "src/transcript/order.h"

#include <string.h>

/* The level of a transaction; names were checked when the log was first read. */
TransactionLevel audit_level_of(const void *context, const Line *line) {
  const Audit *audit = context;
  const char *name = audit->options->level;
  LevelChoice choice = {LEVEL_SER, false};
  if (!name) name = line->transaction.level ? line->transaction.level : audit->header.level;
  if (name) level_find(name, &audit->header, &choice);
  bool by_name = choice.is_vendor_name && !audit->options->stale && audit->evidence.has_times;
  TransactionLevel level = {choice.id, audit->options->fresh || by_name};
  return audit->asks_snapshots ? trust_level(level) : level;
}

/* It was said when the log was first read. */
static void warning_drop(const char *message, void *context) { (void)message, (void)context; }

bool audit_load(Audit *audit, uint64_t last_line, uint64_t most) {
  Diag *diag = &audit->diag;
  Log *log = &audit->whole;
  if (log->file) return audit_trust(audit); /* it was kept */
  TranscriptReader *reader = transcript_open_with(audit->log, warning_drop, NULL, diag);
  if (!reader) return false;
  transcript_widen(reader, audit->options->clock_error);
  if (audit->options->jobs > 1) transcript_read_ahead(reader);
  log_init(log, transcript_header(reader), audit->log);
  audit->log_reader = reader; /* the header's texts are its */
  TranscriptOrder *order = order_new(reader, audit->log);
  Line line = {.kind = LINE_END};
  bool done;
  while ((done = order_next(order, &line, diag)) && line.kind != LINE_END) {
    if (audit->options->aborted_reads) line_check_aborted(&line);
    log_add(log, &line);
    uint64_t size;
    if (last_line && line.number == last_line) break;
    if (most && transcript_position(reader, &size) > most) done = false;
    if (!done || audit_must_stop()) break;
  }
  order_free(order);
  return done && audit_trust(audit);
}

static bool is_interrupted(void) { return interrupt_seen(); }

static const Failure *failure_make(Audit *audit, const SearchResult *result) {
  Failure *failure = ARENA_NEW(&audit->arena, Failure);
  if (result->is_statement && result->failure)
    *failure = *result->failure;
  else
    failure->is_joint = true;
  const Line *line = result->line;
  failure->number = result->failing;
  failure->contradiction = result->contradiction;
  failure->line = line->number;
  if (failure->is_joint && line->kind == LINE_FINAL) {
    failure->is_final = true;
    failure->table = line->table.table;
    failure->observed_final = &line->table;
  } else if (failure->is_joint) {
    failure->transaction = &line->transaction;
    failure->operation = result->operation;
  }
  return failure;
}

/* Only what was set aside stands between a search and its answer: the first of it is the place, and what is
 * behind it is not proved. */
static void audit_take_aside(Audit *audit, const char *reason) {
  uint64_t count, kept, before = 0;
  const SetAside *first = replay_set_aside(audit->replay, &count, &kept);
  if (!kept || !reason || strcmp(first->reason, reason) != 0) return;
  for (uint32_t i = 0; i < audit->whole.lines.count; i++) {
    const Line *line = audit->whole.lines.items[i];
    bool is_behind = first->transaction ? line->kind == LINE_TRANSACTION &&
                                              strcmp(line->transaction.name, first->transaction) == 0
                                        : line->number > first->line; /* a set-up line, or a final one */
    if (is_behind) break;
    before += line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_COMMITTED;
  }
  if (audit->checked > before) audit->checked = before;
  audit->reason_line = first->line;
  audit->reason_transaction = first->transaction;
  audit->reason_operation = first->operation;
}

/* Where nothing was decided, what was proved before stands: it is about the same prefix. */
static void audit_take(Audit *audit, const SearchResult *result) {
  bool keeps = result->verdict == VERDICT_UNKNOWN && audit->checked > result->checked;
  audit->verdict = result->verdict;
  if (!keeps) audit->checked = result->checked;
  audit->reason = NULL;
  audit->reason_line = 0;
  audit->reason_transaction = NULL;
  if (result->verdict == VERDICT_VIOLATION) audit->failure = failure_make(audit, result);
  if (result->verdict != VERDICT_UNKNOWN) return;
  audit->failure = NULL;
  audit->reason = audit_must_stop() ? audit_must_stop() : result->reason;
  if (!result->line) {
    audit_take_aside(audit, audit->reason);
    return;
  }
  audit->reason_line = result->line->number;
  if (result->line->kind != LINE_TRANSACTION) return;
  audit->reason_transaction = result->line->transaction.name;
  audit->reason_operation = result->operation;
}

SearchOptions audit_search_options(const Audit *audit, SearchOrder order) {
  const CheckOptions *options = audit->options;
  SearchOptions search = {.order = order, .is_interrupted = is_interrupted};
  search.heuristics = audit->heuristics;
  search.window = (uint32_t)options->window;
  search.checker.compares_values = strcmp(options->conflicts, "values") == 0;
  search.checker.dump = options->dump_smt;
  if (options->budget >= 0) search.deadline = audit->started + options->budget;
  return search;
}

static BaselineKind baseline_kind(const Audit *audit) {
  return strcmp(audit->options->encoding, "bmc") == 0 ? BASELINE_BMC : BASELINE_FLAT;
}

/* A search took so long; where, it tells itself. */
static void phases_note(Audit *audit, double seconds) {
  double solving = audit->search.stats.solver.seconds, certifying = audit->search.certify_seconds;
  audit->phases[PHASE_SOLVING] += solving;
  audit->phases[PHASE_CERTIFYING] += certifying;
  double rest = seconds - solving - certifying;
  if (rest > 0) audit->phases[PHASE_LIFTING] += rest;
}

/* Runs one search and takes its word.  False: bad input. */
static bool audit_ask(Audit *audit, SearchOrder order) {
  SearchOptions search = audit_search_options(audit, order);
  search.suspect = audit->suspect;
  search.holding = audit->suspect_holding;
  if (audit->has_searched) search_free(&audit->search);
  audit->asked = order;
  double begun = clock_seconds();
  bool done = audit_has_baseline(audit)
                  ? prefixes_run(&audit->whole, baseline_kind(audit), audit_level_of, audit, &search,
                                 &audit->search, &audit->diag)
                  : search_run(&audit->whole, audit_level_of, audit, &search, &audit->search, &audit->diag);
  audit->has_searched = true;
  phases_note(audit, clock_seconds() - begun);
  if (done) audit_take(audit, &audit->search);
  return done;
}

HeuristicCounts audit_heuristics(const Audit *audit) {
  HeuristicCounts counts = {0};
  if (audit->has_searched) counts = audit->search.counts;
  if (!audit->replay || !heuristic_is_in(audit->heuristics, HEURISTIC_REPLAY)) return counts;
  uint64_t all = replay_transactions(audit->replay);
  counts.by_id[HEURISTIC_REPLAY] =
      (HeuristicCount){.fired = 1, .withdrawn = audit->has_searched, .saved = audit->has_searched ? 0 : all};
  counts.by_id[HEURISTIC_FORGETTING] = audit->flow_count;
  SeekStats seeks = store_seek_stats(engine_store(replay_engine(audit->replay)));
  counts.by_id[HEURISTIC_INDEX].fired += seeks.seeks;
  counts.by_id[HEURISTIC_INDEX].withdrawn += seeks.refused;
  counts.by_id[HEURISTIC_INDEX].saved += seeks.spared;
  return counts;
}

/* Do the times tell more of the order than the lines do?  Then the given order is not worth a try of its own:
 * where it is possible, it is one of those that are searched. */
static bool search_comes_first(const Audit *audit) {
  const unsigned serial = 1u << LEVEL_SER | 1u << LEVEL_SSER;
  return audit->evidence.has_times && (audit->levels.plain | audit->levels.fresh) & ~serial;
}

void audit_deepen(Audit *audit, bool is_given_possible) {
  if (audit_flow(audit)) return;
  if (!audit_load(audit, 0, 0)) {
    audit->verdict = VERDICT_BAD_INPUT;
    return;
  }
  const char *stop = audit_must_stop();
  if (stop) {
    audit->verdict = VERDICT_UNKNOWN;
    audit->reason = stop;
    audit->failure = NULL;
    return;
  }
  if (audit_snapshots_bind(audit)) { /* T2 */
    audit->asks_snapshots = true;
    bool done = audit_ask(audit, SEARCH_ANY);
    if (!done) audit->verdict = VERDICT_BAD_INPUT;
    if (!done || audit->verdict != VERDICT_CORRECT || audit_must_stop()) return;
    audit->asks_snapshots = false;
  }
  const char *order = audit->options->order;
  bool is_searched = strcmp(order, "given") != 0;
  bool wants_given = strcmp(order, "search") != 0 && is_given_possible;
  bool done = true, is_open = true;
  bool comes_first = audit->suspect || search_comes_first(audit);
  if (wants_given && (!is_searched || !comes_first)) {
    done = audit_ask(audit, SEARCH_GIVEN);
    is_open = audit->verdict != VERDICT_CORRECT;
  }
  if (done && is_open && is_searched && !audit_must_stop()) done = audit_ask(audit, SEARCH_ANY);
  if (!done) audit->verdict = VERDICT_BAD_INPUT;
}

/* P2  A baseline decides the given order and no other. */
void audit_ask_baseline(Audit *audit, bool is_given_possible) {
  const char *order = audit->options->order;
  audit->failure = NULL; /* the replay's */
  if (!audit_load(audit, 0, 0)) {
    audit->verdict = VERDICT_BAD_INPUT;
    return;
  }
  if (audit->options->aborted_reads) {
    audit->verdict = VERDICT_UNKNOWN;
    audit->reason = arena_format(&audit->arena, "encoding %s does not have the reads of aborted transactions",
                                 audit->options->encoding);
    return;
  }
  bool can_ask = strcmp(order, "search") != 0 && is_given_possible;
  if (can_ask && !audit_ask(audit, SEARCH_GIVEN)) {
    audit->verdict = VERDICT_BAD_INPUT;
    return;
  }
  bool is_decided = can_ask && (audit->verdict != VERDICT_VIOLATION || strcmp(order, "given") == 0);
  if (is_decided) return;
  audit->verdict = VERDICT_UNKNOWN;
  audit->failure = NULL;
  audit->reason = arena_format(&audit->arena, "encoding %s does not have orders other than the given one",
                               audit->options->encoding);
}
