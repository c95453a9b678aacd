/* replay_operation.c: one operation of a transaction: executed, then compared with what was observed. */
#include "semantics/replay_internal.h"

#include "semantics/certify.h"

#include <stdio.h>
#include <strings.h>

/* ---- SQL operations ------------------------------------------------------------------ */

static Parameter *replay_parameters(Replay *replay, const Operation *operation) {
  arena_clear(&replay->bindings);
  Parameter *parameters = arena_alloc(&replay->bindings, (operation->param_count + 1) * sizeof *parameters);
  for (uint32_t i = 0; i < operation->param_count; i++)
    parameters[i] = (Parameter){operation->params[i].name, operation->params[i].name_length,
                                operation->params[i].value.value};
  return parameters;
}

/* Not modelled, or it depends on what is not known: nothing is checked, what it may have written is lost. */
static Step replay_lose(Run *run, uint32_t index, const Operation *operation, const Parameter *parameters,
                        Outcome *outcome, Diag *diag) {
  Replay *replay = run->replay;
  const Dialect *dialect = replay_dialect(replay);
  Footprint footprint = {0};
  uint32_t offset = 0;
  PrepareAnswer answer = engine_prepare(replay->engine, operation->sql, operation->sql_length, parameters,
                                        operation->param_count, outcome, &offset, &footprint);
  Step step = STEP_NEXT;
  if (answer == PREPARE_SYNTAX && operation->error) {
    ErrorSet observed = error_set_of(dialect, operation->error, strlen(operation->error));
    if (observed & ERROR_BIT(ERROR_SYNTAX)) return STEP_NEXT;
  }
  if (answer == PREPARE_SYNTAX && !operation->error &&
      (dialect->name == DIALECT_SQLITE || dialect->name == DIALECT_GENERIC)) {
    int judged_offset = -1;
    const char *message = NULL;
    if (!replay_is_sql(replay, operation->sql, operation->sql_length, &judged_offset, &message)) {
      char field[48];
      snprintf(field, sizeof field, "ops[%u].sql", index);
      Place place = replay_place(replay, run->line, field);
      place.offset = judged_offset >= 0 ? judged_offset : (int64_t)offset;
      diag_fail(diag, place, "not SQL: %s", message ? message : outcome->reason);
      return STEP_BAD;
    }
  }
  bool is_dependent = outcome->kind == OUTCOME_DOUBT;
  if (run->is_tentative) run->aside = outcome->reason ? outcome->reason : "not modelled";
  if (run->is_trial) return step;
  if (!run->is_tentative)
    replay_put_aside(replay, run->line, run->transaction->name, index, operation->sql,
                     outcome->reason ? outcome->reason : "not modelled", is_dependent);
  if (footprint.writes || footprint.writes_anything || strchr(operation->sql, '@'))
    engine_forget_present(replay->engine);
  if (!operation->error)
    engine_lose(replay->engine, &footprint, outcome->reason ? outcome->reason : operation->sql);
  return step;
}

static bool sql_begins(const char *sql, const char *word) { return text_takes(&sql, word); }

/* A CALL that was refused on its way: which of its statements had their effect is not known. */
static void replay_lose_call(Replay *replay, const Operation *operation) {
  Footprint footprint = {0};
  Outcome outcome = {0};
  uint32_t offset;
  engine_prepare(replay->engine, operation->sql, operation->sql_length, replay_parameters(replay, operation),
                 operation->param_count, &outcome, &offset, &footprint);
  engine_lose(replay->engine, &footprint, "a CALL was refused at a place that is not known");
}

/* An error that a database raises for its own sake, whatever the data: it has no effect. */
static void replay_refuse(Run *run, const Operation *operation) {
  const Dialect *dialect = replay_dialect(run->replay);
  if (dialect->name == DIALECT_POSTGRESQL) run->is_dead = true;
  if (!dialect_is_mysql(dialect)) return;
  if (error_undoes_transaction(operation->error)) {
    engine_rollback(run->replay->engine);
    engine_begin(run->replay->engine, (uint32_t)run->replay->transactions);
  } else if (sql_begins(operation->sql, "call")) {
    replay_lose_call(run->replay, operation);
  }
}

