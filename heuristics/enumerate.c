/* enumerate.c: counting through the choices. */
#include "heuristics/enumerate_internal.h"

#include "src/base/clock.h"

/* ---- Digits -----------------------------------------------------------------------------------------------
 */

uint32_t digit_take(Counter *counter, uint32_t count) {
  if (counter->next_digit == counter->digits.count)
    ARENA_PUSH(&counter->arena, &counter->digits, ((Digit){0, count}));
  return counter->digits.items[counter->next_digit++].taken;
}

/* The next number; digits behind the last one that was asked for are nobody's.  False: all were tried. */
static bool digits_count_up(Counter *counter) {
  while (counter->digits.count) {
    Digit *last = &counter->digits.items[counter->digits.count - 1];
    if (++last->taken < last->count) return true;
    counter->digits.count--;
  }
  return false;
}

/* ---- Runs
 * -------------------------------------------------------------------------------------------------------- */

/* Who comes next, or NULL: nobody more. */
static Member *member_choose(Counter *counter, bool *is_stuck) {
  Member *allowed[MOST_TRANSACTIONS + 1];
  uint32_t count = 0;
  bool is_complete = true;
  for (uint32_t i = 0; i < counter->member_count; i++) {
    Member *member = &counter->members[i];
    bool is_committed = member->line->transaction.status == STATUS_COMMITTED;
    if (!member->is_placed && is_committed) is_complete = false;
    if (member_may_come_next(counter, member)) allowed[count++] = member;
  }
  if (is_complete) allowed[count++] = NULL;
  *is_stuck = !count;
  if (!count) return NULL;
  return allowed[count > 1 ? digit_take(counter, count) : 0];
}

static bool member_push(Counter *counter, Certifier *certifier, Member *member, Diag *diag) {
  member->is_placed = true;
  counter->order[++counter->placed] = member;
  return certifier_push(certifier, member->line, &member->rules, diag);
}

static bool order_push(Counter *counter, Certifier *certifier, Diag *diag) {
  for (;;) {
    bool is_stuck;
    Member *member = member_choose(counter, &is_stuck);
    if (!member) return !is_stuck;
    if (!member_push(counter, certifier, member, diag)) return false;
  }
}

/* The given order: each in its turn; the unknown take part or not. */
static bool given_push(Counter *counter, Certifier *certifier, Diag *diag) {
  const Log *log = counter->enumeration->log;
  uint32_t next = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    bool is_member = next < counter->member_count && counter->members[next].line == line;
    if (!is_member) {
      if (line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_ABORTED &&
          !certifier_push(certifier, line, &(CertifyRules){0}, diag))
        return false;
      continue;
    }
    Member *member = &counter->members[next++];
    if (line->transaction.status == STATUS_UNKNOWN && digit_take(counter, 2)) continue;
    for (uint32_t place = 1; place <= counter->placed; place++)
      if (member_must_precede(counter, member, counter->order[place])) return false;
    if (!member_push(counter, certifier, member, diag)) return false;
  }
  return true;
}

static void answer_note(void *context, const Operation *operation, const Outcome *outcome) {
  Counter *counter = context;
  Answers *answers = &counter->enumeration->answers;
  if (answers_are_of(answers, operation))
    answers_add(answers, engine_doubts(certifier_engine(counter->certifier)), outcome);
}

/* One execution.  True: it explains everything. */
static bool execution_run(Counter *counter, Diag *diag) {
  const Enumeration *enumeration = counter->enumeration;
  Arena notes; /* what the certifier writes into the witness */
  arena_init(&notes);
  Witness witness = {0};
  for (uint32_t i = 0; i < counter->member_count; i++)
    ARENA_PUSH(&notes, &witness.transactions, ((WitnessTransaction){.takes_part = true}));
  Certifier *certifier = certifier_new(enumeration->log, &witness, &notes, false, diag);
  if (!certifier) return arena_free(&notes), false;
  counter->certifier = certifier;
  certifier_ask(certifier, state_choose, counter);
  certifier_on_mismatch(certifier, answer_note, counter);
  counter->next_digit = counter->placed = counter->chosen.count = 0;
  for (uint32_t i = 0; i < counter->member_count; i++) counter->members[i].is_placed = false;
  bool holds =
      enumeration->is_given ? given_push(counter, certifier, diag) : order_push(counter, certifier, diag);
  holds = holds && readers_are_fresh(counter) && snapshots_are_strict(counter) &&
          certifier_settles(certifier);
  for (uint32_t i = 0; holds && i < enumeration->log->finals.count; i++)
    holds = certifier_push_final(certifier, enumeration->log->finals.items[i], diag);
  certifier_free(certifier);
  arena_free(&notes);
  return holds && !diag->failed;
}

