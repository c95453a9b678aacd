/* compose.c: an execution is made step by step, and what it gives is written down as observed. */
#include "tests/oracle/compose.h"

#include <stdlib.h>

/* ---- Steps --------------------------------------------------------------------------- */

typedef struct Sample {
  Draw *draw;
  Effect effect;
  uint32_t count;
} Sample;

/* Keeps one of all effects, each with the same chance. */
static bool sample_take(void *context, const Effect *effect) {
  Sample *sample = context;
  if (draw_below(sample->draw, ++sample->count) == 0) sample->effect = *effect;
  return false;
}

typedef struct Pick {
  uint32_t skip;
  State view;
} Pick;

static bool view_pick(void *context, const State *view) {
  Pick *pick = context;
  pick->view = *view;
  return pick->skip-- == 0;
}

/* Newer states more often. */
static uint32_t state_draw(Compose *compose, uint32_t oldest) {
  return draw_percent(&compose->draw, compose->model.is_focused ? 25 : 45)
             ? compose->place
             : oldest + draw_below(&compose->draw, compose->place - oldest + 1);
}

/* seen: in the state of the step before (or of the transaction), out that of this step. */
static void step_execute(Compose *compose, const Statement *statement, const Own *own, uint32_t *seen,
                         Effect *effect) {
  Level level = compose->rules.level;
  State view;
  if (level == LEVEL_RC)
    *seen = state_draw(compose, 0);
  else if (!level_is_serial(level) && !level_has_one_state(level))
    *seen = state_draw(compose, *seen);
  if (level_is_vendor(level)) {
    Sample sample = {.draw = &compose->draw};
    vendor_step(compose->world, level, statement, compose->states, *seen, compose->place, own, sample_take,
                &sample);
    *effect = sample.effect;
    return;
  }
  if (level == LEVEL_RC) {
    Pick pick = {.skip = draw_below(&compose->draw, 40)};
    mixture_each(compose->world, compose->states + *seen, compose->place - *seen + 1, own, statement->tables,
                 view_pick, &pick);
    view = pick.view;
  } else {
    view_take(compose->world, &compose->states[*seen], own, statement->tables, &view);
  }
  effect_of_outcome(compose->world, world_run(compose->world, statement, view.items, view.count), &view,
                    effect);
}

static void rows_observe(Arena *arena, const Effect *effect, Operation *operation) {
  operation->has_rows = true;
  operation->result_count = 1;
  operation->results = ARENA_NEW(arena, ObservedRows);
  operation->results->count = effect->row_count;
  operation->results->rows = ARENA_ARRAY(arena, ObservedRow, effect->row_count);
  for (uint32_t r = 0; r < effect->row_count; r++) {
    ObservedRow *row = &operation->results->rows[r];
    *row = (ObservedRow){effect->column_count, ARENA_ARRAY(arena, Observed, effect->column_count)};
    for (uint32_t c = 0; c < effect->column_count; c++)
      row->cells[c].value = value_copy(arena, effect->rows[r][c]);
  }
}

static void effect_observe(Compose *compose, const Effect *effect, Operation *operation) {
  Arena *arena = &compose->history->arena;
  if (effect->failure)
    operation->error = failure_code(effect->failure, dialect_is_mysql(&compose->world->dialect));
  else if (draw_percent(&compose->draw, compose->model.is_focused ? 7 : 15))
    return; /* not observed */
  else if (effect->column_count)
    rows_observe(arena, effect, operation);
  else
    operation->has_affected = true, operation->affected = effect_affected(compose->world, effect);
}

/* Errors are written down where it is clear what they mean: in PostgreSQL they end the transaction, and which
 * states explain one is said of keys, not of what an INSERT ... SELECT or an UPDATE read. */
static bool failure_is_wanted(const Compose *compose, const Statement *statement, Failure failure) {
  if (compose->world->dialect.name == DIALECT_POSTGRESQL) return false;
  if (failure == FAILURE_UNIQUE || failure == FAILURE_FOREIGN_KEY) return statement->is_plain_insert;
  return true;
}

/* Appends one random statement to the transaction, if it can be part of it. */
static void step_compose(Compose *compose, Transaction *transaction, uint32_t txn, Own *own, uint32_t *seen) {
  Text text;
  Effect effect;
  statement_draw(&compose->model, &compose->draw, &text);
  Arena *arena = &compose->history->arena;
  Operation *operation = &transaction->operations[transaction->operation_count];
  *operation = (Operation){.kind = OPERATION_SQL,
                           .sql = arena_text(arena, text.text, text.length),
                           .sql_length = (uint32_t)text.length};
  Statement *statement = world_statement(compose->world, operation);
  if (!statement) return;
  uint32_t state = *seen;
  Own after = *own;
  step_execute(compose, statement, own, &state, &effect);
  if (effect.failure && !failure_is_wanted(compose, statement, effect.failure)) return;
  if (!effect_apply(compose->world, &effect, &compose->states[compose->place], txn, &after)) return;
  effect_observe(compose, &effect, operation);
  compose->seen[txn][transaction->operation_count++] = state;
  *own = after;
  *seen = state;
}

