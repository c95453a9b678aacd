/* build.h: what grammar.y, its feeder and its actions share.
 *
 * The feeder (filter.c) turns tokens into what the grammar sees; the actions call
 * build_* functions, which make the nodes of ast.h.  The first failure is kept in the Parser and
 * ends the run; until then every build function returns a node, so that no action
 * needs to look for NULL. */
#ifndef ALIBI_SQL_BUILD_H
#define ALIBI_SQL_BUILD_H

#include "src/sql/parse.h"

enum {
  HEIGHT_MOST = 500, /* levels of nodes; what walks trees recurses as deep */
  NESTING_MOST = 400 /* parentheses, CASE and BEGIN around a token */
};

typedef struct Parser {
  const Dialect *dialect;
  Arena *arena;
  const char *text;
  const Tokens *tokens;
  Parse *parse;
  ParseAnswer answer;
  uint32_t next;         /* the token to feed next */
  uint32_t current;      /* the token being fed */
  uint32_t end;          /* where the text of the token before the current one ends */
  uint32_t current_end;
  uint32_t header;       /* the token behind the parameters of a procedure, until its body starts; 0: none */
  uint16_t previous;     /* the code fed last */
  uint8_t words;         /* the dialect's bit in keyword.def */
  bool in_procedure;
  bool in_table;         /* in CREATE TABLE */
  bool in_duplicate;     /* behind ON DUPLICATE KEY UPDATE */
  bool has_position;     /* the text has POSITION( somewhere */
  bool or_replace, is_temporary, is_unique; /* of the CREATE that was fed last */
  const char *constraint_name; /* CONSTRAINT name, until its constraint comes */
} Parser;

/* ---- feeding: filter.c ---------------------------------------------------------- */
/* The next code for the grammar, 0 at the end; *token is the first of the tokens it stands for. */
uint16_t filter_next(Parser *parser, const Token **token);
bool token_is(const Parser *parser, const Token *token, const char *word); /* unquoted, in any case; word in lower case */

/* ---- running: grammar.y, parse.c -------------------------------------------------- */
void grammar_run(Parser *parser);
void parser_reject(Parser *parser, uint32_t offset, const char *format, ...) __attribute__((format(printf, 3, 4)));
void parser_reject_token(Parser *parser, const Token *token);
void parser_too_deep(Parser *parser, uint32_t offset);
void parser_add(Parser *parser, uint32_t offset, Statement *statement); /* a statement of the text is complete */

/* ---- pieces ------------------------------------------------------------------------ */
typedef struct TypeClause {
  const char *words;
  int64_t first, second;
  uint32_t offset;
} TypeClause;

typedef struct TableName {
  const char *schema, *name;
  uint32_t offset;
} TableName;

typedef struct Subquery { /* a query in parentheses */
  Select *select;
  uint32_t offset;
  bool is_nested; /* in more than one pair */
} Subquery;

typedef struct IndexColumns {
  NameList names;
  bool is_partial;
} IndexColumns;

typedef struct Join {
  uint8_t kind; /* JoinKind */
  bool natural;
  bool is_bare; /* neither CROSS nor NATURAL: PostgreSQL then wants a condition */
} Join;

typedef ARRAY(OrderTerm) OrderList;
typedef ARRAY(SelectItem) ItemList;

const char *build_name(Parser *parser, const Token *token);
NameList *build_names(Parser *parser, NameList *list, const char *name);
ExprList *build_list(Parser *parser, ExprList *list, Expr *expr); /* list NULL: a new one */
TypeClause *build_type(Parser *parser, const Token *token);
void build_type_word(Parser *parser, TypeClause *clause, const Token *token);
void build_type_numbers(Parser *parser, TypeClause *clause, const Token *first, const Token *second);
Type build_type_parse(Parser *parser, const TypeClause *clause);
uint8_t build_unit(Parser *parser, const Token *token);
void height_cover(Parser *parser, uint16_t *height, uint16_t below, uint32_t offset);

