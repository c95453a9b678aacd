/* generate.c: AUTO_INCREMENT, SERIAL, IDENTITY and sqlite's INTEGER PRIMARY KEY.
 *
 * SQLite's choice is defined by the rows (or, with AUTOINCREMENT, by a counter that is
 * undone with its transaction): it is computed.  The others leave gaps that no transcript shows, so their
 * values are free, with what a serial run would have given as a guess. */
#include "semantics/effect.h"

int32_t key_column(const Table *table) {
  return table->rowid_column >= 0 ? table->rowid_column : table->auto_column;
}

bool key_is_generated(const Effect *effect, const Table *table, uint32_t column, Value value) {
  if ((int32_t)column != key_column(table)) return false;
  const Dialect *dialect = effect_dialect(effect);
  if (value.kind == VALUE_NULL) return dialect->name != DIALECT_POSTGRESQL;
  return dialect_is_mysql(dialect) && value.kind == VALUE_INT && value.integer == 0;
}

static void counter_undo(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  engine_table(engine, object)->next_key = (int64_t)number;
}

/* SQLite's AUTOINCREMENT goes by it; elsewhere it is a guess that the observation corrects. */
static bool counter_is_exact(const Engine *engine, const Table *table) {
  return dialect_is_sqlite(&engine->schema.dialect) && table->rowid_column >= 0 &&
         table->columns[table->rowid_column].auto_increment;
}

static void counter_advance(Engine *engine, const Table *table, int64_t next) {
  TableState *state = engine_table(engine, table);
  if (next <= state->next_key) return;
  if (dialect_is_sqlite(&engine->schema.dialect) && engine->in_transaction)
    (counter_is_exact(engine, table) ? store_push_undo : store_push_guess)(
        engine->store, counter_undo, engine, (void *)table, (uint64_t)state->next_key);
  state->next_key = next;
}

/* The largest key of a sqlite table. False: one in doubt stands in the way. */
static bool largest_rowid(Engine *engine, const Table *table, int64_t *largest) {
  *largest = 0;
  const Index *index = table->indexes.items[table->primary];
  if (store_undecided(engine->store, table, index)) return false;
  IndexRange range = {.descending = true};
  IndexCursor cursor;
  store_seek(engine->store, table, index, &range, READ_KEY_CHECK, &cursor);
  for (Key *key = store_next(&cursor); key; key = store_next(&cursor)) {
    const Version *version = store_read(engine->store, key, READ_KEY_CHECK);
    if (!version) continue;
    Value value = doubt_settle(&engine->doubts, version->values[table->rowid_column]);
    if (value.kind != VALUE_INT) return false;
    *largest = value.integer;
    return true;
  }
  return true;
}

static Value rowid_generate(Effect *effect, const Table *table, bool is_guess) {
  Engine *engine = effect->engine;
  const Column *column = &table->columns[table->rowid_column];
  int64_t largest;
  bool is_exact = table->primary >= 0 && largest_rowid(engine, table, &largest);
  if (!is_exact) largest = engine_table(engine, table)->next_key - 1;
  int64_t kept = engine_table(engine, table)->next_key - 1;
  if (column->auto_increment && kept > largest) largest = kept;
  if (largest == INT64_MAX) {
    if (!column->auto_increment)
      return doubt_new(&engine->doubts, DOUBT_FREE, column->type, "a random row id");
    return eval_unmodelled(effect->eval, "the largest row id is in use");
  }
  counter_advance(engine, table, largest + 2);
  Value value = value_int(largest + 1);
  return is_exact && !is_guess
             ? value
             : doubt_guess(&engine->doubts, column->type, value, table->id, "a generated row id");
}

Value key_generate(Effect *effect, const Table *table, uint32_t column, bool is_guess) {
  if (table->rowid_column >= 0) return rowid_generate(effect, table, is_guess);
  TableState *state = engine_table(effect->engine, table);
  Value guess = value_int(state->next_key);
  counter_advance(effect->engine, table, state->next_key + 1);
  return doubt_guess(&effect->engine->doubts, table->columns[column].type, guess, table->id,
                     "a generated key");
}

void key_given(Effect *effect, const Table *table, uint32_t column, Value value) {
  if ((int32_t)column != key_column(table)) return;
  TableState *state = engine_table(effect->engine, table);
  state->has_explicit_keys = true;
  /* PostgreSQL's sequences do not notice. */
  if (dialect_is_postgres(effect_dialect(effect)) || value.kind != VALUE_INT || value.integer == INT64_MAX)
    return;
  counter_advance(effect->engine, table, value.integer + 1);
}
