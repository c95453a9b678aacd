/* checker.c: state 0, and one transaction after the other. */
#include "encodings/checker_internal.h"

#include "src/base/clock.h"

/* ---- Life ------------------------------------------------------------------------------------ */

static bool checker_setup(Checker *checker, Diag *diag) {
  for (uint32_t i = 0; i < checker->log->setup.count; i++)
    if (!replay_line(checker->replay, checker->log->setup.items[i], diag)) return false;
  if (checker->replay->verdict == VERDICT_UNKNOWN) checker->set_aside = checker->replay->reason;
  open_rows_spread(checker);
  return true;
}

void checker_make_solver(Checker *checker) {
  const CheckerOptions *options = &checker->options;
  SolverOptions solver = {.dump_folder = options->dump, .justifies = true};
  checker->solver = solver_new(checker->terms, &solver);
  double left = options->deadline - clock_seconds();
  if (options->deadline > 0) solver_set_deadline(checker->solver, left > 0.001 ? left : 0.001);
}

Checker *checker_new(const Log *log, const CheckerOptions *options, Diag *diag) {
  Checker *checker = memory_new(sizeof *checker);
  checker->log = log;
  checker->options = *options;
  checker->replay = replay_new(&log->header, log->file);
  replay_assume_nothing(checker->replay); /* a choice without evidence refutes nothing */
  checker->terms = terms_new();
  checker_make_solver(checker);
  checker->constraints = constraints_new(checker->terms, checker->solver, options->is_joint);
  checker->choices = choices_new(checker->terms, checker->constraints);
  Store *store = engine_store(checker->replay->engine);
  lift_init(&checker->lift, checker->terms, checker->choices, store);
  checker->lift.keeps_states = options->keeps_states;
  store_keep_history(store, true);
  store_forbid_seeks(store, options->forbids_seeks);
  map_init(&checker->sessions);
  checker->earliest_commit = INT64_MAX;
  checker->latest_commit = INT64_MIN;
  checker->latest_fresh = INT64_MIN;
  ARRAY_PUSH(&checker->placed, (Placed){.takes_part = TERM_TRUE});
  if (checker_setup(checker, diag)) {
    engine_keep_undo(checker->replay->engine);
    engine_set_blockwise(checker->replay->engine, &checker->lift.block_runner);
    engine_set_rowwise(checker->replay->engine, &checker->lift.runner);
    Placed *initial = &checker->placed.items[0];
    initial->earliest = initial->latest_start = INT64_MIN;
    initial->has_digest = engine_digest(checker->replay->engine, &initial->digest);
    return checker;
  }
  checker_free(checker);
  return NULL;
}

void checker_free(Checker *checker) {
  if (!checker) return;
  lift_free(&checker->lift);
  choices_free(checker->choices);
  constraints_free(checker->constraints);
  solver_free(checker->solver);
  terms_free(checker->terms);
  replay_free(checker->replay);
  ARRAY_FREE(&checker->placed);
  ARRAY_FREE(&checker->pending);
  ARRAY_FREE(&checker->narrow);
  ARRAY_FREE(&checker->open_rows);
  map_free(&checker->sessions);
  arena_free(&checker->memory);
  free(checker);
}

const char *checker_reason(const Checker *checker, uint32_t *operation) {
  *operation = checker->reason_operation;
  return checker->reason;
}
CheckerFailure checker_failure(const Checker *checker) { return checker->failure; }
Replay *checker_replay(Checker *checker) { return checker->replay; }
const NarrowError *checker_narrow(Checker *checker, uint32_t *count) {
  *count = checker->narrow.count;
  checker->narrow.count = 0;
  return checker->narrow.items;
}
const char *checker_set_aside(const Checker *checker) { return checker->set_aside; }

