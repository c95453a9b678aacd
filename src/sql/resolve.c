/* resolve.c: the driver of name resolution, and the statements that need little of it.
 *
 * The first failure of a statement is its answer; the tree is then of no use.
 * Queries are resolve_query.c's business, writes resolve_write.c's,
 * the statements of procedures resolve_procedure.c's. */
#include "src/sql/resolve.h"

#include "src/sql/resolve_internal.h"

#include <stdarg.h>
#include <stdio.h>

void resolver_start(Resolver *resolver, Schema *schema, Arena *arena, Resolution *resolution) {
  *resolver =
      (Resolver){.schema = schema, .dialect = &schema->dialect, .arena = arena, .resolution = resolution};
  *resolution = (Resolution){0};
}

void resolver_add_input(Resolver *resolver, Value value, InputKind kind) {
  ARENA_PUSH(resolver->arena, &resolver->values, value);
  ARENA_PUSH(resolver->arena, &resolver->kinds, (uint8_t)kind);
}

static void resolver_stop(Resolver *resolver, ResolveAnswer answer, ErrorClass error, uint32_t offset,
                          const char *format, va_list arguments) {
  if (resolver->answer != RESOLVE_OK) return;
  char message[512];
  vsnprintf(message, sizeof message, format, arguments);
  resolver->answer = answer;
  resolver->resolution->error = error;
  resolver->resolution->offset = offset;
  resolver->resolution->message = arena_text(resolver->arena, message, strlen(message));
}

bool resolver_fail(Resolver *resolver, ErrorClass error, uint32_t offset, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  resolver_stop(resolver, RESOLVE_ERROR, error, offset, format, arguments);
  va_end(arguments);
  return false;
}

bool resolver_unmodelled(Resolver *resolver, uint32_t offset, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  resolver_stop(resolver, RESOLVE_UNMODELLED, ERROR_NONE, offset, format, arguments);
  va_end(arguments);
  return false;
}

/* Literals of views never change under one schema version: they need no pin. */
void resolver_pin(Resolver *resolver, int32_t input) {
  if ((uint32_t)input >= resolver->input_count) return;
  for (uint32_t i = 0; i < resolver->resolution->pinned.count; i++)
    if (resolver->resolution->pinned.items[i] == (uint32_t)input) return;
  ARENA_PUSH(resolver->arena, &resolver->resolution->pinned, (uint32_t)input);
}

void resolver_reads(Resolver *resolver, Table *table) {
  Statement *statement = resolver->statement;
  if (table == resolver->target) resolver->target_mentions++;
  for (uint32_t i = 0; i < statement->tables_read.count; i++)
    if (statement->tables_read.items[i] == table) return;
  ARENA_PUSH(resolver->arena, &statement->tables_read, table);
}

void resolver_writes(Resolver *resolver, Table *table) {
  Statement *statement = resolver->statement;
  for (uint32_t i = 0; i < statement->tables_written.count; i++)
    if (statement->tables_written.items[i] == table) return;
  ARENA_PUSH(resolver->arena, &statement->tables_written, table);
}

static bool select_statement(Resolver *resolver, Statement *statement) {
  if (!select_resolve(resolver, NULL, statement->select)) return false;
  return into_resolve(resolver, statement, statement->select);
}

/* TRUNCATE t, ...; DROP TABLE t, ... */
static bool tables_statement(Resolver *resolver, Statement *statement) {
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    const char *name = statement->drop.names.items[i];
    Table *table = schema_table(resolver->schema, name);
    if (table)
      resolver_writes(resolver, table);
    else if (!statement->drop.if_exists)
      return table_missing(resolver, NULL, name, statement->offset);
  }
  return true;
}

static bool drop_view_statement(Resolver *resolver, Statement *statement) {
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    const char *name = statement->drop.names.items[i];
    if (!schema_view(resolver->schema, name) && !statement->drop.if_exists)
      return table_missing(resolver, NULL, name, statement->offset);
  }
  return true;
}

static bool name_is_free(Resolver *resolver, const char *name, uint32_t offset) {
  if (!schema_table(resolver->schema, name) && !schema_view(resolver->schema, name)) return true;
  return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, offset, "table '%s' already exists", name);
}

static bool create_table_statement(Resolver *resolver, Statement *statement) {
  CreateTable *create = statement->create_table;
  if (!create->if_not_exists && !name_is_free(resolver, create->name, statement->offset)) return false;
  return !create->select || select_resolve(resolver, NULL, create->select);
}

static bool create_index_statement(Resolver *resolver, Statement *statement) {
  CreateIndex *create = statement->create_index;
  Table *table = schema_table(resolver->schema, create->table_name);
  if (!table) return table_missing(resolver, NULL, create->table_name, statement->offset);
  resolver_writes(resolver, table);
  if (create->is_partial) return true;
  for (uint32_t i = 0; i < create->columns.count; i++)
    if (table_column(table, create->columns.items[i]) < 0)
      return resolver_fail(resolver, ERROR_NO_COLUMN, statement->offset, "unknown column '%s' of table '%s'",
                           create->columns.items[i], table->name);
  return true;
}

