/* log.c: lines that outlive the reader. */
#include "src/transcript/log.h"

void log_init(Log *log, const Header *header, const char *file) {
  *log = (Log){.header = *header, .file = file};
  arena_init(&log->arena);
}

void log_free(Log *log) { arena_free(&log->arena); }

static char *text_copy(Arena *arena, const char *text) {
  return text ? arena_text(arena, text, strlen(text)) : NULL;
}

static void row_copy(Arena *arena, const TableLine *line, TableLine *copy, uint32_t row) {
  uint32_t count = line->rows[row].count;
  copy->rows[row].count = count;
  if (line->rows[row].cells) {
    copy->rows[row].cells = ARENA_ARRAY(arena, Cell, count + 1);
    for (uint32_t i = 0; i < count; i++)
      copy->rows[row].cells[i] =
          (Cell){line->rows[row].cells[i].kind, value_copy(arena, line->rows[row].cells[i].value)};
  }
  if (!line->rows[row].observed) return;
  copy->rows[row].observed = ARENA_ARRAY(arena, Observed, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const Observed *seen = &line->rows[row].observed[i];
    const char *text = seen->text ? arena_text(arena, seen->text, seen->text_length) : NULL;
    copy->rows[row].observed[i] = (Observed){value_copy(arena, seen->value), text, seen->text_length};
  }
}

static void table_copy(Arena *arena, const TableLine *line, TableLine *copy) {
  copy->table = text_copy(arena, line->table);
  copy->columns = ARENA_ARRAY(arena, const char *, line->column_count + 1);
  for (uint32_t i = 0; i < line->column_count; i++) copy->columns[i] = text_copy(arena, line->columns[i]);
  copy->rows = arena_zero(arena, (line->row_count + 1) * sizeof *copy->rows);
  for (uint32_t i = 0; i < line->row_count; i++) row_copy(arena, line, copy, i);
}

void log_add(Log *log, const Line *line) {
  Line *copy = ARENA_NEW(&log->arena, Line);
  *copy = *line;
  switch (line->kind) {
  case LINE_SETUP:
    copy->setup = text_copy(&log->arena, line->setup);
    ARENA_PUSH(&log->arena, &log->setup, copy);
    break;
  case LINE_TABLE:
    table_copy(&log->arena, &line->table, &copy->table);
    ARENA_PUSH(&log->arena, &log->setup, copy);
    break;
  case LINE_TRANSACTION:
    copy->transaction = *transaction_copy(&log->arena, &line->transaction);
    ARENA_PUSH(&log->arena, &log->lines, copy);
    break;
  case LINE_GAP:
    copy->gap.text = text_copy(&log->arena, line->gap.text);
    ARENA_PUSH(&log->arena, &log->lines, copy);
    break;
  case LINE_FINAL:
    table_copy(&log->arena, &line->table, &copy->table);
    ARENA_PUSH(&log->arena, &log->finals, copy);
    break;
  default: break;
  }
}
