/* schema.c: the catalogue: names to tables, views and procedures.
 *
 * Objects live in schema->arena for the whole run; linking enters them under
 * their folded names, unlinking takes the names away.  Foreign keys of linked tables
 * are kept in one list, from which `referenced_by` of each parent is made. */
#include "src/sql/schema.h"

#include <ctype.h>
#include <strings.h>

void schema_init(Schema *schema, Dialect dialect) {
  *schema = (Schema){.dialect = dialect, .version = 1};
  arena_init(&schema->arena);
  map_init(&schema->names);
  map_init(&schema->procedures);
  map_init(&schema->index_names);
}

void schema_free(Schema *schema) {
  map_free(&schema->names);
  map_free(&schema->procedures);
  map_free(&schema->index_names);
  ARRAY_FREE(&schema->tables);
  ARRAY_FREE(&schema->foreign_keys);
  arena_free(&schema->arena);
}

static const char *name_lower(Arena *arena, const char *name) {
  char *lower = arena_text(arena, name, strlen(name));
  for (char *c = lower; *c; c++) *c = (char)tolower((unsigned char)*c);
  return lower;
}

Table *schema_table_spelled(const Schema *schema, Arena *arena, const char *name) {
  Table *table = schema_table(schema, schema_fold(schema, arena, name));
  if (table || !dialect_is_postgres(&schema->dialect)) return table;
  return schema_table(schema, name_lower(arena, name));
}

const char *schema_fold(const Schema *schema, Arena *arena, const char *name) {
  return dialect_is_sqlite(&schema->dialect) ? name_lower(arena, name) : name;
}

enum { NAME_BUFFER = 256 };

/* The lookup key in a caller's buffer; longer names than any database allows find nothing. */
static const char *fold_into(const char *name, char buffer[NAME_BUFFER]) {
  size_t length = strlen(name);
  if (length >= NAME_BUFFER) return NULL;
  for (size_t i = 0; i <= length; i++) buffer[i] = (char)tolower((unsigned char)name[i]);
  return buffer;
}

static SchemaEntry *entry_find(const Schema *schema, const char *name) {
  char buffer[NAME_BUFFER];
  if (!dialect_is_sqlite(&schema->dialect)) {
    SchemaEntry *entry = map_find(&schema->names, name);
    if (entry || schema->dialect.name != DIALECT_GENERIC) return entry;
  }
  const char *folded = fold_into(name, buffer);
  return folded ? map_find(&schema->names, folded) : NULL;
}

Table *schema_table(const Schema *schema, const char *name) {
  SchemaEntry *entry = entry_find(schema, name);
  return entry ? entry->table : NULL;
}

View *schema_view(const Schema *schema, const char *name) {
  SchemaEntry *entry = entry_find(schema, name);
  return entry ? entry->view : NULL;
}

Procedure *schema_procedure(const Schema *schema, const char *name) {
  char buffer[NAME_BUFFER];
  const char *folded = fold_into(name, buffer);
  return folded ? map_find(&schema->procedures, folded) : NULL;
}

int32_t table_column(const Table *table, const char *name) {
  for (uint32_t i = 0; i < table->column_count; i++) {
    const char *column = table->columns[i].name;
    if (table->ignores_case ? strcasecmp(column, name) == 0 : strcmp(column, name) == 0) return (int32_t)i;
  }
  return -1;
}

Index *schema_index(const Schema *schema, const char *table_name, const char *name, Table **table) {
  for (uint32_t i = 0; i < schema->tables.count; i++) {
    Table *candidate = schema->tables.items[i];
    if (schema_table(schema, candidate->name) != candidate) continue;
    if (table_name && schema_table(schema, table_name) != candidate) continue;
    for (uint32_t j = 0; j < candidate->indexes.count; j++) {
      Index *index = candidate->indexes.items[j];
      if (index->is_dropped || !index->name) continue;
      bool same =
          candidate->ignores_case ? strcasecmp(index->name, name) == 0 : strcmp(index->name, name) == 0;
      if (!same) continue;
      if (table) *table = candidate;
      return index;
    }
  }
  return NULL;
}

