/* witness_read.c: a witness from its file.  Nothing is trusted: what is not of the form is told with line and
 * field. */
#include "src/transcript/decode.h"
#include "src/transcript/source.h"
#include "src/transcript/witness.h"

#include <stdio.h>

struct WitnessReader {
  LineSource source;
  Arena run;
  WitnessHeader header;
  bool is_ended;
};

/* ---- Fields ------------------------------------------------------------------------------------------- */

/* A witness is made by a program: a field that nobody knows may mean anything, and is refused. */
static bool fields_are_known(const Decoder *decoder, const json_t *object, const Path *path,
                             const char *const *known) {
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)object, name, value) {
    Path inner = {path, name, 0};
    const char *const *at = known;
    while (*at && strcmp(*at, name) != 0) at++;
    if (!*at) return decode_fail(decoder, &inner, "no such field in a witness");
  }
  return true;
}

static bool decode_count(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                         uint64_t most, bool *has, uint64_t *count) {
  int64_t integer = 0;
  if (!decode_integer(decoder, object, path, name, has, &integer)) return false;
  Path inner = {path, name, 0};
  if (integer < 0 || (uint64_t)integer > most)
    return decode_fail(decoder, &inner, "%lld is out of range", (long long)integer);
  if (*has) *count = (uint64_t)integer;
  return true;
}

static bool decode_small(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                         bool is_required, bool *has, uint32_t *count) {
  uint64_t wide = 0;
  if (!decode_count(decoder, object, path, name, UINT32_MAX - 1, has, &wide)) return false;
  Path inner = {path, name, 0};
  if (is_required && !*has) return decode_fail(decoder, &inner, "missing");
  *count = (uint32_t)wide;
  return true;
}

static bool decode_word(const Decoder *decoder, const json_t *object, const char *name,
                        const char *const *words, int *word, bool *has) {
  const char *text = NULL;
  if (!decode_string(decoder, object, NULL, name, &text)) return false;
  if (!text) return true;
  *has = true;
  for (*word = 0; words[*word]; ++*word)
    if (strcmp(words[*word], text) == 0) return true;
  Path inner = {NULL, name, 0};
  return decode_fail(decoder, &inner, "no such word: '%.40s'", text);
}

static bool decode_fresh(const Decoder *decoder, const json_t *object, WitnessFresh *fresh, bool *has) {
  static const char *const words[] = {"never", "timed", "always", NULL};
  int word = FRESH_NEVER;
  bool done = decode_word(decoder, object, "fresh", words, &word, has);
  if (*has) *fresh = (WitnessFresh)word;
  return done;
}

static bool array_of(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                     const json_t **array) {
  *array = json_object_get(object, name);
  Path inner = {path, name, 0};
  return !*array || json_is_array(*array) || decode_expected(decoder, &inner, "an array", *array);
}

static bool element_is_object(const Decoder *decoder, const json_t *element, const Path *path) {
  return json_is_object(element) || decode_expected(decoder, path, "an object", element);
}

/* ---- Lines ------------------------------------------------------------------------------------------------
 */

static bool decode_choices(const Decoder *decoder, const json_t *object, WitnessChoices *choices) {
  static const char *const known[] = {"op", "of", "value", NULL};
  const json_t *array;
  if (!array_of(decoder, object, NULL, "free", &array)) return false;
  Path outer = {NULL, "free", 0};
  for (size_t i = 0; array && i < json_array_size(array); i++) {
    const json_t *element = json_array_get(array, i);
    Path path = {&outer, NULL, i}, value = {&path, "value", 0};
    WitnessChoice choice = {0};
    bool has = false;
    if (!element_is_object(decoder, element, &path) || !fields_are_known(decoder, element, &path, known) ||
        !decode_small(decoder, element, &path, "op", true, &has, &choice.operation) ||
        !decode_string(decoder, element, &path, "of", &choice.origin))
      return false;
    if (!choice.origin) return decode_fail(decoder, &path, "a choice without 'of'");
    const json_t *taken = json_object_get(element, "value");
    if (!taken) return decode_fail(decoder, &value, "missing");
    if (!decode_list(decoder, taken, &value, &choice.value)) return false;
    ARENA_PUSH(decoder->arena, choices, choice);
  }
  return true;
}

