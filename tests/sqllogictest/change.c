/* change.c: one result changed at random must be a violation at that record.
 *
 *   change FILE CHANGES SEED
 *
 * The file is replayed once.  At each record that was chosen a child process
 * goes on with the changed record instead and tells whether the verdict is a violation there. */
#include "semantics/replay.h"
#include "src/live/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Log {
  const char *path;
  TranscriptReader *reader; /* owned; the header lives in it */
  Arena arena;
  ARRAY(Line) lines;         /* without the header; transactions are copies */
  ARRAY(uint32_t) checkable; /* lines that hold one operation with rows and were not set aside */
} Log;

static _Noreturn void give_up(const char *path, const Diag *diag) {
  char buffer[1024];
  fprintf(stderr, "%s: %s\n", path, diag_text(diag, buffer, sizeof buffer));
  exit(2);
}

static void log_read(Log *log) {
  Diag diag = {0};
  log->reader = transcript_open(log->path, &diag);
  if (!log->reader) give_up(log->path, &diag);
  for (Line line;;) {
    if (!transcript_next(log->reader, &line, &diag)) give_up(log->path, &diag);
    if (line.kind == LINE_END) break;
    if (line.kind != LINE_TRANSACTION) continue; /* these files have nothing else */
    line.transaction = *transaction_copy(&log->arena, &line.transaction);
    ARRAY_PUSH(&log->lines, line);
  }
}

static Replay *log_replay_new(const Log *log) {
  return replay_new(transcript_header(log->reader), log->path);
}

static void replay_or_give_up(Replay *replay, const Log *log, const Line *line) {
  Diag diag = {0};
  if (!replay_line(replay, line, &diag)) give_up(log->path, &diag);
}

/* An admissible choice of rows can change without being wrong: LIMIT is left out. */
static bool line_is_checkable(const Line *line) {
  const Transaction *transaction = &line->transaction;
  if (transaction->operation_count != 1) return false;
  const Operation *operation = &transaction->operations[0];
  return operation->has_rows && operation->result_count == 1 && !operation->error &&
         !strcasestr(operation->sql, "LIMIT");
}

static void log_find_checkable(Log *log) {
  Replay *replay = log_replay_new(log);
  uint64_t before = 0, count, kept;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    replay_or_give_up(replay, log, &log->lines.items[i]);
    replay_set_aside(replay, &count, &kept);
    if (count == before && line_is_checkable(&log->lines.items[i])) ARRAY_PUSH(&log->checkable, i);
    before = count;
  }
  if (replay_verdict(replay) == VERDICT_VIOLATION) {
    fprintf(stderr, "%s: a violation without any change\n", log->path);
    exit(1);
  }
  replay_free(replay);
}

/* ---- the change ---- */

/* By an amount that no rounding hides. */
static void cell_alter(Arena *arena, Random *random, Observed *cell) {
  int64_t amount = random_between(random, 1, 1000);
  Value value = cell->value;
  switch (value.kind) {
  case VALUE_INT:
    *cell =
        (Observed){.value = value_int(value.integer > 0 ? value.integer - amount : value.integer + amount)};
    return;
  case VALUE_DOUBLE: {
    double real = value.real * 2 + (double)amount;
    char *text = arena_format(arena, "%.1f", real);
    *cell = (Observed){
        .value = value_double(strtod(text, NULL)), .text = text, .text_length = (uint32_t)strlen(text)};
    return;
  }
  case VALUE_TEXT:
    *cell = (Observed){.value = value_string(arena_format(arena, "%.*sx", (int)value.length, value.text))};
    return;
  default: *cell = (Observed){.value = value_int(amount)};
  }
}

