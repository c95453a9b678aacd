/* query_hash.h: hash tables from rows of values to numbers: joins, groups, DISTINCT, sets.
 *
 * The table knows hashes and numbers 0, 1, ... only; the caller compares the candidates. */
#ifndef ALIBI_SEMANTICS_QUERY_HASH_H
#define ALIBI_SEMANTICS_QUERY_HASH_H

#include "semantics/operate.h"

enum { HASH_NONE = UINT32_MAX };

typedef struct HashTable {
  Arena *arena;
  uint32_t count, room; /* of entries */
  uint64_t *hashes;     /* per entry */
  uint32_t *next;       /* per entry: another one in the same bucket */
  uint32_t *buckets;
  uint32_t bucket_count; /* a power of two */
} HashTable;

HashTable hash_table_new(Arena *arena);
/* The new entry's number is its rank among all added. */
uint32_t hash_add(HashTable *table, uint64_t hash);
uint32_t hash_first(const HashTable *table, uint64_t hash);
uint32_t hash_next(const HashTable *table, uint32_t entry, uint64_t hash);

/* Rows as keys: NULLs are equal here. */
uint64_t row_hash(const Dialect *dialect, const Type *types, const Value *values, uint32_t count);
bool row_equal(const Dialect *dialect, const Type *types, const Value *a, const Value *b, uint32_t count);
/* Whether the values may be compared at all: no doubt, a collation that is modelled.  Sets abort. */
bool row_is_decided(Eval *eval, const Type *types, const Value *values, uint32_t count);

#endif
