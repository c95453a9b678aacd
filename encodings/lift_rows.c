/* lift_rows.c: a statement that takes its rows one by one, run for each row in doubt alone.
 *
 * First it runs without the rows in doubt.  Then it runs for each of them alone, once for each way this row
 * may have been seen.  So its cost is the sum over the rows, not the product.
 *
 * R1  The paths of one row's ways exclude each other, and one of them holds.
 * R2  A way is kept with what it answered and wrote; the store is as before it. */
#include "encodings/lift_internal.h"

#include "semantics/match.h"

enum { WAYS_MOST = 4096, COUNTS_MOST = 256 };

/* One way a row may have been seen. */
typedef struct Way {
  Term path;
  bool fails;
  ErrorSet errors;
  int64_t affected;
  uint32_t row_count;
  const ResultRow *rows; /* of a query */
  StoreWrites writes;    /* copies of versions, in arena */
} Way;
typedef ARRAY(Way) Ways; /* in arena */

typedef struct RowLift {
  Lift *lift;
  RowWise *rowwise;
  RowRun base; /* without the rows in doubt */
  uint32_t row_count;
  const Key *const *keys;
  Ways *ways; /* per row in doubt */
} RowLift;

/* ---- The ways of one row ------------------------------------------------------------------------- */

static bool way_keep(RowLift *rows, const RowRun *run, UndoMark mark, Ways *ways) {
  Lift *lift = rows->lift;
  Way way = {.path = lift->path, .affected = run->outcome.affected};
  if (!run->is_done) {
    way.fails = true;
    if (!rowwise_failed(run, &way.errors)) return false;
  }
  if (run->outcome.affected_also >= 0 || run->outcome.possible || run->eval.possible) return false;
  if (run->is_done && !rows->rowwise->select && !run->outcome.has_affected) return false;
  if (run->is_done && run->outcome.results.count > rows->rowwise->effect->outcome->results.count) {
    const ResultSet *result = &run->outcome.results.items[run->outcome.results.count - 1];
    if (result->has_slice || result->open_order) return false;
    way.row_count = result->row_count;
    way.rows = result->rows;
  }
  StoreWrites writes = {0};
  bool is_plain = store_writes(lift->store, mark, &writes);
  for (uint32_t i = 0; is_plain && !way.fails && i < writes.count; i++) {
    StoreWrite write = writes.items[i];
    is_plain = !write.is_new && write.key == lift->mask_key;
    write.version = lift_version_keep(lift, write.table, write.version);
    ARENA_PUSH(&lift->arena, &way.writes, write);
  }
  ARRAY_FREE(&writes);
  ARENA_PUSH(&lift->arena, ways, way);
  return is_plain;
}

/* False: not to be taken row by row. */
static bool row_run(RowLift *rows, const Key *key, Ways *ways) {
  Lift *lift = rows->lift;
  lift->mask = MASK_OTHERS;
  lift->mask_key = key;
  uint32_t depth = lift->depth;
  StateSet *states = lift->states.items;
  uint32_t state_count = lift->states.count;
  UndoMark mark = store_mark(lift->store);
  bool is_fine = true;
  do {
    lift->depth = depth;
    lift->path = TERM_TRUE;
    lift->states.items = NULL;
    lift->states.count = lift->states.room = 0;
    for (uint32_t i = 0; i < state_count; i++) ARENA_PUSH(&lift->arena, &lift->states, states[i]);
    RowRun run;
    rowwise_run(rows->rowwise, &run);
    if (lift->path != TERM_FALSE) is_fine = way_keep(rows, &run, mark, ways) && !lift->vague;
    store_undo(lift->store, mark);
  } while (is_fine && ways->count < WAYS_MOST && lift_next(lift));
  lift->depth = depth;
  lift->states.items = states;
  lift->states.count = lift->states.room = state_count;
  return is_fine && ways->count < WAYS_MOST;
}

/* What the run around this statement must find again. */
typedef struct Outside {
  Fork *trail;
  uint32_t trail_count, trail_room, base;
  Term path;
} Outside;

