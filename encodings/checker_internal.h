/* checker_internal.h: what the files of the checker share. */
#ifndef ALIBI_ENCODINGS_CHECKER_INTERNAL_H
#define ALIBI_ENCODINGS_CHECKER_INTERNAL_H

#include "encodings/checker.h"
#include "encodings/lift.h"
#include "levels/snapshot.h"
#include "levels/times.h"
#include "semantics/initial.h"
#include "semantics/replay_internal.h"

/* A transaction at its place. */
typedef struct Placed {
  const Line *line;
  TransactionLevel level;
  Term takes_part;
  Interval start, commit;  /* with what a missing one means */
  uint32_t predecessor;    /* of its session: the place, or 0 */
  ARRAY(ReadChoice) reads; /* in memory: for the witness */
  /* For taking it back: how things were before it. */
  EngineMark *engine; /* in memory */
  ChoicesMark choices;
  uint32_t constraints, uncertain, guarded;
  int64_t earliest_commit, latest_commit, latest_fresh;
  /* Up to here, of those that took part. */
  int64_t earliest;     /* instant at which the commits so far can be over */
  int64_t latest_start; /* of all so far */
  /* Trusted evidence; the last two of all so far. */
  uint64_t xid; /* or 0 */
  Snapshot snapshot;
  uint64_t latest_xid, latest_end;
  bool has_digest;
  StoreDigest digest; /* of the state that it left */
} Placed;

/* A row of the initial state with open cells: one of several. */
typedef struct OpenRow {
  const char *table;
  uint32_t row;
  uint32_t count;
  Term *guards; /* of all but the last alternative; the first that holds counts */
  const InitialRow *initial;
} OpenRow;

struct Checker {
  const Log *log;
  CheckerOptions options;
  Replay *replay;
  Terms *terms;
  Solver *solver;
  Constraints *constraints;
  Choices *choices;
  Lift lift;
  Arena memory;
  ARRAY(Placed) placed; /* heap; place 0 is the initial state */
  ARRAY(OpenRow) open_rows;
  bool is_impossible; /* no initial state satisfies the constraints */
  Map sessions;            /* name -> place of its last committed transaction */
  int64_t earliest_commit; /* the smallest upper end of all commits so far */
  int64_t latest_commit;   /* the largest */
  int64_t
      latest_fresh; /* the latest instant at which a reader that must be fresh certainly had not read yet */
  uint32_t guarded; /* versions that stand under a guard */
  ARRAY(Term) pending; /* constraints of the push in work */
  StateGuess guess;
  uint64_t fixed;  /* rows that checker_fix decided */
  bool has_finals; /* final lines were pushed, after: */
  ChoicesMark final_choices;
  uint32_t final_constraints;
  const char *reason; /* unknown */
  uint32_t reason_operation;
  const char *set_aside;
  ARRAY(NarrowError) narrow; /* heap: checker_narrow */
  CheckerFailure failure;
  uint64_t decided; /* pushes without a solver call */
  CheckerStats settled; /* what was counted before the present beginning */
};

void checker_make_solver(Checker *checker);

void checker_assert(Checker *checker, Term term);
PushAnswer checker_solve(Checker *checker);

/* checker_witness.c */
void open_rows_spread(Checker *checker);

/* A version that a way wrote, and where on this way it holds. */
typedef struct LeafWrite {
  StoreWrite write; /* its version is a copy, in the operation's arena */
  Term guard;
} LeafWrite;

/* One of the ways an operation may have run, and explains what was observed. */
typedef struct Leaf {
  Term path;
  uint32_t *trail;
  uint32_t trail_count;
  bool has_definitions;    /* it did more than write rows */
  ARRAY(LeafWrite) writes; /* in the operation's arena */
} Leaf;

typedef enum LeafAnswer { LEAF_EXPLAINS, LEAF_DIFFERS, LEAF_ASIDE, LEAF_BAD } LeafAnswer;

/* What is run once for each leaf. */
typedef struct LeafRun {
  Checker *checker;
  Run *run;
  uint32_t index;
  const Line *final; /* NULL: an operation of the transaction */
  Diag *diag;
} LeafRun;

/* checker_leaves.c: all leaves of an operation; what they wrote becomes guarded versions.
 * True: some way explains it (as far as is known here).  False: checker->failure or reason, or diag tells. */
PushAnswer leaves_run(LeafRun *run, Term takes_part);

/* condition.c: the laws of the levels, one function each. */
void require_no_write_conflict(Checker *checker, Term takes_part);
StateSet states_allowed(Checker *checker, uint32_t place, Arena *arena);
/* Those of them that the guess leaves. */
StateSet states_guessed(const Checker *checker, uint32_t place, const StateSet *allowed, Arena *arena);
/* Did an earlier one in the order see the commit of the newest, by its snapshot? */
bool commit_was_seen(const Checker *checker);
/* The oldest state that the guess leaves to a step at this instant. */
uint32_t oldest_guessed(const Checker *checker, uint32_t place, int64_t instant);
uint32_t oldest_fresh(const Checker *checker, uint32_t place, int64_t instant);
/* A commit certainly before a read that must be fresh cannot come after the reader in the order. */
bool require_fresh_readers(Checker *checker, uint32_t place);
/* Strict SI: what the newest commit says about the states that earlier transactions read. */
bool require_commit_order(Checker *checker);

#endif
