/* generate_source.c: the FROM clause: tables, views, subqueries and WITH queries, joined in every way. */
#include "src/live/generate_draw.h"

bool scope_may_hold_subquery(const Scope *scope) {
  for (; scope; scope = scope->outer)
    if (scope->forbids_subqueries || scope->is_grouped) return false;
  return true;
}

static void scope_add(Scope *scope, const char *source, const char *name, OperandType type) {
  if (scope->count == SCOPE_LIMIT) return;
  ScopeColumn *column = &scope->columns[scope->count++];
  snprintf(column->source, sizeof column->source, "%s", source);
  snprintf(column->name, sizeof column->name, "%s", name);
  column->type = type;
}

void scope_add_table(Scope *scope, const char *source, const DrawnTable *table) {
  for (uint32_t i = 0; i < table->column_count; i++)
    scope_add(scope, source, table->columns[i].name, table->columns[i].type);
}

static uint32_t scope_count_name(const Scope *scope, const char *name, uint32_t end, bool merged_only) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < end; i++)
    count += !strcmp(scope->columns[i].name, name) && (!merged_only || !*scope->columns[i].source);
  return count;
}

/* A name that stands for one column, or for the one merged by USING, needs no qualifier. */
void scope_mark_unique(Scope *scope) {
  for (uint32_t i = 0; i < scope->count; i++)
    scope->columns[i].is_unique = scope_count_name(scope, scope->columns[i].name, scope->count, false) == 1;
}

const DrawnTable *draw_table(Generator *generator, bool views_too) {
  uint32_t count = generator->schema.table_count;
  if (!count) return NULL;
  uint32_t start = draw_below(generator, count);
  for (uint32_t i = 0; i < count; i++) {
    const DrawnTable *table = &generator->schema.tables[(start + i) % count];
    if (views_too || !table->is_view) return table;
  }
  return NULL;
}

void shape_name(Generator *generator, QueryShape *shape) {
  shape->first_name = generator->next_alias + 1;
  generator->next_alias += shape->column_count + 1;
}

void shape_to_table(const Generator *generator, size_t start, const QueryShape *shape, const char *name,
                    DrawnTable *table) {
  memset(table, 0, sizeof *table);
  table->holds_subquery = strstr(generator->text.items + start, "(SELECT") != NULL;
  snprintf(table->name, sizeof table->name, "%s", name);
  table->column_count = shape->column_count;
  for (uint32_t i = 0; i < shape->column_count; i++) {
    snprintf(table->columns[i].name, sizeof table->columns[i].name, "c%u", (shape->first_name + i) % 100000);
    table->columns[i].type = shape->types[i];
  }
}

/* (SELECT ...): no row of it depends on the sources beside it. */
static void draw_derived(Generator *generator, DrawnTable *table, uint32_t depth) {
  QueryShape shape = draw_shape(generator, 1 + draw_below(generator, 3));
  shape.is_nested = true;
  shape_name(generator, &shape);
  emit(generator, "(");
  size_t start = generator->text.count;
  generator->big_depth++;
  draw_query(generator, NULL, &shape, depth - 1);
  generator->big_depth--;
  emit(generator, ")");
  shape_to_table(generator, start, &shape, "", table);
  cover_feature(generator, FEATURE_FROM_SELECT);
}

static void note_table(Generator *generator, Scope *scope, const char *name) {
  for (uint32_t i = 0; i < scope->table_count; i++)
    if (!strcmp(scope->tables[i], name)) cover_feature(generator, FEATURE_JOIN_SELF);
  if (scope->table_count < 3) snprintf(scope->tables[scope->table_count++], NAME_SIZE, "%s", name);
}

/* One source with its alias; *table tells its columns. */
static void draw_source(Generator *generator, Scope *scope, DrawnTable *table, char alias[NAME_SIZE],
                        uint32_t depth) {
  bool may_be_big = !scope->has_big_source && (!generator->big_depth || draw_chance(generator, 10));
  const DrawnTable *drawn = draw_table(generator, may_be_big);
  snprintf(alias, NAME_SIZE, "s%u", generator->next_alias++ % 100000);
  if (!drawn || (depth > 0 && may_be_big && !scope->forbids_joins && draw_chance(generator, 12))) {
    draw_derived(generator, table, depth ? depth : 1);
    scope->has_big_source = true;
  } else if (generator->with_count && may_be_big && draw_chance(generator, 60)) {
    *table = generator->with[draw_below(generator, generator->with_count)];
    emit(generator, "%s", table->name);
    cover_feature(generator, FEATURE_FROM_WITH);
    scope->has_big_source = true;
  } else {
    *table = *drawn;
    emit(generator, "%s", table->name);
    scope->has_big_source |= table->is_view;
    if (table->is_view)
      cover_feature(generator, FEATURE_FROM_VIEW);
    else
      note_table(generator, scope, table->name);
  }
  emit(generator, draw_chance(generator, 50) ? " AS %s" : " %s", alias);
}

