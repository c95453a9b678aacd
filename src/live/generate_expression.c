/* generate_expression.c: expressions with a wanted type: leaves, arithmetic, CASE, CAST, scalar subqueries.
 *
 * Where the dialect is loose the wanted type is a wish; in PostgreSQL it is kept. */
#include "src/live/generate_draw.h"

static bool type_is_numeric(OperandType type) {
  return type == OPERAND_INTEGER || type == OPERAND_REAL || type == OPERAND_DECIMAL;
}

static void emit_column(Generator *generator, const ScopeColumn *column, bool qualifies) {
  bool bare = !*column->source || (column->is_unique && !qualifies && draw_chance(generator, 60));
  if (bare)
    emit(generator, "%s", column->name);
  else
    emit(generator, "%s.%s", column->source, column->name);
}

/* A column of the wanted type (of any type, where types are loose); false: there is none. */
bool draw_column(Generator *generator, const Scope *scope, OperandType want, Operand *operand) {
  bool is_outer = false;
  while (scope &&
         (scope->count == 0 || (scope->outer && !scope->is_inside_aggregate && draw_chance(generator, 25)))) {
    if (!scope->outer) break;
    scope = scope->outer;
    is_outer = true;
  }
  if (!scope || !scope->count || (is_outer && scope->is_grouped)) return false;
  uint32_t start = draw_below(generator, scope->count);
  bool is_picky = generator->is_strict || draw_chance(generator, 75);
  for (uint32_t i = 0; i < scope->count; i++) {
    const ScopeColumn *column = &scope->columns[(start + i) % scope->count];
    bool mixes_dates = generator->is_mysql && (column->type == OPERAND_DATE) != (want == OPERAND_DATE);
    if (((is_picky || mixes_dates) && column->type != want) ||
        ((is_outer || scope->qualifies) && !*column->source))
      continue;
    emit_column(generator, column, is_outer || scope->qualifies);
    if (is_outer) cover_feature(generator, FEATURE_SUBQUERY_CORRELATED);
    *operand = (Operand){column->type, false};
    return true;
  }
  return false;
}

static bool draw_group_key(Generator *generator, const Scope *scope, OperandType want, Operand *operand) {
  for (uint32_t i = 0; i < scope->key_count; i++) {
    const GroupKey *key = &scope->keys[i];
    if (generator->is_strict && key->type != want) continue;
    if (draw_chance(generator, 50)) continue;
    emit_again(generator, key->start, key->length);
    *operand = (Operand){key->type, false};
    return true;
  }
  return false;
}

/* Inside a group: a key, an aggregate, a literal, or (where the dialect allows it) a bare column. */
static Operand draw_grouped_leaf(Generator *generator, Scope *scope, OperandType want) {
  Operand operand;
  if (draw_group_key(generator, scope, want, &operand)) return operand;
  if (generator->is_sqlite && !generator->is_modelled && !scope->forbids_bare && draw_chance(generator, 2) &&
      draw_column(generator, scope, want, &operand)) {
    cover_feature(generator, FEATURE_BARE_COLUMN);
    return operand;
  }
  if (draw_chance(generator, 70)) return draw_aggregate(generator, scope, want, 1);
  return draw_literal(generator, want);
}

Operand draw_leaf(Generator *generator, Scope *scope, OperandType want) {
  Operand operand;
  if (want == OPERAND_BOOLEAN && generator->is_sqlite && draw_chance(generator, 75)) want = OPERAND_INTEGER;
  if (draw_chance(generator, 7)) return draw_null(generator, want);
  if (scope && scope->is_grouped && !scope->is_inside_aggregate)
    return draw_grouped_leaf(generator, scope, want);
  if (scope && draw_chance(generator, 65) && draw_column(generator, scope, want, &operand)) return operand;
  return draw_literal(generator, want);
}

bool draw_bareness(Generator *generator) { return generator->is_sqlite && draw_chance(generator, 12); }

Operand draw_operand(Generator *generator, Scope *scope, OperandType want, uint32_t depth, bool is_bare) {
  if (is_bare) return draw_literal(generator, draw_below(generator, OPERAND_CELLS));
  return draw_expression(generator, scope, want, depth);
}

static Operand draw_right(Generator *generator, Scope *scope, OperatorId id, OperandType want, uint32_t depth,
                          bool is_bare) {
  bool divides = id == OPERATOR_ID_DIVIDE || id == OPERATOR_ID_MODULO || id == OPERATOR_ID_INTEGER_DIVIDE;
  bool shifts = id == OPERATOR_ID_SHIFT_LEFT || id == OPERATOR_ID_SHIFT_RIGHT;
  if (generator->is_strict && shifts) {
    emit(generator, "%u", draw_below(generator, 6));
    return (Operand){OPERAND_INTEGER, true};
  }
  if (!generator->is_strict || !divides)
    return draw_operand(generator, scope, draw_mixed(generator, want), depth, is_bare);
  emit(generator, "NULLIF(");
  Operand right = draw_expression(generator, scope, want, depth);
  emit(generator, ", 0)");
  return right;
}

