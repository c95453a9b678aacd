/* state_memory.c: a set of digests, open addressing. */
#include "heuristics/state_memory.h"

#include "src/base/arena.h"

#include <stdlib.h>

/* The slot of the digest, or the free one where it belongs. */
static StoreDigest *slot_find(const StateMemory *memory, StoreDigest digest) {
  uint32_t at = (uint32_t)digest.halves[0] & (memory->room - 1);
  for (;; at = (at + 1) & (memory->room - 1)) {
    StoreDigest *slot = &memory->slots[at];
    bool is_free = !slot->halves[0] && !slot->halves[1];
    if (is_free || (slot->halves[0] == digest.halves[0] && slot->halves[1] == digest.halves[1])) return slot;
  }
}

static void memory_grow(StateMemory *memory) {
  StateMemory larger = {.room = memory->room ? memory->room * 2 : 1024, .count = memory->count};
  larger.slots = memory_new(larger.room * sizeof *larger.slots);
  for (uint32_t i = 0; i < memory->room; i++)
    if (memory->slots[i].halves[0] || memory->slots[i].halves[1])
      *slot_find(&larger, memory->slots[i]) = memory->slots[i];
  free(memory->slots);
  *memory = larger;
}

bool state_memory_add(StateMemory *memory, StoreDigest digest, const uint64_t used[2]) {
  digest.halves[0] ^= used[0];
  digest.halves[1] ^= used[1];
  if (memory->count * 2 >= memory->room) memory_grow(memory);
  StoreDigest *slot = slot_find(memory, digest);
  if (slot->halves[0] || slot->halves[1]) return false;
  *slot = digest;
  memory->count++;
  return true;
}

void state_memory_clear(StateMemory *memory) {
  if (memory->count) memset(memory->slots, 0, memory->room * sizeof *memory->slots);
  memory->count = 0;
}

void state_memory_free(StateMemory *memory) { free(memory->slots); }
