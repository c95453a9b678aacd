/* transcript_test.c: the two readers agree; bad lines are located; what is written reads back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/transcript/decode.h"
#include "src/transcript/fast.h"
#include "src/transcript/names.h"
#include "src/transcript/source.h"
#include "src/transcript/transcript.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Equality of lines ------------------------------------------------------------- */

static bool text_equal(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool interval_equal(Interval a, Interval b) {
  return a.given == b.given && (!a.given || (a.lo == b.lo && a.hi == b.hi));
}

static bool observed_equal(const Observed *a, const Observed *b) {
  if (!value_identical(a->value, b->value) || a->text_length != b->text_length) return false;
  return a->text_length == 0 || memcmp(a->text, b->text, a->text_length) == 0;
}

static bool rows_equal(const ObservedRows *a, const ObservedRows *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->rows[i].count != b->rows[i].count) return false;
    for (uint32_t j = 0; j < a->rows[i].count; j++)
      if (!observed_equal(&a->rows[i].cells[j], &b->rows[i].cells[j])) return false;
  }
  return true;
}

static bool columns_equal(const char **a, uint32_t a_count, const char **b, uint32_t b_count) {
  if (a_count != b_count) return false;
  for (uint32_t i = 0; i < a_count; i++)
    if (!text_equal(a[i], b[i])) return false;
  return true;
}

static bool params_equal(const Operation *a, const Operation *b) {
  if (a->param_count != b->param_count || a->params_are_named != b->params_are_named) return false;
  for (uint32_t i = 0; i < a->param_count; i++) {
    if (!text_equal(a->params[i].name, b->params[i].name) ||
        a->params[i].name_length != b->params[i].name_length)
      return false;
    if (!observed_equal(&a->params[i].value, &b->params[i].value)) return false;
  }
  return true;
}

static bool operation_equal(const Operation *a, const Operation *b) {
  if (a->kind != b->kind || a->meta != b->meta || a->sql_length != b->sql_length ||
      !text_equal(a->sql, b->sql))
    return false;
  if (a->has_rows != b->has_rows || a->has_results != b->has_results || a->result_count != b->result_count)
    return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (!rows_equal(&a->results[i], &b->results[i])) return false;
  if (a->has_columns != b->has_columns ||
      !columns_equal(a->columns, a->column_count, b->columns, b->column_count))
    return false;
  return params_equal(a, b) && a->has_affected == b->has_affected && a->affected == b->affected &&
         text_equal(a->error, b->error) && text_equal(a->snapshot, b->snapshot) &&
         text_equal(a->object, b->object) && interval_equal(a->start, b->start) &&
         interval_equal(a->end, b->end) && observed_equal(&a->argument, &b->argument);
}

static bool transaction_equal(const Transaction *a, const Transaction *b) {
  if (!text_equal(a->name, b->name) || a->name_is_integer != b->name_is_integer ||
      !text_equal(a->session, b->session) || a->status != b->status || !interval_equal(a->start, b->start) ||
      !interval_equal(a->commit, b->commit) || !text_equal(a->level, b->level) ||
      a->has_hint != b->has_hint || a->hint != b->hint || !text_equal(a->xid, b->xid) ||
      !text_equal(a->snapshot, b->snapshot) || a->operation_count != b->operation_count)
    return false;
  for (uint32_t i = 0; i < a->operation_count; i++)
    if (!operation_equal(&a->operations[i], &b->operations[i])) return false;
  return true;
}

static bool table_equal(const TableLine *a, const TableLine *b) {
  if (!text_equal(a->table, b->table) || a->has_columns != b->has_columns || a->row_count != b->row_count ||
      !columns_equal(a->columns, a->column_count, b->columns, b->column_count))
    return false;
  for (uint32_t i = 0; i < a->row_count; i++) {
    if (a->rows[i].count != b->rows[i].count || !a->rows[i].cells != !b->rows[i].cells) return false;
    for (uint32_t j = 0; j < a->rows[i].count; j++) {
      if (a->rows[i].cells && (a->rows[i].cells[j].kind != b->rows[i].cells[j].kind ||
                               !value_identical(a->rows[i].cells[j].value, b->rows[i].cells[j].value)))
        return false;
      if (a->rows[i].observed && !observed_equal(&a->rows[i].observed[j], &b->rows[i].observed[j]))
        return false;
    }
  }
  return true;
}

static bool line_equal(const Line *a, const Line *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == LINE_TRANSACTION) return transaction_equal(&a->transaction, &b->transaction);
  if (a->kind == LINE_TABLE || a->kind == LINE_FINAL) return table_equal(&a->table, &b->table);
  if (a->kind == LINE_SETUP) return text_equal(a->setup, b->setup);
  if (a->kind == LINE_GAP) return text_equal(a->gap.text, b->gap.text) && a->gap.writes == b->gap.writes;
  return false;
}

