/* resolve_table.c: from CREATE TABLE to a Table: types, defaults, keys, checks.
 *
 * The statement's tree may serve again for another text of the same shape, so nothing of it is
 * changed: expressions are copied into schema->arena before they are resolved,
 * with the literals they refer to. */
#include "src/sql/resolve_internal.h"

#include <strings.h>

typedef struct TableMaker {
  Resolver resolver;
  Schema *schema;
  const CreateTable *create;
  Table *table;
} TableMaker;

/* ---- Columns --------------------------------------------------------------------------------- */

static bool words_are(const char *words, const char *expected) {
  return words && strcasecmp(words, expected) == 0;
}

static bool words_are_serial(const char *words) {
  static const char *const serials[] = {"SERIAL",  "BIGSERIAL", "SMALLSERIAL",
                                        "SERIAL2", "SERIAL4",   "SERIAL8"};
  for (size_t i = 0; i < sizeof serials / sizeof *serials; i++)
    if (words_are(words, serials[i])) return true;
  return false;
}

/* CHARSET names are collations without '_': those of Unicode and Latin compare without case by default. */
static bool name_is_charset(const char *name) {
  return !strchr(name, '_') && strcasecmp(name, "binary") != 0;
}

static bool column_collation(TableMaker *maker, const ColumnClause *clause, Type *type) {
  const Dialect *dialect = &maker->schema->dialect;
  bool is_text = type_is_text(*type) || dialect_is_sqlite(dialect);
  const char *name = clause->collation           ? clause->collation
                     : dialect_is_mysql(dialect) ? maker->create->collation
                                                 : NULL;
  if (!name || !is_text || (dialect_is_mysql(dialect) && name_is_charset(name))) return true;
  if (collation_named(dialect, name, &type->collation, &type->is_binary)) return true;
  return resolver_unmodelled(&maker->resolver, clause->offset,
                             "collation '%s' of column '%s' is not modelled", name, clause->name);
}

static bool column_type(TableMaker *maker, const ColumnClause *clause, Type *type) {
  const Dialect *dialect = &maker->schema->dialect;
  const char *words = clause->type_words;
  bool is_known =
      type_parse(dialect, words, words ? strlen(words) : 0, clause->type_first, clause->type_second, type);
  if (!is_known || (words_are(words, "BINARY") && !dialect_is_sqlite(dialect)))
    return resolver_unmodelled(&maker->resolver, clause->offset, "type '%s' of column '%s' is not modelled",
                               words ? words : "", clause->name);
  if (type->kind == TYPE_CHAR && type->length == 0) type->length = 1;
  return column_collation(maker, clause, type);
}

static bool is_nextval(const Expr *expr) {
  return expr->kind == EXPR_FUNCTION && strcasecmp(expr->name, "nextval") == 0;
}

/* DEFAULT nextval(...) is what SERIAL stands for. */
static bool column_default(TableMaker *maker, const ColumnClause *clause, Column *column) {
  Resolver *resolver = &maker->resolver;
  if (!clause->default_value) return true;
  if (is_nextval(clause->default_value)) return column->auto_increment = true, true;
  if (select_has_subquery(clause->default_value))
    return resolver_unmodelled(resolver, clause->offset, "a subquery in the default of '%s'", clause->name);
  column->default_value = expr_copy(&maker->schema->arena, clause->default_value);
  return expr_resolve(resolver, NULL, &column->default_value) &&
         value_assign(resolver, &column->default_value, column);
}

static bool column_make(TableMaker *maker, uint32_t place) {
  const ColumnClause *clause = &maker->create->columns.items[place];
  Column *column = &maker->table->columns[place];
  Resolver *resolver = &maker->resolver;
  column->name = arena_text(&maker->schema->arena, clause->name, strlen(clause->name));
  for (uint32_t i = 0; i < place; i++)
    if (column_name_is(resolver, maker->table->columns[i].name, column->name))
      return resolver_fail(resolver, ERROR_DUPLICATE_OBJECT, clause->offset, "column '%s' is declared twice",
                           clause->name);
  if (clause->generated)
    return resolver_unmodelled(resolver, clause->offset, "generated column '%s' is not modelled",
                               clause->name);
  if (clause->on_update_now)
    return resolver_unmodelled(resolver, clause->offset,
                               "ON UPDATE CURRENT_TIMESTAMP of '%s' is not modelled", clause->name);
  if (!column_type(maker, clause, &column->type) || !column_default(maker, clause, column)) return false;
  bool is_serial = !dialect_is_sqlite(&maker->schema->dialect) && words_are_serial(clause->type_words);
  column->auto_increment |= clause->auto_increment || is_serial;
  column->not_null = clause->not_null || is_serial;
  if (column->auto_increment) maker->table->auto_column = (int32_t)place;
  return true;
}

