/* explain.c: one sentence for each kind of mismatch. */
#include "src/app/report.h"

#include "src/app/compare.h"
#include "src/app/table.h"

#include <string.h>

const char *report_sql(Arena *arena, const char *sql, size_t most) {
  char *text = arena_alloc(arena, most + 8);
  size_t used = 0;
  bool has_blank = false;
  for (; *sql && used < most; sql++) {
    bool is_blank = *sql == ' ' || *sql == '\t' || *sql == '\n' || *sql == '\r';
    if (is_blank) {
      has_blank = used > 0;
      continue;
    }
    if (has_blank) text[used++] = ' ';
    has_blank = false;
    text[used++] = (unsigned char)*sql < 0x20 ? '.' : *sql;
  }
  if (*sql)
    while (used && (text[used] & 0xC0) == 0x80) used--; /* not in the middle of a character */
  strcpy(text + used, *sql ? " ..." : "");
  return text;
}

/* "duplicate key (23505)" or "division by zero (22012) or overflow (22003)". */
static const char *errors_text(Arena *arena, const Dialect *dialect, ErrorSet errors) {
  const char *text = NULL;
  for (ErrorClass each = ERROR_NONE + 1; each < ERROR_CLASS_COUNT; each++) {
    if (!(errors & ERROR_BIT(each))) continue;
    const char *code = error_class_code(dialect, each);
    const char *one = code && *code ? arena_format(arena, "%s (%s)", error_class_title(each), code)
                                    : error_class_title(each);
    text = text ? arena_format(arena, "%s or %s", text, one) : one;
  }
  return text ? text : "an error";
}

static const char *explain_final(Arena *arena, const Failure *failure) {
  return arena_format(arena,
                      "table '%s' held other rows at the end than every transaction together leaves in it",
                      failure->table);
}

static const char *count_rows(Arena *arena, const char *before, uint32_t count, const char *one,
                              const char *many) {
  if (!count) return before;
  return arena_format(arena, "%s%s%u row%s %s", before, *before ? ", " : "", count, count == 1 ? "" : "s",
                      count == 1 ? one : many);
}

static const char *explain_rows(Arena *arena, const Audit *audit, const Failure *failure,
                                const Operation *operation) {
  uint32_t result = failure->mismatch.result;
  if (result >= failure->expected.results.count || result >= operation->result_count)
    return "the rows do not agree";
  const ResultSet *expected = &failure->expected.results.items[result];
  Comparison comparison = {&audit->header.dialect, engine_doubts(replay_engine(audit_failure_replay(audit))),
                           expected, &operation->results[result], false};
  if (expected->has_slice) return "no choice that LIMIT leaves among the expected rows gives those observed";
  Pairs pairs = {0};
  compare_rows(&comparison, &pairs);
  uint32_t missing = 0, surplus = 0, different = 0;
  for (uint32_t i = 0; i < pairs.count; i++) {
    if (pairs.items[i].is_equal) continue;
    if (pairs.items[i].observed == PAIR_NONE)
      missing++;
    else if (pairs.items[i].expected == PAIR_NONE)
      surplus++;
    else
      different++;
  }
  ARRAY_FREE(&pairs);
  const char *text =
      count_rows(arena, "", different, "differs from what is expected", "differ from what is expected");
  text = count_rows(arena, text, missing, "is missing", "are missing");
  text = count_rows(arena, text, surplus, "should not be there", "should not be there");
  return *text ? text : "the rows do not agree";
}

static const char *explain_affected(Arena *arena, const Failure *failure, const Operation *operation) {
  const char *also = "";
  if (failure->expected.affected_also >= 0)
    also = arena_format(arena, " (or %lld)", (long long)failure->expected.affected_also);
  return arena_format(arena, "%lld affected rows were reported where %lld%s %s expected",
                      (long long)operation->affected, (long long)failure->expected.affected, also,
                      failure->expected.affected == 1 ? "is" : "are");
}

