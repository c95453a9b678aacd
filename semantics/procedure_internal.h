/* procedure_internal.h: a procedure in execution.
 *
 * Q1  Every statement of the body is atomic by itself; what earlier ones did stays when a later one fails.
 * Q2  What a step computes lives in engine->steps until the next step; what must live longer (variables,
 *     cursors, result sets, reasons) is copied.
 * Q3  A condition (an error, or NOT FOUND) goes to the innermost handler that takes it; while a handler runs,
 *     those of its own block and of inner ones are out of force. */
#ifndef ALIBI_SEMANTICS_PROCEDURE_INTERNAL_H
#define ALIBI_SEMANTICS_PROCEDURE_INTERNAL_H

#include "semantics/procedure.h"

/* A procedure resolved against the current schema. */
typedef struct ProcedureCode {
  Procedure *procedure;
  Arena arena;
  uint64_t version; /* of the schema; 0: not made yet */
  PrepareAnswer answer;
  ErrorClass error;
  const char *message;
  const Statement *body;
  const Value *inputs;
  const char *text;
  bool is_running;
} ProcedureCode;

typedef struct Cursor {
  Arena arena; /* owns the rows */
  const Select *select;
  ResultSet result;
  uint32_t next;
  bool is_open;
} Cursor;

typedef struct Handler {
  const Flow *flow;
  uint32_t block; /* depth of the block that declared it */
} Handler;

typedef struct Activation {
  Engine *engine;
  Outcome *outcome; /* of the whole CALL */
  Arena *results;
  ProcedureCode *code;
  Eval eval;
  Variable *slots; /* variables with their memory; eval.variables are their values */
  Cursor *cursors;
  ARRAY(Handler) handlers; /* heap */
  uint32_t handler_limit;  /* handlers in force: those before it */
  uint32_t block;          /* depth of the current block */
  uint32_t exit_block;     /* FLOW_EXIT: the block that ends */
  const char *label;       /* FLOW_LEAVE, FLOW_ITERATE: where to */
  ErrorSet errors;         /* FLOW_ABORT without abort in eval: an SQL error that nothing handled */
  const char *reason;
  const char *signal;      /* the very SQLSTATE that is being raised, or NULL: known only by its class */
  const char *signal_code; /* and its number */
  bool omits_default;      /* the failing INSERT left out a column that needs a value */
  int64_t affected;
} Activation;

typedef enum FlowAnswer { FLOW_NEXT, FLOW_LEAVE, FLOW_ITERATE, FLOW_EXIT, FLOW_ABORT } FlowAnswer;

/* procedure_flow.c */
FlowAnswer flow_run(Activation *activation, const Statement *statement);
FlowAnswer flow_list(Activation *activation, const StatementList *list);
void flow_step(Activation *activation); /* a new step begins (Q2) */
/* An expression of the body. Sets eval.abort. */
Value flow_value(Activation *activation, const Expr *expr);
void flow_assign(Activation *activation, int32_t slot, Value value, Type from);
/* What follows from eval.abort: FLOW_NEXT if nothing happened or a handler dealt with it. */
FlowAnswer flow_outcome(Activation *activation);

/* procedure_condition.c */
FlowAnswer condition_raise(Activation *activation, ErrorSet errors, bool is_not_found, const char *reason);
/* The same, where the SQLSTATE and the number are known exactly. */
FlowAnswer condition_signal(Activation *activation, const char *state, const char *code, ErrorSet errors, const char *reason);
/* Would a handler take any of these errors? */
bool condition_is_watched(const Activation *activation, ErrorSet errors);

/* procedure_cursor.c */
FlowAnswer cursor_open(Activation *activation, const Flow *flow);
FlowAnswer cursor_fetch(Activation *activation, const Flow *flow);
FlowAnswer cursor_close(Activation *activation, const Flow *flow);
FlowAnswer cursor_loop(Activation *activation, const Flow *flow); /* FOR r IN ... */
void cursor_free(Cursor *cursor);

#endif
