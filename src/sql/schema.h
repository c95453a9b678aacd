/* schema.h: the catalogue: tables, indexes, views, procedures.
 *
 * A Table never changes once made (CREATE INDEX adds to its list of indexes);
 * dropping it unlinks it from the names and leaves the object, so that an undo
 * links it again.  `version` changes with every DDL statement: plans made under another
 * version are made anew. */
#ifndef ALIBI_SQL_SCHEMA_H
#define ALIBI_SQL_SCHEMA_H

#include "src/base/diag.h"
#include "src/base/map.h"
#include "src/sql/ast.h"

typedef struct Column {
  const char *name;
  Type type;
  bool not_null;
  bool auto_increment;
  Expr *default_value; /* resolved, or NULL; its EXPR_INPUTs are bound to default_inputs of the table */
} Column;

typedef struct Index {
  const char *name; /* or NULL */
  uint32_t column_count;
  uint32_t *columns;
  bool unique;
  bool primary;
  bool is_constraint; /* made by PRIMARY KEY or UNIQUE, not by CREATE INDEX */
  bool is_dropped;
} Index;

typedef struct Check {
  const char *name;
  Select *scope; /* a block with source 0 = the row; where = the condition, resolved */
} Check;

typedef struct ForeignKey {
  const char *name;
  Table *child;
  uint32_t column_count;
  uint32_t *columns;
  const char *parent_name; /* looked up when checked: the parent may come later */
  NameList parent_column_names;
  uint8_t on_delete, on_update;
  bool is_deferred;
} ForeignKey;

struct Table {
  const char *name;
  uint32_t id; /* 0, 1, ...: index into Schema.tables and into the store */
  uint32_t column_count;
  Column *columns;
  int32_t primary; /* index into indexes, or -1 */
  int32_t rowid_column; /* sqlite: INTEGER PRIMARY KEY, an alias of the row id; -1 */
  ARRAY(Index *) indexes;
  ARRAY(Check) checks;
  ARRAY(ForeignKey *) foreign_keys; /* declared here */
  ARRAY(ForeignKey *) referenced_by; /* of other tables, kept up by schema_link_foreign_keys */
  int32_t auto_column; /* AUTO_INCREMENT / SERIAL column, or -1 */
  const Value *inputs; /* literals of defaults and checks */
  uint32_t input_count;
  bool without_rowid;
  bool ignores_case; /* column names compare without case: all but postgresql */
};

typedef struct View {
  const char *name;
  NameList columns;
  Select *select; /* parsed, unresolved: every use parses `text` again into its own arena */
  const char *text;
  uint32_t text_length;
} View;

struct Procedure {
  const char *name;
  ARRAY(ProcedureParameter) parameters; /* variables 0 .. parameters-1 of the frame */
  Statement *body;         /* resolved lazily: see resolve_procedure */
  uint32_t variable_count; /* resolved */
  Type *variable_types;
  uint32_t cursor_count;
  const Value *inputs;     /* literals in the body */
  uint32_t input_count;
  uint64_t resolved_version; /* schema version the body was resolved for; 0: not yet */
  const char *text;        /* the CREATE statement, to parse again */
  uint32_t text_length;
  bool is_foreign;         /* not modelled */
  const char *refused;     /* why the body is not modelled, or NULL */
};

typedef struct Schema {
  Arena arena; /* owns every table, view and procedure of the run */
  Dialect dialect;
  uint64_t version; /* starts at 1 */
  Map names;        /* table or view name -> SchemaEntry */
  Map procedures;
  Map index_names;
  ARRAY(Table *) tables; /* by id, dropped ones included */
  ARRAY(ForeignKey *) foreign_keys; /* of all linked tables */
} Schema;

typedef struct SchemaEntry {
  Table *table; /* exactly one of the two */
  View *view;
} SchemaEntry;

void schema_init(Schema *schema, Dialect dialect);
void schema_free(Schema *schema);

Table *schema_table(const Schema *schema, const char *name); /* NULL: none (a view counts as none) */
/* A name outside SQL: as it is stored, or as CREATE TABLE spelled it, which PostgreSQL folded. */
Table *schema_table_spelled(const Schema *schema, Arena *arena, const char *name);
View *schema_view(const Schema *schema, const char *name);
Procedure *schema_procedure(const Schema *schema, const char *name);
/* A live index by name, of one table (mysql) or of any (table_name NULL); NULL: none. */
Index *schema_index(const Schema *schema, const char *table_name, const char *name, Table **table);
int32_t table_column(const Table *table, const char *name); /* -1: none; names compare as the dialect does */
/* Names are folded by the tokenizer (postgresql: unquoted to lower case); mysql columns and everything in sqlite compare
 * without case: the schema keeps a folded key for lookups. */
const char *schema_fold(const Schema *schema, Arena *arena, const char *name);

/* Link and unlink: the transaction's undo log calls the opposite. Each bumps the version. */
void schema_link_table(Schema *schema, Table *table);
void schema_unlink_table(Schema *schema, Table *table);
void schema_link_view(Schema *schema, View *view);
void schema_unlink_view(Schema *schema, View *view);
void schema_link_procedure(Schema *schema, Procedure *procedure);
void schema_unlink_procedure(Schema *schema, Procedure *procedure);
void schema_link_index(Schema *schema, Table *table, Index *index);
void schema_unlink_index(Schema *schema, Table *table, Index *index);
/* Foreign keys whose parent is this table by name, over all linked tables. */
void schema_foreign_keys_of(const Schema *schema, const Table *parent, void (*visit)(ForeignKey *, void *), void *context);

#endif
