/* resolve_name.c: from a column's name to (depth, source, column).
 *
 * Names are searched block by block, outwards.  In a procedure a variable
 * hides columns of the same name (MySQL's rule).  In mysql, sqlite and generic some clauses
 * also see the aliases of the select list: an alias stands for a copy of its expression. */
#include "src/sql/resolve_internal.h"

#include <strings.h>

bool column_name_is(const Resolver *resolver, const char *a, const char *b) {
  if (!a || !b) return false;
  return resolver->dialect->name == DIALECT_POSTGRESQL ? strcmp(a, b) == 0 : strcasecmp(a, b) == 0;
}

bool table_name_is(const Resolver *resolver, const char *a, const char *b) {
  if (!a || !b) return false;
  bool ignores_case = dialect_is_sqlite(resolver->dialect) || dialect_is_lenient(resolver->dialect);
  return ignores_case ? strcasecmp(a, b) == 0 : strcmp(a, b) == 0;
}

/* A column found `depth` blocks outwards: every block it crosses reaches that far. */
static void scope_note_depth(const Scope *scope, uint32_t depth) {
  for (uint32_t i = 0; i < depth; i++, scope = scope->outer)
    if (scope->block->outer_depth < depth - i) scope->block->outer_depth = depth - i;
}

static const Scope *scope_outwards(const Scope *scope, uint32_t depth) {
  while (depth--) scope = scope->outer;
  return scope;
}

Expr *source_expr(Resolver *resolver, const Scope *scope, uint32_t source, uint32_t column, uint32_t depth,
                  uint32_t offset) {
  const Source *origin = &scope_outwards(scope, depth)->block->sources.items[source];
  Expr *expr = RESOLVE_NEW(resolver, EXPR_COLUMN, offset);
  expr->name = origin->column_names[column];
  expr->depth = depth;
  expr->source = source;
  expr->column = column;
  expr->type = origin->column_types[column];
  scope_note_depth(scope, depth);
  return expr;
}

Expr *visible_expr(Resolver *resolver, const Scope *scope, const VisibleColumn *visible, uint32_t depth,
                   uint32_t offset) {
  if (!visible->left) return source_expr(resolver, scope, visible->source, visible->column, depth, offset);
  Expr *merged = expr_binary(resolver->arena, EXPR_FUNCTION, offset,
                             visible_expr(resolver, scope, visible->left, depth, offset),
                             visible_expr(resolver, scope, visible->right, depth, offset));
  merged->name = "COALESCE";
  merged->function = function_find(resolver->dialect, merged->name, 2, false);
  expr_type(resolver, merged);
  return merged;
}

int visible_find(const Resolver *resolver, const Scope *scope, const char *name,
                 const VisibleColumn **found) {
  *found = NULL;
  if (!scope->visible) return 0;
  for (uint32_t i = 0; i < scope->visible->count; i++) {
    const VisibleColumn *column = &scope->visible->items[i];
    if (!column_name_is(resolver, column->name, name)) continue;
    if (scope->prefers_first && column->source != 0) continue;
    if (*found) return -1;
    *found = column;
  }
  return *found != NULL;
}

typedef enum Found { FOUND_NOT, FOUND_YES, FOUND_FAILED } Found;

static bool name_is_rowid(const char *name) {
  return strcasecmp(name, "rowid") == 0 || strcasecmp(name, "_rowid_") == 0 || strcasecmp(name, "oid") == 0;
}

/* sqlite: the row id is a column of this model only where INTEGER PRIMARY KEY names it. */
static Found rowid_resolve(Resolver *resolver, const Scope *scope, const Source *source, Expr **slot,
                           uint32_t depth) {
  if (!source->table || source->table->without_rowid) return FOUND_NOT;
  const Scope *home = scope_outwards(scope, depth);
  if (source->table->rowid_column < 0) {
    resolver_unmodelled(resolver, (*slot)->offset, "the row id of table '%s' is not modelled", source->name);
    return FOUND_FAILED;
  }
  *slot = source_expr(resolver, scope, (uint32_t)(source - home->block->sources.items),
                      (uint32_t)source->table->rowid_column, depth, (*slot)->offset);
  return FOUND_YES;
}

