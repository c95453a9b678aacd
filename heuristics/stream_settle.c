/* stream_settle.c: what of a segment nobody to come can read or stand before: certified, handed on,
 * forgotten. */
#include "heuristics/stream_internal.h"

#include <stdlib.h>

enum { STAYS = 256 /* places that are not settled at once: what they did may yet be seen */ };

/* Nothing that still comes starts before this instant. */
static int64_t earliest_start(const Stream *stream, const Orders *orders) {
  int64_t instant = sessions_earliest(stream);
  for (uint32_t i = 0; i < orders->count; i++) {
    const Candidate *candidate = &orders->candidates[i];
    if (!orders->is_used[i] && candidate->start.lo < instant) instant = candidate->start.lo;
    if (!orders->is_used[i] && candidate->commit.lo < instant) instant = candidate->commit.lo;
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

StreamAnswer segment_settle(Stream *stream, const Orders *orders) {
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

/* ---- The end ---- */

StreamAnswer stream_finish(Stream *stream, const Orders *orders) {
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
