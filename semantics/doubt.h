/* doubt.h: values that are not known yet.
 *
 * A free value is what SQL leaves open (now(), random(), a generated key) or what
 * the audit does not know (the result of a statement that is not modelled, a cell given as
 * {"any":true}).  It is stored like any value, as VALUE_DOUBT; copying it is
 * fine, computing with it ends the concrete path (ABORT_DOUBT).  The first observation that shows
 * it binds it, for good; an unbindable one (DOUBT_LOST) matches every observation and stays unknown. */
#ifndef ALIBI_SEMANTICS_DOUBT_H
#define ALIBI_SEMANTICS_DOUBT_H

#include "src/base/array.h"
#include "src/base/value.h"
#include "src/sql/type.h"

typedef enum DoubtKind {
  DOUBT_FREE, /* any value of its type; the first observation binds it */
  DOUBT_IN,   /* one of a list */
  DOUBT_LOST  /* not modelled: never bound */
} DoubtKind;

typedef struct Doubt {
  uint8_t kind;
  bool is_bound;
  Type type;
  Value value;        /* bound value; DOUBT_IN: a VALUE_LIST until then */
  const char *origin; /* "now()", "INSERT ... not modelled", for messages */
  bool is_guessed;    /* a generated key: `guess` is what a serial run would have given */
  bool is_assumed;    /* bound to its guess, not by an observation */
  Value guess;
  uint32_t generator; /* guesses of one generator keep their distances: see engine_settle */
  uint32_t stored;    /* 1 + the free value that a column made of this one; 0: none yet */
  Value alternatives; /* DOUBT_IN: the VALUE_LIST, kept for undoing the binding */
} Doubt;

typedef struct Doubts {
  ARRAY(Doubt) doubts;
  ARRAY(uint32_t) bindings; /* log of bindings, so that a failed match is undone */
  Arena arena;              /* bound values */
  bool has_assumed;         /* some doubt was ever bound to a guess: see doubts_assumed */
  bool assumes_nothing;     /* none may be: what needs a guess is in doubt */
  bool opens_order;         /* rows sorted by free values that they show need no guess: the observation is to be sorted */
} Doubts;

void doubts_init(Doubts *doubts);
void doubts_free(Doubts *doubts);
Value doubt_new(Doubts *doubts, DoubtKind kind, Type type, const char *origin);
/* Follows a bound doubt to its value; an unbound one stays. */
static inline Value doubt_settle(const Doubts *doubts, Value value) {
  if (value.kind != VALUE_DOUBT) return value;
  const Doubt *doubt = &doubts->doubts.items[value.doubt];
  return doubt->is_bound ? doubt->value : value;
}
/* What a column of another type makes of a free value: another free value, the same for columns of the same type in a row. */
Value doubt_convert(Doubts *doubts, uint32_t doubt, Type type);
void doubt_bind(Doubts *doubts, uint32_t doubt, Value value);
uint32_t doubts_mark(const Doubts *doubts);
void doubts_undo(Doubts *doubts, uint32_t mark);

/* A generated key: free, with the value a serial run would have given. */
Value doubt_guess(Doubts *doubts, Type type, Value guess, uint32_t generator, const char *origin);
/* Binds every unbound guess, because one of them was needed before an observation showed it. False: there is none. */
bool doubts_assume(Doubts *doubts);
/* A choice that SQL leaves open was made without evidence: a mismatch from here on proves nothing. */
void doubts_admit(Doubts *doubts);
/* Has anything been assumed?  Then a mismatch is no violation, only unknown. */
bool doubts_assumed(const Doubts *doubts);
/* Nothing refers to any doubt any more: start over (what was assumed stays known). */
void doubts_clear(Doubts *doubts);

#endif
