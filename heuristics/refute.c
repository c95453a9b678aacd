/* refute.c: a transaction was refused wherever it was tried: do its observations alone refute the log?
 *
 * Its cone is examined: the statements that its answers may depend on, of all transactions, with what was
 * observed of them and of the transactions' times.  In a long log those are few, and all their orders can be
 * tried.
 *
 * F1  What is left out, observations and statements that nothing in the cone reads from, only leaves more
 *     executions (O1, N3): what has none without it has none with it. */
#include "heuristics/cone.h"
#include "heuristics/search_internal.h"

enum { REFUTE_PUSHES = 200000 };

/* The log cut to the cone; the caller frees it.  False: there is nothing to be cut off, or bad input. */
static bool log_cut(const Search *search, const Line *failing, bool is_prefix, Log *cut) {
  const Log *log = search->log;
  Cone *cone = cone_new(log, search->diag);
  if (!cone) return false;
  Arena arena;
  arena_init(&arena);
  Observations all = {0};
  for (uint32_t i = 0; i < log->lines.count; i++) observations_add(&all, &arena, log->lines.items[i]);
  bool *kept = ARENA_ARRAY(&arena, bool, all.count + 1);
  cone_select(cone, &all, failing, false, kept);
  bool is_behind = false;
  for (uint32_t i = 0; is_prefix && i < all.count; i++) {
    is_behind |= i && all.items[i - 1].line == failing && all.items[i].line != failing;
    bool is_available = all.items[i].line->transaction.status == STATUS_UNKNOWN;
    if (is_behind && !is_available) kept[i] = false;
  }
  ConeQuestion question = {.observations = &all, .kept = kept, .by_statement = true, .failing = failing};
  Reduction reduction = {.log = log,
                         .observations = &all,
                         .kept = kept,
                         .wants = cone_mark(cone, &question),
                         .drops_statements = true};
  log_reduce(cut, &reduction);
  arena_free(&arena);
  cone_free(cone);
  return true;
}

bool search_refute(Search *search, const Line *failing, bool is_prefix) {
  const Log *log = search->log;
  if (search->options.is_cone || search->is_gapped) return false;
  if (!heuristic_is_in(search->options.heuristics, HEURISTIC_CONE)) return false;
  Log cut;
  if (!log_cut(search, failing, is_prefix, &cut)) return false;
  bool is_refuted = false;
  if (cut.lines.count < log->lines.count) {
    SearchOptions options = search->options;
    options.is_cone = options.wants_verdict_only = true;
    options.most_pushes = REFUTE_PUSHES;
    options.checker.dump = NULL;
    SearchResult result;
    is_refuted = search_run(&cut, search->level_of, search->context, &options, &result, search->diag) &&
                 result.verdict == VERDICT_VIOLATION;
    search_free(&result);
    HeuristicCount *count = &search->result->counts.by_id[HEURISTIC_CONE];
    count->fired++;
    count->saved += is_refuted ? log->lines.count - cut.lines.count : 0;
  }
  log_free(&cut);
  return is_refuted;
}
