/* report_core.c: the observations that cannot all be true, for scripts and for people. */
#include "src/app/report.h"

#include "src/app/table.h"

#include <string.h>

enum {
  SQL_SHOWN = 100,
  SQL_WIDTH = 60,
  ROWS_SHOWN = 4,
  CELLS_SHOWN = 8,
  STATEMENTS_SHOWN = 20,
  LINES_SHOWN = 60,
  WIDTHS_LOOKED = 500
};

/* What the core holds of one operation: a set of ObservationKinds.  `first` is an observation of the line
 * that does not stand behind those of the operation. */
static unsigned kinds_of(const Core *core, uint32_t first, uint32_t operation) {
  unsigned kinds = 0;
  const Line *line = core->observations.items[first].line;
  for (uint32_t i = first; i < core->observations.count && core->observations.items[i].line == line; i++) {
    const Observation *each = &core->observations.items[i];
    if (observation_is_of_operation(each->kind) && each->operation == operation) kinds |= 1u << each->kind;
  }
  return kinds;
}

static bool is_in(unsigned kinds, ObservationKind kind) { return kinds & 1u << kind; }

/* ---- JSON --------------------------------------------------------------------------------------------- */

static void emit_txn(Emit *emit, const Transaction *transaction) {
  emit_open(emit, '{');
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
}

static void emit_observed_fields(Emit *emit, const Operation *operation, unsigned kinds) {
  emit_open(emit, '{');
  if (is_in(kinds, OBSERVED_ERROR)) emit_field(emit, "error", operation->error);
  if (is_in(kinds, OBSERVED_COLUMNS)) {
    emit_key(emit, "columns");
    emit_open(emit, '[');
    for (uint32_t i = 0; i < operation->column_count; i++) emit_text(emit, operation->columns[i]);
    emit_close(emit, ']');
  }
  if (is_in(kinds, OBSERVED_ROWS)) {
    emit_key(emit, operation->has_results ? "results" : "rows");
    if (operation->has_results) emit_open(emit, '[');
    for (uint32_t i = 0; i < operation->result_count; i++) emit_rows(emit, &operation->results[i]);
    if (operation->has_results) emit_close(emit, ']');
  }
  if (is_in(kinds, OBSERVED_AFFECTED)) emit_count(emit, "affected", operation->affected);
  if (is_in(kinds, OBSERVED_VALUE)) {
    emit_key(emit, "value");
    emit_observed(emit, &operation->argument);
  }
  emit_close(emit, '}');
}

/* An interval as it was recorded. */
static Interval recorded(const Core *core, Interval interval) {
  return interval_widen(interval, -core->clock_error);
}

static void emit_operation(Emit *emit, const Core *core, const Transaction *transaction, uint32_t index,
                           unsigned kinds) {
  const Operation *operation = &transaction->operations[index];
  emit_txn(emit, transaction);
  emit_count(emit, "op", index);
  if (operation->kind == OPERATION_SQL) {
    emit_key(emit, "sql");
    emit_string(emit, operation->sql, operation->sql_length);
  } else {
    emit_field(emit, "object", operation->object);
  }
  if (kinds & ~(1u << OBSERVED_OPERATION_START)) {
    emit_key(emit, "observed");
    emit_observed_fields(emit, operation, kinds);
  }
  if (is_in(kinds, OBSERVED_OPERATION_START)) emit_interval(emit, "start", recorded(core, operation->start));
  emit_close(emit, '}');
}

static void emit_whole(Emit *emit, const Core *core, const Observation *observation) {
  const Transaction *transaction = &observation->line->transaction;
  if (observation->kind == OBSERVED_FINAL) {
    emit_open(emit, '{');
    emit_field(emit, "final", observation->line->table.table);
  } else {
    emit_txn(emit, transaction);
  }
  switch (observation->kind) {
  case OBSERVED_COMMITTED:
    emit_key(emit, line_is_reader(observation->line) ? "aborted" : "committed"), emit_bool(emit, true);
    break;
  case OBSERVED_START: emit_interval(emit, "start", recorded(core, transaction->start)); break;
  case OBSERVED_COMMIT: emit_interval(emit, "commit", recorded(core, transaction->commit)); break;
  case OBSERVED_SESSION: emit_field(emit, "session", transaction->session); break;
  case OBSERVED_XID: emit_field(emit, "xid", transaction->xid); break;
  case OBSERVED_SNAPSHOT: emit_field(emit, "snapshot", transaction->snapshot); break;
  default: break;
  }
  emit_close(emit, '}');
}

