/* aggregate.h: what an aggregate keeps of a group; seen by its own files only. */
#ifndef ALIBI_SEMANTICS_AGGREGATE_H
#define ALIBI_SEMANTICS_AGGREGATE_H

#include "semantics/number.h"
#include "semantics/operate.h"
#include "src/base/array.h"
#include "src/sql/function.h"

/* Rows seen by DISTINCT, by hash: linear probing. */
typedef struct SeenSet {
  const Value **rows;
  uint64_t *hashes;
  uint32_t room, count;
} SeenSet;

struct Accumulator {
  const Expr *expr;
  FunctionId id;
  uint64_t count;       /* values added, NULLs not among them */
  Decimal exact;        /* the exact sum so far */
  unsigned shown;       /* digits of it that show (number.h) */
  double real;          /* the sum as a double */
  double magnitude;     /* the largest magnitude added as a double */
  bool is_real;         /* a double was among them */
  Int128 gains, losses; /* the integers among them, by sign */
  bool is_ambiguous;    /* MIN, MAX: several spellings of the same extreme */
  Value extreme;        /* MIN, MAX; BOOL_*, BIT_* so far */
  ARRAY(Value) pieces;  /* GROUP_CONCAT: text by text */
  SeenSet seen;
};

#endif
