/* certify.c: the replay of a witness. */
#include "semantics/certify.h"

#include "semantics/certify_internal.h"
#include "semantics/initial.h"

#include <stdio.h>

/* ---- Life --------------------------------------------------------------------------------------- */

bool certifier_fail(Certifier *certifier, const char *reason) {
  if (!certifier->reason) certifier->reason = replay_keep(certifier->replay, reason);
  return false;
}

static const WitnessRow *row_named(const Witness *witness, uint32_t number) {
  for (uint32_t i = 0; i < witness->rows.count; i++)
    if (witness->rows.items[i].row == number) return &witness->rows.items[i];
  return NULL;
}

/* The rows of state 0 that the log leaves open, as the witness has them. */
static void rows_settle(Certifier *certifier) {
  InitialRows rows = {0};
  Arena arena;
  arena_init(&arena);
  engine_begin(certifier->replay->engine, 0);
  if (!initial_rows(certifier->replay->engine, &arena, &rows)) {
    certifier_fail(certifier, "a row of the initial state with too many alternatives");
    certifier->is_undecided = true;
  }
  for (uint32_t i = 0; i < rows.count && !certifier->reason; i++) {
    const InitialRow *row = &rows.items[i];
    const WitnessRow *named = row_named(certifier->witness, i);
    uint32_t alternative = named ? initial_row_find(row, named) : row->count;
    if (alternative == row->count)
      certifier_fail(certifier,
                     arena_format(&certifier->replay->arena,
                                  "initial row %u with open cells, of table '%s', %s", i, row->table->name,
                                  named ? "is none that the log allows" : "is missing in the witness"));
    else
      store_put(certifier->store, row->table, row->key, row->rows[alternative], row->key->rowid, 0);
  }
  if (!certifier->reason && !initial_rows_hold(certifier->replay->engine, &arena, &rows))
    certifier_fail(certifier, "a constraint does not hold in the initial state");
  if (!certifier->reason && certifier->witness->rows.count != rows.count)
    certifier_fail(certifier, "the witness names initial rows that the log does not leave open");
  engine_commit(certifier->replay->engine);
  arena_free(&arena);
}

Certifier *certifier_new(const Log *log, Witness *witness, Arena *arena, bool compares_choices, Diag *diag) {
  Certifier *certifier = memory_new(sizeof *certifier);
  certifier->witness = witness;
  certifier->arena = arena;
  certifier->compares_choices = compares_choices;
  certifier->replay = replay_new(&log->header, log->file);
  certifier->store = engine_store(certifier->replay->engine);
  certifier->view = certifier_view(certifier);
  store_keep_history(certifier->store, true);
  for (uint32_t i = 0; i < log->setup.count; i++)
    if (!replay_line(certifier->replay, log->setup.items[i], diag)) {
      certifier_free(certifier);
      return NULL;
    }
  if (certifier->replay->verdict != VERDICT_CORRECT) {
    certifier_fail(certifier,
                   arena_format(&certifier->replay->arena, "set-up: %s", certifier->replay->reason));
    certifier->is_undecided = true;
  }
  rows_settle(certifier);
  return certifier;
}

void certifier_go_on(Certifier *certifier, Witness *witness, Arena *arena) {
  if (certifier->debts.count)
    certifier_fail(certifier, "an error that a later state explains, in a log that is forgotten while it is read");
  engine_forget_past(certifier->replay->engine, NULL, NULL);
  certifier->witness = witness;
  certifier->arena = arena;
  certifier->place = certifier->default_place = 0;
}

void certifier_free(Certifier *certifier) {
  ARRAY_FREE(&certifier->debts);
  replay_free(certifier->replay);
  free(certifier);
}

const char *certifier_reason(const Certifier *certifier) { return certifier->reason; }
bool certifier_is_undecided(const Certifier *certifier) { return certifier->is_undecided; }
Engine *certifier_engine(Certifier *certifier) { return certifier->replay->engine; }

void certifier_ask(Certifier *certifier, uint32_t (*choose)(void *context, const CertifyRead *read),
                   void *context) {
  certifier->choose = choose;
  certifier->choose_context = context;
}

void certifier_on_mismatch(Certifier *certifier,
                           void (*told)(void *context, const Operation *operation, const Outcome *outcome),
                           void *context) {
  certifier->replay->on_mismatch = told;
  certifier->replay->mismatch_context = context;
}

/* ---- Transactions -------------------------------------------------------------------------------------- */

static bool operation_fails(Certifier *certifier, const Run *run, uint32_t index) {
  certifier->is_undecided = run->aside || doubts_assumed(engine_doubts(run->replay->engine));
  return certifier_fail(certifier,
                        arena_format(&run->replay->arena, "statement %u of transaction '%s' %s", index + 1,
                                     run->transaction->name,
                                     run->aside ? run->aside : "gives something else than was observed"));
}