/* CREATE TABLE ... AS: the columns of the query, which is resolved already. */
static bool columns_of_query(TableMaker *maker) {
  const Select *select = maker->create->select;
  Table *table = maker->table;
  for (uint32_t i = 0; i < table->column_count; i++) {
    if (!select->output_names[i])
      return resolver_unmodelled(&maker->resolver, select->offset_in_text,
                                 "CREATE TABLE AS: column %u has no plain name", i + 1);
    table->columns[i].name =
        arena_text(&maker->schema->arena, select->output_names[i], strlen(select->output_names[i]));
    table->columns[i].type = select->output_types[i];
  }
  return true;
}

static bool columns_make(TableMaker *maker) {
  const CreateTable *create = maker->create;
  bool is_query = create->select && !create->columns.count;
  Table *table = maker->table;
  table->column_count = is_query ? select_width(create->select) : create->columns.count;
  table->columns = ARENA_ARRAY(&maker->schema->arena, Column, table->column_count);
  if (is_query) return columns_of_query(maker);
  if (create->select)
    return resolver_unmodelled(&maker->resolver, 0, "CREATE TABLE with columns and a query");
  for (uint32_t i = 0; i < table->column_count; i++)
    if (!column_make(maker, i)) return false;
  return true;
}

/* ---- Keys and indexes ------------------------------------------------------------------------ */

static bool columns_find(TableMaker *maker, const NameList *names, uint32_t **columns) {
  *columns = ARENA_ARRAY(&maker->schema->arena, uint32_t, names->count);
  for (uint32_t i = 0; i < names->count; i++) {
    int32_t column = table_column(maker->table, names->items[i]);
    if (column < 0)
      return resolver_fail(&maker->resolver, ERROR_NO_COLUMN, 0, "unknown column '%s' in a key of '%s'",
                           names->items[i], maker->table->name);
    for (uint32_t j = 0; j < i; j++)
      if ((*columns)[j] == (uint32_t)column)
        return resolver_fail(&maker->resolver, ERROR_DUPLICATE_OBJECT, 0, "column '%s' stands twice in a key",
                             names->items[i]);
    (*columns)[i] = (uint32_t)column;
  }
  return true;
}

/* The name PostgreSQL gives: t_pkey, t_a_b_key. MySQL: PRIMARY, or the first column. */
static const char *index_title(TableMaker *maker, const Index *index, const char *given) {
  Arena *arena = &maker->schema->arena;
  const Dialect *dialect = &maker->schema->dialect;
  const Table *table = maker->table;
  if (dialect_is_mysql(dialect) && index->primary) return "PRIMARY";
  if (given) return arena_text(arena, given, strlen(given));
  if (dialect_is_mysql(dialect)) return table->columns[index->columns[0]].name;
  if (!dialect_is_postgres(dialect)) return NULL;
  if (index->primary) return arena_format(arena, "%s_pkey", table->name);
  const char *title = table->name;
  for (uint32_t i = 0; i < index->column_count; i++)
    title = arena_format(arena, "%s_%s", title, table->columns[index->columns[i]].name);
  return arena_format(arena, "%s_%s", title, index->unique ? "key" : "idx");
}

static bool index_make(TableMaker *maker, const NameList *names, ConstraintKind kind, const char *name) {
  Table *table = maker->table;
  Index *index = ARENA_NEW(&maker->schema->arena, Index);
  if (!columns_find(maker, names, &index->columns)) return false;
  index->column_count = names->count;
  index->primary = kind == CONSTRAINT_PRIMARY_KEY;
  index->unique = kind != CONSTRAINT_INDEX;
  index->is_constraint = index->unique;
  index->name = index_title(maker, index, name);
  if (index->primary) {
    if (table->primary >= 0)
      return resolver_fail(&maker->resolver,
                           dialect_is_mysql(&maker->schema->dialect) ? ERROR_DUPLICATE_OBJECT : ERROR_OTHER,
                           0, "table '%s' has two primary keys", table->name);
    table->primary = (int32_t)table->indexes.count;
  }
  ARENA_PUSH(&maker->schema->arena, &table->indexes, index);
  return true;
}

