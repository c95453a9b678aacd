/* reader.c: the stream of lines: which kinds may follow which, and names that are given once.
 *
 * R1  The header is the first line, and the only header.
 * R2  Set-up lines come before the first transaction, `final` lines after the last, once per table.
 * R3  Transaction names are unique: 1 and "1" are the same.
 * R4  Operations are all SQL or all key-value.
 * R5  A last line without a newline that is broken because it ends too early is dropped. */
#include "src/transcript/transcript.h"

#include "src/transcript/ahead.h"
#include "src/transcript/decode.h"
#include "src/transcript/fast.h"
#include "src/transcript/names.h"
#include "src/transcript/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Stage { STAGE_SETUP, STAGE_TRANSACTIONS, STAGE_FINAL } Stage;
typedef enum Model { MODEL_OPEN, MODEL_SQL, MODEL_KEY_VALUE } Model;

struct TranscriptReader {
  LineSource source;
  Arena run;  /* the header */
  Arena line; /* the current line */
  Header header;
  Warnings warnings;
  FastReader fast;
  Names names;
  Map finals; /* tables that have had their final line */
  Stage stage;
  Model model;
  uint64_t lines, fast_lines;
  bool takes_hash;
  uint64_t hash;
  void (*warn)(const char *message, void *context); /* where warnings go in the end */
  void *warn_context;
  bool wants_ahead;
  Ahead *ahead;          /* with it, the thread alone touches what stands above */
  Ahead *thread;         /* the same, for the thread */
  TranscriptStats shown; /* behind the line that it handed out last */
  int64_t clock_error;
};

enum { LEAST_AHEAD = 1 << 20 }; /* a smaller file is read before a thread has begun */

static void warning_print(const char *message, void *context) {
  (void)context;
  fprintf(stderr, "alibi: warning: %s\n", message);
}

static void warning_drop(const char *message, void *context) { (void)message, (void)context; }

/* Warnings of the reader and of its decoders. */
static void reader_warn(const char *message, void *context) {
  TranscriptReader *reader = context;
  if (reader->thread)
    ahead_warn(reader->thread, message);
  else if (reader->warn)
    reader->warn(message, reader->warn_context);
}

static bool reader_fail(const TranscriptReader *reader, const char *field, Diag *diag, const char *message) {
  Place place = {reader->source.path, reader->source.line, field, -1};
  return diag_fail(diag, place, "%s", message);
}

/* FNV-1a, 64 bits, over the line and a newline (docs/witness.md). */
static uint64_t hash_line(uint64_t hash, const SourceLine *line) {
  for (size_t i = 0; i <= line->length; i++)
    hash = (hash ^ (i < line->length ? (unsigned char)line->text[i] : (unsigned char)'\n')) * 0x100000001b3;
  return hash;
}

/* ---- What may follow what (R1 to R4) ------------------------------------------ */

static const char *kind_field(LineKind kind) {
  static const char *const fields[] = {
      [LINE_HEADER] = "alibi",    [LINE_SETUP] = "setup", [LINE_TABLE] = "table",
      [LINE_TRANSACTION] = "txn", [LINE_GAP] = "gap",     [LINE_FINAL] = "final"};
  return fields[kind];
}

static bool model_enter(TranscriptReader *reader, Model model, const char *field, Diag *diag) {
  if (reader->model == MODEL_OPEN) reader->model = model;
  if (reader->model == model) return true;
  return reader_fail(reader, field, diag, "SQL and key-value operations in one transcript");
}

static bool check_transaction(TranscriptReader *reader, const Transaction *transaction, Diag *diag) {
  if (reader->stage == STAGE_FINAL)
    return reader_fail(reader, "txn", diag, "a transaction behind a 'final' line");
  reader->stage = STAGE_TRANSACTIONS;
  if (!names_add(&reader->names, transaction->name, strlen(transaction->name))) {
    Place place = {reader->source.path, reader->source.line, "txn", -1};
    return diag_fail(diag, place, "a second transaction named '%.100s'", transaction->name);
  }
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    Model model = transaction->operations[i].kind == OPERATION_SQL ? MODEL_SQL : MODEL_KEY_VALUE;
    if (reader->model == model) continue;
    char field[40];
    snprintf(field, sizeof field, "ops[%u]", i);
    if (!model_enter(reader, model, field, diag)) return false;
  }
  return true;
}

static bool check_final(TranscriptReader *reader, const TableLine *table, Diag *diag) {
  reader->stage = STAGE_FINAL;
  if (!model_enter(reader, MODEL_SQL, "final", diag)) return false;
  if (map_find(&reader->finals, table->table)) {
    Place place = {reader->source.path, reader->source.line, "final", -1};
    return diag_fail(diag, place, "a second final line for table '%.100s'", table->table);
  }
  map_put_copy(&reader->finals, table->table, strlen(table->table), reader);
  return true;
}

