/* judge.h: does the engine's outcome explain what SQLite answered?
 *
 * The matcher of the audit judges rows, order, counts and errors; on top of it come two checks that an audit
 * cannot make: the class of an error by SQLite's message, and the storage class of every value. */
#ifndef ALIBI_TESTS_DIFFERENTIAL_JUDGE_H
#define ALIBI_TESTS_DIFFERENTIAL_JUDGE_H

#include "semantics/engine.h"
#include "semantics/match.h"
#include "src/live/driver.h"
#include "src/live/generate.h"

typedef enum Judgement { JUDGED_EQUAL, JUDGED_DIFFERENT, JUDGED_ASIDE } Judgement;

typedef struct Judge {
  Engine *engine;
  Dialect dialect;
  Outcome outcome;    /* of the last statement */
  const char *reason; /* why it differs or was set aside */
} Judge;

/* Executes the statement on the engine and compares. On JUDGED_EQUAL the engine's state is what SQLite's
 * should be. */
Judgement judge_statement(Judge *judge, const Generated *statement, const Reply *reply);
/* Prints both answers. */
void judge_print(const Judge *judge, const Reply *reply);

#endif
