/* build_change.c: INSERT, UPDATE, DELETE, DROP, SET and the other short statements. */
#include "src/sql/build.h"

#include "src/sql/grammar.h"

Statement *build_statement(Parser *parser, StatementKind kind, void *node) {
  Statement *statement = ARENA_NEW(parser->arena, Statement);
  statement->kind = (uint8_t)kind;
  statement->select = node; /* every pointer of the union stands at the same place */
  return statement;
}

/* ---- INSERT --------------------------------------------------------------------------- */

/* VALUES () is DEFAULT VALUES. */
Insert *build_insert_values(Parser *parser, NameList *columns, Select *select) {
  Insert *insert = ARENA_NEW(parser->arena, Insert);
  if (columns) insert->columns = *columns;
  bool is_empty = select->kind == SELECT_VALUES && select->values.count && select->values.items[0].count == 0;
  if (is_empty && (columns || select->values.count > 1))
    parser_reject(parser, select->offset_in_text, "an empty row of VALUES stands alone");
  insert->default_values = is_empty;
  insert->select = is_empty ? NULL : select;
  return insert;
}

/* INSERT INTO t SET a = 1, b = 2 */
Insert *build_insert_set(Parser *parser, const Token *token, AssignmentList *assignments) {
  Insert *insert = ARENA_NEW(parser->arena, Insert);
  Select *values = build_select(parser, token);
  ExprList row = {0};
  for (uint32_t i = 0; i < assignments->count; i++) {
    ARENA_PUSH(parser->arena, &insert->columns, assignments->items[i].name);
    ARENA_PUSH(parser->arena, &row, assignments->items[i].value);
  }
  values->kind = SELECT_VALUES;
  build_select_row(parser, values, &row);
  insert->select = values;
  return insert;
}

Insert *build_insert_default(Parser *parser) {
  Insert *insert = ARENA_NEW(parser->arena, Insert);
  insert->default_values = true;
  return insert;
}

uint8_t build_conflict_word(Parser *parser, const Token *token) {
  if (token_is(parser, token, "ignore")) return CONFLICT_IGNORE;
  if (token_is(parser, token, "replace")) return CONFLICT_REPLACE;
  if (!token_is(parser, token, "abort"))
    parser_reject(parser, token->offset, "this kind of OR is not modelled");
  return CONFLICT_ERROR;
}

Insert *build_upsert(Parser *parser, ConflictAction action, IndexColumns *columns, const char *constraint,
                     AssignmentList *assignments, Expr *where) {
  Insert *upsert = ARENA_NEW(parser->arena, Insert);
  upsert->conflict = (uint8_t)action;
  if (columns) {
    upsert->conflict_columns = columns->names;
    if (columns->is_partial)
      parser_reject(parser, parser->end, "ON CONFLICT over expressions is not modelled");
  }
  upsert->conflict_constraint = constraint;
  if (assignments) upsert->assignments = *assignments;
  upsert->conflict_where = where;
  return upsert;
}

Statement *build_insert(Parser *parser, TableName table, uint8_t conflict, const char *alias, Insert *source,
                        Insert *upsert, ItemList *returning) {
  source->table_name = table.name;
  source->alias = alias;
  source->conflict = conflict;
  if (upsert) {
    if (conflict != CONFLICT_ERROR) parser_reject(parser, table.offset, "two ways to resolve a conflict");
    source->conflict = upsert->conflict;
    source->conflict_columns = upsert->conflict_columns;
    source->conflict_constraint = upsert->conflict_constraint;
    source->assignments = upsert->assignments;
    source->conflict_where = upsert->conflict_where;
  }
  if (returning) memcpy(&source->returning, returning, sizeof *returning);
  return build_statement(parser, STATEMENT_INSERT, source);
}

/* ---- UPDATE ------------------------------------------------------------------------------- */

AssignmentList *build_assignment(Parser *parser, AssignmentList *list, const Token *table, const Token *name,
                                 Expr *value) {
  if (!list) list = ARENA_NEW(parser->arena, AssignmentList);
  Assignment assignment = {.name = build_name(parser, name), .value = value, .offset = name->offset};
  if (table) assignment.table = build_name(parser, table);
  ARENA_PUSH(parser->arena, list, assignment);
  return list;
}

