/* baseline_condition.c: what levels ask of the states read and of the writes [Pick et al., figure 7], and integrity. */
#include "encodings/baseline_internal.h"

/* ---- Strict SI ------------------------------------------------------------------------------------------ */

/* May the transaction have read this state, as far as the commits pushed so far tell?  (docs/levels.md) */
static bool state_is_strict(const Baseline *baseline, uint32_t place, uint32_t state) {
  const BaselinePlace *places = baseline->places.items;
  int64_t earliest = INT64_MIN, latest = INT64_MAX;
  for (uint32_t i = 1; i <= state; i++)
    if (places[i].commit.lo > earliest) earliest = places[i].commit.lo;
  for (uint32_t i = state + 1; i < baseline->places.count; i++)
    if (places[i].commit.hi < latest) latest = places[i].commit.hi;
  Interval start = places[place].start;
  int64_t end = start.hi < latest ? start.hi : latest;
  return end >= start.lo && (earliest == INT64_MIN || earliest < end) && state >= places[place].predecessor;
}

/* The newest commit says something about the states that all before it read. */
static void require_strict_states(Baseline *baseline) {
  for (uint32_t place = 1; place < baseline->places.count; place++) {
    const BaselinePlace *at = &baseline->places.items[place];
    if (at->level.level != LEVEL_SSI) continue;
    Term some = TERM_FALSE;
    for (uint32_t state = 0; state < place; state++)
      if (state_is_strict(baseline, place, state))
        some = term_or(baseline->terms, some, choice_is(baseline, at->choice, state));
    baseline_require(baseline, some);
  }
}

/* ---- Writes --------------------------------------------------------------------------------------------- */

static Term rows_same(Baseline *baseline, const Table *table, const SymbolRow *a, const SymbolRow *b) {
  Terms *terms = baseline->terms;
  Term same = TERM_TRUE;
  for (uint32_t i = 0; i < table->column_count; i++)
    same = term_and(terms, same, symbol_same(baseline, a->cells[i], b->cells[i]));
  Term both = term_and(terms, a->is_present, b->is_present);
  Term neither = term_and(terms, term_not(terms, a->is_present), term_not(terms, b->is_present));
  return term_or(terms, neither, term_and(terms, both, same));
}

/* NWC: nobody wrote the key between the state read and the own place. */
static void key_without_conflict(Baseline *baseline, uint32_t table, uint32_t slot) {
  Terms *terms = baseline->terms;
  const BaselinePlace *place = &baseline->places.items[baseline->place];
  Term wrote = baseline->tables.items[table].slots.items[slot].is_written;
  for (uint32_t i = 1; i < baseline->place; i++) {
    Term both = term_and(terms, wrote, state_wrote(baseline, i, table, slot));
    if (both == TERM_FALSE) continue;
    baseline_require(baseline, term_implies(terms, both, term_less_equal(terms, term_int(terms, i), place->choice.id)));
  }
}

/* The paper's form: the row written is the one read, or the one read is the current one. */
static void key_without_change(Baseline *baseline, uint32_t table, uint32_t slot) {
  const BaselineTable *of = &baseline->tables.items[table];
  const Slot *own = &of->slots.items[slot];
  uint32_t last = baseline->place - 1;
  StateChoice current = {.first = last, .last = last};
  SymbolRow read = state_row(baseline, baseline->places.items[baseline->place].choice, table, slot);
  SymbolRow now = state_row(baseline, current, table, slot);
  Term fits = term_or(baseline->terms, rows_same(baseline, of->table, &own->own, &read),
                      rows_same(baseline, of->table, &read, &now));
  baseline_require(baseline, term_implies(baseline->terms, own->is_written, fits));
}

static void require_no_write_conflict(Baseline *baseline) {
  for (uint32_t table = 0; table < baseline->tables.count; table++)
    for (uint32_t slot = 0; slot < baseline->tables.items[table].slots.count; slot++) {
      const Slot *own = &baseline->tables.items[table].slots.items[slot];
      if (own->is_written == TERM_FALSE) continue;
      if (baseline->options.compares_values)
        key_without_change(baseline, table, slot);
      else
        key_without_conflict(baseline, table, slot);
    }
}

/* ---- Integrity -------------------------------------------------------------------------------------------- */

static void pair_is_unique(Baseline *baseline, const Index *index, const SymbolRow *a, const SymbolRow *b) {
  Terms *terms = baseline->terms;
  Term same = term_and(terms, a->is_present, b->is_present);
  for (uint32_t i = 0; i < index->column_count; i++) {
    Symbol x = a->cells[index->columns[i]], y = b->cells[index->columns[i]];
    same = term_and(terms, same, symbol_compare(baseline, EXPR_EQUAL, x, y).value);
  }
  baseline_require(baseline, term_not(terms, same));
}

/* Every state keeps UNIQUE. */
void require_unique(Baseline *baseline) {
  uint32_t last = baseline->states.count - 1;
  StateChoice current = {.first = last, .last = last};
  for (uint32_t number = 0; number < baseline->tables.count; number++) {
    const Table *table = baseline->tables.items[number].table;
    uint32_t count = baseline->tables.items[number].slots.count;
    for (uint32_t i = 0; i < table->indexes.count; i++) {
      const Index *index = table->indexes.items[i];
      if (!index->unique || index->is_dropped || (int32_t)i == table->primary) continue;
      for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a && !baseline->reason; b++) {
          SymbolRow x = state_row(baseline, current, number, a), y = state_row(baseline, current, number, b);
          pair_is_unique(baseline, index, &x, &y);
        }
    }
  }
}

/* ---- A transaction ------------------------------------------------------------------------------------------ */

bool level_begin(Baseline *baseline) {
  BaselinePlace *place = &baseline->places.items[baseline->place];
  const Level *level = &levels[place->level.level];
  bool is_serial = level->rules[READ_PLAIN] == RULE_CURRENT;
  if (level->is_vendor_model) return baseline_refuse(baseline, "level %s", level->name);
  if (place->level.is_fresh && !is_serial && place->level.level != LEVEL_SSI)
    return baseline_refuse(baseline, "freshness");
  bool is_strict = false, is_uncertain = false;
  for (uint32_t i = 1; i < baseline->places.count; i++) {
    const BaselinePlace *other = &baseline->places.items[i];
    is_strict |= other->level.is_fresh || other->level.level == LEVEL_SSI || other->level.level == LEVEL_SSER;
    is_uncertain |= other->takes_part != TERM_TRUE;
  }
  if (is_strict && is_uncertain)
    return baseline_refuse(baseline, "a transaction of unknown status at a strict level");
  if (level->rules[READ_PLAIN] == RULE_TRANSACTION) place->choice = choice_make(baseline, 0, baseline->place - 1);
  return true;
}

void level_require(Baseline *baseline) {
  if (levels[baseline->places.items[baseline->place].level.level].forbids_conflicts)
    require_no_write_conflict(baseline);
  require_strict_states(baseline);
}
