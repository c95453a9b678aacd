/* build_expr.c: expressions: operators, predicates, subqueries.
 *
 * AND and OR are flat, so that chains of thousands stay shallow; every other chain is as high as it
 * is long and is refused beyond HEIGHT_MOST. */
#include "src/sql/build.h"

#include "src/sql/grammar.h"

static void expr_push(Parser *parser, Expr *expr, Expr *arg) {
  /* The room is the next power of two from 2 on: full whenever the count is one. */
  uint32_t count = expr->arg_count;
  if (count == 0 || (count >= 2 && (count & (count - 1)) == 0)) {
    Expr **args = ARENA_ARRAY(parser->arena, Expr *, count ? count * 2 : 2);
    if (count) memcpy(args, expr->args, count * sizeof *args);
    expr->args = args;
  }
  expr->args[expr->arg_count++] = arg;
  height_cover(parser, &expr->height, arg->height, expr->offset);
}

static Expr *expr_of(Parser *parser, ExprKind kind, const Token *token) {
  return expr_new(parser->arena, kind, token->offset);
}

Expr *build_simple(Parser *parser, ExprKind kind, const Token *token) { return expr_of(parser, kind, token); }

Expr *build_input(Parser *parser, const Token *token) {
  Expr *expr = expr_of(parser, EXPR_INPUT, token);
  expr->index = token->input;
  return expr;
}

Expr *build_column(Parser *parser, const Token *table, const Token *name) {
  Expr *expr = expr_of(parser, EXPR_COLUMN, table ? table : name);
  expr->table = table ? build_name(parser, table) : NULL;
  expr->name = build_name(parser, name);
  expr->is_quoted = !table && (name->flags & TOKEN_DOUBLE_QUOTED);
  return expr;
}

/* @x; a system variable is a function that nobody knows: not modelled */
Expr *build_variable(Parser *parser, const Token *token) {
  bool is_user = token->code == SQL_USER_VARIABLE;
  Expr *expr = expr_of(parser, is_user ? EXPR_USER_VARIABLE : EXPR_FUNCTION, token);
  expr->name = is_user ? arena_text(parser->arena, token->text + 1, strlen(token->text + 1))
                       : arena_format(parser->arena, "@%s", token->text);
  return expr;
}

Expr *build_unary(Parser *parser, ExprKind kind, const Token *token, Expr *a) {
  Expr *expr = expr_of(parser, kind, token);
  expr_push(parser, expr, a);
  return expr;
}

static Expr *expr_pair(Parser *parser, ExprKind kind, const Token *token, Expr *a, Expr *b) {
  Expr *expr = expr_of(parser, kind, token);
  expr_push(parser, expr, a);
  expr_push(parser, expr, b);
  return expr;
}

static ExprKind operator_kind(const Token *token) {
  switch (token->code) {
  case SQL_EQ: return EXPR_EQUAL;
  case SQL_NE: return EXPR_NOT_EQUAL;
  case SQL_LT: return EXPR_LESS;
  case SQL_LE: return EXPR_LESS_EQUAL;
  case SQL_GT: return EXPR_GREATER;
  case SQL_GE: return EXPR_GREATER_EQUAL;
  case SQL_NULLSAFE: return EXPR_IS_NOT_DISTINCT;
  case SQL_XOR: return EXPR_XOR;
  case SQL_PIPE: return EXPR_BIT_OR;
  case SQL_AMPERSAND: return EXPR_BIT_AND;
  case SQL_SHIFT_LEFT: return EXPR_SHIFT_LEFT;
  case SQL_SHIFT_RIGHT: return EXPR_SHIFT_RIGHT;
  case SQL_HASH: return EXPR_BIT_XOR;
  case SQL_CARET: return EXPR_BIT_XOR;
  case SQL_CONCAT: return EXPR_CONCAT;
  case SQL_PLUS: return EXPR_ADD;
  case SQL_MINUS: return EXPR_SUBTRACT;
  case SQL_STAR: return EXPR_MULTIPLY;
  case SQL_SLASH: return EXPR_DIVIDE;
  case SQL_PERCENT:
  case SQL_MOD: return EXPR_MODULO;
  case SQL_DIV: return EXPR_INTEGER_DIVIDE;
  default: return EXPR_NULL;
  }
}

