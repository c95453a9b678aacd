/* limit.c: the clock is looked at every time, the size of the process a few hundred times a second. */
#include "src/base/limit.h"

#include "src/base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double LOOK_SECONDS = 0.003;

static struct {
  double deadline; /* 0: none */
  uint64_t bytes;  /* 0: any number */
  double looked;   /* when the memory was last asked for */
  bool is_reached;
  char reason[80], time_reason[80], memory_reason[80];
} limits;

uint32_t limit_ticks;

void limit_set(double seconds, int64_t megabytes) {
  limits.is_reached = false;
  limits.deadline = seconds >= 0 ? clock_seconds() + seconds : 0;
  limits.bytes = megabytes > 0 ? (uint64_t)megabytes << 20 : megabytes == 0;
  limits.looked = 0;
  snprintf(limits.time_reason, sizeof limits.time_reason, "the budget of %g seconds ran out", seconds);
  snprintf(limits.memory_reason, sizeof limits.memory_reason, "the memory limit of %lld MB was reached",
           (long long)megabytes);
}

/* Bytes in memory now: the second number of /proc/self/statm, in pages.  0: it cannot be told. */
static uint64_t resident_bytes(void) {
  char text[100] = "";
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  char *end;
  strtoull(text, &end, 10);
  return strtoull(end, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool memory_is_full(double now) {
  if (!limits.bytes || now - limits.looked < LOOK_SECONDS) return false;
  limits.looked = now;
  return resident_bytes() > limits.bytes;
}

static const char *limit_stop(const char *reason) {
  limits.is_reached = true;
  snprintf(limits.reason, sizeof limits.reason, "%s", reason);
  return limits.reason;
}

const char *limit_reached(void) {
  if (limits.is_reached) return limits.reason;
  if (!limits.deadline && !limits.bytes) return NULL;
  double now = clock_seconds();
  if (limits.deadline && now > limits.deadline) return limit_stop(limits.time_reason);
  return memory_is_full(now) ? limit_stop(limits.memory_reason) : NULL;
}
