/* coverage.c: the cells: [operators x types][features][functions], numbered from 1. */
#include "src/live/coverage.h"

#include "src/base/arena.h"
#include "src/base/map.h"
#include "src/sql/function.h"

#include <ctype.h>
#include <stdlib.h>

const OperatorEntry operator_table[OPERATOR_IDS] = {
#define OPERATOR_ROW(ID, text, kind, dialects) {text, OPERATOR_##kind, dialects},
    OPERATORS(OPERATOR_ROW)
#undef OPERATOR_ROW
};

static const struct {
  const char *title;
  uint8_t dialects;
} features[FEATURE_IDS] = {
#define FEATURE_ROW(ID, title, dialects) {title, dialects},
    FEATURES(FEATURE_ROW)
#undef FEATURE_ROW
};

static const char *const type_titles[] = {"INTEGER", "REAL", "TEXT", "BLOB", "NULL"};

enum {
  PAIRS = OPERAND_CELLS * OPERAND_CELLS,
  FIRST_FEATURE = 1 + OPERATOR_IDS * PAIRS,
  FIRST_FUNCTION = FIRST_FEATURE + FEATURE_IDS
};

struct Coverage {
  DialectName dialect;
  uint64_t *counts;       /* owned, by cell */
  const char **functions; /* owned: names, borrowed from the table of functions */
  uint32_t function_count;
  Map function_cells; /* name in upper case -> its index + 1 */
};

unsigned dialect_bit(DialectName dialect) {
  if (dialect == DIALECT_SQLITE) return FOR_SQLITE;
  return dialect == DIALECT_MYSQL || dialect == DIALECT_MARIADB ? FOR_MYSQL : FOR_POSTGRESQL;
}

/* What the database or the connection chooses is no function of the arguments. */
static bool function_is_counted(const FunctionEntry *entry, DialectName dialect) {
  static const uint8_t bits[] = {IN_GENERIC, IN_POSTGRESQL, IN_MYSQL, IN_MYSQL, IN_SQLITE};
  return (entry->dialects & bits[dialect]) &&
         !(entry->flags & (FUNCTION_VOLATILE | FUNCTION_CLOCK | FUNCTION_SESSION));
}

/* MAX(a) and MAX(a, b) are two functions: the key of an aggregate ends with a star. */
static size_t function_key(char key[48], const char *name, bool is_aggregate) {
  size_t length = 0;
  for (; name[length] && length < 46; length++) key[length] = (char)toupper((unsigned char)name[length]);
  if (is_aggregate) key[length++] = '*';
  return length;
}

Coverage *coverage_new(DialectName dialect) {
  Coverage *coverage = memory_new(sizeof *coverage);
  coverage->dialect = dialect;
  map_init(&coverage->function_cells);
  uint32_t count;
  const FunctionEntry *entries = function_table(&count);
  coverage->functions = memory_new(sizeof(char *) * count);
  for (uint32_t i = 0; i < count; i++) {
    char key[48];
    size_t length = function_key(key, entries[i].name, entries[i].flags & FUNCTION_AGGREGATE);
    if (!function_is_counted(&entries[i], dialect) || map_get(&coverage->function_cells, key, length))
      continue;
    coverage->functions[coverage->function_count++] = entries[i].name;
    map_put_copy(&coverage->function_cells, key, length, (void *)(uintptr_t)coverage->function_count);
  }
  coverage->counts = memory_new(sizeof(uint64_t) * (FIRST_FUNCTION + coverage->function_count));
  return coverage;
}

void coverage_free(Coverage *coverage) {
  if (!coverage) return;
  map_free(&coverage->function_cells);
  free(coverage->functions);
  free(coverage->counts);
  free(coverage);
}

CoverageCell coverage_of_operator(const Coverage *coverage, OperatorId id, OperandType left,
                                  OperandType right) {
  if (!coverage || left >= OPERAND_CELLS || right >= OPERAND_CELLS) return 0;
  return 1 + (CoverageCell)id * PAIRS + left * OPERAND_CELLS + right;
}

CoverageCell coverage_of_feature(const Coverage *coverage, Feature feature) {
  return coverage ? FIRST_FEATURE + feature : 0;
}

CoverageCell coverage_of_function(const Coverage *coverage, const char *name, bool is_aggregate) {
  if (!coverage) return 0;
  char key[48];
  uintptr_t found = (uintptr_t)map_get(&coverage->function_cells, key, function_key(key, name, is_aggregate));
  return found ? FIRST_FUNCTION + (CoverageCell)found - 1 : 0;
}

void coverage_count(Coverage *coverage, CoverageCell cell) {
  if (coverage && cell) coverage->counts[cell]++;
}

typedef struct Tally {
  uint32_t reached, all;
} Tally;

/* One cell of the printed table; says which one if it was never reached. */
static void tally_add(Tally *tally, uint64_t count, FILE *file, const char *what, const char *left,
                      const char *right) {
  tally->all++;
  if (count)
    tally->reached++;
  else
    fprintf(file, "  never reached: %s%s%s%s%s\n", what, *left ? " " : "", left, *right ? " " : "", right);
}

static void print_operators(const Coverage *coverage, FILE *file, Tally *tally) {
  for (unsigned id = 0; id < OPERATOR_IDS; id++) {
    if (!(operator_table[id].dialects & dialect_bit(coverage->dialect))) continue;
    bool is_unary = operator_table[id].kind >= OPERATOR_SIGN;
    for (unsigned left = 0; left < OPERAND_CELLS; left++)
      for (unsigned right = 0; right < (is_unary ? 1u : OPERAND_CELLS); right++)
        tally_add(tally, coverage->counts[coverage_of_operator(coverage, id, left, right)], file,
                  operator_table[id].text, type_titles[left], is_unary ? "" : type_titles[right]);
  }
}

static void print_features(const Coverage *coverage, FILE *file, Tally *tally) {
  for (unsigned id = 0; id < FEATURE_IDS; id++)
    if (features[id].dialects & dialect_bit(coverage->dialect))
      tally_add(tally, coverage->counts[FIRST_FEATURE + id], file, features[id].title, "", "");
}

static void print_functions(const Coverage *coverage, FILE *file, Tally *tally) {
  for (uint32_t i = 0; i < coverage->function_count; i++)
    tally_add(tally, coverage->counts[FIRST_FUNCTION + i], file, "function", coverage->functions[i], "");
}

double coverage_print(const Coverage *coverage, FILE *file) {
  static const struct {
    const char *title;
    void (*print)(const Coverage *, FILE *, Tally *);
  } groups[] = {{"operator x operand types", print_operators},
                {"clauses, joins, statements", print_features},
                {"functions and aggregates", print_functions}};
  Tally total = {0};
  for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
    Tally tally = {0};
    groups[i].print(coverage, file, &tally);
    fprintf(file, "coverage of %-28s %5u of %5u reached\n", groups[i].title, tally.reached, tally.all);
    total.reached += tally.reached;
    total.all += tally.all;
  }
  return total.all ? (double)total.reached / total.all : 1;
}
