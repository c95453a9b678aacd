/* function_text.h: functions on text, by FunctionId. */
#ifndef ALIBI_SEMANTICS_FUNCTION_TEXT_H
#define ALIBI_SEMANTICS_FUNCTION_TEXT_H

#include "semantics/eval.h"

/* False: not a function on text. */
bool function_text_call(Eval *eval, const Expr *expr, const Value *args, Value *result);

#endif
