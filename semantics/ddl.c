/* ddl.c: tables and indexes. */
#include "semantics/ddl.h"

#include "semantics/constraint.h"
#include "semantics/logic.h"
#include "src/sql/resolve.h"

/* ---- Undo ---------------------------------------------------------------------------- */

static void undo_create_table(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  schema_unlink_table(&engine->schema, object);
}

static void undo_drop_table(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  schema_link_table(&engine->schema, object);
}

static void undo_create_index(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  Table *table = engine->schema.tables.items[number];
  schema_unlink_index(&engine->schema, table, object);
  store_drop_index(engine->store, table, object);
}

static void undo_drop_index(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  Table *table = engine->schema.tables.items[number];
  schema_link_index(&engine->schema, table, object);
  store_add_index(engine->store, table, object);
}

static void undo_create_partial_index(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  map_remove(&engine->partial_indexes, object, strlen(object));
}

static void undo_drop_partial_index(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  map_put(&engine->partial_indexes, object, strlen(object), object);
}

/* ---- CREATE TABLE ------------------------------------------------------------------------ */

/* mariadb: a default is computed once to see whether the column takes it. */
static bool defaults_fit(Effect *effect, const Table *table) {
  Eval *eval = effect->eval;
  if (effect_dialect(effect)->name != DIALECT_MARIADB) return true;
  for (uint32_t i = 0; i < table->column_count; i++) {
    const Column *column = &table->columns[i];
    if (!column->default_value || !expr_is_constant(column->default_value)) continue;
    Value value = effect_default(effect, table, i);
    bool is_bad = eval->abort == ABORT_ERROR || (!eval->abort && value_is_null(value) && column->not_null);
    eval->abort = ABORT_NONE;
    if (is_bad) return effect_fail(effect, ERROR_OTHER, "invalid default value for '%s'", column->name);
  }
  return true;
}

static bool create_table(Effect *effect, const CreateTable *create) {
  Engine *engine = effect->engine;
  Schema *schema = &engine->schema;
  bool exists = schema_table(schema, create->name) || schema_view(schema, create->name);
  if (exists && create->is_temporary) {
    eval_unmodelled(effect->eval, "a temporary table that hides another table '%s'", create->name);
    return false;
  }
  if (exists && create->if_not_exists) return true;
  if (exists) return effect_fail(effect, ERROR_DUPLICATE_OBJECT, "table '%s' exists already", create->name);
  if (create->select) {
    eval_unmodelled(effect->eval, "CREATE TABLE ... AS SELECT");
    return false;
  }
  Table *table = NULL;
  Resolution resolution = {0};
  switch (resolve_table(schema, create, effect->eval->inputs, effect->input_count, &table, &resolution)) {
  case RESOLVE_OK: break;
  case RESOLVE_ERROR: return effect_fail(effect, resolution.error, "%s", resolution.message);
  case RESOLVE_UNMODELLED: eval_unmodelled(effect->eval, "%s", resolution.message); return false;
  }
  if (!defaults_fit(effect, table)) return false;
  schema_link_table(schema, table);
  store_add_table(engine->store, table);
  *engine_table(engine, table) = (TableState){.next_key = 1};
  store_push_undo(engine->store, undo_create_table, engine, table, 0);
  return true;
}

/* ---- DROP TABLE -------------------------------------------------------------------------- */

static bool is_dropped_too(const Effect *effect, const Statement *statement, const Table *table) {
  for (uint32_t i = 0; i < statement->drop.names.count; i++)
    if (schema_table(&effect->engine->schema, statement->drop.names.items[i]) == table) return true;
  return false;
}

/* A table that others refer to cannot go; sqlite looks at the rows. */
static bool drop_refused_by_children(Effect *effect, const Statement *statement, const Table *table) {
  const Dialect *dialect = effect_dialect(effect);
  if (dialect_is_sqlite(dialect) && !dialect->foreign_keys) return false;
  for (uint32_t i = 0; i < table->referenced_by.count; i++) {
    const Table *child = table->referenced_by.items[i]->child;
    if (child == table || is_dropped_too(effect, statement, child)) continue;
    if (statement->drop.cascade) {
      eval_unmodelled(effect->eval, "DROP TABLE ... CASCADE of a table that others refer to");
      return true;
    }
    if (dialect_is_sqlite(dialect)) {
      bool is_used;
      if (!foreign_key_is_used(effect, table, &is_used)) return true;
      if (!is_used) continue;
    }
    if (dialect_is_mysql(dialect) && !dialect->foreign_keys) continue;
    effect_fail(effect, ERROR_FOREIGN_KEY, "table '%s' is referred to by table '%s'", table->name,
                child->name);
    effect->errors |= ERROR_BIT(ERROR_OTHER);
    return true;
  }
  if (dialect->name == DIALECT_POSTGRESQL && ddl_view_uses(effect, table->name)) {
    if (statement->drop.cascade)
      eval_unmodelled(effect->eval, "DROP TABLE ... CASCADE of a table that a view uses");
    else
      effect_fail(effect, ERROR_OTHER, "a view uses table '%s'", table->name);
    return true;
  }
  return false;
}

