/* script.c: runs a file of SQL and records every answer, errors included.
 *
 *   -- anything            a comment, outside of statements
 *   -- transactions        what stands above this line is set-up
 *   DELIMITER //           statements end with // from here on, for bodies of procedures
 *   SELECT 1;              a statement ends with the delimiter at the end of a line
 *                          an empty line commits, as do COMMIT; and BEGIN;
 *   ROLLBACK;              and this does not
 *
 * With savepoints=1, PostgreSQL gets a savepoint before each statement and goes back to it
 * after an error, which would kill the transaction otherwise. */
#include "src/live/drive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SAVEPOINTS };

typedef struct Script {
  char *text; /* owned; lines are cut out of it */
  char *next;
  const char *delimiter;
  uint64_t line;
} Script;

typedef enum StepKind { STEP_STATEMENT, STEP_COMMIT, STEP_ROLLBACK, STEP_TRANSACTIONS, STEP_END } StepKind;

static char *script_line(Script *script) {
  if (!script->next || !*script->next) return NULL;
  char *line = script->next, *end = strchr(line, '\n');
  script->next = end ? end + 1 : NULL;
  if (end) *end = 0;
  script->line++;
  size_t length = strlen(line);
  while (length && strchr(" \t\r", line[length - 1])) line[--length] = 0;
  return line;
}

/* Cuts the delimiter off the end of a text; false: it does not end there. */
static bool delimiter_cut(char *text, const char *delimiter) {
  size_t length = strlen(text), tail = strlen(delimiter);
  if (length < tail || strcmp(text + length - tail, delimiter)) return false;
  text[length - tail] = 0;
  return true;
}

static StepKind statement_kind(const char *sql) {
  if (!strcasecmp(sql, "COMMIT") || !strcasecmp(sql, "BEGIN") || !strcasecmp(sql, "START TRANSACTION"))
    return STEP_COMMIT;
  return strcasecmp(sql, "ROLLBACK") ? STEP_STATEMENT : STEP_ROLLBACK;
}

/* The next statement into the arena, or what the line says instead. */
static StepKind script_step(Script *script, Arena *arena, char **sql) {
  *sql = NULL;
  for (char *line; (line = script_line(script));) {
    if (!*sql && !*line) return STEP_COMMIT;
    if (!*sql && !strcasecmp(line, "-- transactions")) return STEP_TRANSACTIONS;
    if (!*sql && !strncmp(line, "--", 2)) continue;
    if (!*sql && !strncasecmp(line, "DELIMITER ", 10)) {
      script->delimiter = line + 10 + strspn(line + 10, " ");
      continue;
    }
    *sql = *sql ? arena_format(arena, "%s\n%s", *sql, line) : arena_text(arena, line, strlen(line));
    if (delimiter_cut(*sql, script->delimiter)) return statement_kind(*sql);
  }
  return *sql ? statement_kind(*sql) : STEP_END;
}

static char *file_read(const char *path, Diag *diag) {
  FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
  if (!file) {
    diag_fail(diag, (Place){.file = path, .offset = -1}, "cannot open: %s", strerror(errno));
    return NULL;
  }
  ARRAY(char) text = {0};
  for (int symbol; (symbol = getc(file)) != EOF;) ARRAY_PUSH(&text, (char)symbol);
  ARRAY_PUSH(&text, 0);
  if (file != stdin) fclose(file);
  return text.items;
}

static bool script_setup(Run *run, Client *client, Script *script, Diag *diag) {
  char *sql;
  for (StepKind kind; (kind = script_step(script, &client->arena, &sql)) != STEP_END;) {
    if (kind == STEP_TRANSACTIONS) return true;
    if (kind != STEP_STATEMENT) continue;
    Reply reply;
    driver_run(client->connection, &client->arena, sql, &reply);
    if (reply.error)
      return diag_fail(diag, (Place){.file = run->script, .line = script->line, .offset = -1}, "%s",
                       reply.message);
    if (run->recorder.writer) transcript_write_setup(run->recorder.writer, sql);
  }
  return true;
}

static bool script_prepare(Run *run, Client *client, Diag *diag) {
  char *text = file_read(run->script, diag);
  if (!text) return false;
  Script *script = run->state = memory_new(sizeof *script);
  *script = (Script){.text = text, .next = text, .delimiter = ";"};
  /* Only a file with the dividing line has a set-up. */
  if (!strcasestr(text, "-- transactions\n")) return true;
  return script_setup(run, client, script, diag);
}

static void script_statement(Run *run, Client *client, const char *sql) {
  bool has_net = run->scale.value[SAVEPOINTS] && client->dialect == DIALECT_POSTGRESQL;
  if (has_net) client_send(client, "SAVEPOINT alibi_step");
  const Reply *reply = client_send(client, sql);
  if (has_net && reply->error) {
    client_send(client, "ROLLBACK TO SAVEPOINT alibi_step");
    client->failure = NULL;
  }
}

static void script_drive(Run *run, Client *client) {
  Script *script = run->state;
  Arena arena;
  char *sql;
  arena_init(&arena);
  client->tally = run_tally(run, client, 0);
  StepKind kind = STEP_COMMIT;
  while (kind != STEP_END && client_begin(client)) {
    while ((kind = script_step(script, &arena, &sql)) == STEP_STATEMENT && client->connection)
      script_statement(run, client, sql);
    client_finish(client, kind != STEP_ROLLBACK);
    arena_clear(&arena);
  }
  arena_free(&arena);
}

static void script_release(Run *run) {
  Script *script = run->state;
  if (!script) return;
  free(script->text);
  free(script);
}

const Workload WORKLOAD_SCRIPT = {
    .name = "script",
    .summary = "a file of SQL: statements end with ';' at the end of a line, an empty line commits",
    .has_literals = true,
    .parameters = {{"savepoints", 0, 0, 1, "1: PostgreSQL gets a savepoint before each statement"}},
    .kinds = {{"transaction", 1, NULL}},
    .prepare = script_prepare,
    .drive = script_drive,
    .release = script_release,
};
