/* resolve.h: names and types: from a syntax tree to an annotated one.
 *
 * Fills every "resolved" field of ast.h: columns become (depth, source, column),
 * * is expanded, views and WITH queries become derived sources, USING and NATURAL become
 * conditions, aggregates are collected, every expression gets a Type, and
 * implicit conversions become EXPR_CASTs with is_implicit.  A literal whose value
 * the tree depends on (ORDER BY 2) is *pinned*: the plan is valid only for texts with the
 * same value there. */
#ifndef ALIBI_SQL_RESOLVE_H
#define ALIBI_SQL_RESOLVE_H

#include "src/sql/error.h"
#include "src/sql/schema.h"
#include "src/sql/token.h"

typedef enum ResolveAnswer {
  RESOLVE_OK,
  RESOLVE_ERROR,     /* a correct database refuses the statement: error class and message */
  RESOLVE_UNMODELLED /* beyond the fragment: reason in message */
} ResolveAnswer;

typedef struct Resolution {
  ErrorClass error;
  const char *message; /* in the arena */
  uint32_t offset;
  ARRAY(uint32_t) pinned; /* inputs whose values belong to the plan */
  ARRAY(Value) constants; /* literals of views, in the arena: the executor binds them as inputs input_count, input_count + 1, ... */
} Resolution;

/* `input_values` are the values of all inputs of this execution (parameters
 * included): typing looks at their kinds, and at the values of those it pins. */
ResolveAnswer resolve_statement(Schema *schema, Arena *arena, Statement *statement, const Input *inputs,
                                const Value *input_values, uint32_t input_count, Resolution *resolution);
/* The body of a procedure, against the schema as it is now; literals are procedure->inputs. */
ResolveAnswer resolve_procedure(Schema *schema, Arena *arena, Procedure *procedure, Resolution *resolution);
/* Turns a CREATE TABLE into a Table in schema->arena (not yet linked): types, defaults, checks, keys. */
ResolveAnswer resolve_table(Schema *schema, const CreateTable *create, const Value *inputs, uint32_t input_count,
                            Table **table, Resolution *resolution);

#endif
