/* generate_function.c: calls of functions and aggregates, from a table of their shapes.
 *
 * A shape is the function's arguments, one letter each: i integer, r real, n any number,
 * t text, b blob, d date, a anything, s the wanted type, c a condition, u a number from -2 to 6, p a
 * printable character's code, D a date as SQLite reads it, M a modifier of such a date, F a format of such a
 * date, S the separator ','. */
#include "src/live/generate_draw.h"

typedef struct FunctionShape {
  const char *name;
  const char *arguments;
  OperandType result; /* OPERAND_NULL: the wanted type */
  uint8_t dialects;
  bool is_wild; /* some of its results are not modelled */
} FunctionShape;

#define SAME OPERAND_NULL
#define INTEGER OPERAND_INTEGER
#define REAL OPERAND_REAL
#define TEXT OPERAND_TEXT
enum { BUT_SQLITE = FOR_POSTGRESQL | FOR_MYSQL };

static const FunctionShape shapes[] = {
    {"ABS", "n", SAME, FOR_ALL},
    {"SIGN", "n", INTEGER, FOR_SQLITE | FOR_MYSQL},
    {"ROUND", "n", REAL, FOR_SQLITE},
    {"ROUND", "nu", REAL, FOR_SQLITE},
    {"ROUND", "mu", OPERAND_DECIMAL, BUT_SQLITE},
    {"FLOOR", "n", SAME, FOR_ALL},
    {"CEIL", "n", SAME, FOR_ALL},
    {"CEILING", "n", SAME, FOR_ALL},
    {"TRUNC", "n", SAME, FOR_SQLITE},
    {"TRUNC", "mu", OPERAND_DECIMAL, FOR_POSTGRESQL},
    {"TRUNCATE", "nu", SAME, FOR_MYSQL},
    {"MOD", "nn", REAL, FOR_SQLITE},
    {"MOD", "nn", SAME, FOR_MYSQL},
    {"POWER", "ru", REAL, FOR_SQLITE},
    {"POW", "nu", REAL, FOR_SQLITE},
    {"SQRT", "n", REAL, FOR_SQLITE},
    {"EXP", "u", REAL, FOR_SQLITE},
    {"LN", "n", REAL, FOR_SQLITE},
    {"LOG", "n", REAL, FOR_SQLITE},
    {"LOG", "nn", REAL, FOR_SQLITE},
    {"LOG10", "n", REAL, FOR_SQLITE},
    {"LOG2", "n", REAL, FOR_SQLITE},
    {"PI", "", REAL, FOR_SQLITE},
    {"RADIANS", "n", REAL, FOR_SQLITE},
    {"DEGREES", "n", REAL, FOR_SQLITE},
    {"SIN", "n", REAL, FOR_SQLITE},
    {"COS", "n", REAL, FOR_SQLITE},
    {"TAN", "n", REAL, FOR_SQLITE},
    {"ASIN", "n", REAL, FOR_SQLITE},
    {"ACOS", "n", REAL, FOR_SQLITE},
    {"ATAN", "n", REAL, FOR_SQLITE},
    {"ATAN2", "nn", REAL, FOR_SQLITE},
    {"LENGTH", "t", INTEGER, FOR_ALL},
    {"CHAR_LENGTH", "t", INTEGER, BUT_SQLITE},
    {"OCTET_LENGTH", "t", INTEGER, BUT_SQLITE},
    {"LOWER", "t", TEXT, FOR_ALL},
    {"UPPER", "t", TEXT, FOR_ALL},
    {"TRIM", "t", TEXT, FOR_ALL},
    {"TRIM", "tt", TEXT, FOR_SQLITE},
    {"LTRIM", "t", TEXT, FOR_ALL},
    {"LTRIM", "tt", TEXT, FOR_SQLITE | FOR_POSTGRESQL},
    {"RTRIM", "t", TEXT, FOR_ALL},
    {"RTRIM", "tt", TEXT, FOR_SQLITE | FOR_POSTGRESQL},
    {"SUBSTR", "tu", TEXT, FOR_ALL},
    {"SUBSTR", "tuu", TEXT, FOR_SQLITE | FOR_MYSQL},
    {"SUBSTRING", "tuu", TEXT, FOR_SQLITE | FOR_MYSQL},
    {"SUBSTRING", "tu", TEXT, FOR_ALL},
    {"LEFT", "tu", TEXT, BUT_SQLITE},
    {"RIGHT", "tu", TEXT, BUT_SQLITE},
    {"REPLACE", "ttt", TEXT, FOR_ALL},
    {"INSTR", "tt", INTEGER, FOR_SQLITE | FOR_MYSQL},
    {"STRPOS", "tt", INTEGER, FOR_POSTGRESQL},
    {"LOCATE", "tt", INTEGER, FOR_MYSQL},
    {"CONCAT", "tt", TEXT, BUT_SQLITE},
    {"CONCAT", "tti", TEXT, BUT_SQLITE},
    {"REPEAT", "tu", TEXT, BUT_SQLITE},
    {"REVERSE", "t", TEXT, BUT_SQLITE},
    {"LPAD", "tut", TEXT, FOR_POSTGRESQL},
    {"ASCII", "t", INTEGER, BUT_SQLITE},
    {"CHAR", "p", TEXT, FOR_SQLITE},
    {"CHAR", "pp", TEXT, FOR_SQLITE},
    {"CHAR", "", TEXT, FOR_SQLITE},
    {"HEX", "a", TEXT, FOR_SQLITE},
    {"HEX", "t", TEXT, FOR_MYSQL},
    {"QUOTE", "a", TEXT, FOR_SQLITE, .is_wild = true},
    {"TYPEOF", "a", TEXT, FOR_SQLITE},
    {"UNICODE", "t", INTEGER, FOR_SQLITE},
    {"ZEROBLOB", "u", OPERAND_BLOB, FOR_SQLITE, .is_wild = true},
    {"CHANGES", "", INTEGER, FOR_SQLITE, .is_wild = true},
    {"COALESCE", "ss", SAME, FOR_ALL},
    {"COALESCE", "sss", SAME, FOR_ALL},
    {"IFNULL", "ss", SAME, FOR_SQLITE | FOR_MYSQL},
    {"NULLIF", "ss", SAME, FOR_ALL},
    {"IIF", "css", SAME, FOR_SQLITE},
    {"IF", "css", SAME, FOR_MYSQL},
    {"MAX", "ss", SAME, FOR_SQLITE},
    {"MAX", "sss", SAME, FOR_SQLITE},
    {"MIN", "ss", SAME, FOR_SQLITE},
    {"GREATEST", "ss", SAME, BUT_SQLITE},
    {"LEAST", "ss", SAME, BUT_SQLITE},
    {"LIKELY", "s", SAME, FOR_SQLITE},
    {"UNLIKELY", "s", SAME, FOR_SQLITE},
    {"DATE", "D", TEXT, FOR_SQLITE, .is_wild = true},
    {"DATE", "DM", TEXT, FOR_SQLITE, .is_wild = true},
    {"DATE", "DMM", TEXT, FOR_SQLITE, .is_wild = true},
    {"TIME", "D", TEXT, FOR_SQLITE, .is_wild = true},
    {"TIME", "DM", TEXT, FOR_SQLITE, .is_wild = true},
    {"DATETIME", "D", TEXT, FOR_SQLITE, .is_wild = true},
    {"DATETIME", "DMM", TEXT, FOR_SQLITE, .is_wild = true},
    {"STRFTIME", "FD", TEXT, FOR_SQLITE, .is_wild = true},
    {"STRFTIME", "FDM", TEXT, FOR_SQLITE, .is_wild = true},
    {"JULIANDAY", "D", REAL, FOR_SQLITE, .is_wild = true},
    {"UNIXEPOCH", "DM", INTEGER, FOR_SQLITE, .is_wild = true},
    {"YEAR", "d", INTEGER, FOR_MYSQL},
    {"MONTH", "d", INTEGER, FOR_MYSQL},
    {"DATEDIFF", "dd", INTEGER, FOR_MYSQL},
};

