/* resolve_compound.c: UNION and its kin, and VALUES lists: columns of several rows' types.
 *
 * The arms' columns are unified pairwise and cast in place; ORDER BY of a
 * compound names output columns only. */
#include "src/sql/resolve_internal.h"

#include <strings.h>

uint32_t select_width(const Select *select) { return select->outputs.count; }

void select_set_outputs(Resolver *resolver, Select *select, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) ARENA_PUSH(resolver->arena, &select->outputs, (SelectItem){0});
  select->output_names = ARENA_ARRAY(resolver->arena, const char *, count);
  select->output_is_named = ARENA_ARRAY(resolver->arena, bool, count);
  select->output_types = ARENA_ARRAY(resolver->arena, Type, count);
}

/* Column i of every row that the query yields becomes a value of this type. */
static void select_cast(Resolver *resolver, Select *select, uint32_t i, Type type) {
  if (select->kind == SELECT_SIMPLE) {
    expr_cast(resolver, &select->outputs.items[i].expr, type);
  } else if (select->kind == SELECT_VALUES) {
    for (uint32_t row = 0; row < select->values.count; row++)
      expr_cast(resolver, &select->values.items[row].items[i], type);
  } else {
    select_cast(resolver, select->left, i, type);
    select_cast(resolver, select->right, i, type);
  }
  select->output_types[i] = type;
}

static bool output_is_untyped(const Resolver *resolver, const Select *select, uint32_t i);

static bool expr_is_untyped(const Resolver *resolver, const Expr *expr);

/* mysql: NULL in every branch. */
static bool case_is_null(const Resolver *resolver, const Expr *expr) {
  uint32_t first = expr->has_operand ? 1 : 0, end = expr->arg_count - (expr->has_else ? 1 : 0);
  for (uint32_t i = first; i + 1 < end; i += 2)
    if (!expr_is_untyped(resolver, expr->args[i + 1])) return false;
  return !expr->has_else || expr_is_untyped(resolver, expr->args[end]);
}

static bool expr_is_untyped(const Resolver *resolver, const Expr *expr) {
  if (expr->kind == EXPR_NULL) return true;
  if (expr->kind == EXPR_CASE && dialect_is_mysql(resolver->dialect)) return case_is_null(resolver, expr);
  if (expr->kind != EXPR_INPUT) return false;
  uint8_t kind = resolver->values.items[expr->index].kind;
  bool is_parameter = resolver->kinds.items[expr->index] != INPUT_LITERAL;
  return kind == VALUE_NULL ||
         (kind == VALUE_TEXT && (is_parameter || dialect_is_postgres(resolver->dialect)));
}

/* A column of quoted literals and NULLs only: it was settled as text, but another arm's type may still win.
 */
static bool output_is_untyped(const Resolver *resolver, const Select *select, uint32_t i) {
  /* PostgreSQL's DISTINCT needs a type to compare by; mysql's NULL keeps having none. */
  if (select->kind == SELECT_SIMPLE)
    return (!select->distinct || dialect_is_mysql(resolver->dialect)) &&
           expr_is_untyped(resolver, select->outputs.items[i].expr);
  if (select->kind != SELECT_VALUES) return false;
  for (uint32_t row = 0; row < select->values.count; row++)
    if (!expr_is_untyped(resolver, select->values.items[row].items[i])) return false;
  return true;
}

static bool expr_may_divide(const Expr *expr) {
  return expr->kind == EXPR_DIVIDE || expr->kind == EXPR_SCALAR ||
         (expr->kind == EXPR_AGGREGATE && expr->function->id == FUNCTION_AVG);
}

