/* aggregate.c: COUNT, SUM, AVG, MIN, MAX and the others, one group at a time.
 *
 * An Accumulator lives in eval->arena.  Numbers are summed exactly while all are exact, and as
 * doubles from the first double on; sqlite keeps both sums, as it decides only at the end.
 * The order in which rows arrive must not show: where it would, the result is not modelled. */
#include "semantics/aggregate.h"

#include "src/base/map.h"

#include <math.h>

static bool argument_is_star(const Expr *expr) {
  return expr->arg_count == 0 || (expr->arg_count == 1 && expr->args[0]->kind == EXPR_STAR);
}

Accumulator *accumulator_new(Eval *eval, const Expr *aggregate) {
  Accumulator *accumulator = ARENA_NEW(eval->arena, Accumulator);
  accumulator->expr = aggregate;
  accumulator->id = aggregate->function->id;
  return accumulator;
}

double accumulator_magnitude(const Accumulator *accumulator) {
  /* SQLite averages integers as doubles, too; where the result is exact, nobody asks for the magnitude. */
  bool is_real = accumulator->is_real || accumulator->id != FUNCTION_SUM;
  bool sums =
      accumulator->id == FUNCTION_SUM || accumulator->id == FUNCTION_AVG || accumulator->id == FUNCTION_TOTAL;
  return sums && is_real ? accumulator->magnitude : 0;
}

/* ---- DISTINCT ------------------------------------------------------------------ */

static uint64_t row_hash(Eval *eval, const Expr *expr, const Value *args) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    hash = hash_mix(hash, value_hash(eval->dialect, expr->args[i]->type, args[i]));
  return hash;
}

static bool row_is_equal(Eval *eval, const Expr *expr, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (value_order(eval->dialect, expr->args[i]->type, a[i], b[i]) != 0) return false;
  return true;
}

static void seen_place(SeenSet *seen, uint64_t hash, const Value *row) {
  uint32_t place = (uint32_t)hash & (seen->room - 1);
  while (seen->rows[place]) place = (place + 1) & (seen->room - 1);
  seen->rows[place] = row;
  seen->hashes[place] = hash;
}

static void seen_grow(Eval *eval, SeenSet *seen) {
  SeenSet old = *seen;
  seen->room = old.room ? old.room * 2 : 16;
  seen->rows = ARENA_ARRAY(eval->arena, const Value *, seen->room);
  seen->hashes = ARENA_ARRAY(eval->arena, uint64_t, seen->room);
  for (uint32_t i = 0; i < old.room; i++)
    if (old.rows[i]) seen_place(seen, old.hashes[i], old.rows[i]);
}

/* True if an equal row was there already. */
static bool seen_before(Eval *eval, Accumulator *accumulator, const Value *args) {
  const Expr *expr = accumulator->expr;
  SeenSet *seen = &accumulator->seen;
  if (seen->count * 2 >= seen->room) seen_grow(eval, seen);
  uint64_t hash = row_hash(eval, expr, args);
  for (uint32_t place = (uint32_t)hash & (seen->room - 1); seen->rows[place];
       place = (place + 1) & (seen->room - 1))
    if (seen->hashes[place] == hash && row_is_equal(eval, expr, seen->rows[place], args)) return true;
  Value *row = arena_alloc(eval->arena, expr->arg_count * sizeof *row);
  for (uint32_t i = 0; i < expr->arg_count; i++) row[i] = value_copy(eval->arena, args[i]);
  seen_place(seen, hash, row);
  seen->count++;
  return false;
}

/* ---- Sums ----------------------------------------------------------------------- */

/* What a value counts as in a sum: exact, or a double. */
static Value summand(Eval *eval, const Expr *expr, Value value) {
  if (value_is_number(value)) return value;
  bool is_text = value.kind == VALUE_TEXT || value.kind == VALUE_BLOB;
  if (is_text && (dialect_is_sqlite(eval->dialect) || dialect_is_lenient(eval->dialect))) {
    Value number;
    if (value.kind == VALUE_TEXT && sqlite_whole_number(value.text, value.length, &number)) return number;
    return value_double(sqlite_real(value.text, value.length));
  }
  if (value.kind == VALUE_TEXT && dialect_is_mysql(eval->dialect))
    return operate_cast(eval, value, expr->args[0]->type, type_of(TYPE_DOUBLE), true);
  return eval_unmodelled(eval, "%s over a %s", expr->function->name, value_kind_name(value.kind));
}

