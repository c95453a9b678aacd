/* function_number.c: rounding, and the functions of calculus.
 *
 * Exact numbers stay exact where the dialect keeps them so; the others are
 * doubles, whose last digits are the mathematics library's (observations are compared
 * at the digits they show). */
#include "semantics/function_number.h"

#include "semantics/arithmetic.h"
#include "semantics/convert.h"
#include "semantics/operate.h"
#include "src/sql/function.h"

#include <math.h>

typedef struct NumberCall {
  Eval *eval;
  const Expr *expr;
  const Value *args;
  uint32_t count;
  FunctionId id;
} NumberCall;

/* The first argument as a number of the dialect; false: the result is NULL or abort is set. */
static bool call_number(NumberCall *call, Value *number) {
  Value value = call->args[0];
  const Dialect *dialect = call->eval->dialect;
  if (dialect_is_mysql(dialect))
    *number = mysql_number(call->eval, value);
  else if (value_is_number(value))
    *number = value;
  else if (dialect_is_sqlite(dialect) || dialect_is_lenient(dialect)) {
    /* SQLite's functions take text that is a number as a whole, and give NULL for other text. */
    if (value.kind != VALUE_TEXT || !sqlite_whole_number(value.text, value.length, number)) return false;
  } else {
    *number = operate_cast(call->eval, value, call->expr->args[0]->type, type_of(TYPE_DOUBLE), true);
  }
  return !call->eval->abort;
}

static bool call_places(NumberCall *call, int *places) {
  int64_t wanted = 0;
  if (call->count > 1 && !convert_integer(call->eval, call->args[1], &wanted)) return false;
  *places = wanted > 38 ? 38 : wanted < -38 ? -38 : (int)wanted;
  return true;
}

static Value call_overflow(NumberCall *call) {
  if (dialect_is_lenient(call->eval->dialect)) return NULL_VALUE;
  return eval_error(call->eval, ERROR_OVERFLOW, "%s: value out of range", call->expr->function->name);
}

/* ---- Exact functions -------------------------------------------------------------- */

static Value exact_value(NumberCall *call, Decimal decimal, Value like) {
  if ((!value_is_decimal(like) && decimal.scale == 0) ||
      (decimal.scale == 0 && call->expr->type.kind == TYPE_INT)) {
    if (decimal.coefficient >= INT64_MIN && decimal.coefficient <= INT64_MAX)
      return value_int((int64_t)decimal.coefficient);
    if (decimal.coefficient >= 0 && decimal.coefficient <= UINT64_MAX)
      return value_uint((uint64_t)decimal.coefficient);
  }
  return decimal_value(call->eval->arena, decimal);
}

/* SQLite negates what is below zero: -0.0 stays. */
static double sqlite_abs(double real) { return real < 0 ? -real : real; }

static Value call_abs(NumberCall *call) {
  Value number;
  if (dialect_is_sqlite(call->eval->dialect) &&
      (call->args[0].kind == VALUE_TEXT || call->args[0].kind == VALUE_BLOB))
    return value_double(sqlite_abs(sqlite_real(call->args[0].text, call->args[0].length)));
  if (!call_number(call, &number)) return NULL_VALUE;
  if (number.kind == VALUE_DOUBLE) {
    number.real = dialect_is_sqlite(call->eval->dialect) ? sqlite_abs(number.real) : fabs(number.real);
    return number;
  }
  Type type = call->expr->type;
  bool is_narrow = type.kind == TYPE_INT && call->eval->dialect->name == DIALECT_POSTGRESQL;
  bool is_least = is_narrow && ((type.bytes == 4 && number.integer == INT32_MIN) ||
                                (type.bytes == 2 && number.integer == INT16_MIN));
  if (number.kind == VALUE_INT && (number.integer == INT64_MIN || is_least))
    return eval_error(call->eval, ERROR_OVERFLOW, "integer overflow");
  Decimal decimal = decimal_of(number);
  if (decimal.coefficient < 0) decimal.coefficient = -decimal.coefficient;
  Value size = exact_value(call, decimal, number);
  if (value_is_decimal(size)) size.flags = number.flags;
  return size;
}

static Value call_sign(NumberCall *call) {
  Value number;
  if (!call_number(call, &number)) return NULL_VALUE;
  int sign;
  if (number.kind == VALUE_DOUBLE)
    sign = (number.real > 0) - (number.real < 0);
  else
    sign = (value_coefficient(number) > 0) - (value_coefficient(number) < 0);
  return dialect_is_postgres(call->eval->dialect) && !value_is_decimal(number) ? value_double(sign)
                                                                               : value_int(sign);
}

static double real_scaled(double real, int places, double (*round_it)(double)) {
  double power = pow(10, fabs((double)places));
  double scaled = places < 0 ? real / power : real * power;
  if (!isfinite(scaled)) return real;
  return places < 0 ? round_it(scaled) * power : round_it(scaled) / power;
}

