/* resolve_arithmetic.c: result types of + - * / % DIV, bit operators and ||.
 *
 * postgresql: the operator is chosen by the operands' types; what does not exist is
 * an error, and dynamic in generic.  mysql: everything becomes a number:
 * BIGINT, DECIMAL with a scale by rule, or DOUBLE.  sqlite: dynamic. */
#include "src/sql/resolve_internal.h"

static Type dynamic(void) { return type_of(TYPE_DYNAMIC); }

static bool any_dynamic(const Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr->args[i]->type.kind == TYPE_DYNAMIC) return true;
  return false;
}

/* ---- postgresql ------------------------------------------------------------------------------ */

/* PostgreSQL has no such operator; generic lets the values decide, as SQLite does. */
static bool no_operator(Resolver *resolver, Expr *expr) {
  expr->type = dynamic();
  for (uint32_t i = 0; i < expr->arg_count; i++)
    expr_settle(resolver, &expr->args[i], type_plain_text(resolver));
  if (dialect_is_lenient(resolver->dialect)) return true;
  char left[64], right[64];
  if (expr->arg_count == 1)
    return resolver_fail(resolver, ERROR_TYPE, expr->offset, "no operator %s for %s",
                         expr_kind_name(expr->kind), type_text(expr->args[0]->type, left, sizeof left));
  return resolver_fail(resolver, ERROR_TYPE, expr->offset, "no operator %s for %s and %s",
                       expr_kind_name(expr->kind), type_text(expr->args[0]->type, left, sizeof left),
                       type_text(expr->args[1]->type, right, sizeof right));
}

static bool postgres_numbers(Resolver *resolver, Expr *expr, Type a, Type b) {
  if (type_is_real(a) || type_is_real(b)) {
    if (expr->kind == EXPR_MODULO) return no_operator(resolver, expr);
    expr->type = type_of(a.kind == TYPE_FLOAT && b.kind == TYPE_FLOAT ? TYPE_FLOAT : TYPE_DOUBLE);
  } else if (a.kind == TYPE_DECIMAL || b.kind == TYPE_DECIMAL) {
    expr->type = type_of(TYPE_DECIMAL);
  } else {
    /* PostgreSQL has no one-byte integers and no DIV: generic widens. */
    unsigned bytes = a.bytes > b.bytes ? a.bytes : b.bytes;
    expr->type = type_int(bytes < 2 ? 2 : bytes == 3 ? 4 : bytes);
  }
  return true;
}

