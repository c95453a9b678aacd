/* resolve_type.c: the type of an expression whose operands are typed, kind by kind.
 *
 * Arithmetic, functions, conversions and collations have files of their own; here are
 * the other kinds and the switch over all of them. */
#include "src/sql/resolve_internal.h"

static bool logic_type(Resolver *resolver, Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!expr_as_condition(resolver, &expr->args[i], "an operand of AND, OR and NOT")) return false;
  expr->type = truth_type(resolver);
  return true;
}

/* sqlite: x IS TRUE tests the truth of x, however it is written: IS NOT DISTINCT FROM TRUE, IS (y NOT IN ()).
 */
static bool is_truth_test(const Resolver *resolver, Expr *expr) {
  bool is_equal = expr->kind == EXPR_IS_NOT_DISTINCT;
  if (!dialect_is_sqlite(resolver->dialect) || (!is_equal && expr->kind != EXPR_IS_DISTINCT)) return false;
  const Expr *right = expr->args[1];
  while (right->kind == EXPR_COLLATE) right = right->args[0];
  bool is_empty_list = right->kind == EXPR_IN_LIST && right->arg_count == 1;
  if (right->kind != EXPR_TRUE && right->kind != EXPR_FALSE && !is_empty_list) return false;
  bool is_true = is_empty_list ? right->negated : right->kind == EXPR_TRUE;
  expr->kind =
      is_true ? (is_equal ? EXPR_IS_TRUE : EXPR_IS_NOT_TRUE) : (is_equal ? EXPR_IS_FALSE : EXPR_IS_NOT_FALSE);
  expr->arg_count = 1;
  return true;
}

static bool comparison_type(Resolver *resolver, Expr *expr) {
  expr->type = truth_type(resolver);
  if (is_truth_test(resolver, expr)) return true;
  return pair_compare(resolver, &expr->args[0], &expr->args[1], expr->offset);
}

static bool null_test_type(Resolver *resolver, Expr *expr) {
  if (expr->args[0]->type.kind == TYPE_ROW)
    return resolver_unmodelled(resolver, expr->offset, "IS NULL of a row is not modelled");
  expr_settle(resolver, &expr->args[0], type_plain_text(resolver));
  expr->type = truth_type(resolver);
  return true;
}

/* An untyped left side is typed by each comparison anew: one type must fit all. */
static bool untyped_left_fits(Resolver *resolver, const Expr *expr) {
  if (!type_is_unknown(expr->args[0]->type) || resolver->dialect->name != DIALECT_POSTGRESQL) return true;
  for (uint32_t i = 1; i < expr->arg_count; i++)
    for (uint32_t j = 1; j < i; j++) {
      Type a = expr->args[i]->type, b = expr->args[j]->type;
      if (!type_is_unknown(a) && !type_is_unknown(b) && !type_is_comparable(a, b))
        return resolver_unmodelled(resolver, expr->offset, "an untyped value compared with several types");
    }
  return true;
}

static bool between_type(Resolver *resolver, Expr *expr) {
  if (!untyped_left_fits(resolver, expr)) return false;
  expr->type = truth_type(resolver);
  uint32_t typed = type_is_unknown(expr->args[1]->type) ? 2 : 1;
  return pair_compare(resolver, &expr->args[0], &expr->args[typed], expr->offset) &&
         pair_compare(resolver, &expr->args[0], &expr->args[3 - typed], expr->offset);
}

static bool like_type(Resolver *resolver, Expr *expr) {
  expr->type = truth_type(resolver);
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    expr_settle(resolver, &expr->args[i], type_plain_text(resolver));
    Type type = expr->args[i]->type;
    if (resolver->dialect->name != DIALECT_POSTGRESQL || type_is_text(type) || type.kind == TYPE_DYNAMIC)
      continue;
    if (input_is_parameter(resolver, expr->args[i])) {
      expr_cast(resolver, &expr->args[i], type_plain_text(resolver));
      continue;
    }
    char text[64];
    return resolver_fail(resolver, ERROR_TYPE, expr->args[i]->offset, "LIKE needs text, not %s",
                         type_text(type, text, sizeof text));
  }
  return collation_compare(resolver, expr->args[0], expr->args[1], expr->offset);
}

