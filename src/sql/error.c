/* error.c: the table of error codes.
 *
 * One row per code; a code may stand for several classes, and a broad SQLSTATE
 * ("23000") for many.  SQLite's numeric codes do not meet the codes that others print
 * for what is modelled, so one table serves all dialects. */
#include "src/sql/error.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define BIT(name) ERROR_BIT(ERROR_##name)
#define INTEGRITY (BIT(UNIQUE) | BIT(FOREIGN_KEY) | BIT(NOT_NULL) | BIT(CHECK))
#define DATA (BIT(DIVISION) | BIT(OVERFLOW) | BIT(TOO_LONG) | BIT(BAD_VALUE) | BIT(ARGUMENT) | BIT(NOT_NULL))
#define NAMES                                                                                                \
  (BIT(NO_TABLE) | BIT(NO_COLUMN) | BIT(NO_FUNCTION) | BIT(AMBIGUOUS) | BIT(DUPLICATE_OBJECT) |              \
   BIT(NO_OBJECT))
#define STATIC (NAMES | BIT(SYNTAX) | BIT(GROUPING) | BIT(TYPE) | BIT(NO_SAVEPOINT))
/* SQLite prints 1 (SQLITE_ERROR) for whatever has no code of its own. */
#define PLAIN (STATIC | BIT(DIVISION) | BIT(OVERFLOW) | BIT(ARGUMENT) | BIT(CARDINALITY) | BIT(OTHER))

typedef struct ErrorRow {
  const char *code;
  ErrorSet classes;
} ErrorRow;

