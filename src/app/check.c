/* check.c: `alibi check`: each log is audited and reported; the worst verdict is the exit code. */
#include "src/app/check.h"

#include "src/app/command.h"
#include "src/app/interrupt.h"
#include "src/app/report.h"

#include <string.h>

#define OPTION_STRUCT CheckOptions
static const Option option_rows[] = {CHECK_OPTIONS(OPTION_ROW)};

OptionTable check_options(void) {
  return (OptionTable){option_rows, sizeof option_rows / sizeof *option_rows};
}

/* With several logs: bad input, then violation, then unknown. */
static int worse_of(int a, int b) {
  static const int severity[] = {
      [EXIT_CORRECT] = 0, [EXIT_UNKNOWN] = 1, [EXIT_VIOLATION] = 2, [EXIT_BAD] = 3};
  return severity[b] > severity[a] ? b : a;
}

static int check_log(const char *log, const CheckOptions *options) {
  Audit audit;
  audit_run(&audit, log, options);
  bool is_json = strcmp(options->format, "json") == 0;
  if (is_json)
    report_json(&audit, stdout);
  else
    report_text(&audit, stdout);
  int code = output_finish((int)audit.verdict);
  if (options->stats && !is_json) report_stats(&audit, stderr);
  audit_free(&audit);
  return code;
}

static bool check_usage(const CheckOptions *options, const Operands *logs, Diag *diag) {
  if (!logs->count) return diag_fail(diag, PLACE_NONE, "expected a LOG; 'alibi check --help' tells more");
  if (options->fresh && options->stale)
    return diag_fail(diag, PLACE_NONE, "--fresh and --stale exclude each other");
  HeuristicSet set;
  if (!heuristics_parse(options->heuristics, &set, diag)) return false;
  if (!options->window || options->window > UINT32_MAX / 2)
    return diag_fail(diag, PLACE_NONE, "--window: a window has at least one state");
  if (options->witness && logs->count > 1)
    return diag_fail(diag, PLACE_NONE, "--witness is written for one LOG");
  return true;
}

int check_main(int argc, char **argv) {
  CheckOptions options;
  Operands logs = {0};
  Diag diag;
  diag_clear(&diag);
  int code = EXIT_CORRECT;
  bool is_usable = option_parse(check_options(), &options, argc, argv, &logs, &diag);
  if (is_usable && options.help) {
    command_help("check");
  } else if (!is_usable || !check_usage(&options, &logs, &diag)) {
    code = usage_fail("check", &diag);
  } else {
    interrupt_catch();
    for (uint32_t i = 0; i < logs.count; i++) {
      code = worse_of(code, check_log(logs.items[i], &options));
      if (interrupt_seen()) break;
    }
  }
  ARRAY_FREE(&logs);
  return code;
}
