/* stream.c: segments of a log, one after the other. */
#include "heuristics/stream.h"

#include "heuristics/orders.h"
#include "levels/confirm.h"

#include <stdlib.h>

enum {
  SEGMENT_LINES = 2048,  /* transactions at a time */
  SEGMENT_MOST = 16384,  /* of one segment that is not explained otherwise */
  SEGMENT_PUSHES = 8192, /* to try orders of one segment, where the repair gives up */
  STAYS = 256,           /* places that are not settled at once: what they did may yet be seen */
  HELD_BACK = 128,       /* they may yet have to make room for some that are not read */
  SESSION_ROUNDS = 32,
  SESSION_REACH = 4096 /* lines behind which a session is not waited for any more */
};

/* A line with its place in the given order. */
typedef struct Waiting {
  const Line *line;
  uint64_t given;
} Waiting;
typedef ARRAY(Waiting) WaitingList;

/* The end of a session's last transaction: what it does next comes later. */
typedef struct SessionEnd {
  int64_t instant;
  uint64_t given;
} SessionEnd;

typedef struct Stream {
  const StreamQuestion *question;
  SearchResult *result;
  Diag *diag;
  Search search;
  Confirmation confirmation;
  Confirming *confirming;
  Log base;              /* header, set-up and final lines */
  Log log;               /* the lines of the present segment */
  WaitingList waiting;   /* heap: first those that stand in the order already, in that order */
  uint32_t placed;       /* so many of them */
  uint32_t settled;      /* places before the present segment */
  uint64_t given;        /* lines read */
  uint64_t committed;    /* of them */
  uint64_t checked;      /* settled, as a prefix of the given order */
  ARRAY(uint64_t) ahead; /* heap: settled committed ones that are not in the prefix, by their number */
  ARRAY(SessionEnd) ends;
  Map sessions; /* name -> place in ends, from 1 */
  bool at_end, has_begun;
  Line held; /* a line that was read behind the set-up lines */
  bool has_held;
  const char *reason; /* why it gave up */
  uint64_t reason_line;
} Stream;

