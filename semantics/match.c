/* match.c: a whole outcome against an operation's observations.
 *
 * Rows are matched group by group: a group is a set of tied rows.  Within a group,
 * rows that are plainly equal are paired through a hash table; what is left
 * (alternatives, values in doubt, doubles printed short) is paired by augmenting
 * paths, or, where bindings make pairs depend on each other, by bounded backtracking. */
#include "semantics/match.h"

#include "semantics/query.h"

#include "src/base/decimal.h"
#include "src/base/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { BACKTRACK_STEPS = 100000, UNIQUE_STEPS = 1000000 };

typedef struct Matcher {
  const Dialect *dialect;
  Doubts *doubts;
  const ResultSet *result;
  Arena arena;
  uint64_t steps;
  bool out_of_steps;
} Matcher;

static bool value_is_open(const Matcher *matcher, Value value) {
  return doubt_settle(matcher->doubts, value).kind == VALUE_DOUBT;
}

static bool row_is_open(const Matcher *matcher, const ResultRow *row) {
  if (row->alternative_count) return true;
  for (uint32_t i = 0; i < matcher->result->column_count; i++)
    if (value_is_open(matcher, row->values[i])) return true;
  return false;
}

static bool values_match(Matcher *matcher, const Value *values, const ObservedRow *observed) {
  const ResultSet *result = matcher->result;
  if (observed->count != result->column_count) return false;
  uint32_t mark = doubts_mark(matcher->doubts);
  for (uint32_t i = 0; i < observed->count; i++) {
    double magnitude = result->magnitudes ? result->magnitudes[i] : 0;
    if (match_cell(matcher->dialect, matcher->doubts, values[i], result->column_types[i], magnitude,
                   &observed->cells[i]) == 1)
      continue;
    doubts_undo(matcher->doubts, mark);
    return false;
  }
  return true;
}

/* ---- Hashing: rows that match usually have equal keys; rows that do not may have, too. ---- */

static uint64_t number_hash(const char *text, size_t length) {
  Decimal decimal;
  bool overflow;
  if (!decimal_parse(text, length, &decimal, &overflow)) return hash_bytes(text, length);
  while (decimal.scale && decimal.coefficient % 10 == 0) decimal.coefficient /= 10, decimal.scale--;
  uint64_t hash = hash_mix((uint64_t)decimal.coefficient, decimal.scale);
  return hash_mix(hash, (uint64_t)(decimal.coefficient >> 64));
}

static uint64_t value_key(Value value) {
  char buffer[DECIMAL_TEXT];
  switch (value.kind) {
  case VALUE_NULL: return 1;
  case VALUE_BOOL:
  case VALUE_INT:
  case VALUE_UINT:
  case VALUE_DECIMAL:
  case VALUE_WIDE: return number_hash(buffer, decimal_format(decimal_of(value), buffer));
  case VALUE_DOUBLE: return 2; /* compared at the digits observed: no key can tell */
  case VALUE_TEXT: return number_hash(value.text, value.length);
  default: return 3; /* blobs and times have several spellings */
  }
}

static bool kind_has_key(uint8_t kind) { return kind != VALUE_DOUBLE && kind < VALUE_BLOB; }

/* Columns that every model row shows in a kind whose key can be trusted on both sides. */
static void columns_with_keys(Matcher *matcher, const ResultRow *rows, uint32_t count, bool *usable) {
  for (uint32_t column = 0; column < matcher->result->column_count; column++) {
    usable[column] = matcher->result->column_types[column].kind != TYPE_UUID;
    for (uint32_t row = 0; row < count && usable[column]; row++)
      usable[column] = kind_has_key(doubt_settle(matcher->doubts, rows[row].values[column]).kind);
  }
}

static uint64_t cell_key(const Observed *observed) {
  if (observed->value.kind == VALUE_DOUBLE)
    return observed->text ? number_hash(observed->text, observed->text_length) : 2;
  return value_key(observed->value);
}

