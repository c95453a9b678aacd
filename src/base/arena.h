/* arena.h: memory by lifetime.
 *
 * An Arena hands out memory that is freed all at once (arena_free) or rewound
 * to an earlier point (arena_mark / arena_reset).  Nothing inside is freed
 * singly.  Allocation never returns NULL: running out of memory is fatal. */
#ifndef ALIBI_BASE_ARENA_H
#define ALIBI_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
  ArenaBlock *block; /* owned: the newest block, linked to the older ones */
  char *next;
  char *end;
} Arena;

typedef struct ArenaMark {
  ArenaBlock *block;
  char *next;
} ArenaMark;

void arena_init(Arena *arena);
void arena_free(Arena *arena);
ArenaMark arena_mark(const Arena *arena);
/* Everything allocated since the mark is gone. */
void arena_reset(Arena *arena, ArenaMark mark);
/* Everything is gone, but the memory is kept for reuse. */
void arena_clear(Arena *arena);

void *arena_grow(Arena *arena, size_t size); /* the slow path of arena_alloc */

/* 8-aligned, not zeroed. */
static inline void *arena_alloc(Arena *arena, size_t size) {
  size = (size + 7) & ~(size_t)7;
  if ((size_t)(arena->end - arena->next) < size) return arena_grow(arena, size);
  void *memory = arena->next;
  arena->next += size;
  return memory;
}

void *arena_zero(Arena *arena, size_t size);
char *arena_text(Arena *arena, const char *text, size_t length); /* copy, NUL-terminated */
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t arena_size(const Arena *arena); /* bytes held */

#define ARENA_NEW(arena, Type) ((Type *)arena_zero((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count) ((Type *)arena_zero((arena), sizeof(Type) * (size_t)(count)))

/* malloc and friends that never fail; for what outlives every arena. */
void *memory_new(size_t size); /* zeroed */
void *memory_resize(void *memory, size_t size);
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
