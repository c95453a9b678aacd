/* state_memory.h: where a search has been: sets of transactions with the state they led to. */
#ifndef ALIBI_HEURISTICS_STATE_MEMORY_H
#define ALIBI_HEURISTICS_STATE_MEMORY_H

#include "semantics/store.h"

typedef struct StateMemory {
  StoreDigest *slots; /* owned; both halves 0: free */
  uint32_t room, count;
} StateMemory;

/* False: it was there already. */
bool state_memory_add(StateMemory *memory, StoreDigest digest, const uint64_t used[2]);
void state_memory_clear(StateMemory *memory);
void state_memory_free(StateMemory *memory);

#endif