static Outside outside_leave(Lift *lift) {
  Outside outside = {lift->trail.items, lift->trail.count, lift->trail.room, lift->base, lift->path};
  Fork *forks = outside.trail;
  lift->trail.items = NULL;
  lift->trail.count = lift->trail.room = 0;
  for (uint32_t i = 0; i < lift->depth; i++) ARRAY_PUSH(&lift->trail, forks[i]);
  lift->base = lift->depth;
  return outside;
}

static void outside_return(Lift *lift, const Outside *outside) {
  ARRAY_FREE(&lift->trail);
  lift->trail.items = outside->trail;
  lift->trail.count = outside->trail_count;
  lift->trail.room = outside->trail_room;
  lift->base = outside->base;
  lift->path = outside->path;
  lift->mask = MASK_NONE;
}

static bool rows_run(RowLift *rows) {
  Lift *lift = rows->lift;
  Outside outside = outside_leave(lift);
  bool is_fine = true;
  for (uint32_t i = 0; is_fine && i < rows->row_count; i++) {
    lift->trail.count = lift->base;
    is_fine = row_run(rows, rows->keys[i], &rows->ways[i]);
  }
  outside_return(lift, &outside);
  return is_fine;
}

/* ---- Together ----------------------------------------------------------------------------------------- */

/* Some row fails: then so does the statement. */
static bool rows_fail(RowLift *rows) {
  Lift *lift = rows->lift;
  Term fails = TERM_FALSE;
  ErrorSet errors = 0;
  for (uint32_t i = 0; i < rows->row_count; i++)
    for (uint32_t k = 0; k < rows->ways[i].count; k++) {
      const Way *way = &rows->ways[i].items[k];
      if (!way->fails) continue;
      fails = term_or(lift->terms, fails, way->path);
      errors |= way->errors;
    }
  if (fails == TERM_FALSE) return false;
  Term guards[] = {term_not(lift->terms, fails), fails};
  if (lift_branch(lift, guards, 2) == 0) return false;
  rows->base.effect.errors |= errors;
  rows->base.is_done = false;
  return true;
}

/* How many rows were changed, and when so many. */
typedef struct Count {
  int64_t count;
  Term guard;
} Count;
typedef ARRAY(Count) Counts;

static void count_add(Lift *lift, Counts *counts, int64_t count, Term guard) {
  if (guard == TERM_FALSE) return;
  for (uint32_t i = 0; i < counts->count; i++)
    if (counts->items[i].count == count) {
      counts->items[i].guard = term_or(lift->terms, counts->items[i].guard, guard);
      return;
    }
  ARENA_PUSH(&lift->arena, counts, (Count){count, guard});
}

/* By running sums: after each row, every sum so far under its guard. */
static Counts counts_make(RowLift *rows) {
  Lift *lift = rows->lift;
  Counts counts = {0};
  count_add(lift, &counts, rows->base.outcome.affected, TERM_TRUE);
  for (uint32_t i = 0; i < rows->row_count && counts.count < COUNTS_MOST; i++) {
    Counts by_row = {0}, next = {0};
    for (uint32_t k = 0; k < rows->ways[i].count; k++)
      if (!rows->ways[i].items[k].fails)
        count_add(lift, &by_row, rows->ways[i].items[k].affected, rows->ways[i].items[k].path);
    bool is_same = by_row.count == 1 && by_row.items[0].count == 0; /* or it fails */
    for (uint32_t c = 0; !is_same && c < counts.count; c++)
      for (uint32_t k = 0; k < by_row.count; k++) {
        Term guard = by_row.count == 1 ? TERM_TRUE : by_row.items[k].guard;
        count_add(lift, &next, counts.items[c].count + by_row.items[k].count,
                  term_and(lift->terms, counts.items[c].guard, guard));
      }
    if (!is_same) counts = next;
  }
  return counts;
}

