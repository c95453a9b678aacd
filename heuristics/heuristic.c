/* heuristic.c: the table, and lists of names. */
#include "heuristics/heuristic.h"

#include "src/base/option.h"

#include <stdio.h>
#include <string.h>

#define HEURISTIC_ROW(id, name, kind, origin, help) {name, HEURISTIC_##kind, HEURISTIC_##origin},
const Heuristic heuristics[HEURISTIC_COUNT] = {HEURISTICS(HEURISTIC_ROW)};

static const HeuristicSet ALL = (1u << HEURISTIC_COUNT) - 1;

enum { GROUPS = 3, LONGEST_NAME = 40 };
static const char *const group_names[GROUPS] = {"none", "paper", "all"};

static HeuristicSet group_set(uint32_t group) {
  HeuristicSet paper = 0;
  for (HeuristicId id = 0; id < HEURISTIC_COUNT; id++)
    if (heuristics[id].origin == HEURISTIC_PAPER) paper |= 1u << id;
  return group == 0 ? 0 : group == 1 ? paper : ALL;
}

/* What a word stands for.  False: nothing. */
static bool word_find(const char *word, HeuristicSet *set) {
  for (uint32_t i = 0; i < GROUPS; i++)
    if (strcmp(group_names[i], word) == 0) return *set = group_set(i), true;
  for (HeuristicId id = 0; id < HEURISTIC_COUNT; id++)
    if (strcmp(heuristics[id].name, word) == 0) return *set = 1u << id, true;
  return false;
}

static bool word_fail(const char *word, Diag *diag) {
  const char *names[GROUPS + HEURISTIC_COUNT];
  for (uint32_t i = 0; i < GROUPS; i++) names[i] = group_names[i];
  for (HeuristicId id = 0; id < HEURISTIC_COUNT; id++) names[GROUPS + id] = heuristics[id].name;
  const char *nearest = option_nearest(word, names, GROUPS + HEURISTIC_COUNT);
  if (nearest)
    return diag_fail(diag, PLACE_NONE, "--heuristics: no such heuristic: '%s'; did you mean '%s'?", word,
                     nearest);
  return diag_fail(diag, PLACE_NONE, "--heuristics: no such heuristic: '%s'", word);
}

bool heuristics_parse(const char *list, HeuristicSet *set, Diag *diag) {
  *set = *list == '-' ? ALL : 0;
  for (const char *at = list;;) {
    bool is_out = *at == '-';
    if (is_out) at++;
    size_t length = strcspn(at, ",");
    char word[LONGEST_NAME + 1];
    HeuristicSet named;
    snprintf(word, sizeof word, "%.*s", (int)(length > LONGEST_NAME ? LONGEST_NAME : length), at);
    if (!word_find(word, &named)) return word_fail(word, diag);
    *set = is_out ? *set & ~named : *set | named;
    if (!at[length]) return true;
    at += length + 1;
  }
}