/* mysql: a number with a fraction that was computed shows digits as text that depend on how it was. */
static bool output_is_computed(const Select *select, uint32_t i, bool is_top) {
  if (select->kind == SELECT_VALUES) return false;
  if (select->kind != SELECT_SIMPLE && !is_top && type_is_number(select->output_types[i]) &&
      select->output_types[i].kind != TYPE_INT)
    return true; /* converted twice here, once there */
  if (select->kind != SELECT_SIMPLE)
    return output_is_computed(select->left, i, false) || output_is_computed(select->right, i, false);
  const Expr *expr = select->outputs.items[i].expr;
  while (expr->kind == EXPR_CAST && expr->is_implicit) expr = expr->args[0];
  if (expr->kind == EXPR_COLUMN || expr->kind == EXPR_INPUT) return false;
  bool is_choice = expr->kind == EXPR_CASE || expr->kind == EXPR_SCALAR || expr->kind == EXPR_FUNCTION;
  if (is_choice && (type_is_real(expr->type) || expr->type.kind == TYPE_DECIMAL)) return true;
  return expr->type.kind == TYPE_DECIMAL && expr_has(expr, expr_may_divide);
}

/* sqlite: of the arms, from the left, the first whose column has a collation. */
static bool output_collation(const Resolver *resolver, const Select *select, uint32_t i, uint8_t *collation) {
  if (select->kind == SELECT_VALUES) return false;
  if (select->kind != SELECT_SIMPLE)
    return output_collation(resolver, select->left, i, collation) ||
           output_collation(resolver, select->right, i, collation);
  return expr_collation(resolver, select->outputs.items[i].expr, collation);
}

uint8_t select_column_collation(const Resolver *resolver, const Select *select, uint32_t i) {
  uint8_t collation = COLLATION_C;
  if (select->kind == SELECT_SIMPLE) return select->output_types[i].collation;
  while (select->kind != SELECT_SIMPLE && select->kind != SELECT_VALUES) select = select->left;
  if (select->kind == SELECT_SIMPLE) output_collation(resolver, select, i, &collation);
  return collation;
}

/* The rows of VALUES are arms of a compound, too; behind another arm they are a table with the affinities of
 * the first one. */
void select_take_last_affinity(const Resolver *resolver, Select *select) {
  if (!dialect_is_sqlite(resolver->dialect)) return;
  const Select *last = select;
  while (last->kind != SELECT_SIMPLE && last->kind != SELECT_VALUES) last = last->right;
  const ExprList *row =
      select->kind == SELECT_VALUES ? &select->values.items[select->values.count - 1] : NULL;
  for (uint32_t i = 0; i < select_width(select); i++)
    select->output_types[i].affinity = row ? row->items[i]->type.affinity : last->output_types[i].affinity;
}

static bool column_unify(Resolver *resolver, Select *select, uint32_t i) {
  Type left = select->left->output_types[i], right = select->right->output_types[i], common;
  if (output_is_untyped(resolver, select->left, i)) left = type_of(TYPE_UNKNOWN);
  if (output_is_untyped(resolver, select->right, i)) right = type_of(TYPE_UNKNOWN);
  if (type_is_unknown(left) && type_is_unknown(right)) left = type_plain_text(resolver);
  if (dialect_is_sqlite(resolver->dialect)) {
    select->output_types[i] = select->left->output_types[i];
    output_collation(resolver, select, i, &select->output_types[i].collation);
    return true;
  }
  if (!type_unify(resolver, left, right, &common)) {
    char first[64], second[64];
    if (dialect_is_mysql(resolver->dialect))
      return resolver_unmodelled(resolver, select->offset_in_text,
                                 "UNION of times and dates is not modelled");
    if (!dialect_is_lenient(resolver->dialect))
      return resolver_fail(resolver, ERROR_TYPE, select->offset_in_text, "UNION types %s and %s do not match",
                           type_text(left, first, sizeof first), type_text(right, second, sizeof second));
    common = type_of(TYPE_DYNAMIC);
  }
  if (dialect_is_mysql(resolver->dialect) && type_is_text(common) && output_is_computed(select, i, true))
    return resolver_unmodelled(resolver, select->offset_in_text,
                               "UNION of numbers and texts is not modelled");
  if (common.kind != TYPE_DYNAMIC) {
    select_cast(resolver, select->left, i, common);
    select_cast(resolver, select->right, i, common);
  }
  select->output_types[i] = common;
  return true;
}

