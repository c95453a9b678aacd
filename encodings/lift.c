/* lift.c: what a key shows, and the tree of forks. */
#include "encodings/lift_internal.h"

#include <assert.h>

/* ---- Life ------------------------------------------------------------------------------- */

static const Version *lift_read(void *context, const Key *key, ReadPurpose purpose);

static ChoiceId step_choice(Lift *lift);

static void lift_step(void *context) {
  Lift *lift = context;
  lift->step++;
  bool has_steps = false;
  for (uint32_t i = 0; i < READ_PURPOSES; i++)
    has_steps |= lift->level->rules[i] == RULE_STEP || lift->level->rules[i] == RULE_KEY_SINCE;
  if (has_steps) step_choice(lift);
}

void lift_init(Lift *lift, Terms *terms, Choices *choices, Store *store) {
  *lift = (Lift){.terms = terms, .choices = choices, .store = store};
  lift->view = (StoreView){.read = lift_read, .step = lift_step, .context = lift};
  lift->block_runner = (BlockWiseRunner){.run = lift_blocks_run, .context = lift};
  lift->runner = (RowWiseRunner){.run = lift_rows_run, .context = lift};
  arena_init(&lift->arena);
  arena_init(&lift->memory);
}

void lift_free(Lift *lift) {
  arena_free(&lift->arena);
  arena_free(&lift->memory);
  ARRAY_FREE(&lift->reads);
  ARRAY_FREE(&lift->trail);
  ARRAY_FREE(&lift->uncertain);
}

void lift_begin(Lift *lift, const Level *level, uint32_t place, const StateSet *allowed) {
  lift->level = level;
  lift->place = place;
  lift->operation = lift->step = 0;
  lift->is_reader = lift->is_undone = lift->explains_error = lift->is_guessed = lift->is_cut = false;
  lift->reads.count = 0;
  lift->vague = NULL;
  arena_clear(&lift->memory);
  lift->allowed = (StateSet){0};
  for (uint32_t i = 0; i < allowed->count; i++) ARENA_PUSH(&lift->memory, &lift->allowed, allowed->items[i]);
  lift->oldest = lift->step_oldest = allowed->items[0].first;
  store_set_view(lift->store, &lift->view);
}

void lift_end(Lift *lift) { store_set_view(lift->store, NULL); }

void lift_operation(Lift *lift, uint32_t operation, uint32_t step_oldest) {
  lift->operation = operation;
  lift->step_oldest = step_oldest > lift->oldest ? step_oldest : lift->oldest;
  lift->trail.count = 0;
  lift->observed = NULL;
  lift->guarded = 0;
  lift->block_cost = 0;
  lift->sums_are_many = lift->forks_blocks = false;
  lift->is_partial = lift->count_is_open = lift->takes_rows = false;
  arena_clear(&lift->arena);
}

void lift_run(Lift *lift) {
  lift->step = 0;
  lift->depth = 0;
  lift->path = TERM_TRUE;
  lift->states.items = NULL;
  lift->states.count = lift->states.room = 0;
  lift->leaves++;
}

bool lift_next(Lift *lift) {
  while (lift->trail.count > lift->base &&
         lift->trail.items[lift->trail.count - 1].taken + 1 == lift->trail.items[lift->trail.count - 1].count)
    lift->trail.count--;
  if (lift->trail.count <= lift->base) return false;
  lift->trail.items[lift->trail.count - 1].taken++;
  return true;
}

uint32_t *lift_trail(const Lift *lift, Arena *arena) {
  uint32_t *trail = arena_alloc(arena, (lift->trail.count + 1) * sizeof *trail);
  for (uint32_t i = 0; i < lift->trail.count; i++) trail[i] = lift->trail.items[i].taken;
  return trail;
}

void lift_follow(Lift *lift, const uint32_t *trail, uint32_t count) {
  lift->block_cost = 0; /* it was not too much the first time */
  lift->trail.count = 0;
  for (uint32_t i = 0; i < count; i++)
    ARRAY_PUSH(&lift->trail, (Fork){.taken = trail[i], .count = UINT32_MAX});
}

/* ---- Choices ------------------------------------------------------------------------------ */

