/* generate_condition.c: conditions: comparisons, ranges, lists, patterns, subqueries and logic over them. */
#include "src/live/generate_draw.h"

static const Operand truth = {OPERAND_INTEGER, false};

static bool operator_fits(const Generator *generator, OperatorId id, OperatorKind kind) {
  return operator_table[id].kind == kind &&
         (operator_table[id].dialects & dialect_bit(generator->options.dialect));
}

static OperatorId draw_operator_of(Generator *generator, OperatorKind kind) {
  for (;;) {
    OperatorId id = draw_below(generator, OPERATOR_IDS);
    if (operator_fits(generator, id, kind)) return id;
  }
}

static void cover_pair(Generator *generator, OperatorId id, Operand left, Operand right) {
  if (left.is_sure && right.is_sure) cover_operator(generator, id, left.type, right.type);
}

static void draw_comparison(Generator *generator, Scope *scope, uint32_t depth) {
  OperatorId id = draw_operator_of(generator, OPERATOR_COMPARISON);
  OperandType type = draw_type(generator);
  bool is_bare = draw_bareness(generator);
  emit(generator, "(");
  Operand left = draw_operand(generator, scope, type, depth - 1, is_bare);
  emit(generator, " %s ", operator_table[id].text);
  Operand right = draw_operand(generator, scope, draw_mixed(generator, type), depth - 1, is_bare);
  if (generator->is_sqlite && draw_chance(generator, 2)) {
    emit(generator, " COLLATE %s", draw_chance(generator, 60) ? "NOCASE" : "BINARY");
    cover_feature(generator, FEATURE_COLLATE);
  }
  emit(generator, ")");
  cover_pair(generator, id, left, right);
}

static void draw_range(Generator *generator, Scope *scope, uint32_t depth) {
  OperatorId id = draw_operator_of(generator, OPERATOR_RANGE);
  OperandType type = draw_type(generator);
  if (generator->is_strict && type == OPERAND_BOOLEAN) type = OPERAND_INTEGER;
  bool is_bare = draw_bareness(generator), forbids = scope && scope->forbids_natural;
  if (scope && generator->is_mysql) scope->forbids_natural = true;
  emit(generator, "(");
  Operand left = draw_operand(generator, scope, type, depth - 1, is_bare);
  emit(generator, " %s ", operator_table[id].text);
  Operand lower = draw_operand(generator, scope, draw_mixed(generator, type), depth - 1, is_bare);
  emit(generator, " AND ");
  draw_expression(generator, scope, draw_mixed(generator, type), depth - 1);
  emit(generator, ")");
  if (scope) scope->forbids_natural = forbids;
  cover_pair(generator, id, left, lower);
}

static void draw_list(Generator *generator, Scope *scope, uint32_t depth) {
  OperatorId id = draw_operator_of(generator, OPERATOR_MEMBER);
  OperandType type = draw_type(generator);
  bool is_bare = draw_bareness(generator);
  emit(generator, "(");
  Operand left = draw_operand(generator, scope, type, depth - 1, is_bare);
  emit(generator, " %s (", operator_table[id].text);
  uint32_t count = draw_below(generator, 4) + !generator->is_sqlite;
  for (uint32_t i = 0; i < count; i++) {
    if (i) emit(generator, ", ");
    Operand right = draw_operand(generator, scope, draw_mixed(generator, type), depth > 1 ? 1 : 0, is_bare);
    cover_pair(generator, id, left, right);
  }
  emit(generator, "))");
}

static void draw_like(Generator *generator, Scope *scope, uint32_t depth) {
  OperatorId id = draw_operator_of(generator, OPERATOR_PATTERN);
  bool is_glob = id == OPERATOR_ID_GLOB || id == OPERATOR_ID_NOT_GLOB;
  bool is_bare = generator->is_sqlite && draw_chance(generator, 30);
  Operand right = {OPERAND_TEXT, true};
  emit(generator, "(");
  Operand left = draw_operand(generator, scope, draw_mixed(generator, OPERAND_TEXT), depth - 1, is_bare);
  emit(generator, " %s ", operator_table[id].text);
  if (!is_bare && draw_chance(generator, 60))
    draw_pattern(generator, is_glob);
  else
    right = draw_operand(generator, scope, draw_mixed(generator, OPERAND_TEXT), depth - 1, is_bare);
  if (!is_glob && draw_chance(generator, 15)) {
    emit(generator, " ESCAPE '%s'", draw_chance(generator, 50) ? "!" : "_");
    cover_feature(generator, FEATURE_LIKE_ESCAPE);
  }
  emit(generator, ")");
  cover_pair(generator, id, left, right);
}

