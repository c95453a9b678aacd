/* dialect.c: the table of dialects, and sql_mode. */
#include "src/sql/dialect.h"

#include <string.h>
#include <strings.h>

static const char *const TITLES[DIALECT_COUNT] = {
    [DIALECT_GENERIC] = "generic", [DIALECT_POSTGRESQL] = "postgresql", [DIALECT_MYSQL] = "mysql",
    [DIALECT_MARIADB] = "mariadb", [DIALECT_SQLITE] = "sqlite",
};

bool dialect_find(const char *name, DialectName *found) {
  for (int i = 0; i < DIALECT_COUNT; i++) {
    if (strcmp(name, TITLES[i]) != 0) continue;
    *found = (DialectName)i;
    return true;
  }
  return false;
}

const char *dialect_title(DialectName name) { return TITLES[name]; }

Dialect dialect_new(DialectName name) {
  Dialect dialect = {
      .name = name, .foreign_keys = name != DIALECT_SQLITE, .strict = true, .zero_division = true};
  dialect.collation = dialect_is_mysql(&dialect) ? COLLATION_CI : COLLATION_C;
  return dialect;
}

/* The modes that change what is modelled; combinations set several flags at once. */
static const struct {
  const char *word;
  bool ansi_quotes, pipes_concat, no_backslash, strict, zero_division, full_group_by;
} MODES[] = {
    {"ANSI_QUOTES", .ansi_quotes = true},
    {"PIPES_AS_CONCAT", .pipes_concat = true},
    {"NO_BACKSLASH_ESCAPES", .no_backslash = true},
    {"STRICT_TRANS_TABLES", .strict = true},
    {"STRICT_ALL_TABLES", .strict = true},
    {"ERROR_FOR_DIVISION_BY_ZERO", .zero_division = true},
    {"ONLY_FULL_GROUP_BY", .full_group_by = true},
    {"TRADITIONAL", .strict = true, .zero_division = true},
    {"ANSI", .ansi_quotes = true, .pipes_concat = true},
    {"DB2", .ansi_quotes = true, .pipes_concat = true},
    {"MAXDB", .ansi_quotes = true, .pipes_concat = true},
    {"MSSQL", .ansi_quotes = true, .pipes_concat = true},
    {"ORACLE", .ansi_quotes = true, .pipes_concat = true},
    {"POSTGRESQL", .ansi_quotes = true, .pipes_concat = true},
};

static void mode_apply(Dialect *dialect, const char *word, size_t length) {
  for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
    if (strlen(MODES[i].word) != length || strncasecmp(MODES[i].word, word, length) != 0) continue;
    dialect->ansi_quotes |= MODES[i].ansi_quotes;
    dialect->pipes_concat |= MODES[i].pipes_concat;
    dialect->no_backslash |= MODES[i].no_backslash;
    dialect->strict |= MODES[i].strict;
    dialect->zero_division |= MODES[i].zero_division;
    dialect->full_group_by |= MODES[i].full_group_by;
  }
  /* MySQL's ANSI asks for full grouping too; MariaDB's does not. */
  if (dialect->name == DIALECT_MYSQL && length == 4 && strncasecmp(word, "ANSI", 4) == 0)
    dialect->full_group_by = true;
}

void dialect_set_mode(Dialect *dialect, const char *sql_mode, size_t length) {
  dialect->ansi_quotes = dialect->pipes_concat = dialect->no_backslash = false;
  dialect->strict = dialect->zero_division = dialect->full_group_by = false;
  const char *end = sql_mode + length;
  for (const char *word = sql_mode; word < end;) {
    const char *comma = memchr(word, ',', (size_t)(end - word));
    const char *stop = comma ? comma : end;
    const char *last = stop;
    while (word < last && *word == ' ') word++;
    while (last > word && last[-1] == ' ') last--;
    mode_apply(dialect, word, (size_t)(last - word));
    word = stop + 1;
  }
}
