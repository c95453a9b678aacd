/* objects.c: the hidden table has two columns, name (the primary key) and value. */
#include "semantics/objects.h"

#include "semantics/match.h"

#include <stdlib.h>

enum { OBJECT_NAME, OBJECT_VALUE, OBJECT_COLUMNS };

struct Objects {
  Engine *engine;
  Table *table;
  Index *names;
};

static Table *objects_table(Schema *schema, Index **names) {
  Table *table = ARENA_NEW(&schema->arena, Table);
  table->name = "key-value objects"; /* no SQL name contains a blank without quotes */
  table->column_count = OBJECT_COLUMNS;
  table->columns = ARENA_ARRAY(&schema->arena, Column, OBJECT_COLUMNS);
  table->columns[OBJECT_NAME] = (Column){.name = "name", .type = type_of(TYPE_TEXT), .not_null = true};
  table->columns[OBJECT_VALUE] = (Column){.name = "value", .type = type_of(TYPE_DYNAMIC)};
  table->columns[OBJECT_NAME].type.is_binary = true;
  *names = ARENA_NEW(&schema->arena, Index);
  **names = (Index){.column_count = 1,
                    .columns = ARENA_ARRAY(&schema->arena, uint32_t, 1),
                    .unique = true,
                    .primary = true,
                    .is_constraint = true};
  ARENA_PUSH(&schema->arena, &table->indexes, *names);
  table->rowid_column = table->auto_column = -1;
  schema_link_table(schema, table);
  return table;
}

Objects *objects_new(Engine *engine) {
  Objects *objects = memory_new(sizeof *objects);
  objects->engine = engine;
  objects->table = objects_table(engine_schema(engine), &objects->names);
  store_add_table(engine_store(engine), objects->table);
  return objects;
}

void objects_free(Objects *objects) { free(objects); }

static Key *objects_find(const Objects *objects, const char *name) {
  Value text = value_string(name);
  return store_find(engine_store(objects->engine), objects->table, objects->names, &text);
}

Value objects_read(const Objects *objects, const char *name) {
  Key *key = objects_find(objects, name);
  const Version *row = key ? store_read(engine_store(objects->engine), key, READ_PLAIN) : NULL;
  return row ? row->values[OBJECT_VALUE] : NULL_VALUE;
}

void objects_write(Objects *objects, const char *name, Value value) {
  Store *store = engine_store(objects->engine);
  Value row[OBJECT_COLUMNS] = {value_string(name), value};
  Key *key = objects_find(objects, name);
  if (key)
    store_update(store, objects->table, key, row);
  else
    store_insert(store, objects->table, row, 0);
}

bool objects_append(Objects *objects, const char *name, Value item) {
  Value old = objects_read(objects, name);
  if (old.kind != VALUE_NULL && old.kind != VALUE_LIST) return false;
  uint32_t count = old.kind == VALUE_LIST ? old.length : 0;
  Value *items = arena_alloc(engine_arena(objects->engine), (count + 1) * sizeof *items);
  if (count) memcpy(items, old.items, count * sizeof *items);
  items[count] = item;
  objects_write(objects, name, (Value){.kind = VALUE_LIST, .length = count + 1, .items = items});
  return true;
}

bool objects_match(const Objects *objects, Value value, const Observed *observed) {
  bool empty = observed->value.kind == VALUE_NULL ||
               (observed->value.kind == VALUE_LIST && observed->value.length == 0);
  if (value.kind == VALUE_NULL) return empty;
  const Dialect *dialect = &engine_schema(objects->engine)->dialect;
  return match_cell(dialect, engine_doubts(objects->engine), value, type_of(TYPE_DYNAMIC), 0, observed) == 1;
}
