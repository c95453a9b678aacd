/* population.h: building state 0: the schema and the first rows, in the database and in the transcript.
 *
 * Definitions become `setup` lines, rows `table` lines.  The first error wins and is
 * kept; after it nothing more is sent. */
#ifndef ALIBI_LIVE_POPULATION_H
#define ALIBI_LIVE_POPULATION_H

#include "src/live/client.h"

typedef struct Population {
  Recorder *recorder;
  Connection *connection;
  Random random;
  Diag *diag;
  Arena arena; /* of the rows that were not sent yet */
  const char *table;
  const char *columns;
  uint32_t column_count;
  ARRAY(Value *) rows; /* in the arena */
} Population;

void population_begin(Population *population, Recorder *recorder, Connection *connection, uint64_t seed,
                      Diag *diag);
/* One statement.  TIMESTAMP is written as the database's type for a date with a time. */
void population_define(Population *population, const char *sql);
/* The table that the next rows go into, with its columns as in "a, b"; both outlive the population. */
void population_table(Population *population, const char *table, const char *columns);
/* One letter per column, as in request.h. */
void population_row(Population *population, const char *letters, ...);
/* False: something failed, diag tells. */
bool population_end(Population *population);

#endif
