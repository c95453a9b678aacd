/* core.c: deletion, from coarse to fine. */
#include "heuristics/core.h"

#include "heuristics/cone.h"
#include "heuristics/enumerate.h"
#include "heuristics/impossible.h"
#include "src/base/clock.h"

/* Longer logs are cut by statement (N3). */
enum { EXACT_LINES = 64, ENUMERATED_TRANSACTIONS = 6 };

typedef enum CoreAnswer {
  CORE_FAILS, /* no execution explains what is kept */
  CORE_HOLDS, /* one does */
  CORE_OPEN   /* not known */
} CoreAnswer;

typedef struct Shrink {
  const CoreQuestion *question;
  const Line *suspect; /* what it is about, as far as one line tells */
  Core *core;
  Cone *cone;
  Diag *diag;
  Observations all; /* in the core's arena */
  bool *kept;       /* the smallest set known to fail */
  bool *asked;
  bool is_exact; /* whole transactions are left out (N2): an execution of the rest is one of the whole */
  double deadline;
  double share; /* of the time, for one question */
} Shrink;

/* ---- One question ------------------------------------------------------------------------------------ */

static void gaps_drop(Log *log) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < log->lines.count; i++)
    if (log->lines.items[i]->kind != LINE_GAP) log->lines.items[count++] = log->lines.items[i];
  log->lines.count = count;
}

static void shrink_reduce(Shrink *shrink, const bool *kept, Log *reduced) {
  const CoreQuestion *question = shrink->question;
  ConeQuestion cone = {.observations = &shrink->all,
                       .kept = kept,
                       .is_given = question->search.order == SEARCH_GIVEN,
                       .by_statement = !shrink->is_exact,
                       .failing = shrink->suspect};
  Reduction reduction = {.log = question->log,
                         .observations = &shrink->all,
                         .kept = kept,
                         .wants = cone_mark(shrink->cone, &cone),
                         .drops_statements = !shrink->is_exact};
  log_reduce(reduced, &reduction);
  if (cone_is_empty(shrink->cone)) gaps_drop(reduced);
}

/* Did the suspect see what nobody can? */
static bool shrink_is_impossible(Shrink *shrink, const Log *reduced) {
  const CoreQuestion *question = shrink->question;
  SuspectQuestion suspect = {.log = reduced,
                             .line = shrink->suspect->number,
                             .level_of = question->level_of,
                             .context = question->context,
                             .options = &question->search};
  return !shrink->is_exact && suspect_is_impossible(&suspect, shrink->diag);
}

/* Does some execution explain the reduced log?  The result must be freed. */
static Verdict shrink_decide(Shrink *shrink, const Log *reduced, double seconds, SearchResult *result) {
  const CoreQuestion *question = shrink->question;
  SearchOptions options = question->search;
  options.checker.deadline = seconds;
  options.checker.dump = NULL;
  options.deadline = clock_seconds() + seconds;
  options.wants_verdict_only = true;
  shrink->core->checks++;
  bool done = search_run(reduced, question->level_of, question->context, &options, result, shrink->diag);
  shrink->core->solver_checks += result->stats.solver.checks;
  shrink->core->solver_seconds += result->stats.solver.seconds;
  return done ? result->verdict : VERDICT_UNKNOWN;
}

/* Marks every statement of the transactions that took part in the execution found. */
static const bool *const *participants_mark(Shrink *shrink, const SearchResult *result, Arena *arena) {
  const Log *log = shrink->question->log;
  const bool **marks = ARENA_ARRAY(arena, const bool *, log->lines.count + 1);
  uint32_t line = 0, place = 0;
  for (uint32_t i = 0; i < result->place_count; i++) {
    const Line *taken = result->order[i];
    if (taken->kind != LINE_TRANSACTION || taken->transaction.status == STATUS_ABORTED) continue;
    if (!result->witness->transactions.items[place++].takes_part) continue;
    for (uint32_t tried = 0; tried < log->lines.count; tried++, line = (line + 1) % log->lines.count)
      if (log->lines.items[line]->number == taken->number) break;
    uint32_t count = log->lines.items[line]->transaction.operation_count + 1;
    bool *all = ARENA_ARRAY(arena, bool, count);
    memset(all, true, count);
    marks[line] = all;
  }
  for (uint32_t i = 0; i < log->lines.count; i++)
    if (!marks[i])
      marks[i] = ARENA_ARRAY(arena, bool,
                             log->lines.items[i]->kind == LINE_TRANSACTION
                                 ? log->lines.items[i]->transaction.operation_count + 1
                                 : 1);
  return marks;
}

