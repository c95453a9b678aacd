/* world.c: names, rows and keys; the schema as SQLite understood it. */
#include "tests/oracle/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

bool world_beyond(World *world, const char *format, ...) {
  if (world->beyond[0]) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(world->beyond, sizeof world->beyond, format, arguments);
  va_end(arguments);
  return false;
}

/* touched(table, old row id, new row id): called by a trigger for each row that a statement writes. */
static void touched(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  World *world = sqlite3_user_data(context);
  sqlite3_result_null(context);
  if (!world->is_recording) return;
  Touch touch = {.table = (uint32_t)sqlite3_value_int(values[0]),
                 .has_old = sqlite3_value_type(values[1]) != SQLITE_NULL,
                 .has_new = sqlite3_value_type(values[2]) != SQLITE_NULL,
                 .old_row = sqlite3_value_int64(values[1]),
                 .new_row = sqlite3_value_int64(values[2])};
  ARRAY_PUSH(&world->touches, touch);
}

World *world_new(const Dialect *dialect) {
  World *world = memory_new(sizeof *world);
  arena_init(&world->arena);
  world->dialect = *dialect;
  map_init(&world->row_ids);
  map_init(&world->key_ids);
  map_init(&world->outcomes);
  map_init(&world->verdicts);
  ARRAY_PUSH(&world->rows, NULL);
  ARRAY_PUSH(&world->key_tables, 0);
  if (sqlite3_open(":memory:", &world->database) != SQLITE_OK) fatal("SQLite: no memory");
  sqlite3_create_function(world->database, "touched", 3, SQLITE_UTF8, world, touched, NULL, NULL);
  return world;
}

void world_free(World *world) {
  for (uint32_t i = 0; i < world->prepared.count; i++) sqlite3_finalize(world->prepared.items[i]);
  for (uint32_t i = 0; i < world->table_count; i++) {
    sqlite3_finalize(world->tables[i].insert);
    sqlite3_finalize(world->tables[i].fetch);
  }
  sqlite3_close(world->database);
  ARRAY_FREE(&world->rows);
  ARRAY_FREE(&world->key_tables);
  ARRAY_FREE(&world->prepared);
  ARRAY_FREE(&world->touches);
  map_free(&world->row_ids);
  map_free(&world->key_ids);
  map_free(&world->outcomes);
  map_free(&world->verdicts);
  arena_free(&world->arena);
  free(world);
}

/* ---- Rows and keys ------------------------------------------------------------------- */

typedef struct Bytes {
  char bytes[2048];
  size_t length;
} Bytes;

static void bytes_put(Bytes *bytes, const void *data, size_t length) {
  if (bytes->length + length > sizeof bytes->bytes) fatal("the oracle is for tiny rows");
  memcpy(bytes->bytes + bytes->length, data, length);
  bytes->length += length;
}

/* Equal bytes exactly where the values are equal: integers and reals of the same size are. */
static void bytes_put_value(Bytes *bytes, Value value) {
  if (value.kind == VALUE_DOUBLE && value.real == (double)(int64_t)value.real)
    value = value_int((int64_t)value.real);
  bytes_put(bytes, &value.kind, 1);
  if (value.kind == VALUE_TEXT) {
    bytes_put(bytes, &value.length, sizeof value.length);
    bytes_put(bytes, value.text, value.length);
  } else if (value.kind != VALUE_NULL) {
    bytes_put(bytes, &value.integer, sizeof value.integer);
  }
}

RowId world_row(World *world, const Row *row) {
  Bytes bytes = {.length = 0};
  bytes_put(&bytes, &row->table, sizeof row->table);
  for (uint32_t i = 0; i < row->count; i++) bytes_put_value(&bytes, row->values[i]);
  uintptr_t known = (uintptr_t)map_get(&world->row_ids, bytes.bytes, bytes.length);
  if (known) return (RowId)known;
  Row *copy = ARENA_NEW(&world->arena, Row);
  *copy = *row;
  for (uint32_t i = 0; i < row->count; i++) copy->values[i] = value_copy(&world->arena, row->values[i]);
  RowId id = world->rows.count;
  ARRAY_PUSH(&world->rows, copy);
  map_put_copy(&world->row_ids, bytes.bytes, bytes.length, (void *)(uintptr_t)id);
  return id;
}

