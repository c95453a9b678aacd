/* compare.c: random histories, judged by the oracle and by alibi: every verdict and failing prefix must
 * agree.
 *
 * Alibi is started once per batch.  `unknown` is no difference: it claims nothing.  An honest history that
 * the oracle does not find correct at the level it was made at is a difference too. */
#include "tests/oracle/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 200 };

/* One row of the report: what is asked. */
typedef struct Question {
  Rules rules;
  char title[64], options[128];
  uint64_t begun; /* transcripts tried so far */
  uint64_t asked, correct, violation, other, unknown, skipped, honest, differences;
} Question;

typedef struct Trial {
  uint64_t seed;
  Judgement judgement;
} Trial;

typedef struct Compare {
  const Command *command;
  const char *alibi;
  char folder[64];
  struct timespec begin;
  uint64_t differences;
} Compare;

/* ---- Histories ----------------------------------------------------------------------- */

/* Half of them at the level itself, the rest at another, mostly a weaker one. */
static Rules made_draw(const Rules *rules, Draw *draw) {
  static const Level textbook[] = {LEVEL_RC, LEVEL_RCS, LEVEL_RCS, LEVEL_SI, LEVEL_SI, LEVEL_SER};
  static const Level vendor[] = {LEVEL_RC,        LEVEL_RCS,       LEVEL_PG_RC,
                                 LEVEL_INNODB_RR, LEVEL_INNODB_RC, LEVEL_SER};
  Rules made = *rules;
  made.is_search = false;
  if (draw_percent(draw, 50)) return made;
  made.by_values = draw_percent(draw, 60);
  made.level = (level_is_vendor(rules->level) ? vendor : textbook)[draw_below(draw, 6)];
  made.is_fresh = rules->is_fresh && draw_percent(draw, 50);
  return made;
}

static bool history_try(History *history, const Rules *rules, Draw *draw, Asked *asked) {
  Compose compose;
  asked->made = made_draw(rules, draw);
  bool is_good = compose_history(&compose, history, &asked->made, rules, draw_next(draw));
  bool is_doctored = is_good && draw_percent(draw, 36) && compose_doctor(&compose);
  asked->is_honest = !is_doctored && !compose.is_wild && asked->made.level == rules->level &&
                     asked->made.is_fresh == rules->is_fresh && asked->made.by_values == rules->by_values;
  is_good = is_good && !compose.world->beyond[0];
  compose_free(&compose);
  return is_good;
}

/* What also is a serial execution tells the weak levels apart least: most such histories are drawn again. */
bool history_generate(History *history, const Rules *rules, uint64_t seed, Asked *asked) {
  static const Rules serial = {.level = LEVEL_SER};
  Draw draw = {seed};
  for (int tries = 0;; tries++) {
    if (!history_try(history, rules, &draw, asked)) return false;
    if (level_is_serial(rules->level) || tries == 5 || draw_percent(&draw, 35)) return true;
    if (judge_history(history, &serial).ruling != RULING_CORRECT) return true;
    history_free(history);
    history_init(history);
  }
}

static uint64_t seed_of(uint64_t seed, const Rules *rules, uint64_t index) {
  uint64_t kind = (uint64_t)rules->level << 3 | (uint64_t)rules->is_fresh << 2 |
                  (uint64_t)rules->by_values << 1 | (uint64_t)rules->is_search |
                  (uint64_t)rules->clock_error << 16 | (uint64_t)rules->checks_aborted << 8;
  return hash_mix(hash_mix(seed, kind), index);
}

int command_generate(const Command *command) {
  if (!command->out || !strcmp(command->level, "all"))
    return fprintf(stderr, "generate wants --out DIR and one level\n"), 2;
  if (mkdir(command->out, 0777) && errno != EEXIST)
    return fprintf(stderr, "%s: %s\n", command->out, strerror(errno)), 2;
  uint64_t written = 0;
  for (uint64_t i = 0; i < command->count; i++) {
    History history;
    Asked asked;
    Diag diag = {0};
    char path[4096];
    history_init(&history);
    snprintf(path, sizeof path, "%s/%llu.jsonl", command->out, (unsigned long long)i);
    if (history_generate(&history, &command->rules, seed_of(command->seed, &command->rules, i), &asked))
      written += history_write(&history, path, &diag);
    history_free(&history);
  }
  printf("%llu transcripts in %s, seed %llu\n", (unsigned long long)written, command->out,
         (unsigned long long)command->seed);
  return 0;
}

/* ---- Batches ------------------------------------------------------------------------- */

static bool time_is_up(const Compare *compare) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double spent =
      (double)(now.tv_sec - compare->begin.tv_sec) + (double)(now.tv_nsec - compare->begin.tv_nsec) / 1e9;
  return compare->command->seconds > 0 && spent > compare->command->seconds;
}

