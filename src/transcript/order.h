/* order.h: the lines of a transcript in the given order.
 *
 * With header `order` file the lines pass as they come.  With hint or commit the committed transactions are
 * sorted by that field within a window of `reorder` lines:
 *
 * O1  Ties stay in file order.
 * O2  A transaction without the field, an `unknown` one and a gap stay right behind the transaction above.
 * O3  Aborted transactions have no place: they pass at once.
 * O4  A transaction further than `reorder` transactions from its place is bad input.
 *
 * At most reorder + 1 transactions are held, as copies. */
#ifndef ALIBI_TRANSCRIPT_ORDER_H
#define ALIBI_TRANSCRIPT_ORDER_H

#include "src/transcript/transcript.h"

typedef struct TranscriptOrder TranscriptOrder;

/* The reader is borrowed; `file` is for messages. */
TranscriptOrder *order_new(TranscriptReader *reader, const char *file);
void order_free(TranscriptOrder *order);
/* Like transcript_next: the line is valid until the next call. */
bool order_next(TranscriptOrder *order, Line *line, Diag *diag);

#endif
