/* resolve_procedure.c: the bodies of procedures: variables, cursors, flow.
 *
 * Parameters are variables 0 .. n-1; every DECLARE takes the next slots, so that a
 * name declared in an inner block hides the outer one without sharing its slot.  A body is parsed again
 * from the procedure's text whenever the schema has changed.  MySQL finds a wrong name only when the
 * statement runs, so a body that does not resolve is set aside, not refused. */
#include "src/sql/parse.h"
#include "src/sql/resolve_internal.h"

#include <strings.h>

/* ---- Variables ------------------------------------------------------------------------------- */

static int32_t variable_new(Resolver *resolver, const char *record, const char *name, Type type) {
  Body *body = resolver->body;
  if (type.kind == TYPE_CHAR && type.length == 0) type.length = 1; /* CHAR alone is CHAR(1) outside CAST */
  int32_t slot = (int32_t)body->types.count;
  ARENA_PUSH(resolver->arena, &body->types, type);
  ARENA_PUSH(resolver->arena, &body->variables,
             (Variable){.name = name, .record = record, .slot = slot, .block = body->block});
  return slot;
}

/* The slot of an assignable name: -1 is a user variable, -2 fails. In generic @p means the parameter p. */
static int32_t place_find(Resolver *resolver, const char *name, uint32_t offset) {
  if (name[0] == '@') {
    if (!resolver->body || resolver->dialect->name != DIALECT_GENERIC) return -1;
    const Procedure *procedure = resolver->body->procedure;
    for (uint32_t i = 0; i < procedure->parameters.count; i++)
      if (strcasecmp(procedure->parameters.items[i].name, name + 1) == 0) return (int32_t)i;
    return -1;
  }
  int32_t slot = resolver->body ? variable_find(resolver->body, NULL, name) : -1;
  if (slot >= 0) return slot;
  resolver_unmodelled(resolver, offset, "'%s' is no variable", name);
  return -2;
}

bool set_resolve(Resolver *resolver, Statement *statement) {
  for (uint32_t i = 0; i < statement->set.count; i++) {
    SetTarget *target = &statement->set.items[i];
    target->variable = place_find(resolver, target->name, statement->offset);
    if (target->variable == -2 || !expr_resolve(resolver, NULL, &target->value)) return false;
    if (target->value->type.kind == TYPE_ROW)
      return resolver_fail(resolver, ERROR_TYPE, statement->offset, "a variable takes one value, not a row");
    expr_settle(resolver, &target->value, type_plain_text(resolver));
  }
  return true;
}

bool into_resolve(Resolver *resolver, Statement *statement, const Select *select) {
  if (select->into.count == 0) return true;
  if (select->into.count != select_width(select))
    return resolver_fail(resolver, ERROR_TYPE, statement->offset, "SELECT of %u columns INTO %u variables",
                         select_width(select), select->into.count);
  for (uint32_t i = 0; i < select->into.count; i++) {
    int32_t slot = place_find(resolver, select->into.items[i], statement->offset);
    if (slot == -2) return false;
    ARENA_PUSH(resolver->arena, &statement->into_variables, slot);
  }
  return true;
}

static bool declare_resolve(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  if (flow->type.kind == TYPE_UNKNOWN)
    return resolver_unmodelled(resolver, statement->offset, "the type of variable '%s'",
                               flow->names.items[0]);
  if (flow->value && !expr_resolve(resolver, NULL, &flow->value)) return false;
  if (flow->value) expr_settle(resolver, &flow->value, type_plain_text(resolver));
  for (uint32_t i = 0; i < flow->names.count; i++) {
    int32_t slot = variable_new(resolver, NULL, flow->names.items[i], flow->type);
    ARENA_PUSH(resolver->arena, &flow->variables, slot);
  }
  return true;
}

/* ---- Cursors --------------------------------------------------------------------------------- */

static int32_t cursor_new(Resolver *resolver, const char *name, const Select *select) {
  int32_t index = (int32_t)resolver->body->cursor_count++;
  ARENA_PUSH(resolver->arena, &resolver->body->cursors,
             (CursorName){.name = name, .index = index, .select = select});
  return index;
}

static const CursorName *cursor_find(Resolver *resolver, const char *name, uint32_t offset) {
  for (uint32_t i = resolver->body->cursors.count; i-- > 0;) {
    const CursorName *cursor = &resolver->body->cursors.items[i];
    if (cursor->name && strcasecmp(cursor->name, name) == 0) return cursor;
  }
  resolver_unmodelled(resolver, offset, "'%s' is no cursor", name);
  return NULL;
}

