/* function.h: the table of SQL functions: names, dialects, arguments, typing.
 *
 * One row per function.  Resolution finds the row by name and dialect and asks
 * it for the result type; semantics/function.c holds the implementations,
 * by the same FunctionId, in one switch or table. */
#ifndef ALIBI_SQL_FUNCTION_H
#define ALIBI_SQL_FUNCTION_H

#include "src/sql/ast.h"

typedef enum FunctionId {
  FUNCTION_NONE,
#define FUNCTION(ID, ...) FUNCTION_##ID,
#include "src/sql/function.def"
#undef FUNCTION
  FUNCTION_COUNT_
} FunctionId;

unsigned function_dialect(const Dialect *dialect); /* IN_* */
enum { IN_GENERIC = 1, IN_POSTGRESQL = 2, IN_MYSQL = 4 /* and mariadb */, IN_SQLITE = 8, IN_ALL = 15 };
/* How the result type follows from the arguments. */
typedef enum ResultRule {
  RESULT_FIRST,   /* the first argument's type */
  RESULT_UNIFIED, /* the common type of all arguments: COALESCE, GREATEST, NULLIF (first), IF (2nd, 3rd) */
  RESULT_INT4, RESULT_INT8, RESULT_DOUBLE, RESULT_DECIMAL, RESULT_TEXT, RESULT_BOOL, RESULT_DATE, RESULT_TIME, RESULT_TIMESTAMP,
  RESULT_BLOB,
  RESULT_NUMERIC_FIRST, /* like the first argument if it is a number, else double (ABS, ROUND, SUM by dialect, ...) */
  RESULT_SUM, RESULT_AVERAGE, /* by dialect: see resolve */
  RESULT_ROUNDED /* ROUND, FLOOR, SIGN: decimals stay; otherwise postgresql: double, mysql: integers stay, else double */
} ResultRule;

enum {
  FUNCTION_AGGREGATE = 1, /* COUNT, SUM, ... */
  FUNCTION_VOLATILE = 2,  /* random(), uuid(): a fresh free value at each call */
  FUNCTION_CLOCK = 4,     /* now(): one free value per transaction (postgresql) or statement (others) */
  FUNCTION_LAZY = 8,      /* evaluates only what it needs: COALESCE, IFNULL, IF, NULLIF */
  FUNCTION_NULLS = 16,    /* sees NULL arguments; otherwise a NULL argument gives NULL without a call */
  FUNCTION_SESSION = 32   /* what the connection remembers (LAST_INSERT_ID()): answered by the engine */
};

struct FunctionEntry {
  const char *name; /* upper case */
  FunctionId id;
  uint8_t dialects;
  int8_t least, most; /* number of arguments; most -1: any */
  uint8_t result;     /* ResultRule */
  uint8_t flags;
};

/* Name in any case; NULL: no such function modelled in this dialect with that many arguments. */
const FunctionEntry *function_find(const Dialect *dialect, const char *name, uint32_t arg_count, bool has_star);
/* For documentation and coverage: the whole table. */
const FunctionEntry *function_table(uint32_t *count);

#endif
