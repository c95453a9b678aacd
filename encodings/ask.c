/* ask.c: a statement over a view that hides places. */
#include "encodings/ask.h"

#include "encodings/checker_internal.h"

#include <stdlib.h>

struct Ask {
  Checker *checker;
  Run run;
  uint32_t first, last, place; /* operations */
  const bool *hidden;
  StoreView view;
  EngineMark *begin, *mark;
  Arena arena;
  uint32_t distance; /* of the answers so far */
  Diag *diag;
};

static const Version *ask_read(void *context, const Key *key, ReadPurpose purpose) {
  const Ask *ask = context;
  (void)purpose;
  const Version *version = key->newest;
  while (version && (version->is_void || (version->writer < ask->place && ask->hidden[version->writer])))
    version = version->older;
  return version_shows(version) ? version : NULL;
}

static void ask_step(void *context) { (void)context; }

/* ---- Rows that differ --------------------------------------------------------------------------------- */

static bool row_is(const Ask *ask, const ResultSet *result, const ResultRow *row,
                   const ObservedRow *observed) {
  Engine *engine = ask->checker->replay->engine;
  if (observed->count != result->column_count) return false;
  for (uint32_t i = 0; i < observed->count; i++)
    if (match_cell(replay_dialect(ask->checker->replay), engine_doubts(engine), row->values[i],
                   result->column_types[i], 0, &observed->cells[i]) != 1)
      return false;
  return true;
}

static uint32_t rows_distance(Ask *ask, const ResultSet *result, const ObservedRows *observed) {
  bool *is_met = ARENA_ARRAY(&ask->arena, bool, result->row_count + 1);
  uint32_t met = 0;
  for (uint32_t i = 0; i < observed->count; i++)
    for (uint32_t k = 0; k < result->row_count; k++) {
      uint32_t at = (i + k) % result->row_count; /* rows mostly stand where they were observed */
      if (is_met[at] || !row_is(ask, result, &result->rows[at], &observed->rows[i])) continue;
      is_met[at] = true;
      met++;
      break;
    }
  uint32_t more = result->has_slice ? 0 : result->row_count - met;
  return observed->count - met + more;
}

static void ask_told(void *context, const Operation *operation, const Outcome *outcome) {
  Ask *ask = context;
  uint32_t distance =
      operation->has_affected && outcome->has_affected && operation->affected != outcome->affected;
  for (uint32_t i = 0; i < outcome->results.count && i < operation->result_count; i++)
    distance += rows_distance(ask, &outcome->results.items[i], &operation->results[i]);
  bool is_near =
      outcome->kind == OUTCOME_DONE && !operation->error && distance && ask->distance != ASK_FAILED;
  ask->distance = is_near ? ask->distance + distance : ASK_FAILED;
}

/* ---- Life ------------------------------------------------------------------------------------------------
 */

/* Its answer may differ; then it was run all the same. */
static bool ask_runs(Ask *ask, uint32_t operation) {
  Replay *replay = ask->checker->replay;
  if (ask->run.transaction->operations[operation].meta) return true;
  ask->run.aside = NULL;
  Step step = replay_operation(&ask->run, operation, &ask->run.transaction->operations[operation], ask->diag);
  replay->verdict = VERDICT_CORRECT;
  replay->is_stopped = false;
  arena_clear(engine_arena(replay->engine));
  return !ask->run.aside && (step == STEP_NEXT || step == STEP_MISMATCH);
}

Ask *ask_begin(Checker *checker, const Line *line, uint32_t first, uint32_t last, Diag *diag) {
  const Transaction *transaction = &line->transaction;
  if (last >= transaction->operation_count || checker->set_aside) return NULL;
  Ask *ask = memory_new(sizeof *ask);
  arena_init(&ask->arena);
  ask->checker = checker;
  ask->first = first;
  ask->last = last;
  ask->place = checker->placed.count;
  ask->diag = diag;
  ask->hidden = ARENA_ARRAY(&ask->arena, bool, ask->place + 1);
  ask->view = (StoreView){.read = ask_read, .step = ask_step, .context = ask};
  Replay *replay = checker->replay;
  Store *store = checker->lift.store;
  ask->run = (Run){
      .replay = replay, .line = line, .transaction = transaction, .is_tentative = true, .is_trial = true};
  engine_set_rowwise(replay->engine, NULL);
  engine_set_session(replay->engine, transaction->session);
  engine_begin(replay->engine, ask->place);
  ask->run.begin = store_mark(store);
  store_set_view(store, &ask->view);
  ask->begin = engine_mark(replay->engine, &ask->arena);
  bool runs = true;
  for (uint32_t i = 0; runs && i < first; i++) runs = ask_runs(ask, i);
  ask->mark = engine_mark(replay->engine, &ask->arena);
  if (runs) return ask;
  ask_end(ask);
  return NULL;
}

uint32_t ask_distance(Ask *ask, const bool *hidden) {
  Replay *replay = ask->checker->replay;
  ask->hidden = hidden;
  ask->distance = 0;
  replay->on_mismatch = ask_told;
  replay->mismatch_context = ask;
  Run before = ask->run;
  bool runs = true;
  for (uint32_t i = ask->first; runs && i <= ask->last && ask->distance != ASK_FAILED; i++)
    runs = ask_runs(ask, i);
  ask->run = before;
  replay->on_mismatch = NULL;
  engine_rewind(replay->engine, ask->mark);
  return runs ? ask->distance : ASK_FAILED;
}

void ask_end(Ask *ask) {
  Engine *engine = ask->checker->replay->engine;
  store_set_view(ask->checker->lift.store, NULL);
  engine_rewind(engine, ask->begin);
  engine_rollback(engine);
  engine_set_rowwise(engine, &ask->checker->lift.runner);
  arena_free(&ask->arena);
  free(ask);
}
