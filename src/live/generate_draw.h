/* generate_draw.h: what the files generate_*.c share: dice, the text in the making, the schema as
 * drawn, and the scopes in which expressions stand.
 *
 * Text is emitted left to right into one buffer; a draw_* function emits its piece and
 * returns what it knows about it. */
#ifndef ALIBI_LIVE_GENERATE_DRAW_H
#define ALIBI_LIVE_GENERATE_DRAW_H

#include "src/base/array.h"
#include "src/live/generate.h"
#include "src/live/random.h"

enum {
  TABLE_LIMIT = 8,
  COLUMN_LIMIT = 6,
  KEY_LIMIT = 3,
  INDEX_LIMIT = 8,
  SAVEPOINT_LIMIT = 3,
  SCOPE_LIMIT = 40,
  NAME_SIZE = 12
};

typedef struct DrawnColumn {
  char name[NAME_SIZE];
  OperandType type;
  bool not_null;
  bool has_default;
  bool is_serial; /* the database makes its value when none is given */
  bool is_short;  /* text that may be in a key (mysql) */
} DrawnColumn;

typedef struct DrawnKey { /* PRIMARY KEY, UNIQUE */
  uint32_t count;
  uint32_t columns[2];
  bool is_primary;
} DrawnKey;

typedef struct DrawnTable { /* or view */
  char name[NAME_SIZE];
  bool is_view;
  bool holds_subquery; /* a query with a scalar subquery */
  bool is_parent;      /* other tables refer to it by FOREIGN KEY */
  uint32_t column_count, key_count;
  DrawnColumn columns[COLUMN_LIMIT];
  DrawnKey keys[KEY_LIMIT];
} DrawnTable;

typedef struct DrawnIndex {
  char name[NAME_SIZE];
  char table[NAME_SIZE];
} DrawnIndex;

typedef struct DrawnSchema {
  uint32_t table_count, index_count;
  DrawnTable tables[TABLE_LIMIT];
  DrawnIndex indexes[INDEX_LIMIT];
} DrawnSchema;

typedef struct Savepoint {
  char name[NAME_SIZE];
  DrawnSchema schema;
} Savepoint;

typedef enum Step { STEP_TABLES, STEP_ROWS, STEP_OUTSIDE, STEP_INSIDE, STEP_OVER } Step;

struct Generator {
  GeneratorOptions options;
  Random random;
  bool is_sqlite, is_postgres, is_mysql;
  bool is_modelled; /* nothing that an audit would set aside */
  bool is_strict;   /* operands must have the types that the operator asks for */
  Coverage *coverage;
  ARRAY(CoverageCell) cells; /* of the current statement; counted when it succeeds */
  ARRAY(char) text;
  DrawnSchema schema;
  DrawnSchema pending; /* the schema if the current statement succeeds */
  bool has_pending;
  DrawnSchema at_begin;
  uint32_t savepoint_count;
  Savepoint savepoints[SAVEPOINT_LIMIT];
  Step step;
  uint32_t table_goal, row_goal; /* of the set-up */
  uint32_t done;                 /* statements after the set-up */
  uint32_t left_in_transaction;
  uint32_t next_name, next_alias; /* numbers for fresh names */
  uint32_t big_depth;             /* inside how many derived tables, views and WITH queries the text stands */
  uint32_t with_count;            /* WITH queries of the current statement */
  DrawnTable with[2];
  bool is_definition_due; /* mysql: this transaction is one definition alone */
  bool is_dead;           /* postgresql: only ROLLBACK or ROLLBACK TO helps */
  bool look_at_due;       /* a generated key was made: read it next */
  char look_at[NAME_SIZE];
  GeneratedKind kind; /* of the current statement */
  bool merges_equals;
  bool avoids_truth; /* in a DEFAULT SQLite reads TRUE and FALSE as names, and IS TRUE as IS 1 */
};

