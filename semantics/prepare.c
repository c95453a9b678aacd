/* prepare.c: from a text and its parameters to a plan with its inputs.
 *
 * The way of every statement: tokens, values of the inputs, a look into the cache; only a new shape
 * is parsed and resolved, in an arena of its own. */
#include "semantics/engine_internal.h"

#include "semantics/footprint.h"

/* ---- Inputs -------------------------------------------------------------------- */

static const Parameter *parameter_named(const Parameter *parameters, uint32_t count, const Input *input) {
  for (uint32_t i = 0; i < count; i++)
    if (parameters[i].name && parameters[i].name_length == input->length &&
        memcmp(parameters[i].name, input->name, input->length) == 0)
      return &parameters[i];
  return NULL;
}

static const Parameter *parameter_of(const Input *input, const Parameter *parameters, uint32_t count) {
  if (input->kind == INPUT_NAME) return parameter_named(parameters, count, input);
  return input->number < count ? &parameters[input->number] : NULL;
}

static const char *parameter_missing(Arena *arena, const Input *input) {
  if (input->kind == INPUT_NAME)
    return arena_format(arena, "parameter :%.*s has no value", (int)input->length, input->name);
  if (input->kind == INPUT_NUMBER)
    return arena_format(arena, "parameter $%u has no value", input->number + 1);
  return arena_format(arena, "parameter %u has no value", input->number + 1);
}

/* The values of all inputs, or NULL. */
static Value *inputs_bind(Arena *arena, const Tokens *tokens, const Parameter *parameters, uint32_t count,
                          const char **missing) {
  Value *values = arena_alloc(arena, (tokens->inputs.count + 1) * sizeof *values);
  for (uint32_t i = 0; i < tokens->inputs.count; i++) {
    const Input *input = &tokens->inputs.items[i];
    if (input->kind == INPUT_LITERAL) {
      values[i] = input->literal;
      continue;
    }
    const Parameter *parameter = parameter_of(input, parameters, count);
    if (!parameter) {
      *missing = parameter_missing(arena, input);
      return NULL;
    }
    values[i] = parameter->value;
  }
  return values;
}

/* ---- Making a plan ---------------------------------------------------------------- */

/* What is kept as text (views, procedures, settings) is kept with its literals: they all belong to the plan.
 */
static bool plan_keeps_text(const Plan *plan) {
  uint8_t kind = plan->statement->kind;
  return kind == STATEMENT_CREATE_VIEW || kind == STATEMENT_CREATE_PROCEDURE || kind == STATEMENT_SESSION;
}

static void plan_pin(Plan *plan, const Value *inputs, const Resolution *resolution) {
  bool pins_all = plan_keeps_text(plan);
  plan->pinned_count = pins_all ? plan->tokens.inputs.count : resolution->pinned.count;
  plan->pinned = ARENA_ARRAY(&plan->arena, PinnedInput, plan->pinned_count);
  for (uint32_t i = 0; i < plan->pinned_count; i++) {
    uint32_t input = pins_all ? i : resolution->pinned.items[i];
    plan->pinned[i] = (PinnedInput){input, value_copy(&plan->arena, inputs[input])};
  }
}

/* A temporary table may have the name of another table, which it hides. */
static bool plan_may_hide_table(const Plan *plan) {
  return plan->answer == PREPARE_ERROR && plan->statement->kind == STATEMENT_CREATE_TABLE &&
         plan->statement->create_table->is_temporary;
}

static void plan_resolve(Engine *engine, Plan *plan, const Value *inputs) {
  Resolution resolution = {0};
  engine->stats.plans++;
  ResolveAnswer answer =
      resolve_statement(&engine->schema, &plan->arena, plan->statement, plan->tokens.inputs.items, inputs,
                        plan->tokens.inputs.count, &resolution);
  plan->answer = answer == RESOLVE_OK      ? PREPARE_OK
                 : answer == RESOLVE_ERROR ? PREPARE_ERROR
                                           : PREPARE_UNMODELLED;
  if (plan_may_hide_table(plan)) plan->answer = PREPARE_UNMODELLED;
  plan->error = resolution.error;
  plan->message = resolution.message;
  plan->offset = resolution.offset;
  plan->constant_count = resolution.constants.count;
  plan->constants = resolution.constants.items;
  plan_pin(plan, inputs, &resolution);
}

static void plan_refuse(Plan *plan, PrepareAnswer answer, const char *message, uint32_t offset) {
  plan->answer = answer;
  plan->error = answer == PREPARE_SYNTAX ? ERROR_SYNTAX : ERROR_NONE;
  plan->message = message;
  plan->offset = offset;
}

