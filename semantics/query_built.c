/* query_built.c: hash tables built over a source, for equality conditions that no index answers.
 *
 * The table holds the rows that pass the conditions on the source alone, by the hash of the source's side
 * of the equalities.  Rows whose values have no hash are candidates for every probe; NULLs equal nothing. */
#include "semantics/query_source.h"

#include "semantics/query_key.h"
#include "src/base/map.h"

typedef struct HashState {
  HashTable table;
  ARRAY(const Value *) rows; /* by entry */
  ARRAY(Key *) keys;
  ARRAY(const Value *) loose_rows; /* without a place in the table: candidates for every probe */
  ARRAY(Key *) loose_keys;
} HashState;

/* The hash of one side; FITS: *hash is set. */
static ProbeAnswer pairs_hash(Run *run, const Access *access, const Expr *const *exprs, bool is_probe,
                              uint64_t *hash) {
  ProbeAnswer answer = PROBE_FITS;
  const Dialect *dialect = run->eval->dialect;
  *hash = 0;
  for (uint32_t i = 0; i < access->pair_count; i++) {
    Value value = run_value(run->eval, exprs[i]);
    if (run->eval->abort || value.kind == VALUE_NULL) return PROBE_NOTHING;
    Type type = access->built[i]->type;
    bool fits =
        is_probe ? key_fits(dialect, type, exprs[i]->type, &value) : key_belongs(dialect, type, value);
    if (!fits)
      answer = PROBE_UNFIT;
    else
      *hash = hash_mix(*hash, value_hash(dialect, type, value));
  }
  return answer;
}

static bool build_takes(Run *run, const Access *access) {
  for (uint32_t i = 0; i < access->build_filter_count; i++)
    if (!step_holds(run, access->build_filters[i])) return false;
  return true;
}

static void hash_build_row(Run *run, const Access *access, HashState *state, const Value *row, Key *key) {
  if (!build_takes(run, access)) return;
  Arena *arena = run->eval->arena;
  uint64_t hash;
  switch (pairs_hash(run, access, access->built, false, &hash)) {
  case PROBE_NOTHING: return;
  case PROBE_UNFIT:
    ARENA_PUSH(arena, &state->loose_rows, row);
    ARENA_PUSH(arena, &state->loose_keys, key);
    return;
  case PROBE_FITS:
    hash_add(&state->table, hash);
    ARENA_PUSH(arena, &state->rows, row);
    ARENA_PUSH(arena, &state->keys, key);
  }
}

static HashState *hash_build(Run *run, const Step *step) {
  HashState *state = ARENA_NEW(run->eval->arena, HashState);
  state->table = hash_table_new(run->eval->arena);
  uint32_t count = source_row_count(run, step->source);
  for (uint32_t r = 0; r < count && !run->eval->abort; r++) {
    Key *key;
    const Value *row = source_row_at(run, step->source, r, &key);
    if (!row) continue;
    run->rows[step->source] = row;
    run->keys[step->source] = key;
    hash_build_row(run, &step->access, state, row, key);
  }
  return state;
}

/* A table depends on nothing but its source: it serves all runs of a statement, if its source does. */
static HashState *hash_state(Run *run, const Step *step) {
  if (run->states[step->id]) return run->states[step->id];
  const Source *source = &run->select->sources.items[step->source];
  bool is_lasting = run->select->outer_depth && (source->table || source->select->outer_depth == 0);
  HashState *state = is_lasting ? cache_get(run->eval, step) : NULL;
  if (!state) {
    state = hash_build(run, step);
    if (is_lasting && !run->eval->abort) cache_put(run->eval, step, state);
  }
  return run->states[step->id] = state;
}

void hash_run(Run *run, const Step *step) {
  uint64_t hash;
  ProbeAnswer answer = pairs_hash(run, &step->access, step->access.probes, true, &hash);
  if (answer == PROBE_NOTHING) return;
  HashState *state = hash_state(run, step);
  if (answer == PROBE_FITS)
    for (uint32_t entry = hash_first(&state->table, hash); entry != HASH_NONE && !run_is_over(run);
         entry = hash_next(&state->table, entry, hash)) {
      query_rows_read++;
      step_take(run, step, state->rows.items[entry], state->keys.items[entry]);
    }
  else
    for (uint32_t i = 0; i < state->rows.count && !run_is_over(run); i++)
      step_take(run, step, state->rows.items[i], state->keys.items[i]);
  for (uint32_t i = 0; i < state->loose_rows.count && !run_is_over(run); i++)
    step_take(run, step, state->loose_rows.items[i], state->loose_keys.items[i]);
}
