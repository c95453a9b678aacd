/* resolve_join.c: joins: ON, USING and NATURAL.
 *
 * USING and NATURAL become conditions; each pair of joined columns becomes one visible
 * column.  Where * puts these columns differs: PostgreSQL as USING lists them, MySQL as the first
 * table has them (a RIGHT join is a LEFT one turned around), SQLite where the left table has them. */
#include "src/sql/resolve_internal.h"

static void sources_make_nullable(Select *block, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) block->sources.items[i].is_nullable = true;
}

static const VisibleColumn *visible_keep(Resolver *resolver, VisibleColumn column) {
  VisibleColumn *kept = ARENA_NEW(resolver->arena, VisibleColumn);
  *kept = column;
  return kept;
}

/* The column that stands for both sides of USING: the side that every row of the join has. */
static VisibleColumn visible_merge(Resolver *resolver, const From *from, VisibleColumn left,
                                   VisibleColumn right) {
  if (from->join != JOIN_FULL) return from->join == JOIN_RIGHT ? right : left;
  return (VisibleColumn){.name = left.name,
                         .source = left.source,
                         .column = left.column,
                         .left = visible_keep(resolver, left),
                         .right = visible_keep(resolver, right)};
}

/* The place of a joined name in one side's list; -1 fails: unknown or ambiguous. */
static int32_t using_place(Resolver *resolver, const From *from, const VisibleList *side, const char *name) {
  int32_t place = -1;
  for (uint32_t i = 0; i < side->count; i++) {
    if (!column_name_is(resolver, side->items[i].name, name)) continue;
    if (place >= 0) {
      resolver_fail(resolver, ERROR_AMBIGUOUS, from->offset, "column '%s' of USING is ambiguous", name);
      return -1;
    }
    place = (int32_t)i;
  }
  if (place < 0) resolver_fail(resolver, ERROR_NO_COLUMN, from->offset, "unknown column '%s' in USING", name);
  return place;
}

static bool list_names(const Resolver *resolver, const NameList *names, const char *name) {
  for (uint32_t i = 0; i < names->count; i++)
    if (column_name_is(resolver, names->items[i], name)) return true;
  return false;
}

/* NATURAL joins by the names that both sides have, in the order of the left one. */
static void natural_names(Resolver *resolver, From *from, const VisibleList *left, const VisibleList *right) {
  for (uint32_t i = 0; i < left->count; i++) {
    const char *name = left->items[i].name;
    if (!name || list_names(resolver, &from->using_columns, name)) continue;
    for (uint32_t j = 0; j < right->count; j++) {
      if (!column_name_is(resolver, right->items[j].name, name)) continue;
      ARENA_PUSH(resolver->arena, &from->using_columns, name);
      break;
    }
  }
}

static bool using_equality(Resolver *resolver, Scope *scope, From *from, const VisibleColumn *left,
                           const VisibleColumn *right) {
  Expr *equal = expr_binary(resolver->arena, EXPR_EQUAL, from->offset,
                            visible_expr(resolver, scope, left, 0, from->offset),
                            visible_expr(resolver, scope, right, 0, from->offset));
  if (!expr_type(resolver, equal)) return false;
  if (from->condition) {
    equal = expr_binary(resolver->arena, EXPR_AND, from->offset, from->condition, equal);
    if (!expr_type(resolver, equal)) return false;
  }
  from->condition = equal;
  return true;
}

/* mysql turns RIGHT joins around: the right side's columns come first. */
static bool join_is_turned(const Resolver *resolver, const From *from) {
  return from->join == JOIN_RIGHT && dialect_is_mysql(resolver->dialect);
}

static uint32_t merged_place(const Resolver *resolver, const From *from, const VisibleColumn *column) {
  uint32_t place = 0;
  while (place < from->using_columns.count &&
         !column_name_is(resolver, from->using_columns.items[place], column->name))
    place++;
  return place;
}

/* The joined columns come first: as USING lists them (postgresql), or as the first side has them (mysql). */
static void merged_first(Resolver *resolver, const From *from, const VisibleList *merged,
                         const VisibleList *first, VisibleList *joined) {
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  for (uint32_t i = 0; !is_mysql && i < merged->count; i++)
    ARENA_PUSH(resolver->arena, joined, merged->items[i]);
  for (uint32_t i = 0; is_mysql && i < first->count; i++) {
    uint32_t place = merged_place(resolver, from, &first->items[i]);
    if (place < merged->count) ARENA_PUSH(resolver->arena, joined, merged->items[place]);
  }
}

