/* fast_token.h: tokens of JSON for fast.c, as small steps along the line.
 *
 * Every step leaves the place behind what it took and, after punctuation, behind white space.
 * A step that fails says only "not mine".  Strings are valid UTF-8 without NUL. */
#ifndef ALIBI_TRANSCRIPT_FAST_TOKEN_H
#define ALIBI_TRANSCRIPT_FAST_TOKEN_H

#include "src/base/arena.h"
#include "src/base/value.h"

#include <stdbool.h>
#include <string.h>

typedef struct FastToken {
  const char *text, *at, *end; /* *end is 0, and 8 bytes behind it are readable */
  bool failed;
} FastToken;

typedef struct FastKey {
  const char *text;
  uint32_t length;
} FastKey;

#define KEY_IS(key, word) ((key).length == sizeof(word) - 1 && memcmp((key).text, word, sizeof(word) - 1) == 0)

static inline void token_space(FastToken *token) {
  while (*token->at == ' ' || *token->at == '\t' || *token->at == '\r') token->at++;
}

/* Takes the opening bracket; true: an item follows. */
static inline bool token_open(FastToken *token, char open, char close) {
  if (*token->at != open) {
    token->failed = true;
    return false;
  }
  token->at++;
  token_space(token);
  if (*token->at != close) return true;
  token->at++;
  token_space(token);
  return false;
}

/* Behind an item: true, and another one follows; false, and the bracket was closed (or failed). */
static inline bool token_more(FastToken *token, char close) {
  token_space(token);
  bool is_comma = *token->at == ',';
  if (!is_comma && *token->at != close) {
    token->failed = true;
    return false;
  }
  token->at++;
  token_space(token);
  return is_comma;
}

static inline bool token_colon(FastToken *token) {
  token_space(token);
  if (*token->at != ':') return false;
  token->at++;
  token_space(token);
  return true;
}

static inline bool token_word(FastToken *token, const char *word, size_t length) {
  if ((size_t)(token->end - token->at) < length || memcmp(token->at, word, length) != 0) return false;
  token->at += length;
  return true;
}

/* A string of plain ASCII without escapes. */
bool token_plain(FastToken *token, FastKey *key);
/* A key and its colon. Sets failed. */
bool token_key(FastToken *token, FastKey *key);
/* Any string; one with escapes is decoded into the arena, with a NUL behind it. */
bool token_string(FastToken *token, Arena *arena, const char **text, uint32_t *length);
/* An integer of 64 bits; a real is none. */
bool token_integer(FastToken *token, int64_t *integer);
/* INT or DOUBLE. */
bool token_number(FastToken *token, Value *value, bool *is_real);

#endif