/* ---- expressions: build_expr.c, build_call.c ------------------------------------------ */
Expr *build_simple(Parser *parser, ExprKind kind, const Token *token);
Expr *build_input(Parser *parser, const Token *token);
Expr *build_column(Parser *parser, const Token *table, const Token *name);
Expr *build_variable(Parser *parser, const Token *token);
Expr *build_unary(Parser *parser, ExprKind kind, const Token *token, Expr *a);
Expr *build_binary(Parser *parser, const Token *token, Expr *a, Expr *b); /* the kind follows from the operator */
Expr *build_logic(Parser *parser, ExprKind kind, const Token *token, Expr *a, Expr *b); /* AND, OR: flat */
Expr *build_is(Parser *parser, const Token *token, Expr *a, Expr *b);
Expr *build_is_postfix(Parser *parser, const Token *token, Expr *a);
Expr *build_distinct_from(Parser *parser, const Token *token, Expr *a, Expr *b);
Expr *build_like(Parser *parser, const Token *token, Expr *a, Expr *pattern, Expr *escape);
Expr *build_between(Parser *parser, const Token *token, Expr *a, Expr *low, Expr *high);
Expr *build_in_list(Parser *parser, const Token *token, Expr *a, ExprList *list);
Expr *build_in_select(Parser *parser, const Token *token, Expr *a, Subquery subquery);
Expr *build_in_table(Parser *parser, const Token *token, Expr *a, TableName name);
Expr *build_quantified(Parser *parser, const Token *token, Expr *a, const Token *word, Subquery subquery);
Expr *build_subquery(Parser *parser, ExprKind kind, Subquery subquery);
Expr *build_parentheses(Expr *a);
Expr *build_row(Parser *parser, const Token *token, ExprList *list);
Expr *build_case(Parser *parser, const Token *token, Expr *operand, ExprList *branches, Expr *otherwise);
Expr *build_cast(Parser *parser, const Token *token, Expr *a, TypeClause *clause);
Expr *build_typed(Parser *parser, const Token *type, const Token *literal); /* DATE '...' */
Expr *build_collate(Parser *parser, const Token *token, Expr *a, const char *name);
Expr *build_interval(Parser *parser, const Token *token, Expr *a, const Token *unit);
Expr *build_call(Parser *parser, const Token *schema, const Token *name);
Expr *build_call_named(Parser *parser, const Token *token, const char *name, ExprList *args);
void build_call_empty(Parser *parser, const Expr *call);
void build_call_args(Parser *parser, Expr *call, ExprList *args);
void build_call_order(Parser *parser, Expr *call, OrderList *order);
void build_call_part(Parser *parser, Expr *call, Expr **part, Expr *expr); /* FILTER, SEPARATOR */
Expr *build_trim(Parser *parser, const Token *token, const Token *side, Expr *what, Expr *from);

/* ---- queries: build_query.c, build_from.c ------------------------------------------------------------- */
Select *build_select(Parser *parser, const Token *token);
void select_cover_expr(Parser *parser, Select *select, const Expr *expr);
ItemList *build_items(Parser *parser, ItemList *list, SelectItem item);
SelectItem build_item(uint32_t start, uint32_t stop, Expr *expr, const char *alias);
OrderList *build_orders(Parser *parser, OrderList *list, OrderTerm term);
void build_select_items(Parser *parser, Select *select, ItemList *items);
void build_select_from(Parser *parser, Select *select, From *from);
void build_select_where(Parser *parser, Select *select, Expr *where);
void build_select_group(Parser *parser, Select *select, ExprList *group);
void build_select_having(Parser *parser, Select *select, Expr *having);
void build_select_row(Parser *parser, Select *select, ExprList *row); /* VALUES */
Select *build_compound(Parser *parser, SelectKind kind, const Token *token, Select *left, Select *right);
Select *build_tail(Parser *parser); /* ORDER BY, LIMIT, locks and INTO, gathered in a Select of their own */
void tail_order(Parser *parser, Select *tail, const Token *token, OrderList *order);
void tail_limit(Parser *parser, Select *tail, const Token *token, Expr *limit);
void tail_offset(Parser *parser, Select *tail, const Token *token, Expr *offset);
void tail_lock(Parser *parser, Select *tail, LockClause lock);
void tail_into(Parser *parser, Select *tail, const Token *token, NameList *into);
LockClause build_lock(Parser *parser, const Token *token, NameList *tables);
Select *build_finish(Parser *parser, Select *with, Select *select, Select *tail); /* with, tail: may be NULL */
Select *build_with(Parser *parser, Select *with, const char *name, NameList *columns, Subquery subquery);
From *build_table(Parser *parser, TableName name);
From *build_derived(Parser *parser, Subquery subquery);
void build_alias(From *from, const char *alias, NameList *columns);
From *build_comma(Parser *parser, const Token *token, From *left, From *right);
From *build_join(Parser *parser, const Token *token, Join join, From *left, From *right, Expr *on, NameList *using_columns);