static uint32_t read_find(const Lift *lift, ChoiceRole role, uint32_t operation, uint32_t step,
                          uint64_t serial) {
  for (uint32_t i = lift->reads.count; i-- > 0;) {
    const ReadChoice *read = &lift->reads.items[i];
    if (read->role == role && read->operation == operation && read->step == step && read->serial == serial)
      return i;
  }
  return UINT32_MAX;
}

/* Freshness, as far as it hangs on who took part. */
static void read_refresh(Lift *lift, ChoiceId choice, uint32_t oldest) {
  for (uint32_t i = lift->is_fresh ? lift->uncertain.count : 0; i-- > 0;) {
    const Uncertain *other = &lift->uncertain.items[i];
    if (other->place <= oldest) break;
    bool same_session = lift->session && other->session && strcmp(lift->session, other->session) == 0;
    if (other->latest < lift->start || same_session)
      choice_require(lift->choices, other->takes_part, choice, other->place);
    if (other->earliest >= lift->latest_start)
      choice_forbid(lift->choices, other->takes_part, choice, other->place);
  }
}

static uint32_t read_add(Lift *lift, ReadChoice read, uint32_t oldest, ChoiceId follows) {
  uint32_t newest = lift->place - 1;
  if (read.role == CHOICE_TRANSACTION) newest = lift->allowed.items[lift->allowed.count - 1].last;
  for (uint32_t i = lift->reads.count; follows != NO_CHOICE && i-- > 0;) {
    const ReadChoice *before = &lift->reads.items[i];
    if (before->choice == follows && before->states.items[0].first > oldest)
      oldest = before->states.items[0].first;
  }
  read.choice = choice_new(lift->choices, oldest, newest, follows);
  read.states = states_range(&lift->memory, oldest, newest);
  read_refresh(lift, read.choice, oldest);
  ARRAY_PUSH(&lift->reads, read);
  return lift->reads.count - 1;
}

static uint32_t transaction_read(Lift *lift) {
  uint32_t at = read_find(lift, CHOICE_TRANSACTION, 0, 0, 0);
  if (at != UINT32_MAX) return at;
  at = read_add(lift, (ReadChoice){.role = CHOICE_TRANSACTION}, lift->oldest, NO_CHOICE);
  lift->reads.items[at].states = lift->allowed;
  for (uint32_t i = 1; i < lift->allowed.count; i++)
    choice_exclude(lift->choices, lift->reads.items[at].choice, lift->allowed.items[i - 1].last + 1,
                   lift->allowed.items[i].first - 1);
  return at;
}

static uint32_t step_read(Lift *lift) {
  uint32_t at = read_find(lift, CHOICE_STEP, lift->operation, lift->step, 0);
  if (at != UINT32_MAX) return at;
  ChoiceId before = NO_CHOICE; /* steps are met in their order: the last one is the step before */
  for (uint32_t i = lift->reads.count; i-- > 0 && before == NO_CHOICE;)
    if (lift->reads.items[i].role == CHOICE_STEP) before = lift->reads.items[i].choice;
  ReadChoice read = {.role = CHOICE_STEP, .operation = lift->operation, .step = lift->step};
  return read_add(lift, read, lift->step_oldest, before);
}

static ChoiceId step_choice(Lift *lift) {
  uint32_t at = step_read(lift);
  return lift->reads.items[at].choice;
}

static uint32_t key_read(Lift *lift, ChoiceRole role, const Key *key, ChoiceId follows) {
  uint64_t serial = key ? key->serial : 0;
  uint32_t at = read_find(lift, role, lift->operation, lift->step, serial);
  if (at != UINT32_MAX) return at;
  ReadChoice read = {
      .role = role, .operation = lift->operation, .step = lift->step, .serial = serial, .key = key};
  return read_add(lift, read, lift->step_oldest, follows);
}

ChoiceId lift_transaction_choice(Lift *lift) {
  uint32_t at = transaction_read(lift);
  return lift->reads.items[at].choice;
}

/* ---- Forks ------------------------------------------------------------------------------------ */