/* Counters start over when something is settled; those of seeks do not. */
CheckerStats checker_stats(const Checker *checker) {
  const CheckerStats *settled = &checker->settled;
  uint64_t unfixed = checker->fixed - store_decided_count(checker->lift.store);
  CheckerStats stats = {.choices = settled->choices + choices_count(checker->choices),
                        .forks = settled->forks + checker->lift.forks,
                        .leaves = settled->leaves + checker->lift.leaves,
                        .decided = settled->decided + checker->decided,
                        .terms = settled->terms + terms_count(checker->terms),
                        .spared = settled->spared + checker->lift.spared,
                        .narrowed = settled->narrowed + checker->lift.narrowed,
                        .fixed = settled->fixed + checker->fixed,
                        .unfixed = settled->unfixed + unfixed,
                        .seeks = store_seek_stats(checker->lift.store),
                        .constraints = constraints_stats(checker->constraints),
                        .solver = solver_stats(checker->solver)};
  stats.constraints.checks += settled->constraints.checks;
  stats.constraints.left_out += settled->constraints.left_out;
  stats.solver.checks += settled->solver.checks;
  stats.solver.solver_checks += settled->solver.solver_checks;
  stats.solver.assertions += settled->solver.assertions;
  stats.solver.seconds += settled->solver.seconds;
  return stats;
}

void checker_assert(Checker *checker, Term term) {
  if (term != TERM_TRUE) ARRAY_PUSH(&checker->pending, term);
}

/* Are the new constraints satisfiable with the old?  Then they are old from now on. */
PushAnswer checker_solve(Checker *checker) {
  if (!checker->pending.count) {
    checker->decided++;
    return PUSH_EXPLAINED;
  }
  Answer answer = constraints_check(checker->constraints, checker->pending.items, checker->pending.count);
  for (uint32_t i = 0; answer == ANSWER_SAT && i < checker->pending.count; i++)
    constraints_add(checker->constraints, checker->pending.items[i]);
  checker->pending.count = 0;
  if (answer == ANSWER_SAT) return PUSH_EXPLAINED;
  if (answer == ANSWER_UNSAT) return PUSH_REFUTED;
  checker->reason = solver_reason(checker->solver);
  checker->reason_operation = 0;
  return PUSH_UNKNOWN;
}

/* ---- A transaction at its place ------------------------------------------------------------------ */

static Placed placed_make(Checker *checker, const Line *line, TransactionLevel level) {
  const Transaction *transaction = &line->transaction;
  Placed placed = {.line = line, .level = level, .takes_part = TERM_TRUE};
  if (transaction->status == STATUS_UNKNOWN) placed.takes_part = term_variable(checker->terms, NULL);
  if (transaction->session)
    placed.predecessor = (uint32_t)(uintptr_t)map_find(&checker->sessions, transaction->session);
  placed.start = times_start(transaction);
  placed.commit = times_commit(transaction);
  if (line_is_reader(line)) placed.commit = (Interval){false, INT64_MIN, INT64_MAX}; /* it commits never */
  placed.choices = choices_mark(checker->choices);
  placed.constraints = constraints_count(checker->constraints);
  placed.uncertain = checker->lift.uncertain.count;
  placed.guarded = checker->guarded;
  placed.earliest_commit = checker->earliest_commit;
  placed.latest_commit = checker->latest_commit;
  placed.latest_fresh = checker->latest_fresh;
  const Placed *before = &checker->placed.items[checker->placed.count - 1];
  bool counts = placed.takes_part == TERM_TRUE && placed.commit.lo > before->earliest;
  placed.earliest = counts ? placed.commit.lo : before->earliest;
  placed.xid = line_xid(line, level.level);
  placed.snapshot = line_snapshot(line, level.level);
  placed.latest_xid = placed.xid > before->latest_xid ? placed.xid : before->latest_xid;
  placed.latest_end = placed.snapshot.given && placed.snapshot.end > before->latest_end ? placed.snapshot.end
                                                                                        : before->latest_end;
  placed.latest_start = placed.start.hi > before->latest_start ? placed.start.hi : before->latest_start;
  return placed;
}

/* The oldest state that a statement may read, where it has one of its own. */
static uint32_t operation_oldest(Checker *checker, const Placed *placed, int64_t instant) {
  Lift *lift = &checker->lift;
  if (!levels[placed->level.level].is_per_statement) return 0;
  uint32_t oldest = placed->level.is_fresh ? oldest_fresh(checker, lift->place, instant) : 0;
  uint32_t guessed = oldest_guessed(checker, lift->place, instant);
  lift->level_oldest = oldest;
  if (guessed > oldest) lift->is_guessed = true;
  return guessed > oldest ? guessed : oldest;
}

