/* ast.h: syntax trees, as the grammar builds them and name resolution annotates them.
 *
 * Everything lives in the arena of the statement's plan.  The fields under
 * "resolved" are zero after parsing and filled by src/sql/resolve.h.  A tree
 * depends only on the statement's shape: literals are EXPR_INPUTs, and their
 * values are bound at each execution.
 *
 * Names are NUL-terminated, unquoted and folded as the dialect folds them. */
#ifndef ALIBI_SQL_AST_H
#define ALIBI_SQL_AST_H

#include "src/base/array.h"
#include "src/base/value.h"
#include "src/sql/type.h"

typedef struct Expr Expr;
typedef struct Select Select;
typedef struct Statement Statement;
typedef struct Table Table;         /* src/sql/schema.h */
typedef struct Procedure Procedure; /* src/sql/schema.h */
typedef struct FunctionEntry FunctionEntry; /* src/sql/function.h */

typedef ARRAY(Expr *) ExprList;
typedef ARRAY(const char *) NameList;

/* ---- Expressions ---------------------------------------------------------- */

/* The operands of every kind are in `args`; the table says which is which. */
typedef enum ExprKind {
  EXPR_NULL,      /* NULL */
  EXPR_TRUE,      /* TRUE */
  EXPR_FALSE,     /* FALSE */
  EXPR_INPUT,     /* a literal or a parameter: index */
  EXPR_COLUMN,    /* [table.]name */
  EXPR_STAR,      /* [table.]*, only in a select list and COUNT(*) */
  EXPR_VARIABLE,  /* a procedure's variable or parameter (resolved from EXPR_COLUMN): index */
  EXPR_USER_VARIABLE, /* @name */
  EXPR_NEGATE,    /* -a */
  EXPR_PLUS,      /* +a */
  EXPR_BIT_NOT,   /* ~a */
  EXPR_ADD, EXPR_SUBTRACT, EXPR_MULTIPLY, EXPR_DIVIDE, EXPR_INTEGER_DIVIDE /* DIV */, EXPR_MODULO,
  EXPR_BIT_AND, EXPR_BIT_OR, EXPR_BIT_XOR, EXPR_SHIFT_LEFT, EXPR_SHIFT_RIGHT,
  EXPR_CONCAT,    /* a || b */
  EXPR_EQUAL, EXPR_NOT_EQUAL, EXPR_LESS, EXPR_LESS_EQUAL, EXPR_GREATER, EXPR_GREATER_EQUAL,
  EXPR_IS_NOT_DISTINCT, /* a IS NOT DISTINCT FROM b, a <=> b; in sqlite a IS b */
  EXPR_IS_DISTINCT,     /* a IS DISTINCT FROM b; in sqlite a IS NOT b */
  EXPR_AND, EXPR_OR, /* two or more args: a AND b AND c is one node */
  EXPR_XOR, EXPR_NOT,
  EXPR_IS_NULL, EXPR_IS_NOT_NULL,
  EXPR_IS_TRUE, EXPR_IS_NOT_TRUE, EXPR_IS_FALSE, EXPR_IS_NOT_FALSE, /* and IS [NOT] UNKNOWN as IS [NOT] NULL */
  EXPR_BETWEEN,   /* a BETWEEN b AND c; negated */
  EXPR_LIKE,      /* a LIKE b [ESCAPE c]; negated; op LIKE_* */
  EXPR_IN_LIST,   /* a IN (b, ...); negated */
  EXPR_IN_SELECT, /* a IN (select); negated */
  EXPR_EXISTS,    /* EXISTS (select); NOT EXISTS is EXPR_NOT over it */
  EXPR_SCALAR,    /* (select) */
  EXPR_ANY, EXPR_ALL, /* a op ANY|SOME|ALL (select); op is the ExprKind of the comparison */
  EXPR_CASE,      /* [operand if has_operand] (when, then)* [else if has_else] */
  EXPR_CAST,      /* CAST(a AS cast_type), a::type; implicit ones are inserted by typing */
  EXPR_COLLATE,   /* a COLLATE name */
  EXPR_FUNCTION,  /* name(args) */
  EXPR_AGGREGATE, /* name([DISTINCT] args | *) [FILTER (WHERE ...)]; resolved from EXPR_FUNCTION */
  EXPR_ROW,       /* (a, b, ...) */
  EXPR_INTERVAL,  /* INTERVAL a unit (mysql) or INTERVAL 'text' (postgresql, no unit) */
  EXPR_DEFAULT,   /* DEFAULT in VALUES and SET */
  EXPR_VALUES_OF, /* VALUES(col) in ON DUPLICATE KEY UPDATE; excluded.col is an EXPR_COLUMN of source EXCLUDED */
  EXPR_GROUP_KEY, /* resolved: the index-th GROUP BY expression of the block, in SELECT list, HAVING, ORDER BY */
} ExprKind;