static void sum_real(Accumulator *accumulator, double real) {
  accumulator->is_real = true;
  accumulator->real += real;
  if (fabs(real) > accumulator->magnitude) accumulator->magnitude = fabs(real);
}

/* MariaDB may collect the values of groups, and distinct ones, in a table that keeps only the digits that
 * show. */
static bool digits_may_be_lost(const Eval *eval, const Expr *expr, Value value) {
  if (!decimal_is_hidden(value) || decimal_shown(value) >= value.scale) return false;
  return expr->distinct || !eval->frame || !eval->frame->block || eval->frame->block->group_by.count;
}

static void sum_add(Eval *eval, Accumulator *accumulator, Value value) {
  value = summand(eval, accumulator->expr, value);
  if (eval->abort) return;
  if (digits_may_be_lost(eval, accumulator->expr, value)) {
    eval_unmodelled(eval, "a sum of quotients in groups is not modelled");
    return;
  }
  if (value.kind == VALUE_DOUBLE) return sum_real(accumulator, value.real);
  double real = number_to_double(value);
  accumulator->real += real;
  if (fabs(real) > accumulator->magnitude) accumulator->magnitude = fabs(real);
  if (decimal_is_lossy(value)) {
    eval_unmodelled(eval, "a sum of quotients of another query block is not modelled");
    return;
  }
  if (decimal_shown(value) > accumulator->shown) accumulator->shown = decimal_shown(value);
  if (!decimal_add(accumulator->exact, decimal_of(value), &accumulator->exact))
    eval_unmodelled(eval, "a sum of more than %d digits", DECIMAL_DIGITS);
  if (value.kind != VALUE_INT) return;
  if (value.integer > 0)
    accumulator->gains += value.integer;
  else
    accumulator->losses += value.integer;
}

static Value sqlite_real_result(double real) { return isnan(real) ? NULL_VALUE : value_double(real); }

/* SQLite adds integers one by one and fails where a partial sum overflows before a double came: for sure if
 * the whole sum does, and by the order of the rows if only the gains or the losses do. */
static Value sqlite_sum(Eval *eval, const Accumulator *accumulator) {
  Int128 sum = accumulator->gains + accumulator->losses;
  bool may_fail = accumulator->gains > INT64_MAX || accumulator->losses < INT64_MIN;
  bool must_fail = !accumulator->is_real && (sum > INT64_MAX || sum < INT64_MIN);
  if (must_fail) return eval_error(eval, ERROR_OVERFLOW, "integer overflow");
  if (may_fail) return eval_unmodelled(eval, "SUM fails or not by the order of its rows");
  return accumulator->is_real ? sqlite_real_result(accumulator->real) : value_int((int64_t)sum);
}

static Value sum_exact(Eval *eval, const Accumulator *accumulator) {
  Value sum = decimal_value(eval->arena, accumulator->exact);
  if (sum.scale != accumulator->shown && dialect_is_mysql(eval->dialect))
    sum.flags = (uint16_t)(accumulator->shown + 1);
  return sum;
}

static Value sum_result(Eval *eval, const Accumulator *accumulator) {
  if (accumulator->count == 0) return NULL_VALUE;
  if (dialect_is_sqlite(eval->dialect)) return sqlite_sum(eval, accumulator);
  if (accumulator->is_real) return value_double(accumulator->real);
  bool is_integer = accumulator->exact.scale == 0 && (accumulator->expr->type.kind == TYPE_INT ||
                                                      accumulator->expr->type.kind == TYPE_DYNAMIC);
  if (!is_integer) return sum_exact(eval, accumulator);
  Int128 sum = accumulator->exact.coefficient;
  if (sum >= INT64_MIN && sum <= INT64_MAX) return value_int((int64_t)sum);
  if (dialect_is_lenient(eval->dialect)) return value_double(accumulator->real);
  return eval_error(eval, ERROR_OVERFLOW, "bigint out of range");
}

static Value average_result(Eval *eval, const Accumulator *accumulator) {
  if (accumulator->count == 0) return NULL_VALUE;
  if (dialect_is_sqlite(eval->dialect))
    return sqlite_real_result(accumulator->real / (double)accumulator->count);
  if (accumulator->is_real) return value_double(accumulator->real / (double)accumulator->count);
  Type decimal = {
      .kind = TYPE_DECIMAL, .precision = DECIMAL_DIGITS, .scale = (uint8_t)accumulator->exact.scale};
  Type count = {.kind = TYPE_DECIMAL, .precision = 20};
  Value sum = sum_exact(eval, accumulator);
  Value divisor = value_decimal(eval->arena, (Int128)accumulator->count, 0);
  return operate_binary(eval, EXPR_DIVIDE, accumulator->expr->type, sum, decimal, divisor, count);
}

