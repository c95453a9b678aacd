/* baseline_flat.c: `flat`: a variable for every column of every key in every state. */
#include "encodings/baseline_internal.h"

static Term element_define(Baseline *baseline, Term element, Term value) {
  baseline_require(baseline, term_equal(baseline->terms, element, value));
  return element;
}

void flat_make(Baseline *baseline, uint32_t table, const SymbolRow *rows, Elements *made) {
  Terms *terms = baseline->terms;
  uint32_t columns = baseline->tables.items[table].table->column_count, count = made->slot_count;
  made->values = ARENA_ARRAY(&baseline->memory, Term, count * columns);
  made->nulls = ARENA_ARRAY(&baseline->memory, Term, count * columns);
  made->presents = ARENA_ARRAY(&baseline->memory, Term, count);
  for (uint32_t slot = 0; slot < count; slot++) {
    made->presents[slot] = element_define(baseline, term_variable(terms, NULL), rows[slot].is_present);
    for (uint32_t column = 0; column < columns; column++) {
      uint32_t place = slot * columns + column;
      made->values[place] =
          element_define(baseline, term_int_variable(terms, NULL), rows[slot].cells[column].value);
      made->nulls[place] =
          element_define(baseline, term_variable(terms, NULL), rows[slot].cells[column].is_null);
    }
  }
}

static Term element_of(const Elements *elements, uint32_t columns, uint32_t slot, int32_t column,
                       bool is_null) {
  if (column < 0) return elements->presents[slot];
  uint32_t place = slot * columns + (uint32_t)column;
  return is_null ? elements->nulls[place] : elements->values[place];
}

/* The newest state up to the one chosen. */
Term flat_element(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot, int32_t column,
                  bool is_null) {
  Terms *terms = baseline->terms;
  uint32_t columns = baseline->tables.items[table].table->column_count;
  Term found = element_of(&baseline->states.items[choice.last].tables[table], columns, slot, column, is_null);
  for (uint32_t state = choice.last; state-- > choice.first;) {
    Term here = element_of(&baseline->states.items[state].tables[table], columns, slot, column, is_null);
    Term is_older = term_less_equal(terms, choice.id, term_int(terms, state));
    found = term_ite(terms, is_older, here, found);
  }
  return found;
}