static bool decimal_floor(Decimal value, bool up, Decimal *result) {
  if (!decimal_truncate(value, 0, result)) return false;
  Decimal one = {1, 0};
  int order = decimal_compare(value, *result);
  if (up && order > 0) return decimal_add(*result, one, result);
  if (!up && order < 0) return decimal_subtract(*result, one, result);
  return true;
}

static Value real_rounded(NumberCall *call, Value number, int places) {
  double real = number.real;
  switch (call->id) {
  case FUNCTION_FLOOR: return value_double(floor(real));
  case FUNCTION_CEIL: return value_double(ceil(real));
  default: break;
  }
  Value rounded = value_double(real_scaled(real, places, call->id == FUNCTION_TRUNC ? trunc : rint));
  if (dialect_is_mysql(call->eval->dialect) && places > 0) rounded.flags = REAL_FIXED;
  return rounded;
}

/* ROUND, FLOOR, CEIL, TRUNC. */
static Value call_round(NumberCall *call) {
  Value number;
  int places;
  const Dialect *dialect = call->eval->dialect;
  if (call->id == FUNCTION_ROUND && dialect_is_sqlite(dialect)) {
    int64_t wanted = 0;
    if (call->count > 1 && !convert_integer(call->eval, call->args[1], &wanted)) return NULL_VALUE;
    int32_t cut = (int32_t)wanted; /* SQLite keeps the low 32 bits */
    return value_double(sqlite_round(number_to_double(sqlite_operand(call->args[0])), cut < 0 ? 0 : cut));
  }
  if (!call_number(call, &number) || !call_places(call, &places)) return NULL_VALUE;
  if (number.kind == VALUE_DOUBLE) return real_rounded(call, number, places);
  if (dialect_is_postgres(dialect) && !value_is_decimal(number) && call->expr->type.kind == TYPE_DOUBLE)
    return real_rounded(call, value_double(number_to_double(number)), places);
  if (!value_is_decimal(number) && places > 0 && dialect_is_mysql(dialect)) places = 0; /* integers stay */
  Decimal decimal = decimal_of(number), result;
  bool fits;
  if (call->id == FUNCTION_FLOOR || call->id == FUNCTION_CEIL)
    fits = decimal_floor(decimal, call->id == FUNCTION_CEIL, &result);
  else if (call->id == FUNCTION_TRUNC)
    fits = decimal_truncate(decimal, places, &result);
  else
    fits = decimal_round(decimal, places, &result);
  if (!fits) return eval_unmodelled(call->eval, "%s beyond 38 digits", call->expr->function->name);
  return exact_value(call, result, number);
}

/* All arguments as doubles; false: the result is NULL or abort is set. */
static bool call_reals(NumberCall *call, double numbers[2]) {
  for (uint32_t i = 0; i < call->count; i++) {
    NumberCall one = *call;
    one.args = call->args + i;
    Value number;
    if (!call_number(&one, &number)) return false;
    numbers[i] = number_to_double(number);
  }
  return true;
}

static Value call_div(NumberCall *call) { /* postgresql: the quotient without its fraction */
  if (!value_is_exact(call->args[0]) || !value_is_exact(call->args[1]))
    return eval_unmodelled(call->eval, "DIV of doubles");
  Decimal a = decimal_of(call->args[0]), b = decimal_of(call->args[1]), rest, whole, quotient;
  if (b.coefficient == 0)
    return dialect_is_lenient(call->eval->dialect)
               ? NULL_VALUE
               : eval_error(call->eval, ERROR_DIVISION, "division by zero");
  if (!decimal_remainder(a, b, &rest) || !decimal_subtract(a, rest, &whole) ||
      !decimal_divide(whole, b, 0, &quotient))
    return eval_unmodelled(call->eval, "DIV beyond 38 digits");
  return decimal_value(call->eval->arena, quotient);
}

/* ---- Doubles -------------------------------------------------------------------------- */

/* What a function gives outside its domain: an error in postgresql, NULL elsewhere. */
static Value call_domain(NumberCall *call, ErrorClass error) {
  if (call->eval->dialect->name != DIALECT_POSTGRESQL) return NULL_VALUE;
  return eval_error(call->eval, error, "%s: input is out of range", call->expr->function->name);
}

static Value real_result(NumberCall *call, double real) {
  if (isnan(real)) return call_domain(call, ERROR_OVERFLOW);
  if (isinf(real) && !dialect_is_sqlite(call->eval->dialect)) return call_overflow(call);
  return value_double(real);
}

/* SQLite divides natural logarithms, has no base below 1, and takes any text as the second argument. */
static Value logarithm_sqlite(NumberCall *call) {
  bool has_base = call->count == 2;
  Value number;
  if (!call_number(call, &number)) return NULL_VALUE;
  double first = number_to_double(number);
  double base = has_base && first > 0 ? log(first) : 0;
  double real = has_base ? number_to_double(sqlite_operand(call->args[1])) : first;
  if (real <= 0 || (has_base && base <= 0)) return NULL_VALUE;
  if (has_base) return value_double(log(real) / base);
  if (call->id == FUNCTION_LN) return value_double(log(real));
  return value_double(log(real) / (call->id == FUNCTION_LOG2 ? M_LN2 : M_LN10));
}