/* ---- Both readers over one line ------------------------------------------------------- */

static void ignore_warning(const char *message, void *context) { (void)message, (void)context; }

typedef struct Bench {
  FastReader fast;
  Arena fast_arena, slow_arena;
  Warnings warnings;
  uint64_t lines, taken;
} Bench;

static void bench_init(Bench *bench) {
  *bench = (Bench){.warnings = {.warn = ignore_warning}};
  map_init(&bench->warnings.fields);
}

static void bench_free(Bench *bench) {
  fast_free(&bench->fast);
  arena_free(&bench->fast_arena);
  arena_free(&bench->slow_arena);
  map_free(&bench->warnings.fields);
}

static bool bench_decode(Bench *bench, const char *text, size_t length, Line *line, Diag *diag) {
  JsonLine json;
  bool is_torn;
  Place place = {"test", 1, NULL, -1};
  bool done = json_line_load(&json, text, length, place, diag, &is_torn);
  if (done) {
    Decoder decoder = {&bench->slow_arena, "test", 1, &bench->warnings, diag, &json};
    done = decode_line(&decoder, line);
  }
  json_line_free(&json);
  return done;
}

/* What the fast reader takes, jansson takes too, and both read the same; what it leaves is unchanged. */
static void bench_line(Bench *bench, const char *text, size_t length) {
  char *copy = malloc(length + SOURCE_SLACK);
  memcpy(copy, text, length);
  memset(copy + length, 0, SOURCE_SLACK);
  Line fast = {0}, slow = {0};
  Diag diag;
  diag_clear(&diag);
  arena_clear(&bench->fast_arena);
  arena_clear(&bench->slow_arena);
  bool is_taken = fast_read(&bench->fast, &bench->fast_arena, copy, length, &fast);
  bench->lines++;
  bench->taken += is_taken;
  if (!is_taken) {
    assert_memory_equal(copy, text, length);
  } else {
    bool is_decoded = bench_decode(bench, text, length, &slow, &diag);
    if (!is_decoded || !line_equal(&fast, &slow))
      fail_msg("the readers differ (%s) on: %.*s", diag.message, (int)length, text);
  }
  free(copy);
}

/* ---- Lines to try ------------------------------------------------------------------------ */