/* ---- Pairing ------------------------------------------------------------------ */

typedef struct Pairing {
  const ResultRow *rows; /* the group's model rows */
  uint32_t row_count;
  const ObservedRow *observed;
  uint32_t observed_count;
  int32_t *row_of; /* per observed row: its model row, or -1 */
  bool *taken;     /* per model row */
} Pairing;

static uint64_t observed_key(const Matcher *matcher, const ObservedRow *row, const bool *usable) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < matcher->result->column_count && i < row->count; i++)
    if (usable[i]) hash = hash_mix(hash, cell_key(&row->cells[i]));
  return hash;
}

static uint64_t model_key(const Matcher *matcher, const ResultRow *row, const bool *usable) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < matcher->result->column_count; i++)
    if (usable[i]) hash = hash_mix(hash, value_key(doubt_settle(matcher->doubts, row->values[i])));
  return hash;
}

/* Pairs what is plainly equal. Rows in doubt and rows with alternatives stay for later. */
static void pair_equal(Matcher *matcher, Pairing *pairing) {
  bool *usable = ARENA_ARRAY(&matcher->arena, bool, matcher->result->column_count + 1);
  columns_with_keys(matcher, pairing->rows, pairing->row_count, usable);
  uint32_t room = 16;
  while (room < pairing->row_count * 2) room *= 2;
  int32_t *heads = arena_alloc(&matcher->arena, room * sizeof *heads);
  int32_t *next = arena_alloc(&matcher->arena, (pairing->row_count + 1) * sizeof *next);
  memset(heads, -1, room * sizeof *heads);
  for (int64_t i = (int64_t)pairing->row_count - 1; i >= 0; i--) {
    if (row_is_open(matcher, &pairing->rows[i])) continue;
    uint32_t place = (uint32_t)model_key(matcher, &pairing->rows[i], usable) & (room - 1);
    next[i] = heads[place];
    heads[place] = (int32_t)i;
  }
  for (uint32_t i = 0; i < pairing->observed_count; i++) {
    int32_t *link = &heads[(uint32_t)observed_key(matcher, &pairing->observed[i], usable) & (room - 1)];
    for (; *link >= 0; link = &next[*link]) {
      if (!values_match(matcher, pairing->rows[*link].values, &pairing->observed[i])) continue;
      pairing->row_of[i] = *link;
      pairing->taken[*link] = true;
      *link = next[*link];
      break;
    }
  }
}

static bool row_matches(Matcher *matcher, const ResultRow *row, const ObservedRow *observed) {
  if (values_match(matcher, row->values, observed)) return true;
  for (uint32_t i = 0; i < row->alternative_count; i++)
    if (values_match(matcher, row->alternatives[i], observed)) return true;
  return false;
}

/* Kuhn's augmenting path for one observed row. */
static bool pair_augment(Matcher *matcher, Pairing *pairing, uint32_t observed, int32_t *observed_of,
                         bool *visited) {
  for (uint32_t row = 0; row < pairing->row_count; row++) {
    if (visited[row] || !row_matches(matcher, &pairing->rows[row], &pairing->observed[observed])) continue;
    visited[row] = true;
    if (observed_of[row] >= 0 &&
        !pair_augment(matcher, pairing, (uint32_t)observed_of[row], observed_of, visited))
      continue;
    observed_of[row] = (int32_t)observed;
    pairing->row_of[observed] = (int32_t)row;
    pairing->taken[row] = true;
    return true;
  }
  return false;
}