static bool operation_is_refused(const Replay *replay, const Operation *operation) {
  if (!operation->error) return false;
  return error_set_of(replay_dialect(replay), operation->error, strlen(operation->error)) ==
         ERROR_BIT(ERROR_REFUSED);
}

static bool operation_reads_tables(Replay *replay, const Operation *operation, const Parameter *parameters) {
  Footprint footprint = {0};
  Outcome outcome;
  uint32_t offset;
  engine_prepare(replay->engine, operation->sql, operation->sql_length, parameters, operation->param_count,
                 &outcome, &offset, &footprint);
  return footprint.writes_anything || footprint.tables_read.count || footprint.tables_written.count;
}

/* A syntax error against a text that our grammar takes: it takes more than the databases do. */
static MatchAnswer replay_syntax_error(Replay *replay, const Operation *operation) {
  DialectName dialect = replay_dialect(replay)->name;
  if (dialect != DIALECT_SQLITE && dialect != DIALECT_GENERIC) return MATCH_UNDECIDED;
  int offset;
  const char *message;
  return replay_is_sql(replay, operation->sql, operation->sql_length, &offset, &message) ? MATCH_NO
                                                                                         : MATCH_YES;
}

/* The observed error against success, or against another error: some order of evaluation may raise it. A
 * broad code (sqlite's 1) may also say that the text is no SQL. */
static MatchAnswer replay_possible_error(Run *run, const Operation *operation, const Parameter *parameters,
                                         Outcome *outcome, Mismatch *mismatch) {
  Replay *replay = run->replay;
  const Dialect *dialect = replay_dialect(replay);
  ErrorSet observed = error_set_of(dialect, operation->error, strlen(operation->error));
  ErrorSet possible = engine_possible_errors(replay->engine, operation->sql, operation->sql_length,
                                             parameters, operation->param_count);
  *(outcome->kind == OUTCOME_DONE ? &outcome->possible : &outcome->errors) |=
      possible & ~ERROR_BIT(ERROR_NONE);
  MatchAnswer answer = match_outcome(dialect, engine_doubts(replay->engine), outcome, operation, mismatch);
  if (answer != MATCH_NO) return answer;
  if (observed & ERROR_BIT(ERROR_SYNTAX)) {
    MatchAnswer syntax = replay_syntax_error(replay, operation);
    if (syntax == MATCH_YES || (syntax == MATCH_UNDECIDED && observed != ERROR_ANY)) return syntax;
  }
  return possible & ERROR_BIT(ERROR_NONE) ? MATCH_UNDECIDED : MATCH_NO;
}

static Step replay_sql(Run *run, uint32_t index, const Operation *operation, Diag *diag) {
  Replay *replay = run->replay;
  const Dialect *dialect = replay_dialect(replay);
  Mismatch mismatch = {0};
  if (run->is_dead && !sql_begins(operation->sql, "rollback")) {
    if (operation->error) return STEP_NEXT;
    Outcome dead = {.kind = OUTCOME_ERROR,
                    .errors = ERROR_BIT(ERROR_BLOCK_DEAD),
                    .reason = "an earlier error ended the transaction block"};
    mismatch.kind = MISMATCH_ERROR_EXPECTED;
    return replay_fail(run, index, &dead, mismatch, false);
  }
  if (operation_is_refused(replay, operation)) return replay_refuse(run, operation), STEP_NEXT;
  Parameter *parameters = replay_parameters(replay, operation);
  Outcome outcome = engine_execute(replay->engine, operation->sql, operation->sql_length, parameters,
                                   operation->param_count);
  if (outcome.kind == OUTCOME_UNMODELLED || outcome.kind == OUTCOME_DOUBT) {
    if (operation->error && dialect->name == DIALECT_POSTGRESQL) run->is_dead = true;
    return replay_lose(run, index, operation, parameters, &outcome, diag);
  }
  uint32_t bindings = doubts_mark(engine_doubts(replay->engine));
  MatchAnswer answer = match_outcome(dialect, engine_doubts(replay->engine), &outcome, operation, &mismatch);
  /* A generated key that was observed is nobody else's. */
  if (answer == MATCH_YES && doubts_mark(engine_doubts(replay->engine)) > bindings &&
      !engine_settle(replay->engine)) {
    answer = MATCH_NO;
    mismatch.kind = MISMATCH_ROWS;
  }
  if (operation->error && outcome.kind == OUTCOME_DONE) engine_undo_statement(replay->engine);
  if (operation->error && answer == MATCH_NO)
    answer = replay_possible_error(run, operation, parameters, &outcome, &mismatch);
  if (answer == MATCH_NO)
    return replay_fail(run, index, &outcome, mismatch,
                       !replay->is_gapped || operation_reads_tables(replay, operation, parameters));
  if (answer == MATCH_UNDECIDED && run->is_tentative)
    run->aside = "whether the statement explains what was observed";
  else if (answer == MATCH_UNDECIDED)
    replay_put_aside(replay, run->line, run->transaction->name, index, operation->sql,
                     operation->error ? "whether the statement can fail in this way"
                                      : "too many ways to pair the rows with the observed ones",
                     false);
  if (operation->error)
    run->is_dead = dialect->name == DIALECT_POSTGRESQL;
  else
    run->is_dead = false;
  return STEP_NEXT;
}

