/* choice.h: from which state a read comes, as variables.
 *
 * A choice stands for one state between `oldest` and `newest`.  It is a chain of Booleans: sees(w) says that
 * the state is w or later, that is, that the transaction at place w is visible.
 *
 * C1  sees(w) implies sees(v) for v < w; sees(oldest) is true, nothing beyond newest is seen.
 * C2  A choice that follows another sees whatever that one sees.
 * C3  Only places that somebody asked about have a Boolean: states between two of them are alike. */
#ifndef ALIBI_ENCODINGS_CHOICE_H
#define ALIBI_ENCODINGS_CHOICE_H

#include "src/base/array.h"
#include "src/smt/constraints.h"

typedef uint32_t ChoiceId;
enum { NO_CHOICE = UINT32_MAX };

typedef struct Choices Choices;

Choices *choices_new(Terms *terms, Constraints *constraints); /* where their laws go */
void choices_free(Choices *choices);
/* `follows`: an earlier choice that it sees no less than, or NO_CHOICE. */
ChoiceId choice_new(Choices *choices, uint32_t oldest, uint32_t newest, ChoiceId follows);
uint32_t choice_oldest(const Choices *choices, ChoiceId choice);
uint32_t choice_newest(const Choices *choices, ChoiceId choice);
Term choice_sees(Choices *choices, ChoiceId choice, uint32_t place);
/* The state is one that sees the same places as this one, of those that were asked about. */
Term choice_is_like(Choices *choices, ChoiceId choice, uint32_t state);
/* Where the condition holds, the place is seen, or is not. */
void choice_require(Choices *choices, Term condition, ChoiceId choice, uint32_t place);
void choice_forbid(Choices *choices, Term condition, ChoiceId choice, uint32_t place);
/* ... the state is none from first to last. */
void choice_exclude(Choices *choices, ChoiceId choice, uint32_t first, uint32_t last);
/* After a satisfiable check: the state in the model. */
uint32_t choice_state(const Choices *choices, ChoiceId choice, Solver *solver);
/* Forgets the newest choices, and the places that were asked about since then: their laws are forgotten with
 * constraints_forget. */
typedef struct ChoicesMark {
  uint32_t choices, points;
} ChoicesMark;
ChoicesMark choices_mark(const Choices *choices);
void choices_rewind(Choices *choices, ChoicesMark mark);
uint32_t choices_count(const Choices *choices);

#endif
