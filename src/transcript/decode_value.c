/* decode_value.c: typed access to fields and values; each failure names the field. */
#include "src/transcript/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WARNINGS = 100 };

static size_t path_print(const Path *path, char *buffer, size_t size) {
  if (!path) return 0;
  size_t used = path_print(path->outer, buffer, size);
  if (used + 1 >= size) return used;
  int written = path->field ? snprintf(buffer + used, size - used, "%s%s", used ? "." : "", path->field)
                            : snprintf(buffer + used, size - used, "[%llu]", (unsigned long long)path->index);
  return used + (size_t)written < size ? used + (size_t)written : size - 1;
}

bool decode_fail(const Decoder *decoder, const Path *path, const char *format, ...) {
  char field[128] = "", message[400];
  path_print(path, field, sizeof field);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  Place place = {decoder->file, decoder->number, field[0] ? field : NULL, -1};
  return diag_fail(decoder->diag, place, "%s", message);
}

bool decode_expected(const Decoder *decoder, const Path *path, const char *expected, const json_t *got) {
  return decode_fail(decoder, path, "expected %s, got %s", expected, json_type_title(got));
}

static bool name_is_in(const char *name, const char *const *known) {
  for (; *known; known++)
    if (strcmp(name, *known) == 0) return true;
  return false;
}

void warnings_say(const Warnings *warnings, const char *message) {
  if (warnings->warn) warnings->warn(message, warnings->context);
}

void decode_unknown(Decoder *decoder, const json_t *object, const Path *path, const char *const *known) {
  Warnings *warnings = decoder->warnings;
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)object, name, value) {
    if (name_is_in(name, known) || map_find(&warnings->fields, name)) continue;
    if (warnings->fields.count > MOST_WARNINGS) return;
    map_put_copy(&warnings->fields, name, strlen(name), warnings);
    char message[400], field[128] = "";
    Path inner = {path, name, 0};
    path_print(&inner, field, sizeof field);
    bool is_last = warnings->fields.count > MOST_WARNINGS;
    snprintf(message, sizeof message, "%s:%llu: unknown field '%s' ignored%s", decoder->file,
             (unsigned long long)decoder->number, field, is_last ? "; others are no longer mentioned" : "");
    warnings_say(warnings, message);
  }
}

const char *decode_copy(const Decoder *decoder, const json_t *string) {
  return arena_text(decoder->arena, json_string_value(string), json_string_length(string));
}

bool decode_string(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                   const char **text) {
  const json_t *value = json_object_get(object, name);
  if (!value) return true;
  Path inner = {path, name, 0};
  if (!json_is_string(value)) return decode_expected(decoder, &inner, "a string", value);
  *text = decode_copy(decoder, value);
  return true;
}

bool decode_name(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                 const char **text) {
  const json_t *value = json_object_get(object, name);
  if (!value) return true;
  Path inner = {path, name, 0};
  if (json_is_string(value))
    *text = decode_copy(decoder, value);
  else if (json_is_integer(value))
    *text = arena_format(decoder->arena, "%lld", (long long)json_integer_value(value));
  else
    return decode_expected(decoder, &inner, "a string or an integer", value);
  return true;
}

bool decode_bool(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                 bool *truth) {
  const json_t *value = json_object_get(object, name);
  if (!value) return true;
  Path inner = {path, name, 0};
  if (!json_is_boolean(value)) return decode_expected(decoder, &inner, "true or false", value);
  *truth = json_is_true(value);
  return true;
}

bool decode_integer(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                    bool *has, int64_t *integer) {
  const json_t *value = json_object_get(object, name);
  if (!value) return true;
  Path inner = {path, name, 0};
  if (!json_is_integer(value)) return decode_expected(decoder, &inner, "an integer", value);
  *integer = json_integer_value(value);
  *has = true;
  return true;
}

bool decode_interval(const Decoder *decoder, const json_t *object, const Path *path, const char *name,
                     bool may_be_open, Interval *interval) {
  const json_t *value = json_object_get(object, name);
  if (!value) return true;
  Path inner = {path, name, 0};
  if (json_is_integer(value)) {
    *interval = (Interval){true, json_integer_value(value), json_integer_value(value)};
    return true;
  }
  if (!json_is_array(value))
    return decode_expected(decoder, &inner, "an instant or an interval [lo,hi]", value);
  const json_t *lo = json_array_get(value, 0), *hi = json_array_get(value, 1);
  if (json_array_size(value) != 2)
    return decode_fail(decoder, &inner, "an interval has two ends, got %zu", json_array_size(value));
  if (!json_is_integer(lo)) return decode_expected(decoder, &(Path){&inner, NULL, 0}, "an integer", lo);
  bool is_open = json_is_null(hi) && may_be_open;
  if (!is_open && !json_is_integer(hi))
    return decode_expected(decoder, &(Path){&inner, NULL, 1}, "an integer", hi);
  *interval = (Interval){true, json_integer_value(lo), is_open ? INT64_MAX : json_integer_value(hi)};
  if (interval->lo > interval->hi) return decode_fail(decoder, &inner, "the interval ends before it begins");
  return true;
}

