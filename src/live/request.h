/* request.h: statements as a workload writes them, made ready for one database.
 *
 * Workloads write `?` for a parameter and give one letter per parameter: `i` an int64_t
 * (REQUEST_NULL: NULL), `m` an int64_t of hundredths (money), `s` a string or NULL.  What is
 * sent, and recorded, has the literals in the text, or the database's own kind of parameter. */
#ifndef ALIBI_LIVE_REQUEST_H
#define ALIBI_LIVE_REQUEST_H

#include "src/live/driver.h"

#include <stdarg.h>

#define REQUEST_NULL INT64_MIN

/* The values of the letters, in the arena. */
Value *request_values(Arena *arena, const char *letters, va_list arguments);
/* The request for these values; it borrows them. */
Request request_build(Arena *arena, DialectName dialect, bool has_literals, const char *sql, uint32_t count,
                      const Value *values);
/* A value as a literal of the dialect. */
const char *request_literal(Arena *arena, DialectName dialect, Value value);
/* Does the statement define something (CREATE, DROP, ...)?  MariaDB commits around it. */
bool request_is_definition(const char *sql);

#endif
