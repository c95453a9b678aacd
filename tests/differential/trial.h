/* trial.h: one generated script, executed by SQLite and by the engine, statement by statement. */
#ifndef ALIBI_TESTS_DIFFERENTIAL_TRIAL_H
#define ALIBI_TESTS_DIFFERENTIAL_TRIAL_H

#include "src/base/map.h"
#include "src/live/coverage.h"

typedef struct Totals {
  uint64_t scripts, statements;  /* set-up and final comparisons included */
  uint64_t agreed, failed_alike; /* failed_alike: of the agreed, those that both refuse */
  uint64_t differed, set_aside;
  Map reasons; /* set aside: reason -> uint64_t *, owned */
} Totals;

typedef struct TrialOptions {
  uint32_t statements; /* per script */
  bool is_verbose;     /* print every statement */
} TrialOptions;

/* Returns false if something differed; it has been printed then. */
bool trial_run(uint64_t seed, const TrialOptions *options, Coverage *coverage, Totals *totals);

/* Statements of a file, each ending with ";" at the end of a line: to look into a difference. Prints both
 * answers. */
bool trial_file(const char *path, Totals *totals);

#endif
