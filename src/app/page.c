/* page.c: the program described: --help, the manual page and the tables in docs/command-line.md. */
#include "src/app/command.h"

#include <stdio.h>
#include <string.h>

static const struct {
  int code;
  const char *meaning;
} exit_codes[] = {
    {EXIT_CORRECT, "correct: a concrete execution explains every observation"},
    {EXIT_VIOLATION, "violation: no execution explains them all"},
    {EXIT_BAD, "bad input or usage: a message says what and where"},
    {EXIT_UNKNOWN,
     "unknown: something is not modelled, or the audit was stopped; what was proved is reported"},
};
enum { EXIT_CODES = sizeof exit_codes / sizeof *exit_codes };

static const Command *command_find(const char *name) {
  for (size_t i = 0; i < command_count; i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

void command_help(const char *name) {
  const Command *command = command_find(name);
  printf("usage: alibi %s %s%s\n\n  %s%s\n", command->name, command->operands,
         command->options ? " [options]" : "", command->summary,
         command->run ? "" : " [not available in this version]");
  if (!command->options) return;
  puts(strstr(command->operands, "LOG") ? "\nA LOG may be -, standard input.\n" : "");
  option_print(command->options(), OPTION_AS_HELP, stdout);
}

static void program_help(void) {
  puts("usage: alibi COMMAND ...\n");
  for (size_t i = 0; i < command_count; i++)
    printf("  %-8s %-18s %s%s\n", commands[i].name, commands[i].operands, commands[i].summary,
           commands[i].run ? "" : " [not available in this version]");
  puts("\n'alibi COMMAND --help' lists a command's options, 'alibi --version' the version.\n\nexit codes:");
  for (size_t i = 0; i < EXIT_CODES; i++) printf("  %d  %s\n", exit_codes[i].code, exit_codes[i].meaning);
}

int help_main(int argc, char **argv) {
  const Command *command = argc > 1 ? command_find(argv[1]) : NULL;
  bool is_named = argc > 1 && strcmp(argv[1], "--help") != 0;
  if (is_named && !command) {
    fprintf(stderr, "alibi help: no such command: '%s'\n", argv[1]);
    return EXIT_BAD;
  }
  if (!command) {
    program_help();
    return EXIT_CORRECT;
  }
  if (!command->options) {
    command_help(command->name);
    return EXIT_CORRECT;
  }
  char *arguments[] = {(char *)command->name, "--help", NULL};
  return command->run(2, arguments);
}

/* ---- The manual page -------------------------------------------------------------- */

/* Dashes of operands and summaries are minus signs to roff. */
static void print_roff(const char *text) {
  for (; *text; text++)
    if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
}

static void man_command(const Command *command) {
  printf(".SS alibi %s ", command->name);
  print_roff(command->operands);
  putchar('\n');
  print_roff(command->summary);
  puts(command->run ? "" : ". Not available in this version.");
  if (command->options) option_print(command->options(), OPTION_AS_ROFF, stdout);
}

static void man_roff(void) {
  puts(".TH ALIBI 1 \"\" \"alibi " ALIBI_VERSION "\" \"User Commands\"");
  puts(".SH NAME\nalibi \\- audit databases from transcripts of what their clients saw");
  puts(".SH SYNOPSIS");
  for (size_t i = 0; i < command_count; i++) {
    printf("%s\\fBalibi %s\\fR ", i ? ".br\n" : "", commands[i].name);
    print_roff(commands[i].operands);
    puts(commands[i].options ? " [options]" : "");
  }
  puts(".SH DESCRIPTION\nA transcript holds what the clients of a database saw: the SQL they sent,\n"
       "what came back, and when.\n.B alibi\ndecides whether it can be true at an isolation level.\n"
       "A\n.I LOG\nmay be \\-, standard input.\n.SH COMMANDS");
  for (size_t i = 0; i < command_count; i++) man_command(&commands[i]);
  puts(".SH EXIT STATUS");
  for (size_t i = 0; i < EXIT_CODES; i++) printf(".TP\n%d\n%s\n", exit_codes[i].code, exit_codes[i].meaning);
  puts(".PP\nWith several logs the worst wins: 2, then 1, then 3.");
}

static void man_markdown(void) {
  for (size_t i = 0; i < command_count; i++) {
    if (!commands[i].options) continue;
    printf("### Options of `alibi %s`\n\n", commands[i].name);
    option_print(commands[i].options(), OPTION_AS_MARKDOWN, stdout);
    putchar('\n');
  }
}

int man_main(int argc, char **argv) {
  bool is_markdown = argc == 2 && strcmp(argv[1], "markdown") == 0;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    command_help("man");
    return EXIT_CORRECT;
  }
  if (argc > 1 && !is_markdown) {
    fprintf(stderr, "alibi man: expected nothing or 'markdown', got '%s'\n", argv[1]);
    return EXIT_BAD;
  }
  if (is_markdown)
    man_markdown();
  else
    man_roff();
  return EXIT_CORRECT;
}
