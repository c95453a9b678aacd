/* sql.c: grammar of what the oracle is asked. */
#include "tests/oracle/sql.h"

/* ---- Expressions --------------------------------------------------------------------- */

void literal_draw(const ModelColumn *column, Draw *draw, Text *text) {
  if (column->is_nullable && !column->is_key && draw_percent(draw, 12))
    text_add(text, "NULL");
  else if (column->is_text)
    text_add(text, "'%c'", 'a' + (char)draw_below(draw, 4));
  else
    text_add(text, "%u", (column->is_key ? 1 : 0) + draw_below(draw, column->is_key ? 5 : 6));
}

typedef struct Scope {
  const Model *model;
  Draw *draw;
  const ModelTable *table;
  const char *prefix; /* "a." or "" */
  int depth;
} Scope;

static const ModelColumn *column_draw(const Scope *scope, bool is_text) {
  for (int tries = 0; tries < 8; tries++) {
    const ModelColumn *column = &scope->table->columns[draw_below(scope->draw, scope->table->column_count)];
    if (column->is_text == is_text) return column;
  }
  return NULL;
}

static void term_draw(const Scope *scope, Text *text) {
  const ModelColumn *column = column_draw(scope, false);
  uint32_t kind = draw_below(scope->draw, 10);
  if (!column || kind < 2)
    text_add(text, "%u", draw_below(scope->draw, 6));
  else if (kind < 7)
    text_add(text, "%s%s", scope->prefix, column->name);
  else
    text_add(text, "%s%s %c %u", scope->prefix, column->name, kind < 9 ? '+' : '-',
             1 + draw_below(scope->draw, 3));
}

static void condition_draw(Scope *scope, Text *text);

static void where_draw(Scope *scope, Text *text, uint32_t percent) {
  if (!draw_percent(scope->draw, percent)) return;
  const ModelColumn *key = &scope->table->columns[0];
  if (scope->model->is_focused && key->is_key && !key->is_text &&
      draw_percent(scope->draw, scope->model->is_plain ? 30 : 60)) {
    text_add(text, " WHERE %s%s = %u", scope->prefix, key->name,
             1 + draw_below(scope->draw, scope->model->row_count));
    return;
  }
  text_add(text, " WHERE ");
  condition_draw(scope, text);
}

static const char *comparison_draw(Draw *draw) {
  static const char *const words[] = {"=", "=", "=", "<", ">", "<=", ">=", "<>"};
  return words[draw_below(draw, 8)];
}

static void subquery_draw(Scope *scope, Text *text) {
  const ModelTable *other = &scope->model->tables[draw_below(scope->draw, scope->model->table_count)];
  Scope inner = {scope->model, scope->draw, other, "x.", scope->depth + 2};
  const ModelColumn *column = column_draw(scope, false), *found = column_draw(&inner, false);
  if (!column || !found) {
    text_add(text, "1 = 1");
    return;
  }
  uint32_t kind = draw_below(scope->draw, 3);
  const char *outer = scope->prefix[0] ? scope->prefix : NULL;
  char name[16];
  snprintf(name, sizeof name, "%s.", scope->table->name);
  if (!outer) outer = name;
  if (kind == 0) {
    text_add(text, "%s%s %sIN (SELECT x.%s FROM %s AS x", scope->prefix, column->name,
             draw_percent(scope->draw, 25) ? "NOT " : "", found->name, other->name);
    where_draw(&inner, text, 40);
  } else if (kind == 1) {
    text_add(text, "%s%s %s (SELECT %s(x.%s) FROM %s AS x", scope->prefix, column->name,
             comparison_draw(scope->draw), draw_percent(scope->draw, 50) ? "MAX" : "MIN", found->name,
             other->name);
    where_draw(&inner, text, 40);
  } else {
    text_add(text, "%sEXISTS (SELECT 1 FROM %s AS x WHERE x.%s %s %s%s",
             draw_percent(scope->draw, 30) ? "NOT " : "", other->name, found->name,
             comparison_draw(scope->draw), outer, column->name);
  }
  text_add(text, ")");
}