static bool drop_table(Effect *effect, Table *table) {
  Engine *engine = effect->engine;
  for (uint32_t k = store_key_count(engine->store, table); k-- > 0;) {
    Key *key = store_key_at(engine->store, table, k);
    if (store_read(engine->store, key, READ_FIND_TARGET)) row_take_out(engine, table, key);
  }
  engine_know_table(engine, table);
  schema_unlink_table(&engine->schema, table);
  store_push_undo(engine->store, undo_drop_table, engine, table, 0);
  return true;
}

static bool drop_tables(Effect *effect, const Statement *statement) {
  Schema *schema = &effect->engine->schema;
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    const char *name = statement->drop.names.items[i];
    const Table *table = schema_table(schema, name);
    if (table) {
      if (drop_refused_by_children(effect, statement, table)) return false;
    } else if (schema_view(schema, name)) {
      effect_fail(effect, ERROR_NO_TABLE, "'%s' is a view", name);
      effect->errors |= ERROR_BIT(ERROR_OTHER);
      return false;
    } else if (!statement->drop.if_exists) {
      return effect_fail(effect, ERROR_NO_TABLE, "no table '%s'", name);
    }
  }
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    Table *table = schema_table(schema, statement->drop.names.items[i]);
    if (table) drop_table(effect, table);
  }
  return true;
}

/* ---- Indexes ------------------------------------------------------------------------------ */

static Index *index_new(Schema *schema, const Table *table, const CreateIndex *create, const char **unknown) {
  Index *index = ARENA_NEW(&schema->arena, Index);
  index->name = create->name ? arena_text(&schema->arena, create->name, strlen(create->name)) : NULL;
  index->unique = create->unique;
  index->column_count = create->columns.count;
  index->columns = ARENA_ARRAY(&schema->arena, uint32_t, create->columns.count);
  for (uint32_t i = 0; i < create->columns.count; i++) {
    int32_t column = table_column(table, create->columns.items[i]);
    if (column < 0) {
      *unknown = create->columns.items[i];
      return NULL;
    }
    index->columns[i] = (uint32_t)column;
  }
  return index;
}

/* A unique index over rows that are there already. */
static bool index_is_violated(Effect *effect, const Table *table, const Index *index) {
  Store *store = effect->engine->store;
  uint32_t keys = store_key_count(store, table);
  for (uint32_t k = 0; k < keys; k++) {
    Key *key = store_key_at(store, table, k);
    const Version *version = store_read(store, key, READ_KEY_CHECK);
    bool maybe = false;
    if (!version) continue;
    if (unique_conflict(effect->eval, table, index, version->values, key, READ_KEY_CHECK, &maybe))
      return true;
    if (effect->eval->abort) return true;
  }
  return false;
}

/* It speeds up nothing here, but its name is taken. */
static bool create_partial_index(Effect *effect, const char *name, bool if_not_exists) {
  Engine *engine = effect->engine;
  if (!name) return true;
  if (map_find(&engine->partial_indexes, name))
    return if_not_exists ? true
                         : effect_fail(effect, ERROR_DUPLICATE_OBJECT, "index '%s' exists already", name);
  char *kept = arena_text(&engine->schema.arena, name, strlen(name));
  map_put(&engine->partial_indexes, kept, strlen(kept), kept);
  store_push_undo(engine->store, undo_create_partial_index, engine, kept, 0);
  return true;
}

static bool create_index(Effect *effect, const CreateIndex *create) {
  Engine *engine = effect->engine;
  Schema *schema = &engine->schema;
  Table *table = schema_table(schema, create->table_name);
  if (!table) return effect_fail(effect, ERROR_NO_TABLE, "no table '%s'", create->table_name);
  const char *scope = dialect_is_mysql(&schema->dialect) ? create->table_name : NULL;
  if (create->name && schema_index(schema, scope, create->name, NULL)) {
    if (create->if_not_exists) return true;
    return effect_fail(effect, ERROR_DUPLICATE_OBJECT, "index '%s' exists already", create->name);
  }
  if (create->unique && create->is_partial) {
    eval_unmodelled(effect->eval, "a unique index over part of a table");
    return false;
  }
  if (create->is_partial) return create_partial_index(effect, create->name, create->if_not_exists);
  const char *unknown = NULL;
  Index *index = index_new(schema, table, create, &unknown);
  if (!index) return effect_fail(effect, ERROR_NO_COLUMN, "no column '%s'", unknown);
  schema_link_index(schema, table, index);
  store_add_index(engine->store, table, index);
  store_push_undo(engine->store, undo_create_index, engine, index, table->id);
  if (index->unique && engine_lost(engine, table)) {
    effect->outcome->possible |= ERROR_BIT(ERROR_UNIQUE);
    return true;
  }
  if (index->unique && index_is_violated(effect, table, index))
    return effect->eval->abort ? false : effect_fail(effect, ERROR_UNIQUE, "rows with the same key exist");
  return true;
}

