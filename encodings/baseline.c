/* baseline.c: the formula, transaction by transaction: one check for each prefix, only new constraints sent. */
#include "encodings/baseline_internal.h"

#include "src/base/clock.h"

#include <stdarg.h>
#include <stdio.h>

/* In Z3's units, for each check: about a minute.  Arrays make Z3 search long before it gives up. */
enum { RESOURCES = 60000000 };

/* ---- Life -------------------------------------------------------------------------------------------------- */

bool baseline_refuse(Baseline *baseline, const char *format, ...) {
  if (baseline->reason) return false;
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  baseline->reason = arena_format(&baseline->memory, "encoding %s does not have %s",
                                  baseline->kind == BASELINE_FLAT ? "flat" : "bmc", text);
  return false;
}

void baseline_require(Baseline *baseline, Term term) {
  baseline->has_model = false;
  if (term != TERM_TRUE) solver_assert(baseline->solver, term);
}

static bool log_has_objects(const Log *log) {
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    for (uint32_t k = 0; line->kind == LINE_TRANSACTION && k < line->transaction.operation_count; k++)
      if (line->transaction.operations[k].kind != OPERATION_SQL) return true;
  }
  return false;
}

static bool baseline_setup(Baseline *baseline, Diag *diag) {
  const Log *log = baseline->log;
  for (uint32_t i = 0; i < log->setup.count; i++)
    if (!replay_line(baseline->replay, log->setup.items[i], diag)) return false;
  if (baseline->replay->verdict == VERDICT_UNKNOWN) baseline_refuse(baseline, "the set-up's %s", baseline->replay->reason);
  if (engine_doubts(baseline->replay->engine)->doubts.count) baseline_refuse(baseline, "initial values in doubt");
  if (log_has_objects(log)) baseline->replay->objects = objects_new(baseline->replay->engine);
  state_initial(baseline);
  for (uint32_t i = 0; i < baseline->tables.count; i++)
    if (strcmp(baseline->tables.items[i].table->name, "key-value objects") == 0) baseline->objects = (int32_t)i;
  return true;
}

Baseline *baseline_new(const Log *log, BaselineKind kind, const CheckerOptions *options, Diag *diag) {
  Baseline *baseline = memory_new(sizeof *baseline);
  baseline->log = log;
  baseline->kind = kind;
  baseline->options = *options;
  baseline->replay = replay_new(&log->header, log->file);
  baseline->terms = terms_new();
  SolverOptions solver = {.dump_folder = options->dump, .rlimit = RESOURCES};
  baseline->solver = solver_new(baseline->terms, &solver);
  double left = options->deadline - clock_seconds();
  if (options->deadline > 0) solver_set_deadline(baseline->solver, left > 0.001 ? left : 0.001);
  arena_init(&baseline->memory);
  map_init(&baseline->sessions);
  baseline->objects = -1;
  baseline->path = TERM_TRUE;
  ARRAY_PUSH(&baseline->places, (BaselinePlace){.takes_part = TERM_TRUE});
  if (baseline_setup(baseline, diag)) return baseline;
  baseline_free(baseline);
  return NULL;
}

void baseline_free(Baseline *baseline) {
  if (!baseline) return;
  solver_free(baseline->solver);
  terms_free(baseline->terms);
  replay_free(baseline->replay);
  for (uint32_t i = 0; i < baseline->tables.count; i++) ARRAY_FREE(&baseline->tables.items[i].slots);
  ARRAY_FREE(&baseline->tables);
  ARRAY_FREE(&baseline->states);
  ARRAY_FREE(&baseline->places);
  ARRAY_FREE(&baseline->texts);
  map_free(&baseline->sessions);
  arena_free(&baseline->memory);
  free(baseline);
}

const char *baseline_reason(const Baseline *baseline, uint32_t *operation) {
  *operation = baseline->operation;
  return baseline->reason;
}

CheckerStats baseline_stats(const Baseline *baseline) {
  return (CheckerStats){.choices = baseline->choices,
                        .terms = terms_count(baseline->terms),
                        .solver = solver_stats(baseline->solver)};
}

