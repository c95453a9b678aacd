/* query_order.c: output rows: DISTINCT, ORDER BY with its ties, LIMIT and OFFSET.
 *
 * Where a cut of LIMIT or OFFSET falls between tied rows that differ, all rows of those ties are kept and
 * the slice is left to the reader of the result: any order within a tie is admissible. */
#include "semantics/query_hash.h"
#include "semantics/query_run.h"

enum { MOST_ALTERNATIVES = 64 };

bool values_identical(const Value *a, const Value *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!value_identical(a[i], b[i])) return false;
  return true;
}

/* ---- LIMIT and OFFSET ------------------------------------------------------------------ */

/* Negative: no limit in sqlite, an error elsewhere.  *count stays as it is where there is no limit. */
static bool limit_count(Eval *eval, const char *word, Value value, uint64_t *count) {
  const Dialect *dialect = eval->dialect;
  int64_t integer;
  switch (value.kind) {
  case VALUE_INT: integer = value.integer; break;
  case VALUE_UINT: integer = INT64_MAX; break;
  case VALUE_DECIMAL:
    if (dialect_is_postgres(dialect) && decimal_to_int(decimal_of(value), &integer)) break;
    eval_unmodelled(eval, "%s of a fraction", word);
    return false;
  case VALUE_DOUBT: eval_doubt(eval, value); return false;
  default:
    if (value.kind == VALUE_NULL && dialect_is_postgres(dialect)) return true;
    eval_unmodelled(eval, "%s of a %s", word, value_kind_name(value.kind));
    return false;
  }
  if (integer >= 0)
    *count = (uint64_t)integer;
  else if (dialect_is_mysql(dialect))
    eval_error(eval, ERROR_SYNTAX, "negative %s", word);
  else if (!dialect_is_sqlite(dialect) && !dialect_is_lenient(dialect))
    eval_error(eval, ERROR_ARGUMENT, "%s must not be negative", word);
  return !eval->abort;
}

bool limits_eval(Eval *eval, const Select *select, Limits *limits) {
  *limits = (Limits){0, UINT64_MAX};
  if (select->limit && !limit_count(eval, "LIMIT", expr_eval(eval, select->limit), &limits->take))
    return false;
  return !select->offset || limit_count(eval, "OFFSET", expr_eval(eval, select->offset), &limits->skip);
}

/* ---- DISTINCT ------------------------------------------------------------------------------ */

/* Another row that this one may be instead, unless it is known already. */
bool rows_alternative(Eval *eval, OutRow *row, const Value *values, uint32_t columns) {
  if (values_identical(row->values, values, columns)) return true;
  for (uint32_t i = 0; i < row->alternative_count; i++)
    if (values_identical(row->alternatives[i], values, columns)) return true;
  if (row->alternative_count == MOST_ALTERNATIVES) {
    eval_unmodelled(eval, "more than %d rows to pick from", MOST_ALTERNATIVES);
    return false;
  }
  if (!(row->alternative_count & (row->alternative_count - 1))) { /* at powers of two */
    uint32_t room = row->alternative_count ? row->alternative_count * 2 : 1;
    const Value **more = arena_alloc(eval->arena, room * sizeof *more);
    if (row->alternative_count) memcpy(more, row->alternatives, row->alternative_count * sizeof *more);
    row->alternatives = more;
  }
  row->alternatives[row->alternative_count++] = values;
  return true;
}

/* Rows that are sorted by something they do not show: which of them DISTINCT keeps decides where it stands.
 */
static bool keys_agree(Eval *eval, const Select *select, const OutRow *a, const OutRow *b) {
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (select->order_by.items[i].item < 0 && !value_identical(a->keys[i], b->keys[i])) {
      eval_unmodelled(eval, "DISTINCT over rows sorted by a column that they do not show");
      return false;
    }
  return true;
}

static uint32_t distinct_find(Eval *eval, const HashTable *seen, const OutRows *out, const Select *select,
                              uint64_t hash, const Value *values) {
  uint32_t entry = hash_first(seen, hash);
  while (entry != HASH_NONE && !row_equal(eval->dialect, select->output_types, out->items[entry].values,
                                          values, select->outputs.count))
    entry = hash_next(seen, entry, hash);
  return entry;
}

bool rows_distinct(Eval *eval, OutRows *out, const Select *select) {
  if (out->count < 2) return true;
  uint32_t columns = select->outputs.count, kept = 0;
  HashTable seen = hash_table_new(eval->arena);
  for (uint32_t i = 0; i < out->count; i++) {
    OutRow *row = &out->items[i];
    if (!row_is_decided(eval, select->output_types, row->values, columns)) return false;
    if (row->alternative_count) {
      eval_unmodelled(eval, "DISTINCT over rows that are not determined");
      return false;
    }
    uint64_t hash = row_hash(eval->dialect, select->output_types, row->values, columns);
    uint32_t entry = distinct_find(eval, &seen, out, select, hash, row->values);
    if (entry == HASH_NONE) {
      hash_add(&seen, hash);
      out->items[kept++] = *row;
    } else if (!keys_agree(eval, select, &out->items[entry], row) ||
               !rows_alternative(eval, &out->items[entry], row->values, columns))
      return false;
  }
  out->count = kept;
  return true;
}