static bool pair_rest(Matcher *matcher, Pairing *pairing) {
  int32_t *observed_of = arena_alloc(&matcher->arena, (pairing->row_count + 1) * sizeof *observed_of);
  bool *visited = ARENA_ARRAY(&matcher->arena, bool, pairing->row_count + 1);
  memset(observed_of, -1, (pairing->row_count + 1) * sizeof *observed_of);
  for (uint32_t i = 0; i < pairing->observed_count; i++)
    if (pairing->row_of[i] >= 0) observed_of[pairing->row_of[i]] = (int32_t)i;
  for (uint32_t i = 0; i < pairing->observed_count; i++) {
    if (pairing->row_of[i] >= 0) continue;
    memset(visited, 0, pairing->row_count);
    if (!pair_augment(matcher, pairing, i, observed_of, visited)) return false;
  }
  return true;
}

/* Backtracking over what is left, since binding a doubt in one pair changes the others. */
static bool pair_binding(Matcher *matcher, Pairing *pairing, uint32_t observed) {
  while (observed < pairing->observed_count && pairing->row_of[observed] >= 0) observed++;
  if (observed == pairing->observed_count) return true;
  if (++matcher->steps > BACKTRACK_STEPS) return matcher->out_of_steps = true, false;
  for (uint32_t row = 0; row < pairing->row_count; row++) {
    if (pairing->taken[row]) continue;
    uint32_t mark = doubts_mark(matcher->doubts);
    if (!row_matches(matcher, &pairing->rows[row], &pairing->observed[observed])) continue;
    pairing->taken[row] = true;
    pairing->row_of[observed] = (int32_t)row;
    if (pair_binding(matcher, pairing, observed + 1)) return true;
    pairing->taken[row] = false;
    pairing->row_of[observed] = -1;
    doubts_undo(matcher->doubts, mark);
    if (matcher->out_of_steps) return false;
  }
  return false;
}

static bool group_is_in_order(Matcher *matcher, const Pairing *pairing) {
  uint32_t mark = doubts_mark(matcher->doubts);
  for (uint32_t i = 0; i < pairing->observed_count; i++) {
    if (values_match(matcher, pairing->rows[i].values, &pairing->observed[i])) continue;
    doubts_undo(matcher->doubts, mark);
    return false;
  }
  return true;
}

static void pairing_begin(Matcher *matcher, Pairing *pairing) {
  pairing->row_of = arena_alloc(&matcher->arena, (pairing->observed_count + 1) * sizeof *pairing->row_of);
  memset(pairing->row_of, -1, (pairing->observed_count + 1) * sizeof *pairing->row_of);
  pairing->taken = ARENA_ARRAY(&matcher->arena, bool, pairing->row_count + 1);
  pair_equal(matcher, pairing);
}

/* Each observed row is one of the group's rows, each of those used once at most (M1, M2). */
static bool match_somehow(Matcher *matcher, const ResultRow *rows, uint32_t row_count,
                          const ObservedRow *observed, uint32_t observed_count) {
  Pairing pairing = {rows, row_count, observed, observed_count, NULL, NULL};
  if (group_is_in_order(matcher, &pairing)) return true;
  ArenaMark arena_start = arena_mark(&matcher->arena);
  pairing_begin(matcher, &pairing);
  bool has_doubt = false;
  for (uint32_t i = 0; i < row_count && !has_doubt; i++)
    for (uint32_t column = 0; column < matcher->result->column_count && !has_doubt; column++)
      has_doubt = value_is_open(matcher, rows[i].values[column]);
  bool matched = has_doubt ? pair_binding(matcher, &pairing, 0) : pair_rest(matcher, &pairing);
  arena_reset(&matcher->arena, arena_start);
  return matched;
}

/* ---- Several ways to pair --------------------------------------------------------- */

static bool rows_are_identical(const Matcher *matcher, const ResultRow *a, const ResultRow *b) {
  for (uint32_t i = 0; i < matcher->result->column_count; i++)
    if (!value_identical(a->values[i], b->values[i])) return false;
  return true;
}

