/* ordered_test.c: the ordered index against a plain list searched from end to end. */
#include "semantics/ordered.h"

#include "semantics/operate.h"
#include "src/base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

enum { COLUMNS = 3, KEYS = 1500 };

typedef struct Entry {
  Value values[COLUMNS];
  Key key;
  bool is_in;
} Entry;

typedef struct Fixture {
  Slab slab;
  Dialect dialect;
  Type types[COLUMNS];
  uint32_t columns;
  Ordered *ordered;
  Entry *entries;
  uint64_t seed;
  Arena arena;
} Fixture;

static uint32_t draw(Fixture *fixture, uint32_t below) {
  fixture->seed = fixture->seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(fixture->seed >> 33) % below;
}

/* Few distinct values, so that prefixes repeat; extremes among them. */
static Value draw_value(Fixture *fixture, Type type) {
  uint32_t which = draw(fixture, 12);
  if (which == 0) return NULL_VALUE;
  if (type.kind == TYPE_VARCHAR || (type.kind == TYPE_DYNAMIC && which < 5)) {
    char text[16];
    int length =
        snprintf(text, sizeof text, "%.*s%u", (int)draw(fixture, 10), "aaaaaaaaab", draw(fixture, 20));
    return value_text(arena_text(&fixture->arena, text, (size_t)length), (size_t)length);
  }
  if (which == 1) return value_int(draw(fixture, 2) ? INT64_MAX : INT64_MIN);
  if (which == 2 && type.kind != TYPE_INT) return value_double((double)draw(fixture, 100) / 4 - 10);
  if (which == 3 && type.kind == TYPE_INT) return value_uint((uint64_t)INT64_MAX + 1 + draw(fixture, 3));
  if (which == 4 && type.kind == TYPE_DECIMAL)
    return value_decimal(&fixture->arena, draw(fixture, 4000) - 2000, 2);
  return value_int((int64_t)draw(fixture, 40) - 20);
}

static void fixture_init(Fixture *fixture, DialectName dialect, uint32_t columns, const Type *types,
                         uint64_t seed) {
  *fixture = (Fixture){.dialect = dialect_new(dialect), .columns = columns, .seed = seed};
  slab_init(&fixture->slab);
  for (uint32_t i = 0; i < columns; i++) fixture->types[i] = types[i];
  fixture->ordered = ordered_new(&fixture->slab, &fixture->dialect, columns, types);
  fixture->entries = memory_new(KEYS * sizeof *fixture->entries);
  for (uint32_t i = 0; i < KEYS; i++) {
    fixture->entries[i].key.serial = i + 1;
    for (uint32_t k = 0; k < columns; k++) fixture->entries[i].values[k] = draw_value(fixture, types[k]);
  }
}

static void fixture_free(Fixture *fixture) {
  ordered_free(fixture->ordered);
  free(fixture->entries);
  slab_free(&fixture->slab);
  arena_free(&fixture->arena);
}

static bool range_has(const Fixture *fixture, const IndexRange *range, const Entry *entry) {
  for (uint32_t i = 0; i < range->equal_count; i++)
    if (value_order(&fixture->dialect, fixture->types[i], entry->values[i], range->equal[i])) return false;
  uint32_t next = range->equal_count;
  if (next == fixture->columns) return true;
  if (range->lower) {
    int order = value_order(&fixture->dialect, fixture->types[next], entry->values[next], *range->lower);
    if (order < 0 || (order == 0 && range->lower_open)) return false;
  }
  if (range->upper) {
    int order = value_order(&fixture->dialect, fixture->types[next], entry->values[next], *range->upper);
    if (order > 0 || (order == 0 && range->upper_open)) return false;
  }
  return true;
}

static int entry_order(const Fixture *fixture, const Entry *a, const Entry *b) {
  for (uint32_t i = 0; i < fixture->columns; i++) {
    int order = value_order(&fixture->dialect, fixture->types[i], a->values[i], b->values[i]);
    if (order) return order;
  }
  return a->key.serial < b->key.serial ? -1 : 1;
}

static Entry *entry_of(Key *key) { return (Entry *)(void *)((char *)key - offsetof(Entry, key)); }

static void check_range(Fixture *fixture, const IndexRange *range) {
  uint32_t expected = 0, found = 0;
  for (uint32_t i = 0; i < KEYS; i++)
    if (fixture->entries[i].is_in && range_has(fixture, range, &fixture->entries[i])) expected++;
  IndexCursor cursor = {.range = *range};
  ordered_seek(fixture->ordered, range, &cursor);
  Entry *last = NULL;
  for (Key *key; (key = ordered_next(fixture->ordered, &cursor)); found++) {
    Entry *entry = entry_of(key);
    assert_true(entry->is_in);
    assert_true(range_has(fixture, range, entry));
    assert_true(ordered_is_at(fixture->ordered, &cursor, entry->values));
    if (last)
      assert_true(range->descending ? entry_order(fixture, last, entry) > 0
                                    : entry_order(fixture, last, entry) < 0);
    last = entry;
  }
  assert_int_equal(found, expected);
}

