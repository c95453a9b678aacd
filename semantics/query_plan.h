/* query_plan.h: how a query block is run: made once per resolved Select, kept in Select.plan.
 *
 * A plan is a chain of steps.  Each SOURCE step binds one source to its rows one after the
 * other, checks the conditions that have become decidable, and goes on with the next step; at the
 * end of the chain stands one combination of rows that satisfies FROM and WHERE.
 *
 * Q1  A condition of WHERE, or of an inner join, is checked after all sources it refers to are bound,
 *     and never inside the null side of an outer join.
 * Q2  An access path only chooses the rows to look at: every condition is checked on them.
 * Q3  The canonical chain has the sources in the order of the text, no access paths, and each condition whole: an error raised
 *     there is raised by the statement.  The other chain may raise errors that a database may not. */
#ifndef ALIBI_SEMANTICS_QUERY_PLAN_H
#define ALIBI_SEMANTICS_QUERY_PLAN_H

#include "semantics/eval.h"

enum { PLAN_SOURCES = 64 }; /* of one block: they are bits of a word */
typedef uint64_t SourceSet;

/* What an expression depends on, as seen from its block. */
typedef struct Reach {
  SourceSet sources;
  bool is_outer;     /* blocks around this one */
  bool has_subquery;
} Reach;

Reach expr_reach(const Expr *expr);

/* One of the conditions that an AND joins. */
typedef struct Conjunct {
  const Expr *expr;
  Reach reach;
  bool is_placed;
} Conjunct;
typedef ARRAY(Conjunct *) Conjuncts;

typedef enum CompareKind { COMPARE_EQUAL, COMPARE_SAME /* NULL = NULL */, COMPARE_LIST, COMPARE_LOWER, COMPARE_UPPER } CompareKind;

/* A conjunct, or a part of it, as a restriction of one column. */
typedef struct Comparison {
  uint8_t kind; /* CompareKind */
  bool is_open; /* LOWER, UPPER: strict */
  uint32_t source, column;
  uint32_t value_count;
  const Expr **values; /* LIST: several; SAME: none for IS NULL */
  SourceSet needs;     /* sources the values depend on */
  bool is_outer;       /* or blocks around this one */
  const Conjunct *conjunct;
} Comparison;
typedef ARRAY(Comparison) Comparisons;

typedef enum AccessKind { ACCESS_SCAN, ACCESS_INDEX, ACCESS_HASH } AccessKind;

/* Where a SOURCE step takes its rows from. */
typedef struct Access {
  uint8_t kind; /* AccessKind */
  bool is_unique;     /* at most one row */
  bool is_ordered;    /* rows come in the order that ORDER BY wants, or MIN and MAX */
  bool descending;
  const Index *index;
  uint32_t equal_count;
  const Comparison **equal; /* per leading column of the index */
  int32_t list;             /* which of them is a COMPARE_LIST, or -1 */
  const Comparison *lower, *upper;
  /* ACCESS_HASH: pairs of expressions, of this source and of what is bound before */
  uint32_t pair_count;
  const Expr **built, **probes;
  uint32_t build_filter_count; /* conditions on this source alone */
  const Conjunct **build_filters;
} Access;

typedef enum StepKind {
  STEP_SOURCE,
  STEP_FILTER, /* conditions only */
  STEP_OUTER,  /* runs `inner`; if that never reaches its STEP_MARK, goes on with NULLs for `nulls` */
  STEP_MARK,   /* the end of an inner chain: goes on behind its STEP_OUTER */
  STEP_FULL    /* a full join, collected once: `inner` is its left outer join, `right` the right side alone */
} StepKind;

typedef struct Step {
  uint8_t kind; /* StepKind */
  uint32_t id;  /* of its state in a run */
  struct Step *next;
  uint32_t source; /* SOURCE */
  Access access;
  uint32_t filter_count;
  const Conjunct **filters;
  int32_t *covers;    /* per filter: the index of the equal comparison it is, or -1 */
  struct Step *inner; /* OUTER, FULL */
  struct Step *right; /* FULL */
  SourceSet nulls;    /* OUTER: sources of the inner chain; FULL: of the right side */
  SourceSet members;  /* FULL: all its sources */
  const struct Step *outer; /* MARK */
} Step;

typedef struct OutputColumn {
  const Expr *expr;
  bool is_plain; /* a column of this block: copied */
  uint32_t source, column;
} OutputColumn;

/* When a run may stop before the last row. */
typedef enum StopRule { STOP_NEVER, STOP_LIMIT /* ORDER BY ... LIMIT along an index */, STOP_EXTREME /* MIN or MAX of an indexed column */ } StopRule;

typedef struct QueryPlan {
  const Select *select;
  uint32_t source_count;
  uint32_t step_count; /* ids */
  Step *steps;
  Step *canonical; /* made when first needed */
  const char *refused; /* why the block cannot be run, or NULL */
  bool is_certain;  /* an error raised while joining is raised by the statement: nothing to run again */
  bool has_bare;    /* outputs, HAVING or ORDER BY use columns that GROUP BY does not determine */
  uint8_t stop;     /* StopRule */
  const Value *null_row;
  OutputColumn *outputs;
  const char **names; /* per output, NULL: not compared */
} QueryPlan;

QueryPlan *query_plan_of(Eval *eval, const Select *select);
/* The chain of Q3. */
const Step *query_plan_canonical(Eval *eval, QueryPlan *plan);

/* ---- Between the files of the planner -------------------------------------------- */

typedef struct Planner {
  Eval *eval;
  Arena *arena;
  const Dialect *dialect;
  const Select *select;
  QueryPlan *plan;
  bool is_canonical;
} Planner;

/* query_region.c: the chain of the whole block, and the restrictions found on the way. */
Step *plan_chain(Planner *planner, Comparisons *comparisons);
/* Which equal comparison of the step's access is this conjunct, or -1. */
int32_t step_cover(const Step *step, const Conjunct *conjunct);
/* Splits a condition (or NULL) into its conjuncts. */
void conjuncts_add(Planner *planner, const Expr *condition, Conjuncts *conjuncts);
/* All restrictions of columns among the conjuncts. */
void comparisons_find(Planner *planner, const Conjuncts *conjuncts, Comparisons *comparisons);
/* The column itself, also below casts that change neither values nor their order; or NULL. */
const Expr *expr_column(const Expr *expr);

/* Ranks of access paths, best first. */
typedef enum AccessRank { RANK_UNIQUE, RANK_INDEX, RANK_HASH, RANK_INDEX_APART, RANK_LIST, RANK_RANGE, RANK_FILTERED, RANK_SCAN } AccessRank;
/* The best way into a source, given what is bound. */
AccessRank access_choose(Planner *planner, uint32_t source, SourceSet bound, const Conjuncts *conjuncts,
                         const Comparisons *comparisons, Access *access);
/* Lets the only source of a block come in the order that ORDER BY ... LIMIT, MIN or MAX wants, where an index has it. */
void access_order(Planner *planner, Step *step, const Comparisons *comparisons);

#endif
