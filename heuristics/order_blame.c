/* order_blame.c: a transaction is not explained where it stands: who of those before it did it not see?
 *
 * In doubt are the last transactions before it that may have written what it read and that no time puts
 * certainly before its reads.  Some of them are moved: behind everything that it must have seen, or, where it
 * reads the current state, behind itself; with them goes whoever touches what they wrote and came after them.
 * A guess: what it finds is pushed and certified like any other order. */
#include "heuristics/orders.h"

enum {
  BLAME_NEAR = 64,    /* places looked back in any case */
  BLAME_REACH = 4096, /* at most, to those that may have been on their way at the time */
  BLAME_DOUBTS = 10,  /* of which so many may be in doubt */
  BLAME_TRIES = 400
};

typedef struct Blame {
  Orders *orders;
  uint32_t next;     /* who was refused */
  bool is_current;   /* it reads the current state */
  uint32_t *numbers; /* owned: the last of the order, the newest last */
  uint32_t count;
  bool *is_seen;                 /* owned: for certain */
  uint32_t doubts[BLAME_DOUBTS]; /* positions in numbers, the newest first */
  uint32_t doubt_count;
  bool is_loose; /* who touches what was moved need not go with it */
  uint32_t tries;
  /* The way that is tried: */
  bool *is_moved, *stays; /* owned; the latter must be seen */
  uint32_t first;         /* that is moved */
  uint32_t behind;        /* the moved ones come behind this position; count: behind the refused one */
} Blame;

/* ---- Who is in doubt --------------------------------------------------------------------------------- */

static bool touch_meets(const Touch *write, const Touch *other) {
  if (!write->writes) return false;
  if (write->table == TABLE_ALL || other->table == TABLE_ALL) return true;
  return write->table == other->table && (write->is_whole || other->is_whole || write->key == other->key);
}

/* May the one have written what the other touches up to one of its operations? */
static bool candidate_writes_for(Orders *orders, uint32_t writer, uint32_t reader, uint32_t operation) {
  const CandidateTouches *writes = orders_touches(orders, writer), *reads = orders_touches(orders, reader);
  uint32_t last = operation < reads->operation_count ? reads->ends[operation] : reads->touches.count;
  for (uint32_t i = 0; i < writes->touches.count; i++)
    for (uint32_t k = 0; k < last; k++)
      if (touch_meets(&writes->touches.items[i], &reads->touches.items[k])) return true;
  return false;
}

/* The instant from which on the refused one may have read. */
static int64_t blame_instant(const Blame *blame, uint32_t operation) {
  const Candidate *candidate = &blame->orders->candidates[blame->next];
  const Transaction *transaction = &candidate->line->transaction;
  bool has_own = candidate->is_per_statement && operation < transaction->operation_count &&
                 transaction->operations[operation].start.given;
  return has_own ? transaction->operations[operation].start.lo : candidate->start.lo;
}

/* How far back somebody may stand who was not over at the instant. */
static uint32_t blame_reach(const Orders *orders, int64_t instant) {
  uint32_t reach = orders->depth < BLAME_NEAR ? orders->depth : BLAME_NEAR, most = orders->depth;
  if (most > BLAME_REACH) most = BLAME_REACH;
  for (uint32_t i = reach; i < most; i++) {
    uint32_t place = orders->depth - 1 - i;
    if (orders->latest[place] < instant || orders->latest[place] == INT64_MAX) break;
    reach = i + 1;
  }
  return reach;
}

static void blame_collect(Blame *blame) {
  Orders *orders = blame->orders;
  const SearchResult *result = orders->search->result;
  uint32_t operation = result->is_statement ? result->operation : UINT32_MAX;
  int64_t instant = blame_instant(blame, operation);
  blame->count = blame_reach(orders, instant);
  blame->numbers = memory_new((blame->count + 1) * sizeof *blame->numbers);
  blame->is_seen = memory_new(blame->count + 1);
  blame->is_moved = memory_new(blame->count + 1);
  blame->stays = memory_new(blame->count + 1);
  memcpy(blame->numbers, orders->taken + orders->depth - blame->count,
         blame->count * sizeof *blame->numbers);
  for (uint32_t i = blame->count; i-- > 0;) {
    uint32_t other = blame->numbers[i];
    bool is_bound = blame->is_current ? orders_must_precede(orders, other, blame->next)
                                      : orders->candidates[other].commit.hi < instant ||
                                            orders_are_of_session(orders, other, blame->next);
    blame->is_seen[i] = is_bound;
    bool is_in_doubt = !is_bound && blame->doubt_count < BLAME_DOUBTS &&
                       candidate_writes_for(orders, other, blame->next, operation);
    if (is_in_doubt) blame->doubts[blame->doubt_count++] = i;
  }
}

static void blame_free(Blame *blame) {
  free(blame->numbers);
  free(blame->is_seen);
  free(blame->is_moved);
  free(blame->stays);
}

/* ---- One way to move them ---------------------------------------------------------------------------- */

