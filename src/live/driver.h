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
  bool is_lost;           /* the connection is gone; what became of the statement is not known */
  bool has_rows;
  uint32_t result_count; /* sets of rows; more than one only for CALL */
  ObservedRows *results;
  uint32_t column_count; /* of the first set */
  const char **columns;
  bool has_affected;
  int64_t affected;
} Reply;

typedef struct Driver {
  const char *scheme; /* of the URL, before the colon */
  bool is_concurrent; /* several connections may be open at once */
  Connection *(*open)(const char *url, Diag *diag);
  void (*close)(Connection *connection);
  void (*execute)(Connection *connection, Arena *arena, const Request *request, Reply *reply);
  /* SQL.  In the formats %s is a name, NULL: the database has no such thing. */
  const char *space_create, *space_use, *space_drop; /* a schema or database of the run's own */
  const char *level_set;                             /* %s: "READ COMMITTED", ... */
  const char *tables;                                /* one column: the tables in the space, by name */
  const char *settings; /* one row: sql_mode, innodb_snapshot_isolation, collation, foreign keys; or NULLs */
  const char *evidence; /* inside a transaction, before COMMIT: xid, snapshot */
  const char *hint;     /* after COMMIT: an integer, or a GTID; %s is the xid, if it needs one */
} Driver;

/* By the URL's scheme; NULL: none, or not compiled in, and diag tells. */
const Driver *driver_find(const char *url, Diag *diag);
const Driver *driver_sqlite(void);
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
