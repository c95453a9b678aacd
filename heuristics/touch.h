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
  bool is_all; /* of what the statement changes: each such row that is there is changed, whatever it holds */
  uint64_t
      assigned; /* a row that is there stays, and of its columns at most these change; 0: anything may be */
} Touch;

typedef ARRAY(Touch) Touches;

/* The name of a row, of the columns of its key one after the other, beginning with 0.  Equal rows have equal
 * names. */
int64_t key_join(const Index *index, int64_t name, int64_t value);

/* Never too few (N1). */
void touches_of(Replay *replay, const Operation *operation, Arena *arena, Touches *touches);

#endif