/* (a, b) = (1, 2) is a = 1, b = 2 */
AssignmentList *build_assignment_row(Parser *parser, AssignmentList *list, const Token *token,
                                     NameList *names, Expr *row) {
  if (!list) list = ARENA_NEW(parser->arena, AssignmentList);
  bool is_single = names->count == 1 && row->kind != EXPR_ROW && row->kind != EXPR_SCALAR;
  if (!is_single && (row->kind != EXPR_ROW || row->arg_count != names->count)) {
    parser_reject(parser, token->offset, "assigning a subquery to several columns is not modelled");
    return list;
  }
  for (uint32_t i = 0; i < names->count; i++) {
    Assignment assignment = {
        .name = names->items[i], .value = is_single ? row : row->args[i], .offset = token->offset};
    ARENA_PUSH(parser->arena, list, assignment);
  }
  return list;
}

static const char *from_title(const From *from) { return from->alias ? from->alias : from->name; }

/* The tail of a change has ORDER BY and LIMIT only. */
static void change_tail_check(Parser *parser, const Select *tail, uint32_t offset) {
  if (tail && (tail->offset || tail->lock.kind != LOCK_NONE || tail->into.count))
    parser_reject(parser, offset, "only ORDER BY and LIMIT may stand behind a change");
}

Statement *build_update(Parser *parser, From *target, uint8_t conflict, AssignmentList *assignments,
                        From *from, Expr *where, Select *tail, ItemList *returning) {
  Update *update = ARENA_NEW(parser->arena, Update);
  change_tail_check(parser, tail, target->offset);
  if (target->kind == FROM_TABLE) update->target_name = from_title(target);
  if (from && target->kind != FROM_TABLE)
    parser_reject(parser, target->offset, "UPDATE ... FROM changes one table");
  update->from = from ? build_comma(parser, &(Token){.offset = from->offset}, target, from) : target;
  update->conflict = conflict;
  update->assignments = *assignments;
  update->where = where;
  if (tail) {
    memcpy(&update->order_by, &tail->order_by, sizeof tail->order_by);
    update->limit = tail->limit;
  }
  if (returning) memcpy(&update->returning, returning, sizeof *returning);
  return build_statement(parser, STATEMENT_UPDATE, update);
}

/* ---- DELETE -------------------------------------------------------------------------------- */

/* DELETE FROM a, b USING ...: the tables before USING */
static void delete_targets(Parser *parser, Delete *statement, const From *from) {
  if (from->kind == FROM_JOIN && from->is_comma) {
    delete_targets(parser, statement, from->left);
    delete_targets(parser, statement, from->right);
  } else if (from->kind == FROM_TABLE) {
    ARENA_PUSH(parser->arena, &statement->target_names, from_title(from));
  } else {
    parser_reject(parser, from->offset, "DELETE wants tables");
  }
}

Statement *build_delete(Parser *parser, NameList *targets, From *from, From *using_tables, Expr *where,
                        Select *tail, ItemList *returning) {
  Delete *statement = ARENA_NEW(parser->arena, Delete);
  change_tail_check(parser, tail, from->offset);
  if (targets)
    statement->target_names = *targets;
  else
    delete_targets(parser, statement, from);
  if (!targets && !using_tables && from->kind != FROM_TABLE)
    parser_reject(parser, from->offset, "DELETE FROM wants one table");
  statement->from = from;
  /* MySQL names its targets again behind USING; PostgreSQL does not. */
  if (using_tables)
    statement->from = dialect_is_mysql(parser->dialect)
                          ? using_tables
                          : build_comma(parser, &(Token){.offset = using_tables->offset}, from, using_tables);
  statement->where = where;
  if (tail) {
    memcpy(&statement->order_by, &tail->order_by, sizeof tail->order_by);
    statement->limit = tail->limit;
  }
  if (returning) memcpy(&statement->returning, returning, sizeof *returning);
  return build_statement(parser, STATEMENT_DELETE, statement);
}

/* ---- The others ------------------------------------------------------------------------------- */

Statement *build_drop(Parser *parser, StatementKind kind, NameList *names, bool if_exists,
                      const char *on_table) {
  Statement *statement = build_statement(parser, kind, NULL);
  statement->drop.names = *names;
  statement->drop.if_exists = if_exists;
  statement->drop.on_table = on_table;
  return statement;
}

Statement *build_savepoint(Parser *parser, StatementKind kind, const char *name) {
  Statement *statement = build_statement(parser, kind, NULL);
  statement->savepoint.name = name;
  return statement;
}

Statement *build_call_statement(Parser *parser, const char *name, ExprList *args) {
  Statement *statement = build_statement(parser, STATEMENT_CALL, NULL);
  statement->call.name = name;
  if (args) statement->call.args = *args;
  return statement;
}

Statement *build_set(Parser *parser, Statement *set, const char *name, Expr *value) {
  if (!set) set = build_statement(parser, STATEMENT_SET, NULL);
  ARENA_PUSH(parser->arena, &set->set, (SetTarget){.name = name, .value = value, .variable = -1});
  return set;
}