void plan_make(Engine *engine, Plan *plan, const Value *inputs) {
  if (plan->tokens.error) {
    plan_refuse(plan, PREPARE_SYNTAX, plan->tokens.error, plan->tokens.error_offset);
    return;
  }
  Parse parse = {0};
  engine->stats.parses++;
  switch (parse_tokens(&engine->schema.dialect, &plan->arena, plan->text, &plan->tokens, &parse)) {
  case PARSE_REJECTED: plan_refuse(plan, PREPARE_SYNTAX, parse.error, parse.offset); return;
  case PARSE_TOO_DEEP:
    plan_refuse(plan, PREPARE_UNMODELLED, "the statement is nested too deep", parse.offset);
    return;
  case PARSE_EMPTY: plan->is_empty = true; return;
  case PARSE_OK: break;
  }
  if (parse.statements.count != 1) {
    plan_refuse(plan, PREPARE_UNMODELLED, "several statements in one operation", 0);
    return;
  }
  plan->statement = parse.statements.items[0];
  plan_resolve(engine, plan, inputs);
}

static Plan *plan_create(Engine *engine, uint64_t hash, const char *sql, size_t length, const Value *inputs) {
  Plan *plan = plan_new();
  plan->hash = hash;
  plan->text = arena_text(&plan->arena, sql, length);
  plan->length = (uint32_t)length;
  tokens_scan(&engine->schema.dialect, &plan->arena, plan->text, length, &plan->tokens);
  plan->classes = ARENA_ARRAY(&plan->arena, uint32_t, plan->tokens.inputs.count);
  for (uint32_t i = 0; i < plan->tokens.inputs.count; i++) plan->classes[i] = value_class(inputs[i]);
  plan_make(engine, plan, inputs);
  return plan;
}

/* The literals of views follow the statement's own inputs. */
static const Value *inputs_extend(Arena *arena, const Plan *plan, const Value *inputs) {
  if (!plan->constant_count) return inputs;
  uint32_t count = plan->tokens.inputs.count;
  Value *all = arena_alloc(arena, (count + plan->constant_count) * sizeof *all);
  memcpy(all, inputs, count * sizeof *all);
  memcpy(all + count, plan->constants, plan->constant_count * sizeof *all);
  return all;
}

Plan *engine_plan(Engine *engine, Arena *arena, const char *sql, size_t length, const Parameter *parameters,
                  uint32_t parameter_count, const Value **inputs, const char **missing) {
  Tokens tokens;
  bool is_cut = tokens_scan(&engine->schema.dialect, arena, sql, length, &tokens);
  const Value *values = inputs_bind(arena, &tokens, parameters, parameter_count, missing);
  if (!values) return NULL;
  plan_cache_renew(&engine->plans, engine->schema.version);
  /* A text that could not be cut into tokens has no shape: it is never found again. */
  uint64_t hash = is_cut ? plan_hash(&tokens, values) : ~plan_hash(&tokens, values);
  Plan *plan = is_cut ? plan_cache_find(&engine->plans, hash, sql, &tokens, values) : NULL;
  if (plan) {
    engine->stats.hits++;
  } else {
    plan = plan_create(engine, hash, sql, length, values);
    plan_cache_add(&engine->plans, plan);
  }
  *inputs = inputs_extend(arena, plan, values);
  return plan;
}

/* ---- engine_prepare ------------------------------------------------------------------ */

PrepareAnswer engine_prepare(Engine *engine, const char *sql, size_t length, const Parameter *parameters,
                             uint32_t parameter_count, Outcome *outcome, uint32_t *offset,
                             Footprint *footprint) {
  arena_clear(&engine->preparation);
  *footprint = (Footprint){0};
  *offset = 0;
  const Value *inputs;
  const char *missing = NULL;
  Plan *plan =
      engine_plan(engine, &engine->preparation, sql, length, parameters, parameter_count, &inputs, &missing);
  if (!plan) {
    footprint_guess(engine, sql, length, footprint);
    outcome->reason = missing;
    return PREPARE_UNMODELLED;
  }
  if (plan->answer == PREPARE_OK)
    footprint_of(engine, plan, footprint);
  else
    footprint_guess(engine, sql, length, footprint);
  *offset = plan->offset;
  if (plan->answer == PREPARE_OK) return PREPARE_OK;
  outcome->reason = plan->message;
  if (plan->answer == PREPARE_ERROR) outcome->errors = ERROR_BIT(plan->error);
  return plan->answer;
}
