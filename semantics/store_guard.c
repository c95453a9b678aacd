/* store_guard.c: versions under guards, once it is known whether those hold. */
#include "semantics/store_internal.h"

uint32_t store_guarded_count(const Store *store) { return store->guarded.count; }

uint32_t store_decided_count(const Store *store) { return store->decided_count; }

const Version *store_guarded(const Store *store, uint32_t number) {
  return store->guarded.items[number].version;
}

static void guard_set(Store *store, const Guarded *guarded, uint32_t guard, bool is_void) {
  const TableStore *table = store->tables[guarded->key->table];
  bool is_newest = guarded->key->newest == guarded->version;
  if (is_newest) digest_change(store, table, guarded->key, guarded->version);
  guarded->version->guard = guard;
  guarded->version->is_void = is_void;
  if (is_newest) digest_change(store, table, guarded->key, guarded->version);
}

/* `object` is the number of the version, which is the same again once this is undone. */
static void guard_restore(void *context, void *object, uint64_t guard) {
  Store *store = context;
  store->decided_count--;
  guard_set(store, &store->guarded.items[(uintptr_t)object], (uint32_t)guard, false);
}

void store_decide(Store *store, uint32_t number, bool holds) {
  const Guarded *guarded = &store->guarded.items[number];
  uint32_t guard = guarded->version->guard;
  assert(guard && !guarded->version->is_void);
  store_push_undo(store, guard_restore, store, (void *)(uintptr_t)number, guard);
  guard_set(store, guarded, holds ? 0 : guard, !holds);
  store->decided_count++;
}
