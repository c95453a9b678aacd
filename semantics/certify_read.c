/* certify_read.c: which version of a key a read sees: the one of the state that the witness names (Z1, Z2).
 */
#include "semantics/certify_internal.h"
#include "src/transcript/emit.h"

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
    if (!values_write_same(version->values[primary->columns[i]], read->key[i].value)) return false;
  return true;
}

/* Where any state may explain an error, one may be named for the whole statement. */
static const WitnessRead *read_of_error(const Certifier *certifier) {
  for (uint32_t i = 0; i < certifier->transaction->reads.count; i++) {
    const WitnessRead *read = &certifier->transaction->reads.items[i];
    if (read->role == WITNESS_CHECK && !read->table && read->operation == certifier->operation) return read;
  }
  return NULL;
}

static const WitnessRead *read_of_step(const Certifier *certifier) {
  for (uint32_t i = 0; i < certifier->transaction->reads.count; i++) {
    const WitnessRead *read = &certifier->transaction->reads.items[i];
    if (read->role == WITNESS_STEP && read->operation == certifier->operation &&
        read->step == certifier->step)
      return read;
  }
  return NULL;
}

/* Where rows have states of their own, that of the step counts for those that a query reads and that are not
 * named.  In one step no row is read from two states: then it must hold of all rows that are not named, or of
 * none. */
static const WitnessRead *rows_default(Certifier *certifier) {
  const WitnessRead *step = read_of_step(certifier);
  if (!step || step->state == certifier->place - 1) return step;
  bool is_plain = certifier->purpose == READ_PLAIN;
  bool is_same = certifier->default_operation == certifier->operation &&
                 certifier->default_step == certifier->step && certifier->default_place == certifier->place;
  if (is_same && certifier->default_is_plain != is_plain)
    certifier_fail(
        certifier,
        "a step reads rows that are not named from the state of the step and from the current one");
  certifier->default_operation = certifier->operation;
  certifier->default_step = certifier->step;
  certifier->default_place = certifier->place;
  certifier->default_is_plain = is_plain;
  return is_plain ? step : NULL;
}

/* The state that the witness names; what it does not name is current. */
uint32_t read_state(Certifier *certifier, WitnessRole role, const Key *key) {
  for (uint32_t i = 0; i < certifier->transaction->reads.count; i++) {
    const WitnessRead *read = &certifier->transaction->reads.items[i];
    if (read->role != role) continue;
    bool is_whole = role == WITNESS_TRANSACTION;
    if (!is_whole && (read->operation != certifier->operation || read->step != certifier->step)) continue;
    if (role != WITNESS_TRANSACTION && role != WITNESS_STEP && !read_is_of_key(certifier, read, key))
      continue;
    return read->state;
  }
  if (role == WITNESS_KEY && certifier->rules->rules[READ_PLAIN] == RULE_KEY) {
    const WitnessRead *step = rows_default(certifier);
    if (step) return step->state;
  }
  const WitnessRead *whole =
      role == WITNESS_CHECK && certifier->rules->any_state_explains ? read_of_error(certifier) : NULL;
  if (whole) return whole->state;
  if (!certifier->choose) return certifier->place - 1;
  CertifyRead read = {role, certifier->rule, certifier->place, certifier->operation, certifier->step, key};
  return certifier->choose(certifier->choose_context, &read);
}

/* Z2 of a state that was taken; `floor`: none older. */
static uint32_t state_take(Certifier *certifier, uint32_t state, uint32_t floor, const char *wrong) {
  if (state < floor && !certifier->reason)
    certifier_fail(certifier,
                   arena_format(&certifier->replay->arena,
                                "statement %u of transaction '%s' %s: state %u, not %u or later",
                                certifier->operation + 1, certifier->transaction->name, wrong, state, floor));
  return state;
}