/* ---- Savepoints ------------------------------------------------------------------------ */

static void savepoint_add(Compose *compose, Transaction *transaction, uint32_t txn, const char *sql,
                          uint32_t seen) {
  transaction->operations[transaction->operation_count] =
      (Operation){.kind = OPERATION_SQL, .sql = sql, .sql_length = (uint32_t)strlen(sql)};
  compose->seen[txn][transaction->operation_count++] = seen;
}

/* One or two steps behind a savepoint, mostly undone.  No keys are made there: whether what is undone
 * must have been free is the database's business. */
static void section_compose(Compose *compose, Transaction *transaction, uint32_t txn, Own *own,
                            uint32_t *seen) {
  Own saved = *own;
  bool is_undone = draw_percent(&compose->draw, 75);
  savepoint_add(compose, transaction, txn, "SAVEPOINT s", *seen);
  compose->model.keeps_keys = true;
  own->saved = &saved;
  for (uint32_t i = 1 + draw_below(&compose->draw, 2); i > 0; i--)
    step_compose(compose, transaction, txn, own, seen);
  compose->model.keeps_keys = false;
  savepoint_add(compose, transaction, txn, is_undone ? "ROLLBACK TO s" : "RELEASE s", *seen);
  saved.body_count = own->body_count;
  if (is_undone) *own = saved;
  own->saved = NULL;
}

/* ---- Transactions -------------------------------------------------------------------- */

static RowId row_in(const State *state, KeyId key) {
  const Item *item = state_find(state, key);
  return item ? item->row : 0;
}

static bool conflict_is_met(const Compose *compose, uint32_t seen, const Own *own) {
  for (uint32_t i = 0; compose->rules.by_values && i < own->count; i++) {
    RowId then = row_in(&compose->states[seen], own->items[i].key);
    RowId now = row_in(&compose->states[compose->place], own->items[i].key);
    if (own->items[i].row != then && then != now) return true;
  }
  if (compose->rules.by_values) return false;
  for (uint32_t other = seen + 1; other <= compose->place; other++)
    for (uint32_t i = 0; i < own->touched.count; i++)
      if (keyset_has(&compose->touched[other], own->touched.keys[i])) return true;
  return false;
}

static void transaction_compose(Compose *compose, uint32_t percent_unknown, uint32_t percent_aborted) {
  History *history = compose->history;
  uint32_t txn = history->count++, seen = 0;
  Level level = compose->rules.level;
  Transaction *transaction = ARENA_NEW(&history->arena, Transaction);
  transaction->name = arena_format(&history->arena, "t%u", txn + 1);
  transaction->operations = ARENA_ARRAY(&history->arena, Operation, STEPS_MOST);
  history->transactions[txn] = transaction;
  compose->places[txn] = 0;
  if (level_is_serial(level)) seen = compose->place;
  if (level_has_one_state(level)) seen = state_draw(compose, 0);
  uint32_t snapshot = seen, wanted = 1 + draw_below(&compose->draw, 4);
  Own own = {0};
  bool has_section =
      !compose->world->has_unique && !compose->world->has_foreign_keys && draw_percent(&compose->draw, 10);
  uint32_t section = has_section ? draw_below(&compose->draw, wanted) : UINT32_MAX;
  for (uint32_t tries = 0; tries < 8 && transaction->operation_count < wanted && !compose->world->beyond[0];
       tries++) {
    bool is_due = transaction->operation_count >= section && wanted <= STEPS_MOST - 4;
    if (is_due) section_compose(compose, transaction, txn, &own, &seen), section = UINT32_MAX, wanted += 3;
    step_compose(compose, transaction, txn, &own, &seen);
  }
  State after;
  bool holds = state_overlay(&compose->states[compose->place], &own, &after) &&
               after.count < ITEMS_MOST / 2 && world_allows(compose->world, &after);
  bool can_commit = holds;
  if (level_is_snapshot(level) && conflict_is_met(compose, snapshot, &own)) can_commit = false;
  bool is_unknown = draw_percent(&compose->draw, percent_unknown);
  if (is_unknown) transaction->status = STATUS_UNKNOWN;
  if (!can_commit || (!is_unknown && draw_percent(&compose->draw, percent_aborted)))
    transaction->status = STATUS_ABORTED;
  if (transaction->status == STATUS_ABORTED) {
    if (!holds) transaction->operation_count = 0; /* its statements would not all have succeeded */
    compose->ends[txn] = compose->place + 1;
    return;
  }
  if (is_unknown && draw_percent(&compose->draw, 50)) return;
  compose->places[txn] = ++compose->place;
  compose->states[compose->place] = after;
  compose->touched[compose->place] = own.touched;
}

/* ---- Set-up and final lines ---------------------------------------------------------- */