/* ---- MIN and MAX ------------------------------------------------------------------- */

static void extreme_add(Eval *eval, Accumulator *accumulator, Value value) {
  Type type = accumulator->expr->args[0]->type;
  if (!value_is_orderable(eval->dialect, type, value)) {
    eval_unmodelled(eval, "ordering text by a collation that is not modelled");
    return;
  }
  if (accumulator->count == 1) {
    accumulator->extreme = value_copy(eval->arena, value);
    return;
  }
  int order = value_order(eval->dialect, type, value, accumulator->extreme);
  bool is_text = value.kind == VALUE_TEXT && accumulator->extreme.kind == VALUE_TEXT;
  if (order == 0 && is_text && !value_identical(value, accumulator->extreme))
    accumulator->is_ambiguous = true; /* equal but spelled differently: either may be shown */
  if (order == 0 || (order < 0) != (accumulator->id == FUNCTION_MIN)) return;
  accumulator->extreme = value_copy(eval->arena, value);
  accumulator->is_ambiguous = false;
}

static Value extreme_result(Eval *eval, const Accumulator *accumulator) {
  if (accumulator->count == 0) return NULL_VALUE;
  if (accumulator->is_ambiguous)
    return eval_unmodelled(eval, "%s among texts that are equal but spelled differently",
                           accumulator->expr->function->name);
  return accumulator->extreme;
}

/* ---- Bits and booleans ---------------------------------------------------------------- */

static ExprKind fold_kind(FunctionId id) {
  if (id == FUNCTION_BIT_AND) return EXPR_BIT_AND;
  return id == FUNCTION_BIT_OR ? EXPR_BIT_OR : EXPR_BIT_XOR;
}

static void fold_add(Eval *eval, Accumulator *accumulator, Value value) {
  Type type = accumulator->expr->args[0]->type;
  if (accumulator->id == FUNCTION_BOOL_AND || accumulator->id == FUNCTION_BOOL_OR) {
    int truth = value_truth(eval, value);
    bool first = accumulator->count == 1;
    bool so_far = !first && accumulator->extreme.integer;
    bool is_and = accumulator->id == FUNCTION_BOOL_AND;
    accumulator->extreme = value_bool(first    ? truth == 1
                                      : is_and ? so_far && truth == 1
                                               : so_far || truth == 1);
    return;
  }
  if (accumulator->count == 1 && !dialect_is_mysql(eval->dialect)) {
    accumulator->extreme = value_copy(eval->arena, value);
    return;
  }
  Value before = accumulator->extreme;
  if (accumulator->count == 1)
    before = accumulator->id == FUNCTION_BIT_AND ? value_uint(UINT64_MAX) : value_int(0);
  accumulator->extreme = operate_binary(eval, fold_kind(accumulator->id), accumulator->expr->type, before,
                                        accumulator->expr->type, value, type);
}

static Value fold_result(Eval *eval, const Accumulator *accumulator) {
  if (accumulator->count) return accumulator->extreme;
  bool is_bits = accumulator->id != FUNCTION_BOOL_AND && accumulator->id != FUNCTION_BOOL_OR;
  if (!is_bits || !dialect_is_mysql(eval->dialect)) return NULL_VALUE;
  return accumulator->id == FUNCTION_BIT_AND ? value_uint(UINT64_MAX) : value_int(0);
}

/* ---- Concatenation ----------------------------------------------------------------------- */

enum { MYSQL_CONCAT_LENGTH = 1024 }; /* group_concat_max_len of MySQL; MariaDB allows more */