void report_core_json(Emit *emit, const Core *core) {
  for (uint32_t i = 0; i < core->observations.count; i++) {
    const Observation *each = &core->observations.items[i];
    if (!observation_is_of_operation(each->kind)) {
      emit_whole(emit, core, each);
      continue;
    }
    const Observation *before = i ? each - 1 : NULL;
    bool is_told = before && observation_is_of_operation(before->kind) && before->line == each->line &&
                   before->operation == each->operation;
    if (!is_told)
      emit_operation(emit, core, &each->line->transaction, each->operation,
                     kinds_of(core, i, each->operation));
  }
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

static void print_row(const ObservedRow *row, FILE *file) {
  fputc('(', file);
  for (uint32_t i = 0; i < row->count && i < CELLS_SHOWN; i++) {
    char text[48];
    observed_format(&row->cells[i], true, text, sizeof text);
    fprintf(file, "%s%s", i ? ", " : "", text);
  }
  fputs(row->count > CELLS_SHOWN ? ", ...)" : ")", file);
}

static void print_set(const ObservedRows *rows, FILE *file) {
  if (!rows->count) fputs(" no rows", file);
  for (uint32_t i = 0; i < rows->count && i < ROWS_SHOWN; i++)
    fputc(' ', file), print_row(&rows->rows[i], file);
  if (rows->count > ROWS_SHOWN) fprintf(file, " and %u more", rows->count - ROWS_SHOWN);
}

static void print_seen(const Core *core, const Operation *operation, unsigned kinds, FILE *file) {
  const char *comma = "  ->";
  if (is_in(kinds, OBSERVED_ERROR)) fprintf(file, "%s error %.60s", comma, operation->error), comma = ",";
  if (is_in(kinds, OBSERVED_ROWS)) {
    fputs(comma, file), comma = ",";
    for (uint32_t i = 0; i < operation->result_count; i++) {
      if (i) fputs(" |", file);
      print_set(&operation->results[i], file);
    }
  }
  if (is_in(kinds, OBSERVED_AFFECTED))
    fprintf(file, "%s affected %lld", comma, (long long)operation->affected), comma = ",";
  if (is_in(kinds, OBSERVED_COLUMNS)) {
    fprintf(file, "%s columns", comma), comma = ",";
    for (uint32_t i = 0; i < operation->column_count && i < CELLS_SHOWN; i++)
      fprintf(file, " %.40s", operation->columns[i]);
  }
  if (is_in(kinds, OBSERVED_VALUE)) {
    char text[100];
    observed_format(&operation->argument, true, text, sizeof text);
    fprintf(file, "%s %s", comma, text), comma = ",";
  }
  if (is_in(kinds, OBSERVED_OPERATION_START))
    fprintf(file, "%s sent at %lld", comma, (long long)recorded(core, operation->start).lo);
}

static const char *statement_text(Arena *arena, const Operation *operation) {
  static const char *const verbs[] = {
      [OPERATION_READ] = "read", [OPERATION_WRITE] = "write", [OPERATION_APPEND] = "append"};
  char text[100];
  if (operation->kind != OPERATION_SQL) {
    observed_format(&operation->argument, true, text, sizeof text);
    return operation->kind == OPERATION_READ
               ? arena_format(arena, "read %.60s", operation->object)
               : arena_format(arena, "%s %.60s := %s", verbs[operation->kind], operation->object, text);
  }
  const char *sql = report_sql(arena, operation->sql, SQL_SHOWN);
  for (uint32_t i = 0; i < operation->param_count && i < CELLS_SHOWN; i++) {
    observed_format(&operation->params[i].value, true, text, sizeof text);
    sql = arena_format(arena, "%s%s%s", sql, i ? ", " : "  with ", text);
  }
  return sql;
}

static void print_interval(const char *what, Interval interval, FILE *file) {
  if (interval.lo == interval.hi)
    fprintf(file, ", %s at %lld", what, (long long)interval.lo);
  else
    fprintf(file, ", %s in [%lld, %lld]", what, (long long)interval.lo, (long long)interval.hi);
}

/* "t2 (line 7): committed, of session 'a', started at 20" */
static void print_heading(const Core *core, uint32_t first, FILE *file) {
  const Line *line = core->observations.items[first].line;
  const Transaction *transaction = &line->transaction;
  bool is_committed = false;
  for (uint32_t i = 0; i < core->observations.count; i++)
    is_committed |=
        core->observations.items[i].line == line && core->observations.items[i].kind == OBSERVED_COMMITTED;
  fprintf(file, "    %s (line %llu): %s", transaction->name, (unsigned long long)line->number,
          line_is_reader(line) ? "aborted"
          : is_committed       ? "committed"
                               : "if it took part");
  for (uint32_t i = 0; i < core->observations.count; i++) {
    const Observation *each = &core->observations.items[i];
    if (each->line != line) continue;
    if (each->kind == OBSERVED_SESSION) fprintf(file, ", of session '%.40s'", transaction->session);
    if (each->kind == OBSERVED_XID) fprintf(file, ", with the id %.40s", transaction->xid);
    if (each->kind == OBSERVED_SNAPSHOT) fprintf(file, ", with the snapshot %.200s", transaction->snapshot);
    if (each->kind == OBSERVED_START) print_interval("started", recorded(core, transaction->start), file);
    if (each->kind == OBSERVED_COMMIT)
      print_interval("took effect", recorded(core, transaction->commit), file);
  }
  fputc('\n', file);
}

/* All its statements, for they are what it did; what was seen of them only where that is in the core. */
static void print_transaction(Arena *arena, const Core *core, uint32_t first, int width, FILE *file) {
  const Transaction *transaction = &core->observations.items[first].line->transaction;
  print_heading(core, first, file);
  uint32_t shown = 0, hidden = 0;
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    unsigned kinds = kinds_of(core, first, i);
    if (transaction->operations[i].meta) continue;
    if (!kinds && (shown >= STATEMENTS_SHOWN || transaction->operations[i].error)) {
      hidden++;
      continue;
    }
    shown++;
    const char *text = statement_text(arena, &transaction->operations[i]);
    if (!kinds) {
      fprintf(file, "     %4u  %s\n", i + 1, text);
      continue;
    }
    fprintf(file, "     %4u  %-*s", i + 1, width, text);
    print_seen(core, &transaction->operations[i], kinds, file);
    fputc('\n', file);
  }
  if (hidden) fprintf(file, "           ... %u more statement%s\n", hidden, hidden == 1 ? "" : "s");
}

