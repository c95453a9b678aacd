/* vendor.c: what PostgreSQL and InnoDB promise, for statements over one table without subqueries.
 *
 * Such a statement acts on each row by itself, so a row is a candidate, or matches, when the
 * statement over this row alone does something.  *Current* is the last state with the own writes. */
#include "tests/oracle/search.h"

typedef struct Vendor {
  World *world;
  const Statement *statement;
  const State *states;
  uint32_t seen, last;
  const Own *own;
  State view, current; /* of s_sigma, and of the last state */
} Vendor;

static const Outcome *row_run(const Vendor *vendor, const Item *item) {
  return world_run(vendor->world, vendor->statement, item, 1);
}

static bool row_is_met(const Vendor *vendor, const Item *item) {
  const Outcome *outcome = row_run(vendor, item);
  return outcome->failure || outcome->change_count || outcome->row_count;
}

/* Adds what the statement does to this row. */
static void row_act(const Vendor *vendor, const Item *item, Effect *effect) {
  const Outcome *outcome = row_run(vendor, item);
  if (outcome->failure) effect->failure = outcome->failure;
  effect->column_count = outcome->column_count;
  for (uint32_t i = 0; i < outcome->row_count; i++) effect->rows[effect->row_count++] = outcome->cells;
  for (uint32_t i = 0; i < outcome->change_count; i++) {
    effect->changes[effect->count].old = *item;
    effect->changes[effect->count++].row = outcome->changes[i].row;
  }
}

static const Item *body_find(const State *state, uint32_t body) {
  for (uint32_t i = 0; i < state->count; i++)
    if (state->items[i].body == body) return &state->items[i];
  return NULL;
}

/* PostgreSQL READ COMMITTED: the candidates of s_sigma, each in its current version, if that still matches.
 */
static void candidates_act(const Vendor *vendor, Effect *effect) {
  for (uint32_t i = 0; i < vendor->view.count; i++) {
    const Item *candidate = &vendor->view.items[i];
    const Item *now = row_is_met(vendor, candidate) ? body_find(&vendor->current, candidate->body) : NULL;
    if (now && row_is_met(vendor, now)) row_act(vendor, now, effect);
  }
}

/* A statement that fails does nothing. */
static bool effect_hand(Effect *effect, EffectTaker *take, void *context) {
  if (effect->failure) effect->count = effect->row_count = 0;
  return take(context, effect);
}

/* FOR KEY SHARE: each candidate in its version of some state from s_sigma on. */
static bool shared_try(const Vendor *vendor, uint32_t index, const Effect *so_far, EffectTaker *take,
                       void *context) {
  Effect effect = *so_far;
  while (index < vendor->view.count && !row_is_met(vendor, &vendor->view.items[index])) index++;
  if (index == vendor->view.count) return effect_hand(&effect, take, context);
  for (uint32_t state = vendor->seen; state <= vendor->last; state++) {
    State view;
    view_take(vendor->world, &vendor->states[state], vendor->own, vendor->statement->tables, &view);
    const Item *then = body_find(&view, vendor->view.items[index].body);
    effect = *so_far;
    if (then && row_is_met(vendor, then)) row_act(vendor, then, &effect);
    if (shared_try(vendor, index + 1, &effect, take, context)) return true;
  }
  return false;
}

/* InnoDB READ COMMITTED: had some state from s_sigma on this key absent or not matching? */
static bool row_may_be_missed(const Vendor *vendor, const Item *item) {
  for (uint32_t state = vendor->seen; state <= vendor->last; state++) {
    State view;
    view_take(vendor->world, &vendor->states[state], vendor->own, vendor->statement->tables, &view);
    const Item *then = state_find(&view, item->key);
    if (!then || !row_is_met(vendor, then)) return true;
  }
  return false;
}

