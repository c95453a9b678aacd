/* ast_print.c: expressions and queries as text, for people and tests.
 *
 * Every operator stands in parentheses, so that the text shows the tree; names and
 * literals are printed from the tree and the inputs, not from the statement's own text. */
#include "src/sql/print.h"

#include "src/base/decimal.h"

#include <stdio.h>

void print_bytes(Printer *printer, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) ARENA_PUSH(printer->arena, &printer->text, bytes[i]);
}

void print_text(Printer *printer, const char *text) { print_bytes(printer, text, strlen(text)); }

static bool name_is_plain(const char *name) {
  if (*name >= '0' && *name <= '9') return false;
  for (const char *at = name; *at; at++) {
    bool is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (unsigned char)*at >= 0x80;
    if (!is_letter && *at != '_' && *at != '$' && *at != '@' && *at != '.' && !(*at >= '0' && *at <= '9'))
      return false;
  }
  return *name != '\0';
}

static void print_quoted(Printer *printer, char quote, const char *text, size_t length) {
  print_bytes(printer, &quote, 1);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == quote) print_bytes(printer, &quote, 1);
    print_bytes(printer, text + i, 1);
  }
  print_bytes(printer, &quote, 1);
}

void print_name(Printer *printer, const char *name) {
  if (name_is_plain(name))
    print_text(printer, name);
  else
    print_quoted(printer, '"', name, strlen(name));
}

void print_names(Printer *printer, const NameList *names) {
  for (uint32_t i = 0; i < names->count; i++) {
    if (i) print_text(printer, ", ");
    print_name(printer, names->items[i]);
  }
}

/* ---- Inputs ------------------------------------------------------------------------------ */

static void print_blob(Printer *printer, Value value) {
  print_text(printer, "X'");
  for (uint32_t i = 0; i < value.length; i++) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02X", (unsigned char)value.text[i]);
    print_text(printer, digits);
  }
  print_text(printer, "'");
}

static void print_literal(Printer *printer, Value value) {
  char buffer[DECIMAL_TEXT + 32];
  switch (value.kind) {
  case VALUE_TEXT: print_quoted(printer, '\'', value.text, value.length); return;
  case VALUE_BLOB: print_blob(printer, value); return;
  case VALUE_DOUBLE:
    snprintf(buffer, sizeof buffer, "%.17g", value.real);
    if (!strpbrk(buffer, ".en")) strcat(buffer, ".0"); /* 1000.0, never the integer 1000 */
    break;
  case VALUE_INT: snprintf(buffer, sizeof buffer, "%lld", (long long)value.integer); break;
  case VALUE_UINT: snprintf(buffer, sizeof buffer, "%llu", (unsigned long long)value.natural); break;
  default: buffer[decimal_format(decimal_of(value), buffer)] = '\0'; break;
  }
  print_text(printer, buffer);
}

static void print_input(Printer *printer, int32_t index) {
  if (!printer->tokens || index < 0 || (uint32_t)index >= printer->tokens->inputs.count) {
    print_text(printer, "?");
    return;
  }
  const Input *input = &printer->tokens->inputs.items[index];
  char buffer[16];
  switch (input->kind) {
  case INPUT_LITERAL: print_literal(printer, input->literal); break;
  case INPUT_NUMBER:
    snprintf(buffer, sizeof buffer, "$%u", input->number + 1);
    print_text(printer, buffer);
    break;
  case INPUT_NAME:
    print_text(printer, ":");
    print_bytes(printer, input->name, input->length);
    break;
  default: print_text(printer, "?"); break;
  }
}

/* ---- Expressions ---------------------------------------------------------------------------- */

void print_exprs(Printer *printer, Expr *const *exprs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) print_text(printer, ", ");
    print_expr(printer, exprs[i]);
  }
}

static void print_subquery(Printer *printer, const Select *select) {
  print_text(printer, "(");
  print_select(printer, select);
  print_text(printer, ")");
}

/* (a op b op c) */
static void print_chain(Printer *printer, const Expr *expr) {
  print_text(printer, "(");
  for (uint32_t i = 0; i < expr->arg_count; i++) {
    if (i) {
      print_text(printer, " ");
      print_text(printer, expr_kind_name(expr->kind));
      print_text(printer, " ");
    }
    print_expr(printer, expr->args[i]);
  }
  print_text(printer, ")");
}