/* ---- dice and text (generate_text.c) ---- */
uint32_t draw_below(Generator *generator, uint32_t bound);
bool draw_chance(Generator *generator, uint32_t percent);
void emit(Generator *generator, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_again(Generator *generator, size_t start, size_t length); /* a piece of the text once more */
/* Moves everything emitted since `middle` to `start`, over what stands between: the pieces of a query are
 * drawn in another order than they are written. */
void text_settle(Generator *generator, size_t start, size_t middle);
void cover_feature(Generator *generator, Feature feature);
void cover_function(Generator *generator, const char *name, bool is_aggregate);
void cover_operator(Generator *generator, OperatorId id, OperandType left, OperandType right);

#define DRAW_ONE(generator, list) ((list)[draw_below((generator), sizeof(list) / sizeof *(list))])

/* ---- scopes ---- */

typedef struct ScopeColumn {
  char source[NAME_SIZE]; /* empty: only without qualifier (merged by USING) */
  char name[NAME_SIZE];
  OperandType type;
  bool is_unique; /* may be written without qualifier */
} ScopeColumn;

typedef struct GroupKey { /* where its text stands in the buffer */
  size_t start, length;
  OperandType type;
  bool is_expression;
} GroupKey;

typedef struct Scope {
  const struct Scope *outer;
  uint32_t count;
  ScopeColumn columns[SCOPE_LIMIT];
  bool is_grouped; /* expressions may hold aggregates and group keys, but no plain columns */
  uint32_t key_count;
  GroupKey keys[2];
  bool is_inside_aggregate;
  bool shows_aggregate;    /* the next aggregate is a column of the result */
  bool forbids_subqueries; /* CHECK; mysql: writes that read their own table */
  bool forbids_bare;
  bool forbids_joins;
  bool forbids_offset;
  bool forbids_natural; /* mysql: unsigned operands of BETWEEN, which MariaDB takes for negative in WHERE */
  bool qualifies;       /* ON: a later source may have the same name */
  bool has_outer_join;  /* SQLite 3.40 forgets that its NOT NULL columns may be NULL, in USING and NATURAL
                           behind it */
  bool has_inner_condition; /* SQLite 3.40 takes a constant ON of an inner join for one of a RIGHT or FULL
                               JOIN behind it too */
  bool has_lost_name;       /* a merged name became ambiguous: * cannot show it */
  bool has_big_source;      /* a query among the sources: one is enough, for the sake of time */
  uint32_t table_count;     /* of FROM */
  char tables[3][NAME_SIZE];
} Scope;

/* What is known of an expression that was emitted. */
typedef struct Operand {
  OperandType type;
  bool is_sure; /* the type is certain: a literal, a cast, a column that holds its own type */
} Operand;

/* ---- expressions (generate_expression.c, generate_condition.c, generate_function.c, generate_literal.c)
 * ---- */
Operand draw_expression(Generator *generator, Scope *scope, OperandType want, uint32_t depth);
Operand draw_condition(Generator *generator, Scope *scope, uint32_t depth);
Operand draw_leaf(Generator *generator, Scope *scope, OperandType want);
bool draw_column(Generator *generator, const Scope *scope, OperandType want, Operand *operand);
Operand draw_literal(Generator *generator, OperandType type);
Operand draw_null(Generator *generator, OperandType type);
void draw_pattern(Generator *generator, bool is_glob);
bool draw_function(Generator *generator, Scope *scope, OperandType want, uint32_t depth, Operand *operand);
Operand draw_aggregate(Generator *generator, Scope *scope, OperandType want, uint32_t depth);
/* An operand of an operator whose pairs of types are counted: `is_bare`, a literal of any type. */
Operand draw_operand(Generator *generator, Scope *scope, OperandType want, uint32_t depth, bool is_bare);
bool draw_bareness(Generator *generator);
OperandType draw_type(Generator *generator); /* one that columns of the dialect have */
OperandType draw_mixed(Generator *generator,
                       OperandType want); /* where types are loose: sometimes another one */
const char *type_words(Generator *generator, OperandType type, bool is_key);
const char *cast_words(const Generator *generator, OperandType type);

/* ---- queries (generate_query.c, generate_source.c) ---- */
typedef struct QueryShape {
  uint32_t column_count;
  OperandType types[COLUMN_LIMIT]; /* wanted of each column */
  uint32_t first_name;             /* AS c<first_name>, ...; 0: no names */
  bool is_nested;                  /* a subquery: no free choice that the rest depends on */
  bool forbids_order;
  bool is_simple; /* no compounds, no WITH */
  bool is_small;  /* few rows: one source, or a limit */
} QueryShape;

void draw_query(Generator *generator, const Scope *outer, const QueryShape *shape, uint32_t depth);
void draw_sources(Generator *generator, Scope *scope, uint32_t depth); /* what follows FROM */
void draw_non_constant(Generator *generator, Scope *scope, OperandType want, uint32_t depth,
                       Operand *operand); /* for GROUP BY and ORDER BY */
bool scope_may_hold_subquery(const Scope *scope);
void shape_name(Generator *generator, QueryShape *shape); /* names for the columns */
/* The table that the query in the text from `start` on makes. */
void shape_to_table(const Generator *generator, size_t start, const QueryShape *shape, const char *name,
                    DrawnTable *table);
const DrawnTable *draw_table(Generator *generator, bool views_too); /* NULL: there is none */
void scope_add_table(Scope *scope, const char *source, const DrawnTable *table);
void scope_mark_unique(Scope *scope);
QueryShape draw_shape(Generator *generator, uint32_t columns);

/* ---- schema (generate_schema.c) and changes (generate_change.c) ---- */
void draw_create_table(Generator *generator);
void draw_definition(Generator *generator); /* CREATE or DROP of any kind */
bool draw_change(Generator *generator);     /* INSERT, UPDATE or DELETE; false: no table */
void draw_setup_rows(Generator *generator, const DrawnTable *table);
void draw_mistake(Generator *generator); /* a statement that is refused */

#endif
