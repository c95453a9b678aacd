/* lift_internal.h: what the files of the lift share. */
#ifndef ALIBI_ENCODINGS_LIFT_INTERNAL_H
#define ALIBI_ENCODINGS_LIFT_INTERNAL_H

#include "encodings/lift.h"

/* The states that the path leaves to a read. */
StateSet path_states(Lift *lift, uint32_t read);
/* What the key may show in the state of a read (UINT32_MAX: in the current one), newest first: guards are
 * made only where it is in doubt.  One alternative: decided; none: there is no row. */
void alternatives_find(Lift *lift, const Key *key, uint32_t read, Fork *fork);

/* A condition that the statement's answer hangs on: the run goes on as if it held. */
void lift_require(Lift *lift, Term condition);
/* The run goes on as alternative `taken` of these, which exclude each other and one of which holds. */
uint32_t lift_branch(Lift *lift, const Term *guards, uint32_t count);

/* lift_rows.c: RowWiseRunner.run. */
bool lift_rows_run(void *context, RowWise *rowwise);

#endif