static void print_prefix(Printer *printer, const Expr *expr) {
  print_text(printer, "(");
  print_text(printer, expr_kind_name(expr->kind));
  print_text(printer, " ");
  print_expr(printer, expr->args[0]);
  print_text(printer, ")");
}

static void print_postfix(Printer *printer, const Expr *expr) {
  print_text(printer, "(");
  print_expr(printer, expr->args[0]);
  print_text(printer, " ");
  print_text(printer, expr_kind_name(expr->kind));
  print_text(printer, ")");
}

/* (a [NOT] WORD ...) up to what the predicate has on its right */
static void print_predicate(Printer *printer, const Expr *expr, const char *word) {
  print_text(printer, "(");
  print_expr(printer, expr->args[0]);
  print_text(printer, expr->negated ? " NOT " : " ");
  print_text(printer, word);
  print_text(printer, " ");
}

static void print_like(Printer *printer, const Expr *expr) {
  static const char *const WORDS[] = {
      [LIKE_LIKE] = "LIKE", [LIKE_ILIKE] = "ILIKE", [LIKE_GLOB] = "GLOB", [LIKE_REGEXP] = "REGEXP"};
  print_predicate(printer, expr, WORDS[expr->op]);
  print_expr(printer, expr->args[1]);
  if (expr->arg_count > 2) {
    print_text(printer, " ESCAPE ");
    print_expr(printer, expr->args[2]);
  }
  print_text(printer, ")");
}

static void print_case(Printer *printer, const Expr *expr) {
  uint32_t at = 0;
  print_text(printer, "CASE");
  if (expr->has_operand) {
    print_text(printer, " ");
    print_expr(printer, expr->args[at++]);
  }
  for (; at + 1 < expr->arg_count; at += 2) {
    print_text(printer, " WHEN ");
    print_expr(printer, expr->args[at]);
    print_text(printer, " THEN ");
    print_expr(printer, expr->args[at + 1]);
  }
  if (expr->has_else) {
    print_text(printer, " ELSE ");
    print_expr(printer, expr->args[at]);
  }
  print_text(printer, " END");
}

static const char *const UNIT_NAMES[] = {[UNIT_NONE] = "",           [UNIT_MICROSECOND] = "MICROSECOND",
                                         [UNIT_SECOND] = "SECOND",   [UNIT_MINUTE] = "MINUTE",
                                         [UNIT_HOUR] = "HOUR",       [UNIT_DAY] = "DAY",
                                         [UNIT_WEEK] = "WEEK",       [UNIT_MONTH] = "MONTH",
                                         [UNIT_QUARTER] = "QUARTER", [UNIT_YEAR] = "YEAR",
                                         [UNIT_DOW] = "DOW",         [UNIT_ISODOW] = "ISODOW",
                                         [UNIT_DOY] = "DOY",         [UNIT_EPOCH] = "EPOCH"};

static void print_call(Printer *printer, const Expr *expr) {
  print_name(printer, expr->name);
  print_text(printer, "(");
  if (expr->op != UNIT_NONE) {
    print_text(printer, UNIT_NAMES[expr->op]);
    print_text(printer, ", ");
  }
  if (expr->distinct) print_text(printer, "DISTINCT ");
  print_exprs(printer, expr->args, expr->arg_count);
  print_orders(printer, expr->order, expr->order_count);
  if (expr->separator) {
    print_text(printer, " SEPARATOR ");
    print_expr(printer, expr->separator);
  }
  print_text(printer, ")");
  if (!expr->filter) return;
  print_text(printer, " FILTER (WHERE ");
  print_expr(printer, expr->filter);
  print_text(printer, ")");
}

static void print_cast(Printer *printer, const Expr *expr) {
  char buffer[64];
  print_text(printer, "CAST(");
  print_expr(printer, expr->args[0]);
  print_text(printer, " AS ");
  print_text(printer, type_text(expr->cast_type, buffer, sizeof buffer));
  print_text(printer, ")");
}

static void print_interval(Printer *printer, const Expr *expr) {
  print_text(printer, "INTERVAL ");
  print_expr(printer, expr->args[0]);
  if (expr->op == UNIT_NONE) return;
  print_text(printer, " ");
  print_text(printer, UNIT_NAMES[expr->op]);
}

