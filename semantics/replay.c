/* replay.c: one committed transaction after the other, in the order the lines come.
 *
 * R1  While no verdict is final, the engine holds exactly the state after the transactions replayed so far,
 *     but for tables that are lost.
 * R2  A violation rests on a statement that was executed on known values only. */
#include "semantics/replay.h"

#include "semantics/objects.h"
#include "src/sql/mirror.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { SET_ASIDE_KEPT = 1000 };

struct Replay {
  const char *file; /* borrowed */
  Header header;
  Engine *engine;
  Objects *objects; /* key-value histories: made with the first such operation */
  Mirror *mirror;   /* made when something must be arbitrated */
  Arena arena;      /* failure, set-aside statements */
  Arena bindings;   /* parameters of the operation in execution */
  Verdict verdict;
  Failure *failure;
  uint64_t transactions, checked, gaps;
  bool is_gapped;  /* a gap that may have written */
  bool is_stopped; /* a verdict is final: further lines are only counted */
  const char *objects_lost;
  ARRAY(SetAside) set_aside; /* heap */
  uint64_t set_aside_count;
  const char *reason, *reason_transaction;
  uint32_t reason_operation;
  uint64_t reason_line;
};

/* What is known of the transaction in execution. */
typedef struct Run {
  Replay *replay;
  const Line *line;
  const Transaction *transaction;
  bool is_dead;      /* postgresql: an error ended the block */
  bool is_tentative; /* status unknown: nothing is reported, effects are withdrawn */
  Footprint written; /* tentative runs: everything that may have been written */
} Run;

typedef enum Step { STEP_NEXT, STEP_MISMATCH, STEP_STOP, STEP_BAD } Step;

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

static const Dialect *replay_dialect(const Replay *replay) { return &engine_schema(replay->engine)->dialect; }

static Place replay_place(const Replay *replay, const Line *line, const char *field) {
  return (Place){.file = replay->file, .line = line->number, .field = field, .offset = -1};
}

static char *replay_keep(Replay *replay, const char *text) {
  return text ? arena_text(&replay->arena, text, strlen(text)) : NULL;
}

/* ---- Unknown ------------------------------------------------------------------- */

static void replay_set_unknown(Replay *replay, const Line *line, const char *transaction, uint32_t operation,
                               const char *reason) {
  if (replay->verdict != VERDICT_CORRECT) return;
  replay->verdict = VERDICT_UNKNOWN;
  replay->reason = replay_keep(replay, reason);
  replay->reason_transaction = replay_keep(replay, transaction);
  replay->reason_operation = operation;
  replay->reason_line = line->number;
}

