/* footprint.h: what a statement may read and write, also of one that is not modelled or does not even parse. */
#ifndef ALIBI_SEMANTICS_FOOTPRINT_H
#define ALIBI_SEMANTICS_FOOTPRINT_H

#include "semantics/engine_internal.h"

/* Of a plan that resolved. Lists go into engine->preparation. */
void footprint_of(Engine *engine, const Plan *plan, Footprint *footprint);
/* From the words of a text: a query writes nothing; any other statement may write every table it names. */
void footprint_guess(Engine *engine, const char *sql, size_t length, Footprint *footprint);

#endif
