/* resolve_query.c: one query block: WITH, select list, WHERE, ORDER BY, LIMIT.
 *
 * The select list is resolved before WHERE, because in sqlite and generic
 * conditions may name its aliases; grouping is applied when all clauses are resolved. */
#include "src/sql/resolve_internal.h"

#include <ctype.h>
#include <strings.h>

/* ---- The select list ------------------------------------------------------------------------- */

typedef struct Titles {
  ARRAY(const char *) names;
  ARRAY(bool) are_named;
} Titles;

static void output_add(Resolver *resolver, Select *block, Titles *titles, SelectItem item, const char *name,
                       bool is_named) {
  ARENA_PUSH(resolver->arena, &block->outputs, item);
  ARENA_PUSH(resolver->arena, &titles->names, name);
  ARENA_PUSH(resolver->arena, &titles->are_named, is_named);
}

/* SQLite shows the merged column in t.*, where RIGHT or FULL JOIN merges one of t's columns with another's.
 */
static bool star_is_merged(const Resolver *resolver, const From *from, const char *name) {
  if (!from || from->kind != FROM_JOIN || !name) return false;
  bool is_right = from->join == JOIN_RIGHT || from->join == JOIN_FULL;
  for (uint32_t i = 0; is_right && i < from->using_columns.count; i++)
    if (column_name_is(resolver, from->using_columns.items[i], name)) return true;
  return star_is_merged(resolver, from->left, name) || star_is_merged(resolver, from->right, name);
}

static bool star_expand(Resolver *resolver, Scope *scope, Select *block, const SelectItem *item,
                        Titles *titles) {
  uint32_t before = block->outputs.count;
  const Expr *star = item->expr;
  for (uint32_t i = 0; star->table && i < block->sources.count; i++) {
    const Source *source = &block->sources.items[i];
    if (!table_name_is(resolver, source->name, star->table)) continue;
    for (uint32_t j = 0; j < source->column_count; j++) {
      if (dialect_is_sqlite(resolver->dialect) &&
          star_is_merged(resolver, block->from, source->column_names[j]))
        return resolver_unmodelled(resolver, star->offset, "%s.* over a merged column", star->table);
      Expr *column = source_expr(resolver, scope, i, j, 0, star->offset);
      output_add(resolver, block, titles, (SelectItem){.expr = column}, source->column_names[j],
                 source->column_names[j] != NULL);
    }
    return true;
  }
  if (star->table)
    return resolver_fail(resolver, ERROR_NO_TABLE, star->offset, "no table '%s' in FROM", star->table);
  for (uint32_t i = 0; i < scope->visible->count; i++) {
    const VisibleColumn *visible = &scope->visible->items[i];
    Expr *column = visible_expr(resolver, scope, visible, 0, star->offset);
    output_add(resolver, block, titles, (SelectItem){.expr = column}, visible->name, visible->name != NULL);
  }
  if (block->outputs.count > before) return true;
  return resolver_fail(resolver, ERROR_SYNTAX, star->offset, "* without any table");
}

static const char *lower(Resolver *resolver, const char *name) {
  char *copy = arena_text(resolver->arena, name, strlen(name));
  for (char *c = copy; *c; c++) *c = (char)tolower((unsigned char)*c);
  return copy;
}

/* PostgreSQL's title of an expression without AS; the others use its text. */
static const char *postgres_title(Resolver *resolver, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_COLUMN:
  case EXPR_VARIABLE: return expr->name;
  case EXPR_FUNCTION:
  case EXPR_AGGREGATE: return lower(resolver, expr->name);
  case EXPR_COLLATE: return postgres_title(resolver, expr->args[0]);
  case EXPR_EXISTS: return "exists";
  case EXPR_SCALAR: return expr->select->output_names[0];
  case EXPR_CASE: {
    const Expr *last = expr->has_else ? expr->args[expr->arg_count - 1] : NULL;
    return last && last->kind == EXPR_COLUMN ? last->name : "case";
  }
  case EXPR_CAST: {
    const char *inner = postgres_title(resolver, expr->args[0]);
    bool is_plain = inner && strcmp(inner, "?column?") != 0;
    return is_plain || expr->is_implicit ? inner : NULL;
  }
  default: return "?column?";
  }
}