static void replay_put_aside(Replay *replay, const Line *line, const char *transaction, uint32_t operation,
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
static bool replay_is_sql(Replay *replay, const char *sql, size_t length, int *offset, const char **message) {
  if (!replay->mirror) replay->mirror = mirror_new();
  return mirror_judge(replay->mirror, sql, length, offset, message) != MIRROR_REJECTS;
}

/* ---- Set-up ---------------------------------------------------------------------- */

static bool replay_setup(Replay *replay, const Line *line, Diag *diag) {
  const char *unmodelled = NULL;
  engine_begin(replay->engine, 0);
  bool done = engine_setup(replay->engine, line->setup, strlen(line->setup),
                           replay_place(replay, line, "setup"), diag, &unmodelled);
  engine_commit(replay->engine);
  arena_clear(engine_arena(replay->engine));
  if (!done && diag->failed) return false;
  if (unmodelled) replay_put_aside(replay, line, NULL, 0, line->setup, unmodelled, false);
  return true;
}

static bool replay_columns(Replay *replay, const Line *line, const Table *table, uint32_t *columns,
                           Diag *diag) {
  for (uint32_t i = 0; i < line->table.column_count; i++) {
    int32_t column = table_column(table, line->table.columns[i]);
    if (column < 0)
      return diag_fail(diag, replay_place(replay, line, "columns"), "table '%s' has no column '%s'",
                       table->name, line->table.columns[i]);
    columns[i] = (uint32_t)column;
  }
  return true;
}

static Table *replay_table_named(Replay *replay, const Line *line, const char *field, Diag *diag) {
  Schema *schema = engine_schema(replay->engine);
  Table *table = schema_table(schema, schema_fold(schema, engine_arena(replay->engine), line->table.table));
  if (!table) diag_fail(diag, replay_place(replay, line, field), "unknown table '%s'", line->table.table);
  return table;
}

static Value replay_cell(Replay *replay, const Cell *cell, Type type) {
  if (cell->kind == CELL_VALUE) return cell->value;
  Doubts *doubts = engine_doubts(replay->engine);
  if (cell->kind == CELL_ANY)
    return doubt_new(doubts, DOUBT_FREE, type_of(TYPE_UNKNOWN), "a cell given as any value");
  Value doubt = doubt_new(doubts, DOUBT_IN, type, "a cell given as one of several values");
  doubts->doubts.items[doubt.doubt].value = value_copy(&doubts->arena, cell->value);
  return doubt;
}

static bool replay_rows(Replay *replay, const Line *line, Diag *diag) {
  Table *table = replay_table_named(replay, line, "table", diag);
  if (!table) return false;
  uint32_t width = line->table.has_columns ? line->table.column_count : table->column_count;
  uint32_t *columns = arena_alloc(engine_arena(replay->engine), (width + 1) * sizeof *columns);
  Value *values = arena_alloc(engine_arena(replay->engine), (width + 1) * sizeof *values);
  if (line->table.has_columns && !replay_columns(replay, line, table, columns, diag)) return false;
  for (uint32_t row = 0; row < line->table.row_count; row++) {
    char field[48];
    snprintf(field, sizeof field, "rows[%u]", row);
    Place place = replay_place(replay, line, field);
    if (line->table.rows[row].count != width)
      return diag_fail(diag, place, "the row has %u values, table '%s' takes %u", line->table.rows[row].count,
                       table->name, width);
    for (uint32_t i = 0; i < width; i++)
      values[i] = replay_cell(replay, &line->table.rows[row].cells[i],
                              table->columns[line->table.has_columns ? columns[i] : i].type);
    if (!engine_load_row(replay->engine, table, line->table.has_columns ? columns : NULL, width, values,
                         place, diag))
      return false;
  }
  return true;
}

static bool replay_initial_rows(Replay *replay, const Line *line, Diag *diag) {
  engine_begin(replay->engine, 0);
  bool done = replay_rows(replay, line, diag);
  engine_commit(replay->engine);
  arena_clear(engine_arena(replay->engine));
  return done;
}

/* ---- A statement that does not match ----------------------------------------------- */

static Step replay_fail(Run *run, uint32_t operation, const Outcome *outcome, Mismatch mismatch,
                        bool reads_tables) {
  Replay *replay = run->replay;
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
                               .operation = operation,
                               .line = run->line->number,
                               .expected = *outcome,
                               .mismatch = mismatch};
  return STEP_MISMATCH;
}

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
  if (!run->is_tentative)
    replay_put_aside(replay, run->line, run->transaction->name, index, operation->sql,
                     outcome->reason ? outcome->reason : "not modelled", is_dependent);
  if (!operation->error)
    engine_lose(replay->engine, &footprint, outcome->reason ? outcome->reason : operation->sql);
  return step;
}

static bool sql_is_rollback(const char *sql) {
  while (*sql == ' ' || *sql == '\n' || *sql == '\t') sql++;
  return strncasecmp(sql, "rollback", 8) == 0;
}