static void check_ranges(Fixture *fixture) {
  for (uint32_t i = 0; i < 60; i++) {
    Value equal[COLUMNS], lower, upper;
    IndexRange range = {.equal = equal, .equal_count = draw(fixture, fixture->columns + 1)};
    const Entry *pattern = &fixture->entries[draw(fixture, KEYS)];
    for (uint32_t k = 0; k < range.equal_count; k++) equal[k] = pattern->values[k];
    range.descending = draw(fixture, 2);
    if (range.equal_count < fixture->columns) {
      lower = draw_value(fixture, fixture->types[range.equal_count]);
      upper = draw_value(fixture, fixture->types[range.equal_count]);
      if (draw(fixture, 2)) range.lower = &lower, range.lower_open = draw(fixture, 2);
      if (draw(fixture, 2)) range.upper = &upper, range.upper_open = draw(fixture, 2);
    }
    check_range(fixture, &range);
  }
}

static void toggle(Fixture *fixture, Entry *entry) {
  if (entry->is_in)
    assert_true(ordered_remove(fixture->ordered, entry->values, &entry->key));
  else
    ordered_add(fixture->ordered, entry->values, &entry->key);
  entry->is_in = !entry->is_in;
}

/* Grows, changes at random, and shrinks to nothing, with the tree checked all along. */
static void exercise(DialectName dialect, uint32_t columns, const Type *types, uint64_t seed) {
  Fixture fixture;
  fixture_init(&fixture, dialect, columns, types, seed);
  for (uint32_t i = 0; i < KEYS; i++) toggle(&fixture, &fixture.entries[i]);
  assert_true(ordered_is_sound(fixture.ordered));
  check_ranges(&fixture);
  for (uint32_t round = 0; round < 10; round++) {
    for (uint32_t i = 0; i < KEYS / 2; i++) toggle(&fixture, &fixture.entries[draw(&fixture, KEYS)]);
    assert_true(ordered_is_sound(fixture.ordered));
    check_ranges(&fixture);
  }
  for (uint32_t i = 0; i < KEYS; i++) {
    if (fixture.entries[i].is_in) toggle(&fixture, &fixture.entries[i]);
    if (i % 100 == 0) assert_true(ordered_is_sound(fixture.ordered));
  }
  assert_int_equal(ordered_count(fixture.ordered), 0);
  check_ranges(&fixture);
  fixture_free(&fixture);
}

static void integers(void **state) {
  (void)state;
  exercise(DIALECT_POSTGRESQL, 1, (Type[]){type_int(8)}, 1);
  exercise(DIALECT_MYSQL, 3, (Type[]){type_int(4), type_int(4), type_int(8)}, 2);
}

static void numbers_and_text(void **state) {
  (void)state;
  Type decimal = {.kind = TYPE_DECIMAL, .precision = 12, .scale = 2};
  exercise(DIALECT_POSTGRESQL, 2, (Type[]){decimal, type_of(TYPE_VARCHAR)}, 3);
  exercise(DIALECT_GENERIC, 3, (Type[]){type_of(TYPE_VARCHAR), type_int(8), type_of(TYPE_DOUBLE)}, 4);
  Type folded = {.kind = TYPE_VARCHAR, .collation = COLLATION_CI};
  exercise(DIALECT_MARIADB, 2, (Type[]){folded, type_int(4)}, 5);
}

static void dynamic(void **state) {
  (void)state;
  Type integer = {.kind = TYPE_DYNAMIC, .affinity = AFFINITY_INTEGER};
  Type text = {.kind = TYPE_DYNAMIC, .affinity = AFFINITY_TEXT, .collation = COLLATION_CI};
  exercise(DIALECT_SQLITE, 2, (Type[]){integer, text}, 6);
  exercise(DIALECT_SQLITE, 1, (Type[]){type_of(TYPE_DYNAMIC)}, 7);
}

static void without_columns(void **state) {
  (void)state;
  exercise(DIALECT_SQLITE, 0, NULL, 8);
}

static void refuses_what_has_no_order(void **state) {
  (void)state;
  Fixture fixture;
  fixture_init(&fixture, DIALECT_POSTGRESQL, 1, (Type[]){type_int(8)}, 9);
  assert_true(ordered_accepts(fixture.ordered, &NULL_VALUE));
  assert_true(ordered_accepts(fixture.ordered, &(Value){.kind = VALUE_INT, .integer = 3}));
  assert_false(ordered_accepts(fixture.ordered, &(Value){.kind = VALUE_DOUBT}));
  assert_false(ordered_accepts(fixture.ordered, &(Value){.kind = VALUE_TEXT}));
  assert_false(ordered_remove(fixture.ordered, fixture.entries[0].values, &fixture.entries[0].key));
  fixture_free(&fixture);
}

/* A queue: entries come at one end and go at the other; the tree does not grow with what has passed. */
static void stays_small(void **state) {
  (void)state;
  Fixture fixture;
  fixture_init(&fixture, DIALECT_POSTGRESQL, 1, (Type[]){type_int(8)}, 10);
  uint64_t most = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    Entry *entry = &fixture.entries[i % KEYS];
    if (entry->is_in) toggle(&fixture, entry);
    entry->values[0] = value_int(i);
    toggle(&fixture, entry);
    if (i == 2 * KEYS) most = ordered_bytes(fixture.ordered);
  }
  assert_true(ordered_is_sound(fixture.ordered));
  assert_true(ordered_bytes(fixture.ordered) <= 2 * most);
  fixture_free(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),    cmocka_unit_test(numbers_and_text),
      cmocka_unit_test(dynamic),     cmocka_unit_test(without_columns),
      cmocka_unit_test(stays_small), cmocka_unit_test(refuses_what_has_no_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
