/* convert.h: what an operand is worth where an operator wants a number, by dialect.
 *
 * NULL and doubts are settled before.  mysql: a text that is no number is an error
 * inside a strict write, otherwise its numeric prefix. */
#ifndef ALIBI_SEMANTICS_CONVERT_H
#define ALIBI_SEMANTICS_CONVERT_H

#include "semantics/datetime.h"
#include "semantics/eval.h"
#include "semantics/number.h"

/* True or false as the dialect has them: booleans or integers; -1 is NULL. */
static inline Value truth_value(const Eval *eval, int truth) {
  if (truth < 0) return NULL_VALUE;
  return (Value){.kind = dialect_is_postgres(eval->dialect) ? VALUE_BOOL : VALUE_INT, .integer = truth};
}

/* INT, UINT, DECIMAL, WIDE or DOUBLE; texts become doubles. Sets abort where it is not modelled. */
Value mysql_number(Eval *eval, Value value);
/* The number a text begins with; false: abort is set. */
bool mysql_text(Eval *eval, Value text, NumberText *number);
/* 64 bits, for bit operators. */
bool mysql_bits(Eval *eval, Value value, uint64_t *bits);
/* An integer argument of a function, rounded. */
bool mysql_integer(Eval *eval, Value value, int64_t *integer);
/* A number as the expression has it of which it is a branch (CASE, IF, COALESCE): more digits may show. */
Value mysql_widen(Eval *eval, Value value, Type type);
/* A text or number as a date or time; what is neither is TIME_UNSUPPORTED. */
TimeAnswer mysql_moment(Value value, TimeText *parsed);
/* What stands beside a date in a comparison: what is no date counts as the zero date, which is before all others. */
Value mysql_stamp(Eval *eval, Value value);
/* In a strict write a text beside NULL may be converted, or not: if it is no number, that error is possible. */
void mysql_note_text(Eval *eval, Value value, Type other);
/* 20200102, 20200102030405[.f], 102030[.f]. */
Value mysql_time_number(Eval *eval, Value value);

/* PostgreSQL: CHAR(n) loses its padding where its context makes it another type of text. */
Value postgres_unpad(Value value, Type from, Type to);

/* INT or DOUBLE. */
Value sqlite_operand(Value value);
int64_t sqlite_bits(Value value);

/* An integer argument of a function in any dialect; false: abort is set. */
bool convert_integer(Eval *eval, Value value, int64_t *integer);
/* Any number as a double in any dialect; false: abort is set. */
bool convert_real(Eval *eval, Value value, double *real);

/* The text of any value, for text functions; false: abort is set. */
bool convert_text(Eval *eval, Value value, Type type, const char **text, size_t *length);

#endif