/* table.name in one block. A repeated source name makes the column ambiguous. */
static Found qualified_find(Resolver *resolver, const Scope *scope, uint32_t depth, Expr **slot,
                            bool *saw_table) {
  const Scope *home = scope_outwards(scope, depth);
  Expr *expr = *slot;
  Found found = FOUND_NOT;
  for (uint32_t i = home->first_source; i < home->end_source; i++) {
    const Source *source = &home->block->sources.items[i];
    if (!table_name_is(resolver, source->name, expr->table)) continue;
    *saw_table = true;
    uint32_t hits = 0, column = 0;
    for (uint32_t j = 0; j < source->column_count; j++)
      if (column_name_is(resolver, source->column_names[j], expr->name)) hits++, column = j;
    if (hits > 1 || (hits && found == FOUND_YES)) {
      resolver_fail(resolver, ERROR_AMBIGUOUS, expr->offset, "column '%s.%s' is ambiguous", expr->table,
                    expr->name);
      return FOUND_FAILED;
    }
    if (hits) {
      *slot = source_expr(resolver, scope, i, column, depth, expr->offset);
      (*slot)->table = expr->table;
      (*slot)->in_parentheses = expr->in_parentheses;
      found = FOUND_YES;
    } else if (dialect_is_sqlite(resolver->dialect) && name_is_rowid(expr->name)) {
      return rowid_resolve(resolver, scope, source, slot, depth);
    } else if (source_has_untitled(source)) {
      resolver_unmodelled(resolver, expr->offset, "the columns of '%s' have no plain names", source->name);
      return FOUND_FAILED;
    }
  }
  return found;
}

static Found unqualified_find(Resolver *resolver, const Scope *scope, uint32_t depth, Expr **slot) {
  const Scope *home = scope_outwards(scope, depth);
  Expr *expr = *slot;
  const VisibleColumn *visible;
  int hits = visible_find(resolver, home, expr->name, &visible);
  if (hits < 0) {
    resolver_fail(resolver, ERROR_AMBIGUOUS, expr->offset, "column '%s' is ambiguous", expr->name);
    return FOUND_FAILED;
  }
  if (hits > 0) {
    *slot = visible_expr(resolver, scope, visible, depth, expr->offset);
    (*slot)->in_parentheses = expr->in_parentheses;
    return FOUND_YES;
  }
  if (dialect_is_sqlite(resolver->dialect) && name_is_rowid(expr->name) &&
      home->end_source - home->first_source == 1)
    return rowid_resolve(resolver, scope, &home->block->sources.items[home->first_source], slot, depth);
  return FOUND_NOT;
}

/* Which clauses see aliases of the select list where no column has the name. */
static bool scope_sees_aliases(const Resolver *resolver, const Scope *scope) {
  if (resolver->dialect->name == DIALECT_POSTGRESQL) return false;
  switch (scope->clause) {
  case CLAUSE_WHERE: return !dialect_is_mysql(resolver->dialect);
  case CLAUSE_GROUP_BY:
  case CLAUSE_HAVING:
  case CLAUSE_ORDER_BY: return true;
  default: return false;
  }
}

static bool is_aggregate(const Expr *expr) { return expr->kind == EXPR_AGGREGATE; }

static Found alias_find(Resolver *resolver, const Scope *scope, uint32_t depth, Expr **slot) {
  const Scope *home = scope_outwards(scope, depth);
  Expr *expr = *slot;
  if (!scope_sees_aliases(resolver, home)) return FOUND_NOT;
  for (uint32_t i = 0; i < home->block->outputs.count; i++) {
    const SelectItem *item = &home->block->outputs.items[i];
    if (!column_name_is(resolver, item->alias, expr->name)) continue;
    if (depth > 0) {
      resolver_unmodelled(resolver, expr->offset, "alias '%s' inside a subquery is not modelled", expr->name);
      return FOUND_FAILED;
    }
    bool has_aggregate = expr_has(item->expr, is_aggregate);
    if (has_aggregate &&
        (home->in_aggregate || home->clause == CLAUSE_WHERE || home->clause == CLAUSE_GROUP_BY)) {
      resolver_fail(resolver, ERROR_GROUPING, expr->offset, "alias '%s' stands for an aggregate", expr->name);
      return FOUND_FAILED;
    }
    if (item->expr->is_volatile) {
      resolver_unmodelled(resolver, expr->offset, "alias '%s' of a volatile expression is not modelled",
                          expr->name);
      return FOUND_FAILED;
    }
    *slot = expr_copy(resolver->arena, item->expr);
    return FOUND_YES;
  }
  return FOUND_NOT;
}

/* MySQL's HAVING: a column of GROUP BY, then an alias, then a column. */
static Found having_find(Resolver *resolver, const Scope *scope, Expr **slot) {
  if (!dialect_is_mysql(resolver->dialect) || scope->clause != CLAUSE_HAVING || scope->in_aggregate)
    return FOUND_NOT;
  if (output_of_name(resolver, scope->block, (*slot)->name) == -2) {
    resolver_fail(resolver, ERROR_AMBIGUOUS, (*slot)->offset, "HAVING '%s' is ambiguous", (*slot)->name);
    return FOUND_FAILED;
  }
  for (uint32_t i = 0; i < scope->block->group_by.count; i++) {
    const Expr *key = scope->block->group_by.items[i];
    if (key->kind != EXPR_COLUMN || !column_name_is(resolver, key->name, (*slot)->name)) continue;
    *slot = expr_copy(resolver->arena, key);
    return FOUND_YES;
  }
  return alias_find(resolver, scope, 0, slot);
}

