/* engine_internal.h: what the files of the engine share.
 *
 * E1  Between statements the store holds exactly the effects of the statements executed so far; a statement that fails is
 *     undone to `statement_mark`.
 * E2  A cell of the store that holds an unsettled VALUE_DOUBT is listed in `cells`.
 * E3  A lost table is neither read nor checked against: whatever touches it is OUTCOME_DOUBT.
 * E4  The dialect in force is schema.dialect, and no other copy. */
#ifndef ALIBI_SEMANTICS_ENGINE_INTERNAL_H
#define ALIBI_SEMANTICS_ENGINE_INTERNAL_H

#include "semantics/engine.h"
#include "semantics/eval.h"
#include "semantics/plan_cache.h"

/* What the engine knows of a table besides its rows. */
typedef struct TableState {
  const char *lost;          /* why its rows are not known, or NULL */
  bool is_reshaped;          /* its columns are not known either: only DROP and CREATE make it known again */
  bool had_deletes;          /* hidden row ids may have been given again */
  bool has_explicit_keys;    /* keys that were not generated: a sequence may run into them */
  int64_t next_key;          /* the next generated key: exact in sqlite, a guess elsewhere */
} TableState;

/* A variable that outlives statements: its memory is its own and reused. */
typedef struct Variable {
  Value value;
  Type type;
  char *memory; /* owned */
  size_t room;
  bool is_unknown; /* what it held was forgotten */
  bool is_assigned;
} Variable;

typedef struct Session {
  Map variables; /* "@name" without the @, folded -> Variable */
  Value last_key; /* LAST_INSERT_ID(), lastval(), last_insert_rowid(); may be a doubt */
  Type last_key_type;
  bool has_last_key;
  int64_t row_count;     /* ROW_COUNT(), changes() */
  bool row_count_known;
  int64_t total_changes;
  bool had_other_work; /* not executed here: variables never assigned here may have been assigned there */
} Session;

typedef struct Savepoint {
  char *name; /* in the transaction's arena */
  UndoMark mark;
} Savepoint;

/* A stored value in doubt. */
typedef struct DoubtCell {
  const Table *table;
  Key *key;
  uint32_t column;
  uint32_t doubt;
  uint32_t next; /* the next older cell of its bucket, counted from 1 */
} DoubtCell;

/* One value of a clock, fixed for the transaction or the statement. */
typedef struct ClockReading {
  uint16_t function;
  const Expr *site; /* where arguments matter: the call itself */
  Type type;
  Value value;
} ClockReading;

/* A deferred foreign key that did not hold when a statement ended. */
typedef struct Deferred {
  const ForeignKey *key;
  const Value *values; /* of the child's columns */
} Deferred;

struct Engine {
  Schema schema;
  Store *store;
  Doubts doubts;
  Arena results;     /* engine_arena */
  Arena scratch;     /* tokens and inputs of the statement in execution */
  Arena preparation; /* the same of engine_prepare, and its footprint */
  Arena steps;       /* what one step of a procedure computes */
  Arena transaction; /* savepoints, deferred checks */
  Arena memory;      /* reasons of lost tables: the whole run */
  PlanCache plans;
  EngineStats stats;
  ARRAY(TableState) tables; /* heap, by table id */
  uint32_t lost_count;
  const char *last_loss; /* the newest reason, in `memory` */
  const char *schema_doubt; /* why the schema may differ from ours, or NULL */
  Map foreign_functions;    /* functions whose definition was set aside */
  Map partial_indexes;      /* names of indexes over expressions or parts of tables */
  Map sessions;
  Session *session;
  bool in_transaction;
  bool keeps_undo; /* committed transactions can be taken back */
  ARRAY(Savepoint) savepoints; /* heap */
  ARRAY(DoubtCell) cells;      /* heap */
  uint32_t *cell_buckets;      /* owned: by key, the newest cell, counted from 1 */
  uint32_t cell_bucket_count;  /* a power of two, or 0 */
  uint32_t cells_looked_at;    /* doubts when it was last tried to forget them */
  uint32_t settled;            /* bindings that have been written back */
  uint32_t shifted;            /* bindings that later guesses have followed */
  ARRAY(ClockReading) clocks;  /* heap */
  ARRAY(Deferred) deferred;    /* heap */
  UndoMark statement_mark;
  uint32_t statement_doubts; /* doubts that existed before the statement */
  uint32_t statement_savepoints;
  /* The last statement, for losing no more than it may have written. */
  Plan *last_plan;
  const Value *last_inputs;
  bool is_salvageable;      /* it failed only because a value it writes is not modelled */
  bool last_call_had_effects;
  const char *losing;       /* values that are not modelled become lost doubts of this origin */
  uint32_t call_depth;
  uint64_t call_steps;
  const RowWiseRunner *rowwise; /* borrowed, or NULL */
  const BlockWiseRunner *blockwise; /* borrowed, or NULL */
  ARRAY(struct ProcedureCode *) codes; /* heap: resolved bodies, by procedure */
};

/* The state of a table, made on first use. */
TableState *engine_table(Engine *engine, const Table *table);
/* A fresh Eval for a statement with these inputs; results go to `arena`. */
Eval engine_eval(Engine *engine, Arena *arena, const Value *inputs);
bool dialect_undoes_calls(const Dialect *dialect);

/* prepare.c: the plan of a text under these parameters; *inputs in `arena`. NULL: *missing tells which parameter has no value. */
Plan *engine_plan(Engine *engine, Arena *arena, const char *sql, size_t length, const Parameter *parameters,
                  uint32_t parameter_count, const Value **inputs, const char **missing);
/* Parses and resolves into a plan that belongs to no cache. */
void plan_make(Engine *engine, Plan *plan, const Value *inputs);

/* session.c */
Session *session_new(void);
void session_free(Session *session);
/* What the connection did in between was not executed here: its variables may hold anything. */
void session_forget_variables(Session *session);
Variable *session_variable(Engine *engine, const char *name); /* made on first use; with or without the @ */
void variable_assign(Variable *variable, Value value, Type type);
void variable_release(Variable *variable);

/* settle.c: rows with values in doubt are remembered, so that they can be rewritten once bound. */
void cells_added(Engine *engine, const Table *table, Key *key, const Value *values);
void cells_drop_dead(Engine *engine); /* those of keys that show nothing any more: the same */
void cells_compact(Engine *engine); /* between transactions: no undo refers to a cell */
void cells_removed(Engine *engine, const Table *table, Key *key, const Value *values);

/* lose.c */
#define LOSS_ORIGIN " is not known: " /* between a table and the reason of its loss */
void engine_lose_table(Engine *engine, const Table *table, const char *why, bool is_reshaped);
void engine_know_table(Engine *engine, const Table *table); /* its rows are known again */

#endif
