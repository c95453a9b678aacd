/* search.c: the given order: pushed transaction by transaction, then certified. */
#include "heuristics/search.h"

#include "heuristics/cone.h"
#include "heuristics/guess_states.h"
#include "heuristics/prune_concretize.h"
#include "levels/confirm.h"
#include "semantics/replay_internal.h"
#include "src/base/limit.h"

enum { CERTIFY_TRIES = 16 };

/* ---- Certifying ---------------------------------------------------------------------------- */

static ConfirmAnswer search_show(Search *search, Witness *witness, const Line **order, uint32_t count,
                                 const char **reason) {
  SearchResult *result = search->result;
  Confirmation question = {.log = search->log,
                           .order = order,
                           .count = count,
                           .final_count = search->ignores_finals ? 0 : search->log->finals.count,
                           .level_of = search->level_of,
                           .context = search->context,
                           .is_searched = search->options.checker.is_searching,
                           .trusts_snapshots = true,
                           .compares_values = search->options.checker.compares_values};
  double begun = clock_seconds();
  ConfirmAnswer confirmed = confirm(&question, witness, &result->arena, reason, search->diag);
  result->certify_seconds += clock_seconds() - begun;
  if (confirmed == CONFIRM_HOLDS) {
    result->witness = witness;
    result->order = order;
    result->place_count = count;
    result->verdict = VERDICT_CORRECT;
  }
  return confirmed;
}

static bool search_unconfirmed(Search *search, const char *reason) {
  if (!search->diag->failed)
    search_unknown(search, NULL, 0,
                   arena_format(&search->result->arena,
                                "the execution that was found could not be confirmed: %s",
                                reason ? reason : "it does not replay"));
  return false;
}

bool search_confirm(Search *search, Witness *witness, const Line **order, uint32_t count) {
  const char *reason = NULL;
  return search_show(search, witness, order, count, &reason) == CONFIRM_HOLDS ||
         search_unconfirmed(search, reason);
}

/* A satisfiable answer is a proposal; what does not replay is blocked. */
static bool search_certify(Search *search, Checker *checker, const Line **order, uint32_t count) {
  const char *reason = NULL;
  for (uint32_t tries = 0; tries < CERTIFY_TRIES; tries++) {
    Witness *witness = checker_witness(checker, &search->result->arena);
    if (!witness) break;
    if (search_show(search, witness, order, count, &reason) == CONFIRM_HOLDS) return true;
    if (search->diag->failed) return false;
    PushAnswer answer = checker_block(checker, witness);
    if (answer != PUSH_EXPLAINED) break;
  }
  return search_unconfirmed(search, reason);
}

/* ---- One order --------------------------------------------------------------------------------- */

void search_unknown(Search *search, const Line *line, uint32_t operation, const char *reason) {
  SearchResult *result = search->result;
  result->verdict = VERDICT_UNKNOWN;
  result->line = line;
  result->operation = operation;
  result->reason = arena_text(&result->arena, reason, strlen(reason));
}

static const char *search_must_stop(const Search *search) {
  const SearchOptions *options = &search->options;
  if (options->is_interrupted && options->is_interrupted()) return "interrupted";
  if (options->deadline > 0 && clock_seconds() > options->deadline) return "the budget ran out";
  return limit_reached();
}

bool search_is_stopped(const Search *search) { return search_must_stop(search) != NULL; }

void search_set_checker(SearchOptions *options) {
  CheckerOptions *checker = &options->checker;
  checker->deadline = options->deadline;
  checker->forbids_seeks = !heuristic_is_in(options->heuristics, HEURISTIC_INDEX);
  checker->keeps_states = !heuristic_is_in(options->heuristics, HEURISTIC_CHOICE_SETS);
  checker->is_joint = !heuristic_is_in(options->heuristics, HEURISTIC_INDEPENDENCE);
}

static bool line_is_committed(const Line *line) {
  return line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_COMMITTED;
}

/* What a push that did not succeed means. */
static void search_fail(Search *search, Checker *checker, PushAnswer answer, const Line *line) {
  SearchResult *result = search->result;
  uint32_t operation = 0;
  if (answer == PUSH_UNKNOWN) {
    const char *reason = checker_reason(checker, &operation);
    search_unknown(search, line, operation, reason ? reason : "the solver gave up");
    return;
  }
  if (checker_replay(checker)->is_gapped) {
    search_unknown(search, line, 0, "a write that was not recorded (a gap) could explain what was observed");
    return;
  }
  result->verdict = VERDICT_VIOLATION;
  result->is_exact = true;
  result->line = line;
  result->operation = checker_failure(checker).operation;
  result->is_statement = checker_failure(checker).is_statement;
  result->failure = replay_failure(checker_replay(checker));
}

PushAnswer search_push(Search *search, const Line *line) {
  Checker *checker = search->result->checker;
  const char *stop = search_must_stop(search);
  if (stop) return search_unknown(search, line, 0, stop), PUSH_UNKNOWN;
  if (line->kind == LINE_FINAL) return checker_push_final(checker, line, search->diag);
  TransactionLevel level = {0};
  if (line->kind == LINE_TRANSACTION) level = search->level_of(search->context, line);
  PushAnswer answer = checker_push(checker, line, level, search->diag);
  if (answer == PUSH_EXPLAINED && heuristic_is_in(search->options.heuristics, HEURISTIC_CONCRETIZE))
    concretize(checker, &search->doubt);
  return answer;
}