static uint32_t step_state(Certifier *certifier) {
  uint32_t state = read_state(certifier, WITNESS_STEP, NULL);
  state_take(certifier, state, certifier->floor, "reads an older state than a step before it");
  if (state > certifier->floor) certifier->floor = state;
  return state;
}

static uint32_t rule_state(Certifier *certifier, ReadRule rule, const Key *key) {
  certifier->rule = rule;
  switch (rule) {
  case RULE_TRANSACTION: return read_state(certifier, WITNESS_TRANSACTION, key);
  case RULE_STEP: return step_state(certifier);
  case RULE_KEY: return read_state(certifier, WITNESS_KEY, key);
  case RULE_KEY_SINCE:
    return state_take(certifier, read_state(certifier, WITNESS_KEY, key), step_state(certifier),
                      "reads a row from before its step's state");
  default: return certifier->place - 1;
  }
}

static const Version *rule_read(Certifier *certifier, ReadRule rule, const Key *key) {
  return state_version(certifier, key, rule_state(certifier, rule, key));
}

/* Where a key was found taken, or a reference not to hold: in the step's state or a later one. */
static uint32_t error_state(Certifier *certifier, const Key *key) {
  certifier->rule = certifier->rules->rules[READ_KEY_CHECK];
  uint32_t state = read_state(certifier, WITNESS_CHECK, key), floor = 0;
  if (certifier->rules->any_state_explains) return state;
  ReadRule rule = certifier->rules->rules[READ_PLAIN];
  if (rule != RULE_KEY) floor = rule_state(certifier, rule, key);
  return state_take(certifier, state, floor, "was refused because of a row from before its state");
}

/* A key that succeeds is free in the state read and in the current one; one that was given up again, in some
 * state from the step's on. */
static const Version *key_check(Certifier *certifier, const Key *key) {
  ReadRule rule = certifier->rules->rules[READ_KEY_CHECK];
  if (certifier->is_undone && rule == RULE_CURRENT) return rule_read(certifier, RULE_KEY_SINCE, key);
  const Version *seen = rule_read(certifier, rule, key);
  if (certifier->is_reader && rule != RULE_CURRENT) return seen;
  return seen ? seen : state_version(certifier, key, certifier->place - 1);
}

/* A row that was deleted since it was found is gone, though another may have its key. */
static const Version *target_recheck(Certifier *certifier, const Key *key, ReadRule rule) {
  const Version *current = rule_read(certifier, rule, key);
  if (!certifier->rules->is_physical || !current) return current;
  const Version *found = rule_read(certifier, certifier->rules->rules[READ_FIND_TARGET], key);
  for (const Version *version = current; found && version && version != found; version = version->older)
    if (version->is_tombstone) return NULL;
  return current;
}

static const Version *certifier_read(void *context, const Key *key, ReadPurpose purpose) {
  Certifier *certifier = context;
  if (error_hides(certifier, key)) return NULL;
  if (certifier->is_reader && purpose == READ_PARENT_NOW) purpose = READ_PARENT;
  certifier->purpose = purpose;
  ReadRule rule = certifier->rules->rules[purpose];
  bool is_check = purpose == READ_KEY_CHECK || purpose == READ_PARENT || purpose == READ_PARENT_NOW;
  if (is_check && certifier->explains_error)
    return state_version(certifier, key, error_state(certifier, key));
  if (purpose == READ_KEY_CHECK) return key_check(certifier, key);
  if (rule == RULE_CURRENT && certifier->is_undone && certifier->rules->is_vendor_model)
    rule = RULE_KEY_SINCE;
  if (purpose == READ_RECHECK_TARGET || purpose == READ_RECHECK_SHARED)
    return target_recheck(certifier, key, rule);
  return rule_read(certifier, rule, key);
}

static void certifier_step(void *context) { ((Certifier *)context)->step++; }

StoreView certifier_view(Certifier *certifier) {
  return (StoreView){.read = certifier_read, .step = certifier_step, .context = certifier};
}