static void rows_count(RowLift *rows) {
  Lift *lift = rows->lift;
  Outcome *outcome = &rows->base.outcome;
  Counts counts = counts_make(rows);
  bool is_seen = !lift->observed || lift->observed->has_affected;
  if (counts.count > 1 && !is_seen) {
    outcome->has_affected = false;
    lift->count_is_open = true;
    return;
  }
  Term *guards = ARENA_ARRAY(&lift->arena, Term, counts.count + 1);
  for (uint32_t i = 0; i < counts.count; i++)
    guards[i] = counts.count == 1 ? TERM_TRUE : counts.items[i].guard;
  outcome->affected = counts.items[lift_branch(lift, guards, counts.count)].count;
}

/* The rows written to a key in its ways, equal ones together, as versions of which exactly one holds, if
 * every way wrote. */
static void row_write(Lift *lift, const Ways *ways) {
  typedef struct Written {
    StoreWrite write;
    Term guard;
  } Written;
  ARRAY(Written) written = {0};
  bool is_all = true;
  for (uint32_t i = 0; i < ways->count; i++) {
    const Way *way = &ways->items[i];
    if (way->fails) continue; /* then nothing was written at all */
    is_all = is_all && way->writes.count;
    for (uint32_t k = 0; k < way->writes.count; k++) {
      const StoreWrite *write = &way->writes.items[k];
      uint32_t at = 0;
      while (at < written.count &&
             !versions_show_same(written.items[at].write.version, write->version, write->table->column_count))
        at++;
      if (at == written.count)
        ARENA_PUSH(&lift->arena, &written, (Written){*write, way->path});
      else
        written.items[at].guard = term_or(lift->terms, written.items[at].guard, way->path);
    }
  }
  for (uint32_t i = 0; i < written.count; i++) {
    const StoreWrite *write = &written.items[i].write;
    const Value *values = write->version->is_tombstone ? NULL : write->version->values;
    bool is_certain = is_all && written.count == 1;
    Key *key = store_put(lift->store, write->table, write->key, values, write->rowid,
                         is_certain ? 0 : written.items[i].guard);
    if (is_all && !is_certain) key->newest->together = i + 1;
    lift->guarded += !is_certain;
  }
}

/* ---- Queries ---------------------------------------------------------------------------------------------
 */

/* Observed rows that are alike, and the rows of the result that may be among them. */
typedef struct Sort {
  uint32_t first, count; /* the first observed one; how many */
  const ResultRow *row;
  ARRAY(Term) guards;
} Sort;

typedef struct Matching {
  RowLift *rows;
  const ResultSet *result;
  const ObservedRows *observed;
  Sort *sorts;       /* by their first observed row */
  uint32_t *sort_of; /* per observed row: 1 + place of its sort's first row; 0: none yet */
  Term holds;
} Matching;

/* 1, 0, -1: cannot be told. */
static int row_matches(const Matching *matching, const ResultRow *row, const ObservedRow *observed) {
  const Eval *eval = matching->rows->rowwise->effect->eval;
  if (observed->count != matching->result->column_count) return 0;
  for (uint32_t i = 0; i < observed->count; i++) {
    if (row->values[i].kind == VALUE_DOUBT || row->values[i].kind == VALUE_DOUBLE) return -1;
    int equal = match_cell(eval->dialect, eval->doubts, row->values[i], matching->result->column_types[i], 0,
                           &observed->cells[i]);
    if (equal != 1) return equal;
  }
  return 1;
}

/* What was seen that the row may be. */
typedef enum Fit { FIT_NONE, FIT_SEEN, FIT_UNTOLD } Fit;