/* ---- The log
 * ------------------------------------------------------------------------------------------------------ */

static bool is_observed(const Transaction *transaction) {
  if (transaction->status == STATUS_COMMITTED || transaction->session || transaction->start.given ||
      transaction->commit.given)
    return true;
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    const Operation *operation = &transaction->operations[i];
    if (operation->has_rows || operation->has_affected || operation->has_columns || operation->error ||
        operation->kind == OPERATION_READ)
      return true;
  }
  return false;
}

static bool may_take_part(const Line *line, bool only_observed) {
  return line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED &&
         (!only_observed || is_observed(&line->transaction));
}

static uint32_t members_count(const Log *log, bool only_observed) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) count += may_take_part(log->lines.items[i], only_observed);
  return count;
}

static void members_collect(Counter *counter, bool only_observed) {
  const Enumeration *enumeration = counter->enumeration;
  counter->members = ARENA_ARRAY(&counter->arena, Member, MOST_TRANSACTIONS + 1);
  counter->order = ARENA_ARRAY(&counter->arena, Member *, MOST_TRANSACTIONS + 2);
  for (uint32_t i = 0; i < enumeration->log->lines.count; i++) {
    const Line *line = enumeration->log->lines.items[i];
    if (!may_take_part(line, only_observed)) continue;
    Member *member = &counter->members[counter->member_count++];
    *member = (Member){.line = line, .level = enumeration->level_of(enumeration->context, line)};
    member->start = times_start(&line->transaction);
    member->commit = times_commit(&line->transaction);
    const Level *level = &levels[member->level.level];
    member->rules = (CertifyRules){.rules = level->rules,
                                   .forbids_conflicts = level->forbids_conflicts,
                                   .compares_values = enumeration->compares_values,
                                   .is_vendor_model = level->is_vendor_model,
                                   .is_physical = level->is_physical,
                                   .any_state_explains = !enumeration->is_given && member_is_serial(member)};
    counter->respects_commits |= !member_is_serial(member);
  }
}

/* Gaps, aborted transactions whose reads count, snapshots, and cells of several values are not enumerated. */
static bool log_is_closed(const Log *log) {
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    if (line->kind == LINE_GAP || line_is_reader(line)) return false;
    if (line->kind == LINE_TRANSACTION && line->transaction.snapshot) return false;
  }
  for (uint32_t i = 0; i < log->setup.count; i++) {
    const Line *line = log->setup.items[i];
    for (uint32_t row = 0; line->kind == LINE_TABLE && row < line->table.row_count; row++)
      for (uint32_t cell = 0; cell < line->table.rows[row].count; cell++)
        if (line->table.rows[row].cells[cell].kind != CELL_VALUE) return false;
  }
  return true;
}

EnumerateAnswer enumerate_run(Enumeration *enumeration, Diag *diag) {
  bool only_observed = members_count(enumeration->log, false) > MOST_TRANSACTIONS;
  if (!log_is_closed(enumeration->log) || members_count(enumeration->log, only_observed) > MOST_TRANSACTIONS)
    return ENUMERATE_OPEN;
  enumeration->is_partial = only_observed;
  Counter counter = {.enumeration = enumeration};
  arena_init(&counter.arena);
  members_collect(&counter, only_observed);
  EnumerateAnswer answer = ENUMERATE_REFUTED;
  do {
    enumeration->executions++;
    if (clock_seconds() > enumeration->deadline)
      answer = ENUMERATE_OPEN;
    else if (execution_run(&counter, diag))
      answer = ENUMERATE_EXPLAINED;
  } while (answer == ENUMERATE_REFUTED && !diag->failed && digits_count_up(&counter));
  if (diag->failed) answer = ENUMERATE_OPEN;
  arena_free(&counter.arena);
  return answer;
}
