/* query_subquery.c: subqueries inside expressions: scalar, EXISTS, IN, ANY, ALL.
 *
 * One that refers to nothing outside is run once per statement and its answer kept; others are run under
 * the current frame each time.  IN over a kept result looks its value up in a hash table. */
#include "semantics/cast.h"
#include "semantics/convert.h"
#include "semantics/query_hash.h"
#include "semantics/query_key.h"
#include "semantics/query_run.h"

/* mysql evaluates a volatile subquery again for each row. */
bool subquery_is_kept(const Eval *eval, const Select *select) {
  return select->outer_depth == 0 && !(select->is_volatile && dialect_is_mysql(eval->dialect));
}

/* Which parts of a subquery mysql evaluates is its planner's choice, in a write too. */
#define SEARCHING(eval, statement)                                                                           \
  bool was_searching = (eval)->in_search;                                                                    \
  (eval)->in_search = true;                                                                                  \
  statement;                                                                                                 \
  (eval)->in_search = was_searching

/* ---- Scalars ------------------------------------------------------------------------------ */

/* The value of rows any of which may be taken. */
static Value any_of(Eval *eval, const ResultSet *result, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (result->rows[i].alternative_count ||
        !value_identical(result->rows[i].values[0], result->rows[first].values[0]))
      return eval_unmodelled(eval, "a subquery leaves open which row it gives");
  return result->rows[first].values[0];
}

static Value scalar_of(Eval *eval, const ResultSet *result) {
  uint64_t count = result->has_slice ? result->take : result->row_count;
  if (count == 0) return NULL_VALUE;
  if (count > 1 && !dialect_is_sqlite(eval->dialect))
    return eval_error(eval, ERROR_CARDINALITY, "a scalar subquery gives more than one row");
  if (result->has_slice) return any_of(eval, result, 0, result->row_count);
  uint32_t end = 1; /* sqlite takes the first row: any that is tied with it */
  while (end < result->row_count && result->rows[end].tie == result->rows[0].tie) end++;
  return any_of(eval, result, 0, end);
}

static Value scalar_run(Eval *eval, const Expr *expr) {
  ResultSet result;
  if (expr->select->outputs.count != 1) return eval_unmodelled(eval, "a subquery as a row of values");
  SEARCHING(eval, bool is_done = query_run(eval, expr->select, eval->purpose, &result));
  return is_done ? scalar_of(eval, &result) : NULL_VALUE;
}

/* Gives back the memory of a run that leaves one value behind. */
static Value value_outlive(Eval *eval, Scratch scratch, Value value) {
  size_t extra = value_extra(value);
  char kept[256];
  if (eval->abort || extra > sizeof kept) return value;
  char *memory = kept;
  Value packed = value_pack(value, &memory);
  scratch_end(eval, scratch);
  return extra ? value_copy(eval->arena, packed) : value;
}

Value subquery_scalar(Eval *eval, const Expr *expr) {
  if (!subquery_is_kept(eval, expr->select)) {
    Scratch scratch = scratch_begin(eval);
    return value_outlive(eval, scratch, scalar_run(eval, expr));
  }
  Value *kept = cache_get(eval, expr);
  if (kept) return *kept;
  Value value = scalar_run(eval, expr);
  if (eval->abort) return NULL_VALUE;
  kept = arena_alloc(eval->arena, sizeof *kept);
  *kept = value;
  cache_put(eval, expr, kept);
  return value;
}

/* ---- EXISTS ---------------------------------------------------------------------------------- */

Value subquery_exists(Eval *eval, const Expr *expr) {
  bool is_kept = subquery_is_kept(eval, expr->select), exists = false;
  bool *kept = is_kept ? cache_get(eval, expr) : NULL;
  if (kept) return truth_value(eval, *kept);
  Scratch scratch = scratch_begin(eval);
  SEARCHING(eval, bool is_done = query_exists(eval, expr->select, eval->purpose, &exists));
  if (!is_done) return NULL_VALUE;
  scratch_end(eval, scratch);
  if (is_kept) {
    kept = ARENA_NEW(eval->arena, bool);
    *kept = exists;
    cache_put(eval, expr, kept);
  }
  return truth_value(eval, exists);
}

