/* settle.c: stored values in doubt, and their rewriting once an observation has bound them.
 *
 * Every listed cell is (table, key, column, doubt).  The list is kept up through
 * undo: a cell that is settled or deleted comes back when that is undone. */
#include "semantics/engine_internal.h"

#include "semantics/effect.h"

static void cells_undo_added(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)object, (void)number;
  engine->cells.count--;
}

static void cells_undo_removed(void *context, void *object, uint64_t number);

static void cell_push(Engine *engine, DoubtCell cell) {
  ARRAY_PUSH(&engine->cells, cell);
  if (engine->in_transaction) store_push_undo(engine->store, cells_undo_added, engine, NULL, 0);
}

/* A removed cell leaves a hole (no table), so that undo can put it back at its place. */
static void cell_drop(Engine *engine, uint32_t place) {
  DoubtCell *cell = &engine->cells.items[place];
  if (engine->in_transaction)
    store_push_undo(engine->store, cells_undo_removed, engine, (void *)cell->table, place);
  cell->table = NULL;
}

static void cells_undo_removed(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  engine->cells.items[number].table = object;
}

void cells_added(Engine *engine, const Table *table, Key *key, const Value *values) {
  if (!engine->doubts.doubts.count) return;
  for (uint32_t i = 0; i < table->column_count; i++)
    if (values[i].kind == VALUE_DOUBT) cell_push(engine, (DoubtCell){table, key, i, values[i].doubt});
}

void cells_removed(Engine *engine, const Table *table, Key *key, const Value *values) {
  if (!engine->cells.count) return;
  bool has_doubt = false;
  for (uint32_t i = 0; i < table->column_count; i++) has_doubt |= values[i].kind == VALUE_DOUBT;
  if (!has_doubt) return;
  for (uint32_t i = engine->cells.count; i-- > 0;)
    if (engine->cells.items[i].table == table && engine->cells.items[i].key == key) cell_drop(engine, i);
}

/* Rewrites the row with every value that is bound by now; its other cells then find nothing left to do. */
static bool cell_settle(Engine *engine, uint32_t place) {
  DoubtCell cell = engine->cells.items[place];
  const Version *version = store_read(engine->store, cell.key, READ_PLAIN);
  cell_drop(engine, place);
  if (!version || version->values[cell.column].kind != VALUE_DOUBT) return true;
  Arena *arena = &engine->scratch;
  Value *values = arena_alloc(arena, cell.table->column_count * sizeof *values);
  for (uint32_t i = 0; i < cell.table->column_count; i++)
    values[i] = doubt_settle(&engine->doubts, version->values[i]);
  return row_settle(engine, cell.table, cell.key, values);
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
