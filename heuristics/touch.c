/* touch.c: a statement's rows: by primary key where its text names one, else all of the table. */
#include "heuristics/touch.h"

#include "semantics/engine_internal.h"
#include "semantics/footprint.h"

#include <strings.h>

typedef struct Toucher {
  Engine *engine;
  const Value *inputs;
  Arena *arena;
  Touches *touches;
} Toucher;

static void touch_add(Toucher *toucher, Touch touch) { ARENA_PUSH(toucher->arena, toucher->touches, touch); }

static void touch_table(Toucher *toucher, const Table *table, bool writes) {
  touch_add(toucher, (Touch){.table = table->id, .is_whole = true, .reads = true, .writes = writes});
}

static void touch_all(Toucher *toucher) {
  touch_add(toucher, (Touch){.table = TABLE_ALL, .is_whole = true, .reads = true, .writes = true});
}

/* ---- Primary keys -------------------------------------------------------------------------------- */

enum { KEY_COLUMNS = 8, KEYS_MOST = 64 };

/* The primary key, where it is made of integers; or NULL. */
static const Index *key_index(const Table *table) {
  if (!table || table->primary < 0) return NULL;
  const Index *primary = table->indexes.items[table->primary];
  if (primary->column_count > KEY_COLUMNS) return NULL;
  for (uint32_t i = 0; i < primary->column_count; i++) {
    Type type = table->columns[primary->columns[i]].type;
    bool is_integer =
        type.kind == TYPE_INT || (type.kind == TYPE_DYNAMIC && type.affinity == AFFINITY_INTEGER);
    if (!is_integer) return NULL;
  }
  return primary;
}

static bool has_references(const Toucher *toucher, const Table *table) {
  return toucher->engine->schema.dialect.foreign_keys &&
         (table->foreign_keys.count || table->referenced_by.count);
}

/* Is the primary key the only thing by which other rows, of any table, matter to a row that is made? */
static bool table_is_plain(const Toucher *toucher, const Table *table) {
  for (uint32_t i = 0; i < table->indexes.count; i++)
    if ((int32_t)i != table->primary && table->indexes.items[i]->unique) return false;
  return !has_references(toucher, table);
}

/* Does a column belong to what makes rows unique? */
static bool column_is_unique(const Table *table, uint32_t column) {
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    bool counts = index->unique || (int32_t)i == table->primary;
    for (uint32_t k = 0; counts && k < index->column_count; k++)
      if (index->columns[k] == column) return true;
  }
  return false;
}

static bool key_take(const Toucher *toucher, const Expr *expr, int64_t *key) {
  if (expr->kind != EXPR_INPUT || expr->index < 0) return false;
  Value value = toucher->inputs[expr->index];
  *key = value.integer;
  return value.kind == VALUE_INT;
}

int64_t key_join(const Index *index, int64_t name, int64_t value) {
  return index->column_count == 1 ? value : (int64_t)hash_mix((uint64_t)name, (uint64_t)value);
}

/* The values that a conjunct "column = constant" or "column IN (constants)" over the block's only source
 * leaves to a column of the key. */
typedef struct KeyValues {
  uint32_t count; /* 0: any */
  int64_t items[KEYS_MOST];
} KeyValues;

/* A column of a block, by its source. */
typedef struct BlockColumn {
  uint32_t source, column;
} BlockColumn;

static bool expr_is_column(const Expr *expr, BlockColumn column) {
  return expr->kind == EXPR_COLUMN && !expr->depth && expr->source == column.source &&
         expr->column == column.column;
}

static void list_take(const Toucher *toucher, const Expr *where, KeyValues *values) {
  if (where->arg_count - 1 > KEYS_MOST) return;
  for (uint32_t i = 1; i < where->arg_count; i++)
    if (!key_take(toucher, where->args[i], &values->items[i - 1])) return;
  values->count = where->arg_count - 1;
}

/* What one conjunct, or all of a conjunction, leave to the column. */
static void where_take(const Toucher *toucher, const Expr *where, BlockColumn column, KeyValues *values) {
  if (!where || values->count) return;
  for (uint32_t i = 0; where->kind == EXPR_AND && i < where->arg_count; i++)
    where_take(toucher, where->args[i], column, values);
  if (where->kind == EXPR_IN_LIST && !where->negated && expr_is_column(where->args[0], column))
    list_take(toucher, where, values);
  for (uint32_t i = 0; where->kind == EXPR_EQUAL && i < 2 && !values->count; i++)
    if (expr_is_column(where->args[i], column) && key_take(toucher, where->args[1 - i], values->items))
      values->count = 1;
}

/* A column that a conjunct has equal to this one. */
static bool where_links(const Expr *where, BlockColumn column, BlockColumn *other) {
  for (uint32_t i = 0; where && where->kind == EXPR_AND && i < where->arg_count; i++)
    if (where_links(where->args[i], column, other)) return true;
  for (uint32_t i = 0; where && where->kind == EXPR_EQUAL && i < 2; i++) {
    const Expr *same = where->args[1 - i];
    if (!expr_is_column(where->args[i], column) || same->kind != EXPR_COLUMN || same->depth) continue;
    *other = (BlockColumn){same->source, same->column};
    return other->source != column.source;
  }
  return false;
}

