/* generate.h: random SQL: schemas, rows and statements, from a seed.
 *
 * A Generator is one script: set-up statements first, then transactions.  It draws over
 * the whole fragment of SQL that Alibi models, as the dialect writes it, and
 * knows the schema it made: the caller reports whether each statement succeeded, so that a
 * refused CREATE TABLE is not used later.  The same seed and the same reports give the same
 * script.  The differential test and the workload `fuzz` share it. */
#ifndef ALIBI_LIVE_GENERATE_H
#define ALIBI_LIVE_GENERATE_H

#include "src/live/coverage.h"
#include "src/sql/dialect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum GeneratedKind {
  GENERATED_BEGIN,
  GENERATED_COMMIT,
  GENERATED_ROLLBACK,
  GENERATED_QUERY,      /* SELECT: rows */
  GENERATED_CHANGE,     /* INSERT, UPDATE, DELETE: an affected count, rows with RETURNING */
  GENERATED_DEFINITION, /* CREATE, DROP */
  GENERATED_SAVEPOINT,  /* SAVEPOINT, ROLLBACK TO, RELEASE */
  GENERATED_END
} GeneratedKind;

typedef struct Generated {
  GeneratedKind kind;
  const char *sql; /* BEGIN, COMMIT and ROLLBACK as well; valid until the next call */
  size_t length;
  bool is_setup;
  bool merges_equals; /* DISTINCT, GROUP BY, UNION, MIN, ...: which of several equal values (1, 1.0) it shows
                         is open */
} Generated;

typedef struct GeneratorOptions {
  DialectName dialect; /* sqlite, postgresql, mysql or mariadb */
  uint64_t seed;
  uint32_t statements;  /* after the set-up, about; 0: no end */
  bool has_definitions; /* CREATE and DROP between the transactions' statements */
  bool has_savepoints;
  bool has_foreign_keys; /* they are checked (sqlite: PRAGMA foreign_keys) */
  bool has_mistakes;     /* now and then a statement that every database refuses */
  bool has_free_values;  /* random(), clocks, generated keys */
  bool keeps_to_model;   /* only what an audit models of the dialect: nothing is set aside */
} GeneratorOptions;

typedef struct Generator Generator;

/* The coverage is borrowed and may be NULL. */
Generator *generator_new(const GeneratorOptions *options, Coverage *coverage);
/* Another client of the same schema, with statements of its own; what it defines has names that no client of another number (from 1
 * on) gives, for it knows of no other's tables. */
Generator *generator_fork(const Generator *generator, uint64_t seed, uint32_t number);
void generator_free(Generator *generator);

Generated generator_next(Generator *generator);
/* Must follow each statement: whether the database executed it. */
void generator_report(Generator *generator, bool succeeded);

/* The base tables as they are now; names are valid until the next report. */
uint32_t generator_table_count(const Generator *generator);
const char *generator_table_name(const Generator *generator, uint32_t index);

#endif
