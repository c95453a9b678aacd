/* frame.c: the header, with the server's settings that change meaning, and the `final` lines. */
#include "src/live/frame.h"

#include "src/live/observe.h"

#include <string.h>

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

static void header_describe(Header *header, Client *client) {
  Reply reply;
  Arena *arena = &client->arena;
  header->dialect = dialect_new(client->connection->dialect);
  header->snapshot_isolation = -1;
  driver_run(client->connection, arena, client->recorder->driver->settings, &reply);
  if (reply.error) return;
  const char *mode = reply_text(arena, &reply, 0, 0), *snapshots = reply_text(arena, &reply, 0, 1);
  const char *keys = reply_text(arena, &reply, 0, 3);
  if (*mode) dialect_set_mode(&header->dialect, mode, strlen(mode));
  if (*snapshots) header->snapshot_isolation = strcmp(snapshots, "0") != 0;
  if (*keys) header->dialect.foreign_keys = strcmp(keys, "0") != 0;
  header_collate(header, reply_text(arena, &reply, 0, 2));
}

void frame_open(Run *run, Client *client) {
  Header header = {.level = run->recorder.level_name, .order = ORDER_FILE, .reorder = 10000};
  Arena *arena = &client->arena;
  header_describe(&header, client);
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

static void final_write(Run *run, Client *client, const char *table) {
  Arena *arena = &client->arena;
  Reply reply;
  driver_run(client->connection, arena, arena_format(arena, "SELECT * FROM %s", table), &reply);
  if (reply.error || !reply.result_count || !observe_is_writable(&reply.results[0])) return;
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
}

void frame_close(Run *run, Client *client) {
  Arena names;
  Reply tables;
  if (!client->connection) return;
  arena_init(&names);
  driver_run(client->connection, &names, run->recorder.driver->tables, &tables);
  for (uint32_t i = 0; !tables.error && i < reply_row_count(&tables); i++) {
    arena_clear(&client->arena);
    final_write(run, client, reply_text(&names, &tables, i, 0));
  }
  arena_free(&names);
}