static void simple_draw(Scope *scope, Text *text) {
  const ModelColumn *words = column_draw(scope, true), *numbers = column_draw(scope, false);
  uint32_t kind = draw_below(scope->draw, 10);
  if (scope->model->is_plain && draw_percent(scope->draw, 50)) {
    text_add(text, "%sv %s %u", scope->prefix, comparison_draw(scope->draw), draw_below(scope->draw, 6));
    return;
  }
  if (words && (kind < 3 || !numbers)) {
    text_add(text, "%s%s %s '%c'", scope->prefix, words->name, comparison_draw(scope->draw),
             'a' + (char)draw_below(scope->draw, 4));
  } else if (kind < 6) {
    text_add(text, "%s%s = %u", scope->prefix, numbers->name, draw_below(scope->draw, 6));
  } else if (kind < 8) {
    term_draw(scope, text);
    text_add(text, " %s ", comparison_draw(scope->draw));
    term_draw(scope, text);
  } else if (kind == 8) {
    text_add(text, "%s%s IS %sNULL", scope->prefix, numbers->name,
             draw_percent(scope->draw, 50) ? "NOT " : "");
  } else {
    text_add(text, "%s%s IN (%u, %u)", scope->prefix, numbers->name, draw_below(scope->draw, 6),
             draw_below(scope->draw, 6));
  }
}

static void condition_draw(Scope *scope, Text *text) {
  uint32_t kind = draw_below(scope->draw, 100);
  scope->depth++;
  if (scope->depth < 3 && kind < 20) {
    text_add(text, "(");
    condition_draw(scope, text);
    text_add(text, kind < 10 ? " AND " : " OR ");
    condition_draw(scope, text);
    text_add(text, ")");
  } else if (scope->depth < 3 && kind < 26) {
    text_add(text, "NOT (");
    condition_draw(scope, text);
    text_add(text, ")");
  } else if (scope->depth < 3 && kind < 42 && !scope->model->is_plain) {
    subquery_draw(scope, text);
  } else {
    simple_draw(scope, text);
  }
  scope->depth--;
}

/* ---- Statements ---------------------------------------------------------------------- */

static void join_draw(const Model *model, Draw *draw, Text *text) {
  const ModelTable *left = &model->tables[draw_below(draw, model->table_count)];
  const ModelTable *right = &model->tables[draw_below(draw, model->table_count)];
  Scope first = {model, draw, left, "a.", 0}, second = {model, draw, right, "b.", 0};
  const ModelColumn *one = column_draw(&first, false), *other = column_draw(&second, false);
  if (!one || !other) {
    text_add(text, "SELECT COUNT(*) FROM %s", left->name);
    return;
  }
  text_add(text, "SELECT a.%s, b.%s FROM %s AS a %sJOIN %s AS b ON a.%s %s b.%s", one->name, other->name,
           left->name, draw_percent(draw, 30) ? "LEFT " : "", right->name, one->name,
           draw_percent(draw, 70) ? "=" : "<", other->name);
  where_draw(&first, text, 40);
}

static void aggregate_draw(Scope *scope, Text *text) {
  static const char *const words[] = {"SUM", "MIN", "MAX", "COUNT"};
  const ModelColumn *column = column_draw(scope, false);
  bool is_grouped = column && draw_percent(scope->draw, 30);
  text_add(text, "SELECT ");
  if (is_grouped) text_add(text, "%s, ", column->name);
  const ModelColumn *summed = column_draw(scope, false);
  if (!summed || draw_percent(scope->draw, 35))
    text_add(text, "COUNT(*)");
  else
    text_add(text, "%s(%s)", words[draw_below(scope->draw, 4)], summed->name);
  text_add(text, " FROM %s", scope->table->name);
  where_draw(scope, text, 50);
  if (is_grouped) text_add(text, " GROUP BY %s", column->name);
  if (is_grouped && draw_percent(scope->draw, 30)) text_add(text, " HAVING COUNT(*) > 1");
}

static void select_draw(Scope *scope, Text *text) {
  const ModelTable *table = scope->table;
  uint32_t kind = draw_below(scope->draw, 100);
  if (kind < 25) {
    aggregate_draw(scope, text);
    return;
  }
  if (kind < 40 && !scope->model->is_plain) {
    join_draw(scope->model, scope->draw, text);
    return;
  }
  bool is_distinct = kind > 95;
  text_add(text, "SELECT %s", is_distinct ? "DISTINCT " : "");
  if (kind < 70) {
    text_add(text, "*");
  } else {
    text_add(text, "%s", table->columns[draw_below(scope->draw, table->column_count)].name);
    if (draw_percent(scope->draw, 50)) {
      text_add(text, ", ");
      term_draw(scope, text);
    }
  }
  text_add(text, " FROM %s", table->name);
  where_draw(scope, text, 65);
  bool is_single = table->columns[0].is_key && !table->columns[1].is_key && !table->columns[0].is_text;
  if (!is_distinct && draw_percent(scope->draw, scope->model->is_plain ? 25 : 4))
    text_add(text,
             scope->model->has_key_share && draw_percent(scope->draw, 40) ? " FOR KEY SHARE" : " FOR UPDATE");
  else if (is_single && !is_distinct && draw_percent(scope->draw, 20))
    text_add(text, " ORDER BY %s", table->columns[0].name);
}