/* ---- Operations ---------------------------------------------------------------------------------------------- */

/* A key-value read or write: objects start as NULL. */
static bool object_run(Baseline *baseline, const Operation *operation) {
  Terms *terms = baseline->terms;
  Value key = value_string(operation->object);
  if (operation->kind == OPERATION_APPEND) return baseline_refuse(baseline, "append");
  uint8_t kind = operation->argument.value.kind;
  if (kind != VALUE_INT && kind != VALUE_NULL) return baseline_refuse(baseline, "objects that are no integers");
  uint32_t table = (uint32_t)baseline->objects, slot = slot_of_key(baseline, table, &key);
  Symbol value = symbol_constant(baseline, operation->argument.value);
  if (baseline->reason) return false;
  value.kind = SYMBOL_NUMBER;
  step_begin(baseline, true);
  if (operation->kind == OPERATION_WRITE) {
    SymbolRow row = {TERM_TRUE, ARENA_ARRAY(&baseline->memory, Symbol, 2)};
    row.cells[0] = (Symbol){.value = term_int(terms, slot), .is_null = TERM_FALSE, .kind = SYMBOL_TEXT};
    row.cells[1] = value;
    slot_write(baseline, table, slot, baseline->path, row);
    return true;
  }
  SymbolRow row = view_row(baseline, table, slot);
  Symbol seen = row.cells[1];
  seen.kind = SYMBOL_NUMBER;
  seen.is_null = term_or(terms, seen.is_null, term_not(terms, row.is_present));
  baseline_require(baseline, term_implies(terms, baseline->path, symbol_same(baseline, seen, value)));
  return !baseline->reason;
}

static bool result_match(Baseline *baseline, const Operation *operation, const StatementResult *result) {
  Terms *terms = baseline->terms;
  if (operation->has_rows && !operation->has_results && operation->result_count == 1) {
    const ObservedRows *observed = &operation->results[0];
    if (!result->has_rows && observed->count) baseline_require(baseline, term_not(terms, baseline->path));
    if (result->has_rows && !match_observed(baseline, &result->rows, result->columns, observed, baseline->path))
      return false;
    if (result->has_rows && result->select && !match_order(baseline, result->select, observed)) return false;
  }
  if (operation->has_affected && result->has_affected) {
    bool fits = operation->affected >= 0 && operation->affected <= (int64_t)result->affected.count;
    Term counts = fits ? term_count_is(terms, result->affected.items, result->affected.count,
                                       (uint32_t)operation->affected)
                       : TERM_FALSE;
    baseline_require(baseline, term_implies(terms, baseline->path, counts));
  }
  return true;
}

static bool sql_run(Baseline *baseline, const Operation *operation) {
  Engine *engine = baseline->replay->engine;
  Parameter *parameters = ARENA_ARRAY(&baseline->memory, Parameter, operation->param_count + 1);
  for (uint32_t i = 0; i < operation->param_count; i++)
    parameters[i] = (Parameter){operation->params[i].name, operation->params[i].name_length,
                                operation->params[i].value.value};
  const char *missing = NULL;
  const Plan *plan = engine_plan(engine, &baseline->memory, operation->sql, operation->sql_length, parameters,
                                 operation->param_count, &baseline->inputs, &missing);
  if (!plan || plan->answer != PREPARE_OK) return baseline_refuse(baseline, "a statement that cannot be prepared");
  if (plan->is_empty || plan->statement->kind == STATEMENT_SESSION) return true;
  StatementResult result = {0};
  return statement_symbolic(baseline, plan->statement, &result) && result_match(baseline, operation, &result);
}

/* ---- Transactions --------------------------------------------------------------------------------------------- */

static PushAnswer baseline_solve(Baseline *baseline) {
  Answer answer = solver_check(baseline->solver, NULL, 0);
  baseline->has_model = answer == ANSWER_SAT;
  if (answer == ANSWER_SAT) return PUSH_EXPLAINED;
  if (answer == ANSWER_UNSAT) return PUSH_REFUTED;
  const char *why = solver_reason(baseline->solver);
  baseline->reason = arena_format(&baseline->memory, "the solver gave up: %s", why ? why : "no reason");
  return PUSH_UNKNOWN;
}