/* A checker that holds the beginning of the present order, and nothing else. */
static Checker *search_checker(Search *search) {
  SearchResult *result = search->result;
  if (result->checker && checker_pop(result->checker, search->same_count)) {
    while (search->live.count > search->same_count)
      search->live_committed -= line_is_committed(search->live.items[--search->live.count]);
    return result->checker;
  }
  checker_free(result->checker);
  result->checker = checker_new(search->log, &search->options.checker, search->diag);
  search->live.count = search->same_count = 0;
  search->live_committed = 0;
  return result->checker;
}

/* One line more, or a final line.  What the checker holds is kept up with. */
static PushAnswer live_push(Search *search, const Line *line) {
  bool guesses = search->options.order == SEARCH_GIVEN;
  PushAnswer answer = guesses ? guesses_push(search, line) : search_push(search, line);
  if (answer != PUSH_EXPLAINED || line->kind == LINE_FINAL) return answer;
  ARRAY_PUSH(&search->live, line);
  search->same_count = search->live.count;
  search->live_committed += line_is_committed(line);
  return answer;
}

/* What the checker did for the heuristics that live in it. */
static void search_count(Search *search) {
  const CheckerStats *stats = &search->result->stats;
  HeuristicCount *counts = search->result->counts.by_id;
  counts[HEURISTIC_INDEX] = (HeuristicCount){stats->seeks.seeks, stats->seeks.refused, stats->seeks.spared};
  counts[HEURISTIC_CONCRETIZE] =
      (HeuristicCount){stats->fixed, stats->unfixed, stats->fixed - stats->unfixed};
  counts[HEURISTIC_CHOICE_SETS] = (HeuristicCount){.fired = stats->narrowed, .saved = stats->narrowed};
  counts[HEURISTIC_INDEPENDENCE] =
      (HeuristicCount){.fired = stats->constraints.checks, .saved = stats->constraints.left_out};
}

static void narrow_collect(Search *search, Checker *checker) {
  uint32_t count, known;
  const NarrowError *errors = checker_narrow(checker, &count);
  for (uint32_t i = 0; i < count; i++) {
    for (known = 0; known < search->narrow.count; known++)
      if (search->narrow.items[known].line == errors[i].line &&
          search->narrow.items[known].operation == errors[i].operation)
        break;
    if (known == search->narrow.count) ARRAY_PUSH(&search->narrow, errors[i]);
  }
}

bool search_prefix(Search *search, const Line **order, uint32_t count, bool is_whole) {
  SearchResult *result = search->result;
  const Log *log = search->log;
  uint32_t finals = is_whole && !search->ignores_finals ? log->finals.count : 0;
  Checker *checker = search_checker(search);
  if (!checker) return false;
  PushAnswer answer = PUSH_EXPLAINED;
  const Line *line = NULL;
  result->verdict = VERDICT_CORRECT;
  result->reason = NULL;
  for (uint32_t i = search->live.count; answer == PUSH_EXPLAINED && i < count + finals; i++) {
    line = i < count ? order[i] : log->finals.items[i - count];
    answer = live_push(search, line);
  }
  checker = result->checker; /* it may have been made anew */
  if (!checker) return false;
  result->checked = search->live_committed;
  result->failing = result->checked + (answer != PUSH_EXPLAINED && line_is_committed(line));
  /* What was set aside the certifier may still confirm: it runs the statements one way, not all. */
  if (answer == PUSH_EXPLAINED && is_whole && !search_certify(search, checker, order, count) &&
      checker_set_aside(checker))
    search_unknown(search, NULL, 0, checker_set_aside(checker));
  if (answer != PUSH_EXPLAINED && answer != PUSH_BAD && !result->reason)
    search_fail(search, checker, answer, line);
  narrow_collect(search, checker);
  result->stats = checker_stats(checker);
  search_count(search);
  return answer != PUSH_BAD && !search->diag->failed;
}

bool search_run(const Log *log, LevelOf level_of, const void *context, const SearchOptions *options,
                SearchResult *result, Diag *diag) {
  *result = (SearchResult){.verdict = VERDICT_UNKNOWN};
  arena_init(&result->arena);
  Search search = {.log = log,
                   .level_of = level_of,
                   .context = context,
                   .options = *options,
                   .result = result,
                   .diag = diag,
                   .begun = clock_seconds()};
  search_set_checker(&search.options);
  for (uint32_t i = 0; i < log->lines.count; i++) result->committed += line_is_committed(log->lines.items[i]);
  bool done, has_readers = false;
  for (uint32_t i = 0; i < log->lines.count; i++) has_readers |= line_is_reader(log->lines.items[i]);
  if (options->order == SEARCH_GIVEN && has_readers) {
    done = search_given_readers(&search);
  } else if (options->order == SEARCH_GIVEN) {
    done = search_prefix(&search, log->lines.items, log->lines.count, true);
  } else {
    search.options.checker.is_searching = true;
    done = search_orders(&search);
  }
  ARRAY_FREE(&search.narrow);
  ARRAY_FREE(&search.live);
  ARRAY_FREE(&search.guesses);
  result->cone = refuter_close(search.refuter);
  return done;
}

void search_free(SearchResult *result) {
  cone_free(result->cone);
  checker_free(result->checker);
  arena_free(&result->arena);
}
