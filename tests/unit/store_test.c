/* store_test.c: versions, undo, indexes and forgetting, without any SQL. */
#include "semantics/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Fixture {
  Schema schema;
  Store *store;
  Table table; /* id INT PRIMARY KEY, v INT with an index, s TEXT */
  Column columns[3];
  Index primary, by_v;
  Index *indexes[2];
} Fixture;

static uint32_t PRIMARY_COLUMNS[] = {0}, V_COLUMNS[] = {1};

static int setup(void **state) {
  Fixture *fixture = calloc(1, sizeof *fixture);
  fixture->schema.dialect = dialect_new(DIALECT_POSTGRESQL);
  fixture->columns[0] = (Column){.name = "id", .type = type_int(8)};
  fixture->columns[1] = (Column){.name = "v", .type = type_int(8)};
  fixture->columns[2] = (Column){.name = "s", .type = type_of(TYPE_TEXT)};
  fixture->primary = (Index){.column_count = 1, .columns = PRIMARY_COLUMNS, .unique = true, .primary = true};
  fixture->by_v = (Index){.name = "by_v", .column_count = 1, .columns = V_COLUMNS};
  fixture->indexes[0] = &fixture->primary;
  fixture->indexes[1] = &fixture->by_v;
  fixture->table = (Table){.name = "t", .column_count = 3, .columns = fixture->columns, .rowid_column = -1};
  fixture->table.indexes.items = fixture->indexes;
  fixture->table.indexes.count = 2;
  fixture->store = store_new(&fixture->schema);
  store_add_table(fixture->store, &fixture->table);
  *state = fixture;
  return 0;
}

static int teardown(void **state) {
  Fixture *fixture = *state;
  store_free(fixture->store);
  free(fixture);
  return 0;
}

static Key *insert(Fixture *fixture, int64_t id, int64_t v, const char *s) {
  Value row[] = {value_int(id), value_int(v), value_string(s)};
  return store_insert(fixture->store, &fixture->table, row, 0);
}

static void update(Fixture *fixture, Key *key, int64_t v, const char *s) {
  Value row[] = {key->newest->values[0], value_int(v), value_string(s)};
  store_update(fixture->store, &fixture->table, key, row);
}

/* What the running transaction sees through an index, as "id=v " in its order. */
static const char *seen(Fixture *fixture, const Index *index, const IndexRange *range) {
  static char text[512];
  size_t length = 0;
  IndexCursor cursor;
  text[0] = 0;
  store_seek(fixture->store, &fixture->table, index, range, READ_PLAIN, &cursor);
  for (Key *key; (key = store_next(&cursor));) {
    const Version *version = store_read(fixture->store, key, READ_PLAIN);
    if (version)
      length +=
          (size_t)snprintf(text + length, sizeof text - length, "%lld=%lld ",
                           (long long)version->values[0].integer, (long long)version->values[1].integer);
  }
  return text;
}

static const char *all_by_v(Fixture *fixture) { return seen(fixture, &fixture->by_v, &(IndexRange){0}); }

static const char *with_v(Fixture *fixture, int64_t v) {
  Value value = value_int(v);
  return seen(fixture, &fixture->by_v, &(IndexRange){.equal = &value, .equal_count = 1});
}

static void rows_come_and_go(void **state) {
  Fixture *fixture = *state;
  store_begin(fixture->store, 1);
  Key *one = insert(fixture, 1, 30, "a"), *two = insert(fixture, 2, 20, "b");
  insert(fixture, 3, 10, "c");
  assert_string_equal(all_by_v(fixture), "3=10 2=20 1=30 ");
  store_commit(fixture->store);
  store_begin(fixture->store, 2);
  update(fixture, one, 5, "longer than before");
  store_delete(fixture->store, &fixture->table, two);
  assert_string_equal(all_by_v(fixture), "1=5 3=10 ");
  assert_string_equal(with_v(fixture, 30), "");
  store_commit(fixture->store);
  assert_string_equal(all_by_v(fixture), "1=5 3=10 ");
  assert_int_equal(store_key_count(fixture->store, &fixture->table), 2);
  assert_int_equal(one->newest->writer, 2);
  assert_null(one->newest->older);
  assert_memory_equal(one->newest->values[2].text, "longer than before", 18);
}