/* Takes a branch of the fork at the present depth. */
static const Version *fork_take(Lift *lift, const Fork *fork) {
  const Alternative *alternative = &fork->alternatives[fork->taken];
  lift->path = term_and(lift->terms, lift->path, alternative->guard);
  if (fork->read != UINT32_MAX && !lift->keeps_states) {
    path_states(lift, fork->read);
    lift->states.items[fork->read] = alternative->states;
  }
  lift->depth++;
  return version_shows(alternative->version) ? alternative->version : NULL;
}

static const Fork *fork_find(const Lift *lift, uint64_t serial, ChoiceId choice) {
  for (uint32_t i = 0; i < lift->depth; i++)
    if (lift->trail.items[i].serial == serial && lift->trail.items[i].choice == choice)
      return &lift->trail.items[i];
  return NULL;
}

static const Version *version_if_shown(const Version *version) {
  return version_shows(version) ? version : NULL;
}

/* A row that may be seen or not, while rows in doubt are left out: noted for a run of its own. */
static const Version *fork_mask(Lift *lift, const Key *key, const Fork *fork) {
  if (!lift->reads_row) {
    lift->is_mixed = true;
    return version_if_shown(fork->alternatives[0].version);
  }
  for (uint32_t i = lift->masked.count; i-- > 0;)
    if (lift->masked.items[i] == key) return NULL;
  ARENA_PUSH(&lift->arena, &lift->masked, key);
  return NULL;
}

/* The fork at the present depth, which is made or met again. */
static const Version *fork_meet(Lift *lift, Fork fork) {
  if (lift->depth < lift->trail.count) {
    fork.taken = lift->trail.items[lift->depth].taken;
    lift->trail.items[lift->depth] = fork;
  } else {
    ARRAY_PUSH(&lift->trail, fork);
    lift->forks++;
  }
  return fork_take(lift, &lift->trail.items[lift->depth]);
}

/* Met in the run before, with the same forks before it: then it is the same, unless it shows own rows, which
 * were written anew. */
static bool fork_is_known(const Lift *lift, const Key *key, ChoiceId choice) {
  if (lift->mask == MASK_DOUBTFUL || lift->depth >= lift->trail.count) return false;
  const Fork *fork = &lift->trail.items[lift->depth];
  return fork->alternatives && fork->serial == key->serial && fork->choice == choice &&
         fork->newest == key->newest && key->newest->writer != lift->place;
}

/* What the key shows in the state of a choice (UINT32_MAX: in the current one). */
static const Version *key_see(Lift *lift, const Key *key, uint32_t read) {
  const Version *newest = key->newest;
  if (!newest) return NULL;
  ChoiceId choice = read == UINT32_MAX ? NO_CHOICE : lift->reads.items[read].choice;
  if (!newest->guard && (choice == NO_CHOICE || newest->writer == lift->place ||
                         newest->writer <= choice_oldest(lift->choices, choice)))
    return version_if_shown(newest);
  const Fork *known = fork_find(lift, key->serial, choice);
  if (known && known->newest == newest) /* L3; own writes since then are newer */
    return version_if_shown(known->alternatives[known->taken].version);
  if (fork_is_known(lift, key, choice)) return fork_take(lift, &lift->trail.items[lift->depth]);
  Fork fork = {.serial = key->serial, .choice = choice, .read = read, .newest = newest};
  alternatives_find(lift, key, read, &fork);
  if (!fork.count) return NULL;
  if (fork.count == 1) return version_if_shown(fork.alternatives[0].version);
  return lift->mask == MASK_DOUBTFUL ? fork_mask(lift, key, &fork) : fork_meet(lift, fork);
}

uint32_t lift_branch(Lift *lift, const Term *guards, uint32_t count) {
  if (count == 1 && guards[0] == TERM_TRUE) return 0;
  Fork fork = {.serial = UINT64_MAX, .choice = NO_CHOICE, .read = UINT32_MAX, .count = count};
  fork.alternatives = ARENA_ARRAY(&lift->arena, Alternative, count);
  for (uint32_t i = 0; i < count; i++) fork.alternatives[i].guard = guards[i];
  fork_meet(lift, fork);
  return lift->trail.items[lift->depth - 1].taken;
}

void lift_require(Lift *lift, Term condition) {
  if (condition == TERM_TRUE) return;
  lift->is_partial = true;
  lift_branch(lift, &condition, 1);
}

/* ---- Reads by purpose ----------------------------------------------------------------------------- */