static void insert_draw(Model *model, Scope *scope, Text *text) {
  const ModelTable *table = scope->table;
  text_add(text, "INSERT INTO %s", table->name);
  bool copies = draw_percent(scope->draw, model->is_plain ? 0 : 20) && !table->columns[0].is_text;
  if (copies) {
    for (uint32_t i = 0; i < table->column_count; i++)
      text_add(text, i ? ", %s" : " (%s", table->columns[i].name);
    for (uint32_t i = 0; i < table->column_count; i++) {
      text_add(text, i ? ", " : ") SELECT ");
      text_add(text, table->columns[i].is_key ? "%s + 2" : "%s", table->columns[i].name);
    }
    text_add(text, " FROM %s", table->name);
    where_draw(scope, text, 80);
    return;
  }
  uint32_t count = draw_percent(scope->draw, 15) ? 2 : 1;
  for (uint32_t row = 0; row < count; row++) {
    text_add(text, row ? ", (" : " VALUES (");
    for (uint32_t i = 0; i < table->column_count; i++) {
      text_add(text, i ? ", " : "");
      if (model->is_plain && table->columns[i].is_key && draw_percent(scope->draw, 85))
        text_add(text, "%d", model->next_key++);
      else
        literal_draw(&table->columns[i], scope->draw, text);
    }
    text_add(text, ")");
  }
  bool can_upsert = !model->is_plain && count == 1 && !table->columns[1].is_key &&
                    !table->columns[1].is_unique && !table->columns[1].is_reference && table->has_key;
  if (!can_upsert || draw_percent(scope->draw, 75)) return;
  text_add(text, " ON CONFLICT (%s) DO ", table->columns[0].name);
  if (draw_percent(scope->draw, 40))
    text_add(text, "NOTHING");
  else
    text_add(text, "UPDATE SET v = %s", draw_percent(scope->draw, 50) ? "excluded.v" : "3");
}

static void key_is_drawn(Scope *scope, Text *text) {
  bool is_first = true;
  for (uint32_t i = 0; i < scope->table->column_count; i++)
    if (scope->table->columns[i].is_key) {
      text_add(text, is_first ? " WHERE %s = " : " AND %s = ", scope->table->columns[i].name);
      literal_draw(&scope->table->columns[i], scope->draw, text);
      is_first = false;
    }
}

static void update_draw(Scope *scope, Text *text) {
  const ModelTable *table = scope->table;
  const ModelColumn *column = &table->columns[draw_below(scope->draw, table->column_count)];
  if (column->is_key && (scope->model->is_plain || scope->model->keeps_keys || draw_percent(scope->draw, 70)))
    column = &table->columns[table->column_count - 1];
  bool is_unique = column->is_key || column->is_unique;
  text_add(text, "UPDATE %s SET %s = ", table->name, column->name);
  if (column->is_text || column->is_reference || draw_percent(scope->draw, 40))
    literal_draw(column, scope->draw, text);
  else if (draw_percent(scope->draw, 12))
    text_add(text, "%s", column->name);
  else if (scope->model->is_focused && draw_percent(scope->draw, 60))
    text_add(text, "%s + %u", column->name, 1 + draw_below(scope->draw, 3));
  else
    term_draw(scope, text);
  const ModelColumn *second = &table->columns[table->column_count - 1];
  if (!is_unique && second != column && !second->is_key && !second->is_unique && !second->is_reference &&
      draw_percent(scope->draw, 20)) {
    text_add(text, ", %s = ", second->name);
    literal_draw(second, scope->draw, text);
  }
  if (is_unique)
    key_is_drawn(scope, text);
  else
    where_draw(scope, text, 85);
}

void statement_draw(Model *model, Draw *draw, Text *text) {
  Scope scope = {model, draw, &model->tables[draw_below(draw, model->table_count)], "", 0};
  uint32_t kind = draw_below(draw, 100);
  text->length = 0;
  if (kind < 48 || (model->keeps_keys && kind >= 78 && kind < 90)) {
    select_draw(&scope, text);
    return;
  }
  if (kind < 78) {
    update_draw(&scope, text);
  } else if (kind < 90) {
    insert_draw(model, &scope, text);
  } else {
    text_add(text, "DELETE FROM %s", scope.table->name);
    where_draw(&scope, text, 92);
  }
  if (!model->is_plain && draw_percent(draw, 8)) text_add(text, " RETURNING *");
}