/* Its first columns are the given ones. */
static bool index_begins(const Table *table, const Index *index, const ForeignKey *key, bool is_parent) {
  if (index->is_dropped || index->column_count < key->column_count) return false;
  if (is_parent && key->parent_column_names.count < key->column_count) return index->primary;
  for (uint32_t i = 0; i < key->column_count; i++) {
    int32_t column =
        is_parent ? table_column(table, key->parent_column_names.items[i]) : (int32_t)key->columns[i];
    if (column < 0 || index->columns[i] != (uint32_t)column) return false;
  }
  return true;
}

static bool index_is_the_only(const Table *table, const Index *index, const ForeignKey *key, bool is_parent) {
  if (!index_begins(table, index, key, is_parent)) return false;
  for (uint32_t i = 0; i < table->indexes.count; i++)
    if (table->indexes.items[i] != index && index_begins(table, table->indexes.items[i], key, is_parent))
      return false;
  return true;
}

/* mysql: both ends of a foreign key need an index. */
static bool index_is_needed(const Table *table, const Index *index) {
  for (uint32_t i = 0; i < table->foreign_keys.count; i++)
    if (index_is_the_only(table, index, table->foreign_keys.items[i], false)) return true;
  for (uint32_t i = 0; i < table->referenced_by.count; i++)
    if (index_is_the_only(table, index, table->referenced_by.items[i], true)) return true;
  return false;
}

/* An index that is missing: perhaps a statement that was set aside made it. */
static bool drop_no_index(Effect *effect, const char *on_table, const char *name, bool if_exists) {
  Engine *engine = effect->engine;
  const Table *table = on_table ? schema_table(&engine->schema, on_table) : NULL;
  bool is_reshaped = table ? engine_table(engine, table)->is_reshaped : engine->schema_doubt != NULL;
  if (is_reshaped) {
    effect->eval->abort = ABORT_DOUBT;
    effect->eval->reason = engine->schema_doubt;
    return false;
  }
  if (on_table && !table) { /* IF EXISTS is about the index alone */
    bool is_view = schema_view(&engine->schema, on_table) != NULL;
    return effect_fail(effect, is_view ? ERROR_OTHER : ERROR_NO_TABLE, "no such table: %s", on_table);
  }
  return if_exists ? true : effect_fail(effect, ERROR_NO_OBJECT, "no index '%s'", name);
}

static bool drop_index(Effect *effect, const char *on_table, const char *name, bool if_exists) {
  Engine *engine = effect->engine;
  Table *table = NULL;
  Index *index = schema_index(&engine->schema, on_table, name, &table);
  char *partial = index ? NULL : map_remove(&engine->partial_indexes, name, strlen(name));
  if (partial) {
    store_push_undo(engine->store, undo_drop_partial_index, engine, partial, 0);
    return true;
  }
  if (!index) return drop_no_index(effect, on_table, name, if_exists);
  if (index->is_constraint && !dialect_is_mysql(effect_dialect(effect)))
    return effect_fail(effect, ERROR_OTHER, "index '%s' belongs to a constraint", name);
  if (index->primary) {
    eval_unmodelled(effect->eval, "dropping a primary key");
    return false;
  }
  if (dialect_is_mysql(effect_dialect(effect)) && index_is_needed(table, index)) {
    effect->errors |= ERROR_BIT(ERROR_OTHER);
    return effect_fail(effect, ERROR_FOREIGN_KEY, "a foreign key needs index '%s'", name);
  }
  schema_unlink_index(&engine->schema, table, index);
  store_drop_index(engine->store, table, index);
  store_push_undo(engine->store, undo_drop_index, engine, index, table->id);
  return true;
}

static bool drop_indexes(Effect *effect, const Statement *statement) {
  for (uint32_t i = 0; i < statement->drop.names.count; i++)
    if (!drop_index(effect, statement->drop.on_table, statement->drop.names.items[i],
                    statement->drop.if_exists))
      return false;
  return true;
}

/* ---- All of them ----------------------------------------------------------------------------- */

bool ddl_run(Effect *effect, const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_CREATE_TABLE: return create_table(effect, statement->create_table);
  case STATEMENT_DROP_TABLE: return drop_tables(effect, statement);
  case STATEMENT_CREATE_INDEX: return create_index(effect, statement->create_index);
  case STATEMENT_DROP_INDEX: return drop_indexes(effect, statement);
  case STATEMENT_CREATE_VIEW: return ddl_create_view(effect, statement);
  case STATEMENT_DROP_VIEW: return ddl_drop_views(effect, statement);
  case STATEMENT_CREATE_PROCEDURE: return ddl_create_procedure(effect, statement);
  default: return ddl_drop_procedures(effect, statement);
  }
}
