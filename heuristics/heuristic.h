/* heuristic.h: the heuristics as a table: names, kinds, and what each does; sets of them, and what they did.
 *
 * A guess may be wrong: what is refuted under it is asked again without it.  A prune is proven sound and only
 * saves work.  With any set of them the verdict is the same, only sooner or later. */
#ifndef ALIBI_HEURISTICS_HEURISTIC_H
#define ALIBI_HEURISTICS_HEURISTIC_H

#include "src/base/diag.h"

#include <stdbool.h>
#include <stdint.h>

/* Columns: id, name, kind, of the seed paper or ours, what it does. */
#define HEURISTICS(X)                                                                                        \
  X(INDEX, "h1", PRUNE, PAPER, "an index finds the rows with a value")                                       \
  X(WINDOW, "h2", GUESS, PAPER, "reads come from the last K states, then from K more")                       \
  X(CONCRETIZE, "h3", PRUNE, PAPER, "what has one value left takes it, found by halving")                    \
  X(STRONGER, "h4", GUESS, PAPER, "a stronger level first")                                                  \
  X(REPLAY, "replay", GUESS, OURS, "the serial execution first")                                             \
  X(CHOICE_SETS, "choice-sets", PRUNE, OURS, "states ruled out by observations are not tried")               \
  X(INDEPENDENCE, "independence", PRUNE, OURS, "the solver sees only what hangs together")                   \
  X(BLAME, "blame", GUESS, OURS,                                                                             \
    "who was in the way is tried first; guesses are withdrawn in growing numbers")                           \
  X(CONE, "cone", PRUNE, OURS, "what a refuted transaction hangs on is refuted by itself")                   \
  X(REPAIR, "repair", GUESS, OURS, "an order that fails is changed where it fails")                          \
  X(STATE_MEMORY, "state-memory", PRUNE, OURS, "the same state is not searched from twice")                  \
  X(FORGETTING, "forgetting", GUESS, OURS,                                                                   \
    "what no later transaction can read is settled and forgotten while the log is read")                     \
  X(COMMUTE, "commute", PRUNE, OURS, "orders of transactions that do not meet are tried once")

#define HEURISTIC_ID(id, name, kind, origin, help) HEURISTIC_##id,
typedef enum HeuristicId { HEURISTICS(HEURISTIC_ID) HEURISTIC_COUNT } HeuristicId;
#undef HEURISTIC_ID

/* For the help of an option: "; h1: an index ...; h2: ..." */
#define HEURISTIC_HELP(id, name, kind, origin, help) "; " name ": " help
#define HEURISTICS_HELP HEURISTICS(HEURISTIC_HELP)

typedef enum HeuristicKind { HEURISTIC_PRUNE, HEURISTIC_GUESS } HeuristicKind;
typedef enum HeuristicOrigin { HEURISTIC_PAPER, HEURISTIC_OURS } HeuristicOrigin;

typedef struct Heuristic {
  const char *name;
  HeuristicKind kind;
  HeuristicOrigin origin;
} Heuristic;

extern const Heuristic heuristics[HEURISTIC_COUNT];

typedef uint32_t HeuristicSet; /* bit 1 << id */

static inline bool heuristic_is_in(HeuristicSet set, HeuristicId id) { return set >> id & 1; }

/* What one did: how often it was used, taken back, and what that spared (units differ: docs/command-line.md).
 */
typedef struct HeuristicCount {
  uint64_t fired, withdrawn, saved;
} HeuristicCount;

typedef struct HeuristicCounts {
  HeuristicCount by_id[HEURISTIC_COUNT];
} HeuristicCounts;

/* LIST: names, `none`, `paper` and `all` with commas between them, each added to those before; with a - it is
 * taken out.  A list that begins with a - begins with all.  False: diag tells. */
bool heuristics_parse(const char *list, HeuristicSet *set, Diag *diag);

#endif
