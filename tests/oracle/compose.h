/* compose.h: random tiny histories: honest ones, made by executing under random views that the level allows,
 * and doctored ones, with one observation changed. */
#ifndef ALIBI_ORACLE_COMPOSE_H
#define ALIBI_ORACLE_COMPOSE_H

#include "tests/oracle/draw.h"
#include "tests/oracle/search.h"
#include "tests/oracle/sql.h"

typedef struct Compose {
  History *history;
  Rules rules, asked; /* those that the execution obeys, and those it will be judged by */
  Draw draw;
  Model model;
  World *world;
  State states[TRANSACTIONS_MOST + 1];
  KeySet touched[TRANSACTIONS_MOST + 1];
  uint32_t place;                               /* states 0 .. place exist */
  uint32_t seen[TRANSACTIONS_MOST][STEPS_MOST]; /* the (oldest) state of each step, by transaction */
  uint32_t places[TRANSACTIONS_MOST];           /* of each transaction that took part, or 0 */
  bool is_wild;                                 /* times and sessions are not those of the execution */
  uint32_t ends[TRANSACTIONS_MOST];             /* of each that was aborted: the place it had, or 0 */
} Compose;

/* Fills the history: honest at these rules. False: SQLite refused something; try the next seed. */
bool compose_history(Compose *compose, History *history, const Rules *rules, const Rules *asked,
                     uint64_t seed);
/* Frees what compose_history made, but not the history. */
void compose_free(Compose *compose);
/* Changes one observation. False: there is none. */
bool compose_doctor(Compose *compose);
/* Start, commit and operation times, and sessions, true to the execution (times.c). */
void compose_times(Compose *compose);

#endif
