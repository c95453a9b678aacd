/* prune_concretize.c: recursive halving, as in the paper's section 7.1. */
#include "heuristics/prune_concretize.h"

/* The conditions of one call, ascending, with their values in one execution. */
typedef struct Concretize {
  Checker *checker;
  const Term *terms;
  const bool *values;
  bool *others;  /* of another execution */
  bool *is_free; /* both values occur */
} Concretize;

static void halves_try(Concretize *work, uint32_t first, uint32_t end);

/* The conditions of which both values were seen are not asked about again: they are in no half. */
static void run_try(Concretize *work, uint32_t first, uint32_t end) {
  uint32_t count = end - first;
  const Term *terms = work->terms + first;
  const bool *values = work->values + first;
  switch (checker_differ(work->checker, terms, count, values, work->others)) {
  case ANSWER_UNSAT: checker_fix(work->checker, terms, count, values); return;
  case ANSWER_UNKNOWN: return;
  case ANSWER_SAT: break;
  }
  for (uint32_t i = 0; i < count; i++) work->is_free[first + i] |= work->others[i] != values[i];
  uint32_t middle = first + count / 2;
  if (count == 1) return;
  halves_try(work, first, middle);
  halves_try(work, middle, end);
}

/* Each stretch without such conditions. */
static void halves_try(Concretize *work, uint32_t first, uint32_t end) {
  while (first < end) {
    uint32_t stop = first;
    while (stop < end && !work->is_free[stop]) stop++;
    if (stop > first) run_try(work, first, stop);
    first = stop + 1;
  }
}

void concretize(Checker *checker, uint64_t *doubt) {
  uint64_t now = checker_doubt(checker);
  if (now == *doubt) return;
  *doubt = now;
  Arena arena;
  arena_init(&arena);
  Term *terms;
  uint32_t count = checker_open(checker, &arena, &terms);
  bool *values = ARENA_ARRAY(&arena, bool, count + 1);
  if (count && checker_values(checker, terms, count, values) == ANSWER_SAT) {
    Concretize work = {.checker = checker,
                       .terms = terms,
                       .values = values,
                       .others = ARENA_ARRAY(&arena, bool, count + 1),
                       .is_free = ARENA_ARRAY(&arena, bool, count + 1)};
    halves_try(&work, 0, count);
  }
  arena_free(&arena);
}