/* A row that is there where the guard holds. */
static Fit matching_add(Matching *matching, const ResultRow *row, Term guard) {
  Lift *lift = matching->rows->lift;
  uint32_t sort = 0;
  for (uint32_t i = 0; i < matching->observed->count; i++) {
    if (sort && matching->sort_of[i] && matching->sort_of[i] != sort) continue; /* of another sort */
    int matches = row_matches(matching, row, &matching->observed->rows[i]);
    if (matches < 0) return FIT_UNTOLD;
    if (!matches) {
      if (sort && matching->sort_of[i] == sort) return FIT_UNTOLD;
      continue;
    }
    if (!sort) sort = matching->sort_of[i] ? matching->sort_of[i] : i + 1;
    if (matching->sort_of[i] && matching->sort_of[i] != sort) return FIT_UNTOLD;
    if (!matching->sort_of[i] && matching->sorts[sort - 1].guards.count)
      return FIT_UNTOLD; /* others did not match it */
    if (!matching->sort_of[i]) matching->sorts[sort - 1].count++;
    matching->sort_of[i] = sort;
  }
  if (!sort) return FIT_NONE;
  Sort *found = &matching->sorts[sort - 1];
  if (!found->row) found->row = row;
  ARENA_PUSH(&lift->arena, &found->guards, guard);
  return FIT_SEEN;
}

/* One of the ways that show nothing but what was seen: they are often few, and all that their terms hang on.
 */
static bool matching_add_ways(Matching *matching, const Ways *ways) {
  Lift *lift = matching->rows->lift;
  ARRAY(Term) fitting = {0};
  bool fits_all = true;
  for (uint32_t k = 0; k < ways->count; k++) {
    const Way *way = &ways->items[k];
    Fit fit = FIT_SEEN;
    for (uint32_t r = 0; r < way->row_count && fit == FIT_SEEN; r++)
      fit = matching_add(matching, &way->rows[r], way->path);
    if (fit == FIT_UNTOLD) return false;
    fits_all = fits_all && fit == FIT_SEEN;
    if (fit == FIT_SEEN) ARENA_PUSH(&lift->arena, &fitting, way->path);
  }
  if (fits_all) return true; /* R1 */
  matching->holds =
      term_and(lift->terms, matching->holds, term_or_all(lift->terms, fitting.items, fitting.count));
  return true;
}

static bool matching_collect(Matching *matching) {
  RowLift *rows = matching->rows;
  for (uint32_t i = 0; i < matching->result->row_count; i++) {
    if (matching->result->rows[i].alternative_count) return false;
    Fit fit = matching_add(matching, &matching->result->rows[i], TERM_TRUE);
    if (fit == FIT_UNTOLD) return false;
    if (fit == FIT_NONE) matching->holds = TERM_FALSE;
  }
  for (uint32_t i = 0; i < rows->row_count; i++)
    if (!matching_add_ways(matching, &rows->ways[i])) return false;
  return true;
}

/* As many rows of each sort as were seen. */
static void matching_count(Matching *matching) {
  Terms *terms = matching->rows->lift->terms;
  for (uint32_t i = 0; i < matching->observed->count && matching->holds != TERM_FALSE; i++) {
    if (!matching->sort_of[i]) matching->holds = TERM_FALSE; /* nothing matches it */
    if (matching->sort_of[i] != i + 1) continue;
    const Sort *sort = &matching->sorts[i];
    matching->holds = term_and(terms, matching->holds,
                               term_count_is(terms, sort->guards.items, sort->guards.count, sort->count));
  }
}

/* The result as it was observed; if ORDER BY does not allow that, nothing holds. */
static void matching_result(Matching *matching, ResultSet *result) {
  Lift *lift = matching->rows->lift;
  const RowWise *rowwise = matching->rows->rowwise;
  result->row_count = matching->observed->count;
  result->rows = ARENA_ARRAY(&lift->arena, ResultRow, result->row_count + 1);
  for (uint32_t i = 0; i < result->row_count; i++) {
    result->rows[i] = *matching->sorts[matching->sort_of[i] - 1].row;
    result->rows[i].tie = 0;
    if (!i || !result->is_ordered) continue;
    int order = result_rows_compare(rowwise->effect->eval->dialect, rowwise->select,
                                    result->rows[i - 1].values, result->rows[i].values);
    result->rows[i].tie = result->rows[i - 1].tie + (order != 0);
    if (order > 0) matching->holds = TERM_FALSE;
  }
}

