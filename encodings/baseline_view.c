/* baseline_view.c: what the running transaction sees: its own writes over the states that its reads come from.
 *
 * Which state that is, an integer says: one for the transaction, for the step, or for each key of a step, as the
 * level has it (docs/levels.md). */
#include "encodings/baseline_internal.h"

#include "src/transcript/emit.h"

int32_t baseline_table(const Baseline *baseline, const Table *table) {
  for (uint32_t i = 0; i < baseline->tables.count; i++)
    if (baseline->tables.items[i].table == table) return (int32_t)i;
  return -1;
}

/* ---- Choices of states ---------------------------------------------------------------------------- */

/* NFR, no future reads: none but these. */
StateChoice choice_make(Baseline *baseline, uint32_t first, uint32_t last) {
  Terms *terms = baseline->terms;
  StateChoice choice = {.id = term_int(terms, first), .first = first, .last = last};
  if (first == last) return choice;
  choice.id = term_int_variable(terms, NULL);
  baseline->choices++;
  baseline_require(baseline, term_less_equal(terms, term_int(terms, first), choice.id));
  baseline_require(baseline, term_less_equal(terms, choice.id, term_int(terms, last)));
  return choice;
}

Term choice_is(Baseline *baseline, StateChoice choice, uint32_t state) {
  return term_equal(baseline->terms, choice.id, term_int(baseline->terms, state));
}

static ReadRule baseline_rule(const Baseline *baseline) {
  if (baseline->place >= baseline->places.count) return RULE_CURRENT; /* a final line */
  return levels[baseline->places.items[baseline->place].level.level].rules[READ_PLAIN];
}

static StateChoice step_choice(Baseline *baseline) {
  BaselinePlace *place = &baseline->places.items[baseline->place];
  uint32_t last = baseline->place - 1;
  switch (baseline_rule(baseline)) {
  case RULE_TRANSACTION: return place->choice;
  case RULE_STEP: {
    StateChoice choice = choice_make(baseline, 0, last);
    if (place->steps.count) /* later steps read no older state */
      baseline_require(baseline, term_less_equal(baseline->terms,
                                                 place->steps.items[place->steps.count - 1]->choice.id,
                                                 choice.id));
    return choice;
  }
  default: return choice_make(baseline, last, last);
  }
}

void step_begin(Baseline *baseline, bool is_object) {
  BaselineStep *step = ARENA_NEW(&baseline->memory, BaselineStep);
  *step = (BaselineStep){.operation = baseline->operation, .is_object = is_object, .guard = baseline->path};
  baseline->step = step;
  baseline->steps++;
  if (baseline->place < baseline->places.count) {
    step->choice = step_choice(baseline);
    ARENA_PUSH(&baseline->memory, &baseline->places.items[baseline->place].steps, step);
  } else {
    step->choice = choice_make(baseline, baseline->place - 1, baseline->place - 1);
  }
}

/* At rc each key of a step has a state of its own. */
static StateChoice key_choice(Baseline *baseline, uint32_t table, uint32_t slot) {
  BaselineStep *step = baseline->step;
  if (baseline_rule(baseline) != RULE_KEY) return step->choice;
  for (uint32_t i = 0; i < step->keys.count; i++)
    if (step->keys.items[i].table == table && step->keys.items[i].slot == slot)
      return step->keys.items[i].choice;
  KeyChoice key = {table, slot, choice_make(baseline, 0, baseline->place - 1)};
  ARENA_PUSH(&baseline->memory, &step->keys, key);
  return key.choice;
}

/* ---- Rows ------------------------------------------------------------------------------------------- */

SymbolRow view_over(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot) {
  const BaselineTable *of = &baseline->tables.items[table];
  const Slot *own = &of->slots.items[slot];
  if (own->is_written == TERM_TRUE) return own->own;
  SymbolRow read = state_row(baseline, choice, table, slot);
  if (own->is_written == TERM_FALSE) return read;
  SymbolRow row = {term_ite(baseline->terms, own->is_written, own->own.is_present, read.is_present),
                   ARENA_ARRAY(&baseline->memory, Symbol, of->table->column_count)};
  for (uint32_t i = 0; i < of->table->column_count; i++)
    row.cells[i] = symbol_ite(baseline, own->is_written, own->own.cells[i], read.cells[i]);
  return row;
}

SymbolRow view_row(Baseline *baseline, uint32_t table, uint32_t slot) {
  if (baseline->tables.items[table].slots.items[slot].is_written == TERM_TRUE)
    return baseline->tables.items[table].slots.items[slot].own;
  return view_over(baseline, key_choice(baseline, table, slot), table, slot);
}

uint32_t slot_make(Baseline *baseline, uint32_t table, const Value *key, uint64_t rowid) {
  BaselineTable *of = &baseline->tables.items[table];
  Slot slot = {.number = of->slots.count, .birth = baseline->place, .key = key, .rowid = rowid};
  slot.is_written = TERM_FALSE;
  ARRAY_PUSH(&of->slots, slot);
  return slot.number;
}

uint32_t slot_of_key(Baseline *baseline, uint32_t table, const Value *key) {
  BaselineTable *of = &baseline->tables.items[table];
  uint32_t count = of->table->indexes.items[of->table->primary]->column_count;
  for (uint32_t i = 0; i < of->slots.count; i++) {
    bool is_same = of->slots.items[i].key != NULL;
    for (uint32_t k = 0; is_same && k < count; k++)
      is_same = values_write_same(of->slots.items[i].key[k], key[k]);
    if (is_same) return i;
  }
  Value *copy = ARENA_ARRAY(&baseline->memory, Value, count);
  for (uint32_t k = 0; k < count; k++) copy[k] = value_copy(&baseline->memory, key[k]);
  return slot_make(baseline, table, copy, of->next_rowid++);
}

void slot_write(Baseline *baseline, uint32_t table, uint32_t slot, Term guard, SymbolRow row) {
  Terms *terms = baseline->terms;
  BaselineTable *of = &baseline->tables.items[table];
  Slot *own = &of->slots.items[slot];
  for (uint32_t i = 0; i < of->table->column_count; i++)
    if (row.cells[i].bound > of->bounds[i]) of->bounds[i] = row.cells[i].bound;
  if (own->is_written == TERM_FALSE) {
    own->own = row;
  } else {
    SymbolRow merged = {term_ite(terms, guard, row.is_present, own->own.is_present),
                        ARENA_ARRAY(&baseline->memory, Symbol, of->table->column_count)};
    for (uint32_t i = 0; i < of->table->column_count; i++)
      merged.cells[i] = symbol_ite(baseline, guard, row.cells[i], own->own.cells[i]);
    own->own = merged;
  }
  own->is_written = term_or(terms, own->is_written, guard);
}
