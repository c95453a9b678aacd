/* resolve_write.c: UPDATE and DELETE, and what they share with INSERT: targets, assignments, RETURNING.
 *
 * Each statement becomes a block: the scope holds the tables as sources with WHERE, ORDER BY and
 * LIMIT; assignments are resolved inside it.  RETURNING is a block of its own over
 * the row that was written. */
#include "src/sql/resolve_internal.h"

Table *write_target(Resolver *resolver, const char *name, uint32_t offset) {
  Table *table = schema_table(resolver->schema, name);
  if (table) return table;
  if (schema_view(resolver->schema, name))
    resolver_unmodelled(resolver, offset, "writing through view '%s'", name);
  else
    table_missing(resolver, NULL, name, offset);
  return NULL;
}

bool write_column_missing(Resolver *resolver, const Table *table, const char *name, uint32_t offset) {
  Select block = {0};
  Scope scope = {.block = &block};
  source_add_table(resolver, &block, NULL, (Table *)table, table->name);
  return resolver_fail(resolver, ERROR_NO_COLUMN, offset, "unknown column '%s' of table '%s'%s", name,
                       table->name, name_suggest_column(resolver, &scope, name));
}

Select *write_block(Resolver *resolver) {
  Select *block = ARENA_NEW(resolver->arena, Select);
  block->id = resolver->statement->block_count++;
  return block;
}

bool write_returning(Resolver *resolver, Table *table, const char *name, const SelectItem *items,
                     uint32_t count, Select **result) {
  if (count == 0) return true;
  Select *block = write_block(resolver);
  VisibleList visible = {0};
  if (!source_add_table(resolver, block, NULL, table, name)) return false;
  source_visible(resolver, block, 0, &visible);
  Scope scope = {.block = block, .visible = &visible, .end_source = 1, .clause = CLAUSE_RETURNING};
  if (!outputs_resolve(resolver, &scope, block, items, count) || !outputs_settle(resolver, block))
    return false;
  *result = block;
  return true;
}

/* PostgreSQL takes a column once; mysql assigns left to right; in sqlite the last one wins. */
bool assignment_is_new(Resolver *resolver, const AssignmentList *list, uint32_t place) {
  const Assignment *assignment = &list->items[place];
  if (resolver->dialect->name != DIALECT_POSTGRESQL) return true;
  for (uint32_t i = 0; i < place; i++)
    if (list->items[i].target == assignment->target && list->items[i].column == assignment->column)
      return resolver_fail(resolver, ERROR_SYNTAX, assignment->offset, "column '%s' is assigned twice",
                           assignment->name);
  return true;
}

bool assignment_value(Resolver *resolver, Scope *scope, Assignment *assignment, const Column *column) {
  if (assignment->value->kind == EXPR_DEFAULT) {
    assignment->value->type = column->type;
    return true;
  }
  return expr_resolve(resolver, scope, &assignment->value) &&
         value_assign(resolver, &assignment->value, column);
}

/* ---- UPDATE and DELETE ----------------------------------------------------------------------- */

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
      return resolver_fail(resolver, ERROR_AMBIGUOUS, assignment->offset, "column '%s' is ambiguous",
                           assignment->name);
    source = (int32_t)i;
    column = found;
  }
  if (source < 0)
    return resolver_fail(resolver, ERROR_NO_COLUMN, assignment->offset, "unknown column '%s'",
                         assignment->name);
  if (!target_is_table(resolver, &block->sources.items[source], assignment->offset)) return false;
  assignment->target = target_add(resolver, update, (uint32_t)source);
  assignment->column = (uint32_t)column;
  return true;
}

static bool single_target(Resolver *resolver, Update *update, Assignment *assignment) {
  const Source *source = &update->scope->sources.items[update->targets.items[0]];
  int32_t column = table_column(source->table, assignment->name);
  /* PostgreSQL takes no qualifier there: it would be a column. */
  bool is_own = !assignment->table || (table_name_is(resolver, assignment->table, source->name) &&
                                       resolver->dialect->name != DIALECT_POSTGRESQL);
  if (column < 0 || !is_own)
    return write_column_missing(resolver, source->table, assignment->name, assignment->offset);
  assignment->target = 0;
  assignment->column = (uint32_t)column;
  return true;
}

static bool update_assignments(Resolver *resolver, Update *update, Scope *scope, bool is_joined) {
  for (uint32_t i = 0; i < update->assignments.count; i++) {
    Assignment *assignment = &update->assignments.items[i];
    bool found =
        is_joined ? joined_target(resolver, update, assignment) : single_target(resolver, update, assignment);
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

static bool written_returning(Resolver *resolver, const Select *scope, uint32_t source,
                              const SelectItem *items, uint32_t count, Select **result, uint32_t offset) {
  if (count && scope->sources.count > 1 && !dialect_is_sqlite(resolver->dialect))
    return resolver_unmodelled(resolver, offset, "RETURNING of a statement over several tables");
  const Source *target = &scope->sources.items[source];
  return write_returning(resolver, target->table, target->name, items, count, result);
}

bool update_resolve(Resolver *resolver, Statement *statement) {
  Update *update = statement->update;
  Select *block = update->scope = write_block(resolver);
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
  return written_returning(resolver, block, update->targets.items[0], update->returning.items,
                           update->returning.count, &update->returning_scope, statement->offset);
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
  Select *block = delete_->scope = write_block(resolver);
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
