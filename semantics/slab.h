/* slab.h: blocks of many sizes that come and go: rows, keys, index entries.
 *
 * Small blocks are cut from chunks and reused by size class, so that a store
 * that is updated for ever stays as large as its widest moment.  Large ones come from
 * malloc.  The caller remembers the size of each block. */
#ifndef ALIBI_SEMANTICS_SLAB_H
#define ALIBI_SEMANTICS_SLAB_H

#include <stddef.h>
#include <stdint.h>

enum { SLAB_STEP = 16, SLAB_CLASSES = 64 }; /* small: up to 1024 bytes */

typedef struct SlabBlock {
  struct SlabBlock *next;
} SlabBlock;

typedef struct LargeBlock {
  struct LargeBlock *next, *previous;
} LargeBlock;

typedef struct Slab {
  SlabBlock *free[SLAB_CLASSES + 1];
  SlabBlock *chunks; /* owned */
  LargeBlock *large; /* owned */
  char *next, *end;  /* what is left of the newest chunk */
  uint64_t bytes;    /* held from the system */
} Slab;

void slab_init(Slab *slab);
void slab_free(Slab *slab);
void *slab_grow(Slab *slab, size_t size); /* the slow path of slab_new */
void slab_release_large(Slab *slab, void *block, size_t size);

/* 16-aligned, not zeroed. */
static inline void *slab_new(Slab *slab, size_t size) {
  size_t step = (size + SLAB_STEP - 1) / SLAB_STEP;
  if (step > SLAB_CLASSES || !slab->free[step]) return slab_grow(slab, size);
  SlabBlock *block = slab->free[step];
  slab->free[step] = block->next;
  return block;
}

static inline void slab_release(Slab *slab, void *memory, size_t size) {
  size_t step = (size + SLAB_STEP - 1) / SLAB_STEP;
  if (step > SLAB_CLASSES) {
    slab_release_large(slab, memory, size);
    return;
  }
  SlabBlock *block = memory;
  block->next = slab->free[step];
  slab->free[step] = block;
}

#endif