static void schema_compose(Compose *compose) {
  History *history = compose->history;
  Text creates[MODEL_TABLES] = {{.length = 0}, {.length = 0}};
  model_draw(&compose->model, &compose->draw, level_is_vendor(compose->asked.level), creates);
  compose->model.has_key_share = compose->history->header.dialect.name == DIALECT_POSTGRESQL;
  for (uint32_t i = 0; i < compose->model.table_count; i++) {
    const ModelTable *table = &compose->model.tables[i];
    ARENA_PUSH(&history->arena, &history->setups,
               arena_text(&history->arena, creates[i].text, creates[i].length));
    uint32_t rows = i ? 1 + draw_below(&compose->draw, 3) : compose->model.row_count;
    for (uint32_t r = 0; r < rows; r++) {
      Text text = {.length = 0};
      text_add(&text, "INSERT INTO %s VALUES (", table->name);
      for (uint32_t c = 0; c < table->column_count; c++) {
        text_add(&text, c ? ", " : "");
        if (c == 0 && table->columns[0].is_key)
          text_add(&text, table->columns[0].is_text ? "'%c'" : "%d",
                   (table->columns[0].is_text ? 'a' : 1) + (int)r);
        else if (table->columns[c].is_reference)
          text_add(&text, "1");
        else if (table->columns[c].is_unique)
          text_add(&text, "%u", r + 1);
        else
          literal_draw(&table->columns[c], &compose->draw, &text);
      }
      text_add(&text, ")");
      ARENA_PUSH(&history->arena, &history->setups, arena_text(&history->arena, text.text, text.length));
    }
  }
}

static void final_compose(Compose *compose, uint32_t table) {
  Arena *arena = &compose->history->arena;
  const State *state = &compose->states[compose->place];
  TableLine *line = ARENA_NEW(arena, TableLine);
  line->table =
      arena_text(arena, compose->world->tables[table].name, strlen(compose->world->tables[table].name));
  line->rows = arena_zero(arena, sizeof *line->rows * ITEMS_MOST);
  for (uint32_t i = 0; i < state->count; i++) {
    const Row *row = compose->world->rows.items[state->items[i].row];
    if (row->table != table) continue;
    uint32_t at = line->row_count++;
    line->rows[at].count = row->count;
    line->rows[at].observed = ARENA_ARRAY(arena, Observed, row->count);
    for (uint32_t c = 0; c < row->count; c++)
      line->rows[at].observed[c].value = value_copy(arena, row->values[c]);
  }
  ARENA_PUSH(arena, &compose->history->finals, line);
}

/* Under search the order of the lines says nothing, but for sessions. */
static void lines_shuffle(Compose *compose) {
  History *history = compose->history;
  for (uint32_t i = history->count; i > 1; i--) {
    uint32_t j = draw_below(&compose->draw, i);
    Transaction *transaction = history->transactions[i - 1];
    history->transactions[i - 1] = history->transactions[j];
    history->transactions[j] = transaction;
  }
  for (uint32_t i = 0; i < history->count && !compose->is_wild; i++) history->transactions[i]->session = NULL;
}

static Dialect dialect_draw(Compose *compose) {
  Level level = compose->asked.level;
  if (level == LEVEL_PG_RC) return dialect_new(DIALECT_POSTGRESQL);
  if (!level_is_vendor(level)) return dialect_new(DIALECT_GENERIC);
  Dialect dialect = dialect_new(draw_percent(&compose->draw, 70) ? DIALECT_MARIADB : DIALECT_MYSQL);
  dialect.found_rows = draw_percent(&compose->draw, 25);
  return dialect;
}

bool compose_history(Compose *compose, History *history, const Rules *rules, const Rules *asked,
                     uint64_t seed) {
  *compose = (Compose){.history = history, .rules = *rules, .asked = *asked, .draw = {seed}};
  for (int i = 0; i < 4; i++) draw_next(&compose->draw);
  history->header = (Header){.dialect = dialect_draw(compose), .reorder = 10000, .snapshot_isolation = -1};
  schema_compose(compose);
  compose->world = history_world(history);
  if (compose->world->beyond[0]) return false;
  compose->states[0] = compose->world->initial;
  uint32_t most = asked->is_search ? 4 : 5, count = 2 + draw_below(&compose->draw, most - 1);
  uint32_t unknown = draw_percent(&compose->draw, 20) ? 35 : 0,
           aborted = draw_percent(&compose->draw, asked->checks_aborted ? 80 : 20) ? 30 : 3;
  for (uint32_t i = 0; i < count && !compose->world->beyond[0]; i++)
    transaction_compose(compose, unknown, aborted);
  for (uint32_t i = 0; i < compose->world->table_count; i++)
    if (draw_percent(&compose->draw, 20)) final_compose(compose, i);
  if (draw_percent(&compose->draw, 3)) {
    history->has_gap = true;
    history->gap_place = draw_below(&compose->draw, history->count + 1);
  }
  compose_times(compose);
  if (asked->is_search && draw_percent(&compose->draw, 50)) lines_shuffle(compose);
  return !compose->world->beyond[0];
}

void compose_free(Compose *compose) {
  if (compose->world) world_free(compose->world);
}
