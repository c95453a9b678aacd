/* generate_change.c: INSERT, UPDATE, DELETE, with all that may stand around them.
 *
 * Where the order in which rows are visited would decide the outcome (OR IGNORE and OR REPLACE over a
 * query), the rows are given by VALUES, whose order is fixed. */
#include "src/live/generate_draw.h"

static bool column_is_key(const DrawnTable *table, uint32_t column) {
  for (uint32_t i = 0; i < table->key_count; i++)
    for (uint32_t j = 0; j < table->keys[i].count; j++)
      if (table->keys[i].columns[j] == column) return true;
  return false;
}

/* Keys come from a wider range than other values, so that most rows can be stored. */
static void draw_cell(Generator *generator, const DrawnTable *table, uint32_t column, Scope *scope) {
  const DrawnColumn *drawn = &table->columns[column];
  bool wants_null = drawn->is_serial && generator->options.has_free_values && draw_chance(generator, 15);
  if (wants_null && generator->is_postgres) {
    emit(generator, "DEFAULT");
  } else if (wants_null) {
    emit(generator, "NULL");
  } else if (column_is_key(table, column) && draw_chance(generator, 90)) {
    if (drawn->type == OPERAND_INTEGER)
      emit(generator, "%u", draw_below(generator, 50));
    else if (drawn->type == OPERAND_TEXT)
      emit(generator, "'k%u'", draw_below(generator, 50));
    else
      draw_literal(generator, drawn->type);
  } else if (drawn->not_null && draw_chance(generator, 95)) {
    draw_literal(generator, drawn->type);
  } else if (draw_chance(generator, 60)) {
    draw_leaf(generator, NULL, draw_chance(generator, 75) ? drawn->type : draw_mixed(generator, drawn->type));
  } else {
    draw_expression(generator, scope, drawn->type, 1);
  }
}

/* Which columns an INSERT names; the others take their defaults. Returns how many. */
static uint32_t draw_columns(Generator *generator, const DrawnTable *table, uint32_t columns[COLUMN_LIMIT]) {
  uint32_t count = 0;
  bool is_listed = draw_chance(generator, 50);
  for (uint32_t i = 0; i < table->column_count; i++) {
    const DrawnColumn *column = &table->columns[i];
    bool is_needed = (column->not_null && !column->has_default && !column->is_serial) ||
                     (column->is_serial && !generator->options.has_free_values);
    if (!is_listed || draw_chance(generator, is_needed ? 97 : 75) || (is_needed && generator->is_modelled))
      columns[count++] = i;
  }
  if (!is_listed) return count;
  if (!count) columns[count++] = 0;
  for (uint32_t i = count - 1; i > 0 && draw_chance(generator, 40); i--) {
    uint32_t other = draw_below(generator, i + 1), kept = columns[i];
    columns[i] = columns[other];
    columns[other] = kept;
  }
  emit(generator, " (");
  for (uint32_t i = 0; i < count; i++)
    emit(generator, "%s%s", i ? ", " : "", table->columns[columns[i]].name);
  emit(generator, ")");
  if (count < table->column_count) cover_feature(generator, FEATURE_INSERT_SOME_COLUMNS);
  return count;
}

static void draw_rows(Generator *generator, const DrawnTable *table, const uint32_t *columns, uint32_t count,
                      uint32_t rows) {
  Scope alone = {.forbids_subqueries = true}; /* a row that reads the rows before it is not modelled */
  emit(generator, " VALUES ");
  for (uint32_t i = 0; i < rows; i++) {
    emit(generator, i ? ", (" : "(");
    for (uint32_t j = 0; j < count; j++) {
      if (j) emit(generator, ", ");
      draw_cell(generator, table, columns[j], generator->is_modelled ? &alone : NULL);
    }
    emit(generator, ")");
  }
  cover_feature(generator, rows > 1 ? FEATURE_INSERT_ROWS : FEATURE_INSERT_VALUES);
}

static Scope table_scope(Generator *generator, const DrawnTable *table, const char *source) {
  /* Whether such a subquery sees rows already changed depends on the plan in SQLite. */
  Scope scope = {.forbids_subqueries =
                     generator->is_mysql || (generator->is_sqlite && generator->is_modelled)};
  scope_add_table(&scope, source, table);
  scope_mark_unique(&scope);
  return scope;
}

static void draw_assignments(Generator *generator, const DrawnTable *table, Scope *scope,
                             const DrawnTable *excluded) {
  uint32_t first = draw_below(generator, table->column_count);
  for (uint32_t i = 0, count = 1 + draw_below(generator, 2); i < count && i < table->column_count; i++) {
    uint32_t column = (first + i) % table->column_count;
    const DrawnColumn *drawn = &table->columns[column];
    if (column_is_key(table, column) && i == 0 && draw_chance(generator, 75)) {
      column = first = table->column_count - 1;
      drawn = &table->columns[column];
    }
    emit(generator, "%s%s = ", i ? ", " : "", drawn->name);
    bool is_key = column_is_key(table, column);
    if (is_key) cover_feature(generator, FEATURE_UPDATE_KEY);
    if (excluded && draw_chance(generator, 40))
      emit(generator, generator->is_mysql ? "VALUES(%s)" : "excluded.%s", drawn->name);
    else if (is_key && drawn->type == OPERAND_INTEGER)
      emit(generator, "%s.%s + %u", table->name, drawn->name, 1 + draw_below(generator, 60));
    else if (drawn->not_null && draw_chance(generator, 85))
      draw_literal(generator, drawn->type);
    else
      draw_expression(generator, scope, drawn->type, 2);
  }
}

