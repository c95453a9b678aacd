/* grammar.y: the SQL that Alibi reads, for the Lemon parser generator.
 *
 * What the grammar sees is not quite the text: filter.c joins phrases (ORDER BY is one token), tells names
 * from keywords by their neighbours, and gives operators the token that has their precedence in the
 * dialect.  Actions only call build.h.  The production stands above each action as Lemon wants it.
 *
 * Precedence, from loose to tight.  Where the dialects disagree the same operator is fed as another token:
 *   IS                mysql, sqlite: with EQ and COMPARE_LOOSE; postgresql: looser than its comparisons
 *   = <>              mysql, sqlite: EQ, COMPARE_LOOSE; postgresql: EQ_TIGHT, COMPARE
 *   < <= > >=         mysql: COMPARE_LOOSE; sqlite, postgresql: COMPARE
 *   LIKE IN BETWEEN   sqlite: the _FLAT tokens, with EQ; postgresql: tighter than comparisons; mysql: too, but BETWEEN_LOOSE
 *                     below the others, and the NEGATED_ ones group to the right (a LIKE b NOT LIKE c)
 *   | and &           mysql: PIPE, AMPERSAND; elsewhere with the shifts: BITWISE
 *   ||                mysql: OR, or CONCAT with PIPES_AS_CONCAT; sqlite: CONCAT; postgresql: BITWISE
 *   ~ (unary)         postgresql: TILDE_LOOSE; elsewhere TILDE
 *   COLLATE           mysql: tighter than unary minus; elsewhere COLLATE_LOOSE */

%name Grammar
%token_prefix SQL_
%token_type {const Token *}
%extra_context {Parser *parser}
%stack_size 3000

%include {
#include "src/sql/build.h"
#include "src/sql/grammar.h"

#define YYNOERRORRECOVERY 1
#define YYMALLOCARGTYPE size_t
}
%syntax_error { parser_reject_token(parser, TOKEN); }
%stack_overflow { parser_too_deep(parser, parser->tokens->tokens.items[parser->current].offset); }

%nonassoc LOWEST.
%nonassoc INTO UNIT.
%left UNION UNION_ALL EXCEPT EXCEPT_ALL INTERSECT_FLAT.
%left INTERSECT INTERSECT_ALL.
%left OR.
%left XOR.
%left AND.
%right NOT.
%left IS IS_POSTFIX DISTINCT_FROM ISNULL NOTNULL NOT_NULL_POSTFIX EQ COMPARE_LOOSE LIKE_FLAT IN_FLAT BETWEEN_FLAT.
%left EQ_TIGHT COMPARE.
%right BETWEEN_LOOSE.
%left LIKE IN BETWEEN.
%right NEGATED_LIKE NEGATED_IN NEGATED_BETWEEN.
%right ESCAPE.
%left PIPE.
%left AMPERSAND.
%left BITWISE.
%left PLUS MINUS.
%left STAR MULTIPLY.
%left CARET.
%left CONCAT.
%left COLLATE_LOOSE.
%right UNARY TILDE TILDE_LOOSE BANG BINARY.
%left COLLATE.
%left TYPECAST.
%nonassoc RP.

/* Made by the tokenizer, and fed as another token or not at all. */
%token NE LT LE GT GE NULLSAFE SHIFT_LEFT SHIFT_RIGHT HASH SLASH PERCENT DIV MOD CREATE VALUE OVER UNSUPPORTED.

/* Words that are names wherever the grammar has no other use for them.  Lemon may merge a reduction into a
 * state's default and then prefers the fallback, so a word must not be here if it may follow something
 * whose next token may be a NAME (an alias, another word of a type): filter.c decides about those. */
%fallback NAME
  ANY ASC BEGIN BINARY CALL CASCADE CLOSE DECLARE DESC DO ELSEIF END ESCAPE EXTRACT FETCH IF IGNORE INCLUDE ISNULL ITERATE KEY LEAVE
  LOOP NOTNULL NOWAIT OF OPEN OUT POSITION PRECISION PRIORITY RECURSIVE RELEASE REPEAT REPLACE RESTRICT REVERSE ROW
  SAVEPOINT SELECT_OPTION SEPARATOR SIGNAL SQLEXCEPTION SQLSTATE SQLWARNING STORED SUBSTRING TRIM TRIM_SIDE TRUNCATE
  TYPE_SUFFIX UNIT UNIT_FUNCTION UNTIL WAIT WHILE.

/* ---- Texts ------------------------------------------------------------------------------ */

input ::= statements.
statements ::= statement_line.
statements ::= statements SEMI statement_line.
statement_line ::= .
statement_line ::= mark(M) statement(S). { parser_add(parser, M, S); }

/* The place in the text where the next token starts. */
%type mark {uint32_t}
mark(A) ::= . { A = parser->tokens->tokens.items[parser->current].offset; }
/* The place where the last token ended. */
%type stop {uint32_t}
stop(A) ::= . { A = parser->end; }

%type statement {Statement *}
%type action {Statement *}
statement(A) ::= action(A).
statement(A) ::= SESSION. { A = build_statement(parser, STATEMENT_SESSION, NULL); }
statement(A) ::= FOREIGN_ROUTINE(T). { A = build_foreign_routine(parser, T); }
statement(A) ::= create_procedure(P). { A = build_statement(parser, STATEMENT_CREATE_PROCEDURE, P); }

action(A) ::= select(S). { A = build_statement(parser, STATEMENT_SELECT, S); }
action(A) ::= insert(A).
action(A) ::= update(A).
action(A) ::= delete(A).
action(A) ::= create_table(T). { parser->in_table = false; A = build_statement(parser, STATEMENT_CREATE_TABLE, T); }
action(A) ::= create_index(A).
action(A) ::= create_view(A).
action(A) ::= drop(A).
action(A) ::= set(A).
action(A) ::= CALL qualified(N). { A = build_call_statement(parser, N.name, NULL); }
action(A) ::= CALL qualified(N) LP RP. { A = build_call_statement(parser, N.name, NULL); }
action(A) ::= CALL qualified(N) LP expr_list(L) RP. { A = build_call_statement(parser, N.name, L); }
action(A) ::= SAVEPOINT name(N). { A = build_savepoint(parser, STATEMENT_SAVEPOINT, N); }
action(A) ::= ROLLBACK_TO name(N). { A = build_savepoint(parser, STATEMENT_ROLLBACK_TO, N); }
action(A) ::= RELEASE name(N). { A = build_savepoint(parser, STATEMENT_RELEASE, N); }
action(A) ::= TRUNCATE name_list(N) truncate_options. { A = build_drop(parser, STATEMENT_TRUNCATE, N, false, NULL); }
truncate_options ::= .
truncate_options ::= truncate_options CASCADE|RESTRICT|IDENTITY_OPTION.

/* ---- Names --------------------------------------------------------------------------------- */

%type name {const char *}
%type name_list {NameList *}
%type qualified {TableName}
name(A) ::= NAME(T). { A = build_name(parser, T); }
name_list(A) ::= name(N). { A = build_names(parser, NULL, N); }
name_list(A) ::= name_list(A) COMMA name(N). { A = build_names(parser, A, N); }
qualified(A) ::= NAME(T). { A = (TableName){.name = build_name(parser, T), .offset = T->offset}; }
qualified(A) ::= NAME(S) DOT NAME(T). {
  A = (TableName){.schema = build_name(parser, S), .name = build_name(parser, T), .offset = S->offset};
}

%type qualified_list {NameList *}
qualified_list(A) ::= qualified(N). { A = build_names(parser, NULL, N.name); }
qualified_list(A) ::= qualified_list(A) COMMA qualified(N). { A = build_names(parser, A, N.name); }

/* ---- Expressions -------------------------------------------------------------------------------- */

%type expr {Expr *}
%type term {Expr *}
%type expr_list {ExprList *}
expr(A) ::= term(A).
expr_list(A) ::= expr(X). { A = build_list(parser, NULL, X); }
expr_list(A) ::= expr_list(A) COMMA expr(X). { A = build_list(parser, A, X); }

