/* lift.h: statements run once for each way their reads may have come out.
 *
 * The engine runs concretely.  Where a key shows different rows in the states that the level leaves open, the
 * run forks: it is repeated with each of them.  A run through to the end is a leaf; its path is the
 * conjunction of the alternatives it took.
 *
 * L1  The alternatives of one fork exclude each other, and one of them holds.  So do the paths of all leaves.
 * L2  A statement that reads nothing in doubt has one leaf, with path true, and makes no term.
 * L3  Within a leaf a key shows the same row to all reads of the same choice. */
#ifndef ALIBI_ENCODINGS_LIFT_H
#define ALIBI_ENCODINGS_LIFT_H

#include "encodings/choice.h"
#include "levels/level.h"
#include "encodings/states.h"
#include "semantics/blockwise.h"
#include "semantics/engine.h"
#include "semantics/rowwise.h"
#include "semantics/store.h"

/* What a choice is about, for the witness. */
typedef enum ChoiceRole {
  CHOICE_TRANSACTION, /* the transaction's one state */
  CHOICE_STEP,        /* a read step's */
  CHOICE_KEY,         /* of one key in a step */
  CHOICE_CHECK        /* where a key that was found taken, or a reference that failed, was looked up */
} ChoiceRole;

typedef struct ReadChoice {
  ChoiceRole role;
  uint32_t operation, step;
  uint64_t serial; /* of the key; 0: of all */
  const Key *key;
  ChoiceId choice;
  StateSet states; /* those that are left, in the transaction's arena */
  StateSet kept;   /* of the leaves of the present operation that explain it */
} ReadChoice;

typedef struct Alternative {
  Term guard;
  const Version *version; /* NULL: no row */
  StateSet states;        /* of the choice, in which it is seen */
} Alternative;

typedef struct Fork {
  uint64_t serial;       /* of the key */
  const Version *newest; /* of the key, as the fork was made */
  ChoiceId choice;
  uint32_t read; /* place in reads, or UINT32_MAX */
  uint32_t taken, count;
  Alternative *alternatives;
} Fork;

/* A transaction of unknown status that was certainly over before some instant: if it took part, it is seen.
 */
typedef struct Uncertain {
  uint32_t place;
  Term takes_part;
  int64_t earliest, latest; /* instants of its commit */
  const char *session;      /* or NULL */
} Uncertain;

/* Which rows a statement that takes them one by one is shown. */
typedef enum RowMask {
  MASK_NONE,     /* all */
  MASK_DOUBTFUL, /* those that are not in doubt; the others are noted in `masked` */
  MASK_OTHERS    /* one: mask_key */
} RowMask;

typedef struct Lift {
  Terms *terms;
  Choices *choices;
  Store *store;
  StoreView view;
  const Level *level;
  uint32_t place;   /* of the running transaction */
  uint32_t oldest;  /* state its reads may come from; in `step_oldest` those of the operation */
  StateSet allowed; /* the transaction's one state, where it has one; in memory */
  uint32_t step_oldest;
  uint32_t operation, step;
  bool any_state_explains;    /* such an error: every state up to here, not only from the step's on */
  bool explains_error;        /* the operation was refused because of a key or a reference */
  bool is_undone;             /* by ROLLBACK TO: its locks went with it */
  bool is_reader;             /* the transaction was aborted: no state has to hold what it wrote */
  bool keeps_states;          /* states that observations rule out stay alternatives */
  bool is_guessed;            /* fewer states are left than the level leaves, which are those from ... */
  uint32_t level_oldest;      /* ... on */
  bool is_cut;                /* then: some key was read that differs between those states */
  uint64_t spared;            /* reads that a guess settled */
  uint64_t narrowed;          /* alternatives that were dropped because observations rule out their states */
  ARRAY(Uncertain) uncertain; /* heap, by place */
  bool is_fresh;              /* reads see what is certainly over before them */
  int64_t start;              /* of the transaction, or of the operation: the earliest instant */
  int64_t latest_start;       /* strict SI: commits from this instant on are not seen; else INT64_MAX */
  const char *session;
  Arena arena;             /* forks of the operation */
  Arena memory;            /* reads of the transaction */
  ARRAY(ReadChoice) reads; /* of the transaction */
  ARRAY(StateSet) states;  /* of reads, on this path; in arena */
  ARRAY(Fork) trail;
  uint32_t depth; /* forks met so far in this run */
  uint32_t base;  /* forks that lift_next leaves alone */
  RowWiseRunner runner;
  BlockWiseRunner block_runner;
  bool takes_rows;           /* also queries, and where one state is shared, row by row: else they fork */
  bool is_partial;           /* something was required of the paths: not one of the leaves need hold */
  uint32_t guarded;          /* versions put under a guard since the operation began, undone ones too */
  bool count_is_open;        /* how many rows a statement changed hangs on choices */
  const Operation *observed; /* what was seen of the operation, or NULL */
  RowMask mask;
  uint32_t mask_table;
  uint64_t block_cost;    /* of the running sums of the operation, in all its ways */
  bool sums_are_many;     /* more than are made: then the operation begins anew, and ... */
  bool forks_blocks;      /* grouped blocks fork */
  uint32_t mask_purposes; /* of reads of such rows, as bits */
  const Key *mask_key;
  bool reads_row;            /* the read in work is of a row that the statement takes */
  bool is_mixed;             /* something else was in doubt while doubtful rows were left out */
  ARRAY(const Key *) masked; /* in arena */
  Term path;
  const char *vague; /* why a leaf is not modelled, or NULL */
  uint64_t forks, leaves;
} Lift;

void lift_init(Lift *lift, Terms *terms, Choices *choices, Store *store);
void lift_free(Lift *lift);

/* A transaction begins; the view is in force until lift_end.  `allowed`: the states it may read (not empty).
 */
void lift_begin(Lift *lift, const Level *level, uint32_t place, const StateSet *allowed);
void lift_end(Lift *lift);

/* The leaves of an operation: lift_operation, then for each leaf lift_run, the run itself, and lift_next. */
void lift_operation(Lift *lift, uint32_t operation, uint32_t step_oldest);
void lift_run(Lift *lift);
bool lift_next(Lift *lift); /* to the next leaf; false: that was the last */
/* Which way each fork went, to run a leaf once more. */
uint32_t *lift_trail(const Lift *lift, Arena *arena);
void lift_follow(Lift *lift, const uint32_t *trail, uint32_t count);
/* What is known of the states once only the leaves shown to lift_keep are left: from lift_settle on. */
void lift_keep(Lift *lift, bool is_first);
void lift_settle(Lift *lift);

/* On this path the transaction wrote the key, which no other may have written since the state it reads:
 * narrows that state as far as others' writes are certain.  False: none is left. */
bool lift_see_writers(Lift *lift, const StoreWrite *write);
/* A copy in the operation's arena. */
Version *lift_version_keep(Lift *lift, const Table *table, const Version *version);
/* Under which condition the transaction at `place` wrote this key. */
Term lift_wrote(Lift *lift, const Key *key, uint32_t place);
/* The choice of the transaction's state, made if it was not needed before. */
ChoiceId lift_transaction_choice(Lift *lift);

#endif