/* An execution of the cut log: is there one with the same transactions, all their statements, and none of the
 * others? That is one of the whole log. */
static CoreAnswer shrink_extend(Shrink *shrink, const bool *kept, const SearchResult *found, double seconds) {
  Arena arena;
  arena_init(&arena);
  Reduction reduction = {.log = shrink->question->log,
                         .observations = &shrink->all,
                         .kept = kept,
                         .wants = participants_mark(shrink, found, &arena)};
  Log reduced;
  SearchResult result;
  log_reduce(&reduced, &reduction);
  Verdict verdict = shrink_decide(shrink, &reduced, seconds, &result);
  search_free(&result);
  log_free(&reduced);
  arena_free(&arena);
  return verdict == VERDICT_CORRECT ? CORE_HOLDS : CORE_OPEN;
}

static CoreAnswer shrink_ask(Shrink *shrink, const bool *kept) {
  const CoreQuestion *question = shrink->question;
  double left = shrink->deadline - clock_seconds(), most = question->seconds * shrink->share;
  if (left <= 0 || shrink->diag->failed) return CORE_OPEN;
  if (question->search.is_interrupted && question->search.is_interrupted()) return CORE_OPEN;
  if (left > most) left = most;
  Log reduced;
  SearchResult result;
  shrink_reduce(shrink, kept, &reduced);
  if (shrink_is_impossible(shrink, &reduced)) {
    log_free(&reduced);
    return CORE_FAILS;
  }
  Verdict verdict = shrink_decide(shrink, &reduced, left, &result);
  CoreAnswer answer = verdict == VERDICT_VIOLATION ? CORE_FAILS : CORE_OPEN;
  if (verdict == VERDICT_CORRECT)
    answer = shrink->is_exact ? CORE_HOLDS : shrink_extend(shrink, kept, &result, left);
  search_free(&result);
  log_free(&reduced);
  return answer;
}

/* Tries without the observations that `asked` lacks; if that fails too, they are gone. */
static CoreAnswer shrink_try(Shrink *shrink) {
  CoreAnswer answer = shrink_ask(shrink, shrink->asked);
  if (answer == CORE_FAILS) memcpy(shrink->kept, shrink->asked, shrink->all.count * sizeof *shrink->kept);
  return answer;
}

static void asked_reset(Shrink *shrink) {
  memcpy(shrink->asked, shrink->kept, shrink->all.count * sizeof *shrink->asked);
}

/* ---- Coarse ------------------------------------------------------------------------------------------- */

/* What the failing line saw, alone. */
static bool shrink_to_failing(Shrink *shrink) {
  for (uint32_t i = 0; i < shrink->all.count; i++)
    shrink->asked[i] = shrink->kept[i] && shrink->all.items[i].line == shrink->suspect;
  return shrink_try(shrink) == CORE_FAILS;
}

/* A long log: only what was observed of statements that the failing line depends on, and that their
 * transactions committed, when. */
static void shrink_to_cone(Shrink *shrink) {
  const CoreQuestion *question = shrink->question;
  cone_select(shrink->cone, &shrink->all, shrink->suspect, question->search.order == SEARCH_GIVEN,
              shrink->asked);
  shrink_try(shrink);
}

