/* lift_blocks.c: groups over rows in doubt, by running sums: of all combinations of what the rows may show
 * only those are told apart that come to different sums.
 *
 * Groups that no row may both belong to are summed by themselves.  First all sums are made, then guards for
 * those alone that come to what was observed.
 *
 * G1  After some rows, exactly one of their sums holds: its guard says when. */
#include "encodings/lift_internal.h"

#include "semantics/match.h"
#include "src/base/limit.h"
#include "src/base/map.h"

enum { SUMS_MOST = 1 << 16, COST_MOST = 1 << 20, BRANCHES_MOST = 1024 };

/* What a row in doubt gives: nothing or a group, in some of its ways. */
typedef struct Gift {
  Groups *groups;
  ARRAY(Term) paths;
  Term path; /* one of them */
} Gift;
typedef ARRAY(Gift) Gifts;

/* What some rows come to. */
typedef struct Sum {
  Groups *groups;
  uint64_t digest;
  uint32_t next; /* of the same bucket, counted from 1 */
  bool is_wanted;
  ARRAY(Term) guards;
  Term guard;
} Sum;

typedef struct Edge {
  uint32_t from, to, gift;
} Edge;

/* The sums after one more row. */
typedef struct Layer {
  uint32_t row; /* in doubt, whose gifts were added */
  ARRAY(Sum) sums;
  ARRAY(Edge) edges;
} Layer;

/* Groups that some row may belong to now and then: a part of all. */
typedef struct Part {
  Groups *base;
  ARRAY(uint32_t) rows;
  ARRAY(Layer) layers; /* the first: the base alone */
} Part;

typedef struct BlockLift {
  Lift *lift;
  BlockWise *block;
  Groups *base; /* without the rows in doubt */
  uint32_t row_count;
  const Key *const *keys;
  Gifts *gifts;     /* per row */
  uint32_t filling; /* the row whose gifts are collected */
  ARRAY(Part) parts;
  uint32_t sum_count;
} BlockLift;

/* ---- What each row gives
 * ----------------------------------------------------------------------------------- */

static bool gift_keep(void *context, UndoMark mark) {
  (void)mark;
  BlockLift *blocks = context;
  Lift *lift = blocks->lift;
  Gifts *gifts = &blocks->gifts[blocks->filling];
  Groups *groups = blockwise_groups(blocks->block);
  if (lift->path == TERM_FALSE) return true;
  if (!groups || lift->vague) return false;
  uint32_t at = 0;
  while (at < gifts->count && !blockwise_same(blocks->block, gifts->items[at].groups, groups)) at++;
  if (at == gifts->count) ARENA_PUSH(&lift->arena, gifts, (Gift){.groups = groups});
  ARENA_PUSH(&lift->arena, &gifts->items[at].paths, lift->path);
  return gifts->count < WAYS_MOST;
}

static bool gifts_collect(BlockLift *blocks) {
  Lift *lift = blocks->lift;
  LiftOutside outside = lift_leave(lift);
  bool is_fine = true;
  for (; is_fine && blocks->filling < blocks->row_count; blocks->filling++)
    is_fine = lift_each_way(lift, blocks->keys[blocks->filling], gift_keep, blocks);
  lift_return(lift, &outside);
  for (uint32_t i = 0; is_fine && i < blocks->row_count; i++)
    for (uint32_t k = 0; k < blocks->gifts[i].count; k++) {
      Gift *gift = &blocks->gifts[i].items[k];
      gift->path = blocks->gifts[i].count == 1
                       ? TERM_TRUE
                       : term_or_all(lift->terms, gift->paths.items, gift->paths.count);
    }
  return is_fine;
}

/* ---- Parts
 * -------------------------------------------------------------------------------------------------- */

static uint32_t place_root(uint32_t *parents, uint32_t place) {
  while (parents[place] != place) place = parents[place] = parents[parents[place]];
  return place;
}

