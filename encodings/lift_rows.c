/* lift_rows.c: a statement that takes its rows one by one, run for each row in doubt alone.
 *
 * First it runs without the rows in doubt.  Then it runs for each of them alone, once for each way this row
 * may have been seen.  So its cost is the sum over the rows, not the product.
 *
 * R1  The paths of one row's ways exclude each other, and one of them holds.
 * R2  A way is kept with what it answered and wrote; the store is as before it. */
#include "encodings/lift_internal.h"

#include "semantics/match.h"

enum { COUNTS_MOST = 256 };

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

/* What is run for each row. */
typedef struct RowRunning {
  RowLift *rows;
  Ways *ways;
} RowRunning;

static bool row_run(void *context, UndoMark mark) {
  RowRunning *running = context;
  RowRun run;
  rowwise_run(running->rows->rowwise, &run);
  if (running->rows->lift->path == TERM_FALSE) return true;
  return way_keep(running->rows, &run, mark, running->ways) && !running->rows->lift->vague &&
         running->ways->count < WAYS_MOST;
}

/* False: not to be taken row by row. */
static bool rows_run(RowLift *rows) {
  Lift *lift = rows->lift;
  LiftOutside outside = lift_leave(lift);
  bool is_fine = true;
  for (uint32_t i = 0; is_fine && i < rows->row_count; i++) {
    RowRunning running = {rows, &rows->ways[i]};
    is_fine = lift_each_way(lift, rows->keys[i], row_run, &running);
  }
  lift_return(lift, &outside);
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

/* False: no way is left in which they were. */
static bool rows_count(RowLift *rows) {
  Lift *lift = rows->lift;
  Outcome *outcome = &rows->base.outcome;
  Counts counts = counts_make(rows);
  bool is_seen = !lift->observed || lift->observed->has_affected;
  if (counts.count > 1 && !is_seen) {
    outcome->has_affected = false;
    lift->count_is_open = true;
    return true;
  }
  if (!counts.count) return false;
  Term *guards = ARENA_ARRAY(&lift->arena, Term, counts.count + 1);
  for (uint32_t i = 0; i < counts.count; i++)
    guards[i] = counts.count == 1 ? TERM_TRUE : counts.items[i].guard;
  outcome->affected = counts.items[lift_branch(lift, guards, counts.count)].count;
  return true;
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

/* ---- Queries ---------------------------------------------------------------------------------- */

/* Every row that may be there, for the report. */
static void matching_refuse(const Matching *matching, ResultSet *result) {
  Lift *lift = matching->lift;
  ARRAY(ResultRow) all = {0};
  for (uint32_t i = 0; i < matching->result->row_count; i++)
    ARENA_PUSH(&lift->arena, &all, matching->result->rows[i]);
  for (uint32_t i = 0; i < matching->way_count; i++)
    for (uint32_t r = 0; matching->ways[i].count && r < matching->ways[i].items[0].row_count; r++)
      ARENA_PUSH(&lift->arena, &all, matching->ways[i].items[0].rows[r]);
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
  Matching matching = {.lift = lift,
                       .eval = rows->rowwise->effect->eval,
                       .select = rows->rowwise->select,
                       .result = &before,
                       .observed = &operation->results[0],
                       .ways = rows->ways,
                       .way_count = rows->row_count};
  if (!matching_run(&matching, result)) return false;
  if (matching.holds == TERM_FALSE) matching_refuse(&matching, result);
  lift_require(lift, matching.holds);
  return true;
}

/* ---- The statement ------------------------------------------------------------------------------------- */

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
  return rows_count(rows);
}

/* A row that the statement takes, not one that it looks up besides. */
static const uint32_t purposes_of_rows =
    1u << READ_PLAIN | 1u << READ_FIND_TARGET | 1u << READ_RECHECK_TARGET;

bool lift_rows_run(void *context, RowWise *rowwise) {
  Lift *lift = context;
  if (!rows_are_wanted(lift, rowwise) || !rowwise_prepare(rowwise)) return rows_fork(rowwise);
  RowLift rows = {.lift = lift, .rowwise = rowwise};
  UndoMark mark = store_mark(lift->store);
  lift_mask(lift, rowwise->table, purposes_of_rows);
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
