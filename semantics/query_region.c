/* query_region.c: the sources of a block, put into a chain of steps.
 *
 * Inner joins form a region: its sources may be taken in any order, its conditions checked
 * wherever they become decidable.  A left join adds its right side to the region of its left
 * side, as an attachment: an inner chain of its own that runs once the sources of its condition are
 * bound.  A right join is a left join with the sides exchanged; a full join is a member that is collected as
 * a whole. */
#include "semantics/query_plan.h"

#include "semantics/store.h"

typedef struct Attachment {
  const From *inner; /* the null side */
  const Expr *condition;
  SourceSet needs;   /* sources outside of it that the condition refers to */
  SourceSet sources; /* inside */
} Attachment;

typedef struct Region {
  Planner *planner;
  ARRAY(uint32_t) members;        /* sources, not yet placed */
  ARRAY(const From *) full_joins; /* not yet placed */
  ARRAY(Attachment) attachments;  /* in the order of the text, not yet placed */
  Conjuncts conjuncts;
  Comparisons comparisons;
  SourceSet bound;
  Step **tail;
} Region;

enum { MOST_OUTLOOK = 12 };

static void region_run(Region *region);

/* ---- Collecting ----------------------------------------------------------------------- */

static SourceSet from_sources(const From *from) {
  if (from->kind != FROM_JOIN) return (SourceSet)1 << from->source;
  return from_sources(from->left) | from_sources(from->right);
}

static void region_collect(Region *region, const From *from) {
  Arena *arena = region->planner->arena;
  if (from->kind != FROM_JOIN) {
    ARENA_PUSH(arena, &region->members, from->source);
  } else if (from->join == JOIN_FULL) {
    ARENA_PUSH(arena, &region->full_joins, from);
  } else if (from->join == JOIN_LEFT || from->join == JOIN_RIGHT) {
    const From *kept = from->join == JOIN_LEFT ? from->left : from->right;
    const From *inner = from->join == JOIN_LEFT ? from->right : from->left;
    region_collect(region, kept);
    Attachment attachment = {.inner = inner, .condition = from->condition, .sources = from_sources(inner)};
    attachment.needs = (from->condition ? expr_reach(from->condition).sources : 0) & ~attachment.sources;
    if (region->planner->is_canonical) attachment.needs = from_sources(kept);
    ARENA_PUSH(arena, &region->attachments, attachment);
  } else {
    region_collect(region, from->left);
    region_collect(region, from->right);
    conjuncts_add(region->planner, from->condition, &region->conjuncts);
  }
}

/* ---- Steps -------------------------------------------------------------------------------- */

static Step *step_add(Region *region, StepKind kind) {
  Step *step = ARENA_NEW(region->planner->arena, Step);
  step->kind = (uint8_t)kind;
  step->id = region->planner->plan->step_count++;
  step->access.list = -1;
  *region->tail = step;
  region->tail = &step->next;
  return step;
}

int32_t step_cover(const Step *step, const Conjunct *conjunct) {
  for (uint32_t i = 0; i < step->access.equal_count; i++)
    if (step->access.equal[i]->conjunct == conjunct && step->access.equal[i]->kind == COMPARE_EQUAL)
      return (int32_t)i;
  return -1;
}

static uint32_t region_ready(const Region *region, bool all) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < region->conjuncts.count; i++) {
    const Conjunct *conjunct = region->conjuncts.items[i];
    count += !conjunct->is_placed && (all || !(conjunct->reach.sources & ~region->bound));
  }
  return count;
}

/* Q1: the conditions that can be decided now; plain ones before subqueries. */
static void step_filter(Region *region, Step *step, bool all) {
  Arena *arena = region->planner->arena;
  uint32_t count = region_ready(region, all);
  step->filters = ARENA_ARRAY(arena, const Conjunct *, count);
  step->covers = ARENA_ARRAY(arena, int32_t, count);
  for (unsigned with_subquery = 0; with_subquery < 2; with_subquery++)
    for (uint32_t i = 0; i < region->conjuncts.count; i++) {
      Conjunct *conjunct = region->conjuncts.items[i];
      if (conjunct->is_placed || conjunct->reach.has_subquery != with_subquery) continue;
      if (!all && conjunct->reach.sources & ~region->bound) continue;
      conjunct->is_placed = true;
      step->covers[step->filter_count] = step_cover(step, conjunct);
      step->filters[step->filter_count++] = conjunct;
    }
}

static void region_filter(Region *region, bool all) {
  if (region_ready(region, all)) step_filter(region, step_add(region, STEP_FILTER), all);
}

static Step *step_source(Region *region, uint32_t source, const Access *access) {
  Step *step = step_add(region, STEP_SOURCE);
  step->source = source;
  step->access = *access;
  region->bound |= (SourceSet)1 << source;
  return step;
}

/* ---- Outer joins ------------------------------------------------------------------------------ */

/* A chain for one side of an outer join, with the join's condition if it belongs there. */
static Step *chain_new(Planner *planner, const From *from, const Expr *condition, SourceSet bound,
                       const Step *mark) {
  Step *first = NULL;
  Region region = {.planner = planner, .bound = bound, .tail = &first};
  region_collect(&region, from);
  conjuncts_add(planner, condition, &region.conjuncts);
  region_run(&region);
  if (mark) step_add(&region, STEP_MARK)->outer = mark;
  return first;
}

