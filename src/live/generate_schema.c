/* generate_schema.c: CREATE and DROP of tables, indexes and views.
 *
 * A drawn definition goes into `pending`; it becomes the schema when the caller reports success. */
#include "src/live/generate_draw.h"

static void pending_begin(Generator *generator) {
  generator->pending = generator->schema;
  generator->has_pending = true;
  generator->kind = GENERATED_DEFINITION;
}

static void fresh_name(Generator *generator, char name[NAME_SIZE], char letter) {
  snprintf(name, NAME_SIZE, "%c%u", letter, generator->next_name++ % 100000);
}

static void draw_column_name(Generator *generator, const DrawnTable *table, char name[NAME_SIZE]) {
  for (bool is_taken = true; is_taken;) {
    snprintf(name, NAME_SIZE, "%c", (char)('a' + draw_below(generator, 9)));
    is_taken = false;
    for (uint32_t i = 0; i < table->column_count; i++) is_taken |= !strcmp(table->columns[i].name, name);
  }
}

static DrawnColumn *table_add(Generator *generator, DrawnTable *table, OperandType type) {
  DrawnColumn column = {.type = type};
  draw_column_name(generator, table, column.name);
  table->columns[table->column_count] = column;
  return &table->columns[table->column_count++];
}

static void table_add_key(DrawnTable *table, bool is_primary, uint32_t first, uint32_t count) {
  if (table->key_count == KEY_LIMIT) return;
  DrawnKey *key = &table->keys[table->key_count++];
  *key = (DrawnKey){.count = count, .columns = {first, first + 1}, .is_primary = is_primary};
}

/* A key of one column that the database fills when no value is given. */
static void draw_serial(Generator *generator, DrawnTable *table) {
  DrawnColumn *column = table_add(generator, table, OPERAND_INTEGER);
  bool is_serial = generator->is_sqlite || (generator->options.has_free_values && draw_chance(generator, 50));
  column->is_serial = is_serial;
  column->not_null = true;
  const char *words = generator->is_sqlite     ? "INTEGER"
                      : !is_serial             ? "INT"
                      : generator->is_postgres ? "serial"
                                               : "INT AUTO_INCREMENT";
  emit(generator, "%s %s PRIMARY KEY", column->name, words);
  table_add_key(table, true, 0, 1);
  cover_feature(generator, generator->is_sqlite ? FEATURE_PRIMARY_KEY_ROWID : FEATURE_PRIMARY_KEY);
}

static void draw_column_collation(Generator *generator) {
  if (!generator->is_sqlite || !draw_chance(generator, 10)) return;
  emit(generator, " COLLATE NOCASE");
  cover_feature(generator, FEATURE_COLLATE_COLUMN);
}

static void draw_key_column(Generator *generator, DrawnTable *table, const char *words) {
  static const OperandType types[] = {OPERAND_INTEGER, OPERAND_INTEGER, OPERAND_TEXT, OPERAND_REAL};
  OperandType type = types[draw_below(generator, generator->is_sqlite ? 4 : 3)];
  DrawnColumn *column = table_add(generator, table, type);
  column->is_short = true;
  column->not_null = !generator->is_sqlite && *words;
  /* INTEGER PRIMARY KEY would be the row id. */
  const char *type_name = type == OPERAND_INTEGER ? "INT" : type_words(generator, type, true);
  emit(generator, "%s %s%s", column->name, type_name, words);
  /* SQLite 3.40 compares a row that refers to itself byte by byte. */
  if (type == OPERAND_TEXT && !generator->options.has_foreign_keys) draw_column_collation(generator);
}

static void draw_default(Generator *generator, DrawnColumn *column) {
  if (!draw_chance(generator, 20)) return;
  emit(generator, " DEFAULT ");
  bool has_parentheses = draw_chance(generator, 30);
  if (has_parentheses) emit(generator, "(");
  generator->avoids_truth = generator->is_sqlite; /* in a DEFAULT */
  if (has_parentheses && !generator->is_strict)
    draw_expression(generator, &(Scope){.forbids_subqueries = true}, column->type, 1);
  else
    draw_literal(generator, column->type);
  if (has_parentheses) emit(generator, ")");
  generator->avoids_truth = false;
  column->has_default = true;
  cover_feature(generator, FEATURE_DEFAULT);
}

/* Most rows must pass. */
static void draw_check(Generator *generator, const DrawnTable *table, const DrawnColumn *column) {
  emit(generator, " CHECK (%s IS NULL OR ", column->name);
  if (draw_chance(generator, 60)) {
    emit(generator, "%s <> ", column->name);
    draw_literal(generator, column->type);
  } else {
    Scope scope = {.forbids_subqueries = true};
    scope_add_table(&scope, "", table);
    scope_mark_unique(&scope);
    draw_condition(generator, &scope, 2);
    emit(generator, " OR %s <> ", column->name);
    draw_literal(generator, column->type);
  }
  emit(generator, ")");
  cover_feature(generator, FEATURE_CHECK);
}