/* date and time operators that exist: left, operator, right, result. */
static const struct {
  uint8_t left, kind, right, result;
} time_operators[] = {
    {TYPE_DATE, EXPR_ADD, TYPE_INT, TYPE_DATE},
    {TYPE_INT, EXPR_ADD, TYPE_DATE, TYPE_DATE},
    {TYPE_DATE, EXPR_SUBTRACT, TYPE_INT, TYPE_DATE},
    {TYPE_DATE, EXPR_SUBTRACT, TYPE_DATE, TYPE_INT},
    {TYPE_DATE, EXPR_ADD, TYPE_INTERVAL, TYPE_TIMESTAMP},
    {TYPE_INTERVAL, EXPR_ADD, TYPE_DATE, TYPE_TIMESTAMP},
    {TYPE_DATE, EXPR_SUBTRACT, TYPE_INTERVAL, TYPE_TIMESTAMP},
    {TYPE_DATE, EXPR_ADD, TYPE_TIME, TYPE_TIMESTAMP},
    {TYPE_TIME, EXPR_ADD, TYPE_DATE, TYPE_TIMESTAMP},
    {TYPE_DATE, EXPR_SUBTRACT, TYPE_TIMESTAMP, TYPE_INTERVAL},
    {TYPE_DATE, EXPR_SUBTRACT, TYPE_TIMESTAMPTZ, TYPE_INTERVAL},
    {TYPE_TIMESTAMP, EXPR_SUBTRACT, TYPE_DATE, TYPE_INTERVAL},
    {TYPE_TIMESTAMPTZ, EXPR_SUBTRACT, TYPE_DATE, TYPE_INTERVAL},
    {TYPE_TIMESTAMP, EXPR_ADD, TYPE_INTERVAL, TYPE_TIMESTAMP},
    {TYPE_INTERVAL, EXPR_ADD, TYPE_TIMESTAMP, TYPE_TIMESTAMP},
    {TYPE_TIMESTAMP, EXPR_SUBTRACT, TYPE_INTERVAL, TYPE_TIMESTAMP},
    {TYPE_TIMESTAMP, EXPR_SUBTRACT, TYPE_TIMESTAMP, TYPE_INTERVAL},
    {TYPE_TIMESTAMP, EXPR_SUBTRACT, TYPE_TIMESTAMPTZ, TYPE_INTERVAL},
    {TYPE_TIMESTAMPTZ, EXPR_SUBTRACT, TYPE_TIMESTAMP, TYPE_INTERVAL},
    {TYPE_TIMESTAMPTZ, EXPR_SUBTRACT, TYPE_TIMESTAMPTZ, TYPE_INTERVAL},
    {TYPE_TIMESTAMPTZ, EXPR_ADD, TYPE_INTERVAL, TYPE_TIMESTAMPTZ},
    {TYPE_INTERVAL, EXPR_ADD, TYPE_TIMESTAMPTZ, TYPE_TIMESTAMPTZ},
    {TYPE_TIMESTAMPTZ, EXPR_SUBTRACT, TYPE_INTERVAL, TYPE_TIMESTAMPTZ},
    {TYPE_TIME, EXPR_ADD, TYPE_INTERVAL, TYPE_TIME},
    {TYPE_INTERVAL, EXPR_ADD, TYPE_TIME, TYPE_TIME},
    {TYPE_TIME, EXPR_SUBTRACT, TYPE_INTERVAL, TYPE_TIME},
    {TYPE_TIME, EXPR_SUBTRACT, TYPE_TIME, TYPE_INTERVAL},
    {TYPE_INTERVAL, EXPR_ADD, TYPE_INTERVAL, TYPE_INTERVAL},
    {TYPE_INTERVAL, EXPR_SUBTRACT, TYPE_INTERVAL, TYPE_INTERVAL},
};

static Type result_of(uint8_t kind) {
  if (kind == TYPE_INT) return type_int(4);
  return (Type){.kind = kind, .precision = kind == TYPE_DATE || kind == TYPE_INTERVAL ? 0 : 6};
}

static bool time_operator(Expr *expr) {
  Type a = expr->args[0]->type, b = expr->args[1]->type;
  if ((a.kind == TYPE_INT && a.bytes > 4) || (b.kind == TYPE_INT && b.bytes > 4))
    return false; /* date + bigint: none */
  for (size_t i = 0; i < sizeof time_operators / sizeof *time_operators; i++) {
    if (time_operators[i].left != a.kind || time_operators[i].kind != expr->kind ||
        time_operators[i].right != b.kind)
      continue;
    expr->type = result_of(time_operators[i].result);
    return true;
  }
  return false;
}

static bool postgres_times(Resolver *resolver, Expr *expr, Type a, Type b) {
  bool scales = expr->kind == EXPR_MULTIPLY || expr->kind == EXPR_DIVIDE;
  if (scales && a.kind == TYPE_INTERVAL && type_is_number(b)) return expr->type = a, true;
  if (expr->kind == EXPR_MULTIPLY && type_is_number(a) && b.kind == TYPE_INTERVAL)
    return expr->type = b, true;
  if (time_operator(expr)) return true;
  /* A time of day becomes an interval where that helps. */
  for (unsigned i = 0; i < 2; i++) {
    Expr *before = expr->args[i];
    if (before->type.kind != TYPE_TIME) continue;
    expr_cast(resolver, &expr->args[i], type_of(TYPE_INTERVAL));
    if (time_operator(expr)) return true;
    expr->args[i] = before;
  }
  return no_operator(resolver, expr);
}

