/* query_source.c: scans, index seeks, hash tables, derived tables. */
#include "semantics/query_source.h"

#include "semantics/cast.h"
#include "semantics/query_key.h"
#include "semantics/store.h"

uint64_t query_rows_read;

/* ---- Derived sources --------------------------------------------------------------------- */

/* Values of a table's column have its affinity already; those of a compound or a CAST need not. */
static bool affinity_is_loose(const Select *select, uint32_t column) {
  return select->kind != SELECT_SIMPLE || select->outputs.items[column].expr->kind == EXPR_CAST;
}

/* SQLite converts the rows of a subquery to its columns' affinities or not, by how it runs the query. */
static bool affinity_is_open(Eval *eval, const Select *select, const ResultSet *result) {
  if (!dialect_is_sqlite(eval->dialect) || select->kind == SELECT_VALUES) return false;
  for (uint32_t column = 0; column < result->column_count; column++)
    for (uint32_t row = 0; affinity_is_loose(select, column) && row < result->row_count; row++) {
      Value value = result->rows[row].values[column];
      if (value.kind == VALUE_DOUBT) continue;
      Value stored = sqlite_store(eval, value, select->output_types[column].affinity);
      if (stored.kind != value.kind) return true;
    }
  return false;
}

static DerivedRows *derived_make(Run *run, uint32_t source) {
  const Select *select = run->select->sources.items[source].select;
  Eval *eval = run->eval;
  DerivedRows *derived = ARENA_NEW(eval->arena, DerivedRows);
  ResultSet result;
  ReadPurpose purpose = run->purpose == READ_FIND_TARGET ? eval->purpose : run->purpose;
  if (!query_run(eval, select, purpose, &result) || !query_settle(eval, &result)) {
    /* A database may merge the subquery into its block: then only the values that are needed are computed. */
    if (eval->abort == ABORT_ERROR && !eval->eager)
      eval_unmodelled(eval, "an error in a subquery of FROM, in a value that may not be needed");
    return derived;
  }
  if (affinity_is_open(eval, select, &result)) {
    eval_unmodelled(eval, "a subquery with values that its columns' affinities would change");
    return derived;
  }
  derived->count = result.row_count;
  derived->magnitudes = result.magnitudes;
  derived->rows = arena_alloc(eval->arena, (result.row_count + 1) * sizeof *derived->rows);
  for (uint32_t i = 0; i < result.row_count; i++) derived->rows[i] = result.rows[i].values;
  return derived;
}

/* Once per statement if nothing outside changes it, else once per run of its block. */
const DerivedRows *source_derived(Run *run, uint32_t source) {
  if (!run->derived) run->derived = ARENA_ARRAY(run->eval->arena, DerivedRows *, run->plan->source_count);
  if (run->derived[source]) return run->derived[source];
  const Select *select = run->select->sources.items[source].select;
  DerivedRows *derived = select->outer_depth == 0 ? cache_get(run->eval, select) : NULL;
  if (!derived) {
    derived = derived_make(run, source);
    if (select->outer_depth == 0 && !run->eval->abort) cache_put(run->eval, select, derived);
  }
  return run->derived[source] = derived;
}

/* ---- All rows --------------------------------------------------------------------------------- */

uint32_t source_row_count(Run *run, uint32_t source) {
  const Table *table = run->select->sources.items[source].table;
  return table ? store_key_count(run->eval->store, table) : source_derived(run, source)->count;
}

static const Value *key_row(Run *run, const Key *key) {
  const Version *version = store_read(run->eval->store, key, run->purpose);
  if (!version) return NULL;
  query_rows_read++;
  return version->values;
}

const Value *source_row_at(Run *run, uint32_t source, uint32_t place, Key **key) {
  const Table *table = run->select->sources.items[source].table;
  if (!table) {
    *key = NULL;
    return source_derived(run, source)->rows[place];
  }
  *key = store_key_at(run->eval->store, table, place);
  return key_row(run, *key);
}

static void scan_run(Run *run, const Step *step) {
  uint32_t count = source_row_count(run, step->source);
  for (uint32_t r = 0; r < count && !run_is_over(run); r++) {
    Key *key;
    const Value *row = source_row_at(run, step->source, r, &key);
    if (row) step_take(run, step, row, key);
  }
}

/* ---- Indexes ------------------------------------------------------------------------------------ */

typedef struct IndexState {
  bool is_sought; /* equal holds what the index is asked for */
  Value *equal;
  Value lower, upper;
} IndexState;

static Type column_type(const Run *run, const Comparison *comparison) {
  return run->select->sources.items[comparison->source].table->columns[comparison->column].type;
}

static ProbeAnswer probe_eval(Run *run, const Comparison *comparison, uint32_t place, Value *value) {
  *value = NULL_VALUE;
  if (!comparison->value_count) return PROBE_FITS; /* IS NULL */
  const Expr *expr = comparison->values[place];
  *value = run_value(run->eval, expr);
  if (run->eval->abort) return PROBE_NOTHING;
  if (value->kind == VALUE_NULL) return comparison->kind == COMPARE_SAME ? PROBE_FITS : PROBE_NOTHING;
  if (value->kind == VALUE_INT) {
    Type type = column_type(run, comparison);
    if (type.kind == TYPE_INT) return PROBE_FITS; /* the common case, without the table of rules */
  }
  return key_fits(run->eval->dialect, column_type(run, comparison), expr->type, value) ? PROBE_FITS
                                                                                       : PROBE_UNFIT;
}

