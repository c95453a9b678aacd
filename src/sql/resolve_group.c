/* resolve_group.c: GROUP BY, aggregates, and the columns that grouping leaves.
 *
 * After all clauses of a grouped block are resolved, expressions of the select
 * list, HAVING and ORDER BY that equal a GROUP BY expression become EXPR_GROUP_KEYs, also inside
 * subqueries.  A column that remains outside aggregates is determined by the
 * keys, or an error, or bare: a free pick of the group's rows. */
#include "src/sql/resolve_internal.h"

/* ---- Aggregates ------------------------------------------------------------------------------ */

static bool clause_takes_aggregates(uint8_t clause) {
  return clause == CLAUSE_ITEMS || clause == CLAUSE_HAVING || clause == CLAUSE_ORDER_BY;
}

static uint32_t arguments_least_depth(const Expr *expr) {
  uint32_t depth = expr_least_depth(expr->filter);
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    uint32_t below = expr_least_depth(expr->args[i]);
    if (below < depth) depth = below;
  }
  return depth;
}

bool aggregate_resolve(Resolver *resolver, Scope *scope, Expr *expr) {
  uint32_t depth = arguments_least_depth(expr);
  if (depth > 0 && depth != UINT32_MAX)
    return resolver_unmodelled(resolver, expr->offset, "aggregate '%s' of an outer query's columns",
                               expr->name);
  if (!scope || !clause_takes_aggregates(scope->clause))
    return resolver_fail(resolver, ERROR_GROUPING, expr->offset, "aggregate '%s' is not allowed here",
                         expr->name);
  if (scope->in_aggregate)
    return resolver_fail(resolver, ERROR_GROUPING, expr->offset, "aggregate '%s' inside an aggregate",
                         expr->name);
  expr->kind = EXPR_AGGREGATE;
  expr->index = (int32_t)scope->block->aggregates.count;
  ARENA_PUSH(resolver->arena, &scope->block->aggregates, expr);
  return true;
}

/* ---- GROUP BY -------------------------------------------------------------------------------- */

static bool is_aggregate(const Expr *expr) { return expr->kind == EXPR_AGGREGATE; }

static int32_t output_aliased(const Resolver *resolver, const Select *block, const char *name) {
  for (uint32_t i = 0; i < block->outputs.count; i++)
    if (column_name_is(resolver, block->outputs.items[i].alias, name)) return (int32_t)i;
  return -1;
}

/* mysql prefers a column to an output of that name, but loses it where USING merged it of several. */
static bool group_confuses(Resolver *resolver, const Scope *scope, const Expr *expr) {
  if (!dialect_is_mysql(resolver->dialect)) return false;
  const Select *block = scope->block;
  int32_t output = output_of_name(resolver, block, expr->name);
  if (output < 0 || block->outputs.items[output].expr->kind == EXPR_COLUMN) return false;
  uint32_t holders = 0;
  for (uint32_t i = 0; i < block->sources.count; i++)
    for (uint32_t j = 0; j < block->sources.items[i].column_count; j++)
      holders += column_name_is(resolver, block->sources.items[i].column_names[j], expr->name);
  return holders > 1;
}

/* The output a GROUP BY term means by its position or alias, -1: none, -2: failed. Columns go before aliases.
 */
static int32_t group_output(Resolver *resolver, Scope *scope, Expr *expr) {
  Select *block = scope->block;
  int64_t position;
  if (literal_is_position(resolver, expr, &position)) {
    resolver_pin(resolver, expr->index);
    if (position >= 1 && position <= (int64_t)block->outputs.count) return (int32_t)position - 1;
    resolver_fail(resolver, dialect_is_mysql(resolver->dialect) ? ERROR_NO_COLUMN : ERROR_TYPE, expr->offset,
                  "GROUP BY position %lld is not in the select list", (long long)position);
    return -2;
  }
  if (expr->kind != EXPR_COLUMN || expr->table) return -1;
  if (resolver->body && variable_find(resolver->body, NULL, expr->name) >= 0) return -1;
  if (dialect_is_mysql(resolver->dialect) && output_of_name(resolver, block, expr->name) == -2) {
    resolver_fail(resolver, ERROR_AMBIGUOUS, expr->offset, "GROUP BY '%s' is ambiguous", expr->name);
    return -2;
  }
  if (group_confuses(resolver, scope, expr)) {
    resolver_unmodelled(resolver, expr->offset, "GROUP BY '%s', which is an output and a merged column",
                        expr->name);
    return -2;
  }
  const VisibleColumn *visible;
  return visible_find(resolver, scope, expr->name, &visible) ? -1
                                                             : output_aliased(resolver, block, expr->name);
}