KeyId world_key(World *world, RowId row_id, uint32_t body) {
  const Row *row = world->rows.items[row_id];
  const Table *table = &world->tables[row->table];
  Bytes bytes = {.length = 0};
  bytes_put(&bytes, &row->table, sizeof row->table);
  if (!table->has_key) bytes_put(&bytes, &body, sizeof body);
  for (int rank = 1; rank <= COLUMNS_MOST; rank++)
    for (uint32_t i = 0; i < row->count; i++)
      if (table->rank[i] == rank) bytes_put_value(&bytes, row->values[i]);
  uintptr_t known = (uintptr_t)map_get(&world->key_ids, bytes.bytes, bytes.length);
  if (known) return (KeyId)known;
  KeyId id = world->key_tables.count;
  ARRAY_PUSH(&world->key_tables, row->table);
  map_put_copy(&world->key_ids, bytes.bytes, bytes.length, (void *)(uintptr_t)id);
  return id;
}

int world_table_find(const World *world, const char *name, size_t length) {
  for (uint32_t i = 0; i < world->table_count; i++)
    if (strlen(world->tables[i].name) == length && !strncasecmp(world->tables[i].name, name, length))
      return (int)i;
  return -1;
}

/* ---- Set-up -------------------------------------------------------------------------- */

bool world_setup(World *world, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(world->database, sql, NULL, NULL, &message) == SQLITE_OK) return true;
  world_beyond(world, "set-up: %s", message ? message : "?");
  sqlite3_free(message);
  return false;
}

bool world_fill(World *world, const TableLine *line) {
  for (uint32_t r = 0; r < line->row_count; r++) {
    uint32_t count = line->rows[r].count;
    char sql[1024];
    int used = snprintf(sql, sizeof sql, "INSERT INTO %s", line->table);
    for (uint32_t i = 0; line->has_columns && i < line->column_count; i++)
      used += snprintf(sql + used, sizeof sql - (size_t)used, "%s%s%s", i ? "," : " (", line->columns[i],
                       i + 1 == line->column_count ? ")" : "");
    for (uint32_t i = 0; i < count; i++)
      used += snprintf(sql + used, sizeof sql - (size_t)used, "%s", i ? ",?" : " VALUES (?");
    snprintf(sql + used, sizeof sql - (size_t)used, ")");
    sqlite3_stmt *insert = NULL;
    if (sqlite3_prepare_v2(world->database, sql, -1, &insert, NULL) != SQLITE_OK)
      return world_beyond(world, "table line: %s", sqlite3_errmsg(world->database));
    for (uint32_t i = 0; i < count; i++) {
      if (line->rows[r].cells[i].kind != CELL_VALUE) world_beyond(world, "a cell of several values");
      world_bind(insert, (int)i + 1, line->rows[r].cells[i].value);
    }
    if (sqlite3_step(insert) != SQLITE_DONE)
      world_beyond(world, "table line: %s", sqlite3_errmsg(world->database));
    sqlite3_finalize(insert);
  }
  return !world->beyond[0];
}

static bool table_describe(World *world, Table *table) {
  sqlite3_stmt *info = NULL;
  char sql[256];
  snprintf(sql, sizeof sql, "SELECT name, pk FROM pragma_table_info('%s')", table->name);
  if (sqlite3_prepare_v2(world->database, sql, -1, &info, NULL) != SQLITE_OK) return false;
  while (sqlite3_step(info) == SQLITE_ROW && table->column_count < COLUMNS_MOST) {
    uint32_t column = table->column_count++;
    snprintf(table->columns[column], sizeof table->columns[column], "%s",
             (const char *)sqlite3_column_text(info, 0));
    table->rank[column] = sqlite3_column_int(info, 1);
    table->has_key |= table->rank[column] > 0;
  }
  sqlite3_finalize(info);
  snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_foreign_key_list('%s')", table->name);
  if (sqlite3_prepare_v2(world->database, sql, -1, &info, NULL) != SQLITE_OK) return false;
  if (sqlite3_step(info) == SQLITE_ROW)
    world->has_foreign_keys |= world->dialect.foreign_keys && sqlite3_column_int(info, 0) > 0;
  sqlite3_finalize(info);
  snprintf(sql, sizeof sql,
           "SELECT count(*) FROM pragma_index_list('%s') WHERE \"unique\" AND origin <> 'pk'", table->name);
  if (sqlite3_prepare_v2(world->database, sql, -1, &info, NULL) != SQLITE_OK) return false;
  if (sqlite3_step(info) == SQLITE_ROW) world->has_unique |= sqlite3_column_int(info, 0) > 0;
  sqlite3_finalize(info);
  return table->column_count > 0;
}

