/* names.c: two open-addressing tables.
 *
 * N1  A suffix has at most 9 digits and no leading zero, so that a name has exactly one cut,
 *     and prefix offset (32 bits) and suffix / 64 (24 bits) fit in one 64-bit key.
 * N2  A name without such a suffix is stored whole, under a suffix of its own. */
#include "src/transcript/names.h"

#include "src/base/arena.h"
#include "src/base/map.h"

#include <stdlib.h>
#include <string.h>

enum { SUFFIX_DIGITS = 9, SUFFIX_BITS = 24 };
#define NO_SUFFIX 1000000000u /* the first number of ten digits: N1 leaves it free; < 2^30 */

void names_free(Names *names) {
  free(names->prefixes);
  free(names->numbers);
  free(names->texts);
  *names = (Names){0};
}

/* Cuts the longest suffix that N1 allows off the name; returns the prefix's length. */
static size_t name_cut(const char *name, size_t length, uint32_t *suffix) {
  size_t cut = length;
  while (cut > 0 && length - cut < SUFFIX_DIGITS && name[cut - 1] >= '0' && name[cut - 1] <= '9') cut--;
  while (cut < length && name[cut] == '0' && cut + 1 < length) cut++;
  if (cut == length) {
    *suffix = NO_SUFFIX;
    return length;
  }
  uint32_t number = 0;
  for (size_t i = cut; i < length; i++) number = number * 10 + (uint32_t)(name[i] - '0');
  *suffix = number;
  return cut;
}

static bool prefix_is(const Names *names, uint32_t text, const char *prefix, size_t length) {
  uint32_t stored;
  memcpy(&stored, names->texts + text, sizeof stored);
  return stored == length && memcmp(names->texts + text + sizeof stored, prefix, length) == 0;
}

static uint32_t text_store(Names *names, const char *prefix, size_t length) {
  uint32_t stored = (uint32_t)length;
  size_t needed = names->text_size + sizeof stored + length;
  if (needed >= UINT32_MAX) fatal("more than 4 GiB of transaction names");
  if (needed > names->text_room) {
    names->text_room = needed + needed / 4 + 4096;
    names->texts = memory_resize(names->texts, names->text_room);
  }
  uint32_t text = (uint32_t)names->text_size;
  memcpy(names->texts + text, &stored, sizeof stored);
  if (length) memcpy(names->texts + text + sizeof stored, prefix, length);
  names->text_size = needed;
  return text;
}

static void prefixes_grow(Names *names) {
  PrefixSlot *old = names->prefixes;
  uint32_t old_room = names->prefix_room;
  names->prefix_room = old_room ? old_room * 2 : 16;
  names->prefixes = memory_new(names->prefix_room * sizeof *names->prefixes);
  for (uint32_t i = 0; i < old_room; i++) {
    if (!old[i].text) continue;
    uint32_t place = old[i].hash & (names->prefix_room - 1);
    while (names->prefixes[place].text) place = (place + 1) & (names->prefix_room - 1);
    names->prefixes[place] = old[i];
  }
  free(old);
}

/* The offset of the prefix's text, stored if it is new. */
static uint32_t prefix_intern(Names *names, const char *prefix, size_t length) {
  if ((names->prefix_count + 1) * 4ull > names->prefix_room * 3ull) prefixes_grow(names);
  uint32_t hash = (uint32_t)hash_bytes(prefix, length);
  uint32_t place = hash & (names->prefix_room - 1);
  for (; names->prefixes[place].text; place = (place + 1) & (names->prefix_room - 1)) {
    const PrefixSlot *slot = &names->prefixes[place];
    if (slot->hash == hash && prefix_is(names, slot->text - 1, prefix, length)) return slot->text - 1;
  }
  uint32_t text = text_store(names, prefix, length);
  names->prefixes[place] = (PrefixSlot){hash, text + 1};
  names->prefix_count++;
  return text;
}

static NumberSlot *number_find(const Names *names, uint64_t key) {
  uint32_t place = (uint32_t)hash_mix(key, 0) & (names->number_room - 1);
  while (names->numbers[place].bits && names->numbers[place].key != key)
    place = (place + 1) & (names->number_room - 1);
  return &names->numbers[place];
}

static void numbers_grow(Names *names) {
  NumberSlot *old = names->numbers;
  uint32_t old_room = names->number_room;
  names->number_room = old_room ? old_room * 2 : 16;
  names->numbers = memory_new(names->number_room * sizeof *names->numbers);
  for (uint32_t i = 0; i < old_room; i++)
    if (old[i].bits) *number_find(names, old[i].key) = old[i];
  free(old);
}

bool names_add(Names *names, const char *name, size_t length) {
  uint32_t suffix;
  size_t cut = name_cut(name, length, &suffix);
  uint32_t prefix = prefix_intern(names, name, cut);
  if ((names->number_count + 1) * 4ull > names->number_room * 3ull) numbers_grow(names);
  uint64_t key = (uint64_t)prefix << SUFFIX_BITS | suffix / 64;
  uint64_t bit = (uint64_t)1 << suffix % 64;
  NumberSlot *slot = number_find(names, key);
  if (slot->bits & bit) return false;
  if (!slot->bits) names->number_count++;
  slot->key = key;
  slot->bits |= bit;
  return true;
}
