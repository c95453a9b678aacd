/* cone.h: which statements the answers of others may depend on.
 *
 * Each statement touches rows of tables: one row, where WHERE or VALUES names an integer primary key, or any
 * of the table.  A statement is in the cone of another that reads what it may write.
 *
 * N1  What a statement may read or write is never underestimated; what cannot be told (changes of the
 *     schema, user variables, statements that are not modelled) touches everything.
 * N2  A transaction of which nothing is observed and that writes nothing the cone reads explains nothing: an
 *     execution in which it took part is as good without it.
 * N3  Without a statement that writes nothing the cone reads, there are more executions, never fewer: what is
 *     refuted without it is refuted with it. */
#ifndef ALIBI_HEURISTICS_CONE_H
#define ALIBI_HEURISTICS_CONE_H

#include "heuristics/observation.h"

typedef struct Cone Cone;

/* NULL: bad input (diag). */
Cone *cone_new(const Log *log, Diag *diag);
void cone_free(Cone *cone);

typedef struct ConeQuestion {
  const Observations *observations;
  const bool *kept;
  bool is_given;       /* nobody sees a later transaction */
  bool by_statement;   /* N3; else N2: with a statement its whole transaction is in the cone */
  const Line *failing; /* by_statement: that its statements succeeded counts as observed; or NULL */
} ConeQuestion;

/* The cone of what is kept; by line and operation, valid until the next question. */
const bool *const *cone_mark(Cone *cone, const ConeQuestion *question);
/* Which observations matter to those of one line: of the statements in its cone, and that their transactions
 * committed, when. */
void cone_select(Cone *cone, const Observations *observations, const Line *failing, bool is_given,
                 bool *selected);
/* Does no statement in the present cone read or write a table? */
bool cone_is_empty(const Cone *cone);

#endif
