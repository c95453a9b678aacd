/* judge.c: building the observation, asking the matcher, and the two stricter checks. */
#include "tests/differential/judge.h"

#include "semantics/operate.h"

#include <ctype.h>
#include <stdio.h>

#define BIT(NAME) ERROR_BIT(ERROR_##NAME)

/* What SQLite says with its one code for everything. */
static const struct {
  const char *piece;
  ErrorSet classes;
} messages[] = {
    {"no such table", BIT(NO_TABLE)},
    {"no such column", BIT(NO_COLUMN)},
    {"has no column named", BIT(NO_COLUMN)},
    {"no such function", BIT(NO_FUNCTION)},
    {"ambiguous column name", BIT(AMBIGUOUS)},
    {"misuse of aggregate", BIT(GROUPING)},
    {"already exists", BIT(DUPLICATE_OBJECT)},
    {"already another", BIT(DUPLICATE_OBJECT)},
    {"no such savepoint", BIT(NO_SAVEPOINT)},
    {"no such index", BIT(NO_OBJECT)},
    {"integer overflow", BIT(OVERFLOW)},
    {"columns - expected", BIT(TYPE)},
    {"values were supplied", BIT(TYPE)},
    {"same number of result columns", BIT(TYPE)},
    {"wrong number of arguments", BIT(TYPE) | BIT(NO_FUNCTION)},
    {"ORDER BY term out of range", BIT(TYPE) | BIT(NO_COLUMN) | BIT(SYNTAX)},
    {"syntax error", BIT(SYNTAX)},
};

static ErrorSet message_classes(const char *message) {
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    if (strstr(message, messages[i].piece)) return messages[i].classes;
  return ERROR_ANY;
}

static Operation judge_operation(const Generated *statement, const Reply *reply) {
  bool failed = reply->error != NULL;
  return (Operation){.kind = OPERATION_SQL,
                     .sql = statement->sql,
                     .sql_length = (uint32_t)statement->length,
                     .has_rows = !failed && reply->has_rows,
                     .result_count = failed ? 0 : reply->result_count,
                     .results = failed ? NULL : reply->results,
                     .has_columns = !failed && reply->has_rows,
                     .column_count = reply->column_count,
                     .columns = reply->columns,
                     .has_affected = !failed && reply->has_affected,
                     .affected = reply->affected,
                     .error = reply->error};
}

/* 'n' NULL, 'i' a number, 't' TEXT, 'b' BLOB, '?' not known. Numbers are compared by value. */
static char class_of_model(Value value) {
  switch (value.kind) {
  case VALUE_NULL: return 'n';
  case VALUE_BOOL:
  case VALUE_INT: return 'i';
  case VALUE_DOUBLE: return 'i';
  case VALUE_TEXT: return 't';
  case VALUE_BLOB: return 'b';
  default: return '?';
  }
}

/* The driver writes blobs as text. */
static bool is_blob_text(Value value) {
  if (value.length < 2 || memcmp(value.text, "\\x", 2) != 0) return false;
  for (uint32_t i = 2; i < value.length; i++)
    if (!isxdigit((unsigned char)value.text[i])) return false;
  return true;
}

static char class_of_observed(const Observed *observed) {
  switch (observed->value.kind) {
  case VALUE_NULL: return 'n';
  case VALUE_DOUBLE: return 'i';
  case VALUE_TEXT: return is_blob_text(observed->value) ? 'b' : 't';
  default: return 'i';
  }
}

/* Each column must hold each storage class equally often: "1" is not 1. */
static bool classes_agree(const Judge *judge, const ResultSet *model, const ObservedRows *observed) {
  for (uint32_t column = 0; column < model->column_count; column++) {
    int64_t counts[256] = {0};
    for (uint32_t row = 0; row < model->row_count; row++) {
      if (model->rows[row].alternative_count) return true;
      Value value = doubt_settle(engine_doubts(judge->engine), model->rows[row].values[column]);
      char letter = class_of_model(value);
      if (letter == '?') return true;
      /* Infinity has no JSON number: it is observed as text. */
      if (value.kind == VALUE_DOUBLE &&
          (value.real > 1.7976931348623157e308 || value.real < -1.7976931348623157e308))
        letter = 't';
      counts[(unsigned char)letter]++;
    }
    for (uint32_t row = 0; row < observed->count; row++)
      counts[(unsigned char)class_of_observed(&observed->rows[row].cells[column])]--;
    for (int letter = 0; letter < 256; letter++)
      if (counts[letter]) return false;
  }
  return true;
}

static Judgement differs(Judge *judge, const char *reason) {
  judge->reason = reason;
  return JUDGED_DIFFERENT;
}

/* What SQLite 3.40 says of correct statements after it has rewritten them. */
static bool is_own_mistake(const char *message) {
  return strstr(message, "ON clause references tables to its right") ||
         strstr(message, "GROUP BY term out of range");
}

static Judgement judge_failure(Judge *judge, const Generated *statement, const Operation *operation,
                               const Reply *reply) {
  Mismatch mismatch = {0};
  Doubts *doubts = engine_doubts(judge->engine);
  MatchAnswer answer = match_outcome(&judge->dialect, doubts, &judge->outcome, operation, &mismatch);
  ErrorSet classes = judge->outcome.kind == OUTCOME_ERROR ? judge->outcome.errors : judge->outcome.possible;
  if (judge->outcome.kind == OUTCOME_DONE) {
    engine_undo_statement(judge->engine);
    if (answer == MATCH_NO) {
      classes = judge->outcome.possible |=
          engine_possible_errors(judge->engine, statement->sql, statement->length, NULL, 0);
      answer = match_outcome(&judge->dialect, doubts, &judge->outcome, operation, &mismatch);
    }
  }
  if (answer == MATCH_NO && is_own_mistake(reply->message)) {
    judge->reason = "SQLite refuses it by mistake";
    return JUDGED_ASIDE;
  }
  if (answer == MATCH_NO) return differs(judge, "SQLite refuses it");
  if (!(classes & message_classes(reply->message)))
    return differs(judge, "SQLite refuses it for another reason");
  return JUDGED_EQUAL;
}

