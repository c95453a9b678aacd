/* resolve_internal.h: what the files of the resolver share.
 *
 * A Resolver lives for one statement (or one procedure, or one table).  The
 * first failure wins: it is recorded in the Resolver, and every function returns false at once.
 * A Scope is the view of names from inside one clause of one block; scopes chain outwards.
 *
 * R1  An expression is resolved exactly once; what refers to it again (an alias, a
 *     position) gets a copy, so that every node has one parent and typing may wrap it in place.
 * R2  Nothing depends on the value of an input that is not pinned; kinds and classes (value_class) may be
 * used. R3  After a block is resolved, its `outputs` hold the expressions; `items` are as written. */
#ifndef ALIBI_SQL_RESOLVE_INTERNAL_H
#define ALIBI_SQL_RESOLVE_INTERNAL_H

#include "src/sql/function.h"
#include "src/sql/resolve.h"

typedef enum Clause {
  CLAUSE_NONE, /* outside any block: SET, IF, CALL, DEFAULT */
  CLAUSE_FROM, /* a block seen from its own derived tables: its names are hidden */
  CLAUSE_ITEMS,
  CLAUSE_ON,
  CLAUSE_WHERE,
  CLAUSE_GROUP_BY,
  CLAUSE_HAVING,
  CLAUSE_ORDER_BY,
  CLAUSE_LIMIT,
  CLAUSE_VALUES,
  CLAUSE_SET,
  CLAUSE_RETURNING,
  CLAUSE_CHECK
} Clause;

/* A column as an unqualified name or * sees it. */
typedef struct VisibleColumn {
  const char *name; /* NULL: it cannot be named */
  uint32_t source, column;
  const struct VisibleColumn *left, *right; /* joined by USING: COALESCE(left, right); else NULL */
} VisibleColumn;

typedef ARRAY(VisibleColumn) VisibleList;

typedef struct Scope {
  struct Scope *outer;
  Select *block;
  const VisibleList *visible;
  uint32_t first_source, end_source; /* what qualified names may mean */
  uint8_t clause;                    /* Clause */
  bool in_aggregate;
  bool prefers_first; /* upsert: an unqualified name means source 0, the table's row */
} Scope;

/* A WITH query that can be named; the innermost first. */
typedef struct WithScope {
  struct WithScope *outer;
  struct WithScope *visible; /* what it sees: the newest of them */
  Scope *around;             /* of the query that it stands before */
  WithQuery *query;
  bool is_open;              /* being resolved: a mention is recursive */
  bool is_resolved;
  bool is_recursive;
} WithScope;

typedef struct Variable {
  const char *name;
  const char *record; /* FOR record IN ...: named record.name; or NULL */
  int32_t slot;
  uint32_t block; /* DECLAREs of one block must differ */
} Variable;

typedef struct CursorName {
  const char *name;
  int32_t index;
  const Select *select;
} CursorName;

/* The body of a procedure: what is declared at the point being resolved. */
typedef struct Body {
  Procedure *procedure;
  ARRAY(Variable) variables; /* visible ones, innermost last */
  ARRAY(CursorName) cursors;
  ARRAY(const char *) labels;
  ARRAY(Type) types; /* of all slots */
  uint32_t cursor_count;
  uint32_t block; /* number of the current block, counted up */
} Body;

typedef struct Resolver {
  Schema *schema;
  const Dialect *dialect;
  Arena *arena;
  Statement *statement; /* the one whose tables and blocks are being collected */
  Resolution *resolution;
  ResolveAnswer answer;
  uint32_t input_count; /* of the statement; literals of views come behind */
  ARRAY(Value) values;
  ARRAY(uint8_t) kinds; /* InputKind of each */
  WithScope *with;
  Body *body; /* NULL outside procedures */
  uint32_t view_depth;
  const Table *target;      /* of the UPDATE or DELETE being resolved */
  const Table *inserted;    /* by the INSERT whose rows are being resolved */
  uint32_t target_mentions; /* how often FROM clauses name it */
  bool keeps_unknown;       /* the outputs of this query are assigned to columns: literals stay untyped */
  bool has_collate;         /* somewhere: only then is one looked for */
} Resolver;

