/* judge.c: prefix after prefix, each over every order and every choice of who took part. */
#include "tests/oracle/judge.h"

#include <stdio.h>

typedef struct Judge {
  const History *history;
  const Rules *rules;
  World *world;
  Statement *statements[TRANSACTIONS_MOST][STEPS_MOST];
  uint32_t prefix; /* committed transactions whose observations count */
  uint32_t committed;
  bool wants_final;
  Order order;
  /* by transaction */
  bool is_required[TRANSACTIONS_MOST], is_optional[TRANSACTIONS_MOST], is_placed[TRANSACTIONS_MOST];
} Judge;

const char *ruling_name(Ruling ruling) {
  static const char *const names[] = {"correct", "violation", "bad-input", "open", "beyond"};
  return names[ruling];
}

/* In the given order later transactions are seen by nobody; in a searched one they may take part. Unknown
 * ones always may. */
static void roles_assign(Judge *judge) {
  uint32_t committed = 0;
  for (uint32_t i = 0; i < judge->history->count; i++) {
    Status status = judge->history->transactions[i]->status;
    bool is_later = status == STATUS_COMMITTED && ++committed > judge->prefix;
    bool is_reader = status == STATUS_ABORTED && judge->wants_final && judge->rules->checks_aborted;
    judge->is_required[i] = (status == STATUS_COMMITTED && !is_later) || is_reader;
    judge->is_optional[i] = status == STATUS_UNKNOWN || (is_later && judge->rules->is_search);
    judge->order.is_observed[i] = !is_later;
    judge->is_placed[i] = false;
  }
  judge->order.length = 0;
  judge->order.history = judge->history;
  judge->order.clock_error = judge->rules->clock_error;
}

static bool order_try(Judge *judge) {
  Search search = {.world = judge->world,
                   .rules = judge->rules,
                   .order = &judge->order,
                   .statements = judge->statements,
                   .wants_final = judge->wants_final};
  return search_run(&search);
}

static void place_push(Judge *judge, uint32_t txn) {
  judge->order.places[judge->order.length++] = txn;
  judge->is_placed[txn] = true;
}

static void place_pop(Judge *judge) { judge->is_placed[judge->order.places[--judge->order.length]] = false; }

/* In the given order an aborted transaction stands anywhere that its session and a strict level's times
 * allow. */
static bool reader_may_stand(const Judge *judge, uint32_t place) {
  const Order *order = &judge->order;
  Rules rules = *judge->rules;
  bool is_timed = level_is_strict(&rules);
  for (uint32_t i = 0; i < order->length; i++) {
    uint32_t first = order->places[i < place ? i : place], second = order->places[i < place ? place : i];
    if (i == place || rules.level == (rules.is_fresh ? LEVEL_COUNT : LEVEL_SER)) continue;
    if (order_wants_session(order, second, first)) return false;
    if (is_timed && order_wants(order, &rules, second, first)) return false;
  }
  return true;
}

/* Aborted transactions from `txn` on, each at every place between the others. */
static bool readers_try(Judge *judge, uint32_t txn) {
  Order *order = &judge->order;
  while (txn < judge->history->count && !(judge->is_required[txn] && !judge->is_placed[txn])) txn++;
  if (txn == judge->history->count) return order_try(judge);
  bool is_found = false;
  for (uint32_t place = 0; !is_found && place <= order->length; place++) {
    memmove(order->places + place + 1, order->places + place,
            (order->length - place) * sizeof *order->places);
    order->places[place] = txn;
    order->length++;
    judge->is_placed[txn] = true;
    is_found = reader_may_stand(judge, place) && readers_try(judge, txn + 1);
    judge->is_placed[txn] = false;
    order->length--;
    memmove(order->places + place, order->places + place + 1,
            (order->length - place) * sizeof *order->places);
  }
  return is_found;
}

static bool given_try(Judge *judge, uint32_t txn) {
  if (judge->world->beyond[0]) return false;
  if (txn == judge->history->count) return readers_try(judge, 0);
  if (judge->history->transactions[txn]->status == STATUS_ABORTED) return given_try(judge, txn + 1);
  if (!judge->is_required[txn] && given_try(judge, txn + 1)) return true;
  if (!judge->is_required[txn] && !judge->is_optional[txn]) return false;
  place_push(judge, txn);
  bool is_found = given_try(judge, txn + 1);
  place_pop(judge);
  return is_found;
}

