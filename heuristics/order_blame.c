/* order_blame.c: a transaction is not explained where it stands: who of those before it did it not see?
 *
 * In doubt are the last transactions before it that may have written what it read and that no time puts
 * certainly before its reads.  Some of them are moved: behind everything that it must have seen, or, where it
 * reads the current state, behind itself; with them goes whoever touches what they wrote and came after them.
 * A guess: what it finds is pushed and certified like any other order. */
#include "heuristics/orders.h"

#include "encodings/ask.h"

enum {
  BLAME_NEAR = 64,    /* places looked back in any case */
  BLAME_REACH = 4096, /* at most, to those that may have been on their way at the time */
  BLAME_DOUBTS = 10,  /* of which so many may be in doubt */
  BLAME_TRIES = 400,
  SIGHT_MOST = 400, /* of whom it is asked whether they were seen */
  SIGHT_CHAIN = 8   /* writers of one row, one after the other */
};

/* Touches are told from texts: two may seem to meet that do not.  So who touches what was moved */
typedef enum BlameMode {
  BLAME_STRICT,  /* goes with it; the way is none if that one must be seen */
  BLAME_LENIENT, /* goes with it unless that one must be seen */
  BLAME_LOOSE,   /* stays */
  BLAME_MODES
} BlameMode;

typedef struct Blame {
  Orders *orders;
  uint32_t next;     /* who was refused */
  bool is_current;   /* it reads the current state */
  uint32_t *numbers; /* owned: the last of the order, the newest last */
  uint32_t count;
  bool *is_seen;                 /* owned: for certain */
  bool *is_late;                 /* owned: certainly not, if it read when its client says it did */
  uint32_t doubts[BLAME_DOUBTS]; /* positions in numbers, the newest first */
  uint32_t doubt_count;
  BlameMode mode;
  uint32_t tries;
  uint32_t operation; /* the one that failed, where it had a state of its own */
  Interval instants;  /* of reading */
  /* The way that is tried: */
  bool *is_moved, *stays; /* owned; the latter must be seen */
  uint32_t first;         /* that is moved */
  uint32_t behind;        /* the moved ones come behind this position; count: behind the refused one */
} Blame;

/* ---- Who is in doubt --------------------------------------------------------------------------------- */

/* May both have written the same? */
static bool candidates_meet(Orders *orders, uint32_t number, uint32_t other) {
  const CandidateTouches *a = orders_touches(orders, number), *b = orders_touches(orders, other);
  for (uint32_t i = 0; i < a->touches.count; i++)
    for (uint32_t k = 0; k < b->touches.count; k++)
      if (b->touches.items[k].writes && touch_meets(&a->touches.items[i], &b->touches.items[k])) return true;
  return false;
}

/* The instants at which the refused one may have read: at its start, or the start of the operation. */
static Interval blame_instants(const Blame *blame, uint32_t operation) {
  const Candidate *candidate = &blame->orders->candidates[blame->next];
  const Transaction *transaction = &candidate->line->transaction;
  if (!candidate->is_per_statement || operation >= transaction->operation_count) return candidate->start;
  const Operation *own = &transaction->operations[operation];
  Interval instants = candidate->start;
  if (own->start.given) instants = (Interval){true, own->start.lo, INT64_MAX};
  if (own->end.given) instants.hi = own->end.hi;
  return instants;
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
  bool is_alone = result->is_statement && orders->candidates[blame->next].is_per_statement;
  uint32_t operation = is_alone ? result->operation : UINT32_MAX;
  blame->operation = operation;
  blame->instants = blame_instants(blame, operation);
  blame->count = blame_reach(orders, blame->instants.lo);
  blame->numbers = memory_new((blame->count + 1) * sizeof *blame->numbers);
  blame->is_seen = memory_new(blame->count + 1);
  blame->is_late = memory_new(blame->count + 1);
  blame->is_moved = memory_new(blame->count + 1);
  blame->stays = memory_new(blame->count + 1);
  memcpy(blame->numbers, orders->taken + orders->depth - blame->count, blame->count * sizeof *blame->numbers);
  for (uint32_t i = 0; i < blame->count; i++) {
    uint32_t other = blame->numbers[i];
    blame->is_seen[i] = blame->is_current ? orders_must_precede(orders, other, blame->next)
                                          : orders->candidates[other].commit.hi < blame->instants.lo ||
                                                orders_are_of_session(orders, other, blame->next);
  }
}

