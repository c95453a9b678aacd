/* engine.c: the engine's life, and one statement from text to outcome. */
#include "semantics/engine_internal.h"

#include "semantics/constants.h"

#include "semantics/effect.h"
#include "semantics/footprint.h"
#include "semantics/procedure.h"

/* ---- Life ------------------------------------------------------------------------ */

Engine *engine_new(Dialect dialect) {
  Engine *engine = memory_new(sizeof *engine);
  schema_init(&engine->schema, dialect);
  engine->store = store_new(&engine->schema);
  doubts_init(&engine->doubts);
  plan_cache_init(&engine->plans);
  map_init(&engine->sessions);
  map_init(&engine->foreign_functions);
  map_init(&engine->partial_indexes);
  engine_set_session(engine, NULL);
  return engine;
}

void engine_free(Engine *engine) {
  if (!engine) return;
  for (uint32_t i = 0; i < engine->sessions.room; i++)
    if (engine->sessions.slots[i].value) session_free(engine->sessions.slots[i].value);
  map_free(&engine->sessions);
  map_free(&engine->foreign_functions);
  map_free(&engine->partial_indexes);
  procedure_codes_free(engine);
  plan_cache_free(&engine->plans);
  ARRAY_FREE(&engine->tables);
  ARRAY_FREE(&engine->savepoints);
  ARRAY_FREE(&engine->cells);
  free(engine->cell_buckets);
  ARRAY_FREE(&engine->clocks);
  ARRAY_FREE(&engine->deferred);
  arena_free(&engine->results);
  arena_free(&engine->scratch);
  arena_free(&engine->preparation);
  arena_free(&engine->transaction);
  arena_free(&engine->memory);
  doubts_free(&engine->doubts);
  store_free(engine->store);
  schema_free(&engine->schema);
  free(engine);
}

Schema *engine_schema(Engine *engine) { return &engine->schema; }
Store *engine_store(Engine *engine) { return engine->store; }
Doubts *engine_doubts(Engine *engine) { return &engine->doubts; }
Arena *engine_arena(Engine *engine) { return &engine->results; }
void engine_set_blockwise(Engine *engine, const BlockWiseRunner *runner) { engine->blockwise = runner; }
void engine_set_rowwise(Engine *engine, const RowWiseRunner *runner) { engine->rowwise = runner; }
void engine_forget_count(Engine *engine) { engine->session->row_count_known = false; }
EngineStats engine_stats(const Engine *engine) { return engine->stats; }

TableState *engine_table(Engine *engine, const Table *table) {
  while (engine->tables.count <= table->id) ARRAY_PUSH(&engine->tables, (TableState){.next_key = 1});
  return &engine->tables.items[table->id];
}

Eval engine_eval(Engine *engine, Arena *arena, const Value *inputs) {
  return (Eval){.dialect = &engine->schema.dialect,
                .schema = &engine->schema,
                .store = engine->store,
                .doubts = &engine->doubts,
                .arena = arena,
                .inputs = inputs,
                .engine = engine};
}

/* ---- One statement ------------------------------------------------------------------- */

/* What a statement that must be run again, or that failed, leaves as it was. */
typedef struct Checkpoint {
  UndoMark mark;
  uint32_t doubts, bindings, clocks, savepoints;
  Value last_key;
  Type last_key_type;
  bool has_last_key;
} Checkpoint;

static Checkpoint checkpoint_take(const Engine *engine) {
  return (Checkpoint){.mark = store_mark(engine->store),
                      .doubts = engine->doubts.doubts.count,
                      .bindings = engine->doubts.bindings.count,
                      .clocks = engine->clocks.count,
                      .savepoints = engine->savepoints.count,
                      .last_key = engine->session->last_key,
                      .last_key_type = engine->session->last_key_type,
                      .has_last_key = engine->session->has_last_key};
}

static void checkpoint_restore(Engine *engine, const Checkpoint *checkpoint) {
  store_undo(engine->store, checkpoint->mark);
  engine->clocks.count = checkpoint->clocks;
  engine->session->last_key = checkpoint->last_key;
  engine->session->last_key_type = checkpoint->last_key_type;
  engine->session->has_last_key = checkpoint->has_last_key;
  if (engine->doubts.bindings.count == checkpoint->bindings) engine->doubts.doubts.count = checkpoint->doubts;
}

static Outcome outcome_unmodelled(const char *reason) {
  return (Outcome){.kind = OUTCOME_UNMODELLED, .affected_also = -1, .reason = reason};
}

static Outcome outcome_refused(const Engine *engine, const Plan *plan) {
  Outcome outcome = outcome_unmodelled(plan->message);
  if (plan->answer == PREPARE_ERROR && !engine->schema_doubt) {
    outcome.kind = OUTCOME_ERROR;
    outcome.errors = ERROR_BIT(plan->error);
  } else if (plan->answer == PREPARE_ERROR) {
    outcome.kind = OUTCOME_DOUBT;
    outcome.reason = engine->schema_doubt;
  }
  return outcome;
}