static Value call_logarithm(NumberCall *call, const double *numbers) {
  bool has_base = call->count == 2;
  double real = numbers[has_base], base = numbers[0];
  bool is_outside = real <= 0 || (has_base && (base <= 0 || base == 1));
  if (is_outside && dialect_is_mysql(call->eval->dialect)) return division_by_zero(call->eval);
  if (is_outside) return call_domain(call, ERROR_ARGUMENT);
  if (has_base) return real_result(call, log(real) / log(base));
  if (call->id == FUNCTION_LN || (call->id == FUNCTION_LOG && dialect_is_mysql(call->eval->dialect)))
    return value_double(log(real));
  /* SQLite divides, which differs from the C library's functions in the last digit. */
  if (dialect_is_sqlite(call->eval->dialect))
    return value_double(log(real) / (call->id == FUNCTION_LOG2 ? M_LN2 : M_LN10));
  return value_double(call->id == FUNCTION_LOG2 ? log2(real) : log10(real));
}

static Value call_real(NumberCall *call) {
  double numbers[2] = {0, 0};
  const double pi = 3.14159265358979323846;
  bool is_logarithm = call->id == FUNCTION_LN || call->id == FUNCTION_LOG || call->id == FUNCTION_LOG10 ||
                      call->id == FUNCTION_LOG2;
  if (is_logarithm && dialect_is_sqlite(call->eval->dialect)) return logarithm_sqlite(call);
  if (!call_reals(call, numbers)) return NULL_VALUE;
  double x = numbers[0];
  switch (call->id) {
  case FUNCTION_PI: return value_double(pi);
  case FUNCTION_SQRT: return x < 0 ? call_domain(call, ERROR_ARGUMENT) : value_double(sqrt(x));
  case FUNCTION_POWER: return real_result(call, pow(x, numbers[1]));
  case FUNCTION_MOD: return real_result(call, fmod(x, numbers[1])); /* sqlite */
  case FUNCTION_EXP: return real_result(call, exp(x));
  case FUNCTION_LN:
  case FUNCTION_LOG:
  case FUNCTION_LOG10:
  case FUNCTION_LOG2: return call_logarithm(call, numbers);
  case FUNCTION_RADIANS: return value_double(x * (pi / 180));
  case FUNCTION_DEGREES: return value_double(x * (180 / pi));
  case FUNCTION_SIN: return real_result(call, sin(x));
  case FUNCTION_COS: return real_result(call, cos(x));
  case FUNCTION_TAN: return real_result(call, tan(x));
  case FUNCTION_ASIN: return real_result(call, asin(x));
  case FUNCTION_ACOS: return real_result(call, acos(x));
  case FUNCTION_ATAN: return value_double(call->count == 2 ? atan2(x, numbers[1]) : atan(x));
  case FUNCTION_ATAN2: return value_double(atan2(x, numbers[1]));
  default: return tan(x) == 0 ? call_overflow(call) : value_double(1 / tan(x)); /* COT */
  }
}

static Value call_mod(NumberCall *call) {
  const Expr *expr = call->expr;
  if (dialect_is_sqlite(call->eval->dialect)) return call_real(call);
  return operate_binary(call->eval, EXPR_MODULO, expr->type, call->args[0], expr->args[0]->type,
                        call->args[1], expr->args[1]->type);
}

bool function_number_call(Eval *eval, const Expr *expr, const Value *args, Value *result) {
  NumberCall call = {
      .eval = eval, .expr = expr, .args = args, .count = expr->arg_count, .id = expr->function->id};
  switch (call.id) {
  case FUNCTION_ABS: *result = call_abs(&call); return true;
  case FUNCTION_SIGN: *result = call_sign(&call); return true;
  case FUNCTION_ROUND:
  case FUNCTION_FLOOR:
  case FUNCTION_CEIL:
  case FUNCTION_TRUNC: *result = call_round(&call); return true;
  case FUNCTION_MOD: *result = call_mod(&call); return true;
  case FUNCTION_DIV: *result = call_div(&call); return true;
  case FUNCTION_POWER:
  case FUNCTION_SQRT:
  case FUNCTION_EXP:
  case FUNCTION_LN:
  case FUNCTION_LOG:
  case FUNCTION_LOG10:
  case FUNCTION_LOG2:
  case FUNCTION_PI:
  case FUNCTION_RADIANS:
  case FUNCTION_DEGREES:
  case FUNCTION_SIN:
  case FUNCTION_COS:
  case FUNCTION_TAN:
  case FUNCTION_ASIN:
  case FUNCTION_ACOS:
  case FUNCTION_ATAN:
  case FUNCTION_ATAN2:
  case FUNCTION_COT: *result = call_real(&call); return true;
  default: return false;
  }
}