static bool group_constant(Resolver *resolver, const Expr *expr) {
  bool is_literal = expr->kind == EXPR_NULL ||
                    (expr->kind == EXPR_INPUT && resolver->kinds.items[expr->index] == INPUT_LITERAL);
  if (is_literal && resolver->dialect->name == DIALECT_POSTGRESQL)
    return resolver_fail(resolver, ERROR_SYNTAX, expr->offset, "non-integer constant in GROUP BY");
  return true;
}

static bool group_term(Resolver *resolver, Scope *scope, Expr **slot) {
  int32_t output = group_output(resolver, scope, *slot);
  if (output == -2) return false;
  if (output >= 0) {
    *slot = expr_copy(resolver->arena, scope->block->outputs.items[output].expr);
  } else if (!group_constant(resolver, *slot) || !expr_resolve(resolver, scope, slot)) {
    return false;
  }
  if (expr_has(*slot, is_aggregate))
    return resolver_fail(resolver, ERROR_GROUPING, (*slot)->offset, "an aggregate in GROUP BY");
  if ((*slot)->is_volatile)
    return resolver_unmodelled(resolver, (*slot)->offset, "GROUP BY a volatile expression");
  expr_settle(resolver, slot, type_plain_text(resolver));
  if ((*slot)->type.kind == TYPE_ROW)
    return resolver_unmodelled(resolver, (*slot)->offset, "GROUP BY a row is not modelled");
  return true;
}

bool group_resolve(Resolver *resolver, Scope *scope, Select *block) {
  scope->clause = CLAUSE_GROUP_BY;
  for (uint32_t i = 0; i < block->group_by.count; i++)
    if (!group_term(resolver, scope, &block->group_by.items[i])) return false;
  return true;
}

/* ---- Keys and bare columns ------------------------------------------------------------------- */

typedef struct Grouping {
  Resolver *resolver;
  Select *block;
} Grouping;

static bool key_has_column(const Select *block, uint32_t source, uint32_t column) {
  for (uint32_t i = 0; i < block->group_by.count; i++) {
    const Expr *key = block->group_by.items[i];
    if (key->kind == EXPR_COLUMN && key->depth == 0 && key->source == source && key->column == column)
      return true;
  }
  return false;
}

static bool column_is_never_null(const Table *table, uint32_t column) {
  return table->columns[column].not_null || (int32_t)column == table->rowid_column;
}

/* All columns of the source's primary key are keys: the group has one row of it.  In sqlite several rows may
 * have NULL there. */
static bool source_is_determined(const Select *block, uint32_t source) {
  const Table *table = block->sources.items[source].table;
  if (!table || table->primary < 0) return false;
  const Index *index = table->indexes.items[table->primary];
  for (uint32_t i = 0; i < index->column_count; i++)
    if (!key_has_column(block, source, index->columns[i]) || !column_is_never_null(table, index->columns[i]))
      return false;
  return true;
}

/* MySQL's ONLY_FULL_GROUP_BY also follows equalities and unique keys: beyond the plain case it may accept. */
static bool mysql_may_infer(const Resolver *resolver, const Select *block) {
  return resolver->dialect->name == DIALECT_MYSQL &&
         (block->where || block->sources.count > 1 || block->group_by.count > 0);
}

/* Two subqueries are not compared: an expression with one may be a GROUP BY expression written again. */
static bool keys_have_subquery(const Select *block) {
  for (uint32_t i = 0; i < block->group_by.count; i++)
    if (select_has_subquery(block->group_by.items[i])) return true;
  return false;
}

static bool column_left(Grouping *grouping, Expr *expr) {
  Resolver *resolver = grouping->resolver;
  const Select *block = grouping->block;
  if (source_is_determined(block, expr->source) && resolver->dialect->name != DIALECT_MARIADB) return true;
  bool is_strict = resolver->dialect->name == DIALECT_POSTGRESQL ||
                   (dialect_is_mysql(resolver->dialect) && resolver->dialect->full_group_by);
  if (!is_strict) {
    expr->is_bare = !source_is_determined(block, expr->source);
    return true;
  }
  if (mysql_may_infer(resolver, block) || keys_have_subquery(block))
    return resolver_unmodelled(resolver, expr->offset, "whether GROUP BY determines column '%s'", expr->name);
  return resolver_fail(resolver, ERROR_GROUPING, expr->offset,
                       "column '%s' is neither grouped nor aggregated", expr->name);
}