static const char *const date_texts[] = {"'2024-01-31'",
                                         "'2024-02-29 23:59:59'",
                                         "'1999-12-31T12:00'",
                                         "'2023-07-04 05:06:07.891'",
                                         "'2460000.5'",
                                         "2451545",
                                         "1700000000",
                                         "'12:34:56'",
                                         "'2024-13-01'",
                                         "'bad'",
                                         "NULL",
                                         "0"};
static const char *const date_modifiers[] = {
    "'+1 day'",       "'-1 month'",  "'+1 year'",     "'start of month'", "'start of year'",
    "'start of day'", "'weekday 0'", "'+90 minutes'", "'-1.5 hours'",     "'+10 seconds'",
    "'nonsense'",     "'weekday 5'", "'+31 days'",    "'-2 years'"};
static const char *const date_formats[] = {"'%Y-%m-%d'", "'%H:%M:%S'", "'%j %w %W'",    "'%s'",
                                           "'%f'",       "'%J'",       "'%d/%m/%Y %%'", "'x%Hy'"};

static void draw_argument(Generator *generator, Scope *scope, char letter, OperandType want, uint32_t depth) {
  static const OperandType numbers[] = {OPERAND_INTEGER, OPERAND_REAL, OPERAND_DECIMAL};
  switch (letter) {
  case 'i': draw_expression(generator, scope, draw_mixed(generator, OPERAND_INTEGER), depth); break;
  case 'r': draw_expression(generator, scope, draw_mixed(generator, OPERAND_REAL), depth); break;
  case 'm': draw_expression(generator, scope, OPERAND_DECIMAL, depth); break;
  case 'n':
    if (generator->is_strict)
      draw_expression(generator, scope, want, depth);
    else
      draw_expression(generator, scope, draw_mixed(generator, DRAW_ONE(generator, numbers)), depth);
    break;
  case 't': draw_expression(generator, scope, draw_mixed(generator, OPERAND_TEXT), depth); break;
  case 'b': draw_expression(generator, scope, OPERAND_BLOB, depth); break;
  case 'd': draw_expression(generator, scope, OPERAND_DATE, depth); break;
  case 'a': draw_expression(generator, scope, draw_type(generator), depth); break;
  case 's': draw_expression(generator, scope, draw_mixed(generator, want), depth); break;
  case 'c': draw_condition(generator, scope, depth); break;
  case 'p':
    emit(generator, "%u", 32 + draw_below(generator, 59));
    break; /* no backslash: "\\x" would read as a blob */
  case 'D':
    if (draw_chance(generator, 85))
      emit(generator, "%s", DRAW_ONE(generator, date_texts));
    else
      draw_leaf(generator, scope, OPERAND_TEXT);
    break;
  case 'M': emit(generator, "%s", DRAW_ONE(generator, date_modifiers)); break;
  case 'F': emit(generator, "%s", DRAW_ONE(generator, date_formats)); break;
  case 'S': emit(generator, "','"); break;
  default:
    if (generator->is_sqlite && draw_chance(generator, 20))
      draw_leaf(generator, scope, draw_mixed(generator, OPERAND_INTEGER));
    else
      emit(generator, "%d",
           (int)draw_below(generator, generator->is_sqlite ? 9 : 5) - (generator->is_sqlite ? 2 : 0));
  }
}

