/* generate.c: a script: set-up, then transactions of random statements. */
#include "src/live/generate_draw.h"

#include "src/base/arena.h"

#include <assert.h>
#include <stdlib.h>

Generator *generator_new(const GeneratorOptions *options, Coverage *coverage) {
  Generator *generator = memory_new(sizeof *generator);
  generator->options = *options;
  generator->coverage = coverage;
  random_seed(&generator->random, options->seed, 0, 0);
  unsigned bit = dialect_bit(options->dialect);
  generator->is_sqlite = bit == FOR_SQLITE;
  generator->is_postgres = bit == FOR_POSTGRESQL;
  generator->is_mysql = bit == FOR_MYSQL;
  generator->is_modelled = options->keeps_to_model;
  generator->is_strict = generator->is_postgres || (generator->is_mysql && generator->is_modelled);
  generator->table_goal = 1 + draw_below(generator, 4);
  return generator;
}

Generator *generator_fork(const Generator *generator, uint64_t seed, uint32_t number) {
  GeneratorOptions options = generator->options;
  options.seed = seed;
  Generator *fork = generator_new(&options, generator->coverage);
  fork->schema = generator->schema;
  fork->next_name = generator->next_name + 1000 * number;
  fork->step = STEP_OUTSIDE;
  return fork;
}

void generator_free(Generator *generator) {
  if (!generator) return;
  ARRAY_FREE(&generator->cells);
  ARRAY_FREE(&generator->text);
  free(generator);
}

static void statement_begin(Generator *generator) {
  generator->text.count = 0;
  generator->cells.count = 0;
  generator->has_pending = false;
  generator->merges_equals = false;
  generator->with_count = 0;
  generator->big_depth = 0;
  generator->next_alias = 0;
  generator->kind = GENERATED_QUERY;
}

/* ---- set-up ---- */

static void draw_setup(Generator *generator) {
  if (generator->step == STEP_TABLES) {
    if (generator->schema.table_count < generator->table_goal &&
        generator->next_name < 2 * generator->table_goal) {
      draw_create_table(generator);
      return;
    }
    generator->step = STEP_ROWS;
    generator->row_goal = generator->schema.table_count * draw_below(generator, 9);
  }
  if (generator->row_goal && generator->schema.table_count) {
    generator->row_goal--;
    draw_setup_rows(generator,
                    &generator->schema.tables[generator->row_goal % generator->schema.table_count]);
    return;
  }
  generator->step = STEP_OUTSIDE;
}

/* ---- savepoints ---- */

static Savepoint *draw_savepoint_place(Generator *generator) {
  return &generator->savepoints[draw_below(generator, generator->savepoint_count)];
}

static void draw_savepoint(Generator *generator) {
  generator->kind = GENERATED_SAVEPOINT;
  uint32_t dice = draw_below(generator, 100);
  if (!generator->savepoint_count || (dice < 40 && generator->savepoint_count < SAVEPOINT_LIMIT)) {
    emit(generator, "SAVEPOINT p%u", generator->next_name++ % 100000);
    cover_feature(generator, FEATURE_SAVEPOINT);
  } else if (dice < 80) {
    emit(generator, "ROLLBACK TO SAVEPOINT %s", draw_savepoint_place(generator)->name);
    cover_feature(generator, FEATURE_ROLLBACK_TO);
  } else {
    emit(generator, "RELEASE SAVEPOINT %s", draw_savepoint_place(generator)->name);
    cover_feature(generator, FEATURE_RELEASE);
  }
}

static const char *last_word(const Generator *generator) { return strrchr(generator->text.items, ' ') + 1; }

static void savepoint_done(Generator *generator) {
  if (generator->text.items[0] == 'S') {
    Savepoint *savepoint = &generator->savepoints[generator->savepoint_count++];
    snprintf(savepoint->name, sizeof savepoint->name, "%s", last_word(generator));
    savepoint->schema = generator->schema;
    return;
  }
  uint32_t place = generator->savepoint_count;
  while (place > 0 && strcmp(generator->savepoints[place - 1].name, last_word(generator))) place--;
  assert(place > 0);
  if (generator->text.items[1] == 'O') generator->schema = generator->savepoints[place - 1].schema;
  generator->savepoint_count = generator->text.items[1] == 'O' ? place : place - 1;
}

/* ---- transactions ---- */

static void draw_free_value(Generator *generator) {
  static const char *const forms[3][4] = {
      {"SELECT random()", "SELECT CURRENT_TIMESTAMP", "SELECT last_insert_rowid()",
       "SELECT changes(), CURRENT_TIME"},
      {"SELECT random()", "SELECT now()", "SELECT CURRENT_DATE, random()", "SELECT 1, CURRENT_TIMESTAMP"},
      {"SELECT RAND()", "SELECT NOW()", "SELECT CURRENT_DATE, RAND()", "SELECT 1, CURRENT_TIMESTAMP"}};
  emit(generator, "%s",
       forms[generator->is_sqlite     ? 0
             : generator->is_postgres ? 1
                                      : 2][draw_below(generator, 4)]);
}

