/* differential.c: random scripts on SQLite and on the engine: every answer must be the same.
 *
 *   differential [--statements N] [--seed S] [--keep-going] [--verbose]
 *   differential --script FILE
 *
 * The seed of script k is the first seed plus k: `--seed S --statements 1` runs one script again.  Fails on
 * any difference, when more than 1 % was set aside, and when less than 95 % of the coverage table was
 * reached. */
#include "tests/differential/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

typedef struct Options {
  uint64_t statements, seed;
  bool has_seed, keeps_going;
  const char *script;
  TrialOptions trial;
} Options;

static bool options_parse(Options *options, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    bool has_value = i + 1 < argc;
    if (!strcmp(argv[i], "--statements") && has_value)
      options->statements = strtoull(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--seed") && has_value)
      options->seed = strtoull(argv[++i], NULL, 10), options->has_seed = true;
    else if (!strcmp(argv[i], "--script") && has_value)
      options->script = argv[++i];
    else if (!strcmp(argv[i], "--keep-going"))
      options->keeps_going = true;
    else if (!strcmp(argv[i], "--verbose"))
      options->trial.is_verbose = true;
    else
      return false;
  }
  return true;
}

static uint64_t fresh_seed(void) {
  uint32_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint32_t)time(NULL);
  return (uint64_t)seed * 1000003;
}

/* Each counter is freed with it. */
static void print_reasons(const Totals *totals) {
  for (uint32_t i = 0; i < totals->reasons.room; i++) {
    const MapSlot *slot = &totals->reasons.slots[i];
    if (slot->value)
      printf("  set aside %6llu: %.*s\n", (unsigned long long)*(uint64_t *)slot->value, (int)slot->length,
             slot->key);
    free(slot->value);
  }
}

/* Few statements say little about coverage. */
enum { COVERAGE_NEEDS = 20000 };

static bool print_totals(const Totals *totals, const Coverage *coverage, const Options *options,
                         double seconds) {
  print_reasons(totals);
  double share = coverage_print(coverage, stdout);
  printf("%llu statements in %llu scripts: %llu agreed (%llu of them refused by both), %llu differed, %llu "
         "set aside; "
         "coverage %.1f %%; %.0f statements a second\n",
         (unsigned long long)totals->statements, (unsigned long long)totals->scripts,
         (unsigned long long)totals->agreed, (unsigned long long)totals->failed_alike,
         (unsigned long long)totals->differed, (unsigned long long)totals->set_aside, share * 100,
         (double)totals->statements / (seconds > 0 ? seconds : 1));
  bool aside_ok = totals->set_aside * 100 <= totals->statements;
  bool coverage_ok = share >= 0.95 || options->statements < COVERAGE_NEEDS;
  if (!aside_ok) printf("FAILED: more than 1 %% was set aside\n");
  if (!coverage_ok) printf("FAILED: less than 95 %% of the coverage table was reached\n");
  return !totals->differed && aside_ok && coverage_ok;
}

int main(int argc, char **argv) {
  Options options = {.statements = 20000, .trial = {.statements = 60}};
  if (!options_parse(&options, argc, argv)) {
    fprintf(stderr, "usage: %s [--statements N] [--seed S] [--keep-going] [--verbose]\n", argv[0]);
    return 2;
  }
  Totals totals = {0};
  map_init(&totals.reasons);
  if (options.script) return trial_file(options.script, &totals) ? 0 : 1;
  if (!options.has_seed) options.seed = fresh_seed();
  printf("first seed %llu\n", (unsigned long long)options.seed);
  Coverage *coverage = coverage_new(DIALECT_SQLITE);
  clock_t start = clock();
  for (uint64_t seed = options.seed; totals.statements < options.statements; seed++)
    if (!trial_run(seed, &options.trial, coverage, &totals) && !options.keeps_going) break;
  bool passed = print_totals(&totals, coverage, &options, (double)(clock() - start) / CLOCKS_PER_SEC);
  coverage_free(coverage);
  map_free(&totals.reasons);
  return passed ? 0 : 1;
}
