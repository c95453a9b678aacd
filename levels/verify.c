/* verify.c: a witness with states of its own: log and witness are read into memory, put side by side and
 * confirmed.
 *
 * V1  Every committed transaction of the log stands in the order once, every unknown one once, taking part or
 * not, and no other. V2  With order "given" the places are those of the log's given order. */
#include "levels/verify.h"

#include "levels/verify_internal.h"
#include "src/transcript/order.h"

bool verify_fail(Verify *verify, ConfirmAnswer answer, const char *reason) {
  Verified *result = verify->result;
  result->answer = answer;
  if (!result->reason && reason) result->reason = arena_text(&result->arena, reason, strlen(reason));
  return false;
}

bool verify_level(Verify *verify, const WitnessTransaction *read, uint64_t line, LevelId *level,
                  WitnessFresh *fresh) {
  *level = read->level ? level_named(read->level) : verify->level;
  *fresh = read->has_fresh ? read->fresh : verify->header->fresh;
  if (*level != LEVEL_COUNT) return true;
  diag_fail(&verify->result->diag, (Place){verify->file, line, "level", -1}, "no such level: '%.40s'",
            read->level);
  return verify_fail(verify, CONFIRM_BAD, NULL);
}

bool verify_end(Verify *verify, const WitnessEnd *end, uint64_t transactions) {
  TranscriptStats stats = transcript_stats(verify->reader);
  if (end->transactions != transactions)
    return verify_fail(verify, CONFIRM_FAILS,
                       arena_format(&verify->result->arena,
                                    "the witness counts %llu transactions, it has %llu",
                                    (unsigned long long)end->transactions, (unsigned long long)transactions));
  if (end->log_lines == stats.lines && end->log_hash == stats.hash) return true;
  return verify_fail(verify, CONFIRM_FAILS,
                     "the witness was written for another log: its lines or their hash differ");
}

/* ---- Log and witness side by side
 * ---------------------------------------------------------------------------- */

typedef struct Pairing {
  Verify *verify;
  Log log;
  Witness witness;
  WitnessEnd end;
  ARRAY(uint64_t) numbers; /* heap: the witness's lines, by place */
  Map lines;               /* name -> line of the log */
  Map places;              /* name -> 1 + its place in the witness */
  const Line **order;
  uint32_t count;
  bool has_times;
  TransactionLevel *levels; /* by place */
} Pairing;

static bool log_read(Pairing *pairing, Diag *diag) {
  Verify *verify = pairing->verify;
  log_init(&pairing->log, transcript_header(verify->reader), verify->log);
  TranscriptOrder *order = order_new(verify->reader, verify->log);
  Line line;
  bool done;
  while ((done = order_next(order, &line, diag)) && line.kind != LINE_END) {
    if (verify->header->has_readers) line_check_aborted(&line);
    log_add(&pairing->log, &line);
  }
  order_free(order);
  for (uint32_t i = 0; i < pairing->log.lines.count; i++) {
    const Line *kept = pairing->log.lines.items[i];
    if (kept->kind != LINE_TRANSACTION) continue;
    map_put(&pairing->lines, kept->transaction.name, strlen(kept->transaction.name), (void *)kept);
    if (kept->transaction.status != STATUS_COMMITTED) continue;
    pairing->has_times |= kept->transaction.start.given || kept->transaction.commit.given;
    for (uint32_t k = 0; k < kept->transaction.operation_count; k++)
      pairing->has_times |= kept->transaction.operations[k].start.given;
  }
  return done;
}

static bool witness_read(Pairing *pairing, Diag *diag) {
  Arena *arena = &pairing->verify->result->arena;
  Witness *witness = &pairing->witness;
  WitnessLine line;
  do {
    if (!witness_next(pairing->verify->witness, arena, &line, diag)) return false;
    bool is_late = line.kind == WITNESS_LINE_ROW && witness->transactions.count;
    if (is_late || (line.kind == WITNESS_LINE_TRANSACTION && witness->finals.count))
      return diag_fail(diag, (Place){pairing->verify->file, line.number, NULL, -1},
                       "out of place: initial rows, transactions, final lines, end");
    if (line.kind == WITNESS_LINE_ROW) ARENA_PUSH(arena, &witness->rows, line.row);
    if (line.kind == WITNESS_LINE_FINAL) ARENA_PUSH(arena, &witness->finals, line.final);
    if (line.kind != WITNESS_LINE_TRANSACTION) continue;
    ARENA_PUSH(arena, &witness->transactions, line.transaction);
    ARRAY_PUSH(&pairing->numbers, line.number);
  } while (line.kind != WITNESS_LINE_END);
  pairing->end = line.end;
  return true;
}

/* The transaction that the witness has at a place; NULL: it cannot be there. */
static const Line *place_pair(Pairing *pairing, uint32_t place) {
  Arena *arena = &pairing->verify->result->arena;
  const WitnessTransaction *read = &pairing->witness.transactions.items[place];
  size_t length = strlen(read->name);
  const Line *line = map_get(&pairing->lines, read->name, length);
  const char *wrong = !line                                           ? "is not in the log"
                      : line->transaction.status == STATUS_ABORTED    ? "was aborted: it has no place"
                      : map_get(&pairing->places, read->name, length) ? "stands in the order twice"
                                                                      : NULL;
  if (wrong) {
    verify_fail(pairing->verify, CONFIRM_FAILS,
                arena_format(arena, "transaction '%.100s' at place %u %s", read->name, place + 1, wrong));
    return NULL;
  }
  map_put(&pairing->places, read->name, length, (void *)(uintptr_t)(place + 1));
  return line;
}

