/* report.h: what an audit found, for people and for scripts. */
#ifndef ALIBI_APP_REPORT_H
#define ALIBI_APP_REPORT_H

#include "src/app/audit.h"
#include "src/transcript/emit.h"

#include <stdio.h>

void report_text(const Audit *audit, FILE *file);
void report_json(const Audit *audit, FILE *file);

/* stats.c: --stats, for people and as a field of the JSON report. */
void report_stats(const Audit *audit, FILE *file);
void report_stats_json(Emit *emit, const Audit *audit);
/* A key and a time, to the microsecond. */
void emit_seconds(Emit *emit, const char *key, double seconds);

/* report_core.c: the entries of `core`; the same for people. */
void report_core_json(Emit *emit, const Core *core);
void report_core_text(Arena *arena, const Core *core, const Failure *failure, FILE *file);

/* One sentence: what was observed and what a correct database answers. In the arena. */
const char *report_explanation(Arena *arena, const Audit *audit, const Failure *failure);
/* SQL on one line, cut to a bearable length. In the arena. */
const char *report_sql(Arena *arena, const char *sql, size_t most);

/* Counters of an audit, as a table: name, value. */
typedef struct Counter {
  const char *name;
  uint64_t value;
} Counter;
enum { COUNTERS = 24 };

#endif