static bool item_resolve(Resolver *resolver, Scope *scope, Select *block, const SelectItem *item,
                         Titles *titles) {
  SelectItem output = *item;
  const Expr *written = item->expr;
  const char *column = written->kind == EXPR_COLUMN ? written->name : NULL;
  const char *title = NULL;
  if (!expr_resolve(resolver, scope, &output.expr)) return false;
  bool is_column = column && (output.expr->kind == EXPR_COLUMN || output.expr->args);
  if (item->alias)
    title = item->alias;
  else if (is_column)
    title = column;
  else if (dialect_is_postgres(resolver->dialect))
    title = postgres_title(resolver, output.expr);
  bool is_named = item->alias || (is_column && !written->in_parentheses);
  output_add(resolver, block, titles, output, title, is_named);
  return true;
}

bool outputs_resolve(Resolver *resolver, Scope *scope, Select *block, const SelectItem *items,
                     uint32_t count) {
  Titles titles = {0};
  for (uint32_t i = 0; i < count; i++) {
    bool done = items[i].expr->kind == EXPR_STAR ? star_expand(resolver, scope, block, &items[i], &titles)
                                                 : item_resolve(resolver, scope, block, &items[i], &titles);
    if (!done) return false;
  }
  block->output_names = titles.names.items;
  block->output_is_named = titles.are_named.items;
  block->output_types = ARENA_ARRAY(resolver->arena, Type, block->outputs.count);
  return true;
}

bool outputs_settle(Resolver *resolver, Select *block) {
  for (uint32_t i = 0; i < block->outputs.count; i++) {
    Expr **slot = &block->outputs.items[i].expr;
    if (!resolver->keeps_unknown) expr_settle(resolver, slot, type_plain_text(resolver));
    if ((*slot)->type.kind == TYPE_ROW)
      return resolver_unmodelled(resolver, (*slot)->offset, "a row in the select list is not modelled");
    block->output_types[i] = (*slot)->type;
  }
  return true;
}

/* ---- ORDER BY -------------------------------------------------------------------------------- */

bool literal_is_position(const Resolver *resolver, const Expr *expr, int64_t *position) {
  if (expr->kind != EXPR_INPUT || resolver->kinds.items[expr->index] != INPUT_LITERAL) return false;
  Value value = resolver->values.items[expr->index];
  if (value.kind != VALUE_INT) return false;
  *position = value.integer;
  return true;
}

bool literal_is_called(Resolver *resolver, const SelectItem *item, const char *name) {
  if (!dialect_is_mysql(resolver->dialect) || item->alias || item->expr->kind != EXPR_INPUT ||
      resolver->kinds.items[item->expr->index] != INPUT_LITERAL)
    return false;
  Value value = resolver->values.items[item->expr->index];
  if (value.kind != VALUE_TEXT) return false;
  resolver_pin(resolver, item->expr->index);
  return value.length == strlen(name) && strncasecmp(value.text, name, value.length) == 0;
}

/* The output an ORDER BY name means: -1 none, -2 several different ones. In sqlite only aliases count. */
static int32_t output_named(Resolver *resolver, const Select *block, const char *name) {
  int32_t found = -1;
  bool only_aliases = dialect_is_sqlite(resolver->dialect);
  for (uint32_t i = 0; i < block->outputs.count; i++) {
    const char *title = only_aliases ? block->outputs.items[i].alias : block->output_names[i];
    if (literal_is_called(resolver, &block->outputs.items[i], name))
      return (int32_t)i; /* before any column */
    if (!column_name_is(resolver, title, name)) continue;
    if (!only_aliases && !block->output_is_named[i] && !dialect_is_postgres(resolver->dialect)) continue;
    /* mysql takes the first alias of an expression, and only else a column. */
    if (dialect_is_mysql(resolver->dialect) && block->outputs.items[i].expr->kind != EXPR_COLUMN)
      return (int32_t)i;
    if (found < 0)
      found = (int32_t)i;
    else if (!only_aliases &&
             !expr_equal(resolver, block->outputs.items[found].expr, block->outputs.items[i].expr, 0))
      return -2;
  }
  return found;
}

