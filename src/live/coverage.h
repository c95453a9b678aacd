/* coverage.h: what a generator has reached: operators by operand types, functions, joins, ...
 *
 * A cell counts the statements that contained one combination and were
 * executed.  The cells exist from the beginning, so that what was never reached shows.
 * Operand types are those the generator is sure of: of literals, casts and columns. */
#ifndef ALIBI_LIVE_COVERAGE_H
#define ALIBI_LIVE_COVERAGE_H

#include "src/sql/dialect.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum OperandType {
  OPERAND_INTEGER,
  OPERAND_REAL,
  OPERAND_TEXT,
  OPERAND_BLOB,
  OPERAND_NULL,
  OPERAND_CELLS, /* the types above make the table */
  OPERAND_DECIMAL = OPERAND_CELLS,
  OPERAND_BOOLEAN,
  OPERAND_DATE,
  OPERAND_TYPES
} OperandType;

enum { FOR_SQLITE = 1, FOR_POSTGRESQL = 2, FOR_MYSQL = 4, FOR_ALL = 7 };

/* Operators: id, how it is written, kind, dialects. */
#define OPERATORS(X)                                                                                         \
  X(ADD, "+", ARITHMETIC, FOR_ALL)                                                                           \
  X(SUBTRACT, "-", ARITHMETIC, FOR_ALL)                                                                      \
  X(MULTIPLY, "*", ARITHMETIC, FOR_ALL)                                                                      \
  X(DIVIDE, "/", ARITHMETIC, FOR_ALL)                                                                        \
  X(MODULO, "%", ARITHMETIC, FOR_ALL)                                                                        \
  X(INTEGER_DIVIDE, "DIV", ARITHMETIC, FOR_MYSQL)                                                            \
  X(BIT_AND, "&", BITS, FOR_ALL)                                                                             \
  X(BIT_OR, "|", BITS, FOR_ALL)                                                                              \
  X(BIT_XOR, "^", BITS, FOR_MYSQL)                                                                           \
  X(SHIFT_LEFT, "<<", BITS, FOR_ALL)                                                                         \
  X(SHIFT_RIGHT, ">>", BITS, FOR_ALL)                                                                        \
  X(CONCAT, "||", CONCATENATION, FOR_SQLITE | FOR_POSTGRESQL)                                                \
  X(EQUAL, "=", COMPARISON, FOR_ALL)                                                                         \
  X(EQUAL_TWICE, "==", COMPARISON, FOR_SQLITE)                                                               \
  X(NOT_EQUAL, "<>", COMPARISON, FOR_ALL)                                                                    \
  X(BANG_EQUAL, "!=", COMPARISON, FOR_ALL)                                                                   \
  X(LESS, "<", COMPARISON, FOR_ALL)                                                                          \
  X(LESS_EQUAL, "<=", COMPARISON, FOR_ALL)                                                                   \
  X(GREATER, ">", COMPARISON, FOR_ALL)                                                                       \
  X(GREATER_EQUAL, ">=", COMPARISON, FOR_ALL)                                                                \
  X(IS, "IS", COMPARISON, FOR_SQLITE)                                                                        \
  X(IS_NOT, "IS NOT", COMPARISON, FOR_SQLITE)                                                                \
  X(IS_DISTINCT, "IS DISTINCT FROM", COMPARISON, FOR_SQLITE | FOR_POSTGRESQL)                                \
  X(IS_NOT_DISTINCT, "IS NOT DISTINCT FROM", COMPARISON, FOR_SQLITE | FOR_POSTGRESQL)                        \
  X(NULL_SAFE, "<=>", COMPARISON, FOR_MYSQL)                                                                 \
  X(AND, "AND", LOGIC, FOR_ALL)                                                                              \
  X(OR, "OR", LOGIC, FOR_ALL)                                                                                \
  X(XOR, "XOR", LOGIC, FOR_MYSQL)                                                                            \
  X(LIKE, "LIKE", PATTERN, FOR_ALL)                                                                          \
  X(NOT_LIKE, "NOT LIKE", PATTERN, FOR_ALL)                                                                  \
  X(GLOB, "GLOB", PATTERN, FOR_SQLITE)                                                                       \
  X(NOT_GLOB, "NOT GLOB", PATTERN, FOR_SQLITE)                                                               \
  X(BETWEEN, "BETWEEN", RANGE, FOR_ALL)                                                                      \
  X(NOT_BETWEEN, "NOT BETWEEN", RANGE, FOR_ALL)                                                              \
  X(IN, "IN", MEMBER, FOR_ALL)                                                                               \
  X(NOT_IN, "NOT IN", MEMBER, FOR_ALL)                                                                       \
  X(NEGATE, "-", SIGN, FOR_ALL)                                                                              \
  X(PLUS, "+", SIGN, FOR_ALL)                                                                                \
  X(BIT_NOT, "~", COMPLEMENT, FOR_ALL)                                                                       \
  X(NOT, "NOT", NEGATION, FOR_ALL)                                                                           \
  X(IS_NULL, "IS NULL", NULL_TEST, FOR_ALL)                                                                  \
  X(IS_NOT_NULL, "IS NOT NULL", NULL_TEST, FOR_ALL)                                                          \
  X(IS_TRUE, "IS TRUE", TRUTH_TEST, FOR_ALL)                                                                 \
  X(IS_NOT_TRUE, "IS NOT TRUE", TRUTH_TEST, FOR_ALL)                                                         \
  X(IS_FALSE, "IS FALSE", TRUTH_TEST, FOR_ALL)                                                               \
  X(IS_NOT_FALSE, "IS NOT FALSE", TRUTH_TEST, FOR_ALL)                                                       \
  X(CAST_INTEGER, "CAST AS INTEGER", CONVERSION, FOR_ALL)                                                    \
  X(CAST_REAL, "CAST AS REAL", CONVERSION, FOR_ALL)                                                          \
  X(CAST_TEXT, "CAST AS TEXT", CONVERSION, FOR_ALL)                                                          \
  X(CAST_BLOB, "CAST AS BLOB", CONVERSION, FOR_SQLITE)                                                       \
  X(CAST_NUMERIC, "CAST AS NUMERIC", CONVERSION, FOR_ALL)