/* Of all groups, which ones share a row. */
typedef struct Sharing {
  Groups *all;
  uint32_t *parents;  /* by place in `all` */
  uint32_t *part_of;  /* by root: its part, counted from 1 */
  uint32_t *row_root; /* by row; UINT32_MAX: it gives nothing */
} Sharing;

static bool sharing_all(BlockLift *blocks, Sharing *sharing) {
  sharing->all = blockwise_none(blocks->block);
  if (!blockwise_merge(blocks->block, sharing->all, blocks->base)) return false;
  for (uint32_t i = 0; i < blocks->row_count; i++)
    for (uint32_t k = 0; k < blocks->gifts[i].count; k++)
      if (!blockwise_merge(blocks->block, sharing->all, blocks->gifts[i].items[k].groups)) return false;
  return true;
}

static void sharing_join(BlockLift *blocks, Sharing *sharing, uint32_t row, const Groups *groups) {
  for (uint32_t i = 0; i < blockwise_count(groups); i++) {
    uint32_t place = blockwise_place(blocks->block, sharing->all, groups, i);
    if (sharing->row_root[row] == UINT32_MAX) sharing->row_root[row] = place;
    sharing->parents[place_root(sharing->parents, place)] =
        place_root(sharing->parents, sharing->row_root[row]);
  }
}

static bool sharing_make(BlockLift *blocks, Sharing *sharing) {
  Arena *arena = &blocks->lift->arena;
  if (!sharing_all(blocks, sharing)) return false;
  uint32_t count = blockwise_count(sharing->all);
  sharing->parents = ARENA_ARRAY(arena, uint32_t, count + 1);
  sharing->part_of = ARENA_ARRAY(arena, uint32_t, count + 1);
  sharing->row_root = ARENA_ARRAY(arena, uint32_t, blocks->row_count + 1);
  for (uint32_t i = 0; i < count; i++) sharing->parents[i] = i;
  for (uint32_t i = 0; i < blocks->row_count; i++) {
    sharing->row_root[i] = UINT32_MAX;
    for (uint32_t k = 0; k < blocks->gifts[i].count; k++)
      sharing_join(blocks, sharing, i, blocks->gifts[i].items[k].groups);
  }
  return true;
}

/* The part that the groups of this root make, or of all rows. */
static Part *part_find(BlockLift *blocks, Sharing *sharing, uint32_t root) {
  if (!sharing->part_of[root]) {
    ARENA_PUSH(&blocks->lift->arena, &blocks->parts, (Part){.base = blockwise_none(blocks->block)});
    sharing->part_of[root] = blocks->parts.count;
  }
  return &blocks->parts.items[sharing->part_of[root] - 1];
}

/* Each part with its rows and what it is without them; the rest stays in blocks->base.  A block that must be
 * shown as a whole is one part. */
static bool parts_make(BlockLift *blocks, bool is_whole) {
  Sharing sharing = {0};
  if (!sharing_make(blocks, &sharing)) return false;
  for (uint32_t i = 0; i < blocks->row_count; i++) {
    if (sharing.row_root[i] == UINT32_MAX) continue;
    uint32_t root = is_whole ? 0 : place_root(sharing.parents, sharing.row_root[i]);
    ARENA_PUSH(&blocks->lift->arena, &part_find(blocks, &sharing, root)->rows, i);
  }
  Groups *rest = blockwise_none(blocks->block);
  for (uint32_t i = 0; i < blockwise_count(blocks->base); i++) {
    uint32_t place = blockwise_place(blocks->block, sharing.all, blocks->base, i);
    uint32_t part = sharing.part_of[is_whole ? 0 : place_root(sharing.parents, place)];
    Groups *into = part ? blocks->parts.items[part - 1].base : rest;
    if (!blockwise_merge_one(blocks->block, into, blocks->base, i)) return false;
  }
  blocks->base = rest;
  return true;
}

/* ---- Running sums
 * ------------------------------------------------------------------------------------------- */