enum { LIKE_LIKE, LIKE_ILIKE, LIKE_GLOB, LIKE_REGEXP };

struct Expr {
  uint8_t kind; /* ExprKind */
  uint8_t op;   /* ANY/ALL: comparison kind; LIKE: LIKE_*; INTERVAL, EXTRACT, TIMESTAMPDIFF, TIMESTAMPADD: IntervalUnit */
  bool negated;
  bool distinct;    /* aggregates */
  bool has_operand; /* CASE */
  bool has_else;    /* CASE */
  bool is_implicit; /* a CAST that typing inserted */
  bool is_typed;    /* a CAST written as DATE '...' */
  bool in_parentheses; /* written as (a): sqlite's affinity and the arbiter of row values care */
  bool is_quoted;   /* COLUMN without qualifier, written in double quotes: sqlite reads it as a string if no column fits */
  uint16_t height;  /* levels of nodes from here down, subqueries included; the parser bounds it */
  uint32_t offset;  /* in the statement's text */
  int32_t index;    /* INPUT, VARIABLE, GROUP_KEY, AGGREGATE (resolved) */
  uint32_t arg_count;
  Expr **args;
  const char *table; /* qualifier, or NULL */
  const char *name;  /* column, function, variable, collation */
  Select *select;    /* IN_SELECT, EXISTS, SCALAR, ANY, ALL */
  Expr *filter;      /* AGGREGATE: FILTER (WHERE ...) */
  Expr *separator;   /* GROUP_CONCAT ... SEPARATOR */
  struct OrderTerm *order; /* GROUP_CONCAT / string_agg ORDER BY */
  uint32_t order_count;
  Type cast_type;    /* CAST */
  const char *cast_words; /* CAST: the type as written, for sqlite */
  /* resolved */
  Type type;
  uint32_t depth;    /* COLUMN, GROUP_KEY, AGGREGATE: 0 is the block the expression stands in, 1 the one around it, ... */
  uint32_t source;   /* COLUMN: index into that block's sources */
  uint32_t column;   /* COLUMN: index into the source's columns */
  const FunctionEntry *function; /* FUNCTION, AGGREGATE: from the table of functions; NULL: not modelled */
  bool is_volatile;  /* contains random(), now() and such, or a subquery that does */
  bool is_bare;      /* COLUMN outside aggregates that is not determined by GROUP BY: a free pick */
};

typedef enum IntervalUnit {
  UNIT_NONE, UNIT_MICROSECOND, UNIT_SECOND, UNIT_MINUTE, UNIT_HOUR, UNIT_DAY, UNIT_WEEK, UNIT_MONTH, UNIT_QUARTER, UNIT_YEAR,
  UNIT_DOW, UNIT_ISODOW, UNIT_DOY, UNIT_EPOCH /* of EXTRACT only */
} IntervalUnit;

/* ---- Queries --------------------------------------------------------------- */

typedef enum JoinKind { JOIN_CROSS, JOIN_INNER, JOIN_LEFT, JOIN_RIGHT, JOIN_FULL } JoinKind;
typedef enum FromKind { FROM_TABLE, FROM_SELECT, FROM_JOIN } FromKind;

