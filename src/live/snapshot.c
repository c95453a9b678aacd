/* snapshot.c: header, schema and rows of an existing database as set-up lines, for transactions that
 * are recorded by other means.
 *
 * The rows of all tables come from one snapshot.  Nothing is left out silently: what an audit
 * cannot model (a trigger, say) is written as it is, and the audit says so. */
#include "src/live/snapshot.h"

#include "src/live/catalogue.h"
#include "src/live/frame.h"
#include "src/live/observe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BAD = 2, BATCH = 500 };

#define SNAPSHOT_OPTIONS(X)                                                                                  \
  X(TEXT, db, "db", "URL", NULL, NULL, "the database: sqlite:FILE, postgresql://..., mariadb://...")         \
  X(TEXT, tables, "tables", "NAME,...", NULL, NULL, "only these tables, views and procedures")               \
  X(TEXT, out, "out", "FILE", "-", NULL, "where the lines go; - is standard output")                         \
  X(FLAG, help, "help", NULL, NULL, NULL, "show this")

typedef struct SnapshotOptions {
  SNAPSHOT_OPTIONS(OPTION_FIELD)
} SnapshotOptions;
#define OPTION_STRUCT SnapshotOptions
static const Option OPTIONS[] = {SNAPSHOT_OPTIONS(OPTION_ROW)};

OptionTable snapshot_options(void) { return (OptionTable){OPTIONS, sizeof OPTIONS / sizeof *OPTIONS}; }

static void header_write(TranscriptWriter *writer, Connection *connection, Arena *arena) {
  Header header = {.order = ORDER_FILE, .reorder = 10000, .name = "snapshot", .source = "alibi snapshot"};
  frame_describe(&header, connection, arena);
  transcript_write_header(writer, &header);
}

/* ---- rows ---- */

static void batch_write(TranscriptWriter *writer, Arena *arena, const Reply *reply, const char *table,
                        uint32_t first) {
  const ObservedRows *rows = &reply->results[0];
  uint32_t count = rows->count - first < BATCH ? rows->count - first : BATCH;
  TableLine line = {.table = table,
                    .has_columns = true,
                    .column_count = reply->column_count,
                    .columns = reply->columns,
                    .row_count = count,
                    .rows = arena_zero(arena, count * sizeof *line.rows)};
  for (uint32_t row = 0; row < count; row++) {
    const ObservedRow *observed = &rows->rows[first + row];
    line.rows[row].count = observed->count;
    line.rows[row].cells = ARENA_ARRAY(arena, Cell, observed->count);
    for (uint32_t i = 0; i < observed->count; i++)
      line.rows[row].cells[i] = (Cell){CELL_VALUE, observed->cells[i].value};
  }
  transcript_write_table(writer, &line);
}

static bool rows_write(TranscriptWriter *writer, Connection *connection, const char *table, Diag *diag) {
  Arena arena;
  Reply reply;
  arena_init(&arena);
  const char *name = catalogue_quote(&arena, connection->dialect, table);
  driver_run(connection, &arena, arena_format(&arena, "SELECT * FROM %s", name), &reply);
  bool is_good = !reply.error || diag_fail(diag, PLACE_NONE, "%s: %s", table, reply.message);
  if (is_good && !observe_is_writable(&reply.results[0]))
    is_good = diag_fail(diag, PLACE_NONE, "%s: a text with NUL or bytes that are not UTF-8", table);
  for (uint32_t first = 0; is_good && first < reply_row_count(&reply); first += BATCH)
    batch_write(writer, &arena, &reply, table, first);
  arena_free(&arena);
  return is_good;
}

/* ---- all of it ---- */

/* Tables and what makes their keys unique, then their rows, then what stands on them. */
static bool entries_write(TranscriptWriter *writer, Connection *connection, const Catalogue *catalogue,
                          Diag *diag) {
  bool is_good = true;
  uint32_t next = 0;
  for (; next < catalogue->count && catalogue->items[next].kind <= ENTRY_INDEX; next++)
    transcript_write_setup(writer, catalogue->items[next].sql);
  for (uint32_t i = 0; is_good && i < next; i++)
    if (catalogue->items[i].kind == ENTRY_TABLE)
      is_good = rows_write(writer, connection, catalogue->items[i].name, diag);
  for (; is_good && next < catalogue->count; next++)
    transcript_write_setup(writer, catalogue->items[next].sql);
  return is_good;
}

static bool snapshot_write(Connection *connection, const SnapshotOptions *options, Diag *diag) {
  Arena arena;
  Catalogue catalogue = {0};
  arena_init(&arena);
  bool is_good = frame_snapshot(connection, &arena, diag) &&
                 catalogue_read(connection, &arena, options->tables, &catalogue, diag);
  TranscriptWriter *writer = is_good ? transcript_create(options->out, diag) : NULL;
  if (writer) {
    header_write(writer, connection, &arena);
    is_good = entries_write(writer, connection, &catalogue, diag);
    is_good = transcript_finish(writer, diag) && is_good;
  }
  ARRAY_FREE(&catalogue);
  arena_free(&arena);
  return is_good && writer;
}

/* SQLite makes the file that it is asked to open; what is to be shown must be there. */
static bool database_exists(const Driver *driver, const char *url, Diag *diag) {
  if (driver->is_server) return true;
  const char *file = strchr(url, ':') + 1;
  if (!*file) return diag_fail(diag, PLACE_NONE, "'%s' is an empty database: sqlite:FILE", url);
  return access(file, R_OK) == 0 || diag_fail(diag, PLACE_NONE, "%s: %s", url, strerror(errno));
}

static bool snapshot_take(const SnapshotOptions *options, const Operands *operands, Diag *diag) {
  if (operands->count) return diag_fail(diag, PLACE_NONE, "unexpected '%s'", operands->items[0]);
  if (!options->db) return diag_fail(diag, PLACE_NONE, "which database? --db URL");
  const Driver *driver = driver_find(options->db, diag);
  bool exists = driver && database_exists(driver, options->db, diag);
  Connection *connection = exists ? driver->open(options->db, diag) : NULL;
  if (!connection) return false;
  bool is_good = snapshot_write(connection, options, diag);
  driver->close(connection);
  return is_good;
}

int snapshot_main(int argc, char **argv) {
  SnapshotOptions options;
  Operands operands = {0};
  Diag diag = {0};
  char text[1024];
  option_defaults(snapshot_options(), &options);
  bool is_good = option_parse(snapshot_options(), &options, argc, argv, &operands, &diag);
  if (is_good && options.help) {
    printf("alibi snapshot --db URL [OPTIONS]\n\n"
           "Writes an existing database as the beginning of a transcript: the header with the server's "
           "settings, the\n"
           "schema, and the rows of all tables as of one moment.\n\n");
    option_print(snapshot_options(), OPTION_AS_HELP, stdout);
  } else {
    is_good = is_good && snapshot_take(&options, &operands, &diag);
  }
  if (!is_good) fprintf(stderr, "alibi snapshot: %s\n", diag_text(&diag, text, sizeof text));
  ARRAY_FREE(&operands);
  return is_good ? 0 : EXIT_BAD;
}
