/* ast_print_query.c: queries as text. */
#include "src/sql/print.h"

void print_orders(Printer *printer, const OrderTerm *terms, uint32_t count) {
  static const char *const NULLS[] = {"", " NULLS FIRST", " NULLS LAST"};
  for (uint32_t i = 0; i < count; i++) {
    print_text(printer, i ? ", " : " ORDER BY ");
    print_expr(printer, terms[i].expr);
    if (terms[i].descending) print_text(printer, " DESC");
    print_text(printer, NULLS[terms[i].nulls]);
  }
}

void print_items(Printer *printer, const SelectItem *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) print_text(printer, ", ");
    print_expr(printer, items[i].expr);
    if (!items[i].alias) continue;
    print_text(printer, " AS ");
    print_name(printer, items[i].alias);
  }
}

static void print_join(Printer *printer, const From *from) {
  static const char *const WORDS[] = {[JOIN_CROSS] = "CROSS JOIN ",
                                      [JOIN_INNER] = "JOIN ",
                                      [JOIN_LEFT] = "LEFT JOIN ",
                                      [JOIN_RIGHT] = "RIGHT JOIN ",
                                      [JOIN_FULL] = "FULL JOIN "};
  print_text(printer, "(");
  print_from(printer, from->left);
  print_text(printer, from->natural ? " NATURAL " : " ");
  print_text(printer, WORDS[from->join]);
  print_from(printer, from->right);
  if (from->on) {
    print_text(printer, " ON ");
    print_expr(printer, from->on);
  }
  if (from->using_columns.count) {
    print_text(printer, " USING (");
    print_names(printer, &from->using_columns);
    print_text(printer, ")");
  }
  print_text(printer, ")");
}

void print_from(Printer *printer, const From *from) {
  if (from->kind == FROM_JOIN) {
    print_join(printer, from);
    return;
  }
  if (from->kind == FROM_SELECT) {
    print_text(printer, "(");
    print_select(printer, from->select);
    print_text(printer, ")");
  } else {
    if (from->schema_name) {
      print_name(printer, from->schema_name);
      print_text(printer, ".");
    }
    print_name(printer, from->name);
  }
  if (!from->alias) return;
  print_text(printer, " AS ");
  print_name(printer, from->alias);
  if (!from->column_aliases.count) return;
  print_text(printer, "(");
  print_names(printer, &from->column_aliases);
  print_text(printer, ")");
}

static void print_with(Printer *printer, const Select *select) {
  if (!select->with.count) return;
  print_text(printer, select->is_recursive ? "WITH RECURSIVE " : "WITH ");
  for (uint32_t i = 0; i < select->with.count; i++) {
    const WithQuery *query = &select->with.items[i];
    if (i) print_text(printer, ", ");
    print_name(printer, query->name);
    if (query->columns.count) {
      print_text(printer, "(");
      print_names(printer, &query->columns);
      print_text(printer, ")");
    }
    print_text(printer, " AS (");
    print_select(printer, query->select);
    print_text(printer, ")");
  }
  print_text(printer, " ");
}

void print_part(Printer *printer, const char *word, const Expr *expr) {
  if (!expr) return;
  print_text(printer, word);
  print_expr(printer, expr);
}

static void print_into(Printer *printer, const NameList *into) {
  if (!into->count) return;
  print_text(printer, " INTO ");
  print_names(printer, into);
}

static void print_simple(Printer *printer, const Select *select) {
  print_text(printer, select->distinct ? "SELECT DISTINCT " : "SELECT ");
  print_items(printer, select->items.items, select->items.count);
  print_into(printer, &select->into);
  if (select->from) {
    print_text(printer, " FROM ");
    print_from(printer, select->from);
  }
  print_part(printer, " WHERE ", select->where);
  if (select->group_by.count) {
    print_text(printer, " GROUP BY ");
    print_exprs(printer, select->group_by.items, select->group_by.count);
  }
  print_part(printer, " HAVING ", select->having);
}

static void print_values(Printer *printer, const RowList *rows) {
  print_text(printer, "VALUES ");
  for (uint32_t i = 0; i < rows->count; i++) {
    print_text(printer, i ? ", (" : "(");
    print_exprs(printer, rows->items[i].items, rows->items[i].count);
    print_text(printer, ")");
  }
}

static void print_compound(Printer *printer, const Select *select) {
  static const char *const WORDS[] = {[SELECT_UNION] = ") UNION (",
                                      [SELECT_UNION_ALL] = ") UNION ALL (",
                                      [SELECT_INTERSECT] = ") INTERSECT (",
                                      [SELECT_EXCEPT] = ") EXCEPT (",
                                      [SELECT_INTERSECT_ALL] = ") INTERSECT ALL (",
                                      [SELECT_EXCEPT_ALL] = ") EXCEPT ALL ("};
  print_text(printer, "(");
  print_select(printer, select->left);
  print_text(printer, WORDS[select->kind]);
  print_select(printer, select->right);
  print_text(printer, ")");
  print_into(printer, &select->into);
}

static void print_lock(Printer *printer, const LockClause *lock) {
  static const char *const WORDS[] = {[LOCK_NONE] = "",
                                      [LOCK_UPDATE] = " FOR UPDATE",
                                      [LOCK_NO_KEY_UPDATE] = " FOR NO KEY UPDATE",
                                      [LOCK_SHARE] = " FOR SHARE",
                                      [LOCK_KEY_SHARE] = " FOR KEY SHARE"};
  print_text(printer, WORDS[lock->kind]);
  if (lock->tables.count) {
    print_text(printer, " OF ");
    print_names(printer, &lock->tables);
  }
  if (lock->no_wait) print_text(printer, " NOWAIT");
  if (lock->skip_locked) print_text(printer, " SKIP LOCKED");
}

void print_select(Printer *printer, const Select *select) {
  print_with(printer, select);
  if (select->kind == SELECT_SIMPLE)
    print_simple(printer, select);
  else if (select->kind == SELECT_VALUES)
    print_values(printer, &select->values);
  else
    print_compound(printer, select);
  print_orders(printer, select->order_by.items, select->order_by.count);
  print_part(printer, " LIMIT ", select->limit);
  print_part(printer, " OFFSET ", select->offset);
  print_lock(printer, &select->lock);
}
