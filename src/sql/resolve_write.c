/* resolve_write.c: INSERT, UPDATE and DELETE: targets, assignments, RETURNING.
 *
 * Each becomes a block: the scope holds the tables as sources with WHERE, ORDER BY and
 * LIMIT; assignments are resolved inside it.  RETURNING is a block of its own over
 * the row that was written. */
#include "src/sql/resolve_internal.h"

/* ---- What they share ----------------------------------------------------------------------- */

static Table *target_find(Resolver *resolver, const char *name, uint32_t offset) {
  Table *table = schema_table(resolver->schema, name);
  if (table) return table;
  if (schema_view(resolver->schema, name)) resolver_unmodelled(resolver, offset, "writing through view '%s'", name);
  else table_missing(resolver, NULL, name, offset);
  return NULL;
}

static bool column_missing(Resolver *resolver, const Table *table, const char *name, uint32_t offset) {
  Select block = {0};
  Scope scope = {.block = &block};
  source_add_table(resolver, &block, NULL, (Table *)table, table->name);
  return resolver_fail(resolver, ERROR_NO_COLUMN, offset, "unknown column '%s' of table '%s'%s", name, table->name,
                       name_suggest_column(resolver, &scope, name));
}

static Select *block_new(Resolver *resolver) {
  Select *block = ARENA_NEW(resolver->arena, Select);
  block->id = resolver->statement->block_count++;
  return block;
}

static bool returning_resolve(Resolver *resolver, Table *table, const char *name, const SelectItem *items, uint32_t count,
                              Select **result) {
  if (count == 0) return true;
  Select *block = block_new(resolver);
  VisibleList visible = {0};
  if (!source_add_table(resolver, block, NULL, table, name)) return false;
  source_visible(resolver, block, 0, &visible);
  Scope scope = {.block = block, .visible = &visible, .end_source = 1, .clause = CLAUSE_RETURNING};
  if (!outputs_resolve(resolver, &scope, block, items, count) || !outputs_settle(resolver, block)) return false;
  *result = block;
  return true;
}

/* PostgreSQL takes a column once; mysql assigns left to right; in sqlite the last one wins. */
static bool assignment_is_new(Resolver *resolver, const AssignmentList *list, uint32_t place) {
  const Assignment *assignment = &list->items[place];
  if (resolver->dialect->name != DIALECT_POSTGRESQL) return true;
  for (uint32_t i = 0; i < place; i++)
    if (list->items[i].target == assignment->target && list->items[i].column == assignment->column)
      return resolver_fail(resolver, ERROR_SYNTAX, assignment->offset, "column '%s' is assigned twice", assignment->name);
  return true;
}

static bool assignment_value(Resolver *resolver, Scope *scope, Assignment *assignment, const Column *column) {
  if (assignment->value->kind == EXPR_DEFAULT) {
    assignment->value->type = column->type;
    return true;
  }
  return expr_resolve(resolver, scope, &assignment->value) && value_assign(resolver, &assignment->value, column);
}

/* ---- INSERT ---------------------------------------------------------------------------------- */

static bool insert_column(Resolver *resolver, Insert *insert, uint32_t place, uint32_t offset) {
  const char *name = insert->columns.items[place];
  int32_t column = table_column(insert->table, name);
  if (column < 0) return column_missing(resolver, insert->table, name, offset);
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
    return insert_width(resolver, insert, select->values.items[0].count, offset) &&
           values_resolve(resolver, NULL, select, insert->table, insert->targets);
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
      return column_missing(resolver, table, insert->conflict_columns.items[i], offset);
  if (!insert->conflict_columns.count && !insert->conflict_constraint) return true;
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (insert->conflict_columns.count && names_columns(&insert->conflict_columns, table, index)) return true;
    if (insert->conflict_constraint && !index->is_dropped && table_name_is(resolver, index->name, insert->conflict_constraint))
      return true;
  }
  if (insert->conflict_constraint)
    return resolver_fail(resolver, ERROR_NO_OBJECT, offset, "no constraint '%s' on '%s'", insert->conflict_constraint, table->name);
  return resolver_fail(resolver, ERROR_TYPE, offset, "no unique constraint on '%s' matches ON CONFLICT", table->name);
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
    if (column < 0) return column_missing(resolver, insert->table, assignment->name, assignment->offset);
    assignment->column = (uint32_t)column;
    if (!assignment_is_new(resolver, &insert->assignments, i)) return false;
    if (!assignment_value(resolver, scope, assignment, &insert->table->columns[column])) return false;
  }
  scope->clause = CLAUSE_WHERE;
  return condition_resolve(resolver, scope, &insert->conflict_where);
}