static bool decode_key(const Decoder *decoder, const json_t *element, const Path *path, WitnessRead *read) {
  const json_t *key;
  bool has_rowid = false;
  if (!array_of(decoder, element, path, "key", &key) ||
      !decode_count(decoder, element, path, "rowid", INT64_MAX, &has_rowid, &read->rowid))
    return false;
  if (!read->table != !(key || has_rowid) || (key && has_rowid))
    return decode_fail(decoder, path, "a row is named by its table and either its key or its rowid");
  size_t count = key ? json_array_size(key) : 0;
  if (key && !count) return decode_fail(decoder, path, "an empty key");
  Observed *values = ARENA_ARRAY(decoder->arena, Observed, count + 1);
  Path outer = {path, "key", 0};
  for (size_t i = 0; i < count; i++) {
    Path at = {&outer, NULL, i};
    if (!decode_list(decoder, json_array_get(key, i), &at, &values[i])) return false;
  }
  read->key = values;
  read->key_count = (uint32_t)count;
  return true;
}

static bool decode_read(const Decoder *decoder, const json_t *element, const Path *path, WitnessRead *read) {
  static const char *const known[] = {"op", "step", "error", "table", "key", "rowid", "state", NULL};
  bool has_op = false, has_step = false, has_state = false, is_error = false;
  if (!element_is_object(decoder, element, path) || !fields_are_known(decoder, element, path, known) ||
      !decode_small(decoder, element, path, "op", true, &has_op, &read->operation) ||
      !decode_small(decoder, element, path, "step", true, &has_step, &read->step) ||
      !decode_small(decoder, element, path, "state", true, &has_state, &read->state) ||
      !decode_bool(decoder, element, path, "error", &is_error) ||
      !decode_string(decoder, element, path, "table", &read->table))
    return false;
  read->role = is_error ? WITNESS_CHECK : read->table ? WITNESS_KEY : WITNESS_STEP;
  return decode_key(decoder, element, path, read);
}

static bool decode_transaction_line(const Decoder *decoder, const json_t *root,
                                    WitnessTransaction *transaction) {
  static const char *const known[] = {"txn", "part", "level", "fresh", "state", "reads", "free", NULL};
  *transaction = (WitnessTransaction){.takes_part = true,
                                      .name_is_integer = json_is_integer(json_object_get(root, "txn"))};
  bool has_state = false;
  WitnessRead whole = {.role = WITNESS_TRANSACTION};
  const json_t *reads;
  if (!fields_are_known(decoder, root, NULL, known) ||
      !decode_name(decoder, root, NULL, "txn", &transaction->name) ||
      !decode_bool(decoder, root, NULL, "part", &transaction->takes_part) ||
      !decode_string(decoder, root, NULL, "level", &transaction->level) ||
      !decode_fresh(decoder, root, &transaction->fresh, &transaction->has_fresh) ||
      !decode_small(decoder, root, NULL, "state", false, &has_state, &whole.state) ||
      !array_of(decoder, root, NULL, "reads", &reads) ||
      !decode_choices(decoder, root, &transaction->choices))
    return false;
  if (has_state) ARENA_PUSH(decoder->arena, &transaction->reads, whole);
  Path outer = {NULL, "reads", 0};
  for (size_t i = 0; reads && i < json_array_size(reads); i++) {
    Path path = {&outer, NULL, i};
    WitnessRead read = {0};
    if (!decode_read(decoder, json_array_get(reads, i), &path, &read)) return false;
    ARENA_PUSH(decoder->arena, &transaction->reads, read);
  }
  return true;
}

