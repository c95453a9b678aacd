/* build_query.c: SELECT, VALUES, compounds, WITH and what stands behind a query.
 *
 * ORDER BY, LIMIT and locks belong to the whole query: they are gathered in a tail and
 * then put on the select, or on a SELECT * around it where it already has its own. */
#include "src/sql/build.h"

#include "src/sql/grammar.h"

Select *build_select(Parser *parser, const Token *token) {
  Select *select = ARENA_NEW(parser->arena, Select);
  select->offset_in_text = token->offset;
  select->height = 1;
  return select;
}

void select_cover_expr(Parser *parser, Select *select, const Expr *expr) {
  if (expr) height_cover(parser, &select->height, expr->height, expr->offset);
}

ItemList *build_items(Parser *parser, ItemList *list, SelectItem item) {
  if (!list) list = ARENA_NEW(parser->arena, ItemList);
  ARENA_PUSH(parser->arena, list, item);
  return list;
}

SelectItem build_item(uint32_t start, uint32_t stop, Expr *expr, const char *alias) {
  return (SelectItem){.expr = expr, .alias = alias, .offset = start, .length = stop - start};
}

OrderList *build_orders(Parser *parser, OrderList *list, OrderTerm term) {
  if (!list) list = ARENA_NEW(parser->arena, OrderList);
  ARENA_PUSH(parser->arena, list, term);
  return list;
}

void build_select_items(Parser *parser, Select *select, ItemList *items) {
  memcpy(&select->items, items, sizeof *items);
  for (uint32_t i = 0; i < items->count; i++) select_cover_expr(parser, select, items->items[i].expr);
}

void build_select_from(Parser *parser, Select *select, From *from) {
  if (!from) return;
  bool is_dual = dialect_is_mysql(parser->dialect) && from->kind == FROM_TABLE && !from->alias &&
                 strcasecmp(from->name, "dual") == 0;
  if (is_dual) return;
  select->from = from;
  height_cover(parser, &select->height, from->height, from->offset);
}

void build_select_where(Parser *parser, Select *select, Expr *where) {
  select->where = where;
  select_cover_expr(parser, select, where);
}

void build_select_group(Parser *parser, Select *select, ExprList *group) {
  if (!group) return;
  select->group_by = *group;
  for (uint32_t i = 0; i < group->count; i++) select_cover_expr(parser, select, group->items[i]);
}

void build_select_having(Parser *parser, Select *select, Expr *having) {
  select->having = having;
  select_cover_expr(parser, select, having);
}

void build_select_row(Parser *parser, Select *select, ExprList *row) {
  ARENA_PUSH(parser->arena, &select->values, *row);
  for (uint32_t i = 0; i < row->count; i++) select_cover_expr(parser, select, row->items[i]);
}

Select *build_compound(Parser *parser, SelectKind kind, const Token *token, Select *left, Select *right) {
  Select *select = build_select(parser, token);
  select->kind = (uint8_t)kind;
  select->offset_in_text = left->offset_in_text;
  select->left = left;
  select->right = right;
  height_cover(parser, &select->height, left->height, token->offset);
  height_cover(parser, &select->height, right->height, token->offset);
  return select;
}

/* ---- Behind the query -------------------------------------------------------------- */

Select *build_tail(Parser *parser) {
  Select *tail = ARENA_NEW(parser->arena, Select);
  tail->height = 1;
  return tail;
}

void tail_order(Parser *parser, Select *tail, const Token *token, OrderList *order) {
  if (tail->order_by.count || tail->limit || tail->offset) parser_reject_token(parser, token);
  memcpy(&tail->order_by, order, sizeof *order);
  for (uint32_t i = 0; i < order->count; i++) select_cover_expr(parser, tail, order->items[i].expr);
}

void tail_limit(Parser *parser, Select *tail, const Token *token, Expr *limit) {
  if (tail->limit) parser_reject_token(parser, token);
  tail->limit = limit;
  select_cover_expr(parser, tail, limit);
}

