/* query_key.h: when the order of an index, or a hash, answers an SQL comparison.
 *
 * An index orders the values of one column by value_order; a comparison converts its
 * operands as the dialect does.  Only where both agree may an index or a hash table choose
 * the rows to look at.  The condition itself is evaluated on each of them all the same. */
#ifndef ALIBI_SEMANTICS_QUERY_KEY_H
#define ALIBI_SEMANTICS_QUERY_KEY_H

#include "semantics/operate.h"

/* Whether `stored OP probe` (or `probe OP stored`, if probe_is_left) may be answered by the order of the stored side,
 * judging by types; key_fits then judges each value. */
bool key_is_comparable(const Dialect *dialect, Type stored, Type probe, bool probe_is_left);
/* Whether this probe value (not NULL) may be looked up; converts it where the comparison would. */
bool key_fits(const Dialect *dialect, Type stored, Type probe_type, Value *probe);
/* Whether a stored value (not NULL) has its place in the order and in hashes. */
bool key_belongs(const Dialect *dialect, Type stored, Value value);

#endif