static uint32_t rule_read(Lift *lift, ReadRule rule, const Key *key) {
  switch (rule) {
  case RULE_TRANSACTION: return transaction_read(lift);
  case RULE_STEP: return step_read(lift);
  case RULE_KEY: return key_read(lift, CHOICE_KEY, key, NO_CHOICE);
  case RULE_KEY_SINCE: return key_read(lift, CHOICE_KEY, key, step_choice(lift));
  default: return UINT32_MAX;
  }
}

/* The state in which a key was found taken, or a reference not to hold: the step's or a later one. */
static uint32_t error_read(Lift *lift, const Key *key) {
  if (lift->any_state_explains) {
    uint32_t at = read_find(lift, CHOICE_CHECK, lift->operation, lift->step, 0);
    if (at != UINT32_MAX) return at;
    ReadChoice read = {.role = CHOICE_CHECK, .operation = lift->operation, .step = lift->step};
    return read_add(lift, read, 0, NO_CHOICE);
  }
  ReadRule rule = lift->level->rules[READ_PLAIN];
  if (rule == RULE_CURRENT) return UINT32_MAX;
  if (rule == RULE_KEY) return key_read(lift, CHOICE_CHECK, key, NO_CHOICE);
  uint32_t step = rule_read(lift, rule, key);
  return key_read(lift, CHOICE_CHECK, NULL, lift->reads.items[step].choice);
}

/* A key that succeeds is free in the state read and in the current one; one that was given up again, in some
 * state from the step's on. */
static const Version *key_check(Lift *lift, const Key *key) {
  ReadRule rule = lift->level->rules[READ_KEY_CHECK];
  if (lift->is_undone && rule == RULE_CURRENT && lift->level->is_vendor_model)
    return key_see(lift, key, rule_read(lift, RULE_KEY_SINCE, key));
  if (rule != RULE_CURRENT) {
    const Version *seen = key_see(lift, key, rule_read(lift, rule, key));
    if (seen || lift->is_reader) return seen;
  }
  return key_see(lift, key, UINT32_MAX);
}

/* Forks on what a row went through in one step: once, however often it is looked at. */
static bool row_branch(Lift *lift, const Key *key, const Version *current, Term condition) {
  enum { CHOICE_HISTORY = 1u << 30 }; /* beyond every choice */
  Fork fork = {.serial = key->serial,
               .choice = (ChoiceId)(CHOICE_HISTORY + lift->step),
               .read = UINT32_MAX,
               .newest = current,
               .count = 2};
  const Fork *known = fork_find(lift, fork.serial, fork.choice);
  if (known) return known->taken == 0;
  fork.alternatives = ARENA_ARRAY(&lift->arena, Alternative, 2);
  fork.alternatives[0].guard = condition;
  fork.alternatives[1].guard = term_not(lift->terms, condition);
  fork_meet(lift, fork);
  return lift->trail.items[lift->depth - 1].taken == 0;
}

/* Between the version that was found and the current one the row was deleted: another row has its key now. */
static bool row_was_replaced(Lift *lift, const Key *key, const Version *current, const Version *found) {
  Term replaced = TERM_FALSE;
  for (const Version *version = current; version && version != found; version = version->older) {
    if (!version->is_tombstone || version->is_void) continue;
    if (!version->guard) return true;
    replaced = term_or(lift->terms, replaced, version->guard);
  }
  if (replaced == TERM_FALSE) return false;
  if (lift->mask != MASK_DOUBTFUL) return row_branch(lift, key, current, replaced);
  fork_mask(lift, key, &(Fork){.alternatives = &(Alternative){.version = current}});
  return lift->reads_row;
}

/* A row whose key was changed keeps its identity under the other key. */
static bool row_was_moved(const Key *key) {
  for (const Version *version = key->newest; version; version = version->older)
    if (version->is_tombstone && !version->is_void) return version->is_moved;
  return false;
}

static const Version *target_recheck(Lift *lift, const Key *key, ReadRule rule) {
  if (lift->is_undone && rule == RULE_CURRENT) rule = RULE_KEY_SINCE;
  const Version *current = key_see(lift, key, rule_read(lift, rule, key));
  if (!lift->level->is_physical) return current;
  const Version *found = key_see(lift, key, rule_read(lift, lift->level->rules[READ_FIND_TARGET], key));
  if (!current && found && row_was_moved(key)) lift->vague = "a locked row whose key was changed";
  if (current && found && row_was_replaced(lift, key, current, found)) return NULL;
  return current;
}