static PushAnswer operations_run(Checker *checker, Run *run, const Placed *placed, Diag *diag) {
  const Transaction *transaction = run->transaction;
  const Level *level = &levels[placed->level.level];
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    const Operation *operation = &transaction->operations[i];
    if (operation->meta) {
      engine_forget_variables(run->replay->engine);
      continue;
    }
    checker->lift.start = placed->start.lo;
    if (level->is_per_statement && operation->start.given) checker->lift.start = operation->start.lo;
    lift_operation(&checker->lift, i, operation_oldest(checker, placed, checker->lift.start));
    checker->lift.explains_error = operation_fails_by_key(replay_dialect(checker->replay), operation);
    checker->lift.any_state_explains = checker->lift.explains_error && checker->options.is_searching &&
                                       level->rules[READ_PLAIN] == RULE_CURRENT && run->line->number;
    checker->lift.is_undone = level->is_vendor_model && operation_is_undone(transaction, i);
    LeafRun leaf = {.checker = checker, .run = run, .index = i, .diag = diag};
    PushAnswer answer = leaves_run(&leaf, placed->takes_part);
    if (answer != PUSH_EXPLAINED) return answer;
    arena_clear(engine_arena(run->replay->engine));
  }
  if (line_is_reader(run->line) || replay_commit_check(run) == STEP_NEXT) return PUSH_EXPLAINED;
  checker->failure = (CheckerFailure){.operation = transaction->operation_count, .is_statement = true};
  return PUSH_REFUTED;
}

/* Did the running transaction make the key? */
static bool key_is_own(const Checker *checker, const Key *key) {
  const Version *oldest = key->newest;
  while (oldest && oldest->older) oldest = oldest->older;
  return oldest && oldest->writer == checker->lift.place;
}

/* What a reader made goes with it: no state has it, and no read of it needs one. */
static void reads_keep(Checker *checker, Placed *placed) {
  bool is_reader = line_is_reader(placed->line);
  for (uint32_t i = 0; i < checker->lift.reads.count; i++) {
    const ReadChoice *read = &checker->lift.reads.items[i];
    if (is_reader && read->key && key_is_own(checker, read->key)) continue;
    ARENA_PUSH(&checker->memory, &placed->reads, *read);
  }
}

static void placed_finish(Checker *checker, uint32_t place) {
  Placed *placed = &checker->placed.items[place];
  placed->has_digest = engine_digest(checker->replay->engine, &placed->digest);
  const Transaction *transaction = &placed->line->transaction;
  if (line_is_reader(placed->line)) return;
  if (placed->takes_part != TERM_TRUE) {
    Uncertain uncertain = {place, placed->takes_part, placed->commit.lo, placed->commit.hi,
                           transaction->session};
    ARRAY_PUSH(&checker->lift.uncertain, uncertain);
    return;
  }
  if (transaction->session)
    map_put_copy(&checker->sessions, transaction->session, strlen(transaction->session),
                 (void *)(uintptr_t)place);
  if (placed->commit.hi < checker->earliest_commit) checker->earliest_commit = placed->commit.hi;
  if (placed->commit.hi > checker->latest_commit) checker->latest_commit = placed->commit.hi;
}

/* What the level asks of a transaction whose statements are explained. */
static PushAnswer placed_require(Checker *checker, uint32_t place) {
  const Placed *placed = &checker->placed.items[place];
  if (levels[placed->level.level].forbids_conflicts && !line_is_reader(placed->line))
    require_no_write_conflict(checker, placed->takes_part);
  if (placed->level.level == LEVEL_SSI && !require_commit_order(checker)) return PUSH_REFUTED;
  if (!require_fresh_readers(checker, place)) return PUSH_REFUTED;
  checker->failure.is_statement = false;
  return checker_solve(checker);
}