static const char *const odd_lines[] = {
    "{\"txn\":1,\"ops\":[]}",
    "{\"txn\":\"1\",\"ops\":[],\"session\":7,\"xid\":\"a\",\"snapshot\":\"1:2:\",\"hint\":-5,\"level\":"
    "\"ser\"}",
    "{ \"ops\" : [ { \"sql\" : \"SELECT 1\" , \"rows\" : [ [ 1 ] , [ 2.50 ] ] } ] , \"txn\" : \"x\" } ",
    "{\"txn\":1,\"ops\":[{\"sql\":\"a\\\"b\\\\c\\/d\\n\\t\\r\\b\\f\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"\xc0\xaf\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"\xed\xa0\x80\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"\xf4\x90\x80\x80\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"\\ud800\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"\\u0000\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"params\":[1,-1,0,-0,1.0,1e5,1E-5,-2.5e+3,null,true,false,\"s\","
    "\"\"]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"params\":{\"a\":1,\"b\":\"2\"}}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"params\":{\"a\":1,\"a\":2}}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"params\":{}}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"rows\":[]},{\"sql\":\"y\",\"rows\":[[]]},{\"sql\":\"z\","
    "\"results\":[]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"results\":[[[1]],[[2,3],[4,5]]],\"columns\":[\"a\"]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"columns\":[\"a\",\"b\"],\"rows\":[[1,2]],\"affected\":3,\"error\":"
    "\"1\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"columns\":[\"a\"],\"rows\":[[1,2]]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"rows\":[[1,2],[3]]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"rows\":[[1]],\"results\":[]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"start\":1,\"end\":[1,null],\"meta\":true,\"snapshot\":\"s\"}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"start\":[1,2],\"end\":[3,4],\"meta\":false}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"start\":[2,1]}]}",
    "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"start\":[1,null]}]}",
    "{\"txn\":1,\"ops\":[{\"r\":[\"x\",null]},{\"w\":[5,1]},{\"append\":[\"l\",7]},{\"r\":[\"l\",[7,\"a\",1."
    "5]]}]}",
    "{\"txn\":1,\"ops\":[{\"r\":[\"x\",[[1]]]}]}",
    "{\"txn\":1,\"ops\":[{\"r\":[\"x\",1],\"rows\":[]}]}",
    "{\"txn\":1,\"ops\":[{\"r\":[\"x\",1],\"sql\":\"y\"}]}",
    "{\"txn\":1,\"ops\":[{\"r\":[\"x\"]}]}",
    "{\"txn\":9223372036854775807,\"ops\":[{\"sql\":\"x\",\"affected\":-9223372036854775808}]}",
    "{\"txn\":9223372036854775808,\"ops\":[]}",
    "{\"txn\":01,\"ops\":[]}",
    "{\"txn\":1.5,\"ops\":[]}",
    "{\"txn\":1,\"status\":\"aborted\",\"start\":20,\"commit\":[30,null],\"ops\":[{\"sql\":\"x\"}]}",
    "{\"txn\":1,\"status\":\"done\",\"ops\":[]}",
    "{\"txn\":1,\"txn\":2,\"ops\":[]}",
    "{\"txn\":1,\"ops\":[],}",
    "{\"txn\":1,\"ops\":[,]}",
    "{\"txn\":1,\"ops\":[]}x",
    "{\"txn\":1}",
    "{\"ops\":[]}",
    "{\"txn\":1,\"final\":\"t\",\"ops\":[]}",
    "{\"table\":\"t\",\"columns\":[\"a\",\"b\"],\"rows\":[[1,\"x\"],[null,2.5]]}",
    "{\"table\":\"t\",\"rows\":[[1],[{\"in\":[1,2]}],[{\"any\":true}]]}",
    "{\"table\":\"t\",\"rows\":[[1],[2,3]]}",
    "{\"table\":\"t\",\"columns\":[\"a\"],\"rows\":[[1,2]]}",
    "{\"table\":\"t\",\"final\":\"t\",\"rows\":[]}",
    "{\"final\":\"t\",\"columns\":[],\"rows\":[]}",
    "{\"final\":\"t\",\"rows\":[[1,2.50,\"x\"],[3,4.0,null]]}",
    "{\"gap\":\"lost\",\"writes\":false}",
    "{}",
    "[]",
    "",
};
enum {
  ODD_LINES = sizeof odd_lines / sizeof *odd_lines,
  ODD_LINES_PLAIN = 17
}; /* PLAIN: the fast reader's */

static void odd_lines_agree(void **state) {
  (void)state;
  Bench bench;
  bench_init(&bench);
  for (size_t i = 0; i < ODD_LINES; i++) bench_line(&bench, odd_lines[i], strlen(odd_lines[i]));
  assert_int_equal(bench.taken, ODD_LINES_PLAIN);
  bench_free(&bench);
}

static uint64_t random_state = 88172645463325252ull;
static uint64_t random_next(uint64_t bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % bound;
}

/* A few bytes of an odd line changed, dropped, doubled or taken from another line. */
static size_t line_mutate(char *text, size_t length) {
  static const char alphabet[] = "\"\\{}[],:0123456789.eE+-ntrufalse u \xc3\xa9\xff\x01";
  for (uint64_t changes = 1 + random_next(3); changes && length > 1; changes--) {
    size_t place = random_next(length);
    switch (random_next(4)) {
    case 0: text[place] = alphabet[random_next(sizeof alphabet - 1)]; break;
    case 1:
      memmove(text + place, text + place + 1, length - place - 1);
      length--;
      break;
    case 2:
      memmove(text + place + 1, text + place, length - place);
      text[place] = alphabet[random_next(sizeof alphabet - 1)];
      length++;
      break;
    default: {
      const char *other = odd_lines[random_next(ODD_LINES)];
      size_t size = strlen(other), from = size ? random_next(size) : 0,
             count = size - from < 9 ? size - from : 9;
      if (place + count < length) memcpy(text + place, other + from, count);
    }
    }
  }
  return length;
}

static void changed_lines_agree(void **state) {
  (void)state;
  Bench bench;
  bench_init(&bench);
  char text[600];
  for (uint32_t i = 0; i < 200000; i++) {
    const char *source = odd_lines[random_next(ODD_LINES)];
    size_t length = strlen(source);
    memcpy(text, source, length);
    length = line_mutate(text, length);
    bench_line(&bench, text, length);
  }
  assert_true(bench.taken > 2000);
  bench_free(&bench);
}

