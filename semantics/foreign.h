/* foreign.h: set-up statements that only a server understands.
 *
 * The arbiter of what the grammar does not take is SQLite, which knows nothing of sequences, events or
 * partitions.  A complete text that begins like one of these is SQL all the same: it is set aside. */
#ifndef ALIBI_SEMANTICS_FOREIGN_H
#define ALIBI_SEMANTICS_FOREIGN_H

#include "src/sql/token.h"

#include <stdbool.h>
#include <stddef.h>

/* BEGIN and CASE open, END closes, but END IF and the like do not. The depth behind token i; *i may move on. */
uint32_t block_depth(const char *text, const Tokens *tokens, uint32_t *i, uint32_t depth);

/* One statement, without its semicolon. */
bool statement_is_foreign(const Dialect *dialect, const char *text, size_t length);

#endif
