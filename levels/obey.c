/* obey.c: running maxima tell what stands in the wrong place; the states read are looked up among the places.
 */
#include "levels/obey.h"

#include "levels/times.h"

#include <stdio.h>

/* What later questions need of a transaction at its place. */
typedef struct ObeyPlace {
  const char *name; /* in the arena */
  bool takes_part, is_strict_si;
  bool is_reader; /* aborted: no commit of it counts */
  Interval start, commit;
  uint32_t session; /* number of the session, or 0 */
  uint64_t line;
  uint32_t state; /* strict SI: the one it read */
} ObeyPlace;

struct Obey {
  bool is_searched, keeps_places, has_times;
  bool is_weak;            /* some level is not serializable */
  ARRAY(ObeyPlace) places; /* heap; place 0 is the initial state */
  uint32_t place;
  ObeyLatest start, strict_start; /* of all, and of those that real time binds */
  ObeyLatest commit;              /* the earliest instants of commits */
  ObeyLatest fresh, timed;        /* of reads that must be fresh, always or if there are times */
  /* Of the places that were forgotten: */
  int64_t earliest;                    /* their commits can be over at this instant */
  ObeyLatest strict_from, strict_past; /* strict SI: no later commit is over before, or by then */
  Map sessions;                        /* name -> ObeySession */
  uint32_t session_count;
  Arena arena; /* sessions */
  Arena names; /* of places */
  char reason[400];
  char timed_reason[400];   /* counts only if the log has times */
  char commits_reason[400]; /* counts only if some level is not serializable */
};

/* The last line of a session so far, and the last of one that must be fresh. */
typedef struct ObeySession {
  uint32_t number;
  uint64_t line, strict_line, fresh_line, timed_line;
  uint64_t reader_line; /* of an aborted one */
} ObeySession;

Obey *obey_new(bool is_searched, bool keeps_places) {
  Obey *obey = memory_new(sizeof *obey);
  obey->is_searched = is_searched;
  obey->keeps_places = keeps_places;
  map_init(&obey->sessions);
  arena_init(&obey->arena);
  arena_init(&obey->names);
  obey->start.instant = obey->strict_start.instant = obey->commit.instant = obey->fresh.instant =
      obey->timed.instant = obey->earliest = obey->strict_from.instant = obey->strict_past.instant =
          INT64_MIN;
  ARRAY_PUSH(&obey->places, (ObeyPlace){.name = "the initial state"});
  return obey;
}

void obey_free(Obey *obey) {
  ARRAY_FREE(&obey->places);
  map_free(&obey->sessions);
  arena_free(&obey->arena);
  arena_free(&obey->names);
  free(obey);
}

const char *obey_reason(const Obey *obey) { return obey->reason[0] ? obey->reason : NULL; }

/* ---- The order: O1, O2, and O3 as far as a commit stands behind its reader -------------------------------
 */

static void latest_raise(ObeyLatest *latest, int64_t instant, uint64_t line) {
  if (instant > latest->instant) *latest = (ObeyLatest){instant, line};
}

/* False: the transaction, which committed up to `commit`, stands behind one that is certainly later. */
static bool order_check(char reason[400], int64_t commit, const ObeyLatest *latest,
                        const Transaction *transaction, const char *what) {
  if (!latest->line || commit >= latest->instant || reason[0]) return true;
  snprintf(reason, 400,
           "transaction '%.100s' certainly committed before that of line %llu %s, but stands behind it",
           transaction->name, (unsigned long long)latest->line, what);
  return false;
}

static bool session_check(char reason[400], uint64_t later, const Line *line) {
  if (line->number >= later || reason[0]) return true;
  snprintf(reason, 400,
           "transaction '%.100s' comes before that of line %llu in their session, but stands behind it",
           line->transaction.name, (unsigned long long)later);
  return false;
}

static ObeySession *session_of(Obey *obey, const Transaction *transaction) {
  if (!transaction->session) return NULL;
  ObeySession *session = map_find(&obey->sessions, transaction->session);
  if (session) return session;
  session = ARENA_NEW(&obey->arena, ObeySession);
  session->number = ++obey->session_count;
  map_put_copy(&obey->sessions, transaction->session, strlen(transaction->session), session);
  return session;
}

