/* resolve_type.c: the type of an expression whose operands are typed.
 *
 * postgresql and generic: literals in quotes and parameters are untyped until their context
 * types them; the conversion becomes an implicit CAST.  Where PostgreSQL has
 * no operator, postgresql fails and generic leaves the values to decide (TYPE_DYNAMIC).
 * mysql: every combination has a meaning; casts are inserted only where it hangs on
 * the static type.  sqlite: everything is dynamic; affinities and collations are kept. */
#include "src/sql/resolve_internal.h"

Type truth_type(const Resolver *resolver) {
  if (dialect_is_sqlite(resolver->dialect)) return type_of(TYPE_DYNAMIC);
  return dialect_is_mysql(resolver->dialect) ? type_int(4) : type_of(TYPE_BOOL);
}

Type type_plain_text(const Resolver *resolver) {
  return (Type){.kind = TYPE_TEXT, .collation = (uint8_t)resolver->dialect->collation};
}

static bool input_is_parameter(const Resolver *resolver, const Expr *expr) {
  return expr->kind == EXPR_INPUT && resolver->kinds.items[expr->index] != INPUT_LITERAL;
}

static Type number_type(const Resolver *resolver, Value value) {
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  switch (value.kind) {
  case VALUE_BOOL: return truth_type(resolver);
  case VALUE_INT: return type_int(is_mysql || value.integer != (int32_t)value.integer ? 8 : 4);
  case VALUE_UINT: return is_mysql ? (Type){.kind = TYPE_INT, .bytes = 8, .is_unsigned = true} : type_of(TYPE_DECIMAL);
  case VALUE_DECIMAL:
  case VALUE_WIDE:
    /* MySQL's scale of a result follows from the scales of its literals. */
    if (is_mysql) return (Type){.kind = TYPE_DECIMAL, .precision = 65, .scale = value.scale};
    return type_of(TYPE_DECIMAL);
  default: return type_of(TYPE_DOUBLE);
  }
}

Type input_type(const Resolver *resolver, const Expr *expr) {
  if (dialect_is_sqlite(resolver->dialect)) return type_of(TYPE_DYNAMIC);
  Value value = resolver->values.items[expr->index];
  switch (value.kind) {
  case VALUE_NULL:
  case VALUE_DOUBT: return type_of(TYPE_UNKNOWN);
  case VALUE_TEXT:
    if (dialect_is_mysql(resolver->dialect) && !input_is_parameter(resolver, expr)) return type_plain_text(resolver);
    return type_of(TYPE_UNKNOWN);
  case VALUE_BLOB: return type_of(TYPE_BLOB);
  case VALUE_DATE: return type_of(TYPE_DATE);
  case VALUE_TIME: return type_of(TYPE_TIME);
  case VALUE_TIMESTAMP: return type_of(TYPE_TIMESTAMP);
  case VALUE_INTERVAL: return type_of(TYPE_INTERVAL);
  default: return number_type(resolver, value);
  }
}

/* ---- Implicit conversions ---------------------------------------------------- */

void expr_cast(Resolver *resolver, Expr **slot, Type type) {
  Expr *expr = *slot;
  if (expr->type.kind == type.kind || (type_is_text(expr->type) && type_is_text(type))) return;
  Expr *cast = expr_unary(resolver->arena, EXPR_CAST, expr->offset, expr);
  cast->cast_type = cast->type = type;
  cast->is_implicit = true;
  cast->is_volatile = expr->is_volatile;
  *slot = cast;
}

static bool expr_is_null(const Resolver *resolver, const Expr *expr) {
  return expr->kind == EXPR_NULL ||
         (expr->kind == EXPR_INPUT && value_is_null(resolver->values.items[expr->index]));
}

void expr_settle(Resolver *resolver, Expr **slot, Type type) {
  Expr *expr = *slot;
  if (!type_is_unknown(expr->type)) return;
  type = type_without_limit(type);
  if (expr_is_null(resolver, expr) && !type_is_unknown(type)) {
    expr->type = type;
  } else if (type_is_text(type)) {
    expr->type = type;
  } else if (type.kind == TYPE_DYNAMIC || type.kind == TYPE_ROW || type_is_unknown(type)) {
    expr->type = type_plain_text(resolver);
  } else {
    expr->type = type_plain_text(resolver);
    expr_cast(resolver, slot, type);
  }
}