/* As wide as the longest statement of which something was seen, within reason. */
static int statements_width(Arena *arena, const Core *core) {
  int width = 0;
  for (uint32_t i = 0; i < core->observations.count && i < WIDTHS_LOOKED; i++) {
    const Observation *each = &core->observations.items[i];
    if (!observation_is_of_operation(each->kind)) continue;
    int length = (int)strlen(statement_text(arena, &each->line->transaction.operations[each->operation]));
    if (length > width && length <= SQL_WIDTH) width = length;
  }
  return width;
}

/* Is it about the statement that the report shows already, and nothing else? */
static bool core_is_told(const Core *core, const Failure *failure) {
  if (failure->is_joint || failure->is_final || !core->is_minimal) return false;
  for (uint32_t i = 0; i < core->observations.count; i++) {
    const Observation *each = &core->observations.items[i];
    if (each->line->number != failure->line || each->kind == OBSERVED_FINAL) return false;
    if (observation_is_of_operation(each->kind) && each->operation != failure->operation) return false;
  }
  return core->observations.count > 0;
}

/* What the statement could have answered; the report may have told it already. */
static void print_answers(const Answers *answers, const Failure *failure, FILE *file) {
  if (!answers->texts.count) return;
  if (answers->texts.count == 1 && !answers->is_cut && !failure->is_joint) return;
  fputs("\n  What the statement could have answered, whoever of the others took part:\n", file);
  for (uint32_t i = 0; i < answers->texts.count; i++)
    fprintf(file, "      %s%s\n", i ? "or " : "   ", answers->texts.items[i]);
  if (answers->is_cut) fputs("      and perhaps more\n", file);
}

void report_core_text(Arena *arena, const Core *core, const Failure *failure, FILE *file) {
  if (core_is_told(core, failure)) {
    fputs("\n  This alone: whatever else was observed, no execution explains it.\n", file);
    print_answers(&core->answers, failure, file);
    return;
  }
  fprintf(file, "%s  No execution explains all of this together%s:\n\n", failure->is_joint ? "" : "\n",
          core->is_minimal ? "; without any one of these observations there is one" : "");
  int width = statements_width(arena, core);
  const Line *last = NULL;
  uint32_t shown = 0;
  for (uint32_t i = 0; i < core->observations.count; i++) {
    const Observation *each = &core->observations.items[i];
    if (each->line == last) continue;
    last = each->line;
    if (shown++ >= LINES_SHOWN) continue;
    if (each->kind == OBSERVED_FINAL)
      fprintf(file, "    the final rows of table '%s' (line %llu)\n", last->table.table,
              (unsigned long long)last->number);
    else
      print_transaction(arena, core, i, width, file);
  }
  if (shown > LINES_SHOWN) fprintf(file, "    and %u more transactions\n", shown - LINES_SHOWN);
  print_answers(&core->answers, failure, file);
}
