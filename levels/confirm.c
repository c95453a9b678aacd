/* confirm.c: the order, shown to the certifier and to the conditions at once. */
#include "levels/confirm.h"

#include "levels/obey.h"
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

/* Sessions in which something happened that a searched order does not place: what their variables hold is not
 * known. */
static bool sessions_with_others(const Log *log, Map *sessions) {
  bool is_gapped = false;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    is_gapped |= line->kind == LINE_GAP;
    bool is_aborted = line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_ABORTED;
    if ((is_aborted || line_is_reader(line)) && line->transaction.session)
      map_put(sessions, line->transaction.session, strlen(line->transaction.session), (void *)line);
  }
  return is_gapped;
}

typedef struct Confirming {
  const Confirmation *question;
  Witness *witness;
  Certifier *certifier;
  Obey *obey;
  Map others;
  bool is_gapped;
  uint32_t place;
  const char *reason;
  const char *limit; /* why it ended early, or NULL */
} Confirming;

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
  map_free(&run.others);
  obey_free(run.obey);
  certifier_free(run.certifier);
  return answer;
}
