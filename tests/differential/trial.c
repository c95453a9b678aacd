/* trial.c: the script is abandoned at its first difference, and where a write was set aside: from
 * there on the two states may differ for good. */
#include "tests/differential/trial.h"

#include "tests/differential/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

typedef struct Trial {
  uint64_t seed;
  const TrialOptions *options;
  Totals *totals;
  Connection *connection;
  Generator *generator;
  Judge judge;
  Arena arena;
  ARRAY(char) log; /* the statements so far, to print with a difference */
  uint32_t transaction;
  bool is_inside;
} Trial;

static GeneratorOptions trial_generator_options(uint64_t seed, const TrialOptions *options) {
  return (GeneratorOptions){.dialect = DIALECT_SQLITE,
                            .seed = seed,
                            .statements = options->statements,
                            .has_definitions = true,
                            .has_savepoints = true,
                            .has_mistakes = true,
                            .has_foreign_keys = seed % 4 == 0,
                            .has_free_values = seed % 3 == 0};
}

static void trial_open(Trial *trial, Coverage *coverage) {
  GeneratorOptions options = trial_generator_options(trial->seed, trial->options);
  Diag diag = {0};
  trial->connection = driver_sqlite()->open("sqlite:", &diag);
  if (!trial->connection) fatal("%s", diag.message);
  trial->generator = generator_new(&options, coverage);
  arena_init(&trial->arena);
  Judge *judge = &trial->judge;
  judge->dialect = dialect_new(DIALECT_SQLITE);
  judge->dialect.foreign_keys = options.has_foreign_keys;
  judge->engine = engine_new(judge->dialect);
  Reply reply = {0};
  if (options.has_foreign_keys)
    driver_run(trial->connection, &trial->arena, "PRAGMA foreign_keys = ON", &reply);
}

static void trial_close(Trial *trial) {
  driver_sqlite()->close(trial->connection);
  generator_free(trial->generator);
  engine_free(trial->judge.engine);
  arena_free(&trial->arena);
  ARRAY_FREE(&trial->log);
}

static void trial_note(Trial *trial, const char *sql) {
  for (const char *next = sql; *next; next++) ARRAY_PUSH(&trial->log, *next);
  ARRAY_PUSH(&trial->log, ';');
  ARRAY_PUSH(&trial->log, '\n');
  if (trial->options->is_verbose) printf("%s;\n", sql);
}

static void totals_add_reason(Totals *totals, const char *reason) {
  uint64_t *count = map_find(&totals->reasons, reason);
  if (!count) map_put_copy(&totals->reasons, reason, strlen(reason), count = memory_new(sizeof *count));
  ++*count;
}

static void trial_report(const Trial *trial, const Reply *reply) {
  printf("DIFFERENT (%s), seed %llu; the script up to it:\n", trial->judge.reason,
         (unsigned long long)trial->seed);
  printf("%.*s", (int)trial->log.count, trial->log.items);
  judge_print(&trial->judge, reply);
}

/* SQLite 3.40's optimizer loses and invents rows, above all around outer joins.  Where a query differs,
 * SQLite is asked again with every optimization off: if that answer is the engine's, SQLite contradicts
 * itself, and the statement is set aside; if not, the difference stands. */
static Judgement trial_ask_plainly(Trial *trial, const Generated *statement) {
  Reply plain = {0};
  const char *reason = trial->judge.reason;
  driver_sqlite_optimize(trial->connection, false);
  driver_run(trial->connection, &trial->arena, statement->sql, &plain);
  driver_sqlite_optimize(trial->connection, true);
  if (judge_statement(&trial->judge, statement, &plain) == JUDGED_EQUAL) {
    trial->judge.reason = "SQLite answers as the engine does when its optimizations are off";
    return JUDGED_ASIDE;
  }
  trial->judge.reason = reason;
  return JUDGED_DIFFERENT;
}

/* Judges one statement that SQLite has executed; false ends the script. */
static bool trial_compare(Trial *trial, const Generated *statement, const Reply *reply) {
  Totals *totals = trial->totals;
  totals->statements++;
  Judgement judgement = judge_statement(&trial->judge, statement, reply);
  if (judgement == JUDGED_DIFFERENT && statement->kind == GENERATED_QUERY)
    judgement = trial_ask_plainly(trial, statement);
  switch (judgement) {
  case JUDGED_EQUAL:
    totals->agreed++;
    totals->failed_alike += reply->error != NULL;
    return true;
  case JUDGED_ASIDE:
    totals->set_aside++;
    totals_add_reason(totals, trial->judge.reason);
    return statement->kind == GENERATED_QUERY || reply->error != NULL;
  default:
    totals->differed++;
    trial_report(trial, reply);
    return false;
  }
}