/* Could this observed row be two different ones of the rows that are left? Nothing is bound. */
static bool observed_is_ambiguous(Matcher *matcher, const Pairing *pairing, const ObservedRow *observed) {
  const ResultRow *found = NULL;
  uint32_t mark = doubts_mark(matcher->doubts);
  for (uint32_t row = 0; row < pairing->row_count; row++) {
    if (pairing->taken[row] || !row_matches(matcher, &pairing->rows[row], observed)) continue;
    doubts_undo(matcher->doubts, mark);
    if (found && !rows_are_identical(matcher, found, &pairing->rows[row])) return true;
    found = &pairing->rows[row];
  }
  return false;
}

/* Before anything was bound: is there only one way to pair the rows that are in doubt? */
static bool pairing_is_unique(Matcher *matcher, Pairing *pairing) {
  if ((uint64_t)pairing->row_count * pairing->observed_count > UNIQUE_STEPS) return false;
  pairing_begin(matcher, pairing);
  bool is_whole = pairing->row_count == pairing->observed_count; /* else a known row may be one not shown */
  if (!is_whole) memset(pairing->taken, 0, pairing->row_count);
  for (uint32_t i = 0; i < pairing->observed_count; i++)
    if ((!is_whole || pairing->row_of[i] < 0) &&
        observed_is_ambiguous(matcher, pairing, &pairing->observed[i]))
      return false;
  return true;
}

static int observed_compare(const void *left, const void *right) {
  const ObservedRow *a = left, *b = right;
  for (uint32_t i = 0; i < a->count && i < b->count; i++) {
    Value x = a->cells[i].value, y = b->cells[i].value;
    int order = 0;
    if (x.kind == VALUE_INT && y.kind == VALUE_INT) order = (x.integer > y.integer) - (x.integer < y.integer);
    if (x.kind == VALUE_TEXT && y.kind == VALUE_TEXT) order = strcmp(x.text, y.text);
    if (order) return order;
  }
  return 0;
}

/* Keys and clocks ascend: the likely pairing. */
static bool match_ascending(Matcher *matcher, const Pairing *pairing) {
  if (pairing->row_count != pairing->observed_count) return false;
  ObservedRow *sorted = arena_alloc(&matcher->arena, pairing->observed_count * sizeof *sorted);
  memcpy(sorted, pairing->observed, pairing->observed_count * sizeof *sorted);
  qsort(sorted, pairing->observed_count, sizeof *sorted, observed_compare);
  Pairing ascending = *pairing;
  ascending.observed = sorted;
  return group_is_in_order(matcher, &ascending);
}

/* Where pairs differ in what they bind, one is taken, and a later mismatch proves nothing; or, where nothing
 * may be assumed, nothing is bound. */
static bool match_group(Matcher *matcher, const ResultRow *rows, uint32_t row_count,
                        const ObservedRow *observed, uint32_t observed_count) {
  uint32_t mark = doubts_mark(matcher->doubts);
  if (!match_somehow(matcher, rows, row_count, observed, observed_count)) return false;
  if (row_count < 2 || doubts_mark(matcher->doubts) == mark) return true;
  ArenaMark arena_start = arena_mark(&matcher->arena);
  Pairing pairing = {rows, row_count, observed, observed_count, NULL, NULL};
  doubts_undo(matcher->doubts, mark);
  bool is_unique = pairing_is_unique(matcher, &pairing);
  if (!is_unique) doubts_admit(matcher->doubts);
  if ((is_unique || !matcher->doubts->assumes_nothing) && (is_unique || !match_ascending(matcher, &pairing)))
    match_somehow(matcher, rows, row_count, observed, observed_count);
  arena_reset(&matcher->arena, arena_start);
  return true;
}

/* ---- Result sets ------------------------------------------------------------------ */

static uint64_t rows_expected(const ResultSet *result) {
  if (!result->has_slice) return result->row_count;
  if (result->skip >= result->row_count) return 0;
  uint64_t rest = result->row_count - result->skip;
  return rest < result->take ? rest : result->take;
}

