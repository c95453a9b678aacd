/* verify.h: a log and a witness, both files: does the one explain the other?  By concrete replay alone. */
#ifndef ALIBI_LEVELS_VERIFY_H
#define ALIBI_LEVELS_VERIFY_H

#include "levels/confirm.h"

typedef struct Verification {
  int64_t state; /* with `show`: the state to show; the witness is checked up to there only */
  void (*show)(void *context, Engine *engine);
  void *context;
} Verification;

typedef struct Verified {
  ConfirmAnswer answer;
  WitnessHeader header; /* its level lives in `arena` */
  uint64_t transactions;
  const char *reason; /* fails, undecided; in `arena` */
  Diag diag;          /* bad */
  Arena arena;
} Verified;

/* `question` NULL: the whole.  The result is freed with verified_free. */
void verify(const char *log, const char *witness, const Verification *question, Verified *result);
void verified_free(Verified *result);

#endif
