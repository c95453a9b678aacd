/* baseline_internal.h: what the files of the baselines share.
 *
 * I1  Rows have slots: one for each key of the initial state and for each key that an INSERT names.  A slot is
 *     absent from the states before its birth.
 * I2  A value is an integer: numbers scaled by their type's decimal places, texts by their place among the texts
 *     met so far.  Its bound says how large it can be, so that no overflow is ever possible. */
#ifndef ALIBI_ENCODINGS_BASELINE_INTERNAL_H
#define ALIBI_ENCODINGS_BASELINE_INTERNAL_H

#include "encodings/baseline.h"
#include "levels/times.h"
#include "semantics/engine_internal.h"
#include "semantics/replay_internal.h"

typedef enum SymbolKind {
  SYMBOL_NULL,   /* of no type yet */
  SYMBOL_NUMBER, /* value / 10^scale */
  SYMBOL_TEXT,
  SYMBOL_TRUTH /* value is a Boolean, false where it is null */
} SymbolKind;

typedef struct Symbol {
  Term value, is_null;
  uint8_t kind; /* SymbolKind */
  uint8_t scale;
  double bound; /* no value is larger, unscaled as it is stored */
} Symbol;

/* A row as far as it is there. */
typedef struct SymbolRow {
  Term is_present;
  Symbol *cells;
} SymbolRow;
typedef ARRAY(SymbolRow) SymbolRows;

typedef struct Slot {
  uint32_t number; /* in its table: its index in the arrays */
  uint32_t birth;  /* the first state that can have it */
  const Value *key; /* values of the primary key; NULL: by row id */
  uint64_t rowid;
  /* The running transaction's own. */
  Term is_written;
  SymbolRow own;
} Slot;

typedef struct BaselineTable {
  const Table *table;
  ARRAY(Slot) slots; /* heap */
  double *bounds;    /* by column */
  uint8_t *kinds;    /* by column: SymbolKind; SYMBOL_NULL: outside of the fragment */
  uint64_t next_rowid;
} BaselineTable;

/* All elements of one table in one state. */
typedef struct Elements {
  uint32_t slot_count; /* that were there when it was made */
  Term *values;        /* flat: by slot, then column; bmc: arrays by column */
  Term *nulls;
  Term *presents; /* flat: by slot; bmc: one array */
  Term *writes;   /* by slot: the transaction wrote it; state 0: none */
} Elements;

typedef struct State {
  Elements *tables; /* by place in Baseline.tables */
} State;

/* Which state something is read from: an integer between two states, or one of them. */
typedef struct StateChoice {
  Term id;              /* an integer term; used where first < last */
  uint32_t first, last; /* states */
} StateChoice;

typedef struct KeyChoice {
  uint32_t table, slot;
  StateChoice choice;
} KeyChoice;

/* A read step, for the view and for the witness. */
typedef struct BaselineStep {
  uint32_t operation;
  bool is_object;     /* a key-value operation: it has no steps */
  Term guard;         /* it was executed */
  StateChoice choice; /* rules but RULE_KEY */
  ARRAY(KeyChoice) keys; /* in memory: RULE_KEY */
} BaselineStep;

typedef struct BaselinePlace {
  const Line *line;
  TransactionLevel level;
  Term takes_part;
  Interval start, commit;
  uint32_t predecessor; /* of its session, or 0 */
  StateChoice choice;   /* RULE_TRANSACTION */
  ARRAY(BaselineStep *) steps; /* in memory */
} BaselinePlace;

struct Baseline {
  const Log *log;
  BaselineKind kind;
  CheckerOptions options;
  Replay *replay; /* parses, resolves, and holds the initial state */
  Terms *terms;
  Solver *solver;
  Arena memory;
  ARRAY(BaselineTable) tables; /* heap */
  ARRAY(State) states;         /* heap */
  ARRAY(BaselinePlace) places; /* heap; place 0 is the initial state */
  ARRAY(Value) texts;          /* heap: interned */
  Map sessions;
  int32_t objects; /* the table of key-value operations, or -1 */
  /* The statement in work. */
  uint32_t place, operation;
  BaselineStep *step;
  Term path; /* the statement is executed */
  const Value *inputs;
  Symbol *variables; /* of the procedure, or NULL */
  const Procedure *procedure; /* the one that runs, or NULL */
  uint32_t call_depth;
  const char *reason; /* unknown, or outside of the fragment */
  bool has_model; /* the last check was satisfiable, and nothing came since */
  uint64_t steps, choices, decided;
};