static Outcome outcome_empty(const Engine *engine) {
  Outcome outcome = {.kind = OUTCOME_DONE, .affected_also = -1};
  if (!dialect_is_mysql(&engine->schema.dialect)) return outcome;
  outcome.kind = OUTCOME_ERROR;
  outcome.errors = ERROR_BIT(ERROR_OTHER) | ERROR_BIT(ERROR_SYNTAX);
  outcome.reason = "the statement is empty";
  return outcome;
}

static void outcome_finish(const Effect *effect, bool is_done, Outcome *outcome) {
  const Eval *eval = effect->eval;
  if (is_done) {
    outcome->possible |= eval->possible;
    return;
  }
  ResultSets none = {0};
  outcome->results = none;
  outcome->has_affected = false;
  if (eval->abort == ABORT_UNMODELLED || eval->abort == ABORT_DOUBT) {
    outcome->kind = eval->abort == ABORT_DOUBT ? OUTCOME_DOUBT : OUTCOME_UNMODELLED;
    outcome->reason = eval->reason ? eval->reason : "a value that is not known was needed";
    return;
  }
  outcome->kind = OUTCOME_ERROR;
  /* What another order of the rows would have raised first is as good an answer. */
  outcome->errors = effect->errors | outcome->possible | eval->possible;
  outcome->possible = 0;
  if (eval->abort == ABORT_ERROR) outcome->errors |= ERROR_BIT(eval->error);
  if (!outcome->reason) outcome->reason = eval->reason;
}

static void session_count(Engine *engine, const Statement *statement, const Outcome *outcome) {
  Session *session = engine->session;
  bool is_write = statement->kind >= STATEMENT_INSERT && statement->kind <= STATEMENT_DELETE;
  bool is_mysql = dialect_is_mysql(&engine->schema.dialect);
  if (!is_write && !is_mysql) return;
  if (statement->kind == STATEMENT_CALL) {
    session->row_count_known = false;
    return;
  }
  session->row_count_known = outcome->kind == OUTCOME_DONE || outcome->kind == OUTCOME_ERROR;
  if (outcome->kind == OUTCOME_ERROR)
    session->row_count = is_mysql ? -1 : 0;
  else if (outcome->has_affected)
    session->row_count = outcome->affected;
  else
    session->row_count = outcome->results.count ? -1 : 0;
}

/* One attempt; *again: a generated key was needed before it was observed. */
static Outcome plan_attempt(Engine *engine, Plan *plan, const Value *inputs, bool is_eager, bool *again) {
  Outcome outcome = {.kind = OUTCOME_DONE, .affected_also = -1};
  Eval eval = engine_eval(engine, &engine->results, inputs);
  Effect effect = {.engine = engine,
                   .eval = &eval,
                   .outcome = &outcome,
                   .results = &engine->results,
                   .text = plan->text,
                   .input_count = plan->tokens.inputs.count};
  eval.eager = is_eager;
  eval.plan_arena = &plan->arena;
  Checkpoint checkpoint = checkpoint_take(engine);
  if (is_eager) constants_probe(&eval, plan->statement);
  eval.abort = ABORT_NONE; /* a constant that is not modelled may never be needed */
  bool is_done = effect_run(&effect, plan->statement) && !effect.errors && !eval.abort;
  outcome_finish(&effect, is_done, &outcome);
  bool keeps_effects = outcome.kind == OUTCOME_ERROR && plan->statement->kind == STATEMENT_CALL &&
                       !dialect_undoes_calls(&engine->schema.dialect);
  if (!is_done && !keeps_effects) checkpoint_restore(engine, &checkpoint);
  /* SQLite does not take back what an INSERT that failed halfway made last_insert_rowid() say. */
  if (!is_done && plan->statement->kind == STATEMENT_INSERT && dialect_is_sqlite(&engine->schema.dialect))
    engine->session->has_last_key = false;
  *again = eval.abort == ABORT_DOUBT && !is_done;
  return outcome;
}

bool dialect_undoes_calls(const Dialect *dialect) { return !dialect_is_mysql(dialect); }

/* The first attempt advanced the counters; the second is to make the same guesses. */
static int64_t *counters_keep(Engine *engine, const Statement *statement) {
  int64_t *kept = arena_alloc(&engine->scratch, (statement->tables_written.count + 1) * sizeof *kept);
  for (uint32_t i = 0; i < statement->tables_written.count; i++)
    kept[i] = engine_table(engine, statement->tables_written.items[i])->next_key;
  return kept;
}