expr(A) ::= expr(X) OR(T) expr(Y). { A = build_logic(parser, EXPR_OR, T, X, Y); }
expr(A) ::= expr(X) XOR(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) AND(T) expr(Y). { A = build_logic(parser, EXPR_AND, T, X, Y); }
expr(A) ::= NOT(T) expr(X). { A = build_unary(parser, EXPR_NOT, T, X); }
expr(A) ::= expr(X) EQ(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) COMPARE_LOOSE(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) EQ_TIGHT(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) COMPARE(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) PIPE(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) AMPERSAND(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) BITWISE(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) PLUS|MINUS(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) STAR|MULTIPLY(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) CARET(T) expr(Y). { A = build_binary(parser, T, X, Y); }
expr(A) ::= expr(X) CONCAT(T) expr(Y). { A = build_binary(parser, T, X, Y); }

expr(A) ::= MINUS(T) expr(X). [UNARY] { A = build_unary(parser, EXPR_NEGATE, T, X); }
expr(A) ::= PLUS(T) expr(X). [UNARY] { A = build_unary(parser, EXPR_PLUS, T, X); }
expr(A) ::= TILDE(T) expr(X). [UNARY] { A = build_unary(parser, EXPR_BIT_NOT, T, X); }
expr(A) ::= TILDE_LOOSE(T) expr(X). [BITWISE] { A = build_unary(parser, EXPR_BIT_NOT, T, X); }
expr(A) ::= BANG(T) expr(X). [UNARY] { A = build_unary(parser, EXPR_NOT, T, X); }
expr(A) ::= BINARY(T) expr(X). [UNARY] { A = build_cast(parser, T, X, build_type(parser, T)); }
expr(A) ::= expr(X) COLLATE_LOOSE(T) name(N). { A = build_collate(parser, T, X, N); }
expr(A) ::= expr(X) COLLATE(T) name(N). { A = build_collate(parser, T, X, N); }
expr(A) ::= expr(X) TYPECAST(T) short_type(Y). { A = build_cast(parser, T, X, Y); }

expr(A) ::= expr(X) IS(T) expr(Y). { A = build_is(parser, T, X, Y); }
expr(A) ::= expr(X) IS_POSTFIX(T). { A = build_is_postfix(parser, T, X); }
expr(A) ::= expr(X) DISTINCT_FROM(T) expr(Y). { A = build_distinct_from(parser, T, X, Y); }
expr(A) ::= expr(X) ISNULL(T). { A = build_unary(parser, EXPR_IS_NULL, T, X); }
expr(A) ::= expr(X) NOTNULL(T). { A = build_unary(parser, EXPR_IS_NOT_NULL, T, X); }
expr(A) ::= expr(X) NOT_NULL_POSTFIX(T). { A = build_unary(parser, EXPR_IS_NOT_NULL, T, X); }

expr(A) ::= expr(X) LIKE(T) expr(Y). [LIKE] { A = build_like(parser, T, X, Y, NULL); }
expr(A) ::= expr(X) LIKE(T) expr(Y) ESCAPE expr(Z). [LIKE] { A = build_like(parser, T, X, Y, Z); }
expr(A) ::= expr(X) LIKE_FLAT(T) expr(Y). [LIKE_FLAT] { A = build_like(parser, T, X, Y, NULL); }
expr(A) ::= expr(X) LIKE_FLAT(T) expr(Y) ESCAPE expr(Z). [LIKE_FLAT] { A = build_like(parser, T, X, Y, Z); }
expr(A) ::= expr(X) NEGATED_LIKE(T) expr(Y). [LIKE] { A = build_like(parser, T, X, Y, NULL); }
expr(A) ::= expr(X) NEGATED_LIKE(T) expr(Y) ESCAPE expr(Z). [LIKE] { A = build_like(parser, T, X, Y, Z); }
expr(A) ::= expr(X) BETWEEN_LOOSE(T) expr(Y) AND expr(Z). [BETWEEN_LOOSE] { A = build_between(parser, T, X, Y, Z); }
expr(A) ::= expr(X) NEGATED_BETWEEN(T) expr(Y) AND expr(Z). [BETWEEN_LOOSE] { A = build_between(parser, T, X, Y, Z); }
expr(A) ::= expr(X) BETWEEN(T) expr(Y) AND expr(Z). [BETWEEN] { A = build_between(parser, T, X, Y, Z); }
expr(A) ::= expr(X) BETWEEN_FLAT(T) expr(Y) AND expr(Z). [BETWEEN_FLAT] { A = build_between(parser, T, X, Y, Z); }

expr(A) ::= expr(X) IN(T) LP RP. { A = build_in_list(parser, T, X, NULL); }
expr(A) ::= expr(X) IN(T) LP expr_list(L) RP. { A = build_in_list(parser, T, X, L); }
expr(A) ::= expr(X) IN(T) subquery(S). { A = build_in_select(parser, T, X, S); }
expr(A) ::= expr(X) NEGATED_IN(T) LP RP. { A = build_in_list(parser, T, X, NULL); }
expr(A) ::= expr(X) NEGATED_IN(T) LP expr_list(L) RP. { A = build_in_list(parser, T, X, L); }
expr(A) ::= expr(X) NEGATED_IN(T) subquery(S). { A = build_in_select(parser, T, X, S); }
expr(A) ::= expr(X) IN_FLAT(T) LP RP. { A = build_in_list(parser, T, X, NULL); }
expr(A) ::= expr(X) IN_FLAT(T) LP expr_list(L) RP. { A = build_in_list(parser, T, X, L); }
expr(A) ::= expr(X) IN_FLAT(T) subquery(S). { A = build_in_select(parser, T, X, S); }
expr(A) ::= expr(X) IN_FLAT(T) qualified(N). { A = build_in_table(parser, T, X, N); }
expr(A) ::= expr(X) EQ(T) ANY|ALL(Q) subquery(S). { A = build_quantified(parser, T, X, Q, S); }
expr(A) ::= expr(X) EQ_TIGHT(T) ANY|ALL(Q) subquery(S). { A = build_quantified(parser, T, X, Q, S); }
expr(A) ::= expr(X) COMPARE_LOOSE(T) ANY|ALL(Q) subquery(S). { A = build_quantified(parser, T, X, Q, S); }
expr(A) ::= expr(X) COMPARE(T) ANY|ALL(Q) subquery(S). { A = build_quantified(parser, T, X, Q, S); }

expr(A) ::= INTERVAL(T) expr(X) UNIT(U). { A = build_interval(parser, T, X, U); }
expr(A) ::= INTERVAL_TEXT(T) STRING(S). [LOWEST] { A = build_interval(parser, T, build_input(parser, S), NULL); }
expr(A) ::= INTERVAL_TEXT(T) STRING(S) UNIT(U). { A = build_interval(parser, T, build_input(parser, S), U); }

term(A) ::= NULL(T). { A = build_simple(parser, EXPR_NULL, T); }
term(A) ::= TRUE(T). { A = build_simple(parser, EXPR_TRUE, T); }
term(A) ::= FALSE(T). { A = build_simple(parser, EXPR_FALSE, T); }
term(A) ::= INTEGER|NUMBER|STRING|BLOB|PARAMETER(T). { A = build_input(parser, T); }
term(A) ::= TYPED(T) STRING(S). { A = build_typed(parser, T, S); }
term(A) ::= NAME(N). { A = build_column(parser, NULL, N); }
term(A) ::= NAME(T) DOT NAME(N). { A = build_column(parser, T, N); }
term(A) ::= NAME DOT NAME(T) DOT NAME(N). { A = build_column(parser, T, N); }
term(A) ::= USER_VARIABLE|SYSTEM_VARIABLE(T). { A = build_variable(parser, T); }
term(A) ::= LP expr(X) RP. { A = build_parentheses(X); }
term(A) ::= LP(T) expr(X) COMMA expr_list(L) RP. {
  ExprList *list = build_list(parser, NULL, X);
  for (uint32_t i = 0; i < L->count; i++) build_list(parser, list, L->items[i]);
  A = build_row(parser, T, list);
}
term(A) ::= ROW(T) LP expr_list(L) RP. { A = build_row(parser, T, L); }
term(A) ::= subquery(S). [LOWEST] { A = build_subquery(parser, EXPR_SCALAR, S); }
term(A) ::= EXISTS subquery(S). { A = build_subquery(parser, EXPR_EXISTS, S); }
term(A) ::= VALUES_OF(T) LP NAME(N) RP. { A = build_simple(parser, EXPR_VALUES_OF, T); A->name = build_name(parser, N); }