static void draw_statement(Generator *generator) {
  uint32_t dice = draw_below(generator, 1000);
  const GeneratorOptions *options = &generator->options;
  if (options->has_definitions && !generator->is_mysql && dice < 40) {
    draw_definition(generator);
  } else if (options->has_savepoints && dice < 100) {
    draw_savepoint(generator);
  } else if (options->has_mistakes && dice < 110 && draw_table(generator, false)) {
    draw_mistake(generator);
  } else if (options->has_free_values && dice < 113) {
    draw_free_value(generator);
  } else if (dice < 500 && draw_change(generator)) {
    return;
  } else {
    QueryShape shape = draw_shape(generator, 1 + draw_below(generator, 4));
    draw_query(generator, NULL, &shape, 1 + draw_below(generator, 3));
  }
}

static void draw_begin(Generator *generator) {
  generator->kind = GENERATED_BEGIN;
  emit(generator, "BEGIN");
  generator->is_definition_due =
      generator->is_mysql && generator->options.has_definitions && draw_chance(generator, 8);
  generator->left_in_transaction = generator->is_definition_due ? 1 : 1 + draw_below(generator, 7);
}

static void draw_end(Generator *generator, bool must_roll_back) {
  bool rolls_back = must_roll_back || (!generator->is_definition_due && draw_chance(generator, 12));
  generator->kind = rolls_back ? GENERATED_ROLLBACK : GENERATED_COMMIT;
  emit(generator, rolls_back ? "ROLLBACK" : "COMMIT");
}

static void draw_look(Generator *generator) {
  emit(generator, "SELECT * FROM %s", generator->look_at);
  generator->look_at_due = false;
}

static void draw_inside(Generator *generator) {
  if (generator->is_dead && generator->savepoint_count && draw_chance(generator, 80)) {
    generator->kind = GENERATED_SAVEPOINT;
    emit(generator, "ROLLBACK TO SAVEPOINT %s", draw_savepoint_place(generator)->name);
  } else if (generator->is_dead || !generator->left_in_transaction) {
    draw_end(generator, generator->is_dead);
  } else if (generator->is_definition_due) {
    generator->left_in_transaction--;
    draw_definition(generator);
  } else {
    generator->left_in_transaction--;
    generator->done++;
    draw_statement(generator);
  }
}

Generated generator_next(Generator *generator) {
  statement_begin(generator);
  bool is_setup = generator->step <= STEP_ROWS;
  if (generator->look_at_due)
    draw_look(generator);
  else if (is_setup)
    draw_setup(generator);
  is_setup = is_setup && generator->step <= STEP_ROWS;
  if (!generator->text.count && !is_setup) {
    if (generator->step == STEP_INSIDE)
      draw_inside(generator);
    else if (generator->options.statements && generator->done >= generator->options.statements)
      generator->step = STEP_OVER;
    else
      draw_begin(generator);
  }
  if (generator->step == STEP_OVER) return (Generated){.kind = GENERATED_END, .sql = ""};
  if (!generator->text.count && !is_setup) emit(generator, "SELECT 1"); /* where nothing could be drawn */
  return (Generated){generator->kind, generator->text.items, generator->text.count, is_setup,
                     generator->merges_equals};
}

/* ---- what became of it ---- */

static void apply(Generator *generator) {
  switch (generator->kind) {
  case GENERATED_BEGIN:
    generator->step = STEP_INSIDE;
    generator->at_begin = generator->schema;
    generator->savepoint_count = 0;
    break;
  case GENERATED_ROLLBACK: generator->schema = generator->at_begin; /* fall through */
  case GENERATED_COMMIT:
    generator->step = STEP_OUTSIDE;
    generator->savepoint_count = 0;
    generator->is_dead = false;
    break;
  case GENERATED_SAVEPOINT:
    savepoint_done(generator);
    generator->is_dead = false;
    break;
  default:
    if (generator->has_pending) generator->schema = generator->pending;
  }
}

void generator_report(Generator *generator, bool succeeded) {
  if (!succeeded) {
    generator->look_at_due = false;
    generator->is_dead = generator->is_postgres && generator->step == STEP_INSIDE;
    /* A COMMIT that fails ends the transaction all the same. */
    if (generator->kind == GENERATED_COMMIT || generator->kind == GENERATED_ROLLBACK) {
      generator->kind = GENERATED_ROLLBACK;
      apply(generator);
    }
    return;
  }
  for (uint32_t i = 0; i < generator->cells.count; i++)
    coverage_count(generator->coverage, generator->cells.items[i]);
  apply(generator);
}

uint32_t generator_table_count(const Generator *generator) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < generator->schema.table_count; i++) count += !generator->schema.tables[i].is_view;
  return count;
}

const char *generator_table_name(const Generator *generator, uint32_t index) {
  for (uint32_t i = 0; i < generator->schema.table_count; i++)
    if (!generator->schema.tables[i].is_view && index-- == 0) return generator->schema.tables[i].name;
  return NULL;
}
