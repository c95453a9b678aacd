/* generate_query.c: SELECT: blocks, compounds, WITH, ORDER BY and LIMIT.
 *
 * The pieces of a block are drawn in the order in which they depend on each other
 * (sources, condition, keys, items) and then written in SQL's order. */
#include "src/live/generate_draw.h"

typedef struct Piece {
  size_t start, length;
} Piece;

static Piece piece_end(const Generator *generator, size_t start) {
  return (Piece){start, generator->text.count - start};
}

QueryShape draw_shape(Generator *generator, uint32_t columns) {
  QueryShape shape = {.column_count = columns};
  for (uint32_t i = 0; i < columns; i++) shape.types[i] = draw_type(generator);
  return shape;
}

/* A constant in ORDER BY or GROUP BY would be a position. */
void draw_non_constant(Generator *generator, Scope *scope, OperandType want, uint32_t depth,
                       Operand *operand) {
  static const char *const operators[] = {"=", "<", ">"};
  Operand column = {want, false};
  bool is_plain = draw_chance(generator, 70);
  size_t start = generator->text.count;
  if (!is_plain) emit(generator, "(");
  if (!draw_column(generator, scope, want, &column)) {
    generator->text.count = (uint32_t)start;
    emit(generator, "CASE WHEN ");
    draw_condition(generator, scope, 1);
    emit(generator, " THEN ");
    draw_literal(generator, want);
    emit(generator, " END");
  } else if (!is_plain && want == OPERAND_INTEGER && column.type == want) {
    emit(generator, " %% ");
    emit(generator, "%u)", 2 + draw_below(generator, 3));
  } else if (!is_plain) {
    emit(generator, " %s ", DRAW_ONE(generator, operators));
    /* Not `a < b AND 0`, which SQLite takes for the position 0. */
    if (generator->is_sqlite)
      draw_leaf(generator, scope, column.type);
    else
      draw_expression(generator, scope, column.type, depth);
    emit(generator, ")");
    column.type = generator->is_sqlite || generator->is_mysql ? OPERAND_INTEGER : OPERAND_BOOLEAN;
  }
  *operand = column;
}

static void draw_keys(Generator *generator, Scope *scope, const QueryShape *shape) {
  const Scope *outer = scope->outer;
  bool forbids = scope->forbids_subqueries;
  scope->outer = NULL; /* SQLite does not look outwards from GROUP BY */
  scope->forbids_subqueries = forbids || generator->is_modelled;
  scope->key_count = 0;
  for (uint32_t i = 0, count = 1 + draw_below(generator, 2); i < count; i++) {
    Operand operand;
    if (i) emit(generator, ", ");
    size_t start = generator->text.count;
    OperandType type = shape->types[draw_below(generator, shape->column_count)];
    /* Equal decimals of different scales: which one shows is open. */
    if (generator->is_modelled && type == OPERAND_DECIMAL) type = OPERAND_INTEGER;
    draw_non_constant(generator, scope, type, 1, &operand);
    GroupKey *key = &scope->keys[scope->key_count++];
    *key = (GroupKey){start, generator->text.count - start, operand.type};
    key->is_expression = generator->text.items[start] == '(' || generator->text.items[start] == 'C';
    if (key->is_expression) cover_feature(generator, FEATURE_GROUP_BY_EXPRESSION);
  }
  scope->outer = outer;
  scope->forbids_subqueries = forbids;
}

static void draw_items(Generator *generator, Scope *scope, const QueryShape *shape, uint32_t depth) {
  for (uint32_t i = 0; i < shape->column_count; i++) {
    if (i) emit(generator, ", ");
    draw_expression(generator, scope, shape->types[i], depth);
    if (shape->first_name)
      emit(generator, " AS c%u", (shape->first_name + i) % 100000);
    else if (draw_chance(generator, 10))
      emit(generator, " AS c%u", ++generator->next_alias % 100000);
  }
}

static void draw_direction(Generator *generator) {
  if (draw_chance(generator, 40)) {
    emit(generator, " DESC");
    cover_feature(generator, FEATURE_ORDER_BY_DESCENDING);
  } else if (draw_chance(generator, 20)) {
    emit(generator, " ASC");
  }
  if (!generator->is_mysql && draw_chance(generator, 10)) {
    emit(generator, draw_chance(generator, 50) ? " NULLS FIRST" : " NULLS LAST");
    cover_feature(generator, FEATURE_ORDER_BY_NULLS);
  }
}

