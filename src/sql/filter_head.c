/* filter_head.c: how statements begin: those about the session, and the many words behind CREATE. */
#include "src/sql/filter.h"

#include "src/sql/grammar.h"

static const Token *token_at(const Parser *parser, uint32_t index) {
  uint32_t last = parser->tokens->tokens.count - 1;
  return &parser->tokens->tokens.items[index < last ? index : last];
}

static bool word_at(const Parser *parser, uint32_t index, const char *word) {
  return token_is(parser, token_at(parser, index), word);
}

static bool word_in(const Parser *parser, uint32_t index, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (word_at(parser, index, words[i])) return true;
  return false;
}
#define WORD_IN(parser, index, words) word_in(parser, index, words, sizeof words / sizeof *words)

static uint32_t width_to_semicolon(const Parser *parser, uint32_t index) {
  uint32_t at = index;
  while (token_at(parser, at)->code != SQL_SEMI && token_at(parser, at)->code != 0) at++;
  return at - index;
}

/* ---- Session statements ------------------------------------------------------------------- */

static const char *const SESSION_WORDS[] = {
    "show",    "use",        "pragma",   "analyze", "explain",  "describe", "desc",    "lock",
    "unlock",  "reset",      "vacuum",   "reindex", "grant",    "revoke",   "comment", "flush",
    "discard", "checkpoint", "optimize", "listen",  "unlisten", "notify",   "cluster", "set"};

/* EXPLAIN ANALYZE and MariaDB's ANALYZE execute the statement behind them. */
static bool head_executes(const Parser *parser, uint32_t index) {
  static const char *const STATEMENTS[] = {"select",  "insert", "update", "delete",
                                           "replace", "with",   "format"};
  if (word_at(parser, index, "analyze")) return WORD_IN(parser, index + 1, STATEMENTS);
  if (!word_at(parser, index, "explain")) return false;
  for (uint32_t i = 1; i <= 6; i++)
    if (word_at(parser, index + i, "analyze")) return true;
  return false;
}

/* SET is a statement of its own where it assigns a user variable, and not modelled where it defers
 * constraints. */
static bool set_is_session(const Parser *parser, uint32_t index) {
  if (word_at(parser, index + 1, "constraints")) return false;
  for (uint32_t i = index + 1; token_at(parser, i)->code != SQL_SEMI && token_at(parser, i)->code != 0; i++) {
    bool starts = i == index + 1 || token_at(parser, i - 1)->code == SQL_COMMA;
    if (starts && token_at(parser, i)->code == SQL_USER_VARIABLE) return false;
  }
  return true;
}

uint16_t filter_head(Parser *parser, uint32_t index, uint32_t *width) {
  if (!WORD_IN(parser, index, SESSION_WORDS) || head_executes(parser, index)) return 0;
  if (word_at(parser, index, "set") && !set_is_session(parser, index)) return 0;
  *width = width_to_semicolon(parser, index);
  return SQL_SESSION;
}

/* ---- CREATE ------------------------------------------------------------------------------------ */

/* The tokens of `user`@`host` or CURRENT_USER() behind DEFINER = */
static uint32_t definer_width(const Parser *parser, uint32_t index) {
  uint32_t width = 1;
  if (token_at(parser, index + width)->code == SQL_LP) width += 2;
  if (token_at(parser, index + width)->code == SQL_USER_VARIABLE) width++;
  return width;
}

/* One word or clause between CREATE and the kind of object; 0: none. */
static uint32_t create_modifier(Parser *parser, uint32_t index) {
  static const char *const PLAIN[] = {"global", "local", "unlogged"};
  if (word_at(parser, index, "or") && word_at(parser, index + 1, "replace")) {
    parser->or_replace = true;
    return 2;
  }
  if (word_at(parser, index, "temp") || word_at(parser, index, "temporary")) {
    parser->is_temporary = true;
    return 1;
  }
  if (word_at(parser, index, "unique")) {
    parser->is_unique = true;
    return 1;
  }
  if (WORD_IN(parser, index, PLAIN)) return 1;
  if (word_at(parser, index, "algorithm") && token_at(parser, index + 1)->code == SQL_EQ) return 3;
  if (word_at(parser, index, "definer") && token_at(parser, index + 1)->code == SQL_EQ)
    return 2 + definer_width(parser, index + 2);
  if (word_at(parser, index, "sql") && word_at(parser, index + 1, "security")) return 3;
  return 0;
}

