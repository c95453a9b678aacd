/* trust.c: --trust-snapshots: ids and snapshots as evidence (levels/snapshot.h).
 *
 * T1  A log in memory has ids and snapshots where they are trusted, and nowhere else.
 * T2  At ser and sser they say nothing of the serial order.  But a database that takes snapshots reads them
 * there, too: the same answers must be explained at si, by the states that the snapshots saw, before the
 * level itself is asked. */
#include "src/app/audit.h"

#include "levels/snapshot.h"

static const unsigned SERIAL = 1u << LEVEL_SER | 1u << LEVEL_SSER, SNAPSHOTS = 1u << LEVEL_SI;

static const char *trust_refusal(const Audit *audit) {
  unsigned all = audit->levels.plain | audit->levels.fresh;
  if (!audit->evidence.has_snapshots) return "no committed transaction has one";
  if (all & ~(SERIAL | SNAPSHOTS)) return "the level is not one of si, ser and sser";
  if (audit_has_baseline(audit)) return "the encodings of the whole log do not have them";
  if (audit->evidence.has_readers) return "what aborted transactions read counts as well";
  return NULL;
}

static bool line_is_good(Audit *audit, const Line *line) {
  const Transaction *transaction = &line->transaction;
  Snapshot snapshot;
  uint64_t xid;
  if (transaction->xid && !xid_parse(transaction->xid, &xid))
    return diag_fail(&audit->diag, (Place){audit->log, line->number, "xid", -1},
                     "'%.40s' is not a transaction id", transaction->xid);
  if (transaction->snapshot && !snapshot_parse(transaction->snapshot, &snapshot))
    return diag_fail(&audit->diag, (Place){audit->log, line->number, "snapshot", -1},
                     "'%.100s' is not a snapshot as pg_current_snapshot() prints it", transaction->snapshot);
  return true;
}

bool audit_trusts(Audit *audit) {
  if (audit->options->trust_snapshots) audit->distrust = trust_refusal(audit);
  return audit->options->trust_snapshots && !audit->distrust;
}

bool audit_trust(Audit *audit) {
  Log *log = &audit->whole;
  bool is_trusted = audit_trusts(audit);
  audit->trusted = 0;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    Line *line = (Line *)log->lines.items[i]; /* it is the log's own copy */
    if (line->kind != LINE_TRANSACTION) continue;
    if (is_trusted && !line_is_good(audit, line)) return false;
    if (!is_trusted) line->transaction.xid = line->transaction.snapshot = NULL;
    audit->trusted += line->transaction.snapshot && line->transaction.status == STATUS_COMMITTED;
  }
  return true;
}

bool audit_snapshots_bind(const Audit *audit) {
  return audit->trusted && (audit->levels.plain | audit->levels.fresh) & SERIAL;
}

TransactionLevel trust_level(TransactionLevel level) {
  bool is_serial = level.level == LEVEL_SER || level.level == LEVEL_SSER;
  if (is_serial) return (TransactionLevel){LEVEL_SI, level.is_fresh || level.level == LEVEL_SSER};
  return level;
}
