/* replay.c: one committed transaction after the other, in the order the lines come. */
#include "semantics/replay_internal.h"

#include <stdlib.h>

enum { SET_ASIDE_KEPT = 1000 };

Replay *replay_new(const Header *header, const char *file) {
  Replay *replay = memory_new(sizeof *replay);
  replay->file = file;
  replay->header = *header;
  replay->engine = engine_new(header->dialect);
  return replay;
}

void replay_free(Replay *replay) {
  if (replay->objects) objects_free(replay->objects);
  if (replay->mirror) mirror_free(replay->mirror);
  engine_free(replay->engine);
  arena_free(&replay->arena);
  arena_free(&replay->bindings);
  ARRAY_FREE(&replay->set_aside);
  free(replay);
}

Engine *replay_engine(Replay *replay) { return replay->engine; }

const Dialect *replay_dialect(const Replay *replay) { return &engine_schema(replay->engine)->dialect; }

Place replay_place(const Replay *replay, const Line *line, const char *field) {
  return (Place){.file = replay->file, .line = line->number, .field = field, .offset = -1};
}

char *replay_keep(Replay *replay, const char *text) {
  return text ? arena_text(&replay->arena, text, strlen(text)) : NULL;
}

/* ---- Unknown ------------------------------------------------------------------- */

void replay_set_unknown(Replay *replay, const Line *line, const char *transaction, uint32_t operation,
                        const char *reason) {
  if (replay->verdict != VERDICT_CORRECT) return;
  replay->verdict = VERDICT_UNKNOWN;
  replay->reason = replay_keep(replay, reason);
  replay->reason_transaction = replay_keep(replay, transaction);
  replay->reason_operation = operation;
  replay->reason_line = line->number;
}

void replay_put_aside(Replay *replay, const Line *line, const char *transaction, uint32_t operation,
                      const char *sql, const char *reason, bool is_dependent) {
  replay_set_unknown(replay, line, transaction, operation, reason);
  if (replay->set_aside_count++ >= SET_ASIDE_KEPT) return;
  SetAside entry = {.transaction = replay_keep(replay, transaction),
                    .operation = operation,
                    .line = line->number,
                    .sql = replay_keep(replay, sql),
                    .reason = replay_keep(replay, reason),
                    .is_dependent = is_dependent};
  ARRAY_PUSH(&replay->set_aside, entry);
}

/* SQL that SQLite does not take either is bad input, where SQLite is the arbiter. */
bool replay_is_sql(Replay *replay, const char *sql, size_t length, int *offset, const char **message) {
  if (!replay->mirror) replay->mirror = mirror_new();
  return mirror_judge(replay->mirror, sql, length, offset, message) != MIRROR_REJECTS;
}

/* ---- A statement that does not match ----------------------------------------------- */

/* Literals among the expected values point into the line, which is gone when the report is written. */
static void outcome_keep(Arena *arena, Outcome *outcome) {
  for (uint32_t s = 0; s < outcome->results.count; s++) {
    ResultSet *set = &outcome->results.items[s];
    for (uint32_t r = 0; r < set->row_count; r++) {
      Value *values = ARENA_ARRAY(arena, Value, set->column_count + 1);
      for (uint32_t i = 0; i < set->column_count; i++) values[i] = value_copy(arena, set->rows[r].values[i]);
      set->rows[r].values = values;
    }
  }
}

Step replay_fail(Run *run, uint32_t operation, const Outcome *outcome, Mismatch mismatch, bool reads_tables) {
  Replay *replay = run->replay;
  if (replay->on_mismatch && operation < run->transaction->operation_count)
    replay->on_mismatch(replay->mismatch_context, &run->transaction->operations[operation], outcome);
  if (run->is_tentative) return STEP_MISMATCH;
  if (replay->is_gapped && reads_tables) {
    replay_set_unknown(replay, run->line, run->transaction->name, operation,
                       "a write that was not recorded (a gap) could explain what was observed");
    return STEP_STOP;
  }
  if (doubts_assumed(engine_doubts(replay->engine))) {
    replay_set_unknown(replay, run->line, run->transaction->name, operation,
                       "a value that the database chose was not observed in time; with another choice the "
                       "observation might be explained");
    return STEP_STOP;
  }
  replay->verdict = VERDICT_VIOLATION;
  replay->failure = ARENA_NEW(&replay->arena, Failure);
  *replay->failure = (Failure){.transaction = transaction_copy(&replay->arena, run->transaction),
                               .number = replay->transactions,
                               .operation = operation,
                               .line = run->line->number,
                               .expected = *outcome,
                               .mismatch = mismatch};
  outcome_keep(&replay->arena, &replay->failure->expected);
  return STEP_MISMATCH;
}

/* ---- Transactions -------------------------------------------------------------------------- */

/* What must hold for COMMIT to succeed, besides the statements. */
Step replay_commit_check(Run *run) {
  Outcome outcome = {.kind = OUTCOME_ERROR};
  /* COMMIT of a dead block rolls back; where nothing was written, nobody can tell the difference. */
  if (run->is_dead && store_mark(engine_store(run->replay->engine)) == run->begin) return STEP_NEXT;
  if (run->is_dead) {
    outcome.errors = ERROR_BIT(ERROR_BLOCK_DEAD);
    outcome.reason = "an error ended the transaction block: COMMIT rolls it back";
  } else {
    outcome.errors = engine_commit_errors(run->replay->engine);
    outcome.reason = "a deferred constraint does not hold at COMMIT";
  }
  if (!outcome.errors) return STEP_NEXT;
  Mismatch mismatch = {.kind = MISMATCH_COMMIT};
  return replay_fail(run, run->transaction->operation_count, &outcome, mismatch, !run->is_dead);
}