static bool decode_row_line(const Decoder *decoder, const json_t *root, WitnessRow *row) {
  static const char *const known[] = {"initial", "row", "cells", NULL};
  *row = (WitnessRow){0};
  bool has = false;
  Path outer = {NULL, "cells", 0};
  const json_t *cells = json_object_get(root, "cells");
  if (!fields_are_known(decoder, root, NULL, known) ||
      !decode_string(decoder, root, NULL, "initial", &row->table) ||
      !decode_small(decoder, root, NULL, "row", true, &has, &row->row))
    return false;
  if (!cells) return decode_fail(decoder, &outer, "missing");
  if (!element_is_object(decoder, cells, &outer)) return false;
  row->columns = ARENA_ARRAY(decoder->arena, const char *, json_object_size(cells) + 1);
  row->cells = ARENA_ARRAY(decoder->arena, Observed, json_object_size(cells) + 1);
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)cells, name, value) {
    Path inner = {&outer, name, 0};
    row->columns[row->cell_count] = arena_text(decoder->arena, name, strlen(name));
    if (!decode_list(decoder, value, &inner, &row->cells[row->cell_count++])) return false;
  }
  return true;
}

static bool decode_end_line(const Decoder *decoder, const json_t *root, WitnessEnd *end) {
  static const char *const known[] = {"end", "log_lines", "log_hash", NULL};
  bool has_end = false, has_lines = false;
  const char *hash = NULL;
  *end = (WitnessEnd){0};
  if (!fields_are_known(decoder, root, NULL, known) ||
      !decode_count(decoder, root, NULL, "end", INT64_MAX, &has_end, &end->transactions) ||
      !decode_count(decoder, root, NULL, "log_lines", INT64_MAX, &has_lines, &end->log_lines) ||
      !decode_string(decoder, root, NULL, "log_hash", &hash))
    return false;
  Path path = {NULL, "log_hash", 0};
  if (!has_lines || !hash) return decode_fail(decoder, NULL, "an end line without the log it is about");
  char *rest;
  end->log_hash = strtoull(hash, &rest, 16);
  if (strlen(hash) != 16 || *rest || strspn(hash, "0123456789abcdef") != 16)
    return decode_fail(decoder, &path, "expected 16 hexadecimal digits");
  return true;
}

static bool decode_witness_line(const Decoder *decoder, const json_t *root, WitnessLine *line) {
  static const char *const known[] = {"final", "free", NULL};
  if (!json_is_object(root)) return decode_expected(decoder, NULL, "an object", root);
  if (json_object_get(root, "txn")) {
    line->kind = WITNESS_LINE_TRANSACTION;
    return decode_transaction_line(decoder, root, &line->transaction);
  }
  if (json_object_get(root, "initial")) {
    line->kind = WITNESS_LINE_ROW;
    return decode_row_line(decoder, root, &line->row);
  }
  if (json_object_get(root, "final")) {
    line->kind = WITNESS_LINE_FINAL;
    line->final = (WitnessFinal){0};
    return fields_are_known(decoder, root, NULL, known) &&
           decode_string(decoder, root, NULL, "final", &line->final.table) &&
           decode_choices(decoder, root, &line->final.choices);
  }
  if (json_object_get(root, "end")) {
    line->kind = WITNESS_LINE_END;
    return decode_end_line(decoder, root, &line->end);
  }
  return decode_fail(decoder, NULL, "a line of unknown kind: expected txn, initial, final or end");
}

