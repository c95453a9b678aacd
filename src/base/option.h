/* option.h: command-line options as tables.
 *
 * A command lists its options once, as an X-macro with one row per option:
 *
 *   #define CHECK_OPTIONS(X) \
 *     X(TEXT, level, "level", "L", NULL, NULL, "the level to check")
 *   typedef struct CheckOptions { CHECK_OPTIONS(OPTION_FIELD) } CheckOptions;
 *   #define OPTION_STRUCT CheckOptions
 *   static const Option check_options[] = {CHECK_OPTIONS(OPTION_ROW)};
 *
 * The struct, the parser, --help, the man page and the reference page are made from the rows.
 * Columns: kind, field, name, what the value is called, default, what this version lacks, help. */
#ifndef ALIBI_BASE_OPTION_H
#define ALIBI_BASE_OPTION_H

#include "src/base/array.h"
#include "src/base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum OptionKind {
  OPTION_FLAG,    /* --name */
  OPTION_TEXT,    /* --name VALUE or --name=VALUE, as for all below; NULL without a default */
  OPTION_WHOLE,   /* an integer from 0 on; -1 without a default */
  OPTION_SECONDS, /* a number of seconds from 0 on; -1 without a default */
  OPTION_CHOICE   /* one of the words in `argument`, separated by | */
} OptionKind;

typedef struct Option {
  const char *name; /* without the dashes */
  OptionKind kind;
  size_t offset;        /* of its field in the command's struct */
  const char *argument; /* NULL for flags */
  const char *standard; /* the default, or NULL */
  const char *lacking;  /* "*": this version has no such option; "a|b": it lacks these choices; or NULL */
  const char *help;
} Option;

#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_TEXT const char *
#define OPTION_TYPE_WHOLE int64_t
#define OPTION_TYPE_SECONDS double
#define OPTION_TYPE_CHOICE const char *
#define OPTION_FIELD(kind, field, name, argument, standard, lacking, help) OPTION_TYPE_##kind field;
#define OPTION_ROW(kind, field, name, argument, standard, lacking, help)                                     \
  {name, OPTION_##kind, offsetof(OPTION_STRUCT, field), argument, standard, lacking, help},

typedef struct OptionTable {
  const Option *options;
  size_t count;
} OptionTable;

typedef ARRAY(const char *) Operands; /* on the heap; borrows argv's texts */

/* Sets every field to its default. */
void option_defaults(OptionTable table, void *target);
/* Reads argv[1] and on. `--` ends the options and `-` is an operand. False: bad usage, diag tells. */
bool option_parse(OptionTable table, void *target, int argc, char **argv, Operands *operands, Diag *diag);

typedef enum OptionFormat { OPTION_AS_HELP, OPTION_AS_MARKDOWN, OPTION_AS_ROFF } OptionFormat;
void option_print(OptionTable table, OptionFormat format, FILE *file);

/* The one of `words` that `word` may have been meant to be, or NULL. */
const char *option_nearest(const char *word, const char *const *words, size_t count);

#endif