static void draw_conflict(Generator *generator, const DrawnTable *table) {
  if (generator->is_mysql) {
    Scope scope = table_scope(generator, table, table->name);
    emit(generator, " ON DUPLICATE KEY UPDATE ");
    draw_assignments(generator, table, &scope, table);
    cover_feature(generator, FEATURE_UPSERT_UPDATE);
    return;
  }
  const DrawnKey *key = &table->keys[draw_below(generator, table->key_count)];
  emit(generator, " ON CONFLICT");
  bool does_nothing = draw_chance(generator, 40);
  if (!does_nothing || draw_chance(generator, 60)) {
    emit(generator, " (%s", table->columns[key->columns[0]].name);
    if (key->count == 2) emit(generator, ", %s", table->columns[key->columns[1]].name);
    emit(generator, ")");
  }
  if (does_nothing) {
    emit(generator, " DO NOTHING");
    cover_feature(generator, FEATURE_UPSERT_NOTHING);
    return;
  }
  Scope scope = table_scope(generator, table, table->name);
  emit(generator, " DO UPDATE SET ");
  for (uint32_t i = 0; i < scope.count; i++) scope.columns[i].is_unique = false;
  draw_assignments(generator, table, &scope, table);
  cover_feature(generator, FEATURE_UPSERT_UPDATE);
  if (!draw_chance(generator, 25)) return;
  emit(generator, " WHERE ");
  draw_condition(generator, &scope, 1);
  cover_feature(generator, FEATURE_UPSERT_WHERE);
}

static bool draw_returning(Generator *generator, const DrawnTable *table, Feature feature) {
  if (!draw_chance(generator, 15) || (generator->is_mysql && (feature == FEATURE_RETURNING_UPDATE ||
                                                              generator->options.dialect == DIALECT_MYSQL)))
    return false;
  cover_feature(generator, feature);
  generator->merges_equals = true; /* SQLite 3.40 returns 1.0 for an integer beside a REAL column */
  if (draw_chance(generator, 60)) {
    emit(generator, " RETURNING *");
    return true;
  }
  Scope scope = table_scope(generator, table, table->name);
  scope.forbids_subqueries = true;
  emit(generator, " RETURNING %s, ", table->columns[0].name);
  /* SQLite 3.40 mixes up the columns' affinities in RETURNING. */
  if (generator->is_sqlite)
    emit(generator, "%s", table->columns[table->column_count - 1].name);
  else
    draw_expression(generator, &scope, draw_type(generator), 1);
  if (draw_chance(generator, 40)) emit(generator, " AS c%u", ++generator->next_alias % 100000);
  return true;
}

typedef enum InsertForm { INSERT_PLAIN, INSERT_IGNORE, INSERT_REPLACE } InsertForm;

static InsertForm draw_insert_words(Generator *generator) {
  uint32_t dice = draw_below(generator, 100);
  /* MariaDB's IGNORE makes values fit, each in its own way. */
  bool is_wild = generator->is_modelled && generator->is_mysql && dice < 9;
  if (generator->is_postgres || dice >= 18 || is_wild) {
    emit(generator, "INSERT INTO ");
    return INSERT_PLAIN;
  }
  cover_feature(generator, dice < 9 ? FEATURE_INSERT_IGNORE : FEATURE_INSERT_REPLACE);
  if (dice < 9)
    emit(generator, generator->is_mysql ? "INSERT IGNORE INTO " : "INSERT OR IGNORE INTO ");
  else
    emit(generator,
         generator->is_mysql || draw_chance(generator, 50) ? "REPLACE INTO " : "INSERT OR REPLACE INTO ");
  return dice < 9 ? INSERT_IGNORE : INSERT_REPLACE;
}

static void draw_insert_select(Generator *generator, const DrawnTable *table, const uint32_t *columns,
                               uint32_t count) {
  QueryShape shape = {
      .column_count = count, .is_nested = true, .is_simple = true, .forbids_order = true, .is_small = true};
  for (uint32_t i = 0; i < count; i++) shape.types[i] = table->columns[columns[i]].type;
  emit(generator, " ");
  draw_query(generator, NULL, &shape, 2);
  cover_feature(generator, FEATURE_INSERT_SELECT);
}

/* A generated key must be seen before anything is computed from it. */
static void note_generated_key(Generator *generator, const DrawnTable *table, bool is_seen) {
  if (is_seen || !generator->options.has_free_values || !table->key_count || !table->columns[0].is_serial)
    return;
  generator->look_at_due = true;
  snprintf(generator->look_at, sizeof generator->look_at, "%s", table->name);
}

