/* option_print.c: a table of options for people: as --help, in Markdown, as a man page. */
#include "src/base/option.h"

#include <string.h>

enum { HELP_COLUMN = 28, HELP_WIDTH = 100 };

/* "--level L" */
static void option_title(const Option *option, char *buffer, size_t size) {
  if (option->argument)
    snprintf(buffer, size, "--%s %s", option->name, option->argument);
  else
    snprintf(buffer, size, "--%s", option->name);
}

/* What the table adds to the help text by itself. */
static void option_remarks(const Option *option, char *buffer, size_t size) {
  buffer[0] = 0;
  if (option->standard) snprintf(buffer, size, " (default: %s)", option->standard);
  if (!option->lacking) return;
  size_t used = strlen(buffer);
  if (strcmp(option->lacking, "*") == 0)
    snprintf(buffer + used, size - used, " [not available in this version]");
  else
    snprintf(buffer + used, size - used, " [not available in this version: %s]", option->lacking);
}

/* Words wrapped at HELP_WIDTH, each line from HELP_COLUMN on. */
static void print_wrapped(FILE *file, const char *text) {
  size_t column = HELP_COLUMN;
  while (*text) {
    size_t length = strcspn(text, " ");
    if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
      fprintf(file, "\n%*s", HELP_COLUMN, "");
      column = HELP_COLUMN;
    }
    if (column > HELP_COLUMN) fputc(' ', file), column++;
    fwrite(text, 1, length, file);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', file);
}

static void print_help(const Option *option, FILE *file) {
  char title[160], remarks[200], text[2400];
  option_title(option, title, sizeof title);
  option_remarks(option, remarks, sizeof remarks);
  snprintf(text, sizeof text, "%s%s", option->help, remarks);
  int printed = fprintf(file, "  %s", title);
  if (printed + 2 > HELP_COLUMN)
    fprintf(file, "\n%*s", HELP_COLUMN, "");
  else
    fprintf(file, "%*s", HELP_COLUMN - printed, "");
  print_wrapped(file, text);
}

static void print_markdown(const Option *option, FILE *file) {
  char title[160], remarks[200];
  option_title(option, title, sizeof title);
  option_remarks(option, remarks, sizeof remarks);
  fputs("| `", file);
  for (const char *at = title; *at; at++) /* a bar would end the cell */
    if (*at == '|')
      fputs("\\|", file);
    else
      fputc(*at, file);
  fputs("` | ", file);
  for (const char *at = option->help; *at; at++)
    if (*at == '|')
      fputs("\\|", file);
    else
      fputc(*at, file);
  for (const char *at = remarks; *at; at++)
    if (*at == '|')
      fputs(", ", file);
    else
      fputc(*at, file);
  fputs(" |\n", file);
}

/* Text for roff: backslashes and dashes escaped, no line may start with a dot or a quote. */
static void print_roff_text(const char *text, FILE *file) {
  if (*text == '.' || *text == '\'') fputs("\\&", file);
  for (; *text; text++)
    if (*text == '\\')
      fputs("\\e", file);
    else if (*text == '-')
      fputs("\\-", file);
    else
      fputc(*text, file);
}

static void print_roff(const Option *option, FILE *file) {
  char remarks[200];
  option_remarks(option, remarks, sizeof remarks);
  fputs(".TP\n\\fB\\-\\-", file);
  print_roff_text(option->name, file);
  fputs("\\fR", file);
  if (option->argument) {
    fputs(" \\fI", file);
    print_roff_text(option->argument, file);
    fputs("\\fR", file);
  }
  fputc('\n', file);
  print_roff_text(option->help, file);
  print_roff_text(remarks, file);
  fputc('\n', file);
}

void option_print(OptionTable table, OptionFormat format, FILE *file) {
  if (format == OPTION_AS_MARKDOWN) fputs("| option | meaning |\n|---|---|\n", file);
  for (size_t i = 0; i < table.count; i++) switch (format) {
    case OPTION_AS_HELP: print_help(&table.options[i], file); break;
    case OPTION_AS_MARKDOWN: print_markdown(&table.options[i], file); break;
    case OPTION_AS_ROFF: print_roff(&table.options[i], file); break;
    }
}
