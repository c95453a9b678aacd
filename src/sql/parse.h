/* parse.h: from tokens to a syntax tree, by the Lemon grammar grammar.y. */
#ifndef ALIBI_SQL_PARSE_H
#define ALIBI_SQL_PARSE_H

#include "src/base/diag.h"
#include "src/sql/ast.h"
#include "src/sql/token.h"

typedef enum ParseAnswer {
  PARSE_OK,
  PARSE_REJECTED,  /* our grammar does not take it: error and offset in the result */
  PARSE_TOO_DEEP,  /* nested beyond the bound: set aside */
  PARSE_EMPTY      /* nothing but comments and semicolons */
} ParseAnswer;

typedef struct Parse {
  StatementList statements; /* one, or several in a set-up line */
  const char *error;        /* in the arena */
  uint32_t offset;
} Parse;

/* Parses a whole text: statements separated by semicolons. The tree goes into the arena. */
ParseAnswer parse_tokens(const Dialect *dialect, Arena *arena, const char *text, const Tokens *tokens, Parse *parse);
/* Prints a tree back as SQL-like text, for `alibi show`. */
char *statement_text(Arena *arena, const Statement *statement, const Tokens *tokens);

#endif