static bool match_groups(Matcher *matcher, const ObservedRows *observed) {
  const ResultSet *result = matcher->result;
  uint64_t first = result->has_slice ? result->skip : 0, last = first + observed->count;
  uint32_t start = 0;
  while (start < result->row_count) {
    uint32_t end = start + 1;
    while (end < result->row_count &&
           (!result->is_ordered || result->rows[end].tie == result->rows[start].tie))
      end++;
    uint64_t from = start > first ? start : first, to = end < last ? end : last;
    if (from < to && !match_group(matcher, result->rows + start, end - start, observed->rows + (from - first),
                                  (uint32_t)(to - from)))
      return false;
    start = end;
  }
  return true;
}

/* Of sorted rows of which any may be missing: each observed one is the first that is left of its kind. */
static MatchAnswer match_some_sorted(Matcher *matcher, const ObservedRows *observed) {
  const ResultSet *result = matcher->result;
  bool *taken = ARENA_ARRAY(&matcher->arena, bool, result->row_count + 1);
  uint32_t tie = 0;
  for (uint32_t row = 0; row < result->row_count; row++)
    if (row_is_open(matcher, &result->rows[row])) return MATCH_UNDECIDED;
  for (uint32_t i = 0; i < observed->count; i++) {
    uint32_t row = 0;
    while (row < result->row_count && (taken[row] || result->rows[row].tie < tie ||
                                       !values_match(matcher, result->rows[row].values, &observed->rows[i])))
      row++;
    if (row == result->row_count) return MATCH_NO;
    taken[row] = true;
    tie = result->rows[row].tie;
  }
  return MATCH_YES;
}

/* SKIP LOCKED */
static MatchAnswer match_some(Matcher *matcher, const ObservedRows *observed) {
  const ResultSet *result = matcher->result;
  if (observed->count > result->row_count || observed->count > result->take) return MATCH_NO;
  if (result->open_order) return MATCH_UNDECIDED;
  if (result->is_ordered) return match_some_sorted(matcher, observed);
  if (match_group(matcher, result->rows, result->row_count, observed->rows, observed->count))
    return MATCH_YES;
  return matcher->out_of_steps ? MATCH_UNDECIDED : MATCH_NO;
}

/* Now that the observation has bound what the rows are sorted by: did they come in that order? */
static bool match_open_order(Matcher *matcher, const ObservedRows *observed) {
  if (!matcher->result->open_order) return true;
  ResultSet sorted = *matcher->result;
  if (!result_close_order(matcher->dialect, matcher->doubts, &matcher->arena, &sorted)) return true;
  const ResultSet *result = matcher->result;
  matcher->result = &sorted;
  bool matched = match_groups(matcher, observed);
  matcher->result = result;
  return matched;
}

static bool same_rows_other_order(Matcher *matcher, const ObservedRows *observed) {
  const ResultSet *result = matcher->result;
  if (!result->is_ordered || result->has_slice) return false;
  uint32_t mark = doubts_mark(matcher->doubts);
  bool same = match_somehow(matcher, result->rows, result->row_count, observed->rows, observed->count);
  doubts_undo(matcher->doubts, mark);
  return same;
}

MatchAnswer match_rows(const Dialect *dialect, Doubts *doubts, const ResultSet *result,
                       const ObservedRows *observed, Mismatch *mismatch) {
  for (uint32_t i = 0; i < observed->count; i++)
    if (observed->rows[i].count != result->column_count)
      return mismatch->kind = MISMATCH_COLUMN_COUNT, MATCH_NO;
  mismatch->kind = MISMATCH_ROWS;
  if (!result->may_skip && observed->count != rows_expected(result)) return MATCH_NO;
  Matcher matcher = {.dialect = dialect, .doubts = doubts, .result = result};
  arena_init(&matcher.arena);
  uint32_t mark = doubts_mark(doubts);
  MatchAnswer answer = MATCH_YES;
  if (result->may_skip) {
    answer = match_some(&matcher, observed);
    if (answer != MATCH_YES) doubts_undo(doubts, mark);
  } else if (!match_groups(&matcher, observed) || !match_open_order(&matcher, observed)) {
    doubts_undo(doubts, mark);
    answer = matcher.out_of_steps ? MATCH_UNDECIDED : MATCH_NO;
    if (answer == MATCH_NO && same_rows_other_order(&matcher, observed)) mismatch->kind = MISMATCH_ORDER;
  }
  arena_free(&matcher.arena);
  if (answer == MATCH_YES) mismatch->kind = MISMATCH_NONE;
  return answer;
}