static bool move_make(Blame *blame, uint32_t mask) {
  blame->first = blame->count;
  blame->behind = blame->is_current ? blame->count : 0;
  bool has_any = blame->is_current;
  memset(blame->is_moved, 0, blame->count);
  memcpy(blame->stays, blame->is_seen, blame->count);
  for (uint32_t i = 0; i < blame->doubt_count; i++) {
    uint32_t at = blame->doubts[i];
    blame->is_moved[at] = mask >> i & 1;
    blame->stays[at] = !blame->is_moved[at];
    if (blame->is_moved[at] && at < blame->first) blame->first = at;
  }
  for (uint32_t i = blame->first; !blame->is_current && i < blame->count; i++)
    if (blame->stays[i]) blame->behind = i, has_any = true;
  return has_any && blame->behind > blame->first;
}

/* Does it touch what a moved one before it wrote? */
static bool move_draws(const Blame *blame, uint32_t at) {
  for (uint32_t k = blame->first; k < at; k++)
    if (blame->is_moved[k] &&
        candidate_writes_for(blame->orders, blame->numbers[k], blame->numbers[at], UINT32_MAX))
      return true;
  return false;
}

/* Whoever comes after a moved one and touches what it wrote goes with it.  False: that one must be seen. */
static bool move_close(Blame *blame) {
  for (uint32_t i = blame->first + 1; !blame->is_loose && i < blame->count && i <= blame->behind; i++) {
    if (blame->is_moved[i] || !move_draws(blame, i)) continue;
    if (blame->stays[i]) return false;
    blame->is_moved[i] = true;
  }
  return true;
}

/* Does the evidence let the moved ones stand behind those that they pass? */
static bool move_is_allowed(const Blame *blame) {
  for (uint32_t k = blame->first; k < blame->count && k <= blame->behind; k++) {
    if (!blame->is_moved[k]) continue;
    if (blame->behind == blame->count && orders_must_precede(blame->orders, blame->numbers[k], blame->next))
      return false;
    for (uint32_t i = k + 1; i < blame->count && i <= blame->behind; i++)
      if (!blame->is_moved[i] && orders_must_precede(blame->orders, blame->numbers[k], blame->numbers[i]))
        return false;
  }
  return true;
}

/* Takes one more and pushes it. */
static bool move_take(const Blame *blame, uint32_t number) {
  orders_take(blame->orders, number);
  return orders_hold(blame->orders);
}

static bool move_take_all(const Blame *blame, bool moved) {
  bool holds = true;
  for (uint32_t i = blame->first; holds && i < blame->count && i <= blame->behind; i++)
    if (blame->is_moved[i] == moved) holds = move_take(blame, blame->numbers[i]);
  return holds;
}

/* False: the order is as it was. */
static bool move_try(Blame *blame) {
  Orders *orders = blame->orders;
  uint32_t base = orders->depth - blame->count + blame->first;
  while (orders->depth > base) orders_give_back(orders);
  bool is_last = blame->behind == blame->count; /* they come behind the refused one */
  bool holds = move_take_all(blame, false);
  if (is_last) holds = holds && move_take(blame, blame->next);
  holds = holds && move_take_all(blame, true);
  for (uint32_t i = blame->behind + 1; holds && i < blame->count; i++)
    holds = move_take(blame, blame->numbers[i]);
  if (!is_last) holds = holds && move_take(blame, blame->next);
  if (holds || orders_are_over(orders)) return holds;
  while (orders->depth > base) orders_give_back(orders);
  for (uint32_t i = blame->first; i < blame->count; i++) orders_take(orders, blame->numbers[i]);
  return false;
}

static bool blame_try(Blame *blame, uint32_t mask) {
  if (!move_make(blame, mask) || !move_close(blame) || !move_is_allowed(blame)) return false;
  blame->tries++;
  return move_try(blame);
}

/* ---- All ways ------------------------------------------------------------------------------------------ */

/* The newest ones first, as if it had come before them; then few before many. */
static bool blame_try_all(Blame *blame) {
  uint32_t all = (1u << blame->doubt_count) - 1;
  for (uint32_t i = 1; i <= blame->doubt_count; i++) {
    if (blame_try(blame, (1u << i) - 1)) return true;
    if (orders_are_over(blame->orders)) return false;
  }
  for (uint32_t size = 1; size <= blame->doubt_count; size++)
    for (uint32_t mask = 1; mask <= all && blame->tries < BLAME_TRIES; mask++) {
      bool is_prefix = (mask & (mask + 1)) == 0;
      if (is_prefix || (uint32_t)__builtin_popcount(mask) != size) continue;
      if (blame_try(blame, mask)) return true;
      if (orders_are_over(blame->orders)) return false;
    }
  return false;
}

bool orders_blame(Orders *orders, uint32_t number) {
  Blame blame = {.orders = orders, .next = number, .is_current = orders->candidates[number].is_current};
  blame_collect(&blame);
  bool done = blame_try_all(&blame);
  if (!done && !orders_are_over(orders)) {
    blame.is_loose = true;
    done = blame_try_all(&blame);
  }
  blame_free(&blame);
  return done;
}
