/* order_commute.c: a prune: need anybody be tried where a transaction stood and all that follows was refuted?
 *
 * Not if nobody who is still to come could have been before it, or have read a state without it, and would
 * have noticed.
 *
 * V1  Every order that has the transaction later is as good with it moved to the front of those still to
 *     come.  Who is passed by neither touches what it wrote nor wrote what it touches, so that both find what
 *     they found.  A state that somebody read behind its old place holds it already; one before that now
 * holds it besides, which only those who touch what it wrote would notice.  No state becomes less fresh. V2
 * It may stand there: no time and no session has anybody who is still to come before it. */
#include "heuristics/orders.h"

bool touch_meets(const Touch *write, const Touch *other) {
  if (!write->writes) return false;
  if (write->table == TABLE_ALL || other->table == TABLE_ALL) return true;
  return write->table == other->table && (write->is_whole || other->is_whole || write->key == other->key);
}

bool orders_writes_for(Orders *orders, uint32_t writer, uint32_t reader, uint32_t operation) {
  const CandidateTouches *writes = orders_touches(orders, writer), *reads = orders_touches(orders, reader);
  uint32_t last = operation < reads->operation_count ? reads->ends[operation] : reads->touches.count;
  for (uint32_t i = 0; i < writes->touches.count; i++)
    for (uint32_t k = 0; k < last; k++)
      if (touch_meets(&writes->touches.items[i], &reads->touches.items[k])) return true;
  return false;
}

/* May another one that is still to come tell whether it stands before it? */
static bool other_may_notice(Orders *orders, uint32_t number, uint32_t other) {
  const Candidate *first = &orders->candidates[number], *second = &orders->candidates[other];
  bool is_behind = orders_must_precede(orders, number, other);
  if (is_behind && second->earliest_read > first->commit.hi) return false;
  if (orders_writes_for(orders, number, other, UINT32_MAX)) return true;
  if (is_behind) return false;
  return second->commit.hi < first->latest_read || orders_writes_for(orders, other, number, UINT32_MAX);
}

bool orders_need_no_other(Orders *orders, uint32_t number) {
  const Candidate *candidate = &orders->candidates[number];
  const Search *search = orders->search;
  if (!heuristic_is_in(search->options.heuristics, HEURISTIC_COMMUTE)) return false;
  /* has_memory: states are told by what they hold alone. */
  if (!orders->has_memory || orders->keeps_given || search->is_gapped || orders->snapshots.given) return false;
  if (candidate->line->transaction.status != STATUS_COMMITTED) return false;
  for (uint32_t i = orders->first_unused; i < orders->count; i++) {
    if (orders->earliest[i] > candidate->commit.hi && orders->earliest_read[i] > candidate->commit.hi) break;
    if (i != number && !orders->is_used[i] && other_may_notice(orders, number, i)) return false;
  }
  search->result->counts.by_id[HEURISTIC_COMMUTE].fired++;
  return true;
}
