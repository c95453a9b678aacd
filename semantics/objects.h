/* objects.h: key-value histories as rows of one hidden table.
 *
 * An object is a key of the version store like any other row, so that what is said of keys holds for it.
 * Objects start as NULL; an unwritten list reads as NULL or as an empty list. */
#ifndef ALIBI_SEMANTICS_OBJECTS_H
#define ALIBI_SEMANTICS_OBJECTS_H

#include "semantics/engine.h"
#include "src/transcript/transcript.h"

typedef struct Objects Objects;

Objects *objects_new(Engine *engine);
void objects_free(Objects *objects);
/* The object's value as the running transaction sees it. */
Value objects_read(const Objects *objects, const char *name);
void objects_write(Objects *objects, const char *name, Value value);
/* False: the object holds a scalar, nothing can be appended to it. */
bool objects_append(Objects *objects, const char *name, Value item);
/* Does what was read explain what was observed? */
bool objects_match(const Objects *objects, Value value, const Observed *observed);

#endif