static void difference_keep(Compare *compare, Question *question, uint32_t index, const Trial *trial,
                            const char *said) {
  char from[160], to[4200];
  const char *keep = compare->command->keep;
  mkdir(keep, 0777);
  snprintf(from, sizeof from, "%s/%u.jsonl", compare->folder, index);
  snprintf(to, sizeof to, "%s/%s-%llx.jsonl", keep, question->title, (unsigned long long)trial->seed);
  if (rename(from, to)) { /* another file system */
    char command[4600];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    if (system(command)) fprintf(stderr, "cannot keep %s\n", from);
  }
  printf("DIFFERENCE %s: the oracle says %s %u%s, %s\n", question->title,
         ruling_name(trial->judgement.ruling), trial->judgement.failing_prefix,
         trial->judgement.only_final ? " (final)" : "", said);
  printf("  oracle judge %s %s\n  %s check %s %s\n", to, question->options, compare->alibi, to,
         question->options);
  compare->differences++;
}

/* Generates one history into the batch. */
static bool trial_prepare(Compare *compare, Question *question, uint64_t seed, uint32_t index, Trial *trial) {
  History history;
  Asked asked;
  Diag diag = {0};
  char path[160];
  history_init(&history);
  trial->seed = seed;
  bool is_good = history_generate(&history, &question->rules, seed, &asked);
  if (is_good) {
    trial->judgement = judge_history(&history, &question->rules);
    is_good = trial->judgement.ruling != RULING_BEYOND;
  }
  snprintf(path, sizeof path, "%s/%u.jsonl", compare->folder, index);
  if (is_good && !history_write(&history, path, &diag)) fatal("%s: %s", path, diag.message);
  if (is_good && asked.is_honest) {
    question->honest++;
    if (trial->judgement.ruling != RULING_CORRECT) {
      difference_keep(compare, question, index, trial, "but it was made honestly");
      question->differences++;
      is_good = false;
    }
  }
  history_free(&history);
  return is_good;
}

static void verdict_compare(Compare *compare, Question *question, uint32_t index, const Trial *trial,
                            char *json) {
  char verdict[24] = "?", said[64];
  unsigned prefix = 0;
  const char *at = strstr(json, "\"verdict\":\""), *failing = strstr(json, "\"failing_prefix\":");
  if (at) snprintf(verdict, sizeof verdict, "%.*s", (int)strcspn(at + 11, "\""), at + 11);
  if (failing) prefix = (unsigned)strtoul(failing + 17, NULL, 10);
  Ruling ruling = trial->judgement.ruling;
  question->asked++;
  question->correct += ruling == RULING_CORRECT;
  question->violation += ruling == RULING_VIOLATION;
  question->other += ruling == RULING_OPEN || ruling == RULING_BAD_INPUT;
  if (!strcmp(verdict, "unknown")) {
    question->unknown++;
    return;
  }
  bool is_same = !strcmp(verdict, ruling_name(ruling));
  bool is_open = strstr(json, "\"failing_prefix_exact\":false") && prefix > trial->judgement.failing_prefix;
  bool is_prefix_same =
      compare->command->only_verdicts || is_open || prefix == trial->judgement.failing_prefix;
  const char *what = is_same ? " (only the prefix differs)" : "";
  is_same = is_same && is_prefix_same;
  if (ruling == RULING_OPEN) is_same = !strcmp(verdict, "violation");
  if (is_same) return;
  snprintf(said, sizeof said, "alibi %s %u%s", verdict, prefix, what);
  difference_keep(compare, question, index, trial, said);
  question->differences++;
}

/* Asks alibi about trials from .. to, one answer per line; says how many it answered. */
static uint32_t trials_ask(Compare *compare, Question *question, const Trial *trials, uint32_t from,
                           uint32_t to) {
  static char command[BATCH * 16 + 8192];
  int used = snprintf(command, sizeof command, "cd %s && '%s' check %s --quiet --format json",
                      compare->folder, compare->alibi, question->options);
  for (uint32_t i = from; i < to; i++)
    used += snprintf(command + used, sizeof command - (size_t)used, " %u.jsonl", i);
  FILE *pipe = popen(command, "re");
  if (!pipe) fatal("cannot start %s", compare->alibi);
  char *line = NULL;
  size_t room = 0;
  uint32_t answered = from;
  while (getline(&line, &room, pipe) > 0)
    if (answered < to) {
      verdict_compare(compare, question, answered, &trials[answered], line);
      answered++;
    }
  free(line);
  pclose(pipe);
  return answered - from;
}

/* A program that dies takes its unwritten answers with it: the rest is asked one by one. */
static void batch_run(Compare *compare, Question *question, const Trial *trials, uint32_t size) {
  for (uint32_t i = trials_ask(compare, question, trials, 0, size); i < size; i++) {
    if (trials_ask(compare, question, trials, i, i + 1)) continue;
    difference_keep(compare, question, i, &trials[i], "alibi gave no answer");
    question->asked++;
    question->differences++;
  }
}