/* ---- Key-value operations ---------------------------------------------------------------- */

static Outcome object_outcome(Replay *replay, Value value) {
  Arena *arena = engine_arena(replay->engine);
  static const Type type = {.kind = TYPE_DYNAMIC};
  Outcome outcome = {.kind = OUTCOME_DONE, .affected_also = -1};
  Value *cell = arena_alloc(arena, sizeof *cell);
  *cell = value_copy(arena, value);
  ResultSet set = {
      .column_count = 1, .column_types = &type, .row_count = 1, .rows = ARENA_NEW(arena, ResultRow)};
  set.rows[0].values = cell;
  ARENA_PUSH(arena, &outcome.results, set);
  return outcome;
}

static Step replay_object(Run *run, uint32_t index, const Operation *operation) {
  Replay *replay = run->replay;
  if (!replay->objects) replay->objects = objects_new(replay->engine);
  if (replay->objects_lost) {
    if (!run->is_tentative)
      replay_put_aside(replay, run->line, run->transaction->name, index, operation->object,
                       replay->objects_lost, true);
    return STEP_NEXT;
  }
  if (operation->kind == OPERATION_WRITE)
    return objects_write(replay->objects, operation->object, operation->argument.value), STEP_NEXT;
  if (operation->kind == OPERATION_APPEND) {
    if (objects_append(replay->objects, operation->object, operation->argument.value)) return STEP_NEXT;
    run->aside = "append to an object that holds a single value";
    if (run->is_trial) return STEP_NEXT;
    if (!run->is_tentative)
      replay_put_aside(replay, run->line, run->transaction->name, index, operation->object, run->aside,
                       false);
    replay->objects_lost = "an append that is not modelled came before";
    return STEP_NEXT;
  }
  Value value = objects_read(replay->objects, operation->object);
  if (objects_match(replay->objects, value, &operation->argument)) return STEP_NEXT;
  Outcome outcome = object_outcome(replay, value);
  return replay_fail(run, index, &outcome, (Mismatch){.kind = MISMATCH_ROWS}, true);
}

void replay_note(Replay *replay, uint32_t operation, uint32_t mark) {
  const Doubts *doubts = engine_doubts(replay->engine);
  for (uint32_t i = mark; replay->choices && i < doubts->bindings.count; i++) {
    const Doubt *doubt = &doubts->doubts.items[doubts->bindings.items[i]];
    const char *origin = doubt->origin ? doubt->origin : "a value";
    WitnessChoice choice = {.operation = operation,
                            .origin = arena_text(replay->choices_arena, origin, strlen(origin)),
                            .value = {.value = value_copy(replay->choices_arena, doubt->value)}};
    ARENA_PUSH(replay->choices_arena, replay->choices, choice);
  }
}

Step replay_operation(Run *run, uint32_t index, const Operation *operation, Diag *diag) {
  if (operation->kind != OPERATION_SQL) return replay_object(run, index, operation);
  uint32_t mark = doubts_mark(engine_doubts(run->replay->engine));
  Step step = replay_sql(run, index, operation, diag);
  if (run->replay->choices) replay_note(run->replay, index, mark);
  return step;
}