/* By positions, or by expressions over the sources where the block is neither grouped nor distinct. */
static void draw_order(Generator *generator, Scope *scope, const QueryShape *shape, bool positions_only,
                       bool is_total) {
  emit(generator, " ORDER BY ");
  uint32_t count = is_total ? shape->column_count : 1 + draw_below(generator, 3);
  for (uint32_t i = 0; i < count; i++) {
    Operand operand;
    if (i) emit(generator, ", ");
    if (positions_only || is_total || draw_chance(generator, 40)) {
      emit(generator, "%u", is_total ? i + 1 : 1 + draw_below(generator, shape->column_count));
      cover_feature(generator, FEATURE_ORDER_BY_POSITION);
    } else {
      draw_non_constant(generator, scope, draw_type(generator), 1, &operand);
    }
    draw_direction(generator);
  }
  cover_feature(generator, FEATURE_ORDER_BY);
}

static void draw_limit(Generator *generator, const Scope *scope) {
  emit(generator, " LIMIT %u", draw_below(generator, 6));
  cover_feature(generator, FEATURE_LIMIT);
  if (!(scope && scope->forbids_offset) && draw_chance(generator, 40)) {
    emit(generator, " OFFSET %u", draw_below(generator, 4));
    cover_feature(generator, FEATURE_LIMIT_OFFSET);
  }
}

/* What may follow a query: at the top any order and limit; inside another query only what leaves no choice.
 */
static void draw_tail(Generator *generator, Scope *scope, const QueryShape *shape, bool positions_only) {
  if (shape->is_small && !scope->forbids_joins) {
    draw_order(generator, scope, shape, true, true);
    draw_limit(generator, scope);
  }
  if (shape->forbids_order) return;
  if (shape->is_nested) {
    if (!draw_chance(generator, 6)) return;
    draw_order(generator, scope, shape, true, true);
    draw_limit(generator, scope);
    return;
  }
  bool is_ordered = draw_chance(generator, 40);
  if (is_ordered) draw_order(generator, scope, shape, positions_only, draw_chance(generator, 20));
  if (!draw_chance(generator, is_ordered ? 40 : 6)) return;
  draw_limit(generator, scope);
  if (!is_ordered) cover_feature(generator, FEATURE_LIMIT_UNORDERED);
}

static void emit_piece(Generator *generator, const char *words, Piece piece) {
  if (!piece.length) return;
  emit(generator, "%s", words);
  emit_again(generator, piece.start, piece.length);
}

/* SELECT * and t.*: only where the number of columns is nobody's business. */
static bool draw_star(Generator *generator, const Scope *scope, const QueryShape *shape) {
  if (shape->is_nested || shape->first_name || shape->is_simple || scope->is_grouped ||
      scope->has_lost_name || !scope->count || !draw_chance(generator, 10))
    return false;
  const char *source = scope->columns[0].source;
  if (draw_chance(generator, 60) || generator->is_modelled) {
    emit(generator, "*");
    cover_feature(generator, FEATURE_STAR);
  } else {
    emit(generator, "%s.*", source);
    cover_feature(generator, FEATURE_STAR_OF_SOURCE);
  }
  return true;
}

typedef struct Block {
  Piece sources, where, keys, having, items;
  bool is_distinct, is_grouped, has_star;
} Block;

/* s0.a, s1.a: MariaDB's HAVING then knows neither. */
static bool keys_are_namesakes(const Generator *generator, const Scope *scope) {
  if (scope->key_count < 2) return false;
  char last[2];
  for (uint32_t i = 0; i < 2; i++)
    last[i] = generator->text.items[scope->keys[i].start + scope->keys[i].length - 1];
  return last[0] == last[1];
}

