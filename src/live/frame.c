/* frame.c: the header, with the server's settings that change meaning, and the `final` lines. */
#include "src/live/frame.h"

#include "src/live/catalogue.h"
#include "src/live/observe.h"

#include <string.h>
#include <strings.h>

static bool collation_is(const char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && !strcmp(name + length - tail, ending);
}

/* PostgreSQL names a locale, MariaDB a collation of a character set. */
static void header_collate(Header *header, const char *name) {
  if (!*name) return;
  if (collation_is(name, "_ci"))
    header->dialect.collation = COLLATION_CI;
  else if (!strcmp(name, "C") || !strcmp(name, "POSIX") || !strncmp(name, "C.", 2))
    header->dialect.collation = COLLATION_C;
  else
    header->dialect.other_collation = true;
}

static bool setting_is_on(const char *value) { return strcmp(value, "0") && strcasecmp(value, "OFF"); }

static void header_setting(Header *header, const char *name, const char *value) {
  if (!strcmp(name, "sql_mode")) dialect_set_mode(&header->dialect, value, strlen(value));
  if (!strcmp(name, "innodb_snapshot_isolation")) header->snapshot_isolation = setting_is_on(value);
  if (!strcmp(name, "foreign_key_checks")) header->dialect.foreign_keys = setting_is_on(value);
  if (!strcmp(name, "collation_database")) header_collate(header, value);
}

/* Counts of affected rows are of changed rows in MariaDB: the driver does not ask for CLIENT_FOUND_ROWS. */
void frame_describe(Header *header, Connection *connection, Arena *arena) {
  Reply reply;
  header->dialect = dialect_new(connection->dialect);
  header->snapshot_isolation = -1;
  driver_run(connection, arena, connection->driver->settings, &reply);
  for (uint32_t i = 0; !reply.error && i < reply_row_count(&reply); i++)
    header_setting(header, reply_text(arena, &reply, i, 0), reply_text(arena, &reply, i, 1));
}

void frame_open(Run *run, Client *client) {
  Header header = {.level = run->recorder.level_name, .order = run->order, .reorder = 10000};
  Arena *arena = &client->arena;
  if (!run->recorder.writer) return;
  frame_describe(&header, client->connection, arena);
  const char *slash = run->script ? strrchr(run->script, '/') : NULL;
  const char *title = !run->script ? run->workload->name : slash ? slash + 1 : run->script;
  header.name = run->script ? title
                            : arena_format(arena, "%s, %u client%s, seed %llu", title, run->client_count,
                                           run->client_count == 1 ? "" : "s", (unsigned long long)run->seed);
  header.source = "alibi run";
  if (run->recorder.has_times) header.clock = "monotonic, nanoseconds since the run began";
  transcript_write_header(run->recorder.writer, &header);
}

/* ---- the rows at the end ---- */

static bool final_write(Run *run, Client *client, const char *table, Diag *diag) {
  Arena *arena = &client->arena;
  Reply reply;
  const char *name = catalogue_quote(arena, client->dialect, table);
  driver_run(client->connection, arena, arena_format(arena, "SELECT * FROM %s", name), &reply);
  if (reply.error) return diag_fail(diag, PLACE_NONE, "the rows at the end: %s", reply.message);
  if (!reply.result_count || !observe_is_writable(&reply.results[0])) return true;
  TableLine line = {.table = table,
                    .has_columns = true,
                    .column_count = reply.column_count,
                    .columns = reply.columns,
                    .row_count = reply.results[0].count,
                    .rows = arena_zero(arena, reply.results[0].count * sizeof *line.rows)};
  for (uint32_t i = 0; i < line.row_count; i++) {
    line.rows[i].count = reply.results[0].rows[i].count;
    line.rows[i].observed = reply.results[0].rows[i].cells;
  }
  transcript_write_final(run->recorder.writer, &line);
  return true;
}

static bool snapshot_say(Connection *connection, Arena *arena, const char *sql, Diag *diag) {
  Reply reply;
  driver_run(connection, arena, sql, &reply);
  return !reply.error || diag_fail(diag, PLACE_NONE, "%s: %s", sql, reply.message);
}

bool frame_snapshot(Connection *connection, Arena *arena, Diag *diag) {
  const Driver *driver = connection->driver;
  if (driver->level_set &&
      !snapshot_say(connection, arena, arena_format(arena, driver->level_set, "REPEATABLE READ"), diag))
    return false;
  return snapshot_say(connection, arena, driver->snapshot_begin, diag);
}

bool frame_close(Run *run, Client *client, Diag *diag) {
  Arena names;
  Reply tables;
  if (run->faults) client_disconnect(client); /* the last fault may have hit it */
  if (!client_reconnect(client, diag)) return false;
  arena_init(&names);
  bool is_good = frame_snapshot(client->connection, &client->arena, diag);
  driver_run(client->connection, &names, run->recorder.driver->tables, &tables);
  if (is_good && tables.error) is_good = diag_fail(diag, PLACE_NONE, "%s", tables.message);
  for (uint32_t i = 0; is_good && i < reply_row_count(&tables); i++) {
    arena_clear(&client->arena);
    is_good = final_write(run, client, reply_text(&names, &tables, i, 0), diag);
  }
  Reply reply;
  driver_run(client->connection, &names, "ROLLBACK", &reply); /* its locks would outlive the run's schema */
  arena_free(&names);
  return is_good;
}
