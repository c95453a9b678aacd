/* cast.h: conversions to a type, shared by CAST, implicit conversions and storing.
 *
 * A conversion answers CAST_OK with the value, or why there is none.  What a dialect makes of
 * that (an error, NULL, a value that is kept as it is) is the caller's. */
#ifndef ALIBI_SEMANTICS_CAST_H
#define ALIBI_SEMANTICS_CAST_H

#include "semantics/convert.h"
#include "semantics/operate.h"

typedef enum CastAnswer {
  CAST_OK,
  CAST_BAD,        /* the text is no such value */
  CAST_RANGE,      /* out of range */
  CAST_TYPE,       /* no such conversion */
  CAST_UNMODELLED, /* valid, but not modelled */
} CastAnswer;

/* PostgreSQL's conversion to a type without its length (CHAR, VARCHAR) or fraction of a second. */
CastAnswer postgres_convert(Eval *eval, Value value, Type from, Type to, Value *result);
Value mysql_cast(Eval *eval, Value value, Type from, Type to, bool is_implicit);
Value sqlite_cast(Eval *eval, Value value, Affinity affinity);
Value sqlite_store(Eval *eval, Value value, Affinity affinity);
Value cast_failed(Eval *eval, CastAnswer answer, Value value, Type to);

/* Rounds a decimal to DECIMAL(p,s); precision 0 leaves it. False: more digits than fit. */
bool decimal_fit(Decimal decimal, Type type, Decimal *fitted);
bool integer_range(Type type, int64_t *least, uint64_t *most);
/* Microseconds at a number of fractional digits, rounded or cut. */
int64_t stamp_fraction(int64_t stamp, unsigned digits, bool rounds);

#endif
