/* world.h: the tables of one tiny transcript, and SQLite as the only judge of what SQL means.
 *
 * Rows and keys are interned: equal rows have equal ids, so states are small sorted arrays of integers.
 * A key is (table, primary key), or (table, hidden row) where there is no primary key.  A row
 * is also physical: it keeps its `body` when its primary key is updated, and one that is inserted has a
 * new one.  Whatever the oracle cannot judge ends in `beyond`: then there is no verdict. */
#ifndef ALIBI_ORACLE_WORLD_H
#define ALIBI_ORACLE_WORLD_H

#include "src/base/array.h"
#include "src/base/map.h"
#include "src/base/value.h"
#include "src/transcript/transcript.h"

#include <sqlite3.h>

enum { TABLES_MOST = 4, COLUMNS_MOST = 8, ITEMS_MOST = 64 };

typedef uint32_t RowId; /* 0: absent */
typedef uint32_t KeyId; /* never 0 */

typedef struct Row {
  uint32_t table, count;
  Value values[COLUMNS_MOST];
} Row;

typedef struct Item {
  KeyId key;
  RowId row;
  uint32_t body;
} Item;

/* Sorted by key; a state holds no absent rows. */
typedef struct State {
  uint32_t count;
  Item items[ITEMS_MOST];
} State;

typedef struct Table {
  char name[32];
  uint32_t column_count;
  char columns[COLUMNS_MOST][32];
  int rank[COLUMNS_MOST]; /* place in the primary key from 1 on, or 0 */
  bool has_key;
  sqlite3_stmt *insert, *fetch; /* owned */
} Table;

typedef enum Failure {
  FAILURE_NONE,
  FAILURE_UNIQUE,
  FAILURE_FOREIGN_KEY,
  FAILURE_NOT_NULL,
  FAILURE_CHECK,
  FAILURE_REFUSED, /* for concurrency's sake: only ever observed */
  FAILURE_ANY      /* observed: it failed, nobody said how */
} Failure;

typedef enum StatementKind {
  STATEMENT_QUERY,
  STATEMENT_INSERT,
  STATEMENT_UPDATE,
  STATEMENT_DELETE,
  STATEMENT_SAVEPOINT, /* one at a time, whatever its name */
  STATEMENT_ROLLBACK_TO,
  STATEMENT_RELEASE
} StatementKind;

typedef struct Statement {
  uint32_t id;
  StatementKind kind;
  const Operation *operation;                   /* borrowed */
  char *sql;                                    /* without FOR UPDATE */
  bool is_locking, is_ordered, is_plain_insert; /* INSERT ... VALUES */
  bool is_key_share;                            /* the lock lets others change the row */
  bool is_rowwise;                              /* acts on each row of one table by itself */
  uint32_t tables;                              /* a set: those whose rows matter to it */
  sqlite3_stmt *prepared;                       /* owned by the world */
} Statement;

/* What one statement did to one row: the item it was in (-1: inserted), and the row after (0: deleted). */
typedef struct Change {
  int32_t item;
  RowId row;
} Change;

typedef struct Outcome {
  Failure failure;
  uint32_t change_count, row_count, column_count;
  Change *changes;
  Value *cells; /* row_count times column_count */
} Outcome;

typedef struct Touch {
  uint32_t table;
  bool has_old, has_new;
  int64_t old_row, new_row;
} Touch;

typedef struct World {
  Arena arena;
  Dialect dialect;
  Map row_ids, key_ids, outcomes, verdicts;
  ARRAY(const Row *) rows;
  ARRAY(uint32_t) key_tables;
  ARRAY(sqlite3_stmt *) prepared; /* owned */
  Table tables[TABLES_MOST];
  uint32_t table_count, statement_count, body_count;
  bool has_foreign_keys, has_unique, is_recording; /* has_unique: besides primary keys */
  ARRAY(Touch) touches;
  sqlite3 *database; /* owned */
  State initial;
  uint64_t runs;
  char beyond[256]; /* why there is no verdict, or empty */
} World;

World *world_new(const Dialect *dialect);
void world_free(World *world);
/* False, always, so that `return world_beyond(...)` reads well. */
bool world_beyond(World *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Set-up, in file order; then world_begin once, which fixes state 0. */
bool world_setup(World *world, const char *sql);
bool world_fill(World *world, const TableLine *line);
bool world_begin(World *world);

RowId world_row(World *world, const Row *row);
KeyId world_key(World *world, RowId row, uint32_t body);
bool world_bind(sqlite3_stmt *prepared, int place, Value value);
int world_table_find(const World *world, const char *name, size_t length);

static inline bool statement_is_about_savepoints(const Statement *statement) {
  return statement->kind >= STATEMENT_SAVEPOINT;
}
/* NULL: beyond the oracle. */
Statement *world_statement(World *world, const Operation *operation);
/* The statement over these rows, which are of its tables only. Remembered. */
const Outcome *world_run(World *world, const Statement *statement, const Item *items, uint32_t count);
/* Does the state satisfy every declared constraint? Remembered. */
bool world_allows(World *world, const State *state);
Failure failure_of_code(const char *code);
const char *failure_code(Failure failure, bool is_mysql);

#endif