static Step replay_operations(Run *run, Diag *diag) {
  for (uint32_t i = 0; i < run->transaction->operation_count; i++) {
    const Operation *operation = &run->transaction->operations[i];
    if (operation->meta) {
      engine_forget_variables(run->replay->engine);
      continue;
    }
    Step step = replay_operation(run, i, operation, diag);
    if (step != STEP_NEXT) return step;
    arena_clear(engine_arena(run->replay->engine));
  }
  return replay_commit_check(run);
}

static bool replay_committed(Replay *replay, const Line *line, Diag *diag) {
  replay->transactions++;
  if (replay->is_stopped) return true;
  Run run = {.replay = replay, .line = line, .transaction = &line->transaction};
  engine_set_session(replay->engine, line->transaction.session);
  engine_begin(replay->engine, (uint32_t)replay->transactions);
  run.begin = store_mark(engine_store(replay->engine));
  Step step = replay_operations(&run, diag);
  if (step == STEP_BAD) return false;
  if (step == STEP_NEXT)
    engine_commit(replay->engine);
  else
    replay->is_stopped = true; /* the engine's arena keeps what was expected */
  if (step == STEP_NEXT && replay->verdict == VERDICT_CORRECT) replay->checked++;
  return true;
}

/* Status unknown: it took part or not.  If its own observations cannot be, or it wrote nothing, that is the
 * same as not; otherwise the caller chooses (replay_leave_out). */
static bool replay_undecided(Replay *replay, const Line *line, Diag *diag) {
  if (replay->is_stopped) return true;
  Run run = {.replay = replay, .line = line, .transaction = &line->transaction, .is_tentative = true};
  engine_set_session(replay->engine, line->transaction.session);
  engine_begin(replay->engine, (uint32_t)replay->transactions + 1);
  uint32_t bindings = doubts_mark(engine_doubts(replay->engine));
  run.begin = store_mark(engine_store(replay->engine));
  Step step = replay_operations(&run, diag);
  bool takes_part = step == STEP_NEXT && store_mark(engine_store(replay->engine)) != run.begin;
  if (takes_part) {
    uint32_t number = replay->undecided++;
    takes_part = number >= replay->left_out_count || !replay->left_out[number];
  }
  if (takes_part)
    engine_commit(replay->engine);
  else
    engine_rollback(replay->engine);
  if (!takes_part) { /* what it showed was not seen */
    doubts_undo(engine_doubts(replay->engine), bindings);
    if (replay->choices) replay->choices->count = 0;
  }
  replay->took_part = takes_part;
  engine_forget_present(replay->engine); /* what it left depends on whether it took part */
  arena_clear(engine_arena(replay->engine));
  return step != STEP_BAD;
}

void replay_leave_out(Replay *replay, const uint8_t *left_out, uint32_t count) {
  replay->left_out = left_out;
  replay->left_out_count = count;
}

void replay_note_choices(Replay *replay, Arena *arena, WitnessChoices *choices) {
  replay->choices = choices;
  replay->choices_arena = arena;
}

bool replay_took_part(const Replay *replay) { return replay->took_part; }

void replay_assume_nothing(Replay *replay) { engine_doubts(replay->engine)->assumes_nothing = true; }

bool replay_has_assumed(const Replay *replay) { return doubts_assumed(engine_doubts(replay->engine)); }

uint32_t replay_undecided_count(const Replay *replay) { return replay->undecided; }

/* ---- Lines ------------------------------------------------------------------------------------- */

bool replay_line(Replay *replay, const Line *line, Diag *diag) {
  switch (line->kind) {
  case LINE_SETUP: return replay_setup(replay, line, diag);
  case LINE_TABLE: return replay_initial_rows(replay, line, diag);
  case LINE_TRANSACTION:
    if (line->transaction.status == STATUS_COMMITTED) return replay_committed(replay, line, diag);
    if (line->transaction.status == STATUS_UNKNOWN) return replay_undecided(replay, line, diag);
    engine_forget_session(replay->engine, line->transaction.session);
    return true;
  case LINE_GAP:
    replay->gaps++;
    engine_forget_sessions(replay->engine);
    replay->is_gapped |= line->gap.writes;
    return true;
  case LINE_FINAL: return replay_final(replay, line, diag);
  default: return true;
  }
}

void replay_only_count(Replay *replay) { replay->is_stopped = true; }

bool replay_finish(Replay *replay, Diag *diag) {
  (void)replay, (void)diag;
  return true;
}

Verdict replay_verdict(const Replay *replay) { return replay->verdict; }
const Failure *replay_failure(const Replay *replay) { return replay->failure; }
uint64_t replay_transactions(const Replay *replay) { return replay->transactions; }
bool replay_is_open(const Replay *replay) { return replay->is_open; }
bool replay_is_bound(const Replay *replay) { return replay->is_bound; }
uint64_t replay_checked(const Replay *replay) { return replay->checked; }
uint64_t replay_gaps(const Replay *replay) { return replay->gaps; }

const SetAside *replay_set_aside(const Replay *replay, uint64_t *count, uint64_t *kept) {
  *count = replay->set_aside_count;
  *kept = replay->set_aside.count;
  return replay->set_aside.items;
}

const char *replay_reason(const Replay *replay, const char **transaction, uint32_t *operation,
                          uint64_t *line) {
  *transaction = replay->reason_transaction;
  *operation = replay->reason_operation;
  *line = replay->reason_line;
  return replay->reason;
}
