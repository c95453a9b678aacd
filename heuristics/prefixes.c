/* prefixes.c: one check for each prefix of the given order; what is satisfiable to the end is certified. */
#include "heuristics/prefixes.h"

#include "levels/confirm.h"
#include "src/base/clock.h"

typedef struct Prefixes {
  const Log *log;
  LevelOf level_of;
  const void *context;
  const SearchOptions *options;
  SearchResult *result;
  Baseline *baseline;
} Prefixes;

static bool line_is_committed(const Line *line) {
  return line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_COMMITTED;
}

static const char *must_stop(const SearchOptions *options) {
  if (options->is_interrupted && options->is_interrupted()) return "interrupted";
  if (options->deadline > 0 && clock_seconds() > options->deadline) return "the budget ran out";
  return NULL;
}

static void result_unknown(SearchResult *result, const Line *line, uint32_t operation, const char *reason) {
  result->verdict = VERDICT_UNKNOWN;
  result->line = line;
  result->operation = operation;
  result->reason = arena_text(&result->arena, reason, strlen(reason));
}

/* False: the verdict is there. */
static bool prefix_push(Prefixes *run, const Line *line) {
  SearchResult *result = run->result;
  const char *stop = must_stop(run->options);
  if (stop) return result_unknown(result, line, 0, stop), false;
  TransactionLevel level = {0};
  if (line->kind == LINE_TRANSACTION) level = run->level_of(run->context, line);
  PushAnswer answer = line->kind == LINE_FINAL ? baseline_push_final(run->baseline, line)
                                               : baseline_push(run->baseline, line, level);
  uint32_t operation = 0;
  const char *reason = baseline_reason(run->baseline, &operation);
  result->checked += answer == PUSH_EXPLAINED && line_is_committed(line);
  result->failing = result->checked + (answer != PUSH_EXPLAINED && line_is_committed(line));
  if (answer == PUSH_EXPLAINED) return true;
  if (answer == PUSH_UNKNOWN) return result_unknown(result, line, operation, reason), false;
  result->verdict = VERDICT_VIOLATION;
  result->is_exact = true;
  result->line = line;
  return false;
}

/* A model is a proposal: only the certifier's word makes it an alibi. */
static void prefixes_certify(Prefixes *run, Diag *diag) {
  SearchResult *result = run->result;
  const char *reason = NULL;
  Witness *witness = baseline_witness(run->baseline, &result->arena);
  if (!witness) return result_unknown(result, NULL, 0, "the solver gave up");
  Confirmation question = {.log = run->log,
                           .order = run->log->lines.items,
                           .count = run->log->lines.count,
                           .final_count = run->log->finals.count,
                           .level_of = run->level_of,
                           .context = run->context,
                           .compares_values = run->options->checker.compares_values};
  double begun = clock_seconds();
  ConfirmAnswer confirmed = confirm(&question, witness, &result->arena, &reason, diag);
  result->certify_seconds += clock_seconds() - begun;
  if (confirmed == CONFIRM_HOLDS) {
    result->verdict = VERDICT_CORRECT;
    result->witness = witness;
    result->order = run->log->lines.items;
    result->place_count = run->log->lines.count;
    return;
  }
  result_unknown(result, NULL, 0,
                 arena_format(&result->arena, "the execution that was found could not be confirmed: %s",
                              reason ? reason : "it does not replay"));
}

bool prefixes_run(const Log *log, BaselineKind kind, LevelOf level_of, const void *context,
                  const SearchOptions *options, SearchResult *result, Diag *diag) {
  *result = (SearchResult){.verdict = VERDICT_UNKNOWN};
  arena_init(&result->arena);
  CheckerOptions checker = options->checker;
  checker.deadline = options->deadline;
  Prefixes run = {log, level_of, context, options, result, baseline_new(log, kind, &checker, diag)};
  if (!run.baseline) return false;
  for (uint32_t i = 0; i < log->lines.count; i++) result->committed += line_is_committed(log->lines.items[i]);
  bool goes_on = true;
  for (uint32_t i = 0; goes_on && i < log->lines.count; i++) goes_on = prefix_push(&run, log->lines.items[i]);
  for (uint32_t i = 0; goes_on && i < log->finals.count; i++)
    goes_on = prefix_push(&run, log->finals.items[i]);
  if (goes_on) prefixes_certify(&run, diag);
  result->stats = baseline_stats(run.baseline);
  baseline_free(run.baseline);
  return !diag->failed;
}