static StreamAnswer stream_give_up(Stream *stream, const char *reason, const Line *line) {
  stream->reason = reason;
  stream->reason_line = line ? line->number : 0;
  return STREAM_GAVE_UP;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static TransactionLevel level_true(const Stream *stream, const Line *line) {
  return stream->question->level_of(stream->question->level_context, line);
}

/* T2 */
static TransactionLevel level_guessed(const void *context, const Line *line) {
  TransactionLevel level = level_true(context, line);
  if (level.level == LEVEL_SER) level.level = LEVEL_SSER;
  if (level.level == LEVEL_RC) level.level = LEVEL_RC_BY_STEPS;
  level.is_fresh = level.level != LEVEL_SSER && level.level != LEVEL_SSI;
  return level;
}

static void session_end(Stream *stream, const Transaction *transaction) {
  if (!transaction->session) return;
  uintptr_t at = (uintptr_t)map_find(&stream->sessions, transaction->session);
  if (!at) {
    ARRAY_PUSH(&stream->ends, (SessionEnd){.instant = INT64_MIN});
    at = stream->ends.count;
    map_put_copy(&stream->sessions, transaction->session, strlen(transaction->session), (void *)at);
  }
  SessionEnd *end = &stream->ends.items[at - 1];
  if (transaction->commit.given && transaction->commit.lo > end->instant)
    end->instant = transaction->commit.lo;
  if (transaction->start.given && transaction->start.lo > end->instant) end->instant = transaction->start.lo;
  end->given = stream->given;
}

static bool transaction_is_timed(const Transaction *transaction) {
  return transaction->start.given && transaction->commit.given;
}

/* Takes one line of the segment.  False: this cannot be streamed, or bad input. */
static bool line_take(Stream *stream, const Line *line) {
  switch (line->kind) {
  case LINE_FINAL: log_add(&stream->base, line); return true;
  case LINE_GAP: stream_give_up(stream, "a gap", line); return false;
  case LINE_TRANSACTION: break;
  default: log_add(&stream->base, line); return true;
  }
  stream->given++;
  session_end(stream, &line->transaction);
  if (line->transaction.status == STATUS_ABORTED) {
    confirming_note_other(stream->confirming, line);
    return true;
  }
  if (!transaction_is_timed(&line->transaction)) {
    stream_give_up(stream, "a transaction without times", line);
    return false;
  }
  stream->committed += line->transaction.status == STATUS_COMMITTED;
  log_add(&stream->log, line);
  Waiting waiting = {stream->log.lines.items[stream->log.lines.count - 1], stream->given};
  ARRAY_PUSH(&stream->waiting, waiting);
  return true;
}

/* Up to `count` transactions more. */
static bool lines_read(Stream *stream, uint32_t count) {
  const StreamQuestion *question = stream->question;
  uint32_t begun = stream->waiting.count, goal = begun + count;
  while (!stream->at_end && stream->waiting.count < goal) {
    bool has_more = stream->waiting.count > begun && !stream->has_held;
    if (has_more && question->is_waiting && question->is_waiting(question->context)) break;
    Line line = stream->held;
    if (!stream->has_held && !question->next(question->context, &line, stream->diag)) return false;
    stream->has_held = false;
    stream->at_end = line.kind == LINE_END;
    if (!stream->at_end && !line_take(stream, &line)) return false;
  }
  return true;
}

/* ---- The beginning ------------------------------------------------------------------------------ */

static bool setup_read(Stream *stream) {
  const StreamQuestion *question = stream->question;
  Line line;
  for (;;) {
    if (!question->next(question->context, &line, stream->diag)) return false;
    if (line.kind != LINE_SETUP && line.kind != LINE_TABLE) break;
    log_add(&stream->base, &line);
  }
  stream->held = line;
  stream->has_held = true;
  return true;
}

static void search_prepare(Stream *stream) {
  const SearchOptions *options = &stream->question->options;
  Search *search = &stream->search;
  *search = (Search){.log = &stream->base,
                     .level_of = level_guessed,
                     .context = stream,
                     .options = *options,
                     .result = stream->result,
                     .diag = stream->diag,
                     .is_segment = true};
  search->options.checker.is_searching = true;
  search->options.order = SEARCH_ANY;
  search_set_checker(&search->options);
  const StreamQuestion *question = stream->question;
  stream->confirmation = (Confirmation){.log = &stream->base,
                                        .level_of = question->level_of,
                                        .context = question->level_context,
                                        .is_searched = true,
                                        .compares_values = options->checker.compares_values};
}

static void setup_drop(Stream *stream) {
  Header header = stream->base.header;
  log_free(&stream->base);
  log_init(&stream->base, &header, stream->question->file);
}

/* Checker and certifier, both in state 0. */
static StreamAnswer stream_begin(Stream *stream) {
  if (!setup_read(stream)) return STREAM_BAD;
  SearchResult *result = stream->result;
  search_prepare(stream);
  result->checker = checker_new(&stream->base, &stream->search.options.checker, stream->diag);
  if (!result->checker) return STREAM_BAD;
  if (checker_set_aside(result->checker))
    return stream_give_up(stream, checker_set_aside(result->checker), NULL);
  if (replay_is_open(checker_replay(result->checker)))
    return stream_give_up(stream, "an initial state with open cells", NULL);
  stream->confirming = confirming_begin(&stream->confirmation, stream->diag);
  if (!stream->confirming) return STREAM_BAD;
  if (confirming_reason(stream->confirming)) return stream_give_up(stream, "the set-up", NULL);
  setup_drop(stream);
  return STREAM_EXPLAINED;
}

/* ---- A segment ------------------------------------------------------------------------------------- */

/* Those that were placed are placed again, where they were. */
static bool placed_again(Stream *stream, Orders *orders) {
  Arena *arena = &stream->result->arena;
  uint32_t *number = ARENA_ARRAY(arena, uint32_t, orders->count + 1);
  for (uint32_t i = 0; i < orders->count; i++) number[orders->candidates[i].given] = i;
  for (uint32_t i = 0; i < stream->placed; i++) orders_take(orders, number[i]);
  if (!stream->placed) return true;
  return search_prefix(&stream->search, orders->order, orders->depth, false) &&
         stream->result->verdict == VERDICT_CORRECT;
}

/* Puts the waiting ones into an order that is explained, but for the last.  False: it is not found. */
static bool segment_explain(Stream *stream, Orders *orders) {
  Arena *arena = &stream->result->arena;
  arena_clear(arena);
  uint32_t count = stream->waiting.count;
  const Line **lines = ARENA_ARRAY(arena, const Line *, count + 1);
  for (uint32_t i = 0; i < count; i++) lines[i] = stream->waiting.items[i].line;
  search_changed(&stream->search, 0);
  orders_open(orders, &stream->search, lines, count, false);
  uint32_t held = stream->at_end                           ? 0
                  : count - stream->placed > 2 * HELD_BACK ? HELD_BACK
                                                           : (count - stream->placed) / 2;
  orders->goal = count - held;
  if (!placed_again(stream, orders)) return false;
  if (orders->depth >= orders->goal) return true;
  orders->most_pushes = SEGMENT_PUSHES;
  bool is_over = orders_walk(orders);
  state_memory_free(&orders->seen);
  return is_over && stream->result->verdict == VERDICT_CORRECT && orders->depth >= orders->goal;
}

/* ---- Settling ---------------------------------------------------------------------------------------- */

/* Nothing that still comes starts before this instant, as far as the sessions tell. */
static int64_t earliest_start(const Stream *stream, const Orders *orders) {
  int64_t instant = INT64_MAX;
  for (uint32_t i = 0; i < orders->count; i++) {
    const Candidate *candidate = &orders->candidates[i];
    if (!orders->is_used[i] && candidate->start.lo < instant) instant = candidate->start.lo;
    if (!orders->is_used[i] && candidate->commit.lo < instant) instant = candidate->commit.lo;
  }
  for (uint32_t i = 0; i < stream->ends.count && !stream->at_end; i++) {
    const SessionEnd *end = &stream->ends.items[i];
    if (end->given + SESSION_REACH > stream->given && end->instant < instant) instant = end->instant;
  }
  return instant;
}

/* The newest place that everything still to come stands behind and sees: the state of its commit, or a newer
 * one. */
static uint32_t place_seen(const Stream *stream, const Orders *orders) {
  int64_t instant = earliest_start(stream, orders);
  uint32_t place = orders->depth;
  if (stream->waiting.count > 4 * STAYS) place = place > STAYS ? place - STAYS : 0;
  while (place) {
    const Candidate *candidate = &orders->candidates[orders->taken[place - 1]];
    if (candidate->commit.hi < instant && candidate->line->transaction.status == STATUS_COMMITTED) break;
    place--;
  }
  return place;
}

/* Is what stands behind the place explained also if nobody there reads an older state? */
static bool place_is_floor(Stream *stream, const Orders *orders, uint32_t place) {
  Search *search = &stream->search;
  checker_guess(stream->result->checker, (StateGuess){.floor = place});
  search_changed(search, place);
  bool holds = search_prefix(search, orders->order, orders->depth, false) &&
               stream->result->verdict == VERDICT_CORRECT;
  checker_guess(stream->result->checker, (StateGuess){0});
  return holds;
}

/* How many places can be settled. */
static uint32_t settled_count(Stream *stream, const Orders *orders) {
  uint32_t place = place_seen(stream, orders);
  for (uint32_t step = 8; place && stream->result->verdict != VERDICT_UNKNOWN; step *= 2) {
    if (place_is_floor(stream, orders, place)) return place;
    place = place > step ? place - step : 0;
  }
  return 0;
}

/* Handed on with the states counted from the beginning of the log. */
static void transaction_tell(Stream *stream, const Line *line, WitnessTransaction *transaction) {
  for (uint32_t i = 0; i < transaction->reads.count; i++)
    transaction->reads.items[i].state += stream->settled;
  stream->question->settled(stream->question->context, line, transaction);
}

static bool lines_certify(Stream *stream, const Orders *orders, Witness *witness, uint32_t count) {
  const StreamQuestion *question = stream->question;
  double begun = clock_seconds();
  bool holds = confirming_go_on(stream->confirming, witness, &stream->result->arena);
  for (uint32_t i = 0; holds && i < count; i++) {
    holds = confirming_push(stream->confirming, orders->order[i], stream->diag);
    if (holds && question->settled)
      transaction_tell(stream, orders->order[i], &witness->transactions.items[i]);
  }
  stream->settled += count;
  stream->result->certify_seconds += clock_seconds() - begun;
  return holds;
}

/* The settled ones are counted; `checked` is how far the given order is settled without a gap. */
static void settled_note(Stream *stream, const Orders *orders, uint32_t count) {
  bool *is_settled = ARENA_ARRAY(&stream->result->arena, bool, orders->count + 1);
  uint64_t first = UINT64_MAX; /* that is not settled */
  for (uint32_t k = 0; k < count; k++) is_settled[orders->taken[k]] = true;
  for (uint32_t i = 0; i < orders->count; i++) {
    const Waiting *waiting = &stream->waiting.items[orders->candidates[i].given];
    if (!is_settled[i] && waiting->given < first) first = waiting->given;
  }
  for (uint32_t k = 0; k < count; k++) {
    const Waiting *waiting = &stream->waiting.items[orders->candidates[orders->taken[k]].given];
    if (waiting->line->transaction.status == STATUS_COMMITTED) ARRAY_PUSH(&stream->ahead, waiting->given);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < stream->ahead.count; i++) {
    if (stream->ahead.items[i] < first)
      stream->checked++;
    else
      stream->ahead.items[kept++] = stream->ahead.items[i];
  }
  stream->ahead.count = kept;
}

/* What is not settled goes along, what stands in the order first; the rest of the segment is forgotten. */
static void segment_leave(Stream *stream, const Orders *orders, uint32_t count) {
  Log next;
  Header header = stream->log.header;
  log_init(&next, &header, stream->question->file);
  WaitingList rest = {0};
  for (uint32_t i = count; i < orders->depth; i++)
    ARRAY_PUSH(&rest, stream->waiting.items[orders->candidates[orders->taken[i]].given]);
  for (uint32_t i = 0; i < orders->count; i++)
    if (!orders->is_used[i]) ARRAY_PUSH(&rest, stream->waiting.items[orders->candidates[i].given]);
  for (uint32_t i = 0; i < rest.count; i++) {
    log_add(&next, rest.items[i].line);
    rest.items[i].line = next.lines.items[i];
  }
  ARRAY_FREE(&stream->waiting);
  stream->waiting = rest;
  stream->placed = orders->depth - count;
  log_free(&stream->log);
  stream->log = next;
  stream->search.live.count = stream->search.same_count = stream->search.narrow.count = 0;
  stream->search.live_committed = 0;
}

static StreamAnswer segment_settle(Stream *stream, const Orders *orders) {
  uint32_t count = settled_count(stream, orders);
  if (search_is_stopped(&stream->search)) return STREAM_STOPPED;
  if (!count) { /* all of it goes along */
    search_changed(&stream->search, 0);
    if (!search_prefix(&stream->search, orders->order, 0, false)) return STREAM_BAD;
    segment_leave(stream, orders, 0);
    return STREAM_EXPLAINED;
  }
  Witness *witness = checker_settle(stream->result->checker, count, &stream->result->arena);
  if (!witness) return stream_give_up(stream, "what was found cannot be settled", NULL);
  if (!lines_certify(stream, orders, witness, count))
    return stream_give_up(stream, confirming_reason(stream->confirming), NULL);
  settled_note(stream, orders, count);
  segment_leave(stream, orders, count);
  return STREAM_EXPLAINED;
}

/* ---- The end ------------------------------------------------------------------------------------------- */

static StreamAnswer stream_finish(Stream *stream, const Orders *orders) {
  Search *search = &stream->search;
  SearchResult *result = stream->result;
  for (uint32_t i = 0; i < stream->base.finals.count; i++) {
    PushAnswer answer = search_push(search, stream->base.finals.items[i]);
    if (answer == PUSH_BAD) return STREAM_BAD;
    if (answer != PUSH_EXPLAINED)
      return stream_give_up(stream, "the rows at the end", stream->base.finals.items[i]);
  }
  if (checker_set_aside(result->checker))
    return stream_give_up(stream, checker_set_aside(result->checker), NULL);
  Witness *witness = checker_witness(result->checker, &result->arena);
  if (!witness) return stream_give_up(stream, "no execution was found in time", NULL);
  bool holds = lines_certify(stream, orders, witness, orders->depth);
  for (uint32_t i = 0; holds && i < stream->base.finals.count; i++)
    holds = confirming_push_final(stream->confirming, stream->base.finals.items[i], stream->diag);
  holds = holds && confirming_finish(stream->confirming);
  if (!holds)
    return stream->diag->failed ? STREAM_BAD
                                : stream_give_up(stream, confirming_reason(stream->confirming), NULL);
  for (uint32_t i = 0; stream->question->settled_final && i < witness->finals.count; i++)
    stream->question->settled_final(stream->question->context, &witness->finals.items[i]);
  settled_note(stream, orders, orders->depth);
  return STREAM_EXPLAINED;
}

/* Has every session that still writes come further than the one in the way?  One that was not heard of for
 * some rounds of the others is over. */
static bool sessions_passed(const Stream *stream, const Orders *orders) {
  if (orders->blamed == NOBODY) return true;
  int64_t instant = orders->candidates[orders->blamed].commit.hi;
  for (uint32_t i = 0; i < stream->ends.count; i++) {
    const SessionEnd *end = &stream->ends.items[i];
    if (end->given + 4 * stream->ends.count + SESSION_ROUNDS > stream->given && end->instant < instant)
      return false;
  }
  return true;
}

/* A segment that was not explained may lack what is not read yet.  False: there is no more, or it is long
 * enough. */
static bool segment_extend(Stream *stream, const Orders *orders) {
  if (stream->at_end || stream->waiting.count >= SEGMENT_MOST) return false;
  bool is_live = stream->question->is_waiting;
  if (is_live && sessions_passed(stream, orders)) return false;
  return lines_read(stream, is_live ? 1 : stream->waiting.count);
}

/* Those that wait stand in the given order, behind what was settled. */
static uint64_t explained_count(const Stream *stream, const Orders *orders) {
  uint64_t count = stream->checked;
  for (uint32_t i = 0; i < orders->stuck_prefix; i++)
    count += stream->waiting.items[i].line->transaction.status == STATUS_COMMITTED;
  return count;
}

static StreamAnswer stream_stop(Stream *stream, const Orders *orders) {
  SearchResult *result = stream->result;
  if (stream->diag->failed) return STREAM_BAD;
  if (stream->reason) return STREAM_GAVE_UP;
  const Line *line = orders->stuck != NOBODY ? orders->candidates[orders->stuck].line : NULL;
  *stream->question->explained = line ? explained_count(stream, orders) : 0;
  if (result->verdict != VERDICT_UNKNOWN)
    return stream_give_up(stream, "a transaction that fits nowhere", line);
  stream->reason = result->reason;
  stream->reason_line = line ? line->number : 0;
  return search_is_stopped(&stream->search) ? STREAM_STOPPED : STREAM_GAVE_UP;
}

static StreamAnswer stream_segments(Stream *stream) {
  uint32_t segment = stream->question->segment ? stream->question->segment : SEGMENT_LINES;
  for (;;) {
    if (!lines_read(stream, segment)) return stream->diag->failed ? STREAM_BAD : STREAM_GAVE_UP;
    Orders orders;
    while (!segment_explain(stream, &orders)) {
      bool is_open = stream->result->verdict == VERDICT_UNKNOWN && orders.pushes <= orders.most_pushes;
      if (is_open || search_is_stopped(&stream->search) || !segment_extend(stream, &orders))
        return stream_stop(stream, &orders);
    }
    if (stream->question->report)
      stream->question->report(stream->question->context, stream->settled + orders.depth);
    if (stream->at_end) return stream_finish(stream, &orders);
    StreamAnswer answer = segment_settle(stream, &orders);
    if (answer != STREAM_EXPLAINED) return answer;
  }
}

StreamAnswer stream_run(const StreamQuestion *question, SearchResult *result, Diag *diag) {
  *result = (SearchResult){.verdict = VERDICT_UNKNOWN};
  arena_init(&result->arena);
  Stream stream = {.question = question, .result = result, .diag = diag};
  log_init(&stream.base, question->header, question->file);
  log_init(&stream.log, question->header, question->file);
  map_init(&stream.sessions);
  StreamAnswer answer = stream_begin(&stream);
  if (answer == STREAM_EXPLAINED) answer = stream_segments(&stream);
  if (diag->failed) answer = STREAM_BAD;
  result->committed = stream.committed;
  result->checked = stream.checked;
  result->verdict = answer == STREAM_EXPLAINED ? VERDICT_CORRECT : VERDICT_UNKNOWN;
  result->reason = stream.reason ? arena_text(&result->arena, stream.reason, strlen(stream.reason)) : NULL;
  result->line = NULL;
  *question->failing_line = stream.reason_line;
  confirming_free(stream.confirming);
  log_free(&stream.base);
  log_free(&stream.log);
  map_free(&stream.sessions);
  ARRAY_FREE(&stream.waiting);
  ARRAY_FREE(&stream.ahead);
  ARRAY_FREE(&stream.ends);
  ARRAY_FREE(&stream.search.live);
  ARRAY_FREE(&stream.search.guesses);
  ARRAY_FREE(&stream.search.narrow);
  return answer;
}
