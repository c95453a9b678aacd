/* literal.c: literals as inputs of a statement, and as part of its shape. */
#include "src/sql/scan.h"

#include "src/sql/grammar.h"

#include <strings.h>

/* DATE '2020-01-01' is a literal of that type. */
bool word_types_literal(const char *word, size_t length) {
  static const char *const WORDS[] = {"date", "time", "timestamp", "timestamptz"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (strlen(WORDS[i]) == length && strncasecmp(WORDS[i], word, length) == 0) return true;
  return false;
}

/* May the string be a title, as in SELECT 1 AS 'x' and SELECT a 'x'? */
static bool string_may_be_title(const Scanner *scanner, const Token *before) {
  switch (scanner->code) {
  case SQL_AS:
  case SQL_RP:
  case SQL_INTEGER:
  case SQL_NUMBER:
  case SQL_STRING: return true;
  case SQL_NAME:
    return scanner->is_sqlite || (before->flags & TOKEN_QUOTED) ||
           !word_types_literal(scanner->text + before->offset, before->length);
  default: return false;
  }
}

/* The tree depends on these values: titles, and numbers in a type's parentheses. */
static bool literal_is_pinned(const Scanner *scanner, uint16_t code) {
  if (scanner->is_definition) return true;
  const Tokens *tokens = scanner->tokens;
  uint32_t count = tokens->tokens.count;
  const Token *last = tokens->tokens.items + count; /* one beyond */
  if (code == SQL_STRING) return count > 0 && string_may_be_title(scanner, last - 1);
  if (code != SQL_INTEGER || count < 2) return false;
  if (scanner->code == SQL_LP)
    return (last[-2].flags & TOKEN_TYPE_WORD) || last[-2].code == SQL_PRECISION ||
           last[-2].code == SQL_BINARY;
  return scanner->code == SQL_COMMA && (last[-2].flags & TOKEN_PINNED) && last[-2].code == SQL_INTEGER;
}

void scan_push_literal(Scanner *scanner, uint16_t code, const char *start, Value value) {
  Tokens *tokens = scanner->tokens;
  bool is_pinned = literal_is_pinned(scanner, code);
  /* PostgreSQL types an integer by its size, every other one a decimal by its scale. */
  bool is_long = scanner->is_postgres && value.kind == VALUE_INT && value.integer != (int32_t)value.integer;
  shape_mix(scanner,
            code + ((uint64_t)value.kind << 32) + ((uint64_t)value.scale << 40) + ((uint64_t)is_long << 48));
  if (is_pinned) {
    uint64_t hash = 1;
    for (const char *at = start; at < scanner->at; at++) hash = byte_mix(hash, (unsigned char)*at);
    shape_mix(scanner, hash);
  }
  Token *token = scan_push(scanner, code, start);
  token->input = (int32_t)tokens->inputs.count;
  token->flags = is_pinned ? TOKEN_PINNED : 0;
  ARENA_PUSH(scanner->arena, &tokens->inputs,
             (Input){.kind = INPUT_LITERAL, .literal = value, .offset = (uint32_t)(start - scanner->text)});
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  digit |= 0x20;
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Digits of `bits` bits each, right-aligned, as bytes. */
Value bits_value(Scanner *scanner, const char *digits, size_t count, unsigned bits) {
  size_t size = (count * bits + 7) / 8;
  unsigned char *bytes = arena_zero(scanner->arena, size + 1);
  for (size_t i = 0; i < count; i++) {
    size_t place = (count - 1 - i) * bits;
    bytes[size - 1 - place / 8] |= (unsigned char)(hex_digit(digits[i]) << place % 8);
  }
  return value_blob(bytes, size);
}
