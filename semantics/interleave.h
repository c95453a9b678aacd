/* interleave.h: SQLite writes the rows of an UPDATE or DELETE one by one, mysql those of VALUES, and
 * subqueries evaluated meanwhile see them.
 *
 * Which rows come first is the planner's business, so such a statement is not modelled, unless no evaluation
 * can come behind a write. */
#ifndef ALIBI_SEMANTICS_INTERLEAVE_H
#define ALIBI_SEMANTICS_INTERLEAVE_H

#include "src/sql/schema.h"

/* Whether an UPDATE that found `found` of the table's `count` rows may see its own writes. */
bool update_sees_itself(const Update *update, const Table *table, uint32_t found, uint32_t count);

bool delete_sees_itself(const Delete *delete_, const Table *table, uint32_t found, uint32_t count);

/* Whether a row of VALUES behind the first one reads the table. */
bool insert_sees_itself(const Insert *insert);

#endif