typedef struct JoinForm {
  const char *words;
  Feature on, using;
  bool needs_equality; /* postgresql: FULL */
} JoinForm;

static const JoinForm join_forms[] = {{"JOIN", FEATURE_JOIN_INNER, FEATURE_JOIN_INNER_USING, false},
                                      {"INNER JOIN", FEATURE_JOIN_INNER, FEATURE_JOIN_INNER_USING, false},
                                      {"LEFT JOIN", FEATURE_JOIN_LEFT, FEATURE_JOIN_LEFT_USING, false},
                                      {"LEFT OUTER JOIN", FEATURE_JOIN_LEFT, FEATURE_JOIN_LEFT_USING, false},
                                      {"RIGHT JOIN", FEATURE_JOIN_RIGHT, FEATURE_JOIN_RIGHT_USING, false},
                                      {"FULL JOIN", FEATURE_JOIN_FULL, FEATURE_JOIN_FULL_USING, true}};

/* The columns from `first` on are the right side's.  Fills names with the common ones that both sides have
 * exactly once; false: some common name cannot be merged. */
static bool common_names(const Generator *generator, const Scope *scope, uint32_t first, const char *names[],
                         uint32_t *count) {
  *count = 0;
  for (uint32_t i = first; i < scope->count; i++) {
    const char *name = scope->columns[i].name;
    uint32_t plain = scope_count_name(scope, name, first, false),
             merged = scope_count_name(scope, name, first, true);
    if (!plain) continue;
    if (plain > 1 && merged != 1) return false;
    for (uint32_t j = 0; generator->is_strict && j < first; j++)
      if (!strcmp(scope->columns[j].name, name) && scope->columns[j].type != scope->columns[i].type)
        return false;
    names[(*count)++] = name;
  }
  return true;
}

static void scope_merge(Scope *scope, const char *name) {
  OperandType type = OPERAND_INTEGER;
  for (uint32_t i = 0; i < scope->count; i++) {
    if (strcmp(scope->columns[i].name, name)) continue;
    type = scope->columns[i].type;
    if (!*scope->columns[i].source) return;
  }
  char copy[NAME_SIZE];
  snprintf(copy, sizeof copy, "%s", name);
  scope_add(scope, "", copy, type);
}

/* A merged name that the newest source has again, unmerged, is ambiguous from here on. */
static void scope_unmerge(Scope *scope, uint32_t first, const char *const *kept, uint32_t kept_count) {
  for (uint32_t i = 0; i < scope->count; i++) {
    bool is_kept = *scope->columns[i].source, is_again = false;
    for (uint32_t j = 0; j < kept_count; j++) is_kept |= !strcmp(kept[j], scope->columns[i].name);
    for (uint32_t j = first; j < scope->count; j++)
      is_again |= *scope->columns[j].source && !strcmp(scope->columns[j].name, scope->columns[i].name);
    if (is_kept || !is_again) continue;
    scope->has_lost_name = true;
    memmove(&scope->columns[i], &scope->columns[i + 1], sizeof(ScopeColumn) * (--scope->count - i));
    i--;
    first--;
  }
}

/* Returns whether there is more than an equality of columns: it may be constant. */
static bool draw_on(Generator *generator, Scope *scope, uint32_t first, bool needs_equality, uint32_t depth) {
  emit(generator, " ON ");
  const ScopeColumn *left = &scope->columns[draw_below(generator, first)];
  const ScopeColumn *right = &scope->columns[first + draw_below(generator, scope->count - first)];
  bool fits = *left->source && *right->source && (!generator->is_strict || left->type == right->type);
  if (fits && (needs_equality || draw_chance(generator, 60))) {
    emit(generator, "%s.%s = %s.%s", left->source, left->name, right->source, right->name);
    if (needs_equality || draw_chance(generator, 75)) return false;
    emit(generator, " AND ");
  } else if (needs_equality) {
    emit(generator, "TRUE");
    return true;
  }
  bool forbids = scope->forbids_subqueries;
  scope->forbids_subqueries = forbids || draw_chance(generator, 90);
  scope->qualifies = true;
  draw_condition(generator, scope, depth ? 1 + draw_below(generator, 2) : 1);
  scope->qualifies = false;
  scope->forbids_subqueries = forbids;
  return true;
}

/* The source is drawn before the words that join it: whether USING and NATURAL fit depends on its columns. */
static void join_words(Generator *generator, const char *words, size_t start, size_t middle) {
  emit(generator, " %s ", words);
  emit_again(generator, start, middle - start);
  text_settle(generator, start, middle);
}