/* The transaction on the engine; its place and the view are in force. */
static PushAnswer placed_run(Checker *checker, uint32_t place, Diag *diag) {
  Placed *placed = &checker->placed.items[place];
  Replay *replay = checker->replay;
  Run run = {.replay = replay,
             .line = placed->line,
             .transaction = &placed->line->transaction,
             .is_tentative = true,
             .is_trial = true};
  replay->transactions = place;
  replay->verdict = VERDICT_CORRECT;
  replay->failure = NULL;
  engine_set_session(replay->engine, run.transaction->session);
  engine_begin(replay->engine, place);
  run.begin = store_mark(engine_store(replay->engine));
  EngineMark *mark = placed->engine = engine_mark(replay->engine, &checker->memory);
  PushAnswer answer = operations_run(checker, &run, placed, diag);
  if (answer == PUSH_REFUTED && placed->takes_part != TERM_TRUE) { /* then it took no part */
    checker->pending.count = 0;
    checker_assert(checker, term_not(checker->terms, placed->takes_part));
    engine_rewind(replay->engine, mark);
    checker->lift.reads.count = 0; /* of rows that are gone */
    answer = PUSH_EXPLAINED;
  }
  if (levels[placed->level.level].rules[READ_PLAIN] == RULE_TRANSACTION)
    lift_transaction_choice(&checker->lift);
  reads_keep(checker, placed);
  if (answer == PUSH_EXPLAINED) answer = placed_require(checker, place);
  if (answer == PUSH_EXPLAINED) {
    if (line_is_reader(placed->line)) { /* nobody sees what it wrote */
      engine_rewind(replay->engine, mark);
      engine_forget_session(replay->engine, run.transaction->session);
    }
    engine_commit(replay->engine);
  } else if (answer != PUSH_BAD) {
    engine_rewind(replay->engine, mark);
    engine_rollback(replay->engine);
  }
  if (placed->takes_part != TERM_TRUE) engine_forget_present(replay->engine);
  return answer;
}

/* The newest place is as if it had never been; the engine is back already. */
static void placed_forget(Checker *checker) {
  const Placed *placed = &checker->placed.items[--checker->placed.count];
  choices_rewind(checker->choices, placed->choices);
  constraints_forget(checker->constraints, placed->constraints);
  checker->lift.uncertain.count = placed->uncertain;
  checker->guarded = placed->guarded;
  checker->earliest_commit = placed->earliest_commit;
  checker->latest_commit = placed->latest_commit;
  checker->latest_fresh = placed->latest_fresh;
  checker->pending.count = 0;
}

/* What is read, and how old it may be. */
static void placed_view(Checker *checker, uint32_t place, const StateSet *allowed, const StateSet *guessed) {
  const Placed *placed = &checker->placed.items[place];
  Lift *lift = &checker->lift;
  lift->is_fresh = placed->level.is_fresh || placed->level.level == LEVEL_SSI;
  lift->start = placed->start.lo;
  lift->latest_start = placed->level.level == LEVEL_SSI ? placed->start.hi : INT64_MAX;
  lift->session = placed->line->transaction.session;
  lift->is_reader = line_is_reader(placed->line);
  lift->level_oldest = allowed->items[0].first;
  lift->is_guessed = states_count(guessed) < states_count(allowed);
  lift->is_cut = lift->is_guessed && lift->uncertain.count; /* who took part hangs on what is seen */
}

PushAnswer checker_push(Checker *checker, const Line *line, TransactionLevel level, Diag *diag) {
  if (line->kind == LINE_GAP || line->transaction.status == STATUS_ABORTED)
    return replay_line(checker->replay, line, diag) ? PUSH_EXPLAINED : PUSH_BAD;
  uint32_t place = checker->placed.count;
  Placed made = placed_make(checker, line, level);
  ARRAY_PUSH(&checker->placed, made);
  Arena arena;
  arena_init(&arena);
  StateSet allowed = states_allowed(checker, place, &arena);
  StateSet guessed = states_guessed(checker, place, &allowed, &arena);
  PushAnswer answer = PUSH_REFUTED;
  checker->failure = (CheckerFailure){.operation = 0};
  checker->pending.count = 0;
  if (checker->is_impossible) guessed.count = allowed.count = 0;
  checker->lift.is_cut = states_count(&guessed) < states_count(&allowed);
  if (guessed.count && !commit_was_seen(checker)) {
    lift_begin(&checker->lift, &levels[level.level], place, &guessed);
    placed_view(checker, place, &allowed, &guessed);
    answer = placed_run(checker, place, diag);
    lift_end(&checker->lift);
  } else if (!checker->is_impossible && !allowed.count &&
             checker->placed.items[place].takes_part != TERM_TRUE) { /* then it took no part */
    checker_assert(checker, term_not(checker->terms, checker->placed.items[place].takes_part));
    answer = checker_solve(checker);
  }
  arena_free(&arena);
  if (answer == PUSH_EXPLAINED) {
    placed_finish(checker, place);
  } else {
    placed_forget(checker);
  }
  return answer;
}

