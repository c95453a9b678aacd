/* report_text.c: the verdict for people: first what, then where, then the difference itself. */
#include "src/app/report.h"

#include "src/app/table.h"

#include <string.h>

enum { SQL_SHOWN = 300, STATEMENTS_SHOWN = 12, SET_ASIDE_SHOWN = 5 };

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static bool levels_are_fresh(const Audit *audit) { return audit->levels.fresh != 0; }

/* "level ser (assumed), in the given order" */
static void print_question(const Audit *audit, FILE *file) {
  fprintf(file, "level %s", audit->level_title);
  if (levels_are_fresh(audit)) fputs(", fresh", file);
  if (audit->levels.is_assumed) fputs(" (assumed: neither --level nor the transcript names one)", file);
}

/* ---- The statements up to the failing one ------------------------------------------ */

static void print_observation(const Operation *operation, FILE *file) {
  if (operation->error)
    fprintf(file, "  -> error %.60s", operation->error);
  else if (operation->has_results)
    fprintf(file, "  -> %u result sets", operation->result_count);
  else if (operation->has_rows)
    fprintf(file, "  -> %u row%s", operation->results->count, plural(operation->results->count));
  if (operation->has_affected) fprintf(file, "  -> affected %lld", (long long)operation->affected);
}

static void print_params(const Operation *operation, FILE *file) {
  if (!operation->param_count) return;
  fputs("  with ", file);
  for (uint32_t i = 0; i < operation->param_count; i++) {
    char text[64];
    observed_format(&operation->params[i].value, true, text, sizeof text);
    fputs(i ? ", " : "", file);
    if (operation->params[i].name)
      fprintf(file, ":%.*s = ", (int)operation->params[i].name_length, operation->params[i].name);
    fputs(text, file);
  }
}

static void print_statement(Arena *arena, const Operation *operation, FILE *file) {
  static const char *const verbs[] = {
      [OPERATION_READ] = "read", [OPERATION_WRITE] = "write", [OPERATION_APPEND] = "append"};
  if (operation->kind == OPERATION_SQL) {
    fputs(report_sql(arena, operation->sql, SQL_SHOWN), file);
    print_params(operation, file);
    print_observation(operation, file);
    return;
  }
  char text[100];
  observed_format(&operation->argument, true, text, sizeof text);
  fprintf(file, "%s %.60s%s%s", verbs[operation->kind], operation->object,
          operation->kind == OPERATION_READ ? "  -> " : " := ", text);
}

static void print_statements(Arena *arena, const Failure *failure, FILE *file) {
  const Transaction *transaction = failure->transaction;
  uint32_t last = failure->operation, first = last >= STATEMENTS_SHOWN ? last - STATEMENTS_SHOWN + 1 : 0;
  if (first) fprintf(file, "       ... %u statement%s before\n", first, plural(first));
  for (uint32_t i = first; i <= last && i < transaction->operation_count; i++) {
    fprintf(file, "  %s %3u  ", i == last ? "->" : "  ", i + 1);
    print_statement(arena, &transaction->operations[i], file);
    fputc('\n', file);
  }
  if (last >= transaction->operation_count) fputs("  ->      COMMIT\n", file);
}

/* ---- The difference ------------------------------------------------------------------ */

static ObservedRows final_rows(Arena *arena, const TableLine *table) {
  ObservedRows rows = {table->row_count, ARENA_ARRAY(arena, ObservedRow, table->row_count + 1)};
  for (uint32_t i = 0; i < rows.count; i++)
    rows.rows[i] = (ObservedRow){table->rows[i].count, table->rows[i].observed};
  return rows;
}

static void print_slice(const ResultSet *expected, FILE *file) {
  if (!expected->has_slice) return;
  fprintf(file, "      LIMIT takes %llu of the expected rows", (unsigned long long)expected->take);
  if (expected->skip) fprintf(file, ", behind the first %llu", (unsigned long long)expected->skip);
  fputs("; rows that tie may take each other's places\n", file);
}

static void print_rows(const Audit *audit, const ResultSet *expected, const ObservedRows *observed,
                       const char *const *columns, uint32_t column_count, bool is_by_place, FILE *file) {
  Comparison comparison = {&audit->header.dialect, engine_doubts(replay_engine(audit_failure_replay(audit))),
                           expected, observed, is_by_place};
  table_print(&comparison, columns, column_count, file);
  print_slice(expected, file);
}