typedef enum OperatorKind {
  OPERATOR_ARITHMETIC,
  OPERATOR_BITS,
  OPERATOR_CONCATENATION,
  OPERATOR_COMPARISON,
  OPERATOR_LOGIC,
  OPERATOR_PATTERN,
  OPERATOR_RANGE,
  OPERATOR_MEMBER,
  OPERATOR_SIGN, /* from here on: one operand */
  OPERATOR_COMPLEMENT,
  OPERATOR_NEGATION,
  OPERATOR_NULL_TEST,
  OPERATOR_TRUTH_TEST,
  OPERATOR_CONVERSION
} OperatorKind;

typedef enum OperatorId {
#define OPERATOR_ID(ID, ...) OPERATOR_ID_##ID,
  OPERATORS(OPERATOR_ID)
#undef OPERATOR_ID
      OPERATOR_IDS
} OperatorId;

typedef struct OperatorEntry {
  const char *text;
  uint8_t kind; /* OperatorKind */
  uint8_t dialects;
} OperatorEntry;

extern const OperatorEntry operator_table[OPERATOR_IDS];

/* Everything else that is counted: id, title, dialects. */
#define FEATURES(X)                                                                                          \
  X(JOIN_COMMA, "join: comma", FOR_ALL)                                                                      \
  X(JOIN_CROSS, "join: CROSS", FOR_ALL)                                                                      \
  X(JOIN_INNER, "join: INNER ON", FOR_ALL)                                                                   \
  X(JOIN_LEFT, "join: LEFT ON", FOR_ALL)                                                                     \
  X(JOIN_RIGHT, "join: RIGHT ON", FOR_ALL)                                                                   \
  X(JOIN_FULL, "join: FULL ON", FOR_SQLITE | FOR_POSTGRESQL)                                                 \
  X(JOIN_INNER_USING, "join: INNER USING", FOR_ALL)                                                          \
  X(JOIN_LEFT_USING, "join: LEFT USING", FOR_ALL)                                                            \
  X(JOIN_RIGHT_USING, "join: RIGHT USING", FOR_ALL)                                                          \
  X(JOIN_FULL_USING, "join: FULL USING", FOR_SQLITE | FOR_POSTGRESQL)                                        \
  X(JOIN_NATURAL, "join: NATURAL", FOR_ALL)                                                                  \
  X(JOIN_NATURAL_LEFT, "join: NATURAL LEFT", FOR_ALL)                                                        \
  X(JOIN_SELF, "join: a table with itself", FOR_ALL)                                                         \
  X(FROM_NOTHING, "no FROM", FOR_ALL)                                                                        \
  X(FROM_VIEW, "FROM a view", FOR_ALL)                                                                       \
  X(FROM_SELECT, "FROM (SELECT)", FOR_ALL)                                                                   \
  X(FROM_WITH, "FROM a WITH query", FOR_ALL)                                                                 \
  X(WHERE, "WHERE", FOR_ALL)                                                                                 \
  X(GROUP_BY, "GROUP BY", FOR_ALL)                                                                           \
  X(GROUP_BY_EXPRESSION, "GROUP BY an expression", FOR_ALL)                                                  \
  X(HAVING, "HAVING", FOR_ALL)                                                                               \
  X(BARE_COLUMN, "bare column of a group", FOR_SQLITE)                                                       \
  X(ORDER_BY, "ORDER BY", FOR_ALL)                                                                           \
  X(ORDER_BY_POSITION, "ORDER BY a position", FOR_ALL)                                                       \
  X(ORDER_BY_DESCENDING, "ORDER BY DESC", FOR_ALL)                                                           \
  X(ORDER_BY_NULLS, "ORDER BY NULLS FIRST, LAST", FOR_SQLITE | FOR_POSTGRESQL)                               \
  X(LIMIT, "LIMIT", FOR_ALL)                                                                                 \
  X(LIMIT_OFFSET, "LIMIT OFFSET", FOR_ALL)                                                                   \
  X(LIMIT_UNORDERED, "LIMIT without ORDER BY", FOR_ALL)                                                      \
  X(DISTINCT, "DISTINCT", FOR_ALL)                                                                           \
  X(STAR, "*", FOR_ALL)                                                                                      \
  X(STAR_OF_SOURCE, "t.*", FOR_ALL)                                                                          \
  X(UNION, "UNION", FOR_ALL)                                                                                 \
  X(UNION_ALL, "UNION ALL", FOR_ALL)                                                                         \
  X(INTERSECT, "INTERSECT", FOR_ALL)                                                                         \
  X(EXCEPT, "EXCEPT", FOR_ALL)                                                                               \
  X(VALUES, "VALUES as a query", FOR_SQLITE | FOR_POSTGRESQL)                                                \
  X(SUBQUERY_SCALAR, "scalar subquery", FOR_ALL)                                                             \
  X(SUBQUERY_IN, "IN (SELECT)", FOR_ALL)                                                                     \
  X(SUBQUERY_EXISTS, "EXISTS", FOR_ALL)                                                                      \
  X(SUBQUERY_CORRELATED, "correlated subquery", FOR_ALL)                                                     \
  X(CASE_SEARCHED, "CASE WHEN", FOR_ALL)                                                                     \
  X(CASE_OPERAND, "CASE x WHEN", FOR_ALL)                                                                    \
  X(CASE_WITHOUT_ELSE, "CASE without ELSE", FOR_ALL)                                                         \
  X(LIKE_ESCAPE, "LIKE ESCAPE", FOR_ALL)                                                                     \
  X(COLLATE, "COLLATE", FOR_SQLITE)                                                                          \
  X(COLLATE_COLUMN, "COLLATE of a column", FOR_SQLITE)                                                       \
  X(AGGREGATE_DISTINCT, "aggregate DISTINCT", FOR_ALL)                                                       \
  X(AGGREGATE_FILTER, "aggregate FILTER", FOR_SQLITE | FOR_POSTGRESQL)                                       \
  X(AGGREGATE_OF_NOTHING, "aggregate without GROUP BY", FOR_ALL)                                             \
  X(INSERT_VALUES, "INSERT VALUES", FOR_ALL)                                                                 \
  X(INSERT_ROWS, "INSERT of several rows", FOR_ALL)                                                          \
  X(INSERT_SOME_COLUMNS, "INSERT of some columns", FOR_ALL)                                                  \
  X(INSERT_DEFAULT_VALUES, "INSERT DEFAULT VALUES", FOR_SQLITE | FOR_POSTGRESQL)                             \
  X(INSERT_SELECT, "INSERT SELECT", FOR_ALL)                                                                 \
  X(INSERT_IGNORE, "INSERT OR IGNORE", FOR_SQLITE | FOR_MYSQL)                                               \
  X(INSERT_REPLACE, "INSERT OR REPLACE", FOR_SQLITE | FOR_MYSQL)                                             \
  X(UPSERT_NOTHING, "ON CONFLICT DO NOTHING", FOR_SQLITE | FOR_POSTGRESQL)                                   \
  X(UPSERT_UPDATE, "ON CONFLICT DO UPDATE", FOR_ALL)                                                         \
  X(UPSERT_WHERE, "ON CONFLICT DO UPDATE WHERE", FOR_SQLITE | FOR_POSTGRESQL)                                \
  X(UPDATE, "UPDATE", FOR_ALL)                                                                               \
  X(UPDATE_KEY, "UPDATE of a key", FOR_ALL)                                                                  \
  X(UPDATE_SUBQUERY, "UPDATE with a subquery", FOR_SQLITE | FOR_POSTGRESQL)                                  \
  X(DELETE, "DELETE", FOR_ALL)                                                                               \
  X(RETURNING_INSERT, "INSERT RETURNING", FOR_ALL)                                                           \
  X(RETURNING_UPDATE, "UPDATE RETURNING", FOR_SQLITE | FOR_POSTGRESQL)                                       \
  X(RETURNING_DELETE, "DELETE RETURNING", FOR_ALL)                                                           \
  X(SAVEPOINT, "SAVEPOINT", FOR_ALL)                                                                         \
  X(ROLLBACK_TO, "ROLLBACK TO", FOR_ALL)                                                                     \
  X(RELEASE, "RELEASE", FOR_ALL)                                                                             \
  X(CREATE_TABLE, "CREATE TABLE", FOR_ALL)                                                                   \
  X(CREATE_INDEX, "CREATE INDEX", FOR_ALL)                                                                   \
  X(CREATE_UNIQUE_INDEX, "CREATE UNIQUE INDEX", FOR_ALL)                                                     \
  X(CREATE_VIEW, "CREATE VIEW", FOR_ALL)                                                                     \
  X(DROP_TABLE, "DROP TABLE", FOR_ALL)                                                                       \
  X(DROP_INDEX, "DROP INDEX", FOR_ALL)                                                                       \
  X(DROP_VIEW, "DROP VIEW", FOR_ALL)                                                                         \
  X(PRIMARY_KEY, "PRIMARY KEY", FOR_ALL)                                                                     \
  X(PRIMARY_KEY_COMPOSITE, "PRIMARY KEY (a, b)", FOR_ALL)                                                    \
  X(PRIMARY_KEY_ROWID, "INTEGER PRIMARY KEY", FOR_SQLITE)                                                    \
  X(WITHOUT_ROWID, "WITHOUT ROWID", FOR_SQLITE)                                                              \
  X(UNIQUE, "UNIQUE", FOR_ALL)                                                                               \
  X(NOT_NULL, "NOT NULL", FOR_ALL)                                                                           \
  X(DEFAULT, "DEFAULT", FOR_ALL)                                                                             \
  X(CHECK, "CHECK", FOR_ALL)                                                                                 \
  X(FOREIGN_KEY, "FOREIGN KEY", FOR_ALL)

typedef enum Feature {
#define FEATURE_ID(ID, ...) FEATURE_##ID,
  FEATURES(FEATURE_ID)
#undef FEATURE_ID
      FEATURE_IDS
} Feature;

typedef struct Coverage Coverage;
typedef uint32_t CoverageCell; /* 0: none */

Coverage *coverage_new(DialectName dialect);
void coverage_free(Coverage *coverage);

CoverageCell coverage_of_operator(const Coverage *coverage, OperatorId id, OperandType left,
                                  OperandType right);
CoverageCell coverage_of_feature(const Coverage *coverage, Feature feature);
CoverageCell coverage_of_function(const Coverage *coverage, const char *name, bool is_aggregate);
void coverage_count(Coverage *coverage, CoverageCell cell);

/* Prints one line per group of cells, and each cell never reached; returns the share reached. */
double coverage_print(const Coverage *coverage, FILE *file);
unsigned dialect_bit(DialectName dialect); /* FOR_* */

#endif