%type case_operand {Expr *}
%type case_branches {ExprList *}
%type case_else {Expr *}
term(A) ::= CASE(T) case_operand(X) case_branches(L) case_else(Y) END. { A = build_case(parser, T, X, L, Y); }
case_operand(A) ::= . { A = NULL; }
case_operand(A) ::= expr(A).
case_branches(A) ::= WHEN expr(X) THEN expr(Y). { A = build_list(parser, build_list(parser, NULL, X), Y); }
case_branches(A) ::= case_branches(A) WHEN expr(X) THEN expr(Y). { A = build_list(parser, build_list(parser, A, X), Y); }
case_else(A) ::= . { A = NULL; }
case_else(A) ::= ELSE expr(V). { A = V; }

term(A) ::= CAST(T) LP expr(X) AS type(Y) RP. { A = build_cast(parser, T, X, Y); }
term(A) ::= CONVERT(T) LP expr(X) COMMA type(Y) RP. { A = build_cast(parser, T, X, Y); }
term(A) ::= CONVERT LP expr(X) USING NAME(N) RP. { charset_check(parser, N); A = X; }
term(A) ::= EXTRACT(T) LP UNIT(U) FROM expr(X) RP. {
  A = build_call_named(parser, T, "EXTRACT", build_list(parser, NULL, X));
  A->op = build_unit(parser, U);
}
term(A) ::= EXTRACT(T) LP NAME(U) FROM expr(X) RP. {
  A = build_call_named(parser, T, "EXTRACT", build_list(parser, NULL, X));
  A->op = build_unit(parser, U);
}
term(A) ::= UNIT_FUNCTION(T) LP UNIT(U) COMMA expr_list(L) RP. {
  A = build_call_named(parser, T, NULL, L);
  A->op = build_unit(parser, U);
}
term(A) ::= SUBSTRING(T) LP expr_list(L) RP. { A = build_call_named(parser, T, "SUBSTRING", L); }
term(A) ::= SUBSTRING(T) LP expr(X) FROM expr(Y) RP. {
  A = build_call_named(parser, T, "SUBSTRING", build_list(parser, build_list(parser, NULL, X), Y));
}
term(A) ::= SUBSTRING(T) LP expr(X) FROM expr(Y) FOR_LENGTH expr(Z) RP. {
  ExprList *args = build_list(parser, build_list(parser, NULL, X), Y);
  A = build_call_named(parser, T, "SUBSTRING", build_list(parser, args, Z));
}
term(A) ::= POSITION(T) LP expr(X) POSITION_IN expr(Y) RP. {
  A = build_call_named(parser, T, "POSITION", build_list(parser, build_list(parser, NULL, X), Y));
}
term(A) ::= TRIM(T) LP expr_list(L) RP. { A = build_call_named(parser, T, "TRIM", L); }
term(A) ::= TRIM(T) LP expr(X) FROM expr(Y) RP. { A = build_trim(parser, T, NULL, X, Y); }
term(A) ::= TRIM(T) LP TRIM_SIDE(S) FROM expr(Y) RP. { A = build_trim(parser, T, S, NULL, Y); }
term(A) ::= TRIM(T) LP TRIM_SIDE(S) expr(X) FROM expr(Y) RP. { A = build_trim(parser, T, S, X, Y); }
term(A) ::= NILADIC(T). { A = build_call_named(parser, T, NULL, NULL); }
term(A) ::= IF(T) LP expr_list(L) RP. { A = build_call_named(parser, T, "IF", L); }

/* name(...), with what aggregates add */
%type call {Expr *}
%type call_open {Expr *}
term(A) ::= call(A).
term(A) ::= call(A) FILTER LP WHERE expr(X) RP. { build_call_part(parser, A, &A->filter, X); }
call_open(A) ::= NAME(N) LP. { A = build_call(parser, NULL, N); }
call_open(A) ::= NAME(S) DOT NAME(N) LP. { A = build_call(parser, S, N); }
call(A) ::= call_open(A) RP. { build_call_empty(parser, A); }
call(A) ::= call_open(A) STAR(T) RP. { build_call_args(parser, A, build_list(parser, NULL, build_simple(parser, EXPR_STAR, T))); }
call(A) ::= call_open(A) call_quantifier(Q) expr_list(L) call_order(O) call_separator(S) RP. {
  A->distinct = Q;
  build_call_args(parser, A, L);
  build_call_order(parser, A, O);
  build_call_part(parser, A, &A->separator, S);
}
%type call_quantifier {bool}
call_quantifier(A) ::= . { A = false; }
call_quantifier(A) ::= ALL. { A = false; }
call_quantifier(A) ::= DISTINCT. { A = true; }
%type call_order {OrderList *}
call_order(A) ::= . { A = NULL; }
call_order(A) ::= ORDER_BY order_list(V). { A = V; }
%type call_separator {Expr *}
call_separator(A) ::= . { A = NULL; }
call_separator(A) ::= SEPARATOR STRING(T). { A = build_input(parser, T); }

/* ---- Types ------------------------------------------------------------------------------------ */

%type type {TypeClause *}
%type type_words {TypeClause *}
%type short_type {TypeClause *}
type(A) ::= type_words(A). [LOWEST]
type(A) ::= type_words(A) type_numbers(N). { build_type_numbers(parser, A, N.first, N.second); }
type(A) ::= type(A) TYPE_SUFFIX|TIME_ZONE|BINARY(T). { build_type_word(parser, A, T); }
type(A) ::= type(A) CHARSET NAME(N). { charset_check(parser, N); }
type_words(A) ::= NAME(T). { A = build_type(parser, T); }
type_words(A) ::= type_words(A) NAME|PRECISION(T). { build_type_word(parser, A, T); }

/* Behind :: a second word would be an alias, but for these. */
short_type(A) ::= NAME(T). [LOWEST] { A = build_type(parser, T); }
short_type(A) ::= NAME(T) PRECISION(P). { A = build_type(parser, T); build_type_word(parser, A, P); }
short_type(A) ::= NAME(T) type_numbers(N). { A = build_type(parser, T); build_type_numbers(parser, A, N.first, N.second); }
short_type(A) ::= NAME(T) PRECISION(P) type_numbers(N). {
  A = build_type(parser, T);
  build_type_word(parser, A, P);
  build_type_numbers(parser, A, N.first, N.second);
}
short_type(A) ::= short_type(A) TIME_ZONE(T). { build_type_word(parser, A, T); }

%type type_numbers {struct { const Token *first, *second; }}
type_numbers(A) ::= LP INTEGER(X) RP. { A.first = X; A.second = NULL; }
type_numbers(A) ::= LP INTEGER(X) COMMA INTEGER(Y) RP. { A.first = X; A.second = Y; }
type_numbers(A) ::= LP string_list RP. { A.first = NULL; A.second = NULL; }
string_list ::= STRING.
string_list ::= string_list COMMA STRING.

/* ---- Queries ------------------------------------------------------------------------------------- */

%type select {Select *}
%type select_plain {Select *}
%type select_clause {Select *}
%type select_simple {Select *}
%type subquery {Subquery}
select(A) ::= select_plain(A).
select(A) ::= subquery(S). [LOWEST] { A = S.select; }
subquery(A) ::= LP(T) select_plain(S) RP. { A = (Subquery){.select = S, .offset = T->offset}; }
subquery(A) ::= LP(T) subquery(S) RP. { A = (Subquery){.select = S.select, .offset = T->offset, .is_nested = true}; }

