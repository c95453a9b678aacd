/* ask.h: how near to what was observed does a statement come in a state that lacks some transactions?
 *
 * For guesses at whom a refused transaction saw: one of its statements is run over the newest rows, those of
 * certain places left out, and its answer compared with the observation, row by row.  Whatever comes out
 * proves nothing. */
#ifndef ALIBI_ENCODINGS_ASK_H
#define ALIBI_ENCODINGS_ASK_H

#include "encodings/checker.h"

typedef struct Ask Ask;

enum { ASK_FAILED = UINT32_MAX };

/* About the statements from `first` to `last`.  Between pushes; the checker is as it was after ask_end.  NULL: the statements before the one asked about do
 * not run. */
Ask *ask_begin(Checker *checker, const Line *line, uint32_t first, uint32_t last, Diag *diag);
/* How many rows or counts differ; 0: none.  `hidden`: by place, those that are not seen. */
uint32_t ask_distance(Ask *ask, const bool *hidden);
void ask_end(Ask *ask);

#endif