static uint32_t sum_add(BlockLift *blocks, Layer *layer, uint32_t *buckets, uint32_t mask, Groups *groups) {
  uint64_t digest = blockwise_digest(blocks->block, groups);
  uint32_t *bucket = &buckets[digest & mask];
  for (uint32_t at = *bucket; at; at = layer->sums.items[at - 1].next)
    if (layer->sums.items[at - 1].digest == digest &&
        blockwise_same(blocks->block, layer->sums.items[at - 1].groups, groups))
      return at - 1;
  Sum sum = {.groups = groups, .digest = digest, .next = *bucket};
  ARENA_PUSH(&blocks->lift->arena, &layer->sums, sum);
  *bucket = layer->sums.count;
  blocks->sum_count++;
  return layer->sums.count - 1;
}

/* False: there are too many. */
static bool layer_add(BlockLift *blocks, Part *part, uint32_t row) {
  const Layer *before = &part->layers.items[part->layers.count - 1];
  const Gifts *gifts = &blocks->gifts[row];
  Layer layer = {.row = row};
  uint32_t room = 16;
  while (room < before->sums.count * gifts->count) room *= 2;
  uint32_t *buckets = ARENA_ARRAY(&blocks->lift->arena, uint32_t, room);
  for (uint32_t s = 0; s < before->sums.count; s++)
    for (uint32_t k = 0; k < gifts->count; k++) {
      if (blocks->sum_count > SUMS_MOST || blocks->lift->block_cost > COST_MOST || limit_reached()) {
        blocks->lift->sums_are_many = true;
        return false;
      }
      ArenaMark mark = arena_mark(blocks->block->eval->arena);
      Groups *groups = blockwise_none(blocks->block);
      if (!blockwise_merge(blocks->block, groups, before->sums.items[s].groups) ||
          !blockwise_merge(blocks->block, groups, gifts->items[k].groups))
        return false;
      uint32_t to = sum_add(blocks, &layer, buckets, room - 1, groups);
      if (layer.sums.items[to].groups != groups) arena_reset(blocks->block->eval->arena, mark);
      ARENA_PUSH(&blocks->lift->arena, &layer.edges, (Edge){s, to, k});
      blocks->lift->block_cost += blockwise_size(blocks->block, layer.sums.items[to].groups);
    }
  ARENA_PUSH(&blocks->lift->arena, &part->layers, layer);
  return true;
}

static bool part_sum(BlockLift *blocks, Part *part) {
  Layer first = {0};
  ARENA_PUSH(&blocks->lift->arena, &first.sums, (Sum){.groups = part->base, .guard = TERM_TRUE});
  ARENA_PUSH(&blocks->lift->arena, &part->layers, first);
  for (uint32_t i = 0; i < part->rows.count; i++)
    if (!layer_add(blocks, part, part->rows.items[i])) return false;
  return true;
}

static Layer *part_last(Part *part) { return &part->layers.items[part->layers.count - 1]; }

/* The guards of the last sums that are wanted. */
static void part_guard(BlockLift *blocks, Part *part) {
  Lift *lift = blocks->lift;
  for (uint32_t i = part->layers.count; i-- > 1;) {
    const Layer *layer = &part->layers.items[i];
    for (uint32_t e = 0; e < layer->edges.count; e++)
      if (layer->sums.items[layer->edges.items[e].to].is_wanted)
        part->layers.items[i - 1].sums.items[layer->edges.items[e].from].is_wanted = true;
  }
  for (uint32_t i = 1; i < part->layers.count; i++) {
    Layer *layer = &part->layers.items[i];
    const Layer *before = &part->layers.items[i - 1];
    for (uint32_t e = 0; e < layer->edges.count; e++) {
      const Edge *edge = &layer->edges.items[e];
      Sum *to = &layer->sums.items[edge->to];
      if (!to->is_wanted) continue;
      Term guard = term_and(lift->terms, before->sums.items[edge->from].guard,
                            blocks->gifts[layer->row].items[edge->gift].path);
      ARENA_PUSH(&lift->arena, &to->guards, guard);
    }
    for (uint32_t s = 0; s < layer->sums.count; s++) {
      Sum *sum = &layer->sums.items[s];
      if (sum->is_wanted) sum->guard = term_or_all(lift->terms, sum->guards.items, sum->guards.count);
    }
  }
}