select_plain(A) ::= select_simple(A).
select_plain(A) ::= select_clause(S) tail(T). { A = build_finish(parser, NULL, S, T); }
select_plain(A) ::= with(W) select_clause(S). { A = build_finish(parser, W, S, NULL); }
select_plain(A) ::= with(W) select_clause(S) tail(T). { A = build_finish(parser, W, S, T); }
select_clause(A) ::= select_simple(A).
select_clause(A) ::= subquery(S). { A = S.select; }

select_simple(A) ::= select_clause(X) UNION(T) select_clause(Y). { A = build_compound(parser, SELECT_UNION, T, X, Y); }
select_simple(A) ::= select_clause(X) UNION_ALL(T) select_clause(Y). { A = build_compound(parser, SELECT_UNION_ALL, T, X, Y); }
select_simple(A) ::= select_clause(X) EXCEPT(T) select_clause(Y). { A = build_compound(parser, SELECT_EXCEPT, T, X, Y); }
select_simple(A) ::= select_clause(X) EXCEPT_ALL(T) select_clause(Y). { A = build_compound(parser, SELECT_EXCEPT_ALL, T, X, Y); }
select_simple(A) ::= select_clause(X) INTERSECT(T) select_clause(Y). { A = build_compound(parser, SELECT_INTERSECT, T, X, Y); }
select_simple(A) ::= select_clause(X) INTERSECT_FLAT(T) select_clause(Y). { A = build_compound(parser, SELECT_INTERSECT, T, X, Y); }
select_simple(A) ::= select_clause(X) INTERSECT_ALL(T) select_clause(Y). { A = build_compound(parser, SELECT_INTERSECT_ALL, T, X, Y); }

select_simple(A) ::= SELECT(T) select_quantifier(Q) item_list(I) into(N) from_clause(F) where(W) group_by(G) having(H). {
  A = build_select(parser, T);
  A->distinct = Q;
  build_select_items(parser, A, I);
  if (N) tail_into(parser, A, T, N);
  build_select_from(parser, A, F);
  build_select_where(parser, A, W);
  build_select_group(parser, A, G);
  build_select_having(parser, A, H);
}
select_simple(A) ::= values(A).

%type values {Select *}
%type row {ExprList *}
%type value_list {ExprList *}
%type value {Expr *}
values(A) ::= VALUES(T) row(R). { A = build_select(parser, T); A->kind = SELECT_VALUES; build_select_row(parser, A, R); }
values(A) ::= values(A) COMMA row(R). { build_select_row(parser, A, R); }
row(A) ::= LP RP. { A = ARENA_NEW(parser->arena, ExprList); }
row(A) ::= LP value_list(V) RP. { A = V; }
row(A) ::= ROW LP value_list(V) RP. { A = V; }
value_list(A) ::= value(X). { A = build_list(parser, NULL, X); }
value_list(A) ::= value_list(A) COMMA value(X). { A = build_list(parser, A, X); }
value(A) ::= expr(A).
value(A) ::= DEFAULT(T). { A = build_simple(parser, EXPR_DEFAULT, T); }

%type select_quantifier {bool}
select_quantifier(A) ::= . { A = false; }
select_quantifier(A) ::= select_quantifier(A) ALL|PRIORITY|SELECT_OPTION|STRAIGHT_JOIN.
select_quantifier(A) ::= select_quantifier DISTINCT. { A = true; }

%type item_list {ItemList *}
%type item {SelectItem}
%type alias {const char *}
item_list(A) ::= item(I). { A = build_items(parser, NULL, I); }
item_list(A) ::= item_list(A) COMMA item(I). { A = build_items(parser, A, I); }
item(A) ::= mark(M) STAR(T). { A = build_item(M, M + 1, build_simple(parser, EXPR_STAR, T), NULL); }
item(A) ::= mark(M) NAME(N) DOT STAR(T). {
  Expr *star = build_simple(parser, EXPR_STAR, N);
  star->table = build_name(parser, N);
  A = build_item(M, T->offset + 1, star, NULL);
}
item(A) ::= mark(M) expr(X) stop(E) alias(N). { A = build_item(M, E, X, N); }
alias(A) ::= . { A = NULL; }
alias(A) ::= AS name(V). { A = V; }
alias(A) ::= name(A).
alias(A) ::= AS STRING(T). { A = build_name(parser, T); }
alias(A) ::= STRING(T). { A = build_name(parser, T); }

%type into {NameList *}
%type into_list {NameList *}
%type into_target {const char *}
into(A) ::= . [LOWEST] { A = NULL; }
into(A) ::= INTO into_list(V). { A = V; }
into_list(A) ::= into_target(N). { A = build_names(parser, NULL, N); }
into_list(A) ::= into_list(A) COMMA into_target(N). { A = build_names(parser, A, N); }
into_target(A) ::= name(A).
into_target(A) ::= USER_VARIABLE(T). { A = T->text; }

%type from_clause {From *}
from_clause(A) ::= . { A = NULL; }
from_clause(A) ::= FROM from(V). { A = V; }
%type where {Expr *}
where(A) ::= . { A = NULL; }
where(A) ::= WHERE expr(V). { A = V; }
%type group_by {ExprList *}
group_by(A) ::= . { A = NULL; }
group_by(A) ::= GROUP_BY expr_list(V). { A = V; }
%type having {Expr *}
having(A) ::= . { A = NULL; }
having(A) ::= HAVING expr(V). { A = V; }

/* What may stand behind a whole query, compounds included */
%type tail {Select *}
tail(A) ::= ORDER_BY(T) order_list(O). { A = build_tail(parser); tail_order(parser, A, T, O); }
tail(A) ::= LIMIT(T) limit(X). { A = build_tail(parser); tail_limit(parser, A, T, X); }
tail(A) ::= LIMIT(T) expr(X) COMMA expr(Y). { A = build_tail(parser); tail_limit(parser, A, T, Y); tail_offset(parser, A, T, X); }
tail(A) ::= OFFSET(T) offset(X). { A = build_tail(parser); tail_offset(parser, A, T, X); }
tail(A) ::= FETCH_FIRST(T) expr(X) ROWS_ONLY. { A = build_tail(parser); tail_limit(parser, A, T, X); }
tail(A) ::= lock(L). { A = build_tail(parser); tail_lock(parser, A, L); }
tail(A) ::= INTO(T) into_list(N). { A = build_tail(parser); tail_into(parser, A, T, N); }
tail(A) ::= tail(A) ORDER_BY(T) order_list(O). { tail_order(parser, A, T, O); }
tail(A) ::= tail(A) LIMIT(T) limit(X). { tail_limit(parser, A, T, X); }
tail(A) ::= tail(A) LIMIT(T) expr(X) COMMA expr(Y). { tail_limit(parser, A, T, Y); tail_offset(parser, A, T, X); }
tail(A) ::= tail(A) OFFSET(T) offset(X). { tail_offset(parser, A, T, X); }
tail(A) ::= tail(A) FETCH_FIRST(T) expr(X) ROWS_ONLY. { tail_limit(parser, A, T, X); }
tail(A) ::= tail(A) lock(L). { tail_lock(parser, A, L); }
tail(A) ::= tail(A) INTO(T) into_list(N). { tail_into(parser, A, T, N); }
%type limit {Expr *}
limit(A) ::= expr(A).
limit(A) ::= ALL. { A = NULL; }
%type offset {Expr *}
offset(A) ::= expr(A).
offset(A) ::= expr(A) ROW.

%type order_list {OrderList *}
%type order_term {OrderTerm}
%type direction {bool}
order_list(A) ::= order_term(T). { A = build_orders(parser, NULL, T); }
order_list(A) ::= order_list(A) COMMA order_term(T). { A = build_orders(parser, A, T); }
order_term(A) ::= expr(X) direction(D). { A = (OrderTerm){.expr = X, .descending = D}; }
order_term(A) ::= expr(X) direction(D) NULLS(T). {
  A = (OrderTerm){.expr = X, .descending = D, .nulls = token_is(parser, T + 1, "first") ? 1 : 2};
}
direction(A) ::= . { A = false; }
direction(A) ::= ASC. { A = false; }
direction(A) ::= DESC. { A = true; }

