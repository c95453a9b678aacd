/* report_json.c: one object per log; docs/command-line.md says what each field means. */
#include "src/app/report.h"

#include "src/transcript/emit.h"

#include <string.h>
#include <sys/resource.h>

/* ---- Observations ------------------------------------------------------------------ */

static void emit_observation(Emit *emit, const Operation *operation) {
  emit_open(emit, '{');
  if (operation->error) emit_field(emit, "error", operation->error);
  if (operation->has_rows) {
    emit_key(emit, operation->has_results ? "results" : "rows");
    if (operation->has_results) emit_open(emit, '[');
    for (uint32_t i = 0; i < operation->result_count; i++) emit_rows(emit, &operation->results[i]);
    if (operation->has_results) emit_close(emit, ']');
  }
  if (operation->has_affected) emit_count(emit, "affected", operation->affected);
  if (operation->kind == OPERATION_READ) {
    emit_key(emit, "value");
    emit_observed(emit, &operation->argument);
  }
  emit_close(emit, '}');
}

static void emit_operation(Emit *emit, const Transaction *transaction, uint32_t index) {
  const Operation *operation = &transaction->operations[index];
  emit_open(emit, '{');
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
  emit_count(emit, "op", index);
  if (operation->kind == OPERATION_SQL) {
    emit_key(emit, "sql");
    emit_string(emit, operation->sql, operation->sql_length);
  } else {
    emit_field(emit, "object", operation->object);
  }
  emit_key(emit, "observed");
  emit_observation(emit, operation);
  emit_close(emit, '}');
}

static void emit_committed(Emit *emit, const Transaction *transaction) {
  emit_open(emit, '{');
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
  emit_key(emit, "committed");
  emit_bool(emit, true);
  emit_close(emit, '}');
}

static void emit_time(Emit *emit, const Transaction *transaction, const char *key, Interval interval) {
  if (!interval.given) return;
  emit_open(emit, '{');
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
  emit_interval(emit, key, interval);
  emit_close(emit, '}');
}

/* Everything that was observed of a transaction. */
static void emit_observations(Emit *emit, const Transaction *transaction) {
  for (uint32_t i = 0; i < transaction->operation_count; i++) {
    const Operation *operation = &transaction->operations[i];
    bool is_observed = operation->error || operation->has_rows || operation->has_affected ||
                       operation->kind == OPERATION_READ;
    if (is_observed && !operation->meta) emit_operation(emit, transaction, i);
  }
  if (transaction->status == STATUS_COMMITTED) emit_committed(emit, transaction);
  emit_time(emit, transaction, "start", transaction->start);
  emit_time(emit, transaction, "commit", transaction->commit);
  if (!transaction->session) return;
  emit_open(emit, '{');
  emit_name(emit, "txn", transaction->name, transaction->name_is_integer);
  emit_field(emit, "session", transaction->session);
  emit_close(emit, '}');
}

/* A failing prefix that was searched: its observations cannot all be true, whichever of them are to blame. */
static void emit_prefix(Emit *emit, const Audit *audit) {
  const Log *log = &audit->whole;
  for (uint32_t i = 0; i < log->lines.count; i++) {
    const Line *line = log->lines.items[i];
    if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED) continue;
    emit_observations(emit, &line->transaction);
    if (line == audit->search.line) return;
  }
  for (uint32_t i = 0; i < log->finals.count; i++) {
    emit_open(emit, '{');
    emit_field(emit, "final", log->finals.items[i]->table.table);
    emit_close(emit, '}');
  }
}

/* ---- Violations ---------------------------------------------------------------------- */

static void emit_expected(Emit *emit, Doubts *doubts, const Outcome *outcome) {
  emit_key(emit, "expected");
  emit_open(emit, '{');
  if (outcome->kind == OUTCOME_ERROR)
    emit_field(emit, "error", outcome->reason ? outcome->reason : "an error");
  if (outcome->kind == OUTCOME_DONE && outcome->has_affected) emit_count(emit, "affected", outcome->affected);
  if (outcome->kind == OUTCOME_DONE && outcome->results.count) {
    emit_key(emit, "results");
    emit_open(emit, '[');
    for (uint32_t i = 0; i < outcome->results.count; i++) {
      const ResultSet *set = &outcome->results.items[i];
      emit_open(emit, '[');
      for (uint32_t j = 0; j < set->row_count; j++) {
        emit_open(emit, '[');
        for (uint32_t k = 0; k < set->column_count; k++)
          emit_value(emit, doubt_settle(doubts, set->rows[j].values[k]));
        emit_close(emit, ']');
      }
      emit_close(emit, ']');
    }
    emit_close(emit, ']');
  }
  emit_close(emit, '}');
}

