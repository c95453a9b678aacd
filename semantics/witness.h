/* witness.h: an execution, as far as the transcript does not say it: the alibi.
 *
 * For each transaction in its order: whether it took part, and the states its reads came from.  A read that is not
 * listed came from the current state, or from any: the versions its choice could see are all alike. */
#ifndef ALIBI_SEMANTICS_WITNESS_H
#define ALIBI_SEMANTICS_WITNESS_H

#include "src/base/array.h"
#include "src/base/value.h"

#include <stdbool.h>

typedef enum WitnessRole {
  WITNESS_TRANSACTION, /* the transaction's one state */
  WITNESS_STEP,        /* of a read step */
  WITNESS_KEY,         /* of one key in a step */
  WITNESS_CHECK        /* of a uniqueness or foreign-key error: all keys, or one */
} WitnessRole;

typedef struct WitnessRead {
  WitnessRole role;
  uint32_t operation, step;
  const char *table; /* KEY, or CHECK of one key: the table's name and the row's key */
  uint32_t key_count;
  const Value *key; /* values of the primary key; none: `rowid` */
  uint64_t rowid;
  uint32_t state;
} WitnessRead;

typedef struct WitnessTransaction {
  const char *name;
  bool takes_part;
  ARRAY(WitnessRead) reads;
} WitnessTransaction;

/* A cell of the initial state that was given as one of several values. */
typedef struct WitnessCell {
  const char *table;
  uint32_t row; /* which row of the table's initial rows with open cells, counted from 0 */
  uint32_t alternative;
} WitnessCell;

typedef struct Witness {
  ARRAY(WitnessTransaction) transactions; /* by place */
  ARRAY(WitnessCell) cells;
} Witness;

#endif
