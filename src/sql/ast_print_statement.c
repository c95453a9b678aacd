/* ast_print_statement.c: statements as text. */
#include "src/sql/print.h"

static void print_list(Printer *printer, const char *before, const NameList *names) {
  if (!names->count) return;
  print_text(printer, before);
  print_text(printer, "(");
  print_names(printer, names);
  print_text(printer, ")");
}

static void print_returning(Printer *printer, const SelectItem *items, uint32_t count) {
  if (!count) return;
  print_text(printer, " RETURNING ");
  print_items(printer, items, count);
}

/* ---- Changes ------------------------------------------------------------------------------ */

static void print_assignments(Printer *printer, const AssignmentList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    const Assignment *assignment = &list->items[i];
    if (i) print_text(printer, ", ");
    if (assignment->table) {
      print_name(printer, assignment->table);
      print_text(printer, ".");
    }
    print_name(printer, assignment->name);
    print_text(printer, " = ");
    print_expr(printer, assignment->value);
  }
}

static const char *const OR_WORDS[] = {
    [CONFLICT_ERROR] = "",         [CONFLICT_NOTHING] = "",          [CONFLICT_UPDATE] = "",
    [CONFLICT_DUPLICATE_KEY] = "", [CONFLICT_IGNORE] = " OR IGNORE", [CONFLICT_REPLACE] = " OR REPLACE"};

static void print_upsert(Printer *printer, const Insert *insert) {
  if (insert->conflict == CONFLICT_DUPLICATE_KEY) {
    print_text(printer, " ON DUPLICATE KEY UPDATE ");
    print_assignments(printer, &insert->assignments);
  }
  if (insert->conflict != CONFLICT_NOTHING && insert->conflict != CONFLICT_UPDATE) return;
  print_text(printer, " ON CONFLICT");
  print_list(printer, " ", &insert->conflict_columns);
  if (insert->conflict_constraint) {
    print_text(printer, " ON CONSTRAINT ");
    print_name(printer, insert->conflict_constraint);
  }
  if (insert->conflict == CONFLICT_NOTHING) {
    print_text(printer, " DO NOTHING");
    return;
  }
  print_text(printer, " DO UPDATE SET ");
  print_assignments(printer, &insert->assignments);
  print_part(printer, " WHERE ", insert->conflict_where);
}

static void print_insert(Printer *printer, const Insert *insert) {
  print_text(printer, "INSERT");
  print_text(printer, OR_WORDS[insert->conflict]);
  print_text(printer, " INTO ");
  print_name(printer, insert->table_name);
  if (insert->alias) {
    print_text(printer, " AS ");
    print_name(printer, insert->alias);
  }
  print_list(printer, " ", &insert->columns);
  print_text(printer, " ");
  if (insert->select)
    print_select(printer, insert->select);
  else
    print_text(printer, "DEFAULT VALUES");
  print_upsert(printer, insert);
  print_returning(printer, insert->returning.items, insert->returning.count);
}

static void print_update(Printer *printer, const Update *update) {
  bool has_from = update->target_name && update->from->kind == FROM_JOIN;
  print_text(printer, "UPDATE");
  print_text(printer, OR_WORDS[update->conflict]);
  print_text(printer, " ");
  print_from(printer, has_from ? update->from->left : update->from);
  print_text(printer, " SET ");
  print_assignments(printer, &update->assignments);
  if (has_from) {
    print_text(printer, " FROM ");
    print_from(printer, update->from->right);
  }
  print_part(printer, " WHERE ", update->where);
  print_orders(printer, update->order_by.items, update->order_by.count);
  print_part(printer, " LIMIT ", update->limit);
  print_returning(printer, update->returning.items, update->returning.count);
}

static void print_delete(Printer *printer, const Delete *statement) {
  print_text(printer, "DELETE ");
  if (statement->from->kind != FROM_TABLE) {
    print_names(printer, &statement->target_names);
    print_text(printer, " ");
  }
  print_text(printer, "FROM ");
  print_from(printer, statement->from);
  print_part(printer, " WHERE ", statement->where);
  print_orders(printer, statement->order_by.items, statement->order_by.count);
  print_part(printer, " LIMIT ", statement->limit);
  print_returning(printer, statement->returning.items, statement->returning.count);
}

/* ---- Definitions ------------------------------------------------------------------------------ */

