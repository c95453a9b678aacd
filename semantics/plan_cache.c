/* plan_cache.c: a fixed number of buckets with chains; dropping everything is rare and cheap. */
#include "semantics/plan_cache.h"

#include "src/base/map.h"

#include <stdlib.h>

enum { PLAN_BUCKETS = 1 << 13, PLAN_LIMIT = 10000, PLAN_BYTES_LIMIT = 24 << 20 };

Plan *plan_new(void) { return memory_new(sizeof(Plan)); }

void plan_free(Plan *plan) {
  arena_free(&plan->arena);
  free(plan);
}

void plan_cache_init(PlanCache *cache) {
  *cache = (PlanCache){.buckets = memory_new(PLAN_BUCKETS * sizeof *cache->buckets)};
}

static void plan_cache_drop(PlanCache *cache) {
  for (uint32_t i = 0; i < PLAN_BUCKETS && cache->count; i++) {
    while (cache->buckets[i]) {
      Plan *plan = cache->buckets[i];
      cache->buckets[i] = plan->next;
      plan->next = cache->dropped;
      cache->dropped = plan;
      cache->count--;
    }
  }
  cache->bytes = 0;
}

void plan_cache_sweep(PlanCache *cache) {
  while (cache->dropped) {
    Plan *plan = cache->dropped;
    cache->dropped = plan->next;
    plan_free(plan);
  }
}

void plan_cache_free(PlanCache *cache) {
  plan_cache_drop(cache);
  plan_cache_sweep(cache);
  free(cache->buckets);
}

void plan_cache_renew(PlanCache *cache, uint64_t version) {
  if (cache->version == version) return;
  plan_cache_drop(cache);
  cache->version = version;
}

uint64_t plan_hash(const Tokens *tokens, const Value *inputs) {
  uint64_t hash = tokens->shape;
  for (uint32_t i = 0; i < tokens->inputs.count; i++) hash = hash_mix(hash, value_class(inputs[i]));
  return hash;
}

static bool input_is_same(const Input *a, const Input *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == INPUT_NUMBER) return a->number == b->number;
  if (a->kind == INPUT_NAME) return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
  return true;
}

static bool plan_has_tokens(const Plan *plan, const char *text, const Tokens *tokens) {
  if (plan->tokens.tokens.count != tokens->tokens.count) return false;
  for (uint32_t i = 0; i < tokens->tokens.count; i++) {
    const Token *mine = &plan->tokens.tokens.items[i], *other = &tokens->tokens.items[i];
    if (mine->code != other->code || mine->input != other->input || mine->flags != other->flags) return false;
    if (mine->input >= 0) {
      if (!input_is_same(&plan->tokens.inputs.items[mine->input], &tokens->inputs.items[mine->input]))
        return false;
    } else if (mine->length != other->length ||
               memcmp(plan->text + mine->offset, text + other->offset, mine->length) != 0) {
      return false;
    }
  }
  return true;
}

static bool plan_takes_inputs(const Plan *plan, const Value *inputs) {
  for (uint32_t i = 0; i < plan->tokens.inputs.count; i++)
    if (plan->classes[i] != value_class(inputs[i])) return false;
  for (uint32_t i = 0; i < plan->pinned_count; i++)
    if (!value_identical(plan->pinned[i].value, inputs[plan->pinned[i].input])) return false;
  return true;
}

Plan *plan_cache_find(const PlanCache *cache, uint64_t hash, const char *text, const Tokens *tokens,
                      const Value *inputs) {
  for (Plan *plan = cache->buckets[hash % PLAN_BUCKETS]; plan; plan = plan->next)
    if (plan->hash == hash && plan_has_tokens(plan, text, tokens) && plan_takes_inputs(plan, inputs))
      return plan;
  return NULL;
}

void plan_cache_add(PlanCache *cache, Plan *plan) {
  size_t bytes = arena_size(&plan->arena);
  if (cache->count >= PLAN_LIMIT || cache->bytes + bytes > PLAN_BYTES_LIMIT) plan_cache_drop(cache);
  Plan **bucket = &cache->buckets[plan->hash % PLAN_BUCKETS];
  plan->next = *bucket;
  *bucket = plan;
  cache->count++;
  cache->bytes += bytes;
}
