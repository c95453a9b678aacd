/* checker.h: is there an execution at these levels that explains the transactions in this order?
 *
 * Transactions are pushed one after the other.  Each runs on the engine, lifted over the states its reads may
 * come from; what it wrote becomes versions, under guards where that depends on choices; that it saw what was
 * observed becomes a constraint, unless it is decided already.
 *
 * K1  The constraints are satisfiable exactly if some execution explains what was pushed, where nothing was
 * set aside and nothing is vague; otherwise only "unsatisfiable" means something. K2  A push that reads
 * nothing in doubt sends nothing to the solver. */
#ifndef ALIBI_ENCODINGS_CHECKER_H
#define ALIBI_ENCODINGS_CHECKER_H

#include "levels/level.h"
#include "semantics/replay.h"
#include "src/transcript/witness.h"
#include "src/smt/constraints.h"
#include "src/transcript/log.h"

typedef struct CheckerOptions {
  bool is_searching;    /* the order is one of many: at ser any state may explain that a key was taken */
  bool compares_values; /* --conflicts values */
  bool forbids_seeks;   /* rows are found by looking at all of them */
  bool keeps_states;    /* states that observations rule out stay alternatives */
  bool is_joint;        /* the solver is asked about all constraints at once */
  const char *dump;     /* folder for SMT-LIB files, or NULL */
  double deadline;      /* as clock_seconds gives it; 0: none */
} CheckerOptions;

typedef enum PushAnswer {
  PUSH_EXPLAINED, /* so far */
  PUSH_REFUTED,   /* no execution explains it with what was pushed before */
  PUSH_UNKNOWN,   /* checker_reason */
  PUSH_BAD        /* bad input: diag */
} PushAnswer;

/* Where a push failed, for the report. */
typedef struct CheckerFailure {
  uint32_t operation;
  bool is_statement; /* this statement alone is wrong in every state it may have read */
} CheckerFailure;

typedef struct Checker Checker;

/* State 0 from the set-up lines; NULL: bad input. */
Checker *checker_new(const Log *log, const CheckerOptions *options, Diag *diag);
void checker_free(Checker *checker);

/* Which of the states that its level leaves a transaction reads from: a guess that may be wrong. */
typedef struct StateGuess {
  uint32_t floor;   /* none older than this */
  uint32_t window;  /* only the newest ones, so many; 0: any */
  bool is_serial;   /* the newest state alone: no level is stronger */
  bool is_stronger; /* only those that a stronger level leaves: strict SI at si, and elsewhere freshness;
                       without times the newest state alone */
} StateGuess;

/* For the pushes that follow.  What is refuted under a guess may be explained without it. */
void checker_guess(Checker *checker, StateGuess guess);
/* The last push would have been another one without the guess. */
bool checker_was_cut(const Checker *checker);
/* Is there a level stronger than this one? */
bool checker_has_stronger(TransactionLevel level);

/* A committed or unknown transaction at the next place, or a gap.  One that is refuted leaves the checker as
 * it was. */
PushAnswer checker_push(Checker *checker, const Line *line, TransactionLevel level, Diag *diag);
/* How many transactions it holds. */
uint32_t checker_places(const Checker *checker);
/* Takes back the final lines, and the newest places until `count` are left.  False: it cannot, and nothing
 * was done. */
bool checker_pop(Checker *checker, uint32_t count);
/* Nothing that was pushed hangs on a choice: it can have happened in this way only. */
bool checker_is_certain(const Checker *checker);
/* What later transactions can find that read no state before this one depends on this, and on who stands
 * behind it in which order, where it is true. */
bool checker_digest(const Checker *checker, uint32_t state, StoreDigest *digest);
PushAnswer checker_push_final(Checker *checker, const Line *line, Diag *diag);

const char *checker_reason(const Checker *checker, uint32_t *operation);
CheckerFailure checker_failure(const Checker *checker);
/* The failing operation's expected outcome, as far as there is one; NULL: none. */
Replay *checker_replay(Checker *checker);
/* Something was not checked: a satisfiable answer proves nothing. */
const char *checker_set_aside(const Checker *checker);
/* Errors that were not explained by every state up to their transaction's, or by none, though a later one might
 * explain them as well: what was refuted since may hold. */
typedef struct NarrowError {
  uint64_t line; /* number of the transaction's line; 0: of a probe, which stands in no file */
  uint32_t operation;
} NarrowError;
/* Those since it was last asked; valid until the next push. */
const NarrowError *checker_narrow(Checker *checker, uint32_t *count);
/* After PUSH_EXPLAINED: the execution in the solver's model.  NULL: its time is over. */
Witness *checker_witness(Checker *checker, Arena *arena);
/* Rules out the last witness; then the answer as of a push. */
PushAnswer checker_block(Checker *checker, const Witness *witness);

/* Settles the first `count` places as one execution that explains everything pushed has them, and takes back the others: the
 * checker then stands at a new beginning.  Their witness, in the arena; NULL: it cannot (the checker is of no use then). */
Witness *checker_settle(Checker *checker, uint32_t count, Arena *arena);

/* ---- What is in doubt: conditions of rows, true or false in every execution or not ---- */

/* Conditions on which rows of the present state hang, no two alike; changes only with constraints or rows.
 * In the arena. */
uint32_t checker_open(Checker *checker, Arena *arena, Term **open);
uint64_t checker_doubt(const Checker *checker); /* as long as it is the same, so are all answers here */
/* Their values in one execution that explains everything. */
Answer checker_values(Checker *checker, const Term *terms, uint32_t count, bool *values);
/* Is there one in which some of them have other values?  SAT: `others`. */
Answer checker_differ(Checker *checker, const Term *terms, uint32_t count, const bool *values, bool *others);
/* The rows that hang on these terms (ascending) are certain from now on, or void, until a place before now is
 * taken back. */
void checker_fix(Checker *checker, const Term *terms, uint32_t count, const bool *values);

typedef struct CheckerStats {
  uint64_t choices, forks, leaves, decided, terms;
  uint64_t spared;         /* reads that a guess settled */
  uint64_t narrowed;       /* alternatives that observations ruled out */
  uint64_t fixed, unfixed; /* rows that checker_fix decided; that were taken back */
  SeekStats seeks;
  ConstraintStats constraints;
  SolverStats solver;
} CheckerStats;
CheckerStats checker_stats(const Checker *checker);

#endif