/* ---- IN ----------------------------------------------------------------------------------------- */

/* The rows of the subquery; a kept one of a single column has them in a hash table too. */
typedef struct InSet {
  ResultSet result;
  bool is_hashed;
  bool has_null;
  HashTable table;
  ARRAY(Value) values; /* by entry */
  ARRAY(Value) loose;  /* without a place in the table */
} InSet;

static const Expr *const *in_operands(const Expr *expr, uint32_t *count) {
  const Expr *left = expr->args[0];
  bool is_row = left->kind == EXPR_ROW;
  *count = is_row ? left->arg_count : 1;
  return (const Expr *const *)(is_row ? left->args : expr->args);
}

static void in_hash(Eval *eval, const Expr *expr, InSet *set) {
  Type type = expr->select->output_types[0];
  set->is_hashed = expr->args[0]->kind != EXPR_ROW && set->result.column_count == 1 &&
                   key_is_comparable(eval->dialect, type, expr->args[0]->type, true);
  set->table = hash_table_new(eval->arena);
  for (uint32_t i = 0; set->is_hashed && i < set->result.row_count; i++) {
    Value value = set->result.rows[i].values[0];
    if (value.kind == VALUE_NULL)
      set->has_null = true;
    else if (!key_belongs(eval->dialect, type, value))
      ARENA_PUSH(eval->arena, &set->loose, value);
    else {
      hash_add(&set->table, value_hash(eval->dialect, type, value));
      ARENA_PUSH(eval->arena, &set->values, value);
    }
  }
}

/* SQLite collects the rows in a table of the column's affinity, which those of a compound need not have;
 * TEXT gives way to an affinity of the operand. */
static bool in_converts(const Expr *operand, Type column) {
  if (column.affinity == AFFINITY_TEXT) return operand->type.affinity == AFFINITY_NONE;
  return column.affinity > AFFINITY_TEXT;
}

static void in_store(Eval *eval, const Expr *expr, ResultSet *result) {
  uint32_t count;
  const Expr *const *operands = in_operands(expr, &count);
  for (uint32_t row = 0; row < result->row_count; row++) {
    Value *values = arena_alloc(eval->arena, count * sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
      Type column = expr->select->output_types[i];
      values[i] = result->rows[row].values[i];
      if (in_converts(operands[i], column)) values[i] = sqlite_store(eval, values[i], column.affinity);
    }
    result->rows[row].values = values;
  }
}

static InSet *in_set(Eval *eval, const Expr *expr) {
  bool is_kept = subquery_is_kept(eval, expr->select);
  InSet *set = is_kept ? cache_get(eval, expr) : NULL;
  if (set) return set;
  set = ARENA_NEW(eval->arena, InSet);
  SEARCHING(eval, bool is_done = query_run(eval, expr->select, eval->purpose, &set->result));
  if (!is_done || !query_settle(eval, &set->result)) return NULL;
  bool is_loose = expr->select->kind != SELECT_SIMPLE && dialect_is_sqlite(eval->dialect);
  if (is_loose) in_store(eval, expr, &set->result);
  if (!is_kept) return set;
  in_hash(eval, expr, set);
  cache_put(eval, expr, set);
  return set;
}

/* Three-valued equality of a row with the operands. */
static int in_compare(Eval *eval, const Expr *expr, const Value *operands, const Value *row) {
  uint32_t count;
  const Expr *const *exprs = in_operands(expr, &count);
  int answer = 1;
  for (uint32_t i = 0; i < count && answer; i++) {
    int equal = operate_equal(eval, operands[i], exprs[i]->type, row[i], expr->select->output_types[i]);
    if (eval->abort) return 0;
    if (equal == 0)
      answer = 0;
    else if (equal < 0)
      answer = -1;
  }
  return answer;
}

static int in_scan(Eval *eval, const Expr *expr, const Value *operands, const ResultSet *result) {
  int answer = 0;
  for (uint32_t i = 0; i < result->row_count; i++) {
    int equal = in_compare(eval, expr, operands, result->rows[i].values);
    if (eval->abort || equal == 1) return equal;
    if (equal < 0) answer = -1;
  }
  return answer;
}

