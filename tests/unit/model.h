/* model.h: scripts for the engine: each line a statement and the answer it must give.
 *
 * An answer is "done", "done N" with the affected count, the rows ("1,'a' | 2,NULL", sorted where SQL leaves
 * the order open, " ; " between result sets), "error SQLSTATE ...", "unmodelled" or "doubt"; behind it "maybe
 * SQLSTATE ..." for errors that are possible as well.  Classes of errors are written by PostgreSQL's codes
 * whatever the dialect. */
#ifndef ALIBI_TESTS_UNIT_MODEL_H
#define ALIBI_TESTS_UNIT_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "semantics/engine.h"
#include "semantics/operate.h"

typedef struct Line {
  const char *sql;
  const char *answer; /* NULL: not looked at */
} Line;

typedef struct Answer {
  char text[8192];
  size_t length;
} Answer;

static void answer_add(Answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void answer_add(Answer *answer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  answer->length += (size_t)vsnprintf(answer->text + answer->length, sizeof answer->text - answer->length,
                                      format, arguments);
  va_end(arguments);
  assert_true(answer->length < sizeof answer->text);
}

static void answer_errors(Answer *answer, const char *word, ErrorSet errors) {
  Dialect dialect = dialect_new(DIALECT_POSTGRESQL);
  answer_add(answer, "%s", word);
  for (unsigned i = 1; i < ERROR_CLASS_COUNT; i++)
    if (errors & ERROR_BIT(i)) answer_add(answer, " %s", error_class_code(&dialect, (ErrorClass)i));
}

static int row_text_order(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *row_text(Engine *engine, const ResultSet *set, uint32_t row) {
  char *text = arena_alloc(engine_arena(engine), 1024);
  size_t length = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < set->column_count; i++) {
    Value value = doubt_settle(engine_doubts(engine), set->rows[row].values[i]);
    if (i) text[length++] = ',';
    if (value.kind == VALUE_DOUBT) {
      length += (size_t)snprintf(text + length, 1024 - length, "?");
    } else {
      length += value_format(text + length, 1024 - length, value);
    }
  }
  text[length] = 0;
  return text;
}

static void answer_set(Answer *answer, Engine *engine, const ResultSet *set) {
  char **rows = arena_alloc(engine_arena(engine), (set->row_count + 1) * sizeof *rows);
  for (uint32_t i = 0; i < set->row_count; i++) rows[i] = row_text(engine, set, i);
  if (!set->is_ordered) qsort(rows, set->row_count, sizeof *rows, row_text_order);
  if (!set->row_count) answer_add(answer, "no rows");
  for (uint32_t i = 0; i < set->row_count; i++) answer_add(answer, "%s%s", i ? " | " : "", rows[i]);
}

static void answer_outcome(Answer *answer, Engine *engine, const Outcome *outcome) {
  answer->length = 0;
  answer->text[0] = 0;
  switch (outcome->kind) {
  case OUTCOME_ERROR: answer_errors(answer, "error", outcome->errors); return;
  case OUTCOME_UNMODELLED: answer_add(answer, "unmodelled"); return;
  case OUTCOME_DOUBT: answer_add(answer, "doubt"); return;
  case OUTCOME_DONE: break;
  }
  for (uint32_t i = 0; i < outcome->results.count; i++) {
    if (i) answer_add(answer, " ; ");
    answer_set(answer, engine, &outcome->results.items[i]);
  }
  if (!outcome->results.count) answer_add(answer, "done");
  if (outcome->has_affected && !outcome->results.count)
    answer_add(answer, " %lld", (long long)outcome->affected);
  if (outcome->possible) answer_errors(answer, ", maybe", outcome->possible);
}

static Outcome model_run(Engine *engine, const char *sql, Answer *answer) {
  Outcome outcome = engine_execute(engine, sql, strlen(sql), NULL, 0);
  answer_outcome(answer, engine, &outcome);
  return outcome;
}

/* Runs the lines in the engine's running transaction. */
static void model_lines(Engine *engine, const Line *lines, size_t count) {
  for (size_t i = 0; i < count; i++) {
    Answer answer;
    Outcome outcome = model_run(engine, lines[i].sql, &answer);
    if (lines[i].answer && strcmp(answer.text, lines[i].answer) != 0)
      fail_msg("%s\n  answers  %s (%s)\n  expected %s", lines[i].sql, answer.text,
               outcome.reason ? outcome.reason : "", lines[i].answer);
    arena_clear(engine_arena(engine));
  }
}

static Engine *model_new(DialectName name) {
  Engine *engine = engine_new(dialect_new(name));
  engine_begin(engine, 1);
  return engine;
}

static void model_free(Engine *engine) {
  engine_commit(engine);
  engine_free(engine);
}

/* A whole script in one transaction. */
static void model_script(DialectName name, const Line *lines, size_t count) {
  Engine *engine = model_new(name);
  model_lines(engine, lines, count);
  model_free(engine);
}

#define SCRIPT(dialect, ...)                                                                                 \
  do {                                                                                                       \
    static const Line lines_[] = {__VA_ARGS__};                                                              \
    model_script(dialect, lines_, sizeof lines_ / sizeof *lines_);                                           \
  } while (0)

#define LINES(engine, ...)                                                                                   \
  do {                                                                                                       \
    static const Line lines_[] = {__VA_ARGS__};                                                              \
    model_lines(engine, lines_, sizeof lines_ / sizeof *lines_);                                             \
  } while (0)

#endif
