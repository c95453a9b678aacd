/* arithmetic.c: arithmetic, bit operators and ||: what all dialects share. */
#include "semantics/arithmetic.h"

#include "semantics/convert.h"
#include "semantics/datetime.h"

Value division_by_zero(Eval *eval) {
  const Dialect *dialect = eval->dialect;
  if (dialect_is_mysql(dialect) && dialect->zero_division)
    return eval_strict(eval, NULL_VALUE, ERROR_DIVISION, "division by zero");
  return dialect->name == DIALECT_POSTGRESQL ? eval_error(eval, ERROR_DIVISION, "division by zero")
                                             : NULL_VALUE;
}

Value decimal_too_long(Eval *eval) {
  return eval_unmodelled(eval, "a decimal of more than 38 digits is not modelled");
}

static Value text_join(Eval *eval, Value a, Type a_type, Value b, Type b_type) {
  const char *left, *right;
  size_t left_length, right_length;
  if (!convert_text(eval, a, a_type, &left, &left_length) ||
      !convert_text(eval, b, b_type, &right, &right_length))
    return NULL_VALUE;
  char *joined = arena_alloc(eval->arena, left_length + right_length + 1);
  if (left_length) memcpy(joined, left, left_length);
  if (right_length) memcpy(joined + left_length, right, right_length);
  bool is_blob = a.kind == VALUE_BLOB && b.kind == VALUE_BLOB && !dialect_is_sqlite(eval->dialect);
  return is_blob ? value_blob(joined, left_length + right_length)
                 : value_text(joined, left_length + right_length);
}

Value operate_binary(Eval *eval, ExprKind kind, Type type, Value a, Type a_type, Value b, Type b_type) {
  if (value_is_null(a) || value_is_null(b)) {
    if (dialect_is_mysql(eval->dialect) && kind != EXPR_CONCAT) {
      mysql_note_text(eval, a, type_of(TYPE_INT));
      mysql_note_text(eval, b, type_of(TYPE_INT));
    }
    return NULL_VALUE;
  }
  if (a.kind == VALUE_DECIMAL && b.kind == VALUE_DECIMAL && a.scale == b.scale && !(a.flags | b.flags)) {
    int64_t result; /* the commonest case of money */
    if (kind == EXPR_ADD && !__builtin_add_overflow(a.integer, b.integer, &result))
      return a.integer = result, a;
    if (kind == EXPR_SUBTRACT && !__builtin_sub_overflow(a.integer, b.integer, &result))
      return a.integer = result, a;
  }
  if (a.kind == VALUE_DOUBT || b.kind == VALUE_DOUBT) return eval_doubt(eval, a.kind == VALUE_DOUBT ? a : b);
  if (kind == EXPR_CONCAT) return text_join(eval, a, a_type, b, b_type);
  switch (eval->dialect->name) {
  case DIALECT_SQLITE: return sqlite_binary(eval, kind, a, b);
  case DIALECT_MYSQL:
  case DIALECT_MARIADB:
    if (a.kind == VALUE_INTERVAL || b.kind == VALUE_INTERVAL) {
      bool is_first = a.kind == VALUE_INTERVAL;
      return mysql_date_add(eval, is_first ? b : a, is_first ? a : b, kind == EXPR_SUBTRACT, type);
    }
    return mysql_binary(eval, kind, a, a_type, b, b_type);
  default: return postgres_binary(eval, kind, type, a, a_type, b, b_type);
  }
}

Value operate_unary(Eval *eval, ExprKind kind, Type type, Value a, Type a_type) {
  (void)a_type;
  if (value_is_null(a)) return NULL_VALUE;
  if (a.kind == VALUE_DOUBT) return eval_doubt(eval, a);
  switch (eval->dialect->name) {
  case DIALECT_SQLITE: return sqlite_unary(kind, a);
  case DIALECT_MYSQL:
  case DIALECT_MARIADB: return mysql_unary(eval, kind, a);
  default: return postgres_unary(eval, kind, type, a);
  }
}
