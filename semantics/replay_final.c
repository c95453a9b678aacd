/* replay_final.c: `final` lines: what a table held once every client had stopped. */
#include "semantics/replay_internal.h"

static void replay_state(Replay *replay, const Table *table, const uint32_t *columns, uint32_t width,
                         ResultSet *set) {
  Arena *arena = engine_arena(replay->engine);
  Store *store = engine_store(replay->engine);
  uint32_t keys = store_key_count(store, table);
  Type *types = ARENA_ARRAY(arena, Type, width + 1);
  const char **names = ARENA_ARRAY(arena, const char *, width + 1);
  for (uint32_t i = 0; i < width; i++)
    types[i] = table->columns[columns[i]].type, names[i] = table->columns[columns[i]].name;
  *set = (ResultSet){.column_count = width,
                     .column_types = types,
                     .column_names = names,
                     .rows = ARENA_ARRAY(arena, ResultRow, keys + 1)};
  for (uint32_t i = 0; i < keys; i++) {
    const Version *row = store_read(store, store_key_at(store, table, i), READ_PLAIN);
    if (!row) continue;
    Value *values = arena_alloc(arena, (width + 1) * sizeof *values);
    for (uint32_t column = 0; column < width; column++) values[column] = row->values[columns[column]];
    set->rows[set->row_count++].values = values;
  }
}

static const TableLine *final_copy(Arena *arena, const TableLine *line) {
  TableLine *copy = ARENA_NEW(arena, TableLine);
  *copy = *line;
  copy->table = arena_text(arena, line->table, strlen(line->table));
  copy->columns = ARENA_ARRAY(arena, const char *, line->column_count + 1);
  for (uint32_t i = 0; i < line->column_count; i++)
    copy->columns[i] = arena_text(arena, line->columns[i], strlen(line->columns[i]));
  copy->rows = arena_alloc(arena, (line->row_count + 1) * sizeof *copy->rows);
  for (uint32_t i = 0; i < line->row_count; i++) {
    copy->rows[i] = line->rows[i];
    copy->rows[i].observed = ARENA_ARRAY(arena, Observed, line->rows[i].count + 1);
    for (uint32_t cell = 0; cell < line->rows[i].count; cell++) {
      const Observed *observed = &line->rows[i].observed[cell];
      copy->rows[i].observed[cell] =
          (Observed){value_copy(arena, observed->value),
                     observed->text ? arena_text(arena, observed->text, observed->text_length) : NULL,
                     observed->text_length};
    }
  }
  return copy;
}

static void replay_final_mismatch(Replay *replay, const Line *line, const ResultSet *set, Mismatch mismatch) {
  replay->is_stopped = true;
  if (replay->is_gapped || doubts_assumed(engine_doubts(replay->engine))) {
    replay_set_unknown(
        replay, line, NULL, 0,
        "a write that was not recorded, or a value that was not observed, could explain the final rows");
    return;
  }
  replay->verdict = VERDICT_VIOLATION;
  replay->failure = ARENA_NEW(&replay->arena, Failure);
  *replay->failure = (Failure){.is_final = true,
                               .line = line->number,
                               .table = replay_keep(replay, line->table.table),
                               .observed_final = final_copy(&replay->arena, &line->table),
                               .mismatch = mismatch};
  replay->failure->expected = (Outcome){.kind = OUTCOME_DONE, .affected_also = -1};
  ARENA_PUSH(&replay->arena, &replay->failure->expected.results, *set);
}

bool replay_final(Replay *replay, const Line *line, Diag *diag) {
  if (replay->is_stopped) return true;
  engine_settle(replay->engine);
  Table *table = replay_table_named(replay, line, "final", diag);
  if (!table) return !diag->failed;
  Arena *arena = engine_arena(replay->engine);
  uint32_t width = line->table.has_columns ? line->table.column_count : table->column_count;
  uint32_t *columns = arena_alloc(arena, (width + 1) * sizeof *columns);
  for (uint32_t i = 0; i < width; i++) columns[i] = i;
  if (line->table.has_columns && !replay_columns(replay, line, table, columns, diag)) return false;
  if (line->table.row_count && line->table.rows[0].count != width) /* the others are as long */
    return diag_fail(diag, replay_place(replay, line, "rows[0]"),
                     "the row has %u values, table '%s' has %u columns", line->table.rows[0].count,
                     table->name, width);
  ObservedRows observed = {line->table.row_count, ARENA_ARRAY(arena, ObservedRow, line->table.row_count + 1)};
  for (uint32_t i = 0; i < observed.count; i++)
    observed.rows[i] = (ObservedRow){line->table.rows[i].count, line->table.rows[i].observed};
  ResultSet set;
  replay_state(replay, table, columns, width, &set);
  Mismatch mismatch = {0};
  uint32_t bindings = doubts_mark(engine_doubts(replay->engine));
  MatchAnswer answer =
      match_rows(replay_dialect(replay), engine_doubts(replay->engine), &set, &observed, &mismatch);
  /* A generated key that was observed is nobody else's. */
  if (answer == MATCH_YES && doubts_mark(engine_doubts(replay->engine)) > bindings &&
      !engine_settle(replay->engine)) {
    answer = MATCH_NO;
    mismatch.kind = MISMATCH_ROWS;
  }
  if (answer == MATCH_YES) replay_note(replay, 0, bindings);
  if (answer == MATCH_NO) return replay_final_mismatch(replay, line, &set, mismatch), true;
  if (answer == MATCH_UNDECIDED)
    replay_put_aside(replay, line, NULL, 0, line->table.table,
                     "too many ways to pair the rows with the observed ones", false);
  arena_clear(arena);
  return true;
}
