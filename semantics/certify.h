/* certify.h: does this execution explain the transcript?  The certifier of every alibi.
 *
 * Transactions are replayed in the order of the witness; each read takes the version of the state that the witness
 * names, and every observation is compared.  There is no choice, no search and no solver here.
 *
 * Z1  A key's version in state s is the newest one written at a place up to s; own writes are laid over.
 * Z2  When a transaction commits, unique and foreign keys hold in the state that follows. */
#ifndef ALIBI_SEMANTICS_CERTIFY_H
#define ALIBI_SEMANTICS_CERTIFY_H

#include "semantics/replay.h"
#include "semantics/witness.h"
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
} CertifyRules;

typedef struct Certifier Certifier;

/* NULL: bad input. */
Certifier *certifier_new(const Log *log, const Witness *witness, Diag *diag);
void certifier_free(Certifier *certifier);
/* The next transaction of the order.  False: the witness is wrong, certifier_reason tells. */
bool certifier_push(Certifier *certifier, const Line *line, const CertifyRules *rules, Diag *diag);
bool certifier_push_final(Certifier *certifier, const Line *line, Diag *diag);
const char *certifier_reason(const Certifier *certifier);
/* The state after the transactions pushed so far, for showing. */
Engine *certifier_engine(Certifier *certifier);

/* Shared with the checker: is the operation undone by a ROLLBACK TO behind it, and is its error one that a key or a
 * reference in some state explains? */
bool operation_is_undone(const Transaction *transaction, uint32_t index);
bool operation_fails_by_key(const Dialect *dialect, const Operation *operation);

#endif
