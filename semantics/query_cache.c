/* query_cache.c: what a statement computes once: uncorrelated subqueries, derived tables, hash tables.
 *
 * A statement has few of them, so they are a list.  Everything lives in eval->arena. */
#include "semantics/query_run.h"

void *cache_get(const Eval *eval, const void *owner) {
  if (!eval->cache) return NULL;
  for (uint32_t i = 0; i < eval->cache->entries.count; i++)
    if (eval->cache->entries.items[i].owner == owner) return eval->cache->entries.items[i].kept;
  return NULL;
}

void cache_put(Eval *eval, const void *owner, void *kept) {
  if (!eval->cache) eval->cache = ARENA_NEW(eval->arena, struct QueryCache);
  ARENA_PUSH(eval->arena, &eval->cache->entries, (CacheEntry){owner, kept});
}

struct QueryCache *cache_copy(Eval *eval, const struct QueryCache *cache) {
  if (!cache) return NULL;
  struct QueryCache *copy = ARENA_NEW(eval->arena, struct QueryCache);
  *copy = *cache;
  copy->entries.room = copy->entries.count; /* what is added goes elsewhere */
  return copy;
}
