/* transcript.h: a transcript, line by line (docs/transcript.md).
 *
 * The reader is a stream: it hands out one line at a time, in file order, with all its
 * memory in the reader's line arena, which the next read clears.  jansson stays
 * behind this interface.  The given order (header `order`) is order.h's work. */
#ifndef ALIBI_TRANSCRIPT_TRANSCRIPT_H
#define ALIBI_TRANSCRIPT_TRANSCRIPT_H

#include "src/base/array.h"
#include "src/base/diag.h"
#include "src/base/value.h"
#include "src/sql/dialect.h"

typedef enum GivenOrder { ORDER_FILE, ORDER_HINT, ORDER_COMMIT } GivenOrder;

typedef struct Header {
  Dialect dialect; /* with settings and collation applied */
  const char *level; /* or NULL */
  GivenOrder order;
  uint64_t reorder; /* default 10,000 */
  int8_t snapshot_isolation; /* settings.innodb_snapshot_isolation: -1 absent, 0, 1 */
  const char *name, *source, *clock;
} Header;

/* [lo, hi]; an instant has lo == hi; open ends are INT64_MIN and INT64_MAX. */
typedef struct Interval {
  bool given;
  int64_t lo, hi;
} Interval;

/* A cell of a set-up `table` row: one value, one of several, or any. */
typedef enum CellKind { CELL_VALUE, CELL_IN, CELL_ANY } CellKind;
typedef struct Cell {
  uint8_t kind;
  Value value; /* CELL_IN: a VALUE_LIST of the alternatives */
} Cell;

/* A JSON value as it was observed.  Numbers that are JSON reals keep their text. */
typedef struct Observed {
  Value value;      /* NULL, BOOL, INT, UINT (never beyond 64 bits), DOUBLE, TEXT, LIST (key-value only) */
  const char *text; /* DOUBLE: the digits as written, for comparing at the digits observed */
  uint32_t text_length;
} Observed;

typedef struct ObservedRow {
  uint32_t count;
  Observed *cells;
} ObservedRow;

typedef struct ObservedRows {
  uint32_t count;
  ObservedRow *rows;
} ObservedRows;

typedef struct NamedParam {
  const char *name; /* NULL in an array */
  uint32_t name_length;
  Observed value;
} NamedParam;

typedef enum OperationKind { OPERATION_SQL, OPERATION_READ, OPERATION_WRITE, OPERATION_APPEND } OperationKind;

typedef struct Operation {
  uint8_t kind; /* OperationKind */
  bool meta;
  const char *sql;
  uint32_t sql_length;
  uint32_t param_count;
  bool params_are_named;
  NamedParam *params;
  bool has_rows;    /* `rows` or `results`; result_count sets of rows */
  bool has_results; /* `results` */
  uint32_t result_count;
  ObservedRows *results;
  bool has_columns;
  uint32_t column_count;
  const char **columns;
  bool has_affected;
  int64_t affected;
  const char *error; /* or NULL */
  Interval start, end; /* of the operation */
  const char *snapshot;
  /* key-value */
  const char *object; /* the key as text: strings as they are, integers in decimal */
  Observed argument;  /* r: what it returned; w, append: what was written */
} Operation;

typedef enum Status {
  STATUS_COMMITTED,
  STATUS_ABORTED,
  STATUS_UNKNOWN,
  STATUS_READER /* aborted, but what it observed must be explained (--aborted-reads); nobody sees its writes */
} Status;

typedef struct Transaction {
  const char *name; /* integers in decimal */
  bool name_is_integer; /* as it was written: 1 and "1" are the same name */
  const char *session; /* or NULL */
  Status status;
  Interval start, commit;
  const char *level; /* or NULL */
  bool has_hint;
  int64_t hint;
  const char *xid, *snapshot;
  uint32_t operation_count;
  Operation *operations;
} Transaction;

typedef enum LineKind { LINE_HEADER, LINE_SETUP, LINE_TABLE, LINE_TRANSACTION, LINE_GAP, LINE_FINAL, LINE_END } LineKind;

typedef struct TableLine { /* `table` and `final` */
  const char *table;
  bool has_columns;
  uint32_t column_count;
  const char **columns;
  uint32_t row_count;
  struct { uint32_t count; Cell *cells; Observed *observed; } *rows; /* table: cells; final: observed */
} TableLine;

