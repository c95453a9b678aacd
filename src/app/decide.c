/* decide.c: what a serial replay in the given order says about the level and order asked for.
 *
 * D1  A log that replays is correct at every level that ser implies in one and the same order
 *     (docs/levels.md, "Stronger and weaker"), and fresh where the order contradicts no time: then the
 *     newest state of the order is also the newest certain one.
 * D2  A log that does not replay is a violation at ser and sser in the given order, and only there.
 * D3  Everything else is searched: deep.c; everything, where the replay is not wanted (--heuristics).
 * D4  At ssi a serial replay is a proof where each transaction can have started behind all those before it.
 */
#include "src/app/audit.h"

#include <string.h>

const char *verdict_title(Verdict verdict) {
  static const char *const titles[] = {[VERDICT_CORRECT] = "correct",
                                       [VERDICT_VIOLATION] = "violation",
                                       [VERDICT_BAD_INPUT] = "bad-input",
                                       [VERDICT_UNKNOWN] = "unknown"};
  return titles[verdict];
}

/* ---- Which levels --------------------------------------------------------------- */

static bool level_fail(const Audit *audit, Place place, const char *name, LevelAnswer answer, Diag *diag) {
  if (answer == LEVEL_NOT_OF_DIALECT)
    return diag_fail(diag, place, "dialect %s has no level named '%.40s'",
                     dialect_title(audit->header.dialect.name), name);
  const char *nearest = level_nearest(name);
  if (nearest) return diag_fail(diag, place, "no such level: '%.40s'; did you mean '%s'?", name, nearest);
  return diag_fail(diag, place, "no such level: '%.40s'", name);
}

/* Notes one level that a transaction obeys. */
static void level_note(Audit *audit, LevelChoice choice) {
  bool is_fresh = audit->options->fresh || (choice.is_vendor_name && !audit->options->stale);
  unsigned *set = is_fresh ? &audit->levels.fresh : &audit->levels.plain;
  *set |= 1u << choice.id;
  unsigned all = audit->levels.fresh | audit->levels.plain;
  audit->level_title = (all & (all - 1)) ? "mixed" : levels[choice.id].name;
}

bool audit_name_levels(Audit *audit, const Line *line, Diag *diag) {
  const char *name = audit->options->level;
  Place place = {audit->log, line ? line->number : 1, "level", -1};
  LevelChoice choice = {LEVEL_SER, false};
  if (line && name) return true; /* --level overrides the transactions' own */
  bool is_default = line && !line->transaction.level;
  if (is_default && audit->levels.has_default) return true;
  if (name)
    place = PLACE_NONE;
  else
    name = line && line->transaction.level ? line->transaction.level : audit->header.level;
  LevelAnswer answer = name ? level_find(name, &audit->header, &choice) : LEVEL_FOUND;
  if (answer != LEVEL_FOUND) return level_fail(audit, place, name, answer, diag);
  if (!line && !audit->options->level) { /* which level it is shows with the first transaction */
    audit->level_title = levels[choice.id].name;
    return true;
  }
  if (line && line->transaction.status == STATUS_ABORTED) return true;
  if (!name) audit->levels.is_assumed = true;
  audit->levels.has_default |= is_default;
  level_note(audit, choice);
  return true;
}

/* A log without transactions: the level that would have been used. */
static void levels_complete(Audit *audit) {
  if (audit->levels.plain | audit->levels.fresh) return;
  LevelChoice choice = {LEVEL_SER, false};
  if (audit->header.level)
    level_find(audit->header.level, &audit->header, &choice);
  else
    audit->levels.is_assumed = true;
  level_note(audit, choice);
}

/* Vendors' names are fresh only where times are given. */
static void levels_drop_freshness(Audit *audit) {
  if (audit->evidence.has_times || audit->options->fresh) return;
  audit->levels.plain |= audit->levels.fresh;
  audit->levels.fresh = 0;
}

/* ---- Verdicts --------------------------------------------------------------------- */

static bool order_is(const Audit *audit, const char *order) {
  return strcmp(audit->options->order, order) == 0;
}

static const Contradiction *first_of(const Contradiction *a, const Contradiction *b) {
  return a->found ? a : b;
}

/* Does the level ask anything of the order? */
static bool level_binds_order(const Audit *audit, LevelId id, bool is_fresh) {
  bool is_serial = id == LEVEL_SER || id == LEVEL_SSER;
  return id == LEVEL_SSER || id == LEVEL_SSI || is_fresh || (order_is(audit, "search") && !is_serial);
}

/* What contradicts the level in this order, if anything does. */
static const Contradiction *level_contradiction(const Audit *audit, LevelId id, bool is_fresh) {
  const Evidence *evidence = &audit->evidence;
  static const Contradiction none = {0};
  const Contradiction *found = &none;
  bool is_strict = id == LEVEL_SSER || is_fresh;
  if (is_strict)
    found = first_of(levels[id].is_per_statement ? &evidence->operations : &evidence->starts,
                     &evidence->sessions);
  bool is_serial = id == LEVEL_SER || id == LEVEL_SSER;
  if (id == LEVEL_SSI || (order_is(audit, "search") && !is_serial))
    found = first_of(found, first_of(&evidence->commits, &evidence->sessions));
  return found;
}