/* Without any observation of some kinds, but for those of the failing line. */
static void shrink_kinds(Shrink *shrink, unsigned kinds) {
  bool is_any = false;
  asked_reset(shrink);
  for (uint32_t i = 0; i < shrink->all.count; i++) {
    bool goes = shrink->kept[i] && kinds & 1u << shrink->all.items[i].kind &&
                shrink->all.items[i].line != shrink->suspect;
    if (goes) shrink->asked[i] = false;
    is_any |= goes;
  }
  if (is_any) shrink_try(shrink);
}

/* Where the observations of the next line begin. */
static uint32_t line_end(const Shrink *shrink, uint32_t first) {
  uint32_t end = first + 1;
  while (end < shrink->all.count && shrink->all.items[end].line == shrink->all.items[first].line) end++;
  return end;
}

static bool line_is_kept(const Shrink *shrink, uint32_t first) {
  for (uint32_t i = first; i < line_end(shrink, first); i++)
    if (shrink->kept[i]) return true;
  return false;
}

static uint32_t lines_kept(const Shrink *shrink) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < shrink->all.count; i = line_end(shrink, i)) count += line_is_kept(shrink, i);
  return count;
}

/* Without runs of `size` transactions, the oldest first. */
static void shrink_lines(Shrink *shrink, uint32_t size) {
  for (uint32_t first = 0; first < shrink->all.count;) {
    uint32_t taken = 0;
    asked_reset(shrink);
    for (; first < shrink->all.count && taken < size; first = line_end(shrink, first)) {
      if (!line_is_kept(shrink, first) || shrink->all.items[first].line == shrink->suspect) continue;
      for (uint32_t i = first; i < line_end(shrink, first); i++) shrink->asked[i] = false;
      taken++;
    }
    if (taken) shrink_try(shrink);
    if (clock_seconds() > shrink->deadline) return;
  }
}

/* ---- Fine -----------------------------------------------------------------------------------------------
 */

/* Without single observations.  True: nothing went, and each was shown to be needed. */
static bool shrink_singly(Shrink *shrink, bool *has_changed) {
  bool is_minimal = true;
  *has_changed = false;
  for (uint32_t i = 0; i < shrink->all.count; i++) {
    if (!shrink->kept[i]) continue;
    asked_reset(shrink);
    shrink->asked[i] = false;
    CoreAnswer answer = shrink_try(shrink);
    *has_changed |= answer == CORE_FAILS;
    is_minimal &= answer == CORE_HOLDS;
    if (clock_seconds() > shrink->deadline) return false;
  }
  return is_minimal && !*has_changed;
}

/* What the suspect saw, alone; else, in a long log, its cone.  True: that alone fails. */
static bool shrink_begin(Shrink *shrink) {
  if (shrink->is_exact) return shrink_to_failing(shrink);
  shrink->share = 0.125;
  if (shrink_to_failing(shrink)) return true;
  shrink->share = 1;
  shrink_to_cone(shrink);
  shrink->share = 0.125;
  return false;
}

static void shrink_run(Shrink *shrink) {
  const unsigned times =
      1u << OBSERVED_OPERATION_START | 1u << OBSERVED_START | 1u << OBSERVED_COMMIT | 1u << OBSERVED_SESSION;
  const unsigned answers = 1u << OBSERVED_ROWS | 1u << OBSERVED_COLUMNS | 1u << OBSERVED_AFFECTED |
                           1u << OBSERVED_ERROR | 1u << OBSERVED_VALUE;
  bool is_done = shrink_begin(shrink);
  if (!is_done) {
    shrink_kinds(shrink, times);
    shrink_kinds(shrink, answers);
    for (uint32_t size = lines_kept(shrink) / 2; size > 0; size /= 2) shrink_lines(shrink, size);
  }
  bool has_changed = true;
  while (has_changed && clock_seconds() < shrink->deadline)
    shrink->core->is_minimal = shrink_singly(shrink, &has_changed);
}

/* ---- The core ---------------------------------------------------------------------------------------------
 */