typedef struct Line {
  LineKind kind;
  uint64_t number; /* 1-based line in the file */
  union {
    const char *setup;
    TableLine table;
    Transaction transaction;
    struct { const char *text; bool writes; } gap;
  };
} Line;

typedef struct TranscriptReader TranscriptReader;

/* Opens a file, or standard input for "-" (again, too: then what came is read from its beginning), and reads the header. NULL: diag tells.  The path is
 * borrowed: places of errors refer to it. */
TranscriptReader *transcript_open(const char *path, Diag *diag);
/* The same, with the callback for warnings (NULL: they are dropped) in place before the header is read. */
TranscriptReader *transcript_open_with(const char *path, void (*warn)(const char *message, void *context), void *context,
                                       Diag *diag);
void transcript_close(TranscriptReader *reader);
const Header *transcript_header(const TranscriptReader *reader);
/* The next line, valid until the next call; LINE_END at the end. False: bad input, diag tells. */
bool transcript_next(TranscriptReader *reader, Line *line, Diag *diag);
/* Before the first line: a file that is long enough is read on a thread of its own, ahead of the one that asks.  Lines, warnings and
 * errors are the same.  What else is set (the hash, the clock error) must be set before the first line, too. */
void transcript_read_ahead(TranscriptReader *reader);
/* Clocks may differ by this much: from the next line on every interval of a transaction or an operation is wider by it
 * at both ends. */
void transcript_widen(TranscriptReader *reader, int64_t clock_error);
/* The interval by `error` wider at both ends, narrower if it is negative; open ends stay open. */
Interval interval_widen(Interval interval, int64_t error);
/* Bytes read so far and the file's size (0: a pipe), for progress. */
uint64_t transcript_position(const TranscriptReader *reader, uint64_t *size);
/* Warnings (unknown fields, a torn last line) go to this callback; by default to standard error. */
void transcript_on_warning(TranscriptReader *reader, void (*warn)(const char *message, void *context), void *context);
/* A regular file may grow: at its end more is waited for, until a signal comes.  Before the first line. */
void transcript_follow(TranscriptReader *reader);
/* Asked when a signal interrupts a read: true ends the lines (LINE_END) as if the input ended here. */
void transcript_on_interrupt(TranscriptReader *reader, bool (*is_interrupted)(void *context), void *context);
/* Would transcript_next have to wait for the writer of a pipe? Then it is time to report what is known. */
bool transcript_is_waiting(const TranscriptReader *reader);
/* What was read so far, for statistics. */
typedef struct TranscriptStats {
  uint64_t lines;      /* that are not blank */
  uint64_t bytes;
  uint64_t fast_lines; /* read without jansson */
  uint64_t hash;       /* over the lines, if transcript_take_hash was called before the first */
} TranscriptStats;
void transcript_take_hash(TranscriptReader *reader);
TranscriptStats transcript_stats(const TranscriptReader *reader);

/* With --aborted-reads: the line of an aborted transaction becomes that of a reader. */
static inline void line_check_aborted(Line *line) {
  if (line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_ABORTED)
    line->transaction.status = STATUS_READER;
}
static inline bool line_is_reader(const Line *line) {
  return line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_READER;
}

/* A transaction that must outlive its line: deep copy into an arena. */
Transaction *transaction_copy(Arena *arena, const Transaction *transaction);

/* Writing: one object per line, flushed by the caller's choice. */
typedef struct TranscriptWriter TranscriptWriter;
TranscriptWriter *transcript_create(const char *path, Diag *diag); /* "-": standard output */
bool transcript_finish(TranscriptWriter *writer, Diag *diag);      /* flush and close */
void transcript_write_header(TranscriptWriter *writer, const Header *header);
void transcript_write_setup(TranscriptWriter *writer, const char *sql);
void transcript_write_table(TranscriptWriter *writer, const TableLine *table);
void transcript_write_transaction(TranscriptWriter *writer, const Transaction *transaction);
void transcript_write_final(TranscriptWriter *writer, const TableLine *table);
void transcript_write_gap(TranscriptWriter *writer, const char *text, bool writes);
bool transcript_flush(TranscriptWriter *writer);

#endif
