/* touch.c: a statement's rows: by primary key where its text names one, else all of the table. */
#include "heuristics/touch.h"

#include "semantics/engine_internal.h"

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

/* The column of a primary key that is one integer, and the only thing by which other rows matter; -1: none.
 */
static int32_t key_column(const Toucher *toucher, const Table *table) {
  if (table->primary < 0) return -1;
  const Index *primary = table->indexes.items[table->primary];
  if (primary->column_count != 1) return -1;
  for (uint32_t i = 0; i < table->indexes.count; i++)
    if (table->indexes.items[i] != primary && table->indexes.items[i]->unique) return -1;
  if (toucher->engine->schema.dialect.foreign_keys &&
      (table->foreign_keys.count || table->referenced_by.count))
    return -1;
  Type type = table->columns[primary->columns[0]].type;
  bool is_integer = type.kind == TYPE_INT || (type.kind == TYPE_DYNAMIC && type.affinity == AFFINITY_INTEGER);
  return is_integer ? (int32_t)primary->columns[0] : -1;
}

static bool key_take(const Toucher *toucher, const Expr *expr, int64_t *key) {
  if (expr->kind != EXPR_INPUT || expr->index < 0) return false;
  Value value = toucher->inputs[expr->index];
  *key = value.integer;
  return value.kind == VALUE_INT;
}

/* A conjunct "key = constant" over the block's only source. */
static bool where_names_key(const Toucher *toucher, const Expr *where, int32_t column, int64_t *key) {
  if (!where) return false;
  for (uint32_t i = 0; where->kind == EXPR_AND && i < where->arg_count; i++)
    if (where_names_key(toucher, where->args[i], column, key)) return true;
  if (where->kind != EXPR_EQUAL) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const Expr *side = where->args[i];
    if (side->kind == EXPR_COLUMN && !side->depth && !side->source && side->column == (uint32_t)column &&
        key_take(toucher, where->args[1 - i], key))
      return true;
  }
  return false;
}

/* The only table of a block, if it has no other source. */
static const Table *block_table(const Select *select) {
  if (!select || select->left || select->right || select->sources.count != 1) return NULL;
  return select->sources.items[0].table;
}

/* The rows of a block over one table that is read nowhere else in the statement. */
static bool touch_block(Toucher *toucher, const Statement *statement, const Select *block, bool writes) {
  const Table *table = block_table(block);
  int64_t key;
  int32_t column = table ? key_column(toucher, table) : -1;
  if (column < 0 || statement->block_count > 1 || !where_names_key(toucher, block->where, column, &key))
    return false;
  touch_add(toucher, (Touch){.table = table->id, .key = key, .reads = true, .writes = writes});
  return true;
}

static bool touch_update(Toucher *toucher, const Statement *statement) {
  const Update *update = statement->update;
  const Table *table = block_table(update->scope);
  int32_t column = table ? key_column(toucher, table) : -1;
  for (uint32_t i = 0; i < update->assignments.count; i++)
    if ((int32_t)update->assignments.items[i].column == column) return false;
  return column >= 0 && touch_block(toucher, statement, update->scope, true);
}

/* INSERT ... VALUES with its keys written down. */
static bool touch_insert(Toucher *toucher, const Statement *statement) {
  const Insert *insert = statement->insert;
  int32_t column = key_column(toucher, insert->table);
  if (column < 0 || insert->select->kind != SELECT_VALUES || insert->assignments.count ||
      statement->tables_read.count)
    return false;
  uint32_t place = 0;
  while (place < insert->target_count && insert->targets[place] != (uint32_t)column) place++;
  uint32_t before = toucher->touches->count;
  for (uint32_t i = 0; i < insert->select->values.count; i++) {
    const ExprList *row = &insert->select->values.items[i];
    Touch touch = {.table = insert->table->id, .reads = true, .writes = true};
    if (place >= row->count || !key_take(toucher, row->items[place], &touch.key)) {
      toucher->touches->count = before;
      return false;
    }
    touch_add(toucher, touch);
  }
  return true;
}

static bool touch_rows(Toucher *toucher, const Statement *statement) {
  switch (statement->kind) {
  case STATEMENT_SELECT: return touch_block(toucher, statement, statement->select, false);
  case STATEMENT_UPDATE: return touch_update(toucher, statement);
  case STATEMENT_DELETE: return touch_block(toucher, statement, statement->delete_->scope, true);
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
  Outcome outcome = {0};
  uint32_t offset;
  PrepareAnswer answer = engine_prepare(replay->engine, operation->sql, operation->sql_length, parameters,
                                        operation->param_count, &outcome, &offset, &footprint);
  const char *missing = NULL;
  Plan *plan = answer == PREPARE_OK
                   ? engine_plan(replay->engine, arena, operation->sql, operation->sql_length, parameters,
                                 operation->param_count, &toucher.inputs, &missing)
                   : NULL;
  const Statement *statement = plan ? plan->statement : NULL;
  if (!statement || footprint.writes_anything || footprint.changes_schema || uses_session(operation->sql) ||
      keeps_savepoints(statement) || engine_schema_doubt(replay->engine))
    touch_all(&toucher);
  else if (!touch_rows(&toucher, statement))
    touch_tables(&toucher, &footprint);
}
