/* verify.c: `alibi verify`, and `alibi show --state`: an execution replayed, without solver or search. */
#include "src/app/verify.h"

#include "levels/verify.h"
#include "src/app/command.h"
#include "src/app/table.h"

#include <stdio.h>

#define OPTION_STRUCT VerifyOptions
static const Option option_rows[] = {VERIFY_OPTIONS(OPTION_ROW)};

OptionTable verify_options(void) {
  return (OptionTable){option_rows, sizeof option_rows / sizeof *option_rows};
}

/* ---- verify ------------------------------------------------------------------------------------- */

static int verified_report(const char *log, const char *witness, const Verified *result, bool is_quiet) {
  if (result->answer == CONFIRM_BAD) return usage_fail(NULL, &result->diag);
  if (is_quiet) return (int)result->answer;
  switch (result->answer) {
  case CONFIRM_HOLDS:
    printf("%s: %s explains it at level %s\n  %llu transactions in %s order were replayed: every observation "
           "and every "
           "condition of the level holds.\n",
           log, witness, result->header.level, (unsigned long long)result->transactions,
           result->header.is_searched ? "a searched" : "the given");
    break;
  case CONFIRM_FAILS: printf("%s: %s does NOT explain it: %s\n", log, witness, result->reason); break;
  default: printf("%s: %s cannot be decided: %s\n", log, witness, result->reason); break;
  }
  return (int)result->answer;
}

int verify_main(int argc, char **argv) {
  VerifyOptions options;
  Operands files = {0};
  Diag diag;
  diag_clear(&diag);
  int code = EXIT_CORRECT;
  if (!option_parse(verify_options(), &options, argc, argv, &files, &diag)) {
    code = usage_fail("verify", &diag);
  } else if (options.help) {
    command_help("verify");
  } else if (files.count != 2) {
    diag_fail(&diag, PLACE_NONE, "expected a LOG and a WITNESS");
    code = usage_fail("verify", &diag);
  } else {
    Verified result;
    verify(files.items[0], files.items[1], NULL, &result);
    code = verified_report(files.items[0], files.items[1], &result, options.quiet);
    verified_free(&result);
  }
  ARRAY_FREE(&files);
  return code;
}

/* ---- show --state ---------------------------------------------------------------------------------- */

enum { CELL_WIDTH = 200 };

static void table_show(Engine *engine, const Table *table) {
  Store *store = engine_store(engine);
  const char *lost = engine_lost(engine, table);
  printf("  table %s\n   ", table->name);
  for (uint32_t i = 0; i < table->column_count; i++) printf(" %s%s", i ? "| " : "", table->columns[i].name);
  putchar('\n');
  if (lost) printf("    not known: %s\n", lost);
  uint32_t count = 0;
  for (uint32_t i = 0; !lost && i < store_key_count(store, table); i++) {
    const Version *row = store_read(store, store_key_at(store, table, i), READ_PLAIN);
    if (!row) continue;
    fputs("   ", stdout);
    for (uint32_t k = 0; k < table->column_count; k++) {
      char text[CELL_WIDTH];
      model_format(doubt_settle(engine_doubts(engine), row->values[k]), text, sizeof text);
      printf(" %s%s", k ? "| " : "", text);
    }
    putchar('\n');
    count++;
  }
  if (!lost) printf("    (%u row%s)\n", count, count == 1 ? "" : "s");
}

static void state_show(void *context, Engine *engine) {
  const Schema *schema = engine_schema(engine);
  (void)context;
  for (uint32_t i = 0; i < schema->tables.count; i++) {
    const Table *table = schema->tables.items[i];
    if (schema_table(schema, table->name) == table) table_show(engine, table);
  }
}

int show_state(const char *log, const char *witness, int64_t state) {
  Verified result;
  Verification question = {.state = state, .show = state_show};
  printf("%s, state %lld of %s\n", log, (long long)state, witness);
  verify(log, witness, &question, &result);
  if (result.answer == CONFIRM_BAD && !result.diag.failed)
    diag_fail(&result.diag, (Place){.file = witness, .offset = -1}, "state %lld: %s", (long long)state,
              result.reason);
  int code = result.answer == CONFIRM_HOLDS ? EXIT_CORRECT : verified_report(log, witness, &result, false);
  verified_free(&result);
  return code;
}