/* Two words or numbers where there are no rows to compare. */
static void print_answers(const char *observed, const char *expected, FILE *file) {
  fprintf(file, "      observed: %s\n      expected: %s\n", observed, expected);
}

/* A key-value read. */
static void print_values(const Observed *observed, Value expected, FILE *file) {
  char observed_value[400], expected_value[400];
  observed_format(observed, true, observed_value, sizeof observed_value);
  model_format(expected, expected_value, sizeof expected_value);
  print_answers(observed_value, expected_value, file);
}

static const char *outcome_text(Arena *arena, const Audit *audit, const Outcome *outcome) {
  if (outcome->kind != OUTCOME_ERROR)
    return outcome->has_affected ? arena_format(arena, "success, affected %lld", (long long)outcome->affected)
                                 : "success";
  for (ErrorClass each = ERROR_NONE + 1; each < ERROR_CLASS_COUNT; each++)
    if (outcome->errors & ERROR_BIT(each))
      return arena_format(arena, "error %s (%s)%s%s", error_class_code(&audit->header.dialect, each),
                          error_class_title(each), outcome->reason ? ": " : "",
                          outcome->reason ? outcome->reason : "");
  return "an error";
}

static const char *observation_text(Arena *arena, const Operation *operation) {
  if (operation->error) return arena_format(arena, "error %.60s", operation->error);
  if (operation->has_affected)
    return arena_format(arena, "success, affected %lld", (long long)operation->affected);
  if (operation->has_rows)
    return arena_format(arena, "success, %u result set%s", operation->result_count,
                        plural(operation->result_count));
  return "success";
}

static void print_difference(Arena *arena, const Audit *audit, const Failure *failure, FILE *file) {
  if (failure->is_joint) return;
  const Outcome *expected = &failure->expected;
  uint32_t result = failure->mismatch.result;
  if (failure->is_final) {
    ObservedRows rows = final_rows(arena, failure->observed_final);
    print_rows(audit, &expected->results.items[0], &rows, failure->observed_final->columns,
               failure->observed_final->column_count, false, file);
    return;
  }
  if (failure->operation >= failure->transaction->operation_count) {
    print_answers("committed", "rolled back", file);
    return;
  }
  const Operation *operation = &failure->transaction->operations[failure->operation];
  if (operation->has_rows && result < operation->result_count && result < expected->results.count &&
      failure->mismatch.kind != MISMATCH_AFFECTED && expected->kind == OUTCOME_DONE)
    print_rows(audit, &expected->results.items[result], &operation->results[result], operation->columns,
               operation->column_count, failure->mismatch.kind == MISMATCH_ORDER, file);
  else if (operation->kind == OPERATION_SQL)
    print_answers(observation_text(arena, operation), outcome_text(arena, audit, expected), file);
  else if (expected->results.count && expected->results.items[0].row_count)
    print_values(&operation->argument, expected->results.items[0].rows[0].values[0], file);
}

static void print_failure(Arena *arena, const Audit *audit, FILE *file) {
  const Failure *failure = audit->failure;
  uint64_t before = audit->checked;
  if (audit_prefix_is_open(audit))
    fprintf(file, "  Whether fewer transactions than these fail already could not be decided.\n");
  if (failure->is_final) {
    fprintf(file, "  After all transactions (%llu), line %llu: %s.\n", (unsigned long long)before,
            (unsigned long long)failure->line, report_explanation(arena, audit, failure));
  } else {
    fprintf(file, "  Transaction '%s' (line %llu) is number %llu in the order", failure->transaction->name,
            (unsigned long long)failure->line, (unsigned long long)failure->number);
    const char *format = before + 1 < failure->number ? "; the first %llu %s explained.\n"
                         : before                     ? "; the %llu before it %s explained.\n"
                                                      : ".\n";
    fprintf(file, format, (unsigned long long)before, before == 1 ? "is" : "are");
    fprintf(file, "  In %s.\n", report_explanation(arena, audit, failure));
    if (failure->is_joint && audit->has_core) { /* which tells more */
      fputc('\n', file);
      return;
    }
    fputc('\n', file);
    print_statements(arena, failure, file);
  }
  fputc('\n', file);
  print_difference(arena, audit, failure, file);
}

/* ---- The verdict ------------------------------------------------------------------------ */