/* BEGIN, COMMIT and ROLLBACK are calls of the engine. */
static void trial_control(Trial *trial, GeneratedKind kind) {
  trial->is_inside = kind == GENERATED_BEGIN;
  if (kind == GENERATED_BEGIN)
    engine_begin(trial->judge.engine, ++trial->transaction);
  else if (kind == GENERATED_COMMIT)
    engine_commit(trial->judge.engine);
  else
    engine_rollback(trial->judge.engine);
}

/* Outside of a transaction each statement is one by itself. */
static bool trial_statement(Trial *trial, const Generated *statement, const Reply *reply) {
  bool is_single = !trial->is_inside;
  if (is_single) engine_begin(trial->judge.engine, ++trial->transaction);
  bool goes_on = trial_compare(trial, statement, reply);
  if (is_single) engine_commit(trial->judge.engine);
  return goes_on;
}

static bool trial_contents(Trial *trial) {
  for (uint32_t i = 0; i < generator_table_count(trial->generator); i++) {
    char sql[64];
    int length = snprintf(sql, sizeof sql, "SELECT * FROM %s", generator_table_name(trial->generator, i));
    Generated statement = {.kind = GENERATED_QUERY, .sql = sql, .length = (size_t)length};
    Reply reply = {0};
    trial_note(trial, sql);
    driver_run(trial->connection, &trial->arena, sql, &reply);
    if (!trial_statement(trial, &statement, &reply)) return false;
  }
  return true;
}

static bool trial_steps(Trial *trial) {
  for (;;) {
    Generated statement = generator_next(trial->generator);
    if (statement.kind == GENERATED_END) return trial_contents(trial);
    Reply reply = {0};
    arena_clear(&trial->arena);
    trial_note(trial, statement.sql);
    driver_run(trial->connection, &trial->arena, statement.sql, &reply);
    if (statement.kind <= GENERATED_ROLLBACK)
      trial_control(trial, statement.kind);
    else if (!trial_statement(trial, &statement, &reply))
      return false;
    generator_report(trial->generator, reply.error == NULL);
    arena_clear(engine_arena(trial->judge.engine));
  }
}

bool trial_run(uint64_t seed, const TrialOptions *options, Coverage *coverage, Totals *totals) {
  Trial trial = {.seed = seed, .options = options, .totals = totals};
  uint64_t differed = totals->differed;
  trial_open(&trial, coverage);
  trial_steps(&trial);
  trial_close(&trial);
  totals->scripts++;
  return totals->differed == differed;
}

/* ---- a file instead of a generator ---- */

static GeneratedKind file_kind(const char *sql) {
  static const struct {
    const char *word;
    GeneratedKind kind;
  } words[] = {{"BEGIN", GENERATED_BEGIN},           {"COMMIT", GENERATED_COMMIT},
               {"ROLLBACK TO", GENERATED_SAVEPOINT}, {"ROLLBACK", GENERATED_ROLLBACK},
               {"SELECT", GENERATED_QUERY},          {"WITH", GENERATED_QUERY},
               {"VALUES", GENERATED_QUERY}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strncasecmp(sql, words[i].word, strlen(words[i].word))) return words[i].kind;
  return GENERATED_CHANGE;
}

static bool file_statement(Trial *trial, const char *sql, size_t length) {
  Generated statement = {.kind = file_kind(sql), .sql = sql, .length = length};
  Reply reply = {0};
  printf("%s;\n", sql);
  driver_run(trial->connection, &trial->arena, sql, &reply);
  if (statement.kind <= GENERATED_ROLLBACK) {
    trial_control(trial, statement.kind);
    return true;
  }
  uint64_t differed = trial->totals->differed;
  bool goes_on = trial_statement(trial, &statement, &reply);
  if (trial->totals->differed == differed) judge_print(&trial->judge, &reply);
  return goes_on;
}

bool trial_file(const char *path, Totals *totals) {
  static const TrialOptions options = {0};
  /* As a script's seed decides it: FK in the environment checks foreign keys. */
  Trial trial = {.seed = getenv("FK") ? 4 : 1, .options = &options, .totals = totals};
  FILE *file = fopen(path, "re");
  if (!file) fatal("cannot open %s", path);
  trial_open(&trial, NULL);
  char *sql = NULL;
  size_t room = 0;
  for (ssize_t length; (length = getdelim(&sql, &room, ';', file)) > 0;) {
    char *start = sql + strspn(sql, "\n ");
    if (sql[length - 1] == ';') sql[length - 1] = 0;
    if (strlen(start) && !file_statement(&trial, start, strlen(start))) break;
  }
  free(sql);
  fclose(file);
  trial_close(&trial);
  return !totals->differed;
}