static void draw_logic(Generator *generator, Scope *scope, uint32_t depth) {
  OperatorId id = draw_operator_of(generator, OPERATOR_LOGIC);
  bool is_open = generator->is_sqlite && draw_chance(generator, 20), is_bare = draw_bareness(generator);
  OperandType type = generator->is_strict || draw_chance(generator, 75)
                         ? OPERAND_BOOLEAN
                         : draw_mixed(generator, OPERAND_INTEGER);
  if (!is_open) emit(generator, "(");
  Operand left = draw_operand(generator, scope, type, depth - 1, is_bare);
  emit(generator, " %s ", operator_table[id].text);
  Operand right = draw_operand(generator, scope, type, depth - 1, is_bare);
  if (is_open) return;
  emit(generator, ")");
  cover_pair(generator, id, left, right);
}

static void draw_negation(Generator *generator, Scope *scope, uint32_t depth) {
  emit(generator, "(NOT ");
  Operand operand = draw_operand(generator, scope, OPERAND_BOOLEAN, depth - 1, draw_bareness(generator));
  emit(generator, ")");
  if (operand.is_sure) cover_operator(generator, OPERATOR_ID_NOT, operand.type, 0);
}

static void draw_test(Generator *generator, Scope *scope, uint32_t depth) {
  bool is_null = draw_chance(generator, 60) || generator->avoids_truth;
  OperatorId id = draw_operator_of(generator, is_null ? OPERATOR_NULL_TEST : OPERATOR_TRUTH_TEST);
  bool is_truth = operator_table[id].kind == OPERATOR_TRUTH_TEST;
  emit(generator, "(");
  OperandType type = is_truth && generator->is_strict ? OPERAND_BOOLEAN : draw_type(generator);
  Operand operand = draw_operand(generator, scope, type, depth - 1, draw_bareness(generator));
  emit(generator, " %s)", operator_table[id].text);
  if (operand.is_sure) cover_operator(generator, id, operand.type, 0);
}

static void draw_in_select(Generator *generator, Scope *scope, uint32_t depth) {
  OperandType type = draw_type(generator);
  /* MariaDB 10.11 takes a date IN an aggregate of dates over nothing for false, not for unknown. */
  if (generator->is_mysql && generator->is_modelled && type == OPERAND_DATE) type = OPERAND_INTEGER;
  QueryShape shape = {.column_count = 1, .types = {type}, .is_nested = true, .forbids_order = true};
  emit(generator, "(");
  draw_expression(generator, scope, draw_mixed(generator, type), 1);
  emit(generator, draw_chance(generator, 30) ? " NOT IN (" : " IN (");
  draw_query(generator, scope, &shape, depth - 1);
  emit(generator, "))");
  cover_feature(generator, FEATURE_SUBQUERY_IN);
}

static void draw_exists(Generator *generator, Scope *scope, uint32_t depth) {
  QueryShape shape = draw_shape(generator, 1);
  shape.is_nested = shape.forbids_order = true;
  /* Behind an operator MariaDB takes NOT in parentheses only. */
  bool is_negated = draw_chance(generator, 30), is_closed = is_negated && generator->is_mysql;
  emit(generator, "%s%sEXISTS (", is_closed ? "(" : "", is_negated ? "NOT " : "");
  draw_query(generator, scope, &shape, depth - 1);
  emit(generator, is_closed ? "))" : ")");
  cover_feature(generator, FEATURE_SUBQUERY_EXISTS);
}

Operand draw_condition(Generator *generator, Scope *scope, uint32_t depth) {
  if (depth == 0) {
    Operand operand = draw_leaf(generator, scope, OPERAND_BOOLEAN);
    return generator->is_sqlite ? operand : (Operand){OPERAND_BOOLEAN, operand.is_sure};
  }
  uint32_t dice = draw_below(generator, 100);
  if (dice < 34)
    draw_comparison(generator, scope, depth);
  else if (dice < 42)
    draw_range(generator, scope, depth);
  else if (dice < 50)
    draw_list(generator, scope, depth);
  else if (dice < 58)
    draw_like(generator, scope, depth);
  else if (dice < 74)
    draw_logic(generator, scope, depth);
  else if (dice < 80)
    draw_negation(generator, scope, depth);
  else if (dice < 87)
    draw_test(generator, scope, depth);
  else if (dice < 91 && depth > 1 && scope_may_hold_subquery(scope))
    draw_in_select(generator, scope, depth);
  else if (dice < 95 && depth > 1 && scope_may_hold_subquery(scope))
    draw_exists(generator, scope, depth);
  else if (!generator->is_strict)
    return draw_expression(generator, scope, draw_type(generator), depth - 1);
  else
    return draw_leaf(generator, scope, OPERAND_BOOLEAN);
  return truth;
}