static void print_constraint(Printer *printer, const TableConstraint *constraint, bool is_of_column) {
  static const char *const WORDS[] = {[CONSTRAINT_PRIMARY_KEY] = "PRIMARY KEY",
                                      [CONSTRAINT_UNIQUE] = "UNIQUE",
                                      [CONSTRAINT_CHECK] = "CHECK ",
                                      [CONSTRAINT_FOREIGN_KEY] = "FOREIGN KEY",
                                      [CONSTRAINT_INDEX] = "INDEX"};
  static const char *const ACTIONS[] = {[ACTION_NONE] = NULL,
                                        [ACTION_CASCADE] = "CASCADE",
                                        [ACTION_SET_NULL] = "SET NULL",
                                        [ACTION_SET_DEFAULT] = "SET DEFAULT"};
  if (constraint->name) {
    print_text(printer, "CONSTRAINT ");
    print_name(printer, constraint->name);
    print_text(printer, " ");
  }
  bool is_foreign = constraint->kind == CONSTRAINT_FOREIGN_KEY;
  if (!is_foreign || !is_of_column) {
    print_text(printer, WORDS[constraint->kind]);
    if (constraint->check) print_expr(printer, constraint->check);
    print_list(printer, " ", &constraint->columns);
  }
  if (!is_foreign) return;
  print_text(printer, is_of_column ? "REFERENCES " : " REFERENCES ");
  print_name(printer, constraint->parent_table);
  print_list(printer, " ", &constraint->parent_columns);
  if (ACTIONS[constraint->on_delete]) {
    print_text(printer, " ON DELETE ");
    print_text(printer, ACTIONS[constraint->on_delete]);
  }
  if (ACTIONS[constraint->on_update]) {
    print_text(printer, " ON UPDATE ");
    print_text(printer, ACTIONS[constraint->on_update]);
  }
  if (constraint->is_deferred) print_text(printer, " INITIALLY DEFERRED");
}

static void print_column_type(Printer *printer, const ColumnClause *column) {
  if (!column->type_words) return;
  print_text(printer, " ");
  print_text(printer, column->type_words);
  if (column->type_first < 0) return;
  const char *format = column->type_second < 0 ? "(%lld)" : "(%lld,%lld)";
  print_text(printer, arena_format(printer->arena, format, (long long)column->type_first,
                                   (long long)column->type_second));
}

static void print_column(Printer *printer, const ColumnClause *column) {
  print_name(printer, column->name);
  print_column_type(printer, column);
  if (column->collation) {
    print_text(printer, " COLLATE ");
    print_name(printer, column->collation);
  }
  if (column->not_null) print_text(printer, " NOT NULL");
  if (column->primary_key) print_text(printer, " PRIMARY KEY");
  if (column->unique) print_text(printer, " UNIQUE");
  if (column->auto_increment) print_text(printer, " AUTO_INCREMENT");
  print_part(printer, " DEFAULT ", column->default_value);
  print_part(printer, " GENERATED ALWAYS AS ", column->generated);
  if (column->on_update_now) print_text(printer, " ON UPDATE CURRENT_TIMESTAMP");
  for (uint32_t i = 0; i < column->constraints.count; i++) {
    print_text(printer, " ");
    print_constraint(printer, column->constraints.items[i], true);
  }
}

static void print_create_table(Printer *printer, const CreateTable *create) {
  print_text(printer, create->is_temporary ? "CREATE TEMPORARY TABLE " : "CREATE TABLE ");
  if (create->if_not_exists) print_text(printer, "IF NOT EXISTS ");
  print_name(printer, create->name);
  if (create->columns.count) print_text(printer, " (");
  for (uint32_t i = 0; i < create->columns.count; i++) {
    if (i) print_text(printer, ", ");
    print_column(printer, &create->columns.items[i]);
  }
  for (uint32_t i = 0; i < create->constraints.count; i++) {
    print_text(printer, ", ");
    print_constraint(printer, &create->constraints.items[i], false);
  }
  if (create->columns.count) print_text(printer, ")");
  if (create->collation) {
    print_text(printer, " COLLATE ");
    print_name(printer, create->collation);
  }
  if (create->without_rowid) print_text(printer, " WITHOUT ROWID");
  if (create->is_strict) print_text(printer, create->without_rowid ? ", STRICT" : " STRICT");
  if (!create->select) return;
  print_text(printer, " AS ");
  print_select(printer, create->select);
}