/* A trigger also keeps SQLite from deleting all rows without visiting them. */
static bool table_watch(World *world, uint32_t index) {
  const char *name = world->tables[index].name;
  char sql[1024];
  snprintf(
      sql, sizeof sql,
      "CREATE TEMP TRIGGER touch_insert_%s AFTER INSERT ON %s BEGIN SELECT touched(%u,NULL,NEW.rowid); END;"
      "CREATE TEMP TRIGGER touch_update_%s AFTER UPDATE ON %s BEGIN SELECT touched(%u,OLD.rowid,NEW.rowid); "
      "END;"
      "CREATE TEMP TRIGGER touch_delete_%s AFTER DELETE ON %s BEGIN SELECT touched(%u,OLD.rowid,NULL); END;",
      name, name, index, name, name, index, name, name, index);
  return world_setup(world, sql);
}

static bool table_prepare(World *world, Table *table) {
  char sql[512];
  int used = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", table->name);
  for (uint32_t i = 1; i < table->column_count; i++)
    used += snprintf(sql + used, sizeof sql - (size_t)used, ",?");
  snprintf(sql + used, sizeof sql - (size_t)used, ")");
  if (sqlite3_prepare_v2(world->database, sql, -1, &table->insert, NULL) != SQLITE_OK) return false;
  snprintf(sql, sizeof sql, "SELECT * FROM %s WHERE rowid = ?", table->name);
  return sqlite3_prepare_v2(world->database, sql, -1, &table->fetch, NULL) == SQLITE_OK;
}

static int item_compare(const void *a, const void *b) {
  KeyId left = ((const Item *)a)->key, right = ((const Item *)b)->key;
  return left < right ? -1 : left > right;
}

static bool table_collect(World *world, uint32_t index) {
  char sql[128];
  snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY rowid", world->tables[index].name);
  sqlite3_stmt *select = NULL;
  if (sqlite3_prepare_v2(world->database, sql, -1, &select, NULL) != SQLITE_OK)
    return world_beyond(world, "%s", sqlite3_errmsg(world->database));
  while (sqlite3_step(select) == SQLITE_ROW) {
    Row row = {.table = index, .count = world->tables[index].column_count};
    for (uint32_t i = 0; i < row.count; i++) {
      int type = sqlite3_column_type(select, (int)i);
      if (type == SQLITE_INTEGER) row.values[i] = value_int(sqlite3_column_int64(select, (int)i));
      if (type == SQLITE_FLOAT) row.values[i] = value_double(sqlite3_column_double(select, (int)i));
      if (type == SQLITE_TEXT)
        row.values[i] = value_string((const char *)sqlite3_column_text(select, (int)i));
    }
    if (world->initial.count == ITEMS_MOST / 2)
      return sqlite3_finalize(select), world_beyond(world, "too many rows");
    RowId id = world_row(world, &row);
    uint32_t body = ++world->body_count;
    world->initial.items[world->initial.count++] = (Item){world_key(world, id, body), id, body};
  }
  sqlite3_finalize(select);
  return true;
}

bool world_begin(World *world) {
  sqlite3_stmt *names = NULL;
  sqlite3_prepare_v2(world->database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid",
                     -1, &names, NULL);
  while (sqlite3_step(names) == SQLITE_ROW) {
    if (world->table_count == TABLES_MOST)
      return sqlite3_finalize(names), world_beyond(world, "too many tables");
    Table *table = &world->tables[world->table_count++];
    snprintf(table->name, sizeof table->name, "%s", (const char *)sqlite3_column_text(names, 0));
  }
  sqlite3_finalize(names);
  for (uint32_t i = 0; i < world->table_count; i++) {
    if (!table_describe(world, &world->tables[i]) || !table_collect(world, i))
      return world_beyond(world, "table %s", world->tables[i].name);
    char sql[64];
    snprintf(sql, sizeof sql, "DELETE FROM %s", world->tables[i].name);
    if (!world_setup(world, sql)) return false;
  }
  for (uint32_t i = 0; i < world->table_count; i++)
    if (!table_watch(world, i) || !table_prepare(world, &world->tables[i]))
      return world_beyond(world, "table %s: %s", world->tables[i].name, sqlite3_errmsg(world->database));
  qsort(world->initial.items, world->initial.count, sizeof(Item), item_compare);
  return true;
}