static void draw_grouping(Generator *generator, Scope *scope, const QueryShape *shape, Block *block) {
  bool has_keys = draw_chance(generator, 75);
  size_t start = generator->text.count;
  if (has_keys) draw_keys(generator, scope, shape);
  /* Over no rows SQLite 3.40 takes a bare column for what its constraints say, not for NULL. */
  if (!has_keys) scope->forbids_bare = true;
  block->keys = piece_end(generator, start);
  cover_feature(generator, has_keys ? FEATURE_GROUP_BY : FEATURE_AGGREGATE_OF_NOTHING);
  generator->merges_equals = true;
  scope->is_grouped = block->is_grouped = true;
  start = generator->text.count;
  /* MySQL's HAVING knows plain keys only. */
  bool may_have = !generator->is_mysql ||
                  !(scope->keys[0].is_expression || (scope->key_count > 1 && scope->keys[1].is_expression));
  may_have = may_have && !(generator->is_mysql && keys_are_namesakes(generator, scope));
  if (has_keys && may_have && draw_chance(generator, 35)) {
    bool forbids = scope->forbids_bare;
    scope->forbids_bare = true;
    draw_condition(generator, scope, 2);
    scope->forbids_bare = forbids;
    cover_feature(generator, FEATURE_HAVING);
  }
  block->having = piece_end(generator, start);
}

/* Where there is no key, an aggregate in the list makes it a group: the first item always is one. */
static void draw_block_items(Generator *generator, Scope *scope, const QueryShape *shape, Block *block,
                             uint32_t depth) {
  size_t start = generator->text.count;
  if (draw_star(generator, scope, shape)) {
    block->has_star = true;
  } else if (block->is_grouped && !block->keys.length) {
    QueryShape rest = *shape;
    scope->shows_aggregate = !shape->is_nested;
    draw_aggregate(generator, scope, shape->types[0], depth);
    scope->shows_aggregate = false;
    if (shape->first_name) emit(generator, " AS c%u", shape->first_name % 100000);
    rest.column_count--;
    memmove(rest.types, rest.types + 1, sizeof(OperandType) * rest.column_count);
    rest.first_name = shape->first_name ? shape->first_name + 1 : 0;
    if (rest.column_count) emit(generator, ", ");
    draw_items(generator, scope, &rest, depth);
  } else {
    draw_items(generator, scope, shape, depth);
  }
  block->items = piece_end(generator, start);
}

static void draw_block(Generator *generator, const Scope *outer, const QueryShape *shape, uint32_t depth,
                       bool is_arm) {
  Scope scope = {.outer = outer, .forbids_bare = shape->is_nested};
  /* Which of SQLite's values that are equal (1, 1.0) LIMIT keeps is open: then there is one source and no
   * LIMIT. */
  bool has_twins = generator->is_sqlite && generator->is_modelled;
  scope.forbids_joins = shape->is_small && (has_twins || draw_chance(generator, 8));
  scope.has_big_source = scope.forbids_joins; /* nor views and subqueries: tables would grow without bound */
  Block block = {0};
  size_t begin = generator->text.count;
  bool has_sources = draw_chance(generator, 94);
  if (has_sources)
    draw_sources(generator, &scope, depth);
  else
    cover_feature(generator, FEATURE_FROM_NOTHING);
  block.sources = piece_end(generator, begin);
  size_t start = generator->text.count;
  if (draw_chance(generator, 55) && (has_sources || !generator->is_mysql)) {
    draw_condition(generator, &scope, depth);
    cover_feature(generator, FEATURE_WHERE);
  }
  block.where = piece_end(generator, start);
  if (has_sources && draw_chance(generator, 25))
    draw_grouping(generator, &scope, shape, &block);
  else
    block.is_distinct = draw_chance(generator, 12) && !(generator->is_modelled && shape->is_nested);
  draw_block_items(generator, &scope, shape, &block, depth);
  size_t middle = generator->text.count;
  emit(generator, block.is_distinct           ? "SELECT DISTINCT "
                  : draw_chance(generator, 3) ? "SELECT ALL "
                                              : "SELECT ");
  emit_piece(generator, "", block.items);
  emit_piece(generator, " FROM ", block.sources);
  emit_piece(generator, " WHERE ", block.where);
  emit_piece(generator, " GROUP BY ", block.keys);
  emit_piece(generator, " HAVING ", block.having);
  text_settle(generator, begin, middle);
  if (block.is_distinct) generator->merges_equals = true;
  if (block.is_distinct) cover_feature(generator, FEATURE_DISTINCT);
  if (is_arm) return;
  QueryShape tail_shape = *shape;
  if (block.has_star) tail_shape.column_count = 1;
  scope.is_grouped = false;
  scope.forbids_offset =
      generator->is_mysql && block.is_distinct; /* MariaDB ignores it where all columns are constant */
  draw_tail(generator, &scope, &tail_shape, block.is_grouped || block.is_distinct || !has_sources);
}