/* ---- ORDER BY ---------------------------------------------------------------------------------- */

Type order_type(const Select *select, const OrderTerm *term) {
  if (term->item < 0) return term->expr->type;
  const Expr *expr = select->outputs.items[term->item].expr;
  return expr ? expr->type : select->output_types[term->item];
}

typedef struct Sorter {
  const Dialect *dialect;
  uint32_t count;
  const OrderTerm *terms;
  const Type *types;
} Sorter;

static int keys_compare(const Sorter *sorter, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < sorter->count; i++) {
    const OrderTerm *term = &sorter->terms[i];
    bool a_null = value_is_null(a[i]), b_null = value_is_null(b[i]);
    if (a_null || b_null) {
      if (a_null && b_null) continue;
      bool least = !dialect_is_postgres(sorter->dialect); /* NULL is below all values, or above */
      bool first = term->nulls ? term->nulls == 1 : least != term->descending;
      return a_null == first ? -1 : 1;
    }
    int order = value_order(sorter->dialect, sorter->types[i], a[i], b[i]);
    if (order) return term->descending ? -order : order;
  }
  return 0;
}

static int rows_compare(const void *a, const void *b, void *context) {
  const OutRow *left = a, *right = b;
  int order = keys_compare(context, left->keys, right->keys);
  if (order) return order;
  return left->tie < right->tie ? -1 : left->tie > right->tie; /* as they came */
}

static bool rows_are_sorted(const OutRows *out, Sorter *sorter) {
  for (uint32_t i = 1; i < out->count; i++)
    if (keys_compare(sorter, out->items[i - 1].keys, out->items[i].keys) > 0) return false;
  return true;
}

/* Are all rows shown with all that they are sorted by?  Then the observed rows must be sorted, whatever is
 * free. */
static bool order_is_shown(const Select *select) {
  for (uint32_t i = 0; i < select->order_by.count; i++)
    if (select->order_by.items[i].item < 0) return false;
  return !select->limit && !select->offset;
}

/* Rows sorted by a free value, in an order that is left to the observation, or that no guess may be made of.
 */
static bool order_is_open(const Eval *eval, const OutRows *out, const Select *select) {
  const Doubts *doubts = eval->doubts;
  if (!doubts->assumes_nothing && !(doubts->opens_order && order_is_shown(select))) return false;
  for (uint32_t i = 0; i < out->count; i++)
    for (uint32_t j = 0; j < select->order_by.count; j++)
      if (out->items[i].keys[j].kind == VALUE_DOUBT) return true;
  return false;
}

bool rows_sort(Eval *eval, OutRows *out, const Select *select) {
  uint32_t terms = select->order_by.count;
  if (!terms || out->count < 2) return true;
  if (order_is_open(eval, out, select)) {
    for (uint32_t i = 0; i < out->count; i++) out->items[i].tie = 0;
    out->order_is_open = true;
    return true;
  }
  Type types[terms];
  for (uint32_t i = 0; i < terms; i++) types[i] = order_type(select, &select->order_by.items[i]);
  for (uint32_t i = 0; i < out->count; i++) {
    if (!row_is_decided(eval, types, out->items[i].keys, terms)) return false;
    out->items[i].tie = i;
  }
  Sorter sorter = {eval->dialect, terms, select->order_by.items, types};
  if (!rows_are_sorted(out, &sorter))
    qsort_r(out->items, out->count, sizeof *out->items, rows_compare, &sorter);
  uint32_t tie = 0;
  for (uint32_t i = 0; i < out->count; i++) {
    if (i && keys_compare(&sorter, out->items[i - 1].keys, out->items[i].keys)) tie++;
    out->items[i].tie = tie;
  }
  return true;
}

int result_rows_compare(const Dialect *dialect, const Select *select, const Value *a, const Value *b) {
  for (uint32_t i = 0; i < select->order_by.count; i++) {
    const OrderTerm *term = &select->order_by.items[i];
    Type type = order_type(select, term);
    Sorter sorter = {dialect, 1, term, &type};
    int order = keys_compare(&sorter, &a[term->item], &b[term->item]);
    if (order) return order;
  }
  return 0;
}