static void draw_plain_column(Generator *generator, DrawnTable *table) {
  OperandType type = draw_type(generator);
  DrawnColumn *column = table_add(generator, table, type);
  const char *words = type_words(generator, type, false);
  column->is_short = !generator->is_mysql || strcmp(words, "TEXT");
  emit(generator, "%s %s", column->name, words);
  if (type == OPERAND_TEXT) draw_column_collation(generator);
  if (column->is_short) draw_default(generator, column);
  if (draw_chance(generator, 12)) {
    emit(generator, " NOT NULL");
    column->not_null = true;
    cover_feature(generator, FEATURE_NOT_NULL);
  }
  if (column->is_short && draw_chance(generator, 8)) {
    emit(generator, " UNIQUE");
    table_add_key(table, false, table->column_count - 1, 1);
    cover_feature(generator, FEATURE_UNIQUE);
  }
  if (draw_chance(generator, 8)) draw_check(generator, table, column);
}

/* A column that refers to the key of an earlier table. */
static void draw_reference(Generator *generator, DrawnTable *table) {
  if (!generator->options.has_foreign_keys || table->column_count == COLUMN_LIMIT ||
      !draw_chance(generator, 60))
    return;
  for (uint32_t i = 0; i < generator->pending.table_count; i++) {
    DrawnTable *parent = &generator->pending.tables[i];
    if (parent->is_view || !parent->key_count || !parent->keys[0].is_primary || parent->keys[0].count != 1)
      continue;
    const DrawnColumn *key = &parent->columns[parent->keys[0].columns[0]];
    DrawnColumn *column = table_add(generator, table, key->type);
    column->is_short = true;
    bool is_text = key->type == OPERAND_TEXT;
    emit(generator, ", %s %s", column->name,
         is_text                     ? type_words(generator, key->type, true)
         : key->type == OPERAND_REAL ? "REAL"
                                     : "INT");
    emit(generator, " REFERENCES %s(%s)", parent->name, key->name);
    parent->is_parent = true;
    cover_feature(generator, FEATURE_FOREIGN_KEY);
    return;
  }
}

static void draw_primary(Generator *generator, DrawnTable *table, bool *has_key) {
  uint32_t dice = draw_below(generator, 100);
  *has_key = dice < 70;
  if (dice < 30) {
    draw_serial(generator, table);
  } else if (dice < 50) {
    draw_key_column(generator, table, " PRIMARY KEY");
    table_add_key(table, true, 0, 1);
    cover_feature(generator, FEATURE_PRIMARY_KEY);
  } else if (dice < 70) {
    draw_key_column(generator, table, "");
    emit(generator, ", ");
    draw_key_column(generator, table, "");
    table->columns[0].not_null = table->columns[1].not_null = !generator->is_sqlite;
    table_add_key(table, true, 0, 2);
    cover_feature(generator, FEATURE_PRIMARY_KEY_COMPOSITE);
  }
}

void draw_create_table(Generator *generator) {
  pending_begin(generator);
  DrawnTable *table = &generator->pending.tables[generator->pending.table_count++];
  memset(table, 0, sizeof *table);
  fresh_name(generator, table->name, 't');
  emit(generator, "CREATE TABLE %s%s (", draw_chance(generator, 5) ? "IF NOT EXISTS " : "", table->name);
  bool has_key;
  draw_primary(generator, table, &has_key);
  for (uint32_t i = 0, count = 1 + draw_below(generator, 3); i < count; i++) {
    if (table->column_count) emit(generator, ", ");
    draw_plain_column(generator, table);
  }
  draw_reference(generator, table);
  if (table->key_count && table->keys[0].count == 2)
    emit(generator, ", PRIMARY KEY (%s, %s)", table->columns[0].name, table->columns[1].name);
  uint32_t last = table->column_count - 1;
  if (last > 1 && table->columns[last].is_short && table->columns[last - 1].is_short &&
      draw_chance(generator, 10)) {
    emit(generator, ", UNIQUE (%s, %s)", table->columns[last - 1].name, table->columns[last].name);
    table_add_key(table, false, last - 1, 2);
    cover_feature(generator, FEATURE_UNIQUE);
  }
  emit(generator, ")");
  if (generator->is_sqlite && has_key && draw_chance(generator, 15)) {
    emit(generator, " WITHOUT ROWID");
    for (uint32_t i = 0; i < table->keys[0].count; i++) {
      table->columns[table->keys[0].columns[i]].is_serial = false;
      table->columns[table->keys[0].columns[i]].not_null = true;
    }
    cover_feature(generator, FEATURE_WITHOUT_ROWID);
  }
  cover_feature(generator, FEATURE_CREATE_TABLE);
}

