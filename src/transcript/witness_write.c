/* witness_write.c: the alibi as JSON Lines.
 *
 * A file is written as FILE.part and renamed when it is complete.  What is no regular file (a pipe, a
 * terminal) is written directly: a witness that was not finished lacks its end line, and no reader takes it.
 */
#include "src/transcript/emit.h"
#include "src/transcript/witness.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct WitnessWriter {
  const char *path; /* borrowed */
  char *part;       /* owned: where it is written meanwhile, or NULL */
  FILE *stream;
  Emit emit;
  int trouble; /* errno of the first failed write, or 0 */
};

WitnessWriter *witness_create(const char *path, Diag *diag) {
  WitnessWriter *writer = memory_new(sizeof *writer);
  writer->path = path;
  struct stat status;
  if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
    size_t size = strlen(path) + sizeof ".part";
    writer->part = memory_new(size);
    snprintf(writer->part, size, "%s.part", path);
  }
  writer->stream = fopen(writer->part ? writer->part : path, "we");
  if (writer->stream) return writer;
  diag_fail(diag, (Place){.file = path, .offset = -1}, "cannot create: %s", strerror(errno));
  free(writer->part);
  free(writer);
  return NULL;
}

static void writer_free(WitnessWriter *writer) {
  emit_free(&writer->emit);
  free(writer->part);
  free(writer);
}

void witness_discard(WitnessWriter *writer) {
  if (!writer) return;
  fclose(writer->stream);
  if (writer->part) unlink(writer->part);
  writer_free(writer);
}

static Emit *line_begin(WitnessWriter *writer) {
  writer->emit.length = 0;
  writer->emit.needs_comma = false;
  emit_open(&writer->emit, '{');
  return &writer->emit;
}

static void line_end(WitnessWriter *writer) {
  emit_close(&writer->emit, '}');
  emit_raw(&writer->emit, "\n", 1);
  size_t written = fwrite(writer->emit.text, 1, writer->emit.length, writer->stream);
  if (written != writer->emit.length && !writer->trouble) writer->trouble = errno ? errno : EIO;
}

static void emit_flag(Emit *emit, const char *key, bool truth) {
  emit_key(emit, key);
  emit_bool(emit, truth);
}

static const char *fresh_title(WitnessFresh fresh) {
  static const char *const titles[] = {
      [FRESH_NEVER] = "never", [FRESH_TIMED] = "timed", [FRESH_ALWAYS] = "always"};
  return titles[fresh];
}

void witness_write_header(WitnessWriter *writer, const WitnessHeader *header) {
  Emit *emit = line_begin(writer);
  emit_count(emit, "witness", 1);
  emit_field(emit, "level", header->level);
  emit_field(emit, "fresh", fresh_title(header->fresh));
  emit_field(emit, "conflicts", header->compares_values ? "values" : "writes");
  emit_field(emit, "order", header->is_searched ? "search" : "given");
  if (header->clock_error) emit_count(emit, "clock_error", header->clock_error);
  if (header->has_readers) emit_flag(emit, "aborted_reads", true);
  if (header->is_serial) emit_flag(emit, "serial", true);
  line_end(writer);
}

static void emit_choices(Emit *emit, const WitnessChoices *choices) {
  if (!choices->count) return;
  emit_key(emit, "free");
  emit_open(emit, '[');
  for (uint32_t i = 0; i < choices->count; i++) {
    const WitnessChoice *choice = &choices->items[i];
    emit_open(emit, '{');
    emit_count(emit, "op", choice->operation);
    emit_field(emit, "of", choice->origin);
    emit_key(emit, "value");
    emit_observed(emit, &choice->value);
    emit_close(emit, '}');
  }
  emit_close(emit, ']');
}

void witness_write_row(WitnessWriter *writer, const WitnessRow *row) {
  Emit *emit = line_begin(writer);
  emit_field(emit, "initial", row->table);
  emit_count(emit, "row", row->row);
  emit_key(emit, "cells");
  emit_open(emit, '{');
  for (uint32_t i = 0; i < row->cell_count; i++) {
    emit_key(emit, row->columns[i]);
    emit_observed(emit, &row->cells[i]);
  }
  emit_close(emit, '}');
  line_end(writer);
}

static void emit_read(Emit *emit, const WitnessRead *read) {
  emit_open(emit, '{');
  emit_count(emit, "op", read->operation);
  emit_count(emit, "step", read->step);
  if (read->role == WITNESS_CHECK) emit_flag(emit, "error", true);
  if (read->table) {
    emit_field(emit, "table", read->table);
    if (read->key_count) {
      emit_key(emit, "key");
      emit_open(emit, '[');
      for (uint32_t i = 0; i < read->key_count; i++) emit_observed(emit, &read->key[i]);
      emit_close(emit, ']');
    } else {
      emit_count(emit, "rowid", (int64_t)read->rowid);
    }
  }
  emit_count(emit, "state", read->state);
  emit_close(emit, '}');
}

void witness_write_transaction(WitnessWriter *writer, const WitnessTransaction *transaction) {
  Emit *emit = line_begin(writer);
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
  if (!transaction->takes_part) emit_flag(emit, "part", false);
  if (transaction->level) emit_field(emit, "level", transaction->level);
  if (transaction->has_fresh) emit_field(emit, "fresh", fresh_title(transaction->fresh));
  uint32_t others = 0;
  for (uint32_t i = 0; i < transaction->reads.count; i++) {
    if (transaction->reads.items[i].role == WITNESS_TRANSACTION)
      emit_count(emit, "state", transaction->reads.items[i].state);
    else
      others++;
  }
  if (others) {
    emit_key(emit, "reads");
    emit_open(emit, '[');
    for (uint32_t i = 0; i < transaction->reads.count; i++)
      if (transaction->reads.items[i].role != WITNESS_TRANSACTION)
        emit_read(emit, &transaction->reads.items[i]);
    emit_close(emit, ']');
  }
  emit_choices(emit, &transaction->choices);
  line_end(writer);
}

void witness_write_final(WitnessWriter *writer, const WitnessFinal *final) {
  if (!final->choices.count) return;
  Emit *emit = line_begin(writer);
  emit_field(emit, "final", final->table);
  emit_choices(emit, &final->choices);
  line_end(writer);
}

bool witness_finish(WitnessWriter *writer, const WitnessEnd *end, Diag *diag) {
  Emit *emit = line_begin(writer);
  char hash[20];
  snprintf(hash, sizeof hash, "%016" PRIx64, end->log_hash);
  emit_count(emit, "end", (int64_t)end->transactions);
  emit_count(emit, "log_lines", (int64_t)end->log_lines);
  emit_field(emit, "log_hash", hash);
  line_end(writer);
  if (fclose(writer->stream) != 0 && !writer->trouble) writer->trouble = errno;
  if (!writer->trouble && writer->part && rename(writer->part, writer->path) != 0) writer->trouble = errno;
  int trouble = writer->trouble;
  const char *path = writer->path;
  if (trouble && writer->part) unlink(writer->part);
  writer_free(writer);
  if (!trouble) return true;
  return diag_fail(diag, (Place){.file = path, .offset = -1}, "cannot write: %s", strerror(trouble));
}