static bool expr_is_comparison(const Expr *expr) {
  return expr->kind >= EXPR_EQUAL && expr->kind <= EXPR_GREATER_EQUAL && !expr->in_parentheses;
}

Expr *build_binary(Parser *parser, const Token *token, Expr *a, Expr *b) {
  ExprKind kind = operator_kind(token);
  if (token->code == SQL_CARET && !dialect_is_mysql(parser->dialect))
    parser_reject(parser, token->offset, "the operator ^ is modelled in mysql and mariadb only");
  if (token->code == SQL_NULLSAFE && parser->dialect->name == DIALECT_POSTGRESQL)
    parser_reject_token(parser, token);
  /* Comparisons do not associate in PostgreSQL. */
  bool is_chain = kind >= EXPR_EQUAL && kind <= EXPR_GREATER_EQUAL && expr_is_comparison(a);
  if (is_chain && parser->dialect->name == DIALECT_POSTGRESQL) parser_reject_token(parser, token);
  return expr_pair(parser, kind, token, a, b);
}

Expr *build_logic(Parser *parser, ExprKind kind, const Token *token, Expr *a, Expr *b) {
  if (a->kind != kind || a->in_parentheses) return expr_pair(parser, kind, token, a, b);
  expr_push(parser, a, b);
  return a;
}

/* a IS [NOT] b in sqlite and generic; NULL, TRUE and FALSE mean the same as behind a postfix. */
Expr *build_is(Parser *parser, const Token *token, Expr *a, Expr *b) {
  bool negated = token_is(parser, token + 1, "not");
  switch (b->kind) {
  case EXPR_NULL: return build_unary(parser, negated ? EXPR_IS_NOT_NULL : EXPR_IS_NULL, token, a);
  case EXPR_TRUE: return build_unary(parser, negated ? EXPR_IS_NOT_TRUE : EXPR_IS_TRUE, token, a);
  case EXPR_FALSE: return build_unary(parser, negated ? EXPR_IS_NOT_FALSE : EXPR_IS_FALSE, token, a);
  default: break;
  }
  bool takes_any = dialect_is_sqlite(parser->dialect) || parser->dialect->name == DIALECT_GENERIC;
  if (!takes_any) parser_reject(parser, b->offset, "IS wants NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM");
  return expr_pair(parser, negated ? EXPR_IS_DISTINCT : EXPR_IS_NOT_DISTINCT, token, a, b);
}

/* a IS [NOT] NULL | TRUE | FALSE | UNKNOWN, a phrase */
Expr *build_is_postfix(Parser *parser, const Token *token, Expr *a) {
  bool negated = token_is(parser, token + 1, "not");
  const Token *word = token + 1 + negated;
  ExprKind kind = negated ? EXPR_IS_NOT_NULL : EXPR_IS_NULL;
  if (token_is(parser, word, "true")) kind = negated ? EXPR_IS_NOT_TRUE : EXPR_IS_TRUE;
  if (token_is(parser, word, "false")) kind = negated ? EXPR_IS_NOT_FALSE : EXPR_IS_FALSE;
  return build_unary(parser, kind, token, a);
}

Expr *build_distinct_from(Parser *parser, const Token *token, Expr *a, Expr *b) {
  bool negated = token_is(parser, token + 1, "not");
  return expr_pair(parser, negated ? EXPR_IS_NOT_DISTINCT : EXPR_IS_DISTINCT, token, a, b);
}

Expr *build_like(Parser *parser, const Token *token, Expr *a, Expr *pattern, Expr *escape) {
  Expr *expr = expr_pair(parser, EXPR_LIKE, token, a, pattern);
  if (escape) expr_push(parser, expr, escape);
  expr->negated = token->code == SQL_NOT;
  const Token *word = token + expr->negated;
  if (token_is(parser, word, "ilike"))
    expr->op = LIKE_ILIKE;
  else if (token_is(parser, word, "glob"))
    expr->op = LIKE_GLOB;
  else if (!token_is(parser, word, "like"))
    expr->op = LIKE_REGEXP;
  return expr;
}

Expr *build_between(Parser *parser, const Token *token, Expr *a, Expr *low, Expr *high) {
  Expr *expr = expr_pair(parser, EXPR_BETWEEN, token, a, low);
  expr_push(parser, expr, high);
  expr->negated = token->code == SQL_NOT;
  return expr;
}

