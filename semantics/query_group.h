/* query_group.h: the groups of one block; seen by the files that make, merge and show them. */
#ifndef ALIBI_SEMANTICS_QUERY_GROUP_H
#define ALIBI_SEMANTICS_QUERY_GROUP_H

#include "semantics/query_arrange.h"
#include "semantics/query_hash.h"
#include "semantics/query_run.h"

typedef struct Pick {
  const Value **rows; /* per source */
  const Value *keys;
} Pick;

typedef struct Group {
  const Value *keys;
  Accumulator **accumulators;
  ARRAY(Pick) picks;
  WaitingRows *waiting; /* per aggregate; NULL: none is arranged */
} Group;

struct Groups {
  HashTable table;
  ARRAY(Group) groups;
  Type *key_types;
  int32_t extreme; /* the aggregate whose extreme decides the picks, or -1 */
  bool has_waiting;
};

struct Groups *groups_new(const Run *run); /* none yet */
/* The group with these keys, or NULL. */
Group *group_look(const Run *run, const struct Groups *groups, const Value *keys, uint64_t *hash);
/* ... which is made if there is none.  NULL: eval->abort tells. */
Group *group_find(Run *run, struct Groups *groups, const Value *keys);

/* ---- query_group_merge.c: where no column is bare and every aggregate is mergeable ---- */

/* Adds the rows of one group, or of all; eval->abort tells. */
void groups_merge_one(Run *run, struct Groups *into, const Group *from);
void groups_merge(Run *run, struct Groups *into, const struct Groups *from);
/* The same results, whatever rows are added to both; equal ones have equal digests. */
bool groups_are_same(const Run *run, const struct Groups *a, const struct Groups *b);
uint32_t groups_size(const Run *run, const struct Groups *groups); /* of what is kept */
uint64_t groups_digest(const Run *run, const struct Groups *groups);

#endif