/* An error that a database raises for its own sake, whatever the data: it has no effect. */
static void replay_refuse(Run *run, const Operation *operation) {
  const Dialect *dialect = replay_dialect(run->replay);
  if (dialect->name == DIALECT_POSTGRESQL) run->is_dead = true;
  if (!dialect_is_mysql(dialect)) return;
  if (strcmp(operation->error, "1213") != 0 && strcmp(operation->error, "1020") != 0 &&
      strcmp(operation->error, "40001") != 0)
    return;
  engine_rollback(run->replay->engine);
  engine_begin(run->replay->engine, (uint32_t)run->replay->transactions);
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

/* The observed error against a statement that the model executed: some order of evaluation may raise it. */
static MatchAnswer replay_late_error(Run *run, const Operation *operation, const Parameter *parameters,
                                     Outcome *outcome, MatchAnswer answer, Mismatch *mismatch) {
  Replay *replay = run->replay;
  engine_undo_statement(replay->engine);
  if (answer == MATCH_YES) return answer;
  outcome->possible |= engine_possible_errors(replay->engine, operation->sql, operation->sql_length,
                                              parameters, operation->param_count);
  return match_outcome(replay_dialect(replay), engine_doubts(replay->engine), outcome, operation, mismatch);
}

static void run_note_writes(Run *run, const Operation *operation, const Parameter *parameters) {
  Footprint footprint = {0};
  Outcome outcome;
  uint32_t offset;
  engine_prepare(run->replay->engine, operation->sql, operation->sql_length, parameters,
                 operation->param_count, &outcome, &offset, &footprint);
  run->written.writes |= footprint.writes;
  run->written.writes_anything |= footprint.writes_anything;
  for (uint32_t i = 0; i < footprint.tables_written.count; i++)
    ARENA_PUSH(&run->replay->arena, &run->written.tables_written, footprint.tables_written.items[i]);
}

static Step replay_sql(Run *run, uint32_t index, const Operation *operation, Diag *diag) {
  Replay *replay = run->replay;
  const Dialect *dialect = replay_dialect(replay);
  Mismatch mismatch = {0};
  if (run->is_dead && !sql_is_rollback(operation->sql)) {
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
  if (run->is_tentative) run_note_writes(run, operation, parameters);
  if (outcome.kind == OUTCOME_UNMODELLED || outcome.kind == OUTCOME_DOUBT) {
    if (operation->error && dialect->name == DIALECT_POSTGRESQL) run->is_dead = true;
    return replay_lose(run, index, operation, parameters, &outcome, diag);
  }
  MatchAnswer answer = match_outcome(dialect, engine_doubts(replay->engine), &outcome, operation, &mismatch);
  if (operation->error && outcome.kind == OUTCOME_DONE)
    answer = replay_late_error(run, operation, parameters, &outcome, answer, &mismatch);
  if (answer == MATCH_NO)
    return replay_fail(run, index, &outcome, mismatch,
                       !replay->is_gapped || operation_reads_tables(replay, operation, parameters));
  if (answer == MATCH_UNDECIDED && !run->is_tentative)
    replay_put_aside(replay, run->line, run->transaction->name, index, operation->sql,
                     "too many ways to pair the rows with the observed ones", false);
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
  if (operation->kind != OPERATION_READ) run->written.writes = true;
  if (operation->kind == OPERATION_WRITE)
    return objects_write(replay->objects, operation->object, operation->argument.value), STEP_NEXT;
  if (operation->kind == OPERATION_APPEND) {
    if (objects_append(replay->objects, operation->object, operation->argument.value)) return STEP_NEXT;
    if (!run->is_tentative)
      replay_put_aside(replay, run->line, run->transaction->name, index, operation->object,
                       "append to an object that holds a single value", false);
    replay->objects_lost = "an append that is not modelled came before";
    return STEP_NEXT;
  }
  Value value = objects_read(replay->objects, operation->object);
  if (objects_match(replay->objects, value, &operation->argument)) return STEP_NEXT;
  Outcome outcome = object_outcome(replay, value);
  return replay_fail(run, index, &outcome, (Mismatch){.kind = MISMATCH_ROWS}, true);
}

/* ---- Transactions -------------------------------------------------------------------------- */

static Step replay_operations(Run *run, Diag *diag) {
  for (uint32_t i = 0; i < run->transaction->operation_count; i++) {
    const Operation *operation = &run->transaction->operations[i];
    if (operation->meta) continue;
    Step step = operation->kind == OPERATION_SQL ? replay_sql(run, i, operation, diag)
                                                 : replay_object(run, i, operation);
    if (step != STEP_NEXT) return step;
    arena_clear(engine_arena(run->replay->engine));
  }
  if (!run->is_dead) return STEP_NEXT;
  Outcome outcome = {.kind = OUTCOME_ERROR,
                     .errors = ERROR_BIT(ERROR_BLOCK_DEAD),
                     .reason = "an error ended the transaction block: COMMIT rolls it back"};
  return replay_fail(run, run->transaction->operation_count, &outcome, (Mismatch){.kind = MISMATCH_COMMIT},
                     false);
}

static bool replay_committed(Replay *replay, const Line *line, Diag *diag) {
  replay->transactions++;
  if (replay->is_stopped) return true;
  Run run = {.replay = replay, .line = line, .transaction = &line->transaction};
  engine_set_session(replay->engine, line->transaction.session);
  engine_begin(replay->engine, (uint32_t)replay->transactions);
  Step step = replay_operations(&run, diag);
  if (step == STEP_BAD) return false;
  if (step == STEP_NEXT)
    engine_commit(replay->engine);
  else
    replay->is_stopped = true; /* the engine's arena keeps what was expected */
  if (step == STEP_NEXT && replay->verdict == VERDICT_CORRECT) replay->checked++;
  return true;
}

/* Status unknown: it took part or not.  If its own observations cannot be, it did not; otherwise what
 * it may have written is in doubt. */
static bool replay_unknown_status(Replay *replay, const Line *line, Diag *diag) {
  if (replay->is_stopped) return true;
  Run run = {.replay = replay, .line = line, .transaction = &line->transaction, .is_tentative = true};
  engine_set_session(replay->engine, line->transaction.session);
  engine_begin(replay->engine, (uint32_t)replay->transactions + 1);
  Step step = replay_operations(&run, diag);
  engine_rollback(replay->engine);
  arena_clear(engine_arena(replay->engine));
  if (step == STEP_BAD) return false;
  if (step != STEP_NEXT || !run.written.writes) return true;
  const char *why =
      arena_format(&replay->arena, "whether transaction '%s' committed is not known", line->transaction.name);
  if (replay->objects)
    replay->objects_lost = why;
  else
    engine_lose(replay->engine, &run.written, why);
  return true;
}

/* ---- Final lines ----------------------------------------------------------------------------- */

static void replay_state(Replay *replay, const Table *table, const uint32_t *columns, uint32_t width,
                         ResultSet *set) {
  Arena *arena = engine_arena(replay->engine);
  Store *store = engine_store(replay->engine);
  uint32_t keys = store_key_count(store, table);
  Type *types = ARENA_ARRAY(arena, Type, width + 1);
  const char **names = ARENA_ARRAY(arena, const char *, width + 1);
  for (uint32_t i = 0; i < width; i++)
    types[i] = table->columns[columns[i]].type, names[i] = table->columns[columns[i]].name;
  *set = (ResultSet){.column_count = width,
                     .column_types = types,
                     .column_names = names,
                     .rows = ARENA_ARRAY(arena, ResultRow, keys + 1)};
  for (uint32_t i = 0; i < keys; i++) {
    const Version *row = store_read(store, store_key_at(store, table, i), READ_PLAIN);
    if (!row) continue;
    Value *values = arena_alloc(arena, (width + 1) * sizeof *values);
    for (uint32_t column = 0; column < width; column++) values[column] = row->values[columns[column]];
    set->rows[set->row_count++].values = values;
  }
}

static const TableLine *final_copy(Arena *arena, const TableLine *line) {
  TableLine *copy = ARENA_NEW(arena, TableLine);
  *copy = *line;
  copy->table = arena_text(arena, line->table, strlen(line->table));
  copy->columns = ARENA_ARRAY(arena, const char *, line->column_count + 1);
  for (uint32_t i = 0; i < line->column_count; i++)
    copy->columns[i] = arena_text(arena, line->columns[i], strlen(line->columns[i]));
  copy->rows = arena_alloc(arena, (line->row_count + 1) * sizeof *copy->rows);
  for (uint32_t i = 0; i < line->row_count; i++) {
    copy->rows[i] = line->rows[i];
    copy->rows[i].observed = ARENA_ARRAY(arena, Observed, line->rows[i].count + 1);
    for (uint32_t cell = 0; cell < line->rows[i].count; cell++) {
      const Observed *observed = &line->rows[i].observed[cell];
      copy->rows[i].observed[cell] =
          (Observed){value_copy(arena, observed->value),
                     observed->text ? arena_text(arena, observed->text, observed->text_length) : NULL,
                     observed->text_length};
    }
  }
  return copy;
}

static void replay_final_mismatch(Replay *replay, const Line *line, const ResultSet *set, Mismatch mismatch) {
  replay->is_stopped = true;
  if (replay->is_gapped || doubts_assumed(engine_doubts(replay->engine))) {
    replay_set_unknown(
        replay, line, NULL, 0,
        "a write that was not recorded, or a value that was not observed, could explain the final rows");
    return;
  }
  replay->verdict = VERDICT_VIOLATION;
  replay->failure = ARENA_NEW(&replay->arena, Failure);
  *replay->failure = (Failure){.is_final = true,
                               .line = line->number,
                               .table = replay_keep(replay, line->table.table),
                               .observed_final = final_copy(&replay->arena, &line->table),
                               .mismatch = mismatch};
  replay->failure->expected = (Outcome){.kind = OUTCOME_DONE, .affected_also = -1};
  ARENA_PUSH(&replay->arena, &replay->failure->expected.results, *set);
}

static bool replay_final(Replay *replay, const Line *line, Diag *diag) {
  if (replay->is_stopped) return true;
  engine_settle(replay->engine);
  Table *table = replay_table_named(replay, line, "final", diag);
  if (!table) return false;
  Arena *arena = engine_arena(replay->engine);
  uint32_t width = line->table.has_columns ? line->table.column_count : table->column_count;
  uint32_t *columns = arena_alloc(arena, (width + 1) * sizeof *columns);
  for (uint32_t i = 0; i < width; i++) columns[i] = i;
  if (line->table.has_columns && !replay_columns(replay, line, table, columns, diag)) return false;
  const char *lost = engine_lost(replay->engine, table);
  if (lost) {
    replay_put_aside(replay, line, NULL, 0, line->table.table, lost, true);
    return true;
  }
  ObservedRows observed = {line->table.row_count, ARENA_ARRAY(arena, ObservedRow, line->table.row_count + 1)};
  for (uint32_t i = 0; i < observed.count; i++)
    observed.rows[i] = (ObservedRow){line->table.rows[i].count, line->table.rows[i].observed};
  ResultSet set;
  replay_state(replay, table, columns, width, &set);
  Mismatch mismatch = {0};
  MatchAnswer answer =
      match_rows(replay_dialect(replay), engine_doubts(replay->engine), &set, &observed, &mismatch);
  if (answer == MATCH_NO) return replay_final_mismatch(replay, line, &set, mismatch), true;
  if (answer == MATCH_UNDECIDED)
    replay_put_aside(replay, line, NULL, 0, line->table.table,
                     "too many ways to pair the rows with the observed ones", false);
  arena_clear(arena);
  return true;
}

/* ---- Lines ------------------------------------------------------------------------------------- */

bool replay_line(Replay *replay, const Line *line, Diag *diag) {
  switch (line->kind) {
  case LINE_SETUP: return replay_setup(replay, line, diag);
  case LINE_TABLE: return replay_initial_rows(replay, line, diag);
  case LINE_TRANSACTION:
    if (line->transaction.status == STATUS_COMMITTED) return replay_committed(replay, line, diag);
    if (line->transaction.status == STATUS_UNKNOWN) return replay_unknown_status(replay, line, diag);
    return true;
  case LINE_GAP:
    replay->gaps++;
    replay->is_gapped |= line->gap.writes;
    return true;
  case LINE_FINAL: return replay_final(replay, line, diag);
  default: return true;
  }
}

bool replay_finish(Replay *replay, Diag *diag) {
  (void)replay, (void)diag;
  return true;
}

Verdict replay_verdict(const Replay *replay) { return replay->verdict; }
const Failure *replay_failure(const Replay *replay) { return replay->failure; }
uint64_t replay_transactions(const Replay *replay) { return replay->transactions; }
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