static void place_make(Baseline *baseline, const Line *line, TransactionLevel level) {
  const Transaction *transaction = &line->transaction;
  BaselinePlace place = {.line = line,
                         .level = level,
                         .takes_part = TERM_TRUE,
                         .start = times_start(transaction),
                         .commit = times_commit(transaction)};
  if (transaction->status == STATUS_UNKNOWN) place.takes_part = term_variable(baseline->terms, NULL);
  if (transaction->session) {
    place.predecessor = (uint32_t)(uintptr_t)map_find(&baseline->sessions, transaction->session);
    map_put_copy(&baseline->sessions, transaction->session, strlen(transaction->session),
                 (void *)(uintptr_t)baseline->places.count);
  }
  baseline->place = baseline->places.count;
  baseline->operation = 0;
  baseline->path = place.takes_part;
  ARRAY_PUSH(&baseline->places, place);
  for (uint32_t i = 0; i < baseline->tables.count; i++)
    for (uint32_t k = 0; k < baseline->tables.items[i].slots.count; k++)
      baseline->tables.items[i].slots.items[k].is_written = TERM_FALSE;
}

static bool operations_run(Baseline *baseline, const Transaction *transaction) {
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    const Operation *operation = &transaction->operations[i];
    baseline->operation = i;
    if (operation->meta) continue;
    if (operation->error) return baseline_refuse(baseline, "errors");
    if (!(operation->kind == OPERATION_SQL ? sql_run : object_run)(baseline, operation)) return false;
  }
  return true;
}

PushAnswer baseline_push(Baseline *baseline, const Line *line, TransactionLevel level) {
  if (line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_ABORTED) return PUSH_EXPLAINED;
  if (line->kind != LINE_TRANSACTION) baseline_refuse(baseline, "gaps");
  if (baseline->reason) return PUSH_UNKNOWN;
  place_make(baseline, line, level);
  if (!level_begin(baseline) || !operations_run(baseline, &line->transaction)) return PUSH_UNKNOWN;
  level_require(baseline);
  state_follow(baseline, baseline->places.items[baseline->place].takes_part);
  require_unique(baseline);
  return baseline->reason ? PUSH_UNKNOWN : baseline_solve(baseline);
}

/* ---- Final lines -------------------------------------------------------------------------------------------- */

/* The columns that the line shows, of every row of the last state. */
static bool final_rows(Baseline *baseline, uint32_t number, const TableLine *line, SymbolRows *rows) {
  const Table *table = baseline->tables.items[number].table;
  uint32_t last = baseline->states.count - 1, count = line->has_columns ? line->column_count : table->column_count;
  StateChoice current = {.first = last, .last = last};
  for (uint32_t slot = 0; slot < baseline->tables.items[number].slots.count; slot++) {
    SymbolRow whole = state_row(baseline, current, number, slot);
    SymbolRow row = {whole.is_present, ARENA_ARRAY(&baseline->memory, Symbol, count + 1)};
    for (uint32_t i = 0; i < count; i++) {
      int32_t column = line->has_columns ? table_column(table, line->columns[i]) : (int32_t)i;
      if (column < 0) return baseline_refuse(baseline, "a column of this name");
      row.cells[i] = whole.cells[column];
    }
    ARENA_PUSH(&baseline->memory, rows, row);
  }
  return true;
}

