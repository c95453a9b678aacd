/* certify.c: the replay of a witness. */
#include "semantics/certify.h"

#include "semantics/constraint.h"
#include "semantics/initial.h"
#include "semantics/replay_internal.h"

struct Certifier {
  const Witness *witness;
  Replay *replay;
  Store *store;
  StoreView view;
  uint32_t place;
  const CertifyRules *rules;
  const WitnessTransaction *transaction; /* the running one's */
  uint32_t operation, step;
  bool explains_error, is_undone;
  const char *reason; /* in the replay's memory */
};

/* ---- What a read sees ------------------------------------------------------------------------ */

static bool version_shows(const Version *version) { return version && !version->is_tombstone; }

/* Z1 */
static const Version *state_version(const Certifier *certifier, const Key *key, uint32_t state) {
  const Version *version = key->newest;
  while (version && version->writer != certifier->place && version->writer > state) version = version->older;
  return version_shows(version) ? version : NULL;
}

static bool read_is_of_key(const Certifier *certifier, const WitnessRead *read, const Key *key) {
  const Table *table = store_table(certifier->store, key);
  if (!read->table) return true;
  if (strcmp(read->table, table->name) != 0) return false;
  if (table->primary < 0 || !read->key_count) return read->rowid == key->rowid;
  const Index *primary = table->indexes.items[table->primary];
  const Version *version = key->newest;
  while (version && version->is_tombstone) version = version->older;
  if (!version || read->key_count != primary->column_count) return false;
  for (uint32_t i = 0; i < primary->column_count; i++)
    if (!value_identical(version->values[primary->columns[i]], read->key[i])) return false;
  return true;
}

/* The state that the witness names; what it does not name is current. */
static uint32_t read_state(const Certifier *certifier, WitnessRole role, const Key *key) {
  for (uint32_t i = 0; i < certifier->transaction->reads.count; i++) {
    const WitnessRead *read = &certifier->transaction->reads.items[i];
    if (read->role != role) continue;
    bool is_whole = role == WITNESS_TRANSACTION;
    if (!is_whole && (read->operation != certifier->operation || read->step != certifier->step)) continue;
    if (role != WITNESS_TRANSACTION && role != WITNESS_STEP && !read_is_of_key(certifier, read, key))
      continue;
    return read->state;
  }
  return certifier->place - 1;
}

static uint32_t rule_state(const Certifier *certifier, ReadRule rule, const Key *key) {
  switch (rule) {
  case RULE_TRANSACTION: return read_state(certifier, WITNESS_TRANSACTION, key);
  case RULE_STEP: return read_state(certifier, WITNESS_STEP, key);
  case RULE_KEY:
  case RULE_KEY_SINCE: return read_state(certifier, WITNESS_KEY, key);
  default: return certifier->place - 1;
  }
}

static const Version *rule_read(const Certifier *certifier, ReadRule rule, const Key *key) {
  return state_version(certifier, key, rule_state(certifier, rule, key));
}

/* A key that succeeds is free in the state read and in the current one. */
static const Version *key_check(const Certifier *certifier, const Key *key) {
  const ReadRule *rules = certifier->rules->rules;
  if (certifier->explains_error)
    return state_version(certifier, key, read_state(certifier, WITNESS_CHECK, key));
  const Version *seen = rule_read(certifier, rules[READ_KEY_CHECK], key);
  return seen ? seen : state_version(certifier, key, certifier->place - 1);
}

/* A row that was deleted since it was found is gone, though another may have its key. */
static const Version *target_recheck(const Certifier *certifier, const Key *key, ReadRule rule) {
  const Version *current = rule_read(certifier, rule, key);
  if (!certifier->rules->is_physical || !current) return current;
  const Version *found = rule_read(certifier, certifier->rules->rules[READ_FIND_TARGET], key);
  for (const Version *version = current; found && version && version != found; version = version->older)
    if (version->is_tombstone) return NULL;
  return current;
}

