/* solver_test.c: answers against brute force, cores, models, scopes, budgets, dumps read by other
 * programs. */
#include "src/smt/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <dirent.h>
#include <cmocka.h>

enum { VARIABLES = 7, ROWS = 1 << VARIABLES };

static uint64_t seed = 362436069362436069u;
static uint32_t random_below(uint32_t limit) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed >> 33) % limit;
}

static Term random_clause(Terms *terms, const Term *variables) {
  Term items[4];
  for (int i = 0; i < 4; i++) {
    Term item = variables[random_below(VARIABLES)];
    items[i] = random_below(2) ? item : term_not(terms, item);
  }
  switch (random_below(5)) {
  case 0: return term_iff(terms, items[0], term_and(terms, items[1], items[2]));
  case 1: return term_count_is(terms, items, 4, random_below(5));
  case 2: return items[0];
  default: return term_or_all(terms, items, 2 + random_below(2));
  }
}

/* Whether some row satisfies all of both lists. */
static bool rows_satisfy(const Terms *terms, const Term *a, uint32_t a_count, const Term *b,
                         uint32_t b_count) {
  for (uint32_t row = 0; row < ROWS; row++) {
    bool values[VARIABLES], all = true;
    for (int i = 0; i < VARIABLES; i++) values[i] = row >> i & 1;
    for (uint32_t i = 0; i < a_count && all; i++) all = term_evaluate(terms, a[i], values);
    for (uint32_t i = 0; i < b_count && all; i++) all = term_evaluate(terms, b[i], values);
    if (all) return true;
  }
  return false;
}

static void model_confirm(Solver *solver, Terms *terms, const Term *variables, const Term *items,
                          uint32_t count) {
  bool values[VARIABLES];
  for (int i = 0; i < VARIABLES; i++) values[i] = solver_model(solver, variables[i]);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(term_evaluate(terms, items[i], values));
    assert_true(solver_model(solver, items[i]));
    assert_false(solver_model(solver, term_not(terms, items[i])));
  }
}

static void core_confirm(Solver *solver, Terms *terms, const Term *asserted, uint32_t count,
                         const Term *assumed, uint32_t assumed_count) {
  uint32_t positions[8];
  Term core[8];
  uint32_t size = solver_core(solver, positions);
  assert_true(size <= assumed_count);
  for (uint32_t i = 0; i < size; i++) {
    assert_true(positions[i] < assumed_count && (i == 0 || positions[i - 1] < positions[i]));
    core[i] = assumed[positions[i]];
  }
  assert_false(rows_satisfy(terms, asserted, count, core, size));
}

typedef struct Tally {
  int sat, unsat;
} Tally;

/* Random pushes, pops, assertions and checks; every answer against all rows. */
static void solver_exercise(const SolverOptions *options, int steps, Tally *tally) {
  Terms *terms = terms_new();
  Term variables[VARIABLES], asserted[64], assumed[6];
  uint32_t starts[64], depth = 0, count = 0;
  TermMark marks[64];
  for (int i = 0; i < VARIABLES; i++) variables[i] = term_variable(terms, i % 2 ? "a|b \\ c" : NULL);
  Solver *solver = solver_new(terms, options);
  for (int step = 0; step < steps; step++) {
    uint32_t what = random_below(10);
    if (what < 2 && depth < 20) {
      marks[depth] = terms_mark(terms);
      starts[depth++] = count;
      solver_push(solver);
    } else if ((what < 4 || count > 9) && depth > 0) {
      count = starts[--depth];
      bool release_first = random_below(2);
      if (release_first) terms_release(terms, marks[depth]);
      solver_pop(solver);
      if (!release_first) terms_release(terms, marks[depth]);
    } else if (what < 7 && count < 10) {
      asserted[count] = random_clause(terms, variables);
      solver_assert(solver, asserted[count++]);
    } else {
      uint32_t assumptions = random_below(7);
      TermMark mark = terms_mark(terms);
      for (uint32_t i = 0; i < assumptions; i++) assumed[i] = random_clause(terms, variables);
      Answer answer = solver_check(solver, assumed, assumptions);
      bool possible = rows_satisfy(terms, asserted, count, assumed, assumptions);
      assert_int_equal(answer, possible ? ANSWER_SAT : ANSWER_UNSAT);
      if (possible) {
        model_confirm(solver, terms, variables, asserted, count);
        model_confirm(solver, terms, variables, assumed, assumptions);
        tally->sat++;
      } else {
        core_confirm(solver, terms, asserted, count, assumed, assumptions);
        tally->unsat++;
      }
      if (random_below(2)) terms_release(terms, mark); /* assumptions may go before the next check */
    }
  }
  solver_free(solver);
  terms_free(terms);
}