/* sqlite: x IN (y, ...) is x = +y: the items' affinities do not count, and only x's collation does. */
static void item_strip_affinity(Resolver *resolver, Expr **slot, const Expr *left) {
  if ((*slot)->type.kind == TYPE_ROW) return;
  if ((*slot)->type.affinity != AFFINITY_NONE) {
    *slot = expr_unary(resolver->arena, EXPR_PLUS, (*slot)->offset, *slot);
    (*slot)->type = type_of(TYPE_DYNAMIC);
  }
  (*slot)->type.collation = left->type.collation;
}

static bool in_list_type(Resolver *resolver, Expr *expr) {
  if (!untyped_left_fits(resolver, expr)) return false;
  expr->type = truth_type(resolver);
  for (uint32_t i = 1; i < expr->arg_count; i++)
    if (!type_is_unknown(expr->args[i]->type)) expr_settle(resolver, &expr->args[0], expr->args[i]->type);
  for (uint32_t i = 1; i < expr->arg_count; i++) {
    bool is_single = expr->args[0]->type.kind != TYPE_ROW && expr->args[i]->type.kind != TYPE_ROW;
    if (dialect_is_sqlite(resolver->dialect) && is_single) {
      item_strip_affinity(resolver, &expr->args[i], expr->args[0]);
    } else if (!pair_compare(resolver, &expr->args[0], &expr->args[i], expr->offset)) {
      return false;
    }
  }
  return true;
}

/* a IN (select), a = ANY (select): a against the query's columns. */
static bool against_select(Resolver *resolver, Expr *expr) {
  expr->type = truth_type(resolver);
  Expr *left = expr->args[0];
  if (expr->select->limit && dialect_is_mysql(resolver->dialect))
    return resolver_fail(resolver, ERROR_OTHER, expr->offset, "LIMIT in a subquery of IN, ANY or ALL");
  uint32_t width = select_width(expr->select), expected = left->kind == EXPR_ROW ? left->arg_count : 1;
  if (width != expected)
    return resolver_fail(resolver, ERROR_TYPE, expr->offset,
                         "the subquery returns %u columns where %u are needed", width, expected);
  select_take_last_affinity(resolver, expr->select);
  for (uint32_t i = 0; i < width; i++) {
    Expr *column =
        RESOLVE_NEW(resolver, EXPR_SCALAR, expr->offset); /* stands for the column while types are compared */
    column->type = expr->select->output_types[i];
    Expr **slot = left->kind == EXPR_ROW ? &left->args[i] : &expr->args[0];
    Type before = column->type;
    if (!pair_compare(resolver, slot, &column, expr->offset)) return false;
    bool mixes_dates =
        dialect_is_mysql(resolver->dialect) && type_is_time((*slot)->type) != type_is_time(before);
    if (column->type.kind != before.kind || mixes_dates)
      return resolver_unmodelled(resolver, expr->offset,
                                 "comparing dates with a subquery's other values is not modelled");
  }
  return true;
}

static bool scalar_type(Resolver *resolver, Expr *expr) {
  uint32_t width = select_width(expr->select);
  if (width != 1)
    return resolver_fail(resolver, ERROR_TYPE, expr->offset,
                         "the subquery returns %u columns where one is needed", width);
  select_take_last_affinity(resolver, expr->select);
  expr->type = expr->select->output_types[0];
  return true;
}

/* CASE [operand] (WHEN a THEN b)* [ELSE c] */
static bool case_type(Resolver *resolver, Expr *expr) {
  uint32_t first = expr->has_operand ? 1 : 0;
  uint32_t pairs = (expr->arg_count - first) / 2;
  Expr ***results = ARENA_ARRAY(resolver->arena, Expr **, pairs + 1);
  uint32_t count = 0;
  /* PostgreSQL looks at ELSE first: of types of text the first one wins. */
  bool else_first = expr->has_else && dialect_is_postgres(resolver->dialect);
  if (else_first) results[count++] = &expr->args[expr->arg_count - 1];
  for (uint32_t i = 0; i < pairs; i++) {
    Expr **when = &expr->args[first + 2 * i];
    if (expr->has_operand ? !pair_compare(resolver, &expr->args[0], when, expr->offset)
                          : !expr_as_condition(resolver, when, "CASE WHEN"))
      return false;
    results[count++] = when + 1;
  }
  if (expr->has_else && !else_first) results[count++] = &expr->args[expr->arg_count - 1];
  return list_unify(resolver, results, count, "CASE", &expr->type);
}

