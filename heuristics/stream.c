/* stream.c: segments of a log, one after the other. */
#include "heuristics/stream_internal.h"

enum {
  SEGMENT_LINES = 2048,  /* transactions at a time */
  SEGMENT_MOST = 16384,  /* of one segment that is not explained otherwise */
  SEGMENT_PUSHES = 8192, /* to try orders of one segment, where the repair gives up */
  HELD_BACK = 128        /* they may yet have to make room for some that are not read */
};

StreamAnswer stream_give_up(Stream *stream, const char *reason, const Line *line) {
  stream->reason = reason;
  stream->reason_line = line ? line->number : 0;
  return STREAM_GAVE_UP;
}

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

/* ---- The beginning ------------------------------------------------------------------------------ */

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

/* ---- One after the other ---- */

/* A segment that was not explained may lack what is not read yet.  False: there is no more, or it is long
 * enough. */
static bool segment_extend(Stream *stream, const Orders *orders) {
  if (stream->at_end || stream->waiting.count >= SEGMENT_MOST) return false;
  bool is_live = stream->question->is_waiting;
  int64_t instant = orders->blamed == NOBODY ? INT64_MIN : orders->candidates[orders->blamed].commit.hi;
  if (is_live && sessions_passed(stream, instant)) return false;
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
