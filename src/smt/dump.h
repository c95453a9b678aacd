/* dump.h: a check as an SMT-LIB 2.6 file that any solver reads.
 *
 * Each node is defined once, in topological order, so that shared subterms stay
 * shared.  Assumptions are assertions.  The file is written before the check,
 * with status unknown, so that a check that never ends leaves it behind. */
#ifndef ALIBI_SMT_DUMP_H
#define ALIBI_SMT_DUMP_H

#include "src/smt/solver.h"

typedef struct Dump Dump;

/* DIR/PREFIXNNNN.smt2, where NNNN counts the dumps of the process. */
Dump *dump_begin(const Terms *terms, const char *folder, const char *prefix, const Term *assertions,
                 uint32_t assertion_count, const Term *assumptions, uint32_t assumption_count);
void dump_end(Dump *dump, Answer answer);

#endif