static void attach(Region *region, const Attachment *attachment) {
  Step *step = step_add(region, STEP_OUTER);
  step->nulls = attachment->sources;
  step->inner = chain_new(region->planner, attachment->inner, attachment->condition, region->bound, step);
  region->bound |= attachment->sources;
  region_filter(region, false);
}

/* Both chains are run before anything of this one is bound. */
static void attach_full(Region *region, const From *from) {
  Step *step = step_add(region, STEP_FULL);
  step->nulls = from_sources(from->right);
  step->members = from_sources(from);
  Region left = {.planner = region->planner, .tail = &step->inner};
  region_collect(&left, from->left);
  ARENA_PUSH(region->planner->arena, &left.attachments,
             (Attachment){.inner = from->right,
                          .condition = from->condition,
                          .sources = step->nulls,
                          .needs = step->members & ~step->nulls});
  region_run(&left);
  step->right = chain_new(region->planner, from->right, NULL, 0, NULL);
  region->bound |= step->members;
  region_filter(region, false);
}

/* ---- The order of sources ------------------------------------------------------------------------ */

static uint32_t source_size(const Planner *planner, uint32_t source) {
  const Table *table = planner->select->sources.items[source].table;
  return table ? store_key_count(planner->eval->store, table) : 1000;
}

/* How good the ways into the other members are once this one is bound: less is better. */
static uint32_t region_outlook(Region *region, uint32_t chosen) {
  uint32_t sum = 0;
  SourceSet bound = region->bound | (SourceSet)1 << region->members.items[chosen];
  for (uint32_t i = 0; i < region->members.count; i++) {
    Access unused;
    if (i != chosen)
      sum += access_choose(region->planner, region->members.items[i], bound, &region->conjuncts,
                           &region->comparisons, &unused);
  }
  return sum;
}

typedef struct Candidate {
  AccessRank rank;
  uint32_t place, outlook, columns, size;
} Candidate;

static bool candidate_is_better(const Candidate *a, const Candidate *b) {
  if (a->rank != b->rank) return a->rank < b->rank;
  if (a->outlook != b->outlook) return a->outlook < b->outlook;
  if (a->columns != b->columns) return a->columns > b->columns;
  return a->size < b->size;
}

/* Greedy: the member with the best way in; among equals the one that makes the others' ways better, then the
 * smaller. Looking ahead costs the square of the members, so large joins do without. */
static AccessRank region_best(Region *region, uint32_t *place, Access *best) {
  Candidate found = {.rank = RANK_SCAN + 1};
  bool looks_ahead = region->members.count <= MOST_OUTLOOK && !region->planner->is_canonical;
  for (uint32_t i = 0; i < region->members.count; i++) {
    Access access;
    uint32_t source = region->members.items[i];
    Candidate candidate = {.place = i, .size = source_size(region->planner, source)};
    candidate.rank = access_choose(region->planner, source, region->bound, &region->conjuncts,
                                   &region->comparisons, &access);
    candidate.columns = access.equal_count;
    if (looks_ahead && candidate.rank <= found.rank) candidate.outlook = region_outlook(region, i);
    if (i && (region->planner->is_canonical || !candidate_is_better(&candidate, &found))) continue;
    found = candidate;
    *best = access;
  }
  *place = found.place;
  return found.rank;
}

static bool region_attach_next(Region *region) {
  for (uint32_t i = 0; i < region->attachments.count; i++) {
    Attachment attachment = region->attachments.items[i];
    if (attachment.needs & ~region->bound) continue;
    memmove(&region->attachments.items[i], &region->attachments.items[i + 1],
            (--region->attachments.count - i) * sizeof attachment);
    attach(region, &attachment);
    return true;
  }
  return false;
}

static void region_take(Region *region, uint32_t place, const Access *access) {
  uint32_t source = region->members.items[place];
  memmove(&region->members.items[place], &region->members.items[place + 1],
          (--region->members.count - place) * sizeof source);
  Step *step = step_source(region, source, access);
  if (!region->planner->is_canonical) step_filter(region, step, false);
}

/* In a canonical chain conditions are checked at the end of their region: nothing is decided early. */
static void region_run(Region *region) {
  bool is_canonical = region->planner->is_canonical;
  comparisons_find(region->planner, &region->conjuncts, &region->comparisons);
  if (!is_canonical) region_filter(region, false);
  for (uint32_t i = 0; i < region->full_joins.count; i++) attach_full(region, region->full_joins.items[i]);
  while (region->members.count || region->attachments.count) {
    Access access;
    uint32_t place = 0;
    AccessRank rank = region->members.count ? region_best(region, &place, &access) : RANK_SCAN;
    bool waits = !region->members.count || (rank >= RANK_FILTERED && region->bound && !is_canonical);
    if (waits && region_attach_next(region)) continue;
    if (!region->members.count) { /* no database takes such a condition */
      region->planner->plan->refused = "a join whose condition refers to tables outside of it";
      break;
    }
    region_take(region, place, &access);
  }
  region_filter(region, true);
}

/* ---- The chain ------------------------------------------------------------------------------------- */

Step *plan_chain(Planner *planner, Comparisons *comparisons) {
  const Select *select = planner->select;
  Step *first = NULL;
  Region region = {.planner = planner, .tail = &first};
  if (select->from)
    region_collect(&region, select->from);
  else
    for (uint32_t i = 0; i < select->sources.count; i++) ARENA_PUSH(planner->arena, &region.members, i);
  conjuncts_add(planner, select->where, &region.conjuncts);
  region_run(&region);
  *comparisons = region.comparisons;
  return first;
}
