/* certify_error.c: errors that a later state explains.
 *
 * In a searched order a serializable database may have refused a key or a reference because of a state behind
 * the transaction's own.  The statement is passed over where it stands and kept as a debt; the state that
 * the witness names pays it: there the statement, run alone, fails as observed.
 *
 * Y1  A state explains the error with the transaction's own writes laid over.  What an insert would meet of
 * these it has met already where it stands; so they are hidden instead, and where they are not, it only fails
 * more often.  Of statements that read what they change, and of references, that is not so: there nothing may
 * have been written before. */
#include "semantics/certify_internal.h"

#include "semantics/constraint.h"
#include "semantics/engine_internal.h"
#include "semantics/initial.h"

#include <strings.h>

static const WitnessTransaction NOTHING_SAID = {.takes_part = true};

/* ---- Which errors --------------------------------------------------------------------------------- */

static bool text_has(const char *sql, const char *word) {
  size_t length = strlen(word);
  for (const char *at = sql; *at; at++)
    if (strncasecmp(at, word, length) == 0) return true;
  return false;
}

static bool is_plain_insert(const char *sql) {
  return text_takes(&sql, "insert") && !text_has(sql, "select") && !text_has(sql, "conflict") &&
         !text_has(sql, "duplicate");
}

/* What reads nothing but the rows that it changes, and the keys. */
static bool is_alone(const char *sql) {
  const char *first = sql;
  bool changes = text_takes(&first, "update") || text_takes(&first, "delete");
  return !strchr(sql, '@') && (is_plain_insert(sql) || (changes && !text_has(sql, "select")));
}

/* Does the operation write nothing? */
static bool is_silent(const char *sql) {
  return text_takes(&sql, "select") || text_takes(&sql, "savepoint") || text_takes(&sql, "release") ||
         text_takes(&sql, "rollback");
}

static bool is_without_references(const Engine *engine) {
  for (uint32_t i = 0; i < engine->schema.tables.count; i++)
    if (foreign_keys_watch(engine, engine->schema.tables.items[i])) return false;
  return true;
}

bool error_is_movable(const Engine *engine, const Transaction *transaction, uint32_t index) {
  const Operation *operation = &transaction->operations[index];
  if (operation->kind != OPERATION_SQL || !is_alone(operation->sql)) return false;
  if (is_plain_insert(operation->sql) && is_without_references(engine)) return true;
  for (uint32_t i = 0; i < index; i++) {
    const Operation *before = &transaction->operations[i];
    if (!before->meta && !before->error && !is_silent(before->sql)) return false;
  }
  return true;
}

/* ---- Debts ----------------------------------------------------------------------------------------- */

uint32_t error_later_state(const Certifier *certifier, uint32_t index) {
  if (!certifier->rules->any_state_explains || !certifier->explains_error) return 0;
  for (uint32_t i = 0; i < certifier->transaction->reads.count; i++) {
    const WitnessRead *read = &certifier->transaction->reads.items[i];
    if (read->role == WITNESS_CHECK && !read->table && read->operation == index &&
        read->state >= certifier->place)
      return read->state;
  }
  if (!certifier->choose) return 0;
  CertifyRead read = {WITNESS_CHECK, RULE_CURRENT, certifier->place, index, STEP_LATER, NULL};
  uint32_t state = certifier->choose(certifier->choose_context, &read);
  return state >= certifier->place ? state : 0;
}

/* Y1: rows that the transaction wrote are not in the way, whatever became of them since. */
static void debt_hide(Certifier *certifier, const Run *run, Debt *debt) {
  StoreWrites writes = {0};
  store_writes(certifier->store, run->begin, &writes);
  debt->hidden = arena_alloc(&certifier->replay->arena, (writes.count + 1) * sizeof *debt->hidden);
  for (uint32_t i = 0; i < writes.count; i++) debt->hidden[debt->hidden_count++] = writes.items[i].key;
  ARRAY_FREE(&writes);
}

bool error_hides(const Certifier *certifier, const Key *key) {
  for (uint32_t i = 0; certifier->probing && i < certifier->probing->hidden_count; i++)
    if (certifier->probing->hidden[i] == key) return true;
  return false;
}

bool error_owe(Certifier *certifier, Run *run, uint32_t index, uint32_t state) {
  if (!error_is_movable(run->replay->engine, run->transaction, index)) {
    certifier->is_undecided = true;
    return certifier_fail(certifier, "whether a later state explains that a key was taken");
  }
  Debt debt = {.line = run->line, .operation = index, .state = state, .rules = *certifier->rules};
  debt.rules.any_state_explains = false;
  debt_hide(certifier, run, &debt);
  ARRAY_PUSH(&certifier->debts, debt);
  run->is_dead = replay_dialect(run->replay)->name == DIALECT_POSTGRESQL;
  return true;
}

/* The statement alone, over the newest state.  True: it fails as observed. */
static bool debt_fails(Certifier *certifier, const Debt *debt, Diag *diag) {
  Engine *engine = certifier->replay->engine;
  Certifier before = *certifier;
  void (*told)(void *, const Operation *, const Outcome *) = certifier->replay->on_mismatch;
  const Transaction *transaction = &debt->line->transaction;
  Run run = {.replay = certifier->replay,
             .line = debt->line,
             .transaction = transaction,
             .is_tentative = true,
             .is_trial = true};
  certifier->transaction = (WitnessTransaction *)&NOTHING_SAID;
  certifier->rules = &debt->rules;
  certifier->probing = debt;
  certifier->choose = NULL;
  certifier->place++;
  certifier->operation = debt->operation;
  certifier->step = certifier->floor = 0;
  certifier->explains_error = certifier->is_undone = false;
  certifier->replay->on_mismatch = NULL;
  engine_set_session(engine, NULL);
  engine_begin(engine, certifier->place);
  store_set_view(certifier->store, &certifier->view);
  Step step = replay_operation(&run, debt->operation, &transaction->operations[debt->operation], diag);
  bool fails = step == STEP_NEXT && !run.aside && !certifier->reason;
  store_set_view(certifier->store, NULL);
  engine_rollback(engine);
  certifier->replay->on_mismatch = told;
  before.debts = certifier->debts;
  *certifier = before;
  arena_clear(engine_arena(engine));
  return fails;
}

bool errors_pay(Certifier *certifier, Diag *diag) {
  for (uint32_t i = 0; i < certifier->debts.count; i++) {
    Debt *debt = &certifier->debts.items[i];
    bool is_any = debt->state == STATE_LATER;
    if (debt->is_paid || (!is_any && debt->state != certifier->place)) continue;
    debt->is_paid = debt_fails(certifier, debt, diag);
    if (!debt->is_paid && !is_any)
      return certifier_fail(certifier,
                            arena_format(&certifier->replay->arena,
                                         "state %u does not explain the error of statement %u of "
                                         "transaction '%s'",
                                         debt->state, debt->operation + 1, debt->line->transaction.name));
  }
  return !diag->failed;
}

bool certifier_settles(Certifier *certifier) {
  Engine *engine = certifier->replay->engine;
  if (!certifier->reason && !initial_cells_hold(engine, engine_arena(engine)))
    return certifier_fail(certifier, "a constraint does not hold in the initial state");
  for (uint32_t i = 0; i < certifier->debts.count; i++)
    if (!certifier->debts.items[i].is_paid)
      return certifier_fail(certifier, arena_format(&certifier->replay->arena,
                                                    "no later state explains the error of statement %u of "
                                                    "transaction '%s'",
                                                    certifier->debts.items[i].operation + 1,
                                                    certifier->debts.items[i].line->transaction.name));
  return !certifier->reason;
}