static bool shape_fits(const Generator *generator, const FunctionShape *shape, OperandType want) {
  if (!(shape->dialects & dialect_bit(generator->options.dialect))) return false;
  if (shape->is_wild && generator->is_modelled) return false;
  /* MariaDB's roundings make negative zeros; SQLite's places in a text may be beyond 64 bits. */
  bool rounds =
      generator->is_mysql && (strchr("nm", shape->arguments[0]) && want != INTEGER && shape->name[0] != 'A');
  bool cuts = generator->is_sqlite && !strncmp(shape->name, "SUBSTR", 6);
  if (generator->is_modelled && (rounds || cuts)) return false;
  if (generator->is_mysql && want == OPERAND_DATE) return shape->result == SAME && shape->arguments[0] != 'n';
  if (!generator->is_strict) return true;
  bool is_numeric = want == OPERAND_INTEGER || want == OPERAND_REAL || want == OPERAND_DECIMAL;
  if (shape->result != SAME) return shape->result == want;
  /* PostgreSQL rounds integers through double precision. */
  return shape->arguments[0] != 'n' || (is_numeric && (want != OPERAND_INTEGER || shape->name[0] == 'A'));
}

static void draw_call(Generator *generator, Scope *scope, const FunctionShape *shape, OperandType want,
                      uint32_t depth) {
  emit(generator, "%s(", shape->name);
  for (const char *letter = shape->arguments; *letter; letter++) {
    if (letter != shape->arguments) emit(generator, ", ");
    draw_argument(generator, scope, *letter, want, depth);
  }
  emit(generator, ")");
}

bool draw_function(Generator *generator, Scope *scope, OperandType want, uint32_t depth, Operand *operand) {
  uint32_t count = sizeof shapes / sizeof *shapes, start = draw_below(generator, count);
  /* SQLite evaluates random arguments of any type, so the wanted type only tilts the choice. */
  for (uint32_t i = 0; i < count; i++) {
    const FunctionShape *shape = &shapes[(start + i) % count];
    if (!shape_fits(generator, shape, want)) continue;
    if (!generator->is_strict && shape->result != SAME && shape->result != want && draw_chance(generator, 60))
      continue;
    draw_call(generator, scope, shape, want, depth - 1);
    cover_function(generator, shape->name, false);
    *operand = (Operand){shape->result == SAME ? want : shape->result, false};
    return true;
  }
  return false;
}