static int in_lookup(Eval *eval, const Expr *expr, Value operand, const InSet *set) {
  Type type = expr->select->output_types[0];
  Value probe = operand;
  if (operand.kind == VALUE_NULL) return set->result.row_count ? -1 : 0;
  if (!key_fits(eval->dialect, type, expr->args[0]->type, &probe))
    return in_scan(eval, expr, &operand, &set->result);
  uint64_t hash = value_hash(eval->dialect, type, probe);
  for (uint32_t entry = hash_first(&set->table, hash); entry != HASH_NONE;
       entry = hash_next(&set->table, entry, hash)) {
    int equal = in_compare(eval, expr, &operand, &set->values.items[entry]);
    if (eval->abort || equal == 1) return equal;
  }
  int answer = set->has_null ? -1 : 0;
  for (uint32_t i = 0; i < set->loose.count; i++) {
    int equal = in_compare(eval, expr, &operand, &set->loose.items[i]);
    if (eval->abort || equal == 1) return equal;
    if (equal < 0) answer = -1;
  }
  return answer;
}

static int in_truth(Eval *eval, const Expr *expr) {
  uint32_t count;
  const Expr *const *exprs = in_operands(expr, &count);
  if (count != expr->select->outputs.count) {
    eval_unmodelled(eval, "IN with different numbers of columns");
    return 0;
  }
  Value operands[count];
  for (uint32_t i = 0; i < count; i++) {
    operands[i] = expr_eval(eval, exprs[i]);
    if (eval->abort) return 0;
  }
  const InSet *set = in_set(eval, expr);
  if (!set) return 0;
  if (set->is_hashed) return in_lookup(eval, expr, operands[0], set);
  return in_scan(eval, expr, operands, &set->result);
}

Value subquery_in(Eval *eval, const Expr *expr) {
  Scratch scratch = scratch_begin(eval);
  int truth = in_truth(eval, expr);
  if (eval->abort) return NULL_VALUE;
  scratch_end(eval, scratch);
  return truth_value(eval, truth < 0 ? -1 : truth != expr->negated);
}

/* ---- ANY and ALL ------------------------------------------------------------------------------------ */

/* ANY is the OR over all rows, ALL the AND; over none they are false and true. */
Value subquery_quantified(Eval *eval, const Expr *expr) {
  bool is_all = expr->kind == EXPR_ALL;
  if (expr->args[0]->kind == EXPR_ROW || expr->select->outputs.count != 1)
    return eval_unmodelled(eval, "ANY or ALL over rows of values");
  Value operand = expr_eval(eval, expr->args[0]);
  if (eval->abort) return NULL_VALUE;
  const InSet *set = in_set(eval, expr);
  if (!set) return NULL_VALUE;
  int answer = is_all;
  for (uint32_t i = 0; i < set->result.row_count; i++) {
    Value compared = operate_comparison(eval, (ExprKind)expr->op, operand, expr->args[0]->type,
                                        set->result.rows[i].values[0], expr->select->output_types[0]);
    if (eval->abort) return NULL_VALUE;
    if (value_is_null(compared))
      answer = -1;
    else if (value_truth(eval, compared) != is_all)
      return truth_value(eval, !is_all);
  }
  return truth_value(eval, answer);
}

/* ---- In advance ---------------------------------------------------------------------------------------- */

bool subquery_keep(Eval *eval, const Expr *expr) {
  uint32_t count = 1;
  if (expr->kind == EXPR_IN_SELECT) in_operands(expr, &count);
  if (expr->kind != EXPR_EXISTS && expr->select->outputs.count != count) return false;
  switch (expr->kind) {
  case EXPR_SCALAR: subquery_scalar(eval, expr); break;
  case EXPR_EXISTS: subquery_exists(eval, expr); break;
  case EXPR_IN_SELECT:
  case EXPR_ANY:
  case EXPR_ALL: return in_set(eval, expr) && !eval->abort;
  default: return false;
  }
  return !eval->abort;
}
