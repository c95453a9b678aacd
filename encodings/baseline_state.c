/* baseline_state.c: states: the initial one, and each as the one before with a transaction's writes laid over. */
#include "encodings/baseline_internal.h"

static void elements_make(Baseline *baseline, uint32_t table, const SymbolRow *rows, Elements *made) {
  if (baseline->kind == BASELINE_FLAT)
    flat_make(baseline, table, rows, made);
  else
    bmc_make(baseline, table, rows, made);
}

static SymbolRow row_absent(Baseline *baseline, const Table *table) {
  SymbolRow row = {TERM_FALSE, ARENA_ARRAY(&baseline->memory, Symbol, table->column_count)};
  for (uint32_t i = 0; i < table->column_count; i++)
    row.cells[i] = (Symbol){.value = term_int(baseline->terms, 0), .is_null = TERM_TRUE};
  return row;
}

/* The row of a slot in one of the states that the choice leaves. */
SymbolRow state_row(Baseline *baseline, StateChoice choice, uint32_t table, uint32_t slot) {
  Terms *terms = baseline->terms;
  const BaselineTable *of = &baseline->tables.items[table];
  uint32_t birth = of->slots.items[slot].birth;
  SymbolRow row = row_absent(baseline, of->table);
  if (birth > choice.last) return row;
  StateChoice later = choice;
  if (later.first < birth) later.first = birth;
  Term (*element)(Baseline *, StateChoice, uint32_t, uint32_t, int32_t, bool) =
      baseline->kind == BASELINE_FLAT ? flat_element : bmc_element;
  row.is_present = element(baseline, later, table, slot, -1, false);
  if (choice.first < birth)
    row.is_present = term_and(terms, row.is_present,
                              term_less_equal(terms, term_int(terms, birth), choice.id));
  for (uint32_t i = 0; i < of->table->column_count; i++) {
    Type type = of->table->columns[i].type;
    row.cells[i] = (Symbol){.value = element(baseline, later, table, slot, (int32_t)i, false),
                            .is_null = element(baseline, later, table, slot, (int32_t)i, true),
                            .kind = of->kinds[i],
                            .scale = type.kind == TYPE_DECIMAL ? type.scale : 0,
                            .bound = of->bounds[i]};
  }
  return row;
}

Term state_wrote(const Baseline *baseline, uint32_t place, uint32_t table, uint32_t slot) {
  const Elements *elements = &baseline->states.items[place].tables[table];
  return slot < elements->slot_count ? elements->writes[slot] : TERM_FALSE;
}

/* The slot as the transaction leaves it. */
static SymbolRow row_follow(Baseline *baseline, uint32_t table, uint32_t slot, Term takes_part, Term *wrote) {
  Terms *terms = baseline->terms;
  const BaselineTable *of = &baseline->tables.items[table];
  uint32_t last = baseline->states.count - 1;
  StateChoice choice = {.first = last, .last = last};
  SymbolRow before = state_row(baseline, choice, table, slot);
  const Slot *own = &of->slots.items[slot];
  *wrote = term_and(terms, takes_part, own->is_written);
  if (*wrote == TERM_FALSE) return before;
  SymbolRow after = {term_ite(terms, *wrote, own->own.is_present, before.is_present),
                     ARENA_ARRAY(&baseline->memory, Symbol, of->table->column_count)};
  for (uint32_t i = 0; i < of->table->column_count; i++)
    after.cells[i] = symbol_ite(baseline, *wrote, own->own.cells[i], before.cells[i]);
  return after;
}

void state_follow(Baseline *baseline, Term takes_part) {
  State state = {ARENA_ARRAY(&baseline->memory, Elements, baseline->tables.count)};
  for (uint32_t table = 0; table < baseline->tables.count; table++) {
    BaselineTable *of = &baseline->tables.items[table];
    Elements *made = &state.tables[table];
    made->slot_count = of->slots.count;
    made->writes = ARENA_ARRAY(&baseline->memory, Term, of->slots.count);
    SymbolRow *rows = memory_new((of->slots.count + 1) * sizeof *rows);
    for (uint32_t slot = 0; slot < of->slots.count; slot++)
      rows[slot] = row_follow(baseline, table, slot, takes_part, &made->writes[slot]);
    elements_make(baseline, table, rows, made);
    free(rows);
  }
  ARRAY_PUSH(&baseline->states, state);
}

