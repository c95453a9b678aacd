/* catalogue.h: what a database holds: tables, unique indexes, views, procedures, triggers, as the SQL that
 * makes them.
 *
 * Read inside the snapshot of frame_snapshot.  Everything lies in the arena. */
#ifndef ALIBI_LIVE_CATALOGUE_H
#define ALIBI_LIVE_CATALOGUE_H

#include "src/live/driver.h"

typedef enum EntryKind {
  ENTRY_TABLE,
  ENTRY_INDEX,
  ENTRY_VIEW,
  ENTRY_PROCEDURE,
  ENTRY_TRIGGER,
  ENTRY_KINDS
} EntryKind;

typedef struct Entry {
  EntryKind kind;
  const char *name;
  const char *owner; /* the table of an index or trigger, otherwise its own name */
  const char *sql;   /* CREATE ... */
} Entry;

typedef ARRAY(Entry) Catalogue; /* on the heap */

/* All that `names` ("a,b"; NULL: everything) asks for: by kind, tables behind those that they reference.
 * False: a name that nothing has, or an error; diag tells. */
bool catalogue_read(Connection *connection, Arena *arena, const char *names, Catalogue *catalogue,
                    Diag *diag);
/* A name as an identifier of the dialect. */
const char *catalogue_quote(Arena *arena, DialectName dialect, const char *name);

#endif
