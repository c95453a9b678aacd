/* confirm.c: the order, shown to the certifier and to the conditions at once. */
#include "levels/confirm.h"

#include "levels/obey.h"
#include "levels/snapshot.h"
#include "src/base/limit.h"

static CertifyRules rules_of(const Confirmation *question, LevelId id) {
  const Level *level = &levels[id];
  return (CertifyRules){.rules = level->rules,
                        .forbids_conflicts = level->forbids_conflicts,
                        .compares_values = question->compares_values,
                        .is_vendor_model = level->is_vendor_model,
                        .is_physical = level->is_physical,
                        .any_state_explains =
                            question->is_searched && level->rules[READ_PLAIN] == RULE_CURRENT};
}

static bool line_has_place(const Line *line) {
  return line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED;
}

static void session_note_other(Map *sessions, const Line *line) {
  bool is_aborted = line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_ABORTED;
  if ((is_aborted || line_is_reader(line)) && line->transaction.session)
    map_put_copy(sessions, line->transaction.session, strlen(line->transaction.session), (void *)sessions);
}

/* Sessions in which something happened that a searched order does not place: what their variables hold is not
 * known. */
static bool sessions_with_others(const Log *log, Map *sessions) {
  bool is_gapped = false;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    is_gapped |= line->kind == LINE_GAP;
    session_note_other(sessions, line);
  }
  return is_gapped;
}

/* ---- Snapshots -------------------------------------------------------------------------------- */

/* A transaction at its place, as far as snapshots tell. */
typedef struct Seen {
  uint64_t xid; /* or 0 */
  Snapshot snapshot;
  uint32_t state;
  uint64_t latest, earliest; /* the largest id up to here, the smallest from here on */
} Seen;

static uint32_t state_read(const WitnessTransaction *read, uint32_t place) {
  for (uint32_t i = 0; i < read->reads.count; i++)
    if (read->reads.items[i].role == WITNESS_TRANSACTION) return read->reads.items[i].state;
  return place - 1;
}

/* V1 of the transaction at the place. */
static bool snapshot_holds(const Seen *seen, uint32_t place, uint32_t last) {
  const Snapshot *snapshot = &seen[place].snapshot;
  for (uint32_t i = seen[place].state; i && seen[i].latest >= snapshot->first_open; i--)
    if (seen[i].xid && !snapshot_sees(snapshot, seen[i].xid)) return false;
  for (uint32_t i = seen[place].state + 1; i <= last && seen[i].earliest < snapshot->end; i++)
    if (seen[i].xid && i != place && snapshot_sees(snapshot, seen[i].xid)) return false;
  return true;
}

/* NULL: they hold; else the name of a transaction whose snapshot does not agree with what it read. */
static const char *snapshots_contradicted(const Confirmation *question, const Witness *witness) {
  Seen *seen = memory_new((question->count + 2) * sizeof *seen);
  const Line **lines = memory_new((question->count + 2) * sizeof *lines);
  uint32_t last = 0;
  for (uint32_t i = 0; i < question->count; i++) {
    const Line *line = question->order[i];
    if (!line_has_place(line)) continue;
    LevelId level = question->level_of(question->context, line).level;
    lines[++last] = line;
    seen[last] = (Seen){.xid = line_xid(line, level),
                        .snapshot = line_snapshot(line, level),
                        .state = state_read(&witness->transactions.items[last - 1], last)};
    seen[last].latest = seen[last].xid > seen[last - 1].latest ? seen[last].xid : seen[last - 1].latest;
  }
  seen[last + 1].earliest = UINT64_MAX;
  for (uint32_t i = last; i; i--) {
    bool is_earlier = seen[i].xid && seen[i].xid < seen[i + 1].earliest;
    seen[i].earliest = is_earlier ? seen[i].xid : seen[i + 1].earliest;
  }
  const char *name = NULL;
  for (uint32_t i = 1; i <= last && !name; i++)
    if (seen[i].snapshot.given && !snapshot_holds(seen, i, last)) name = lines[i]->transaction.name;
  free(lines);
  free(seen);
  return name;
}

/* ---- All of it -------------------------------------------------------------------------------- */

struct Confirming {
  const Confirmation *question;
  Witness *witness;
  Certifier *certifier;
  Obey *obey;
  Map others;
  bool is_gapped;
  uint32_t place;
  const char *reason;
  const char *limit; /* why it ended early, or NULL */
};

