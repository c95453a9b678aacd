/* resolve_insert.c: INSERT: target columns, rows, upserts.
 *
 * Literals that are inserted stay untyped: storing them converts them.  An upsert's
 * assignments see two rows: source 0, the one in the table, and source 1, the one that was to be inserted. */
#include "src/sql/resolve_internal.h"

static bool insert_column(Resolver *resolver, Insert *insert, uint32_t place, uint32_t offset) {
  const char *name = insert->columns.items[place];
  int32_t column = table_column(insert->table, name);
  if (column < 0) return write_column_missing(resolver, insert->table, name, offset);
  for (uint32_t i = 0; i < place; i++) {
    if (insert->targets[i] != (uint32_t)column) continue;
    if (dialect_is_sqlite(resolver->dialect))
      return resolver_unmodelled(resolver, offset, "column '%s' is listed twice", name);
    return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, offset, "column '%s' is listed twice", name);
  }
  insert->targets[place] = (uint32_t)column;
  return true;
}

static bool insert_targets(Resolver *resolver, Insert *insert, uint32_t offset) {
  uint32_t listed = insert->columns.count, count = listed ? listed : insert->table->column_count;
  insert->targets = ARENA_ARRAY(resolver->arena, uint32_t, count);
  insert->target_count = insert->default_values ? 0 : count;
  for (uint32_t i = 0; i < listed; i++)
    if (!insert_column(resolver, insert, i, offset)) return false;
  for (uint32_t i = 0; !listed && i < count; i++) insert->targets[i] = i;
  return true;
}

/* Without a column list PostgreSQL fills as many columns as there are values. */
static bool insert_width(Resolver *resolver, Insert *insert, uint32_t width, uint32_t offset) {
  if (width == insert->target_count) return true;
  if (width < insert->target_count && !insert->columns.count && dialect_is_postgres(resolver->dialect)) {
    insert->target_count = width;
    return true;
  }
  return resolver_fail(resolver, ERROR_TYPE, offset, "INSERT has %u values for %u columns of '%s'", width,
                       insert->target_count, insert->table->name);
}

static bool insert_select(Resolver *resolver, Insert *insert, uint32_t offset) {
  Select *select = insert->select;
  bool is_list = select->kind == SELECT_VALUES && !select->with.count;
  if (is_list) {
    select->id = resolver->statement->block_count++;
    resolver->inserted = insert->table;
    bool fits = insert_width(resolver, insert, select->values.items[0].count, offset) &&
                values_resolve(resolver, NULL, select, insert->table, insert->targets);
    resolver->inserted = NULL;
    return fits;
  }
  resolver->keeps_unknown = true;
  bool done = select_resolve(resolver, NULL, select);
  resolver->keeps_unknown = false;
  if (!done || !insert_width(resolver, insert, select_width(select), offset)) return false;
  for (uint32_t i = 0; i < insert->target_count; i++) {
    const Column *column = &insert->table->columns[insert->targets[i]];
    Expr *output = select->outputs.items[i].expr;
    Expr *stand_in = RESOLVE_NEW(resolver, EXPR_SCALAR, offset); /* a compound's column has no expression */
    stand_in->type = select->output_types[i];
    if (!value_assign(resolver, output ? &output : &stand_in, column)) return false;
  }
  return true;
}

static bool names_columns(const NameList *names, const Table *table, const Index *index) {
  if (!index->unique || index->is_dropped || index->column_count != names->count) return false;
  for (uint32_t i = 0; i < names->count; i++) {
    bool found = false;
    for (uint32_t j = 0; j < index->column_count; j++)
      found |= (int32_t)index->columns[j] == table_column(table, names->items[i]);
    if (!found) return false;
  }
  return true;
}

