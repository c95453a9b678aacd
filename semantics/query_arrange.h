/* query_arrange.h: aggregates whose result depends on the order of their rows (GROUP_CONCAT, string_agg).
 *
 * Their rows wait until the group is complete.  With ORDER BY they are sorted; without, every order
 * is admissible, and so is every result that one of them gives. */
#ifndef ALIBI_SEMANTICS_QUERY_ARRANGE_H
#define ALIBI_SEMANTICS_QUERY_ARRANGE_H

#include "semantics/query_run.h"

typedef struct Waiting {
  const Value *args;
  const Value *keys; /* per ORDER BY term */
} Waiting;
typedef ARRAY(Waiting) WaitingRows;

typedef ARRAY(Value) Choices;

bool aggregate_is_arranged(const Expr *aggregate);
void waiting_add(Eval *eval, const Expr *aggregate, const Value *args, WaitingRows *rows);
/* All results that some admissible order gives, at least one. Sets abort. */
void waiting_results(Eval *eval, const Expr *aggregate, const WaitingRows *rows, Choices *choices);

#endif