static void recorded_lines_agree(void **state) {
  (void)state;
  const char *folder = getenv("ALIBI_TESTDATA");
  char pattern[1000];
  snprintf(pattern, sizeof pattern, "%s/*/*.jsonl", folder ? folder : "../shared/data");
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) {
    if (getenv("CI")) fail_msg("no transcripts at %s", pattern);
    skip();
  }
  Bench bench;
  bench_init(&bench);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    FILE *file = fopen(found.gl_pathv[i], "r");
    assert_non_null(file);
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&text, &room, file)) > 0)
      bench_line(&bench, text, (size_t)length - (text[length - 1] == '\n'));
    free(text);
    fclose(file);
  }
  globfree(&found);
  assert_true(bench.lines > 1000);
  assert_true(bench.taken * 100 > bench.lines * 95); /* it is worth having */
  bench_free(&bench);
}

/* ---- The reader over whole files ------------------------------------------------------------ */

static void file_make(char *path, const char *text, size_t length) {
  strcpy(path, "/tmp/alibi-test-XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, length), length);
  close(descriptor);
}

static char warning_text[1000];
static void keep_warning(const char *message, void *context) {
  ++*(int *)context;
  snprintf(warning_text, sizeof warning_text, "%s", message);
}

/* Reads a whole file; true: to its end. */
static bool file_read(const char *text, size_t length, Diag *diag, int *lines, int *warnings) {
  char path[64];
  file_make(path, text, length);
  diag_clear(diag);
  *lines = *warnings = 0;
  TranscriptReader *reader = transcript_open_with(path, keep_warning, warnings, diag);
  Line line = {.kind = LINE_HEADER};
  bool is_good = reader != NULL;
  while (is_good && line.kind != LINE_END) {
    is_good = transcript_next(reader, &line, diag);
    *lines += is_good && line.kind != LINE_END;
  }
  transcript_close(reader);
  unlink(path);
  diag->place.file = "F";
  return is_good;
}

#define HEAD "{\"alibi\":1}\n"
#define TXN(name) "{\"txn\":" name ",\"ops\":[]}\n"

static const struct {
  const char *text, *message;
} bad_files[] = {
    {"", "F: empty: there is no header"},
    {"\n \n", "F: empty: there is no header"},
    {"{\"alibi\":2}\n", "F:1: field 'alibi': version 2 of the format; this program reads version 1"},
    {"{\"alibi\":\"1\"}\n", "F:1: field 'alibi': expected an integer, got a string"},
    {"{\"alibi\":", "broken JSON"},
    {TXN("1"), "F:1: field 'alibi': missing"},
    {"{\"alibi\":1,\"dialect\":\"oracle\"}\n", "F:1: field 'dialect': no such dialect: 'oracle'"},
    {"{\"alibi\":1,\"order\":\"time\"}\n", "F:1: field 'order': expected file, hint or commit, got 'time'"},
    {"{\"alibi\":1,\"reorder\":-1}\n", "F:1: field 'reorder': a negative number of lines"},
    {"{\"alibi\":1,\"settings\":3}\n", "F:1: field 'settings': expected an object, got an integer"},
    {HEAD HEAD, "F:2: field 'alibi': a second header"},
    {HEAD TXN("1") "{\"setup\":\"x\"}\n", "F:3: field 'setup': a set-up line behind the first transaction"},
    {HEAD TXN("1") TXN("\"1\""), "F:3: field 'txn': a second transaction named '1'"},
    {HEAD TXN("1") "{\"final\":\"t\",\"rows\":[]}\n" TXN("2"),
     "F:4: field 'txn': a transaction behind a 'final' line"},
    {HEAD "{\"final\":\"t\",\"rows\":[]}\n{\"final\":\"t\",\"rows\":[]}\n",
     "F:3: field 'final': a second final line"},
    {HEAD "{\"txn\":1}\n", "F:2: field 'ops': missing"},
    {HEAD "{\"ops\":[]}\n", "F:2: field 'txn': missing"},
    {HEAD "{\"txn\":1,\"ops\":[{}]}\n", "F:2: field 'ops[0].sql': missing"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":5}]}\n",
     "F:2: field 'ops[0].sql': expected a string, got an integer"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":\"x\"},{\"sql\":\"x\",\"affected\":\"1\"}]}\n",
     "F:2: field 'ops[1].affected': expected an integer, got a string"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"rows\":[[1],[[2]]]}]}\n",
     "F:2: field 'ops[0].rows[1][0]': expected a value (null, true, false, a number or a string), got an "
     "array"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"rows\":[[1],[2,3]]}]}\n",
     "F:2: field 'ops[0].rows[1]': a row of 2 values where 1 is expected"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"rows\":[],\"results\":[]}]}\n",
     "F:2: field 'ops[0].results': given together with 'rows'"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":\"x\",\"params\":[99999999999999999999]}]}\n",
     "F:2: field 'ops[0].params[0]': an integer beyond 64 bits (write it as a string)"},
    {HEAD "{\"txn\":1,\"ops\":[{\"sql\":\"x\"},{\"r\":[\"a\",1]}]}\n",
     "F:2: field 'ops[1]': SQL and key-value operations in one transcript"},
    {HEAD "{\"setup\":\"x\"}\n{\"txn\":1,\"ops\":[{\"r\":[\"a\",1]}]}\n",
     "F:3: field 'ops[0]': SQL and key-value"},
    {HEAD "{\"txn\":1,\"status\":\"gone\",\"ops\":[]}\n",
     "F:2: field 'status': expected committed, aborted or unknown"},
    {HEAD "{\"txn\":1,\"commit\":[5,4],\"ops\":[]}\n",
     "F:2: field 'commit': the interval ends before it begins"},
    {HEAD "{\"txn\":1,\"start\":[5,null],\"ops\":[]}\n",
     "F:2: field 'start[1]': expected an integer, got null"},
    {HEAD "{\"txn\":1,\"txn\":2,\"ops\":[]}\n", "F:2: field 'txn': duplicate object key"},
    {HEAD "{\"foo\":1}\n", "F:2: a line of unknown kind"},
    {HEAD "{\"setup\":\"x\",\"gap\":\"y\"}\n", "F:2: a line of two kinds: it has both 'setup' and 'gap'"},
    {HEAD "[1]\n", "F:2: expected an object, got an array"},
    {HEAD "{\"txn\":1,\"ops\":[}\n" TXN("2"), "F:2: field 'ops': broken JSON"},
    {HEAD "{\"txn\":\"\\u0000\",\"ops\":[]}\n", "F:2: field 'txn': a NUL character (\\u0000) in a string"},
    {HEAD "{\"txn\":\"\xff\",\"ops\":[]}\n", "F:2: field 'txn': invalid UTF-8"},
    {HEAD "{\"table\":\"t\",\"columns\":[\"a\",\"b\"],\"rows\":[[1]]}\n",
     "F:2: field 'rows[0]': a row of 1 value where 2 are expected"},
    {HEAD "{\"table\":\"t\",\"rows\":[[{\"in\":[]}]]}\n",
     "F:2: field 'rows[0][0].in': one of no values at all"},
    {HEAD "{\"table\":\"t\",\"rows\":[[{\"any\":false}]]}\n",
     "F:2: field 'rows[0][0].any': expected true, got false"},
    {HEAD "{\"table\":\"t\"}\n", "F:2: field 'rows': missing"},
    {HEAD "{\"gap\":1}\n", "F:2: field 'gap': expected a string, got an integer"},
    /* without a newline, but not because its end is missing */
    {HEAD "garbage", "F:2: broken JSON"},
    {HEAD "{\"foo\":1}", "F:2: a line of unknown kind"},
    {HEAD "{\"txn\":1,,\"ops\":[", "F:2: broken JSON"},
};

static void bad_files_are_located(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
    Diag diag;
    int lines, warnings;
    char text[1024];
    bool is_good = file_read(bad_files[i].text, strlen(bad_files[i].text), &diag, &lines, &warnings);
    if (is_good) fail_msg("accepted: %s", bad_files[i].text);
    diag_text(&diag, text, sizeof text);
    if (!strstr(text, bad_files[i].message))
      fail_msg("'%s' does not contain '%s'", text, bad_files[i].message);
  }
}