static bool subsets_try(const Vendor *vendor, EffectTaker *take, void *context) {
  const Item *certain[ITEMS_MOST], *doubtful[ITEMS_MOST];
  uint32_t certain_count = 0, doubtful_count = 0;
  for (uint32_t i = 0; i < vendor->current.count; i++) {
    const Item *item = &vendor->current.items[i];
    if (!row_is_met(vendor, item)) continue;
    if (row_may_be_missed(vendor, item))
      doubtful[doubtful_count++] = item;
    else
      certain[certain_count++] = item;
  }
  if (doubtful_count > 10) return world_beyond(vendor->world, "too many rows that may be missed");
  for (uint32_t subset = 0; subset < 1u << doubtful_count; subset++) {
    Effect effect = {0};
    effect.column_count = (uint32_t)sqlite3_column_count(vendor->statement->prepared);
    for (uint32_t i = 0; i < certain_count; i++) row_act(vendor, certain[i], &effect);
    for (uint32_t i = 0; i < doubtful_count; i++)
      if (subset >> i & 1) row_act(vendor, doubtful[i], &effect);
    if (effect_hand(&effect, take, context)) return true;
  }
  return false;
}

static bool view_act(const Vendor *vendor, const State *view, EffectTaker *take, void *context) {
  Effect effect;
  effect_of_outcome(vendor->world, world_run(vendor->world, vendor->statement, view->items, view->count),
                    view, &effect);
  return take(context, &effect);
}

static bool vendor_run(Vendor vendor, Level level, EffectTaker *take, void *context) {
  World *world = vendor.world;
  const Statement *statement = vendor.statement;
  if (statement->kind == STATEMENT_QUERY && !statement->is_locking)
    return view_act(&vendor, &vendor.view, take, context);
  if (!statement->is_rowwise || (statement->kind == STATEMENT_INSERT && !statement->is_plain_insert))
    return world_beyond(world, "the vendors' models are for one table without subqueries: %s",
                        statement->sql);
  if (statement->kind == STATEMENT_INSERT) return view_act(&vendor, &vendor.current, take, context);
  if (level == LEVEL_INNODB_RC) return subsets_try(&vendor, take, context);
  Effect effect = {0};
  effect.column_count = (uint32_t)sqlite3_column_count(statement->prepared);
  if (level == LEVEL_PG_RC && statement->is_key_share) return shared_try(&vendor, 0, &effect, take, context);
  if (level == LEVEL_PG_RC) candidates_act(&vendor, &effect);
  for (uint32_t i = 0; level == LEVEL_INNODB_RR && i < vendor.current.count; i++)
    if (row_is_met(&vendor, &vendor.current.items[i])) row_act(&vendor, &vendor.current.items[i], &effect);
  return effect_hand(&effect, take, context);
}

bool vendor_step(World *world, Level level, const Statement *statement, const State *states, uint32_t seen,
                 uint32_t last, const Own *own, EffectTaker *take, void *context) {
  Vendor vendor = {
      .world = world, .statement = statement, .states = states, .seen = seen, .last = last, .own = own};
  view_take(world, &states[seen], own, statement->tables, &vendor.view);
  view_take(world, &states[last], own, statement->tables, &vendor.current);
  return vendor_run(vendor, level, take, context);
}

typedef struct Undone {
  Vendor vendor;
  Level level;
  EffectTaker *take;
  void *context;
} Undone;

static bool undone_try(void *context, const State *current) {
  Undone *undone = context;
  undone->vendor.current = *current;
  return vendor_run(undone->vendor, undone->level, undone->take, undone->context);
}

bool vendor_step_undone(World *world, Level level, const Statement *statement, const State *states,
                        uint32_t seen, uint32_t last, const State *view, const Own *own, EffectTaker *take,
                        void *context) {
  Undone undone = {
      .vendor =
          {.world = world, .statement = statement, .states = states, .seen = seen, .last = last, .own = own},
      .level = level,
      .take = take,
      .context = context};
  view_take(world, view, own, statement->tables, &undone.vendor.view);
  return mixture_each(world, states + seen, last - seen + 1, own, statement->tables, undone_try, &undone);
}
