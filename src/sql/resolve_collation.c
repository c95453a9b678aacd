/* resolve_collation.c: which collation compares two expressions.
 *
 * A comparison has one collation: an explicit COLLATE decides, then a column,
 * then nothing.  The answer is written into the types of both operands, which
 * belong to this comparison alone, so that the evaluator needs no rule. */
#include "src/sql/resolve_internal.h"

#include <ctype.h>
#include <strings.h>

static bool ends_with(const char *name, const char *suffix) {
  size_t length = strlen(name), size = strlen(suffix);
  return length >= size && strcasecmp(name + length - size, suffix) == 0;
}

bool collation_named(const Dialect *dialect, const char *name, uint8_t *collation, bool *is_binary) {
  *is_binary = false;
  *collation = COLLATION_C;
  if (dialect_is_mysql(dialect)) {
    *collation = COLLATION_CI;
    *is_binary = ends_with(name, "_bin") || strcasecmp(name, "binary") == 0;
    return *is_binary || ends_with(name, "_ci");
  }
  if (strcasecmp(name, "nocase") == 0 && dialect->name != DIALECT_POSTGRESQL)
    return *collation = COLLATION_CI, true;
  if (strcasecmp(name, "binary") == 0 && dialect->name != DIALECT_POSTGRESQL) return true;
  if (dialect_is_sqlite(dialect)) return false;
  if (strcasecmp(name, "default") == 0) return *collation = (uint8_t)dialect->collation, true;
  return strcasecmp(name, "C") == 0 || strcasecmp(name, "POSIX") == 0 || strcasecmp(name, "ucs_basic") == 0;
}

typedef enum Rank { RANK_NONE, RANK_VALUE, RANK_COLUMN, RANK_EXPLICIT } Rank;

static bool is_collate(const Expr *expr) { return expr->kind == EXPR_COLLATE; }

static Rank collation_rank(const Resolver *resolver, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_COLLATE: return RANK_EXPLICIT;
  case EXPR_COLUMN:
  case EXPR_GROUP_KEY:
  case EXPR_VARIABLE: return RANK_COLUMN;
  case EXPR_SCALAR: return dialect_is_sqlite(resolver->dialect) ? RANK_NONE : RANK_COLUMN;
  case EXPR_INPUT:
  case EXPR_NULL: return RANK_NONE;
  case EXPR_CAST:
  case EXPR_PLUS: return collation_rank(resolver, expr->args[0]);
  default: break;
  }
  if (expr_has(expr, is_collate)) return RANK_EXPLICIT;
  return dialect_is_sqlite(resolver->dialect) ? RANK_NONE : RANK_VALUE;
}

static const Expr *collate_below(const Expr *expr) {
  if (expr->kind == EXPR_COLLATE) return expr;
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    const Expr *found = collate_below(expr->args[i]);
    if (found) return found;
  }
  return NULL;
}

static Type collation_source(const Expr *expr, Rank rank) {
  const Expr *collate = rank == RANK_EXPLICIT ? collate_below(expr) : NULL;
  return collate ? collate->type : expr->type;
}

bool expr_collation(const Resolver *resolver, const Expr *expr, uint8_t *collation) {
  Rank rank = collation_rank(resolver, expr);
  if (rank != RANK_NONE) *collation = collation_source(expr, rank).collation;
  return rank != RANK_NONE;
}

/* sqlite: a COLLATE anywhere inside gives the whole expression its collation. */
void collation_inherit(Resolver *resolver, Expr *expr) {
  if (!dialect_is_sqlite(resolver->dialect)) return;
  resolver->has_collate |= is_collate(expr);
  if (!resolver->has_collate || is_collate(expr)) return;
  const Expr *collate = collation_rank(resolver, expr) == RANK_EXPLICIT ? collate_below(expr) : NULL;
  if (collate) expr->type.collation = collate->type.collation;
}

bool collation_compare(Resolver *resolver, Expr *a, Expr *b, uint32_t offset) {
  (void)offset;
  bool has_text = (type_is_text(a->type) || a->type.kind == TYPE_DYNAMIC) &&
                  (type_is_text(b->type) || b->type.kind == TYPE_DYNAMIC);
  if (!has_text) return true;
  Rank left = collation_rank(resolver, a), right = collation_rank(resolver, b);
  Type type = left >= right ? collation_source(a, left) : collation_source(b, right);
  if (left == RANK_NONE && right == RANK_NONE) {
    type.collation = (uint8_t)resolver->dialect->collation;
    type.is_binary = false;
  }
  /* mysql: of two columns, one of them _bin, the binary collation wins. */
  if (left == right && left != RANK_EXPLICIT && dialect_is_mysql(resolver->dialect))
    type.is_binary |= a->type.is_binary || b->type.is_binary;
  a->type.collation = b->type.collation = type.collation;
  a->type.is_binary = b->type.is_binary = type.is_binary;
  return true;
}