static bool is_serial(LevelId level) { return level == LEVEL_SER || level == LEVEL_SSER; }

/* The latest instant at which one of its reads certainly had not happened yet. */
static int64_t latest_read(const Transaction *transaction, LevelId level) {
  int64_t latest = times_start(transaction).lo;
  for (uint32_t i = 0; levels[level].is_per_statement && i < transaction->operation_count; i++)
    if (transaction->operations[i].start.given && transaction->operations[i].start.lo > latest)
      latest = transaction->operations[i].start.lo;
  return latest;
}

static void raise_line(uint64_t *latest, uint64_t line) {
  if (line > *latest) *latest = line;
}

static void sessions_push(Obey *obey, const Line *line, ObeySession *session, bool is_strict, LevelId level,
                          WitnessFresh fresh) {
  bool is_reader = line_is_reader(line);
  bool all = is_strict || level == LEVEL_SSI || (is_reader && level != LEVEL_SER);
  if (level != LEVEL_SER) session_check(obey->reason, session->reader_line, line);
  if (is_reader && level != LEVEL_SER) raise_line(&session->reader_line, line->number);
  if (obey->is_searched) session_check(obey->commits_reason, session->line, line);
  session_check(obey->reason, all ? session->line : session->strict_line, line);
  session_check(obey->reason, session->fresh_line, line);
  session_check(obey->timed_reason, session->timed_line, line);
  raise_line(&session->line, line->number);
  if (is_strict || level == LEVEL_SSI) raise_line(&session->strict_line, line->number);
  if (fresh == FRESH_ALWAYS) raise_line(&session->fresh_line, line->number);
  if (fresh == FRESH_TIMED) raise_line(&session->timed_line, line->number);
}

static void order_push(Obey *obey, const Line *line, LevelId level, WitnessFresh fresh) {
  const Transaction *transaction = &line->transaction;
  Interval commit = times_commit(transaction);
  int64_t start = times_start(transaction).lo, read = latest_read(transaction, level);
  bool is_strict = level == LEVEL_SSER;
  order_check(obey->reason, commit.hi, is_strict ? &obey->start : &obey->strict_start, transaction,
              "started");
  if (!line_is_reader(line)) {
    order_check(obey->reason, commit.hi, &obey->fresh, transaction, "read");
    order_check(obey->timed_reason, commit.hi, &obey->timed, transaction, "read");
  }
  if (obey->is_searched) order_check(obey->commits_reason, commit.hi, &obey->commit, transaction, "did");
  if (level == LEVEL_SSI) order_check(obey->reason, commit.hi, &obey->commit, transaction, "did");
  latest_raise(&obey->start, start, line->number);
  latest_raise(&obey->commit, commit.lo, line->number);
  if (is_strict) latest_raise(&obey->strict_start, start, line->number);
  if (fresh == FRESH_ALWAYS) latest_raise(&obey->fresh, read, line->number);
  if (fresh == FRESH_TIMED) latest_raise(&obey->timed, read, line->number);
}

/* O4 of readers that were forgotten: the commit is one that they did not see. */
static void strict_push(Obey *obey, const Line *line) {
  int64_t commit = times_commit(&line->transaction).hi;
  if (line_is_reader(line) || obey->reason[0]) return;
  const ObeyLatest *latest = commit < obey->strict_from.instant ? &obey->strict_from : &obey->strict_past;
  bool fits = commit >= obey->strict_from.instant &&
              (commit > obey->strict_past.instant || obey->strict_past.instant == INT64_MIN);
  if (fits) return;
  snprintf(obey->reason, sizeof obey->reason,
           "transaction '%.100s' certainly committed before that of line %llu started, which does not see it",
           line->transaction.name, (unsigned long long)latest->line);
}

/* ---- States: O3, O4
 * ------------------------------------------------------------------------------------------ */