PushAnswer baseline_push_final(Baseline *baseline, const Line *line) {
  const Schema *schema = engine_schema(baseline->replay->engine);
  const Table *table = schema_table_spelled(schema, &baseline->memory, line->table.table);
  int32_t number = table ? baseline_table(baseline, table) : -1;
  if (number < 0) baseline_refuse(baseline, "a final line of this table");
  if (baseline->reason) return PUSH_UNKNOWN;
  baseline->operation = 0;
  SymbolRows rows = {0};
  ObservedRows observed = {.count = line->table.row_count,
                           .rows = ARENA_ARRAY(&baseline->memory, ObservedRow, line->table.row_count + 1)};
  for (uint32_t i = 0; i < observed.count; i++)
    observed.rows[i] = (ObservedRow){line->table.rows[i].count, line->table.rows[i].observed};
  uint32_t columns = line->table.has_columns ? line->table.column_count : table->column_count;
  if (!final_rows(baseline, (uint32_t)number, &line->table, &rows)) return PUSH_UNKNOWN;
  if (!match_observed(baseline, &rows, columns, &observed, TERM_TRUE)) return PUSH_UNKNOWN;
  return baseline_solve(baseline);
}

/* ---- The witness ---------------------------------------------------------------------------------------------- */

static uint32_t choice_state_in_model(Baseline *baseline, StateChoice choice) {
  return choice.first == choice.last ? choice.first : (uint32_t)solver_model_int(baseline->solver, choice.id);
}

static void step_witness(Baseline *baseline, const BaselineStep *step, uint32_t number, ReadRule rule, Arena *arena,
                         WitnessTransaction *transaction) {
  WitnessRead read = {.role = WITNESS_STEP, .operation = step->operation, .step = number};
  if (rule == RULE_STEP) {
    read.state = choice_state_in_model(baseline, step->choice);
    ARENA_PUSH(arena, &transaction->reads, read);
  }
  for (uint32_t i = 0; i < step->keys.count; i++) {
    const KeyChoice *key = &step->keys.items[i];
    const BaselineTable *of = &baseline->tables.items[key->table];
    const Slot *slot = &of->slots.items[key->slot];
    read.role = WITNESS_KEY;
    read.table = arena_text(arena, of->table->name, strlen(of->table->name));
    read.rowid = slot->rowid;
    read.state = choice_state_in_model(baseline, key->choice);
    if (slot->key) {
      read.key_count = of->table->indexes.items[of->table->primary]->column_count;
      Observed *values = ARENA_ARRAY(arena, Observed, read.key_count);
      for (uint32_t k = 0; k < read.key_count; k++) values[k].value = value_copy(arena, slot->key[k]);
      read.key = values;
    }
    ARENA_PUSH(arena, &transaction->reads, read);
  }
}

static WitnessTransaction place_witness(Baseline *baseline, const BaselinePlace *place, Arena *arena) {
  const Transaction *transaction = &place->line->transaction;
  ReadRule rule = levels[place->level.level].rules[READ_PLAIN];
  WitnessTransaction made = {.name = arena_text(arena, transaction->name, strlen(transaction->name)),
                             .name_is_integer = transaction->name_is_integer};
  made.takes_part = place->takes_part == TERM_TRUE || solver_model(baseline->solver, place->takes_part);
  if (rule == RULE_TRANSACTION) {
    WitnessRead read = {.role = WITNESS_TRANSACTION, .state = choice_state_in_model(baseline, place->choice)};
    ARENA_PUSH(arena, &made.reads, read);
  }
  uint32_t operation = UINT32_MAX, number = 0;
  for (uint32_t i = 0; i < place->steps.count; i++) {
    const BaselineStep *step = place->steps.items[i];
    if (step->operation != operation) number = 0;
    operation = step->operation;
    bool is_executed = step->guard == TERM_TRUE || solver_model(baseline->solver, step->guard);
    if (!is_executed) continue;
    number += !step->is_object;
    step_witness(baseline, step, number, rule, arena, &made);
  }
  return made;
}

Witness *baseline_witness(Baseline *baseline, Arena *arena) {
  if (!baseline->has_model && baseline_solve(baseline) != PUSH_EXPLAINED) return NULL;
  Witness *witness = ARENA_NEW(arena, Witness);
  for (uint32_t i = 1; i < baseline->places.count; i++)
    ARENA_PUSH(arena, &witness->transactions, place_witness(baseline, &baseline->places.items[i], arena));
  return witness;
}