%type lock {LockClause}
%type lock_tables {NameList *}
lock(A) ::= LOCK_SHARE_MODE. { A = (LockClause){.kind = LOCK_SHARE}; }
lock(A) ::= LOCK_FOR(T) lock_tables(N). { A = build_lock(parser, T, N); }
lock(A) ::= LOCK_FOR(T) lock_tables(N) NOWAIT. { A = build_lock(parser, T, N); A.no_wait = true; }
lock(A) ::= LOCK_FOR(T) lock_tables(N) SKIP_LOCKED. { A = build_lock(parser, T, N); A.skip_locked = true; }
lock(A) ::= LOCK_FOR(T) lock_tables(N) WAIT INTEGER. { A = build_lock(parser, T, N); }
lock_tables(A) ::= . { A = NULL; }
lock_tables(A) ::= OF name_list(V). { A = V; }

%type with {Select *}
%type with_columns {NameList *}
with(A) ::= WITH NAME(N) with_columns(C) AS subquery(S). { A = build_with(parser, NULL, build_name(parser, N), C, S); }
with(A) ::= WITH RECURSIVE NAME(N) with_columns(C) AS subquery(S). {
  A = build_with(parser, NULL, build_name(parser, N), C, S);
  A->is_recursive = true;
}
with(A) ::= with(A) COMMA NAME(N) with_columns(C) AS subquery(S). { build_with(parser, A, build_name(parser, N), C, S); }
with_columns(A) ::= . { A = NULL; }
with_columns(A) ::= LP name_list(V) RP. { A = V; }

/* ---- FROM --------------------------------------------------------------------------------------- */

%type from {From *}
%type table {From *}
%type join {Join}
from(A) ::= table(A).
from(A) ::= from(X) COMMA(T) table(Y). { A = build_comma(parser, T, X, Y); }
from(A) ::= from(X) mark(M) join(J) table(Y) ON expr(C). {
  A = build_join(parser, &(Token){.offset = M}, J, X, Y, C, NULL);
}
from(A) ::= from(X) mark(M) join(J) table(Y) USING_COLUMNS LP name_list(N) RP. {
  A = build_join(parser, &(Token){.offset = M}, J, X, Y, NULL, N);
}
from(A) ::= from(X) mark(M) join(J) table(Y). [LOWEST] { A = build_join(parser, &(Token){.offset = M}, J, X, Y, NULL, NULL); }
join(A) ::= JOIN. { A = (Join){.kind = JOIN_INNER, .is_bare = true}; }
join(A) ::= STRAIGHT_JOIN. { A = (Join){.kind = JOIN_INNER, .is_bare = true}; }
join(A) ::= CROSS_JOIN. { A = (Join){.kind = JOIN_CROSS}; }
join(A) ::= LEFT_JOIN. { A = (Join){.kind = JOIN_LEFT, .is_bare = true}; }
join(A) ::= RIGHT_JOIN. { A = (Join){.kind = JOIN_RIGHT, .is_bare = true}; }
join(A) ::= FULL_JOIN. { A = (Join){.kind = JOIN_FULL, .is_bare = true}; }
join(A) ::= NATURAL join(V). { A = V; A.natural = true; A.is_bare = false; }

table(A) ::= qualified(N). [LOWEST] { A = build_table(parser, N); }
table(A) ::= qualified(N) table_alias(L). { A = build_table(parser, N); build_alias(A, L.name, L.columns); }
table(A) ::= subquery(S). [LOWEST] { A = build_derived(parser, S); }
table(A) ::= subquery(S) table_alias(L). { A = build_derived(parser, S); build_alias(A, L.name, L.columns); }
table(A) ::= LP from(V) RP. { A = V; A->is_comma = false; }
table(A) ::= table(A) INDEX_HINT hint_purpose LP RP.
table(A) ::= table(A) INDEX_HINT hint_purpose LP hint_names RP.
table(A) ::= table(A) INDEXED_BY name.
table(A) ::= table(A) NOT_INDEXED.
hint_purpose ::= .
hint_purpose ::= FOR JOIN|ORDER_BY|GROUP_BY.
hint_names ::= NAME.
hint_names ::= hint_names COMMA NAME.

%type table_alias {struct { const char *name; NameList *columns; }}
table_alias(A) ::= AS name(N). { A.name = N; A.columns = NULL; }
table_alias(A) ::= name(N). { A.name = N; A.columns = NULL; }
table_alias(A) ::= AS STRING(T). { A.name = build_name(parser, T); A.columns = NULL; }
table_alias(A) ::= AS name(N) LP name_list(C) RP. { A.name = N; A.columns = C; }
table_alias(A) ::= name(N) LP name_list(C) RP. { A.name = N; A.columns = C; }

/* ---- INSERT, UPDATE, DELETE ---------------------------------------------------------------------- */

%type insert {Statement *}
%type insert_head {struct { TableName table; uint8_t conflict; const char *alias; }}
%type insert_verb {uint8_t}
%type insert_source {Insert *}
%type upsert {Insert *}
%type returning {ItemList *}
insert(A) ::= insert_head(H) insert_source(S) upsert(U) returning(R). {
  parser->in_duplicate = false;
  A = build_insert(parser, H.table, H.conflict, H.alias, S, U, R);
}
insert_head(A) ::= insert_verb(V) qualified(N). { A.table = N; A.conflict = V; A.alias = NULL; }
insert_head(A) ::= insert_verb(V) qualified(N) AS name(L). { A.table = N; A.conflict = V; A.alias = L; }
insert_verb(A) ::= INSERT. { A = CONFLICT_ERROR; }
insert_verb(A) ::= REPLACE. { A = CONFLICT_REPLACE; }
insert_verb(A) ::= INSERT OR REPLACE|IGNORE|NAME(T). { A = build_conflict_word(parser, T); }
insert_verb(A) ::= insert_verb(A) PRIORITY.
insert_verb(A) ::= insert_verb IGNORE. { A = CONFLICT_IGNORE; }
insert_verb(A) ::= insert_verb(A) INTO.

insert_source(A) ::= select(S). { A = build_insert_values(parser, NULL, S); }
insert_source(A) ::= OVERRIDING select(S). { A = build_insert_values(parser, NULL, S); }
insert_source(A) ::= LP name_list(N) RP select(S). { A = build_insert_values(parser, N, S); }
insert_source(A) ::= LP name_list(N) RP OVERRIDING select(S). { A = build_insert_values(parser, N, S); }
insert_source(A) ::= LP RP select(S). { A = build_insert_values(parser, NULL, S); }
insert_source(A) ::= SET(T) assignments(L). { A = build_insert_set(parser, T, L); }
insert_source(A) ::= DEFAULT_VALUES. { A = build_insert_default(parser); }

upsert(A) ::= . { A = NULL; }
upsert(A) ::= ON_CONFLICT DO_NOTHING. { A = build_upsert(parser, CONFLICT_NOTHING, NULL, NULL, NULL, NULL); }
upsert(A) ::= ON_CONFLICT LP index_columns(C) RP DO_NOTHING. { A = build_upsert(parser, CONFLICT_NOTHING, C, NULL, NULL, NULL); }
upsert(A) ::= ON_CONFLICT ON CONSTRAINT name(N) DO_NOTHING. { A = build_upsert(parser, CONFLICT_NOTHING, NULL, N, NULL, NULL); }
upsert(A) ::= ON_CONFLICT DO_UPDATE assignments(L) where(W). { A = build_upsert(parser, CONFLICT_UPDATE, NULL, NULL, L, W); }
upsert(A) ::= ON_CONFLICT LP index_columns(C) RP DO_UPDATE assignments(L) where(W). {
  A = build_upsert(parser, CONFLICT_UPDATE, C, NULL, L, W);
}
upsert(A) ::= ON_CONFLICT ON CONSTRAINT name(N) DO_UPDATE assignments(L) where(W). {
  A = build_upsert(parser, CONFLICT_UPDATE, NULL, N, L, W);
}
upsert(A) ::= ON_DUPLICATE assignments(L). { A = build_upsert(parser, CONFLICT_DUPLICATE_KEY, NULL, NULL, L, NULL); }
returning(A) ::= . { A = NULL; }
returning(A) ::= RETURNING item_list(V). { A = V; }

