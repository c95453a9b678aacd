/* command.h: what was asked on the command line. */
#ifndef ALIBI_ORACLE_COMMAND_H
#define ALIBI_ORACLE_COMMAND_H

#include "tests/oracle/compose.h"
#include "tests/oracle/judge.h"

typedef struct Command {
  int operand_count;
  char **operands; /* borrowed: the arguments that are not options, moved to the front */
  Rules rules;
  const char *level;            /* as given, e.g. "all" */
  bool has_seed, only_verdicts; /* compare: failing prefixes are not compared */
  uint64_t seed, count;
  double seconds;
  const char *out, *keep;
} Command;

bool command_read(Command *command, int argc, char **argv);
int command_judge(const Command *command);
int command_expect(const Command *command);
int command_generate(const Command *command);
int command_compare(const Command *command);
/* A random history to ask these rules about: made at them or at weaker ones, honest or doctored. */
typedef struct Asked {
  Rules made;
  bool is_honest; /* at the rules it was made at */
} Asked;
bool history_generate(History *history, const Rules *rules, uint64_t seed, Asked *asked);

#endif