static void draw_insert(Generator *generator, const DrawnTable *table) {
  uint32_t columns[COLUMN_LIMIT];
  InsertForm form = draw_insert_words(generator);
  emit(generator, "%s", table->name);
  if (form == INSERT_PLAIN && !generator->is_mysql && draw_chance(generator, 3) &&
      (generator->options.has_free_values || !table->columns[0].is_serial)) {
    emit(generator, " DEFAULT VALUES");
    cover_feature(generator, FEATURE_INSERT_DEFAULT_VALUES);
  } else {
    uint32_t count = draw_columns(generator, table, columns);
    bool has_serial = table->key_count && table->columns[0].is_serial;
    if (form == INSERT_PLAIN && !has_serial && draw_chance(generator, 20)) {
      draw_insert_select(generator, table, columns, count);
    } else {
      /* SQLite 3.40 keeps the rows before one whose row id is no integer, unless that aborts the statement.
       */
      bool has_clause = form == INSERT_PLAIN && table->key_count && draw_chance(generator, 25);
      bool is_lenient = (form != INSERT_PLAIN || has_clause) && has_serial && generator->is_sqlite;
      bool is_single = draw_chance(generator, 60) || is_lenient;
      draw_rows(generator, table, columns, count, is_single ? 1 : 1 + draw_below(generator, 3));
      if (has_clause) draw_conflict(generator, table);
    }
  }
  bool is_seen = draw_returning(generator, table, FEATURE_RETURNING_INSERT);
  note_generated_key(generator, table, is_seen);
}

static void draw_where(Generator *generator, Scope *scope, uint32_t percent) {
  if (!draw_chance(generator, percent)) return;
  emit(generator, " WHERE ");
  draw_condition(generator, scope, 2 + draw_below(generator, 2));
}

static void draw_update(Generator *generator, const DrawnTable *table) {
  Scope scope = table_scope(generator, table, table->name);
  emit(generator, "UPDATE %s SET ", table->name);
  size_t start = generator->text.count;
  draw_assignments(generator, table, &scope, NULL);
  draw_where(generator, &scope, 85);
  cover_feature(generator, FEATURE_UPDATE);
  if (strstr(generator->text.items + start, "SELECT")) cover_feature(generator, FEATURE_UPDATE_SUBQUERY);
  draw_returning(generator, table, FEATURE_RETURNING_UPDATE);
}

static void draw_delete(Generator *generator, const DrawnTable *table) {
  Scope scope = table_scope(generator, table, table->name);
  emit(generator, "DELETE FROM %s", table->name);
  draw_where(generator, &scope, 96);
  cover_feature(generator, FEATURE_DELETE);
  draw_returning(generator, table, FEATURE_RETURNING_DELETE);
}

bool draw_change(Generator *generator) {
  const DrawnTable *table = draw_table(generator, false);
  if (!table) return false;
  generator->kind = GENERATED_CHANGE;
  uint32_t dice = draw_below(generator, 100);
  if (dice < 50)
    draw_insert(generator, table);
  else if (dice < 82)
    draw_update(generator, table);
  else
    draw_delete(generator, table);
  return true;
}

void draw_setup_rows(Generator *generator, const DrawnTable *table) {
  uint32_t columns[COLUMN_LIMIT];
  generator->kind = GENERATED_CHANGE;
  emit(generator, "INSERT INTO %s", table->name);
  uint32_t count = draw_columns(generator, table, columns);
  draw_rows(generator, table, columns, count, 1);
  note_generated_key(generator, table, false);
}

/* What every database refuses, or at least SQLite. */
void draw_mistake(Generator *generator) {
  static const char *const forms[] = {
      "SELECT nosuch FROM %s",
      "SELECT * FROM nosuch, %s",
      "SELECT COUNT(*) FROM %s WHERE COUNT(*) > 1",
      "INSERT INTO %s VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9)",
      "INSERT INTO %s (nosuch) VALUES (1)",
      "UPDATE %s SET nosuch = 1",
      "DELETE FROM %s WHERE nosuch = 1",
      "SELECT 1 UNION SELECT 1, 2 FROM %s",
      "SELECT (SELECT 1, 2) FROM %s",
      "CREATE TABLE %s (a INT)",
      "SELECT x.* FROM %s",
      "SELECT 1 FROM %s ORDER BY 2",
      "CREATE INDEX nosuchindex ON %s (nosuch)",
      "SELECT 1 IN (SELECT 1, 2) FROM %s",
      "SELECT SUM(COUNT(*)) FROM %s",
      "INSERT INTO %s SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9",
  };
  const DrawnTable *table = draw_table(generator, false);
  if (!table) return;
  const char *form = DRAW_ONE(generator, forms), *hole = strstr(form, "%s");
  generator->kind = form[0] == 'S'   ? GENERATED_QUERY
                    : form[0] == 'C' ? GENERATED_DEFINITION
                                     : GENERATED_CHANGE;
  emit(generator, "%.*s%s%s", (int)(hole - form), form, table->name, hole + 2);
}
