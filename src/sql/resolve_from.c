/* resolve_from.c: FROM: tables, views, WITH queries, derived tables and joins.
 *
 * Sources are numbered in the order of the text.  Beside them a list of visible columns is
 * kept, which USING and NATURAL change: it is what * expands to and where
 * unqualified names are found.  A view's text is parsed again for every use. */
#include "src/sql/parse.h"
#include "src/sql/resolve_internal.h"

#include <strings.h>

enum { VIEW_DEPTH = 32 };

/* ---- Tables that are missing ------------------------------------------------------------- */

bool name_is_catalogue(const Resolver *resolver, const char *schema_name, const char *name) {
  static const char *const schemas[] = {"information_schema", "pg_catalog", "performance_schema", "mysql", "sys"};
  for (size_t i = 0; schema_name && i < sizeof schemas / sizeof *schemas; i++)
    if (strcasecmp(schema_name, schemas[i]) == 0) return true;
  switch (resolver->dialect->name) {
  case DIALECT_POSTGRESQL: return strncmp(name, "pg_", 3) == 0;
  case DIALECT_SQLITE: return strncasecmp(name, "sqlite_", 7) == 0 || strncasecmp(name, "pragma_", 7) == 0;
  case DIALECT_GENERIC: return strncmp(name, "pg_", 3) == 0 || strncasecmp(name, "sqlite_", 7) == 0;
  default: return false;
  }
}

bool table_missing(Resolver *resolver, const char *schema_name, const char *name, uint32_t offset) {
  if (name_is_catalogue(resolver, schema_name, name))
    return resolver_unmodelled(resolver, offset, "the catalogue ('%s') is not modelled", name);
  return resolver_fail(resolver, ERROR_NO_TABLE, offset, "unknown table '%s'%s", name, name_suggest_table(resolver, name));
}

/* ---- Sources ----------------------------------------------------------------------------- */

void source_visible(Resolver *resolver, const Select *block, uint32_t source, VisibleList *visible) {
  const Source *origin = &block->sources.items[source];
  for (uint32_t i = 0; i < origin->column_count; i++)
    ARENA_PUSH(resolver->arena, visible,
               (VisibleColumn){.name = origin->column_names[i], .source = source, .column = i});
}

/* AS name(a, b): the first columns take these names. */
static bool source_rename(Resolver *resolver, Source *source, const NameList *names, uint32_t offset) {
  if (names->count > source->column_count)
    return resolver_fail(resolver, ERROR_TYPE, offset, "'%s' has %u columns, not %u", source->name, source->column_count,
                         names->count);
  for (uint32_t i = 0; i < names->count; i++) source->column_names[i] = names->items[i];
  return true;
}

/* In sqlite two sources may share a name, and only a mention is ambiguous. */
static bool source_is_new(Resolver *resolver, const Select *block, const Source *source, uint32_t offset) {
  if (!source->name || dialect_is_sqlite(resolver->dialect) || dialect_is_lenient(resolver->dialect)) return true;
  for (uint32_t i = 0; i < block->sources.count; i++)
    if (table_name_is(resolver, block->sources.items[i].name, source->name))
      return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, offset, "'%s' stands twice in FROM", source->name);
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

static bool source_add_select(Resolver *resolver, Scope *scope, From *from, Select *select, const NameList *names,
                              const char *name) {
  Select *block = scope->block;
  uint32_t width = select_width(select);
  Source source = {.name = name, .select = select, .column_count = width};
  source.column_names = ARENA_ARRAY(resolver->arena, const char *, width);
  source.column_types = ARENA_ARRAY(resolver->arena, Type, width);
  for (uint32_t i = 0; i < width; i++) {
    source.column_names[i] = select->output_names[i];
    source.column_types[i] = select->output_types[i];
  }
  if (names && !source_rename(resolver, &source, names, from->offset)) return false;
  if (dialect_is_mysql(resolver->dialect) && !columns_are_unique(resolver, &source, from->offset)) return false;
  if (select->is_volatile) scope_mark_volatile(scope);
  from->select = select;
  return source_add(resolver, block, from, source);
}

/* ---- Views and WITH ------------------------------------------------------------------------ */

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
  return done && source_add_select(resolver, scope, from, select, &view->columns, from->alias ? from->alias : view->name);
}

static bool with_resolve(Resolver *resolver, Scope *scope, From *from, WithScope *with) {
  if (!with->is_resolved)
    return resolver_unmodelled(resolver, from->offset, "recursive WITH query '%s' is not modelled", with->query->name);
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

/* ---- Joins ------------------------------------------------------------------------------------ */

static void sources_make_nullable(Select *block, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) block->sources.items[i].is_nullable = true;
}

