/* ordered_word.h: one 64-bit integer that stands for a value inside an index.
 *
 * word_of never orders two values of a column against value_order (O1); it is exact when
 * the word alone gives the value back.  Types for which no such integer is known have no words. */
#ifndef ALIBI_SEMANTICS_ORDERED_WORD_H
#define ALIBI_SEMANTICS_ORDERED_WORD_H

#include "src/base/value.h"
#include "src/sql/type.h"

bool type_has_words(const Dialect *dialect, Type type);
/* Values of kinds that belong to the type, as ordered_accepts has it. */
int64_t word_of(Type type, Value value, bool *is_exact);
/* The value an exact word stands for. */
Value word_value(Type type, int64_t word);

#endif