/* ---- The sum that is taken
 * ------------------------------------------------------------------------------------ */

/* The run goes on with one sum after the other. */
static bool part_branch(BlockLift *blocks, Part *part) {
  Lift *lift = blocks->lift;
  Layer *last = part_last(part);
  if (last->sums.count > BRANCHES_MOST) return false;
  for (uint32_t i = 0; i < last->sums.count; i++) last->sums.items[i].is_wanted = true;
  part_guard(blocks, part);
  Term *guards = ARENA_ARRAY(&lift->arena, Term, last->sums.count);
  for (uint32_t i = 0; i < last->sums.count; i++)
    guards[i] = last->sums.count == 1 ? TERM_TRUE : last->sums.items[i].guard;
  blockwise_take(blocks->block, last->sums.items[lift_branch(lift, guards, last->sums.count)].groups);
  return true;
}

/* Shown as a whole: the sums that match what was observed, of which the run goes on with the first. */
static bool part_match(BlockLift *blocks, Part *part) {
  Lift *lift = blocks->lift;
  const Eval *eval = blocks->block->eval;
  Layer *last = part_last(part);
  ARRAY(Term) fitting = {0};
  Groups *taken = last->sums.items[0].groups;
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < last->sums.count; i++) {
    ResultSet result;
    Mismatch mismatch;
    if (!blockwise_show(blocks->block, last->sums.items[i].groups, &result)) return false;
    MatchAnswer answer =
        match_rows(eval->dialect, eval->doubts, &result, &lift->observed->results[0], &mismatch);
    if (answer == MATCH_UNDECIDED) return false;
    last->sums.items[i].is_wanted = answer == MATCH_YES;
    if (answer == MATCH_YES && !wanted++) taken = last->sums.items[i].groups;
  }
  blockwise_take(blocks->block, taken);
  if (!wanted || wanted == last->sums.count) return true;
  part_guard(blocks, part);
  for (uint32_t i = 0; i < last->sums.count; i++)
    if (last->sums.items[i].is_wanted) ARENA_PUSH(&lift->arena, &fitting, last->sums.items[i].guard);
  lift_require(lift, term_or_all(lift->terms, fitting.items, fitting.count));
  return true;
}

/* The largest magnitudes in sums of doubles, column by column. */
static void magnitudes_join(BlockLift *blocks, double **largest, const ResultSet *result) {
  if (!result->magnitudes) return;
  if (!*largest) *largest = ARENA_ARRAY(blocks->block->eval->arena, double, result->column_count + 1);
  for (uint32_t i = 0; i < result->column_count; i++)
    if (result->magnitudes[i] > (*largest)[i]) (*largest)[i] = result->magnitudes[i];
}

/* Each part shows rows of its own. */
static bool parts_match(BlockLift *blocks) {
  Lift *lift = blocks->lift;
  double *largest = NULL;
  ResultSet certain = {0}, *answer = ARENA_NEW(blocks->block->eval->arena, ResultSet);
  if (!blockwise_show(blocks->block, blocks->base, &certain)) return false;
  Ways *ways = arena_zero(&lift->arena, (blocks->parts.count + 1) * sizeof *ways);
  for (uint32_t i = 0; i < blocks->parts.count; i++) {
    Layer *last = part_last(&blocks->parts.items[i]);
    for (uint32_t s = 0; s < last->sums.count; s++) last->sums.items[s].is_wanted = true;
    part_guard(blocks, &blocks->parts.items[i]);
    for (uint32_t s = 0; s < last->sums.count; s++) {
      ResultSet result;
      if (!blockwise_show(blocks->block, last->sums.items[s].groups, &result)) return false;
      if (result.has_slice || result.open_order) return false;
      Way way = {.path = last->sums.items[s].guard,
                 .row_count = result.row_count,
                 .rows = result.rows,
                 .magnitudes = result.magnitudes};
      magnitudes_join(blocks, &largest, &result);
      ARENA_PUSH(&lift->arena, &ways[i], way);
    }
  }
  magnitudes_join(blocks, &largest, &certain);
  *answer = certain;
  answer->magnitudes = largest;
  Matching matching = {.lift = lift,
                       .eval = blocks->block->eval,
                       .select = blocks->block->select,
                       .result = &certain,
                       .observed = &lift->observed->results[0],
                       .ways = ways,
                       .way_count = blocks->parts.count};
  if (certain.has_slice || certain.open_order || !matching_run(&matching, answer)) return false;
  lift_require(lift, matching.holds);
  if (matching.holds != TERM_FALSE) {
    blocks->block->answer = answer;
    return true;
  }
  for (uint32_t i = 0; i < blocks->parts.count; i++) /* something that is not what was observed */
    if (!blockwise_merge(blocks->block, blocks->base,
                         part_last(&blocks->parts.items[i])->sums.items[0].groups))
      return false;
  blockwise_take(blocks->block, blocks->base);
  return true;
}

