/* certify.h: does this execution explain the transcript?  The certifier of every alibi.
 *
 * Transactions are replayed in the order of the witness; each read takes the version of the state that the
 * witness names, and every observation is compared.  There is no choice, no search and no solver here.
 *
 * Which rows a read shows follows from the rules of each transaction; what times, sessions and the level ask
 * of the order and of the states is the business of levels/obey.h.
 *
 * Z1  A key's version in state s is the newest one written at a place up to s; own writes are laid over.
 * Z2  The states are as the rules have them: steps read no older state than the steps before them, a key or
 * an error comes from the step's state or a later one, and nothing from the transaction's own place or
 * beyond, but for errors that any state explains. Z3  What the database chose by itself is what the witness
 * says, where it says something. Z4  When a transaction commits, unique and foreign keys hold in the state
 * that follows. */
#ifndef ALIBI_SEMANTICS_CERTIFY_H
#define ALIBI_SEMANTICS_CERTIFY_H

#include "semantics/replay.h"
#include "src/transcript/witness.h"
#include "src/transcript/log.h"

/* Which state a read comes from.  Own writes are laid over each. */
typedef enum ReadRule {
  RULE_CURRENT,     /* the state just before the transaction's place */
  RULE_TRANSACTION, /* one state for the whole transaction */
  RULE_STEP,        /* one state for each read step, never older than the step's before */
  RULE_KEY,         /* any state, chosen for each step and key */
  RULE_KEY_SINCE    /* any state from the step's on, chosen for each step and key */
} ReadRule;

/* How a transaction reads, and what its states must satisfy. */
typedef struct CertifyRules {
  const ReadRule *rules; /* by ReadPurpose */
  bool forbids_conflicts;
  bool compares_values; /* conflicts by what a client could observe */
  bool is_vendor_model;
  bool is_physical;
  bool any_state_explains; /* that a key was taken: not only one that the read may come from */
} CertifyRules;

typedef struct Certifier Certifier;

/* Asked once for each error that a later state may explain, in place of a step; and what may be answered:
 * some later one does. */
enum { STEP_LATER = UINT32_MAX, STATE_LATER = UINT32_MAX };

/* A read whose state the witness does not name. */
typedef struct CertifyRead {
  WitnessRole role;
  ReadRule rule;
  uint32_t place, operation, step;
  const Key *key; /* or NULL */
} CertifyRead;

/* NULL: bad input.  `compares_choices`: the witness comes from elsewhere and says what the database chose;
 * otherwise that is noted in the witness, in its arena. */
Certifier *certifier_new(const Log *log, Witness *witness, Arena *arena, bool compares_choices, Diag *diag);
void certifier_free(Certifier *certifier);
/* Who says which state such a read comes from; without, it is current. */
void certifier_ask(Certifier *certifier, uint32_t (*choose)(void *context, const CertifyRead *read),
                   void *context);
/* Who is told of an answer that the observation differs from. */
void certifier_on_mismatch(Certifier *certifier,
                           void (*told)(void *context, const Operation *operation, const Outcome *outcome),
                           void *context);
/* The next transaction of the order.  False: the witness is wrong, certifier_reason tells. */
bool certifier_push(Certifier *certifier, const Line *line, const CertifyRules *rules, Diag *diag);
bool certifier_push_final(Certifier *certifier, const Line *line, Diag *diag);
/* Everything so far is settled: the state that was reached is state 0 of what follows, and the next transaction is the first
 * of `witness`. */
void certifier_go_on(Certifier *certifier, Witness *witness, Arena *arena);
/* At the end: were all errors explained that wait for a later state? */
bool certifier_settles(Certifier *certifier);
const char *certifier_reason(const Certifier *certifier);
/* The reason is that something is not modelled or not known: the witness may be right. */
bool certifier_is_undecided(const Certifier *certifier);
/* The state after the transactions pushed so far, for showing. */
Engine *certifier_engine(Certifier *certifier);

/* Why what the witness says of the database's choices is not what a replay found; NULL: it is. */
const char *choices_difference(Arena *arena, const char *owner, const WitnessChoices *claimed,
                               const WitnessChoices *taken);

/* Shared with the checker: is the operation undone by a ROLLBACK TO behind it, and is its error one that a
 * key or a reference in some state explains? */
bool text_takes(const char **text, const char *word); /* past spaces and the word, without case */
bool operation_is_undone(const Transaction *transaction, uint32_t index);
bool operation_fails_by_key(const Dialect *dialect, const Operation *operation);
/* May a later state explain such an error, and the statement be run over it alone?  Then what no state
 * explains without the transaction's own writes none explains with them (Y1). */
bool error_is_movable(const Engine *engine, const Transaction *transaction, uint32_t index);

#endif