static bool index_of_column(TableMaker *maker, uint32_t column, ConstraintKind kind) {
  NameList names = {0};
  ARENA_PUSH(&maker->schema->arena, &names, maker->table->columns[column].name);
  return index_make(maker, &names, kind, NULL);
}

/* ---- CHECK and FOREIGN KEY ------------------------------------------------------------------- */

static bool check_make(TableMaker *maker, const TableConstraint *constraint) {
  Schema *schema = maker->schema;
  Resolver *resolver = &maker->resolver;
  if (select_has_subquery(constraint->check))
    return resolver_unmodelled(resolver, constraint->check->offset, "a subquery in CHECK");
  Select *block = ARENA_NEW(&schema->arena, Select);
  VisibleList visible = {0};
  block->where = expr_copy(&schema->arena, constraint->check);
  if (!source_add_table(resolver, block, NULL, maker->table, maker->table->name)) return false;
  source_visible(resolver, block, 0, &visible);
  Scope scope = {.block = block, .visible = &visible, .end_source = 1, .clause = CLAUSE_CHECK};
  if (!condition_resolve(resolver, &scope, &block->where)) return false;
  if (block->where->is_volatile)
    return resolver_unmodelled(resolver, constraint->check->offset, "CHECK of a volatile expression");
  const char *name =
      constraint->name ? arena_text(&schema->arena, constraint->name, strlen(constraint->name)) : NULL;
  ARENA_PUSH(&schema->arena, &maker->table->checks, (Check){.name = name, .scope = block});
  return true;
}

/* PostgreSQL and MySQL want the parent first; the table itself may be its own. */
static bool parent_exists(TableMaker *maker, const char *name) {
  const Dialect *dialect = &maker->schema->dialect;
  if (schema_table(maker->schema, name) || table_name_is(&maker->resolver, name, maker->table->name))
    return true;
  bool is_asked = dialect->name == DIALECT_POSTGRESQL || (dialect_is_mysql(dialect) && dialect->foreign_keys);
  return !is_asked ||
         resolver_fail(&maker->resolver, ERROR_NO_TABLE, 0, "unknown table '%s' in REFERENCES", name);
}

static bool foreign_key_make(TableMaker *maker, const TableConstraint *constraint, const NameList *names) {
  Schema *schema = maker->schema;
  if (!parent_exists(maker, constraint->parent_table)) return false;
  ForeignKey *key = ARENA_NEW(&schema->arena, ForeignKey);
  if (!columns_find(maker, names, &key->columns)) return false;
  key->column_count = names->count;
  key->child = maker->table;
  key->name =
      constraint->name ? arena_text(&schema->arena, constraint->name, strlen(constraint->name)) : NULL;
  key->parent_name = arena_text(&schema->arena, constraint->parent_table, strlen(constraint->parent_table));
  for (uint32_t i = 0; i < constraint->parent_columns.count; i++) {
    const char *name = constraint->parent_columns.items[i];
    ARENA_PUSH(&schema->arena, &key->parent_column_names,
               (const char *)arena_text(&schema->arena, name, strlen(name)));
  }
  if (constraint->parent_columns.count && constraint->parent_columns.count != names->count)
    return resolver_fail(&maker->resolver, ERROR_OTHER, 0, "FOREIGN KEY of %u columns refers to %u",
                         names->count, constraint->parent_columns.count);
  key->on_delete = constraint->on_delete;
  key->on_update = constraint->on_update;
  key->is_deferred = constraint->is_deferred;
  ARENA_PUSH(&schema->arena, &maker->table->foreign_keys, key);
  return true;
}

static bool constraint_make(TableMaker *maker, const TableConstraint *constraint, const NameList *names) {
  switch ((ConstraintKind)constraint->kind) {
  case CONSTRAINT_CHECK: return check_make(maker, constraint);
  case CONSTRAINT_FOREIGN_KEY: return foreign_key_make(maker, constraint, names);
  case CONSTRAINT_INDEX:
    return constraint->is_partial || index_make(maker, names, CONSTRAINT_INDEX, constraint->name);
  default:
    if (constraint->is_partial)
      return resolver_unmodelled(&maker->resolver, 0, "a unique key over expressions or prefixes");
    return index_make(maker, names, (ConstraintKind)constraint->kind, constraint->name);
  }
}