/* At a strict level the given order must not contradict the times. */
static bool decide_bad_order(Audit *audit) {
  if (!order_is(audit, "given")) return false;
  for (LevelId id = 0; id < LEVEL_COUNT; id++) {
    bool is_fresh = audit->levels.fresh & 1u << id, is_used = is_fresh || audit->levels.plain & 1u << id;
    bool is_strict = id == LEVEL_SSER || id == LEVEL_SSI || (id == LEVEL_SER && is_fresh);
    const Contradiction *contradiction = level_contradiction(audit, id, is_fresh);
    if (!is_used || !is_strict || !contradiction->found) continue;
    Place place = {audit->log, contradiction->line, NULL, -1};
    diag_fail(
        &audit->diag, place,
        "the given order contradicts the times at level %s: this transaction certainly came before that of "
        "line %llu, but stands behind it",
        levels[id].name, (unsigned long long)contradiction->other_line);
    audit->verdict = VERDICT_BAD_INPUT;
    return true;
  }
  return false;
}

/* D4: does each transaction start behind all commits before it in the order, and not behind its own or a
 * later one? With x the least of its start's hi and the hi of the commits from its own on, that is the
 * instant to choose: the commits before it may be earlier than x, and x is not before its start's lo, or that
 * commit contradicts a start. */
static bool serial_is_strict(const Audit *audit) {
  const Evidence *evidence = &audit->evidence;
  return !evidence->has_early_start && !evidence->starts.found && !evidence->commits.found &&
         !evidence->sessions.found;
}

/* D1: is the replay's proof one for the levels asked for? */
static bool replay_is_proof(const Audit *audit) {
  if (audit->evidence.has_readers) return false;
  for (LevelId id = 0; id < LEVEL_COUNT; id++)
    for (int is_fresh = 0; is_fresh <= 1; is_fresh++) {
      if (!((is_fresh ? audit->levels.fresh : audit->levels.plain) & 1u << id)) continue;
      if (level_contradiction(audit, id, is_fresh)->found) return false;
      if (audit->evidence.has_unknown && level_binds_order(audit, id, is_fresh)) return false;
      bool is_mixed = (audit->levels.plain | audit->levels.fresh) & ~(1u << id);
      if (id == LEVEL_SSI && (is_mixed || !serial_is_strict(audit))) return false;
    }
  return true;
}

/* D2: a replay that fails is a violation at ser and sser in the given order. */
static bool replay_is_refutation(const Audit *audit) {
  const unsigned serial = 1u << LEVEL_SER | 1u << LEVEL_SSER;
  return order_is(audit, "given") && !((audit->levels.plain | audit->levels.fresh) & ~serial);
}

/* Does the given order agree with what the levels ask of an order? */
static bool given_is_possible(const Audit *audit) {
  for (LevelId id = 0; id < LEVEL_COUNT; id++) {
    bool is_fresh = audit->levels.fresh & 1u << id, is_used = is_fresh || audit->levels.plain & 1u << id;
    if (!is_used || order_is(audit, "given")) continue;
    if (level_contradiction(audit, id, is_fresh)->found) return false;
    if (audit->evidence.has_unknown && level_binds_order(audit, id, is_fresh)) return false;
  }
  return true;
}

Replay *audit_failure_replay(const Audit *audit) {
  return audit->has_searched && audit->search.checker ? checker_replay(audit->search.checker) : audit->replay;
}

bool audit_has_baseline(const Audit *audit) { return strcmp(audit->options->encoding, "partial") != 0; }

void audit_decide(Audit *audit) {
  levels_complete(audit);
  levels_drop_freshness(audit);
  audit->checked = replay_is_proof(audit) ? replay_checked(audit->replay) : 0;
  if (audit->reason) return; /* it was stopped */
  if (decide_bad_order(audit)) return;
  bool trusts = audit_trusts(audit);
  if (audit_has_baseline(audit)) {
    audit_ask_baseline(audit, given_is_possible(audit));
    return;
  }
  if (trusts || !heuristic_is_in(audit->heuristics, HEURISTIC_REPLAY)) {
    audit_deepen(audit, given_is_possible(audit));
    return;
  }
  audit->verdict = replay_verdict(audit->replay);
  audit->failure = replay_failure(audit->replay);
  uint64_t set_aside, kept;
  replay_set_aside(audit->replay, &set_aside, &kept);
  switch (audit->verdict) {
  case VERDICT_CORRECT:
    if (!replay_is_proof(audit) || replay_is_bound(audit->replay)) audit_deepen(audit, given_is_possible(audit));
    return;
  case VERDICT_VIOLATION:
    if (!replay_is_refutation(audit)) audit_deepen(audit, given_is_possible(audit));
    return;
  default:
    audit->reason = replay_reason(audit->replay, &audit->reason_transaction, &audit->reason_operation,
                                  &audit->reason_line);
    /* What one state could not tell, all the states that the initial cells leave open may. */
    if (!set_aside || !replay_is_refutation(audit) || replay_is_open(audit->replay))
      audit_deepen(audit, given_is_possible(audit));
    return;
  }
}