/* S3, over every kind of write, twice nested. */
static void undo_restores(void **state) {
  Fixture *fixture = *state;
  store_begin(fixture->store, 1);
  Key *one = insert(fixture, 1, 10, "a"), *two = insert(fixture, 2, 20, "b");
  store_commit(fixture->store);
  store_begin(fixture->store, 2);
  UndoMark start = store_mark(fixture->store);
  update(fixture, one, 15, "x");
  UndoMark middle = store_mark(fixture->store);
  store_delete(fixture->store, &fixture->table, two);
  insert(fixture, 3, 12, "c");
  update(fixture, one, 40, "y");
  assert_string_equal(all_by_v(fixture), "3=12 1=40 ");
  store_undo(fixture->store, middle);
  assert_string_equal(all_by_v(fixture), "1=15 2=20 ");
  store_undo(fixture->store, start);
  assert_string_equal(all_by_v(fixture), "1=10 2=20 ");
  assert_string_equal(with_v(fixture, 15), "");
  assert_int_equal(store_key_count(fixture->store, &fixture->table), 2);
  store_commit(fixture->store);
  assert_string_equal(all_by_v(fixture), "1=10 2=20 ");
}

/* A value that a column had before, and has again, is one entry. */
static void values_return(void **state) {
  Fixture *fixture = *state;
  store_begin(fixture->store, 1);
  Key *one = insert(fixture, 1, 10, "a");
  update(fixture, one, 20, "a");
  update(fixture, one, 10, "b");
  assert_string_equal(all_by_v(fixture), "1=10 ");
  store_commit(fixture->store);
  assert_string_equal(all_by_v(fixture), "1=10 ");
  assert_string_equal(with_v(fixture, 20), "");
}

/* A primary key that is deleted and inserted again is the same key. */
static void deleted_key_revives(void **state) {
  Fixture *fixture = *state;
  store_begin(fixture->store, 1);
  Key *one = insert(fixture, 1, 10, "a");
  store_commit(fixture->store);
  store_begin(fixture->store, 2);
  UndoMark mark = store_mark(fixture->store);
  store_delete(fixture->store, &fixture->table, one);
  assert_ptr_equal(insert(fixture, 1, 11, "b"), one);
  assert_string_equal(all_by_v(fixture), "1=11 ");
  store_undo(fixture->store, mark);
  assert_string_equal(all_by_v(fixture), "1=10 ");
  store_delete(fixture->store, &fixture->table, one);
  insert(fixture, 1, 12, "c");
  store_commit(fixture->store);
  assert_string_equal(all_by_v(fixture), "1=12 ");
  assert_int_equal(store_key_count(fixture->store, &fixture->table), 1);
}

static void history_is_kept(void **state) {
  Fixture *fixture = *state;
  store_keep_history(fixture->store, true);
  store_begin(fixture->store, 1);
  Key *one = insert(fixture, 1, 10, "a");
  store_commit(fixture->store);
  store_begin(fixture->store, 2);
  update(fixture, one, 20, "b");
  store_commit(fixture->store);
  store_begin(fixture->store, 3);
  store_delete(fixture->store, &fixture->table, one);
  store_commit(fixture->store);
  assert_true(one->newest->is_tombstone);
  assert_int_equal(one->newest->older->writer, 2);
  assert_int_equal(one->newest->older->older->values[1].integer, 10);
  assert_int_equal(store_key_count(fixture->store, &fixture->table), 1);
  assert_string_equal(all_by_v(fixture), "");
}

/* A value in doubt is found by every seek, wherever it might belong, and once. */
static void doubts_are_everywhere(void **state) {
  Fixture *fixture = *state;
  store_begin(fixture->store, 1);
  insert(fixture, 1, 10, "a");
  Value row[] = {value_int(2), value_doubt(0), NULL_VALUE};
  Key *two = store_insert(fixture->store, &fixture->table, row, 0);
  assert_int_equal(store_undecided(fixture->store, &fixture->table, &fixture->by_v), 1);
  assert_int_equal(store_undecided(fixture->store, &fixture->table, &fixture->primary), 0);
  Value value = value_int(99);
  IndexCursor cursor;
  store_seek(fixture->store, &fixture->table, &fixture->by_v,
             &(IndexRange){.equal = &value, .equal_count = 1}, READ_PLAIN, &cursor);
  assert_ptr_equal(store_next(&cursor), two);
  assert_null(store_next(&cursor));
  store_commit(fixture->store);
  store_begin(fixture->store, 2);
  update(fixture, two, 5, "b");
  assert_string_equal(all_by_v(fixture), "2=5 1=10 ");
  store_commit(fixture->store);
  assert_int_equal(store_undecided(fixture->store, &fixture->table, &fixture->by_v), 0);
}

