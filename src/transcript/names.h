/* names.h: the set of transaction names seen, exact and small.
 *
 * A name is cut into a prefix and a decimal suffix: "t17" is ("t", 17), "17" is
 * ("", 17).  Prefixes are stored once; suffixes are bits in 64-bit words, so
 * that numbered transactions cost about one bit each, in whatever order they come. */
#ifndef ALIBI_TRANSCRIPT_NAMES_H
#define ALIBI_TRANSCRIPT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PrefixSlot {
  uint32_t hash;
  uint32_t text; /* offset into `texts` of its length and bytes, plus 1; 0: free */
} PrefixSlot;

typedef struct NumberSlot {
  uint64_t key;  /* prefix and suffix / 64, mixed reversibly: see names.c */
  uint64_t bits; /* 0: free */
} NumberSlot;

typedef struct Names {
  PrefixSlot *prefixes; /* owned */
  uint32_t prefix_room, prefix_count;
  NumberSlot *numbers; /* owned */
  uint32_t number_room, number_count;
  char *texts; /* owned */
  size_t text_size, text_room;
} Names;

void names_free(Names *names);
/* False: the name was there already. A zeroed Names is empty. */
bool names_add(Names *names, const char *name, size_t length);

#endif
