/* stats.c: `--stats`: what the audit did, in how much time, and what it could not do: one table, for people and for
 * scripts. */
#include "src/app/report.h"

#include "semantics/query.h"

#include <string.h>

static const char *const PHASE_NAMES[PHASES] = {[PHASE_READING] = "reading",       [PHASE_REPLAY] = "replay",
                                                [PHASE_LIFTING] = "lifting",       [PHASE_SOLVING] = "solving",
                                                [PHASE_CERTIFYING] = "certifying", [PHASE_CORE] = "core"};

static uint32_t report_counters(const Audit *audit, Counter counters[COUNTERS]) {
  TranscriptStats lines = audit->reader ? transcript_stats(audit->reader) : (TranscriptStats){0};
  EngineStats engine = audit->replay ? engine_stats(replay_engine(audit->replay)) : (EngineStats){0};
  CheckerStats search = audit->has_searched ? audit->search.stats : (CheckerStats){0};
  uint64_t bytes = audit->replay ? store_bytes(engine_store(replay_engine(audit->replay))) : 0;
  const Counter all[] = {
      {"lines", lines.lines},
      {"bytes", lines.bytes},
      {"fast_lines", lines.fast_lines},
      {"statements", engine.statements},
      {"parses", engine.parses},
      {"plans", engine.plans},
      {"plan_hits", engine.hits},
      {"rows_read", query_rows_read},
      {"store_bytes", bytes},
      {"choices", search.choices},
      {"forks", search.forks},
      {"leaves", search.leaves},
      {"decided", search.decided},
      {"checks", search.solver.checks},
      {"justified", search.solver.justified},
      {"solver_calls", search.solver.solver_checks},
      {"terms", search.terms},
      {"assertions", search.solver.assertions},
  };
  _Static_assert(sizeof all / sizeof *all <= COUNTERS, "room for every counter");
  memcpy(counters, all, sizeof all);
  return sizeof all / sizeof *all;
}

/* ---- What could not be done -------------------------------------------------------------------- */

/* One construct that was not modelled or not decided. */
typedef struct Missing {
  const char *construct;
  uint64_t count;
} Missing;
typedef ARRAY(Missing) MissingList;

static void missing_add(MissingList *list, const char *construct) {
  for (uint32_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i].construct, construct) == 0) {
      list->items[i].count++;
      return;
    }
  ARRAY_PUSH(list, ((Missing){construct, 1}));
}

static void missing_of(const Audit *audit, MissingList *set_aside, MissingList *unknown) {
  uint64_t count, kept = 0;
  const SetAside *items = audit->replay ? replay_set_aside(audit->replay, &count, &kept) : NULL;
  for (uint64_t i = 0; i < kept; i++) missing_add(set_aside, items[i].reason);
  if (audit->verdict == VERDICT_UNKNOWN) missing_add(unknown, audit->reason ? audit->reason : "not known");
}

static void missing_emit(Emit *emit, const Audit *audit, const char *key, const MissingList *list) {
  emit_key(emit, key);
  emit_open(emit, '[');
  for (uint32_t i = 0; i < list->count; i++) {
    emit_open(emit, '{');
    emit_field(emit, "level", audit->level_title);
    emit_field(emit, "construct", list->items[i].construct);
    emit_count(emit, "count", (int64_t)list->items[i].count);
    emit_close(emit, '}');
  }
  emit_close(emit, ']');
}

/* ---- Reports --------------------------------------------------------------------------------------- */

static void emit_heuristics(Emit *emit, const Audit *audit) {
  HeuristicCounts counts = audit_heuristics(audit);
  emit_key(emit, "heuristics");
  emit_open(emit, '{');
  for (HeuristicId id = 0; id < HEURISTIC_COUNT; id++) {
    if (!heuristic_is_in(audit->heuristics, id)) continue;
    emit_key(emit, heuristics[id].name);
    emit_open(emit, '{');
    emit_count(emit, "fired", (int64_t)counts.by_id[id].fired);
    emit_count(emit, "withdrawn", (int64_t)counts.by_id[id].withdrawn);
    emit_count(emit, "saved", (int64_t)counts.by_id[id].saved);
    emit_close(emit, '}');
  }
  emit_close(emit, '}');
}

void report_stats_json(Emit *emit, const Audit *audit) {
  Counter counters[COUNTERS];
  MissingList set_aside = {0}, unknown = {0};
  uint32_t count = report_counters(audit, counters);
  emit_key(emit, "stats");
  emit_open(emit, '{');
  for (uint32_t i = 0; i < count; i++) emit_count(emit, counters[i].name, (int64_t)counters[i].value);
  emit_key(emit, "phases");
  emit_open(emit, '{');
  for (int i = 0; i < PHASES; i++) emit_seconds(emit, PHASE_NAMES[i], audit->phases[i]);
  emit_close(emit, '}');
  emit_heuristics(emit, audit);
  if (audit->flow_reason) emit_field(emit, "forgetting_ended", audit->flow_reason);
  missing_of(audit, &set_aside, &unknown);
  missing_emit(emit, audit, "set_aside", &set_aside);
  missing_emit(emit, audit, "unknown", &unknown);
  emit_close(emit, '}');
  ARRAY_FREE(&set_aside);
  ARRAY_FREE(&unknown);
}

static void missing_print(const Audit *audit, const char *title, const MissingList *list, FILE *file) {
  for (uint32_t i = 0; i < list->count; i++)
    fprintf(file, "%-14s %llu %s: %s\n", title, (unsigned long long)list->items[i].count,
            audit->level_title ? audit->level_title : "-", list->items[i].construct);
}

static void heuristics_print(const Audit *audit, FILE *file) {
  HeuristicCounts counts = audit_heuristics(audit);
  fprintf(file, "%-14s %12s %12s %12s\n", "heuristic", "fired", "withdrawn", "saved");
  for (HeuristicId id = 0; id < HEURISTIC_COUNT; id++) {
    const HeuristicCount *count = &counts.by_id[id];
    if (heuristic_is_in(audit->heuristics, id))
      fprintf(file, "%-14s %12llu %12llu %12llu\n", heuristics[id].name, (unsigned long long)count->fired,
              (unsigned long long)count->withdrawn, (unsigned long long)count->saved);
  }
}

void report_stats(const Audit *audit, FILE *file) {
  Counter counters[COUNTERS];
  MissingList set_aside = {0}, unknown = {0};
  uint32_t count = report_counters(audit, counters);
  for (uint32_t i = 0; i < count; i++)
    fprintf(file, "%-14s %llu\n", counters[i].name, (unsigned long long)counters[i].value);
  for (int i = 0; i < PHASES; i++) fprintf(file, "%-14s %.3f s\n", PHASE_NAMES[i], audit->phases[i]);
  fprintf(file, "%-14s %.3f\n", "seconds", audit->seconds);
  missing_of(audit, &set_aside, &unknown);
  missing_print(audit, "set aside", &set_aside, file);
  missing_print(audit, "unknown", &unknown, file);
  heuristics_print(audit, file);
  if (audit->flow_reason) fprintf(file, "forgetting ended: %s\n", audit->flow_reason);
  ARRAY_FREE(&set_aside);
  ARRAY_FREE(&unknown);
}
