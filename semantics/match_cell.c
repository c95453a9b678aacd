/* match_cell.c: one value of the model against one observed value.
 *
 * An observed value is compared in the type of the model's value (M3).  Numbers are
 * compared exactly, but for doubles: those at the digits that were observed, or, where
 * they are sums, within 1e-9 of the largest magnitude added. */
#include "semantics/match.h"

#include "semantics/eval.h"
#include "semantics/operate.h"
#include "src/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { NUMBER_TEXT = 400 };

/* ---- Numbers --------------------------------------------------------------- */

/* The observed number as text: digits as written, or the integer. NULL: not a number. */
static const char *observed_digits(const Observed *observed, char *buffer, size_t *length) {
  switch (observed->value.kind) {
  case VALUE_INT:
    *length = (size_t)snprintf(buffer, NUMBER_TEXT, "%lld", (long long)observed->value.integer);
    return buffer;
  case VALUE_UINT:
    *length = (size_t)snprintf(buffer, NUMBER_TEXT, "%llu", (unsigned long long)observed->value.natural);
    return buffer;
  case VALUE_BOOL: *length = 1; return observed->value.integer ? "1" : "0";
  case VALUE_DOUBLE:
    if (observed->text) return *length = observed->text_length, observed->text;
    *length = (size_t)snprintf(buffer, NUMBER_TEXT, "%.17g", observed->value.real);
    return buffer;
  case VALUE_TEXT: *length = observed->value.length; return observed->value.text;
  default: return NULL;
  }
}

static bool double_parse(const char *text, size_t length, double *real) {
  char copy[NUMBER_TEXT];
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  char *end;
  *real = strtod(copy, &end);
  return end == copy + length;
}

static bool match_exact(Value model, const char *digits, size_t length, const Observed *observed) {
  Decimal decimal;
  bool overflow;
  if (decimal_parse(digits, length, &decimal, &overflow) && decimal_compare(decimal_of(model), decimal) == 0)
    return true;
  /* A client that shows decimals as doubles has rounded to the nearest one. */
  return observed->value.kind == VALUE_DOUBLE && decimal_to_double(decimal_of(model)) == observed->value.real;
}

/* How many significant digits the text shows; an integer or a power of ten claims those of its type. */
static int digits_shown(const char *text, size_t length, bool is_single) {
  int shown = 0;
  bool has_point = false, started = false;
  for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
    if (text[i] == '.') has_point = true;
    if (text[i] < '0' || text[i] > '9') continue;
    started |= text[i] != '0';
    shown += started;
  }
  int full = is_single ? 6 : 15;
  if (!has_point) return shown > full ? shown : full;
  return shown < 1 ? 1 : shown;
}

static bool match_double(Value model, double magnitude, const char *digits, size_t length) {
  double observed;
  if (!double_parse(digits, length, &observed)) return false;
  if (isnan(model.real) || isnan(observed)) return isnan(model.real) && isnan(observed);
  if (model.real == observed) return true;
  if (isinf(model.real) || isinf(observed)) return false;
  if (magnitude > 0 && fabs(model.real - observed) <= 1e-9 * magnitude) return true;
  int shown = digits_shown(digits, length, model.flags & VALUE_SINGLE);
  if (shown > 17) shown = 17;
  char rounded[64];
  snprintf(rounded, sizeof rounded, "%.*e", shown - 1, model.real);
  if (strtod(rounded, NULL) == observed) return true;
  /* A single-precision value may be printed in the fewest digits that tell it apart. */
  return (model.flags & VALUE_SINGLE) && (float)observed == (float)model.real;
}

static bool match_number(Value model, double magnitude, const Observed *observed) {
  char buffer[NUMBER_TEXT];
  size_t length;
  const char *digits = observed_digits(observed, buffer, &length);
  if (!digits) return false;
  if (model.kind == VALUE_DOUBLE) return match_double(model, magnitude, digits, length);
  return match_exact(model, digits, length, observed);
}

/* ---- Other types ------------------------------------------------------------ */

static bool boolean_parse(const Observed *observed, int64_t *truth) {
  static const struct {
    const char *word;
    int truth;
  } words[] = {{"t", 1}, {"true", 1}, {"f", 0}, {"false", 0}, {"1", 1}, {"0", 0}};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word);
    if (observed->value.length != length || strncasecmp(observed->value.text, words[i].word, length) != 0)
      continue;
    *truth = words[i].truth;
    return true;
  }
  return false;
}

/* Booleans equal 1 and 0 where the dialect has no boolean type of its own. */
static bool match_boolean(const Dialect *dialect, Value model, const Observed *observed) {
  int64_t truth;
  switch (observed->value.kind) {
  case VALUE_BOOL: return observed->value.integer == model.integer;
  case VALUE_INT: return dialect->name != DIALECT_POSTGRESQL && observed->value.integer == model.integer;
  case VALUE_TEXT: return boolean_parse(observed, &truth) && truth == model.integer;
  default: return false;
  }
}

