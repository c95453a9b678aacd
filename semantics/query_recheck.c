/* query_recheck.c: rows found in one state, looked at again under their locks.
 *
 * A statement that locks rows finds its combinations in the state it reads; where a level says so, each
 * locked row is then replaced by its current version, and the combination counts only if its conditions still
 * hold.  Where finding and rechecking see the same version, nothing happens here. */
#include "semantics/query_run.h"

/* Conditions that may count as joins, whose rows stay, or as subqueries, which are evaluated again. */
static bool expr_may_stay(const Expr *expr) {
  if (!expr) return false;
  if (expr->select && expr->select->outer_depth > 0) return true;
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (expr_may_stay(expr->args[i])) return true;
  return false;
}

static bool from_is_plain(const From *from) {
  if (!from || from->kind != FROM_JOIN) return true;
  bool is_inner = from->join == JOIN_INNER || from->join == JOIN_CROSS;
  return is_inner && !expr_may_stay(from->condition) && from_is_plain(from->left) &&
         from_is_plain(from->right);
}

static bool from_holds(Run *run, const From *from) {
  if (!from || from->kind != FROM_JOIN) return true;
  if (!from_holds(run, from->left) || !from_holds(run, from->right)) return false;
  return !from->condition || run_truth(run->eval, from->condition) == 1;
}

static bool recheck_is_modelled(Run *run) {
  const Select *select = run->select;
  const char *reason = NULL;
  bool is_sorted = select->order_by.count || select->limit || select->offset;
  if (is_sorted && !dialect_is_postgres(run->eval->dialect))
    reason = "ORDER BY or LIMIT over rows that changed before they were locked";
  else if (!from_is_plain(select->from) || expr_may_stay(select->where))
    reason = "an outer join or a correlated subquery over rows that changed before they were locked";
  if (reason) eval_unmodelled(run->eval, "%s", reason);
  return !reason;
}

/* Puts the current rows in. *is_gone: one is not there any more; *is_other: one differs. */
static void combination_lock(Run *run, uint32_t place, SourceSet locked, bool *is_gone, bool *is_other) {
  const Value **rows = run_combination(run, place);
  Key **keys = run->combination_keys + (size_t)place * run->plan->source_count;
  ReadPurpose purpose = run->select->lock.kind == LOCK_KEY_SHARE ? READ_RECHECK_SHARED : READ_RECHECK_TARGET;
  *is_gone = *is_other = false;
  for (uint32_t s = 0; s < run->plan->source_count; s++) {
    if (!(locked >> s & 1) || !keys[s]) continue;
    const Version *version = store_read(run->eval->store, keys[s], purpose);
    if (!version) {
      *is_gone = true;
      return;
    }
    if (version->values == rows[s]) continue;
    if (!values_identical(version->values, rows[s], run->select->sources.items[s].column_count))
      *is_other = true;
    rows[s] = version->values;
  }
}

/* Sorting comes before locking. */
static void found_keep(Run *run) {
  size_t count = (size_t)run->count * run->plan->source_count;
  if (!run->select->order_by.count || !dialect_is_postgres(run->eval->dialect)) return;
  run->found = arena_alloc(run->eval->arena, (count + 1) * sizeof *run->found);
  if (count) memcpy(run->found, run->combinations, count * sizeof *run->found);
}

static void combination_move(Run *run, uint32_t from, uint32_t to) {
  uint32_t count = run->plan->source_count;
  if (from == to) return;
  if (run->found)
    memcpy(run->found + (size_t)to * count, run->found + (size_t)from * count, count * sizeof *run->found);
  memcpy(run_combination(run, to), run_combination(run, from), count * sizeof *run->rows);
  memcpy(run->combination_keys + (size_t)to * count, run->combination_keys + (size_t)from * count,
         count * sizeof *run->keys);
}

bool run_recheck(Run *run, SourceSet locked) {
  if (!store_view(run->eval->store)) return true;
  uint32_t kept = 0;
  found_keep(run);
  for (uint32_t i = 0; i < run->count; i++) {
    bool is_gone, is_other;
    combination_lock(run, i, locked, &is_gone, &is_other);
    if ((is_gone || is_other) && !recheck_is_modelled(run)) return false;
    if (is_gone) continue;
    if (is_other) {
      const Value **rows = run->frame.rows;
      run->frame.rows = run_combination(run, i);
      bool holds = from_holds(run, run->select->from) &&
                   (!run->select->where || run_truth(run->eval, run->select->where) == 1);
      run->frame.rows = rows;
      if (run->eval->abort) return false;
      if (!holds) continue;
    }
    combination_move(run, i, kept++);
  }
  run->count = kept;
  return true;
}
