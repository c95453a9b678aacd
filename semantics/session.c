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

void engine_set_session(Engine *engine, const char *name) {
  if (!name) name = "";
  Session *session = map_find(&engine->sessions, name);
  if (!session) {
    session = session_new();
    map_put_copy(&engine->sessions, name, strlen(name), session);
  }
  engine->session = session;
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

Value user_variable_value(Engine *engine, Eval *eval, const char *name) {
  (void)eval;
  char folded[64];
  size_t length = variable_fold(name, folded);
  Variable *variable = map_get(&engine->session->variables, folded, length);
  return variable ? doubt_settle(&engine->doubts, variable->value) : NULL_VALUE;
}