static bool using_resolve(Resolver *resolver, Scope *scope, From *from, const VisibleList *left,
                          const VisibleList *right, VisibleList *joined) {
  VisibleList merged = {0};
  for (uint32_t i = 0; i < from->using_columns.count; i++) {
    const char *name = from->using_columns.items[i];
    int32_t a = using_place(resolver, from, left, name);
    int32_t b = a < 0 ? -1 : using_place(resolver, from, right, name);
    if (b < 0 || !using_equality(resolver, scope, from, &left->items[a], &right->items[b])) return false;
    ARENA_PUSH(resolver->arena, &merged, visible_merge(resolver, from, left->items[a], right->items[b]));
  }
  bool in_place = dialect_is_sqlite(resolver->dialect); /* sqlite leaves them where the left side has them */
  if (!in_place) merged_first(resolver, from, &merged, join_is_turned(resolver, from) ? right : left, joined);
  for (unsigned side = 0; side < 2; side++) {
    bool takes_left = (side == 0) != join_is_turned(resolver, from);
    const VisibleList *list = takes_left ? left : right;
    for (uint32_t i = 0; i < list->count; i++) {
      uint32_t place = merged_place(resolver, from, &list->items[i]);
      if (place == merged.count)
        ARENA_PUSH(resolver->arena, joined, list->items[i]);
      else if (in_place && takes_left)
        ARENA_PUSH(resolver->arena, joined, merged.items[place]);
    }
  }
  return true;
}

/* sqlite: ON may name any table of FROM. Beyond its own join only an inner condition can be evaluated. */
static bool on_stays_inside(Resolver *resolver, const From *from, const Expr *expr, uint32_t first,
                            uint32_t end) {
  bool is_outside =
      expr->kind == EXPR_COLUMN && expr->depth == 0 && (expr->source < first || expr->source >= end);
  if (is_outside ||
      (expr->select && expr->select->outer_depth && dialect_is_sqlite(resolver->dialect) && first > 0))
    return resolver_unmodelled(resolver, from->offset, "ON names a table outside its join");
  for (uint32_t i = 0; i < expr->arg_count; i++)
    if (!on_stays_inside(resolver, from, expr->args[i], first, end)) return false;
  return true;
}

static bool on_resolve(Resolver *resolver, Scope *scope, From *from, const VisibleList *visible,
                       uint32_t first) {
  Select *block = scope->block;
  uint32_t end = block->sources.count;
  bool is_wide = dialect_is_sqlite(resolver->dialect) && first > 0;
  VisibleList all = {0};
  for (uint32_t i = 0; is_wide && i < first; i++) source_visible(resolver, block, i, &all);
  for (uint32_t i = 0; is_wide && i < visible->count; i++)
    ARENA_PUSH(resolver->arena, &all, visible->items[i]);
  Scope on = {.outer = scope->outer,
              .block = block,
              .visible = is_wide ? &all : visible,
              .first_source = is_wide ? 0 : first,
              .end_source = end,
              .clause = CLAUSE_ON};
  if (!condition_resolve(resolver, &on, &from->on)) return false;
  if (is_wide && !on_stays_inside(resolver, from, from->on, first, end)) return false;
  from->condition = from->on;
  return true;
}

bool join_resolve(Resolver *resolver, Scope *scope, From *from, VisibleList *visible) {
  Select *block = scope->block;
  VisibleList left = {0}, right = {0}, joined = {0};
  uint32_t first = block->sources.count;
  if (!from_resolve(resolver, scope, from->left, &left)) return false;
  uint32_t middle = block->sources.count;
  if (!from_resolve(resolver, scope, from->right, &right)) return false;
  uint32_t end = block->sources.count;
  if (from->join == JOIN_LEFT || from->join == JOIN_FULL) sources_make_nullable(block, middle, end);
  if (from->join == JOIN_RIGHT || from->join == JOIN_FULL) sources_make_nullable(block, first, middle);
  if (from->natural) natural_names(resolver, from, &left, &right);
  if (from->natural || from->using_columns.count) {
    if (!using_resolve(resolver, scope, from, &left, &right, &joined)) return false;
  } else {
    for (uint32_t i = 0; i < left.count; i++) ARENA_PUSH(resolver->arena, &joined, left.items[i]);
    for (uint32_t i = 0; i < right.count; i++) ARENA_PUSH(resolver->arena, &joined, right.items[i]);
  }
  if (from->on && !on_resolve(resolver, scope, from, &joined, first)) return false;
  *visible = joined;
  return true;
}