/* ---- statements: build_change.c, build_table.c, build_flow.c ------------------------------ */
Statement *build_statement(Parser *parser, StatementKind kind, void *node); /* node: the pointer of the union, or NULL */
Insert *build_insert_values(Parser *parser, NameList *columns, Select *select);
Insert *build_insert_set(Parser *parser, const Token *token, AssignmentList *assignments);
Insert *build_insert_default(Parser *parser);
uint8_t build_conflict_word(Parser *parser, const Token *token); /* OR IGNORE, OR REPLACE, ... */
Statement *build_insert(Parser *parser, TableName table, uint8_t conflict, const char *alias, Insert *source, Insert *upsert,
                        ItemList *returning);
Insert *build_upsert(Parser *parser, ConflictAction action, IndexColumns *columns, const char *constraint,
                     AssignmentList *assignments, Expr *where);
AssignmentList *build_assignment(Parser *parser, AssignmentList *list, const Token *table, const Token *name, Expr *value);
AssignmentList *build_assignment_row(Parser *parser, AssignmentList *list, const Token *token, NameList *names, Expr *row);
Statement *build_update(Parser *parser, From *target, uint8_t conflict, AssignmentList *assignments, From *from, Expr *where,
                        Select *tail, ItemList *returning);
Statement *build_delete(Parser *parser, NameList *targets, From *from, From *using_tables, Expr *where, Select *tail,
                        ItemList *returning);
Statement *build_drop(Parser *parser, StatementKind kind, NameList *names, bool if_exists, const char *on_table);
Statement *build_savepoint(Parser *parser, StatementKind kind, const char *name);
Statement *build_call_statement(Parser *parser, const char *name, ExprList *args);
Statement *build_set(Parser *parser, Statement *set, const char *name, Expr *value); /* set NULL: a new one */

ColumnClause *build_column_clause(Parser *parser, const Token *name, TypeClause *type);
void column_default(Parser *parser, ColumnClause *column, Expr *value);
Expr *build_default_binary(Parser *parser, const Token *token, Expr *left, Expr *right);
void column_check(Parser *parser, ColumnClause *column, Expr *check);
void column_references(Parser *parser, ColumnClause *column, TableConstraint *foreign);
void column_generated(Parser *parser, ColumnClause *column, Expr *expr);
void column_deferred(ColumnClause *column);
TableConstraint *build_constraint(Parser *parser, ConstraintKind kind, const char *name, IndexColumns *columns);
TableConstraint *build_reference(Parser *parser, TableName parent, NameList *columns);
void reference_action(TableConstraint *foreign, bool is_delete, ForeignAction action);
IndexColumns *build_index_column(Parser *parser, IndexColumns *list, const char *name, bool is_partial);
CreateTable *build_create_table(Parser *parser);
void table_column_add(Parser *parser, CreateTable *create, ColumnClause *column);
void table_constraint_add(Parser *parser, CreateTable *create, TableConstraint *constraint);
void charset_check(Parser *parser, const Token *name);
Statement *build_create_index(Parser *parser, bool is_unique, bool if_not_exists, const char *name, TableName table,
                              IndexColumns *columns);
Statement *build_create_view(Parser *parser, bool or_replace, bool if_not_exists, TableName name, NameList *columns,
                             uint32_t start, uint32_t stop, Select *select);

typedef ARRAY(Branch) BranchList;
CreateProcedure *build_procedure(Parser *parser);
void procedure_parameter(Parser *parser, CreateProcedure *procedure, ParameterMode mode, const char *name, TypeClause *type);
Statement *build_foreign_routine(Parser *parser, const Token *token);
Statement *build_flow(Parser *parser, StatementKind kind);
StatementList *build_body(Parser *parser, StatementList *list, Statement *statement); /* list NULL: a new, empty one */
BranchList *build_branch(Parser *parser, BranchList *list, Expr *condition, StatementList *body);
void flow_condition(Parser *parser, Statement *handler, HandlerCondition kind, const Token *code);
Statement *build_for(Parser *parser, const char *name, Statement *range, StatementList *body);
const char *build_sqlstate(Parser *parser, const Token *literal);

#endif