bool decode_columns(const Decoder *decoder, const json_t *object, const Path *path, uint32_t *count,
                    const char ***columns) {
  const json_t *value = json_object_get(object, "columns");
  if (!value) return true;
  Path inner = {path, "columns", 0};
  if (!json_is_array(value)) return decode_expected(decoder, &inner, "an array of names", value);
  *count = (uint32_t)json_array_size(value);
  *columns = ARENA_ARRAY(decoder->arena, const char *, *count);
  for (uint32_t i = 0; i < *count; i++) {
    const json_t *name = json_array_get(value, i);
    if (!json_is_string(name)) return decode_expected(decoder, &(Path){&inner, NULL, i}, "a string", name);
    (*columns)[i] = decode_copy(decoder, name);
  }
  return true;
}

bool decode_scalar(const Decoder *decoder, const json_t *value, const Path *path, Observed *observed) {
  *observed = (Observed){.value = NULL_VALUE};
  switch (json_typeof(value)) {
  case JSON_NULL: return true;
  case JSON_TRUE: observed->value = value_bool(true); return true;
  case JSON_FALSE: observed->value = value_bool(false); return true;
  case JSON_INTEGER: observed->value = value_int(json_integer_value(value)); return true;
  case JSON_STRING:
    observed->value = value_text(decode_copy(decoder, value), json_string_length(value));
    return true;
  case JSON_REAL: {
    size_t length;
    const char *text = json_real_text(decoder->json, value, &length);
    observed->value = value_double(json_real_value(value));
    observed->text = arena_text(decoder->arena, text, length);
    observed->text_length = (uint32_t)length;
    return true;
  }
  case JSON_OBJECT:
  case JSON_ARRAY: break;
  }
  return decode_expected(decoder, path, "a value (null, true, false, a number or a string)", value);
}

bool decode_list(const Decoder *decoder, const json_t *value, const Path *path, Observed *observed) {
  if (!json_is_array(value)) return decode_scalar(decoder, value, path, observed);
  uint32_t count = (uint32_t)json_array_size(value);
  Value *items = ARENA_ARRAY(decoder->arena, Value, count);
  for (uint32_t i = 0; i < count; i++) {
    Observed item;
    if (!decode_scalar(decoder, json_array_get(value, i), &(Path){path, NULL, i}, &item)) return false;
    items[i] = item.value;
  }
  *observed = (Observed){.value = {.kind = VALUE_LIST, .length = count, .items = items}};
  return true;
}

bool decode_width(const Decoder *decoder, const Path *path, uint32_t count, int64_t width) {
  if (width < 0 || count == width) return true;
  return decode_fail(decoder, path, "a row of %u value%s where %lld %s expected", count,
                     count == 1 ? "" : "s", (long long)width, width == 1 ? "is" : "are");
}

bool decode_rows(const Decoder *decoder, const json_t *value, const Path *path, int64_t width,
                 ObservedRows *rows) {
  if (!json_is_array(value)) return decode_expected(decoder, path, "an array of rows", value);
  rows->count = (uint32_t)json_array_size(value);
  rows->rows = ARENA_ARRAY(decoder->arena, ObservedRow, rows->count);
  for (uint32_t i = 0; i < rows->count; i++) {
    const json_t *row = json_array_get(value, i);
    Path place = {path, NULL, i};
    if (!json_is_array(row)) return decode_expected(decoder, &place, "a row (an array of values)", row);
    uint32_t count = (uint32_t)json_array_size(row);
    if (!decode_width(decoder, &place, count, width)) return false;
    width = count;
    rows->rows[i] = (ObservedRow){count, ARENA_ARRAY(decoder->arena, Observed, count)};
    for (uint32_t j = 0; j < count; j++)
      if (!decode_scalar(decoder, json_array_get(row, j), &(Path){&place, NULL, j}, &rows->rows[i].cells[j]))
        return false;
  }
  return true;
}
