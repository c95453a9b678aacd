/* token.c: cuts a text into tokens, in one pass: words, operators, parameters, comments.
 *
 * Numbers and strings are in literal.c, the table of words in keyword.c.  The shape is
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

static bool push_operator(Scanner *scanner, uint16_t code, size_t length) {
  const char *start = scanner->at;
  scanner->at += length;
  shape_mix(scanner, code);
  scan_push(scanner, code, start);
  return true;
}

static bool push_unsupported(Scanner *scanner, size_t length) {
  const char *start = scanner->at;
  scanner->at += length;
  scan_push_unsupported(scanner, start);
  return true;
}

static void depth_enter(Scanner *scanner) {
  if (++scanner->depth > scanner->tokens->depth) scanner->tokens->depth = scanner->depth;
}

/* END IF, END LOOP and their like close what was never counted. */
static void depth_follow(Scanner *scanner, uint16_t code) {
  bool closes = scanner->code == SQL_END;
  switch (code) {
  case SQL_CASE:
    if (!closes) depth_enter(scanner);
    break;
  case SQL_BEGIN: depth_enter(scanner); break;
  case SQL_END:
    if (scanner->depth) scanner->depth--;
    break;
  case SQL_IF:
  case SQL_LOOP:
  case SQL_WHILE:
  case SQL_REPEAT:
  case SQL_FOR:
    if (closes) depth_enter(scanner);
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

static bool scan_word(Scanner *scanner) {
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
static bool scan_quoted_name(Scanner *scanner, char close) {
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

static Token *push_parameter(Scanner *scanner, const char *start, Input input) {
  Tokens *tokens = scanner->tokens;
  input.offset = (uint32_t)(start - scanner->text);
  shape_mix(scanner, SQL_PARAMETER + ((uint64_t)(input.kind + 1) << 32));
  shape_mix(scanner, input.number);
  for (uint32_t i = 0; i < input.length; i++) shape_mix(scanner, (unsigned char)input.name[i]);
  Token *token = scan_push(scanner, SQL_PARAMETER, start);
  token->input = (int32_t)tokens->inputs.count;
  ARENA_PUSH(scanner->arena, &tokens->inputs, input);
  return token;
}

/* ?, ?1 and $1: numbers count from 1 in the text, from 0 in the Input. */
static bool scan_position(Scanner *scanner) {
  const char *start = scanner->at++;
  if (!scan_is(scanner, scanner->at, CHAR_DIGIT)) {
    push_parameter(scanner, start, (Input){.kind = INPUT_POSITION, .number = scanner->positions++});
    return true;
  }
  uint32_t number = 0;
  for (; scan_is(scanner, scanner->at, CHAR_DIGIT); scanner->at++) {
    number = number * 10 + (uint32_t)(*scanner->at - '0');
    if (number > 65535) return scan_fail(scanner, start, "parameter number too large");
  }
  if (number == 0) return scan_fail(scanner, start, "parameter numbers start with 1");
  push_parameter(scanner, start, (Input){.kind = INPUT_NUMBER, .number = number - 1});
  return true;
}

/* :name, $name and, in sqlite, @name */
static bool scan_named(Scanner *scanner) {
  const char *start = scanner->at++;
  const char *name = scanner->at;
  while (scan_is(scanner, scanner->at, CHAR_WORD)) scanner->at++;
  push_parameter(scanner, start,
                 (Input){.kind = INPUT_NAME, .name = name, .length = (uint32_t)(scanner->at - name)});
  return true;
}

/* @name, @'name', @`name` and @@name; the text of the token is the name with its @. */
static bool scan_variable(Scanner *scanner) {
  const char *start = scanner->at++;
  bool is_system = scan_peek(scanner, 0) == '@';
  scanner->at += is_system;
  char quote = scan_peek(scanner, 0);
  const char *name = scanner->at;
  size_t length;
  if (!is_system && (quote == '\'' || quote == '"' || quote == '`')) {
    const char *close = memchr(name + 1, quote, (size_t)(scanner->end - name - 1));
    if (!close) return scan_fail(scanner, start, "unterminated quoted name");
    length = (size_t)(close - ++name);
    scanner->at = close + 1;
  } else {
    while (scan_is(scanner, scanner->at, CHAR_WORD) || scan_peek(scanner, 0) == '.') scanner->at++;
    length = (size_t)(scanner->at - name);
  }
  if (length == 0) return scan_fail(scanner, start, "unrecognized character");
  char *text = arena_alloc(scanner->arena, length + 2);
  text[0] = '@';
  memcpy(text + 1, name, length);
  text[length + 1] = '\0';
  uint16_t code = is_system ? SQL_SYSTEM_VARIABLE : SQL_USER_VARIABLE;
  shape_mix(scanner, code);
  for (size_t i = 0; i < length; i++) shape_mix(scanner, (unsigned char)name[i]);
  scan_push(scanner, code, start)->text = text;
  return true;
}

static bool scan_dollar(Scanner *scanner) {
  char next = scan_peek(scanner, 1);
  if (next >= '0' && next <= '9') return scan_position(scanner);
  if (scanner->is_postgres) {
    bool taken = scan_dollar_string(scanner, scanner->at);
    if (taken || scanner->tokens->error) return taken;
  }
  if (scanner->is_mysql) return scan_word(scanner);
  if (scan_is(scanner, scanner->at + 1, CHAR_WORD)) return scan_named(scanner);
  return scan_fail(scanner, scanner->at, "unrecognized character");
}

/* A colon inside CREATE ends a label; elsewhere it starts a parameter's name. */
static bool scan_colon(Scanner *scanner) {
  char next = scan_peek(scanner, 1);
  if (next == ':') return push_operator(scanner, SQL_TYPECAST, 2);
  if (next == '=') return push_operator(scanner, SQL_ASSIGN, 2);
  if (!scanner->is_definition && scan_is(scanner, scanner->at + 1, CHAR_WORD)) return scan_named(scanner);
  return push_operator(scanner, SQL_COLON, 1);
}

static bool skip_line(Scanner *scanner) {
  const char *newline = memchr(scanner->at, '\n', (size_t)(scanner->end - scanner->at));
  scanner->at = newline ? newline + 1 : scanner->end;
  return true;
}

/* MySQL runs what stands in such a comment; MariaDB leaves out what is marked for MySQL 5.7 and later. */
static bool comment_is_executed(Scanner *scanner) {
  bool is_mariadb_only = scan_peek(scanner, 2) == 'M' && scan_peek(scanner, 3) == '!';
  if (!scanner->is_mysql || (scan_peek(scanner, 2) != '!' && !is_mariadb_only)) return false;
  if (is_mariadb_only && scanner->dialect->name != DIALECT_MARIADB) return false;
  const char *at = scanner->at + 3 + is_mariadb_only;
  uint32_t version = 0;
  int digits = 0;
  for (; digits < 6 && scan_is(scanner, at, CHAR_DIGIT); digits++)
    version = version * 10 + (uint32_t)(*at++ - '0');
  if (scanner->dialect->name == DIALECT_MARIADB && version >= 50700 && version <= 99999) return false;
  scanner->at = at;
  scanner->in_executed = true;
  return true;
}

static bool skip_comment(Scanner *scanner) {
  const char *start = scanner->at;
  if (comment_is_executed(scanner)) return true;
  int nesting = 1;
  for (scanner->at += 2; scanner->at + 1 < scanner->end; scanner->at++) {
    if (scanner->at[0] == '*' && scanner->at[1] == '/') {
      scanner->at += 2;
      if (--nesting == 0) return true;
      scanner->at--;
    } else if (scanner->is_postgres && scanner->at[0] == '/' && scanner->at[1] == '*') {
      nesting++;
      scanner->at++;
    }
  }
  scanner->at = scanner->end;
  return scanner->is_sqlite ||
         scan_fail(scanner, start, "unterminated comment"); /* SQLite lets the end close it */
}

static bool scan_minus(Scanner *scanner) {
  char next = scan_peek(scanner, 1);
  if (next == '-') {
    /* MySQL wants white space behind the two, so that 5--3 is a subtraction. */
    bool is_comment =
        !scanner->is_mysql || scanner->end - scanner->at == 2 || (unsigned char)scanner->at[2] <= ' ';
    if (is_comment) return skip_line(scanner);
  }
  if (next == '>') return push_unsupported(scanner, scan_peek(scanner, 2) == '>' ? 3 : 2); /* JSON */
  return push_operator(scanner, SQL_MINUS, 1);
}

static bool scan_less(Scanner *scanner) {
  switch (scan_peek(scanner, 1)) {
  case '=':
    if (scan_peek(scanner, 2) == '>') return push_operator(scanner, SQL_NULLSAFE, 3);
    return push_operator(scanner, SQL_LE, 2);
  case '>': return push_operator(scanner, SQL_NE, 2);
  case '<': return push_operator(scanner, SQL_SHIFT_LEFT, 2);
  case '@': return push_unsupported(scanner, 2);
  default: return push_operator(scanner, SQL_LT, 1);
  }
}

static bool scan_greater(Scanner *scanner) {
  switch (scan_peek(scanner, 1)) {
  case '=': return push_operator(scanner, SQL_GE, 2);
  case '>': return push_operator(scanner, SQL_SHIFT_RIGHT, 2);
  default: return push_operator(scanner, SQL_GT, 1);
  }
}

static bool scan_bang(Scanner *scanner) {
  char next = scan_peek(scanner, 1);
  if (next == '=') return push_operator(scanner, SQL_NE, 2);
  if (next == '~') return push_unsupported(scanner, scan_peek(scanner, 2) == '*' ? 3 : 2);
  return scanner->is_mysql ? push_operator(scanner, SQL_BANG, 1) : push_unsupported(scanner, 1);
}

static bool scan_ampersand(Scanner *scanner) {
  if (scan_peek(scanner, 1) != '&') return push_operator(scanner, SQL_AMPERSAND, 1);
  return scanner->is_mysql ? push_operator(scanner, SQL_AND, 2) : push_unsupported(scanner, 2);
}

static bool scan_dot(Scanner *scanner) {
  char next = scan_peek(scanner, 1);
  if (next == '.') return push_operator(scanner, SQL_DOTDOT, 2);
  const Tokens *tokens = scanner->tokens;
  bool behind_name = false;
  if (scanner->code == SQL_NAME) {
    const Token *last = &tokens->tokens.items[tokens->tokens.count - 1];
    behind_name = scanner->text + last->offset + last->length == scanner->at;
  }
  if (next >= '0' && next <= '9' && !behind_name) return scan_number(scanner);
  return push_operator(scanner, SQL_DOT, 1);
}

static bool scan_double_quote(Scanner *scanner) {
  if (scanner->is_mysql && !scanner->dialect->ansi_quotes)
    return scan_string(scanner, scanner->at, '"', scanner->has_backslash);
  return scan_quoted_name(scanner, '"');
}

static bool scan_punctuation(Scanner *scanner) {
  switch (*scanner->at) {
  case '(': depth_enter(scanner); return push_operator(scanner, SQL_LP, 1);
  case ')':
    if (scanner->depth) scanner->depth--;
    return push_operator(scanner, SQL_RP, 1);
  case ',': return push_operator(scanner, SQL_COMMA, 1);
  case ';': return push_operator(scanner, SQL_SEMI, 1);
  case '.': return scan_dot(scanner);
  case '=': return push_operator(scanner, SQL_EQ, scan_peek(scanner, 1) == '=' ? 2 : 1);
  case '\'': return scan_string(scanner, scanner->at, '\'', scanner->has_backslash);
  case '"': return scan_double_quote(scanner);
  case '`':
    if (scanner->dialect->name == DIALECT_POSTGRESQL) break;
    return scan_quoted_name(scanner, '`');
  case '[': return scanner->is_sqlite ? scan_quoted_name(scanner, ']') : push_unsupported(scanner, 1);
  case ']':
  case '{':
  case '}': return push_unsupported(scanner, 1);
  case '+': return push_operator(scanner, SQL_PLUS, 1);
  case '-': return scan_minus(scanner);
  case '*':
    if (scanner->in_executed && scan_peek(scanner, 1) == '/') {
      scanner->in_executed = false;
      scanner->at += 2;
      return true;
    }
    return push_operator(scanner, SQL_STAR, 1);
  case '/':
    if (scan_peek(scanner, 1) == '*') return skip_comment(scanner);
    return push_operator(scanner, SQL_SLASH, 1);
  case '%': return push_operator(scanner, SQL_PERCENT, 1);
  case '<': return scan_less(scanner);
  case '>': return scan_greater(scanner);
  case '!': return scan_bang(scanner);
  case '&': return scan_ampersand(scanner);
  case '|':
    return scan_peek(scanner, 1) == '|' ? push_operator(scanner, SQL_CONCAT, 2)
                                        : push_operator(scanner, SQL_PIPE, 1);
  case '^': return push_operator(scanner, SQL_CARET, 1);
  case '~': return push_operator(scanner, SQL_TILDE, 1);
  case '#':
    if (scanner->is_mysql) return skip_line(scanner);
    return scanner->is_postgres ? push_operator(scanner, SQL_HASH, 1)
                                : scan_fail(scanner, scanner->at, "unrecognized character");
  case '?': return scan_position(scanner);
  case '$': return scan_dollar(scanner);
  case ':': return scan_colon(scanner);
  case '@':
    if (scanner->is_sqlite && scan_is(scanner, scanner->at + 1, CHAR_WORD)) return scan_named(scanner);
    return scan_variable(scanner);
  default: break;
  }
  return scan_fail(scanner, scanner->at, "unrecognized character");
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