static bool declare_cursor(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  if (!select_resolve(resolver, NULL, flow->select)) return false;
  flow->cursor_index = cursor_new(resolver, flow->cursor, flow->select);
  return true;
}

static bool cursor_statement(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  const CursorName *cursor = cursor_find(resolver, flow->cursor, statement->offset);
  if (!cursor) return false;
  flow->cursor_index = cursor->index;
  for (uint32_t i = 0; i < flow->names.count; i++) {
    int32_t slot = place_find(resolver, flow->names.items[i], statement->offset);
    if (slot == -2) return false;
    ARENA_PUSH(resolver->arena, &flow->variables, slot);
  }
  return true;
}

/* ---- Flow ------------------------------------------------------------------------------------ */

static bool body_resolve(Resolver *resolver, const StatementList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (!statement_resolve(resolver, list->items[i])) return false;
  return true;
}

/* What is declared inside a block ends with it. */
static bool block_statement(Resolver *resolver, Statement *statement) {
  Body *body = resolver->body;
  uint32_t variables = body->variables.count, cursors = body->cursors.count;
  body->block++;
  bool done = body_resolve(resolver, &statement->flow->body);
  body->variables.count = variables;
  body->cursors.count = cursors;
  return done;
}

static bool branches_resolve(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  if (flow->condition && !expr_resolve(resolver, NULL, &flow->condition)) return false;
  for (uint32_t i = 0; i < flow->branches.count; i++) {
    Branch *branch = &flow->branches.items[i];
    if (branch->condition && flow->condition) {
      if (!expr_resolve(resolver, NULL, &branch->condition)) return false;
      if (!pair_compare(resolver, &flow->condition, &branch->condition, statement->offset)) return false;
    } else if (!condition_resolve(resolver, NULL, &branch->condition)) {
      return false;
    }
    if (!body_resolve(resolver, &branch->body)) return false;
  }
  return true;
}

static bool loop_statement(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  if (!condition_resolve(resolver, NULL, &flow->condition)) return false;
  if (flow->label) ARENA_PUSH(resolver->arena, &resolver->body->labels, flow->label);
  bool done = body_resolve(resolver, &flow->body);
  if (flow->label) resolver->body->labels.count--;
  return done;
}

/* FOR r IN cursor or (select): r.column are variables. */
static bool for_rows(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  const Select *select = flow->select;
  if (select) {
    if (!select_resolve(resolver, NULL, flow->select)) return false;
    flow->cursor_index = cursor_new(resolver, NULL, select);
  } else {
    const CursorName *cursor = cursor_find(resolver, flow->cursor, statement->offset);
    if (!cursor) return false;
    flow->cursor_index = cursor->index;
    select = cursor->select;
  }
  for (uint32_t i = 0; i < select_width(select); i++) {
    if (!select->output_names[i])
      return resolver_unmodelled(resolver, statement->offset, "FOR over a column without a plain name");
    int32_t slot =
        variable_new(resolver, flow->names.items[0], select->output_names[i], select->output_types[i]);
    ARENA_PUSH(resolver->arena, &flow->variables, slot);
  }
  return true;
}

static bool for_range(Resolver *resolver, Statement *statement) {
  Flow *flow = statement->flow;
  if (!expr_resolve(resolver, NULL, &flow->value) || !expr_resolve(resolver, NULL, &flow->upper))
    return false;
  expr_settle(resolver, &flow->value, type_int(8));
  expr_settle(resolver, &flow->upper, type_int(8));
  int32_t slot = variable_new(resolver, NULL, flow->names.items[0], type_int(8));
  ARENA_PUSH(resolver->arena, &flow->variables, slot);
  return true;
}

static bool for_statement(Resolver *resolver, Statement *statement) {
  Body *body = resolver->body;
  Flow *flow = statement->flow;
  uint32_t variables = body->variables.count, cursors = body->cursors.count;
  body->block++;
  bool done = flow->upper ? for_range(resolver, statement) : for_rows(resolver, statement);
  if (flow->label) ARENA_PUSH(resolver->arena, &body->labels, flow->label);
  done = done && body_resolve(resolver, &flow->body);
  if (flow->label) body->labels.count--;
  body->variables.count = variables;
  body->cursors.count = cursors;
  return done;
}