/* Every row that may be there: not what was observed. */
static void matching_refuse(const Matching *matching, ResultSet *result) {
  const RowLift *rows = matching->rows;
  Lift *lift = rows->lift;
  ARRAY(ResultRow) all = {0};
  for (uint32_t i = 0; i < matching->result->row_count; i++)
    ARENA_PUSH(&lift->arena, &all, matching->result->rows[i]);
  for (uint32_t i = 0; i < rows->row_count; i++)
    for (uint32_t r = 0; rows->ways[i].count && r < rows->ways[i].items[0].row_count; r++)
      ARENA_PUSH(&lift->arena, &all, rows->ways[i].items[0].rows[r]);
  result->rows = all.items;
  result->row_count = all.count;
}

/* False: not to be taken row by row. */
static bool rows_answer(RowLift *rows) {
  Lift *lift = rows->lift;
  const Operation *operation = lift->observed;
  ResultSet *result = &rows->base.outcome.results.items[rows->base.outcome.results.count - 1];
  if (result->has_slice || result->open_order) return false;
  if (!operation->has_rows) return true;
  if (operation->result_count != 1) return false;
  ResultSet before = *result;
  Matching matching = {
      .rows = rows, .result = &before, .observed = &operation->results[0], .holds = TERM_TRUE};
  matching.sorts = arena_zero(&lift->arena, (matching.observed->count + 1) * sizeof *matching.sorts);
  matching.sort_of = ARENA_ARRAY(&lift->arena, uint32_t, matching.observed->count + 1);
  if (!matching_collect(&matching)) return false;
  matching_count(&matching);
  if (matching.holds != TERM_FALSE) matching_result(&matching, result);
  if (matching.holds == TERM_FALSE)
    matching_refuse(&matching, result);
  else
    lift_require(lift, matching.holds);
  return true;
}

/* ---- The statement
 * ------------------------------------------------------------------------------------------ */

/* Where rows share the state they are read from, forks over that state are fewer, and tell more. */
static bool rows_are_wanted(const Lift *lift, const RowWise *rowwise) {
  if (!store_view(lift->store) || lift->mask || lift->is_undone || lift->explains_error ||
      lift->any_state_explains)
    return false;
  if (rowwise->select)
    return lift->takes_rows && lift->observed && !rowwise->is_nested && !lift->observed->error;
  ReadRule rule = lift->level->rules[READ_FIND_TARGET];
  return lift->takes_rows || rule == RULE_KEY || rule == RULE_CURRENT;
}

/* As it is: rows in doubt fork. */
static bool rows_fork(RowWise *rowwise) {
  RowRun run;
  rowwise_run(rowwise, &run);
  return rowwise_adopt(rowwise, &run);
}

static bool rows_finish(RowLift *rows) {
  if (rows_fail(rows)) return true;
  if (rows->rowwise->select) return rows_answer(rows);
  for (uint32_t i = 0; i < rows->row_count; i++) row_write(rows->lift, &rows->ways[i]);
  rows_count(rows);
  return true;
}

bool lift_rows_run(void *context, RowWise *rowwise) {
  Lift *lift = context;
  if (!rows_are_wanted(lift, rowwise)) return rows_fork(rowwise);
  RowLift rows = {.lift = lift, .rowwise = rowwise};
  UndoMark mark = store_mark(lift->store);
  lift->mask = MASK_DOUBTFUL;
  lift->mask_table = rowwise->table->id;
  lift->is_mixed = false;
  lift->masked.items = NULL;
  lift->masked.count = lift->masked.room = 0;
  const char *vague = lift->vague;
  rowwise_run(rowwise, &rows.base);
  lift->mask = MASK_NONE;
  rows.keys = lift->masked.items;
  rows.row_count = lift->masked.count;
  if (!rows.row_count && !lift->is_mixed) return rowwise_adopt(rowwise, &rows.base);
  rows.ways = arena_zero(&lift->arena, rows.row_count * sizeof *rows.ways);
  bool is_fine = rows.base.is_done && !lift->is_mixed && !rows.base.outcome.possible && rows_run(&rows);
  if (is_fine && rows_finish(&rows)) return rowwise_adopt(rowwise, &rows.base);
  lift->vague = vague;
  store_undo(lift->store, mark);
  return rows_fork(rowwise);
}