static void nul_bytes_are_bad(void **state) {
  (void)state;
  static const char text[] = HEAD "{\"txn\":\"a\0b\",\"ops\":[]}\n";
  Diag diag;
  int lines, warnings;
  assert_false(file_read(text, sizeof text - 1, &diag, &lines, &warnings));
  assert_non_null(strstr(diag.message, "NUL"));
  assert_int_equal(diag.place.line, 2);
}

/* Every proper prefix of the last line is torn: dropped with one warning; the whole line is read. */
static void torn_lines_are_dropped(void **state) {
  (void)state;
  static const char last[] =
      "{\"txn\":\"\xc3\xa9\\u00e9\\n\",\"ops\":[{\"sql\":\"x\",\"rows\":[[-1.5e+3,true,null]]}]}";
  for (size_t cut = 1; cut <= strlen(last); cut++) {
    char text[300];
    int length = snprintf(text, sizeof text, HEAD TXN("1") "%.*s", (int)cut, last);
    Diag diag;
    int lines, warnings;
    bool is_good = file_read(text, (size_t)length, &diag, &lines, &warnings);
    bool is_whole = cut == strlen(last);
    if (!is_good) fail_msg("%s: %s", diag.message, text);
    assert_int_equal(lines, is_whole ? 2 : 1);
    assert_int_equal(warnings, is_whole ? 0 : 1);
  }
}