/* The token behind the parameter list that opens at or after index; the end if there is none. */
static uint32_t parameters_end(const Parser *parser, uint32_t index) {
  while (token_at(parser, index)->code != SQL_LP && token_at(parser, index)->code != 0) index++;
  uint32_t open = 0;
  for (; token_at(parser, index)->code != 0; index++) {
    if (token_at(parser, index)->code == SQL_LP) open++;
    if (token_at(parser, index)->code == SQL_RP && --open == 0) return index + 1;
  }
  return index;
}

/* A body that is not ours ends with its statement: at a semicolon outside BEGIN ... END. 0: it does not end.
 */
static uint32_t foreign_width(const Parser *parser, uint32_t index) {
  static const char *const CLOSED[] = {"if", "loop", "while", "repeat", "for"};
  uint32_t depth = 0, at = index;
  for (; token_at(parser, at)->code != 0; at++) {
    uint16_t code = token_at(parser, at)->code;
    bool behind_end = token_at(parser, at - 1)->code == SQL_END;
    if (code == SQL_BEGIN || (code == SQL_CASE && !behind_end)) depth++;
    if (code == SQL_END && depth && !WORD_IN(parser, at + 1, CLOSED)) depth--;
    if (code == SQL_SEMI && depth == 0) break;
  }
  return depth ? 0 : at - index;
}

/* PL/pgSQL and the like; in PostgreSQL, too, a transcript may give a body as MySQL writes it. */
static bool routine_is_foreign(const Parser *parser, uint32_t at, uint32_t behind) {
  if (word_at(parser, at, "function") || token_at(parser, behind)->code == SQL_AS) return true;
  if (word_at(parser, behind, "language") && !word_at(parser, behind + 1, "sql")) return true;
  return parser->dialect->name == DIALECT_POSTGRESQL &&
         (token_at(parser, behind)->code != SQL_BEGIN || word_at(parser, behind + 1, "atomic"));
}

static uint16_t create_routine(Parser *parser, uint32_t index, uint32_t at, uint32_t *width) {
  uint32_t behind = parameters_end(parser, at);
  if (routine_is_foreign(parser, at, behind)) {
    *width = token_at(parser, behind)->code ? foreign_width(parser, index) : 0;
    return *width ? SQL_FOREIGN_ROUTINE : 0;
  }
  parser->in_procedure = true;
  parser->header = behind;
  *width = at + 1 - index;
  return SQL_CREATE_PROCEDURE;
}

uint16_t filter_create(Parser *parser, uint32_t index, uint32_t *width) {
  parser->or_replace = parser->is_temporary = parser->is_unique = false;
  uint32_t at = index + 1;
  for (uint32_t step; (step = create_modifier(parser, at)) != 0;) at += step;
  *width = at + 1 - index;
  if (word_at(parser, at, "table") && !parser->or_replace) {
    parser->in_table = true;
    return SQL_CREATE_TABLE;
  }
  if (word_at(parser, at, "index")) {
    if (word_at(parser, at + 1, "concurrently")) ++*width;
    return SQL_CREATE_INDEX;
  }
  if (word_at(parser, at, "view")) return SQL_CREATE_VIEW;
  if (word_at(parser, at, "procedure") || word_at(parser, at, "function"))
    return create_routine(parser, index, at, width);
  return 0;
}

/* ---- Characteristics of procedures --------------------------------------------------------------- */

bool filter_characteristic(Parser *parser, uint32_t index, uint32_t *width) {
  static const struct {
    const char *words[3];
    uint32_t width;
  } CLAUSES[] = {
      {{"language", "sql"}, 2},
      {{"not", "deterministic"}, 2},
      {{"deterministic"}, 1},
      {{"contains", "sql"}, 2},
      {{"no", "sql"}, 2},
      {{"reads", "sql", "data"}, 3},
      {{"modifies", "sql", "data"}, 3},
      {{"sql", "security", "definer"}, 3},
      {{"sql", "security", "invoker"}, 3},
  };
  for (size_t i = 0; i < sizeof CLAUSES / sizeof *CLAUSES; i++) {
    bool fits = true;
    for (uint32_t j = 0; j < CLAUSES[i].width; j++) fits &= word_at(parser, index + j, CLAUSES[i].words[j]);
    *width = CLAUSES[i].width;
    if (fits) return true;
  }
  *width = 2;
  return word_at(parser, index, "comment") && token_at(parser, index + 1)->code == SQL_STRING;
}