/* left op right, usually in parentheses: without them precedence decides what it means. */
static Operand draw_binary(Generator *generator, Scope *scope, OperatorId id, OperandType want,
                           uint32_t depth) {
  bool is_open = generator->is_sqlite && draw_chance(generator, 15), is_bare = draw_bareness(generator);
  if (!is_open) emit(generator, "(");
  Operand left = draw_operand(generator, scope, draw_mixed(generator, want), depth - 1, is_bare);
  emit(generator, " %s ", operator_table[id].text);
  Operand right = draw_right(generator, scope, id, want, depth - 1, is_bare);
  if (!is_open) emit(generator, ")");
  if (!is_open && left.is_sure && right.is_sure) cover_operator(generator, id, left.type, right.type);
  return (Operand){want, false};
}

/* MariaDB keeps more digits of a quotient than it shows, has negative zeros, and its bits are unsigned; a
 * product of PostgreSQL's quotients has more digits than are modelled. */
static bool operator_is_wild(const Generator *generator, OperatorId id, OperandType want) {
  if (!generator->is_modelled) return false;
  if (generator->is_postgres) return id == OPERATOR_ID_MULTIPLY && want == OPERAND_DECIMAL;
  return generator->is_mysql &&
         (id == OPERATOR_ID_DIVIDE || id == OPERATOR_ID_INTEGER_DIVIDE || id == OPERATOR_ID_MODULO ||
          id == OPERATOR_ID_BIT_NOT || operator_table[id].kind == OPERATOR_BITS);
}

static Operand draw_operator(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  for (;;) {
    OperatorId id = draw_below(generator, OPERATOR_IDS);
    const OperatorEntry *entry = &operator_table[id];
    if (!(entry->dialects & dialect_bit(generator->options.dialect))) continue;
    if (operator_is_wild(generator, id, want)) continue;
    if (want == OPERAND_TEXT) {
      if (generator->is_mysql) return draw_leaf(generator, scope, want);
      return draw_binary(generator, scope, OPERATOR_ID_CONCAT, want, depth);
    }
    if (entry->kind == OPERATOR_ARITHMETIC) {
      if (id == OPERATOR_ID_MODULO && generator->is_strict && want == OPERAND_REAL) continue;
      return draw_binary(generator, scope, id, want, depth);
    }
    bool is_natural = entry->kind == OPERATOR_BITS && scope && scope->forbids_natural;
    if (entry->kind == OPERATOR_BITS && want == OPERAND_INTEGER && !is_natural)
      return draw_binary(generator, scope, id, want, depth);
  }
}

static Operand draw_prefix(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  static const OperatorId prefixes[] = {OPERATOR_ID_NEGATE, OPERATOR_ID_PLUS, OPERATOR_ID_BIT_NOT};
  OperatorId id = DRAW_ONE(generator, prefixes);
  if (id == OPERATOR_ID_BIT_NOT &&
      ((scope && scope->forbids_natural) || operator_is_wild(generator, id, want)))
    id = OPERATOR_ID_NEGATE;
  if (id == OPERATOR_ID_BIT_NOT && want != OPERAND_INTEGER && generator->is_strict) id = OPERATOR_ID_NEGATE;
  emit(generator, "(%s ", operator_table[id].text);
  Operand operand =
      draw_operand(generator, scope, draw_mixed(generator, want), depth - 1, draw_bareness(generator));
  emit(generator, ")");
  if (operand.is_sure) cover_operator(generator, id, operand.type, 0);
  return (Operand){want, false};
}

static Operand draw_case(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  bool has_operand = draw_chance(generator, 40), has_else = draw_chance(generator, 70);
  OperandType operand_type = draw_type(generator);
  emit(generator, "CASE");
  if (has_operand) {
    emit(generator, " ");
    draw_expression(generator, scope, operand_type, depth - 1);
  }
  for (uint32_t i = 0, count = 1 + draw_below(generator, 2); i < count; i++) {
    emit(generator, " WHEN ");
    if (has_operand)
      draw_expression(generator, scope, draw_mixed(generator, operand_type), depth - 1);
    else
      draw_condition(generator, scope, depth - 1);
    emit(generator, " THEN ");
    draw_expression(generator, scope, want, depth - 1);
  }
  if (has_else) {
    emit(generator, " ELSE ");
    draw_expression(generator, scope, draw_mixed(generator, want), depth - 1);
  } else {
    cover_feature(generator, FEATURE_CASE_WITHOUT_ELSE);
  }
  emit(generator, " END");
  cover_feature(generator, has_operand ? FEATURE_CASE_OPERAND : FEATURE_CASE_SEARCHED);
  return (Operand){want, false};
}

