/* query_hash.c: chained hashing over arrays in an arena. */
#include "semantics/query_hash.h"

#include "src/base/map.h"

HashTable hash_table_new(Arena *arena) { return (HashTable){.arena = arena}; }

static uint32_t bucket_of(const HashTable *table, uint64_t hash) {
  return (uint32_t)(hash ^ hash >> 32) & (table->bucket_count - 1);
}

static void hash_link(HashTable *table, uint32_t entry) {
  uint32_t bucket = bucket_of(table, table->hashes[entry]);
  table->next[entry] = table->buckets[bucket];
  table->buckets[bucket] = entry;
}

static void hash_grow(HashTable *table) {
  uint32_t room = table->room ? table->room * 2 : 16;
  uint64_t *hashes = arena_alloc(table->arena, room * sizeof *hashes);
  if (table->count) memcpy(hashes, table->hashes, table->count * sizeof *hashes);
  table->hashes = hashes;
  table->next = arena_alloc(table->arena, room * sizeof *table->next);
  table->room = room;
  table->bucket_count = room * 2;
  table->buckets = arena_alloc(table->arena, table->bucket_count * sizeof *table->buckets);
  memset(table->buckets, 0xff, table->bucket_count * sizeof *table->buckets);
  for (uint32_t i = 0; i < table->count; i++) hash_link(table, i);
}

uint32_t hash_add(HashTable *table, uint64_t hash) {
  if (table->count == table->room) hash_grow(table);
  table->hashes[table->count] = hash;
  hash_link(table, table->count);
  return table->count++;
}

static uint32_t hash_same(const HashTable *table, uint32_t entry, uint64_t hash) {
  while (entry != HASH_NONE && table->hashes[entry] != hash) entry = table->next[entry];
  return entry;
}

uint32_t hash_first(const HashTable *table, uint64_t hash) {
  return table->count ? hash_same(table, table->buckets[bucket_of(table, hash)], hash) : HASH_NONE;
}

uint32_t hash_next(const HashTable *table, uint32_t entry, uint64_t hash) {
  return hash_same(table, table->next[entry], hash);
}

uint64_t row_hash(const Dialect *dialect, const Type *types, const Value *values, uint32_t count) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < count; i++) hash = hash_mix(hash, value_hash(dialect, types[i], values[i]));
  return hash;
}

bool row_equal(const Dialect *dialect, const Type *types, const Value *a, const Value *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (value_order(dialect, types[i], a[i], b[i])) return false;
  return true;
}

bool row_is_decided(Eval *eval, const Type *types, const Value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (values[i].kind == VALUE_DOUBT)
      eval_doubt(eval, values[i]);
    else if (values[i].kind == VALUE_TEXT && !value_is_orderable(eval->dialect, types[i], values[i]))
      eval_unmodelled(eval, "text under a collation that is not modelled");
    if (eval->abort) return false;
  }
  return true;
}