static void concat_add(Eval *eval, Accumulator *accumulator, const Value *args) {
  const Expr *expr = accumulator->expr;
  uint32_t parts = dialect_is_mysql(eval->dialect) ? expr->arg_count : 1;
  Value piece = value_to_text(eval, args[0], expr->args[0]->type);
  for (uint32_t i = 1; i < parts && !eval->abort; i++) {
    Value part = value_to_text(eval, args[i], expr->args[i]->type);
    char *joined = arena_alloc(eval->arena, piece.length + part.length + 1);
    memcpy(joined, piece.text, piece.length);
    memcpy(joined + piece.length, part.text, part.length);
    piece = value_text(joined, piece.length + part.length);
  }
  if (eval->abort) return;
  /* What stands before this piece: its own separator in postgresql and sqlite, a constant in mysql. */
  Value separator = value_string(",");
  if (expr->separator) separator = expr_eval(eval, expr->separator);
  if (!dialect_is_mysql(eval->dialect) && expr->arg_count > 1) separator = args[1];
  if (separator.kind == VALUE_NULL) separator = value_string("");
  if (separator.kind != VALUE_TEXT) separator = value_to_text(eval, separator, type_of(TYPE_UNKNOWN));
  if (eval->abort) return;
  ARENA_PUSH(eval->arena, &accumulator->pieces, value_copy(eval->arena, separator));
  ARENA_PUSH(eval->arena, &accumulator->pieces, value_copy(eval->arena, piece));
}

static bool pieces_are_alike(const Accumulator *accumulator) {
  for (uint32_t i = 2; i < accumulator->pieces.count; i++)
    if (!value_identical(accumulator->pieces.items[i], accumulator->pieces.items[i - 2])) return false;
  return true;
}

static Value concat_result(Eval *eval, const Accumulator *accumulator) {
  if (accumulator->count == 0) return NULL_VALUE;
  if (!accumulator->expr->order_count && !pieces_are_alike(accumulator))
    return eval_unmodelled(eval, "%s without ORDER BY: the order of its parts is free",
                           accumulator->expr->function->name);
  size_t length = 0;
  for (uint32_t i = 1; i < accumulator->pieces.count; i++) length += accumulator->pieces.items[i].length;
  if (eval->dialect->name == DIALECT_MYSQL && length > MYSQL_CONCAT_LENGTH)
    return eval_unmodelled(eval, "GROUP_CONCAT beyond group_concat_max_len");
  char *text = arena_alloc(eval->arena, length + 1), *at = text;
  for (uint32_t i = 1; i < accumulator->pieces.count; i++) {
    Value piece = accumulator->pieces.items[i];
    if (piece.length) memcpy(at, piece.text, piece.length);
    at += piece.length;
  }
  return value_text(text, length);
}

/* ---- The interface ------------------------------------------------------------------------- */

void accumulator_add(Eval *eval, Accumulator *accumulator, const Value *args) {
  const Expr *expr = accumulator->expr;
  if (argument_is_star(expr)) {
    accumulator->count++;
    return;
  }
  uint32_t checked = accumulator->id == FUNCTION_STRING_AGG ? 1 : expr->arg_count;
  if (accumulator->id == FUNCTION_GROUP_CONCAT && !dialect_is_mysql(eval->dialect)) checked = 1;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (args[i].kind == VALUE_DOUBT) {
      eval_doubt(eval, args[i]);
      return;
    }
  for (uint32_t i = 0; i < checked; i++)
    if (args[i].kind == VALUE_NULL) {
      if (args[i].flags & NULL_NO_DATE)
        eval_unmodelled(eval, "an aggregate of what is no date is not modelled");
      return;
    }
  if (expr->distinct && seen_before(eval, accumulator, args)) return;
  accumulator->count++;
  switch (accumulator->id) {
  case FUNCTION_COUNT: return;
  case FUNCTION_SUM:
  case FUNCTION_AVG:
  case FUNCTION_TOTAL: sum_add(eval, accumulator, args[0]); return;
  case FUNCTION_MIN:
  case FUNCTION_MAX: extreme_add(eval, accumulator, args[0]); return;
  case FUNCTION_GROUP_CONCAT:
  case FUNCTION_STRING_AGG: concat_add(eval, accumulator, args); return;
  default: fold_add(eval, accumulator, args[0]); return;
  }
}

Value accumulator_result(Eval *eval, Accumulator *accumulator) {
  switch (accumulator->id) {
  case FUNCTION_COUNT: return value_int((int64_t)accumulator->count);
  case FUNCTION_SUM: return sum_result(eval, accumulator);
  case FUNCTION_AVG: return average_result(eval, accumulator);
  case FUNCTION_TOTAL: return sqlite_real_result(accumulator->real);
  case FUNCTION_MIN:
  case FUNCTION_MAX: return extreme_result(eval, accumulator);
  case FUNCTION_GROUP_CONCAT:
  case FUNCTION_STRING_AGG: return concat_result(eval, accumulator);
  default: return fold_result(eval, accumulator);
  }
}
