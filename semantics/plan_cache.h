/* plan_cache.h: one plan per statement shape and schema version.
 *
 * P1  A plan is found by the hash of its shape and of its inputs' classes, and used only if the token sequence, the
 *     classes and the values of its pinned inputs are really equal.
 * P2  Plans are bounded in number and bytes: beyond either, all are dropped.
 * P3  A plan that was dropped stays in memory until plan_cache_sweep: results may still point to it. */
#ifndef ALIBI_SEMANTICS_PLAN_CACHE_H
#define ALIBI_SEMANTICS_PLAN_CACHE_H

#include "semantics/engine.h"
#include "src/sql/parse.h"
#include "src/sql/resolve.h"

typedef struct PinnedInput {
  uint32_t input;
  Value value;
} PinnedInput;

typedef struct Plan {
  struct Plan *next; /* in its bucket, or among the dropped ones */
  Arena arena;       /* owns everything below */
  uint64_t hash;
  const char *text;
  uint32_t length;
  Tokens tokens;
  uint32_t *classes; /* per input: value_class */
  uint32_t pinned_count;
  PinnedInput *pinned;
  uint32_t constant_count; /* literals of views, bound behind the inputs */
  const Value *constants;
  PrepareAnswer answer;
  Statement *statement; /* PREPARE_OK; also where only resolution failed */
  ErrorClass error;     /* PREPARE_ERROR */
  const char *message;
  uint32_t offset;
  bool is_empty; /* nothing but comments */
} Plan;

typedef struct PlanCache {
  Plan **buckets; /* owned; PLAN_BUCKETS of them */
  Plan *dropped;
  uint32_t count;
  size_t bytes;
  uint64_t version; /* of the schema that all plans were made for */
} PlanCache;

void plan_cache_init(PlanCache *cache);
void plan_cache_free(PlanCache *cache);
/* Frees what was dropped before. */
void plan_cache_sweep(PlanCache *cache);
/* Drops every plan of another schema version. */
void plan_cache_renew(PlanCache *cache, uint64_t version);
uint64_t plan_hash(const Tokens *tokens, const Value *inputs);
Plan *plan_cache_find(const PlanCache *cache, uint64_t hash, const char *text, const Tokens *tokens, const Value *inputs);
void plan_cache_add(PlanCache *cache, Plan *plan);
Plan *plan_new(void);
void plan_free(Plan *plan);

#endif