static void rows_copy(Arena *arena, ObservedRows *rows, uint32_t room) {
  ObservedRow *copies = ARENA_ARRAY(arena, ObservedRow, room);
  for (uint32_t i = 0; i < rows->count; i++) {
    copies[i] = (ObservedRow){rows->rows[i].count, ARENA_ARRAY(arena, Observed, rows->rows[i].count)};
    memcpy(copies[i].cells, rows->rows[i].cells, sizeof(Observed) * rows->rows[i].count);
  }
  rows->rows = copies;
}

static const char *rows_change(Arena *arena, Random *random, ObservedRows *rows) {
  rows_copy(arena, rows, rows->count + 1);
  if (!rows->count) {
    rows->rows[rows->count++] = (ObservedRow){1, ARENA_ARRAY(arena, Observed, 1)};
    return "a row where there was none";
  }
  ObservedRow *row = &rows->rows[random_between(random, 0, rows->count - 1)];
  Observed *cell = &row->cells[random_between(random, 0, row->count - 1)];
  switch (random_between(random, 0, 3)) {
  case 0: *row = rows->rows[--rows->count]; return "a row dropped";
  case 1: rows->rows[rows->count++] = *row; return "a row twice";
  case 2:
    if (value_is_null(cell->value))
      cell_alter(arena, random, cell);
    else
      *cell = (Observed){.value = NULL_VALUE};
    return "NULL swapped";
  default: cell_alter(arena, random, cell); return "a value altered";
  }
}

/* In the child: 0 caught, 1 missed. */
static int child_check(Replay *replay, const Log *log, Line line, Random *random) {
  Arena arena;
  arena_init(&arena);
  Operation operation = line.transaction.operations[0];
  ObservedRows rows = operation.results[0];
  const char *what = rows_change(&arena, random, &rows);
  operation.results = &rows;
  line.transaction.operations = &operation;
  replay_or_give_up(replay, log, &line);
  const Failure *failure = replay_failure(replay);
  if (replay_verdict(replay) == VERDICT_VIOLATION && failure && failure->transaction &&
      !strcmp(failure->transaction->name, line.transaction.name))
    return 0;
  printf("MISSED: %s, transaction %s: %s: %s\n", log->path, line.transaction.name, what, operation.sql);
  fflush(stdout);
  return 1;
}

static bool change_is_caught(Replay *replay, const Log *log, uint32_t place, uint64_t seed, uint64_t number) {
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) fatal("fork failed");
  if (child == 0) {
    Random random;
    random_seed(&random, seed, 1, number);
    _exit(child_check(replay, log, log->lines.items[place], &random));
  }
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static uint64_t log_change(const Log *log, uint32_t changes, uint64_t seed) {
  uint32_t *wanted = memory_new(sizeof *wanted * (log->lines.count + 1));
  Random random;
  random_seed(&random, seed, 0, 0);
  for (uint32_t i = 0; i < changes; i++)
    wanted[log->checkable.items[random_between(&random, 0, log->checkable.count - 1)]]++;
  Replay *replay = log_replay_new(log);
  uint64_t missed = 0, number = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    for (; wanted[i]; wanted[i]--) missed += !change_is_caught(replay, log, i, seed, number++);
    replay_or_give_up(replay, log, &log->lines.items[i]);
  }
  replay_free(replay);
  free(wanted);
  return missed;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s FILE CHANGES SEED\n", argv[0]);
    return 2;
  }
  Log log = {.path = argv[1]};
  arena_init(&log.arena);
  log_read(&log);
  log_find_checkable(&log);
  uint32_t changes = (uint32_t)strtoul(argv[2], NULL, 10);
  if (!log.checkable.count) fatal("%s: nothing to change", log.path);
  uint64_t missed = log_change(&log, changes, strtoull(argv[3], NULL, 10));
  printf("%s: %u changes among %u records, %llu missed\n", log.path, changes, log.checkable.count,
         (unsigned long long)missed);
  transcript_close(log.reader);
  arena_free(&log.arena);
  ARRAY_FREE(&log.lines);
  ARRAY_FREE(&log.checkable);
  return missed ? 1 : 0;
}