static const ErrorRow ROWS[] = {
    /* SQLSTATE, exact */
    {"23505", BIT(UNIQUE)},
    {"23503", BIT(FOREIGN_KEY)},
    {"23001", BIT(FOREIGN_KEY)},
    {"23502", BIT(NOT_NULL)},
    {"23514", BIT(CHECK)},
    {"23P01", BIT(OTHER)},
    {"23000", INTEGRITY | BIT(AMBIGUOUS) | BIT(OTHER)},
    {"22012", BIT(DIVISION)},
    {"22003", BIT(OVERFLOW)},
    {"22001", BIT(TOO_LONG)},
    {"22P02", BIT(BAD_VALUE)},
    {"22P03", BIT(BAD_VALUE)},
    {"22007", BIT(BAD_VALUE)},
    {"22008", BIT(BAD_VALUE) | BIT(OVERFLOW)},
    {"22018", BIT(BAD_VALUE)},
    {"22004", BIT(NOT_NULL) | BIT(ARGUMENT)},
    {"22000", DATA | BIT(OTHER)},
    {"21000", BIT(CARDINALITY)},
    {"21S01", BIT(TYPE)},
    {"21S02", BIT(TYPE)},
    {"42601", BIT(SYNTAX) | BIT(TYPE)},
    {"42P01", BIT(NO_TABLE)},
    {"42S02", BIT(NO_TABLE)},
    {"42703", BIT(NO_COLUMN)},
    {"42S22", BIT(NO_COLUMN)},
    {"42883", BIT(NO_FUNCTION) | BIT(TYPE)},
    {"42702", BIT(AMBIGUOUS)},
    {"42725", BIT(AMBIGUOUS) | BIT(TYPE)},
    {"42803", BIT(GROUPING)},
    {"42804", BIT(TYPE)},
    {"42846", BIT(TYPE)},
    {"42809", BIT(TYPE)},
    {"42P18", BIT(TYPE)},
    {"42P10", BIT(TYPE) | BIT(NO_OBJECT)},
    {"42P07", BIT(DUPLICATE_OBJECT)},
    {"42701", BIT(DUPLICATE_OBJECT)},
    {"42710", BIT(DUPLICATE_OBJECT)},
    {"42712", BIT(DUPLICATE_OBJECT)},
    {"42723", BIT(DUPLICATE_OBJECT)},
    {"42S01", BIT(DUPLICATE_OBJECT)},
    {"42S21", BIT(DUPLICATE_OBJECT)},
    {"42704", BIT(NO_OBJECT)},
    {"42P20", BIT(GROUPING)},
    {"42000", STATIC | BIT(CURSOR) | BIT(TOO_LONG) | BIT(OTHER)},
    {"3B001", BIT(NO_SAVEPOINT)},
    {"24000", BIT(CURSOR)},
    {"34000", BIT(CURSOR)},
    {"02000", BIT(NO_DATA)},
    {"45000", BIT(SIGNAL)},
    {"P0001", BIT(SIGNAL)},
    {"25P02", BIT(BLOCK_DEAD)},
    {"40001", BIT(REFUSED)},
    {"40P01", BIT(REFUSED)},
    {"40000", BIT(REFUSED)},
    {"40003", BIT(REFUSED)},
    {"55P03", BIT(REFUSED)},
    {"57014", BIT(REFUSED)},
    {"57P01", BIT(REFUSED)},
    {"57P02", BIT(REFUSED)},
    {"57P03", BIT(REFUSED)},
    {"70100", BIT(REFUSED)},
    {"HY000", ERROR_ANY & ~(BIT(SYNTAX) | BIT(UNIQUE) | BIT(BLOCK_DEAD))},
    /* MySQL and MariaDB */
    {"1062", BIT(UNIQUE)},
    {"1022", BIT(UNIQUE)},
    {"1169", BIT(UNIQUE)},
    {"1586", BIT(UNIQUE)},
    {"1761", BIT(UNIQUE)},
    {"1762", BIT(UNIQUE)},
    {"1451", BIT(FOREIGN_KEY)},
    {"1452", BIT(FOREIGN_KEY)},
    {"1216", BIT(FOREIGN_KEY)},
    {"1217", BIT(FOREIGN_KEY)},
    {"1048", BIT(NOT_NULL)},
    {"1263", BIT(NOT_NULL)},
    {"1364", BIT(NOT_NULL)},
    {"4025", BIT(CHECK)},
    {"3819", BIT(CHECK)},
    {"1365", BIT(DIVISION)},
    {"1264", BIT(OVERFLOW)},
    {"1690", BIT(OVERFLOW)},
    {"1406", BIT(TOO_LONG)},
    {"1265", BIT(TOO_LONG) | BIT(BAD_VALUE)},
    {"1366", BIT(BAD_VALUE)},
    {"1367", BIT(BAD_VALUE)},
    {"1292", BIT(BAD_VALUE)},
    {"1525", BIT(BAD_VALUE)},
    {"1411", BIT(BAD_VALUE)},
    {"1441", BIT(BAD_VALUE) | BIT(OVERFLOW)},
    {"1210", BIT(ARGUMENT)},
    {"1139", BIT(ARGUMENT)},
    {"1242", BIT(CARDINALITY)},
    {"1172", BIT(CARDINALITY)},
    {"1064", BIT(SYNTAX)},
    {"1149", BIT(SYNTAX)},
    {"1065", BIT(SYNTAX)},
    {"1221", BIT(SYNTAX)},
    {"1327", BIT(SYNTAX) | BIT(NO_COLUMN)},
    {"1308", BIT(SYNTAX)},
    {"1093", BIT(OTHER)},
    {"1146", BIT(NO_TABLE)},
    {"1051", BIT(NO_TABLE)},
    {"1109", BIT(NO_TABLE)},
    {"1054", BIT(NO_COLUMN)},
    {"1072", BIT(NO_COLUMN)},
    {"1305", BIT(NO_FUNCTION) | BIT(NO_SAVEPOINT)},
    {"1128", BIT(NO_FUNCTION)},
    {"1582", BIT(NO_FUNCTION)},
    {"1318", BIT(NO_FUNCTION) | BIT(TYPE)},
    {"1052", BIT(AMBIGUOUS)},
    {"1055", BIT(GROUPING)},
    {"1111", BIT(GROUPING)},
    {"1140", BIT(GROUPING)},
    {"1056", BIT(GROUPING)},
    {"1241", BIT(TYPE)},
    {"1136", BIT(TYPE)},
    {"1222", BIT(TYPE)},
    {"1353", BIT(TYPE)},
    {"1414", BIT(TYPE)},
    {"4078", BIT(TYPE)},
    {"4079", BIT(TYPE)},
    {"1050", BIT(DUPLICATE_OBJECT)},
    {"1060", BIT(DUPLICATE_OBJECT)},
    {"1061", BIT(DUPLICATE_OBJECT)},
    {"1066", BIT(DUPLICATE_OBJECT)},
    {"1068", BIT(DUPLICATE_OBJECT)},
    {"1110", BIT(DUPLICATE_OBJECT)},
    {"1304", BIT(DUPLICATE_OBJECT)},
    {"4004", BIT(DUPLICATE_OBJECT)},
    {"1091", BIT(NO_OBJECT)},
    {"1176", BIT(NO_OBJECT)},
    {"1324", BIT(CURSOR)},
    {"1325", BIT(CURSOR)},
    {"1326", BIT(CURSOR)},
    {"1328", BIT(CURSOR)},
    {"1329", BIT(NO_DATA)},
    {"1339", BIT(OTHER)},
    {"1643", BIT(NO_DATA)},
    {"1644", BIT(SIGNAL)},
    {"1213", BIT(REFUSED)},
    {"1205", BIT(REFUSED)},
    {"1020", BIT(REFUSED)},
    {"1317", BIT(REFUSED)},
    {"1180", BIT(REFUSED)},
    {"1614", BIT(REFUSED)},
    {"1969", BIT(REFUSED)},
    {"3024", BIT(REFUSED)},
    {"3058", BIT(REFUSED)},
    {"3572", BIT(REFUSED)},
    {"2006", BIT(REFUSED)},
    {"2013", BIT(REFUSED)},
    /* SQLite */
    {"1", PLAIN},
    {"SQLITE_ERROR", PLAIN},
    {"19", INTEGRITY},
    {"SQLITE_CONSTRAINT", INTEGRITY},
    {"1555", BIT(UNIQUE)},
    {"SQLITE_CONSTRAINT_PRIMARYKEY", BIT(UNIQUE)},
    {"2067", BIT(UNIQUE)},
    {"SQLITE_CONSTRAINT_UNIQUE", BIT(UNIQUE)},
    {"2579", BIT(UNIQUE)},
    {"SQLITE_CONSTRAINT_ROWID", BIT(UNIQUE)},
    {"787", BIT(FOREIGN_KEY)},
    {"SQLITE_CONSTRAINT_FOREIGNKEY", BIT(FOREIGN_KEY)},
    {"1299", BIT(NOT_NULL)},
    {"SQLITE_CONSTRAINT_NOTNULL", BIT(NOT_NULL)},
    {"275", BIT(CHECK)},
    {"SQLITE_CONSTRAINT_CHECK", BIT(CHECK)},
    {"3091", BIT(BAD_VALUE)},
    {"SQLITE_CONSTRAINT_DATATYPE", BIT(BAD_VALUE)},
    {"20", BIT(BAD_VALUE)},
    {"SQLITE_MISMATCH", BIT(BAD_VALUE)},
    {"18", BIT(TOO_LONG)},
    {"SQLITE_TOOBIG", BIT(TOO_LONG)},
    {"4", BIT(REFUSED)},
    {"SQLITE_ABORT", BIT(REFUSED)},
    {"5", BIT(REFUSED)},
    {"busy", BIT(REFUSED)},
    {"SQLITE_BUSY", BIT(REFUSED)},
    {"261", BIT(REFUSED)},
    {"SQLITE_BUSY_RECOVERY", BIT(REFUSED)},
    {"517", BIT(REFUSED)},
    {"SQLITE_BUSY_SNAPSHOT", BIT(REFUSED)},
    {"773", BIT(REFUSED)},
    {"SQLITE_BUSY_TIMEOUT", BIT(REFUSED)},
    {"6", BIT(REFUSED)},
    {"SQLITE_LOCKED", BIT(REFUSED)},
    {"262", BIT(REFUSED)},
    {"SQLITE_LOCKED_SHAREDCACHE", BIT(REFUSED)},
    {"9", BIT(REFUSED)},
    {"SQLITE_INTERRUPT", BIT(REFUSED)},
    {"13", BIT(REFUSED)},
    {"SQLITE_FULL", BIT(REFUSED)},
};

