/* clock.c: values from outside: clocks, random numbers, what the connection remembers. */
#include "semantics/clock.h"

#include "semantics/engine_internal.h"
#include "src/sql/function.h"

/* In PostgreSQL a clock stands still for the whole transaction, so its readings outlive the plan. */
static const Expr *reading_site(const Engine *engine, const Expr *expr) {
  if (dialect_is_postgres(&engine->schema.dialect)) return NULL;
  return expr->arg_count ? expr : NULL;
}

static Value clock_read(Engine *engine, const Expr *expr) {
  const Expr *site = reading_site(engine, expr);
  for (uint32_t i = 0; i < engine->clocks.count; i++) {
    const ClockReading *reading = &engine->clocks.items[i];
    if (reading->function == expr->function->id && reading->site == site &&
        memcmp(&reading->type, &expr->type, sizeof expr->type) == 0)
      return doubt_settle(&engine->doubts, reading->value);
  }
  ClockReading reading = {.function = (uint16_t)expr->function->id, .site = site, .type = expr->type};
  reading.value = doubt_new(&engine->doubts, DOUBT_FREE, expr->type, expr->function->name);
  ARRAY_PUSH(&engine->clocks, reading);
  return reading.value;
}

static Value last_key(Engine *engine, Eval *eval, const Expr *expr) {
  Session *session = engine->session;
  if (session->has_last_key) return doubt_settle(&engine->doubts, session->last_key);
  /* The connection may have generated one before: with none PostgreSQL fails, so nothing is foretold there.
   */
  if (dialect_is_postgres(&engine->schema.dialect))
    return eval_unmodelled(eval, "%s() before a key was generated", expr->function->name);
  session->last_key = doubt_new(&engine->doubts, DOUBT_FREE, expr->type, expr->function->name);
  session->last_key_type = expr->type;
  session->has_last_key = true;
  return session->last_key;
}

static Value session_value(Engine *engine, Eval *eval, const Expr *expr) {
  switch (expr->function->id) {
  case FUNCTION_LAST_INSERT_ID: return last_key(engine, eval, expr);
  case FUNCTION_ROW_COUNT:
  case FUNCTION_CHANGES:
    if (engine->session->row_count_known) return value_int(engine->session->row_count);
    break;
  default: break;
  }
  return eval_unmodelled(eval, "%s()", expr->function->name);
}

static Value sequence_next(Engine *engine, const Expr *expr) {
  Value value = doubt_new(&engine->doubts, DOUBT_FREE, expr->type, "nextval()");
  engine->session->last_key = value;
  engine->session->last_key_type = expr->type;
  engine->session->has_last_key = true;
  return value;
}

Value clock_value(Engine *engine, Eval *eval, const Expr *expr) {
  if (expr->function->flags & FUNCTION_SESSION) return session_value(engine, eval, expr);
  if (expr->function->id == FUNCTION_NEXTVAL) return sequence_next(engine, expr);
  if (expr->function->flags & FUNCTION_VOLATILE)
    return doubt_new(&engine->doubts, DOUBT_FREE, expr->type, expr->function->name);
  return clock_read(engine, expr);
}
