/* search.h: is there an execution, in this order, that explains the history?
 *
 * All choices of views are tried, depth first.  What follows a choice depends only on the states so far, the
 * transaction's own writes and the bound on its next state, so a situation that failed once is not
 * tried again. */
#ifndef ALIBI_ORACLE_SEARCH_H
#define ALIBI_ORACLE_SEARCH_H

#include "tests/oracle/rules.h"

enum { NODES_MOST = 300000, COMBINATIONS_MOST = 5000 };

typedef struct KeySet {
  uint32_t count;
  KeyId keys[ITEMS_MOST];
} KeySet;

/* What the running transaction has written so far. */
typedef struct Own {
  uint32_t count;
  Item items[ITEMS_MOST]; /* sorted by key; row 0: deleted */
  KeySet touched;         /* every key it wrote */
  uint32_t body_count;
  const struct Own *saved; /* as it was at the savepoint; or NULL */
} Own;

/* What one step did. */
typedef struct Effect {
  Failure failure;
  uint32_t count;
  struct {
    Item old; /* key 0: inserted */
    RowId row;
  } changes[ITEMS_MOST];
  uint32_t row_count, column_count;
  const Value *rows[ITEMS_MOST * 4];
} Effect;

/* An error that only another state of the execution may explain (ser and sser under search). */
typedef struct Debt {
  const Statement *statement;
  Failure failure;
  Own own;
} Debt;

typedef struct Search {
  World *world;
  const Rules *rules;
  const Order *order;
  Statement *(*statements)[STEPS_MOST]; /* by transaction and operation */
  State states[TRANSACTIONS_MOST + 1];
  KeySet touched[TRANSACTIONS_MOST + 1];
  uint64_t pasts[TRANSACTIONS_MOST + 1]; /* hash of all states and touched keys up to each */
  Debt debts[STEPS_MOST];
  uint32_t debt_count;
  bool wants_final;
  Map tried;
  uint64_t nodes;
} Search;

/* The order and what it is asked is in the search; true: an execution was found. */
bool search_run(Search *search);

/* ---- views and effects (effect.c) ---- */
void view_take(World *world, const State *state, const Own *own, uint32_t tables, State *view);
const Item *state_find(const State *state, KeyId key);
bool keyset_has(const KeySet *set, KeyId key);
void effect_of_outcome(World *world, const Outcome *outcome, const State *view, Effect *effect);
/* Lays the effect over the own writes. False: it creates a key that is in the state before. */
bool effect_apply(World *world, const Effect *effect, const State *before, uint32_t txn, Own *own);
bool effect_matches(const World *world, const Statement *statement, const Effect *effect);
bool rows_match(const Value *const *rows, uint32_t count, uint32_t width, const ObservedRows *observed,
                bool is_ordered);
bool value_matches(Value value, Value observed);
/* What SAVEPOINT, ROLLBACK TO and RELEASE make of it. */
Own own_move(const Own *own, const Statement *statement);
bool state_overlay(const State *before, const Own *own, State *after);
uint32_t effect_affected(const World *world, const Effect *effect);

/* ---- mixtures (mixture.c): each view that takes every key's row from any of the states, until one is taken
 * ---- */
typedef bool ViewTaker(void *context, const State *view);
bool mixture_each(World *world, const State *states, uint32_t count, const Own *own, uint32_t tables,
                  ViewTaker *take, void *context);

/* ---- the vendors' models (vendor.c): each possible effect of a step is handed to `take`, until one says
 * true ---- */
typedef bool EffectTaker(void *context, const Effect *effect);
bool vendor_step(World *world, Level level, const Statement *statement, const State *states, uint32_t seen,
                 uint32_t last, const Own *own, EffectTaker *take, void *context);
/* The same for a step that ROLLBACK TO undid: each row that it locked may be of any state from `seen` on. */
bool vendor_step_undone(World *world, Level level, const Statement *statement, const State *states,
                        uint32_t seen, uint32_t last, const State *view, const Own *own, EffectTaker *take,
                        void *context);

#endif