/* mysql: behind titles, a name means a selected column of that name, whatever it is called there. */
static int32_t output_column(const Resolver *resolver, const Select *block, const char *name) {
  int32_t found = -1;
  for (uint32_t i = 0; i < block->outputs.count; i++) {
    const Expr *expr = block->outputs.items[i].expr;
    if (expr->kind != EXPR_COLUMN || expr->depth || !column_name_is(resolver, expr->name, name)) continue;
    if (found >= 0 && !expr_equal((Resolver *)resolver, block->outputs.items[found].expr, expr, 0)) return -2;
    if (found < 0) found = (int32_t)i;
  }
  return found;
}

int32_t output_of_name(Resolver *resolver, const Select *block, const char *name) {
  int32_t found = output_named(resolver, block, name);
  return found != -1 || !dialect_is_mysql(resolver->dialect) ? found : output_column(resolver, block, name);
}

static bool position_check(Resolver *resolver, const Select *block, const Expr *expr, int64_t position) {
  resolver_pin(resolver, expr->index);
  if (position >= 1 && position <= (int64_t)block->outputs.count) return true;
  ErrorClass error = dialect_is_mysql(resolver->dialect) ? ERROR_NO_COLUMN : ERROR_TYPE;
  return resolver_fail(resolver, error, expr->offset, "ORDER BY position %lld is not in the select list",
                       (long long)position);
}

/* PostgreSQL takes no other constants; a negated position is an error there and in sqlite. */
static bool constant_check(Resolver *resolver, const Expr *expr, const char *clause) {
  int64_t position;
  bool is_negative = expr->kind == EXPR_NEGATE && literal_is_position(resolver, expr->args[0], &position);
  if (is_negative && !dialect_is_mysql(resolver->dialect))
    return resolver_unmodelled(resolver, expr->offset, "a negative position in %s", clause);
  bool is_literal = expr->kind == EXPR_NULL ||
                    (expr->kind == EXPR_INPUT && resolver->kinds.items[expr->index] == INPUT_LITERAL);
  if (is_literal && resolver->dialect->name == DIALECT_POSTGRESQL)
    return resolver_fail(resolver, ERROR_SYNTAX, expr->offset, "non-integer constant in %s", clause);
  return true;
}

static int32_t output_equal(Resolver *resolver, const Select *block, const Expr *expr) {
  for (uint32_t i = 0; i < block->outputs.count; i++)
    if (expr_equal(resolver, block->outputs.items[i].expr, expr, 0)) return (int32_t)i;
  return -1;
}

static bool order_by_expression(Resolver *resolver, Scope *scope, OrderTerm *term, bool is_distinct) {
  if (!expr_resolve(resolver, scope, &term->expr)) return false;
  expr_settle(resolver, &term->expr, type_plain_text(resolver));
  if (term->expr->type.kind == TYPE_ROW)
    return resolver_unmodelled(resolver, term->expr->offset, "ORDER BY a row is not modelled");
  if (is_distinct || term->expr->kind == EXPR_COLUMN)
    term->item = output_equal(resolver, scope->block, term->expr);
  if (!is_distinct || term->item >= 0) return true;
  if (resolver->dialect->name == DIALECT_POSTGRESQL)
    return resolver_fail(resolver, ERROR_TYPE, term->expr->offset,
                         "ORDER BY of SELECT DISTINCT is not in its select list");
  return resolver_unmodelled(resolver, term->expr->offset,
                             "ORDER BY of SELECT DISTINCT by what it does not select");
}

/* sqlite: alias COLLATE name sorts the alias by that collation. */
static bool order_by_collated(Resolver *resolver, Scope *scope, OrderTerm *term, bool is_distinct) {
  Expr **inner = &term->expr->args[0];
  int64_t position;
  int32_t item = -1;
  if ((*inner)->kind == EXPR_COLUMN && !(*inner)->table)
    item = output_named(resolver, scope->block, (*inner)->name);
  if (literal_is_position(resolver, *inner, &position)) {
    if (!position_check(resolver, scope->block, *inner, position)) return false;
    item = (int32_t)position - 1;
  }
  if (item < 0) return order_by_expression(resolver, scope, term, is_distinct);
  if (is_distinct)
    return resolver_unmodelled(resolver, term->expr->offset, "ORDER BY ... COLLATE of SELECT DISTINCT");
  *inner = expr_copy(resolver->arena, scope->block->outputs.items[item].expr);
  return expr_type(resolver, term->expr);
}

