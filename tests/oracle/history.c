/* history.c: reads and writes through src/transcript. */
#include "tests/oracle/history.h"

void history_init(History *history) {
  *history = (History){0};
  arena_init(&history->arena);
}

void history_free(History *history) { arena_free(&history->arena); }

TableLine *table_line_copy(Arena *arena, const TableLine *line, bool is_final) {
  TableLine *copy = ARENA_NEW(arena, TableLine);
  *copy = *line;
  copy->table = arena_text(arena, line->table, strlen(line->table));
  copy->columns = ARENA_ARRAY(arena, const char *, line->column_count);
  for (uint32_t i = 0; i < line->column_count; i++)
    copy->columns[i] = arena_text(arena, line->columns[i], strlen(line->columns[i]));
  copy->rows = arena_zero(arena, sizeof *copy->rows * line->row_count);
  for (uint32_t r = 0; r < line->row_count; r++) {
    uint32_t count = copy->rows[r].count = line->rows[r].count;
    if (is_final) copy->rows[r].observed = ARENA_ARRAY(arena, Observed, count);
    if (!is_final) copy->rows[r].cells = ARENA_ARRAY(arena, Cell, count);
    for (uint32_t i = 0; i < count; i++) {
      if (is_final) copy->rows[r].observed[i].value = value_copy(arena, line->rows[r].observed[i].value);
      if (is_final) continue;
      copy->rows[r].cells[i] = line->rows[r].cells[i];
      copy->rows[r].cells[i].value = value_copy(arena, line->rows[r].cells[i].value);
    }
  }
  return copy;
}

static bool line_take(History *history, const Line *line, Diag *diag) {
  Arena *arena = &history->arena;
  switch (line->kind) {
  case LINE_SETUP:
    ARENA_PUSH(arena, &history->setups, arena_text(arena, line->setup, strlen(line->setup)));
    break;
  case LINE_TABLE: ARENA_PUSH(arena, &history->tables, table_line_copy(arena, &line->table, false)); break;
  case LINE_FINAL: ARENA_PUSH(arena, &history->finals, table_line_copy(arena, &line->table, true)); break;
  case LINE_GAP:
    if (line->gap.writes && !history->has_gap) history->has_gap = true, history->gap_place = history->count;
    break;
  case LINE_TRANSACTION:
    if (history->count == TRANSACTIONS_MOST || line->transaction.operation_count > STEPS_MOST)
      return diag_fail(diag, PLACE_NONE, "too large for the oracle");
    history->transactions[history->count++] = transaction_copy(arena, &line->transaction);
    break;
  default: break;
  }
  return true;
}

bool history_read(History *history, const char *path, Diag *diag) {
  TranscriptReader *reader = transcript_open(path, diag);
  if (!reader) return false;
  history->header = *transcript_header(reader);
  history->header.level = history->header.name = history->header.source = history->header.clock = NULL;
  Line line;
  bool is_good = history->header.order == ORDER_FILE;
  if (!is_good) diag_fail(diag, PLACE_NONE, "the oracle takes the order of lines only");
  while (is_good && (is_good = transcript_next(reader, &line, diag)) && line.kind != LINE_END)
    is_good = line_take(history, &line, diag);
  transcript_close(reader);
  return is_good;
}

bool history_write(const History *history, const char *path, Diag *diag) {
  TranscriptWriter *writer = transcript_create(path, diag);
  if (!writer) return false;
  transcript_write_header(writer, &history->header);
  for (uint32_t i = 0; i < history->setups.count; i++)
    transcript_write_setup(writer, history->setups.items[i]);
  for (uint32_t i = 0; i < history->tables.count; i++)
    transcript_write_table(writer, history->tables.items[i]);
  for (uint32_t i = 0; i <= history->count; i++) {
    if (history->has_gap && history->gap_place == i) transcript_write_gap(writer, "something was lost", true);
    if (i < history->count) transcript_write_transaction(writer, history->transactions[i]);
  }
  for (uint32_t i = 0; i < history->finals.count; i++)
    transcript_write_final(writer, history->finals.items[i]);
  return transcript_finish(writer, diag);
}

World *history_world(const History *history) {
  World *world = world_new(&history->header.dialect);
  bool is_good = true;
  for (uint32_t i = 0; is_good && i < history->setups.count; i++)
    is_good = world_setup(world, history->setups.items[i]);
  for (uint32_t i = 0; is_good && i < history->tables.count; i++)
    is_good = world_fill(world, history->tables.items[i]);
  if (is_good) world_begin(world);
  return world;
}