void tail_offset(Parser *parser, Select *tail, const Token *token, Expr *offset) {
  if (tail->offset) parser_reject_token(parser, token);
  tail->offset = offset;
  select_cover_expr(parser, tail, offset);
}

/* PostgreSQL takes several; the strongest counts, over the tables of all. */
void tail_lock(Parser *parser, Select *tail, LockClause lock) {
  LockClause *kept = &tail->lock;
  bool is_first = kept->kind == LOCK_NONE;
  bool names_all = !is_first && (kept->tables.count == 0 || lock.tables.count == 0);
  if (is_first || lock.kind < kept->kind) kept->kind = lock.kind;
  kept->skip_locked |= lock.skip_locked;
  kept->no_wait |= lock.no_wait;
  if (names_all) kept->tables.count = 0;
  for (uint32_t i = 0; !names_all && i < lock.tables.count; i++)
    ARENA_PUSH(parser->arena, &kept->tables, lock.tables.items[i]);
}

/* In PostgreSQL SELECT ... INTO makes a table. */
void tail_into(Parser *parser, Select *tail, const Token *token, NameList *into) {
  if (tail->into.count) parser_reject_token(parser, token);
  if (parser->dialect->name == DIALECT_POSTGRESQL || dialect_is_sqlite(parser->dialect))
    parser_reject(parser, token->offset, "SELECT ... INTO is modelled in procedures only");
  tail->into = *into;
}

LockClause build_lock(Parser *parser, const Token *token, NameList *tables) {
  LockClause lock = {.kind = LOCK_UPDATE};
  if (token_is(parser, token + 1, "share")) lock.kind = LOCK_SHARE;
  if (token_is(parser, token + 1, "key")) lock.kind = LOCK_KEY_SHARE;
  if (token_is(parser, token + 1, "no")) lock.kind = LOCK_NO_KEY_UPDATE;
  if (tables) lock.tables = *tables;
  return lock;
}

static bool select_has_tail(const Select *select) {
  return select->order_by.count || select->limit || select->offset || select->lock.kind != LOCK_NONE ||
         select->with.count;
}

/* SELECT * FROM (select) */
static Select *select_wrap(Parser *parser, Select *select) {
  Token place = {.offset = select->offset_in_text};
  Select *outer = build_select(parser, &place);
  SelectItem star = build_item(place.offset, place.offset, build_simple(parser, EXPR_STAR, &place), NULL);
  build_select_items(parser, outer, build_items(parser, NULL, star));
  From *from = build_derived(parser, (Subquery){.select = select, .offset = place.offset});
  from->alias = "subquery";
  build_select_from(parser, outer, from);
  return outer;
}

Select *build_finish(Parser *parser, Select *with, Select *select, Select *tail) {
  if (select_has_tail(select)) select = select_wrap(parser, select);
  if (with) {
    memcpy(&select->with, &with->with, sizeof with->with);
    select->is_recursive = with->is_recursive;
    height_cover(parser, &select->height, with->height, select->offset_in_text);
  }
  if (!tail) return select;
  memcpy(&select->order_by, &tail->order_by, sizeof tail->order_by);
  select->limit = tail->limit;
  select->offset = tail->offset;
  select->lock = tail->lock;
  if (tail->into.count && select->into.count)
    parser_reject(parser, select->offset_in_text, "INTO stands twice in a query");
  if (tail->into.count) select->into = tail->into;
  height_cover(parser, &select->height, tail->height, select->offset_in_text);
  return select;
}

/* The queries of WITH are gathered in a Select that is only their carrier. */
Select *build_with(Parser *parser, Select *with, const char *name, NameList *columns, Subquery subquery) {
  if (!with) with = build_tail(parser);
  WithQuery query = {.name = name, .select = subquery.select};
  if (columns) query.columns = *columns;
  ARENA_PUSH(parser->arena, &with->with, query);
  height_cover(parser, &with->height, subquery.select->height, subquery.offset);
  return with;
}
