/* orders.h: the orders that the evidence allows, walked place by place. */
#ifndef ALIBI_HEURISTICS_ORDERS_H
#define ALIBI_HEURISTICS_ORDERS_H

#include "levels/times.h"
#include "heuristics/search_internal.h"
#include "heuristics/state_memory.h"

enum { NOBODY = UINT32_MAX };

/* A transaction as the order sees it. */
typedef struct Candidate {
  const Line *line; /* as it is observed in this question */
  Interval start, commit;
  bool is_strict;       /* real time binds it */
  uint32_t predecessor; /* of its session: 1 + its number, or 0 */
} Candidate;

typedef struct Orders {
  Search *search;
  uint32_t count;
  Candidate *candidates; /* in the given order */
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
  uint32_t *first;    /* at each place: the blamed one that was tried first, or NOBODY */
  uint32_t depth;
  uint32_t blamed; /* or NOBODY */
  bool is_serial;  /* what a transaction finds is the state alone: equal states have equal futures */
  StateMemory seen;
  uint64_t used[2];             /* stands for the set of numbers in the order */
  uint64_t pushes, most_pushes; /* 0: no bound */
} Orders;

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

/* order_repair.c: goes on in the given order, with those that do not fit moved to an earlier place nearby.
 * True: the search is over, the result tells.  False: it gives up, with what it has as the present order. */
bool orders_repair(Orders *orders);

#endif
