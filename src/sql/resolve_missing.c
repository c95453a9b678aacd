/* resolve_missing.c: a column's name that is found nowhere.
 *
 * Most often the statement is in error.  But databases know names that no table declares, sources may have
 * columns whose titles are not known, and some clauses see names that this model does not give them: there
 * the statement is set aside, for an error that is claimed wrongly would be a wrong verdict. */
#include "src/sql/function.h"
#include "src/sql/resolve_internal.h"

#include <strings.h>

bool source_has_untitled(const Source *source) {
  for (uint32_t i = 0; i < source->column_count; i++)
    if (!source->column_names[i]) return true;
  return false;
}

/* Columns that tables have besides those declared. */
static bool name_is_hidden(const Resolver *resolver, const char *name) {
  static const struct {
    const char *name;
    uint8_t dialects;
  } hidden[] = {{"ctid", IN_POSTGRESQL}, {"xmin", IN_POSTGRESQL},   {"xmax", IN_POSTGRESQL},
                {"cmin", IN_POSTGRESQL}, {"cmax", IN_POSTGRESQL},   {"tableoid", IN_POSTGRESQL},
                {"_rowid", IN_MYSQL},    {"current_role", IN_MYSQL}};
  unsigned in = resolver->dialect->name == DIALECT_GENERIC ? IN_ALL : function_dialect(resolver->dialect);
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if ((hidden[i].dialects & in) && !strcasecmp(hidden[i].name, name)) return true;
  return false;
}

static bool scope_has(const Resolver *resolver, const Scope *scope, const char *name,
                      bool (*is_it)(const Resolver *, const Source *, const char *)) {
  for (const Scope *s = scope; s; s = s->outer)
    for (uint32_t i = s->first_source; s->block && i < s->end_source; i++)
      if (s->clause != CLAUSE_FROM && is_it(resolver, &s->block->sources.items[i], name)) return true;
  return false;
}

static bool is_called(const Resolver *resolver, const Source *source, const char *name) {
  return table_name_is(resolver, source->name, name);
}

static bool is_untitled(const Resolver *resolver, const Source *source, const char *name) {
  (void)resolver, (void)name;
  return source_has_untitled(source);
}

bool column_is_missing(Resolver *resolver, const Scope *scope, const Expr *expr, bool saw_table) {
  const char *name = expr->name;
  if (name_is_hidden(resolver, name))
    return resolver_unmodelled(resolver, expr->offset, "'%s' is not modelled", name);
  if (dialect_is_mysql(resolver->dialect) && resolver->inserted &&
      table_column(resolver->inserted, name) >= 0)
    return resolver_unmodelled(resolver, expr->offset, "a row's values that name its own column '%s'", name);
  if (expr->table) {
    if (!saw_table && dialect_is_postgres(resolver->dialect))
      return resolver_fail(resolver, ERROR_NO_TABLE, expr->offset, "no table '%s' in FROM", expr->table);
    return resolver_fail(resolver, ERROR_NO_COLUMN, expr->offset, "unknown column '%s.%s'%s", expr->table,
                         name, name_suggest_column(resolver, scope, name));
  }
  if (expr->is_quoted && dialect_is_sqlite(resolver->dialect))
    return resolver_unmodelled(resolver, expr->offset, "\"%s\" is no column: sqlite reads a string", name);
  if (dialect_is_postgres(resolver->dialect) && scope_has(resolver, scope, name, is_called))
    return resolver_unmodelled(resolver, expr->offset, "'%s' is a whole row", name);
  if (scope_has(resolver, scope, name, is_untitled))
    return resolver_unmodelled(resolver, expr->offset, "'%s' may be a column that has no plain name", name);
  return resolver_fail(resolver, ERROR_NO_COLUMN, expr->offset, "unknown column '%s'%s", name,
                       name_suggest_column(resolver, scope, name));
}
