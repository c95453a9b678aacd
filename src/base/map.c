/* map.c: linear probing; deleted slots keep their key until the table grows. */
#include "src/base/map.h"

#include <stdlib.h>

uint64_t hash_mix(uint64_t hash, uint64_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

uint64_t hash_bytes(const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  uint64_t hash = 0x51ED270B35AE2D1Dull ^ length;
  for (; length >= 8; at += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = hash_mix(hash, word);
  }
  uint64_t rest = 0;
  if (length) memcpy(&rest, at, length);
  return hash_mix(hash, rest);
}

void map_init(Map *map) { *map = (Map){0}; }

void map_free(Map *map) {
  free(map->slots);
  arena_free(&map->keys);
  *map = (Map){0};
}

/* The slot that holds the key, or the free one where it would go. */
static MapSlot *map_slot(const Map *map, const char *key, size_t length, uint32_t hash) {
  for (uint32_t place = hash & (map->room - 1);; place = (place + 1) & (map->room - 1)) {
    MapSlot *slot = &map->slots[place];
    if (!slot->key) return slot;
    if (slot->hash == hash && slot->length == length && memcmp(slot->key, key, length) == 0) return slot;
  }
}

static void map_grow(Map *map) {
  MapSlot *old = map->slots;
  uint32_t old_room = map->room;
  map->room = map->count * 4 < 16 ? 16 : old_room * (map->count * 2 > old_room ? 2 : 1);
  if (map->room < 16) map->room = 16;
  map->slots = memory_new(map->room * sizeof *map->slots);
  map->used = map->count;
  for (uint32_t i = 0; i < old_room; i++)
    if (old[i].value) *map_slot(map, old[i].key, old[i].length, old[i].hash) = old[i];
  free(old);
}

void *map_get(const Map *map, const char *key, size_t length) {
  if (!map->count) return NULL;
  return map_slot(map, key, length, (uint32_t)hash_bytes(key, length))->value;
}

static void map_insert(Map *map, const char *key, size_t length, void *value, bool copy) {
  if ((map->used + 1) * 4 > map->room * 3) map_grow(map);
  uint32_t hash = (uint32_t)hash_bytes(key, length);
  MapSlot *slot = map_slot(map, key, length, hash);
  if (!slot->key) {
    map->used++;
    slot->key = copy ? arena_text(&map->keys, key, length) : key;
    slot->length = (uint32_t)length;
    slot->hash = hash;
  } else if (!copy) {
    slot->key = key; /* an earlier borrowed key may be gone by now */
  }
  if (!slot->value) map->count++;
  slot->value = value;
}

void map_put(Map *map, const char *key, size_t length, void *value) {
  map_insert(map, key, length, value, false);
}

void map_put_copy(Map *map, const char *key, size_t length, void *value) {
  map_insert(map, key, length, value, true);
}

void *map_remove(Map *map, const char *key, size_t length) {
  if (!map->count) return NULL;
  MapSlot *slot = map_slot(map, key, length, (uint32_t)hash_bytes(key, length));
  void *value = slot->value;
  if (value) map->count--;
  slot->value = NULL;
  return value;
}
