/* refute.c: a transaction was refused wherever it was tried: do its observations alone refute the log?
 *
 * Its cone is examined: the statements that its answers may depend on, of all transactions, with what was
 * observed of them and of the transactions' times.  In a long log those are few, and all their orders can be
 * tried.
 *
 * F1  What is left out, observations and statements that nothing in the cone reads from, only leaves more
 *     executions (O1, N3): what has none without it has none with it. */
#include "heuristics/cone.h"
#include "heuristics/impossible.h"
#include "heuristics/search_internal.h"

enum { REFUTE_PUSHES = 200000 };

struct Refuter {
  const Log *log;
  Cone *cone;
  Arena arena;
  Observations all;
  bool *kept;
  bool is_alone; /* the last that was refuted is impossible, whatever the others did */
};

static Refuter *refuter_new(const Log *log, Diag *diag) {
  Cone *cone = cone_new(log, diag);
  if (!cone) return NULL;
  Refuter *refuter = memory_new(sizeof *refuter);
  *refuter = (Refuter){.log = log, .cone = cone};
  arena_init(&refuter->arena);
  for (uint32_t i = 0; i < log->lines.count; i++)
    observations_add(&refuter->all, &refuter->arena, log->lines.items[i]);
  refuter->kept = ARENA_ARRAY(&refuter->arena, bool, refuter->all.count + 1);
  return refuter;
}

Cone *refuter_close(Refuter *refuter) {
  if (!refuter) return NULL;
  Cone *cone = refuter->cone;
  arena_free(&refuter->arena);
  free(refuter);
  return cone;
}

/* The log cut to the cone, with what was observed up to the last of some lines; the caller frees it. */
static void refuter_cut(Refuter *refuter, const Line *failing, const Line *last, Log *cut) {
  const Observations *all = &refuter->all;
  cone_select(refuter->cone, all, failing, false, refuter->kept);
  bool is_behind = false;
  for (uint32_t i = 0; last && i < all->count; i++) {
    is_behind |= i && all->items[i - 1].line == last && all->items[i].line != last;
    bool is_available = all->items[i].line->transaction.status == STATUS_UNKNOWN;
    if (is_behind && !is_available) refuter->kept[i] = false;
  }
  ConeQuestion question = {
      .observations = all, .kept = refuter->kept, .by_statement = true, .failing = failing};
  Reduction reduction = {.log = refuter->log,
                         .observations = all,
                         .kept = refuter->kept,
                         .wants = cone_mark(refuter->cone, &question),
                         .drops_statements = true};
  log_reduce(cut, &reduction);
}

/* Is the log refuted that was cut to a cone?  At most so long. */
static bool cut_ask(Search *search, const Log *cut, double seconds) {
  uint32_t lines = search->log->lines.count;
  if (cut->lines.count >= lines) return false;
  SearchOptions options = search->options;
  options.is_cone = options.wants_verdict_only = true;
  options.suspect = 0;
  options.most_pushes = REFUTE_PUSHES;
  options.checker.dump = NULL;
  double deadline = clock_seconds() + seconds;
  if (seconds > 0 && (options.deadline == 0 || deadline < options.deadline)) options.deadline = deadline;
  SearchResult result;
  bool is_refuted = search_run(cut, search->level_of, search->context, &options, &result, search->diag) &&
                    result.verdict == VERDICT_VIOLATION;
  search_free(&result);
  HeuristicCount *count = &search->result->counts.by_id[HEURISTIC_CONE];
  count->fired++;
  count->saved += is_refuted ? lines - cut->lines.count : 0;
  return is_refuted;
}

bool search_refute(Search *search, const Line *failing) {
  if (search->options.is_cone || search->is_gapped) return false;
  if (!heuristic_is_in(search->options.heuristics, HEURISTIC_CONE)) return false;
  if (!search->refuter) search->refuter = refuter_new(search->log, search->diag);
  if (!search->refuter) return false;
  Log cut;
  refuter_cut(search->refuter, failing, NULL, &cut);
  SuspectQuestion question = {.log = &cut,
                              .line = failing->number,
                              .level_of = search->level_of,
                              .context = search->context,
                              .options = &search->options};
  search->refuter->is_alone = suspect_is_impossible(&question, search->diag);
  bool is_refuted = search->refuter->is_alone || cut_ask(search, &cut, 0);
  log_free(&cut);
  return is_refuted;
}

static bool prefix_ask(Search *search, const Line *failing, const Line *last, double seconds) {
  Log cut;
  refuter_cut(search->refuter, failing, last, &cut);
  bool is_refuted = cut_ask(search, &cut, seconds);
  log_free(&cut);
  return is_refuted;
}

/* The lines of the cone from one on. */
static uint32_t refuter_lines(Refuter *refuter, const Line *failing, const Line **lines) {
  cone_select(refuter->cone, &refuter->all, failing, false, refuter->kept);
  uint32_t count = 0;
  bool is_behind = false;
  for (uint32_t i = 0; i < refuter->all.count; i++) {
    const Line *line = refuter->all.items[i].line;
    is_behind |= line == failing;
    if (is_behind && refuter->kept[i] && (!count || lines[count - 1] != line)) lines[count++] = line;
  }
  return count;
}

const Line *search_refute_prefix(Search *search, const Line *failing, double seconds) {
  Refuter *refuter = search->refuter;
  double deadline = clock_seconds() + seconds;
  const Line **lines = ARENA_ARRAY(&refuter->arena, const Line *, search->log->lines.count + 1);
  uint32_t count = refuter_lines(refuter, failing, lines), low = 1, high = count - 1;
  if (!high || refuter->is_alone || prefix_ask(search, failing, failing, seconds / 2)) return failing;
  /* Only those of the cone matter.  The more of them are free, the less is refuted. */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    double left = deadline - clock_seconds();
    if (left > 0 && prefix_ask(search, failing, lines[middle], left / 4))
      high = middle;
    else
      low = middle + 1;
  }
  return lines[high];
}
