/* filter.c: from tokens to what the grammar sees.
 *
 * Three things happen here, none of which a grammar with one token of lookahead
 * does well: phrases become one token, words become names or keywords by what stands around
 * them, and operators get the token that has their precedence in the dialect (grammar.y lists them).
 * The heads of CREATE and of session statements are in filter_head.c. */
#include "src/sql/filter.h"

#include "src/sql/grammar.h"
#include "src/sql/scan.h"

#include <assert.h>
#include <pthread.h>
#include <strings.h>

static const Token *token_at(const Parser *parser, uint32_t index) {
  uint32_t last = parser->tokens->tokens.count - 1;
  return &parser->tokens->tokens.items[index < last ? index : last];
}

static bool token_is_word(const Parser *parser, const Token *token) {
  if (token->length == 0 || (token->flags & TOKEN_QUOTED) || token->input >= 0) return false;
  return scan_classes[(unsigned char)parser->text[token->offset]] & CHAR_START;
}

bool token_is(const Parser *parser, const Token *token, const char *word) {
  size_t length = strlen(word);
  if (token->length != length || (token->flags & TOKEN_QUOTED) || token->input >= 0) return false;
  return strncasecmp(parser->text + token->offset, word, length) == 0;
}

/* ---- Phrases ------------------------------------------------------------------------- */

typedef struct Phrase {
  const char *words; /* lower case, one blank between */
  uint16_t code;
  uint8_t dialects;
} Phrase;

static const Phrase PHRASES[] = {
#define PHRASE(words, code, dialects) {words, SQL_##code, dialects},
#include "src/sql/phrase.def"
#undef PHRASE
};

enum { PHRASE_COUNT = sizeof PHRASES / sizeof *PHRASES };
static_assert(PHRASE_COUNT <= UINT8_MAX, "phrase_starts holds bytes");

/* Where the phrases of each first letter start: the table is sorted by it. */
static uint8_t phrase_starts['z' - 'a' + 2];
static pthread_once_t phrase_once = PTHREAD_ONCE_INIT;

static void phrase_index(void) {
  uint32_t at = 0;
  for (int letter = 'a'; letter <= 'z' + 1; letter++) {
    while (at < PHRASE_COUNT && PHRASES[at].words[0] < letter) at++;
    phrase_starts[letter - 'a'] = (uint8_t)at;
  }
}

/* How many tokens from here on are the words of the phrase; 0: they are not. */
static uint32_t phrase_width(const Parser *parser, uint32_t index, const char *words) {
  uint32_t width = 0;
  for (const char *word = words; *word; width++) {
    size_t length = strcspn(word, " ");
    const Token *token = token_at(parser, index + width);
    if (token->length != length || !token_is_word(parser, token)) return 0;
    if (strncasecmp(parser->text + token->offset, word, length) != 0) return 0;
    word += length;
    if (*word == ' ') word++;
  }
  return width;
}

/* IF EXISTS (SELECT ...) THEN is a condition, not the phrase. */
static bool phrase_fits(const Parser *parser, const Phrase *phrase, uint32_t behind) {
  bool is_existence = phrase->code == SQL_IF_EXISTS || phrase->code == SQL_IF_NOT_EXISTS;
  return !is_existence || token_at(parser, behind)->code != SQL_LP;
}

static uint16_t phrase_find(const Parser *parser, uint32_t index, uint32_t *width) {
  const Token *token = token_at(parser, index);
  if (!token_is_word(parser, token)) return 0;
  char first = (char)(parser->text[token->offset] | 0x20);
  if (first < 'a' || first > 'z') return 0;
  pthread_once(&phrase_once, phrase_index);
  for (uint32_t i = phrase_starts[first - 'a']; i < phrase_starts[first - 'a' + 1]; i++) {
    const Phrase *phrase = &PHRASES[i];
    if (!(phrase->dialects & parser->words)) continue;
    *width = phrase_width(parser, index, phrase->words);
    if (*width && phrase_fits(parser, phrase, index + *width)) return phrase->code;
  }
  return 0;
}

/* ---- Words by their neighbours ---------------------------------------------------------- */

