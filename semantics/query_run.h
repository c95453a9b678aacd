/* query_run.h: one execution of a query block, and what its phases share.
 *
 * Phases: the join collects the combinations of rows that satisfy FROM and WHERE; a grouped block
 * folds them into groups; each combination or group becomes an output row; DISTINCT, ORDER BY and LIMIT
 * make the result of them.  Everything is allocated in eval->arena. */
#ifndef ALIBI_SEMANTICS_QUERY_RUN_H
#define ALIBI_SEMANTICS_QUERY_RUN_H

#include "semantics/number.h"
#include "semantics/operate.h"
#include "semantics/query.h"
#include "semantics/query_plan.h"

typedef struct Run Run;

/* What becomes of a combination: run->frame.rows and run->keys have it. */
typedef void (*Emit)(Run *run);

/* The rows of a derived source. */
typedef struct DerivedRows {
  uint32_t count;
  const Value **rows;
  const double *magnitudes; /* per column, or NULL */
} DerivedRows;

struct Run {
  Eval *eval;
  const Select *select;
  QueryPlan *plan;
  ReadPurpose purpose;
  Frame frame;
  const Value **rows; /* frame.rows while joining */
  Key **keys;         /* per source */
  DerivedRows **derived; /* per source, NULL until needed */
  void **states;      /* per step */
  bool is_canonical;
  bool is_in_order;   /* rows come as the plan's index has them */
  bool stops;         /* no more rows are wanted */
  uint64_t budget;    /* combinations a canonical run may still look at */
  Emit emit;
  /* combinations, source_count pointers each */
  uint32_t count, room;
  const Value **combinations;
  const Value **found;    /* the same as they were before they were locked, where that differs; or NULL */
  Key **combination_keys; /* only if wants_keys */
  bool wants_keys;
  uint64_t wanted;        /* STOP_LIMIT: so many rows and their ties are enough */
  struct Groups *groups;  /* grouped blocks */
  struct FullState *full; /* the full join that is being collected */
};

static inline bool run_is_over(const Run *run) { return run->stops || run->eval->abort; }

/* query_step.c: the join.  False: eval->abort tells. */
bool run_open(Run *run, Eval *eval, const Select *select, ReadPurpose purpose);
void run_close(Run *run);
/* Runs the join into run->emit; an error that the plan's order may have invented is decided by the canonical chain.
 * `reset` forgets what was emitted. */
bool run_join(Run *run, void (*reset)(Run *run));
void run_collect(Run *run); /* an Emit */
void run_collect_reset(Run *run);
const Value **run_combination(const Run *run, uint32_t place);

/* query_recheck.c: the combinations with the current rows of the locked sources.  Wants run->wants_keys. */
bool run_recheck(Run *run, SourceSet locked);

/* query_source.c: the rows of a derived source, once they have been made. */
const DerivedRows *source_derived(Run *run, uint32_t source);

/* query_group.c: an Emit for grouped blocks, and the groups as output rows. */
typedef struct OutRows OutRows;
void group_emit(Run *run);
void group_reset(Run *run);
uint32_t group_count(const Run *run);
bool group_outputs(Run *run, OutRows *out, double *magnitudes);

/* query.c: the result of a grouped block whose run->groups are complete. */
bool query_show(Run *run, ResultSet *result);

/* An evaluation inside a query.  In eager mode errors are collected, and the value is NULL. */
Value run_value(Eval *eval, const Expr *expr);
Value run_operand(Eval *eval, const Expr *expr); /* with the digits that do not show: arguments of aggregates */
int run_truth(Eval *eval, const Expr *expr); /* eager: an error counts as true, to look on */
/* The output columns of the frame's rows. */
Value *run_outputs(Run *run);

/* ---- Output rows: query_order.c -------------------------------------------------------- */

typedef struct OutRow {
  const Value *values;
  const Value *keys; /* per ORDER BY term */
  uint32_t tie;
  uint32_t place; /* of its combination */
  uint32_t alternative_count;
  const Value **alternatives;
} OutRow;

struct OutRows {
  uint32_t count, room;
  OutRow *items;
  bool order_is_open; /* sorted by free values: all tied */
  bool is_trimmed; /* OFFSET and LIMIT have been applied, up to ties */
  bool has_slice;  /* skip and take are still to be applied within ties */
  uint64_t skip, take;
};

typedef struct Limits {
  uint64_t skip, take; /* UINT64_MAX: all */
} Limits;

bool limits_eval(Eval *eval, const Select *select, Limits *limits);
/* LIMIT 0: no database evaluates anything for it. */
static inline bool limits_want_nothing(const Eval *eval, Limits limits) { return limits.take == 0 && !eval->eager; }
/* Removes rows whose columns are equal to an earlier one's; another spelling of a removed row becomes an alternative. */
bool rows_distinct(Eval *eval, OutRows *out, const Select *select);
/* Sorts by the keys and numbers the ties. */
bool rows_sort(Eval *eval, OutRows *out, const Select *select);
/* Drops the rows that no order within ties lets through. */
void rows_trim(OutRows *out, Limits limits);
/* Applies what is left of the slice where all choices look the same. */
void rows_slice(OutRows *out, uint32_t columns);
bool rows_alternative(Eval *eval, OutRow *row, const Value *values, uint32_t columns);
bool values_identical(const Value *a, const Value *b, uint32_t count);
Type order_type(const Select *select, const OrderTerm *term);
void rows_result(Eval *eval, const OutRows *out, const Select *select, const char **names, ResultSet *result);
/* VALUES and compounds, with ORDER BY and LIMIT; query_set.c. */
bool query_values(Eval *eval, const Select *select, ResultSet *result);
bool query_compound(Eval *eval, const Select *select, ReadPurpose purpose, ResultSet *result);

/* Whether a block yields any row: stops at the first. Fills *exists. */
bool query_exists(Eval *eval, const Select *select, ReadPurpose purpose, bool *exists);

/* ---- Caches of a statement: query_cache.c ------------------------------------------------ */

/* What was kept for this owner (a Select, an Expr, a Step), or NULL. */
void *cache_get(const Eval *eval, const void *owner);
void cache_put(Eval *eval, const void *owner, void *kept);
/* One that grows by itself; NULL of NULL. */
struct QueryCache *cache_copy(Eval *eval, const struct QueryCache *cache);
/* query_subquery.c: is it run once per statement, and its answer kept?  Then: now.  False: eval->abort tells. */
bool subquery_is_kept(const Eval *eval, const Select *select);
bool subquery_keep(Eval *eval, const Expr *expr);

typedef struct CacheEntry {
  const void *owner;
  void *kept;
} CacheEntry;

struct QueryCache {
  ARRAY(CacheEntry) entries;
};

/* Memory of evaluations that leave nothing behind: given back unless something was kept meanwhile. */
typedef struct Scratch {
  ArenaMark mark;
  uint32_t kept;
} Scratch;

static inline uint32_t cache_size(const Eval *eval) { return eval->cache ? eval->cache->entries.count : 0; }

static inline Scratch scratch_begin(const Eval *eval) {
  return (Scratch){{eval->arena->block, eval->arena->next}, cache_size(eval)};
}

static inline void scratch_end(Eval *eval, Scratch scratch) {
  if (eval->arena->next == scratch.mark.next || eval->abort || cache_size(eval) != scratch.kept) return;
  arena_reset(eval->arena, scratch.mark);
}

#endif
