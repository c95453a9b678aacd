/* mirror.h: libsqlite3 as a parser only: the arbiter of what is SQL.
 *
 * The transcript's schema is mirrored in an in-memory database in which
 * statements are prepared and never stepped: tables are entered into the schema
 * by writing CREATE statements that SQLite parses on load (sqlite3_deserialize
 * or writable schema are not needed: preparing is enough to judge). */
#ifndef ALIBI_SQL_MIRROR_H
#define ALIBI_SQL_MIRROR_H

#include "src/sql/ast.h"

typedef struct Mirror Mirror;

typedef enum MirrorAnswer {
  MIRROR_ACCEPTS,    /* SQLite takes it: beyond our fragment, set aside */
  MIRROR_REJECTS,    /* a syntax error to SQLite too: bad input */
  MIRROR_UNRESOLVED  /* the syntax is fine, a name is not known to the mirror */
} MirrorAnswer;

Mirror *mirror_new(void);
void mirror_free(Mirror *mirror);
/* Judges a statement text; *offset and *message (static until the next call) on rejection. */
MirrorAnswer mirror_judge(Mirror *mirror, const char *text, size_t length, int *offset, const char **message);

#endif
