/* resolve_suggest.c: "did you mean": the nearest name by edit distance, for messages. */
#include "src/sql/resolve_internal.h"

#include <strings.h>

enum { SUGGEST_LENGTH = 40 };

static unsigned name_distance(const char *a, const char *b) {
  size_t m = strlen(a), n = strlen(b);
  if (m >= SUGGEST_LENGTH || n >= SUGGEST_LENGTH) return SUGGEST_LENGTH;
  unsigned row[SUGGEST_LENGTH + 1];
  for (size_t j = 0; j <= n; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= m; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
      unsigned above = row[j];
      unsigned best = diagonal + (strncasecmp(&a[i - 1], &b[j - 1], 1) != 0);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[n];
}

typedef struct Suggestion {
  const char *wanted, *best;
  unsigned distance;
} Suggestion;

static void suggestion_offer(Suggestion *suggestion, const char *name) {
  if (!name) return;
  unsigned distance = name_distance(suggestion->wanted, name);
  if (distance >= suggestion->distance) return;
  suggestion->best = name;
  suggestion->distance = distance;
}

static Suggestion suggestion_start(const char *name) {
  return (Suggestion){.wanted = name, .distance = strlen(name) < 4 ? 2 : 3};
}

static const char *suggestion_text(Resolver *resolver, const Suggestion *suggestion) {
  if (!suggestion->best) return "";
  return arena_format(resolver->arena, " (did you mean '%s'?)", suggestion->best);
}

const char *name_suggest_column(Resolver *resolver, const Scope *scope, const char *name) {
  Suggestion suggestion = suggestion_start(name);
  for (; scope; scope = scope->outer)
    for (uint32_t i = 0; scope->block && i < scope->block->sources.count; i++) {
      const Source *source = &scope->block->sources.items[i];
      for (uint32_t j = 0; j < source->column_count; j++)
        suggestion_offer(&suggestion, source->column_names[j]);
    }
  return suggestion_text(resolver, &suggestion);
}

const char *name_suggest_table(Resolver *resolver, const char *name) {
  Suggestion suggestion = suggestion_start(name);
  for (uint32_t i = 0; i < resolver->schema->tables.count; i++) {
    const Table *table = resolver->schema->tables.items[i];
    if (schema_table(resolver->schema, table->name) == table) suggestion_offer(&suggestion, table->name);
  }
  return suggestion_text(resolver, &suggestion);
}
