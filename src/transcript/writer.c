/* writer.c: writes what the reader reads, one object per line, each with one write to the stream.
 *
 * The first failed write is kept and told by transcript_flush and transcript_finish. */
#include "src/transcript/transcript.h"

#include "src/transcript/emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct TranscriptWriter {
  const char *path; /* borrowed */
  FILE *stream;     /* owned, unless it is standard output */
  Emit emit;
  int trouble; /* errno of the first failed write, or 0 */
};

TranscriptWriter *transcript_create(const char *path, Diag *diag) {
  FILE *stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
  if (!stream) {
    diag_fail(diag, (Place){.file = path, .offset = -1}, "cannot create: %s", strerror(errno));
    return NULL;
  }
  TranscriptWriter *writer = memory_new(sizeof *writer);
  writer->path = path;
  writer->stream = stream;
  return writer;
}

bool transcript_flush(TranscriptWriter *writer) {
  if (fflush(writer->stream) != 0 && !writer->trouble) writer->trouble = errno;
  return !writer->trouble;
}

bool transcript_finish(TranscriptWriter *writer, Diag *diag) {
  transcript_flush(writer);
  if (writer->stream != stdout && fclose(writer->stream) != 0 && !writer->trouble) writer->trouble = errno;
  int trouble = writer->trouble;
  const char *path = writer->path;
  emit_free(&writer->emit);
  free(writer);
  if (!trouble) return true;
  return diag_fail(diag, (Place){.file = path, .offset = -1}, "cannot write: %s", strerror(trouble));
}

static Emit *line_begin(TranscriptWriter *writer) {
  writer->emit.length = 0;
  writer->emit.needs_comma = false;
  emit_open(&writer->emit, '{');
  return &writer->emit;
}

static void line_end(TranscriptWriter *writer) {
  emit_close(&writer->emit, '}');
  emit_raw(&writer->emit, "\n", 1);
  size_t written = fwrite(writer->emit.text, 1, writer->emit.length, writer->stream);
  if (written != writer->emit.length && !writer->trouble) writer->trouble = errno ? errno : EIO;
}

static void emit_optional(Emit *emit, const char *key, const char *text) {
  if (text) emit_field(emit, key, text);
}

/* ---- Header ------------------------------------------------------------------------ */

/* The words of sql_mode that set the dialect's flags. */
static void mode_print(const Dialect *dialect, char *buffer, size_t size) {
  const struct {
    bool is_set;
    const char *word;
  } words[] = {
      {dialect->strict, "STRICT_TRANS_TABLES"},        {dialect->zero_division, "ERROR_FOR_DIVISION_BY_ZERO"},
      {dialect->ansi_quotes, "ANSI_QUOTES"},           {dialect->pipes_concat, "PIPES_AS_CONCAT"},
      {dialect->no_backslash, "NO_BACKSLASH_ESCAPES"}, {dialect->full_group_by, "ONLY_FULL_GROUP_BY"}};
  buffer[0] = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t used = strlen(buffer);
    if (words[i].is_set) snprintf(buffer + used, size - used, "%s%s", used ? "," : "", words[i].word);
  }
}

static void emit_settings(Emit *emit, const Header *header) {
  Dialect standard = dialect_new(header->dialect.name);
  char mode[200], standard_mode[200];
  mode_print(&header->dialect, mode, sizeof mode);
  mode_print(&standard, standard_mode, sizeof standard_mode);
  bool has_mode = dialect_is_mysql(&standard) && strcmp(mode, standard_mode) != 0;
  bool has_found = header->dialect.found_rows != standard.found_rows;
  bool has_keys = header->dialect.foreign_keys != standard.foreign_keys;
  if (!has_mode && !has_found && !has_keys && header->snapshot_isolation < 0) return;
  emit_key(emit, "settings");
  emit_open(emit, '{');
  if (has_found) emit_key(emit, "found_rows"), emit_bool(emit, header->dialect.found_rows);
  if (header->snapshot_isolation >= 0)
    emit_key(emit, "innodb_snapshot_isolation"), emit_bool(emit, header->snapshot_isolation);
  if (has_mode) emit_field(emit, "sql_mode", mode);
  if (has_keys) emit_key(emit, "foreign_keys"), emit_bool(emit, header->dialect.foreign_keys);
  emit_close(emit, '}');
}

void transcript_write_header(TranscriptWriter *writer, const Header *header) {
  static const char *const orders[] = {
      [ORDER_FILE] = "file", [ORDER_HINT] = "hint", [ORDER_COMMIT] = "commit"};
  Emit *emit = line_begin(writer);
  emit_count(emit, "alibi", 1);
  emit_field(emit, "dialect", dialect_title(header->dialect.name));
  emit_optional(emit, "level", header->level);
  if (header->order != ORDER_FILE) {
    emit_field(emit, "order", orders[header->order]);
    emit_count(emit, "reorder", (int64_t)header->reorder);
  }
  Dialect standard = dialect_new(header->dialect.name);
  if (header->dialect.other_collation)
    emit_field(emit, "collation", "other");
  else if (header->dialect.collation != standard.collation)
    emit_field(emit, "collation", header->dialect.collation == COLLATION_CI ? "ci" : "C");
  emit_settings(emit, header);
  emit_optional(emit, "name", header->name);
  emit_optional(emit, "source", header->source);
  emit_optional(emit, "clock", header->clock);
  line_end(writer);
}

/* ---- Set-up, final and gap lines ------------------------------------------------------ */

