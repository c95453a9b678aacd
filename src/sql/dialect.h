/* dialect.h: which database's SQL, and the settings that change its meaning. */
#ifndef ALIBI_SQL_DIALECT_H
#define ALIBI_SQL_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

/* generic follows PostgreSQL, but where PostgreSQL raises an error that the
 * others do not, it follows SQLite. */
typedef enum DialectName {
  DIALECT_GENERIC,
  DIALECT_POSTGRESQL,
  DIALECT_MYSQL,
  DIALECT_MARIADB,
  DIALECT_SQLITE,
  DIALECT_COUNT
} DialectName;

typedef enum Collation { COLLATION_C, COLLATION_CI } Collation;

typedef struct Dialect {
  DialectName name;
  Collation collation; /* of text columns and literals by default */
  bool found_rows;     /* affected counts are of matched rows (mysql, mariadb) */
  bool foreign_keys;   /* checked; off by default in sqlite */
  bool ansi_quotes;    /* sql_mode ANSI_QUOTES: "x" is a name (mysql, mariadb) */
  bool pipes_concat;   /* sql_mode PIPES_AS_CONCAT */
  bool no_backslash;   /* sql_mode NO_BACKSLASH_ESCAPES */
  bool strict;         /* sql_mode STRICT_*: bad values are errors; the default */
  bool zero_division;  /* sql_mode ERROR_FOR_DIVISION_BY_ZERO: an error in strict writes; the default */
  bool full_group_by;  /* sql_mode ONLY_FULL_GROUP_BY */
  bool other_collation; /* the header names one that is not modelled: ordering text is set aside */
} Dialect;

bool dialect_find(const char *name, DialectName *found);
const char *dialect_title(DialectName name);
/* The defaults of each. */
Dialect dialect_new(DialectName name);
/* A comma-separated sql_mode sets the flags. */
void dialect_set_mode(Dialect *dialect, const char *sql_mode, size_t length);

static inline bool dialect_is_mysql(const Dialect *dialect) {
  return dialect->name == DIALECT_MYSQL || dialect->name == DIALECT_MARIADB;
}
static inline bool dialect_is_sqlite(const Dialect *dialect) { return dialect->name == DIALECT_SQLITE; }
/* PostgreSQL's rules: postgresql itself, and generic. */
static inline bool dialect_is_postgres(const Dialect *dialect) {
  return dialect->name == DIALECT_POSTGRESQL || dialect->name == DIALECT_GENERIC;
}
/* Where PostgreSQL's rules raise an error, does this dialect (generic: no, it follows SQLite)? */
static inline bool dialect_is_lenient(const Dialect *dialect) { return dialect->name == DIALECT_GENERIC; }

#endif