/* resolve.c */
void resolver_start(Resolver *resolver, Schema *schema, Arena *arena, Resolution *resolution);
void resolver_add_input(Resolver *resolver, Value value, InputKind kind);
/* The database refuses the statement. Both return false. */
bool resolver_fail(Resolver *resolver, ErrorClass error, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool resolver_unmodelled(Resolver *resolver, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void resolver_pin(Resolver *resolver, int32_t input);
void resolver_reads(Resolver *resolver, Table *table);
void resolver_writes(Resolver *resolver, Table *table);
bool statement_resolve(Resolver *resolver, Statement *statement);

/* resolve_name.c: names and their comparison. */
bool column_name_is(const Resolver *resolver, const char *a, const char *b);
bool table_name_is(const Resolver *resolver, const char *a, const char *b);
int32_t variable_find(const Body *body, const char *record, const char *name);
Expr *visible_expr(Resolver *resolver, const Scope *scope, const VisibleColumn *visible, uint32_t depth,
                   uint32_t offset);
Expr *source_expr(Resolver *resolver, const Scope *scope, uint32_t source, uint32_t column, uint32_t depth,
                  uint32_t offset);
bool column_resolve(Resolver *resolver, Scope *scope, Expr **slot);
/* An unqualified name among the columns of this block alone: 1 found, 0 not, -1 ambiguous. */
int visible_find(const Resolver *resolver, const Scope *scope, const char *name, const VisibleColumn **found);

/* resolve_missing.c: a name that was not found: the error, or what the model does not know. Returns false. */
bool column_is_missing(Resolver *resolver, const Scope *scope, const Expr *expr, bool saw_table);
/* Some column of a source has a title that is not known: a name might be its. */
bool source_has_untitled(const Source *source);

/* resolve_suggest.c: " (did you mean 'x'?)" or "". */
const char *name_suggest_column(Resolver *resolver, const Scope *scope, const char *name);
const char *name_suggest_table(Resolver *resolver, const char *name);

/* resolve_expr.c */
bool expr_resolve(Resolver *resolver, Scope *scope, Expr **slot);
bool condition_resolve(Resolver *resolver, Scope *scope, Expr **slot); /* and must be boolean */
void scope_mark_volatile(Scope *scope);

/* resolve_query.c */
bool select_resolve(Resolver *resolver, Scope *outer, Select *select);
/* What a WITH query is, found out where it is first named. */
bool with_query_resolve(Resolver *resolver, WithScope *with);
/* The output that a name in ORDER BY means: -1 none, -2 several different ones. */
int32_t output_of_name(Resolver *resolver, const Select *block, const char *name);
bool order_resolve(Resolver *resolver, Scope *scope, OrderTerm *terms, uint32_t count, bool is_distinct);
bool limit_resolve(Resolver *resolver, Scope *scope, Expr **slot);
bool outputs_resolve(Resolver *resolver, Scope *scope, Select *block, const SelectItem *items,
                     uint32_t count);
/* Types of outputs that are still unknown become text. */
bool outputs_settle(Resolver *resolver, Select *block);
/* mysql calls a text literal without alias by its text. */
bool literal_is_called(Resolver *resolver, const SelectItem *item, const char *name);
bool literal_is_position(const Resolver *resolver, const Expr *expr, int64_t *position);

/* resolve_compound.c */
bool compound_resolve(Resolver *resolver, Scope *outer, Select *select);
bool values_resolve(Resolver *resolver, Scope *outer, Select *select, const Table *target,
                    const uint32_t *targets);
/* sqlite: a compound as an operand has the affinities of its last arm (as a source, of its first). */
/* sqlite: as a source, a compound's column has the collation of its first arm. */
uint8_t select_column_collation(const Resolver *resolver, const Select *select, uint32_t i);
void select_take_last_affinity(const Resolver *resolver, Select *select);
uint32_t select_width(const Select *select);
void select_set_outputs(Resolver *resolver, Select *select, uint32_t count);

/* resolve_from.c */
bool from_resolve(Resolver *resolver, Scope *scope, From *from, VisibleList *visible);
bool join_resolve(Resolver *resolver, Scope *scope, From *from, VisibleList *visible); /* resolve_join.c */
bool source_add_table(Resolver *resolver, Select *block, From *from, Table *table, const char *name);
void source_visible(Resolver *resolver, const Select *block, uint32_t source, VisibleList *visible);
bool name_is_catalogue(const Resolver *resolver, const char *schema_name, const char *name);
bool table_missing(Resolver *resolver, const char *schema_name, const char *name, uint32_t offset);

/* resolve_group.c */
bool group_resolve(Resolver *resolver, Scope *scope, Select *block);
bool group_apply(Resolver *resolver, Select *block); /* keys, bare columns */
bool aggregate_resolve(Resolver *resolver, Scope *scope, Expr *expr);

/* resolve_walk.c: trees as trees. */
Expr *expr_copy(Arena *arena, const Expr *expr); /* subqueries are shared */
bool expr_equal(Resolver *resolver, const Expr *a, const Expr *b,
                uint32_t shift); /* b's columns lie `shift` blocks deeper */
bool expr_has(const Expr *expr, bool (*test)(const Expr *));
/* The smallest depth of a column below, subqueries included; UINT32_MAX: no column. */
uint32_t expr_least_depth(const Expr *expr);
void select_shift_inputs(Select *select, int32_t by);
bool select_has_subquery(const Expr *expr);

/* resolve_type.c: the type of a node whose operands are typed. */
bool expr_type(Resolver *resolver, Expr *expr);

/* resolve_convert.c */
Type input_type(const Resolver *resolver, const Expr *expr);
bool input_is_parameter(const Resolver *resolver, const Expr *expr);
Type truth_type(const Resolver *resolver);
bool expr_as_condition(Resolver *resolver, Expr **slot, const char *what);
/* An untyped literal or parameter takes the type; others stay. */
void expr_settle(Resolver *resolver, Expr **slot, Type type);
void expr_cast(Resolver *resolver, Expr **slot, Type type); /* unless it has that kind already */
bool pair_compare(Resolver *resolver, Expr **a, Expr **b, uint32_t offset);
/* The common type of several expressions, each cast to it. */
bool list_unify(Resolver *resolver, Expr ***slots, uint32_t count, const char *what, Type *common);
bool value_assign(Resolver *resolver, Expr **slot, const Column *column);
Type type_plain_text(const Resolver *resolver);
static inline bool type_is_unknown(Type type) { return type.kind == TYPE_UNKNOWN; }

/* resolve_unify.c: common types by dialect. False: postgresql has none, mysql one that is not modelled. */
bool type_unify(const Resolver *resolver, Type a, Type b, Type *common);
bool type_is_assignable(Type from, Type to); /* postgresql */
bool type_is_comparable(Type a, Type b);     /* postgresql */
bool type_is_castable(Type from, Type to);   /* postgresql */
Type type_without_limit(Type type);

/* resolve_arithmetic.c */
bool arithmetic_type(Resolver *resolver, Expr *expr);
bool interval_has_months(uint8_t unit);
Type interval_sum_type(Type date, uint8_t unit); /* mysql: date + INTERVAL n unit */

/* resolve_function.c */
bool function_resolve(Resolver *resolver, Scope *scope, Expr *expr);
bool function_type(Resolver *resolver, Expr *expr);

/* resolve_collation.c */
bool collation_named(const Dialect *dialect, const char *name, uint8_t *collation, bool *is_binary);
/* Of its own: a column or an explicit COLLATE. */
bool expr_collation(const Resolver *resolver, const Expr *expr, uint8_t *collation);
/* Where the whole expression is ordered or grouped. */
void collation_inherit(Resolver *resolver, Expr *expr);
bool collation_compare(Resolver *resolver, Expr *a, Expr *b, uint32_t offset);

/* resolve_write.c */
bool update_resolve(Resolver *resolver, Statement *statement);
bool delete_resolve(Resolver *resolver, Statement *statement);
Table *write_target(Resolver *resolver, const char *name, uint32_t offset); /* NULL: failed */
bool write_column_missing(Resolver *resolver, const Table *table, const char *name, uint32_t offset);
Select *write_block(Resolver *resolver);
bool write_returning(Resolver *resolver, Table *table, const char *name, const SelectItem *items,
                     uint32_t count, Select **result);
bool assignment_is_new(Resolver *resolver, const AssignmentList *list, uint32_t place);
bool assignment_value(Resolver *resolver, Scope *scope, Assignment *assignment, const Column *column);

/* resolve_insert.c */
bool insert_resolve(Resolver *resolver, Statement *statement);

/* resolve_procedure.c */
bool flow_resolve(Resolver *resolver, Statement *statement);
bool into_resolve(Resolver *resolver, Statement *statement, const Select *select);
bool set_resolve(Resolver *resolver, Statement *statement);

#define RESOLVE_NEW(resolver, kind, offset) expr_new((resolver)->arena, (kind), (offset))

#endif
