/* touch.h: which rows a statement may read and write, told from its text. */
#ifndef ALIBI_HEURISTICS_TOUCH_H
#define ALIBI_HEURISTICS_TOUCH_H

#include "semantics/replay_internal.h"

enum { TABLE_ALL = UINT32_MAX, TABLE_OBJECTS = UINT32_MAX - 1 };

/* One row, or any of a table. */
typedef struct Touch {
  uint32_t table; /* its id; TABLE_ALL: whatever there is; TABLE_OBJECTS: key-value objects */
  bool is_whole;
  int64_t key; /* the primary key, or a hash of the object's name */
  bool reads, writes;
} Touch;

typedef ARRAY(Touch) Touches;

/* Never too few (N1). */
void touches_of(Replay *replay, const Operation *operation, Arena *arena, Touches *touches);

#endif
