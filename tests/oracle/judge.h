/* judge.h: the verdict by definition, and the first failing prefix. */
#ifndef ALIBI_ORACLE_JUDGE_H
#define ALIBI_ORACLE_JUDGE_H

#include "tests/oracle/search.h"

typedef enum Ruling {
  RULING_CORRECT,
  RULING_VIOLATION,
  RULING_BAD_INPUT, /* the given order contradicts the times at a strict level */
  RULING_OPEN,      /* a gap may explain it: anything but correct */
  RULING_BEYOND     /* not for the oracle */
} Ruling;

typedef struct Judgement {
  Ruling ruling;
  uint32_t failing_prefix; /* in committed transactions */
  bool only_final;         /* only a final line fails */
  uint64_t runs;
  char reason[256];
} Judgement;

Judgement judge_history(const History *history, const Rules *rules);
const char *ruling_name(Ruling ruling);

#endif
