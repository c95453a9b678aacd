/* option.c: parsing options by their table.  How they are printed is option_print.c. */
#include "src/base/option.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 40 }; /* beyond it nothing is proposed for a misspelt word */

static void *option_field(const Option *option, void *target) { return (char *)target + option->offset; }

static bool whole_parse(const char *text, int64_t *whole) {
  char *end;
  errno = 0;
  long long parsed = strtoll(text, &end, 10);
  if (end == text || *end || errno || parsed < 0) return false;
  *whole = parsed;
  return true;
}

static bool seconds_parse(const char *text, double *seconds) {
  char *end;
  double parsed = strtod(text, &end);
  if (end == text || *end || !isfinite(parsed) || parsed < 0) return false;
  *seconds = parsed;
  return true;
}

/* Is the word one of "a|b|c"? */
static bool choice_has(const char *choices, const char *word) {
  size_t length = strlen(word);
  for (const char *at = choices; length && at;) {
    const char *bar = strchr(at, '|');
    size_t size = bar ? (size_t)(bar - at) : strlen(at);
    if (size == length && memcmp(at, word, length) == 0) return true;
    at = bar ? bar + 1 : NULL;
  }
  return false;
}

static bool option_store(const Option *option, void *target, const char *text, Diag *diag) {
  void *field = option_field(option, target);
  switch (option->kind) {
  case OPTION_FLAG: *(bool *)field = true; return true;
  case OPTION_TEXT: *(const char **)field = text; return true;
  case OPTION_WHOLE:
    if (whole_parse(text, field)) return true;
    return diag_fail(diag, PLACE_NONE, "--%s: expected a whole number from 0 on, got '%s'", option->name,
                     text);
  case OPTION_SECONDS:
    if (seconds_parse(text, field)) return true;
    return diag_fail(diag, PLACE_NONE, "--%s: expected a number of seconds, got '%s'", option->name, text);
  case OPTION_CHOICE: *(const char **)field = text; return true;
  }
  return false;
}

void option_defaults(OptionTable table, void *target) {
  Diag diag = {0};
  for (size_t i = 0; i < table.count; i++) {
    const Option *option = &table.options[i];
    void *field = option_field(option, target);
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)field = false; break;
    case OPTION_WHOLE: *(int64_t *)field = -1; break;
    case OPTION_SECONDS: *(double *)field = -1; break;
    case OPTION_TEXT:
    case OPTION_CHOICE: *(const char **)field = NULL; break;
    }
    if (option->standard) option_store(option, target, option->standard, &diag);
  }
}

/* Edits (insert, delete, replace, swap of neighbours) from one word to the other. */
static unsigned word_distance(const char *a, const char *b) {
  size_t rows = strlen(a), columns = strlen(b);
  unsigned cost[LONGEST_WORD + 1][LONGEST_WORD + 1];
  if (rows > LONGEST_WORD || columns > LONGEST_WORD) return LONGEST_WORD;
  for (size_t i = 0; i <= rows; i++) {
    for (size_t j = 0; j <= columns; j++) {
      if (!i || !j) {
        cost[i][j] = (unsigned)(i + j);
        continue;
      }
      unsigned least = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (cost[i - 1][j] + 1 < least) least = cost[i - 1][j] + 1;
      if (cost[i][j - 1] + 1 < least) least = cost[i][j - 1] + 1;
      bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap && cost[i - 2][j - 2] + 1 < least) least = cost[i - 2][j - 2] + 1;
      cost[i][j] = least;
    }
  }
  return cost[rows][columns];
}

const char *option_nearest(const char *word, const char *const *words, size_t count) {
  const char *nearest = NULL;
  unsigned least = 1 + (unsigned)strlen(word) / 3;
  for (size_t i = 0; i < count; i++) {
    bool is_prefix = strlen(word) >= 3 && strncmp(words[i], word, strlen(word)) == 0;
    unsigned distance = is_prefix ? 1 : word_distance(word, words[i]);
    if (distance > least || (nearest && distance == least)) continue;
    least = distance;
    nearest = words[i];
  }
  return nearest;
}

static bool option_unknown(OptionTable table, const char *name, size_t length, Diag *diag) {
  const char **names = memory_new((table.count + 1) * sizeof *names);
  for (size_t i = 0; i < table.count; i++) names[i] = table.options[i].name;
  char word[LONGEST_WORD + 1];
  snprintf(word, sizeof word, "%.*s", (int)(length > LONGEST_WORD ? LONGEST_WORD : length), name);
  const char *nearest = option_nearest(word, names, table.count);
  free(names);
  if (nearest)
    return diag_fail(diag, PLACE_NONE, "unknown option '--%s'; did you mean '--%s'?", word, nearest);
  return diag_fail(diag, PLACE_NONE, "unknown option '--%s'", word);
}

static const Option *option_find(OptionTable table, const char *name, size_t length) {
  for (size_t i = 0; i < table.count; i++)
    if (strlen(table.options[i].name) == length && memcmp(table.options[i].name, name, length) == 0)
      return &table.options[i];
  return NULL;
}

static bool choice_refuse(const Option *option, const char *text, Diag *diag) {
  const char *words[32];
  char copy[256];
  size_t count = 0;
  snprintf(copy, sizeof copy, "%s", option->argument);
  for (char *word = strtok(copy, "|"); word && count < 32; word = strtok(NULL, "|")) words[count++] = word;
  const char *nearest = option_nearest(text, words, count);
  if (nearest)
    return diag_fail(diag, PLACE_NONE, "--%s: no such choice '%s'; did you mean '%s'?", option->name, text,
                     nearest);
  return diag_fail(diag, PLACE_NONE, "--%s: expected one of %s, got '%s'", option->name, option->argument,
                   text);
}

/* What the user asked for exists, in the table and in this version. */
static bool option_accept(const Option *option, void *target, const char *text, Diag *diag) {
  if (option->kind == OPTION_CHOICE && !choice_has(option->argument, text))
    return choice_refuse(option, text, diag);
  if (option->lacking && strcmp(option->lacking, "*") == 0)
    return diag_fail(diag, PLACE_NONE, "--%s is not available in this version", option->name);
  if (option->lacking && option->kind == OPTION_CHOICE && choice_has(option->lacking, text))
    return diag_fail(diag, PLACE_NONE, "--%s %s is not available in this version", option->name, text);
  return option_store(option, target, text, diag);
}

bool option_parse(OptionTable table, void *target, int argc, char **argv, Operands *operands, Diag *diag) {
  option_defaults(table, target);
  bool only_operands = false;
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    if (only_operands || word[0] != '-' || !word[1]) {
      ARRAY_PUSH(operands, word);
      continue;
    }
    if (strcmp(word, "--") == 0) {
      only_operands = true;
      continue;
    }
    if (word[1] != '-') return diag_fail(diag, PLACE_NONE, "unknown option '%s'", word);
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const Option *option = option_find(table, name, length);
    if (!option) return option_unknown(table, name, length, diag);
    const char *text = equals ? equals + 1 : NULL;
    if (option->kind == OPTION_FLAG && text)
      return diag_fail(diag, PLACE_NONE, "--%s takes no value", option->name);
    if (option->kind != OPTION_FLAG && !text) {
      if (i + 1 == argc)
        return diag_fail(diag, PLACE_NONE, "--%s: expected a value (%s)", option->name, option->argument);
      text = argv[++i];
    }
    if (!option_accept(option, target, text, diag)) return false;
  }
  return true;
}
