/* driver.h: one interface to every database that a workload can be run on.
 *
 * A driver opens connections and executes one statement at a time.  Everything a
 * Reply points to lies in the arena given to `execute`.  What databases say
 * differently but mean alike (begin, levels, catalogue) is SQL in the driver's row of
 * the table, so that clients are written once. */
#ifndef ALIBI_LIVE_DRIVER_H
#define ALIBI_LIVE_DRIVER_H

#include "src/base/diag.h"
#include "src/transcript/transcript.h"

/* Each driver's connection begins with this. */
typedef struct Connection {
  const struct Driver *driver;
  DialectName dialect;
} Connection;

/* One statement with its parameters: NULL, BOOL, INT, DECIMAL, DOUBLE or TEXT. */
typedef struct Request {
  const char *sql; /* NUL-terminated */
  uint32_t param_count;
  const Value *params;
} Request;

typedef struct Reply {
  const char *error;      /* SQLSTATE or native code, as a transcript has it; NULL: it succeeded */
  const char *message;    /* with an error: for people */
  bool is_refused;        /* the database refused for concurrency's sake: worth a retry */
  bool ended_transaction; /* the server rolled the whole transaction back by itself */
  bool is_lost; /* the connection is gone, or no good any more: what became of the statement is not known */
  bool has_rows;
  uint32_t result_count; /* sets of rows; more than one only for CALL */
  ObservedRows *results;
  uint32_t column_count; /* of the first set */
  const char **columns;
  bool has_affected;
  int64_t affected;
} Reply;

/* What a database tells of a transaction beside its answers; NULL: nothing. */
typedef struct Evidence {
  const char *xid, *snapshot; /* as PostgreSQL prints them */
  const char *hint;           /* an integer, or a GTID, which counts in its last part */
} Evidence;

typedef struct EvidenceWish {
  bool has_hint, has_snapshot;
} EvidenceWish;

typedef struct Driver {
  const char *scheme; /* of the URL, before the colon */
  bool is_server;     /* it has schemas of the run's own, and sessions that can be ended */
  Connection *(*open)(const char *url, Diag *diag);
  void (*close)(Connection *connection);
  void (*execute)(Connection *connection, Arena *arena, const Request *request, Reply *reply);
  /* COMMIT, with the evidence on the same way; NULL: there is none to be had.  An error is of COMMIT: where
   * the commit is known and only the evidence failed, the evidence is missing. */
  void (*commit)(Connection *connection, Arena *arena, EvidenceWish wish, Reply *reply, Evidence *evidence);
  /* For faults.  Sends the statement and breaks the connection before its answer. */
  void (*abandon)(Connection *connection, const char *sql);
  uint64_t (*number)(Connection *connection); /* the server's own number of the connection */
  /* SQL.  In the formats %s is a name, NULL: the database has no such thing. */
  const char *space_create, *space_use, *space_drop; /* a schema or database of the run's own */
  const char *level_set;                             /* %s: "READ COMMITTED", ... */
  const char *snapshot_begin; /* a transaction that only reads, in one snapshot from here on */
  const char *tables;         /* one column: the tables in the space, by name */
  /* Rows of a name and a value: sql_mode, innodb_snapshot_isolation, collation_database, foreign_key_checks.
   */
  const char *settings;
  const char *cancel,
      *kill;              /* %llu: the number of the connection whose statement, or which itself, shall end */
  const char *impatience; /* deadlocks are to be found soon */
} Driver;

/* By the URL's scheme; NULL: none, or not compiled in, and diag tells. */
const Driver *driver_find(const char *url, Diag *diag);
const Driver *driver_sqlite(void);
/* Whether the planner may rewrite and reorder; its answers must be the same either way. */
void driver_sqlite_optimize(Connection *connection, bool optimizes);
const Driver *driver_postgresql(void); /* NULL: built without libpq */
const Driver *driver_mariadb(void);    /* NULL: built without libmariadb */

/* Executes a statement without parameters. */
void driver_run(Connection *connection, Arena *arena, const char *sql, Reply *reply);

/* The cell of the first result set, or NULL. */
const Observed *reply_cell(const Reply *reply, uint32_t row, uint32_t column);
/* 0 where there is no such cell; numbers printed as text are read as such. */
int64_t reply_int(const Reply *reply, uint32_t row, uint32_t column);
/* In hundredths, rounded: 12.5 and "12.50" are 1250. */
int64_t reply_cents(const Reply *reply, uint32_t row, uint32_t column);
const char *reply_text(Arena *arena, const Reply *reply, uint32_t row, uint32_t column); /* never NULL */
uint32_t reply_row_count(const Reply *reply); /* of the first result set */

#endif