/* A JSON real next to a decimal is that decimal: it came as text or as a literal. */
static void parameter_match_decimal(Resolver *resolver, Expr **slot, Type other) {
  if ((*slot)->type.kind == TYPE_DOUBLE && other.kind == TYPE_DECIMAL && input_is_parameter(resolver, *slot))
    expr_cast(resolver, slot, type_of(TYPE_DECIMAL));
}

bool expr_as_condition(Resolver *resolver, Expr **slot, const char *what) {
  if (resolver->dialect->name != DIALECT_POSTGRESQL) {
    if ((*slot)->type.kind == TYPE_ROW)
      return resolver_fail(resolver, ERROR_TYPE, (*slot)->offset, "a row cannot be a condition");
    expr_settle(resolver, slot, dialect_is_sqlite(resolver->dialect) ? type_of(TYPE_DYNAMIC) : type_plain_text(resolver));
    return true;
  }
  expr_settle(resolver, slot, type_of(TYPE_BOOL));
  if ((*slot)->type.kind == TYPE_BOOL) return true;
  if (input_is_parameter(resolver, *slot)) {
    expr_cast(resolver, slot, type_of(TYPE_BOOL));
    return true;
  }
  char text[64];
  return resolver_fail(resolver, ERROR_TYPE, (*slot)->offset, "%s must be boolean, not %s", what,
                       type_text((*slot)->type, text, sizeof text));
}

/* ---- Comparisons --------------------------------------------------------------- */

/* MySQL compares a date with a string as dates. Other strings as numbers: the operator does it. */
static void mysql_compare(Resolver *resolver, Expr **slot, Type other) {
  Type type = (*slot)->type;
  if (type_is_unknown(type)) {
    if (other.kind == TYPE_INT) other = type_of(TYPE_DECIMAL); /* "2.5" must not become 3 */
    if (other.kind == TYPE_DATE) other = type_of(TYPE_TIMESTAMP);
    expr_settle(resolver, slot, other);
  } else if (type_is_text(type) && type_is_time(other)) {
    Type target = other.kind == TYPE_TIME ? other : (Type){.kind = TYPE_TIMESTAMP, .precision = 6};
    expr_cast(resolver, slot, target);
  }
}

static bool rows_compare(Resolver *resolver, Expr *a, Expr *b, uint32_t offset) {
  if (a->kind != EXPR_ROW || b->kind != EXPR_ROW) {
    if (a->kind == EXPR_SCALAR || b->kind == EXPR_SCALAR)
      return resolver_unmodelled(resolver, offset, "comparing a row with a subquery is not modelled");
    return resolver_fail(resolver, ERROR_TYPE, offset, "a row is compared with a single value");
  }
  if (a->arg_count != b->arg_count)
    return resolver_fail(resolver, ERROR_TYPE, offset, "rows of %u and %u columns are compared", a->arg_count, b->arg_count);
  for (uint32_t i = 0; i < a->arg_count; i++)
    if (!pair_compare(resolver, &a->args[i], &b->args[i], offset)) return false;
  return true;
}

/* PostgreSQL compares CHAR with VARCHAR as CHAR, and with TEXT as TEXT. */
static void varchar_pad(Resolver *resolver, Expr **slot, Type other) {
  if ((*slot)->type.kind != TYPE_VARCHAR || other.kind != TYPE_CHAR) return;
  Expr *cast = expr_unary(resolver->arena, EXPR_CAST, (*slot)->offset, *slot);
  cast->cast_type = cast->type = type_without_limit(other);
  cast->is_implicit = true;
  cast->is_volatile = (*slot)->is_volatile;
  *slot = cast;
}

static bool postgres_compare(Resolver *resolver, Expr **a, Expr **b, uint32_t offset) {
  Type left = (*a)->type, right = (*b)->type;
  varchar_pad(resolver, a, right);
  varchar_pad(resolver, b, left);
  if (left.kind == TYPE_TIME && right.kind == TYPE_INTERVAL) return expr_cast(resolver, a, right), true;
  if (left.kind == TYPE_INTERVAL && right.kind == TYPE_TIME) return expr_cast(resolver, b, left), true;
  if (type_is_comparable(left, right) || dialect_is_lenient(resolver->dialect)) return true;
  if (input_is_parameter(resolver, *b)) return expr_cast(resolver, b, type_without_limit(left)), true;
  if (input_is_parameter(resolver, *a)) return expr_cast(resolver, a, type_without_limit(right)), true;
  char first[64], second[64];
  return resolver_fail(resolver, ERROR_TYPE, offset, "%s and %s cannot be compared",
                       type_text(left, first, sizeof first), type_text(right, second, sizeof second));
}

