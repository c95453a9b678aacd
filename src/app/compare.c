/* compare.c: pairing rows: equal ones, then those that share the most cells, the first cell counting most. */
#include "src/app/compare.h"

enum { MOST_COMPARISONS = 4000000, MOST_ALIKE = 250 };

bool compare_cell(const Comparison *comparison, uint32_t observed, uint32_t expected, uint32_t column) {
  const ResultSet *set = comparison->expected;
  const ObservedRow *row = &comparison->observed->rows[observed];
  if (column >= row->count || column >= set->column_count) return false;
  double magnitude = set->magnitudes ? set->magnitudes[column] : 0;
  uint32_t mark = doubts_mark(comparison->doubts);
  int answer = match_cell(comparison->dialect, comparison->doubts, set->rows[expected].values[column],
                          set->column_types[column], magnitude, &row->cells[column]);
  doubts_undo(comparison->doubts, mark);
  return answer != 0;
}

static bool rows_are_equal(const Comparison *comparison, uint32_t observed, uint32_t expected) {
  uint32_t count = comparison->observed->rows[observed].count;
  if (count != comparison->expected->column_count) return false;
  for (uint32_t column = 0; column < count; column++)
    if (!compare_cell(comparison, observed, expected, column)) return false;
  return true;
}

/* How alike two rows are; 0: they have nothing in common. */
static uint32_t rows_alike(const Comparison *comparison, uint32_t observed, uint32_t expected) {
  uint32_t count = comparison->observed->rows[observed].count, score = 0;
  if (count == 1) return 1; /* a single value has no other row to be compared with */
  for (uint32_t column = 0; column < count; column++)
    if (compare_cell(comparison, observed, expected, column)) score += column ? 2 : 3;
  return score;
}

typedef struct Pairing {
  const Comparison *comparison;
  uint32_t *partner; /* of each expected row: the observed one, or PAIR_NONE */
  bool *is_equal;    /* of each expected row */
  bool *is_paired;   /* of each observed row */
} Pairing;

static void pair_put(Pairing *pairing, uint32_t observed, uint32_t expected, bool is_equal) {
  pairing->partner[expected] = observed;
  pairing->is_equal[expected] = is_equal;
  pairing->is_paired[observed] = true;
}

static void pair_by_place(Pairing *pairing, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) pair_put(pairing, i, i, rows_are_equal(pairing->comparison, i, i));
}

/* Results mostly agree: the search begins behind the row that was found last. */
static void pair_equal(Pairing *pairing) {
  uint32_t expected_count = pairing->comparison->expected->row_count, next = 0;
  for (uint32_t i = 0; i < pairing->comparison->observed->count; i++) {
    for (uint32_t step = 0; step < expected_count; step++) {
      uint32_t expected = (next + step) % expected_count;
      if (pairing->partner[expected] != PAIR_NONE || !rows_are_equal(pairing->comparison, i, expected))
        continue;
      pair_put(pairing, i, expected, true);
      next = expected + 1;
      break;
    }
  }
}

static void pair_alike(Pairing *pairing) {
  uint32_t expected_count = pairing->comparison->expected->row_count;
  for (uint32_t i = 0, tried = 0; i < pairing->comparison->observed->count && tried < MOST_ALIKE; i++) {
    if (pairing->is_paired[i]) continue;
    tried++;
    uint32_t best = PAIR_NONE, best_score = 0;
    for (uint32_t j = 0, looked = 0; j < expected_count && looked < MOST_ALIKE; j++) {
      if (pairing->partner[j] != PAIR_NONE) continue;
      looked++;
      uint32_t score = rows_alike(pairing->comparison, i, j);
      if (score > best_score) best_score = score, best = j;
    }
    if (best != PAIR_NONE) pair_put(pairing, i, best, false);
  }
}

void compare_rows(const Comparison *comparison, Pairs *pairs) {
  uint32_t expected_count = comparison->expected->row_count, observed_count = comparison->observed->count;
  Pairing pairing = {comparison, memory_new((expected_count + 1) * sizeof(uint32_t)),
                     memory_new(expected_count + 1), memory_new(observed_count + 1)};
  for (uint32_t i = 0; i < expected_count; i++) pairing.partner[i] = PAIR_NONE;
  bool is_large = (uint64_t)expected_count * observed_count > MOST_COMPARISONS;
  if (comparison->is_by_place || is_large) {
    pair_by_place(&pairing, expected_count < observed_count ? expected_count : observed_count);
  } else {
    pair_equal(&pairing);
    pair_alike(&pairing);
  }
  for (uint32_t i = 0; i < expected_count; i++)
    ARRAY_PUSH(pairs, (Pair){pairing.partner[i], i, pairing.is_equal[i]});
  for (uint32_t i = 0; i < observed_count; i++)
    if (!pairing.is_paired[i]) ARRAY_PUSH(pairs, (Pair){i, PAIR_NONE, false});
  free(pairing.partner);
  free(pairing.is_equal);
  free(pairing.is_paired);
}
