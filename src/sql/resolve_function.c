/* resolve_function.c: calls of functions: which one, of which type.
 *
 * The result type follows from the function's ResultRule and its arguments; where
 * a database's rule hangs on the name (ROUND's digits, DATE_ADD's unit), it
 * is here.  PostgreSQL chooses functions by argument types: what it has not is an error. */
#include "src/sql/resolve_internal.h"

#include <strings.h>

static bool name_in(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(name, names[i]) == 0) return true;
  return false;
}
#define NAME_IN(name, names) name_in((name), (names), sizeof(names) / sizeof *(names))

/* ---- Which function -------------------------------------------------------------------------- */

static bool arguments_resolve(Resolver *resolver, Scope *scope, Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (!expr_resolve(resolver, scope, &expr->args[i])) return false;
    expr->is_volatile |= expr->args[i]->is_volatile;
  }
  for (uint32_t i = 0; i < expr->order_count; i++) {
    expr->order[i].item = -1;
    if (!expr_resolve(resolver, scope, &expr->order[i].expr)) return false;
    expr_settle(resolver, &expr->order[i].expr, type_plain_text(resolver));
  }
  if (expr->separator && !expr_resolve(resolver, scope, &expr->separator)) return false;
  if (expr->separator) expr_settle(resolver, &expr->separator, type_plain_text(resolver));
  if (!expr->filter) return true;
  return expr_resolve(resolver, scope, &expr->filter) && expr_as_condition(resolver, &expr->filter, "FILTER");
}

static bool aggregate_call(Resolver *resolver, Scope *scope, Expr *expr) {
  bool was_inside = scope && scope->in_aggregate;
  if (scope) scope->in_aggregate = true;
  bool done = arguments_resolve(resolver, scope, expr);
  if (scope) scope->in_aggregate = was_inside;
  return done && function_type(resolver, expr) && aggregate_resolve(resolver, scope, expr);
}

/* MariaDB's EXISTS is a binary string where a text is wanted. */
static bool makes_text_of_exists(const Resolver *resolver, const Expr *expr) {
  if (!dialect_is_mysql(resolver->dialect) || !type_is_text(expr->type)) return false;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr->args[i]->kind == EXPR_EXISTS) return true;
  return false;
}

bool function_resolve(Resolver *resolver, Scope *scope, Expr *expr) {
  bool has_star = expr->arg_count == 1 && expr->args[0]->kind == EXPR_STAR && !expr->args[0]->table;
  if (strcasecmp(expr->name, "COUNT") == 0 && expr->arg_count == 0) has_star = true;
  if (has_star) expr->arg_count = 0;
  expr->function = function_find(resolver->dialect, expr->name, expr->arg_count, has_star);
  if (!expr->function)
    return resolver_unmodelled(resolver, expr->offset, "function '%s' with %u arguments is not modelled",
                               expr->name, expr->arg_count);
  if (expr->function->flags & FUNCTION_AGGREGATE) return aggregate_call(resolver, scope, expr);
  if (expr->distinct || expr->filter)
    return resolver_unmodelled(resolver, expr->offset, "DISTINCT or FILTER of function '%s'", expr->name);
  if (!arguments_resolve(resolver, scope, expr)) return false;
  if (expr->function->flags & (FUNCTION_VOLATILE | FUNCTION_CLOCK)) {
    expr->is_volatile = true;
    scope_mark_volatile(scope);
  }
  if (!function_type(resolver, expr)) return false;
  if (makes_text_of_exists(resolver, expr))
    return resolver_unmodelled(resolver, expr->offset, "EXISTS as a text is not modelled");
  return true;
}

/* ---- Arguments in postgresql ----------------------------------------------------------------- */

static const char *const text_functions[] = {
    "LENGTH",  "CHAR_LENGTH", "CHARACTER_LENGTH", "LOWER",       "UPPER",        "TRIM",      "BTRIM",
    "LTRIM",   "RTRIM",       "SUBSTR",           "SUBSTRING",   "LEFT",         "RIGHT",     "REPLACE",
    "STRPOS",  "POSITION",    "REPEAT",           "REVERSE",     "LPAD",         "RPAD",      "ASCII",
    "INITCAP", "SPLIT_PART",  "TRANSLATE",        "STARTS_WITH", "OCTET_LENGTH", "BIT_LENGTH"};
