/* json.c: the checks around jansson, and a small scanner of tokens that serves them.
 *
 * The scanner does not judge: it cuts text that may be broken into strings, words (numbers and
 * literals) and punctuation, well enough to find a nesting, a field or a real. */
#include "src/transcript/json.h"

#include <stdio.h>
#include <string.h>

typedef enum TokenKind { TOKEN_NOTHING, TOKEN_STRING, TOKEN_WORD, TOKEN_MARK } TokenKind;

typedef struct JsonToken {
  TokenKind kind;
  size_t begin, end;
  bool is_open; /* a string without its closing quote */
} JsonToken;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_mark(char c) { return c && strchr("[]{},:", c); }

/* The token at or after `at`. */
static JsonToken token_next(const char *text, size_t length, size_t at) {
  while (at < length && is_space(text[at])) at++;
  JsonToken token = {.begin = at, .end = at};
  if (at == length) return token;
  if (text[at] == '"') {
    token.kind = TOKEN_STRING;
    for (at++; at < length && text[at] != '"'; at++)
      if (text[at] == '\\' && at + 1 < length) at++;
    token.is_open = at >= length;
    token.end = token.is_open ? length : at + 1;
    return token;
  }
  token.kind = is_mark(text[at]) ? TOKEN_MARK : TOKEN_WORD;
  token.end = at + 1;
  if (token.kind == TOKEN_WORD)
    while (token.end < length && !is_space(text[token.end]) && !is_mark(text[token.end]) &&
           text[token.end] != '"')
      token.end++;
  return token;
}

/* ---- Where in the line: a path such as ops[2].rows[0] -------------------------- */

typedef struct Level {
  bool is_object;
  bool expects_key; /* objects: the next string is a key */
  uint64_t index;   /* arrays */
  size_t key, key_length;
} Level;

typedef struct Trail {
  Level levels[JSON_DEEPEST];
  uint32_t depth; /* may exceed the room: deeper levels are not kept */
} Trail;

static Level *trail_top(Trail *trail) {
  return trail->depth && trail->depth <= JSON_DEEPEST ? &trail->levels[trail->depth - 1] : NULL;
}

static void trail_step(Trail *trail, const char *text, JsonToken token) {
  char mark = token.kind == TOKEN_MARK ? text[token.begin] : 0;
  Level *top = trail_top(trail);
  if (mark == '{' || mark == '[') {
    if (trail->depth++ < JSON_DEEPEST)
      trail->levels[trail->depth - 1] = (Level){.is_object = mark == '{', .expects_key = mark == '{'};
  } else if (mark == '}' || mark == ']') {
    if (trail->depth) trail->depth--;
  } else if (top && mark == ',') {
    top->index++;
    top->expects_key = top->is_object;
    top->key_length = 0;
  } else if (top && token.kind == TOKEN_STRING && top->expects_key && !token.is_open) {
    top->expects_key = false;
    top->key = token.begin + 1;
    top->key_length = token.end - token.begin - 2;
  }
}

/* The field that the byte at `offset` belongs to; "" if none. */
static void path_at(const char *text, size_t length, size_t offset, char *buffer, size_t size) {
  Trail trail = {.depth = 0};
  for (JsonToken token = token_next(text, length, 0); token.kind && token.begin <= offset;
       token = token_next(text, length, token.end))
    trail_step(&trail, text, token);
  size_t used = 0;
  buffer[0] = 0;
  uint32_t depth = trail.depth < JSON_DEEPEST ? trail.depth : JSON_DEEPEST;
  for (uint32_t i = 0; i < depth && used + 1 < size; i++) {
    const Level *level = &trail.levels[i];
    if (level->is_object && !level->key_length) break;
    int written = level->is_object
                      ? snprintf(buffer + used, size - used, "%s%.*s", used ? "." : "",
                                 (int)(level->key_length > 40 ? 40 : level->key_length), text + level->key)
                      : snprintf(buffer + used, size - used, "[%llu]", (unsigned long long)level->index);
    used += (size_t)written;
  }
}

static bool json_fail(const JsonLine *line, Place place, size_t offset, const char *message, Diag *diag) {
  char field[128];
  path_at(line->text, line->length, offset, field, sizeof field);
  place.field = field[0] ? field : NULL;
  place.offset = (int64_t)offset;
  return diag_fail(diag, place, "%s", message);
}

/* ---- What jansson does not check ------------------------------------------------ */

typedef struct Shape {
  size_t last;    /* where the last token begins */
  bool is_closed; /* every bracket and string was closed */
  bool has_reals;
} Shape;