%type assignments {AssignmentList *}
assign ::= EQ|EQ_TIGHT|ASSIGN.
assignments(A) ::= NAME(N) assign value(X). { A = build_assignment(parser, NULL, NULL, N, X); }
assignments(A) ::= NAME(T) DOT NAME(N) assign value(X). { A = build_assignment(parser, NULL, T, N, X); }
assignments(A) ::= LP(T) name_list(N) RP assign expr(X). { A = build_assignment_row(parser, NULL, T, N, X); }
assignments(A) ::= assignments(A) COMMA NAME(N) assign value(X). { A = build_assignment(parser, A, NULL, N, X); }
assignments(A) ::= assignments(A) COMMA NAME(T) DOT NAME(N) assign value(X). { A = build_assignment(parser, A, T, N, X); }
assignments(A) ::= assignments(A) COMMA LP(T) name_list(N) RP assign expr(X). { A = build_assignment_row(parser, A, T, N, X); }

%type update {Statement *}
%type update_verb {uint8_t}
%type change_tail {Select *}
update(A) ::= update_verb(V) from(T) SET assignments(L) from_clause(F) where(W) change_tail(E) returning(R). {
  A = build_update(parser, T, V, L, F, W, E, R);
}
update_verb(A) ::= UPDATE. { A = CONFLICT_ERROR; }
update_verb(A) ::= UPDATE OR REPLACE|IGNORE|NAME(T). { A = build_conflict_word(parser, T); }
update_verb(A) ::= update_verb(A) PRIORITY.
update_verb(A) ::= update_verb IGNORE. { A = CONFLICT_IGNORE; }
change_tail(A) ::= . { A = NULL; }
change_tail(A) ::= tail(A).

%type delete {Statement *}
delete(A) ::= delete_verb FROM from(F) where(W) change_tail(E) returning(R). { A = build_delete(parser, NULL, F, NULL, W, E, R); }
delete(A) ::= delete_verb FROM from(F) USING from(U) where(W) change_tail(E) returning(R). {
  A = build_delete(parser, NULL, F, U, W, E, R);
}
delete(A) ::= delete_verb delete_targets(N) FROM from(F) where(W). { A = build_delete(parser, N, F, NULL, W, NULL, NULL); }
delete_verb ::= DELETE.
delete_verb ::= delete_verb PRIORITY.
%type delete_targets {NameList *}
%type delete_target {const char *}
delete_targets(A) ::= delete_target(N). { A = build_names(parser, NULL, N); }
delete_targets(A) ::= delete_targets(A) COMMA delete_target(N). { A = build_names(parser, A, N); }
delete_target(A) ::= name(A).
delete_target(A) ::= name(A) DOT STAR.

/* ---- CREATE TABLE ------------------------------------------------------------------------------------ */

%type create_table {CreateTable *}
%type create_head {CreateTable *}
%type elements {CreateTable *}
%type column {ColumnClause *}
%type constraint {TableConstraint *}
%type reference {TableConstraint *}
%type if_not_exists {bool}
if_not_exists(A) ::= . { A = false; }
if_not_exists(A) ::= IF_NOT_EXISTS. { A = true; }

create_head(A) ::= CREATE_TABLE if_not_exists(E) qualified(N). {
  A = build_create_table(parser);
  A->name = N.name;
  A->if_not_exists = E;
  A->is_temporary = parser->is_temporary;
}
%type created {CreateTable *}
create_table(A) ::= created(A).
create_table(A) ::= created(A) AS select(S). { A->select = S; }
create_table(A) ::= create_head(A) AS select(S). { A->select = S; }
create_table(A) ::= create_head(A) select_plain(S). { A->select = S; }
created(A) ::= create_head(H) LP elements(V) RP. {
  A = V;
  A->name = H->name;
  A->if_not_exists = H->if_not_exists;
  A->is_temporary = H->is_temporary;
}
created(A) ::= created(A) COMMA.
created(A) ::= created(A) DEFAULT.
created(A) ::= created(A) NAME option_equals option_value.
created(A) ::= created(A) COMMENT option_equals STRING.
created(A) ::= created(A) AUTO_INCREMENT option_equals INTEGER.
created(A) ::= created(A) CHARSET option_equals NAME|STRING(N). { charset_check(parser, N); }
created(A) ::= created(A) COLLATE|COLLATE_LOOSE option_equals NAME|STRING(N). { A->collation = build_name(parser, N); }
created(A) ::= created(A) WITH LP storage_list RP.
created(A) ::= created(A) WITHOUT_ROWID. { A->without_rowid = true; }
created(A) ::= created(A) STRICT. { A->is_strict = true; }
option_equals ::= .
option_equals ::= EQ|EQ_TIGHT.
option_value ::= NAME|STRING|INTEGER|NUMBER|DEFAULT.
storage_list ::= storage.
storage_list ::= storage_list COMMA storage.
storage ::= NAME option_equals option_value.

elements(A) ::= column(C). { A = build_create_table(parser); table_column_add(parser, A, C); }
elements(A) ::= elements(A) COMMA column(C). { table_column_add(parser, A, C); }
elements(A) ::= elements(A) COMMA constraint(C). { table_constraint_add(parser, A, C); }

column(A) ::= NAME(N). { A = build_column_clause(parser, N, NULL); }
column(A) ::= NAME(N) type(T). { A = build_column_clause(parser, N, T); }
column(A) ::= column(A) CONSTRAINT name(N). { parser->constraint_name = N; }
column(A) ::= column(A) NOT NULL. { A->not_null = true; }
column(A) ::= column(A) NULL.
column(A) ::= column(A) PRIMARY_KEY direction. { A->primary_key = true; }
column(A) ::= column(A) UNIQUE. { A->unique = true; }
column(A) ::= column(A) UNIQUE KEY. { A->unique = true; }
column(A) ::= column(A) AUTO_INCREMENT. { A->auto_increment = true; }
column(A) ::= column(A) DEFAULT default(X). { column_default(parser, A, X); }
column(A) ::= column(A) CHECK LP expr(X) RP. { column_check(parser, A, X); }
column(A) ::= column(A) reference(R). [LOWEST] { column_references(parser, A, R); }
column(A) ::= column(A) deferral(D). { if (D) column_deferred(A); }
column(A) ::= column(A) COLLATE|COLLATE_LOOSE NAME|STRING(N). { A->collation = build_name(parser, N); }
column(A) ::= column(A) COMMENT STRING.
column(A) ::= column(A) ON_UPDATE_NOW now_precision. { A->on_update_now = true; }
column(A) ::= column(A) AS_IDENTITY. [LOWEST] { A->auto_increment = true; A->not_null = true; }
column(A) ::= column(A) AS_IDENTITY LP sequence_options RP. { A->auto_increment = true; A->not_null = true; }
column(A) ::= column(A) GENERATED_AS|AS LP expr(X) RP stored. { column_generated(parser, A, X); }
stored ::= .
stored ::= STORED.
now_precision ::= .
now_precision ::= LP RP.
now_precision ::= LP INTEGER RP.
sequence_options ::= .
sequence_options ::= sequence_options NAME|INTEGER|MINUS|WITH|RESTRICT.

/* A term, so that NOT NULL behind it is the next constraint */
%type default {Expr *}
default(A) ::= term(A).
default(A) ::= MINUS(T) term(X). { A = build_unary(parser, EXPR_NEGATE, T, X); }
default(A) ::= PLUS(T) term(X). { A = build_unary(parser, EXPR_PLUS, T, X); }
default(A) ::= default(X) PLUS|MINUS(T) default(Y). { A = build_default_binary(parser, T, X, Y); }
default(A) ::= default(X) STAR|MULTIPLY(T) default(Y). { A = build_default_binary(parser, T, X, Y); }
default(A) ::= default(X) BITWISE(T) default(Y). { A = build_default_binary(parser, T, X, Y); }
default(A) ::= default(X) TYPECAST(T) short_type(Y). { A = build_cast(parser, T, X, Y); }

