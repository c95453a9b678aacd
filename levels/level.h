/* level.h: the levels as a table: their names, and which state each kind of read comes from (docs/levels.md).
 */
#ifndef ALIBI_LEVELS_LEVEL_H
#define ALIBI_LEVELS_LEVEL_H

#include "semantics/certify.h"
#include "src/transcript/transcript.h"

typedef enum LevelId {
  LEVEL_SSER,
  LEVEL_SER,
  LEVEL_SSI,
  LEVEL_SI,
  LEVEL_INNODB_RR,
  LEVEL_PG_RC,
  LEVEL_INNODB_RC,
  LEVEL_RCS,
  LEVEL_RC,
  LEVEL_COUNT,
  /* No level of its own, but a guess at one: rc with one state for each query, and the current one for what writes. */
  LEVEL_RC_BY_STEPS = LEVEL_COUNT,
  LEVELS_AND_GUESSES
} LevelId;

typedef struct Level {
  const char *name;
  const char *title;
  bool is_per_statement; /* each statement has a state of its own: freshness counts from the operation's start
                          */
  bool forbids_conflicts; /* no write conflict between the transaction's state and its place */
  bool is_vendor_model;   /* keys are checked in the current state alone; rolled back steps had no locks */
  bool is_physical;       /* a row deleted and inserted again is another row: its lock finds nothing */
  ReadRule rules[READ_PURPOSES];
} Level;

extern const Level levels[LEVELS_AND_GUESSES]; /* by LevelId, strongest first */

/* How a transaction is to be checked. */
typedef struct TransactionLevel {
  LevelId level;
  bool is_fresh;
} TransactionLevel;

/* Which level a transaction obeys; context is the caller's. */
typedef TransactionLevel (*LevelOf)(const void *context, const Line *line);

/* A level as it was named. */
typedef struct LevelChoice {
  LevelId id;
  bool is_vendor_name; /* fresh by default, where times are given */
} LevelChoice;

typedef enum LevelAnswer { LEVEL_FOUND, LEVEL_NO_SUCH, LEVEL_NOT_OF_DIALECT } LevelAnswer;

/* Names are compared without case; spaces and underscores count as dashes. */
LevelAnswer level_find(const char *name, const Header *header, LevelChoice *choice);
/* A level by the name in the table, exactly.  LEVEL_COUNT: none. */
LevelId level_named(const char *name);
/* The level name that was probably meant, or NULL. */
const char *level_nearest(const char *name);

#endif