/* Is there a commit certainly before the instant, or an earlier one of the session, behind the state? */
static bool state_is_fresh(Obey *obey, const Line *line, const ObeySession *session, uint32_t state,
                           int64_t instant, char reason[400], uint32_t operation) {
  for (uint32_t i = obey->place; --i > state;) {
    const ObeyPlace *place = &obey->places.items[i];
    bool is_own = session && place->session == session->number && place->line < line->number;
    if (!place->takes_part || place->is_reader || !(place->commit.hi < instant || is_own)) continue;
    if (!reason[0])
      snprintf(
          reason, 400,
          "statement %u of transaction '%.100s' reads state %u, though transaction '%.100s' at place %u had "
          "certainly committed before",
          operation + 1, line->transaction.name, state, place->name, i);
    return false;
  }
  return true;
}

static void states_push(Obey *obey, const Line *line, const ObeySession *session, LevelId level,
                        WitnessFresh fresh, const WitnessTransaction *read) {
  const Transaction *transaction = &line->transaction;
  char *reason = fresh == FRESH_ALWAYS ? obey->reason : obey->timed_reason;
  for (uint32_t i = 0; fresh != FRESH_NEVER && level != LEVEL_SSI && i < read->reads.count; i++) {
    const WitnessRead *at = &read->reads.items[i];
    if (is_serial(level)) continue; /* its reads are current; an error may be explained by any state */
    int64_t instant = times_start(transaction).lo;
    if (levels[level].is_per_statement && at->role != WITNESS_TRANSACTION &&
        at->operation < transaction->operation_count && transaction->operations[at->operation].start.given)
      instant = transaction->operations[at->operation].start.lo;
    state_is_fresh(obey, line, session, at->state, instant, reason, at->operation);
  }
}

static uint32_t transaction_state(const WitnessTransaction *read, uint32_t place) {
  for (uint32_t i = 0; i < read->reads.count; i++)
    if (read->reads.items[i].role == WITNESS_TRANSACTION) return read->reads.items[i].state;
  return place - 1;
}

static void place_keep(Obey *obey, const Line *line, LevelId level, const ObeySession *session,
                       const WitnessTransaction *read) {
  const Transaction *transaction = &line->transaction;
  ObeyPlace place = {.name = arena_text(&obey->names, transaction->name, strlen(transaction->name)),
                     .takes_part = read->takes_part,
                     .is_strict_si = level == LEVEL_SSI,
                     .start = times_start(transaction),
                     .commit = times_commit(transaction),
                     .session = session ? session->number : 0,
                     .is_reader = line_is_reader(line),
                     .line = line->number,
                     .state = transaction_state(read, obey->place)};
  if (place.is_reader) place.commit = (Interval){false, INT64_MIN, INT64_MAX};
  ARRAY_PUSH(&obey->places, place);
}

bool obey_push(Obey *obey, const Line *line, LevelId level, WitnessFresh fresh,
               const WitnessTransaction *read) {
  const Transaction *transaction = &line->transaction;
  if (transaction->status == STATUS_COMMITTED) {
    obey->has_times |= transaction->start.given || transaction->commit.given;
    for (uint32_t i = 0; i < transaction->operation_count; i++)
      obey->has_times |= transaction->operations[i].start.given;
  }
  obey->place++;
  obey->is_weak |= !is_serial(level);
  if (level == LEVEL_SSER || level == LEVEL_SSI) fresh = FRESH_NEVER; /* their own rule */
  ObeySession *session = session_of(obey, transaction);
  if (read->takes_part) {
    order_push(obey, line, level, fresh);
    strict_push(obey, line);
    if (session) sessions_push(obey, line, session, level == LEVEL_SSER, level, fresh);
    states_push(obey, line, session, level, fresh, read);
  }
  if (obey->keeps_places) place_keep(obey, line, level, session, read);
  return !obey->reason[0];
}
/* O4.  `earliest` of each place: no commit up to it can be earlier than that one's; `latest`: none from it on
 * later. */
