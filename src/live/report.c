/* report.c: a run's progress line, and its closing table by kind of transaction. */
#include "src/live/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_progress(const Run *run, bool is_last) {
  uint64_t done = atomic_load(&run->recorder.done);
  double seconds = (double)(client_clock() - run->recorder.begun) / 1e9;
  fprintf(stderr, "\r%s: %llu", run->workload->name, (unsigned long long)done);
  if (run->transactions) fprintf(stderr, " of %llu", (unsigned long long)run->transactions);
  fprintf(stderr, " transactions, %.0f/s   %s", seconds > 0 ? (double)done / seconds : 0,
          is_last ? "\n" : "");
  fflush(stderr);
}

static int microseconds_compare(const void *a, const void *b) {
  uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
  return (one > other) - (one < other);
}

/* In milliseconds; the list is sorted. */
static double percentile(const Tally *tally, unsigned percent) {
  if (!tally->microseconds.count) return 0;
  uint64_t place = ((uint64_t)tally->microseconds.count - 1) * percent / 100;
  return tally->microseconds.items[place] / 1000.0;
}

static void tally_add(Tally *sum, const Tally *tally) {
  for (int i = 0; i < FINISH_COUNT; i++) sum->finished[i] += tally->finished[i];
  sum->retried += tally->retried;
  for (uint32_t i = 0; i < tally->microseconds.count; i++)
    ARRAY_PUSH(&sum->microseconds, tally->microseconds.items[i]);
}

static void tally_print(Tally *tally, const char *name, double seconds, FILE *file) {
  const uint64_t *finished = tally->finished;
  if (tally->microseconds.count)
    qsort(tally->microseconds.items, tally->microseconds.count, sizeof *tally->microseconds.items,
          microseconds_compare);
  fprintf(file, "%-18s %10llu %9llu %8llu %8llu %8llu %8llu %10.1f %8.2f %8.2f %8.2f\n", name,
          (unsigned long long)finished[FINISH_COMMITTED], (unsigned long long)finished[FINISH_ABORTED],
          (unsigned long long)finished[FINISH_REFUSED], (unsigned long long)tally->retried,
          (unsigned long long)finished[FINISH_FAILED], (unsigned long long)finished[FINISH_UNKNOWN],
          seconds > 0 ? (double)finished[FINISH_COMMITTED] / seconds : 0, percentile(tally, 50),
          percentile(tally, 95), percentile(tally, 99));
}

void report_table(const Run *run, double seconds, FILE *file) {
  Tally total = {0};
  fprintf(file, "%-18s %10s %9s %8s %8s %8s %8s %10s %8s %8s %8s\n", "transaction", "committed", "aborted",
          "refused", "retried", "failed", "unknown", "commits/s", "p50 ms", "p95 ms", "p99 ms");
  uint32_t kinds = workload_kind_count(run->workload);
  for (uint32_t kind = 0; kind < kinds + faults_have_crossings(run->faults); kind++) {
    Tally sum = {0};
    for (uint32_t i = 0; i < run->client_count; i++) tally_add(&sum, &run->tallies[i][kind]);
    tally_add(&total, &sum);
    tally_print(&sum, kind < kinds ? run->workload->kinds[kind].name : "crossing", seconds, file);
    ARRAY_FREE(&sum.microseconds);
  }
  tally_print(&total, "all", seconds, file);
  if (run->faults) faults_print(run->faults, file);
  ARRAY_FREE(&total.microseconds);
}
