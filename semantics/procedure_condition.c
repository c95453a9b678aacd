/* procedure_condition.c: errors and NOT FOUND inside procedures, and the handlers that take them. */
#include "semantics/procedure_internal.h"

typedef enum Taken { TAKEN_NO, TAKEN_YES, TAKEN_MAYBE } Taken;

/* What MySQL and MariaDB say for an error of a class, where it is one state or one number. */
static const struct {
  uint8_t error_class;
  const char *state, *code; /* NULL: several */
} known_codes[] = {
    {ERROR_UNIQUE, "23000", "1062"},   {ERROR_FOREIGN_KEY, "23000", NULL}, {ERROR_NOT_NULL, "23000", "1048"},
    {ERROR_CHECK, "23000", "4025"},    {ERROR_DIVISION, "22012", "1365"},  {ERROR_OVERFLOW, "22003", NULL},
    {ERROR_TOO_LONG, "22001", "1406"}, {ERROR_CURSOR, "24000", NULL},
};

/* A column that was left out and has no default is NULL by another number. */
static const char *class_code(const Activation *activation, ErrorClass error_class, bool is_state) {
  if (error_class == ERROR_NOT_NULL && activation->omits_default) return is_state ? "HY000" : "1364";
  if (error_class == ERROR_CHECK && activation->engine->schema.dialect.name != DIALECT_MARIADB) return NULL;
  for (size_t i = 0; i < sizeof known_codes / sizeof *known_codes; i++)
    if (known_codes[i].error_class == error_class)
      return is_state ? known_codes[i].state : known_codes[i].code;
  return NULL;
}

static Taken class_taken(const Activation *activation, ErrorClass error_class, const char *code,
                         bool is_state) {
  const char *known = class_code(activation, error_class, is_state);
  if (known) return strcmp(known, code) == 0 ? TAKEN_YES : TAKEN_NO;
  ErrorSet set = error_set_of(&activation->engine->schema.dialect, code, strlen(code));
  return set & ERROR_BIT(error_class) ? TAKEN_MAYBE : TAKEN_NO;
}

/* A handler for a code takes an error of any of `errors` for certain only if it takes each of them. */
static Taken code_takes(const Activation *activation, const char *code, bool is_state, ErrorSet errors,
                        bool is_not_found) {
  bool is_end = strcmp(code, "02000") == 0 || strcmp(code, "1329") == 0;
  if (is_not_found || is_end) return is_not_found && is_end ? TAKEN_YES : TAKEN_NO;
  if (activation->signal)
    return strcmp(code, is_state ? activation->signal : activation->signal_code) == 0 ? TAKEN_YES : TAKEN_NO;
  bool some = false, all = true;
  for (unsigned i = 1; i < ERROR_CLASS_COUNT; i++) {
    if (!(errors & ERROR_BIT(i))) continue;
    Taken taken = class_taken(activation, (ErrorClass)i, code, is_state);
    some |= taken != TAKEN_NO;
    all &= taken == TAKEN_YES;
  }
  return all ? TAKEN_YES : some ? TAKEN_MAYBE : TAKEN_NO;
}

/* In one block, numbers go before states, and states before classes. */
enum { RANK_CODE, RANK_STATE, RANK_CLASS, RANK_COUNT };

static int condition_rank(uint8_t kind) {
  return kind == HANDLER_CODE ? RANK_CODE : kind == HANDLER_SQLSTATE ? RANK_STATE : RANK_CLASS;
}

static Taken condition_takes(const Activation *activation, uint8_t kind, const char *code, ErrorSet errors,
                             bool is_not_found) {
  switch (kind) {
  case HANDLER_NOT_FOUND: return is_not_found ? TAKEN_YES : TAKEN_NO;
  case HANDLER_SQLEXCEPTION: return is_not_found ? TAKEN_NO : TAKEN_YES;
  case HANDLER_SQLSTATE:
  case HANDLER_CODE: return code_takes(activation, code, kind == HANDLER_SQLSTATE, errors, is_not_found);
  case HANDLER_NAMED: return TAKEN_MAYBE;
  default: return TAKEN_NO; /* SQLWARNING: warnings are not modelled where they would matter */
  }
}

static Taken handler_takes(const Activation *activation, const Handler *handler, int rank, ErrorSet errors,
                           bool is_not_found) {
  Taken taken = TAKEN_NO;
  for (uint32_t i = 0; i < handler->flow->conditions.count; i++) {
    uint8_t kind = handler->flow->conditions.items[i].kind;
    if (condition_rank(kind) != rank && kind != HANDLER_NAMED) continue;
    Taken one =
        condition_takes(activation, kind, handler->flow->conditions.items[i].code, errors, is_not_found);
    if (one == TAKEN_YES) return TAKEN_YES;
    if (one == TAKEN_MAYBE) taken = TAKEN_MAYBE;
  }
  return taken;
}

/* Innermost block first. -1: none, -2: it cannot be told. */
static int64_t handler_find(const Activation *activation, ErrorSet errors, bool is_not_found) {
  uint32_t end = activation->handler_limit;
  while (end > 0) {
    uint32_t start = end;
    while (start > 0 &&
           activation->handlers.items[start - 1].block == activation->handlers.items[end - 1].block)
      start--;
    for (int rank = 0; rank < RANK_COUNT; rank++) {
      for (uint32_t i = start; i < end; i++) {
        Taken taken = handler_takes(activation, &activation->handlers.items[i], rank, errors, is_not_found);
        if (taken == TAKEN_YES) return i;
        if (taken == TAKEN_MAYBE) return -2;
      }
    }
    end = start;
  }
  return -1;
}

bool condition_is_watched(const Activation *activation, ErrorSet errors) {
  return handler_find(activation, errors, false) != -1;
}

static FlowAnswer handler_run(Activation *activation, uint32_t place) {
  Handler handler = activation->handlers.items[place];
  uint32_t limit = activation->handler_limit, block = activation->block;
  /* The handlers of outer blocks stay in force. */
  uint32_t first = place;
  while (first > 0 && activation->handlers.items[first - 1].block == handler.block) first--;
  activation->handler_limit = first;
  activation->signal = NULL;
  FlowAnswer answer = flow_list(activation, &handler.flow->body);
  activation->handler_limit = limit;
  activation->block = block;
  if (answer != FLOW_NEXT || !handler.flow->is_exit) return answer;
  activation->exit_block = handler.block;
  return FLOW_EXIT;
}

FlowAnswer condition_raise(Activation *activation, ErrorSet errors, bool is_not_found, const char *reason) {
  int64_t place = handler_find(activation, errors, is_not_found);
  if (place >= 0) return handler_run(activation, (uint32_t)place);
  if (place == -2) {
    eval_unmodelled(&activation->eval, "which handler takes the error cannot be told");
    return FLOW_ABORT;
  }
  if (is_not_found && !errors) return FLOW_NEXT; /* SELECT INTO without a row: a warning */
  activation->errors = errors;
  activation->reason = reason ? arena_text(activation->results, reason, strlen(reason)) : NULL;
  return FLOW_ABORT;
}

FlowAnswer condition_signal(Activation *activation, const char *state, const char *code, ErrorSet errors,
                            const char *reason) {
  activation->signal = state;
  activation->signal_code = code;
  FlowAnswer answer = condition_raise(activation, errors, false, reason);
  activation->signal = NULL;
  return answer;
}