/* Source 0 is the row in the table, source 1 the one that was to be inserted. In mysql an alias names the latter. */
static bool insert_conflict(Resolver *resolver, Insert *insert, uint32_t offset) {
  if (!conflict_target(resolver, insert, offset)) return false;
  if (insert->conflict != CONFLICT_UPDATE && insert->conflict != CONFLICT_DUPLICATE_KEY) return true;
  if (insert->select && sees_query(resolver, insert))
    return resolver_unmodelled(resolver, offset, "columns in ON DUPLICATE KEY UPDATE after INSERT ... SELECT");
  resolver_reads(resolver, insert->table);
  bool is_mysql = dialect_is_mysql(resolver->dialect);
  const char *own = insert->alias && !is_mysql ? insert->alias : insert->table_name;
  const char *excluded = is_mysql ? insert->alias : "excluded";
  Select *block = insert->scope = block_new(resolver);
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
  insert->table = target_find(resolver, insert->table_name, statement->offset);
  if (!insert->table) return false;
  resolver_writes(resolver, insert->table);
  if (!insert_targets(resolver, insert, statement->offset)) return false;
  if (!insert->default_values && !insert_select(resolver, insert, statement->offset)) return false;
  if (!insert_conflict(resolver, insert, statement->offset)) return false;
  const char *name = insert->alias && !dialect_is_mysql(resolver->dialect) ? insert->alias : insert->table_name;
  return returning_resolve(resolver, insert->table, name, insert->returning.items, insert->returning.count,
                           &insert->returning_scope);
}

/* ---- UPDATE and DELETE ------------------------------------------------------------------------- */

/* The block of a statement that finds its rows; conditions are resolved by scope_conditions. */
static bool scope_tables(Resolver *resolver, Select *block, Scope *scope, VisibleList *visible) {
  *scope = (Scope){.block = block, .clause = CLAUSE_FROM};
  if (!from_resolve(resolver, scope, block->from, visible)) return false;
  scope->visible = visible;
  scope->end_source = block->sources.count;
  return true;
}

static bool scope_conditions(Resolver *resolver, Select *block, Scope *scope) {
  scope->clause = CLAUSE_WHERE;
  if (!condition_resolve(resolver, scope, &block->where)) return false;
  if (!order_resolve(resolver, scope, block->order_by.items, block->order_by.count, false)) return false;
  return limit_resolve(resolver, scope, &block->limit);
}

/* MySQL refuses most subqueries on the table being changed (1093), by rules that hang on its optimizer. */
static bool target_is_read_once(Resolver *resolver, uint32_t mentions, uint32_t offset) {
  if (resolver->dialect->name != DIALECT_MYSQL || resolver->target_mentions == mentions) return true;
  return resolver_unmodelled(resolver, offset, "a subquery on the table that is being changed");
}

static bool target_is_table(Resolver *resolver, const Source *source, uint32_t offset) {
  if (source->table) return true;
  return resolver_unmodelled(resolver, offset, "writing through '%s', which is no table", source->name);
}

/* The source a target's name means: by its alias, else by the table's own name; -1: none. */
static int32_t source_named(const Resolver *resolver, const Select *block, const char *name) {
  for (uint32_t i = 0; i < block->sources.count; i++)
    if (table_name_is(resolver, block->sources.items[i].name, name)) return (int32_t)i;
  for (uint32_t i = 0; i < block->sources.count; i++)
    if (block->sources.items[i].table && table_name_is(resolver, block->sources.items[i].table->name, name))
      return (int32_t)i;
  return -1;
}

static uint32_t target_add(Resolver *resolver, Update *update, uint32_t source) {
  for (uint32_t i = 0; i < update->targets.count; i++)
    if (update->targets.items[i] == source) return i;
  ARENA_PUSH(resolver->arena, &update->targets, source);
  resolver_writes(resolver, update->scope->sources.items[source].table);
  return update->targets.count - 1;
}

/* UPDATE a JOIN b SET col = ...: the one table that has the column. */
static bool joined_target(Resolver *resolver, Update *update, Assignment *assignment) {
  const Select *block = update->scope;
  int32_t source = -1, column = -1;
  for (uint32_t i = 0; i < block->sources.count; i++) {
    const Source *candidate = &block->sources.items[i];
    if (assignment->table && !table_name_is(resolver, candidate->name, assignment->table)) continue;
    int32_t found = -1;
    for (uint32_t j = 0; j < candidate->column_count; j++)
      if (column_name_is(resolver, candidate->column_names[j], assignment->name)) found = (int32_t)j;
    if (found < 0) continue;
    if (source >= 0)
      return resolver_fail(resolver, ERROR_AMBIGUOUS, assignment->offset, "column '%s' is ambiguous", assignment->name);
    source = (int32_t)i;
    column = found;
  }
  if (source < 0)
    return resolver_fail(resolver, ERROR_NO_COLUMN, assignment->offset, "unknown column '%s'", assignment->name);
  if (!target_is_table(resolver, &block->sources.items[source], assignment->offset)) return false;
  assignment->target = target_add(resolver, update, (uint32_t)source);
  assignment->column = (uint32_t)column;
  return true;
}

static bool single_target(Resolver *resolver, Update *update, Assignment *assignment) {
  const Source *source = &update->scope->sources.items[update->targets.items[0]];
  int32_t column = table_column(source->table, assignment->name);
  bool is_own = !assignment->table || table_name_is(resolver, assignment->table, source->name);
  if (column < 0 || !is_own) return column_missing(resolver, source->table, assignment->name, assignment->offset);
  assignment->target = 0;
  assignment->column = (uint32_t)column;
  return true;
}

