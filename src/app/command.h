/* command.h: the commands of the program, as a table: dispatch, help and the manual are made from it. */
#ifndef ALIBI_APP_COMMAND_H
#define ALIBI_APP_COMMAND_H

#include "src/base/option.h"

typedef struct Command {
  const char *name;
  const char *operands; /* "LOG..." */
  const char *summary;
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; NULL: not available in this version */
  OptionTable (*options)(void);      /* NULL: it has none */
} Command;

extern const Command commands[];
extern const size_t command_count;

enum { EXIT_CORRECT = 0, EXIT_VIOLATION = 1, EXIT_BAD = 2, EXIT_UNKNOWN = 3 };

/* "alibi: MESSAGE" to standard error; returns EXIT_BAD. */
int usage_fail(const char *command, const Diag *diag);
/* Usage, summary and options of a command. */
void command_help(const char *name);
/* Flushes standard output: EXIT_BAD, with a message, if what was written did not arrive, else `code`.
 * A reader that went away is no error. */
int output_finish(int code);

int help_main(int argc, char **argv);
int man_main(int argc, char **argv);
int show_main(int argc, char **argv);

#endif
