/* engine.h: the database model: executes statements as a correct database would.
 *
 * An Engine holds the schema, the committed state and the running transaction.  It knows neither
 * levels nor observations.  Statements are parsed once per text shape and planned once per
 * shape and schema version. */
#ifndef ALIBI_SEMANTICS_ENGINE_H
#define ALIBI_SEMANTICS_ENGINE_H

#include "semantics/result.h"
#include "semantics/store.h"
#include "semantics/doubt.h"
#include "src/base/diag.h"

typedef struct Engine Engine;

Engine *engine_new(Dialect dialect);
void engine_free(Engine *engine);

Schema *engine_schema(Engine *engine);
Store *engine_store(Engine *engine);
Doubts *engine_doubts(Engine *engine);
Arena *engine_arena(Engine *engine); /* statement results; the caller clears it between statements or transactions */

/* A parameter of an operation: by position, or by name. */
typedef struct Parameter {
  const char *name; /* NULL: by position */
  uint32_t name_length;
  Value value;
} Parameter;

/* Why a text cannot be run. */
typedef enum PrepareAnswer {
  PREPARE_OK,
  PREPARE_SYNTAX,     /* not SQL for our grammar; message and offset; the arbiter has not been asked */
  PREPARE_ERROR,      /* a correct database refuses it (unknown table, ...): outcome.errors */
  PREPARE_UNMODELLED
} PrepareAnswer;

/* What must be known about a statement to set it aside (also of one that does not parse). */
typedef struct Footprint {
  bool writes;
  bool writes_anything; /* cannot tell which tables: all */
  bool changes_schema;  /* may have created, changed or dropped the tables it names, or others */
  ARRAY(Table *) tables_read;
  ARRAY(Table *) tables_written;
} Footprint;

/* The connection whose statements follow: user variables and LAST_INSERT_ID() are its own. NULL: the nameless one. */
void engine_set_session(Engine *engine, const char *session); /* NULL: a connection of which nothing is known */
/* Something was not executed here (an aborted transaction, a gap): what sessions remember may be anything. */
void engine_forget_session(Engine *engine, const char *session); /* NULL: those without a name */
void engine_forget_present(Engine *engine);
void engine_forget_sessions(Engine *engine);
void engine_forget_variables(Engine *engine); /* of the present session */
void engine_begin(Engine *engine, uint32_t transaction);
/* What is checked only at COMMIT and does not hold (deferred foreign keys): then the database refuses to commit. */
ErrorSet engine_commit_errors(Engine *engine);
void engine_commit(Engine *engine);
void engine_rollback(Engine *engine);

/* Between transactions: store_forget_past, and nothing can be taken back beyond it. */
void engine_forget_past(Engine *engine, bool (*holds)(void *context, uint32_t guard), void *context);

/* Who makes the groups of blocks that are sums over their rows (blockwise.h); NULL: the engine itself. */
typedef struct BlockWiseRunner BlockWiseRunner;
void engine_set_blockwise(Engine *engine, const BlockWiseRunner *runner);
/* Who runs statements that take their rows one by one (rowwise.h); NULL: the engine itself. */
typedef struct RowWiseRunner RowWiseRunner;
void engine_set_rowwise(Engine *engine, const RowWiseRunner *runner);
void engine_forget_count(Engine *engine); /* how many rows the last statement changed is not known */

/* Executes one statement. On OUTCOME_DONE its effects are applied (and can be undone: engine_undo_statement);
 * otherwise nothing happened, but for a CALL that fails in mysql and mariadb: there the statements before the failing one keep
 * their effects (and a CALL there that cannot be modelled loses at once what it may have written, for whether it succeeded or
 * failed, some of it may be there).  Results live in engine_arena; column names and types until the next engine_execute. */
Outcome engine_execute(Engine *engine, const char *sql, size_t length, const Parameter *parameters, uint32_t parameter_count);
/* The same statement again, evaluating everything, to learn which errors some order of evaluation would raise. No effects.
 * ERROR_BIT(ERROR_NONE) is in the set where that cannot be told. */
ErrorSet engine_possible_errors(Engine *engine, const char *sql, size_t length, const Parameter *parameters, uint32_t parameter_count);
/* Was the last one executed SAVEPOINT, ROLLBACK TO or RELEASE?  It reads no rows, and what it undid cannot be done again. */
bool engine_moved_savepoints(const Engine *engine);
/* Undoes the last executed statement: the database answered with an error that some order of evaluation raises. */
void engine_undo_statement(Engine *engine);

PrepareAnswer engine_prepare(Engine *engine, const char *sql, size_t length, const Parameter *parameters, uint32_t parameter_count,
                             Outcome *outcome, uint32_t *offset, Footprint *footprint);
/* What a statement that is run in several ways must find as it was: everything between two statements of a
 * transaction but the user variables, which are forgotten where ways differ. */
typedef struct EngineMark EngineMark;
EngineMark *engine_mark(Engine *engine, Arena *arena);
void engine_rewind(Engine *engine, const EngineMark *mark);
/* From now on a committed transaction can be taken back: engine_rewind to a mark made as it began, the newest
 * first, each in its own session, where that has no user variables. */
void engine_keep_undo(Engine *engine);
bool engine_can_rewind(const Engine *engine);
/* Stands for all that a later transaction finds: equal ones, equal digest.  False: there are user variables,
 * which it leaves out. */
bool engine_digest(const Engine *engine, StoreDigest *digest);
/* A statement is set aside: what it may have written is unknown from here on. */
void engine_lose(Engine *engine, const Footprint *footprint, const char *why);
/* Why a table's rows are not known any more, or NULL. */
const char *engine_lost(const Engine *engine, const Table *table);
const char *engine_schema_doubt(const Engine *engine); /* why the schema may differ from ours, or NULL */
/* Rewrites rows whose values in doubt an observation has bound meanwhile.  False: a generated key that was observed is the
 * key of another row, which no correct database gives. engine_execute calls it first. */
bool engine_settle(Engine *engine);

/* Set-up: several statements in one text; false: diag tells (bad input) or *unmodelled names what is not modelled. */
bool engine_setup(Engine *engine, const char *sql, size_t length, Place place, Diag *diag, const char **unmodelled);
/* Initial rows without SQL. `columns` NULL: declaration order. Values may be doubts. */
bool engine_load_row(Engine *engine, Table *table, const uint32_t *columns, uint32_t count, const Value *values, Place place, Diag *diag);

/* Statistics: texts seen, shapes parsed, plans made, cache hits. */
typedef struct EngineStats {
  uint64_t statements, parses, plans, hits;
} EngineStats;
EngineStats engine_stats(const Engine *engine);

#endif