/* SQLite 3.40 drops rows of outer joins whose ON is constant, or becomes so when a subquery is put in place.
 */
static bool on_needs_equality(const Generator *generator, const Scope *scope, const JoinForm *form) {
  if (generator->is_postgres) return form->needs_equality;
  if (!generator->is_sqlite || form->on == FEATURE_JOIN_INNER) return false;
  return form->on != FEATURE_JOIN_LEFT || scope->has_big_source;
}

/* Returns whether more joins may follow. */
static bool draw_join(Generator *generator, Scope *scope, uint32_t depth) {
  DrawnTable table;
  char alias[NAME_SIZE], copies[COLUMN_LIMIT + 1][NAME_SIZE];
  const JoinForm *form = &join_forms[draw_below(generator, generator->is_mysql ? 5 : 6)];
  bool is_right = form->on == FEATURE_JOIN_RIGHT || form->on == FEATURE_JOIN_FULL;
  if (is_right && scope->has_inner_condition) form = &join_forms[0], is_right = false;
  size_t start = generator->text.count;
  draw_source(generator, scope, &table, alias, depth);
  size_t middle = generator->text.count;
  uint32_t first = scope->count, common_count, dice = draw_below(generator, 100);
  const char *common[COLUMN_LIMIT + 1];
  scope_add_table(scope, alias, &table);
  /* MariaDB 10.11 shows the constants of a view or subquery where an outer join found no row of it. */
  bool is_inner = generator->is_mysql && generator->is_modelled && scope->has_big_source;
  if (is_inner) form = &join_forms[0], is_right = false;
  /* SQLite 3.40 evaluates a scalar subquery inside the right side of a LEFT JOIN once, and NULL if it was too
   * early. */
  if (generator->is_sqlite && table.holds_subquery && form->on == FEATURE_JOIN_LEFT) form = &join_forms[0];
  bool can_merge =
      common_names(generator, scope, first, common, &common_count) && common_count && !scope->has_outer_join;
  for (uint32_t i = 0; i < common_count; i++) common[i] = strcpy(copies[i], common[i]);
  bool is_natural = dice < 14 && can_merge, is_using = !is_natural && dice < 37 && can_merge,
       is_cross = dice >= 92;
  if (is_using) {
    common[0] = common[draw_below(generator, common_count)];
    common_count = 1;
  } else if (!is_natural) {
    common_count = 0;
  }
  scope_unmerge(scope, first, common, common_count);
  first = scope->count - table.column_count;
  scope_mark_unique(scope);
  if (is_natural) {
    bool is_left = draw_chance(generator, 40) && !is_inner && !(generator->is_sqlite && table.holds_subquery);
    join_words(generator, is_left ? "NATURAL LEFT JOIN" : "NATURAL JOIN", start, middle);
    cover_feature(generator, is_left ? FEATURE_JOIN_NATURAL_LEFT : FEATURE_JOIN_NATURAL);
    scope->has_outer_join |= is_left;
  } else if (is_cross) {
    join_words(generator, "CROSS JOIN", start, middle);
    cover_feature(generator, FEATURE_JOIN_CROSS);
  } else {
    join_words(generator, form->words, start, middle);
    bool has_condition = false;
    if (is_using)
      emit(generator, " USING (%s)", common[0]);
    else
      has_condition = draw_on(generator, scope, first, on_needs_equality(generator, scope, form), depth);
    cover_feature(generator, is_using ? form->using : form->on);
    scope->has_outer_join |= form->on != FEATURE_JOIN_INNER;
    scope->has_inner_condition |= has_condition && form->on == FEATURE_JOIN_INNER;
  }
  for (uint32_t i = 0; i < common_count; i++) scope_merge(scope, common[i]);
  scope_mark_unique(scope);
  return !is_right || !is_using || generator->is_sqlite;
}

void draw_sources(Generator *generator, Scope *scope, uint32_t depth) {
  DrawnTable table;
  char alias[NAME_SIZE];
  draw_source(generator, scope, &table, alias, depth);
  scope_add_table(scope, alias, &table);
  scope_mark_unique(scope);
  uint32_t dice = draw_below(generator, 100);
  uint32_t more = dice < 55 || scope->forbids_joins ? 0 : dice < 88 ? 1 : 2;
  bool with_commas = draw_chance(generator, 20);
  for (uint32_t i = 0; i < more; i++) {
    if (!with_commas) {
      if (!draw_join(generator, scope, depth)) return;
      continue;
    }
    emit(generator, ", ");
    draw_source(generator, scope, &table, alias, depth);
    scope_add_table(scope, alias, &table);
    scope_mark_unique(scope);
    cover_feature(generator, FEATURE_JOIN_COMMA);
  }
}