static const Version *certifier_read(void *context, const Key *key, ReadPurpose purpose) {
  const Certifier *certifier = context;
  ReadRule rule = certifier->rules->rules[purpose];
  if (purpose == READ_KEY_CHECK) return key_check(certifier, key);
  if (rule == RULE_CURRENT && certifier->is_undone && certifier->rules->is_vendor_model)
    rule = RULE_KEY_SINCE;
  if (purpose == READ_RECHECK_TARGET) return target_recheck(certifier, key, rule);
  return rule_read(certifier, rule, key);
}

static void certifier_step(void *context) { ((Certifier *)context)->step++; }

/* ---- Life --------------------------------------------------------------------------------------- */

static void cells_settle(Certifier *certifier) {
  InitialRows rows = {0};
  Arena arena;
  arena_init(&arena);
  engine_begin(certifier->replay->engine, 0);
  initial_rows(certifier->replay->engine, &arena, &rows);
  for (uint32_t i = 0; i < rows.count && i < certifier->witness->cells.count; i++) {
    const InitialRow *row = &rows.items[i];
    uint32_t alternative = certifier->witness->cells.items[i].alternative;
    store_put(certifier->store, row->table, row->key, row->rows[alternative % row->count], row->key->rowid,
              0);
  }
  engine_commit(certifier->replay->engine);
  arena_free(&arena);
}

Certifier *certifier_new(const Log *log, const Witness *witness, Diag *diag) {
  Certifier *certifier = memory_new(sizeof *certifier);
  certifier->witness = witness;
  certifier->replay = replay_new(&log->header, log->file);
  certifier->store = engine_store(certifier->replay->engine);
  certifier->view = (StoreView){.read = certifier_read, .step = certifier_step, .context = certifier};
  store_keep_history(certifier->store, true);
  for (uint32_t i = 0; i < log->setup.count; i++)
    if (!replay_line(certifier->replay, log->setup.items[i], diag)) {
      certifier_free(certifier);
      return NULL;
    }
  cells_settle(certifier);
  return certifier;
}

void certifier_free(Certifier *certifier) {
  replay_free(certifier->replay);
  free(certifier);
}

const char *certifier_reason(const Certifier *certifier) { return certifier->reason; }
Engine *certifier_engine(Certifier *certifier) { return certifier->replay->engine; }

static bool certifier_fail(Certifier *certifier, const char *reason) {
  if (!certifier->reason) certifier->reason = replay_keep(certifier->replay, reason);
  return false;
}

/* ---- Conditions on states and writes --------------------------------------------------------------- */

static bool key_has_conflict(const Certifier *certifier, const Key *key, uint32_t state) {
  const Version *version = key->newest, *current;
  while (version && version->writer == certifier->place) version = version->older;
  current = version;
  if (!certifier->rules->compares_values) return version && version->writer > state;
  while (version && version->writer > state) version = version->older;
  uint32_t count = store_column_count(certifier->store, key);
  return !versions_show_same(key->newest, version, count) && !versions_show_same(version, current, count);
}

static bool writes_have_conflict(const Certifier *certifier, const StoreWrites *writes) {
  if (!certifier->rules->forbids_conflicts) return false;
  uint32_t state = read_state(certifier, WITNESS_TRANSACTION, NULL);
  for (uint32_t i = 0; i < writes->count; i++)
    if (!writes->items[i].is_new && key_has_conflict(certifier, writes->items[i].key, state)) return true;
  return false;
}

/* Z2, of one written row, in the newest state. */
static bool write_holds(Certifier *certifier, const StoreWrite *write, Effect *effect) {
  const Version *version = write->version, *before = version->older;
  while (before && before->writer == certifier->place) before = before->older;
  Change change = {.table = write->table,
                   .before = version_shows(before) ? before->values : NULL,
                   .after = version_shows(version) ? version->values : NULL};
  bool maybe = false;
  for (uint32_t i = 0; change.after && i < write->table->indexes.count; i++) {
    const Index *index = write->table->indexes.items[i];
    if (index_is_unique(index) && unique_conflict(effect->eval, write->table, index, version->values,
                                                  write->key, READ_KEY_CHECK, &maybe))
      return false;
  }
  if (!foreign_keys_watch(effect->engine, write->table)) return true;
  effect->changes.count = 0;
  ARENA_PUSH(effect->eval->arena, &effect->changes, change);
  return foreign_keys_check(effect) && !effect->errors;
}

