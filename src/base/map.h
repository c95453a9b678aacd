/* map.h: hash tables from byte strings to pointers, open addressing.
 *
 * Keys are borrowed unless put with map_put_copy, which copies them into the
 * map's own arena.  map_get of an absent key is NULL; values are never NULL. */
#ifndef ALIBI_BASE_MAP_H
#define ALIBI_BASE_MAP_H

#include "src/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct MapSlot {
  const char *key;
  uint32_t length;
  uint32_t hash;
  void *value; /* NULL: free or deleted (then key is not NULL) */
} MapSlot;

typedef struct Map {
  MapSlot *slots; /* owned */
  uint32_t room;  /* a power of two, or 0 */
  uint32_t used;  /* slots that are not free, deleted ones included */
  uint32_t count;
  Arena keys;
} Map;

uint64_t hash_bytes(const void *bytes, size_t length);
uint64_t hash_mix(uint64_t hash, uint64_t more);

void map_init(Map *map);
void map_free(Map *map);
void *map_get(const Map *map, const char *key, size_t length);
void map_put(Map *map, const char *key, size_t length, void *value);      /* borrows key */
void map_put_copy(Map *map, const char *key, size_t length, void *value); /* copies key */
void *map_remove(Map *map, const char *key, size_t length);               /* what was there, or NULL */

static inline void *map_find(const Map *map, const char *key) { return map_get(map, key, strlen(key)); }

#endif