/* Only casts that cannot fail where a failure is an error. */
static OperandType draw_cast_source(Generator *generator, OperandType want) {
  /* What MariaDB makes of other values as dates is mostly a zero date, which is not modelled. */
  if (generator->is_mysql && want == OPERAND_DATE && draw_chance(generator, 95)) return want;
  if (!generator->is_strict) return draw_mixed(generator, draw_type(generator));
  if (want == OPERAND_TEXT) return draw_chance(generator, 50) ? OPERAND_INTEGER : OPERAND_DATE;
  if (type_is_numeric(want)) return draw_chance(generator, 50) ? OPERAND_INTEGER : OPERAND_DECIMAL;
  return want;
}

static Operand draw_cast(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  static const OperatorId ids[OPERAND_TYPES] = {[OPERAND_INTEGER] = OPERATOR_ID_CAST_INTEGER,
                                                [OPERAND_REAL] = OPERATOR_ID_CAST_REAL,
                                                [OPERAND_TEXT] = OPERATOR_ID_CAST_TEXT,
                                                [OPERAND_BLOB] = OPERATOR_ID_CAST_BLOB,
                                                [OPERAND_DECIMAL] = OPERATOR_ID_CAST_NUMERIC};
  /* MariaDB rounds CAST(... AS CHAR) where a number is wanted, which is not modelled. */
  if (generator->is_mysql && want == OPERAND_TEXT && draw_chance(generator, 80))
    return draw_leaf(generator, scope, want);
  /* A subquery's NUMERIC column would give its values another affinity. */
  if (generator->is_sqlite && generator->is_modelled && want == OPERAND_DECIMAL)
    return draw_leaf(generator, scope, want);
  emit(generator, "CAST(");
  Operand operand =
      draw_operand(generator, scope, draw_cast_source(generator, want), depth - 1, draw_bareness(generator));
  emit(generator, " AS %s)", cast_words(generator, want));
  if (operand.is_sure && (want <= OPERAND_BLOB || want == OPERAND_DECIMAL))
    cover_operator(generator, ids[want], operand.type, 0);
  if (operand.is_sure && operand.type == OPERAND_NULL) return operand;
  return (Operand){want, operand.is_sure && want != OPERAND_DECIMAL};
}

/* One row by construction: an aggregate, or the first of a total order. */
static Operand draw_scalar_subquery(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  cover_feature(generator, FEATURE_SUBQUERY_SCALAR);
  emit(generator, "(");
  if (draw_chance(generator, 30)) {
    QueryShape shape = {
        .column_count = 1, .types = {want}, .is_nested = true, .is_simple = true, .forbids_order = true};
    draw_query(generator, scope, &shape, depth - 1);
    emit(generator, " ORDER BY 1 LIMIT 1)");
    return (Operand){want, false};
  }
  Scope inner = {.outer = scope, .forbids_bare = true};
  size_t start = generator->text.count;
  draw_sources(generator, &inner, depth - 1);
  size_t sources_end = generator->text.count;
  inner.is_grouped = true;
  draw_aggregate(generator, &inner, want, depth - 1);
  inner.is_grouped = false;
  size_t middle = generator->text.count;
  emit(generator, "SELECT ");
  emit_again(generator, sources_end, middle - sources_end);
  emit(generator, " FROM ");
  emit_again(generator, start, sources_end - start);
  text_settle(generator, start, middle);
  if (draw_chance(generator, 60)) {
    emit(generator, " WHERE ");
    draw_condition(generator, &inner, depth - 1);
  }
  emit(generator, ")");
  return (Operand){want, false};
}

Operand draw_expression(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  Operand operand;
  if (want == OPERAND_NULL) want = draw_type(generator);
  if (depth == 0 || draw_chance(generator, 25)) return draw_leaf(generator, scope, want);
  if (want == OPERAND_BOOLEAN) return draw_condition(generator, scope, depth);
  uint32_t dice = draw_below(generator, 100);
  if (dice < 40 && (type_is_numeric(want) || want == OPERAND_TEXT))
    return draw_operator(generator, scope, want, depth);
  if (dice < 48 && type_is_numeric(want)) return draw_prefix(generator, scope, want, depth);
  if (dice < 58) return draw_case(generator, scope, want, depth);
  if (dice < 68) return draw_cast(generator, scope, want, depth);
  if (dice < 74 && scope_may_hold_subquery(scope)) return draw_scalar_subquery(generator, scope, want, depth);
  if (dice < 78 && !generator->is_strict && !(generator->is_mysql && want == OPERAND_DATE))
    return draw_condition(generator, scope, depth);
  if (draw_function(generator, scope, want, depth, &operand)) return operand;
  return draw_leaf(generator, scope, want);
}
