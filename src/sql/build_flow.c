/* build_flow.c: procedures and the statements that stand only in them. */
#include "src/sql/build.h"

#include "src/sql/grammar.h"

CreateProcedure *build_procedure(Parser *parser) {
  CreateProcedure *procedure = ARENA_NEW(parser->arena, CreateProcedure);
  procedure->or_replace = parser->or_replace;
  return procedure;
}

void procedure_parameter(Parser *parser, CreateProcedure *procedure, ParameterMode mode, const char *name,
                         TypeClause *type) {
  ProcedureParameter parameter = {
      .name = name, .mode = (uint8_t)mode, .type = build_type_parse(parser, type)};
  ARENA_PUSH(parser->arena, &procedure->parameters, parameter);
}

/* A routine in another language: its name, in front of the parameters, is known, its body is not. */
Statement *build_foreign_routine(Parser *parser, const Token *token) {
  CreateProcedure *procedure = build_procedure(parser);
  while (token->code != SQL_LP && token[1].code != 0) token++;
  procedure->name = build_name(parser, token - 1);
  procedure->is_foreign = true;
  return build_statement(parser, STATEMENT_CREATE_PROCEDURE, procedure);
}

Statement *build_flow(Parser *parser, StatementKind kind) {
  return build_statement(parser, kind, ARENA_NEW(parser->arena, Flow));
}

StatementList *build_body(Parser *parser, StatementList *list, Statement *statement) {
  if (!list) list = ARENA_NEW(parser->arena, StatementList);
  if (statement) ARENA_PUSH(parser->arena, list, statement);
  return list;
}

BranchList *build_branch(Parser *parser, BranchList *list, Expr *condition, StatementList *body) {
  if (!list) list = ARENA_NEW(parser->arena, BranchList);
  ARENA_PUSH(parser->arena, list, (Branch){.condition = condition, .body = *body});
  return list;
}

/* The code of SQLSTATE '02000' as text, of 1062 as its digits. */
void flow_condition(Parser *parser, Statement *handler, HandlerCondition kind, const Token *code) {
  const char *text = NULL;
  if (code && code->code == SQL_STRING)
    text = build_sqlstate(parser, code);
  else if (code)
    text = arena_text(parser->arena, parser->text + code->offset, code->length);
  Flow *flow = handler->flow;
  ARENA_PUSH(parser->arena, &flow->conditions,
             (__typeof__(*flow->conditions.items)){.kind = (uint8_t)kind, .code = text});
}

const char *build_sqlstate(Parser *parser, const Token *literal) {
  const char *text = build_name(parser, literal);
  if (strlen(text) != 5) parser_reject(parser, literal->offset, "a SQLSTATE has five characters");
  return text;
}

Statement *build_for(Parser *parser, const char *name, Statement *range, StatementList *body) {
  ARENA_PUSH(parser->arena, &range->flow->names, name);
  range->flow->body = *body;
  return range;
}
