/* table.h: observed and expected rows side by side, in aligned columns.
 *
 *        observed        | expected
 *        id  balance     | id  balance
 *         1    90.00     |  1    90.00
 *     !   2  [410.00]    |  2  [400.00]     a row that differs, its differing cells in brackets
 *     -                  |  3    10.00      a row that is missing
 *     +   4     5.00     |                  a row that should not be there
 *
 * Long tables show what differs with a few equal rows around it. */
#ifndef ALIBI_APP_TABLE_H
#define ALIBI_APP_TABLE_H

#include "src/app/compare.h"

#include <stdio.h>

/* `columns` are the observed names, if any were. */
void table_print(const Comparison *comparison, const char *const *columns, uint32_t column_count, FILE *file);
/* A value for people, as it stands in the table; cut to the buffer. */
void model_format(Value value, char *buffer, size_t size);
void observed_format(const Observed *observed, bool is_text, char *buffer, size_t size);

#endif
