/* function_number.h: functions on numbers, by FunctionId. */
#ifndef ALIBI_SEMANTICS_FUNCTION_NUMBER_H
#define ALIBI_SEMANTICS_FUNCTION_NUMBER_H

#include "semantics/eval.h"

/* False: not a function on numbers. */
bool function_number_call(Eval *eval, const Expr *expr, const Value *args, Value *result);

#endif
