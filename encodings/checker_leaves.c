/* checker_leaves.c: an operation in all the ways it may have run.
 *
 * Every way is run, compared and undone.  If one way explains the observation, it is run once more and stays.
 * If several do, what they wrote is laid down under the guards of their paths. */
#include "encodings/checker_internal.h"

#include "src/base/clock.h"

/* Beyond a few leaves, statements that take their rows one by one do so. */
enum { LEAVES_FEW = 64, LEAVES_MOST = 4096 };

typedef ARRAY(Leaf) Leaves;

/* ---- One way ------------------------------------------------------------------------------ */

static LeafAnswer leaf_final(LeafRun *run) {
  Replay *replay = run->checker->replay;
  uint64_t aside = replay->set_aside_count;
  bool is_gapped = replay->is_gapped; /* what a gap may have written is no way of running */
  replay->is_gapped = false;
  bool done = replay_final(replay, run->final, run->diag);
  replay->is_gapped = is_gapped;
  if (!done) return LEAF_BAD;
  LeafAnswer answer = replay->verdict == VERDICT_VIOLATION ? LEAF_DIFFERS : LEAF_EXPLAINS;
  if (replay->set_aside_count != aside || replay->verdict == VERDICT_UNKNOWN) answer = LEAF_ASIDE;
  replay->verdict = VERDICT_CORRECT;
  replay->is_stopped = false;
  return answer;
}

static LeafAnswer leaf_run(LeafRun *run) {
  lift_run(&run->checker->lift);
  if (run->final) return leaf_final(run);
  run->run->aside = NULL;
  const Operation *operation = &run->run->transaction->operations[run->index];
  Step step = replay_operation(run->run, run->index, operation, run->diag);
  if (step == STEP_BAD) return LEAF_BAD;
  if (step == STEP_MISMATCH) return LEAF_DIFFERS;
  if (step == STEP_STOP || run->run->aside) return LEAF_ASIDE;
  return LEAF_EXPLAINS;
}

/* The versions that a way wrote to a key: down to one that certainly holds, each where no newer one does. */
static void leaf_keep_key(Leaf *leaf, Lift *lift, StoreWrite write) {
  Term rest = TERM_TRUE;
  for (const Version *version = write.version; version && version->writer == lift->place;
       version = version->older) {
    Term guard = version->guard ? version->guard : TERM_TRUE;
    LeafWrite kept = {.write = write, .guard = term_and(lift->terms, rest, guard)};
    kept.write.version = lift_version_keep(lift, write.table, version);
    if (write.is_new) kept.write.key = NULL;
    ARENA_PUSH(&lift->arena, &leaf->writes, kept);
    rest = term_and(lift->terms, rest, term_not(lift->terms, guard));
    if (rest == TERM_FALSE) return;
  }
}

static Leaf leaf_keep(LeafRun *run, UndoMark mark) {
  Lift *lift = &run->checker->lift;
  Leaf leaf = {.path = lift->path, .trail_count = lift->trail.count};
  leaf.trail = lift_trail(lift, &lift->arena);
  StoreWrites writes = {0};
  leaf.has_definitions = !store_writes(lift->store, mark, &writes);
  for (uint32_t i = 0; i < writes.count; i++) leaf_keep_key(&leaf, lift, writes.items[i]);
  ARRAY_FREE(&writes);
  return leaf;
}

/* Where the level forbids write conflicts: does what this way wrote since the mark agree with them?  Narrows
 * the state that the transaction reads. */
static bool leaf_has_no_conflict(LeafRun *run, UndoMark mark) {
  Lift *lift = &run->checker->lift;
  if (!lift->level->forbids_conflicts || run->checker->options.compares_values) return true;
  if (run->run && line_is_reader(run->run->line)) return true; /* a conflict may be why it was aborted */
  if (run->run && operation_is_undone(run->run->transaction, run->index))
    return true; /* then it wrote nothing */
  StoreWrites writes = {0};
  store_writes(lift->store, mark, &writes);
  bool agrees = true;
  for (uint32_t i = 0; agrees && i < writes.count; i++) agrees = lift_see_writers(lift, &writes.items[i]);
  ARRAY_FREE(&writes);
  return agrees;
}

/* ---- Several ways -------------------------------------------------------------------------- */

static bool write_is_same_key(const StoreWrite *a, const StoreWrite *b) {
  if (a->table != b->table) return false;
  if (a->key || b->key) return a->key == b->key;
  if (a->table->primary < 0 || row_has_null_key(a->table, a->version->values)) return a->rowid == b->rowid;
  const Index *primary = a->table->indexes.items[a->table->primary];
  for (uint32_t i = 0; i < primary->column_count; i++)
    if (!value_identical(a->version->values[primary->columns[i]], b->version->values[primary->columns[i]]))
      return false;
  return true;
}

