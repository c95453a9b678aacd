/* orders.h: the orders that the evidence allows, walked place by place. */
#ifndef ALIBI_HEURISTICS_ORDERS_H
#define ALIBI_HEURISTICS_ORDERS_H

#include "levels/snapshot.h"
#include "levels/times.h"
#include "heuristics/search_internal.h"
#include "heuristics/state_memory.h"
#include "heuristics/touch.h"

enum { NOBODY = UINT32_MAX };

/* What a transaction touches, operation by operation. */
typedef struct CandidateTouches {
  Touches touches;
  uint32_t *ends; /* by operation: how many touches there are up to it */
  uint32_t operation_count;
} CandidateTouches;

/* A transaction as the order sees it. */
typedef struct Candidate {
  const Line *line; /* as it is observed in this question */
  Interval start, commit;
  bool is_strict;        /* real time binds it */
  bool is_current;       /* it reads the state before it, and no other */
  bool is_per_statement; /* each of its statements has a state of its own */
  uint32_t predecessor;  /* of its session: 1 + its number, or 0 */
  uint32_t given;        /* its number in the given order */
  bool is_fresh;
  uint64_t xid;                    /* trusted, as is: */
  Snapshot snapshot;               /* of what it saw */
  int64_t earliest_read; /* commits that are over before it are seen; INT64_MAX: all that stand before it */
  int64_t latest_read;   /* and before this one they stand before it, if it must be fresh; else INT64_MIN */
  const CandidateTouches *touches; /* NULL: not asked for yet */
} Candidate;

/* What snapshots say of the order.  Of any two the one sees all that the other does; so they are numbered
 * from 1 on, those that see the same alike. */
typedef struct SnapshotOrder {
  bool given;
  uint32_t *rank;    /* by number: the first snapshot that sees it; 0: it has no id */
  uint32_t *seen;    /* by number: its own snapshot, or 0 */
  uint32_t *due;     /* by number: it comes before whatever snapshots behind this one alone see */
  uint32_t *by_rank; /* numbers with an id, in the order of their ranks */
  uint32_t *by_due;  /* all numbers, in the order of their dues */
  uint32_t *rank_place, *due_place; /* by number: where in those two */
  uint32_t rank_count;              /* in by_rank */
  uint32_t first_rank, first_due;   /* the first in each that is not used */
  bool is_whole;                    /* whoever has no id wrote nothing */
  bool is_refuted;                  /* S4 */
} SnapshotOrder;

typedef struct Orders {
  Search *search;
  uint32_t count;
  Candidate *candidates; /* in the order that is guessed */
  bool keeps_given;      /* only aborted transactions move, between the others in the given order */
  bool respects_commits; /* some level does */
  bool has_sessions;     /* some level has them bind all */
  bool is_bound;         /* times bind every transaction */
  uint32_t *by_commit;   /* numbers, by the latest instant of the commit */
  uint32_t *rank;        /* of a number in by_commit */
  int64_t *earliest;     /* no transaction from this number on can be before an instant earlier than that */
  uint32_t first_open;   /* the first in by_commit that is not used */
  uint32_t first_unused;
  bool *is_used;
  const Line **order; /* the present one */
  uint32_t *taken;    /* the numbers in it */
  int64_t *latest;    /* by place: the latest instant of a commit up to there */
  uint32_t *first;    /* at each place: the blamed one that was tried first, or NOBODY */
  uint32_t depth;
  uint32_t goal;          /* so many are enough */
  uint32_t blamed;        /* or NOBODY */
  uint32_t stuck;         /* who was blamed when the repair last gave up, or NOBODY */
  uint32_t stuck_prefix;  /* then: of the given order, so many were explained */
  bool has_memory;        /* equal states have equal futures, as far as states can still be read: */
  int64_t *earliest_read; /* by number: of those from there on, that need not read the current state */
  StateMemory seen;
  SnapshotOrder snapshots;
  uint64_t used[2];             /* stands for the set of numbers in the order */
  uint64_t pushes, most_pushes; /* 0: no bound */
} Orders;

/* The lines come in the given order. */
void orders_open(Orders *orders, Search *search, const Line **lines, uint32_t count, bool keeps_given);
/* Must `other` stand before the candidate because of the times? */
bool orders_precede(const Orders *orders, const Candidate *other, const Candidate *candidate);
/* May it come next, by times and sessions? */
bool orders_allow(const Orders *orders, uint32_t number);
void orders_take(Orders *orders, uint32_t number);
/* Takes the last one back.  Returns its number. */
uint32_t orders_give_back(Orders *orders);
/* The first to be tried at a new place: the blamed one, if it may; `count`: nobody. */
uint32_t orders_first(Orders *orders);
/* The first that may come next, from a number on; `count`: none. */
uint32_t orders_next(const Orders *orders, uint32_t from);
/* Who comes after the one that was taken back. */
uint32_t orders_another(const Orders *orders, uint32_t number);

/* Must the one stand before the other, by times and sessions? */
bool orders_must_precede(const Orders *orders, uint32_t number, uint32_t other);
bool orders_are_of_session(const Orders *orders, uint32_t number, uint32_t other);
/* Of the checker's schema: after the first push. */
const CandidateTouches *orders_touches(Orders *orders, uint32_t number);

/* order_snapshots.c: false: no order agrees with the snapshots, the times and the sessions; the search's
 * result tells why. */
bool snapshots_open(Orders *orders);
/* Are those in the order that must come before it? */
bool snapshots_allow(const Orders *orders, uint32_t number);
/* The last one in the order was refused: would it be in every order? */
bool snapshots_refute(Orders *orders);
void snapshots_take(Orders *orders);
void snapshots_give_back(Orders *orders, uint32_t number);

/* order_commute.c: does the one write what the other touches? */
bool touch_meets(const Touch *write, const Touch *other);
/* May the one have written what the other touches up to one of its operations? */
bool orders_writes_for(Orders *orders, uint32_t writer, uint32_t reader, uint32_t operation);
/* All orders that go on with this one are refuted: so are those that go on with any other. */
bool orders_need_no_other(Orders *orders, uint32_t number);

/* order_search.c: repairs as far as that goes, then tries everything until it goes on.  False: every order is
 * refuted. True: the search is over, the result tells. */
bool orders_walk(Orders *orders);
/* order_repair.c: goes on in the guessed order, with others moved where one does not fit.
 * True: the search is over, the result tells.  False: it gives up, with what it has as the present order. */
bool orders_repair(Orders *orders);
/* Pushes what the order has behind the live part.  True: all of it is explained. */
bool orders_hold(Orders *orders);
/* Something went wrong, or is not known: nothing more can be tried. */
bool orders_are_over(const Orders *orders);
/* order_blame.c: has the transaction, which was refused, follow the present order with some of it moved.
 * False: it cannot, the order is as it was. */
bool orders_blame(Orders *orders, uint32_t number);

#endif