/* One batch more. False: it has been asked often enough. */
static bool question_ask(Compare *compare, Question *question) {
  static Trial trials[BATCH];
  uint32_t size = 0;
  while (size < BATCH && question->begun < compare->command->count && !time_is_up(compare)) {
    uint64_t seed = seed_of(compare->command->seed, &question->rules, question->begun++);
    if (trial_prepare(compare, question, seed, size, &trials[size]))
      size++;
    else
      question->skipped++;
  }
  if (size) batch_run(compare, question, trials, size);
  return size > 0;
}

static void question_print(const Question *question) {
  printf("%-22s %8llu %8llu %9llu %6llu %8llu %8llu %7llu %11llu\n", question->title,
         (unsigned long long)question->asked, (unsigned long long)question->correct,
         (unsigned long long)question->violation, (unsigned long long)question->other,
         (unsigned long long)question->unknown, (unsigned long long)question->honest,
         (unsigned long long)question->skipped, (unsigned long long)question->differences);
}

/* ---- The command --------------------------------------------------------------------- */

static Question question_new(Rules rules) {
  Question question = {.rules = rules};
  snprintf(question.title, sizeof question.title, "%s%s%s%s", level_name(rules.level),
           rules.is_fresh ? "+fresh" : "", rules.by_values ? "+values" : "",
           rules.is_search ? "+search" : "");
  int used = snprintf(question.options, sizeof question.options, "--level %s --order %s%s%s",
                      level_name(rules.level), rules.is_search ? "search" : "given",
                      rules.is_fresh ? " --fresh" : "", rules.by_values ? " --conflicts values" : "");
  if (rules.checks_aborted)
    used += snprintf(question.options + used, sizeof question.options - (size_t)used, " --aborted-reads");
  if (rules.clock_error)
    snprintf(question.options + used, sizeof question.options - (size_t)used, " --clock-error %lld",
             (long long)rules.clock_error);
  return question;
}

/* Every level, with freshness where that is a question of its own, and the seed paper's test of conflicts. */
static uint32_t questions_collect(const Command *command, Question *questions) {
  uint32_t count = 0;
  if (strcmp(command->level, "all")) {
    questions[count++] = question_new(command->rules);
    return count;
  }
  for (int level = 0; level < LEVEL_COUNT; level++)
    for (int extra = 0; extra < 3; extra++) {
      bool has_own_rule = level_is_serial((Level)level) || level == LEVEL_SSI;
      if ((extra == 1 && has_own_rule) || (extra == 2 && level != LEVEL_SI)) continue;
      Rules rules = command->rules;
      rules.level = (Level)level, rules.is_fresh = extra == 1, rules.by_values = extra == 2;
      questions[count++] = question_new(rules);
    }
  return count;
}

/* In turns, so that every level has its share of the time. */
static void questions_ask(Compare *compare) {
  Question questions[3 * LEVEL_COUNT];
  uint32_t count = questions_collect(compare->command, questions);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (uint32_t i = 0; i < count; i++) goes_on |= question_ask(compare, &questions[i]);
  }
  printf("%-22s %8s %8s %9s %6s %8s %8s %7s %11s\n", "level", "asked", "correct", "violation", "other",
         "unknown", "honest", "skipped", "differences");
  for (uint32_t i = 0; i < count; i++) question_print(&questions[i]);
}

int command_compare(const Command *given) {
  Command command = *given;
  if (command.operand_count != 1) return fprintf(stderr, "compare wants the program alibi\n"), 2;
  char *alibi = realpath(command.operands[0], NULL);
  if (!alibi) return fprintf(stderr, "%s: %s\n", command.operands[0], strerror(errno)), 2;
  uint32_t fresh = (uint32_t)time(NULL);
  if (!command.has_seed)
    command.seed = getrandom(&fresh, sizeof fresh, 0) == sizeof fresh ? fresh : (uint64_t)time(NULL);
  Compare compare = {.command = &command, .alibi = alibi, .folder = "/tmp/oracle-XXXXXX"};
  if (!mkdtemp(compare.folder)) return fprintf(stderr, "%s: %s\n", compare.folder, strerror(errno)), 2;
  clock_gettime(CLOCK_MONOTONIC, &compare.begin);
  printf("seed %llu, at most %llu transcripts per level\n", (unsigned long long)command.seed,
         (unsigned long long)command.count);
  questions_ask(&compare);
  char clean[128];
  snprintf(clean, sizeof clean, "rm -r %s", compare.folder);
  if (system(clean)) fprintf(stderr, "%s is left\n", compare.folder);
  free(alibi);
  if (compare.differences)
    printf("%llu differences, kept in %s\n", (unsigned long long)compare.differences, command.keep);
  return compare.differences > 0;
}
