/* parse.c: runs the grammar over a text's tokens and says what became of it. */
#include "src/sql/parse.h"

#include "src/sql/build.h"
#include "src/sql/grammar.h"
#include "src/sql/scan.h"

#include <stdarg.h>
#include <stdio.h>

void parser_reject(Parser *parser, uint32_t offset, const char *format, ...) {
  if (parser->answer != PARSE_OK) return;
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  parser->answer = PARSE_REJECTED;
  parser->parse->error = arena_text(parser->arena, message, strlen(message));
  parser->parse->offset = offset;
}

void parser_too_deep(Parser *parser, uint32_t offset) {
  if (parser->answer != PARSE_OK) return;
  parser->answer = PARSE_TOO_DEEP;
  parser->parse->error = "nested too deeply";
  parser->parse->offset = offset;
}

/* Words that begin and end transactions: a transcript's status tells that. */
static bool token_ends_transaction(const Parser *parser, const Token *token) {
  static const char *const WORDS[] = {"begin", "commit", "rollback", "start", "end", "abort"};
  bool is_first = token == parser->tokens->tokens.items || token[-1].code == SQL_SEMI;
  for (size_t i = 0; is_first && i < sizeof WORDS / sizeof *WORDS; i++)
    if (token_is(parser, token, WORDS[i])) return true;
  return false;
}

/* The start of a text, cut at a whole UTF-8 character. */
static int text_cut(const char *text, uint32_t length) {
  uint32_t most = length < 40 ? length : 40;
  while (most > 0 && most < length && ((unsigned char)text[most] & 0xC0) == 0x80) most--;
  return (int)most;
}

void parser_reject_token(Parser *parser, const Token *token) {
  const char *text = parser->text + token->offset;
  int length = text_cut(text, token->length);
  if (token->code == 0)
    parser_reject(parser, token->offset, "syntax error at the end");
  else if (token_ends_transaction(parser, token))
    parser_reject(parser, token->offset, "%.*s is not an operation: the transaction's status says it", length,
                  text);
  else if (token->code == SQL_OVER)
    parser_reject(parser, token->offset, "window functions are not modelled");
  else if (token->code == SQL_CREATE)
    parser_reject(parser, token->offset, "this kind of CREATE is not modelled");
  else if (token->code == SQL_UNSUPPORTED)
    parser_reject(parser, token->offset, "'%.*s' is not modelled", length, text);
  else
    parser_reject(parser, token->offset, "syntax error near '%.*s'", length, text);
}

/* Outside procedures a variable without @ is a setting of the session. */
static void set_keep_user_variables(Statement *statement) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < statement->set.count; i++)
    if (statement->set.items[i].name[0] == '@') statement->set.items[kept++] = statement->set.items[i];
  statement->set.count = kept;
  if (kept == 0) statement->kind = STATEMENT_SESSION;
}

void parser_add(Parser *parser, uint32_t offset, Statement *statement) {
  statement->offset = offset;
  statement->length = parser->end - offset;
  if (statement->kind == STATEMENT_SET) set_keep_user_variables(statement);
  ARENA_PUSH(parser->arena, &parser->parse->statements, statement);
  parser->in_procedure = parser->in_table = parser->in_duplicate = false;
}

static bool tokens_have(const Tokens *tokens, uint16_t code) {
  for (uint32_t i = 0; i < tokens->tokens.count; i++)
    if (tokens->tokens.items[i].code == code) return true;
  return false;
}

ParseAnswer parse_tokens(const Dialect *dialect, Arena *arena, const char *text, const Tokens *tokens,
                         Parse *parse) {
  *parse = (Parse){0};
  Parser parser = {
      .dialect = dialect,
      .arena = arena,
      .text = text,
      .tokens = tokens,
      .parse = parse,
      .answer = PARSE_OK,
      .words = keyword_dialects(dialect),
  };
  if (tokens->error) {
    parser_reject(&parser, tokens->error_offset, "%s", tokens->error);
    return parser.answer;
  }
  if (tokens->depth > NESTING_MOST) {
    parser_too_deep(&parser, 0);
    return parser.answer;
  }
  parser.has_position = tokens_have(tokens, SQL_POSITION);
  grammar_run(&parser);
  if (parser.answer == PARSE_OK && parse->statements.count == 0) return PARSE_EMPTY;
  return parser.answer;
}