static void print_column(Printer *printer, const Expr *expr) {
  if (expr->table) {
    print_name(printer, expr->table);
    print_text(printer, ".");
  }
  if (expr->kind == EXPR_STAR)
    print_text(printer, "*");
  else
    print_name(printer, expr->name);
}

void print_expr(Printer *printer, const Expr *expr) {
  switch ((ExprKind)expr->kind) {
  case EXPR_NULL:
  case EXPR_TRUE:
  case EXPR_FALSE:
  case EXPR_DEFAULT: print_text(printer, expr_kind_name(expr->kind)); break;
  case EXPR_INPUT: print_input(printer, expr->index); break;
  case EXPR_COLUMN:
  case EXPR_STAR:
  case EXPR_VARIABLE: print_column(printer, expr); break;
  case EXPR_GROUP_KEY: print_text(printer, "group key"); break;
  case EXPR_USER_VARIABLE:
    print_text(printer, "@");
    print_name(printer, expr->name);
    break;
  case EXPR_NEGATE:
  case EXPR_PLUS:
  case EXPR_BIT_NOT:
  case EXPR_NOT: print_prefix(printer, expr); break;
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_MULTIPLY:
  case EXPR_DIVIDE:
  case EXPR_INTEGER_DIVIDE:
  case EXPR_MODULO:
  case EXPR_BIT_AND:
  case EXPR_BIT_OR:
  case EXPR_BIT_XOR:
  case EXPR_SHIFT_LEFT:
  case EXPR_SHIFT_RIGHT:
  case EXPR_CONCAT:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_GREATER:
  case EXPR_GREATER_EQUAL:
  case EXPR_IS_NOT_DISTINCT:
  case EXPR_IS_DISTINCT:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR: print_chain(printer, expr); break;
  case EXPR_IS_NULL:
  case EXPR_IS_NOT_NULL:
  case EXPR_IS_TRUE:
  case EXPR_IS_NOT_TRUE:
  case EXPR_IS_FALSE:
  case EXPR_IS_NOT_FALSE: print_postfix(printer, expr); break;
  case EXPR_BETWEEN:
    print_predicate(printer, expr, "BETWEEN");
    print_expr(printer, expr->args[1]);
    print_text(printer, " AND ");
    print_expr(printer, expr->args[2]);
    print_text(printer, ")");
    break;
  case EXPR_LIKE: print_like(printer, expr); break;
  case EXPR_IN_LIST:
    print_predicate(printer, expr, "IN");
    print_text(printer, "(");
    print_exprs(printer, expr->args + 1, expr->arg_count - 1);
    print_text(printer, "))");
    break;
  case EXPR_IN_SELECT:
    print_predicate(printer, expr, "IN");
    print_subquery(printer, expr->select);
    print_text(printer, ")");
    break;
  case EXPR_ANY:
  case EXPR_ALL:
    print_predicate(printer, expr, expr_kind_name(expr->op));
    print_text(printer, expr->kind == EXPR_ANY ? "ANY " : "ALL ");
    print_subquery(printer, expr->select);
    print_text(printer, ")");
    break;
  case EXPR_EXISTS: print_text(printer, "EXISTS "); /* fallthrough */
  case EXPR_SCALAR: print_subquery(printer, expr->select); break;
  case EXPR_CASE: print_case(printer, expr); break;
  case EXPR_CAST: print_cast(printer, expr); break;
  case EXPR_COLLATE:
    print_text(printer, "(");
    print_expr(printer, expr->args[0]);
    print_text(printer, " COLLATE ");
    print_name(printer, expr->name);
    print_text(printer, ")");
    break;
  case EXPR_FUNCTION:
  case EXPR_AGGREGATE: print_call(printer, expr); break;
  case EXPR_ROW:
    print_text(printer, "ROW(");
    print_exprs(printer, expr->args, expr->arg_count);
    print_text(printer, ")");
    break;
  case EXPR_INTERVAL: print_interval(printer, expr); break;
  case EXPR_VALUES_OF:
    print_text(printer, "VALUES(");
    print_name(printer, expr->name);
    print_text(printer, ")");
    break;
  }
}
