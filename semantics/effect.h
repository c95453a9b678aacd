/* effect.h: statements that change rows.
 *
 * Every statement first collects what it reads, then writes: it never sees its own effects.  An
 * effect that fails leaves its traces in the store; the caller undoes them (E1).
 *
 * F1  A function returns false exactly if eval->abort is set to something that is no SQL error, or `errors` is not empty
 *     and nothing more can be learnt.
 * F2  `errors` are those the statement certainly raises one of; outcome->possible those it may raise instead of
 *     succeeding. */
#ifndef ALIBI_SEMANTICS_EFFECT_H
#define ALIBI_SEMANTICS_EFFECT_H

#include "semantics/engine_internal.h"
#include "semantics/operate.h"
#include "semantics/query.h"

/* A row that the statement wrote, for the foreign keys. */
typedef struct Change {
  const Table *table;
  const Value *before; /* NULL: inserted */
  const Value *after;  /* NULL: deleted */
} Change;

typedef struct Effect {
  Engine *engine;
  Eval *eval;
  Outcome *outcome;
  Arena *results; /* of result sets; eval->arena may be short-lived */
  const char *text; /* what the statement's offsets count in */
  uint32_t input_count;
  ErrorSet errors;
  ARRAY(Change) changes; /* in eval->arena */
  ResultSet *returned;   /* of RETURNING, or NULL */
  uint32_t returned_room;
  struct Activation *activation; /* the procedure that the statement stands in, or NULL */
  bool omits_default;            /* a column that is NOT NULL and has no default was left out */
  bool not_found;                /* SELECT ... INTO found no row */
} Effect;

/* Runs any statement but those of procedures' flow. */
bool effect_run(Effect *effect, const Statement *statement);
/* The same for one whose read step has begun, whatever the engine's RowWiseRunner says. */
bool effect_one(Effect *effect, const Statement *statement);
bool effect_insert(Effect *effect, const Insert *insert);
bool effect_update(Effect *effect, const Update *update);
bool effect_delete(Effect *effect, const Delete *delete_);
bool effect_truncate(Effect *effect, const Statement *statement);
bool effect_session(Effect *effect, const Statement *statement); /* about the connection, not about data */
/* transaction.c: SAVEPOINT, ROLLBACK TO, RELEASE. */
bool effect_savepoint(Effect *effect, const Statement *statement);

/* ---- effect_row.c: what they share -------------------------------------------------- */

static inline const Dialect *effect_dialect(const Effect *effect) { return &effect->engine->schema.dialect; }
/* Adds to the errors, with the message of the first. Always false. */
bool effect_fail(Effect *effect, ErrorClass error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An SQL error of the evaluation joins `errors`. False: the evaluation was aborted by something else. */
bool effect_collect(Effect *effect);
/* Evaluates an assigned expression and converts it for the column. */
Value effect_value(Effect *effect, const Expr *expr, const Table *table, uint32_t column);
Value effect_store(Effect *effect, Value value, Type from, const Column *column);
/* Evaluation of what belongs to a table: its literals, no outer frame. */
typedef struct TableContext {
  const Value *inputs;
  Frame *frame;
  Arena *plan_arena;
} TableContext;
TableContext table_context_enter(Eval *eval, const Table *table, Frame *frame);
void table_context_leave(Eval *eval, TableContext context);
/* mysql refuses NULL while it computes a row: before what is computed later fails. */
void effect_note_null(Effect *effect, const Table *table, uint32_t column, Value value);
Value effect_default(Effect *effect, const Table *table, uint32_t column);
/* Prepares the result set of RETURNING; adds one row to it. */
void effect_returns(Effect *effect, const Select *scope);
bool effect_return(Effect *effect, const Select *scope, const Value *row);
void effect_count(Effect *effect, int64_t affected);

/* Writes to the store that keep the list of values in doubt and the changes for foreign keys. */
Key *row_insert(Effect *effect, const Table *table, const Value *values, uint64_t rowid);
Key *row_update(Effect *effect, const Table *table, Key *key, const Value *values);
void row_delete(Effect *effect, const Table *table, Key *key);
/* An update of the key in two parts, so that several rows can exchange theirs: first all go, then all come back. */
void row_take_out(Engine *engine, const Table *table, Key *key);
Key *row_put_back(Effect *effect, const Table *table, const Value *before, const Value *values, uint64_t rowid);
/* Remembers a change for the foreign keys, where there are any. */
void row_changed(Effect *effect, const Table *table, const Value *before, const Value *after);
/* Is it the same key still?  Otherwise an update is a deletion and an insertion. */
bool row_keeps_key(const Engine *engine, const Table *table, const Value *before, const Value *after);
uint64_t row_rowid(const Table *table, const Value *values); /* what the row itself says, or 0 */
/* A row whose values in doubt are bound. False: its key is another row's (looked for only where it is evidence). */
bool row_settle(Engine *engine, const Table *table, Key *key, const Value *values, bool is_evidence);

/* ---- generate.c: generated keys ------------------------------------------------------- */

bool key_is_generated(const Effect *effect, const Table *table, uint32_t column, Value value);
int32_t key_column(const Table *table); /* the column that generates its values, or -1 */
Value key_generate(Effect *effect, const Table *table, uint32_t column, bool is_guess);
void key_given(Effect *effect, const Table *table, uint32_t column, Value value);

/* ---- effect_conflict.c: what to do with a row that exists already ------------------------ */

typedef struct ConflictPlan {
  const Insert *insert;
  const Index *arbiter; /* ON CONFLICT (...): the index it names, or NULL: any */
  bool watches_twice;   /* a row must not be changed twice */
  uint32_t uncertain_count; /* rows that may count one more */
  Map touched;          /* keys this statement inserted or changed, if it watches */
} ConflictPlan;

typedef enum ConflictAnswer { CONFLICT_NONE, CONFLICT_SKIP, CONFLICT_DONE, CONFLICT_FAILED } ConflictAnswer;

bool conflict_plan(Effect *effect, const Insert *insert, ConflictPlan *plan);
/* CONFLICT_NONE: insert the row. CONFLICT_DONE: an existing row was updated, *affected counts it and *after is that row. */
ConflictAnswer conflict_resolve(Effect *effect, ConflictPlan *plan, const Value *row, int64_t *affected, const Value **after);
void conflict_touched(ConflictPlan *plan, const Key *key);
void conflict_free(ConflictPlan *plan);

#endif
