/* query_set.c: VALUES, UNION, INTERSECT and EXCEPT.
 *
 * Rows of both sides are converted to the compound's column types and counted in one hash table. */
#include "semantics/query_hash.h"
#include "semantics/query_run.h"

/* ---- ORDER BY and LIMIT of the whole ------------------------------------------------------ */

static const char **output_names(Eval *eval, const Select *select) {
  const char **names = ARENA_ARRAY(eval->arena, const char *, select->outputs.count + 1);
  for (uint32_t i = 0; i < select->outputs.count; i++)
    if (select->output_is_named && select->output_is_named[i]) names[i] = select->output_names[i];
  return names;
}

static bool set_finish(Eval *eval, const Select *select, OutRows *out, ResultSet *result) {
  Limits limits;
  if (!limits_eval(eval, select, &limits)) return false;
  uint32_t terms = select->order_by.count;
  for (uint32_t i = 0; i < terms; i++)
    if (select->order_by.items[i].item < 0) {
      eval_unmodelled(eval, "ORDER BY an expression over a compound query");
      return false;
    }
  for (uint32_t r = 0; r < out->count; r++) {
    Value *keys = arena_alloc(eval->arena, terms * sizeof *keys);
    for (uint32_t i = 0; i < terms; i++) keys[i] = out->items[r].values[select->order_by.items[i].item];
    out->items[r].keys = keys;
  }
  if (!rows_sort(eval, out, select)) return false;
  rows_trim(out, limits);
  rows_slice(out, select->outputs.count);
  rows_result(eval, out, select, output_names(eval, select), result);
  return true;
}

/* ---- VALUES ----------------------------------------------------------------------------------- */

bool query_values(Eval *eval, const Select *select, ResultSet *result) {
  Frame frame = {.outer = eval->frame, .block = select};
  eval->frame = &frame;
  OutRows out = {0};
  for (uint32_t r = 0; r < select->values.count && !eval->abort; r++) {
    const ExprList *exprs = &select->values.items[r];
    Value *values = arena_alloc(eval->arena, exprs->count * sizeof *values);
    for (uint32_t i = 0; i < exprs->count && !eval->abort; i++) values[i] = run_value(eval, exprs->items[i]);
    ARENA_PUSH(eval->arena, &out, (OutRow){.values = values, .place = r});
  }
  bool done = !eval->abort && set_finish(eval, select, &out, result);
  eval->frame = frame.outer;
  return done;
}

/* ---- Compounds ----------------------------------------------------------------------------------- */

static Value side_value(Eval *eval, Value value, Type from, Type to) {
  Decimal longer;
  /* mysql: a decimal gets the digits of the longest one. */
  if (dialect_is_mysql(eval->dialect) && to.kind == TYPE_DECIMAL && value_is_decimal(value) && !value.flags &&
      value.scale < to.scale && decimal_round(decimal_of(value), to.scale, &longer))
    return decimal_value(eval->arena, longer);
  bool is_same = from.kind == to.kind && from.scale == to.scale;
  if (value.kind == VALUE_NULL || value.kind == VALUE_DOUBT || is_same || to.kind == TYPE_UNKNOWN ||
      to.kind == TYPE_DYNAMIC)
    return value;
  if (value_is_decimal(value) && type_is_text(to) && dialect_is_mysql(eval->dialect))
    return eval_unmodelled(eval, "decimals and texts in one column of a compound are not modelled");
  return operate_cast(eval, value, from, to, true);
}

/* A side's rows in the compound's types. */
static bool side_run(Eval *eval, const Select *compound, const Select *side, ReadPurpose purpose,
                     ResultSet *result) {
  if (!query_run(eval, side, purpose, result) || !query_settle(eval, result)) return false;
  for (uint32_t r = 0; r < result->row_count; r++) {
    Value *values = arena_alloc(eval->arena, result->column_count * sizeof *values);
    for (uint32_t i = 0; i < result->column_count; i++) {
      values[i] =
          side_value(eval, result->rows[r].values[i], side->output_types[i], compound->output_types[i]);
      if (eval->abort) return false;
    }
    result->rows[r].values = values;
  }
  return true;
}

/* Rows that are equal, with how often each side has them. */
typedef struct SetRow {
  OutRow row;
  uint32_t left, right;
} SetRow;

typedef struct SetRows {
  HashTable table;
  ARRAY(SetRow) rows;
} SetRows;

static bool set_count(Eval *eval, const Select *select, SetRows *set, const ResultSet *side, bool is_right) {
  uint32_t columns = select->outputs.count;
  const Type *types = select->output_types;
  for (uint32_t r = 0; r < side->row_count; r++) {
    const Value *values = side->rows[r].values;
    if (!row_is_decided(eval, types, values, columns)) return false;
    uint64_t hash = row_hash(eval->dialect, types, values, columns);
    uint32_t entry = hash_first(&set->table, hash);
    while (entry != HASH_NONE &&
           !row_equal(eval->dialect, types, set->rows.items[entry].row.values, values, columns))
      entry = hash_next(&set->table, entry, hash);
    if (entry == HASH_NONE) {
      entry = hash_add(&set->table, hash);
      ARENA_PUSH(eval->arena, &set->rows, (SetRow){.row = {.values = values}});
    }
    SetRow *row = &set->rows.items[entry];
    if (!rows_alternative(eval, &row->row, values, columns)) return false;
    *(is_right ? &row->right : &row->left) += 1;
  }
  return true;
}