/* ON CONFLICT (columns) needs a unique index over exactly these; ON CONSTRAINT one of that name. */
static bool conflict_target(Resolver *resolver, const Insert *insert, uint32_t offset) {
  const Table *table = insert->table;
  for (uint32_t i = 0; i < insert->conflict_columns.count; i++)
    if (table_column(table, insert->conflict_columns.items[i]) < 0)
      return write_column_missing(resolver, table, insert->conflict_columns.items[i], offset);
  if (!insert->conflict_columns.count && !insert->conflict_constraint) return true;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (insert->conflict_columns.count && names_columns(&insert->conflict_columns, table, index)) return true;
    if (insert->conflict_constraint && !index->is_dropped &&
        table_name_is(resolver, index->name, insert->conflict_constraint))
      return true;
  }
  if (insert->conflict_constraint)
    return resolver_fail(resolver, ERROR_NO_OBJECT, offset, "no constraint '%s' on '%s'",
                         insert->conflict_constraint, table->name);
  return resolver_fail(resolver, ERROR_TYPE, offset, "no unique constraint on '%s' matches ON CONFLICT",
                       table->name);
}

static bool is_column(const Expr *expr) { return expr->kind == EXPR_COLUMN; }

/* mysql: after INSERT ... SELECT, the assignments also see the query's tables. */
static bool sees_query(const Resolver *resolver, const Insert *insert) {
  if (!dialect_is_mysql(resolver->dialect) || insert->select->kind == SELECT_VALUES) return false;
  for (uint32_t i = 0; i < insert->assignments.count; i++)
    if (expr_has(insert->assignments.items[i].value, is_column)) return true;
  return false;
}

static bool insert_assignments(Resolver *resolver, Insert *insert, Scope *scope) {
  for (uint32_t i = 0; i < insert->assignments.count; i++) {
    Assignment *assignment = &insert->assignments.items[i];
    int32_t column = table_column(insert->table, assignment->name);
    if (column < 0)
      return write_column_missing(resolver, insert->table, assignment->name, assignment->offset);
    assignment->column = (uint32_t)column;
    if (!assignment_is_new(resolver, &insert->assignments, i)) return false;
    if (!assignment_value(resolver, scope, assignment, &insert->table->columns[column])) return false;
  }
  scope->clause = CLAUSE_WHERE;
  return condition_resolve(resolver, scope, &insert->conflict_where);
}

/* Source 0 is the row in the table, source 1 the one that was to be inserted. In mysql an alias names the
 * latter. */
static bool insert_conflict(Resolver *resolver, Insert *insert, uint32_t offset) {
  if (!conflict_target(resolver, insert, offset)) return false;
  if (insert->conflict != CONFLICT_UPDATE && insert->conflict != CONFLICT_DUPLICATE_KEY) return true;
  if (insert->select && sees_query(resolver, insert))
    return resolver_unmodelled(resolver, offset,
                               "columns in ON DUPLICATE KEY UPDATE after INSERT ... SELECT");
  resolver_reads(resolver, insert->table);
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  const char *own = insert->alias && !is_mysql ? insert->alias : insert->table_name;
  const char *excluded = is_mysql ? insert->alias : "excluded";
  Select *block = insert->scope = write_block(resolver);
  VisibleList visible = {0};
  if (!source_add_table(resolver, block, NULL, insert->table, own)) return false;
  if (!source_add_table(resolver, block, NULL, insert->table, excluded)) return false;
  source_visible(resolver, block, 0, &visible);
  source_visible(resolver, block, 1, &visible);
  Scope scope = {.block = block, .visible = &visible, .end_source = 2, .clause = CLAUSE_SET};
  scope.prefers_first = resolver->dialect->name != DIALECT_POSTGRESQL;
  return insert_assignments(resolver, insert, &scope);
}

bool insert_resolve(Resolver *resolver, Statement *statement) {
  Insert *insert = statement->insert;
  insert->table = write_target(resolver, insert->table_name, statement->offset);
  if (!insert->table) return false;
  resolver_writes(resolver, insert->table);
  if (!insert_targets(resolver, insert, statement->offset)) return false;
  if (!insert->default_values && !insert_select(resolver, insert, statement->offset)) return false;
  if (!insert_conflict(resolver, insert, statement->offset)) return false;
  const char *name =
      insert->alias && !dialect_is_mysql(resolver->dialect) ? insert->alias : insert->table_name;
  return write_returning(resolver, insert->table, name, insert->returning.items, insert->returning.count,
                         &insert->returning_scope);
}