static bool cast_type(Resolver *resolver, Expr *expr) {
  if (expr->args[0]->type.kind == TYPE_ROW)
    return resolver_fail(resolver, ERROR_TYPE, expr->offset, "a row cannot be cast");
  if (type_is_unknown(expr->cast_type))
    return resolver_unmodelled(resolver, expr->offset, "CAST to %s is not modelled",
                               expr->cast_words ? expr->cast_words : "this type");
  expr_settle(resolver, &expr->args[0], type_plain_text(resolver));
  expr->type = expr->cast_type;
  if (dialect_is_sqlite(resolver->dialect)) expr->type.collation = expr->args[0]->type.collation;
  if (resolver->dialect->name != DIALECT_POSTGRESQL || type_is_castable(expr->args[0]->type, expr->cast_type))
    return true;
  char from[64], to[64];
  return resolver_fail(resolver, ERROR_TYPE, expr->offset, "%s cannot be cast to %s",
                       type_text(expr->args[0]->type, from, sizeof from),
                       type_text(expr->cast_type, to, sizeof to));
}

static bool collate_type(Resolver *resolver, Expr *expr) {
  expr_settle(resolver, &expr->args[0], type_plain_text(resolver));
  expr->type = expr->args[0]->type;
  if (!collation_named(resolver->dialect, expr->name, &expr->type.collation, &expr->type.is_binary))
    return resolver_unmodelled(resolver, expr->offset, "collation '%s' is not modelled", expr->name);
  return true;
}

static bool interval_type(Resolver *resolver, Expr *expr) {
  if (expr->arg_count) expr_settle(resolver, &expr->args[0], type_plain_text(resolver));
  expr->type = type_of(TYPE_INTERVAL);
  return true;
}

bool expr_type(Resolver *resolver, Expr *expr) {
  switch ((ExprKind)expr->kind) {
  case EXPR_NULL:
    expr->type = type_of(dialect_is_sqlite(resolver->dialect) ? TYPE_DYNAMIC : TYPE_UNKNOWN);
    return true;
  case EXPR_TRUE:
  case EXPR_FALSE:
  case EXPR_EXISTS: expr->type = truth_type(resolver); return true;
  case EXPR_INPUT: expr->type = input_type(resolver, expr); return true;
  case EXPR_NEGATE:
  case EXPR_PLUS:
  case EXPR_BIT_NOT:
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_MULTIPLY:
  case EXPR_DIVIDE:
  case EXPR_INTEGER_DIVIDE:
  case EXPR_MODULO:
  case EXPR_BIT_AND:
  case EXPR_BIT_OR:
  case EXPR_BIT_XOR:
  case EXPR_SHIFT_LEFT:
  case EXPR_SHIFT_RIGHT:
  case EXPR_CONCAT: return arithmetic_type(resolver, expr);
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_GREATER:
  case EXPR_GREATER_EQUAL:
  case EXPR_IS_NOT_DISTINCT:
  case EXPR_IS_DISTINCT: return comparison_type(resolver, expr);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_NOT:
  case EXPR_IS_TRUE:
  case EXPR_IS_NOT_TRUE:
  case EXPR_IS_FALSE:
  case EXPR_IS_NOT_FALSE: return logic_type(resolver, expr);
  case EXPR_IS_NULL:
  case EXPR_IS_NOT_NULL: return null_test_type(resolver, expr);
  case EXPR_BETWEEN: return between_type(resolver, expr);
  case EXPR_LIKE: return like_type(resolver, expr);
  case EXPR_IN_LIST: return in_list_type(resolver, expr);
  case EXPR_IN_SELECT:
  case EXPR_ANY:
  case EXPR_ALL: return against_select(resolver, expr);
  case EXPR_SCALAR: return scalar_type(resolver, expr);
  case EXPR_CASE: return case_type(resolver, expr);
  case EXPR_CAST: return cast_type(resolver, expr);
  case EXPR_COLLATE: return collate_type(resolver, expr);
  case EXPR_ROW: expr->type = type_of(TYPE_ROW); return true;
  case EXPR_INTERVAL: return interval_type(resolver, expr);
  case EXPR_FUNCTION:
  case EXPR_AGGREGATE: return function_type(resolver, expr);
  case EXPR_COLUMN:
  case EXPR_STAR:
  case EXPR_VARIABLE:
  case EXPR_USER_VARIABLE:
  case EXPR_DEFAULT:
  case EXPR_VALUES_OF:
  case EXPR_GROUP_KEY: return true;
  }
  return true;
}
