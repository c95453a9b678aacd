/* verify_serial.c: the given order with every read current: the replayer runs the log as it comes, beside the
 * witness. Memory does not grow with the log, but at ssi. */
#include "levels/obey.h"
#include "levels/verify_internal.h"
#include "src/transcript/order.h"

#include <stdio.h>

typedef struct Serial {
  Verify *verify;
  Replay *replay;
  Obey *obey;
  Arena line;    /* what the witness says of the line in work */
  Arena choices; /* what the database chose in it */
  WitnessChoices taken;
  uint64_t place;
} Serial;

static bool serial_fail(Serial *serial, ConfirmAnswer answer, const char *reason) {
  return verify_fail(serial->verify, answer, reason);
}

static bool serial_bad(Serial *serial, uint64_t line, const char *message) {
  diag_fail(&serial->verify->result->diag, (Place){serial->verify->file, line, NULL, -1}, "%s", message);
  return serial_fail(serial, CONFIRM_BAD, NULL);
}

/* What the replay found so far. */
static bool replay_holds(Serial *serial) {
  Arena *arena = &serial->verify->result->arena;
  const Failure *failure = replay_failure(serial->replay);
  const char *name;
  uint32_t operation;
  uint64_t line;
  switch (replay_verdict(serial->replay)) {
  case VERDICT_CORRECT: return true;
  case VERDICT_VIOLATION:
    if (failure->is_final)
      return serial_fail(serial, CONFIRM_FAILS,
                         arena_format(arena,
                                      "the final line of table '%.100s' has other rows than the last state",
                                      failure->table));
    return serial_fail(
        serial, CONFIRM_FAILS,
        failure->operation == failure->transaction->operation_count
            ? arena_format(arena, "transaction '%.100s' could not have committed", failure->transaction->name)
            : arena_format(arena,
                           "statement %u of transaction '%.100s' gives something else than was observed",
                           failure->operation + 1, failure->transaction->name));
  default:
    return serial_fail(serial, CONFIRM_UNDECIDED, replay_reason(serial->replay, &name, &operation, &line));
  }
}

static bool choices_hold(Serial *serial, const char *owner, const WitnessChoices *claimed) {
  const char *reason = choices_difference(&serial->verify->result->arena, owner, claimed, &serial->taken);
  if (!reason) return true;
  return serial_fail(serial, replay_has_assumed(serial->replay) ? CONFIRM_UNDECIDED : CONFIRM_FAILS, reason);
}

/* The witness's next line must be about this transaction. */
static bool serial_next(Serial *serial, const Line *line, WitnessLine *said) {
  Verified *result = serial->verify->result;
  arena_clear(&serial->line);
  if (!witness_next(serial->verify->witness, &serial->line, said, &result->diag))
    return serial_fail(serial, CONFIRM_BAD, NULL);
  const char *name = line->transaction.name;
  if (said->kind == WITNESS_LINE_ROW)
    return serial_bad(serial, said->number, "a serial witness lists no initial rows: observations tell them");
  if (said->kind != WITNESS_LINE_TRANSACTION)
    return serial_fail(serial, CONFIRM_FAILS,
                       arena_format(&result->arena, "transaction '%.100s' is missing in the witness", name));
  if (strcmp(said->transaction.name, name) != 0)
    return serial_fail(
        serial, CONFIRM_FAILS,
        arena_format(&result->arena,
                     "place %llu of the given order is that of transaction '%.100s', not of '%.100s'",
                     (unsigned long long)serial->place + 1, name, said->transaction.name));
  if (said->transaction.reads.count)
    return serial_bad(serial, said->number, "a serial witness lists no states: every read is current");
  if (line->transaction.status == STATUS_COMMITTED && !said->transaction.takes_part)
    return serial_fail(
        serial, CONFIRM_FAILS,
        arena_format(&result->arena, "transaction '%.100s' committed, but the witness leaves it out", name));
  return true;
}