static const FunctionShape aggregates[] = {
    {"COUNT", "*", INTEGER, FOR_ALL},
    {"COUNT", "a", INTEGER, FOR_ALL},
    {"SUM", "n", SAME, FOR_SQLITE | FOR_MYSQL},
    {"SUM", "m", OPERAND_DECIMAL, FOR_POSTGRESQL},
    {"AVG", "n", REAL, FOR_SQLITE},
    {"AVG", "m", OPERAND_DECIMAL, BUT_SQLITE},
    {"MIN", "s", SAME, FOR_ALL},
    {"MAX", "s", SAME, FOR_ALL},
    {"TOTAL", "n", REAL, FOR_SQLITE},
    {"GROUP_CONCAT", "a", TEXT, FOR_SQLITE, .is_wild = true},
    {"GROUP_CONCAT", "aS", TEXT, FOR_SQLITE, .is_wild = true},
};

static bool aggregate_fits(const Generator *generator, const FunctionShape *shape, OperandType want) {
  if (!(shape->dialects & dialect_bit(generator->options.dialect))) return false;
  if (shape->is_wild && generator->is_modelled) return false;
  if (!generator->is_strict) return true;
  bool is_numeric = want == OPERAND_INTEGER || want == OPERAND_REAL || want == OPERAND_DECIMAL;
  if (shape->result == SAME) return want != OPERAND_BOOLEAN && (shape->arguments[0] != 'n' || is_numeric);
  return shape->result == want;
}

/* The order in which group_concat meets its rows is open: what it gives is comparable only where nothing
 * depends on it. */
static bool is_order_dependent(const FunctionShape *shape) { return shape->name[0] == 'G'; }

static void draw_aggregate_call(Generator *generator, Scope *scope, const FunctionShape *shape,
                                OperandType want, uint32_t depth) {
  bool is_star = shape->arguments[0] == '*';
  bool is_distinct = !is_star && !shape->arguments[1] && draw_chance(generator, 20);
  emit(generator, "%s(", shape->name);
  if (is_distinct) emit(generator, "DISTINCT ");
  if (is_star) emit(generator, "*");
  scope->is_inside_aggregate = true;
  /* A sum of doubles depends on the order of its rows in the last digit, which the matcher allows for where
   * the sum is shown; where it is used, it is rounded to halves. */
  bool is_sum = shape->name[0] == 'S' || shape->name[0] == 'A' || shape->name[0] == 'T';
  bool is_rounded = generator->is_sqlite && is_sum && !scope->shows_aggregate;
  if (is_rounded) emit(generator, "ROUND(2 * ");
  for (const char *letter = shape->arguments; *letter && !is_star; letter++) {
    if (letter != shape->arguments) emit(generator, ", ");
    draw_argument(generator, scope, *letter, want, depth);
  }
  emit(generator, is_rounded ? ") / 2)" : ")");
  if (!generator->is_mysql && draw_chance(generator, 5)) {
    emit(generator, " FILTER (WHERE ");
    draw_condition(generator, scope, 1);
    emit(generator, ")");
    cover_feature(generator, FEATURE_AGGREGATE_FILTER);
  }
  scope->is_inside_aggregate = false;
  if (is_distinct) cover_feature(generator, FEATURE_AGGREGATE_DISTINCT);
}

Operand draw_aggregate(Generator *generator, Scope *scope, OperandType want, uint32_t depth) {
  generator->merges_equals = true;
  for (uint32_t tries = 0; tries < 40; tries++) {
    const FunctionShape *shape = &DRAW_ONE(generator, aggregates);
    if (!aggregate_fits(generator, shape, want)) continue;
    /* MariaDB's and PostgreSQL's averages have more digits than they show. */
    bool is_average = shape->name[0] == 'A' && generator->is_modelled && !generator->is_sqlite;
    if (is_average && !scope->shows_aggregate) continue;
    if (is_order_dependent(shape) && (scope->forbids_bare || draw_chance(generator, 60))) continue;
    bool forbids = scope->forbids_subqueries;
    scope->forbids_subqueries = true;
    draw_aggregate_call(generator, scope, shape, want, depth > 2 ? 2 : depth);
    scope->forbids_subqueries = forbids;
    cover_function(generator, shape->name, true);
    return (Operand){shape->result == SAME ? want : shape->result, false};
  }
  /* No aggregate gives this type (booleans): compare one. */
  emit(generator, "(COUNT(*) > %u)", draw_below(generator, 4));
  return (Operand){want, false};
}