static Outcome plan_run(Engine *engine, Plan *plan, const Value *inputs, bool is_eager) {
  if (plan->is_empty) return outcome_empty(engine);
  if (plan->answer != PREPARE_OK) return outcome_refused(engine, plan);
  if (!dialect_is_postgres(&engine->schema.dialect)) engine->clocks.count = 0;
  const int64_t *counters = counters_keep(engine, plan->statement);
  bool again;
  Outcome outcome = plan_attempt(engine, plan, inputs, is_eager, &again);
  if (again && plan->statement->kind == STATEMENT_SELECT) { /* rather the observation tells than a guess */
    engine->doubts.opens_order = true;
    Outcome open = plan_attempt(engine, plan, inputs, is_eager, &again);
    engine->doubts.opens_order = false;
    if (!again) return open;
  }
  if (!again || !doubts_assume(&engine->doubts)) return outcome;
  engine_settle(engine);
  for (uint32_t i = 0; i < plan->statement->tables_written.count; i++)
    engine_table(engine, plan->statement->tables_written.items[i])->next_key = counters[i];
  engine->is_salvageable = false;
  return plan_attempt(engine, plan, inputs, is_eager, &again);
}

static void statement_begin(Engine *engine) {
  plan_cache_sweep(&engine->plans);
  arena_clear(&engine->scratch);
  engine_settle(engine);
  engine->last_plan = NULL;
  engine->is_salvageable = false;
  engine->last_call_had_effects = false;
  engine->call_steps = 0;
  engine->statement_mark = store_mark(engine->store);
  engine->statement_savepoints = engine->savepoints.count;
  engine->statement_doubts = engine->doubts.doubts.count;
}

/* A CALL that went wrong somewhere: which of its statements had their effect is not known. */
static void call_lose(Engine *engine, const Plan *plan, const char *why) {
  Footprint footprint = {0};
  if (plan->answer == PREPARE_OK)
    footprint_of(engine, plan, &footprint);
  else
    footprint_guess(engine, plan->text, plan->length, &footprint);
  engine->last_plan = NULL;
  engine_lose(engine, &footprint, why);
}

Outcome engine_execute(Engine *engine, const char *sql, size_t length, const Parameter *parameters,
                       uint32_t parameter_count) {
  engine->stats.statements++;
  statement_begin(engine);
  const Value *inputs;
  const char *missing = NULL;
  Plan *plan =
      engine_plan(engine, &engine->scratch, sql, length, parameters, parameter_count, &inputs, &missing);
  if (!plan) return outcome_unmodelled(missing);
  Outcome outcome = plan_run(engine, plan, inputs, false);
  if (plan->statement && plan->answer == PREPARE_OK) session_count(engine, plan->statement, &outcome);
  engine->last_plan = plan;
  engine->last_inputs = inputs;
  bool is_aside = outcome.kind == OUTCOME_UNMODELLED || outcome.kind == OUTCOME_DOUBT;
  if (is_aside && plan->statement && plan->statement->kind == STATEMENT_CALL &&
      !dialect_undoes_calls(&engine->schema.dialect))
    call_lose(engine, plan, outcome.reason ? outcome.reason : "a CALL that is not modelled");
  return outcome;
}

ErrorSet engine_possible_errors(Engine *engine, const char *sql, size_t length, const Parameter *parameters,
                                uint32_t parameter_count) {
  statement_begin(engine);
  const Value *inputs;
  const char *missing = NULL;
  Plan *plan =
      engine_plan(engine, &engine->scratch, sql, length, parameters, parameter_count, &inputs, &missing);
  if (!plan || plan->is_empty || plan->answer != PREPARE_OK) return 0;
  ArenaMark results = arena_mark(&engine->results);
  Checkpoint checkpoint = checkpoint_take(engine);
  Outcome outcome = plan_run(engine, plan, inputs, true);
  checkpoint_restore(engine, &checkpoint);
  engine->savepoints.count = checkpoint.savepoints;
  arena_reset(&engine->results, results);
  if (outcome.kind == OUTCOME_DONE) return outcome.possible;
  return outcome.kind == OUTCOME_ERROR ? outcome.errors : ERROR_BIT(ERROR_NONE);
}

bool engine_moved_savepoints(const Engine *engine) {
  const Plan *plan = engine->last_plan;
  if (!plan || !plan->statement) return false;
  StatementKind kind = plan->statement->kind;
  return kind == STATEMENT_SAVEPOINT || kind == STATEMENT_ROLLBACK_TO || kind == STATEMENT_RELEASE;
}

void engine_undo_statement(Engine *engine) {
  const Plan *plan = engine->last_plan;
  store_undo(engine->store, engine->statement_mark);
  bool is_query = plan && plan->statement && plan->statement->kind == STATEMENT_SELECT;
  if (dialect_is_mysql(&engine->schema.dialect))
    engine->session->row_count = -1;
  else if (!is_query)
    engine->session->row_count = 0;
  engine->settled = 0; /* what was settled inside the statement is to be settled again */
  bool is_release =
      plan && plan->statement && plan->statement->kind == STATEMENT_RELEASE; /* they are still there */
  if (engine->savepoints.count > engine->statement_savepoints || is_release)
    engine->savepoints.count = engine->statement_savepoints;
  if (!engine->last_call_had_effects || !plan || dialect_undoes_calls(&engine->schema.dialect)) return;
  call_lose(engine, plan, "a CALL failed at a place that is not known");
}
