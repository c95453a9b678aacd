/* mirror.c: asks SQLite whether a text is SQL.
 *
 * Statements are prepared in an empty in-memory database, one after the other,
 * and never executed.  SQLite's parser runs before its names are looked up, so a
 * syntax error wins over an unknown table. */
#include "src/sql/mirror.h"

#include "src/base/arena.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Mirror {
  sqlite3 *database; /* owned */
  char message[256];
};

Mirror *mirror_new(void) {
  Mirror *mirror = memory_new(sizeof *mirror);
  if (sqlite3_open_v2(":memory:", &mirror->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) !=
      SQLITE_OK)
    fatal("cannot open SQLite in memory");
  return mirror;
}

void mirror_free(Mirror *mirror) {
  if (!mirror) return;
  sqlite3_close(mirror->database);
  free(mirror);
}

/* How SQLite words what its grammar or tokenizer refuses; everything else is about names and types. */
static const char *const SYNTAX_MESSAGES[] = {"syntax error", "unrecognized token", "incomplete input",
                                              "clause should come", "malformed"};

static bool message_is_syntax(const char *message) {
  for (size_t i = 0; i < sizeof SYNTAX_MESSAGES / sizeof *SYNTAX_MESSAGES; i++)
    if (strstr(message, SYNTAX_MESSAGES[i])) return true;
  return false;
}

MirrorAnswer mirror_judge(Mirror *mirror, const char *text, size_t length, int *offset,
                          const char **message) {
  MirrorAnswer answer = MIRROR_ACCEPTS;
  const char *end = text + length;
  *message = mirror->message;
  *offset = -1;
  mirror->message[0] = '\0';
  for (const char *rest = text; rest < end;) {
    sqlite3_stmt *statement = NULL;
    const char *tail = NULL;
    int code = sqlite3_prepare_v2(mirror->database, rest, (int)(end - rest), &statement, &tail);
    sqlite3_finalize(statement);
    if (code != SQLITE_OK) {
      const char *said = sqlite3_errmsg(mirror->database);
      int place = sqlite3_error_offset(mirror->database);
      snprintf(mirror->message, sizeof mirror->message, "%s", said);
      *offset = (int)(rest - text) + (place >= 0 ? place : (int)(end - rest));
      if (message_is_syntax(said)) return MIRROR_REJECTS;
      answer = MIRROR_UNRESOLVED;
    }
    if (!tail || tail <= rest) break;
    /* A name that is looked up early (the table of a trigger) stops SQLite inside the statement. */
    if (code != SQLITE_OK && tail[-1] != ';') break;
    rest = tail;
  }
  return answer;
}
