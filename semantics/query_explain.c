/* query_explain.c: a plan in words, one line per source. */
#include "semantics/query.h"

#include "semantics/query_plan.h"

#include <stdio.h>
#include <stdlib.h>

static void explain_columns(FILE *out, const Table *table, const Access *access) {
  const char *between = "";
  for (uint32_t i = 0; i < access->equal_count; i++, between = ", ")
    fprintf(out, "%s%s %s", between, table->columns[access->equal[i]->column].name,
            access->equal[i]->kind == COMPARE_LIST ? "in (...)" : "= ?");
  const Comparison *bound = access->lower ? access->lower : access->upper;
  if (bound) fprintf(out, "%s%s in a range", between, table->columns[bound->column].name);
}

static void explain_access(FILE *out, const Source *source, const Access *access) {
  fprintf(out, "%s: ", source->name);
  if (access->kind == ACCESS_INDEX) {
    if (access->index->primary)
      fputs("primary key (", out);
    else
      fprintf(out, "index %s (", access->index->name ? access->index->name : "without name");
    explain_columns(out, source->table, access);
    fprintf(out, ")%s\n", access->is_ordered ? " in order" : "");
  } else if (access->kind == ACCESS_HASH) {
    fprintf(out, "hash table over %u column%s\n", access->pair_count, access->pair_count == 1 ? "" : "s");
  } else
    fputs(source->table ? "all rows\n" : "rows of a subquery\n", out);
}

static void explain_chain(FILE *out, const Select *select, const Step *step) {
  for (; step; step = step->next) {
    if (step->kind == STEP_SOURCE) explain_access(out, &select->sources.items[step->source], &step->access);
    if (step->inner) explain_chain(out, select, step->inner);
    if (step->right) explain_chain(out, select, step->right);
  }
}

char *query_explain(Arena *arena, const Select *select) {
  const QueryPlan *plan = select->plan;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) fatal("out of memory");
  if (!plan)
    fputs("not planned yet\n", out);
  else if (plan->refused)
    fprintf(out, "%s\n", plan->refused);
  else
    explain_chain(out, select, plan->steps);
  fclose(out);
  char *copy = arena_text(arena, text, length);
  free(text);
  return copy;
}
