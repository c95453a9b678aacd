/* arithmetic.h: the operators of each dialect on two values that are neither NULL nor in doubt. */
#ifndef ALIBI_SEMANTICS_ARITHMETIC_H
#define ALIBI_SEMANTICS_ARITHMETIC_H

#include "semantics/operate.h"
#include "src/base/decimal.h"

Value postgres_binary(Eval *eval, ExprKind kind, Type type, Value a, Type a_type, Value b, Type b_type);
Value postgres_unary(Eval *eval, ExprKind kind, Type type, Value a);
Value mysql_binary(Eval *eval, ExprKind kind, Value a, Type a_type, Value b, Type b_type);
Value mysql_unary(Eval *eval, ExprKind kind, Value a);
Value sqlite_binary(Eval *eval, ExprKind kind, Value a, Value b);
Value sqlite_unary(ExprKind kind, Value a);

/* Dates, times and intervals; handled is false if neither operand is one. */
Value time_binary(Eval *eval, ExprKind kind, Value a, Value b, bool *handled);
/* mysql: date + INTERVAL in the result type `type` (DATE, TIME, TIMESTAMP, else text as the operand's). */
Value mysql_date_add(Eval *eval, Value date, Value interval, bool subtracts, Type type);
enum { INTERVAL_HAS_TIME = 1 }; /* flag of a mysql interval whose unit is shorter than a day */

/* PostgreSQL's quotient: at least 16 significant digits. The divisor is not zero. */
Value postgres_divide(Eval *eval, Decimal a, Decimal b);
/* MySQL's: `shown` digits behind the point of the dividend and four more are shown. */
Value mysql_divide(Eval *eval, Value a, Value b);
Value division_by_zero(Eval *eval);
Value decimal_too_long(Eval *eval);

#endif