/* May the token end an operand, so that an operator may follow it? */
static bool code_ends_operand(uint16_t code) {
  switch (code) {
  case SQL_NAME:
  case SQL_INTEGER:
  case SQL_NUMBER:
  case SQL_STRING:
  case SQL_BLOB:
  case SQL_PARAMETER:
  case SQL_USER_VARIABLE:
  case SQL_SYSTEM_VARIABLE:
  case SQL_RP:
  case SQL_END:
  case SQL_NULL:
  case SQL_TRUE:
  case SQL_FALSE:
  case SQL_IS_POSTFIX:
  case SQL_ISNULL:
  case SQL_NOTNULL:
  case SQL_NOT_NULL_POSTFIX:
  case SQL_NILADIC:
  case SQL_UNIT: return true;
  default: return false;
  }
}

/* KEY (a) and KEY k (a) among the columns of a table.  In generic, key may be a column. */
static bool key_starts_clause(const Parser *parser, uint32_t index) {
  if (!parser->in_table || (parser->previous != SQL_COMMA && parser->previous != SQL_LP)) return false;
  if (dialect_is_mysql(parser->dialect)) return true;
  if (parser->dialect->name != DIALECT_GENERIC) return false;
  if (token_at(parser, index + 1)->code == SQL_LP) return true;
  return token_at(parser, index + 1)->code == SQL_NAME && token_at(parser, index + 2)->code == SQL_LP &&
         token_at(parser, index + 3)->code != SQL_INTEGER;
}

/* Is this IN the one of POSITION(a IN b)? */
static bool in_is_of_position(const Parser *parser, uint32_t index) {
  uint32_t closed = 0;
  for (uint32_t i = index; parser->has_position && i-- > 1;) {
    uint16_t code = token_at(parser, i)->code;
    if (code == SQL_RP) closed++;
    if (code == SQL_LP && closed-- == 0) return token_at(parser, i - 1)->code == SQL_POSITION;
  }
  return false;
}

/* a NOT NULL for a IS NOT NULL */
static bool not_is_postfix(const Parser *parser, uint32_t index) {
  bool takes = dialect_is_sqlite(parser->dialect) || parser->dialect->name == DIALECT_GENERIC;
  return takes && !parser->in_table && token_at(parser, index + 1)->code == SQL_NULL &&
         code_ends_operand(parser->previous);
}

static bool token_types_literal(const Parser *parser, uint32_t index) {
  if (dialect_is_sqlite(parser->dialect) || token_at(parser, index + 1)->code != SQL_STRING) return false;
  const Token *token = token_at(parser, index);
  return word_types_literal(parser->text + token->offset, token->length);
}

/* Behind AS any word may be a title, if nothing but the end of an item follows it. */
static bool word_is_title(const Parser *parser, uint32_t index) {
  uint16_t next = token_at(parser, index + 1)->code;
  return parser->previous == SQL_AS && (next == SQL_COMMA || next == SQL_FROM || next == 0);
}