static bool match_text(Value model, Type type, const Observed *observed) {
  char buffer[NUMBER_TEXT];
  size_t length;
  const char *text = observed_digits(observed, buffer, &length);
  if (!text) return false;
  if (length != model.length) return false;
  if (type.kind == TYPE_UUID) return strncasecmp(text, model.text, length) == 0;
  return length == 0 || memcmp(text, model.text, length) == 0;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static bool match_blob(Value model, const Observed *observed) {
  if (observed->value.kind != VALUE_TEXT) return false;
  const char *text = observed->value.text;
  size_t length = observed->value.length;
  if (length == model.length && (length == 0 || memcmp(text, model.text, length) == 0)) return true;
  if (length != 2 + 2 * (size_t)model.length || text[0] != '\\' || text[1] != 'x') return false;
  for (size_t i = 0; i < model.length; i++) {
    int high = hex_digit(text[2 + 2 * i]), low = hex_digit(text[3 + 2 * i]);
    if (high < 0 || low < 0 || (unsigned char)model.text[i] != (high << 4 | low)) return false;
  }
  return true;
}

/* All digits of the text count. */
static Type time_type(ValueKind kind, Type declared) {
  Type type = {.precision = 6};
  switch (kind) {
  case VALUE_DATE: type.kind = TYPE_DATE; break;
  case VALUE_TIME: type.kind = TYPE_TIME; break;
  case VALUE_INTERVAL: type.kind = TYPE_INTERVAL; break;
  default: type.kind = declared.kind == TYPE_TIMESTAMPTZ ? TYPE_TIMESTAMPTZ : TYPE_TIMESTAMP;
  }
  return type;
}

/* The observed text read as the model's type; false where it is not one. */
static bool observed_cast(const Dialect *dialect, Doubts *doubts, Arena *arena, const Observed *observed,
                          Type to, Value *value) {
  Eval eval = {.dialect = dialect, .doubts = doubts, .arena = arena};
  *value = operate_cast(&eval, observed->value, type_of(TYPE_UNKNOWN), to, false);
  return eval.abort == ABORT_NONE && value->kind != VALUE_NULL;
}

static bool match_time(const Dialect *dialect, Doubts *doubts, Value model, Type type,
                       const Observed *observed) {
  if (observed->value.kind != VALUE_TEXT) return false;
  Arena arena;
  arena_init(&arena);
  Value value;
  bool same = observed_cast(dialect, doubts, &arena, observed, time_type(model.kind, type), &value) &&
              value.kind == model.kind && value.integer == model.integer && value.length == model.length;
  /* A date may be shown as a timestamp at midnight. */
  if (!same && model.kind == VALUE_DATE)
    same = observed_cast(dialect, doubts, &arena, observed, (Type){.kind = TYPE_TIMESTAMP, .precision = 6},
                         &value) &&
           value.kind == VALUE_TIMESTAMP && value.integer == model.integer * 86400000000;
  arena_free(&arena);
  return same;
}

static int match_list(const Dialect *dialect, Doubts *doubts, Value model, const Observed *observed) {
  if (observed->value.kind != VALUE_LIST || observed->value.length != model.length) return 0;
  for (uint32_t i = 0; i < model.length; i++) {
    Observed item = {.value = observed->value.items[i]};
    if (match_cell(dialect, doubts, model.items[i], type_of(TYPE_DYNAMIC), 0, &item) != 1) return 0;
  }
  return 1;
}

/* ---- Values in doubt ---------------------------------------------------------- */

static int match_doubt(const Dialect *dialect, Doubts *doubts, uint32_t id, const Observed *observed) {
  const Doubt *doubt = &doubts->doubts.items[id];
  if (doubt->kind == DOUBT_LOST) return 1;
  if (doubt->kind == DOUBT_IN) {
    for (uint32_t i = 0; i < doubt->value.length; i++) {
      Value candidate = doubt->value.items[i];
      if (match_cell(dialect, doubts, candidate, doubt->type, 0, observed) != 1) continue;
      doubt_bind(doubts, id, candidate);
      return 1;
    }
    return 0;
  }
  if (observed->value.kind == VALUE_NULL) {
    if (doubt->type.kind != TYPE_UNKNOWN) return 0; /* what a function or a key generates is never NULL */
    doubt_bind(doubts, id, NULL_VALUE);
    return 1;
  }
  if (doubt->type.kind == TYPE_UNKNOWN || doubt->type.kind == TYPE_DYNAMIC)
    return doubt_bind(doubts, id, observed->value), 1;
  if (doubt->type.kind == TYPE_INT && observed->value.kind == VALUE_INT)
    return doubt_bind(doubts, id, observed->value), 1;
  Arena arena;
  arena_init(&arena);
  Value value;
  bool fits = observed_cast(dialect, doubts, &arena, observed, doubt->type, &value);
  if (fits) doubt_bind(doubts, id, value);
  arena_free(&arena);
  return fits;
}

int match_cell(const Dialect *dialect, Doubts *doubts, Value model, Type type, double magnitude,
               const Observed *observed) {
  model = doubt_settle(doubts, model);
  if (model.kind == VALUE_DOUBT) return match_doubt(dialect, doubts, model.doubt, observed);
  if (observed->value.kind == VALUE_NULL || model.kind == VALUE_NULL)
    return observed->value.kind == VALUE_NULL && model.kind == VALUE_NULL;
  if (model.kind == VALUE_INT && observed->value.kind == VALUE_INT)
    return model.integer == observed->value.integer;
  switch (model.kind) {
  case VALUE_BOOL: return match_boolean(dialect, model, observed);
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE:
    if (observed->value.kind == VALUE_BOOL && dialect->name == DIALECT_POSTGRESQL) return 0;
    return match_number(model, magnitude, observed);
  case VALUE_DOUBLE: return match_number(model, magnitude, observed);
  case VALUE_TEXT: return match_text(model, type, observed);
  case VALUE_BLOB: return match_blob(model, observed);
  case VALUE_LIST: return match_list(dialect, doubts, model, observed);
  default: return match_time(dialect, doubts, model, type, observed);
  }
}