typedef struct From {
  uint8_t kind; /* FromKind */
  uint8_t join; /* JoinKind */
  bool natural;
  bool is_comma; /* a JOIN_CROSS written as a comma */
  uint16_t height; /* as in Expr */
  uint32_t offset;
  const char *schema_name; /* public.t: kept for people */
  const char *name;  /* TABLE */
  const char *alias; /* or NULL */
  NameList column_aliases; /* AS x(a, b) */
  Select *select;    /* SELECT; resolved: also of a view or a WITH query named by TABLE */
  struct From *left, *right; /* JOIN */
  Expr *on;
  NameList using_columns;
  /* resolved */
  uint32_t source;      /* TABLE, SELECT: its index in the block's sources */
  Expr *condition;      /* JOIN: ON, or USING and NATURAL spelled out; NULL: none */
} From;

/* One row source of a query block: a base table or a derived one. */
typedef struct Source {
  const char *name; /* alias or table name */
  Table *table;     /* a base table, or NULL */
  Select *select;   /* a subquery, view or WITH query, or NULL */
  uint32_t column_count;
  const char **column_names;
  Type *column_types;
  bool is_lateral;  /* its subquery refers to earlier sources (not modelled) */
  bool is_nullable; /* on the inner side of an outer join */
  From *from;
} Source;

typedef struct SelectItem {
  Expr *expr;
  const char *alias; /* AS name, or NULL */
  uint32_t offset, length; /* of the expression's text */
} SelectItem;

typedef struct OrderTerm {
  Expr *expr;
  bool descending;
  uint8_t nulls; /* 0: by dialect; 1: NULLS FIRST; 2: NULLS LAST */
  /* resolved */
  int32_t item; /* the 0-based output column it sorts by, or -1: the expression */
} OrderTerm;

typedef enum SelectKind { SELECT_SIMPLE, SELECT_VALUES, SELECT_UNION, SELECT_UNION_ALL, SELECT_INTERSECT, SELECT_EXCEPT,
                          SELECT_INTERSECT_ALL, SELECT_EXCEPT_ALL } SelectKind;

typedef enum LockKind { LOCK_NONE, LOCK_UPDATE, LOCK_NO_KEY_UPDATE, LOCK_SHARE, LOCK_KEY_SHARE } LockKind;

typedef struct LockClause {
  uint8_t kind; /* LockKind */
  bool skip_locked;
  bool no_wait;
  NameList tables; /* OF t, ... */
} LockClause;

typedef struct WithQuery {
  const char *name;
  NameList columns;
  Select *select;
} WithQuery;

typedef ARRAY(ExprList) RowList;

/* Blocks nest as their texts do: `depth` counts them outwards.  A subquery stands in the block whose expression holds it; a
 * derived table, too, stands in the block whose FROM names it (it sees the blocks around that one, never its sources).  A compound is
 * no block of its own: its arms stand directly in the block around it.  A VALUES list is a block without sources. */
struct Select {
  uint8_t kind; /* SelectKind */
  bool distinct;
  uint16_t height;     /* as in Expr */
  bool is_recursive;   /* WITH RECURSIVE: not modelled if really recursive */
  uint32_t offset_in_text;
  ARRAY(WithQuery) with;
  Select *left, *right; /* compounds; ORDER BY and LIMIT below are of the whole */
  RowList values;       /* SELECT_VALUES */
  ARRAY(SelectItem) items;
  From *from; /* NULL: no FROM */
  Expr *where;
  ExprList group_by;
  Expr *having;
  ARRAY(OrderTerm) order_by;
  Expr *limit, *offset;
  LockClause lock;
  NameList into;   /* SELECT ... INTO a, @b in procedures; a name starting with '@' is a user variable */
  /* resolved */
  ARRAY(Source) sources;
  ARRAY(SelectItem) outputs; /* items with * expanded; compounds: names of the left, types unified, expr NULL */
  const char **output_names; /* as the database would title them; NULL where it is not plain (see output_is_named) */
  bool *output_is_named;     /* AS or a plain column: compared with the observation */
  Type *output_types;
  ExprList aggregates;       /* every EXPR_AGGREGATE of this block; its index is the place here */
  bool is_grouped;           /* GROUP BY or an aggregate */
  uint32_t outer_depth;      /* how many blocks outwards its columns reach: 0 = uncorrelated */
  bool is_volatile;
  uint32_t id;               /* unique in the statement: for caches of uncorrelated results */
  void *plan;                /* semantics/query_plan.h, made when the block first runs; in the statement's arena */
};

