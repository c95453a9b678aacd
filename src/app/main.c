/* main.c: the table of commands, and which one was asked for. */
#include "src/app/command.h"

#include "src/app/check.h"
#include "src/app/show.h"
#include "src/app/verify.h"
#include "src/live/run.h"
#include "src/live/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const Command commands[] = {
    {"check", "LOG...", "audit transcripts: is what the database told its clients possible?", check_main,
     check_options},
    {"show", "LOG...",
     "print what was understood: schema, statements as parsed, transactions in the given order", show_main,
     show_options},
    {"run", "WORKLOAD --db URL", "drive a live database with a workload and write the transcript", run_main,
     run_options},
    {"snapshot", "--db URL", "write an existing database's schema and rows as the beginning of a transcript",
     snapshot_main, snapshot_options},
    {"verify", "LOG WITNESS", "re-check a witness with the concrete replayer alone: no solver, no search", verify_main,
     verify_options},
    {"levels", "LOG", "the verdict at every level, strongest first", NULL, NULL},
    {"record", "...", "a recording proxy in front of a live PostgreSQL or MariaDB", NULL, NULL},
    {"import", "FORMAT FILE", "other tools' histories to a transcript", NULL, NULL},
    {"help", "[COMMAND]", "print the help of a command", help_main, NULL},
    {"man", "[markdown]", "print the manual page, or the tables of options for the documentation", man_main,
     NULL},
};
const size_t command_count = sizeof commands / sizeof *commands;

int usage_fail(const char *command, const Diag *diag) {
  char message[1024];
  fprintf(stderr, "alibi%s%s: %s\n", command ? " " : "", command ? command : "",
          diag_text(diag, message, sizeof message));
  return EXIT_BAD;
}

/* Has whoever read our output gone? */
static bool reader_is_gone(void) {
  struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

int output_finish(int code) {
  errno = 0;
  bool is_flushed = fflush(stdout) == 0;
  int trouble = errno;
  if (is_flushed && !ferror(stdout)) return code;
  clearerr(stdout);
  if (trouble == EPIPE || reader_is_gone()) return code;
  fprintf(stderr, "alibi: cannot write to standard output%s%s\n", trouble ? ": " : "",
          trouble ? strerror(trouble) : "");
  return EXIT_BAD;
}

/* A file opened later must not take the place of a closed standard stream.  What is
 * written to such a stream fails, as it should. */
static void standard_streams_hold(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return;
}

static int command_unknown(const char *name) {
  const char *names[sizeof commands / sizeof *commands];
  for (size_t i = 0; i < command_count; i++) names[i] = commands[i].name;
  const char *nearest = option_nearest(name, names, command_count);
  Diag diag = {.place = PLACE_NONE};
  if (nearest)
    diag_fail(&diag, PLACE_NONE, "unknown command '%.60s'; did you mean '%s'?", name, nearest);
  else
    diag_fail(&diag, PLACE_NONE, "unknown command '%.60s'; 'alibi help' lists them", name);
  return usage_fail(NULL, &diag);
}

static int command_run(const Command *command, int argc, char **argv) {
  for (int i = 1; i < argc && !command->run; i++)
    if (strcmp(argv[i], "--help") == 0) {
      command_help(command->name);
      return output_finish(EXIT_CORRECT);
    }
  if (command->run) return output_finish(command->run(argc, argv));
  fprintf(stderr, "alibi: the command '%s' is not available in this version\n", command->name);
  return EXIT_BAD;
}

int main(int argc, char **argv) {
  standard_streams_hold();
  signal(SIGPIPE, SIG_IGN); /* a closed pipe shows as EPIPE */
  if (argc < 2) {
    help_main(0, NULL);
    return EXIT_BAD;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("alibi %s\n", ALIBI_VERSION);
    return output_finish(EXIT_CORRECT);
  }
  if (strcmp(argv[1], "--help") == 0) return output_finish(help_main(0, NULL));
  for (size_t i = 0; i < command_count; i++)
    if (strcmp(argv[1], commands[i].name) == 0) return command_run(&commands[i], argc - 1, argv + 1);
  return command_unknown(argv[1]);
}
