/* workload.c: the table of workloads, and reading their parameters and mixes. */
#include "src/live/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const Workload *const WORKLOADS[] = {
    &WORKLOAD_BANK, &WORKLOAD_SMALLBANK,       &WORKLOAD_TWITTER, &WORKLOAD_RUBIS,
    &WORKLOAD_TPCC, &WORKLOAD_TPCC_PROCEDURES, &WORKLOAD_APPEND,  &WORKLOAD_CLASH,
    &WORKLOAD_FUZZ, &WORKLOAD_SCRIPT,
};

const Workload *const *workload_table(size_t *count) {
  *count = sizeof WORKLOADS / sizeof *WORKLOADS;
  return WORKLOADS;
}

const Workload *workload_find(const char *name) {
  for (size_t i = 0; i < sizeof WORKLOADS / sizeof *WORKLOADS; i++)
    if (!strcmp(WORKLOADS[i]->name, name)) return WORKLOADS[i];
  return NULL;
}

uint32_t workload_kind_count(const Workload *workload) {
  uint32_t count = 0;
  while (workload->kinds[count].name) count++;
  return count;
}

/* Clients take turns, each a thousand apart.  A transaction that is tried again has the same numbers again:
 * its first try left nothing behind. */
int64_t workload_fresh(const Client *client, int64_t base) {
  const int64_t most_clients = client->recorder->is_named_by_client ? 1000 : 1;
  return base + (int64_t)client->index * most_clients + (most_clients > 1 ? client->number : 0);
}

const char *workload_time(Client *client) {
  uint64_t second = client->index;
  unsigned day = (unsigned)(second / 86400 % 28), month = (unsigned)(second / 86400 / 28 % 12);
  unsigned year = (unsigned)(second / 86400 / 28 / 12);
  return arena_format(&client->arena, "%04u-%02u-%02u %02u:%02u:%02u", 2024 + year, month + 1, day + 1,
                      (unsigned)(second / 3600 % 24), (unsigned)(second / 60 % 60), (unsigned)(second % 60));
}

/* ---- "name=value,name=value" ---- */

typedef struct Assignment {
  const char *name;
  int name_length;
  int64_t value;
} Assignment;

/* Takes one assignment from *text; false at the end, or with diag failed. */
static bool assignment_next(const char **text, Assignment *assignment, Diag *diag) {
  if (!**text || diag->failed) return false;
  size_t length = strcspn(*text, "=,");
  char *end = NULL;
  assignment->name = *text;
  assignment->name_length = (int)length;
  errno = 0;
  if ((*text)[length] == '=') assignment->value = strtoll(*text + length + 1, &end, 10);
  if (!end || errno || end == *text + length + 1 || (*end && *end != ','))
    return diag_fail(diag, PLACE_NONE, "expected NAME=NUMBER[,NAME=NUMBER...], got '%s'", *text);
  *text = end + (*end == ',');
  return true;
}

static bool assignment_names(const Assignment *assignment, const char *name) {
  size_t length = (size_t)assignment->name_length;
  return strlen(name) == length && !strncmp(name, assignment->name, length);
}

bool workload_set(const Workload *workload, Scale *scale, const char *settings, Diag *diag) {
  Assignment assignment;
  for (uint32_t i = 0; workload->parameters[i].name; i++) scale->value[i] = workload->parameters[i].initial;
  while (settings && assignment_next(&settings, &assignment, diag)) {
    uint32_t i = 0;
    while (workload->parameters[i].name && !assignment_names(&assignment, workload->parameters[i].name)) i++;
    const Parameter *parameter = &workload->parameters[i];
    if (!parameter->name)
      return diag_fail(diag, PLACE_NONE, "--set: %s has no parameter '%.*s'", workload->name,
                       assignment.name_length, assignment.name);
    if (assignment.value < parameter->least || assignment.value > parameter->most)
      return diag_fail(diag, PLACE_NONE, "--set: %s is from %lld to %lld", parameter->name,
                       (long long)parameter->least, (long long)parameter->most);
    scale->value[i] = assignment.value;
  }
  return !diag->failed;
}

bool workload_mix(const Workload *workload, unsigned weights[WORKLOAD_KINDS], const char *mix, Diag *diag) {
  Assignment assignment;
  if (!mix) return true;
  uint64_t total = 0;
  memset(weights, 0, WORKLOAD_KINDS * sizeof *weights);
  while (assignment_next(&mix, &assignment, diag)) {
    uint32_t i = 0;
    while (workload->kinds[i].name && !assignment_names(&assignment, workload->kinds[i].name)) i++;
    if (!workload->kinds[i].name)
      return diag_fail(diag, PLACE_NONE, "--mix: %s has no transaction '%.*s'", workload->name,
                       assignment.name_length, assignment.name);
    if (assignment.value < 0 || assignment.value > 1000000)
      return diag_fail(diag, PLACE_NONE, "--mix: a weight is from 0 to 1000000");
    weights[i] = (unsigned)assignment.value;
    total += weights[i];
  }
  return !diag->failed && (total || diag_fail(diag, PLACE_NONE, "--mix: all weights are 0"));
}
