/* history.h: a whole tiny transcript in memory, in file order. */
#ifndef ALIBI_ORACLE_HISTORY_H
#define ALIBI_ORACLE_HISTORY_H

#include "tests/oracle/world.h"

enum { TRANSACTIONS_MOST = 8, STEPS_MOST = 8 };

typedef struct History {
  Arena arena; /* owns everything below */
  Header header;
  ARRAY(const char *) setups;
  ARRAY(TableLine *) tables;
  uint32_t count;
  Transaction *transactions[TRANSACTIONS_MOST]; /* aborted ones too */
  ARRAY(TableLine *) finals;
  bool has_gap;       /* one that may have written */
  uint32_t gap_place; /* how many transactions stand before the first of them */
} History;

void history_init(History *history);
void history_free(History *history);
/* False: diag tells; or it is not tiny. */
bool history_read(History *history, const char *path, Diag *diag);
bool history_write(const History *history, const char *path, Diag *diag);
/* The world it starts in: with its state 0, or beyond the oracle. */
World *history_world(const History *history);
TableLine *table_line_copy(Arena *arena, const TableLine *line, bool is_final);

#endif
