/* print.h: what the files that print trees share: ast_print.c (expressions), ast_print_query.c,
 * ast_print_statement.c and ast_print_flow.c (procedures). */
#ifndef ALIBI_SQL_PRINT_H
#define ALIBI_SQL_PRINT_H

#include "src/sql/parse.h"

typedef struct Printer {
  Arena *arena;
  const Tokens *tokens; /* the literals; NULL: they are printed as ? */
  ARRAY(char) text;
} Printer;

void print_bytes(Printer *printer, const char *bytes, size_t length);
void print_text(Printer *printer, const char *text);
void print_name(Printer *printer, const char *name); /* in quotes where it must */
void print_names(Printer *printer, const NameList *names); /* a, b */
void print_expr(Printer *printer, const Expr *expr);
void print_exprs(Printer *printer, Expr *const *exprs, uint32_t count);
void print_orders(Printer *printer, const OrderTerm *terms, uint32_t count);
void print_items(Printer *printer, const SelectItem *items, uint32_t count);
void print_from(Printer *printer, const From *from);
void print_select(Printer *printer, const Select *select);
void print_part(Printer *printer, const char *word, const Expr *expr); /* both, if there is an expression */
void print_word(Printer *printer, const char *word, const char *name);
void print_statement(Printer *printer, const Statement *statement);
void print_flow(Printer *printer, StatementKind kind, const Flow *flow);

#endif