/* ... and that column must be selected or grouped: HAVING sees no others. */
static bool having_sees(const Resolver *resolver, const Scope *scope, const Expr *expr) {
  if (!dialect_is_mysql(resolver->dialect) || !scope || scope->clause != CLAUSE_HAVING || scope->in_aggregate)
    return true;
  if (expr->kind != EXPR_COLUMN || expr->depth > 0) return true;
  for (uint32_t i = 0; i < scope->block->outputs.count + scope->block->group_by.count; i++) {
    uint32_t outputs = scope->block->outputs.count;
    const Expr *seen =
        i < outputs ? scope->block->outputs.items[i].expr : scope->block->group_by.items[i - outputs];
    if (seen->kind == EXPR_COLUMN && seen->depth == 0 && seen->source == expr->source &&
        seen->column == expr->column)
      return true;
  }
  return false;
}

/* MariaDB loses a column of HAVING that GROUP BY has beside another one of the same name. */
static bool having_confuses(const Resolver *resolver, const Scope *scope, const Expr *expr) {
  if (resolver->dialect->name != DIALECT_MARIADB || !scope || scope->clause != CLAUSE_HAVING ||
      scope->in_aggregate || expr->kind != EXPR_COLUMN || expr->depth > 0)
    return false;
  for (uint32_t i = 0; i < scope->block->outputs.count; i++) {
    const Expr *seen = scope->block->outputs.items[i].expr;
    if (seen->kind == EXPR_COLUMN && seen->depth == 0 && seen->source == expr->source &&
        seen->column == expr->column)
      return false;
  }
  uint32_t same = 0;
  for (uint32_t i = 0; i < scope->block->group_by.count; i++) {
    const Expr *key = scope->block->group_by.items[i];
    same += key->kind == EXPR_COLUMN && column_name_is(resolver, key->name, expr->name);
  }
  return same > 1;
}

int32_t variable_find(const Body *body, const char *record, const char *name) {
  for (uint32_t i = body->variables.count; i-- > 0;) {
    const Variable *variable = &body->variables.items[i];
    bool same_record =
        record ? variable->record && strcasecmp(record, variable->record) == 0 : !variable->record;
    if (same_record && strcasecmp(variable->name, name) == 0) return variable->slot;
  }
  return -1;
}

static bool variable_resolve(Resolver *resolver, Expr *expr) {
  if (!resolver->body) return false;
  int32_t slot = variable_find(resolver->body, expr->table, expr->name);
  if (slot < 0) return false;
  expr->kind = EXPR_VARIABLE;
  expr->index = slot;
  expr->type = resolver->body->types.items[slot];
  return true;
}

/* CURRENT_TIMESTAMP and its kin are written like columns. */
static bool is_word_function(const char *name) {
  static const char *const words[] = {"CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME",
                                      "LOCALTIMESTAMP",    "LOCALTIME",    "CURRENT_USER"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp(words[i], name) == 0) return true;
  return false;
}

bool column_resolve(Resolver *resolver, Scope *scope, Expr **slot) {
  Expr *expr = *slot;
  if (variable_resolve(resolver, expr)) return true;
  bool saw_table = false;
  if (scope && !expr->table) {
    Found found = having_find(resolver, scope, slot);
    if (found != FOUND_NOT) return found == FOUND_YES;
  }
  uint32_t depth = 0;
  for (const Scope *home = scope; home; home = home->outer, depth++) {
    if (home->clause == CLAUSE_FROM) continue;
    Found found = expr->table ? qualified_find(resolver, scope, depth, slot, &saw_table)
                              : unqualified_find(resolver, scope, depth, slot);
    if (found == FOUND_NOT && !expr->table) found = alias_find(resolver, scope, depth, slot);
    if (found == FOUND_YES && !having_sees(resolver, scope, *slot))
      return resolver_fail(resolver, ERROR_NO_COLUMN, expr->offset, "column '%s' of HAVING is not selected",
                           expr->name);
    if (found == FOUND_YES && having_confuses(resolver, scope, *slot))
      return resolver_unmodelled(resolver, expr->offset, "HAVING with a name that GROUP BY has twice");
    if (found != FOUND_NOT) return found == FOUND_YES;
    if (saw_table) break;
  }
  if (!expr->table && !expr->is_quoted && is_word_function(expr->name)) {
    expr->kind = EXPR_FUNCTION;
    return function_resolve(resolver, scope, expr);
  }
  return column_is_missing(resolver, scope, expr, saw_table);
}
