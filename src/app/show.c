/* show.c: `alibi show`: what was understood of a transcript, without judging it. */
#include "src/app/show.h"

#include "semantics/replay.h"
#include "src/app/command.h"
#include "src/app/report.h"
#include "src/app/table.h"
#include "src/app/verify.h"
#include "src/sql/parse.h"
#include "src/transcript/order.h"

#include <inttypes.h>
#include <string.h>

#define OPTION_STRUCT ShowOptions
static const Option option_rows[] = {SHOW_OPTIONS(OPTION_ROW)};

OptionTable show_options(void) {
  return (OptionTable){option_rows, sizeof option_rows / sizeof *option_rows};
}

typedef struct Show {
  const Header *header;
  Replay *replay; /* runs the set-up lines only, for the schema */
  Arena arena;    /* of the line */
  uint64_t transactions;
  bool has_schema;
} Show;

/* ---- Header and schema ---------------------------------------------------------------- */

static void show_header(const char *log, const Header *header) {
  static const char *const orders[] = {
      [ORDER_FILE] = "the file's", [ORDER_HINT] = "by hint", [ORDER_COMMIT] = "by commit"};
  const Dialect *dialect = &header->dialect;
  printf("%s\n", log);
  if (header->name) printf("  name       %s\n", header->name);
  if (header->source) printf("  source     %s\n", header->source);
  if (header->clock) printf("  clock      %s\n", header->clock);
  printf("  dialect    %s\n", dialect_title(dialect->name));
  printf("  level      %s\n", header->level ? header->level : "(none claimed)");
  printf("  order      %s", orders[header->order]);
  if (header->order != ORDER_FILE) printf(", within %" PRIu64 " lines", header->reorder);
  printf("\n  collation  %s\n", dialect->other_collation             ? "not modelled"
                                : dialect->collation == COLLATION_CI ? "ci"
                                                                     : "C");
  if (dialect->found_rows) puts("  found_rows: affected counts are of matched rows");
  if (header->snapshot_isolation >= 0)
    printf("  innodb_snapshot_isolation: %s\n", header->snapshot_isolation ? "on" : "off");
}

static void show_columns(const Table *table, const char *title, const uint32_t *columns, uint32_t count) {
  printf("    %s (", title);
  for (uint32_t i = 0; i < count; i++) printf("%s%s", i ? ", " : "", table->columns[columns[i]].name);
  puts(")");
}

static void show_table(const Table *table) {
  printf("  table %s\n", table->name);
  for (uint32_t i = 0; i < table->column_count; i++) {
    const Column *column = &table->columns[i];
    char type[80];
    printf("    %-20s %s%s%s%s\n", column->name, type_text(column->type, type, sizeof type),
           column->not_null ? " NOT NULL" : "", column->auto_increment ? " generated" : "",
           column->default_value ? " DEFAULT" : "");
  }
  for (uint32_t i = 0; i < table->indexes.count; i++) {
    const Index *index = table->indexes.items[i];
    if (index->is_dropped) continue;
    show_columns(table,
                 index->primary  ? "PRIMARY KEY"
                 : index->unique ? "UNIQUE"
                                 : "INDEX",
                 index->columns, index->column_count);
  }
  for (uint32_t i = 0; i < table->foreign_keys.count; i++) {
    const ForeignKey *key = table->foreign_keys.items[i];
    show_columns(table, "FOREIGN KEY", key->columns, key->column_count);
    printf("      references %s\n", key->parent_name);
  }
  if (table->checks.count)
    printf("    %u CHECK constraint%s\n", table->checks.count, table->checks.count == 1 ? "" : "s");
}

/* The schema as the set-up lines leave it, once, before the first transaction. */
static void show_schema(Show *show) {
  if (show->has_schema) return;
  show->has_schema = true;
  Engine *engine = replay_engine(show->replay);
  const Schema *schema = engine_schema(engine);
  for (uint32_t i = 0; i < schema->tables.count; i++) {
    const Table *table = schema->tables.items[i];
    if (schema_table(schema, table->name) == table) {
      show_table(table);
      printf("    %u initial row%s\n", store_key_count(engine_store(engine), table),
             store_key_count(engine_store(engine), table) == 1 ? "" : "s");
    }
  }
  uint64_t count, kept;
  const SetAside *aside = replay_set_aside(show->replay, &count, &kept);
  for (uint64_t i = 0; i < kept; i++)
    printf("  not modelled, line %" PRIu64 ": %s\n    %s\n", aside[i].line, aside[i].reason,
           report_sql(&show->arena, aside[i].sql ? aside[i].sql : "", 300));
}

/* ---- Transactions ------------------------------------------------------------------------ */

static void show_sql(Show *show, const char *sql, size_t length) {
  Tokens tokens;
  Parse parse = {0};
  bool is_cut = tokens_scan(&show->header->dialect, &show->arena, sql, length, &tokens);
  ParseAnswer answer =
      is_cut ? parse_tokens(&show->header->dialect, &show->arena, sql, &tokens, &parse) : PARSE_REJECTED;
  if (answer == PARSE_OK) {
    for (uint32_t i = 0; i < parse.statements.count; i++)
      printf("%s%s", i ? "; " : "", statement_text(&show->arena, parse.statements.items[i], &tokens));
    return;
  }
  const char *error = !is_cut                    ? tokens.error
                      : answer == PARSE_TOO_DEEP ? "nested too deep"
                      : answer == PARSE_EMPTY    ? "empty"
                      : parse.error              ? parse.error
                                                 : "not in the grammar";
  printf("%s\n         not parsed: %s (at offset %u)", report_sql(&show->arena, sql, 300), error,
         is_cut ? parse.offset : tokens.error_offset);
}