/* The conditions of inner joins, which count like WHERE. */
static void from_take(const Toucher *toucher, const From *from, BlockColumn column, KeyValues *values) {
  if (!from || from->kind != FROM_JOIN) return;
  where_take(toucher, from->condition, column, values);
  from_take(toucher, from->left, column, values);
  from_take(toucher, from->right, column, values);
}

static bool from_links(const From *from, BlockColumn column, BlockColumn *other) {
  if (!from || from->kind != FROM_JOIN) return false;
  return where_links(from->condition, column, other) || from_links(from->left, column, other) ||
         from_links(from->right, column, other);
}

/* The same of the whole block; a column that equals another may have the values of that one. */
static void block_take(const Toucher *toucher, const Select *block, BlockColumn column, KeyValues *values) {
  where_take(toucher, block->where, column, values);
  from_take(toucher, block->from, column, values);
  BlockColumn other;
  if (values->count ||
      (!where_links(block->where, column, &other) && !from_links(block->from, column, &other)))
    return;
  const Table *table = block->sources.items[other.source].table;
  if (!table || table->columns[other.column].type.kind != TYPE_INT) return;
  where_take(toucher, block->where, other, values);
  from_take(toucher, block->from, other, values);
}

/* The rows that a block leaves of a source: every combination of the values of the key's columns. */
static bool block_names_rows(const Toucher *toucher, const Select *block, uint32_t source, const Index *index,
                             KeyValues *rows) {
  *rows = (KeyValues){.count = 1};
  for (uint32_t i = 0; i < index->column_count; i++) {
    KeyValues values = {0}, joined = {0};
    block_take(toucher, block, (BlockColumn){source, index->columns[i]}, &values);
    if (!values.count || values.count * rows->count > KEYS_MOST) return false;
    for (uint32_t k = 0; k < rows->count; k++)
      for (uint32_t v = 0; v < values.count; v++)
        joined.items[joined.count++] = key_join(index, rows->items[k], values.items[v]);
    *rows = joined;
  }
  return true;
}

/* The only table of a block, if it has no other source. */
static const Table *block_table(const Select *select) {
  if (!select || select->left || select->right || select->sources.count != 1) return NULL;
  return select->sources.items[0].table;
}

/* The rows of one source of a block; `like`: what is done to them. */
static bool touch_source(Toucher *toucher, const Select *block, uint32_t source, Touch like) {
  const Table *table = block->sources.items[source].table;
  const Index *index = key_index(table);
  KeyValues rows;
  if (!index || !block_names_rows(toucher, block, source, index, &rows)) return false;
  like.table = table->id;
  like.reads = true;
  for (uint32_t i = 0; i < rows.count; i++) {
    like.key = rows.items[i];
    touch_add(toucher, like);
  }
  return true;
}

/* The rows of the only block of a statement, over tables joined without outer joins. */
static bool touch_select(Toucher *toucher, const Statement *statement) {
  const Select *block = statement->select;
  if (statement->block_count > 1 || block->left || block->right) return false;
  for (uint32_t i = 0; i < block->sources.count; i++)
    if (!block->sources.items[i].table || block->sources.items[i].is_nullable) return false;
  for (uint32_t i = 0; i < block->sources.count; i++) {
    const Source *source = &block->sources.items[i];
    if (!touch_source(toucher, block, i, (Touch){0})) touch_table(toucher, source->table, false);
  }
  return block->sources.count > 0;
}

static uint32_t conjunct_count(const Expr *where) {
  uint32_t count = 0;
  if (!where || where->kind != EXPR_AND) return where != NULL;
  for (uint32_t i = 0; i < where->arg_count; i++) count += conjunct_count(where->args[i]);
  return count;
}

/* The rows of the only table of a statement that changes it.  As many conjuncts as the key has columns name a
 * row and ask nothing else of it. */
static bool touch_target(Toucher *toucher, const Statement *statement, const Select *scope,
                         uint64_t assigned) {
  const Index *index = key_index(block_table(scope));
  bool is_all = index && !scope->limit && conjunct_count(scope->where) == index->column_count;
  return statement->block_count <= 1 &&
         touch_source(toucher, scope, 0, (Touch){.writes = true, .assigned = assigned, .is_all = is_all});
}

static bool touch_update(Toucher *toucher, const Statement *statement) {
  const Update *update = statement->update;
  const Table *table = block_table(update->scope);
  if (!table || has_references(toucher, table)) return false;
  uint64_t assigned = 0;
  bool is_wide = table->column_count > 64 || update->conflict;
  for (uint32_t i = 0; i < update->assignments.count; i++) {
    uint32_t column = update->assignments.items[i].column;
    if (column_is_unique(table, column)) return false;
    if (!is_wide) assigned |= (uint64_t)1 << column;
  }
  return touch_target(toucher, statement, update->scope, assigned);
}

static bool touch_delete(Toucher *toucher, const Statement *statement) {
  const Select *scope = statement->delete_->scope;
  const Table *table = block_table(scope);
  return table && !has_references(toucher, table) && touch_target(toucher, statement, scope, 0);
}