static void constants_need_no_solver(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term a = term_variable(terms, "a");
  Solver *solver = solver_new(terms, NULL);
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT);
  assert_false(solver_model(solver, a));
  solver_push(solver);
  solver_assert(solver, term_or(terms, a, term_not(terms, a)));
  assert_int_equal(solver_check(solver, (Term[]){TERM_TRUE, TERM_FALSE}, 2), ANSWER_UNSAT);
  uint32_t position;
  assert_int_equal(solver_core(solver, &position), 1);
  assert_int_equal(position, 1);
  solver_assert(solver, TERM_FALSE);
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_UNSAT);
  assert_int_equal(solver_core(solver, &position), 0);
  solver_assert(solver, a); /* asserted, popped and never asked about */
  solver_pop(solver);
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT);
  solver_free(solver);
  terms_free(terms);
  assert_false(smt_used_solver());
}

static void sessions_agree_with_enumeration(void **state) {
  (void)state;
  Tally tally = {0};
  for (int trial = 0; trial < 40; trial++) solver_exercise(NULL, 200, &tally);
  assert_true(tally.sat > 200 && tally.unsat > 200);
  assert_true(smt_used_solver());
  tally = (Tally){0};
  for (int trial = 0; trial < 6; trial++) solver_exercise(&(SolverOptions){.logic = "QF_FD"}, 150, &tally);
  assert_true(tally.sat > 20 && tally.unsat > 20);
}

/* Where an assignment is easily found no solver is asked; what it answers is the same. */
static void easy_assignments_need_no_solver(void **state) {
  (void)state;
  Tally tally = {0};
  SolverOptions options = {.justifies = true};
  for (int trial = 0; trial < 40; trial++) solver_exercise(&options, 200, &tally);
  assert_true(tally.sat > 200 && tally.unsat > 200);
  Terms *terms = terms_new();
  Solver *solver = solver_new(terms, &options);
  Term variables[VARIABLES];
  for (int i = 0; i < VARIABLES; i++) variables[i] = term_variable(terms, NULL);
  solver_assert(solver, term_count_is(terms, variables, VARIABLES, 3));
  solver_assert(solver, term_iff(terms, variables[0], term_not(terms, variables[1])));
  assert_int_equal(solver_check(solver, variables, 1), ANSWER_SAT);
  assert_true(solver_model(solver, variables[0]) && !solver_model(solver, variables[1]));
  assert_int_equal(solver_stats(solver).justified, 1);
  assert_int_equal(solver_stats(solver).solver_checks, 0);
  solver_free(solver);
  terms_free(terms);
}

static void sessions_share_a_context(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term a = term_variable(terms, "a"), b = term_variable(terms, "b");
  uint32_t before = smt_context_count();
  Solver *one = solver_new(terms, NULL), *other = solver_new(terms, NULL);
  solver_assert(one, term_and(terms, a, b));
  solver_assert(other, term_not(terms, a));
  assert_int_equal(solver_check(one, NULL, 0), ANSWER_SAT);
  assert_int_equal(solver_check(other, NULL, 0), ANSWER_SAT);
  assert_true(solver_model(one, a) && !solver_model(other, a));
  solver_free(one);
  assert_int_equal(solver_check(other, &a, 1), ANSWER_UNSAT);
  assert_int_equal(smt_context_count(), before + 1);
  assert_int_equal(solver_stats(other).checks, 2);
  assert_int_equal(solver_stats(other).assertions, 1);
  solver_free(other);
  terms_free(terms);
}