static bool group_expr(Grouping *grouping, Expr **slot, uint32_t level);

/* A query `level` blocks below the grouped one. */
static bool group_select(Grouping *grouping, Select *select, uint32_t level);

static bool group_from(Grouping *grouping, From *from, uint32_t level) {
  if (!from) return true;
  if (from->kind == FROM_SELECT) return group_select(grouping, from->select, level + 1);
  if (from->kind != FROM_JOIN) return true;
  return group_from(grouping, from->left, level) && group_from(grouping, from->right, level) &&
         group_expr(grouping, &from->condition, level);
}

static bool group_block(Grouping *grouping, Select *block, uint32_t level) {
  if (!group_from(grouping, block->from, level)) return false;
  for (uint32_t i = 0; i < block->outputs.count; i++)
    if (!group_expr(grouping, &block->outputs.items[i].expr, level)) return false;
  for (uint32_t i = 0; i < block->values.count; i++)
    for (uint32_t j = 0; j < block->values.items[i].count; j++)
      if (!group_expr(grouping, &block->values.items[i].items[j], level)) return false;
  for (uint32_t i = 0; i < block->group_by.count; i++)
    if (!group_expr(grouping, &block->group_by.items[i], level)) return false;
  for (uint32_t i = 0; i < block->aggregates.count; i++) {
    Expr *aggregate = block->aggregates.items[i];
    for (uint32_t j = 0; j < aggregate->arg_count; j++)
      if (!group_expr(grouping, &aggregate->args[j], level)) return false;
    if (!group_expr(grouping, &aggregate->filter, level)) return false;
  }
  for (uint32_t i = 0; i < block->order_by.count; i++)
    if (block->order_by.items[i].item < 0 && !group_expr(grouping, &block->order_by.items[i].expr, level))
      return false;
  return group_expr(grouping, &block->where, level) && group_expr(grouping, &block->having, level);
}

static bool group_select(Grouping *grouping, Select *select, uint32_t level) {
  if (select->outer_depth < level) return true; /* it does not reach the grouped block */
  if (select->kind == SELECT_SIMPLE || select->kind == SELECT_VALUES)
    return group_block(grouping, select, level);
  return group_select(grouping, select->left, level) && group_select(grouping, select->right, level);
}

static bool group_key(Grouping *grouping, Expr **slot, uint32_t level) {
  Expr *expr = *slot;
  for (uint32_t i = 0; i < grouping->block->group_by.count; i++) {
    const Expr *key = grouping->block->group_by.items[i];
    if (!expr_equal(grouping->resolver, key, expr, level)) continue;
    Expr *found = RESOLVE_NEW(grouping->resolver, EXPR_GROUP_KEY, expr->offset);
    found->index = (int32_t)i;
    found->depth = level;
    found->type = expr->type;
    found->name = expr->name;
    *slot = found;
    return true;
  }
  return false;
}

static bool group_expr(Grouping *grouping, Expr **slot, uint32_t level) {
  Expr *expr = *slot;
  if (!expr) return true;
  if (expr->kind == EXPR_AGGREGATE && expr->depth == 0 && level == 0) return true;
  if (expr->kind == EXPR_INPUT || expr->kind == EXPR_NULL) return true; /* as good as any key of that value */
  if (group_key(grouping, slot, level)) return true;
  if (expr->kind == EXPR_COLUMN && expr->depth == level) return column_left(grouping, expr);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!group_expr(grouping, &expr->args[i], level)) return false;
  if (!group_expr(grouping, &expr->filter, level)) return false;
  return !expr->select || group_select(grouping, expr->select, level + 1);
}

bool group_apply(Resolver *resolver, Select *block) {
  Grouping grouping = {.resolver = resolver, .block = block};
  for (uint32_t i = 0; i < block->outputs.count; i++)
    if (!group_expr(&grouping, &block->outputs.items[i].expr, 0)) return false;
  if (!group_expr(&grouping, &block->having, 0)) return false;
  for (uint32_t i = 0; i < block->order_by.count; i++) {
    OrderTerm *term = &block->order_by.items[i];
    if (term->item < 0 && !group_expr(&grouping, &term->expr, 0)) return false;
  }
  return true;
}
