/* scan.h: what the files of the tokenizer share: token.c (words), punctuation.c (operators, parameters, comments),
 * literal.c, number.c and string.c (literals), keyword.c (the table of words). */
#ifndef ALIBI_SQL_SCAN_H
#define ALIBI_SQL_SCAN_H

#include "src/sql/token.h"

/* The dialects in which a word or phrase is one of the language. */
enum {
  WORDS_GENERIC = 1,
  WORDS_POSTGRESQL = 2,
  WORDS_MYSQL = 4, /* and mariadb */
  WORDS_SQLITE = 8,
  WORDS_SERVERS = WORDS_GENERIC | WORDS_POSTGRESQL | WORDS_MYSQL,
  WORDS_PROCEDURES = WORDS_GENERIC | WORDS_MYSQL,
  WORDS_EVERY = WORDS_SERVERS | WORDS_SQLITE
};

typedef struct Scanner {
  const Dialect *dialect;
  Arena *arena;
  const char *text;
  const char *at;
  const char *end;
  Tokens *tokens;
  uint64_t shape;
  uint32_t depth;      /* now; the deepest is in tokens */
  uint32_t positions;  /* `?` so far */
  uint16_t code;       /* of the newest token, 0 before the first */
  uint8_t words;       /* the dialect's bit in keyword.def */
  bool is_mysql, is_sqlite, is_postgres;
  bool has_backslash;  /* backslash escapes in plain strings */
  bool is_definition;  /* CREATE or SIGNAL was seen: every literal is pinned */
  bool in_executed;    /* inside a comment that MySQL executes */
} Scanner;

/* Which characters may stand in words, and which are upper case. */
enum { CHAR_WORD = 1, CHAR_DIGIT = 2, CHAR_UPPER = 4, CHAR_SPACE = 8, CHAR_START = 16 };
extern const uint8_t scan_classes[256];
static inline bool scan_is(const Scanner *scanner, const char *at, unsigned mask) {
  return at < scanner->end && (scan_classes[(unsigned char)*at] & mask) != 0;
}
static inline char scan_peek(const Scanner *scanner, size_t ahead) {
  return (size_t)(scanner->end - scanner->at) > ahead ? scanner->at[ahead] : '\0';
}

static inline void shape_mix(Scanner *scanner, uint64_t more) {
  uint64_t shape = (scanner->shape ^ more) * 0x9E3779B97F4A7C15u;
  scanner->shape = shape ^ shape >> 32;
}
static inline uint64_t byte_mix(uint64_t hash, unsigned char byte) { return (hash ^ byte) * 0x100000001B3u; }
enum { WORD_LONGEST = 24 }; /* no keyword is longer */

bool scan_fail(Scanner *scanner, const char *at, const char *error);
Token *scan_push(Scanner *scanner, uint16_t code, const char *start);
void scan_deeper(Scanner *scanner); /* an opening parenthesis, CASE or BEGIN */
bool scan_word(Scanner *scanner);
bool scan_quoted_name(Scanner *scanner, char close); /* "x", `x` and [x]; the closing quote doubled stands for itself */
bool scan_punctuation(Scanner *scanner);
/* A literal that started at `start` and ends here. */
void scan_push_literal(Scanner *scanner, uint16_t code, const char *start, Value value);
/* A token that no rule of the grammar takes, for what is SQL but not modelled. */
void scan_push_unsupported(Scanner *scanner, const char *start);

/* keyword.c: the code of a word (hash: of its lower-case bytes), 0: a plain name; *is_type: see TYPE_WORD. */
uint16_t keyword_find(const char *word, size_t length, uint64_t hash, uint8_t dialects, bool *is_type);
uint8_t keyword_dialects(const Dialect *dialect);

bool word_types_literal(const char *word, size_t length); /* DATE in DATE '2020-01-01', and its like */
int hex_digit(char digit); /* -1: none */
Value bits_value(Scanner *scanner, const char *digits, size_t count, unsigned bits); /* digits of `bits` bits each, right-aligned, as bytes */
bool scan_number(Scanner *scanner);
bool scan_string(Scanner *scanner, const char *start, char quote, bool has_backslash);
bool scan_dollar_string(Scanner *scanner, const char *start); /* $$...$$ and $tag$...$tag$; false without error: it is none */
bool scan_bytes(Scanner *scanner, const char *start, unsigned bits); /* X'..' (4 bits a digit) and b'..' (1) */

#endif