/* The class (first two characters) of an SQLSTATE that has no row of its own. */
static const ErrorRow SQLSTATE_CLASSES[] = {
    {"02", BIT(NO_DATA)},     {"08", BIT(REFUSED)}, /* the connection broke */
    {"21", BIT(CARDINALITY)}, {"22", BIT(ARGUMENT)}, {"23", INTEGRITY | BIT(OTHER)},
    {"24", BIT(CURSOR)},      {"34", BIT(CURSOR)},   {"40", BIT(REFUSED)},
    {"45", BIT(SIGNAL)},      {"53", BIT(REFUSED)}, /* out of resources */
    {"57", BIT(REFUSED)},                           /* an operator stepped in */
    {"58", BIT(REFUSED)},                           /* the system failed */
};

typedef struct ClassRow {
  const char *title;
  const char *sqlstate, *mysql, *sqlite;
} ClassRow;

static const ClassRow CLASSES[ERROR_CLASS_COUNT] = {
    [ERROR_NONE] = {"no error", "00000", "0", "0"},
    [ERROR_UNIQUE] = {"duplicate key", "23505", "1062", "2067"},
    [ERROR_FOREIGN_KEY] = {"foreign key violated", "23503", "1452", "787"},
    [ERROR_NOT_NULL] = {"NULL in a NOT NULL column", "23502", "1048", "1299"},
    [ERROR_CHECK] = {"CHECK violated", "23514", "4025", "275"},
    [ERROR_DIVISION] = {"division by zero", "22012", "1365", "1"},
    [ERROR_OVERFLOW] = {"number out of range", "22003", "1264", "1"},
    [ERROR_TOO_LONG] = {"string too long", "22001", "1406", "18"},
    [ERROR_BAD_VALUE] = {"value not valid for its type", "22P02", "1366", "20"},
    [ERROR_ARGUMENT] = {"argument out of range", "22023", "1210", "1"},
    [ERROR_CARDINALITY] = {"more than one row from a subquery", "21000", "1242", "1"},
    [ERROR_SYNTAX] = {"syntax error", "42601", "1064", "1"},
    [ERROR_NO_TABLE] = {"no such table", "42P01", "1146", "1"},
    [ERROR_NO_COLUMN] = {"no such column", "42703", "1054", "1"},
    [ERROR_NO_FUNCTION] = {"no such function or procedure", "42883", "1305", "1"},
    [ERROR_AMBIGUOUS] = {"ambiguous name", "42702", "1052", "1"},
    [ERROR_GROUPING] = {"column not in GROUP BY, or misplaced aggregate", "42803", "1055", "1"},
    [ERROR_TYPE] = {"types or numbers of columns do not fit", "42804", "1241", "1"},
    [ERROR_DUPLICATE_OBJECT] = {"name already exists", "42P07", "1050", "1"},
    [ERROR_NO_OBJECT] = {"no such object", "42704", "1091", "1"},
    [ERROR_NO_SAVEPOINT] = {"no such savepoint", "3B001", "1305", "1"},
    [ERROR_CURSOR] = {"cursor not in the right state", "24000", "1326", "1"},
    [ERROR_NO_DATA] = {"no data", "02000", "1329", "1"},
    [ERROR_SIGNAL] = {"raised by SIGNAL", "45000", "1644", "1"},
    [ERROR_BLOCK_DEAD] = {"transaction is aborted", "25P02", "25P02", "1"},
    [ERROR_REFUSED] = {"refused for concurrency or resources", "40001", "1213", "5"},
    [ERROR_OTHER] = {"another error", "XX000", "1105", "1"},
};

