/* token.c: cuts a text into tokens, in one pass.
 *
 * Here are words and quoted names; punctuation.c has operators, parameters and comments, number.c and
 * string.c the literals, keyword.c the table of words.  The shape is
 * mixed as tokens are pushed; its parts are never separated by position, so every part is
 * mixed together with the code it belongs to. */
#include "src/sql/token.h"

#include "src/sql/grammar.h"
#include "src/sql/scan.h"

#define W (CHAR_WORD | CHAR_START)
#define U (CHAR_WORD | CHAR_START | CHAR_UPPER)
#define D (CHAR_WORD | CHAR_DIGIT)
#define S CHAR_SPACE
const uint8_t scan_classes[256] = {
    ['\t'] = S,        ['\n'] = S,        ['\v'] = S,        ['\f'] = S,
    ['\r'] = S,        [' '] = S,         ['$'] = CHAR_WORD, ['_'] = W,
    ['0' ... '9'] = D, ['A' ... 'Z'] = U, ['a' ... 'z'] = W, [0x80 ... 0xFF] = W,
};
#undef W
#undef U
#undef D
#undef S

bool scan_fail(Scanner *scanner, const char *at, const char *error) {
  scanner->tokens->error = error;
  scanner->tokens->error_offset = (uint32_t)(at - scanner->text);
  return false;
}

Token *scan_push(Scanner *scanner, uint16_t code, const char *start) {
  Tokens *tokens = scanner->tokens;
  ARENA_PUSH(scanner->arena, &tokens->tokens,
             (Token){.code = code,
                     .offset = (uint32_t)(start - scanner->text),
                     .length = (uint32_t)(scanner->at - start),
                     .input = -1,
                     .text = start});
  scanner->code = code;
  return &tokens->tokens.items[tokens->tokens.count - 1];
}

void scan_push_unsupported(Scanner *scanner, const char *start) {
  shape_mix(scanner, SQL_UNSUPPORTED);
  for (const char *at = start; at < scanner->at; at++) shape_mix(scanner, (unsigned char)*at);
  scan_push(scanner, SQL_UNSUPPORTED, start);
}

void scan_deeper(Scanner *scanner) {
  if (++scanner->depth > scanner->tokens->depth) scanner->tokens->depth = scanner->depth;
}

/* END IF, END LOOP and their like close what was never counted. */
static void depth_follow(Scanner *scanner, uint16_t code) {
  bool closes = scanner->code == SQL_END;
  switch (code) {
  case SQL_CASE:
    if (!closes) scan_deeper(scanner);
    break;
  case SQL_BEGIN: scan_deeper(scanner); break;
  case SQL_END:
    if (scanner->depth) scanner->depth--;
    break;
  case SQL_IF:
  case SQL_LOOP:
  case SQL_WHILE:
  case SQL_REPEAT:
  case SQL_FOR:
    if (closes) scan_deeper(scanner);
    break;
  default: break;
  }
}

static const char *fold_name(Scanner *scanner, const char *start, size_t length) {
  char *folded = arena_alloc(scanner->arena, length + 1);
  for (size_t i = 0; i < length; i++)
    folded[i] = start[i] >= 'A' && start[i] <= 'Z' ? (char)(start[i] | 0x20) : start[i];
  folded[length] = '\0';
  return folded;
}

