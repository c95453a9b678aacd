/* query_access.c: the best way into one source: an index, a hash table, or all rows. */
#include "semantics/query_plan.h"

#include "semantics/query_key.h"
#include "semantics/store.h"
#include "src/sql/function.h"

static bool comparison_is_ready(const Comparison *comparison, uint32_t source, SourceSet bound) {
  return comparison->source == source && !(comparison->needs & ~bound);
}

static const Comparison *comparison_for(const Comparisons *comparisons, uint32_t source, uint32_t column,
                                        SourceSet bound, CompareKind kind) {
  for (uint32_t i = 0; i < comparisons->count; i++) {
    const Comparison *comparison = &comparisons->items[i];
    if (comparison->kind == kind && comparison->column == column &&
        comparison_is_ready(comparison, source, bound))
      return comparison;
  }
  return NULL;
}

/* A value for the index's next column: one, or once per index a list. */
static const Comparison *equal_for(const Comparisons *comparisons, uint32_t source, uint32_t column,
                                   SourceSet bound, bool may_be_list) {
  const Comparison *found = comparison_for(comparisons, source, column, bound, COMPARE_EQUAL);
  if (!found) found = comparison_for(comparisons, source, column, bound, COMPARE_SAME);
  if (!found && may_be_list) found = comparison_for(comparisons, source, column, bound, COMPARE_LIST);
  return found;
}

static Access access_of_index(Planner *planner, uint32_t source, SourceSet bound,
                              const Comparisons *comparisons, const Index *index) {
  Access access = {.kind = ACCESS_INDEX, .index = index, .list = -1};
  access.equal = ARENA_ARRAY(planner->arena, const Comparison *, index->column_count);
  bool is_unique = index->unique;
  while (access.equal_count < index->column_count) {
    uint32_t column = index->columns[access.equal_count];
    const Comparison *equal = equal_for(comparisons, source, column, bound, access.list < 0);
    if (!equal) break;
    if (equal->kind == COMPARE_LIST) access.list = (int32_t)access.equal_count;
    if (equal->kind != COMPARE_EQUAL) is_unique = false; /* NULLs may stand there many times */
    access.equal[access.equal_count++] = equal;
  }
  access.is_unique = is_unique && access.equal_count == index->column_count;
  if (access.equal_count == index->column_count) return access;
  uint32_t next = index->columns[access.equal_count];
  access.lower = comparison_for(comparisons, source, next, bound, COMPARE_LOWER);
  access.upper = comparison_for(comparisons, source, next, bound, COMPARE_UPPER);
  return access;
}

static bool access_is_connected(const Access *access) {
  for (uint32_t i = 0; i < access->equal_count; i++)
    if (access->equal[i]->needs) return true;
  return false;
}

static AccessRank rank_of_index(const Access *access, SourceSet bound) {
  if (access->is_unique) return RANK_UNIQUE;
  if (access->equal_count > (access->list >= 0))
    return !bound || access_is_connected(access) ? RANK_INDEX : RANK_INDEX_APART;
  if (access->list >= 0) return RANK_LIST;
  if (access->lower || access->upper) return RANK_RANGE;
  return RANK_SCAN;
}

static bool access_is_better(const Access *a, AccessRank a_rank, const Access *b, AccessRank b_rank) {
  if (a_rank != b_rank) return a_rank < b_rank;
  if (a->equal_count != b->equal_count) return a->equal_count > b->equal_count;
  return (a->lower != NULL) + (a->upper != NULL) > (b->lower != NULL) + (b->upper != NULL);
}

/* ---- Hash tables --------------------------------------------------------------------- */

/* own = other: `own` depends on the source alone, `other` on what is bound or on the blocks around. */
static bool pair_is_usable(Planner *planner, const Expr *own, const Expr *other, bool other_is_left,
                           uint32_t source, SourceSet bound) {
  Reach own_reach = expr_reach(own), other_reach = expr_reach(other);
  if (own_reach.sources != (SourceSet)1 << source || own_reach.is_outer || own_reach.has_subquery)
    return false;
  if (other_reach.sources & ~bound || (!other_reach.sources && !other_reach.is_outer)) return false;
  return key_is_comparable(planner->dialect, own->type, other->type, other_is_left);
}

static void access_add_pairs(Planner *planner, uint32_t source, SourceSet bound, const Conjuncts *conjuncts,
                             Access *access) {
  access->built = ARENA_ARRAY(planner->arena, const Expr *, conjuncts->count);
  access->probes = ARENA_ARRAY(planner->arena, const Expr *, conjuncts->count);
  access->build_filters = ARENA_ARRAY(planner->arena, const Conjunct *, conjuncts->count);
  for (uint32_t i = 0; i < conjuncts->count; i++) {
    const Conjunct *conjunct = conjuncts->items[i];
    const Expr *expr = conjunct->expr;
    bool is_own = conjunct->reach.sources == (SourceSet)1 << source && !conjunct->reach.is_outer;
    if (is_own && !conjunct->reach.has_subquery && !expr->is_volatile)
      access->build_filters[access->build_filter_count++] = conjunct;
    if (expr->kind != EXPR_EQUAL || expr->is_volatile) continue;
    for (unsigned own = 0; own < 2; own++) {
      if (!pair_is_usable(planner, expr->args[own], expr->args[!own], own == 1, source, bound)) continue;
      access->built[access->pair_count] = expr->args[own];
      access->probes[access->pair_count++] = expr->args[!own];
      break;
    }
  }
}

/* ---- The choice ---------------------------------------------------------------------------- */

static bool source_is_filtered(uint32_t source, const Conjuncts *conjuncts) {
  for (uint32_t i = 0; i < conjuncts->count; i++)
    if (conjuncts->items[i]->reach.sources == (SourceSet)1 << source) return true;
  return false;
}