Expr *build_in_list(Parser *parser, const Token *token, Expr *a, ExprList *list) {
  Expr *expr = expr_of(parser, EXPR_IN_LIST, token);
  expr_push(parser, expr, a);
  for (uint32_t i = 0; list && i < list->count; i++) expr_push(parser, expr, list->items[i]);
  expr->negated = token->code == SQL_NOT;
  return expr;
}

static void expr_attach(Parser *parser, Expr *expr, Select *select) {
  expr->select = select;
  height_cover(parser, &expr->height, select->height, expr->offset);
}

/* In sqlite ((SELECT ...)) is a list of one scalar subquery; elsewhere parentheses do not count. */
Expr *build_in_select(Parser *parser, const Token *token, Expr *a, Subquery subquery) {
  if (subquery.is_nested && dialect_is_sqlite(parser->dialect))
    return build_in_list(parser, token, a,
                         build_list(parser, NULL, build_subquery(parser, EXPR_SCALAR, subquery)));
  Expr *expr = build_unary(parser, EXPR_IN_SELECT, token, a);
  expr_attach(parser, expr, subquery.select);
  expr->negated = token->code == SQL_NOT;
  return expr;
}

/* sqlite: a IN t is a IN (SELECT * FROM t) */
Expr *build_in_table(Parser *parser, const Token *token, Expr *a, TableName name) {
  Token star = {.offset = name.offset};
  Select *select = build_select(parser, &star);
  SelectItem item = build_item(name.offset, name.offset, build_simple(parser, EXPR_STAR, &star), NULL);
  build_select_items(parser, select, build_items(parser, NULL, item));
  build_select_from(parser, select, build_table(parser, name));
  return build_in_select(parser, token, a, (Subquery){.select = select, .offset = name.offset});
}

Expr *build_quantified(Parser *parser, const Token *token, Expr *a, const Token *word, Subquery subquery) {
  Expr *expr = build_unary(parser, token_is(parser, word, "all") ? EXPR_ALL : EXPR_ANY, token, a);
  expr->op = (uint8_t)operator_kind(token);
  expr_attach(parser, expr, subquery.select);
  return expr;
}

Expr *build_subquery(Parser *parser, ExprKind kind, Subquery subquery) {
  Expr *expr = expr_new(parser->arena, kind, subquery.offset);
  expr_attach(parser, expr, subquery.select);
  return expr;
}

Expr *build_parentheses(Expr *a) {
  a->in_parentheses = true;
  return a;
}

Expr *build_row(Parser *parser, const Token *token, ExprList *list) {
  Expr *expr = expr_of(parser, EXPR_ROW, token);
  for (uint32_t i = 0; i < list->count; i++) expr_push(parser, expr, list->items[i]);
  return expr;
}

Expr *build_case(Parser *parser, const Token *token, Expr *operand, ExprList *branches, Expr *otherwise) {
  Expr *expr = expr_of(parser, EXPR_CASE, token);
  if (operand) expr_push(parser, expr, operand);
  for (uint32_t i = 0; i < branches->count; i++) expr_push(parser, expr, branches->items[i]);
  if (otherwise) expr_push(parser, expr, otherwise);
  expr->has_operand = operand != NULL;
  expr->has_else = otherwise != NULL;
  return expr;
}

Expr *build_cast(Parser *parser, const Token *token, Expr *a, TypeClause *clause) {
  Expr *expr = build_unary(parser, EXPR_CAST, token, a);
  expr->cast_type = build_type_parse(parser, clause);
  expr->cast_words = clause->words;
  return expr;
}

Expr *build_typed(Parser *parser, const Token *type, const Token *literal) {
  Expr *expr = build_cast(parser, type, build_input(parser, literal), build_type(parser, type));
  expr->is_typed = true;
  return expr;
}

Expr *build_collate(Parser *parser, const Token *token, Expr *a, const char *name) {
  Expr *expr = build_unary(parser, EXPR_COLLATE, token, a);
  expr->name = name;
  return expr;
}

Expr *build_interval(Parser *parser, const Token *token, Expr *a, const Token *unit) {
  Expr *expr = build_unary(parser, EXPR_INTERVAL, token, a);
  expr->op = unit ? build_unit(parser, unit) : (uint8_t)UNIT_NONE;
  return expr;
}