static void print_set_aside(Arena *arena, const Audit *audit, FILE *file) {
  uint64_t count, kept;
  const SetAside *entries = replay_set_aside(audit->replay, &count, &kept);
  if (!count) return;
  fprintf(file, "  %llu statement%s set aside:\n", (unsigned long long)count, count == 1 ? " was" : "s were");
  for (uint64_t i = 0; i < kept && i < SET_ASIDE_SHOWN; i++) {
    const SetAside *entry = &entries[i];
    fprintf(file, "    line %llu", (unsigned long long)entry->line);
    if (entry->transaction)
      fprintf(file, ", transaction '%s', statement %u", entry->transaction, entry->operation + 1);
    fprintf(file, ": %s\n", entry->reason);
    if (entry->sql) fprintf(file, "      %s\n", report_sql(arena, entry->sql, 100));
  }
  if (count > SET_ASIDE_SHOWN)
    fprintf(file, "    and %llu more\n", (unsigned long long)(count - SET_ASIDE_SHOWN));
}

static void print_unknown(Arena *arena, const Audit *audit, FILE *file) {
  fprintf(file, "  %s", audit->reason ? audit->reason : "not decided");
  if (audit->reason_line) fprintf(file, " (line %llu", (unsigned long long)audit->reason_line);
  if (audit->reason_line && audit->reason_transaction)
    fprintf(file, ", transaction '%s', statement %u", audit->reason_transaction, audit->reason_operation + 1);
  fputs(audit->reason_line ? ").\n" : ".\n", file);
  uint64_t count = audit_transactions(audit);
  if (audit->checked)
    fprintf(file, "  The first %llu of %llu committed transaction%s %s proved.\n",
            (unsigned long long)audit->checked, (unsigned long long)count, plural(count),
            audit->checked == 1 ? "is" : "are");
  else
    fprintf(file, "  Nothing is proved of the %llu committed transaction%s.\n", (unsigned long long)count,
            plural(count));
  print_set_aside(arena, audit, file);
  if (!audit->failure) return;
  fputs("\n  What the given order does not explain:\n", file);
  print_failure(arena, audit, file);
}

static void print_correct(const Audit *audit, FILE *file) {
  uint64_t count = audit_transactions(audit);
  const char *how =
      audit->has_searched ? "an execution was found and replayed" : "replayed in the given order";
  fprintf(file, "  %llu committed transaction%s, %s: every observation is explained.\n",
          (unsigned long long)count, plural(count), how);
}

/* A searched prefix may need the writes of transactions behind it. */
static void print_later(const Audit *audit, FILE *file) {
  if (!audit->has_searched || !audit->search.later_count) return;
  fputs("\n  In the execution that explains those before it, later transactions took part as writers:", file);
  for (uint32_t i = 0; i < audit->search.later_count; i++)
    fprintf(file, "%s %s", i ? "," : "", audit->search.later[i]->transaction.name);
  fputs(".\n", file);
}

static void print_gaps(const Audit *audit, FILE *file) {
  uint64_t gaps = replay_gaps(audit->replay);
  if (gaps) fprintf(file, "  The transcript has %llu gap%s.\n", (unsigned long long)gaps, plural(gaps));
}

static void print_snapshots(const Audit *audit, FILE *file) {
  if (audit->distrust) fprintf(file, "  Snapshots were not used: %s.\n", audit->distrust);
  if (audit->trusted)
    fprintf(file, "  Of %llu transaction%s the snapshots were trusted.\n", (unsigned long long)audit->trusted,
            plural(audit->trusted));
}

void report_text(const Audit *audit, FILE *file) {
  static const char *const titles[] = {
      [VERDICT_CORRECT] = "correct", [VERDICT_VIOLATION] = "VIOLATION", [VERDICT_UNKNOWN] = "unknown"};
  char message[1024];
  if (audit->verdict == VERDICT_BAD_INPUT) {
    fflush(file);
    fprintf(stderr, "alibi: %s\n", diag_text(&audit->diag, message, sizeof message));
    return;
  }
  Arena arena;
  arena_init(&arena);
  fprintf(file, "%s: %s at ", audit->log, titles[audit->verdict]);
  print_question(audit, file);
  fputs("\n", file);
  if (audit->verdict == VERDICT_CORRECT) print_correct(audit, file);
  if (audit->verdict == VERDICT_UNKNOWN) print_unknown(&arena, audit, file);
  if (audit->verdict == VERDICT_VIOLATION) {
    print_failure(&arena, audit, file);
    if (audit->has_core) report_core_text(&arena, &audit->core, audit->failure, file);
    print_later(audit, file);
    print_set_aside(&arena, audit, file);
  }
  print_gaps(audit, file);
  print_snapshots(audit, file);
  arena_free(&arena);
}