static void print_create_index(Printer *printer, const CreateIndex *create) {
  print_text(printer, create->unique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ");
  if (create->if_not_exists) print_text(printer, "IF NOT EXISTS ");
  if (create->name) {
    print_name(printer, create->name);
    print_text(printer, " ");
  }
  print_text(printer, "ON ");
  print_name(printer, create->table_name);
  print_list(printer, " ", &create->columns);
}

static void print_create_view(Printer *printer, const CreateView *create) {
  print_text(printer, create->or_replace ? "CREATE OR REPLACE VIEW " : "CREATE VIEW ");
  if (create->if_not_exists) print_text(printer, "IF NOT EXISTS ");
  print_name(printer, create->name);
  print_list(printer, " ", &create->columns);
  print_text(printer, " AS ");
  print_select(printer, create->select);
}

static void print_create_procedure(Printer *printer, const CreateProcedure *create) {
  static const char *const MODES[] = {
      [PARAMETER_IN] = "IN ", [PARAMETER_OUT] = "OUT ", [PARAMETER_INOUT] = "INOUT "};
  print_text(printer, create->or_replace ? "CREATE OR REPLACE PROCEDURE " : "CREATE PROCEDURE ");
  if (create->if_not_exists) print_text(printer, "IF NOT EXISTS ");
  print_name(printer, create->name);
  print_text(printer, "(");
  for (uint32_t i = 0; i < create->parameters.count; i++) {
    const ProcedureParameter *parameter = &create->parameters.items[i];
    char buffer[64];
    if (i) print_text(printer, ", ");
    print_text(printer, MODES[parameter->mode]);
    print_name(printer, parameter->name);
    print_text(printer, " ");
    print_text(printer, type_text(parameter->type, buffer, sizeof buffer));
  }
  print_text(printer, ")");
  if (!create->body) return;
  print_text(printer, " ");
  print_statement(printer, create->body);
}

static void print_set(Printer *printer, const Statement *statement) {
  print_text(printer, "SET ");
  for (uint32_t i = 0; i < statement->set.count; i++) {
    if (i) print_text(printer, ", ");
    print_name(printer, statement->set.items[i].name);
    print_text(printer, " = ");
    print_expr(printer, statement->set.items[i].value);
  }
}

static void print_drop(Printer *printer, const Statement *statement) {
  print_text(printer, statement_kind_name(statement->kind));
  print_text(printer, statement->drop.if_exists ? " IF EXISTS " : " ");
  print_names(printer, &statement->drop.names);
  if (statement->drop.on_table) {
    print_text(printer, " ON ");
    print_name(printer, statement->drop.on_table);
  }
  if (statement->drop.cascade) print_text(printer, " CASCADE");
}

void print_statement(Printer *printer, const Statement *statement) {
  switch ((StatementKind)statement->kind) {
  case STATEMENT_SELECT: print_select(printer, statement->select); break;
  case STATEMENT_INSERT: print_insert(printer, statement->insert); break;
  case STATEMENT_UPDATE: print_update(printer, statement->update); break;
  case STATEMENT_DELETE: print_delete(printer, statement->delete_); break;
  case STATEMENT_CREATE_TABLE: print_create_table(printer, statement->create_table); break;
  case STATEMENT_CREATE_INDEX: print_create_index(printer, statement->create_index); break;
  case STATEMENT_CREATE_VIEW: print_create_view(printer, statement->create_view); break;
  case STATEMENT_CREATE_PROCEDURE: print_create_procedure(printer, statement->create_procedure); break;
  case STATEMENT_TRUNCATE:
  case STATEMENT_DROP_TABLE:
  case STATEMENT_DROP_INDEX:
  case STATEMENT_DROP_VIEW:
  case STATEMENT_DROP_PROCEDURE: print_drop(printer, statement); break;
  case STATEMENT_CALL:
    print_word(printer, "CALL", statement->call.name);
    print_text(printer, "(");
    print_exprs(printer, statement->call.args.items, statement->call.args.count);
    print_text(printer, ")");
    break;
  case STATEMENT_SAVEPOINT:
  case STATEMENT_ROLLBACK_TO:
  case STATEMENT_RELEASE:
    print_word(printer, statement_kind_name(statement->kind), statement->savepoint.name);
    break;
  case STATEMENT_SET: print_set(printer, statement); break;
  case STATEMENT_SESSION: print_text(printer, statement_kind_name(statement->kind)); break;
  default: print_flow(printer, statement->kind, statement->flow); break;
  }
}

char *statement_text(Arena *arena, const Statement *statement, const Tokens *tokens) {
  Printer printer = {.arena = arena, .tokens = tokens};
  print_statement(&printer, statement);
  print_bytes(&printer, "", 1);
  return printer.text.items;
}
