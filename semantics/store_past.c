/* store_past.c: the past is forgotten: of each key one version is left, and nothing can be undone. */
#include "semantics/store_internal.h"

/* Asked of a guard that is in doubt. */
typedef struct Deciding {
  bool (*holds)(void *context, uint32_t guard);
  void *context;
} Deciding;

static bool version_holds(const Version *version, const Deciding *deciding) {
  if (version->is_void) return false;
  return !version->guard || deciding->holds(deciding->context, version->guard);
}

/* Only the version that shows is left, as if it had been there from the beginning.  Without one, or with a
 * tombstone, the key shows nothing to anybody. */
static void key_forget_past(Store *store, TableStore *table, Key *key, const Deciding *deciding) {
  bool was_deleted = key->newest->is_tombstone;
  Version *kept = key->newest;
  while (kept && !version_holds(kept, deciding)) kept = kept->older;
  digest_change(store, table, key, key->newest);
  if (kept != key->newest) table->largest_is_known = false;
  for (Version **link = &key->newest; *link;) {
    Version *version = *link;
    if (version == kept) {
      link = &version->older;
      continue;
    }
    version_unindex(store, table, key, version);
    *link = version->older;
    version_free(store, version);
  }
  if (kept) {
    kept->writer = kept->guard = kept->together = 0;
    digest_change(store, table, key, kept);
  }
  bool is_dead = !kept || kept->is_tombstone;
  table->deleted_count -= was_deleted;
  if (kept && is_dead) version_free(store, kept);
  if (is_dead) {
    key->newest = NULL;
    ARRAY_PUSH(&store->dead, key);
  }
}

void store_forget_past(Store *store, bool (*holds)(void *context, uint32_t guard), void *context) {
  const Deciding deciding = {holds, context};
  for (uint32_t i = 0; i < store->undo.count; i++) {
    Key *key = store->undo.items[i].key;
    if (!key || !key->newest) continue; /* a call; or met before, and dead */
    bool was_met = !key->newest->older && !key->newest->writer && !key->newest->guard;
    if (!was_met) key_forget_past(store, store->tables[key->table], key, &deciding);
  }
  store->undo.count = store->guarded.count = store->decided_count = 0;
  store->begun = 0;
}

void store_bury(Store *store) {
  for (uint32_t i = 0; i < store->dead.count; i++) {
    Key *key = store->dead.items[i];
    key_free(store, store->tables[key->table], key);
  }
  store->dead.count = 0;
}
