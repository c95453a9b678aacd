/* query_full.c: full joins.
 *
 * A full join is its left outer join, and the rows of the right side that it did not meet.  It is collected
 * once per run, before anything else of its chain is bound, and then gone through like a table. */
#include "semantics/query_source.h"

#include "src/base/map.h"

typedef struct FullState {
  struct FullState *outer; /* of a full join inside a full join */
  const Step *step;
  bool is_right_side; /* collecting what the left side did not match */
  uint32_t count, room;
  const Value **rows; /* source_count each */
  Key **keys;
  HashTable matched; /* rows of the right side that the left side has met */
  ARRAY(const Value **) matched_rows;
} FullState;

static uint64_t members_hash(const Run *run, SourceSet members) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < run->plan->source_count; i++)
    if (members >> i & 1) hash = hash_mix(hash, (uint64_t)(uintptr_t)run->rows[i]);
  return hash;
}

static bool members_same(const Run *run, SourceSet members, const Value **rows) {
  for (uint32_t i = 0; i < run->plan->source_count; i++)
    if (members >> i & 1 && rows[i] != run->rows[i]) return false;
  return true;
}

static bool full_is_matched(const Run *run, const FullState *state, uint64_t hash) {
  for (uint32_t entry = hash_first(&state->matched, hash); entry != HASH_NONE;
       entry = hash_next(&state->matched, entry, hash))
    if (members_same(run, state->step->nulls, state->matched_rows.items[entry])) return true;
  return false;
}

static void full_emit(Run *run) {
  FullState *state = run->full;
  Arena *arena = run->eval->arena;
  uint32_t sources = run->plan->source_count;
  uint64_t hash = members_hash(run, state->step->nulls);
  bool is_matched = full_is_matched(run, state, hash);
  if (state->is_right_side && is_matched) return;
  if (state->count == state->room) {
    uint32_t room = state->room ? state->room * 2 : 8;
    const Value **rows = arena_alloc(arena, (size_t)room * sources * sizeof *rows);
    Key **keys = arena_alloc(arena, (size_t)room * sources * sizeof *keys);
    if (state->count) memcpy(rows, state->rows, (size_t)state->count * sources * sizeof *rows);
    if (state->count) memcpy(keys, state->keys, (size_t)state->count * sources * sizeof *keys);
    state->rows = rows, state->keys = keys, state->room = room;
  }
  memcpy(state->rows + (size_t)state->count * sources, run->rows, sources * sizeof *run->rows);
  memcpy(state->keys + (size_t)state->count * sources, run->keys, sources * sizeof *run->keys);
  state->count++;
  if (state->is_right_side || is_matched) return;
  const Value **copy = arena_alloc(arena, sources * sizeof *copy);
  memcpy(copy, run->rows, sources * sizeof *copy);
  hash_add(&state->matched, hash);
  ARENA_PUSH(arena, &state->matched_rows, copy);
}

static FullState *full_collect(Run *run, const Step *step) {
  FullState *state = ARENA_NEW(run->eval->arena, FullState);
  state->step = step;
  state->matched = hash_table_new(run->eval->arena);
  state->outer = run->full;
  Emit emit = run->emit;
  run->emit = full_emit;
  run->full = state;
  step_run(run, step->inner);
  state->is_right_side = true;
  bind_nulls(run, step->members & ~step->nulls);
  if (!run_is_over(run)) step_run(run, step->right);
  run->emit = emit;
  run->full = state->outer;
  return state;
}

void full_run(Run *run, const Step *step) {
  FullState *state = run->states[step->id];
  if (!state) state = run->states[step->id] = full_collect(run, step);
  uint32_t sources = run->plan->source_count;
  for (uint32_t r = 0; r < state->count && !run_is_over(run); r++) {
    for (uint32_t i = 0; i < sources; i++) {
      if (!(step->members >> i & 1)) continue;
      run->rows[i] = state->rows[(size_t)r * sources + i];
      run->keys[i] = state->keys[(size_t)r * sources + i];
    }
    step_run(run, step->next);
  }
}
