/* query.h: running SELECT: plans, joins, grouping, ordering, LIMIT.
 *
 * A QueryPlan is made once per statement shape from a resolved Select: which source is
 * scanned first, by which index, which conditions are checked where.  Equality
 * joins use an index or a hash table.  Running it collects all rows first. */
#ifndef ALIBI_SEMANTICS_QUERY_H
#define ALIBI_SEMANTICS_QUERY_H

#include "semantics/eval.h"
#include "semantics/result.h"

/* Fills *result; false: eval->abort tells. `eval->frame` is the outer frame or NULL. The result lives in eval->arena;
 * its texts may lie in stored rows, which live until the store commits or undoes. */
bool query_run(Eval *eval, const Select *select, ReadPurpose purpose, ResultSet *result);

/* A result that feeds something else must not leave a choice open: applies the slice where all choices are alike; otherwise
 * false, and eval->abort says that it is not modelled. */
bool query_settle(Eval *eval, ResultSet *result);

/* Which of two rows of a result comes first, where ORDER BY names its columns only. */
int result_rows_compare(const Dialect *dialect, const Select *select, const Value *a, const Value *b);

/* Sorts a copy of the rows whose order was open; false: what they are sorted by is still not known. */
bool result_close_order(const Dialect *dialect, const Doubts *doubts, Arena *arena, ResultSet *result);

/* For UPDATE and DELETE: all combinations of a block's sources that satisfy its WHERE, as the keys of each source
 * (NULL where an outer join found none) and the rows read.  ORDER BY and LIMIT of the scope applied.
 * *is_free: LIMIT cut through a tie, so that another choice was admissible. */
typedef struct Match {
  Key **keys;           /* per source; derived sources have NULL */
  const Value **rows;   /* per source */
} Match;
typedef ARRAY(Match) Matches;
/* Rows of the sources in `targets` are looked at again under their locks. */
bool query_matches(Eval *eval, const Select *scope, const uint32_t *targets, uint32_t target_count, Matches *matches,
                   bool *is_free);

/* Which index and joins are used, one line per source: "accounts: primary key (id = ?)". For `alibi show` and tests. */
char *query_explain(Arena *arena, const Select *select);

/* Number of rows looked at since the start: tests check that lookups do not scan. */
extern uint64_t query_rows_read;

#endif