reference(A) ::= REFERENCES qualified(P). [LOWEST] { A = build_reference(parser, P, NULL); }
reference(A) ::= REFERENCES qualified(P) LP name_list(N) RP. { A = build_reference(parser, P, N); }
reference(A) ::= reference(A) MATCH.
reference(A) ::= reference(A) ON DELETE foreign_action(X). { reference_action(A, true, X); }
reference(A) ::= reference(A) ON UPDATE foreign_action(X). { reference_action(A, false, X); }
%type foreign_action {ForeignAction}
foreign_action(A) ::= NO_ACTION. { A = ACTION_NONE; }
foreign_action(A) ::= RESTRICT. { A = ACTION_NONE; }
foreign_action(A) ::= CASCADE. { A = ACTION_CASCADE; }
foreign_action(A) ::= SET NULL. { A = ACTION_SET_NULL; }
foreign_action(A) ::= SET DEFAULT. { A = ACTION_SET_DEFAULT; }
%type deferral {bool}
deferral(A) ::= DEFERRABLE|NOT_DEFERRABLE|INITIALLY_IMMEDIATE. { A = false; }
deferral(A) ::= INITIALLY_DEFERRED. { A = true; }

%type constraint_name {const char *}
%type constraint_body {TableConstraint *}
constraint(A) ::= constraint_body(A).
constraint(A) ::= CONSTRAINT name(N) constraint_body(V). { A = V; A->name = N; }
constraint(A) ::= CONSTRAINT constraint_body(V). { A = V; }
constraint(A) ::= constraint(A) deferral(D). { A->is_deferred |= D; }
constraint(A) ::= constraint(A) USING name.
constraint(A) ::= constraint(A) COMMENT STRING.
constraint_body(A) ::= PRIMARY_KEY index_method LP index_columns(C) RP. {
  A = build_constraint(parser, CONSTRAINT_PRIMARY_KEY, NULL, C);
}
constraint_body(A) ::= UNIQUE constraint_name(N) index_method LP index_columns(C) RP. {
  A = build_constraint(parser, CONSTRAINT_UNIQUE, N, C);
}
constraint_body(A) ::= UNIQUE KEY constraint_name(N) index_method LP index_columns(C) RP. {
  A = build_constraint(parser, CONSTRAINT_UNIQUE, N, C);
}
constraint_body(A) ::= INDEX_CLAUSE constraint_name(N) index_method LP index_columns(C) RP. {
  A = build_constraint(parser, CONSTRAINT_INDEX, N, C);
}
constraint_body(A) ::= FULLTEXT constraint_name(N) LP index_columns(C) RP. {
  A = build_constraint(parser, CONSTRAINT_INDEX, N, C);
  A->is_partial = true;
}
constraint_body(A) ::= FOREIGN_KEY constraint_name(N) LP name_list(C) RP reference(R). [LOWEST] {
  A = R;
  A->name = N;
  A->columns = *C;
}
constraint_body(A) ::= CHECK LP expr(X) RP. {
  A = build_constraint(parser, CONSTRAINT_CHECK, NULL, NULL);
  A->check = X;
}
constraint_name(A) ::= . { A = NULL; }
constraint_name(A) ::= name(A).
index_method ::= .
index_method ::= USING NAME.

%type index_columns {IndexColumns *}
index_columns(A) ::= index_column(C). { A = build_index_column(parser, NULL, C.name, C.is_partial); }
index_columns(A) ::= index_columns(A) COMMA index_column(C). { build_index_column(parser, A, C.name, C.is_partial); }
%type index_column {struct { const char *name; bool is_partial; }}
index_column(A) ::= NAME(N) direction index_nulls. { A.name = build_name(parser, N); A.is_partial = false; }
index_column(A) ::= NAME(N) LP expr_list RP direction. { /* a prefix in mysql, else a function */
  A.name = dialect_is_mysql(parser->dialect) ? build_name(parser, N) : NULL;
  A.is_partial = true;
}
index_column(A) ::= NAME(N) COLLATE|COLLATE_LOOSE name direction. { A.name = build_name(parser, N); A.is_partial = true; }
index_column(A) ::= LP expr RP direction. { A.name = NULL; A.is_partial = true; }
index_nulls ::= .
index_nulls ::= NULLS.

/* ---- Indexes, views, DROP, SET ------------------------------------------------------------------------ */

%type create_index {Statement *}
create_index(A) ::= index_head(H) ON qualified(T) index_method LP index_columns(C) RP. {
  A = build_create_index(parser, H.is_unique, H.if_not_exists, H.name, T, C);
}
create_index(A) ::= create_index(A) WHERE expr. { A->create_index->is_partial = true; }
create_index(A) ::= create_index(A) INCLUDE LP name_list RP.
create_index(A) ::= create_index(A) WITH LP storage_list RP.
create_index(A) ::= create_index(A) USING name.
create_index(A) ::= create_index(A) COMMENT STRING.
%type index_head {struct { const char *name; bool is_unique, if_not_exists; }}
index_head(A) ::= CREATE_INDEX if_not_exists(E). { A.name = NULL; A.is_unique = parser->is_unique; A.if_not_exists = E; }
index_head(A) ::= CREATE_INDEX if_not_exists(E) qualified(N). {
  A.name = N.name;
  A.is_unique = parser->is_unique;
  A.if_not_exists = E;
}
index_head(A) ::= index_head(A) USING name.

%type create_view {Statement *}
create_view(A) ::= CREATE_VIEW if_not_exists(E) qualified(N) with_columns(C) AS mark(M) select(S) stop(P) check_option. {
  A = build_create_view(parser, parser->or_replace, E, N, C, M, P, S);
}
check_option ::= .
check_option ::= CHECK_OPTION.

%type drop {Statement *}
%type if_exists {bool}
if_exists(A) ::= . { A = false; }
if_exists(A) ::= IF_EXISTS. { A = true; }
drop(A) ::= DROP_TABLE if_exists(E) qualified_list(N). { A = build_drop(parser, STATEMENT_DROP_TABLE, N, E, NULL); }
drop(A) ::= DROP_VIEW if_exists(E) qualified_list(N). { A = build_drop(parser, STATEMENT_DROP_VIEW, N, E, NULL); }
drop(A) ::= DROP_INDEX if_exists(E) qualified_list(N). { A = build_drop(parser, STATEMENT_DROP_INDEX, N, E, NULL); }
drop(A) ::= DROP_INDEX if_exists(E) qualified_list(N) ON qualified(T). {
  A = build_drop(parser, STATEMENT_DROP_INDEX, N, E, T.name);
}
drop(A) ::= DROP_PROCEDURE if_exists(E) qualified_list(N). { A = build_drop(parser, STATEMENT_DROP_PROCEDURE, N, E, NULL); }
drop(A) ::= DROP_PROCEDURE if_exists(E) qualified_list(N) LP RP. { A = build_drop(parser, STATEMENT_DROP_PROCEDURE, N, E, NULL); }
drop(A) ::= drop(A) CASCADE. { A->drop.cascade = true; }
drop(A) ::= drop(A) RESTRICT.

%type set {Statement *}
set(A) ::= SET into_target(N) assign expr(X). { A = build_set(parser, NULL, N, X); }
set(A) ::= set(A) COMMA into_target(N) assign expr(X). { build_set(parser, A, N, X); }

/* ---- Procedures ------------------------------------------------------------------------------------------ */

%type create_procedure {CreateProcedure *}
%type procedure_head {CreateProcedure *}
%type parameters {CreateProcedure *}
create_procedure(A) ::= procedure_head(A) body_statement(S). { A->body = S; }
procedure_head(A) ::= CREATE_PROCEDURE if_not_exists(E) qualified(N) LP parameters(V) RP. {
  A = V;
  A->name = N.name;
  A->if_not_exists = E;
}
procedure_head(A) ::= CREATE_PROCEDURE if_not_exists(E) qualified(N) LP RP. {
  A = build_procedure(parser);
  A->name = N.name;
  A->if_not_exists = E;
}
parameters(A) ::= parameter_mode(M) name(N) type(T). {
  A = build_procedure(parser);
  procedure_parameter(parser, A, M, N, T);
}
parameters(A) ::= parameters(A) COMMA parameter_mode(M) name(N) type(T). { procedure_parameter(parser, A, M, N, T); }
%type parameter_mode {ParameterMode}
parameter_mode(A) ::= . { A = PARAMETER_IN; }
parameter_mode(A) ::= IN. { A = PARAMETER_IN; }
parameter_mode(A) ::= IN_FLAT. { A = PARAMETER_IN; }
parameter_mode(A) ::= OUT(T). { A = token_is(parser, T, "out") ? PARAMETER_OUT : PARAMETER_INOUT; }

