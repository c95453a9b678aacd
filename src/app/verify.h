/* verify.h: `alibi verify`: its options. */
#ifndef ALIBI_APP_VERIFY_H
#define ALIBI_APP_VERIFY_H

#include "src/base/option.h"

#define VERIFY_OPTIONS(X)                                                                                    \
  X(FLAG, quiet, "quiet", NULL, NULL, NULL, "say nothing: the exit code tells")                              \
  X(FLAG, help, "help", NULL, NULL, NULL, "print this help")

typedef struct VerifyOptions {
  VERIFY_OPTIONS(OPTION_FIELD)
} VerifyOptions;

OptionTable verify_options(void);

int verify_main(int argc, char **argv);

/* show.c: the tables in state `state` of the witness; the exit code. */
int show_state(const char *log, const char *witness, int64_t state);

#endif
