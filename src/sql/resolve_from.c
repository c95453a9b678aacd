/* resolve_from.c: FROM: tables, views, WITH queries, derived tables and joins.
 *
 * Sources are numbered in the order of the text.  Beside them a list of visible columns is
 * kept, which USING and NATURAL change: it is what * expands to and where
 * unqualified names are found.  A view's text is parsed again for every use. */
#include "src/sql/parse.h"
#include "src/sql/resolve_internal.h"

#include <strings.h>

enum { VIEW_DEPTH = 32 };

/* ---- Tables that are missing ----------------------------------------------------------------- */

bool name_is_catalogue(const Resolver *resolver, const char *schema_name, const char *name) {
  static const char *const schemas[] = {"information_schema", "pg_catalog", "performance_schema", "mysql",
                                        "sys"};
  for (size_t i = 0; schema_name && i < sizeof schemas / sizeof *schemas; i++)
    if (strcasecmp(schema_name, schemas[i]) == 0) return true;
  switch (resolver->dialect->name) {
  case DIALECT_POSTGRESQL: return strncmp(name, "pg_", 3) == 0;
  case DIALECT_SQLITE: return strncasecmp(name, "sqlite_", 7) == 0 || strncasecmp(name, "pragma_", 7) == 0;
  case DIALECT_GENERIC: return strncmp(name, "pg_", 3) == 0 || strncasecmp(name, "sqlite_", 7) == 0;
  default: return false;
  }
}

/* Whether MySQL's table names differ in case is a matter of the server's file system. */
static bool name_differs_in_case(const Resolver *resolver, const char *name) {
  if (!dialect_is_mysql(resolver->dialect)) return false;
  for (uint32_t i = 0; i < resolver->schema->tables.count; i++) {
    const Table *table = resolver->schema->tables.items[i];
    if (strcasecmp(table->name, name) == 0 && schema_table(resolver->schema, table->name) == table)
      return true;
  }
  return false;
}

bool table_missing(Resolver *resolver, const char *schema_name, const char *name, uint32_t offset) {
  if (name_is_catalogue(resolver, schema_name, name))
    return resolver_unmodelled(resolver, offset, "the catalogue ('%s') is not modelled", name);
  if (name_differs_in_case(resolver, name))
    return resolver_unmodelled(resolver, offset, "table '%s' is known in another case only", name);
  return resolver_fail(resolver, ERROR_NO_TABLE, offset, "unknown table '%s'%s", name,
                       name_suggest_table(resolver, name));
}

/* ---- Sources --------------------------------------------------------------------------------- */

void source_visible(Resolver *resolver, const Select *block, uint32_t source, VisibleList *visible) {
  const Source *origin = &block->sources.items[source];
  for (uint32_t i = 0; i < origin->column_count; i++)
    ARENA_PUSH(resolver->arena, visible,
               (VisibleColumn){.name = origin->column_names[i], .source = source, .column = i});
}

/* AS name(a, b): the first columns take these names. */
static bool source_rename(Resolver *resolver, Source *source, const NameList *names, uint32_t offset) {
  if (names->count > source->column_count)
    return resolver_fail(resolver, ERROR_TYPE, offset, "'%s' has %u columns, not %u", source->name,
                         source->column_count, names->count);
  for (uint32_t i = 0; i < names->count; i++) source->column_names[i] = names->items[i];
  return true;
}

/* In sqlite two sources may share a name, and only a mention is ambiguous. */
static bool source_is_new(Resolver *resolver, const Select *block, const Source *source, uint32_t offset) {
  if (!source->name || dialect_is_sqlite(resolver->dialect) || dialect_is_lenient(resolver->dialect))
    return true;
  for (uint32_t i = 0; i < block->sources.count; i++)
    if (table_name_is(resolver, block->sources.items[i].name, source->name))
      return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, offset, "'%s' stands twice in FROM",
                           source->name);
  return true;
}

static bool source_add(Resolver *resolver, Select *block, From *from, Source source) {
  source.from = from;
  uint32_t offset = from ? from->offset : 0;
  if (from && !source_rename(resolver, &source, &from->column_aliases, offset)) return false;
  if (!source_is_new(resolver, block, &source, offset)) return false;
  if (from) from->source = block->sources.count;
  ARENA_PUSH(resolver->arena, &block->sources, source);
  return true;
}

bool source_add_table(Resolver *resolver, Select *block, From *from, Table *table, const char *name) {
  Source source = {.name = name, .table = table, .column_count = table->column_count};
  source.column_names = ARENA_ARRAY(resolver->arena, const char *, table->column_count);
  source.column_types = ARENA_ARRAY(resolver->arena, Type, table->column_count);
  for (uint32_t i = 0; i < table->column_count; i++) {
    source.column_names[i] = table->columns[i].name;
    source.column_types[i] = table->columns[i].type;
  }
  return source_add(resolver, block, from, source);
}

static bool columns_are_unique(Resolver *resolver, const Source *source, uint32_t offset) {
  for (uint32_t i = 0; i < source->column_count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (column_name_is(resolver, source->column_names[i], source->column_names[j]))
        return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, offset, "column '%s' stands twice in '%s'",
                             source->column_names[i], source->name ? source->name : "a derived table");
  return true;
}