/* A new variable under an old number is not the old variable, which was fixed to true. */
static void released_numbers_are_not_mistaken(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term a = term_variable(terms, "a");
  Solver *solver = solver_new(terms, NULL);
  solver_assert(solver, term_or(terms, a, term_not(terms, term_variable(terms, NULL))));
  TermMark mark = terms_mark(terms);
  solver_push(solver);
  Term old = term_variable(terms, NULL), both = term_and(terms, a, old);
  solver_assert(solver, both);
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT);
  assert_true(solver_model(solver, both));
  solver_pop(solver);
  terms_release(terms, mark);
  Term fresh = term_variable(terms, NULL),
       neither = term_and(terms, term_not(terms, a), term_not(terms, fresh));
  assert_int_equal(fresh, old);
  assert_int_equal(neither, both);
  assert_int_equal(solver_check(solver, &neither, 1), ANSWER_SAT);
  assert_true(solver_model(solver, neither));
  assert_false(solver_model(solver, a));
  solver_free(solver);
  terms_free(terms);
}

static void integers_and_arrays_are_solved(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term x = term_int_variable(terms, "x"), y = term_int_variable(terms, "y");
  Term array = term_array_variable(terms, "m"), c = term_variable(terms, "c");
  Solver *solver = solver_new(terms, NULL);
  Term later = term_ite(terms, c, term_store(terms, array, x, term_int(terms, 7)), array);
  Term read = term_select(terms, later, y);
  solver_assert(solver, term_equal(terms, term_add(terms, x, y), term_int(terms, 10)));
  solver_assert(solver, term_less(terms, term_int(terms, 3), x));
  solver_assert(solver, term_less_equal(terms, x, y));
  solver_assert(solver, term_equal(terms, read, term_int(terms, 7)));
  solver_assert(solver, term_not(terms, term_equal(terms, term_select(terms, array, y), read)));
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT); /* only x = y = 5, and c */
  assert_int_equal(solver_model_int(solver, x), 5);
  assert_int_equal(solver_model_int(solver, y), 5);
  assert_true(solver_model(solver, c));
  assert_int_equal(solver_model_int(solver, read), 7);
  assert_int_not_equal(solver_model_int(solver, term_select(terms, array, term_int(terms, 5))), 7);
  Term least = term_int(terms, INT64_MIN), huge = term_multiply(terms, least, x);
  int64_t value;
  assert_false(solver_model_fits(solver, huge, &value));
  assert_true(solver_model(solver, term_less(terms, huge, least)));
  solver_assert(solver, term_less(terms, x, term_int(terms, 5)));
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_UNSAT);
  solver_free(solver);
  terms_free(terms);
}

static void deep_chains_are_solved(void **state) {
  (void)state;
  Terms *terms = terms_new();
  Term chain = term_variable(terms, NULL);
  for (uint32_t i = 0; i < 10000; i++) {
    Term next = term_variable(terms, NULL);
    chain = i % 2 ? term_and(terms, next, chain) : term_or(terms, next, chain);
  }
  Solver *solver = solver_new(terms, NULL);
  solver_assert(solver, chain);
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT);
  assert_true(solver_model(solver, chain));
  solver_free(solver);
  terms_free(terms);
}

/* Pigeons: one more than holes.  Hard for resolution, so that a small budget must run out. */
static void budgets_end_checks(void **state) {
  (void)state;
  enum { HOLES = 11 };
  Terms *terms = terms_new();
  Term in[HOLES + 1][HOLES];
  for (int by = 0; by < 2; by++) {
    Solver *solver = solver_new(terms, &(SolverOptions){.rlimit = by ? 0 : 200000});
    for (int i = 0; i <= HOLES; i++) {
      for (int j = 0; j < HOLES; j++) in[i][j] = term_variable(terms, NULL);
      solver_assert(solver, term_or_all(terms, in[i], HOLES));
    }
    for (int j = 0; j < HOLES; j++)
      for (int i = 0; i <= HOLES; i++)
        for (int k = 0; k < i; k++)
          solver_assert(solver, term_not(terms, term_and(terms, in[i][j], in[k][j])));
    if (by) solver_set_deadline(solver, 0.2);
    assert_int_equal(solver_check(solver, NULL, 0), ANSWER_UNKNOWN);
    assert_true(strlen(solver_reason(solver)) > 0);
    if (by) { /* passed for good, until it is lifted */
      usleep(100000);
      assert_int_equal(solver_check(solver, NULL, 0), ANSWER_UNKNOWN);
      assert_string_equal(solver_reason(solver), "deadline");
      solver_set_deadline(solver, 0);
      for (int j = 0; j < HOLES - 1; j++) solver_assert(solver, in[j][j]); /* two left for one hole */
      assert_int_equal(solver_check(solver, NULL, 0), ANSWER_UNSAT);
    }
    solver_free(solver);
  }
  terms_free(terms);
}