/* ---- State 0 ------------------------------------------------------------------------------------ */

/* Kinds and bounds of a table's columns; false: one has a type outside of the fragment. */
static void table_columns(Baseline *baseline, BaselineTable *of) {
  const Table *table = of->table;
  of->bounds = ARENA_ARRAY(&baseline->memory, double, table->column_count);
  of->kinds = ARENA_ARRAY(&baseline->memory, uint8_t, table->column_count);
  for (uint32_t i = 0; i < table->column_count; i++) {
    Type type = table->columns[i].type;
    bool is_integer = type.kind == TYPE_DYNAMIC && type.affinity == AFFINITY_INTEGER;
    bool is_text = type_is_text(type) || (type.kind == TYPE_DYNAMIC && type.affinity == AFFINITY_TEXT);
    bool is_number = (type.kind == TYPE_INT && !type.is_unsigned) || is_integer ||
                     (type.kind == TYPE_DECIMAL && type.precision && type.precision <= 18);
    of->kinds[i] = is_number ? SYMBOL_NUMBER : is_text && type.kind != TYPE_CHAR ? SYMBOL_TEXT : SYMBOL_NULL;
  }
}

static void row_initial(Baseline *baseline, BaselineTable *of, const Key *key, SymbolRow *row) {
  const Version *version = key->newest;
  *row = row_absent(baseline, of->table);
  row->is_present = TERM_TRUE;
  for (uint32_t i = 0; i < of->table->column_count && !baseline->reason; i++) {
    Symbol symbol = symbol_constant(baseline, version->values[i]);
    row->cells[i] = symbol_store(baseline, symbol, of->table->columns[i].type, of->table->columns[i].name);
    if (row->cells[i].bound > of->bounds[i]) of->bounds[i] = row->cells[i].bound;
  }
}

static const Value *key_values(Baseline *baseline, const Table *table, const Value *row) {
  if (table->primary < 0 || row_has_null_key(table, row)) return NULL;
  const Index *primary = table->indexes.items[table->primary];
  Value *key = ARENA_ARRAY(&baseline->memory, Value, primary->column_count);
  for (uint32_t i = 0; i < primary->column_count; i++)
    key[i] = value_copy(&baseline->memory, row[primary->columns[i]]);
  return key;
}

static void table_initial(Baseline *baseline, const Table *table, Elements *made) {
  Store *store = engine_store(baseline->replay->engine);
  BaselineTable of = {.table = table};
  table_columns(baseline, &of);
  uint32_t number = baseline->tables.count;
  ARRAY_PUSH(&baseline->tables, of);
  BaselineTable *kept = &baseline->tables.items[number];
  uint32_t count = store_key_count(store, table);
  SymbolRow *rows = memory_new((count + 1) * sizeof *rows);
  for (uint32_t i = 0; i < count && !baseline->reason; i++) {
    const Key *key = store_key_at(store, table, i);
    if (!version_shows(key->newest)) continue;
    uint32_t slot = slot_make(baseline, number, key_values(baseline, table, key->newest->values), key->rowid);
    row_initial(baseline, kept, key, &rows[slot]);
  }
  kept->next_rowid = store_largest_rowid(store, table) + 1;
  made->slot_count = kept->slots.count;
  made->writes = ARENA_ARRAY(&baseline->memory, Term, made->slot_count);
  if (!baseline->reason) elements_make(baseline, number, rows, made);
  free(rows);
}

void state_initial(Baseline *baseline) {
  const Schema *schema = engine_schema(baseline->replay->engine);
  State state = {ARENA_ARRAY(&baseline->memory, Elements, schema->tables.count + 1)};
  for (uint32_t i = 0; i < schema->tables.count; i++) {
    const Table *table = schema->tables.items[i];
    if (schema_table(schema, table->name) != table) continue; /* dropped by the set-up */
    table_initial(baseline, table, &state.tables[baseline->tables.count]);
  }
  ARRAY_PUSH(&baseline->states, state);
}
