/* query_group_merge.c: the groups of some rows and those of others as the groups of all. */
#include "semantics/query_group.h"

#include "src/base/map.h"

static bool picks_have(const Run *run, const Group *group, const Value *keys) {
  for (uint32_t i = 0; i < group->picks.count; i++)
    if (values_identical(group->picks.items[i].keys, keys, run->select->group_by.count)) return true;
  return false;
}

void groups_merge_one(Run *run, struct Groups *into, const Group *from) {
  Group *group = group_find(run, into, from->keys);
  if (!group) return;
  for (uint32_t i = 0; i < from->picks.count; i++)
    if (!picks_have(run, group, from->picks.items[i].keys))
      ARENA_PUSH(run->eval->arena, &group->picks, from->picks.items[i]);
  for (uint32_t i = 0; i < run->select->aggregates.count; i++)
    accumulator_merge(run->eval, group->accumulators[i], from->accumulators[i]);
}

void groups_merge(Run *run, struct Groups *into, const struct Groups *from) {
  for (uint32_t i = 0; i < from->groups.count && !run->eval->abort; i++)
    groups_merge_one(run, into, &from->groups.items[i]);
}

static bool group_is_same(const Run *run, const Group *a, const Group *b) {
  if (a->picks.count != b->picks.count) return false;
  for (uint32_t i = 0; i < a->picks.count; i++)
    if (!picks_have(run, b, a->picks.items[i].keys)) return false;
  for (uint32_t i = 0; i < run->select->aggregates.count; i++)
    if (!accumulator_is_same(run->eval, a->accumulators[i], b->accumulators[i])) return false;
  return true;
}

bool groups_are_same(const Run *run, const struct Groups *a, const struct Groups *b) {
  if (a->groups.count != b->groups.count) return false;
  for (uint32_t i = 0; i < a->groups.count; i++) {
    uint64_t hash;
    const Group *other = group_look(run, b, a->groups.items[i].keys, &hash);
    if (!other || !group_is_same(run, &a->groups.items[i], other)) return false;
  }
  return true;
}

uint32_t groups_size(const Run *run, const struct Groups *groups) {
  uint32_t size = 1;
  for (uint32_t i = 0; i < groups->groups.count; i++)
    for (uint32_t k = 0; k < run->select->aggregates.count; k++)
      size += accumulator_size(groups->groups.items[i].accumulators[k]);
  return size;
}

uint64_t groups_digest(const Run *run, const struct Groups *groups) {
  uint64_t digest = groups->groups.count;
  for (uint32_t i = 0; i < groups->groups.count; i++) { /* in any order */
    const Group *group = &groups->groups.items[i];
    uint64_t each = row_hash(run->eval->dialect, groups->key_types, group->keys, run->select->group_by.count);
    for (uint32_t k = 0; k < run->select->aggregates.count; k++)
      each = hash_mix(each, accumulator_digest(group->accumulators[k]));
    digest += each;
  }
  return digest;
}
