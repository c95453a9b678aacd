/* settle.c: stored values in doubt, and their rewriting once an observation has bound them.
 *
 * Where history is kept, nothing is rewritten: a new version would be a write of whoever saw the value.
 * Values are followed when they are read, and a cell stays listed.
 *
 * Every listed cell is (table, key, column, doubt).  The list is kept up through
 * undo: a cell that is settled or deleted comes back when that is undone. */
#include "semantics/engine_internal.h"

#include "semantics/effect.h"

static uint32_t *cell_bucket(const Engine *engine, const Key *key) {
  return &engine->cell_buckets[hash_mix(0, (uintptr_t)key) & (engine->cell_bucket_count - 1)];
}

/* Chains every cell, oldest first, so that the newest of a bucket is at its head: undo takes them off in that
 * order. */
static void cells_chain(Engine *engine, uint32_t bucket_count) {
  free(engine->cell_buckets);
  engine->cell_buckets = memory_new(bucket_count * sizeof *engine->cell_buckets);
  engine->cell_bucket_count = bucket_count;
  for (uint32_t i = 0; i < engine->cells.count; i++) {
    uint32_t *bucket = cell_bucket(engine, engine->cells.items[i].key);
    engine->cells.items[i].next = *bucket;
    *bucket = i + 1;
  }
}

static void cells_undo_added(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)object, (void)number;
  const DoubtCell *cell = &engine->cells.items[--engine->cells.count];
  *cell_bucket(engine, cell->key) = cell->next;
}

static void cell_push(Engine *engine, DoubtCell cell) {
  if (engine->cells.count >= engine->cell_bucket_count)
    cells_chain(engine, engine->cell_bucket_count ? engine->cell_bucket_count * 2 : 64);
  uint32_t *bucket = cell_bucket(engine, cell.key);
  cell.next = *bucket;
  ARRAY_PUSH(&engine->cells, cell);
  *bucket = engine->cells.count;
  if (engine->in_transaction) store_push_undo(engine->store, cells_undo_added, engine, NULL, 0);
}

static void cells_undo_removed(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  engine->cells.items[number].table = object;
}

/* A removed cell leaves a hole (no table), so that undo can put it back at its place. */
static void cell_drop(Engine *engine, uint32_t place) {
  DoubtCell *cell = &engine->cells.items[place];
  if (engine->in_transaction)
    store_push_undo(engine->store, cells_undo_removed, engine, (void *)cell->table, place);
  cell->table = NULL;
}

void cells_added(Engine *engine, const Table *table, Key *key, const Value *values) {
  if (!engine->doubts.doubts.count) return;
  for (uint32_t i = 0; i < table->column_count; i++)
    if (values[i].kind == VALUE_DOUBT)
      cell_push(engine, (DoubtCell){.table = table, .key = key, .column = i, .doubt = values[i].doubt});
}

void cells_removed(Engine *engine, const Table *table, Key *key, const Value *values) {
  if (!engine->cells.count) return;
  bool has_doubt = false;
  for (uint32_t i = 0; i < table->column_count; i++) has_doubt |= values[i].kind == VALUE_DOUBT;
  if (!has_doubt) return;
  for (uint32_t place = *cell_bucket(engine, key); place; place = engine->cells.items[place - 1].next)
    if (engine->cells.items[place - 1].table && engine->cells.items[place - 1].key == key)
      cell_drop(engine, place - 1);
}

void cells_compact(Engine *engine) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < engine->cells.count; i++)
    if (engine->cells.items[i].table) engine->cells.items[kept++] = engine->cells.items[i];
  engine->cells.count = kept;
  if (engine->cell_bucket_count) cells_chain(engine, engine->cell_bucket_count);
}

void cells_drop_dead(Engine *engine) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < engine->cells.count; i++)
    if (engine->cells.items[i].table && engine->cells.items[i].key->newest)
      engine->cells.items[kept++] = engine->cells.items[i];
  if (kept == engine->cells.count) return;
  engine->cells.count = kept;
  cells_chain(engine, engine->cell_bucket_count);
}

/* Rewrites the row with every value that is bound by now; its other cells then find nothing left to do. */
static bool cell_settle(Engine *engine, uint32_t place) {
  DoubtCell cell = engine->cells.items[place];
  bool is_kept = store_keeps_history(engine->store);
  const Version *version = is_kept ? cell.key->newest : store_read(engine->store, cell.key, READ_PLAIN);
  if (!is_kept) cell_drop(engine, place);
  if (version && version->is_tombstone) version = NULL;
  if (!version || version->values[cell.column].kind != VALUE_DOUBT) return true;
  Arena *arena = &engine->scratch;
  Value *values = arena_alloc(arena, cell.table->column_count * sizeof *values);
  for (uint32_t i = 0; i < cell.table->column_count; i++)
    values[i] = doubt_settle(&engine->doubts, version->values[i]);
  /* A guess that was assumed proves nothing, whatever it collides with. */
  bool is_evidence = !engine->doubts.doubts.items[cell.doubt].is_assumed;
  return row_settle(engine, cell.table, cell.key, values, is_evidence);
}

/* An observed key tells where the generator stands: the guesses that follow it move along. */
static void guesses_shift(Engine *engine, uint32_t id) {
  const Doubt *seen = &engine->doubts.doubts.items[id];
  if (!seen->is_guessed || seen->is_assumed || seen->value.kind != VALUE_INT) return;
  int64_t distance = (int64_t)((uint64_t)seen->value.integer - (uint64_t)seen->guess.integer);
  if (!distance) return;
  for (uint32_t i = id + 1; i < engine->doubts.doubts.count; i++) {
    Doubt *later = &engine->doubts.doubts.items[i];
    if (later->is_guessed && later->generator == seen->generator)
      later->guess.integer = (int64_t)((uint64_t)later->guess.integer + (uint64_t)distance);
  }
  int64_t *next = &engine->tables.items[seen->generator].next_key;
  *next = (int64_t)((uint64_t)*next + (uint64_t)distance);
}

bool engine_settle(Engine *engine) {
  bool is_sound = true;
  uint32_t bindings = engine->doubts.bindings.count;
  if (engine->shifted > bindings) engine->shifted = bindings;
  for (; engine->shifted < bindings; engine->shifted++)
    guesses_shift(engine, engine->doubts.bindings.items[engine->shifted]);
  if (engine->settled > bindings) engine->settled = bindings;
  if (engine->settled == bindings || !engine->cells.count) {
    engine->settled = bindings;
    return true;
  }
  uint32_t count = engine->cells.count;
  for (uint32_t i = 0; i < count; i++) {
    const DoubtCell *cell = &engine->cells.items[i];
    if (cell->table && engine->doubts.doubts.items[cell->doubt].is_bound) is_sound &= cell_settle(engine, i);
  }
  engine->settled = bindings;
  return is_sound;
}