/* ---- Statements ------------------------------------------------------------- */

typedef enum StatementKind {
  STATEMENT_SELECT,
  STATEMENT_INSERT, /* and REPLACE */
  STATEMENT_UPDATE,
  STATEMENT_DELETE,
  STATEMENT_TRUNCATE,
  STATEMENT_CREATE_TABLE,
  STATEMENT_DROP_TABLE,
  STATEMENT_CREATE_INDEX,
  STATEMENT_DROP_INDEX,
  STATEMENT_CREATE_VIEW,
  STATEMENT_DROP_VIEW,
  STATEMENT_CREATE_PROCEDURE,
  STATEMENT_DROP_PROCEDURE,
  STATEMENT_CALL,
  STATEMENT_SAVEPOINT,
  STATEMENT_ROLLBACK_TO,
  STATEMENT_RELEASE,
  STATEMENT_SET,   /* SET @x = ..., SET v = ... in procedures */
  STATEMENT_SESSION, /* SET NAMES, SET SESSION ..., SHOW, USE, ANALYZE, PRAGMA, EXPLAIN, LOCK TABLE: no effect on data */
  /* inside procedures */
  STATEMENT_BLOCK,
  STATEMENT_DECLARE,         /* variables */
  STATEMENT_DECLARE_CURSOR,
  STATEMENT_DECLARE_HANDLER,
  STATEMENT_IF,
  STATEMENT_CASE,
  STATEMENT_WHILE,
  STATEMENT_REPEAT,
  STATEMENT_LOOP,
  STATEMENT_FOR,             /* MariaDB: FOR i IN a..b DO, FOR r IN cursor DO, FOR r IN (select) DO */
  STATEMENT_LEAVE,
  STATEMENT_ITERATE,
  STATEMENT_OPEN,
  STATEMENT_FETCH,
  STATEMENT_CLOSE,
  STATEMENT_SIGNAL
} StatementKind;

typedef ARRAY(Statement *) StatementList;

typedef struct Assignment {
  const char *table; /* qualifier, joined updates */
  const char *name;
  Expr *value;
  uint32_t offset;
  /* resolved */
  uint32_t target; /* index into targets of the update, 0 for one table */
  uint32_t column;
} Assignment;

typedef ARRAY(Assignment) AssignmentList;

typedef enum ConflictAction { CONFLICT_ERROR, CONFLICT_NOTHING /* DO NOTHING */, CONFLICT_UPDATE /* DO UPDATE */,
                              CONFLICT_DUPLICATE_KEY /* ON DUPLICATE KEY UPDATE */, CONFLICT_IGNORE /* INSERT IGNORE, OR IGNORE */,
                              CONFLICT_REPLACE /* REPLACE, OR REPLACE */ } ConflictAction;

typedef struct Insert {
  const char *table_name;
  const char *alias;
  NameList columns; /* empty: declaration order */
  bool default_values; /* INSERT INTO t DEFAULT VALUES, VALUES () */
  Select *select;   /* VALUES is a SELECT_VALUES; may hold EXPR_DEFAULT */
  uint8_t conflict; /* ConflictAction */
  NameList conflict_columns; /* ON CONFLICT (a, b) */
  const char *conflict_constraint; /* ON CONFLICT ON CONSTRAINT name */
  AssignmentList assignments;
  Expr *conflict_where;
  ARRAY(SelectItem) returning;
  /* resolved */
  Table *table;
  uint32_t *targets; /* column index of each inserted column */
  uint32_t target_count;
  Select *scope; /* assignments, conflict_where: a block with sources 0 = the table's row, 1 = excluded row */
  Select *returning_scope; /* outputs of RETURNING over source 0 = the table's row; NULL: none */
} Insert;

