/* function_time.h: functions on dates and times, by FunctionId. */
#ifndef ALIBI_SEMANTICS_FUNCTION_TIME_H
#define ALIBI_SEMANTICS_FUNCTION_TIME_H

#include "semantics/eval.h"

/* False: not a function on dates and times. */
bool function_time_call(Eval *eval, const Expr *expr, const Value *args, Value *result);
/* SQLite's DATE, TIME, DATETIME, STRFTIME, JULIANDAY, UNIXEPOCH: function_time_sqlite.c. */
Value function_time_sqlite(Eval *eval, const Expr *expr, const Value *args);

#endif