static void unknown_fields_warn_once(void **state) {
  (void)state;
  static const char text[] = HEAD "{\"txn\":1,\"color\":1,\"ops\":[{\"sql\":\"x\",\"size\":2}]}\n"
                                  "{\"txn\":2,\"color\":1,\"ops\":[{\"sql\":\"x\",\"size\":2}]}\n";
  Diag diag;
  int lines, warnings;
  assert_true(file_read(text, strlen(text), &diag, &lines, &warnings));
  assert_int_equal(lines, 2);
  assert_int_equal(warnings, 2);
  assert_non_null(strstr(warning_text, "color"));
}

static void nesting_has_a_bound(void **state) {
  (void)state;
  for (int depth = 99; depth <= 101; depth++) {
    char text[600] = HEAD "{\"txn\":1,\"ops\":[],\"x\":";
    for (int i = 1; i < depth; i++) strcat(text, "[");
    for (int i = 1; i < depth; i++) strcat(text, "]");
    strcat(text, "}\n");
    Diag diag;
    int lines, warnings;
    bool is_good = file_read(text, strlen(text), &diag, &lines, &warnings);
    assert_int_equal(is_good, depth <= 100);
    if (!is_good) assert_non_null(strstr(diag.message, "nested"));
  }
}

static void header_is_read(void **state) {
  (void)state;
  static const char text[] =
      "{\"alibi\":1,\"dialect\":\"mysql\",\"level\":\"si\",\"order\":\"hint\",\"reorder\":5,\"collation\":"
      "\"C\","
      "\"settings\":{\"found_rows\":true,\"innodb_snapshot_isolation\":\"ON\",\"sql_mode\":\"ANSI_QUOTES\"},"
      "\"name\":\"n\"}\r\n";
  char path[64];
  file_make(path, text, strlen(text));
  Diag diag;
  diag_clear(&diag);
  TranscriptReader *reader = transcript_open(path, &diag);
  assert_non_null(reader);
  const Header *header = transcript_header(reader);
  assert_int_equal(header->dialect.name, DIALECT_MYSQL);
  assert_int_equal(header->dialect.collation, COLLATION_C);
  assert_true(header->dialect.found_rows && header->dialect.ansi_quotes);
  assert_int_equal(header->snapshot_isolation, 1);
  assert_int_equal(header->order, ORDER_HINT);
  assert_int_equal(header->reorder, 5);
  assert_string_equal(header->level, "si");
  assert_string_equal(header->name, "n");
  transcript_close(reader);
  unlink(path);
}

static void places_are_no_files(void **state) {
  (void)state;
  Diag diag;
  diag_clear(&diag);
  assert_null(transcript_open("/nonexistent/x", &diag));
  assert_non_null(strstr(diag.message, "cannot open"));
  diag_clear(&diag);
  assert_null(transcript_open("/tmp", &diag));
  assert_non_null(strstr(diag.message, "directory"));
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void check_written(const char *path, const char *expected) {
  FILE *file = fopen(path, "r");
  char text[4000];
  size_t length = fread(text, 1, sizeof text - 1, file);
  text[length] = 0;
  fclose(file);
  assert_string_equal(text, expected);
}

static void values_are_written(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena);
  Observed cells[] = {
      {.value = NULL_VALUE},
      {.value = value_bool(true)},
      {.value = value_int(INT64_MIN)},
      {.value = value_uint(UINT64_MAX)},
      {.value = value_decimal(&arena, -1250, 2)},
      {.value = value_decimal(&arena, (Int128)INT64_MAX * 1000 + 1, 3)},
      {.value = value_double(1)},
      {.value = value_double(0.1)},
      {.value = value_double(1e300)},
      {.value = value_double(5e-324)},
      {.value = value_double(2.5), .text = "2.50", .text_length = 4},
      {.value = value_string("a\"b\\c\n\x01\xc3\xa9")},
      {.value = value_text("\xff\0", 2)},
      {.value = value_blob("\x00\xab", 2)},
      {.value = {.kind = VALUE_DATE, .integer = 19782}},
      {.value = {.kind = VALUE_DATE, .integer = -719528}},
      {.value = {.kind = VALUE_TIME, .integer = 3723000000}},
      {.value = {.kind = VALUE_TIMESTAMP, .integer = -1}},
  };
  ObservedRow row = {sizeof cells / sizeof *cells, cells};
  ObservedRows rows = {1, &row};
  Operation operation = {.sql = "x", .sql_length = 1, .has_rows = true, .result_count = 1, .results = &rows};
  Transaction transaction = {.name = "1", .operation_count = 1, .operations = &operation};
  char path[64];
  file_make(path, "", 0);
  Diag diag;
  diag_clear(&diag);
  TranscriptWriter *writer = transcript_create(path, &diag);
  assert_non_null(writer);
  transcript_write_transaction(writer, &transaction);
  assert_true(transcript_finish(writer, &diag));
  check_written(path,
                "{\"txn\":\"1\",\"ops\":[{\"sql\":\"x\",\"rows\":[[null,true,-9223372036854775808,"
                "\"18446744073709551615\",\"-12.50\",\"9223372036854775807.001\",1.0,0.1,1e+300,5e-324,2.50,"
                "\"a\\\"b\\\\c\\n\\u0001\xc3\xa9\",\"\\\\xff00\",\"\\\\x00ab\",\"2024-02-29\",\"0000-01-01\","
                "\"01:02:03\",\"1969-12-31 23:59:59.999999\"]]}]}\n");
  unlink(path);
  arena_free(&arena);
}

