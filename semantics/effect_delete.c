/* effect_delete.c: DELETE, of one table or (mysql) several joined ones, and TRUNCATE. */
#include "semantics/constraint.h"
#include "semantics/interleave.h"

static bool delete_target(Effect *effect, const Delete *delete_, const Table *table, Key *key,
                          int64_t *affected) {
  /* The same row may stand in several combinations. */
  const Version *version = store_read(effect->engine->store, key, READ_RECHECK_TARGET);
  if (!version) return true;
  if (!effect_return(effect, delete_->returning_scope, version->values)) return false;
  row_delete(effect, table, key);
  ++*affected;
  return true;
}

bool effect_delete(Effect *effect, const Delete *delete_) {
  Eval *eval = effect->eval;
  Matches matches = {0};
  bool is_free = false;
  eval->in_write = eval->dialect->name != DIALECT_MARIADB; /* MariaDB only warns of bad values here */
  eval->in_search = true;
  bool is_found =
      query_matches(eval, delete_->scope, delete_->targets.items, delete_->targets.count, &matches, &is_free);
  eval->in_search = false;
  if (!is_found) return effect_collect(effect) && false;
  if (is_free) {
    eval_unmodelled(eval, "LIMIT leaves open which rows are deleted");
    return false;
  }
  const Table *table = delete_->scope->sources.items[0].table;
  if (dialect_is_sqlite(eval->dialect) && table &&
      delete_sees_itself(delete_, table, matches.count, store_key_count(eval->store, table))) {
    eval_unmodelled(eval, "a DELETE with a subquery that may see rows already deleted");
    return false;
  }
  effect_returns(effect, delete_->returning_scope);
  int64_t affected = 0;
  for (uint32_t i = 0; i < matches.count; i++) {
    for (uint32_t t = 0; t < delete_->targets.count; t++) {
      uint32_t source = delete_->targets.items[t];
      Key *key = matches.items[i].keys[source];
      if (!key) continue;
      if (!delete_target(effect, delete_, delete_->scope->sources.items[source].table, key, &affected))
        return false;
    }
  }
  effect_count(effect, affected);
  return foreign_keys_check(effect) && !effect->errors;
}

/* ---- TRUNCATE ------------------------------------------------------------------------ */

static bool is_truncated(const Effect *effect, const Statement *statement, const Table *table) {
  for (uint32_t i = 0; i < statement->drop.names.count; i++)
    if (schema_table(&effect->engine->schema, statement->drop.names.items[i]) == table) return true;
  return false;
}

static bool truncate_is_allowed(Effect *effect, const Statement *statement, const Table *table) {
  if (!effect_dialect(effect)->foreign_keys) return true;
  for (uint32_t i = 0; i < table->referenced_by.count; i++) {
    const Table *child = table->referenced_by.items[i]->child;
    if (child == table || is_truncated(effect, statement, child)) continue;
    if (statement->drop.cascade) {
      eval_unmodelled(effect->eval, "TRUNCATE ... CASCADE");
      return false;
    }
    effect_fail(effect, ERROR_OTHER, "table '%s' is referred to by table '%s'", table->name, child->name);
    effect->errors |= ERROR_BIT(ERROR_FOREIGN_KEY);
    return false;
  }
  return true;
}

bool effect_truncate(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    const Table *table = schema_table(&engine->schema, statement->drop.names.items[i]);
    if (!table) return effect_fail(effect, ERROR_NO_TABLE, "no table '%s'", statement->drop.names.items[i]);
    if (!truncate_is_allowed(effect, statement, table)) return false;
    for (uint32_t k = store_key_count(engine->store, table); k-- > 0;) {
      Key *key = store_key_at(engine->store, table, k);
      if (store_read(engine->store, key, READ_FIND_TARGET)) row_take_out(engine, table, key);
    }
    if (dialect_is_mysql(effect_dialect(effect))) engine_table(engine, table)->next_key = 1;
  }
  return true;
}
