/* confirm.h: is this execution one that its levels allow, and does it explain the log?
 *
 * The concrete replay (semantics/certify.h) together with the levels' conditions on order and states
 * (obey.h).  Every `correct` that a search found has passed here before it is said, and `alibi verify` asks
 * nothing else. */
#ifndef ALIBI_LEVELS_CONFIRM_H
#define ALIBI_LEVELS_CONFIRM_H

#include "levels/level.h"
#include "src/transcript/log.h"
#include "src/transcript/witness.h"

typedef enum ConfirmAnswer {
  CONFIRM_HOLDS = 0,
  CONFIRM_FAILS = 1,     /* some condition does not hold: the reason tells */
  CONFIRM_BAD = 2,       /* bad input: diag tells */
  CONFIRM_UNDECIDED = 3, /* not modelled, or not known: the reason tells */
} ConfirmAnswer;

typedef struct Confirmation {
  const Log *log;
  const Line *const
      *order; /* transactions that are not aborted, by place; in the given order also the log's other lines */
  uint32_t count;
  uint32_t final_count; /* of the log's final lines */
  LevelOf level_of;
  const void *context;
  bool is_searched;      /* the order is not the given one: it must respect the evidence */
  bool compares_values;  /* conflicts by what a client could see */
  bool trusts_snapshots; /* what the lines have of them must agree with the states read */
  bool compares_choices; /* the witness was read: what it says of free choices is compared, not noted */
  int64_t stop_place;    /* with `show`: the place after which `show` is called, and nothing follows */
  void (*show)(void *context, Engine *engine);
  void *show_context;
} Confirmation;

/* What the database chose is noted in the witness, in the arena; so is the reason. */
ConfirmAnswer confirm(const Confirmation *question, Witness *witness, Arena *arena, const char **reason,
                      Diag *diag);

/* ---- The same one by one, for a log that is not kept whole ---- */

typedef struct Confirming Confirming;

/* Of the log only header and set-up are looked at, of the question no order.  NULL: bad input. */
Confirming *confirming_begin(const Confirmation *question, Diag *diag);
void confirming_free(Confirming *run);
/* The transactions of `witness` follow; everything before them is settled, and its end is their state 0. */
bool confirming_go_on(Confirming *run, Witness *witness, Arena *arena);
/* A transaction at the next place.  False: it is not explained so; or bad input. */
bool confirming_push(Confirming *run, const Line *line, Diag *diag);
/* An aborted transaction was met: what its session remembers is not known. */
void confirming_note_other(Confirming *run, const Line *line);
/* Behind the last one. */
bool confirming_push_final(Confirming *run, const Line *line, Diag *diag);
bool confirming_finish(Confirming *run);
const char *confirming_reason(const Confirming *run); /* NULL: nothing failed */

#endif
