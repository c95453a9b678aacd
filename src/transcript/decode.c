/* decode.c: one function per kind of line; docs/transcript.md is the law. */
#include "src/transcript/decode.h"

#include <string.h>
#include <strings.h>

enum { STANDARD_REORDER = 10000 };

/* ---- Header ------------------------------------------------------------------- */

/* A switch of the server: true or false, 1 or 0, "ON" or "OFF". */
static bool decode_switch(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                          int8_t *on) {
  const json_t *value = json_object_get(object, name);
  if (!value) return true;
  Path inner = {path, name, 0};
  const char *word = json_string_value(value);
  if (json_is_boolean(value))
    *on = json_is_true(value);
  else if (json_is_integer(value) && (json_integer_value(value) | 1) == 1)
    *on = (int8_t)json_integer_value(value);
  else if (word && strcasecmp(word, "on") == 0)
    *on = 1;
  else if (word && strcasecmp(word, "off") == 0)
    *on = 0;
  else
    return decode_expected(decoder, &inner, "true or false", value);
  return true;
}

static bool decode_settings(Decoder *decoder, const json_t *root, Header *header) {
  static const char *const known[] = {"found_rows", "innodb_snapshot_isolation", "sql_mode", "foreign_keys",
                                      NULL};
  const json_t *settings = json_object_get(root, "settings");
  if (!settings) return true;
  Path path = {NULL, "settings", 0};
  if (!json_is_object(settings)) return decode_expected(decoder, &path, "an object", settings);
  int8_t found_rows = header->dialect.found_rows, foreign_keys = header->dialect.foreign_keys;
  const char *mode = NULL;
  if (!decode_switch(decoder, settings, &path, "found_rows", &found_rows) ||
      !decode_switch(decoder, settings, &path, "foreign_keys", &foreign_keys) ||
      !decode_switch(decoder, settings, &path, "innodb_snapshot_isolation", &header->snapshot_isolation) ||
      !decode_string(decoder, settings, &path, "sql_mode", &mode))
    return false;
  header->dialect.found_rows = found_rows;
  header->dialect.foreign_keys = foreign_keys;
  if (mode) dialect_set_mode(&header->dialect, mode, strlen(mode));
  decode_unknown(decoder, settings, &path, known);
  return true;
}

static bool decode_dialect(const Decoder *decoder, const json_t *root, Header *header) {
  const char *dialect = "generic", *collation = NULL;
  DialectName name;
  if (!decode_string(decoder, root, NULL, "dialect", &dialect)) return false;
  if (!dialect_find(dialect, &name))
    return decode_fail(decoder, &(Path){NULL, "dialect", 0},
                       "no such dialect: '%s' (postgresql, mysql, mariadb, sqlite or generic)", dialect);
  header->dialect = dialect_new(name);
  if (!decode_string(decoder, root, NULL, "collation", &collation)) return false;
  if (!collation) return true;
  if (strcasecmp(collation, "C") == 0)
    header->dialect.collation = COLLATION_C;
  else if (strcasecmp(collation, "ci") == 0)
    header->dialect.collation = COLLATION_CI;
  else
    header->dialect.other_collation = true;
  return true;
}

static bool decode_order(const Decoder *decoder, const json_t *root, Header *header) {
  const char *order = "file";
  bool has_reorder = false;
  int64_t reorder = STANDARD_REORDER;
  if (!decode_string(decoder, root, NULL, "order", &order)) return false;
  if (strcmp(order, "file") == 0)
    header->order = ORDER_FILE;
  else if (strcmp(order, "hint") == 0)
    header->order = ORDER_HINT;
  else if (strcmp(order, "commit") == 0)
    header->order = ORDER_COMMIT;
  else
    return decode_fail(decoder, &(Path){NULL, "order", 0}, "expected file, hint or commit, got '%s'", order);
  if (!decode_integer(decoder, root, NULL, "reorder", &has_reorder, &reorder)) return false;
  if (reorder < 0) return decode_fail(decoder, &(Path){NULL, "reorder", 0}, "a negative number of lines");
  header->reorder = (uint64_t)reorder;
  return true;
}