/* Who is in doubt, the newest first.  `believes`: those that sent their COMMIT after it had read are not. */
static bool blame_doubt(Blame *blame, bool believes) {
  Orders *orders = blame->orders;
  bool has_late = false;
  blame->doubt_count = 0;
  for (uint32_t i = blame->count; i-- > 0;) {
    uint32_t other = blame->numbers[i];
    blame->is_late[i] = false;
    if (blame->is_seen[i] || !orders_writes_for(orders, other, blame->next, blame->operation)) continue;
    blame->is_late[i] = believes && orders->candidates[other].commit.lo > blame->instants.hi;
    has_late |= blame->is_late[i];
    if (!blame->is_late[i] && blame->doubt_count < BLAME_DOUBTS) blame->doubts[blame->doubt_count++] = i;
  }
  return has_late || !believes;
}

static void blame_free(Blame *blame) {
  free(blame->numbers);
  free(blame->is_seen);
  free(blame->is_late);
  free(blame->is_moved);
  free(blame->stays);
}

/* ---- One way to move them ---------------------------------------------------------------------------- */

static bool move_make(Blame *blame, uint32_t mask) {
  blame->first = blame->count;
  blame->behind = blame->is_current ? blame->count : 0;
  bool has_any = blame->is_current;
  memcpy(blame->is_moved, blame->is_late, blame->count);
  memcpy(blame->stays, blame->is_seen, blame->count);
  for (uint32_t i = blame->count; i-- > 0;)
    if (blame->is_late[i]) blame->first = i;
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

/* Must it stand behind a moved one before it, by the evidence, or because it touches what that one wrote? */
static bool move_draws(const Blame *blame, uint32_t at, bool by_touch) {
  for (uint32_t k = blame->first; k < at; k++) {
    uint32_t moved = blame->numbers[k], other = blame->numbers[at];
    if (!blame->is_moved[k]) continue;
    if (orders_must_precede(blame->orders, moved, other)) return true;
    if (by_touch && orders_writes_for(blame->orders, moved, other, UINT32_MAX)) return true;
  }
  return false;
}

/* Whoever must stand behind a moved one goes with it.  False: that one must be seen. */
static bool move_close(Blame *blame) {
  uint32_t end = blame->behind < blame->count ? blame->behind + 1 : blame->count;
  for (uint32_t i = blame->first + 1; i < end; i++) {
    bool by_touch = blame->mode == BLAME_STRICT || (blame->mode == BLAME_LENIENT && !blame->stays[i]);
    if (blame->is_moved[i] || !move_draws(blame, i, by_touch)) continue;
    if (blame->stays[i]) return false;
    blame->is_moved[i] = true;
  }
  return true;
}

/* Does the evidence let the moved ones stand behind the refused one, where they do? */
static bool move_is_allowed(const Blame *blame) {
  for (uint32_t k = blame->first; blame->is_current && k < blame->count; k++)
    if (blame->is_moved[k] && orders_must_precede(blame->orders, blame->numbers[k], blame->next))
      return false;
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
  for (uint32_t i = 0; i <= blame->doubt_count; i++) {
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

/* ---- By what was seen ------------------------------------------------------------------------------------
 */

/* A guess at whom the refused statement saw: of those that may have written for it, who must be hidden so
 * that its answer is what was observed? */
typedef struct Sight {
  Blame *blame;
  Ask *ask;
  bool *hidden;  /* owned; by place */
  uint32_t base; /* place of the first position */
  uint32_t distance;
} Sight;

static bool sight_counts(const Sight *sight, uint32_t at) {
  const Blame *blame = sight->blame;
  return !blame->is_seen[at] &&
         orders_writes_for(blame->orders, blame->numbers[at], blame->next, blame->operation);
}

/* Hides one, then those before it who wrote where it did, as long as that is needed to come nearer. */
static void sight_hide(Sight *sight, uint32_t at) {
  const Blame *blame = sight->blame;
  ARRAY(uint32_t) tried = {0};
  uint32_t distance = sight->distance;
  for (uint32_t k = at + 1; k-- > 0 && tried.count < SIGHT_CHAIN;) {
    bool meets = k == at || (sight_counts(sight, k) && !sight->hidden[sight->base + k] &&
                             candidates_meet(blame->orders, blame->numbers[k], blame->numbers[at]));
    if (!meets) continue;
    ARRAY_PUSH(&tried, k);
    sight->hidden[sight->base + k] = true;
    distance = ask_distance(sight->ask, sight->hidden);
    if (distance < sight->distance) break;
  }
  if (distance < sight->distance)
    sight->distance = distance;
  else
    for (uint32_t i = 0; i < tried.count; i++) sight->hidden[sight->base + tried.items[i]] = false;
  ARRAY_FREE(&tried);
}

/* True: then what was observed comes out. */
static bool sight_find(Sight *sight) {
  const Blame *blame = sight->blame;
  sight->distance = ask_distance(sight->ask, sight->hidden);
  uint32_t tries = 0;
  for (uint32_t at = blame->count; at-- > 0 && sight->distance && tries < SIGHT_MOST;) {
    if (sight->hidden[sight->base + at] || !sight_counts(sight, at)) continue;
    sight_hide(sight, at);
    tries++;
  }
  return sight->distance == 0;
}

/* Who was hidden was not seen; who cannot be, was. */
static void sight_note(Sight *sight) {
  Blame *blame = sight->blame;
  for (uint32_t at = 0; at < blame->count; at++) {
    bool is_hidden = sight->hidden[sight->base + at];
    blame->is_late[at] = is_hidden;
    if (is_hidden || !sight_counts(sight, at)) continue;
    sight->hidden[sight->base + at] = true;
    blame->is_seen[at] = ask_distance(sight->ask, sight->hidden) != 0;
    sight->hidden[sight->base + at] = false;
  }
}

static bool blame_look(Blame *blame) {
  Orders *orders = blame->orders;
  Search *search = orders->search;
  const Line *line = orders->candidates[blame->next].line;
  uint32_t operation = search->result->operation;
  if (checker_places(search->result->checker) != orders->depth) return false;
  Sight sight = {.blame = blame, .base = orders->depth - blame->count + 1};
  bool is_one = orders->candidates[blame->next].is_per_statement;
  sight.ask = ask_begin(search->result->checker, line, is_one ? operation : 0,
                        is_one ? operation : line->transaction.operation_count - 1, search->diag);
  if (!sight.ask) return false;
  sight.hidden = memory_new(orders->depth + 2);
  bool is_found = sight_find(&sight);
  if (is_found) sight_note(&sight);
  free(sight.hidden);
  ask_end(sight.ask);
  blame->doubt_count = 0;
  return is_found;
}

static bool blame_answer(Blame *blame) {
  bool *seen = memory_new(blame->count + 1), done = false;
  memcpy(seen, blame->is_seen, blame->count);
  bool is_known = blame_look(blame);
  for (blame->mode = 0; is_known && !done && blame->mode < BLAME_MODES && !orders_are_over(blame->orders);
       blame->mode++)
    done = blame_try(blame, 0);
  if (!done) memcpy(blame->is_seen, seen, blame->count);
  free(seen);
  return done;
}

bool orders_blame(Orders *orders, uint32_t number) {
  Blame blame = {.orders = orders, .next = number, .is_current = orders->candidates[number].is_current};
  blame_collect(&blame);
  bool done = blame_answer(&blame);
  for (int believes = 1; !done && believes >= 0 && !orders_are_over(orders); believes--) {
    if (!blame_doubt(&blame, believes)) continue;
    for (blame.mode = 0; !done && blame.mode < BLAME_MODES && !orders_are_over(orders); blame.mode++)
      done = blame_try_all(&blame);
  }
  blame_free(&blame);
  return done;
}