static bool word_is_real(const char *text, JsonToken token) {
  char first = text[token.begin];
  if (first != '-' && (first < '0' || first > '9')) return false;
  for (size_t i = token.begin; i < token.end; i++)
    if (text[i] == '.' || text[i] == 'e' || text[i] == 'E') return true;
  return false;
}

static bool line_scan(const JsonLine *line, Place place, Shape *shape, Diag *diag) {
  const char *nul = memchr(line->text, 0, line->length);
  if (nul) return json_fail(line, place, (size_t)(nul - line->text), "broken JSON: a NUL byte", diag);
  uint64_t depth = 0;
  *shape = (Shape){.is_closed = true};
  for (JsonToken token = token_next(line->text, line->length, 0); token.kind;
       token = token_next(line->text, line->length, token.end)) {
    char mark = token.kind == TOKEN_MARK ? line->text[token.begin] : 0;
    shape->last = token.begin;
    if (token.kind == TOKEN_WORD && word_is_real(line->text, token)) shape->has_reals = true;
    if (mark == '{' || mark == '[') depth++;
    if ((mark == '}' || mark == ']') && depth) depth--;
    shape->is_closed = depth == 0 && !token.is_open;
    if (depth > JSON_DEEPEST)
      return json_fail(line, place, token.begin, "JSON nested more than 100 deep", diag);
  }
  return true;
}

static const char *json_error_title(const json_error_t *error, char *buffer, size_t size) {
  switch (json_error_code(error)) {
  case json_error_numeric_overflow:
    if (strstr(error->text, "real")) return "a number beyond the range of a double";
    return "an integer beyond 64 bits (write it as a string)";
  case json_error_null_character:
  case json_error_null_byte_in_key: return "a NUL character (\\u0000) in a string";
  case json_error_duplicate_key: snprintf(buffer, size, "%.150s", error->text); return buffer;
  case json_error_invalid_utf8: snprintf(buffer, size, "invalid UTF-8: %.150s", error->text); return buffer;
  default: snprintf(buffer, size, "broken JSON: %.150s", error->text); return buffer;
  }
}

/* ---- The digits of reals -------------------------------------------------------- */

typedef struct RealCursor {
  JsonLine *line;
  size_t at;
} RealCursor;

/* jansson keeps keys in the order of the text, so a walk meets the reals in the order of the text. */
static void reals_collect(RealCursor *cursor, json_t *value) {
  if (json_is_real(value)) {
    JsonToken token;
    do {
      token = token_next(cursor->line->text, cursor->line->length, cursor->at);
      cursor->at = token.end;
    } while (token.kind && !(token.kind == TOKEN_WORD && word_is_real(cursor->line->text, token)));
    /* The key is the node's address; the digits end where the word ends. */
    map_put_copy(&cursor->line->reals, (const char *)&value, sizeof value,
                 (void *)(cursor->line->text + token.begin));
    return;
  }
  size_t index;
  const char *key;
  json_t *item;
  if (json_is_array(value)) json_array_foreach(value, index, item) reals_collect(cursor, item);
  if (json_is_object(value)) json_object_foreach(value, key, item) reals_collect(cursor, item);
}

const char *json_real_text(const JsonLine *line, const json_t *real, size_t *length) {
  const char *text = map_get(&line->reals, (const char *)&real, sizeof real);
  JsonToken token = token_next(line->text, line->length, (size_t)(text - line->text));
  *length = token.end - token.begin;
  return text;
}

/* ---- Loading --------------------------------------------------------------------- */

bool json_line_load(JsonLine *line, const char *text, size_t length, Place place, Diag *diag, bool *is_torn) {
  *line = (JsonLine){.text = text, .length = length};
  *is_torn = false;
  map_init(&line->reals);
  Shape shape = {0};
  if (!line_scan(line, place, &shape, diag)) return false;
  json_error_t error;
  line->root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  if (!line->root) {
    size_t offset = error.position > 0 ? (size_t)error.position - 1 : 0;
    *is_torn =
        !shape.is_closed && offset >= shape.last && json_error_code(&error) != json_error_duplicate_key;
    char message[200];
    return json_fail(line, place, offset, json_error_title(&error, message, sizeof message), diag);
  }
  RealCursor cursor = {line, 0};
  if (shape.has_reals) reals_collect(&cursor, line->root);
  return true;
}

void json_line_free(JsonLine *line) {
  json_decref(line->root);
  map_free(&line->reals);
  *line = (JsonLine){0};
}

const char *json_type_title(const json_t *value) {
  static const char *const titles[] = {
      [JSON_OBJECT] = "an object",   [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
      [JSON_INTEGER] = "an integer", [JSON_REAL] = "a real",    [JSON_TRUE] = "true",
      [JSON_FALSE] = "false",        [JSON_NULL] = "null"};
  return titles[json_typeof(value)];
}
