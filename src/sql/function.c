/* function.c: the table of SQL functions, made from function.def, and the search in it.
 *
 * The rows are found through a hash of the name, built once; rows of one name are
 * neighbours in its chain in the order of function.def, so that the first fitting one wins. */
#include "src/sql/function.h"

#include <pthread.h>
#include <string.h>

static const FunctionEntry entries[] = {
#define FUNCTION(ID, NAME, DIALECTS, LEAST, MOST, RESULT, FLAGS)                                             \
  {#NAME, FUNCTION_##ID, DIALECTS, LEAST, MOST, RESULT, FLAGS},
#define FUNCTION_ALIAS FUNCTION
#include "src/sql/function.def"
#undef FUNCTION
};

enum { ENTRY_COUNT = sizeof entries / sizeof *entries, BUCKETS = 512, NAME_LIMIT = 32 };

static uint16_t first[BUCKETS];         /* entry + 1, or 0 */
static uint16_t following[ENTRY_COUNT]; /* entry + 1, or 0 */
static pthread_once_t indexed = PTHREAD_ONCE_INIT;

static unsigned name_bucket(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return (hash ^ hash >> 16) % BUCKETS;
}

static void entries_index(void) {
  for (unsigned i = ENTRY_COUNT; i-- > 0;) {
    unsigned bucket = name_bucket(entries[i].name);
    following[i] = first[bucket];
    first[bucket] = (uint16_t)(i + 1);
  }
}

unsigned function_dialect(const Dialect *dialect) {
  switch (dialect->name) {
  case DIALECT_POSTGRESQL: return IN_POSTGRESQL;
  case DIALECT_MYSQL:
  case DIALECT_MARIADB: return IN_MYSQL;
  case DIALECT_SQLITE: return IN_SQLITE;
  default: return IN_GENERIC;
  }
}

static bool entry_takes(const FunctionEntry *entry, uint32_t arg_count, bool has_star) {
  if (has_star) return entry->id == FUNCTION_COUNT;
  if (entry->id == FUNCTION_COUNT && arg_count == 0) return false;
  return arg_count >= (uint32_t)entry->least && (entry->most < 0 || arg_count <= (uint32_t)entry->most);
}

const FunctionEntry *function_find(const Dialect *dialect, const char *name, uint32_t arg_count,
                                   bool has_star) {
  pthread_once(&indexed, entries_index);
  char folded[NAME_LIMIT];
  size_t length = strlen(name);
  if (length >= sizeof folded) return NULL;
  for (size_t i = 0; i <= length; i++)
    folded[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
  unsigned bit = function_dialect(dialect);
  for (unsigned i = first[name_bucket(folded)]; i; i = following[i - 1]) {
    const FunctionEntry *entry = &entries[i - 1];
    if (entry->dialects & bit && entry_takes(entry, arg_count, has_star) && strcmp(entry->name, folded) == 0)
      return entry;
  }
  return NULL;
}

const FunctionEntry *function_table(uint32_t *count) {
  *count = ENTRY_COUNT;
  return entries;
}