static const char *const number_functions[] = {
    "ABS", "SIGN", "ROUND", "FLOOR", "CEIL",  "CEILING", "TRUNC",   "MOD",     "DIV", "POWER",
    "POW", "SQRT", "EXP",   "LN",    "LOG",   "LOG10",   "RADIANS", "DEGREES", "SIN", "COS",
    "TAN", "ASIN", "ACOS",  "ATAN",  "ATAN2", "COT",     "CHR",     "SUM",     "AVG"};

static bool no_function(Resolver *resolver, const Expr *expr, Type type) {
  char text[64];
  return resolver_fail(resolver, ERROR_NO_FUNCTION, expr->offset, "no function %s for %s", expr->name,
                       type_text(type, text, sizeof text));
}

/* SQRT, POWER and the like have a second form, over decimals. */
static bool arguments_are_exact(const Expr *expr) {
  static const char *const doubled[] = {"SQRT", "EXP", "LN", "LOG", "LOG10", "POWER", "POW"};
  bool has_decimal = false;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (type_is_real(expr->args[i]->type)) return false;
    has_decimal |= expr->args[i]->type.kind == TYPE_DECIMAL;
  }
  return has_decimal && NAME_IN(expr->function->name, doubled);
}

static bool postgres_arguments(Resolver *resolver, Expr *expr) {
  if (expr->arg_count == 0) return true;
  const char *name = expr->function->name;
  if (NAME_IN(name, number_functions)) {
    bool is_sum = expr->function->result == RESULT_SUM || expr->function->result == RESULT_AVERAGE;
    if (is_sum && type_is_unknown(expr->args[0]->type))
      return resolver_fail(resolver, ERROR_AMBIGUOUS, expr->offset, "%s of an untyped value", name);
    for (uint32_t i = 0; i < expr->arg_count; i++)
      expr_settle(resolver, &expr->args[i], type_of(TYPE_DOUBLE));
    Type type = expr->args[0]->type;
    if (is_sum && type.kind == TYPE_INTERVAL) return true;
    bool rounds_real = expr->arg_count == 2 && type_is_real(type) &&
                       (strcmp(name, "ROUND") == 0 || strcmp(name, "TRUNC") == 0);
    if (expr->function->result == RESULT_DOUBLE && arguments_are_exact(expr))
      return resolver_unmodelled(resolver, expr->offset, "%s of decimals, which is a decimal in postgresql",
                                 name);
    if (type_is_number(type) || type.kind == TYPE_DYNAMIC)
      return !rounds_real || no_function(resolver, expr, type);
    return no_function(resolver, expr, type);
  }
  Type type = expr->args[0]->type;
  if (NAME_IN(name, text_functions)) {
    if (type_is_text(type) || type_is_unknown(type) || type.kind == TYPE_DYNAMIC) return true;
    if (type.kind == TYPE_BLOB)
      return resolver_unmodelled(resolver, expr->offset, "%s of bytes is not modelled", name);
    return no_function(resolver, expr, type);
  }
  if ((strcmp(name, "MIN") == 0 || strcmp(name, "MAX") == 0) &&
      (type.kind == TYPE_BOOL || type.kind == TYPE_BLOB || type.kind == TYPE_UUID))
    return no_function(resolver, expr, type);
  if (strcmp(name, "COUNT") == 0 && expr->arg_count > 1) return no_function(resolver, expr, type);
  return true;
}

/* ---- Result types ---------------------------------------------------------------------------- */

static Type postgres_sum(Type type) {
  if (type.kind == TYPE_INT) return type.bytes == 8 ? type_of(TYPE_DECIMAL) : type_int(8);
  if (type.kind == TYPE_DECIMAL) return type_of(TYPE_DECIMAL);
  if (type_is_real(type) || type.kind == TYPE_INTERVAL) return type;
  return type_of(TYPE_DYNAMIC);
}

static Type postgres_average(Type type) {
  if (type.kind == TYPE_INT || type.kind == TYPE_DECIMAL) return type_of(TYPE_DECIMAL);
  if (type.kind == TYPE_INTERVAL) return type;
  return type_of(TYPE_DOUBLE);
}