/* Outside of the fragment: keeps the first reason.  Always false. */
bool baseline_refuse(Baseline *baseline, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Must hold. */
void baseline_require(Baseline *baseline, Term term);
static inline const Dialect *baseline_dialect(const Baseline *baseline) {
  return &baseline->log->header.dialect;
}

/* baseline_state.c: elements of states. */
void state_initial(Baseline *baseline);
/* The next state: the last with the transaction's writes laid over where it took part. */
void state_follow(Baseline *baseline, Term takes_part);
SymbolRow state_row(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot);
/* The transaction at this place wrote the key. */
Term state_wrote(const Baseline *baseline, uint32_t place, uint32_t table, uint32_t slot);

/* baseline_flat.c, baseline_bmc.c: one element where it is certain that the state has the slot. */
void flat_make(Baseline *baseline, uint32_t table, const SymbolRow *rows, Elements *made);
Term flat_element(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot, int32_t column, bool is_null);
void bmc_make(Baseline *baseline, uint32_t table, const SymbolRow *rows, Elements *made);
Term bmc_element(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot, int32_t column, bool is_null);

/* baseline_view.c: what the running transaction sees, and its own writes. */
int32_t baseline_table(const Baseline *baseline, const Table *table);
StateChoice choice_make(Baseline *baseline, uint32_t first, uint32_t last);
/* The choice is this state. */
Term choice_is(Baseline *baseline, StateChoice choice, uint32_t state);
void step_begin(Baseline *baseline, bool is_object);
/* The slot in the state chosen, with own writes over it; and as the step sees it. */
SymbolRow view_over(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot);
SymbolRow view_row(Baseline *baseline, uint32_t table, uint32_t slot);
/* The slot of a key; made if there is none. */
uint32_t slot_of_key(Baseline *baseline, uint32_t table, const Value *key);
uint32_t slot_make(Baseline *baseline, uint32_t table, const Value *key, uint64_t rowid);
void slot_write(Baseline *baseline, uint32_t table, uint32_t slot, Term guard, SymbolRow row);

/* baseline_value.c: values as symbols. */
Symbol symbol_constant(Baseline *baseline, Value value);
Symbol symbol_observed(Baseline *baseline, const Observed *observed, const Symbol *model, bool *is_possible);
Symbol symbol_ite(Baseline *baseline, Term condition, Symbol a, Symbol b);
/* To be stored as this type: its scale, and nothing it cannot hold. */
Symbol symbol_store(Baseline *baseline, Symbol symbol, Type type, const char *name);
bool symbols_align(Baseline *baseline, Symbol *a, Symbol *b);
/* Not distinct, NULLs alike. */
Term symbol_same(Baseline *baseline, Symbol a, Symbol b);
Symbol symbol_truth(Term value, Term is_null);

/* baseline_eval.c, baseline_operate.c: expressions. */
typedef struct SymbolFrame {
  const struct SymbolFrame *outer;
  const SymbolRow *rows; /* by source */
  const Symbol *aggregates;
} SymbolFrame;
Symbol symbol_eval(Baseline *baseline, const SymbolFrame *frame, const Expr *expr);
/* The condition is true; NULL: none. */
Term symbol_holds(Baseline *baseline, const SymbolFrame *frame, const Expr *expr);
Symbol symbol_compare(Baseline *baseline, ExprKind kind, Symbol a, Symbol b);
Symbol symbol_arithmetic(Baseline *baseline, const Expr *expr, Symbol a, Symbol b);
Symbol symbol_not(Baseline *baseline, Symbol a);
Symbol symbol_and(Baseline *baseline, Symbol a, Symbol b);
Symbol symbol_or(Baseline *baseline, Symbol a, Symbol b);

/* baseline_query.c, baseline_join.c: a query block's rows. */
bool query_rows(Baseline *baseline, const SymbolFrame *outer, const Select *select, SymbolRows *rows);
/* Every combination of the sources' rows, each under its guard. */
typedef struct Combination {
  Term guard;
  SymbolRow *rows;  /* by source */
  uint32_t *slots;  /* by source */
} Combination;
typedef ARRAY(Combination) Combinations;
bool join_rows(Baseline *baseline, const SymbolFrame *outer, const Select *block, Combinations *made);

/* baseline_match.c: what was observed. */
bool match_observed(Baseline *baseline, const SymbolRows *rows, uint32_t columns, const ObservedRows *observed,
                    Term guard);
bool match_order(Baseline *baseline, const Select *select, const ObservedRows *observed);

/* baseline_effect.c: statements that write. */
typedef struct StatementResult {
  bool has_rows, has_affected;
  SymbolRows rows;
  uint32_t columns;
  const Select *select;
  ARRAY(Term) affected; /* one for each row changed */
} StatementResult;
bool effect_insert_symbolic(Baseline *baseline, const Insert *insert, StatementResult *result);
bool effect_update_symbolic(Baseline *baseline, const Update *update, StatementResult *result);
bool effect_delete_symbolic(Baseline *baseline, const Delete *delete_, StatementResult *result);

/* baseline_flow.c: one statement, also of a procedure. */
bool statement_symbolic(Baseline *baseline, const Statement *statement, StatementResult *result);

/* baseline_condition.c: what levels ask. */
bool level_begin(Baseline *baseline);
void level_require(Baseline *baseline);
void require_unique(Baseline *baseline);

#endif
