/* ast_print_flow.c: the statements of procedures as text. */
#include "src/sql/print.h"

static void print_body(Printer *printer, const StatementList *body) {
  for (uint32_t i = 0; i < body->count; i++) {
    print_text(printer, " ");
    print_statement(printer, body->items[i]);
    print_text(printer, ";");
  }
}

static void print_if(Printer *printer, const Flow *flow) {
  for (uint32_t i = 0; i < flow->branches.count; i++) {
    const Branch *branch = &flow->branches.items[i];
    print_part(printer, i ? " ELSEIF " : "IF ", branch->condition);
    print_text(printer, branch->condition ? " THEN" : " ELSE");
    print_body(printer, &branch->body);
  }
  print_text(printer, " END IF");
}

static void print_case(Printer *printer, const Flow *flow) {
  print_text(printer, "CASE");
  print_part(printer, " ", flow->condition);
  for (uint32_t i = 0; i < flow->branches.count; i++) {
    const Branch *branch = &flow->branches.items[i];
    print_part(printer, " WHEN ", branch->condition);
    print_text(printer, branch->condition ? " THEN" : " ELSE");
    print_body(printer, &branch->body);
  }
  print_text(printer, " END CASE");
}

static void print_for(Printer *printer, const Flow *flow) {
  print_text(printer, "FOR ");
  print_names(printer, &flow->names);
  print_text(printer, flow->is_reverse ? " IN REVERSE " : " IN ");
  if (flow->cursor) print_name(printer, flow->cursor);
  print_part(printer, "", flow->value);
  print_part(printer, "..", flow->upper);
  if (flow->select) {
    print_text(printer, "(");
    print_select(printer, flow->select);
    print_text(printer, ")");
  }
  print_text(printer, " DO");
  print_body(printer, &flow->body);
  print_text(printer, " END FOR");
}

static void print_handler(Printer *printer, const Flow *flow) {
  static const char *const WORDS[] = {[HANDLER_NOT_FOUND] = "NOT FOUND",
                                      [HANDLER_SQLEXCEPTION] = "SQLEXCEPTION",
                                      [HANDLER_SQLWARNING] = "SQLWARNING",
                                      [HANDLER_SQLSTATE] = "SQLSTATE ",
                                      [HANDLER_CODE] = "",
                                      [HANDLER_NAMED] = ""};
  print_text(printer, flow->is_exit ? "DECLARE EXIT HANDLER FOR " : "DECLARE CONTINUE HANDLER FOR ");
  for (uint32_t i = 0; i < flow->conditions.count; i++) {
    if (i) print_text(printer, ", ");
    print_text(printer, WORDS[flow->conditions.items[i].kind]);
    if (flow->conditions.items[i].code) print_text(printer, flow->conditions.items[i].code);
  }
  for (uint32_t i = 0; i < flow->body.count; i++) {
    print_text(printer, " ");
    print_statement(printer, flow->body.items[i]);
  }
}

static void print_declare(Printer *printer, const Flow *flow) {
  char buffer[64];
  print_text(printer, "DECLARE ");
  print_names(printer, &flow->names);
  print_text(printer, " ");
  print_text(printer, type_text(flow->type, buffer, sizeof buffer));
  print_part(printer, " DEFAULT ", flow->value);
}

/* LOOP ... END LOOP and its like */
static void print_loop(Printer *printer, const char *open, const Flow *flow, const char *close) {
  print_text(printer, open);
  print_body(printer, &flow->body);
  print_text(printer, close);
}

void print_word(Printer *printer, const char *word, const char *name) {
  print_text(printer, word);
  print_text(printer, " ");
  print_name(printer, name);
}

void print_flow(Printer *printer, StatementKind kind, const Flow *flow) {
  bool is_labelled = flow->label && kind != STATEMENT_LEAVE && kind != STATEMENT_ITERATE;
  if (is_labelled) {
    print_name(printer, flow->label);
    print_text(printer, ": ");
  }
  switch (kind) {
  case STATEMENT_BLOCK: print_loop(printer, "BEGIN", flow, " END"); break;
  case STATEMENT_LOOP: print_loop(printer, "LOOP", flow, " END LOOP"); break;
  case STATEMENT_WHILE:
    print_part(printer, "WHILE ", flow->condition);
    print_loop(printer, " DO", flow, " END WHILE");
    break;
  case STATEMENT_REPEAT:
    print_loop(printer, "REPEAT", flow, "");
    print_part(printer, " UNTIL ", flow->condition);
    print_text(printer, " END REPEAT");
    break;
  case STATEMENT_DECLARE: print_declare(printer, flow); break;
  case STATEMENT_DECLARE_CURSOR:
    print_word(printer, "DECLARE", flow->cursor);
    print_text(printer, " CURSOR FOR ");
    print_select(printer, flow->select);
    break;
  case STATEMENT_DECLARE_HANDLER: print_handler(printer, flow); break;
  case STATEMENT_IF: print_if(printer, flow); break;
  case STATEMENT_CASE: print_case(printer, flow); break;
  case STATEMENT_FOR: print_for(printer, flow); break;
  case STATEMENT_LEAVE: print_word(printer, "LEAVE", flow->label); break;
  case STATEMENT_ITERATE: print_word(printer, "ITERATE", flow->label); break;
  case STATEMENT_OPEN: print_word(printer, "OPEN", flow->cursor); break;
  case STATEMENT_CLOSE: print_word(printer, "CLOSE", flow->cursor); break;
  case STATEMENT_FETCH:
    print_word(printer, "FETCH", flow->cursor);
    print_text(printer, " INTO ");
    print_names(printer, &flow->names);
    break;
  case STATEMENT_SIGNAL:
    print_text(printer, "SIGNAL SQLSTATE ");
    print_text(printer, flow->sqlstate);
    break;
  default: break;
  }
}