static void show_interval(const char *name, Interval interval) {
  if (!interval.given) return;
  if (interval.lo == interval.hi)
    printf(", %s %" PRId64, name, interval.lo);
  else if (interval.hi == INT64_MAX)
    printf(", %s from %" PRId64 " on", name, interval.lo);
  else
    printf(", %s %" PRId64 " to %" PRId64, name, interval.lo, interval.hi);
}

static void show_observation(const Operation *operation) {
  if (operation->meta) fputs("  (meta: not executed)", stdout);
  if (operation->has_rows)
    for (uint32_t i = 0; i < operation->result_count; i++)
      printf("  -> %u row%s", operation->results[i].count, operation->results[i].count == 1 ? "" : "s");
  if (operation->has_affected) printf("  -> affected %" PRId64, operation->affected);
  if (operation->error) printf("  -> error %s", operation->error);
}

static void show_operation(Show *show, const Operation *operation, uint32_t index) {
  static const char *const verbs[] = {
      [OPERATION_READ] = "read", [OPERATION_WRITE] = "write", [OPERATION_APPEND] = "append"};
  printf("    %3u  ", index + 1);
  if (operation->kind == OPERATION_SQL) {
    if (operation->meta)
      fputs(report_sql(&show->arena, operation->sql, 300), stdout);
    else
      show_sql(show, operation->sql, operation->sql_length);
  } else {
    char text[200];
    observed_format(&operation->argument, true, text, sizeof text);
    printf("%s %s %s %s", verbs[operation->kind], operation->object,
           operation->kind == OPERATION_READ ? "->" : ":=", text);
  }
  show_observation(operation);
  putchar('\n');
}

static void show_transaction(Show *show, const Line *line) {
  const Transaction *transaction = &line->transaction;
  show_schema(show);
  if (transaction->status == STATUS_COMMITTED)
    printf("  %" PRIu64 ". ", ++show->transactions);
  else
    printf("  -  ");
  printf("transaction %s (line %" PRIu64 "", transaction->name, line->number);
  if (transaction->status != STATUS_COMMITTED)
    fputs(transaction->status == STATUS_ABORTED ? ", aborted" : ", status unknown", stdout);
  if (transaction->session) printf(", session %s", transaction->session);
  if (transaction->level) printf(", level %s", transaction->level);
  show_interval("start", transaction->start);
  show_interval("commit", transaction->commit);
  if (transaction->has_hint) printf(", hint %" PRId64, transaction->hint);
  puts(")");
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    show_operation(show, &transaction->operations[i], i);
}

static bool show_line(Show *show, const Line *line, Diag *diag) {
  arena_clear(&show->arena);
  switch (line->kind) {
  case LINE_SETUP:
    printf("  set-up (line %" PRIu64 ")  ", line->number);
    show_sql(show, line->setup, strlen(line->setup));
    putchar('\n');
    return replay_line(show->replay, line, diag);
  case LINE_TABLE:
    printf("  initial rows (line %" PRIu64 ")  %s: %u\n", line->number, line->table.table,
           line->table.row_count);
    return replay_line(show->replay, line, diag);
  case LINE_TRANSACTION: show_transaction(show, line); return true;
  case LINE_GAP:
    printf("  gap (line %" PRIu64 "): %s%s\n", line->number, line->gap.text,
           line->gap.writes ? "" : " (cannot have written)");
    return true;
  case LINE_FINAL:
    show_schema(show);
    printf("  final rows (line %" PRIu64 ")  %s: %u\n", line->number, line->table.table,
           line->table.row_count);
    return true;
  case LINE_HEADER:
  case LINE_END: break;
  }
  return true;
}

static void show_warning(const char *message, void *context) {
  (void)context;
  fflush(stdout);
  fprintf(stderr, "alibi: warning: %s\n", message);
}

static bool show_log(const char *log, Diag *diag) {
  TranscriptReader *reader = transcript_open_with(log, show_warning, NULL, diag);
  if (!reader) return false;
  Show show = {.header = transcript_header(reader)};
  show.replay = replay_new(show.header, log);
  TranscriptOrder *order = order_new(reader, log);
  show_header(log, show.header);
  Line line = {0};
  bool is_good = true;
  do {
    is_good = order_next(order, &line, diag) && show_line(&show, &line, diag);
  } while (is_good && line.kind != LINE_END && !ferror(stdout));
  if (is_good) show_schema(&show);
  order_free(order);
  replay_free(show.replay);
  arena_free(&show.arena);
  transcript_close(reader);
  return is_good;
}

int show_main(int argc, char **argv) {
  ShowOptions options;
  Operands logs = {0};
  Diag diag;
  diag_clear(&diag);
  int code = EXIT_CORRECT;
  if (!option_parse(show_options(), &options, argc, argv, &logs, &diag))
    code = usage_fail("show", &diag);
  else if (options.help)
    command_help("show");
  else if (!logs.count)
    code = (diag_fail(&diag, PLACE_NONE, "expected a LOG"), usage_fail("show", &diag));
  else if (!options.witness != (options.state < 0) || (options.witness && logs.count > 1))
    code = (diag_fail(&diag, PLACE_NONE, "--witness and --state go together, with one LOG"),
            usage_fail("show", &diag));
  else if (options.witness)
    code = show_state(logs.items[0], options.witness, options.state);
  else
    for (uint32_t i = 0; i < logs.count; i++) {
      diag_clear(&diag);
      if (show_log(logs.items[i], &diag)) continue;
      fflush(stdout);
      code = usage_fail(NULL, &diag);
    }
  ARRAY_FREE(&logs);
  return code;
}
