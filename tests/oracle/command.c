/* command.c: options, and the two commands about single files. */
#include "tests/oracle/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool option_take(Command *command, const char *name, const char *value) {
  if (!strcmp(name, "--level"))
    return command->level = value, !strcmp(value, "all") || level_find(value, &command->rules.level);
  if (!strcmp(name, "--order"))
    return command->rules.is_search = !strcmp(value, "search"),
           !strcmp(value, "search") || !strcmp(value, "given");
  if (!strcmp(name, "--conflicts"))
    return command->rules.by_values = !strcmp(value, "values"),
           !strcmp(value, "values") || !strcmp(value, "writes");
  if (!strcmp(name, "--seed"))
    return command->has_seed = true, command->seed = strtoull(value, NULL, 10), true;
  if (!strcmp(name, "--count")) return (command->count = strtoull(value, NULL, 10)) > 0;
  if (!strcmp(name, "--seconds")) return (command->seconds = strtod(value, NULL)) > 0;
  if (!strcmp(name, "--clock-error")) return (command->rules.clock_error = strtoll(value, NULL, 10)) >= 0;
  if (!strcmp(name, "--out")) return command->out = value, true;
  if (!strcmp(name, "--keep")) return command->keep = value, true;
  return false;
}

bool command_read(Command *command, int argc, char **argv) {
  *command = (Command){.operands = argv + 1,
                       .level = "ser",
                       .rules.level = LEVEL_SER,
                       .count = 1000,
                       .keep = "oracle-differences"};
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2)) {
      command->operands[command->operand_count++] = argv[i];
    } else if (!strcmp(argv[i], "--fresh")) {
      command->rules.is_fresh = true;
    } else if (!strcmp(argv[i], "--aborted-reads")) {
      command->rules.checks_aborted = true;
    } else if (!strcmp(argv[i], "--verdicts")) {
      command->only_verdicts = true;
    } else {
      if (i + 1 == argc || !option_take(command, argv[i], argv[i + 1])) return false;
      i++;
    }
  }
  return true;
}

static bool file_judge(const char *path, const Rules *rules, Judgement *judgement) {
  History history;
  Diag diag = {0};
  char buffer[1024];
  history_init(&history);
  bool is_read = history_read(&history, path, &diag);
  if (is_read) *judgement = judge_history(&history, rules);
  if (!is_read) fprintf(stderr, "%s\n", diag_text(&diag, buffer, sizeof buffer));
  history_free(&history);
  return is_read;
}

int command_judge(const Command *command) {
  int worst = command->operand_count ? 0 : 2;
  for (int i = 0; i < command->operand_count; i++) {
    Judgement judgement = {0};
    if (!file_judge(command->operands[i], &command->rules, &judgement)) return 2;
    printf("%s: %s at level %s", command->operands[i], ruling_name(judgement.ruling),
           level_name(command->rules.level));
    if (judgement.ruling == RULING_VIOLATION || judgement.ruling == RULING_OPEN)
      printf(", failing prefix %u%s", judgement.failing_prefix,
             judgement.only_final ? " with the final lines" : "");
    if (judgement.reason[0]) printf(": %s", judgement.reason);
    printf(" (%llu runs)\n", (unsigned long long)judgement.runs);
    if ((int)judgement.ruling > worst) worst = (int)judgement.ruling;
  }
  return worst;
}

/* ---- Files with their verdicts beside them ------------------------------------------- */

/* LEVEL[+fresh][+values][+aborted][+clock=N] */
static bool rules_read(char *word, Rules *rules) {
  char *extra = strchr(word, '+');
  rules->is_fresh = extra && strstr(extra, "+fresh");
  rules->by_values = extra && strstr(extra, "+values");
  rules->checks_aborted = extra && strstr(extra, "+aborted");
  const char *error = extra ? strstr(extra, "+clock=") : NULL;
  rules->clock_error = error ? strtoll(error + 7, NULL, 10) : 0;
  if (extra) *extra = 0;
  return level_find(word, &rules->level);
}

static bool expectation_holds(const char *path, char *line) {
  char level[40], order[16], verdict[16];
  unsigned prefix = 0;
  int fields = sscanf(line, "%39s %15s %15s %u", level, order, verdict, &prefix);
  Rules rules = {.is_search = !strcmp(order, "search")};
  Judgement judgement = {0};
  line[strcspn(line, "\n")] = 0;
  if (fields < 3 || !rules_read(level, &rules) || (strcmp(order, "search") && strcmp(order, "given")))
    return printf("%s: cannot read '%s'\n", path, line), false;
  if (!file_judge(path, &rules, &judgement)) return false;
  bool is_same = !strcmp(verdict, ruling_name(judgement.ruling)) && prefix == judgement.failing_prefix;
  if (!is_same)
    printf("%s: '%s' is expected, the oracle says %s %u %s\n", path, line, ruling_name(judgement.ruling),
           judgement.failing_prefix, judgement.reason);
  return is_same;
}

int command_expect(const Command *command) {
  unsigned good = 0, bad = 0;
  for (int i = 0; i < command->operand_count; i++) {
    char path[4096], line[256];
    unsigned before = good + bad;
    const char *end = strrchr(command->operands[i], '.');
    snprintf(path, sizeof path, "%.*s.expect", end ? (int)(end - command->operands[i]) : 0,
             command->operands[i]);
    FILE *file = fopen(path, "re");
    if (!file) return printf("%s: %s\n", path, strerror(errno)), 2;
    while (fgets(line, sizeof line, file))
      if (line[0] != '#' && line[0] != '\n')
        *(expectation_holds(command->operands[i], line) ? &good : &bad) += 1;
    fclose(file);
    if (good + bad == before) bad++, printf("%s expects nothing\n", path);
  }
  printf("%d files, %u expectations met, %u not\n", command->operand_count, good, bad);
  return bad || !good;
}
