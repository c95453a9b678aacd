/* array.h: growing arrays as plain structs.
 *
 *   typedef ARRAY(Expr *) ExprList;
 *   ExprList list = {0};
 *   ARRAY_PUSH(&list, expr);            on the heap, ARRAY_FREE at the end
 *   ARENA_PUSH(arena, &list, expr);     in an arena, never freed singly
 *
 * Fields: items, count, room.  A list lives either on the heap or in one arena. */
#ifndef ALIBI_BASE_ARRAY_H
#define ALIBI_BASE_ARRAY_H

#include "src/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY(Type)                                                                                          \
  struct {                                                                                                   \
    Type *items;                                                                                             \
    uint32_t count;                                                                                          \
    uint32_t room;                                                                                           \
  }

#define ARRAY_PUSH(array, ...)                                                                               \
  do {                                                                                                       \
    if ((array)->count == (array)->room) {                                                                   \
      (array)->room = (array)->room ? (array)->room * 2 : 8;                                                 \
      (array)->items = memory_resize((array)->items, (size_t)(array)->room * sizeof *(array)->items);        \
    }                                                                                                        \
    (array)->items[(array)->count++] = (__VA_ARGS__);                                                        \
  } while (0)

#define ARENA_PUSH(arena, array, ...)                                                                        \
  do {                                                                                                       \
    if ((array)->count == (array)->room) {                                                                   \
      uint32_t room_ = (array)->room ? (array)->room * 2 : 4;                                                \
      void *items_ = arena_alloc((arena), (size_t)room_ * sizeof *(array)->items);                           \
      if ((array)->count) memcpy(items_, (array)->items, (size_t)(array)->count * sizeof *(array)->items);   \
      (array)->items = items_;                                                                               \
      (array)->room = room_;                                                                                 \
    }                                                                                                        \
    (array)->items[(array)->count++] = (__VA_ARGS__);                                                        \
  } while (0)

#define ARRAY_FREE(array)                                                                                    \
  do {                                                                                                       \
    free((array)->items);                                                                                    \
    (array)->items = NULL;                                                                                   \
    (array)->count = (array)->room = 0;                                                                      \
  } while (0)

#endif