static Judgement judge_success(Judge *judge, const Generated *statement, const Operation *operation) {
  static const char *const titles[] = {[MISMATCH_ROWS] = "the rows differ",
                                       [MISMATCH_ORDER] = "the order differs",
                                       [MISMATCH_COLUMNS] = "the columns' names differ",
                                       [MISMATCH_COLUMN_COUNT] = "the number of columns differs",
                                       [MISMATCH_AFFECTED] = "the affected counts differ",
                                       [MISMATCH_ERROR_EXPECTED] = "SQLite executes it",
                                       [MISMATCH_NO_ROWS] = "one gives rows, one does not"};
  Mismatch mismatch = {0};
  MatchAnswer answer =
      match_outcome(&judge->dialect, engine_doubts(judge->engine), &judge->outcome, operation, &mismatch);
  if (answer == MATCH_UNDECIDED) {
    judge->reason = "too many ways to pair the rows";
    return JUDGED_ASIDE;
  }
  if (answer == MATCH_NO) {
    const char *title = (size_t)mismatch.kind < sizeof titles / sizeof *titles ? titles[mismatch.kind] : NULL;
    return differs(judge, title ? title : "the matcher says no");
  }
  if (!operation->has_rows || statement->merges_equals || !judge->outcome.results.count) return JUDGED_EQUAL;
  const ResultSet *model = &judge->outcome.results.items[0];
  if (model->has_slice || classes_agree(judge, model, &operation->results[0])) return JUDGED_EQUAL;
  return differs(judge, "the storage classes differ");
}

/* Neither can read it. */
static bool is_syntax_error(Judge *judge, const Generated *statement, const Reply *reply) {
  Outcome outcome;
  Footprint footprint = {0};
  uint32_t offset;
  return reply->error && (message_classes(reply->message) & BIT(SYNTAX)) &&
         engine_prepare(judge->engine, statement->sql, statement->length, NULL, 0, &outcome, &offset,
                        &footprint) == PREPARE_SYNTAX;
}

Judgement judge_statement(Judge *judge, const Generated *statement, const Reply *reply) {
  Operation operation = judge_operation(statement, reply);
  judge->reason = NULL;
  judge->outcome = engine_execute(judge->engine, statement->sql, statement->length, NULL, 0);
  if (judge->outcome.kind == OUTCOME_UNMODELLED || judge->outcome.kind == OUTCOME_DOUBT) {
    if (is_syntax_error(judge, statement, reply)) return JUDGED_EQUAL;
    judge->reason = judge->outcome.reason ? judge->outcome.reason : "no reason given";
    return JUDGED_ASIDE;
  }
  return reply->error ? judge_failure(judge, statement, &operation, reply)
                      : judge_success(judge, statement, &operation);
}

/* ---- printing ---- */

static void print_model(const Judge *judge) {
  const Outcome *outcome = &judge->outcome;
  if (outcome->kind == OUTCOME_ERROR) {
    printf("    error: %s (", outcome->reason ? outcome->reason : "");
    for (unsigned class_ = 1; class_ < ERROR_CLASS_COUNT; class_++)
      if (outcome->errors & ERROR_BIT(class_)) printf(" %s", error_class_title(class_));
    printf(" )\n");
    return;
  }
  if (outcome->kind != OUTCOME_DONE) printf("    not modelled: %s\n", outcome->reason ? outcome->reason : "");
  if (outcome->kind == OUTCOME_DONE && outcome->has_affected)
    printf("    affected %lld\n", (long long)outcome->affected);
  for (uint32_t set = 0; outcome->kind == OUTCOME_DONE && set < outcome->results.count; set++) {
    const ResultSet *result = &outcome->results.items[set];
    if (result->has_slice)
      printf("    (to be cut: skip %llu, take %llu)\n", (unsigned long long)result->skip,
             (unsigned long long)result->take);
    for (uint32_t row = 0; row < result->row_count && row < 40; row++) {
      printf("    [%u]", result->rows[row].tie);
      for (uint32_t column = 0; column < result->column_count; column++) {
        char buffer[400];
        Value value = doubt_settle(engine_doubts(judge->engine), result->rows[row].values[column]);
        value_format(buffer, sizeof buffer, value);
        printf(" %s%s", buffer, value.kind == VALUE_DOUBLE ? "r" : "");
      }
      if (result->rows[row].alternative_count) printf("  or %u others", result->rows[row].alternative_count);
      printf("\n");
    }
  }
}

void judge_print(const Judge *judge, const Reply *reply) {
  printf("  SQLite:\n");
  if (reply->error) printf("    error %s: %s\n", reply->error, reply->message);
  if (!reply->error && reply->has_affected) printf("    affected %lld\n", (long long)reply->affected);
  for (uint32_t row = 0; !reply->error && row < reply_row_count(reply) && row < 40; row++) {
    printf("       ");
    for (uint32_t column = 0; column < reply->column_count; column++) {
      const Observed *cell = reply_cell(reply, row, column);
      char buffer[400];
      value_format(buffer, sizeof buffer, cell->value);
      printf(" %s%s", buffer, cell->value.kind == VALUE_DOUBLE ? "r" : "");
    }
    printf("\n");
  }
  printf("  Alibi:\n");
  print_model(judge);
}
