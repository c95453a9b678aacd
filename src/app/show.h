/* show.h: `alibi show`: its options. */
#ifndef ALIBI_APP_SHOW_H
#define ALIBI_APP_SHOW_H

#include "src/base/option.h"

#define SHOW_OPTIONS(X)                                                                                      \
  X(TEXT, witness, "witness", "FILE", NULL, NULL, "the execution to show a state of: with --state")          \
  X(WHOLE, state, "state", "N", NULL, NULL,                                                                  \
    "print the tables as they were after transaction N of the witness; 0: at first")                         \
  X(FLAG, help, "help", NULL, NULL, NULL, "print this help")

typedef struct ShowOptions {
  SHOW_OPTIONS(OPTION_FIELD)
} ShowOptions;

OptionTable show_options(void);

#endif