/* The observations that count for the failing prefix. */
static void observations_collect(Shrink *shrink) {
  const CoreQuestion *question = shrink->question;
  const Log *log = question->log;
  Arena *arena = &shrink->core->arena;
  bool is_final = question->failing->kind == LINE_FINAL, is_behind = false;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    bool is_available = line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_UNKNOWN;
    bool is_reader = line_is_reader(line), is_asked = line_is_reader(question->failing);
    if (is_reader ? is_asked && !is_behind : is_asked || !is_behind || is_available)
      observations_add(&shrink->all, arena, line);
    is_behind |= line == question->failing;
  }
  for (uint32_t i = 0; is_final && i < log->finals.count; i++)
    observations_add(&shrink->all, arena, log->finals.items[i]);
}

/* The statement that the core is about, if it is about one; else NULL. */
static const Operation *core_operation(const Core *core) {
  const Observation *found = NULL;
  for (uint32_t i = 0; i < core->observations.count; i++) {
    const Observation *each = &core->observations.items[i];
    if (each->kind == OBSERVED_FINAL) return NULL;
    if (!observation_is_of_operation(each->kind)) continue;
    if (found && (found->line != each->line || found->operation != each->operation)) return NULL;
    found = each;
  }
  return found ? &found->line->transaction.operations[found->operation] : NULL;
}

/* X1 once more, by other means. */
static void core_enumerate(Shrink *shrink) {
  Core *core = shrink->core;
  if (core->transactions > ENUMERATED_TRANSACTIONS) return;
  Log reduced;
  shrink->is_exact = true;
  shrink_reduce(shrink, shrink->kept, &reduced);
  Enumeration enumeration = {.log = &reduced,
                             .level_of = shrink->question->level_of,
                             .context = shrink->question->context,
                             .is_given = shrink->question->search.order == SEARCH_GIVEN,
                             .compares_values = shrink->question->search.checker.compares_values,
                             .answers = {.operation = core_operation(core), .arena = &core->arena},
                             .deadline = clock_seconds() + shrink->question->seconds / 4};
  EnumerateAnswer answer = enumerate_run(&enumeration, shrink->diag);
  core->executions = enumeration.executions;
  core->is_enumerated = answer == ENUMERATE_REFUTED;
  core->answers = enumeration.answers;
  core->answers.is_cut |= answer != ENUMERATE_REFUTED || enumeration.is_partial;
  if (answer == ENUMERATE_EXPLAINED)
    core->doubt = "internal error: an enumeration explains what the solver refuted";
  log_free(&reduced);
}

static void core_keep(Shrink *shrink) {
  Core *core = shrink->core;
  const Line *last = NULL;
  for (uint32_t i = 0; i < shrink->all.count; i++) {
    if (!shrink->kept[i]) continue;
    const Observation *each = &shrink->all.items[i];
    ARENA_PUSH(&core->arena, &core->observations, *each);
    core->transactions += each->kind != OBSERVED_FINAL && each->line != last;
    last = each->line;
  }
}

bool core_find(Core *core, const CoreQuestion *question, Diag *diag) {
  *core = (Core){.is_known = true};
  arena_init(&core->arena);
  Shrink shrink = {.question = question,
                   .suspect = question->refuted ? question->refuted : question->failing,
                   .core = core,
                   .diag = diag,
                   .is_exact = question->log->lines.count <= EXACT_LINES,
                   .deadline = clock_seconds() + question->seconds,
                   .share = question->log->lines.count <= EXACT_LINES ? 0.5 : 1};
  observations_collect(&shrink);
  shrink.kept = ARENA_ARRAY(&core->arena, bool, shrink.all.count + 1);
  shrink.asked = ARENA_ARRAY(&core->arena, bool, shrink.all.count + 1);
  memset(shrink.kept, true, shrink.all.count);
  shrink.cone = question->cone ? question->cone : cone_new(question->log, diag);
  if (shrink.cone) {
    shrink_run(&shrink);
    core_keep(&shrink);
    core->is_known = shrink.is_exact || core->observations.count < shrink.all.count;
    core_enumerate(&shrink);
  }
  if (!question->cone) cone_free(shrink.cone);
  return !diag->failed;
}

void core_free(Core *core) { arena_free(&core->arena); }