void checker_guess(Checker *checker, StateGuess guess) { checker->guess = guess; }
bool checker_was_cut(const Checker *checker) { return checker->lift.is_cut; }
uint32_t checker_places(const Checker *checker) { return checker->placed.count - 1; }

bool checker_pop(Checker *checker, uint32_t count) {
  Engine *engine = checker->replay->engine;
  for (uint32_t i = count + 1; i < checker->placed.count; i++) {
    engine_set_session(engine, checker->placed.items[i].line->transaction.session);
    if (checker->set_aside || !engine_can_rewind(engine)) return false;
  }
  if (checker->has_finals) {
    checker->replay->verdict = VERDICT_CORRECT; /* a final line that failed was told as a failure of all */
    checker->replay->is_stopped = false;
    choices_rewind(checker->choices, checker->final_choices);
    constraints_forget(checker->constraints, checker->final_constraints);
    checker->pending.count = 0;
    checker->has_finals = false;
  }
  while (checker->placed.count > count + 1) {
    const Placed *placed = &checker->placed.items[checker->placed.count - 1];
    const char *session = placed->line->transaction.session;
    engine_set_session(engine, session);
    if (placed->engine) engine_rewind(engine, placed->engine); /* else it was not run: it took no part */
    if (session && placed->takes_part == TERM_TRUE)
      map_put_copy(&checker->sessions, session, strlen(session), (void *)(uintptr_t)placed->predecessor);
    placed_forget(checker);
  }
  return true;
}

bool checker_is_certain(const Checker *checker) {
  return !checker->set_aside && !checker->guarded && !checker->lift.uncertain.count &&
         !checker->open_rows.count && !engine_doubts(checker->replay->engine)->doubts.count;
}

bool checker_digest(const Checker *checker, uint32_t state, StoreDigest *digest) {
  const Placed *placed = &checker->placed.items[state];
  StoreDigest now;
  if (!engine_digest(checker->replay->engine, &now) || !placed->has_digest || checker->set_aside ||
      checker->guarded || checker->lift.uncertain.count || checker->open_rows.count)
    return false;
  /* The two are equal where no older state counts, and equal ones must not cancel out. */
  for (uint32_t i = 0; i < 2; i++)
    digest->halves[i] = hash_mix(hash_mix(i + 1, placed->digest.halves[i]), now.halves[i]);
  return true;
}

PushAnswer checker_push_final(Checker *checker, const Line *line, Diag *diag) {
  if (!checker->has_finals) {
    checker->has_finals = true;
    checker->final_choices = choices_mark(checker->choices);
    checker->final_constraints = constraints_count(checker->constraints);
  }
  Arena arena;
  arena_init(&arena);
  StateSet allowed = states_range(&arena, 0, checker->placed.count - 1);
  lift_begin(&checker->lift, &levels[LEVEL_SER], checker->placed.count, &allowed);
  arena_free(&arena);
  engine_begin(checker->replay->engine, checker->placed.count);
  checker->lift.explains_error = checker->lift.any_state_explains = false;
  lift_operation(&checker->lift, 0, 0);
  LeafRun leaf = {.checker = checker, .final = line, .diag = diag};
  PushAnswer answer = leaves_run(&leaf, TERM_TRUE);
  engine_commit(checker->replay->engine);
  lift_end(&checker->lift);
  return answer == PUSH_EXPLAINED ? checker_solve(checker) : answer;
}
