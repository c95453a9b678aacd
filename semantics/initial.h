/* initial.h: rows of the initial state with cells that are one of several values.
 *
 * I1  An alternative that breaks a constraint whatever the other open cells are is none: no database had it.
 */
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

/* All of them, in the order of their keys' making; one with no alternative left is no initial state (I1).
 * False: one has too many alternatives. */
bool initial_rows(Engine *engine, Arena *arena, InitialRows *rows);
/* Is one of its open cells part of a unique key? */
bool initial_row_is_key(const InitialRow *row);
/* Can no initial state have both, for a unique key's sake? */
bool initial_rows_clash(Engine *engine, const InitialRow *a, uint32_t one, const InitialRow *b,
                        uint32_t other);
/* Do the constraints hold around the rows as they are now? */
bool initial_rows_hold(Engine *engine, Arena *arena, const InitialRows *rows);
/* Do the cells that are any value hold what their columns take, as far as they are bound? */
bool initial_cells_hold(Engine *engine, Arena *arena);
/* Is there a constraint that an open cell of this column could break? */
bool initial_cell_is_bound(const Engine *engine, const Table *table, uint32_t column);

/* The open cells as the alternative has them, for a witness; and which alternative a witness names: `count`,
 * none. */
void initial_row_name(const InitialRow *row, uint32_t alternative, Arena *arena, WitnessRow *named);
uint32_t initial_row_find(const InitialRow *row, const WitnessRow *named);

#endif
