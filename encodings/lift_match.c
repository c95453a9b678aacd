/* lift_match.c: when rows that may be there or not are those that were observed.
 *
 * Observed rows that are alike make a sort: of each sort so many are there as were seen, and nothing else is.
 */
#include "encodings/lift_internal.h"

#include "semantics/match.h"

/* Observed rows that are alike, and the rows of the result that may be among them. */
struct Sort {
  uint32_t first, count; /* the first observed one; how many */
  const ResultRow *row;
  ARRAY(Term) guards;
};

/* 1, 0, -1: cannot be told. */
static int row_matches(const Matching *matching, const ResultRow *row, const double *magnitudes,
                       const ObservedRow *observed) {
  const Eval *eval = matching->eval;
  if (observed->count != matching->result->column_count) return 0;
  for (uint32_t i = 0; i < observed->count; i++) {
    if (row->values[i].kind == VALUE_DOUBT) return -1;
    int equal = match_cell(eval->dialect, eval->doubts, row->values[i], matching->result->column_types[i],
                           magnitudes ? magnitudes[i] : 0, &observed->cells[i]);
    if (equal != 1) return equal;
  }
  return 1;
}

/* What was seen that the row may be. */
typedef enum Fit { FIT_NONE, FIT_SEEN, FIT_UNTOLD } Fit;

/* A row that is there where the guard holds. */
static Fit matching_add(Matching *matching, const ResultRow *row, const double *magnitudes, Term guard) {
  Lift *lift = matching->lift;
  uint32_t sort = 0;
  if (row->alternative_count) return FIT_UNTOLD;
  for (uint32_t i = 0; i < matching->observed->count; i++) {
    if (sort && matching->sort_of[i] && matching->sort_of[i] != sort) continue; /* of another sort */
    int matches = row_matches(matching, row, magnitudes, &matching->observed->rows[i]);
    if (matches < 0) return FIT_UNTOLD;
    if (!matches) {
      if (sort && matching->sort_of[i] == sort) return FIT_UNTOLD;
      continue;
    }
    if (!sort) sort = matching->sort_of[i] ? matching->sort_of[i] : i + 1;
    if (matching->sort_of[i] && matching->sort_of[i] != sort) return FIT_UNTOLD;
    if (!matching->sort_of[i] && matching->sorts[sort - 1].guards.count)
      return FIT_UNTOLD; /* others did not match it */
    if (!matching->sort_of[i]) matching->sorts[sort - 1].count++;
    matching->sort_of[i] = sort;
  }
  if (!sort) return FIT_NONE;
  Sort *found = &matching->sorts[sort - 1];
  if (!found->row) found->row = row;
  ARENA_PUSH(&lift->arena, &found->guards, guard);
  return FIT_SEEN;
}

/* One of the ways that show nothing but what was seen: they are often few, and all that their terms hang on.
 */
static bool matching_add_ways(Matching *matching, const Ways *ways) {
  Lift *lift = matching->lift;
  ARRAY(Term) fitting = {0};
  bool fits_all = true;
  for (uint32_t k = 0; k < ways->count; k++) {
    const Way *way = &ways->items[k];
    Fit fit = FIT_SEEN;
    for (uint32_t r = 0; r < way->row_count && fit == FIT_SEEN; r++)
      fit = matching_add(matching, &way->rows[r], way->magnitudes, way->path);
    if (fit == FIT_UNTOLD) return false;
    fits_all = fits_all && fit == FIT_SEEN;
    if (fit == FIT_SEEN) ARENA_PUSH(&lift->arena, &fitting, way->path);
  }
  if (fits_all) return true; /* R1 */
  matching->holds =
      term_and(lift->terms, matching->holds, term_or_all(lift->terms, fitting.items, fitting.count));
  return true;
}

static bool matching_collect(Matching *matching) {
  for (uint32_t i = 0; i < matching->result->row_count; i++) {
    Fit fit = matching_add(matching, &matching->result->rows[i], matching->result->magnitudes, TERM_TRUE);
    if (fit == FIT_UNTOLD) return false;
    if (fit == FIT_NONE) matching->holds = TERM_FALSE;
  }
  for (uint32_t i = 0; i < matching->way_count; i++)
    if (!matching_add_ways(matching, &matching->ways[i])) return false;
  return true;
}

/* As many rows of each sort as were seen. */
static void matching_count(Matching *matching) {
  Terms *terms = matching->lift->terms;
  for (uint32_t i = 0; i < matching->observed->count && matching->holds != TERM_FALSE; i++) {
    if (!matching->sort_of[i]) matching->holds = TERM_FALSE; /* nothing matches it */
    if (matching->sort_of[i] != i + 1) continue;
    const Sort *sort = &matching->sorts[i];
    matching->holds = term_and(terms, matching->holds,
                               term_count_is(terms, sort->guards.items, sort->guards.count, sort->count));
  }
}

/* The result as it was observed; if ORDER BY does not allow that, nothing holds. */
static void matching_result(Matching *matching, ResultSet *result) {
  Lift *lift = matching->lift;
  result->row_count = matching->observed->count;
  result->rows = ARENA_ARRAY(&lift->arena, ResultRow, result->row_count + 1);
  for (uint32_t i = 0; i < result->row_count; i++) {
    result->rows[i] = *matching->sorts[matching->sort_of[i] - 1].row;
    result->rows[i].tie = 0;
    if (!i || !result->is_ordered) continue;
    int order = result_rows_compare(matching->eval->dialect, matching->select, result->rows[i - 1].values,
                                    result->rows[i].values);
    result->rows[i].tie = result->rows[i - 1].tie + (order != 0);
    if (order > 0) matching->holds = TERM_FALSE;
  }
}

bool matching_run(Matching *matching, ResultSet *result) {
  Arena *arena = &matching->lift->arena;
  matching->holds = TERM_TRUE;
  matching->sorts = arena_zero(arena, (matching->observed->count + 1) * sizeof *matching->sorts);
  matching->sort_of = ARENA_ARRAY(arena, uint32_t, matching->observed->count + 1);
  if (!matching_collect(matching)) return false;
  matching_count(matching);
  if (matching->holds != TERM_FALSE) matching_result(matching, result);
  return true;
}
