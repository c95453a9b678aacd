/* checker_doubt.c: on which conditions rows hang, and what becomes of those once they are decided. */
#include "encodings/checker_internal.h"

uint64_t checker_doubt(const Checker *checker) {
  return (uint64_t)constraints_count(checker->constraints) << 32 | store_guarded_count(checker->lift.store);
}

static int term_compare(const void *a, const void *b) {
  Term first = *(const Term *)a, second = *(const Term *)b;
  return first < second ? -1 : first > second;
}

uint32_t checker_open(Checker *checker, Arena *arena, Term **open) {
  Store *store = checker->lift.store;
  uint32_t count = 0, kept = 0, all = store_guarded_count(store);
  Term *terms = *open = arena_alloc(arena, (all + 1) * sizeof *terms);
  for (uint32_t i = 0; i < all; i++) {
    const Version *version = store_guarded(store, i);
    if (version->guard && !version->is_void) terms[count++] = version->guard;
  }
  qsort(terms, count, sizeof *terms, term_compare);
  for (uint32_t i = 0; i < count; i++)
    if (!kept || terms[kept - 1] != terms[i]) terms[kept++] = terms[i];
  return kept;
}

static Answer terms_ask(Checker *checker, const Term *terms, uint32_t count, Term question, bool *values) {
  Answer answer = constraints_model(checker->constraints, terms, count, question);
  for (uint32_t i = 0; answer == ANSWER_SAT && i < count; i++)
    values[i] = solver_model(checker->solver, terms[i]);
  return answer;
}

Answer checker_values(Checker *checker, const Term *terms, uint32_t count, bool *values) {
  return terms_ask(checker, terms, count, TERM_TRUE, values);
}

Answer checker_differ(Checker *checker, const Term *terms, uint32_t count, const bool *values, bool *others) {
  Term differs = TERM_FALSE;
  for (uint32_t i = 0; i < count; i++) {
    Term other = values[i] ? term_not(checker->terms, terms[i]) : terms[i];
    differs = term_or(checker->terms, differs, other);
  }
  return terms_ask(checker, terms, count, differs, others);
}

void checker_fix(Checker *checker, const Term *terms, uint32_t count, const bool *values) {
  Store *store = checker->lift.store;
  for (uint32_t i = 0; i < store_guarded_count(store); i++) {
    const Version *version = store_guarded(store, i);
    if (!version->guard || version->is_void) continue;
    Term guard = version->guard;
    const Term *found = bsearch(&guard, terms, count, sizeof *terms, term_compare);
    if (!found) continue;
    store_decide(store, i, values[found - terms]);
    checker->fixed++;
  }
}
