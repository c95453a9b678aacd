/* verify_internal.h: what the files of the verification share. */
#ifndef ALIBI_LEVELS_VERIFY_INTERNAL_H
#define ALIBI_LEVELS_VERIFY_INTERNAL_H

#include "levels/verify.h"

typedef struct Verify {
  const char *log, *file;       /* paths */
  const Verification *question; /* or NULL */
  WitnessReader *witness;
  TranscriptReader *reader;
  const WitnessHeader *header;
  LevelId level; /* the header's */
  Verified *result;
} Verify;

bool verify_fail(Verify *verify, ConfirmAnswer answer, const char *reason); /* always false */
/* The level and freshness of a transaction; false: the witness names no level. */
bool verify_level(Verify *verify, const WitnessTransaction *read, uint64_t line, LevelId *level,
                  WitnessFresh *fresh);
/* Is it this log that the witness was written for? */
bool verify_end(Verify *verify, const WitnessEnd *end, uint64_t transactions);

/* verify_serial.c: the given order, every read current: both files as streams.  False: the result tells. */
bool verify_serial(Verify *verify);

#endif
