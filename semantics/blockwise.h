/* blockwise.h: grouped query blocks as sums over the rows of one source.
 *
 * B1  The groups of such a block are those of some rows of the source merged with those of the others: what
 * each row gives does not depend on the others.
 *
 * Who knows which rows are in doubt may therefore take them one by one, and keep of all combinations only
 * what their sums are (BlockWiseRunner).  Groups live in the statement's memory. */
#ifndef ALIBI_SEMANTICS_BLOCKWISE_H
#define ALIBI_SEMANTICS_BLOCKWISE_H

#include "semantics/engine.h"
#include "semantics/eval.h"
#include "semantics/result.h"

typedef struct Groups Groups;

typedef struct BlockWise {
  struct Run *run;
  Eval *eval;
  const Select *select;
  ReadPurpose purpose;
  ARRAY(const Table *)
  tables;        /* whose rows may be taken one by one, if those of the others are certain; in the arena */
  bool is_shown; /* its rows are the answer of the operation */
  bool is_plain; /* each group is shown by itself: no LIMIT, no DISTINCT */
  ResultSet *answer; /* by the runner: this is the result, instead of that of the groups taken; or NULL */
} BlockWise;

/* Gives an answer, or takes groups.  False: eval->abort tells. */
struct BlockWiseRunner {
  bool (*run)(void *context, BlockWise *block);
  void *context;
};

/* Is it one?  Fills *block. */
bool blockwise_of(struct Run *run, BlockWise *block);
/* As without a runner. */
bool blockwise_join(BlockWise *block);
void blockwise_take(BlockWise *block, Groups *groups);

/* Where these fail, something aborts, or errors are possible: then all is as before. */
Groups *blockwise_groups(BlockWise *block); /* of the rows in view, or NULL */
Groups *blockwise_none(BlockWise *block);
bool blockwise_merge(BlockWise *block, Groups *into, const Groups *from);
bool blockwise_merge_one(BlockWise *block, Groups *into, const Groups *from, uint32_t place);
bool blockwise_show(BlockWise *block, const Groups *groups, ResultSet *result);

uint32_t blockwise_count(const Groups *groups);
uint32_t blockwise_size(const BlockWise *block, const Groups *groups); /* what merging it costs, more or less */
/* The place in `all` of a group of the others; UINT32_MAX: it is not there. */
uint32_t blockwise_place(const BlockWise *block, const Groups *all, const Groups *groups, uint32_t place);
/* The same results, whatever rows are added to both; equal ones have equal digests. */
bool blockwise_same(const BlockWise *block, const Groups *a, const Groups *b);
uint64_t blockwise_digest(const BlockWise *block, const Groups *groups);

#endif