static AccessRank choose_index(Planner *planner, uint32_t source, SourceSet bound,
                               const Comparisons *comparisons, Access *best) {
  AccessRank best_rank = RANK_SCAN;
  const Table *table = planner->select->sources.items[source].table;
  if (!table || !comparisons->count) return best_rank;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (index->is_dropped || !index->column_count || !store_has_index(planner->eval->store, table, index))
      continue;
    Access access = access_of_index(planner, source, bound, comparisons, index);
    AccessRank rank = rank_of_index(&access, bound);
    if (rank == RANK_SCAN || !access_is_better(&access, rank, best, best_rank)) continue;
    *best = access;
    best_rank = rank;
  }
  return best_rank;
}

AccessRank access_choose(Planner *planner, uint32_t source, SourceSet bound, const Conjuncts *conjuncts,
                         const Comparisons *comparisons, Access *access) {
  *access = (Access){.kind = ACCESS_SCAN, .list = -1};
  if (planner->is_canonical) return RANK_SCAN;
  AccessRank rank = choose_index(planner, source, bound, comparisons, access);
  if (rank <= RANK_HASH) return rank;
  Access hash = {.kind = ACCESS_HASH, .list = -1};
  access_add_pairs(planner, source, bound, conjuncts, &hash);
  if (hash.pair_count) {
    *access = hash;
    return RANK_HASH;
  }
  if (rank < RANK_FILTERED) return rank;
  return source_is_filtered(source, conjuncts) ? RANK_FILTERED : RANK_SCAN;
}

/* ---- Order ------------------------------------------------------------------------------------ */

/* NULL comes first in an index: does it in this ORDER BY term, or is there none? */
static bool term_agrees(const Planner *planner, const OrderTerm *term, const Table *table, uint32_t column,
                        bool descending) {
  if (term->descending != descending) return false;
  if (table->columns[column].not_null) return true;
  const Index *primary = table->primary >= 0 ? table->indexes.items[table->primary] : NULL;
  if (!dialect_is_sqlite(planner->dialect))
    for (uint32_t i = 0; primary && i < primary->column_count; i++)
      if (primary->columns[i] == column) return true;
  bool nulls_are_least = !dialect_is_postgres(planner->dialect);
  bool nulls_first = term->nulls ? term->nulls == 1 : nulls_are_least != descending;
  return nulls_first != descending;
}

static const Expr *term_column(const Planner *planner, const OrderTerm *term) {
  const Expr *expr = term->item >= 0 ? planner->select->outputs.items[term->item].expr : term->expr;
  return expr && expr->kind == EXPR_COLUMN && expr->depth == 0 ? expr : NULL;
}

/* Whether the index, behind `skipped` columns of one value each, has the order that ORDER BY wants. */
static bool index_has_order(const Planner *planner, const Table *table, const Index *index,
                            uint32_t skipped) {
  const Select *select = planner->select;
  if (skipped + select->order_by.count > index->column_count) return false;
  bool descending = select->order_by.items[0].descending;
  for (uint32_t i = 0; i < select->order_by.count; i++) {
    const Expr *expr = term_column(planner, &select->order_by.items[i]);
    uint32_t column = index->columns[skipped + i];
    if (!expr || expr->column != column) return false;
    if (!term_agrees(planner, &select->order_by.items[i], table, column, descending)) return false;
  }
  return true;
}

/* The column whose MIN or MAX is all that the block wants, or NULL. */
static const Expr *extreme_column(const Planner *planner, bool *is_max) {
  const Select *select = planner->select;
  if (!select->is_grouped || select->group_by.count || select->aggregates.count != 1 ||
      planner->plan->has_bare)
    return NULL;
  const Expr *aggregate = select->aggregates.items[0];
  bool is_min = aggregate->function && aggregate->function->id == FUNCTION_MIN;
  *is_max = aggregate->function && aggregate->function->id == FUNCTION_MAX;
  if ((!is_min && !*is_max) || aggregate->filter || aggregate->depth || aggregate->arg_count != 1)
    return NULL;
  const Expr *column = aggregate->args[0];
  bool is_column = column->kind == EXPR_COLUMN && column->depth == 0;
  bool is_simple =
      type_is_number(column->type) || type_is_time(column->type) || column->type.kind == TYPE_DYNAMIC;
  return is_column && is_simple && column->type.collation == COLLATION_C ? column : NULL;
}

static bool index_gives(const Planner *planner, const Table *table, const Access *access,
                        const Expr *extreme) {
  const Index *index = access->index;
  if (access->list >= 0) return false;
  if (extreme)
    return access->equal_count < index->column_count &&
           index->columns[access->equal_count] == extreme->column;
  return index_has_order(planner, table, index, access->equal_count);
}

void access_order(Planner *planner, Step *step, const Comparisons *comparisons) {
  const Select *select = planner->select;
  const Table *table = select->sources.items[step->source].table;
  bool is_max = false;
  const Expr *extreme = extreme_column(planner, &is_max);
  bool wants_order = select->order_by.count && select->limit && !select->is_grouped && !select->distinct;
  if (!table || (!extreme && !wants_order) || step->access.is_unique || step->access.kind == ACCESS_HASH)
    return;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (index->is_dropped || !store_has_index(planner->eval->store, table, index)) continue;
    Access access = access_of_index(planner, step->source, 0, comparisons, index);
    if (access.equal_count < step->access.equal_count || !index_gives(planner, table, &access, extreme))
      continue;
    access.is_ordered = true;
    access.descending = extreme ? is_max : select->order_by.items[0].descending;
    step->access = access;
    planner->plan->stop = extreme ? STOP_EXTREME : STOP_LIMIT;
    return;
  }
}
