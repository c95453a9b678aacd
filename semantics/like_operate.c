/* like_operate.c: the operators LIKE, ILIKE and GLOB, by dialect. */
#include "semantics/like.h"

#include "semantics/convert.h"
#include "semantics/operate.h"
#include "semantics/text.h"

/* The default escape; an ESCAPE clause must name one character, or none ('') in PostgreSQL and MySQL. */
static bool escape_rules(Eval *eval, Value escape, LikeRules *rules) {
  bool has_default =
      !dialect_is_sqlite(eval->dialect) && !(dialect_is_mysql(eval->dialect) && eval->dialect->no_backslash);
  if (value_is_null(escape)) {
    rules->escape = has_default ? "\\" : NULL;
    rules->escape_size = 1;
    return true;
  }
  if (escape.kind != VALUE_TEXT) return eval_unmodelled(eval, "such an ESCAPE is not modelled"), false;
  size_t characters = text_characters(escape.text, escape.length);
  if (characters == 0 && !dialect_is_sqlite(eval->dialect)) return rules->escape = NULL, true;
  if (characters != 1) {
    eval_error(eval, ERROR_ARGUMENT, "ESCAPE must be a single character");
    return false;
  }
  rules->escape = escape.text;
  rules->escape_size = escape.length;
  return true;
}

static LikeRules like_rules(const Eval *eval, const Expr *expr) {
  LikeRules rules = {0};
  if (dialect_is_sqlite(eval->dialect)) {
    rules.folds = true; /* ASCII only, whatever the collation */
    return rules;
  }
  if (dialect_is_mysql(eval->dialect)) {
    Collating collating = collating_of(eval->dialect, expr->args[0]->type, expr->args[1]->type);
    rules.folds = collating.folds;
    rules.is_partial = collating.is_partial;
    rules.ends_literal = true;
    return rules;
  }
  rules.folds = rules.is_partial = expr->op == LIKE_ILIKE;
  return rules;
}

Value operate_like(Eval *eval, const Expr *expr, Value text, Value pattern, Value escape) {
  if (expr->op == LIKE_REGEXP) return eval_unmodelled(eval, "REGEXP is not modelled");
  /* Debian builds SQLite with SQLITE_LIKE_DOESNT_MATCH_BLOBS. */
  bool has_blob = text.kind == VALUE_BLOB || pattern.kind == VALUE_BLOB;
  if (has_blob && dialect_is_sqlite(eval->dialect)) return truth_value(eval, expr->negated);
  if (value_is_null(text) || value_is_null(pattern)) return NULL_VALUE;
  if (text.kind != VALUE_TEXT && text.kind != VALUE_BLOB)
    text = value_to_text(eval, text, expr->args[0]->type);
  if (eval->abort) return NULL_VALUE;
  if (pattern.kind != VALUE_TEXT && pattern.kind != VALUE_BLOB)
    pattern = value_to_text(eval, pattern, expr->args[1]->type);
  if (eval->abort) return NULL_VALUE;
  if (dialect_is_sqlite(eval->dialect) &&
      (memchr(text.text, 0, text.length) || memchr(pattern.text, 0, pattern.length)))
    return eval_unmodelled(eval, "LIKE and GLOB of a text with a NUL");
  if (expr->op == LIKE_GLOB)
    return truth_value(eval,
                       glob_match(text.text, text.length, pattern.text, pattern.length) != expr->negated);
  LikeRules rules = like_rules(eval, expr);
  if (!escape_rules(eval, escape, &rules)) return NULL_VALUE;
  switch (like_match(rules, text.text, text.length, pattern.text, pattern.length)) {
  case LIKE_YES: return truth_value(eval, !expr->negated);
  case LIKE_NO: return truth_value(eval, expr->negated);
  case LIKE_UNSURE:
    return eval_unmodelled(eval, "LIKE on such characters needs a collation that is not modelled");
  default: break;
  }
  if (dialect_is_postgres(eval->dialect) && !dialect_is_lenient(eval->dialect))
    return eval_error(eval, ERROR_ARGUMENT, "LIKE pattern must not end with its escape character");
  return truth_value(eval, expr->negated);
}
