/* constraint.h: NOT NULL, CHECK, UNIQUE and FOREIGN KEY.
 *
 * A row may break several constraints; a database reports whichever it looks at first, so every class
 * that applies joins effect->errors.  Values in doubt are taken to satisfy a constraint, and the error becomes
 * possible. */
#ifndef ALIBI_SEMANTICS_CONSTRAINT_H
#define ALIBI_SEMANTICS_CONSTRAINT_H

#include "semantics/effect.h"

/* NOT NULL and CHECK of a row. False: aborted (not by an SQL error). */
bool constraint_row(Effect *effect, const Table *table, const Value *row);
/* Another row than `except` with the same values in a unique index. *maybe: one in doubt may have them. */
Key *unique_conflict(Eval *eval, const Table *table, const Index *index, const Value *row, const Key *except,
                     ReadPurpose purpose, bool *maybe);
/* ERROR_UNIQUE for a row that is about to be inserted, over all unique indexes. */
bool constraint_unique(Effect *effect, const Table *table, const Value *row, const Key *except);
bool index_is_unique(const Index *index);
/* Do two rows differ in the columns of an index? */
bool index_differs(const Engine *engine, const Table *table, const Index *index, const Value *a, const Value *b);

/* foreign_key.c: at the end of a statement, over effect->changes. */
bool foreign_keys_watch(const Engine *engine, const Table *table); /* is there any to check? */
bool foreign_keys_check(Effect *effect);
/* The statement fails anyway: does it fail by a foreign key as well?  Always false. */
bool foreign_keys_join(Effect *effect);
bool foreign_key_child(Effect *effect, const Table *table, const Value *row);
ErrorSet foreign_keys_deferred(Engine *engine);
/* Does a row of another table refer to any row of this one? */
bool foreign_key_is_used(Effect *effect, const Table *parent, bool *is_used);

#endif
