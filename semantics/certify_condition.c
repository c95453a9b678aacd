/* certify_condition.c: what an execution must satisfy besides its observations: write conflicts, integrity,
 * choices. */
#include "semantics/certify_internal.h"

#include "semantics/constraint.h"
#include "src/transcript/emit.h"

static bool key_has_conflict(const Certifier *certifier, const Key *key, uint32_t state) {
  const Version *version = key->newest, *current;
  while (version && version->writer == certifier->place) version = version->older;
  current = version;
  if (!certifier->rules->compares_values) return version && version->writer > state;
  while (version && version->writer > state) version = version->older;
  uint32_t count = store_column_count(certifier->store, key);
  return !versions_show_same(key->newest, version, count) && !versions_show_same(version, current, count);
}

static bool writes_have_conflict(Certifier *certifier, const StoreWrites *writes) {
  if (!certifier->rules->forbids_conflicts) return false;
  uint32_t state = read_state(certifier, WITNESS_TRANSACTION, NULL);
  for (uint32_t i = 0; i < writes->count; i++)
    if (!writes->items[i].is_new && key_has_conflict(certifier, writes->items[i].key, state)) return true;
  return false;
}

/* Z4, of one written row, in the newest state. */
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

bool state_holds(Certifier *certifier) {
  Engine *engine = certifier->replay->engine;
  StoreWrites writes = {0};
  store_writes(certifier->store, store_begun(certifier->store), &writes);
  bool holds = !writes_have_conflict(certifier, &writes);
  if (!holds)
    certifier_fail(certifier, arena_format(&certifier->replay->arena, "transaction '%s' has a write conflict",
                                           certifier->transaction->name));
  store_set_view(certifier->store, NULL);
  Eval eval = engine_eval(engine, engine_arena(engine), NULL);
  Outcome outcome = {0};
  Effect effect = {.engine = engine, .eval = &eval, .outcome = &outcome, .results = engine_arena(engine)};
  for (uint32_t i = 0; holds && !certifier->is_reader && i < writes.count; i++)
    if (!write_holds(certifier, &writes.items[i], &effect))
      holds = certifier_fail(certifier,
                             arena_format(&certifier->replay->arena,
                                          "a constraint of table '%s' does not hold after transaction '%s'",
                                          writes.items[i].table->name, certifier->transaction->name));
  ARRAY_FREE(&writes);
  arena_clear(engine_arena(engine));
  return holds;
}

/* Z2: nothing reads its own place or a later one, nothing is said twice, and only of operations that exist.
 */
bool reads_are_sound(Certifier *certifier, const Transaction *transaction) {
  const WitnessTransaction *claimed = certifier->transaction;
  Arena *arena = &certifier->replay->arena;
  for (uint32_t i = 0; i < claimed->reads.count; i++) {
    const WitnessRead *read = &claimed->reads.items[i];
    bool is_debt =
        read->role == WITNESS_CHECK && !read->table && certifier->rules->any_state_explains &&
        read->operation < transaction->operation_count &&
        operation_fails_by_key(replay_dialect(certifier->replay), &transaction->operations[read->operation]);
    if (read->state >= certifier->place && !is_debt)
      return certifier_fail(
          certifier,
          arena_format(arena, "transaction '%s' at place %u reads state %u, its own or a later one",
                       claimed->name, certifier->place, read->state));
    if (read->operation >= transaction->operation_count && read->role != WITNESS_TRANSACTION)
      return certifier_fail(certifier, arena_format(arena, "transaction '%s' has no operation %u",
                                                    claimed->name, read->operation));
  }
  return true;
}

const char *choices_difference(Arena *arena, const char *owner, const WitnessChoices *claimed,
                               const WitnessChoices *taken) {
  for (uint32_t i = 0; i < taken->count && i < claimed->count; i++) {
    const WitnessChoice *a = &claimed->items[i], *b = &taken->items[i];
    if (a->operation != b->operation || strcmp(a->origin, b->origin) != 0 ||
        !values_write_same(a->value.value, b->value.value))
      return arena_format(arena, "free choice %u of %s (%s, operation %u) is not what was observed", i + 1,
                          owner, a->origin, a->operation);
  }
  if (claimed->count == taken->count) return NULL;
  return arena_format(arena, "%s shows %u free choices, the witness has %u", owner, taken->count,
                      claimed->count);
}

/* Z3.  Where the replay assumed a choice that nothing shows, another may do as well. */
bool choices_hold(Certifier *certifier, const WitnessChoices *claimed, const WitnessChoices *taken,
                  const char *owner) {
  if (!certifier->compares_choices) return true;
  const char *reason = choices_difference(&certifier->replay->arena, owner, claimed, taken);
  if (!reason) return true;
  certifier->is_undecided = doubts_assumed(engine_doubts(certifier->replay->engine));
  return certifier_fail(certifier, reason);
}