/* Integers and decimals add up exactly; an average has four digits more. */
static Type mysql_sum(Type type, unsigned more) {
  bool is_exact =
      type.kind == TYPE_INT || type.kind == TYPE_DECIMAL || type.kind == TYPE_BOOL || type_is_time(type);
  if (!is_exact) return type_of(TYPE_DOUBLE);
  if (type.kind == TYPE_DECIMAL && type.precision == 0) return type;
  unsigned scale =
      (type.kind == TYPE_DECIMAL || type_is_time(type) ? (type_is_time(type) ? type.precision : type.scale)
                                                       : 0) +
      more;
  return (Type){.kind = TYPE_DECIMAL, .precision = 65, .scale = (uint8_t)scale};
}

/* ROUND(x, 2), TRUNCATE(x, 2): the digits are part of the type, so a literal is pinned. */
static Type mysql_rounded(Resolver *resolver, const Expr *expr) {
  Type type = expr->args[0]->type;
  const char *name = expr->function->name;
  if (type.kind == TYPE_INT || type.kind == TYPE_DYNAMIC)
    return type.kind == TYPE_INT ? (Type){.kind = TYPE_INT, .bytes = 8, .is_unsigned = type.is_unsigned}
                                 : type;
  if (strcmp(name, "SIGN") == 0) return type_int(8);
  if (type.kind != TYPE_DECIMAL) return type_of(TYPE_DOUBLE);
  if (strcmp(name, "FLOOR") == 0 || strncmp(name, "CEIL", 4) == 0) return type_int(8);
  if (expr->arg_count == 1) return type.scale = 0, type;
  const Expr *digits = expr->args[1];
  if (digits->kind != EXPR_INPUT || resolver->values.items[digits->index].kind != VALUE_INT)
    return type_of(TYPE_DECIMAL);
  resolver_pin(resolver, digits->index);
  int64_t wanted = resolver->values.items[digits->index].integer;
  if (wanted > 30) wanted = 30;
  /* MariaDB gives as many digits as asked for, MySQL no more than there are. */
  if (wanted < type.scale || resolver->dialect->name == DIALECT_MARIADB)
    type.scale = wanted < 0 ? 0 : (uint8_t)wanted;
  type.precision = 65;
  return type;
}

static Type rounded_type(Resolver *resolver, const Expr *expr) {
  if (dialect_is_mysql(resolver->dialect)) return mysql_rounded(resolver, expr);
  Type type = expr->args[0]->type;
  if (type.kind == TYPE_DYNAMIC) return type;
  if (type.kind == TYPE_DECIMAL || (type.kind == TYPE_INT && expr->arg_count == 2))
    return type_of(TYPE_DECIMAL);
  return type_of(TYPE_DOUBLE);
}

/* mysql: TIME plus months is a timestamp of today. */
static bool interval_is_modelled(Resolver *resolver, const Expr *expr) {
  if (expr->arg_count < 2 || expr->args[1]->kind != EXPR_INTERVAL || expr->args[0]->type.kind != TYPE_TIME)
    return true;
  if (!interval_has_months(expr->args[1]->op)) return true;
  return resolver_unmodelled(resolver, expr->offset, "months added to a time of day");
}

static Type time_result(const Resolver *resolver, const Expr *expr, TypeKind kind) {
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  Type type = {.kind = (uint8_t)kind, .precision = kind == TYPE_DATE || is_mysql ? 0 : 6};
  if (kind != TYPE_TIMESTAMP) return type;
  static const char *const zoned[] = {"NOW", "CURRENT_TIMESTAMP", "TRANSACTION_TIMESTAMP", "CLOCK_TIMESTAMP",
                                      "STATEMENT_TIMESTAMP"};
  static const char *const sums[] = {"DATE_ADD", "ADDDATE", "DATE_SUB", "SUBDATE"};
  const char *name = expr->function->name;
  if (resolver->dialect->name == DIALECT_POSTGRESQL && NAME_IN(name, zoned)) type.kind = TYPE_TIMESTAMPTZ;
  if (strcmp(name, "DATE_TRUNC") == 0 && expr->args[1]->type.kind == TYPE_TIMESTAMPTZ)
    type.kind = TYPE_TIMESTAMPTZ;
  if (NAME_IN(name, sums)) {
    uint8_t unit = expr->args[1]->kind == EXPR_INTERVAL ? expr->args[1]->op : UNIT_DAY;
    return interval_sum_type(expr->args[0]->type, unit);
  }
  return type;
}