static bool place_is_allowed(const Judge *judge, uint32_t txn) {
  for (uint32_t i = 0; i < judge->order.length; i++)
    if (order_wants(&judge->order, judge->rules, txn, judge->order.places[i])) return false;
  return true;
}

static bool orders_try(Judge *judge) {
  if (judge->world->beyond[0]) return false;
  bool is_complete = true;
  for (uint32_t i = 0; i < judge->history->count; i++)
    is_complete &= judge->is_placed[i] || !judge->is_required[i];
  if (is_complete && order_try(judge)) return true;
  for (uint32_t i = 0; i < judge->history->count; i++) {
    if (judge->is_placed[i] || !(judge->is_required[i] || judge->is_optional[i])) continue;
    if (!place_is_allowed(judge, i)) continue;
    place_push(judge, i);
    bool is_found = orders_try(judge);
    place_pop(judge);
    if (is_found) return true;
  }
  return false;
}

static bool prefix_holds(Judge *judge, uint32_t prefix, bool wants_final) {
  judge->prefix = prefix;
  judge->wants_final = wants_final;
  roles_assign(judge);
  return judge->rules->is_search ? orders_try(judge) : given_try(judge, 0);
}

/* At the strict levels, is the given order one that the times of the committed allow? */
static bool given_is_timely(Judge *judge) {
  judge->prefix = judge->committed;
  judge->wants_final = false;
  roles_assign(judge);
  for (uint32_t i = 0; i < judge->history->count; i++)
    if (judge->is_required[i]) place_push(judge, i);
  if (judge->rules->level == LEVEL_SSI) return order_is_timely(&judge->order);
  for (uint32_t i = 0; i < judge->order.length; i++)
    for (uint32_t j = i + 1; j < judge->order.length; j++)
      if (order_wants(&judge->order, judge->rules, judge->order.places[j], judge->order.places[i]))
        return false;
  return true;
}

static void statements_prepare(Judge *judge) {
  for (uint32_t i = 0; i < judge->history->count; i++) {
    const Transaction *transaction = judge->history->transactions[i];
    judge->committed += transaction->status == STATUS_COMMITTED;
    if (transaction->status == STATUS_ABORTED && !judge->rules->checks_aborted) continue;
    if (transaction->level) world_beyond(judge->world, "levels of transactions");
    for (uint32_t op = 0; op < transaction->operation_count && !judge->world->beyond[0]; op++)
      if (!transaction->operations[op].meta)
        judge->statements[i][op] = world_statement(judge->world, &transaction->operations[op]);
  }
}

/* After a gap that may have written, only what fails before it is certain. */
static bool prefix_is_before_gap(const Judge *judge, uint32_t prefix) {
  uint32_t committed = 0;
  if (!judge->history->has_gap) return true;
  for (uint32_t i = 0; i < judge->history->gap_place; i++)
    committed += judge->history->transactions[i]->status == STATUS_COMMITTED;
  return prefix <= committed && !judge->rules->is_search;
}

static void prefixes_judge(Judge *judge, Judgement *judgement) {
  if (level_is_strict(judge->rules) && !judge->rules->is_search && !given_is_timely(judge)) {
    judgement->ruling = RULING_BAD_INPUT;
    return;
  }
  if (prefix_holds(judge, judge->committed, true)) return;
  uint32_t prefix = 1;
  while (prefix <= judge->committed && prefix_holds(judge, prefix, false)) prefix++;
  judgement->only_final = prefix > judge->committed;
  judgement->failing_prefix = judgement->only_final ? judge->committed : prefix;
  bool is_certain = prefix_is_before_gap(judge, judgement->failing_prefix) &&
                    !(judge->history->has_gap && judgement->only_final);
  judgement->ruling = is_certain ? RULING_VIOLATION : RULING_OPEN;
}

Judgement judge_history(const History *history, const Rules *rules) {
  Judgement judgement = {.ruling = RULING_CORRECT};
  Judge judge = {.history = history, .rules = rules, .world = history_world(history)};
  statements_prepare(&judge);
  if (!judge.world->beyond[0]) prefixes_judge(&judge, &judgement);
  if (judge.world->beyond[0]) {
    judgement.ruling = RULING_BEYOND;
    snprintf(judgement.reason, sizeof judgement.reason, "%s", judge.world->beyond);
  }
  judgement.runs = judge.world->runs;
  world_free(judge.world);
  return judgement;
}