/* The type an untyped operand takes from the other one. */
static Type postgres_partner(const Expr *expr, Type other, bool is_left) {
  bool is_stamp = other.kind == TYPE_TIMESTAMP || other.kind == TYPE_TIMESTAMPTZ || other.kind == TYPE_TIME;
  if (expr->kind == EXPR_ADD && is_stamp) return type_of(TYPE_INTERVAL);
  if (expr->kind == EXPR_ADD && other.kind == TYPE_DATE) return type_of(TYPE_UNKNOWN); /* not unique */
  if (other.kind == TYPE_INTERVAL && (expr->kind == EXPR_MULTIPLY || (expr->kind == EXPR_DIVIDE && !is_left)))
    return type_of(TYPE_DOUBLE);
  return other;
}

static bool postgres_settle(Resolver *resolver, Expr *expr) {
  Expr **a = &expr->args[0], **b = &expr->args[1];
  bool left = type_is_unknown((*a)->type), right = type_is_unknown((*b)->type);
  if (left && right) return false;
  if (!left && !right) return true;
  Expr **slot = left ? a : b;
  Type partner = postgres_partner(expr, left ? (*b)->type : (*a)->type, left);
  if (type_is_unknown(partner) || type_is_text(partner)) return false;
  expr_settle(resolver, slot, partner);
  return true;
}

static void postgres_match_decimal(Resolver *resolver, Expr *expr) {
  for (unsigned i = 0; i < 2; i++) {
    Expr **slot = &expr->args[i];
    if (input_is_parameter(resolver, *slot) && (*slot)->type.kind == TYPE_DOUBLE &&
        expr->args[1 - i]->type.kind == TYPE_DECIMAL)
      expr_cast(resolver, slot, type_of(TYPE_DECIMAL));
  }
}

static bool postgres_concat(Resolver *resolver, Expr *expr) {
  bool has_text = false, has_blob = true;
  for (unsigned i = 0; i < 2; i++) {
    Type type = expr->args[i]->type;
    has_text |= type_is_text(type) || type_is_unknown(type) || type.kind == TYPE_DYNAMIC;
    has_blob &= type.kind == TYPE_BLOB;
  }
  if (!has_text && !has_blob && !dialect_is_lenient(resolver->dialect)) return no_operator(resolver, expr);
  for (unsigned i = 0; i < 2; i++) expr_settle(resolver, &expr->args[i], type_plain_text(resolver));
  expr->type = has_blob ? type_of(TYPE_BLOB) : type_plain_text(resolver);
  return true;
}

static bool postgres_bits(Resolver *resolver, Expr *expr) {
  bool is_shift = expr->kind == EXPR_SHIFT_LEFT || expr->kind == EXPR_SHIFT_RIGHT;
  if (is_shift && type_is_unknown(expr->args[0]->type)) return no_operator(resolver, expr); /* not unique */
  if (is_shift) expr_settle(resolver, &expr->args[1], type_int(4));
  if (expr->arg_count == 2 && !postgres_settle(resolver, expr)) return no_operator(resolver, expr);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr->args[i]->type.kind != TYPE_INT) return no_operator(resolver, expr);
  expr->type = expr->args[0]->type;
  if (is_shift && expr->args[1]->type.bytes == 8 && !dialect_is_lenient(resolver->dialect))
    return no_operator(resolver, expr); /* shifts are by int4 */
  if (expr->arg_count == 2 && !is_shift && expr->args[1]->type.bytes > expr->type.bytes)
    expr->type = expr->args[1]->type;
  return true;
}

static bool postgres_unary(Resolver *resolver, Expr *expr) {
  Type type = expr->args[0]->type;
  if (!type_is_number(type) && type.kind != TYPE_INTERVAL) return no_operator(resolver, expr);
  expr->type = type_without_limit(type);
  return true;
}