/* V1 */
static bool places_pair(Pairing *pairing) {
  Verify *verify = pairing->verify;
  Arena *arena = &verify->result->arena;
  const Witness *witness = &pairing->witness;
  pairing->order = ARENA_ARRAY(arena, const Line *, witness->transactions.count + 1);
  pairing->levels = ARENA_ARRAY(arena, TransactionLevel, witness->transactions.count + 1);
  for (uint32_t i = 0; i < witness->transactions.count; i++) {
    if (!(pairing->order[i] = place_pair(pairing, i))) return false;
    WitnessFresh fresh;
    if (!verify_level(verify, &witness->transactions.items[i], pairing->numbers.items[i],
                      &pairing->levels[i].level, &fresh))
      return false;
    pairing->levels[i].is_fresh = fresh == FRESH_ALWAYS || (fresh == FRESH_TIMED && pairing->has_times);
  }
  pairing->count = witness->transactions.count;
  for (uint32_t i = 0; i < pairing->log.lines.count; i++) {
    const Line *line = pairing->log.lines.items[i];
    if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED ||
        map_find(&pairing->places, line->transaction.name))
      continue;
    return verify_fail(
        verify, CONFIRM_FAILS,
        arena_format(arena, "transaction '%.100s' is missing in the witness", line->transaction.name));
  }
  return true;
}

/* V2: then the log's own lines, with what has no place, are the order. */
static bool given_pair(Pairing *pairing) {
  uint32_t place = 0;
  for (uint32_t i = 0; i < pairing->log.lines.count; i++) {
    const Line *line = pairing->log.lines.items[i];
    if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED || line_is_reader(line))
      continue;
    while (line_is_reader(pairing->order[place])) place++; /* it may stand anywhere */
    if (line != pairing->order[place++])
      return verify_fail(
          pairing->verify, CONFIRM_FAILS,
          arena_format(&pairing->verify->result->arena,
                       "place %u of the given order is that of transaction '%.100s', not of '%.100s'", place,
                       line->transaction.name, pairing->order[place - 1]->transaction.name));
  }
  if (pairing->verify->header->has_readers) return true;
  pairing->order = pairing->log.lines.items;
  pairing->count = pairing->log.lines.count;
  return true;
}

static TransactionLevel pairing_level(const void *context, const Line *line) {
  const Pairing *pairing = context;
  return pairing->levels[(uintptr_t)map_find(&pairing->places, line->transaction.name) - 1];
}

static bool pairing_run(Pairing *pairing) {
  Verify *verify = pairing->verify;
  Verified *result = verify->result;
  if (!log_read(pairing, &result->diag) || !witness_read(pairing, &result->diag))
    return verify_fail(verify, CONFIRM_BAD, NULL);
  result->transactions = pairing->witness.transactions.count;
  if (!places_pair(pairing) || (!verify->header->is_searched && !given_pair(pairing)) ||
      !verify_end(verify, &pairing->end, result->transactions))
    return false;
  Confirmation question = {.log = &pairing->log,
                           .order = pairing->order,
                           .count = pairing->count,
                           .final_count = pairing->log.finals.count,
                           .level_of = pairing_level,
                           .context = pairing,
                           .is_searched = verify->header->is_searched,
                           .compares_values = verify->header->compares_values,
                           .compares_choices = true};
  if (verify->question) {
    question.stop_place = verify->question->state;
    question.show = verify->question->show;
    question.show_context = verify->question->context;
    if ((uint64_t)question.stop_place > result->transactions)
      return verify_fail(verify, CONFIRM_BAD, "the witness has fewer transactions");
  }
  const char *reason = NULL;
  result->answer = confirm(&question, &pairing->witness, &result->arena, &reason, &result->diag);
  result->reason = reason;
  return result->answer == CONFIRM_HOLDS;
}

static void verify_stated(Verify *verify) {
  Pairing pairing = {.verify = verify};
  map_init(&pairing.lines);
  map_init(&pairing.places);
  pairing_run(&pairing);
  map_free(&pairing.lines);
  map_free(&pairing.places);
  ARRAY_FREE(&pairing.numbers);
  log_free(&pairing.log);
}

/* ---- Both files
 * ------------------------------------------------------------------------------------------------ */

static void warning_drop(const char *message, void *context) { (void)message, (void)context; }

static bool verify_open(Verify *verify) {
  Verified *result = verify->result;
  verify->witness = witness_open(verify->file, &result->diag);
  if (!verify->witness) return false;
  verify->header = witness_header(verify->witness);
  result->header = *verify->header;
  result->header.level = arena_text(&result->arena, verify->header->level, strlen(verify->header->level));
  verify->level = level_named(verify->header->level);
  if (verify->level == LEVEL_COUNT)
    return diag_fail(&result->diag, (Place){verify->file, 1, "level", -1}, "no such level: '%.40s'",
                     verify->header->level);
  verify->reader = transcript_open_with(verify->log, warning_drop, NULL, &result->diag);
  if (verify->reader) transcript_take_hash(verify->reader);
  if (verify->reader) transcript_widen(verify->reader, verify->header->clock_error);
  return verify->reader;
}

void verify(const char *log, const char *witness, const Verification *question, Verified *result) {
  *result = (Verified){.answer = CONFIRM_HOLDS};
  diag_clear(&result->diag);
  arena_init(&result->arena);
  Verify run = {.log = log, .file = witness, .question = question, .result = result};
  if (!verify_open(&run))
    verify_fail(&run, CONFIRM_BAD, NULL);
  else if (run.header->is_serial)
    verify_serial(&run);
  else
    verify_stated(&run);
  if (result->diag.failed) result->answer = CONFIRM_BAD;
  witness_close(run.witness);
  transcript_close(run.reader);
}

void verified_free(Verified *result) { arena_free(&result->arena); }
