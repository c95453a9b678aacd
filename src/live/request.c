/* request.c: from a workload's statement to what the database receives. */
#include "src/live/request.h"

#include "src/base/decimal.h"

#include <assert.h>
#include <stdlib.h>
#include <strings.h>

Value *request_values(Arena *arena, const char *letters, va_list arguments) {
  Value *values = ARENA_ARRAY(arena, Value, strlen(letters));
  for (size_t i = 0; letters[i]; i++) {
    switch (letters[i]) {
    case 'i': {
      int64_t integer = va_arg(arguments, int64_t);
      values[i] = integer == REQUEST_NULL ? NULL_VALUE : value_int(integer);
      break;
    }
    case 'm': values[i] = value_decimal(arena, va_arg(arguments, int64_t), 2); break;
    case 's': {
      const char *text = va_arg(arguments, const char *);
      values[i] = text ? value_string(text) : NULL_VALUE;
      break;
    }
    default: fatal("unknown letter '%c' for a parameter", letters[i]);
    }
  }
  return values;
}

/* MySQL reads backslashes in strings as escapes; the others do not. */
static const char *text_literal(Arena *arena, DialectName dialect, Value value) {
  bool has_escapes = dialect == DIALECT_MARIADB || dialect == DIALECT_MYSQL;
  char *literal = arena_alloc(arena, 2 * (size_t)value.length + 3), *next = literal;
  *next++ = '\'';
  for (uint32_t i = 0; i < value.length; i++) {
    char symbol = value.text[i];
    if (symbol == '\'' || (symbol == '\\' && has_escapes)) *next++ = symbol;
    *next++ = symbol;
  }
  *next++ = '\'';
  *next = 0;
  return literal;
}

const char *request_literal(Arena *arena, DialectName dialect, Value value) {
  switch (value.kind) {
  case VALUE_INT: return arena_format(arena, "%lld", (long long)value.integer);
  case VALUE_DECIMAL: {
    char text[DECIMAL_TEXT];
    return arena_text(arena, text, decimal_format(decimal_of(value), text));
  }
  case VALUE_TEXT: return text_literal(arena, dialect, value);
  default: return "NULL";
  }
}

typedef ARRAY(char) Text;

static void text_push(Arena *arena, Text *text, const char *piece, size_t length) {
  for (size_t i = 0; i < length; i++) ARENA_PUSH(arena, text, piece[i]);
}

static const char *param_mark(Arena *arena, DialectName dialect, uint32_t index) {
  return dialect == DIALECT_POSTGRESQL ? arena_format(arena, "$%u", index + 1) : "?";
}

Request request_build(Arena *arena, DialectName dialect, bool has_literals, const char *sql, uint32_t count,
                      const Value *values) {
  Text text = {0};
  uint32_t index = 0;
  for (;;) {
    size_t length = strcspn(sql, "?");
    text_push(arena, &text, sql, length);
    sql += length;
    if (!*sql) break;
    assert(index < count);
    const char *piece =
        has_literals ? request_literal(arena, dialect, values[index]) : param_mark(arena, dialect, index);
    text_push(arena, &text, piece, strlen(piece));
    index++;
    sql++;
  }
  assert(index == count);
  ARENA_PUSH(arena, &text, 0);
  return (Request){text.items, has_literals ? 0 : count, values};
}

bool request_is_definition(const char *sql) {
  static const char *const words[] = {"CREATE", "DROP", "ALTER", "TRUNCATE", "RENAME"};
  sql += strspn(sql, " \t\r\n");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strncasecmp(sql, words[i], strlen(words[i]))) return true;
  return false;
}