/* Only that a view cannot be made is told here; one beyond the fragment is refused where it is used. */
static bool create_view_statement(Resolver *resolver, Statement *statement) {
  CreateView *create = statement->create_view;
  bool replaces = create->or_replace && schema_view(resolver->schema, create->name);
  if (!create->if_not_exists && !replaces && !name_is_free(resolver, create->name, statement->offset))
    return false;
  if (dialect_is_sqlite(resolver->dialect)) return true;
  if (!select_resolve(resolver, NULL, create->select)) {
    if (resolver->answer == RESOLVE_ERROR) return false;
    resolver->answer = RESOLVE_OK;
    *resolver->resolution = (Resolution){0};
  }
  return true;
}

/* CALL name(args): OUT arguments must be something that can be assigned to. */
static bool call_statement(Resolver *resolver, Statement *statement) {
  const char *name = statement->call.name;
  Procedure *procedure = schema_procedure(resolver->schema, name);
  if (!procedure)
    return resolver_fail(resolver, ERROR_NO_FUNCTION, statement->offset, "unknown procedure '%s'", name);
  if (procedure->is_foreign)
    return resolver_unmodelled(resolver, statement->offset, "the body of procedure '%s' is not modelled",
                               name);
  uint32_t expected = procedure->parameters.count;
  if (statement->call.args.count != expected)
    return resolver_fail(resolver, ERROR_NO_FUNCTION, statement->offset,
                         "procedure '%s' takes %u arguments, not %u", name, expected,
                         statement->call.args.count);
  for (uint32_t i = 0; i < expected; i++) {
    Expr **arg = &statement->call.args.items[i];
    if (!expr_resolve(resolver, NULL, arg)) return false;
    if (procedure->parameters.items[i].mode == PARAMETER_IN) continue;
    uint8_t kind = (*arg)->kind;
    bool is_place = kind == EXPR_USER_VARIABLE || kind == EXPR_VARIABLE ||
                    (kind == EXPR_INPUT && resolver->kinds.items[(*arg)->index] != INPUT_LITERAL);
    if (!is_place && dialect_is_mysql(resolver->dialect))
      return resolver_fail(resolver, ERROR_TYPE, (*arg)->offset,
                           "argument %u of '%s' is OUT: it must be a variable", i + 1, name);
  }
  statement->call.procedure = procedure;
  return true;
}

bool statement_resolve(Resolver *resolver, Statement *statement) {
  Statement *outer = resolver->statement;
  resolver->statement = statement;
  bool done = true;
  switch ((StatementKind)statement->kind) {
  case STATEMENT_SELECT: done = select_statement(resolver, statement); break;
  case STATEMENT_INSERT: done = insert_resolve(resolver, statement); break;
  case STATEMENT_UPDATE: done = update_resolve(resolver, statement); break;
  case STATEMENT_DELETE: done = delete_resolve(resolver, statement); break;
  case STATEMENT_TRUNCATE:
  case STATEMENT_DROP_TABLE: done = tables_statement(resolver, statement); break;
  case STATEMENT_DROP_VIEW: done = drop_view_statement(resolver, statement); break;
  case STATEMENT_CREATE_TABLE: done = create_table_statement(resolver, statement); break;
  case STATEMENT_CREATE_INDEX: done = create_index_statement(resolver, statement); break;
  case STATEMENT_CREATE_VIEW: done = create_view_statement(resolver, statement); break;
  case STATEMENT_CALL: done = call_statement(resolver, statement); break;
  case STATEMENT_SET: done = set_resolve(resolver, statement); break;
  case STATEMENT_DROP_INDEX:
  case STATEMENT_CREATE_PROCEDURE:
  case STATEMENT_DROP_PROCEDURE:
  case STATEMENT_SAVEPOINT:
  case STATEMENT_ROLLBACK_TO:
  case STATEMENT_RELEASE:
  case STATEMENT_SESSION: break;
  default:
    done = resolver->body ? flow_resolve(resolver, statement)
                          : resolver_unmodelled(resolver, statement->offset, "%s outside a procedure",
                                                statement_kind_name((StatementKind)statement->kind));
  }
  resolver->statement = outer;
  /* What the statements of a body touch, the body touches. */
  for (uint32_t i = 0; outer && i < statement->tables_read.count; i++)
    resolver_reads(resolver, statement->tables_read.items[i]);
  for (uint32_t i = 0; outer && i < statement->tables_written.count; i++)
    resolver_writes(resolver, statement->tables_written.items[i]);
  return done;
}

ResolveAnswer resolve_statement(Schema *schema, Arena *arena, Statement *statement, const Input *inputs,
                                const Value *input_values, uint32_t input_count, Resolution *resolution) {
  Resolver resolver;
  resolver_start(&resolver, schema, arena, resolution);
  resolver.input_count = input_count;
  for (uint32_t i = 0; i < input_count; i++)
    resolver_add_input(&resolver, input_values[i], (InputKind)inputs[i].kind);
  statement_resolve(&resolver, statement);
  return resolver.answer;
}
