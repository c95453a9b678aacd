/* lift.c: what a key shows, and the tree of forks. */
#include "encodings/lift.h"

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
  lift->is_undone = lift->explains_error = false;
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
  while (lift->trail.count &&
         lift->trail.items[lift->trail.count - 1].taken + 1 == lift->trail.items[lift->trail.count - 1].count)
    lift->trail.count--;
  if (!lift->trail.count) return false;
  lift->trail.items[lift->trail.count - 1].taken++;
  return true;
}

uint32_t *lift_trail(const Lift *lift, Arena *arena) {
  uint32_t *trail = arena_alloc(arena, (lift->trail.count + 1) * sizeof *trail);
  for (uint32_t i = 0; i < lift->trail.count; i++) trail[i] = lift->trail.items[i].taken;
  return trail;
}

void lift_follow(Lift *lift, const uint32_t *trail, uint32_t count) {
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

/* ---- Alternatives ----------------------------------------------------------------------------- */

typedef struct Candidate {
  const Version *version; /* NULL: before the first */
  StateRange states;
  bool is_own; /* or the read is current: visible in every state */
} Candidate;

typedef ARRAY(Candidate) Candidates;

/* The versions that can be seen, newest first, down to one that certainly is. */
static void candidates_collect(Lift *lift, const Key *key, uint32_t read, Candidates *candidates) {
  ChoiceId choice = read == UINT32_MAX ? NO_CHOICE : lift->reads.items[read].choice;
  uint32_t oldest = choice == NO_CHOICE ? 0 : choice_oldest(lift->choices, choice);
  uint32_t last = choice == NO_CHOICE ? lift->place - 1 : choice_newest(lift->choices, choice);
  for (const Version *version = key->newest; version; version = version->older) {
    bool is_own = choice == NO_CHOICE || version->writer == lift->place;
    bool is_certain = !version->guard && (is_own || version->writer <= oldest);
    uint32_t first = is_own || version->writer <= oldest ? oldest : version->writer;
    if (first <= last) ARENA_PUSH(&lift->arena, candidates, (Candidate){version, {first, last}, is_own});
    if (is_certain) return;
    if (!is_own && !version->guard && version->writer <= last) last = version->writer - 1;
  }
  if (oldest <= last || choice == NO_CHOICE)
    ARENA_PUSH(&lift->arena, candidates, (Candidate){NULL, {oldest, last}, true});
}

/* Was the row of the older version deleted before the newer one came? */
static bool row_is_reborn(const Version *newer, const Version *older) {
  bool is_deleted = false;
  for (; newer && newer != older; newer = newer->older) is_deleted |= newer->is_tombstone;
  return newer && is_deleted;
}

/* Where rows are physical, another row is not the same, whatever it holds. */
static bool rows_are_same(const Lift *lift, const Key *key, const Version *a, const Version *b) {
  if (!versions_show_same(a, b, store_column_count(lift->store, key))) return false;
  if (!lift->level->is_physical || !version_shows(a)) return true;
  return !row_is_reborn(a, b) && !row_is_reborn(b, a);
}

static StateSet path_states(Lift *lift, uint32_t read) {
  while (lift->states.count < lift->reads.count) {
    StateSet states = lift->reads.items[lift->states.count].states;
    ARENA_PUSH(&lift->arena, &lift->states, states);
  }
  return lift->states.items[read];
}

/* Drops what the path rules out. */
static void candidates_filter(Lift *lift, uint32_t read, Candidates *candidates) {
  if (read == UINT32_MAX) return;
  StateSet path = path_states(lift, read);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < candidates->count; i++) {
    StateSet own =
        states_range(&lift->arena, candidates->items[i].states.first, candidates->items[i].states.last);
    if (states_meet(&lift->arena, &path, &own).count) candidates->items[kept++] = candidates->items[i];
  }
  candidates->count = kept;
}

static Term candidate_holds(Lift *lift, const Candidate *candidate, ChoiceId choice) {
  const Version *version = candidate->version;
  if (!version) return TERM_TRUE;
  Term visible = candidate->is_own ? TERM_TRUE : choice_sees(lift->choices, choice, version->writer);
  return version->guard ? term_and(lift->terms, visible, version->guard) : visible;
}

static void alternatives_make(Lift *lift, const Key *key, uint32_t read, const Candidates *candidates,
                              Fork *fork) {
  StateSet path = {0};
  if (read != UINT32_MAX) path = path_states(lift, read);
  fork->alternatives = ARENA_ARRAY(&lift->arena, Alternative, candidates->count);
  fork->count = 0;
  Term rest = TERM_TRUE;
  for (uint32_t i = 0; i < candidates->count && rest != TERM_FALSE; i++) {
    const Candidate *candidate = &candidates->items[i];
    Term holds = candidate_holds(lift, candidate, fork->choice);
    Term guard = term_and(lift->terms, rest, holds);
    rest = term_and(lift->terms, rest, term_not(lift->terms, holds));
    if (guard == TERM_FALSE) continue;
    StateSet own = states_range(&lift->arena, candidate->states.first, candidate->states.last);
    if (read != UINT32_MAX) own = states_meet(&lift->arena, &path, &own);
    uint32_t at = 0;
    while (at < fork->count && !rows_are_same(lift, key, fork->alternatives[at].version, candidate->version))
      at++;
    Alternative *alternative = &fork->alternatives[at];
    if (at == fork->count) {
      *alternative = (Alternative){guard, candidate->version, own};
      fork->count++;
    } else {
      alternative->guard = term_or(lift->terms, alternative->guard, guard);
      alternative->states = states_join(&lift->arena, &alternative->states, &own);
    }
  }
}