/* The name of the row that a list of values inserts. */
static bool row_name(const Toucher *toucher, const Insert *insert, const Index *index, const ExprList *row,
                     int64_t *name) {
  *name = 0;
  for (uint32_t i = 0; i < index->column_count; i++) {
    uint32_t place = 0;
    int64_t value;
    while (place < insert->target_count && insert->targets[place] != index->columns[i]) place++;
    if (place >= row->count || !key_take(toucher, row->items[place], &value)) return false;
    *name = key_join(index, *name, value);
  }
  return true;
}

/* INSERT ... VALUES with its keys written down. */
static bool touch_insert(Toucher *toucher, const Statement *statement) {
  const Insert *insert = statement->insert;
  const Index *index = key_index(insert->table);
  if (!index || !table_is_plain(toucher, insert->table) || !insert->select ||
      insert->select->kind != SELECT_VALUES || insert->assignments.count || statement->tables_read.count)
    return false;
  uint32_t before = toucher->touches->count;
  for (uint32_t i = 0; i < insert->select->values.count; i++) {
    Touch touch = {.table = insert->table->id, .reads = true, .writes = true};
    if (!row_name(toucher, insert, index, &insert->select->values.items[i], &touch.key)) {
      toucher->touches->count = before;
      return false;
    }
    touch_add(toucher, touch);
  }
  return true;
}

static bool touch_rows(Toucher *toucher, const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_SELECT: return touch_select(toucher, statement);
  case STATEMENT_UPDATE: return touch_update(toucher, statement);
  case STATEMENT_DELETE: return touch_delete(toucher, statement);
  case STATEMENT_INSERT: return touch_insert(toucher, statement);
  default: return false;
  }
}

/* ---- Statements ------------------------------------------------------------------------------------ */

/* What a session remembers between statements is no row of any table. */
static bool uses_session(const char *sql) {
  static const char *const words[] = {"@",          "last",    "row_count", "changes",
                                      "found_rows", "nextval", "currval"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(sql, words[i])) return true;
  return false;
}

static bool keeps_savepoints(const Statement *statement) {
  return statement->kind == STATEMENT_SAVEPOINT || statement->kind == STATEMENT_ROLLBACK_TO ||
         statement->kind == STATEMENT_RELEASE;
}

/* A foreign key reads the other table, and an action on it may write there. */
static void touch_references(Toucher *toucher, const Table *table) {
  if (!toucher->engine->schema.dialect.foreign_keys) return;
  for (uint32_t i = 0; i < table->foreign_keys.count; i++) {
    const Table *parent = schema_table(&toucher->engine->schema, table->foreign_keys.items[i]->parent_name);
    if (parent) touch_table(toucher, parent, false);
  }
  for (uint32_t i = 0; i < table->referenced_by.count; i++)
    touch_table(toucher, table->referenced_by.items[i]->child, true);
}

static void touch_tables(Toucher *toucher, const Footprint *footprint) {
  for (uint32_t i = 0; i < footprint->tables_read.count; i++)
    touch_table(toucher, footprint->tables_read.items[i], false);
  for (uint32_t i = 0; i < footprint->tables_written.count; i++) {
    touch_table(toucher, footprint->tables_written.items[i], true);
    touch_references(toucher, footprint->tables_written.items[i]);
  }
}

static void touch_object(Toucher *toucher, const Operation *operation) {
  touch_add(toucher, (Touch){.table = TABLE_OBJECTS,
                             .key = (int64_t)hash_bytes(operation->object, strlen(operation->object)),
                             .reads = operation->kind != OPERATION_WRITE,
                             .writes = operation->kind != OPERATION_READ});
}

void touches_of(Replay *replay, const Operation *operation, Arena *arena, Touches *touches) {
  Toucher toucher = {.engine = replay->engine, .arena = arena, .touches = touches};
  if (operation->meta) return;
  if (operation->kind != OPERATION_SQL) {
    touch_object(&toucher, operation);
    return;
  }
  Parameter *parameters = arena_alloc(arena, (operation->param_count + 1) * sizeof *parameters);
  for (uint32_t i = 0; i < operation->param_count; i++)
    parameters[i] = (Parameter){operation->params[i].name, operation->params[i].name_length,
                                operation->params[i].value.value};
  Footprint footprint = {0};
  const char *missing = NULL;
  Plan *plan = engine_plan(replay->engine, arena, operation->sql, operation->sql_length, parameters,
                           operation->param_count, &toucher.inputs, &missing);
  const Statement *statement = plan && plan->answer == PREPARE_OK ? plan->statement : NULL;
  if (statement) {
    arena_clear(&replay->engine->preparation);
    footprint_of(replay->engine, plan, &footprint);
  }
  if (!statement || footprint.writes_anything || footprint.changes_schema || uses_session(operation->sql) ||
      keeps_savepoints(statement) || engine_schema_doubt(replay->engine))
    touch_all(&toucher);
  else if (!touch_rows(&toucher, statement))
    touch_tables(&toucher, &footprint);
}