static const VisibleColumn *visible_keep(Resolver *resolver, VisibleColumn column) {
  VisibleColumn *kept = ARENA_NEW(resolver->arena, VisibleColumn);
  *kept = column;
  return kept;
}

/* The column that stands for both sides of USING: the side that every row of the join has. */
static VisibleColumn visible_merge(Resolver *resolver, const From *from, VisibleColumn left, VisibleColumn right) {
  bool needs_both = from->join == JOIN_FULL || (from->join == JOIN_RIGHT && dialect_is_sqlite(resolver->dialect));
  if (!needs_both) return from->join == JOIN_RIGHT ? right : left;
  return (VisibleColumn){.name = left.name,
                         .source = left.source,
                         .column = left.column,
                         .left = visible_keep(resolver, left),
                         .right = visible_keep(resolver, right)};
}

/* The place of a joined name in one side's list; -1 fails: unknown or ambiguous. */
static int32_t using_place(Resolver *resolver, const From *from, const VisibleList *side, const char *name) {
  int32_t place = -1;
  for (uint32_t i = 0; i < side->count; i++) {
    if (!column_name_is(resolver, side->items[i].name, name)) continue;
    if (place >= 0) {
      resolver_fail(resolver, ERROR_AMBIGUOUS, from->offset, "column '%s' of USING is ambiguous", name);
      return -1;
    }
    place = (int32_t)i;
  }
  if (place < 0)
    resolver_fail(resolver, ERROR_NO_COLUMN, from->offset, "unknown column '%s' in USING", name);
  return place;
}

static bool list_names(const Resolver *resolver, const NameList *names, const char *name) {
  for (uint32_t i = 0; i < names->count; i++)
    if (column_name_is(resolver, names->items[i], name)) return true;
  return false;
}

/* NATURAL joins by the names that both sides have, in the order of the left one. */
static void natural_names(Resolver *resolver, From *from, const VisibleList *left, const VisibleList *right) {
  for (uint32_t i = 0; i < left->count; i++) {
    const char *name = left->items[i].name;
    if (!name || list_names(resolver, &from->using_columns, name)) continue;
    for (uint32_t j = 0; j < right->count; j++) {
      if (!column_name_is(resolver, right->items[j].name, name)) continue;
      ARENA_PUSH(resolver->arena, &from->using_columns, name);
      break;
    }
  }
}

static bool using_equality(Resolver *resolver, Scope *scope, From *from, const VisibleColumn *left,
                           const VisibleColumn *right) {
  Expr *equal = expr_binary(resolver->arena, EXPR_EQUAL, from->offset,
                            visible_expr(resolver, scope, left, 0, from->offset),
                            visible_expr(resolver, scope, right, 0, from->offset));
  if (!expr_type(resolver, equal)) return false;
  if (from->condition) {
    equal = expr_binary(resolver->arena, EXPR_AND, from->offset, from->condition, equal);
    if (!expr_type(resolver, equal)) return false;
  }
  from->condition = equal;
  return true;
}

/* mysql turns RIGHT joins around: the right side's columns come first. */
static bool join_is_turned(const Resolver *resolver, const From *from) {
  return from->join == JOIN_RIGHT && dialect_is_mysql(resolver->dialect);
}

static uint32_t merged_place(const Resolver *resolver, const From *from, const VisibleColumn *column) {
  uint32_t place = 0;
  while (place < from->using_columns.count && !column_name_is(resolver, from->using_columns.items[place], column->name))
    place++;
  return place;
}

/* The joined columns come first: as USING lists them (postgresql), or as the first side has them (mysql). */
static void merged_first(Resolver *resolver, const From *from, const VisibleList *merged, const VisibleList *first,
                         VisibleList *joined) {
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  for (uint32_t i = 0; !is_mysql && i < merged->count; i++) ARENA_PUSH(resolver->arena, joined, merged->items[i]);
  for (uint32_t i = 0; is_mysql && i < first->count; i++) {
    uint32_t place = merged_place(resolver, from, &first->items[i]);
    if (place < merged->count) ARENA_PUSH(resolver->arena, joined, merged->items[place]);
  }
}