typedef struct Update {
  From *from; /* the target, or a join of tables (mysql) */
  const char *target_name; /* single-table form and UPDATE ... FROM: the name or alias of the target */
  AssignmentList assignments;
  Expr *where;
  ARRAY(OrderTerm) order_by;
  Expr *limit;
  ARRAY(SelectItem) returning;
  uint8_t conflict; /* UPDATE IGNORE / OR IGNORE / OR REPLACE */
  /* resolved: a block that has the tables as sources and WHERE, ORDER BY and LIMIT of the statement */
  Select *scope;
  ARRAY(uint32_t) targets; /* the sources that are changed */
  Select *returning_scope;
} Update;

typedef struct Delete {
  NameList target_names; /* DELETE a, b FROM ...: (mysql); one for the plain form */
  From *from;
  Expr *where;
  ARRAY(OrderTerm) order_by;
  Expr *limit;
  ARRAY(SelectItem) returning;
  /* resolved */
  Select *scope;
  ARRAY(uint32_t) targets;
  Select *returning_scope;
} Delete;

typedef struct ColumnClause {
  const char *name;
  uint32_t offset;
  const char *type_words; /* as written, without the numbers; NULL in sqlite where absent */
  int64_t type_first, type_second; /* numbers in parentheses, or -1 */
  bool not_null;
  bool primary_key;
  bool unique;
  bool auto_increment; /* AUTO_INCREMENT, SERIAL, AUTOINCREMENT, GENERATED ... AS IDENTITY */
  const char *collation;
  Expr *default_value; /* or NULL */
  Expr *generated;     /* AS (expr) columns: not modelled yet */
  bool on_update_now;  /* ON UPDATE CURRENT_TIMESTAMP: not modelled yet */
  ARRAY(struct TableConstraint *) constraints; /* CHECK and REFERENCES written with the column */
} ColumnClause;

typedef enum ConstraintKind { CONSTRAINT_PRIMARY_KEY, CONSTRAINT_UNIQUE, CONSTRAINT_CHECK, CONSTRAINT_FOREIGN_KEY, CONSTRAINT_INDEX } ConstraintKind;
typedef enum ForeignAction { ACTION_NONE /* NO ACTION, RESTRICT */, ACTION_CASCADE, ACTION_SET_NULL, ACTION_SET_DEFAULT } ForeignAction;

typedef struct TableConstraint {
  uint8_t kind; /* ConstraintKind; KEY and INDEX clauses are CONSTRAINT_INDEX */
  const char *name; /* or NULL */
  NameList columns;
  Expr *check;
  const char *parent_table;
  NameList parent_columns; /* empty: its primary key */
  uint8_t on_delete, on_update; /* ForeignAction */
  bool is_deferred; /* INITIALLY DEFERRED */
  bool is_partial;  /* an index over expressions, or with WHERE or prefix lengths */
} TableConstraint;

typedef struct CreateTable {
  const char *name;
  bool if_not_exists;
  bool is_temporary;
  bool without_rowid; /* sqlite */
  bool is_strict;     /* sqlite STRICT */
  ARRAY(ColumnClause) columns;
  ARRAY(TableConstraint) constraints;
  const char *collation; /* COLLATE / CHARSET option, or NULL */
  Select *select; /* CREATE TABLE ... AS */
} CreateTable;

typedef struct CreateIndex {
  const char *name;
  const char *table_name;
  bool unique;
  bool if_not_exists;
  NameList columns;
  bool is_partial; /* expressions, WHERE, prefix lengths: speeds nothing up here; UNIQUE then is not modelled */
} CreateIndex;

typedef struct CreateView {
  const char *name;
  bool or_replace;
  bool if_not_exists;
  NameList columns;
  Select *select;
  uint32_t text_offset, text_length; /* the query's own text */
} CreateView;

typedef enum ParameterMode { PARAMETER_IN, PARAMETER_OUT, PARAMETER_INOUT } ParameterMode;

typedef struct ProcedureParameter {
  const char *name;
  uint8_t mode; /* ParameterMode */
  Type type;
} ProcedureParameter;

