/* transaction.c: beginning, committing, savepoints. */
#include "semantics/constraint.h"

#include <strings.h>

/* Below this many doubts it is not worth looking whether they can be forgotten. */
enum { DOUBTS_KEPT = 256 };

static bool session_holds_doubt(Engine *engine, Session *session) {
  session->last_key = doubt_settle(&engine->doubts, session->last_key);
  bool holds = session->last_key.kind == VALUE_DOUBT;
  for (uint32_t i = 0; i < session->variables.room; i++) {
    Variable *variable = session->variables.slots[i].value;
    if (!variable || variable->value.kind != VALUE_DOUBT) continue;
    variable_assign(variable, doubt_settle(&engine->doubts, variable->value), variable->type);
    holds |= variable->value.kind == VALUE_DOUBT;
  }
  return holds;
}

/* Between transactions, when every stored value in doubt has been settled, the table of doubts starts over.
 */
static void doubts_forget(Engine *engine) {
  if (store_keeps_history(engine->store)) return; /* older versions hold doubts too */
  if (engine->doubts.doubts.count < DOUBTS_KEPT || engine->doubts.doubts.count < 2 * engine->cells_looked_at)
    return;
  engine->cells_looked_at = engine->doubts.doubts.count;
  cells_compact(engine);
  if (engine->cells.count) return;
  for (uint32_t i = 0; i < engine->sessions.room; i++)
    if (engine->sessions.slots[i].value && session_holds_doubt(engine, engine->sessions.slots[i].value))
      return;
  doubts_clear(&engine->doubts);
  engine->settled = engine->shifted = engine->cells_looked_at = 0;
}

static void transaction_clear(Engine *engine) {
  engine->savepoints.count = 0;
  engine->deferred.count = 0;
  engine->clocks.count = 0;
  engine->last_plan = NULL;
  engine->in_transaction = false;
  arena_clear(&engine->transaction);
}

void engine_begin(Engine *engine, uint32_t transaction) {
  transaction_clear(engine);
  if (!engine->keeps_undo) doubts_forget(engine);
  store_begin(engine->store, transaction);
  engine->in_transaction = true;
  engine->statement_mark = store_mark(engine->store);
  engine->statement_savepoints = 0;
}

ErrorSet engine_commit_errors(Engine *engine) {
  return engine->deferred.count ? foreign_keys_deferred(engine) : 0;
}

void engine_commit(Engine *engine) {
  /* What the last observations bound is settled in the transaction that was bound by them. */
  engine_settle(engine);
  store_commit(engine->store);
  transaction_clear(engine);
}

void engine_rollback(Engine *engine) {
  store_rollback(engine->store);
  engine->settled = 0;
  store_commit(engine->store);
  transaction_clear(engine);
}

void engine_forget_past(Engine *engine, bool (*holds)(void *context, uint32_t guard), void *context) {
  transaction_clear(engine);
  store_forget_past(engine->store, holds, context);
  cells_drop_dead(engine);
  store_bury(engine->store);
}

/* ---- Running a statement again ----------------------------------------------------------- */

struct EngineMark {
  UndoMark undo;
  uint32_t bindings, clocks, savepoints, deferred, table_count;
  TableState *tables;
  Session session; /* all but its variables */
};

EngineMark *engine_mark(Engine *engine, Arena *arena) {
  engine_settle(engine);
  EngineMark *mark = ARENA_NEW(arena, EngineMark);
  *mark = (EngineMark){.undo = store_mark(engine->store),
                       .bindings = doubts_mark(&engine->doubts),
                       .clocks = engine->clocks.count,
                       .savepoints = engine->savepoints.count,
                       .deferred = engine->deferred.count,
                       .table_count = engine->tables.count,
                       .session = *engine->session};
  mark->tables = arena_alloc(arena, (engine->tables.count + 1) * sizeof *mark->tables);
  if (engine->tables.count)
    memcpy(mark->tables, engine->tables.items, engine->tables.count * sizeof *mark->tables);
  return mark;
}

void engine_keep_undo(Engine *engine) {
  engine->keeps_undo = true;
  store_keep_undo(engine->store);
}

