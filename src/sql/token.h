/* token.h: the tokenizer, and the shape of a statement.
 *
 * A text is cut into tokens once.  Texts that differ only in literals have the
 * same shape: the hash of all tokens with literals replaced by their kinds.
 * The literals themselves and the parameters, in order of appearance, are the
 * statement's *inputs*.  `tokens_scan` is the hot path of the audit: it
 * allocates only in the given arena, and touches each byte about once. */
#ifndef ALIBI_SQL_TOKEN_H
#define ALIBI_SQL_TOKEN_H

#include "src/base/array.h"
#include "src/base/value.h"
#include "src/sql/dialect.h"

typedef enum InputKind { INPUT_LITERAL, INPUT_POSITION, INPUT_NUMBER, INPUT_NAME } InputKind;

/* One literal or parameter of a statement. */
typedef struct Input {
  uint8_t kind;      /* InputKind: literal, `?`, `$1` (also `?1`), `:name` (also `@`-free `$name`) */
  Value literal;     /* INPUT_LITERAL: INT, UINT, DECIMAL, WIDE, DOUBLE, TEXT, BLOB */
  uint32_t number;   /* `?`: its 0-based rank among the `?`; `$n`: n-1 */
  const char *name;  /* `:name`, without the colon */
  uint32_t length;
  uint32_t offset;   /* in the text */
} Input;

typedef struct Token {
  uint16_t code;   /* grammar token code (grammar.h), or TOKEN_END, TOKEN_BAD */
  uint16_t flags;  /* TOKEN_QUOTED */
  uint32_t offset; /* in the text */
  uint32_t length;
  int32_t input;   /* index into inputs, or -1 */
  const char *text; /* names: folded by the dialect and unquoted, NUL-terminated only if quoted; else the text */
} Token;

enum {
  TOKEN_QUOTED = 1,        /* a name in quotes of any kind */
  TOKEN_DOUBLE_QUOTED = 2, /* a name in double quotes */
  TOKEN_TYPE_WORD = 4,     /* the name of a type, such as CHAR */
  TOKEN_PINNED = 8         /* a literal whose value is part of the shape: the tree depends on it */
};

typedef struct Tokens {
  ARRAY(Token) tokens; /* in the arena; without comments and white space; ends with code 0 */
  ARRAY(Input) inputs; /* in the arena */
  uint64_t shape;      /* hash of codes, names as written, and kinds of literals */
  uint32_t depth;      /* deepest nesting of parentheses, CASE and BEGIN */
  const char *error;   /* NULL, or e.g. "unterminated string"; then error_offset tells where */
  uint32_t error_offset;
} Tokens;

/* Always fills *tokens; false when `error` is set.  Text need not be NUL-terminated. */
bool tokens_scan(const Dialect *dialect, Arena *arena, const char *text, size_t length, Tokens *tokens);

#endif