/* A key-value read: what the object held. */
static const char *explain_object(Arena *arena, const Failure *failure, const Operation *operation) {
  char observed[200], expected[200] = "another value";
  observed_format(&operation->argument, true, observed, sizeof observed);
  const ResultSets *results = &failure->expected.results;
  if (results->count && results->items[0].row_count)
    model_format(results->items[0].rows[0].values[0], expected, sizeof expected);
  return arena_format(arena, "object '%.60s' was read as %s, but holds %s", operation->object, observed,
                      expected);
}

static const char *explain_operation(Arena *arena, const Audit *audit, const Failure *failure,
                                     const Operation *operation) {
  const char *reason = failure->expected.reason ? failure->expected.reason : "";
  const char *errors = errors_text(arena, &audit->header.dialect, failure->expected.errors);
  if (operation->kind != OPERATION_SQL) return explain_object(arena, failure, operation);
  switch (failure->mismatch.kind) {
  case MISMATCH_ROWS: return explain_rows(arena, audit, failure, operation);
  case MISMATCH_ORDER: return "the rows are right, but ORDER BY asks for another order";
  case MISMATCH_COLUMNS: return "the names of the result's columns are not those of the statement";
  case MISMATCH_COLUMN_COUNT:
    return arena_format(arena,
                        "the rows observed have another number of values than the statement's %u columns",
                        failure->expected.results.items[failure->mismatch.result].column_count);
  case MISMATCH_AFFECTED: return explain_affected(arena, failure, operation);
  case MISMATCH_ERROR_EXPECTED:
    return arena_format(arena, "the statement succeeded, but must fail: %s%s%s", errors, *reason ? ": " : "",
                        reason);
  case MISMATCH_ERROR_OBSERVED:
    return arena_format(arena, "the statement failed with '%.60s', but a correct database executes it",
                        operation->error);
  case MISMATCH_ERROR_CLASS:
    return arena_format(arena, "the statement failed with '%.60s', but must fail otherwise: %s%s%s",
                        operation->error, errors, *reason ? ": " : "", reason);
  case MISMATCH_RESULT_COUNT:
    return arena_format(arena, "%u result sets were observed where %u are expected", operation->result_count,
                        failure->expected.results.count);
  case MISMATCH_NO_ROWS: return "rows were observed for a statement that returns none";
  case MISMATCH_COMMIT:
  case MISMATCH_NONE: break;
  }
  return "what was observed cannot be explained";
}

const char *report_explanation(Arena *arena, const Audit *audit, const Failure *failure) {
  if (failure->is_joint && failure->is_final)
    return arena_format(arena, "no execution of all transactions leaves what table '%s' held at the end",
                        failure->table);
  if (failure->contradiction) return failure->contradiction;
  if (failure->is_joint && audit->trusted && failure->transaction->snapshot)
    return arena_format(
        arena,
        "transaction '%s', whose snapshot was %s, together with those before it: no execution at level "
        "%s in which each reads what its snapshot saw explains all that they observed",
        failure->transaction->name, failure->transaction->snapshot, audit->level_title);
  if (failure->is_joint)
    return arena_format(arena,
                        "transaction '%s', together with those before it: no execution at level %s explains "
                        "all that they observed",
                        failure->transaction->name, audit->level_title);
  if (failure->is_final) return explain_final(arena, failure);
  const Transaction *transaction = failure->transaction;
  if (failure->mismatch.kind == MISMATCH_COMMIT || failure->operation >= transaction->operation_count)
    return arena_format(arena, "transaction '%s' cannot have committed: %s", transaction->name,
                        failure->expected.reason ? failure->expected.reason : "an error ended it");
  const char *seen = "";
  if (audit->trusted && transaction->snapshot)
    seen = arena_format(arena, ", in the state that its snapshot %s saw", transaction->snapshot);
  return arena_format(arena, "statement %u of transaction '%s': %s%s", failure->operation + 1, transaction->name,
                      explain_operation(arena, audit, failure, &transaction->operations[failure->operation]), seen);
}