static bool check_line(TranscriptReader *reader, const Line *line, Diag *diag) {
  switch (line->kind) {
  case LINE_SETUP:
  case LINE_TABLE:
    if (reader->stage != STAGE_SETUP)
      return reader_fail(reader, kind_field(line->kind), diag, "a set-up line behind the first transaction");
    return model_enter(reader, MODEL_SQL, kind_field(line->kind), diag);
  case LINE_TRANSACTION: return check_transaction(reader, &line->transaction, diag);
  case LINE_FINAL: return check_final(reader, &line->table, diag);
  case LINE_HEADER:
  case LINE_GAP:
  case LINE_END: break;
  }
  return true;
}

/* ---- Lines ------------------------------------------------------------------------ */

typedef enum LoadAnswer { LOAD_OK, LOAD_TORN, LOAD_FAILED } LoadAnswer;

/* jansson's reading of the line into *json; a torn line is mentioned. */
static LoadAnswer reader_load(TranscriptReader *reader, const SourceLine *text, JsonLine *json, Diag *diag) {
  Place place = {reader->source.path, reader->source.line, NULL, -1};
  bool is_torn;
  Diag trouble;
  diag_clear(&trouble);
  if (json_line_load(json, text->text, text->length, place, &trouble, &is_torn)) return LOAD_OK;
  json_line_free(json);
  bool is_first = reader->lines == 1;
  if (!is_torn || text->is_terminated || is_first) {
    if (!diag->failed) *diag = trouble;
    if (diag->place.field) diag->place.field = diag->field; /* it pointed into `trouble` */
    return LOAD_FAILED;
  }
  char message[200];
  snprintf(message, sizeof message, "%.100s:%llu: the last line is torn and was dropped", reader->source.path,
           (unsigned long long)reader->source.line);
  warnings_say(&reader->warnings, message);
  return LOAD_TORN;
}

static Decoder reader_decoder(TranscriptReader *reader, Arena *arena, const JsonLine *json, Diag *diag) {
  return (Decoder){arena, reader->source.path, reader->source.line, &reader->warnings, diag, json};
}

/* Everything but the fast path. */
static bool reader_decode(TranscriptReader *reader, Arena *arena, const SourceLine *text, Line *line,
                          Diag *diag) {
  JsonLine json;
  LoadAnswer answer = reader_load(reader, text, &json, diag);
  if (answer == LOAD_TORN) line->kind = LINE_END;
  if (answer != LOAD_OK) return answer == LOAD_TORN;
  Decoder decoder = reader_decoder(reader, arena, &json, diag);
  bool done = decode_line(&decoder, line);
  json_line_free(&json);
  return done;
}

static int64_t instant_move(int64_t instant, int64_t by) {
  int64_t moved;
  if (instant == INT64_MIN || instant == INT64_MAX) return instant;
  if (__builtin_add_overflow(instant, by, &moved)) return by < 0 ? INT64_MIN : INT64_MAX;
  return moved;
}

Interval interval_widen(Interval interval, int64_t error) {
  if (!interval.given) return interval;
  return (Interval){true, instant_move(interval.lo, -error), instant_move(interval.hi, error)};
}

static void times_widen(const TranscriptReader *reader, Line *line) {
  if (!reader->clock_error || line->kind != LINE_TRANSACTION) return;
  Transaction *transaction = &line->transaction;
  transaction->start = interval_widen(transaction->start, reader->clock_error);
  transaction->commit = interval_widen(transaction->commit, reader->clock_error);
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    Operation *operation = &transaction->operations[i];
    operation->start = interval_widen(operation->start, reader->clock_error);
    operation->end = interval_widen(operation->end, reader->clock_error);
  }
}

/* One line.  Its strings stay in the arena, or in the source's buffer if `text_stays`. */
static bool reader_read(TranscriptReader *reader, Arena *arena, bool text_stays, Line *line, Diag *diag) {
  SourceLine text;
  SourceAnswer answer = source_next(&reader->source, &text, diag);
  if (answer == SOURCE_FAILED) return false;
  line->number = reader->source.line;
  if (answer == SOURCE_END) {
    line->kind = LINE_END;
    return true;
  }
  reader->lines++;
  if (reader->takes_hash) reader->hash = hash_line(reader->hash, &text);
  if (!text_stays) {
    char *copy = arena_alloc(arena, text.length + SOURCE_SLACK);
    text.text = memcpy(copy, text.text, text.length + 1);
  }
  if (fast_read(&reader->fast, arena, text.text, text.length, line))
    reader->fast_lines++;
  else if (!reader_decode(reader, arena, &text, line, diag))
    return false;
  times_widen(reader, line);
  return check_line(reader, line, diag);
}

