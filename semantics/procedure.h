/* procedure.h: CALL, SET, SELECT ... INTO: procedures in MySQL's syntax. */
#ifndef ALIBI_SEMANTICS_PROCEDURE_H
#define ALIBI_SEMANTICS_PROCEDURE_H

#include "semantics/effect.h"

enum { CALL_DEPTH = 32 };

bool procedure_call(Effect *effect, const Statement *statement);
bool procedure_set(Effect *effect, const Statement *statement);
bool procedure_select_into(Effect *effect, const Statement *statement);

/* The resolved body of the procedure that a CALL names; NULL: it is not modelled. */
const Statement *procedure_body(Engine *engine, const Statement *call);
void procedure_codes_free(Engine *engine);

#endif
