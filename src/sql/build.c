/* build.c: the small pieces of which trees are made: names, lists, types, heights. */
#include "src/sql/build.h"

#include "src/sql/grammar.h"

/* A name as the tree keeps it; also a string that stands for one (AS 'total'). */
const char *build_name(Parser *parser, const Token *token) {
  if (token->code == SQL_STRING) {
    Value value = parser->tokens->inputs.items[token->input].literal;
    return arena_text(parser->arena, value.text, value.length);
  }
  if (token->flags & TOKEN_QUOTED) return arena_text(parser->arena, token->text, strlen(token->text));
  return arena_text(parser->arena, token->text, token->length);
}

NameList *build_names(Parser *parser, NameList *list, const char *name) {
  if (!list) list = ARENA_NEW(parser->arena, NameList);
  ARENA_PUSH(parser->arena, list, name);
  return list;
}

ExprList *build_list(Parser *parser, ExprList *list, Expr *expr) {
  if (!list) list = ARENA_NEW(parser->arena, ExprList);
  ARENA_PUSH(parser->arena, list, expr);
  return list;
}

/* Makes *height at least one more than what stands below. */
void height_cover(Parser *parser, uint16_t *height, uint16_t below, uint32_t offset) {
  if (below < *height) return;
  *height = (uint16_t)(below + 1);
  if (*height > HEIGHT_MOST) parser_too_deep(parser, offset);
}

/* ---- Types ------------------------------------------------------------------------ */

static const char *token_words(const Parser *parser, const Token *token) {
  return arena_text(parser->arena, parser->text + token->offset, token->length);
}

TypeClause *build_type(Parser *parser, const Token *token) {
  TypeClause *clause = ARENA_NEW(parser->arena, TypeClause);
  clause->words = token->flags & TOKEN_QUOTED ? build_name(parser, token) : token_words(parser, token);
  clause->first = clause->second = -1;
  clause->offset = token->offset;
  return clause;
}

/* WITH TIME ZONE comes as one token for three words. */
void build_type_word(Parser *parser, TypeClause *clause, const Token *token) {
  uint32_t count = token_is(parser, token, "with") || token_is(parser, token, "without") ? 3 : 1;
  for (uint32_t i = 0; i < count; i++)
    clause->words = arena_format(parser->arena, "%s %s", clause->words, token_words(parser, token + i));
}

/* A number counts only if the shape covers its value; a type whose name is not known does not come this far.
 */
static int64_t type_number(Parser *parser, const Token *token) {
  if (!token || !(token->flags & TOKEN_PINNED)) return -1;
  Value value = parser->tokens->inputs.items[token->input].literal;
  return value.kind == VALUE_INT ? value.integer : -1;
}

void build_type_numbers(Parser *parser, TypeClause *clause, const Token *first, const Token *second) {
  clause->first = type_number(parser, first);
  clause->second = type_number(parser, second);
}

Type build_type_parse(Parser *parser, const TypeClause *clause) {
  Type type = {0};
  if (!type_parse(parser->dialect, clause->words, strlen(clause->words), clause->first, clause->second,
                  &type))
    parser_reject(parser, clause->offset, "type '%s' is not modelled", clause->words);
  return type;
}

static const struct {
  const char *word;
  IntervalUnit unit;
} UNITS[] = {
    {"microsecond", UNIT_MICROSECOND},
    {"second", UNIT_SECOND},
    {"minute", UNIT_MINUTE},
    {"hour", UNIT_HOUR},
    {"day", UNIT_DAY},
    {"week", UNIT_WEEK},
    {"month", UNIT_MONTH},
    {"quarter", UNIT_QUARTER},
    {"year", UNIT_YEAR},
    {"dow", UNIT_DOW},
    {"isodow", UNIT_ISODOW},
    {"doy", UNIT_DOY},
    {"epoch", UNIT_EPOCH},
};

uint8_t build_unit(Parser *parser, const Token *token) {
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
    if (token_is(parser, token, UNITS[i].word)) return (uint8_t)UNITS[i].unit;
  parser_reject(parser, token->offset, "unknown unit of time");
  return UNIT_NONE;
}

/* Bytes of another character set than UTF-8 would not mean what they say. */
void charset_check(Parser *parser, const Token *name) {
  if (token_is(parser, name, "binary"))
    parser_reject(parser, name->offset, "CHARACTER SET binary is not modelled");
}
