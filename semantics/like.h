/* like.h: LIKE, ILIKE and GLOB patterns on UTF-8 text. */
#ifndef ALIBI_SEMANTICS_LIKE_H
#define ALIBI_SEMANTICS_LIKE_H

#include "src/base/value.h"

typedef struct LikeRules {
  bool folds;          /* ASCII letters without case */
  bool is_partial;     /* other letters: not modelled when they differ */
  const char *escape;  /* the escape character, or NULL */
  size_t escape_size;
  bool ends_literal;   /* an escape at the very end stands for itself */
} LikeRules;

typedef enum LikeAnswer { LIKE_NO, LIKE_YES, LIKE_UNSURE, LIKE_BAD_ESCAPE /* the pattern ends with it */ } LikeAnswer;

LikeAnswer like_match(LikeRules rules, const char *text, size_t length, const char *pattern, size_t pattern_length);
bool glob_match(const char *text, size_t length, const char *pattern, size_t pattern_length);

#endif
