/* fuzz.c: random statements over random tables, from the grammar of the differential test.
 *
 * The generator knows the schema it made, so it is told what became of each statement. */
#include "src/live/drive.h"

#include "src/live/generate.h"

enum { FOREIGN_KEYS, MISTAKES, ROWS, WILD };

static GeneratorOptions fuzz_options(const Run *run, const Client *client) {
  return (GeneratorOptions){.dialect = client->dialect,
                            .seed = run->seed,
                            .has_definitions = true,
                            .has_savepoints = true,
                            .keeps_to_model = !run->scale.value[WILD],
                            .has_foreign_keys = run->scale.value[FOREIGN_KEYS] != 0,
                            .has_mistakes = run->scale.value[MISTAKES] != 0};
}

/* Joins of joins may have no end; what a database gives up is recorded as refused. */
static const char *fuzz_time_limit(DialectName dialect) {
  switch (dialect) {
  case DIALECT_POSTGRESQL: return "SET statement_timeout = '5s'";
  case DIALECT_MARIADB: return "SET SESSION max_statement_time = 5";
  default: return NULL;
  }
}

static void fuzz_adjust(Run *run, Client *client) {
  Reply reply;
  const char *limit = fuzz_time_limit(client->dialect);
  if (limit) driver_run(client->connection, &client->arena, limit, &reply);
  if (run->scale.value[FOREIGN_KEYS] && client->dialect == DIALECT_SQLITE)
    driver_run(client->connection, &client->arena, "PRAGMA foreign_keys = ON", &reply);
}

static void prepare_one(Run *run, Client *client, Generator *generator, const char *sql) {
  Reply reply;
  driver_run(client->connection, &client->arena, sql, &reply);
  if (!reply.error && run->recorder.writer) transcript_write_setup(run->recorder.writer, sql);
  generator_report(generator, !reply.error);
  arena_clear(&client->arena);
}

/* The set-up ends where the first transaction begins; that BEGIN is kept for the driver. */
static bool fuzz_prepare(Run *run, Client *client, Diag *diag) {
  (void)diag;
  GeneratorOptions options = fuzz_options(run, client);
  Generator *generator = generator_new(&options, NULL);
  Generated generated;
  while ((generated = generator_next(generator)).is_setup) prepare_one(run, client, generator, generated.sql);
  generator_report(generator, true);
  run->state = generator;
  return true;
}

static void fuzz_release(Run *run) {
  if (run->state) generator_free(run->state);
}

/* From BEGIN to COMMIT or ROLLBACK.  False: the generator has come to its end, or the connection is gone. */
static bool fuzz_transaction(Run *run, Client *client, Generator *generator) {
  client->tally = run_tally(run, client, 0);
  if (!client_begin(client)) return run_stop(run);
  for (;;) {
    Generated generated = generator_next(generator);
    bool is_end = generated.kind == GENERATED_COMMIT || generated.kind == GENERATED_ROLLBACK;
    if (generated.kind == GENERATED_END) return false;
    if (generated.kind == GENERATED_BEGIN) {
      generator_report(generator, true);
      continue;
    }
    if (!is_end) {
      generator_report(generator, !client_send(client, generated.sql)->error);
      continue;
    }
    Finish finish = client_finish(client, generated.kind == GENERATED_COMMIT);
    generator_report(generator, generated.kind == GENERATED_ROLLBACK || finish == FINISH_COMMITTED);
    return true;
  }
}

/* Random inserts make tables grow, and joins of grown tables have no end: full ones are emptied.  Now and
 * then all are, children first: an audit that has lost track of a table finds it again. */
static bool fuzz_trim(Run *run, Client *client, const Generator *generator, bool has_all) {
  if (!client_begin(client)) return run_stop(run);
  for (uint32_t i = generator_table_count(generator); i-- > 0;) {
    const char *table = generator_table_name(generator, i);
    const Reply *count = client_send(client, arena_format(&client->arena, "SELECT COUNT(*) FROM %s", table));
    if (reply_int(count, 0, 0) > run->scale.value[ROWS] || has_all)
      client_send(client, arena_format(&client->arena, "DELETE FROM %s", table));
  }
  client_finish(client, true);
  return true;
}

static void fuzz_drive(Run *run, Client *client) {
  Generator *generator = run->client_count > 1
                             ? generator_fork(run->state, run->seed + client->number, client->number)
                             : run->state;
  uint64_t share = run_share(run, client);
  for (uint64_t index = 1; (!run->transactions || index <= share) && run_goes_on(run); index++) {
    bool is_between = index % 8 == 0;
    if (!(is_between ? fuzz_trim(run, client, generator, index % 40 == 0)
                     : fuzz_transaction(run, client, generator)))
      break;
  }
  if (run->client_count > 1) generator_free(generator);
}

const Workload WORKLOAD_FUZZ = {
    .name = "fuzz",
    .summary = "random statements over random tables",
    .has_literals = true,
    .parameters = {{"foreign-keys", 1, 0, 1, "1: foreign keys are declared and checked"},
                   {"mistakes", 1, 0, 1, "1: now and then a statement that is refused"},
                   {"rows", 20, 1, 1000000, "a table with more is emptied"},
                   {"wild", 0, 0, 1, "1: also SQL that is not modelled, which an audit sets aside"}},
    .kinds = {{"transaction", 1, NULL}},
    .adjust = fuzz_adjust,
    .prepare = fuzz_prepare,
    .drive = fuzz_drive,
    .release = fuzz_release,
};