static const Version *lift_read(void *context, const Key *key, ReadPurpose purpose) {
  Lift *lift = context;
  if (lift->mask) {
    lift->reads_row = key->table == lift->mask_table && lift->mask_purposes >> purpose & 1;
    if (lift->mask == MASK_OTHERS && lift->reads_row && key != lift->mask_key) return NULL;
  }
  if (lift->is_reader && purpose == READ_PARENT_NOW) purpose = READ_PARENT;
  ReadRule rule = lift->level->rules[purpose];
  bool is_check = purpose == READ_KEY_CHECK || purpose == READ_PARENT || purpose == READ_PARENT_NOW;
  if (is_check && lift->any_state_explains) return key_see(lift, key, error_read(lift, key));
  const Version *newest = key->newest;
  uint32_t certain = rule == RULE_TRANSACTION ? lift->oldest : lift->step_oldest;
  bool is_certain = newest && !newest->guard && (newest->writer == lift->place || newest->writer <= certain);
  if (lift->is_guessed && newest && newest->writer != lift->place && newest->writer > lift->level_oldest) {
    lift->is_cut = true;
    lift->spared += is_certain;
  }
  if (is_certain) return version_shows(newest) ? newest : NULL; /* L2, without looking for a choice */
  if (is_check && lift->explains_error) return key_see(lift, key, error_read(lift, key));
  if (purpose == READ_KEY_CHECK) return key_check(lift, key);
  if (purpose == READ_RECHECK_TARGET || purpose == READ_RECHECK_SHARED)
    return target_recheck(lift, key, rule);
  if (lift->is_undone && rule == RULE_CURRENT && lift->level->is_vendor_model) rule = RULE_KEY_SINCE;
  return key_see(lift, key, rule_read(lift, rule, key));
}

Version *lift_version_keep(Lift *lift, const Table *table, const Version *version) {
  uint32_t count = version->is_tombstone ? 0 : table->column_count;
  Version *copy = arena_alloc(&lift->arena, sizeof *copy + count * sizeof *copy->values);
  *copy = *version;
  for (uint32_t i = 0; i < count; i++) copy->values[i] = value_copy(&lift->arena, version->values[i]);
  return copy;
}

/* ---- What is left ----------------------------------------------------------------------------------- */

void lift_keep(Lift *lift, bool is_first) {
  for (uint32_t i = 0; i < lift->reads.count; i++) {
    ReadChoice *read = &lift->reads.items[i];
    StateSet states = path_states(lift, i), none = {0};
    read->kept = states_join(&lift->memory, is_first ? &none : &read->kept, &states);
  }
}

void lift_settle(Lift *lift) {
  if (lift->keeps_states) return;
  for (uint32_t i = 0; i < lift->reads.count; i++)
    if (lift->reads.items[i].kept.count) lift->reads.items[i].states = lift->reads.items[i].kept;
}

bool lift_see_writers(Lift *lift, const StoreWrite *write) {
  if (lift->keeps_states) return true; /* the solver sees to it */
  if (write->version->guard) return true;
  uint32_t read = transaction_read(lift);
  StateSet states = path_states(lift, read);
  for (const Version *version = write->key->newest; version; version = version->older) {
    if (version->writer <= lift->oldest) break;
    if (version->writer == lift->place || version->guard || version->is_void) continue;
    StateSet since = states_range(&lift->arena, version->writer, lift->place - 1);
    states = states_meet(&lift->arena, &states, &since);
    break;
  }
  lift->states.items[read] = states;
  return states.count > 0;
}

Term lift_wrote(Lift *lift, const Key *key, uint32_t place) {
  Term wrote = TERM_FALSE;
  for (const Version *version = key->newest; version; version = version->older) {
    if (version->writer < place) break;
    if (version->writer != place) continue;
    if (!version->guard || version->together) return TERM_TRUE;
    if (version->is_void) continue;
    wrote = term_or(lift->terms, wrote, version->guard);
  }
  return wrote;
}