static bool decode_witness_header(const Decoder *decoder, const json_t *root, WitnessHeader *header) {
  static const char *const known[] = {"witness", "level", "fresh", "conflicts", "order", "clock_error",
                                      "aborted_reads", "serial", NULL};
  static const char *const orders[] = {"given", "search", NULL};
  static const char *const conflicts[] = {"writes", "values", NULL};
  int64_t version = 0;
  int order = 0, conflict = 0;
  bool has_version = false, has_fresh = false, has_order = false, has_conflicts = false, has_error = false;
  if (!json_is_object(root)) return decode_expected(decoder, NULL, "an object", root);
  if (!decode_integer(decoder, root, NULL, "witness", &has_version, &version)) return false;
  Path path = {NULL, "witness", 0};
  if (!has_version) return decode_fail(decoder, &path, "not a witness: its header is missing");
  if (version != 1) return decode_fail(decoder, &path, "version %lld is not known", (long long)version);
  if (!fields_are_known(decoder, root, NULL, known) ||
      !decode_string(decoder, root, NULL, "level", &header->level) ||
      !decode_fresh(decoder, root, &header->fresh, &has_fresh) ||
      !decode_word(decoder, root, "order", orders, &order, &has_order) ||
      !decode_word(decoder, root, "conflicts", conflicts, &conflict, &has_conflicts) ||
      !decode_integer(decoder, root, NULL, "clock_error", &has_error, &header->clock_error) ||
      !decode_bool(decoder, root, NULL, "aborted_reads", &header->has_readers) ||
      !decode_bool(decoder, root, NULL, "serial", &header->is_serial))
    return false;
  if (header->has_readers && header->is_serial)
    return decode_fail(decoder, &(Path){NULL, "serial", 0}, "a serial witness has no places for aborted transactions");
  if (header->clock_error < 0)
    return decode_fail(decoder, &(Path){NULL, "clock_error", 0}, "expected an integer from 0 on");
  if (!header->level || !has_order) return decode_fail(decoder, NULL, "a header without level or order");
  header->is_searched = order == 1;
  header->compares_values = conflict == 1;
  return true;
}

/* ---- The stream
 * ---------------------------------------------------------------------------------------------- */

static bool reader_line(WitnessReader *reader, Arena *arena, WitnessLine *line, bool is_header, Diag *diag) {
  SourceLine text;
  SourceAnswer answer = source_next(&reader->source, &text, diag);
  if (answer == SOURCE_FAILED) return false;
  Place place = {reader->source.path, reader->source.line, NULL, -1};
  if (answer == SOURCE_END)
    return diag_fail(diag, place, is_header ? "empty: there is no header" : "the end line is missing");
  JsonLine json;
  bool is_torn, done = json_line_load(&json, text.text, text.length, place, diag, &is_torn);
  Warnings warnings = {0};
  Decoder decoder = {arena, reader->source.path, reader->source.line, &warnings, diag, &json};
  if (done && is_header)
    done = decode_witness_header(&decoder, json.root, &reader->header);
  else if (done)
    done = decode_witness_line(&decoder, json.root, line);
  json_line_free(&json);
  return done;
}

WitnessReader *witness_open(const char *path, Diag *diag) {
  WitnessReader *reader = memory_new(sizeof *reader);
  arena_init(&reader->run);
  if (source_open(&reader->source, path, diag) && reader_line(reader, &reader->run, NULL, true, diag))
    return reader;
  witness_close(reader);
  return NULL;
}

void witness_close(WitnessReader *reader) {
  if (!reader) return;
  source_close(&reader->source);
  arena_free(&reader->run);
  free(reader);
}

const WitnessHeader *witness_header(const WitnessReader *reader) { return &reader->header; }

bool witness_next(WitnessReader *reader, Arena *arena, WitnessLine *line, Diag *diag) {
  if (!reader_line(reader, arena, line, false, diag)) return false;
  line->number = reader->source.line;
  if (line->kind != WITNESS_LINE_END) return true;
  SourceLine text;
  SourceAnswer answer = source_next(&reader->source, &text, diag);
  if (answer == SOURCE_FAILED) return false;
  Place place = {reader->source.path, reader->source.line, NULL, -1};
  return answer == SOURCE_END || diag_fail(diag, place, "a line behind the end line");
}