/* MySQL: the prefix of a string that names its character set.  Only those whose bytes are UTF-8's. */
static bool word_is_introducer(const char *start, size_t length) {
  static const char *const NAMES[] = {"_utf8", "_utf8mb3", "_utf8mb4", "_ascii"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (strlen(NAMES[i]) == length && strncasecmp(NAMES[i], start, length) == 0) return true;
  return false;
}

/* E'..', N'..', X'..', b'..', U&'..', _utf8mb4'..': a prefix in front of a string.  *taken: it was one. */
static bool scan_prefixed(Scanner *scanner, const char *start, bool *taken) {
  size_t length = (size_t)(scanner->at - start);
  char first = (char)(*start | 0x20);
  *taken = true;
  if (length == 1 && scan_peek(scanner, 0) == '\'') {
    if (first == 'e' && scanner->is_postgres) return scan_string(scanner, start, '\'', true);
    if (first == 'n' && !scanner->is_sqlite) return scan_string(scanner, start, '\'', scanner->has_backslash);
    if (first == 'x') return scan_bytes(scanner, start, 4);
    if (first == 'b' && !scanner->is_sqlite) return scan_bytes(scanner, start, 1);
  }
  if (length == 1 && first == 'u' && scanner->is_postgres && scan_peek(scanner, 0) == '&' &&
      scan_peek(scanner, 1) == '\'') {
    scan_push_unsupported(scanner, start);
    scanner->at++;
    return scan_string(scanner, start, '\'', false);
  }
  if (length > 1 && *start == '_' && scanner->is_mysql && word_is_introducer(start, length)) {
    const char *word_end = scanner->at;
    while (scan_is(scanner, scanner->at, CHAR_SPACE)) scanner->at++;
    char quote = scan_peek(scanner, 0);
    if (quote == '\'' || (quote == '"' && !scanner->dialect->ansi_quotes))
      return scan_string(scanner, start, quote, scanner->has_backslash);
    scanner->at = word_end;
  }
  *taken = false;
  return true;
}

bool scan_word(Scanner *scanner) {
  const char *start = scanner->at;
  const char *at = start, *end = scanner->end;
  uint64_t written = 0, lower = 0;
  unsigned classes = 0;
  for (; at < end; at++) {
    unsigned char byte = (unsigned char)*at;
    unsigned class = scan_classes[byte];
    if (!(class & CHAR_WORD)) break;
    classes |= class;
    written = byte_mix(written, byte);
    lower = byte_mix(lower, byte | 0x20);
  }
  scanner->at = at;
  size_t length = (size_t)(at - start);
  if (at < end && (length == 1 || *start == '_')) {
    bool taken;
    bool fine = scan_prefixed(scanner, start, &taken);
    if (taken) return fine;
  }
  bool is_type = false;
  uint16_t code = keyword_find(start, length, lower, scanner->words, &is_type);
  if (code) {
    depth_follow(scanner, code);
    if (code == SQL_CREATE || code == SQL_SIGNAL) scanner->is_definition = true;
  } else {
    code = SQL_NAME;
  }
  shape_mix(scanner, written + code);
  Token *token = scan_push(scanner, code, start);
  if (is_type) token->flags = TOKEN_TYPE_WORD;
  if (scanner->is_postgres && (classes & CHAR_UPPER)) token->text = fold_name(scanner, start, length);
  return true;
}

/* "x", `x` and [x]; the closing quote doubled stands for itself. */
bool scan_quoted_name(Scanner *scanner, char close) {
  const char *start = scanner->at++;
  char *name = NULL;
  size_t length = 0;
  for (const char *from = scanner->at;;) {
    const char *quote = memchr(from, close, (size_t)(scanner->end - from));
    if (!quote) return scan_fail(scanner, start, "unterminated quoted name");
    bool doubled = close != ']' && quote + 1 < scanner->end && quote[1] == close;
    size_t piece = (size_t)(quote - from) + doubled;
    char *longer = arena_alloc(scanner->arena, length + piece + 1);
    if (length) memcpy(longer, name, length);
    memcpy(longer + length, from, piece);
    name = longer;
    length += piece;
    from = scanner->at = quote + 1 + doubled;
    if (!doubled) break;
  }
  name[length] = '\0';
  if (memchr(name, '\0', length)) return scan_fail(scanner, start, "NUL in a name");
  uint64_t hash = 0;
  for (size_t i = 0; i < length; i++) hash = byte_mix(hash, (unsigned char)name[i]);
  shape_mix(scanner, hash + SQL_NAME + ((uint64_t)close << 32));
  Token *token = scan_push(scanner, SQL_NAME, start);
  token->text = name;
  token->flags = close == '"' ? TOKEN_QUOTED | TOKEN_DOUBLE_QUOTED : TOKEN_QUOTED;
  return true;
}

static bool scan_all(Scanner *scanner) {
  while (scanner->at < scanner->end) {
    unsigned class = scan_classes[(unsigned char)*scanner->at];
    bool fine = true;
    if (class & CHAR_SPACE)
      scanner->at++;
    else if (class & CHAR_START)
      fine = scan_word(scanner);
    else if (class & CHAR_DIGIT)
      fine = scan_number(scanner);
    else
      fine = scan_punctuation(scanner);
    if (!fine) return false;
  }
  if (scanner->in_executed) return scan_fail(scanner, scanner->end, "unterminated comment");
  return true;
}

bool tokens_scan(const Dialect *dialect, Arena *arena, const char *text, size_t length, Tokens *tokens) {
  *tokens = (Tokens){0};
  if (length >= UINT32_MAX) {
    tokens->error = "statement too long";
    length = 0;
  }
  Scanner scanner = {
      .dialect = dialect,
      .arena = arena,
      .text = text,
      .at = text,
      .end = text + length,
      .tokens = tokens,
      .words = keyword_dialects(dialect),
      .is_mysql = dialect_is_mysql(dialect),
      .is_sqlite = dialect_is_sqlite(dialect),
      .is_postgres = dialect_is_postgres(dialect),
  };
  scanner.has_backslash = scanner.is_mysql && !dialect->no_backslash;
  /* Room for a statement of usual density, so that the lists of short texts never grow. */
  tokens->tokens.room = (uint32_t)(length < 1024 ? length / 3 + 8 : 512);
  tokens->tokens.items = arena_alloc(arena, tokens->tokens.room * sizeof(Token));
  tokens->inputs.room = 8;
  tokens->inputs.items = arena_alloc(arena, tokens->inputs.room * sizeof(Input));
  bool fine = scan_all(&scanner) && !tokens->error;
  scanner.at = scanner.end;
  scan_push(&scanner, 0, scanner.end);
  tokens->shape = scanner.shape;
  return fine;
}
