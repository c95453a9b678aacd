/* store_index.c: the indexes over a table's versions.
 *
 * An index has one entry per distinct row of indexed values among a key's live versions (S2), so a key may
 * stand in it more than once; store_next gives it where the version that shows stands. */
#include "semantics/store_internal.h"

void index_free(StoreIndex *index) {
  ordered_free(index->decided);
  ordered_free(index->undecided);
  free(index->columns);
  free(index);
}

StoreIndex *index_of(const TableStore *table, const Index *index) {
  for (uint32_t i = 0; i < table->indexes.count; i++)
    if (table->indexes.items[i]->index == index) return table->indexes.items[i];
  return NULL;
}

const Value *index_gather(Store *store, const StoreIndex *index, const Value *row, unsigned which) {
  if (index->column_count > store->gathered_room) {
    store->gathered_room = index->column_count;
    for (unsigned i = 0; i < 2; i++)
      store->gathered[i] = memory_resize(store->gathered[i], store->gathered_room * sizeof(Value));
  }
  for (uint32_t i = 0; i < index->column_count; i++) store->gathered[which][i] = row[index->columns[i]];
  return store->gathered[which];
}

void index_change(Store *store, StoreIndex *index, const Value *row, Key *key, bool adds) {
  const Value *values = index_gather(store, index, row, 0);
  Ordered *tree = ordered_accepts(index->decided, values) ? index->decided : index->undecided;
  if (adds)
    ordered_add(tree, values, key);
  else if (!ordered_remove(tree, values, key))
    fatal("an index has lost an entry");
}

/* Whether the two rows share their entry in the index. */
static bool index_same(Store *store, const StoreIndex *index, const Value *a, const Value *b) {
  bool identical = true;
  for (uint32_t i = 0; i < index->column_count && identical; i++)
    identical = value_identical(a[index->columns[i]], b[index->columns[i]]);
  if (identical) return true;
  a = index_gather(store, index, a, 0);
  b = index_gather(store, index, b, 1);
  bool a_decided = ordered_accepts(index->decided, a), b_decided = ordered_accepts(index->decided, b);
  if (a_decided != b_decided) return false;
  return !a_decided || ordered_same(index->decided, a, b);
}

bool index_is_held(Store *store, const StoreIndex *index, const Version *from, const Version *except,
                   const Value *row) {
  for (const Version *version = from; version; version = version->older)
    if (version != except && !version->is_tombstone && index_same(store, index, version->values, row))
      return true;
  return false;
}

static void index_fill(Store *store, TableStore *table, StoreIndex *index) {
  for (uint32_t i = 0; i < table->key_count; i++)
    for (const Version *version = table->keys[i]->newest; version; version = version->older)
      if (!version->is_tombstone && !index_is_held(store, index, version->older, NULL, version->values))
        index_change(store, index, version->values, table->keys[i], true);
}

void store_add_index(Store *store, const Table *table, const Index *index) {
  TableStore *owner = table_of(store, table);
  if (index_of(owner, index)) return;
  StoreIndex *added = memory_new(sizeof *added);
  Type *types = memory_new((index->column_count + 1) * sizeof *types);
  added->index = index;
  added->column_count = index->column_count;
  added->columns = memory_new((index->column_count + 1) * sizeof *added->columns);
  for (uint32_t i = 0; i < index->column_count; i++) {
    added->columns[i] = index->columns[i];
    types[i] = table->columns[index->columns[i]].type;
  }
  added->decided = ordered_new(&store->slab, &store->schema->dialect, index->column_count, types);
  added->undecided = ordered_new(&store->slab, &store->schema->dialect, 0, types);
  free(types);
  ARRAY_PUSH(&owner->indexes, added);
  index_fill(store, owner, added);
}

void store_drop_index(Store *store, const Table *table, const Index *index) {
  TableStore *owner = table_of(store, table);
  for (uint32_t i = 0; i < owner->indexes.count; i++) {
    if (owner->indexes.items[i]->index != index) continue;
    index_free(owner->indexes.items[i]);
    owner->indexes.items[i] = owner->indexes.items[--owner->indexes.count];
    return;
  }
}

bool store_has_index(const Store *store, const Table *table, const Index *index) {
  return index_of(table_of(store, table), index) != NULL;
}

uint64_t store_undecided(const Store *store, const Table *table, const Index *index) {
  return ordered_count(index_of(table_of(store, table), index)->undecided);
}

/* ---- Seeking ------------------------------------------------------------------------ */

void store_forbid_seeks(Store *store, bool forbids) { store->forbids_seeks = forbids; }
SeekStats store_seek_stats(const Store *store) { return store->seeks; }
void store_seek_refused(Store *store) { store->seeks.refused++; }

void store_seek(const Store *store, const Table *table, const Index *index, const IndexRange *range,
                ReadPurpose purpose, IndexCursor *cursor) {
  StoreIndex *found = index_of(table_of(store, table), index);
  assert(found);
  cursor->store = store;
  cursor->purpose = purpose;
  cursor->index = found;
  cursor->in_undecided = false;
  cursor->range = *range;
  if (store->forbids_seeks) {
    ordered_scan(found->decided, cursor);
    return;
  }
  SeekStats *stats = &((Store *)store)->seeks; /* counting changes nothing that a reader sees */
  stats->seeks++;
  stats->spared += ordered_count(found->decided);
  ordered_seek(found->decided, range, cursor);
}

/* Of a key's entries only that of the version counts which the reader sees. */
static bool entry_is_current(const StoreIndex *index, const IndexCursor *cursor, const Key *key) {
  if (!key->newest->older && !store_view(cursor->store)) return true;
  const Version *version = store_read(cursor->store, key, cursor->purpose);
  if (!version) return false;
  Value values[index->column_count + 1];
  for (uint32_t i = 0; i < index->column_count; i++) values[i] = version->values[index->columns[i]];
  if (ordered_accepts(index->decided, values) == cursor->in_undecided) return false;
  return cursor->in_undecided || ordered_is_at(index->decided, cursor, values);
}

Key *store_find(const Store *store, const Table *table, const Index *index, const Value *values) {
  const StoreIndex *found = index_of(table_of(store, table), index);
  IndexCursor cursor = {.range = {.equal = values, .equal_count = found->column_count}};
  ordered_seek(found->decided, &cursor.range, &cursor);
  return ordered_next(found->decided, &cursor);
}

Key *store_next(IndexCursor *cursor) {
  const StoreIndex *index = cursor->index;
  for (;;) {
    Key *key = ordered_next(cursor->in_undecided ? index->undecided : index->decided, cursor);
    if (!key) {
      if (cursor->in_undecided || ordered_count(index->undecided) == 0) return NULL;
      cursor->in_undecided = true;
      cursor->range = (IndexRange){0};
      ordered_seek(index->undecided, &cursor->range, cursor);
    } else {
      if (!cursor->is_scan && !cursor->in_undecided) ((Store *)cursor->store)->seeks.spared--;
      if (entry_is_current(index, cursor, key)) return key;
    }
  }
}