static bool text_is(const char *text, const char *code, size_t length) {
  return strlen(text) == length && strncasecmp(text, code, length) == 0;
}

/* Five characters of [0-9A-Z], at least two of them digits; or HY and digits. */
static bool code_is_sqlstate(const char *code, size_t length) {
  if (length != 5) return false;
  int digits = 0;
  for (size_t i = 0; i < 5; i++) {
    bool digit = code[i] >= '0' && code[i] <= '9';
    if (!digit && !(code[i] >= 'A' && code[i] <= 'Z')) return false;
    digits += digit;
  }
  return digits >= 2;
}

static bool code_is_number(const char *code, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (code[i] < '0' || code[i] > '9') return false;
  return length > 0;
}

/* How databases word that they refuse for concurrency's sake or for lack of resources. */
static const char *const REFUSALS[] = {
    "could not serialize",
    "deadlock",
    "lock wait timeout",
    "lock timeout",
    "statement timeout",
    "could not obtain lock",
    "database is locked",
    "database table is locked",
    "database schema is locked",
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "record has changed since last read",
    "query execution was interrupted",
    "canceling statement",
    "out of memory",
    "database or disk is full",
    "server has gone away",
    "lost connection",
    "connection was killed",
    "server closed the connection",
    "terminating connection",
};

static bool text_says_any(const char *text, const char *const *phrases, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcasestr(text, phrases[i])) return true;
  return false;
}

bool error_undoes_transaction(const char *code) {
  static const char *const codes[] = {"1213", "1020", "40001"};
  static const char *const phrases[] = {"deadlock found", "record has changed since last read"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (strcmp(code, codes[i]) == 0) return true;
  return text_says_any(code, phrases, sizeof phrases / sizeof *phrases);
}

ErrorSet error_set_of(const Dialect *dialect, const char *code, size_t length) {
  (void)dialect;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (text_is(ROWS[i].code, code, length)) return ROWS[i].classes;
  if (code_is_sqlstate(code, length)) {
    for (size_t i = 0; i < sizeof SQLSTATE_CLASSES / sizeof *SQLSTATE_CLASSES; i++)
      if (memcmp(SQLSTATE_CLASSES[i].code, code, 2) == 0) return SQLSTATE_CLASSES[i].classes;
    return ERROR_BIT(ERROR_OTHER);
  }
  if (code_is_number(code, length)) return ERROR_BIT(ERROR_OTHER);
  if (text_says_any(code, REFUSALS, sizeof REFUSALS / sizeof *REFUSALS)) return ERROR_BIT(ERROR_REFUSED);
  if (length > 7 && strncasecmp(code, "SQLITE_", 7) == 0 && !memchr(code, ' ', length))
    return ERROR_BIT(ERROR_OTHER);
  return ERROR_ANY;
}

const char *error_class_title(ErrorClass error_class) { return CLASSES[error_class].title; }

const char *error_class_code(const Dialect *dialect, ErrorClass error_class) {
  const ClassRow *row = &CLASSES[error_class];
  if (dialect_is_mysql(dialect)) return row->mysql;
  return dialect_is_sqlite(dialect) ? row->sqlite : row->sqlstate;
}