static bool write_is_same_row(const StoreWrite *a, const StoreWrite *b) {
  if (a->version->is_tombstone != b->version->is_tombstone) return false;
  for (uint32_t i = 0; !a->version->is_tombstone && i < a->table->column_count; i++)
    if (!value_identical(a->version->values[i], b->version->values[i])) return false;
  return true;
}

/* A row that some leaves wrote to a key. */
typedef struct Merged {
  StoreWrite write;
  uint32_t key; /* place of the first of the same key */
  uint32_t leaf_count;
  Term guard;
} Merged;
typedef ARRAY(Merged) MergedWrites;

static void merged_add(Checker *checker, MergedWrites *merged, const Leaf *leaf, const LeafWrite *kept) {
  const StoreWrite *write = &kept->write;
  Term guard = term_and(checker->terms, leaf->path, kept->guard);
  bool is_certain = kept->guard == TERM_TRUE; /* on this leaf */
  uint32_t key = merged->count;
  for (uint32_t i = 0; i < merged->count; i++) {
    Merged *other = &merged->items[i];
    if (!write_is_same_key(&other->write, write)) continue;
    if (key == merged->count) key = other->key;
    if (!write_is_same_row(&other->write, write)) continue;
    other->guard = term_or(checker->terms, other->guard, guard);
    other->leaf_count += is_certain;
    return;
  }
  ARRAY_PUSH(merged, (Merged){.write = *write, .key = key, .leaf_count = is_certain, .guard = guard});
}

static void leaves_merge(Checker *checker, const Leaves *leaves, Term takes_part) {
  MergedWrites merged = {0};
  for (uint32_t i = 0; i < leaves->count; i++)
    for (uint32_t k = 0; k < leaves->items[i].writes.count; k++)
      merged_add(checker, &merged, &leaves->items[i], &leaves->items[i].writes.items[k]);
  for (uint32_t i = 0; i < merged.count; i++) {
    Merged *write = &merged.items[i];
    Term guard = write->leaf_count == leaves->count ? TERM_TRUE : write->guard;
    guard = term_and(checker->terms, takes_part, guard);
    if (guard == TERM_FALSE) continue;
    if (guard != TERM_TRUE) checker->guarded++;
    const Version *version = write->write.version;
    Key *known = write->write.key ? write->write.key : merged.items[write->key].write.key;
    Key *key = store_put(checker->lift.store, write->write.table, known,
                         version->is_tombstone ? NULL : version->values, write->write.rowid,
                         guard == TERM_TRUE ? 0 : guard);
    key->newest->is_moved = version->is_moved;
    merged.items[write->key].write.key = key;
  }
  ARRAY_FREE(&merged);
}

/* ---- All ways ---------------------------------------------------------------------------------- */

static PushAnswer leaves_unknown(Checker *checker, uint32_t operation, const char *reason) {
  checker->reason = reason;
  checker->reason_operation = operation;
  return PUSH_UNKNOWN;
}

/* It runs, but not every way is known: no way it ran may stay. */
static void operation_lose(LeafRun *run, const char *reason) {
  const Operation *operation = &run->run->transaction->operations[run->index];
  Engine *engine = run->checker->replay->engine;
  Arena *arena = &run->checker->lift.arena;
  Parameter *parameters = arena_alloc(arena, (operation->param_count + 1) * sizeof *parameters);
  for (uint32_t i = 0; i < operation->param_count; i++)
    parameters[i] = (Parameter){operation->params[i].name, operation->params[i].name_length,
                                operation->params[i].value.value};
  Footprint footprint = {0};
  Outcome outcome = {0};
  uint32_t offset;
  engine_prepare(engine, operation->sql, operation->sql_length, parameters, operation->param_count, &outcome,
                 &offset, &footprint);
  engine_forget_present(engine);
  engine_lose(engine, &footprint, reason);
}

/* Not modelled in some way: what it may have written is lost, and nothing is asked of it. */
static PushAnswer leaves_set_aside(LeafRun *run, const char *reason) {
  Checker *checker = run->checker;
  if (!checker->set_aside) checker->set_aside = replay_keep(checker->replay, reason);
  if (run->final) return PUSH_EXPLAINED;
  if (checker->lift.vague) {
    operation_lose(run, reason);
    return PUSH_EXPLAINED;
  }
  lift_operation(&checker->lift, run->index, 0);
  lift_run(&checker->lift);
  run->run->is_trial = false;
  run->run->aside = NULL;
  replay_operation(run->run, run->index, &run->run->transaction->operations[run->index], run->diag);
  if (!run->run->aside) operation_lose(run, reason); /* this way it is modelled, another way it is not */
  replay_put_aside(checker->replay, run->run->line, run->run->transaction->name, run->index,
                   run->run->transaction->operations[run->index].sql, reason, false);
  run->run->is_trial = true;
  return PUSH_EXPLAINED;
}