static bool columns_match(const ResultSet *result, const Operation *operation) {
  if (operation->column_count != result->column_count) return false;
  for (uint32_t i = 0; i < result->column_count; i++)
    if (result->column_names && result->column_names[i] &&
        strcasecmp(result->column_names[i], operation->columns[i]) != 0)
      return false;
  return true;
}

static MatchAnswer match_results(const Dialect *dialect, Doubts *doubts, const Outcome *outcome,
                                 const Operation *operation, Mismatch *mismatch) {
  if (outcome->results.count == 0 && !operation->has_results && operation->results[0].count == 0)
    return MATCH_YES;
  if (outcome->results.count == 0 && operation->result_count > 0)
    return mismatch->kind = MISMATCH_NO_ROWS, MATCH_NO;
  if (outcome->results.count != operation->result_count)
    return mismatch->kind = MISMATCH_RESULT_COUNT, MATCH_NO;
  for (uint32_t i = 0; i < operation->result_count; i++) {
    mismatch->result = i;
    MatchAnswer answer =
        match_rows(dialect, doubts, &outcome->results.items[i], &operation->results[i], mismatch);
    if (answer != MATCH_YES) return answer;
  }
  return MATCH_YES;
}

static MatchAnswer match_error(const Dialect *dialect, const Outcome *outcome, const Operation *operation,
                               Mismatch *mismatch) {
  ErrorSet observed = error_set_of(dialect, operation->error, strlen(operation->error));
  if (observed & ERROR_BIT(ERROR_REFUSED) && observed != ERROR_ANY) return MATCH_YES;
  if (observed & ERROR_BIT(ERROR_OTHER)) observed = ERROR_ANY;
  if (outcome->kind == OUTCOME_ERROR) {
    if (outcome->errors & observed) return MATCH_YES;
    mismatch->kind = MISMATCH_ERROR_CLASS;
    return MATCH_NO;
  }
  if (outcome->possible & observed) return MATCH_YES;
  mismatch->kind = MISMATCH_ERROR_OBSERVED;
  return MATCH_NO;
}

MatchAnswer match_outcome(const Dialect *dialect, Doubts *doubts, const Outcome *outcome,
                          const Operation *operation, Mismatch *mismatch) {
  *mismatch = (Mismatch){0};
  if (outcome->kind == OUTCOME_UNMODELLED || outcome->kind == OUTCOME_DOUBT) return MATCH_UNDECIDED;
  if (operation->error) return match_error(dialect, outcome, operation, mismatch);
  if (outcome->kind == OUTCOME_ERROR) return mismatch->kind = MISMATCH_ERROR_EXPECTED, MATCH_NO;
  if (operation->has_rows) {
    MatchAnswer answer = match_results(dialect, doubts, outcome, operation, mismatch);
    if (answer != MATCH_YES) return answer;
  }
  if (operation->has_columns && outcome->results.count == 1 &&
      !columns_match(&outcome->results.items[0], operation))
    return mismatch->kind = MISMATCH_COLUMNS, MATCH_NO;
  if (operation->has_affected && outcome->has_affected && operation->affected != outcome->affected &&
      operation->affected != outcome->affected_also)
    return mismatch->kind = MISMATCH_AFFECTED, MATCH_NO;
  return MATCH_YES;
}