/* What the program prints as its first line. */
static void program_answer(const char *program, const char *path, char *answer, int size) {
  char command[600];
  snprintf(command, sizeof command, "%s '%s' 2>&1", program, path);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  if (!fgets(answer, size, pipe)) answer[0] = 0;
  answer[strcspn(answer, "\n")] = 0;
  pclose(pipe);
}

static void file_status(const char *path, char *status) {
  char line[200];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  status[0] = 0;
  while (!status[0] && fgets(line, sizeof line, file)) sscanf(line, "(set-info :status %15[a-z]", status);
  fclose(file);
}

/* Every dump in the folder says what z3 and cvc5 find; removes them. */
static int dumps_replay(const char *folder) {
  bool cvc5 = system("command -v cvc5 >/dev/null") == 0, z3 = system("command -v z3 >/dev/null") == 0;
  if (!cvc5 || !z3) print_message("not compared with %s\n", cvc5 ? "z3" : z3 ? "cvc5" : "z3, cvc5");
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    char path[512], status[16], answer[200];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    file_status(path, status);
    assert_true(!strcmp(status, "sat") || !strcmp(status, "unsat"));
    if (z3) program_answer("z3", path, answer, sizeof answer), assert_string_equal(answer, status);
    if (cvc5) program_answer("cvc5", path, answer, sizeof answer), assert_string_equal(answer, status);
    unlink(path);
    count++;
  }
  closedir(directory);
  rmdir(folder);
  return count;
}

/* A chain of choices of which each is used twice by the next: 2^60 as a tree. */
static void shared_chain_check(const SolverOptions *options) {
  Terms *terms = terms_new();
  Solver *solver = solver_new(terms, options);
  Term value = term_int_variable(terms, NULL), array = term_array_variable(terms, NULL);
  solver_assert(solver, term_less(terms, term_int(terms, -2), value));
  solver_assert(solver, term_less(terms, value, term_int(terms, 3)));
  for (int i = 0; i < 60; i++)
    value =
        term_ite(terms, term_variable(terms, NULL), value, term_add(terms, value, term_int(terms, i < 3)));
  solver_assert(solver, term_equal(terms, value, term_int(terms, 5)));
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT);
  solver_assert(solver, term_equal(terms, term_select(terms, array, value), term_int(terms, INT64_MIN)));
  assert_int_equal(solver_check(solver, NULL, 0), ANSWER_SAT);
  Term six = term_less(terms, term_int(terms, 5), value);
  assert_int_equal(solver_check(solver, &six, 1), ANSWER_UNSAT);
  solver_free(solver);
  terms_free(terms);
}

static void dumps_are_read_by_other_solvers(void **state) {
  (void)state;
  char folder[] = "/tmp/alibi-dump-XXXXXX";
  assert_non_null(mkdtemp(folder));
  SolverOptions options = {.dump_folder = folder, .dump_prefix = "check-"};
  Tally tally = {0};
  for (int trial = 0; trial < 3; trial++) solver_exercise(&options, 40, &tally);
  shared_chain_check(&options);
  assert_int_equal(dumps_replay(folder), tally.sat + tally.unsat + 3);
  assert_true(tally.sat > 3 && tally.unsat > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_need_no_solver), /* first: it must find that no context was ever made */
      cmocka_unit_test(sessions_agree_with_enumeration),
      cmocka_unit_test(easy_assignments_need_no_solver),
      cmocka_unit_test(sessions_share_a_context),
      cmocka_unit_test(released_numbers_are_not_mistaken),
      cmocka_unit_test(integers_and_arrays_are_solved),
      cmocka_unit_test(deep_chains_are_solved),
      cmocka_unit_test(budgets_end_checks),
      cmocka_unit_test(dumps_are_read_by_other_solvers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