static TranscriptStats reader_stats(const TranscriptReader *reader) {
  return (TranscriptStats){reader->lines, reader->source.position, reader->fast_lines, reader->hash};
}

static bool thread_read(Ahead *ahead, void *context, Arena *arena, Line *line, TranscriptStats *stats,
                        Diag *diag) {
  TranscriptReader *reader = context;
  reader->thread = ahead;
  bool done = reader_read(reader, arena, false, line, diag);
  *stats = reader_stats(reader);
  return done;
}

bool transcript_next(TranscriptReader *reader, Line *line, Diag *diag) {
  if (reader->wants_ahead) {
    reader->wants_ahead = false;
    reader->shown = reader_stats(reader);
    reader->ahead = ahead_start(thread_read, reader);
  }
  if (reader->ahead)
    return ahead_next(reader->ahead, reader->warn, reader->warn_context, line, &reader->shown, diag);
  arena_clear(&reader->line);
  return reader_read(reader, &reader->line, true, line, diag);
}

void transcript_read_ahead(TranscriptReader *reader) {
  reader->wants_ahead = reader->source.size >= LEAST_AHEAD && !reader->source.follows;
}

void transcript_widen(TranscriptReader *reader, int64_t clock_error) { reader->clock_error = clock_error; }

static bool reader_header(TranscriptReader *reader, Diag *diag) {
  SourceLine text;
  SourceAnswer answer = source_next(&reader->source, &text, diag);
  if (answer == SOURCE_FAILED) return false;
  Place nowhere = {reader->source.path, 0, NULL, -1};
  if (answer == SOURCE_END) return diag_fail(diag, nowhere, "empty: there is no header");
  reader->lines = 1;
  reader->hash = hash_line(0xcbf29ce484222325, &text);
  JsonLine json;
  if (reader_load(reader, &text, &json, diag) != LOAD_OK) return false;
  Decoder decoder = reader_decoder(reader, &reader->run, &json, diag);
  bool done = decode_header(&decoder, &reader->header);
  json_line_free(&json);
  return done;
}

TranscriptReader *transcript_open_with(const char *path, void (*warn)(const char *message, void *context),
                                       void *context, Diag *diag) {
  TranscriptReader *reader = memory_new(sizeof *reader);
  reader->warn = warn ? warn : warning_drop;
  reader->warn_context = context;
  reader->warnings.warn = reader_warn;
  reader->warnings.context = reader;
  map_init(&reader->warnings.fields);
  map_init(&reader->finals);
  arena_init(&reader->run);
  arena_init(&reader->line);
  if (source_open(&reader->source, path, diag) && reader_header(reader, diag)) return reader;
  transcript_close(reader);
  return NULL;
}

TranscriptReader *transcript_open(const char *path, Diag *diag) {
  return transcript_open_with(path, warning_print, NULL, diag);
}

void transcript_close(TranscriptReader *reader) {
  if (!reader) return;
  ahead_free(reader->ahead);
  source_close(&reader->source);
  arena_free(&reader->run);
  arena_free(&reader->line);
  map_free(&reader->warnings.fields);
  map_free(&reader->finals);
  fast_free(&reader->fast);
  names_free(&reader->names);
  free(reader);
}

const Header *transcript_header(const TranscriptReader *reader) { return &reader->header; }

uint64_t transcript_position(const TranscriptReader *reader, uint64_t *size) {
  if (size) *size = reader->source.size;
  return transcript_stats(reader).bytes;
}

void transcript_on_warning(TranscriptReader *reader, void (*warn)(const char *message, void *context),
                           void *context) {
  reader->warn = warn ? warn : warning_drop;
  reader->warn_context = context;
}

void transcript_on_interrupt(TranscriptReader *reader, bool (*is_interrupted)(void *context), void *context) {
  reader->source.is_interrupted = is_interrupted;
  reader->source.context = context;
}

bool transcript_is_waiting(const TranscriptReader *reader) {
  return !reader->ahead && source_is_waiting(&reader->source);
}

void transcript_follow(TranscriptReader *reader) { reader->source.follows = true; }

void transcript_take_hash(TranscriptReader *reader) { reader->takes_hash = true; }

TranscriptStats transcript_stats(const TranscriptReader *reader) {
  return reader->ahead ? reader->shown : reader_stats(reader);
}
