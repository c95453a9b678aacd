/* answer.h: what a statement could have answered, collected over executions, as JSON. */
#ifndef ALIBI_HEURISTICS_ANSWER_H
#define ALIBI_HEURISTICS_ANSWER_H

#include "semantics/doubt.h"
#include "semantics/result.h"
#include "src/transcript/transcript.h"

enum { MOST_ANSWERS = 8 };

typedef struct Answers {
  const Operation *operation; /* of which statement; NULL: of none */
  bool is_cut;                /* there are more, or one that is too long to show */
  ARRAY(const char *) texts;  /* {"rows":[...]}, {"affected":1}, {"error":"..."}: no two alike */
  Arena *arena;
} Answers;

/* Is it the statement that is asked about?  Operations are copied, their texts are not. */
bool answers_are_of(const Answers *answers, const Operation *operation);
void answers_add(Answers *answers, Doubts *doubts, const Outcome *outcome);

#endif