static bool postgres_arithmetic(Resolver *resolver, Expr *expr) {
  if (expr->kind == EXPR_CONCAT) return postgres_concat(resolver, expr);
  if (any_dynamic(expr)) {
    for (uint32_t i = 0; i < expr->arg_count; i++) expr_settle(resolver, &expr->args[i], dynamic());
    return expr->type = dynamic(), true;
  }
  switch (expr->kind) {
  case EXPR_NEGATE:
  case EXPR_PLUS: return postgres_unary(resolver, expr);
  case EXPR_BIT_NOT:
  case EXPR_BIT_AND:
  case EXPR_BIT_OR:
  case EXPR_BIT_XOR:
  case EXPR_SHIFT_LEFT:
  case EXPR_SHIFT_RIGHT: return postgres_bits(resolver, expr);
  case EXPR_INTEGER_DIVIDE:
    if (!dialect_is_lenient(resolver->dialect)) return no_operator(resolver, expr);
    break;
  default: break;
  }
  if (!postgres_settle(resolver, expr)) return no_operator(resolver, expr);
  postgres_match_decimal(resolver, expr);
  Type a = expr->args[0]->type, b = expr->args[1]->type;
  if (type_is_number(a) && type_is_number(b)) return postgres_numbers(resolver, expr, a, b);
  return postgres_times(resolver, expr, a, b);
}

/* ---- mysql, mariadb -------------------------------------------------------------------------- */

/* What an operand is worth in arithmetic. */
static Type mysql_number(Type type) {
  switch (type.kind) {
  case TYPE_INT:
  case TYPE_DECIMAL:
  case TYPE_DOUBLE: return type;
  case TYPE_BOOL: return type_int(8);
  case TYPE_DATE: return type_int(8);
  case TYPE_TIME:
  case TYPE_TIMESTAMP:
    if (type.precision == 0) return type_int(8);
    return (Type){.kind = TYPE_DECIMAL, .precision = 20, .scale = type.precision};
  case TYPE_UNKNOWN: return type_int(8); /* NULL */
  default: return type_of(TYPE_DOUBLE);
  }
}

static bool decimal_is_free(Type type) { return type.kind == TYPE_DECIMAL && type.precision == 0; }

/* The scales of MySQL's exact arithmetic; a quotient has four digits more than its dividend. */
static Type mysql_exact(ExprKind kind, Type a, Type b) {
  if (decimal_is_free(a) || decimal_is_free(b)) return type_of(TYPE_DECIMAL);
  unsigned scale = a.scale > b.scale ? a.scale : b.scale;
  if (kind == EXPR_MULTIPLY) scale = (unsigned)a.scale + b.scale;
  if (kind == EXPR_DIVIDE) scale = a.scale + 4u;
  return (Type){.kind = TYPE_DECIMAL, .precision = 65, .scale = (uint8_t)(scale > 30 ? 30 : scale)};
}

static Type mysql_integer_result(ExprKind kind, Type a, Type b) {
  Type type = type_int(8);
  type.is_unsigned = kind == EXPR_MODULO ? a.is_unsigned : a.is_unsigned || b.is_unsigned;
  return type;
}

bool interval_has_months(uint8_t unit) {
  return unit == UNIT_MONTH || unit == UNIT_QUARTER || unit == UNIT_YEAR;
}

Type interval_sum_type(Type date, uint8_t unit) {
  bool has_time = unit != UNIT_DAY && unit != UNIT_WEEK && !interval_has_months(unit);
  if (date.kind == TYPE_DATE && !has_time) return date;
  uint8_t precision = unit == UNIT_MICROSECOND ? 6 : date.precision;
  if (date.kind == TYPE_TIME) return (Type){.kind = TYPE_TIME, .precision = precision};
  if (type_is_time(date)) return (Type){.kind = TYPE_TIMESTAMP, .precision = precision};
  return (Type){.kind = TYPE_TEXT, .collation = COLLATION_CI};
}