static void emit_violation(Emit *emit, Arena *arena, const Audit *audit) {
  const Failure *failure = audit->failure;
  emit_count(emit, "failing_prefix",
             (int64_t)(failure->is_final ? replay_transactions(audit->replay) : failure->number));
  if (failure->is_final)
    emit_field(emit, "failing_txn", NULL);
  else
    emit_name(emit, "failing_txn", failure->transaction->name, failure->transaction->name_is_integer);
  emit_field(emit, "explanation", report_explanation(arena, audit, failure));
  emit_key(emit, "core");
  emit_open(emit, '[');
  if (audit->has_searched) {
    emit_prefix(emit, audit);
  } else if (failure->is_final) {
    emit_open(emit, '{');
    emit_field(emit, "final", failure->table);
    emit_close(emit, '}');
  } else {
    if (failure->operation < failure->transaction->operation_count)
      emit_operation(emit, failure->transaction, failure->operation);
    emit_committed(emit, failure->transaction);
  }
  emit_close(emit, ']');
  emit_key(emit, "core_minimal");
  emit_bool(emit, false);
  if (!failure->is_joint)
    emit_expected(emit, engine_doubts(replay_engine(audit_failure_replay(audit))), &failure->expected);
  emit_key(emit, "at");
  emit_open(emit, '{');
  emit_count(emit, "line", (int64_t)failure->line);
  emit_close(emit, '}');
}

/* ---- The other verdicts ---------------------------------------------------------------- */

static void emit_unknown(Emit *emit, const Audit *audit) {
  emit_field(emit, "reason", audit->reason ? audit->reason : "not decided");
  emit_key(emit, "at");
  emit_open(emit, '{');
  if (audit->reason_line) emit_count(emit, "line", (int64_t)audit->reason_line);
  if (audit->reason_transaction) {
    emit_name(emit, "txn", audit->reason_transaction, !audit->has_text_names);
    emit_count(emit, "op", audit->reason_operation);
  }
  emit_close(emit, '}');
}

static void emit_bad_input(Emit *emit, const Audit *audit) {
  char message[1024];
  const Place *place = &audit->diag.place;
  emit_field(emit, "reason", diag_text(&audit->diag, message, sizeof message));
  emit_key(emit, "at");
  emit_open(emit, '{');
  if (place->line) emit_count(emit, "line", (int64_t)place->line);
  if (audit->diag.field[0]) emit_field(emit, "field", audit->diag.field);
  if (place->offset >= 0) emit_count(emit, "offset", place->offset);
  emit_close(emit, '}');
}

static void emit_set_aside(Emit *emit, const Audit *audit) {
  uint64_t count, kept;
  const SetAside *entries = replay_set_aside(audit->replay, &count, &kept);
  if (!count) return;
  emit_key(emit, "set_aside");
  emit_open(emit, '[');
  for (uint64_t i = 0; i < kept; i++) {
    emit_open(emit, '{');
    if (entries[i].transaction) {
      emit_name(emit, "txn", entries[i].transaction, !audit->has_text_names);
      emit_count(emit, "op", entries[i].operation);
    }
    emit_count(emit, "line", (int64_t)entries[i].line);
    emit_field(emit, "sql", entries[i].sql);
    emit_field(emit, "reason", entries[i].reason);
    if (entries[i].is_dependent) emit_key(emit, "dependent"), emit_bool(emit, true);
    emit_close(emit, '}');
  }
  emit_close(emit, ']');
  emit_count(emit, "set_aside_count", (int64_t)count);
}

static void emit_seconds(Emit *emit, const char *key, double seconds) {
  emit_key(emit, key);
  emit_real(emit, (double)(int64_t)(seconds * 1e6 + 0.5) / 1e6);
}

static void emit_cost(Emit *emit, const Audit *audit) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  emit_seconds(emit, "seconds", audit->seconds);
  emit_count(emit, "peak_rss_kb", usage.ru_maxrss);
  emit_count(emit, "solver_calls", audit->has_searched ? (int64_t)audit->search.stats.solver.checks : 0);
  emit_seconds(emit, "solver_seconds", audit->has_searched ? audit->search.stats.solver.seconds : 0);
  if (!audit->options->stats) return;
  Counter counters[COUNTERS];
  uint32_t count = report_counters(audit, counters);
  emit_key(emit, "stats");
  emit_open(emit, '{');
  for (uint32_t i = 0; i < count; i++) emit_count(emit, counters[i].name, (int64_t)counters[i].value);
  emit_close(emit, '}');
}

void report_json(const Audit *audit, FILE *file) {
  Arena arena;
  Emit emit = {0};
  arena_init(&arena);
  emit_open(&emit, '{');
  emit_field(&emit, "log", audit->log);
  emit_field(&emit, "verdict", verdict_title(audit->verdict));
  emit_field(&emit, "level", audit->level_title);
  if (audit->levels.fresh) emit_key(&emit, "fresh"), emit_bool(&emit, true);
  if (audit->levels.is_assumed) emit_key(&emit, "level_assumed"), emit_bool(&emit, true);
  emit_field(&emit, "order", audit->options->order);
  emit_count(&emit, "transactions", audit->replay ? (int64_t)replay_transactions(audit->replay) : 0);
  emit_count(&emit, "checked", (int64_t)audit->checked);
  if (audit->verdict == VERDICT_VIOLATION) emit_violation(&emit, &arena, audit);
  if (audit->verdict == VERDICT_UNKNOWN) emit_unknown(&emit, audit);
  if (audit->verdict == VERDICT_BAD_INPUT) emit_bad_input(&emit, audit);
  if (audit->replay) emit_set_aside(&emit, audit);
  if (audit->replay && replay_gaps(audit->replay))
    emit_count(&emit, "gaps", (int64_t)replay_gaps(audit->replay));
  emit_cost(&emit, audit);
  emit_close(&emit, '}');
  emit_raw(&emit, "\n", 1);
  fwrite(emit.text, 1, emit.length, file);
  emit_free(&emit);
  arena_free(&arena);
}
