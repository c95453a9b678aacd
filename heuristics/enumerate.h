/* enumerate.h: all executions of a tiny log, one by one, each replayed by the certifier: a second opinion on
 * what the search refuted.
 *
 * There is no solver and no lifting here.  Each choice (who comes next, who of the unknown takes part, which
 * state a read comes from) is a digit of a number that is counted up; a run that fails ends at once, so that
 * whatever begins alike is skipped.
 *
 * U1  Every execution that is tried is one that the level allows: an explanation found here is one.
 * U2  Refuted means that all were tried but for those in which transactions take part of which nothing is
 *     observed, where there are too many of them, and errors explained by several states at once. */
#ifndef ALIBI_HEURISTICS_ENUMERATE_H
#define ALIBI_HEURISTICS_ENUMERATE_H

#include "heuristics/answer.h"
#include "heuristics/search.h"

typedef struct Enumeration {
  const Log *log;
  LevelOf level_of;
  const void *context;
  bool is_given; /* the order */
  bool compares_values;
  double deadline;     /* as clock_seconds gives it */
  Answers answers;     /* of one statement, where it does not match */
  uint64_t executions; /* out: runs that were begun */
  bool is_partial;     /* out: too many transactions of which nothing is observed: they took no part */
} Enumeration;

typedef enum EnumerateAnswer { ENUMERATE_REFUTED, ENUMERATE_EXPLAINED, ENUMERATE_OPEN } EnumerateAnswer;

EnumerateAnswer enumerate_run(Enumeration *enumeration, Diag *diag);

#endif
