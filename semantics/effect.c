/* effect.c: one statement of any kind, after a look at the tables it touches. */
#include "semantics/effect.h"

#include "semantics/ddl.h"
#include "semantics/procedure.h"
#include "semantics/rowwise.h"

#include <ctype.h>
#include <strings.h>

/* ---- Lost tables ------------------------------------------------------------------- */

static const char *table_lost(const Engine *engine, const Table *table) {
  return table->id < engine->tables.count ? engine->tables.items[table->id].lost : NULL;
}

/* A table that is written is checked against its neighbours too. */
static const Table *neighbour_lost(const Engine *engine, const Table *table) {
  if (!engine->schema.dialect.foreign_keys) return NULL;
  for (uint32_t i = 0; i < table->foreign_keys.count; i++) {
    const Table *parent = schema_table(&engine->schema, table->foreign_keys.items[i]->parent_name);
    if (parent && table_lost(engine, parent)) return parent;
  }
  for (uint32_t i = 0; i < table->referenced_by.count; i++)
    if (table_lost(engine, table->referenced_by.items[i]->child)) return table->referenced_by.items[i]->child;
  return NULL;
}

static const char *statement_lost(const Engine *engine, const Statement *statement, const Table **table) {
  for (uint32_t i = 0; i < statement->tables_read.count; i++) {
    *table = statement->tables_read.items[i];
    if (table_lost(engine, *table)) return table_lost(engine, *table);
  }
  for (uint32_t i = 0; i < statement->tables_written.count; i++) {
    *table = statement->tables_written.items[i];
    if (table_lost(engine, *table)) return table_lost(engine, *table);
    const Table *neighbour = neighbour_lost(engine, *table);
    if (!neighbour) continue;
    *table = neighbour;
    return table_lost(engine, neighbour);
  }
  return NULL;
}

/* The one table that a statement empties whatever was in it, or NULL. */
static const Table *emptied_table(const Engine *engine, const Statement *statement) {
  if (statement->kind == STATEMENT_TRUNCATE && statement->drop.names.count == 1)
    return schema_table(&engine->schema, statement->drop.names.items[0]);
  if (statement->kind != STATEMENT_DELETE) return NULL;
  const Delete *delete_ = statement->delete_;
  bool is_whole = !delete_->where && !delete_->limit && !delete_->returning_scope &&
                  delete_->scope->sources.count == 1 && delete_->targets.count == 1;
  return is_whole ? delete_->scope->sources.items[0].table : NULL;
}

/* Deleting everything makes a lost table known again; only how many rows there were stays unknown. */
static bool effect_empty(Effect *effect, const Table *table) {
  Engine *engine = effect->engine;
  for (uint32_t k = store_key_count(engine->store, table); k-- > 0;) {
    Key *key = store_key_at(engine->store, table, k);
    if (store_read(engine->store, key, READ_FIND_TARGET)) row_take_out(engine, table, key);
  }
  engine_know_table(engine, table);
  effect->outcome->possible |= ERROR_BIT(ERROR_FOREIGN_KEY);
  return true;
}

/* ---- Statements --------------------------------------------------------------------- */

static bool effect_select(Effect *effect, const Statement *statement) {
  const Select *select = statement->select;
  Eval *eval = effect->eval;
  if (select->into.count) return procedure_select_into(effect, statement);
  Arena *arena = eval->arena;
  ResultSet result;
  eval->arena = effect->results;
  eval->shown = select;
  bool is_done = query_run(eval, select, READ_PLAIN, &result);
  eval->shown = NULL;
  eval->arena = arena;
  if (!is_done) return effect_collect(effect) && false;
  ARENA_PUSH(effect->results, &effect->outcome->results, result);
  return true;
}

static bool statement_is_definition(const Statement *statement) {
  return statement->kind >= STATEMENT_CREATE_TABLE && statement->kind <= STATEMENT_DROP_PROCEDURE;
}

/* Why the subqueries of a statement read. */
static ReadPurpose subquery_purpose(const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_UPDATE:
    return statement->update->scope->sources.count == 1 ? READ_UPDATE_SUBQUERY : READ_INSIDE_WRITE;
  case STATEMENT_INSERT: return statement->insert->select ? READ_INSERT_SELECT : READ_INSIDE_WRITE;
  case STATEMENT_DELETE: return READ_INSIDE_WRITE;
  case STATEMENT_SET: return READ_CONDITION;
  default: return READ_PLAIN;
  }
}

