/* fast_value.c: names, values, intervals and rows. */
#include "src/transcript/fast_internal.h"

/* ---- Names: text that ends with a NUL once the line is understood ------------------ */

void fast_end(Fast *fast, const char *end) {
  if (end >= fast->token.text && end <= fast->token.end) ARRAY_PUSH(&fast->scratch->ends, (char *)end);
}

bool fast_text(Fast *fast, const char **text) {
  uint32_t length;
  if (!token_string(&fast->token, fast->arena, text, &length)) return false;
  fast_end(fast, *text + length);
  return true;
}

/* A string, or an integer in decimal. */
bool fast_name(Fast *fast, const char **text) {
  if (*fast->token.at == '"') return fast_text(fast, text);
  int64_t integer;
  const char *begin = fast->token.at;
  if (!token_integer(&fast->token, &integer)) return false;
  fast_end(fast, fast->token.at);
  *text = begin;
  return true;
}

/* ---- Values -------------------------------------------------------------------------- */

bool fast_value(Fast *fast, Observed *observed) {
  FastToken *token = &fast->token;
  *observed = (Observed){.value = NULL_VALUE};
  switch (*token->at) {
  case '"': {
    const char *text;
    uint32_t length;
    if (!token_string(token, fast->arena, &text, &length)) return false;
    observed->value = value_text(text, length);
    return true;
  }
  case 'n': return token_word(token, "null", 4);
  case 't': observed->value = value_bool(true); return token_word(token, "true", 4);
  case 'f': observed->value = value_bool(false); return token_word(token, "false", 5);
  default: break;
  }
  const char *begin = token->at;
  bool is_real;
  if (!token_number(token, &observed->value, &is_real)) return false;
  if (is_real) {
    observed->text = begin;
    observed->text_length = (uint32_t)(token->at - begin);
  }
  return true;
}

bool fast_list(Fast *fast, Observed *observed) {
  if (*fast->token.at != '[') return fast_value(fast, observed);
  uint32_t from = fast->scratch->cells.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    Observed item;
    if (!fast_value(fast, &item)) return false;
    ARRAY_PUSH(&fast->scratch->cells, item);
  }
  if (fast->token.failed) return false;
  uint32_t count = fast->scratch->cells.count - from;
  Value *items = arena_alloc(fast->arena, count * sizeof *items);
  for (uint32_t i = 0; i < count; i++) items[i] = fast->scratch->cells.items[from + i].value;
  fast->scratch->cells.count = from;
  *observed = (Observed){.value = {.kind = VALUE_LIST, .length = count, .items = items}};
  return true;
}

bool fast_interval(Fast *fast, bool may_be_open, Interval *interval) {
  FastToken *token = &fast->token;
  interval->given = true;
  if (*token->at != '[') {
    if (!token_integer(token, &interval->lo)) return false;
    interval->hi = interval->lo;
    return true;
  }
  if (!token_open(token, '[', ']') || !token_integer(token, &interval->lo) || !token_more(token, ']'))
    return false;
  if (may_be_open && *token->at == 'n') {
    interval->hi = INT64_MAX;
    if (!token_word(token, "null", 4)) return false;
  } else if (!token_integer(token, &interval->hi)) {
    return false;
  }
  return !token_more(token, ']') && !token->failed && interval->lo <= interval->hi;
}

bool fast_row(Fast *fast, ObservedRow *row) {
  uint32_t from = fast->scratch->cells.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    Observed cell;
    if (!fast_value(fast, &cell)) return false;
    ARRAY_PUSH(&fast->scratch->cells, cell);
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->cells, from, row->count, row->cells);
  return true;
}

/* Rows that are not all of one length are left to decode.h. */
bool fast_rows(Fast *fast, ObservedRows *rows) {
  uint32_t from = fast->scratch->rows.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    ObservedRow row;
    if (!fast_row(fast, &row)) return false;
    ARRAY_PUSH(&fast->scratch->rows, row);
    if (fast->scratch->rows.items[from].count != row.count) return false;
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->rows, from, rows->count, rows->rows);
  return true;
}

bool fast_columns(Fast *fast, uint32_t *count, const char ***columns) {
  uint32_t from = fast->scratch->names.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    const char *name;
    if (!fast_text(fast, &name)) return false;
    ARRAY_PUSH(&fast->scratch->names, name);
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->names, from, *count, *columns);
  return true;
}