bool pair_compare(Resolver *resolver, Expr **a, Expr **b, uint32_t offset) {
  if ((*a)->type.kind == TYPE_ROW || (*b)->type.kind == TYPE_ROW) return rows_compare(resolver, *a, *b, offset);
  if (dialect_is_sqlite(resolver->dialect)) return collation_compare(resolver, *a, *b, offset);
  if (dialect_is_mysql(resolver->dialect)) {
    if (type_is_unknown((*a)->type) && type_is_unknown((*b)->type)) expr_settle(resolver, a, type_plain_text(resolver));
    mysql_compare(resolver, b, (*a)->type);
    mysql_compare(resolver, a, (*b)->type);
  } else {
    if (type_is_unknown((*a)->type) && type_is_unknown((*b)->type)) expr_settle(resolver, a, type_plain_text(resolver));
    expr_settle(resolver, b, (*a)->type);
    expr_settle(resolver, a, (*b)->type);
  }
  parameter_match_decimal(resolver, a, (*b)->type);
  parameter_match_decimal(resolver, b, (*a)->type);
  if (dialect_is_postgres(resolver->dialect) && !postgres_compare(resolver, a, b, offset)) return false;
  return collation_compare(resolver, *a, *b, offset);
}

bool list_unify(Resolver *resolver, Expr ***slots, uint32_t count, const char *what, Type *common) {
  *common = type_of(TYPE_DYNAMIC);
  if (dialect_is_sqlite(resolver->dialect)) return true;
  *common = type_of(TYPE_UNKNOWN);
  for (uint32_t i = 0; i < count; i++) {
    Type type = (*slots[i])->type;
    if (type.kind == TYPE_ROW)
      return resolver_unmodelled(resolver, (*slots[i])->offset, "a row in %s is not modelled", what);
    Type before = *common;
    if (type_unify(resolver, before, type, common)) continue;
    if (dialect_is_mysql(resolver->dialect))
      return resolver_unmodelled(resolver, (*slots[i])->offset, "%s of times and dates is not modelled", what);
    if (!dialect_is_lenient(resolver->dialect)) {
      char first[64], second[64];
      return resolver_fail(resolver, ERROR_TYPE, (*slots[i])->offset, "%s: types %s and %s do not match", what,
                           type_text(before, first, sizeof first), type_text(type, second, sizeof second));
    }
    *common = type_of(TYPE_DYNAMIC);
  }
  if (type_is_unknown(*common)) *common = type_plain_text(resolver);
  for (uint32_t i = 0; i < count; i++) {
    expr_settle(resolver, slots[i], *common);
    if (common->kind != TYPE_DYNAMIC && (*slots[i])->type.kind != TYPE_DYNAMIC) expr_cast(resolver, slots[i], *common);
  }
  return true;
}

/* What PostgreSQL's assignment casts allow; the value is converted when it is stored. */
bool value_assign(Resolver *resolver, Expr **slot, const Column *column) {
  Type type = (*slot)->type;
  if (type.kind == TYPE_ROW)
    return resolver_fail(resolver, ERROR_TYPE, (*slot)->offset, "column '%s' takes one value, not a row", column->name);
  if (resolver->dialect->name != DIALECT_POSTGRESQL || type_is_unknown(type)) return true;
  if (input_is_parameter(resolver, *slot) || type_is_assignable(type, column->type)) return true;
  char have[64], want[64];
  return resolver_fail(resolver, ERROR_TYPE, (*slot)->offset, "column '%s' is of type %s but the value is of type %s",
                       column->name, type_text(column->type, want, sizeof want), type_text(type, have, sizeof have));
}

/* ---- Nodes --------------------------------------------------------------------- */

static bool logic_type(Resolver *resolver, Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!expr_as_condition(resolver, &expr->args[i], "an operand of AND, OR and NOT")) return false;
  expr->type = truth_type(resolver);
  return true;
}

