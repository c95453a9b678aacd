/* certify_internal.h: what the files of the certifier share. */
#ifndef ALIBI_SEMANTICS_CERTIFY_INTERNAL_H
#define ALIBI_SEMANTICS_CERTIFY_INTERNAL_H

#include "semantics/certify.h"
#include "semantics/replay_internal.h"

/* An error that a state behind the transaction's own must explain. */
typedef struct Debt {
  const Line *line;
  uint32_t operation, state;
  CertifyRules rules;
  const Key **hidden; /* written before by the transaction itself */
  uint32_t hidden_count;
  bool is_paid;
} Debt;

struct Certifier {
  Witness *witness;
  Arena *arena; /* of what is noted in the witness */
  bool compares_choices;
  Replay *replay;
  Store *store;
  StoreView view;
  uint32_t place;
  const CertifyRules *rules;
  WitnessTransaction *transaction; /* the running one's */
  uint32_t operation, step;
  uint32_t floor; /* the newest state of a step so far */
  bool explains_error, is_undone;
  bool is_reader; /* the transaction was aborted: no state has to hold what it wrote */
  bool is_undecided;
  const char *reason;                                         /* in the replay's memory */
  /* The last step in which the step's state stood for rows that are not named, and of which kind those were. */
  uint32_t default_place, default_operation, default_step;
  bool default_is_plain;
  ReadPurpose purpose;                                        /* of the present read */
  ReadRule rule;                                              /* of the present read */
  uint32_t (*choose)(void *context, const CertifyRead *read); /* or NULL */
  void *choose_context;
  ARRAY(Debt) debts;   /* heap */
  const Debt *probing; /* the one that is asked about, or NULL */
};

/* Keeps the first reason; always false. */
bool certifier_fail(Certifier *certifier, const char *reason);

/* certify_read.c: what a read sees. */
StoreView certifier_view(Certifier *certifier);
uint32_t read_state(Certifier *certifier, WitnessRole role, const Key *key);

/* certify_condition.c: what must hold of the states read, the writes and the choices. */
bool reads_are_sound(Certifier *certifier, const Transaction *transaction);
bool state_holds(Certifier *certifier);
bool choices_hold(Certifier *certifier, const WitnessChoices *claimed, const WitnessChoices *taken,
                  const char *owner);

/* certify_error.c: the later state that is to explain the error of an operation, or 0. */
uint32_t error_later_state(const Certifier *certifier, uint32_t index);
/* The statement is passed over; false: certifier_reason tells. */
bool error_owe(Certifier *certifier, Run *run, uint32_t index, uint32_t state);
/* Is the row one that the transaction in debt wrote itself? */
bool error_hides(const Certifier *certifier, const Key *key);
/* Those that the newest state is to explain. */
bool errors_pay(Certifier *certifier, Diag *diag);

#endif