/* MySQL: a name for the words of its functions that are statements elsewhere. */
static uint16_t code_of_word(Parser *parser, uint32_t index, uint16_t code) {
  uint16_t next = token_at(parser, index + 1)->code;
  bool before_paren = next == SQL_LP;
  switch (code) {
  case SQL_INSERT:
  case SQL_REPLACE:
  case SQL_REPEAT:
  case SQL_TRUNCATE:
  case SQL_NILADIC: return before_paren ? SQL_NAME : code;
  case SQL_ANY:
  case SQL_CAST:
  case SQL_CONVERT:
  case SQL_EXTRACT:
  case SQL_POSITION:
  case SQL_SUBSTRING:
  case SQL_TRIM:
  case SQL_UNIT_FUNCTION: return before_paren ? code : SQL_NAME;
  case SQL_ROW: return before_paren || code_ends_operand(parser->previous) ? SQL_ROW : SQL_NAME;
  case SQL_USING: return before_paren ? SQL_USING_COLUMNS : code;
  case SQL_DIV:
  case SQL_MOD: return code_ends_operand(parser->previous) ? SQL_MULTIPLY : SQL_NAME;
  case SQL_OFFSET: {
    bool behind = code_ends_operand(parser->previous) || parser->previous == SQL_ASC ||
                  parser->previous == SQL_DESC || parser->previous == SQL_ALL ||
                  parser->previous == SQL_NULLS;
    bool before =
        code_ends_operand(next) ? next != SQL_RP && next != SQL_END : before_paren || next == SQL_MINUS;
    return behind && before ? SQL_OFFSET : SQL_NAME;
  }
  case SQL_FILTER: return before_paren && parser->previous == SQL_RP ? SQL_FILTER : SQL_NAME;
  case SQL_OVER:
    return parser->previous == SQL_RP && (before_paren || next == SQL_NAME) ? SQL_OVER : SQL_NAME;
  case SQL_COMMENT:
    return next == SQL_STRING || (next == SQL_EQ && parser->in_table) ? SQL_COMMENT : SQL_NAME;
  case SQL_CHARSET: {
    bool names_column = parser->previous == SQL_COMMA || parser->previous == SQL_LP;
    return parser->in_table && !names_column ? SQL_CHARSET : SQL_NAME;
  }
  case SQL_KEY: return key_starts_clause(parser, index) ? SQL_INDEX_CLAUSE : SQL_KEY;
  case SQL_VALUES: return parser->in_duplicate && before_paren ? SQL_VALUES_OF : SQL_VALUES;
  case SQL_VALUE:
    return before_paren && (parser->previous == SQL_RP || parser->previous == SQL_NAME) ? SQL_VALUES
                                                                                        : SQL_NAME;
  case SQL_SET: {
    bool is_type = parser->in_table && before_paren && token_at(parser, index + 2)->code == SQL_STRING;
    return is_type ? SQL_NAME : SQL_SET;
  }
  case SQL_INTERVAL: {
    bool is_text = next == SQL_STRING && dialect_is_postgres(parser->dialect);
    bool before =
        code_ends_operand(next) ? next != SQL_RP && next != SQL_END : before_paren || next == SQL_MINUS;
    return is_text ? SQL_INTERVAL_TEXT : before ? SQL_INTERVAL : SQL_NAME;
  }
  case SQL_FOR: return code_ends_operand(parser->previous) ? SQL_FOR_LENGTH : SQL_FOR;
  case SQL_NOT: return not_is_postfix(parser, index) ? SQL_NOT_NULL_POSTFIX : SQL_NOT;
  default: return code;
  }
}

/* STRICT behind the columns of a table in sqlite; FOR in SUBSTRING(a FROM b FOR c) */
static uint16_t code_of_name(const Parser *parser, uint32_t index) {
  const Token *token = token_at(parser, index);
  if (token_types_literal(parser, index)) return SQL_TYPED;
  bool is_strict =
      parser->in_table && dialect_is_sqlite(parser->dialect) && token_is(parser, token, "strict");
  if (is_strict && (parser->previous == SQL_RP || parser->previous == SQL_COMMA)) return SQL_STRICT;
  bool is_postgres = parser->dialect->name == DIALECT_POSTGRESQL; /* where FOR is no keyword of ours */
  if (is_postgres && code_ends_operand(parser->previous) && token_is(parser, token, "for"))
    return SQL_FOR_LENGTH;
  return SQL_NAME;
}

/* ---- Operators by dialect ------------------------------------------------------------------ */

typedef enum Family { FAMILY_POSTGRES, FAMILY_MYSQL, FAMILY_SQLITE } Family;

static Family parser_family(const Parser *parser) {
  if (dialect_is_mysql(parser->dialect)) return FAMILY_MYSQL;
  return dialect_is_sqlite(parser->dialect) ? FAMILY_SQLITE : FAMILY_POSTGRES;
}

