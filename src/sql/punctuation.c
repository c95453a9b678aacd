/* punctuation.c: tokens that do not start with a letter or a digit: operators, parameters, variables,
 * comments. */
#include "src/sql/scan.h"

#include "src/sql/grammar.h"

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

bool scan_punctuation(Scanner *scanner) {
  switch (*scanner->at) {
  case '(': scan_deeper(scanner); return push_operator(scanner, SQL_LP, 1);
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