static uint32_t set_multiplicity(SelectKind kind, uint32_t left, uint32_t right) {
  switch (kind) {
  case SELECT_UNION: return 1;
  case SELECT_INTERSECT: return left && right;
  case SELECT_EXCEPT: return left && !right;
  case SELECT_INTERSECT_ALL: return left < right ? left : right;
  case SELECT_EXCEPT_ALL: return left > right ? left - right : 0;
  default: return left + right;
  }
}

static bool set_combine(Eval *eval, const Select *select, const ResultSet *left, const ResultSet *right,
                        OutRows *out) {
  SetRows set = {.table = hash_table_new(eval->arena)};
  if (!set_count(eval, select, &set, left, false) || !set_count(eval, select, &set, right, true))
    return false;
  for (uint32_t r = 0; r < set.rows.count; r++) {
    const SetRow *row = &set.rows.items[r];
    uint32_t count = set_multiplicity((SelectKind)select->kind, row->left, row->right);
    for (uint32_t i = 0; i < count; i++) ARENA_PUSH(eval->arena, out, row->row);
  }
  return true;
}

static void set_append(Eval *eval, const ResultSet *side, OutRows *out) {
  for (uint32_t r = 0; r < side->row_count; r++)
    ARENA_PUSH(eval->arena, out, (OutRow){.values = side->rows[r].values});
}

static const double *set_magnitudes(Eval *eval, const ResultSet *left, const ResultSet *right) {
  if (!left->magnitudes || !right->magnitudes) return left->magnitudes ? left->magnitudes : right->magnitudes;
  double *magnitudes = ARENA_ARRAY(eval->arena, double, left->column_count + 1);
  for (uint32_t i = 0; i < left->column_count; i++)
    magnitudes[i] = left->magnitudes[i] > right->magnitudes[i] ? left->magnitudes[i] : right->magnitudes[i];
  return magnitudes;
}

/* Is the result the same whatever the other side holds? Then databases may not look at it. */
static bool side_decides(const Select *select, const ResultSet *side, bool is_right) {
  switch (select->kind) {
  case SELECT_INTERSECT:
  case SELECT_INTERSECT_ALL: return side->row_count == 0;
  case SELECT_EXCEPT:
  case SELECT_EXCEPT_ALL: return side->row_count == 0 && !is_right;
  default: return false;
  }
}

/* UNION ALL: has the left side as many rows as LIMIT takes? */
static bool side_suffices(const Select *select, const ResultSet *left, Limits limits) {
  return select->kind == SELECT_UNION_ALL && !select->order_by.count && left->row_count >= limits.skip &&
         left->row_count - limits.skip >= limits.take;
}

/* Both sides. An error in one of them is only possible where the other one decides. */
static bool sides_run(Eval *eval, const Select *select, ReadPurpose purpose, Limits limits, ResultSet *left,
                      ResultSet *right) {
  bool has_left = side_run(eval, select, select->left, purpose, left);
  if (!has_left && (eval->abort != ABORT_ERROR || select->kind == SELECT_UNION)) return false;
  ErrorClass error = eval->error;
  const char *reason = eval->reason;
  eval->abort = ABORT_NONE;
  bool has_right = side_run(eval, select, select->right, purpose, right);
  if (has_left && has_right) return true;
  if (has_left && eval->abort == ABORT_ERROR && side_suffices(select, left, limits)) {
    eval_unmodelled(eval, "an error in rows that LIMIT may leave out");
    return false;
  }
  bool is_open = !has_left ? has_right && side_decides(select, right, true)
                           : eval->abort == ABORT_ERROR && side_decides(select, left, false);
  if (is_open) {
    eval->possible |= ERROR_BIT(has_left ? eval->error : error);
    eval->abort = ABORT_NONE;
    *(has_left ? right : left) = (ResultSet){0};
  } else if (!has_left) {
    eval->abort = ABORT_ERROR;
    eval->error = error;
    eval->reason = reason;
  }
  return is_open;
}

bool query_compound(Eval *eval, const Select *select, ReadPurpose purpose, ResultSet *result) {
  ResultSet left = {0}, right = {0};
  OutRows out = {0};
  Limits limits;
  if (!limits_eval(eval, select, &limits)) return false;
  if (limits_want_nothing(eval, limits)) return set_finish(eval, select, &out, result);
  if (!sides_run(eval, select, purpose, limits, &left, &right)) return false;
  if (select->kind == SELECT_UNION_ALL) {
    set_append(eval, &left, &out);
    set_append(eval, &right, &out);
  } else if (!set_combine(eval, select, &left, &right, &out))
    return false;
  if (!set_finish(eval, select, &out, result)) return false;
  result->magnitudes = set_magnitudes(eval, &left, &right);
  return true;
}
