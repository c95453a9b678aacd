/* session.c: what a connection remembers between its statements. */
#include "semantics/engine_internal.h"

#include "semantics/clock.h"

#include <ctype.h>
#include <stdlib.h>

Session *session_new(void) {
  Session *session = memory_new(sizeof *session);
  map_init(&session->variables);
  return session;
}

void variable_release(Variable *variable) {
  free(variable->memory);
  free(variable);
}

void session_free(Session *session) {
  for (uint32_t i = 0; i < session->variables.room; i++)
    if (session->variables.slots[i].value) variable_release(session->variables.slots[i].value);
  map_free(&session->variables);
  free(session);
}

static void session_forget_values(Session *session) {
  session->row_count_known = false;
  for (uint32_t i = 0; session->variables.count && i < session->variables.room; i++) {
    Variable *variable = session->variables.slots[i].value;
    if (!variable) continue;
    variable->is_unknown = true;
    variable->value = NULL_VALUE; /* holds no doubt either */
  }
}

void session_forget_variables(Session *session) {
  session_forget_values(session);
  session->had_other_work = true;
}

static void session_forget(Session *session) {
  session_forget_variables(session);
  session->has_last_key = false;
  session->last_key = NULL_VALUE;
}

static Session *session_named(Engine *engine, const char *name) {
  if (!name) name = "";
  Session *session = map_find(&engine->sessions, name);
  if (session) return session;
  session = session_new();
  map_put_copy(&engine->sessions, name, strlen(name), session);
  return session;
}

void engine_forget_session(Engine *engine, const char *name) { session_forget(session_named(engine, name)); }

void engine_forget_present(Engine *engine) { session_forget(engine->session); }

void engine_forget_sessions(Engine *engine) {
  for (uint32_t i = 0; i < engine->sessions.room; i++)
    if (engine->sessions.slots[i].value) session_forget(engine->sessions.slots[i].value);
}

void engine_forget_variables(Engine *engine) { session_forget_variables(engine->session); }

void engine_set_session(Engine *engine, const char *name) {
  Session *session = session_named(engine, name);
  engine->session = session;
  if (!name) { /* any connection */
    session_forget_values(session);
    session->has_last_key = false;
    session->last_key = NULL_VALUE;
  }
  if (dialect_is_mysql(&engine->schema.dialect))
    session->row_count_known = false; /* COMMIT and BEGIN count too */
}

/* User variables compare without case. */
static size_t variable_fold(const char *name, char folded[64]) {
  if (*name == '@') name++;
  size_t length = strnlen(name, 64);
  for (size_t i = 0; i < length; i++) folded[i] = (char)tolower((unsigned char)name[i]);
  return length;
}

Variable *session_variable(Engine *engine, const char *name) {
  char folded[64];
  size_t length = variable_fold(name, folded);
  Variable *variable = map_get(&engine->session->variables, folded, length);
  if (variable) return variable;
  variable = memory_new(sizeof *variable);
  map_put_copy(&engine->session->variables, folded, length, variable);
  return variable;
}

void variable_assign(Variable *variable, Value value, Type type) {
  size_t extra = value_extra(value);
  if (value_is_decimal(value)) value.flags = 0; /* it keeps, and shows, all digits of a quotient */
  variable->type = type;
  variable->is_unknown = false;
  variable->is_assigned = true;
  if (!extra) {
    variable->value = value;
    return;
  }
  /* The new value may live in the old memory: SET s = SUBSTR(s, 2). */
  char *old = variable->memory;
  bool fits = extra <= variable->room;
  size_t room = fits ? variable->room : extra * 2;
  char *memory = memory_new(room), *next = memory;
  variable->value = value_pack(value, &next);
  variable->memory = memory;
  variable->room = room;
  free(old);
}

/* Where the connection did something else before, the observation tells; otherwise a variable begins as NULL.
 */
Value user_variable_value(Engine *engine, const char *name) {
  Variable *variable = session_variable(engine, name);
  if (variable->is_unknown || (!variable->is_assigned && engine->session->had_other_work)) {
    Value value = doubt_new(&engine->doubts, DOUBT_FREE, type_of(TYPE_UNKNOWN), "a variable of the session");
    variable_assign(variable, value, type_of(TYPE_DYNAMIC));
  }
  return doubt_settle(&engine->doubts, variable->value);
}
