/* stream_read.c: lines as they come, and how far each session has come. */
#include "heuristics/stream_internal.h"

enum {
  SESSION_ROUNDS = 32,
  SESSION_REACH = 4096 /* lines behind which a session is not waited for any more */
};

bool setup_read(Stream *stream) {
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
bool lines_read(Stream *stream, uint32_t count) {
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

/* ---- Sessions ---- */

int64_t sessions_earliest(const Stream *stream) {
  int64_t instant = INT64_MAX;
  for (uint32_t i = 0; i < stream->ends.count && !stream->at_end; i++) {
    const SessionEnd *end = &stream->ends.items[i];
    if (end->given + SESSION_REACH > stream->given && end->instant < instant) instant = end->instant;
  }
  return instant;
}

/* One that was not heard of for some rounds of the others is over. */
bool sessions_passed(const Stream *stream, int64_t instant) {
  uint64_t reach = 4 * (uint64_t)stream->ends.count + SESSION_ROUNDS;
  for (uint32_t i = 0; i < stream->ends.count; i++) {
    const SessionEnd *end = &stream->ends.items[i];
    if (end->given + reach > stream->given && end->instant < instant) return false;
  }
  return true;
}
