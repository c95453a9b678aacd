/* rowwise.h: statements that take the rows of one table one by one.
 *
 * W1  What such a statement answers and writes is the sum of what it answers and writes for each row alone: a
 *     query the rows of its result, an UPDATE or DELETE the rows written and how many.
 *
 * Who knows which rows are in doubt may therefore run it row by row (RowWiseRunner) instead of once for every
 * combination of them. */
#ifndef ALIBI_SEMANTICS_ROWWISE_H
#define ALIBI_SEMANTICS_ROWWISE_H

#include "semantics/effect.h"

typedef struct RowWise {
  Effect *effect;
  const Statement *statement;
  const Table *table;             /* whose rows it takes */
  const Select *select;           /* of a query, or NULL */
  bool is_nested;                 /* inside a procedure */
  ARRAY(const Expr *) subqueries; /* the same for all rows; in the statement's memory */
  struct QueryCache *cache;       /* their answers, once prepared */
} RowWise;

/* One run of it, under the view in force. */
typedef struct RowRun {
  Eval eval;
  Effect effect;
  Outcome outcome;
  bool is_done;
} RowRun;

/* Runs the statement instead of the engine, as effect_run would. */
struct RowWiseRunner {
  bool (*run)(void *context, RowWise *rowwise);
  void *context;
};

/* It (NULL: nothing) depends on the row, on literals and on variables of a procedure alone. */
bool expr_is_local(Expr *expr);
/* Is it one?  Fills *rowwise. */
bool rowwise_of(Effect *effect, const Statement *statement, RowWise *rowwise);
/* Answers its subqueries, under the view in force, for the runs that follow.  False: not to be taken row by
 * row. */
bool rowwise_prepare(RowWise *rowwise);
void rowwise_run(RowWise *rowwise, RowRun *run);
/* The run counts: what effect_run answers. */
bool rowwise_adopt(RowWise *rowwise, const RowRun *run);
/* An SQL error, and nothing else, ended the run. */
bool rowwise_failed(const RowRun *run, ErrorSet *errors);

#endif