static bool mysql_binary(Resolver *resolver, Expr *expr) {
  Expr **left = &expr->args[0], **right = &expr->args[1];
  bool adds = expr->kind == EXPR_ADD || expr->kind == EXPR_SUBTRACT;
  for (unsigned i = 0; i < 2 && adds; i++) {
    if (expr->args[i]->kind != EXPR_INTERVAL) continue;
    expr_settle(resolver, &expr->args[1 - i], type_plain_text(resolver));
    if (expr->args[1 - i]->type.kind == TYPE_TIME && interval_has_months(expr->args[i]->op))
      return resolver_unmodelled(resolver, expr->offset, "months added to a time of day");
    expr->type = interval_sum_type(expr->args[1 - i]->type, expr->args[i]->op);
    return true;
  }
  bool has_null = resolver->dialect->name == DIALECT_MARIADB && expr->kind != EXPR_INTEGER_DIVIDE &&
                  ((*left)->kind == EXPR_NULL || (*right)->kind == EXPR_NULL);
  for (unsigned i = 0; i < 2; i++) {
    Type other = mysql_number(expr->args[1 - i]->type);
    expr_settle(resolver, &expr->args[i], other.kind == TYPE_INT ? type_of(TYPE_DECIMAL) : other);
  }
  postgres_match_decimal(resolver, expr);
  Type a = mysql_number((*left)->type), b = mysql_number((*right)->type);
  if (any_dynamic(expr) && expr->kind != EXPR_INTEGER_DIVIDE)
    expr->type = dynamic();
  else if (expr->kind == EXPR_INTEGER_DIVIDE)
    expr->type = mysql_integer_result(expr->kind, a, b);
  else if (type_is_real(a) || type_is_real(b) || has_null)
    expr->type = type_of(TYPE_DOUBLE);
  else if (expr->kind == EXPR_DIVIDE || a.kind == TYPE_DECIMAL || b.kind == TYPE_DECIMAL)
    expr->type = mysql_exact(expr->kind, a, b);
  else
    expr->type = mysql_integer_result(expr->kind, a, b);
  return true;
}

static bool mysql_arithmetic(Resolver *resolver, Expr *expr) {
  switch (expr->kind) {
  case EXPR_NEGATE:
    expr_settle(resolver, &expr->args[0], type_of(TYPE_DECIMAL));
    expr->type = expr->args[0]->type.kind == TYPE_DYNAMIC ? dynamic() : mysql_number(expr->args[0]->type);
    if (expr->type.kind == TYPE_INT) expr->type = type_int(8);
    return true;
  case EXPR_PLUS: /* nothing at all in MySQL */
    if (expr->args[0]->kind == EXPR_NULL) return expr->type = type_of(TYPE_UNKNOWN), true;
    expr_settle(resolver, &expr->args[0], type_plain_text(resolver));
    expr->type = expr->args[0]->type;
    return true;
  case EXPR_BIT_NOT:
  case EXPR_BIT_AND:
  case EXPR_BIT_OR:
  case EXPR_BIT_XOR:
  case EXPR_SHIFT_LEFT:
  case EXPR_SHIFT_RIGHT:
    for (uint32_t i = 0; i < expr->arg_count; i++)
      expr_settle(resolver, &expr->args[i], type_plain_text(resolver));
    expr->type = (Type){.kind = TYPE_INT, .bytes = 8, .is_unsigned = true};
    return true;
  case EXPR_CONCAT:
    for (uint32_t i = 0; i < expr->arg_count; i++)
      expr_settle(resolver, &expr->args[i], type_plain_text(resolver));
    expr->type = type_plain_text(resolver);
    return true;
  default: return mysql_binary(resolver, expr);
  }
}

bool arithmetic_type(Resolver *resolver, Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr->args[i]->type.kind == TYPE_ROW)
      return resolver_fail(resolver, ERROR_TYPE, expr->offset, "a row cannot be an operand of %s",
                           expr_kind_name(expr->kind));
  if (dialect_is_sqlite(resolver->dialect)) {
    expr->type = dynamic();
    if (expr->kind == EXPR_PLUS) expr->type.collation = expr->args[0]->type.collation;
    return true;
  }
  return dialect_is_mysql(resolver->dialect) ? mysql_arithmetic(resolver, expr)
                                             : postgres_arithmetic(resolver, expr);
}