static bool update_assignments(Resolver *resolver, Update *update, Scope *scope, bool is_joined) {
  for (uint32_t i = 0; i < update->assignments.count; i++) {
    Assignment *assignment = &update->assignments.items[i];
    bool found = is_joined ? joined_target(resolver, update, assignment) : single_target(resolver, update, assignment);
    if (!found || !assignment_is_new(resolver, &update->assignments, i)) return false;
    uint32_t source = update->targets.items[assignment->target];
    const Column *column = &update->scope->sources.items[source].table->columns[assignment->column];
    scope->clause = CLAUSE_SET;
    if (!assignment_value(resolver, scope, assignment, column)) return false;
  }
  return true;
}

static bool update_target(Resolver *resolver, Update *update, bool *is_joined, uint32_t offset) {
  const Select *block = update->scope;
  *is_joined = dialect_is_mysql(resolver->dialect) && block->sources.count > 1;
  if (*is_joined) return true;
  int32_t source = update->target_name ? source_named(resolver, block, update->target_name) : 0;
  if (source < 0) return table_missing(resolver, NULL, update->target_name, offset);
  if (!target_is_table(resolver, &block->sources.items[source], offset)) return false;
  target_add(resolver, update, (uint32_t)source);
  return true;
}

static bool written_returning(Resolver *resolver, const Select *scope, uint32_t source, const SelectItem *items,
                              uint32_t count, Select **result, uint32_t offset) {
  if (count && scope->sources.count > 1 && !dialect_is_sqlite(resolver->dialect))
    return resolver_unmodelled(resolver, offset, "RETURNING of a statement over several tables");
  const Source *target = &scope->sources.items[source];
  return returning_resolve(resolver, target->table, target->name, items, count, result);
}

bool update_resolve(Resolver *resolver, Statement *statement) {
  Update *update = statement->update;
  Select *block = update->scope = block_new(resolver);
  Scope scope;
  VisibleList visible = {0};
  bool is_joined;
  block->from = update->from;
  block->where = update->where;
  memcpy(&block->order_by, &update->order_by, sizeof block->order_by);
  block->limit = update->limit;
  if (!scope_tables(resolver, block, &scope, &visible)) return false;
  if (!update_target(resolver, update, &is_joined, statement->offset)) return false;
  resolver->target = is_joined ? NULL : block->sources.items[update->targets.items[0]].table;
  uint32_t mentions = resolver->target_mentions;
  if (!update_assignments(resolver, update, &scope, is_joined)) return false;
  if (!scope_conditions(resolver, block, &scope)) return false;
  if (!target_is_read_once(resolver, mentions, statement->offset)) return false;
  resolver->target = NULL;
  update->where = block->where;
  update->limit = block->limit;
  return written_returning(resolver, block, update->targets.items[0], update->returning.items, update->returning.count,
                           &update->returning_scope, statement->offset);
}

static bool delete_targets(Resolver *resolver, Delete *delete_, uint32_t offset) {
  const Select *block = delete_->scope;
  for (uint32_t i = 0; i < delete_->target_names.count; i++) {
    int32_t source = source_named(resolver, block, delete_->target_names.items[i]);
    if (source < 0) return table_missing(resolver, NULL, delete_->target_names.items[i], offset);
    if (!target_is_table(resolver, &block->sources.items[source], offset)) return false;
    ARENA_PUSH(resolver->arena, &delete_->targets, (uint32_t)source);
    resolver_writes(resolver, block->sources.items[source].table);
  }
  if (delete_->targets.count) return true;
  if (!target_is_table(resolver, &block->sources.items[0], offset)) return false;
  ARENA_PUSH(resolver->arena, &delete_->targets, (uint32_t)0);
  resolver_writes(resolver, block->sources.items[0].table);
  return true;
}

bool delete_resolve(Resolver *resolver, Statement *statement) {
  Delete *delete_ = statement->delete_;
  Select *block = delete_->scope = block_new(resolver);
  Scope scope;
  VisibleList visible = {0};
  block->from = delete_->from;
  block->where = delete_->where;
  memcpy(&block->order_by, &delete_->order_by, sizeof block->order_by);
  block->limit = delete_->limit;
  if (!scope_tables(resolver, block, &scope, &visible)) return false;
  if (!delete_targets(resolver, delete_, statement->offset)) return false;
  resolver->target = block->sources.items[delete_->targets.items[0]].table;
  uint32_t mentions = resolver->target_mentions;
  if (!scope_conditions(resolver, block, &scope)) return false;
  if (!target_is_read_once(resolver, mentions, statement->offset)) return false;
  resolver->target = NULL;
  delete_->where = block->where;
  delete_->limit = block->limit;
  return written_returning(resolver, block, delete_->targets.items[0], delete_->returning.items,
                           delete_->returning.count, &delete_->returning_scope, statement->offset);
}
