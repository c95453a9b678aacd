/* query_source.h: the rows of one source, by the access path of its step.
 *
 * source_run hands each candidate row to step_take.  Where a value does not fit the index or the
 * hash table (query_key.h), all rows are candidates. */
#ifndef ALIBI_SEMANTICS_QUERY_SOURCE_H
#define ALIBI_SEMANTICS_QUERY_SOURCE_H

#include "semantics/query_hash.h"
#include "semantics/query_run.h"

/* What a value does where an index or a hash table is asked for it. */
typedef enum ProbeAnswer { PROBE_FITS, PROBE_NOTHING /* NULL: no row can match */, PROBE_UNFIT } ProbeAnswer;

void source_run(Run *run, const Step *step);
/* The value an index was asked for in its `column`-th column, or NULL. */
const Value *source_probe(const Run *run, const Step *step, uint32_t column);
/* All rows, by number; a row may be NULL (deleted). */
uint32_t source_row_count(Run *run, uint32_t source);
const Value *source_row_at(Run *run, uint32_t source, uint32_t place, Key **key);

/* query_step.c */
void step_run(Run *run, const Step *step); /* from this step on; NULL: the end of the chain */
void bind_nulls(Run *run, SourceSet sources);
void step_take(Run *run, const Step *step, const Value *row, Key *key);
bool step_holds(Run *run, const Conjunct *conjunct);

/* query_full.c */
void full_run(Run *run, const Step *step);

/* query_built.c */
void hash_run(Run *run, const Step *step);

#endif