static bool draw_create_index(Generator *generator) {
  const DrawnTable *table = draw_table(generator, false);
  if (!table || generator->schema.index_count == INDEX_LIMIT) return false;
  uint32_t first = draw_below(generator, table->column_count);
  if (!table->columns[first].is_short && !table->columns[first].is_serial) return false;
  pending_begin(generator);
  DrawnIndex *index = &generator->pending.indexes[generator->pending.index_count++];
  fresh_name(generator, index->name, 'i');
  snprintf(index->table, sizeof index->table, "%s", table->name);
  bool is_unique = draw_chance(generator, 25);
  emit(generator, "CREATE %sINDEX %s ON %s (%s", is_unique ? "UNIQUE " : "", index->name, table->name,
       table->columns[first].name);
  uint32_t second = (first + 1) % table->column_count;
  if (second != first && table->columns[second].is_short && draw_chance(generator, 30))
    emit(generator, ", %s", table->columns[second].name);
  emit(generator, ")");
  cover_feature(generator, is_unique ? FEATURE_CREATE_UNIQUE_INDEX : FEATURE_CREATE_INDEX);
  return true;
}

static bool draw_drop_index(Generator *generator) {
  if (!generator->schema.index_count) return false;
  pending_begin(generator);
  uint32_t place = draw_below(generator, generator->schema.index_count);
  const DrawnIndex *index = &generator->schema.indexes[place];
  if (generator->is_mysql)
    emit(generator, "DROP INDEX %s ON %s", index->name, index->table);
  else
    emit(generator, "DROP INDEX %s", index->name);
  generator->pending.indexes[place] = generator->pending.indexes[--generator->pending.index_count];
  cover_feature(generator, FEATURE_DROP_INDEX);
  return true;
}

static bool draw_create_view(Generator *generator) {
  if (generator->schema.table_count == TABLE_LIMIT || !draw_table(generator, false)) return false;
  pending_begin(generator);
  DrawnTable *view = &generator->pending.tables[generator->pending.table_count++];
  QueryShape shape = draw_shape(generator, 1 + draw_below(generator, 3));
  char name[NAME_SIZE];
  fresh_name(generator, name, 'v');
  shape.is_nested = true;
  shape_name(generator, &shape);
  emit(generator, "CREATE VIEW %s AS ", name);
  size_t start = generator->text.count;
  generator->big_depth++;
  draw_query(generator, NULL, &shape, 2);
  generator->big_depth--;
  shape_to_table(generator, start, &shape, name, view);
  view->is_view = true;
  cover_feature(generator, FEATURE_CREATE_VIEW);
  return true;
}

static void pending_remove(Generator *generator, uint32_t place) {
  DrawnSchema *pending = &generator->pending;
  char name[NAME_SIZE];
  memcpy(name, pending->tables[place].name, NAME_SIZE);
  memmove(&pending->tables[place], &pending->tables[place + 1],
          sizeof(DrawnTable) * (pending->table_count - place - 1));
  pending->table_count--;
  for (uint32_t i = 0; i < pending->index_count;)
    if (!strcmp(pending->indexes[i].table, name))
      pending->indexes[i] = pending->indexes[--pending->index_count];
    else
      i++;
}

/* Views hide which tables they need, so a table goes only when there are none; the newest view goes first. */
static bool draw_drop(Generator *generator) {
  DrawnSchema *schema = &generator->schema;
  for (uint32_t i = schema->table_count; i-- > 0;) {
    if (!schema->tables[i].is_view) continue;
    pending_begin(generator);
    emit(generator, "DROP VIEW %s", schema->tables[i].name);
    pending_remove(generator, i);
    cover_feature(generator, FEATURE_DROP_VIEW);
    return true;
  }
  uint32_t place = schema->table_count ? draw_below(generator, schema->table_count) : 0;
  if (schema->table_count < 2 || schema->tables[place].is_parent) return false;
  pending_begin(generator);
  emit(generator, "DROP TABLE %s%s", draw_chance(generator, 20) ? "IF EXISTS " : "",
       schema->tables[place].name);
  pending_remove(generator, place);
  cover_feature(generator, FEATURE_DROP_TABLE);
  return true;
}

void draw_definition(Generator *generator) {
  uint32_t dice = draw_below(generator, 100);
  if (dice < 35 && draw_create_index(generator)) return;
  if (dice < 50 && draw_drop_index(generator)) return;
  if (dice < 70 && draw_create_view(generator)) return;
  if (dice < 85 && draw_drop(generator)) return;
  if (generator->schema.table_count < TABLE_LIMIT)
    draw_create_table(generator);
  else
    draw_drop(generator);
}