static bool order_term(Resolver *resolver, Scope *scope, OrderTerm *term, bool is_distinct) {
  Select *block = scope->block;
  int64_t position;
  term->item = -1;
  if (block->outputs.count && literal_is_position(resolver, term->expr, &position)) {
    if (!position_check(resolver, block, term->expr, position)) return false;
    term->item = (int32_t)position - 1;
  } else if (!constant_check(resolver, term->expr, "ORDER BY")) {
    return false;
  } else if (term->expr->kind == EXPR_COLUMN && !term->expr->table) {
    term->item = output_of_name(resolver, block, term->expr->name);
    if (term->item == -2)
      return resolver_fail(resolver, ERROR_AMBIGUOUS, term->expr->offset, "ORDER BY '%s' is ambiguous",
                           term->expr->name);
  } else if (term->expr->kind == EXPR_COLLATE && dialect_is_sqlite(resolver->dialect)) {
    return order_by_collated(resolver, scope, term, is_distinct);
  }
  if (term->item < 0) return order_by_expression(resolver, scope, term, is_distinct);
  term->expr = expr_copy(resolver->arena, block->outputs.items[term->item].expr);
  return true;
}

bool order_resolve(Resolver *resolver, Scope *scope, OrderTerm *terms, uint32_t count, bool is_distinct) {
  scope->clause = CLAUSE_ORDER_BY;
  for (uint32_t i = 0; i < count; i++)
    if (!order_term(resolver, scope, &terms[i], is_distinct)) return false;
  return true;
}

static bool is_column(const Expr *expr) { return expr->kind == EXPR_COLUMN; }

/* LIMIT sees no columns; an untyped parameter is a number. */
bool limit_resolve(Resolver *resolver, Scope *scope, Expr **slot) {
  if (!*slot) return true;
  if (!resolver->body && expr_has(*slot, is_column))
    return resolver_unmodelled(resolver, (*slot)->offset, "a column in LIMIT is not modelled");
  Scope bare = {.outer = NULL, .block = scope ? scope->block : NULL, .clause = CLAUSE_LIMIT};
  if (!expr_resolve(resolver, scope ? &bare : NULL, slot)) return false;
  if (select_has_subquery(*slot))
    return resolver_unmodelled(resolver, (*slot)->offset, "a subquery in LIMIT is not modelled");
  expr_settle(resolver, slot, dialect_is_sqlite(resolver->dialect) ? type_of(TYPE_DYNAMIC) : type_int(8));
  return true;
}

/* ---- The block ------------------------------------------------------------------------------- */

/* HAVING without groups: one group of everything (postgresql), a second WHERE (mysql), an error (sqlite). */
static bool having_settle(Resolver *resolver, Select *block) {
  block->is_grouped = block->group_by.count > 0 || block->aggregates.count > 0;
  if (!block->having || block->is_grouped) return true;
  if (dialect_is_sqlite(resolver->dialect))
    return resolver_fail(resolver, ERROR_GROUPING, block->having->offset,
                         "HAVING without GROUP BY or an aggregate");
  if (dialect_is_postgres(resolver->dialect)) return block->is_grouped = true, true;
  Expr *both = block->having;
  if (block->where) {
    both = expr_binary(resolver->arena, EXPR_AND, block->having->offset, block->where, block->having);
    if (!expr_type(resolver, both)) return false;
  }
  block->where = both;
  block->having = NULL;
  return true;
}

/* FROM dual is no FROM at all. */
static bool from_is_dual(const Resolver *resolver, const From *from) {
  return from && from->kind == FROM_TABLE && dialect_is_mysql(resolver->dialect) &&
         strcasecmp(from->name, "dual") == 0 && !schema_table(resolver->schema, from->name);
}