static uint16_t code_of_operator(const Parser *parser, uint16_t code, bool is_negated) {
  Family family = parser_family(parser);
  bool is_postgres = family == FAMILY_POSTGRES, is_mysql = family == FAMILY_MYSQL,
       is_sqlite = family == FAMILY_SQLITE;
  switch (code) {
  case SQL_EQ: return is_postgres ? SQL_EQ_TIGHT : SQL_EQ;
  case SQL_NE: return is_postgres ? SQL_COMPARE : SQL_COMPARE_LOOSE;
  case SQL_NULLSAFE: return is_postgres ? SQL_COMPARE : SQL_COMPARE_LOOSE;
  case SQL_LT:
  case SQL_LE:
  case SQL_GT:
  case SQL_GE: return is_mysql ? SQL_COMPARE_LOOSE : SQL_COMPARE;
  case SQL_LIKE: return is_sqlite ? SQL_LIKE_FLAT : is_mysql && is_negated ? SQL_NEGATED_LIKE : SQL_LIKE;
  case SQL_IN: return is_sqlite ? SQL_IN_FLAT : is_mysql && is_negated ? SQL_NEGATED_IN : SQL_IN;
  case SQL_BETWEEN:
    if (is_mysql) return is_negated ? SQL_NEGATED_BETWEEN : SQL_BETWEEN_LOOSE;
    return is_sqlite ? SQL_BETWEEN_FLAT : SQL_BETWEEN;
  case SQL_INTERSECT: return is_sqlite ? SQL_INTERSECT_FLAT : SQL_INTERSECT;
  case SQL_PIPE: return is_mysql ? SQL_PIPE : SQL_BITWISE;
  case SQL_AMPERSAND: return is_mysql ? SQL_AMPERSAND : SQL_BITWISE;
  case SQL_SHIFT_LEFT:
  case SQL_SHIFT_RIGHT:
  case SQL_HASH: return SQL_BITWISE;
  case SQL_SLASH:
  case SQL_PERCENT: return SQL_MULTIPLY;
  case SQL_CONCAT:
    if (is_mysql && !parser->dialect->pipes_concat) return SQL_OR;
    return is_postgres ? SQL_BITWISE : SQL_CONCAT;
  case SQL_TILDE: return is_postgres ? SQL_TILDE_LOOSE : SQL_TILDE;
  case SQL_COLLATE: return is_mysql ? SQL_COLLATE : SQL_COLLATE_LOOSE;
  default: return code;
  }
}

/* ---- Feeding ----------------------------------------------------------------------------------- */

static uint16_t filter_code(Parser *parser, uint32_t index, uint32_t *width) {
  const Token *token = token_at(parser, index);
  *width = 1;
  bool is_start = parser->previous == 0 || parser->previous == SQL_SEMI;
  uint16_t head = is_start && !parser->in_procedure ? filter_head(parser, index, width) : 0;
  if (!head && token->code == SQL_CREATE) head = filter_create(parser, index, width);
  if (head) return head;
  bool is_word = token_is_word(parser, token);
  if (is_word && (parser->previous == SQL_DOT || (token->code != SQL_NAME && word_is_title(parser, index))))
    return SQL_NAME;
  if (token->code == SQL_IN && in_is_of_position(parser, index)) return SQL_POSITION_IN;
  uint16_t code = is_word ? phrase_find(parser, index, width) : 0;
  if (!code) {
    *width = 1;
    code = token->code == SQL_NAME ? (is_word ? code_of_name(parser, index) : SQL_NAME)
                                   : code_of_word(parser, index, token->code);
    if (code == SQL_NOT_NULL_POSTFIX) *width = 2;
  }
  return code_of_operator(parser, code, token->code == SQL_NOT);
}

uint16_t filter_next(Parser *parser, const Token **token) {
  uint32_t width;
  while (parser->header && parser->next >= parser->header) {
    if (!filter_characteristic(parser, parser->next, &width))
      parser->header = 0;
    else
      parser->next += width;
  }
  parser->end = parser->current_end;
  parser->current = parser->next;
  uint16_t code = filter_code(parser, parser->next, &width);
  *token = token_at(parser, parser->current);
  const Token *last = token_at(parser, parser->current + width - 1);
  parser->next = parser->current + width;
  parser->current_end = last->offset + last->length;
  parser->previous = code;
  if (code == SQL_ON_DUPLICATE) parser->in_duplicate = true;
  return code;
}