/* Takes a branch of the fork at the present depth. */
static const Version *fork_take(Lift *lift, const Fork *fork) {
  const Alternative *alternative = &fork->alternatives[fork->taken];
  lift->path = term_and(lift->terms, lift->path, alternative->guard);
  if (fork->read != UINT32_MAX) {
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

/* What the key shows in the state of a choice (UINT32_MAX: in the current one). */
static const Version *key_see(Lift *lift, const Key *key, uint32_t read) {
  const Version *newest = key->newest;
  if (!newest) return NULL;
  ChoiceId choice = read == UINT32_MAX ? NO_CHOICE : lift->reads.items[read].choice;
  if (!newest->guard && (choice == NO_CHOICE || newest->writer == lift->place ||
                         newest->writer <= choice_oldest(lift->choices, choice)))
    return version_shows(newest) ? newest : NULL;
  const Fork *known = fork_find(lift, key->serial, choice);
  if (known) { /* L3; own writes since then are newer */
    const Version *seen = known->alternatives[known->taken].version;
    if (newest->writer != lift->place || newest->guard) return version_shows(seen) ? seen : NULL;
  }
  Candidates candidates = {0};
  candidates_collect(lift, key, read, &candidates);
  candidates_filter(lift, read, &candidates);
  if (!candidates.count) return NULL;
  bool is_decided = true;
  for (uint32_t i = 1; i < candidates.count && is_decided; i++)
    is_decided = rows_are_same(lift, key, candidates.items[0].version, candidates.items[i].version);
  if (is_decided) return version_shows(candidates.items[0].version) ? candidates.items[0].version : NULL;
  Fork fork = {.serial = key->serial, .choice = choice, .read = read};
  alternatives_make(lift, key, read, &candidates, &fork);
  if (fork.count == 1)
    return version_shows(fork.alternatives[0].version) ? fork.alternatives[0].version : NULL;
  if (lift->depth < lift->trail.count) {
    fork.taken = lift->trail.items[lift->depth].taken;
    lift->trail.items[lift->depth] = fork;
  } else {
    ARRAY_PUSH(&lift->trail, fork);
    lift->forks++;
  }
  return fork_take(lift, &lift->trail.items[lift->depth]);
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
    if (seen) return seen;
  }
  return key_see(lift, key, UINT32_MAX);
}

/* Between the version that was found and the current one the row was deleted: another row has its key now. */
static bool row_was_replaced(Lift *lift, const Version *current, const Version *found) {
  for (const Version *version = current; version && version != found; version = version->older) {
    if (!version->is_tombstone) continue;
    if (version->guard) lift->vague = "a locked row that may have been deleted and inserted again";
    return true;
  }
  return false;
}

/* A row whose key was changed keeps its identity under the other key. */
static bool row_was_moved(const Key *key) {
  for (const Version *version = key->newest; version; version = version->older)
    if (version->is_tombstone) return version->is_moved;
  return false;
}

static const Version *target_recheck(Lift *lift, const Key *key, ReadRule rule) {
  if (lift->is_undone && rule == RULE_CURRENT) rule = RULE_KEY_SINCE;
  const Version *current = key_see(lift, key, rule_read(lift, rule, key));
  if (!lift->level->is_physical) return current;
  const Version *found = key_see(lift, key, rule_read(lift, lift->level->rules[READ_FIND_TARGET], key));
  if (!current && found && row_was_moved(key)) lift->vague = "a locked row whose key was changed";
  if (current && found && row_was_replaced(lift, current, found)) return NULL;
  return current;
}

static const Version *lift_read(void *context, const Key *key, ReadPurpose purpose) {
  Lift *lift = context;
  ReadRule rule = lift->level->rules[purpose];
  bool is_check = purpose == READ_KEY_CHECK || purpose == READ_PARENT || purpose == READ_PARENT_NOW;
  if (is_check && lift->any_state_explains) return key_see(lift, key, error_read(lift, key));
  const Version *newest = key->newest;
  uint32_t certain = rule == RULE_TRANSACTION ? lift->oldest : lift->step_oldest;
  if (newest && !newest->guard && (newest->writer == lift->place || newest->writer <= certain))
    return version_shows(newest) ? newest : NULL; /* L2, without looking for a choice */
  if (is_check && lift->explains_error) return key_see(lift, key, error_read(lift, key));
  if (purpose == READ_KEY_CHECK) return key_check(lift, key);
  if (purpose == READ_RECHECK_TARGET || purpose == READ_RECHECK_SHARED)
    return target_recheck(lift, key, rule);
  if (lift->is_undone && rule == RULE_CURRENT && lift->level->is_vendor_model) rule = RULE_KEY_SINCE;
  return key_see(lift, key, rule_read(lift, rule, key));
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
  for (uint32_t i = 0; i < lift->reads.count; i++)
    if (lift->reads.items[i].kept.count) lift->reads.items[i].states = lift->reads.items[i].kept;
}

bool lift_see_writers(Lift *lift, const StoreWrite *write) {
  uint32_t read = transaction_read(lift);
  StateSet states = path_states(lift, read);
  for (const Version *version = write->key->newest; version; version = version->older) {
    if (version->writer <= lift->oldest) break;
    if (version->writer == lift->place || version->guard) continue;
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
    if (!version->guard) return TERM_TRUE;
    wrote = term_or(lift->terms, wrote, version->guard);
  }
  return wrote;
}