static bool state_holds(Certifier *certifier) {
  Engine *engine = certifier->replay->engine;
  StoreWrites writes = {0};
  store_writes(certifier->store, 0, &writes);
  bool holds = !writes_have_conflict(certifier, &writes);
  if (!holds) certifier_fail(certifier, "a write conflict");
  store_set_view(certifier->store, NULL);
  Eval eval = engine_eval(engine, engine_arena(engine), NULL);
  Outcome outcome = {0};
  Effect effect = {.engine = engine, .eval = &eval, .outcome = &outcome, .results = engine_arena(engine)};
  for (uint32_t i = 0; holds && i < writes.count; i++)
    if (!write_holds(certifier, &writes.items[i], &effect))
      holds = certifier_fail(certifier, "a constraint does not hold in the state that follows");
  ARRAY_FREE(&writes);
  arena_clear(engine_arena(engine));
  return holds;
}

/* Steps read no older state than the steps before them; nothing reads its own place or a later one. */
static bool reads_are_sound(Certifier *certifier) {
  uint32_t newest = 0;
  for (uint32_t i = 0; i < certifier->transaction->reads.count; i++) {
    const WitnessRead *read = &certifier->transaction->reads.items[i];
    if (read->state >= certifier->place) return certifier_fail(certifier, "a read of a later state");
    if (read->role != WITNESS_STEP) continue;
    if (read->state < newest)
      return certifier_fail(certifier, "a step reads an older state than the one before");
    newest = read->state;
  }
  return true;
}

/* ---- Transactions -------------------------------------------------------------------------------------- */

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
    Step step = replay_operation(run, i, operation, diag);
    if (step == STEP_BAD) return false;
    if (step != STEP_NEXT || run->aside)
      return certifier_fail(
          certifier, arena_format(&run->replay->arena, "statement %u of transaction '%s' %s", i + 1,
                                  transaction->name, run->aside ? run->aside : "gives something else"));
    arena_clear(engine_arena(run->replay->engine));
  }
  return replay_commit_check(run) == STEP_NEXT ||
         certifier_fail(certifier, "a transaction could not have committed");
}

bool certifier_push(Certifier *certifier, const Line *line, const CertifyRules *rules, Diag *diag) {
  if (line->kind == LINE_GAP || line->transaction.status == STATUS_ABORTED)
    return replay_line(certifier->replay, line, diag);
  if (certifier->place >= certifier->witness->transactions.count)
    return certifier_fail(certifier, "the witness has too few transactions");
  certifier->transaction = &certifier->witness->transactions.items[certifier->place++];
  certifier->rules = rules;
  if (!certifier->transaction->takes_part) {
    engine_forget_session(certifier->replay->engine, line->transaction.session);
    return line->transaction.status == STATUS_UNKNOWN ||
           certifier_fail(certifier, "a committed transaction is left out");
  }
  Engine *engine = certifier->replay->engine;
  Run run = {.replay = certifier->replay,
             .line = line,
             .transaction = &line->transaction,
             .is_tentative = true,
             .is_trial = true};
  certifier->replay->transactions = certifier->place;
  engine_set_session(engine, line->transaction.session);
  engine_begin(engine, certifier->place);
  run.begin = store_mark(certifier->store);
  store_set_view(certifier->store, &certifier->view);
  bool holds =
      reads_are_sound(certifier) && operations_certify(certifier, &run, diag) && state_holds(certifier);
  store_set_view(certifier->store, NULL);
  if (holds) engine_commit(engine);
  return holds;
}

bool certifier_push_final(Certifier *certifier, const Line *line, Diag *diag) {
  Replay *replay = certifier->replay;
  uint64_t aside = replay->set_aside_count;
  if (!replay_final(replay, line, diag)) return false;
  if (replay->verdict == VERDICT_CORRECT && replay->set_aside_count == aside) return true;
  return certifier_fail(certifier, "the final rows differ");
}
