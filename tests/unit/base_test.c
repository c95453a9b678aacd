/* base_test.c: arena, map, diag and the representation of values. */
#include "src/base/array.h"
#include "src/base/diag.h"
#include "src/base/map.h"
#include "src/base/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static void arena_keeps_what_a_mark_keeps(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena);
  char *kept = arena_text(&arena, "kept", 4);
  ArenaMark mark = arena_mark(&arena);
  for (int i = 0; i < 1000; i++) memset(arena_alloc(&arena, 100), 'x', 100);
  memset(arena_alloc(&arena, 3 << 20), 'x', 3 << 20);
  arena_reset(&arena, mark);
  assert_string_equal(kept, "kept");
  assert_string_equal(arena_format(&arena, "%d-%s", 7, "a"), "7-a");
  arena_clear(&arena);
  assert_true(arena_size(&arena) <= (1 << 20) + 64);
  arena_free(&arena);
}

static void arena_zero_is_zero_after_reuse(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena);
  memset(arena_alloc(&arena, 64), 0xff, 64);
  arena_clear(&arena);
  const char *memory = arena_zero(&arena, 64);
  for (int i = 0; i < 64; i++) assert_int_equal(memory[i], 0);
  arena_free(&arena);
}

static void arrays_grow(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena);
  ARRAY(int) heap = {0}, inside = {0};
  for (int i = 0; i < 1000; i++) {
    ARRAY_PUSH(&heap, i);
    ARENA_PUSH(&arena, &inside, i * 2);
  }
  assert_int_equal(heap.count, 1000);
  assert_int_equal(heap.items[999], 999);
  assert_int_equal(inside.items[999], 1998);
  ARRAY_FREE(&heap);
  arena_free(&arena);
}

static void map_finds_what_was_put(void **state) {
  (void)state;
  Map map;
  map_init(&map);
  static int values[5000];
  char key[16];
  for (int i = 0; i < 5000; i++) map_put_copy(&map, key, (size_t)sprintf(key, "k%d", i), &values[i]);
  assert_int_equal(map.count, 5000);
  for (int i = 0; i < 5000; i += 2)
    assert_ptr_equal(map_remove(&map, key, (size_t)sprintf(key, "k%d", i)), &values[i]);
  for (int i = 0; i < 5000; i++) {
    sprintf(key, "k%d", i);
    assert_ptr_equal(map_find(&map, key), i % 2 ? &values[i] : NULL);
  }
  for (int round = 0; round < 20; round++) /* deleted slots are used again */
    for (int i = 0; i < 5000; i += 2) {
      sprintf(key, "k%d", i);
      map_put_copy(&map, key, strlen(key), &values[i]);
      map_remove(&map, key, strlen(key));
    }
  assert_int_equal(map.count, 2500);
  assert_true(map.room <= 16384);
  map_free(&map);
}

static void map_replaces_a_value(void **state) {
  (void)state;
  Map map;
  map_init(&map);
  int a, b;
  map_put(&map, "x", 1, &a);
  map_put(&map, "x", 1, &b);
  assert_int_equal(map.count, 1);
  assert_ptr_equal(map_find(&map, "x"), &b);
  assert_null(map_find(&map, "y"));
  map_free(&map);
}

static void the_first_error_wins(void **state) {
  (void)state;
  Diag diag;
  diag_clear(&diag);
  char field[] = "ops[2].rows", buffer[256];
  assert_false(diag_fail(&diag, (Place){"log.jsonl", 7, field, 12}, "expected %s", "an array"));
  field[0] = 'X'; /* the field is copied */
  diag_fail(&diag, PLACE_NONE, "later");
  assert_string_equal(diag_text(&diag, buffer, sizeof buffer),
                      "log.jsonl:7: field 'ops[2].rows': expected an array (at offset 12)");
}

static void values_are_canonical(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena);
  assert_int_equal(value_uint(5).kind, VALUE_INT);
  assert_int_equal(value_uint(1ull << 63).kind, VALUE_UINT);
  assert_int_equal(value_decimal(&arena, 12345, 2).kind, VALUE_DECIMAL);
  Int128 wide = (Int128)INT64_MAX * 1000;
  Value value = value_decimal(&arena, -wide, 3);
  assert_int_equal(value.kind, VALUE_WIDE);
  assert_true(value_coefficient(value) == -wide);
  assert_true(value_coefficient(value_uint(UINT64_MAX)) == (Int128)UINT64_MAX);
  arena_free(&arena);
}

static void a_packed_value_owns_its_bytes(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena);
  char text[] = "hello";
  Value items[2] = {value_text(text, 5), value_decimal(&arena, (Int128)INT64_MAX * 10, 1)};
  Value list = {.kind = VALUE_LIST, .length = 2, .items = items};
  Value copy = value_copy(&arena, list);
  assert_true(value_identical(list, copy));
  text[0] = 'j';
  assert_false(value_identical(list, copy));
  assert_memory_equal(copy.items[0].text, "hello", 5);
  arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arena_keeps_what_a_mark_keeps),
                                     cmocka_unit_test(arena_zero_is_zero_after_reuse),
                                     cmocka_unit_test(arrays_grow),
                                     cmocka_unit_test(map_finds_what_was_put),
                                     cmocka_unit_test(map_replaces_a_value),
                                     cmocka_unit_test(the_first_error_wins),
                                     cmocka_unit_test(values_are_canonical),
                                     cmocka_unit_test(a_packed_value_owns_its_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
