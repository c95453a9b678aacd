/* arena.c: blocks that double in size up to a bound, linked newest first. */
#include "src/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ArenaBlock {
  ArenaBlock *older;
  size_t size; /* usable bytes behind the header */
};

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

_Noreturn void fatal(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("alibi: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(70);
}

void *memory_new(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) fatal("out of memory (%zu bytes)", size);
  return memory;
}

void *memory_resize(void *memory, size_t size) {
  memory = realloc(memory, size ? size : 1);
  if (!memory) fatal("out of memory (%zu bytes)", size);
  return memory;
}

static char *block_start(ArenaBlock *block) { return (char *)(block + 1); }

static void arena_enter(Arena *arena, ArenaBlock *block) {
  arena->block = block;
  arena->next = block ? block_start(block) : NULL;
  arena->end = block ? block_start(block) + block->size : NULL;
}

void arena_init(Arena *arena) { *arena = (Arena){0}; }

void arena_free(Arena *arena) {
  while (arena->block) {
    ArenaBlock *older = arena->block->older;
    free(arena->block);
    arena->block = older;
  }
  arena->next = arena->end = NULL;
}

void *arena_grow(Arena *arena, size_t size) {
  size_t room = arena->block ? arena->block->size * 2 : FIRST_BLOCK - sizeof(ArenaBlock);
  if (room > LARGEST_BLOCK) room = LARGEST_BLOCK;
  if (room < size) room = size;
  ArenaBlock *block = malloc(sizeof *block + room);
  if (!block) fatal("out of memory (%zu bytes)", room);
  *block = (ArenaBlock){arena->block, room};
  arena_enter(arena, block);
  arena->next += size;
  return block_start(block);
}

ArenaMark arena_mark(const Arena *arena) { return (ArenaMark){arena->block, arena->next}; }

void arena_reset(Arena *arena, ArenaMark mark) {
  while (arena->block != mark.block) {
    ArenaBlock *older = arena->block->older;
    free(arena->block);
    arena_enter(arena, older);
  }
  arena->next = mark.next;
}

void arena_clear(Arena *arena) {
  if (!arena->block) return;
  /* Keep the newest block, the largest of ordinary size; drop the others and any giant. */
  ArenaBlock *kept = arena->block->size <= LARGEST_BLOCK ? arena->block : NULL;
  ArenaBlock *block = kept ? kept->older : arena->block;
  while (block) {
    ArenaBlock *older = block->older;
    free(block);
    block = older;
  }
  if (kept) kept->older = NULL;
  arena_enter(arena, kept);
}

/* A new arena has no block yet, and an empty allocation needs none. */
void *arena_zero(Arena *arena, size_t size) {
  void *memory = arena_alloc(arena, size);
  return size ? memset(memory, 0, size) : memory;
}

char *arena_text(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *arena_format(Arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = arena_alloc(arena, (size_t)length + 1);
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

size_t arena_size(const Arena *arena) {
  size_t size = 0;
  for (const ArenaBlock *block = arena->block; block; block = block->older)
    size += block->size + sizeof *block;
  return size;
}