void transcript_write_setup(TranscriptWriter *writer, const char *sql) {
  emit_field(line_begin(writer), "setup", sql);
  line_end(writer);
}

void transcript_write_gap(TranscriptWriter *writer, const char *text, bool writes) {
  Emit *emit = line_begin(writer);
  emit_field(emit, "gap", text);
  emit_key(emit, "writes");
  emit_bool(emit, writes);
  line_end(writer);
}

static void emit_columns(Emit *emit, const char *const *columns, uint32_t count) {
  emit_key(emit, "columns");
  emit_open(emit, '[');
  for (uint32_t i = 0; i < count; i++) emit_text(emit, columns[i]);
  emit_close(emit, ']');
}

static void emit_cell(Emit *emit, const Cell *cell) {
  if (cell->kind == CELL_VALUE) {
    emit_value(emit, cell->value);
    return;
  }
  emit_open(emit, '{');
  emit_key(emit, cell->kind == CELL_IN ? "in" : "any");
  if (cell->kind == CELL_IN)
    emit_value(emit, cell->value);
  else
    emit_bool(emit, true);
  emit_close(emit, '}');
}

static void write_table(TranscriptWriter *writer, const char *kind, const TableLine *table, bool is_final) {
  Emit *emit = line_begin(writer);
  emit_field(emit, kind, table->table);
  if (table->has_columns) emit_columns(emit, table->columns, table->column_count);
  emit_key(emit, "rows");
  emit_open(emit, '[');
  for (uint32_t i = 0; i < table->row_count; i++) {
    emit_open(emit, '[');
    for (uint32_t j = 0; j < table->rows[i].count; j++)
      if (is_final)
        emit_observed(emit, &table->rows[i].observed[j]);
      else
        emit_cell(emit, &table->rows[i].cells[j]);
    emit_close(emit, ']');
  }
  emit_close(emit, ']');
  line_end(writer);
}

void transcript_write_table(TranscriptWriter *writer, const TableLine *table) {
  write_table(writer, "table", table, false);
}

void transcript_write_final(TranscriptWriter *writer, const TableLine *table) {
  write_table(writer, "final", table, true);
}

/* ---- Transactions ------------------------------------------------------------------------ */

void emit_interval(Emit *emit, const char *key, Interval interval) {
  if (!interval.given) return;
  emit_key(emit, key);
  if (interval.lo == interval.hi) {
    emit_integer(emit, interval.lo);
    return;
  }
  emit_open(emit, '[');
  emit_integer(emit, interval.lo);
  if (interval.hi == INT64_MAX)
    emit_null(emit);
  else
    emit_integer(emit, interval.hi);
  emit_close(emit, ']');
}

static void emit_params(Emit *emit, const Operation *operation) {
  if (!operation->param_count && !operation->params_are_named) return;
  emit_key(emit, "params");
  emit_open(emit, operation->params_are_named ? '{' : '[');
  for (uint32_t i = 0; i < operation->param_count; i++) {
    if (operation->params_are_named) emit_key(emit, operation->params[i].name);
    emit_observed(emit, &operation->params[i].value);
  }
  emit_close(emit, operation->params_are_named ? '}' : ']');
}

static void emit_results(Emit *emit, const Operation *operation) {
  if (!operation->has_rows) return;
  emit_key(emit, operation->has_results ? "results" : "rows");
  if (operation->has_results) emit_open(emit, '[');
  for (uint32_t i = 0; i < operation->result_count; i++) emit_rows(emit, &operation->results[i]);
  if (operation->has_results) emit_close(emit, ']');
}

static void emit_operation(Emit *emit, const Operation *operation) {
  static const char *const verbs[] = {
      [OPERATION_READ] = "r", [OPERATION_WRITE] = "w", [OPERATION_APPEND] = "append"};
  emit_open(emit, '{');
  if (operation->kind == OPERATION_SQL) {
    emit_key(emit, "sql");
    emit_string(emit, operation->sql, operation->sql_length);
    emit_params(emit, operation);
    if (operation->has_columns) emit_columns(emit, operation->columns, operation->column_count);
    emit_results(emit, operation);
    if (operation->has_affected) emit_count(emit, "affected", operation->affected);
  } else {
    emit_key(emit, verbs[operation->kind]);
    emit_open(emit, '[');
    emit_text(emit, operation->object);
    emit_observed(emit, &operation->argument);
    emit_close(emit, ']');
  }
  emit_optional(emit, "error", operation->error);
  emit_interval(emit, "start", operation->start);
  emit_interval(emit, "end", operation->end);
  emit_optional(emit, "snapshot", operation->snapshot);
  if (operation->meta) emit_key(emit, "meta"), emit_bool(emit, true);
  emit_close(emit, '}');
}

void transcript_write_transaction(TranscriptWriter *writer, const Transaction *transaction) {
  Emit *emit = line_begin(writer);
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
  emit_optional(emit, "session", transaction->session);
  if (transaction->status != STATUS_COMMITTED)
    emit_field(emit, "status", transaction->status == STATUS_UNKNOWN ? "unknown" : "aborted");
  emit_interval(emit, "start", transaction->start);
  emit_interval(emit, "commit", transaction->commit);
  emit_optional(emit, "level", transaction->level);
  if (transaction->has_hint) emit_count(emit, "hint", transaction->hint);
  emit_optional(emit, "xid", transaction->xid);
  emit_optional(emit, "snapshot", transaction->snapshot);
  emit_key(emit, "ops");
  emit_open(emit, '[');
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    emit_operation(emit, &transaction->operations[i]);
  emit_close(emit, ']');
  line_end(writer);
}