static bool strict_state_holds(Obey *obey, uint32_t at, const int64_t *earliest, const int64_t *latest) {
  const ObeyPlace *place = &obey->places.items[at];
  uint32_t state = place->state;
  int64_t end = latest[state + 1] < place->start.hi ? latest[state + 1] : place->start.hi;
  bool fits = end >= place->start.lo && (earliest[state] == INT64_MIN || earliest[state] < end);
  for (uint32_t i = at; fits && --i > state;) {
    const ObeyPlace *other = &obey->places.items[i];
    fits = !(other->takes_part && !other->is_reader && place->session && other->session == place->session &&
             other->line < place->line);
  }
  if (fits) return true;
  snprintf(obey->reason, sizeof obey->reason,
           "transaction '%.100s' reads state %u, which its start and the commits do not allow at ssi",
           place->name, state);
  return false;
}

/* For each place the earliest instant at which the commits up to it can be over, and the latest from it on.
 */
typedef struct Instants {
  int64_t *earliest, *latest; /* owned */
} Instants;

static Instants instants_make(const Obey *obey) {
  uint32_t count = obey->places.count;
  Instants instants = {memory_new((count + 1) * sizeof(int64_t)), memory_new((count + 1) * sizeof(int64_t))};
  instants.earliest[0] = obey->earliest;
  for (uint32_t i = 1; i < count; i++) {
    const ObeyPlace *place = &obey->places.items[i];
    bool is_later = place->takes_part && place->commit.lo > instants.earliest[i - 1];
    instants.earliest[i] = is_later ? place->commit.lo : instants.earliest[i - 1];
  }
  instants.latest[count] = INT64_MAX;
  for (uint32_t i = count; i-- > 0;) {
    const ObeyPlace *place = &obey->places.items[i];
    bool is_earlier = i && place->takes_part && place->commit.hi < instants.latest[i + 1];
    instants.latest[i] = is_earlier ? place->commit.hi : instants.latest[i + 1];
  }
  return instants;
}

static void instants_free(const Instants *instants) {
  free(instants->earliest);
  free(instants->latest);
}

/* O4 of all places. */
static bool strict_places_hold(Obey *obey, const Instants *instants) {
  bool is_strict = false;
  for (uint32_t i = 1; i < obey->places.count; i++) is_strict |= obey->places.items[i].is_strict_si;
  for (uint32_t i = 1; is_strict && i < obey->places.count; i++) {
    const ObeyPlace *place = &obey->places.items[i];
    if (instants->earliest[i] > instants->latest[i]) {
      snprintf(obey->reason, sizeof obey->reason,
               "the commits cannot have happened in this order: see transaction '%.100s'", place->name);
      return false;
    }
    if (place->is_strict_si && place->takes_part &&
        !strict_state_holds(obey, i, instants->earliest, instants->latest))
      return false;
  }
  return true;
}

bool obey_finish(Obey *obey) {
  if (!obey->reason[0] && obey->timed_reason[0] && obey->has_times)
    memcpy(obey->reason, obey->timed_reason, sizeof obey->reason);
  if (!obey->reason[0] && obey->is_weak) memcpy(obey->reason, obey->commits_reason, sizeof obey->reason);
  if (obey->reason[0] || !obey->keeps_places) return !obey->reason[0];
  Instants instants = instants_make(obey);
  bool holds = strict_places_hold(obey, &instants);
  instants_free(&instants);
  return holds;
}

bool obey_go_on(Obey *obey) {
  if (!obey_finish(obey)) return false;
  Instants instants = instants_make(obey);
  uint32_t last = obey->places.count - 1;
  for (uint32_t i = 1; i <= last; i++) {
    const ObeyPlace *place = &obey->places.items[i];
    if (!place->is_strict_si || !place->takes_part) continue;
    latest_raise(&obey->strict_from, place->start.lo, place->line);
    latest_raise(&obey->strict_past, instants.earliest[place->state], place->line);
  }
  obey->earliest = instants.earliest[last];
  instants_free(&instants);
  obey->places.count = 1;
  obey->place = 0;
  arena_clear(&obey->names);
  return true;
}
