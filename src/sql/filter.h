/* filter.h: the two files of the feeder: filter.c and filter_head.c. */
#ifndef ALIBI_SQL_FILTER_H
#define ALIBI_SQL_FILTER_H

#include "src/sql/build.h"

/* At the start of a statement: SQL_SESSION over the whole of one without effect on data, or 0. */
uint16_t filter_head(Parser *parser, uint32_t index, uint32_t *width);
/* CREATE and the words up to TABLE, INDEX, VIEW or PROCEDURE; 0: no such thing is modelled. */
uint16_t filter_create(Parser *parser, uint32_t index, uint32_t *width);
/* Between a procedure's parameters and its body: a clause that changes nothing, such as LANGUAGE SQL. */
bool filter_characteristic(Parser *parser, uint32_t index, uint32_t *width);

#endif
