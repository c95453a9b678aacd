/* replay_internal.h: what the files of the replayer share.
 *
 * R1  While no verdict is final, the engine holds exactly the state after the transactions replayed so far,
 *     but for tables that are lost.
 * R2  A violation rests on a statement that was executed on known values only. */
#ifndef ALIBI_SEMANTICS_REPLAY_INTERNAL_H
#define ALIBI_SEMANTICS_REPLAY_INTERNAL_H

#include "semantics/objects.h"
#include "semantics/replay.h"
#include "src/sql/mirror.h"

struct Replay {
  const char *file; /* borrowed */
  Header header;
  Engine *engine;
  Objects *objects; /* key-value histories: made with the first such operation */
  Mirror *mirror;   /* made when something must be arbitrated */
  Arena arena;      /* failure, set-aside statements */
  Arena bindings;   /* parameters of the operation in execution */
  Verdict verdict;
  Failure *failure;
  uint64_t transactions, checked, gaps;
  bool is_bound;   /* constraints may leave fewer of them than the cells: a replay does not prove that one is left */
  bool is_open;    /* the initial state has cells that may be one of several values */
  bool is_gapped;  /* a gap that may have written */
  bool is_stopped; /* a verdict is final: further lines are only counted */
  const uint8_t *left_out;  /* borrowed: per undecided transaction, whether it is left out */
  uint32_t left_out_count;
  uint32_t undecided;       /* transactions of unknown status so far that may be in or out */
  bool took_part;           /* the last of them */
  WitnessChoices *choices;  /* borrowed: where the database's choices are noted, or NULL */
  Arena *choices_arena;
  const char *objects_lost;
  ARRAY(SetAside) set_aside; /* heap */
  uint64_t set_aside_count;
  const char *reason, *reason_transaction;
  uint32_t reason_operation;
  uint64_t reason_line;
  /* Told of every answer that does not match, also in a tentative run; or NULL. */
  void (*on_mismatch)(void *context, const Operation *operation, const Outcome *outcome);
  void *mismatch_context;
};

/* What is known of the transaction in execution. */
typedef struct Run {
  Replay *replay;
  const Line *line;
  const Transaction *transaction;
  UndoMark begin;    /* where its writes begin */
  bool is_dead;      /* postgresql: an error ended the block */
  bool is_tentative; /* status unknown, or one of several ways: nothing is reported, effects may be withdrawn */
  bool is_trial;     /* nothing is lost either: `aside` tells that something would be */
  const char *aside; /* tentative: why an operation was not checked, or NULL */
} Run;

typedef enum Step { STEP_NEXT, STEP_MISMATCH, STEP_STOP, STEP_BAD } Step;

const Dialect *replay_dialect(const Replay *replay);
Place replay_place(const Replay *replay, const Line *line, const char *field);
char *replay_keep(Replay *replay, const char *text); /* a copy that lives as long as the replay */

/* The verdict is `unknown` from here on, unless it is final already. */
void replay_set_unknown(Replay *replay, const Line *line, const char *transaction, uint32_t operation, const char *reason);
/* A statement is not checked: remembered for the report, and the verdict is `unknown` at best. */
void replay_put_aside(Replay *replay, const Line *line, const char *transaction, uint32_t operation, const char *sql, const char *reason,
                      bool is_dependent);
/* Does SQLite take the text for SQL? */
bool replay_is_sql(Replay *replay, const char *sql, size_t length, int *offset, const char **message);

/* An observation that the outcome does not explain: a violation, or unknown where something unseen could. */
Step replay_fail(Run *run, uint32_t operation, const Outcome *outcome, Mismatch mismatch, bool reads_tables);

/* What must hold for COMMIT to succeed, besides the statements. */
Step replay_commit_check(Run *run);

/* replay_setup.c */
bool replay_setup(Replay *replay, const Line *line, Diag *diag);
bool replay_initial_rows(Replay *replay, const Line *line, Diag *diag);
/* NULL: an error is in diag, or the line was put aside because it is not known what the table holds. */
Table *replay_table_named(Replay *replay, const Line *line, const char *field, Diag *diag);
bool replay_columns(Replay *replay, const Line *line, const Table *table, uint32_t *columns, Diag *diag);
/* replay_operation.c */
Step replay_operation(Run *run, uint32_t index, const Operation *operation, Diag *diag);
/* Bindings since the mark are noted as choices. */
void replay_note(Replay *replay, uint32_t operation, uint32_t mark);
/* replay_final.c */
bool replay_final(Replay *replay, const Line *line, Diag *diag);

#endif
