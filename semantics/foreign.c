/* foreign.c: beginnings of statements, and whether a text is complete; see foreign.h. */
#include "semantics/foreign.h"

#include "src/base/arena.h"

#include <string.h>
#include <strings.h>

typedef struct Text {
  const char *text;
  const Tokens *tokens;
} Text;

static bool word_is(const Text *text, uint32_t i, const char *word) {
  if (i >= text->tokens->tokens.count) return false;
  const Token *token = &text->tokens->tokens.items[i];
  return token->length == strlen(word) && strncasecmp(text->text + token->offset, word, token->length) == 0;
}

static bool word_in(const Text *text, uint32_t i, const char *const *words, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (word_is(text, i, words[k])) return true;
  return false;
}
#define WORD_IN(text, i, words) word_in(text, i, words, sizeof words / sizeof *words)

uint32_t block_depth(const char *text, const Tokens *tokens, uint32_t *i, uint32_t depth) {
  static const char *const unpaired[] = {"IF", "WHILE", "LOOP", "REPEAT", "FOR"};
  Text words = {text, tokens};
  if (word_is(&words, *i, "BEGIN") || word_is(&words, *i, "CASE")) return depth + 1;
  if (!word_is(&words, *i, "END") || WORD_IN(&words, *i + 1, unpaired)) return depth;
  if (word_is(&words, *i + 1, "CASE")) ++*i;
  return depth ? depth - 1 : 0;
}

/* Every parenthesis and every block is closed. */
static bool text_is_complete(const Text *text) {
  uint32_t open = 0, depth = 0;
  for (uint32_t i = 0; i < text->tokens->tokens.count; i++) {
    if (word_is(text, i, "(")) open++;
    if (word_is(text, i, ")") && open-- == 0) return false;
    depth = block_depth(text->text, text->tokens, &i, depth);
  }
  return open == 0 && depth == 0;
}

/* What stands between CREATE, ALTER or DROP and the kind of object. */
static uint32_t kind_place(const Text *text) {
  static const char *const modifiers[] = {"OR",      "REPLACE",      "TEMP",     "TEMPORARY",  "GLOBAL",
                                          "LOCAL",   "UNLOGGED",     "TRUSTED",  "PROCEDURAL", "CONSTRAINT",
                                          "DEFAULT", "MATERIALIZED", "AGGREGATE"};
  uint32_t i = 1;
  for (;;) {
    if (word_is(text, i, "DEFINER"))
      for (i++; i < text->tokens->tokens.count && !word_is(text, i, "PROCEDURE") &&
                !word_is(text, i, "FUNCTION") && !word_is(text, i, "TRIGGER") && !word_is(text, i, "EVENT");)
        i++;
    else if (WORD_IN(text, i, modifiers))
      i++;
    else
      return i;
  }
}

static bool defines_foreign(const Text *text) {
  static const char *const kinds[] = {"PROCEDURE", "FUNCTION",    "TRIGGER",      "EVENT",    "SEQUENCE",
                                      "TYPE",      "DOMAIN",      "EXTENSION",    "SCHEMA",   "DATABASE",
                                      "RULE",      "POLICY",      "ROLE",         "USER",     "VIEW",
                                      "OPERATOR",  "CAST",        "COLLATION",    "LANGUAGE", "STATISTICS",
                                      "SERVER",    "PUBLICATION", "SUBSCRIPTION", "GROUP",    "TABLESPACE"};
  return WORD_IN(text, kind_place(text), kinds);
}

/* Clauses of CREATE TABLE that only servers have. */
static bool table_is_foreign(const Text *text) {
  static const char *const clauses[] = {"PARTITION", "LIKE", "INHERITS", "EXCLUDE", "TABLESPACE"};
  if (!word_is(text, kind_place(text), "TABLE")) return false;
  for (uint32_t i = 0; i < text->tokens->tokens.count; i++)
    if (WORD_IN(text, i, clauses)) return true;
  return false;
}

bool statement_is_foreign(const Dialect *dialect, const char *text, size_t length) {
  static const char *const verbs[] = {"ALTER", "COPY", "LOAD", "DO", "RENAME"};
  if (dialect->name != DIALECT_POSTGRESQL && !dialect_is_mysql(dialect)) return false;
  Arena arena;
  Tokens tokens;
  arena_init(&arena);
  bool is_foreign = tokens_scan(dialect, &arena, text, length, &tokens);
  Text words = {text, &tokens};
  if (is_foreign)
    is_foreign = text_is_complete(&words) &&
                 (WORD_IN(&words, 0, verbs) ||
                  (word_is(&words, 0, "CREATE") && (defines_foreign(&words) || table_is_foreign(&words))) ||
                  (word_is(&words, 0, "DROP") && defines_foreign(&words)));
  arena_free(&arena);
  return is_foreign;
}