bool effect_one(Effect *effect, const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_SELECT: return effect_select(effect, statement);
  case STATEMENT_INSERT: return effect_insert(effect, statement->insert);
  case STATEMENT_UPDATE: return effect_update(effect, statement->update);
  case STATEMENT_DELETE: return effect_delete(effect, statement->delete_);
  case STATEMENT_TRUNCATE: return effect_truncate(effect, statement);
  case STATEMENT_SAVEPOINT:
  case STATEMENT_ROLLBACK_TO:
  case STATEMENT_RELEASE: return effect_savepoint(effect, statement);
  case STATEMENT_SESSION: return effect_session(effect, statement);
  case STATEMENT_SET: return procedure_set(effect, statement);
  case STATEMENT_CALL: return procedure_call(effect, statement);
  default: break;
  }
  if (statement_is_definition(statement)) return ddl_run(effect, statement);
  eval_unmodelled(effect->eval, "%s outside of a procedure", statement_kind_name(statement->kind));
  return false;
}

/* The statements of a procedure are steps of their own, and savepoints read nothing. */
static bool statement_is_step(const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_CALL:
  case STATEMENT_SAVEPOINT:
  case STATEMENT_ROLLBACK_TO:
  case STATEMENT_RELEASE: return false;
  default: return true;
  }
}

static bool effect_dispatch(Effect *effect, const Statement *statement) {
  effect->eval->purpose = subquery_purpose(statement);
  if (statement_is_step(statement)) store_step(effect->engine->store);
  const RowWiseRunner *runner = effect->engine->rowwise;
  RowWise rowwise;
  if (runner && rowwise_of(effect, statement, &rowwise)) return runner->run(runner->context, &rowwise);
  return effect_one(effect, statement);
}

bool effect_run(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  if (engine->lost_count && !statement_is_definition(statement)) {
    const Table *table = NULL;
    const char *why = statement_lost(engine, statement, &table);
    const Table *emptied = why ? emptied_table(engine, statement) : NULL;
    if (emptied && table_lost(engine, emptied) && !engine_table(engine, emptied)->is_reshaped)
      return effect_empty(effect, emptied);
    if (why) {
      effect->eval->abort = ABORT_DOUBT;
      effect->eval->reason =
          arena_format(effect->results, "what table '%s' holds" LOSS_ORIGIN "%s", table->name, why);
      return false;
    }
  }
  return effect_dispatch(effect, statement);
}

/* ---- Statements about the connection ---------------------------------------------------- */

static bool word_is(const char *text, uint32_t length, const char *word) {
  return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

/* Settings that change what statements mean, wherever the name stands in the text. */
static const char *text_find(const char *text, uint32_t length, const char *word) {
  size_t size = strlen(word);
  for (uint32_t i = 0; i + size <= length; i++)
    if (strncasecmp(text + i, word, size) == 0) return text + i + size;
  return NULL;
}

static bool setting_is_on(const char *at, const char *end) {
  while (at < end && (isspace((unsigned char)*at) || strchr("=(:'\"", *at))) at++;
  uint32_t length = 0;
  while (at + length < end && isalnum((unsigned char)at[length])) length++;
  return word_is(at, length, "1") || word_is(at, length, "on") || word_is(at, length, "true") ||
         word_is(at, length, "yes");
}

static void foreign_keys_undo(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)object;
  engine->schema.dialect.foreign_keys = number != 0;
}

bool effect_session(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  const char *text = effect->text + statement->offset, *end = text + statement->length;
  uint32_t length = 0;
  while (text + length < end && isalpha((unsigned char)text[length])) length++;
  static const char *const silent[] = {"SET",        "USE",    "LOCK",    "UNLOCK", "RESET",
                                       "DISCARD",    "VACUUM", "REINDEX", "LISTEN", "NOTIFY",
                                       "CHECKPOINT", "START",  "BEGIN"};
  bool is_silent = false;
  for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) is_silent |= word_is(text, length, silent[i]);
  bool is_pragma = word_is(text, length, "PRAGMA");
  const char *setting = text_find(text, statement->length, is_pragma ? "foreign_keys" : "foreign_key_checks");
  if (setting && (is_silent || is_pragma)) {
    if (engine->in_transaction)
      store_push_undo(engine->store, foreign_keys_undo, engine, NULL, engine->schema.dialect.foreign_keys);
    engine->schema.dialect.foreign_keys = setting_is_on(setting, end);
    return true;
  }
  if (is_silent && text_find(text, statement->length, "sql_mode")) {
    eval_unmodelled(effect->eval, "a change of sql_mode");
    return false;
  }
  if (is_silent) return true;
  eval_unmodelled(effect->eval, "what %.*s answers", (int)length, text);
  return false;
}
