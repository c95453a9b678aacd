/* lift_internal.h: what the files of the lift share. */
#ifndef ALIBI_ENCODINGS_LIFT_INTERNAL_H
#define ALIBI_ENCODINGS_LIFT_INTERNAL_H

#include "encodings/lift.h"
#include "semantics/blockwise.h"

/* The states that the path leaves to a read. */
StateSet path_states(Lift *lift, uint32_t read);
/* What the key may show in the state of a read (UINT32_MAX: in the current one), newest first: guards are
 * made only where it is in doubt.  One alternative: decided; none: there is no row. */
void alternatives_find(Lift *lift, const Key *key, uint32_t read, Fork *fork);

/* A condition that the statement's answer hangs on: the run goes on as if it held. */
void lift_require(Lift *lift, Term condition);
/* The run goes on as alternative `taken` of these, which exclude each other and one of which holds. */
uint32_t lift_branch(Lift *lift, const Term *guards, uint32_t count);

/* lift_rows.c: RowWiseRunner.run; lift_blocks.c: BlockWiseRunner.run. */
bool lift_rows_run(void *context, RowWise *rowwise);
bool lift_blocks_run(void *context, BlockWise *block);

/* ---- Rows in doubt by themselves: lift_mask.c ---------------------------------------------------------- */

/* From now on rows in doubt of the table, read for one of these purposes (bits), are left out, and noted. */
void lift_mask(Lift *lift, const Table *table, uint32_t purposes);

/* What the run around a statement must find again. */
typedef struct LiftOutside {
  Fork *trail;
  uint32_t trail_count, trail_room, base;
  Term path;
} LiftOutside;

LiftOutside lift_leave(Lift *lift);
void lift_return(Lift *lift, const LiftOutside *outside);
/* Runs it for one of the rows alone, once for each way this row may have been seen: lift->path tells which.
 * What is written is undone.  False: a run said so. */
bool lift_each_way(Lift *lift, const Key *key, bool (*run)(void *context, UndoMark mark), void *context);

/* ---- Rows that are there or not, and what was observed: lift_match.c
 * --------------------------------------- */

enum { WAYS_MOST = 4096 };

/* One way a row may have been seen. */
typedef struct Way {
  Term path;
  bool fails;
  ErrorSet errors;
  int64_t affected;
  uint32_t row_count;
  const ResultRow *rows;    /* of a query */
  const double *magnitudes; /* as of a result set */
  StoreWrites writes;       /* copies of versions, in arena */
} Way;
typedef ARRAY(Way) Ways; /* in arena; they exclude each other, and one holds */

typedef struct Sort Sort;

typedef struct Matching {
  Lift *lift;
  const Eval *eval;
  const Select *select;
  const ResultSet *result; /* the rows that are certain */
  const ObservedRows *observed;
  const Ways *ways; /* of which each gives rows */
  uint32_t way_count;
  Sort *sorts;       /* by their first observed row */
  uint32_t *sort_of; /* per observed row: 1 + place of its sort's first row; 0: none yet */
  Term holds;        /* if this, all is as it was observed */
} Matching;

/* Fills `holds`, and the result as it was observed, unless nothing holds.  False: it cannot be told. */
bool matching_run(Matching *matching, ResultSet *result);

#endif
