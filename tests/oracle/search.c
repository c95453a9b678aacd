/* search.c: executions in one order, by definition. */
#include "tests/oracle/search.h"

#include <stdlib.h>

static bool transaction_explain(Search *search, uint32_t place);
static bool step_explain(Search *search, uint32_t place, uint32_t step, uint32_t seen, const Own *own);

static bool search_is_over(Search *search) {
  if (++search->nodes > NODES_MOST) world_beyond(search->world, "too many executions");
  return search->world->beyond[0] != 0;
}

/* ---- The end of an execution --------------------------------------------------------- */

static bool final_holds(const World *world, const State *state, const TableLine *line) {
  int table = world_table_find(world, line->table, strlen(line->table));
  Value cells[ITEMS_MOST][COLUMNS_MOST];
  const Value *rows[ITEMS_MOST];
  uint32_t count = 0, width = line->has_columns ? line->column_count : world->tables[table].column_count;
  for (uint32_t i = 0; i < state->count; i++) {
    const Row *row = world->rows.items[state->items[i].row];
    if ((int)row->table != table) continue;
    for (uint32_t c = 0; c < width; c++)
      for (uint32_t from = 0; from < row->count; from++)
        if (line->has_columns ? !strcmp(line->columns[c], world->tables[table].columns[from]) : from == c)
          cells[count][c] = row->values[from];
    rows[count] = cells[count];
    count++;
  }
  ObservedRow observed[ITEMS_MOST];
  if (line->row_count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    observed[i] = (ObservedRow){line->rows[i].count, line->rows[i].observed};
  return rows_match(rows, count, width, &(ObservedRows){count, observed}, false);
}

static bool failure_is_in(Search *search, const Statement *statement, Failure failure, const State *state,
                          const Own *own) {
  State view;
  view_take(search->world, state, own, statement->tables, &view);
  Failure raised = world_run(search->world, statement, view.items, view.count)->failure;
  return raised && (failure == FAILURE_ANY || raised == failure);
}

/* Only what is about other rows may come from another state than the step's. */
static bool failure_is_elsewhere(Search *search, const Statement *statement, Failure failure,
                                 const State *state, const Own *own) {
  if (failure != FAILURE_ANY) return failure_is_in(search, statement, failure, state, own);
  return failure_is_in(search, statement, FAILURE_UNIQUE, state, own) ||
         failure_is_in(search, statement, FAILURE_FOREIGN_KEY, state, own);
}

static bool debts_are_paid(Search *search) {
  for (uint32_t i = 0; i < search->debt_count; i++) {
    const Debt *debt = &search->debts[i];
    bool is_paid = false;
    for (uint32_t state = 0; !is_paid && state <= search->order->length; state++)
      is_paid =
          failure_is_elsewhere(search, debt->statement, debt->failure, &search->states[state], &debt->own);
    if (!is_paid) return false;
  }
  return true;
}

static bool execution_ends(Search *search) {
  const State *last = &search->states[search->order->length];
  const History *history = search->order->history;
  for (uint32_t i = 0; search->wants_final && i < history->finals.count; i++)
    if (!final_holds(search->world, last, history->finals.items[i])) return false;
  return debts_are_paid(search) && !search->world->beyond[0];
}

/* ---- The end of a transaction -------------------------------------------------------- */

static RowId row_in(const State *state, KeyId key) {
  const Item *item = state_find(state, key);
  return item ? item->row : 0;
}

/* No write conflict: nobody between its snapshot and its commit wrote a key that it wrote. */
static bool writes_conflict(const Search *search, uint32_t place, uint32_t seen, const Own *own) {
  if (!search->rules->by_values) {
    for (uint32_t other = seen + 1; other < place; other++)
      for (uint32_t i = 0; i < own->touched.count; i++)
        if (keyset_has(&search->touched[other], own->touched.keys[i])) return true;
    return false;
  }
  const State *snapshot = &search->states[seen], *before = &search->states[place - 1];
  for (uint32_t i = 0; i < own->count; i++) {
    RowId then = row_in(snapshot, own->items[i].key);
    if (own->items[i].row != then && then != row_in(before, own->items[i].key)) return true;
  }
  return false;
}

static bool transaction_end(Search *search, uint32_t place, uint32_t seen, const Own *own) {
  bool is_aborted = order_at(search->order, place)->status == STATUS_ABORTED;
  if (!is_aborted && level_is_snapshot(search->rules->level) && writes_conflict(search, place, seen, own))
    return false;
  State *after = &search->states[place];
  if (!state_overlay(&search->states[place - 1], own, after))
    return world_beyond(search->world, "too many rows");
  if (!world_allows(search->world, after)) return false;
  search->touched[place] = own->touched;
  if (is_aborted) { /* nobody sees what it wrote */
    *after = search->states[place - 1];
    search->touched[place].count = 0;
  }
  uint64_t past = hash_mix(search->pasts[place - 1], hash_bytes(after->items, after->count * sizeof(Item)));
  past =
      hash_mix(past, hash_bytes(search->touched[place].keys, search->touched[place].count * sizeof(KeyId)));
  search->pasts[place] = past;
  return transaction_explain(search, place + 1);
}

/* ---- Steps --------------------------------------------------------------------------- */

typedef struct Step {
  Search *search;
  uint32_t place, step, seen; /* seen: the state it read, for the bound on the next */
  const Statement *statement;
  const Own *own;
  bool is_observed;
} Step;

/* Goes on after a step with this effect, if it is what was observed. */
static bool effect_take(void *context, const Effect *effect) {
  Step *step = context;
  Search *search = step->search;
  if (step->is_observed ? !effect_matches(search->world, step->statement, effect)
                        : effect->failure != FAILURE_NONE)
    return false;
  Own own = *step->own;
  uint32_t txn = search->order->places[step->place - 1];
  if (!effect_apply(search->world, effect, &search->states[step->place - 1], txn, &own)) return false;
  return step_explain(search, step->place, step->step + 1, step->seen, &own);
}

static bool view_try(Step *step, const State *view) {
  Effect effect;
  effect_of_outcome(step->search->world,
                    world_run(step->search->world, step->statement, view->items, view->count), view, &effect);
  return effect_take(step, &effect);
}

static bool view_take_for(void *context, const State *view) { return view_try(context, view); }

typedef struct Wanted {
  Step *step;
  Failure failure;
} Wanted;

static bool view_raises(void *context, const State *view) {
  Wanted *wanted = context;
  const Outcome *outcome =
      world_run(wanted->step->search->world, wanted->step->statement, view->items, view->count);
  return outcome->failure && (wanted->failure == FAILURE_ANY || outcome->failure == wanted->failure);
}

static bool effect_fails(void *context, const Effect *effect) {
  const Failure *failure = context;
  return effect->failure && (*failure == FAILURE_ANY || *failure == effect->failure);
}

/* Does the step itself raise the error? */
static bool step_fails(const Step *step, Failure failure) {
  Search *search = step->search;
  if (level_is_vendor(search->rules->level))
    return vendor_step(search->world, search->rules->level, step->statement, search->states, step->seen,
                       step->place - 1, step->own, effect_fails, &failure);
  return failure_is_in(search, step->statement, failure, &search->states[step->seen], step->own);
}

/* An observed error: explained, it has no effect. */
static bool failure_explain(Step *step, Failure failure) {
  Search *search = step->search;
  bool is_about_others =
      failure == FAILURE_UNIQUE || failure == FAILURE_FOREIGN_KEY || failure == FAILURE_ANY;
  bool is_explained = failure == FAILURE_REFUSED || step_fails(step, failure);
  for (uint32_t state = step->seen; is_about_others && !is_explained && state < step->place; state++)
    is_explained = failure_is_elsewhere(search, step->statement, failure, &search->states[state], step->own);
  uint32_t debt_count = search->debt_count;
  if (!is_explained) {
    if (!is_about_others || !search->rules->is_search || !level_is_serial(search->rules->level)) return false;
    if (debt_count == STEPS_MOST) return world_beyond(search->world, "too many errors");
    search->debts[search->debt_count++] = (Debt){step->statement, failure, *step->own};
  }
  bool is_found = step_explain(search, step->place, step->step + 1, step->seen, step->own);
  search->debt_count = debt_count;
  return is_found;
}

static bool step_is_undone(const Step *step) {
  const Transaction *transaction = order_at(step->search->order, step->place);
  uint32_t txn = step->search->order->places[step->place - 1];
  if (!step->own->saved) return false;
  for (uint32_t i = step->step + 1; i < transaction->operation_count; i++) {
    if (transaction->operations[i].meta) continue;
    StatementKind kind = step->search->statements[txn][i]->kind;
    if (kind == STATEMENT_ROLLBACK_TO) return true;
    if (kind == STATEMENT_RELEASE || kind == STATEMENT_SAVEPOINT) return false;
  }
  return false;
}

/* The step reads state `seen` (at rc: states from there on). */
static bool step_try(Step *step) {
  Search *search = step->search;
  const Operation *operation = step->statement->operation;
  Level level = search->rules->level;
  uint32_t last = step->place - 1;
  if (step->is_observed && operation->error) {
    if (search->world->dialect.name == DIALECT_POSTGRESQL)
      return world_beyond(search->world, "an error inside a PostgreSQL transaction");
    Failure failure = failure_of_code(operation->error);
    if (level == LEVEL_RC && failure != FAILURE_REFUSED)
      return mixture_each(search->world, search->states + step->seen, step->place - step->seen, step->own,
                          step->statement->tables, view_raises, &(Wanted){step, failure}) &&
             step_explain(search, step->place, step->step + 1, step->seen, step->own);
    return failure_explain(step, failure);
  }
  if (!step->is_observed && operation->error) /* to remove an error is to remove its statement */
    return step_explain(search, step->place, step->step + 1, step->seen, step->own);
  if (level == LEVEL_RC)
    return mixture_each(search->world, search->states + step->seen, step->place - step->seen, step->own,
                        step->statement->tables, view_take_for, step);
  if (level_is_vendor(level) && step_is_undone(step) && level_has_one_state(level)) {
    const State *view = &search->states[step->seen];
    uint32_t oldest = search->rules->is_fresh ? order_freshest(search->order, step->place, -1) : 0;
    return vendor_step_undone(search->world, level, step->statement, search->states, oldest, last, view,
                              step->own, effect_take, step);
  }
  if (level_is_vendor(level) && step_is_undone(step))
    return vendor_step_undone(search->world, level, step->statement, search->states, step->seen, last,
                              &search->states[step->seen], step->own, effect_take, step);
  if (level_is_vendor(level))
    return vendor_step(search->world, level, step->statement, search->states, step->seen, last, step->own,
                       effect_take, step);
  State view;
  view_take(search->world, &search->states[step->seen], step->own, step->statement->tables, &view);
  return view_try(step, &view);
}

static uint64_t situation_hash(const Search *search, uint32_t place, uint32_t step, uint32_t seen,
                               const Own *own) {
  uint64_t hash = hash_mix(search->pasts[place - 1], (uint64_t)place << 32 | step << 16 | seen);
  hash = hash_mix(hash, hash_bytes(own->items, own->count * sizeof(Item)));
  hash = hash_mix(hash, hash_bytes(own->touched.keys, own->touched.count * sizeof(KeyId)));
  if (own->saved) {
    hash = hash_mix(hash, hash_bytes(own->saved->items, own->saved->count * sizeof(Item)) + 1);
    hash = hash_mix(hash, hash_bytes(own->saved->touched.keys, own->saved->touched.count * sizeof(KeyId)));
  }
  for (uint32_t i = 0; i < search->debt_count; i++) {
    const Debt *debt = &search->debts[i];
    hash = hash_mix(hash, debt->statement->id);
    hash = hash_mix(hash, hash_bytes(debt->own.items, debt->own.count * sizeof(Item)));
  }
  return hash;
}

/* True: this situation was met before, and nothing came of it. */
static bool situation_is_known(Search *search, uint64_t hash) {
  if (map_get(&search->tried, (const char *)&hash, sizeof hash)) return true;
  map_put_copy(&search->tried, (const char *)&hash, sizeof hash, search);
  return false;
}

/* seen: the state of the step before (with one state per transaction: its state). */
static bool step_explain(Search *search, uint32_t place, uint32_t step, uint32_t seen, const Own *own) {
  if (search_is_over(search)) return false;
  const Transaction *transaction = order_at(search->order, place);
  if (step == transaction->operation_count) return transaction_end(search, place, seen, own);
  if (situation_is_known(search, situation_hash(search, place, step, seen, own))) return false;
  uint32_t txn = search->order->places[place - 1];
  Step next = {
      search, place, step, seen, search->statements[txn][step], own, search->order->is_observed[txn]};
  if (transaction->operations[step].meta) return step_explain(search, place, step + 1, seen, own);
  if (statement_is_about_savepoints(next.statement)) {
    Own moved = own_move(own, next.statement);
    return step_explain(search, place, step + 1, seen, &moved);
  }
  Level level = search->rules->level;
  if (level_is_serial(level) || level_has_one_state(level)) return step_try(&next);
  uint32_t oldest = search->rules->is_fresh ? order_freshest(search->order, place, (int)step) : 0;
  if (oldest >= place) return false;
  if (level == LEVEL_RC) {
    next.seen = oldest;
    return step_try(&next);
  }
  for (next.seen = oldest > seen ? oldest : seen; next.seen < place; next.seen++)
    if (step_try(&next)) return true;
  return false;
}

static bool transaction_explain(Search *search, uint32_t place) {
  if (place > search->order->length) return execution_ends(search);
  Level level = search->rules->level;
  Own own = {0};
  if (level_is_serial(level)) return step_explain(search, place, 0, place - 1, &own);
  if (!level_has_one_state(level)) return step_explain(search, place, 0, 0, &own);
  uint32_t oldest =
      search->rules->is_fresh && level != LEVEL_SSI ? order_freshest(search->order, place, -1) : 0;
  for (uint32_t state = oldest; state < place; state++) {
    if (level == LEVEL_SSI && !order_allows_snapshot(search->order, place, state)) continue;
    if (step_explain(search, place, 0, state, &own)) return true;
  }
  return false;
}

bool search_run(Search *search) {
  search->states[0] = search->world->initial;
  search->touched[0].count = 0;
  search->pasts[0] = 1;
  search->debt_count = 0;
  map_init(&search->tried);
  bool is_found = world_allows(search->world, &search->world->initial) && transaction_explain(search, 1);
  map_free(&search->tried);
  return is_found;
}
