/* witness.h: an execution, as far as the transcript does not say it: the alibi; and its file
 * (docs/witness.md).
 *
 * For each transaction in its order: whether it took part, the states its reads came from, and what the
 * database chose by itself.  A read that is not listed came from the current state.
 *
 * The file is JSON Lines and is written and read as a stream: header, initial rows, transactions, final
 * lines, end. */
#ifndef ALIBI_TRANSCRIPT_WITNESS_H
#define ALIBI_TRANSCRIPT_WITNESS_H

#include "src/transcript/transcript.h"

typedef enum WitnessRole {
  WITNESS_TRANSACTION, /* the transaction's one state */
  WITNESS_STEP,        /* of a read step */
  WITNESS_KEY,         /* of one key in a step */
  WITNESS_CHECK        /* of a uniqueness or foreign-key error: all keys, or one */
} WitnessRole;

typedef struct WitnessRead {
  WitnessRole role;
  uint32_t operation, step;
  const char *table; /* KEY, or CHECK of one key: the table's name and the row's key */
  uint32_t key_count;
  const Observed *key; /* values of the primary key; none: `rowid` */
  uint64_t rowid;
  uint32_t state;
} WitnessRead;

/* A value that the database chose by itself, at the operation whose observation showed it. */
typedef struct WitnessChoice {
  uint32_t operation;
  const char *origin; /* "now()", "a generated key", ... */
  Observed value;
} WitnessChoice;
typedef ARRAY(WitnessChoice) WitnessChoices;

typedef enum WitnessFresh {
  FRESH_NEVER,
  FRESH_TIMED,
  FRESH_ALWAYS
} WitnessFresh; /* timed: if the log has times */

typedef struct WitnessTransaction {
  const char *name;
  bool name_is_integer;
  bool takes_part;
  const char *level; /* in a file: where it is not the header's */
  bool has_fresh;    /* the same */
  WitnessFresh fresh;
  ARRAY(WitnessRead) reads;
  WitnessChoices choices;
} WitnessTransaction;

/* A row of the initial state with cells that were given as one of several values. */
typedef struct WitnessRow {
  const char *table;
  uint32_t row;         /* which of the rows with open cells, counted from 0 */
  uint32_t alternative; /* in memory */
  uint32_t cell_count;  /* in a file: the open cells, by column */
  const char **columns;
  Observed *cells;
} WitnessRow;

typedef struct WitnessFinal { /* what a final line showed of the database's choices */
  const char *table;
  WitnessChoices choices;
} WitnessFinal;

typedef struct Witness {
  ARRAY(WitnessTransaction) transactions; /* by place */
  ARRAY(WitnessRow) rows;
  ARRAY(WitnessFinal) finals;
} Witness;

/* ---- The file ------------------------------------------------------------------------------------- */

typedef struct WitnessHeader {
  const char *level; /* canonical name, of transactions that do not say otherwise */
  WitnessFresh fresh;
  bool is_searched;     /* the order is one that the evidence allows; else it is the log's given one */
  bool is_serial;       /* the given order, every read current: nothing but participation is listed */
  bool compares_values; /* conflicts by what a client could see */
  bool has_readers;     /* aborted transactions have places too: what they read is explained */
  int64_t clock_error;  /* times of the log are known to within this */
} WitnessHeader;

typedef struct WitnessEnd {
  uint64_t transactions; /* lines of transactions */
  uint64_t log_lines;    /* of the log, blank ones not counted, and a hash over them */
  uint64_t log_hash;
} WitnessEnd;

typedef enum WitnessLineKind {
  WITNESS_LINE_ROW,
  WITNESS_LINE_TRANSACTION,
  WITNESS_LINE_FINAL,
  WITNESS_LINE_END
} WitnessLineKind;

typedef struct WitnessLine {
  WitnessLineKind kind;
  uint64_t number;
  union {
    WitnessRow row;
    WitnessTransaction transaction;
    WitnessFinal final;
    WitnessEnd end;
  };
} WitnessLine;

typedef struct WitnessReader WitnessReader;
WitnessReader *witness_open(const char *path, Diag *diag); /* and its header; NULL: diag tells */
void witness_close(WitnessReader *reader);
const WitnessHeader *witness_header(const WitnessReader *reader);
/* The next line, into `arena`; the end line is the last and must be there.  False: malformed, diag tells. */
bool witness_next(WitnessReader *reader, Arena *arena, WitnessLine *line, Diag *diag);

/* Written beside its place and moved there by witness_finish; without that, nothing is left. */
typedef struct WitnessWriter WitnessWriter;
WitnessWriter *witness_create(const char *path, Diag *diag);
void witness_write_header(WitnessWriter *writer, const WitnessHeader *header);
void witness_write_row(WitnessWriter *writer, const WitnessRow *row);
void witness_write_transaction(WitnessWriter *writer, const WitnessTransaction *transaction);
void witness_write_final(WitnessWriter *writer, const WitnessFinal *final);
bool witness_finish(WitnessWriter *writer, const WitnessEnd *end, Diag *diag);
void witness_discard(WitnessWriter *writer);

#endif