const Value *source_probe(const Run *run, const Step *step, uint32_t column) {
  const IndexState *state = run->states[step->id];
  return state && step->access.kind == ACCESS_INDEX && state->is_sought ? &state->equal[column] : NULL;
}

static const Value LEAST = {.kind = VALUE_NULL};

static void range_run(Run *run, const Step *step, IndexState *state, IndexRange *range) {
  const Access *access = &step->access;
  const Source *source = &run->select->sources.items[step->source];
  range->equal = state->equal;
  range->equal_count = access->equal_count;
  range->descending = access->descending;
  IndexCursor cursor;
  store_seek(run->eval->store, source->table, access->index, range, run->purpose, &cursor);
  for (Key *key; !run_is_over(run) && (key = store_next(&cursor));) {
    const Value *row = key_row(run, key);
    if (row) step_take(run, step, row, key);
  }
}

/* A bound that does not fit is left out. False: it is NULL, and no row can match. */
static bool bound_eval(Run *run, const Comparison *bound, Value *value, const Value **end) {
  if (!bound) return true;
  ProbeAnswer answer = probe_eval(run, bound, 0, value);
  if (answer == PROBE_FITS) *end = value;
  return answer != PROBE_NOTHING;
}

static bool range_bounds(Run *run, const Step *step, IndexState *state, IndexRange *range) {
  const Access *access = &step->access;
  if (!bound_eval(run, access->lower, &state->lower, &range->lower)) return false;
  if (!bound_eval(run, access->upper, &state->upper, &range->upper)) return false;
  range->lower_open = range->lower && access->lower->is_open;
  range->upper_open = range->upper && access->upper->is_open;
  bool skips_null = range->upper || (access->is_ordered && run->plan->stop == STOP_EXTREME);
  if (skips_null && !range->lower) {
    range->lower = &LEAST; /* NULL is below every bound, and no MIN or MAX */
    range->lower_open = true;
  }
  return true;
}

static int value_compare(const void *a, const void *b, void *context) {
  const Run *run = ((void **)context)[0];
  const Comparison *comparison = ((void **)context)[1];
  return value_order(run->eval->dialect, column_type(run, comparison), *(const Value *)a, *(const Value *)b);
}

/* The distinct values of a list, sorted; false: one of them does not fit. */
static bool list_eval(Run *run, const Comparison *list, Value **values, uint32_t *count) {
  *values = arena_alloc(run->eval->arena, list->value_count * sizeof **values);
  *count = 0;
  for (uint32_t i = 0; i < list->value_count; i++) {
    ProbeAnswer answer = probe_eval(run, list, i, &(*values)[*count]);
    if (run->eval->abort || answer == PROBE_UNFIT) return false;
    if (answer == PROBE_FITS) ++*count;
  }
  void *context[] = {run, (void *)list};
  qsort_r(*values, *count, sizeof **values, value_compare, context);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++)
    if (!kept || value_compare(&(*values)[kept - 1], &(*values)[i], context))
      (*values)[kept++] = (*values)[i];
  *count = kept;
  return true;
}

/* The index does not answer: all rows instead. */
static void index_refuse(Run *run, const Step *step) {
  store_seek_refused(run->eval->store);
  scan_run(run, step);
}

static void list_run(Run *run, const Step *step, IndexState *state, IndexRange *range) {
  const Access *access = &step->access;
  Value *values;
  uint32_t count;
  if (!list_eval(run, access->equal[access->list], &values, &count)) {
    if (!run->eval->abort) index_refuse(run, step);
    return;
  }
  for (uint32_t i = 0; i < count && !run_is_over(run); i++) {
    state->equal[access->list] = values[i];
    state->is_sought = true;
    range_run(run, step, state, range);
  }
}

static bool index_is_decided(const Run *run, const Step *step) {
  return !store_undecided(run->eval->store, run->select->sources.items[step->source].table,
                          step->access.index);
}

static void index_run(Run *run, const Step *step) {
  const Access *access = &step->access;
  IndexState *state = run->states[step->id];
  if (!state) {
    state = run->states[step->id] = ARENA_NEW(run->eval->arena, IndexState);
    state->equal = arena_alloc(run->eval->arena, (access->equal_count + 1) * sizeof *state->equal);
  }
  state->is_sought = false;
  for (uint32_t i = 0; i < access->equal_count; i++) {
    if ((int32_t)i == access->list) continue;
    ProbeAnswer answer = probe_eval(run, access->equal[i], 0, &state->equal[i]);
    if (answer == PROBE_NOTHING) return;
    if (answer == PROBE_UNFIT) return index_refuse(run, step);
  }
  IndexRange range = {0};
  if (!range_bounds(run, step, state, &range)) return;
  /* Undecided rows come with every seek: a list, and what relies on order, do without the index then. */
  if (access->list >= 0)
    return index_is_decided(run, step) ? list_run(run, step, state, &range) : index_refuse(run, step);
  state->is_sought = true;
  run->is_in_order = access->is_ordered && index_is_decided(run, step);
  range_run(run, step, state, &range);
}

void source_run(Run *run, const Step *step) {
  switch (step->access.kind) {
  case ACCESS_INDEX: index_run(run, step); break;
  case ACCESS_HASH: hash_run(run, step); break;
  default: scan_run(run, step); break;
  }
}