/* What is written reads back equal, and a copy of a transaction equals it. */
static void written_lines_read_back(void **state) {
  (void)state;
  Bench bench;
  bench_init(&bench);
  char path[64];
  for (size_t i = 0; i < ODD_LINES; i++) {
    Line line = {0}, again = {0};
    Diag diag;
    diag_clear(&diag);
    arena_clear(&bench.slow_arena);
    if (!bench_decode(&bench, odd_lines[i], strlen(odd_lines[i]), &line, &diag)) continue;
    if (line.kind == LINE_GAP) continue;
    file_make(path, "", 0);
    TranscriptWriter *writer = transcript_create(path, &diag);
    transcript_write_header(writer,
                            &(Header){.dialect = dialect_new(DIALECT_SQLITE), .snapshot_isolation = -1});
    if (line.kind == LINE_TRANSACTION)
      transcript_write_transaction(writer, transaction_copy(&bench.fast_arena, &line.transaction));
    if (line.kind == LINE_TABLE) transcript_write_table(writer, &line.table);
    if (line.kind == LINE_FINAL) transcript_write_final(writer, &line.table);
    assert_true(transcript_finish(writer, &diag));
    TranscriptReader *reader = transcript_open(path, &diag);
    assert_non_null(reader);
    assert_true(transcript_next(reader, &again, &diag));
    assert_true(line_equal(&line, &again));
    transcript_close(reader);
    unlink(path);
  }
  bench_free(&bench);
}

/* ---- Reading ahead ---------------------------------------------------------------- */

typedef struct Heard {
  int count;
  char last[200];
} Heard;

static void hear_warning(const char *message, void *context) {
  Heard *heard = context;
  heard->count++;
  snprintf(heard->last, sizeof heard->last, "%s", message);
}

/* A file of more than a megabyte that ends like this. */
static void long_file_make(char *path, const char *last) {
  size_t room = 4 << 20, length = 0;
  char *text = malloc(room);
  length += (size_t)snprintf(text, room, HEAD "{\"setup\":\"x\"}\n{\"table\":\"t\",\"rows\":[[1,\"a\"],[2,null]]}\n");
  for (int i = 0; i < 9000; i++) {
    const char *odd = i % 1000 == 999 ? "\"odd\":[1]," : i % 7 == 0 ? "\"session\":\"\\u00e9\"," : "";
    if (i % 1000 == 0) length += (size_t)snprintf(text + length, room - length, "{\"gap\":\"%d\",\"odd%d\":1}\n", i, i);
    length += (size_t)snprintf(text + length, room - length,
                               "{\"txn\":%d,%s\"start\":[%d,%d],\"ops\":[{\"sql\":\"SELECT * FROM t WHERE a = $1\","
                               "\"params\":[%d],\"rows\":[[%d,\"text %d\"],[1.5,null]]}]}\n",
                               i, odd, i, i + 3, i % 10, i, i);
  }
  length += (size_t)snprintf(text + length, room - length, "%s", last);
  assert_true(length > 1 << 20);
  file_make(path, text, length);
  free(text);
}