%type body_statement {Statement *}
%type body {Statement *}
%type body_list {StatementList *}
%type block {Statement *}
body_statement(A) ::= mark(M) body(V). { A = V; A->offset = M; A->length = parser->end - M; }
body_list(A) ::= . { A = build_body(parser, NULL, NULL); }
body_list(A) ::= body_list(A) body_statement(S) SEMI. { A = build_body(parser, A, S); }
body(A) ::= action(A).
body(A) ::= block(A).
body(A) ::= name(L) COLON block(V). [LOWEST] { A = V; A->flow->label = L; }
body(A) ::= name(L) COLON block(V) name. { A = V; A->flow->label = L; }

block(A) ::= BEGIN body_list(L) END. { A = build_flow(parser, STATEMENT_BLOCK); A->flow->body = *L; }
block(A) ::= WHILE expr(X) DO body_list(L) END_WHILE. {
  A = build_flow(parser, STATEMENT_WHILE);
  A->flow->condition = X;
  A->flow->body = *L;
}
block(A) ::= REPEAT body_list(L) UNTIL expr(X) END_REPEAT. {
  A = build_flow(parser, STATEMENT_REPEAT);
  A->flow->condition = X;
  A->flow->body = *L;
}
block(A) ::= LOOP body_list(L) END_LOOP. { A = build_flow(parser, STATEMENT_LOOP); A->flow->body = *L; }
block(A) ::= FOR name(N) IN for_range(R) DO body_list(L) END_FOR. { A = build_for(parser, N, R, L); }
%type for_range {Statement *}
for_range(A) ::= expr(X) DOTDOT expr(Y). {
  A = build_flow(parser, STATEMENT_FOR);
  A->flow->value = X;
  A->flow->upper = Y;
}
for_range(A) ::= REVERSE expr(X) DOTDOT expr(Y). {
  A = build_flow(parser, STATEMENT_FOR);
  A->flow->value = X;
  A->flow->upper = Y;
  A->flow->is_reverse = true;
}
for_range(A) ::= NAME(C). { A = build_flow(parser, STATEMENT_FOR); A->flow->cursor = build_name(parser, C); }
for_range(A) ::= subquery(S). { A = build_flow(parser, STATEMENT_FOR); A->flow->select = S.select; }

%type branches {BranchList *}
%type else_branch {StatementList *}
body(A) ::= IF expr(X) THEN body_list(L) elseifs(B) else_branch(E) END_IF. {
  BranchList *all = build_branch(parser, NULL, X, L);
  for (uint32_t i = 0; i < B->count; i++) build_branch(parser, all, B->items[i].condition, &B->items[i].body);
  if (E) build_branch(parser, all, NULL, E);
  A = build_flow(parser, STATEMENT_IF);
  memcpy(&A->flow->branches, all, sizeof *all);
}
%type elseifs {BranchList *}
elseifs(A) ::= . { A = ARENA_NEW(parser->arena, BranchList); }
elseifs(A) ::= elseifs(A) ELSEIF expr(X) THEN body_list(L). { build_branch(parser, A, X, L); }
else_branch(A) ::= . { A = NULL; }
else_branch(A) ::= ELSE body_list(V). { A = V; }
body(A) ::= CASE case_operand(X) branches(B) else_branch(E) END_CASE. {
  if (E) build_branch(parser, B, NULL, E);
  A = build_flow(parser, STATEMENT_CASE);
  A->flow->condition = X;
  memcpy(&A->flow->branches, B, sizeof *B);
}
branches(A) ::= WHEN expr(X) THEN body_list(L). { A = build_branch(parser, NULL, X, L); }
branches(A) ::= branches(A) WHEN expr(X) THEN body_list(L). { build_branch(parser, A, X, L); }

body(A) ::= LEAVE name(N). { A = build_flow(parser, STATEMENT_LEAVE); A->flow->label = N; }
body(A) ::= ITERATE name(N). { A = build_flow(parser, STATEMENT_ITERATE); A->flow->label = N; }
body(A) ::= OPEN name(N). { A = build_flow(parser, STATEMENT_OPEN); A->flow->cursor = N; }
body(A) ::= CLOSE name(N). { A = build_flow(parser, STATEMENT_CLOSE); A->flow->cursor = N; }
body(A) ::= FETCH name(N) INTO into_list(L). {
  A = build_flow(parser, STATEMENT_FETCH);
  A->flow->cursor = N;
  A->flow->names = *L;
}
body(A) ::= SIGNAL SQLSTATE STRING(T). { A = build_flow(parser, STATEMENT_SIGNAL); A->flow->sqlstate = build_sqlstate(parser, T); }
body(A) ::= SIGNAL SQLSTATE STRING(T) SET assignments. {
  A = build_flow(parser, STATEMENT_SIGNAL);
  A->flow->sqlstate = build_sqlstate(parser, T);
}

body(A) ::= DECLARE name_list(N) type(T). {
  A = build_flow(parser, STATEMENT_DECLARE);
  A->flow->names = *N;
  A->flow->type = build_type_parse(parser, T);
}
body(A) ::= DECLARE name_list(N) type(T) DEFAULT expr(X). {
  A = build_flow(parser, STATEMENT_DECLARE);
  A->flow->names = *N;
  A->flow->type = build_type_parse(parser, T);
  A->flow->value = X;
}
body(A) ::= DECLARE name(N) CURSOR_FOR select(S). {
  A = build_flow(parser, STATEMENT_DECLARE_CURSOR);
  A->flow->cursor = N;
  A->flow->select = S;
}
%type handler_head {Statement *}
body(A) ::= handler_head(A) body_statement(S). { ARENA_PUSH(parser->arena, &A->flow->body, S); }
handler_head(A) ::= handler_head(A) COMMA handler_condition(C). { flow_condition(parser, A, C.kind, C.code); }
handler_head(A) ::= DECLARE CONTINUE_HANDLER handler_condition(C). {
  A = build_flow(parser, STATEMENT_DECLARE_HANDLER);
  flow_condition(parser, A, C.kind, C.code);
}
handler_head(A) ::= DECLARE EXIT_HANDLER handler_condition(C). {
  A = build_flow(parser, STATEMENT_DECLARE_HANDLER);
  A->flow->is_exit = true;
  flow_condition(parser, A, C.kind, C.code);
}
%type handler_condition {struct { HandlerCondition kind; const Token *code; }}
handler_condition(A) ::= NOT_FOUND. { A.kind = HANDLER_NOT_FOUND; A.code = NULL; }
handler_condition(A) ::= SQLEXCEPTION. { A.kind = HANDLER_SQLEXCEPTION; A.code = NULL; }
handler_condition(A) ::= SQLWARNING. { A.kind = HANDLER_SQLWARNING; A.code = NULL; }
handler_condition(A) ::= SQLSTATE STRING(T). { A.kind = HANDLER_SQLSTATE; A.code = T; }
handler_condition(A) ::= INTEGER(T). { A.kind = HANDLER_CODE; A.code = T; }

%code {
/* Feeds the tokens one by one.  The stack is on the C stack and of fixed size: what needs more is too deep. */
void grammar_run(Parser *parser) {
  yyParser engine;
  const Token *token;
  uint16_t code;
  GrammarInit(&engine, parser);
  do {
    code = filter_next(parser, &token);
    Grammar(&engine, code, token);
  } while (code && parser->answer == PARSE_OK);
  GrammarFinalize(&engine);
}
}
