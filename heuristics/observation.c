/* observation.c: listing and removing observations. */
#include "heuristics/observation.h"

bool observation_is_of_operation(ObservationKind kind) { return kind <= OBSERVED_OPERATION_START; }

/* ---- Listing -------------------------------------------------------------------------------- */

static void operation_add(Observations *observations, Arena *arena, const Line *line, uint32_t index) {
  const Operation *operation = &line->transaction.operations[index];
  if (operation->meta) return;
  const struct {
    bool is_observed;
    ObservationKind kind;
  } fields[] = {{operation->has_rows, OBSERVED_ROWS},
                {operation->has_columns, OBSERVED_COLUMNS},
                {operation->has_affected, OBSERVED_AFFECTED},
                {operation->error != NULL, OBSERVED_ERROR},
                {operation->kind == OPERATION_READ, OBSERVED_VALUE},
                {operation->start.given || operation->end.given, OBSERVED_OPERATION_START}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (fields[i].is_observed) ARENA_PUSH(arena, observations, ((Observation){fields[i].kind, line, index}));
}

void observations_add(Observations *observations, Arena *arena, const Line *line) {
  if (line->kind == LINE_FINAL) ARENA_PUSH(arena, observations, ((Observation){OBSERVED_FINAL, line, 0}));
  if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED) return;
  const Transaction *transaction = &line->transaction;
  for (uint32_t i = 0; i < transaction->operation_count; i++) operation_add(observations, arena, line, i);
  if (transaction->status == STATUS_COMMITTED || transaction->status == STATUS_READER)
    ARENA_PUSH(arena, observations, ((Observation){OBSERVED_COMMITTED, line, 0}));
  if (transaction->start.given) ARENA_PUSH(arena, observations, ((Observation){OBSERVED_START, line, 0}));
  if (transaction->commit.given) ARENA_PUSH(arena, observations, ((Observation){OBSERVED_COMMIT, line, 0}));
  if (transaction->session) ARENA_PUSH(arena, observations, ((Observation){OBSERVED_SESSION, line, 0}));
  if (transaction->xid) ARENA_PUSH(arena, observations, ((Observation){OBSERVED_XID, line, 0}));
  if (transaction->snapshot) ARENA_PUSH(arena, observations, ((Observation){OBSERVED_SNAPSHOT, line, 0}));
}

/* ---- Removing --------------------------------------------------------------------------------- */

/* The observations of one line that are kept: a set of kinds, and for each operation another. */
typedef struct Kept {
  bool is_any;
  unsigned whole;
  unsigned *operations; /* by operation */
} Kept;

static bool keeps(unsigned set, ObservationKind kind) { return set & 1u << kind; }

/* False: nothing is left of it. */
static bool operation_reduce(Operation *operation, unsigned kept) {
  if (operation->meta) return true;
  if (operation->error && !keeps(kept, OBSERVED_ERROR)) return false;
  if (operation->kind == OPERATION_READ && !keeps(kept, OBSERVED_VALUE)) return false;
  if (!keeps(kept, OBSERVED_ROWS)) {
    operation->has_rows = operation->has_results = false;
    operation->result_count = 0;
  }
  if (!keeps(kept, OBSERVED_COLUMNS)) operation->has_columns = false;
  if (!keeps(kept, OBSERVED_AFFECTED)) operation->has_affected = false;
  if (!keeps(kept, OBSERVED_OPERATION_START)) operation->start = operation->end = (Interval){0};
  return true;
}

static const Line *line_reduce(Arena *arena, const Line *line, const Kept *kept, const bool *wants) {
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  Transaction *transaction = &copy->transaction;
  uint32_t count = transaction->operation_count;
  transaction->operations = ARENA_ARRAY(arena, Operation, count + 1);
  transaction->operation_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    Operation operation = line->transaction.operations[i];
    bool is_wanted = !wants || wants[i] || kept->operations[i];
    if (is_wanted && operation_reduce(&operation, kept->operations[i]))
      transaction->operations[transaction->operation_count++] = operation;
  }
  if (!keeps(kept->whole, OBSERVED_COMMITTED)) transaction->status = STATUS_UNKNOWN;
  if (!keeps(kept->whole, OBSERVED_START)) transaction->start = (Interval){0};
  if (!keeps(kept->whole, OBSERVED_COMMIT)) transaction->commit = (Interval){0};
  if (!keeps(kept->whole, OBSERVED_SESSION)) transaction->session = NULL;
  if (!keeps(kept->whole, OBSERVED_XID)) transaction->xid = NULL;
  if (!keeps(kept->whole, OBSERVED_SNAPSHOT)) transaction->snapshot = NULL;
  return copy;
}

/* Collects what is kept of the line; observations stand in the order of their lines. */
static Kept kept_collect(Arena *arena, const Reduction *reduction, const Line *line, uint32_t *next) {
  Kept kept = {.operations = ARENA_ARRAY(arena, unsigned, line->transaction.operation_count + 1)};
  const Observations *observations = reduction->observations;
  for (; *next < observations->count && observations->items[*next].line == line; ++*next) {
    const Observation *each = &observations->items[*next];
    if (!reduction->kept[*next]) continue;
    kept.is_any = true;
    *(observation_is_of_operation(each->kind) ? &kept.operations[each->operation] : &kept.whole) |=
        1u << each->kind;
  }
  return kept;
}

static bool line_is_wanted(const Line *line, const bool *wants) {
  bool is_wanted = !wants;
  for (uint32_t i = 0; !is_wanted && i < line->transaction.operation_count; i++) is_wanted = wants[i];
  return is_wanted;
}

void log_reduce(Log *reduced, const Reduction *reduction) {
  const Log *log = reduction->log;
  *reduced = (Log){.header = log->header, .file = log->file, .setup = log->setup};
  Arena *arena = &reduced->arena;
  arena_init(arena);
  Arena scratch;
  arena_init(&scratch);
  uint32_t next = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED) {
      ARENA_PUSH(arena, &reduced->lines, line);
      continue;
    }
    Kept kept = kept_collect(&scratch, reduction, line, &next);
    const bool *wants = reduction->wants ? reduction->wants[i] : NULL;
    /* Where nothing is asked of its statements, an aborted one is as if it had not been. */
    if (line_is_reader(line) && !keeps(kept.whole, OBSERVED_COMMITTED)) continue;
    if (kept.is_any || line_is_wanted(line, wants))
      ARENA_PUSH(arena, &reduced->lines,
                 line_reduce(arena, line, &kept, reduction->drops_statements ? wants : NULL));
    arena_clear(&scratch);
  }
  for (; next < reduction->observations->count; next++)
    if (reduction->kept[next]) ARENA_PUSH(arena, &reduced->finals, reduction->observations->items[next].line);
  arena_free(&scratch);
}

Line *line_of_operation(Arena *arena, const Line *line, uint32_t operation) {
  Line *copy = ARENA_NEW(arena, Line);
  *copy = *line;
  Transaction *transaction = &copy->transaction;
  transaction->session = NULL;
  transaction->start = transaction->commit = (Interval){0};
  transaction->operations = ARENA_ARRAY(arena, Operation, 1);
  transaction->operations[0] = line->transaction.operations[operation];
  transaction->operations[0].start = transaction->operations[0].end = (Interval){0};
  transaction->operation_count = 1;
  return copy;
}
