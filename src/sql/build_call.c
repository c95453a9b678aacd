/* build_call.c: function calls, plain and with the words that SQL gives some of them. */
#include "src/sql/build.h"

#include <strings.h>

/* mysql: between these names and their parenthesis no blank may stand, unless a mode says so. */
static bool name_wants_parenthesis(const Parser *parser, const Token *name) {
  static const char *const names[] = {"adddate", "bit_and",    "bit_or",   "bit_xor",  "count",
                                      "curdate", "curtime",    "date_add", "date_sub", "group_concat",
                                      "max",     "mid",        "min",      "now",      "std",
                                      "stddev",  "stddev_pop", "subdate",  "substr",   "stddev_samp",
                                      "sum",     "sysdate",    "variance", "var_pop",  "var_samp"};
  if (!dialect_is_mysql(parser->dialect) || parser->text[name->offset + name->length] == '(') return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (token_is(parser, name, names[i])) return true;
  return false;
}

/* schema.name(: only PostgreSQL's own schema is looked through; other qualified names stay unknown. */
Expr *build_call(Parser *parser, const Token *schema, const Token *name) {
  if (!schema && name_wants_parenthesis(parser, name))
    parser_reject(parser, name->offset, "a blank behind the name of a function");
  Expr *call = expr_new(parser->arena, EXPR_FUNCTION, schema ? schema->offset : name->offset);
  call->name = build_name(parser, name);
  if (schema && !token_is(parser, schema, "pg_catalog"))
    call->name = arena_format(parser->arena, "%s.%s", build_name(parser, schema), call->name);
  return call;
}

/* COUNT() is sqlite's COUNT(*). */
void build_call_empty(Parser *parser, const Expr *call) {
  if (strcasecmp(call->name, "count") == 0 && !dialect_is_sqlite(parser->dialect))
    parser_reject(parser, call->offset, "COUNT() without an argument");
}

void build_call_args(Parser *parser, Expr *call, ExprList *args) {
  if (!args) return;
  call->args = args->items;
  call->arg_count = args->count;
  for (uint32_t i = 0; i < args->count; i++)
    height_cover(parser, &call->height, args->items[i]->height, call->offset);
}

/* name NULL: as the token says */
Expr *build_call_named(Parser *parser, const Token *token, const char *name, ExprList *args) {
  Expr *call = expr_new(parser->arena, EXPR_FUNCTION, token->offset);
  call->name = name ? name : build_name(parser, token);
  build_call_args(parser, call, args);
  return call;
}

void build_call_order(Parser *parser, Expr *call, OrderList *order) {
  if (!order) return;
  call->order = order->items;
  call->order_count = order->count;
  for (uint32_t i = 0; i < order->count; i++)
    height_cover(parser, &call->height, order->items[i].expr->height, call->offset);
}

void build_call_part(Parser *parser, Expr *call, Expr **part, Expr *expr) {
  if (!expr) return;
  *part = expr;
  height_cover(parser, &call->height, expr->height, call->offset);
}

/* TRIM([LEADING|TRAILING|BOTH] [what] FROM from): two-argument LTRIM, RTRIM, TRIM */
Expr *build_trim(Parser *parser, const Token *token, const Token *side, Expr *what, Expr *from) {
  const char *name = "TRIM";
  if (side && token_is(parser, side, "leading")) name = "LTRIM";
  if (side && token_is(parser, side, "trailing")) name = "RTRIM";
  ExprList *args = build_list(parser, NULL, from);
  if (what) build_list(parser, args, what);
  return build_call_named(parser, token, name, args);
}