/* ---- The block
 * ------------------------------------------------------------------------------------------------- */

static bool answer_is_seen(const Lift *lift, const BlockWise *block) {
  return block->is_shown && lift->observed && lift->observed->has_rows && lift->observed->result_count == 1;
}

static bool blocks_are_wanted(const Lift *lift) {
  if (!store_view(lift->store) || lift->mask || !lift->takes_rows || lift->forks_blocks) return false;
  if (lift->is_undone || lift->explains_error || lift->any_state_explains) return false;
  return !lift->observed || !lift->observed->error;
}

static bool blocks_finish(BlockLift *blocks) {
  if (blocks->block->is_shown && blocks->lift->observed && !blocks->lift->observed->has_rows) {
    blockwise_take(blocks->block, blocks->base); /* whatever it answered */
    return true;
  }
  bool is_seen = answer_is_seen(blocks->lift, blocks->block);
  bool is_whole = !is_seen || !blocks->block->is_plain || !blocks->block->select->group_by.count;
  if (!gifts_collect(blocks) || !parts_make(blocks, is_whole)) return false;
  for (uint32_t i = 0; i < blocks->parts.count; i++)
    if (!part_sum(blocks, &blocks->parts.items[i])) return false;
  if (!blocks->parts.count) {
    blockwise_take(blocks->block, blocks->base);
    return true;
  }
  if (!is_whole) return parts_match(blocks);
  return is_seen ? part_match(blocks, &blocks->parts.items[0]) : part_branch(blocks, &blocks->parts.items[0]);
}

typedef enum BlockAnswer { BLOCK_DONE, BLOCK_OTHERWISE, BLOCK_MIXED } BlockAnswer;

/* With the rows of one table taken one by one. */
static BlockAnswer blocks_try(Lift *lift, BlockWise *block, const Table *table) {
  BlockLift blocks = {.lift = lift, .block = block};
  uint32_t depth = lift->depth;
  lift_mask(lift, table, 1u << block->purpose | 1u << READ_RECHECK_TARGET);
  blocks.base = blockwise_groups(block);
  lift->mask = MASK_NONE;
  blocks.keys = lift->masked.items;
  blocks.row_count = lift->masked.count;
  if (lift->depth != depth || lift->is_mixed) return BLOCK_MIXED;
  if (!blocks.base) return BLOCK_OTHERWISE;
  blocks.gifts = arena_zero(&lift->arena, (blocks.row_count + 1) * sizeof *blocks.gifts);
  return blocks_finish(&blocks) ? BLOCK_DONE : BLOCK_OTHERWISE;
}

bool lift_blocks_run(void *context, BlockWise *block) {
  Lift *lift = context;
  if (!blocks_are_wanted(lift)) return blockwise_join(block);
  const char *vague = lift->vague;
  BlockAnswer answer = BLOCK_MIXED;
  for (uint32_t i = 0; i < block->tables.count && answer == BLOCK_MIXED; i++)
    answer = blocks_try(lift, block, block->tables.items[i]);
  if (answer == BLOCK_DONE) return true;
  lift->vague = vague;
  return blockwise_join(block);
}