static Type text_result(const Resolver *resolver, const Expr *expr) {
  Type type = type_plain_text(resolver);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (type_is_text(expr->args[i]->type)) type.is_binary |= expr->args[i]->type.is_binary;
  return type;
}

/* MOD(a, b) is a % b. */
static bool modulo_type(Resolver *resolver, Expr *expr) {
  Expr *operator= expr_binary(resolver->arena, EXPR_MODULO, expr->offset, expr->args[0], expr->args[1]);
  if (!arithmetic_type(resolver, operator)) return false;
  expr->args[0] = operator->args[0];
  expr->args[1] = operator->args[1];
  expr->type = operator->type;
  return true;
}

/* mysql, mariadb: GREATEST of numbers and strings is their business; of FLOATs and others a DOUBLE. */
static bool mysql_extreme_type(Resolver *resolver, Expr *expr) {
  bool has_text = false, has_number = false, has_float = true;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    Type type = expr->args[i]->type;
    has_text |= type_is_text(type) || type.kind == TYPE_BLOB;
    has_number |= type_is_number(type) || type_is_time(type);
    has_float &= type.kind == TYPE_FLOAT;
  }
  if (has_text && has_number)
    return resolver_unmodelled(resolver, expr->offset, "%s of numbers and strings is not modelled",
                               expr->function->name);
  if (expr->type.kind == TYPE_FLOAT && !has_float) expr->type = type_of(TYPE_DOUBLE);
  return true;
}

/* mariadb: numbers and texts are compared as doubles. */
static bool extreme_is_real(const Expr *expr) {
  bool has_text = false, has_number = false;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    Type type = expr->args[i]->type;
    if (!type_is_unknown(type) && !type_is_text(type) && !type_is_number(type)) return false;
    has_text |= type_is_text(type);
    has_number |= type_is_number(type);
  }
  return has_text && has_number;
}

static bool unified_type(Resolver *resolver, Expr *expr) {
  if (expr->function->id == FUNCTION_MOD) return modulo_type(resolver, expr);
  uint32_t first = expr->function->id == FUNCTION_IF ? 1 : 0;
  if (first && !expr_as_condition(resolver, &expr->args[0], "IF")) return false;
  Expr ***slots = ARENA_ARRAY(resolver->arena, Expr **, expr->arg_count);
  for (uint32_t i = first; i < expr->arg_count; i++) slots[i - first] = &expr->args[i];
  bool is_extreme = expr->function->id == FUNCTION_GREATEST || expr->function->id == FUNCTION_LEAST;
  if (is_extreme && resolver->dialect->name == DIALECT_MARIADB && extreme_is_real(expr))
    return expr->type = type_of(TYPE_DOUBLE), true;
  if (is_extreme && dialect_is_mysql(resolver->dialect) && !mysql_extreme_type(resolver, expr)) return false;
  if (!list_unify(resolver, slots, expr->arg_count - first, expr->function->name, &expr->type)) return false;
  return !is_extreme || !dialect_is_mysql(resolver->dialect) || mysql_extreme_type(resolver, expr);
}

/* PostgreSQL's text functions take text or char: NULLIF by what its comparison takes, MIN and MAX by their
 * argument. */
static void postgres_text_first(Expr *expr) {
  bool has_text = expr->type.kind == TYPE_TEXT, has_char = expr->type.kind == TYPE_CHAR;
  if (expr->function->id == FUNCTION_NULLIF) {
    has_text |= expr->args[1]->type.kind == TYPE_TEXT;
    has_char |= expr->args[1]->type.kind == TYPE_CHAR;
  }
  expr->type.kind = has_char && !has_text ? TYPE_CHAR : TYPE_TEXT;
  expr->type.length = 0;
}

