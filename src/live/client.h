/* client.h: one connection, and the record of what it said and heard.
 *
 * A client runs one transaction at a time: begin, statements, finish; finish writes the
 * transaction as one whole line and flushes it.  The first error of a transaction wins: later calls
 * of client_execute send nothing and answer nothing, so that a workload reads as if
 * nothing could fail.  Nothing that the client did not learn is claimed: a connection lost at
 * COMMIT is recorded as unknown.  A session of the transcript is a connection: what an
 * earlier connection left unknown may still happen while the next one is at work.
 *
 * A transaction without statements leaves no line and is not counted.
 *
 * Replies live until the next client_begin. */
#ifndef ALIBI_LIVE_CLIENT_H
#define ALIBI_LIVE_CLIENT_H

#include "src/live/driver.h"
#include "src/live/random.h"

#include <pthread.h>
#include <stdatomic.h>

struct Client;

/* What all clients of a run share. */
typedef struct Recorder {
  TranscriptWriter *writer; /* NULL: nothing is recorded */
  pthread_mutex_t lock;     /* of the writer */
  const Driver *driver;
  const char *url;
  const char *space;      /* the run's own schema or database, or NULL */
  const char *level;      /* as SQL has it ("READ COMMITTED"), or NULL */
  const char *level_name; /* as a transcript has it, or NULL */
  bool has_literals;      /* in the statements' text, instead of parameters */
  bool has_times;
  bool has_hints;
  bool has_snapshots;
  bool is_named_by_client; /* several clients: transaction names begin with the client's number */
  bool has_ledger;         /* each transaction notes its name in a table */
  unsigned delay;          /* microseconds between statements */
  int64_t patience;        /* nanoseconds that a client tries to connect again */
  int64_t begun;           /* the clock when the run began */
  /* What every new connection begins with. */
  bool (*greet)(void *context, struct Client *client, Diag *diag);
  void *greet_context;
  _Atomic uint64_t done; /* transactions written */
} Recorder;

typedef enum Finish {
  FINISH_COMMITTED,
  FINISH_ABORTED, /* as the workload wanted */
  FINISH_REFUSED, /* by the database, for concurrency's sake: worth a retry */
  FINISH_FAILED,  /* an error */
  FINISH_UNKNOWN, /* the connection broke at COMMIT */
  FINISH_COUNT
} Finish;

/* The lines written for one kind of transaction. */
typedef struct Tally {
  uint64_t finished[FINISH_COUNT];
  uint64_t retried;
  ARRAY(uint32_t) microseconds; /* owned: of each committed transaction */
} Tally;

typedef struct Client {
  Recorder *recorder;
  Tally *tally;           /* borrowed: of the transaction's kind; set before client_begin */
  uint32_t number;        /* from 1 */
  Connection *connection; /* owned; NULL while there is none */
  DialectName dialect;    /* of the connection, or of the last one */
  uint32_t session;       /* connections so far */
  Random random;          /* of the transaction at hand */
  Arena arena;            /* of the transaction at hand */
  uint64_t sequence;      /* transactions begun, tries again included */
  uint64_t index;         /* the transaction's place in the client's share, the same for each try */
  int64_t begun;          /* the clock when the transaction at hand began */
  uint32_t sent;          /* statements of the transaction at hand */
  Transaction transaction;
  ARRAY(Operation) operations; /* in the arena */
  const Reply *failure;        /* the first error of the transaction, or NULL */
  bool is_dead;                /* the server rolled it back by itself */
  bool is_alone;               /* a definition that commits itself */
  /* For faults, which come from another thread. */
  _Atomic uint64_t backend;     /* the server's number of the connection; 0: none */
  _Atomic bool is_committing;   /* COMMIT is under way */
  _Atomic bool shall_break_off; /* at the next COMMIT, without waiting for the answer */
  _Atomic int crossing;         /* 1 or 2: which side of the next crossing is the client's; 0: none */
} Client;

int64_t client_clock(void); /* nanoseconds, monotonic */

bool client_open(Client *client, Recorder *recorder, uint32_t number, Diag *diag);
void client_close(Client *client);

/* A connection, if there is none; false: none could be had, diag tells. */
bool client_reconnect(Client *client, Diag *diag);
void client_disconnect(Client *client);
/* False: no connection could be had. */
bool client_begin(Client *client);
/* One statement of a workload, with `?` and letters as in request.h.  Never NULL. */
const Reply *client_execute(Client *client, const char *sql, const char *letters, ...);
/* One statement as it is, whatever happened before: for scripts and random SQL. */
const Reply *client_send(Client *client, const char *sql);
/* COMMIT or ROLLBACK, and the line. */
Finish client_finish(Client *client, bool wants_commit);
/* The connection broke in a definition that stands alone (C3): nobody knows whether it was carried out. */
Finish client_finish_unknown(Client *client);
/* The clock of the transcript. */
int64_t recorder_now(const Recorder *recorder);

#endif
