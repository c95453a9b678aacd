/* guess_states.c: guesses made, withdrawn, and what was pushed since then pushed again. */
#include "heuristics/guess_states.h"

static bool uses(const Search *search, HeuristicId id) {
  return heuristic_is_in(search->options.heuristics, id);
}

static HeuristicCount *count_of(Search *search, const StateGuess *guess) {
  bool is_level = guess->is_serial || guess->is_stronger;
  return &search->result->counts.by_id[is_level ? HEURISTIC_STRONGER : HEURISTIC_WINDOW];
}

/* ---- One guess ---------------------------------------------------------------------------------- */

static bool guess_is_made(const StateGuess *guess) {
  return guess->is_serial || guess->is_stronger || guess->window;
}
static bool guess_is_in_force(const LiveGuess *live) { return live->is_cut && guess_is_made(&live->guess); }

static uint32_t window_width(const Search *search) {
  return uses(search, HEURISTIC_WINDOW) ? search->options.window : 0;
}

static StateGuess guess_first(const Search *search, const Line *line) {
  StateGuess none = {0};
  if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED) return none;
  TransactionLevel level = search->level_of(search->context, line);
  if (levels[level.level].rules[READ_PLAIN] == RULE_CURRENT) return none;
  bool is_stronger = uses(search, HEURISTIC_STRONGER) && checker_has_stronger(level);
  bool is_serial = is_stronger && levels[level.level].is_per_statement;
  return (StateGuess){.window = window_width(search), .is_serial = is_serial, .is_stronger = is_stronger};
}

/* H4 goes first, from the strongest level on; then H2 is widened until all states are in the window. */
static void guess_withdraw(Search *search, StateGuess *guess) {
  count_of(search, guess)->withdrawn++;
  if (guess->is_serial)
    guess->is_serial = false;
  else if (guess->is_stronger)
    *guess = (StateGuess){.window = window_width(search)};
  else if (guess->window >= search->live.count)
    guess->window = 0;
  else
    guess->window += search->options.window;
}

/* One push under one guess. */
static PushAnswer guess_try(Search *search, const Line *line, LiveGuess *live) {
  Checker *checker = search->result->checker;
  uint64_t spared = checker_stats(checker).spared;
  checker_guess(checker, live->guess);
  PushAnswer answer = search_push(search, line);
  live->is_cut = checker_was_cut(checker);
  if (!guess_is_in_force(live)) return answer;
  count_of(search, &live->guess)->fired++;
  count_of(search, &live->guess)->saved += checker_stats(checker).spared - spared;
  return answer;
}

/* ---- Backing up ------------------------------------------------------------------------------------ */

static bool line_has_place(const Line *line) {
  return line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED;
}

/* Takes back what was pushed from a line on.  Returns where to go on: at the beginning, where that could not
 * be done. */
static uint32_t live_take_back(Search *search, uint32_t from) {
  SearchResult *result = search->result;
  uint32_t places = 0;
  for (uint32_t i = 0; i < from; i++) places += line_has_place(search->live.items[i]);
  if (checker_pop(result->checker, places)) return from;
  checker_free(result->checker);
  result->checker = checker_new(search->log, &search->options.checker, search->diag);
  return 0;
}

/* The line that was refuted, with the final lines before it. */
static PushAnswer failing_push(Search *search, const Line *line) {
  LiveGuess none = {0};
  if (line->kind != LINE_FINAL) return guess_try(search, line, &none);
  PushAnswer answer = PUSH_EXPLAINED;
  for (uint32_t i = 0; answer == PUSH_EXPLAINED; i++) {
    answer = guess_try(search, search->log->finals.items[i], &none);
    if (search->log->finals.items[i] == line) break;
  }
  return answer;
}

/* Everything from a line on again: that with its guess as it is now, those behind it without any. */
static PushAnswer live_redo(Search *search, uint32_t from, const Line *line) {
  for (uint32_t i = from + 1; i < search->live.count; i++) search->guesses.items[i].guess = (StateGuess){0};
  uint32_t at = live_take_back(search, from);
  PushAnswer answer = search->result->checker ? PUSH_EXPLAINED : PUSH_BAD;
  for (; answer == PUSH_EXPLAINED && at < search->live.count; at++)
    answer = guess_try(search, search->live.items[at], &search->guesses.items[at]);
  return answer == PUSH_EXPLAINED ? failing_push(search, line) : answer;
}

/* Withdraws the newest guesses in force, `count` of them from a place on back: the oldest by one step, the
 * others whole.  Returns the place of the oldest. */
static uint32_t guesses_withdraw(Search *search, uint32_t newest, uint32_t count) {
  uint32_t oldest = newest;
  for (uint32_t place = newest; count && place-- > 0;) {
    LiveGuess *live = &search->guesses.items[place];
    if (!guess_is_in_force(live)) continue;
    count_of(search, &search->guesses.items[oldest].guess)->withdrawn++;
    oldest = place;
    count--;
  }
  guess_withdraw(search, &search->guesses.items[oldest].guess);
  return oldest;
}

/* The refuted line, after ever more guesses before it were withdrawn.  With blame their number doubles, so
 * that all are withdrawn in a time that grows with their number, not with its square. */
static PushAnswer guesses_back_up(Search *search, const Line *line) {
  uint32_t batch = 1;
  for (uint32_t place = search->live.count; place-- > 0;) {
    while (guess_is_in_force(&search->guesses.items[place])) {
      uint32_t from = guesses_withdraw(search, place, batch - 1);
      if (uses(search, HEURISTIC_BLAME)) {
        HeuristicCount *blame = &search->result->counts.by_id[HEURISTIC_BLAME];
        blame->fired += batch > 1;
        blame->saved += batch - 1;
        batch *= 2;
      }
      PushAnswer answer = live_redo(search, from, line);
      if (answer != PUSH_REFUTED) return answer;
    }
  }
  return PUSH_REFUTED;
}

PushAnswer guesses_push(Search *search, const Line *line) {
  LiveGuess live = {.guess = guess_first(search, line)};
  PushAnswer answer = guess_try(search, line, &live);
  while (answer == PUSH_REFUTED && guess_is_made(&live.guess)) {
    if (live.is_cut)
      guess_withdraw(search, &live.guess);
    else
      live.guess = (StateGuess){0};
    answer = guess_try(search, line, &live);
  }
  if (answer == PUSH_REFUTED) answer = guesses_back_up(search, line);
  if (answer == PUSH_EXPLAINED && line->kind != LINE_FINAL) ARRAY_PUSH(&search->guesses, live);
  return answer;
}