/* Two readers of one file step by step: one reads ahead. */
static void both_ways_agree(const char *path, uint64_t steps) {
  Diag diags[2];
  Heard heard[2] = {{0}};
  TranscriptReader *readers[2];
  for (int i = 0; i < 2; i++) {
    diag_clear(&diags[i]);
    readers[i] = transcript_open_with(path, hear_warning, &heard[i], &diags[i]);
    assert_non_null(readers[i]);
    transcript_take_hash(readers[i]);
    transcript_widen(readers[i], 2);
  }
  transcript_read_ahead(readers[1]);
  bool goes_on = true;
  for (uint64_t step = 0; goes_on && step < steps; step++) {
    Line lines[2];
    bool is_read[2];
    for (int i = 0; i < 2; i++) is_read[i] = transcript_next(readers[i], &lines[i], &diags[i]);
    TranscriptStats a = transcript_stats(readers[0]), b = transcript_stats(readers[1]);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(is_read[0], is_read[1]);
    assert_int_equal(heard[0].count, heard[1].count);
    assert_string_equal(heard[0].last, heard[1].last);
    goes_on = is_read[0] && lines[0].kind != LINE_END;
    if (!goes_on) continue;
    assert_true(lines[0].number == lines[1].number);
    if (!line_equal(&lines[0], &lines[1])) fail_msg("line %d differs", (int)lines[0].number);
  }
  char texts[2][1024];
  for (int i = 0; i < 2; i++) diag_text(&diags[i], texts[i], sizeof texts[i]);
  assert_string_equal(texts[0], texts[1]);
  assert_true(heard[0].count > 0);
  for (int i = 0; i < 2; i++) transcript_close(readers[i]);
}

static void lines_read_ahead_are_the_same(void **state) {
  (void)state;
  static const char *const ends[] = {
      "{\"final\":\"t\",\"rows\":[[1,\"a\"]]}\n",
      "{\"txn\":8999,\"ops\":[]}\n" TXN("9001"), /* a second transaction of that name */
      "{\"txn\":9000,\"ops\":[{\"sql\":5}]}\n" TXN("9001"),
      "{\"txn\":9000,\"odd\":3,\"ops\":[",
  };
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char path[] = "/tmp/alibi-transcript-XXXXXX";
    long_file_make(path, ends[i]);
    both_ways_agree(path, UINT64_MAX);
    both_ways_agree(path, 3000); /* and the thread is left in the middle */
    unlink(path);
  }
}

static void a_full_disk_is_told(void **state) {
  (void)state;
  Diag diag;
  diag_clear(&diag);
  TranscriptWriter *writer = transcript_create("/dev/full", &diag);
  if (!writer) skip();
  transcript_write_setup(writer, "x");
  assert_false(transcript_finish(writer, &diag));
  assert_non_null(strstr(diag.message, "cannot write"));
}

/* ---- Names -------------------------------------------------------------------------------------- */

static void names_are_exact(void **state) {
  (void)state;
  static const char *const distinct[] = {"",
                                         "0",
                                         "1",
                                         "01",
                                         "001",
                                         "10",
                                         "100",
                                         "-1",
                                         "a",
                                         "a1",
                                         "a01",
                                         "a10",
                                         "1a",
                                         "t-1",
                                         "999999999",
                                         "1000000000",
                                         "9999999999",
                                         "1000000001",
                                         "123456789012345678901"};
  Names names = {0};
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < sizeof distinct / sizeof *distinct; i++)
      assert_int_equal(names_add(&names, distinct[i], strlen(distinct[i])), round == 0);
  names_free(&names);
}

static void numbered_names_are_small(void **state) {
  (void)state;
  static const char *const formats[] = {"%u", "t%u", "client-7/%u"};
  for (size_t f = 0; f < 3; f++) {
    Names names = {0};
    char name[40];
    for (uint32_t i = 0; i < 1000000; i++) {
      uint32_t number = i ^ 5; /* not quite in order */
      int length = snprintf(name, sizeof name, formats[f], number);
      assert_true(names_add(&names, name, (size_t)length));
    }
    assert_false(names_add(&names, name, strlen(name)));
    assert_true(names.number_room * sizeof *names.numbers + names.text_room < 2 << 20);
    names_free(&names);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(odd_lines_agree),          cmocka_unit_test(changed_lines_agree),
      cmocka_unit_test(recorded_lines_agree),     cmocka_unit_test(bad_files_are_located),
      cmocka_unit_test(nul_bytes_are_bad),        cmocka_unit_test(torn_lines_are_dropped),
      cmocka_unit_test(unknown_fields_warn_once), cmocka_unit_test(nesting_has_a_bound),
      cmocka_unit_test(header_is_read),           cmocka_unit_test(places_are_no_files),
      cmocka_unit_test(values_are_written),       cmocka_unit_test(written_lines_read_back),
      cmocka_unit_test(a_full_disk_is_told),      cmocka_unit_test(names_are_exact),
      cmocka_unit_test(numbered_names_are_small), cmocka_unit_test(lines_read_ahead_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