static bool using_resolve(Resolver *resolver, Scope *scope, From *from, const VisibleList *left,
                          const VisibleList *right, VisibleList *joined) {
  VisibleList merged = {0};
  for (uint32_t i = 0; i < from->using_columns.count; i++) {
    const char *name = from->using_columns.items[i];
    int32_t a = using_place(resolver, from, left, name);
    int32_t b = a < 0 ? -1 : using_place(resolver, from, right, name);
    if (b < 0 || !using_equality(resolver, scope, from, &left->items[a], &right->items[b])) return false;
    ARENA_PUSH(resolver->arena, &merged, visible_merge(resolver, from, left->items[a], right->items[b]));
  }
  bool in_place = dialect_is_sqlite(resolver->dialect); /* sqlite leaves them where the left side has them */
  if (!in_place) merged_first(resolver, from, &merged, join_is_turned(resolver, from) ? right : left, joined);
  for (unsigned side = 0; side < 2; side++) {
    bool takes_left = (side == 0) != join_is_turned(resolver, from);
    const VisibleList *list = takes_left ? left : right;
    for (uint32_t i = 0; i < list->count; i++) {
      uint32_t place = merged_place(resolver, from, &list->items[i]);
      if (place == merged.count) ARENA_PUSH(resolver->arena, joined, list->items[i]);
      else if (in_place && takes_left) ARENA_PUSH(resolver->arena, joined, merged.items[place]);
    }
  }
  return true;
}

/* sqlite: ON may name any table of FROM. Beyond its own join only an inner condition can be evaluated. */
static bool on_stays_inside(Resolver *resolver, const From *from, const Expr *expr, uint32_t first, uint32_t end) {
  bool is_outside = expr->kind == EXPR_COLUMN && expr->depth == 0 && (expr->source < first || expr->source >= end);
  if (is_outside || (expr->select && expr->select->outer_depth && dialect_is_sqlite(resolver->dialect) && first > 0))
    return resolver_unmodelled(resolver, from->offset, "ON names a table outside its join");
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!on_stays_inside(resolver, from, expr->args[i], first, end)) return false;
  return true;
}

static bool on_resolve(Resolver *resolver, Scope *scope, From *from, const VisibleList *visible, uint32_t first) {
  Select *block = scope->block;
  uint32_t end = block->sources.count;
  bool is_wide = dialect_is_sqlite(resolver->dialect) && first > 0;
  VisibleList all = {0};
  for (uint32_t i = 0; is_wide && i < first; i++) source_visible(resolver, block, i, &all);
  for (uint32_t i = 0; is_wide && i < visible->count; i++) ARENA_PUSH(resolver->arena, &all, visible->items[i]);
  Scope on = {.outer = scope->outer,
              .block = block,
              .visible = is_wide ? &all : visible,
              .first_source = is_wide ? 0 : first,
              .end_source = end,
              .clause = CLAUSE_ON};
  if (!condition_resolve(resolver, &on, &from->on)) return false;
  if (is_wide && !on_stays_inside(resolver, from, from->on, first, end)) return false;
  from->condition = from->on;
  return true;
}

static bool from_join(Resolver *resolver, Scope *scope, From *from, VisibleList *visible) {
  Select *block = scope->block;
  VisibleList left = {0}, right = {0}, joined = {0};
  uint32_t first = block->sources.count;
  if (!from_resolve(resolver, scope, from->left, &left)) return false;
  uint32_t middle = block->sources.count;
  if (!from_resolve(resolver, scope, from->right, &right)) return false;
  uint32_t end = block->sources.count;
  if (from->join == JOIN_LEFT || from->join == JOIN_FULL) sources_make_nullable(block, middle, end);
  if (from->join == JOIN_RIGHT || from->join == JOIN_FULL) sources_make_nullable(block, first, middle);
  if (from->natural) natural_names(resolver, from, &left, &right);
  if (from->natural || from->using_columns.count) {
    if (!using_resolve(resolver, scope, from, &left, &right, &joined)) return false;
  } else {
    for (uint32_t i = 0; i < left.count; i++) ARENA_PUSH(resolver->arena, &joined, left.items[i]);
    for (uint32_t i = 0; i < right.count; i++) ARENA_PUSH(resolver->arena, &joined, right.items[i]);
  }
  if (from->on && !on_resolve(resolver, scope, from, &joined, first)) return false;
  *visible = joined;
  return true;
}

bool from_resolve(Resolver *resolver, Scope *scope, From *from, VisibleList *visible) {
  bool done = true;
  switch (from->kind) {
  case FROM_TABLE: done = from_table(resolver, scope, from); break;
  case FROM_SELECT: done = from_select(resolver, scope, from); break;
  default: return from_join(resolver, scope, from, visible);
  }
  if (done) source_visible(resolver, scope->block, from->source, visible);
  return done;
}