static bool source_add_select(Resolver *resolver, Scope *scope, From *from, Select *select,
                              const NameList *names, const char *name) {
  Select *block = scope->block;
  uint32_t width = select_width(select);
  Source source = {.name = name, .select = select, .column_count = width};
  source.column_names = ARENA_ARRAY(resolver->arena, const char *, width);
  source.column_types = ARENA_ARRAY(resolver->arena, Type, width);
  for (uint32_t i = 0; i < width; i++) {
    source.column_names[i] = select->output_names[i];
    source.column_types[i] = select->output_types[i];
    if (dialect_is_sqlite(resolver->dialect))
      source.column_types[i].collation = select_column_collation(resolver, select, i);
  }
  if (names && !source_rename(resolver, &source, names, from->offset)) return false;
  if (dialect_is_mysql(resolver->dialect) && !columns_are_unique(resolver, &source, from->offset))
    return false;
  if (select->is_volatile) scope_mark_volatile(scope);
  from->select = select;
  return source_add(resolver, block, from, source);
}

/* ---- Views and WITH -------------------------------------------------------------------------- */

/* The literals of a view become constants of the plan, behind the statement's own inputs. */
static Select *view_parse(Resolver *resolver, const View *view, uint32_t offset) {
  Tokens tokens;
  Parse parse = {0};
  bool scanned = tokens_scan(resolver->dialect, resolver->arena, view->text, view->text_length, &tokens);
  if (!scanned || parse_tokens(resolver->dialect, resolver->arena, view->text, &tokens, &parse) != PARSE_OK ||
      parse.statements.count != 1 || parse.statements.items[0]->kind != STATEMENT_SELECT) {
    resolver_unmodelled(resolver, offset, "the text of view '%s' is not modelled", view->name);
    return NULL;
  }
  Select *select = parse.statements.items[0]->select;
  select_shift_inputs(select, (int32_t)resolver->values.count);
  for (uint32_t i = 0; i < tokens.inputs.count; i++) {
    if (tokens.inputs.items[i].kind != INPUT_LITERAL) {
      resolver_unmodelled(resolver, offset, "view '%s' has a parameter", view->name);
      return NULL;
    }
    Value value = value_copy(resolver->arena, tokens.inputs.items[i].literal);
    resolver_add_input(resolver, value, INPUT_LITERAL);
    ARENA_PUSH(resolver->arena, &resolver->resolution->constants, value);
  }
  return select;
}

/* A view sees neither the WITH queries nor the variables of the statement that uses it. */
static bool view_resolve(Resolver *resolver, Scope *scope, From *from, const View *view) {
  if (resolver->view_depth == VIEW_DEPTH)
    return resolver_unmodelled(resolver, from->offset, "view '%s' is nested too deeply", view->name);
  Select *select = view_parse(resolver, view, from->offset);
  if (!select) return false;
  WithScope *with = resolver->with;
  Body *body = resolver->body;
  resolver->with = NULL;
  resolver->body = NULL;
  resolver->view_depth++;
  bool done = select_resolve(resolver, NULL, select);
  resolver->view_depth--;
  resolver->with = with;
  resolver->body = body;
  return done && source_add_select(resolver, scope, from, select, &view->columns,
                                   from->alias ? from->alias : view->name);
}

static bool with_resolve(Resolver *resolver, Scope *scope, From *from, WithScope *with) {
  if (with->is_open)
    return resolver_unmodelled(resolver, from->offset, "recursive WITH query '%s' is not modelled",
                               with->query->name);
  if (!with->is_resolved && !with_query_resolve(resolver, with)) return false;
  return source_add_select(resolver, scope, from, with->query->select, &with->query->columns,
                           from->alias ? from->alias : with->query->name);
}

/* A WITH query that is being resolved is its own name only if it is RECURSIVE. */
static WithScope *with_find(const Resolver *resolver, const From *from) {
  if (from->schema_name) return NULL;
  for (WithScope *with = resolver->with; with; with = with->outer) {
    if (!table_name_is(resolver, with->query->name, from->name)) continue;
    if (!with->is_open || with->is_recursive) return with;
  }
  return NULL;
}

static bool from_table(Resolver *resolver, Scope *scope, From *from) {
  WithScope *with = with_find(resolver, from);
  if (with) return with_resolve(resolver, scope, from, with);
  View *view = schema_view(resolver->schema, from->name);
  if (view) return view_resolve(resolver, scope, from, view);
  Table *table = schema_table(resolver->schema, from->name);
  if (!table || (from->schema_name && name_is_catalogue(resolver, from->schema_name, from->name)))
    return table_missing(resolver, from->schema_name, from->name, from->offset);
  resolver_reads(resolver, table);
  return source_add_table(resolver, scope->block, from, table, from->alias ? from->alias : from->name);
}

static bool from_select(Resolver *resolver, Scope *scope, From *from) {
  if (!from->alias && !dialect_is_sqlite(resolver->dialect) && !dialect_is_lenient(resolver->dialect))
    return resolver_unmodelled(resolver, from->offset, "a derived table without a name");
  bool keeps_unknown = resolver->keeps_unknown;
  resolver->keeps_unknown = false;
  Scope hidden = {.outer = scope->outer, .block = scope->block, .clause = CLAUSE_FROM};
  bool done = select_resolve(resolver, &hidden, from->select);
  resolver->keeps_unknown = keeps_unknown;
  return done && source_add_select(resolver, scope, from, from->select, NULL, from->alias);
}

bool from_resolve(Resolver *resolver, Scope *scope, From *from, VisibleList *visible) {
  bool done = true;
  switch (from->kind) {
  case FROM_TABLE: done = from_table(resolver, scope, from); break;
  case FROM_SELECT: done = from_select(resolver, scope, from); break;
  default: return join_resolve(resolver, scope, from, visible);
  }
  if (done) source_visible(resolver, scope->block, from->source, visible);
  return done;
}