/* Fields for people: kept if they are strings. */
static const char *decode_remark(const Decoder *decoder, const json_t *root, const char *name) {
  const json_t *value = json_object_get(root, name);
  return json_is_string(value) ? decode_copy(decoder, value) : NULL;
}

bool decode_header(Decoder *decoder, Header *header) {
  static const char *const known[] = {"alibi",    "dialect", "level",  "order", "reorder", "collation",
                                      "settings", "name",    "source", "clock", NULL};
  const json_t *root = decoder->json->root;
  *header = (Header){.snapshot_isolation = -1};
  if (!json_is_object(root)) return decode_expected(decoder, NULL, "the header, an object", root);
  const json_t *version = json_object_get(root, "alibi");
  Path path = {NULL, "alibi", 0};
  if (!version)
    return decode_fail(decoder, &path, "missing: the first line is the header, {\"alibi\":1, ...}");
  if (!json_is_integer(version)) return decode_expected(decoder, &path, "an integer", version);
  if (json_integer_value(version) != 1)
    return decode_fail(decoder, &path, "version %lld of the format; this program reads version 1",
                       (long long)json_integer_value(version));
  if (!decode_dialect(decoder, root, header) || !decode_settings(decoder, root, header) ||
      !decode_string(decoder, root, NULL, "level", &header->level) || !decode_order(decoder, root, header))
    return false;
  header->name = decode_remark(decoder, root, "name");
  header->source = decode_remark(decoder, root, "source");
  header->clock = decode_remark(decoder, root, "clock");
  decode_unknown(decoder, root, NULL, known);
  return true;
}

/* ---- Set-up, final and gap lines ---------------------------------------------- */

static bool decode_alternatives(const Decoder *decoder, const json_t *list, const Path *path, Cell *cell) {
  if (!json_is_array(list)) return decode_expected(decoder, path, "an array of values", list);
  if (!json_array_size(list)) return decode_fail(decoder, path, "one of no values at all");
  Observed observed;
  if (!decode_list(decoder, list, path, &observed)) return false;
  *cell = (Cell){CELL_IN, observed.value};
  return true;
}

static bool decode_cell(const Decoder *decoder, const json_t *value, const Path *path, Cell *cell) {
  if (json_is_object(value)) {
    const json_t *in = json_object_get(value, "in"), *any = json_object_get(value, "any");
    if (json_object_size(value) == 1 && in)
      return decode_alternatives(decoder, in, &(Path){path, "in", 0}, cell);
    if (json_object_size(value) == 1 && any) {
      if (!json_is_true(any)) return decode_expected(decoder, &(Path){path, "any", 0}, "true", any);
      *cell = (Cell){CELL_ANY, NULL_VALUE};
      return true;
    }
    return decode_fail(decoder, path, "expected {\"in\":[...]} or {\"any\":true}");
  }
  Observed observed;
  if (!decode_scalar(decoder, value, path, &observed)) return false;
  *cell = (Cell){CELL_VALUE, observed.value};
  return true;
}

static bool decode_table_row(const Decoder *decoder, const json_t *row, const Path *path, TableLine *table,
                             uint32_t index, bool is_final) {
  uint32_t count = (uint32_t)json_array_size(row);
  table->rows[index].count = count;
  if (is_final)
    table->rows[index].observed = ARENA_ARRAY(decoder->arena, Observed, count);
  else
    table->rows[index].cells = ARENA_ARRAY(decoder->arena, Cell, count);
  for (uint32_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(row, i);
    Path inner = {path, NULL, i};
    bool done = is_final ? decode_scalar(decoder, value, &inner, &table->rows[index].observed[i])
                         : decode_cell(decoder, value, &inner, &table->rows[index].cells[i]);
    if (!done) return false;
  }
  return true;
}