bool engine_can_rewind(const Engine *engine) { return !engine->session->variables.count; }

static uint64_t session_digest(const Session *session) {
  uint64_t digest = hash_mix(session->has_last_key, value_digest(session->last_key));
  digest = hash_mix(digest, (uint64_t)session->row_count);
  return hash_mix(digest, (uint64_t)session->total_changes * 4 + session->row_count_known * 2u +
                              session->had_other_work);
}

bool engine_digest(const Engine *engine, StoreDigest *digest) {
  *digest = store_digest(engine->store);
  uint64_t rest = 0;
  for (uint32_t i = 0; i < engine->tables.count; i++) {
    const TableState *table = &engine->tables.items[i];
    rest = hash_mix(rest, (uint64_t)table->next_key);
    rest = hash_mix(rest,
                    (uint64_t)(table->lost != NULL) * 4 + table->had_deletes * 2u + table->has_explicit_keys);
  }
  bool is_whole = true;
  for (uint32_t i = 0; i < engine->sessions.room; i++) {
    const Session *session = engine->sessions.slots[i].value;
    if (!session) continue;
    rest = hash_mix(rest, session_digest(session));
    is_whole &= !session->variables.count;
  }
  digest->halves[0] ^= rest;
  digest->halves[1] ^= hash_mix(rest, 1);
  return is_whole;
}

void engine_rewind(Engine *engine, const EngineMark *mark) {
  store_undo(engine->store, mark->undo);
  doubts_undo(&engine->doubts, mark->bindings);
  engine->clocks.count = mark->clocks;
  engine->savepoints.count = mark->savepoints;
  engine->deferred.count = mark->deferred;
  engine->settled = engine->shifted = 0;
  for (uint32_t i = 0; i < mark->table_count; i++)
    engine->tables.items[i].next_key = mark->tables[i].next_key;
  Map variables = engine->session->variables;
  *engine->session = mark->session;
  engine->session->variables = variables;
}

/* ---- Savepoints ------------------------------------------------------------------------ */

static bool savepoint_is(const Engine *engine, const Savepoint *savepoint, const char *name) {
  return dialect_is_postgres(&engine->schema.dialect) ? strcmp(savepoint->name, name) == 0
                                                      : strcasecmp(savepoint->name, name) == 0;
}

/* The newest of that name, or -1. */
static int64_t savepoint_find(const Engine *engine, const char *name) {
  for (uint32_t i = engine->savepoints.count; i-- > 0;)
    if (savepoint_is(engine, &engine->savepoints.items[i], name)) return i;
  return -1;
}

static void savepoint_set(Engine *engine, const char *name) {
  int64_t old = dialect_is_mysql(&engine->schema.dialect) ? savepoint_find(engine, name) : -1;
  if (old >= 0) { /* MySQL forgets an older one of the same name */
    uint32_t after = engine->savepoints.count - (uint32_t)old - 1;
    memmove(&engine->savepoints.items[old], &engine->savepoints.items[old + 1],
            after * sizeof *engine->savepoints.items);
    engine->savepoints.count--;
  }
  Savepoint savepoint = {.name = arena_text(&engine->transaction, name, strlen(name)),
                         .mark = store_mark(engine->store)};
  ARRAY_PUSH(&engine->savepoints, savepoint);
}

bool effect_savepoint(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  const char *name = statement->savepoint.name;
  if (statement->kind == STATEMENT_SAVEPOINT) {
    savepoint_set(engine, name);
    return true;
  }
  int64_t place = savepoint_find(engine, name);
  if (place < 0) return effect_fail(effect, ERROR_NO_SAVEPOINT, "no savepoint '%s'", name);
  if (statement->kind == STATEMENT_RELEASE) {
    engine->savepoints.count = (uint32_t)place;
    return true;
  }
  store_undo(engine->store, engine->savepoints.items[place].mark);
  engine->settled = 0;
  engine->savepoints.count = (uint32_t)place + 1;
  engine->statement_mark = store_mark(engine->store);
  engine->statement_savepoints = engine->savepoints.count;
  return true;
}