/* The one way that is left. */
static void leaf_settle(LeafRun *run, const Leaf *leaf) {
  lift_follow(&run->checker->lift, leaf->trail, leaf->trail_count);
  leaf_run(run);
}

/* The states up to here do not explain it, or not all of them; one that comes later might. */
static void error_note(LeafRun *run) {
  Checker *checker = run->checker;
  if (!checker->lift.any_state_explains) return;
  NarrowError narrow = {run->run->line->number, run->index};
  for (uint32_t i = 0; i < checker->narrow.count; i++)
    if (checker->narrow.items[i].line == narrow.line &&
        checker->narrow.items[i].operation == narrow.operation)
      return;
  ARRAY_PUSH(&checker->narrow, narrow);
}

static PushAnswer leaves_finish(LeafRun *run, Leaves *leaves, uint32_t leaf_count, Term takes_part) {
  Checker *checker = run->checker;
  Term paths = TERM_FALSE;
  bool has_definitions = false;
  for (uint32_t i = 0; i < leaves->count; i++) {
    paths = term_or(checker->terms, paths, leaves->items[i].path);
    has_definitions |= leaves->items[i].has_definitions;
  }
  if (leaves->count < leaf_count) error_note(run);
  if (leaves->count < leaf_count || checker->lift.is_partial)
    checker_assert(checker, term_implies(checker->terms, takes_part, paths));
  if (leaves->count == 1 && takes_part == TERM_TRUE) { /* with the forks as they were: before lift_settle */
    leaf_settle(run, &leaves->items[0]);
    if (checker->lift.count_is_open) engine_forget_count(checker->replay->engine);
    lift_settle(&checker->lift);
    return PUSH_EXPLAINED;
  }
  if (has_definitions)
    return leaves_unknown(checker, run->index, "a definition or a setting whose effect is in doubt");
  leaves_merge(checker, leaves, takes_part);
  if (takes_part == TERM_TRUE) lift_settle(&checker->lift);
  if (checker->lift.count_is_open) engine_forget_count(checker->replay->engine);
  if (leaves->count > 1) engine_forget_variables(checker->replay->engine);
  return PUSH_EXPLAINED;
}

typedef enum Collected { COLLECTED_ALL, COLLECTED_ASIDE, COLLECTED_TOO_MANY, COLLECTED_BAD } Collected;

static const char *leaf_reason(const LeafRun *run) {
  if (run->checker->lift.vague) return run->checker->lift.vague;
  return run->run && run->run->aside ? run->run->aside : "not modelled";
}

/* Runs every leaf and undoes it; those that explain the observation are kept. */
static Collected leaves_collect(LeafRun *run, const EngineMark *mark, Leaves *leaves, uint32_t *leaf_count,
                                const char **reason) {
  Engine *engine = run->checker->replay->engine;
  Lift *lift = &run->checker->lift;
  UndoMark undo = store_mark(lift->store);
  Run before = run->run ? *run->run : (Run){0}, after = before;
  do {
    if (run->run) *run->run = before;
    lift->vague = NULL;
    LeafAnswer answer = leaf_run(run);
    if (answer == LEAF_BAD) return COLLECTED_BAD;
    bool is_way = lift->path != TERM_FALSE; /* else no execution goes it */
    if (answer == LEAF_EXPLAINS && !lift->vague && !leaf_has_no_conflict(run, undo)) answer = LEAF_DIFFERS;
    if (answer == LEAF_EXPLAINS && is_way) {
      ARRAY_PUSH(leaves, leaf_keep(run, undo));
      lift_keep(lift, leaves->count == 1);
      if (run->run) after = *run->run;
    }
    if (is_way && (answer == LEAF_ASIDE || lift->vague))
      *reason = replay_keep(run->checker->replay, leaf_reason(run));
    engine_rewind(engine, mark);
    arena_clear(engine_arena(engine));
    if (lift->sums_are_many && !lift->forks_blocks) return COLLECTED_TOO_MANY;
    if (*reason) return COLLECTED_ASIDE;
    double deadline = run->checker->options.deadline;
    if (++*leaf_count == (lift->takes_rows ? LEAVES_MOST : LEAVES_FEW) ||
        (deadline > 0 && clock_seconds() > deadline))
      return COLLECTED_TOO_MANY;
  } while (lift_next(lift));
  if (run->run) *run->run = after;
  return COLLECTED_ALL;
}