typedef struct CreateProcedure {
  const char *name;
  bool or_replace;
  bool if_not_exists;
  bool is_foreign; /* LANGUAGE plpgsql, FUNCTION, ...: stored as not modelled */
  ARRAY(ProcedureParameter) parameters;
  Statement *body;
} CreateProcedure;

typedef struct Branch {
  Expr *condition; /* IF, searched CASE; simple CASE: the WHEN value; NULL: ELSE */
  StatementList body;
} Branch;

typedef enum HandlerCondition { HANDLER_NOT_FOUND, HANDLER_SQLEXCEPTION, HANDLER_SQLWARNING, HANDLER_SQLSTATE, HANDLER_CODE, HANDLER_NAMED } HandlerCondition;

/* Statements of procedures; which fields each kind uses is in the names. */
typedef struct Flow {
  const char *label;      /* blocks and loops; LEAVE, ITERATE: the target */
  StatementList body;     /* BLOCK, WHILE, REPEAT, LOOP, FOR; HANDLER: one statement */
  Expr *condition;        /* WHILE, REPEAT ... UNTIL; CASE: the operand or NULL */
  ARRAY(Branch) branches; /* IF, CASE */
  NameList names;         /* DECLARE a, b; FETCH c INTO a, b; handler conditions' names */
  const char *cursor;     /* DECLARE_CURSOR, OPEN, FETCH, CLOSE, FOR r IN cursor; FOR: the loop variable is names[0] */
  Type type;              /* DECLARE */
  Expr *value;            /* DECLARE ... DEFAULT; FOR: lower bound */
  Expr *upper;            /* FOR i IN a..b */
  bool is_reverse;        /* FOR i IN REVERSE */
  Select *select;         /* DECLARE_CURSOR; FOR r IN (select) */
  bool is_exit;           /* EXIT HANDLER; else CONTINUE */
  ARRAY(struct { uint8_t kind; const char *code; }) conditions; /* handlers: HandlerCondition and its SQLSTATE or number */
  const char *sqlstate;   /* SIGNAL */
  /* resolved */
  ARRAY(int32_t) variables; /* DECLARE, FETCH: variable slots of `names` (-1: a user variable); FOR over rows: of its columns */
  int32_t cursor_index;     /* DECLARE_CURSOR, OPEN, FETCH, CLOSE, FOR */
} Flow;

typedef struct SetTarget {
  const char *name; /* '@x' for user variables */
  Expr *value;
  int32_t variable; /* resolved: slot of a local variable, or -1 */
} SetTarget;

struct Statement {
  uint8_t kind; /* StatementKind */
  uint32_t offset, length; /* of its text */
  union {
    Select *select;
    Insert *insert;
    Update *update;
    Delete *delete_;
    CreateTable *create_table;
    CreateIndex *create_index;
    CreateView *create_view;
    CreateProcedure *create_procedure;
    Flow *flow;
    struct { NameList names; bool if_exists; bool cascade; const char *on_table; /* DROP INDEX i ON t */ } drop; /* tables, indexes, views, procedures, TRUNCATE */
    struct { const char *name; ExprList args; Procedure *procedure; } call;
    struct { const char *name; } savepoint; /* SAVEPOINT, ROLLBACK TO, RELEASE */
    ARRAY(SetTarget) set;
  };
  /* resolved */
  ARRAY(Table *) tables_read;    /* base tables, also through views and subqueries */
  ARRAY(Table *) tables_written;
  ARRAY(int32_t) into_variables; /* SELECT ... INTO: slots, -1 for user variables */
  uint32_t block_count;          /* number of Select blocks with ids */
};

/* Calls visit on every direct operand: args, filter, order, separator. Not on subqueries. */
void expr_each(Expr *expr, void (*visit)(Expr *operand, void *context), void *context);
Expr *expr_new(Arena *arena, ExprKind kind, uint32_t offset);
Expr *expr_unary(Arena *arena, ExprKind kind, uint32_t offset, Expr *a);
Expr *expr_binary(Arena *arena, ExprKind kind, uint32_t offset, Expr *a, Expr *b);
const char *expr_kind_name(ExprKind kind);
const char *statement_kind_name(StatementKind kind);

#endif
