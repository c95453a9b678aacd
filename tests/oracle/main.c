/* main.c: the oracle's command line.
 *
 * `oracle` alone prints how it is used. */
#include "tests/oracle/judge.h"
#include "tests/oracle/command.h"

#include <stdio.h>
#include <stdlib.h>

static int usage(void) {
  fprintf(
      stderr,
      "usage: oracle judge FILE ... --level L [--order given|search] [--fresh] [--conflicts writes|values]\n"
      "       oracle expect FILE ...\n"
      "       oracle generate --seed N --level L --count C --out DIR [options of compare]\n"
      "       oracle compare ALIBI --level all|L --count N [--seed S] [--seconds T] [--order given|search]\n"
      "                            [--fresh] [--conflicts values] [--keep DIR] [--verdicts]\n");
  return 2;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* whatever happens later, the seed is known */
  if (argc < 2) return usage();
  Command command;
  if (!command_read(&command, argc - 1, argv + 1)) return usage();
  if (!strcmp(argv[1], "judge")) return command_judge(&command);
  if (!strcmp(argv[1], "expect")) return command_expect(&command);
  if (!strcmp(argv[1], "generate")) return command_generate(&command);
  if (!strcmp(argv[1], "compare")) return command_compare(&command);
  return usage();
}