static bool serial_transaction(Serial *serial, const Line *line, Diag *diag) {
  WitnessLine said;
  LevelId level;
  WitnessFresh fresh;
  if (!serial_next(serial, line, &said) ||
      !verify_level(serial->verify, &said.transaction, said.number, &level, &fresh))
    return false;
  if (level == LEVEL_SSI && serial->verify->level != LEVEL_SSI)
    return serial_bad(serial, said.number, "a serial witness with an ssi transaction says ssi in its header");
  Line decided = *line;
  decided.transaction.status = said.transaction.takes_part ? STATUS_COMMITTED : STATUS_ABORTED;
  if (!replay_line(serial->replay, &decided, diag)) return false;
  serial->place++;
  if (!replay_holds(serial)) return false;
  char owner[160];
  snprintf(owner, sizeof owner, "transaction '%.100s'", line->transaction.name);
  if (!choices_hold(serial, owner, &said.transaction.choices)) return false;
  if (obey_push(serial->obey, line, level, fresh, &said.transaction)) return true;
  return serial_fail(serial, CONFIRM_FAILS, obey_reason(serial->obey));
}

static bool serial_final(Serial *serial, const Line *line, Diag *diag) {
  if (!replay_line(serial->replay, line, diag) || !replay_holds(serial)) return false;
  if (!serial->taken.count) return true;
  WitnessLine said;
  arena_clear(&serial->line);
  if (!witness_next(serial->verify->witness, &serial->line, &said, diag)) return false;
  char owner[160];
  snprintf(owner, sizeof owner, "the final line of table '%.100s'", line->table.table);
  WitnessChoices none = {0};
  bool is_named = said.kind == WITNESS_LINE_FINAL && strcmp(said.final.table, line->table.table) == 0;
  return choices_hold(serial, owner, is_named ? &said.final.choices : &none);
}

static bool serial_line(Serial *serial, const Line *line, Diag *diag) {
  serial->taken = (WitnessChoices){0};
  arena_clear(&serial->choices);
  if (line->kind == LINE_FINAL) return serial_final(serial, line, diag);
  if (line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED)
    return serial_transaction(serial, line, diag);
  return replay_line(serial->replay, line, diag) && replay_holds(serial);
}

static bool serial_end(Serial *serial) {
  Verified *result = serial->verify->result;
  WitnessLine said;
  arena_clear(&serial->line);
  if (!witness_next(serial->verify->witness, &serial->line, &said, &result->diag))
    return serial_fail(serial, CONFIRM_BAD, NULL);
  if (said.kind == WITNESS_LINE_TRANSACTION)
    return serial_fail(serial, CONFIRM_FAILS,
                       arena_format(&result->arena, "transaction '%.100s' at place %llu: the log has no more",
                                    said.transaction.name, (unsigned long long)serial->place + 1));
  if (said.kind != WITNESS_LINE_END) return serial_bad(serial, said.number, "expected the end line");
  if (!obey_finish(serial->obey)) return serial_fail(serial, CONFIRM_FAILS, obey_reason(serial->obey));
  return verify_end(serial->verify, &said.end, serial->place);
}

/* The lines of the log, up to the state to be shown if there is one. */
static bool serial_lines(Serial *serial, TranscriptOrder *order) {
  const Verification *question = serial->verify->question;
  Verified *result = serial->verify->result;
  Line line;
  for (;;) {
    if (!order_next(order, &line, &result->diag)) return serial_fail(serial, CONFIRM_BAD, NULL);
    bool is_over = line.kind == LINE_END;
    bool has_place = line.kind == LINE_TRANSACTION && line.transaction.status != STATUS_ABORTED;
    if (question && (is_over || line.kind == LINE_FINAL || has_place) &&
        serial->place == (uint64_t)question->state) {
      question->show(question->context, replay_engine(serial->replay));
      return true;
    }
    if (is_over) break;
    if (!serial_line(serial, &line, &result->diag))
      return result->diag.failed ? serial_fail(serial, CONFIRM_BAD, NULL) : false;
  }
  if (question) return serial_fail(serial, CONFIRM_BAD, "the witness has fewer transactions");
  return serial_end(serial);
}

bool verify_serial(Verify *verify) {
  Serial serial = {.verify = verify};
  arena_init(&serial.line);
  arena_init(&serial.choices);
  serial.replay = replay_new(transcript_header(verify->reader), verify->log);
  replay_note_choices(serial.replay, &serial.choices, &serial.taken);
  serial.obey = obey_new(verify->header->is_searched, verify->level == LEVEL_SSI);
  TranscriptOrder *order = order_new(verify->reader, verify->log);
  bool holds = serial_lines(&serial, order);
  verify->result->transactions = serial.place;
  order_free(order);
  obey_free(serial.obey);
  replay_free(serial.replay);
  arena_free(&serial.line);
  arena_free(&serial.choices);
  return holds;
}