/* Which of two equal values (1, 1.0) the others show is open, and not modelled where a query goes on with it.
 */
static uint32_t draw_compound_form(Generator *generator, bool is_nested) {
  if (!generator->is_modelled) return draw_below(generator, 4);
  return is_nested ? 1 : draw_below(generator, generator->is_mysql ? 2 : 4);
}

static void draw_compound(Generator *generator, const Scope *outer, const QueryShape *shape, uint32_t depth) {
  static const struct {
    const char *words;
    Feature feature;
  } forms[] = {{" UNION ", FEATURE_UNION},
               {" UNION ALL ", FEATURE_UNION_ALL},
               {" INTERSECT ", FEATURE_INTERSECT},
               {" EXCEPT ", FEATURE_EXCEPT}};
  QueryShape arm = *shape;
  arm.is_nested = arm.forbids_order = arm.is_simple = true;
  draw_block(generator, outer, &arm, depth, true);
  for (uint32_t i = 0, count = 1 + draw_below(generator, 2); i < count; i++) {
    uint32_t form = draw_compound_form(generator, shape->is_nested);
    emit(generator, "%s", forms[form].words);
    cover_feature(generator, forms[form].feature);
    arm.first_name = 0;
    draw_block(generator, outer, &arm, depth > 1 ? depth - 1 : depth, true);
  }
  generator->merges_equals = true;
  draw_tail(generator, NULL, shape, true);
}

static void draw_values(Generator *generator, const QueryShape *shape) {
  emit(generator, "VALUES ");
  for (uint32_t i = 0, count = 1 + draw_below(generator, 3); i < count; i++) {
    emit(generator, i ? ", (" : "(");
    for (uint32_t j = 0; j < shape->column_count; j++) {
      if (j) emit(generator, ", ");
      draw_expression(generator, NULL, shape->types[j], 1);
    }
    emit(generator, ")");
  }
  cover_feature(generator, FEATURE_VALUES);
}

static void draw_with(Generator *generator, uint32_t depth) {
  emit(generator, "WITH ");
  for (uint32_t i = 0, count = 1 + draw_below(generator, 2); i < count; i++) {
    char name[NAME_SIZE];
    QueryShape shape = draw_shape(generator, 1 + draw_below(generator, 3));
    shape.is_nested = true;
    shape_name(generator, &shape);
    snprintf(name, sizeof name, "w%u", i);
    emit(generator, "%s%s AS (", i ? ", " : "", name);
    size_t start = generator->text.count;
    generator->big_depth++;
    draw_query(generator, NULL, &shape, depth ? depth - 1 : 0);
    generator->big_depth--;
    emit(generator, ")");
    shape_to_table(generator, start, &shape, name, &generator->with[i]);
    generator->with_count = i + 1;
  }
  emit(generator, " ");
}

void draw_query(Generator *generator, const Scope *outer, const QueryShape *shape, uint32_t depth) {
  bool is_top = !shape->is_nested && !shape->is_simple;
  if (is_top && draw_chance(generator, 6)) draw_with(generator, depth);
  uint32_t dice = draw_below(generator, 100);
  /* MariaDB 10.11 does not know outer columns in the ON of a compound's later arms.  SQLite's arms have
   * affinities of their own. */
  bool is_wild = generator->is_modelled && shape->is_nested && !generator->is_postgres;
  if (dice < 10 && !shape->is_simple && !is_wild)
    draw_compound(generator, outer, shape, depth);
  else if (dice < 12 && !generator->is_mysql && !shape->first_name && !shape->is_simple)
    draw_values(generator, shape);
  else
    draw_block(generator, outer, shape, depth, false);
}
