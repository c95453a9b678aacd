/* resolve_convert.c: types of literals and parameters, and the conversions that their context asks for.
 *
 * postgresql and generic: literals in quotes and parameters are untyped until their context
 * types them; the conversion becomes an implicit CAST.  Where PostgreSQL cannot
 * compare, postgresql fails and generic leaves the values to decide.  mysql: a cast is inserted only
 * where the meaning hangs on the static type.  sqlite: everything is dynamic. */
#include "src/sql/resolve_internal.h"

Type truth_type(const Resolver *resolver) {
  if (dialect_is_sqlite(resolver->dialect)) return type_of(TYPE_DYNAMIC);
  return dialect_is_mysql(resolver->dialect) ? type_int(4) : type_of(TYPE_BOOL);
}

Type type_plain_text(const Resolver *resolver) {
  return (Type){.kind = TYPE_TEXT, .collation = (uint8_t)resolver->dialect->collation};
}

bool input_is_parameter(const Resolver *resolver, const Expr *expr) {
  return expr->kind == EXPR_INPUT && resolver->kinds.items[expr->index] != INPUT_LITERAL;
}

static Type number_type(const Resolver *resolver, Value value) {
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  switch (value.kind) {
  case VALUE_BOOL: return truth_type(resolver);
  case VALUE_INT: return type_int(is_mysql || value.integer != (int32_t)value.integer ? 8 : 4);
  case VALUE_UINT:
    return is_mysql ? (Type){.kind = TYPE_INT, .bytes = 8, .is_unsigned = true} : type_of(TYPE_DECIMAL);
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
    if (dialect_is_mysql(resolver->dialect) && !input_is_parameter(resolver, expr))
      return type_plain_text(resolver);
    return type_of(TYPE_UNKNOWN);
  case VALUE_BLOB: return type_of(TYPE_BLOB);
  case VALUE_DATE: return type_of(TYPE_DATE);
  case VALUE_TIME: return type_of(TYPE_TIME);
  case VALUE_TIMESTAMP: return type_of(TYPE_TIMESTAMP);
  case VALUE_INTERVAL: return type_of(TYPE_INTERVAL);
  default: return number_type(resolver, value);
  }
}

/* ---- Implicit conversions -------------------------------------------------------------------- */

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
    expr_settle(resolver, slot,
                dialect_is_sqlite(resolver->dialect) ? type_of(TYPE_DYNAMIC) : type_plain_text(resolver));
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

/* ---- Comparisons ----------------------------------------------------------------------------- */

/* MySQL compares a date with a string as dates; MariaDB too, but there the operator knows what is no date.
 * Other strings as numbers: the operator does it. */
static void mysql_compare(Resolver *resolver, Expr **slot, Type other) {
  Type type = (*slot)->type;
  if (type_is_unknown(type)) {
    if (other.kind == TYPE_INT) other = type_of(TYPE_DECIMAL); /* "2.5" must not become 3 */
    if (other.kind == TYPE_DATE) other = type_of(TYPE_TIMESTAMP);
    expr_settle(resolver, slot, other);
  } else if (type_is_text(type) && type_is_time(other) &&
             (other.kind == TYPE_TIME || resolver->dialect->name == DIALECT_MYSQL)) {
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
    return resolver_fail(resolver, ERROR_TYPE, offset, "rows of %u and %u columns are compared", a->arg_count,
                         b->arg_count);
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
  if ((*a)->type.kind == TYPE_ROW || (*b)->type.kind == TYPE_ROW)
    return rows_compare(resolver, *a, *b, offset);
  if (dialect_is_sqlite(resolver->dialect)) return collation_compare(resolver, *a, *b, offset);
  if (dialect_is_mysql(resolver->dialect)) {
    if (type_is_unknown((*a)->type) && type_is_unknown((*b)->type))
      expr_settle(resolver, a, type_plain_text(resolver));
    mysql_compare(resolver, b, (*a)->type);
    mysql_compare(resolver, a, (*b)->type);
  } else {
    if (type_is_unknown((*a)->type) && type_is_unknown((*b)->type))
      expr_settle(resolver, a, type_plain_text(resolver));
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
      return resolver_unmodelled(resolver, (*slots[i])->offset, "%s of times and dates is not modelled",
                                 what);
    if (!dialect_is_lenient(resolver->dialect)) {
      char first[64], second[64];
      return resolver_fail(resolver, ERROR_TYPE, (*slots[i])->offset, "%s: types %s and %s do not match",
                           what, type_text(before, first, sizeof first),
                           type_text(type, second, sizeof second));
    }
    *common = type_of(TYPE_DYNAMIC);
  }
  if (type_is_unknown(*common)) *common = type_plain_text(resolver);
  for (uint32_t i = 0; i < count; i++) {
    expr_settle(resolver, slots[i], *common);
    if (common->kind != TYPE_DYNAMIC && (*slots[i])->type.kind != TYPE_DYNAMIC)
      expr_cast(resolver, slots[i], *common);
  }
  return true;
}

/* What PostgreSQL's assignment casts allow; the value is converted when it is stored. */
bool value_assign(Resolver *resolver, Expr **slot, const Column *column) {
  Type type = (*slot)->type;
  if (type.kind == TYPE_ROW)
    return resolver_fail(resolver, ERROR_TYPE, (*slot)->offset, "column '%s' takes one value, not a row",
                         column->name);
  if (resolver->dialect->name != DIALECT_POSTGRESQL || type_is_unknown(type)) return true;
  if (input_is_parameter(resolver, *slot) || type_is_assignable(type, column->type)) return true;
  char have[64], want[64];
  return resolver_fail(resolver, ERROR_TYPE, (*slot)->offset,
                       "column '%s' is of type %s but the value is of type %s", column->name,
                       type_text(column->type, want, sizeof want), type_text(type, have, sizeof have));
}