/* ORDER BY of the whole: a position, a name of the first arm, or (sqlite) an alias of any arm. */
static int32_t compound_named(Resolver *resolver, const Select *select, const char *name) {
  for (uint32_t i = 0; i < select_width(select); i++)
    if (column_name_is(resolver, select->output_names[i], name)) return (int32_t)i;
  return -1;
}

static bool compound_order(Resolver *resolver, Select *select) {
  for (uint32_t i = 0; i < select->order_by.count; i++) {
    OrderTerm *term = &select->order_by.items[i];
    int64_t position;
    if (literal_is_position(resolver, term->expr, &position)) {
      resolver_pin(resolver, term->expr->index);
      if (position < 1 || position > (int64_t)select_width(select))
        return resolver_fail(resolver, dialect_is_mysql(resolver->dialect) ? ERROR_NO_COLUMN : ERROR_TYPE,
                             term->expr->offset, "ORDER BY position %lld is not in the select list",
                             (long long)position);
      term->item = (int32_t)position - 1;
      continue;
    }
    bool is_name = term->expr->kind == EXPR_COLUMN && !term->expr->table;
    term->item = is_name ? compound_named(resolver, select, term->expr->name) : -1;
    if (term->item >= 0) continue;
    if (is_name && resolver->dialect->name == DIALECT_POSTGRESQL)
      return resolver_fail(resolver, ERROR_NO_COLUMN, term->expr->offset, "unknown column '%s'",
                           term->expr->name);
    return resolver_unmodelled(resolver, term->expr->offset, "ORDER BY of a compound by an expression");
  }
  return true;
}

static bool select_is_compound(const Select *select) {
  return select->kind != SELECT_SIMPLE && select->kind != SELECT_VALUES;
}

/* Without the casts that fit it into the compound. */
static const Expr *output_written(const Select *select, uint32_t i) {
  const Expr *expr = select->outputs.items[i].expr;
  while (expr->kind == EXPR_CAST && expr->is_implicit) expr = expr->args[0];
  return expr;
}

/* mysql drops a plus sign: +a is called a. */
static const char *output_title(const Select *select, uint32_t i) {
  if (select->output_names[i] || select->kind != SELECT_SIMPLE) return select->output_names[i];
  const Expr *expr = output_written(select, i);
  while (expr->kind == EXPR_PLUS) expr = expr->args[0];
  return expr->kind == EXPR_COLUMN ? expr->name : NULL;
}

static bool outputs_are_namesakes(Resolver *resolver, const Select *select, uint32_t i, uint32_t j) {
  while (select_is_compound(select)) select = select->left;
  const char *first = output_title(select, i), *second = output_title(select, j);
  if (select->kind != SELECT_SIMPLE || (first && second)) return column_name_is(resolver, first, second);
  if (first || second)
    return literal_is_called(resolver, &select->outputs.items[first ? j : i], first ? first : second);
  /* What has no alias is called by its text. */
  const Expr *a = output_written(select, i), *b = output_written(select, j);
  if (a->kind != b->kind || a->kind != EXPR_INPUT) return a->kind == b->kind && a->function == b->function;
  resolver_pin(resolver, a->index);
  resolver_pin(resolver, b->index);
  Value left = resolver->values.items[a->index], right = resolver->values.items[b->index];
  if (left.kind != VALUE_TEXT || right.kind != VALUE_TEXT) return value_identical(left, right);
  return left.length == right.length && strncasecmp(left.text, right.text, left.length) == 0;
}

/* MariaDB makes a table of an INTERSECT behind UNION or EXCEPT, and of other mixtures: its columns need
 * different names, and it sees nothing outside. */
static bool compound_nests(Resolver *resolver, const Select *select) {
  const Select *right = select->right;
  bool is_mixed =
      (select_is_compound(select->left) && select->left->kind != select->kind) || select_is_compound(right);
  if (resolver->dialect->name != DIALECT_MARIADB || !is_mixed) return true;
  if (select->outer_depth)
    return resolver_unmodelled(resolver, select->offset_in_text,
                               "a mixed compound that refers outside is not modelled");
  for (uint32_t i = 0; select_is_compound(right) && i < select_width(right); i++)
    for (uint32_t j = 0; j < i; j++)
      if (outputs_are_namesakes(resolver, right, i, j))
        return resolver_unmodelled(resolver, select->offset_in_text,
                                   "INTERSECT of columns with the same names");
  return true;
}

