/* schema_test.c: type names, affinities, and the catalogue: folding, linking, undo, foreign keys. */
#include "src/sql/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool parse(DialectName name, const char *words, int64_t first, int64_t second, char text[64]) {
  Dialect dialect = dialect_new(name);
  Type type;
  bool is_known = type_parse(&dialect, words, words ? strlen(words) : 0, first, second, &type);
  type_text(type, text, 64);
  return is_known;
}

static void test_type_names(void **state) {
  (void)state;
  static const struct {
    DialectName dialect;
    const char *words;
    int64_t first, second;
    const char *expected; /* NULL: not modelled */
  } rows[] = {
      {DIALECT_POSTGRESQL, "integer", -1, -1, "INT"},
      {DIALECT_POSTGRESQL, "Double   Precision", -1, -1, "DOUBLE"},
      {DIALECT_POSTGRESQL, "real", -1, -1, "FLOAT"},
      {DIALECT_MYSQL, "real", -1, -1, "DOUBLE"},
      {DIALECT_POSTGRESQL, "float", 24, -1, "FLOAT"},
      {DIALECT_POSTGRESQL, "float", -1, -1, "DOUBLE"},
      {DIALECT_MYSQL, "float", -1, -1, "FLOAT"},
      {DIALECT_POSTGRESQL, "numeric", -1, -1, "DECIMAL"},
      {DIALECT_MYSQL, "decimal", -1, -1, "DECIMAL(10,0)"},
      {DIALECT_MYSQL, "decimal", 12, 2, "DECIMAL(12,2)"},
      {DIALECT_GENERIC, "DECIMAL", 5, -1, "DECIMAL(5,0)"},
      {DIALECT_MYSQL, "decimal", 2, 5, NULL},
      {DIALECT_MYSQL, "TINYINT", 1, -1, "TINYINT"},
      {DIALECT_MYSQL, "BOOLEAN", -1, -1, "TINYINT"},
      {DIALECT_POSTGRESQL, "BOOLEAN", -1, -1, "BOOLEAN"},
      {DIALECT_POSTGRESQL, "TINYINT", -1, -1, NULL},
      {DIALECT_MYSQL, "BIGINT UNSIGNED", 20, -1, "BIGINT UNSIGNED"},
      {DIALECT_MYSQL, "INT UNSIGNED ZEROFILL", 10, -1, "INT UNSIGNED"},
      {DIALECT_MYSQL, "UNSIGNED", -1, -1, "BIGINT UNSIGNED"},
      {DIALECT_MARIADB, "SIGNED INTEGER", -1, -1, "BIGINT"},
      {DIALECT_POSTGRESQL, "BIGINT UNSIGNED", -1, -1, NULL},
      {DIALECT_MYSQL, "TEXT UNSIGNED", -1, -1, NULL},
      {DIALECT_POSTGRESQL, "char", -1, -1, "CHAR(1)"},
      {DIALECT_MYSQL, "char", -1, -1, "CHAR"},
      {DIALECT_POSTGRESQL, "character varying", 20, -1, "VARCHAR(20)"},
      {DIALECT_MYSQL, "double", 8, 2, NULL},
      {DIALECT_MYSQL, "year", -1, -1, NULL},
      {DIALECT_MYSQL, "json", -1, -1, NULL},
      {DIALECT_POSTGRESQL, "timestamp with time zone", -1, -1, "TIMESTAMPTZ"},
      {DIALECT_MYSQL, "datetime", 6, -1, "TIMESTAMP"},
      {DIALECT_MYSQL, "datetime", 7, -1, NULL},
      {DIALECT_SQLITE, "BIGINT", -1, -1, "INTEGER"},
      {DIALECT_SQLITE, NULL, -1, -1, "BLOB"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[64];
    bool is_known = parse(rows[i].dialect, rows[i].words, rows[i].first, rows[i].second, text);
    if (is_known != (rows[i].expected != NULL)) fail_msg("row %zu: '%s'", i, rows[i].words);
    if (is_known) assert_string_equal(text, rows[i].expected);
  }
}

static void test_type_details(void **state) {
  (void)state;
  Dialect mysql = dialect_new(DIALECT_MYSQL), postgresql = dialect_new(DIALECT_POSTGRESQL);
  Type type;
  assert_true(type_parse(&mysql, "VARCHAR", 7, 10, -1, &type));
  assert_int_equal(type.collation, COLLATION_CI);
  assert_true(type_parse(&mysql, "VARCHAR BINARY", 14, 10, -1, &type));
  assert_true(type.is_binary);
  assert_true(type_parse(&mysql, "TIMESTAMP", 9, -1, -1, &type));
  assert_int_equal(type.precision, 0);
  assert_true(type_parse(&postgresql, "TIMESTAMP", 9, -1, -1, &type));
  assert_int_equal(type.precision, 6);
  assert_int_equal(type.collation, COLLATION_C);
}

/* https://www.sqlite.org/datatype3.html, the table of section 3.1.1. */
static void test_affinities(void **state) {
  (void)state;
  static const struct {
    const char *words;
    Affinity affinity;
  } rows[] = {
      {"UNSIGNED BIG INT", AFFINITY_INTEGER},
      {"VARYING CHARACTER", AFFINITY_TEXT},
      {"clob", AFFINITY_TEXT},
      {"BLOB", AFFINITY_BLOB},
      {"", AFFINITY_BLOB},
      {"DOUBLE PRECISION", AFFINITY_REAL},
      {"FLOAT", AFFINITY_REAL},
      {"DECIMAL", AFFINITY_NUMERIC},
      {"BOOLEAN", AFFINITY_NUMERIC},
      {"DATETIME", AFFINITY_NUMERIC},
      {"FLOATING POINT", AFFINITY_INTEGER},
      {"STRING", AFFINITY_NUMERIC},
      {"CHARINT", AFFINITY_INTEGER},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(affinity_of_declared(rows[i].words, strlen(rows[i].words)), rows[i].affinity);
}

static Table *table_new(Schema *schema, const char *name, const char *column) {
  Table *table = ARENA_NEW(&schema->arena, Table);
  *table = (Table){.name = name,
                   .id = UINT32_MAX,
                   .column_count = 1,
                   .primary = -1,
                   .rowid_column = -1,
                   .auto_column = -1};
  table->columns = ARENA_NEW(&schema->arena, Column);
  table->columns[0].name = column;
  table->ignores_case = dialect_is_sqlite(&schema->dialect) || dialect_is_mysql(&schema->dialect);
  return table;
}

static void test_folding(void **state) {
  (void)state;
  Schema schema;
  schema_init(&schema, dialect_new(DIALECT_SQLITE));
  Table *table = table_new(&schema, "Accounts", "Id");
  schema_link_table(&schema, table);
  assert_ptr_equal(schema_table(&schema, "ACCOUNTS"), table);
  assert_int_equal(table_column(table, "ID"), 0);
  schema_free(&schema);

  schema_init(&schema, dialect_new(DIALECT_MYSQL));
  table = table_new(&schema, "Accounts", "Id");
  schema_link_table(&schema, table);
  assert_null(schema_table(&schema, "accounts"));
  assert_int_equal(table_column(table, "iD"), 0);
  schema_free(&schema);

  schema_init(&schema, dialect_new(DIALECT_POSTGRESQL));
  table = table_new(&schema, "accounts", "id");
  schema_link_table(&schema, table);
  assert_null(schema_table(&schema, "Accounts"));
  assert_int_equal(table_column(table, "ID"), -1);
  schema_free(&schema);
}

static void test_link_and_unlink(void **state) {
  (void)state;
  Schema schema;
  schema_init(&schema, dialect_new(DIALECT_GENERIC));
  Table *first = table_new(&schema, "t", "a"), *second = table_new(&schema, "t", "b");
  uint64_t version = schema.version;
  schema_link_table(&schema, first);
  assert_int_equal(first->id, 0);
  assert_true(schema.version > version);
  version = schema.version;
  schema_unlink_table(&schema, first);
  assert_null(schema_table(&schema, "t"));
  assert_true(schema.version > version);
  schema_link_table(&schema, second);
  assert_int_equal(second->id, 1);
  schema_unlink_table(&schema, second);
  schema_link_table(&schema, first); /* the undo of a DROP keeps the id */
  assert_int_equal(first->id, 0);
  assert_int_equal(schema.tables.count, 2);
  assert_ptr_equal(schema_table(&schema, "t"), first);
  schema_free(&schema);
}

static ForeignKey *foreign_key_new(Schema *schema, Table *child, const char *parent) {
  ForeignKey *key = ARENA_NEW(&schema->arena, ForeignKey);
  key->child = child;
  key->parent_name = parent;
  ARENA_PUSH(&schema->arena, &child->foreign_keys, key);
  return key;
}

static void count_visit(ForeignKey *key, void *context) {
  (void)key;
  ++*(int *)context;
}

static void test_foreign_keys(void **state) {
  (void)state;
  Schema schema;
  schema_init(&schema, dialect_new(DIALECT_POSTGRESQL));
  Table *parent = table_new(&schema, "parent", "id"), *child = table_new(&schema, "child", "id");
  ForeignKey *key = foreign_key_new(&schema, child, "parent");
  schema_link_table(&schema, child); /* before its parent: sqlite allows it */
  schema_link_table(&schema, parent);
  assert_int_equal(parent->referenced_by.count, 1);
  assert_ptr_equal(parent->referenced_by.items[0], key);
  schema_unlink_table(&schema, child);
  assert_int_equal(parent->referenced_by.count, 0);
  schema_link_table(&schema, child);
  assert_int_equal(parent->referenced_by.count, 1);
  int visits = 0;
  schema_foreign_keys_of(&schema, parent, count_visit, &visits);
  assert_int_equal(visits, 1);
  schema_free(&schema);
}

static void test_indexes(void **state) {
  (void)state;
  Schema schema;
  schema_init(&schema, dialect_new(DIALECT_MYSQL));
  Table *first = table_new(&schema, "t", "a"), *second = table_new(&schema, "u", "a");
  schema_link_table(&schema, first);
  schema_link_table(&schema, second);
  Index *on_first = ARENA_NEW(&schema.arena, Index), *on_second = ARENA_NEW(&schema.arena, Index);
  on_first->name = on_second->name = "by_a";
  schema_link_index(&schema, first, on_first);
  schema_link_index(&schema, second, on_second);
  Table *found = NULL;
  assert_ptr_equal(schema_index(&schema, "u", "BY_A", &found), on_second);
  assert_ptr_equal(found, second);
  schema_unlink_index(&schema, second, on_second);
  assert_null(schema_index(&schema, "u", "by_a", NULL));
  assert_ptr_equal(schema_index(&schema, NULL, "by_a", &found), on_first);
  schema_link_index(&schema, second, on_second);
  assert_int_equal(second->indexes.count, 1); /* linked again, not twice */
  schema_free(&schema);
}

static void test_procedures(void **state) {
  (void)state;
  Schema schema;
  schema_init(&schema, dialect_new(DIALECT_MYSQL));
  Procedure *procedure = ARENA_NEW(&schema.arena, Procedure);
  procedure->name = "Deposit";
  schema_link_procedure(&schema, procedure);
  assert_ptr_equal(schema_procedure(&schema, "DEPOSIT"), procedure);
  schema_unlink_procedure(&schema, procedure);
  assert_null(schema_procedure(&schema, "Deposit"));
  schema_free(&schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_type_names),      cmocka_unit_test(test_type_details),
      cmocka_unit_test(test_affinities),      cmocka_unit_test(test_folding),
      cmocka_unit_test(test_link_and_unlink), cmocka_unit_test(test_foreign_keys),
      cmocka_unit_test(test_indexes),         cmocka_unit_test(test_procedures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
