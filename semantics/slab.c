/* slab.c: chunks of 64 KB for small blocks, a linked list of large ones. */
#include "semantics/slab.h"

#include "src/base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024 };

void slab_init(Slab *slab) { memset(slab, 0, sizeof *slab); }

void slab_free(Slab *slab) {
  while (slab->chunks) {
    SlabBlock *chunk = slab->chunks;
    slab->chunks = chunk->next;
    free(chunk);
  }
  while (slab->large) {
    LargeBlock *block = slab->large;
    slab->large = block->next;
    free(block);
  }
  slab_init(slab);
}

static void *large_new(Slab *slab, size_t size) {
  LargeBlock *block = memory_resize(NULL, sizeof *block + size);
  *block = (LargeBlock){.next = slab->large};
  if (slab->large) slab->large->previous = block;
  slab->large = block;
  slab->bytes += sizeof *block + size;
  return block + 1;
}

void slab_release_large(Slab *slab, void *memory, size_t size) {
  LargeBlock *block = (LargeBlock *)memory - 1;
  if (block->next) block->next->previous = block->previous;
  if (block->previous)
    block->previous->next = block->next;
  else
    slab->large = block->next;
  slab->bytes -= sizeof *block + size;
  free(block);
}

void *slab_grow(Slab *slab, size_t size) {
  size_t rounded = (size + SLAB_STEP - 1) / SLAB_STEP * SLAB_STEP;
  if (rounded > SLAB_STEP * SLAB_CLASSES) return large_new(slab, size);
  if ((size_t)(slab->end - slab->next) < rounded) {
    char *chunk = memory_resize(NULL, CHUNK_BYTES);
    ((SlabBlock *)chunk)->next = slab->chunks;
    slab->chunks = (SlabBlock *)chunk;
    slab->next = chunk + SLAB_STEP;
    slab->end = chunk + CHUNK_BYTES;
    slab->bytes += CHUNK_BYTES;
  }
  void *memory = slab->next;
  slab->next += rounded;
  return memory;
}
