/* aggregate_merge.c: an aggregate over two sets of rows from the aggregates over each.
 *
 * Only those whose result depends on no order, and that keep little: sums, counts and extremes. */
#include "semantics/aggregate.h"

#include "src/base/map.h"

/* Beyond this, SQLite's sums may fail by the order of their rows, which a sum alone does not tell. */
#define SUMMAND_MOST ((Int128)1 << 53)

bool aggregate_is_mergeable(const Expr *aggregate) {
  switch (aggregate->function->id) {
  case FUNCTION_COUNT:
  case FUNCTION_SUM:
  case FUNCTION_AVG:
  case FUNCTION_TOTAL:
  case FUNCTION_MIN:
  case FUNCTION_MAX: return aggregate->order_count == 0;
  default: return false;
  }
}

static void extreme_merge(Eval *eval, Accumulator *into, const Accumulator *from) {
  Type type = into->expr->args[0]->type;
  int order = into->count ? value_order(eval->dialect, type, from->extreme, into->extreme) : 0;
  bool is_better = !into->count || (order && (order < 0) == (into->id == FUNCTION_MIN));
  if (is_better) {
    into->extreme = from->extreme;
    into->is_ambiguous = from->is_ambiguous;
  } else if (order == 0) {
    into->is_ambiguous = into->is_ambiguous || from->is_ambiguous ||
                         (into->extreme.kind == VALUE_TEXT && !value_identical(into->extreme, from->extreme));
  }
}

static void sum_merge(Eval *eval, Accumulator *into, const Accumulator *from) {
  if (!decimal_add(into->exact, from->exact, &into->exact))
    eval_unmodelled(eval, "a sum of more than %d digits", DECIMAL_DIGITS);
  if (from->shown > into->shown) into->shown = from->shown;
  if (from->magnitude > into->magnitude) into->magnitude = from->magnitude;
  into->real += from->real;
  into->is_real = into->is_real || from->is_real;
  into->gains += from->gains;
  into->losses += from->losses;
  if (into->gains > SUMMAND_MOST || into->losses < -SUMMAND_MOST)
    eval_unmodelled(eval, "a large sum over rows in doubt");
}

void accumulator_merge(Eval *eval, Accumulator *into, const Accumulator *from) {
  if (into->expr->distinct) {
    for (uint32_t i = 0; i < from->seen.room && !eval->abort; i++)
      if (from->seen.rows[i]) accumulator_add(eval, into, from->seen.rows[i]);
    return;
  }
  if (!from->count) return;
  if (into->id == FUNCTION_MIN || into->id == FUNCTION_MAX)
    extreme_merge(eval, into, from);
  else if (into->id != FUNCTION_COUNT)
    sum_merge(eval, into, from);
  into->count += from->count;
}

/* ---- What the result, and all results with more rows, depend on ------------------------------------- */

/* Its sum as a double counts. */
static bool sum_is_real(const Eval *eval, const Accumulator *accumulator) {
  return accumulator->is_real || accumulator->id == FUNCTION_TOTAL || dialect_is_sqlite(eval->dialect) ||
         dialect_is_lenient(eval->dialect);
}

static bool sum_is_same(const Eval *eval, const Accumulator *a, const Accumulator *b) {
  if (a->exact.coefficient != b->exact.coefficient || a->exact.scale != b->exact.scale ||
      a->shown != b->shown || a->is_real != b->is_real || !a->count != !b->count)
    return false;
  if (a->id == FUNCTION_AVG && a->count != b->count) return false;
  if (!sum_is_real(eval, a)) return true;
  bool shows_magnitude = a->is_real || a->id != FUNCTION_SUM;
  return value_identical(value_double(a->real), value_double(b->real)) &&
         (!shows_magnitude || value_identical(value_double(a->magnitude), value_double(b->magnitude)));
}

static bool seen_has(const Eval *eval, const Accumulator *accumulator, const Value *row, uint64_t hash) {
  const SeenSet *seen = &accumulator->seen;
  const Expr *expr = accumulator->expr;
  for (uint32_t place = (uint32_t)hash & (seen->room - 1); seen->rows[place];
       place = (place + 1) & (seen->room - 1)) {
    bool is_same = seen->hashes[place] == hash;
    for (uint32_t i = 0; is_same && i < expr->arg_count; i++)
      is_same = value_order(eval->dialect, expr->args[i]->type, seen->rows[place][i], row[i]) == 0 &&
                value_identical(seen->rows[place][i], row[i]);
    if (is_same) return true;
  }
  return false;
}

static bool seen_is_same(const Eval *eval, const Accumulator *a, const Accumulator *b) {
  if (a->seen.count != b->seen.count) return false;
  for (uint32_t i = 0; i < a->seen.room; i++)
    if (a->seen.rows[i] && !seen_has(eval, b, a->seen.rows[i], a->seen.hashes[i])) return false;
  return true;
}

bool accumulator_is_same(const Eval *eval, const Accumulator *a, const Accumulator *b) {
  if (a->expr->distinct) return seen_is_same(eval, a, b);
  switch (a->id) {
  case FUNCTION_COUNT: return a->count == b->count;
  case FUNCTION_MIN:
  case FUNCTION_MAX:
    return !a->count == !b->count && a->is_ambiguous == b->is_ambiguous &&
           (!a->count || value_identical(a->extreme, b->extreme));
  default: return sum_is_same(eval, a, b);
  }
}

uint32_t accumulator_size(const Accumulator *accumulator) { return 1 + 4 * accumulator->seen.count; }

uint64_t accumulator_digest(const Accumulator *accumulator) {
  uint64_t digest = accumulator->seen.count;
  if (accumulator->expr->distinct) {
    for (uint32_t i = 0; i < accumulator->seen.room; i++)
      if (accumulator->seen.rows[i]) digest += hash_mix(1, accumulator->seen.hashes[i]); /* in any order */
    return digest;
  }
  switch (accumulator->id) {
  case FUNCTION_COUNT: return accumulator->count;
  case FUNCTION_MIN:
  case FUNCTION_MAX: return accumulator->count ? value_digest(accumulator->extreme) : 0;
  default:
    return hash_mix((uint64_t)accumulator->exact.coefficient,
                    (uint64_t)(accumulator->exact.coefficient >> 64)) +
           !accumulator->count;
  }
}
