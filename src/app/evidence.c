/* evidence.c: running maxima: a contradiction shows against the largest instant so far. */
#include "src/app/evidence.h"

#include "levels/times.h"

void evidence_init(Evidence *evidence) {
  *evidence = (Evidence){0};
  map_init(&evidence->sessions_seen);
}

void evidence_free(Evidence *evidence) { map_free(&evidence->sessions_seen); }

static void latest_raise(Latest *latest, Interval interval, uint64_t line) {
  if (!interval.given || (latest->given && latest->instant >= interval.lo)) return;
  *latest = (Latest){true, interval.lo, line};
}

/* The transaction on `line` certainly committed before something that stands before it. */
static void contradiction_check(Contradiction *contradiction, Interval commit, Latest latest, uint64_t line) {
  if (contradiction->found || !commit.given || !latest.given || commit.hi >= latest.instant) return;
  *contradiction = (Contradiction){true, line, latest.line};
}

static void session_check(Evidence *evidence, const Transaction *transaction, uint64_t line) {
  if (!transaction->session) return;
  size_t length = strlen(transaction->session);
  uintptr_t above = (uintptr_t)map_get(&evidence->sessions_seen, transaction->session, length);
  if (above > line && !evidence->sessions.found) evidence->sessions = (Contradiction){true, line, above};
  if (above < line)
    map_put_copy(&evidence->sessions_seen, transaction->session, length, (void *)(uintptr_t)line);
}

/* ssi counts the commits before a start, equal instants not among them.  The commits before this transaction
 * may all be at `latest` or earlier, not all of them earlier. */
static bool starts_early(const Transaction *transaction, Latest latest) {
  if (!latest.given) return false;
  return times_start(transaction).hi <= latest.instant || times_commit(transaction).hi <= latest.instant;
}

void evidence_add(Evidence *evidence, const Line *line) {
  const Transaction *transaction = &line->transaction;
  if (transaction->status == STATUS_UNKNOWN)
    evidence->has_unknown |= transaction->session || transaction->start.given || transaction->commit.given;
  evidence->has_readers |= transaction->status == STATUS_READER;
  if (transaction->status != STATUS_COMMITTED) return; /* nothing is certain of the others */
  evidence->has_snapshots |= transaction->snapshot != NULL;
  session_check(evidence, transaction, line->number);
  contradiction_check(&evidence->starts, transaction->commit, evidence->latest_start, line->number);
  contradiction_check(&evidence->operations, transaction->commit, evidence->latest_operation, line->number);
  contradiction_check(&evidence->commits, transaction->commit, evidence->latest_commit, line->number);
  evidence->has_early_start |= starts_early(transaction, evidence->latest_commit);
  latest_raise(&evidence->latest_start, transaction->start, line->number);
  latest_raise(&evidence->latest_operation, transaction->start, line->number);
  Interval commit = times_commit(transaction);
  commit.given = commit.lo != INT64_MIN; /* a transaction commits after its start */
  latest_raise(&evidence->latest_commit, commit, line->number);
  evidence->has_times |= transaction->start.given || transaction->commit.given;
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    latest_raise(&evidence->latest_operation, transaction->operations[i].start, line->number);
    evidence->has_times |= transaction->operations[i].start.given;
  }
}
