/* checker_witness.c: open rows of the initial state, and the execution in the solver's model. */
#include "encodings/checker_internal.h"

/* The first alternative whose guard holds counts; the last has none. */
static void open_row_spread(Checker *checker, const InitialRow *row, uint32_t number) {
  OpenRow open = {.table = row->table->name, .row = number, .count = row->count, .initial = row};
  open.guards = ARENA_ARRAY(&checker->memory, Term, row->count);
  Store *store = engine_store(checker->replay->engine);
  store_put(store, row->table, row->key, row->rows[row->count - 1], row->key->rowid, 0);
  for (uint32_t i = row->count - 1; i-- > 0;) {
    open.guards[i] = term_variable(checker->terms, NULL);
    store_put(store, row->table, row->key, row->rows[i], row->key->rowid, open.guards[i]);
  }
  ARRAY_PUSH(&checker->open_rows, open);
}

/* The row is this alternative. */
static Term row_is(Checker *checker, const OpenRow *row, uint32_t alternative) {
  Term is = TERM_TRUE;
  for (uint32_t i = 0; i <= alternative && i + 1 < row->count; i++)
    is = term_and(checker->terms, is,
                  i == alternative ? row->guards[i] : term_not(checker->terms, row->guards[i]));
  return is;
}

static void rows_part(Checker *checker, const OpenRow *a, const OpenRow *b) {
  Engine *engine = checker->replay->engine;
  for (uint32_t one = 0; one < a->count; one++)
    for (uint32_t other = 0; other < b->count; other++) {
      if (!initial_rows_clash(engine, a->initial, one, b->initial, other)) continue;
      Term both = term_and(checker->terms, row_is(checker, a, one), row_is(checker, b, other));
      constraints_add(checker->constraints, term_not(checker->terms, both));
    }
}

/* Every state satisfies the unique keys, and so does the first. */
static void open_rows_part(Checker *checker) {
  for (uint32_t i = 0; i < checker->open_rows.count; i++) {
    const OpenRow *row = &checker->open_rows.items[i];
    if (!initial_row_is_key(row->initial)) continue;
    for (uint32_t k = i + 1; k < checker->open_rows.count; k++) {
      const OpenRow *other = &checker->open_rows.items[k];
      if (other->initial->table == row->initial->table && initial_row_is_key(other->initial))
        rows_part(checker, row, other);
    }
  }
}

void open_rows_spread(Checker *checker) {
  InitialRows rows = {0};
  if (!initial_rows(checker->replay->engine, &checker->memory, &rows)) {
    checker->set_aside = "a row of the initial state with too many alternatives";
    return;
  }
  for (uint32_t i = 0; i < rows.count; i++) checker->is_impossible |= !rows.items[i].count;
  if (checker->is_impossible) return;
  engine_begin(checker->replay->engine, 0);
  for (uint32_t i = 0; i < rows.count; i++) open_row_spread(checker, &rows.items[i], i);
  engine_commit(checker->replay->engine);
  open_rows_part(checker);
}

static void read_name_key(const Checker *checker, const Key *key, Arena *arena, WitnessRead *read) {
  const Table *table = store_table(checker->lift.store, key);
  const Version *version = key->newest;
  while (version && version->is_tombstone) version = version->older;
  read->table = arena_text(arena, table->name, strlen(table->name));
  read->rowid = key->rowid;
  if (table->primary < 0 || !version || row_has_null_key(table, version->values)) return;
  const Index *primary = table->indexes.items[table->primary];
  for (uint32_t i = 0; i < primary->column_count; i++)
    if (version->values[primary->columns[i]].kind == VALUE_DOUBT) return; /* by its row id */
  Observed *values = ARENA_ARRAY(arena, Observed, primary->column_count);
  for (uint32_t i = 0; i < primary->column_count; i++)
    values[i].value = value_copy(arena, version->values[primary->columns[i]]);
  read->key_count = primary->column_count;
  read->key = values;
}

static WitnessTransaction transaction_witness(Checker *checker, const Placed *placed, Arena *arena) {
  static const WitnessRole roles[] = {[CHOICE_TRANSACTION] = WITNESS_TRANSACTION,
                                      [CHOICE_STEP] = WITNESS_STEP,
                                      [CHOICE_KEY] = WITNESS_KEY,
                                      [CHOICE_CHECK] = WITNESS_CHECK};
  const char *name = placed->line->transaction.name;
  WitnessTransaction transaction = {.name = arena_text(arena, name, strlen(name)),
                                    .name_is_integer = placed->line->transaction.name_is_integer};
  transaction.takes_part =
      placed->takes_part == TERM_TRUE || solver_model(checker->solver, placed->takes_part);
  for (uint32_t i = 0; i < placed->reads.count; i++) {
    const ReadChoice *choice = &placed->reads.items[i];
    WitnessRead read = {.role = roles[choice->role],
                        .operation = choice->operation,
                        .step = choice->step,
                        .state = choice_state(checker->choices, choice->choice, checker->solver)};
    if (choice->key) read_name_key(checker, choice->key, arena, &read);
    ARENA_PUSH(arena, &transaction.reads, read);
  }
  return transaction;
}

Witness *checker_witness(Checker *checker, Arena *arena) {
  if (constraints_solve(checker->constraints) != ANSWER_SAT) return NULL; /* its time may be over */
  Witness *witness = ARENA_NEW(arena, Witness);
  for (uint32_t i = 1; i < checker->placed.count; i++)
    ARENA_PUSH(arena, &witness->transactions, transaction_witness(checker, &checker->placed.items[i], arena));
  for (uint32_t i = 0; i < checker->open_rows.count; i++) {
    const OpenRow *row = &checker->open_rows.items[i];
    WitnessRow taken = {.table = row->table, .row = row->row};
    while (taken.alternative + 1 < row->count &&
           !solver_model(checker->solver, row->guards[taken.alternative]))
      taken.alternative++;
    initial_row_name(row->initial, taken.alternative, arena, &taken);
    ARENA_PUSH(arena, &witness->rows, taken);
  }
  return witness;
}

/* Not all of its choices together. */
PushAnswer checker_block(Checker *checker, const Witness *witness) {
  Term same = TERM_TRUE;
  for (uint32_t i = 1; i < checker->placed.count; i++) {
    const Placed *placed = &checker->placed.items[i];
    const WitnessTransaction *seen = &witness->transactions.items[i - 1];
    Term part = seen->takes_part ? placed->takes_part : term_not(checker->terms, placed->takes_part);
    same = term_and(checker->terms, same, part);
    for (uint32_t k = 0; k < placed->reads.count; k++)
      same = term_and(
          checker->terms, same,
          choice_is_like(checker->choices, placed->reads.items[k].choice, seen->reads.items[k].state));
  }
  for (uint32_t i = 0; i < checker->open_rows.count; i++) {
    const OpenRow *row = &checker->open_rows.items[i];
    uint32_t taken = witness->rows.items[i].alternative;
    for (uint32_t k = 0; k <= taken && k + 1 < row->count; k++)
      same = term_and(checker->terms, same,
                      k == taken ? row->guards[k] : term_not(checker->terms, row->guards[k]));
  }
  checker_assert(checker, term_not(checker->terms, same));
  return checker_solve(checker);
}