static bool operations_certify(Certifier *certifier, Run *run, Diag *diag) {
  const Transaction *transaction = run->transaction;
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    const Operation *operation = &transaction->operations[i];
    if (operation->meta) {
      engine_forget_variables(run->replay->engine);
      continue;
    }
    certifier->operation = i;
    certifier->step = 0;
    certifier->explains_error = operation_fails_by_key(replay_dialect(run->replay), operation);
    certifier->is_undone = certifier->rules->is_vendor_model && operation_is_undone(transaction, i);
    run->aside = NULL;
    uint32_t later = run->is_dead ? 0 : error_later_state(certifier, i);
    if (later) {
      if (!error_owe(certifier, run, i, later)) return false;
      continue;
    }
    Step step = replay_operation(run, i, operation, diag);
    if (step == STEP_BAD || certifier->reason) return false; /* Z2 */
    if (step != STEP_NEXT || run->aside) return operation_fails(certifier, run, i);
    arena_clear(engine_arena(run->replay->engine));
  }
  return line_is_reader(run->line) || replay_commit_check(run) == STEP_NEXT ||
         certifier_fail(certifier,
                        arena_format(&run->replay->arena, "transaction '%s' could not have committed",
                                     transaction->name));
}

/* The transaction that took part, on the engine. */
static bool transaction_certify(Certifier *certifier, const Line *line, Diag *diag) {
  Engine *engine = certifier->replay->engine;
  Run run = {.replay = certifier->replay,
             .line = line,
             .transaction = &line->transaction,
             .is_tentative = true,
             .is_trial = true};
  WitnessChoices taken = {0};
  certifier->replay->transactions = certifier->place;
  certifier->floor = 0;
  certifier->is_reader = line_is_reader(line);
  replay_note_choices(certifier->replay, certifier->arena, &taken);
  engine_set_session(engine, line->transaction.session);
  engine_begin(engine, certifier->place);
  run.begin = store_mark(certifier->store);
  store_set_view(certifier->store, &certifier->view);
  bool holds = reads_are_sound(certifier, &line->transaction) && operations_certify(certifier, &run, diag) &&
               state_holds(certifier);
  store_set_view(certifier->store, NULL);
  replay_note_choices(certifier->replay, NULL, NULL);
  if (!holds) return false;
  char owner[160];
  snprintf(owner, sizeof owner, "transaction '%.100s'", line->transaction.name);
  if (!choices_hold(certifier, &certifier->transaction->choices, &taken, owner)) return false;
  if (!certifier->compares_choices) certifier->transaction->choices = taken;
  if (line_is_reader(line)) { /* nobody sees what it wrote */
    engine_rollback(engine);
    engine_forget_session(engine, line->transaction.session);
  } else {
    engine_commit(engine);
  }
  return true;
}

bool certifier_push(Certifier *certifier, const Line *line, const CertifyRules *rules, Diag *diag) {
  if (certifier->reason) return false;
  if (line->kind == LINE_GAP || line->transaction.status == STATUS_ABORTED)
    return replay_line(certifier->replay, line, diag);
  if (certifier->place >= certifier->witness->transactions.count)
    return certifier_fail(certifier, "the witness has too few transactions");
  certifier->transaction = &certifier->witness->transactions.items[certifier->place++];
  certifier->rules = rules;
  if (certifier->transaction->takes_part)
    return transaction_certify(certifier, line, diag) && errors_pay(certifier, diag);
  engine_forget_session(certifier->replay->engine, line->transaction.session);
  return line->transaction.status == STATUS_UNKNOWN ||
         certifier_fail(certifier, arena_format(&certifier->replay->arena,
                                                "transaction '%s' %s, but the witness leaves it out",
                                                line->transaction.name,
                                                line_is_reader(line) ? "was aborted" : "committed"));
}

static const WitnessFinal *final_named(const Witness *witness, const char *table) {
  static const WitnessFinal none;
  for (uint32_t i = 0; i < witness->finals.count; i++)
    if (strcmp(witness->finals.items[i].table, table) == 0) return &witness->finals.items[i];
  return &none;
}

bool certifier_push_final(Certifier *certifier, const Line *line, Diag *diag) {
  if (certifier->reason) return false;
  Replay *replay = certifier->replay;
  uint64_t aside = replay->set_aside_count;
  WitnessFinal final = {.table = line->table.table};
  replay_note_choices(replay, certifier->arena, &final.choices);
  bool done = replay_final(replay, line, diag);
  replay_note_choices(replay, NULL, NULL);
  if (!done) return false;
  char owner[160];
  snprintf(owner, sizeof owner, "the final line of table '%.100s'", line->table.table);
  if (replay->verdict == VERDICT_CORRECT && replay->set_aside_count == aside) {
    if (!certifier->compares_choices) ARENA_PUSH(certifier->arena, &certifier->witness->finals, final);
    return choices_hold(certifier, &final_named(certifier->witness, line->table.table)->choices,
                        &final.choices, owner);
  }
  certifier->is_undecided = replay->verdict != VERDICT_VIOLATION;
  return certifier_fail(certifier,
                        arena_format(&replay->arena, "%s has other rows than the last state", owner));
}
