/* sql.h: random schemas and statements, of the SQL on which the dialects and SQLite agree.
 *
 * Integers are added, subtracted and compared; text is compared.  What depends on the order in which a
 * database visits rows is left out: updates of unique columns of several rows, LIMIT, bare columns. */
#ifndef ALIBI_ORACLE_SQL_H
#define ALIBI_ORACLE_SQL_H

#include "tests/oracle/draw.h"

enum { MODEL_TABLES = 2, MODEL_COLUMNS = 3 };

typedef struct ModelColumn {
  const char *name;
  bool is_text, is_key, is_unique, is_nullable, is_reference;
} ModelColumn;

typedef struct ModelTable {
  const char *name;
  uint32_t column_count;
  ModelColumn columns[MODEL_COLUMNS];
  bool has_key;
} ModelTable;

typedef struct Model {
  uint32_t table_count;
  ModelTable tables[MODEL_TABLES];
  bool is_plain;      /* for the vendors' models: one table, no subqueries, fresh keys */
  bool is_focused;    /* few rows, met again and again */
  bool has_key_share; /* the dialect knows FOR KEY SHARE */
  uint32_t row_count; /* at the beginning, of the first table */
  bool keeps_keys;    /* none is made now */
  int next_key;       /* the next fresh one */
} Model;

/* Tables into the model, their CREATE TABLE into `creates` (one text each). */
void model_draw(Model *model, Draw *draw, bool is_plain, Text *creates);
/* A literal for a column. */
void literal_draw(const ModelColumn *column, Draw *draw, Text *text);
/* One random statement. */
void statement_draw(Model *model, Draw *draw, Text *text);

#endif