static void indexes_are_filled(void **state) {
  Fixture *fixture = *state;
  store_begin(fixture->store, 1);
  Key *one = insert(fixture, 1, 10, "a");
  insert(fixture, 2, 5, "b");
  store_drop_index(fixture->store, &fixture->table, &fixture->by_v);
  assert_false(store_has_index(fixture->store, &fixture->table, &fixture->by_v));
  update(fixture, one, 3, "c");
  store_add_index(fixture->store, &fixture->table, &fixture->by_v);
  assert_string_equal(all_by_v(fixture), "1=3 2=5 ");
  store_commit(fixture->store);
  assert_string_equal(all_by_v(fixture), "1=3 2=5 ");
}

/* sqlite gives the row id above all present ones; others never give one twice. */
static void row_ids(void **state) {
  Fixture *fixture = *state;
  for (unsigned is_sqlite = 0; is_sqlite < 2; is_sqlite++) {
    fixture->schema.dialect.name = is_sqlite ? DIALECT_SQLITE : DIALECT_POSTGRESQL;
    store_begin(fixture->store, 1);
    UndoMark mark = store_mark(fixture->store);
    Key *one = insert(fixture, 1, 1, ""), *two = insert(fixture, 2, 2, "");
    assert_int_equal(two->rowid, 2);
    store_delete(fixture->store, &fixture->table, two);
    assert_int_equal(store_largest_rowid(fixture->store, &fixture->table), 1);
    UndoMark inner = store_mark(fixture->store);
    assert_int_equal(insert(fixture, 3, 3, "")->rowid, is_sqlite ? 2 : 3);
    store_delete(fixture->store, &fixture->table, one);
    store_undo(fixture->store, inner);
    assert_int_equal(store_largest_rowid(fixture->store, &fixture->table), 1);
    store_undo(fixture->store, mark);
    assert_int_equal(store_largest_rowid(fixture->store, &fixture->table), 0);
    assert_int_equal(insert(fixture, 4, 4, "")->rowid, 1);
    store_undo(fixture->store, mark);
  }
}

static void count_up(void *context, void *object, uint64_t number) {
  (void)object;
  *(uint64_t *)context = *(uint64_t *)context * 10 + number;
}

static void calls_are_undone_in_reverse(void **state) {
  Fixture *fixture = *state;
  uint64_t trace = 0;
  store_begin(fixture->store, 1);
  UndoMark mark = store_mark(fixture->store);
  store_push_undo(fixture->store, count_up, &trace, NULL, 1);
  store_push_undo(fixture->store, count_up, &trace, NULL, 2);
  store_undo(fixture->store, mark);
  assert_int_equal(trace, 21);
}

static void memory_stays_bounded(void **state) {
  Fixture *fixture = *state;
  static const char *const texts[] = {"", "short", "a text of some length",
                                      "and a rather longer one, to be sure of another class"};
  Key *keys[100];
  store_begin(fixture->store, 1);
  for (int i = 0; i < 100; i++) keys[i] = insert(fixture, i, i, "");
  store_commit(fixture->store);
  uint64_t early = 0;
  for (uint32_t i = 0; i < 200000; i++) {
    store_begin(fixture->store, i);
    update(fixture, keys[i % 100], i % 7, texts[i % 4]);
    if (i % 10 == 0) { /* a row that comes and goes */
      Key *key = insert(fixture, 1000 + i, 1, texts[i % 3]);
      if (i % 20)
        store_delete(fixture->store, &fixture->table, key);
      else
        store_undo(fixture->store, store_mark(fixture->store) - 1);
    }
    store_commit(fixture->store);
    if (i == 5000) early = store_bytes(fixture->store);
  }
  assert_true(store_bytes(fixture->store) <= early + 128 * 1024);
  assert_int_equal(store_key_count(fixture->store, &fixture->table), 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(rows_come_and_go),     TEST(undo_restores),
      TEST(values_return),        TEST(deleted_key_revives),
      TEST(history_is_kept),      TEST(doubts_are_everywhere),
      TEST(indexes_are_filled),   TEST(calls_are_undone_in_reverse),
      TEST(memory_stays_bounded), TEST(row_ids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