bool flow_resolve(Resolver *resolver, Statement *statement) {
  switch ((StatementKind)statement->kind) {
  case STATEMENT_BLOCK: return block_statement(resolver, statement);
  case STATEMENT_DECLARE: return declare_resolve(resolver, statement);
  case STATEMENT_DECLARE_CURSOR: return declare_cursor(resolver, statement);
  case STATEMENT_DECLARE_HANDLER: return body_resolve(resolver, &statement->flow->body);
  case STATEMENT_IF:
  case STATEMENT_CASE: return branches_resolve(resolver, statement);
  case STATEMENT_WHILE:
  case STATEMENT_REPEAT:
  case STATEMENT_LOOP: return loop_statement(resolver, statement);
  case STATEMENT_FOR: return for_statement(resolver, statement);
  case STATEMENT_OPEN:
  case STATEMENT_FETCH:
  case STATEMENT_CLOSE: return cursor_statement(resolver, statement);
  case STATEMENT_LEAVE:
  case STATEMENT_ITERATE:
  case STATEMENT_SIGNAL: return true;
  default:
    return resolver_unmodelled(resolver, statement->offset, "%s in a procedure",
                               statement_kind_name((StatementKind)statement->kind));
  }
}

/* ---- Whole procedures ------------------------------------------------------------------------ */

static bool procedure_parse(Resolver *resolver, Procedure *procedure, Statement **body) {
  Tokens tokens;
  Parse parse = {0};
  bool scanned =
      tokens_scan(resolver->dialect, resolver->arena, procedure->text, procedure->text_length, &tokens);
  if (!scanned ||
      parse_tokens(resolver->dialect, resolver->arena, procedure->text, &tokens, &parse) != PARSE_OK ||
      parse.statements.count != 1 || parse.statements.items[0]->kind != STATEMENT_CREATE_PROCEDURE)
    return resolver_unmodelled(resolver, 0, "the text of procedure '%s' is not modelled", procedure->name);
  *body = parse.statements.items[0]->create_procedure->body;
  if (!*body)
    return resolver_unmodelled(resolver, 0, "the body of procedure '%s' is not modelled", procedure->name);
  for (uint32_t i = 0; i < tokens.inputs.count; i++) {
    const Input *input = &tokens.inputs.items[i];
    if (input->kind != INPUT_LITERAL)
      return resolver_unmodelled(resolver, input->offset, "a parameter marker inside a procedure");
    resolver_add_input(resolver, input->literal, INPUT_LITERAL);
  }
  resolver->input_count = tokens.inputs.count;
  return true;
}

static bool procedure_parameters(Resolver *resolver, const Procedure *procedure) {
  for (uint32_t i = 0; i < procedure->parameters.count; i++) {
    const ProcedureParameter *parameter = &procedure->parameters.items[i];
    if (parameter->type.kind == TYPE_UNKNOWN)
      return resolver_unmodelled(resolver, 0, "the type of parameter '%s'", parameter->name);
    variable_new(resolver, NULL, parameter->name, parameter->type);
  }
  return true;
}

static void procedure_fill(Resolver *resolver, Procedure *procedure, Statement *body) {
  procedure->body = body;
  procedure->variable_count = resolver->body->types.count;
  procedure->variable_types = resolver->body->types.items;
  procedure->cursor_count = resolver->body->cursor_count;
  procedure->inputs = resolver->values.items; /* literals of views are behind those of the body */
  procedure->input_count = resolver->values.count;
  procedure->refused = NULL;
}

ResolveAnswer resolve_procedure(Schema *schema, Arena *arena, Procedure *procedure, Resolution *resolution) {
  Resolver resolver;
  Body body = {.procedure = procedure};
  resolver_start(&resolver, schema, arena, resolution);
  resolver.body = &body;
  if (procedure->is_foreign) {
    resolver_unmodelled(&resolver, 0, "the body of procedure '%s' is not modelled", procedure->name);
    return resolver.answer;
  }
  if (procedure->resolved_version == schema->version) {
    if (procedure->refused) resolver_unmodelled(&resolver, 0, "%s", procedure->refused);
    return resolver.answer;
  }
  Statement *statement = NULL;
  procedure->resolved_version = schema->version;
  bool done = procedure_parse(&resolver, procedure, &statement) &&
              procedure_parameters(&resolver, procedure) && statement_resolve(&resolver, statement);
  if (done) {
    procedure_fill(&resolver, procedure, statement);
  } else {
    resolver.answer = RESOLVE_UNMODELLED;
    resolution->error = ERROR_NONE;
    procedure->refused =
        arena_format(&schema->arena, "procedure '%s': %s", procedure->name, resolution->message);
    resolution->message = procedure->refused;
  }
  return resolver.answer;
}
