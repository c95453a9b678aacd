/* evaluate.h: the value of a term under an assignment of its variables.
 *
 * Each node is computed once per assignment, in linear time and without
 * recursion.  An integer that leaves 64 bits, and what depends on it, has no
 * value here (false is returned). */
#ifndef ALIBI_SMT_EVALUATE_H
#define ALIBI_SMT_EVALUATE_H

#include "src/smt/node.h"

/* Where variables get their values from; an array variable is asked at an index.  False: not within 64 bits.
 */
typedef struct Assignment {
  bool (*variable)(void *data, const Variable *variable, int64_t *value);
  bool (*element)(void *data, const Variable *array, int64_t index, int64_t *value);
  void *data;
} Assignment;

Evaluation *evaluation_new(void);
void evaluation_free(Evaluation *evaluation);
/* What was computed so far holds no longer. */
void evaluation_reset(Evaluation *evaluation);
bool evaluation_value(Evaluation *evaluation, const Terms *terms, Term term, const Assignment *assignment,
                      int64_t *value);

#endif
