/* ordered.h: an ordered index in memory: a B+tree from column values to keys.
 *
 * Entries are ordered by value_order of each column, then by the key's serial number, so
 * that equal values of different rows are different entries.
 *
 * O1  Every entry carries, for its leading columns, one word each: an integer that never orders
 *     two values against value_order.  Where words differ they decide; equal words of two exact
 *     values are equal values; otherwise the values themselves are compared.
 * O2  An entry without values is exact in all columns: its words are its values.
 * O3  A separator of an inner node, but the first, is the first entry below its child.
 * O4  Values that have no place in the order (a doubt, text whose collation is not modelled) are refused
 *     by ordered_accepts; the store keeps such keys apart, in a tree without columns. */
#ifndef ALIBI_SEMANTICS_ORDERED_H
#define ALIBI_SEMANTICS_ORDERED_H

#include "semantics/slab.h"
#include "semantics/store.h"

typedef struct Ordered Ordered;

Ordered *ordered_new(Slab *slab, const Dialect *dialect, uint32_t column_count, const Type *types);
void ordered_free(Ordered *ordered);

/* Whether values of this kind are what a column of the type holds (NULL apart). */
bool type_takes(Type type, ValueKind kind);
/* Whether all values can be ordered among the column's values. */
bool ordered_accepts(const Ordered *ordered, const Value *values);
/* Values are copied. An entry is added once; removing one that is not there is a bug (returns false). */
void ordered_add(Ordered *ordered, const Value *values, Key *key);
bool ordered_remove(Ordered *ordered, const Value *values, Key *key);
/* Whether the two rows of index values are the same entry. */
bool ordered_same(const Ordered *ordered, const Value *a, const Value *b);

uint64_t ordered_count(const Ordered *ordered);
uint64_t ordered_bytes(const Ordered *ordered); /* of its nodes; entries are in the slab */

/* Cursors: the range's values must be accepted, and live as long as the cursor. */
void ordered_seek(const Ordered *ordered, const IndexRange *range, IndexCursor *cursor);
/* The same without a search: the cursor, whose range is set, goes through all entries. */
void ordered_scan(const Ordered *ordered, IndexCursor *cursor);
Key *ordered_next(const Ordered *ordered, IndexCursor *cursor);
/* Whether the entry ordered_next gave last holds these values. */
bool ordered_is_at(const Ordered *ordered, const IndexCursor *cursor, const Value *values);

/* Checks the invariants of the whole tree; for tests. */
bool ordered_is_sound(const Ordered *ordered);

#endif