static bool block_resolve(Resolver *resolver, Scope *outer, Select *block) {
  if (from_is_dual(resolver, block->from)) block->from = NULL;
  Scope scope = {.outer = outer, .block = block, .clause = CLAUSE_FROM};
  VisibleList visible = {0};
  if (block->from && !from_resolve(resolver, &scope, block->from, &visible)) return false;
  scope.visible = &visible;
  scope.end_source = block->sources.count;
  scope.clause = CLAUSE_ITEMS;
  if (!outputs_resolve(resolver, &scope, block, block->items.items, block->items.count)) return false;
  scope.clause = CLAUSE_WHERE;
  if (!condition_resolve(resolver, &scope, &block->where)) return false;
  if (!group_resolve(resolver, &scope, block)) return false;
  scope.clause = CLAUSE_HAVING;
  if (!condition_resolve(resolver, &scope, &block->having)) return false;
  uint32_t aggregates = block->aggregates.count;
  if (!order_resolve(resolver, &scope, block->order_by.items, block->order_by.count, block->distinct))
    return false;
  if (dialect_is_sqlite(resolver->dialect) && block->aggregates.count && !aggregates &&
      !block->group_by.count)
    return resolver_unmodelled(resolver, block->offset_in_text, "an aggregate only in ORDER BY");
  if (!limit_resolve(resolver, &scope, &block->limit) || !limit_resolve(resolver, &scope, &block->offset))
    return false;
  if (!having_settle(resolver, block)) return false;
  if (block->is_grouped && !group_apply(resolver, block)) return false;
  return outputs_settle(resolver, block);
}

bool with_query_resolve(Resolver *resolver, WithScope *with) {
  WithScope *outside = resolver->with;
  bool keeps_unknown = resolver->keeps_unknown;
  resolver->with = with->visible;
  resolver->keeps_unknown = false;
  with->is_open = true;
  if (!select_resolve(resolver, with->around, with->query->select)) return false;
  if (with->query->select->outer_depth)
    return resolver_unmodelled(resolver, with->query->select->offset_in_text,
                               "WITH query '%s' depends on the query around it", with->query->name);
  with->is_open = false;
  with->is_resolved = true;
  resolver->keeps_unknown = keeps_unknown;
  resolver->with = outside;
  return true;
}

static bool with_is_again(const Resolver *resolver, const Select *select, uint32_t place) {
  for (uint32_t i = 0; i < place; i++)
    if (table_name_is(resolver, select->with.items[i].name, select->with.items[place].name)) return true;
  return false;
}

/* WITH a AS (...), b AS (...): b sees a, and in sqlite a sees b.  sqlite looks only into those that are used,
 * so a mistake in another is none; generic follows it, as wherever PostgreSQL says error. */
static bool with_enter(Resolver *resolver, Scope *outer, Select *select) {
  bool is_sqlite = resolver->dialect->name == DIALECT_SQLITE;
  bool is_lazy = is_sqlite || resolver->dialect->name == DIALECT_GENERIC;
  WithScope *first = ARENA_ARRAY(resolver->arena, WithScope, select->with.count);
  for (uint32_t i = 0; i < select->with.count; i++) {
    WithScope *with = &first[i];
    if (with_is_again(resolver, select, i))
      return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, select->offset_in_text, "WITH names '%s' twice",
                           select->with.items[i].name);
    *with = (WithScope){.outer = resolver->with,
                        .visible = is_sqlite ? &first[select->with.count - 1] : with,
                        .around = outer,
                        .query = &select->with.items[i],
                        .is_recursive = is_sqlite || select->is_recursive};
    resolver->with = with;
    if (!is_lazy && !with_query_resolve(resolver, with)) return false;
  }
  return true;
}

bool select_resolve(Resolver *resolver, Scope *outer, Select *select) {
  WithScope *with = resolver->with;
  bool keeps_unknown = resolver->keeps_unknown;
  select->id = resolver->statement->block_count++;
  resolver->keeps_unknown = false;
  bool done = with_enter(resolver, outer, select);
  if (select->kind == SELECT_SIMPLE) resolver->keeps_unknown = keeps_unknown;
  if (done && select->kind == SELECT_SIMPLE)
    done = block_resolve(resolver, outer, select);
  else if (done && select->kind == SELECT_VALUES)
    done = values_resolve(resolver, outer, select, NULL, NULL);
  else if (done)
    done = compound_resolve(resolver, outer, select);
  resolver->keeps_unknown = keeps_unknown;
  resolver->with = with;
  return done;
}
