/* expression.h: tables of constant expressions and the values that the databases gave for them.
 *
 * An expected value is written as value_format prints it: 'text', 1.50, NULL, true; "error SQLSTATE" by
 * PostgreSQL's codes whatever the dialect; "unmodelled" and "doubt".  "PG" tries postgresql only, and so on:
 * the table names the dialects of each row. */
#ifndef ALIBI_TESTS_UNIT_EXPRESSION_H
#define ALIBI_TESTS_UNIT_EXPRESSION_H

#include "tests/unit/model.h"

enum { PG = 1, GEN = 2, MY = 4, MARIA = 8, LITE = 16, MYSQLS = MY | MARIA, POSTGRES = PG | GEN };

typedef struct Expectation {
  unsigned dialects;
  const char *sql; /* behind SELECT */
  const char *value;
} Expectation;

static inline void expectation_try(DialectName name, const Expectation *expectation) {
  char sql[1024];
  snprintf(sql, sizeof sql, "SELECT %s", expectation->sql);
  Engine *engine = model_new(name);
  Answer answer;
  Outcome outcome = model_run(engine, sql, &answer);
  if (strcmp(answer.text, expectation->value) != 0)
    fail_msg("%s: %s\n  answers  %s (%s)\n  expected %s", dialect_title(name), sql, answer.text,
             outcome.reason ? outcome.reason : "", expectation->value);
  model_free(engine);
}

static inline void expectations_try(const Expectation *expectations, size_t count) {
  static const struct {
    unsigned bit;
    DialectName name;
  } dialects[] = {{PG, DIALECT_POSTGRESQL},
                  {GEN, DIALECT_GENERIC},
                  {MY, DIALECT_MYSQL},
                  {MARIA, DIALECT_MARIADB},
                  {LITE, DIALECT_SQLITE}};
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof dialects / sizeof *dialects; k++)
      if (expectations[i].dialects & dialects[k].bit) expectation_try(dialects[k].name, &expectations[i]);
}

#define EXPECT(...)                                                                                          \
  do {                                                                                                       \
    static const Expectation expectations_[] = {__VA_ARGS__};                                                \
    expectations_try(expectations_, sizeof expectations_ / sizeof *expectations_);                           \
  } while (0)

#endif
