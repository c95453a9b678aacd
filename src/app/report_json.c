/* report_json.c: one object per log; docs/command-line.md says what each field means. */
#include "src/app/report.h"

#include "src/transcript/emit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- Without a core ------------------------------------------------------------------ */

/* What does not agree with all that stands before it. */
static void emit_failing(Emit *emit, const Failure *failure, int64_t clock_error) {
  Core core = {.clock_error = clock_error};
  Line line = {.kind = LINE_TRANSACTION};
  if (failure->is_final) {
    line.kind = LINE_FINAL;
    line.table.table = failure->table;
  } else {
    line.transaction = *failure->transaction;
  }
  Observations all = {0};
  observations_add(&all, &core.arena, &line);
  for (uint32_t i = 0; i < all.count; i++)
    if (failure->is_joint || !observation_is_of_operation(all.items[i].kind) ||
        all.items[i].operation == failure->operation)
      ARENA_PUSH(&core.arena, &core.observations, all.items[i]);
  report_core_json(emit, &core);
  core_free(&core);
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

/* Each is JSON already. */
static void emit_answers(Emit *emit, const Answers *answers) {
  if (!answers->texts.count) return;
  emit_key(emit, "possible");
  emit_open(emit, '[');
  for (uint32_t i = 0; i < answers->texts.count; i++) {
    if (i) emit_raw(emit, ",", 1);
    emit_raw(emit, answers->texts.items[i], strlen(answers->texts.items[i]));
  }
  emit->needs_comma = true;
  emit_close(emit, ']');
  if (answers->is_cut) emit_key(emit, "possible_cut"), emit_bool(emit, true);
}

static void emit_core(Emit *emit, const Audit *audit) {
  emit_key(emit, "core");
  emit_open(emit, '[');
  if (audit->has_core)
    report_core_json(emit, &audit->core);
  else
    emit_failing(emit, audit->failure, audit->options->clock_error);
  emit_close(emit, ']');
  emit_key(emit, "core_minimal");
  emit_bool(emit, audit->has_core && audit->core.is_minimal);
  if (!audit->has_core) emit_key(emit, "core_with_prefix"), emit_bool(emit, true);
  if (audit->has_core && audit->core.is_enumerated)
    emit_count(emit, "core_executions", (int64_t)audit->core.executions);
  if (audit->has_core) emit_answers(emit, &audit->core.answers);
  if (!audit->has_searched || !audit->search.later_count) return;
  emit_key(emit, "later_writers");
  emit_open(emit, '[');
  for (uint32_t i = 0; i < audit->search.later_count; i++) {
    const Transaction *transaction = &audit->search.later[i]->transaction;
    if (transaction->name_is_integer)
      emit_integer(emit, strtoll(transaction->name, NULL, 10));
    else
      emit_text(emit, transaction->name);
  }
  emit_close(emit, ']');
}

static void emit_violation(Emit *emit, Arena *arena, const Audit *audit) {
  const Failure *failure = audit->failure;
  emit_count(emit, "failing_prefix",
             (int64_t)(failure->is_final ? replay_transactions(audit->replay) : failure->number));
  if (audit_prefix_is_open(audit)) emit_key(emit, "failing_prefix_exact"), emit_bool(emit, false);
  if (failure->is_final)
    emit_field(emit, "failing_txn", NULL);
  else
    emit_name(emit, "failing_txn", failure->transaction->name, failure->transaction->name_is_integer);
  emit_field(emit, "explanation", report_explanation(arena, audit, failure));
  emit_core(emit, audit);
  if (!failure->is_joint)
    emit_expected(emit, engine_doubts(replay_engine(audit_failure_replay(audit))), &failure->expected);
  emit_key(emit, "at");
  emit_open(emit, '{');
  emit_count(emit, "line", (int64_t)failure->line);
  if (!failure->is_final) {
    emit_name(emit, "txn", failure->transaction->name, failure->transaction->name_is_integer);
    if (!failure->is_joint && failure->operation < failure->transaction->operation_count)
      emit_count(emit, "op", failure->operation);
  }
  emit_close(emit, '}');
}

/* ---- The other verdicts ---------------------------------------------------------------- */

static void emit_unknown(Emit *emit, const Audit *audit) {
  emit_field(emit, "reason", audit->reason ? audit->reason : "not decided");
  if (audit->has_core) emit_core(emit, audit); /* the two disagree about it */
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

void emit_seconds(Emit *emit, const char *key, double seconds) {
  emit_key(emit, key);
  emit_real(emit, (double)(int64_t)(seconds * 1e6 + 0.5) / 1e6);
}

static void emit_cost(Emit *emit, const Audit *audit) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  emit_seconds(emit, "seconds", audit->seconds);
  emit_count(emit, "peak_rss_kb", usage.ru_maxrss);
  uint64_t calls = audit->has_searched ? audit->search.stats.solver.checks : 0;
  double solver_seconds = audit->has_searched ? audit->search.stats.solver.seconds : 0;
  if (audit->has_core) calls += audit->core.solver_checks, solver_seconds += audit->core.solver_seconds;
  emit_count(emit, "solver_calls", (int64_t)calls);
  emit_seconds(emit, "solver_seconds", solver_seconds);
  if (audit->options->stats) report_stats_json(emit, audit);
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
  emit_count(&emit, "transactions", (int64_t)audit_transactions(audit));
  emit_count(&emit, "checked", (int64_t)audit->checked);
  if (audit->verdict == VERDICT_VIOLATION) emit_violation(&emit, &arena, audit);
  if (audit->verdict == VERDICT_UNKNOWN) emit_unknown(&emit, audit);
  if (audit->verdict == VERDICT_BAD_INPUT) emit_bad_input(&emit, audit);
  if (audit->replay) emit_set_aside(&emit, audit);
  if (audit->trusted) emit_count(&emit, "snapshots_trusted", (int64_t)audit->trusted);
  if (audit->distrust) emit_field(&emit, "snapshots_unused", audit->distrust);
  if (audit->replay && replay_gaps(audit->replay))
    emit_count(&emit, "gaps", (int64_t)replay_gaps(audit->replay));
  emit_cost(&emit, audit);
  emit_close(&emit, '}');
  emit_raw(&emit, "\n", 1);
  fwrite(emit.text, 1, emit.length, file);
  emit_free(&emit);
  arena_free(&arena);
}