static bool column_constraints(TableMaker *maker, uint32_t column) {
  const ColumnClause *clause = &maker->create->columns.items[column];
  NameList own = {0};
  ARENA_PUSH(&maker->schema->arena, &own, clause->name);
  if (clause->primary_key && !index_of_column(maker, column, CONSTRAINT_PRIMARY_KEY)) return false;
  bool is_mysql_serial = dialect_is_mysql(&maker->schema->dialect) && words_are(clause->type_words, "SERIAL");
  if ((clause->unique || is_mysql_serial) && !index_of_column(maker, column, CONSTRAINT_UNIQUE)) return false;
  for (uint32_t i = 0; i < clause->constraints.count; i++) {
    const TableConstraint *constraint = clause->constraints.items[i];
    /* MySQL reads REFERENCES written with a column and forgets it; MariaDB keeps it. */
    bool is_forgotten =
        constraint->kind == CONSTRAINT_FOREIGN_KEY && maker->schema->dialect.name == DIALECT_MYSQL;
    const NameList *names = constraint->columns.count ? &constraint->columns : &own;
    if (!is_forgotten && !constraint_make(maker, constraint, names)) return false;
  }
  return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* sqlite: INTEGER PRIMARY KEY is the row id; other keys may be NULL but WITHOUT ROWID. */
static void primary_settle(TableMaker *maker) {
  Table *table = maker->table;
  if (table->primary < 0) return;
  const Index *index = table->indexes.items[table->primary];
  bool is_sqlite = dialect_is_sqlite(&maker->schema->dialect);
  if (is_sqlite && index->column_count == 1 && !table->without_rowid) {
    uint32_t column = index->columns[0];
    if (words_are(maker->create->columns.items[column].type_words, "INTEGER")) {
      table->rowid_column = (int32_t)column;
      return;
    }
  }
  for (uint32_t i = 0; i < index->column_count; i++)
    if (!is_sqlite || table->without_rowid) table->columns[index->columns[i]].not_null = true;
}

static bool table_make(TableMaker *maker) {
  const CreateTable *create = maker->create;
  if (create->is_strict) return resolver_unmodelled(&maker->resolver, 0, "STRICT tables are not modelled");
  if (!columns_make(maker)) return false;
  for (uint32_t i = 0; i < create->columns.count; i++)
    if (!column_constraints(maker, i)) return false;
  for (uint32_t i = 0; i < create->constraints.count; i++)
    if (!constraint_make(maker, &create->constraints.items[i], &create->constraints.items[i].columns))
      return false;
  primary_settle(maker);
  return true;
}

static const Value *inputs_copy(Arena *arena, const Value *inputs, uint32_t count) {
  Value *copies = ARENA_ARRAY(arena, Value, count);
  for (uint32_t i = 0; i < count; i++) copies[i] = value_copy(arena, inputs[i]);
  return copies;
}

ResolveAnswer resolve_table(Schema *schema, const CreateTable *create, const Value *inputs,
                            uint32_t input_count, Table **table, Resolution *resolution) {
  TableMaker maker = {.schema = schema, .create = create};
  Statement statement = {.kind = STATEMENT_CREATE_TABLE};
  resolver_start(&maker.resolver, schema, &schema->arena, resolution);
  maker.resolver.statement = &statement;
  maker.resolver.input_count = input_count;
  maker.table = ARENA_NEW(&schema->arena, Table);
  maker.table->name = arena_text(&schema->arena, create->name, strlen(create->name));
  maker.table->id = UINT32_MAX;
  maker.table->primary = maker.table->rowid_column = maker.table->auto_column = -1;
  maker.table->without_rowid = create->without_rowid;
  maker.table->ignores_case = schema->dialect.name != DIALECT_POSTGRESQL;
  maker.table->inputs = inputs_copy(&schema->arena, inputs, input_count);
  maker.table->input_count = input_count;
  for (uint32_t i = 0; i < input_count; i++)
    resolver_add_input(&maker.resolver, maker.table->inputs[i], INPUT_LITERAL);
  if (table_make(&maker)) *table = maker.table;
  return maker.resolver.answer;
}