/* No way explains it: what one of them would have answered is kept for the report. */
static PushAnswer leaves_refuted(LeafRun *run, Term takes_part) {
  Checker *checker = run->checker;
  error_note(run);
  if (takes_part != TERM_TRUE) return PUSH_REFUTED;
  checker->failure = (CheckerFailure){.operation = run->index, .is_statement = true};
  lift_operation(&checker->lift, run->index, checker->lift.step_oldest);
  lift_run(&checker->lift);
  if (run->final) {
    replay_final(checker->replay, run->final, run->diag);
  } else {
    run->run->is_tentative = false;
    replay_operation(run->run, run->index, &run->run->transaction->operations[run->index], run->diag);
  }
  return PUSH_REFUTED;
}

/* Once more, row by row; then without sums over them. */
static bool leaves_take_rows(LeafRun *run, const Run *before) {
  Lift *lift = &run->checker->lift;
  if (lift->takes_rows && (lift->forks_blocks || !lift->sums_are_many)) return false;
  if (run->run) *run->run = *before;
  lift->forks_blocks = lift->takes_rows;
  lift->takes_rows = true;
  lift->is_partial = lift->count_is_open = false;
  lift->trail.count = 0;
  return true;
}

static PushAnswer leaves_all(LeafRun *run, const EngineMark *mark, Term takes_part) {
  Leaves leaves = {0};
  uint32_t leaf_count = 0;
  const char *reason = NULL;
  PushAnswer answer = PUSH_BAD;
  Run before = run->run ? *run->run : (Run){0};
  Collected collected;
  do {
    leaves.count = leaf_count = 0;
    reason = NULL;
    collected = leaves_collect(run, mark, &leaves, &leaf_count, &reason);
  } while (collected == COLLECTED_TOO_MANY && leaves_take_rows(run, &before));
  switch (collected) {
  case COLLECTED_ALL:
    answer =
        leaves.count ? leaves_finish(run, &leaves, leaf_count, takes_part) : leaves_refuted(run, takes_part);
    break;
  case COLLECTED_ASIDE: answer = leaves_set_aside(run, reason); break;
  case COLLECTED_TOO_MANY:
    answer = leaves_unknown(run->checker, run->index, "too many ways in which a statement may have run");
    break;
  case COLLECTED_BAD: break;
  }
  ARRAY_FREE(&leaves);
  return answer;
}

/* It answered rightly, but wrote what it must not. */
static PushAnswer leaf_refuse(LeafRun *run) {
  run->checker->failure = (CheckerFailure){.operation = run->index};
  return PUSH_REFUTED;
}

static PushAnswer leaves_explain(LeafRun *run, Term takes_part) {
  Checker *checker = run->checker;
  Lift *lift = &checker->lift;
  lift->observed = run->final ? NULL : &run->run->transaction->operations[run->index];
  EngineMark *mark = engine_mark(checker->replay->engine, &lift->arena);
  /* The common case: one way, and it stays. */
  Run before = run->run ? *run->run : (Run){0};
  lift->vague = NULL;
  UndoMark undo = store_mark(lift->store);
  LeafAnswer answer = leaf_run(run);
  if (answer == LEAF_BAD) return PUSH_BAD;
  /* Whoever took part or not, what follows in the transaction finds its savepoints. */
  if (answer == LEAF_EXPLAINS && takes_part != TERM_TRUE && !run->final &&
      engine_moved_savepoints(checker->replay->engine))
    return PUSH_EXPLAINED;
  if (answer == LEAF_EXPLAINS && !lift->trail.count && takes_part == TERM_TRUE && !lift->vague) {
    if (!leaf_has_no_conflict(run, undo)) return leaf_refuse(run);
    if (lift->count_is_open) engine_forget_count(checker->replay->engine);
    lift_keep(lift, true);
    lift_settle(lift);
    return PUSH_EXPLAINED;
  }
  engine_rewind(checker->replay->engine, mark);
  if (run->run) {
    const char *aside = run->run->aside;
    *run->run = before;
    run->run->aside = aside;
  }
  if (answer == LEAF_DIFFERS && !lift->trail.count && !lift->vague) return leaves_refuted(run, takes_part);
  for (uint32_t i = 0; i < lift->trail.count; i++) lift->trail.items[i].taken = 0;
  return leaves_all(run, mark, takes_part);
}

PushAnswer leaves_run(LeafRun *run, Term takes_part) {
  PushAnswer answer = leaves_explain(run, takes_part);
  run->checker->guarded += run->checker->lift.guarded;
  return answer;
}