static void names_put(Schema *schema, const char *name, SchemaEntry content) {
  SchemaEntry *entry = ARENA_NEW(&schema->arena, SchemaEntry);
  *entry = content;
  const char *key = schema_fold(schema, &schema->arena, name);
  map_put_copy(&schema->names, key, strlen(key), entry);
  schema->version++;
}

static void names_remove(Schema *schema, const char *name) {
  const char *key = schema_fold(schema, &schema->arena, name);
  map_remove(&schema->names, key, strlen(key));
  schema->version++;
}

static void referenced_by_refresh(Schema *schema, Table *parent) {
  parent->referenced_by.count = 0;
  for (uint32_t i = 0; i < schema->foreign_keys.count; i++) {
    ForeignKey *key = schema->foreign_keys.items[i];
    if (schema_table(schema, key->parent_name) == parent)
      ARENA_PUSH(&schema->arena, &parent->referenced_by, key);
  }
}

static void parents_refresh(Schema *schema, const Table *child) {
  for (uint32_t i = 0; i < child->foreign_keys.count; i++) {
    Table *parent = schema_table(schema, child->foreign_keys.items[i]->parent_name);
    if (parent) referenced_by_refresh(schema, parent);
  }
}

void schema_link_table(Schema *schema, Table *table) {
  bool is_known = table->id < schema->tables.count && schema->tables.items[table->id] == table;
  if (!is_known) {
    table->id = schema->tables.count;
    ARRAY_PUSH(&schema->tables, table);
  }
  names_put(schema, table->name, (SchemaEntry){.table = table});
  for (uint32_t i = 0; i < table->foreign_keys.count; i++)
    ARRAY_PUSH(&schema->foreign_keys, table->foreign_keys.items[i]);
  referenced_by_refresh(schema, table);
  parents_refresh(schema, table);
}

void schema_unlink_table(Schema *schema, Table *table) {
  names_remove(schema, table->name);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < schema->foreign_keys.count; i++) {
    ForeignKey *key = schema->foreign_keys.items[i];
    if (key->child != table) schema->foreign_keys.items[kept++] = key;
  }
  schema->foreign_keys.count = kept;
  parents_refresh(schema, table);
}

void schema_link_view(Schema *schema, View *view) {
  names_put(schema, view->name, (SchemaEntry){.view = view});
}

void schema_unlink_view(Schema *schema, View *view) { names_remove(schema, view->name); }

void schema_link_procedure(Schema *schema, Procedure *procedure) {
  const char *key = name_lower(&schema->arena, procedure->name);
  map_put_copy(&schema->procedures, key, strlen(key), procedure);
  schema->version++;
}

void schema_unlink_procedure(Schema *schema, Procedure *procedure) {
  const char *key = name_lower(&schema->arena, procedure->name);
  map_remove(&schema->procedures, key, strlen(key));
  schema->version++;
}

void schema_link_index(Schema *schema, Table *table, Index *index) {
  bool is_listed = false;
  for (uint32_t i = 0; i < table->indexes.count; i++) is_listed |= table->indexes.items[i] == index;
  if (!is_listed) ARENA_PUSH(&schema->arena, &table->indexes, index);
  index->is_dropped = false;
  if (index->name) {
    const char *key = schema_fold(schema, &schema->arena, index->name);
    map_put_copy(&schema->index_names, key, strlen(key), index);
  }
  schema->version++;
}

void schema_unlink_index(Schema *schema, Table *table, Index *index) {
  (void)table;
  index->is_dropped = true;
  if (index->name) {
    const char *key = schema_fold(schema, &schema->arena, index->name);
    if (map_find(&schema->index_names, key) == index) map_remove(&schema->index_names, key, strlen(key));
  }
  schema->version++;
}

void schema_foreign_keys_of(const Schema *schema, const Table *parent, void (*visit)(ForeignKey *, void *),
                            void *context) {
  for (uint32_t i = 0; i < schema->foreign_keys.count; i++) {
    ForeignKey *key = schema->foreign_keys.items[i];
    if (schema_table(schema, key->parent_name) == parent) visit(key, context);
  }
}
