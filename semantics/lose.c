/* lose.c: a statement is set aside; what it may have written is not known from then on.
 *
 * A statement whose rows are known and whose values alone are not modelled loses only these values: it is run
 * again with lost doubts in their place.  Otherwise whole tables are lost. */
#include "semantics/effect.h"

static void loss_undo(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  TableState *state = engine_table(engine, object);
  if (state->lost) engine->lost_count--;
  state->lost = (const char *)(uintptr_t)number;
  if (state->lost) engine->lost_count++;
}

static void loss_set(Engine *engine, const Table *table, const char *why) {
  TableState *state = engine_table(engine, table);
  if (engine->in_transaction)
    store_push_undo(engine->store, loss_undo, engine, (void *)table, (uint64_t)(uintptr_t)state->lost);
  if (state->lost) engine->lost_count--;
  state->lost = why;
  if (state->lost) engine->lost_count++;
}

void engine_lose_table(Engine *engine, const Table *table, const char *why, bool is_reshaped) {
  TableState *state = engine_table(engine, table);
  state->is_reshaped |= is_reshaped;
  if (!state->lost) loss_set(engine, table, why);
}

void engine_know_table(Engine *engine, const Table *table) {
  if (engine_table(engine, table)->lost) loss_set(engine, table, NULL);
}

const char *engine_lost(const Engine *engine, const Table *table) {
  return table->id < engine->tables.count ? engine->tables.items[table->id].lost : NULL;
}

const char *engine_schema_doubt(const Engine *engine) { return engine->schema_doubt; }

/* Runs the last statement again, with what is not modelled as lost values. */
static bool engine_salvage(Engine *engine, const char *why) {
  Plan *plan = engine->last_plan;
  if (!engine->is_salvageable || !plan || !engine->in_transaction) return false;
  if (plan->statement->kind != STATEMENT_INSERT && plan->statement->kind != STATEMENT_UPDATE) return false;
  /* Whether IGNORE and its kin keep the row may hang on the very value. */
  if (plan->statement->kind == STATEMENT_INSERT && plan->statement->insert->conflict != CONFLICT_ERROR)
    return false;
  ArenaMark results = arena_mark(&engine->results);
  UndoMark mark = store_mark(engine->store);
  Outcome outcome = {.affected_also = -1};
  Eval eval = engine_eval(engine, &engine->results, engine->last_inputs);
  Effect effect = {.engine = engine,
                   .eval = &eval,
                   .outcome = &outcome,
                   .results = &engine->results,
                   .text = plan->text,
                   .input_count = plan->tokens.inputs.count};
  eval.plan_arena = &plan->arena;
  engine->losing = why;
  bool is_done = effect_run(&effect, plan->statement) && !effect.errors && !eval.abort;
  engine->losing = NULL;
  if (!is_done) store_undo(engine->store, mark);
  arena_reset(&engine->results, results);
  return is_done;
}

void engine_lose(Engine *engine, const Footprint *footprint, const char *why) {
  if (!footprint->writes && !footprint->writes_anything && !footprint->changes_schema) return;
  /* What is lost by a loss has the same origin. */
  const char *origin = strstr(why, LOSS_ORIGIN);
  if (origin) why = origin + strlen(LOSS_ORIGIN);
  if (!engine->last_loss || strcmp(engine->last_loss, why) != 0)
    engine->last_loss = arena_text(&engine->memory, why, strlen(why));
  why = engine->last_loss;
  bool is_salvaged = engine_salvage(engine, why);
  engine->last_plan = NULL;
  if (is_salvaged) return;
  if (footprint->changes_schema && !engine->schema_doubt) engine->schema_doubt = why;
  if (footprint->writes_anything) {
    for (uint32_t i = 0; i < engine->schema.tables.count; i++)
      engine_lose_table(engine, engine->schema.tables.items[i], why, footprint->changes_schema);
    return;
  }
  for (uint32_t i = 0; i < footprint->tables_written.count; i++)
    engine_lose_table(engine, footprint->tables_written.items[i], why, footprint->changes_schema);
}