static bool comparison_type(Resolver *resolver, Expr *expr) {
  expr->type = truth_type(resolver);
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
    if (resolver->dialect->name != DIALECT_POSTGRESQL || type_is_text(type) || type.kind == TYPE_DYNAMIC) continue;
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
  uint32_t width = select_width(expr->select), expected = left->kind == EXPR_ROW ? left->arg_count : 1;
  if (width != expected)
    return resolver_fail(resolver, ERROR_TYPE, expr->offset, "the subquery returns %u columns where %u are needed",
                         width, expected);
  for (uint32_t i = 0; i < width; i++) {
    Expr *column = RESOLVE_NEW(resolver, EXPR_SCALAR, expr->offset); /* stands for the column while types are compared */
    column->type = expr->select->output_types[i];
    Expr **slot = left->kind == EXPR_ROW ? &left->args[i] : &expr->args[0];
    Type before = column->type;
    if (!pair_compare(resolver, slot, &column, expr->offset)) return false;
    if (column->type.kind != before.kind)
      return resolver_unmodelled(resolver, expr->offset, "comparing dates with a subquery's text is not modelled");
  }
  return true;
}

static bool scalar_type(Resolver *resolver, Expr *expr) {
  uint32_t width = select_width(expr->select);
  if (width != 1)
    return resolver_fail(resolver, ERROR_TYPE, expr->offset, "the subquery returns %u columns where one is needed", width);
  expr->type = expr->select->output_types[0];
  return true;
}

/* CASE [operand] (WHEN a THEN b)* [ELSE c] */
static bool case_type(Resolver *resolver, Expr *expr) {
  uint32_t first = expr->has_operand ? 1 : 0;
  uint32_t pairs = (expr->arg_count - first) / 2;
  Expr ***results = ARENA_ARRAY(resolver->arena, Expr **, pairs + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < pairs; i++) {
    Expr **when = &expr->args[first + 2 * i];
    if (expr->has_operand ? !pair_compare(resolver, &expr->args[0], when, expr->offset)
                          : !expr_as_condition(resolver, when, "CASE WHEN"))
      return false;
    results[count++] = when + 1;
  }
  if (expr->has_else) results[count++] = &expr->args[expr->arg_count - 1];
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
  if (resolver->dialect->name != DIALECT_POSTGRESQL || type_is_castable(expr->args[0]->type, expr->cast_type)) return true;
  char from[64], to[64];
  return resolver_fail(resolver, ERROR_TYPE, expr->offset, "%s cannot be cast to %s",
                       type_text(expr->args[0]->type, from, sizeof from), type_text(expr->cast_type, to, sizeof to));
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
  case EXPR_NULL: expr->type = type_of(dialect_is_sqlite(resolver->dialect) ? TYPE_DYNAMIC : TYPE_UNKNOWN); return true;
  case EXPR_TRUE:
  case EXPR_FALSE:
  case EXPR_EXISTS: expr->type = truth_type(resolver); return true;
  case EXPR_INPUT: expr->type = input_type(resolver, expr); return true;
  case EXPR_NEGATE: case EXPR_PLUS: case EXPR_BIT_NOT: case EXPR_ADD: case EXPR_SUBTRACT: case EXPR_MULTIPLY:
  case EXPR_DIVIDE: case EXPR_INTEGER_DIVIDE: case EXPR_MODULO: case EXPR_BIT_AND: case EXPR_BIT_OR: case EXPR_BIT_XOR:
  case EXPR_SHIFT_LEFT: case EXPR_SHIFT_RIGHT: case EXPR_CONCAT: return arithmetic_type(resolver, expr);
  case EXPR_EQUAL: case EXPR_NOT_EQUAL: case EXPR_LESS: case EXPR_LESS_EQUAL: case EXPR_GREATER:
  case EXPR_GREATER_EQUAL: case EXPR_IS_NOT_DISTINCT: case EXPR_IS_DISTINCT: return comparison_type(resolver, expr);
  case EXPR_AND: case EXPR_OR: case EXPR_XOR: case EXPR_NOT: case EXPR_IS_TRUE: case EXPR_IS_NOT_TRUE:
  case EXPR_IS_FALSE: case EXPR_IS_NOT_FALSE: return logic_type(resolver, expr);
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
  case EXPR_COLUMN: case EXPR_STAR: case EXPR_VARIABLE: case EXPR_USER_VARIABLE: case EXPR_DEFAULT: case EXPR_VALUES_OF:
  case EXPR_GROUP_KEY: return true;
  }
  return true;
}
