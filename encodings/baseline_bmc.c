/* baseline_bmc.c: `bmc`: a state is arrays by key: one for each column, one for its NULLs, one for who is there.
 *
 * Arrays hold integers; a truth is 1 or 0.  State 0 is array variables with what is known of their elements;
 * a later state stores into the one before it. */
#include "encodings/baseline_internal.h"

static Term truth_number(Terms *terms, Term truth) {
  return term_ite(terms, truth, term_int(terms, 1), term_int(terms, 0));
}

/* One array: the initial one, or the one before, which has `known` slots, with a transaction's elements stored. */
static Term array_make(Baseline *baseline, Term before, uint32_t known, const Term *elements,
                       const Elements *made) {
  Terms *terms = baseline->terms;
  bool is_initial = !baseline->states.count;
  Term array = is_initial ? term_array_variable(terms, NULL) : before;
  for (uint32_t slot = 0; slot < made->slot_count; slot++) {
    Term index = term_int(terms, slot);
    if (is_initial)
      baseline_require(baseline, term_equal(terms, term_select(terms, array, index), elements[slot]));
    else if (made->writes[slot] != TERM_FALSE || slot >= known)
      array = term_store(terms, array, index, elements[slot]);
  }
  return array;
}

void bmc_make(Baseline *baseline, uint32_t table, const SymbolRow *rows, Elements *made) {
  Terms *terms = baseline->terms;
  uint32_t columns = baseline->tables.items[table].table->column_count, count = made->slot_count;
  const Elements *before =
      baseline->states.count ? &baseline->states.items[baseline->states.count - 1].tables[table] : NULL;
  made->values = ARENA_ARRAY(&baseline->memory, Term, columns);
  made->nulls = ARENA_ARRAY(&baseline->memory, Term, columns);
  made->presents = ARENA_ARRAY(&baseline->memory, Term, 1);
  uint32_t known = before ? before->slot_count : 0;
  Term *elements = memory_new((count + 1) * sizeof *elements);
  for (uint32_t slot = 0; slot < count; slot++) elements[slot] = truth_number(terms, rows[slot].is_present);
  made->presents[0] = array_make(baseline, before ? before->presents[0] : 0, known, elements, made);
  for (uint32_t column = 0; column < columns; column++) {
    for (uint32_t slot = 0; slot < count; slot++) elements[slot] = rows[slot].cells[column].value;
    made->values[column] = array_make(baseline, before ? before->values[column] : 0, known, elements, made);
    for (uint32_t slot = 0; slot < count; slot++)
      elements[slot] = truth_number(terms, rows[slot].cells[column].is_null);
    made->nulls[column] = array_make(baseline, before ? before->nulls[column] : 0, known, elements, made);
  }
  free(elements);
}

static Term array_of(const Elements *elements, int32_t column, bool is_null) {
  if (column < 0) return elements->presents[0];
  return is_null ? elements->nulls[column] : elements->values[column];
}

Term bmc_element(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot, int32_t column,
                 bool is_null) {
  Terms *terms = baseline->terms;
  Term array = array_of(&baseline->states.items[choice.last].tables[table], column, is_null);
  for (uint32_t state = choice.last; state-- > choice.first;) {
    Term here = array_of(&baseline->states.items[state].tables[table], column, is_null);
    array = term_ite(terms, term_less_equal(terms, choice.id, term_int(terms, state)), here, array);
  }
  Term element = term_select(terms, array, term_int(terms, slot));
  return column < 0 || is_null ? term_equal(terms, element, term_int(terms, 1)) : element;
}