bool result_close_order(const Dialect *dialect, const Doubts *doubts, Arena *arena, ResultSet *result) {
  const Select *select = result->open_order;
  uint32_t terms = select->order_by.count;
  Type types[terms];
  for (uint32_t i = 0; i < terms; i++) types[i] = order_type(select, &select->order_by.items[i]);
  OutRow *rows = ARENA_ARRAY(arena, OutRow, result->row_count + 1);
  for (uint32_t i = 0; i < result->row_count; i++) {
    Value *keys = arena_alloc(arena, terms * sizeof *keys);
    for (uint32_t j = 0; j < terms; j++) {
      keys[j] = doubt_settle(doubts, result->rows[i].values[select->order_by.items[j].item]);
      if (keys[j].kind == VALUE_DOUBT) return false;
    }
    rows[i] = (OutRow){.values = result->rows[i].values, .keys = keys, .tie = i};
  }
  Sorter sorter = {dialect, terms, select->order_by.items, types};
  qsort_r(rows, result->row_count, sizeof *rows, rows_compare, &sorter);
  result->rows = ARENA_ARRAY(arena, ResultRow, result->row_count + 1);
  for (uint32_t i = 0, tie = 0; i < result->row_count; i++) {
    if (i && keys_compare(&sorter, rows[i - 1].keys, rows[i].keys)) tie++;
    result->rows[i] = (ResultRow){.values = rows[i].values, .tie = tie};
  }
  result->open_order = NULL;
  return true;
}

/* ---- Cutting ------------------------------------------------------------------------------------- */

/* The rows that share the tie of row `place`: from *first up to *end. */
static void tie_bounds(const OutRows *out, uint32_t place, uint32_t *first, uint32_t *end) {
  uint32_t tie = out->items[place].tie;
  for (*first = place; *first > 0 && out->items[*first - 1].tie == tie;) --*first;
  for (*end = place + 1; *end < out->count && out->items[*end].tie == tie;) ++*end;
}

void rows_trim(OutRows *out, Limits limits) {
  out->is_trimmed = true;
  if (limits.skip == 0 && limits.take >= out->count) return;
  if (limits.skip >= out->count || limits.take == 0) {
    out->count = 0;
    return;
  }
  uint64_t take = limits.take < out->count - limits.skip ? limits.take : out->count - limits.skip;
  uint32_t first, end, unused;
  tie_bounds(out, (uint32_t)limits.skip, &first, &unused);
  tie_bounds(out, (uint32_t)(limits.skip + take - 1), &unused, &end);
  out->items += first;
  out->count = end - first;
  out->skip = limits.skip - first;
  out->take = take;
  out->has_slice = out->skip > 0 || out->take < out->count;
}

/* Whether all rows that share the tie of row `place` look the same. */
static bool tie_is_uniform(const OutRows *out, uint32_t place, uint32_t columns) {
  uint32_t first, end;
  tie_bounds(out, place, &first, &end);
  for (uint32_t i = first; i < end; i++)
    if (out->items[i].alternative_count ||
        !values_identical(out->items[first].values, out->items[i].values, columns))
      return false;
  return true;
}

static bool cut_is_plain(const OutRows *out, uint64_t cut, uint32_t columns) {
  if (cut == 0 || cut >= out->count || out->items[cut - 1].tie != out->items[cut].tie) return true;
  return tie_is_uniform(out, (uint32_t)cut, columns);
}

void rows_slice(OutRows *out, uint32_t columns) {
  if (!out->has_slice || !cut_is_plain(out, out->skip, columns) ||
      !cut_is_plain(out, out->skip + out->take, columns))
    return;
  out->items += out->skip;
  out->count = (uint32_t)out->take;
  out->has_slice = false;
}

/* ---- The result ------------------------------------------------------------------------------------- */

void rows_result(Eval *eval, const OutRows *out, const Select *select, const char **names,
                 ResultSet *result) {
  *result = (ResultSet){
      .column_count = select->outputs.count, .column_names = names, .column_types = select->output_types};
  result->is_ordered = select->order_by.count > 0;
  if (out->order_is_open && order_is_shown(select)) result->open_order = select;
  result->row_count = out->count;
  result->has_slice = out->has_slice;
  result->skip = out->skip;
  result->take = out->take;
  result->rows = arena_alloc(eval->arena, out->count * sizeof *result->rows);
  for (uint32_t i = 0; i < out->count; i++) {
    const OutRow *row = &out->items[i];
    result->rows[i] = (ResultRow){.values = row->values,
                                  .tie = row->tie,
                                  .alternative_count = row->alternative_count,
                                  .alternatives = (const Value *const *)row->alternatives};
  }
}

bool query_settle(Eval *eval, ResultSet *result) {
  if (result->has_slice) {
    eval_unmodelled(eval, "LIMIT leaves open which rows a subquery gives");
    return false;
  }
  for (uint32_t i = 0; i < result->row_count; i++)
    if (result->rows[i].alternative_count) {
      eval_unmodelled(eval, "a subquery gives columns that GROUP BY or DISTINCT does not determine");
      return false;
    }
  return true;
}
