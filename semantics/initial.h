/* initial.h: rows of the initial state with cells that are one of several values. */
#ifndef ALIBI_SEMANTICS_INITIAL_H
#define ALIBI_SEMANTICS_INITIAL_H

#include "semantics/engine.h"
#include "src/transcript/witness.h"

enum { ROW_ALTERNATIVES = 4096 };

/* A row with open cells, and all the rows it may be. */
typedef struct InitialRow {
  const Table *table;
  Key *key;
  uint32_t count;
  Value **rows;          /* in the arena given */
  uint32_t column_count; /* the open ones */
  uint32_t *columns;
} InitialRow;
typedef ARRAY(InitialRow) InitialRows;

/* All of them, in the order of their keys' making.  False: one has too many alternatives. */
bool initial_rows(Engine *engine, Arena *arena, InitialRows *rows);

/* The open cells as the alternative has them, for a witness; and which alternative a witness names: `count`,
 * none. */
void initial_row_name(const InitialRow *row, uint32_t alternative, Arena *arena, WitnessRow *named);
uint32_t initial_row_find(const InitialRow *row, const WitnessRow *named);

#endif