static bool first_type(Resolver *resolver, Expr *expr) {
  if (expr->function->id == FUNCTION_NULLIF) {
    Type before = expr->args[0]->type;
    if (!pair_compare(resolver, &expr->args[0], &expr->args[1], expr->offset)) return false;
    if (!type_is_unknown(before) && type_is_text(before) != type_is_text(expr->args[0]->type))
      return resolver_unmodelled(resolver, expr->offset, "NULLIF of a text and a date is not modelled");
  }
  expr_settle(resolver, &expr->args[0], type_plain_text(resolver));
  expr->type = expr->args[0]->type;
  if (type_is_text(expr->type) && dialect_is_postgres(resolver->dialect)) postgres_text_first(expr);
  bool is_bits = expr->function->id == FUNCTION_BIT_AND || expr->function->id == FUNCTION_BIT_OR ||
                 expr->function->id == FUNCTION_BIT_XOR;
  if (is_bits && dialect_is_mysql(resolver->dialect))
    expr->type = (Type){.kind = TYPE_INT, .bytes = 8, .is_unsigned = true};
  return true;
}

static bool numeric_first_type(Resolver *resolver, Expr *expr) {
  expr_settle(resolver, &expr->args[0], type_of(TYPE_DOUBLE));
  Type type = expr->args[0]->type;
  expr->type = type_is_number(type) || type.kind == TYPE_DYNAMIC ? type : type_of(TYPE_DOUBLE);
  if (dialect_is_mysql(resolver->dialect) && type.kind == TYPE_INT) expr->type.bytes = 8;
  if (dialect_is_mysql(resolver->dialect) && type.kind == TYPE_FLOAT) expr->type = type_of(TYPE_DOUBLE);
  return true;
}

static void sum_type(Resolver *resolver, Expr *expr, bool is_average) {
  expr_settle(resolver, &expr->args[0], type_of(TYPE_DOUBLE));
  Type type = expr->args[0]->type;
  if (dialect_is_mysql(resolver->dialect))
    expr->type = mysql_sum(type, is_average ? 4 : 0);
  else
    expr->type = is_average ? postgres_average(type) : postgres_sum(type);
}

static bool result_type(Resolver *resolver, Expr *expr) {
  switch ((ResultRule)expr->function->result) {
  case RESULT_FIRST: return first_type(resolver, expr);
  case RESULT_UNIFIED: return unified_type(resolver, expr);
  case RESULT_NUMERIC_FIRST: return numeric_first_type(resolver, expr);
  case RESULT_SUM: return sum_type(resolver, expr, false), true;
  case RESULT_AVERAGE: return sum_type(resolver, expr, true), true;
  case RESULT_ROUNDED:
    if (type_is_time(expr->args[0]->type))
      return resolver_unmodelled(resolver, expr->offset, "%s of a date or time is not modelled",
                                 expr->function->name);
    expr_settle(resolver, &expr->args[0], type_of(TYPE_DOUBLE));
    return expr->type = rounded_type(resolver, expr), true;
  case RESULT_INT4: return expr->type = type_int(4), true;
  case RESULT_INT8: return expr->type = type_int(8), true;
  case RESULT_DOUBLE: return expr->type = type_of(TYPE_DOUBLE), true;
  case RESULT_DECIMAL: return expr->type = type_of(TYPE_DECIMAL), true;
  case RESULT_TEXT: return expr->type = text_result(resolver, expr), true;
  case RESULT_BOOL: return expr->type = truth_type(resolver), true;
  case RESULT_DATE: return expr->type = time_result(resolver, expr, TYPE_DATE), true;
  case RESULT_TIME: return expr->type = time_result(resolver, expr, TYPE_TIME), true;
  case RESULT_TIMESTAMP:
    if (!interval_is_modelled(resolver, expr)) return false;
    return expr->type = time_result(resolver, expr, TYPE_TIMESTAMP), true;
  case RESULT_BLOB: return expr->type = type_of(TYPE_BLOB), true;
  }
  return true;
}

bool function_type(Resolver *resolver, Expr *expr) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr->args[i]->type.kind == TYPE_ROW)
      return resolver_unmodelled(resolver, expr->offset, "a row as argument of '%s' is not modelled",
                                 expr->name);
  if (dialect_is_sqlite(resolver->dialect)) return expr->type = type_of(TYPE_DYNAMIC), true;
  if (resolver->dialect->name == DIALECT_POSTGRESQL && !postgres_arguments(resolver, expr)) return false;
  if (!result_type(resolver, expr)) return false;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    expr_settle(resolver, &expr->args[i], type_plain_text(resolver));
  return true;
}