static bool line_confirm(Confirming *run, const Line *line, Diag *diag) {
  const Confirmation *question = run->question;
  CertifyRules rules = {0};
  if (!line_has_place(line)) return certifier_push(run->certifier, line, &rules, diag);
  TransactionLevel level = question->level_of(question->context, line);
  rules = rules_of(question, level.level);
  if (line_is_reader(line)) rules.forbids_conflicts = false; /* one may be why it was aborted */
  const char *session = line->transaction.session;
  if (question->is_searched && session && (run->is_gapped || map_find(&run->others, session)))
    engine_forget_session(certifier_engine(run->certifier), session);
  if (!certifier_push(run->certifier, line, &rules, diag)) return false;
  if (obey_push(run->obey, line, level.level, level.is_fresh ? FRESH_ALWAYS : FRESH_NEVER,
                &run->witness->transactions.items[run->place++]))
    return true;
  run->reason = obey_reason(run->obey);
  return false;
}

static bool lines_confirm(Confirming *run, Diag *diag) {
  const Confirmation *question = run->question;
  for (uint32_t i = 0; i < question->count; i++) {
    if (question->show && line_has_place(question->order[i]) && run->place == question->stop_place) break;
    run->limit = limit_reached();
    if (run->limit || !line_confirm(run, question->order[i], diag)) return false;
  }
  if (question->show) {
    if (!certifier_reason(run->certifier))
      question->show(question->show_context, certifier_engine(run->certifier));
    return !certifier_reason(run->certifier);
  }
  if (!certifier_settles(run->certifier)) return false;
  if (!obey_finish(run->obey)) {
    run->reason = obey_reason(run->obey);
    return false;
  }
  for (uint32_t i = 0; i < question->final_count; i++)
    if (!certifier_push_final(run->certifier, question->log->finals.items[i], diag)) return false;
  return true;
}

ConfirmAnswer confirm(const Confirmation *question, Witness *witness, Arena *arena, const char **reason,
                      Diag *diag) {
  Confirming run = {.question = question, .witness = witness};
  run.certifier = certifier_new(question->log, witness, arena, question->compares_choices, diag);
  if (!run.certifier) return CONFIRM_BAD;
  run.obey = obey_new(question->is_searched, true);
  map_init(&run.others);
  run.is_gapped = sessions_with_others(question->log, &run.others);
  ConfirmAnswer answer = lines_confirm(&run, diag) ? CONFIRM_HOLDS : CONFIRM_FAILS;
  const char *why = run.limit ? run.limit : run.reason ? run.reason : certifier_reason(run.certifier);
  if (answer == CONFIRM_HOLDS && why) answer = CONFIRM_FAILS; /* an empty order: the set-up told */
  if (answer == CONFIRM_FAILS && (run.limit || (!run.reason && certifier_is_undecided(run.certifier))))
    answer = CONFIRM_UNDECIDED;
  if (diag->failed) answer = CONFIRM_BAD;
  *reason = why ? arena_text(arena, why, strlen(why)) : NULL;
  const char *name = answer == CONFIRM_HOLDS && question->trusts_snapshots
                         ? snapshots_contradicted(question, witness)
                         : NULL;
  if (name) {
    answer = CONFIRM_FAILS;
    *reason = arena_format(arena, "transaction '%.100s' reads a state that its snapshot did not see", name);
  }
  map_free(&run.others);
  obey_free(run.obey);
  certifier_free(run.certifier);
  return answer;
}

/* ---- One by one ---------------------------------------------------------------------------------------- */

Confirming *confirming_begin(const Confirmation *question, Diag *diag) {
  static Witness nothing;
  Confirming *run = memory_new(sizeof *run);
  run->question = question;
  run->witness = &nothing;
  map_init(&run->others);
  run->certifier = certifier_new(question->log, &nothing, NULL, false, diag);
  if (!run->certifier) {
    confirming_free(run);
    return NULL;
  }
  store_keep_writes(engine_store(certifier_engine(run->certifier)));
  run->obey = obey_new(question->is_searched, true);
  return run;
}

void confirming_free(Confirming *run) {
  if (!run) return;
  map_free(&run->others);
  if (run->obey) obey_free(run->obey);
  if (run->certifier) certifier_free(run->certifier);
  free(run);
}

bool confirming_go_on(Confirming *run, Witness *witness, Arena *arena) {
  run->witness = witness;
  run->place = 0;
  certifier_go_on(run->certifier, witness, arena);
  if (obey_go_on(run->obey)) return true;
  run->reason = obey_reason(run->obey);
  return false;
}

bool confirming_push(Confirming *run, const Line *line, Diag *diag) { return line_confirm(run, line, diag); }

void confirming_note_other(Confirming *run, const Line *line) { session_note_other(&run->others, line); }

bool confirming_push_final(Confirming *run, const Line *line, Diag *diag) {
  return certifier_push_final(run->certifier, line, diag);
}

bool confirming_finish(Confirming *run) {
  if (!certifier_settles(run->certifier)) return false;
  if (obey_finish(run->obey)) return true;
  run->reason = obey_reason(run->obey);
  return false;
}

const char *confirming_reason(const Confirming *run) {
  return run->reason ? run->reason : certifier_reason(run->certifier);
}