static bool decode_table(Decoder *decoder, TableLine *table, const char *kind) {
  const char *known[] = {kind, "columns", "rows", NULL};
  const json_t *root = decoder->json->root, *rows = json_object_get(root, "rows");
  bool is_final = strcmp(kind, "final") == 0;
  *table = (TableLine){0};
  if (!decode_string(decoder, root, NULL, kind, &table->table) ||
      !decode_columns(decoder, root, NULL, &table->column_count, &table->columns))
    return false;
  table->has_columns = json_object_get(root, "columns") != NULL;
  Path path = {NULL, "rows", 0};
  if (!rows) return decode_fail(decoder, &path, "missing");
  if (!json_is_array(rows)) return decode_expected(decoder, &path, "an array of rows", rows);
  table->row_count = (uint32_t)json_array_size(rows);
  table->rows = arena_zero(decoder->arena, table->row_count * sizeof *table->rows);
  int64_t width = table->has_columns ? (int64_t)table->column_count : -1;
  for (uint32_t i = 0; i < table->row_count; i++) {
    const json_t *row = json_array_get(rows, i);
    Path inner = {&path, NULL, i};
    if (!json_is_array(row)) return decode_expected(decoder, &inner, "a row (an array of values)", row);
    if (!decode_width(decoder, &inner, (uint32_t)json_array_size(row), width)) return false;
    width = (int64_t)json_array_size(row);
    if (!decode_table_row(decoder, row, &inner, table, i, is_final)) return false;
  }
  decode_unknown(decoder, root, NULL, known);
  return true;
}

static bool decode_setup(Decoder *decoder, Line *line) {
  static const char *const known[] = {"setup", NULL};
  if (!decode_string(decoder, decoder->json->root, NULL, "setup", &line->setup)) return false;
  decode_unknown(decoder, decoder->json->root, NULL, known);
  return true;
}

static bool decode_gap(Decoder *decoder, Line *line) {
  static const char *const known[] = {"gap", "writes", NULL};
  line->gap.writes = true;
  if (!decode_string(decoder, decoder->json->root, NULL, "gap", &line->gap.text) ||
      !decode_bool(decoder, decoder->json->root, NULL, "writes", &line->gap.writes))
    return false;
  decode_unknown(decoder, decoder->json->root, NULL, known);
  return true;
}

/* ---- Which kind ----------------------------------------------------------------- */

static bool decode_table_line(Decoder *decoder, Line *line) {
  return decode_table(decoder, &line->table, "table");
}
static bool decode_final_line(Decoder *decoder, Line *line) {
  return decode_table(decoder, &line->table, "final");
}
static bool decode_transaction_line(Decoder *decoder, Line *line) {
  return decode_transaction(decoder, &line->transaction);
}
static bool decode_second_header(Decoder *decoder, Line *line) {
  (void)line;
  return decode_fail(decoder, &(Path){NULL, "alibi", 0}, "a second header");
}

static const struct LineDecoder {
  const char *field;
  LineKind kind;
  bool (*decode)(Decoder *decoder, Line *line);
} line_decoders[] = {
    {"txn", LINE_TRANSACTION, decode_transaction_line},
    {"setup", LINE_SETUP, decode_setup},
    {"table", LINE_TABLE, decode_table_line},
    {"final", LINE_FINAL, decode_final_line},
    {"gap", LINE_GAP, decode_gap},
    {"alibi", LINE_HEADER, decode_second_header},
};

bool decode_line(Decoder *decoder, Line *line) {
  const json_t *root = decoder->json->root;
  if (!json_is_object(root)) return decode_expected(decoder, NULL, "an object", root);
  const struct LineDecoder *found = NULL;
  for (size_t i = 0; i < sizeof line_decoders / sizeof *line_decoders; i++) {
    if (!json_object_get(root, line_decoders[i].field)) continue;
    if (found)
      return decode_fail(decoder, NULL, "a line of two kinds: it has both '%s' and '%s'", found->field,
                         line_decoders[i].field);
    found = &line_decoders[i];
  }
  if (!found && json_object_get(root, "ops")) return decode_fail(decoder, &(Path){NULL, "txn", 0}, "missing");
  if (!found)
    return decode_fail(decoder, NULL, "a line of unknown kind: none of txn, setup, table, gap and final");
  line->kind = found->kind;
  return found->decode(decoder, line);
}
