/* order_test.c: the given order, against a plain sort of the whole file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/transcript/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 60 };

typedef enum Kind { KIND_SORTED, KIND_BARE, KIND_UNKNOWN, KIND_ABORTED, KIND_GAP } Kind;

typedef struct Row {
  Kind kind;
  int64_t key;     /* own, or inherited */
  uint32_t leader; /* index of the row it is sorted by */
  uint32_t line;   /* in the file */
  int64_t rank;    /* among transactions with a place; -1: none */
} Row;

static uint64_t random_state = 0x9E3779B97F4A7C15ull;
static uint32_t random_next(uint32_t bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state % bound);
}

static int row_compare(const void *a, const void *b) {
  const Row *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->leader != y->leader) return x->leader < y->leader ? -1 : 1;
  return x->line < y->line ? -1 : 1;
}

typedef struct Script {
  Row rows[MOST_LINES];
  uint32_t count;
  bool by_commit;
  uint32_t reorder;
} Script;

static void script_make(Script *script) {
  script->count = 1 + random_next(MOST_LINES - 1);
  script->by_commit = random_next(2);
  script->reorder = random_next(8);
  uint32_t spread = 1 + random_next(12), leader = 0;
  int64_t key = INT64_MIN, rank = 0;
  for (uint32_t i = 0; i < script->count; i++) {
    Row *row = &script->rows[i];
    uint32_t draw = random_next(10);
    *row = (Row){.kind = draw < 6 ? KIND_SORTED : (Kind)(draw - 5), .line = i + 2, .rank = -1};
    if (row->kind == KIND_SORTED) key = i + random_next(spread), leader = i;
    row->key = key;
    row->leader = leader;
    if (row->kind <= KIND_UNKNOWN) row->rank = rank++;
  }
}

static void script_write(const Script *script, char *path) {
  strcpy(path, "/tmp/alibi-order-XXXXXX");
  FILE *file = fdopen(mkstemp(path), "w");
  fprintf(file, "{\"alibi\":1,\"order\":\"%s\",\"reorder\":%u}\n", script->by_commit ? "commit" : "hint",
          script->reorder);
  for (uint32_t i = 0; i < script->count; i++) {
    const Row *row = &script->rows[i];
    if (row->kind == KIND_GAP) {
      fprintf(file, "{\"gap\":\"g%u\"}\n", row->line);
      continue;
    }
    fprintf(file, "{\"txn\":%u,", row->line);
    int64_t shown = row->kind == KIND_SORTED ? row->key : (int64_t)random_next(100);
    if (row->kind != KIND_BARE && script->by_commit) fprintf(file, "\"commit\":[%d,%d],", -5, (int)shown);
    if (row->kind != KIND_BARE && !script->by_commit) fprintf(file, "\"hint\":%d,", (int)shown);
    if (row->kind == KIND_UNKNOWN) fprintf(file, "\"status\":\"unknown\",");
    if (row->kind == KIND_ABORTED) fprintf(file, "\"status\":\"aborted\",");
    fprintf(file, "\"ops\":[{\"sql\":\"statement %u\"}]}\n", row->line);
  }
  fprintf(file, "{\"final\":\"t\",\"rows\":[]}\n");
  fclose(file);
}

/* The lines that have a place, as a sort of all of them gives them; false: one is too far from its place. */
static bool script_sort(const Script *script, uint32_t *lines, uint32_t *count) {
  Row sorted[MOST_LINES];
  *count = 0;
  for (uint32_t i = 0; i < script->count; i++)
    if (script->rows[i].kind != KIND_ABORTED) sorted[(*count)++] = script->rows[i];
  qsort(sorted, *count, sizeof *sorted, row_compare);
  int64_t place = 0;
  for (uint32_t i = 0; i < *count; i++) {
    lines[i] = sorted[i].line;
    if (sorted[i].rank < 0) continue;
    if (llabs(sorted[i].rank - place++) > script->reorder) return false;
  }
  return true;
}

/* Reads the file in the given order; false: bad input. */
static bool script_read(const char *path, uint32_t *lines, uint32_t *count, uint32_t *aborted, Diag *diag) {
  diag_clear(diag);
  TranscriptReader *reader = transcript_open(path, diag);
  assert_non_null(reader);
  TranscriptOrder *order = order_new(reader, path);
  Line line = {.kind = LINE_HEADER};
  bool is_good = true, is_over = false;
  *count = *aborted = 0;
  while ((is_good = order_next(order, &line, diag)) && line.kind != LINE_END) {
    if (line.kind == LINE_FINAL) is_over = true;
    if (line.kind == LINE_FINAL) continue;
    assert_false(is_over); /* final lines come behind everything else */
    char expected[40];
    if (line.kind == LINE_GAP) {
      snprintf(expected, sizeof expected, "g%u", (unsigned)line.number);
      assert_string_equal(line.gap.text, expected);
    } else {
      snprintf(expected, sizeof expected, "statement %u", (unsigned)line.number);
      assert_string_equal(line.transaction.operations[0].sql, expected);
      if (line.transaction.status == STATUS_ABORTED) {
        ++*aborted;
        continue;
      }
    }
    lines[(*count)++] = (uint32_t)line.number;
  }
  assert_true(!is_good || is_over);
  order_free(order);
  transcript_close(reader);
  return is_good;
}

static void random_files_are_sorted(void **state) {
  (void)state;
  uint32_t good = 0, bad = 0;
  for (uint32_t round = 0; round < 4000; round++) {
    Script script;
    char path[64];
    script_make(&script);
    script_write(&script, path);
    uint32_t expected[MOST_LINES], lines[MOST_LINES], expected_count, count, aborted;
    Diag diag;
    bool is_expected = script_sort(&script, expected, &expected_count);
    bool is_good = script_read(path, lines, &count, &aborted, &diag);
    unlink(path);
    assert_int_equal(is_good, is_expected);
    good += is_good;
    bad += !is_good;
    if (!is_good) {
      assert_non_null(strstr(diag.message, "from its place"));
      assert_true(diag.place.line >= 2);
      continue;
    }
    assert_int_equal(count, expected_count);
    assert_memory_equal(lines, expected, count * sizeof *lines);
  }
  assert_true(good > 500 && bad > 500);
}

/* Memory stays that of the window, however long the file is. */
static void windows_are_bounded(void **state) {
  (void)state;
  char path[64] = "/tmp/alibi-order-XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  enum { COUNT = 100000 };
  fprintf(file, "{\"alibi\":1,\"order\":\"hint\",\"reorder\":50}\n");
  for (uint32_t i = 0; i < COUNT; i++)
    fprintf(file, "{\"txn\":%u,\"hint\":%u,\"ops\":[{\"sql\":\"SELECT %u FROM accounts\"}]}\n", i, i ^ 31, i);
  fclose(file);
  Diag diag;
  diag_clear(&diag);
  TranscriptReader *reader = transcript_open(path, &diag);
  TranscriptOrder *order = order_new(reader, path);
  Line line = {0};
  uint32_t next = 0;
  while (order_next(order, &line, &diag) && line.kind == LINE_TRANSACTION)
    assert_int_equal(line.transaction.hint, next++);
  assert_int_equal(next, COUNT);
  order_free(order);
  transcript_close(reader);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_files_are_sorted),
                                     cmocka_unit_test(windows_are_bounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
