/* order_error.c: probes, and the execution without them. */
#include "heuristics/order_error.h"

#include "heuristics/observation.h"
#include "semantics/certify.h"
#include "semantics/replay.h"

void late_open(LateErrors *late, Search *search, const Line **lines, uint32_t count) {
  *late = (LateErrors){.lines = lines, .count = count, .given_count = count};
  search->narrow.count = 0;
}

/* ---- Asking ------------------------------------------------------------------------------------------- */

static bool late_has(const LateErrors *late, uint64_t number, uint32_t operation) {
  for (uint32_t i = 0; i < late->errors.count; i++)
    if (late->errors.items[i].line->number == number && late->errors.items[i].operation == operation)
      return true;
  return false;
}

/* In place of the error one that every state explains: what it does to its transaction stays. */
static const Line *line_without(Arena *arena, const Line *line, const LateErrors *late, bool is_mysql) {
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  Transaction *transaction = &copy->transaction;
  transaction->operations = ARENA_ARRAY(arena, Operation, transaction->operation_count + 1);
  memcpy(transaction->operations, line->transaction.operations,
         transaction->operation_count * sizeof *transaction->operations);
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    if (late_has(late, line->number, i)) transaction->operations[i].error = is_mysql ? "1205" : "57014";
  return copy;
}

static const Line *line_probe(Arena *arena, const Line *line, uint32_t operation) {
  Line *probe = line_of_operation(arena, line, operation);
  probe->number = 0;
  probe->transaction.status = STATUS_READER;
  return probe;
}

static void late_rebuild(LateErrors *late, Search *search, const Line **given) {
  Arena *arena = &search->result->arena;
  const Line **lines = ARENA_ARRAY(arena, const Line *, late->given_count + late->errors.count + 1);
  memcpy(lines, given, late->given_count * sizeof *lines);
  for (uint32_t i = 0; i < late->given_count; i++)
    for (uint32_t k = 0; k < late->errors.count; k++) {
      LateError *error = &late->errors.items[k];
      if (error->line->number != given[i]->number) continue;
      if (lines[i] == given[i])
        lines[i] = line_without(arena, error->line, late, dialect_is_mysql(&search->log->header.dialect));
      error->placed = lines[i];
    }
  for (uint32_t k = 0; k < late->errors.count; k++)
    lines[late->given_count + k] = late->errors.items[k].probe;
  late->lines = lines;
  late->count = late->given_count + late->errors.count;
}

/* The line as it was given. */
static const Line *late_line(const LateErrors *late, uint64_t number) {
  for (uint32_t i = 0; i < late->errors.count; i++)
    if (late->errors.items[i].line->number == number) return late->errors.items[i].line;
  for (uint32_t i = 0; i < late->given_count; i++)
    if (late->lines[i]->number == number) return late->lines[i];
  return NULL;
}

bool late_add(LateErrors *late, Search *search) {
  Arena *arena = &search->result->arena;
  const Line **given = ARENA_ARRAY(arena, const Line *, late->given_count + 1);
  for (uint32_t i = 0; i < late->given_count; i++) given[i] = late_line(late, late->lines[i]->number);
  uint32_t before = late->errors.count;
  for (uint32_t i = 0; i < search->narrow.count; i++) {
    NarrowError narrow = search->narrow.items[i];
    const Line *line = late_line(late, narrow.line);
    if (!line || narrow.operation >= line->transaction.operation_count ||
        late_has(late, narrow.line, narrow.operation))
      continue;
    Engine *engine = replay_engine(checker_replay(search->result->checker));
    bool is_unknown = line->transaction.status == STATUS_UNKNOWN;
    if (line_is_reader(line) || (is_unknown && late->unknown) ||
        !error_is_movable(engine, &line->transaction, narrow.operation)) {
      late->is_open = true;
      continue;
    }
    late->unknown += is_unknown;
    LateError error = {.line = line, .operation = narrow.operation};
    error.probe = line_probe(arena, line, narrow.operation);
    ARENA_PUSH(arena, &late->errors, error);
  }
  search->narrow.count = 0;
  if (late->errors.count == before) return false;
  late_rebuild(late, search, given);
  return true;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static const LateError *error_of_probe(const LateErrors *late, const Line *line) {
  for (uint32_t i = 0; i < late->errors.count; i++)
    if (late->errors.items[i].probe == line) return &late->errors.items[i];
  return NULL;
}

static bool line_is_placed(const Line *line) {
  return line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED;
}

bool late_write(const LateErrors *late, Search *search) {
  SearchResult *result = search->result;
  Arena *arena = &result->arena;
  const Line **order = ARENA_ARRAY(arena, const Line *, result->place_count + 1);
  /* By place: the state behind it, probes not counted. */
  uint32_t *states = ARENA_ARRAY(arena, uint32_t, result->place_count + 2);
  Witness *witness = ARENA_NEW(arena, Witness);
  *witness = *result->witness;
  witness->transactions.items = NULL;
  witness->transactions.count = witness->transactions.room = 0;
  uint32_t count = 0, place = 0;
  for (uint32_t i = 0; i < result->place_count; i++) {
    const Line *line = result->order[i];
    const LateError *error = error_of_probe(late, line);
    if (line_is_placed(line)) states[place + 1] = states[place] + !error, place++;
    if (error) continue;
    order[count++] = late_line(late, line->number);
    if (line_is_placed(line))
      ARENA_PUSH(arena, &witness->transactions, result->witness->transactions.items[place - 1]);
  }
  for (uint32_t i = 0; i < witness->transactions.count; i++)
    for (uint32_t k = 0; k < witness->transactions.items[i].reads.count; k++)
      witness->transactions.items[i].reads.items[k].state =
          states[witness->transactions.items[i].reads.items[k].state];
  place = 0;
  for (uint32_t i = 0; i < result->place_count; i++) {
    const LateError *error = error_of_probe(late, result->order[i]);
    place += line_is_placed(result->order[i]);
    for (uint32_t k = 0, at = 0; error && k < count; k++) {
      at += line_is_placed(order[k]);
      if (order[k] != error->line) continue;
      WitnessRead read = {.role = WITNESS_CHECK, .operation = error->operation, .state = states[place - 1]};
      ARENA_PUSH(arena, &witness->transactions.items[at - 1].reads, read);
    }
  }
  result->order = order;
  result->place_count = count;
  return search_confirm(search, witness, order, count);
}
