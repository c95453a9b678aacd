/* level.c: two tables: the levels, and the vendor names by dialect.  A read that a level does not name is
 * current. */
#include "levels/level.h"

#include "src/base/option.h"

#include <ctype.h>
#include <string.h>

#define ALL(rule)                                                                                            \
  {                                                                                                          \
    [READ_PLAIN] = rule, [READ_FIND_TARGET] = rule, [READ_RECHECK_TARGET] = rule,                            \
    [READ_RECHECK_SHARED] = rule, [READ_KEY_CHECK] = rule, [READ_PARENT] = rule, [READ_CONFLICT] = rule,     \
    [READ_CONFLICT_SKIP] = rule, [READ_INSERT_SELECT] = rule, [READ_UPDATE_SUBQUERY] = rule,                 \
    [READ_INSIDE_WRITE] = rule, [READ_CONDITION] = rule                                                      \
  }

const Level levels[LEVELS_AND_GUESSES] = {
    [LEVEL_SSER] = {"sser", "strict serializable", .rules = ALL(RULE_CURRENT)},
    [LEVEL_SER] = {"ser", "serializable", .rules = ALL(RULE_CURRENT)},
    [LEVEL_SSI] = {"ssi", "strict snapshot isolation", .forbids_conflicts = true,
                   .rules = ALL(RULE_TRANSACTION)},
    [LEVEL_SI] = {"si", "snapshot isolation", .forbids_conflicts = true, .rules = ALL(RULE_TRANSACTION)},
    [LEVEL_INNODB_RR] = {"innodb-rr", "InnoDB REPEATABLE READ", .is_vendor_model = true,
                         .rules = {[READ_PLAIN] = RULE_TRANSACTION}},
    [LEVEL_PG_RC] = {"pg-rc", "PostgreSQL READ COMMITTED", .is_per_statement = true, .is_vendor_model = true,
                     .is_physical = true,
                     .rules = {[READ_PLAIN] = RULE_STEP,
                               [READ_FIND_TARGET] = RULE_STEP,
                               [READ_RECHECK_SHARED] = RULE_KEY_SINCE,
                               [READ_CONFLICT_SKIP] = RULE_KEY_SINCE,
                               [READ_INSERT_SELECT] = RULE_STEP,
                               [READ_UPDATE_SUBQUERY] = RULE_STEP,
                               [READ_INSIDE_WRITE] = RULE_STEP,
                               [READ_CONDITION] = RULE_STEP}},
    [LEVEL_INNODB_RC] = {"innodb-rc", "InnoDB READ COMMITTED", .is_per_statement = true,
                         .is_vendor_model = true,
                         .rules = {[READ_PLAIN] = RULE_STEP,
                                   [READ_FIND_TARGET] = RULE_KEY_SINCE,
                                   [READ_INSERT_SELECT] = RULE_STEP,
                                   [READ_UPDATE_SUBQUERY] = RULE_STEP}},
    [LEVEL_RCS] = {"rcs", "statement snapshot", .is_per_statement = true, .rules = ALL(RULE_STEP)},
    [LEVEL_RC] = {"rc", "read committed", .is_per_statement = true, .rules = ALL(RULE_KEY)},
    [LEVEL_RC_BY_STEPS] = {.is_per_statement = true, .rules = {[READ_PLAIN] = RULE_STEP}},
};

#define NONE LEVEL_COUNT

/* What each dialect means by a name; with innodb_snapshot_isolation REPEATABLE READ is SI. */
static const struct VendorName {
  const char *name;
  LevelId of[DIALECT_COUNT];
  LevelId with_snapshot_isolation;
} vendor_names[] = {
    {"read-committed",
     {[DIALECT_GENERIC] = LEVEL_RC,
      [DIALECT_POSTGRESQL] = LEVEL_PG_RC,
      [DIALECT_MYSQL] = LEVEL_INNODB_RC,
      [DIALECT_MARIADB] = LEVEL_INNODB_RC,
      [DIALECT_SQLITE] = NONE},
     LEVEL_INNODB_RC},
    {"repeatable-read",
     {[DIALECT_GENERIC] = LEVEL_SI,
      [DIALECT_POSTGRESQL] = LEVEL_SI,
      [DIALECT_MYSQL] = LEVEL_INNODB_RR,
      [DIALECT_MARIADB] = LEVEL_INNODB_RR,
      [DIALECT_SQLITE] = NONE},
     LEVEL_SI},
    {"snapshot",
     {[DIALECT_GENERIC] = LEVEL_SI,
      [DIALECT_POSTGRESQL] = LEVEL_SI,
      [DIALECT_MYSQL] = LEVEL_SI,
      [DIALECT_MARIADB] = LEVEL_SI,
      [DIALECT_SQLITE] = NONE},
     LEVEL_SI},
    {"serializable",
     {[DIALECT_GENERIC] = LEVEL_SER,
      [DIALECT_POSTGRESQL] = LEVEL_SER,
      [DIALECT_MYSQL] = LEVEL_SER,
      [DIALECT_MARIADB] = LEVEL_SER,
      [DIALECT_SQLITE] = LEVEL_SER},
     LEVEL_SER},
};
enum { VENDOR_NAMES = sizeof vendor_names / sizeof *vendor_names };

static bool name_fold(const char *name, char *folded, size_t size) {
  size_t length = strlen(name);
  if (length >= size) return false;
  for (size_t i = 0; i <= length; i++)
    folded[i] = name[i] == ' ' || name[i] == '_' ? '-' : (char)tolower((unsigned char)name[i]);
  return true;
}

LevelAnswer level_find(const char *name, const Header *header, LevelChoice *choice) {
  char folded[40];
  if (!name_fold(name, folded, sizeof folded)) return LEVEL_NO_SUCH;
  for (LevelId id = 0; id < LEVEL_COUNT; id++)
    if (strcmp(folded, levels[id].name) == 0) {
      *choice = (LevelChoice){id, false};
      return LEVEL_FOUND;
    }
  for (size_t i = 0; i < VENDOR_NAMES; i++) {
    if (strcmp(folded, vendor_names[i].name) != 0) continue;
    bool is_si = dialect_is_mysql(&header->dialect) && header->snapshot_isolation == 1;
    *choice = (LevelChoice){
        is_si ? vendor_names[i].with_snapshot_isolation : vendor_names[i].of[header->dialect.name], true};
    return choice->id == NONE ? LEVEL_NOT_OF_DIALECT : LEVEL_FOUND;
  }
  return LEVEL_NO_SUCH;
}

LevelId level_named(const char *name) {
  LevelId id = 0;
  while (id < LEVEL_COUNT && strcmp(levels[id].name, name) != 0) id++;
  return id;
}

const char *level_nearest(const char *name) {
  const char *names[LEVEL_COUNT + VENDOR_NAMES];
  for (size_t i = 0; i < LEVEL_COUNT; i++) names[i] = levels[i].name;
  for (size_t i = 0; i < VENDOR_NAMES; i++) names[LEVEL_COUNT + i] = vendor_names[i].name;
  return option_nearest(name, names, LEVEL_COUNT + VENDOR_NAMES);
}