bool compound_resolve(Resolver *resolver, Scope *outer, Select *select) {
  if (!select_resolve(resolver, outer, select->left) || !select_resolve(resolver, outer, select->right))
    return false;
  uint32_t width = select_width(select->left);
  if (select_width(select->right) != width)
    return resolver_fail(resolver, ERROR_TYPE, select->offset_in_text, "UNION of %u and %u columns", width,
                         select_width(select->right));
  select_set_outputs(resolver, select, width);
  for (uint32_t i = 0; i < width; i++) {
    select->output_names[i] = select->left->output_names[i];
    select->output_is_named[i] = select->left->output_is_named[i];
    select->outputs.items[i].alias = select->left->outputs.items[i].alias;
    if (!column_unify(resolver, select, i)) return false;
  }
  select->is_volatile = select->left->is_volatile || select->right->is_volatile;
  select->outer_depth = select->left->outer_depth > select->right->outer_depth ? select->left->outer_depth
                                                                               : select->right->outer_depth;
  if (!compound_nests(resolver, select) || !compound_order(resolver, select)) return false;
  return limit_resolve(resolver, NULL, &select->limit) && limit_resolve(resolver, NULL, &select->offset);
}

/* ---- VALUES ---------------------------------------------------------------------------------- */

static const char *values_title(Resolver *resolver, uint32_t i) {
  if (dialect_is_mysql(resolver->dialect)) return NULL;
  return arena_format(resolver->arena, "column%u", i + 1);
}

static bool values_row(Resolver *resolver, Scope *scope, ExprList *row, const Table *target,
                       const uint32_t *targets) {
  for (uint32_t i = 0; i < row->count; i++) {
    Expr **slot = &row->items[i];
    if ((*slot)->kind == EXPR_DEFAULT && target) {
      (*slot)->type = target->columns[targets[i]].type;
      continue;
    }
    if (!expr_resolve(resolver, scope, slot)) return false;
    if (target && !value_assign(resolver, slot, &target->columns[targets[i]])) return false;
  }
  return true;
}

static bool values_unify(Resolver *resolver, Select *select, uint32_t i) {
  Expr ***slots = ARENA_ARRAY(resolver->arena, Expr **, select->values.count);
  for (uint32_t row = 0; row < select->values.count; row++) slots[row] = &select->values.items[row].items[i];
  return list_unify(resolver, slots, select->values.count, "VALUES", &select->output_types[i]);
}

/* With a target, each row is assigned to its columns by itself; else the rows have common types. */
bool values_resolve(Resolver *resolver, Scope *outer, Select *select, const Table *target,
                    const uint32_t *targets) {
  uint32_t width = select->values.items[0].count;
  Scope scope = {.outer = outer, .block = select, .clause = CLAUSE_VALUES};
  select_set_outputs(resolver, select, width);
  for (uint32_t row = 0; row < select->values.count; row++) {
    ExprList *values = &select->values.items[row];
    if (values->count != width)
      return resolver_fail(resolver, ERROR_TYPE, select->offset_in_text,
                           "row %u of VALUES has %u columns, not %u", row + 1, values->count, width);
    if (!values_row(resolver, &scope, values, target, targets)) return false;
  }
  for (uint32_t i = 0; i < width; i++) {
    select->output_names[i] = values_title(resolver, i);
    if (target)
      select->output_types[i] = target->columns[targets[i]].type;
    else if (!values_unify(resolver, select, i))
      return false;
  }
  scope.clause = CLAUSE_ORDER_BY;
  if (select->order_by.count)
    return resolver_unmodelled(resolver, select->offset_in_text, "ORDER BY of VALUES is not modelled");
  return limit_resolve(resolver, NULL, &select->limit) && limit_resolve(resolver, NULL, &select->offset);
}
