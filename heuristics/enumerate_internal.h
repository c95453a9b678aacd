/* enumerate_internal.h: what the files of the enumeration share. */
#ifndef ALIBI_HEURISTICS_ENUMERATE_INTERNAL_H
#define ALIBI_HEURISTICS_ENUMERATE_INTERNAL_H

#include "levels/times.h"
#include "heuristics/enumerate.h"

enum { MOST_TRANSACTIONS = 6 };

typedef struct Member { /* a transaction that may take part */
  const Line *line;
  TransactionLevel level;
  CertifyRules rules;
  Interval start, commit;
  bool is_placed;
} Member;

typedef struct Digit {
  uint32_t taken, count;
} Digit;

typedef struct Chosen { /* a read of this run */
  CertifyRead read;
  uint32_t state;
} Chosen;

typedef struct Counter {
  Enumeration *enumeration;
  Arena arena; /* of all runs */
  Member *members;
  uint32_t member_count;
  bool respects_commits;
  ARRAY(Digit) digits;
  uint32_t next_digit;
  Member **order; /* by place, from 1 */
  uint32_t placed;
  ARRAY(Chosen) chosen;
  Certifier *certifier; /* of the present run */
} Counter;

/* The next digit of the number that is counted, one of `count`. */
uint32_t digit_take(Counter *counter, uint32_t count);

/* enumerate_state.c: what times and sessions allow, and which state a read comes from. */
bool member_is_serial(const Member *member);
bool member_must_precede(const Counter *counter, const Member *first, const Member *second);
bool member_may_come_next(const Counter *counter, const Member *member);
uint32_t state_choose(void *counter, const CertifyRead *read); /* the certifier asks */
/* What only the whole order tells. */
bool readers_are_fresh(const Counter *counter);
bool snapshots_are_strict(Counter *counter);

#endif
