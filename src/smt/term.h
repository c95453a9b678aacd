/* term.h: hash-consed terms with folding constructors.
 *
 * A Term is a number; equal terms have equal numbers.  For Booleans the lowest
 * bit is the negation, so that term_not costs nothing, TERM_TRUE is the negation
 * of TERM_FALSE, and `or` is `and` seen from the other side.  Every constructor
 * folds: what can be decided by looking at the arguments never becomes a term.
 *
 * Everything made since a mark can be dropped (terms_release), last mark first.
 * A dropped term's number is given out again; solvers notice by themselves.
 *
 * Sorts (Boolean, integer, array of integers by integer) are checked by assert.
 * Integers are unbounded, as in SMT-LIB: what leaves 64 bits is not folded.
 * A Terms belongs to one thread. */
#ifndef ALIBI_SMT_TERM_H
#define ALIBI_SMT_TERM_H

#include "src/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Term;
enum { TERM_FALSE = 0, TERM_TRUE = 1 };

typedef struct Terms Terms;

Terms *terms_new(void);
/* Sessions over these terms are freed before. */
void terms_free(Terms *terms);
/* Every Term is below this number. */
uint32_t terms_count(const Terms *terms);

/* A fresh Boolean; the name is copied (NULL: made up) and need not be unique. */
Term term_variable(Terms *terms, const char *name);
uint32_t terms_variable_count(const Terms *terms);
/* Of a Boolean variable or its negation: 0, 1, ... as they were made. */
uint32_t term_variable_number(const Terms *terms, Term term);

static inline Term term_constant(bool value) { return value ? TERM_TRUE : TERM_FALSE; }
static inline bool term_is_constant(Term term) { return term <= TERM_TRUE; }

Term term_not(Terms *terms, Term a);
Term term_and(Terms *terms, Term a, Term b);
Term term_or(Terms *terms, Term a, Term b);
Term term_implies(Terms *terms, Term a, Term b);
Term term_iff(Terms *terms, Term a, Term b);
Term term_and_all(Terms *terms, const Term *items, uint32_t count);
Term term_or_all(Terms *terms, const Term *items, uint32_t count);

/* How many of the items are true; an item that occurs twice counts twice. */
Term term_exactly_one(Terms *terms, const Term *items, uint32_t count);
Term term_count_is(Terms *terms, const Term *items, uint32_t count, uint32_t wanted);
Term term_count_between(Terms *terms, const Term *items, uint32_t count, uint32_t low, uint32_t high);

Term term_int(Terms *terms, int64_t value);
Term term_int_variable(Terms *terms, const char *name);
Term term_add(Terms *terms, Term a, Term b);
Term term_subtract(Terms *terms, Term a, Term b);
Term term_multiply(Terms *terms, Term a, Term b);
/* Of any sort, both branches of the same. */
Term term_ite(Terms *terms, Term condition, Term a, Term b);
/* Of integers or Booleans.  Arrays are not compared: a later state is a term over an earlier one. */
Term term_equal(Terms *terms, Term a, Term b);
Term term_less(Terms *terms, Term a, Term b);
Term term_less_equal(Terms *terms, Term a, Term b);
/* True, with the value, if the integer term is a constant. */
bool term_is_int(const Terms *terms, Term term, int64_t *value);

Term term_array_variable(Terms *terms, const char *name);
Term term_select(Terms *terms, Term array, Term index);
Term term_store(Terms *terms, Term array, Term index, Term value);

/* The value of a Boolean term without integers, linear in its distinct subterms. */
bool term_evaluate(const Terms *terms, Term term, const bool *by_variable);

typedef struct TermMark {
  uint32_t nodes;
  uint32_t arguments;
  uint32_t variables;
  ArenaMark names;
} TermMark;

TermMark terms_mark(const Terms *terms);
void terms_release(Terms *terms, TermMark mark);

#endif
