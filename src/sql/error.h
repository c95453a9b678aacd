/* error.h: classes of SQL errors, and the codes that databases print for them.
 *
 * Codes are compared by class.  A model may admit several classes at once, so
 * they also form sets (bit masks). */
#ifndef ALIBI_SQL_ERROR_H
#define ALIBI_SQL_ERROR_H

#include "src/sql/dialect.h"

#include <stdint.h>

typedef enum ErrorClass {
  ERROR_NONE,
  ERROR_UNIQUE,          /* 23505, 1062, 1586, sqlite 1555 2067 */
  ERROR_FOREIGN_KEY,     /* 23503, 1451, 1452, 1216, 1217, sqlite 787 */
  ERROR_NOT_NULL,        /* 23502, 1048, 1364, sqlite 1299 */
  ERROR_CHECK,           /* 23514, 4025, 3819, sqlite 275 */
  ERROR_DIVISION,        /* 22012, 1365 */
  ERROR_OVERFLOW,        /* 22003, 1264, 1690 */
  ERROR_TOO_LONG,        /* 22001, 1406 */
  ERROR_BAD_VALUE,       /* 22P02, 1366, 1367, 1292, 22007, 22008, 1411, sqlite 20 */
  ERROR_ARGUMENT,        /* 22xxx others: 2201E, 22011, 22023, ... */
  ERROR_CARDINALITY,     /* 21000, 1242, 1172 */
  ERROR_SYNTAX,          /* 42601, 1064, 1149 */
  ERROR_NO_TABLE,        /* 42P01, 1146, 1051 */
  ERROR_NO_COLUMN,       /* 42703, 1054 */
  ERROR_NO_FUNCTION,     /* 42883, 1305, 1128 */
  ERROR_AMBIGUOUS,       /* 42702, 1052 */
  ERROR_GROUPING,        /* 42803, 1055, 1111, 1140 */
  ERROR_TYPE,            /* 42804, 42883 for operators, 42846, 1241, 1136, 1222, 42P18 */
  ERROR_DUPLICATE_OBJECT,/* 42P07, 42701, 42710, 1050, 1060, 1061, 1304 */
  ERROR_NO_OBJECT,       /* 42704, 1091 */
  ERROR_NO_SAVEPOINT,    /* 3B001, 1305 */
  ERROR_CURSOR,          /* 24000, 1325, 1326, 34000 */
  ERROR_NO_DATA,         /* 02000, 1329 */
  ERROR_SIGNAL,          /* 45000 */
  ERROR_BLOCK_DEAD,      /* 25P02 */
  ERROR_REFUSED,         /* 40001 40P01 55P03 57014 53xxx, 1213 1205 1020 1317 3024, busy: always allowed */
  ERROR_OTHER,           /* any other code we know to be a code */
  ERROR_CLASS_COUNT
} ErrorClass;

typedef uint32_t ErrorSet;
#define ERROR_BIT(class_) ((ErrorSet)1 << (class_))
#define ERROR_ANY (~(ErrorSet)1)

/* The classes an observed `error` may stand for ("1305" is two; "23000" is all of
 * integrity; "42000" many; a message that tells of a refusal: that; other text: ERROR_ANY). */
ErrorSet error_set_of(const Dialect *dialect, const char *code, size_t length);
/* Where a refusal undoes the whole transaction in MySQL and MariaDB: 1213, 1020, by code or message. */
bool error_undoes_transaction(const char *code);
const char *error_class_title(ErrorClass error_class); /* "duplicate key" */
/* The code this dialect prints for the class, for messages: "23505", "1062". */
const char *error_class_code(const Dialect *dialect, ErrorClass error_class);

#endif
